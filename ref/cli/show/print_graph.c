/*
 * print_graph.c - the nodes of a graph, one a line, and below a node the
 * subgraphs that it is given. Graphs in graphs wait on a list of frames. The line of Python that
 * a node comes from is out of the stack trace in its metadata:
 *
 *     File "/home/me/models.py", line 33, in forward
 *       return self.linear(x)
 */
#include <string.h>

#include "cli/print.h"
#include "cli/words.h"
#include "common/memory.h"
#include "common/safe.h"
#include "graphs.h"
#include "line.h"
#include "show.h"

enum { INDENT_STEP = 2, INDENT_MAX = 48 };

/* A graph that is being printed, or waits to be. */
typedef struct graph_frame {
    ep_value argument; /* the GraphArgument; a null value for the main graph */
    ep_value graph;
    size_t next; /* node */
    size_t indent;
    bool begun;
    name_list values;
} graph_frame;

typedef struct graph_stack {
    graph_frame *frames;
    size_t depth;
    size_t capacity;
} graph_stack;

static void push_graph(show *s, graph_stack *stack, ep_value argument, size_t indent) {
    bool main_graph = ep_value_kind(argument) == EP_KIND_NULL;
    if (!memory_room(&stack->frames, stack->depth, &stack->capacity, sizeof *stack->frames)) {
        s->failed = true;
        return;
    }
    stack->frames[stack->depth++] = (graph_frame){
        .argument = argument,
        .graph = main_graph ? graphs_main(s->program) : ep_value_field(argument, "graph"),
        .indent = indent < INDENT_MAX ? indent : INDENT_MAX,
    };
}

/* --------------------------------------------------------------------- a node */

/* "a, b, c", each with its type if the printer is told so. */
static void put_list(printer *p, ep_value list) {
    for (size_t i = 0; i < ep_value_count(list); i++) {
        print(&p->line, i > 0 ? ",%c" : "", LINE_BREAK);
        printer_put(p, ep_value_item(list, i));
    }
}

/* A list of one, which some releases make of the one output of a higher-order operator, is not
 * broken. */
static void put_one_output(printer *p, ep_value output) {
    const char *tag;
    ep_value held = unwrap(output, &tag);
    bool list = ep_value_kind(held) == EP_KIND_LIST && ep_value_count(held) == 1;
    buffer_text(&p->line, list ? "[" : "");
    printer_put(p, list ? ep_value_item(held, 0) : output);
    buffer_text(&p->line, list ? "]" : "");
}

static void put_outputs(printer *p, ep_value outputs) {
    size_t count = ep_value_count(outputs);
    if (count == 0) {
        return;
    }
    p->typed = true;
    if (count == 1) {
        put_one_output(p, ep_value_item(outputs, 0));
    } else {
        buffer_byte(&p->line, '(');
        put_list(p, outputs);
        buffer_byte(&p->line, ')');
    }
    print(&p->line, " =%c", LINE_BREAK);
    p->typed = false;
}

/* Whether an argument says what it is by itself: a tensor, a graph, an object,
 * rather than a number that could be anything. */
static bool speaks_for_itself(ep_value argument) {
    return word_is(ep_value_name(argument, 0),
                   "as_tensor as_tensors as_optional_tensor as_optional_tensors "
                   "as_nested_tensors as_graph as_operator as_custom_obj");
}

/* One argument: with its name where it was given by name, and where that helps
 * to read it. */
static void put_input(printer *p, ep_value input, bool named_operands) {
    ep_value argument = ep_value_field(input, "arg");
    const char *kind = ep_value_name(ep_value_field(input, "kind"), 0);
    bool keyword = word_is(kind, "KEYWORD");
    ep_bytes name = text_of(ep_value_field(input, "name"), &p->scratch, &p->failed);
    bool needed = named_operands && !speaks_for_itself(argument);
    print(&p->line, name.size > 0 && (keyword || needed) ? "%t=" : "", name);
    printer_put(p, argument);
}

static void put_node(printer *p, ep_value node) {
    ep_bytes target = text_of(ep_value_field(node, "target"), &p->scratch, &p->failed);
    ep_value inputs = ep_value_field(node, "inputs");
    bool named_operands =
        bytes_start(target, "torch.ops."); /* Python's own have no telling names */
    put_outputs(p, ep_value_field(node, "outputs"));
    printer_put_operator(p, target);
    buffer_byte(&p->line, '(');
    for (size_t i = 0; i < ep_value_count(inputs); i++) {
        print(&p->line, i > 0 ? ",%c" : "", LINE_BREAK);
        put_input(p, ep_value_item(inputs, i), named_operands);
    }
    buffer_byte(&p->line, ')');
}

/* ----------------------------------------------------------------------- source */

/* Where a text stands in another, from its end or its beginning; NULL if it
 * does not. */
static const char *find(ep_bytes text, const char *wanted, bool last) {
    size_t size = strlen(wanted);
    const char *found = NULL;
    for (size_t at = 0; at + size <= text.size && (last || found == NULL); at++) {
        if (memcmp(text.data + at, wanted, size) == 0) {
            found = text.data + at;
        }
    }
    return found;
}

/* What follows a text that was found. */
static ep_bytes after(ep_bytes text, const char *found, const char *wanted) {
    const char *start = found + strlen(wanted);
    return (ep_bytes){start, (size_t)(text.data + text.size - start)};
}

static ep_bytes first_line(ep_bytes text) {
    const char *end = text.size > 0 ? memchr(text.data, '\n', text.size) : NULL;
    return end == NULL ? text : (ep_bytes){text.data, (size_t)(end - text.data)};
}

/* The file's own name; of "<eval_with_key>.13 from ..." what comes first. */
static ep_bytes base_name(ep_bytes path) {
    size_t start = 0;
    for (size_t i = 0; i < path.size; i++) {
        if (path.data[0] == '<' && path.data[i] == ' ') {
            return (ep_bytes){path.data, i};
        }
        if (path.data[0] != '<' && (path.data[i] == '/' || path.data[i] == '\\')) {
            start = i + 1;
        }
    }
    return (ep_bytes){path.data + start, path.size - start};
}

static ep_bytes without_spaces(ep_bytes text) {
    while (text.size > 0 && text.data[0] == ' ') {
        text = (ep_bytes){text.data + 1, text.size - 1};
    }
    return text;
}

/* "models.py:33 in forward: return self.linear(x)", from the innermost file
 * of a trace; nothing if it names none. */
static void put_source(buffer *b, ep_bytes trace) {
    static const char opening[] = "File \"";
    static const char closing[] = "\", line ";
    const char *file = find(trace, opening, true);
    ep_bytes rest = file != NULL ? after(trace, file, opening) : (ep_bytes){0};
    const char *end = file != NULL ? find(rest, closing, false) : NULL;
    if (end == NULL) {
        return;
    }
    ep_bytes where = after(rest, end, closing);
    ep_bytes line = first_line(where);
    ep_bytes code = {line.data + line.size, where.size - line.size};
    const char *comma = find(line, ",", false);
    size_t digits = comma != NULL ? (size_t)(comma - line.data) : line.size;
    print(b, "%t:%t", base_name((ep_bytes){rest.data, (size_t)(end - rest.data)}),
          (ep_bytes){line.data, digits});
    if (comma != NULL) {
        safe_text(b, (ep_bytes){comma + 1, line.size - digits - 1});
    }
    if (code.size > 1) {
        print(b, ": %t", without_spaces(first_line((ep_bytes){code.data + 1, code.size - 1})));
    }
}

static ep_value stack_trace(show *s, ep_value node) {
    ep_value metadata = ep_value_field(node, "metadata");
    for (size_t i = 0; i < ep_value_count(metadata); i++) {
        if (bytes_equal(dict_key(metadata, i, &s->printer.scratch, &s->failed), "stack_trace")) {
            return ep_value_item(metadata, i);
        }
    }
    return (ep_value){0};
}

/* Shortens a text to a number of columns. */
static void cut(buffer *b, size_t from, size_t columns) {
    size_t column = 0;
    for (size_t i = from; i < b->size; i++) {
        column += ((unsigned char)b->data[i] & 0xC0) != 0x80;
        if (column > columns) {
            b->size = i;
            buffer_text(b, "...");
            return;
        }
    }
}

void show_put_source(show *s, ep_value node, buffer *b) {
    put_source(b, text_of(stack_trace(s, node), &s->printer.scratch, &s->failed));
}

/* Says where a node comes from, unless that is what was said last. */
static void say_source(show *s, ep_value node, size_t indent) {
    buffer said = {0};
    show_put_source(s, node, &said);
    if (said.size > 0 && bytes_compare(buffer_bytes(&said), buffer_bytes(&s->last_source)) != 0) {
        buffer_spaces(s->out, indent);
        print(s->out, "%z# ", s->color, STYLE_DIM);
        size_t from = s->out->size;
        buffer_put(s->out, said.data, said.size);
        cut(s->out, from, s->width > indent + 5 ? s->width - indent - 5 : 0);
        print(s->out, "%z\n", s->color, STYLE_PLAIN);
        buffer_clear(&s->last_source);
        buffer_put(&s->last_source, said.data, said.size);
    }
    s->failed = s->failed || said.failed || s->last_source.failed;
    buffer_free(&said);
}

/* ----------------------------------------------------------------------- graphs */

/* "@true_graph_0(%x: f32[3]):", but for the main graph, whose inputs are in the
 * signature. */
static void begin_graph(show *s, graph_frame *frame) {
    printer *p = &s->printer;
    show_names(s, frame->graph, &frame->values);
    frame->begun = true;
    buffer_clear(&s->last_source);
    p->values = &frame->values;
    if (ep_value_kind(frame->argument) == EP_KIND_NULL) {
        return;
    }
    ep_value name = ep_value_field(frame->argument, "name");
    printer_put_name(p, '@', text_of(name, &p->scratch, &p->failed));
    buffer_byte(&p->line, '(');
    p->typed = true;
    put_list(p, ep_value_field(frame->graph, "inputs"));
    p->typed = false;
    buffer_text(&p->line, "):");
    show_part_line(s, frame->indent - INDENT_STEP, SHOW_BEGIN, frame->graph);
}

static void end_graph(show *s, graph_stack *stack) {
    graph_frame *frame = &stack->frames[stack->depth - 1];
    printer *p = &s->printer;
    ep_value outputs = ep_value_field(frame->graph, "outputs");
    print(&p->line, "%mreturn%M%s", STYLE_OPERATOR, ep_value_count(outputs) > 0 ? " " : "");
    put_list(p, outputs);
    show_part_line(s, frame->indent, SHOW_END, frame->graph);
    buffer_clear(&s->last_source);
    names_free(&frame->values);
    stack->depth--;
}

/* A node, after which its subgraphs are next, the first of them on top. */
static void step_graph(show *s, graph_stack *stack, value_list *found) {
    graph_frame *frame = &stack->frames[stack->depth - 1];
    size_t indent = frame->indent;
    ep_value node = ep_value_item(ep_value_field(frame->graph, "nodes"), frame->next++);
    s->printer.values = &frame->values;
    if (s->source) {
        say_source(s, node, indent);
    }
    put_node(&s->printer, node);
    show_part_line(s, indent, SHOW_NODE, node);
    found->count = 0;
    s->failed = !graphs_of_node(node, found) || s->failed;
    for (size_t i = found->count; i-- > 0;) {
        push_graph(s, stack, found->items[i], indent + 2 * INDENT_STEP);
    }
}

void show_graph(show *s) {
    graph_stack stack = {0};
    value_list found = {0};
    show_heading(s, SHOW_GRAPH);
    push_graph(s, &stack, (ep_value){0}, INDENT_STEP);
    while (stack.depth > 0 && !s->failed && !s->printer.failed) {
        graph_frame *frame = &stack.frames[stack.depth - 1];
        if (!frame->begun) {
            begin_graph(s, frame);
        } else if (frame->next < ep_value_count(ep_value_field(frame->graph, "nodes"))) {
            step_graph(s, &stack, &found);
        } else {
            s->printer.values = &frame->values;
            end_graph(s, &stack);
        }
    }
    for (; stack.depth > 0; stack.depth--) {
        names_free(&stack.frames[stack.depth - 1].values);
    }
    s->printer.values = NULL;
    values_free(&found);
    memory_free(stack.frames);
}
