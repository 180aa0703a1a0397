/*
 * language/treespec.c - see treespec.h. A predictive parser with a stack of open nodes.
 * The text has one spelling, so all that is fixed is compared byte for byte. Contexts
 * are parsed by treespec_context.c.
 */
#include "language/treespec_context.h"

#include "json/number.h"

/* The protocol of a version that does not state one (SPEC 4.2.2). */
enum { FIRST_PROTOCOL = 1 };

/* A node whose children are being read. */
typedef struct frame {
    ep_treespec_node *node;
    ep_treespec_node *last; /* of its children */
    ep_treespec_arity arity;
    struct frame *outer; /* or, of a frame that is free, the next free one */
} frame;

typedef struct parser {
    ep_embedded reader;
    const ep_treespec_options *options;
    frame *top;   /* NULL: none is open */
    frame *spare; /* frames to take before new ones are made */
    size_t level; /* of nodes that are open */
    ep_treespec_node *root;
} parser;

static bool expect(parser *p, ep_bytes text) {
    return ep_embedded_expect(&p->reader, text);
}

static bool at(const parser *p, char c) {
    return ep_embedded_at(&p->reader, c);
}

static const char *here(const parser *p) {
    return p->reader.lexer.p;
}

static bool fail(const parser *p, ep_code code) {
    return ep_embedded_fail_with(&p->reader, code, here(p));
}

/* SPEC 1.4.2: as many arrays and objects as are open with the next one. */
static bool check_depth(const parser *p, size_t depth) {
    return depth <= p->options->depth || fail(p, EP_LIMIT_DEPTH);
}

/* ------------------------------------------------------------------- nodes */

static bool push_frame(parser *p, ep_treespec_node *node) {
    frame *made = p->spare;
    if (made != NULL) {
        p->spare = made->outer;
    } else {
        made = ep_arena_alloc(p->reader.arena, sizeof *made);
        if (made == NULL) {
            return fail(p, EP_MEMORY);
        }
    }
    *made = (frame){.node = node, .arity = {0, 0}, .outer = p->top};
    p->top = made;
    p->level++;
    return true;
}

static void pop_frame(parser *p) {
    frame *done = p->top;
    p->top = done->outer;
    p->level--;
    if (p->top != NULL) {
        p->top->node->leaves += done->node->leaves;
    }
    done->outer = p->spare;
    p->spare = done;
}

/* A new node, the next child of the one that is open. */
static bool add_node(parser *p) {
    ep_treespec_node *node = ep_arena_alloc(p->reader.arena, sizeof *node);
    if (node == NULL) {
        return fail(p, EP_MEMORY);
    }
    *node = (ep_treespec_node){.name = {"", 0}};
    frame *parent = p->top;
    if (parent == NULL) {
        p->root = node;
    } else {
        node->parent = parent->node;
        parent->node->count++;
        if (parent->last == NULL) {
            parent->node->first = node;
        } else {
            parent->last->next = node;
        }
        parent->last = node;
    }
    return push_frame(p, node);
}

/* The text from a place to the cursor. */
static ep_bytes since(const parser *p, const char *begin) {
    return (ep_bytes){begin, (size_t)(here(p) - begin)};
}

static bool read_type(parser *p, ep_treespec_node *node) {
    const char *begin = here(p);
    ep_passage inner;
    ep_ref ref;
    if (at(p, 'n')) {
        TRY(expect(p, EP_TEXT("null")));
        node->leaves = 1;
    } else {
        TRY(ep_embedded_string(&p->reader, &ref));
        if (!ep_passage_open_inner(&inner, p->reader.arena, p->reader.passage, ref)) {
            return fail(p, EP_MEMORY);
        }
        node->name = inner.text;
        TRY(ep_treespec_type_find(&p->reader, p->options, node, begin));
    }
    node->type_text = since(p, begin);
    return true;
}

static bool read_context(parser *p, ep_treespec_node *node) {
    const char *begin = here(p);
    size_t open = 2 * p->level; /* every node opens an object in a list */
    TRY(ep_embedded_value(&p->reader, p->options->depth - open));
    node->context = since(p, begin);
    if (node->type == NULL) { /* SPEC 4.2.4 */
        return ep_text_equal(node->context, EP_TEXT("null")) ||
               ep_embedded_fail_with(&p->reader, EP_TREESPEC_CONTEXT, begin);
    }
    return ep_treespec_context_read(&p->reader, p->options, node, &p->top->arity);
}

/* A node up to its first child. */
static bool open_node(parser *p) {
    if (!at(p, '{')) {
        return expect(p, EP_TEXT("{"));
    }
    TRY(check_depth(p, 2 * p->level + 2));
    TRY(add_node(p));
    ep_treespec_node *node = p->top->node;
    TRY(expect(p, EP_TEXT("{\"type\": ")));
    TRY(read_type(p, node));
    TRY(expect(p, EP_TEXT(", \"context\": ")));
    TRY(read_context(p, node));
    TRY(expect(p, EP_TEXT(", \"children_spec\": ")));
    TRY(check_depth(p, 2 * p->level + 1));
    return expect(p, EP_TEXT("["));
}

/* Ends the nodes that end here; then the next child begins, or all is read. */
static bool close_nodes(parser *p) {
    while (p->top != NULL) {
        const ep_treespec_node *node = p->top->node;
        if (!at(p, ']')) {
            TRY(node->count == 0 || expect(p, EP_TEXT(", ")));
            bool more = at(p, '{') && node->count == p->top->arity.most;
            if (more) {
                return fail(p, EP_TREESPEC_CHILDREN); /* SPEC 4.2.5 */
            }
            return true;
        }
        if (node->count < p->top->arity.least) {
            return fail(p, EP_TREESPEC_CHILDREN);
        }
        TRY(expect(p, EP_TEXT("]}")));
        pop_frame(p);
    }
    return true;
}

static bool read_nodes(parser *p) {
    do {
        TRY(open_node(p));
        TRY(close_nodes(p));
    } while (p->top != NULL);
    return true;
}

/* SPEC 4.2.2 */
static bool read_protocol(parser *p, int *protocol) {
    const char *begin = here(p);
    ep_number number;
    int64_t value;
    int32_t stated = ep_version_at(p->options->version)->treespec;
    *protocol = stated == 0 ? FIRST_PROTOCOL : stated;
    TRY(ep_embedded_number(&p->reader, &number));
    if (!number.integer) {
        return ep_embedded_fail(&p->reader, begin, "an integer");
    }
    return (ep_number_read_int(number.text, number.size, &value) && value == *protocol) ||
           ep_embedded_fail_with(&p->reader, EP_TREESPEC_PROTOCOL, begin);
}

bool ep_treespec_parse(ep_arena *arena, const ep_passage *passage,
                       const ep_treespec_options *options, const ep_treespec **spec,
                       ep_fault *fault) {
    parser p = {.options = options};
    int protocol;
    ep_embedded_begin(&p.reader, arena, passage, EP_TREESPEC, fault);
    if (!at(&p, '[')) {
        return expect(&p, EP_TEXT("["));
    }
    TRY(check_depth(&p, 1));
    TRY(EP_ALWAYS(expect(&p, EP_TEXT("[")))); /* it is there */
    TRY(read_protocol(&p, &protocol));
    TRY(expect(&p, EP_TEXT(", ")));
    TRY(read_nodes(&p));
    TRY(expect(&p, EP_TEXT("]")));
    TRY(ep_embedded_end(&p.reader));
    ep_treespec *made = ep_arena_alloc(arena, sizeof *made);
    if (made == NULL) {
        return fail(&p, EP_MEMORY);
    }
    *made = (ep_treespec){protocol, p.root, p.root->leaves};
    *spec = made;
    return true;
}

bool ep_treespec_keys(const ep_treespec_node *node, const ep_treespec_key **keys, size_t *count) {
    bool has_keys = node->type != NULL && (node->type->form == EP_TREESPEC_FORM_KEYS ||
                                           node->type->form == EP_TREESPEC_FORM_FACTORY);
    *keys = has_keys ? node->keys : NULL;
    *count = has_keys ? node->key_count : 0;
    return has_keys;
}
