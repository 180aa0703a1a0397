/*
 * families.c - see families.h: programs by the rows of families.def, and two whose names are
 * searched for.
 */
#include "families.h"

#include "base/map.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- templates */

/* Marks of a template. A piece n times, with commas or without; as often as levels say; in
 * these the number of the innermost n, and of the level, from 1; the name of the node before;
 * the last node, and the end of the list; a digit that is another one in the other program. */
#define EACH(piece) "\1" piece "\2"
#define TIMES(piece) "\3" piece "\2"
#define DEEP(piece) "\4" piece "\2"
#define NUMBER "\5"
#define LEVEL "\6"
#define BEFORE "\7"
#define LAST "\16"
#define OTHER "\17"

typedef struct filling {
    size_t n;
    size_t levels;
    bool other;
    size_t number;
    size_t level;
} filling;

/* Where the piece ends that begins at a mark. */
static const char *piece_end(const char *p) {
    size_t depth = 0;
    do {
        depth += *p == '\1' || *p == '\3' || *p == '\4';
        depth -= *p == '\2';
        p++;
    } while (depth > 0);
    return p - 1;
}

static void fill(test_text *text, const char *p, const char *end, const filling *f);

static void repeat(test_text *text, const char *p, const filling *f) {
    filling inner = *f;
    size_t times = *p == '\4' ? f->levels : f->n;
    for (size_t i = 0; i < times; i++) {
        inner.number = *p == '\4' ? f->number : i;
        inner.level = i + 1;
        test_add_str(text, i > 0 && *p == '\1' ? ", " : "");
        fill(text, p + 1, piece_end(p), &inner);
    }
}

static void put_mark(test_text *text, char mark, const filling *f) {
    switch (mark) {
    case '\5':
        test_add_int(text, (int64_t)f->number);
        break;
    case '\6':
        test_add_int(text, (int64_t)f->level);
        break;
    case '\7':
        test_add_str(text, f->number == 0 ? "x" : "n");
        if (f->number > 0) {
            test_add_int(text, (int64_t)f->number - 1);
        }
        break;
    case '\16':
        test_add_str(text, f->other ? "{\"target\": \"torch.ops.my.other.default\""
                                    : "{\"target\": \"torch.ops.my.last.default\"");
        test_add_str(text, ", \"inputs\": [], \"outputs\": [], \"metadata\": {}}]");
        break;
    default:
        test_add_str(text, f->other ? "1" : "2");
    }
}

static void fill(test_text *text, const char *p, const char *end, const filling *f) {
    while (p < end) {
        size_t plain = strcspn(p, "\1\2\3\4\5\6\7\16\17");
        plain = plain < (size_t)(end - p) ? plain : (size_t)(end - p);
        test_add(text, p, plain);
        p += plain;
        if (p < end && (*p == '\1' || *p == '\3' || *p == '\4')) {
            repeat(text, p, f);
            p = piece_end(p) + 1;
        } else if (p < end) {
            put_mark(text, *p++, f);
        }
    }
}

/* What is not said of a program: x goes in and comes out; there is a node. */
static const test_hole usual[] = {
    {"Graph.inputs", "[{\"as_tensor\": {\"name\": \"x\"}}]"},
    {"Graph.outputs", "[{\"as_tensor\": {\"name\": \"x\"}}]"},
    {"GraphSignature.input_specs",
     "[{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}]"},
    {"GraphSignature.output_specs",
     "[{\"user_output\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}]"},
    {"Graph.tensor_values", "{\"x\": " META_OF("2") "}"},
    {"Graph.nodes", "[" LAST},
};

enum { USUAL = sizeof usual / sizeof usual[0], HOLES = FAMILY_FIELDS + USUAL };

static const char *template_of(const family *f, const char *field) {
    size_t i = 0;
    while (i < FAMILY_FIELDS && f->fields[i].field != NULL &&
           strcmp(f->fields[i].field, field) != 0) {
        i++;
    }
    return i < FAMILY_FIELDS && f->fields[i].field != NULL ? f->fields[i].text : NULL;
}

static void write_rows(const family *f, test_text *text, size_t n, bool other) {
    const filling filled = {.n = n, .levels = f->settings.levels, .other = other};
    bool passes = template_of(f, "Graph.inputs") == NULL;
    test_hole holes[HOLES + 1];
    test_text texts[HOLES] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < HOLES; i++) {
        const test_hole *hole = i < FAMILY_FIELDS ? &f->fields[i] : &usual[i - FAMILY_FIELDS];
        bool due = hole->field != NULL &&
                   (i < FAMILY_FIELDS || (template_of(f, hole->field) == NULL &&
                                          (passes || strcmp(hole->field, "Graph.nodes") == 0)));
        if (due) {
            fill(&texts[count], hole->text, hole->text + strlen(hole->text), &filled);
            test_add(&texts[count], "", 1);
            holes[count] = (test_hole){hole->field, texts[count].data};
            count++;
        }
    }
    holes[count] = (test_hole){NULL, NULL};
    test_whole(text, f->settings.version != NULL ? f->settings.version : "8.20",
               f->settings.wide ? n : passes, passes || f->settings.wide, holes);
    for (size_t i = 0; i < count; i++) {
        test_text_free(&texts[i]);
    }
}

/* ------------------------------------------------------------------- collisions */

/* A node with metadata, or with outputs and their table. */
static void write_found(test_text *text, const char *node, const char *values, bool other) {
    family f = {.fields = {{"Graph.nodes", node},
                           {values != NULL ? "Graph.sym_int_values" : NULL, values}}};
    write_rows(&f, text, 0, other);
}

static void make_colliding_keys(test_text *text, size_t n, bool other) {
    test_collider collider;
    test_text node = {0};
    size_t found = 0;
    test_collider_init(&collider);
    test_add_str(&node, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [], \"metadata\": {");
    for (uint32_t i = 0; found < n; i++) {
        size_t size = node.size;
        test_add_str(&node, found == 0 ? "\"" : ", \"");
        bool made = test_colliding_key(&collider, i, &node);
        node.size = made ? node.size : size;
        test_add_str(&node, made ? "\": \"v\"" : "");
        found += made;
    }
    test_add_str(&node, "}}, " LAST);
    test_add(&node, "", 1);
    write_found(text, node.data, NULL, other);
    test_text_free(&node);
    test_collider_free(&collider);
}

enum { NAME = 24 /* bytes */, WINDOWS = 256 };

/* The next name: no two are the same. */
static void draw(uint64_t *state, char name[NAME]) {
    uint64_t number = ++*state;
    uint64_t mixed = number * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < NAME; i++) {
        uint64_t *from = i < 16 ? &mixed : &number;
        name[i] = (char)('a' + *from % 16);
        *from /= 16;
    }
}

/* The map itself is asked, so that nothing here knows how a hash is made. It never holds
 * more than this name. */
static uint64_t hash_of(ep_map *map, const char name[NAME]) {
    uint32_t number;
    bool fresh;
    if (!ep_map_put(map, (ep_bytes){name, NAME}, &number, &fresh)) {
        exit(EXIT_FAILURE);
    }
    uint64_t hash = map->keys[0].hash;
    map->count = 0;
    map->slots[hash & (map->capacity - 1)] = (ep_map_slot){0};
    return hash;
}

/* So many names that begin in few slots of a map that they fill: one in WINDOWS gets
 * them all. */
static void add_pile(test_text *names, size_t count) {
    test_heap heap = {0};
    ep_arena arena;
    ep_map map;
    char name[NAME];
    uint64_t state = 0;
    size_t capacity = WINDOWS;
    while (capacity < 2 * count) {
        capacity *= 2;
    }
    test_arena(&arena, &heap, 0);
    ep_map_init(&map, &arena);
    while (names->size < count * NAME) {
        draw(&state, name);
        if ((hash_of(&map, name) & (capacity - 1)) < capacity / WINDOWS) {
            test_add(names, name, NAME);
        }
    }
    ep_map_free(&map);
    ep_arena_free(&arena);
}

/* Values whose names collide in the maps of ep_check. */
static void make_colliding_names(test_text *text, size_t n, bool other) {
    test_text names = {0};
    test_text node = {0};
    test_text values = {0};
    size_t count = 1;
    while (2 * count <= n) {
        count *= 2;
    }
    add_pile(&names, count);
    test_add_str(&node, "[{\"target\": \"torch.ops.my.call.default\", \"inputs\": [], "
                        "\"outputs\": [");
    test_add_str(&values, "{");
    for (size_t i = 0; i < count; i++) {
        test_add_str(&node, i == 0 ? "" : ", ");
        test_add_str(&node, "{\"as_sym_int\": {\"as_name\": \"");
        test_add(&node, names.data + i * NAME, NAME);
        test_add_str(&node, "\"}}");
        test_add_str(&values, i == 0 ? "\"" : ", \"");
        test_add(&values, names.data + i * NAME, NAME);
        test_add_str(&values, "\": {\"as_int\": 1}");
    }
    test_add_str(&node, "], \"metadata\": {}}, " LAST);
    test_add(&node, "", 1);
    test_add(&values, "}", 2);
    write_found(text, node.data, values.data, other);
    test_text_free(&names);
    test_text_free(&node);
    test_text_free(&values);
}

/* --------------------------------------------------------------------- families */

#define UNWRAP(...) __VA_ARGS__
#define USUALLY (.levels = 0)
#define FAMILY(name, about, settings, ...) {#name, about, {UNWRAP settings}, {__VA_ARGS__}, NULL},
static const family families[] = {
#include "families.def"
    {"colliding-keys",
     "keys that have one hash",
     {.levels = 0},
     {{NULL, NULL}},
     make_colliding_keys},
    {"colliding-names",
     "values whose names collide",
     {.levels = 0},
     {{NULL, NULL}},
     make_colliding_names},
};
#undef FAMILY

enum { FAMILIES = sizeof families / sizeof families[0] };

const family *family_at(size_t i) {
    return i < FAMILIES ? &families[i] : NULL;
}

void family_write(const family *f, test_text *text, size_t n, bool other) {
    if (f->make != NULL) {
        f->make(text, n, other);
    } else {
        write_rows(f, text, n, other);
    }
}

static size_t size_of(const family *f, size_t n) {
    test_text text = {0};
    family_write(f, &text, n, false);
    size_t size = text.size;
    test_text_free(&text);
    return size;
}

size_t family_make(const family *f, test_text *text, size_t bytes, bool other) {
    enum { FEW = 16, MORE = 32 };
    size_t base = size_of(f, FEW);
    size_t each = (size_of(f, MORE) - base) / (MORE - FEW);
    size_t n = bytes > base ? FEW + (bytes - base) / (each > 0 ? each : 1) : bytes / (base / FEW);
    n = n > 0 ? n : 1;
    family_write(f, text, n, other);
    return n;
}
