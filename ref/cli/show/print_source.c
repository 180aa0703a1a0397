/*
 * print_source.c - the line of Python that a node comes from, out of the stack
 * trace in its metadata:
 *
 *     File "/home/me/models.py", line 33, in forward
 *       return self.linear(x)
 */
#include <string.h>

#include "cli/print.h"
#include "cli/style.h"
#include "common/safe.h"
#include "show.h"

/* Where a text stands in another, from its end or its beginning; NULL if it
 * does not. */
static const char *find(ep_bytes text, const char *wanted, bool last) {
    size_t size = strlen(wanted);
    const char *found = NULL;
    for (size_t at = 0; at + size <= text.size && (last || found == NULL); at++) {
        if (memcmp(text.data + at, wanted, size) == 0) {
            found = text.data + at;
        }
    }
    return found;
}

/* What follows a text that was found. */
static ep_bytes after(ep_bytes text, const char *found, const char *wanted) {
    const char *start = found + strlen(wanted);
    return (ep_bytes){start, (size_t)(text.data + text.size - start)};
}

static ep_bytes first_line(ep_bytes text) {
    const char *end = text.size > 0 ? memchr(text.data, '\n', text.size) : NULL;
    return end == NULL ? text : (ep_bytes){text.data, (size_t)(end - text.data)};
}

/* The file's own name; of "<eval_with_key>.13 from ..." what comes first. */
static ep_bytes base_name(ep_bytes path) {
    size_t start = 0;
    for (size_t i = 0; i < path.size; i++) {
        if (path.data[0] == '<' && path.data[i] == ' ') {
            return (ep_bytes){path.data, i};
        }
        if (path.data[0] != '<' && (path.data[i] == '/' || path.data[i] == '\\')) {
            start = i + 1;
        }
    }
    return (ep_bytes){path.data + start, path.size - start};
}

static ep_bytes without_spaces(ep_bytes text) {
    while (text.size > 0 && text.data[0] == ' ') {
        text = (ep_bytes){text.data + 1, text.size - 1};
    }
    return text;
}

/* "models.py:33 in forward: return self.linear(x)", from the innermost file
 * of a trace; nothing if it names none. */
static void put_source(buffer *b, ep_bytes trace) {
    static const char opening[] = "File \"";
    static const char closing[] = "\", line ";
    const char *file = find(trace, opening, true);
    ep_bytes rest = file != NULL ? after(trace, file, opening) : (ep_bytes){0};
    const char *end = file != NULL ? find(rest, closing, false) : NULL;
    if (end == NULL) {
        return;
    }
    ep_bytes where = after(rest, end, closing);
    ep_bytes line = first_line(where);
    ep_bytes code = {line.data + line.size, where.size - line.size};
    const char *comma = find(line, ",", false);
    size_t digits = comma != NULL ? (size_t)(comma - line.data) : line.size;
    print(b, "%t:%t", base_name((ep_bytes){rest.data, (size_t)(end - rest.data)}),
          (ep_bytes){line.data, digits});
    if (comma != NULL) {
        safe_text(b, (ep_bytes){comma + 1, line.size - digits - 1});
    }
    if (code.size > 1) {
        print(b, ": %t", without_spaces(first_line((ep_bytes){code.data + 1, code.size - 1})));
    }
}

static ep_value stack_trace(show *s, ep_value node) {
    ep_value metadata = ep_value_field(node, "metadata");
    for (size_t i = 0; i < ep_value_count(metadata); i++) {
        if (bytes_equal(dict_key(metadata, i, &s->printer.scratch, &s->failed), "stack_trace")) {
            return ep_value_item(metadata, i);
        }
    }
    return (ep_value){0};
}

/* Shortens a text to a number of columns. */
static void cut(buffer *b, size_t from, size_t columns) {
    size_t column = 0;
    for (size_t i = from; i < b->size; i++) {
        column += ((unsigned char)b->data[i] & 0xC0) != 0x80;
        if (column > columns) {
            b->size = i;
            buffer_text(b, "...");
            return;
        }
    }
}

void show_put_source(show *s, ep_value node, buffer *b) {
    put_source(b, text_of(stack_trace(s, node), &s->printer.scratch, &s->failed));
}

void show_source(show *s, ep_value node, size_t indent) {
    buffer said = {0};
    bool color = s->color;
    show_put_source(s, node, &said);
    if (said.size > 0 && bytes_compare(buffer_bytes(&said), buffer_bytes(&s->last_source)) != 0) {
        buffer_spaces(s->out, indent);
        style_put(s->out, color, STYLE_DIM);
        buffer_text(s->out, "# ");
        size_t from = s->out->size;
        buffer_put(s->out, said.data, said.size);
        cut(s->out, from, s->width > indent + 5 ? s->width - indent - 5 : 0);
        style_put(s->out, color, STYLE_PLAIN);
        buffer_byte(s->out, '\n');
        buffer_clear(&s->last_source);
        buffer_put(&s->last_source, said.data, said.size);
    }
    s->failed = s->failed || said.failed || s->last_source.failed;
    buffer_free(&said);
}
