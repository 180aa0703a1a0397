/*
 * strings.c - defects of the strings level, but for expressions: tree
 * specs, node metadata, guards, targets and devices (SPEC 4.2 to 4.6).
 */
#include "edit.h"

#include <string.h>

/* ---------------------------------------------------------------- tree specs */

/* Tree specs are JSON in a string: their quotes stand escaped. */
#define Q "\\\""
#define TYPE_OF(name) Q "type" Q ": " name
#define CONTEXT(text) ", " Q "context" Q ": " text
#define CHILDREN(items) ", " Q "children_spec" Q ": [" items "]"
#define LEAF "{" TYPE_OF("null") CONTEXT("null") CHILDREN("") "}"

typedef struct change {
    const char *what;
    const char *with;
} change;

static const place *treespec_place(defect *d) {
    static const member_row rows[] = {{"ModuleCallSignature", "in_spec"},
                                      {"ModuleCallSignature", "out_spec"},
                                      {"CallSpec", "in_spec"},
                                      {"CallSpec", "out_spec"},
                                      {NULL, NULL}};
    const place *p = draw_of(d, rows);
    d->why = p == NULL ? "it has no tree specs" : NULL;
    return p;
}

/* The first of some changes, from one of them on, that a tree spec has a place
 * for. */
static bool change_treespec(defect *d, const change *changes, size_t count) {
    const place *p = treespec_place(d);
    size_t first = draw(d, count);
    for (size_t i = 0; p != NULL && i < count; i++) {
        const change *c = &changes[(first + i) % count];
        if (replace_found(d, p, c->what, c->with)) {
            return true;
        }
    }
    return false;
}

static bool odd_treespec(defect *d) {
    static const char *const forms[] = {"", "% ", " %", "%,", "[%]", "{}", "%%", "null"};
    const place *p = treespec_place(d);
    if (p == NULL) {
        return false;
    }
    replace_text(d, p, "");
    put_template(d, DRAW_FROM(d, forms), text_at(d, p));
    return true;
}

static bool cut_treespec(defect *d) {
    const place *p = treespec_place(d);
    ep_bytes text = text_at(d, p);
    size_t last = text.size - 1 - draw(d, 3); /* one of the closing brackets */
    return replace_bytes(d, p->begin + 1 + last, p->end - 1, "");
}

static bool changed_treespec(defect *d) {
    static const change changes[] = {
        {Q "type" Q, Q "Type" Q},
        {Q "context" Q ": ", Q "context" Q ":"},
        {"{" Q "type" Q ": ", "{"},
        {CHILDREN(""), ""},
        {", ", ","},
        {"[1", "[ 1"},
        {Q "type" Q, Q "kind" Q},
        {": [", ": {"},
        {"{" Q "type", "{ " Q "type"},
        {"children_spec", "children"},
        {"null, ", "None, "},
        {Q "context" Q, "'context'"},
    };
    return change_treespec(d, changes, COUNT_OF(changes));
}

bool defect_treespec(defect *d) {
    static defect_function *const ways[] = {odd_treespec, cut_treespec, changed_treespec};
    return TRY_WAYS(d, ways);
}

bool defect_treespec_protocol(defect *d) {
    static const change changes[] = {{"[1, {", "[2, {"},  {"[1, {", "[0, {"},
                                     {"[1, {", "[99, {"}, {"[1, {", "[10, {"},
                                     {"[1, {", "[3, {"},  {"[1, {", "[1000000, {"}};
    return change_treespec(d, changes, COUNT_OF(changes));
}

bool defect_treespec_type(defect *d) {
    static const change changes[] = {
        {TYPE_OF("null"), TYPE_OF(Q "builtins.set" Q)},
        {TYPE_OF("null"), TYPE_OF(Q "collections.Counter" Q)},
        {TYPE_OF("null"), TYPE_OF(Q "" Q)},
        {TYPE_OF("null"), TYPE_OF(Q "two words" Q)},
        {"builtins.tuple", "builtins.Tuple"},
        {"builtins.tuple", "builtins..tuple"},
        {"builtins.dict", "builtins.frozenset"},
        {"builtins.dict", "collections.ChainMap"},
        {"builtins.dict", ".dict"},
    };
    return change_treespec(d, changes, COUNT_OF(changes));
}

bool defect_treespec_context(defect *d) {
    static const change changes[] = {
        {TYPE_OF("null") CONTEXT("null"), TYPE_OF("null") CONTEXT(Q "null" Q)},
        {TYPE_OF("null") CONTEXT("null"), TYPE_OF("null") CONTEXT("1")},
        {"tuple" Q CONTEXT(Q "null" Q), "tuple" Q CONTEXT("null")},
        {"tuple" Q CONTEXT(Q "null" Q), "tuple" Q CONTEXT(Q "[]" Q)},
        {"list" Q CONTEXT(Q "null" Q), "list" Q CONTEXT(Q "0" Q)},
        {"dict" Q CONTEXT(Q "[]" Q), "dict" Q CONTEXT(Q "null" Q)},
        {"dict" Q CONTEXT(Q "[]" Q), "dict" Q CONTEXT(Q "{}" Q)},
        {"dict" Q CONTEXT(Q "[]" Q), "dict" Q CONTEXT(Q "[1, 1]" Q)},
        {"dict" Q CONTEXT(Q "[]" Q), "dict" Q CONTEXT("[]")},
    };
    return change_treespec(d, changes, COUNT_OF(changes));
}

bool defect_treespec_children(defect *d) {
    static const change changes[] = {
        {TYPE_OF("null") CONTEXT("null") CHILDREN(""),
         TYPE_OF("null") CONTEXT("null") CHILDREN(LEAF)},
        {"dict" Q CONTEXT(Q "[]" Q) CHILDREN(""), "dict" Q CONTEXT(Q "[]" Q) CHILDREN(LEAF)},
        {"dict" Q CONTEXT(Q "[]" Q), "dict" Q CONTEXT(Q "[0, 1]" Q)},
        {LEAF, "{" TYPE_OF(Q "builtins.dict" Q) CONTEXT(Q "[]" Q) CHILDREN(LEAF ", " LEAF) "}"},
    };
    return change_treespec(d, changes, COUNT_OF(changes));
}

/* A named tuple that nobody describes. */
static bool undescribed_tuple(defect *d) {
    static const change changes[] = {
        {LEAF, "{" TYPE_OF(Q "collections.namedtuple" Q) CONTEXT(Q "models.Pair" Q)
                   CHILDREN(LEAF ", " LEAF) "}"},
        {LEAF, "{" TYPE_OF(Q "collections.namedtuple" Q) CONTEXT(Q "a.b.None_" Q) CHILDREN("") "}"},
    };
    return change_treespec(d, changes, COUNT_OF(changes));
}

static bool renamed_tuple(defect *d) {
    const place *p = draw_item(d, "GraphModule", "treespec_namedtuple_fields");
    if (p == NULL) {
        return no_place(d, "it has no named tuples");
    }
    replace_bytes(d, p->key + 1, p->key + 1 + key_at(d, p).size, "");
    put_fresh(d, "models.Tuple");
    return true;
}

bool defect_treespec_namedtuple(defect *d) {
    static defect_function *const ways[] = {undescribed_tuple, renamed_tuple};
    return TRY_WAYS(d, ways);
}

/* ------------------------------------------------------------------ metadata */

/* Gives one of the nodes a wrong text under a key, or spoils what is there. */
static bool spoil_metadata(defect *d, const char *key, const char *const *wrong, size_t count) {
    const place *p = draw_member(d, "Node", "metadata");
    if (p == NULL) {
        return no_place(d, "it has no nodes");
    }
    const place *text = part_of(d, p, key);
    const char *template = wrong[draw(d, count)];
    if (text == NULL) {
        insert_member(d, p, key);
        put(d, "\"");
        put_template(d, template, bytes_of(""));
        put(d, "\"");
        return true;
    }
    replace_text(d, text, "");
    put_template(d, template, text_at(d, text));
    return true;
}
#define SPOIL_METADATA(d, key, wrong) spoil_metadata(d, key, wrong, COUNT_OF(wrong))

bool defect_metadata_modules(defect *d) {
    static const char *const wrong[] = {"",   "L__self__", "k:(a)",     "k:(a,)", ";",
                                        "%;", ";%",        "no module", "%;k",    "%;k:(a"};
    return SPOIL_METADATA(d, "nn_module_stack", wrong);
}

bool defect_metadata_source(defect *d) {
    static const char *const wrong[] = {"", "cond", ",cond", "cond,", "a,b,c", ",", "%,%,%"};
    return SPOIL_METADATA(d, within(d, NULL, "1-2023-12") ? "source_fn" : "source_fn_stack", wrong);
}

bool defect_metadata_torch_fn(defect *d) {
    static const char *const wrong[] = {
        "", "relu_1", ";function.relu", "relu_1;", "a;b;c", "relu_1,f.relu", ";", "%;%;x"};
    return SPOIL_METADATA(d, "torch_fn", wrong);
}

bool defect_metadata_custom(defect *d) {
    static const char *const wrong[] = {
        "",
        "[]",
        "null",
        "{",
        "{'a': 1}",
        "{" Q "a" Q ": 1,}",
        "{} {}",
        Q "" Q,
        "{a}",
        "0",
        "{" Q "a" Q "}",
        "{1: 2}",
        "{" Q "a" Q ": tru}",
        "{" Q "a" Q ": 01}",
    };
    return SPOIL_METADATA(d, "custom", wrong);
}

bool defect_metadata_from_node(defect *d) {
    static const char *const wrong[] = {
        "",
        "{}",
        "[1]",
        "[{}]",
        "[null]",
        "None",
        "[",
        "[]]",
        "[ ]",
        "0",
        "[{" Q "name" Q ": " Q "x" Q "}]",
        "[{" Q "target" Q ": " Q "x" Q "}]",
    };
    return SPOIL_METADATA(d, "from_node", wrong);
}

/* ---------------------------------------------------------- guards, targets ... */

bool defect_guard(defect *d) {
    static const char *const wrong[] = {
        "",
        "L['x'].size()[0]<=%",
        "L['x'].size()[%]",
        "print(%) == %",
        "__import__('os').system('id') == %",
        "L[" Q "x" Q "].size()[0] == %",
        "% == % == %",
        "L['x'].size()[0] <= % and",
        "L['x'].size() == %",
        "(L['x'].size()[0] <= %",
        "lambda: %",
        "% < 0x10",
        "not % < 4",
        "L['x'].size()[0] =< %",
        " % == %",
    };
    const place *p = draw_member(d, "ExportedProgram", "guards_code");
    char digits[] = {(char)('1' + draw(d, 9)), (char)('0' + draw(d, 10)), '\0'};
    if (p->count > 0 && draw(d, 2) == 0) {
        static const char *const forms[] = {"%)", "% ", "(%", " %", "% == 2)", "%;"};
        p = draw_item(d, "ExportedProgram", "guards_code");
        replace_text(d, p, "");
        put_template(d, DRAW_FROM(d, forms), text_at(d, p));
        return true;
    }
    insert_into(d, p);
    put(d, "\"");
    put_template(d, DRAW_FROM(d, wrong), bytes_of(digits));
    put(d, "\"");
    return true;
}

/* Of an operator of PyTorch: not the name of an extension. */
static bool is_target(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_member(p, "Node", "target") && strchr("#$", text_at(d, p).data[0]) == NULL;
}

static const place *target_place(defect *d) {
    const place *p = draw_place(d, is_target, NULL);
    d->why = p == NULL ? "it has no nodes" : NULL;
    return p;
}

static bool stray_character(defect *d) {
    static const char *const strays[] = {" ", ":", "-", "/", "(", "()", "::", "..", "\\u00e9", ";"};
    const place *p = target_place(d);
    if (p == NULL) {
        return false;
    }
    size_t at = p->begin + 1 + draw(d, text_at(d, p).size + 1);
    return replace_bytes(d, at, at, DRAW_FROM(d, strays));
}

static bool other_target(defect *d) {
    static const char *const others[] = {"",
                                         "aten::relu",
                                         "torch.ops.aten",
                                         "torch.ops.aten.relu",
                                         "torch.ops.aten.relu.default.out",
                                         "torch.ops",
                                         "torch.ops.aten.1d.default",
                                         "torch.ops.aten.relu.",
                                         "<built-in function add>"};
    const place *p = target_place(d);
    return p != NULL && replace_text(d, p, DRAW_FROM(d, others));
}

bool defect_target(defect *d) {
    static defect_function *const ways[] = {stray_character, other_target};
    return TRY_WAYS(d, ways);
}

bool defect_target_unknown(defect *d) {
    static const char *const others[] = {"torch.nn.functional.relu",
                                         "placeholder",
                                         "math.foo",
                                         "os.system",
                                         "builtins.eval",
                                         "torch.relu",
                                         "torch.ops.higher_order.no_such_operator",
                                         "_operator.no_such_function",
                                         "torch._C._nn.gelu"};
    const place *p = target_place(d);
    return p != NULL && replace_text(d, p, DRAW_FROM(d, others));
}

bool defect_device(defect *d) {
    static const char *const wrong[] = {"",   "CUDA",     "%:0", "% ",  " %",
                                        "%0", "%\\u00e9", "Cpu", "%-1", "%."};
    const place *p = draw_member(d, "Device", "type");
    if (p == NULL) {
        return no_place(d, "it has no devices");
    }
    replace_text(d, p, "");
    put_template(d, DRAW_FROM(d, wrong), text_at(d, p));
    return true;
}
