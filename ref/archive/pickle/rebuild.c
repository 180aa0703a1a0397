/*
 * rebuild.c - what the functions make that torch.save names in a pickle, known by their
 * names and arguments: tensors, their storages, and what these are made of. Of a function that
 * is known, other arguments than it takes are a fault; one that is not makes an object, of
 * which the name and the arguments are kept. SPEC 8.5.2
 */
#include "common/buffer.h"
#include "unpickle_parts.h"

enum { ARGUMENTS_MAX = 8 };

/* The arguments of a call, as far as they are looked at. */
typedef struct call {
    unpickler *m;
    uint32_t function;
    uint32_t tuple;
    uint32_t items[ARGUMENTS_MAX];
    size_t count;
} call;

typedef bool make(const call *c);

static const pickled_value *value_of(const call *c, size_t i) {
    return &c->m->u->values[c->items[i]];
}

static bool refuse_arguments(const call *c) {
    return unpickler_refuse(c->m, "a function of torch has arguments that it does not take");
}

/* ----------------------------------------------------------------------------- readers */

static bool read_arguments(call *c, uint32_t tuple) {
    const pickled_value *value = &c->m->u->values[tuple];
    uint32_t at = value->is.items.first;
    if (value->kind != PICKLED_TUPLE) {
        return unpickler_malformed(c->m);
    }
    c->tuple = tuple;
    c->count = value->is.items.count;
    for (size_t i = 0; i < c->count && i < ARGUMENTS_MAX; i++) {
        c->items[i] = unpickled_next(c->m->u, &at);
    }
    return true;
}

static bool is_kind(const call *c, size_t i, pickled_kind kind) {
    return i < c->count && value_of(c, i)->kind == kind;
}

/* A tuple, or a torch.Size, of numbers that are not negative. */
static bool are_numbers(const call *c, uint32_t tuple) {
    const unpickled *u = c->m->u;
    const pickled_value *value = &u->values[tuple];
    if ((value->kind != PICKLED_TUPLE && value->kind != PICKLED_SIZE) ||
        value->is.items.count > PICKLED_RANK_MAX) {
        return false;
    }
    uint32_t at = value->is.items.first;
    for (uint32_t i = 0; i < value->is.items.count; i++) {
        const pickled_value *number = &u->values[unpickled_next(u, &at)];
        TRY(number->kind == PICKLED_INT && number->is.integer >= 0);
    }
    return true;
}

/* Sizes, strides and requires_grad, which stand one behind the other. */
static bool read_shape(const call *c, size_t from, pickled_tensor *t) {
    const unpickled *u = c->m->u;
    t->sizes = c->items[from];
    t->strides = c->items[from + 1];
    TRY(are_numbers(c, t->sizes) && are_numbers(c, t->strides) &&
        u->values[t->sizes].is.items.count == u->values[t->strides].is.items.count &&
        is_kind(c, from + 2, PICKLED_BOOL));
    t->requires_grad = value_of(c, from + 2)->is.truth;
    return true;
}

static const dtype_row *read_dtype(const call *c, size_t i) {
    const pickled_value *value = value_of(c, i);
    return value->kind == PICKLED_DTYPE
               ? dtype_of_torch(unpickled_text(c->m->u, value->is.global.name))
               : NULL;
}

/* That of a wrapper can be one that no tensor with elements has: torch.int4. */
static bool is_dtype(const call *c, size_t i) {
    ep_bytes module;
    ep_bytes name;
    return unpickled_name(c->m->u, c->items[i], &module, &name) && bytes_equal(module, "torch") &&
           value_of(c, i)->kind != PICKLED_OBJECT;
}

/* {'conj': True, 'neg': True} */
static bool read_metadata(const call *c, size_t i, pickled_tensor *t) {
    const unpickled *u = c->m->u;
    if (i >= c->count || value_of(c, i)->kind == PICKLED_NONE) {
        return true;
    }
    TRY(value_of(c, i)->kind == PICKLED_DICT);
    uint32_t at = value_of(c, i)->is.items.first;
    for (uint32_t j = 0; j < value_of(c, i)->is.items.count; j += 2) {
        ep_bytes key = unpickled_text(u, unpickled_next(u, &at));
        const pickled_value *value = &u->values[unpickled_next(u, &at)];
        bool *place = bytes_equal(key, "conj")  ? &t->conjugate
                      : bytes_equal(key, "neg") ? &t->negative
                                                : NULL;
        TRY(place != NULL && value->kind == PICKLED_BOOL);
        *place = value->is.truth;
    }
    return true;
}

/* ----------------------------------------------------------------------------- tensors */

static bool push_tensor(const call *c, pickled_tensor tensor) {
    unpickled *u = c->m->u;
    tensor.state = PICKLED_NOTHING;
    tensor.hooks = PICKLED_NOTHING;
    TRY(unpickler_reserve(c->m, &u->tensors, &c->m->tensor_room, u->tensor_count, sizeof tensor));
    u->tensors[u->tensor_count] = tensor;
    return unpickler_push(
        c->m, (pickled_value){.kind = PICKLED_TENSOR, .is.position = (uint32_t)u->tensor_count++});
}

/* The hooks of the tensor that was made last, where there are any. */
static bool set_hooks(const call *c, size_t i) {
    const pickled_value *value = value_of(c, i);
    bool none =
        value->kind == PICKLED_NONE || (value->kind == PICKLED_DICT && value->is.items.count == 0 &&
                                        value->is.items.attributes == 0);
    c->m->u->tensors[c->m->u->tensor_count - 1].hooks = none ? PICKLED_NOTHING : c->items[i];
    return true;
}

/* The storage, the offset, sizes, strides, requires_grad; hooks are the sixth. */
static bool read_strided(const call *c, pickled_tensor *t) {
    TRY(is_kind(c, 0, PICKLED_STORAGE) && is_kind(c, 1, PICKLED_INT) &&
        value_of(c, 1)->is.integer >= 0 && read_shape(c, 2, t));
    t->form = PICKLED_STRIDED;
    t->storage = value_of(c, 0)->is.position;
    t->offset = (uint64_t)value_of(c, 1)->is.integer;
    return true;
}

static bool make_tensor_v2(const call *c) {
    pickled_tensor t = {0};
    if ((c->count != 6 && c->count != 7) || !read_strided(c, &t) || !read_metadata(c, 6, &t)) {
        return refuse_arguments(c);
    }
    t.dtype = c->m->u->storages[t.storage].dtype;
    return t.dtype != NULL ? push_tensor(c, t) && set_hooks(c, 5) : refuse_arguments(c);
}

/* Of an untyped storage, and with a dtype. */
static bool make_tensor_v3(const call *c) {
    pickled_tensor t = {0};
    if ((c->count != 7 && c->count != 8) || !read_strided(c, &t) || !read_metadata(c, 7, &t)) {
        return refuse_arguments(c);
    }
    t.dtype = read_dtype(c, 6);
    return t.dtype != NULL ? push_tensor(c, t) && set_hooks(c, 5) : refuse_arguments(c);
}

static bool make_meta_tensor(const call *c) {
    pickled_tensor t = {.form = PICKLED_META};
    if (c->count != 4 || !read_shape(c, 1, &t)) {
        return refuse_arguments(c);
    }
    t.dtype = read_dtype(c, 0);
    return t.dtype != NULL ? push_tensor(c, t) : refuse_arguments(c);
}

/* A layout, and a tuple of tensors, sizes and whether it is coalesced. */
static bool make_sparse_tensor(const call *c) {
    if (c->count != 2 || !is_kind(c, 0, PICKLED_LAYOUT) || !is_kind(c, 1, PICKLED_TUPLE)) {
        return refuse_arguments(c);
    }
    return push_tensor(
        c, (pickled_tensor){.form = PICKLED_SPARSE, .layout = c->items[0], .parts = c->items[1]});
}

/* The attributes of the tensor that was made last. */
static void set_state(const call *c, uint32_t state) {
    if (c->m->u->values[state].kind != PICKLED_NONE) {
        c->m->u->tensors[c->m->u->tensor_count - 1].state = state;
    }
}

/* A tensor, requires_grad, hooks; with state as a fourth. */
static bool make_parameter(const call *c) {
    if (c->count < 3 || c->count > 4 || !is_kind(c, 1, PICKLED_BOOL)) {
        return refuse_arguments(c);
    }
    if (!is_kind(c, 0, PICKLED_TENSOR)) { /* of a class of its own */
        return unpickler_refuse(c->m, "a parameter is made of what is no tensor");
    }
    pickled_tensor t = c->m->u->tensors[value_of(c, 0)->is.position];
    t.is_parameter = true;
    t.requires_grad = value_of(c, 1)->is.truth;
    if (!push_tensor(c, t) || !set_hooks(c, 2)) {
        return false;
    }
    if (c->count == 4) {
        set_state(c, c->items[3]);
    }
    return true;
}

/* The class, a dtype, sizes, strides, the offset, a layout, a device, requires_grad. */
static bool make_wrapper(const call *c) {
    enum { COUNT = 8 };
    pickled_tensor t = {.form = PICKLED_WRAPPER};
    bool ok = c->count == COUNT && is_kind(c, 0, PICKLED_GLOBAL) && is_dtype(c, 1) &&
              are_numbers(c, c->items[2]) && are_numbers(c, c->items[3]) &&
              is_kind(c, 4, PICKLED_INT) && is_kind(c, 5, PICKLED_LAYOUT) &&
              is_kind(c, COUNT - 1, PICKLED_BOOL);
    if (!ok) {
        return refuse_arguments(c);
    }
    t.dtype = read_dtype(c, 1);
    t.sizes = c->items[2];
    t.strides = c->items[3];
    t.requires_grad = value_of(c, COUNT - 1)->is.truth;
    return push_tensor(c, t);
}

/* ------------------------------------------------------------------------ plain values */

static bool make_object(const call *c) {
    pickled_items items = {0};
    TRY(unpickler_append(c->m, &items, c->function) && unpickler_append(c->m, &items, c->tuple));
    c->m->u->links[items.first].use = PICKLED_CALLED;
    return unpickler_push(c->m, (pickled_value){.kind = PICKLED_OBJECT, .is.items = items});
}

static bool make_ordered_dict(const call *c) {
    return c->count == 0
               ? unpickler_push(c->m, (pickled_value){.kind = PICKLED_DICT, .variant = true})
               : make_object(c);
}

static bool make_size(const call *c) {
    if (c->count != 1 || !is_kind(c, 0, PICKLED_TUPLE) || !are_numbers(c, c->items[0])) {
        return refuse_arguments(c);
    }
    return unpickler_push(
        c->m, (pickled_value){.kind = PICKLED_SIZE, .is.items = value_of(c, 0)->is.items});
}

static bool make_layout(const call *c) {
    if (c->count != 1 || !is_kind(c, 0, PICKLED_TEXT)) {
        return refuse_arguments(c);
    }
    return unpickler_push(
        c->m, (pickled_value){.kind = PICKLED_LAYOUT, .is.text = value_of(c, 0)->is.text});
}

/* --------------------------------------------------------------------------- functions */

static make make_of_type;

typedef struct function_row {
    const char *module;
    const char *name;
    make *make;
} function_row;

static const function_row functions[] = {
    {"torch._utils", "_rebuild_tensor_v2", make_tensor_v2},
    {"torch._utils", "_rebuild_tensor_v3", make_tensor_v3},
    {"torch._utils", "_rebuild_parameter", make_parameter},
    {"torch._utils", "_rebuild_parameter_with_state", make_parameter},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", make_meta_tensor},
    {"torch._utils", "_rebuild_sparse_tensor", make_sparse_tensor},
    {"torch._tensor", "_rebuild_from_type_v2", make_of_type},
    {"torch", "Size", make_size},
    {"torch.serialization", "_get_layout", make_layout},
    {"collections", "OrderedDict", make_ordered_dict},
};

static make *make_of(const call *c) {
    ep_bytes module;
    ep_bytes name;
    if (c->m->u->values[c->function].kind != PICKLED_GLOBAL ||
        !unpickled_name(c->m->u, c->function, &module, &name)) {
        return make_object;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (bytes_equal(name, functions[i].name) && bytes_equal(module, functions[i].module)) {
            return functions[i].make;
        }
    }
    return make_object;
}

static bool is_named(const call *c, size_t i, const char *module, const char *name) {
    ep_bytes said;
    ep_bytes in;
    return is_kind(c, i, PICKLED_GLOBAL) && unpickled_name(c->m->u, c->items[i], &in, &said) &&
           bytes_equal(in, module) && bytes_equal(said, name);
}

/* The function of a class: torch._utils._rebuild_*. SPEC 8.5.4 */
static bool is_inner(const call *c) {
    ep_bytes module;
    ep_bytes name;
    return is_kind(c, 0, PICKLED_GLOBAL) && unpickled_name(c->m->u, c->items[0], &module, &name) &&
           bytes_equal(module, "torch._utils") && bytes_start(name, "_rebuild_");
}

/* A tensor of a class, whose function made what is on top of the stack. */
static bool make_subclass(const call *c) {
    pickled_items items = {0};
    uint32_t base = c->m->stack.items[--c->m->stack.count];
    return unpickler_append(c->m, &items, c->items[1]) &&
           unpickler_append(c->m, &items, c->tuple) && unpickler_append(c->m, &items, base) &&
           unpickler_push(
               c->m, (pickled_value){.kind = PICKLED_OBJECT, .variant = true, .is.items = items});
}

/* A function, a class, arguments, attributes: of torch's own two classes the tensor that the
 * function makes, of others an object. SPEC 8.5.4 */
static bool make_of_type(const call *c) {
    call inner = {.m = c->m};
    if (c->count != 4 || !is_inner(c) || !is_kind(c, 1, PICKLED_GLOBAL) ||
        !is_kind(c, 2, PICKLED_TUPLE)) {
        return refuse_arguments(c);
    }
    bool plain =
        is_named(c, 1, "torch", "Tensor") || is_named(c, 1, "torch.nn.parameter", "Parameter");
    bool wrapper = is_named(c, 0, "torch._utils", "_rebuild_wrapper_subclass");
    inner.function = c->items[0];
    make *made = wrapper ? make_wrapper : make_of(&inner);
    if (made == make_object) { /* it makes a tensor of which no more is known */
        return unpickler_push(c->m, (pickled_value){.kind = PICKLED_NONE}) && make_subclass(c);
    }
    if (!read_arguments(&inner, c->items[2]) || !made(&inner)) {
        return false;
    }
    if (plain && !wrapper) {
        set_state(c, c->items[3]);
        return true;
    }
    return make_subclass(c);
}

bool unpickler_call(unpickler *m, uint32_t function, uint32_t arguments) {
    call c = {.m = m, .function = function};
    if (!unpickled_is_callable(m->u, function)) {
        return unpickler_refuse_call(m);
    }
    return read_arguments(&c, arguments) && make_of(&c)(&c);
}

/* ---------------------------------------------------------------------------- storages */

/* The dtype of torch.FloatStorage; false for what is no class of storages. */
static bool read_class(const call *c, const dtype_row **dtype) {
    ep_bytes module;
    ep_bytes name;
    TRY(is_kind(c, 1, PICKLED_GLOBAL) && unpickled_name(c->m->u, c->items[1], &module, &name));
    *dtype = bytes_equal(module, "torch") ? dtype_of_storage(name) : NULL;
    return *dtype != NULL ||
           (bytes_equal(module, "torch.storage") && bytes_equal(name, "UntypedStorage"));
}

bool unpickler_load(unpickler *m, uint32_t id) {
    call c = {.m = m};
    pickled_storage s = {.count = 0};
    unpickled *u = m->u;
    bool ok = u->values[id].kind == PICKLED_TUPLE && read_arguments(&c, id) && c.count == 5 &&
              is_kind(&c, 0, PICKLED_TEXT) && bytes_equal(value_of(&c, 0)->is.text, "storage") &&
              read_class(&c, &s.dtype) && is_kind(&c, 2, PICKLED_TEXT) &&
              is_kind(&c, 3, PICKLED_TEXT) && is_kind(&c, 4, PICKLED_INT) &&
              value_of(&c, 4)->is.integer >= 0;
    if (!ok) {
        return unpickler_refuse(m, "it has a persistent id that is no storage's");
    }
    s.key = value_of(&c, 2)->is.text;
    s.location = value_of(&c, 3)->is.text;
    s.count = (uint64_t)value_of(&c, 4)->is.integer;
    TRY(unpickler_reserve(m, &u->storages, &m->storage_room, u->storage_count, sizeof s));
    u->storages[u->storage_count] = s;
    return unpickler_push(
        m, (pickled_value){.kind = PICKLED_STORAGE, .is.position = (uint32_t)u->storage_count++});
}
