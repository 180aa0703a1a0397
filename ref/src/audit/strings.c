/*
 * audit/strings.c - what a loader does with each kind of string: operators and other
 * attributes, pickled bytes (SPEC 9.3, 9.5); audit/source.c and audit/treespec.c have
 * the others.
 */
#include "audit/audit.h"

#include "language/target.h"

static bool starts_with(ep_bytes text, const char *prefix) {
    ep_bytes start = ep_text_of(prefix);
    return text.size >= start.size && memcmp(text.data, prefix, start.size) == 0;
}

/* -------------------------------------------------------------------- targets */

#define OWN(ns) #ns,
static const char *const own[] = {
#include "audit/audit.def"
};
#define NO_NAMESPACE(name) #name,
static const char *const no_namespaces[] = {
#include "audit/audit.def"
};
#define DUNDER(name) #name,
static const char *const dunders[] = {
#include "audit/audit.def"
};
#define CARRIER(name) #name,
static const char *const carriers[] = {
#include "audit/audit.def"
};
#define OPENS(ns, name) {#ns, #name},
static const char *const openers[][2] = {
#include "audit/audit.def"
};

/* Whether the loader begins to resolve a text, which it decides by the beginning of the
 * text. */
static bool is_resolved(ep_bytes text) {
    return starts_with(text, "torch") || starts_with(text, "_operator") ||
           starts_with(text, "math");
}

/* Whether the parts of an overload's target differ from the names of Python's own
 * attributes of torch.ops. */
static bool is_plain(const ep_target *target) {
    return !EP_TEXT_AMONG(target->ns, no_namespaces) && !starts_with(target->ns, "__") &&
           !starts_with(target->overload, "__") &&
           (!starts_with(target->name, "__") || EP_TEXT_AMONG(target->name, dunders));
}

static bool opens_file(const ep_target *target) {
    for (size_t i = 0; i < EP_COUNT_OF(openers); i++) {
        if (ep_text_equal(target->ns, ep_text_of(openers[i][0])) &&
            ep_text_equal(target->name, ep_text_of(openers[i][1]))) {
            return true;
        }
    }
    return false;
}

/* An operator that is one. SPEC 9.3.2, 9.3.3, 9.3.5 */
static void audit_operator(ep_auditor *auditor, ep_ref ref, ep_bytes text,
                           const ep_target *target) {
    if (target->kind == EP_TARGET_HIGHER_ORDER && EP_TEXT_AMONG(target->name, carriers)) {
        ep_audit_tell(auditor, EP_AUDIT_CARRIER, ref, text,
                      "a kernel or a compiled part that the reading process has runs with it");
    }
    if (target->kind != EP_TARGET_OVERLOAD) {
        return;
    }
    if (opens_file(target)) {
        ep_audit_tell(auditor, EP_AUDIT_OPENS, ref, text,
                      "an argument names the file, or where the code is");
    } else if (!EP_TEXT_AMONG(target->ns, own)) {
        ep_audit_tell(auditor, EP_AUDIT_LIBRARY, ref, text,
                      "the library that registers it has to be loaded");
    }
}

/* Whether a row of any version has this target. */
static bool is_listed(ep_bytes text, ep_target *target) {
    const ep_target_row *row;
    for (size_t i = 0; (row = ep_target_row_at(i)) != NULL; i++) {
        if (ep_text_equal(text, (ep_bytes){row->text, row->size})) {
            *target = (ep_target){.kind = (ep_target_kind)row->kind, .row = row};
            size_t start = (size_t)row->module_size + 1;
            target->name = (ep_bytes){row->text + start, row->size - start};
            return true;
        }
    }
    return false;
}

/* SPEC 9.3.1, 9.3.4 */
static bool audit_target(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    ep_bytes text = passage->text;
    ep_target target;
    ep_fault fault = {.code = EP_OK};
    if (starts_with(text, "#") || starts_with(text, "$")) {
        ep_audit_tell(auditor, EP_AUDIT_EXTENSION, ref, text,
                      "a registered handler makes an operator of the rest");
        return true;
    }
    bool known = is_listed(text, &target);
    if (!known && ep_target_parse(passage, auditor->version, &target, &fault)) {
        known = EP_NEVER(target.kind != EP_TARGET_OVERLOAD) || /* others are listed */
                is_plain(&target);
    }
    if (known) {
        audit_operator(auditor, ref, text, &target);
    } else if (is_resolved(text)) {
        ep_audit_tell(auditor, EP_AUDIT_TARGET, ref, text,
                      "the loader walks there by getattr, and makes a node that calls it");
    }
    return true;
}

/* ------------------------------------------------------------------- metadata */

/* A path to a function or class. SPEC 9.3.4, 9.3.6 */
static void audit_path(ep_auditor *auditor, ep_ref ref, ep_bytes path) {
    if (starts_with(path, "#")) {
        ep_audit_tell(auditor, EP_AUDIT_EXTENSION, ref, path,
                      "a registered handler makes an operator of the rest");
        return;
    }
    for (size_t i = 0; is_resolved(path) && i + 2 < path.size; i++) {
        if (memcmp(path.data + i, ".__", 3) == 0) {
            ep_audit_tell(auditor, EP_AUDIT_METADATA, ref, path,
                          "the loader walks there by getattr, and keeps what it finds");
            return;
        }
    }
}

/* Entries with semicolons between, each ending in a path after its last comma
 * and perhaps a closing parenthesis. */
static void audit_entries(ep_auditor *auditor, ep_ref ref, ep_bytes text) {
    size_t start = 0;
    for (size_t i = 0; i <= text.size; i++) {
        char c = i < text.size ? text.data[i] : ';';
        if (c == ',' || c == ';') {
            size_t end = c == ';' && i > start && text.data[i - 1] == ')' ? i - 1 : i;
            if (c == ';') {
                audit_path(auditor, ref, (ep_bytes){text.data + start, end - start});
            }
            start = i + 1;
        }
    }
}

/* SPEC 9.2.3, 9.3.2, 9.3.6. The class in nn_module_stack is text but to release 2.1. */
bool ep_audit_metadata(ep_auditor *auditor, ep_ref key, ep_ref value) {
    const char *input = auditor->input.data;
    bool stack = ep_text_is(input, key, EP_TEXT("nn_module_stack"));
    bool resolved = ep_text_is(input, key, EP_TEXT("source_fn_stack")) ||
                    ep_text_is(input, key, EP_TEXT("source_fn")) ||
                    (auditor->version <= EP_V1 && stack);
    TRY(!stack || ep_audit_string(auditor, EP_LOOK_STACK, value));
    TRY(!ep_text_is(input, key, EP_TEXT("custom")) ||
        ep_audit_string(auditor, EP_LOOK_CUSTOM, value));
    return !resolved || ep_audit_string(auditor, EP_LOOK_METADATA, value);
}

/* -------------------------------------------------------------------- strings */

static bool audit_passage(ep_auditor *auditor, ep_look look, ep_ref ref,
                          const ep_passage *passage) {
    ep_bytes text = passage->text;
    switch (look) {
    case EP_LOOK_EXPRESSION:
        return ep_audit_expression(auditor, ref, passage);
    case EP_LOOK_NAME:
    case EP_LOOK_ATTRIBUTE:
        ep_audit_name_text(auditor, look, ref, text);
        break;
    case EP_LOOK_GUARD:
        return ep_audit_guard(auditor, ref, passage);
    case EP_LOOK_TARGET:
        return audit_target(auditor, ref, passage);
    case EP_LOOK_METADATA:
        audit_entries(auditor, ref, text);
        break;
    case EP_LOOK_STACK:
        ep_audit_stack(auditor, ref, text);
        break;
    case EP_LOOK_VALUE:
        ep_audit_guarded_text(auditor, ref, text);
        break;
    case EP_LOOK_CUSTOM:
    case EP_LOOK_COUNTER:
    case EP_LOOK_FORMAT:
    case EP_LOOK_METHOD:
    case EP_LOOK_CLASS_PATH:
        ep_audit_argument(auditor, look, ref, text);
        break;
    case EP_LOOK_TREESPEC:
        return ep_audit_treespec(auditor, ref, passage);
    case EP_LOOK_IN_SPEC:
        return ep_audit_keywords(auditor, ref, passage);
    case EP_LOOK_VERIFIER: /* SPEC 9.3.7; SPEC 5.7.2: an empty dialect says nothing */
        if (text.size > 0 && !ep_verifier_known(text, auditor->version)) {
            ep_audit_tell(auditor, EP_AUDIT_VERIFIER, ref, text,
                          "the library that registers it has to be loaded");
        }
        break;
    case EP_LOOK_BLOB: /* SPEC 9.5.1 */
        ep_audit_tell(auditor, EP_AUDIT_EMBEDDED, ref, text, "the loader unpickles it");
        break;
    case EP_LOOK_CLASS: /* SPEC 9.5.2 */
        ep_audit_tell(auditor, EP_AUDIT_OBJECT, ref, text,
                      "the library that registers its class has to be loaded");
        break;
    case EP_LOOK_NONE:
    case EP_LOOK_COUNT:
        EP_UNREACHABLE(); /* who asks has something to look for */
        break;
    }
    return true;
}

/* Whether a string is a name without findings, escapes among them. Most are, and they
 * need not be remembered. */
static bool is_plain_name(const ep_auditor *auditor, ep_look look, ep_ref ref) {
    bool name = look == EP_LOOK_NAME || look == EP_LOOK_ATTRIBUTE;
    return name && ep_audit_name_is_plain(look, ep_ref_raw(auditor->input.data, ref));
}

/* SPEC 9.1.5: a text is audited once, however it is spelled. */
bool ep_audit_string(ep_auditor *auditor, ep_look look, ep_ref ref) {
    bool fresh;
    uint32_t number;
    ep_passage passage;
    if (is_plain_name(auditor, look, ref)) {
        return true;
    }
    TRY(ep_passage_open(&passage, auditor->arena, auditor->input, ref));
    TRY(ep_map_put(&auditor->seen[look], passage.text, &number, &fresh));
    if (!fresh) {
        return true;
    }
    ep_arena_mark mark = ep_arena_now(auditor->arena);
    bool ok = audit_passage(auditor, look, ref, &passage);
    if (look != EP_LOOK_TREESPEC) { /* whose names are remembered */
        ep_arena_rewind(auditor->arena, mark);
    }
    return ok;
}
