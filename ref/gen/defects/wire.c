/*
 * wire.c - defects of the wire level (SPEC part 2), and its limit of
 * depth (1.4.2).
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------- filters */

static char first_byte(const defect *d, const place *p) {
    return d->places.text.data[p->begin];
}

static bool is_container(const defect *d, const place *p, const void *context) {
    (void)context;
    return first_byte(d, p) == '{' || first_byte(d, p) == '[';
}

static bool is_filled(const defect *d, const place *p, const void *context) {
    return p->count > 0 && is_container(d, p, context);
}

static bool is_object(const defect *d, const place *p, const void *context) {
    (void)context;
    return p->count > 0 && first_byte(d, p) == '{';
}

static bool is_number(const defect *d, const place *p, const void *context) {
    (void)context;
    return strchr("-0123456789", first_byte(d, p)) != NULL;
}

static bool is_whole_number(const defect *d, const place *p, const void *context) {
    ep_bytes text = bytes_at(d, p);
    return is_number(d, p, context) && find_bytes(text, 0, ".") == text.size &&
           find_bytes(text, 0, "e") == text.size && find_bytes(text, 0, "I") == text.size;
}

static bool is_word(const defect *d, const place *p, const void *context) {
    (void)context;
    return strchr("tfn", first_byte(d, p)) != NULL;
}

static bool is_string(const defect *d, const place *p, const void *context) {
    (void)context;
    return first_byte(d, p) == '"';
}

static bool has_key(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return p->key != 0;
}

static bool is_later(const defect *d, const place *p, const void *context) {
    (void)context;
    return outer(d, p) != NULL && p != first_in(d, outer(d, p));
}

static bool is_inner(const defect *d, const place *p, const void *context) {
    (void)context;
    return outer(d, p) != NULL;
}

/* ------------------------------------------------------------- 2.1: one text */

bool defect_end(defect *d) {
    /* what is left ends before the last brace */
    size_t at = draw(d, d->places.items[0].end);
    return replace_bytes(d, at, d->places.text.size, "");
}

static bool trailing_comma(defect *d) {
    const place *p = draw_place(d, is_filled, NULL);
    return p != NULL && replace_bytes(d, p->end - 1, p->end - 1, ",");
}

static bool missing_comma(defect *d) {
    const place *p = draw_place(d, is_later, NULL);
    if (p == NULL) {
        return no_place(d, "no list or object has two items");
    }
    const place *before = previous_of(d, p);
    return replace_bytes(d, before->end, before->end + 1, "");
}

static bool other_colon(defect *d) {
    static const char *const others[] = {" ", "=", " = ", ", ", ":: "};
    const place *p = draw_place(d, has_key, NULL);
    return replace_bytes(d, p->key + key_at(d, p).size + 2, p->begin, DRAW_FROM(d, others));
}

static bool other_word(defect *d) {
    static const char *const words[] = {"True", "False",     "None", "nil",
                                        "TRUE", "undefined", "trux"};
    const place *p = draw_place(d, is_word, NULL);
    if (p == NULL) {
        return no_place(d, "it has none of the words true, false and null");
    }
    return replace(d, p, DRAW_FROM(d, words));
}

static bool other_quotes(defect *d) {
    const place *p = draw_place(d, is_string, NULL);
    replace(d, p, "'");
    put_bytes(d, text_at(d, p));
    put(d, "'");
    return true;
}

static bool no_quotes(defect *d) {
    const place *p = draw_place(d, has_key, NULL);
    ep_bytes key = key_at(d, p);
    replace_bytes(d, p->key, p->key + key.size + 2, "");
    put_bytes(d, key);
    return true;
}

static bool stray_bytes(defect *d) {
    static const char *const bytes[] = {"/* comment */ ", "// comment\n", "# comment\n", "\f", "\v",
                                        "\xc2\xa0",       "\xe2\x80\xa8", "\x7f",        "@",  ")"};
    const place *p = draw_place(d, is_inner, NULL);
    return replace_bytes(d, p->begin, p->begin, DRAW_FROM(d, bytes));
}

static bool other_bracket(defect *d) {
    const place *p = draw_place(d, is_container, NULL);
    return replace_bytes(d, p->end - 1, p->end, first_byte(d, p) == '{' ? "]" : "}");
}

static bool odd_number(defect *d) {
    static const char *const before[] = {"+", ".", "$", "0x"};
    const place *p = draw_place(d, is_whole_number, NULL);
    const char *what = DRAW_FROM(d, before);
    return p != NULL && replace_bytes(d, p->begin, p->begin, what);
}

static bool grouped_number(defect *d) {
    static const char *const behind[] = {"_000", "x1", "L", "n", " 000"};
    const place *p = draw_place(d, is_whole_number, NULL);
    const char *what = DRAW_FROM(d, behind);
    return p != NULL && replace_bytes(d, p->end, p->end, what);
}

bool defect_syntax(defect *d) {
    static defect_function *const ways[] = {
        trailing_comma, missing_comma, other_colon,   other_word, other_quotes,
        no_quotes,      stray_bytes,   other_bracket, odd_number, grouped_number};
    return TRY_WAYS(d, ways);
}

bool defect_trailing(defect *d) {
    static const char *const tails[] = {"}",      "]",  ",",    " {}", "x",
                                        "\nnull", " 0", "\"\"", ";",   "\f"};
    size_t end = d->places.text.size;
    return replace_bytes(d, end, end, DRAW_FROM(d, tails));
}

/* -------------------------------------------------- 2.2, 2.4: bytes, strings */

bool defect_bom(defect *d) {
    static const char *const marks[] = {"\xef\xbb\xbf", "\xef\xbb\xbf ", "\xef\xbb\xbf\n"};
    return replace_bytes(d, 0, 0, DRAW_FROM(d, marks));
}

/* How many bytes the next character of a string takes; both escapes of a pair
 * are one. */
static size_t character_size(const char *text) {
    if (text[0] != '\\') {
        return 1;
    }
    if (text[1] != 'u') {
        return 2;
    }
    bool high =
        text[2] == 'd' && (text[3] == '8' || text[3] == '9' || text[3] == 'a' || text[3] == 'b');
    return high ? 12 : 6;
}

/* Puts bytes between two characters of a string or key. */
static bool insert_bytes(defect *d, const char *bytes, size_t size) {
    bool of_key = draw(d, 2) == 0;
    const place *p = draw_place(d, of_key ? has_key : is_string, NULL);
    ep_bytes text = of_key ? key_at(d, p) : text_at(d, p);
    size_t characters = 0;
    for (size_t at = 0; at < text.size; at += character_size(text.data + at)) {
        characters++;
    }
    size_t at = 0;
    for (size_t left = draw(d, characters + 1); left > 0; left--) {
        at += character_size(text.data + at);
    }
    d->begin = (size_t)(text.data - d->places.text.data) + at;
    d->end = d->begin;
    put_bytes(d, (ep_bytes){bytes, size});
    return true;
}

static bool insert_one(defect *d, const char *bytes) {
    return insert_bytes(d, bytes, strlen(bytes));
}

bool defect_utf8(defect *d) {
    static const char *const wrong[] = {
        "\xff",
        "\xfe",
        "\x80",
        "\xbf",
        "\xc0\xaf",
        "\xc3",
        "\xe0\x80\x80",
        "\xe2\x82",
        "\xed\xa0\x80",
        "\xf0\x80\x80\x80",
        "\xf0\x9f",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
    };
    return insert_one(d, DRAW_FROM(d, wrong));
}

bool defect_control(defect *d) {
    char control = (char)draw(d, 0x20);
    return insert_bytes(d, &control, 1);
}

bool defect_escape(defect *d) {
    static const char *const wrong[] = {"\\x41",       "\\'",     "\\a",     "\\ ",
                                        "\\U0001f600", "\\u12g4", "\\u+123", "\\u 123",
                                        "\\0",         "\\{",     "\\v",     "\\u00_0"};
    return insert_one(d, DRAW_FROM(d, wrong));
}

bool defect_surrogate(defect *d) {
    static const char *const wrong[] = {"\\ud83d",    "\\ude00",        "\\udbff-",
                                        "\\udc00",    "\\ude00\\ud83d", "\\uD800\\u0041",
                                        "\\ud83d\\n", "\\uDFFF"};
    return insert_one(d, DRAW_FROM(d, wrong));
}

/* ----------------------------------------------------------- 2.6, 2.5: the rest */

bool defect_number(defect *d) {
    static const char *const wrong[] = {"0%", "%.", "%e", "%e+", "%E-", "00%", "%.e1", "%.x"};
    const place *p = draw_place(d, is_whole_number, NULL);
    ep_bytes digits = bytes_at(d, p);
    replace(d, p, "");
    if (draw(d, 4) == 0) {
        static const char *const signs[] = {"-", "--1", "-x", "-.5", "- 1"};
        put(d, DRAW_FROM(d, signs));
        return true;
    }
    if (digits.data[0] == '-' || draw(d, 3) == 0) {
        digits = (ep_bytes){digits.data + (digits.data[0] == '-'),
                            digits.size - (digits.data[0] == '-')};
        put(d, "-");
    }
    put_template(d, DRAW_FROM(d, wrong), digits);
    return true;
}

/* The key once more, maybe with its first character as an escape. */
static void put_key_again(defect *d, ep_bytes key) {
    static const char digits[] = "0123456789abcdef";
    put(d, "\"");
    if (key.size > 0 && key.data[0] != '\\' && draw(d, 3) == 0) {
        char escape[] = {
            '\\', 'u', '0', '0', digits[key.data[0] >> 4 & 15], digits[key.data[0] & 15], 0};
        put(d, escape);
        key = (ep_bytes){key.data + 1, key.size - 1};
    }
    put_bytes(d, key);
    put(d, "\": ");
}

bool defect_duplicate_key(defect *d) {
    enum { COPY_MAX = 2000 };
    const place *object = draw_place(d, is_object, NULL);
    const place *p = first_in(d, object);
    for (size_t left = draw(d, object->count); left > 0; left--) {
        p = next_of(d, p);
    }
    insert_into(d, object);
    put_key_again(d, key_at(d, p));
    if (p->end - p->begin < COPY_MAX && draw(d, 2) == 0) {
        put_bytes(d, bytes_at(d, p));
    } else {
        put(d, "null");
    }
    return true;
}

/* Where a version writes them bare, a value of another type, but for what
 * schema_version has codes of its own for. */
static bool takes_no_literal(const defect *d, const place *p, const void *context) {
    (void)context;
    if (d->version->nonfinite != EP_NONFINITE_BARE) {
        return is_inner(d, p, NULL) && !is_container(d, p, NULL);
    }
    return p->kind != EP_KIND_FLOAT && p->kind != EP_KIND_NULL && is_inner(d, p, NULL) &&
           !is_container(d, p, NULL) && !is_member(p, "ExportedProgram", "schema_version") &&
           !is_member(outer(d, p), "ExportedProgram", "schema_version");
}

bool defect_nonfinite(defect *d) {
    static const char *const literals[] = {"NaN", "Infinity", "-Infinity"};
    const place *p = draw_place(d, takes_no_literal, NULL);
    bool end = p->type != NULL && strcmp(p->type, "RangeConstraint") == 0;
    return replace(d, p, end ? "NaN" : DRAW_FROM(d, literals));
}

/* ---------------------------------------------------------------- 1.4.2: depth */

bool defect_limit_depth(defect *d) {
    enum { DEEP = 1001 };
    size_t depth = DEEP + draw(d, 500);
    const place *p = draw_place(d, is_inner, NULL);
    bool object = draw(d, 2) == 0;
    replace(d, p, "");
    for (size_t i = 0; i < depth; i++) {
        put(d, object ? "{\"a\": " : "[");
    }
    put(d, object ? "{" : "");
    for (size_t i = 0; i < depth + object; i++) {
        put(d, object ? "}" : "]");
    }
    return true;
}
