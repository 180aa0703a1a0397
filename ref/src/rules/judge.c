/*
 * rules/judge.c - see judge.h.
 */
#include "rules/judge.h"

/* ------------------------------------------------------------------- faults */

/* SPEC 1.5.1: clauses rise with the codes of the level. */
static bool comes_first(const ep_fault *fault, const ep_fault *kept) {
    if (kept->code == EP_OK || fault->code != kept->code) {
        return kept->code == EP_OK || fault->code < kept->code;
    }
    return fault->offset < kept->offset;
}

static void record(ep_judge *judge, ep_fault fault, const char *expected) {
    fault.expected = expected;
    if (comes_first(&fault, &judge->fault)) {
        judge->fault = fault;
    }
}

static ep_fault node_fault(ep_code code, const ep_node *node) {
    return (ep_fault){.code = code, .offset = node->offset};
}

/* The quote before the text. */
static size_t quote_of(ep_ref ref) {
    return ep_ref_offset(ref) - 1;
}

static ep_fault string_fault(const ep_judge *judge, ep_code code, ep_ref at) {
    ep_bytes name = ep_ref_raw(judge->input.data, at);
    return (ep_fault){.code = code, .offset = quote_of(at), .name = name};
}

static ep_fault key_fault(const ep_judge *judge, ep_code code, ep_ref key) {
    ep_fault fault = string_fault(judge, code, key);
    fault.place = EP_PLACE_KEY;
    return fault;
}

void ep_judge_node(ep_judge *judge, ep_code code, const ep_node *node, const char *expected) {
    record(judge, node_fault(code, node), expected);
}

void ep_judge_string(ep_judge *judge, ep_code code, ep_ref at, const char *expected) {
    record(judge, string_fault(judge, code, at), expected);
}

void ep_judge_key(ep_judge *judge, ep_code code, ep_ref key, const char *expected) {
    record(judge, key_fault(judge, code, key), expected);
}

void ep_judge_note_node(ep_judge *judge, ep_code code, const ep_node *node) {
    ep_fault fault = node_fault(code, node);
    ep_tell(&judge->notes, judge->input, &fault);
}

void ep_judge_note_string(ep_judge *judge, ep_code code, ep_ref at) {
    ep_fault fault = string_fault(judge, code, at);
    ep_tell(&judge->notes, judge->input, &fault);
}

void ep_judge_note_key(ep_judge *judge, ep_code code, ep_ref key) {
    ep_fault fault = key_fault(judge, code, key);
    ep_tell(&judge->notes, judge->input, &fault);
}

/* -------------------------------------------------------------------- names */

void ep_judge_place(ep_places *places, ep_ref at) {
    if (places->first == 0 || at < places->first) {
        places->second = places->first;
        places->first = at;
    } else if (places->second == 0 || at < places->second) {
        places->second = at;
    }
}

ep_definition *ep_judge_find(ep_judge *judge, const ep_scope *scope, ep_ref name) {
    ep_bytes text = ep_ref_raw(judge->input.data, name);
    ep_arena_mark mark = {NULL, 0};
    bool escaped = (ep_ref_flags(name) & EP_REF_ESCAPED) != 0;
    if (EP_UNLIKELY(escaped)) {
        mark = ep_arena_now(judge->arena);
        if (!ep_ref_decode(judge->arena, judge->input, name, &text)) {
            judge->out_of_memory = true;
            return NULL;
        }
    }
    uint32_t number = ep_map_find(&scope->names, text);
    if (EP_UNLIKELY(escaped)) {
        ep_arena_rewind(judge->arena, mark);
    }
    return number == EP_MAP_NONE ? NULL : &scope->entries.items[number];
}

void ep_distinct_init(ep_distinct *distinct, ep_judge *judge) {
    distinct->judge = judge;
    ep_map_init(&distinct->texts, judge->arena);
}

void ep_distinct_free(ep_distinct *distinct) {
    ep_map_free(&distinct->texts);
}

bool ep_distinct_add(ep_distinct *distinct, ep_ref ref) {
    ep_judge *judge = distinct->judge;
    ep_bytes text;
    uint32_t number;
    bool fresh = true;
    if (!ep_ref_text(judge->arena, judge->input, ref, &text) ||
        !ep_map_put(&distinct->texts, text, &number, &fresh)) {
        judge->out_of_memory = true;
        return true;
    }
    return fresh;
}

bool ep_distinct_has(const ep_distinct *distinct, ep_ref ref) {
    ep_judge *judge = distinct->judge;
    ep_arena_mark mark = ep_arena_now(judge->arena);
    ep_bytes text;
    if (!ep_ref_text(judge->arena, judge->input, ref, &text)) {
        judge->out_of_memory = true;
        return true;
    }
    bool has = ep_map_find(&distinct->texts, text) != EP_MAP_NONE;
    ep_arena_rewind(judge->arena, mark);
    return has;
}

/* --------------------------------------------------------------------- uses */

typedef struct use_walk {
    ep_judge *judge;
    ep_use_visitor *visit;
    void *context;
} use_walk;

static bool tell_use(void *context, const ep_leaf *leaf) {
    const use_walk *walk = context;
    if (leaf->name != NULL) { /* a number in its place, or an object of version 1, uses none */
        ep_use use = {
            .holds = leaf->holds, .listed = leaf->listed, .name = *leaf->name, .node = leaf->node};
        walk->visit(walk->judge, walk->context, &use);
    }
    return true;
}

void ep_judge_uses(ep_judge *judge, const ep_node *argument, ep_use_visitor *visit, void *context) {
    use_walk walk = {judge, visit, context};
    if (ep_tag(&judge->fields, argument) == EP_F_Argument_as_tensor) { /* as most are */
        ep_node *tensor = ep_node_mutable(argument->slots[0]);
        uint64_t *name = &tensor->slots[judge->fields.slot[EP_F_TensorArgument_name]];
        tell_use(&walk, &(ep_leaf){.holds = EP_HOLDS_TENSOR, .name = name, .node = tensor});
        return;
    }
    if (!ep_leaves(judge->arena, &judge->fields, argument, tell_use, &walk)) {
        judge->out_of_memory = true;
    }
}

bool ep_judge_is_number(const ep_judge *judge, const ep_node *argument) {
    const ep_member *member = &judge->fields.schema->types[argument->type]->members[argument->tag];
    if (member->shape->op != EP_OP_UNION) {
        return false;
    }
    switch ((int)ep_tag(&judge->fields, ep_tag_node(argument))) {
    case EP_F_SymIntArgument_as_int:
    case EP_F_SymFloatArgument_as_float:
    case EP_F_SymBoolArgument_as_bool:
        return true;
    default:
        return false;
    }
}
