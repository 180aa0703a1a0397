/*
 * config.h - a payload config written: which member of an archive holds which tensor, and
 * how the tensor lies in it, byte for byte as torch.export.save of 2.9 to 2.15 does.
 */
#ifndef ARCHIVE_CONFIG_H
#define ARCHIVE_CONFIG_H

#include "archive/pickle/dtype.h"
#include "common/buffer.h"

/* A tensor and its member, which is called prefix and number. */
typedef struct config_entry {
    ep_bytes name;
    const char *prefix;
    size_t number;
    bool is_parameter;
    bool requires_grad;
    int dtype;       /* of ScalarType */
    ep_bytes device; /* "cpu", "cuda:0" */
    size_t rank;
    const int64_t *sizes;
    const int64_t *strides;
    int64_t offset;
} config_entry;

/* The text before the first entry, one of `count` entries from 0 on, and the text behind
 * the last. */
void config_begin(buffer *text);
void config_put(buffer *text, const config_entry *entry, size_t i);
void config_end(buffer *text);

#endif
