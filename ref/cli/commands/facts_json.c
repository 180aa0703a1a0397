/*
 * facts_json.c - the facts of a program as an object.
 */
#include <string.h>

#include "cli/show/types_json.h"
#include "facts.h"

static void add_text_or_null(json *object, const char *key, ep_bytes text) {
    if (text.size > 0) {
        json_add_text(object, key, text);
    } else {
        json_add_null(object, key);
    }
}

static json *value_object(facts *f, const signature_row *row) {
    ep_bytes name = row->name.size > 0 ? row->name : show_value_name(&f->shown, row->value);
    const name_item *item = row->name.size > 0 ? NULL : names_find(&f->values, name);
    json *object = json_object();
    add_text_or_null(object, "name", name);
    if (item != NULL) {
        types_add_mention(&f->shown, object, item->value);
    } else {
        json_add_string(object, "kind", "constant");
        json_add(object, "value", types_scalar(&f->shown, row->value));
    }
    return object;
}

static json *interface_list(facts *f, bool inputs) {
    signature *said = &f->signature;
    signature_row row;
    json *list = json_array();
    for (size_t i = 0; inputs ? signature_input(said, i, &row) : signature_output(said, i, &row);
         i++) {
        if (facts_is_interface(&row)) {
            json_append(list, value_object(f, &row));
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

/* How often there is what. */
static json *count_object(const name_list *list) {
    json *object = json_object();
    for (size_t i = 0; i < list->count; i++) {
        const name_item *item = &list->items[i];
        json_add_at(object, item->name, json_integer((int64_t)item->count));
    }
    return object;
}

/* Those that write the version. */
static json *release_list(const char *releases) {
    json *list = json_array();
    while (releases != NULL && *releases != '\0') {
        size_t size = strcspn(releases, " ");
        json_append(list, json_text((ep_bytes){releases, size}));
        releases += size + (releases[size] == ' ');
    }
    return list;
}

json *facts_object(facts *f) {
    json *object = json_object();
    f->shown.printer.full = true;
    add_text_or_null(object, "member", f->member);
    json_add_number(object, "bytes", f->size);
    json_add_string(object, "schema_version", ep_program_version(f->program)->name);
    add_text_or_null(object, "torch_version", facts_release(f));
    json_add(object, "releases", release_list(ep_program_version(f->program)->releases));
    json_add_string(object, "digest", f->digest == NULL ? NULL : f->digest->text);
    json_add_bool(object, "undecided", f->digest != NULL && f->digest->undecided);
    json_add(object, "inputs", interface_list(f, true));
    json_add(object, "outputs", interface_list(f, false));
    json_add(object, "symbols", types_symbols(&f->shown));
    json_add(object, "parameters", amount_object(&f->parameters));
    json_add(object, "buffers", amount_object(&f->buffers));
    json_add(object, "constants", amount_object(&f->constants));
    json_add(object, "dtypes", count_object(&f->dtypes));
    json_add_number(object, "nodes", f->nodes);
    json_add_number(object, "subgraphs", f->subgraphs);
    json_add(object, "operators", count_object(&f->operators));
    if (f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed) {
        json_free(object);
        return NULL;
    }
    return object;
}
