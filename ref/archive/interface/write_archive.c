/*
 * write_archive.c - epref_archive.h: an archive made of a program and its tensors.
 */
#include "archive/make/assemble.h"
#include "archive/state/safetensors.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "interface.h"

/* An archive on its way. */
typedef struct packing {
    const ep_archive_pack_options *wish;
    ep_arena scratch;
    buffer text; /* of the program */
    buffer root;
    io_data tensors;
    given state;
    assembly_file *extras;
    assembly made;
} packing;

ep_archive_pack_options ep_archive_pack_options_default(void) {
    return (ep_archive_pack_options){.sample_inputs = {"", 0}, .limits = ep_limits_default()};
}

static bool keep(void *context, const char *data, size_t size) {
    buffer *text = context;
    buffer_put(text, data, size);
    return !text->failed;
}

/* The program as its release writes it, when it is judged. */
static bool read_program(packing *p, const ep_program *program, failure *what) {
    ep_check_options checking = ep_check_options_default();
    checking.limits = p->wish->limits;
    bool ok = ep_check(program, &p->scratch, &checking, &what->error) &&
              ep_encode(program, &p->scratch, keep, &p->text, &what->error);
    return ok || (p->text.failed ? refuse_plainly(what, EP_MEMORY) : false);
}

static bool read_tensors(packing *p, failure *what) {
    const ep_archive_source *from = &p->wish->tensors;
    const given_tensor *again;
    p->state.from = &p->tensors; /* which has no bytes where there are no tensors */
    if (from->read == NULL) {
        return given_index(&p->state, &again) || refuse_plainly(what, EP_MEMORY);
    }
    bool ok = io_open_reader(from->read, from->context, from->size, &p->tensors, what) &&
              safetensors_open(&p->tensors, p->wish->limits.bytes, &p->state, what);
    return io_settle(&p->tensors, ok, what);
}

static bool name_root(packing *p, failure *what) {
    const char *folder = p->wish->folder != NULL ? p->wish->folder : "archive";
    if (!assembly_is_root(bytes_of(folder))) {
        return refuse_invalid(what, "no name of a folder");
    }
    buffer_text(&p->root, folder);
    buffer_byte(&p->root, '/');
    return !p->root.failed || refuse_plainly(what, EP_MEMORY);
}

static bool list_extras(packing *p, failure *what) {
    size_t count = p->wish->extra_count;
    p->extras = memory_zeros(count, sizeof *p->extras);
    for (size_t i = 0; p->extras != NULL && i < count; i++) {
        const ep_archive_extra *extra = &p->wish->extras[i];
        p->extras[i] = (assembly_file){.name = extra->name, .bytes = extra->bytes};
    }
    return p->extras != NULL || refuse_plainly(what, EP_MEMORY);
}

static bool put_together(packing *p, const ep_program *program, failure *what) {
    assembly_wish wish = {.program = program,
                          .text = buffer_bytes(&p->text),
                          .state = &p->state,
                          .inputs = p->wish->sample_inputs,
                          .extras = p->extras,
                          .extra_count = p->wish->extra_count,
                          .root = buffer_bytes(&p->root),
                          .limit = p->wish->limits.bytes};
    return io_settle(&p->tensors, assemble(&wish, &p->made, what), what);
}

static void free_all(packing *p) {
    assembly_free(&p->made);
    given_free(&p->state);
    io_data_free(&p->tensors);
    memory_free(p->extras);
    buffer_free(&p->root);
    buffer_free(&p->text);
    ep_arena_free(&p->scratch);
}

/* What of the wish cannot be followed; NULL: all can. */
static const char *fault_of(const ep_archive_pack_options *wish) {
    const ep_bytes inputs = wish->sample_inputs;
    if ((inputs.data == NULL && inputs.size > 0) ||
        (wish->extras == NULL && wish->extra_count > 0)) {
        return "bytes that are NULL";
    }
    for (size_t i = 0; i < wish->extra_count; i++) {
        const ep_archive_extra *extra = &wish->extras[i];
        if ((extra->name.data == NULL && extra->name.size > 0) ||
            (extra->bytes.data == NULL && extra->bytes.size > 0)) {
            return "bytes that are NULL";
        }
    }
    return NULL;
}

static bool pack(packing *p, const ep_program *program, interface_sink *to, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    arena_open(&p->scratch, 0);
    bool ok = read_program(p, program, &what) && name_root(p, &what) && list_extras(p, &what) &&
              read_tensors(p, &what) && put_together(p, program, &what) &&
              assembly_write(&p->made, interface_take, to, &what);
    ok = ok ? interface_ok(error) : interface_fail(error, p->made.blamed, &what);
    free_all(p);
    return ok;
}

bool ep_archive_pack(const ep_program *program, const ep_archive_pack_options *options,
                     ep_sink *sink, void *context, ep_error *error) {
    interface_sink to = {sink, context};
    ep_archive_pack_options wish = ep_archive_pack_options_default();
    wish = options == NULL ? wish : *options;
    if (program == NULL || sink == NULL) {
        return interface_fail_argument(error, program == NULL ? "no program" : "no sink");
    }
    const char *fault = fault_of(&wish);
    if (fault != NULL) {
        return interface_fail_argument(error, fault);
    }
    packing p = {.wish = &wish};
    memory_share share = {.cap = wish.memory};
    memory_share *before = memory_enter(&share);
    bool ok = pack(&p, program, &to, error);
    memory_leave(before);
    return ok;
}
