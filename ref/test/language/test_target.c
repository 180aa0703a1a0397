/*
 * test_target.c - operator targets, and the names beside them: each form with
 * its parts, each refusal with its byte, and every row of the lists at the
 * edges of its range.
 */
#include "language/target.h"

#include "check.h"
#include "support.h"

static ep_passage passage_of(ep_bytes text) {
    return (ep_passage){text, text, 0, NULL};
}

static ep_version_number version_of(const char *name) {
    return ep_version_number_of(ep_version_find(name));
}

/* ------------------------------------------------------------------ accepted */

typedef struct good_row {
    const char *version;
    const char *text;
    ep_target_kind kind;
    const char *ns;
    const char *name;
    const char *overload;
} good_row;

static const good_row good[] = {
    {"1", "torch.ops.aten.add.Tensor", EP_TARGET_OVERLOAD, "aten", "add", "Tensor"},
    {"8.20", "torch.ops.aten.__and__.Scalar", EP_TARGET_OVERLOAD, "aten", "__and__", "Scalar"},
    {"8.20", "torch.ops.no_such.op_1.default", EP_TARGET_OVERLOAD, "no_such", "op_1", "default"},
    {"8.20", "torch.ops.higher_order_.a.b", EP_TARGET_OVERLOAD, "higher_order_", "a", "b"},
    {"1", "torch.ops.higher_order.cond", EP_TARGET_HIGHER_ORDER, "higher_order", "cond", ""},
    {"8.20", "torch.ops.higher_order.switch", EP_TARGET_HIGHER_ORDER, "higher_order", "switch", ""},
    {"1", "torch.ops.map_impl", EP_TARGET_HIGHER_ORDER, "higher_order", "map_impl", ""},
    {"5.3", "torch._higher_order_ops.effects.with_effects", EP_TARGET_HIGHER_ORDER, "higher_order",
     "with_effects", ""},
    {"1", "_operator.add", EP_TARGET_FUNCTION, "_operator", "add", ""},
    {"8.7", "math.trunc", EP_TARGET_FUNCTION, "math", "trunc", ""},
    {"8.20", "torch._sym_sqrt", EP_TARGET_FUNCTION, "torch", "_sym_sqrt", ""},
    {"8.20", "torch._functorch.predispatch._add_batch_dim", EP_TARGET_FUNCTION,
     "torch._functorch.predispatch", "_add_batch_dim", ""},
    {"5.3", "$ns:op", EP_TARGET_EXTENSION, "ns", "op", ""},
    {"8.20", "#ns:op", EP_TARGET_EXTENSION, "ns", "op", ""},
    {"7.3", "#a.b-c:aten.add.Tensor", EP_TARGET_EXTENSION, "a.b-c", "aten.add.Tensor", ""},
};

static void check_part(const good_row *row, ep_bytes part, const char *expected) {
    if (!CHECK_EQ_STR(part.data, part.size, expected)) {
        fprintf(stderr, "    of %s\n", row->text);
    }
}

static void test_good(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        const good_row *row = &good[i];
        ep_passage passage = passage_of(ep_text_of(row->text));
        ep_fault fault = {.code = EP_OK};
        ep_target target;
        if (!CHECK_NOTE(ep_target_parse(&passage, version_of(row->version), &target, &fault),
                        row->text)) {
            continue;
        }
        CHECK_EQ_INT(target.kind, row->kind);
        check_part(row, target.ns, row->ns);
        check_part(row, target.name, row->name);
        check_part(row, target.overload, row->overload);
        bool listed = row->kind == EP_TARGET_FUNCTION || row->kind == EP_TARGET_HIGHER_ORDER;
        CHECK_EQ_INT(target.row != NULL, listed);
    }
}

/* ------------------------------------------------------------------- refused */

typedef struct bad_row {
    const char *version;
    ep_code code;
    const char *text; /* '@' before the byte that is wrong */
} bad_row;

static const bad_row bad[] = {
    {"8.20", EP_TARGET, "@"},
    {"8.20", EP_TARGET, "@ torch.ops.aten.relu.default"},
    {"8.20", EP_TARGET, "torch.ops.aten.relu.default@ "},
    {"8.20", EP_TARGET, "torch.ops.aten.relu.default.@"},
    {"8.20", EP_TARGET, "torch.ops.aten.relu.default@.x"},
    {"8.20", EP_TARGET, "torch.ops@"},
    {"8.20", EP_TARGET, "torch.ops.aten@"},
    {"8.20", EP_TARGET, "torch.ops.aten.relu@"},
    {"8.20", EP_TARGET, "torch.ops.higher_order@"},
    {"8.20", EP_TARGET, "torch.ops.@.relu.default"},
    {"8.20", EP_TARGET, "torch.ops.aten.@2relu.default"},
    {"8.20", EP_TARGET, "torch.ops.aten.rel@\xC3\xBC.default"},
    {"8.20", EP_TARGET, "aten@::relu"},
    {"8.20", EP_TARGET, "@.torch"},
    {"8.20", EP_TARGET, "#@"},
    {"8.20", EP_TARGET, "#@:op"},
    {"8.20", EP_TARGET, "#ns@"},
    {"8.20", EP_TARGET, "#ns:@"},
    {"8.20", EP_TARGET, "#ns:op@:x"},
    {"8.20", EP_TARGET, "#n@ s:op"},
    {"8.20", EP_TARGET, "@$ns:op"},
    {"5.1", EP_TARGET, "@#ns:op"},
    {"8.20", EP_TARGET_UNKNOWN, "@placeholder"},
    {"8.20", EP_TARGET_UNKNOWN, "@torch.nn.functional.relu"},
    {"8.20", EP_TARGET_UNKNOWN, "@_operator.getitem"},
    {"8.20", EP_TARGET_UNKNOWN, "@_operator"},
    {"8.20", EP_TARGET_UNKNOWN, "@math.foo"},
    {"8.20", EP_TARGET_UNKNOWN, "@aten.relu.default"},
    {"8.20", EP_TARGET_UNKNOWN, "@os.system"},
    {"8.20", EP_TARGET_UNKNOWN, "@torch.sym_sqrt"},
    {"8.20", EP_TARGET_UNKNOWN, "@a.b.c.d.e.f.g"},
    {"8.20", EP_TARGET_UNKNOWN, "@torch.ops.higher_order.nope"},
    {"8.20", EP_TARGET_UNKNOWN, "@torch.ops.higher_order.cond.default"},
    {"2", EP_TARGET_UNKNOWN, "@torch.ops.map_impl"},
    {"1", EP_TARGET_UNKNOWN, "@torch.ops.higher_order.map_impl"},
    {"8.2", EP_TARGET_UNKNOWN, "@math.trunc"},
    {"8.7", EP_TARGET_UNKNOWN, "@_operator.or_"},
    {"8.15", EP_TARGET_UNKNOWN, "@_operator.lshift"},
    {"8.17", EP_TARGET_UNKNOWN, "@torch._functorch.predispatch._add_batch_dim"},
    {"7.3", EP_TARGET_UNKNOWN, "@torch._higher_order_ops.effects.with_effects"},
};

static void test_bad(void) {
    for (size_t i = 0; i < EP_COUNT_OF(bad); i++) {
        test_text text = {0};
        test_add_str(&text, bad[i].text);
        size_t at = test_take_mark(&text);
        ep_passage passage = passage_of(test_text_exact(&text));
        ep_fault fault = {.code = EP_OK};
        ep_target target;
        CHECK_NOTE(!ep_target_parse(&passage, version_of(bad[i].version), &target, &fault),
                   bad[i].text);
        if (!CHECK_EQ_INT(fault.code, bad[i].code) || !CHECK_EQ_INT(fault.offset, at)) {
            fprintf(stderr, "    of %s\n", bad[i].text);
        }
        test_text_free(&text);
    }
}

/* A name of other versions says which. */
static void test_ranges_are_told(void) {
    ep_passage passage = passage_of(EP_TEXT("_operator.lshift"));
    ep_fault fault = {.code = EP_OK};
    ep_target target;
    CHECK(!ep_target_parse(&passage, version_of("8.8"), &target, &fault));
    CHECK(fault.since != NULL && strcmp(fault.since, "8.16") == 0 && fault.until == NULL);
    passage = passage_of(EP_TEXT("torch.ops.map_impl"));
    CHECK(!ep_target_parse(&passage, version_of("8.8"), &target, &fault));
    CHECK(fault.until != NULL && strcmp(fault.until, "2") == 0);
}

/* ---------------------------------------------------------------- every row */

static bool known(ep_bytes text, size_t version) {
    ep_passage passage = passage_of(text);
    ep_fault fault = {.code = EP_OK};
    ep_target target;
    return ep_target_parse(&passage, (ep_version_number)version, &target, &fault);
}

static void test_rows(void) {
    const ep_target_row *row;
    for (size_t i = 0; (row = ep_target_row_at(i)) != NULL; i++) {
        ep_bytes text = {row->text, row->size};
        CHECK_EQ_STR(text.data, text.size, row->text);
        CHECK(row->since < row->until && row->until <= EP_FUTURE);
        CHECK_EQ_INT(row->text[row->module_size], '.');
        for (size_t version = 0; version < EP_FUTURE; version++) {
            bool holds = version >= row->since && version < row->until;
            CHECK_NOTE(known(text, version) == holds, row->text);
        }
        for (size_t j = 0; j < i; j++) {
            CHECK_NOTE(strcmp(ep_target_row_at(j)->text, row->text) != 0, row->text);
        }
        bool named = row->takes != EP_TAKES_ANYTHING;
        CHECK_NOTE(named == (row->arguments != NULL), row->text);
    }
}

/* Whatever is cut from a target or put into it, the answer is a verdict, and a
 * refusal is inside the text. */
static void test_damage(void) {
    for (size_t i = 0; i < EP_COUNT_OF(good); i++) {
        size_t size = strlen(good[i].text);
        for (size_t at = 0; at < size; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                test_text text = {0};
                test_add_str(&text, good[i].text);
                text.data[at] = (char)byte;
                text.size = byte == 0 ? at : size;
                ep_passage passage = passage_of(test_text_exact(&text));
                ep_fault fault = {.code = EP_OK};
                ep_target target;
                bool ok = ep_target_parse(&passage, version_of(good[i].version), &target, &fault);
                CHECK(ok || ((fault.code == EP_TARGET || fault.code == EP_TARGET_UNKNOWN) &&
                             fault.offset <= text.size));
                test_text_free(&text);
            }
        }
    }
}

static void test_long(void) {
    test_text text = {0};
    test_add_repeat(&text, "a.", 1000000);
    test_add_str(&text, "a");
    ep_passage passage = passage_of(test_text_exact(&text));
    ep_fault fault = {.code = EP_OK};
    ep_target target;
    CHECK(!ep_target_parse(&passage, version_of("8.20"), &target, &fault));
    CHECK_EQ_INT(fault.code, EP_TARGET_UNKNOWN);
    test_text_free(&text);
}

/* ---------------------------------------------------------------- other names */

static void test_devices(void) {
    static const char *const yes[] = {"cpu", "cuda", "privateuseone", "my_npu", "_"};
    static const char *const no[] = {"", "CPU", "cuda:0", "cpu ", "npu2", "\xC3\xBC"};
    for (size_t i = 0; i < EP_COUNT_OF(yes); i++) {
        CHECK_NOTE(ep_device_type_valid(ep_text_of(yes[i])), yes[i]);
    }
    for (size_t i = 0; i < EP_COUNT_OF(no); i++) {
        CHECK_NOTE(!ep_device_type_valid(ep_text_of(no[i])), no[i]);
    }
}

static void test_verifiers(void) {
    CHECK(ep_verifier_known(EP_TEXT("ATEN"), version_of("2")));
    CHECK(ep_verifier_known(EP_TEXT("ATEN"), version_of("8.20")));
    CHECK(ep_verifier_known(EP_TEXT("TRAINING"), version_of("7.3")));
    CHECK(!ep_verifier_known(EP_TEXT("TRAINING"), version_of("5.3")));
    CHECK(ep_verifier_known(EP_TEXT(""), version_of("8.20")));
    CHECK(!ep_verifier_known(EP_TEXT(""), version_of("5.3")));
    CHECK(!ep_verifier_known(EP_TEXT("aten"), version_of("8.20")));
    CHECK(!ep_verifier_known(EP_TEXT("ATEN "), version_of("8.20")));
}

static void test_torch_versions(void) {
    static const char *const yes[] = {
        "<=2.4",
        "2.5.1+cu124",
        "2.13.0+cpu",
        "2.9.0",
        "2.9.0a0+gitabc1234",
        "2.5.0.dev20240801+cpu",
        "2.6.0b1",
        "2.6.0rc2",
        "2.1.0.post300",
        "2",
        "2.4.0a0+f70bd71.nv24.06",
    };
    static const char *const no[] = {
        "",      "2.",    ".2",      "2..1",         "v2.5",    "2.5.1 ",      " 2.5.1", "2.5.1+",
        "2.5a",  "2.5b-", "2.5rc",   "2.5.post",     "2.5dev1", "2.5+a..b",    "2.5+a.", "2.5+.a",
        "<=2.5", "2.5x",  "2.0a1b1", "2.5+\xC3\xBC", "2.5.dev", "2.5.1+cu 12",
    };
    for (size_t i = 0; i < EP_COUNT_OF(yes); i++) {
        CHECK_NOTE(ep_torch_version_valid(ep_text_of(yes[i])), yes[i]);
    }
    for (size_t i = 0; i < EP_COUNT_OF(no); i++) {
        CHECK_NOTE(!ep_torch_version_valid(ep_text_of(no[i])), no[i]);
    }
}

int main(void) {
    test_good();
    test_bad();
    test_ranges_are_told();
    test_rows();
    test_damage();
    test_long();
    test_devices();
    test_verifiers();
    test_torch_versions();
    return check_report();
}
