/*
 * pickle.c - see pickle.h. Every value but a string is the same to this reader;
 * so a global is known when its names are strings of the pickle, and a pickle
 * that computes the names of what it imports is one that cannot be judged.
 */
#include "pickle.h"

#include "common/memory.h"
#include "operands.h"

/* What is read and kept at most: torch.save pickles in batches of a thousand values. SPEC 9.6.2 */
enum { PICKLES_MAX = 5, STACK_MAX = 1 << 22, NAME_MAX = 1000 };

typedef enum effect {
    EFFECT_UNKNOWN, /* no opcode */
    EFFECT_NOTHING,
    EFFECT_STOP,
    EFFECT_PUSH, /* something */
    EFFECT_STRING,
    EFFECT_MARK,
    EFFECT_POP, /* the mark too */
    EFFECT_POP_MARK,
    EFFECT_DUP,
    EFFECT_INTO, /* what is above the mark goes into what is below */
    EFFECT_MAKE, /* what is above the mark becomes something */
    EFFECT_PUT,
    EFFECT_PUT_LINE,
    EFFECT_MEMOIZE,
    EFFECT_GET,
    EFFECT_GET_LINE,
    EFFECT_GLOBAL,
    EFFECT_STACK_GLOBAL,
    EFFECT_INST,
    EFFECT_EXTENSION
} effect;

typedef struct opcode {
    uint8_t argument;
    uint8_t pops;
    uint8_t effect;
} opcode;

#define OPCODE(code, argument, pops, effect, ...)                                                  \
    [code] = {ARGUMENT_##argument, pops, EFFECT_##effect},
static const opcode opcodes[256] = {
#include "pickle.def"
};

/* A value: a string of the pickle, or no data and one of these sizes. */
enum { SOMETHING = 1, MARK = 2 };

typedef struct values {
    ep_bytes *items;
    size_t count;
    size_t capacity;
} values;

typedef struct machine {
    cursor at;
    values stack;
    values memo; /* size 0: not put */
    size_t memo_count;
    size_t memo_max; /* see operands_memo_room */
    const pickle_ear *ear;
    const char *why; /* it cannot be judged; NULL so far */
    bool failed;     /* for want of memory */
} machine;

static bool fail(machine *m, const char *why) {
    m->why = m->why != NULL ? m->why : why;
    return false;
}

static bool malformed(machine *m) {
    return fail(m, "it is malformed");
}

/* ---------------------------------------------------------------------- values */

static bool append(machine *m, values *v, ep_bytes value) {
    if (!memory_room(&v->items, v->count, &v->capacity, sizeof value)) {
        m->failed = true;
        return false;
    }
    v->items[v->count++] = value;
    return true;
}

static bool push(machine *m, ep_bytes value) {
    if (m->stack.count == STACK_MAX) {
        return fail(m, "it keeps more values at a time than any that torch.save writes");
    }
    return append(m, &m->stack, value);
}

static bool push_something(machine *m) {
    return push(m, (ep_bytes){NULL, SOMETHING});
}

static bool is_mark(ep_bytes value) {
    return value.data == NULL && value.size == MARK;
}

/* The value on top of the stack, which is no mark. */
static bool peek(machine *m, ep_bytes *value) {
    if (m->stack.count == 0) {
        return malformed(m);
    }
    *value = m->stack.items[m->stack.count - 1];
    return !is_mark(*value) || malformed(m);
}

static bool pop(machine *m, ep_bytes *value) {
    bool ok = peek(m, value);
    m->stack.count -= ok ? 1 : 0;
    return ok;
}

static bool pop_to_mark(machine *m) {
    while (m->stack.count > 0) {
        if (is_mark(m->stack.items[--m->stack.count])) {
            return true;
        }
    }
    return malformed(m);
}

/* ------------------------------------------------------------------------ memo */

static bool put(machine *m, uint64_t index) {
    ep_bytes value;
    if (index >= m->memo_max) {
        return fail(m, "it remembers more values than any that torch.save writes");
    }
    TRY(peek(m, &value));
    while (m->memo.count <= index) {
        TRY(append(m, &m->memo, (ep_bytes){NULL, 0}));
    }
    ep_bytes *place = &m->memo.items[index];
    m->memo_count += place->data == NULL && place->size == 0 ? 1 : 0;
    *place = value;
    return true;
}

static bool get(machine *m, uint64_t index) {
    if (index >= m->memo.count) {
        return malformed(m);
    }
    ep_bytes value = m->memo.items[index];
    return (value.data != NULL || value.size != 0) ? push(m, value) : malformed(m);
}

/* --------------------------------------------------------------------- effects */

static bool hear_of(machine *m, ep_bytes module, ep_bytes name) {
    if (module.size + name.size > NAME_MAX) {
        return fail(m, "it imports what has a longer name than anything in Python");
    }
    m->ear->global(m->ear->context, module, name);
    return true;
}

static bool stack_global(machine *m) {
    ep_bytes name;
    ep_bytes module;
    TRY(pop(m, &name) && pop(m, &module));
    if (name.data == NULL || module.data == NULL) {
        return fail(m, "it computes the name of what it imports");
    }
    return hear_of(m, module, name) && push_something(m);
}

static bool duplicate(machine *m) {
    ep_bytes value;
    return peek(m, &value) && push(m, value);
}

static bool pop_any(machine *m) {
    if (m->stack.count == 0) {
        return malformed(m);
    }
    m->stack.count--;
    return true;
}

static bool put_line(machine *m, const operands *o) {
    uint64_t number;
    return operands_line_number(o->text, m->memo_max, &number) ? put(m, number) : malformed(m);
}

static bool get_line(machine *m, const operands *o) {
    uint64_t number;
    return operands_line_number(o->text, m->memo_max, &number) ? get(m, number) : malformed(m);
}

static bool push_string(machine *m, ep_bytes text) {
    if (m->ear->text != NULL) {
        m->ear->text(m->ear->context, text);
    }
    return push(m, text);
}

static bool apply(machine *m, effect what, const operands *o) {
    switch (what) {
    case EFFECT_UNKNOWN:
        return malformed(m);
    case EFFECT_NOTHING:
    case EFFECT_STOP:
        return true;
    case EFFECT_PUSH:
        return push_something(m);
    case EFFECT_STRING:
        return push_string(m, o->text);
    case EFFECT_MARK:
        return push(m, (ep_bytes){NULL, MARK});
    case EFFECT_POP:
        return pop_any(m);
    case EFFECT_POP_MARK:
    case EFFECT_INTO:
        return pop_to_mark(m);
    case EFFECT_DUP:
        return duplicate(m);
    case EFFECT_INST:
        return hear_of(m, o->text, o->second) && pop_to_mark(m) && push_something(m);
    case EFFECT_MAKE:
        return pop_to_mark(m) && push_something(m);
    case EFFECT_PUT:
        return put(m, o->number);
    case EFFECT_PUT_LINE:
        return put_line(m, o);
    case EFFECT_MEMOIZE:
        return put(m, m->memo_count);
    case EFFECT_GET:
        return get(m, o->number);
    case EFFECT_GET_LINE:
        return get_line(m, o);
    case EFFECT_GLOBAL:
        return hear_of(m, o->text, o->second) && push_something(m);
    case EFFECT_STACK_GLOBAL:
        return stack_global(m);
    case EFFECT_EXTENSION:
        return fail(m, "it imports by a number that the reading process gives a meaning");
    }
    return false;
}

/* One pickle, to its STOP. */
static bool run(machine *m) {
    m->stack.count = m->memo.count = m->memo_count = 0;
    while (m->at.p < m->at.end) {
        ep_bytes popped;
        operands o = {.number = 0};
        const opcode *row = &opcodes[(unsigned char)*m->at.p++];
        if (!operands_take(&m->at, (argument)row->argument, &o)) {
            break;
        }
        for (unsigned i = 0; i < row->pops; i++) {
            TRY(pop(m, &popped));
        }
        TRY(apply(m, (effect)row->effect, &o));
        if (row->effect == EFFECT_STOP) {
            return true;
        }
    }
    return fail(m, "it ends early");
}

const char *pickle_scan(ep_bytes data, const pickle_ear *ear, bool *failed) {
    if (data.size == 0) {
        return "it is empty";
    }
    machine m = {.at = cursor_of(data), .ear = ear};
    m.memo_max = operands_memo_room(data.size);
    for (int i = 0; i < PICKLES_MAX && m.at.p < m.at.end; i++) {
        if (!run(&m)) {
            break;
        }
    }
    memory_free(m.stack.items);
    memory_free(m.memo.items);
    *failed = *failed || m.failed;
    return m.why;
}

/* --------------------------------------------------------------------- globals */

typedef struct module_row {
    pickle_kind kind;
    const char *module;
    const char *names;
} module_row;

#define GLOBALS(kind, module, names) {PICKLE_##kind, module, names},
static const module_row modules[] = {
#include "pickle.def"
};

static bool has_word(const char *words, ep_bytes word) {
    while (*words != '\0') {
        size_t size = strcspn(words, " ");
        if (size == word.size && memcmp(words, word.data, size) == 0) {
            return true;
        }
        words += size + strspn(words + size, " ");
    }
    return false;
}

pickle_kind pickle_kind_of(ep_bytes module, ep_bytes name) {
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
        if (bytes_equal(module, modules[i].module) && has_word(modules[i].names, name)) {
            return modules[i].kind;
        }
    }
    return PICKLE_OTHER;
}
