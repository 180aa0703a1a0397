/*
 * migrate/text.c - strings in the language of another version (SPEC 7.5): names of
 * operators, node metadata, tree specs. What that language cannot express is refused
 * (SPEC 7.6.5), expressions included.
 */
#include "migrate/migrate.h"

#include "language/metadata.h"
#include "language/target.h"
#include "language/treespec.h"

static bool put_text(ep_migration *m, ep_bytes text, uint64_t *bits) {
    return ep_maker_text(&m->maker, text, bits) || ep_migrate_no_memory(m);
}

/* ------------------------------------------------------------------- targets */

/* The name of a higher-order operator in the other version. Its path differs, its last
 * part does not. SPEC 7.5.2 */
static const ep_target_row *row_in(ep_version_number version, const ep_target *target) {
    for (size_t i = 0; ep_target_row_at(i) != NULL; i++) {
        const ep_target_row *row = ep_target_row_at(i);
        ep_bytes name = {row->text + row->module_size + 1,
                         (size_t)row->size - row->module_size - 1};
        if (row->kind == EP_TARGET_HIGHER_ORDER && row->since <= version && version < row->until &&
            ep_text_equal(name, target->name)) {
            return row;
        }
    }
    return NULL;
}

bool ep_migrate_target(ep_migration *m, ep_ref text, uint64_t *bits) {
    ep_passage passage;
    ep_target target;
    ep_target same;
    ep_fault fault;
    *bits = text;
    if (!ep_passage_open(&passage, m->arena, m->input, text)) {
        return ep_migrate_no_memory(m);
    }
    /* ep_check has read it */
    TRY(EP_ALWAYS(ep_target_parse(&passage, m->since, &target, &m->fault)));
    if (target.kind == EP_TARGET_OVERLOAD || ep_target_parse(&passage, m->until, &same, &fault)) {
        return true;
    }
    const ep_target_row *row =
        target.kind == EP_TARGET_HIGHER_ORDER ? row_in(m->until, &target) : NULL;
    if (row == NULL) {
        return ep_migrate_refuse(m, EP_MIGRATE_TEXT, "target");
    }
    m->steps[EP_STEP_TARGET]++;
    return put_text(m, (ep_bytes){row->text, row->size}, bits);
}

/* ------------------------------------------------------------------ metadata */

static bool is_renamed(ep_metadata_key key, const ep_metadata_form *made) {
    return !ep_text_equal(ep_text_of(ep_metadata_form_of(key)->name), ep_text_of(made->name));
}

/* Whether the dict has the name already that a key gets. */
static bool is_taken(const ep_migration *m, ep_metadata_key key, const ep_metadata_form *made,
                     uint64_t dict) {
    ep_bytes name = ep_text_of(made->name);
    for (size_t i = 0; is_renamed(key, made) && i < ep_list_count(dict); i++) {
        if (ep_text_is(m->input.data, ep_dict_key(dict, i), name)) {
            return true;
        }
    }
    return false;
}

static bool same_entries(const ep_metadata *left, const ep_metadata *right) {
    bool same = left->count == right->count;
    for (size_t i = 0; same && i < left->count; i++) {
        const ep_metadata_entry *one = &left->entries[i], *other = &right->entries[i];
        same = ep_text_equal(one->key, other->key) && ep_text_equal(one->path, other->path) &&
               ep_text_equal(one->type, other->type);
    }
    return same;
}

/* Whether the other version reads a text that was made for it as what it was made of: a
 * sign of one form can be part of a name in the other. SPEC 7.5.3 */
static bool is_read_back(ep_migration *m, const ep_metadata *made, ep_bytes text, bool *same) {
    ep_passage passage = {.text = text, .raw = text};
    ep_metadata_reader reader = {.arena = m->arena, .passage = &passage, .key = made->key};
    const ep_metadata *read;
    ep_fault fault;
    *same = ep_metadata_parse(&reader, &read, &fault) && same_entries(made, read);
    return read != NULL || fault.code != EP_MEMORY || ep_migrate_no_memory(m);
}

/* Converts an item of Node.metadata. SPEC 7.5.3 */
static bool turn_item(ep_migration *m, ep_metadata_key key, const ep_metadata_form *made,
                      uint64_t *name, uint64_t *value) {
    ep_passage passage;
    const ep_metadata *read;
    ep_bytes text;
    if (!ep_passage_open(&passage, m->arena, m->input, *value)) {
        return ep_migrate_no_memory(m);
    }
    ep_metadata_reader reader = {
        .arena = m->arena, .passage = &passage, .key = key, .limits = ep_limits_default()};
    TRY(ep_metadata_parse(&reader, &read, &m->fault));
    if (made->key == EP_METADATA_SOURCE_FN && read->count != 1) {
        return true;
    }
    ep_metadata other = *read;
    other.key = (ep_metadata_key)made->key;
    if (!ep_metadata_print(&other, m->arena, &text)) {
        return ep_migrate_no_memory(m);
    }
    bool same;
    m->steps[EP_STEP_METADATA]++;
    TRY(!is_renamed(key, made) || put_text(m, ep_text_of(made->name), name));
    TRY(put_text(m, text, value) && is_read_back(m, &other, text, &same));
    return same || m->for_form || ep_migrate_refuse(m, EP_MIGRATE_TEXT, "metadata");
}

bool ep_migrate_metadata(ep_migration *m, uint64_t dict, uint64_t *bits) {
    size_t count = ep_list_count(dict);
    *bits = dict;
    if (count == 0 || !ep_metadata_turns(m->since, m->until)) {
        return true;
    }
    ep_list *made = ep_list_make(m->arena, count, 2 * count);
    if (made == NULL) {
        return ep_migrate_no_memory(m);
    }
    memcpy(made->items, ep_list_at(dict)->items, 2 * count * sizeof(uint64_t));
    *bits = ep_pointer_bits(made);
    for (size_t i = 0; i < count; i++) {
        ep_bytes key;
        if (!ep_ref_text(m->arena, m->input, ep_dict_key(dict, i), &key)) {
            return ep_migrate_no_memory(m);
        }
        ep_metadata_key meaning = ep_metadata_key_of(key, m->since);
        const ep_metadata_form *form = ep_metadata_turned(meaning, m->until);
        if (form != NULL && !is_taken(m, meaning, form, dict)) {
            TRY(turn_item(m, meaning, form, &made->items[i], &made->items[count + i]));
        }
    }
    return true;
}

/* ----------------------------------------------------------------- tree specs */

/* SPEC 7.5.4: a tree spec has the same text in all versions, except for types that a
 * version writes in its own way: these are refused. */
bool ep_migrate_treespec(ep_migration *m, ep_ref text, uint64_t *bits) {
    ep_treespec_options options = {.depth = SIZE_MAX, .version = m->until};
    const ep_treespec *spec;
    ep_passage passage;
    ep_fault fault;
    *bits = text;
    if (!ep_passage_open(&passage, m->arena, m->input, text)) {
        return ep_migrate_no_memory(m);
    }
    if (ep_treespec_parse(m->arena, &passage, &options, &spec, &fault)) {
        return true;
    }
    return fault.code == EP_MEMORY ? ep_migrate_no_memory(m)
                                   : ep_migrate_refuse(m, EP_MIGRATE_TEXT, "in_spec or out_spec");
}
