/*
 * diff/align.c - the alignment of two graphs: which node of one is which node of the
 * other; see diff.h. Each node has two hashes: one of its target, and one of all its
 * content except the names of values that other nodes define. Nodes whose second hash is
 * unique in both graphs are anchors. The longest increasing subsequence of the anchors
 * is matched first, as in a patience diff. Between two anchors, a node is matched with
 * the nearest node of equal hash. Anchors out of order follow. Last, in the runs that
 * remain, nodes of equal target are matched. A wrong match does no harm, because the two
 * nodes are compared afterwards.
 */
#include "diff/diff.h"

enum { WINDOW = 48 }; /* the greatest distance at which nodes are matched */

/* Which of the hashes have to be equal. */
typedef enum likeness { LIKE_ALL, LIKE_TARGET, LIKENESSES } likeness;

typedef struct aligning {
    ep_differ *d;
    ep_diff_scope *scope;
    size_t half;   /* the graph whose nodes are hashed */
    uint64_t hash; /* the hash so far */
    size_t part;   /* the offset of the part whose values are visited */
    uint64_t *keys[2][LIKENESSES];
    ep_numbers values[2]; /* the values visited so far, of each graph */
} aligning;

/* Consecutive nodes of both graphs, from the first to one past the last. */
typedef struct span {
    size_t from[2];
    size_t to[2];
} span;

static size_t length(const span *s, size_t half) {
    return s->to[half] - s->from[half];
}

static bool has_both(const span *s) {
    return length(s, 0) > 0 && length(s, 1) > 0;
}

/* ---------------------------------------------------------------------- hashes */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_text(const ep_differ *d, size_t half, ep_ref text) {
    return ep_text_hash(d->half[half].input.data, text);
}

/* The mark of an input, for its value. All bits are set if a node defines the value. */
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

/* Visits all that a member holds. */
static bool scan_member(aligning *a, const ep_node *node, ep_field field, ep_diff_visitor *visit) {
    const ep_fields *fields = &a->d->fields;
    const ep_type *type = fields->schema->types[node->type];
    const ep_shape *shape = type->members[fields->slot[field]].shape;
    return ep_diff_scan(a->d, shape, ep_field_bits(fields, node, field), visit, a);
}

static bool hash_node(aligning *a, size_t i) {
    const ep_fields *fields = &a->d->fields;
    const ep_node *node = node_of(a, a->half, i);
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    a->hash = mix(1, hash_text(a->d, a->half, ep_field_bits(fields, node, EP_F_Node_target)));
    a->keys[a->half][LIKE_TARGET][i] = a->hash;
    a->hash = mix(a->hash, ep_list_count(inputs));
    TRY(scan_member(a, node, EP_F_Node_inputs, hash_leaf));
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
    return ep_numbers_push(&a->values[a->half], known ? number : EP_DIFF_NONE);
    /* LCOV_EXCL_STOP */
}

/* Matches the values in two values of the trees, in their order. A mark is given for
 * inputs: the values get it. */
static bool match_values(aligning *a, const ep_diff_pair *pair, uint64_t mark) {
    for (a->half = 0; a->half < 2; a->half++) {
        a->values[a->half].count = 0;
        TRY(pair->at[a->half].absent ||
            ep_diff_scan(a->d, pair->shape, pair->bits[a->half], collect_value, a));
        for (size_t i = 0; mark != 0 && i < a->values[a->half].count; i++) {
            uint32_t value = a->values[a->half].items[i];
            if (value != EP_DIFF_NONE) { /* LCOV_EXCL_BR_LINE all values have numbers */
                a->scope->mark[a->half][value] = mix(mark, i);
            }
        }
    }
    for (size_t i = 0; i < a->values[0].count && i < a->values[1].count; i++) {
        uint32_t one = a->values[0].items[i];
        uint32_t other = a->values[1].items[i];
        if (one != EP_DIFF_NONE && other != EP_DIFF_NONE) { /* LCOV_EXCL_BR_LINE as above */
            a->scope->value[0][one] = other;
            a->scope->value[1][other] = one;
        }
    }
    return true;
}

/* Matches two nodes, and the values that they define. */
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

/* Finds the nearest two nodes that are alike, and how many nodes precede each. If the
 * window has none, the nodes to skip are those that were all compared with each other. */
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

/* Matches the remaining nodes by position: one is taken to have replaced the other. */
static bool match_rest(aligning *a, const span *s) {
    for (size_t i = 0; i < length(s, 0) && i < length(s, 1); i++) {
        TRY(match_nodes(a, s->from[0] + i, s->from[1] + i));
    }
    return true;
}

/* Cuts a number of nodes of both graphs off the front. */
static span cut_off(span *s, const size_t skip[2]) {
    span front = *s;
    for (size_t half = 0; half < 2; half++) {
        front.to[half] = s->from[half] += skip[half];
    }
    return front;
}

static bool match_targets(aligning *a, span s) {
    size_t skip[2];
    while (has_both(&s)) {
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
    while (has_both(&s)) {
        bool found = find_nearest(a, LIKE_ALL, &s, skip);
        cut_off(&s, skip);
        if (found) {
            TRY(match_nodes(a, s.from[0]++, s.from[1]++));
        }
    }
    return true;
}

/* The end of the run of unmatched nodes that begins here. */
static size_t end_of_run(const aligning *a, size_t half, size_t from) {
    while (from < a->scope->node_count[half] && a->scope->node[half][from] == EP_DIFF_NONE) {
        from++;
    }
    return from;
}

/* Matches the unmatched nodes behind a node with the unmatched nodes behind its match. */
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

/* The nodes of one hash: how many there are, and one of them. */
typedef struct sighting {
    uint32_t count[2];
    uint32_t node[2];
} sighting;

/* A node whose hash is unique in both graphs. */
typedef struct anchor {
    uint32_t node[2];
    uint32_t before; /* its predecessor in the longest subsequence that ends here, or none */
} anchor;

EP_STACK_OF(sightings, sighting); /* by the numbers of a map of hashes */
EP_STACK_OF(anchors, anchor);     /* in the order of the first graph */

static bool see_nodes(aligning *a, const span *s, ep_map *map, sightings *seen) {
    for (size_t half = 0; half < 2; half++) {
        for (size_t i = s->from[half]; i < s->to[half]; i++) {
            ep_bytes key = {(const char *)&a->keys[half][LIKE_ALL][i], sizeof(uint64_t)};
            uint32_t number;
            bool fresh;
            TRY(ep_map_put(map, key, &number, &fresh));
            TRY(!fresh || sightings_push(seen, (sighting){{0}, {0}}));
            seen->items[number].count[half]++;
            seen->items[number].node[half] = (uint32_t)i;
        }
    }
    return true;
}

static bool find_anchors(const aligning *a, const span *s, const ep_map *map, const sightings *seen,
                         anchors *found) {
    for (size_t i = s->from[0]; i < s->to[0]; i++) {
        ep_bytes key = {(const char *)&a->keys[0][LIKE_ALL][i], sizeof(uint64_t)};
        const sighting *each = &seen->items[ep_map_find(map, key)];
        if (each->count[0] == 1 && each->count[1] == 1) {
            anchor unique = {{(uint32_t)i, each->node[1]}, EP_DIFF_NONE};
            TRY(anchors_push(found, unique));
        }
    }
    return true;
}

/* The number of piles whose top is below a node, by binary search: the tops are
 * rising. */
static size_t pile_of(const ep_numbers *tops, const anchors *all, uint32_t node) {
    size_t low = 0;
    size_t high = tops->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->items[tops->items[middle]].node[1] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The longest increasing subsequence of the anchors, by patience sorting. Its last
 * anchor is the top of the last pile. */
static bool longest_run(anchors *all, ep_numbers *tops) {
    for (uint32_t i = 0; i < all->count; i++) {
        size_t pile = pile_of(tops, all, all->items[i].node[1]);
        all->items[i].before = pile == 0 ? EP_DIFF_NONE : tops->items[pile - 1];
        if (pile == tops->count) {
            TRY(ep_numbers_push(tops, i));
        } else {
            tops->items[pile] = i;
        }
    }
    return true;
}

/* Goes back along the subsequence from its last anchor, and matches the gap behind
 * each. */
static bool match_anchors(aligning *a, span s, const anchors *all, const ep_numbers *tops) {
    uint32_t at = tops->count == 0 ? EP_DIFF_NONE : *ep_numbers_top(tops);
    while (at != EP_DIFF_NONE) {
        const anchor *each = &all->items[at];
        span gap = {{(size_t)each->node[0] + 1, (size_t)each->node[1] + 1}, {s.to[0], s.to[1]}};
        TRY(match_gap(a, gap) && match_nodes(a, each->node[0], each->node[1]));
        s.to[0] = each->node[0];
        s.to[1] = each->node[1];
        at = each->before;
    }
    return match_gap(a, s);
}

/* Matches the anchors that are out of order. No other node has the hash of either, so
 * that both are still unmatched. */
static bool match_moved(aligning *a, const anchors *all) {
    for (size_t i = 0; i < all->count; i++) {
        const anchor *each = &all->items[i];
        if (a->scope->node[0][each->node[0]] == EP_DIFF_NONE) {
            TRY(match_nodes(a, each->node[0], each->node[1]));
        }
    }
    return true;
}

static bool match_span(aligning *a, span s) {
    ep_map map;
    sightings seen;
    anchors all;
    ep_numbers tops;
    ep_map_init(&map, a->d->arena);
    sightings_init(&seen, a->d->arena);
    anchors_init(&all, a->d->arena);
    ep_numbers_init(&tops, a->d->arena);
    bool ok = see_nodes(a, &s, &map, &seen) && find_anchors(a, &s, &map, &seen, &all) &&
              longest_run(&all, &tops) && match_anchors(a, s, &all, &tops) && match_moved(a, &all);
    ep_map_free(&map);
    sightings_free(&seen);
    anchors_free(&all);
    ep_numbers_free(&tops);
    return ok;
}

/* Matches the common prefix and suffix first, which are most of the graph as a rule. */
static bool match_graph(aligning *a) {
    span s = {{0, 0}, {a->scope->node_count[0], a->scope->node_count[1]}};
    while (has_both(&s) && is_like(a, LIKE_ALL, s.from[0], s.from[1])) {
        TRY(match_nodes(a, s.from[0]++, s.from[1]++));
    }
    while (has_both(&s) && is_like(a, LIKE_ALL, s.to[0] - 1, s.to[1] - 1)) {
        TRY(match_nodes(a, --s.to[0], --s.to[1]));
    }
    return !has_both(&s) || (match_span(a, s) && match_runs(a));
}

/* ---------------------------------------------------------------------- inputs */

static uint64_t hash_bytes(ep_bytes text) {
    uint64_t hash = text.size + 1;
    for (size_t i = 0; i < text.size; i++) {
        hash = mix(hash, (unsigned char)text.data[i]);
    }
    return hash; /* 0 is no mark: of such an input nothing is known, as of what nodes define */
}

/* The inputs of the program are marked by their specs. */
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
    ep_diff_keys keys[2];
    if (ep_diff_is_root(d, a->scope)) {
        marking m = {a, keys, ep_diff_specs(d, EP_F_GraphSignature_input_specs)};
        return ep_diff_match_specs(d, EP_F_GraphSignature_input_specs, keys) &&
               ep_diff_go(d, keys, mark_input, &m);
    }
    ep_diff_pair lists = ep_diff_member(d, a->scope->graph, EP_F_Graph_inputs);
    for (uint32_t i = 0; i < ep_list_count(lists.bits[0]) && i < ep_list_count(lists.bits[1]);
         i++) {
        ep_diff_pair pair = ep_diff_items(d, &lists, (uint32_t[2]){i, i});
        TRY(match_values(a, &pair, mix(i, EP_DIFF_NONE))); /* never 0, which is no mark */
    }
    return true;
}

/* ----------------------------------------------------------------------- whole */

/* Visits all that the current graph defines. */
static bool scan_definitions(aligning *a, ep_diff_visitor *visit) {
    const ep_node *graph = a->scope->graph[a->half];
    uint64_t inputs = list_of(a, a->half, EP_F_Graph_inputs);
    const ep_shape *shape = &a->d->fields.schema->shapes[EP_SHAPE_Argument];
    bool root = ep_diff_is_root(a->d, a->scope);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        a->part = root ? ep_item_node(inputs, i)->offset : graph->offset;
        TRY(ep_diff_scan(a->d, shape, ep_list_at(inputs)->items[i], visit, a));
    }
    for (size_t i = 0; i < a->scope->node_count[a->half]; i++) {
        a->part = node_of(a, a->half, i)->offset;
        TRY(scan_member(a, node_of(a, a->half, i), EP_F_Node_outputs, visit));
    }
    return true;
}

/* The number of a defined value; none for what is no name, and for the name of a
 * constant of version 1. */
static uint32_t defined_number(const aligning *a, uint8_t role, uint64_t bits) {
    return role == EP_DIFF_VALUE_NAME ? ep_diff_number(a->d->half[a->half].input, bits)
                                      : EP_DIFF_NONE;
}

static bool bound_value(void *context, uint8_t role, const ep_shape *shape, uint64_t bits) {
    aligning *a = context;
    size_t *bound = &a->scope->value_count[a->half];
    uint32_t number = defined_number(a, role, bits);
    (void)shape;
    if (number != EP_DIFF_NONE && EP_ALWAYS(number >= *bound)) { /* SPEC 6.6.1: they ascend */
        *bound = (size_t)number + 1;
    }
    return true;
}

static bool mark_value(void *context, uint8_t role, const ep_shape *shape, uint64_t bits) {
    aligning *a = context;
    uint32_t number = defined_number(a, role, bits);
    (void)shape;
    if (number != EP_DIFF_NONE) {
        a->scope->value[a->half][number] = EP_DIFF_NONE;
        a->scope->giver[a->half][number] = a->part;
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
    void *arrays[4 + LIKENESSES];
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
        open_array(a->d, nodes, sizeof(uint64_t), &arrays[4]) &&
        open_array(a->d, values, sizeof(size_t), &arrays[5]));
    scope->value[half] = arrays[0];
    scope->mark[half] = arrays[1];
    scope->node[half] = arrays[2];
    a->keys[half][LIKE_ALL] = arrays[3];
    a->keys[half][LIKE_TARGET] = arrays[4];
    scope->giver[half] = arrays[5];
    for (size_t i = 0; i < values; i++) {
        scope->value[half][i] = EP_DIFF_NO_VALUE;
    }
    return scan_definitions(a, mark_value);
}

bool ep_diff_align(ep_differ *d, ep_diff_scope *scope) {
    aligning a = {.d = d, .scope = scope};
    ep_numbers_init(&a.values[0], d->arena);
    ep_numbers_init(&a.values[1], d->arena);
    bool ok = open_half(&a, 0) && open_half(&a, 1) && match_inputs(&a) && hash_nodes(&a) &&
              match_graph(&a);
    ep_numbers_free(&a.values[0]);
    ep_numbers_free(&a.values[1]);
    return ok;
}
