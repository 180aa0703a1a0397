/*
 * audit/audit.h - the state that the parts of the audit share (SPEC part 9): the
 * program, what was reported, and the kinds of strings.
 */
#ifndef EP_AUDIT_H
#define EP_AUDIT_H

#include "base/error.h"
#include "base/map.h"
#include "language/expression.h"
#include "language/guard.h"
#include "schema/fields.h"
#include "json/passage.h"

/* What the loader does with a string. */
typedef enum ep_look {
    EP_LOOK_NONE,
    EP_LOOK_EXPRESSION, /* evaluated */
    EP_LOOK_NAME,       /* written into Python source as it is */
    EP_LOOK_ATTRIBUTE,  /* the same, between quotes */
    EP_LOOK_GUARD,      /* Python source */
    EP_LOOK_TARGET,     /* walked by attribute */
    EP_LOOK_METADATA,   /* of a node; walked by attribute under some keys */
    EP_LOOK_STACK,      /* of modules: paths that become attributes */
    EP_LOOK_CUSTOM,     /* JSON of metadata: may hold options of a compiler */
    EP_LOOK_VALUE,      /* of an input: written into a guard between quotes */
    EP_LOOK_COUNTER,    /* a key whose number is counted up to */
    EP_LOOK_FORMAT,     /* given to str.format, which walks by attribute */
    EP_LOOK_METHOD,     /* an attribute of a value that is taken or called */
    EP_LOOK_CLASS_PATH, /* imported, and called */
    EP_LOOK_TREESPEC,   /* can name modules */
    EP_LOOK_IN_SPEC,    /* the same, and its keywords are names */
    EP_LOOK_VERIFIER,   /* found in a registry */
    EP_LOOK_BLOB,       /* unpickled */
    EP_LOOK_CLASS,      /* found in a registry */
    EP_LOOK_COUNT
} ep_look;

/* At most so many findings of a kind are reported one by one. Locating a finding
 * rereads the input; but for the first of a kind, findings are reported only while the
 * bytes reread are below the second limit. */
enum { EP_AUDIT_TOLD_MAX = 20, EP_AUDIT_WALK_MAX = 1 << 30 };

typedef struct ep_auditor {
    const ep_program *program;
    ep_bytes input;
    ep_fields fields;
    ep_version_number version;
    ep_arena *arena;
    ep_hear *hear;
    void *context;
    ep_map seen[EP_LOOK_COUNT]; /* texts between quotes that were audited */
    size_t found[EP_AUDIT_COUNT];
    size_t told[EP_AUDIT_COUNT];
    size_t walked; /* bytes */
} ep_auditor;

/* Reports a finding about a string, or a part of its text; and at the end the number of
 * findings beyond those that were reported one by one. */
void ep_audit_tell(ep_auditor *auditor, ep_audit_id id, ep_ref at, ep_bytes text, const char *why);
void ep_audit_tell_rest(ep_auditor *auditor);

/* Audits a string, or a value of a node's metadata. False for want of memory, as of all
 * below. */
bool ep_audit_string(ep_auditor *auditor, ep_look look, ep_ref ref);
bool ep_audit_metadata(ep_auditor *auditor, ep_ref key, ep_ref value);

/* What a node calls, and the strings that it gives to some operators (SPEC 9.3.2,
 * 9.4.1). */
bool ep_audit_node(ep_auditor *auditor, const ep_node *node);

/* Audits a text of the kinds from EP_LOOK_CUSTOM to EP_LOOK_CLASS_PATH, without values. */
void ep_audit_argument(ep_auditor *auditor, ep_look look, ep_ref ref, ep_bytes text);

/* Whether a text holds a word, and whether an ASCII character may hide behind an escape
 * of JSON in it. */
bool ep_audit_holds(ep_bytes text, ep_bytes word);
bool ep_audit_hides(ep_bytes text);

/* Whether a number in it takes long to compute (SPEC 9.2.2); of an expression, false
 * for want of memory. */
bool ep_audit_find_cost(ep_arena *arena, const ep_expression *expression, bool *costly);
bool ep_audit_guard_is_costly(const ep_guard *guard);

/* Audits a stack of modules, and a value in a guard (SPEC 9.2.3, 9.2.4). */
void ep_audit_stack(ep_auditor *auditor, ep_ref ref, ep_bytes text);
void ep_audit_guarded_text(ep_auditor *auditor, ep_ref ref, ep_bytes text);

/* Audits an expression (SPEC 9.2.1), a guard (SPEC 9.2.4), a tree spec (SPEC 9.4), and
 * the keywords of one (SPEC 9.2.3). */
bool ep_audit_expression(ep_auditor *auditor, ep_ref ref, const ep_passage *passage);
bool ep_audit_guard(ep_auditor *auditor, ep_ref ref, const ep_passage *passage);
bool ep_audit_treespec(ep_auditor *auditor, ep_ref ref, const ep_passage *passage);
bool ep_audit_keywords(ep_auditor *auditor, ep_ref ref, const ep_passage *passage);

/* Audits a name, wherever it is (SPEC 9.2.3), EP_LOOK_NAME or EP_LOOK_ATTRIBUTE; and
 * whether that would report nothing. */
void ep_audit_name_text(ep_auditor *auditor, ep_look look, ep_ref ref, ep_bytes text);
bool ep_audit_name_is_plain(ep_look look, ep_bytes text);

#endif
