/*
 * tensors_program.c - what a program says of its state: the parameters, buffers, constants
 * and objects of its signature, and the tensors that they are in its graph.
 */
#include "common/memory.h"
#include "tensors_parts.h"

static tensor_role role_of_kind(int kind) {
    static const tensor_role roles[] = {
        [EP_INPUT_PARAMETER] = TENSOR_PARAMETER,
        [EP_INPUT_BUFFER] = TENSOR_BUFFER,
        [EP_INPUT_BUFFER_NOT_PERSISTENT] = TENSOR_BUFFER_NOT_PERSISTENT,
        [EP_INPUT_TENSOR_CONSTANT] = TENSOR_CONSTANT,
        [EP_INPUT_CUSTOM_OBJ] = TENSOR_CUSTOM_OBJECT,
    };
    bool known = 0 <= kind && (size_t)kind < sizeof roles / sizeof roles[0];
    return known ? roles[kind] : TENSOR_UNNAMED;
}

/* A walk over the signature. */
typedef struct signing {
    tensors_reading *r;
    ep_value specs; /* null in version 1 */
    name_list metas;
    size_t count; /* of what is wanted */
} signing;

/* Version 1 keeps the meta of a tensor in a struct of its own. */
static ep_value meta_of(const signing *s, ep_bytes name) {
    const name_item *item = names_find(&s->metas, name);
    ep_value none = {.program = NULL};
    if (item == NULL) {
        return none;
    }
    ep_value meta = ep_value_field(item->value, "meta");
    return ep_value_kind(meta) == EP_KIND_NULL ? item->value : meta;
}

static void take_entry(signing *s, size_t i, const ep_signature_entry *entry) {
    tensor_role role = role_of_kind(entry->kind);
    ep_value spec = ep_value_item(s->specs, i);
    const char *tag;
    if (role != TENSOR_UNNAMED) {
        s->r->wanted[s->count] =
            (tensors_target){.role = role, .spec = spec, .meta = meta_of(s, entry->name)};
        names_add(&s->r->targets, (name_item){.name = entry->target, .count = s->count++});
        return;
    }
    unwrap(ep_value_field(ep_value_item(spec, 0), "arg"), &tag);
    if (entry->kind == EP_INPUT_USER && tag != NULL &&
        bytes_equal(bytes_of(tag), "as_custom_obj")) {
        names_add(&s->r->objects, (name_item){.name = entry->name});
    }
}

static void take_entries(signing *s, const ep_signature *signature) {
    ep_signature_entry entry;
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        take_entry(s, i, &entry);
    }
    names_sort(&s->r->targets);
    names_sort(&s->r->objects);
}

bool tensors_open_program(tensors_reading *r, const ep_program *program, ep_arena *arena) {
    signing s = {.r = r};
    ep_signature *signature;
    r->root = ep_program_root(program);
    r->version = ep_program_version(program);
    if (!ep_signature_open(program, arena, &signature, &r->what->error)) {
        r->what->status = status_of_code(r->what->error.code);
        return false;
    }
    ep_value module = ep_value_field(r->root, "graph_module");
    s.specs = ep_value_field(ep_value_field(module, "signature"), "input_specs");
    names_add_dict(&s.metas, ep_value_field(ep_value_field(module, "graph"), "tensor_values"), NULL,
                   arena);
    names_sort(&s.metas);
    ep_value constants = ep_value_field(ep_value_field(module, "graph"), "constants");
    r->t->programs[r->program].has_constants = ep_value_count(constants) > 0;
    size_t count = ep_signature_input_count(signature);
    r->wanted = memory_zeros(count, sizeof *r->wanted);
    if (r->wanted != NULL) {
        take_entries(&s, signature);
    }
    bool ok = r->wanted != NULL && !s.metas.failed && !r->targets.failed && !r->objects.failed;
    names_free(&s.metas);
    return ok || tensors_refuse_memory(r);
}

void tensors_close_program(tensors_reading *r) {
    memory_free(r->wanted);
    names_free(&r->targets);
    names_free(&r->objects);
    r->wanted = NULL;
}
