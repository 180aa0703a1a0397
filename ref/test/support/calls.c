/*
 * calls.c - see calls.h.
 */
#include "calls.h"

#include <string.h>

static const char *const names[CALLS] = {
    "wire",  "decode", "forward", "check", "strings",     "audit", "encode",      "signature",
    "graph", "schema", "migrate", "canon", "canon-torch", "diff",  "diff-itself",
};

const char *call_name(call_id id) {
    return names[id];
}

bool call_needs_program(call_id id) {
    return id != CALL_WIRE && id != CALL_DECODE && id != CALL_FORWARD && id != CALL_SCHEMA;
}

/* ---------------------------------------------------------------------- sums */

static void sum_bytes(uint64_t *sum, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        *sum = (*sum ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
}

static void sum_number(uint64_t *sum, uint64_t number) {
    *sum = (*sum ^ number) * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static void sum_text(uint64_t *sum, ep_bytes text) {
    sum_number(sum, text.size);
    sum_bytes(sum, text.data, text.size);
}

static void sum_string(uint64_t *sum, const char *text) {
    sum_text(sum, text == NULL ? (ep_bytes){NULL, 0} : (ep_bytes){text, strlen(text)});
}

static void sum_error(uint64_t *sum, const ep_error *error) {
    sum_number(sum, (uint64_t)error->code);
    sum_number(sum, error->offset);
    sum_number(sum, error->line);
    sum_number(sum, error->column);
    sum_string(sum, error->pointer);
    sum_string(sum, error->detail);
}

static void hear_warning(void *context, const ep_error *error) {
    sum_error(context, error);
}

static void hear_finding(void *context, const ep_finding *finding) {
    call_result *r = context;
    uint64_t *sum = &r->sum;
    r->told += finding->text.size;
    sum_number(sum, (uint64_t)finding->id);
    sum_number(sum, finding->more);
    sum_error(sum, &finding->place);
    sum_string(sum, finding->why);
    sum_text(sum, finding->text);
}

static void hear_step(void *context, const char *clause, const char *about, size_t times) {
    uint64_t *sum = context;
    sum_string(sum, clause);
    sum_string(sum, about);
    sum_number(sum, times);
}

static void hear_difference(void *context, const ep_difference *difference) {
    call_result *r = context;
    uint64_t *sum = &r->sum;
    r->told += difference->target.size + difference->argument.size;
    sum_number(sum, (uint64_t)difference->group);
    sum_string(sum, difference->type);
    sum_string(sum, difference->member);
    sum_text(sum, difference->target);
    sum_text(sum, difference->argument);
    for (size_t i = 0; i < 2; i++) {
        const ep_diff_side *side = &difference->sides[i];
        r->told += side->text.size;
        sum_number(sum, side->there);
        sum_error(sum, &side->place);
        sum_text(sum, side->text);
        sum_string(sum, side->enumerator);
    }
}

/* What a pickled tensor is, for those who ask: any will do. */
static bool tell_constant(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    static const ep_dim two = {2, NULL};
    static const ep_dim one = {1, NULL};
    (void)name;
    (void)base64;
    (void)context;
    *info = (ep_tensor_info){.dtype = "FLOAT", .sizes = &two, .strides = &one, .rank = 1};
    return true;
}

/* --------------------------------------------------------------------- calls */

typedef struct sink {
    const call_input *input;
    call_result *result;
} sink;

static bool take(void *context, const char *data, size_t size) {
    sink *s = context;
    call_result *r = s->result;
    bool inside = size <= s->input->text.size && r->written <= s->input->text.size - size;
    r->prefix = r->prefix && inside && memcmp(s->input->text.data + r->written, data, size) == 0;
    r->written += size;
    sum_bytes(&r->sum, data, size);
    return true;
}

static bool encode(const call_input *input, ep_arena *arena, call_result *r) {
    sink s = {input, r};
    r->prefix = true;
    return ep_encode(input->program, arena, take, &s, &r->error);
}

static bool decode(const call_input *input, ep_arena *arena, bool forward, call_result *r) {
    ep_decode_options options = ep_decode_options_default();
    const ep_program *program = NULL;
    options.limits.depth = input->depth == 0 ? options.limits.depth : input->depth;
    options.forward = forward;
    options.warn = hear_warning;
    options.warn_context = &r->sum;
    bool ok = ep_decode(arena, input->text, &options, &program, &r->error);
    sum_string(&r->sum, program == NULL ? "" : ep_program_version(program)->name);
    return ok && program != NULL;
}

static bool wire(const call_input *input, ep_arena *arena, call_result *r) {
    ep_decode_options options = ep_decode_options_default();
    options.limits.depth = input->depth == 0 ? options.limits.depth : input->depth;
    return ep_check_wire(arena, input->text, &options, &r->error);
}

static bool check(const call_input *input, ep_arena *arena, ep_level level, call_result *r) {
    ep_check_options options = ep_check_options_default();
    options.level = level;
    options.limits.depth = input->depth == 0 ? options.limits.depth : input->depth;
    options.note = hear_warning;
    options.note_context = &r->sum;
    return ep_check(input->program, arena, &options, &r->error);
}

static void sum_entry(uint64_t *sum, const ep_signature_entry *entry) {
    sum_number(sum, (uint64_t)entry->kind);
    sum_text(sum, entry->name);
    sum_text(sum, entry->target);
}

static bool signature(const call_input *input, ep_arena *arena, call_result *r) {
    ep_signature *opened;
    ep_signature_entry entry;
    if (!ep_signature_open(input->program, arena, &opened, &r->error)) {
        return false;
    }
    for (size_t i = 0; ep_signature_input(opened, i, &entry); i++) {
        sum_entry(&r->sum, &entry);
    }
    for (size_t i = 0; ep_signature_output(opened, i, &entry); i++) {
        sum_entry(&r->sum, &entry);
    }
    return true;
}

static void sum_arguments(uint64_t *sum, const ep_graph_argument *arguments, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sum_text(sum, arguments[i].name);
        sum_string(sum, arguments[i].tag);
        sum_text(sum, arguments[i].value_name);
    }
}

static void sum_numbers(uint64_t *sum, const ep_sym_int *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sum_text(sum, numbers[i].expr);
        sum_number(sum, (uint64_t)numbers[i].number);
    }
}

static bool graph(const call_input *input, ep_arena *arena, call_result *r) {
    ep_graph *opened;
    ep_graph_node node;
    ep_tensor tensor;
    if (!ep_graph_open(ep_program_graph(input->program), arena, &opened, &r->error)) {
        return false;
    }
    for (size_t i = 0; ep_graph_node_at(opened, i, &node); i++) {
        sum_text(&r->sum, node.target);
        sum_arguments(&r->sum, node.inputs, node.input_count);
        sum_arguments(&r->sum, node.outputs, node.output_count);
    }
    for (size_t i = 0; ep_graph_tensor_at(opened, i, &tensor); i++) {
        sum_text(&r->sum, tensor.name);
        sum_string(&r->sum, tensor.dtype);
        sum_numbers(&r->sum, tensor.sizes, tensor.rank);
        sum_numbers(&r->sum, tensor.strides, tensor.stride_count);
        sum_number(&r->sum, ep_graph_tensor(opened, tensor.name, &tensor));
    }
    return true;
}

static bool schema(const call_input *input, ep_arena *arena, call_result *r) {
    const ep_schema *opened;
    ep_type_info type;
    ep_member_info member;
    char text[256];
    if (!ep_schema_open(arena, input->to, &opened, &r->error)) {
        return false;
    }
    for (size_t i = 0; ep_schema_type(opened, i, &type); i++) {
        sum_string(&r->sum, type.name);
        for (size_t j = 0; ep_schema_member(opened, i, j, &member); j++) {
            sum_string(&r->sum, member.name);
            sum_number(&r->sum, ep_schema_member_type(opened, i, j, text, sizeof text));
        }
    }
    return true;
}

static bool migrate(const call_input *input, ep_arena *arena, call_result *r) {
    ep_built built;
    ep_migrate_options options = {.version = input->to,
                                  .report = hear_step,
                                  .report_context = &r->sum,
                                  .constant = tell_constant,
                                  .note = hear_warning,
                                  .note_context = &r->sum};
    bool ok = ep_migrate(input->program, arena, &options, &built, &r->error);
    r->made = ok ? built.text : (ep_bytes){NULL, 0};
    return ok;
}

static bool canon(const call_input *input, ep_arena *arena, ep_canon_form form, call_result *r) {
    ep_built built;
    ep_canon_options options = {.form = form, .constant = tell_constant};
    bool ok = ep_canon(input->program, arena, &options, &built, &r->error);
    r->made = ok ? built.text : (ep_bytes){NULL, 0};
    return ok;
}

static bool diff(const call_input *input, ep_arena *arena, const ep_program *other, bool itself,
                 call_result *r) {
    const ep_program *const programs[2] = {input->program, other};
    ep_diff_options options = ep_diff_options_default();
    ep_diff_result result;
    options.provenance = itself;
    options.limit = SIZE_MAX;
    options.hear = hear_difference;
    options.hear_context = r;
    options.constant = tell_constant;
    bool ok = ep_diff(programs, arena, &options, &result, &r->error);
    r->about_other = !ok && result.refused == 1 && !itself;
    sum_number(&r->sum, ok ? result.count : result.refused);
    return ok;
}

static bool run(call_id id, const call_input *input, ep_arena *arena, call_result *r) {
    switch (id) {
    case CALL_WIRE:
        return wire(input, arena, r);
    case CALL_DECODE:
        return decode(input, arena, false, r);
    case CALL_FORWARD:
        return decode(input, arena, true, r);
    case CALL_CHECK:
        return check(input, arena, EP_LEVEL_PROGRAM, r);
    case CALL_STRINGS:
        return check(input, arena, EP_LEVEL_STRINGS, r);
    case CALL_AUDIT:
        return ep_audit(input->program, arena, hear_finding, r, &r->error);
    case CALL_ENCODE:
        return encode(input, arena, r);
    case CALL_SIGNATURE:
        return signature(input, arena, r);
    case CALL_GRAPH:
        return graph(input, arena, r);
    case CALL_SCHEMA:
        return schema(input, arena, r);
    case CALL_MIGRATE:
        return migrate(input, arena, r);
    case CALL_CANON:
        return canon(input, arena, EP_CANON_EPREF, r);
    case CALL_CANON_TORCH:
        return canon(input, arena, EP_CANON_TORCH, r);
    case CALL_DIFF:
        return diff(input, arena, input->other, false, r);
    case CALL_DIFF_ITSELF:
        return diff(input, arena, input->program, true, r);
    case CALLS:
        break;
    }
    return false;
}

void call_run(call_id id, const call_input *input, ep_arena *arena, call_result *result) {
    *result = (call_result){.prefix = true};
    memset(&result->error, 0xEE, sizeof result->error);
    result->ok = run(id, input, arena, result);
    sum_text(&result->sum, result->made);
}

/* -------------------------------------------------------------------- errors */

static bool is_text(const char *text, size_t room) {
    ep_arena arena;
    test_heap heap = {0};
    test_text quoted = {0};
    const char *end = memchr(text, '\0', room);
    if (end == NULL) {
        return false;
    }
    test_add_str(&quoted, "\"");
    for (const char *at = text; at < end; at++) {
        unsigned char byte = (unsigned char)*at;
        test_add(&quoted, byte < ' ' || byte == '"' || byte == '\\' ? "." : at, 1);
    }
    test_add_str(&quoted, "\"");
    test_arena(&arena, &heap, 0);
    bool ok = ep_check_wire(&arena, test_text_exact(&quoted), NULL, NULL);
    ep_arena_free(&arena);
    test_text_free(&quoted);
    return ok;
}

bool held_decode(held_program *held) {
    test_arena(&held->arena, &held->heap, 0);
    return ep_decode(&held->arena, test_text_exact(&held->text), NULL, &held->program, NULL);
}

bool held_release(held_program *held) {
    ep_arena_free(&held->arena);
    test_text_free(&held->text);
    bool empty = held->heap.bytes == 0;
    *held = (held_program){.program = NULL};
    return empty;
}

bool call_error_is_whole(const call_input *input, const call_result *result) {
    static const ep_error none;
    const ep_error *e = &result->error;
    size_t size = result->about_other ? input->other_text.size : input->text.size;
    if (result->ok) {
        return memcmp(e, &none, sizeof none) == 0;
    }
    bool known = e->code != EP_OK && ep_code_name(e->code) != NULL;
    bool texts = is_text(e->pointer, sizeof e->pointer) && is_text(e->detail, sizeof e->detail);
    return known && texts && e->offset <= size && (e->pointer_cut == 0 || e->pointer_cut == 1);
}
