/*
 * audit/treespec.c - the modules that tree specs make a loader import (SPEC 9.4).
 */
#include "audit/audit.h"

#include "language/treespec.h"

enum { DEPTH_MAX = 1000 };

#define FACTORY(module, name)                                                                      \
    "{\"default_factory_module\": \"" #module "\", \"default_factory_name\": \"" #name "\", ",
static const char *const factories[] = {
#include "audit/audit.def"
};

/* Whether a text can be, or contain, a context that names a module. Encoders write no
 * escape of an ASCII letter, so an escape may hide a key. */
static bool may_import(ep_bytes text) {
    return ep_audit_holds(text, EP_TEXT("__enum__")) ||
           ep_audit_holds(text, EP_TEXT("default_factory_module")) || ep_audit_hides(text);
}

/* Whether a factory is in the list; its context has one spelling. */
static bool is_known_factory(ep_bytes context) {
    for (size_t i = 0; i < EP_COUNT_OF(factories); i++) {
        ep_bytes start = ep_text_of(factories[i]);
        if (context.size >= start.size && memcmp(context.data, start.data, start.size) == 0) {
            return true;
        }
    }
    return false;
}

static void audit_node(ep_auditor *auditor, ep_ref ref, const ep_treespec_node *node) {
    bool factory = node->type->form == EP_TREESPEC_FORM_FACTORY;
    if (factory && !is_known_factory(node->context)) {
        ep_audit_tell(auditor, EP_AUDIT_IMPORT, ref, node->context,
                      "importlib.import_module is given the module of a default factory");
    } else if (!factory && may_import(node->context)) {
        ep_audit_tell(auditor, EP_AUDIT_IMPORT, ref, node->context,
                      "importlib.import_module is given the module of an enum");
    }
}

/* Reports a type that a program registers, or a named tuple of its own, once each. SPEC
 * 9.4.3 */
static bool audit_type(ep_auditor *auditor, ep_ref ref, const ep_treespec_node *node) {
    bool own = node->type->name.size == 0;
    uint32_t number;
    bool fresh = false;
    if (own || node->type->form == EP_TREESPEC_FORM_NAME) {
        ep_bytes name = own ? node->name : node->context;
        TRY(ep_map_put(&auditor->seen[EP_LOOK_NONE], name, &number, &fresh));
        if (fresh) {
            ep_audit_tell(auditor, EP_AUDIT_TYPE, ref, name,
                          "whoever loads it has to register it, and what is registered runs");
        }
    }
    return true;
}

static bool parse(const ep_auditor *auditor, const ep_passage *passage, const ep_treespec **spec,
                  ep_fault *fault) {
    ep_treespec_options options = {.depth = DEPTH_MAX, .version = auditor->version};
    *fault = (ep_fault){.code = EP_OK};
    return ep_treespec_parse(auditor->arena, passage, &options, spec, fault);
}

static const ep_treespec_node *following(const ep_treespec_node *node) {
    if (node->first != NULL) {
        return node->first;
    }
    while (node != NULL && node->next == NULL) {
        node = node->parent;
    }
    return node == NULL ? NULL : node->next;
}

/* The dict of the keyword arguments, in the spec of what is given to a module. */
static const ep_treespec_node *keywords_of(const ep_treespec *spec) {
    const ep_treespec_node *args = spec->root->first;
    const ep_treespec_node *kwargs = args == NULL ? NULL : args->next;
    return kwargs != NULL && kwargs->next == NULL ? kwargs : NULL;
}

/* SPEC 9.2.3, 9.2.4: the keys of keyword arguments become names in source, all others
 * parts of a guard. */
bool ep_audit_keywords(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    const ep_treespec *spec;
    const ep_treespec_key *keys;
    size_t count;
    ep_fault fault;
    if (!parse(auditor, passage, &spec, &fault)) {
        return fault.code != EP_MEMORY;
    }
    const ep_treespec_node *keywords = keywords_of(spec);
    for (const ep_treespec_node *node = spec->root; node != NULL; node = following(node)) {
        count = ep_treespec_keys(node, &keys, &count) ? count : 0;
        for (size_t i = 0; i < count; i++) {
            if (keys[i].kind != EP_TREESPEC_KEY_STRING) {
                continue;
            }
            if (node == keywords) {
                ep_audit_name_text(auditor, EP_LOOK_NAME, ref, keys[i].text);
            } else {
                ep_audit_guarded_text(auditor, ref, keys[i].text);
            }
        }
    }
    return true;
}

/* SPEC 9.4.1, 9.4.2 */
bool ep_audit_treespec(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    const ep_treespec *spec;
    ep_fault fault;
    if (!parse(auditor, passage, &spec, &fault)) {
        TRY(fault.code != EP_MEMORY);
        bool imports = may_import(passage->text);
        ep_audit_tell(auditor, imports ? EP_AUDIT_IMPORT : EP_AUDIT_TREESPEC, ref, passage->text,
                      imports ? "it is no tree spec, and may name a module to import"
                              : "it is no tree spec, and keys of it may become source");
        return true;
    }
    for (const ep_treespec_node *node = spec->root; node != NULL; node = following(node)) {
        if (node->type != NULL) {
            audit_node(auditor, ref, node);
            TRY(audit_type(auditor, ref, node));
        }
    }
    return true;
}
