/*
 * epref.h - the public interface of libepref, the reference implementation of
 * the ExportedProgram JSON that torch.export.save writes.
 *
 * The library decodes a program of any schema version into a typed tree,
 * reads that tree, and encodes it again byte for byte as PyTorch writes it.
 * It does no input or output, keeps no state, follows no locale and allocates
 * only through the arena that it is given. SPEC.md says what is valid; the
 * clause of every refusal is ep_code_clause(error.code).
 *
 * Threads: an arena, and what was allocated from it, belongs to one thread at
 * a time. Once decoded, a program is never changed by the functions that take
 * it as const; any number of threads may read it together.
 *
 * NULL: what may be NULL is said so; an array may be where its count is 0, and so may
 * data where size is 0. NULL for any other pointer, itself or in a struct or array,
 * is a mistake that is told and not followed: EP_ARGUMENT from a function that takes
 * an ep_error, and from ep_builder_finish for the calls of a builder; false, 0, NULL
 * or a null value from the others; and what returns nothing does nothing. What a
 * function writes to, it sets then as it does on any failure. A number that no enumerator
 * has is told in the same way; what a lookup did not find (a NULL, a null value) may be
 * handed on. What cannot be told is left to the caller: that counts and sizes are those of
 * what the pointers lead to, and that handles are of this builder and live.
 *
 * Compatibility: the soname holds the major version, and the minor one too while the
 * major is 0. A program that was linked with a version runs with every later one of the
 * same soname: functions stay and take the same, structs keep their layout, constants
 * their numbers. Such a version can have more functions, types and constants, so a
 * switch over an enum, such as ep_code, needs a default. Messages and details are for
 * people, and can change in any version.
 */
#ifndef EPREF_H
#define EPREF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(EPREF_SHARED) && defined(__GNUC__)
#define EP_API __attribute__((visibility("default")))
#else
#define EP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- version */

/* The version of this header. EPREF_VERSION_NUMBER is for #if: 2.3.4 is 20304. */
#define EPREF_VERSION_MAJOR 0
#define EPREF_VERSION_MINOR 1
#define EPREF_VERSION_PATCH 0
#define EPREF_VERSION_NUMBER                                                                       \
    (EPREF_VERSION_MAJOR * 10000 + EPREF_VERSION_MINOR * 100 + EPREF_VERSION_PATCH)
#define EPREF_VERSION_STRING                                                                       \
    EPREF_VERSION_TEXT_(EPREF_VERSION_MAJOR, EPREF_VERSION_MINOR, EPREF_VERSION_PATCH)
#define EPREF_VERSION_TEXT_(major, minor, patch) EPREF_VERSION_JOIN_(major, minor, patch)
#define EPREF_VERSION_JOIN_(major, minor, patch) #major "." #minor "." #patch

/* The version of the library that is linked, "MAJOR.MINOR.PATCH"; static storage. */
EP_API const char *ep_library_version(void);

/* ------------------------------------------------------------------ bytes */

/*
 * A run of bytes that somebody else owns. Never terminated by a zero; data may
 * be NULL when size is 0.
 */
typedef struct ep_bytes {
    const char *data;
    size_t size; /* bytes */
} ep_bytes;

/* ----------------------------------------------------------------- memory */

/*
 * Where an arena gets its blocks. allocate returns size bytes aligned for any
 * object, or NULL; release takes a block back with the size it was asked for.
 * Both are called on the thread that uses the arena.
 */
typedef struct ep_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
    void *context; /* passed through; may be NULL */
} ep_allocator;

/* malloc and free, which any number of threads may use together; static storage. */
EP_API const ep_allocator *ep_heap(void);

/*
 * Memory that is freed all at once. The members are private; the struct is
 * here so that a caller can put it on its stack. An arena is not moved while
 * anything allocated from it is in use.
 */
typedef struct ep_arena {
    ep_allocator allocator;
    void *blocks;
    size_t cap;
    size_t held;
    size_t peak;
} ep_arena;

/*
 * Makes an empty arena that never holds more than cap bytes (0: no cap beyond
 * what the allocator gives). Allocates nothing. The allocator is copied; without
 * one, or without one of its functions, the arena gives nothing.
 *
 *     ep_arena_init(&arena, ep_heap(), 0);
 */
EP_API void ep_arena_init(ep_arena *arena, const ep_allocator *allocator, size_t cap);

/* Gives every block back. The arena is empty again and can be used anew. */
EP_API void ep_arena_free(ep_arena *arena);

/* The most bytes that the arena ever held at one time, its own headers
 * included: what the process paid, not what was asked for. */
EP_API size_t ep_arena_peak(const ep_arena *arena);

/* ----------------------------------------------------------------- errors */

/*
 * Why something was refused. Numbers are never reused; a band is a level:
 * 1xx wire, 2xx schema, 3xx strings, 4xx program, 5xx archive, 6xx migration, 8xx
 * limits, 9xx the world around.
 */
typedef enum ep_code {
    EP_OK = 0,

    EP_END = 101,           /* the input ends inside a value */
    EP_SYNTAX = 102,        /* a byte that JSON does not allow here */
    EP_TRAILING = 103,      /* bytes after the one value */
    EP_BOM = 104,           /* a byte order mark */
    EP_UTF8 = 105,          /* bytes that are not UTF-8 */
    EP_CONTROL = 106,       /* a raw control character in a string */
    EP_ESCAPE = 107,        /* an escape that JSON does not have */
    EP_SURROGATE = 108,     /* half of a surrogate pair */
    EP_NUMBER = 109,        /* a number that JSON does not allow */
    EP_DUPLICATE_KEY = 110, /* a second member of the same name */
    EP_NONFINITE = 111,     /* bare Infinity, -Infinity or NaN out of place */

    EP_VERSION_MISSING = 201,   /* no schema_version */
    EP_VERSION_MALFORMED = 202, /* schema_version is not a version */
    EP_VERSION_UNKNOWN = 203,   /* no such version was published */
    EP_VERSION_MISMATCH = 204,  /* another version than was demanded */
    EP_TYPE = 210,              /* another JSON type than the field has */
    EP_NULL = 211,              /* null where none may be */
    EP_UNKNOWN_FIELD = 212,     /* a field that no version has */
    EP_FIELD_VERSION = 213,     /* a field that only other versions have */
    EP_MISSING_FIELD = 214,     /* a required field is absent */
    EP_UNKNOWN_TAG = 215,       /* a union tag that no version has */
    EP_TAG_VERSION = 216,       /* a union tag that only other versions have */
    EP_NO_TAG = 217,            /* a union without a value */
    EP_SECOND_TAG = 218,        /* a union with two values */
    EP_UNKNOWN_ENUM = 219,      /* an enumerator that no version has */
    EP_ENUM_VERSION = 220,      /* an enumerator that only other versions have */
    EP_INT_FORM = 221,          /* an integer written as 1.0, 1e3 or -0 */
    EP_INT_RANGE = 222,         /* an integer beyond 64 bits */
    EP_FLOAT_RANGE = 223,       /* a number beyond binary64 */
    EP_FLOAT_STRING = 224,      /* a string that names no non-finite float */
    EP_UNIT = 225,              /* as_none with another value than its one */
    EP_BASE64 = 226,            /* bytes that are not canonical base64 */
    EP_TUPLE_LENGTH = 227,      /* a tuple with too few or too many items */

    EP_EXPR = 301,                /* text that is no symbolic expression */
    EP_EXPR_FUNCTION = 302,       /* a function that no exporter emits */
    EP_EXPR_ARGUMENTS = 303,      /* too few or too many arguments of a function */
    EP_EXPR_TYPE = 304,           /* an integer, float or boolean where another is due */
    EP_EXPR_SYMBOL = 305,         /* a symbol's name or assumptions */
    EP_EXPR_ZERO = 306,           /* a division by zero, whatever the symbols are */
    EP_TREESPEC = 311,            /* text that is no tree spec */
    EP_TREESPEC_PROTOCOL = 312,   /* a protocol that no release wrote */
    EP_TREESPEC_TYPE = 313,       /* a node type that no exporter registers by name */
    EP_TREESPEC_CONTEXT = 314,    /* a context that does not fit its node type */
    EP_TREESPEC_CHILDREN = 315,   /* children that do not fit the context */
    EP_TREESPEC_NAMEDTUPLE = 316, /* a named tuple unlike treespec_namedtuple_fields */
    EP_METADATA_MODULES = 321,    /* nn_module_stack that is no list of key,path,type */
    EP_METADATA_SOURCE = 322,     /* source_fn_stack that is no list of name,function */
    EP_METADATA_TORCH_FN = 323,   /* torch_fn that is no name;function */
    EP_METADATA_CUSTOM = 324,     /* custom that is no JSON object */
    EP_METADATA_FROM_NODE = 325,  /* from_node that is no list of node sources */
    EP_GUARD = 331,               /* a guard outside the expressions that exporters emit */
    EP_TARGET = 341,              /* a target that is no dotted name */
    EP_TARGET_UNKNOWN = 342,      /* a function that the version does not list */
    EP_DEVICE = 351,              /* a device type that is no identifier */

    EP_VALUE_TWICE = 401,        /* a second definition of a value in its graph */
    EP_VALUE_UNDEFINED = 402,    /* a use of a value that its graph does not define */
    EP_VALUE_EARLY = 403,        /* a use before the node that defines the value */
    EP_VALUE_UNLISTED = 404,     /* a value that its table does not list */
    EP_VALUE_LISTED_TWICE = 405, /* a name in two of a graph's tables */
    EP_VALUE_EXTRA = 406,        /* a table's entry without a definition */
    EP_VALUE_KIND = 407,         /* a tensor, symbol or object used as another kind */
    EP_INPUT_KIND = 408,         /* a graph input of a kind that none may have */
    EP_OUTPUT_KIND = 409,        /* an output of a kind that none may have */
    EP_NODE_NAME = 410,          /* a node called like another, or like a value that it is not */
    EP_SUBGRAPH_NAME = 411,      /* a subgraph name that is no identifier */
    EP_SUBGRAPH_TWICE = 412,     /* two subgraphs of one name in a graph */
    EP_SUBGRAPH_COUNT = 413,     /* an operator without the subgraphs that it takes */
    EP_SUBGRAPH_INPUTS = 414,    /* a subgraph that takes other values than it is passed */
    EP_SUBGRAPH_OUTPUTS = 415,   /* a subgraph that returns other values than its operator */
    EP_HOP_RETURN = 416,         /* is_hop_single_tensor_return against a node's outputs */
    EP_GRAPH_RETURN = 417,       /* is_single_tensor_return against a graph's outputs */
    EP_SIGNATURE_INPUTS = 421,   /* input specs and graph inputs of different number */
    EP_SIGNATURE_INPUT = 422,    /* an input spec that is not its graph input */
    EP_SIGNATURE_OUTPUTS = 423,  /* output specs and graph outputs of different number */
    EP_SIGNATURE_OUTPUT = 424,   /* an output spec that is not its graph output */
    EP_SIGNATURE_ORDER = 425,    /* specs that are not in the order of their kinds */
    EP_SPEC_NAME = 426,          /* a parameter, buffer or constant without a name */
    EP_SPEC_TWICE = 427,         /* a parameter, buffer or constant of two specs */
    EP_MUTATION_TARGET = 428,    /* a mutation of what is no input of that kind */
    EP_MUTATION_TWICE = 429,     /* a target of two mutations */
    EP_GRADIENT = 430,           /* a gradient of what is no input of that kind */
    EP_LOSS = 431,               /* gradients without a loss, or two losses */
    EP_TOKENS = 432,             /* input and output tokens of different number */
    EP_CONSTANT_NAME = 433,      /* a constant input called like another, or like a value */
    EP_DTYPE = 441,              /* ScalarType UNKNOWN */
    EP_LAYOUT = 442,             /* Layout Unknown */
    EP_MEMORY_FORMAT = 443,      /* MemoryFormat Unknown */
    EP_SIZE = 444,               /* a size below zero */
    EP_STRIDES = 445,            /* strides of another number than sizes */
    EP_STRIDE = 446,             /* a stride below zero */
    EP_STORAGE_OFFSET = 447,     /* a storage offset below zero */
    EP_DEVICE_INDEX = 448,       /* a device index outside 0 to 127 */
    EP_HINT = 449,               /* a hint of another type than its expression */
    EP_SYMBOL = 450,             /* a symbol that nothing constrains or binds */
    EP_RANGE = 451,              /* a range whose minimum is above its maximum */
    EP_RANGE_SYMBOL = 452,       /* a range constraint whose key is no symbol */
    EP_HINT_RANGE = 453,         /* a hint outside the range of its symbol */
    EP_REQUIRES_GRAD = 454,      /* requires_grad of integers or bools */
    EP_NUMEL = 455,              /* constant sizes whose product is beyond 63 bits */
    EP_MODULE_ROOT = 461,        /* no root entry, or not first */
    EP_MODULE_FQN = 462,         /* a second entry of one fqn */
    EP_MODULE_SIGNATURE = 463,   /* a root entry without signature */
    EP_MODULE_ARGUMENT = 464,    /* a module's argument that is no value */
    EP_MODULE_IN_SPEC = 465,     /* an in_spec with other leaves than inputs */
    EP_MODULE_OUT_SPEC = 466,    /* an out_spec with other leaves than outputs */
    EP_MODULE_NAMES = 467,       /* forward_arg_names that do not fit in_spec */
    EP_OPERATOR = 471,           /* an operator that a closed namespace does not have */
    EP_OPERATOR_ARGUMENT = 472,  /* an argument that the operator does not have */
    EP_OPERATOR_TWICE = 473,     /* an argument given twice */
    EP_OPERATOR_MISSING = 474,   /* a required argument that is not given */
    EP_OPERATOR_ORDER = 475,     /* a positional argument out of place */
    EP_OPERATOR_TYPE = 476,      /* an argument of another type */
    EP_OPERATOR_OUTPUTS = 477,   /* outputs of another number or kind */
    EP_OPERATOR_VERIFIER = 478,  /* an operator that the program's verifier forbids */
    EP_OPSET = 481,         /* a note, never a refusal: an opset_version that no release writes */
    EP_VERIFIER = 482,      /* a note, never a refusal: a verifier that is none of PyTorch's */
    EP_TORCH_VERSION = 483, /* a torch_version that is no version */
    EP_NAMESPACE = 491,     /* a note, never a refusal: an operator that cannot be judged */

    EP_ARCHIVE = 501,         /* not a zip archive that can be read */
    EP_ARCHIVE_PROGRAM = 502, /* an archive without exactly one program */
    EP_ARCHIVE_MEMBER = 503,  /* a member whose data cannot be read */
    EP_ARCHIVE_NAME = 504,    /* a name that readers take differently, or twice */
    EP_ARCHIVE_HEADER = 505,  /* a header that says two things, or what readers do not know */
    EP_ARCHIVE_SPACE = 506,   /* members that overlap, or bytes that are no member's */
    EP_ARCHIVE_LAYOUT = 507,  /* two layouts, two folders, or what only looks like a program */
    EP_ARCHIVE_MARK = 508,    /* a mark of the archive that says what no release writes */
    EP_ARCHIVE_PART = 509,    /* a member that has to be there and is not */
    EP_ARCHIVE_UNREAD = 510,  /* a member where programs have theirs, that nothing names */
    EP_ARCHIVE_PAYLOAD = 511, /* an entry of a payload config that no loader can follow */
    EP_ARCHIVE_BYTES = 512,   /* a tensor that does not fit the bytes it is in */
    EP_ARCHIVE_MISSING = 513, /* state that the program has and the archive has not */
    EP_ARCHIVE_UNNAMED = 514, /* a constant that the program does not have */
    EP_ARCHIVE_TENSOR = 515,  /* state that is another than the program says */
    EP_ARCHIVE_PICKLE = 516,  /* a pickle that is more than tensors, or cannot be read */

    EP_MIGRATE_FIELD = 601,    /* a field that the other version does not have */
    EP_MIGRATE_TAG = 602,      /* a union tag that the other version does not have */
    EP_MIGRATE_ENUM = 603,     /* an enumerator that the other version does not have */
    EP_MIGRATE_VALUE = 604,    /* a value that the other version's type cannot hold */
    EP_MIGRATE_TEXT = 605,     /* a text that the other version's language cannot say */
    EP_MIGRATE_CONSTANT = 606, /* a tensor inside the program, which is elsewhere later */
    EP_MIGRATE_ARCHIVE = 607,  /* an archive that the other version does not take */

    EP_TORCH_LEAF = 621,  /* an argument on which PyTorch's canonicalize fails */
    EP_TORCH_NAME = 622,  /* a name that it does not find, or finds twice */
    EP_TORCH_SPEC = 623,  /* inputs or outputs for which it has no place */
    EP_TORCH_CYCLE = 624, /* nodes that wait for each other */

    EP_LIMIT_BYTES = 801,  /* the input is too long */
    EP_LIMIT_DEPTH = 802,  /* nested too deep */
    EP_LIMIT_VALUES = 803, /* too many values */
    EP_LIMIT_STRING = 804, /* a string is too long */
    EP_LIMIT_GROWTH = 805, /* a migration would say the same texts too often */

    EP_MEMORY = 901,   /* the arena's cap or the allocator said no */
    EP_OUTPUT = 902,   /* the sink refused bytes */
    EP_ARGUMENT = 903, /* the caller passed what the function forbids */
    EP_INPUT = 904,    /* the source gave no bytes; of archives alone */
    EP_INTERNAL = 990  /* a bug in libepref; please report it */
} ep_code;

/* Sizes of the texts in ep_error, in bytes, the closing zero included. */
enum { EP_POINTER_SIZE = 256, EP_DETAIL_SIZE = 160, EP_ABOUT_SIZE = 512 };

/*
 * One refusal: owned by the caller, filled whole on failure, zeroed on
 * success. Functions take NULL where the caller only wants the verdict.
 * Positions are of the first offending byte (SPEC 1.5).
 */
typedef struct ep_error {
    ep_code code;
    size_t offset;                 /* bytes from the start of the input */
    size_t line;                   /* 1-based */
    size_t column;                 /* 1-based, in bytes */
    char pointer[EP_POINTER_SIZE]; /* RFC 6901, UTF-8; "" is the root */
    bool pointer_cut;              /* the pointer did not fit */
    char detail[EP_DETAIL_SIZE];   /* what was expected or found; may be "" */
    char about[EP_ABOUT_SIZE]; /* in an archive: the member, or the tensor, that it is about, and
                                  in which the place is; "" is the document or the archive */
    bool about_cut;            /* the name did not fit */
} ep_error;

/* The levels of SPEC 1.2, in the order in which a file is judged. */
typedef enum ep_level {
    EP_LEVEL_NONE = 0, /* limits, memory, arguments: no judgement of the file */
    EP_LEVEL_WIRE,
    EP_LEVEL_SCHEMA,
    EP_LEVEL_STRINGS,
    EP_LEVEL_PROGRAM,
    EP_LEVEL_ARCHIVE
} ep_level;

/*
 * What is known of a code: "EP_TYPE", "3.4.1", the sentence for people, the
 * level. All static storage; for a number that is no code: NULL, NULL, NULL
 * and EP_LEVEL_NONE. Constant time times the number of codes.
 */
EP_API const char *ep_code_name(ep_code code);
EP_API const char *ep_code_clause(ep_code code);
EP_API const char *ep_code_message(ep_code code);
EP_API ep_level ep_code_level(ep_code code);

/* The i-th code, in rising order; EP_OK from the count of codes on. */
EP_API ep_code ep_code_at(size_t i);

/* --------------------------------------------------------------- versions */

/* How a version writes unions (SPEC 3.6.1). */
typedef enum ep_union_form {
    EP_UNION_ALL_FIELDS, /* every variant, one of them not null */
    EP_UNION_TYPE_VALUE, /* {"$type": tag, "$value": value} */
    EP_UNION_SINGLE_KEY  /* {tag: value} */
} ep_union_form;

/* What a version writes for a field that is null by default and is null
 * (SPEC 3.9.7). */
typedef enum ep_null_form { EP_NULL_WRITTEN, EP_NULL_OMITTED } ep_null_form;

/* How a version writes floats that are not finite (SPEC 3.3.3, 3.9.6). */
typedef enum ep_nonfinite_form {
    EP_NONFINITE_BARE,            /* Infinity, -Infinity, NaN */
    EP_NONFINITE_QUOTED_INFINITY, /* "Infinity", "-Infinity"; no NaN */
    EP_NONFINITE_QUOTED           /* "Infinity", "-Infinity", "NaN" */
} ep_nonfinite_form;

/*
 * A schema version: one row of the history. Versions are counted from 0 in
 * the order of PyTorch's main branch. Static storage.
 */
typedef struct ep_version {
    const char *name;   /* "8.20"; a shape that shares its number: "5.3-2024-03" */
    int32_t major;      /* 8 */
    int32_t minor;      /* 20; -1 where the version is a bare integer */
    int32_t minor_last; /* the shape stands for minor..minor_last */
    bool owns_number;   /* what a file that says this number is taken as */
    ep_union_form unions;
    ep_null_form nulls;
    ep_nonfinite_form nonfinite;
    bool field_ids;       /* fields have ids (PyTorch's Annotated) */
    int32_t treespec;     /* protocol of tree specs; 0: not stated */
    const char *marker;   /* the key that tells a sibling from the owner, "-key"
                             when it is the lack of it; NULL: asked for only */
    const char *releases; /* "2.12.0 2.12.1"; NULL if never released */
    const char *note;     /* NULL or what is special */
} ep_version;

/* The i-th version; NULL from the count of versions on. */
EP_API const ep_version *ep_version_at(size_t i);

/* The version of a name ("8.20", "5.3-2024-03", "torch-2.4", "latest"), NULL
 * if there is none. */
EP_API const ep_version *ep_version_find(const char *name);

/*
 * Whether a release of PyTorch ("2.8") may have the operator of a target
 * ("torch.ops.aten.add.Tensor"): false where it is of a namespace that is PyTorch's
 * own and annex/operators.tsv says that the release has none of the name. True for
 * other targets, and for a release that the annex does not have, NULL among them.
 */
EP_API bool ep_release_has(const char *release, ep_bytes target);

/* ------------------------------------------------------------------ types */

/* The kinds of things that the format is made of. */
typedef enum ep_kind {
    EP_KIND_NULL = 0, /* an optional value that is not there */
    EP_KIND_STR,
    EP_KIND_INT,
    EP_KIND_FLOAT,
    EP_KIND_BOOL,
    EP_KIND_UNIT,  /* the value of as_none while it was [] */
    EP_KIND_BYTES, /* base64 text */
    EP_KIND_ENUM,
    EP_KIND_STRUCT,
    EP_KIND_UNION,
    EP_KIND_LIST,
    EP_KIND_DICT, /* keys are strings */
    EP_KIND_TUPLE,
    EP_KIND_INFINITE /* an open end of a range: Infinity or -Infinity */
} ep_kind;

/* The types of one version, made from the history. */
typedef struct ep_schema ep_schema;

/*
 * Makes the view of one version in the arena; it lives as long as the arena.
 * Errors: EP_MEMORY. Time and memory are bounded by the size of the history,
 * some 350 rows.
 */
EP_API bool ep_schema_open(ep_arena *arena, const ep_version *version, const ep_schema **schema,
                           ep_error *error);

/* A type of a version: the i-th in PyTorch's order of declaration. */
typedef struct ep_type_info {
    const char *name;
    ep_kind kind; /* EP_KIND_STRUCT, EP_KIND_UNION or EP_KIND_ENUM */
    size_t count; /* of its fields, variants or enumerators */
} ep_type_info;

/* A field of a struct, a variant of a union, or an enumerator of an enum. */
typedef struct ep_member_info {
    const char *name;
    const char *default_json; /* JSON text of the default, NULL: required */
    int32_t id;               /* PyTorch's field id, 0: the version has none */
    int32_t value;            /* of an enumerator */
} ep_member_info;

/* False, and nothing written, when i (or member) is past the end. */
EP_API bool ep_schema_type(const ep_schema *schema, size_t i, ep_type_info *info);
EP_API bool ep_schema_member(const ep_schema *schema, size_t i, size_t member,
                             ep_member_info *info);

/*
 * The type of a field or variant in PyTorch's notation, "list<SymInt>", into
 * text as a zero-terminated string, cut to size bytes; text may be NULL when size is
 * 0. Returns its whole
 * length without the zero; 0 for an enumerator or past the end.
 */
EP_API size_t ep_schema_member_type(const ep_schema *schema, size_t i, size_t member, char *text,
                                    size_t size);

/* --------------------------------------------------------------- decoding */

/*
 * What a decoder takes at most. SPEC 1.4 says what every implementation must
 * accept. Memory is limited by the arena's cap.
 */
typedef struct ep_limits {
    size_t bytes;  /* of the input; never more than 4294967295 */
    size_t depth;  /* of nested arrays and objects; never more than 65535 */
    size_t values; /* JSON values in the document */
    size_t string; /* bytes between the quotes; never more than 536870911 */
} ep_limits;

/* 1 GiB, 1000 levels, 500 million values, 256 MiB. */
EP_API ep_limits ep_limits_default(void);

/*
 * Told of what forward reading let pass: error holds the code, place and detail
 * of the refusal that strict decoding would have given. Called in document
 * order, for the first hundred such places of a document; for fewer, but at
 * least eight, where locating them would take too long.
 */
typedef void ep_warn(void *context, const ep_error *error);

typedef struct ep_decode_options {
    ep_limits limits;
    const ep_version *version; /* demanded; NULL: what the file says */
    bool forward;              /* accept what a newer minor added (SPEC 3.10). Of what
                                  was passed over the values (ep_value) say nothing,
                                  and all else refuses the program: EP_ARGUMENT */
    ep_warn *warn;             /* may be NULL */
    void *warn_context;
} ep_decode_options;

/* The default limits, any version, strict. */
EP_API ep_decode_options ep_decode_options_default(void);

/* A decoded program: a typed tree that lives in an arena and points into the
 * input. */
typedef struct ep_program ep_program;

/*
 * Judges the wire level alone: strict JSON (SPEC part 2) of whatever content.
 * The arena is used for scratch and keeps nothing of value. options may be
 * NULL for the defaults; only the limits count. Errors: 1xx, 8xx, EP_MEMORY.
 * Linear in the input, times the logarithm of the largest object's size.
 */
EP_API bool ep_check_wire(ep_arena *arena, ep_bytes input, const ep_decode_options *options,
                          ep_error *error);

/*
 * Decodes a program, and so judges the wire and the schema level. On success
 * *program lives as long as both the arena and the input; on failure it is
 * NULL. options may be NULL for the defaults. Errors: 1xx, 2xx, 8xx and
 * EP_MEMORY. Linear in the input, times the logarithm of the
 * largest object's size; a file that is refused, or names an old version far
 * from its end, is read a bounded number of times more.
 */
EP_API bool ep_decode(ep_arena *arena, ep_bytes input, const ep_decode_options *options,
                      const ep_program **program, ep_error *error);

/* The version that the program was decoded as. */
EP_API const ep_version *ep_program_version(const ep_program *program);

/* ---------------------------------------------------------------- reading */

/*
 * A place in a decoded tree: cheap to copy, valid as long as the program. The
 * members are private. Any function that is asked for what is not there
 * answers with a null value, a zero or an empty text; a field that the file
 * leaves out reads as its default (SPEC 3.5.4).
 */
typedef struct ep_value {
    const ep_program *program;
    const void *shape;
    uint64_t bits;
} ep_value;

/* The ExportedProgram itself. */
EP_API ep_value ep_program_root(const ep_program *program);

/*
 * Decodes a document of another struct of the schema, by its name: the
 * "PayloadConfig" of an archive. It says no version, so options->version does. The
 * value lives as long as both the arena and the input; it is a null value when the
 * document is refused. Errors: as ep_decode, and EP_ARGUMENT for no version, or a
 * struct that it does not have. Cost: as ep_decode.
 */
EP_API ep_value ep_decode_struct(ep_arena *arena, ep_bytes input, const ep_decode_options *options,
                                 const char *type, ep_error *error);

/* What a value is; EP_KIND_NULL for an optional that is not there. */
EP_API ep_kind ep_value_kind(ep_value value);

/* The name of a struct's, union's or enum's type, else NULL. */
EP_API const char *ep_value_type(ep_value value);

/*
 * How many parts there are: fields of a struct (present or not), 1 for a
 * union, items of a list, tuple or dict.
 */
EP_API size_t ep_value_count(ep_value value);

/* The i-th part: a field's value, a union's value, an item, a dict's value. */
EP_API ep_value ep_value_item(ep_value value, size_t i);

/* A field of a struct, or a union's value if name is its tag. Linear in the
 * fields. */
EP_API ep_value ep_value_field(ep_value value, const char *name);

/* The name of a struct's i-th field, or of a union's tag (i = 0), or of an
 * enum's enumerator (i = 0); else NULL. */
EP_API const char *ep_value_name(ep_value value, size_t i);

/* The number of an int, bool or enum; 1 or -1 for EP_KIND_INFINITE. */
EP_API int64_t ep_value_int(ep_value value);

/* The number of a float. */
EP_API double ep_value_float(ep_value value);

/*
 * The text of a string, or the base64 text of bytes, as UTF-8 without escapes.
 * It points into the input where it can, else into the arena. A dict's i-th
 * key likewise. Errors: false for want of memory, or when the value is no
 * text.
 */
EP_API bool ep_value_text(ep_value value, ep_arena *arena, ep_bytes *text);
EP_API bool ep_value_key(ep_value value, size_t i, ep_arena *arena, ep_bytes *text);

/* Where a value with a place of its own (a string, struct or union) begins in
 * the input, in bytes; 0 for others. */
EP_API size_t ep_value_offset(ep_value value);

/*
 * The place of such a value, as errors have it: offset, line, column and JSON pointer;
 * the rest of *place is empty, and all of it for other values. Linear in the offset.
 */
EP_API void ep_value_place(ep_value value, ep_error *place);

/* -------------------------------------------------------------- signature */

typedef enum ep_input_kind {
    EP_INPUT_TOKEN,
    EP_INPUT_PARAMETER,
    EP_INPUT_BUFFER,
    EP_INPUT_BUFFER_NOT_PERSISTENT,
    EP_INPUT_TENSOR_CONSTANT,
    EP_INPUT_CUSTOM_OBJ,
    EP_INPUT_USER,
    EP_INPUT_CONSTANT /* an int, float, bool, string or None that the user passes */
} ep_input_kind;

typedef enum ep_output_kind {
    EP_OUTPUT_TOKEN,
    EP_OUTPUT_BUFFER_MUTATION,
    EP_OUTPUT_PARAMETER_MUTATION,
    EP_OUTPUT_USER_INPUT_MUTATION,
    EP_OUTPUT_USER,
    EP_OUTPUT_LOSS,
    EP_OUTPUT_GRADIENT_TO_PARAMETER,
    EP_OUTPUT_GRADIENT_TO_USER_INPUT
} ep_output_kind;

/* The inputs and outputs of a program, of every version in one form. */
typedef struct ep_signature ep_signature;

/* One of them. The texts live as long as the signature. */
typedef struct ep_signature_entry {
    int kind;          /* ep_input_kind or ep_output_kind */
    ep_bytes name;     /* of the value in the graph (see ep_graph_tensor); empty for a
                          constant */
    ep_bytes target;   /* the parameter, buffer, constant, object or user input
                          that it is, changes, or is the gradient of; else empty */
    ep_value constant; /* of a constant: its value; else null */
} ep_signature_entry;

/*
 * Reads the signature of a program. It lives as long as the arena and the
 * program. The program need not have passed ep_check: what it says is given as
 * it stands. Version 1 names its gradients apart from its outputs, so they come
 * after all of these. Errors: EP_MEMORY; EP_ARGUMENT for a program that forward
 * reading left something out of. On failure *signature is NULL. Linear in the
 * signature.
 */
EP_API bool ep_signature_open(const ep_program *program, ep_arena *arena, ep_signature **signature,
                              ep_error *error);

/* How many there are, and the i-th; false, and nothing written, past the end. */
EP_API size_t ep_signature_input_count(const ep_signature *signature);
EP_API size_t ep_signature_output_count(const ep_signature *signature);
EP_API bool ep_signature_input(const ep_signature *signature, size_t i, ep_signature_entry *entry);
EP_API bool ep_signature_output(const ep_signature *signature, size_t i, ep_signature_entry *entry);

/*
 * What ExportGraphSignature has as properties: lists, and dictionaries of a
 * value's name and a target. Entries hold both, so parameters and
 * inputs_to_parameters are one part.
 */
typedef enum ep_signature_part {
    EP_PART_PARAMETERS,              /* and inputs_to_parameters */
    EP_PART_BUFFERS,                 /* and inputs_to_buffers */
    EP_PART_NON_PERSISTENT_BUFFERS,  /* those of the buffers */
    EP_PART_LIFTED_TENSOR_CONSTANTS, /* and inputs_to_lifted_tensor_constants */
    EP_PART_LIFTED_CUSTOM_OBJS,      /* and inputs_to_lifted_custom_objs */
    EP_PART_USER_INPUTS,             /* constants too */
    EP_PART_USER_OUTPUTS,            /* constants too; the loss is apart */
    EP_PART_BUFFERS_TO_MUTATE,
    EP_PART_PARAMETERS_TO_MUTATE,
    EP_PART_USER_INPUTS_TO_MUTATE,
    EP_PART_INPUT_TOKENS,
    EP_PART_OUTPUT_TOKENS,
    EP_PART_LOSS_OUTPUT,             /* of backward_signature, as the next two: */
    EP_PART_GRADIENTS_TO_PARAMETERS, /* nothing when there is no loss */
    EP_PART_GRADIENTS_TO_USER_INPUTS
} ep_signature_part;

/* How many entries a part has, and which: into entries, at most capacity of
 * them, in order; entries may be NULL when capacity is 0. 0 for what is no part.
 * Linear in the signature. */
EP_API size_t ep_signature_part_of(const ep_signature *signature, ep_signature_part part,
                                   ep_signature_entry *entries, size_t capacity);

/*
 * Renames a value in every entry of the signature (replace_all_uses); the
 * program stays as it is. Neither name may be empty, or nothing is renamed; the new
 * one has to outlive the signature. Returns how many entries were renamed.
 */
EP_API size_t ep_signature_replace_all_uses(ep_signature *signature, ep_bytes old_name,
                                            ep_bytes new_name);

/* ----------------------------------------------------------------- graphs */

/* The nodes and tensors of a graph, of every version in one form. */
typedef struct ep_graph ep_graph;

/* An input or output of a node. The texts live as long as the graph, here and below. */
typedef struct ep_graph_argument {
    ep_bytes name;       /* of the operator's parameter; empty for an output */
    const char *tag;     /* "as_tensor", "as_ints"; static storage */
    ep_value value;      /* what is under the tag */
    ep_bytes value_name; /* of the one tensor, symbolic number or custom object that it is; else
                            empty */
    bool is_keyword;     /* the file says that it is not given by its position */
} ep_graph_argument;

/* A node. The arrays live as long as the graph. */
typedef struct ep_graph_node {
    ep_bytes target; /* "torch.ops.aten.relu.default" */
    ep_bytes name;   /* empty: the file says none */
    const ep_graph_argument *inputs;
    size_t input_count;
    const ep_graph_argument *outputs;
    size_t output_count;
    ep_value metadata; /* a dict of texts */
    ep_value value;    /* the Node itself */
} ep_graph_node;

/* A number, or an expression as the version spells it:
 * "Symbol('s0', positive=True, integer=True)". */
typedef struct ep_sym_int {
    ep_bytes expr;  /* empty: it is the number */
    int64_t number; /* of an expression its hint; 0 without one */
    bool has_hint;
} ep_sym_int;

/* What a graph says of a tensor. The arrays live as long as the graph. */
typedef struct ep_tensor {
    ep_bytes name;      /* of the value in the graph */
    const char *dtype;  /* an enumerator of ScalarType, "FLOAT"; static storage */
    const char *layout; /* likewise of Layout, "Strided" */
    size_t rank;
    const ep_sym_int *sizes;
    const ep_sym_int *strides;
    size_t stride_count; /* the rank, in a program that ep_check accepts */
    ep_sym_int storage_offset;
    ep_bytes device; /* "cuda" */
    int64_t device_index;
    bool has_device_index;
    bool requires_grad;
    ep_value value; /* the TensorMeta itself */
} ep_tensor;

/* The program's own graph, as a value. */
EP_API ep_value ep_program_graph(const ep_program *program);

/*
 * Reads a graph: the program's own, or a subgraph, which is what is under the tag
 * "as_graph" of an argument. It lives as long as the arena and the program. The program
 * need not have passed ep_check: what it says is given as it stands. Errors: EP_MEMORY;
 * EP_ARGUMENT for what is no graph, or is in a program that forward reading left
 * something out of. On failure *graph is NULL. Linear in the graph, without its
 * subgraphs, times the logarithm of the number of its tensors.
 */
EP_API bool ep_graph_open(ep_value value, ep_arena *arena, ep_graph **graph, ep_error *error);

/* How many nodes there are, and the i-th, in the order of the file, which is that of
 * execution; false, and nothing written, past the end. */
EP_API size_t ep_graph_node_count(const ep_graph *graph);
EP_API bool ep_graph_node_at(const ep_graph *graph, size_t i, ep_graph_node *node);

/* The input of a node for a parameter of its operator; NULL if it has none. Linear in
 * the inputs. */
EP_API const ep_graph_argument *ep_node_argument(const ep_graph_node *node, const char *name);

/* The text of a key of a node's metadata, such as "stack_trace" or "nn_module_stack"; in
 * the arena if it has escapes. False: the key is not there, or for want of memory. Linear
 * in the metadata. */
EP_API bool ep_node_metadata(const ep_graph_node *node, const char *key, ep_arena *arena,
                             ep_bytes *text);

/*
 * The tensors of the graph: how many, the i-th in the order of the file, and that of a
 * name, be it the value_name of an argument or the name of an entry of the signature.
 * False, and nothing written, past the end, or when no tensor has the name. The last
 * takes time in the logarithm of their number.
 */
EP_API size_t ep_graph_tensor_count(const ep_graph *graph);
EP_API bool ep_graph_tensor_at(const ep_graph *graph, size_t i, ep_tensor *tensor);
EP_API bool ep_graph_tensor(const ep_graph *graph, ep_bytes name, ep_tensor *tensor);

/* --------------------------------------------------------------- checking */

/*
 * Told of a text of node metadata that only says where a node comes from, and that 4.3.1 to 4.3.3
 * or 4.3.5 refuse: its code, and where in the input the fault is, which is in the text or at its
 * end. The text is passed over as if it were not there. Not in document order; a text can be told
 * of twice.
 */
typedef void ep_pass(void *context, ep_code code, size_t offset);

typedef struct ep_check_options {
    ep_level level;   /* EP_LEVEL_STRINGS, or EP_LEVEL_PROGRAM for both levels; no other */
    ep_limits limits; /* of what stands inside strings; only depth counts */
    ep_warn *note;    /* told of what cannot be judged (SPEC 5.6.9), as
                                  ep_warn says; may be NULL */
    void *note_context;
    ep_pass *pass; /* NULL: such a text is refused */
    void *pass_context;
} ep_check_options;

/* Both levels, the default limits, nobody told. */
EP_API ep_check_options ep_check_options_default(void);

/*
 * Judges a decoded program: the languages inside its strings (SPEC part 4),
 * and whether it is one well-formed program (part 5). options may be NULL for
 * the defaults. scratch keeps nothing of value. Of several faults the one of
 * the lowest level is reported, then of the lowest clause, then the first in
 * the file. Errors: 3xx, 4xx, EP_LIMIT_DEPTH, EP_MEMORY; EP_ARGUMENT for a
 * program that forward reading left something out of. Linear in the program.
 */
EP_API bool ep_check(const ep_program *program, ep_arena *scratch, const ep_check_options *options,
                     ep_error *error);

/* --------------------------------------------------------------- encoding */

/*
 * Takes the product, piece by piece; returns false to stop. Nothing is kept of
 * data after the return.
 */
typedef bool ep_sink(void *context, const char *data, size_t size);

/*
 * Writes the program as the PyTorch release of its version writes it (SPEC
 * 3.9). scratch is an arena for a buffer and the walk's frames, and keeps
 * nothing of value; context is passed through, and may be NULL. Errors: EP_MEMORY; EP_OUTPUT when
 * the sink said no, after which it is not called again; EP_ARGUMENT for a program that forward
 * reading left something out of (SPEC 3.10.3). Linear in the output.
 */
EP_API bool ep_encode(const ep_program *program, ep_arena *scratch, ep_sink *sink, void *context,
                      ep_error *error);

/* A program that a function made: by migrating, canonicalizing or building. */
typedef struct ep_built {
    ep_bytes text;             /* as the version's PyTorch release writes it */
    const ep_program *program; /* NULL unless decoded */
} ep_built;

/* -------------------------------------------------------------- migrating */

/* Told of what a migration did, a step at a time: its clause in SPEC part 7, what
 * it is about, and how often it was needed. Static texts. */
typedef void ep_migrate_step(void *context, const char *clause, const char *about, size_t times);

typedef struct ep_built_expr ep_built_expr; /* a symbolic expression of a builder */

/* A size, stride or offset: an integer, or an expression when there is one. */
typedef struct ep_dim {
    int64_t number;
    const ep_built_expr *expr;
} ep_dim;

typedef struct ep_tensor_info {
    const char *dtype;     /* an enumerator of ScalarType, "FLOAT" */
    const ep_dim *sizes;   /* NULL if rank is 0 */
    const ep_dim *strides; /* NULL: those of a contiguous tensor */
    size_t rank;
    ep_dim storage_offset; /* releases before 2.9 wrote 0, and so should who builds */
    const char *device;    /* NULL: "cpu" */
    int64_t device_index;  /* counts if has_device_index */
    bool has_device_index;
    bool requires_grad;
    const char *layout; /* an enumerator of Layout; NULL: "Strided" */
} ep_tensor_info;

/*
 * Asked, of a tensor that version 1 keeps pickled in the program, what it is: its
 * name, and the base64 text of what torch.save wrote. Fills in dtype, sizes,
 * strides (not NULL but of rank 0), storage_offset and requires_grad, all of them
 * numbers; they live until ep_migrate returns. The tensor is then an input of the
 * program, a tensor_constant of that name, and the caller sees to it that a
 * loader finds it. False: the program is refused (EP_MIGRATE_CONSTANT).
 */
typedef bool ep_migrate_constant(void *context, ep_bytes name, ep_bytes base64,
                                 ep_tensor_info *info);

typedef struct ep_migrate_options {
    const ep_version *version; /* to migrate to */
    ep_migrate_step *report;   /* may be NULL */
    void *report_context;
    ep_migrate_constant *constant; /* NULL: programs with such tensors are refused */
    void *constant_context;
    ep_warn *note; /* told, as ep_check tells it, of operators of which it is not known
                      whether the version has them (SPEC 7.5.2); may be NULL */
    void *note_context;
} ep_migrate_options;

/*
 * The same program at another schema version (SPEC part 7). The program has to
 * be one that ep_check accepts, and what comes out is; it lives as long as the
 * arena. Errors: those of ep_check; 6xx, with the place in the program that the
 * version cannot say, or the rule of the version that the result would break;
 * EP_ARGUMENT for a program that forward reading left something out of;
 * EP_LIMIT_GROWTH when texts of the program would be said again, beyond eight times
 * its document (SPEC 7.1.7), so that what is built is never longer than a fixed
 * multiple of it; EP_MEMORY. Linear in the program.
 */
EP_API bool ep_migrate(const ep_program *program, ep_arena *arena,
                       const ep_migrate_options *options, ep_built *built, ep_error *error);

/* -------------------------------------------------------- canonical forms */

/* The canonical forms of SPEC part 6. */
typedef enum ep_canon_form {
    EP_CANON_EPREF, /* the same for programs that compute the same in the same way */
    EP_CANON_TORCH  /* what PyTorch's own canonicalize makes of it, defects included */
} ep_canon_form;

/* The names of constants are those of what the archive keeps beside the program
 * (custom objects, tensors), as PyTorch hands them to its canonicalize: 2.7 and
 * later need those of the custom objects that nodes use; earlier releases take
 * none, and they are not looked at then. */
typedef struct ep_canon_options {
    ep_canon_form form;
    const ep_bytes *constants; /* only of EP_CANON_TORCH; UTF-8 */
    size_t constant_count;
    bool *undecided; /* only of EP_CANON_EPREF; may be NULL */

    /* Only of EP_CANON_EPREF: as for ep_migrate. A constant that it does not know is an
     * input without a type in the form (SPEC 6.1.3). */
    ep_migrate_constant *constant; /* NULL: programs with such tensors are refused */
    void *constant_context;
} ep_canon_options;

/*
 * The canonical form of a program. The text lives as long as the arena; the program,
 * the options and their texts only have to last through the call. built->program is
 * always NULL: the form that PyTorch 2.3 and 2.4 give a program with subgraphs does not
 * fit their own types (SPEC 6.9.12); whoever wants the tree decodes the text.
 *
 * EP_CANON_EPREF takes a program of any version that ep_check accepts. The form is a
 * document of schema version 8.20; ep_check accepts it unless ep_migrate would refuse to
 * bring the program there (SPEC 6.1.3). *undecided is set to whether the order of the
 * document decided somewhere, so that the same program in another order may have another
 * form (the limit of SPEC 6.1); it is false of most programs that come from exporters.
 * Errors: those of ep_check; EP_MIGRATE_CONSTANT without a constant callback;
 * EP_LIMIT_GROWTH; EP_LIMIT_BYTES; EP_MEMORY. Time: the program's size, times the
 * logarithm of its largest list; memory: its size.
 *
 * The form of EP_CANON_TORCH is of the program's own version, as its releases write it.
 *
 * EP_CANON_TORCH takes any program that was decoded, whether ep_check accepts it
 * or not. Errors: EP_TORCH_LEAF to EP_TORCH_CYCLE, with the place, where PyTorch
 * itself raises an exception; EP_ARGUMENT for a program that forward reading left
 * something out of; EP_LIMIT_BYTES; EP_MEMORY. Time and memory: the program's
 * size, times its logarithm.
 */
EP_API bool ep_canon(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                     ep_built *built, ep_error *error);

/* -------------------------------------------------------------- comparing */

/* What a difference is about. */
typedef enum ep_diff_group {
    EP_DIFF_SIGNATURE,  /* what the program takes and gives */
    EP_DIFF_NODE,       /* a node that only one has, another target, other outputs */
    EP_DIFF_ARGUMENT,   /* what a node is called with */
    EP_DIFF_VALUE,      /* what a value is: dtype, sizes, strides, device, ... */
    EP_DIFF_SUBGRAPH,   /* what a subgraph takes and gives */
    EP_DIFF_CONSTRAINT, /* ranges of symbols, guards */
    EP_DIFF_MODULE,     /* entries of the module call graph, metadata of the module */
    EP_DIFF_TREESPEC,   /* tree specs, fields of named tuples */
    EP_DIFF_HEADER,     /* opsets, verifiers */
    EP_DIFF_ORDER,      /* what is in no other: the same parts in another order */
    EP_DIFF_PROVENANCE  /* what the canonical form leaves out (SPEC 6.2) */
} ep_diff_group;

/* "signature", "tree spec"; static storage. NULL for what is no group. */
EP_API const char *ep_diff_group_name(ep_diff_group group);

/* One program's side of a difference, in the terms of its own file. */
typedef struct ep_diff_side {
    bool there;             /* false: this program has no such thing */
    ep_error place;         /* offset, line, column and pointer, code being EP_OK; of what
                               is not there, where it would be, if that is known; line 0:
                               not known, as when migration made it */
    ep_bytes text;          /* what stands there, in the program's input; may be empty */
    bool cut_before;        /* it begins further ahead */
    bool cut_behind;        /* it goes on */
    const char *enumerator; /* of an enumerator its name; static storage; else NULL */
    size_t part;            /* the offset of the part that it is in, or that gives the value:
                               a node, a graph of a node, an input or output of the program;
                               0: none, or one that migration made */
} ep_diff_side;

/* A place where two programs part. */
typedef struct ep_difference {
    ep_diff_group group;
    const char *type;   /* of what parts, or of the struct that has it: "Node" ... */
    const char *member; /* ... and "target"; NULL: the whole. Static storage */
    ep_bytes target;    /* of the first program's node that it is about; else empty */
    ep_bytes argument;  /* the name of the argument that it is about; else empty */
    ep_diff_side sides[2];
} ep_difference;

/* Told of a difference, which is gone after the return, with its target and
 * argument; the texts of its sides are those of the programs' inputs. */
typedef void ep_diff_hear(void *context, const ep_difference *difference);

/* Told, before any difference in them, of the parts of two programs that correspond; and of
 * each difference, whatever the limit, in which parts it is: parts as in ep_diff_side, of
 * which one is 0 where the other program has none. */
typedef void ep_diff_hear_parts(void *context, const size_t parts[2],
                                const ep_diff_group *differ /* NULL: they correspond */);

typedef struct ep_diff_options {
    size_t limit;       /* of the differences that are told */
    bool provenance;    /* compare too what the canonical form leaves out */
    ep_diff_hear *hear; /* may be NULL */
    void *hear_context;
    ep_diff_hear_parts *hear_parts; /* may be NULL */
    void *parts_context;
    ep_migrate_constant *constant; /* as for ep_migrate; may be NULL */
    void *constant_context;
} ep_diff_options;

/* Twenty differences, no provenance, nobody told. */
EP_API ep_diff_options ep_diff_options_default(void);

typedef struct ep_diff_result {
    size_t count;   /* of differences that were found; 0: it is one program */
    size_t told;    /* how many of them */
    size_t refused; /* on failure: which program it was about */
} ep_diff_result;

/*
 * Whether two programs are one: whether their epref forms (SPEC part 6) are the
 * same; and if not, where they part. Programs of other versions than 8.20 are
 * rewritten before, in memory (SPEC 6.1.3). Nodes are matched by what they say, so
 * that what was put in or taken out is told as that, and not as a difference of all
 * that follows. Told are, in the order of the canonical form,
 * the first differences, as many as the limit says; fewer, but at least eight,
 * where locating them would take too long. options may be NULL for the defaults.
 * scratch keeps nothing of value. Errors: as ep_migrate and ep_canon, for the first
 * program and then the second. Time and memory: the programs' size, times its
 * logarithm.
 */
EP_API bool ep_diff(const ep_program *const programs[2], ep_arena *scratch,
                    const ep_diff_options *options, ep_diff_result *result, ep_error *error);

/* --------------------------------------------------------------- auditing */

/* How grave a finding is (SPEC 9.1.2), in rising order. */
typedef enum ep_severity {
    EP_SEVERITY_NONE,   /* nothing */
    EP_SEVERITY_INFO,   /* what the reader has to know or to have */
    EP_SEVERITY_LOW,    /* reaches further than it needs to, without effect */
    EP_SEVERITY_MEDIUM, /* code that is installed runs, or much work is done */
    EP_SEVERITY_HIGH    /* whoever wrote the file chooses what runs */
} ep_severity;

/* What an audit can find (SPEC part 9); the last ones only in an archive, which
 * the library does not see. */
typedef enum ep_audit_id {
    EP_AUDIT_NONE,
    EP_AUDIT_EXPR,      /* an expression that is evaluated as Python */
    EP_AUDIT_EXPR_COST, /* a number that takes long to compute */
    EP_AUDIT_NAME,      /* a name that becomes Python source */
    EP_AUDIT_GUARD,     /* a guard outside its language, or a text that leaves its quotes */
    EP_AUDIT_GUARDED,   /* guards that are compiled */
    EP_AUDIT_TARGET,    /* an attribute that is no operator */
    EP_AUDIT_CARRIER,   /* an operator that carries code */
    EP_AUDIT_OPENS,     /* an operator that opens a file or runs what is elsewhere */
    EP_AUDIT_EXTENSION, /* an operator that a handler finds */
    EP_AUDIT_LIBRARY,   /* an operator of another library */
    EP_AUDIT_METADATA,  /* an attribute that metadata or a name resolves */
    EP_AUDIT_VERIFIER,  /* a verifier of another library */
    EP_AUDIT_IMPORT,    /* a module that is imported */
    EP_AUDIT_TREESPEC,  /* a tree spec that cannot be judged */
    EP_AUDIT_TYPE,      /* a type that has to be registered */
    EP_AUDIT_EMBEDDED,  /* a pickle inside the program */
    EP_AUDIT_OBJECT,    /* an object of a custom class */
    EP_AUDIT_GLOBAL,    /* from here on: of archives */
    EP_AUDIT_PICKLE,
    EP_AUDIT_SCRIPT,
    EP_AUDIT_NATIVE,
    EP_AUDIT_CONFIG,
    EP_AUDIT_UNPICKLED,
    EP_AUDIT_CONTAINER,
    EP_AUDIT_STATE,
    EP_AUDIT_PATH,
    EP_AUDIT_DUPLICATE,
    EP_AUDIT_BOMB,
    EP_AUDIT_UNREAD,
    EP_AUDIT_HIDDEN,
    EP_AUDIT_ZEROS,
    EP_AUDIT_STRING,     /* a string of a pickle that becomes Python source */
    EP_AUDIT_UNREADABLE, /* what no strict reader reads */
    EP_AUDIT_INVALID,    /* what breaks a rule, and was looked at */
    EP_AUDIT_UNSEEN,     /* what an option left out */
    EP_AUDIT_COUNT
} ep_audit_id;

/* "AUDIT_EXPR", "9.2.1", the words for people, the severity. Static storage;
 * NULL and EP_SEVERITY_NONE for EP_AUDIT_NONE and what is no id. */
EP_API const char *ep_audit_name(ep_audit_id id);
EP_API const char *ep_audit_clause(ep_audit_id id);
EP_API const char *ep_audit_title(ep_audit_id id);
EP_API ep_severity ep_audit_severity(ep_audit_id id);

/*
 * One thing that loading does. Of one text that stands in many places, or one
 * operator that many nodes call, the first place is told.
 */
typedef struct ep_finding {
    ep_audit_id id;
    size_t more;     /* not 0: no place, but so many more that were not told */
    ep_error place;  /* offset, line, column and pointer; the rest is empty */
    const char *why; /* what the loader does; static storage */
    ep_bytes text;   /* what it is about, UTF-8 without escapes; may be empty */
} ep_finding;

/* Told of a finding; what it points to is gone after the return. */
typedef void ep_hear(void *context, const ep_finding *finding);

/*
 * Tells what loading the program would make PyTorch evaluate, import, unpickle
 * or call (SPEC part 9): of each kind the first 20, or fewer, but at least one,
 * where locating them would take too long; and how many there are beyond. A
 * decoded program is audited whether it is valid above the schema level or not.
 * scratch keeps nothing of value; context is passed through, and may be NULL. Errors:
 * EP_MEMORY; EP_ARGUMENT for a program that forward reading left something out of.
 * Linear in the program.
 */
EP_API bool ep_audit(const ep_program *program, ep_arena *scratch, ep_hear *hear, void *context,
                     ep_error *error);

/* ------------------------------------------------------------- text tools */

/*
 * Python's repr of a float: the shortest decimal that reads back as the same
 * number, "1e-05", "1e+16", "-0.0", "inf", "-inf", "nan". text takes at least
 * EP_FLOAT_SIZE bytes. Returns the length; no closing zero.
 */
enum { EP_FLOAT_SIZE = 32 };
EP_API size_t ep_float_text(double value, char *text);

/*
 * The binary64 nearest to a number in JSON's grammar, ties to even; infinite
 * when it is beyond the largest. False, and *value untouched, when text is not
 * a JSON number. Linear in the text.
 */
EP_API bool ep_float_read(ep_bytes text, double *value);

#ifdef __cplusplus
}
#endif

#endif
