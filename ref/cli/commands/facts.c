/*
 * facts.c - see facts.h.
 */
#include "facts.h"

#include "archive/pickle/dtype.h"
#include "cli/show/graphs.h"

static uint64_t add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* A size that is no number is taken for 1: state has none. */
static uint64_t elements_of(ep_value meta) {
    ep_value sizes = ep_value_field(meta, "sizes");
    uint64_t elements = 1;
    for (size_t i = 0; i < ep_value_count(sizes); i++) {
        const char *tag;
        ep_value size = unwrap(ep_value_item(sizes, i), &tag);
        bool known = ep_value_kind(size) == EP_KIND_INT && ep_value_int(size) >= 0;
        elements = times(elements, known ? (uint64_t)ep_value_int(size) : 1);
    }
    return elements;
}

static amount *amount_of(facts *f, ep_bytes kind) {
    return bytes_equal(kind, "parameter")         ? &f->parameters
           : bytes_equal(kind, "buffer")          ? &f->buffers
           : bytes_equal(kind, "tensor constant") ? &f->constants
                                                  : NULL;
}

/* What the tensor is that an input is: its dtype, elements and bytes. */
static void size_up(name_item *item) {
    ep_value meta = printer_meta(item->value);
    const dtype_row *dtype = dtype_of_number(ep_value_int(ep_value_field(meta, "dtype")));
    bool is_tensor = ep_value_kind(meta) != EP_KIND_NULL;
    uint64_t elements = is_tensor ? elements_of(meta) : 0;
    item->kind = is_tensor && dtype != NULL ? dtype->torch : "unknown";
    item->count = (size_t)elements;
    item->bytes = times(elements, dtype == NULL ? 0 : dtype->size);
}

/* What is said of a value is looked at once, however many inputs are that value. */
static void count_state(facts *f, const signature_row *row) {
    amount *a = amount_of(f, bytes_of(row->kind));
    if (a == NULL) {
        return;
    }
    name_item *item = names_find(&f->values, show_value_name(&f->shown, row->value));
    a->count++;
    if (item == NULL) {
        return;
    }
    if (item->kind == NULL) {
        size_up(item);
    }
    names_add(&f->dtypes, (name_item){.name = bytes_of(item->kind), .count = 1});
    a->elements = add(a->elements, item->count);
    a->bytes = add(a->bytes, item->bytes);
}

static void count_graph(void *context, ep_value graph) {
    facts *f = context;
    ep_value nodes = ep_value_field(graph, "nodes");
    size_t count = ep_value_count(nodes);
    f->subgraphs++;
    f->nodes += count;
    for (size_t i = 0; i < count; i++) {
        ep_value target = ep_value_field(ep_value_item(nodes, i), "target");
        names_add(&f->operators,
                  (name_item){.name = text_of(target, f->shown.arena, &f->failed), .count = 1});
    }
}

static bool by_count(const name_item *a, const name_item *b) {
    return a->count >= b->count;
}

static void count_nodes(facts *f) {
    f->failed = !graphs_visit(f->program, count_graph, f) || f->failed;
    f->subgraphs -= f->subgraphs > 0; /* but for the main graph */
    names_sort(&f->operators);
    if (!f->operators.failed) {
        names_collapse(&f->operators);
        names_sort_by(&f->operators, by_count);
    }
    f->failed = f->failed || f->operators.failed;
}

static void count_inputs(facts *f) {
    signature_row row;
    for (size_t i = 0; signature_at(&f->signature, SIGNATURE_INPUTS, i, &row); i++) {
        count_state(f, &row);
    }
    names_sort(&f->dtypes);
    f->failed = f->failed || f->dtypes.failed;
    if (!f->failed) {
        names_collapse(&f->dtypes);
    }
}

void facts_read(facts *f, const ep_program *program, size_t size, ep_arena *arena) {
    f->program = program;
    f->size = size;
    f->shown = (show){.program = program, .arena = arena, .left = show_room(size)};
    printer_open(&f->shown.printer);
    show_names(&f->shown, graphs_main(program), &f->values);
    f->shown.printer.values = &f->values;
    signature_open(&f->signature, program, arena);
    count_inputs(f);
    count_nodes(f);
    f->failed = f->failed || f->shown.failed || f->signature.failed;
}

void facts_free(facts *f) {
    signature_close(&f->signature);
    names_free(&f->values);
    names_free(&f->dtypes);
    names_free(&f->operators);
    printer_close(&f->shown.printer);
}

bool facts_is_interface(const signature_row *row) {
    ep_bytes kind = bytes_of(row->kind);
    return bytes_equal(kind, "user") || bytes_equal(kind, "constant") || bytes_equal(kind, "loss");
}

ep_bytes facts_release(facts *f) {
    ep_value said = ep_value_field(ep_program_root(f->program), "torch_version");
    return ep_value_kind(said) == EP_KIND_STR ? text_of(said, f->shown.arena, &f->failed)
                                              : (ep_bytes){"", 0};
}
