/*
 * codec/encode.c - tree to bytes, exactly those that the PyTorch release of the
 * program's version writes. The rows that a program is read by also write it, in their
 * order; the row of the version gives the form of nulls, unions and non-finite floats.
 * No recursion: a stack of frames, as in decode.c. SPEC 3.9.
 */
#include "codec/encoder.h"

#include "json/number.h"

EP_INLINE void put_byte(ep_encoder *e, char byte) {
    *ep_writer_room(&e->writer) = byte;
    e->writer.size++;
}

/* ------------------------------------------------------------------ scalars */

EP_INLINE void put_scalar(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    ep_writer *w = &e->writer;
    switch ((ep_op)shape->op) {
    case EP_OP_STR:
    case EP_OP_BYTES:
        ep_writer_put_text(w, e->input, bits);
        return;
    case EP_OP_INT:
    case EP_OP_ENUM:
    case EP_OP_OPEN_END:
        ep_writer_put_int(w, (int64_t)bits);
        return;
    case EP_OP_FLOAT:
        w->size += ep_encode_float(e->schema->version, bits, ep_writer_room(w));
        return;
    case EP_OP_BOOL:
    case EP_OP_NONE_BOOL:
        if (bits != 0) {
            EP_PUT(w, "true");
        } else {
            EP_PUT(w, "false");
        }
        return;
    case EP_OP_UNIT:
    case EP_OP_STRUCT:
    case EP_OP_UNION:
    case EP_OP_LIST:
    case EP_OP_DICT:
    case EP_OP_TUPLE:
        EP_PUT(w, "[]");
        return;
    }
}

/* ------------------------------------------------------------------- cursors */

static bool grow_cursors(ep_encoder *e) {
    size_t capacity = e->capacity + e->capacity / EP_GROWTH + 1;
    size_t size;
    if (capacity < EP_FIRST_CURSORS) {
        capacity = EP_FIRST_CURSORS;
    }
    /* LCOV_EXCL_START 64 bits hold the size */
    TRY(ep_size_of(capacity, sizeof(ep_cursor), 0, &size));
    /* LCOV_EXCL_STOP */
    ep_cursor *cursors = ep_arena_take(e->arena, size);
    TRY(cursors != NULL);
    if (e->cursors != NULL) {
        memcpy(cursors, e->cursors, e->depth * sizeof(ep_cursor));
        ep_arena_give(e->arena, e->cursors, e->capacity * sizeof(ep_cursor));
    }
    e->cursors = cursors;
    e->capacity = capacity;
    return true;
}

/* A cursor for an array or object, whose opening bracket is written apart. */
static bool open_cursor(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    if (EP_UNLIKELY(e->depth == e->capacity)) {
        TRY(grow_cursors(e));
    }
    ep_cursor *cursor = &e->cursors[e->depth++];
    cursor->shape = shape;
    cursor->type = shape->type;
    cursor->next = 0;
    cursor->comma = false;
    if (shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION) {
        cursor->node = ep_node_at(bits);
        cursor->count = shape->type->count;
    } else {
        cursor->list = ep_list_at(bits);
        cursor->count = ep_list_count(bits);
    }
    return true;
}

static bool begin_value(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    bool array = shape->op == EP_OP_LIST || shape->op == EP_OP_TUPLE;
    put_byte(e, array ? '[' : '{');
    return open_cursor(e, shape, bits);
}

static bool close_cursor(ep_encoder *e, char bracket) {
    put_byte(e, bracket);
    e->depth--;
    return true;
}

static void put_comma(ep_encoder *e, bool *comma) {
    if (*comma) { /* SPEC 3.9.1 */
        char *room = ep_writer_room(&e->writer);
        room[0] = ',';
        room[1] = ' ';
        e->writer.size += 2;
    }
    *comma = true;
}

/* A comma where one is due, and a row's literal, in one piece of room. */
EP_INLINE void put_literal(ep_encoder *e, bool *comma, const ep_row *row) {
    char *room = ep_writer_room(&e->writer);
    size_t at = *comma ? 2 : 0; /* LCOV_EXCL_BR_LINE unions begin with one */
    memcpy(room, ", ", 2);      /* written over when it is not due */
    memcpy(room + at, row->literal, EP_LITERAL_SIZE);
    e->writer.size += at + row->literal_size;
    *comma = true;
}

/* SPEC 3.9.7 */
static bool is_omitted(const ep_encoder *e, const ep_member *member) {
    return e->schema->version->nulls == EP_NULL_OMITTED &&
           member->row->fallback == EP_FALLBACK_NONE;
}

/* A field's literal; and its value too, if it is absent. Whether a value is
 * still to be written. */
EP_INLINE bool begin_field(ep_encoder *e, const ep_node *node, const ep_type *type, size_t i,
                           bool *comma) {
    const ep_member *member = &type->members[i];
    bool present = (node->present >> i & 1) != 0;
    if (!present && is_omitted(e, member)) {
        return false;
    }
    put_literal(e, comma, member->row);
    if (!present) {
        ep_bytes text = ep_encode_absent(member, node->slots[i]);
        ep_writer_put(&e->writer, text.data, text.size);
    }
    return present;
}

/* Writes a list as long as its items need no cursor; one continues where an item does. */
static bool begin_list(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    const ep_list *list = ep_list_at(bits);
    size_t count = ep_list_count(bits);
    bool comma = false;
    put_byte(e, '[');
    for (size_t i = 0; i < count; i++) {
        put_comma(e, &comma);
        if (shape->of->op < EP_OP_STRUCT) {
            put_scalar(e, shape->of, list->items[i]);
        } else if (!ep_fast_put(e, shape->of, list->items[i])) {
            TRY(open_cursor(e, shape, bits));
            e->cursors[e->depth - 1].next = i + 1;
            e->cursors[e->depth - 1].comma = true;
            return begin_value(e, shape->of, list->items[i]);
        }
    }
    put_byte(e, ']');
    return true;
}

/* ------------------------------------------------------------- arrays, objects */

static bool put_value(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    if (shape->op < EP_OP_STRUCT) {
        put_scalar(e, shape, bits);
        return true;
    }
    if (shape->op == EP_OP_LIST) {
        return begin_list(e, shape, bits);
    }
    return ep_fast_put(e, shape, bits) || begin_value(e, shape, bits);
}

/* Writes fields until a value needs a cursor or the struct ends. SPEC 3.9.2 */
static bool put_struct(ep_encoder *e) {
    ep_cursor *cursor = &e->cursors[e->depth - 1];
    size_t depth = e->depth;
    while (cursor->next < cursor->count) {
        size_t i = cursor->next++;
        if (!begin_field(e, cursor->node, cursor->type, i, &cursor->comma)) {
            continue;
        }
        TRY(put_value(e, cursor->type->members[i].shape, cursor->node->slots[i]));
        if (e->depth != depth) {
            return true;
        }
    }
    return close_cursor(e, '}');
}

static bool put_single_key(ep_encoder *e, ep_cursor *cursor) {
    if (cursor->comma) {
        return close_cursor(e, '}');
    }
    const ep_member *member = &cursor->type->members[cursor->node->tag];
    put_literal(e, &cursor->comma, member->row);
    return put_value(e, member->shape, cursor->node->slots[0]);
}

static bool put_type_value(ep_encoder *e, ep_cursor *cursor) {
    if (cursor->comma) {
        return close_cursor(e, '}');
    }
    cursor->comma = true;
    const ep_member *member = &cursor->type->members[cursor->node->tag];
    EP_PUT(&e->writer, "\"$type\": \"");
    ep_writer_put(&e->writer, member->row->name, member->row->name_size);
    EP_PUT(&e->writer, "\", \"$value\": ");
    return put_value(e, member->shape, cursor->node->slots[0]);
}

static bool put_all_fields(ep_encoder *e, ep_cursor *cursor) {
    size_t depth = e->depth;
    while (cursor->next < cursor->count) {
        size_t i = cursor->next++;
        const ep_member *member = &cursor->type->members[i];
        put_literal(e, &cursor->comma, member->row);
        if (i != cursor->node->tag) {
            EP_PUT(&e->writer, "null");
            continue;
        }
        TRY(put_value(e, member->shape, cursor->node->slots[0]));
        if (e->depth != depth) {
            return true;
        }
    }
    return close_cursor(e, '}');
}

/* SPEC 3.9.8 */
static bool put_union(ep_encoder *e) {
    ep_cursor *cursor = &e->cursors[e->depth - 1];
    switch (e->schema->version->unions) {
    case EP_UNION_SINGLE_KEY:
        return put_single_key(e, cursor);
    case EP_UNION_TYPE_VALUE:
        return put_type_value(e, cursor);
    case EP_UNION_ALL_FIELDS:
        break;
    }
    return put_all_fields(e, cursor);
}

/* A list, or a tuple, whose second item has a shape of its own. */
static bool put_list(ep_encoder *e) {
    ep_cursor *cursor = &e->cursors[e->depth - 1];
    size_t depth = e->depth;
    while (cursor->next < cursor->count) {
        size_t i = cursor->next++;
        bool second = cursor->shape->op == EP_OP_TUPLE && i == 1;
        put_comma(e, &cursor->comma);
        TRY(put_value(e, second ? cursor->shape->second : cursor->shape->of,
                      cursor->list->items[i]));
        if (e->depth != depth) {
            return true;
        }
    }
    return close_cursor(e, ']');
}

/* SPEC 3.9.9 */
static bool put_dict(ep_encoder *e) {
    ep_cursor *cursor = &e->cursors[e->depth - 1];
    size_t depth = e->depth;
    while (cursor->next < cursor->count) {
        size_t i = cursor->next++;
        put_comma(e, &cursor->comma);
        ep_writer_put_text(&e->writer, e->input, cursor->list->items[i]);
        EP_PUT(&e->writer, ": ");
        TRY(put_value(e, cursor->shape->of, cursor->list->items[cursor->count + i]));
        if (e->depth != depth) {
            return true;
        }
    }
    return close_cursor(e, '}');
}

static bool put_next(ep_encoder *e) {
    switch (e->cursors[e->depth - 1].shape->op) {
    case EP_OP_STRUCT:
        return put_struct(e);
    case EP_OP_UNION:
        return put_union(e);
    case EP_OP_DICT:
        return put_dict(e);
    default: /* no cursor is opened for a scalar */
        return put_list(e);
    }
}

static bool put_all(ep_encoder *e, const ep_shape *shape, uint64_t bits) {
    TRY(put_value(e, shape, bits));
    while (e->depth > 0 && !e->writer.failed) {
        TRY(put_next(e));
    }
    ep_writer_flush(&e->writer);
    return true;
}

ep_code ep_encode_value(const ep_program *program, const ep_encoded *value, ep_arena *scratch,
                        ep_sink *sink, void *context) {
    size_t size = EP_WRITER_CHUNK + EP_WRITER_SLACK;
    ep_encoder e = {
        .writer = {.sink = sink, .context = context},
        .schema = program->schema,
        .input = program->input,
        .arena = scratch,
    };
    ep_fast_open(&e);
    e.release = value->general ? -1 : e.release;
    e.writer.buffer = ep_arena_take(scratch, size);
    if (e.writer.buffer == NULL) {
        return EP_MEMORY;
    }
    bool ok = put_all(&e, value->shape, value->bits);
    ep_arena_give(scratch, e.writer.buffer, size);
    if (e.cursors != NULL) {
        ep_arena_give(scratch, e.cursors, e.capacity * sizeof(ep_cursor));
    }
    return !ok ? EP_MEMORY : e.writer.failed ? EP_OUTPUT : EP_OK;
}

EP_API bool ep_encode(const ep_program *program, ep_arena *scratch, ep_sink *sink, void *context,
                      ep_error *error) {
    bool given = program != NULL && scratch != NULL && sink != NULL;
    if (!given || program->partial) { /* SPEC 3.10.3 */
        return ep_error_unusable(error, given);
    }
    ep_encoded value = {&program->schema->shapes[EP_SHAPE_ExportedProgram],
                        ep_pointer_bits(program->root), false};
    ep_code code = ep_encode_value(program, &value, scratch, sink, context);
    if (code != EP_OK) {
        return ep_error_plain(error, code);
    }
    ep_error_clear(error);
    return true;
}
