/*
 * diff/provenance.c - what the canonical form leaves out (SPEC 6.2), compared for
 * matched nodes; see diff.h. The source of a node is found in the program before
 * canonicalization, by the node's offset in the file.
 */
#include "diff/diff.h"

#include "tree/walk.h"

/* ---------------------------------------------------------------------- sources */

static ep_bytes key_of(const ep_node *node) {
    return (ep_bytes){(const char *)&node->offset, sizeof node->offset};
}

static bool note_source(void *context, ep_node *node, uint8_t member, uint8_t ask) {
    ep_diff_half *half = context;
    uint32_t number;
    bool fresh;
    (void)member;
    (void)ask;
    return ep_map_put(&half->sources, key_of(node), &number, &fresh) &&
           (!fresh || ep_stack_push(&half->originals, ep_pointer_bits(node)));
}

static bool find_sources(ep_differ *d, ep_diff_half *half) {
    ep_walk walk;
    bool out_of_memory;
    ep_walk_init(&walk, d->arena, half->current.schema);
    ep_walk_ask(&walk, &d->fields, EP_F_Node_target, EP_WALK_TELL);
    ep_walk_ask(&walk, &d->fields, EP_F_ModuleCallSignature_in_spec, EP_WALK_TELL);
    return ep_walk_run(&walk, half->current.root, note_source, half, &out_of_memory);
}

/* The sources of two matched nodes; false if one of them is not known. */
static bool sources_of(const ep_differ *d, const ep_node *const nodes[2],
                       const ep_node *sources[2]) {
    for (size_t i = 0; i < 2; i++) {
        const ep_diff_half *half = &d->half[i];
        uint32_t number = ep_map_find(&half->sources, key_of(nodes[i]));
        /* whatever is in the form was in the program, and is of its type */
        if (EP_NEVER(number == EP_MAP_NONE)) {
            return false;
        }
        sources[i] = ep_node_at(half->originals.words[number]);
        if (EP_NEVER(sources[i]->type != nodes[i]->type)) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------- comparing */

static bool compare_member(ep_differ *d, const ep_node *const nodes[2], ep_field field) {
    return ep_diff_compare_member(d, NULL, EP_DIFF_PROVENANCE, nodes, d->fields.slot[field]);
}

/* Whether the canonical form keeps a field, which was then compared already. */
static bool is_kept(const ep_differ *d, const ep_node *const nodes[2], ep_field field) {
    return ep_field_present(&d->fields, nodes[0], field) ||
           ep_field_present(&d->fields, nodes[1], field);
}

static bool compare_kinds(ep_differ *d, const ep_node *const nodes[2],
                          const ep_node *const sources[2]) {
    uint64_t made[2];
    uint64_t lists[2];
    for (size_t half = 0; half < 2; half++) {
        made[half] = ep_field_bits(&d->fields, nodes[half], EP_F_Node_inputs);
        lists[half] = ep_field_bits(&d->fields, sources[half], EP_F_Node_inputs);
        /* the form has as many */
        if (EP_NEVER(ep_list_count(made[half]) != ep_list_count(lists[half]))) {
            return true;
        }
    }
    for (size_t i = 0; i < ep_list_count(lists[0]) && i < ep_list_count(lists[1]); i++) {
        const ep_node *kept[2] = {ep_item_node(made[0], i), ep_item_node(made[1], i)};
        const ep_node *inputs[2] = {ep_item_node(lists[0], i), ep_item_node(lists[1], i)};
        if (!is_kept(d, kept, EP_F_NamedArgument_kind)) {
            bool ok = compare_member(d, inputs, EP_F_NamedArgument_kind);
            TRY(EP_ALWAYS(ok)); /* a number takes no memory */
        }
    }
    return true;
}

static bool compare_source(ep_differ *d, const ep_node *const nodes[2],
                           const ep_node *const sources[2]) {
    if (nodes[0]->type == ep_field_type(EP_F_ModuleCallSignature_in_spec)) {
        if (is_kept(d, nodes, EP_F_ModuleCallSignature_forward_arg_names)) {
            return true;
        }
        return compare_member(d, sources, EP_F_ModuleCallSignature_forward_arg_names);
    }
    ep_diff_pair metadata = ep_diff_member(d, sources, EP_F_Node_metadata);
    TRY(EP_ALWAYS(compare_member(d, sources, EP_F_Node_name))); /* a text takes no memory */
    TRY(EP_ALWAYS(compare_kinds(d, nodes, sources)));           /* numbers do not, either */
    return ep_diff_dicts(d, EP_DIFF_PROVENANCE, &metadata);
}

bool ep_diff_provenance(ep_differ *d) {
    const ep_node *roots[2] = {d->half[0].current.root, d->half[1].current.root};
    TRY(find_sources(d, &d->half[0]) && find_sources(d, &d->half[1]));
    ep_field release = EP_F_ExportedProgram_torch_version;
    ep_diff_enter(d, 0, 0);
    TRY(EP_ALWAYS(compare_member(d, roots, release))); /* a text takes no memory */
    for (size_t i = 0; i < d->matched.count; i++) {
        ep_arena_mark mark = ep_arena_now(d->arena);
        const ep_node *sources[2];
        const ep_node *const *nodes = d->matched.items[i].node;
        bool known = sources_of(d, nodes, sources);
        ep_diff_enter(d, nodes[0]->offset, nodes[1]->offset);
        bool ok = EP_NEVER(!known) || compare_source(d, nodes, sources); /* it is known */
        ep_arena_rewind(d->arena, mark);
        TRY(ok);
    }
    return true;
}
