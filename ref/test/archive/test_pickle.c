/*
 * test_pickle.c - the restricted reader of pickles (pickle.c): which globals it hears of,
 * by each opcode that names one; what it refuses. It executes nothing.
 */
#include "archive/pickle/pickle.h"
#include "check.h"

#include <string.h>

/* Bytes of a string that may hold zeros. */
#define BYTES(text) ((ep_bytes){text, sizeof(text) - 1})

static void hear(void *context, ep_bytes module, ep_bytes name) {
    buffer *heard = context;
    buffer_put(heard, module.data, module.size);
    buffer_byte(heard, ' ');
    buffer_put(heard, name.data, name.size);
    buffer_byte(heard, ';');
}

static bool scan(ep_bytes data, const char *expected) {
    buffer heard = {0};
    bool failed = false;
    const char *why = pickle_scan(data, &(pickle_ear){hear, NULL, &heard}, &failed);
    CHECK(!failed && !heard.failed);
    if (why == NULL && expected != NULL) {
        CHECK_EQ_STR(heard.data == NULL ? "" : heard.data, heard.size, expected);
    }
    buffer_free(&heard);
    return why == NULL;
}

/* os.system, and a tensor's function called with it. */
static const char two[] = "\x80\x02"
                          "cos\nsystem\n"
                          "ctorch._utils\n_rebuild_tensor_v2\n"
                          "\x86.";
static const char stacked[] = "\x80\x04\x8c\x02os\x8c\x06system\x93.";
static const char memo[] = "\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93"
                           "0h\x00h\x01\x93.";

static void test_heard(void) {
    CHECK(scan(BYTES(two), "os system;torch._utils _rebuild_tensor_v2;"));
    CHECK(scan(BYTES(stacked), "os system;"));
    CHECK(scan(BYTES(memo), "os system;os system;"));
    CHECK(scan(BYTES("\x80\x02K\x05."), ""));
    CHECK(scan(BYTES("K\x05."
                     "cos\nsystem\n."),
               "os system;"));
}

static void test_refused(void) {
    CHECK(!scan(BYTES(""), NULL));
    CHECK(!scan(BYTES("."), NULL));                       /* nothing on the stack */
    CHECK(!scan(BYTES("\x80\x02\x93."), NULL));           /* a global of no names */
    CHECK(!scan(BYTES("\x80\x04K\x01K\x02\x93."), NULL)); /* of numbers */
    CHECK(!scan(BYTES("\xff."), NULL));                   /* no opcode */
    CHECK(!scan(BYTES("h\x07."), NULL));                  /* not in the memo */
    CHECK(!scan(BYTES("t."), NULL));                      /* no mark */
}

/* A pickle that ends too early is not known, wherever it ends. */
static void test_cut(void) {
    for (size_t size = 0; size + 1 < sizeof two; size++) {
        CHECK(!scan((ep_bytes){two, size}, NULL));
    }
    for (size_t size = 0; size + 1 < sizeof memo; size++) {
        CHECK(!scan((ep_bytes){memo, size}, NULL));
    }
}

/* Names of 1,000 bytes together are heard, and longer ones are none that anybody imports. */
static void test_long_names(void) {
    for (size_t size = 998; size <= 999; size++) {
        buffer data = {0};
        buffer heard = {0};
        buffer_text(&data, "cos\n");
        buffer_text(&heard, "os ");
        for (size_t i = 0; i < size; i++) {
            buffer_byte(&data, 'a');
            buffer_byte(&heard, 'a');
        }
        buffer_text(&data, "\n.");
        buffer_text(&heard, ";");
        if (CHECK(!data.failed && !heard.failed)) {
            CHECK(scan(buffer_bytes(&data), buffer_string(&heard)) == (size == 998));
        }
        buffer_free(&data);
        buffer_free(&heard);
    }
}

/* Five pickles are read, and not what is behind them. */
static void test_several(void) {
    CHECK(scan(BYTES("N.N.N.N.cos\nsystem\n."), "os system;"));
    CHECK(scan(BYTES("N.N.N.N.N.cos\nsystem\n."), ""));
    CHECK(scan(BYTES("N.N.N.N.N.\xff"), ""));
    CHECK(!scan(BYTES("N.N.N.N.\xff"), NULL));
}

static void test_kinds(void) {
    CHECK_EQ_INT(pickle_kind_of(BYTES("torch._utils"), BYTES("_rebuild_tensor_v2")),
                 PICKLE_TENSORS);
    CHECK_EQ_INT(pickle_kind_of(BYTES("os"), BYTES("system")), PICKLE_OTHER);
    CHECK_EQ_INT(pickle_kind_of(BYTES("torch._utils"), BYTES("_rebuild_tensor_v")), PICKLE_OTHER);
}

int main(void) {
    test_heard();
    test_refused();
    test_cut();
    test_long_names();
    test_several();
    test_kinds();
    return check_report();
}
