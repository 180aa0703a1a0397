/*
 * mutator/mutate_zip_state.c - what is done to the members that hold the state of programs:
 * payload configs, raw storages, archives of torch.save, marks; see mutate_zip.h. Half of
 * it keeps to what an archive may be, so that what is judged late is reached.
 */
#include "common/buffer.h"
#include "mutator/mutate_texts.def"
#include "mutator/mutate_zip.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------- choosing */

typedef bool part_filter(const zip_part *part);

static bool is_config(const zip_part *part) {
    return bytes_end(part->name, "_config.json") && !part->packed;
}

static bool is_program(const zip_part *part) {
    return bytes_end(part->name, ".json") && !is_config(part) && bytes_start(part->data, "{");
}

static bool is_saved(const zip_part *part) {
    return bytes_start(part->data, "PK\3\4") && !part->packed;
}

static bool is_pickle(const zip_part *part) {
    return (bytes_end(part->name, ".pkl") || bytes_start(part->data, "\x80")) && !part->packed;
}

/* A storage: in an archive of torch.save, or raw. */
static bool is_raw(const zip_part *part) {
    size_t size = part->name.size;
    bool digit = size > 0 && part->name.data[size - 1] >= '0' && part->name.data[size - 1] <= '9';
    return digit && !part->packed && !is_saved(part);
}

static bool is_mark(const zip_part *part) {
    static const char *const ends[] = {"archive_format", "archive_version", "version", "byteorder",
                                       "serialization_id"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (bytes_end(part->name, ends[i])) {
            return !part->packed;
        }
    }
    return false;
}

/* NULL where there is none. */
static zip_part *draw_part_of(zip_work *w, part_filter *fits) {
    size_t first = mutate_below(&w->r, w->model.count);
    for (size_t i = 0; i < w->model.count; i++) {
        zip_part *part = &w->model.parts[(first + i) % w->model.count];
        if (fits(part)) {
            return part;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------------------- texts */

/* Where a text stands in another from a place on; SIZE_MAX: nowhere. */
static size_t find(ep_bytes in, size_t from, ep_bytes text) {
    for (size_t at = from; text.size <= in.size && at <= in.size - text.size; at++) {
        if (memcmp(in.data + at, text.data, text.size) == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}

/* How often a text stands in another before a place. */
static size_t count_before(ep_bytes in, size_t end, ep_bytes text) {
    size_t count = 0;
    for (size_t at = find(in, 0, text); at < end; at = find(in, at + text.size, text)) {
        count++;
    }
    return count;
}

static const size_t EACH = SIZE_MAX;

/* One text for another, wherever it stands, or only there where it stands for the nth time,
 * from 0 on. */
static bool replace(zip_work *w, zip_part *part, ep_bytes old, ep_bytes new, size_t nth) {
    size_t count = count_before(part->data, SIZE_MAX, old);
    char *to = zip_reserve(w, part->data.size + count * new.size);
    if (count == 0 || to == NULL) {
        return false;
    }
    char *start = to;
    size_t from = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = find(part->data, from, old);
        ep_bytes put = nth == EACH || nth == i ? new : old;
        memcpy(to, part->data.data + from, at - from);
        memcpy(to + (at - from), put.data, put.size);
        to += at - from + put.size;
        from = at + old.size;
    }
    memcpy(to, part->data.data + from, part->data.size - from);
    part->data = (ep_bytes){start, (size_t)(to - start) + part->data.size - from};
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* One of the numbers of a text, which is another then. */
static ep_bytes change_number(zip_work *w, ep_bytes text) {
    static const char *const far[] = {"-1", "9223372036854775807", "9223372036854775808",
                                      "4611686018427387904", "2147483648"};
    size_t at = mutate_below(&w->r, text.size);
    size_t tries = text.size;
    while (tries > 0 && !is_digit(text.data[at])) {
        at = (at + 1) % text.size;
        tries--;
    }
    if (tries == 0) {
        return (ep_bytes){NULL, 0};
    }
    while (at > 0 && is_digit(text.data[at - 1])) {
        at--;
    }
    size_t end = at;
    uint64_t number = 0;
    while (end < text.size && is_digit(text.data[end])) {
        number = number * 10 + (uint64_t)(text.data[end++] - '0');
    }
    char made[24];
    uint64_t next[] = {
        mutate_below(&w->r, 9), number + 1, number == 0 ? 0 : number - 1, number * 2, number / 2,
        mutate_below(&w->r, 35)};
    snprintf(made, sizeof made, "%llu", (unsigned long long)ZIP_DRAW(w, next));
    ep_bytes with = mutate_one_in(&w->r, 12) ? bytes_of(ZIP_DRAW(w, far)) : bytes_of(made);
    return zip_splice(w, text, at, end, with);
}

/* ------------------------------------------------------------------------------ configs */

/* The object that begins behind a key, as it stands in JSON without odd strings. */
static ep_bytes object_behind(ep_bytes text, size_t key) {
    size_t at = key;
    size_t depth = 0;
    while (at < text.size && text.data[at] != '{') {
        at++;
    }
    for (size_t end = at; end < text.size; end++) {
        depth += text.data[end] == '{' ? 1 : 0;
        depth -= text.data[end] == '}' ? 1 : 0;
        if (depth == 0) {
            return (ep_bytes){text.data + at, end + 1 - at};
        }
    }
    return (ep_bytes){NULL, 0};
}

/* Another dtype: two in three have as many bytes as the old one. */
static ep_bytes change_dtype(zip_work *w, ep_bytes text) {
    static const uint8_t sized[][5] = {{1, 2, 12, 29, 30},
                                       {3, 6, 13, 28, 6},
                                       {4, 7, 9, 34, 7},
                                       {5, 8, 10, 35, 8},
                                       {11, 0, 14, 36, 31}};
    ep_bytes key = bytes_of("\"dtype\"");
    size_t at = find(text, 0, key);
    at = at == SIZE_MAX ? at : at + key.size;
    while (at < text.size && !is_digit(text.data[at])) {
        at++;
    }
    size_t end = at;
    unsigned old = 0;
    while (end < text.size && is_digit(text.data[end]) && old < 100) {
        old = old * 10 + (unsigned)(text.data[end++] - '0');
    }
    if (at >= text.size) {
        return (ep_bytes){NULL, 0};
    }
    size_t row = mutate_below(&w->r, 5);
    bool same = !mutate_one_in(&w->r, 3);
    for (size_t i = 0; same && i < 5; i++) {
        row = memchr(sized[i], (int)old, 5) != NULL ? i : row;
    }
    char made[8];
    snprintf(made, sizeof made, "%d", sized[row][mutate_below(&w->r, 5)]);
    return zip_splice(w, text, at, end, bytes_of(made));
}

/* A number of a tensor_meta, in the config alone or in the program too; of all tensors that
 * are like it, or of one of them, which may share its storage with the others. */
static bool change_meta(zip_work *w) {
    zip_part *config = draw_part_of(w, is_config);
    zip_part *program = draw_part_of(w, is_program);
    ep_bytes key = bytes_of("\"tensor_meta\"");
    size_t at = config == NULL || config->data.size == 0
                    ? SIZE_MAX
                    : find(config->data, mutate_below(&w->r, config->data.size), key);
    at = at == SIZE_MAX && config != NULL ? find(config->data, 0, key) : at;
    ep_bytes old = at == SIZE_MAX ? (ep_bytes){NULL, 0} : object_behind(config->data, at);
    bool dtype = mutate_one_in(&w->r, 5);
    ep_bytes new = old.size == 0 ? (ep_bytes){NULL, 0}
                   : dtype       ? change_dtype(w, old)
                                 : change_number(w, old);
    if (new.data == NULL) {
        return false;
    }
    size_t place = (size_t)(old.data - config->data.data);
    size_t nth = mutate_one_in(&w->r, 3) ? count_before(config->data, place, old) : EACH;
    if (program != NULL && !mutate_one_in(&w->r, 6)) {
        replace(w, program, old, new, nth);
    }
    return replace(w, config, old, new, nth);
}

/* A quoted name that readers compare in different ways. SPEC 8.1.8 */
static ep_bytes bend_quoted(zip_work *w, ep_bytes quoted) {
    size_t start = 0;
    while (start < quoted.size && quoted.data[start] != '"') {
        start++;
    }
    size_t end = quoted.size;
    while (end > start && quoted.data[end - 1] != '"') {
        end--;
    }
    if (end < start + 2) {
        return (ep_bytes){NULL, 0};
    }
    ep_bytes name = {quoted.data + start + 1, end - start - 2};
    return zip_splice(w, quoted, start + 1, end - 1, zip_bend(w, name, true));
}

/* An entry shows another member. */
static bool change_path(zip_work *w) {
    zip_part *config = draw_part_of(w, is_config);
    ep_bytes key = bytes_of("\"path_name\"");
    size_t at = config == NULL || config->data.size == 0
                    ? SIZE_MAX
                    : find(config->data, mutate_below(&w->r, config->data.size), key);
    if (at == SIZE_MAX) {
        return false;
    }
    at += key.size;
    size_t end = find(config->data, at, bytes_of(","));
    ep_bytes path = {config->data.data + at, end == SIZE_MAX ? 0 : end - at};
    ep_bytes made = path.size == 0            ? (ep_bytes){NULL, 0}
                    : mutate_one_in(&w->r, 4) ? bend_quoted(w, path)
                                              : change_number(w, path);
    return zip_set(&config->data, zip_splice(w, config->data, at, at + path.size, made));
}

/* Whether a part's data were changed in place, and then to which size. */
static bool resized(zip_part *part, size_t size) {
    if (size > 0) {
        part->data.size = size;
    }
    return size > 0;
}

/* By its types, as programs are. */
static bool change_json(zip_work *w) {
    size_t room;
    zip_part *part = draw_part_of(w, mutate_one_in(&w->r, 4) ? is_program : is_config);
    char *at = part == NULL ? NULL : zip_loosen(w, part, &room);
    size_t size = at == NULL ? 0
                             : fuzz_mutate_program(w->m, (uint8_t *)at, part->data.size, room,
                                                   (uint32_t)mutate_draw(&w->r));
    return resized(part, size);
}

/* ------------------------------------------------------------------------------ members */

static bool change_saved(zip_work *w) {
    size_t room;
    zip_part *part = w->depth < 2 ? draw_part_of(w, is_saved) : NULL;
    char *at = part == NULL ? NULL : zip_loosen(w, part, &room);
    size_t size = at == NULL ? 0 : zip_mutate(w, (uint8_t *)at, part->data.size, room);
    return resized(part, size);
}

static bool change_pickle(zip_work *w) {
    size_t room;
    zip_part *part = draw_part_of(w, is_pickle);
    char *at = part == NULL ? NULL : zip_loosen(w, part, &room);
    size_t size = at == NULL ? 0 : zip_mutate_pickle(&w->r, at, part->data.size, room);
    return resized(part, size);
}

/* Other bytes, a few less, or twice as many. */
static bool change_storage(zip_work *w) {
    zip_part *part = draw_part_of(w, is_raw);
    if (part == NULL) {
        return false;
    }
    size_t less = 1 + mutate_below(&w->r, 8);
    ep_bytes made = part->data;
    switch (mutate_below(&w->r, 4)) {
    case 0:
        made.size -= less < made.size ? less : made.size;
        break;
    case 1:
        made.size = mutate_one_in(&w->r, 2) ? 0 : made.size / 2;
        break;
    case 2:
        made = zip_join(w, made, (ep_bytes){made.data, less < made.size ? less : made.size});
        break;
    default:
        made = zip_join(w, made, made);
    }
    return zip_set(&part->data, made);
}

static bool is_extra(const zip_part *part) {
    return find(part->name, 0, bytes_of("extra")) != SIZE_MAX && !part->packed;
}

/* A text that is given as text: characters of each length, and parts of them. */
static bool change_extra_file(zip_work *w) {
    static const char *const texts[] = {
        "\303\251", "\342\202\254", "\360\237\230\200", "\303", "\342\202", "\360\237\230", "\251",
        "x",        "\355\240\200"};
    zip_part *part = draw_part_of(w, is_extra);
    if (part == NULL) {
        return false;
    }
    ep_bytes text = bytes_of(ZIP_DRAW(w, texts));
    bool before = mutate_one_in(&w->r, 3);
    ep_bytes made = zip_join(w, before ? text : part->data, before ? part->data : text);
    return zip_set(&part->data, made);
}

static bool change_mark(zip_work *w) {
    static const char *const texts[] = {MARK_TEXTS};
    zip_part *part = draw_part_of(w, is_mark);
    if (part != NULL) {
        w->marked = true;
        part->data = bytes_of(ZIP_DRAW(w, texts));
    }
    return part != NULL;
}

/* Into another folder, or under another number. */
static bool move_part(zip_work *w) {
    static const char *const folders[] = {
        "data/weights/", "data/constants/", "data/sample_inputs/",
        "extra/",        "models/",         "data/aotinductor/model/"};
    zip_part *part = zip_draw_part(w);
    ep_bytes name = part->name;
    size_t base = name.size;
    if (mutate_one_in(&w->r, 2)) {
        return name.size > 0 && zip_set(&part->name, change_number(w, name));
    }
    while (base > 0 && name.data[base - 1] != '/') {
        base--;
    }
    ep_bytes folder = bytes_of(ZIP_DRAW(w, folders));
    return zip_set(&part->name, zip_splice(w, name, zip_root(name), base, folder));
}

/* One more member that holds what another does, under another name. */
static bool copy_part(zip_work *w) {
    zip_part part = *zip_draw_part(w);
    return zip_insert(w, part) && move_part(w);
}

/* ------------------------------------------------------------------------------ mending */

/* The marks of the PT2 layout. SPEC 8.2.1 */
static const char *const marks[][2] = {
    {"archive_format", "pt2"},
    {"archive_version", "0"},
    {"byteorder", "little"},
    {".data/version", "6\n"},
};

static void mend_mark(zip_work *w, ep_bytes root, const char *const mark[2]) {
    ep_bytes name = zip_join(w, root, bytes_of(mark[0]));
    zip_part made = {.name = name, .data = bytes_of(mark[1])};
    made.extra = made.local_extra = made.comment = bytes_of("");
    for (size_t i = 0; i < w->model.count; i++) {
        zip_part *part = &w->model.parts[i];
        if (part->name.size == name.size && memcmp(part->name.data, name.data, name.size) == 0) {
            part->data = made.data;
            part->packed = false;
            return;
        }
    }
    if (name.data != NULL && w->model.count < ZIP_PARTS_MAX) {
        w->model.parts[w->model.count++] = made;
    }
}

void zip_mend_state(zip_work *w) {
    zip_part *program = draw_part_of(w, is_program);
    ep_bytes name = program == NULL ? bytes_of("") : program->name;
    if (zip_root(name) == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        mend_mark(w, (ep_bytes){name.data, zip_root(name)}, marks[i]);
    }
}

/* ------------------------------------------------------------------------------ drawing */

bool zip_mutate_state(zip_work *w) {
    static const zip_edit rows[] = {
        {change_meta, 6},    {change_path, 2},       {change_json, 4}, {change_saved, 8},
        {change_pickle, 4},  {change_mark, 2},       {move_part, 1},   {copy_part, 1},
        {change_storage, 2}, {change_extra_file, 1},
    };
    for (size_t tries = 0; tries < 4; tries++) {
        if (zip_edit_by(w, rows, sizeof rows / sizeof rows[0])) {
            return true;
        }
    }
    return false;
}
