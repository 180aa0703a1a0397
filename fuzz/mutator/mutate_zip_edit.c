/*
 * mutator/mutate_zip_edit.c - what is done to the parts of an archive: to what they hold,
 * their names, their headers, and which there are; see mutate_zip.h.
 */
#include "common/buffer.h"
#include "mutator/mutate_texts.def"
#include "mutator/mutate_zip.h"

#include <string.h>
#include <zlib.h>

enum { DEPTH_MAX = 2 };

/* ---------------------------------------------------------------------- content */

char *zip_loosen(zip_work *w, zip_part *part, size_t *room) {
    *room = part->data.size + part->data.size / 2 + 256;
    *room = *room < w->max_size ? *room : w->max_size;
    char *at = *room < part->data.size ? NULL : zip_reserve(w, *room);
    if (at == NULL) {
        return NULL;
    }
    if (part->data.size > 0) {
        memcpy(at, part->data.data, part->data.size);
    }
    part->data.data = at;
    return at;
}

static bool flip_bytes(zip_work *w, char *at, size_t size) {
    for (size_t left = 1 + mutate_below(&w->r, 4); size > 0 && left > 0; left--) {
        char *byte = at + mutate_below(&w->r, size);
        *byte = mutate_one_in(&w->r, 2) ? (char)(*byte ^ (1 << mutate_below(&w->r, 7)))
                                        : (char)(mutate_draw(&w->r) & 0x7F);
    }
    return size > 0;
}

/* A stretch of bytes goes, or stands twice. */
static bool move_bytes(zip_work *w, zip_part *part, char *at, size_t room) {
    size_t size = part->data.size;
    size_t from = mutate_below(&w->r, size + 1);
    size_t length = 1 + mutate_below(&w->r, 40);
    length = length < size - from ? length : size - from;
    if (mutate_one_in(&w->r, 2)) {
        memmove(at + from, at + from + length, size - from - length);
        part->data.size -= length;
    } else if (length <= room - size) {
        memmove(at + from + length, at + from, size - from);
        part->data.size += length;
    }
    return true;
}

/* Opcodes that pickles are judged by. */
static bool insert_opcodes(zip_work *w, zip_part *part, char *at, size_t room) {
    static const char *const opcodes[] = {PICKLE_OPCODES};
    ep_bytes text = bytes_of(ZIP_DRAW(w, opcodes));
    size_t size = part->data.size;
    size_t from = mutate_one_in(&w->r, 3) ? (size < 2 ? 0 : 2) : mutate_below(&w->r, size + 1);
    if (text.size > room - size) {
        return false;
    }
    memmove(at + from + text.size, at + from, size - from);
    memcpy(at + from, text.data, text.size);
    part->data.size += text.size;
    return true;
}

static bool change_bytes(zip_work *w, zip_part *part) {
    size_t room;
    char *at = zip_loosen(w, part, &room);
    if (at == NULL) {
        return false;
    }
    bool pickle = bytes_end(part->name, ".pkl") || bytes_start(part->data, "\x80");
    if (pickle && !mutate_one_in(&w->r, 3)) {
        return insert_opcodes(w, part, at, room);
    }
    return mutate_one_in(&w->r, 2) ? flip_bytes(w, at, part->data.size)
                                   : move_bytes(w, part, at, room);
}

/* Any part, or, as often, the program. */
static zip_part *draw_content(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    size_t count = mutate_one_in(&w->r, 2) ? w->model.count : 0;
    for (size_t i = 0; i < count; i++) {
        if (bytes_end(w->model.parts[i].name, ".json") && w->model.parts[i].data.size > 200) {
            return &w->model.parts[i];
        }
    }
    return part;
}

/* By what it is: a program, an archive, a pickle, bytes. */
static bool change_content(zip_work *w) {
    size_t room;
    zip_part *part = draw_content(w);
    bool program = bytes_start(part->data, "{");
    bool archive = bytes_start(part->data, "PK\3\4") && w->depth < DEPTH_MAX;
    if (part->packed || (!program && !archive) || mutate_one_in(&w->r, 8)) {
        return change_bytes(w, part);
    }
    char *at = zip_loosen(w, part, &room);
    if (at == NULL) {
        return false;
    }
    uint8_t *data = (uint8_t *)at;
    size_t size = archive ? zip_mutate(w, data, part->data.size, room)
                          : fuzz_mutate_program(w->m, data, part->data.size, room,
                                                (uint32_t)mutate_draw(&w->r));
    part->data.size = size > 0 ? size : part->data.size;
    return size > 0;
}

static bool cut_content(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    part->data.size = mutate_one_in(&w->r, 2) ? 0 : mutate_below(&w->r, part->data.size + 1);
    return true;
}

/* ------------------------------------------------------------------------ names */

/* Below the folder of a PT2 archive, and in a flat one. */
static const char *const names[] = {MEMBER_NAMES};

enum { NAMES = sizeof names / sizeof names[0], FLAT_NAMES = 21 };

/* What all members are below, with its slash; empty for a flat archive. */
static ep_bytes root_of(const zip_work *w) {
    ep_bytes name = w->model.parts[0].name;
    return (ep_bytes){name.data, zip_root(name)};
}

static ep_bytes draw_name(zip_work *w) {
    size_t i = mutate_below(&w->r, NAMES);
    ep_bytes root = root_of(w);
    bool below = i < FLAT_NAMES || mutate_one_in(&w->r, 8) ? !mutate_one_in(&w->r, 16) : false;
    root = below && root.size == 0 ? bytes_of("archive/") : root;
    return zip_join(w, below ? root : bytes_of(""), bytes_of(names[i]));
}

static bool rename_part(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    ep_bytes name = mutate_one_in(&w->r, 2) ? draw_name(w) : zip_bend(w, part->name, false);
    return zip_set(&part->name, name);
}

/* All members below another folder, or below none. */
static bool move_root(zip_work *w) {
    static const char *const roots[] = {"",        "archive/", "m/",       "../",
                                        "models/", "a b/",     "\303\251/"};
    ep_bytes root = bytes_of(ZIP_DRAW(w, roots));
    ep_bytes old = root_of(w);
    for (size_t i = 0; i < w->model.count; i++) {
        zip_part *part = &w->model.parts[i];
        size_t skip =
            part->name.size >= old.size && memcmp(part->name.data, old.data, old.size) == 0
                ? old.size
                : 0;
        ep_bytes rest = {part->name.data + skip, part->name.size - skip};
        ep_bytes name = zip_join(w, root, rest);
        zip_set(&part->name, name);
    }
    return true;
}

/* The names of one layout become those of the other. */
static bool swap_layout(zip_work *w) {
    static const char *const pairs[][2] = {
        {"archive/models/model.json", "serialized_exported_program.json"},
        {"archive/data/weights/model.pt", "serialized_state_dict.pt"},
        {"archive/data/constants/model.pt", "serialized_constants.pt"},
        {"archive/data/sample_inputs/model.pt", "serialized_example_inputs.pt"},
        {"archive/extra/notes.txt", "extra_files/notes.txt"},
        {"archive/byteorder", "version"},
    };
    size_t to = root_of(w).size == 0 ? 0 : 1;
    for (size_t i = 0; i < w->model.count; i++) {
        zip_part *part = &w->model.parts[i];
        for (size_t row = 0; row < sizeof pairs / sizeof pairs[0]; row++) {
            const char *rest = strchr(pairs[row][0], '/');
            if (bytes_end(part->name, to == 1 ? rest : pairs[row][1])) {
                part->name = bytes_of(pairs[row][to]);
                break;
            }
        }
    }
    return true;
}

/* ---------------------------------------------------------------------- members */

bool zip_insert(zip_work *w, zip_part part) {
    if (w->model.count == ZIP_PARTS_MAX) {
        return false;
    }
    size_t at = mutate_below(&w->r, w->model.count + 1);
    memmove(&w->model.parts[at + 1], &w->model.parts[at],
            (w->model.count - at) * sizeof w->model.parts[0]);
    w->model.parts[at] = part;
    w->model.count++;
    return true;
}

static bool add_part(zip_work *w) {
    static const char *const texts[] = {MEMBER_TEXTS};
    zip_part part = *zip_draw_part(w);
    part.name = draw_name(w);
    part.method = ZIP_STORED;
    part.local_extra = part.extra = part.comment = bytes_of("");
    if (!mutate_one_in(&w->r, 3)) {
        part.data = bytes_of(ZIP_DRAW(w, texts));
        part.packed = false;
        part.flags = 0;
    }
    return part.name.data != NULL && zip_insert(w, part);
}

static bool drop_part(zip_work *w) {
    size_t at = mutate_below(&w->r, w->model.count);
    if (w->model.count == 1) {
        return false;
    }
    w->model.count--;
    memmove(&w->model.parts[at], &w->model.parts[at + 1],
            (w->model.count - at) * sizeof w->model.parts[0]);
    return true;
}

/* Under its own name, or nearly. */
static bool double_part(zip_work *w) {
    zip_part part = *zip_draw_part(w);
    ep_bytes name = mutate_one_in(&w->r, 3) ? part.name : zip_bend(w, part.name, false);
    zip_set(&part.name, name);
    return zip_insert(w, part);
}

static bool swap_parts(zip_work *w) {
    zip_part *a = zip_draw_part(w);
    zip_part *b = zip_draw_part(w);
    zip_part kept = *a;
    *a = *b;
    *b = kept;
    return a != b;
}

static bool swap_contents(zip_work *w) {
    zip_part *a = zip_draw_part(w);
    zip_part *b = zip_draw_part(w);
    if (a == b || a->packed || b->packed) {
        return false;
    }
    ep_bytes kept = a->data;
    a->data = b->data;
    b->data = kept;
    return true;
}

/* ---------------------------------------------------------------------- headers */

static bool change_method(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    part->method = part->method == ZIP_STORED ? ZIP_DEFLATED : ZIP_STORED;
    return !part->packed;
}

static bool change_flags(zip_work *w) {
    static const uint16_t flags[] = {
        0,      ZIP_FLAG_UTF8, ZIP_FLAG_DESCRIPTOR, ZIP_FLAG_UTF8 | ZIP_FLAG_DESCRIPTOR, 1 << 1,
        1 << 6, 1 << 13};
    zip_part *part = zip_draw_part(w);
    part->flags = ZIP_DRAW(w, flags);
    return true;
}

static bool change_attributes(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    uint64_t drawn = mutate_draw(&w->r);
    switch (mutate_below(&w->r, 4)) {
    case 0:
        part->made_by = (uint16_t)drawn;
        break;
    case 1:
        part->needed = (uint16_t)(drawn % 64);
        break;
    case 2:
        part->outside = (uint32_t)drawn;
        break;
    default:
        part->stamp = (uint32_t)drawn;
    }
    return true;
}

/* A field that gives the member another name, as Info-ZIP does, with the checksum of the
 * one that it has. */
static ep_bytes draw_unicode_path(zip_work *w, const zip_part *part) {
    char head[9] = {'u', 'p', 0, 0, 1};
    ep_bytes name = mutate_one_in(&w->r, 2) ? draw_name(w) : zip_bend(w, part->name, false);
    zip_put(head + 2, 2, 5 + name.size);
    zip_put(head + 5, 4, crc32(0, (const Bytef *)part->name.data, (uInt)part->name.size));
    return name.data == NULL ? bytes_of("") : zip_join(w, (ep_bytes){head, sizeof head}, name);
}

/* Fields: none, padding, times, owners, a name, an unknown one, one that is too long. */
static ep_bytes draw_extra(zip_work *w, const zip_part *part) {
    static const ep_bytes extras[] = {
        {"", 0},
        {"FB\0\0", 4},
        {"FB\10\0ZZZZZZZZ", 12},
        {"UT\5\0\3abcd", 9},
        {"ux\13\0\1\4\0\0\0\0\4\0\0\0\0", 15},
        {"up\6\0\1abcdx", 10},
        {"uc\6\0\1abcdx", 10},
        {"\1\0\0\0", 4},
        {"xx\377\0", 4},
        {"FB", 2},
        {"\1\0\10\0\5\0\0\0\0\0\0\0", 12},
        {"\1\x99\7\0\2\0AE\3\0\0", 11},
    };
    size_t drawn = mutate_below(&w->r, sizeof extras / sizeof extras[0] + 3);
    bool path = drawn >= sizeof extras / sizeof extras[0];
    return path && part->name.size > 0 ? draw_unicode_path(w, part) : extras[path ? 0 : drawn];
}

static bool change_extra(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    bool both = mutate_one_in(&w->r, 2);
    bool local = mutate_one_in(&w->r, 2);
    ep_bytes extra = draw_extra(w, part);
    part->local_extra = both || local ? extra : part->local_extra;
    part->extra = both || !local ? extra : part->extra;
    return true;
}

static bool change_comment(zip_work *w) {
    static const char *const comments[] = {"", "a comment", "PK\5\6", "PK\6\7", "\377\303\251"};
    ep_bytes comment = bytes_of(ZIP_DRAW(w, comments));
    if (mutate_one_in(&w->r, 2)) {
        w->model.comment = comment;
    } else {
        zip_draw_part(w)->comment = comment;
    }
    return true;
}

static bool change_end(zip_work *w) {
    w->model.zip64 = !w->model.zip64;
    return true;
}

/* What is said in another way, or in another order. */
static bool change_form(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    switch (mutate_below(&w->r, 4)) {
    case 0:
        w->model.turned = mutate_below(&w->r, w->model.count);
        w->model.backwards = mutate_one_in(&w->r, 2);
        break;
    case 1:
        part->flags ^= ZIP_FLAG_DESCRIPTOR;
        break;
    default:
        part->forms = (unsigned)mutate_below(&w->r, 32);
    }
    return true;
}

/* A member beside one whose name differs in case only. */
static bool add_twin(zip_work *w) {
    zip_part part = *zip_draw_part(w);
    ep_bytes name = zip_other_case(w, part.name);
    if (name.data == NULL || name.size == 0) {
        return false;
    }
    part.name = name;
    part.data = mutate_one_in(&w->r, 2) ? bytes_of("x") : part.data;
    return zip_insert(w, part);
}

/* ---------------------------------------------------------------------- mending */

static bool is_kept_field(uint64_t id) {
    return id == 0x4246 || id == 0x5455 || id == 0x5855 || id == 0x7855 || id == 0x7875 || id == 10;
}

static ep_bytes mend_fields(ep_bytes fields) {
    for (size_t at = 0; at < fields.size;) {
        size_t room = fields.size - at;
        size_t size = room < 4 ? room + 1 : 4 + (size_t)zip_get(fields.data + at + 2, 2);
        if (size > room || !is_kept_field(zip_get(fields.data + at, 2))) {
            return (ep_bytes){fields.data, at};
        }
        at += size;
    }
    return fields;
}

static void mend_name(zip_work *w, zip_part *part) {
    ep_bytes name = part->name.size == 0 ? bytes_of("x") : part->name;
    bool ascii = true;
    name = zip_keep(w, name);
    if (name.data == NULL) {
        return;
    }
    char *at = w->pool + (name.data - w->pool);
    for (size_t i = 0; i < name.size; i++) {
        bool odd = (unsigned char)at[i] < ' ' || at[i] == '\\' || at[i] == '\377';
        at[i] = odd ? '_' : at[i];
        ascii = ascii && (unsigned char)at[i] < 0x80;
    }
    part->name = name;
    part->flags |= ascii ? 0 : ZIP_FLAG_UTF8;
}

static void mend_part(zip_work *w, zip_part *part) {
    enum { FOLDER = 16, KINDS = 0xF000 };
    mend_name(w, part);
    bool folder = bytes_end(part->name, "/");
    part->flags &= ZIP_FLAG_UTF8 | ZIP_FLAG_DESCRIPTOR | 6;
    part->extra = mend_fields(part->extra);
    part->local_extra = mend_fields(part->local_extra);
    part->needed = part->needed > 63 ? 20 : part->needed;
    part->outside &= folder ? 0xFFFFFF : 0xFFFFFF & ~(uint32_t)FOLDER;
    if (folder || part->packed) {
        part->data.size = folder ? 0 : part->data.size;
        part->packed = false;
        part->method = ZIP_STORED;
    }
}

/* Drops members of which one before has the name. */
static void drop_twins(zip_work *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->model.count; i++) {
        bool twin = false;
        for (size_t j = 0; j < count; j++) {
            ep_bytes a = w->model.parts[i].name;
            ep_bytes b = w->model.parts[j].name;
            twin =
                twin || (a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0));
        }
        if (!twin) {
            w->model.parts[count++] = w->model.parts[i];
        }
    }
    w->model.count = count;
}

/* All members go below the folder of the first, as PyTorch's reader wants it. */
static void mend_root(zip_work *w) {
    ep_bytes root = root_of(w);
    for (size_t i = 1; root.size > 1 && i < w->model.count; i++) {
        zip_part *part = &w->model.parts[i];
        bool below =
            part->name.size >= root.size && memcmp(part->name.data, root.data, root.size) == 0;
        ep_bytes name = below ? part->name : zip_join(w, root, part->name);
        zip_set(&part->name, name);
    }
}

void zip_mend(zip_work *w) {
    if (!mutate_one_in(&w->r, 6)) {
        mend_root(w);
    }
    for (size_t i = 0; i < w->model.count; i++) {
        if (!mutate_one_in(&w->r, 40)) {
            mend_part(w, &w->model.parts[i]);
        }
    }
    drop_twins(w);
    if (bytes_start(w->model.comment, "PK\5\6")) {
        w->model.comment = bytes_of("");
    }
}

/* ----------------------------------------------------------------------- drawing */

bool zip_edit_by(zip_work *w, const zip_edit *rows, size_t count) {
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += rows[i].weight;
    }
    size_t drawn = mutate_below(&w->r, sum);
    while (drawn >= rows->weight) {
        drawn -= rows++->weight;
    }
    return rows->edit(w);
}

bool zip_mutate_once(zip_work *w) {
    static const zip_edit rows[] = {
        {change_content, 16}, {rename_part, 3},    {add_part, 3},        {drop_part, 2},
        {double_part, 1},     {swap_parts, 1},     {swap_contents, 1},   {cut_content, 1},
        {move_root, 1},       {swap_layout, 1},    {change_method, 1},   {change_flags, 1},
        {change_extra, 2},    {change_comment, 1}, {change_end, 1},      {change_attributes, 1},
        {change_form, 3},     {add_twin, 1},       {zip_bend_member, 2}, {zip_plant_names, 3},
    };
    if (w->state && !mutate_one_in(&w->r, 4)) {
        return zip_mutate_state(w);
    }
    return zip_edit_by(w, rows, sizeof rows / sizeof rows[0]);
}
