/*
 * repack.c - see repack.h. A member of the old archive has a part, and the rows
 * of layout.def say what a part is called in the new one. Clauses: SPEC 7.7.
 */
#include "repack.h"

#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"
#include "common/safe.h"

/* A repacking on its way. */
typedef struct repacking {
    const archive *from;
    repacked *to;
    const repack_wish *wish;
    const layout *layout;
    ep_bytes model;
    const zipfile_member *parts[LAYOUT_PARTS]; /* NULL: there is none */
    failure *what;
} repacking;

/* ------------------------------------------------------------------- refusals */

static bool refuse(repacking *r, const char *why, ep_bytes member) {
    buffer detail = {0};
    buffer_text(&detail, why);
    safe_text(&detail, member);
    return refuse_with(r->what, EP_MIGRATE_ARCHIVE, &detail);
}

static void tell(const repacking *r, const char *clause, const char *about) {
    if (r->wish->report != NULL) {
        r->wish->report(r->wish->report_context, clause, about, 1);
    }
}

/* ----------------------------------------------------------------------- parts */

static ep_bytes without(ep_bytes text, size_t size) {
    return (ep_bytes){text.data + size, text.size - size};
}

/* The members of the flat layout are known by what stands before the dot: 2.1
 * and 2.2 say .json where later releases say .pt. */
static layout_part flat_part(ep_bytes name) {
    static const struct {
        const char *start;
        layout_part part;
    } rows[] = {
        {"serialized_exported_program.json", LAYOUT_PROGRAM},
        {"serialized_state_dict.", LAYOUT_WEIGHTS},
        {"serialized_constants.", LAYOUT_CONSTANTS},
        {"serialized_example_inputs.", LAYOUT_INPUTS},
        {"extra_files/", LAYOUT_EXTRA},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bytes_start(name, rows[i].start)) {
            return rows[i].part;
        }
    }
    return bytes_equal(name, "version") ? LAYOUT_FRAME : LAYOUT_OTHER;
}

/* Whether a name is folder, model, end. */
static bool is_of_model(const repacking *r, ep_bytes name, const char *folder, const char *end) {
    size_t before = strlen(folder);
    return name.size == before + r->model.size + strlen(end) && bytes_start(name, folder) &&
           memcmp(name.data + before, r->model.data, r->model.size) == 0 &&
           bytes_start(without(name, before + r->model.size), end);
}

static layout_part folder_part(const repacking *r, ep_bytes name) {
    static const char *const folders[LAYOUT_PARTS] = {"models/", "data/weights/", "data/constants/",
                                                      "data/sample_inputs/"};
    static const char *const frame[] = {"archive_format", "archive_version",    "byteorder",
                                        ".data/",         ".storage_alignment", ".format_version"};
    for (int i = 0; i < LAYOUT_PARTS; i++) {
        if (is_of_model(r, name, folders[i], i == LAYOUT_PROGRAM ? ".json" : ".pt")) {
            return (layout_part)i;
        }
    }
    for (size_t i = 0; i < sizeof frame / sizeof frame[0]; i++) {
        if (bytes_start(name, frame[i])) {
            return LAYOUT_FRAME;
        }
    }
    return bytes_start(name, "extra/") ? LAYOUT_EXTRA : LAYOUT_OTHER;
}

/* *name is left without the folder that all members are in. */
static layout_part part_of(const repacking *r, const zipfile_member *m, ep_bytes *name) {
    *name = without(m->name, r->from->root.size);
    if (m->name.size > 0 && m->name.data[m->name.size - 1] == '/') {
        return LAYOUT_FRAME; /* a folder, which no layout needs */
    }
    return r->from->root.size == 0 ? flat_part(*name) : folder_part(r, *name);
}

/* ---------------------------------------------------------------------- adding */

static void add_bytes(repacking *r, ep_bytes name, ep_bytes bytes) {
    zipwrite_bytes(&r->to->zip, name, bytes);
}

static void add_text(repacking *r, const char *name, const char *text) {
    add_bytes(r, bytes_of(name), bytes_of(text));
}

/* Under the folder of the new archive, when it has one. */
static ep_bytes put_name(const repacking *r, buffer *name, const char *first, ep_bytes rest) {
    buffer_clear(name);
    buffer_text(name, r->layout->folder ? "archive/" : "");
    buffer_text(name, first);
    buffer_put(name, rest.data, rest.size);
    r->to->zip.failed = r->to->zip.failed || name->failed;
    return buffer_bytes(name);
}

/* SPEC 7.7.2 */
static void drop_inputs(repacking *r, ep_bytes name) {
    tell(r, "7.7.2", "sample inputs, none");
    add_bytes(r, name, (ep_bytes){"", 0});
}

/* ------------------------------------------------------------------- raw state */

/* The rows of a part of the program, in their order; how many. False for want of memory. */
static bool take_rows(const repacking *r, raw_part *p) {
    const tensors *t = r->wish->state;
    p->rows = t->row_count < SIZE_MAX / sizeof *p->rows
                  ? memory_resize(NULL, (t->row_count + 1) * sizeof *p->rows)
                  : NULL;
    for (size_t i = 0; p->rows != NULL && i < t->row_count; i++) {
        const tensor_row *row = &t->rows[i];
        if (row->part == p->part && !row->is_inner &&
            t->programs[row->program].member == r->from->program) {
            p->rows[p->count++] = i;
        }
    }
    return p->rows != NULL;
}

/* Why a part has to stay pickled, with the tensor that is to blame. */
static const char *fault_of_part(const raw_part *p, ep_bytes *blamed) {
    const char *why = NULL;
    for (size_t i = 0; why == NULL && i < p->count; i++) {
        const tensor_row *row = &p->tensors->rows[p->rows[i]];
        *blamed = tensors_text(p->tensors, row->name);
        why = raw_fault(p->tensors, row);
    }
    return why;
}

static void tell_pickled(repacking *r, const raw_part *p, ep_bytes blamed, const char *why) {
    buffer about = {0};
    buffer_text(&about, p->part == TENSOR_WEIGHTS ? "weights, stay pickled: "
                                                  : "constants, stay pickled: ");
    safe_text(&about, blamed);
    buffer_byte(&about, ' ');
    buffer_text(&about, why);
    r->to->zip.failed = r->to->zip.failed || about.failed;
    tell(r, "7.7.6", buffer_string(&about));
    buffer_free(&about);
}

/* How many raw members of a part there are, of other programs: numbers go on behind them,
 * as those of torch.export.save do. */
static size_t count_raw(const repacking *r, tensor_part which) {
    const char *start = which == TENSOR_WEIGHTS ? "data/weights/weight_" : "data/constants/tensor_";
    size_t count = 0;
    for (size_t i = 0; r->from->root.size > 0 && i < r->from->zip.count; i++) {
        count += bytes_start(without(r->from->zip.members[i].name, r->from->root.size), start);
    }
    return count;
}

/* Pickled tensors as raw members, if that is wanted and can be. SPEC 7.7.6 */
static bool add_raw(repacking *r, layout_part which, ep_bytes root, ep_bytes model) {
    raw_part *p = which == LAYOUT_WEIGHTS ? &r->to->weights : &r->to->constants;
    ep_bytes blamed = {"", 0};
    if (r->wish->state == NULL || r->layout->raw == RAW_NONE ||
        (which != LAYOUT_WEIGHTS && which != LAYOUT_CONSTANTS)) {
        return false;
    }
    *p = (raw_part){.tensors = r->wish->state,
                    .from = r->from->zip.from,
                    .part = which == LAYOUT_WEIGHTS ? TENSOR_WEIGHTS : TENSOR_CONSTANTS,
                    .order = RAW_BY_STORAGE};
    p->first = count_raw(r, p->part);
    bool ok = take_rows(r, p);
    const char *why = ok ? fault_of_part(p, &blamed) : NULL;
    if (why != NULL) {
        tell_pickled(r, p, blamed, why);
        return false;
    }
    r->to->zip.failed = !ok || !raw_plan(p, &r->to->zip, root, model);
    tell(r, "7.7.6", which == LAYOUT_WEIGHTS ? "weights, raw" : "constants, raw");
    return true;
}

/* ----------------------------------------------------------------- pickled state */

/* Whether raw members are to be pickled. */
static bool pickles(const repacking *r) {
    return r->wish->pickles && r->wish->state != NULL && r->layout->raw == RAW_NONE &&
           r->from->root.size > 0;
}

/* What says and holds the raw state of the program. */
static bool is_raw(const repacking *r, ep_bytes name) {
    return is_of_model(r, name, "data/weights/", "_weights_config.json") ||
           is_of_model(r, name, "data/constants/", "_constants_config.json") ||
           bytes_start(name, "data/weights/weight_") || bytes_start(name, "data/constants/tensor_");
}

static const char *fault_of_saved(const raw_part *p, ep_bytes *blamed) {
    const char *why = NULL;
    for (size_t i = 0; why == NULL && i < p->count; i++) {
        const tensor_row *row = &p->tensors->rows[p->rows[i]];
        *blamed = tensors_text(p->tensors, row->name);
        why = save_fault(p->tensors, row);
    }
    return why;
}

/* Raw tensors as torch.save writes them under a name. */
static bool add_saved(repacking *r, layout_part which, ep_bytes name) {
    bool weights = which == LAYOUT_WEIGHTS;
    raw_part *p = weights ? &r->to->weights : &r->to->constants;
    save_part *s = weights ? &r->to->saved_weights : &r->to->saved_constants;
    ep_bytes blamed = {"", 0};
    *p = (raw_part){.tensors = r->wish->state,
                    .from = r->from->zip.from,
                    .part = weights ? TENSOR_WEIGHTS : TENSOR_CONSTANTS};
    *s = (save_part){.of = p, .style = pickling_of(r->wish->version)};
    if (!take_rows(r, p)) {
        return refuse_plainly(r->what, EP_MEMORY);
    }
    const char *why = fault_of_saved(p, &blamed);
    if (why != NULL) {
        buffer detail = {0};
        safe_text(&detail, blamed);
        buffer_byte(&detail, ' ');
        buffer_text(&detail, why);
        return refuse_with(r->what, EP_MIGRATE_ARCHIVE, &detail);
    }
    tell(r, "7.7.3", weights ? "weights, pickled" : "constants, pickled");
    return save_plan(s, &r->to->zip, name, r->what);
}

/* ---------------------------------------------------------------- another layout */

/* What was taken out of the program, with their config. SPEC 7.7.5 */
static void add_constants(repacking *r, buffer *name) {
    const constants *all = r->wish->constants;
    for (size_t i = 0; i < all->count; i++) {
        put_name(r, name, "data/constants/tensor_", (ep_bytes){"", 0});
        buffer_number(name, (int64_t)i);
        r->to->zip.failed = r->to->zip.failed || name->failed;
        add_bytes(r, buffer_bytes(name), buffer_bytes(&all->items[i]->bytes));
    }
    constants_put_config(all, &r->to->texts);
    add_text(r, "archive/data/constants/model_constants_config.json", buffer_string(&r->to->texts));
}

/* What was taken out of the program would have no place, or be another's. SPEC
 * 7.7.3, 7.7.5 */
static bool refuse_constants(repacking *r) {
    return refuse(r, "it has tensors in the program and constants beside it", (ep_bytes){"", 0});
}

/* SPEC 7.7.2: what the layout wants and the archive does not have is empty, and
 * what is empty is taken for a dict without entries. SPEC 7.7.4 */
static bool add_part(repacking *r, layout_part which, buffer *name) {
    const char *row = r->layout->names[which];
    const zipfile_member *old = r->parts[which];
    size_t taken = which == LAYOUT_CONSTANTS ? r->wish->constants->count : 0;
    if (row == NULL) {
        if (old != NULL) {
            tell(r, "7.7.4",
                 which == LAYOUT_INPUTS ? "sample inputs, left out" : "constants, left out");
        }
        return true;
    }
    ep_bytes full = put_name(r, name, row, (ep_bytes){"", 0});
    if (which == LAYOUT_PROGRAM) {
        add_bytes(r, full, r->wish->program);
    } else if (old != NULL && taken > 0) {
        return refuse_constants(r);
    } else if (old == NULL && (which == LAYOUT_WEIGHTS || which == LAYOUT_CONSTANTS) &&
               pickles(r)) {
        return add_saved(r, which, full);
    } else if (old == NULL && which == LAYOUT_WEIGHTS) {
        return refuse(r, "it has no pickled weights", (ep_bytes){"", 0});
    } else if (taken > 0) {
        add_constants(r, name);
    } else if (add_raw(r, which, bytes_of("archive/"), bytes_of("model"))) {
        return true;
    } else if (old != NULL && which == LAYOUT_INPUTS && r->wish->drops_inputs) {
        drop_inputs(r, full);
    } else if (old != NULL) {
        zipwrite_copy(&r->to->zip, full, old);
    } else {
        tell(r, "7.7.2", which == LAYOUT_INPUTS ? "sample inputs, none" : "constants, none");
        add_bytes(r, full, (ep_bytes){"", 0});
    }
    return true;
}

static bool add_parts(repacking *r, buffer *name) {
    for (int i = 0; i < LAYOUT_PARTS; i++) {
        if (!add_part(r, (layout_part)i, name)) {
            return false;
        }
    }
    return true;
}

static void add_frame(repacking *r) {
    if (r->layout->folder) {
        add_text(r, "archive/archive_format", "pt2");
        add_text(r, "archive/archive_version", "0");
        add_text(r, "archive/.data/version", "6\n");
        add_text(r, "archive/byteorder", "little");
        return;
    }
    layout_put_version(&r->to->texts, r->wish->version);
    add_bytes(r, bytes_of("version"), buffer_bytes(&r->to->texts));
}

static void add_extras(repacking *r, buffer *name) {
    size_t before = strlen(r->from->root.size == 0 ? "extra_files/" : "extra/");
    for (size_t i = 0; i < r->from->zip.count; i++) {
        const zipfile_member *m = &r->from->zip.members[i];
        ep_bytes old;
        if (part_of(r, m, &old) == LAYOUT_EXTRA) {
            zipwrite_copy(&r->to->zip, put_name(r, name, r->layout->extra, without(old, before)),
                          m);
        }
    }
}

/* Finds the parts. SPEC 7.7.3 */
static bool find_parts(repacking *r) {
    for (size_t i = 0; i < r->from->zip.count; i++) {
        const zipfile_member *m = &r->from->zip.members[i];
        ep_bytes name;
        layout_part which = part_of(r, m, &name);
        if (which == LAYOUT_OTHER && pickles(r) && is_raw(r, name)) {
            continue;
        }
        if (which == LAYOUT_OTHER) {
            return refuse(r, "it has ", name);
        }
        if ((int)which < LAYOUT_PARTS && r->parts[which] != NULL) {
            return refuse(r, "it has a second ", name);
        }
        if ((int)which < LAYOUT_PARTS) {
            r->parts[which] = m;
        }
    }
    return true;
}

/* --------------------------------------------------------------- the same layout */

/* The config of a part, in other words if that is wanted. *done: it was. */
static bool change_config(repacking *r, const zipfile_member *m, ep_bytes name, bool *done) {
    bool weights = is_of_model(r, name, "data/weights/", "_weights_config.json");
    *done = r->wish->config != NULL &&
            (weights || is_of_model(r, name, "data/constants/", "_constants_config.json"));
    if (!*done) {
        return true;
    }
    buffer *config = weights ? &r->to->weights.config : &r->to->constants.config;
    buffer old = {0};
    bool ok = zipfile_read_all(&r->from->zip, m, r->wish->limit, &old, r->what) &&
              r->wish->config(r->wish->config_context, buffer_bytes(&old), config, r->what);
    buffer_free(&old);
    r->to->zip.failed = r->to->zip.failed || config->failed;
    add_bytes(r, m->name, buffer_bytes(config));
    return ok;
}

/* All members as they are, but for the program. */
static bool copy_members(repacking *r) {
    bool pickled = false;
    if (r->wish->constants->count > 0) {
        return refuse(r, "it has tensors in the program, but is no flat archive",
                      (ep_bytes){"", 0});
    }
    for (size_t i = 0; i < r->from->zip.count; i++) {
        const zipfile_member *m = &r->from->zip.members[i];
        ep_bytes name;
        layout_part which = part_of(r, m, &name);
        if ((int)which < LAYOUT_PARTS) {
            r->parts[which] = m;
        }
        bool changed;
        if (!change_config(r, m, name, &changed)) {
            return false;
        }
        if (changed) {
            continue;
        }
        if (which == LAYOUT_PROGRAM) {
            add_bytes(r, m->name, r->wish->program);
        } else if (which == LAYOUT_INPUTS && r->wish->drops_inputs) {
            drop_inputs(r, m->name);
        } else if (!add_raw(r, which, r->from->root, r->model)) {
            zipwrite_copy(&r->to->zip, m->name, m);
        }
        pickled = pickled || which == LAYOUT_WEIGHTS;
    }
    return pickled || r->layout->raw != RAW_NONE ||
           refuse(r, "it has no pickled weights", (ep_bytes){"", 0});
}

/* ------------------------------------------------------------------------ product */

/* The model of a PT2 archive: NAME of "R/models/NAME.json". */
static ep_bytes model_of(const archive *a) {
    static const char folder[] = "models/";
    if (a->root.size == 0) {
        return (ep_bytes){"", 0};
    }
    ep_bytes model = without(a->program->name, a->root.size + sizeof folder - 1);
    model.size -= strlen(".json");
    return model;
}

/* What would be in the new archive, or why it cannot be. */
static bool plan(repacking *r, bool same) {
    buffer name = {0};
    bool ok = same ? copy_members(r) : find_parts(r) && add_parts(r, &name);
    if (ok && !same) {
        add_frame(r);
        add_extras(r, &name);
    }
    ep_bytes bad;
    const char *why = ok ? zipwrite_judge_names(&r->to->zip, &bad) : NULL;
    if (why != NULL) {
        ok = refuse(r, why, bad);
    }
    bool short_of_memory = r->to->texts.failed || r->to->zip.failed;
    buffer_free(&name);
    return ok && (!short_of_memory || refuse_plainly(r->what, EP_MEMORY));
}

/* A program that stays as it is. */
static bool check_program(const archive *a, const zipfile_member *m, const whole_wish *wish,
                          size_t memory, failure *what) {
    ep_arena arena;
    ep_arena scratch;
    const ep_program *program;
    buffer text = {0};
    ep_check_options checking = ep_check_options_default();
    checking.limits = wish->decoding->limits;
    arena_open(&arena, memory);
    arena_open(&scratch, memory);
    bool ok = zipfile_read_all(&a->zip, m, wish->limit, &text, what);
    if (ok) {
        ok = ep_decode(&arena, buffer_bytes(&text), wish->decoding, &program, &what->error) &&
             ep_check(program, &scratch, &checking, &what->error);
        what->status = status_of_code(what->error.code);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    buffer_free(&text);
    return ok;
}

bool archive_check_beside(const archive *a, const whole_wish *wish, size_t memory, ep_bytes *member,
                          failure *what) {
    for (size_t i = 0; i < a->zip.count; i++) {
        const zipfile_member *m = &a->zip.members[i];
        if (m != a->program && archive_has_program(a, m) &&
            !check_program(a, m, wish, memory, what)) {
            *member = m->name;
            return false;
        }
    }
    return archive_stripped(a) != NULL || whole_check(a, wish, member, what);
}

bool archive_repack(const archive *from, const repack_wish *wish, repacked *made, failure *what) {
    repacking r = {.from = from,
                   .to = made,
                   .wish = wish,
                   .layout = layout_of(wish->version),
                   .model = model_of(from),
                   .what = what};
    bool same = from->root.size > 0 && r.layout->folder && !pickles(&r);
    *made = (repacked){.zip = {.pt2 = r.layout->folder, .from = &from->zip}};
    bool ok = plan(&r, same) && zipfile_verify(&from->zip, from->program, wish->limit, NULL, what);
    if (!io_settle(from->zip.from, ok, what)) {
        return false;
    }
    tell(&r, "7.7.1", same ? "program in the archive" : "layout of the archive");
    return true;
}

bool repacked_write(void *context, zipfile_take *put, void *sink, failure *what) {
    repacked *made = context;
    return io_settle(made->zip.from->from, zipwrite_all(&made->zip, put, sink, what), what);
}

void repacked_free(repacked *made) {
    save_free(&made->saved_weights);
    save_free(&made->saved_constants);
    raw_free(&made->weights);
    raw_free(&made->constants);
    zipwrite_free(&made->zip);
    buffer_free(&made->texts);
}
