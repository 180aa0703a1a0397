/*
 * unpickle_steps.c - what each opcode of pickle does to the stack and the memo of the
 * restricted reader (unpickle.h).
 */
#include "common/buffer.h"
#include "lexical.h"
#include "unpickle_parts.h"

enum { PROTOCOL_MAX = 5 };

static const uint32_t MARK = UINT32_MAX;
static const uint32_t NOT_PUT = UINT32_MAX;

/* ------------------------------------------------------------------------------- stack */

/* The value on top of the stack, which is no mark. */
static bool peek(unpickler *m, uint32_t *value) {
    if (m->stack.count == 0) {
        return unpickler_malformed(m);
    }
    *value = m->stack.items[m->stack.count - 1];
    return *value != MARK || unpickler_malformed(m);
}

static bool pop(unpickler *m, uint32_t *value) {
    bool ok = peek(m, value);
    m->stack.count -= ok ? 1 : 0;
    return ok;
}

/* Where the items above the mark begin, which go with it when the caller has read them. */
static bool find_mark(unpickler *m, size_t *first) {
    for (size_t i = m->stack.count; i > 0; i--) {
        if (m->stack.items[i - 1] == MARK) {
            *first = i;
            return true;
        }
    }
    return unpickler_malformed(m);
}

static bool append_above(unpickler *m, pickled_items *items, size_t first) {
    for (size_t i = first; i < m->stack.count; i++) {
        TRY(unpickler_append(m, items, m->stack.items[i]));
    }
    return true;
}

/* A value of the last items of the stack, of which there are `count`. */
static bool make_of_last(unpickler *m, pickled_value value, size_t count) {
    value.is.items = (pickled_items){0};
    if (m->stack.count < count) {
        return unpickler_malformed(m);
    }
    size_t first = m->stack.count - count;
    for (size_t i = first; i < m->stack.count; i++) {
        if (m->stack.items[i] == MARK) {
            return unpickler_malformed(m);
        }
    }
    bool ok = append_above(m, &value.is.items, first);
    m->stack.count = first;
    return ok && unpickler_push(m, value);
}

/* Of all above the mark, which goes. */
static bool make_of_marked(unpickler *m, pickled_value value) {
    size_t first;
    value.is.items = (pickled_items){0};
    TRY(find_mark(m, &first) && append_above(m, &value.is.items, first));
    m->stack.count = first - 1;
    return unpickler_push(m, value);
}

/* ------------------------------------------------------------------- simple values */

static bool do_nothing(unpickler *m) {
    (void)m;
    return true;
}

static bool do_proto(unpickler *m) {
    return m->o.number <= PROTOCOL_MAX || unpickler_refuse(m, "its protocol is none that there is");
}

static bool do_frame(unpickler *m) {
    return m->o.number <= (uint64_t)(m->at.end - m->at.p) || unpickler_malformed(m);
}

static bool push_bool(unpickler *m, bool truth) {
    return unpickler_push(m, (pickled_value){.kind = PICKLED_BOOL, .is.truth = truth});
}

static bool do_bool(unpickler *m) {
    return push_bool(m, m->row->variant);
}

static bool push_int(unpickler *m, int64_t number) {
    return unpickler_push(m, (pickled_value){.kind = PICKLED_INT, .is.integer = number});
}

static bool do_unsigned(unpickler *m) {
    return push_int(m, (int64_t)m->o.number);
}

/* Of 32 bits, which may be negative. */
static bool do_signed(unpickler *m) {
    int64_t number = (int64_t)m->o.number;
    return push_int(m, number > INT32_MAX ? number - ((int64_t)1 << 32) : number);
}

static bool push_text(unpickler *m, pickled_kind kind, ep_bytes text) {
    return unpickler_push(m, (pickled_value){.kind = kind, .is.text = text});
}

static bool push_digits(unpickler *m, pickled_kind kind, ep_bytes text) {
    return unpickler_push(m, (pickled_value){.kind = kind, .variant = true, .is.text = text});
}

/* LONG1, LONG4: the two's complement, its lowest byte first. */
static bool do_long(unpickler *m) {
    uint64_t number = 0;
    size_t size = m->o.text.size;
    if (size > 8) {
        return push_text(m, PICKLED_LONG, m->o.text);
    }
    for (size_t i = 8; i > 0; i--) {
        bool negative = size > 0 && ((unsigned char)m->o.text.data[size - 1] & 0x80) != 0;
        unsigned char fill = negative ? 0xFF : 0;
        number = number << 8 | (i - 1 < size ? (unsigned char)m->o.text.data[i - 1] : fill);
    }
    int64_t value;
    memcpy(&value, &number, sizeof value);
    return push_int(m, value);
}

/* A number in a line. A zero before other digits makes octal ones of them to one unpickler of
 * Python, and is refused by others. */
static bool push_line_number(unpickler *m, ep_bytes text) {
    bool negative = text.size > 0 && text.data[0] == '-';
    ep_bytes digits = {text.data + (negative ? 1 : 0), text.size - (negative ? 1 : 0)};
    if (!lexical_is_digits(digits) || (digits.size > 1 && digits.data[0] == '0')) {
        return unpickler_malformed(m);
    }
    int64_t number = 0;
    for (size_t i = 0; i < digits.size; i++) {
        int64_t digit = digits.data[i] - '0';
        if (number > (INT64_MAX - digit) / 10) {
            return push_digits(m, PICKLED_LONG, text);
        }
        number = number * 10 + digit;
    }
    return push_int(m, negative ? -number : number);
}

/* INT of protocol 0: two of its texts are truth values. SPEC 8.5.2 */
static bool do_int_line(unpickler *m) {
    ep_bytes text = m->o.text;
    if (bytes_equal(text, "01") || bytes_equal(text, "00")) {
        return push_bool(m, text.data[1] == '1');
    }
    return push_line_number(m, text);
}

/* LONG of protocol 0, which can end with an L. SPEC 8.5.2 */
static bool do_long_line(unpickler *m) {
    ep_bytes text = m->o.text;
    text.size -= text.size > 0 && text.data[text.size - 1] == 'L' ? 1 : 0;
    return push_line_number(m, text);
}

/* SPEC 8.5.2 */
static bool do_float_line(unpickler *m) {
    return lexical_is_float(m->o.text) ? push_digits(m, PICKLED_FLOAT, m->o.text)
                                       : unpickler_malformed(m);
}

/* BINFLOAT: the operand was taken as a number, of which the bytes stand before. */
static bool do_float(unpickler *m) {
    return push_text(m, PICKLED_FLOAT, (ep_bytes){m->at.p - 8, 8});
}

static bool push_utf8(unpickler *m, ep_bytes text, bool surrogates) {
    return lexical_is_text(text, surrogates)
               ? push_text(m, PICKLED_TEXT, text)
               : unpickler_refuse(m, "it holds a text that is not UTF-8");
}

/* Of Unicode. SPEC 8.5.2 */
static bool do_text(unpickler *m) {
    return push_utf8(m, m->o.text, true);
}

/* Of bytes, which torch.load takes for UTF-8. SPEC 8.5.2 */
static bool do_string(unpickler *m) {
    return push_utf8(m, m->o.text, false);
}

static bool do_bytes(unpickler *m) {
    return push_text(m, PICKLED_BYTES, m->o.text);
}

/* A text of protocol 0, where it needs no unescaping. */
static bool push_line(unpickler *m, ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '\\' || c >= 0x80) {
            return unpickler_refuse(m, "it holds a text of protocol 0 with escapes");
        }
    }
    return push_text(m, PICKLED_TEXT, text);
}

static bool do_text_line(unpickler *m) {
    return push_line(m, m->o.text);
}

/* STRING of protocol 0: between quotes. */
static bool do_quoted_line(unpickler *m) {
    ep_bytes text = m->o.text;
    if (text.size < 2 || text.data[0] != text.data[text.size - 1] ||
        (text.data[0] != '\'' && text.data[0] != '"')) {
        return unpickler_malformed(m);
    }
    return push_line(m, (ep_bytes){text.data + 1, text.size - 2});
}

/* -------------------------------------------------------------------------- containers */

/* None, or what is empty. */
static bool do_plain(unpickler *m) {
    return unpickler_push(m, (pickled_value){.kind = m->row->kind});
}

static bool do_of_last(unpickler *m) {
    return make_of_last(m, (pickled_value){.kind = m->row->kind}, m->row->pops);
}

static bool do_of_marked(unpickler *m) {
    return make_of_marked(m, (pickled_value){.kind = m->row->kind, .variant = m->row->variant});
}

static bool do_dict(unpickler *m) {
    size_t first;
    if (!find_mark(m, &first) || (m->stack.count - first) % 2 != 0) {
        return unpickler_malformed(m);
    }
    return make_of_marked(m, (pickled_value){.kind = PICKLED_DICT});
}

/* What the links that were made last are. */
static void use_last(unpickler *m, size_t count, pickled_use use) {
    for (size_t i = m->u->link_count - count; i < m->u->link_count; i++) {
        m->u->links[i].use = (uint8_t)use;
    }
}

/* Says how the object on top of the stack is made. */
static void use_first(unpickler *m, uint32_t object, pickled_use use) {
    m->u->links[m->u->values[object].is.items.first].use = (uint8_t)use;
}

/* Puts what is on the stack from `first` on into the container at `place`, if it is of
 * the kind or an object; and takes it away. */
static bool put_into(unpickler *m, size_t place, size_t first, pickled_kind kind) {
    uint32_t into = place < m->stack.count ? m->stack.items[place] : MARK;
    if (into == MARK) {
        return unpickler_malformed(m);
    }
    pickled_value *container = &m->u->values[into];
    bool pairs = kind == PICKLED_DICT;
    if ((container->kind != kind && container->kind != PICKLED_OBJECT) ||
        (container->kind == PICKLED_SET && container->variant) ||
        (pairs && (m->stack.count - first) % 2 != 0)) {
        return unpickler_malformed(m);
    }
    size_t count = m->stack.count - first;
    bool ok = append_above(m, &container->is.items, first);
    if (ok && container->kind == PICKLED_OBJECT) {
        use_last(m, count,
                 kind == PICKLED_LIST  ? PICKLED_APPENDED
                 : kind == PICKLED_SET ? PICKLED_ADDED
                                       : PICKLED_PAIRED);
    }
    m->stack.count = place + 1;
    return ok;
}

/* The last values into what is below them. */
static bool do_put_last(unpickler *m) {
    size_t count = (size_t)m->row->pops - 1;
    if (m->stack.count <= count) {
        return unpickler_malformed(m);
    }
    size_t first = m->stack.count - count;
    for (size_t i = first; i < m->stack.count; i++) {
        if (m->stack.items[i] == MARK) {
            return unpickler_malformed(m);
        }
    }
    return put_into(m, first - 1, first, m->row->kind);
}

/* What is above the mark into what is below it. */
static bool do_put_marked(unpickler *m) {
    size_t first;
    if (!find_mark(m, &first) || first < 2) {
        return unpickler_malformed(m);
    }
    return put_into(m, first - 2, first, m->row->kind);
}

/* ---------------------------------------------------------------------- stack and memo */

static bool do_mark(unpickler *m) {
    return unpickler_push_number(m, MARK);
}

static bool do_pop(unpickler *m) {
    if (m->stack.count == 0) {
        return unpickler_malformed(m);
    }
    m->stack.count--;
    m->u->drops = m->u->drops || m->stack.items[m->stack.count] != MARK;
    return true;
}

static bool do_pop_mark(unpickler *m) {
    size_t first;
    TRY(find_mark(m, &first));
    m->u->drops = m->u->drops || first < m->stack.count;
    m->stack.count = first - 1;
    return true;
}

static bool do_dup(unpickler *m) {
    uint32_t value;
    return peek(m, &value) && unpickler_push_number(m, value);
}

static bool put(unpickler *m, uint64_t index) {
    uint32_t value;
    if (index >= m->memo_max || !peek(m, &value)) {
        return unpickler_malformed(m);
    }
    while (m->memo.count <= index) {
        TRY(unpickler_reserve_numbers(m, &m->memo, m->memo.count));
        m->memo.items[m->memo.count++] = NOT_PUT;
    }
    m->memo_count += m->memo.items[index] == NOT_PUT ? 1 : 0;
    m->memo.items[index] = value;
    return true;
}

static bool do_put(unpickler *m) {
    return put(m, m->o.number);
}

static bool do_memoize(unpickler *m) {
    return put(m, m->memo_count);
}

static bool get(unpickler *m, uint64_t index) {
    if (index >= m->memo.count || m->memo.items[index] == NOT_PUT) {
        return unpickler_malformed(m);
    }
    return unpickler_push_number(m, m->memo.items[index]);
}

static bool do_get(unpickler *m) {
    return get(m, m->o.number);
}

static bool do_put_line(unpickler *m) {
    uint64_t number;
    return operands_line_number(m->o.text, m->memo_max, &number) ? put(m, number)
                                                                 : unpickler_malformed(m);
}

static bool do_get_line(unpickler *m) {
    uint64_t number;
    return operands_line_number(m->o.text, m->memo_max, &number) ? get(m, number)
                                                                 : unpickler_malformed(m);
}

/* ------------------------------------------------------------------ globals and calls */

/* Of the last two values, a module and a name, what they name. */
static bool do_stack_global(unpickler *m) {
    uint32_t name;
    uint32_t module;
    TRY(pop(m, &name) && pop(m, &module));
    if (m->u->values[name].kind != PICKLED_TEXT || m->u->values[module].kind != PICKLED_TEXT) {
        return unpickler_refuse(m, "it computes the name of what it imports");
    }
    bool dtype = bytes_equal(m->u->values[module].is.text, "torch") &&
                 dtype_of_torch(m->u->values[name].is.text) != NULL;
    return unpickler_push(m, (pickled_value){.kind = dtype ? PICKLED_DTYPE : PICKLED_GLOBAL,
                                             .is.global = {module, name}});
}

static bool do_global(unpickler *m) {
    return push_utf8(m, m->o.text, false) && push_utf8(m, m->o.second, false) && do_stack_global(m);
}

static bool do_reduce(unpickler *m) {
    uint32_t function;
    uint32_t called_with;
    return pop(m, &called_with) && pop(m, &function) && unpickler_call(m, function, called_with);
}

/* What an object is made of: a class, a tuple, and names. SPEC 8.5.2 */
static bool is_made(unpickler *m, uint32_t object, size_t least) {
    const unpickled *u = m->u;
    pickled_items items = u->values[object].is.items;
    uint32_t at = items.first;
    bool ok = items.count > 0 && unpickled_is_callable(u, unpickled_next(u, &at));
    ok = ok && (least < 2 || u->values[unpickled_next(u, &at)].kind == PICKLED_TUPLE);
    return ok && (least < 3 || u->values[unpickled_next(u, &at)].kind == PICKLED_DICT);
}

/* The last values, the class first, make an object. */
static bool do_new(unpickler *m) {
    uint32_t object;
    TRY(make_of_last(m, (pickled_value){.kind = PICKLED_OBJECT}, m->row->pops) && peek(m, &object));
    use_first(m, object, PICKLED_NEW);
    return is_made(m, object, m->row->pops) || unpickler_refuse_call(m);
}

static bool do_object(unpickler *m) {
    uint32_t object;
    TRY(make_of_marked(m, (pickled_value){.kind = PICKLED_OBJECT}) && peek(m, &object));
    if (!is_made(m, object, 1)) {
        return unpickler_refuse_call(m);
    }
    use_first(m, object, PICKLED_STARTED);
    return true;
}

static bool do_instance(unpickler *m) {
    size_t first;
    uint32_t class;
    pickled_items items = {0};
    TRY(find_mark(m, &first) && do_global(m) && pop(m, &class));
    bool ok = unpickler_append(m, &items, class) && append_above(m, &items, first);
    m->stack.count = first - 1;
    TRY(ok && unpickler_push(m, (pickled_value){.kind = PICKLED_OBJECT, .is.items = items}));
    m->u->links[items.first].use = PICKLED_STARTED;
    return true;
}

static bool do_build(unpickler *m) {
    uint32_t state;
    uint32_t object;
    TRY(pop(m, &state) && peek(m, &object));
    pickled_value *value = &m->u->values[object];
    if (value->kind == PICKLED_DICT && value->variant) {
        value->is.items.attributes = state + 1;
        return true;
    }
    if (value->kind != PICKLED_OBJECT) {
        return unpickler_refuse(m, "it gives a state to what has none");
    }
    bool ok = unpickler_append(m, &value->is.items, state);
    if (ok) {
        use_last(m, 1, PICKLED_STATE);
    }
    return ok;
}

static bool do_persistent(unpickler *m) {
    uint32_t id;
    return pop(m, &id) && unpickler_load(m, id);
}

static bool do_persistent_line(unpickler *m) {
    return unpickler_refuse(m, "it has a persistent id that is no storage's");
}

static bool do_extension(unpickler *m) {
    return unpickler_refuse(m, "it imports by a number that the reading process gives a meaning");
}

static bool do_outside(unpickler *m) {
    return unpickler_refuse(m, "it takes bytes that lie outside of it");
}

static bool do_stop(unpickler *m) {
    TRY(pop(m, &m->u->root));
    if (m->stack.count != 0) {
        return unpickler_refuse(m, "it leaves values behind that are no part of it");
    }
    return m->at.p == m->at.end || unpickler_refuse(m, "bytes follow its end");
}

/* ------------------------------------------------------------------------- the machine */

#define OPCODE(code, argument, pops, effect, step, kind, variant)                                  \
    [code] = {do_##step, PICKLED_##kind, ARGUMENT_##argument, pops, variant},
const unpickler_row unpickler_rows[256] = {
#include "pickle.def"
};
