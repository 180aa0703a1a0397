/*
 * order.c - other orders: of nodes, as far as effects and uses leave it open
 * (SPEC 6.3.6), and of inputs and outputs that are found by name.
 */
#include "rewriter.h"

/* ------------------------------------------------------------------------- nodes */

/* Nodes that may come next. */
typedef struct queue {
    uint32_t *ready;
    uint32_t *waits;
    size_t count;
    size_t style; /* any of them, the one that came last, or the one that came first */
} queue;

static uint32_t take_next(ep_rewriter *rewriter, queue *q) {
    size_t at = q->style == 0   ? ep_rewriter_below(rewriter, q->count)
                : q->style == 1 ? q->count - 1
                                : 0;
    uint32_t number = q->ready[at];
    q->ready[at] = q->ready[--q->count];
    return number;
}

static bool order_graph(ep_rewriter *rewriter, ep_canon_graph *graph) {
    queue q = {.style = ep_rewriter_below(rewriter, 3)};
    ep_list *nodes =
        ep_list_mutable(ep_field_bits(&rewriter->c.fields, graph->graph, EP_F_Graph_nodes));
    q.ready = ep_canon_array(&rewriter->c, graph->node_count, sizeof *q.ready);
    q.waits = ep_canon_array(&rewriter->c, graph->node_count, sizeof *q.waits);
    TRY(q.ready != NULL && q.waits != NULL);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        q.waits[i] = graph->nodes[i].waits;
        if (q.waits[i] == 0) {
            q.ready[q.count++] = i;
        }
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        if (q.count == 0) {
            return ep_canon_fail(&rewriter->c, EP_INTERNAL);
        }
        const ep_canon_node *node = &graph->nodes[take_next(rewriter, &q)];
        nodes->items[i] = ep_pointer_bits(node->node);
        for (uint32_t at = node->first_edge; at != EP_CANON_NONE;
             at = graph->edges.items[at].next) {
            uint32_t to = graph->edges.items[at].to;
            if (--q.waits[to] == 0) {
                q.ready[q.count++] = to;
            }
        }
    }
    return true;
}

bool ep_rewriter_order(ep_rewriter *rewriter) {
    for (ep_canon_graph *graph = rewriter->c.graphs; graph != NULL; graph = graph->next) {
        TRY(order_graph(rewriter, graph));
    }
    return true;
}

/* ----------------------------------------------------------------- the signature */

/* Inputs or outputs of the program. */
typedef struct side {
    const ep_spec *specs;
    uint32_t *numbers; /* the spec of each place */
    ep_list *arguments;
    ep_list *list; /* of specs; NULL in version 1 */
    bool inputs;
} side;

/* What may stand in any order: 0 is nothing that may. */
static int class_of(const side *s, size_t place) {
    int kind = s->specs[s->numbers[place]].kind;
    if (s->inputs) {
        return kind != EP_INPUT_TOKEN && kind != EP_INPUT_USER && kind != EP_INPUT_CONSTANT;
    }
    bool mutation = kind == EP_OUTPUT_BUFFER_MUTATION || kind == EP_OUTPUT_PARAMETER_MUTATION ||
                    kind == EP_OUTPUT_USER_INPUT_MUTATION;
    bool gradient =
        kind == EP_OUTPUT_GRADIENT_TO_PARAMETER || kind == EP_OUTPUT_GRADIENT_TO_USER_INPUT;
    return mutation ? 1 : gradient ? 2 : 0;
}

/* Gradients for one thing stay in their order (SPEC 6.5.2), so that programs
 * with such are left alone. */
static bool has_twins(const ep_rewriter *rewriter, const side *s) {
    const char *input = rewriter->c.input.data;
    for (size_t i = 0; !s->inputs && i < s->arguments->count; i++) {
        for (size_t j = 0; class_of(s, i) == 2 && j < i; j++) {
            ep_ref one = s->specs[s->numbers[i]].target;
            if (class_of(s, j) == 2 &&
                ep_text_compare(input, one, s->specs[s->numbers[j]].target) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool open_side(ep_rewriter *rewriter, side *s, const ep_specs *specs, bool inputs) {
    ep_canonizer *c = &rewriter->c;
    uint64_t arguments = ep_field_bits(&c->fields, c->graphs->graph,
                                       inputs ? EP_F_Graph_inputs : EP_F_Graph_outputs);
    uint64_t list =
        ep_field_bits(&c->fields, specs->node,
                      inputs ? EP_F_GraphSignature_input_specs : EP_F_GraphSignature_output_specs);
    *s = (side){.specs = inputs ? specs->inputs : specs->outputs,
                .arguments = ep_list_mutable(arguments),
                .list = ep_list_mutable(list),
                .inputs = inputs};
    s->numbers = ep_canon_array(c, ep_list_count(arguments), sizeof *s->numbers);
    TRY(s->numbers != NULL);
    ep_specs_side of = {s->specs, arguments};
    return ep_specs_place(c->arena, &c->fields, c->input, of, s->numbers) ||
           ep_canon_fail(c, EP_MEMORY);
}

static bool shuffle_side(ep_rewriter *rewriter, const ep_specs *specs, bool inputs) {
    side opened;
    const side *s = &opened;
    TRY(open_side(rewriter, &opened, specs, inputs));
    if (s->arguments == NULL) {
        return true;
    }
    bool twins = has_twins(rewriter, s);
    for (size_t i = (size_t)s->arguments->count; i-- > 1;) {
        size_t j = ep_rewriter_below(rewriter, i + 1);
        int class = class_of(s, i);
        if (class == 0 || class != class_of(s, j) || (twins && class == 2)) {
            continue;
        }
        uint32_t number = s->numbers[i];
        s->numbers[i] = s->numbers[j];
        s->numbers[j] = number;
        ep_rewriter_exchange(&s->arguments->items[i], &s->arguments->items[j]);
        if (s->list != NULL) {
            ep_rewriter_exchange(&s->list->items[i], &s->list->items[j]);
        }
    }
    return true;
}

bool ep_rewriter_specs(ep_rewriter *rewriter) {
    ep_canonizer *c = &rewriter->c;
    const ep_node *module = ep_field_node(&c->fields, c->root, EP_F_ExportedProgram_graph_module);
    ep_specs specs;
    TRY(ep_specs_read(&specs, c->arena, &c->fields,
                      ep_field_node(&c->fields, module, EP_F_GraphModule_signature)) ||
        ep_canon_fail(c, EP_MEMORY));
    return shuffle_side(rewriter, &specs, true) && shuffle_side(rewriter, &specs, false);
}
