/*
 * change.c - another program that differs in one string, number, bool or enumerator. Of which
 * member it is, is drawn before the place, so that each has its share; places are drawn
 * until one gives a program that is valid.
 */
#include "rewriter.h"

#include "common/buffer.h"

typedef struct change {
    ep_rewriter rewriter;
    ep_stack places; /* PLACE words each: a slot, its shape, its field */
    size_t counts[EP_FIELD_COUNT + 1];
    bool any;    /* free fields too */
    bool checks; /* there are nodes whose texts are not identity (SPEC 6.2.1) */
} change;

enum { PLACE = 3, TRIES = 12 };

/* ------------------------------------------------------------------------- places */

/* What may be changed without changing identity. */
static bool is_free(const change *c, ep_field field) {
#define FREE(member) case EP_F_##member:
    switch ((int)field) {
#include "rewrite.def"
        return true;
    case EP_F_Argument_as_string:
        return c->checks;
    case EP_F_NamedArgument_name: /* of an old map: SPEC 7.4.7 */
        return c->rewriter.c.graphs->next != NULL;
    default:
        return false;
    }
#undef FREE
}

static bool note_place(void *context, const ep_rewriter_slot *slot) {
    change *c = context;
    int op = slot->shape->op;
    bool scalar = op == EP_OP_STR || op == EP_OP_INT || op == EP_OP_FLOAT || op == EP_OP_BOOL ||
                  op == EP_OP_OPEN_END || op == EP_OP_ENUM;
    bool version = slot->within == EP_F_SchemaVersion_major ||
                   slot->within == EP_F_SchemaVersion_minor ||
                   slot->within == EP_F_ExportedProgram_schema_version;
    if (!scalar || version || (!c->any && is_free(c, slot->within))) {
        return true;
    }
    c->counts[slot->within]++;
    return (ep_stack_push(&c->places, ep_pointer_bits(slot->bits)) &&
            ep_stack_push(&c->places, ep_pointer_bits(slot->shape)) &&
            ep_stack_push(&c->places, slot->within)) ||
           ep_canon_fail(&c->rewriter.c, EP_MEMORY);
}

static void find_checks(change *c) {
    for (const ep_canon_graph *g = c->rewriter.c.graphs; g != NULL; g = g->next) {
        for (size_t i = 0; i < g->node_count; i++) {
            c->checks = c->checks || g->nodes[i].target->is_check;
        }
    }
}

static const uint64_t *draw_place(change *c) {
    for (;;) {
        size_t i = ep_rewriter_below(&c->rewriter, c->places.count / PLACE);
        const uint64_t *place = &c->places.words[PLACE * i];
        if (ep_rewriter_below(&c->rewriter, c->counts[place[2]]) == 0) {
            return place;
        }
    }
}

/* ------------------------------------------------------------------------- values */

/* A text becomes another where it has one of these; the first one stands at each end. */
static const char *const texts[][2] = {
    {"", "x"},
    {"torch.ops.", "torch.ops.other_"},
    {"_operator.add", "_operator.sub"},
    {"builtins.tuple", "builtins.list"},
    {"builtins.list", "builtins.tuple"},
    {"builtins.dict", "collections.OrderedDict"},
    {"Integer(1)", "Integer(2)"},
    {" 1", " 2"},
};

/* A symbol's name with something behind it may be the same symbol under another name. */
static bool change_text(change *c, ep_field field, uint64_t *slot) {
    ep_bytes text;
    TRY(ep_rewriter_text(&c->rewriter, *slot, &text));
    bool symbols = field == EP_F_SymExpr_expr_str || field == EP_F_SymBool_as_expr;
    size_t row = ep_rewriter_below(&c->rewriter, EP_COUNT_OF(texts));
    size_t at = row == 0 ? text.size : bytes_find(text, 0, ep_text_of(texts[row][0]));
    row = at == text.size ? 0 : row;
    ep_bytes old = ep_text_of(texts[row][0]);
    if (symbols && row == 0) {
        return true;
    }
    ep_bytes new = ep_text_of(texts[row][1]);
    size_t size = text.size - old.size + new.size;
    char *made = ep_canon_array(&c->rewriter.c, size, 1);
    TRY(made != NULL);
    memcpy(made, text.data, at);
    memcpy(made + at, new.data, new.size);
    memcpy(made + at + new.size, text.data + at + old.size, text.size - at - old.size);
    return ep_rewriter_put(&c->rewriter, (ep_bytes){made, size}, slot);
}

/* What stands elsewhere, where any program will do, or a value beside the one that is there. */
static bool change_value(change *c, const uint64_t *place) {
    uint64_t *slot = (uint64_t *)(uintptr_t)place[0];
    const ep_shape *shape = (const ep_shape *)(uintptr_t)place[1];
    if (c->any && ep_rewriter_below(&c->rewriter, 2) == 0) {
        const uint64_t *other = draw_place(c);
        if (((const ep_shape *)(uintptr_t)other[1])->op == shape->op) {
            *slot = *(const uint64_t *)(uintptr_t)other[0];
            return true;
        }
    }
    switch ((int)shape->op) {
    case EP_OP_ENUM:
        if (shape->type->count > 0) {
            size_t drawn = ep_rewriter_below(&c->rewriter, shape->type->count);
            *slot = (uint64_t)shape->type->members[drawn].row->id;
        }
        return true;
    case EP_OP_INT:
        *slot = (int64_t)*slot < INT64_MAX ? *slot + 1 : 0;
        return true;
    case EP_OP_OPEN_END:
        *slot = (uint64_t)((int64_t)*slot / 2 + 1);
        return true;
    case EP_OP_FLOAT:
        *slot = ep_float_bits(ep_float_of(*slot) == 0.5 ? 0.25 : 0.5);
        return true;
    case EP_OP_BOOL:
        *slot = *slot == 0;
        return true;
    default:
        return change_text(c, (ep_field)place[2], slot);
    }
}

/* ------------------------------------------------------------------------- trying */

/* Only want of memory is an error: all else is a place where nothing can be changed. */
static bool try_place(change *c, ep_built *built, bool *made) {
    ep_error error = {.code = EP_OK};
    const uint64_t *place = draw_place(c);
    uint64_t *slot = (uint64_t *)(uintptr_t)place[0];
    uint64_t old = *slot;
    TRY(change_value(c, place));
    *made = *slot != old && ep_rewriter_finish(&c->rewriter, built, &error) &&
            ep_check(built->program, c->rewriter.c.arena, NULL, &error);
    *slot = old;
    return error.code != EP_MEMORY || ep_canon_fail(&c->rewriter.c, EP_MEMORY);
}

bool ep_rewrite_changed(const ep_program *program, ep_arena *arena, const ep_rewrite_choice *wish,
                        ep_built *built, ep_error *error) {
    change c = {.any = wish->what == EP_CHANGE_ANY};
    bool made = false;
    ep_stack_init(&c.places, arena);
    bool ok = ep_rewriter_open(&c.rewriter, program, arena, wish->seed);
    if (ok) {
        find_checks(&c);
    }
    ok = ok && ep_rewriter_visit(&c.rewriter, c.rewriter.c.root, true, note_place, &c);
    for (size_t i = 0; ok && !made && c.places.count > 0 && i < TRIES; i++) {
        ok = try_place(&c, built, &made);
    }
    if (!made) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (ok) {
        ep_error_clear(error);
    } else {
        ep_error_plain(error, c.rewriter.c.code);
    }
    ep_rewriter_close(&c.rewriter);
    ep_stack_free(&c.places);
    return ok;
}
