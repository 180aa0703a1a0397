/*
 * buffer.c - see buffer.h.
 */
#include "buffer.h"

#include <string.h>

#include "memory.h"

enum { FIRST_CAPACITY = 256 };

/* Room for more bytes, by doubling. */
static bool reserve(buffer *b, size_t more) {
    if (b->failed || more > SIZE_MAX / 2 - b->size) {
        b->failed = true;
        return false;
    }
    if (b->size + more <= b->capacity) {
        return true;
    }
    size_t capacity = b->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : b->capacity * 2;
    if (capacity < b->size + more) {
        capacity = b->size + more;
    }
    char *data = memory_resize(b->data, capacity);
    if (data == NULL) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->capacity = capacity;
    return true;
}

void buffer_put(buffer *b, const char *data, size_t size) {
    if (size > 0 && reserve(b, size)) {
        memcpy(b->data + b->size, data, size);
        b->size += size;
    }
}

void buffer_byte(buffer *b, char byte) {
    buffer_put(b, &byte, 1);
}

void buffer_text(buffer *b, const char *text) {
    buffer_put(b, text, strlen(text));
}

void buffer_number(buffer *b, int64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    buffer_put(b, digits + at, sizeof digits - at);
}

void buffer_numbers(buffer *b, const int64_t *numbers, size_t count) {
    buffer_byte(b, '[');
    for (size_t i = 0; i < count; i++) {
        buffer_text(b, i > 0 ? ", " : "");
        buffer_number(b, numbers[i]);
    }
    buffer_byte(b, ']');
}

char *buffer_room(buffer *b, size_t count) {
    if (count == 0 || !reserve(b, count)) {
        return NULL;
    }
    b->size += count;
    return b->data + b->size - count;
}

void buffer_spaces(buffer *b, size_t count) {
    char *room = buffer_room(b, count);
    if (room != NULL) {
        memset(room, ' ', count);
    }
}

void buffer_pad(buffer *b, size_t from, size_t wanted) {
    if (b->failed) {
        return;
    }
    size_t columns = bytes_columns((ep_bytes){b->data + from, b->size - from});
    buffer_spaces(b, columns < wanted ? wanted - columns : 0);
}

const char *buffer_string(buffer *b) {
    if (!reserve(b, 1)) {
        return "";
    }
    b->data[b->size] = '\0';
    return b->data;
}

void buffer_clear(buffer *b) {
    b->size = 0;
    b->failed = false;
}

void buffer_free(buffer *b) {
    memory_free(b->data);
    *b = (buffer){0};
}

static void *allocate(void *context, size_t size) {
    (void)context;
    return memory_resize(NULL, size);
}

static void release(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    memory_free(block);
}

void arena_open(ep_arena *arena, size_t cap) {
    static const ep_allocator allocator = {allocate, release, NULL};
    ep_arena_init(arena, &allocator, cap);
}

ep_bytes bytes_of(const char *text) {
    return (ep_bytes){text, strlen(text)};
}

bool bytes_equal(ep_bytes a, const char *b) {
    size_t size = strlen(b);
    return a.size == size && (size == 0 || memcmp(a.data, b, size) == 0);
}

bool bytes_start(ep_bytes text, const char *start) {
    size_t size = strlen(start);
    return text.size >= size && bytes_equal((ep_bytes){text.data, size}, start);
}

bool bytes_end(ep_bytes text, const char *end) {
    size_t size = strlen(end);
    return text.size >= size && bytes_equal((ep_bytes){text.data + text.size - size, size}, end);
}

size_t bytes_find(ep_bytes in, size_t from, ep_bytes what) {
    for (size_t at = from; what.size <= in.size && at <= in.size - what.size; at++) {
        if (memcmp(in.data + at, what.data, what.size) == 0) {
            return at;
        }
    }
    return in.size;
}

size_t bytes_columns(ep_bytes text) {
    size_t columns = 0;
    for (size_t i = 0; i < text.size; i++) {
        columns += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    }
    return columns;
}

int bytes_compare(ep_bytes a, ep_bytes b) {
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
    if (order != 0) {
        return order;
    }
    return (a.size > b.size) - (a.size < b.size);
}
