/*
 * types_json.c - see types_json.h.
 */
#include "types_json.h"

#include "archive/pickle/dtype.h"
#include "cli/words.h"
#include "line.h"

/* What the printer has, without its marks; the line is then empty. */
static json *taken_line(show *s) {
    buffer text = {0};
    line_plain(&text, buffer_bytes(&s->printer.line));
    s->failed = s->failed || s->printer.line.failed;
    printer_end_line(&s->printer);
    return json_buffer(&text);
}

/* The text of a size, and how long it is. */
static json *size_text(show *s, ep_value size, size_t *said) {
    printer_put_size(&s->printer, size);
    *said += s->printer.line.size + 1;
    return taken_line(s);
}

/* Whether a size is a number. */
static bool size_number(ep_value size, int64_t *number) {
    const char *tag;
    ep_value held = unwrap(size, &tag);
    *number = ep_value_int(held);
    return ep_value_kind(held) == EP_KIND_INT;
}

static json *size_item(show *s, ep_value size, size_t *said) {
    int64_t number;
    json *text = size_text(s, size, said);
    if (!size_number(size, &number)) {
        return text;
    }
    json_free(text);
    return json_integer(number);
}

json *types_size(show *s, ep_value size) {
    size_t said = 0;
    return size_item(s, size, &said);
}

static json *size_list(show *s, ep_value sizes, size_t *said) {
    json *list = json_array();
    for (size_t i = 0; i < ep_value_count(sizes); i++) {
        json_append(list, size_item(s, ep_value_item(sizes, i), said));
    }
    return list;
}

/* "float32"; what this build has no name for, as the printer says it. */
static json *dtype_text(show *s, ep_value dtype) {
    const dtype_row *row = dtype_of_number(ep_value_int(dtype));
    if (row != NULL) {
        return json_text(bytes_of(row->torch));
    }
    printer_put_enumerator(&s->printer, dtype);
    return taken_line(s);
}

static size_t add_tensor(show *s, json *object, ep_value meta) {
    size_t said = 0;
    json *dtype = dtype_text(s, ep_value_field(meta, "dtype"));
    json *shape = size_list(s, ep_value_field(meta, "sizes"), &said);
    printer_put_device(&s->printer, ep_value_field(meta, "device"));
    said += s->printer.line.size;
    json_members(object, "kind:s dtype:j shape:j device:j", "tensor", dtype, shape, taken_line(s));
    return said;
}

static size_t add_other(show *s, json *object, ep_value type) {
    const char *number = printer_number(type);
    if (number != NULL) {
        size_t said = 0;
        json_members(object, "kind:s expression:j", number, size_item(s, type, &said));
        return said;
    }
    ep_bytes class = text_of(ep_value_field(type, "class_fqn"), s->arena, &s->failed);
    json_members(object, "kind:s class:t", "object", class);
    return class.size;
}

size_t types_add(show *s, json *object, ep_value type) {
    ep_value meta = printer_meta(type);
    bool is_tensor = ep_value_kind(meta) != EP_KIND_NULL;
    return is_tensor ? add_tensor(s, object, meta) : add_other(s, object, type);
}

/* The same where a value is mentioned: {"cut": true} when s->left is used up. */
static void types_add_mention(show *s, json *object, ep_value type) {
    size_t said = s->left > 0 ? types_add(s, object, type) : 0;
    json_members(object, "cut:?b", s->left == 0, true);
    s->left -= said < s->left ? said : s->left;
}

void types_add_layout(show *s, json *object, ep_value type) {
    ep_value meta = printer_meta(type);
    size_t said = 0;
    if (ep_value_kind(meta) == EP_KIND_NULL) {
        return;
    }
    json *strides = size_list(s, ep_value_field(meta, "strides"), &said);
    json *offset = types_size(s, ep_value_field(meta, "storage_offset"));
    printer_put_enumerator(&s->printer, ep_value_field(meta, "layout"));
    json_members(object, "strides:j storage_offset:j requires_grad:b layout:j", strides, offset,
                 ep_value_int(ep_value_field(meta, "requires_grad")) != 0, taken_line(s));
}

static json *float_item(double value) {
    char digits[EP_FLOAT_SIZE];
    ep_bytes text = {digits, ep_float_text(value, digits)};
    bool is_finite = value - value == 0;
    return is_finite ? json_finished(text) : json_text(text);
}

json *types_scalar(show *s, ep_value value) {
    const char *tag;
    ep_value held = unwrap(value, &tag);
    ep_kind kind = ep_value_kind(held);
    if (kind == EP_KIND_NULL || word_is(tag, "as_none")) {
        return json_null();
    }
    if (kind != EP_KIND_INT && kind != EP_KIND_BOOL && kind != EP_KIND_FLOAT &&
        kind != EP_KIND_STR) {
        printer_put(&s->printer, value);
        return taken_line(s);
    }
    return kind == EP_KIND_INT     ? json_integer(ep_value_int(held))
           : kind == EP_KIND_BOOL  ? json_bool(ep_value_int(held) != 0)
           : kind == EP_KIND_FLOAT ? float_item(ep_value_float(held))
                                   : json_text(text_of(held, s->arena, &s->failed));
}

ep_bytes types_name(show *s, const signature_row *row) {
    return row->name.size > 0 ? row->name : show_value_name(s, row->value);
}

void types_add_row(show *s, json *object, const signature_row *row) {
    bool constant = row->name.size > 0;
    name_item *item = constant ? NULL : names_find(s->printer.values, types_name(s, row));
    if (item != NULL) {
        types_add_mention(s, object, item->value);
    } else {
        json_members(object, "kind:s value:j", "constant", types_scalar(s, row->value));
    }
}

/* ------------------------------------------------------------------------- records */

/* What a record says of a value, but its name; an item that is NULL is null. */
typedef struct type_record {
    const char *kind;
    json *dtype, *shape, *sizes, *device, *class, *expression, *value;
    bool failed; /* for want of memory */
} type_record;

static void set(type_record *r, json **member, json *item) {
    *member = item;
    r->failed = r->failed || item == NULL;
}

static json *said_of(json *item) {
    return item != NULL ? item : json_null();
}

static void record_tensor(show *s, type_record *r, ep_value meta, size_t *said) {
    ep_value sizes = ep_value_field(meta, "sizes");
    r->kind = "tensor";
    set(r, &r->dtype, dtype_text(s, ep_value_field(meta, "dtype")));
    set(r, &r->shape, json_array());
    set(r, &r->sizes, json_array());
    for (size_t i = 0; i < ep_value_count(sizes); i++) {
        int64_t number;
        bool is_number = size_number(ep_value_item(sizes, i), &number);
        json_append(r->shape, size_text(s, ep_value_item(sizes, i), said));
        json_append(r->sizes, is_number ? json_integer(number) : json_null());
    }
    printer_put_device(&s->printer, ep_value_field(meta, "device"));
    *said += s->printer.line.size;
    set(r, &r->device, taken_line(s));
}

static void record_type(show *s, type_record *r, ep_value type) {
    ep_value meta = printer_meta(type);
    const char *number = printer_number(type);
    size_t said = 0;
    if (s->left == 0) {
        r->kind = "cut";
    } else if (ep_value_kind(meta) != EP_KIND_NULL) {
        record_tensor(s, r, meta, &said);
    } else if (number != NULL) {
        r->kind = number;
        set(r, &r->expression, size_text(s, type, &said));
    } else {
        ep_bytes class = text_of(ep_value_field(type, "class_fqn"), s->arena, &s->failed);
        r->kind = "object";
        set(r, &r->class, json_text(class));
        said = class.size;
    }
    s->left -= said < s->left ? said : s->left;
}

json *types_record(show *s, const signature_row *row) {
    ep_bytes name = types_name(s, row);
    name_item *item = row->name.size > 0 ? NULL : names_find(s->printer.values, name);
    type_record r = {.kind = "constant"};
    if (item != NULL) {
        record_type(s, &r, item->value);
    } else {
        set(&r, &r.value, json_spelled(types_scalar(s, row->value)));
    }
    s->failed = s->failed || r.failed;
    return json_make("name:u kind:s dtype:j shape:j sizes:j device:j class:j expression:j value:j",
                     name, r.kind, said_of(r.dtype), said_of(r.shape), said_of(r.sizes),
                     said_of(r.device), said_of(r.class), said_of(r.expression), said_of(r.value));
}

json *types_symbols(show *s, bool record) {
    ep_value ranges = ep_value_field(ep_program_root(s->program), "range_constraints");
    json *all = record ? json_array() : json_object();
    for (size_t i = 0; i < ep_value_count(ranges); i++) {
        ep_bytes name = dict_key(ranges, i, s->arena, &s->failed);
        ep_value low = ep_value_field(ep_value_item(ranges, i), "min_val");
        ep_value high = ep_value_field(ep_value_item(ranges, i), "max_val");
        json *ends =
            json_make("name:?t min:m max:m", record, name, ep_value_kind(low) == EP_KIND_INT,
                      ep_value_int(low), ep_value_kind(high) == EP_KIND_INT, ep_value_int(high));
        if (record) {
            json_append(all, ends);
        } else {
            json_add_at(all, name, ends);
        }
    }
    return all;
}
