/*
 * call.c - see call.h. A tree spec is a text of JSON: [1, NODE], where NODE has a type, a context
 * and the specs of its children. It is read into a list of nodes, each before its children.
 */
#include "call.h"

#include <string.h>

#include "cli/print.h"
#include "cli/walk.h"
#include "cli/words.h"
#include "common/memory.h"
#include "graphs.h"
#include "line.h"
#include "signature.h"

typedef struct spec_node {
    ep_bytes type;    /* "builtins.tuple", as it is spelled; empty: a leaf */
    ep_bytes context; /* likewise; empty where it is no text */
    size_t parent;    /* itself: it has none */
    size_t count;     /* of children */
    size_t end;       /* the first node that is not below it */
    size_t leaf;      /* how many leaves there are before it */
    size_t put;       /* of the children, while they are put */
    size_t label;     /* where in the context the next label is looked for */
} spec_node;

typedef struct spec {
    spec_node *nodes;
    size_t count;
    size_t capacity;
    bool failed;
} spec;

typedef struct call {
    spec in, out;
    ep_value names;   /* forward_arg_names */
    name_list inputs; /* names of what leaves are, in their order */
    name_list outputs;
    size_t args;   /* the node of the positional arguments */
    size_t kwargs; /* of those by keyword; 0: none */
    bool known;
} call;

/* ------------------------------------------------------------------------ tree specs */

/* Opens a node below another one; returns which it is. */
static size_t open_node(spec *s, size_t parent, size_t leaf) {
    s->failed = s->failed || !memory_room(&s->nodes, s->count, &s->capacity, sizeof *s->nodes);
    if (s->failed) {
        return 0;
    }
    s->nodes[s->count] = (spec_node){.parent = s->count > 0 ? parent : 0, .leaf = leaf};
    s->nodes[parent].count += s->count > 0;
    return s->count++;
}

static void take_text(spec_node *node, const walk *w) {
    const walk_level *in = walk_in(w);
    ep_bytes said = {w->text.data + w->at + 1, w->end - w->at - 2};
    if (!w->is_key && in != NULL && in->is_object && bytes_equal(in->key, "type")) {
        node->type = said;
    } else if (!w->is_key && in != NULL && in->is_object && bytes_equal(in->key, "context")) {
        node->context = said;
    }
}

/* Whether a text is JSON: a program that is shown need not be valid. */
static bool is_json(ep_bytes text, bool *failed) {
    ep_arena arena;
    ep_error error;
    ep_decode_options decoding = ep_decode_options_default();
    arena_open(&arena, 0);
    bool ok = ep_check_wire(&arena, text, &decoding, &error);
    ep_arena_free(&arena);
    *failed = *failed || (!ok && error.code == EP_MEMORY);
    return ok;
}

/* Reads a text of JSON. A context that is no text, as of a defaultdict, is passed over:
 * it is deeper than the node, and not among the children. */
static void read_spec(spec *s, ep_bytes text) {
    walk w = {.text = text};
    size_t node = 0;
    size_t leaves = 0;
    bool is_text = is_json(text, &s->failed);
    size_t skipped = 0; /* depth of a context; 0: none */
    while (!s->failed && is_text && walk_next(&w)) {
        char mark = text.data[w.at];
        const walk_level *outer = w.depth > 1 ? &w.levels[w.depth - 2] : NULL;
        bool opens = mark == '{' || mark == '[';
        if (skipped > 0) {
            skipped = w.depth < skipped ? 0 : skipped;
        } else if (opens && outer != NULL && outer->is_object &&
                   bytes_equal(outer->key, "context")) {
            skipped = w.depth;
        } else if (mark == '{') {
            node = open_node(s, node, leaves);
        } else if (mark == '}' && s->count > 0) {
            s->nodes[node].end = s->count;
            leaves += s->nodes[node].type.size == 0;
            node = s->nodes[node].parent;
        } else if (mark == '"' && s->count > 0) {
            take_text(&s->nodes[node], &w);
        }
    }
    s->failed = s->failed || w.failed;
    walk_close(&w);
}

/* Takes the next text of a context, '[\"a\", \"b\"]' as it is spelled. */
static bool next_label(spec_node *node, ep_bytes *label) {
    const char *data = node->context.data;
    size_t size = node->context.size;
    size_t at = node->label;
    while (at + 1 < size && !(data[at] == '\\' && data[at + 1] == '"')) {
        at++;
    }
    size_t from = at + 2;
    for (at = from; at + 1 < size && !(data[at] == '\\' && data[at + 1] == '"');) {
        bool inner = data[at] == '\\' && data[at + 1] == '\\'; /* it escapes what follows */
        at += inner ? 2 : 0;
        at += at < size && data[at] == '\\' ? 2 : 1;
    }
    node->label = at + 2;
    *label = from <= at && at + 1 < size ? (ep_bytes){data + from, at - from} : (ep_bytes){"", 0};
    return label->size > 0;
}

/* ------------------------------------------------------------------------------ forms */

/* Of a named tuple its context is the name of the class. Dicts, lists and tuples have brackets. */
static ep_bytes class_of(spec_node *node) {
    ep_bytes class = node->type;
    if (bytes_equal(class, "collections.namedtuple")) {
        next_label(node, &class);
        node->label = node->context.size;
    }
    return bytes_start(class, "builtins.") ? (ep_bytes){"", 0} : class;
}

static const char *bracket_of(const spec_node *node, bool opens) {
    static const char *const opening[][2] = {
        {"builtins.tuple", "("}, {"builtins.list", "["}, {"builtins.dict", "{"}, {NULL, NULL}};
    static const char *const closing[][2] = {
        {"builtins.tuple", ")"}, {"builtins.list", "]"}, {"builtins.dict", "}"}, {NULL, NULL}};
    char type[sizeof "builtins.tuple"];
    size_t size = node->type.size < sizeof type ? node->type.size : 0;
    memcpy(type, size > 0 ? node->type.data : "", size);
    type[size] = '\0';
    return word_for(opens ? opening : closing, type, opens ? "(" : ")");
}

static void close_node(buffer *b, const spec_node *node) {
    bool single = node->count == 1 && bytes_equal(node->type, "builtins.tuple");
    print(b, "%s%s", single ? "," : "", bracket_of(node, false));
}

/* A label as the inner text spells it. */
static void put_spelled(buffer *b, ep_bytes label) {
    buffer text = {0};
    for (size_t i = 0; i < label.size; i++) {
        bool escapes = label.data[i] == '\\' && i + 1 < label.size &&
                       (label.data[i + 1] == '\\' || label.data[i + 1] == '"');
        i += escapes;
        buffer_byte(&text, label.data[i]);
    }
    print(b, "%t", buffer_bytes(&text));
    b->failed = b->failed || text.failed;
    buffer_free(&text);
}

/* What stands before a child: a comma, and the name that its parent has for it. */
static void put_label(buffer *b, spec_node *parent) {
    ep_bytes label;
    bool dict = bytes_equal(parent->type, "builtins.dict");
    print(b, parent->put++ > 0 ? ",%c" : "", LINE_BREAK);
    if (next_label(parent, &label)) {
        buffer_text(b, dict ? "\"" : "");
        put_spelled(b, label);
        buffer_text(b, dict ? "\": " : "=");
    }
}

/* "models.Batch(a=x, b=[y, z])", with marks where a line may be broken */
static void put_form(buffer *b, spec *s, size_t from, const name_list *leaves) {
    size_t open = from; /* the innermost node whose children are being put */
    for (size_t i = from; i < s->nodes[from].end; i++) {
        spec_node *node = &s->nodes[i];
        while (i > from && s->nodes[open].end <= i) {
            close_node(b, &s->nodes[open]);
            open = s->nodes[open].parent;
        }
        if (i > from) {
            put_label(b, &s->nodes[open]);
        }
        if (node->type.size == 0) {
            bool known = node->leaf < leaves->count;
            print(b, "%t", known ? leaves->items[node->leaf].name : bytes_of("?"));
            continue;
        }
        node->put = 0;
        node->label = 0;
        print(b, "%t%s", class_of(node), bracket_of(node, true));
        open = i;
    }
    while (s->nodes[from].type.size > 0 && open != from) {
        close_node(b, &s->nodes[open]);
        open = s->nodes[open].parent;
    }
    if (s->nodes[from].type.size > 0) {
        close_node(b, &s->nodes[from]);
    }
}

/* ------------------------------------------------------------------------------- call */

/* The signature of the whole module; version 1 has it beside the graph. */
static ep_value signature_value(show *s) {
    ep_value module = ep_value_field(ep_program_root(s->program), "graph_module");
    ep_value entries = ep_value_field(module, "module_call_graph");
    ep_value found = ep_value_field(module, "call_spec");
    for (size_t i = ep_value_count(entries); i-- > 0;) {
        ep_value fqn = ep_value_field(ep_value_item(entries, i), "fqn");
        if (ep_value_kind(fqn) == EP_KIND_STR && text_of(fqn, s->arena, &s->failed).size == 0) {
            found = ep_value_field(ep_value_item(entries, i), "signature");
        }
    }
    return found;
}

/* What the user passes or gets, in the order of the leaves. */
static void add_leaves(show *s, signature *said, signature_side side, name_list *leaves) {
    signature_row row;
    for (size_t i = 0; signature_at(said, side, i, &row); i++) {
        if (word_is(row.kind, "user constant loss")) {
            ep_bytes name = row.name.size > 0 ? row.name : show_value_name(s, row.value);
            names_add(leaves, (name_item){.name = name.size > 0 ? name : bytes_of("_")});
        }
    }
}

/* A pair of a tuple and a dict is the positional arguments and those by keyword; else, as version 1
 * has it, all are positional. */
static void split(call *c) {
    const spec_node *nodes = c->in.nodes;
    size_t second = c->in.count > 1 ? nodes[1].end : 0;
    bool pair = c->in.count > 1 && nodes[0].count == 2 &&
                bytes_equal(nodes[1].type, "builtins.tuple") &&
                bytes_equal(nodes[second].type, "builtins.dict");
    c->args = pair ? 1 : 0;
    c->kwargs = pair ? second : 0;
}

static void open_call(call *c, show *s) {
    signature said;
    ep_value value = signature_value(s);
    ep_value in = ep_value_field(value, "in_spec");
    ep_value out = ep_value_field(value, "out_spec");
    *c = (call){.names = ep_value_field(value, "forward_arg_names")};
    if (ep_value_kind(in) != EP_KIND_STR || ep_value_kind(out) != EP_KIND_STR) {
        return;
    }
    signature_open(&said, s->program, s->arena);
    add_leaves(s, &said, SIGNATURE_INPUTS, &c->inputs);
    add_leaves(s, &said, SIGNATURE_OUTPUTS, &c->outputs);
    read_spec(&c->in, text_of(in, s->arena, &s->failed));
    read_spec(&c->out, text_of(out, s->arena, &s->failed));
    s->failed = s->failed || said.failed || c->in.failed || c->out.failed || c->inputs.failed ||
                c->outputs.failed;
    signature_close(&said);
    c->known = !s->failed && c->in.count > 0 && c->out.count > 0;
    if (c->known) {
        split(c);
    }
}

static void close_call(call *c) {
    memory_free(c->in.nodes);
    memory_free(c->out.nodes);
    names_free(&c->inputs);
    names_free(&c->outputs);
}

/* An argument: which node it is, and its name, which may be empty. */
typedef struct argument {
    size_t node;
    ep_bytes name;
    bool keyword;
} argument;

/* Takes the next of the arguments, of which a->node was the last, or 0. False: there is none. */
static bool next_argument(const call *c, show *s, size_t i, argument *a) {
    spec_node *nodes = c->in.nodes;
    size_t next = a->node == 0 ? c->args + 1 : nodes[a->node].end;
    if (c->kwargs > 0 && next == c->kwargs) {
        next++;
    }
    if (next >= c->in.count || next <= a->node) {
        return false;
    }
    a->node = next;
    a->keyword = c->kwargs > 0 && next > c->kwargs;
    a->name = (ep_bytes){"", 0};
    if (a->keyword) {
        next_label(&nodes[c->kwargs], &a->name);
    } else if (i < ep_value_count(c->names)) {
        a->name = text_of(ep_value_item(c->names, i), s->arena, &s->failed);
    }
    return true;
}

/* --------------------------------------------------------------------------- products */

/* A line of the section: what it is, and what that is made of. */
static void put_line(show *s, spec *of, size_t node, const name_list *leaves) {
    put_form(&s->printer.line, of, node, leaves);
    printer_cut(&s->printer, 0);
    show_line(s, 2);
}

void call_put(show *s) {
    call c;
    buffer *line = &s->printer.line;
    argument a = {.node = 0};
    open_call(&c, s);
    if (c.known) {
        print(s->out, "\n%z%s%Z\n", s->color, STYLE_HEADING, "call");
    }
    for (size_t i = 0; c.known && next_argument(&c, s, i, &a); i++) {
        print(line, "%s %t%s", a.keyword ? "keyword" : "positional", a.name,
              a.name.size > 0 ? ": " : "");
        put_line(s, &c.in, a.node, &c.inputs);
    }
    if (c.known) {
        buffer_text(line, "returns ");
        put_line(s, &c.out, 0, &c.outputs);
    }
    close_call(&c);
}

/* The class of a node; null: it is a leaf. */
static json *class_item(const spec_node *node) {
    return node->type.size == 0 ? json_null() : json_text(node->type);
}

static json *form_item(spec *s, size_t node, const name_list *leaves) {
    buffer line = {0};
    buffer form = {0};
    put_form(&line, s, node, leaves);
    line_plain(&form, buffer_bytes(&line));
    form.failed = form.failed || line.failed;
    buffer_free(&line);
    return json_buffer(&form);
}

json *call_object(show *s) {
    call c;
    argument a = {.node = 0};
    json *arguments = json_array();
    open_call(&c, s);
    for (size_t i = 0; c.known && next_argument(&c, s, i, &a); i++) {
        json_append(arguments, json_make("name:u keyword:b class:j form:j", a.name, a.keyword,
                                         class_item(&c.in.nodes[a.node]),
                                         form_item(&c.in, a.node, &c.inputs)));
    }
    json *returns = c.known ? json_make("class:j form:j", class_item(&c.out.nodes[0]),
                                        form_item(&c.out, 0, &c.outputs))
                            : json_null();
    json *object = json_make("arguments:j returns:j", arguments, returns);
    if (!c.known) {
        json_free(object);
        object = json_null();
    }
    close_call(&c);
    return object;
}
