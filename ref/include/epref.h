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

/* The version of this library, "MAJOR.MINOR.PATCH"; static storage. */
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
 * what the allocator gives). Allocates nothing. The allocator is copied.
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
 * 1xx wire, 2xx schema, 5xx archive, 8xx limits, 9xx the world around.
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

    EP_ARCHIVE = 501,         /* not a zip archive that can be read */
    EP_ARCHIVE_PROGRAM = 502, /* an archive without exactly one program */
    EP_ARCHIVE_MEMBER = 503,  /* a member whose data cannot be read */

    EP_LIMIT_BYTES = 801,  /* the input is too long */
    EP_LIMIT_DEPTH = 802,  /* nested too deep */
    EP_LIMIT_VALUES = 803, /* too many values */
    EP_LIMIT_STRING = 804, /* a string is too long */

    EP_MEMORY = 901,   /* the arena's cap or the allocator said no */
    EP_OUTPUT = 902,   /* the sink refused bytes */
    EP_ARGUMENT = 903, /* the caller passed what the function forbids */
    EP_INTERNAL = 990  /* a bug in libepref; please report it */
} ep_code;

/* Sizes of the texts in ep_error, in bytes, the closing zero included. */
enum { EP_POINTER_SIZE = 256, EP_DETAIL_SIZE = 160 };

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
} ep_error;

/* The levels of SPEC 1.2, in the order in which a file is judged. */
typedef enum ep_level {
    EP_LEVEL_NONE = 0, /* limits, memory, arguments: no judgement of the file */
    EP_LEVEL_WIRE,
    EP_LEVEL_SCHEMA,
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
 * text as a zero-terminated string, cut to size bytes. Returns its whole
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
    bool forward;              /* accept what a newer minor added (SPEC 3.10) */
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

/* --------------------------------------------------------------- encoding */

/*
 * Takes the product, piece by piece; returns false to stop. Nothing is kept of
 * data after the return.
 */
typedef bool ep_sink(void *context, const char *data, size_t size);

/*
 * Writes the program as the PyTorch release of its version writes it (SPEC
 * 3.9). scratch is an arena for a buffer and the walk's frames, and keeps
 * nothing of value. Errors: EP_MEMORY; EP_OUTPUT when the sink said no, after
 * which it is not called again; EP_ARGUMENT for a program that forward reading
 * left something out of (SPEC 3.10.3). Linear in the output.
 */
EP_API bool ep_encode(const ep_program *program, ep_arena *scratch, ep_sink *sink, void *context,
                      ep_error *error);

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
