/*
 * compiled.c - see compiled.h. Each JSON has one form, which PyTorch writes.
 */
#include "compiled.h"

#include "common/memory.h"
#include "common/refusal.h"
#include "payload.h"
#include "scan_json.h"

enum { KINDS = COMPILED_OBJECT + 1 };

typedef struct reading {
    const archive *from;
    size_t limit;
    compiled *to;
    const zipfile_member **said; /* of each model and kind the member that says it, or NULL */
    failure *what;
} reading;

/* -------------------------------------------------------------------------------- models */

static bool take_models(reading *r, name_list *names) {
    const zipfile *zip = &r->from->zip;
    compiled *c = r->to;
    ep_bytes model;
    for (size_t i = 0; i < zip->count; i++) {
        if (archive_is_of_model(r->from, &zip->members[i], &model)) {
            names_add(names, (name_item){.name = model, .count = 1, .bytes = zip->members[i].size});
        }
    }
    names_sort(names);
    names_collapse(names);
    c->models = memory_zeros(names->count, sizeof *c->models);
    r->said = memory_zeros(names->count, KINDS * sizeof *r->said);
    if (names->failed || c->models == NULL || r->said == NULL) {
        return refuse_plainly(r->what, EP_MEMORY);
    }
    for (; c->model_count < names->count; c->model_count++) {
        const name_item *item = &names->items[c->model_count];
        c->models[c->model_count] =
            (compiled_model){.name = item->name, .members = item->count, .bytes = item->bytes};
    }
    return true;
}

/* What a member says of its model; KINDS: nothing. */
static int kind_of(const archive *a, const zipfile_member *m, ep_bytes *model) {
    return archive_is_compiled(a, m, model)                 ? COMPILED_METADATA
           : bytes_end(m->name, "/weights_config.json")     ? COMPILED_CONSTANT
           : bytes_end(m->name, "/custom_objs_config.json") ? COMPILED_OBJECT
                                                            : KINDS;
}

/* Of two members, the loader takes the first. */
static void find_said(reading *r, const name_list *names) {
    const zipfile *zip = &r->from->zip;
    ep_bytes model;
    for (size_t i = 0; i < zip->count; i++) {
        const zipfile_member *m = &zip->members[i];
        int kind = kind_of(r->from, m, &model);
        if (kind == KINDS || !archive_is_of_model(r->from, m, &model)) {
            continue;
        }
        const name_item *item = names_find(names, model);
        size_t at = item == NULL ? SIZE_MAX : (size_t)(item - names->items) * KINDS + (size_t)kind;
        if (item != NULL && r->said[at] == NULL) {
            r->said[at] = m;
        }
    }
}

/* ---------------------------------------------------------------------------------- rows */

static bool take_word(scan *c, buffer *texts, tensor_text *text) {
    text->at = texts->size;
    bool ok = scan_text(c, texts);
    text->size = texts->size - text->at;
    return ok;
}

static bool add_numbers(compiled *c, const int64_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!memory_room(&c->numbers, c->number_count, &c->number_room, sizeof *c->numbers)) {
            c->texts.failed = true;
            return false;
        }
        c->numbers[c->number_count++] = numbers[i];
    }
    return true;
}

/* ["weight_0", [4, 3], [3, 1], 0] */
static bool take_constant(compiled *c, scan *s, compiled_row *row) {
    int64_t numbers[PAYLOAD_RANK_MAX];
    size_t rank;
    int64_t offset;
    row->numbers = c->number_count;
    return scan_take(s, '[') && take_word(s, &c->texts, &row->value) && scan_take(s, ',') &&
           scan_numbers(s, numbers, PAYLOAD_RANK_MAX, &row->rank) &&
           add_numbers(c, numbers, row->rank) && scan_take(s, ',') &&
           scan_numbers(s, numbers, PAYLOAD_RANK_MAX, &rank) &&
           (rank == row->rank || scan_fail(s, s->form)) && add_numbers(c, numbers, rank) &&
           scan_take(s, ',') && scan_number(s, &offset) && add_numbers(c, &offset, 1) &&
           scan_take(s, ']');
}

static bool take_row(compiled *c, scan *s, compiled_row row) {
    TRY(take_word(s, &c->texts, &row.name) && scan_take(s, ':') &&
        (row.kind == COMPILED_CONSTANT ? take_constant(c, s, &row)
                                       : take_word(s, &c->texts, &row.value)));
    if (!memory_room(&c->rows, c->row_count, &c->row_room, sizeof *c->rows)) {
        c->texts.failed = true;
        return false;
    }
    c->rows[c->row_count++] = row;
    return true;
}

/* An object of such rows, and nothing behind it. */
static void take_rows(compiled *c, scan *s, const compiled_row *row) {
    bool ok = scan_take(s, '{');
    if (ok && scan_is_next(s, '}')) {
        s->p++;
    } else if (ok) {
        while (take_row(c, s, *row) && scan_comma(s, '}')) {
        }
    }
    scan_skip(s);
    if (s->p < s->end) {
        scan_fail(s, s->form);
    }
}

static const char *const faults[] = {
    [COMPILED_METADATA] = "its metadata is no JSON of strings",
    [COMPILED_CONSTANT] = "its weights_config.json is none",
    [COMPILED_OBJECT] = "its custom_objs_config.json is none",
};

/* What a member says, all of it or nothing. */
static bool read_said(reading *r, buffer *json, compiled_row row) {
    const zipfile_member *m = r->said[row.model * KINDS + row.kind];
    compiled *c = r->to;
    compiled_model *model = &c->models[row.model];
    size_t before = c->row_count;
    scan s = {.blanks = " \n\r\t", .form = faults[row.kind]};
    if (m == NULL) {
        return true;
    }
    if (m->size > r->limit) {
        model->fault = model->fault != NULL ? model->fault : "it says more than the limit allows";
        return true;
    }
    TRY(zipfile_read_all(&r->from->zip, m, r->limit, json, r->what));
    s.p = json->data;
    s.end = json->size == 0 ? s.p : json->data + json->size;
    take_rows(c, &s, &row);
    if (s.why != NULL) {
        c->row_count = before;
        model->fault = model->fault != NULL ? model->fault : faults[row.kind];
    }
    model->count += c->row_count - before;
    return !c->texts.failed || refuse_plainly(r->what, EP_MEMORY);
}

static bool read_all(reading *r) {
    name_list names = {0};
    buffer json = {0};
    bool ok = take_models(r, &names);
    if (ok) {
        find_said(r, &names);
    }
    for (size_t i = 0; ok && i < r->to->model_count * KINDS; i++) {
        compiled_row row = {.model = i / KINDS, .kind = (compiled_kind)(i % KINDS)};
        if (row.kind == 0) {
            r->to->models[row.model].first = r->to->row_count;
        }
        ok = read_said(r, &json, row);
    }
    buffer_free(&json);
    names_free(&names);
    return ok;
}

bool compiled_read(const archive *a, size_t limit, compiled *c, failure *what) {
    reading r = {.from = a, .limit = limit, .to = c, .what = what};
    *c = (compiled){.models = NULL};
    bool ok = read_all(&r);
    memory_free(r.said);
    return ok;
}

void compiled_free(compiled *c) {
    memory_free(c->models);
    memory_free(c->rows);
    memory_free(c->numbers);
    buffer_free(&c->texts);
    *c = (compiled){.models = NULL};
}

ep_bytes compiled_text(const compiled *c, tensor_text text) {
    return text.size == 0 ? (ep_bytes){"", 0} : (ep_bytes){c->texts.data + text.at, text.size};
}

ep_bytes compiled_said(const compiled *c, size_t model, const char *key) {
    const compiled_model *m = &c->models[model];
    for (size_t i = m->first; i < m->first + m->count; i++) {
        const compiled_row *row = &c->rows[i];
        if (row->kind == COMPILED_METADATA && bytes_equal(compiled_text(c, row->name), key)) {
            return compiled_text(c, row->value);
        }
    }
    return (ep_bytes){"", 0};
}
