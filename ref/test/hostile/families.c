/*
 * families.c - see families.h: the rows, and programs of a size.
 */
#include "families_parts.h"

/* ----------------------------------------------------------------------- the rows */

static const family families[] = {
    {"deep-arguments", "arguments of arguments, to the limit", family_deep_arguments, false},
    {"deep-graphs", "chains of subgraphs, to the limit", family_deep_graphs, false},
    {"long-text", "one long string", family_long_text, false},
    {"escapes", "a string of escapes only", family_escapes, false},
    {"pairs", "a string of surrogate pairs", family_pairs, false},
    {"backslashes", "a string of escaped backslashes", family_backslashes, false},
    {"keys", "many keys in one dict", family_keys, false},
    {"colliding-keys", "keys that have one hash", family_colliding_keys, false},
    {"colliding-names", "values whose names collide", family_colliding_names, false},
    {"nodes", "many nodes, all alike", family_nodes, false},
    {"targets", "many operators that nobody knows", family_targets, false},
    {"chain", "each node uses the one before", family_chain, false},
    {"twins", "equal nodes that nothing depends on", family_twins, false},
    {"views", "views of one tensor, read and written", family_views, false},
    {"arguments", "one node with many arguments", family_arguments, false},
    {"users", "one value, used many times", family_users, false},
    {"escaped-users", "the same, spelled with an escape", family_escaped_users, false},
    {"ints", "a long list of integers", family_ints, false},
    {"floats", "a long list of floats, hard to read", family_floats, false},
    {"digits", "one float of many digits", family_digits, false},
    {"ranges", "many symbols and their ranges", family_ranges, false},
    {"sum", "one sum of many products", family_sum, false},
    {"deep-terms", "terms in terms", family_deep_terms, false},
    {"terms", "many small expressions of many symbols", family_terms, false},
    {"wrong-terms", "many expressions that are none", family_wrong_terms, false},
    {"infix", "one sum, as older versions write it", family_infix, false},
    {"long-integer", "an expression of one long number", family_long_integer, false},
    {"inputs", "many inputs, and a wide tree spec", family_inputs, false},
    {"mutations", "many parameters, each of them changed", family_mutations, false},
    {"subgraphs", "many small subgraphs", family_subgraphs, false},
    {"modules", "many modules in the call graph", family_modules, false},
    {"deep-specs", "tree specs nested to the limit", family_deep_specs, false},
    {"wide-specs", "a tree spec with many keys", family_wide_specs, false},
    {"guards", "many guards", family_guards, false},
    {"long-guard", "one long guard", family_long_guard, false},
    {"stack-trace", "one node with a long stack trace", family_stack_trace, false},
    {"module-stack", "one node in many modules", family_module_stack, false},
    {"sources", "one node from many nodes", family_sources, false},
    {"custom", "JSON in a string", family_custom, false},
    {"long-calls", "a module with a long name, called many times", family_long_calls, false},
    {"long-specs", "a module with a long tree spec, called many times", family_long_specs, false},
    {"long-map", "map over many tensors, its first argument with a long name", family_long_map,
     false},
    {"long-target", "a long target, and many arguments that differ", family_long_target, false},
    {"long-argument", "a long name of an argument, and many items that differ",
     family_long_argument, false},
    {"long-stack", "one node in many modules, one of them of a long class", family_long_stack,
     false},
    {"late-error", "an error of types at the end", family_late_error, true},
    {"late-twin", "a key at the end that was at the beginning", family_late_twin, true},
    {"late-use", "a value at the end that nothing defines", family_late_use, false},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

const family *family_at(size_t i) {
    return i < FAMILIES ? &families[i] : NULL;
}

static size_t size_of(const family *f, size_t n) {
    test_text text = {0};
    f->make(&text, n, false);
    size_t size = text.size;
    test_text_free(&text);
    return size;
}

size_t family_make(const family *f, test_text *text, size_t bytes, bool other) {
    enum { FEW = 16, MORE = 32 };
    size_t base = size_of(f, FEW);
    size_t each = (size_of(f, MORE) - base) / (MORE - FEW);
    size_t n = bytes > base ? FEW + (bytes - base) / (each > 0 ? each : 1) : bytes / (base / FEW);
    n = n > 0 ? n : 1;
    f->make(text, n, other);
    return n;
}
