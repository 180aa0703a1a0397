/*
 * families_parts.h - what programs of families.c are put together from.
 */
#ifndef EP_TEST_FAMILIES_PARTS_H
#define EP_TEST_FAMILIES_PARTS_H

#include "families.h"
#include "whole.h"

enum { FAMILY_PARTS_MAX = 12 };

/* A program that is being made: the texts of its fields, its users' values. */
typedef struct program_parts {
    const char *version;
    size_t inputs;
    size_t outputs;
    const char *fields[FAMILY_PARTS_MAX];
    test_text texts[FAMILY_PARTS_MAX];
    size_t count;
} program_parts;

/* A program of version 8.20, to be ended; the text of another of its fields, which
 * may be taken before more are made; the program itself. Where nobody says
 * what goes in, a tensor x does, and comes out. */
program_parts family_begin(void);
test_text *family_part(program_parts *p, const char *field);
void family_end(program_parts *p, test_text *out);

/* before, number, after; that for each number below n, with commas; the same piece
 * n times, with commas. */
void family_number(test_text *text, const char *before, size_t number, const char *after);
void family_each(test_text *text, size_t n, const char *before, const char *after);
void family_times(test_text *text, size_t n, const char *piece);

/* The last of the nodes, by which a program differs from its other one, and the end
 * of the list; the field of the nodes, where it is the only one. */
void family_last(test_text *nodes, bool other);
void family_part_last(program_parts *p, bool other);

/* Field Graph.nodes with a node whose metadata is a dict of texts, which is still
 * open, and the end of both. */
test_text *family_texts(program_parts *p);
void family_texts_end(test_text *texts, bool other);

#define CALL "{\"target\": \"torch.ops.my.call.default\", \"inputs\": ["
#define CALL_END "], \"outputs\": [], \"metadata\": {}}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"

/* The makers of the rows of families.c. */
void family_deep_arguments(test_text *out, size_t n, bool other);
void family_deep_graphs(test_text *out, size_t n, bool other);
void family_long_text(test_text *out, size_t n, bool other);
void family_escapes(test_text *out, size_t n, bool other);
void family_pairs(test_text *out, size_t n, bool other);
void family_backslashes(test_text *out, size_t n, bool other);
void family_keys(test_text *out, size_t n, bool other);
void family_colliding_keys(test_text *out, size_t n, bool other);
void family_colliding_names(test_text *out, size_t n, bool other);
void family_nodes(test_text *out, size_t n, bool other);
void family_targets(test_text *out, size_t n, bool other);
void family_chain(test_text *out, size_t n, bool other);
void family_twins(test_text *out, size_t n, bool other);
void family_views(test_text *out, size_t n, bool other);
void family_arguments(test_text *out, size_t n, bool other);
void family_users(test_text *out, size_t n, bool other);
void family_escaped_users(test_text *out, size_t n, bool other);
void family_ints(test_text *out, size_t n, bool other);
void family_floats(test_text *out, size_t n, bool other);
void family_digits(test_text *out, size_t n, bool other);
void family_ranges(test_text *out, size_t n, bool other);
void family_sum(test_text *out, size_t n, bool other);
void family_deep_terms(test_text *out, size_t n, bool other);
void family_terms(test_text *out, size_t n, bool other);
void family_wrong_terms(test_text *out, size_t n, bool other);
void family_infix(test_text *out, size_t n, bool other);
void family_long_integer(test_text *out, size_t n, bool other);
void family_inputs(test_text *out, size_t n, bool other);
void family_mutations(test_text *out, size_t n, bool other);
void family_subgraphs(test_text *out, size_t n, bool other);
void family_modules(test_text *out, size_t n, bool other);
void family_deep_specs(test_text *out, size_t n, bool other);
void family_wide_specs(test_text *out, size_t n, bool other);
void family_guards(test_text *out, size_t n, bool other);
void family_long_guard(test_text *out, size_t n, bool other);
void family_stack_trace(test_text *out, size_t n, bool other);
void family_module_stack(test_text *out, size_t n, bool other);
void family_sources(test_text *out, size_t n, bool other);
void family_custom(test_text *out, size_t n, bool other);
void family_long_calls(test_text *out, size_t n, bool other);
void family_long_specs(test_text *out, size_t n, bool other);
void family_long_map(test_text *out, size_t n, bool other);
void family_long_target(test_text *out, size_t n, bool other);
void family_long_argument(test_text *out, size_t n, bool other);
void family_long_stack(test_text *out, size_t n, bool other);
void family_late_error(test_text *out, size_t n, bool other);
void family_late_twin(test_text *out, size_t n, bool other);
void family_late_use(test_text *out, size_t n, bool other);

#endif
