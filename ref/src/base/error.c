/*
 * base/error.c - the rows of codes, and the public error that is made of a fault: line
 * and column by counting, the detail by joining names, the pointer by locate.c.
 */
#include "base/error.h"

typedef struct code_row {
    ep_code code;
    ep_level level;
    const char *name;
    const char *clause;
    const char *message;
} code_row;

#define ERROR(code, level, clause, message) {code, EP_LEVEL_##level, #code, clause, message},
static const code_row rows[] = {
#include "base/error.def"
};
#undef ERROR

static const code_row *code_row_of(ep_code code) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        if (rows[i].code == code) {
            return &rows[i];
        }
    }
    return NULL;
}

EP_API const char *ep_code_name(ep_code code) {
    const code_row *row = code_row_of(code);
    return row == NULL ? NULL : row->name;
}

EP_API const char *ep_code_clause(ep_code code) {
    const code_row *row = code_row_of(code);
    return row == NULL ? NULL : row->clause;
}

EP_API const char *ep_code_message(ep_code code) {
    const code_row *row = code_row_of(code);
    return row == NULL ? NULL : row->message;
}

EP_API ep_level ep_code_level(ep_code code) {
    const code_row *row = code_row_of(code);
    return row == NULL ? EP_LEVEL_NONE : row->level;
}

EP_API ep_code ep_code_at(size_t i) {
    return i < EP_COUNT_OF(rows) ? rows[i].code : EP_OK;
}

bool ep_fault_set(ep_fault *fault, ep_code code, size_t offset) {
    *fault = (ep_fault){.code = code, .offset = offset};
    return false;
}

void ep_error_clear(ep_error *error) {
    if (error != NULL) {
        memset(error, 0, sizeof *error);
    }
}

bool ep_error_plain(ep_error *error, ep_code code) {
    if (error != NULL) {
        memset(error, 0, sizeof *error);
        error->code = code;
    }
    return false;
}

/* Appends a text to a detail, cut where the room ends. */
static void append(char *detail, const char *text) {
    size_t at = ep_text_of(detail).size;
    for (; *text != '\0' && at < EP_DETAIL_SIZE - 1; at++, text++) {
        detail[at] = *text;
    }
    detail[at] = '\0';
}

bool ep_error_argument(ep_error *error, const char *what) {
    ep_error_plain(error, EP_ARGUMENT);
    if (error != NULL) {
        append(error->detail, what);
    }
    return false;
}

bool ep_error_unusable(ep_error *error, bool given) {
    return ep_error_argument(error, given ? "a program that forward reading left something out of"
                                          : EP_NULL_GIVEN);
}

/* A name from the input, quoted: its ASCII, and not much of it. */
static void append_name(char *detail, ep_bytes name) {
    enum { NAME_MAX = 60 };
    char text[NAME_MAX + 4];
    size_t n = 0;
    for (size_t i = 0; i < name.size && n < NAME_MAX; i++) {
        char c = name.data[i];
        text[n++] = c >= ' ' && c < 0x7F ? c : '?';
    }
    memcpy(text + n, name.size > NAME_MAX ? "..." : "", name.size > NAME_MAX ? 4 : 1);
    append(detail, "\"");
    append(detail, text);
    append(detail, "\"");
}

/* "TensorMeta.dtype: expected an integer", "in Node, which has it since 8.16" */
static void write_detail(char *detail, const ep_fault *fault) {
    detail[0] = '\0';
    if (fault->type != NULL) {
        append(detail, fault->member == NULL ? "in " : "");
        append(detail, fault->type);
        append(detail, fault->member == NULL ? "" : ".");
        append(detail, fault->member == NULL ? "" : fault->member);
    }
    if (fault->name.size > 0) {
        append_name(detail, fault->name);
    }
    if (fault->expected != NULL) {
        append(detail, detail[0] == '\0' ? "expected " : ": expected ");
        append(detail, fault->expected);
    }
    if (fault->since != NULL) {
        append(detail, ", which has it since ");
        append(detail, fault->since);
        append(detail, fault->until == NULL ? "" : " until ");
        append(detail, fault->until == NULL ? "" : fault->until);
    }
}

/* Whether one of eight bytes is a line feed: whether a byte is 0 when all are compared. */
static bool holds_line_feed(uint64_t word) {
    const uint64_t ones = UINT64_MAX / 0xFF;
    uint64_t zeros = word ^ ones * '\n';
    return ((zeros - ones) & ~zeros & ones << 7) != 0;
}

/* SPEC 1.5.3: lines end at a line feed; columns count bytes. */
static void write_position(ep_error *error, ep_bytes input) {
    size_t line = 1;
    size_t start = 0;
    /* LCOV_EXCL_START no offset is behind the text */
    size_t end = error->offset < input.size ? error->offset : input.size;
    /* LCOV_EXCL_STOP */
    for (size_t i = 0; i < end; i++) {
        while (end - i > 8 && !holds_line_feed(ep_load64(input.data + i))) {
            i += 8;
        }
        if (input.data[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    error->line = line;
    error->column = error->offset - start + 1;
}

/* SPEC 1.5.4 */
void ep_error_fill(ep_error *error, ep_bytes input, const ep_fault *fault) {
    if (error == NULL) {
        return;
    }
    memset(error, 0, sizeof *error);
    error->code = fault->code;
    error->offset = fault->offset;
    write_detail(error->detail, fault);
    write_position(error, input);
    ep_locate(input, fault->offset, fault->place, error);
}

/* The bounds of a listener: the number of errors, and the bytes that are reread to
 * locate them, as multiples of the document's size and this much more. */
enum { TOLD_MAX = 100, WALKS_MAX = 8, WALKED_MAX = 1 << 20 };

void ep_tell(ep_listener *listener, ep_bytes input, const ep_fault *fault) {
    ep_error error;
    bool cheap = listener->walked / WALKS_MAX <= input.size + WALKED_MAX;
    if (listener->warn == NULL || listener->told++ >= TOLD_MAX || !cheap) {
        return;
    }
    listener->walked += fault->offset;
    ep_error_fill(&error, input, fault);
    listener->warn(listener->context, &error);
}
