/*
 * filelist.c - see filelist.h. Folders wait on a stack, so that how deep they lie in each
 * other takes memory alone.
 */
#define _DEFAULT_SOURCE /* lstat */

#include "filelist.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/memory.h"
#include "common/names.h"
#include "print.h"

/* from: where the name begins in the path. */
static void push(filelist *f, const char *path, size_t from) {
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

/* A link to nothing is one: it is told when it is read. */
static bool is_archive(const char *path) {
    struct stat about;
    return bytes_end(bytes_of(path), ".pt2") && (stat(path, &about) != 0 || S_ISREG(about.st_mode));
}

/* At the end errno is 0. */
static struct dirent *next(DIR *folder) {
    errno = 0;
    return readdir(folder);
}

/* What is in a folder, in the order of the names; false: errno. */
static bool read_folder(const char *path, buffer *texts, name_list *entries) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    for (struct dirent *e = next(folder); e != NULL; e = next(folder)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
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
            push(stack, entry, 0);
        }
    }
    names_free(&entries);
    buffer_free(&whole);
    buffer_free(&texts);
    return read;
}

static void walk(filelist *f, const char *folder) {
    filelist stack = {0};
    size_t before = f->count;
    size_t from = strlen(folder) + !bytes_end(bytes_of(folder), "/");
    push(&stack, folder, 0);
    while (!stack.failed && stack.count > 0) {
        char *path = stack.files[--stack.count].path;
        bool is_first = stack.count == 0 && strcmp(path, folder) == 0;
        if (!is_folder(path, is_first) || !expand(&stack, path)) {
            push(f, path, is_first ? 0 : from);
        }
        memory_free(path);
    }
    f->failed = f->failed || stack.failed;
    filelist_free(&stack);
    bool is_empty = f->count == before && !f->failed;
    if (is_empty) {
        push(f, folder, 0);
    }
    if (f->count > before && !f->failed) {
        f->files[before].is_empty = is_empty;
    }
}

void filelist_open(filelist *f, const options *o) {
    *f = (filelist){0};
    if (o->operand_count == 0) {
        push(f, "-", 0);
    }
    for (size_t i = 0; i < o->operand_count; i++) {
        const char *path = o->operands[i];
        const char *slash = strrchr(path, '/');
        bool folder = is_folder(path, true);
        if (o->recursive && folder) {
            walk(f, path);
        } else {
            push(f, path, slash == NULL ? 0 : (size_t)(slash + 1 - path));
        }
        if (folder && !o->recursive && !f->failed) {
            f->files[f->count - 1].is_folder = true;
        }
    }
}

void filelist_free(filelist *f) {
    for (size_t i = 0; i < f->count; i++) {
        memory_free(f->files[i].path);
    }
    memory_free(f->files);
    *f = (filelist){.failed = f->failed};
}
