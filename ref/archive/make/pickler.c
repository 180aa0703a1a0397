/*
 * pickler.c - see pickler.h. Source: CPython 3.11, Modules/_pickle.c; torch 2.1 to 2.8,
 * torch/serialization.py, _save, torch/_tensor.py, _reduce_ex_internal, and
 * torch/nn/parameter.py, __reduce_ex__. The opcodes are those of Python's pickle.
 */
#include "pickler.h"

#include <string.h>

enum { BATCH = 1000 }; /* items that Python sets at once */

/* What a pickle can have of objects that come again: globals, and texts that are the same
 * object in torch. */
typedef struct known {
    const char *module; /* of a global; NULL: it is a text */
    const char *name;
    uint32_t number;
} known;

/* Two functions of tensors, one of parameters, one class of dicts; of each dtype its storages
 * or itself, and the untyped storage; three texts. */
enum { KNOWN_MOST = 4 + 32 + 1 + 3 };

typedef struct pickler {
    buffer *text;
    uint32_t next; /* number of the memo */
    known known[KNOWN_MOST];
    size_t known_count;
    const tensors *tensors;
} pickler;

/* ---------------------------------------------------------------------------- opcodes */

static void put_little(pickler *p, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        buffer_byte(p->text, (char)(unsigned char)(number >> (8 * i) & 0xFF));
    }
}

/* An opcode for numbers of one byte, or another for four. */
static void put_short(pickler *p, char small, char large, uint32_t number) {
    bool is_small = number <= UINT8_MAX;
    buffer_byte(p->text, is_small ? small : large);
    put_little(p, number, is_small ? 1 : 4);
}

/* BINPUT, LONG_BINPUT */
static uint32_t put_memo(pickler *p) {
    put_short(p, 'q', 'r', p->next);
    return p->next++;
}

/* BINUNICODE */
static void put_text(pickler *p, ep_bytes text) {
    buffer_byte(p->text, 'X');
    put_little(p, text.size, 4);
    buffer_put(p->text, text.data, text.size);
    put_memo(p);
}

/* GLOBAL */
static void put_global(pickler *p, const char *module, const char *name) {
    buffer_byte(p->text, 'c');
    buffer_text(p->text, module);
    buffer_byte(p->text, '\n');
    buffer_text(p->text, name);
    buffer_byte(p->text, '\n');
    put_memo(p);
}

static bool is_same(const known *k, const char *module, const char *name) {
    bool kind = (k->module == NULL) == (module == NULL);
    return kind && (module == NULL || strcmp(k->module, module) == 0) && strcmp(k->name, name) == 0;
}

/* A global, or a text where it has no module; BINGET, LONG_BINGET when it comes again. */
static void put_known(pickler *p, const char *module, const char *name) {
    for (size_t i = 0; i < p->known_count; i++) {
        if (is_same(&p->known[i], module, name)) {
            put_short(p, 'h', 'j', p->known[i].number);
            return;
        }
    }
    if (p->known_count < KNOWN_MOST) {
        p->known[p->known_count++] = (known){module, name, p->next};
    }
    if (module == NULL) {
        put_text(p, bytes_of(name));
    } else {
        put_global(p, module, name);
    }
}

/* LONG1 of a number beyond 31 bits: as many bytes as it takes with its sign, which is 0. */
static void put_long(pickler *p, uint64_t number) {
    size_t size = 5;
    while (size < 8 && number >> (8 * size - 1) != 0) {
        size++;
    }
    buffer_byte(p->text, '\x8a');
    put_little(p, size, 1);
    put_little(p, number, size);
}

/* BININT1, BININT2, BININT */
static void put_number(pickler *p, uint64_t number) {
    if (number > INT32_MAX) {
        put_long(p, number);
        return;
    }
    size_t size = number <= UINT8_MAX ? 1 : number <= UINT16_MAX ? 2 : 4;
    buffer_byte(p->text, size == 1 ? 'K' : size == 2 ? 'M' : 'J');
    put_little(p, number, size);
}

static void put_bool(pickler *p, bool value) {
    buffer_byte(p->text, value ? '\x88' : '\x89');
}

/* EMPTY_TUPLE, TUPLE1, TUPLE2, TUPLE3; MARK and TUPLE. */
static void put_numbers(pickler *p, size_t first, size_t count) {
    const int64_t *numbers = tensors_numbers(p->tensors, first);
    static const char ends[] = {')', '\x85', '\x86', '\x87'};
    if (count > 3) {
        buffer_byte(p->text, '(');
    }
    for (size_t i = 0; i < count; i++) {
        put_number(p, (uint64_t)numbers[i]);
    }
    buffer_byte(p->text, count > 3 ? 't' : ends[count]);
    if (count > 0) {
        put_memo(p);
    }
}

/* REDUCE */
static void put_call(pickler *p) {
    buffer_byte(p->text, 'R');
    put_memo(p);
}

static void put_ordered(pickler *p) {
    put_known(p, "collections", "OrderedDict");
    buffer_byte(p->text, ')');
    put_call(p);
}

/* ---------------------------------------------------------------------------- tensors */

/* Where a storage is: torch has the text "cpu" once, and makes others each time. */
static void put_device(pickler *p, ep_bytes device) {
    if (bytes_equal(device, "cpu")) {
        put_known(p, NULL, "cpu");
    } else {
        put_text(p, device);
    }
}

/* BINPERSID of a tuple: what the storage is, where, and how many elements. */
static void put_storage(pickler *p, const tensor_row *row, size_t key) {
    uint64_t size = p->tensors->storages[row->storage].size;
    const char *class = row->dtype->storage;
    buffer digits = {0};
    buffer_number(&digits, (int64_t)key);
    buffer_byte(p->text, '(');
    put_known(p, NULL, "storage");
    put_known(p, class == NULL ? "torch.storage" : "torch",
              class == NULL ? "UntypedStorage" : class);
    put_text(p, buffer_bytes(&digits));
    put_device(p, tensors_text(p->tensors, row->device));
    put_number(p, class == NULL ? size : size / row->dtype->size);
    buffer_byte(p->text, 't');
    put_memo(p);
    buffer_byte(p->text, 'Q');
    p->text->failed = p->text->failed || digits.failed;
    buffer_free(&digits);
}

/* A dtype without a class of storages is said by itself. */
static void put_tensor(pickler *p, const tensor_row *row, size_t key) {
    bool typed = row->dtype->storage != NULL;
    put_known(p, "torch._utils", typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
    buffer_byte(p->text, '(');
    put_storage(p, row, key);
    put_number(p, row->offset);
    put_numbers(p, row->sizes, row->rank);
    put_numbers(p, row->strides, row->rank);
    put_bool(p, row->requires_grad && !row->is_parameter);
    put_ordered(p);
    if (!typed) {
        put_known(p, "torch", row->dtype->torch);
    }
    buffer_byte(p->text, 't');
    put_memo(p);
    put_call(p);
}

/* A parameter holds its tensor, which requires no gradient. */
static void put_value(pickler *p, const tensor_row *row, size_t key) {
    if (!row->is_parameter) {
        put_tensor(p, row, key);
        return;
    }
    put_known(p, "torch._utils", "_rebuild_parameter");
    put_tensor(p, row, key);
    put_bool(p, row->requires_grad);
    put_ordered(p);
    buffer_byte(p->text, '\x87');
    put_memo(p);
    put_call(p);
}

/* ------------------------------------------------------------------------------- dict */

/* What stands before the i-th of so many items, and behind it: MARK and SETITEMS around each
 * batch, SETITEM behind the only one. Of an OrderedDict Python learns when its items end by
 * asking for one more, of a dict whether a batch was full. */
static void begin_item(pickler *p, size_t i, size_t count, bool ordered) {
    bool alone = ordered ? i % BATCH == 0 && i + 1 == count : count == 1;
    if (i % BATCH == 0 && !alone) {
        buffer_byte(p->text, '(');
    }
}

static void end_item(pickler *p, size_t i, size_t count, bool ordered) {
    bool alone = ordered ? i % BATCH == 0 && i + 1 == count : count == 1;
    bool full = (i + 1) % BATCH == 0;
    if (alone) {
        buffer_byte(p->text, 's');
    } else if (full || i + 1 == count) {
        buffer_byte(p->text, 'u');
    }
    if (!ordered && full && i + 1 == count) {
        buffer_text(p->text, "(u");
    }
}

static void put_items(pickler *p, const pickler_wish *wish) {
    bool ordered = wish->dict != PICKLING_IN_DICT;
    for (size_t i = 0; i < wish->count; i++) {
        const tensor_row *row = &p->tensors->rows[wish->rows[i]];
        begin_item(p, i, wish->count, ordered);
        put_text(p, tensors_text(p->tensors, row->name));
        put_value(p, row, wish->keys[i]);
        end_item(p, i, wish->count, ordered);
    }
}

static void put_dict(pickler *p) {
    buffer_byte(p->text, '}');
    put_memo(p);
}

/* Of batch norms it is 2 since they count batches. */
static void put_version(pickler *p, const module_row *module) {
    put_dict(p);
    put_known(p, NULL, "version");
    put_number(p, module->counts_batches ? 2 : 1);
    buffer_byte(p->text, 's');
}

/* BUILD: the attribute _metadata of an OrderedDict, one itself. */
static void put_modules(pickler *p, const module_list *modules) {
    put_dict(p);
    put_text(p, bytes_of("_metadata"));
    put_ordered(p);
    for (size_t i = 0; i < modules->count; i++) {
        begin_item(p, i, modules->count, true);
        put_text(p, modules->rows[i].name);
        put_version(p, &modules->rows[i]);
        end_item(p, i, modules->count, true);
    }
    buffer_text(p->text, "sb");
}

void pickler_put(buffer *text, const pickler_wish *wish) {
    pickler p = {.text = text, .tensors = wish->tensors};
    buffer_put(text, "\x80\x02", 2);
    if (wish->dict == PICKLING_IN_DICT) {
        put_dict(&p);
    } else {
        put_ordered(&p);
    }
    put_items(&p, wish);
    if (wish->dict == PICKLING_WITH_MODULES) {
        put_modules(&p, wish->modules);
    }
    buffer_byte(text, '.');
}
