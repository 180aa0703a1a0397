/*
 * building_signature.c - the inputs and outputs of a program; see building.h. What is built is
 * what the parts of the signature say, so that no part can lack an entry, or have one of another:
 * the entries, one after the other, say only which part has the next.
 */
#include "building.h"

#include <string.h>

enum { PARTS = EP_PART_GRADIENTS_TO_USER_INPUTS + 1 };

/* A part, and how many of its entries were taken. */
typedef struct known_part {
    ep_signature_entry *entries;
    size_t count;
    size_t taken;
} known_part;

typedef struct known_signature {
    ep_signature *all;
    known_part parts[PARTS];
} known_signature;

/* The part of an input of a kind, and of an output. */
static const ep_signature_part INPUT_PARTS[] = {
    [EP_INPUT_USER] = EP_PART_USER_INPUTS,
    [EP_INPUT_PARAMETER] = EP_PART_PARAMETERS,
    [EP_INPUT_BUFFER] = EP_PART_BUFFERS,
    [EP_INPUT_BUFFER_NOT_PERSISTENT] = EP_PART_BUFFERS,
    [EP_INPUT_TENSOR_CONSTANT] = EP_PART_LIFTED_TENSOR_CONSTANTS,
    [EP_INPUT_CUSTOM_OBJ] = EP_PART_LIFTED_CUSTOM_OBJS,
    [EP_INPUT_TOKEN] = EP_PART_INPUT_TOKENS,
    [EP_INPUT_CONSTANT] = EP_PART_USER_INPUTS,
};

static const ep_signature_part OUTPUT_PARTS[] = {
    [EP_OUTPUT_USER] = EP_PART_USER_OUTPUTS,
    [EP_OUTPUT_LOSS] = EP_PART_LOSS_OUTPUT,
    [EP_OUTPUT_BUFFER_MUTATION] = EP_PART_BUFFERS_TO_MUTATE,
    [EP_OUTPUT_PARAMETER_MUTATION] = EP_PART_PARAMETERS_TO_MUTATE,
    [EP_OUTPUT_USER_INPUT_MUTATION] = EP_PART_USER_INPUTS_TO_MUTATE,
    [EP_OUTPUT_GRADIENT_TO_PARAMETER] = EP_PART_GRADIENTS_TO_PARAMETERS,
    [EP_OUTPUT_GRADIENT_TO_USER_INPUT] = EP_PART_GRADIENTS_TO_USER_INPUTS,
    [EP_OUTPUT_TOKEN] = EP_PART_OUTPUT_TOKENS,
};

static void read_parts(rebuild *r, known_signature *s) {
    for (size_t i = 0; i < PARTS; i++) {
        known_part *part = &s->parts[i];
        part->count = ep_signature_part_of(s->all, (ep_signature_part)i, NULL, 0);
        part->entries = rebuild_alloc(r, part->count, sizeof *part->entries);
        size_t count = part->entries == NULL ? 0
                                             : ep_signature_part_of(s->all, (ep_signature_part)i,
                                                                    part->entries, part->count);
        part->count = count < part->count ? count : part->count;
    }
}

/* The next entry of a part; NULL where it has no more. */
static const ep_signature_entry *next_of(known_signature *s, ep_signature_part which) {
    known_part *part = &s->parts[which];
    return part->taken < part->count ? &part->entries[part->taken++] : NULL;
}

/* What a part says that an input is: of buffers another part says which are not kept. */
static ep_input_kind kind_of(known_signature *s, const ep_signature_entry *entry) {
    const known_part *part = &s->parts[EP_PART_NON_PERSISTENT_BUFFERS];
    if (entry->kind != EP_INPUT_BUFFER && entry->kind != EP_INPUT_BUFFER_NOT_PERSISTENT) {
        return (ep_input_kind)entry->kind;
    }
    if (part->taken < part->count &&
        bytes_compare(part->entries[part->taken].name, entry->name) == 0) {
        next_of(s, EP_PART_NON_PERSISTENT_BUFFERS);
        return EP_INPUT_BUFFER_NOT_PERSISTENT;
    }
    return EP_INPUT_BUFFER;
}

static const ep_built_arg *arg_of(rebuild *r, const ep_signature_entry *entry) {
    ep_built_graph *root = ep_build_root(r->b);
    return entry->name.size > 0 ? ep_arg_value(r->b, rebuild_value(r, root, entry->name))
                                : rebuild_arg(r, root, entry->constant);
}

static const char *target_of(rebuild *r, const ep_signature_entry *entry) {
    return entry->target.size > 0 ? rebuild_part(r, entry->target.data, entry->target.size) : NULL;
}

/* False: the part has no such entry. */
static bool build_input(rebuild *r, known_signature *s, const ep_signature_entry *at,
                        ep_value spec) {
    const ep_signature_entry *entry = next_of(s, INPUT_PARTS[at->kind]);
    if (entry == NULL) {
        return false;
    }
    const char *name = entry->kind == EP_INPUT_CONSTANT
                           ? rebuild_text(r, rebuild_at(spec, "constant_input", "name"))
                           : target_of(r, entry);
    ep_build_input(r->b, kind_of(s, entry), arg_of(r, entry), name);
    return true;
}

/* Whether an output is a gradient without a loss: all parts of the backward signature are then
 * empty (SPEC 5.3.11 allows it in old versions), and the entry alone says it. */
static bool is_in_no_part(const known_signature *s, const ep_signature_entry *entry) {
    bool gradient = entry->kind == EP_OUTPUT_GRADIENT_TO_PARAMETER ||
                    entry->kind == EP_OUTPUT_GRADIENT_TO_USER_INPUT;
    return gradient && s->parts[EP_PART_LOSS_OUTPUT].count == 0;
}

static bool build_output(rebuild *r, known_signature *s, const ep_signature_entry *at) {
    const ep_signature_entry *entry =
        is_in_no_part(s, at) ? at : next_of(s, OUTPUT_PARTS[at->kind]);
    if (entry == NULL) {
        return false;
    }
    ep_build_output(r->b, (ep_output_kind)entry->kind, arg_of(r, entry), target_of(r, entry));
    return true;
}

/* Whether all that the parts say was taken. */
static bool is_all(const known_signature *s) {
    for (size_t i = 0; i < PARTS; i++) {
        if (s->parts[i].taken != s->parts[i].count) {
            return false;
        }
    }
    return true;
}

const char *rebuild_signature(rebuild *r, ep_value module) {
    known_signature s = {.all = NULL};
    ep_signature_entry at;
    ep_value specs = rebuild_at(module, "signature", "input_specs");
    bool ok = true;
    if (!ep_signature_open(r->program, r->arena, &s.all, NULL)) {
        r->failed = true;
        return NULL;
    }
    read_parts(r, &s);
    for (size_t i = 0; ep_signature_input(s.all, i, &at); i++) {
        ok = build_input(r, &s, &at, ep_value_item(specs, i)) && ok;
    }
    for (size_t i = 0; ep_signature_output(s.all, i, &at); i++) {
        ok = build_output(r, &s, &at) && ok;
    }
    return r->failed || (ok && is_all(&s)) ? NULL
                                           : "the parts of the signature are not its entries";
}
