/*
 * cutting.h - members of JSON objects cut out of a text, whose other bytes stay as they are.
 */
#ifndef CLI_COMMANDS_CUTTING_H
#define CLI_COMMANDS_CUTTING_H

#include "common/names.h"

/* Is told of each member that is cut out, in the order of the text: the code, and the place, with
 * line, column and pointer. */
typedef void cutting_told(void *context, const ep_error *place);

/*
 * Puts a text without the members of objects that have one of the places in their values, which
 * are strings; of a place beyond a string nothing comes. The text is one JSON value (SPEC part 2).
 * places: sorted by place, each with its code as count. False for want of memory. Linear in the
 * text, times 256 bytes a member.
 */
bool cutting_put(buffer *out, ep_bytes text, const name_list *places, cutting_told *told,
                 void *context);

#endif
