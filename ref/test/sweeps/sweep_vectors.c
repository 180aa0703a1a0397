/*
 * sweep_vectors.c - want of memory over the conformance vectors, which have
 * every feature of every version: each call that a command of epref makes
 * (calls.h) is made with one allocation of the arena refused, and with all
 * after it refused too. No allocation hides in a block that has room to spare
 * (test_heap.apart). Each file is taken as it is and with escapes in its
 * strings. usage:
 *
 *     sweep_vectors TRIES [--every=N] [--seed=S] [--only=CALL] FOLDER|FILE...
 *
 * One file in N is drawn, by the seed; without --every all are taken. With --only, no
 * other call is made. A folder has files *.json, or folders
 * of programs, as that of a release of the golden corpus has.
 * TRIES of the allocations of each call are refused in turn, other ones from
 * file to file; with 0, all of them. Each try fails with EP_MEMORY, or gives what
 * the call gives with all the memory there is; nothing leaks.
 */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"
#include "check.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A file that is decoded, in memory that is never refused. */
typedef struct source {
    char *path;
    test_text text;
    test_heap heap;
    ep_arena arena;
    const ep_program *program; /* NULL: it is refused */
} source;

typedef struct subject {
    const char *path;
    call_input input;
    call_id id;
    call_result whole; /* with all the memory there is */
    size_t calls;      /* of the allocator, then */
} subject;

typedef struct plan {
    size_t tries;
    size_t files;
    size_t calls;
    size_t refusals;
    size_t unfit; /* calls that cannot do without room to spare */
    uint64_t draws;
    size_t every;     /* one file in so many */
    const char *only; /* the name of a call; NULL: all of them */
} plan;

/* --------------------------------------------------------------------- one call */

static size_t make(const subject *s, size_t n, bool all, call_result *r) {
    ep_arena arena;
    test_heap heap = {.fail_at = n, .fail_on = all, .apart = &arena};
    test_arena(&arena, &heap, 0);
    call_run(s->id, &s->input, &arena, r);
    bool good = CHECK(call_error_is_whole(&s->input, r));
    ep_arena_free(&arena);
    if (!CHECK(heap.bytes == 0 && heap.blocks == 0) || !good) {
        fprintf(stderr, "    %s: %s, call %zu\n", s->path, call_name(s->id), n);
    }
    return heap.calls;
}

static bool same(const call_result *a, const call_result *b) {
    return a->ok == b->ok && a->sum == b->sum && a->written == b->written &&
           a->error.code == b->error.code && a->error.offset == b->error.offset &&
           strcmp(a->error.pointer, b->error.pointer) == 0;
}

static void refuse(const subject *s, size_t n, bool all) {
    call_result r;
    make(s, n, all, &r);
    bool memory = r.error.code == EP_MEMORY && !r.ok;
    if (!CHECK(memory || (!all && same(&r, &s->whole)))) {
        fprintf(stderr, "    %s: %s, %s %zu of %zu: %s at %s\n", s->path, call_name(s->id),
                all ? "all from" : "only", n, s->calls, ep_code_name(r.error.code),
                r.error.pointer);
    }
}

/* Every step-th allocation, from another one in each file. */
static void sweep(plan *p, subject *s, call_id id) {
    s->id = id;
    s->calls = make(s, 0, false, &s->whole);
    if (s->whole.error.code == EP_MEMORY) {
        p->unfit++;
        return;
    }
    p->calls++;
    size_t step = p->tries == 0 || s->calls < p->tries ? 1 : s->calls / p->tries;
    for (size_t n = 1 + p->files * 7 % step; n <= s->calls; n += step) {
        refuse(s, n, n % 2 == 0);
        p->refusals++;
    }
}

/* ----------------------------------------------------------------------- a file */

/* The same document, the first letter of each string as an escape: who wants such
 * a string needs memory for it. */
static void escape(test_text *text) {
    test_text made = {0};
    bool inside = false;
    for (size_t i = 0; i < text->size; i++) {
        char c = text->data[i];
        char hex[8];
        bool first = inside && text->data[i - 1] == '"';
        if (c == '"') {
            inside = !inside;
        }
        if (inside && c == '\\') {
            test_add(&made, text->data + i, i + 1 < text->size ? 2 : 1);
            i++;
        } else if (first && inside && c >= ' ' && c < 0x7F) {
            snprintf(hex, sizeof hex, "\\u%04x", (unsigned)c);
            test_add_str(&made, hex);
        } else {
            test_add(&made, &c, 1);
        }
    }
    test_text_free(text);
    *text = made;
}

static bool open_source(source *s, bool escaped) {
    ep_decode_options options = ep_decode_options_default();
    test_arena(&s->arena, &s->heap, 0);
    if (!test_read_file(s->path, &s->text)) {
        return false;
    }
    if (escaped) {
        escape(&s->text);
    }
    options.limits.depth = 1000;
    ep_decode(&s->arena, test_text_exact(&s->text), &options, &s->program, NULL);
    return true;
}

static void close_source(source *s) {
    ep_arena_free(&s->arena);
    test_text_free(&s->text);
    s->program = NULL;
}

/* Up, down, and to versions in between, by turns. */
static const ep_version *target(size_t n) {
    static const char *const ends[] = {"8.20", "1"};
    return n % 2 == 0 ? ep_version_find(ends[n / 2 % 2])
                      : ep_version_at(n / 2 % test_version_count());
}

static void sweep_file(plan *p, const source *now, const source *before) {
    subject s = {.path = now->path};
    s.input = (call_input){.text = {now->text.data, now->text.size},
                           .program = now->program,
                           .other = before->program,
                           .other_text = {before->text.data, before->text.size}};
    for (int i = 0; i < CALLS; i++) {
        call_id id = (call_id)i;
        bool wanted = p->only == NULL || strcmp(p->only, call_name(id)) == 0;
        bool possible = wanted && (!call_needs_program(id) || now->program != NULL);
        s.input.to = target(p->files + (id == CALL_SCHEMA));
        if (possible && id == CALL_MIGRATE) {
            sweep(p, &s, id);
            s.input.to = target(p->files + 1);
        }
        if (possible && (id != CALL_DIFF || before->program != NULL)) {
            sweep(p, &s, id);
        }
    }
    p->files++;
}

/* ---------------------------------------------------------------------- folders */

static int compare(const void *a, const void *b) {
    char *const *x = a;
    char *const *y = b;
    return strcmp(*x, *y);
}

typedef struct paths {
    char **items;
    size_t n;
} paths;

static bool is_file(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".json") == 0;
}

static void add_path(paths *all, const char *folder, const char *name) {
    test_text path = {0};
    if (!is_file(name)) {
        return;
    }
    test_add_str(&path, folder);
    test_add_str(&path, folder[0] == '\0' ? "" : "/");
    test_add_str(&path, name);
    test_add(&path, "", 1);
    char **items = realloc(all->items, (all->n + 1) * sizeof *items);
    if (items == NULL) {
        fputs("the test is out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    all->items = items;
    all->items[all->n++] = path.data;
}

static void list(paths *all, const char *folder) {
    DIR *opened = opendir(folder);
    if (!CHECK_NOTE(opened != NULL, folder)) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        char program[512];
        struct stat there;
        snprintf(program, sizeof program, "%s/%s/program.json", folder, entry->d_name);
        bool golden = entry->d_name[0] != '.' && stat(program, &there) == 0;
        add_path(all, golden ? "" : folder, golden ? program : entry->d_name);
    }
    closedir(opened);
}

/* Leaves one path in so many, at places that are drawn. */
static void draw_some(plan *p, paths *all) {
    size_t kept = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (p->every > 1 && test_draw_below(&p->draws, p->every) != 0) {
            free(all->items[i]);
        } else {
            all->items[kept++] = all->items[i];
        }
    }
    printf("%zu of %zu files\n", kept, all->n);
    all->n = kept;
}

/* Two files at a time: each is compared with the one before it. Of each there is
 * one as it is, and one with escapes. */
static void sweep_all(plan *p, const paths *all) {
    enum { LARGEST = 1 << 16 };
    source sources[2] = {{.program = NULL}, {.program = NULL}};
    for (size_t i = 0; i < 2 * all->n; i++) {
        source *now = &sources[i % 2];
        close_source(now);
        *now = (source){.path = all->items[i / 2]};
        if (CHECK_NOTE(open_source(now, i / 2 % 2 != i % 2), now->path) &&
            now->text.size <= LARGEST) {
            sweep_file(p, now, &sources[(i + 1) % 2]);
        }
    }
    close_source(&sources[0]);
    close_source(&sources[1]);
}

static bool take_option(plan *p, const char *option) {
    if (strncmp(option, "--only=", 7) == 0) {
        p->only = option + 7;
    } else if (strncmp(option, "--every=", 8) == 0) {
        p->every = strtoul(option + 8, NULL, 10);
    } else if (strncmp(option, "--seed=", 7) == 0) {
        p->draws = strtoul(option + 7, NULL, 10);
    }
    return strncmp(option, "--", 2) == 0;
}

int main(int argc, char **argv) {
    paths all = {0};
    plan p = {0};
    if (argc < 3) {
        fputs("usage: sweep_vectors TRIES [--every=N] [--seed=S] [--only=CALL] FOLDER|FILE...\n",
              stderr);
        return 2;
    }
    p.tries = strtoul(argv[1], NULL, 10);
    for (int i = 2; i < argc; i++) {
        if (take_option(&p, argv[i])) {
            continue;
        }
        if (is_file(argv[i])) {
            add_path(&all, "", argv[i]);
        } else {
            list(&all, argv[i]);
        }
    }
    if (all.n > 0) {
        qsort(all.items, all.n, sizeof *all.items, compare);
    }
    draw_some(&p, &all);
    sweep_all(&p, &all);
    CHECK(p.refusals > 100);
    /* by chance one may ask for what a block to spare would be */
    CHECK(p.unfit <= 1 + p.calls / 100);
    printf("%zu files, %zu calls, %zu refusals, %zu calls left out\n", p.files, p.calls, p.refusals,
           p.unfit);
    for (size_t i = 0; i < all.n; i++) {
        free(all.items[i]);
    }
    free(all.items);
    return check_report();
}
