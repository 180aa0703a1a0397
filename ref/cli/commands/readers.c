/*
 * readers.c - see readers.h. Of several reasons the first is said, in the order in which a release
 * meets them: the layout, the version, fields and tags, operators, what it is known to refuse.
 */
#include "readers.h"

#include <string.h>

#include "cli/print.h"
#include "cli/show/deviations.h"
#include "cli/show/graphs.h"
#include "common/memory.h"

enum { EXACT = 1, STRICT = 2, FLAT = 4, SAMPLES = 8, PT2 = 16 };

typedef struct reader {
    int minor;
    const char *release;
    const char *version;
    unsigned takes;
} reader;

static const reader readers[READER_COUNT] = {
#define READER(minor, version, takes) {minor, "2." #minor, version, takes},
    {.release = NULL},
#include "readers.def"
#undef READER
};

const char *reader_release(reader_id id) {
    return readers[id].release;
}

/* The first reason counts. */
static buffer *refuse(reader_refusal *why, const char *clause, ep_value at) {
    static const ep_error nowhere;
    why->clause = clause;
    why->place = nowhere;
    if (ep_value_kind(at) != EP_KIND_NULL) {
        ep_value_place(at, &why->place);
    }
    return &why->message;
}

/* ---------------------------------------------------------------------------- archive */

static const char samples[] = "serialized_example_inputs.pt";

void reader_judge_archive(reader_id id, const archive *a, reader_refusal *why) {
    bool flat = a->root.size == 0;
    unsigned takes = readers[id].takes;
    ep_value nowhere = {.program = NULL};
    if ((takes & (flat ? FLAT : PT2)) == 0) {
        buffer_text(refuse(why, "SPEC 7.7.1", nowhere),
                    "it does not read archives whose members are below one folder");
    } else if (flat && (takes & SAMPLES) != 0 && zipfile_find(&a->zip, bytes_of(samples)) == NULL) {
        print(refuse(why, "SPEC 7.7.1", nowhere), "it needs a member %s", samples);
    }
}

/* ---------------------------------------------------------------------------- version */

static void judge_version(const reader *r, const ep_program *program, reader_refusal *why) {
    const ep_version *has = ep_version_find(r->version);
    const ep_version *is = ep_program_version(program);
    if (is->major == has->major) {
        return;
    }
    buffer *b = refuse(why, "D-16, SPEC appendix C", ep_program_root(program));
    print(b, "it is of schema %s, and the release takes ", is->name);
    if ((r->takes & EXACT) != 0) {
        print(b, "%s alone", r->version);
    } else {
        print(b, "%i alone, with any minor", (int64_t)has->major);
    }
}

/* ------------------------------------------------------------- fields, tags, enumerators */

/* What the program's version has and the release has not, or has as another type. */
typedef struct gap {
    const char *type;
    const char *member;
    ep_kind kind; /* of the type */
} gap;

typedef struct gap_list {
    gap *items;
    size_t count;
    size_t capacity;
    bool failed;
} gap_list;

static void add_gap(gap_list *gaps, const ep_type_info *type, const char *member) {
    gaps->failed = gaps->failed ||
                   !memory_room(&gaps->items, gaps->count, &gaps->capacity, sizeof *gaps->items);
    if (!gaps->failed) {
        gaps->items[gaps->count++] = (gap){type->name, member, type->kind};
    }
}

/* Which type of a schema has a name; the count of types if none. */
static size_t type_called(const ep_schema *schema, const char *name, ep_type_info *type) {
    size_t i = 0;
    while (ep_schema_type(schema, i, type) && strcmp(type->name, name) != 0) {
        i++;
    }
    return i;
}

/* Whether a schema has a member of its i-th type as another has one: a variant of the same type.
 * The value of as_none is not looked at (D-12), nor are the types of fields. */
static bool has_member(const ep_schema *schema, size_t i, const ep_member_info *wanted,
                       const char *wanted_type) {
    enum { ROOM = 128 };
    char text[ROOM];
    ep_type_info type;
    ep_member_info info;
    size_t m = 0;
    while (ep_schema_member(schema, i, m, &info) && strcmp(info.name, wanted->name) != 0) {
        m++;
    }
    if (!ep_schema_type(schema, i, &type) || m == type.count) {
        return false;
    }
    ep_schema_member_type(schema, i, m, text, sizeof text);
    return type.kind != EP_KIND_UNION || strcmp(info.name, "as_none") == 0 ||
           strcmp(text, wanted_type) == 0;
}

static void find_gaps(const ep_schema *is, const ep_schema *has, bool strict, gap_list *gaps) {
    enum { ROOM = 128 };
    char text[ROOM];
    ep_type_info type, other;
    ep_member_info member;
    for (size_t i = 0; ep_schema_type(is, i, &type); i++) {
        size_t there = type_called(has, type.name, &other);
        for (size_t m = 0; ep_schema_member(is, i, m, &member); m++) {
            ep_schema_member_type(is, i, m, text, sizeof text);
            bool counts = type.kind != EP_KIND_STRUCT || strict;
            if (counts && !has_member(has, there, &member, text)) {
                add_gap(gaps, &type, member.name);
            }
        }
    }
}

/* A program that is gone through. */
typedef struct search {
    const reader *reader;
    const ep_program *program;
    ep_arena *arena;
    reader_refusal *why;
    gap_list gaps;
    value_list waiting;
    bool failed;
} search;

static bool is_in_gap(const search *s, const gap *g, ep_value value) {
    ep_kind kind = ep_value_kind(value);
    bool same = kind == g->kind && strcmp(ep_value_type(value), g->type) == 0;
    if (!same || kind == EP_KIND_ENUM) {
        return same && ep_value_name(value, 0) != NULL &&
               strcmp(ep_value_name(value, 0), g->member) == 0;
    }
    if (kind == EP_KIND_UNION) {
        return strcmp(ep_value_name(value, 0), g->member) == 0;
    }
    bool nulls = ep_program_version(s->program)->nulls == EP_NULL_WRITTEN;
    return nulls || ep_value_kind(ep_value_field(value, g->member)) != EP_KIND_NULL;
}

static void look_at_value(search *s, ep_value value) {
    for (size_t i = 0; i < s->gaps.count && s->why->clause == NULL; i++) {
        const gap *g = &s->gaps.items[i];
        if (is_in_gap(s, g, value)) {
            bool field = g->kind == EP_KIND_STRUCT;
            print(refuse(s->why, field ? "D-13, SPEC appendix C" : "SPEC 3.10.1", value),
                  "its schema has no %s %s.%s", field ? "field" : "member", g->type, g->member);
        }
    }
    for (size_t i = ep_value_count(value); i-- > 0;) {
        values_push(&s->waiting, ep_value_item(value, i));
    }
}

static void judge_members(search *s) {
    const ep_schema *is, *has;
    ep_error error;
    if (!ep_schema_open(s->arena, ep_program_version(s->program), &is, &error) ||
        !ep_schema_open(s->arena, ep_version_find(s->reader->version), &has, &error)) {
        s->failed = true;
        return;
    }
    find_gaps(is, has, (s->reader->takes & STRICT) != 0, &s->gaps);
    if (s->gaps.count > 0) {
        values_push(&s->waiting, ep_program_root(s->program));
    }
    while (s->waiting.count > 0 && !s->waiting.failed && s->why->clause == NULL) {
        look_at_value(s, s->waiting.items[--s->waiting.count]);
    }
    s->failed = s->failed || s->gaps.failed || s->waiting.failed;
    memory_free(s->gaps.items);
    values_free(&s->waiting);
}

/* ---------------------------------------------------------------------------- operators */

static void judge_operators(void *context, ep_value graph) {
    search *s = context;
    ep_value nodes = ep_value_field(graph, "nodes");
    for (size_t i = 0; i < ep_value_count(nodes) && s->why->clause == NULL; i++) {
        ep_value target = ep_value_field(ep_value_item(nodes, i), "target");
        ep_bytes name = text_of(target, s->arena, &s->failed);
        if (!ep_release_has(s->reader->release, name)) {
            print(refuse(s->why, "SPEC 5.6.1", target), "it has no operator %t", name);
        }
    }
}

/* --------------------------------------------------------------------------- deviations */

static void judge_deviations(search *s) {
    ep_value found[DEVIATION_COUNT];
    s->failed = !deviations_find(s->program, s->arena, found) || s->failed;
    for (size_t i = 0; i < DEVIATION_COUNT && s->why->clause == NULL; i++) {
        const deviation *row = &deviation_rows[i];
        bool does = row->first <= s->reader->minor && s->reader->minor <= row->last;
        if (!row->loads && does && ep_value_kind(found[i]) != EP_KIND_NULL) {
            print(refuse(s->why, row->clause, found[i]), "%s", row->about);
        }
    }
}

bool reader_judge_program(reader_id id, const ep_program *program, ep_arena *arena,
                          reader_refusal *why) {
    search s = {.reader = &readers[id], .program = program, .arena = arena, .why = why};
    judge_version(s.reader, program, why);
    if (why->clause == NULL) {
        judge_members(&s);
    }
    if (why->clause == NULL) {
        s.failed = !graphs_visit(program, judge_operators, &s) || s.failed;
    }
    if (why->clause == NULL) {
        judge_deviations(&s);
    }
    return !s.failed && !why->message.failed;
}
