/*
 * mutator/mutate_zip_edit.c - what is done to the parts of an archive: to what they hold,
 * their names, their headers, which there are, and what payload configs say; see
 * mutate_zip.h.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"
#include "mutator/mutate_zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------- texts */

static size_t count_digits(ep_bytes text, size_t at) {
    size_t from = at;
    while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9') {
        at++;
    }
    return at - from;
}

/* A number of the text, the one at a place or the first behind it, for another one. */
static ep_bytes change_number(zip_work *w, ep_bytes text, size_t from) {
    static const char *const far[] = {"-1", "9223372036854775807", "9223372036854775808",
                                      "4611686018427387904", "2147483648"};
    char made[24] = "";
    while (from < text.size && count_digits(text, from) == 0) {
        from++;
    }
    while (from > 0 && count_digits(text, from - 1) > 0) {
        from--;
    }
    size_t size = count_digits(text, from);
    if (size == 0 || size > 18) {
        return zip_nothing;
    }
    memcpy(made, text.data + from, size);
    uint64_t number = strtoull(made, NULL, 10);
    uint64_t next[] = {
        random_below(&w->r, 9), number + 1, number - (number > 0), number * 2, number / 2,
        random_below(&w->r, 35)};
    snprintf(made, sizeof made, "%llu", (unsigned long long)ZIP_DRAW(w, next));
    return zip_splice(w, text, from, from + size,
                      bytes_of(random_one_in(&w->r, 12) ? ZIP_DRAW(w, far) : made));
}

/* --------------------------------------------------------------------- content */

/* Some bytes go, stand twice, or become others. */
static ep_bytes change_bytes(zip_work *w, ep_bytes data) {
    static const char *const texts[] = {
        "x",    "\303\251",     "\342\202\254", "\303", "\360\237\230\200",
        "\251", "\355\240\200", "\342\202",     "\1"};
    size_t at = random_one_in(&w->r, 4) ? 0 : random_below(&w->r, data.size + 1);
    size_t rest = data.size - at;
    size_t size = random_one_in(&w->r, 4) ? rest : random_below(&w->r, 41);
    size = size < rest ? size : rest;
    char byte = rest > 0 ? (char)(data.data[at] ^ (1 << random_below(&w->r, 7))) : 'x';
    ep_bytes with[] = {{"", 0}, {data.data + at, size}, bytes_of(ZIP_DRAW(w, texts)), {&byte, 1}};
    size_t gone[] = {size, 0, 0, rest > 0};
    size_t way = random_below(&w->r, 4);
    return zip_splice(w, data, at, at + gone[way], with[way]);
}

bool zip_mutate_part(zip_work *w, zip_part *part, ep_bytes donor) {
    ep_bytes data = part->data;
    size_t room = data.size + data.size / 2 + donor.size + 256;
    mutate_job job = {(uint8_t *)zip_reserve(w, room), data.size, room, donor,
                      (uint32_t)random_draw(&w->r)};
    TRY(job.data != NULL);
    memcpy(job.data, data.data, data.size);
    size_t size = bytes_start(data, "{") ? fuzz_mutate_program(w->m, &job) : zip_mutate(w, &job);
    return zip_set(&part->data, (ep_bytes){size > 0 ? (const char *)job.data : NULL, size});
}

/* By what it is: an archive, a pickle, a program or config, bytes. */
static bool change_part(zip_work *w, zip_part *part) {
    ep_bytes data = part->data;
    if (!part->packed && !random_one_in(&w->r, 8)) {
        if (bytes_end(part->name, ".pkl") || bytes_start(data, "\x80")) {
            return zip_set(&part->data, zip_mutate_pickle(w, data));
        }
        if (bytes_start(data, "{") || (bytes_start(data, "PK\3\4") && w->depth < 2)) {
            return zip_mutate_part(w, part, zip_nothing);
        }
    }
    return zip_set(&part->data, change_bytes(w, data));
}

/* Members by how their names end and what they begin with. The last ones are marks. */
static const char *const kinds[][2] = {{"", ""},
                                       {".json", "{"},
                                       {".json", "{"},
                                       {"_config.json", "{"},
                                       {"", "PK\3\4"},
                                       {"", "PK\3\4"},
                                       {"", "PK\3\4"},
                                       {"", "PK\3\4"},
                                       {"", "PK\3\4"},
                                       {"", "\x80"},
                                       {"data.pkl", ""},
                                       {"0", ""},
                                       {"1", ""},
                                       {".txt", ""},
                                       {"version", ""},
                                       {"byteorder", ""},
                                       {"archive_format", ""},
                                       {"serialization_id", ""}};

enum { KINDS = sizeof kinds / sizeof kinds[0], FIRST_MARK = 14 };

/* One of a kind; NULL where there is none. */
static zip_part *draw_of(zip_work *w, const char *const kind[2]) {
    size_t first = random_below(&w->r, w->model.count);
    for (size_t i = 0; i < w->model.count; i++) {
        zip_part *part = &w->model.parts[(first + i) % w->model.count];
        if (bytes_end(part->name, kind[0]) && bytes_start(part->data, kind[1])) {
            return part;
        }
    }
    return NULL;
}

/* Half of what is changed is the program, or, of a state, anything. */
static bool change_content(zip_work *w) {
    static const char *const texts[] = {MARK_TEXTS};
    size_t row = random_below(&w->r, w->state ? KINDS : 2);
    zip_part *part = draw_of(w, kinds[row]);
    if (part == NULL || row < FIRST_MARK || part->packed) {
        return part != NULL && change_part(w, part);
    }
    part->data = bytes_of(ZIP_DRAW(w, texts));
    return true;
}

/* ----------------------------------------------------------------------- names */

/* Below the folder of a PT2 archive, and in a flat one. */
static const char *const names[] = {MEMBER_NAMES};

enum { NAMES = sizeof names / sizeof names[0], FLAT_NAMES = 21 };

/* Bytes of the folder that a name begins with, with its slash; 0 for none. */
static size_t root_size(ep_bytes name) {
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    return slash == NULL ? 0 : (size_t)(slash + 1 - name.data);
}

/* What all members are below, with its slash; empty for a flat archive. */
static ep_bytes root_of(const zip_work *w) {
    ep_bytes name = w->model.parts[0].name;
    return (ep_bytes){name.data, root_size(name)};
}

static ep_bytes draw_name(zip_work *w) {
    size_t i = random_below(&w->r, NAMES);
    ep_bytes root = root_of(w);
    bool below = (i < FLAT_NAMES || random_one_in(&w->r, 8)) && !random_one_in(&w->r, 16);
    root = below && root.size == 0 ? bytes_of("archive/") : root;
    return zip_join(w, below ? root : bytes_of(""), bytes_of(names[i]));
}

/* What is put before or behind a name: in a string of JSON, and as bytes. */
static const struct {
    const char *spelled;
    ep_bytes raw;
} odd[] = {ODD_PARTS};

/* A name as some readers compare it otherwise, as bytes or spelled in JSON. SPEC 8.1.8 */
static ep_bytes bend(zip_work *w, ep_bytes name, bool spelled) {
    enum { ODD = sizeof odd / sizeof odd[0], LONG = 520 }; /* a list of members has 511 bytes */
    size_t drawn = random_below(&w->r, ODD + 9);
    char *at = drawn < ODD ? NULL : zip_reserve(w, drawn == ODD ? LONG : name.size);
    if (drawn < ODD || (drawn == ODD && at != NULL)) {
        ep_bytes part = drawn == ODD ? (ep_bytes){memset(at, 'x', LONG), LONG}
                        : spelled    ? bytes_of(odd[drawn].spelled)
                                     : odd[drawn].raw;
        return random_one_in(&w->r, 4) ? zip_join(w, part, name) : zip_join(w, name, part);
    }
    size_t from = random_below(&w->r, name.size + 1);
    for (size_t i = 0; at != NULL && i < name.size; i++) { /* letters in the other case */
        char lower = (char)(name.data[i] | 0x20);
        bool letter = i >= from && lower >= 'a' && lower <= 'z';
        at[i] = (char)(name.data[i] ^ (letter ? 0x20 : 0));
    }
    return (ep_bytes){at, at == NULL ? 0 : name.size};
}

/* Behind the folder that is drawn of a name's folders. */
static size_t draw_start(zip_work *w, ep_bytes name) {
    size_t start = random_one_in(&w->r, 3) ? 0 : name.size;
    while (start > 0 && name.data[start - 1] != '/') {
        start--;
    }
    return random_one_in(&w->r, 2) ? start : root_size(name);
}

/* Another name, a bent one, another number in it, another folder. */
static ep_bytes rename_of(zip_work *w, ep_bytes name) {
    static const char *const folders[] = {
        "data/weights/", "data/constants/", "data/sample_inputs/",
        "extra/",        "models/",         "data/aotinductor/model/"};
    size_t start = draw_start(w, name);
    switch (random_below(&w->r, 4)) {
    case 0:
        return draw_name(w);
    case 1:
        return change_number(w, name, start);
    case 2:
        return zip_splice(w, name, root_size(name), start < root_size(name) ? name.size : start,
                          bytes_of(ZIP_DRAW(w, folders)));
    }
    ep_bytes rest = {name.data + start, name.size - start};
    return zip_splice(w, name, start, name.size, bend(w, rest, false));
}

static bool rename_part(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    return zip_set(&part->name, rename_of(w, part->name));
}

/* All members below another folder, or below none. */
static bool move_root(zip_work *w) {
    static const char *const roots[] = {"",        "archive/", "m/",       "../",
                                        "models/", "a b/",     "\303\251/"};
    ep_bytes root = bytes_of(ZIP_DRAW(w, roots));
    for (size_t i = 0; i < w->model.count; i++) {
        ep_bytes *name = &w->model.parts[i].name;
        zip_set(name, zip_splice(w, *name, 0, root_size(*name), root));
    }
    return true;
}

/* --------------------------------------------------------------------- members */

/* A part once more, or a new one, mostly under another name. */
static bool add_part(zip_work *w) {
    static const char *const texts[] = {MEMBER_TEXTS};
    zip_part part = *zip_draw_part(w);
    if (random_one_in(&w->r, 2)) {
        part = (zip_part){.name = part.name, .data = bytes_of(ZIP_DRAW(w, texts))};
    }
    if (!random_one_in(&w->r, 8)) {
        zip_set(&part.name, rename_of(w, part.name));
    }
    return zip_insert(w, part);
}

static bool drop_part(zip_work *w) {
    zip_part *at = zip_draw_part(w);
    TRY(w->model.count != 1);
    memmove(at, at + 1, (size_t)(w->model.parts + --w->model.count - at) * sizeof *at);
    return true;
}

/* A member, and a config that names it so that readers may look for another. */
static bool plant_names(zip_work *w) {
    static const char *const folders[][2] = {{"data/weights/", "model_weights_config.json"},
                                             {"data/constants/", "model_constants_config.json"}};
    static const char *const bases[] = {"weight_0", "tensor_0", "opaque_obj_0", "x.so"};
    static const char *const contents[] = {"\x80\2}q.", "\x80\2cos\nsystem\nX\2idR.", "x"};
    const char *const *folder = ZIP_DRAW(w, folders);
    ep_bytes root = root_of(w);
    root = zip_join(w, root.size == 0 ? bytes_of("a/") : root, bytes_of(folder[0]));
    ep_bytes base = bytes_of(ZIP_DRAW(w, bases));
    ep_bytes config = bytes_of(folder[1]);
    ep_bytes text = bytes_of("{\"config\":{\"w\":{\"path_name\":\"\",\"is_param\":false,"
                             "\"use_pickle\":true,\"tensor_meta\":null}}}");
    size_t at = bytes_find(text, 0, bytes_of("\","));
    text = zip_splice(w, text, at, at, random_one_in(&w->r, 3) ? base : bend(w, base, true));
    config = random_one_in(&w->r, 4) ? bend(w, config, false) : config;
    base = random_one_in(&w->r, 3) ? bend(w, base, false) : base;
    return zip_insert(w, (zip_part){.name = zip_join(w, root, config), .data = text}) &&
           zip_insert(w, (zip_part){.name = zip_join(w, root, base),
                                    .data = bytes_of(ZIP_DRAW(w, contents))});
}

/* --------------------------------------------------------------------- headers */

/* A number of a header: one of some values, or any. */
static bool change_header(zip_work *w) {
    static const struct {
        char letter;
        uint16_t values[8];
    } rows[] = {{'m', {ZIP_STORED, ZIP_DEFLATED, 0, 8, 0, 8, 0, 8}},
                {'f',
                 {0, 0, ZIP_FLAG_UTF8, ZIP_FLAG_DESCRIPTOR, ZIP_FLAG_UTF8 | ZIP_FLAG_DESCRIPTOR,
                  1 << 1, 1 << 6, 1 << 13}},
                {'n', {10, 20, 20, 20, 45, 45, 46, 63}}};
    char letter = "mmfffgggnbtw"[random_below(&w->r, 12)];
    uint64_t drawn = random_draw(&w->r);
    for (size_t i = 0; i < 3; i++) {
        drawn = rows[i].letter == letter ? rows[i].values[drawn % 8] : drawn;
    }
    ZIP_VALUE(&zip_draw_part(w)->values, letter) = drawn;
    return true;
}

/* Fields: none, padding, times, owners, a name, an unknown one, one that is too long. Comments,
 * how the archive ends, and the order of the directory. */
static bool change_frame(zip_work *w) {
    static const ep_bytes extras[] = {EXTRA_FIELDS};
    static const char *const comments[] = {"", "a comment", "PK\5\6", "PK\6\7", "\377\303\251"};
    ep_bytes extra = ZIP_DRAW(w, extras);
    ep_bytes comment = bytes_of(ZIP_DRAW(w, comments));
    zip_part *part = zip_draw_part(w);
    size_t where = random_below(&w->r, 8);
    part->local_extra = where < 3 ? extra : part->local_extra;
    part->extra = where == 0 || where == 3 ? extra : part->extra;
    part->comment = where == 4 ? comment : part->comment;
    w->model.comment = where == 5 ? comment : w->model.comment;
    w->model.zip64 ^= where == 6;
    w->model.turned = where == 7 ? random_below(&w->r, w->model.count) : w->model.turned;
    w->model.backwards = where == 7 && random_one_in(&w->r, 2);
    return true;
}

/* --------------------------------------------------------------------- configs */

/* A value of a key in a text, from a drawn place on. */
static ep_bytes draw_value(zip_work *w, ep_bytes text, const char *key) {
    value_table *t = &w->m->table;
    size_t first = places_read(t, text, VALUES_MAX) ? random_below(&w->r, t->count) : 0;
    for (size_t i = 0; i < t->count; i++) {
        const value *v = &t->items[(first + i) % t->count];
        if (v->whole && v->end >= v->begin + 2 && place_key_is(t, v, key)) {
            return (ep_bytes){text.data + v->begin, v->end - v->begin};
        }
    }
    return zip_nothing;
}

/* One text for another, in the first place where it stands, or wherever. */
static bool replace(zip_work *w, zip_part *part, ep_bytes old, ep_bytes new, bool each) {
    bool done = false;
    size_t at = bytes_find(part->data, 0, old);
    while (at < part->data.size && (each || !done)) {
        TRY(zip_set(&part->data, zip_splice(w, part->data, at, at + old.size, new)));
        at = bytes_find(part->data, at + new.size, old);
        done = true;
    }
    return done;
}

/* An entry shows another member, or says something else of its tensor, in the config alone or
 * in the program too; so do all that are like it, or this one, which may share its storage. */
static bool change_entry(zip_work *w) {
    zip_part *config = draw_of(w, kinds[3]);
    zip_part *program = draw_of(w, (const char *const[]){"model.json", "{"});
    bool path = random_one_in(&w->r, 4);
    TRY(config != NULL);
    ep_bytes old = draw_value(w, config->data, path ? "path_name" : "tensor_meta");
    TRY(old.data != NULL);
    bool bent = path && random_one_in(&w->r, 4);
    ep_bytes inner = {old.data + 1, old.size - 2};
    ep_bytes new = bent ? zip_splice(w, old, 1, old.size - 1, bend(w, inner, true))
                        : change_number(w, old, random_below(&w->r, old.size));
    bool each = !random_one_in(&w->r, 3);
    TRY(new.data != NULL);
    if (program != NULL && !random_one_in(&w->r, 6)) {
        replace(w, program, old, new, each);
    }
    return replace(w, config, old, new, each);
}

/* ----------------------------------------------------------------------- drawing */

bool zip_mutate_once(zip_work *w) {
    static bool (*const rows[])(zip_work * w) = {
        rename_part,   rename_part,  rename_part,  add_part,     add_part,      add_part,
        add_part,      drop_part,    drop_part,    move_root,    change_header, change_header,
        change_header, change_frame, change_frame, change_frame, change_frame,  plant_names,
        plant_names,   plant_names,  plant_names};
    bool general = random_one_in(&w->r, w->state ? 4 : 2);
    bool content = !w->state || !random_one_in(&w->r, 4);
    return general ? ZIP_DRAW(w, rows)(w) : content ? change_content(w) : change_entry(w);
}
