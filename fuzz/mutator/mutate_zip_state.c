/*
 * mutator/mutate_zip_state.c - what is done to the members that hold the state of programs:
 * payload configs, raw storages, archives of torch.save, marks; see mutate_zip.h. Half of
 * it keeps to what an archive may be, so that what is judged late is reached.
 */
#include "common/buffer.h"
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
    ep_bytes first = zip_join(w, (ep_bytes){text.data, at}, with);
    return first.data == NULL ? first
                              : zip_join(w, first, (ep_bytes){text.data + end, text.size - end});
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
    ep_bytes first = zip_join(w, (ep_bytes){text.data, at}, bytes_of(made));
    return first.data == NULL ? first
                              : zip_join(w, first, (ep_bytes){text.data + end, text.size - end});
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
    ep_bytes made = zip_bend(w, name, true);
    made = made.data == NULL ? made : zip_join(w, (ep_bytes){quoted.data, start + 1}, made);
    ep_bytes rest = {quoted.data + end - 1, quoted.size - end + 1};
    return made.data == NULL ? made : zip_join(w, made, rest);
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
    ep_bytes before = {config->data.data, at + key.size};
    ep_bytes behind = {config->data.data + before.size, config->data.size - before.size};
    size_t end = find(behind, 0, bytes_of(","));
    ep_bytes path = {behind.data, end == SIZE_MAX ? 0 : end};
    ep_bytes made = path.size == 0            ? path
                    : mutate_one_in(&w->r, 4) ? bend_quoted(w, path)
                                              : change_number(w, path);
    ep_bytes first = made.data == NULL ? made : zip_join(w, before, made);
    ep_bytes all =
        first.data == NULL
            ? first
            : zip_join(w, first, (ep_bytes){behind.data + path.size, behind.size - path.size});
    config->data = all.data == NULL ? config->data : all;
    return all.data != NULL;
}

/* By its types, as programs are. */
static bool change_json(zip_work *w) {
    size_t room;
    zip_part *part = draw_part_of(w, mutate_one_in(&w->r, 4) ? is_program : is_config);
    char *at = part == NULL ? NULL : zip_loosen(w, part, &room);
    size_t size = at == NULL ? 0
                             : fuzz_mutate_program(w->m, (uint8_t *)at, part->data.size, room,
                                                   (uint32_t)mutate_draw(&w->r));
    if (size > 0) {
        part->data.size = size;
    }
    return size > 0;
}

/* ------------------------------------------------------------------------------ members */

static bool change_saved(zip_work *w) {
    size_t room;
    zip_part *part = w->depth < 2 ? draw_part_of(w, is_saved) : NULL;
    char *at = part == NULL ? NULL : zip_loosen(w, part, &room);
    size_t size = at == NULL ? 0 : zip_mutate(w, (uint8_t *)at, part->data.size, room);
    if (size > 0) {
        part->data.size = size;
    }
    return size > 0;
}

static bool change_pickle(zip_work *w) {
    size_t room;
    zip_part *part = draw_part_of(w, is_pickle);
    char *at = part == NULL ? NULL : zip_loosen(w, part, &room);
    size_t size = at == NULL ? 0 : zip_mutate_pickle(&w->r, at, part->data.size, room);
    if (size > 0) {
        part->data.size = size;
    }
    return size > 0;
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
    part->data = made.data == NULL ? part->data : made;
    return made.data != NULL;
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
    part->data = made.data == NULL ? part->data : made;
    return made.data != NULL;
}

static bool change_mark(zip_work *w) {
    static const char *const texts[] = {
        "pt2",
        "pt2\n",
        "PT2",
        "0",
        "1",
        "",
        "6\n",
        "6",
        "10",
        "11",
        "100",
        "10\n\n",
        "101",
        "06",
        " 6",
        "0\n",
        "big",
        "7.1",
        "8.2",
        "little",
        "lit",
        "3\n",
        "0000000000000000000000000000000000000000",
        "1844674407370955161518446744073709551615",
        "0000000000000000000018446744073709551616",
        "1844674407370955161618446744073709551615",
        "0000000000000000000000000000000000000000\n",
        "184467440737095516151844674407370955161",
    };
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
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    if (mutate_one_in(&w->r, 2)) {
        ep_bytes changed = name.size == 0 ? (ep_bytes){NULL, 0} : change_number(w, name);
        part->name = changed.data == NULL ? name : changed;
        return changed.data != NULL;
    }
    while (base > 0 && name.data[base - 1] != '/') {
        base--;
    }
    size_t root = slash == NULL ? 0 : (size_t)(slash + 1 - name.data);
    ep_bytes first =
        zip_join(w, (ep_bytes){name.data, root}, bytes_of(folders[mutate_below(&w->r, 6)]));
    ep_bytes made = first.data == NULL
                        ? first
                        : zip_join(w, first, (ep_bytes){name.data + base, name.size - base});
    part->name = made.data == NULL ? name : made;
    return made.data != NULL;
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
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    if (slash == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        mend_mark(w, (ep_bytes){name.data, (size_t)(slash + 1 - name.data)}, marks[i]);
    }
}

/* ------------------------------------------------------------------------------ drawing */

bool zip_mutate_state(zip_work *w) {
    static const struct {
        bool (*mutate)(zip_work *w);
        unsigned weight;
    } rows[] = {
        {change_meta, 6},    {change_path, 2},       {change_json, 4}, {change_saved, 8},
        {change_pickle, 4},  {change_mark, 2},       {move_part, 1},   {copy_part, 1},
        {change_storage, 2}, {change_extra_file, 1},
    };
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sum += rows[i].weight;
    }
    for (size_t tries = 0; tries < 4; tries++) {
        size_t drawn = mutate_below(&w->r, sum);
        size_t row = 0;
        while (drawn >= rows[row].weight) {
            drawn -= rows[row++].weight;
        }
        if (rows[row].mutate(w)) {
            return true;
        }
    }
    return false;
}
