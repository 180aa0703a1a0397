/*
 * stats.c - epref stats: what a program is made of, in numbers.
 */

#include "cli/json.h"
#include "cli/print.h"
#include "cli/show/graphs.h"
#include "cli/show/line.h"
#include "cli/show/printer.h"
#include "cli/show/signature.h"
#include "cli/show/table.h"
#include "cli/source.h"
#include "cli/style.h"
#include "cli/walk.h"
#include "command.h"
#include "common/safe.h"

/* ------------------------------------------------------------------ bytes by section */

enum { SECTIONS_MAX = 64, SECTION_LEVELS = 3 };

typedef struct section {
    ep_bytes path[SECTION_LEVELS]; /* keys, from the outermost, as they are in the file */
    size_t levels;
    size_t bytes;
} section;

typedef struct sections {
    section items[SECTIONS_MAX];
    size_t count;
    size_t other;     /* bytes of brackets, of keys of what is divided further, and of
                         sections beyond the maximum */
    section *current; /* NULL: none */
    size_t from;      /* where that, or what is in none, begins */
    bool failed;      /* for want of memory */
} sections;

/* A section for the members named by the path so far. */
static void begin_section(sections *found, const walk *w) {
    if (found->count < SECTIONS_MAX) {
        found->current = &found->items[found->count++];
        *found->current = (section){.levels = w->depth};
        for (size_t i = 0; i < w->depth; i++) {
            found->current->path[i] = w->levels[i].key;
        }
    }
}

static void end_section(sections *found, size_t at) {
    *(found->current != NULL ? &found->current->bytes : &found->other) += at - found->from;
    found->current = NULL;
    found->from = at;
}

/* Whether the object that has been opened is divided, as those around it are: the program, its
 * graph module, the graph of that. */
static bool is_divided(const walk *w, size_t around) {
    static const char *const keys[] = {"graph_module", "graph"};
    bool direct = w->depth == around + 1 && around < SECTION_LEVELS;
    return direct && (around == 0 || bytes_equal(w->levels[around - 1].key, keys[around - 1]));
}

/* Divides a file, which has been decoded and so is well-formed. */
static void sections_find(sections *found, ep_bytes file) {
    walk w = {.text = file};
    size_t divided = 0; /* of the objects that are open */
    *found = (sections){.count = 0};
    while (walk_next(&w)) {
        bool whole = found->current == NULL;
        if (w.is_key && w.depth == divided) {
            end_section(found, w.at);
            begin_section(found, &w);
        } else if (file.data[w.at] == '{' && is_divided(&w, divided)) {
            end_section(found, w.at);
            found->other += whole ? 0 : found->items[--found->count].bytes;
            divided++;
        } else if (file.data[w.at] == '}' && w.depth + 1 == divided) {
            end_section(found, w.at);
            divided--;
        }
    }
    end_section(found, file.size);
    found->failed = w.failed;
    walk_close(&w);
}

/* "graph_module/graph/nodes" */
static void section_put_name(buffer *b, const section *s) {
    for (size_t i = 0; i < s->levels; i++) {
        print(b, "%s%t", i > 0 ? "/" : "", s->path[i]);
    }
}

/* Inputs and outputs by kind; values by what they are; and the metadata of nodes by key, with the
 * bytes of the texts. The first two are a signature_side. */
enum { INPUTS, OUTPUTS, VALUES, METADATA, LISTS };

/* What is counted of a program, and where it goes. */
typedef struct stats {
    const ep_program *program;
    ep_arena *arena;
    ep_bytes file;
    ep_bytes label;
    buffer *out;
    bool color;
    name_list lists[LISTS];
    size_t main_nodes;
    graphs_counts graphs;
    sections sections;
    bool failed; /* for want of memory; sticks */
} stats;

static void count_signature(stats *s) {
    signature said;
    signature_row row;
    signature_open(&said, s->program, s->arena);
    for (int side = INPUTS; side <= OUTPUTS; side++) {
        for (size_t i = 0; signature_at(&said, (signature_side)side, i, &row); i++) {
            names_add(&s->lists[side], (name_item){.name = bytes_of(row.kind), .count = 1});
        }
    }
    s->failed = s->failed || said.failed;
    signature_close(&said);
}

/* Texts that need unescaping are made in an arena of their own, for a node. */
static void count_metadata(stats *s, ep_value metadata) {
    ep_arena scratch;
    arena_open(&scratch, 0);
    for (size_t i = 0; i < ep_value_count(metadata); i++) {
        ep_bytes key = dict_key(metadata, i, s->arena, &s->failed);
        ep_bytes text = text_of(ep_value_item(metadata, i), &scratch, &s->failed);
        names_add(&s->lists[METADATA],
                  (name_item){.name = key, .count = 1, .bytes = key.size + text.size});
    }
    ep_arena_free(&scratch);
}

static void count_values(stats *s, ep_value graph) {
    static const char *const fields[][2] = {{"tensor_values", "tensors"},
                                            {"sym_int_values", "symbolic ints"},
                                            {"sym_float_values", "symbolic floats"},
                                            {"sym_bool_values", "symbolic bools"},
                                            {"custom_obj_values", "custom objects"}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t count = ep_value_count(ep_value_field(graph, fields[i][0]));
        if (count > 0) {
            names_add(&s->lists[VALUES],
                      (name_item){.name = bytes_of(fields[i][1]), .count = count});
        }
    }
}

static void count_graph(void *context, ep_value graph) {
    stats *s = context;
    ep_value nodes = ep_value_field(graph, "nodes");
    count_values(s, graph);
    for (size_t i = 0; i < ep_value_count(nodes); i++) {
        count_metadata(s, ep_value_field(ep_value_item(nodes, i), "metadata"));
    }
}

static void stats_count(stats *s) {
    count_signature(s);
    s->failed = !graphs_visit(s->program, count_graph, s) || s->failed;
    s->failed = !graphs_count(s->program, s->arena, &s->graphs) || s->failed;
    s->main_nodes = ep_value_count(ep_value_field(graphs_main(s->program), "nodes"));
    sections_find(&s->sections, s->file);
    s->failed = s->failed || s->sections.failed;
    for (size_t i = 0; i < LISTS; i++) {
        names_sort(&s->lists[i]);
        s->failed = s->failed || s->lists[i].failed;
        if (!s->failed) {
            names_collapse(&s->lists[i]);
        }
    }
}

static void stats_free(stats *s) {
    for (size_t i = 0; i < LISTS; i++) {
        names_free(&s->lists[i]);
    }
    names_free(&s->graphs.operators);
}

static ep_bytes root_text(const stats *s, const char *name) {
    bool failed = false;
    ep_bytes text = text_of(ep_value_field(ep_program_root(s->program), name), s->arena, &failed);
    s->out->failed = s->out->failed || failed;
    return text;
}

/* ------------------------------------------------------------------------- text */

enum { COLUMN = 11 };

static void put_fact(const stats *s, const char *name, ep_bytes value) {
    print(s->out, value.size > 0 ? "  %s%p%t\n" : "", name, COLUMN, value);
}

static void put_facts(const stats *s) {
    print(s->out, "%z%t%Z\n", s->color, STYLE_HEADING, s->label);
    put_fact(s, "schema", bytes_of(ep_program_version(s->program)->name));
    put_fact(s, "torch", root_text(s, "torch_version"));
    put_fact(s, "dialect", root_text(s, "dialect"));
    print(s->out, "  bytes%p%i\n", COLUMN, (int64_t)s->file.size);
    print(s->out, "  nodes%p%i", COLUMN, (int64_t)s->graphs.nodes);
    print(s->out, s->graphs.subgraphs > 0 ? ", of these %i in %i%s" : "",
          (int64_t)(s->graphs.nodes - s->main_nodes), (int64_t)s->graphs.subgraphs,
          s->graphs.subgraphs == 1 ? " subgraph" : " subgraphs");
    buffer_byte(s->out, '\n');
}

static void begin_table(const stats *s, table *t, const char *heading) {
    *t = (table){.right = {true, true}, .styles = {STYLE_TYPE, STYLE_DIM}};
    print(s->out, "\n%z%s%Z\n", s->color, STYLE_HEADING, heading);
}

/* operators: their names are said as the printer says them. */
static void put_list(const stats *s, const char *heading, const name_list *list, bool bytes) {
    table t;
    printer p;
    bool operators = list == &s->graphs.operators;
    if (list->count == 0) {
        return;
    }
    printer_open(&p);
    begin_table(s, &t, heading);
    for (size_t i = 0; i < list->count; i++) {
        const name_item *item = &list->items[i];
        table_number(&t, bytes ? (size_t)item->bytes : item->count);
        table_end_cell(&t);
        if (operators) {
            printer_put_operator(&p, item->name);
            line_plain(&t.text, buffer_bytes(&p.line));
            printer_end_line(&p);
        } else {
            safe_text(&t.text, item->name);
        }
        table_end_row(&t);
    }
    table_put(s->out, &t, 2, s->color);
    s->out->failed = s->out->failed || p.failed;
    printer_close(&p);
}

/* "12.3%" of the file; 0 where there is next to nothing. */
static void percent_cell(const stats *s, table *t, size_t bytes) {
    size_t tenths = (size_t)((double)bytes * 1000 / (double)s->file.size + 0.5);
    print(&t->text, "%i.%i%c", (int64_t)(tenths / 10), (int64_t)(tenths % 10), '%');
    table_end_cell(t);
}

static void put_sections(const stats *s) {
    table t;
    const sections *found = &s->sections;
    begin_table(s, &t, "bytes by section");
    for (size_t i = 0; i < found->count; i++) {
        table_number(&t, found->items[i].bytes);
        percent_cell(s, &t, found->items[i].bytes);
        section_put_name(&t.text, &found->items[i]);
        table_end_row(&t);
    }
    table_number(&t, found->other);
    percent_cell(s, &t, found->other);
    buffer_text(&t.text, "brackets and keys around these");
    table_end_row(&t);
    table_put(s->out, &t, 2, s->color);
}

static void put_text(const stats *s) {
    put_facts(s);
    put_list(s, "inputs", &s->lists[INPUTS], false);
    put_list(s, "outputs", &s->lists[OUTPUTS], false);
    put_list(s, "values", &s->lists[VALUES], false);
    put_list(s, "operators", &s->graphs.operators, false);
    put_list(s, "bytes of node metadata, as text", &s->lists[METADATA], true);
    put_sections(s);
}

/* ------------------------------------------------------------------------- JSON */

/* members: "kind:t count:n bytes:?n" */
static json *list_object(const name_list *list, const char *members, bool bytes) {
    json *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const name_item *item = &list->items[i];
        json_append(array, json_make(members, item->name, item->count, bytes, (size_t)item->bytes));
    }
    return array;
}

static json *section_list(const sections *found) {
    json *array = json_array();
    for (size_t i = 0; i < found->count; i++) {
        buffer name = {0};
        section_put_name(&name, &found->items[i]);
        json_append(array,
                    json_make("section:j bytes:n", json_buffer(&name), found->items[i].bytes));
    }
    return array;
}

static void put_json(const stats *s) {
    json_put(s->out,
             json_make("file:t schema_version:s torch_version:u bytes:n nodes:n "
                       "main_nodes:n subgraphs:n inputs:j outputs:j values:j operators:j "
                       "op_count:j op_set:j metadata:j sections:j other_bytes:n",
                       s->label, ep_program_version(s->program)->name,
                       root_text(s, "torch_version"), s->file.size, s->graphs.nodes, s->main_nodes,
                       s->graphs.subgraphs,
                       list_object(&s->lists[INPUTS], "kind:t count:n bytes:?n", false),
                       list_object(&s->lists[OUTPUTS], "kind:t count:n bytes:?n", false),
                       list_object(&s->lists[VALUES], "kind:t count:n bytes:?n", false),
                       list_object(&s->graphs.operators, "target:t count:n bytes:?n", false),
                       json_counts(&s->graphs.operators), json_sorted_names(&s->graphs.operators),
                       list_object(&s->lists[METADATA], "key:t count:n bytes:?n", true),
                       section_list(&s->sections), s->sections.other));
}

/* ---------------------------------------------------------------------- command */

static status stats_file(command_run *run, const char *path) {
    source *from = &run->source;
    size_t *told = run->context;
    ep_arena arena;
    stats s = {.arena = &arena, .out = &run->product, .color = style_on_output(run->o)};
    from->path = path;
    status result = source_load(from, run->o, &arena, &s.program, NULL);
    if (result == STATUS_DONE) {
        s.file = from->input;
        s.label = buffer_bytes(&from->label);
        stats_count(&s);
        buffer_text(s.out, !run->o->json && (*told)++ > 0 ? "\n" : "");
        s.out->failed = s.out->failed || s.failed;
        if (run->o->json && !s.failed) {
            put_json(&s);
        } else if (!s.failed) {
            put_text(&s);
        }
    }
    stats_free(&s);
    ep_arena_free(&arena);
    return result;
}

status cmd_stats(const options *o) {
    size_t told = 0;
    return command_each(o, stats_file, NULL, &told);
}
