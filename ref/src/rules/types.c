/*
 * rules/types.c - SPEC 5.4: the types of values, symbols and their ranges.
 */
#include "language/expression.h"
#include "rules/rules.h"

/* ------------------------------------------------------------------ symbolic */

/* The form of the expression in a SymInt, SymFloat or SymBool. */
typedef struct sym_row {
    uint8_t tag;
    uint8_t language;
    uint8_t hint; /* the tag that its hint has */
} sym_row;

static const sym_row sym_rows[] = {
    {EP_F_SymInt_as_expr, EP_LANGUAGE_EXPRESSION_INT, EP_F_SymExprHint_as_int},
    {EP_F_SymFloat_as_expr, EP_LANGUAGE_EXPRESSION_FLOAT, EP_F_SymExprHint_as_float},
    {EP_F_SymBool_as_expr, EP_LANGUAGE_EXPRESSION_BOOL, EP_F_SymExprHint_as_bool},
};

static const sym_row *sym_row_of(const ep_judge *judge, const ep_node *sym) {
    for (size_t i = 0; i < EP_COUNT_OF(sym_rows); i++) {
        if ((ep_field)sym_rows[i].tag == ep_tag(&judge->fields, sym)) {
            return &sym_rows[i];
        }
    }
    return NULL;
}

/* The SymExpr of a symbolic value; NULL when the version writes its text bare. */
static const ep_node *sym_expr_of(const ep_judge *judge, const ep_node *sym) {
    const ep_member *member = &judge->fields.schema->types[sym->type]->members[sym->tag];
    return member->shape->op == EP_OP_STRUCT ? ep_tag_node(sym) : NULL;
}

/* A hint that is an integer: of version 1 it is one, later it is tagged so. */
static bool int_hint(const ep_judge *judge, const ep_node *sym, int64_t *value) {
    const ep_fields *fields = &judge->fields;
    const ep_node *expr = sym_expr_of(judge, sym);
    /* who asks has an expression */
    if (EP_NEVER(expr == NULL)) {
        return false;
    }
    if (!ep_field_present(fields, expr, EP_F_SymExpr_hint)) {
        return false;
    }
    uint64_t bits = ep_field_bits(fields, expr, EP_F_SymExpr_hint);
    uint8_t slot = fields->slot[EP_F_SymExpr_hint];
    if (fields->schema->types[expr->type]->members[slot].shape->op == EP_OP_INT) {
        *value = (int64_t)bits;
        return true;
    }
    *value = (int64_t)ep_node_at(bits)->slots[0];
    return ep_tag(fields, ep_node_at(bits)) == EP_F_SymExprHint_as_int;
}

/* -------------------------------------------------------------- tensor metas */

enum { UNKNOWN = 0 }; /* of ScalarType, Layout and MemoryFormat, in all versions */

static bool is_unknown(const ep_judge *judge, const ep_node *meta, ep_field field) {
    return ep_field_bits(&judge->fields, meta, field) == UNKNOWN;
}

/* SPEC 5.4.1 */
void ep_rule_dtype(ep_judge *judge, const ep_subject *subject) {
    if (is_unknown(judge, subject->node, EP_F_TensorMeta_dtype)) {
        ep_judge_node(judge, EP_DTYPE, subject->node, NULL);
    }
}

/* SPEC 5.4.2 */
void ep_rule_layout(ep_judge *judge, const ep_subject *subject) {
    if (is_unknown(judge, subject->node, EP_F_TensorMeta_layout)) {
        ep_judge_node(judge, EP_LAYOUT, subject->node, NULL);
    }
}

/* Whether an argument is the enumerator Unknown under a tag. */
static bool is_unknown_argument(const ep_judge *judge, const ep_subject *subject, ep_field tag) {
    return ep_tag(&judge->fields, subject->node) == tag && subject->node->slots[0] == UNKNOWN;
}

/* SPEC 5.4.1 */
void ep_rule_dtype_argument(ep_judge *judge, const ep_subject *subject) {
    if (is_unknown_argument(judge, subject, EP_F_Argument_as_scalar_type)) {
        ep_judge_node(judge, EP_DTYPE, subject->node, NULL);
    }
}

/* SPEC 5.4.2 */
void ep_rule_layout_argument(ep_judge *judge, const ep_subject *subject) {
    if (is_unknown_argument(judge, subject, EP_F_Argument_as_layout)) {
        ep_judge_node(judge, EP_LAYOUT, subject->node, NULL);
    }
}

/* SPEC 5.4.3 */
void ep_rule_memory_format(ep_judge *judge, const ep_subject *subject) {
    if (is_unknown_argument(judge, subject, EP_F_Argument_as_memory_format)) {
        ep_judge_node(judge, EP_MEMORY_FORMAT, subject->node, NULL);
    }
}

/* SPEC 5.4.4: of an expression, its hint. */
void ep_rule_size(ep_judge *judge, const ep_subject *subject) {
    uint64_t sizes = ep_field_bits(&judge->fields, subject->node, EP_F_TensorMeta_sizes);
    for (size_t i = 0; i < ep_list_count(sizes); i++) {
        const ep_node *sym = ep_item_node(sizes, i);
        int64_t size = (int64_t)sym->slots[0];
        bool known = ep_tag(&judge->fields, sym) == EP_F_SymInt_as_int;
        if ((known || int_hint(judge, sym, &size)) && size < 0) {
            ep_judge_node(judge, EP_SIZE, sym, NULL);
        }
    }
}

/* SPEC 5.4.6 */
void ep_rule_stride(ep_judge *judge, const ep_subject *subject) {
    uint64_t strides = ep_field_bits(&judge->fields, subject->node, EP_F_TensorMeta_strides);
    for (size_t i = 0; i < ep_list_count(strides); i++) {
        const ep_node *sym = ep_item_node(strides, i);
        if (ep_tag(&judge->fields, sym) == EP_F_SymInt_as_int && (int64_t)sym->slots[0] < 0) {
            ep_judge_node(judge, EP_STRIDE, sym, NULL);
        }
    }
}

/* SPEC 5.4.5: strides have a meaning only for strided tensors. */
void ep_rule_strides(ep_judge *judge, const ep_subject *subject) {
    enum { STRIDED = 7 }; /* of Layout, in all versions */
    const ep_fields *fields = &judge->fields;
    uint64_t sizes = ep_field_bits(fields, subject->node, EP_F_TensorMeta_sizes);
    uint64_t strides = ep_field_bits(fields, subject->node, EP_F_TensorMeta_strides);
    if (ep_field_bits(fields, subject->node, EP_F_TensorMeta_layout) == STRIDED &&
        ep_list_count(sizes) != ep_list_count(strides)) {
        ep_judge_node(judge, EP_STRIDES, subject->node, NULL);
    }
}

/* SPEC 5.4.7: a bare integer before 4.2, a SymInt from then on. */
void ep_rule_storage_offset(ep_judge *judge, const ep_subject *subject) {
    const ep_fields *fields = &judge->fields;
    uint64_t bits = ep_field_bits(fields, subject->node, EP_F_TensorMeta_storage_offset);
    uint8_t slot = fields->slot[EP_F_TensorMeta_storage_offset];
    const ep_type *type = fields->schema->types[subject->node->type];
    if (type->members[slot].shape->op == EP_OP_INT) {
        if ((int64_t)bits < 0) {
            ep_judge_node(judge, EP_STORAGE_OFFSET, subject->node, NULL);
        }
        return;
    }
    const ep_node *sym = ep_node_at(bits);
    if (ep_tag(fields, sym) == EP_F_SymInt_as_int && (int64_t)sym->slots[0] < 0) {
        ep_judge_node(judge, EP_STORAGE_OFFSET, sym, NULL);
    }
}

/* An index of PyTorch's is a signed byte. */
static void check_device(ep_judge *judge, const ep_node *device) {
    int64_t index = (int64_t)ep_field_bits(&judge->fields, device, EP_F_Device_index);
    if (index < 0 || index > INT8_MAX) {
        ep_judge_node(judge, EP_DEVICE_INDEX, device, NULL);
    }
}

/* SPEC 5.4.8 */
void ep_rule_device_index(ep_judge *judge, const ep_subject *subject) {
    check_device(judge, ep_field_node(&judge->fields, subject->node, EP_F_TensorMeta_device));
}

/* SPEC 5.4.8 */
void ep_rule_device_argument(ep_judge *judge, const ep_subject *subject) {
    if (ep_tag(&judge->fields, subject->node) == EP_F_Argument_as_device) {
        check_device(judge, ep_tag_node(subject->node));
    }
}

/* The dtypes of integers and bools, under all names that they have had. */
#define DTYPE(name)                                                                                \
    { name, sizeof(name) - 1 }
static const ep_bytes whole_dtypes[] = {
    DTYPE("BYTE"), DTYPE("CHAR"),   DTYPE("SHORT"),  DTYPE("INT"),    DTYPE("LONG"),
    DTYPE("BOOL"), DTYPE("UINT16"), DTYPE("UINT32"), DTYPE("UINT64"), DTYPE("UNSIGNED_SHORT")};
#undef DTYPE

/* A bit for each value of theirs in the version; the highest is always set. */
static uint64_t find_whole(const ep_judge *judge) {
    const ep_type *type = judge->fields.schema->types[EP_SHAPE_ScalarType - EP_SHAPE_FIRST_TYPE];
    uint64_t whole = UINT64_C(1) << 63;
    for (size_t i = 0; i < type->count; i++) {
        const ep_row *row = type->members[i].row;
        for (size_t j = 0; j < EP_COUNT_OF(whole_dtypes); j++) {
            bool same = ep_text_equal((ep_bytes){row->name, row->name_size}, whole_dtypes[j]);
            whole |= (uint64_t)same << row->id;
        }
    }
    return whole;
}

static bool has_gradients(ep_judge *judge, uint64_t dtype) {
    judge->whole_dtypes = judge->whole_dtypes == 0 ? find_whole(judge) : judge->whole_dtypes;
    return (judge->whole_dtypes >> dtype & 1) == 0;
}

/* SPEC 5.4.14 */
void ep_rule_requires_grad(ep_judge *judge, const ep_subject *subject) {
    const ep_fields *fields = &judge->fields;
    if (ep_field_bits(fields, subject->node, EP_F_TensorMeta_requires_grad) != 0 &&
        !has_gradients(judge, ep_field_bits(fields, subject->node, EP_F_TensorMeta_dtype))) {
        ep_judge_node(judge, EP_REQUIRES_GRAD, subject->node, NULL);
    }
}

/* SPEC 5.4.15: tensors without elements are not checked, nor tensors with a size that
 * is an expression or, by 5.4.4, wrong. */
void ep_rule_numel(ep_judge *judge, const ep_subject *subject) {
    uint64_t sizes = ep_field_bits(&judge->fields, subject->node, EP_F_TensorMeta_sizes);
    int64_t product = 1;
    bool beyond = false;
    for (size_t i = 0; i < ep_list_count(sizes); i++) {
        const ep_node *sym = ep_item_node(sizes, i);
        int64_t size = (int64_t)sym->slots[0];
        if (ep_tag(&judge->fields, sym) != EP_F_SymInt_as_int || size <= 0) {
            return;
        }
        beyond = beyond || size > INT64_MAX / product;
        product = beyond ? product : product * size;
    }
    if (beyond) {
        ep_judge_node(judge, EP_NUMEL, subject->node, NULL);
    }
}

/* ------------------------------------------------------------------- symbols */

/* Whether a symbol is created in the graph, by the name that PyTorch gives it: i or u
 * and digits. */
static bool is_unbacked(ep_bytes name) {
    bool unbacked = name.size > 1 && (name.data[0] == 'i' || name.data[0] == 'u');
    for (size_t i = 1; i < name.size; i++) {
        unbacked = unbacked && ep_is_digit(name.data[i]);
    }
    return unbacked;
}

static const ep_symbols *find_symbols(ep_judge *judge, const ep_expression *expression) {
    ep_symbols *made = ep_arena_alloc(judge->arena, sizeof *made);
    if (made == NULL) {
        judge->out_of_memory = true;
        return NULL;
    }
    *made = (ep_symbols){.range = NULL};
    for (size_t i = 0; i < expression->symbol_count; i++) {
        ep_bytes name = expression->symbols[i].name;
        uint32_t number = ep_map_find(&judge->symbols, name);
        if (number == EP_MAP_NONE) {
            made->unknown = true;
            made->unknown_inputs |= !is_unbacked(name);
        } else if (expression->root->kind == EP_TERM_SYMBOL && number < judge->range_count) {
            made->range = judge->ranges[number];
        }
    }
    return made;
}

const ep_symbols *ep_symbols_of(ep_judge *judge, const ep_node *sym) {
    const sym_row *row = sym_row_of(judge, sym);
    if (row == NULL) {
        return NULL;
    }
    const ep_node *expr = sym_expr_of(judge, sym);
    if (expr != NULL && ep_field_present(&judge->fields, expr, EP_F_SymExpr_expr_ast)) {
        return NULL;
    }
    ep_ref text =
        expr == NULL ? sym->slots[0] : ep_field_bits(&judge->fields, expr, EP_F_SymExpr_expr_str);
    ep_memo_entry *entry =
        ep_memo_find(judge->memo, (ep_language)row->language, ep_ref_raw(judge->input.data, text));
    /* the expressions of a program are read before its rules */
    if (EP_NEVER(entry == NULL)) {
        return NULL;
    }
    if (entry->conclusion == NULL) {
        entry->conclusion = find_symbols(judge, entry->result);
    }
    return entry->conclusion;
}

/* SPEC 5.4.9 */
void ep_rule_hint(ep_judge *judge, const ep_subject *subject) {
    const sym_row *row = sym_row_of(judge, subject->node);
    const ep_node *expr = row == NULL ? NULL : sym_expr_of(judge, subject->node);
    const ep_node *hint =
        expr == NULL ? NULL : ep_field_node(&judge->fields, expr, EP_F_SymExpr_hint);
    if (hint != NULL && ep_tag(&judge->fields, hint) != (ep_field)row->hint) {
        ep_judge_node(judge, EP_HINT, hint, NULL);
    }
}

static void break_symbol(ep_judge *judge, const ep_node *sym) {
    const ep_node *expr = sym_expr_of(judge, sym);
    ep_judge_node(judge, EP_SYMBOL, expr == NULL ? sym : expr, NULL);
}

/* SPEC 5.4.10 */
void ep_rule_symbol(ep_judge *judge, const ep_subject *subject) {
    const ep_symbols *symbols = subject->symbols;
    if (symbols != NULL && symbols->unknown) {
        break_symbol(judge, subject->node);
    }
}

/* SPEC 5.4.10, before 5.3: symbols that are created in the graph need no range. */
void ep_rule_symbol_of_input(ep_judge *judge, const ep_subject *subject) {
    const ep_symbols *symbols = subject->symbols;
    if (symbols != NULL && symbols->unknown_inputs) {
        break_symbol(judge, subject->node);
    }
}

/* -------------------------------------------------------------------- ranges */

/* An end of a range: a number, or open to one side. */
typedef struct range_end {
    int sign; /* -1 or 1: infinite */
    int64_t value;
} range_end;

/* An absent end is open, to the side of its sign; a version that cannot write a sign
 * leaves 0, and the end is then open to its own side. */
static range_end end_of(const ep_judge *judge, const ep_node *range, ep_field field, int open) {
    uint8_t slot = judge->fields.slot[field];
    if (ep_field_present(&judge->fields, range, field)) {
        return (range_end){0, (int64_t)range->slots[slot]};
    }
    int64_t sign = (int64_t)range->slots[slot];
    return (range_end){sign == 0 ? open : (int)sign, 0};
}

static bool above(range_end a, range_end b) {
    return a.sign != b.sign ? a.sign > b.sign : a.value > b.value;
}

/* SPEC 5.4.11 */
void ep_rule_range(ep_judge *judge, const ep_subject *subject) {
    range_end low = end_of(judge, subject->node, EP_F_RangeConstraint_min_val, -1);
    range_end high = end_of(judge, subject->node, EP_F_RangeConstraint_max_val, 1);
    if (above(low, high) || low.sign > 0 || high.sign < 0) {
        ep_judge_node(judge, EP_RANGE, subject->node, NULL);
    }
}

/* SPEC 5.4.12: the key is str() of the expression that the range is of, in all
 * versions: a symbol, or a dimension derived from one. */
void ep_rule_range_symbol(ep_judge *judge, const ep_subject *subject) {
    ep_arena_mark mark = ep_arena_now(judge->arena);
    ep_expression_options options = {
        .form = EP_EXPRESSION_INFIX, .any_sort = true, .depth = judge->limits.depth};
    const ep_expression *expression;
    ep_passage passage;
    ep_fault fault;
    if (!ep_passage_open(&passage, judge->arena, judge->input, subject->key)) {
        judge->out_of_memory = true;
        return;
    }
    if (!ep_expression_parse(judge->arena, &passage, &options, &expression, &fault)) {
        bool deep = fault.code == EP_LIMIT_DEPTH; /* whether it is one is not known */
        judge->out_of_memory = judge->out_of_memory || fault.code == EP_MEMORY;
        ep_judge_key(judge, deep ? EP_LIMIT_DEPTH : EP_RANGE_SYMBOL, subject->key,
                     deep ? NULL : "an expression of symbols");
    } else if (expression->symbol_count == 0 || expression->sort == EP_SORT_BOOL) {
        ep_judge_key(judge, EP_RANGE_SYMBOL, subject->key, "an expression of symbols");
    }
    ep_arena_rewind(judge->arena, mark);
}

/* SPEC 5.4.13 */
void ep_rule_hint_range(ep_judge *judge, const ep_subject *subject) {
    const ep_symbols *symbols = subject->symbols;
    int64_t hint;
    if (symbols == NULL || symbols->range == NULL || !int_hint(judge, subject->node, &hint)) {
        return;
    }
    const ep_node *range = symbols->range;
    range_end value = {0, hint};
    if (above(end_of(judge, range, EP_F_RangeConstraint_min_val, -1), value) ||
        above(value, end_of(judge, range, EP_F_RangeConstraint_max_val, 1))) {
        ep_judge_node(judge, EP_HINT_RANGE, sym_expr_of(judge, subject->node), NULL);
    }
}
