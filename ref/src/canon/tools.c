/*
 * canon/tools.c - what all steps of the epref form share: texts and targets, memory and
 * failures.
 */
#include "canon/canon.h"

bool ep_canon_open(ep_canonizer *c) {
    const ep_schema *schema = c->program->schema;
    ep_stack_init(&c->expression_slots, c->arena);
    if (!ep_maker_open_on(c->maker, c->arena, schema, c->input)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    ep_fields_open(&c->fields, schema);
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
    return ep_ref_text(c->arena, c->input, ref, text) || ep_canon_fail(c, EP_MEMORY);
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

ep_bytes ep_canon_overload(const ep_canon_target *target) {
    const size_t before = sizeof "torch.ops." - 1;
    return (ep_bytes){target->text.data + before, target->text.size - before};
}

#define CHECK(target) target,
static const char *const check_targets[] = {
#include "canon/effects.def"
};

static bool is_check(const ep_canon_target *t) {
    return t->target.kind == EP_TARGET_OVERLOAD &&
           EP_TEXT_AMONG(ep_canon_overload(t), check_targets);
}

static bool read_target(ep_canonizer *c, ep_ref ref, ep_canon_target *t) {
    ep_version_number version = ep_version_number_of(c->fields.schema->version);
    ep_passage passage;
    ep_fault fault;
    if (!ep_passage_open(&passage, c->arena, c->input, ref)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    t->text = passage.text;
    if (!ep_target_parse(&passage, version, &t->target, &fault)) {
        find_earlier(passage.text, &t->target);
    }
    t->is_check = is_check(t);
    return true;
}

bool ep_canon_target_of(ep_canonizer *c, const ep_node *node, ep_canon_target **found) {
    ep_ref ref = ep_field_bits(&c->fields, node, EP_F_Node_target);
    uint32_t number;
    bool fresh;
    if (!ep_map_put(&c->target_texts, ep_ref_raw(c->input.data, ref), &number, &fresh)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    if (fresh) {
        ep_canon_target *read = ep_canon_array(c, 1, sizeof *read);
        TRY(read != NULL && read_target(c, ref, read));
        if (!ep_canon_target_stack_push(&c->targets, read)) {
            return ep_canon_fail(c, EP_MEMORY);
        }
    }
    *found = c->targets.items[number];
    return true;
}
