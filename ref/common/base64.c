/*
 * base64.c - see base64.h.
 */
#include "base64.h"

static int digit_value(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

void base64_decode(ep_bytes text, buffer *bytes) {
    unsigned bits = 0;
    int count = 0;
    for (size_t i = 0; i < text.size && digit_value(text.data[i]) >= 0; i++) {
        bits = (bits << 6 | (unsigned)digit_value(text.data[i])) & 0xFFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            buffer_byte(bytes, (char)(bits >> count & 0xFF));
        }
    }
}
