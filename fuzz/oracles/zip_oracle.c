/*
 * oracles/zip_oracle.c - see zip_readers.h. Asks the script zip_oracle (oracle_process.h), which
 * with a Python that has torch answers for PyTorch's reader, too. That it died or took too long
 * is no finding about epref.
 */
#include "oracles/oracle_process.h"
#include "oracles/zip_reader.h"
#include "oracles/zip_readers.h"

#include <stdio.h>

enum { ASK_CONTENTS = 1, ASK_TORCH = 2 };

/* The engine calls a function without a context, and starting a Python takes its time,
 * so the process has to be kept here. */
static struct {
    oracle_process process;
    bool told;
    bool absent; /* it cannot be started */
    bool has_torch;
    size_t torch_answers;
} oracle;

size_t zip_torch_answers(void) {
    return oracle.torch_answers;
}

/* Starts it, and says once which readers there are. */
static bool is_there(void) {
    test_text hello = {0};
    if (oracle.process.pid != 0 || oracle.absent) {
        return !oracle.absent;
    }
    oracle.absent = !oracle_start(&oracle.process, FUZZ_ZIP_ORACLE, &hello);
    oracle.has_torch = !oracle.absent && test_holds(test_text_bytes(&hello), "torch");
    if (!oracle.told) {
        fprintf(stderr, "fuzz_zip: readers: ours, libzip, %.*s\n", (int)hello.size,
                oracle.absent ? "" : hello.data);
        fprintf(stderr, "%s",
                oracle.has_torch ? ""
                                 : "fuzz_zip: no PyTorch's reader: "
                                   "EPREF_FUZZ_PYTHON names no Python with torch\n");
    }
    oracle.told = true;
    test_text_free(&hello);
    return !oracle.absent;
}

/* ----------------------------------------------------------------------- answers */

/* A number of the reply, or bytes; nothing where it ends. */
static uint64_t take_number(ep_bytes *reply, size_t size) {
    if (reply->size < size) {
        *reply = (ep_bytes){"", 0};
        return 0;
    }
    uint64_t number = zip_get(reply->data, size);
    *reply = (ep_bytes){reply->data + size, reply->size - size};
    return number;
}

static ep_bytes take_bytes(ep_bytes *reply) {
    size_t size = (size_t)take_number(reply, 4);
    size = size < reply->size ? size : reply->size;
    ep_bytes bytes = {reply->data, size};
    *reply = (ep_bytes){reply->data + size, reply->size - size};
    return bytes;
}

/* What one reader answered. root: stands before all names. */
static void take_listing(ep_bytes *reply, ep_bytes root, zip_listing *l) {
    enum { LIST, REFUSAL, NOTHING };
    uint64_t kind = take_number(reply, 1);
    l->refused = kind == REFUSAL;
    l->absent = kind == NOTHING;
    if (l->absent) {
        return;
    }
    if (l->refused) {
        ep_bytes why = take_bytes(reply);
        test_add(&l->why, why.data, why.size);
        return;
    }
    for (size_t left = (size_t)take_number(reply, 4); left > 0; left--) {
        zip_listed *m = zip_listing_add(l, root, take_bytes(reply));
        m->size = take_number(reply, 8);
        m->state = (zip_content_state)take_number(reply, 1);
        m->sum = (uint32_t)take_number(reply, 4);
    }
}

void zip_ask_python(const zip_question *q, zip_listing *zipfile, zip_listing *torch) {
    test_text request = {0};
    test_text reply = {0};
    *zipfile = (zip_listing){.reader = "zipfile", .absent = true};
    *torch = (zip_listing){.reader = "pytorch", .absent = true};
    if (!is_there()) {
        return;
    }
    bool both = oracle.has_torch && q->root.size > 0 && q->contents;
    char how = (char)((q->contents ? ASK_CONTENTS : 0) | (both ? ASK_TORCH : 0));
    test_add(&request, &how, 1);
    test_add(&request, q->file.data, q->file.size);
    if (oracle_ask(&oracle.process, &request, q->file, &reply)) {
        ep_bytes rest = test_text_bytes(&reply);
        take_listing(&rest, (ep_bytes){"", 0}, zipfile);
        if (both) {
            take_listing(&rest, q->root, torch);
            oracle.torch_answers += torch->absent ? 0 : 1;
        }
    }
    test_text_free(&request);
    test_text_free(&reply);
}
