/*
 * canon/face.c - the face of a node: a hash of its content, apart from its name and the
 * order of the document (SPEC 6.4.4).
 */
#include "canon/face.h"

#include "json/number.h"

/* --------------------------------------------------------------------- hashing */

static const uint64_t prime = 1099511628211u;

static uint64_t add_byte(uint64_t h, char byte) {
    return (h ^ (unsigned char)byte) * prime;
}

static uint64_t add_bytes(uint64_t h, ep_bytes bytes) {
    for (size_t i = 0; i < bytes.size; i++) {
        h = add_byte(h, bytes.data[i]);
    }
    return h;
}

/* SPEC 6.4.3 */
uint64_t ep_canon_hash_text(uint64_t h, ep_bytes text) {
    return add_byte(add_bytes(h, text), '\0');
}

/* Parts of a text, without the zero byte that ends it. */
static uint64_t add_int(uint64_t h, int64_t value) {
    char text[EP_INT_TEXT_SIZE];
    return add_bytes(h, (ep_bytes){text, ep_number_print_int(value, text)});
}

static uint64_t add_hexadecimal(uint64_t h, uint64_t number) {
    for (int shift = 60; shift >= 0; shift -= 4) {
        h = add_byte(h, "0123456789abcdef"[number >> shift & 15]);
    }
    return h;
}

uint64_t ep_canon_hash_number(uint64_t h, uint64_t number) {
    return add_byte(add_hexadecimal(h, number), '\0');
}

uint64_t ep_canon_hash_int(uint64_t h, int64_t value) {
    return add_byte(add_int(h, value), '\0');
}

/* -------------------------------------------------------------------- constants */

/* A pending part of an argument. */
typedef struct part {
    const ep_shape *shape; /* NULL: the bits are a key */
    uint64_t bits;
} part;

EP_STACK_OF(parts, part);

/* The state of one face. */
typedef struct making {
    ep_canonizer *c;
    ep_canon_graph *graph;
    uint64_t h;
    uint32_t node;                  /* the node whose face it is */
    uint32_t unranked;              /* number of values seen that nodes without a rank define */
    const ep_canon_graph *subgraph; /* the next subgraph of the node */
    parts waiting;
} making;

static void put(making *m, ep_bytes text) {
    m->h = ep_canon_hash_text(m->h, text);
}

static void put_marked(making *m, char mark, ep_bytes text) {
    m->h = ep_canon_hash_text(add_byte(m->h, mark), text);
}

static void put_count(making *m, char mark, size_t count) {
    m->h = ep_canon_hash_int(add_byte(m->h, mark), (int64_t)count);
}

static bool put_string(making *m, ep_ref ref) {
    ep_bytes text;
    TRY(ep_canon_text(m->c, ref, &text));
    put(m, text);
    return true;
}

static uint64_t add_float(uint64_t h, uint64_t bits) {
    char text[EP_FLOAT_TEXT_SIZE];
    return add_bytes(h, (ep_bytes){text, ep_number_print_float(ep_float_of(bits), text)});
}

static ep_bytes enumerator_of(const ep_shape *shape, uint64_t bits) {
    uint8_t member = ep_type_find_value(shape->type, (int64_t)bits);
    return ep_enumerator_name(shape->type->members[member].row);
}

/* A device, as parts of a text. */
static bool add_device(making *m, const ep_node *device) {
    const ep_fields *fields = &m->c->fields;
    ep_bytes type;
    TRY(ep_canon_text(m->c, ep_field_bits(fields, device, EP_F_Device_type), &type));
    m->h = add_bytes(m->h, type);
    m->h = add_byte(m->h, ':');
    bool has = ep_field_present(fields, device, EP_F_Device_index);
    int64_t index = (int64_t)ep_field_bits(fields, device, EP_F_Device_index);
    m->h = has ? add_int(m->h, index) : add_byte(m->h, '-');
    return true;
}

/* The mark of a constant, and the letter of its kind. */
static void add_kind(making *m, char kind) {
    m->h = add_byte(add_byte(m->h, '='), kind);
}

static bool put_constant_struct(making *m, const ep_node *node) {
    bool device = node->type == EP_SHAPE_Device - EP_SHAPE_FIRST_TYPE;
    add_kind(m, device ? 'd' : 'c');
    if (device) {
        TRY(add_device(m, node));
    } else { /* ComplexValue: two floats */
        m->h = add_float(m->h, node->slots[0]);
        m->h = add_byte(m->h, ',');
        m->h = add_float(m->h, node->slots[1]);
    }
    m->h = add_byte(m->h, '\0');
    return true;
}

static bool put_scalar(making *m, const ep_shape *shape, uint64_t bits) {
    switch ((ep_op)shape->op) {
    case EP_OP_STR:
    case EP_OP_BYTES:
        add_kind(m, 's');
        return put_string(m, bits);
    case EP_OP_INT:
        add_kind(m, 'i');
        m->h = ep_canon_hash_int(m->h, (int64_t)bits);
        return true;
    case EP_OP_FLOAT:
        add_kind(m, 'f');
        m->h = add_byte(add_float(m->h, bits), '\0');
        return true;
    case EP_OP_BOOL:
        add_kind(m, 'b');
        put(m, bits != 0 ? EP_TEXT("true") : EP_TEXT("false"));
        return true;
    case EP_OP_UNIT:
    case EP_OP_NONE_BOOL:
        add_kind(m, 'n');
        put(m, EP_TEXT(""));
        return true;
    case EP_OP_ENUM:
        add_kind(m, 'e');
        put(m, enumerator_of(shape, bits));
        return true;
    case EP_OP_OPEN_END:
    case EP_OP_STRUCT:
    case EP_OP_UNION:
    case EP_OP_LIST:
    case EP_OP_DICT:
    case EP_OP_TUPLE:
    default:
        EP_UNREACHABLE(); /* containers are taken apart before, and no argument is a range */
        return ep_canon_fail(m->c, EP_INTERNAL);
    }
}

/* ------------------------------------------------------------------------- uses */

/* Values that nodes without a rank define are numbered in the order in which the node
 * uses them. */
static uint32_t number_of(making *m, ep_canon_value *value) {
    if (value->face.seen_by != m->node + 1) {
        value->face.seen_by = m->node + 1;
        value->face.seen_as = m->unranked++;
    }
    return value->face.seen_as;
}

/* Adds the value that a name refers to. */
static bool put_use(making *m, ep_ref name) {
    ep_canon_graph *graph = m->graph;
    ep_bytes text;
    TRY(ep_canon_text(m->c, name, &text));
    ep_canon_value *value = &graph->values[ep_map_find(&graph->names, text)];
    if (value->constant) {
        put_marked(m, 'c', text);
    } else if (value->definer == EP_CANON_NONE) {
        uint32_t place =
            graph->input_places == NULL ? value->place : graph->input_places[value->place];
        put_count(m, 'i', place);
    } else {
        uint32_t rank = graph->nodes[value->definer].rank;
        m->h = add_byte(m->h, rank == EP_CANON_NONE ? 'r' : 'n');
        m->h = add_int(m->h, rank == EP_CANON_NONE ? number_of(m, value) : rank);
        put_count(m, '.', value->place);
    }
    return true;
}

/* A custom object is a value, or else a constant beside the program with its name and
 * class. */
static bool put_object(making *m, const ep_node *object) {
    const ep_fields *fields = &m->c->fields;
    ep_ref name = ep_field_bits(fields, object, EP_F_CustomObjArgument_name);
    ep_bytes text;
    TRY(ep_canon_text(m->c, name, &text));
    if (ep_map_find(&m->graph->names, text) != EP_MAP_NONE) {
        return put_use(m, name);
    }
    put_marked(m, 'o', text);
    return put_string(m, ep_field_bits(fields, object, EP_F_CustomObjArgument_class_fqn));
}

/* The subgraphs of a node are in the order of the arguments that hold them. */
static void put_graph(making *m) {
    m->h = ep_canon_hash_number(add_byte(m->h, 'g'), m->subgraph->hash);
    m->subgraph = m->subgraph->sibling;
}

/* -------------------------------------------------------------------- arguments */

static bool wait(making *m, const ep_shape *shape, uint64_t bits) {
    if (!parts_push(&m->waiting, (part){shape, bits})) {
        return ep_canon_fail(m->c, EP_MEMORY);
    }
    return true;
}

static bool put_struct(making *m, const ep_node *node) {
    const ep_fields *fields = &m->c->fields;
    switch (node->type + EP_SHAPE_FIRST_TYPE) {
    case EP_SHAPE_TensorArgument:
        return put_use(m, ep_field_bits(fields, node, EP_F_TensorArgument_name));
    case EP_SHAPE_CustomObjArgument:
        return fields->slot[EP_F_CustomObjArgument_name] == EP_NO_MEMBER
                   ? put_scalar(m, &fields->schema->shapes[EP_SHAPE_str],
                                ep_field_bits(fields, node, EP_F_CustomObjArgument_blob))
                   : put_object(m, node);
    case EP_SHAPE_GraphArgument:
        put_graph(m);
        return true;
    default:
        return put_constant_struct(m, node);
    }
}

/* Whether the string under a tag is the name of a value. */
static bool is_name(ep_field tag) {
    return tag == EP_F_SymIntArgument_as_name || tag == EP_F_SymFloatArgument_as_name ||
           tag == EP_F_SymBoolArgument_as_name || tag == EP_F_OptionalTensorArgument_as_tensor;
}

static bool put_union(making *m, const ep_node *node) {
    const ep_member *member = &m->c->fields.schema->types[node->type]->members[node->tag];
    if (member->shape->op == EP_OP_STR && is_name(ep_tag(&m->c->fields, node))) {
        return put_use(m, node->slots[0]);
    }
    return wait(m, member->shape, node->slots[0]);
}

/* Pushes the items in reverse, so that the first is taken first. */
static bool put_list(making *m, const ep_shape *shape, uint64_t list) {
    size_t count = ep_list_count(list);
    size_t keys = shape->op == EP_OP_DICT ? count : 0;
    put_count(m, keys > 0 || shape->op == EP_OP_DICT ? '{' : '[', count);
    for (size_t i = count; i-- > 0;) {
        TRY(wait(m, shape->of, ep_list_at(list)->items[keys + i]));
        TRY(keys == 0 || wait(m, NULL, ep_list_at(list)->items[i]));
    }
    return true;
}

static bool put_value(making *m, const ep_shape *shape, uint64_t bits) {
    if (shape == NULL) {
        return put_string(m, bits);
    }
    switch ((int)shape->op) {
    case EP_OP_STRUCT:
        return put_struct(m, ep_node_at(bits));
    case EP_OP_UNION:
        return put_union(m, ep_node_at(bits));
    case EP_OP_LIST:
    case EP_OP_DICT:
        return put_list(m, shape, bits);
    default:
        return put_scalar(m, shape, bits);
    }
}

static bool put_argument(making *m, const ep_node *argument) {
    TRY(put_union(m, argument));
    while (m->waiting.count > 0) {
        part next = parts_pop(&m->waiting);
        TRY(put_value(m, next.shape, next.bits));
    }
    return true;
}

/* ------------------------------------------------------------------ definitions */

/* A SymInt, SymFloat or SymBool. */
static bool put_symbolic(making *m, const ep_node *node) {
    const ep_member *member = &m->c->fields.schema->types[node->type]->members[node->tag];
    ep_ref expression = ep_canon_expression_in(m->c, node);
    uint64_t bits = node->slots[0];
    ep_bytes text = bits != 0 ? EP_TEXT("true") : EP_TEXT("false");
    if (expression != 0) {
        TRY(ep_canon_colored(m->c, expression, &text));
        put(m, text);
    } else if (member->shape->op == EP_OP_INT) {
        m->h = ep_canon_hash_int(m->h, (int64_t)bits);
    } else if (member->shape->op == EP_OP_FLOAT) {
        m->h = add_byte(add_float(m->h, bits), '\0');
    } else if (member->shape->op == EP_OP_BOOL) {
        put(m, text);
    }
    return true;
}

static bool put_dims(making *m, uint64_t dims) {
    m->h = ep_canon_hash_int(m->h, (int64_t)ep_list_count(dims));
    for (size_t i = 0; i < ep_list_count(dims); i++) {
        TRY(put_symbolic(m, ep_item_node(dims, i)));
    }
    return true;
}

static void put_enumerator(making *m, ep_field field, const ep_node *meta) {
    const ep_fields *fields = &m->c->fields;
    const ep_shape *shape = fields->schema->types[meta->type]->members[fields->slot[field]].shape;
    put(m, enumerator_of(shape, ep_field_bits(fields, meta, field)));
}

static bool put_tensor(making *m, const ep_node *entry) {
    const ep_fields *fields = &m->c->fields;
    ep_canon_tensor tensor = ep_canon_tensor_of(fields, entry);
    const ep_node *meta = tensor.meta;
    const ep_node *device = ep_field_node(fields, meta, EP_F_TensorMeta_device);
    put_enumerator(m, EP_F_TensorMeta_dtype, meta);
    put_enumerator(m, EP_F_TensorMeta_layout, meta);
    bool grad = ep_field_bits(fields, meta, EP_F_TensorMeta_requires_grad) != 0;
    put(m, grad ? EP_TEXT("1") : EP_TEXT("0"));
    TRY(add_device(m, device));
    m->h = add_byte(m->h, '\0');
    TRY(put_dims(m, tensor.dims[0]) && put_dims(m, tensor.dims[1]));
    if (tensor.offset == NULL) {
        m->h = ep_canon_hash_int(m->h, tensor.offset_int);
        return true;
    }
    return put_symbolic(m, tensor.offset);
}

static bool put_entry(making *m, const ep_canon_value *value) {
    const ep_node *entry = ep_node_at(value->entry);
    if (entry == NULL) {
        return true;
    }
    switch ((ep_holds)value->holds) {
    case EP_HOLDS_TENSOR:
        return put_tensor(m, entry);
    case EP_HOLDS_SYM_INT:
    case EP_HOLDS_SYM_FLOAT:
    case EP_HOLDS_SYM_BOOL:
        return put_symbolic(m, entry);
    case EP_HOLDS_CUSTOM_OBJ:
        return put_string(m, ep_field_bits(&m->c->fields, entry, EP_F_CustomObjArgument_class_fqn));
    case EP_HOLDS_NOTHING:
    case EP_HOLDS_GRAPH:
    default:
        EP_UNREACHABLE(); /* neither is a value */
        return ep_canon_fail(m->c, EP_INTERNAL);
    }
}

/* ------------------------------------------------------------------------ nodes */

/* A higher-order operator has several paths, depending on the version: only the last
 * name counts. */
static bool put_target(making *m, const ep_node *node) {
    ep_bytes text;
    ep_target target;
    TRY(ep_canon_target(m->c, node, &text, &target));
    put(m, target.kind == EP_TARGET_HIGHER_ORDER ? target.name : text);
    return true;
}

static bool put_inputs(making *m, const ep_node *node) {
    const ep_fields *fields = &m->c->fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *named = ep_item_node(inputs, i);
        m->h = add_byte(m->h, '(');
        TRY(put_string(m, ep_field_bits(fields, named, EP_F_NamedArgument_name)));
        TRY(put_argument(m, ep_field_node(fields, named, EP_F_NamedArgument_arg)));
    }
    return true;
}

static bool put_node(making *m, const ep_canon_node *node) {
    const ep_canon_graph *graph = m->graph;
    TRY(put_target(m, node->node) && put_inputs(m, node->node));
    put(m, EP_TEXT(")"));
    for (uint32_t i = 0; i < node->value_count; i++) {
        TRY(put_entry(m, &graph->values[node->first_value + i]));
    }
    put(m, EP_TEXT("@"));
    m->h = ep_canon_hash_int(m->h, node->mode_epoch);
    for (uint32_t i = 0; i < node->use_count; i++) {
        const ep_canon_use *use = &graph->uses[node->first_use + i];
        if (graph->values[use->value].holds == EP_HOLDS_TENSOR) {
            m->h = ep_canon_hash_int(m->h, use->epoch);
        }
    }
    return true;
}

bool ep_canon_face(ep_canonizer *c, ep_canon_graph *graph, uint32_t node, uint64_t *face) {
    making m = {.c = c,
                .graph = graph,
                .h = EP_CANON_HASH,
                .node = node,
                .subgraph = graph->nodes[node].subgraph};
    parts_init(&m.waiting, c->arena);
    bool ok = put_node(&m, &graph->nodes[node]);
    parts_free(&m.waiting);
    *face = m.h;
    return ok;
}

static bool put_outputs(making *m) {
    uint64_t outputs = ep_field_bits(&m->c->fields, m->graph->graph, EP_F_Graph_outputs);
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        TRY(put_argument(m, ep_item_node(outputs, i)));
    }
    return true;
}

static bool put_faces(making *m) {
    const ep_canon_graph *graph = m->graph;
    for (size_t i = 0; i < graph->node_count; i++) {
        uint64_t face;
        TRY(ep_canon_face(m->c, m->graph, graph->order[i], &face));
        m->h = ep_canon_hash_number(m->h, face);
    }
    return true;
}

/* The inputs are the first values of a graph. */
static bool put_graph_inputs(making *m) {
    const ep_canon_graph *graph = m->graph;
    for (size_t i = 0; i < graph->value_count; i++) {
        if (graph->values[i].definer != EP_CANON_NONE) {
            break;
        }
        TRY(put_entry(m, &graph->values[i]));
    }
    return true;
}

bool ep_canon_hash_graph(ep_canonizer *c, ep_canon_graph *graph) {
    making m = {.c = c, .graph = graph, .h = EP_CANON_HASH};
    parts_init(&m.waiting, c->arena);
    bool ok = put_graph_inputs(&m) && put_faces(&m) && put_outputs(&m);
    parts_free(&m.waiting);
    graph->hash = m.h;
    return ok;
}
