/*
 * rename.c - other names for values, subgraphs and nodes, in all places that
 * name them. Which places these are is told by a table of members, whatever
 * holds them.
 */
#include "rewriter.h"

/* ------------------------------------------------------------------------ places */

enum { NAME = 1, KEYS, KEYS_AND_VALUES, ITEMS, CONSTANT_INPUT, SUBGRAPH };

/* What a member names, if anything. */
static uint8_t how_of(ep_field field) {
#define NAMES(how, member)                                                                         \
    case EP_F_##member:                                                                            \
        return how;
    switch ((int)field) {
#include "rewrite.def"
    default:
        return 0;
    }
#undef NAMES
}

/* ------------------------------------------------------------------------- names */

enum { OLD, CANONICAL, STRANGE, RANDOM, STYLES };

/* Names for what one graph has. */
typedef struct naming {
    ep_rewriter *rewriter;
    ep_canon_graph *graph; /* NULL: names of nodes and subgraphs */
    unsigned what;
    size_t style;
    ep_map taken;
    uint32_t next; /* name of a node, subgraph or constant input */
} naming;

static bool styled_name(naming *n, uint32_t number, ep_bytes *text) {
    static const char *const strange[] = {
        "caf\xC3\xA9", "\"", "\\", "\n\t",          "\xF0\x9F\x98\x80", "v 0",  "/~01", "\x01",
        "v",           "0",  "-",  "\xE2\x80\xA8x", "as_tensor",        "True", "g",    "%s",
    };
    const char *start = n->style == CANONICAL ? "v"
                        : n->style == STRANGE ? strange[number % EP_COUNT_OF(strange)]
                                              : "n";
    uint64_t tail = n->style == RANDOM ? ep_rewriter_draw(n->rewriter) >> 1 : number;
    *text = n->graph->names.keys[number].text;
    return n->style == OLD || ep_rewriter_numbered(n->rewriter, ep_text_of(start), tail, text);
}

static bool take(naming *n, ep_bytes text, ep_bytes *name) {
    return ep_rewriter_take(n->rewriter, &n->taken, text, name);
}

/* What keeps its name, in the graph and beside the program. */
static bool keep_values(naming *n) {
    const ep_map *constants = &n->rewriter->c.kept;
    ep_bytes ignored;
    for (size_t i = 0; i < constants->count; i++) {
        TRY(take(n, constants->keys[i].text, &ignored));
    }
    uint64_t own = ep_field_bits(&n->rewriter->c.fields, n->graph->graph, EP_F_Graph_constants);
    for (size_t i = 0; i < ep_list_count(own); i++) { /* of version 1 */
        ep_bytes text;
        TRY(ep_rewriter_text(n->rewriter, ep_dict_key(own, i), &text) && take(n, text, &ignored));
    }
    for (size_t i = 0; i < n->graph->values.count; i++) {
        ep_canon_value *value = &n->graph->values.items[i];
        if ((n->what & EP_REWRITE_VALUES) == 0) {
            value->renamed = *value->slot;
            TRY(take(n, n->graph->names.keys[i].text, &ignored));
        }
    }
    return true;
}

static bool keep_subgraphs(naming *n) {
    for (size_t i = 0; i < n->graph->node_count; i++) {
        const ep_canon_graph *g = n->graph->nodes[i].subgraph;
        for (; g != NULL; g = g->sibling) {
            ep_bytes name;
            TRY(ep_rewriter_text(
                n->rewriter,
                ep_field_bits(&n->rewriter->c.fields, g->argument, EP_F_GraphArgument_name),
                &name));
            TRY(take(n, name, &name));
        }
    }
    return true;
}

static bool name_values(naming *n) {
    const ep_canon_graph *graph = n->graph;
    uint32_t *numbers = ep_rewriter_permutation(n->rewriter, graph->values.count);
    TRY(numbers != NULL);
    for (size_t i = 0; i < graph->values.count; i++) {
        ep_bytes name;
        TRY(styled_name(n, numbers[i], &name) && take(n, name, &name));
        TRY(ep_rewriter_put(n->rewriter, name, &graph->values.items[i].renamed));
    }
    return true;
}

/* -------------------------------------------------------------------- renaming */

static bool rename_slot(naming *n, uint64_t *slot) {
    ep_bytes text;
    TRY(ep_rewriter_text(n->rewriter, *slot, &text));
    uint32_t value = ep_map_find(&n->graph->names, text);
    if (value != EP_MAP_NONE) {
        *slot = n->graph->values.items[value].renamed;
    }
    return true;
}

static bool rename_items(naming *n, uint64_t bits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        TRY(rename_slot(n, &ep_list_mutable(bits)->items[i]));
    }
    return true;
}

/* A new name, which begins so. */
static bool rename_anew(naming *n, const char *start, uint64_t *slot) {
    ep_bytes name;
    uint32_t number = n->next++;
    uint64_t tail = n->style == RANDOM ? ep_rewriter_draw(n->rewriter) >> 1 : number;
    TRY(ep_rewriter_numbered(n->rewriter, ep_text_of(start), tail, &name) && take(n, name, &name));
    return ep_rewriter_put(n->rewriter, name, slot);
}

static bool rename_place(void *context, const ep_rewriter_slot *slot) {
    naming *n = context;
    int op = slot->shape->op;
    uint64_t bits = *slot->bits;
    if (slot->shape->number == EP_SHAPE_tuple_str_int) { /* of an equality constraint */
        return rename_slot(n, &ep_list_mutable(bits)->items[0]);
    }
    size_t count = op == EP_OP_LIST || op == EP_OP_DICT ? ep_list_count(bits) : 0;
    switch (slot->field == EP_F_none ? 0 : how_of(slot->field)) {
    case NAME:
        return op != EP_OP_STR || rename_slot(n, slot->bits);
    case KEYS:
    case ITEMS:
        return rename_items(n, bits, count);
    case KEYS_AND_VALUES:
        return rename_items(n, bits, 2 * count);
    case CONSTANT_INPUT:
        return (n->what & EP_REWRITE_VALUES) == 0 || rename_anew(n, "v", slot->bits);
    case SUBGRAPH:
        return (n->what & EP_REWRITE_SUBGRAPHS) == 0 || rename_anew(n, "g", slot->bits);
    default:
        return true;
    }
}

/* Names of the nodes of one graph; a node may have none. */
static bool rename_nodes(naming *n) {
    static const char *const starts[] = {"v", "_", "node ", "\xC3\xBC\""};
    uint8_t member = n->rewriter->c.fields.slot[EP_F_Node_name];
    for (size_t i = 0; i < n->graph->node_count && member != EP_NO_MEMBER; i++) {
        ep_node *node = n->graph->nodes[i].node;
        bool named = ep_rewriter_below(n->rewriter, 4) != 0;
        unsigned bit = 1u << member;
        node->present = (uint16_t)(named ? node->present | bit : node->present & ~bit);
        node->slots[member] = 0;
        TRY(!named || rename_anew(n, starts[n->style % EP_COUNT_OF(starts)], &node->slots[member]));
    }
    return true;
}

/* The program's own graph with all that stands around it, or a subgraph. */
static bool rename_graph(naming *n) {
    ep_rewriter *rewriter = n->rewriter;
    TRY(keep_values(n));
    TRY((n->what & EP_REWRITE_SUBGRAPHS) != 0 || keep_subgraphs(n));
    TRY((n->what & EP_REWRITE_VALUES) == 0 || name_values(n));
    TRY((n->what & EP_REWRITE_NODES) == 0 || rename_nodes(n));
    ep_node *root = n->graph->argument == NULL ? rewriter->c.root : n->graph->graph;
    return ep_rewriter_visit(rewriter, root, false, rename_place, n);
}

bool ep_rewriter_rename(ep_rewriter *rewriter, unsigned what) {
    size_t style = ep_rewriter_below(rewriter, STYLES);
    for (ep_canon_graph *graph = rewriter->c.graphs; graph != NULL; graph = graph->next) {
        naming n = {.rewriter = rewriter, .graph = graph, .what = what, .style = style};
        ep_map_init(&n.taken, rewriter->c.arena);
        bool ok = rename_graph(&n);
        ep_map_free(&n.taken);
        TRY(ok);
    }
    return true;
}
