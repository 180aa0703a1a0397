/*
 * rules/header.c - SPEC 5.7: opsets, verifiers, the PyTorch version.
 */
#include "rules/rules.h"

/* SPEC 5.7.1: every release writes this one opset, unless its caller passes another
 * map. The note on other maps is given once. */
void ep_rule_opset(ep_judge *judge, const ep_subject *subject) {
    enum { ATEN_OPSET = 10 };
    uint64_t opsets =
        ep_field_bits(&judge->fields, subject->node, EP_F_ExportedProgram_opset_version);
    for (size_t i = 0; i < ep_list_count(opsets); i++) {
        ep_ref name = ep_dict_key(opsets, i);
        if (!ep_text_is(judge->input.data, name, EP_TEXT("aten")) ||
            ep_dict_value(opsets, i) != ATEN_OPSET) {
            ep_judge_note_key(judge, EP_OPSET, name);
            return;
        }
    }
    if (ep_list_count(opsets) == 0) {
        ep_judge_note_node(judge, EP_OPSET, subject->node);
    }
}

/* Whether the version's list has a name. A name that cannot be read for want of memory
 * counts as present. */
static bool is_verifier(ep_judge *judge, ep_ref name) {
    ep_arena_mark mark = ep_arena_now(judge->arena);
    ep_bytes text;
    if (!ep_ref_text(judge->arena, judge->input, name, &text)) {
        judge->out_of_memory = true;
        return true;
    }
    bool known = ep_verifier_known(text, judge->version);
    ep_arena_rewind(judge->arena, mark);
    return known;
}

/* SPEC 5.7.2: anyone may register a verifier, so the first one that is not PyTorch's
 * causes a note. A dialect that is the empty string, the default of some versions,
 * means nothing. */
void ep_rule_verifier(ep_judge *judge, const ep_subject *subject) {
    const ep_fields *fields = &judge->fields;
    uint64_t verifiers = ep_field_bits(fields, subject->node, EP_F_ExportedProgram_verifiers);
    ep_ref dialect = ep_field_bits(fields, subject->node, EP_F_ExportedProgram_dialect);
    if (ep_ref_size(dialect) > 0 && !is_verifier(judge, dialect)) {
        ep_judge_note_string(judge, EP_VERIFIER, dialect);
        return;
    }
    for (size_t i = 0; i < ep_list_count(verifiers); i++) {
        ep_ref name = ep_list_at(verifiers)->items[i];
        if (!is_verifier(judge, name)) {
            ep_judge_note_string(judge, EP_VERIFIER, name);
            return;
        }
    }
}

/* SPEC 5.7.3 */
void ep_rule_torch_version(ep_judge *judge, const ep_subject *subject) {
    if (!ep_field_present(&judge->fields, subject->node, EP_F_ExportedProgram_torch_version)) {
        return;
    }
    ep_ref version =
        ep_field_bits(&judge->fields, subject->node, EP_F_ExportedProgram_torch_version);
    ep_arena_mark mark = ep_arena_now(judge->arena);
    ep_bytes text;
    if (!ep_ref_text(judge->arena, judge->input, version, &text)) {
        judge->out_of_memory = true;
        return;
    }
    if (!ep_torch_version_valid(text)) {
        ep_judge_string(judge, EP_TORCH_VERSION, version, NULL);
    }
    ep_arena_rewind(judge->arena, mark);
}
