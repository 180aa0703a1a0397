/*
 * whole.h - small programs that ep_check accepts, of any version, with holes to
 * fill; and what ep_check says of a program.
 */
#ifndef EP_TEST_WHOLE_H
#define EP_TEST_WHOLE_H

#include "epref.h"
#include "support.h"

/*
 * Appends a program whose user passes and gets so many values: tree specs,
 * module call graph, opset are right; the graph and its signature are empty
 * until holes fill them. Holes are as those of test_program, and go before what
 * is set here.
 */
void test_whole(test_text *text, const char *version, size_t inputs, size_t outputs,
                const test_hole *holes);

/* Appends a tree spec of a tuple of leaves as a JSON string, quotes included:
 * of the arguments of a call, ((leaves), {}), or of what it returns. */
void test_add_spec(test_text *text, bool call, size_t leaves);

/* Appends a union's value as a version writes it: {"as_tensor": VALUE}, a $type
 * and a $value, or every variant with null in all but one. */
void test_add_union(test_text *text, const char *version, const char *type, const char *tag,
                    const char *value);

/* A TensorMeta of a float vector of a size, in versions 4.2 and above. */
#define META_OF(size)                                                                              \
    "{\"dtype\": 7, \"sizes\": [{\"as_int\": " size "}], \"requires_grad\": false, \"device\": "   \
    "{\"type\": \"cpu\"}, \"strides\": [{\"as_int\": 1}], \"storage_offset\": {\"as_int\": 0}, "   \
    "\"layout\": 7}"

/* ep_decode, which has to succeed, then ep_check with options, which may be
 * NULL. Every byte is given back. */
ep_code test_check(ep_bytes input, const ep_check_options *options, ep_error *error);

#endif
