/*
 * signature.c - filters and edits of the rows about the signature (SPEC 5.3), as specs or,
 * in version 1, as dictionaries. Many make a spec one of another kind, as no program need
 * have the kind that is due.
 */
#include "edit.h"

#include <string.h>

static const char lifted[] = "parameter buffer tensor_constant";
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

/* The first output that the user gets: before it are mutations and tokens. */
bool fits_first_returned(const defect *d, const place *p) {
    const place *before = previous_of(d, p);
    return is_user_tensor(d, p) &&
           (before == NULL || has_tag(before, "token") || has_tag(before, mutations));
}

/* The first of all, but for tokens. */
FITS(first_user,
     is_user_tensor(d, p) && (previous_of(d, p) == NULL || has_tag(previous_of(d, p), "token")))

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

/* ------------------------------------------------------------------ version 1 */

RELATION(mutation, is_at(d, p, "GraphSignature.buffers_to_mutate[]"))

/* An output goes to the buffers that change: to one that changes already. */
bool edit_moved_output(defect *d, const place *p, const char *text) {
    const place *mutation = draw_related(d, is_mutation, p);
    TRY(mutation != NULL);
    size_t to = outer(d, mutation)->end - 1;
    edit_remove(d, p, "");
    put_bytes(d, (ep_bytes){d->places.text.data + d->end, to - d->end});
    d->end = to;
    d->other = text_at(d, p);
    put_text(d, text, text_at(d, mutation));
    return true;
}
