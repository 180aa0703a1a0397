/*
 * test_unpickle.c - the restricted reader of pickles (unpickle.c): which values opcodes and
 * calls of torch's functions make, what it refuses, that it ends and gives its memory back
 * wherever memory runs out or the pickle is cut.
 */
#include "archive/pickle/unpickle.h"
#include "check.h"
#include "common/buffer.h"
#include "common/memory.h"

/* Bytes of a string that may hold zeros. */
#define BYTES(text) ((ep_bytes){text, sizeof(text) - 1})

enum { DEEP = 4 };

/* ------------------------------------------------------------------------- a value as text */

static void put_text(buffer *out, ep_bytes text) {
    buffer_byte(out, '\'');
    buffer_put(out, text.data, text.size);
    buffer_byte(out, '\'');
}

static void put_numbers(buffer *out, const unpickled *u, uint32_t value) {
    int64_t numbers[PICKLED_RANK_MAX];
    size_t count = unpickled_numbers(u, value, numbers);
    for (size_t i = 0; i < count; i++) {
        buffer_text(out, i == 0 ? " " : ",");
        buffer_number(out, numbers[i]);
    }
}

static void put_tensor(buffer *out, const unpickled *u, const pickled_tensor *t) {
    buffer_text(out, t->is_parameter ? "parameter " : "tensor ");
    if (t->form == PICKLED_SPARSE) {
        buffer_text(out, "sparse");
        return;
    }
    buffer_text(out, t->dtype->torch);
    put_numbers(out, u, t->sizes);
    put_numbers(out, u, t->strides);
    if (t->form == PICKLED_STRIDED) {
        const pickled_storage *s = &u->storages[t->storage];
        buffer_text(out, " +");
        buffer_number(out, (int64_t)t->offset);
        buffer_text(out, " of ");
        put_text(out, s->key);
        buffer_number(out, (int64_t)s->count);
    }
    buffer_text(out, t->requires_grad ? " grad" : "");
    buffer_text(out, t->conjugate ? " conj" : "");
}

static void put_name(buffer *out, const unpickled *u, uint32_t value) {
    ep_bytes module = {"", 0};
    ep_bytes name = {"", 0};
    CHECK(unpickled_name(u, value, &module, &name));
    buffer_put(out, module.data, module.size);
    buffer_byte(out, '.');
    buffer_put(out, name.data, name.size);
}

/* Deeper values are left out, and so a value that holds itself has an end. */
static void put_value(buffer *out, const unpickled *u, uint32_t value, int depth) {
    static const char *const names[] = {
        [PICKLED_NONE] = "None",     [PICKLED_LONG] = "long",    [PICKLED_FLOAT] = "float",
        [PICKLED_BYTES] = "bytes",   [PICKLED_LIST] = "list",    [PICKLED_TUPLE] = "tuple",
        [PICKLED_DICT] = "dict",     [PICKLED_SET] = "set",      [PICKLED_SIZE] = "Size",
        [PICKLED_LAYOUT] = "layout", [PICKLED_OBJECT] = "object"};
    const pickled_value *v = unpickled_at(u, value);
    if (v->kind == PICKLED_BOOL) {
        buffer_text(out, v->is.truth ? "True" : "False");
    } else if (v->kind == PICKLED_INT) {
        buffer_number(out, v->is.integer);
    } else if (v->kind == PICKLED_TEXT) {
        put_text(out, v->is.text);
    } else if (v->kind == PICKLED_GLOBAL || v->kind == PICKLED_DTYPE) {
        put_name(out, u, value);
    } else if (v->kind == PICKLED_TENSOR) {
        put_tensor(out, u, &u->tensors[v->is.position]);
    } else {
        buffer_text(out, v->kind == PICKLED_STORAGE ? "storage" : names[v->kind]);
    }
    pickled_items items = unpickled_items(u, value);
    uint32_t at = items.first;
    for (uint32_t i = 0; i < items.count && depth < DEEP; i++) {
        buffer_text(out, i == 0 ? "(" : " ");
        put_value(out, u, unpickled_next(u, &at), depth + 1);
    }
    buffer_text(out, items.count > 0 && depth < DEEP ? ")" : "");
}

static void expect(ep_bytes data, const char *expected) {
    buffer out = {0};
    unpickled u;
    bool ok = unpickle(data, &u);
    if (CHECK_NOTE(ok, expected)) {
        put_value(&out, &u, u.root, 0);
        CHECK_EQ_STR(out.data, out.size, expected);
    }
    unpickled_free(&u);
    buffer_free(&out);
}

static void refuse(ep_bytes data, const char *why) {
    unpickled u;
    if (CHECK_NOTE(!unpickle(data, &u) && u.why != NULL, why)) {
        CHECK_EQ_STR(u.why, strlen(u.why), why);
    }
    unpickled_free(&u);
}

/* --------------------------------------------------------------------------------- pickles */

/* What torch.save writes of {"w": torch.nn.Parameter(torch.zeros(2, 3)[:, 1])}, but for the
 * names of the memo. */
#define STORAGE                                                                                    \
    "((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0"                                        \
    "0X\x03\0\0\0cpuK\x06tQ"
#define TENSOR                                                                                     \
    "ctorch._utils\n_rebuild_tensor_v2\n" STORAGE "K\x01K\x02\x85K\x03\x85\x89"                    \
    "ccollections\nOrderedDict\n)RtR"
static const char state[] = "\x80\x02}X\x01\0\0\0w"
                            "ctorch._utils\n_rebuild_parameter\n" TENSOR "\x88"
                            "ccollections\nOrderedDict\n)R\x87Rs.";

static void test_plain(void) {
    expect(BYTES("N."), "None");
    expect(BYTES("\x80\x02(\x88\x89K\x05M\x05\x01J\xff\xff\xff\xfft."),
           "tuple(True False 5 261 -1)");
    expect(BYTES("\x80\x02\x8a\x00."), "0");
    expect(BYTES("\x80\x02\x8a\x01\xfe."), "-2");
    expect(BYTES("\x80\x02\x8a\x08\0\0\0\0\0\0\0\x80."), "-9223372036854775808");
    expect(BYTES("\x80\x02\x8a\x09\0\0\0\0\0\0\0\0\x01."), "long");
    expect(BYTES("(I01\nI00\nI-7\nL12L\nF1.5\nG\0\0\0\0\0\0\0\0Va\nS'b'\nl."),
           "list(True False -7 12 float float 'a' 'b')");
    expect(BYTES("\x80\x03}(X\x01\0\0\0aC\x02xyX\x01\0\0\0b]K\x01"
                 "au."),
           "dict('a' bytes 'b' list(1))");
    expect(BYTES("\x80\x04\x8f(K\x01K\x02\x90."), "set(1 2)");
    expect(BYTES("\x80\x04(K\x01\x91."), "set(1)");
    expect(BYTES("\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93\x8c\x02ls\x85R."),
           "object(os.system tuple('ls'))");
    expect(BYTES("\x80\x02"
                 "c__main__\nA\n)\x81}X\x01\0\0\0aK\x01sb."),
           "object(__main__.A tuple dict('a' 1))");
}

/* Other tensors than plain ones: of an untyped storage, conjugate, sparse; and what is said of
 * them otherwise than torch.save says it. */
static void test_tensors(void) {
    expect(BYTES("ctorch._utils\n_rebuild_tensor_v3\n"
                 "((X\x07\0\0\0storagectorch.storage\nUntypedStorage\nX\x01\0\0\0"
                 "7X\x03\0\0\0cpuK\x06tQK\0K\x03\x85K\x01\x85\x89}ctorch\nuint16\ntR."),
           "tensor uint16 3 1 +0 of '7'6");
    expect(
        BYTES("ctorch._utils\n_rebuild_tensor_v2\n" STORAGE "K\0))\x88}}X\x04\0\0\0conj\x88stR."),
        "tensor float32 +0 of '0'6 grad conj");
    expect(BYTES("ctorch._utils\n_rebuild_sparse_tensor\n(ctorch.serialization\n_get_layout\n"
                 "X\x10\0\0\0torch.sparse_coo\x85R(" TENSOR TENSOR "K\x03\x85\x88ttR."),
           "tensor sparse");
    static const char wrong[] = "a function of torch has arguments that it does not take";
    refuse(BYTES("ctorch._utils\n_rebuild_tensor_v2\n" STORAGE "K\0K\x01\x85)\x88}tR."), wrong);
    refuse(BYTES("ctorch._utils\n_rebuild_tensor_v2\n" STORAGE "J\xff\xff\xff\xff))\x88}tR."),
           wrong);
    refuse(BYTES("ctorch._utils\n_rebuild_tensor_v2\n" STORAGE "K\0))K\x01}tR."), wrong);
    refuse(BYTES("ctorch._utils\n_rebuild_tensor_v2\n(NK\0))\x88}tR."), wrong);
}

static void test_torch(void) {
    expect(BYTES(state), "dict('w' parameter float32 2 3 +1 of '0'6 grad)");
    expect(BYTES("\x80\x02" TENSOR "."), "tensor float32 2 3 +1 of '0'6");
    expect(BYTES("\x80\x02"
                 "ctorch\nSize\nK\x02K\x03\x86\x85R."),
           "Size(2 3)");
    expect(BYTES("\x80\x02"
                 "ctorch\ndevice\nX\x04\0\0\0cudaK\x01\x86R."),
           "object(torch.device tuple('cuda' 1))");
    expect(BYTES("\x80\x02"
                 "ctorch\nbfloat16\n."),
           "torch.bfloat16");
    expect(BYTES("\x80\x02"
                 "c_codecs\nencode\nX\x01\0\0\0aX\x06\0\0\0latin1\x86R."),
           "object(_codecs.encode tuple('a' 'latin1'))");
    expect(BYTES("\x80\x02"
                 "ctorch._utils\n_rebuild_meta_tensor_no_storage\n"
                 "(ctorch\nint8\nK\x02\x85K\x01\x85\x89tR."),
           "tensor int8 2 1");
    expect(BYTES("\x80\x02"
                 "c__builtin__\nset\n]K\x01"
                 "a\x85R."),
           "object(__builtin__.set tuple(list(1)))");
    expect(BYTES("\x80\x02"
                 "ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n"
                 "_rebuild_meta_tensor_no_storage\nctorch\nTensor\n"
                 "(ctorch\nint8\n))\x89tNtR."),
           "tensor int8");
    expect(BYTES("\x80\x02"
                 "ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n"
                 "_rebuild_meta_tensor_no_storage\nc__main__\nSub\n"
                 "(ctorch\nint8\n))\x89tNtR."),
           "object(__main__.Sub tuple(torch._utils."
           "_rebuild_meta_tensor_no_storage __main__.Sub tuple(torch.int8 tuple tuple False) "
           "None) tensor int8)");
}

/* A list that holds itself, and one that holds another twice. */
static void test_memo(void) {
    expect(BYTES("\x80\x02]q\0h\0"
                 "a."),
           "list(list(list(list(list))))");
    expect(BYTES("\x80\x04(]\x94h\0h\0K\x01"
                 "at."),
           "tuple(list(1) list(1) list(1))");
    expect(BYTES("]p3\ng3\n0."), "list");
}

static void test_refused(void) {
    static const char *const malformed[] = {"",
                                            ".",
                                            "h\x07.",
                                            "t.",
                                            "K\x01K\x02"
                                            "a.",
                                            "(.",
                                            "(K\x01K\x02"
                                            "d0.",
                                            "]K\x01(u.",
                                            "\x85.",
                                            "q\x05."};
    for (size_t i = 1; i < sizeof malformed / sizeof malformed[0]; i++) {
        refuse(bytes_of(malformed[i]), "it is malformed");
    }
    refuse(BYTES(""), "it is empty");
    refuse((ep_bytes){NULL, 0}, "it is empty");
    refuse(BYTES("\xff."), "it is malformed");
    refuse(BYTES("\x80\x09N."), "its protocol is none that there is");
    refuse(BYTES("N.N."), "bytes follow its end");
    refuse(BYTES("NN."), "it leaves values behind that are no part of it");
    refuse(BYTES("\x80\x04K\x01K\x02\x93."), "it computes the name of what it imports");
    refuse(BYTES("\x82\x01."), "it imports by a number that the reading process gives a meaning");
    refuse(BYTES("K\x05Q."), "it has a persistent id that is no storage's");
    refuse(BYTES("P5\n."), "it has a persistent id that is no storage's");
    refuse(BYTES("ctorch\nSize\nK\x02\x85R."),
           "a function of torch has arguments that it does not take");
    refuse(BYTES("ctorch\nSize\nJ\xff\xff\xff\xff\x85\x85R."),
           "a function of torch has arguments that it does not take");
    refuse(BYTES("ctorch._utils\n_rebuild_parameter\nN\x89N\x87R."),
           "a parameter is made of what is no tensor");
    refuse(BYTES(TENSOR "}b."), "it gives a state to what has none");
    refuse(BYTES("\x95\xff\0\0\0\0\0\0\0N."), "it is malformed");
}

/* More dimensions than torch has would make work that is not linear. */
static void test_rank(void) {
    buffer many = {0};
    buffer_text(&many, "ctorch\nSize\n(");
    for (size_t i = 0; i <= PICKLED_RANK_MAX; i++) {
        buffer_text(&many, "K\x01");
    }
    buffer_text(&many, "t\x85R.");
    refuse(buffer_bytes(&many), "a function of torch has arguments that it does not take");
    buffer_free(&many);
}

/* A pickle that ends too early is refused, wherever it ends. */
static void test_cut(void) {
    unpickled u;
    for (size_t size = 0; size + 1 < sizeof state - 1; size++) {
        CHECK(!unpickle((ep_bytes){state, size}, &u) && u.why != NULL);
        unpickled_free(&u);
    }
}

/* Memory that runs out anywhere is told as such, and given back. */
static void test_memory(void) {
    enum { ENOUGH = 1 << 16, STEP = 16 };
    unpickled u;
    bool ok = false;
    size_t refused = 0;
    for (size_t cap = STEP; !ok && cap < ENOUGH; cap += STEP) {
        memory_cap(cap);
        ok = unpickle(BYTES(state), &u);
        CHECK(ok || u.why == NULL);
        refused += ok ? 0 : 1;
        unpickled_free(&u);
    }
    CHECK(ok && refused > 4);
    memory_cap(0);
}

int main(void) {
    test_plain();
    test_torch();
    test_tensors();
    test_memo();
    test_refused();
    test_rank();
    test_cut();
    test_memory();
    return check_report();
}
