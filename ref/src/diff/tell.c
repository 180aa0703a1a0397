/*
 * diff/tell.c - a difference reported in terms of the two files: the offset in each that
 * it comes from, and an excerpt; see diff.h. A tree does not record the offsets of
 * numbers and booleans. They are found by scanning the object that contains them.
 */
#include "diff/diff.h"

/* ------------------------------------------------------------- text of the file */

/*
 * Cursors in a valid document. Each is at or before a value that ends inside the
 * document, so that the end need not be checked.
 */

static const char *pass_space(const char *p) {
    while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t') {
        p++;
    }
    return p;
}

/* From a quote to behind the closing one. */
static const char *pass_string(const char *p) {
    for (p++; *p != '"'; p++) {
        p += *p == '\\';
    }
    return p + 1;
}

static bool ends_scalar(char c) {
    return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Skips the value that begins here. */
static const char *pass_value(const char *p) {
    size_t depth = 0;
    if (*p != '"' && *p != '{' && *p != '[') {
        while (!ends_scalar(*p)) {
            p++;
        }
        return p;
    }
    do {
        if (*p == '"') {
            p = pass_string(p);
        } else {
            depth += *p == '{' || *p == '[';
            depth -= *p == '}' || *p == ']';
            p++;
        }
    } while (depth > 0);
    return p;
}

/* From behind a value to the next one; NULL at the end of the container. */
static const char *pass_comma(const char *p) {
    p = pass_space(p);
    return *p == ',' ? pass_space(p + 1) : NULL;
}

/* From behind a key to its value. */
static const char *pass_colon(const char *p) {
    return pass_space(pass_space(p) + 1);
}

/* From the opening brace of an object to the value of a member; NULL if it has no
 * member of that name. */
static const char *find_member(const char *p, ep_bytes name) {
    p = pass_space(p + 1);
    /* only an expr_ast can be empty, and programs with one are not compared */
    if (EP_NEVER(*p == '}')) {
        return NULL;
    }
    for (; p != NULL; p = pass_comma(pass_value(p))) {
        const char *key = p;
        p = pass_string(p);
        bool found =
            (size_t)(p - key) == name.size + 2 && memcmp(key + 1, name.data, name.size) == 0;
        p = pass_colon(p);
        if (found) {
            return p;
        }
    }
    return NULL;
}

/* From the opening bracket of an array to an item; NULL if it has none there. */
static const char *find_item(const char *p, size_t item) {
    /* no migration makes a list of numbers, or a longer one */
    if (EP_NEVER(*p != '[')) {
        return NULL;
    }
    p = pass_space(p + 1);
    for (size_t i = 0; i < item && EP_ALWAYS(p != NULL); i++) { /* as above */
        p = pass_comma(pass_value(p));
    }
    return EP_NEVER(p == NULL) || EP_NEVER(*p == ']') ? NULL : p; /* as above */
}

/* --------------------------------------------------------------------- places */

/* Where to locate a difference, and where its excerpt begins. */
typedef struct place {
    const char *at;
    const char *text;
    ep_place kind;
    bool exact; /* the place of a member or a key, not of the struct that it is in */
} place;

/* The opening quote of a string or of a key; NULL if the string is not in the file. */
static const char *quote_of(ep_bytes file, ep_ref ref) {
    size_t offset = ep_ref_offset(ref);
    bool there = offset > 0 && offset + ep_ref_size(ref) < file.size;
    return there ? file.data + offset - 1 : NULL;
}

/* The place of a member, which is searched for. If it is not found: that of its
 * struct, or none if the struct is the program. */
static place place_of_member(const ep_differ *d, ep_bytes file, const ep_diff_spot *spot) {
    const ep_type *type = d->fields.schema->types[spot->node->type];
    const ep_row *row = spot->member == EP_NO_MEMBER ? NULL : type->members[spot->member].row;
    const char *node = file.data + spot->placed->offset;
    const char *at = row == NULL || spot->placed != spot->node
                         ? NULL
                         : find_member(node, (ep_bytes){row->name, row->name_size});
    for (size_t i = 0; at != NULL && i < spot->depth; i++) {
        at = find_item(at, spot->steps[i]);
    }
    if (at != NULL) {
        return (place){at, at, EP_PLACE_VALUE, true};
    }
    bool program = spot->placed->type == d->fields.schema->root->number;
    return program ? (place){NULL, NULL, EP_PLACE_VALUE, false} /* a whole program has none */
                   : (place){node, node, EP_PLACE_VALUE, false};
}

static place place_of(const ep_differ *d, ep_bytes file, const ep_diff_spot *spot,
                      const ep_diff_pair *pair, size_t half) {
    const char *quote = pair->shape->op == EP_OP_STR ? quote_of(file, pair->bits[half]) : NULL;
    if (quote != NULL) {
        return (place){quote, quote, EP_PLACE_VALUE, true};
    }
    quote = quote_of(file, spot->key); /* none where there is no key */
    if (quote != NULL) {
        return (place){quote, pass_colon(pass_string(quote)), EP_PLACE_KEY, true};
    }
    return place_of_member(d, file, spot);
}

/* ----------------------------------------------------------------------- texts */

enum { TEXT_MAX = 120, TEXT_BEFORE = 40 };

static bool continues(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Cuts a text that is too long to be shown, between two characters. */
static void cut(ep_diff_side *side) {
    ep_bytes *text = &side->text;
    if (text->size <= TEXT_MAX) {
        return;
    }
    side->cut_behind = true;
    text->size = TEXT_MAX;
    while (continues(text->data[text->size])) { /* its first character is whole */
        text->size--;
    }
}

/* Begins the excerpt of a long text shortly before the first byte that differs. */
static void cut_before(ep_diff_side *side, size_t parted) {
    ep_bytes *text = &side->text;
    if (parted < TEXT_MAX - TEXT_BEFORE || text->size <= TEXT_MAX) {
        return;
    }
    size_t skip = parted - TEXT_BEFORE;
    while (continues(text->data[skip])) {
        skip--;
    }
    side->cut_before = true;
    *text = (ep_bytes){text->data + skip, text->size - skip};
}

static void cut_both(ep_diff_side sides[2]) {
    ep_bytes a = sides[0].text;
    ep_bytes b = sides[1].text;
    size_t same = 0;
    while (same < a.size && same < b.size && a.data[same] == b.data[same]) {
        same++;
    }
    if (same < a.size || same < b.size) {
        cut_before(&sides[0], same);
        cut_before(&sides[1], same);
    }
    cut(&sides[0]);
    cut(&sides[1]);
}

/* ------------------------------------------------------------------- reporting */

/* The name of an enumerator. The file has only its number. */
static const char *enumerator_of(const ep_diff_pair *pair, size_t half, bool said) {
    if (pair->shape->op != EP_OP_ENUM || !said) {
        return NULL;
    }
    uint8_t member = ep_type_find_value(pair->shape->type, (int64_t)pair->bits[half]);
    /* what was decoded is one */
    return EP_NEVER(member == EP_NO_MEMBER) ? NULL : pair->shape->type->members[member].row->name;
}

/* Whether the program has a value at the reported place. */
static bool is_said(const ep_differ *d, const ep_diff_spot *spot) {
    bool in_struct = spot->member != EP_NO_MEMBER &&
                     d->fields.schema->types[spot->node->type]->kind == EP_KIND_STRUCT;
    return !in_struct || (spot->node->present >> spot->member & 1) != 0;
}

static void fill_side(ep_differ *d, const ep_diff_pair *pair, size_t half, ep_diff_side *side) {
    const ep_diff_spot *spot = &pair->at[half];
    ep_bytes file = d->half[half].given->input;
    *side = (ep_diff_side){.there = !spot->absent, .part = d->part[half]};
    if (spot->absent || spot->placed == NULL) {
        return;
    }
    place p = place_of(d, file, spot, pair, half);
    bool said = is_said(d, spot);
    side->there = said || p.exact;
    side->enumerator = enumerator_of(pair, half, said);
    d->walked += p.at == NULL ? file.size : 0;
    if (p.at == NULL) {
        return;
    }
    ep_fault fault = {.offset = (size_t)(p.at - file.data), .place = p.kind};
    ep_error_fill(&side->place, file, &fault);
    d->walked += fault.offset;
    if (side->there) {
        side->text = (ep_bytes){p.text, (size_t)(pass_value(p.text) - p.text)};
        d->walked += side->text.size;
    }
}

/* How many differences are always reported, and how much of the files may be scanned
 * to locate more. */
enum { TOLD_LEAST = 8, WALKS_MAX = 4, WALKED_MAX = 1 << 22 };

static bool may_tell(const ep_differ *d) {
    size_t told = d->result->told;
    size_t bytes = d->half[0].given->input.size + d->half[1].given->input.size;
    bool cheap = told < TOLD_LEAST || d->walked / WALKS_MAX <= bytes + WALKED_MAX;
    return d->options->hear != NULL && told < d->options->limit && cheap;
}

void ep_diff_enter(ep_differ *d, size_t one, size_t other) {
    d->part[0] = one;
    d->part[1] = other;
    if (one != 0 && other != 0 && d->options->hear_parts != NULL) {
        d->options->hear_parts(d->options->parts_context, d->part, NULL);
    }
}

void ep_diff_tell(ep_differ *d, ep_diff_group group, const ep_diff_pair *pair) {
    const ep_diff_spot *spot = &pair->at[pair->at[0].absent ? 1 : 0];
    const ep_type *type = d->fields.schema->types[spot->node->type];
    d->result->count++;
    if (d->options->hear_parts != NULL) {
        d->options->hear_parts(d->options->parts_context, d->part, &group);
    }
    if (!may_tell(d)) {
        return;
    }
    ep_difference difference = {
        .group = group, .type = type->name, .target = d->target, .argument = d->argument};
    if (spot->member != EP_NO_MEMBER) {
        difference.member = type->members[spot->member].row->name;
    }
    fill_side(d, pair, 0, &difference.sides[0]);
    fill_side(d, pair, 1, &difference.sides[1]);
    cut_both(difference.sides);
    d->walked += difference.target.size + difference.argument.size;
    d->result->told++;
    d->options->hear(d->options->hear_context, &difference);
}
