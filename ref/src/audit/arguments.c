/*
 * audit/arguments.c - texts that an operator or a counter takes for more than a text:
 * formats, methods, classes, options of a compiler, and numbers that are counted up to
 * (SPEC 9.2.2, 9.3.2, 9.4.1).
 */
#include "audit/audit.h"

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}

static bool starts_with(ep_bytes text, ep_bytes start) {
    return text.size >= start.size && memcmp(text.data, start.data, start.size) == 0;
}

static ep_bytes without(ep_bytes text, size_t bytes) {
    return (ep_bytes){text.data + bytes, text.size - bytes};
}

/* What int() may make a number of more than six digits of. */
static bool is_long_number(ep_bytes text) {
    enum { DIGITS = 6 };
    while (text.size > 0 && is_space(text.data[0])) {
        text = without(text, 1);
    }
    while (text.size > 0 && is_space(text.data[text.size - 1])) {
        text.size--;
    }
    text = starts_with(text, EP_TEXT("+")) ? without(text, 1) : text;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (!ep_is_digit((char)c) && c != '_' && c < 0x80) {
            return false;
        }
    }
    return text.size > DIGITS;
}

/* Symbols without a value are counted up to the highest number that a range has. */
static bool is_counted(ep_bytes key) {
    return (starts_with(key, EP_TEXT("u")) && is_long_number(without(key, 1))) ||
           (starts_with(key, EP_TEXT("zuf")) && is_long_number(without(key, 3)));
}

/* Behind an opening brace: the bytes of a field that names an argument and nothing
 * in it, and pads to less than 10,000; 0 when it is none. */
static size_t plain_field(ep_bytes text) {
    enum { DIGITS = 4 };
    size_t digits = 0;
    bool named = true;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '}') {
            return i + 1;
        }
        named = named && c != ':' && c != '!';
        digits = ep_is_digit(c) ? digits + 1 : 0;
        if (c == '{' || (named && !ep_is_word(c)) || (!named && digits > DIGITS)) {
            return 0;
        }
    }
    return 0;
}

static bool is_plain_format(ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '{') {
            continue;
        }
        if (i + 1 < text.size && text.data[i + 1] == '{') {
            i++;
            continue;
        }
        size_t size = plain_field(without(text, i + 1));
        if (size == 0) {
            return false;
        }
        i += size;
    }
    return true;
}

static bool is_plain_method(ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        if (!ep_is_word(text.data[i])) {
            return false;
        }
    }
    return !starts_with(text, EP_TEXT("__"));
}

bool ep_audit_holds(ep_bytes text, ep_bytes word) {
    for (size_t i = 0; i + word.size <= text.size; i++) {
        if (memcmp(text.data + i, word.data, word.size) == 0) {
            return true;
        }
    }
    return false;
}

/* Encoders write no escape of an ASCII letter. */
bool ep_audit_hides(ep_bytes text) {
    for (size_t i = 0; i + 4 < text.size; i++) {
        char after = text.data[i + 4];
        if (memcmp(text.data + i, "\\u00", 4) == 0 && after >= '2' && after <= '7') {
            return true;
        }
    }
    return false;
}

void ep_audit_argument(ep_auditor *auditor, ep_look look, ep_ref ref, ep_bytes text) {
    if (look == EP_LOOK_COUNTER && is_counted(text)) {
        ep_audit_tell(auditor, EP_AUDIT_EXPR_COST, ref, text, "the loader counts up to its number");
    } else if (look == EP_LOOK_FORMAT && !is_plain_format(text)) {
        ep_audit_tell(auditor, EP_AUDIT_CARRIER, ref, text,
                      "str.format walks the values that are printed by attribute");
    } else if (look == EP_LOOK_METHOD && !is_plain_method(text)) {
        ep_audit_tell(auditor, EP_AUDIT_CARRIER, ref, text,
                      "the operator takes this attribute of its argument");
    } else if (look == EP_LOOK_CUSTOM &&
               (ep_audit_holds(text, EP_TEXT("compile_with_inductor")) || ep_audit_hides(text))) {
        ep_audit_tell(auditor, EP_AUDIT_CARRIER, ref, text,
                      "options of a compiler, which can name the program that it starts");
    } else if (look == EP_LOOK_CLASS_PATH) {
        ep_audit_tell(auditor, EP_AUDIT_IMPORT, ref, text,
                      "importlib.import_module is given the module of the function that is called");
    }
}
