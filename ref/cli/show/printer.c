/*
 * printer.c - see printer.h. What is nested waits on a list of frames.
 */
#include "printer.h"

#include <string.h>

#include "archive/pickle/dtype.h"
#include "cli/print.h"
#include "cli/words.h"
#include "common/memory.h"
#include "common/safe.h"
#include "expression.h"
#include "line.h"

void printer_open(printer *p) {
    *p = (printer){0};
    arena_open(&p->scratch, 0);
}

void printer_close(printer *p) {
    ep_arena_free(&p->scratch);
    buffer_free(&p->line);
    memory_free(p->frames);
}

void printer_end_line(printer *p) {
    p->failed = p->failed || p->line.failed;
    buffer_clear(&p->line);
    ep_arena_free(&p->scratch);
}

static ep_bytes text(printer *p, ep_value value) {
    return text_of(value, &p->scratch, &p->failed);
}

/* --------------------------------------------------------------------- names */

/* Whether a name can stand without quotes. */
static bool is_plain(ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        bool letter = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
        bool other = ('0' <= c && c <= '9') || c == '_' || c == '.' || (unsigned char)c >= 0x80;
        if (!letter && !other) {
            return false;
        }
    }
    return name.size > 0;
}

void printer_put_name(printer *p, char sign, ep_bytes name) {
    print(&p->line, is_plain(name) ? "%m%c%t%M" : "%m%c%q%M",
          sign == '%' ? STYLE_VALUE : STYLE_GRAPH, sign, name);
}

static void put_value_name(printer *p, ep_bytes name) {
    printer_put_name(p, '%', name);
    if (p->typed) {
        size_t after = p->line.size;
        buffer_text(&p->line, ": ");
        if (!printer_put_type(p, name) && !p->line.failed) {
            p->line.size = after;
        }
    }
}

void printer_put_operator(printer *p, ep_bytes target) {
    static const char prefix[] = "torch.ops.";
    static const char overload[] = ".default";
    size_t first = sizeof prefix - 1;
    size_t last = sizeof overload - 1;
    if (target.size > first && bytes_start(target, prefix)) {
        target = (ep_bytes){target.data + first, target.size - first};
        target.size -= target.size > last && bytes_end(target, overload) ? last : 0;
    }
    print(&p->line, "%m%t%M", STYLE_OPERATOR, target);
}

/* --------------------------------------------------------------------- types */

/* What people call the enumerators; others are called as they are. */
static const char *short_name(const char *name) {
    static const char *const names[][2] = {
        {"UNSIGNED_SHORT", "u16"},
        {"FLOAT8_E4M3FN", "f8e4m3fn"},
        {"FLOAT8_E5M2", "f8e5m2"},
        {"UNKNOWN", "unknown"},
        {"Unknown", "unknown"},
        {"Strided", "strided"},
        {"SparseCoo", "sparse_coo"},
        {"SparseCsr", "sparse_csr"},
        {"SparseCsc", "sparse_csc"},
        {"SparseBsr", "sparse_bsr"},
        {"SparseBsc", "sparse_bsc"},
        {"ContiguousFormat", "contiguous_format"},
        {"ChannelsLast", "channels_last"},
        {"ChannelsLast3d", "channels_last_3d"},
        {"PreserveFormat", "preserve_format"},
        {NULL, NULL},
    };
    const dtype_row *dtype = dtype_of_name(bytes_of(name));
    return dtype != NULL ? dtype->brief : word_for(names, name, name);
}

void printer_put_enumerator(printer *p, ep_value value) {
    const char *name = ep_value_name(value, 0);
    if (name != NULL) {
        buffer_text(&p->line, short_name(name));
    } else { /* let pass by --forward */
        buffer_number(&p->line, ep_value_int(value));
    }
}

void printer_put_device(printer *p, ep_value device) {
    ep_value index = ep_value_field(device, "index");
    safe_text(&p->line, text(p, ep_value_field(device, "type")));
    print(&p->line, ep_value_kind(index) == EP_KIND_INT ? ":%i" : "", ep_value_int(index));
}

static void put_float(printer *p, double value) {
    char digits[EP_FLOAT_SIZE];
    buffer_put(&p->line, digits, ep_float_text(value, digits));
}

/* A value is mentioned as often as the file likes, and each time its type is
 * printed: what a type may hold must be bounded. So must a text that several
 * mentions share. */
enum { EXPRESSION_MAX = 400, DIMENSIONS_MAX = 16, SAID_MAX = 400 };

void printer_cut(printer *p, size_t from) {
    buffer *line = &p->line;
    if (p->full || line->failed || line->size - from <= SAID_MAX) {
        return;
    }
    line->size = from + SAID_MAX;
    while (line->size > from && ((unsigned char)line->data[line->size] & 0xC0) == 0x80) {
        line->size--;
    }
    buffer_text(line, "...");
}

static void put_expression(printer *p, ep_bytes expression) {
    if (expression.size > EXPRESSION_MAX && !p->full) {
        buffer_text(&p->line, "...");
    } else {
        expression_put(&p->line, expression);
    }
}

void printer_put_size(printer *p, ep_value size) {
    const char *tag;
    ep_value held = unwrap(size, &tag);
    ep_kind kind = ep_value_kind(held);
    if (kind == EP_KIND_INT) {
        buffer_number(&p->line, ep_value_int(held));
    } else if (kind == EP_KIND_BOOL) {
        buffer_text(&p->line, ep_value_int(held) != 0 ? "True" : "False");
    } else if (kind == EP_KIND_FLOAT) {
        put_float(p, ep_value_float(held));
    } else {
        ep_value said = kind == EP_KIND_STRUCT ? ep_value_field(held, "expr_str") : held;
        put_expression(p, text(p, said));
    }
}

ep_value printer_meta(ep_value type) {
    ep_value meta = value_is(type, "TensorValue") ? ep_value_field(type, "meta") : type;
    return value_is(meta, "TensorMeta") ? meta : (ep_value){0};
}

void printer_put_sizes(printer *p, ep_value sizes) {
    size_t count = ep_value_count(sizes);
    size_t most = p->full || count < DIMENSIONS_MAX ? count : DIMENSIONS_MAX;
    for (size_t i = 0; i < most; i++) {
        buffer_text(&p->line, i > 0 ? ", " : "");
        printer_put_size(p, ep_value_item(sizes, i));
    }
    buffer_text(&p->line, count > most ? ", ..." : "");
}

/* "f32[4, 2]", and where it is unless on the CPU, and how unless strided */
static void put_tensor_type(printer *p, ep_value meta) {
    ep_value sizes = ep_value_field(meta, "sizes");
    ep_value device = ep_value_field(meta, "device");
    ep_value layout = ep_value_field(meta, "layout");
    const char *layout_name = ep_value_name(layout, 0);
    printer_put_enumerator(p, ep_value_field(meta, "dtype"));
    buffer_byte(&p->line, '[');
    printer_put_sizes(p, sizes);
    buffer_byte(&p->line, ']');
    if (!bytes_equal(text(p, ep_value_field(device, "type")), "cpu")) {
        buffer_text(&p->line, " on ");
        printer_put_device(p, device);
    }
    if (layout_name == NULL || strcmp(layout_name, "Strided") != 0) {
        buffer_byte(&p->line, ' ');
        printer_put_enumerator(p, layout);
    }
}

const char *printer_number(ep_value type) {
    static const char *const names[][2] = {
        {"SymInt", "int"}, {"SymFloat", "float"}, {"SymBool", "bool"}, {NULL, NULL}};
    return word_for(names, ep_value_type(type), NULL);
}

/* "int(s0 + 1)", of a value that is no tensor */
static void put_other_type(printer *p, ep_value type) {
    const char *number = printer_number(type);
    if (value_is(type, "CustomObjArgument")) {
        safe_text(&p->line, text(p, ep_value_field(type, "class_fqn")));
    } else if (number != NULL) {
        print(&p->line, "%s(", number);
        printer_put_size(p, type);
        buffer_byte(&p->line, ')');
    }
}

/* Puts the type of a value for the first time, and keeps it. */
static void put_new_type(printer *p, name_item *item) {
    ep_value meta = printer_meta(item->value);
    size_t from = p->line.size;
    if (ep_value_kind(meta) == EP_KIND_NULL) {
        put_other_type(p, item->value);
    } else {
        put_tensor_type(p, meta);
    }
    printer_cut(p, from);
    if (!p->line.failed) {
        names_say(p->values, item, NAMES_TYPE,
                  (ep_bytes){p->line.data + from, p->line.size - from});
    }
    p->failed = p->failed || p->values->failed;
}

bool printer_put_type(printer *p, ep_bytes name) {
    name_item *found = p->values == NULL ? NULL : names_find(p->values, name);
    if (found == NULL) {
        return false;
    }
    print(&p->line, "%m", STYLE_TYPE);
    if (found->said[NAMES_TYPE].known) {
        ep_bytes type = names_said(p->values, found, NAMES_TYPE);
        buffer_put(&p->line, type.data, type.size);
    } else {
        put_new_type(p, found);
    }
    print(&p->line, "%M");
    return true;
}

/* ----------------------------------------------------------------- arguments */

static void open_frame(printer *p, ep_value value, char open, char close) {
    if (!memory_room(&p->frames, p->depth, &p->capacity, sizeof *p->frames)) {
        p->failed = true;
        return;
    }
    buffer_byte(&p->line, open);
    p->frames[p->depth++] = (printer_frame){.value = value, .close = close};
}

static void put_complex(printer *p, ep_value value) {
    char imaginary[EP_FLOAT_SIZE];
    size_t size = ep_float_text(ep_value_float(ep_value_field(value, "imag")), imaginary);
    print(&p->line, "%m(", STYLE_LITERAL);
    put_float(p, ep_value_float(ep_value_field(value, "real")));
    print(&p->line, "%s%rj)%M", imaginary[0] == '-' ? "" : "+", imaginary, size);
}

static void put_struct(printer *p, ep_value value) {
    if (value_is(value, "GraphArgument")) {
        printer_put_name(p, '@', text(p, ep_value_field(value, "name")));
    } else if (value_is(value, "ComplexValue")) {
        put_complex(p, value);
    } else if (value_is(value, "Device")) {
        print(&p->line, "%m", STYLE_LITERAL);
        printer_put_device(p, value);
        print(&p->line, "%M");
    } else if (value_is(value, "SymExpr")) {
        printer_put_size(p, value);
    } else if (ep_value_kind(ep_value_field(value, "name")) == EP_KIND_STR) {
        put_value_name(p, text(p, ep_value_field(value, "name")));
    } else {
        print(&p->line, "%m%s%M", STYLE_LITERAL, ep_value_type(value)); /* version 1: a blob */
    }
}

static void put_string(printer *p, const char *tag, ep_bytes string) {
    if (word_is(tag, "as_name as_tensor")) {
        put_value_name(p, string);
    } else if (word_is(tag, "as_operator")) {
        printer_put_operator(p, string);
    } else {
        print(&p->line, "%m%q%M", STYLE_LITERAL, string);
    }
}

static void put_scalar(printer *p, ep_value value) {
    ep_kind kind = ep_value_kind(value);
    print(&p->line, "%m", STYLE_LITERAL);
    if (kind == EP_KIND_INT || kind == EP_KIND_BOOL || kind == EP_KIND_FLOAT) {
        printer_put_size(p, value);
    } else if (kind == EP_KIND_ENUM) {
        printer_put_enumerator(p, value);
    } else if (kind == EP_KIND_INFINITE) {
        buffer_text(&p->line, ep_value_int(value) < 0 ? "-inf" : "inf");
    } else {
        buffer_text(&p->line, kind == EP_KIND_BYTES ? "bytes" : "None");
    }
    print(&p->line, "%M");
}

/* A value, or the beginning of one that is a list or dict. */
static void put_one(printer *p, ep_value value) {
    const char *tag;
    ep_value held = unwrap(value, &tag);
    ep_kind kind = ep_value_kind(held);
    if (word_is(tag, "as_none")) {
        print(&p->line, "%mNone%M", STYLE_LITERAL);
    } else if (kind == EP_KIND_LIST || kind == EP_KIND_TUPLE) {
        open_frame(p, held, '[', ']');
    } else if (kind == EP_KIND_DICT) {
        open_frame(p, held, '{', '}');
    } else if (kind == EP_KIND_STRUCT) {
        put_struct(p, held);
    } else if (kind == EP_KIND_STR) {
        put_string(p, tag, text(p, held));
    } else {
        put_scalar(p, held);
    }
}

void printer_put(printer *p, ep_value value) {
    put_one(p, value);
    while (p->depth > 0) {
        printer_frame *frame = &p->frames[p->depth - 1];
        if (p->failed || frame->next == ep_value_count(frame->value)) {
            buffer_byte(&p->line, frame->close);
            p->depth--;
            continue;
        }
        size_t i = frame->next++;
        print(&p->line, i > 0 ? ",%c" : "", LINE_INNER_BREAK);
        if (frame->close == '}') {
            print(&p->line, "%q: ", dict_key(frame->value, i, &p->scratch, &p->failed));
        }
        put_one(p, ep_value_item(frame->value, i));
    }
}
