/*
 * whole.c - see whole.h. The members of an archive are gone through here; what those say
 * that hold tensors is in agree.c.
 */
#include "whole.h"

#include <string.h>

#include "archive/layout/lookup.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "common/safe.h"

enum { MARK_MAX = 64 };

typedef struct checking {
    const archive *a;
    const whole_wish *wish;
    lookup by_name;
    /* Of each member, whether something names it; and again, for what holds state in the
     * flat layout: loaders know that by the start of its name, and it has to have the whole
     * name. */
    bool *read;
    bool has_model; /* of AOTInductor */
    ep_bytes *member;
    failure *what;
} checking;

static bool refuse_memory(checking *c) {
    return refuse_plainly(c->what, EP_MEMORY);
}

static bool refuse(checking *c, ep_code code, ep_bytes member, const char *why) {
    *c->member = member;
    return refuse_named(c->what, code, member, why);
}

/* -------------------------------------------------------------------------------- members */

static const zipfile_member *member_at(const checking *c, size_t i) {
    return &c->a->zip.members[i];
}

static bool is_folder(const zipfile_member *m) {
    return bytes_end(m->name, "/");
}

/* What follows the folder of the archive. */
static ep_bytes inner_name(const checking *c, const zipfile_member *m) {
    return (ep_bytes){m->name.data + c->a->root.size, m->name.size - c->a->root.size};
}

static const zipfile_member *find_mark(checking *c, const char *name) {
    return lookup_find(&c->by_name, name, (ep_bytes){"", 0}, "");
}

static void mark_read(checking *c, const zipfile_member *m) {
    if (m != NULL) {
        c->read[m - c->a->zip.members] = true;
    }
}

/* The member that was looked for last is not there. */
static bool refuse_missing(checking *c) {
    if (c->by_name.name.failed) {
        return refuse_memory(c);
    }
    *c->member = (ep_bytes){"", 0};
    return refuse_named(c->what, EP_ARCHIVE_PART, buffer_bytes(&c->by_name.name),
                        "it is not there");
}

/* ---------------------------------------------------------------------------------- marks */

static bool is_digits(ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        TRY(text.data[i] >= '0' && text.data[i] <= '9');
    }
    return true;
}

static bool is_pt2(ep_bytes text) {
    return bytes_equal(text, "pt2");
}

static bool is_zero(ep_bytes text) {
    return bytes_equal(text, "0");
}

static bool is_little(ep_bytes text) {
    return bytes_equal(text, "little");
}

/* 1 to 10. */
static bool is_version(ep_bytes text) {
    text.size -= bytes_end(text, "\n") ? 1 : 0;
    return bytes_equal(text, "10") || (text.size == 1 && is_digits(text) && text.data[0] != '0');
}

/* Two numbers of 64 bits, each with 20 digits. */
static bool is_id(ep_bytes text) {
    static const char most[] = "18446744073709551615";
    enum { HALF = sizeof most - 1 };
    return text.size == 2 * HALF && is_digits(text) && memcmp(text.data, most, HALF) <= 0 &&
           memcmp(text.data + HALF, most, HALF) <= 0;
}

typedef struct mark_row {
    const char *name;
    bool (*is_right)(ep_bytes text);
    bool optional;
} mark_row;

/* SPEC 8.2.1 */
static const mark_row marks[] = {
    {"archive_format", is_pt2, false},       {"archive_version", is_zero, false},
    {".data/version", is_version, false},    {"byteorder", is_little, false},
    {".data/serialization_id", is_id, true},
};

/* What a mark says; one that is longer than any is cut. */
static bool read_mark(checking *c, const zipfile_member *m, buffer *text) {
    *c->member = m->name;
    if (zipfile_read_all(&c->a->zip, m, MARK_MAX, text, c->what)) {
        return true;
    }
    return false;
}

static bool check_mark(checking *c, const mark_row *row) {
    const zipfile_member *m = find_mark(c, row->name);
    buffer text = {0};
    if (m == NULL) {
        return (row->optional && !c->by_name.name.failed) || refuse_missing(c);
    }
    bool ok = read_mark(c, m, &text);
    if (ok && !row->is_right(buffer_bytes(&text))) {
        ok = refuse(c, EP_ARCHIVE_MARK, m->name, "no release writes what it says");
    }
    buffer_free(&text);
    return ok;
}

static bool check_marks(checking *c) {
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        TRY(check_mark(c, &marks[i]));
    }
    return true;
}

/* ----------------------------------------------------------------------------- PT2 layout */

/* A pickle, or the config in its place. */
static bool check_part(checking *c, const char *folder, ep_bytes program, const char *config) {
    const zipfile_member *pickle = lookup_find(&c->by_name, folder, program, ".pt");
    if (pickle != NULL || c->by_name.name.failed) {
        return pickle != NULL || refuse_memory(c);
    }
    return (config != NULL && lookup_find(&c->by_name, folder, program, config) != NULL) ||
           refuse_missing(c);
}

/* SPEC 8.2.2, 8.7.1 */
static bool check_not_stripped(checking *c) {
    const zipfile_member *m = archive_stripped(c->a);
    return m == NULL || refuse(c, EP_ARCHIVE_PART, m->name, archive_why_stripped);
}

/* SPEC 8.2.2 */
static bool check_parts(checking *c) {
    ep_bytes name;
    TRY(check_not_stripped(c));
    for (size_t i = 0; i < c->a->zip.count; i++) {
        if (!archive_is_program(member_at(c, i)->name, &name)) {
            continue;
        }
        TRY(check_part(c, "data/weights/", name, "_weights_config.json") &&
            check_part(c, "data/constants/", name, "_constants_config.json") &&
            check_part(c, "data/sample_inputs/", name, NULL));
    }
    return true;
}

/* What AOTInductor names in a config of its own. */
static bool is_of_model(ep_bytes inner) {
    return bytes_start(inner, "data/weights/weight_") ||
           bytes_start(inner, "data/constants/custom_obj_");
}

static bool is_state(ep_bytes inner) {
    return bytes_start(inner, "data/weights/") || bytes_start(inner, "data/constants/") ||
           bytes_start(inner, "data/sample_inputs/");
}

static bool is_of_flat_layout(ep_bytes inner) {
    return bytes_start(inner, "serialized_") || bytes_equal(inner, "version");
}

/* SPEC 8.2.3 */
static bool check_member(checking *c, size_t i) {
    const zipfile_member *m = member_at(c, i);
    ep_bytes inner = inner_name(c, m);
    if (is_folder(m) || c->read[i] || (c->has_model && is_of_model(inner))) {
        return true;
    }
    if (is_state(inner)) {
        return refuse(c, EP_ARCHIVE_UNREAD, m->name, "no config and no program names it");
    }
    return !is_of_flat_layout(inner) ||
           refuse(c, EP_ARCHIVE_UNREAD, m->name, "it is a member of the flat layout");
}

/* -------------------------------------------------------------------- models of AOTInductor */

static const char models[] = "data/aotinductor/";

/* "data/aotinductor/NAME/" of a member. */
static ep_bytes model_of(ep_bytes inner) {
    const char *rest = inner.data + sizeof models - 1;
    size_t size = inner.size - (sizeof models - 1);
    const char *slash = memchr(rest, '/', size);
    return (ep_bytes){inner.data, slash == NULL ? 0 : (size_t)(slash - inner.data) + 1};
}

static bool is_library(ep_bytes name) {
    return bytes_end(name, ".so") || bytes_end(name, ".cpp") || bytes_end(name, ".pyd") ||
           bytes_end(name, ".dll");
}

/* The members of one model stand together in the sorted list. */
static bool check_model(checking *c, size_t *at) {
    ep_bytes model = model_of(inner_name(c, member_at(c, c->by_name.members.items[*at].count)));
    ep_bytes name;
    bool library = false;
    bool metadata = false;
    for (; *at < c->by_name.members.count; ++*at) {
        const zipfile_member *m = member_at(c, c->by_name.members.items[*at].count);
        ep_bytes inner = inner_name(c, m);
        if (inner.size < model.size || memcmp(inner.data, model.data, model.size) != 0) {
            break;
        }
        library = library || is_library(inner);
        metadata = metadata || archive_is_compiled(c->a, m, &name);
    }
    *c->member = (ep_bytes){"", 0}; /* a folder is none */
    return (library && metadata) || refuse_named(c->what, EP_ARCHIVE_PART, model,
                                                 library ? "a model has no wrapper_metadata.json"
                                                         : "a model has no library");
}

static bool check_models(checking *c) {
    for (size_t at = 0; at < c->by_name.members.count;) {
        ep_bytes inner = inner_name(c, member_at(c, c->by_name.members.items[at].count));
        if (!bytes_start(inner, models) || model_of(inner).size == 0) {
            at++;
            continue;
        }
        c->has_model = true;
        TRY(check_model(c, &at));
    }
    return true;
}

/* ---------------------------------------------------------------------------- extra files */

/* Pieces of a text, which may part within a character. */
typedef struct utf8 {
    char rest[4];
    size_t count; /* of the rest */
    bool wrong;
} utf8;

static size_t length_of_character(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static bool take_text(void *context, ep_bytes piece, failure *what) {
    utf8 *u = context;
    (void)what;
    for (size_t i = 0; i < piece.size && !u->wrong; i++) {
        u->rest[u->count++] = piece.data[i];
        if (u->count == length_of_character((unsigned char)u->rest[0])) {
            u->wrong = !safe_is_utf8((ep_bytes){u->rest, u->count});
            u->count = 0;
        }
    }
    return true;
}

/* SPEC 8.2.4 */
static bool check_extra(checking *c, const zipfile_member *m) {
    utf8 u = {.count = 0};
    zipfile_taker taker = {take_text, &u};
    *c->member = m->name;
    TRY(zipfile_read(&c->a->zip, m, m->size, taker, c->what));
    return (!u.wrong && u.count == 0) ||
           refuse(c, EP_UTF8, m->name, "loaders give an extra file as text");
}

static bool check_extras(checking *c, const char *folder) {
    for (size_t i = 0; !c->wish->no_data && i < c->a->zip.count; i++) {
        const zipfile_member *m = member_at(c, i);
        TRY(!bytes_start(inner_name(c, m), folder) || is_folder(m) || check_extra(c, m));
    }
    return true;
}

/* ------------------------------------------------------------------------------ flat layout */

enum { FLAT_JSON, FLAT_PICKLED };

typedef struct flat_row {
    const char *name;
    int form;
    int since_major; /* of the program's version: it has to be there */
    int since_minor;
    bool always; /* it may be there before that */
} flat_row;

/* SPEC 8.2.2 */
static const flat_row flat_rows[] = {
    {"serialized_state_dict.json", FLAT_JSON, 1, 0, false},
    {"serialized_constants.json", FLAT_JSON, 2, 0, false},
    {"serialized_state_dict.pt", FLAT_PICKLED, 5, 0, false},
    {"serialized_constants.pt", FLAT_PICKLED, 5, 0, false},
    {"serialized_example_inputs.pt", FLAT_PICKLED, 5, 4, true},
};

/* The numbers that the program says. */
typedef struct said_version {
    int64_t major;
    int64_t minor; /* -1: there is none */
} said_version;

static bool is_since(said_version said, int major, int minor) {
    return said.major > major || (said.major == major && said.minor >= minor);
}

static bool check_flat_row(checking *c, const flat_row *row, said_version said) {
    const zipfile_member *m = find_mark(c, row->name);
    bool form = row->form == (said.major >= 5 ? FLAT_PICKLED : FLAT_JSON);
    bool since = is_since(said, row->since_major, said.minor < 0 ? -1 : row->since_minor);
    if (m == NULL) {
        return (!c->by_name.name.failed && !(form && since)) || refuse_missing(c);
    }
    if (form && (since || row->always)) {
        mark_read(c, m);
    }
    return true;
}

static bool check_flat_version(checking *c, said_version said) {
    const zipfile_member *m = find_mark(c, "version");
    buffer text = {0};
    buffer wanted = {0};
    if (m == NULL) {
        return refuse_missing(c);
    }
    mark_read(c, m);
    buffer_number(&wanted, said.major);
    if (said.minor >= 0) {
        buffer_byte(&wanted, '.');
        buffer_number(&wanted, said.minor);
    }
    bool ok = read_mark(c, m, &text) && (!wanted.failed || refuse_memory(c));
    if (ok && bytes_compare(buffer_bytes(&text), buffer_bytes(&wanted)) != 0) {
        ok = refuse(c, EP_ARCHIVE_MARK, m->name, "the program says another version");
    }
    buffer_free(&text);
    buffer_free(&wanted);
    return ok;
}

static bool check_flat_members(checking *c, said_version said) {
    TRY(check_not_stripped(c));
    for (size_t i = 0; i < sizeof flat_rows / sizeof flat_rows[0]; i++) {
        TRY(check_flat_row(c, &flat_rows[i], said));
    }
    return true;
}

static bool check_flat_unread(checking *c) {
    mark_read(c, c->a->program);
    for (size_t i = 0; i < c->a->zip.count; i++) {
        const zipfile_member *m = member_at(c, i);
        if (!c->read[i] && !bytes_start(m->name, "extra_files/") && !is_folder(m)) {
            return refuse(c, EP_ARCHIVE_UNREAD, m->name, "its release has no such member");
        }
    }
    return true;
}

static bool read_said_version(checking *c, said_version *said) {
    ep_arena arena;
    const ep_program *program = c->wish->decoded.program;
    bool decoded = c->wish->decoded.member == c->a->program;
    buffer text = {0};
    arena_open(&arena, 0);
    *c->member = c->a->program->name;
    bool ok = decoded || archive_read(c->a, c->wish->limit, &text, c->what);
    if (ok && !decoded) {
        ok = ep_decode(&arena, buffer_bytes(&text), c->wish->decoding, &program, &c->what->error);
        c->what->status = status_of_code(c->what->error.code);
    }
    if (ok) {
        ep_value version = ep_value_field(ep_program_root(program), "schema_version");
        bool number = ep_value_kind(version) == EP_KIND_INT;
        said->major = ep_value_int(number ? version : ep_value_field(version, "major"));
        said->minor = number ? -1 : ep_value_int(ep_value_field(version, "minor"));
    }
    ep_arena_free(&arena);
    buffer_free(&text);
    return ok;
}

/* ------------------------------------------------------------------------------- the whole */

static bool check_tensors(checking *c) {
    tensors_wish wish = {.decoding = c->wish->decoding,
                         .decoded = c->wish->decoded,
                         .limit = c->wish->limit,
                         .no_data = c->wish->no_data,
                         .read = c->read + (c->a->root.size == 0 ? c->a->zip.count : 0)};
    tensors t;
    bool ok = tensors_read(c->a, &wish, &t, c->what);
    if (!ok && t.blamed != NULL) {
        *c->member = t.blamed->name;
    }
    tensors_free(&t);
    return ok;
}

/* The marks of the packages of torch 2.5 to 2.7. SPEC 8.9.2 */
static const mark_row package_marks[] = {
    {"version", is_zero, false},
    {"archive_format", is_pt2, false},
};

/* Members in no folder of a model are the model that torch 2.5 wrote; later releases find none
 * in them. SPEC 8.9.2 */
static bool check_unnamed_model(checking *c) {
    const zipfile_member *first = NULL;
    bool library = false;
    ep_bytes model;
    for (size_t i = 0; i < c->a->zip.count; i++) {
        const zipfile_member *m = member_at(c, i);
        if (archive_is_of_model(c->a, m, &model) && model.size == 0) {
            first = first != NULL ? first : m;
            library = library || is_library(m->name);
        }
    }
    if (first == NULL || (library && c->a->root.size == 0)) {
        return true;
    }
    return refuse(c, EP_ARCHIVE_PART, first->name,
                  library ? "it is in no folder of a model" : "a model has no library");
}

static bool check_package(checking *c) {
    return check_mark(c, &package_marks[0]) && check_mark(c, &package_marks[1]) &&
           check_models(c) && check_unnamed_model(c);
}

static bool check_flat(checking *c) {
    if (c->a->program == NULL) {
        return check_package(c);
    }
    said_version said = {0, 0};
    return read_said_version(c, &said) && check_flat_version(c, said) &&
           check_flat_members(c, said) && check_tensors(c) && check_flat_unread(c) &&
           check_extras(c, "extra_files/");
}

static bool check_pt2(checking *c) {
    TRY(check_marks(c) && check_parts(c) && check_models(c) && check_tensors(c));
    for (size_t i = 0; i < c->a->zip.count; i++) {
        TRY(check_member(c, i));
    }
    return (c->a->program != NULL || check_unnamed_model(c)) && check_extras(c, "extra/");
}

static bool prepare(checking *c) {
    c->read = memory_zeros(c->a->zip.count, 2 * sizeof *c->read);
    return (lookup_open(&c->by_name, c->a) && c->read != NULL) || refuse_memory(c);
}

bool whole_check(const archive *a, const whole_wish *wish, ep_bytes *member, failure *what) {
    checking c = {.a = a, .wish = wish, .member = member, .what = what};
    *member = (ep_bytes){"", 0};
    bool ok = prepare(&c) && (a->root.size == 0 ? check_flat(&c) : check_pt2(&c));
    lookup_close(&c.by_name);
    memory_free(c.read);
    return ok;
}
