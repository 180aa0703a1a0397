/*
 * rules/signature.c - SPEC 5.3: the signature against the graph, and its parts against
 * each other.
 */
#include "rules/rules.h"

#include <string.h>

typedef struct signing {
    ep_judge *judge;
    const ep_fields *fields;
    const ep_scope *scope; /* of the program's own graph */
    ep_specs specs;        /* the judge's */
    bool old;              /* the dictionaries of version 1 */
} signing;

/* The arguments of the graph that the specs go with. */
static uint64_t graph_list(const signing *s, ep_field field) {
    return ep_field_bits(s->fields, s->scope->graph, field);
}

/* The place at which a fault of a spec is reported. In the dictionaries of version 1
 * the value is a key; in its lists of names, which have no targets, it is an item. */
static void break_spec(const signing *s, ep_code code, const ep_spec *spec, const char *expected) {
    if (!s->old) {
        ep_judge_node(s->judge, code, spec->spec, expected);
    } else if (spec->target != 0) {
        ep_judge_key(s->judge, code, spec->value, expected);
    } else {
        ep_judge_string(s->judge, code, spec->value, expected);
    }
}

static void break_target(const signing *s, ep_code code, const ep_spec *spec) {
    ep_judge_string(s->judge, code, spec->target, NULL);
}

/* ------------------------------------------------- the graph's own arguments */

static bool same_text(const signing *s, ep_ref a, ep_ref b) {
    return ep_text_compare(s->judge->input.data, a, b) == 0;
}

/* Takes the one name that an argument uses. */
static void take_name(ep_judge *judge, void *context, const ep_use *use) {
    (void)judge;
    ep_ref *name = context;
    *name = use->name;
}

static bool argument_name(const signing *s, const ep_node *argument, ep_ref *name) {
    *name = 0;
    ep_judge_uses(s->judge, argument, take_name, name);
    return *name != 0;
}

/* Whether two constants, Arguments or ConstantValues, are equal: in type, by the tag's
 * name, and in value. */
static bool same_constant(const signing *s, const ep_node *a, const ep_node *b) {
    const ep_member *x = &s->fields->schema->types[a->type]->members[a->tag];
    const ep_member *y = &s->fields->schema->types[b->type]->members[b->tag];
    if (!ep_text_equal(ep_text_of(x->row->name), ep_text_of(y->row->name))) {
        return false;
    }
    if (x->shape->op == EP_OP_STR) {
        return same_text(s, a->slots[0], b->slots[0]);
    }
    /* a symbolic argument that is a number is refused already: 5.1.8, 5.1.9 */
    return x->shape->op < EP_OP_STRUCT && a->slots[0] == b->slots[0];
}

/* Whether a spec has the same argument as the graph. */
static bool agrees(const signing *s, const ep_spec *spec, const ep_node *argument) {
    ep_ref name;
    ep_ref own;
    bool named = argument_name(s, argument, &name);
    if (spec->named) {
        return spec->holds == ep_tag(s->fields, argument) && same_text(s, spec->value, name);
    }
    if (spec->argument->type != argument->type) { /* a ConstantValue */
        return !named && same_constant(s, spec->argument, argument);
    }
    if (spec->argument->tag != argument->tag) {
        return false;
    }
    if (argument_name(s, spec->argument, &own)) {
        return named && same_text(s, own, name);
    }
    return !named && same_constant(s, spec->argument, argument);
}

/* SPEC 5.3.1, 5.3.2, 5.3.3, 5.3.4: how many, then place by place. */
static void match(const signing *s, const ep_spec *specs, size_t count, uint64_t arguments,
                  ep_code number) {
    if (count != ep_list_count(arguments)) {
        ep_judge_node(s->judge, number, s->specs.node, NULL);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!agrees(s, &specs[i], ep_item_node(arguments, i))) {
            break_spec(s, (ep_code)(number + 1), &specs[i], NULL);
        }
    }
}

/* Kinds are ordered by these ranks, as PyTorch lifts them; kinds of one rank may be
 * mixed. */
static const uint8_t input_ranks[] = {
    [EP_INPUT_TOKEN] = 0,
    [EP_INPUT_PARAMETER] = 1,
    [EP_INPUT_BUFFER] = 1,
    [EP_INPUT_BUFFER_NOT_PERSISTENT] = 1,
    [EP_INPUT_TENSOR_CONSTANT] = 1,
    [EP_INPUT_CUSTOM_OBJ] = 1,
    [EP_INPUT_USER] = 2,
    [EP_INPUT_CONSTANT] = 2,
};

static const uint8_t output_ranks[] = {
    [EP_OUTPUT_TOKEN] = 0,
    [EP_OUTPUT_BUFFER_MUTATION] = 1,
    [EP_OUTPUT_PARAMETER_MUTATION] = 1,
    [EP_OUTPUT_USER_INPUT_MUTATION] = 1,
    [EP_OUTPUT_USER] = 2,
    [EP_OUTPUT_LOSS] = 2,
    [EP_OUTPUT_GRADIENT_TO_PARAMETER] = 3,
    [EP_OUTPUT_GRADIENT_TO_USER_INPUT] = 3,
};

static void check_order(const signing *s, const ep_spec *specs, size_t count,
                        const uint8_t *ranks) {
    uint8_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t rank = ranks[specs[i].kind];
        if (rank < highest) {
            break_spec(s, EP_SIGNATURE_ORDER, &specs[i], NULL);
        }
        highest = rank > highest ? rank : highest;
    }
}

/* ---------------------------------------------------------------- version 1 */

/* How many arguments of each name have no entry yet. */
typedef struct balance {
    ep_judge *judge;
    ep_map names;
    uint32_t *left;
} balance;

/* The number of a name that is put, or only looked for; EP_MAP_NONE: it is none of them. */
static uint32_t number_of(balance *b, ep_ref name, bool put) {
    ep_bytes text;
    uint32_t number = EP_MAP_NONE;
    bool fresh;
    bool ok = ep_ref_text(b->judge->arena, b->judge->input, name, &text) &&
              (!put || ep_map_put(&b->names, text, &number, &fresh));
    b->judge->out_of_memory = b->judge->out_of_memory || !ok;
    return ok && !put ? ep_map_find(&b->names, text) : number;
}

/* The dictionaries of version 1 name every argument of the graph as often as it stands
 * there, and nothing else. */
static void match_old(const signing *s, const ep_spec *specs, size_t count, uint64_t arguments,
                      ep_code number) {
    ep_ref name;
    balance b = {.judge = s->judge};
    if (count != ep_list_count(arguments)) {
        ep_judge_node(s->judge, number, s->specs.node, NULL);
        return;
    }
    b.left = ep_arena_array(s->judge->arena, 0, count, sizeof *b.left);
    if (b.left == NULL) {
        s->judge->out_of_memory = true;
        return;
    }
    memset(b.left, 0, count * sizeof *b.left);
    ep_map_init(&b.names, s->judge->arena);
    for (size_t i = 0; i < count && !s->judge->out_of_memory; i++) {
        uint32_t named = argument_name(s, ep_item_node(arguments, i), &name)
                             ? number_of(&b, name, true)
                             : EP_MAP_NONE;
        if (named != EP_MAP_NONE) {
            b.left[named]++;
        }
    }
    for (size_t i = 0; i < count && !s->judge->out_of_memory; i++) {
        uint32_t named = number_of(&b, specs[i].value, false);
        if (named == EP_MAP_NONE || b.left[named] == 0) {
            break_spec(s, (ep_code)(number + 1), &specs[i], NULL);
        } else {
            b.left[named]--;
        }
    }
    ep_map_free(&b.names);
}

/* ------------------------------------------------------------------ targets */

static bool is_lifted(const ep_spec *spec) {
    return spec->kind != EP_INPUT_USER && spec->kind != EP_INPUT_CONSTANT &&
           spec->kind != EP_INPUT_TOKEN;
}

/* SPEC 5.3.6 */
void ep_rule_spec_name(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    for (size_t i = 0; i < judge->specs.input_count; i++) {
        const ep_spec *spec = &judge->specs.inputs[i];
        if (is_lifted(spec) && ep_ref_size(spec->target) == 0) {
            ep_judge_string(judge, EP_SPEC_NAME, spec->target, NULL);
        }
    }
}

/* shared: two parameters may have the same name. */
static void check_twice(ep_judge *judge, bool shared) {
    ep_distinct parameters, others;
    ep_distinct_init(&parameters, judge);
    ep_distinct_init(&others, judge);
    for (size_t i = 0; i < judge->specs.input_count; i++) {
        const ep_spec *spec = &judge->specs.inputs[i];
        bool parameter = spec->kind == EP_INPUT_PARAMETER;
        if (!is_lifted(spec)) {
            continue;
        }
        bool fresh = ep_distinct_add(parameter ? &parameters : &others, spec->target);
        bool clash = ep_distinct_has(parameter ? &others : &parameters, spec->target);
        if (clash || (!fresh && !(parameter && shared))) {
            ep_judge_string(judge, EP_SPEC_TWICE, spec->target, NULL);
        }
    }
    ep_distinct_free(&parameters);
    ep_distinct_free(&others);
}

/* SPEC 5.3.7 */
void ep_rule_spec_twice(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    check_twice(judge, false);
}

/* SPEC 5.3.7, where one parameter may be two inputs */
void ep_rule_spec_twice_shared(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    check_twice(judge, true);
}

/* The names that the targets of a kind of output may have: those of the parameters or
 * buffers that are inputs, or for user inputs the names of the values. */
static void gather(const signing *s, ep_input_kind kind, ep_distinct *names) {
    for (size_t i = 0; i < s->specs.input_count; i++) {
        const ep_spec *spec = &s->specs.inputs[i];
        ep_ref name = spec->named ? spec->value : 0;
        if (spec->kind != (int)kind &&
            !(kind == EP_INPUT_BUFFER && spec->kind == EP_INPUT_BUFFER_NOT_PERSISTENT)) {
            continue;
        }
        if (kind != EP_INPUT_USER) {
            ep_distinct_add(names, spec->target);
        } else if (name != 0 || argument_name(s, spec->argument, &name)) {
            ep_distinct_add(names, name);
        }
    }
}

typedef struct target_row {
    uint8_t output; /* ep_output_kind */
    uint8_t input;  /* ep_input_kind that its target is */
    bool once;      /* a target of one output only */
    ep_code code;
} target_row;

static const target_row target_rows[] = {
    {EP_OUTPUT_BUFFER_MUTATION, EP_INPUT_BUFFER, true, EP_MUTATION_TARGET},
    {EP_OUTPUT_PARAMETER_MUTATION, EP_INPUT_PARAMETER, true, EP_MUTATION_TARGET},
    {EP_OUTPUT_USER_INPUT_MUTATION, EP_INPUT_USER, true, EP_MUTATION_TARGET},
    {EP_OUTPUT_GRADIENT_TO_PARAMETER, EP_INPUT_PARAMETER, false, EP_GRADIENT},
    {EP_OUTPUT_GRADIENT_TO_USER_INPUT, EP_INPUT_USER, false, EP_GRADIENT},
};

static bool has_output(const signing *s, int kind) {
    for (size_t i = 0; i < s->specs.output_count; i++) {
        if (s->specs.outputs[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* SPEC 5.3.8, 5.3.9, 5.3.10, for one kind of output. */
static void check_targets(const signing *s, const target_row *row) {
    ep_distinct names, met;
    if (!has_output(s, row->output)) {
        return;
    }
    ep_distinct_init(&names, s->judge);
    ep_distinct_init(&met, s->judge);
    gather(s, (ep_input_kind)row->input, &names);
    for (size_t i = 0; i < s->specs.output_count; i++) {
        const ep_spec *spec = &s->specs.outputs[i];
        if (spec->kind != row->output) {
            continue;
        }
        if (!ep_distinct_has(&names, spec->target)) {
            break_target(s, row->code, spec);
        }
        if (!ep_distinct_add(&met, spec->target) && row->once) {
            break_target(s, EP_MUTATION_TWICE, spec);
        }
    }
    ep_distinct_free(&names);
    ep_distinct_free(&met);
}

/* SPEC 5.3.11 */
void ep_rule_loss_once(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    bool met = false;
    for (size_t i = 0; i < judge->specs.output_count; i++) {
        const ep_spec *spec = &judge->specs.outputs[i];
        if (spec->kind == EP_OUTPUT_LOSS && met) {
            ep_judge_node(judge, EP_LOSS, spec->spec, "one loss");
        }
        met = met || spec->kind == EP_OUTPUT_LOSS;
    }
}

/* SPEC 5.3.11: gradients need a loss. */
void ep_rule_loss_missing(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    const ep_spec *gradient = NULL;
    for (size_t i = judge->specs.output_count; i-- > 0;) {
        const ep_spec *spec = &judge->specs.outputs[i];
        if (spec->kind == EP_OUTPUT_LOSS) {
            return;
        }
        if (spec->kind == EP_OUTPUT_GRADIENT_TO_PARAMETER ||
            spec->kind == EP_OUTPUT_GRADIENT_TO_USER_INPUT) {
            gradient = spec;
        }
    }
    if (gradient != NULL) {
        ep_judge_node(judge, EP_LOSS, gradient->spec, "a loss among the outputs");
    }
}

static size_t count_of(const ep_spec *specs, size_t count, int kind) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        n += specs[i].kind == kind;
    }
    return n;
}

/* SPEC 5.3.12 */
void ep_rule_tokens(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    const ep_specs *specs = &judge->specs;
    if (count_of(specs->inputs, specs->input_count, EP_INPUT_TOKEN) !=
        count_of(specs->outputs, specs->output_count, EP_OUTPUT_TOKEN)) {
        ep_judge_node(judge, EP_TOKENS, specs->node, NULL);
    }
}

/* SPEC 5.3.11: the loss of version 1 is one of the outputs. */
void ep_rule_loss_named(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    const ep_fields *fields = &judge->fields;
    const ep_node *backward =
        ep_field_node(fields, judge->specs.node, EP_F_GraphSignature_backward_signature);
    if (backward == NULL) {
        return;
    }
    ep_ref loss = ep_field_bits(fields, backward, EP_F_BackwardSignature_loss_output);
    for (size_t i = 0; i < judge->specs.output_count; i++) {
        const ep_spec *spec = &judge->specs.outputs[i];
        if (spec->kind == EP_OUTPUT_USER &&
            ep_text_compare(judge->input.data, loss, spec->value) == 0) {
            return;
        }
    }
    ep_judge_string(judge, EP_LOSS, loss, "a user output");
}

/* SPEC 5.3.13: the name becomes that of a placeholder. */
void ep_rule_constant_names(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    ep_distinct names;
    ep_distinct_init(&names, judge);
    for (size_t i = 0; i < judge->specs.input_count; i++) {
        const ep_spec *spec = &judge->specs.inputs[i];
        if (spec->kind == EP_INPUT_CONSTANT && ep_ref_size(spec->target) > 0 &&
            (!ep_distinct_add(&names, spec->target) ||
             ep_judge_find(judge, judge->scopes, spec->target) != NULL)) {
            ep_judge_string(judge, EP_CONSTANT_NAME, spec->target, NULL);
        }
    }
    ep_distinct_free(&names);
}

static signing signing_of(ep_judge *judge) {
    return (signing){.judge = judge,
                     .fields = &judge->fields,
                     .scope = judge->scopes,
                     .specs = judge->specs,
                     .old = judge->fields.slot[EP_F_GraphSignature_input_specs] == EP_NO_MEMBER};
}

/* SPEC 5.3.8 to 5.3.10 */
void ep_rule_targets(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    signing s = signing_of(judge);
    for (size_t i = 0; i < EP_COUNT_OF(target_rows); i++) {
        check_targets(&s, &target_rows[i]);
    }
}

/* SPEC 5.3.5 */
void ep_rule_order(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    signing s = signing_of(judge);
    check_order(&s, s.specs.inputs, s.specs.input_count, input_ranks);
    check_order(&s, s.specs.outputs, s.specs.output_count, output_ranks);
}

/* SPEC 5.3.1 to 5.3.4 */
void ep_rule_signature(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    signing s = signing_of(judge);
    match(&s, s.specs.inputs, s.specs.input_count, graph_list(&s, EP_F_Graph_inputs),
          EP_SIGNATURE_INPUTS);
    match(&s, s.specs.outputs, s.specs.output_count, graph_list(&s, EP_F_Graph_outputs),
          EP_SIGNATURE_OUTPUTS);
}

/* SPEC 5.3.1 to 5.3.4, of version 1 */
void ep_rule_signature_old(ep_judge *judge, const ep_subject *subject) {
    (void)subject;
    signing s = signing_of(judge);
    match_old(&s, s.specs.inputs, s.specs.input_count, graph_list(&s, EP_F_Graph_inputs),
              EP_SIGNATURE_INPUTS);
    match_old(&s, s.specs.outputs, s.specs.output_count, graph_list(&s, EP_F_Graph_outputs),
              EP_SIGNATURE_OUTPUTS);
}
