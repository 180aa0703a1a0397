/*
 * facts_json.c - the facts of a program as an object.
 */
#include "cli/show/types_json.h"
#include "facts.h"

static json *interface_list(facts *f, signature_side side) {
    signature *said = &f->signature;
    signature_row row;
    json *list = json_array();
    for (size_t i = 0; signature_at(said, side, i, &row); i++) {
        if (facts_is_interface(&row)) {
            json *value = json_make("name:u", types_name(&f->shown, &row));
            types_add_row(&f->shown, value, &row);
            json_append(list, value);
        }
    }
    return list;
}

static int64_t number_of(uint64_t number) {
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

static json *amount_object(const amount *a) {
    json *object = json_make("count:n values:i bytes:i", a->count, number_of(a->elements),
                             number_of(a->bytes));
    return object;
}

json *facts_object(facts *f) {
    json *object = json_object();
    f->shown.printer.full = true;
    json_members(object,
                 "member:u bytes:n schema_version:s torch_version:u releases:j "
                 "digest:s undecided:b inputs:j",
                 f->member, f->size, ep_program_version(f->program)->name, facts_release(f),
                 json_words(ep_program_version(f->program)->releases),
                 f->digest == NULL ? NULL : f->digest->text,
                 f->digest != NULL && f->digest->undecided, interface_list(f, SIGNATURE_INPUTS));
    json_add(object, "outputs", interface_list(f, SIGNATURE_OUTPUTS));
    json_add(object, "symbols", types_symbols(&f->shown));
    json_add(object, "parameters", amount_object(&f->parameters));
    json_add(object, "buffers", amount_object(&f->buffers));
    json_members(object, "constants:j dtypes:j nodes:n subgraphs:n operators:j",
                 amount_object(&f->constants), json_counts(&f->dtypes), f->nodes, f->subgraphs,
                 json_counts(&f->operators));
    if (f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed) {
        json_free(object);
        return NULL;
    }
    return object;
}
