/*
 * unpickle.h - a restricted reader of the pickles that torch.save writes. What such a
 * pickle may say of tensors and plain containers becomes values; any other class or
 * function is an opaque object with its name, which is never imported or called.
 *
 * A value is known by its number. A container can hold itself, and many containers one
 * value, so whoever goes through values has to mark those that were seen. Time and
 * memory are linear in the pickle, whatever it says.
 */
#ifndef ARCHIVE_UNPICKLE_H
#define ARCHIVE_UNPICKLE_H

#include "dtype.h"

typedef enum pickled_kind {
    PICKLED_NONE,
    PICKLED_BOOL,
    PICKLED_INT,
    PICKLED_LONG,  /* an integer beyond 64 bits: its bytes, the lowest first; variant: digits */
    PICKLED_FLOAT, /* its bytes, the highest first; variant: digits */
    PICKLED_TEXT,
    PICKLED_BYTES,
    PICKLED_LIST,
    PICKLED_TUPLE,
    PICKLED_DICT, /* items: key, value, key, value ... variant: OrderedDict */
    PICKLED_SET,  /* variant: frozenset */
    PICKLED_SIZE,
    PICKLED_LAYOUT, /* of a tensor: its name */
    PICKLED_DTYPE,
    PICKLED_GLOBAL, /* a class or a function */
    PICKLED_STORAGE,
    PICKLED_TENSOR,
    PICKLED_OBJECT /* of any other class: see below */
} pickled_kind;

/*
 * The items of an OBJECT are the GLOBAL or the OBJECT that is called; of REDUCE and NEWOBJ the
 * TUPLE of its arguments, of OBJ and INST the arguments themselves; the DICT of NEWOBJ_EX; and
 * then all that is put into it, each as it comes: the state of BUILD, items, keys and values.
 *
 * variant: a tensor of a class that is not torch's own. Its items are the GLOBAL of the class;
 * the TUPLE of four that `_rebuild_from_type_v2` has, which are a function, the class, the TUPLE
 * of the function's arguments, and the state; the TENSOR that the function makes, or NONE where
 * it is not known; and what is put into it. unpickled_inner gives these by name. Enums,
 * dataclasses, dtypes and whatever else is in the state are values as all others.
 */

typedef struct pickled_items {
    uint32_t first; /* of the links; see unpickled_next */
    uint32_t last;
    uint32_t count;
    uint32_t attributes; /* of an OrderedDict: a value, counted from 1 on; 0: it has none */
} pickled_items;

typedef struct pickled_value {
    pickled_kind kind;
    bool variant;
    union {
        bool truth;
        int64_t integer;
        ep_bytes text;
        pickled_items items;
        struct {
            uint32_t module; /* values, both texts */
            uint32_t name;
        } global;          /* of a DTYPE, too */
        uint32_t position; /* of a STORAGE, a TENSOR: in the list of these */
    } is;
} pickled_value;

/* ('storage', torch.FloatStorage, key, location, count), by its persistent id. */
typedef struct pickled_storage {
    const dtype_row *dtype; /* NULL: untyped, and counted in bytes */
    ep_bytes key;
    ep_bytes location;
    uint64_t count;
} pickled_storage;

typedef enum pickled_form {
    PICKLED_STRIDED,
    PICKLED_META,   /* without a storage */
    PICKLED_SPARSE, /* of tensors, whatever its layout */
    PICKLED_WRAPPER /* its elements are in the tensors of its state. Only inside an OBJECT that
                       is a tensor of a class */
} pickled_form;

enum { PICKLED_RANK_MAX = 64 }; /* that of torch */

static const uint32_t PICKLED_NOTHING = UINT32_MAX; /* no value */

typedef struct pickled_tensor {
    pickled_form form;
    const dtype_row *dtype; /* NULL: SPARSE; a WRAPPER of a dtype without a row in dtype.def */
    uint32_t storage;       /* in the list of storages */
    uint64_t offset;        /* in elements */
    uint32_t sizes;         /* values, TUPLE or SIZE, of numbers that are not negative */
    uint32_t strides;
    uint32_t layout; /* of SPARSE: a value, and a TUPLE of what it is made of */
    uint32_t parts;
    uint32_t state; /* a value: attributes in Python, which can hold tensors; PICKLED_NOTHING */
    uint32_t hooks; /* a value, if it is not an empty OrderedDict or None; PICKLED_NOTHING */
    bool requires_grad;
    bool is_parameter;
    bool conjugate; /* the bytes are those of the conjugate, or of the negative */
    bool negative;
} pickled_tensor;

/* What an item of an OBJECT is to it. Its first says how it is made. */
typedef enum pickled_use {
    PICKLED_PART = 0, /* it is made of it; of others than an OBJECT, an item */
    PICKLED_CALLED,   /* by REDUCE */
    PICKLED_NEW,      /* by NEWOBJ or NEWOBJ_EX */
    PICKLED_STARTED,  /* by OBJ or INST */
    PICKLED_STATE,    /* of BUILD */
    PICKLED_APPENDED,
    PICKLED_PAIRED, /* a key or a value */
    PICKLED_ADDED   /* as to a set */
} pickled_use;

typedef struct pickled_link {
    uint32_t value;
    uint32_t next;
    uint8_t use; /* a pickled_use */
} pickled_link;

typedef struct unpickled {
    pickled_value *values;
    pickled_link *links;
    pickled_tensor *tensors;
    pickled_storage *storages;
    size_t value_count;
    size_t link_count;
    size_t tensor_count;
    size_t storage_count;
    uint32_t root;
    bool drops;      /* values that are no part of the root were made and thrown away */
    const char *why; /* static storage; NULL where memory was short */
} unpickled;

/*
 * Reads one pickle, which fills data. Texts point into data. False: u->why says what is
 * wrong; NULL for want of memory. unpickled_free frees it in any case.
 */
bool unpickle(ep_bytes data, unpickled *u);
void unpickled_free(unpickled *u);

/* A value; its item after the link *at, of which the first is items.first. Only as many
 * as the count says. */
const pickled_value *unpickled_at(const unpickled *u, uint32_t value);
uint32_t unpickled_next(const unpickled *u, uint32_t *at);

/* The items of a value of a kind that has any; none of others. */
pickled_items unpickled_items(const unpickled *u, uint32_t value);

/* A class or a function, or an object, which may be one. */
bool unpickled_is_callable(const unpickled *u, uint32_t value);

/* A tensor of a class, by its parts; false for what is none. */
typedef struct unpickled_subclass {
    uint32_t class;     /* a GLOBAL */
    uint32_t function;  /* a GLOBAL of torch._utils */
    uint32_t arguments; /* a TUPLE */
    uint32_t state;
    uint32_t base; /* the TENSOR that the function makes, or PICKLED_NOTHING */
} unpickled_subclass;
bool unpickled_inner(const unpickled *u, uint32_t value, unpickled_subclass *parts);

/* A text, or an empty one for values of other kinds. */
ep_bytes unpickled_text(const unpickled *u, uint32_t value);

/* The module and the name of a GLOBAL, or of what makes an OBJECT; false for others. */
bool unpickled_name(const unpickled *u, uint32_t value, ep_bytes *module, ep_bytes *name);

/* The numbers of a tensor's sizes or strides; how many they are. */
size_t unpickled_numbers(const unpickled *u, uint32_t value, int64_t numbers[PICKLED_RANK_MAX]);

#endif
