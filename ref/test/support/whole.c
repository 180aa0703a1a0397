/*
 * whole.c - see whole.h.
 */
#include "whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok, const char *about) {
    if (!ok) {
        fprintf(stderr, "the test cannot go on: %s\n", about);
        exit(EXIT_FAILURE);
    }
}

void test_add_spec(test_text *text, bool call, size_t leaves) {
    test_add_str(text, "\"[1, ");
    if (call) {
        test_add_str(text, "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "
                           "\\\"children_spec\\\": [");
    }
    test_add_str(text, "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "
                       "\\\"children_spec\\\": [");
    for (size_t i = 0; i < leaves; i++) {
        test_add_str(text, i == 0 ? "" : ", ");
        test_add_str(text, "{\\\"type\\\": null, \\\"context\\\": null, "
                           "\\\"children_spec\\\": []}");
    }
    test_add_str(text, "]}");
    if (call) {
        test_add_str(text, ", {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[]\\\", "
                           "\\\"children_spec\\\": []}]}");
    }
    test_add_str(text, "]\"");
}

enum { OWN_HOLES = 4, HOLES_MAX = 16 };

void test_whole(test_text *text, const char *version, size_t inputs, size_t outputs,
                const test_hole *holes) {
    test_text in = {0};
    test_text out = {0};
    test_text entry = {0};
    test_hole all[HOLES_MAX + OWN_HOLES + 1];
    size_t n = 0;
    for (; holes != NULL && holes[n].field != NULL && n < HOLES_MAX; n++) {
        all[n] = holes[n];
    }
    test_add_spec(&in, true, inputs);
    test_add(&in, "", 1);
    test_add_spec(&out, false, outputs);
    test_add(&out, "", 1);
    test_add_str(&entry, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                         "\"in_spec\": ");
    test_add_str(&entry, in.data);
    test_add_str(&entry, ", \"out_spec\": ");
    test_add_str(&entry, out.data);
    test_add(&entry, "}}]", 4);
    all[n++] = (test_hole){"GraphModule.module_call_graph", entry.data};
    all[n++] = (test_hole){"CallSpec.in_spec", in.data};
    all[n++] = (test_hole){"CallSpec.out_spec", out.data};
    all[n++] = (test_hole){"ExportedProgram.opset_version", "{\"aten\": 10}"};
    all[n] = (test_hole){NULL, NULL};
    test_program(text, version, all);
    test_text_free(&in);
    test_text_free(&out);
    test_text_free(&entry);
}

/* ------------------------------------------------------------------- unions */

static void add_quoted(test_text *text, const char *name) {
    test_add_str(text, "\"");
    test_add_str(text, name);
    test_add_str(text, "\": ");
}

/* Every variant of a union; the one with the tag has the value. */
static void add_variants(test_text *text, const ep_version *version, const char *type,
                         const char *only, const char *value) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_schema *schema = NULL;
    ep_type_info info;
    ep_member_info member;
    test_arena(&arena, &heap, 0);
    must(ep_schema_open(&arena, version, &schema, NULL), "no memory");
    size_t i = 0;
    do {
        must(ep_schema_type(schema, i++, &info), type);
    } while (strcmp(info.name, type) != 0);
    for (size_t j = 0; ep_schema_member(schema, i - 1, j, &member); j++) {
        test_add_str(text, j == 0 ? "" : ", ");
        add_quoted(text, member.name);
        test_add_str(text, strcmp(member.name, only) == 0 ? value : "null");
    }
    ep_arena_free(&arena);
}

void test_add_union(test_text *text, const char *version, const char *type, const char *tag,
                    const char *value) {
    const ep_version *found = ep_version_find(version);
    must(found != NULL, version);
    test_add_str(text, "{");
    switch (found->unions) {
    case EP_UNION_ALL_FIELDS:
        add_variants(text, found, type, tag, value);
        break;
    case EP_UNION_TYPE_VALUE:
        test_add_str(text, "\"$type\": \"");
        test_add_str(text, tag);
        test_add_str(text, "\", \"$value\": ");
        test_add_str(text, value);
        break;
    case EP_UNION_SINGLE_KEY:
        add_quoted(text, tag);
        test_add_str(text, value);
        break;
    }
    test_add_str(text, "}");
}

/* ------------------------------------------------------------------- checking */

ep_code test_check(ep_bytes input, const ep_check_options *options, ep_error *error) {
    test_heap heap = {0};
    ep_arena arena, scratch;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    must(ep_decode(&arena, input, NULL, &program, error), error->pointer);
    size_t held = heap.bytes;
    bool ok = ep_check(program, &scratch, options, error);
    must(ok == (error->code == EP_OK), "ep_check says one thing and its error another");
    ep_arena_free(&scratch);
    must(heap.bytes == held, "ep_check keeps memory");
    ep_arena_free(&arena);
    return error->code;
}
