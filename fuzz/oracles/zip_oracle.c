/*
 * oracles/zip_oracle.c - see zip_readers.h. Asks the script zip_oracle, in a process that is
 * started once.
 *
 *     EPREF_FUZZ_PYTHON       the Python, else python3; with torch it answers for
 *                             PyTorch's reader, too
 *     EPREF_FUZZ_PYTORCH_LOG  where inputs go on which it died or took too long, which
 *                             is no finding about epref: FILE-HASH
 */
#define _POSIX_C_SOURCE 200809L

#include "oracles/pytorch_process.h"
#include "oracles/zip_reader.h"
#include "oracles/zip_readers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 20, SECONDS_TO_START = 300 };

enum { ASK_CONTENTS = 1, ASK_TORCH = 2 };

/* The engine calls a function without a context, and starting a Python takes its time,
 * so the process has to be kept here. */
static struct {
    pytorch_process process;
    bool tried;
    bool there;
    bool has_torch;
    size_t torch_answers;
} oracle;

size_t zip_torch_answers(void) {
    return oracle.torch_answers;
}

/* ----------------------------------------------------------------------- process */

static bool start(const char *python) {
    test_text hello = {0};
    bool ok = pytorch_start(&oracle.process, python, FUZZ_ZIP_ORACLE) &&
              pytorch_take(&oracle.process, &hello, SECONDS_TO_START) == PYTORCH_ANSWERED;
    oracle.has_torch = ok && test_holds(test_text_bytes(&hello), "torch");
    if (!ok) {
        pytorch_stop(&oracle.process);
    } else if (!oracle.tried) {
        fprintf(stderr, "fuzz_zip: readers: ours, libzip, zip_reader.c, %.*s\n", (int)hello.size,
                hello.data);
    }
    test_text_free(&hello);
    return ok;
}

static bool is_there(void) {
    const char *python = getenv("EPREF_FUZZ_PYTHON");
    python = python == NULL || *python == '\0' ? "python3" : python;
    if (oracle.process.pid == 0 && (oracle.there || !oracle.tried)) {
        oracle.there = start(python);
    }
    if (!oracle.tried && !oracle.there) {
        fprintf(stderr, "fuzz_zip: left out: Python's zipfile, for want of %s\n", python);
    }
    if (!oracle.tried && !oracle.has_torch) {
        fprintf(stderr, "fuzz_zip: left out: PyTorch's reader; EPREF_FUZZ_PYTHON names a Python "
                        "that has torch\n");
    }
    oracle.tried = true;
    return oracle.there;
}

/* Keeps an input that the oracle fails on. */
static void keep(const char *what, ep_bytes file) {
    const char *log = getenv("EPREF_FUZZ_PYTORCH_LOG");
    char path[1024];
    unsigned long long hash = fuzz_hash(file);
    fprintf(stderr, "fuzz_zip: the oracle %s: %016llx\n", what, hash);
    if (log == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s-%016llx", log, hash);
    FILE *to = fopen(path, "wb");
    bool ok = to != NULL && fwrite(file.data, 1, file.size, to) == file.size;
    if (to == NULL || fclose(to) != 0 || !ok) {
        fprintf(stderr, "fuzz_zip: cannot write %s\n", path);
    }
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
        m->sums[0] = (uint32_t)take_number(reply, 4);
        m->sums[1] = (uint32_t)take_number(reply, 4);
    }
}

static pytorch_end ask(const zip_question *q, bool torch, test_text *reply) {
    test_text request = {0};
    char how = (char)((q->contents ? ASK_CONTENTS : 0) | (torch ? ASK_TORCH : 0));
    test_add(&request, &how, 1);
    test_add(&request, q->file.data, q->file.size);
    pytorch_end end = pytorch_send(&oracle.process, test_text_bytes(&request));
    if (end == PYTORCH_ANSWERED) {
        end = pytorch_take(&oracle.process, reply, SECONDS);
    }
    test_text_free(&request);
    return end;
}

void zip_ask_python(const zip_question *q, zip_listing *zipfile, zip_listing *torch) {
    test_text reply = {0};
    *zipfile = (zip_listing){.reader = "zipfile", .absent = true};
    *torch = (zip_listing){.reader = "pytorch", .absent = true};
    if (!is_there()) {
        return;
    }
    bool both = oracle.has_torch && q->root.size > 0 && q->contents;
    pytorch_end end = ask(q, both, &reply);
    if (end == PYTORCH_ANSWERED) {
        ep_bytes rest = test_text_bytes(&reply);
        take_listing(&rest, (ep_bytes){"", 0}, zipfile);
        if (both) {
            take_listing(&rest, q->root, torch);
            oracle.torch_answers += torch->absent ? 0 : 1;
        }
    } else {
        keep(end == PYTORCH_DIED ? "died" : "took too long", q->file);
        pytorch_stop(&oracle.process);
    }
    test_text_free(&reply);
}
