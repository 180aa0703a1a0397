/*
 * canon/tools.c - what all steps of the epref form share: the copy that they transform,
 * its texts and targets, memory and failures.
 */
#include "canon/canon.h"

#include "tree/copy.h"

/* The strings of the copy refer to the input of the program, with the new strings
 * behind it. */
bool ep_canon_open(ep_canonizer *c) {
    const ep_schema *schema = c->program->schema;
    if (!ep_maker_open_on(c->maker, c->arena, schema, c->input)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    c->root = ep_copy_tree(c->arena, schema, c->program->root);
    if (c->root == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    ep_fields_open(&c->fields, c->program->schema);
    return true;
}

bool ep_canon_fail(ep_canonizer *c, ep_code code) {
    if (c->code == EP_OK) {
        c->code = code;
    }
    return false;
}

void *ep_canon_array(ep_canonizer *c, size_t count, size_t size) {
    void *array = ep_arena_array(c->arena, 0, count, size);
    if (array == NULL) {
        ep_canon_fail(c, EP_MEMORY);
        return NULL;
    }
    return memset(array, 0, count * size);
}

bool ep_canon_text(ep_canonizer *c, ep_ref ref, ep_bytes *text) {
    if (!ep_ref_text(c->arena, c->input, ref, text)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

bool ep_canon_target(ep_canonizer *c, const ep_node *node, ep_bytes *text, ep_target *target) {
    ep_version_number version = ep_version_number_of(c->fields.schema->version);
    ep_passage passage;
    ep_fault fault;
    if (!ep_passage_open(&passage, c->arena, c->input,
                         ep_field_bits(&c->fields, node, EP_F_Node_target))) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    *text = passage.text;
    /* the targets of a program that was checked can be read */
    if (EP_NEVER(!ep_target_parse(&passage, version, target, &fault))) {
        return ep_canon_fail(c, EP_INTERNAL); /* SPEC 4.5 */
    }
    return true;
}

void ep_canon_give_rank(ep_canon_graph *graph, uint32_t node) {
    graph->nodes[node].rank = (uint32_t)graph->rank_count;
    graph->ranked[graph->rank_count++] = node;
}

ep_canon_tensor ep_canon_tensor_of(const ep_fields *fields, const ep_node *entry) {
    bool wrapped = entry->type == EP_SHAPE_TensorValue - EP_SHAPE_FIRST_TYPE;
    const ep_node *meta = wrapped ? ep_field_node(fields, entry, EP_F_TensorValue_meta) : entry;
    uint8_t slot = fields->slot[EP_F_TensorMeta_storage_offset];
    bool symbolic = fields->schema->types[meta->type]->members[slot].shape->op == EP_OP_UNION;
    return (ep_canon_tensor){
        .meta = meta,
        .dims = {ep_field_bits(fields, meta, EP_F_TensorMeta_sizes),
                 ep_field_bits(fields, meta, EP_F_TensorMeta_strides)},
        .offset = symbolic ? ep_node_at(meta->slots[slot]) : NULL,
        .offset_int = symbolic ? 0 : (int64_t)meta->slots[slot],
    };
}
