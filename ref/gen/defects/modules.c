/*
 * modules.c - defects of the module call graph (SPEC 5.5), and of what
 * the program says of itself (5.7).
 */
#include "edit.h"

#include <string.h>

/* -------------------------------------------------------------------- entries */

static const place *entries(defect *d) {
    return draw_member(d, "GraphModule", "module_call_graph");
}

/* Puts an entry before all others. */
static bool insert_first(defect *d, const place *list) {
    d->after = list->count > 0 ? ", " : NULL;
    return replace_bytes(d, list->begin + 1, list->begin + 1, "");
}

bool defect_module_root(defect *d) {
    const place *list = entries(d);
    if (list->count > 0 && draw(d, 2) == 0) {
        const place *fqn = part_of(d, first_in(d, list), "fqn");
        replace_text(d, fqn, "");
        put_fresh(d, "module_");
        return true;
    }
    insert_first(d, list);
    put(d, "{\"fqn\": \"");
    put_fresh(d, "module_");
    put(d, "\", \"signature\": null}");
    return true;
}

bool defect_module_fqn(defect *d) {
    const place *list = entries(d);
    const place *p = draw_item(d, "GraphModule", "module_call_graph");
    insert_behind(d, list);
    if (p == NULL) {
        put(d, "{\"fqn\": \"\"}, {\"fqn\": \"\", \"signature\": null}");
        return true;
    }
    put(d, "{\"fqn\": ");
    put_bytes(d, bytes_at(d, part_of(d, p, "fqn")));
    put(d, ", \"signature\": null}");
    return true;
}

bool defect_module_signature(defect *d) {
    const place *root = first_in(d, entries(d));
    const place *signature = part_of(d, root, "signature");
    return draw(d, 2) == 0 ? remove_part(d, signature) : replace(d, signature, "null");
}

/* ------------------------------------------------------------------ arguments */

static const member_row argument_lists[] = {
    {"ModuleCallSignature", "inputs"}, {"ModuleCallSignature", "outputs"}, {NULL, NULL}};

static void put_unknown_value(defect *d) {
    static const char *const tags[] = {"as_tensor", "as_sym_int", "as_sym_bool"};
    ep_bytes name = {"no_such_value", 13};
    put_value(d, DRAW_FROM(d, tags), name);
}

static bool added_argument(defect *d) {
    const place *p = draw_of(d, argument_lists);
    if (p == NULL) {
        return no_place(d, "no module has a signature");
    }
    insert_into(d, p);
    put_unknown_value(d);
    return true;
}

/* An entry of a module that is called with what there is not: with the tree
 * specs of another one. */
static bool added_entry(defect *d) {
    static const member_row specs[] = {
        {"ModuleCallSignature", "in_spec"}, {"CallSpec", "in_spec"}, {NULL, NULL}};
    const place *spec = draw_of(d, specs);
    bool first = entries(d)->count == 0;
    insert_behind(d, entries(d));
    put(d, "{\"fqn\": \"");
    if (!first) {
        put_fresh(d, "module_");
    }
    put(d, "\", \"signature\": {\"inputs\": [");
    put_unknown_value(d);
    put(d, "], \"outputs\": [], \"in_spec\": ");
    put_bytes(d, bytes_at(d, spec));
    put(d, ", \"out_spec\": ");
    put_bytes(d, bytes_at(d, spec));
    put(d, "}}");
    return true;
}

bool defect_module_argument(defect *d) {
    static defect_function *const ways[] = {added_argument, added_entry};
    return TRY_WAYS(d, ways);
}

/* ----------------------------------------------------------------- tree specs */

#define Q "\\\""
#define LEAF "{" Q "type" Q ": null, " Q "context" Q ": null, " Q "children_spec" Q ": []}"
#define TUPLE_OF(items)                                                                            \
    "{" Q "type" Q ": " Q "builtins.tuple" Q ", " Q "context" Q ": " Q "null" Q ", " Q             \
    "children_spec" Q ": [" items "]}"

/* Those of the program itself: of the root, or the call_spec. Other entries
 * may list several calls in some versions. */
static bool is_program_spec(const defect *d, const place *p, const void *context) {
    if (is_member(p, "CallSpec", context)) {
        return true;
    }
    return is_member(p, "ModuleCallSignature", context) &&
           outer(d, outer(d, outer(d, p))) + 1 == outer(d, outer(d, p));
}

/* One leaf becomes none, or two or three; without a leaf, all is one. */
static bool change_leaves(defect *d, const char *member) {
    static const char *const trees[] = {TUPLE_OF(""), TUPLE_OF(LEAF ", " LEAF),
                                        TUPLE_OF(LEAF ", " LEAF ", " LEAF)};
    static const char *const grown[] = {LEAF, TUPLE_OF(LEAF), TUPLE_OF(LEAF ", " LEAF)};
    const place *p = draw_place(d, is_program_spec, member);
    if (p == NULL) {
        return no_place(d, "it does not say how it is called");
    }
    if (replace_found(d, p, LEAF, DRAW_FROM(d, trees))) {
        return true;
    }
    replace_text(d, p, "[1, ");
    put(d, DRAW_FROM(d, grown));
    put(d, "]");
    return true;
}

bool defect_module_in_spec(defect *d) {
    return change_leaves(d, "in_spec");
}

bool defect_module_out_spec(defect *d) {
    return change_leaves(d, "out_spec");
}

/* As many names as the spec has nodes are too many: two of them are no
 * arguments. */
static void put_names(defect *d, const place *spec) {
    ep_bytes text = text_at(d, spec);
    put(d, "[\"a\"");
    for (size_t at = find_bytes(text, 0, "children_spec"); at < text.size;
         at = find_bytes(text, at + 1, "children_spec")) {
        put(d, ", \"b\"");
    }
    put(d, "]");
}

static bool is_call(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_of(p, "ModuleCallSignature");
}

bool defect_module_names(defect *d) {
    const place *p = draw_place(d, is_call, NULL);
    const place *names = part_of(d, p, "forward_arg_names");
    if (names != NULL && draw(d, 2) == 0) {
        insert_into(d, names);
        put(d, "\"one_more\"");
        return true;
    }
    if (names != NULL && names->count > 0 && draw(d, 2) == 0) {
        return remove_part(d, first_in(d, names));
    }
    const place *last = first_in(d, p);
    while (next_of(d, last) != NULL) {
        last = next_of(d, last);
    }
    if (strcmp(last->member, "forward_arg_names") == 0) {
        replace(d, last, "");
    } else {
        insert_member(d, p, "forward_arg_names");
    }
    put_names(d, part_of(d, p, "in_spec"));
    return true;
}

/* --------------------------------------------------------------- 5.7: the header */

bool defect_torch_version(defect *d) {
    static const char *const wrong[] = {
        "",     "two",   "%.",    "v%",    "%+",     " %",       "% ",      "%+a..b",
        "2..1", "<=2.5", ">=2.4", "1!2.0", "%+cpu+", "2.6.0dev", "2.6.0-1", "2.6.0.c1"};
    const place *p = draw_member(d, "ExportedProgram", "torch_version");
    if (p == NULL) {
        return no_place(d, "it does not say who wrote it");
    }
    replace_text(d, p, "");
    put_template(d, DRAW_FROM(d, wrong), text_at(d, p));
    return true;
}
