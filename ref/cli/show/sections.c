/*
 * sections.c - see sections.h. The decoded tree does not know where values end,
 * so the text is gone over once more, brackets and strings only.
 */
#include "sections.h"

#include "cli/print.h"
#include "common/safe.h"

typedef struct scanner {
    sections *found;
    ep_bytes file;
    size_t at;
    size_t depth;                  /* brackets that are open */
    size_t divided;                /* of these, the outermost that are divided */
    bool key_next;                 /* in the innermost divided object */
    ep_bytes path[SECTION_LEVELS]; /* keys of the divided objects */
    section *current;              /* NULL: none */
} scanner;

static ep_bytes take_string(scanner *s) {
    const char *data = s->file.data;
    size_t start = ++s->at;
    while (s->at < s->file.size && data[s->at] != '"') {
        s->at += data[s->at] == '\\' ? 2 : 1;
    }
    size_t end = s->at < s->file.size ? s->at : s->file.size;
    s->at = end + 1;
    return (ep_bytes){data + start, end - start};
}

/* A section for the members named by the path so far. */
static section *begin_section(scanner *s) {
    if (s->found->count == SECTIONS_MAX) {
        return NULL;
    }
    section *begun = &s->found->items[s->found->count++];
    *begun = (section){.levels = s->divided};
    for (size_t i = 0; i < s->divided; i++) {
        begun->path[i] = s->path[i];
    }
    return begun;
}

/* Whether the object that opens is divided: the program, its graph module, the
 * graph of that. */
static bool is_divided(const scanner *s) {
    static const char *const keys[] = {"graph_module", "graph"};
    size_t level = s->divided;
    bool direct = s->depth == level && level < SECTION_LEVELS;
    return direct && (level == 0 || bytes_equal(s->path[level - 1], keys[level - 1]));
}

static void open_bracket(scanner *s, char bracket) {
    if (bracket == '{' && is_divided(s)) {
        if (s->current != NULL) { /* it is divided further instead */
            s->found->other += s->current->bytes;
            s->found->count--;
            s->current = NULL;
        }
        s->divided++;
        s->key_next = true;
    }
    s->depth++;
}

static void close_bracket(scanner *s) {
    if (s->depth == s->divided && s->divided > 0) {
        s->divided--;
        s->current = NULL;
    }
    s->depth -= s->depth > 0;
}

/* Moves past one token. */
static void step(scanner *s) {
    char c = s->file.data[s->at];
    bool direct = s->depth == s->divided;
    if (c == '"') {
        ep_bytes string = take_string(s);
        if (direct && s->key_next) {
            s->path[s->divided - 1] = string;
            s->current = begin_section(s);
            s->key_next = false;
        }
        return;
    }
    if (c == '{' || c == '[') {
        open_bracket(s, c);
    } else if (c == '}' || c == ']') {
        close_bracket(s);
    } else if (c == ',' && direct) {
        s->key_next = true;
    }
    s->at++;
}

void sections_find(sections *found, ep_bytes file) {
    scanner s = {.found = found, .file = file};
    *found = (sections){.count = 0};
    while (s.at < file.size) {
        size_t start = s.at;
        step(&s);
        size_t end = s.at < file.size ? s.at : file.size;
        *(s.current != NULL ? &s.current->bytes : &found->other) += end - start;
    }
}

void section_put_name(buffer *b, const section *s) {
    for (size_t i = 0; i < s->levels; i++) {
        print(b, "%s%t", i > 0 ? "/" : "", s->path[i]);
    }
}
