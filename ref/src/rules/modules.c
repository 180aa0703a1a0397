/*
 * rules/modules.c - SPEC 5.5: the module call graph, and the tree specs of its entries
 * against the program.
 */
#include "language/treespec.h"
#include "rules/rules.h"

static const ep_node *graph_module(const ep_judge *judge) {
    return ep_field_node(&judge->fields, judge->program->root, EP_F_ExportedProgram_graph_module);
}

static uint64_t entries_of(const ep_judge *judge) {
    return ep_field_bits(&judge->fields, graph_module(judge), EP_F_GraphModule_module_call_graph);
}

static ep_ref fqn_of(const ep_judge *judge, const ep_node *entry) {
    return ep_field_bits(&judge->fields, entry, EP_F_ModuleCallEntry_fqn);
}

static bool is_root(const ep_judge *judge, const ep_node *entry) {
    return ep_ref_size(fqn_of(judge, entry)) == 0;
}

static const ep_node *signature_of(const ep_judge *judge, const ep_node *entry) {
    return ep_field_node(&judge->fields, entry, EP_F_ModuleCallEntry_signature);
}

/* SPEC 5.5.1: version 1 may have no entries; the signature of its root is call_spec. */
void ep_rule_module_root(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    uint64_t entries = entries_of(judge);
    size_t count = ep_list_count(entries);
    bool old = judge->fields.slot[EP_F_GraphModule_call_spec] != EP_NO_MEMBER;
    if (count == 0 && !old) {
        ep_judge_node(judge, EP_MODULE_ROOT, graph_module(judge), NULL);
    } else if (count > 0 && !is_root(judge, ep_item_node(entries, 0))) {
        ep_judge_node(judge, EP_MODULE_ROOT, ep_item_node(entries, 0), NULL);
    }
}

/* SPEC 5.5.2 */
void ep_rule_module_fqn(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    uint64_t entries = entries_of(judge);
    ep_distinct fqns;
    ep_distinct_init(&fqns, judge);
    for (size_t i = 0; i < ep_list_count(entries); i++) {
        ep_ref fqn = fqn_of(judge, ep_item_node(entries, i));
        if (!ep_distinct_add(&fqns, fqn)) {
            ep_judge_string(judge, EP_MODULE_FQN, fqn, NULL);
        }
    }
    ep_distinct_free(&fqns);
}

/* SPEC 5.5.3: of the first entry. Where that is not the root, 5.5.1 is broken before. */
void ep_rule_module_signature(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    uint64_t entries = entries_of(judge);
    if (ep_list_count(entries) > 0 && signature_of(judge, ep_item_node(entries, 0)) == NULL) {
        ep_judge_node(judge, EP_MODULE_SIGNATURE, ep_item_node(entries, 0), NULL);
    }
}

static void visit_module_argument(ep_judge *judge, void *context, const ep_use *use) {
    (void)context;
    /* a name that a table alone has is refused before (5.1.6) */
    if (use->holds == EP_HOLDS_GRAPH || ep_judge_find(judge, judge->scopes, use->name) == NULL) {
        ep_judge_string(judge, EP_MODULE_ARGUMENT, use->name, NULL);
    }
}

/* SPEC 5.5.4 */
void ep_rule_module_argument(ep_judge *judge, const ep_subject *subject) {
    const ep_node *signature = signature_of(judge, subject->node);
    static const ep_field lists[] = {EP_F_ModuleCallSignature_inputs,
                                     EP_F_ModuleCallSignature_outputs};
    for (size_t i = 0; signature != NULL && i < EP_COUNT_OF(lists); i++) {
        uint64_t arguments = ep_field_bits(&judge->fields, signature, lists[i]);
        for (size_t j = 0; j < ep_list_count(arguments); j++) {
            const ep_node *argument = ep_item_node(arguments, j);
            ep_judge_uses(judge, argument, visit_module_argument, NULL);
            if (ep_judge_is_number(judge, argument)) {
                ep_judge_node(judge, EP_MODULE_ARGUMENT, argument, "the name of a value");
            }
        }
    }
}

/* ---------------------------------------------------------------- tree specs */

static const ep_treespec *spec_at(const ep_judge *judge, const ep_node *node, ep_field field,
                                  ep_ref *at) {
    *at = ep_field_bits(&judge->fields, node, field);
    const ep_memo_entry *entry =
        ep_memo_find(judge->memo, EP_LANGUAGE_TREESPEC, ep_ref_raw(judge->input.data, *at));
    return entry == NULL ? NULL : entry->result;
}

/* How many of the specs are of one kind or another. */
static size_t count_of(const ep_spec *specs, size_t count, int kind, int other) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        n += specs[i].kind == kind || specs[i].kind == other;
    }
    return n;
}

/* The leaves that the user passes and receives. */
static size_t program_leaves(const ep_judge *judge, bool inputs) {
    const ep_specs *specs = &judge->specs;
    return inputs ? count_of(specs->inputs, specs->input_count, EP_INPUT_USER, EP_INPUT_CONSTANT)
                  : count_of(specs->outputs, specs->output_count, EP_OUTPUT_USER, EP_OUTPUT_LOSS);
}

/* Whether a number of arguments equals a spec's leaves, or is a multiple of them, for a
 * module that was called several times. */
static bool fits(size_t leaves, size_t arguments, bool calls) {
    if (!calls || leaves == 0) {
        return leaves == arguments;
    }
    return arguments > 0 && arguments % leaves == 0;
}

static void check_leaves(ep_judge *judge, const ep_node *node, ep_field field, size_t arguments,
                         bool calls) {
    bool inputs = field == EP_F_ModuleCallSignature_in_spec || field == EP_F_CallSpec_in_spec;
    ep_ref at;
    const ep_treespec *spec = spec_at(judge, node, field, &at);
    bool read = spec != NULL;
    if (EP_ALWAYS(read) && !fits(spec->leaves, arguments, calls)) { /* it can be read */
        ep_judge_string(judge, inputs ? EP_MODULE_IN_SPEC : EP_MODULE_OUT_SPEC, at, NULL);
    }
}

/* An entry's spec has as many leaves as the entry lists arguments. The root, which is
 * the first entry, lists none: its leaves are those of the program. calls: the
 * arguments of several calls may be in one entry, as before 8.1. */
static void check_entry(ep_judge *judge, const ep_node *entry, bool inputs, bool calls) {
    const ep_node *signature = signature_of(judge, entry);
    if (signature == NULL) {
        return;
    }
    ep_field list = inputs ? EP_F_ModuleCallSignature_inputs : EP_F_ModuleCallSignature_outputs;
    ep_field spec = inputs ? EP_F_ModuleCallSignature_in_spec : EP_F_ModuleCallSignature_out_spec;
    size_t listed = ep_list_count(ep_field_bits(&judge->fields, signature, list));
    bool whole = entry == ep_item_node(entries_of(judge), 0) && listed == 0;
    check_leaves(judge, signature, spec, whole ? program_leaves(judge, inputs) : listed,
                 calls && !whole);
}

/* SPEC 5.5.5 */
void ep_rule_module_in_spec(ep_judge *judge, const ep_subject *subject) {
    check_entry(judge, subject->node, true, false);
}

/* SPEC 5.5.5, before 8.1 */
void ep_rule_module_in_specs(ep_judge *judge, const ep_subject *subject) {
    check_entry(judge, subject->node, true, true);
}

/* SPEC 5.5.6 */
void ep_rule_module_out_spec(ep_judge *judge, const ep_subject *subject) {
    check_entry(judge, subject->node, false, false);
}

/* SPEC 5.5.6, before 8.1 */
void ep_rule_module_out_specs(ep_judge *judge, const ep_subject *subject) {
    check_entry(judge, subject->node, false, true);
}

/* SPEC 5.5.5, 5.5.6, of version 1 */
void ep_rule_call_spec(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    const ep_node *spec =
        ep_field_node(&judge->fields, graph_module(judge), EP_F_GraphModule_call_spec);
    check_leaves(judge, spec, EP_F_CallSpec_in_spec, program_leaves(judge, true), false);
    check_leaves(judge, spec, EP_F_CallSpec_out_spec, program_leaves(judge, false), false);
}

/* The positional and the named arguments of an in_spec: (args, kwargs). */
typedef struct call_shape {
    size_t positional;
    const ep_treespec_key *keys;
    size_t key_count;
} call_shape;

static bool read_call(const ep_treespec *spec, call_shape *call) {
    const ep_treespec_node *root = spec->root;
    if (!ep_treespec_is(root, EP_TEXT("builtins.tuple")) || root->count != 2 ||
        !ep_treespec_is(root->first, EP_TEXT("builtins.tuple"))) {
        return false;
    }
    call->positional = root->first->count;
    return ep_treespec_keys(root->first->next, &call->keys, &call->key_count);
}

/* SPEC 5.5.7: a key that is no string is no name. */
static bool is_name(const ep_judge *judge, ep_ref name, const ep_treespec_key *key) {
    return key->kind == EP_TREESPEC_KEY_STRING && ep_text_is(judge->input.data, name, key->text);
}

/* SPEC 5.5.7: as many names as arguments, and those of the named ones are the
 * keys. */
void ep_rule_module_names(ep_judge *judge, const ep_subject *subject) {
    const ep_node *signature = signature_of(judge, subject->node);
    if (signature == NULL ||
        !ep_field_present(&judge->fields, signature, EP_F_ModuleCallSignature_forward_arg_names)) {
        return;
    }
    uint64_t names =
        ep_field_bits(&judge->fields, signature, EP_F_ModuleCallSignature_forward_arg_names);
    ep_ref at;
    call_shape call;
    const ep_treespec *spec = spec_at(judge, signature, EP_F_ModuleCallSignature_in_spec, &at);
    bool read = spec != NULL;
    if (EP_NEVER(!read) || !read_call(spec, &call)) { /* it can be read */
        return;
    }
    if (ep_list_count(names) != call.positional + call.key_count) {
        ep_judge_node(judge, EP_MODULE_NAMES, signature, NULL);
        return;
    }
    for (size_t i = 0; i < call.key_count; i++) {
        ep_ref name = ep_list_at(names)->items[call.positional + i];
        if (!is_name(judge, name, &call.keys[i])) {
            ep_judge_string(judge, EP_MODULE_NAMES, name, NULL);
        }
    }
}
