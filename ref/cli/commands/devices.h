/*
 * devices.h - a program or a payload config with other devices: which is put in place of which,
 * as --device says, and the text with all of them changed.
 */
#ifndef CLI_COMMANDS_DEVICES_H
#define CLI_COMMANDS_DEVICES_H

#include "cli/options.h"

/* Complains of what is no list of FROM=TO, as "cuda:0=cpu,cuda:1=cpu". False: it did. */
bool devices_are_said(const char *changes, buffer *complaint);

/* The device that is put in place of one, such as "cuda:0"; empty: it stays. "cuda" stands for
 * any index of it. The first change that fits counts. */
ep_bytes devices_changed(const char *changes, ep_bytes device);

/*
 * Puts a text, of which the value was decoded, with other devices: every Device in it. How many
 * there were is in *count. False for want of memory. Linear in it, and O(n log n) in n devices.
 */
bool devices_put(const char *changes, ep_value root, ep_bytes text, buffer *out, size_t *count);

#endif
