/*
 * migrate/modules.c - the call_spec of version 1, which in later versions is the root
 * of the module call graph (SPEC 7.4.2).
 */
#include "migrate/migrate.h"

#include "language/treespec.h"

#define OPENING "[1, "
#define PAIR "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": ["
#define NO_KWARGS "{\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}"

static bool read_spec(ep_migration *m, ep_ref ref, ep_passage *passage, const ep_treespec **spec) {
    ep_treespec_options options = {.depth = SIZE_MAX, .version = m->since};
    if (!ep_passage_open(passage, m->arena, m->input, ref)) {
        return ep_migrate_no_memory(m);
    }
    return ep_treespec_parse(m->arena, passage, &options, spec, &m->fault);
}

/* Whether a tree is (args, kwargs). */
static bool is_call(const ep_treespec_node *root) {
    return ep_treespec_is(root, EP_TEXT("builtins.tuple")) && root->count == 2 &&
           ep_treespec_is(root->first, EP_TEXT("builtins.tuple")) &&
           ep_treespec_is(root->first->next, EP_TEXT("builtins.dict"));
}

static bool put_text(ep_migration *m, const ep_bytes *parts, size_t count, uint64_t *bits) {
    ep_growing text;
    ep_growing_init(&text, m->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = ep_growing_put(&text, parts[i]);
    }
    ok = ok && ep_maker_text(&m->maker, (ep_bytes){text.data, text.size}, bits);
    ep_growing_free(&text);
    return ok || ep_migrate_no_memory(m);
}

/* Makes of the tree of the arguments the pair of positional and named ones. */
static bool wrap_in_spec(ep_migration *m, ep_ref ref, uint64_t *bits) {
    ep_passage passage;
    const ep_treespec *spec;
    TRY(read_spec(m, ref, &passage, &spec));
    *bits = ref;
    if (is_call(spec->root)) {
        return true;
    }
    ep_bytes text = passage.text;
    ep_bytes inner = {text.data + sizeof OPENING - 1, text.size - sizeof OPENING};
    ep_bytes parts[] = {EP_TEXT(OPENING PAIR), inner, EP_TEXT(", " NO_KWARGS "]}]")};
    return put_text(m, parts, EP_COUNT_OF(parts), bits);
}

/* Whether a tree is a pair whose second item is an empty dict: no named arguments. */
static bool is_positional(const ep_treespec_node *root) {
    return ep_treespec_is(root, EP_TEXT("builtins.tuple")) && root->count == 2 &&
           ep_treespec_is(root->first->next, EP_TEXT("builtins.dict")) &&
           root->first->next->count == 0;
}

/* The reverse. A pair with named arguments stays as it is. A pair without becomes the
 * tree of the positional arguments alone, unless that would be read as a pair itself. A
 * tree that is no pair is refused. */
static bool unwrap_in_spec(ep_migration *m, ep_ref ref, uint64_t *bits) {
    ep_passage passage;
    const ep_treespec *spec;
    TRY(read_spec(m, ref, &passage, &spec));
    TRY(ep_migrate_treespec(m, ref, bits));
    bool positional = is_positional(spec->root);
    if (!positional && is_call(spec->root)) {
        return true;
    }
    if (!positional || is_call(spec->root->first)) {
        return ep_migrate_fail(m, EP_MIGRATE_TEXT, "in_spec");
    }
    ep_bytes text = passage.text;
    size_t before = sizeof OPENING PAIR - 1;
    size_t after = sizeof ", " NO_KWARGS "]}]" - 1;
    ep_bytes inner = {text.data + before, text.size - before - after};
    ep_bytes parts[] = {EP_TEXT(OPENING), inner, EP_TEXT("]")};
    return put_text(m, parts, EP_COUNT_OF(parts), bits);
}

static bool new_root(ep_migration *m, uint64_t in_spec, uint64_t out_spec, uint64_t *bits) {
    ep_node *signature = ep_maker_struct(&m->maker, EP_SHAPE_ModuleCallSignature);
    ep_node *entry = ep_maker_struct(&m->maker, EP_SHAPE_ModuleCallEntry);
    uint64_t fqn;
    if (signature == NULL || entry == NULL || !ep_maker_text(&m->maker, EP_TEXT(""), &fqn)) {
        return ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, signature, EP_F_ModuleCallSignature_inputs, 0);
    ep_maker_set(&m->maker, signature, EP_F_ModuleCallSignature_outputs, 0);
    ep_maker_set(&m->maker, signature, EP_F_ModuleCallSignature_in_spec, in_spec);
    ep_maker_set(&m->maker, signature, EP_F_ModuleCallSignature_out_spec, out_spec);
    ep_maker_set(&m->maker, entry, EP_F_ModuleCallEntry_fqn, fqn);
    ep_maker_set(&m->maker, entry, EP_F_ModuleCallEntry_signature, ep_pointer_bits(signature));
    *bits = ep_pointer_bits(entry);
    return true;
}

/* The list of entries in the other version. */
static bool copy_entries(ep_migration *m, uint64_t entries, ep_node *made) {
    const ep_shape *from = &m->from.schema->shapes[EP_SHAPE_list_ModuleCallEntry];
    const ep_shape *to = &m->maker.fields.schema->shapes[EP_SHAPE_list_ModuleCallEntry];
    ep_maker_set(&m->maker, made, EP_F_GraphModule_module_call_graph, 0);
    uint8_t slot = m->maker.fields.slot[EP_F_GraphModule_module_call_graph];
    uint64_t turned;
    return ep_migrate_calls(m, entries, &turned) &&
           ep_migrate_value(m, from, to, turned, &made->slots[slot]);
}

/* Makes the root entry from the call_spec, and appends all entries but the first. */
static bool put_root(ep_migration *m, uint64_t root, uint64_t entries, ep_node *made) {
    const ep_shape *from = m->from.schema->shapes[EP_SHAPE_list_ModuleCallEntry].of;
    const ep_shape *to = m->maker.fields.schema->shapes[EP_SHAPE_list_ModuleCallEntry].of;
    uint64_t turned;
    TRY(ep_migrate_calls(m, entries, &turned));
    size_t count = turned == 0 ? 1 : ep_list_count(turned);
    ep_list *list = ep_list_make(m->arena, count, count);
    if (list == NULL) {
        return ep_migrate_no_memory(m);
    }
    list->items[0] = root;
    for (size_t i = 1; i < count; i++) {
        TRY(ep_migrate_value(m, from, to, ep_list_at(turned)->items[i], &list->items[i]));
    }
    ep_maker_set(&m->maker, made, EP_F_GraphModule_module_call_graph, ep_pointer_bits(list));
    return true;
}

/* When there are entries, the first is the root (SPEC 5.5.1). The call_spec supplies
 * what it lacks. */
static bool modules_up(ep_migration *m, const ep_node *node, ep_node *made) {
    const ep_node *call = ep_field_node(&m->from, node, EP_F_GraphModule_call_spec);
    uint64_t entries = ep_field_bits(&m->from, node, EP_F_GraphModule_module_call_graph);
    const ep_node *first = ep_list_count(entries) == 0 ? NULL : ep_item_node(entries, 0);
    uint64_t in_spec = 0;
    uint64_t root = 0;
    if (first != NULL && ep_field_node(&m->from, first, EP_F_ModuleCallEntry_signature) != NULL) {
        return copy_entries(m, entries, made);
    }
    m->at = call;
    TRY(wrap_in_spec(m, ep_field_bits(&m->from, call, EP_F_CallSpec_in_spec), &in_spec));
    TRY(new_root(m, in_spec, ep_field_bits(&m->from, call, EP_F_CallSpec_out_spec), &root));
    return put_root(m, root, entries, made);
}

/* Whether the root is all that the module call graph has, and its call_spec says all
 * that the root says. SPEC 7.4.2 */
static bool is_root_alone(const ep_migration *m, uint64_t entries, const ep_node *signature) {
    return ep_list_count(entries) == 1 &&
           ep_list_count(ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_inputs)) ==
               0 &&
           ep_list_count(ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_outputs)) == 0;
}

/* Keeps the root's specs for version 1, and no entries when the root is the only one. */
static bool modules_down(ep_migration *m, const ep_node *node, ep_node *made) {
    uint64_t entries = ep_field_bits(&m->from, node, EP_F_GraphModule_module_call_graph);
    /* in a program that was checked, the root has an entry with a signature: SPEC 5.5.3 */
    const ep_node *signature =
        ep_field_node(&m->from, ep_item_node(entries, 0), EP_F_ModuleCallEntry_signature);
    ep_node *call = ep_maker_struct(&m->maker, EP_SHAPE_CallSpec);
    uint64_t in_spec;
    uint64_t out_spec;
    if (call == NULL) {
        return ep_migrate_no_memory(m);
    }
    m->at = signature;
    TRY(unwrap_in_spec(m, ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_in_spec),
                       &in_spec) &&
        ep_migrate_treespec(
            m, ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_out_spec), &out_spec));
    ep_maker_set(&m->maker, call, EP_F_CallSpec_in_spec, in_spec);
    ep_maker_set(&m->maker, call, EP_F_CallSpec_out_spec, out_spec);
    ep_maker_set(&m->maker, made, EP_F_GraphModule_call_spec, ep_pointer_bits(call));
    return copy_entries(m, is_root_alone(m, entries, signature) ? 0 : entries, made);
}

bool ep_migrate_modules(ep_migration *m, const ep_node *node, ep_node *made) {
    bool had = m->from.slot[EP_F_GraphModule_call_spec] != EP_NO_MEMBER;
    bool has = ep_maker_has(&m->maker, EP_F_GraphModule_call_spec);
    if (had == has) {
        return copy_entries(m, ep_field_bits(&m->from, node, EP_F_GraphModule_module_call_graph),
                            made);
    }
    m->steps[EP_STEP_CALL_SPEC]++;
    return has ? modules_down(m, node, made) : modules_up(m, node, made);
}
