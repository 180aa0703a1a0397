/*
 * test_guard.c - guards: what PyTorch's printer writes is taken, printed again
 * and its inputs found; anything else is refused at its first wrong byte.
 */
#include "language/guard.h"

#include "check.h"
#include "support.h"

enum { DEPTH = 20 };

typedef struct outcome {
    bool ok;
    ep_fault fault;
    size_t locals;
    bool same; /* printed again */
} outcome;

static outcome run_in(ep_arena *arena, ep_bytes text, size_t depth) {
    ep_passage passage = {text, text, 0, NULL};
    outcome result = {.fault = {.code = EP_OK}};
    const ep_guard *guard;
    ep_bytes printed;
    result.ok = ep_guard_parse(arena, &passage, depth, &guard, &result.fault);
    CHECK_EQ_INT(guard != NULL, result.ok);
    for (size_t i = 0; result.ok && i < guard->count; i++) {
        result.locals += guard->tokens[i].kind == EP_GUARD_LOCAL ? 1 : 0;
    }
    result.same = result.ok && ep_guard_print(guard, arena, &printed) &&
                  printed.size == text.size && memcmp(printed.data, text.data, text.size) == 0;
    return result;
}

static outcome run(ep_bytes text) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    outcome result = run_in(&arena, text, DEPTH);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.blocks, 0);
    return result;
}

typedef struct good_row {
    size_t locals;
    const char *text;
} good_row;

static const good_row good[] = {
    {1, "L['x'].size()[0] <= 100"},
    {2, "L['x'].size()[0] == ((-1) + L['y'].size()[0])"},
    {1, "(0.5*torch.sym_float(L['x'].size()[0])) == 3.0"},
    {1, "math.trunc(L['x'].size()[0] / 2) == 30"},
    {2, "L['flat_args'][0].size()[0] == L['flat_args'][1].size()[0]"},
    {2, "L['x'].size()[0] + (-1)*((1 + L['x'].size()[0]) // 2) >= 0"},
    {1, "L['n'] != (-1)"},
    {1, "L['n'] >= -1"},
    {1, "-1 <= L['n']"},
    {2, "L['x']['a'].size()[0] > 1 + 2*L['x'][\"it's\"].size()[0]"},
    {2, "L['x']._base.stride()[1] != L['x'].storage_offset()"},
    {1, "(L['x'].size()[0] & -1) == 1"},
    {3, "L['a'] == 1 and L['b'] == 2 or L['c'] < 3"},
    {2, "not (L['a'] == 1 and L['b'] == 2)"},
    {2, "max(L['a'], 2, L['b']) > 7"},
    {1, "torch.sym_max(1, torch.sym_min(L['a'], 2)) > 7"},
    {2, "(3 if L['a'] < 2 else L['b']) == 4"},
    {1, "cast_symbool_to_symint_guardless(L['p']) == 1"},
    {1, "L['x'][-1]['a\\n\\\\\\x7f\\u2028'][True].\xC3\xA9 == 1e-05"},
    {1, "L['\\uffff\\U0010ffff'] == 1"},
    {1, "L['\\'\"'] % 3 != 1/2"},
    {1, "L['f'].item() < math.inf and -math.inf < 1.0"},
    {1, "round(torch.sym_float(L['n']), 2) > -0.5"},
    {1, "((L['n'])) ** 2 > 1"},
    {1, "True and (L['n'] == 1)"},
    {0, "1 == 2"},
};

static void test_good(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        outcome result = run(ep_text_of(good[i].text));
        if (!CHECK_NOTE(result.ok, good[i].text)) {
            fprintf(stderr, "    at %zu\n", result.fault.offset);
        }
        CHECK_NOTE(result.same, good[i].text);
        CHECK_EQ_INT(result.locals, good[i].locals);
    }
}

/* '@' before the byte that is wrong */
static const char *const bad[] = {
    "@",
    "L['n']@",
    "1@",
    "L['n'] + 1@",
    "@ L['n'] == 1",
    "L['n'] == 1@ ",
    "L['n'] == 1@\n",
    "L['n'] == 1@  # why",
    "L['n']@  == 1",
    "L['n']@==1",
    "L['n'] == @",
    "L['n'] == 1@ == 1",
    "L['n'] == 1@ <= 2",
    "L['n'] == @True",
    "L['n']@ * 2 == 1",
    "L['n']*@-1 == 1",
    "L['n'] + @-1 == 1",
    "L['n'] == @01",
    "L['n'] == @-0",
    "L['n'] == @1.50",
    "L['n'] == @1e5",
    "L['n'] == 1/@0",
    "L['n'] == @-",
    "L['n']@ - 1 == 2",
    "L['n'] == @-math.nan",
    "L['n'] == @- 1",
    "L['n']@ and L['m'] == 1",
    "L['n'] == 1 and L['m']@",
    "L['n'] == 1 and @",
    "L['n'] == @not (1 == 2)",
    "(L['n'] == 1@",
    "L['n'] == 1@)",
    "L['n'] + (L['m'] == 1@) == 2",
    "not (L['n']@)",
    "@not L['n']",
    "L['n'] == 1@ if L['m'] == 1 else 2",
    "(1 if L['n']@ else 2) == 1",
    "(1 if L['n'] == 1@) == 1",
    "(1 if L['n'] == 1 else 1 == 2@) == 1",
    "(1@ else 2) == 1",
    "@x == 1",
    "@l['x'] == 1",
    "L[@x] == 1",
    "L[@0] == 1",
    "L['x@",
    "L['x'@",
    "L['x']['a'@ ] == 1",
    "L[\"x@\"] == 1",
    "L['x@\n'] == 1",
    "L['@\\q'] == 1",
    "L['\\x@g0'] == 1",
    "L['\\x@A0'] == 1",
    "L['\\xa@F'] == 1",
    "L['\\U001@10000'] == 1",
    "L['\\U@10000000'] == 1",
    "L['\\u202@F'] == 1",
    "L['x@\x7F'] == 1",
    "L['x']['\\'@'] == 1",
    "L['x'][@] == 1",
    "L['x'].@ == 1",
    "L['x'].@2 == 1",
    "L['x'].size(@0) == 1",
    "L['x'].size()@ == 1",
    "L['x'].size()[@'a'] == 1",
    "L['x'].size()[0]@.real == 1",
    "L['x']@.tolist() == 1",
    "L['x']@.__class__() == 1",
    "@__import__('os').system('true') == 1",
    "@eval('1') == 1",
    "@open('x') == 1",
    "@math.factorial(9) == 1",
    "@os.system(1) == 1",
    "@torch.load(1) == 1",
    "@lambda: 1",
    "@[1] == 1",
    "@'a' == 1",
    "max(1@) == 1",
    "max(1@,2) == 1",
    "max(1, @) == 1",
    "abs(1@, 2) == 1",
    "abs(@) == 1",
    "math.floor(1 == 2@) == 1",
    "abs(@True) == 1",
    "@abs (1) == 1",
    "L['n'] == 1@; 1",
    "L['n'] == 1@ or\n1 == 1",
    "L['n']@ := 1",
    "L['n']@ = 1",
    "L['n']@ is 1",
    "L['n']@ in 1",
    "@~L['n'] == 1",
    "L['n'] == @1.0000000000000000000000000000000000000001",
    "True and 1@ and True",
    "(1 if True@ if True else 2) == 1",
    "max(1 == 1 and 1@, 2) == 1",
};

/* The byte of a row; a row whose mark is inside a word says the first byte of
 * what could not be read. */
static void check_bad(const char *row) {
    test_text text = {0};
    test_add_str(&text, row);
    size_t at = test_take_mark(&text);
    outcome result = run(test_text_exact(&text));
    CHECK_NOTE(!result.ok, row);
    if (!CHECK_EQ_INT(result.fault.code, EP_GUARD) || !CHECK_EQ_INT(result.fault.offset, at)) {
        fprintf(stderr, "    of %s\n", row);
    }
    test_text_free(&text);
}

static void test_bad(void) {
    for (size_t i = 0; i < EP_COUNT_OF(bad); i++) {
        check_bad(bad[i]);
    }
}

/* Every prefix and every damaged byte is a guard that prints itself, or is
 * refused inside the text. */
static void check_any(const test_text *text) {
    outcome result = run((ep_bytes){text->data, text->size});
    CHECK(result.ok ? result.same
                    : result.fault.code == EP_GUARD && result.fault.offset <= text->size);
}

static void test_damage(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        for (size_t at = 0; good[i].text[at] != '\0'; at++) {
            test_text text = {0};
            test_add(&text, good[i].text, at);
            test_text_exact(&text);
            check_any(&text);
            test_text_free(&text);
            for (unsigned byte = 0; byte < 256; byte += byte < 0x7F ? 1 : 0x20) {
                test_add_str(&text, good[i].text);
                text.data[at] = (char)byte;
                test_text_exact(&text);
                check_any(&text);
                test_text_free(&text);
            }
        }
    }
}

static void test_depth(void) {
    for (size_t depth = DEPTH - 1; depth <= DEPTH + 1; depth++) {
        test_text text = {0};
        test_add_repeat(&text, "(", depth);
        test_add_str(&text, "1");
        test_add_repeat(&text, ")", depth);
        test_add_str(&text, " == 1");
        outcome result = run(test_text_exact(&text));
        CHECK_EQ_INT(result.ok, depth <= DEPTH);
        CHECK_EQ_INT(result.fault.code, depth <= DEPTH ? EP_OK : EP_LIMIT_DEPTH);
        CHECK(result.ok || result.fault.offset == DEPTH);
        test_text_free(&text);
    }
}

static void test_long(void) {
    test_text text = {0};
    test_add_str(&text, "max(1");
    test_add_repeat(&text, ", L['x'].size()[0]", 100000);
    test_add_str(&text, ") == 1");
    test_add_repeat(&text, " and 1 + 1 == 2", 100000);
    outcome result = run(test_text_exact(&text));
    CHECK(result.ok && result.same);
    CHECK_EQ_INT(result.locals, 100000);
    test_text_free(&text);
}

static void test_names(void) {
    ep_bytes text = EP_TEXT("L['x'].size()[0] == L[\"it's\"]");
    ep_passage passage = {text, text, 0, NULL};
    ep_fault fault = {.code = EP_OK};
    test_heap heap = {0};
    ep_arena arena;
    const ep_guard *guard;
    test_arena(&arena, &heap, 0);
    if (CHECK(ep_guard_parse(&arena, &passage, DEPTH, &guard, &fault)) &&
        CHECK_EQ_INT(guard->count, 5)) {
        ep_bytes first = ep_guard_local(guard, 0);
        ep_bytes second = ep_guard_local(guard, 4);
        CHECK_EQ_STR(first.data, first.size, "x");
        CHECK_EQ_STR(second.data, second.size, "it's");
        CHECK_EQ_INT(guard->tokens[1].kind, EP_GUARD_METHOD);
        CHECK_EQ_INT(guard->tokens[2].kind, EP_GUARD_INDEX);
        CHECK_EQ_INT(guard->tokens[3].kind, EP_GUARD_OPERATOR);
    }
    ep_arena_free(&arena);
}

static void refuse(const test_text *text) {
    bool ok = false;
    for (size_t fail_at = 1; !ok && CHECK(fail_at < 10000); fail_at++) {
        test_heap heap = {.fail_at = fail_at};
        ep_arena arena;
        test_arena(&arena, &heap, 0);
        outcome result = run_in(&arena, (ep_bytes){text->data, text->size}, DEPTH);
        ok = result.ok && result.same;
        CHECK(result.ok || result.fault.code == EP_MEMORY);
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.blocks, 0);
    }
}

/* Each allocation refused in its turn. */
static void test_memory(void) {
    test_text text = {0};
    test_add_str(&text, "not (True and max(1, 2) == 1)");
    refuse(&text);
    text.size = 0;
    test_add_repeat(&text, "(", DEPTH);
    test_add_str(&text, "1");
    test_add_repeat(&text, ")", DEPTH);
    test_add_repeat(&text, " + L['x']", 300);
    test_add_str(&text, " == 1");
    refuse(&text);
    test_text_free(&text);
}

int main(void) {
    test_good();
    test_bad();
    test_damage();
    test_depth();
    test_long();
    test_names();
    test_memory();
    return check_report();
}
