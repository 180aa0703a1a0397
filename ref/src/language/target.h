/*
 * language/target.h - the targets of nodes: Node.target and as_operator (SPEC 4.5); and
 * the other short names whose lists are rows of target.def: device types, verifiers,
 * versions of PyTorch. Nothing here allocates.
 */
#ifndef EP_TARGET_H
#define EP_TARGET_H

#include "schema/schema.h"
#include "json/passage.h"

typedef enum ep_target_kind {
    EP_TARGET_OVERLOAD,     /* torch.ops.NS.NAME.OVERLOAD */
    EP_TARGET_HIGHER_ORDER, /* torch.ops.higher_order.NAME, and older forms */
    EP_TARGET_FUNCTION,     /* a Python function, mostly one on symbols */
    EP_TARGET_EXTENSION     /* #NS:NAME, of a handler that a program registers */
} ep_target_kind;

/* What a function takes in each of its arguments. */
typedef enum ep_target_takes {
    EP_TAKES_ANYTHING,
    EP_TAKES_NUMBERS, /* ints and floats, symbolic or not */
    EP_TAKES_BOOLS,
    EP_TAKES_SYMBOLS, /* numbers or bools */
    EP_TAKES_CHOICE   /* a bool, then two symbols */
} ep_target_takes;

/* What it returns. */
typedef enum ep_target_gives {
    EP_GIVES_ANY,
    EP_GIVES_NUMBER, /* symbolic: an int or a float */
    EP_GIVES_INT,
    EP_GIVES_FLOAT,
    EP_GIVES_BOOL,
    EP_GIVES_SAME /* any of these, as its arguments are */
} ep_target_gives;

typedef struct ep_target_row {
    const char *text;      /* the whole target */
    const char *arguments; /* names with blanks between; NULL: not named */
    uint8_t size;          /* of text */
    uint8_t module_size;   /* of what stands before the last dot */
    uint8_t since;         /* ep_version_number */
    uint8_t until;
    uint8_t kind;  /* ep_target_kind */
    uint8_t takes; /* ep_target_takes */
    uint8_t gives; /* ep_target_gives */
} ep_target_row;

typedef struct ep_target {
    ep_target_kind kind;
    ep_bytes ns;              /* "aten"; "higher_order"; a function's module */
    ep_bytes name;            /* "add" */
    ep_bytes overload;        /* "Tensor"; empty for all but an overload */
    const ep_target_row *row; /* of a higher-order operator or a function, else NULL */
} ep_target;

/* Parses a target in the view of a version: EP_TARGET, EP_TARGET_UNKNOWN. Parts
 * of the target point into the passage or are static. */
bool ep_target_parse(const ep_passage *passage, ep_version_number version, ep_target *target,
                     ep_fault *fault);

/* The i-th row of the lists, whatever its versions; NULL past the end. */
const ep_target_row *ep_target_row_at(size_t i);

/* Whether text is a device type in the spelling of torch.device (SPEC 4.6.1):
 * lower-case letters and underscores. Backends outside PyTorch have names of their
 * own. */
bool ep_device_type_valid(ep_bytes name);

/* Whether a release of the version has the verifier (SPEC 5.7.2). */
bool ep_verifier_known(ep_bytes name, ep_version_number version);

/* Whether text is a version in the form of PyTorch's builds, or "<=2.4", which means
 * that none was recorded (SPEC 5.7.3). */
bool ep_torch_version_valid(ep_bytes text);

#endif
