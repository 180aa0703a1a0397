/*
 * write_tensors.c - epref_archive.h: tensors of an archive as a file of other libraries.
 */
#include "archive/state/tensorfile.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "interface.h"

static const tensorfile_form forms[] = {[EP_ARCHIVE_SAFETENSORS] = TENSORFILE_SAFETENSORS,
                                        [EP_ARCHIVE_NPY] = TENSORFILE_NPY,
                                        [EP_ARCHIVE_RAW] = TENSORFILE_RAW};

/* The rows that are asked for, or all of the state. */
static void choose(const ep_archive *a, const ep_archive_file_options *wish, tensorfile *file) {
    for (size_t i = 0; wish->tensors == NULL && i < a->tensors.row_count; i++) {
        if (a->tensors.rows[i].part != TENSOR_INPUTS && tensorfile_left_out(file, i) == NULL) {
            file->rows[file->count++] = i;
        }
    }
    for (size_t i = 0; wish->tensors != NULL && i < wish->count; i++) {
        file->rows[file->count++] = wish->tensors[i];
    }
}

/* What is wrong with the wish; NULL: nothing is. */
static const char *fault_of(const ep_archive *a, const ep_archive_file_options *wish) {
    if ((unsigned)wish->form >= sizeof forms / sizeof forms[0]) {
        return "no form of a file";
    }
    if (wish->form != EP_ARCHIVE_SAFETENSORS && (wish->tensors == NULL || wish->count != 1)) {
        return "this form holds one tensor";
    }
    for (size_t i = 0; wish->tensors != NULL && i < wish->count; i++) {
        if (wish->tensors[i] >= a->tensors.row_count) {
            return "no such tensor";
        }
    }
    return NULL;
}

static bool write_file(const ep_archive *a, tensorfile *file, const interface_sink *to,
                       failure *what) {
    interface_sink sink = *to;
    file->holding = interface_take_holding(a);
    bool ok = tensorfile_plan(file, what) && tensorfile_verify(file, what) &&
              tensorfile_write(file, interface_take, &sink, what);
    interface_give_back(a, file->holding);
    return ok;
}

static bool write_rows(const ep_archive *a, const ep_archive_file_options *wish,
                       const interface_sink *to, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    size_t most = wish->tensors != NULL ? wish->count : a->tensors.row_count;
    tensorfile file = {.archive = &a->archive,
                       .tensors = &a->tensors,
                       .form = forms[wish->form],
                       .limit = interface_limit(a)};
    memory_share *before = memory_enter(&a->held->share);
    file.rows = memory_zeros(most, sizeof *file.rows);
    bool ok = file.rows != NULL || refuse_plainly(&what, EP_MEMORY);
    if (ok) {
        choose(a, wish, &file);
        ok = write_file(a, &file, to, &what);
    }
    ok = interface_settle(a, ok, file.blamed, &what, error);
    tensorfile_free(&file);
    memory_free(file.rows);
    memory_leave(before);
    return ok;
}

bool ep_archive_write_tensors(ep_archive *a, const ep_archive_file_options *options, ep_sink *sink,
                              void *context, ep_error *error) {
    interface_sink to = {sink, context};
    ep_archive_file_options wish = {.form = EP_ARCHIVE_SAFETENSORS};
    wish = options == NULL ? wish : *options;
    if (a == NULL || sink == NULL) {
        return interface_fail_argument(error, a == NULL ? "no archive" : "no sink");
    }
    TRY(interface_need_program(a, error) && ep_archive_list(a, error));
    const char *fault = fault_of(a, &wish);
    return fault == NULL ? write_rows(a, &wish, &to, error) : interface_fail_argument(error, fault);
}
