/*
 * signature.c - filters and edits of the rows about the signature (SPEC 5.3), as specs or,
 * in version 1, as dictionaries. Many make a spec one of another kind, as no program need
 * have the kind that is due.
 */
#include "edit.h"

#include <string.h>

static const char lifted[] = "parameter buffer tensor_constant";
static const char gradients[] = "gradient_to_parameter gradient_to_user_input";
static const char mutations[] = "buffer_mutation parameter_mutation user_input_mutation";

/* --------------------------------------------------------------------- specs */

/* The name of the tensor that a spec is of; NULL for what is no tensor. */
static const place *tensor_of(const defect *d, const place *spec) {
    const place *arg = part_of(d, tagged(d, spec), "arg");
    if (arg != NULL && arg->kind == EP_KIND_UNION) {
        arg = has_tag(arg, "as_tensor") ? tagged(d, arg) : NULL;
    }
    bool tensor = arg != NULL && (is_of(arg, "TensorArgument") || is_of(arg, "TokenArgument"));
    return tensor ? part_of(d, arg, "name") : NULL;
}

static bool is_user_tensor(const defect *d, const place *p) {
    return (has_tag(p, "user_input") || has_tag(p, "user_output")) && tensor_of(d, p) != NULL;
}

/* Another spec, of the same tensor. */
EDIT(spec, replace(d, p->begin, p->end, text, text_at(d, tensor_of(d, p))))

/* Two: of this tensor and the next one's. */
bool edit_two_specs(defect *d, const place *p, const char *text) {
    d->other = text_at(d, tensor_of(d, next_of(d, p)));
    return replace(d, p->begin, next_of(d, p)->end, text, text_at(d, tensor_of(d, p)));
}

/* ------------------------------------------------------------- place by place */

static bool is_in(const defect *d, const place *p, const char *member) {
    while (p != NULL && !is_member(p, "GraphSignature", member)) {
        p = outer(d, p);
    }
    return p != NULL;
}

FITS(in_input_specs, is_in(d, p, "input_specs"))

FITS(in_output_specs, is_in(d, p, "output_specs"))

FITS(lifted_before_lifted, has_tag(p, lifted) && has_tag(next_of(d, p), lifted))

FITS(passed_behind_passed,
     is_user_tensor(d, p) && has_tag(previous_of(d, p), "user_input constant_input"))

FITS(returned_behind_returned,
     is_user_tensor(d, p) && has_tag(previous_of(d, p), "user_output loss_output"))

/* The first output that the user gets: before it are mutations and tokens. */
bool fits_first_returned(const defect *d, const place *p) {
    const place *before = previous_of(d, p);
    return is_user_tensor(d, p) &&
           (before == NULL || has_tag(before, "token") || has_tag(before, mutations));
}

/* The last output that may become a gradient; those behind it are. */
FITS(last_returned,
     is_user_tensor(d, p) && (next_of(d, p) == NULL || has_tag(next_of(d, p), gradients)))

FITS(returned_before_returned,
     is_user_tensor(d, p) && next_of(d, p) != NULL && is_user_tensor(d, next_of(d, p)))

/* ---------------------------------------------------------------------- names */

/* That may not have the same name: in some versions two parameters may. */
static bool is_other_weight(const defect *d, const place *p, const place *to) {
    bool parameters = strcmp(to->type, "InputToParameterSpec") == 0 &&
                      is_member(p, "InputToParameterSpec", "parameter_name");
    return p != to && p->kind == EP_KIND_STR && is_at(d, p, WEIGHT_NAMES) &&
           !(parameters && version_within(d->version, "5.4", "8.8")) &&
           !same_bytes(text_at(d, p), text_at(d, to));
}

EDIT(as_weight, rename_to(d, p, text, is_other_weight))

RELATION(other_mutated, p != to && p->kind == EP_KIND_STR && is_at(d, p, MUTATED_NAMES) &&
                            strcmp(p->type, to->type) == 0)

EDIT(as_mutated, rename_to(d, p, text, is_other_mutated))

/* The mutation before it once more, of its own tensor. */
bool edit_second_mutation(defect *d, const place *p, const char *text) {
    const place *before = previous_of(d, p);
    const place *name = has_tag(before, mutations) ? tensor_of(d, before) : NULL;
    const char *all = d->places.text.data;
    TRY(name != NULL);
    put_bytes(d, (ep_bytes){all + before->begin, name->begin + 1 - before->begin});
    put_bytes(d, text_at(d, tensor_of(d, p)));
    put_bytes(d, (ep_bytes){all + name->end - 1, before->end + 1 - name->end});
    return replace(d, p->begin, p->end, text, bytes_at(d, p));
}

RELATION(parameter, is_member(p, "InputToParameterSpec", "parameter_name"))

RELATION(loss, fits_in_output_specs(d, p) && has_tag(p, "loss_output"))

RELATION(gradient, fits_in_output_specs(d, p) && has_tag(p, gradients))

/* A gradient where there is no loss: of a parameter that there is. */
bool edit_lone_gradient(defect *d, const place *p, const char *text) {
    const place *parameter = draw_related(d, is_parameter, p);
    d->other = parameter == NULL ? (ep_bytes){NULL, 0} : text_at(d, parameter);
    return parameter != NULL && draw_related(d, is_loss, p) == NULL && edit_spec(d, p, text);
}

/* The loss of gradients is an output as others are. */
EDIT(no_loss, is_loss(d, p, p) && draw_related(d, is_gradient, p) != NULL && edit_spec(d, p, text))

/* ------------------------------------------------------------------ version 1 */

/* The backward_signature of a program that has none. */
FITS(no_backward, is_of(outer(d, p), "GraphSignature") && p->kind == EP_KIND_NULL &&
                      bytes_equal(key_at(d, p), "backward_signature"))

RELATION(nowhere_backward, fits_no_backward(d, p))

RELATION(mutation, is_at(d, p, "GraphSignature.buffers_to_mutate[]"))

/* Takes an output away, and puts all up to another place, which is to be replaced. */
static void move_output(defect *d, const place *output, size_t to) {
    edit_remove(d, output, "");
    put_bytes(d, (ep_bytes){d->places.text.data + d->end, to - d->end});
    d->end = to;
    d->other = text_at(d, output);
}

/* To the buffers that change: to one that changes already. */
bool edit_moved_output(defect *d, const place *p, const char *text) {
    const place *mutation = draw_related(d, is_mutation, p);
    if (mutation != NULL) {
        move_output(d, p, outer(d, mutation)->end - 1);
        put_text(d, text, text_at(d, mutation));
    }
    return mutation != NULL;
}

/* No more the user's, but a gradient. */
bool edit_new_gradient(defect *d, const place *p, const char *text) {
    const place *backward = draw_related(d, is_nowhere_backward, p);
    if (backward != NULL) {
        move_output(d, p, backward->begin);
        put_text(d, text, d->other);
        d->end = backward->end;
    }
    return backward != NULL;
}

/* --------------------------------------------------------------------- tokens */

/* Whether an output speaks of an input, by its own name or by its target's. */
static bool is_spoken_of(const defect *d, ep_bytes name) {
    for (const place *p = d->places.items; p < d->places.items + d->places.count; p++) {
        if (p->kind == EP_KIND_STR && is_at(d, p, MUTATED_NAMES " " GRADIENT_NAMES) &&
            same_bytes(text_at(d, p), name)) {
            return true;
        }
    }
    return false;
}

/* A spec of a tensor that tokens alone stand before, and that nothing needs. */
bool fits_token(const defect *d, const place *p) {
    const place *before = previous_of(d, p);
    bool first = before == NULL || has_tag(before, "token");
    if (!first || (!has_tag(p, lifted) && !is_user_tensor(d, p))) {
        return false;
    }
    for (const place *in = p; in < d->places.items + p->next; in++) {
        if (fits_in_input_specs(d, p) && in->kind == EP_KIND_STR &&
            is_spoken_of(d, text_at(d, in))) {
            return false;
        }
    }
    return true;
}
