/*
 * strip.c - epref strip: an archive without the bytes of its tensors, which go to a file of
 * their own.
 */
#include "archive/make/stripping.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/source.h"
#include "command.h"
#include "common/macros.h"

#include <string.h>

/* The two products on their way. */
typedef struct products {
    const options *o;
    source s;
    stripping plan;
    bool weights_failed;
} products;

static bool write_one(products *p, zipwrite *zip, zipfile_take *put, void *sink, failure *what) {
    return io_settle(&p->s.file, zipwrite_all(zip, put, sink, what), what);
}

static bool give_weights(void *context, output_put *put, void *sink, failure *what) {
    products *p = context;
    return write_one(p, &p->plan.weights, put, sink, what);
}

/* The weights are written whole before the archive without them takes its place: where one
 * of the two fails, that is not there. */
static bool give_rest(void *context, output_put *put, void *sink, failure *what) {
    products *p = context;
    TRY(write_one(p, &p->plan.rest, put, sink, what));
    p->weights_failed =
        p->o->weights_to != NULL && !output_write_made(p->o->weights_to, give_weights, p, what);
    return !p->weights_failed;
}

static status write_both(products *p) {
    failure what = {0};
    if (output_write_made(p->o->output, give_rest, p, &what)) {
        return STATUS_DONE;
    }
    return p->weights_failed ? diag_fail(p->o, bytes_of(p->o->weights_to), &what)
                             : diag_output(p->o, &what);
}

static bool plan(products *p, failure *what) {
    const options *o = p->o;
    TRY(source_open(&p->s, o, o->path, what));
    bool ok = stripping_plan(&p->s.archive, o->limits.bytes, &p->plan, what);
    failure memory;
    if (!io_settle(&p->s.file, ok, what) && p->plan.blamed.size > 0 &&
        !source_blame(&p->s, p->plan.blamed, &memory)) {
        *what = memory;
    }
    return what->status == STATUS_DONE;
}

status cmd_strip(const options *o) {
    products p = {.o = o};
    failure what = {0};
    if (o->weights_to != NULL && o->output != NULL && strcmp(o->weights_to, o->output) == 0) {
        what = (failure){.status = STATUS_USAGE,
                         .reason = "--weights-to and --output: they cannot be one file"};
        return diag_fail(o, bytes_of("epref"), &what);
    }
    status result = plan(&p, &what) ? write_both(&p) : source_fail(&p.s, o, &what);
    stripping_free(&p.plan);
    source_free(&p.s);
    return result;
}
