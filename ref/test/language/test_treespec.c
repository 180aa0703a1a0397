/*
 * test_treespec.c - tree specs: what PyTorch's releases
 * wrote, each error with its byte, cuts and damage, refused memory, and texts
 * made to hurt. As an argument it takes the specs of the golden corpus:
 *
 *     test_treespec golden/treespecs.txt
 */
#include "language/treespec.h"

#include "check.h"
#include "quoted.h"

#include <stdlib.h>

enum { DEPTH = 256 };

/* The program of the tests describes two named tuples. */
static bool find_named(void *context, ep_bytes name, size_t *fields) {
    (void)context;
    if (ep_text_equal(name, EP_TEXT("models.Pair"))) {
        *fields = 2;
        return true;
    }
    *fields = 0;
    return ep_text_equal(name, EP_TEXT("models.Empty"));
}

static ep_treespec_options options_of(ep_version_number version) {
    return (ep_treespec_options){DEPTH, version, version >= EP_V8_7 ? find_named : NULL, NULL};
}

static bool parse(quoted *s, const ep_treespec_options *options, const ep_treespec **spec) {
    return ep_treespec_parse(&s->arena, &s->passage, options, spec, &s->fault);
}

/* That a spec is printed as its text. */
static bool check_print(quoted *s, const ep_treespec *spec) {
    ep_bytes text;
    return CHECK(ep_treespec_print(spec, &s->arena, &text)) &&
           CHECK_EQ_BYTES(text.data, text.size, s->passage.text.data, s->passage.text.size);
}

/* That the counts of a spec agree with what a walk over it finds. */
static void check_counts(const ep_treespec *spec) {
    size_t leaves = 0;
    const ep_treespec_node *node = spec->root;
    CHECK(node->parent == NULL && node->next == NULL);
    while (node != NULL) {
        size_t children = 0;
        for (const ep_treespec_node *child = node->first; child != NULL; child = child->next) {
            children++;
            CHECK(child->parent == node);
        }
        CHECK_EQ_INT(node->count, children);
        const ep_treespec_key *keys;
        size_t key_count;
        bool has_keys = ep_treespec_keys(node, &keys, &key_count);
        CHECK(has_keys ? key_count == children : keys == NULL && key_count == 0);
        leaves += node->type == NULL;
        if (node->first != NULL) {
            node = node->first;
            continue;
        }
        while (node != NULL && node->next == NULL) {
            node = node->parent;
        }
        node = node == NULL ? NULL : node->next;
    }
    CHECK_EQ_INT(spec->leaves, leaves);
    CHECK_EQ_INT(spec->root->leaves, leaves);
}

static void check_valid(ep_bytes text, ep_version_number version) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_treespec_options options = options_of(version);
    const ep_treespec *spec;
    CHECK(quoted_text(&s, text));
    if (CHECK_NOTE(parse(&s, &options, &spec), s.file.data)) {
        CHECK_EQ_INT(spec->protocol, 1);
        check_print(&s, spec);
        check_counts(spec);
    } else {
        fprintf(stderr, "    %s at %zu\n", ep_code_name(s.fault.code), s.fault.offset);
    }
    quoted_close(&s);
}

/* ------------------------------------------------------------ golden programs */

/* A line is a list of versions, a space and a text. */
static void check_golden_line(const char *line, const char *end) {
    const char *text = memchr(line, ' ', (size_t)(end - line));
    if (!CHECK(text != NULL)) {
        return;
    }
    for (const char *p = line; p < text;) {
        char name[16] = {0};
        size_t size = strcspn(p, ", ");
        memcpy(name, p, size < sizeof name ? size : 0);
        const ep_version *version = ep_version_find(name);
        if (CHECK_NOTE(version != NULL, name)) {
            check_valid((ep_bytes){text + 1, (size_t)(end - text - 1)},
                        ep_version_number_of(version));
        }
        p += size + 1;
    }
}

static void test_golden(const char *path) {
    test_text file = {0};
    size_t lines = 0;
    CHECK(test_read_file(path, &file));
    const char *end = file.data + file.size;
    for (const char *line = file.data; line < end; lines++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop == NULL ? end : stop;
        check_golden_line(line, stop);
        line = stop + 1;
    }
    CHECK_EQ_INT(lines, 42);
    test_text_free(&file);
}

/* ---------------------------------------------------------------- what is valid */

#define LEAF "{\"type\": null, \"context\": null, \"children_spec\": []}"
#define NODE(type, context, children)                                                              \
    "{\"type\": \"" type "\", \"context\": " context ", \"children_spec\": [" children "]}"
#define TUPLE(children) NODE("builtins.tuple", "\"null\"", children)
#define DICT(context, children) NODE("builtins.dict", "\"" context "\"", children)
#define SPEC(node) "[1, " node "]"
#define FACTORY(module, name, keys)                                                                \
    "{\"default_factory_module\": \"" module "\", \"default_factory_name\": \"" name               \
    "\", \"dict_context\": " keys "}"
#define FIELDS(name, fields) "{\"class_name\": \"" name "\", \"fields\": " fields "}"
#define ENUM(fqn, name) "{\"__enum__\": true, \"fqn\": \"" fqn "\", \"name\": \"" name "\"}"
#define ENUM_IN(fqn, name)                                                                         \
    "{\\\"__enum__\\\": true, \\\"fqn\\\": \\\"" fqn "\\\", \\\"name\\\": \\\"" name "\\\"}"

#define TOUR                                                                                       \
    SPEC(TUPLE(TUPLE(LEAF ", " LEAF) ", " DICT("[\\\"\\\\u00e9 a\\\", 7]",                         \
                                               LEAF ", " NODE("m.\\u00c4", "[1]", ""))))

typedef struct valid_row {
    ep_version_number version;
    const char *text;
} valid_row;

static const valid_row valid_rows[] = {
    {EP_V1_2023_08, SPEC(LEAF)},
    {EP_V8_20, TOUR},
    {EP_V8_20, SPEC(TUPLE(LEAF ", " TUPLE("") ", " LEAF))},
    {EP_V8_20, SPEC(NODE("torch.Size", "\"null\"", LEAF))},
    {EP_V8_20, SPEC(NODE("torch.fx.immutable_collections.immutable_list", "\"null\"", LEAF))},
    {EP_V8_20, SPEC(NODE("torch.fx.immutable_collections.immutable_dict", "\"[3]\"", LEAF))},
    {EP_V8_20, SPEC(NODE("torch.nn.attention.flex_attention.BlockMask", "\"x\"", LEAF))},
    /* keys of every kind, all different */
    {EP_V8_20, SPEC(DICT("[\\\"1\\\", 1, 2.5, false, null, -3, \\\"null\\\", 1e+300]", LEAF
                         ", " LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF))},
    {EP_V8_20, SPEC(DICT("[\\\"\\\\u00e4\\\", \\\"\\\\n\\\"]", LEAF ", " LEAF))},
    {EP_V8_20, SPEC(DICT("[9223372036854775807, 9.223372036854776e+18]", LEAF ", " LEAF))},
    {EP_V8_20, SPEC(DICT("[-1e+300, 1e+300]", LEAF ", " LEAF))},
    {EP_V8_20, SPEC(DICT("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
                         LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF ", " LEAF
                              ", " LEAF ", " LEAF))},
    {EP_V8_2,
     SPEC(DICT("[" ENUM_IN("m.n:A.B", "RED") ", " ENUM_IN("m.n:A.B", "BLUE") "]", LEAF ", " LEAF))},
    /* deque */
    {EP_V8_20, SPEC(NODE("collections.deque", "\"null\"", LEAF ", " LEAF))},
    {EP_V8_20, SPEC(NODE("collections.deque", "\"2\"", LEAF ", " LEAF))},
    {EP_V8_20, SPEC(NODE("collections.deque", "\"0\"", ""))},
    {EP_V8_20, SPEC(NODE("collections.deque", "\"9223372036854775807\"", LEAF))},
    /* defaultdict */
    {EP_V8_20, SPEC(NODE("collections.defaultdict", FACTORY("builtins", "list", "[]"), ""))},
    {EP_V8_20, SPEC(NODE("collections.defaultdict",
                         FACTORY("a.b", "f.<locals>.<lambda>", "[\"k\", " ENUM("m:E", "A") "]"),
                         LEAF ", " LEAF))},
    /* named tuples */
    {EP_V1, SPEC(NODE("collections.namedtuple", FIELDS("P", "[\"x\", \"y\"]"), LEAF ", " LEAF))},
    {EP_V2, SPEC(NODE("collections.namedtuple", FIELDS("P", "[]"), ""))},
    {EP_V3_1, SPEC(NODE("collections.namedtuple", FIELDS("P", "[\"x\"]"), LEAF))},
    {EP_V3_1, SPEC(NODE("collections.namedtuple", "\"models.Other\"", LEAF))},
    {EP_V5_1, SPEC(NODE("collections.namedtuple", "\"models.Other\"", LEAF))},
    {EP_V8_7, SPEC(NODE("collections.namedtuple", "\"models.Pair\"", LEAF ", " LEAF))},
    {EP_V8_20, SPEC(NODE("collections.namedtuple", "\"models.Empty\"", ""))},
    {EP_V8_20, SPEC(NODE("models.Pair", "\"models.Pair\"", LEAF ", " LEAF))},
    /* types of users: any context, text or value */
    {EP_V1, SPEC(NODE("a.b.C", "null", LEAF))},
    {EP_V8_20, SPEC(NODE("C", "\"zz [\"", LEAF))},
    {EP_V8_20, SPEC(NODE("a.f.<locals>.C", "{\"k\": [1, -2.5, {}, [], true, \"\\u00e9\"]}", ""))},
    {EP_V8_20, SPEC(NODE("m.\\u00c4", "2.5", LEAF))},
    {EP_V8_20, SPEC(NODE("builtin.tuple", "\"\"", ""))},
};

static void test_valid(void) {
    for (size_t i = 0; i < EP_COUNT_OF(valid_rows); i++) {
        check_valid(ep_text_of(valid_rows[i].text), valid_rows[i].version);
    }
}

/* ------------------------------------------------------------------- errors */

typedef struct error_row {
    ep_version_number version;
    ep_code code;
    const char *text; /* with '@' before the byte at which the error is */
} error_row;

#define UP_TO_CHILDREN "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": "

static const error_row error_rows[] = {
    /* SPEC 4.2.1 */
    {EP_V8_20, EP_TREESPEC, "@"},
    {EP_V8_20, EP_TREESPEC, "@{}"},
    {EP_V8_20, EP_TREESPEC, "@" TUPLE(LEAF)},
    {EP_V8_20, EP_TREESPEC, "[@]"},
    {EP_V8_20, EP_TREESPEC, "[@null, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[@1.0, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[0@1, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[@\"1\", " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[1@]"},
    {EP_V8_20, EP_TREESPEC, "[1, @]"},
    {EP_V8_20, EP_TREESPEC, "[1, {@"},
    {EP_V8_20, EP_TREESPEC, "[1,@" LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[1, @ " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "@ [1, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[1, " LEAF "@"},
    {EP_V8_20, EP_TREESPEC, "[1, " LEAF "@, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC, "[1, " LEAF "]@ "},
    {EP_V8_20, EP_TREESPEC, "[1, " LEAF "]@zz"},
    {EP_V8_20, EP_TREESPEC, "[1, @null]"},
    {EP_V8_20, EP_TREESPEC, "[1, {@}]"},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"@context\": \"null\", \"type\": \"m.T\", ")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"t@ag\": \"m.T\", \"context\": \"null\"}")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": \"m.T\", \"c@hildren_spec\": []}")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": \"m.T\", \"@type\": \"m.T\"}")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": \"m.T\", \"context\": \"null\"@}")},
    {EP_V8_20, EP_TREESPEC, SPEC(UP_TO_CHILDREN "[]@, \"z\": 1}")},
    {EP_V8_20, EP_TREESPEC, SPEC(UP_TO_CHILDREN "@null}")},
    {EP_V8_20, EP_TREESPEC, SPEC(UP_TO_CHILDREN "@{}}")},
    {EP_V8_20, EP_TREESPEC, SPEC(UP_TO_CHILDREN "[@null]}")},
    {EP_V8_20, EP_TREESPEC, SPEC(TUPLE(LEAF ",@" LEAF))},
    {EP_V8_20, EP_TREESPEC, SPEC(TUPLE(LEAF ", @"))},
    {EP_V8_20, EP_TREESPEC, SPEC(TUPLE("@, " LEAF))},
    {EP_V8_20, EP_TREESPEC, SPEC(TUPLE("@ "))},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": @1, \"context\": \"null\", \"children_spec\": []}")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\":@\"m.T\", \"context\": null, \"children_spec\": []}")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": @\"m.\\u0054\", \"context\": null")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": @\"m.\\u00C4\", \"context\": null")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": @\"m.\xC3\x84\", \"context\": null")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": \"m@\\x\", \"context\": null")},
    {EP_V8_20, EP_TREESPEC, SPEC("{\"type\": \"m@\\ud800\", \"context\": null")},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "{\"a\": 1, @\"a\": 2}", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[1,@2]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[1@ , 2]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[@ ]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "{\"a\"@ : 1}", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "{\"a\": @ 1}", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[@-0]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[@1.50]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "@1e5", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "@1e999", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[@NaN]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[@-Infinity]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[1, @]", ""))},
    {EP_V8_20, EP_TREESPEC, SPEC(NODE("m.T", "[@\"\\/\"]", ""))},
    /* SPEC 4.2.2 */
    {EP_V8_20, EP_TREESPEC_PROTOCOL, "[@99, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC_PROTOCOL, "[@2, [null]]"},
    {EP_V1_2023_08, EP_TREESPEC_PROTOCOL, "[@0, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC_PROTOCOL, "[@-1, " LEAF "]"},
    {EP_V8_20, EP_TREESPEC_PROTOCOL, "[@18446744073709551617, " LEAF "]"},
    /* SPEC 4.2.3 */
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"builtins.nope\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"builtins.Tuple\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"collections.Counter\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\".T\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m.\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m..T\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m.1T\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m T\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m.<locals\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m.<>\"")},
    {EP_V8_20, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"m.\\u0000\"")},
    {EP_V1, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"collections.deque\"")},
    {EP_V1, EP_TREESPEC_TYPE, SPEC("{\"type\": @\"collections.defaultdict\"")},
    /* SPEC 4.2.4 */
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC("{\"type\": null, \"context\": @\"null\"")},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("builtins.tuple", "@null", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("builtins.tuple", "\"@\\\"zz\\\"\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("builtins.tuple", "\"null@ \"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("builtins.list", "\"@\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("@zz", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("@null", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("builtins.dict", "@[\"a\"]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[\\\"a\\\"@", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[]@]", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1, @]", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1,@2]", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@[1]]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@NaN]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@-Infinity]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[tru@]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@1e5]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@\\\"\\\\u0041\\\"]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[\\\"@\\\\x\\\"]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[\\\"a\\\", \\\"b\\\", @\\\"a\\\"]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[\\\"\\\\n\\\", @\\\"\\\\n\\\"]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1, 2, @1]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1, @1.0]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1.0, 0, @true]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[-0.0, @false]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1e+16, @10000000000000000]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[@9223372036854775808]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1e+23, @99999999999999991611392]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[1, 1, @-9223372036854775809]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[null, @null]", LEAF))},
    {EP_V7_3, EP_TREESPEC_CONTEXT, SPEC(DICT("[@" ENUM_IN("m:E", "A") "]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(DICT("[{\\\"__enum__\\\": @1}]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(DICT("[{\\\"__enum__\\\": true, \\\"fqn\\\": @\\\"m.E\\\"}]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(DICT("[{\\\"__enum__\\\": true, \\\"fqn\\\": @\\\"m:\\\"}]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(DICT("[" ENUM_IN("m:E", "A") ", @" ENUM_IN("m:E", "A") "]", LEAF))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.deque", "\"@-1\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.deque", "\"@2.0\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.deque", "\"@[]\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.deque", "@3", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.deque", "\"@9223372036854775808\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.defaultdict", "@\"[]\"", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.defaultdict", "{@}", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.defaultdict",
               "{\"default_factory_module\": @\"\", \"default_factory_name\": \"x\"}", ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.defaultdict", FACTORY("m", "list", "@null"), ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.defaultdict", FACTORY("m", "list", "[1, @1]"), ""))},
    {EP_V2, EP_TREESPEC_CONTEXT, SPEC(NODE("collections.namedtuple", "@\"models.Pair\"", ""))},
    {EP_V2, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.namedtuple", FIELDS("P", "[\"a\", @1]"), ""))},
    {EP_V2, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.namedtuple", FIELDS("P", "[\"a\", @\"a\"]"), ""))},
    {EP_V2, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.namedtuple", "{\"class_name\": @1, \"fields\": []}", ""))},
    {EP_V5_3_2024_03, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.namedtuple", "@" FIELDS("P", "[]"), ""))},
    {EP_V8_20, EP_TREESPEC_CONTEXT,
     SPEC(NODE("collections.namedtuple", "@\"{\\\"class_module\\\": \\\"no.such\\\"}\"", ""))},
    /* SPEC 4.2.5 */
    {EP_V8_20, EP_TREESPEC_CHILDREN,
     SPEC("{\"type\": null, \"context\": null, \"children_spec\": [@" LEAF "]}")},
    {EP_V8_20, EP_TREESPEC_CHILDREN, SPEC(DICT("[\\\"a\\\"]", "@"))},
    {EP_V8_20, EP_TREESPEC_CHILDREN, SPEC(DICT("[\\\"a\\\"]", LEAF ", @" LEAF))},
    {EP_V8_20, EP_TREESPEC_CHILDREN, SPEC(DICT("[]", "@" LEAF))},
    {EP_V8_20, EP_TREESPEC_CHILDREN, SPEC(NODE("collections.OrderedDict", "\"[1, 2]\"", LEAF "@"))},
    {EP_V8_20, EP_TREESPEC_CHILDREN, SPEC(NODE("collections.deque", "\"1\"", LEAF ", @" LEAF))},
    {EP_V8_20, EP_TREESPEC_CHILDREN,
     SPEC(NODE("collections.defaultdict", FACTORY("m", "f", "[1]"), "@"))},
    {EP_V2, EP_TREESPEC_CHILDREN,
     SPEC(NODE("collections.namedtuple", FIELDS("P", "[\"a\"]"), LEAF ", @" LEAF))},
    {EP_V8_20, EP_TREESPEC_CHILDREN,
     SPEC(NODE("collections.namedtuple", "\"models.Pair\"", LEAF "@"))},
    {EP_V8_20, EP_TREESPEC_CHILDREN, SPEC(NODE("models.Pair", "null", LEAF "@"))},
    /* SPEC 4.2.6 */
    {EP_V8_20, EP_TREESPEC_NAMEDTUPLE,
     SPEC(NODE("collections.namedtuple", "@\"models.Other\"", LEAF))},
};

static void check_error(const error_row *row) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_treespec_options options = options_of(row->version);
    const ep_treespec *spec;
    quoted_add(&s, ep_text_of(row->text));
    size_t at = test_take_mark(&s.file);
    CHECK(quoted_open(&s));
    CHECK_NOTE(!parse(&s, &options, &spec), row->text);
    CHECK_NOTE(s.fault.code == row->code, row->text);
    CHECK_NOTE(s.fault.offset == at, row->text);
    quoted_close(&s);
}

static void test_errors(void) {
    for (size_t i = 0; i < EP_COUNT_OF(error_rows); i++) {
        check_error(&error_rows[i]);
    }
}

/* A type that the version does not have yet says which version does. */
static void test_version_of_type(void) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_treespec_options options = options_of(EP_V1);
    const ep_treespec *spec;
    CHECK(quoted_text(&s, EP_TEXT(SPEC(NODE("collections.deque", "\"null\"", "")))));
    CHECK(!parse(&s, &options, &spec));
    if (CHECK(s.fault.since != NULL)) {
        CHECK_EQ_STR(s.fault.since, strlen(s.fault.since), "1-2023-12");
    }
    CHECK(s.fault.until == NULL);
    quoted_close(&s);
}

/* --------------------------------------------------------------------- nodes */

static void test_nodes(void) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_treespec_options options = options_of(EP_V8_20);
    const ep_treespec *spec;
    const ep_treespec_key *keys;
    size_t count;
    CHECK(quoted_text(&s, EP_TEXT(TOUR)));
    if (!CHECK(parse(&s, &options, &spec))) {
        quoted_close(&s);
        return;
    }
    const ep_treespec_node *args = spec->root->first;
    const ep_treespec_node *kwargs = args->next;
    CHECK_EQ_INT(spec->leaves, 3);
    CHECK_EQ_INT(args->leaves, 2);
    CHECK_EQ_INT(args->count, 2);
    CHECK(ep_treespec_is(spec->root, EP_TEXT("builtins.tuple")));
    CHECK(!ep_treespec_is(spec->root, EP_TEXT("builtins.list")));
    CHECK(!ep_treespec_is(args->first, EP_TEXT("")));
    CHECK(!ep_treespec_keys(args, &keys, &count) && keys == NULL && count == 0);
    CHECK(!ep_treespec_keys(args->first, &keys, &count));
    if (CHECK(ep_treespec_keys(kwargs, &keys, &count)) && CHECK_EQ_INT(count, 2)) {
        CHECK_EQ_STR(keys[0].text.data, keys[0].text.size, "\xC3\xA9 a");
        CHECK_EQ_INT(keys[0].kind, EP_TREESPEC_KEY_STRING);
        CHECK_EQ_STR(keys[1].text.data, keys[1].text.size, "7");
        CHECK_EQ_INT(keys[1].kind, EP_TREESPEC_KEY_INT);
    }
    const ep_treespec_node *user = kwargs->first->next;
    CHECK_EQ_STR(user->name.data, user->name.size, "m.\xC3\x84");
    CHECK_EQ_STR(user->type_text.data, user->type_text.size, "\"m.\\u00c4\"");
    CHECK_EQ_STR(user->context.data, user->context.size, "[1]");
    CHECK_EQ_INT(user->leaves, 0);
    CHECK(kwargs->next == NULL && kwargs->parent == spec->root);
    quoted_close(&s);
}

/* ------------------------------------------------------------ cuts and damage */

/* What was damaged is refused, or is another spec in PyTorch's spelling. */
static void check_damaged(ep_bytes text, ep_version_number version, bool cut) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_treespec_options options = options_of(version);
    const ep_treespec *spec;
    CHECK(quoted_text(&s, text));
    if (parse(&s, &options, &spec)) {
        CHECK(!cut);
        check_print(&s, spec);
        check_counts(spec);
    } else {
        CHECK(s.fault.code != EP_OK && s.fault.code != EP_MEMORY);
        CHECK(s.fault.offset >= QUOTED_BEFORE && s.fault.offset <= s.file.size - QUOTED_AFTER);
        CHECK(!cut || s.fault.offset == s.file.size - QUOTED_AFTER);
    }
    quoted_close(&s);
}

static void damage(const char *text, ep_version_number version) {
    static const char bytes[] = "\"\\[]{},: 01n-.ex\x7F";
    size_t size = strlen(text);
    char *copy = malloc(size);
    if (copy == NULL) {
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < size; i++) {
        check_damaged((ep_bytes){text, i}, version, true);
        memcpy(copy, text, size);
        for (size_t j = 0; j < sizeof bytes - 1; j++) {
            copy[i] = bytes[j];
            check_damaged((ep_bytes){copy, size}, version, false);
        }
        memcpy(copy + i, text + i + 1, size - i - 1);
        check_damaged((ep_bytes){copy, size - 1}, version, false);
    }
    free(copy);
}

static void test_damage(void) {
    for (size_t i = 0; i < EP_COUNT_OF(valid_rows); i++) {
        damage(valid_rows[i].text, valid_rows[i].version);
    }
}

/* -------------------------------------------------------------------- memory */

/* One run with an allocation refused, and perhaps all after it. Returns how many
 * were asked for; done says whether everything went well nevertheless. */
static size_t run_refused(const valid_row *row, size_t refused, bool on, bool *done) {
    quoted s = {.heap = {.fail_at = refused, .fail_on = on}};
    ep_treespec_options options = options_of(row->version);
    const ep_treespec *spec;
    ep_bytes printed;
    bool opened = quoted_text(&s, ep_text_of(row->text));
    bool parsed = opened && parse(&s, &options, &spec);
    CHECK(!opened || parsed || s.fault.code == EP_MEMORY);
    *done = parsed && ep_treespec_print(spec, &s.arena, &printed);
    CHECK(!*done || ep_text_equal(printed, s.passage.text));
    size_t calls = s.heap.calls;
    quoted_close(&s);
    return calls;
}

/* A block that is refused may be asked for again, smaller; so one refusal can go
 * well, but all from the first on cannot. */
static void refuse(const valid_row *row) {
    bool done;
    size_t n = 1;
    CHECK(run_refused(row, 1, true, &done) != 0 && !done);
    while (run_refused(row, n, true, &done) >= n) {
        n++;
    }
    CHECK(done);
    for (size_t i = 1; i <= n; i++) {
        run_refused(row, i, false, &done);
    }
}

static void test_memory(void) {
    for (size_t i = 0; i < EP_COUNT_OF(valid_rows); i++) {
        refuse(&valid_rows[i]);
    }
}

/* ------------------------------------------------------------------- hostile */

static ep_code parse_code(const test_text *text, size_t depth, size_t *leaves) {
    quoted s = {.fault = {.code = EP_OK}};
    ep_treespec_options options = options_of(EP_V8_20);
    const ep_treespec *spec;
    options.depth = depth;
    CHECK(quoted_text(&s, (ep_bytes){text->data, text->size}));
    bool ok = parse(&s, &options, &spec);
    CHECK_EQ_INT(ok, s.fault.code == EP_OK);
    if (ok) {
        *leaves = spec->leaves;
        check_print(&s, spec);
    }
    ep_code code = s.fault.code;
    CHECK(ep_arena_peak(&s.arena) < 64 * text->size + 65536);
    quoted_close(&s);
    return code;
}

static void add_deep(test_text *text, size_t levels) {
    test_add_str(text, "[1, ");
    test_add_repeat(text, UP_TO_CHILDREN "[", levels);
    test_add_str(text, LEAF);
    test_add_repeat(text, "]}", levels);
    test_add_str(text, "]");
}

/* A level takes an object and a list: the outer list, three levels and a leaf. */
static void test_depth(void) {
    size_t leaves = 0;
    for (size_t depth = 0; depth < 12; depth++) {
        test_text text = {0};
        add_deep(&text, 3);
        CHECK_EQ_INT(parse_code(&text, depth, &leaves), depth < 9 ? EP_LIMIT_DEPTH : EP_OK);
        test_text_free(&text);
    }
    test_text value = {0};
    test_add_str(&value, SPEC(NODE("m.T", "[{\"a\": []}]", "")));
    CHECK_EQ_INT(parse_code(&value, 4, &leaves), EP_LIMIT_DEPTH);
    CHECK_EQ_INT(parse_code(&value, 5, &leaves), EP_OK);
    test_text_free(&value);
    test_text deep = {0};
    add_deep(&deep, 20000);
    CHECK_EQ_INT(parse_code(&deep, 1000, &leaves), EP_LIMIT_DEPTH);
    CHECK_EQ_INT(parse_code(&deep, 65535, &leaves), EP_OK);
    CHECK_EQ_INT(leaves, 1);
    test_text_free(&deep);
}

static void test_deep_garbage(void) {
    static const char *const parts[] = {"[", "{", UP_TO_CHILDREN "["};
    size_t leaves = 0;
    for (size_t i = 0; i < EP_COUNT_OF(parts); i++) {
        test_text text = {0};
        test_add_str(&text, "[1, {\"type\": \"m.T\", \"context\": ");
        test_add_repeat(&text, parts[i], 1000000 / strlen(parts[i]));
        ep_code code = parse_code(&text, DEPTH, &leaves);
        CHECK(code == EP_LIMIT_DEPTH || code == EP_TREESPEC);
        test_text_free(&text);
    }
}

static void test_wide(void) {
    enum { CHILDREN = 100000 };
    size_t leaves = 0;
    test_text text = {0};
    test_add_str(&text, "[1, " UP_TO_CHILDREN "[" LEAF);
    test_add_repeat(&text, ", " LEAF, CHILDREN - 1);
    test_add_str(&text, "]}]");
    CHECK_EQ_INT(parse_code(&text, DEPTH, &leaves), EP_OK);
    CHECK_EQ_INT(leaves, CHILDREN);
    test_text_free(&text);
}

/* As many keys, the last of which may repeat the first. */
static void test_many_keys(bool repeat) {
    enum { KEYS = 100000 };
    size_t leaves = 0;
    test_text text = {0};
    test_add_str(&text, "[1, {\"type\": \"builtins.dict\", \"context\": \"[0");
    for (int64_t i = 1; i < KEYS; i++) {
        test_add_str(&text, ", ");
        test_add_int(&text, repeat && i == KEYS - 1 ? 0 : i);
    }
    test_add_str(&text, "]\", \"children_spec\": [" LEAF);
    test_add_repeat(&text, ", " LEAF, KEYS - 1);
    test_add_str(&text, "]}]");
    CHECK_EQ_INT(parse_code(&text, DEPTH, &leaves), repeat ? EP_TREESPEC_CONTEXT : EP_OK);
    test_text_free(&text);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: test_treespec FILE\n");
        return EXIT_FAILURE;
    }
    test_golden(argv[1]);
    test_valid();
    test_errors();
    test_version_of_type();
    test_nodes();
    test_damage();
    test_memory();
    test_depth();
    test_deep_garbage();
    test_wide();
    test_many_keys(false);
    test_many_keys(true);
    return check_report();
}
