/*
 * digest.c - epref digest: the digest of the canonical form of each file's program; and
 * the check of such digests.
 */

#include <string.h>

#include "archive/state/contents.h"
#include "archive/state/program_digest.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/source.h"
#include "command.h"
#include "common/digest.h"

bool digest_program(const options *o, const ep_program *program, failure *what, digest *d) {
    ep_arena arena;
    arena_open(&arena, o->max_memory);
    bool ok = program_digest(program, &arena, o->limits.bytes, d, what);
    ep_arena_free(&arena);
    if (!ok && what->reason == NULL) {
        what->status = status_of_code(what->error.code);
    }
    return ok;
}

/* ----------------------------------------------------------- one file's digest */

/* Of the weights; or of all that diff compares (SPEC 8.6.5). The archive is open. */
static bool make_state(const options *o, source *s, bool whole, digest *d, failure *what) {
    tensors t = {.blamed = NULL};
    weights_of w = {.archive = &s->archive, .tensors = &t, .limit = o->limits.bytes};
    ep_decode_options decoding = source_decoding(o);
    bool ok = source_check_whole(s, o, what) && source_tensors(s, o, &t, what);
    if (ok &&
        !io_settle(&s->file,
                   whole ? contents_digest(&w, &decoding, d, what) : weights_digest(&w, d, what),
                   what)) {
        ok = false;
        source_blame(s, w.blamed, what);
    }
    tensors_free(&t);
    return ok;
}

/* A digest of state that is not whole would say nothing. What is hashed as a member is verified by
 * that, so the others are verified behind it; where something is wrong, all is done again in
 * the order of check, which says what. */
static bool digest_state(const options *o, source *s, bool whole, digest *d, failure *what) {
    size_t label = s->label.size;
    bool ok = archive_fits(&s->archive, o->limits.bytes) && make_state(o, s, whole, d, what) &&
              io_settle(&s->file, archive_verify_rest(&s->archive, what), what);
    if (!ok) {
        s->label.size = label;
        *what = (failure){.status = STATUS_DONE};
        ok = source_verify_all(s, o, what) && make_state(o, s, whole, d, what);
    }
    return ok;
}

/* Reads a file and tells of what is wrong with it. */
static status digest_of_program(const options *o, source *s, const char *path, digest *d) {
    ep_arena arena;
    const ep_program *program;
    failure what = {0};
    s->path = path;
    s->takes_compiled = true;
    status result =
        source_load(s, o, &arena, &program, "no digest: it would be of less than the file");
    bool made = result == STATUS_DONE &&
                (program != NULL ? digest_program(o, program, &what, d)
                                 : digest_state(o, s, true, d, &what)); /* a package has no other */
    if (result == STATUS_DONE && !made) {
        result = source_fail(s, o, &what);
    } else if (made && program != NULL && d->undecided) {
        diag_undecided(o, buffer_bytes(&s->label));
    }
    ep_arena_free(&arena);
    return result;
}

/* The archive is open already where its program was read. */
static bool open_state(const options *o, source *s, const char *path, digest_scheme scheme,
                       failure *what) {
    if (scheme == DIGEST_WEIGHTS) {
        archive_wish wish = {.model = o->model, .limit = o->limits.bytes};
        return source_open(s, o, path, what) && archive_find(&s->archive, wish, what);
    }
    return source_blame(s, (ep_bytes){"", 0}, what) && source_need_archive(s, what);
}

static status digest_of_file(const options *o, source *s, const char *path, digest_scheme scheme,
                             digest *d) {
    digest program;
    digest weights;
    failure what = {0};
    if (scheme == DIGEST_CONTENTS) {
        bool made = source_find(s, o, path, &what) && source_need_archive(s, &what) &&
                    digest_state(o, s, true, d, &what);
        return made ? STATUS_DONE : source_fail(s, o, &what);
    }
    if (scheme != DIGEST_WEIGHTS) {
        status result = digest_of_program(o, s, path, scheme == DIGEST_PROGRAM ? d : &program);
        if (scheme == DIGEST_PROGRAM || result != STATUS_DONE) {
            return result;
        }
        if (digest_scheme_of(&program) == DIGEST_CONTENTS) {
            *d = program;
            return result;
        }
    }
    bool ok = open_state(o, s, path, scheme, &what) &&
              digest_state(o, s, false, scheme == DIGEST_WEIGHTS ? d : &weights, &what);
    if (ok && scheme == DIGEST_ARCHIVE) {
        weights_digest_both(&program, &weights, d);
    }
    return ok ? STATUS_DONE : source_fail(s, o, &what);
}

static digest_scheme scheme_of(const options *o) {
    return o->all       ? DIGEST_CONTENTS
           : o->archive ? DIGEST_ARCHIVE
           : o->weights ? DIGEST_WEIGHTS
                        : DIGEST_PROGRAM;
}

static status put_digest(command_run *run, const char *path) {
    digest d;
    const options *o = run->o;
    source *s = &run->source;
    buffer *product = &run->product;
    status result = digest_of_file(o, s, path, scheme_of(o), &d);
    if (result != STATUS_DONE) {
        return result;
    }
    if (o->json) {
        json_put(product, json_make("file:t digest:s", buffer_bytes(&s->label), d.text));
    } else {
        digest_put_line(product, &d, path);
    }
    return STATUS_DONE;
}

/* ---------------------------------------------------------------------- lists */

/* A list that is being checked. */
typedef struct checking {
    const options *o;
    buffer *product;
    source file;
    buffer name;
    status result;
    bool stopped; /* nobody takes the product any more */
    size_t read;  /* lines with a digest */
    size_t other; /* ... which is not the file's */
    size_t unread;
    size_t malformed;
} checking;

static void put_verdict(checking *c, const digest *wanted, const digest *found) {
    bool ok = found != NULL && strcmp(wanted->text, found->text) == 0;
    buffer *product = c->product;
    if (c->o->status || (ok && c->o->quiet)) {
        return;
    }
    if (!c->o->json) {
        print(product, "%t%s", buffer_bytes(&c->name), ok ? ": OK\n" : ": FAILED\n");
        return;
    }
    json_put(product, json_make("file:t expected:s digest:s ok:b", buffer_bytes(&c->name),
                                wanted->text, found == NULL ? NULL : found->text, ok));
}

static void check_line(checking *c, ep_bytes line) {
    digest wanted;
    digest found;
    if (!digest_read_line(line, &wanted, &c->name)) {
        c->malformed++;
        return;
    }
    c->read++;
    const char *path = buffer_string(&c->name);
    if (c->name.failed) {
        c->product->failed = true;
        return;
    }
    status result = digest_of_file(c->o, &c->file, path, digest_scheme_of(&wanted), &found);
    bool other = result == STATUS_DONE && strcmp(wanted.text, found.text) != 0;
    put_verdict(c, &wanted, result == STATUS_DONE ? &found : NULL);
    c->unread += result != STATUS_DONE;
    c->other += other;
    c->result = status_worse(c->result, other ? STATUS_INVALID : result);
}

/* Line by line; empty ones and comments are passed over. */
static void check_lines(checking *c, ep_bytes list) {
    const char *end = list.data + list.size;
    for (const char *p = list.data; p < end && !c->stopped;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        ep_bytes line = {p, (size_t)((stop == NULL ? end : stop) - p)};
        p += line.size + 1;
        if (line.size > 0 && line.data[0] != '#') {
            check_line(c, line);
            c->stopped = !command_flush(c->o, c->product, &c->result);
        }
    }
}

static void put_count(buffer *b, size_t count, const char *one, const char *many) {
    print(b, count > 0 ? "epref: %i %s\n" : "", (int64_t)count, count == 1 ? one : many);
}

/* What did not go well, if anything. */
static void tell(const checking *c, ep_bytes list) {
    buffer b = {0};
    if (c->o->status || c->other + c->unread + c->malformed == 0) {
        return;
    }
    if (c->o->json) {
        json_put(&b, json_make("list:t read:n other:n unread:n malformed:n", list, c->read,
                               c->other, c->unread, c->malformed));
    } else {
        put_count(&b, c->malformed, "line is no digest of a file", "lines are no digests of files");
        put_count(&b, c->unread, "file has no digest", "files have no digest");
        put_count(&b, c->other, "digest does not match", "digests do not match");
    }
    diag_tell(c->o, &b);
}

static status check_list(command_run *run, const char *path) {
    failure what = {0};
    const options *o = run->o;
    source *s = &run->source;
    checking c = {.o = o, .product = &run->product};
    if (!source_read_text(s, o, path, &what)) {
        return source_fail(s, o, &what);
    }
    check_lines(&c, s->input);
    tell(&c, buffer_bytes(&s->label));
    if (c.read == 0) {
        what = (failure){.status = STATUS_INVALID, .reason = "no digest in it"};
        c.result = source_fail(s, o, &what);
    } else if (c.malformed > 0) {
        c.result = status_worse(c.result, STATUS_INVALID);
    }
    source_free(&c.file);
    buffer_free(&c.name);
    return c.result;
}

status cmd_digest(const options *o) {
    return command_each(o, o->check ? check_list : put_digest, NULL, NULL);
}
