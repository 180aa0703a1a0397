/*
 * dom.h - a second reader of JSON, as plain as can be and sharing nothing with
 * the library, to say whether an encoded program still says what the text that
 * was decoded said.
 */
#ifndef EP_TEST_DOM_H
#define EP_TEST_DOM_H

#include "epref.h"

/*
 * Whether b, which was encoded, says the same as a. Members may stand in
 * another order, numbers and strings be spelled otherwise; what a leaves out
 * may be a default in b; what is null in a may be left out in b.
 */
bool dom_same(ep_bytes a, ep_bytes b);

#endif
