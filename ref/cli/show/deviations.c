/*
 * deviations.c - see deviations.h. Each question is about one value of the program, or about one
 * node; what the answers rest on is said in appendix C.
 */
#include "deviations.h"

#include <math.h>
#include <string.h>

#include "cli/words.h"
#include "graphs.h"

static const char HIGHER_ORDER[] = "torch.ops.higher_order.";

enum { LOADS, KEEPS };
#define LOADS_TEXT "PyTorch 2.13 does not load it: "
#define KEEPS_TEXT "PyTorch 2.13 does not keep it: "

const deviation deviation_rows[DEVIATION_COUNT] = {
#define DEVIATION(symbol, id, effect, first, last, about)                                          \
    {id, "2.13", effect##_TEXT about, about, id ", SPEC appendix C", effect != LOADS, first, last},
#include "deviations.def"
#undef DEVIATION
};

/* A program that is gone through. */
typedef struct search {
    ep_arena *arena;
    ep_value *found;
    name_list symbols; /* unbacked ones in types */
    name_list bound;   /* those of them that a value brings in */
    bool writes;       /* an operator that writes to its operand was met */
    bool failed;
} search;

static void find(search *s, deviation_id id, ep_value at) {
    if (ep_value_kind(s->found[id]) == EP_KIND_NULL) {
        s->found[id] = at;
    }
}

static ep_bytes text(search *s, ep_value value) {
    return text_of(value, s->arena, &s->failed);
}

/* How often a word stands in a text. */
static size_t count_of(ep_bytes in, const char *word) {
    size_t size = strlen(word);
    size_t count = 0;
    for (size_t i = 0; i + size <= in.size; i++) {
        count += memcmp(in.data + i, word, size) == 0;
    }
    return count;
}

/* ------------------------------------------------------------------------------ expressions */

/* u0, zuf0: of ints and floats whose values only a run says. */
static bool is_unbacked(ep_bytes name) {
    size_t before = bytes_start(name, "zuf") ? 3 : bytes_start(name, "u") ? 1 : 0;
    return before > 0 && name.size > before && name.data[before] >= '0' && name.data[before] <= '9';
}

/* Functions of which operands are left when the expression is evaluated. */
static bool may_drop(ep_bytes said) {
    static const char *const functions[] = {"Max(", "Min(", "And(", "Or(", "Piecewise("};
    size_t count = 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        count += count_of(said, functions[i]);
    }
    return count > 0;
}

/* A symbol alone, a multiple of one, or the truth that one equals a number bring it in. A truth
 * that nobody asks for is not evaluated. */
static void add_symbols(search *s, ep_value at, ep_bytes said, bool is_bool) {
    static const char begin[] = "Symbol('";
    bool alone = count_of(said, begin) == 1 &&
                 (bytes_start(said, begin) || bytes_start(said, "Mul(Integer(") ||
                  bytes_start(said, "Equality("));
    if (!alone && (is_bool || may_drop(said))) {
        return;
    }
    size_t start = sizeof begin - 1;
    for (size_t i = 0; i + start < said.size; i++) {
        ep_bytes rest = {said.data + i + start, said.size - i - start};
        const char *end =
            memcmp(said.data + i, begin, start) == 0 ? memchr(rest.data, '\'', rest.size) : NULL;
        ep_bytes name = {rest.data, end != NULL ? (size_t)(end - rest.data) : 0};
        if (is_unbacked(name)) {
            names_add(alone ? &s->bound : &s->symbols, (name_item){.name = name, .value = at});
        }
    }
}

/* A SymInt, SymFloat or SymBool. */
static void look_at_number(search *s, ep_value number) {
    const char *type = ep_value_type(number);
    ep_value expr = ep_value_field(number, "as_expr");
    ep_bytes said = text(s, ep_value_field(expr, "expr_str"));
    bool hinted = ep_value_kind(ep_value_field(expr, "hint")) != EP_KIND_NULL;
    if (count_of(said, "BitwiseFn_") > 0) {
        find(s, DEVIATION_BITWISE, expr);
    }
    if (count_of(said, "OpaqueUnaryFn_") > 0) {
        find(s, hinted ? DEVIATION_OPAQUE_KEPT : DEVIATION_OPAQUE, expr);
    }
    add_symbols(s, expr, said, word_is(type, "SymBool"));
}

static void look_at_numbers(search *s, ep_value list) {
    for (size_t i = 0; i < ep_value_count(list); i++) {
        look_at_number(s, ep_value_item(list, i));
    }
}

static void look_at_types(search *s, ep_value graph) {
    static const char *const fields[] = {"sym_int_values", "sym_float_values", "sym_bool_values"};
    ep_value tensors = ep_value_field(graph, "tensor_values");
    for (size_t i = 0; i < ep_value_count(tensors); i++) {
        look_at_numbers(s, ep_value_field(ep_value_item(tensors, i), "sizes"));
        look_at_numbers(s, ep_value_field(ep_value_item(tensors, i), "strides"));
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        look_at_numbers(s, ep_value_field(graph, fields[i]));
    }
}

/* ---------------------------------------------------------------------------------- outputs */

/* A SymInt, SymFloat or SymBool that is a number, and names no value. */
static bool is_number(ep_value held) {
    return ep_value_kind(held) == EP_KIND_UNION && !word_is(ep_value_name(held, 0), "as_name");
}

static void look_at_results(search *s, ep_value outputs) {
    static const char known[] = "as_tensor as_sym_int as_sym_bool as_sym_float as_int as_float "
                                "as_bool as_none";
    for (size_t i = 0; i < ep_value_count(outputs); i++) {
        ep_value output = ep_value_item(outputs, i);
        if (!word_is(ep_value_name(output, 0), known) || is_number(ep_value_item(output, 0))) {
            find(s, DEVIATION_OUTPUT_KIND, output);
        }
    }
}

/* Lists of what a value is made for, item by item. */
static bool is_read_list(const char *tag, ep_value items) {
    bool ok = word_is(tag, "as_tensors as_sym_ints as_sym_floats");
    for (size_t i = 0; ok && !word_is(tag, "as_tensors") && i < ep_value_count(items); i++) {
        ok = !is_number(ep_value_item(items, i));
    }
    return ok;
}

static void look_at_several(search *s, ep_value outputs) {
    for (size_t i = 0; i < ep_value_count(outputs); i++) {
        ep_value output = ep_value_item(outputs, i);
        const char *tag = ep_value_name(output, 0);
        ep_value held = ep_value_item(output, 0);
        bool one = word_is(tag, "as_tensor as_sym_int as_sym_float as_none") && !is_number(held);
        bool empty = ep_value_kind(held) == EP_KIND_LIST && ep_value_count(held) == 0 &&
                     !word_is(tag, "as_optional_tensors");
        if (!one && !empty && !is_read_list(tag, held)) {
            find(s, DEVIATION_AMONG_SEVERAL, output);
        }
    }
}

static void look_at_one(search *s, ep_value output) {
    const char *tag = ep_value_name(output, 0);
    ep_value held = ep_value_item(output, 0);
    bool tensors = word_is(tag, "as_tensors") && ep_value_count(held) > 0;
    if (!tensors && (!word_is(tag, "as_tensor as_sym_int as_sym_float as_sym_bool as_none") ||
                     is_number(held))) {
        find(s, DEVIATION_LIST_ALONE, output);
    }
}

/* ------------------------------------------------------------------------------------ nodes */

/* What a node is called: as the file says, or for want of that by its operator. */
static ep_bytes name_of(search *s, ep_value node, ep_bytes target) {
    ep_bytes name = text(s, ep_value_field(node, "name"));
    size_t before = sizeof HIGHER_ORDER - 1;
    return name.size > 0 ? name : (ep_bytes){target.data + before, target.size - before};
}

/* The name of a value that is a tensor or a symbolic number. */
static ep_bytes value_name(search *s, ep_value argument) {
    ep_value held = ep_value_item(argument, 0);
    bool symbol = ep_value_kind(held) == EP_KIND_UNION;
    return text(s, ep_value_field(held, symbol ? "as_name" : "name"));
}

/* The reader makes another node for the one output, unless the field says that it is the
 * operator's own, and two of one name are refused. */
static void look_at_higher_order(search *s, ep_value node, ep_bytes target) {
    ep_value outputs = ep_value_field(node, "outputs");
    ep_value output = ep_value_item(outputs, 0);
    ep_value alone = ep_value_field(node, "is_hop_single_tensor_return");
    const char *tag = ep_value_name(output, 0);
    if (ep_value_count(outputs) == 0) {
        find(s, DEVIATION_HIGHER_ORDER_NONE, node);
    } else if (ep_value_count(outputs) > 1) {
        look_at_several(s, outputs);
    } else if (ep_value_kind(alone) == EP_KIND_BOOL && ep_value_int(alone) != 0) {
        look_at_one(s, output);
    } else if (!word_is(tag, "as_none") &&
               (!word_is(tag, "as_tensor as_sym_int as_sym_float as_sym_bool") ||
                is_number(ep_value_item(output, 0)) ||
                bytes_compare(value_name(s, output), name_of(s, node, target)) == 0)) {
        find(s, DEVIATION_HIGHER_ORDER_ALONE, node);
    }
}

/* By the names that PyTorch gives to such operators: "add_" of "add_.Tensor", and the overload
 * "out". */
static bool writes(ep_bytes target) {
    const char *dot = memchr(target.data, '.', target.size);
    ep_bytes rest = target;
    bool in_place = false;
    while (dot != NULL) {
        size_t size = (size_t)(dot - rest.data);
        in_place = size > 1 && rest.data[size - 1] == '_' && rest.data[size - 2] != '_';
        rest = (ep_bytes){dot + 1, rest.size - size - 1};
        dot = memchr(rest.data, '.', rest.size);
    }
    return in_place || bytes_equal(rest, "out") || bytes_end(rest, "_out");
}

static bool is_number_function(ep_bytes target) {
    return bytes_start(target, "_operator.") || bytes_start(target, "math.") ||
           bytes_start(target, "torch.sym_") || bytes_equal(target, "torch.ops.aten.item.default");
}

/* A float among the operands, in lists and dicts too. */
static void look_at_floats(search *s, ep_value node) {
    ep_value inputs = ep_value_field(node, "inputs");
    value_list waiting = {0};
    for (size_t i = 0; i < ep_value_count(inputs); i++) {
        values_push(&waiting, ep_value_field(ep_value_item(inputs, i), "arg"));
        while (waiting.count > 0 && !waiting.failed) {
            const char *tag;
            ep_value held = unwrap(waiting.items[--waiting.count], &tag);
            bool many = ep_value_kind(held) == EP_KIND_DICT || word_is(tag, "as_floats");
            for (size_t k = many ? ep_value_count(held) : 0; k-- > 0;) {
                values_push(&waiting, ep_value_item(held, k));
            }
            if (ep_value_kind(held) == EP_KIND_FLOAT && ep_value_float(held) == -HUGE_VAL) {
                find(s, DEVIATION_MINUS_INFINITY, node);
            }
        }
    }
    s->failed = s->failed || waiting.failed;
    values_free(&waiting);
}

static void look_at_node(search *s, ep_value node) {
    ep_bytes target = text(s, ep_value_field(node, "target"));
    ep_value outputs = ep_value_field(node, "outputs");
    size_t count = ep_value_count(outputs);
    bool none = count == 1 && word_is(ep_value_name(ep_value_item(outputs, 0), 0), "as_none");
    s->writes = s->writes || (bytes_start(target, "torch.ops.aten.") && writes(target));
    look_at_floats(s, node);
    if (bytes_equal(target, "torch.ops.higher_order.triton_kernel_wrapper_functional")) {
        find(s, DEVIATION_TRITON, node);
    } else if (bytes_start(target, HIGHER_ORDER)) {
        look_at_higher_order(s, node, target);
    } else if (count > 1) {
        look_at_several(s, outputs);
    } else if (none && is_number_function(target)) {
        find(s, DEVIATION_UNUSED_NUMBER, node);
    } else if (count == 1) {
        look_at_one(s, ep_value_item(outputs, 0));
    }
}

static void look_at_graph(void *context, ep_value graph) {
    search *s = context;
    ep_value nodes = ep_value_field(graph, "nodes");
    look_at_types(s, graph);
    look_at_results(s, ep_value_field(graph, "outputs"));
    for (size_t i = 0; i < ep_value_count(nodes); i++) {
        look_at_node(s, ep_value_item(nodes, i));
    }
}

/* ---------------------------------------------------------------------------------- program */

/* The values of output specs of a kind. */
static void add_outputs(search *s, ep_value specs, const char *kind, name_list *named) {
    for (size_t i = 0; i < ep_value_count(specs); i++) {
        ep_value spec = ep_value_item(specs, i);
        if (word_is(ep_value_name(spec, 0), kind)) {
            const char *tag;
            ep_value held = unwrap(ep_value_field(ep_value_item(spec, 0), "arg"), &tag);
            ep_value name = ep_value_field(held, "name");
            names_add(named, (name_item){.name = text(s, name), .value = spec});
        }
    }
    names_sort(named);
    s->failed = s->failed || named->failed;
}

/* The reader counts the values of mutations, each once, and takes what is left for outputs of the
 * user. */
static void look_at_mutations(search *s, ep_value specs) {
    static const char *const kinds[] = {"buffer_mutation", "parameter_mutation",
                                        "user_input_mutation"};
    name_list given = {0};
    add_outputs(s, specs, "user_output", &given);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        name_list named = {0};
        add_outputs(s, specs, kinds[k], &named);
        for (size_t i = 1; i < named.count; i++) {
            const name_item *item = &named.items[i];
            if (bytes_compare(item[-1].name, item->name) == 0 &&
                names_find(&given, item->name) == NULL) {
                find(s, DEVIATION_TWO_MUTATIONS, item->value);
            }
        }
        names_free(&named);
    }
    names_free(&given);
}

/* u0, zuf12: what follows is a number, and no large one. */
static bool is_counted(ep_bytes key) {
    enum { DIGITS = 7 };
    size_t before = bytes_start(key, "zuf") ? 3 : 1;
    bool digits = true;
    for (size_t i = before; i < key.size; i++) {
        digits = digits && ((key.data[i] >= '0' && key.data[i] <= '9') || key.data[i] == '_');
    }
    return digits && key.size > before && key.size - before <= DIGITS;
}

static void look_at_ranges(search *s, ep_value ranges) {
    for (size_t i = 0; i < ep_value_count(ranges); i++) {
        ep_bytes key = dict_key(ranges, i, s->arena, &s->failed);
        if ((bytes_start(key, "u") || bytes_start(key, "zuf")) && !is_counted(key)) {
            find(s, DEVIATION_COUNTER, ep_value_item(ranges, i));
        }
    }
}

/* An empty name is none, too. */
static bool is_none_named(search *s, ep_value verifiers) {
    bool none = true;
    for (size_t i = 0; i < ep_value_count(verifiers); i++) {
        none = none && text(s, ep_value_item(verifiers, i)).size == 0;
    }
    return none;
}

static void look_at_program(search *s, const ep_program *program) {
    ep_value root = ep_program_root(program);
    ep_value module = ep_value_field(root, "graph_module");
    ep_value verifiers = ep_value_field(root, "verifiers");
    s->failed = !graphs_visit(program, look_at_graph, s) || s->failed;
    look_at_mutations(s, ep_value_field(ep_value_field(module, "signature"), "output_specs"));
    look_at_ranges(s, ep_value_field(root, "range_constraints"));
    if (s->writes && ep_value_kind(verifiers) == EP_KIND_LIST && is_none_named(s, verifiers)) {
        find(s, DEVIATION_NO_VERIFIER, root);
    }
    names_sort(&s->bound);
    names_sort(&s->symbols);
    for (size_t i = 0; i < s->symbols.count; i++) {
        if (names_find(&s->bound, s->symbols.items[i].name) == NULL) {
            find(s, DEVIATION_UNBOUND, s->symbols.items[i].value);
        }
    }
}

bool deviations_find(const ep_program *program, ep_arena *arena, ep_value found[DEVIATION_COUNT]) {
    search s = {.arena = arena, .found = found};
    memset(found, 0, DEVIATION_COUNT * sizeof *found);
    if (strncmp(ep_program_version(program)->name, "8.", 2) == 0) { /* which 2.13 takes */
        look_at_program(&s, program);
    }
    s.failed = s.failed || s.symbols.failed || s.bound.failed;
    names_free(&s.symbols);
    names_free(&s.bound);
    return !s.failed;
}

void deviation_add(json *object, const char *message) {
    const deviation *row = deviation_rows;
    while (row->message != message) {
        row++;
    }
    json_members(object, "deviation:s releases:s loads:b", row->id, row->releases, row->loads);
}
