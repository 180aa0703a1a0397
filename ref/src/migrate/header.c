/*
 * migrate/header.c - the header of a program: version, dialect, verifiers (SPEC 7.4.3).
 * The smallest step.
 */
#include "migrate/migrate.h"

#include "language/target.h"

/* ------------------------------------------------------------------ the header */

static bool set_version(ep_migration *m, ep_node *made) {
    const ep_version *version = m->maker.fields.schema->version;
    uint64_t bits = (uint64_t)(int64_t)version->major;
    if (version->minor >= 0) {
        ep_node *node = ep_maker_struct(&m->maker, EP_SHAPE_SchemaVersion);
        if (node == NULL) {
            return ep_migrate_no_memory(m);
        }
        ep_maker_set(&m->maker, node, EP_F_SchemaVersion_major, bits);
        ep_maker_set(&m->maker, node, EP_F_SchemaVersion_minor, (uint64_t)(int64_t)version->minor);
        bits = ep_pointer_bits(node);
    }
    ep_maker_set(&m->maker, made, EP_F_ExportedProgram_schema_version, bits);
    return true;
}

/* The verifiers of a program, from whichever field has them. Version 1 has no such
 * field; it implies ATEN. */
typedef struct verifiers {
    uint64_t list;  /* verifiers */
    ep_ref dialect; /* 0: none, or an empty one */
    ep_ref first;   /* of both; 0: none */
    size_t count;   /* of the list */
    bool agree;     /* whether the dialect adds nothing to the list */
} verifiers;

static verifiers verifiers_of(const ep_migration *m, const ep_node *node) {
    ep_ref dialect = ep_field_bits(&m->from, node, EP_F_ExportedProgram_dialect);
    verifiers v = {.list = ep_field_bits(&m->from, node, EP_F_ExportedProgram_verifiers),
                   .dialect = ep_ref_size(dialect) > 0 ? dialect : 0};
    v.count = ep_list_count(v.list);
    v.first = v.count > 0 ? ep_list_at(v.list)->items[0] : v.dialect;
    v.agree =
        v.count == 0 || v.dialect == 0 || ep_text_compare(m->input.data, v.first, v.dialect) == 0;
    return v;
}

static bool has_neither(const ep_fields *fields) {
    return fields->slot[EP_F_ExportedProgram_verifiers] == EP_NO_MEMBER &&
           fields->slot[EP_F_ExportedProgram_dialect] == EP_NO_MEMBER;
}

/* Whether the version can express the verifiers. SPEC 7.4.3 */
static bool check_verifiers(ep_migration *m, const verifiers *v) {
    bool has_list = ep_maker_has(&m->maker, EP_F_ExportedProgram_verifiers);
    bool has_dialect = ep_maker_has(&m->maker, EP_F_ExportedProgram_dialect);
    bool nameless = v->first != 0 && ep_ref_size(v->first) == 0; /* a dialect cannot express it */
    ep_bytes text;
    if (((v->count > 1 || nameless) && !has_list) || (!v->agree && !(has_list && has_dialect))) {
        return ep_migrate_refuse(m, EP_MIGRATE_FIELD, v->agree ? "verifiers" : "dialect");
    }
    if (v->first == 0) { /* without a field, ATEN is implied */
        if (!has_list && !has_dialect && !has_neither(&m->from)) {
            return ep_migrate_fail(m, EP_MIGRATE_FIELD, "verifiers");
        }
        return true;
    }
    if (!ep_ref_text(m->arena, m->input, v->first, &text)) {
        return ep_migrate_no_memory(m);
    }
    if (!has_list && !has_dialect && !ep_text_equal(text, EP_TEXT("ATEN"))) {
        return ep_migrate_fail(m, EP_MIGRATE_FIELD, "verifiers");
    }
    return ep_verifier_known(text, m->since) == ep_verifier_known(text, m->until) ||
           ep_migrate_refuse(m, EP_MIGRATE_TEXT, "verifiers");
}

/* Makes the fields that the version has and the program's own does not. */
static bool set_verifiers(ep_migration *m, const verifiers *v, ep_node *made) {
    uint64_t name = v->first;
    uint64_t list = v->list;
    if (has_neither(&m->from) && !ep_maker_text(&m->maker, EP_TEXT("ATEN"), &name)) {
        return ep_migrate_no_memory(m);
    }
    if (ep_list_count(list) == 0 && name != 0 && !ep_maker_list(&m->maker, &name, 1, &list)) {
        return ep_migrate_no_memory(m);
    }
    bool only_list = !ep_maker_has(&m->maker, EP_F_ExportedProgram_dialect);
    bool had_list = m->from.slot[EP_F_ExportedProgram_verifiers] != EP_NO_MEMBER;
    if (!had_list || only_list) {
        ep_maker_set(&m->maker, made, EP_F_ExportedProgram_verifiers, list);
    }
    bool only_dialect = !ep_maker_has(&m->maker, EP_F_ExportedProgram_verifiers);
    if (has_neither(&m->from) || only_dialect) { /* 0 is the empty text */
        ep_maker_set(&m->maker, made, EP_F_ExportedProgram_dialect, name);
    }
    return true;
}

/* Whether both versions have a field, or neither. */
static bool both_have(const ep_migration *m, ep_field field) {
    return (m->from.slot[field] != EP_NO_MEMBER) == ep_maker_has(&m->maker, field);
}

static bool turn_verifiers(ep_migration *m, const ep_node *node, ep_node *made) {
    verifiers v = verifiers_of(m, node);
    bool same =
        both_have(m, EP_F_ExportedProgram_verifiers) && both_have(m, EP_F_ExportedProgram_dialect);
    TRY(check_verifiers(m, &v));
    m->steps[EP_STEP_VERIFIERS] += !same;
    return same || has_neither(&m->maker.fields) || set_verifiers(m, &v, made);
}

bool ep_migrate_header(ep_migration *m, const ep_node *node, ep_node *made) {
    m->steps[EP_STEP_VERSION] += m->since != m->until;
    return set_version(m, made) && turn_verifiers(m, node, made);
}

/* Puts the dialect in front of the verifiers that do not begin with it. SPEC 6.1.3 */
bool ep_migrate_dialect(ep_migration *m, ep_node *root) {
    verifiers v = verifiers_of(m, m->program->root);
    if (!m->for_form || v.agree) {
        return true;
    }
    size_t count = ep_list_count(v.list) + 1;
    ep_list *list = ep_list_make(m->arena, count, count);
    if (list == NULL) {
        return ep_migrate_no_memory(m);
    }
    list->items[0] = v.dialect;
    memcpy(list->items + 1, ep_list_at(v.list)->items, (count - 1) * sizeof list->items[0]);
    ep_maker_set(&m->maker, root, EP_F_ExportedProgram_verifiers, ep_pointer_bits(list));
    return true;
}
