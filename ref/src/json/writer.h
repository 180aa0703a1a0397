/*
 * json/writer.h - bytes to a sink, through one buffer. The first failure sticks: later
 * calls do nothing, so that callers need only one check.
 */
#ifndef EP_WRITER_H
#define EP_WRITER_H

#include "base/text.h"

enum {
    EP_WRITER_CHUNK = 1 << 15, /* the buffer that is flushed when full */
    EP_WRITER_SLACK = 1024     /* what short writes may go beyond */
};

typedef struct ep_writer {
    char *buffer; /* EP_WRITER_CHUNK + EP_WRITER_SLACK bytes */
    size_t size;
    ep_sink *sink;
    void *context;
    bool failed;
} ep_writer;

/* Hands what is buffered to the sink. */
void ep_writer_flush(ep_writer *writer);

/* Bytes of any number. */
void ep_writer_put_long(ep_writer *writer, const char *data, size_t size);

/* Room for EP_WRITER_SLACK bytes at the returned place; the caller then adds
 * what it wrote to writer->size. */
static inline char *ep_writer_room(ep_writer *writer) {
    if (EP_UNLIKELY(writer->size >= EP_WRITER_CHUNK)) {
        ep_writer_flush(writer);
    }
    return writer->buffer + writer->size;
}

static inline void ep_writer_put(ep_writer *writer, const char *data, size_t size) {
    char *room = ep_writer_room(writer);
    if (EP_LIKELY(size <= EP_WRITER_SLACK)) {
        memcpy(room, data, size);
        writer->size += size;
    } else {
        ep_writer_put_long(writer, data, size);
    }
}

#define EP_PUT(writer, literal) ep_writer_put((writer), (literal), sizeof(literal) - 1)

/* A string with its quotes, as Python's ensure_ascii writes it (SPEC 3.9.3). */
void ep_writer_put_text(ep_writer *writer, ep_bytes input, ep_ref ref);

/* A scalar value as it stands between the quotes: up to 12 bytes, and how many.
 * SPEC 3.9.3. */
size_t ep_writer_scalar(char *text, uint32_t scalar);

/* SPEC 3.9.5 */
void ep_writer_put_int(ep_writer *writer, int64_t value);

#endif
