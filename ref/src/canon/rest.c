/*
 * canon/rest.c - ranks the nodes that no output and no writer depends on (SPEC 6.4.3 to
 * 6.4.6). Colour refinement (Weisfeiler-Leman) distinguishes them: a node starts with
 * its face, and each round combines its hash with those of the definers and the users
 * around it.
 */
#include "base/sort.h"
#include "canon/face.h"

/* A use of a node's value by another node of the rest. */
typedef struct user {
    uint32_t node;
    uint32_t place; /* the index among the uses of that node */
} user;

typedef struct rest {
    ep_canonizer *c;
    ep_canon_graph *graph;
    uint32_t *members; /* in the order of the document */
    size_t count;
    uint32_t *sorted;     /* by their classes */
    uint64_t *looks;      /* the hash of each node so far, by nodes */
    uint64_t *numbers;    /* the next hash, likewise */
    uint32_t *first_user; /* by nodes; and one past the last */
    user *users;
    uint32_t *first_before; /* likewise, of incoming dependence edges */
    uint32_t *before;
    bool *passed;  /* by nodes */
    ep_stack open; /* the depth-first stack: a node, and its next step */
} rest;

static bool is_member(const rest *r, uint32_t node) {
    return node != EP_CANON_NONE && r->graph->nodes[node].rank == EP_CANON_NONE;
}

static uint32_t definer_of(const rest *r, const ep_canon_node *node, uint32_t use) {
    const ep_canon_graph *graph = r->graph;
    return graph->values[graph->uses[node->first_use + use].value].definer;
}

/* --------------------------------------------------------------------- users */

static bool find_members(rest *r) {
    ep_canon_graph *graph = r->graph;
    r->members = ep_canon_array(r->c, graph->node_count, sizeof *r->members);
    r->sorted = ep_canon_array(r->c, graph->node_count, sizeof *r->sorted);
    r->looks = ep_canon_array(r->c, graph->node_count, sizeof *r->looks);
    r->numbers = ep_canon_array(r->c, graph->node_count, sizeof *r->numbers);
    r->passed = ep_canon_array(r->c, graph->node_count, sizeof *r->passed);
    TRY(r->members != NULL && r->sorted != NULL && r->looks != NULL && r->numbers != NULL &&
        r->passed != NULL);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (is_member(r, i)) {
            r->members[r->count++] = i;
        }
    }
    return true;
}

/* A counting sort: the users are counted, then filled in from the last one on. They
 * keep the order of the document. */
static bool find_users(rest *r) {
    const ep_canon_graph *graph = r->graph;
    r->first_user = ep_canon_array(r->c, graph->node_count + 1, sizeof *r->first_user);
    r->users = ep_canon_array(r->c, graph->use_count, sizeof *r->users);
    TRY(r->first_user != NULL && r->users != NULL);
    for (size_t i = 0; i < r->count; i++) {
        const ep_canon_node *node = &graph->nodes[r->members[i]];
        for (uint32_t j = 0; j < node->use_count; j++) {
            uint32_t definer = definer_of(r, node, j);
            if (is_member(r, definer)) {
                r->first_user[definer]++;
            }
        }
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        r->first_user[i + 1] += r->first_user[i];
    }
    for (size_t i = r->count; i-- > 0;) {
        const ep_canon_node *node = &graph->nodes[r->members[i]];
        for (uint32_t j = node->use_count; j-- > 0;) {
            uint32_t definer = definer_of(r, node, j);
            if (is_member(r, definer)) {
                r->users[--r->first_user[definer]] = (user){r->members[i], j};
            }
        }
    }
    return true;
}

/* ------------------------------------------------------------------ numbers */

/* A new hash of each node, from its hash so far and the new hashes of its definers. */
static void look_down(rest *r) {
    for (size_t i = 0; i < r->count; i++) {
        const ep_canon_node *node = &r->graph->nodes[r->members[i]];
        uint64_t h = ep_canon_hash_number(EP_CANON_HASH, r->looks[r->members[i]]);
        for (uint32_t j = 0; j < node->use_count; j++) {
            uint32_t definer = definer_of(r, node, j);
            if (is_member(r, definer)) {
                h = ep_canon_hash_number(h, r->numbers[definer]);
            }
        }
        r->numbers[r->members[i]] = h;
    }
}

static void keep_looks(rest *r) {
    for (size_t i = 0; i < r->count; i++) {
        r->looks[r->members[i]] = r->numbers[r->members[i]];
    }
}

static int compare_numbers(const void *context, uint32_t a, uint32_t b) {
    const uint64_t *numbers = context;
    return (numbers[a] > numbers[b]) - (numbers[a] < numbers[b]);
}

/* H of the users' hashes, in rising order. */
static bool hash_users(rest *r, uint32_t node, uint64_t *numbers, uint32_t *order, uint64_t *h) {
    uint32_t first = r->first_user[node];
    uint32_t count = r->first_user[node + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        const user *by = &r->users[first + i];
        numbers[i] =
            ep_canon_hash_int(ep_canon_hash_number(EP_CANON_HASH, r->numbers[by->node]), by->place);
        order[i] = i;
    }
    if (!ep_sort_numbers(r->c->arena, order, count, compare_numbers, numbers)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    for (uint32_t i = 0; i < count; i++) {
        *h = ep_canon_hash_number(*h, numbers[order[i]]);
    }
    return true;
}

/* A new hash of each node, from its own and those of its users. */
static bool look_up(rest *r) {
    uint64_t *numbers = ep_canon_array(r->c, r->graph->use_count, sizeof *numbers);
    uint32_t *order = ep_canon_array(r->c, r->graph->use_count, sizeof *order);
    TRY(numbers != NULL && order != NULL);
    for (size_t i = r->count; i-- > 0;) {
        uint32_t node = r->members[i];
        uint64_t h = ep_canon_hash_number(EP_CANON_HASH, r->numbers[node]);
        TRY(hash_users(r, node, numbers, order, &h));
        r->numbers[node] = h;
    }
    return true;
}

static int compare_members(const void *context, uint32_t a, uint32_t b) {
    const rest *r = context;
    return compare_numbers(r->numbers, a, b);
}

/* Sorts the members by their hashes, and counts the different hashes. */
static bool sort_members(rest *r, uint32_t *sorted, size_t *different) {
    memcpy(sorted, r->members, r->count * sizeof *sorted);
    if (!ep_sort_numbers(r->c->arena, sorted, r->count, compare_members, r)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    *different = 1;
    for (size_t i = 1; i < r->count; i++) {
        *different += compare_members(r, sorted[i - 1], sorted[i]) != 0;
    }
    return true;
}

static bool find_faces(rest *r) {
    for (size_t i = 0; i < r->count; i++) {
        uint32_t node = r->members[i];
        TRY(ep_canon_face(r->c, r->graph, node, &r->looks[node]));
    }
    return true;
}

/* Colour refinement: each round goes down, up and down again. It stops when the number
 * of classes no longer grows, or after 16 rounds. SPEC 6.4.5 */
static bool find_classes(rest *r) {
    enum { ROUNDS_MAX = 16 };
    size_t before = 0;
    size_t different = 0;
    TRY(find_faces(r));
    for (int round = 0; round < ROUNDS_MAX && (round == 0 || different > before); round++) {
        before = different;
        look_down(r);
        TRY(look_up(r));
        keep_looks(r);
        look_down(r);
        keep_looks(r);
        TRY(sort_members(r, r->sorted, &different));
    }
    r->c->undecided = r->c->undecided || different < r->count;
    return true;
}

/* -------------------------------------------------------------------- order */

/* The sources of the edges into each node. Only writers make edges that are not those
 * of values. */
static bool find_before(rest *r) {
    const ep_canon_graph *graph = r->graph;
    size_t edges = graph->writes ? graph->edges.count : 0;
    r->first_before = ep_canon_array(r->c, graph->node_count + 1, sizeof *r->first_before);
    r->before = ep_canon_array(r->c, edges, sizeof *r->before);
    TRY(r->first_before != NULL && r->before != NULL);
    for (size_t i = 0; i < edges; i++) {
        r->first_before[graph->edges.items[i].to]++;
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        r->first_before[i + 1] += r->first_before[i];
    }
    for (uint32_t i = (uint32_t)graph->node_count; edges > 0 && i-- > 0;) {
        uint32_t at = graph->nodes[i].first_edge;
        for (; at != EP_CANON_NONE; at = graph->edges.items[at].next) {
            r->before[--r->first_before[graph->edges.items[at].to]] = i;
        }
    }
    return true;
}

/* Nodes with a rank come first, by rank; then the others, by class. */
static int compare_before(const void *context, uint32_t a, uint32_t b) {
    const rest *r = context;
    uint32_t first = r->graph->nodes[a].rank;
    uint32_t second = r->graph->nodes[b].rank;
    if (first != second) { /* none is greater than all ranks */
        return first < second ? -1 : 1;
    }
    return first == EP_CANON_NONE ? compare_members(r, a, b) : 0;
}

/* Pushes a node that is to be placed. Unless nodes write, all that a node with a rank
 * depends on has been placed. */
static bool open_node(rest *r, uint32_t node) {
    if (node == EP_CANON_NONE || r->passed[node] || (!r->graph->writes && !is_member(r, node))) {
        return true;
    }
    uint32_t first = r->first_before[node];
    r->passed[node] = true;
    if (!ep_sort_numbers(r->c->arena, r->before + first, r->first_before[node + 1] - first,
                         compare_before, r) ||
        !ep_stack_push(&r->open, (uint64_t)node << 32)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    return true;
}

/* SPEC 6.4.6. Depth-first postorder: the definers of the uses come first, then the
 * other nodes on incoming edges. */
static bool place(rest *r, uint32_t start) {
    TRY(open_node(r, start));
    while (r->open.count > 0) {
        uint64_t *top = &r->open.words[r->open.count - 1];
        uint32_t number = (uint32_t)(*top >> 32);
        uint32_t step = (uint32_t)(*top)++;
        const ep_canon_node *node = &r->graph->nodes[number];
        uint32_t first = r->first_before[number];
        if (step < node->use_count) {
            TRY(open_node(r, definer_of(r, node, step)));
        } else if (step - node->use_count < r->first_before[number + 1] - first) {
            TRY(open_node(r, r->before[first + step - node->use_count]));
        } else {
            r->open.count--;
            if (node->rank == EP_CANON_NONE) {
                ep_canon_give_rank(r->graph, number);
            }
        }
    }
    return true;
}

static int compare_users(const void *context, uint32_t a, uint32_t b) {
    const rest *r = context;
    const user *first = &r->users[a];
    const user *second = &r->users[b];
    int order = compare_numbers(r->numbers, first->node, second->node);
    return order != 0 ? order : (first->place > second->place) - (first->place < second->place);
}

static bool place_users(rest *r, uint32_t node, uint32_t *order) {
    uint32_t first = r->first_user[node];
    uint32_t count = r->first_user[node + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = first + i;
    }
    if (!ep_sort_numbers(r->c->arena, order, count, compare_users, r)) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    for (uint32_t i = 0; i < count; i++) {
        TRY(place(r, r->users[order[i]].node));
    }
    return true;
}

/* SPEC 6.4.6 */
static bool rank_members(rest *r) {
    uint32_t *order = ep_canon_array(r->c, r->graph->use_count, sizeof *order);
    size_t next = r->graph->rank_count;
    TRY(order != NULL);
    for (size_t i = 0; i < r->count; i++) {
        TRY(place(r, r->sorted[i]));
        for (; next < r->graph->rank_count; next++) { /* the loop itself raises the count */
            TRY(place_users(r, r->graph->ranked[next], order));
        }
    }
    return true;
}

bool ep_canon_rank_rest(ep_canonizer *c, ep_canon_graph *graph) {
    rest r = {.c = c, .graph = graph};
    ep_stack_init(&r.open, c->arena);
    bool ok = find_members(&r) && find_users(&r) && find_classes(&r) && find_before(&r) &&
              rank_members(&r);
    ep_stack_free(&r.open);
    return ok;
}
