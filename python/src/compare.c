/*
 * compare.c - what loading a program does, and where two programs part.
 */
#include "module.h"

#include <string.h>

/* ---------------------------------------------------------------- auditing */

PyObject *finding_tuple(const ep_finding *finding, ep_bytes member) {
    return Py_BuildValue("(szzizNNnN)", ep_audit_name(finding->id), ep_audit_clause(finding->id),
                         ep_audit_title(finding->id), (int)ep_audit_severity(finding->id),
                         finding->why, make_bytes_text(finding->text), error_tuple(&finding->place),
                         (Py_ssize_t)finding->more, make_bytes_text(member));
}

static PyObject *make_finding(const void *finding) {
    return finding_tuple(finding, (ep_bytes){"", 0});
}

static void hear_finding(void *context, const ep_finding *finding) {
    collect(context, make_finding, finding);
}

METHOD(audit) {
    program_handle *handle;
    ep_arena scratch;
    ep_error error;
    collector heard;
    TAKE("O&", to_program, &handle);
    NEED(collect_begin(&heard));
    open_scratch(handle, &scratch);
    bool ok = ep_audit(handle->program, &scratch, hear_finding, &heard, &error);
    ep_arena_free(&scratch);
    PyObject *list = collect_end(&heard, ok);
    return list != NULL ? list : raise_error(&error);
}

/* --------------------------------------------------------------- comparing */

static PyObject *make_side(const ep_diff_side *side) {
    return Py_BuildValue("(NNNNNz)", PyBool_FromLong(side->there), error_tuple(&side->place),
                         make_bytes_text(side->text), PyBool_FromLong(side->cut_before),
                         PyBool_FromLong(side->cut_behind), side->enumerator);
}

static PyObject *make_difference(const void *what) {
    const ep_difference *difference = what;
    return Py_BuildValue("(zzzNNNN)", ep_diff_group_name(difference->group), difference->type,
                         difference->member, make_bytes_text(difference->target),
                         make_bytes_text(difference->argument), make_side(&difference->sides[0]),
                         make_side(&difference->sides[1]));
}

static void hear_difference(void *context, const ep_difference *difference) {
    collect(context, make_difference, difference);
}

/* The call itself, without the GIL. */
static bool compare(program_handle *const handles[2], ep_diff_options *options,
                    ep_diff_result *result, ep_error *error) {
    const ep_program *const programs[2] = {handles[0]->program, handles[1]->program};
    ep_arena scratch;
    ep_constants *set = ep_constants_open(handles[0]->limits.bytes, false, error);
    if (set == NULL) {
        return false;
    }
    options->constant = ep_constants_take;
    options->constant_context = set;
    open_scratch(handles[0], &scratch);
    bool ok = ep_diff(programs, &scratch, options, result, error) && ep_constants_check(set, error);
    ep_arena_free(&scratch);
    ep_constants_close(set);
    return ok;
}

/* How many differences there are, and those that are told. */
METHOD(diff) {
    program_handle *handles[2];
    Py_ssize_t limit;
    int provenance;
    ep_error error;
    ep_diff_result result = {0};
    collector heard;
    TAKE("O&O&np", to_program, &handles[0], to_program, &handles[1], &limit, &provenance);
    NEED(collect_begin(&heard));
    ep_diff_options options = {.limit = (size_t)limit,
                               .provenance = provenance != 0,
                               .hear = hear_difference,
                               .hear_context = &heard};
    bool ok = compare(handles, &options, &result, &error);
    PyObject *list = collect_end(&heard, ok);
    if (list == NULL) {
        return raise_error(&error);
    }
    return Py_BuildValue("(nN)", (Py_ssize_t)result.count, list);
}

static bool same_dims(const ep_constant *a, const ep_constant *b) {
    bool same = a->info.rank == b->info.rank &&
                a->info.storage_offset.number == b->info.storage_offset.number;
    for (size_t i = 0; same && i < a->info.rank; i++) {
        same = a->info.sizes[i].number == b->info.sizes[i].number &&
               a->info.strides[i].number == b->info.strides[i].number;
    }
    return same;
}

/* What is no tensor's pickle is not the same as another text. */
static bool same_taken(ep_constants *set, const ep_bytes texts[2]) {
    ep_constant a;
    ep_constant b;
    ep_tensor_info info;
    return ep_constants_take(set, (ep_bytes){"a", 1}, texts[0], &info) &&
           ep_constants_take(set, (ep_bytes){"b", 1}, texts[1], &info) &&
           ep_constants_at(set, 0, &a) && ep_constants_at(set, 1, &b) &&
           strcmp(a.info.dtype, b.info.dtype) == 0 && same_dims(&a, &b) &&
           a.bytes.size == b.bytes.size &&
           (a.bytes.size == 0 || memcmp(a.bytes.data, b.bytes.data, a.bytes.size) == 0);
}

/* Two pickles in the documents of version 1. */
METHOD(constants_same) {
    PyObject *objects[2];
    ep_bytes texts[2];
    ep_error error = {.code = EP_OK};
    TAKE("SS", &objects[0], &objects[1]);
    for (size_t i = 0; i < 2; i++) {
        texts[i] = (ep_bytes){PyBytes_AsString(objects[i]), (size_t)PyBytes_Size(objects[i])};
    }
    ep_constants *set = ep_constants_open(0, true, &error);
    bool same = set != NULL && same_taken(set, texts);
    bool ok = set != NULL && ep_constants_check(set, &error);
    ep_constants_close(set);
    return ok ? PyBool_FromLong(same) : raise_error(&error);
}

PyMethodDef COMPARE_METHODS[] = {
    {"constants_same", constants_same, METH_VARARGS, NULL},
    {"program_audit", audit, METH_VARARGS, NULL},
    {"program_diff", diff, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
