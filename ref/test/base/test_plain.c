/*
 * test_plain.c - both ways of plain.h to the end of plain bytes, held against
 * a loop that looks at one byte at a time: every byte value at every place of
 * every length and alignment up to 40.
 */
#include "base/plain.h"

#include "check.h"
#include "plain_portable.h"
#include "support.h"

#include <stdlib.h>

enum { LENGTH = 40, ALIGNMENTS = 16 };

static size_t naive(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < 0x20 || bytes[i] >= 0x7F || bytes[i] == 0x22 || bytes[i] == 0x5C) {
            return i;
        }
    }
    return size;
}

static size_t mismatches;

static void compare(const char *p, size_t size) {
    size_t expected = naive((const unsigned char *)p, size);
    mismatches += ep_plain_end(p, p + size) != p + expected;
    mismatches += portable_plain_end(p, p + size) != p + expected;
}

/* One byte among plain ones; the memory ends where the bytes do. */
static void test_each_byte(void) {
    static const char fills[] = {'a', ' ', '~', '!', '#', '[', ']'};
    for (size_t size = 0; size <= LENGTH; size++) {
        char *bytes = malloc(size + 1);
        if (!CHECK(bytes != NULL)) {
            return;
        }
        for (size_t fill = 0; fill < sizeof fills; fill++) {
            memset(bytes, fills[fill], size + 1);
            compare(bytes + 1, size);
            for (size_t at = 1; at <= size; at++) {
                for (int value = 0; value < 256; value++) {
                    bytes[at] = (char)value;
                    compare(bytes + 1, size);
                }
                bytes[at] = fills[fill];
            }
        }
        free(bytes);
    }
    CHECK_EQ_INT(mismatches, 0);
}

/* Two special bytes: the first is found, whatever the second is. */
static void test_pairs(void) {
    static const char specials[] = "\"\\\x7F\x1F\x80\xFF";
    char bytes[LENGTH];
    for (size_t i = 0; i < LENGTH; i++) {
        for (size_t j = i + 1; j < LENGTH; j++) {
            for (size_t s = 0; s < 36; s++) {
                memset(bytes, 'x', sizeof bytes);
                bytes[i] = specials[s / 6];
                bytes[j] = specials[s % 6];
                compare(bytes, sizeof bytes);
            }
        }
    }
    CHECK_EQ_INT(mismatches, 0);
}

static void test_drawn(void) {
    enum { SIZE = 4096 };
    static char bytes[SIZE];
    uint64_t state = 7;
    for (size_t round = 0; round < 200; round++) {
        for (size_t i = 0; i < SIZE; i++) {
            uint64_t draw = test_draw(&state);
            bytes[i] = (char)(draw % 61 == 0 ? draw >> 8 : 0x23 + draw % 50);
        }
        for (size_t p = 0; p + 64 < SIZE; p++) {
            compare(bytes + p, 1 + (size_t)test_draw_below(&state, 64));
        }
    }
    CHECK_EQ_INT(mismatches, 0);
}

static void test_alignments(void) {
    char bytes[LENGTH + ALIGNMENTS];
    for (size_t from = 0; from < ALIGNMENTS; from++) {
        for (size_t at = from; at < sizeof bytes; at++) {
            memset(bytes, 'y', sizeof bytes);
            bytes[at] = '"';
            compare(bytes + from, sizeof bytes - from);
        }
    }
    CHECK_EQ_INT(mismatches, 0);
}

static void test_is_plain(void) {
    for (int value = 0; value < 256; value++) {
        unsigned char byte = (unsigned char)value;
        CHECK_EQ_INT(ep_is_plain((char)byte), naive(&byte, 1) == 1);
    }
}

int main(void) {
    test_is_plain();
    test_each_byte();
    test_pairs();
    test_drawn();
    test_alignments();
#ifdef EP_PLAIN_SSE2
    puts("the wide path is SSE2");
#else
    puts("there is no wide path here");
#endif
    return check_report();
}
