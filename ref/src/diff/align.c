/*
 * diff/align.c - which node of one graph is which of another; see
 * diff.h. Each node has two hashes: of its target, and of all that it says but
 * the names of what other nodes define. Nodes whose hash is the only one of its
 * kind in both graphs are anchors, as far as they stand in the same order; between
 * two anchors a node is matched with the nearest one that has its hash; then come
 * anchors that stand elsewhere, and at last, between what was matched, nodes of
 * one target. A wrong match is seen when the two nodes are compared.
 */
#include "diff/diff.h"

enum { WINDOW = 48 }; /* so far apart are nodes that are looked at */

/* How alike nodes have to be. */
typedef enum likeness { LIKE_ALL, LIKE_TARGET, LIKENESSES } likeness;

typedef struct aligning {
    ep_differ *d;
    ep_diff_scope *scope;
    size_t half;   /* whose nodes are being hashed */
    uint64_t hash; /* of what was gone through so far */
    uint64_t *keys[2][LIKENESSES];
    ep_stack values[2]; /* the numbers of what was gone through */
} aligning;

/* Nodes next to each other, of both graphs: from here to before there. */
typedef struct span {
    size_t from[2];
    size_t to[2];
} span;

static size_t length(const span *s, size_t half) {
    return s->to[half] - s->from[half];
}

/* ---------------------------------------------------------------------- hashes */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_text(const ep_differ *d, size_t half, ep_ref text) {
    return ep_text_hash(d->half[half].input.data, text);
}

/* What an input is, of a value; 0 if a node defines it. */
static uint64_t mark_of(const aligning *a, ep_ref name) {
    uint32_t number = ep_diff_number(a->d->half[a->half].input, name);
    bool known = number < a->scope->value_count[a->half];
    /* LCOV_EXCL_START what a node uses is a value, and all values have numbers */
    return known ? a->scope->mark[a->half][number] : 0;
    /* LCOV_EXCL_STOP */
}

static bool hash_leaf(void *context, uint8_t role, const ep_shape *shape, uint64_t bits) {
    aligning *a = context;
    uint64_t word = bits;
    if (role == EP_DIFF_VALUE_NAME) {
        word = mark_of(a, bits);
    } else if (role == EP_DIFF_GRAPH) {
        word = ep_list_count(ep_field_bits(&a->d->fields, ep_node_at(bits), EP_F_Graph_nodes));
    } else if (role != EP_DIFF_PLAIN) {
        word = role;
    } else if (shape->op == EP_OP_STR) {
        word = hash_text(a->d, a->half, bits);
    }
    a->hash = mix(a->hash, word);
    return true;
}

static uint64_t list_of(const aligning *a, size_t half, ep_field field) {
    return ep_field_bits(&a->d->fields, a->scope->graph[half], field);
}

static const ep_node *node_of(const aligning *a, size_t half, size_t i) {
    return ep_item_node(list_of(a, half, EP_F_Graph_nodes), i);
}

static bool hash_node(aligning *a, size_t i) {
    const ep_fields *fields = &a->d->fields;
    const ep_node *node = node_of(a, a->half, i);
    const ep_shape *shape =
        fields->schema->types[node->type]->members[fields->slot[EP_F_Node_inputs]].shape;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    a->hash = mix(1, hash_text(a->d, a->half, ep_field_bits(fields, node, EP_F_Node_target)));
    a->keys[a->half][LIKE_TARGET][i] = a->hash;
    a->hash = mix(a->hash, ep_list_count(inputs));
    TRY(ep_diff_scan(a->d, shape, inputs, hash_leaf, a));
    a->keys[a->half][LIKE_ALL][i] = a->hash;
    return true;
}

static bool hash_nodes(aligning *a) {
    for (a->half = 0; a->half < 2; a->half++) {
        for (size_t i = 0; i < a->scope->node_count[a->half]; i++) {
            TRY(hash_node(a, i));
        }
    }
    return true;
}

/* --------------------------------------------------------------------- values */

static bool collect_value(void *context, uint8_t role, const ep_shape *shape, uint64_t bits) {
    aligning *a = context;
    (void)shape;
    if (role != EP_DIFF_VALUE_NAME) {
        return true;
    }
    uint32_t number = ep_diff_number(a->d->half[a->half].input, bits);
    bool known = number < a->scope->value_count[a->half];
    /* LCOV_EXCL_START what is defined is a value, and all values have numbers */
    return ep_stack_push(&a->values[a->half], known ? number : EP_DIFF_NONE);
    /* LCOV_EXCL_STOP */
}

/* Matches the values of two values of the trees, the first with the first; marks
 * them, for inputs. */
static bool match_values(aligning *a, const ep_diff_pair *pair, uint64_t mark) {
    for (a->half = 0; a->half < 2; a->half++) {
        a->values[a->half].count = 0;
        TRY(pair->at[a->half].absent ||
            ep_diff_scan(a->d, pair->shape, pair->bits[a->half], collect_value, a));
        for (size_t i = 0; mark != 0 && i < a->values[a->half].count; i++) {
            uint64_t value = a->values[a->half].words[i];
            if (value != EP_DIFF_NONE) { /* LCOV_EXCL_BR_LINE all values have numbers */
                a->scope->mark[a->half][value] = mix(mark, i);
            }
        }
    }
    for (size_t i = 0; i < a->values[0].count && i < a->values[1].count; i++) {
        uint64_t one = a->values[0].words[i];
        uint64_t other = a->values[1].words[i];
        if (one != EP_DIFF_NONE && other != EP_DIFF_NONE) { /* LCOV_EXCL_BR_LINE as above */
            a->scope->value[0][one] = (uint32_t)other;
            a->scope->value[1][other] = (uint32_t)one;
        }
    }
    return true;
}

/* Two nodes are the same one, and what they define is. */
static bool match_nodes(aligning *a, size_t one, size_t other) {
    a->scope->node[0][one] = (uint32_t)other;
    a->scope->node[1][other] = (uint32_t)one;
    const ep_node *nodes[2] = {node_of(a, 0, one), node_of(a, 1, other)};
    ep_diff_pair pair = ep_diff_member(a->d, nodes, EP_F_Node_outputs);
    return match_values(a, &pair, 0);
}

/* ------------------------------------------------------------------------ gaps */

static bool is_like(const aligning *a, likeness how, size_t one, size_t other) {
    return a->keys[0][how][one] == a->keys[1][how][other];
}

/* The nearest two nodes that are alike; if there are none in the window, the
 * nodes that were all compared are in front of what is given back. */
static bool find_nearest(const aligning *a, likeness how, const span *s, size_t skip[2]) {
    for (size_t apart = 0; apart < WINDOW; apart++) {
        for (size_t i = 0; i <= apart; i++) {
            size_t j = apart - i;
            if (i < length(s, 0) && j < length(s, 1) &&
                is_like(a, how, s->from[0] + i, s->from[1] + j)) {
                skip[0] = i;
                skip[1] = j;
                return true;
            }
        }
    }
    for (size_t half = 0; half < 2; half++) {
        skip[half] = length(s, half) < WINDOW / 2 ? length(s, half) : WINDOW / 2;
    }
    return false;
}

/* What is like nothing: one took the other's place. */
static bool match_rest(aligning *a, const span *s) {
    for (size_t i = 0; i < length(s, 0) && i < length(s, 1); i++) {
        TRY(match_nodes(a, s->from[0] + i, s->from[1] + i));
    }
    return true;
}

/* Skips so many nodes of both graphs. */
static span cut_off(span *s, const size_t skip[2]) {
    span front = *s;
    for (size_t half = 0; half < 2; half++) {
        front.to[half] = s->from[half] += skip[half];
    }
    return front;
}

static bool match_targets(aligning *a, span s) {
    size_t skip[2];
    while (length(&s, 0) > 0 && length(&s, 1) > 0) {
        bool found = find_nearest(a, LIKE_TARGET, &s, skip);
        span front = cut_off(&s, skip);
        TRY(match_rest(a, &front));
        if (found) {
            TRY(match_nodes(a, s.from[0]++, s.from[1]++));
        }
    }
    return true;
}

static bool match_gap(aligning *a, span s) {
    size_t skip[2];
    while (length(&s, 0) > 0 && length(&s, 1) > 0) {
        bool found = find_nearest(a, LIKE_ALL, &s, skip);
        cut_off(&s, skip);
        if (found) {
            TRY(match_nodes(a, s.from[0]++, s.from[1]++));
        }
    }
    return true;
}

/* The end of the nodes from here on that have no match yet. */
static size_t end_of_run(const aligning *a, size_t half, size_t from) {
    while (from < a->scope->node_count[half] && a->scope->node[half][from] == EP_DIFF_NONE) {
        from++;
    }
    return from;
}

/* What is left behind one node is matched with what is left behind its match. */
static bool match_runs(aligning *a) {
    size_t end;
    for (size_t i = 0; i < a->scope->node_count[0]; i = end + 1) {
        size_t other = i == 0 ? 0 : a->scope->node[0][i - 1] + 1;
        end = end_of_run(a, 0, i);
        TRY(match_targets(a, (span){{i, other}, {end, end_of_run(a, 1, other)}}));
    }
    return true;
}

/* --------------------------------------------------------------------- anchors */

/* Where the nodes of a hash are. */
typedef struct sighting {
    uint32_t count[2];
    uint32_t node[2];
} sighting;

enum { SIGHTING_WORDS = EP_WORDS_OF(sighting) };

static bool see_nodes(aligning *a, const span *s, ep_map *map, ep_stack *sightings) {
    for (size_t half = 0; half < 2; half++) {
        for (size_t i = s->from[half]; i < s->to[half]; i++) {
            ep_bytes key = {(const char *)&a->keys[half][LIKE_ALL][i], sizeof(uint64_t)};
            uint32_t number;
            bool fresh;
            TRY(ep_map_put(map, key, &number, &fresh));
            if (fresh) {
                TRY(ep_stack_push(sightings, 0) && ep_stack_push(sightings, 0));
            }
            sighting seen;
            memcpy(&seen, sightings->words + number * SIGHTING_WORDS, sizeof seen);
            seen.count[half]++;
            seen.node[half] = (uint32_t)i;
            memcpy(sightings->words + number * SIGHTING_WORDS, &seen, sizeof seen);
        }
    }
    return true;
}

/* The nodes that are the only ones of their kind in both graphs, in the order of
 * the first: pairs of numbers. */
static bool find_unique(const aligning *a, const span *s, const ep_map *map,
                        const ep_stack *sightings, ep_stack *pairs) {
    for (size_t i = s->from[0]; i < s->to[0]; i++) {
        ep_bytes key = {(const char *)&a->keys[0][LIKE_ALL][i], sizeof(uint64_t)};
        sighting seen;
        memcpy(&seen, sightings->words + ep_map_find(map, key) * SIGHTING_WORDS, sizeof seen);
        if (seen.count[0] == 1 && seen.count[1] == 1) {
            TRY(ep_stack_push(pairs, i) && ep_stack_push(pairs, seen.node[1]));
        }
    }
    return true;
}

/* How many of the piles, whose tops rise, have a top below a node. */
static size_t pile_of(const ep_stack *tops, const ep_stack *pairs, uint64_t node) {
    size_t low = 0;
    size_t high = tops->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pairs->words[2 * tops->words[middle] + 1] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The longest run of pairs that rises in both graphs, as patience sorting finds
 * it; before: the pair that precedes each, or none. The last of them is the top
 * of the last pile. */
static bool longest_run(const ep_stack *pairs, ep_stack *tops, ep_stack *before) {
    for (size_t i = 0; i < pairs->count / 2; i++) {
        size_t pile = pile_of(tops, pairs, pairs->words[2 * i + 1]);
        TRY(ep_stack_push(before, pile == 0 ? EP_DIFF_NONE : tops->words[pile - 1]));
        if (pile == tops->count) {
            TRY(ep_stack_push(tops, i));
        } else {
            tops->words[pile] = i;
        }
    }
    return true;
}

/* From the last anchor to the first, and the gap behind each. */
static bool match_anchors(aligning *a, span s, const ep_stack *pairs, const ep_stack *tops,
                          const ep_stack *before) {
    uint64_t at = tops->count == 0 ? EP_DIFF_NONE : tops->words[tops->count - 1];
    for (; at != EP_DIFF_NONE; at = before->words[at]) {
        const uint64_t *anchor = pairs->words + 2 * at;
        span gap = {{(size_t)anchor[0] + 1, (size_t)anchor[1] + 1}, {s.to[0], s.to[1]}};
        TRY(match_gap(a, gap) && match_nodes(a, (size_t)anchor[0], (size_t)anchor[1]));
        s.to[0] = (size_t)anchor[0];
        s.to[1] = (size_t)anchor[1];
    }
    return match_gap(a, s);
}

/* Nodes that are the only ones of their kind, but stand elsewhere: nothing else
 * is like either, so that neither has a match. */
static bool match_moved(aligning *a, const ep_stack *pairs) {
    for (size_t i = 0; i < pairs->count; i += 2) {
        size_t one = (size_t)pairs->words[i];
        size_t other = (size_t)pairs->words[i + 1];
        if (a->scope->node[0][one] == EP_DIFF_NONE) {
            TRY(match_nodes(a, one, other));
        }
    }
    return true;
}

static bool match_span(aligning *a, span s) {
    ep_map map;
    ep_stack stacks[4]; /* sightings, pairs, tops, before */
    ep_map_init(&map, a->d->arena);
    for (size_t i = 0; i < EP_COUNT_OF(stacks); i++) {
        ep_stack_init(&stacks[i], a->d->arena);
    }
    bool ok = see_nodes(a, &s, &map, &stacks[0]) &&
              find_unique(a, &s, &map, &stacks[0], &stacks[1]) &&
              longest_run(&stacks[1], &stacks[2], &stacks[3]) &&
              match_anchors(a, s, &stacks[1], &stacks[2], &stacks[3]) && match_moved(a, &stacks[1]);
    ep_map_free(&map);
    for (size_t i = 0; i < EP_COUNT_OF(stacks); i++) {
        ep_stack_free(&stacks[i]);
    }
    return ok;
}

/* What is alike at the beginning and at the end is most of it, as a rule. */
static bool match_graph(aligning *a) {
    span s = {{0, 0}, {a->scope->node_count[0], a->scope->node_count[1]}};
    while (length(&s, 0) > 0 && length(&s, 1) > 0 && is_like(a, LIKE_ALL, s.from[0], s.from[1])) {
        TRY(match_nodes(a, s.from[0]++, s.from[1]++));
    }
    while (length(&s, 0) > 0 && length(&s, 1) > 0 &&
           is_like(a, LIKE_ALL, s.to[0] - 1, s.to[1] - 1)) {
        TRY(match_nodes(a, --s.to[0], --s.to[1]));
    }
    return length(&s, 0) == 0 || length(&s, 1) == 0 || (match_span(a, s) && match_runs(a));
}

/* ---------------------------------------------------------------------- inputs */

static uint64_t hash_bytes(ep_bytes text) {
    uint64_t hash = text.size + 1;
    for (size_t i = 0; i < text.size; i++) {
        hash = mix(hash, (unsigned char)text.data[i]);
    }
    return hash | 1; /* 0 is no mark */
}

/* The program's inputs are what their specs say. */
typedef struct marking {
    aligning *a;
    const ep_diff_keys *keys;
    ep_diff_pair lists;
} marking;

static bool mark_input(ep_differ *d, void *context, const uint32_t items[2]) {
    marking *m = context;
    ep_diff_pair pair = ep_diff_items(d, &m->lists, items);
    size_t half = items[0] != EP_DIFF_NONE ? 0 : 1;
    return match_values(m->a, &pair, hash_bytes(m->keys[half].texts[items[half]]));
}

static bool match_inputs(aligning *a) {
    ep_differ *d = a->d;
    const ep_node *modules[2];
    const ep_node *signatures[2];
    ep_diff_keys keys[2];
    bool root = true;
    for (size_t half = 0; half < 2; half++) {
        modules[half] =
            ep_field_node(&d->fields, d->half[half].root, EP_F_ExportedProgram_graph_module);
        signatures[half] = ep_field_node(&d->fields, modules[half], EP_F_GraphModule_signature);
        root = root && a->scope->graph[half] ==
                           ep_field_node(&d->fields, modules[half], EP_F_GraphModule_graph);
    }
    if (root) {
        marking m = {a, keys, ep_diff_member(d, signatures, EP_F_GraphSignature_input_specs)};
        return ep_diff_match_specs(d, EP_F_GraphSignature_input_specs, keys) &&
               ep_diff_go(d, keys, mark_input, &m);
    }
    ep_diff_pair lists = ep_diff_member(d, a->scope->graph, EP_F_Graph_inputs);
    for (uint32_t i = 0; i < ep_list_count(lists.bits[0]) && i < ep_list_count(lists.bits[1]);
         i++) {
        ep_diff_pair pair = ep_diff_items(d, &lists, (uint32_t[2]){i, i});
        TRY(match_values(a, &pair, mix(i, 1) | 1));
    }
    return true;
}

/* ----------------------------------------------------------------------- whole */

typedef bool definition_visitor(void *context, uint8_t role, const ep_shape *shape, uint64_t bits);

/* Goes through what a graph defines, half being set. */
static bool scan_definitions(aligning *a, definition_visitor *visit) {
    ep_differ *d = a->d;
    const ep_node *graph = a->scope->graph[a->half];
    ep_diff_pair inputs = ep_diff_member(d, (const ep_node *[2]){graph, graph}, EP_F_Graph_inputs);
    TRY(ep_diff_scan(d, inputs.shape, inputs.bits[0], visit, a));
    for (size_t i = 0; i < a->scope->node_count[a->half]; i++) {
        const ep_node *node = node_of(a, a->half, i);
        ep_diff_pair outputs =
            ep_diff_member(d, (const ep_node *[2]){node, node}, EP_F_Node_outputs);
        TRY(ep_diff_scan(d, outputs.shape, outputs.bits[0], visit, a));
    }
    return true;
}

/* The number that is defined; none for what is no name, or that of a constant of
 * version 1. */
static uint32_t defined_number(const aligning *a, uint8_t role, uint64_t bits) {
    return role == EP_DIFF_VALUE_NAME ? ep_diff_number(a->d->half[a->half].input, bits)
                                      : EP_DIFF_NONE;
}

static bool bound_value(void *context, uint8_t role, const ep_shape *shape, uint64_t bits) {
    aligning *a = context;
    size_t *bound = &a->scope->value_count[a->half];
    uint32_t number = defined_number(a, role, bits);
    (void)shape;
    *bound = number != EP_DIFF_NONE && number >= *bound ? (size_t)number + 1 : *bound;
    return true;
}

static bool mark_value(void *context, uint8_t role, const ep_shape *shape, uint64_t bits) {
    aligning *a = context;
    uint32_t number = defined_number(a, role, bits);
    (void)shape;
    if (number != EP_DIFF_NONE) {
        a->scope->value[a->half][number] = EP_DIFF_NONE;
    }
    return true;
}

static bool open_array(ep_differ *d, size_t count, size_t size, void **array) {
    *array = ep_arena_array(d->arena, 0, count + 1, size);
    TRY(*array != NULL);
    memset(*array, 0xFF, (count + 1) * size); /* none */
    return true;
}

static bool open_half(aligning *a, size_t half) {
    ep_diff_scope *scope = a->scope;
    void *arrays[3 + LIKENESSES];
    size_t nodes = ep_list_count(list_of(a, half, EP_F_Graph_nodes));
    scope->node_count[half] = nodes;
    scope->value_count[half] = 0;
    a->half = half;
    TRY(scan_definitions(a, bound_value));
    size_t values = scope->value_count[half];
    TRY(open_array(a->d, values, sizeof(uint32_t), &arrays[0]) &&
        open_array(a->d, values, sizeof(uint64_t), &arrays[1]) &&
        open_array(a->d, nodes, sizeof(uint32_t), &arrays[2]) &&
        open_array(a->d, nodes, sizeof(uint64_t), &arrays[3]) &&
        open_array(a->d, nodes, sizeof(uint64_t), &arrays[4]));
    scope->value[half] = arrays[0];
    scope->mark[half] = arrays[1];
    memset(scope->mark[half], 0, values * sizeof(uint64_t));
    scope->node[half] = arrays[2];
    a->keys[half][LIKE_ALL] = arrays[3];
    a->keys[half][LIKE_TARGET] = arrays[4];
    for (size_t i = 0; i < values; i++) {
        scope->value[half][i] = EP_DIFF_NO_VALUE;
    }
    return scan_definitions(a, mark_value);
}

bool ep_diff_align(ep_differ *d, ep_diff_scope *scope) {
    aligning a = {.d = d, .scope = scope};
    ep_stack_init(&a.values[0], d->arena);
    ep_stack_init(&a.values[1], d->arena);
    bool ok = open_half(&a, 0) && open_half(&a, 1) && match_inputs(&a) && hash_nodes(&a) &&
              match_graph(&a);
    ep_stack_free(&a.values[0]);
    ep_stack_free(&a.values[1]);
    return ok;
}
