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
            json *value = json_object();
            json_add_said(value, "name", types_name(&f->shown, &row));
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
    json *object = json_object();
    json_add_number(object, "count", a->count);
    json_add_integer(object, "values", number_of(a->elements));
    json_add_integer(object, "bytes", number_of(a->bytes));
    return object;
}

json *facts_object(facts *f) {
    json *object = json_object();
    f->shown.printer.full = true;
    json_add_said(object, "member", f->member);
    json_add_number(object, "bytes", f->size);
    json_add_string(object, "schema_version", ep_program_version(f->program)->name);
    json_add_said(object, "torch_version", facts_release(f));
    json_add(object, "releases", json_words(ep_program_version(f->program)->releases));
    json_add_string(object, "digest", f->digest == NULL ? NULL : f->digest->text);
    json_add_bool(object, "undecided", f->digest != NULL && f->digest->undecided);
    json_add(object, "inputs", interface_list(f, SIGNATURE_INPUTS));
    json_add(object, "outputs", interface_list(f, SIGNATURE_OUTPUTS));
    json_add(object, "symbols", types_symbols(&f->shown));
    json_add(object, "parameters", amount_object(&f->parameters));
    json_add(object, "buffers", amount_object(&f->buffers));
    json_add(object, "constants", amount_object(&f->constants));
    json_add(object, "dtypes", json_counts(&f->dtypes));
    json_add_number(object, "nodes", f->nodes);
    json_add_number(object, "subgraphs", f->subgraphs);
    json_add(object, "operators", json_counts(&f->operators));
    if (f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed) {
        json_free(object);
        return NULL;
    }
    return object;
}
