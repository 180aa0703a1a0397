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

/* A target that the version of the form does not know: a higher-order operator of an earlier
 * version, or an unknown one. Of such an operator nobody asks the name: none is listed as
 * quiet. */
static void find_earlier(ep_bytes text, ep_target *target) {
    const ep_target_row *row;
    *target = (ep_target){.kind = EP_TARGET_EXTENSION};
    for (size_t i = 0; (row = ep_target_row_at(i)) != NULL; i++) {
        if (row->kind == EP_TARGET_HIGHER_ORDER &&
            ep_text_equal(text, (ep_bytes){row->text, row->size})) {
            target->kind = EP_TARGET_HIGHER_ORDER;
        }
    }
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
    if (!ep_target_parse(&passage, version, target, &fault)) {
        find_earlier(passage.text, target);
    }
    return true;
}
