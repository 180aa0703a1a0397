/*
 * reading.c - see reading.h.
 */
#include "reading.h"

#include <string.h>

static bool same_value(ep_value a, ep_value b) {
    return a.program == b.program && a.shape == b.shape && a.bits == b.bits;
}

static bool is_nothing(ep_value value) {
    return ep_value_kind(value) == EP_KIND_NULL && ep_value_count(value) == 0 &&
           ep_value_int(value) == 0 && ep_value_name(value, 0) == NULL;
}

/* Whether something of a kind has a text, a type, parts. */
static bool has_text(ep_kind kind) {
    return kind == EP_KIND_STR || kind == EP_KIND_BYTES;
}

static bool has_type(ep_kind kind) {
    return kind == EP_KIND_STRUCT || kind == EP_KIND_UNION || kind == EP_KIND_ENUM;
}

static bool has_parts(ep_kind kind) {
    return kind == EP_KIND_STRUCT || kind == EP_KIND_UNION || kind == EP_KIND_LIST ||
           kind == EP_KIND_TUPLE || kind == EP_KIND_DICT;
}

/* ----------------------------------------------------------------------- values */

/* As errors have it: some, since each costs the bytes before it. */
static void read_place_of_error(fuzz_reading *r, ep_value value, size_t at) {
    enum { PLACES = 8 };
    ep_error place;
    if (r->places++ < PLACES) {
        ep_value_place(value, &place);
        FUZZ_PROPERTY(place.offset == at && place.code == EP_OK, "place-of-error");
        FUZZ_PROPERTY(at == 0 || place.line > 0, "place-line");
    }
}

/* A value that has a place is there; 0 is that of the program alone, or of none. */
static void read_place(fuzz_reading *r, ep_value value, ep_kind kind) {
    size_t at = ep_value_offset(value);
    char expected = has_text(kind) ? '"' : '{';
    FUZZ_PROPERTY(at == 0 || has_text(kind) || has_type(kind), "place-of-kind");
    FUZZ_PROPERTY(at == 0 || at < r->text.size, "place");
    FUZZ_PROPERTY(at == 0 || r->text.data[at] == expected, "place-byte");
    read_place_of_error(r, value, at);
}

static void read_text(fuzz_reading *r, ep_value value, ep_kind kind) {
    ep_bytes text;
    bool ok = ep_value_text(value, &r->work->arena, &text);
    FUZZ_PROPERTY(ok == has_text(kind), "text");
    FUZZ_PROPERTY(!ok || text.size <= r->text.size, "text-size");
}

/* Fields and tags by their names, keys of a dict. */
static void read_name(fuzz_reading *r, ep_value value, ep_kind kind, size_t i) {
    const char *name = ep_value_name(value, i);
    ep_bytes key;
    bool named = kind == EP_KIND_STRUCT || kind == EP_KIND_UNION;
    FUZZ_PROPERTY((name != NULL) == named, "name");
    FUZZ_PROPERTY(!named || same_value(ep_value_field(value, name), ep_value_item(value, i)),
                  "field");
    FUZZ_PROPERTY(ep_value_key(value, i, &r->work->arena, &key) == (kind == EP_KIND_DICT), "key");
}

static void read_value(void *context, ep_value value) {
    fuzz_reading *r = context;
    ep_kind kind = ep_value_kind(value);
    size_t count = ep_value_count(value);
    double number = ep_value_float(value);
    FUZZ_PROPERTY(count == 0 || has_parts(kind), "count");
    FUZZ_PROPERTY((ep_value_type(value) != NULL) == has_type(kind), "type");
    FUZZ_PROPERTY(kind != EP_KIND_ENUM || r->partial || ep_value_name(value, 0) != NULL,
                  "enumerator");
    FUZZ_PROPERTY(kind == EP_KIND_FLOAT || number == 0, "float");
    FUZZ_PROPERTY(is_nothing(ep_value_item(value, count)), "beyond");
    FUZZ_PROPERTY(is_nothing(ep_value_field(value, "no such field")), "no-field");
    read_place(r, value, kind);
    read_text(r, value, kind);
    for (size_t i = 0; i < count; i++) {
        read_name(r, value, kind, i);
    }
}

void fuzz_read_values(fuzz_reading *r, const ep_program *program) {
    fuzz_walk(ep_program_root(program), read_value, r);
}

/* ------------------------------------------------------------------- two programs */

/* A number of all that the functions say of values. */
typedef struct summing {
    fuzz_work *work;
    uint64_t sum;
} summing;

static void mix(summing *s, ep_bytes bytes) {
    s->sum = (s->sum ^ fuzz_hash(bytes)) * UINT64_C(1099511628211);
}

static void sum_value(void *context, ep_value value) {
    summing *s = context;
    ep_bytes text;
    const char *type = ep_value_type(value);
    double number = ep_value_float(value);
    int64_t numbers[] = {ep_value_kind(value), ep_value_int(value), (int64_t)ep_value_count(value),
                         number != number};
    number = numbers[3] != 0 ? 0 : number; /* NaN is one value; zeros have signs */
    mix(s, (ep_bytes){(const char *)numbers, sizeof numbers});
    mix(s, (ep_bytes){(const char *)&number, sizeof number});
    mix(s, test_bytes(type == NULL ? "" : type));
    mix(s, ep_value_text(value, &s->work->arena, &text) ? text : test_bytes(""));
    for (size_t i = 0; i < ep_value_count(value); i++) {
        const char *name = ep_value_name(value, i);
        mix(s, test_bytes(name == NULL ? "" : name));
        mix(s, ep_value_key(value, i, &s->work->arena, &text) ? text : test_bytes(""));
    }
}

uint64_t fuzz_sum_values(fuzz_work *work, const ep_program *program) {
    summing s = {.work = work};
    fuzz_walk(ep_program_root(program), sum_value, &s);
    return s.sum;
}

/* -------------------------------------------------------------------- signature */

static size_t count_named(const ep_signature *signature, ep_bytes name) {
    ep_signature_entry entry;
    size_t count = 0;
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        count += fuzz_same(entry.name, name) ? 1 : 0;
    }
    for (size_t i = 0; ep_signature_output(signature, i, &entry); i++) {
        count += fuzz_same(entry.name, name) ? 1 : 0;
    }
    return count;
}

/* Asked for nothing, some and all: the same number, and no more than that. */
static void read_part(const ep_signature *signature, ep_signature_part part, size_t most) {
    ep_signature_entry one = {.kind = -1};
    size_t count = ep_signature_part_of(signature, part, NULL, 0);
    FUZZ_PROPERTY(count <= most, "part");
    FUZZ_PROPERTY(ep_signature_part_of(signature, part, &one, 1) == count, "part-again");
    FUZZ_PROPERTY((one.kind >= 0) == (count > 0), "part-entry");
}

static void read_parts(ep_signature *signature) {
    static const ep_bytes fresh = {"a new name", 10};
    ep_signature_entry entry;
    size_t inputs = ep_signature_input_count(signature);
    size_t outputs = ep_signature_output_count(signature);
    FUZZ_PROPERTY(!ep_signature_input(signature, inputs, &entry) &&
                      !ep_signature_output(signature, outputs, &entry),
                  "entries");
    for (int part = EP_PART_PARAMETERS; part <= EP_PART_GRADIENTS_TO_USER_INPUTS; part++) {
        read_part(signature, (ep_signature_part)part, inputs + outputs);
    }
    if (ep_signature_input(signature, 0, &entry) && entry.name.size > 0) {
        ep_bytes old = entry.name;
        size_t count = count_named(signature, old);
        FUZZ_PROPERTY(ep_signature_replace_all_uses(signature, old, fresh) >= count, "renames");
        FUZZ_PROPERTY(count_named(signature, old) == 0, "renamed");
    }
}

/* Every entry, in memory that a sanitizer watches to the last byte. */
static void read_entries(const ep_signature *signature) {
    ep_signature_entry entry;
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        FUZZ_PROPERTY(EP_INPUT_TOKEN <= entry.kind && entry.kind <= EP_INPUT_CONSTANT,
                      "input-kind");
        FUZZ_PROPERTY(fuzz_is_utf8(entry.name) && fuzz_is_utf8(entry.target), "input-text");
    }
    for (size_t i = 0; ep_signature_output(signature, i, &entry); i++) {
        FUZZ_PROPERTY(EP_OUTPUT_TOKEN <= entry.kind &&
                          entry.kind <= EP_OUTPUT_GRADIENT_TO_USER_INPUT,
                      "output-kind");
        FUZZ_PROPERTY(fuzz_is_utf8(entry.name) && fuzz_is_utf8(entry.target), "output-text");
    }
}

void fuzz_read_signature(fuzz_reading *r, const ep_program *program) {
    ep_signature *signature;
    bool ok = ep_signature_open(program, &r->work->arena, &signature, &r->work->error);
    FUZZ_PROPERTY_OF(ok == !r->partial, "signature", &r->work->error);
    if (ok) {
        read_entries(signature);
        read_parts(signature);
    } else {
        FUZZ_PROPERTY_OF(r->work->error.code == EP_ARGUMENT && signature == NULL, "signature-code",
                         &r->work->error);
    }
}

/* ------------------------------------------------------------------------- graph */

/* The texts of arguments, and that each is found by its name, or one before it is. */
static void read_arguments(const ep_graph_node *node) {
    for (size_t i = 0; i < node->input_count; i++) {
        const ep_graph_argument *input = &node->inputs[i];
        FUZZ_PROPERTY(fuzz_is_utf8(input->name) && fuzz_is_utf8(input->value_name), "argument");
        FUZZ_PROPERTY(input->tag != NULL, "argument-tag");
    }
    for (size_t i = 0; i < node->output_count; i++) {
        FUZZ_PROPERTY(fuzz_is_utf8(node->outputs[i].value_name), "output-name");
        FUZZ_PROPERTY(node->outputs[i].name.size == 0, "output-parameter");
    }
    FUZZ_PROPERTY(ep_node_argument(node, "") == NULL || node->input_count > 0, "argument-found");
}

/* What a node and its value say is the same. */
static void read_node(fuzz_reading *r, const ep_graph_node *node) {
    ep_value inputs = ep_value_field(node->value, "inputs");
    ep_value outputs = ep_value_field(node->value, "outputs");
    ep_bytes target;
    ep_bytes text;
    FUZZ_PROPERTY(ep_value_count(inputs) == node->input_count &&
                      ep_value_count(outputs) == node->output_count,
                  "node");
    FUZZ_PROPERTY(ep_value_text(ep_value_field(node->value, "target"), &r->work->arena, &target) &&
                      fuzz_same(target, node->target),
                  "node-target");
    FUZZ_PROPERTY(!ep_node_metadata(node, "no such key", &r->work->arena, &text), "no-metadata");
    read_arguments(node);
}

/* Each tensor is found by its name. */
static void read_tensors(const ep_graph *graph) {
    ep_tensor tensor;
    ep_tensor found;
    for (size_t i = 0; ep_graph_tensor_at(graph, i, &tensor); i++) {
        FUZZ_PROPERTY(fuzz_is_utf8(tensor.name), "tensor-name");
        FUZZ_PROPERTY(ep_graph_tensor(graph, tensor.name, &found) &&
                          same_value(found.value, tensor.value),
                      "tensor-found");
        FUZZ_PROPERTY(ep_value_count(ep_value_field(tensor.value, "sizes")) == tensor.rank,
                      "tensor-rank");
    }
}

void fuzz_read_graph(fuzz_reading *r, const ep_program *program) {
    ep_graph *graph;
    ep_graph_node node;
    ep_value value = ep_program_graph(program);
    bool ok = ep_graph_open(value, &r->work->arena, &graph, &r->work->error);
    FUZZ_PROPERTY_OF(ok == !r->partial, "graph", &r->work->error);
    if (!ok) {
        FUZZ_PROPERTY_OF(r->work->error.code == EP_ARGUMENT && graph == NULL, "graph-code",
                         &r->work->error);
        return;
    }
    for (size_t i = 0; ep_graph_node_at(graph, i, &node); i++) {
        read_node(r, &node);
    }
    read_tensors(graph);
}
