/*
 * defect.c - see defect.h: the rows of the defects, and how one is made.
 */
#include "defect.h"

#include "edit.h"

enum { TEXTS_MAX = 16 };

typedef struct defect_row {
    ep_code code;
    const char *since;
    const char *until;
    const char *where;
    defect_filter *fits;
    defect_edit *edit;
    const char *texts[TEXTS_MAX];
} defect_row;

#define DEFECT(code, versions, where, fits, edit, ...)                                             \
    {code, versions, where, fits_##fits, edit_##edit, {__VA_ARGS__}},
static const defect_row rows[] = {
#include "defect.def"
};
#undef DEFECT

/* Whether a row is of a code, and holds for a version; with NULL for any. */
static bool is_row_of(const defect_row *row, ep_code code, const ep_version *version) {
    return row->code == code &&
           (version == NULL || version_within(version, row->since, row->until));
}

static size_t count_rows(ep_code code, const ep_version *version) {
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        count += is_row_of(&rows[i], code, version);
    }
    return count;
}

bool defect_known(ep_code code) {
    return count_rows(code, NULL) > 0;
}

bool defect_possible(ep_code code, const ep_version *version) {
    return count_rows(code, version) > 0;
}

/* ------------------------------------------------------------------ one defect */

/* At a drawn place, the first text from a drawn one on that will do. */
static bool make_at(defect *d, const defect_row *row, const place *p) {
    size_t count = 1;
    while (count < TEXTS_MAX && row->texts[count] != NULL) {
        count++;
    }
    size_t first = draw(d, count);
    for (size_t i = 0; i < count; i++) {
        buffer_clear(&d->with);
        d->foreign = false;
        if (row->edit(d, p, row->texts[(first + i) % count]) && !d->foreign) {
            return true;
        }
    }
    return false;
}

/* The i-th row of a code. */
static const defect_row *row_at(ep_code code, const ep_version *version, size_t i) {
    const defect_row *row = rows;
    while (!is_row_of(row, code, version) || i-- > 0) {
        row++;
    }
    return row;
}

static bool make(defect *d, ep_code code) {
    enum { TRIES = 32 };
    size_t count = count_rows(code, d->version);
    for (size_t i = 0; i < TRIES; i++) {
        const defect_row *row = row_at(code, d->version, draw(d, count));
        const place *p = draw_place(d, row->where, row->fits);
        if (p != NULL && make_at(d, row, p)) {
            return true;
        }
    }
    return false;
}

/* The text with the edit in it. */
static void write_out(const defect *d, buffer *out) {
    ep_bytes text = d->places.text;
    buffer_put(out, text.data, d->begin);
    buffer_put(out, d->with.data, d->with.size);
    buffer_put(out, text.data + d->end, text.size - d->end);
}

bool defect_apply(const defect_options *options, buffer *out, failure *what) {
    const ep_version *version = ep_program_version(options->valid);
    *what = (failure){.status = STATUS_INVALID};
    if (!defect_possible(options->code, version)) {
        what->reason = defect_known(options->code) ? "no program of this version can show this code"
                                                   : "no program can show this code";
        return false;
    }
    ep_arena arena;
    arena_open(&arena, 0);
    defect d = {.random = {options->seed}, .version = version};
    bool ready = ep_schema_open(&arena, version, &d.places.schema, NULL) &&
                 places_read(&d.places, options->text, SIZE_MAX);
    if (ready) {
        places_decode(&d.places, options->valid);
    }
    bool made = ready && make(&d, options->code);
    if (made) {
        write_out(&d, out);
    }
    if (!ready || d.with.failed || out->failed) {
        made = false;
        what->status = STATUS_LIMIT;
        what->error.code = EP_MEMORY;
    } else if (!made) {
        what->reason = "this program has no place for the defect";
    }
    places_free(&d.places);
    buffer_free(&d.with);
    ep_arena_free(&arena);
    return made;
}
