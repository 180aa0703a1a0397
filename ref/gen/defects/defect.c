/*
 * defect.c - see defect.h: the table of the defects, and how one is made.
 */
#include "defect.h"

#include "edit.h"

typedef struct defect_row {
    ep_code code;
    defect_function *function;
    const char *since;
    const char *until;
} defect_row;

#define DEFECT(code, function, since, until) {code, function, since, until},
static const defect_row rows[] = {
#include "defect.def"
};
#undef DEFECT

/* The row of a code that holds for a version; with NULL any. */
static const defect_row *row_of(ep_code code, const ep_version *version) {
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const defect_row *row = &rows[i];
        if (row->code == code &&
            (version == NULL || version_within(version, row->since, row->until))) {
            return row;
        }
    }
    return NULL;
}

bool defect_known(ep_code code) {
    return row_of(code, NULL) != NULL;
}

bool defect_possible(ep_code code, const ep_version *version) {
    return row_of(code, version) != NULL;
}

/* The text with the edit in it. */
static void write_out(const defect *d, buffer *out) {
    ep_bytes text = d->places.text;
    buffer_put(out, text.data, d->begin);
    buffer_put(out, d->with.data, d->with.size);
    buffer_text(out, d->after != NULL ? d->after : "");
    buffer_put(out, text.data + d->end, text.size - d->end);
}

static bool make(defect *d, const defect_row *row, ep_arena *arena, const defect_options *options) {
    return ep_schema_open(arena, d->version, &d->schema, NULL) &&
           places_read(&d->places, options->text, options->valid) && row->function(d);
}

bool defect_apply(const defect_options *options, buffer *out, failure *what) {
    const ep_version *version = ep_program_version(options->valid);
    const defect_row *row = row_of(options->code, version);
    *what = (failure){.status = STATUS_INVALID};
    if (row == NULL) {
        what->reason = defect_known(options->code) ? "no program of this version can show this code"
                                                   : "no program can show this code";
        return false;
    }
    ep_arena arena;
    arena_open(&arena, 0);
    defect d = {.random = {options->seed}, .version = version};
    bool made = make(&d, row, &arena, options);
    if (made) {
        write_out(&d, out);
    }
    made = made && !d.with.failed && !out->failed;
    if (!made && d.why != NULL) {
        what->reason = d.why;
    } else if (!made) {
        what->status = STATUS_LIMIT;
        what->error.code = EP_MEMORY;
    }
    places_free(&d.places);
    buffer_free(&d.with);
    ep_arena_free(&arena);
    return made;
}
