/*
 * join.c - epref join: the archive that epref strip took apart.
 */
#include "archive/make/joining.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/source.h"
#include "command.h"

/* An archive that is put together of two. */
typedef struct parts {
    const options *o;
    source stripped;
    source weights;
    joining plan;
} parts;

/* Neither of the two may have changed since it was opened. */
static bool settle(const parts *p, bool ok, failure *what) {
    ok = io_settle(&p->stripped.file, ok, what);
    return io_settle(&p->weights.file, ok, what);
}

static bool give(void *context, output_put *put, void *sink, failure *what) {
    parts *p = context;
    return settle(p, zipwrite_all(&p->plan.zip, put, sink, what), what);
}

/* At a member of one of the two, and where it is the list, at a line. */
static status fail(parts *p, failure *what) {
    source *s = p->plan.is_of_weights ? &p->weights : &p->stripped;
    failure memory;
    if (!source_blame(s, buffer_bytes(&p->plan.blamed), &memory)) {
        *what = memory;
    } else if (p->plan.line > 0) {
        print(&s->label, ":%i", (int64_t)p->plan.line);
    }
    return source_fail(s, p->o, what);
}

static status join(parts *p) {
    const options *o = p->o;
    failure what = {0};
    if (!source_open(&p->stripped, o, o->operands[0], &what)) {
        return source_fail(&p->stripped, o, &what);
    }
    if (!source_find_zip(&p->weights, o, o->operands[1], true, &what) ||
        !source_need_archive(&p->weights, &what)) {
        return source_fail(&p->weights, o, &what);
    }
    bool ok = joining_plan(&p->stripped.archive, &p->weights.archive.zip, o->limits.bytes, &p->plan,
                           &what);
    if (!settle(p, ok, &what)) {
        return fail(p, &what);
    }
    return output_write_made(o->output, give, p, &what) ? STATUS_DONE : diag_output(o, &what);
}

status cmd_join(const options *o) {
    parts p = {.o = o};
    status result = join(&p);
    joining_free(&p.plan);
    source_free(&p.stripped);
    source_free(&p.weights);
    return result;
}
