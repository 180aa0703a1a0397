/*
 * safe.c - see safe.h. Every byte of text that comes from a file or from the
 * command line passes through here on its way to a screen or into JSON.
 */
#include "safe.h"

/* The scalar value that begins a text, and its length; 0 if it is not UTF-8.
 * Overlong forms and surrogates are not. */
static size_t take_scalar(ep_bytes text, uint32_t *scalar) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text.data;
    size_t size = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (size == 0 || p[0] > 0xF4 || size > text.size) {
        return 0;
    }
    uint32_t value = size == 1 ? p[0] : p[0] & (0xFFU >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (p[i] & 0x3F);
    }
    bool surrogate = 0xD800 <= value && value <= 0xDFFF;
    *scalar = value;
    return value < least[size] || value > 0x10FFFF || surrogate ? 0 : size;
}

/* Characters that are not seen, or change how others are seen. */
static bool is_harmful(uint32_t c) {
    static const uint32_t ranges[][2] = {
        {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x180E, 0x180E}, {0x200B, 0x200F},
        {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i][0] <= c && c <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

bool safe_next(ep_bytes text, size_t *size) {
    uint32_t c = 0;
    size_t taken = take_scalar(text, &c);
    *size = taken > 0 ? taken : 1;
    return taken > 0 && !is_harmful(c);
}

static void put_hex(buffer *b, const char *prefix, uint32_t value, int digits) {
    buffer_text(b, prefix);
    while (digits-- > 0) {
        buffer_byte(b, "0123456789abcdef"[value >> (4 * digits) & 15]);
    }
}

/* Puts a character, itself or as an escape. */
static void put_safe(buffer *b, const char *data, size_t size, uint32_t c) {
    if (!is_harmful(c)) {
        buffer_put(b, data, size);
    } else if (c == '\n') {
        buffer_text(b, "\\n");
    } else if (c == '\t') {
        buffer_text(b, "\\t");
    } else if (c == '\r') {
        buffer_text(b, "\\r");
    } else if (c <= 0xFFFF) {
        put_hex(b, "\\u", c, 4);
    } else {
        put_hex(b, "\\U", c, 8);
    }
}

static void put_all(buffer *b, ep_bytes text, bool quoted) {
    for (size_t i = 0; i < text.size;) {
        uint32_t c = 0;
        ep_bytes rest = {text.data + i, text.size - i};
        size_t size = take_scalar(rest, &c);
        if (size == 0) {
            put_hex(b, "\\x", (unsigned char)rest.data[0], 2);
            i++;
            continue;
        }
        if (quoted && (c == '"' || c == '\\')) {
            buffer_byte(b, '\\');
        }
        put_safe(b, rest.data, size, c);
        i += size;
    }
}

void safe_text(buffer *b, ep_bytes text) {
    put_all(b, text, false);
}

void safe_quoted(buffer *b, ep_bytes text) {
    buffer_byte(b, '"');
    put_all(b, text, true);
    buffer_byte(b, '"');
}

/* The letter that stands for a byte behind a backslash; 0 if there is none. */
static char escape_of(char c) {
    return c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : 0;
}

static void spell_byte(buffer *b, char c) {
    char letter = escape_of(c);
    if (letter != 0) {
        buffer_byte(b, '\\');
        buffer_byte(b, letter);
    } else {
        put_hex(b, "\\x", (unsigned char)c, 2);
    }
}

bool safe_spell(buffer *b, ep_bytes text) {
    bool spelled = false;
    while (text.size > 0) {
        size_t size;
        bool as_is = safe_next(text, &size) && text.data[0] != '\\';
        for (size_t i = 0; i < size && !as_is; i++) {
            spell_byte(b, text.data[i]);
        }
        buffer_put(b, text.data, as_is ? size : 0);
        spelled = spelled || !as_is;
        text = (ep_bytes){text.data + size, text.size - size};
    }
    return spelled;
}

/* The value of a digit of lower case, which is all that is written; 16: it is none. */
static unsigned hex_value(char c) {
    return '0' <= c && c <= '9'   ? (unsigned)(c - '0')
           : 'a' <= c && c <= 'f' ? (unsigned)(c - 'a') + 10
                                  : 16;
}

/* Reads what is behind a backslash, and how long it is; a zero byte: it is no escape. */
static char read_escape(ep_bytes rest, size_t *size) {
    char letter = rest.size > 0 ? rest.data[0] : '\0';
    *size = letter == 'x' ? 3 : 1;
    if (letter == 'x') {
        unsigned high = rest.size < 3 ? 16 : hex_value(rest.data[1]);
        unsigned low = rest.size < 3 ? 16 : hex_value(rest.data[2]);
        return high > 15 || low > 15 ? '\0' : (char)(unsigned char)(high << 4 | low);
    }
    return letter == '\\' ? '\\' : letter == 'n' ? '\n' : letter == 'r' ? '\r' : '\0';
}

bool safe_read(buffer *b, ep_bytes spelled) {
    for (size_t i = 0; i < spelled.size; i++) {
        char c = spelled.data[i];
        if (c == '\\') {
            size_t size;
            c = read_escape((ep_bytes){spelled.data + i + 1, spelled.size - i - 1}, &size);
            i += size;
        }
        if (c == '\0') {
            return false;
        }
        buffer_byte(b, c);
    }
    return true;
}

/* JSON knows \u with four digits only: a pair above. */
static void put_json_escape(buffer *b, uint32_t c) {
    if (c <= 0xFFFF) {
        put_hex(b, "\\u", c, 4);
        return;
    }
    put_hex(b, "\\u", 0xD800 + ((c - 0x10000) >> 10), 4);
    put_hex(b, "\\u", 0xDC00 + (c & 0x3FF), 4);
}

void safe_json(buffer *b, ep_bytes text) {
    buffer_byte(b, '"');
    for (size_t i = 0; i < text.size;) {
        uint32_t c = 0;
        ep_bytes rest = {text.data + i, text.size - i};
        size_t size = take_scalar(rest, &c);
        if (size == 0) {
            buffer_text(b, "\xEF\xBF\xBD");
        } else if (c == '"' || c == '\\') {
            buffer_byte(b, '\\');
            buffer_byte(b, (char)c);
        } else if (is_harmful(c)) {
            put_json_escape(b, c);
        } else {
            buffer_put(b, rest.data, size);
        }
        i += size > 0 ? size : 1;
    }
    buffer_byte(b, '"');
}

static void put_python(buffer *b, uint32_t c) {
    static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    for (size_t i = 0; i < sizeof shorts - 1; i += 2) {
        if (c == (unsigned char)shorts[i]) {
            buffer_byte(b, '\\');
            buffer_byte(b, shorts[i + 1]);
            return;
        }
    }
    if (' ' <= c && c <= '~') {
        buffer_byte(b, (char)c);
    } else {
        put_json_escape(b, c);
    }
}

void safe_json_python(buffer *b, ep_bytes text) {
    buffer_byte(b, '"');
    for (size_t i = 0; i < text.size;) {
        uint32_t c = 0xFFFD;
        size_t size = take_scalar((ep_bytes){text.data + i, text.size - i}, &c);
        put_python(b, size > 0 ? c : 0xFFFD);
        i += size > 0 ? size : 1;
    }
    buffer_byte(b, '"');
}

bool safe_is_utf8(ep_bytes text) {
    uint32_t scalar;
    size_t size = 1;
    for (size_t i = 0; size > 0 && i < text.size; i += size) {
        size = take_scalar((ep_bytes){text.data + i, text.size - i}, &scalar);
    }
    return size > 0;
}
