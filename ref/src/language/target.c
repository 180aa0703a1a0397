/*
 * language/target.c - see target.h. A target is split at its dots. An overload of an
 * operator is recognised by its shape alone; every other target is looked up in the
 * rows of target.def.
 */
#include "language/target.h"

/* torch, ops, NS, NAME, OVERLOAD */
enum { PARTS_MAX = 5, IN_NAME = 4 };

static const ep_target_row rows[] = {
#define ROW(module, name, arguments, since, until)                                                 \
    module "." name, arguments, sizeof(module "." name) - 1, sizeof(module) - 1, EP_##since,       \
        EP_##until
#define HIGHER_ORDER(name, since, until) LEGACY("torch.ops.higher_order", name, since, until)
#define LEGACY(module, name, since, until)                                                         \
    {ROW(module, #name, NULL, since, until), EP_TARGET_HIGHER_ORDER, EP_TAKES_ANYTHING,            \
     EP_GIVES_ANY},
#define FUNCTION(module, name, arguments, takes, gives, since, until)                              \
    {ROW(module, #name, arguments, since, until), EP_TARGET_FUNCTION, EP_TAKES_##takes,            \
     EP_GIVES_##gives},
#include "language/target.def"
#undef ROW
};

typedef struct name_row {
    const char *name;
    uint8_t since;
    uint8_t until;
} name_row;

static const name_row verifiers[] = {
#define VERIFIER(name, since, until) {name, EP_##since, EP_##until},
#include "language/target.def"
};

typedef struct mark_row {
    char mark;
    uint8_t since;
    uint8_t until;
} mark_row;

static const mark_row marks[] = {
#define EXTENSION(mark, since, until) {mark, EP_##since, EP_##until},
#include "language/target.def"
};

static bool in_range(ep_version_number version, uint8_t since, uint8_t until) {
    return version >= since && version < until;
}

/* --------------------------------------------------------------------- names */

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static bool begins_name(char c) {
    return is_lower(c) || (c >= 'A' && c <= 'Z') || c == '_';
}

const ep_target_row *ep_target_row_at(size_t i) {
    return i < EP_COUNT_OF(rows) ? &rows[i] : NULL;
}

/* The row of a text, whatever its versions, or NULL. No text has two. */
static const ep_target_row *find_row(ep_bytes text) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        if (ep_text_equal(text, (ep_bytes){rows[i].text, rows[i].size})) {
            return &rows[i];
        }
    }
    return NULL;
}

/* -------------------------------------------------------------------- targets */

/* A target between its dots. */
typedef struct dotted {
    ep_bytes parts[PARTS_MAX];
    size_t count;
} dotted;

static bool malformed(const ep_passage *passage, ep_fault *fault, const char *at) {
    return ep_passage_fail(passage, fault, EP_TARGET, at, "an operator's dotted name");
}

/* SPEC 4.5.1: names of ASCII letters, digits and underscores, with dots
 * between. Records nothing beyond the parts that a target may have. */
static bool cut(const ep_passage *passage, dotted *cuts, ep_fault *fault) {
    const char *p = passage->text.data;
    const char *end = p + passage->text.size;
    for (cuts->count = 0;; p++) {
        const char *begin = p;
        if (p == end || !begins_name(*p)) {
            return malformed(passage, fault, p);
        }
        while (p < end && (begins_name(*p) || ep_is_digit(*p))) {
            p++;
        }
        if (p < end && *p != '.') {
            return malformed(passage, fault, p);
        }
        if (cuts->count < PARTS_MAX) {
            cuts->parts[cuts->count] = (ep_bytes){begin, (size_t)(p - begin)};
        }
        cuts->count++;
        if (p == end) {
            return true;
        }
    }
}

static bool unknown(const ep_passage *passage, const ep_target_row *row, ep_fault *fault) {
    ep_passage_fail(passage, fault, EP_TARGET_UNKNOWN, passage->text.data, NULL);
    if (row != NULL) {
        const ep_version *until = ep_version_at(row->until);
        fault->since = ep_version_at(row->since)->name;
        fault->until = until == NULL ? NULL : until->name;
    }
    return false;
}

/* SPEC 4.5.2: a name of the version's lists. */
static bool look_up(const ep_passage *passage, ep_version_number version, ep_target *target,
                    ep_fault *fault) {
    const ep_target_row *row = find_row(passage->text);
    if (row == NULL || !in_range(version, row->since, row->until)) {
        return unknown(passage, row, fault);
    }
    bool higher_order = row->kind == EP_TARGET_HIGHER_ORDER;
    size_t name_at = (size_t)row->module_size + 1;
    target->kind = (ep_target_kind)row->kind;
    target->ns = higher_order ? EP_TEXT("higher_order") : (ep_bytes){row->text, row->module_size};
    target->name = (ep_bytes){row->text + name_at, row->size - name_at};
    target->row = row;
    return true;
}

/* What begins with torch.ops: an overload is of any namespace but the one of
 * the higher-order operators; what is shorter has to be listed. */
static bool parse_operator(const ep_passage *passage, const dotted *cuts, ep_version_number version,
                           ep_target *target, ep_fault *fault) {
    const char *end = passage->text.data + passage->text.size;
    bool higher_order =
        cuts->count >= IN_NAME && ep_text_equal(cuts->parts[2], EP_TEXT("higher_order"));
    if (cuts->count > PARTS_MAX) {
        return malformed(passage, fault, cuts->parts[4].data + cuts->parts[4].size);
    }
    if (cuts->count < PARTS_MAX && !higher_order && find_row(passage->text) == NULL) {
        return malformed(passage, fault, end); /* SPEC 4.5.1 */
    }
    if (cuts->count < PARTS_MAX || higher_order) {
        return look_up(passage, version, target, fault);
    }
    target->ns = cuts->parts[2];
    target->name = cuts->parts[3];
    target->overload = cuts->parts[4];
    return true;
}

static bool is_mark(char c, ep_version_number version) {
    for (size_t i = 0; i < EP_COUNT_OF(marks); i++) {
        if (marks[i].mark == c && in_range(version, marks[i].since, marks[i].until)) {
            return true;
        }
    }
    return false;
}

/* From p to before the colon, or the end; NULL where that is empty, or holds a
 * blank or a control character. */
static const char *pass_label(const char *p, const char *end) {
    const char *begin = p;
    while (p < end && (unsigned char)*p > ' ' && *p != '\x7F' && *p != ':') {
        p++;
    }
    return p == begin ? NULL : p;
}

/* SPEC 4.5.3: any two names without a colon; a handler makes them. */
static bool parse_extension(const ep_passage *passage, ep_target *target, ep_fault *fault) {
    const char *begin = passage->text.data + 1;
    const char *end = passage->text.data + passage->text.size;
    const char *colon = pass_label(begin, end);
    if (colon == NULL || colon == end || *colon != ':') {
        return malformed(passage, fault, colon == NULL ? begin : colon);
    }
    const char *name_end = pass_label(colon + 1, end);
    if (name_end != end) {
        return malformed(passage, fault, name_end == NULL ? colon + 1 : name_end);
    }
    target->kind = EP_TARGET_EXTENSION;
    target->ns = (ep_bytes){begin, (size_t)(colon - begin)};
    target->name = (ep_bytes){colon + 1, (size_t)(end - colon - 1)};
    return true;
}

bool ep_target_parse(const ep_passage *passage, ep_version_number version, ep_target *target,
                     ep_fault *fault) {
    ep_bytes text = passage->text;
    dotted cuts;
    *target = (ep_target){.kind = EP_TARGET_OVERLOAD};
    if (text.size > 0 && is_mark(text.data[0], version)) {
        return parse_extension(passage, target, fault);
    }
    TRY(cut(passage, &cuts, fault));
    if (cuts.count >= 2 && ep_text_equal(cuts.parts[0], EP_TEXT("torch")) &&
        ep_text_equal(cuts.parts[1], EP_TEXT("ops"))) {
        return parse_operator(passage, &cuts, version, target, fault);
    }
    return look_up(passage, version, target, fault);
}

/* ---------------------------------------------------------------- other names */

bool ep_device_type_valid(ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        if (!is_lower(name.data[i]) && name.data[i] != '_') {
            return false; /* SPEC 4.6.1 */
        }
    }
    return name.size > 0;
}

bool ep_verifier_known(ep_bytes name, ep_version_number version) {
    for (size_t i = 0; i < EP_COUNT_OF(verifiers); i++) {
        const name_row *row = &verifiers[i];
        if (in_range(version, row->since, row->until) &&
            ep_text_equal(name, ep_text_of(row->name))) {
            return true;
        }
    }
    return false;
}

/* A parser of a version number, from its beginning to its end. */
typedef struct version_reader {
    const char *p;
    const char *end;
} version_reader;

static bool take_digits(version_reader *reader) {
    const char *begin = reader->p;
    while (reader->p < reader->end && ep_is_digit(*reader->p)) {
        reader->p++;
    }
    return reader->p > begin;
}

static bool take_text(version_reader *reader, ep_bytes text) {
    bool there = (size_t)(reader->end - reader->p) >= text.size &&
                 memcmp(reader->p, text.data, text.size) == 0;
    reader->p += there ? text.size : 0;
    return there;
}

/* A mark with its number; true where the mark is not there. */
static bool take_marked(version_reader *reader, ep_bytes mark) {
    return !take_text(reader, mark) || take_digits(reader);
}

/* The mark of a version before the release, at most one. */
static bool take_early(version_reader *reader) {
    ep_bytes marks_of[] = {EP_TEXT("a"), EP_TEXT("b"), EP_TEXT("rc")};
    for (size_t i = 0; i < EP_COUNT_OF(marks_of); i++) {
        if (take_text(reader, marks_of[i])) {
            return take_digits(reader);
        }
    }
    return true;
}

/* After the plus: letters and digits, with single separators between. */
static bool take_local(version_reader *reader) {
    bool inside = false;
    for (; reader->p < reader->end; reader->p++) {
        char c = *reader->p;
        bool separator = c == '.' || c == '-' || c == '_';
        if ((separator && !inside) || (!separator && !ep_is_digit(c) && !begins_name(c))) {
            return false;
        }
        inside = !separator;
    }
    return inside;
}

/* What PEP 440 calls a version, without an epoch (SPEC 5.7.3). */
bool ep_torch_version_valid(ep_bytes text) {
    if (ep_text_equal(text, EP_TEXT("<=2.4")) || text.size == 0) {
        return text.size != 0;
    }
    version_reader reader = {text.data, text.data + text.size};
    do {
        TRY(take_digits(&reader));
    } while (take_text(&reader, EP_TEXT(".")) && reader.p < reader.end && ep_is_digit(*reader.p));
    reader.p -= reader.p[-1] == '.'; /* of .post and .dev */
    TRY(take_early(&reader));
    TRY(take_marked(&reader, EP_TEXT(".post")));
    TRY(take_marked(&reader, EP_TEXT(".dev")));
    return reader.p == reader.end || (take_text(&reader, EP_TEXT("+")) && take_local(&reader));
}
