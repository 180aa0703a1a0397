/*
 * archive_repacked.c - what holds of archive_repack: it takes the archives that
 * SPEC 7.7 has a place for, and no others; what it makes keeps the rules of 8.1, in
 * the layout of the version, with the program that was put in, and every other
 * member byte for byte under the name that it has there.
 */
#include "archive/make/repack.h"
#include "archive_laws.h"

#include <string.h>

/* ----------------------------------------------------------------------- layouts */

typedef enum place { PLACE_PROGRAM, PLACE_FRAME, PLACE_NONE, PLACE_EXTRA, PLACE_PART } place;

enum { PART_WEIGHTS, PART_CONSTANTS, PART_INPUTS, PARTS };

/* The table of SPEC 7.7. */
typedef struct target {
    const char *since;
    bool folder;
    bool raw;
    const char *parts[PARTS]; /* NULL: the layout has none */
} target;

#define FLAT "serialized_"
#define FOLDERS                                                                                    \
    { "data/weights/model.pt", "data/constants/model.pt", "data/sample_inputs/model.pt" }
static const target targets[] = {
    {"8.14", true, true, FOLDERS},
    {"8.8", true, false, FOLDERS},
    {"5.3", false, false, {FLAT "state_dict.pt", FLAT "constants.pt", FLAT "example_inputs.pt"}},
    {"5.1", false, false, {FLAT "state_dict.pt", FLAT "constants.pt", NULL}},
    {"2", false, false, {FLAT "state_dict.json", FLAT "constants.json", NULL}},
    {"1-2023-08", false, false, {FLAT "state_dict.json", NULL, NULL}},
};

static size_t index_of(const ep_version *version) {
    size_t i = 0;
    while (ep_version_at(i) != version) {
        i++;
    }
    return i;
}

static const target *target_of(const ep_version *version) {
    const target *t = targets;
    while (index_of(ep_version_find(t->since)) > index_of(version)) {
        t++;
    }
    return t;
}

/* One archive made from another. */
typedef struct passage {
    const zip_reading *old;
    const archive *from; /* the old one, as archive_open took it */
    const target *target;
    const constants *constants;
    const ep_version *version;
    ep_bytes program; /* that was put in */
    ep_bytes member;  /* that was taken out */
    ep_bytes root;    /* of the old one, with its slash */
    ep_bytes model;
    bool same; /* from PT2 to PT2 */
} passage;

static void find_root(passage *p) {
    const char *slash = memchr(p->member.data, '/', p->member.size);
    if (slash != NULL) {
        p->root = (ep_bytes){p->member.data, (size_t)(slash + 1 - p->member.data)};
        size_t before = p->root.size + strlen("models/");
        p->model = (ep_bytes){p->member.data + before, p->member.size - before - strlen(".json")};
    }
    p->same = p->root.size > 0 && p->target->folder;
}

static bool flat_place(ep_bytes name, place *found, size_t *part) {
    static const char *const starts[PARTS] = {FLAT "state_dict.", FLAT "constants.",
                                              FLAT "example_inputs."};
    *found = bytes_start(name, "extra_files/") ? PLACE_EXTRA
             : bytes_equal(name, "version")    ? PLACE_FRAME
                                               : PLACE_NONE;
    for (size_t i = 0; i < PARTS; i++) {
        if (bytes_start(name, starts[i])) {
            *found = PLACE_PART;
            *part = i;
        }
    }
    return *found != PLACE_NONE;
}

/* Whether a name is that of the model's part: folder, model, ".pt". */
static bool is_part(const passage *p, ep_bytes name, const char *folder) {
    size_t before = strlen(folder);
    return bytes_start(name, folder) && bytes_end(name, ".pt") &&
           name.size == before + p->model.size + strlen(".pt") &&
           memcmp(name.data + before, p->model.data, p->model.size) == 0;
}

static bool folder_place(const passage *p, ep_bytes name, place *found, size_t *part) {
    static const char *const folders[PARTS] = {"data/weights/", "data/constants/",
                                               "data/sample_inputs/"};
    static const char *const frame[] = {"archive_format", "archive_version",    "byteorder",
                                        ".data/",         ".storage_alignment", ".format_version"};
    *found = bytes_start(name, "extra/") ? PLACE_EXTRA : PLACE_NONE;
    for (size_t i = 0; i < sizeof frame / sizeof frame[0]; i++) {
        *found = bytes_start(name, frame[i]) ? PLACE_FRAME : *found;
    }
    for (size_t i = 0; i < PARTS; i++) {
        if (is_part(p, name, folders[i])) {
            *found = PLACE_PART;
            *part = i;
        }
    }
    return *found != PLACE_NONE;
}

static place place_of(const passage *p, ep_bytes name, size_t *part) {
    place found = PLACE_NONE;
    if (fuzz_same(name, p->member)) {
        return PLACE_PROGRAM;
    }
    if (bytes_end(name, "/")) {
        return PLACE_FRAME; /* a folder */
    }
    if (p->root.size == 0) {
        flat_place(name, &found, part);
    } else if (name.size >= p->root.size && memcmp(name.data, p->root.data, p->root.size) == 0) {
        ep_bytes rest = {name.data + p->root.size, name.size - p->root.size};
        folder_place(p, rest, &found, part);
    }
    return found;
}

/* --------------------------------------------------------------------- what fits */

/* SPEC 8.1.4: whether the names are such that the layout can have them. Those of extra
 * files alone are not its own. */
static bool has_names(const passage *p) {
    size_t most = 511 - strlen("archive/extra/");
    size_t before = strlen("extra_files/");
    for (size_t i = 0; p->target->folder && i < p->old->count; i++) {
        ep_bytes name = p->old->entries[i].head.name;
        size_t part;
        if (place_of(p, name, &part) != PLACE_EXTRA) {
            continue;
        }
        for (size_t j = 0; j < i; j++) {
            TRY(!zip_rules_same_name(name, p->old->entries[j].head.name, true));
        }
        TRY(name.size - before <= most);
    }
    return true;
}

/* SPEC 7.7.3 */
static bool fits(const passage *p) {
    size_t counts[PARTS] = {0};
    bool placed = true;
    for (size_t i = 0; i < p->old->count; i++) {
        size_t part = 0;
        place found = place_of(p, p->old->entries[i].head.name, &part);
        placed = placed && found != PLACE_NONE;
        counts[part] += found == PLACE_PART ? 1 : 0;
    }
    if (p->constants->count > 0 && (p->same || counts[PART_CONSTANTS] > 0)) {
        return false; /* tensors of the program, and nowhere to put them. 7.7.5 */
    }
    if (p->same) {
        return counts[PART_WEIGHTS] > 0 || p->target->raw;
    }
    return placed && has_names(p) && counts[PART_WEIGHTS] == 1 && counts[PART_CONSTANTS] < 2 &&
           counts[PART_INPUTS] < 2;
}

/* The name of an old member in the new archive; false when it is not there. */
static bool new_name(const passage *p, ep_bytes old, test_text *name) {
    size_t part = 0;
    place found = place_of(p, old, &part);
    if (p->same) {
        test_add(name, old.data, old.size);
        return found != PLACE_PROGRAM;
    }
    test_add_str(name, p->target->folder ? "archive/" : "");
    if (found == PLACE_EXTRA) {
        const char *slash = memchr(old.data + p->root.size, '/', old.size - p->root.size);
        test_add_str(name, p->target->folder ? "extra" : "extra_files");
        test_add(name, slash, (size_t)(old.data + old.size - slash));
    } else if (found == PLACE_PART && p->target->parts[part] != NULL) {
        test_add_str(name, p->target->parts[part]);
    } else {
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ what is there */

static const zip_entry *find(const zip_reading *made, const char *folder, const char *name) {
    test_text full = {0};
    test_add_str(&full, folder);
    test_add_str(&full, name);
    const zip_entry *e = laws_find(made, test_text_bytes(&full));
    test_text_free(&full);
    return e;
}

static bool holds(const zip_entry *e, ep_bytes bytes) {
    zip_content content;
    bool ok = e != NULL && zip_reader_unpack(e, SIZE_MAX, &content);
    bool same = ok && fuzz_same(content.bytes, bytes);
    if (ok) {
        zip_content_free(&content);
    }
    return same;
}

static bool says(const zip_reading *made, const char *name, const char *text) {
    return holds(find(made, "archive/", name), bytes_of(text));
}

/* SPEC 7.7.1 */
static void law_of_frame(const passage *p, const zip_reading *made) {
    if (p->same) {
        return;
    }
    if (p->target->folder) {
        FUZZ_PROPERTY(says(made, "archive_format", "pt2") && says(made, "archive_version", "0") &&
                          says(made, ".data/version", "6\n") && says(made, "byteorder", "little"),
                      "repacked-frame");
        return;
    }
    test_text number = {0};
    test_add_int(&number, p->version->major);
    if (p->version->minor >= 0) {
        test_add_str(&number, ".");
        test_add_int(&number, p->version->minor);
    }
    FUZZ_PROPERTY(holds(find(made, "", "version"), test_text_bytes(&number)), "repacked-version");
    test_text_free(&number);
}

/* Every old member that can be read, but for the program and the frame; and no other where
 * the layout is the same, but tensors of the program. */
static void law_of_copies(const passage *p, const zip_reading *made) {
    FUZZ_PROPERTY(!p->same || made->count == p->old->count + p->constants->count, "repacked-all");
    for (size_t i = 0; i < p->old->count; i++) {
        const zip_entry *e = &p->old->entries[i];
        test_text name = {0};
        zip_content content;
        if (new_name(p, e->head.name, &name) && zip_reader_unpack(e, SIZE_MAX, &content)) {
            const zip_entry *copy = laws_find(made, test_text_bytes(&name));
            FUZZ_PROPERTY(copy != NULL, "repacked-member");
            FUZZ_PROPERTY(holds(copy, content.bytes), "repacked-bytes");
            zip_content_free(&content);
        }
        test_text_free(&name);
    }
}

/* SPEC 7.7.5 */
static void law_of_constants(const passage *p, const zip_reading *made) {
    for (size_t i = 0; i < p->constants->count; i++) {
        test_text name = {0};
        const constant *c = p->constants->items[i];
        ep_bytes root = p->same ? p->root : bytes_of("archive/");
        test_add(&name, root.data, root.size);
        test_add_str(&name, "data/constants/tensor_");
        test_add_int(&name, (int64_t)i);
        const zip_entry *e = laws_find(made, test_text_bytes(&name));
        FUZZ_PROPERTY(holds(e, (ep_bytes){c->bytes.data, c->bytes.size}), "repacked-constants");
        test_text_free(&name);
    }
}

/* SPEC 7.7.1: multiples of 64. */
static void law_of_alignment(const passage *p, const zip_reading *made) {
    for (size_t i = 0; p->target->folder && i < made->count; i++) {
        const zip_entry *e = &made->entries[i];
        FUZZ_PROPERTY(e->found && (e->packed.data - made->file.data) % 64 == 0,
                      "repacked-alignment");
    }
}

/* The new archive keeps the rules, and has the program in it. */
static void law_of_program(const passage *p, const subject *again) {
    failure what = {0};
    archive taken;
    buffer program = {0};
    archive_wish wish = {.model = again->model, .limit = 16 * ARCHIVE_LIMIT};
    FUZZ_PROPERTY(again->broken == EP_OK, "repacked-keeps-the-rules");
    bool ok = archive_open(&again->data, wish, &taken, &what);
    FUZZ_PROPERTY_OF(ok, "repacked-readable", &what.error);
    laws_of_opening(again, &taken.zip, &what);
    laws_of_choice(again, &taken, &what);
    ok = archive_read(&taken, 16 * ARCHIVE_LIMIT, &program, &what);
    FUZZ_PROPERTY_OF(ok && fuzz_same(buffer_bytes(&program), p->program), "repacked-program",
                     &what.error);
    buffer_free(&program);
    archive_close(&taken);
}

/* What is refused when all is written has a second end record. */
static void law_of_ends(test_text *made) {
    subject again;
    subject_open(&again, test_text_exact(made));
    FUZZ_PROPERTY(again.broken == EP_ARCHIVE, "repacked-ends-once");
    subject_close(&again);
}

static void laws_of_new(const passage *p, test_text *made, const char *model) {
    subject again;
    subject_open(&again, test_text_exact(made));
    again.model = p->same ? model : NULL;
    law_of_program(p, &again);
    law_of_frame(p, &again.reading);
    law_of_copies(p, &again.reading);
    law_of_constants(p, &again.reading);
    law_of_alignment(p, &again.reading);
    FUZZ_PROPERTY(laws_is_sound(&again.reading, NULL, SIZE_MAX / 2), "repacked-sound");
    subject_close(&again);
}

/* ------------------------------------------------------------------------- making */

static bool keep(void *context, ep_bytes piece, failure *what) {
    (void)what;
    test_add(context, piece.data, piece.size);
    return true;
}

enum { REPACK_LIMIT = 4 * ARCHIVE_LIMIT };

static void laws_of_one(const subject *s, const passage *p, const repack_wish *wish) {
    failure what = {0};
    repacked product;
    test_text made = {0};
    const zip_entry *program = laws_find(&s->reading, p->member);
    bool ok = archive_repack(p->from, wish, &product, &what);
    bool sound = laws_is_sound(&s->reading, program, REPACK_LIMIT);
    FUZZ_PROPERTY_OF(ok == (what.error.code == EP_OK), "repack-told", &what.error);
    if (ok) {
        FUZZ_PROPERTY(fits(p), "repacks-what-has-no-place");
        FUZZ_PROPERTY(sound, "repacks-what-is-damaged");
        ok = repacked_write(&product, keep, &made, &what);
        FUZZ_PROPERTY_OF(ok || what.error.code == EP_ARCHIVE, "repacked-is-written", &what.error);
        if (ok) {
            laws_of_new(p, &made, s->model);
        } else {
            law_of_ends(&made);
        }
    } else {
        laws_of_refusal(&what);
        FUZZ_PROPERTY_OF((what.error.code == EP_MIGRATE_ARCHIVE) == !fits(p),
                         "repacks-what-has-a-place", &what.error);
        FUZZ_PROPERTY_OF(!fits(p) || !sound, "repacks-what-is-whole", &what.error);
    }
    test_text_free(&made);
    repacked_free(&product);
}

static void count_step(void *context, const char *clause, const char *about, size_t times) {
    size_t *steps = context;
    FUZZ_PROPERTY(clause[0] == '7' && about[0] != '\0' && times > 0, "step");
    (*steps)++;
}

static void repack_as(const subject *s, passage *p) {
    size_t steps = 0;
    repack_wish wish = {.version = p->version,
                        .program = p->program,
                        .constants = p->constants,
                        .limit = REPACK_LIMIT,
                        .report = count_step,
                        .report_context = &steps};
    p->target = target_of(wish.version);
    find_root(p);
    laws_of_one(s, p, &wish);
    FUZZ_PROPERTY(steps > 0 || !fits(p) ||
                      !laws_is_sound(&s->reading, laws_find(&s->reading, p->member), REPACK_LIMIT),
                  "steps-are-told");
}

/* As epref migrate does it, to a version that is drawn. */
static void repack_migrated(subject *s, const passage *as_it_is, const ep_program *program) {
    fuzz_work work;
    ep_built built;
    passage p = *as_it_is;
    constants taken = {.limit = ARCHIVE_LIMIT};
    p.version =
        fuzz_below(&s->input, 4) == 0 ? ep_version_find("latest") : fuzz_draw_version(&s->input);
    ep_migrate_options options = {.version = p.version};
    if (archive_takes_raw(p.version)) {
        options.constant = constants_take;
        options.constant_context = &taken;
    }
    fuzz_begin(&work);
    if (ep_migrate(program, &work.arena, &options, &built, &work.error)) {
        FUZZ_PROPERTY(!taken.failed, "constants-fail");
        p.program = built.text;
        p.constants = &taken;
        repack_as(s, &p);
    }
    constants_free(&taken);
    fuzz_end(&work);
}

void laws_of_repacking(subject *s, const archive *taken, ep_bytes text, const ep_program *program) {
    constants none = {.count = 0};
    passage p = {.old = &s->reading,
                 .from = taken,
                 .constants = &none,
                 .version = ep_program_version(program),
                 .program = text,
                 .member = taken->program->name,
                 .root = {"", 0},
                 .model = {"", 0}};
    repack_as(s, &p);
    repack_migrated(s, &p, program);
}
