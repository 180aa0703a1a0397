/*
 * command.c - what commands have in common: the files that they are asked about, and
 * their product's way out.
 */
#define _DEFAULT_SOURCE /* lstat */

#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "cli/workers.h"
#include "common/memory.h"
#include "common/names.h"

/* ------------------------------------------------- the files that a command is about */

typedef struct filelist_file {
    char *path;
    const char *name; /* in the path: what is behind the folder that was given, or the last part */
    const failure *lost; /* why it is not read; or NULL */
} filelist_file;

typedef struct filelist {
    filelist_file *files;
    size_t count;
    size_t capacity;
    bool failed; /* for want of memory; sticks */
} filelist;

/* from: where the name begins in the path. */
static void push_file(filelist *f, const char *path, size_t from) {
    size_t size = strlen(path) + 1;
    bool room = !f->failed && memory_room(&f->files, f->count, &f->capacity, sizeof *f->files);
    char *copy = room ? memory_resize(NULL, size) : NULL;
    if (copy == NULL) {
        f->failed = true;
        return;
    }
    memcpy(copy, path, size);
    f->files[f->count++] = (filelist_file){.path = copy, .name = copy + from};
}

/* Whether a path is that of a folder, which a link to one is only where it was asked for. */
static bool is_folder(const char *path, bool through_links) {
    struct stat about;
    int failed = through_links ? stat(path, &about) : lstat(path, &about);
    return failed == 0 && S_ISDIR(about.st_mode);
}

/* A link to nothing is one: it is reported when it is read. */
static bool is_archive(const char *path) {
    struct stat about;
    return bytes_end(bytes_of(path), ".pt2") && (stat(path, &about) != 0 || S_ISREG(about.st_mode));
}

/* At the end errno is 0. */
static struct dirent *next_entry(DIR *folder) {
    errno = 0;
    return readdir(folder);
}

/* Whether a folder says, without a question for each file, that this one is not looked at. */
static bool is_other(const struct dirent *entry) {
#ifdef DT_REG
    if (entry->d_type == DT_REG) {
        return !bytes_end(bytes_of(entry->d_name), ".pt2");
    }
#endif
    return strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
}

/* What is in a folder, in the order of the names; false: errno. */
static bool read_folder(const char *path, buffer *texts, name_list *entries) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    for (struct dirent *e = next_entry(folder); e != NULL; e = next_entry(folder)) {
        if (!is_other(e)) {
            names_add(entries, (name_item){.count = texts->size, .bytes = strlen(e->d_name)});
            buffer_put(texts, e->d_name, strlen(e->d_name) + 1);
        }
    }
    int reason = errno;
    closedir(folder);
    for (size_t i = 0; !texts->failed && i < entries->count; i++) {
        name_item *item = &entries->items[i]; /* the texts do not move any more */
        item->name = (ep_bytes){texts->data + item->count, (size_t)item->bytes};
    }
    if (!texts->failed) {
        names_sort(entries);
    }
    errno = reason;
    return reason == 0;
}

/* Puts what is to be looked at of a folder onto the stack, the first on top. */
static bool expand(filelist *stack, const char *path) {
    buffer texts = {0};
    buffer whole = {0};
    name_list entries = {0};
    bool read = read_folder(path, &texts, &entries);
    stack->failed = stack->failed || texts.failed || entries.failed || (!read && errno == ENOMEM);
    for (size_t i = entries.count; !stack->failed && i-- > 0;) {
        buffer_clear(&whole);
        print(&whole, "%s%s%r", path, bytes_end(bytes_of(path), "/") ? "" : "/",
              entries.items[i].name.data, entries.items[i].name.size);
        const char *entry = buffer_string(&whole);
        stack->failed = stack->failed || whole.failed;
        if (is_folder(entry, false) || is_archive(entry)) {
            push_file(stack, entry, 0);
        }
    }
    names_free(&entries);
    buffer_free(&whole);
    buffer_free(&texts);
    return read;
}

static void filelist_free(filelist *f) {
    for (size_t i = 0; i < f->count; i++) {
        memory_free(f->files[i].path);
    }
    memory_free(f->files);
    *f = (filelist){.failed = f->failed};
}

static const failure unread = {.status = STATUS_IO,
                               .reason = "Is a directory; -r takes the files below it"};
static const failure empty = {.status = STATUS_IO,
                              .reason = "no file below the folder is called *.pt2"};

static void push_lost(filelist *f, const char *path, size_t from, const failure *why) {
    push_file(f, path, from);
    if (!f->failed) {
        f->files[f->count - 1].lost = why;
    }
}

static void walk_folder(filelist *f, const char *folder) {
    filelist stack = {0};
    size_t before = f->count;
    size_t from = strlen(folder) + !bytes_end(bytes_of(folder), "/");
    push_file(&stack, folder, 0);
    while (!stack.failed && stack.count > 0) {
        char *path = stack.files[--stack.count].path;
        bool is_first = stack.count == 0 && strcmp(path, folder) == 0;
        if (!is_folder(path, is_first) || !expand(&stack, path)) {
            push_file(f, path, is_first ? 0 : from);
        }
        memory_free(path);
    }
    f->failed = f->failed || stack.failed;
    filelist_free(&stack);
    if (f->count == before) {
        push_lost(f, folder, 0, &empty);
    }
}

/*
 * The operands, or "-" for standard input where there are none. With --recursive each
 * folder among them becomes the files below it whose names end in .pt2, in the order of
 * their names: links to files too, but of links to folders nothing. A folder that cannot be
 * read, or has none, stands for itself. Linear in what is there, times the
 * logarithm of the largest folder. filelist_free frees it in any case.
 */
static void filelist_open(filelist *f, const options *o) {
    *f = (filelist){0};
    if (o->operand_count == 0) {
        push_file(f, "-", 0);
    }
    for (size_t i = 0; i < o->operand_count; i++) {
        const char *path = o->operands[i];
        const char *slash = strrchr(path, '/');
        bool folder = is_folder(path, true);
        if (o->recursive && folder) {
            walk_folder(f, path);
        } else {
            push_lost(f, path, slash == NULL ? 0 : (size_t)(slash + 1 - path),
                      folder ? &unread : NULL);
        }
    }
}

status command_finish(const options *o, buffer *product, status before) {
    failure what = {.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
    bool ok = !product->failed && output_write(o->output, buffer_bytes(product), &what);
    status after = ok ? before : status_worse(before, diag_output(o, &what));
    buffer_free(product);
    return after;
}

bool command_flush(const options *o, buffer *product, status *result) {
    if (o->output != NULL || o->messages != NULL || (product->size == 0 && !product->failed)) {
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
    status result = source_load(&s, o, &arena, &program, lost);
    if (result == STATUS_DONE) {
        result = make(o, &s, program, &arena, &product);
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
    const options *o;
    command_run run;
    command_file *file;
    filelist files;
    options own;     /* of a command in several processes, whose messages are kept */
    buffer messages; /* those about the file at hand */
    status result;
    bool stopped; /* nobody takes the product any more */
} course;

/* Nothing is known of it. Commands with a line for each file say so in that. */
static status do_lost(course *c, const char *path, const failure *why) {
    command_id command = c->run.o->command;
    bool reports = reports_all(c->run.o);
    if (command != COMMAND_INSPECT && command != COMMAND_CHECK && command != COMMAND_LOADS &&
        !reports) {
        return diag_fail(c->run.o, bytes_of(path), why);
    }
    source_name(&c->run.source, path);
    c->run.lost = why;
    status result = c->file(&c->run, path);
    c->run.lost = NULL;
    return result;
}

static status do_file(course *c, size_t i) {
    const filelist_file *file = &c->files.files[i];
    c->run.name = file->name;
    c->run.summed = 0;
    return file->lost != NULL ? do_lost(c, file->path, file->lost) : c->file(&c->run, file->path);
}

/* What came of a file, in this process or in another. */
static bool take_result(course *c, size_t i, status result) {
    command_sum *all = &c->run.all;
    if (c->run.summed > 0) {
        all->count += c->run.summed;
        all->files++;
        all->path = c->files.files[i].path;
    }
    if (c->messages.size > 0) {
        terminal_tell(buffer_bytes(&c->messages));
        buffer_clear(&c->messages);
    }
    c->run.product.failed = c->run.product.failed || c->messages.failed;
    c->result = status_worse(c->result, result);
    c->stopped = !command_flush(c->o, &c->run.product, &c->result);
    return !c->stopped;
}

/* What stands before the messages and the product that come of a file in another process, if
 * anything does. */
typedef struct shares {
    size_t summed;
    size_t messages;
} shares;

static void put_all(buffer *to, const buffer *from) {
    buffer_put(to, from->data, from->size);
    to->failed = to->failed || from->failed;
}

static status work(void *context, size_t i, buffer *product) {
    course *c = context;
    buffer_clear(&c->run.product);
    buffer_clear(&c->messages);
    status result = do_file(c, i);
    shares s = {c->run.summed, c->messages.size};
    if (s.summed > 0 || s.messages > 0 || c->run.product.size > 0) {
        buffer_put(product, (const char *)&s, sizeof s);
    }
    put_all(product, &c->messages);
    put_all(product, &c->run.product);
    return result;
}

static void take_shares(course *c, const buffer *product) {
    shares s = {0};
    c->run.product.failed = c->run.product.failed || product->failed;
    if (product->size >= sizeof s) {
        memcpy(&s, product->data, sizeof s);
        const char *messages = product->data + sizeof s;
        buffer_put(&c->messages, messages, s.messages);
        buffer_put(&c->run.product, messages + s.messages, product->size - sizeof s - s.messages);
    }
    c->run.summed = s.summed;
}

/* What came of a file that another process had. */
static bool take(void *context, size_t i, status result, buffer *product, bool lost) {
    static const failure crash = {.status = STATUS_INTERNAL,
                                  .reason = "the process that read it ended: a bug in epref"};
    course *c = context;
    if (lost) {
        result = do_lost(c, c->files.files[i].path, &crash);
    } else {
        take_shares(c, product);
    }
    return take_result(c, i, result);
}

/* More than a file each are of no use, and more than some hundred of nobody's. A document about
 * all files is made in this process. */
static size_t processes(const course *c) {
    enum { MOST = 256 };
    if (c->run.context != NULL) {
        return 1;
    }
    size_t wanted = c->run.o->jobs == 0 ? workers_processors() : c->run.o->jobs;
    wanted = wanted < c->files.count ? wanted : c->files.count;
    return wanted < MOST ? wanted : MOST;
}

static void do_all(course *c) {
    workers_job job = {c->files.count, work, take, c};
    size_t jobs = processes(c);
    size_t next = 0;
    if (jobs >= 2) {
        c->own = *c->o;
        c->own.messages = &c->messages;
        c->run.o = &c->own;
        if (workers_run(&job, jobs, &next)) {
            return;
        }
    }
    for (; next < c->files.count && !c->stopped; next++) {
        take_result(c, next, do_file(c, next));
    }
}

status command_each(const options *o, command_file *file, command_end *end, void *context) {
    return command_each_below(o, "", file, end, context);
}

status command_each_below(const options *o, const char *header, command_file *file,
                          command_end *end, void *context) {
    course c = {.o = o, .run = {.o = o, .context = context}, .file = file};
    buffer_text(&c.run.product, header);
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
    buffer_free(&c.messages);
    source_free(&c.run.source);
    bool whole = o->output == NULL ? !c.stopped : c.result == STATUS_DONE;
    if (whole && (o->output != NULL || c.run.product.size > 0 || c.run.product.failed)) {
        return command_finish(o, &c.run.product, c.result);
    }
    buffer_free(&c.run.product);
    return c.result;
}
