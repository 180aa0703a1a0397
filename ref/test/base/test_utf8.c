/*
 * test_utf8.c - every scalar value, every first and second byte, and every
 * boundary of RFC 3629, against a reader that enumerates instead of deciding.
 */
#include "base/utf8.h"
#include "check.h"

/* How RFC 3629 writes a scalar value, by its table in section 3. */
static size_t rfc_encode(uint32_t scalar, unsigned char bytes[4]) {
    if (scalar <= 0x7F) {
        bytes[0] = (unsigned char)scalar;
        return 1;
    }
    if (scalar <= 0x7FF) {
        bytes[0] = (unsigned char)(0xC0 + scalar / 64);
        bytes[1] = (unsigned char)(0x80 + scalar % 64);
        return 2;
    }
    if (scalar <= 0xFFFF) {
        bytes[0] = (unsigned char)(0xE0 + scalar / 4096);
        bytes[1] = (unsigned char)(0x80 + scalar / 64 % 64);
        bytes[2] = (unsigned char)(0x80 + scalar % 64);
        return 3;
    }
    bytes[0] = (unsigned char)(0xF0 + scalar / 262144);
    bytes[1] = (unsigned char)(0x80 + scalar / 4096 % 64);
    bytes[2] = (unsigned char)(0x80 + scalar / 64 % 64);
    bytes[3] = (unsigned char)(0x80 + scalar % 64);
    return 4;
}

static bool is_scalar(uint32_t value) {
    return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

/* The length of the one scalar value whose encoding begins the bytes; 0 if
 * there is none. The candidate comes from the payload bits of each length. */
static size_t rfc_decode(const unsigned char *bytes, size_t size, uint32_t *scalar) {
    static const unsigned lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    for (size_t length = 1; length <= 4 && length <= size; length++) {
        uint32_t value = bytes[0] & lead_bits[length];
        for (size_t i = 1; i < length; i++) {
            value = value * 64 + bytes[i] % 64;
        }
        unsigned char again[4];
        if (is_scalar(value) && rfc_encode(value, again) == length &&
            memcmp(again, bytes, length) == 0) {
            *scalar = value;
            return length;
        }
    }
    return 0;
}

static bool agrees(const unsigned char *bytes, size_t size) {
    uint32_t expected = 0;
    uint32_t actual = 0;
    const char *p = (const char *)bytes;
    size_t length = rfc_decode(bytes, size, &expected);
    return ep_utf8_read(p, p + size, &actual) == length && actual == expected;
}

static void test_every_scalar(void) {
    uint32_t wrong = 0;
    for (uint32_t scalar = 0; scalar <= 0x10FFFF; scalar++) {
        if (!is_scalar(scalar)) {
            continue;
        }
        unsigned char bytes[4];
        char written[4];
        uint32_t read = 0;
        size_t n = rfc_encode(scalar, bytes);
        bool ok = ep_utf8_write(scalar, written) == n && memcmp(bytes, written, n) == 0 &&
                  ep_utf8_read(written, written + n, &read) == n && read == scalar;
        for (size_t cut = 0; cut < n; cut++) {
            ok = ok && ep_utf8_read(written, written + cut, &read) == 0;
        }
        wrong += !ok;
    }
    CHECK_EQ_INT(wrong, 0);
}

static void test_one_and_two(void) {
    for (unsigned first = 0; first < 256; first++) {
        unsigned char one[] = {(unsigned char)first};
        CHECK(agrees(one, 1));
        for (unsigned second = 0; second < 256; second++) {
            unsigned char two[] = {(unsigned char)first, (unsigned char)second};
            CHECK(agrees(two, 2));
        }
    }
}

static void test_three_and_four(void) {
    static const unsigned char edges[] = {0x00, 0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90,
                                          0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xF0, 0xFF};
    for (unsigned first = 0x80; first < 256; first++) {
        for (size_t i = 0; i < sizeof edges; i++) {
            for (size_t j = 0; j < sizeof edges; j++) {
                unsigned char bytes[] = {(unsigned char)first, edges[i], edges[j], 0};
                CHECK(agrees(bytes, 3));
                for (size_t k = 0; k < sizeof edges; k++) {
                    bytes[3] = edges[k];
                    CHECK(agrees(bytes, 4));
                }
            }
        }
    }
}

/* The rows of RFC 3629, section 4, by hand: the oracle is tested too. */
static void test_rows(void) {
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t scalar;
    } rows[] = {
        {"A", 1, 0x41},
        {"\x7F", 1, 0x7F},
        {"\xC2\x80", 2, 0x80},
        {"\xDF\xBF", 2, 0x7FF},
        {"\xE0\xA0\x80", 3, 0x800},
        {"\xED\x9F\xBF", 3, 0xD7FF},
        {"\xEE\x80\x80", 3, 0xE000},
        {"\xEF\xBF\xBF", 3, 0xFFFF},
        {"\xF0\x90\x80\x80", 4, 0x10000},
        {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
        {"\x80", 0, 0},
        {"\xBF", 0, 0},
        {"\xC0\x80", 0, 0},
        {"\xC1\xBF", 0, 0},
        {"\xE0\x9F\xBF", 0, 0},
        {"\xED\xA0\x80", 0, 0},
        {"\xED\xBF\xBF", 0, 0},
        {"\xF0\x8F\xBF\xBF", 0, 0},
        {"\xF4\x90\x80\x80", 0, 0},
        {"\xF5\x80\x80\x80", 0, 0},
        {"\xFF", 0, 0},
        {"\xE2\x82", 0, 0},
        {"\xE2\x28\xA1", 0, 0},
    };
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        ep_bytes bytes = ep_text_of(rows[i].bytes);
        uint32_t scalar = 0;
        CHECK_EQ_INT(ep_utf8_read(bytes.data, bytes.data + bytes.size, &scalar), rows[i].length);
        CHECK_EQ_INT(scalar, rows[i].scalar);
    }
}

int main(void) {
    test_rows();
    test_every_scalar();
    test_one_and_two();
    test_three_and_four();
    return check_report();
}
