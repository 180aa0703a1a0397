/*
 * diff/walk.c - two trees traversed in parallel down to the first difference, and one
 * tree traversed whole; see diff.h.
 */
#include "diff/diff.h"

/* --------------------------------------------------------------------- roles */

typedef struct role_row {
    ep_field field;
    ep_diff_role role;
} role_row;

static const role_row role_rows[] = {
    {EP_F_TensorArgument_name, EP_DIFF_VALUE_NAME},
    {EP_F_TokenArgument_name, EP_DIFF_VALUE_NAME},
    {EP_F_SymIntArgument_as_name, EP_DIFF_VALUE_NAME},
    {EP_F_SymFloatArgument_as_name, EP_DIFF_VALUE_NAME},
    {EP_F_SymBoolArgument_as_name, EP_DIFF_VALUE_NAME},
    {EP_F_CustomObjArgument_name, EP_DIFF_VALUE_NAME},
    {EP_F_InputToConstantInputSpec_name, EP_DIFF_FREE_NAME},
    {EP_F_GradientToUserInputSpec_user_input_name, EP_DIFF_VALUE_NAME},
    {EP_F_UserInputMutationSpec_user_input_name, EP_DIFF_VALUE_NAME},
    {EP_F_GraphArgument_name, EP_DIFF_FREE_NAME},
    {EP_F_GraphArgument_graph, EP_DIFF_GRAPH},
    {EP_F_SymExpr_expr_str, EP_DIFF_EXPRESSION},
    {EP_F_ExportedProgram_torch_version, EP_DIFF_RELEASE},
};

void ep_diff_roles(ep_differ *d) {
    memset(d->role, EP_DIFF_PLAIN, sizeof d->role);
    for (size_t i = 0; i < EP_COUNT_OF(role_rows); i++) {
        const role_row *row = &role_rows[i];
        d->role[ep_field_type(row->field)][d->fields.slot[row->field]] = (uint8_t)row->role;
    }
}

static const ep_type *type_of(const ep_differ *d, const ep_node *node) {
    return d->fields.schema->types[node->type];
}

/* ------------------------------------------------------------------- scalars */

static ep_text_cursor cursor_of(const ep_diff_half *half, ep_ref ref) {
    return ep_text_begin(half->input.data, ref);
}

bool ep_diff_same_text(const ep_differ *d, const ep_ref refs[2]) {
    bool escaped = ((ep_ref_flags(refs[0]) | ep_ref_flags(refs[1])) & EP_REF_ESCAPED) != 0;
    if (!escaped) {
        return ep_text_equal(ep_ref_raw(d->half[0].input.data, refs[0]),
                             ep_ref_raw(d->half[1].input.data, refs[1]));
    }
    ep_text_cursor a = cursor_of(&d->half[0], refs[0]);
    ep_text_cursor b = cursor_of(&d->half[1], refs[1]);
    uint32_t one;
    uint32_t other;
    bool more;
    do {
        more = ep_text_next(&a, &one);
        if (more != ep_text_next(&b, &other) || (more && one != other)) {
            return false;
        }
    } while (more);
    return true;
}

uint32_t ep_diff_number(ep_bytes input, ep_ref name) {
    enum { DIGITS_MAX = 9 };
    ep_bytes raw = ep_ref_raw(input.data, name);
    uint32_t number = 0;
    bool canonical = 2 <= raw.size && raw.size <= 1 + DIGITS_MAX && raw.data[0] == 'v' &&
                     (raw.size == 2 || raw.data[1] != '0'); /* v00 is the name of a constant */
    for (size_t i = 1; canonical && i < raw.size; i++) {
        canonical = ep_is_digit(raw.data[i]);
        number = number * 10 + (uint32_t)(raw.data[i] - '0');
    }
    return canonical ? number : EP_DIFF_NONE;
}

/* Whether the values of two names were matched with each other. Other names are
 * compared as texts. */
static bool same_value(const ep_differ *d, const ep_diff_scope *scope, const ep_ref names[2]) {
    uint32_t a = ep_diff_number(d->half[0].input, names[0]);
    uint32_t b = ep_diff_number(d->half[1].input, names[1]);
    bool one = a < scope->value_count[0] && scope->value[0][a] != EP_DIFF_NO_VALUE;
    bool other = b < scope->value_count[1] && scope->value[1][b] != EP_DIFF_NO_VALUE;
    if (!one && !other) {
        return ep_diff_same_text(d, names); /* of a constant, in the program or beside it */
    }
    return one && other && scope->value[0][a] == b;
}

/* An absent release is equal to "<=2.4", the releases that write none. */
static bool same_release(const ep_differ *d, const ep_ref refs[2]) {
    static const char old[] = "<=2.4";
    if (refs[0] != 0 && refs[1] != 0) {
        return ep_diff_same_text(d, refs);
    }
    size_t half = refs[0] != 0 ? 0 : 1;
    return refs[half] == 0 || ep_text_is(d->half[half].input.data, refs[half], EP_TEXT(old));
}

static bool same_string(ep_differ *d, const ep_diff_scope *scope, uint8_t role,
                        const uint64_t bits[2], bool *same) {
    *same = true;
    if (role == EP_DIFF_RELEASE) {
        *same = same_release(d, bits);
    } else if (scope == NULL || role == EP_DIFF_PLAIN) {
        *same = ep_diff_same_text(d, bits);
    } else if (role == EP_DIFF_VALUE_NAME) {
        *same = same_value(d, scope, bits);
    } else if (role == EP_DIFF_EXPRESSION) {
        return ep_diff_same_expression(d, bits, same);
    }
    return true;
}

/* ---------------------------------------------------------------------- frames */

static bool is_node(const ep_shape *shape) {
    return shape->op == EP_OP_STRUCT || shape->op == EP_OP_UNION;
}

/* Whether an absent member has the value that its slot, 0, stands for. */
static bool is_defaulted(const ep_row *row) {
    return row->fallback != EP_FALLBACK_NONE && row->fallback != EP_FALLBACK_REQUIRED;
}

bool ep_diff_has_member(const ep_node *node, const ep_type *type, uint8_t member) {
    return type->kind == EP_KIND_UNION || is_defaulted(type->members[member].row) ||
           (node->present >> member & 1) != 0;
}

/* The next part of two containers. */
typedef struct part {
    const ep_shape *shape;
    uint64_t bits[2];
    uint8_t role;
    bool end;   /* no part is left */
    bool parts; /* they differ here: only one has the part */
} part;

static part next_of_nodes(const ep_differ *d, ep_diff_frame *f) {
    const ep_node *a = ep_node_at(f->bits[0]);
    const ep_node *b = ep_node_at(f->bits[1]);
    const ep_type *type = type_of(d, a);
    bool is_union = type->kind == EP_KIND_UNION;
    for (; f->at < (is_union ? 1 : type->count); f->at++) {
        uint8_t member = is_union ? a->tag : (uint8_t)f->at;
        bool has[2] = {ep_diff_has_member(a, type, member), ep_diff_has_member(b, type, member)};
        if (has[0] || has[1]) {
            uint8_t slot = is_union ? 0 : member;
            return (part){.shape = type->members[member].shape,
                          .bits = {a->slots[slot], b->slots[slot]},
                          .role = d->role[a->type][member],
                          .parts = has[0] != has[1]};
        }
    }
    return (part){.end = true};
}

static part next_of_lists(const ep_differ *d, const ep_diff_frame *f) {
    const ep_list *lists[2] = {ep_list_at(f->bits[0]), ep_list_at(f->bits[1])};
    size_t count[2] = {ep_list_count(f->bits[0]), ep_list_count(f->bits[1])};
    bool dict = f->shape->op == EP_OP_DICT;
    if (f->at >= count[0] && f->at >= count[1]) {
        return (part){.end = true};
    }
    part p = {.shape = f->shape->of}; /* this version has no tuples */
    p.parts = f->at >= count[0] || f->at >= count[1];
    if (!p.parts && dict) {
        p.parts =
            !ep_diff_same_text(d, (ep_ref[2]){lists[0]->items[f->at], lists[1]->items[f->at]});
    }
    for (size_t i = 0; i < 2 && !p.parts; i++) {
        p.bits[i] = lists[i]->items[(dict ? count[i] : 0) + f->at];
    }
    return p;
}

/* Whether both are present, and under one tag if they are unions. */
static bool same_kind(const ep_shape *shape, const uint64_t bits[2]) {
    /* what is null is absent, too, and no part of its struct */
    if (EP_NEVER(bits[0] == 0) || EP_NEVER(bits[1] == 0)) {
        return bits[0] == bits[1];
    }
    return shape->op == EP_OP_STRUCT || ep_node_at(bits[0])->tag == ep_node_at(bits[1])->tag;
}

static bool push_frame(ep_differ *d, const ep_shape *shape, const uint64_t bits[2]) {
    return ep_diff_frames_push(&d->frames, (ep_diff_frame){shape, {bits[0], bits[1]}, 0});
}

/* Compares two values except for their parts. Containers whose parts have to be
 * compared get a frame. */
static bool enter(ep_differ *d, const ep_diff_scope *scope, const part *p, bool *differs) {
    const uint64_t *bits = p->bits;
    bool same = true;
    switch ((int)p->shape->op) {
    case EP_OP_STR:
    case EP_OP_BYTES:
        TRY(same_string(d, scope, p->role, bits, &same));
        break;
    case EP_OP_STRUCT:
    case EP_OP_UNION:
        same = same_kind(p->shape, bits);
        if (p->role == EP_DIFF_GRAPH && scope != NULL) {
            *differs = false;
            ep_diff_match_of graphs = {{ep_node_at(bits[0]), ep_node_at(bits[1])}};
            return ep_diff_matches_push(&d->graphs, graphs);
        }
        TRY(push_frame(d, p->shape, bits));
        break;
    case EP_OP_LIST:
    case EP_OP_DICT:
        TRY(push_frame(d, p->shape, bits));
        break;
    default: /* of a float, too: there is one NaN that is read */
        same = bits[0] == bits[1];
        break;
    }
    *differs = !same;
    return true;
}

/* A node that a migration step made has offset 0, and no place in the file. Only the
 * program itself begins there. */
ep_diff_spot ep_diff_spot_of(const ep_differ *d, const ep_node *node, const ep_diff_spot *around) {
    bool placed = node->offset != 0 || node->type == d->fields.schema->root->number;
    return (ep_diff_spot){.node = node,
                          .placed = placed           ? node
                                    : around != NULL ? around->placed
                                                     : NULL,
                          .member = EP_NO_MEMBER};
}

/* Moves a spot down into the current part of a container. */
static void descend(const ep_differ *d, const ep_diff_frame *f, ep_diff_spot *spot, size_t half) {
    uint64_t bits = f->bits[half];
    size_t at = f->at - 1;
    if (is_node(f->shape)) {
        const ep_node *node = ep_node_at(bits);
        bool is_union = type_of(d, node)->kind == EP_KIND_UNION;
        *spot = ep_diff_spot_of(d, node, spot);
        spot->member = is_union ? node->tag : (uint8_t)at;
    } else if (EP_ALWAYS(spot->depth < EP_DIFF_STEPS)) { /* no list is in so many */
        spot->steps[spot->depth++] = at; /* what is in a dict is a node, and begins anew */
    }
}

/* The place of a part, from the frames that led to it. A key that only one of two
 * dicts has, or an item beyond the end of one of two lists, is a difference of the
 * containers. */
static void settle(const ep_differ *d, const part *p, ep_diff_pair *pair) {
    size_t count = d->frames.count;
    pair->shape = p->shape;
    memcpy(pair->bits, p->bits, sizeof pair->bits);
    if (p->parts && !is_node(ep_diff_frames_top(&d->frames)->shape)) {
        const ep_diff_frame *whole = &d->frames.items[--count];
        pair->shape = whole->shape;
        memcpy(pair->bits, whole->bits, sizeof pair->bits);
    }
    for (size_t half = 0; half < 2; half++) {
        for (size_t i = 0; i < count; i++) {
            descend(d, &d->frames.items[i], &pair->at[half], half);
        }
        if (is_node(pair->shape) && pair->bits[half] != 0) {
            const ep_node *node = ep_node_at(pair->bits[half]);
            pair->at[half] = ep_diff_spot_of(d, node, &pair->at[half]);
        }
    }
}

bool ep_diff_first(ep_differ *d, const ep_diff_scope *scope, ep_diff_pair *pair, bool *differs) {
    const ep_diff_spot *at = &pair->at[0];
    part p = {.shape = pair->shape, .bits = {pair->bits[0], pair->bits[1]}};
    p.role = at->member == EP_NO_MEMBER ? EP_DIFF_PLAIN : d->role[at->node->type][at->member];
    d->frames.count = 0;
    TRY(enter(d, scope, &p, differs));
    while (!*differs && d->frames.count > 0) {
        ep_diff_frame *f = ep_diff_frames_top(&d->frames);
        p = is_node(f->shape) ? next_of_nodes(d, f) : next_of_lists(d, f);
        f->at++;
        if (p.end) {
            d->frames.count--;
        } else if (p.parts) {
            *differs = true;
        } else {
            TRY(enter(d, scope, &p, differs));
        }
    }
    if (*differs) {
        settle(d, &p, pair);
    }
    return true;
}

/* ------------------------------------------------------------------- one tree */

static bool wait_for(ep_differ *d, const ep_shape *shape, uint64_t bits, uint8_t role) {
    return ep_diff_parts_push(&d->waiting, (ep_diff_part){shape, bits, role});
}

/* Pushes the parts of a node in reverse, so that the first is taken first. */
static bool wait_for_members(ep_differ *d, const ep_node *node) {
    const ep_type *type = type_of(d, node);
    bool is_union = type->kind == EP_KIND_UNION;
    for (size_t i = is_union ? 1 : type->count; i-- > 0;) {
        uint8_t member = is_union ? node->tag : (uint8_t)i;
        if (ep_diff_has_member(node, type, member)) {
            TRY(wait_for(d, type->members[member].shape, node->slots[i],
                         d->role[node->type][member]));
        }
    }
    return true;
}

static bool wait_for_items(ep_differ *d, const ep_shape *shape, uint64_t bits) {
    bool dict = shape->op == EP_OP_DICT;
    for (size_t i = ep_list_count(bits); i-- > 0;) {
        uint64_t item = dict ? ep_dict_value(bits, i) : ep_list_at(bits)->items[i];
        TRY(wait_for(d, shape->of, item, EP_DIFF_PLAIN)); /* this version has no tuples */
    }
    return true;
}

bool ep_diff_scan(ep_differ *d, const ep_shape *shape, uint64_t bits, ep_diff_visitor *visit,
                  void *context) {
    size_t base = d->waiting.count;
    TRY(wait_for(d, shape, bits, EP_DIFF_PLAIN));
    while (d->waiting.count > base) {
        ep_diff_part next = ep_diff_parts_pop(&d->waiting);
        if (next.shape->op < EP_OP_STRUCT || next.role == EP_DIFF_GRAPH) {
            TRY(visit(context, next.role, next.shape, next.bits));
        } else if (!is_node(next.shape)) {
            TRY(wait_for_items(d, next.shape, next.bits));
        } else if (EP_ALWAYS(next.bits != 0)) { /* nothing in an argument may be null */
            TRY(wait_for_members(d, ep_node_at(next.bits)));
        }
    }
    return true;
}
