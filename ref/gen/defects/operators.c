/*
 * operators.c - defects of nodes against the signatures of operators
 * (SPEC 5.6). They are made in nodes of PyTorch's own namespace aten, of which
 * all releases know what epref gen writes.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------- places */

static bool is_aten(const defect *d, const place *node) {
    return node != NULL &&
           find_bytes(text_at(d, part_of(d, node, "target")), 0, "torch.ops.aten.") == 0;
}

static bool is_aten_node(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_of(p, "Node") && is_aten(d, p);
}

static bool is_argument(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_of(p, "NamedArgument") && is_aten(d, owner(d, p, "Node"));
}

static const place *need(defect *d, place_filter *fits) {
    const place *p = draw_place(d, fits, NULL);
    d->why = p == NULL ? "no operator of it has what is due" : NULL;
    return p;
}

/* ------------------------------------------------------------------ operators */

bool defect_operator(defect *d) {
    const place *p = need(d, is_aten_node);
    if (p == NULL) {
        return false;
    }
    const place *target = part_of(d, p, "target");
    ep_bytes text = text_at(d, target);
    size_t dot = text.size;
    while (text.data[dot - 1] != '.') {
        dot--;
    }
    bool overload = draw(d, 2) == 0;
    size_t at = target->begin + 1 + (overload ? dot : dot - 1);
    replace_bytes(d, at, overload ? target->end - 1 : at, "");
    put_fresh(d, overload ? "Overload_" : "_");
    return true;
}

/* ------------------------------------------------------------------ arguments */

bool defect_operator_argument(defect *d) {
    const place *p = need(d, is_argument);
    if (p == NULL) {
        return false;
    }
    if (draw(d, 2) == 0) {
        replace_text(d, part_of(d, p, "name"), "");
        put_fresh(d, "no_such_");
        return true;
    }
    insert_into(d, outer(d, p));
    put(d, "{\"name\": \"");
    put_fresh(d, "no_such_");
    put(d, "\", \"arg\": ");
    put_variant(d, "Argument", "as_int", "1");
    put(d, "}");
    return true;
}

static bool is_other_argument(const defect *d, const place *p, const void *context) {
    const place *than = context;
    return is_argument(d, p, NULL) && p != than && outer(d, p) == outer(d, than);
}

bool defect_operator_twice(defect *d) {
    const place *p = need(d, is_argument);
    if (p == NULL) {
        return false;
    }
    const place *other = draw_place(d, is_other_argument, p);
    if (other != NULL && draw(d, 2) == 0) {
        replace_text(d, part_of(d, p, "name"), "");
        put_bytes(d, text_at(d, part_of(d, other, "name")));
        return true;
    }
    insert_into(d, outer(d, p));
    put_bytes(d, bytes_at(d, p));
    return true;
}

/* The first argument where it is one that has no default. */
static bool is_needed(const defect *d, const place *p, const void *context) {
    static const char *const names[] = {"self", "input", "tensors", "size", "query", "condition"};
    if (!is_argument(d, p, context) || previous_of(d, p) != NULL) {
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (bytes_equal(text_at(d, part_of(d, p, "name")), names[i])) {
            return true;
        }
    }
    return false;
}

bool defect_operator_missing(defect *d) {
    const place *p = need(d, is_needed);
    return p != NULL && remove_part(d, p);
}

static bool is_positional(const defect *d, const place *p) {
    const place *kind = p == NULL ? NULL : part_of(d, p, "kind");
    return kind != NULL && strcmp(ep_value_name(kind->value, 0), "POSITIONAL") == 0;
}

static bool is_first_of_two(const defect *d, const place *p, const void *context) {
    return is_argument(d, p, context) && is_positional(d, p) && is_positional(d, next_of(d, p));
}

static bool swapped_arguments(defect *d) {
    const place *p = need(d, is_first_of_two);
    if (p == NULL) {
        return false;
    }
    const place *next = next_of(d, p);
    replace_bytes(d, p->begin, next->end, "");
    put_bytes(d, bytes_at(d, next));
    put(d, ", ");
    put_bytes(d, bytes_at(d, p));
    return true;
}

/* One that signatures have as a keyword only. */
static bool is_keyword_only(const defect *d, const place *p, const void *context) {
    return is_argument(d, p, context) && part_of(d, p, "kind") != NULL && !is_positional(d, p) &&
           bytes_equal(text_at(d, part_of(d, p, "name")), "alpha");
}

static bool positional_keyword(defect *d) {
    const place *p = need(d, is_keyword_only);
    if (p == NULL) {
        return false;
    }
    replace(d, part_of(d, p, "kind"), within(d, NULL, "8.5") ? "0" : "1");
    return true;
}

bool defect_operator_order(defect *d) {
    static defect_function *const ways[] = {swapped_arguments, positional_keyword};
    return TRY_WAYS(d, ways);
}

/* One for which a text would not do. */
static bool is_no_text(const defect *d, const place *p, const void *context) {
    static const char *const tags[] = {"as_tensor", "as_tensors", "as_int", "as_ints",
                                       "as_float",  "as_floats",  "as_bool"};
    for (size_t i = 0; is_argument(d, p, context) && i < COUNT_OF(tags); i++) {
        if (has_tag(part_of(d, p, "arg"), tags[i])) {
            return true;
        }
    }
    return false;
}

bool defect_operator_type(defect *d) {
    static const char *const wrong[][2] = {{"as_string", "\"a\""},
                                           {"as_strings", "[\"a\", \"b\"]"}};
    const place *p = need(d, is_no_text);
    if (p == NULL) {
        return false;
    }
    const char *const *argument = DRAW_FROM(d, wrong);
    replace(d, part_of(d, p, "arg"), "");
    put_variant(d, "Argument", argument[0], argument[1]);
    return true;
}

/* -------------------------------------------------------------------- outputs */

/* Whether a node has the name of its one output, which it would not have of several
 * or of a list (SPEC 5.1.10). */
static bool is_its_output(const defect *d, const place *node) {
    const place *name = part_of(d, node, "name");
    const place *output = first_in(d, part_of(d, node, "outputs"));
    const place *value = output == NULL ? NULL : tagged(d, output);
    const place *of = value == NULL ? NULL : part_of(d, value, "name");
    return name != NULL && of != NULL && same_bytes(text_at(d, name), text_at(d, of));
}

static bool is_several(const defect *d, const place *p, const void *context) {
    return is_aten_node(d, p, context) && !is_its_output(d, p);
}

static bool more_outputs(defect *d) {
    const place *p = need(d, is_several);
    if (p == NULL) {
        return false;
    }
    insert_into(d, part_of(d, p, "outputs"));
    put_variant(d, "Argument", "as_none", within(d, NULL, "8.2") ? "[]" : "true");
    return true;
}

static bool is_tensor_output(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_member(p, "Node", "outputs") && p->nest == 1 && has_tag(p, "as_tensor") &&
           is_aten(d, owner(d, p, "Node")) && !is_its_output(d, owner(d, p, "Node"));
}

/* The same value, as one of a list. */
static bool listed_output(defect *d) {
    const place *p = need(d, is_tensor_output);
    if (p == NULL) {
        return false;
    }
    replace(d, p, "");
    put_union(d, "Argument", "as_tensors");
    put(d, "[");
    put_bytes(d, bytes_at(d, tagged(d, p)));
    put(d, "]");
    put_union_end(d, "Argument", "as_tensors");
    return true;
}

bool defect_operator_outputs(defect *d) {
    static defect_function *const ways[] = {more_outputs, listed_output};
    return TRY_WAYS(d, ways);
}

/* ------------------------------------------------------------------- verifiers */

/* An operator with a twin that writes to its first argument, and is called in
 * the same way. */
static bool has_writing_twin(const defect *d, const place *p, const void *context) {
    static const char *const names[] = {
        "add.Tensor",  "sub.Tensor",  "mul.Tensor",      "div.Tensor",   "relu.default",
        "neg.default", "abs.default", "sigmoid.default", "tanh.default", "exp.default",
        "sin.default", "cos.default", "sqrt.default",    "silu.default", "floor.default",
    };
    (void)context;
    ep_bytes target = is_member(p, "Node", "target") ? text_at(d, p) : bytes_of("");
    for (size_t i = 0; find_bytes(target, 0, "torch.ops.aten.") == 0 && i < COUNT_OF(names); i++) {
        ep_bytes name = {target.data + strlen("torch.ops.aten."),
                         target.size - strlen("torch.ops.aten.")};
        if (bytes_equal(name, names[i])) {
            return true;
        }
    }
    return false;
}

static bool is_strict(const defect *d, const place *p, const void *context) {
    (void)context;
    bool verifier = is_member(p, "ExportedProgram", "dialect") ||
                    (is_member(p, "ExportedProgram", "verifiers") && p->nest == 1);
    return verifier && text_at(d, p).size > 0 && !bytes_equal(text_at(d, p), "TRAINING");
}

bool defect_operator_verifier(defect *d) {
    const place *p = need(d, has_writing_twin);
    if (p == NULL || draw_place(d, is_strict, NULL) == NULL) {
        return no_place(d, "its verifier forbids nothing, or it has no operator with a twin");
    }
    size_t dot = p->end - 1;
    while (d->places.text.data[dot] != '.') {
        dot--;
    }
    return replace_bytes(d, dot, dot, "_");
}
