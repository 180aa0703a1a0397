/*
 * command.c - what commands have in common: the files that they are asked about, and
 * their product's way out.
 */
#include "command.h"

#include "cli/diag.h"
#include "cli/filelist.h"
#include "cli/output.h"
#include "cli/workers.h"

status command_finish(const options *o, buffer *product, status before) {
    failure what = {0};
    status after = before;
    if (product->failed) {
        what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
        after = status_worse(before, diag_output(o, &what));
    } else if (!output_write(o->output, buffer_bytes(product), &what)) {
        after = status_worse(before, diag_output(o, &what));
    }
    buffer_free(product);
    return after;
}

bool command_flush(const options *o, buffer *product, status *result) {
    if (o->output != NULL || (product->size == 0 && !product->failed)) {
        return true;
    }
    status written = command_finish(o, product, STATUS_DONE);
    *result = status_worse(*result, written);
    return written == STATUS_DONE;
}

status command_make(const options *o, const char *lost, command_maker *make) {
    source s = {0};
    ep_arena arena;
    buffer product = {0};
    const ep_program *program;
    status result = source_load_whole(&s, o, &arena, &program, lost);
    if (result == STATUS_DONE) {
        result = make(o, &s, program, &product);
    }
    ep_arena_free(&arena);
    source_free(&s);
    if (result != STATUS_DONE) {
        buffer_free(&product);
        return result;
    }
    return command_finish(o, &product, result);
}

/* ------------------------------------------------------------------------ many files */

/* A command that is under way. */
typedef struct course {
    command_run run;
    command_file *file;
    filelist files;
    status result;
    bool stopped; /* nobody takes the product any more */
} course;

/* Nothing is known of it. Commands with a line for each file say so in that. */
static status do_lost(course *c, const char *path, const failure *why) {
    command_id command = c->run.o->command;
    bool reports = reports_all(c->run.o);
    if (command != COMMAND_INSPECT && command != COMMAND_CHECK && !reports) {
        return diag_fail(c->run.o, bytes_of(path), why);
    }
    source_name(&c->run.source, path);
    c->run.lost = why;
    status result = c->file(&c->run, path);
    c->run.lost = NULL;
    return result;
}

static status do_file(course *c, size_t i) {
    static const failure folder = {.status = STATUS_IO,
                                   .reason = "Is a directory; -r takes the files below it"};
    static const failure empty = {.status = STATUS_IO,
                                  .reason = "no file below the folder is called *.pt2"};
    const filelist_file *file = &c->files.files[i];
    c->run.name = file->name;
    return file->is_folder  ? do_lost(c, file->path, &folder)
           : file->is_empty ? do_lost(c, file->path, &empty)
                            : c->file(&c->run, file->path);
}

/* What the command put into a product, in this process or in another. */
static bool take_result(course *c, status result, buffer *product) {
    c->result = status_worse(c->result, result);
    c->stopped = !command_flush(c->run.o, product, &c->result);
    return !c->stopped;
}

static status work(void *context, size_t i, buffer *product) {
    course *c = context;
    buffer_clear(&c->run.product);
    status result = do_file(c, i);
    buffer_put(product, c->run.product.data, c->run.product.size);
    product->failed = product->failed || c->run.product.failed;
    return result;
}

/* What came of a file that another process had. */
static bool take(void *context, size_t i, status result, buffer *product, bool lost) {
    static const failure crash = {.status = STATUS_INTERNAL,
                                  .reason = "the process that read it ended: a bug in epref"};
    course *c = context;
    if (!lost) {
        return take_result(c, result, product);
    }
    result = do_lost(c, c->files.files[i].path, &crash);
    return take_result(c, result, &c->run.product);
}

/* More than a file each are of no use, and more than some hundred of nobody's. */
static size_t processes(const course *c) {
    enum { MOST = 256 };
    size_t wanted = c->run.o->jobs == 0 ? workers_processors() : c->run.o->jobs;
    wanted = wanted < c->files.count ? wanted : c->files.count;
    return wanted < MOST ? wanted : MOST;
}

static void do_all(course *c) {
    workers_job job = {c->files.count, work, take, c};
    size_t jobs = processes(c);
    size_t next = 0;
    if (jobs >= 2 && workers_run(&job, jobs, &next)) {
        return;
    }
    for (; next < c->files.count && !c->stopped; next++) {
        take_result(c, do_file(c, next), &c->run.product);
    }
}

status command_each(const options *o, command_file *file, command_end *end, void *context) {
    course c = {.run = {.o = o, .context = context}, .file = file};
    filelist_open(&c.files, o);
    if (c.files.failed) {
        c.run.product.failed = true;
    } else {
        do_all(&c);
    }
    if (end != NULL && !c.stopped) {
        end(&c.run);
    }
    filelist_free(&c.files);
    source_free(&c.run.source);
    bool whole = o->output == NULL ? !c.stopped : c.result == STATUS_DONE;
    if (whole && (o->output != NULL || c.run.product.size > 0 || c.run.product.failed)) {
        return command_finish(o, &c.run.product, c.result);
    }
    buffer_free(&c.run.product);
    return c.result;
}
