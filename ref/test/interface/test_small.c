/*
 * test_small.c - small functions in cases that no program brings about: the report of
 * many warnings, a writer whose sink has failed.
 */
#include "base/error.h"
#include "check.h"
#include "diff/diff.h"
#include "rules/judge.h"
#include "support.h"
#include "tree/maker.h"
#include "json/writer.h"

/* -------------------------------------------------------------------- warnings */

static void count(void *context, const ep_error *error) {
    size_t *told = context;
    CHECK_EQ_INT(error->code, EP_NAMESPACE);
    ++*told;
}

/* One of a document so small is told of; not when as much has been walked as would
 * be in a hundred of a document that is large. */
static void test_tell(void) {
    static const size_t walked[] = {0, 1 << 20, 8 << 20, 16 << 20};
    for (size_t i = 0; i < sizeof walked / sizeof walked[0]; i++) {
        size_t told = 0;
        ep_listener listener = {.warn = count, .context = &told, .walked = walked[i]};
        ep_fault fault = {.code = EP_NAMESPACE, .offset = 1};
        ep_tell(&listener, EP_TEXT("[1]"), &fault);
        CHECK_EQ_INT(told, i < 3);
        CHECK_EQ_INT(listener.walked, walked[i] + told);
    }
}

/* --------------------------------------------------------------------- writers */

typedef struct taker {
    size_t calls;
    bool takes;
} taker;

static bool take(void *context, const char *data, size_t size) {
    taker *t = context;
    (void)data;
    CHECK(size > 0);
    t->calls++;
    return t->takes;
}

/* Nothing is handed over when there is nothing, or after a failure. */
static void test_writer(void) {
    char buffer[EP_WRITER_CHUNK + EP_WRITER_SLACK];
    taker t = {.takes = true};
    ep_writer writer = {.buffer = buffer, .sink = take, .context = &t};
    ep_writer_flush(&writer);
    CHECK_EQ_INT(t.calls, 0);
    EP_PUT(&writer, "a");
    ep_writer_flush(&writer);
    CHECK(t.calls == 1 && !writer.failed);
    t.takes = false;
    EP_PUT(&writer, "b");
    ep_writer_flush(&writer);
    CHECK(t.calls == 2 && writer.failed);
    EP_PUT(&writer, "c");
    ep_writer_flush(&writer);
    CHECK(t.calls == 2 && writer.failed && writer.size == 0);
}

int main(void) {
    test_tell();
    test_writer();
    return check_report();
}
