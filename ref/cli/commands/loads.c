/*
 * loads.c - epref loads: whether a release of PyTorch loads a file, and if not, why. The file is
 * judged as check judges it, but for the bytes of the weights; of one that is not valid nothing is
 * known, since PyTorch takes much that is wrong.
 */
#include <string.h>

#include "cli/diag.h"
#include "cli/print.h"
#include "cli/style.h"
#include "command.h"
#include "readers.h"
#include "verdict.h"

/* What is found out of the file at hand. */
typedef struct answer {
    reader_id reader;
    reader_refusal why;
    bool failed; /* for want of memory */
} answer;

/* A reason that the program has comes before a member that the flat layout lacks. */
static void judge_layout(const verdict *v, answer *a, bool flat) {
    const archive *z = &v->s->archive;
    if (source_is_archive(v->s) && (z->root.size == 0) == flat && a->why.clause == NULL) {
        reader_judge_archive(a->reader, z, &a->why);
    }
}

static void take_program(verdict *v, const ep_program *program, ep_arena *arena) {
    answer *a = v->context;
    judge_layout(v, a, false);
    if (a->why.clause == NULL && v->what.error.code == EP_OK) {
        a->failed = !reader_judge_program(a->reader, program, arena, &a->why) || a->failed;
    }
    judge_layout(v, a, true);
}

/* "model.pt2: does not load in 2.8: it has no operator ... [SPEC 5.6.1] at /pointer" */
static void put_line(const verdict *v, const answer *a, ep_bytes file, buffer *b) {
    const char *release = reader_release(a->reader);
    bool color = style_on_output(v->o);
    if (v->what.status != STATUS_DONE) {
        diag_put_place(b, file, &v->what);
        print(b, "%z%s%Z: ", color, STYLE_ERROR, "not judged");
        diag_put_failure(b, &v->what);
    } else if (a->why.clause == NULL) {
        print(b, "%t: %z%s%Z in %s", file, color, STYLE_TYPE, "loads", release);
    } else {
        print(b, "%t: %z%s%Z in %s: %r [%s]", file, color, STYLE_ERROR, "does not load", release,
              a->why.message.data, a->why.message.size, a->why.clause);
        place_put_pointer(b, &a->why.place);
    }
    buffer_byte(b, '\n');
}

static void put_object(const verdict *v, const answer *a, ep_bytes file, buffer *b) {
    bool judged = v->what.status == STATUS_DONE;
    bool loads = a->why.clause == NULL;
    json *object =
        json_make("file:t release:s loads:j reason:j clause:s", file, reader_release(a->reader),
                  judged ? json_bool(loads) : json_null(),
                  judged && !loads ? json_text(buffer_bytes(&a->why.message)) : json_null(),
                  judged ? a->why.clause : NULL);
    place_add(object, judged && !loads ? &a->why.place : NULL);
    json_members(object, "error:j", judged ? json_null() : diag_record(file, "error", &v->what));
    json_put(b, object);
}

static status loads_file(command_run *run, const char *path) {
    options o = *run->o;
    answer a = {.reader = o.in};
    verdict v = {.o = &o, .s = &run->source, .decoded = take_program, .context = &a};
    ep_bytes file = bytes_of(strcmp(path, "-") == 0 ? "<stdin>" : path);
    o.no_data = true;
    verdict_reach(&v, path, run->lost);
    if (v.what.status == STATUS_DONE && source_is_compiled(v.s)) {
        a.why.clause = "SPEC 8.9";
        buffer_text(&a.why.message, "it has no program");
    }
    if (o.json) {
        put_object(&v, &a, file, &run->product);
    } else {
        put_line(&v, &a, file, &run->product);
    }
    run->product.failed = run->product.failed || a.failed || a.why.message.failed;
    buffer_free(&a.why.message);
    return v.what.status != STATUS_DONE ? v.what.status
           : a.why.clause != NULL       ? STATUS_INVALID
                                        : STATUS_DONE;
}

status cmd_loads(const options *o) {
    return command_each(o, loads_file, NULL, NULL);
}
