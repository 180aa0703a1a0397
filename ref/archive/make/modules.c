/*
 * modules.c - see modules.h. In the order of the bytes the names of a module's tensors stand
 * beside each other, so a tree is made of sorted names, each held against the one before it
 * alone: no name is looked up, however deep it is.
 */
#include "modules.h"

#include "common/memory.h"
#include "common/names.h"

static const size_t NONE = SIZE_MAX;

/* A list within an array of the links between its items. */
typedef struct chain {
    size_t first;
    size_t last;
} chain;

typedef struct module_node {
    ep_bytes path; /* with the dot behind it */
    size_t parent;
    size_t first; /* of the tensors that are in it, or in what is in it */
    chain children;
    chain own; /* its tensors */
    bool counts_batches;
} module_node;

typedef struct module_tree {
    module_node *nodes; /* each behind the one that it is in; the first is of all */
    size_t node_count;
    size_t *next_node;   /* in the same module */
    size_t *owner;       /* of each tensor */
    size_t *next_tensor; /* of the same module */
    size_t *sorted;      /* the rows in the new order */
    size_t count;        /* of tensors */
} module_tree;

/* ------------------------------------------------------------------------------- tree */

static void append(chain *c, size_t *next, size_t item) {
    next[item] = NONE;
    if (c->first == NONE) {
        c->first = item;
    } else {
        next[c->last] = item;
    }
    c->last = item;
}

static size_t add_node(module_tree *tree, ep_bytes path, size_t parent) {
    static const chain empty = {SIZE_MAX, SIZE_MAX};
    tree->nodes[tree->node_count] = (module_node){
        .path = path, .parent = parent, .first = NONE, .children = empty, .own = empty};
    return tree->node_count++;
}

static size_t common_start(ep_bytes a, ep_bytes b) {
    size_t i = 0;
    while (i < a.size && i < b.size && a.data[i] == b.data[i]) {
        i++;
    }
    return i;
}

/* Puts a tensor below the node of the one before it, or one that this is in. */
static size_t place(module_tree *tree, size_t at, ep_bytes before, const name_item *item) {
    static const char counter[] = "num_batches_tracked";
    size_t same = common_start(before, item->name);
    while (tree->nodes[at].path.size > same) {
        at = tree->nodes[at].parent;
    }
    for (size_t i = tree->nodes[at].path.size; i < item->name.size; i++) {
        if (item->name.data[i] == '.') {
            at = add_node(tree, (ep_bytes){item->name.data, i + 1}, at);
        }
    }
    module_node *node = &tree->nodes[at];
    size_t start = node->path.size;
    ep_bytes last = {item->name.data + start, item->name.size - start};
    node->counts_batches = node->counts_batches || bytes_equal(last, counter);
    node->first = item->count < node->first ? item->count : node->first;
    tree->owner[item->count] = at;
    return at;
}

static void grow(module_tree *tree, const name_list *names) {
    ep_bytes before = {"", 0};
    size_t at = add_node(tree, before, NONE);
    for (size_t i = 0; i < names->count; i++) {
        at = place(tree, at, before, &names->items[i]);
        before = names->items[i].name;
    }
    for (size_t i = tree->node_count - 1; i > 0; i--) {
        module_node *in = &tree->nodes[tree->nodes[i].parent];
        in->first = tree->nodes[i].first < in->first ? tree->nodes[i].first : in->first;
    }
}

/* ------------------------------------------------------------------------------ order */

static bool by_first(const name_item *a, const name_item *b) {
    return a->bytes <= b->bytes;
}

/* Links the nodes of each module, and its tensors. False for want of memory. */
static bool link_all(module_tree *tree) {
    name_list order = {0};
    for (size_t i = 1; i < tree->node_count; i++) {
        names_add(&order, (name_item){.bytes = tree->nodes[i].first, .count = i});
    }
    names_sort_by(&order, by_first);
    bool ok = !order.failed;
    for (size_t i = 0; ok && i < order.count; i++) {
        size_t node = order.items[i].count;
        append(&tree->nodes[tree->nodes[node].parent].children, tree->next_node, node);
    }
    for (size_t i = 0; i < tree->count; i++) {
        append(&tree->nodes[tree->owner[i]].own, tree->next_tensor, i);
    }
    names_free(&order);
    return ok;
}

/* The node that state_dict comes to next; NONE behind the last. */
static size_t behind(const module_tree *tree, size_t at) {
    size_t next = tree->nodes[at].children.first;
    while (next == NONE && at != 0) {
        next = tree->next_node[at];
        at = tree->nodes[at].parent;
    }
    return next;
}

static void walk(module_tree *tree, const size_t *rows, module_list *modules) {
    size_t done = 0;
    for (size_t at = 0; at != NONE; at = behind(tree, at)) {
        const module_node *node = &tree->nodes[at];
        ep_bytes name = {node->path.data, node->path.size == 0 ? 0 : node->path.size - 1};
        modules->rows[modules->count++] = (module_row){name, node->counts_batches};
        for (size_t i = node->own.first; i != NONE; i = tree->next_tensor[i]) {
            tree->sorted[done++] = rows[i];
        }
    }
}

/* ---------------------------------------------------------------------------- product */

/* By name; count is which one it is. */
static bool take_names(const tensors *t, const size_t *rows, size_t count, name_list *names) {
    for (size_t i = 0; i < count; i++) {
        names_add(names, (name_item){.name = tensors_text(t, t->rows[rows[i]].name), .count = i});
    }
    names_sort(names);
    return !names->failed;
}

/* As many nodes as there are dots, and one of all. */
static size_t count_nodes(const name_list *names) {
    size_t count = 1;
    for (size_t i = 0; i < names->count; i++) {
        for (size_t j = 0; j < names->items[i].name.size; j++) {
            count += names->items[i].name.data[j] == '.';
        }
    }
    return count;
}

static bool reserve(module_tree *tree, size_t nodes, module_list *modules) {
    bool few = nodes < SIZE_MAX / sizeof *tree->nodes;
    size_t places = few ? (tree->count + 1) * sizeof *tree->owner : 0;
    tree->nodes = few ? memory_resize(NULL, nodes * sizeof *tree->nodes) : NULL;
    tree->next_node = few ? memory_resize(NULL, nodes * sizeof *tree->next_node) : NULL;
    tree->owner = few ? memory_resize(NULL, places) : NULL;
    tree->next_tensor = few ? memory_resize(NULL, places) : NULL;
    tree->sorted = few ? memory_resize(NULL, places) : NULL;
    modules->rows = few ? memory_resize(NULL, nodes * sizeof *modules->rows) : NULL;
    return tree->nodes != NULL && tree->next_node != NULL && tree->owner != NULL &&
           tree->next_tensor != NULL && tree->sorted != NULL && modules->rows != NULL;
}

static void tree_free(module_tree *tree) {
    memory_free(tree->nodes);
    memory_free(tree->next_node);
    memory_free(tree->owner);
    memory_free(tree->next_tensor);
    memory_free(tree->sorted);
}

bool modules_sort(const tensors *t, size_t *rows, size_t count, module_list *modules) {
    module_tree tree = {.count = count};
    name_list names = {0};
    *modules = (module_list){.count = 0};
    bool ok = take_names(t, rows, count, &names) && reserve(&tree, count_nodes(&names), modules);
    if (ok) {
        grow(&tree, &names);
        ok = link_all(&tree);
    }
    if (ok) {
        walk(&tree, rows, modules);
    }
    for (size_t i = 0; ok && i < count; i++) {
        rows[i] = tree.sorted[i];
    }
    names_free(&names);
    tree_free(&tree);
    return ok;
}

void modules_free(module_list *modules) {
    memory_free(modules->rows);
    *modules = (module_list){.count = 0};
}
