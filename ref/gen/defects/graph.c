/*
 * graph.c - filters and edits of the rows about values, subgraphs, and nodes against the
 * signatures of operators (SPEC 5.1, 5.2, 5.6). Of several faults the lowest clause is
 * reported: what an edit breaks besides has to be of a higher one.
 */
#include "edit.h"

#include <string.h>

/* --------------------------------------------------------------------- roles */

static bool is_name(const defect *d, const place *p) {
    return p->kind == EP_KIND_STR &&
           is_at(d, p,
                 "TensorArgument.name SymIntArgument.as_name SymFloatArgument.as_name "
                 "SymBoolArgument.as_name CustomObjArgument.name OptionalTensorArgument.as_tensor");
}

/* What a name is there for, by the nearest list of Arguments that it stands in: 'i' and 'o',
 * inputs of a graph and outputs of a node, define; 'u' and 'r', inputs of a node and outputs of
 * a graph, use; 0 is no name, or one of the signature or a module. */
static char role_of(const defect *d, const place *p) {
    static const char *const lists[] = {"Graph.inputs", "Node.outputs", "Node.inputs",
                                        "Graph.outputs"};
    for (const place *in = is_name(d, p) ? p : NULL; in != NULL; in = outer(d, in)) {
        for (size_t i = 0; in->form == FORM_ARRAY && i < COUNT_OF(lists); i++) {
            if (is_at(d, in, lists[i])) {
                return "iour"[i];
            }
        }
    }
    return 0;
}

FITS(definition, role_of(d, p) == 'i' || role_of(d, p) == 'o')

FITS(use, role_of(d, p) == 'u' || role_of(d, p) == 'r')

FITS(node_use, role_of(d, p) == 'u')

/* ---------------------------------------------------- a name that another has */

static bool in_one_graph(const defect *d, const place *p, const place *to) {
    return owner(d, p, "Graph") == owner(d, to, "Graph");
}

RELATION(other_definition, fits_definition(d, p) && in_one_graph(d, p, to) &&
                               !same_bytes(text_at(d, p), text_at(d, to)))

EDIT(as_definition, rename_to(d, p, text, is_other_definition))

/* A definition that comes too late for a use: of the same node, or a later one. */
RELATION(late_definition, role_of(d, p) == 'o' && in_one_graph(d, p, to) &&
                              owner(d, p, "Node") >= owner(d, to, "Node"))

EDIT(as_late, rename_to(d, p, text, is_late_definition))

RELATION(other_node_name, is_member(p, "Node", "name") && p->kind == EP_KIND_STR && p != to &&
                              in_one_graph(d, p, to))

EDIT(as_node, rename_to(d, p, text, is_other_node_name))

/* A subgraph's or value's name, an identifier, of the graph that a subgraph is used in. */
static bool is_taken_name(const defect *d, const place *p, const place *to) {
    bool of_graph = is_member(p, "GraphArgument", "name");
    if (p == to || (!of_graph && !fits_definition(d, p))) {
        return false;
    }
    const place *graph = owner(d, of_graph ? owner(d, p, "Node") : p, "Graph");
    ep_bytes name = text_at(d, p);
    return graph == owner(d, owner(d, to, "Node"), "Graph") && name.size > 0 &&
           bytes_find(name, 0, bytes_of(".")) == name.size &&
           bytes_find(name, 0, bytes_of("\\")) == name.size;
}

EDIT(as_taken, rename_to(d, p, text, is_taken_name))

/* -------------------------------------------------------------------- tables */

/* An entry that has to be there: what version 1 has as a constant has not. */
bool fits_entry(const defect *d, const place *p) {
    TRY(p->nest == 1 && p->key != 0 &&
        is_at(d, p,
              "Graph.tensor_values[] Graph.sym_int_values[] Graph.sym_bool_values[] "
              "Graph.sym_float_values[] Graph.custom_obj_values[]"));
    const place *constants = part_of(d, owner(d, p, "Graph"), "constants");
    for (const place *c = constants == NULL ? NULL : first_in(d, constants); c != NULL;
         c = next_of(d, c)) {
        TRY(!same_bytes(key_at(d, c), key_at(d, p)));
    }
    return true;
}

RELATION(entry_beside, fits_entry(d, p) && in_one_graph(d, p, to) && outer(d, p) != to)

/* An entry under the name of one in another table. */
bool edit_listed(defect *d, const place *p, const char *text) {
    const place *other = draw_related(d, is_entry_beside, p);
    d->other = other == NULL ? (ep_bytes){NULL, 0} : key_at(d, other);
    return other != NULL && edit_item(d, p, text);
}

/* ---------------------------------------------------------------- values used */

static const char value_tags[] = "as_tensor as_sym_int as_sym_bool";

/* The name in an Argument that is one value; NULL if it is a number. */
static const place *name_in(const defect *d, const place *p) {
    for (const place *in = p; in < d->places.items + p->next; in++) {
        if (is_name(d, in)) {
            return in;
        }
    }
    return NULL;
}

FITS(value, has_tag(p, value_tags) && name_in(d, p) != NULL)

/* As a value of the kind of another tag. */
bool edit_kind(defect *d, const place *p, const char *text) {
    ep_bytes name = text_at(d, name_in(d, p));
    const char *tag = strchr(text, '.') + 1;
    const char *own = ep_value_name(p->value, 0);
    return strncmp(tag, own, strlen(own)) != 0 && replace(d, p->begin, p->end, text, name);
}

/* ------------------------------------------------------------------ subgraphs */

FITS(graph_argument, has_tag(part_of(d, p, "arg"), "as_graph"))

/* ------------------------------------------------------------------ operators */

static bool is_aten(const defect *d, const place *node) {
    return node != NULL && bytes_start(text_at(d, part_of(d, node, "target")), "torch.ops.aten.");
}

FITS(aten, is_aten(d, owner(d, p, "Node")))

/* The first argument where it is one that has no default. */
FITS(needed,
     is_one_of(text_at(d, part_of(d, p, "name")), "self input tensors size query condition") &&
         fits_aten(d, p) && previous_of(d, p) == NULL)

static bool is_positional(const defect *d, const place *p) {
    const place *kind = p == NULL ? NULL : part_of(d, p, "kind");
    return kind != NULL && strcmp(ep_value_name(kind->value, 0), "POSITIONAL") == 0;
}

FITS(first_of_two, fits_aten(d, p) && is_positional(d, p) && is_positional(d, next_of(d, p)))

/* With the next one before it. */
bool edit_swapped(defect *d, const place *p, const char *text) {
    const place *next = next_of(d, p);
    d->other = bytes_at(d, next);
    return replace(d, p->begin, next->end, text, bytes_at(d, p));
}

/* One for which a text would not do. */
FITS(no_text, has_tag(p, "as_tensor as_tensors as_int as_ints as_float as_floats as_bool") &&
                  fits_aten(d, p))

/* Whether a node has the name of its one output, which it would not have of several
 * or of a list (SPEC 5.1.10). */
static bool is_its_output(const defect *d, const place *node) {
    const place *name = part_of(d, node, "name");
    const place *output = first_in(d, part_of(d, node, "outputs"));
    const place *of = output == NULL ? NULL : name_in(d, output);
    return name != NULL && of != NULL && same_bytes(text_at(d, name), text_at(d, of));
}

FITS(several, fits_aten(d, p) && !is_its_output(d, owner(d, p, "Node")))

FITS(tensor_output, has_tag(p, "as_tensor") && fits_several(d, p))

/* As one of a list. */
EDIT(listed_output, replace(d, p->begin, p->end, text, bytes_at(d, tagged(d, p))))

RELATION(strict, p->kind == EP_KIND_STR &&
                     is_at(d, p, "ExportedProgram.dialect ExportedProgram.verifiers[]") &&
                     text_at(d, p).size > 0 && !bytes_equal(text_at(d, p), "TRAINING"))

/* An operator becomes its twin, which writes to its first argument and is called in the
 * same way, where a verifier forbids that. */
bool edit_twin(defect *d, const place *p, const char *text) {
    ep_bytes target = text_at(d, p);
    bool twin = bytes_end(target, text) && target.data[target.size - strlen(text) - 1] == '.';
    size_t dot = p->begin + 1 + target.size - strlen(strchr(text, '.'));
    return twin && draw_related(d, is_strict, p) != NULL && replace(d, dot, dot, "_", target);
}
