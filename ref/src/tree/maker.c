/*
 * tree/maker.c - see maker.h.
 */
#include "tree/maker.h"

#include "base/utf8.h"
#include "json/writer.h"

/* ------------------------------------------------------------ growing bytes */

void ep_growing_init(ep_growing *growing, ep_arena *arena) {
    *growing = (ep_growing){.arena = arena};
}

void ep_growing_free(ep_growing *growing) {
    if (growing->data != NULL) {
        ep_arena_give(growing->arena, growing->data, growing->capacity);
    }
    ep_growing_init(growing, growing->arena);
}

/* Room for size bytes more. */
static bool grow(ep_growing *growing, size_t size) {
    if (EP_LIKELY(size <= growing->capacity - growing->size)) {
        return true;
    }
    size_t least;
    TRY(ep_size_of(growing->size, 1, size, &least)); /* LCOV_EXCL_BR_LINE 64 bits hold the size */
    /* LCOV_EXCL_START 64 bits hold the size */
    size_t capacity = least > SIZE_MAX / 2 ? least : least + least / EP_GROWTH;
    /* LCOV_EXCL_STOP */
    if (capacity < EP_FIRST_BYTES) {
        capacity = EP_FIRST_BYTES;
    }
    char *data = ep_arena_take(growing->arena, capacity);
    TRY(data != NULL);
    if (growing->data != NULL) {
        memcpy(data, growing->data, growing->size);
        ep_arena_give(growing->arena, growing->data, growing->capacity);
    }
    growing->data = data;
    growing->capacity = capacity;
    return true;
}

bool ep_growing_put(ep_growing *growing, ep_bytes bytes) {
    if (bytes.size == 0) {
        return true;
    }
    TRY(grow(growing, bytes.size));
    memcpy(growing->data + growing->size, bytes.data, bytes.size);
    growing->size += bytes.size;
    return true;
}

bool ep_growing_keep(const ep_growing *growing, ep_arena *arena, ep_bytes *kept) {
    char *copy = ep_arena_alloc(arena, growing->size);
    *kept = (ep_bytes){copy, copy == NULL ? 0 : growing->size};
    if (kept->size > 0) {
        memcpy(copy, growing->data, kept->size);
    }
    return copy != NULL;
}

static bool put_scalar(ep_growing *growing, uint32_t scalar, ep_code *code) {
    enum { LONGEST = 12 };
    if (!grow(growing, LONGEST)) {
        *code = EP_MEMORY;
        return false;
    }
    growing->size += ep_writer_scalar(growing->data + growing->size, scalar);
    return true;
}

bool ep_growing_put_escaped(ep_growing *growing, ep_bytes text, ep_code *code) {
    const char *p = text.data;
    size_t size;
    for (size_t left = text.size; left > 0; left -= size, p += size) {
        uint32_t scalar;
        size = ep_utf8_read(p, p + left, &scalar);
        if (size == 0) {
            *code = EP_ARGUMENT;
            return false;
        }
        TRY(put_scalar(growing, scalar, code));
    }
    return true;
}

/* -------------------------------------------------------------------- maker */

bool ep_maker_open(ep_maker *maker, ep_arena *arena, const ep_schema *schema) {
    *maker = (ep_maker){.arena = arena};
    ep_fields_open(&maker->fields, schema);
    ep_growing_init(&maker->text, arena);
    ep_map_init(&maker->known, arena);
    ep_stack_init(&maker->refs, arena);
    return ep_growing_put(&maker->text, EP_TEXT("\"")); /* no string begins at byte 0 */
}

bool ep_maker_open_on(ep_maker *maker, ep_arena *arena, const ep_schema *schema, ep_bytes input) {
    TRY(ep_maker_open(maker, arena, schema));
    maker->text.size = 0;
    return ep_growing_put(&maker->text, input) && ep_growing_put(&maker->text, EP_TEXT("\""));
}

void ep_maker_free(ep_maker *maker) {
    ep_stack_free(&maker->refs);
    ep_map_free(&maker->known);
    ep_growing_free(&maker->text);
}

bool ep_maker_fail(ep_maker *maker, ep_code code) {
    if (maker->code == EP_OK) {
        maker->code = code;
    }
    return false;
}

/* -------------------------------------------------------------------- texts */

/* Whether a text between quotes holds an escape. */
static bool has_escape(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\\') {
            return true;
        }
    }
    return false;
}

/* The place of what was appended from an offset on. */
static bool refer(ep_maker *maker, size_t offset, ep_ref *ref) {
    const ep_growing *all = &maker->text;
    size_t size = all->size - offset;
    /* LCOV_EXCL_START takes a text of 512 MB */
    if (size > EP_REF_SIZE_MAX || all->size > EP_REF_OFFSET_MAX) {
        return ep_maker_fail(maker, size > EP_REF_SIZE_MAX ? EP_LIMIT_STRING : EP_LIMIT_BYTES);
    }
    /* LCOV_EXCL_STOP */
    bool escaped = has_escape(all->data + offset, size);
    *ref = ep_ref_make(offset, size, escaped ? EP_REF_ESCAPED : 0);
    return true;
}

/* Appends a text that is not interned yet, and returns its place. */
static bool write_text(ep_maker *maker, ep_bytes text, ep_ref *ref) {
    size_t offset = maker->text.size;
    ep_code code = EP_OK;
    if (!ep_growing_put_escaped(&maker->text, text, &code)) {
        return ep_maker_fail(maker, code);
    }
    return refer(maker, offset, ref);
}

bool ep_maker_name(ep_maker *maker, ep_bytes name, uint64_t *bits) {
    size_t offset = maker->text.size;
    if (!ep_growing_put(&maker->text, name)) {
        return ep_maker_fail(maker, EP_MEMORY);
    }
    return refer(maker, offset, bits);
}

/* The text in memory of its own, for the map. */
static bool copy_text(ep_maker *maker, ep_bytes text, ep_bytes *copy) {
    char *data = ep_arena_alloc(maker->arena, text.size);
    if (data == NULL) {
        return ep_maker_fail(maker, EP_MEMORY);
    }
    if (text.size > 0) {
        memcpy(data, text.data, text.size);
    }
    *copy = (ep_bytes){data, text.size};
    return true;
}

bool ep_maker_text(ep_maker *maker, ep_bytes text, uint64_t *bits) {
    uint32_t number = ep_map_find(&maker->known, text);
    bool fresh = false;
    ep_bytes copy;
    ep_ref ref;
    if (number != EP_MAP_NONE) {
        *bits = maker->refs.words[number];
        return true;
    }
    TRY(write_text(maker, text, &ref) && copy_text(maker, text, &copy));
    if (!ep_map_put(&maker->known, copy, &number, &fresh) || !ep_stack_push(&maker->refs, ref)) {
        return ep_maker_fail(maker, EP_MEMORY);
    }
    *bits = ref;
    return true;
}

/* -------------------------------------------------------------------- nodes */

static ep_node *make_node(ep_maker *maker, const ep_type *type, size_t slots) {
    size_t size = sizeof(ep_node) + slots * sizeof(uint64_t);
    ep_node *node = ep_arena_alloc(maker->arena, size);
    if (node == NULL) {
        ep_maker_fail(maker, EP_MEMORY);
        return NULL;
    }
    memset(node, 0, size);
    node->type = type->number;
    return node;
}

const ep_shape *ep_maker_shape(const ep_maker *maker, ep_shape_number type, ep_field field) {
    return ep_maker_type(maker, type)->members[maker->fields.slot[field]].shape;
}

ep_node *ep_maker_struct(ep_maker *maker, ep_shape_number type) {
    const ep_type *made = ep_maker_type(maker, type);
    if (made == NULL) {
        ep_maker_fail(maker, EP_ARGUMENT);
        return NULL;
    }
    return make_node(maker, made, made->count);
}

void ep_maker_set(const ep_maker *maker, ep_node *node, ep_field field, uint64_t bits) {
    uint8_t slot = maker->fields.slot[field];
    if (slot != EP_NO_MEMBER) {
        node->slots[slot] = bits;
        node->present = (uint16_t)(node->present | 1u << slot);
    }
}

ep_node *ep_maker_union(ep_maker *maker, ep_shape_number type, ep_field tag, uint64_t bits) {
    if (!ep_maker_has(maker, tag)) {
        ep_maker_fail(maker, EP_ARGUMENT);
        return NULL;
    }
    ep_node *node = make_node(maker, ep_maker_type(maker, type), 1);
    if (node != NULL) {
        node->tag = maker->fields.slot[tag];
        node->slots[0] = bits;
    }
    return node;
}

bool ep_maker_enum(ep_maker *maker, ep_shape_number type, ep_bytes name, uint64_t *bits) {
    const ep_type *made = ep_maker_type(maker, type);
    uint8_t member = made == NULL ? EP_NO_MEMBER : ep_type_find(made, name.data, name.size);
    if (member == EP_NO_MEMBER) {
        return ep_maker_fail(maker, EP_ARGUMENT);
    }
    *bits = (uint64_t)(int64_t)made->members[member].row->id;
    return true;
}

/* -------------------------------------------------------------------- lists */

/* A list of count items in so many words. */
static bool make_list(ep_maker *maker, size_t count, size_t words, ep_list **list) {
    *list = ep_list_make(maker->arena, count, words);
    return *list != NULL || ep_maker_fail(maker, EP_MEMORY);
}

bool ep_maker_list(ep_maker *maker, const uint64_t *items, size_t count, uint64_t *bits) {
    ep_list *list;
    *bits = 0;
    if (count == 0) {
        return true;
    }
    TRY(make_list(maker, count, count, &list));
    memcpy(list->items, items, count * sizeof *items);
    *bits = ep_pointer_bits(list);
    return true;
}

bool ep_maker_dict(ep_maker *maker, const ep_stack *keys, const ep_stack *values, uint64_t *bits) {
    size_t count = keys->count;
    ep_list *list;
    *bits = 0;
    if (count == 0) {
        return true;
    }
    TRY(make_list(maker, count, count * 2, &list));
    memcpy(list->items, keys->words, count * sizeof(uint64_t));
    memcpy(list->items + count, values->words, count * sizeof(uint64_t));
    *bits = ep_pointer_bits(list);
    return true;
}

ep_program ep_maker_program(const ep_maker *maker, const ep_node *root) {
    return (ep_program){
        .schema = maker->fields.schema,
        .input = {maker->text.data, maker->text.size},
        .root = root,
    };
}

/* ----------------------------------------------------------------- encoding */

static bool collect(void *context, const char *data, size_t size) {
    return ep_growing_put(context, (ep_bytes){data, size});
}

bool ep_maker_encode_value(const ep_program *program, const ep_encoded *value, ep_arena *arena,
                           ep_growing *text) {
    return ep_encode_value(program, value, arena, collect, text) == EP_OK;
}

/* A text in a block that becomes the arena's as it is, without being copied again. */
typedef struct output {
    ep_arena *arena;
    ep_block *block;
} output;

/* Another block with room for size bytes in all, which begins as the one before. */
static bool extend(output *o, size_t size) {
    size_t all;
    TRY(size <= SIZE_MAX - 7 && ep_size_of((size + 7) & ~(size_t)7, 1, sizeof(ep_block), &all));
    ep_block *block = ep_arena_take(o->arena, all);
    TRY(block != NULL);
    *block = (ep_block){.size = all, .used = sizeof *block};
    if (o->block != NULL) {
        memcpy(block + 1, o->block + 1, o->block->used - sizeof *block);
        block->used = o->block->used;
        ep_arena_give(o->arena, o->block, o->block->size);
    }
    o->block = block;
    return true;
}

static bool put_out(void *context, const char *data, size_t size) {
    output *o = context;
    if (size > o->block->size - o->block->used) {
        size_t least;
        TRY(ep_size_of(o->block->used, 1, size, &least));
        TRY(extend(o, least > SIZE_MAX / 2 ? least : least + least / EP_GROWTH));
    }
    memcpy((char *)o->block + o->block->used, data, size);
    o->block->used += size;
    return true;
}

/* The text is seldom longer than what its strings come from. */
bool ep_maker_encode(const ep_program *program, ep_arena *arena, ep_bytes *text) {
    output o = {.arena = arena};
    *text = (ep_bytes){NULL, 0};
    TRY(extend(&o, program->input.size));
    bool ok = ep_encode(program, arena, put_out, &o, NULL);
    if (!ok) {
        ep_arena_give(arena, o.block, o.block->size);
        return false;
    }
    *text = (ep_bytes){(char *)(o.block + 1), o.block->used - sizeof *o.block};
    ep_arena_adopt(arena, o.block);
    return true;
}
