/*
 * migrate/calls.c - the calls of a module that is called several times (SPEC 7.4.5).
 * Before 8.1 one entry of the module call graph has all calls, one behind the other.
 * Later versions have an entry for each call, the second one named MODULE@1, anywhere
 * in the list. Entries are split and joined in the form of the program's own version,
 * before they are converted.
 */
#include "migrate/migrate.h"

#include "base/sort.h"
#include "language/treespec.h"
#include "json/number.h"

/* An entry of the list. */
typedef struct call {
    const ep_node *entry;
    ep_bytes fqn;
    ep_bytes digits; /* behind the @ of a later call, without leading zeros */
    uint32_t base;   /* the entry that it may be a later call of; none */
    bool later;
    bool numbered; /* some other is a later call of it */
} call;

typedef struct calling {
    ep_migration *m;
    call *calls;
    size_t count;
    ep_stack entries; /* the new entries */
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
    if (!whole && size->calls != 1) {
        size->calls = 1;
        return ep_migrate_refuse(m, EP_MIGRATE_VALUE, "inputs or outputs");
    }
    return true;
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
static bool name_call(ep_migration *m, ep_node *entry, size_t which) {
    char digits[EP_FLOAT_SIZE];
    ep_bytes fqn;
    ep_growing text;
    uint64_t bits;
    if (!ep_ref_text(m->arena, m->input, ep_field_bits(&m->from, entry, EP_F_ModuleCallEntry_fqn),
                     &fqn)) {
        return ep_migrate_no_memory(m);
    }
    ep_bytes number = {digits, ep_number_print_int((int64_t)which, digits)};
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

/* Counts the texts that the entry of a later call repeats. SPEC 7.1.7 */
static bool repeat_texts(ep_migration *m, const ep_node *entry) {
    const ep_node *signature = signature_of(m, entry);
    return ep_migrate_repeat(m, ep_field_bits(&m->from, entry, EP_F_ModuleCallEntry_fqn)) &&
           ep_migrate_repeat(
               m, ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_in_spec)) &&
           ep_migrate_repeat(m,
                             ep_field_bits(&m->from, signature, EP_F_ModuleCallSignature_out_spec));
}

/* Makes an entry of one call of an entry. */
static bool cut_call(calling *c, const ep_node *entry, const call_size *size, size_t number) {
    ep_migration *m = c->m;
    TRY(number == 0 || repeat_texts(m, entry));
    ep_node *made = copy_node(m, entry);
    ep_node *signature = made == NULL ? NULL : copy_node(m, signature_of(m, entry));
    TRY(signature != NULL);
    set_field(m, made, EP_F_ModuleCallEntry_signature, ep_pointer_bits(signature));
    TRY(slice(m, signature, EP_F_ModuleCallSignature_inputs, number * size->inputs, size->inputs) &&
        slice(m, signature, EP_F_ModuleCallSignature_outputs, number * size->outputs,
              size->outputs) &&
        (number == 0 || name_call(m, made, number)));
    return ep_migrate_push(m, &c->entries, ep_pointer_bits(made));
}

static bool cut_entry(calling *c, const ep_node *entry, bool whole) {
    const ep_node *signature = signature_of(c->m, entry);
    call_size size = {0, 0, 1};
    if (signature != NULL && !whole) {
        TRY(size_of(c->m, signature, &size));
    }
    if (size.calls == 1) {
        return ep_migrate_push(c->m, &c->entries, ep_pointer_bits(entry));
    }
    c->m->steps[EP_STEP_CALLS]++;
    for (size_t i = 0; i < size.calls; i++) {
        TRY(cut_call(c, entry, &size, i));
    }
    return true;
}

/* ---------------------------------------------------------------- later calls */

/* Whether a name ends in @ and a number; *end is the place of the @. */
static bool is_numbered(ep_bytes fqn, size_t *end) {
    size_t at = fqn.size;
    while (at > 0 && ep_is_digit(fqn.data[at - 1])) {
        at--;
    }
    *end = at - 1;
    return at > 0 && at < fqn.size && fqn.data[at - 1] == '@';
}

/* Finds the entry that has the name of a call without the number. */
static void find_base(const calling *c, const ep_map *names, call *of) {
    size_t end;
    of->base = EP_MAP_NONE;
    if (!is_numbered(of->fqn, &end) || signature_of(c->m, of->entry) == NULL) {
        return;
    }
    of->base = ep_map_find(names, (ep_bytes){of->fqn.data, end});
    of->digits = (ep_bytes){of->fqn.data + end + 1, of->fqn.size - end - 1};
    while (of->digits.size > 0 && of->digits.data[0] == '0') {
        of->digits = (ep_bytes){of->digits.data + 1, of->digits.size - 1};
    }
}

/* An entry is a later call if its base is not one itself. The bases of an entry form a
 * chain of ever shorter names, on which later calls alternate with others; it has fewer
 * entries than the name has bytes. */
static bool is_later(const calling *c, uint32_t at) {
    bool later = false;
    for (; c->calls[at].base != EP_MAP_NONE; at = c->calls[at].base) {
        later = !later;
    }
    return later;
}

static bool read_names(calling *c, uint64_t entries, ep_map *names) {
    ep_migration *m = c->m;
    for (size_t i = 0; i < c->count; i++) {
        uint32_t number;
        bool fresh;
        const ep_node *entry = ep_item_node(entries, i);
        c->calls[i] = (call){.entry = entry};
        if (!ep_ref_text(m->arena, m->input,
                         ep_field_bits(&m->from, entry, EP_F_ModuleCallEntry_fqn),
                         &c->calls[i].fqn) ||
            !ep_map_put(names, c->calls[i].fqn, &number, &fresh)) {
            return ep_migrate_no_memory(m);
        }
    }
    return true;
}

/* Finds the later calls. All names are different (SPEC 5.5.2), so the number of a name
 * in the map is that of its entry. */
static bool read_calls(calling *c, uint64_t entries) {
    ep_map names;
    c->count = ep_list_count(entries);
    c->calls = ep_arena_array(c->m->arena, 0, c->count, sizeof *c->calls);
    if (c->calls == NULL) {
        return ep_migrate_no_memory(c->m);
    }
    ep_map_init(&names, c->m->arena);
    bool ok = read_names(c, entries, &names);
    for (size_t i = 0; ok && i < c->count; i++) {
        find_base(c, &names, &c->calls[i]);
    }
    for (uint32_t i = 0; ok && i < c->count; i++) {
        c->calls[i].later = is_later(c, i);
    }
    ep_map_free(&names);
    return ok;
}

/* ------------------------------------------------------------------- joining */

static int compare_calls(const void *context, uint32_t a, uint32_t b) {
    const call *first = &((const call *)context)[a];
    const call *second = &((const call *)context)[b];
    if (first->base != second->base) {
        return first->base < second->base ? -1 : 1;
    }
    if (first->digits.size != second->digits.size) {
        return first->digits.size < second->digits.size ? -1 : 1;
    }
    return ep_sort_texts(first->digits, second->digits);
}

/* Sorts the later calls by entry, then by number. */
static bool sort_calls(calling *c, uint32_t **order, size_t *count) {
    *count = 0;
    *order = ep_arena_array(c->m->arena, 0, c->count, sizeof **order);
    if (*order == NULL) {
        return ep_migrate_no_memory(c->m);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->calls[i].later) {
            (*order)[(*count)++] = i;
        }
    }
    return ep_sort_numbers(c->m->arena, *order, *count, compare_calls, c->calls) ||
           ep_migrate_no_memory(c->m);
}

static bool take(const ep_migration *m, const ep_node *signature, ep_field field, ep_stack *items) {
    uint64_t list = ep_field_bits(&m->from, signature, field);
    for (size_t i = 0; i < ep_list_count(list); i++) {
        TRY(ep_stack_push(items, ep_list_at(list)->items[i]));
    }
    return true;
}

/* The arguments of a call and of later ones, in one list. */
static bool join_lists(calling *c, ep_node *signature, const uint32_t *later, size_t count,
                       ep_field field) {
    ep_migration *m = c->m;
    ep_stack items;
    uint64_t bits;
    ep_stack_init(&items, m->arena);
    bool ok = take(m, signature, field, &items);
    for (size_t i = 0; ok && i < count; i++) {
        ok = take(m, signature_of(m, c->calls[later[i]].entry), field, &items);
    }
    ok = ok && ep_maker_list(&m->maker, items.words, items.count, &bits);
    ep_stack_free(&items);
    if (!ok) {
        return ep_migrate_no_memory(m);
    }
    set_field(m, signature, field, bits);
    return true;
}

/* Makes one entry of an entry and its later calls. */
static bool join_entry(calling *c, const call *first, const uint32_t *later, size_t count) {
    ep_migration *m = c->m;
    if (count == 0) {
        return ep_migrate_push(m, &c->entries, ep_pointer_bits(first->entry));
    }
    m->at = c->calls[later[0]].entry;
    if (signature_of(m, first->entry) == NULL) {
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, "signature");
    }
    ep_node *made = copy_node(m, first->entry);
    ep_node *signature = made == NULL ? NULL : copy_node(m, signature_of(m, first->entry));
    TRY(signature != NULL);
    m->steps[EP_STEP_CALLS] += count;
    set_field(m, made, EP_F_ModuleCallEntry_signature, ep_pointer_bits(signature));
    TRY(join_lists(c, signature, later, count, EP_F_ModuleCallSignature_inputs) &&
        join_lists(c, signature, later, count, EP_F_ModuleCallSignature_outputs));
    return ep_migrate_push(m, &c->entries, ep_pointer_bits(made));
}

static bool join_entries(calling *c) {
    uint32_t *order;
    size_t count;
    size_t at = 0;
    TRY(sort_calls(c, &order, &count));
    for (uint32_t i = 0; i < c->count; i++) {
        size_t end = at;
        while (end < count && c->calls[order[end]].base == i) {
            end++;
        }
        TRY(c->calls[i].later || join_entry(c, &c->calls[i], order + at, end - at));
        at = end;
    }
    return true;
}

/* -------------------------------------------------------------------- the list */

/* Refuses an entry whose name would be read as that of a later call. For a form, it and
 * the entry that it would be a call of stay as they stand. */
static bool cut_entries(calling *c) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->calls[i].later) {
            c->calls[c->calls[i].base].numbered = true;
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        const call *each = &c->calls[i];
        c->m->at = each->entry;
        TRY(!each->later || ep_migrate_refuse(c->m, EP_MIGRATE_VALUE, "fqn"));
        TRY(cut_entry(c, each->entry, each->later || each->numbered));
    }
    return true;
}

bool ep_migrate_calls(ep_migration *m, uint64_t entries, uint64_t *turned) {
    calling c = {.m = m};
    bool up = ep_migrate_up(m, EP_V8_1_a);
    *turned = entries;
    if ((!up && !ep_migrate_down(m, EP_V8_1_a)) || ep_list_count(entries) == 0) {
        return true;
    }
    ep_stack_init(&c.entries, m->arena);
    bool ok = read_calls(&c, entries) && (up ? cut_entries(&c) : join_entries(&c)) &&
              ep_migrate_list(m, &c.entries, turned);
    ep_stack_free(&c.entries);
    return ok;
}
