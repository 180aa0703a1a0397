/*
 * print.c - see print.h.
 */
#include "print.h"

#include <stdarg.h>
#include <string.h>

#include "common/safe.h"

void print(buffer *b, const char *format, ...) {
    va_list arguments;
    size_t from = b->size;
    bool styled = false;
    va_start(arguments, format);
    for (const char *next = strchr(format, '%'); next != NULL; next = strchr(format, '%')) {
        buffer_put(b, format, (size_t)(next - format));
        format = next + 2;
        if (next[1] == 's') {
            buffer_text(b, va_arg(arguments, const char *));
        } else if (next[1] == 't') {
            safe_text(b, va_arg(arguments, ep_bytes));
        } else if (next[1] == 'r') {
            const char *data = va_arg(arguments, const char *);
            buffer_put(b, data, va_arg(arguments, size_t));
        } else if (next[1] == 'i') {
            buffer_number(b, va_arg(arguments, int64_t));
        } else if (next[1] == 'q') {
            safe_quoted(b, va_arg(arguments, ep_bytes));
        } else if (next[1] == 'm') {
            buffer_byte(b, (char)(STYLE_MARK + (int)va_arg(arguments, style)));
        } else if (next[1] == 'M') {
            buffer_byte(b, (char)(STYLE_MARK + (int)STYLE_PLAIN));
        } else if (next[1] == 'z') {
            styled = va_arg(arguments, int) != 0;
            style_put(b, styled, va_arg(arguments, style));
        } else if (next[1] == 'Z') {
            style_put(b, styled, STYLE_PLAIN);
        } else if (next[1] == 'p') {
            buffer_pad(b, from, (size_t)va_arg(arguments, int));
        } else {
            buffer_byte(b, (char)va_arg(arguments, int));
        }
    }
    buffer_text(b, format);
    va_end(arguments);
}
