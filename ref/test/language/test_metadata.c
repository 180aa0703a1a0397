/*
 * test_metadata.c - the languages of node metadata: each form of each version
 * with its parts, printed again byte for byte, and each refusal with its byte.
 */
#include "language/metadata.h"

#include "check.h"
#include "support.h"

enum { DEPTH = 16 };

static ep_version_number version_of(const char *name) {
    return ep_version_number_of(ep_version_find(name));
}

static ep_limits limits(void) {
    ep_limits result = ep_limits_default();
    result.depth = DEPTH;
    return result;
}

/* ---------------------------------------------------------------------- keys */

typedef struct key_row {
    const char *key;
    const char *version;
    ep_metadata_key expected;
} key_row;

static const key_row keys[] = {
    {"stack_trace", "1", EP_METADATA_STACK_TRACE},
    {"stack_trace", "8.20", EP_METADATA_STACK_TRACE},
    {"nn_module_stack", "1", EP_METADATA_NN_MODULES_2_1},
    {"nn_module_stack", "1-2023-12", EP_METADATA_OTHER},
    {"nn_module_stack", "2", EP_METADATA_NN_MODULE_STACK},
    {"nn_module_stack", "8.20", EP_METADATA_NN_MODULE_STACK},
    {"source_fn", "1", EP_METADATA_SOURCE_FN},
    {"source_fn", "2", EP_METADATA_OTHER},
    {"source_fn_stack", "1", EP_METADATA_OTHER},
    {"source_fn_stack", "2", EP_METADATA_SOURCE_FN_STACK},
    {"torch_fn", "5.1", EP_METADATA_OTHER},
    {"torch_fn", "5.3", EP_METADATA_TORCH_FN_KEY},
    {"custom", "5.3", EP_METADATA_OTHER},
    {"custom", "7.3", EP_METADATA_CUSTOM_KEY},
    {"from_node", "8.15", EP_METADATA_OTHER},
    {"from_node", "8.17", EP_METADATA_FROM_NODE_KEY},
    {"from_nodes", "8.20", EP_METADATA_OTHER},
    {"", "8.20", EP_METADATA_OTHER},
};

/* Between the forms of two releases a text is read as any, written as the later one,
 * and not turned. */
static void test_forms(void) {
    static const ep_metadata_key pairs[][2] = {
        {EP_METADATA_NN_MODULES_2_1, EP_METADATA_NN_MODULE_STACK},
        {EP_METADATA_SOURCE_FN, EP_METADATA_SOURCE_FN_STACK},
    };
    ep_version_number early = version_of("1");
    ep_version_number between = version_of("1-2023-12");
    ep_version_number later = version_of("2");
    for (size_t i = 0; i < EP_COUNT_OF(pairs); i++) {
        const ep_metadata_form *forms[2] = {ep_metadata_form_of(pairs[i][0]),
                                            ep_metadata_form_of(pairs[i][1])};
        CHECK(ep_metadata_is_written(forms[0], early) && !ep_metadata_is_written(forms[1], early));
        CHECK(!ep_metadata_is_written(forms[0], between));
        CHECK(ep_metadata_is_written(forms[1], between) && ep_metadata_is_written(forms[1], later));
        CHECK(ep_metadata_turned(pairs[i][0], later) == forms[1]);
        CHECK(ep_metadata_turned(pairs[i][1], early) == forms[0]);
        CHECK(ep_metadata_turned(pairs[i][0], between) == NULL);
        CHECK(ep_metadata_turned(pairs[i][1], between) == NULL);
    }
    CHECK(ep_metadata_turned(EP_METADATA_OTHER, later) == NULL);
    CHECK(ep_metadata_turns(early, later) && ep_metadata_turns(later, early));
    CHECK(!ep_metadata_turns(early, between) && !ep_metadata_turns(between, later));
    CHECK(!ep_metadata_turns(later, version_of("8.20")));
}

static void test_keys(void) {
    for (size_t i = 0; i < EP_COUNT_OF(keys); i++) {
        ep_metadata_key key =
            ep_metadata_key_of(ep_text_of(keys[i].key), version_of(keys[i].version));
        if (!CHECK_EQ_INT(key, keys[i].expected)) {
            fprintf(stderr, "    of %s in %s\n", keys[i].key, keys[i].version);
        }
    }
}

/* ------------------------------------------------------------------ accepted */

/* What was read, as a line: parts with bars between, entries with slashes. */
static void add_part(test_text *line, const char *before, ep_bytes part) {
    test_add_str(line, before);
    test_add(line, part.data, part.size);
}

static void describe(const ep_metadata *metadata, test_text *line) {
    for (size_t i = 0; i < metadata->count; i++) {
        const char *between = i == 0 ? "" : " / ";
        if (metadata->sources != NULL) {
            const ep_node_source *source = &metadata->sources[i];
            test_add_str(line, between);
            test_add_int(line, (int64_t)source->level);
            add_part(line, "|", source->name);
            add_part(line, "|", source->target);
            add_part(line, "|", source->graph_id);
            add_part(line, "|", source->pass_name);
            add_part(line, "|", source->action);
        } else {
            add_part(line, between, metadata->entries[i].key);
            add_part(line, "|", metadata->entries[i].path);
            add_part(line, "|", metadata->entries[i].type);
        }
    }
}

#define SOURCE(name, inner)                                                                        \
    "{\"name\": \"" name "\", \"target\": \"t\", \"graph_id\": 7, \"pass_name\": \"p\", "          \
    "\"action\": \"create\", \"from_node\": [" inner "]}"

typedef struct good_row {
    ep_metadata_key key;
    const char *text;
    const char *parts;
} good_row;

static const good_row good[] = {
    {EP_METADATA_OTHER, "", ""},
    {EP_METADATA_OTHER, "any ;,( text", ""},
    {EP_METADATA_STACK_TRACE, "  File \"m.py\", line 1, in f\n", ""},
    {EP_METADATA_NN_MODULES_2_1, "L__self___conv:(L['self'].conv,torch.nn.Conv2d)",
     "L__self___conv|L['self'].conv|torch.nn.Conv2d"},
    {EP_METADATA_NN_MODULES_2_1, "a:(getattr(L['self'].layers, '2'),t.N);b:(,u)",
     "a|getattr(L['self'].layers, '2')|t.N / b||u"},
    {EP_METADATA_NN_MODULES_2_1, "a:(b:(c),d)", "a|b:(c)|d"},
    {EP_METADATA_NN_MODULE_STACK, "L__self__,,models.M", "L__self__||models.M"},
    {EP_METADATA_NN_MODULE_STACK, "L__self__,,m.M;140@1,a.0,m.f.<locals>.S",
     "L__self__||m.M / 140@1|a.0|m.f.<locals>.S"},
    {EP_METADATA_NN_MODULE_STACK, "fn_0,getattr(L['fn'], '0').alias[0],m.T",
     "fn_0|getattr(L['fn'], '0').alias[0]|m.T"},
    {EP_METADATA_NN_MODULE_STACK, "k,layer.slice(1, None, (2, [3])),m.S",
     "k|layer.slice(1, None, (2, [3]))|m.S"},
    {EP_METADATA_NN_MODULE_STACK, "k,a)b(c,m.S", "k|a)b(c|m.S"},
    {EP_METADATA_NN_MODULE_STACK, "f(1, 2),,m.M", "f(1, 2)||m.M"},
    {EP_METADATA_SOURCE_FN, "add_22,_operator.add", "add_22||_operator.add"},
    {EP_METADATA_SOURCE_FN, "a;b,c", "a;b||c"},
    {EP_METADATA_SOURCE_FN_STACK, "cond,torch.ops.higher_order.cond;add,_operator.add",
     "cond||torch.ops.higher_order.cond / add||_operator.add"},
    {EP_METADATA_SOURCE_FN_STACK, "view,view", "view||view"},
    {EP_METADATA_TORCH_FN_KEY, "gelu_1;builtin_function_or_method.gelu",
     "gelu_1||builtin_function_or_method.gelu"},
    {EP_METADATA_TORCH_FN_KEY, "a,b;c,d", "a,b||c,d"},
    {EP_METADATA_CUSTOM_KEY, "{}", ""},
    {EP_METADATA_CUSTOM_KEY, " \t\r\n{} ", ""},
    {EP_METADATA_CUSTOM_KEY, "{\"a\": [1, NaN, {\"b\": null}], \"c\": -Infinity}", ""},
    {EP_METADATA_FROM_NODE_KEY, "null", ""},
    {EP_METADATA_FROM_NODE_KEY, "[]", ""},
    {EP_METADATA_FROM_NODE_KEY, "[" SOURCE("a", "") "]", "0|a|t|7|p|create"},
    {EP_METADATA_FROM_NODE_KEY, "[" SOURCE("a", SOURCE("b", SOURCE("c", ""))) "]",
     "0|a|t|7|p|create / 1|b|t|7|p|create / 2|c|t|7|p|create"},
    {EP_METADATA_FROM_NODE_KEY,
     "[" SOURCE("a", SOURCE("b", "") ", " SOURCE("c", SOURCE("d", ""))) ", " SOURCE("e", "") "]",
     "0|a|t|7|p|create / 1|b|t|7|p|create / 1|c|t|7|p|create / 2|d|t|7|p|create / "
     "0|e|t|7|p|create"},
    {EP_METADATA_FROM_NODE_KEY,
     "[{\"name\": \"\", \"target\": \"<f at 0x7f> \\u00e9\\\"\", \"graph_id\": -1, "
     "\"pass_name\": \"\", \"action\": \"\", \"from_node\": []}]",
     "0||<f at 0x7f> \\u00e9\\\"|-1||"},
    {EP_METADATA_FROM_NODE_KEY,
     "[{\"name\": \"n\", \"target\": \"\", \"graph_id\": 9223372036854775807, "
     "\"pass_name\": \"\", \"action\": \"create+replace+create\", \"from_node\": []}]",
     "0|n||9223372036854775807||create+replace+create"},
};

static ep_metadata_reader reader_of(ep_arena *arena, const ep_passage *passage,
                                    ep_metadata_key key) {
    return (ep_metadata_reader){arena, passage, key, limits()};
}

static void check_good(const good_row *row) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    ep_passage passage = {ep_text_of(row->text), ep_text_of(row->text), 0, NULL};
    ep_metadata_reader reader = reader_of(&arena, &passage, row->key);
    ep_fault fault = {.code = EP_OK};
    const ep_metadata *metadata;
    ep_bytes printed;
    CHECK_NOTE(ep_metadata_parse(&reader, NULL, &fault), row->text);
    bool nested = row->key >= EP_METADATA_CUSTOM_KEY;
    CHECK(nested || heap.calls == 0); /* to judge takes no memory */
    if (CHECK_NOTE(ep_metadata_parse(&reader, &metadata, &fault), row->text) &&
        CHECK(ep_metadata_print(metadata, &arena, &printed))) {
        test_text line = {0};
        describe(metadata, &line);
        CHECK_EQ_STR(printed.data, printed.size, row->text);
        CHECK_EQ_STR(line.data, line.size, row->parts);
        test_text_free(&line);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.blocks, 0);
}

static void test_good(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        check_good(&good[i]);
    }
}

/* ------------------------------------------------------------------- refused */

typedef struct bad_row {
    ep_metadata_key key;
    ep_code code;
    const char *text; /* '@' before the byte that is wrong */
} bad_row;

#define BEGIN "[{\"name\": \"a\", \"target\": \"t\", \"graph_id\": "

static const bad_row bad[] = {
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "@"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "garbage@"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a@;b:(c,d)"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:@"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:@c,d)"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:(c,d@"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:(c)@"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:(c,d@,e)"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:(c,@)"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "@:(c,d)"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:(c,d);@"},
    {EP_METADATA_NN_MODULES_2_1, EP_METADATA_MODULES, "a:(c,d)x@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "garbage@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a,b@;c,d,e"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a,b,c@,d"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a,b(,c@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a],b,c@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "@,b,c"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, ",@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "@,,"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a,b,@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a,b,c;@"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "a,b,@;c,d,e"},
    {EP_METADATA_NN_MODULE_STACK, EP_METADATA_MODULES, "L__self___conv:(L['self'].conv,t.C)@"},
    {EP_METADATA_SOURCE_FN, EP_METADATA_SOURCE, "add@"},
    {EP_METADATA_SOURCE_FN, EP_METADATA_SOURCE, "add,b@,c"},
    {EP_METADATA_SOURCE_FN, EP_METADATA_SOURCE, "@,b"},
    {EP_METADATA_SOURCE_FN, EP_METADATA_SOURCE, "a,@"},
    {EP_METADATA_SOURCE_FN_STACK, EP_METADATA_SOURCE, "a,b;c@"},
    {EP_METADATA_SOURCE_FN_STACK, EP_METADATA_SOURCE, "a,b;c,d@,e"},
    {EP_METADATA_SOURCE_FN_STACK, EP_METADATA_SOURCE, "a,f(1@, 2)"},
    {EP_METADATA_TORCH_FN_KEY, EP_METADATA_TORCH_FN, "@"},
    {EP_METADATA_TORCH_FN_KEY, EP_METADATA_TORCH_FN, "garbage@"},
    {EP_METADATA_TORCH_FN_KEY, EP_METADATA_TORCH_FN, "a;b@;c"},
    {EP_METADATA_TORCH_FN_KEY, EP_METADATA_TORCH_FN, "a;@"},
    {EP_METADATA_TORCH_FN_KEY, EP_METADATA_TORCH_FN, "@;a"},
    {EP_METADATA_TORCH_FN_KEY, EP_METADATA_TORCH_FN, ";@;"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "@"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "@[]"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, " @"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "\n @[]"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "@\f{}"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, " {} @{}"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "@1"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "{@"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "{}@x"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "{\"a\": @'b'}"},
    {EP_METADATA_CUSTOM_KEY, EP_METADATA_CUSTOM, "{\"a\": 1, @\"a\": 2}"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "@"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "@garbage"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "@{}"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "@nul"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[@"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[]@ "},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[@ ]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[{@}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[{\"@target\": \"t\"}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[{\"name\": @7}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[{\"name\":@\"a\"}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[{\"name\": \"@\\q\"}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, BEGIN "@\"7\""},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, BEGIN "@7.0, "},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, BEGIN "@-0, "},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, BEGIN "@9223372036854775808, "},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, BEGIN "7@}"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE,
     BEGIN "7, \"pass_name\": \"\", \"action\": \"@erase\", \"from_node\": []}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE,
     BEGIN "7, \"pass_name\": \"\", \"action\": \"create+@\", \"from_node\": []}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE,
     BEGIN "7, \"pass_name\": \"\", \"action\": \"create@d\", \"from_node\": []}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE,
     BEGIN "7, \"pass_name\": \"\", \"action\": \"\"@}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE,
     BEGIN "7, \"pass_name\": \"\", \"action\": \"\", \"from_node\": @null}]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[" SOURCE("a", "") "@"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[" SOURCE("a", "") ",@]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[" SOURCE("a", "") ", @]"},
    {EP_METADATA_FROM_NODE_KEY, EP_METADATA_FROM_NODE, "[" SOURCE("a", "") "]@]"},
};

static void check_bad(const bad_row *row) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    test_text text = {0};
    test_add_str(&text, row->text);
    size_t at = test_take_mark(&text);
    ep_bytes bytes = test_text_exact(&text);
    ep_passage passage = {bytes, bytes, 0, NULL};
    ep_metadata_reader reader = reader_of(&arena, &passage, row->key);
    const ep_metadata *metadata;
    for (int judged = 0; judged <= 1; judged++) {
        ep_fault fault = {.code = EP_OK};
        CHECK_NOTE(!ep_metadata_parse(&reader, judged == 1 ? NULL : &metadata, &fault), row->text);
        if (!CHECK_EQ_INT(fault.code, row->code) || !CHECK_EQ_INT(fault.offset, at)) {
            fprintf(stderr, "    of %s\n", row->text);
        }
    }
    CHECK(metadata == NULL);
    test_text_free(&text);
    ep_arena_free(&arena);
}

static void test_bad(void) {
    for (size_t i = 0; i < EP_COUNT_OF(bad); i++) {
        check_bad(&bad[i]);
    }
}

/* ------------------------------------------------------------------- damages */

/* What is accepted is printed again; what is refused, inside the text. */
static void check_any(const test_text *text, ep_metadata_key key) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    ep_bytes bytes = {text->data, text->size};
    ep_passage passage = {bytes, bytes, 0, NULL};
    ep_metadata_reader reader = reader_of(&arena, &passage, key);
    ep_fault fault = {.code = EP_OK};
    const ep_metadata *metadata;
    ep_bytes printed = {NULL, 0};
    bool ok = ep_metadata_parse(&reader, &metadata, &fault);
    if (ok && CHECK(ep_metadata_print(metadata, &arena, &printed))) {
        CHECK_EQ_BYTES(printed.data, printed.size, text->data, text->size);
    }
    CHECK(ok || (fault.code != EP_OK && fault.offset <= text->size));
    ep_arena_free(&arena);
}

static void test_damage(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        for (size_t at = 0; good[i].text[at] != '\0'; at++) {
            test_text text = {0};
            test_add(&text, good[i].text, at);
            test_text_exact(&text);
            check_any(&text, good[i].key);
            test_text_free(&text);
            for (const char *byte = ";,:()[]{}\" +0a\\\x7F"; *byte != '\0'; byte++) {
                test_add_str(&text, good[i].text);
                text.data[at] = *byte;
                test_text_exact(&text);
                check_any(&text, good[i].key);
                test_text_free(&text);
            }
        }
    }
}

/* -------------------------------------------------------------------- limits */

static void add_nested(test_text *text, size_t levels) {
    test_add_str(text, "[");
    for (size_t i = 0; i < levels; i++) {
        test_add_str(text,
                     "{\"name\": \"\", \"target\": \"\", \"graph_id\": 0, \"pass_name\": \"\", "
                     "\"action\": \"\", \"from_node\": [");
    }
    test_add_repeat(text, "]}", levels);
    test_add_str(text, "]");
}

static ep_code judge(const test_text *text, ep_metadata_key key, size_t depth) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    ep_bytes bytes = {text->data, text->size};
    ep_passage passage = {bytes, bytes, 0, NULL};
    ep_metadata_reader reader = reader_of(&arena, &passage, key);
    reader.limits.depth = depth;
    ep_fault fault = {.code = EP_OK};
    const ep_metadata *metadata;
    ep_bytes printed;
    bool ok = ep_metadata_parse(&reader, &metadata, &fault);
    if (ok && CHECK(ep_metadata_print(metadata, &arena, &printed))) {
        CHECK_EQ_BYTES(printed.data, printed.size, text->data, text->size);
    }
    ep_arena_free(&arena);
    return fault.code;
}

static void test_depth(void) {
    for (size_t levels = 0; levels < 5; levels++) {
        test_text sources = {0};
        test_text custom = {0};
        add_nested(&sources, levels); /* 2 * levels + 1 deep */
        test_add_repeat(&custom, "{\"a\": ", levels);
        test_add_str(&custom, "{}");
        test_add_repeat(&custom, "}", levels);
        for (size_t depth = 0; depth < 12; depth++) {
            CHECK_EQ_INT(judge(&sources, EP_METADATA_FROM_NODE_KEY, depth),
                         depth >= 2 * levels + 1 ? EP_OK : EP_LIMIT_DEPTH);
            CHECK_EQ_INT(judge(&custom, EP_METADATA_CUSTOM_KEY, depth),
                         depth >= levels + 1 ? EP_OK : EP_LIMIT_DEPTH);
        }
        test_text_free(&sources);
        test_text_free(&custom);
    }
}

static void test_long(void) {
    test_text text = {0};
    add_nested(&text, 30000);
    CHECK_EQ_INT(judge(&text, EP_METADATA_FROM_NODE_KEY, 65535), EP_OK);
    text.size = 0;
    test_add_str(&text, "a,,b");
    test_add_repeat(&text, ";a,,b", 300000);
    CHECK_EQ_INT(judge(&text, EP_METADATA_NN_MODULE_STACK, 1), EP_OK);
    text.size = 0;
    test_add_repeat(&text, ";", 1000000);
    CHECK_EQ_INT(judge(&text, EP_METADATA_NN_MODULE_STACK, 1), EP_METADATA_MODULES);
    text.size = 0;
    test_add_repeat(&text, "(", 1000000);
    CHECK_EQ_INT(judge(&text, EP_METADATA_NN_MODULE_STACK, 1), EP_METADATA_MODULES);
    test_text_free(&text);
}

/* Each allocation refused in its turn, and every one after it. */
static void test_memory(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        bool ok = false;
        for (size_t fail_at = 1; !ok && CHECK(fail_at < 100); fail_at++) {
            test_heap heap = {.fail_at = fail_at, .fail_on = true};
            ep_arena arena;
            test_arena(&arena, &heap, 0);
            ep_passage passage = {ep_text_of(good[i].text), ep_text_of(good[i].text), 0, NULL};
            ep_metadata_reader reader = reader_of(&arena, &passage, good[i].key);
            ep_fault fault = {.code = EP_OK};
            const ep_metadata *metadata;
            ep_bytes printed;
            bool parsed = ep_metadata_parse(&reader, &metadata, &fault);
            CHECK(parsed || (fault.code == EP_MEMORY && metadata == NULL));
            ok = parsed && ep_metadata_print(metadata, &arena, &printed);
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.blocks, 0);
        }
    }
}

/* A fault inside a string that was escaped is at the byte of the file. */
static void test_place(void) {
    ep_bytes input = EP_TEXT("\"\\u0061,b,\\u0063\\u002cd\"");
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    ep_passage passage;
    ep_fault fault = {.code = EP_OK};
    ep_ref ref = ep_ref_make(1, input.size - 2, EP_REF_ESCAPED);
    CHECK(ep_passage_open(&passage, &arena, input, ref));
    ep_metadata_reader reader = reader_of(&arena, &passage, EP_METADATA_NN_MODULE_STACK);
    CHECK(!ep_metadata_parse(&reader, NULL, &fault));
    CHECK_EQ_INT(fault.offset, 16); /* of \u002c */
    ep_arena_free(&arena);
}

int main(void) {
    test_keys();
    test_forms();
    test_good();
    test_bad();
    test_damage();
    test_depth();
    test_long();
    test_memory();
    test_place();
    return check_report();
}
