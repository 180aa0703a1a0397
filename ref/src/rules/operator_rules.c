/*
 * rules/operator_rules.c - see operator_rules.h. The signatures of a target are looked
 * up once and kept in the memo. A node is then checked in one pass over its arguments,
 * which PyTorch writes in the order of the signature, and one over its outputs. The
 * tags that an argument may have are a bit mask.
 */
#include "rules/operator_rules.h"

#include "rules/operators.h"

/* --------------------------------------------------------------------- tags */

#define TAG(tag) 1 << (EP_F_Argument_##tag - EP_F_Argument_as_none)
enum {
    as_none = TAG(as_none),
    as_tensor = TAG(as_tensor),
    as_tensors = TAG(as_tensors),
    as_nested_tensors = TAG(as_nested_tensors),
    as_optional_tensor = TAG(as_optional_tensor),
    as_optional_tensors = TAG(as_optional_tensors),
    as_int = TAG(as_int),
    as_ints = TAG(as_ints),
    as_int_lists = TAG(as_int_lists),
    as_float = TAG(as_float),
    as_floats = TAG(as_floats),
    as_float_lists = TAG(as_float_lists),
    as_string = TAG(as_string),
    as_strings = TAG(as_strings),
    as_sym_int = TAG(as_sym_int),
    as_sym_ints = TAG(as_sym_ints),
    as_sym_float = TAG(as_sym_float),
    as_sym_floats = TAG(as_sym_floats),
    as_sym_bool = TAG(as_sym_bool),
    as_sym_bools = TAG(as_sym_bools),
    as_bool = TAG(as_bool),
    as_bools = TAG(as_bools),
    as_complex = TAG(as_complex),
    as_scalar_type = TAG(as_scalar_type),
    as_memory_format = TAG(as_memory_format),
    as_layout = TAG(as_layout),
    as_device = TAG(as_device),
    as_custom_obj = TAG(as_custom_obj),

    ANYTHING = INT32_MAX,
    NUMBERS = as_int | as_float | as_bool | as_complex | as_sym_int | as_sym_float | as_sym_bool,
    NUMBER_LISTS = as_ints | as_floats | as_bools | as_sym_ints | as_sym_floats | as_sym_bools,
    LISTS = NUMBER_LISTS | as_tensors | as_nested_tensors | as_optional_tensors | as_int_lists |
            as_float_lists | as_strings
};
#undef TAG

_Static_assert(EP_F_Argument_as_string_to_argument - EP_F_Argument_as_none < 31,
               "a tag is a bit of an int");

typedef struct type_row {
    int takes;
    int gives;
} type_row;

#define TYPE(symbol, text, takes, gives) {takes, gives},
static const type_row types[EP_OPERATOR_TYPE_COUNT] = {
#include "rules/operator_types.def"
};

/* None for a tag that the names of fields.def do not have. */
static int tag_bit(const ep_fields *fields, const ep_node *argument) {
    unsigned bit = (unsigned)ep_tag(fields, argument) - EP_F_Argument_as_none;
    return EP_ALWAYS(bit < 31) ? 1 << bit : 0; /* they have all that there are */
}

/* -------------------------------------------------------------------- facts */

typedef struct version_range {
    uint8_t since;
    uint8_t until;
} version_range;

#define INTS_LEFT_OUT(since, until) {EP_##since, EP_##until},
static const version_range ints_left_out[] = {
#include "rules/release.def"
};

#define UNTYPED_EMPTY(since, until) {EP_##since, EP_##until},
static const version_range untyped_empty[] = {
#include "rules/release.def"
};

#define FUNCTIONAL(verifier) verifier,
static const char *const functional_verifiers[] = {
#include "rules/release.def"
};

static bool holds_for(const version_range *ranges, size_t count, ep_version_number version) {
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].since <= version && version < ranges[i].until) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------- functions on symbols */

static const uint8_t type_taken[] = {
    [EP_TAKES_ANYTHING] = EP_OPERATOR_ANY,      [EP_TAKES_NUMBERS] = EP_OPERATOR_SYMBOL_NUMBER,
    [EP_TAKES_BOOLS] = EP_OPERATOR_SYMBOL_BOOL, [EP_TAKES_SYMBOLS] = EP_OPERATOR_SYMBOL,
    [EP_TAKES_CHOICE] = EP_OPERATOR_SYMBOL,
};

static const uint8_t type_given[] = {
    [EP_GIVES_ANY] = EP_OPERATOR_ANY,          [EP_GIVES_NUMBER] = EP_OPERATOR_SYMBOL_NUMBER,
    [EP_GIVES_INT] = EP_OPERATOR_SYMBOL_INT,   [EP_GIVES_FLOAT] = EP_OPERATOR_SYMBOL_FLOAT,
    [EP_GIVES_BOOL] = EP_OPERATOR_SYMBOL_BOOL, [EP_GIVES_SAME] = EP_OPERATOR_SYMBOL,
};

static const char *const type_names[] = {
    [EP_OPERATOR_SYMBOL_NUMBER] = "number",  [EP_OPERATOR_SYMBOL_INT] = "int",
    [EP_OPERATOR_SYMBOL_FLOAT] = "float",    [EP_OPERATOR_SYMBOL_BOOL] = "bool",
    [EP_OPERATOR_SYMBOL] = "number or bool", [EP_OPERATOR_ANY] = "Any",
};

static ep_operator_value symbol_value(uint8_t type, ep_bytes name) {
    return (ep_operator_value){.text = ep_text_of(type_names[type]), .name = name, .type = type};
}

enum { FUNCTION_ARGUMENTS_MAX = 3 };

/* Makes the signature of an operator from a function's row. */
static ep_operator *function_read(ep_arena *arena, const ep_target_row *row) {
    ep_operator *op = ep_arena_alloc(arena, sizeof *op);
    size_t count = FUNCTION_ARGUMENTS_MAX + 1;
    ep_operator_value *values = ep_arena_array(arena, 0, count, sizeof *values);
    if (op == NULL || values == NULL) {
        return NULL;
    }
    *op = (ep_operator){
        .arguments = values, .returns = values + FUNCTION_ARGUMENTS_MAX, .by_place = true};
    const char *at = row->arguments;
    /* no row has more */
    while (*at != '\0' && EP_ALWAYS(op->argument_count < FUNCTION_ARGUMENTS_MAX)) {
        ep_bytes name = {at, 0};
        while (at[name.size] != '\0' && at[name.size] != ' ') {
            name.size++;
        }
        bool chooses = row->takes == EP_TAKES_CHOICE && op->argument_count == 0;
        uint8_t type = chooses ? (uint8_t)EP_OPERATOR_SYMBOL_BOOL : type_taken[row->takes];
        values[op->argument_count] = symbol_value(type, name);
        op->required |= UINT64_C(1) << op->argument_count++;
        at += name.size + (at[name.size] == ' ');
    }
    *op->returns = symbol_value(type_given[row->gives], EP_TEXT(""));
    op->return_count = 1;
    return op;
}

/* ------------------------------------------------------------------- lookup */

/* The markers of a target that no release has, and of one that is not checked. */
static const ep_operator refused = {.older = NULL};
static const ep_operator unchecked = {.older = NULL};

/* SPEC 5.6.1, 5.6.9 */
static bool find_overload(ep_judge *judge, const ep_subject *subject, const ep_operator **found) {
    const ep_target *target = subject->target;
    ep_bytes name = {target->ns.data, 0};
    name.size = (size_t)(target->overload.data + target->overload.size - name.data);
    TRY(ep_operator_find(judge->arena, name, ep_operator_tables(judge->version), found));
    if (*found != NULL) {
        return true;
    }
    if (ep_operator_namespace_closed(target->ns)) {
        *found = &refused;
        return true;
    }
    *found = &unchecked;
    ep_judge_note_string(judge, EP_NAMESPACE,
                         ep_field_bits(&judge->fields, subject->node, EP_F_Node_target));
    return true;
}

static bool find_operator(ep_judge *judge, const ep_subject *subject, const ep_operator **found) {
    const ep_target *target = subject->target;
    *found = &unchecked;
    if (target->kind == EP_TARGET_OVERLOAD) {
        return find_overload(judge, subject, found);
    }
    if (target->kind == EP_TARGET_FUNCTION && target->row->arguments != NULL) {
        *found = function_read(judge->arena, target->row);
    }
    return *found != NULL;
}

/* The signatures of a node's target, which are looked up once; NULL for want of memory. */
static const ep_operator *operator_of(ep_judge *judge, const ep_subject *subject) {
    ep_memo_entry *entry = subject->called;
    const ep_operator *found;
    if (EP_UNLIKELY(entry->conclusion == NULL)) {
        if (!find_operator(judge, subject, &found)) {
            judge->out_of_memory = true;
            return NULL;
        }
        entry->conclusion = found;
    }
    return entry->conclusion;
}

/* ----------------------------------------------------------------- the call */

/* A node that is compared with a signature. */
typedef struct call {
    ep_judge *judge;
    const ep_scope *scope;
    const ep_node *node;
    const ep_operator *op;
    bool quiet; /* only finds out whether a rule is broken */
    bool broken;
    bool keyword;      /* there was a keyword argument */
    uint64_t given;    /* a bit for every argument of the signature */
    size_t expected;   /* the place of the argument that should come now */
    size_t positional; /* how many of those there were */
} call;

static const char *kept_text(ep_judge *judge, ep_bytes text) {
    char *kept = ep_arena_alloc(judge->arena, text.size + 1);
    if (kept == NULL) {
        judge->out_of_memory = true;
        return "";
    }
    memcpy(kept, text.data, text.size);
    kept[text.size] = '\0';
    return kept;
}

static void break_at_name(call *c, ep_code code, ep_ref name) {
    c->broken = true;
    if (!c->quiet) {
        ep_judge_string(c->judge, code, name, NULL);
    }
}

static void break_at_node(call *c, ep_code code, const ep_node *node, ep_bytes expected) {
    c->broken = true;
    if (!c->quiet) {
        const char *text = expected.size == 0 ? NULL : kept_text(c->judge, expected);
        ep_judge_node(c->judge, code, node, text);
    }
}

static bool is_name(const ep_judge *judge, ep_ref ref, ep_bytes name) {
    if (EP_UNLIKELY((ep_ref_flags(ref) & EP_REF_ESCAPED) != 0)) {
        return ep_text_is(judge->input.data, ref, name);
    }
    return ep_name_equal(ep_ref_raw(judge->input.data, ref), name);
}

/* The place of a named argument; past the last if the operator has none. */
static size_t place_of(const call *c, ep_ref name) {
    size_t count = c->op->argument_count;
    for (size_t i = c->expected; i < count; i++) {
        if (is_name(c->judge, name, c->op->arguments[i].name)) {
            return i;
        }
    }
    for (size_t i = 0; i < c->expected; i++) {
        if (is_name(c->judge, name, c->op->arguments[i].name)) {
            return i;
        }
    }
    return count;
}

/* POSITIONAL, KEYWORD or UNKNOWN; none where the version or the file has none. */
static ep_field kind_of(const ep_fields *fields, const ep_node *named) {
    if (!ep_field_present(fields, named, EP_F_NamedArgument_kind)) {
        return EP_F_none;
    }
    const ep_type *type = fields->schema->types[EP_SHAPE_ArgumentKind - EP_SHAPE_FIRST_TYPE];
    int64_t value = (int64_t)ep_field_bits(fields, named, EP_F_NamedArgument_kind);
    uint8_t member = ep_type_find_value(type, value);
    /* an enumerator is one of its type */
    return EP_NEVER(member == EP_NO_MEMBER) ? EP_F_none
                                            : (ep_field)fields->field[type->number][member];
}

/* SPEC 5.6.5: a positional argument is where Python would take it for that argument. An
 * argument without a kind is not checked, but may fill a place. A function on symbols
 * takes its arguments by place, whatever their kinds are. */
static void judge_order(call *c, const ep_node *named, ep_ref name, size_t place) {
    ep_field kind = kind_of(&c->judge->fields, named);
    bool in_place = place == c->positional && !c->op->arguments[place].keyword_only && !c->keyword;
    if (c->op->by_place) {
        if (place != c->positional++) {
            break_at_name(c, EP_OPERATOR_ORDER, name);
        }
    } else if (kind == EP_F_ArgumentKind_KEYWORD) {
        c->keyword = true;
    } else if (in_place) {
        c->positional++;
    } else if (kind == EP_F_ArgumentKind_POSITIONAL) {
        break_at_name(c, EP_OPERATOR_ORDER, name);
    }
}

static int tags_taken(const ep_operator *op, const ep_operator_value *value) {
    bool tensor = value->type == EP_OPERATOR_TENSOR || value->type == EP_OPERATOR_OPTIONAL_TENSOR;
    return types[value->type].takes | (value->optional ? as_none : 0) |
           (op->takes_numbers && tensor ? NUMBERS : 0);
}

static bool takes_number_list(const ep_operator_value *value) {
    return value->type == EP_OPERATOR_NUMBERS || value->type == EP_OPERATOR_OPTIONAL_NUMBERS;
}

/* Whether the names in a list of tensors are of symbolic values. */
static bool are_symbolic(const call *c, uint64_t list) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        ep_ref name =
            ep_field_bits(&c->judge->fields, ep_item_node(list, i), EP_F_TensorArgument_name);
        const ep_definition *value = ep_judge_find(c->judge, c->scope, name);
        bool symbolic = value != NULL && (value->defined == EP_HOLDS_SYM_INT ||
                                          value->defined == EP_HOLDS_SYM_FLOAT ||
                                          value->defined == EP_HOLDS_SYM_BOOL);
        TRY(symbolic);
    }
    return true;
}

/* SPEC 5.6.6 */
static void judge_type(call *c, const ep_node *argument, const ep_operator_value *value) {
    int tag = tag_bit(&c->judge->fields, argument);
    if (EP_LIKELY((tags_taken(c->op, value) & tag) != 0)) {
        return;
    }
    if (tag == as_tensors && takes_number_list(value) && are_symbolic(c, argument->slots[0])) {
        return;
    }
    bool empty = (tag & LISTS) != 0 && ep_list_count(argument->slots[0]) == 0;
    if (empty && value->list &&
        holds_for(untyped_empty, EP_COUNT_OF(untyped_empty), c->judge->version)) {
        return;
    }
    break_at_node(c, EP_OPERATOR_TYPE, argument, value->text);
}

static void judge_argument(call *c, const ep_node *named) {
    const ep_fields *fields = &c->judge->fields;
    ep_ref name = ep_field_bits(fields, named, EP_F_NamedArgument_name);
    size_t place = place_of(c, name);
    if (place == c->op->argument_count) {
        break_at_name(c, EP_OPERATOR_ARGUMENT, name); /* SPEC 5.6.2 */
        return;
    }
    uint64_t bit = UINT64_C(1) << place;
    if ((c->given & bit) != 0) {
        break_at_name(c, EP_OPERATOR_TWICE, name); /* SPEC 5.6.3 */
        return;
    }
    c->given |= bit;
    c->expected = place + 1;
    judge_order(c, named, name, place);
    judge_type(c, ep_field_node(fields, named, EP_F_NamedArgument_arg), &c->op->arguments[place]);
}

/* SPEC 5.6.4 */
static void judge_missing(call *c) {
    uint64_t missing = c->op->required & ~c->given;
    for (size_t i = 0; missing != 0; i++, missing >>= 1) {
        if ((missing & 1) != 0) {
            break_at_node(c, EP_OPERATOR_MISSING, c->node, c->op->arguments[i].name);
        }
    }
}

/* ------------------------------------------------------------------ outputs */

static bool is_int(const ep_operator_value *value) {
    return value->type == EP_OPERATOR_INT;
}

/* Whether the outputs are all returns but the ints. */
static bool ints_are_left_out(const call *c, size_t outputs) {
    size_t count = 0;
    for (size_t i = 0; i < c->op->return_count; i++) {
        count += !is_int(&c->op->returns[i]);
    }
    return c->op->return_count > 1 && outputs == count &&
           holds_for(ints_left_out, EP_COUNT_OF(ints_left_out), c->judge->version);
}

/* A single return without uses is written as none, whatever its type. One of several
 * tensors may be none: Python has None for an undefined tensor. */
static int tags_given(const ep_operator *op, const ep_operator_value *value) {
    bool none = op->return_count == 1 || value->optional || value->type == EP_OPERATOR_TENSOR;
    return types[value->type].gives | (none ? as_none : 0);
}

/* SPEC 5.6.7 */
static void judge_outputs(call *c) {
    const ep_fields *fields = &c->judge->fields;
    uint64_t outputs = ep_field_bits(fields, c->node, EP_F_Node_outputs);
    size_t count = ep_list_count(outputs);
    bool no_ints = false;
    if (count != c->op->return_count) {
        no_ints = ints_are_left_out(c, count);
        if (!no_ints) {
            break_at_node(c, EP_OPERATOR_OUTPUTS, c->node, EP_TEXT(""));
            return;
        }
    }
    for (size_t i = 0, at = 0; i < count; i++, at++) {
        while (no_ints && is_int(&c->op->returns[at])) {
            at++;
        }
        const ep_operator_value *value = &c->op->returns[at];
        const ep_node *output = ep_item_node(outputs, i);
        if ((tags_given(c->op, value) & tag_bit(fields, output)) == 0) {
            break_at_node(c, EP_OPERATOR_OUTPUTS, output, value->text);
        }
    }
}

/* What is compared with signatures. */
typedef struct calling {
    ep_judge *judge;
    const ep_scope *scope;
    const ep_node *node;
} calling;

static bool conforms(const calling *from, const ep_operator *op, bool quiet) {
    const ep_node *node = from->node;
    call c = {.judge = from->judge, .scope = from->scope, .node = node, .op = op, .quiet = quiet};
    uint64_t inputs = ep_field_bits(&from->judge->fields, node, EP_F_Node_inputs);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        judge_argument(&c, ep_item_node(inputs, i));
    }
    judge_missing(&c);
    judge_outputs(&c);
    return !c.broken;
}

/* ----------------------------------------------------------------- verifiers */

static bool is_functional(const ep_judge *judge, ep_ref verifier) {
    for (size_t i = 0; i < EP_COUNT_OF(functional_verifiers); i++) {
        if (is_name(judge, verifier, ep_text_of(functional_verifiers[i]))) {
            return true;
        }
    }
    return false;
}

/* SPEC 5.6.8 */
bool ep_verifiers_functional(const ep_judge *judge) {
    const ep_fields *fields = &judge->fields;
    const ep_node *root = judge->program->root;
    if (ep_field_present(fields, root, EP_F_ExportedProgram_dialect) &&
        is_functional(judge, ep_field_bits(fields, root, EP_F_ExportedProgram_dialect))) {
        return true;
    }
    uint64_t verifiers = ep_field_bits(fields, root, EP_F_ExportedProgram_verifiers);
    for (size_t i = 0; i < ep_list_count(verifiers); i++) {
        if (is_functional(judge, ep_list_at(verifiers)->items[i])) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ the rule */

/* The node has to match any one of the signatures. If it matches none, the newest one
 * determines the fault. */
static void judge_call(const calling *from, const ep_operator *op) {
    const ep_operator *each = op->older == NULL ? NULL : op;
    for (; each != NULL; each = each->older) {
        if (conforms(from, each, true)) {
            return;
        }
    }
    conforms(from, op, false);
}

/* Whether every signature writes to an argument. If one only reads, a release of the
 * version may make the call. */
static bool always_writes(const ep_operator *op) {
    while (op != NULL && op->mutates) {
        op = op->older;
    }
    return op == NULL;
}

/* A target without a signature is not checked: a higher-order operator, an extension, an
 * operator from outside PyTorch, of which there is a note, once for each target. */
void ep_rule_operator(ep_judge *judge, const ep_subject *subject) {
    const ep_operator *op = operator_of(judge, subject);
    ep_ref target = ep_field_bits(&judge->fields, subject->node, EP_F_Node_target);
    if (op == &refused) {
        ep_judge_string(judge, EP_OPERATOR, target, NULL); /* SPEC 5.6.1 */
        return;
    }
    if (op == NULL || op == &unchecked) {
        return;
    }
    if (judge->functional && always_writes(op)) { /* SPEC 5.6.8 */
        ep_judge_string(judge, EP_OPERATOR_VERIFIER, target, NULL);
    }
    judge_call(&(calling){judge, subject->scope, subject->node}, op);
}

/* Whether a signature takes tensors under a name. An unknown name counts as yes, since
 * 5.6.2 refuses it. */
static bool takes_tensors(const ep_judge *judge, const ep_operator *op, ep_ref name) {
    for (size_t i = 0; i < op->argument_count; i++) {
        if (is_name(judge, name, op->arguments[i].name)) {
            return !takes_number_list(&op->arguments[i]) &&
                   op->arguments[i].type != EP_OPERATOR_ANY;
        }
    }
    return true;
}

bool ep_takes_tensors(ep_judge *judge, const ep_subject *subject) {
    const ep_operator *op = operator_of(judge, subject);
    if (op == NULL || op == &unchecked || op == &refused) {
        return false;
    }
    ep_ref name = ep_field_bits(&judge->fields, subject->named, EP_F_NamedArgument_name);
    for (; op != NULL; op = op->older) {
        TRY(takes_tensors(judge, op, name));
    }
    return true;
}
