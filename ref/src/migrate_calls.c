/*
 * migrate_calls.c - layer 6: the calls of a module that is called several
 * times (SPEC 7.4.5). Before 8.1 they stand in one entry of the module call
 * graph, one behind the other; later each has an entry, the second named
 * MODULE@1. Entries are cut and joined as they are in the program's own
 * version; what copies them to the other does not know of it.
 */
#include "migrate.h"

#include "number.h"
#include "treespec.h"

typedef struct calling {
    ep_migration *m;
    ep_stack entries; /* as they will be */
    ep_stack later;   /* those that go to the end */
} calling;

/* How many there are of what an entry lists in a call. */
typedef struct call_size {
    size_t inputs;
    size_t outputs;
    size_t calls;
} call_size;

static const ep_node *signature_of(const ep_migration *m, const ep_node *entry) {
    return ep_field_node(&m->from, entry, EP_F_ModuleCallEntry_signature);
}

static bool leaves_of(ep_migration *m, const ep_node *signature, ep_field field, size_t *leaves) {
    ep_treespec_options options = {.depth = SIZE_MAX, .version = m->since};
    const ep_treespec *spec;
    ep_passage passage;
    if (!ep_passage_open(&passage, m->arena, m->input, ep_field_bits(&m->from, signature, field))) {
        return ep_migrate_no_memory(m);
    }
    TRY(ep_treespec_parse(m->arena, &passage, &options, &spec, &m->fault));
    *leaves = spec->leaves;
    return true;
}

static bool size_of(ep_migration *m, const ep_node *signature, call_size *size) {
    size_t listed =
        ep_list_count(ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_inputs));
    size_t given =
        ep_list_count(ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_outputs));
    TRY(leaves_of(m, signature, EP_F_ModuleCallSignature_in_spec, &size->inputs) &&
        leaves_of(m, signature, EP_F_ModuleCallSignature_out_spec, &size->outputs));
    size->calls = 1;
    if (size->inputs > 0 && listed > size->inputs) {
        size->calls = listed / size->inputs;
    } else if (size->outputs > 0 && given > size->outputs) {
        size->calls = given / size->outputs;
    }
    bool whole = listed == size->inputs * size->calls && given == size->outputs * size->calls;
    return whole || size->calls == 1 || ep_migrate_fail(m, EP_MIGRATE_VALUE, "inputs or outputs");
}

/* ------------------------------------------------------------------- making */

static ep_node *copy_node(ep_migration *m, const ep_node *node) {
    size_t size = sizeof *node + m->from.schema->types[node->type]->count * sizeof(uint64_t);
    ep_node *copy = ep_arena_alloc(m->arena, size);
    if (copy == NULL) {
        ep_migrate_no_memory(m);
        return NULL;
    }
    memcpy(copy, node, size);
    return copy;
}

static void set_field(const ep_migration *m, ep_node *node, ep_field field, uint64_t bits) {
    node->slots[m->from.slot[field]] = bits;
}

/* Some of the arguments of a list. */
static bool slice(ep_migration *m, ep_node *signature, ep_field field, size_t from, size_t count) {
    uint64_t list = ep_field_bits(&m->from, signature, field);
    uint64_t bits;
    const uint64_t *items = list == 0 ? NULL : ep_list_at(list)->items + from;
    if (!ep_maker_list(&m->maker, items, count, &bits)) {
        return ep_migrate_no_memory(m);
    }
    set_field(m, signature, field, bits);
    return true;
}

/* MODULE@1 */
static bool name_call(ep_migration *m, ep_node *entry, size_t call) {
    char digits[EP_FLOAT_SIZE];
    ep_bytes fqn;
    ep_growing text;
    uint64_t bits;
    if (!ep_ref_text(m->arena, m->input, ep_field_bits(&m->from, entry, EP_F_ModuleCallEntry_fqn),
                     &fqn)) {
        return ep_migrate_no_memory(m);
    }
    ep_bytes number = {digits, ep_number_print_int((int64_t)call, digits)};
    ep_growing_init(&text, m->arena);
    bool ok = ep_growing_put(&text, fqn) && ep_growing_put(&text, EP_TEXT("@")) &&
              ep_growing_put(&text, number) &&
              ep_maker_text(&m->maker, (ep_bytes){text.data, text.size}, &bits);
    ep_growing_free(&text);
    if (!ok) {
        return ep_migrate_no_memory(m);
    }
    set_field(m, entry, EP_F_ModuleCallEntry_fqn, bits);
    return true;
}

/* One call of an entry as an entry of its own. */
static bool cut_call(calling *c, const ep_node *entry, const call_size *size, size_t call) {
    ep_migration *m = c->m;
    ep_node *made = copy_node(m, entry);
    ep_node *signature = made == NULL ? NULL : copy_node(m, signature_of(m, entry));
    TRY(signature != NULL);
    set_field(m, made, EP_F_ModuleCallEntry_signature, ep_pointer_bits(signature));
    TRY(slice(m, signature, EP_F_ModuleCallSignature_inputs, call * size->inputs, size->inputs) &&
        slice(m, signature, EP_F_ModuleCallSignature_outputs, call * size->outputs,
              size->outputs) &&
        (call == 0 || name_call(m, made, call)));
    return ep_stack_push(call == 0 ? &c->entries : &c->later, ep_pointer_bits(made)) ||
           ep_migrate_no_memory(m);
}

static bool cut_entry(calling *c, const ep_node *entry) {
    const ep_node *signature = signature_of(c->m, entry);
    call_size size = {0, 0, 1};
    c->m->at = entry;
    if (signature != NULL) {
        TRY(size_of(c->m, signature, &size));
    }
    if (size.calls == 1) {
        return ep_stack_push(&c->entries, ep_pointer_bits(entry)) || ep_migrate_no_memory(c->m);
    }
    c->m->steps[EP_STEP_CALLS]++;
    for (size_t call = 0; call < size.calls; call++) {
        TRY(cut_call(c, entry, &size, call));
    }
    return true;
}

/* ------------------------------------------------------------------- joining */

/* Whether a name ends in @ and a number; where the @ is. */
static bool is_later_call(ep_bytes fqn, size_t *end) {
    size_t at = fqn.size;
    while (at > 0 && ep_is_digit(fqn.data[at - 1])) {
        at--;
    }
    *end = at - 1;
    return at > 0 && at < fqn.size && fqn.data[at - 1] == '@';
}

static bool append(ep_migration *m, ep_node *to, const ep_node *from, ep_field field) {
    uint64_t first = ep_field_bits(&m->from, to, field);
    uint64_t second = ep_field_bits(&m->from, from, field);
    ep_stack items;
    uint64_t bits;
    ep_stack_init(&items, m->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < ep_list_count(first); i++) {
        ok = ep_stack_push(&items, ep_list_at(first)->items[i]);
    }
    for (size_t i = 0; ok && i < ep_list_count(second); i++) {
        ok = ep_stack_push(&items, ep_list_at(second)->items[i]);
    }
    ok = ok && ep_maker_list(&m->maker, items.words, items.count, &bits);
    ep_stack_free(&items);
    if (!ok) {
        return ep_migrate_no_memory(m);
    }
    set_field(m, to, field, bits);
    return true;
}

/* A later call goes behind the first, whose entry has a copy of its own. */
static bool join_call(ep_migration *m, ep_node *first, const ep_node *entry) {
    const ep_node *more = signature_of(m, entry);
    ep_node *signature =
        ep_node_at(ep_field_bits(&m->from, first, EP_F_ModuleCallEntry_signature)) == NULL
            ? NULL
            : copy_node(m, signature_of(m, first));
    if (more == NULL || signature == NULL) {
        return m->fault.code == EP_MEMORY ? false
                                          : ep_migrate_fail(m, EP_MIGRATE_VALUE, "signature");
    }
    m->steps[EP_STEP_CALLS]++;
    set_field(m, first, EP_F_ModuleCallEntry_signature, ep_pointer_bits(signature));
    return append(m, signature, more, EP_F_ModuleCallSignature_inputs) &&
           append(m, signature, more, EP_F_ModuleCallSignature_outputs);
}

static bool join_entry(calling *c, ep_map *names, const ep_node *entry) {
    ep_migration *m = c->m;
    ep_bytes fqn;
    size_t end;
    uint32_t number;
    bool fresh;
    m->at = entry;
    if (!ep_ref_text(m->arena, m->input, ep_field_bits(&m->from, entry, EP_F_ModuleCallEntry_fqn),
                     &fqn)) {
        return ep_migrate_no_memory(m);
    }
    uint32_t first =
        is_later_call(fqn, &end) ? ep_map_find(names, (ep_bytes){fqn.data, end}) : EP_MAP_NONE;
    if (first != EP_MAP_NONE && signature_of(m, entry) != NULL) {
        ep_node *base = (ep_node *)(uintptr_t)c->entries.words[first];
        return join_call(m, base, entry);
    }
    ep_node *copy = copy_node(m, entry);
    if (copy == NULL || !ep_map_put(names, fqn, &number, &fresh) ||
        !ep_stack_push(&c->entries, ep_pointer_bits(copy))) {
        return ep_migrate_no_memory(m);
    }
    return true;
}

/* -------------------------------------------------------------------- the list */

static bool turn_entries(calling *c, uint64_t entries, ep_map *names) {
    bool up = ep_migrate_up(c->m, EP_V8_1_a);
    for (size_t i = 0; i < ep_list_count(entries); i++) {
        const ep_node *entry = ep_item_node(entries, i);
        TRY(up ? cut_entry(c, entry) : join_entry(c, names, entry));
    }
    for (size_t i = 0; i < c->later.count; i++) {
        if (!ep_stack_push(&c->entries, c->later.words[i])) {
            return ep_migrate_no_memory(c->m);
        }
    }
    return true;
}

bool ep_migrate_calls(ep_migration *m, uint64_t entries, uint64_t *turned) {
    calling c = {.m = m};
    ep_map names;
    *turned = entries;
    if (!ep_migrate_up(m, EP_V8_1_a) && !ep_migrate_down(m, EP_V8_1_a)) {
        return true;
    }
    ep_stack_init(&c.entries, m->arena);
    ep_stack_init(&c.later, m->arena);
    ep_map_init(&names, m->arena);
    bool ok = turn_entries(&c, entries, &names) &&
              (ep_maker_list(&m->maker, c.entries.words, c.entries.count, turned) ||
               ep_migrate_no_memory(m));
    ep_stack_free(&c.entries);
    ep_stack_free(&c.later);
    ep_map_free(&names);
    return ok;
}
