/*
 * epref_archive.h - the public interface of libepref_archive: the .pt2 archives that
 * torch.export.save puts around programs.
 *
 * The library finds the programs and the tensors of an archive, reads them, judges and audits
 * the whole archive, writes tensors as files of other libraries and archives of such files,
 * migrates archives, and makes the digests of programs and weights. It reads an archive in place
 * and in pieces: of its members only the directory, programs, configs and pickles are held, and a
 * storage where the elements of a tensor are not one behind the other in it. It executes no
 * pickle. SPEC.md says what is valid, in parts 8 and 9.
 *
 * Memory comes from malloc. An archive, and what was told of it, belongs to one thread at a
 * time. What is told of an archive (names, sizes, strides) is valid until it is closed.
 *
 * NULL: what may be NULL is said so. For any other pointer it is a mistake that is told and
 * not followed: EP_ARGUMENT from a function that takes an error; false, 0 or NULL from the
 * others.
 */
#ifndef EPREF_ARCHIVE_H
#define EPREF_ARCHIVE_H

#include "epref.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- opening */

/*
 * Reads size bytes from a place on; there are so many by the size that was given with the
 * function. False: they cannot be read (EP_INPUT).
 */
typedef bool ep_archive_read(void *context, uint64_t place, void *to, size_t size);

/* Where the bytes of an archive come from. They must not change before it is closed. */
typedef struct ep_archive_source {
    ep_archive_read *read;
    void *context; /* passed through; may be NULL */
    uint64_t size; /* of the archive, in bytes */
} ep_archive_source;

typedef struct ep_archive ep_archive;

typedef struct ep_archive_options {
    ep_decode_options decoding; /* of programs. limits.bytes holds for the directory, and for
                                   each program, config and pickle, too */
    const char *model;          /* of several programs only the one in models/NAME.json;
                                   NULL: all of them */
    bool one_program;           /* without a model: an archive of several is refused
                                   (EP_ARCHIVE_PROGRAM, SPEC 8.1.2) */
    bool compiled;              /* a package of compiled models, without a program, will do
                                   (SPEC 8.9); else it is refused (EP_ARCHIVE_PROGRAM) */
    size_t memory;              /* bytes that the archive may hold at a time: directory, configs,
                                   programs, pickles, lists, and what a function takes for its work.
                                   0: no cap. Beyond it EP_MEMORY */
} ep_archive_options;

/* The default limits, strict, all programs, however many there are. */
EP_API ep_archive_options ep_archive_options_default(void);

/*
 * Opens an archive of one program or more. The zip's directory and its local headers are
 * read (SPEC 8.1) and the members named; ep_archive_check asks for all the rest. options may
 * be NULL for the defaults. The source is copied; a file stays open. NULL: errors are 5xx, 8xx,
 * EP_MEMORY, EP_INPUT. n members: O(n log n).
 */
EP_API ep_archive *ep_archive_open(const ep_archive_source *source,
                                   const ep_archive_options *options, ep_error *error);
EP_API ep_archive *ep_archive_open_file(const char *path, const ep_archive_options *options,
                                        ep_error *error);
EP_API ep_archive *ep_archive_open_bytes(ep_bytes bytes, const ep_archive_options *options,
                                         ep_error *error);

/* Gives back all that the archive holds. It may be NULL. */
EP_API void ep_archive_close(ep_archive *archive);

/* ---------------------------------------------------------------- members */

typedef struct ep_archive_member {
    ep_bytes name;   /* UTF-8 */
    uint64_t place;  /* of its bytes in the archive */
    uint64_t packed; /* how many those are */
    uint64_t size;   /* how many come out */
    uint32_t crc32;  /* of what comes out */
    bool is_stored;  /* as it is; else deflated */
    bool is_program;
} ep_archive_member;

/* In the order of the directory. False past the end. */
EP_API size_t ep_archive_member_count(const ep_archive *archive);
EP_API bool ep_archive_member_at(const ep_archive *archive, size_t i, ep_archive_member *member);

/*
 * Reads a member to its end, piece by piece, and compares its size and checksum: what went to
 * the sink before a failure is nothing of value. Errors: EP_ARCHIVE_MEMBER, EP_OUTPUT when the
 * sink said no, EP_INPUT, EP_MEMORY, EP_ARGUMENT past the end. Linear in the member.
 */
EP_API bool ep_archive_read_member(const ep_archive *archive, size_t i, ep_sink *sink,
                                   void *context, ep_error *error);

/* --------------------------------------------------------------- programs */

typedef struct ep_archive_program {
    ep_bytes name; /* of the model; empty in the flat layout */
    size_t member;
} ep_archive_program;

/* In the order of the directory. False past the end. */
EP_API size_t ep_archive_program_count(const ep_archive *archive);
EP_API bool ep_archive_program_at(const ep_archive *archive, size_t i, ep_archive_program *program);

/*
 * The text of a program, for ep_decode. It is read once, and belongs to the archive until that
 * is closed. Errors: those of ep_archive_read_member, and EP_LIMIT_BYTES. Linear in the text.
 */
EP_API bool ep_archive_program_text(ep_archive *archive, size_t i, ep_bytes *text, ep_error *error);

/* --------------------------------------------------------------- checking */

typedef struct ep_archive_check_options {
    bool no_data;  /* checksums are not compared, and extra files not read */
    ep_warn *note; /* of programs, as ep_check has it; may be NULL */
    void *note_context;
} ep_archive_check_options;

/*
 * Judges an archive whole: every checksum, every program up to its level, then the marks, the
 * members and the tensors (SPEC 8.1 to 8.7). Where one program was asked for when the archive was
 * opened, the marks, members and tensors are not judged. options may be NULL for the defaults.
 * Errors: 1xx to 5xx, 8xx, EP_MEMORY, EP_INPUT. Linear in the archive and in what its members hold,
 * times the logarithm of the number of names.
 */
EP_API bool ep_archive_check(ep_archive *archive, const ep_archive_check_options *options,
                             ep_error *error);

/* --------------------------------------------------------------- auditing */

/*
 * Told of a finding: about a program of the archive, or about a member that is none, program then
 * being SIZE_MAX and finding->place empty. member: its name; empty where the archive as a whole is
 * meant. What it points to is gone after the return.
 */
typedef void ep_archive_hear(void *context, size_t program, ep_bytes member,
                             const ep_finding *finding);

/*
 * Tells what loading the archive would make PyTorch evaluate, import, unpickle, call or link (SPEC
 * part 9): of each program what ep_audit tells, and of the pickles inside of it what is in them
 * (9.5.1), then what there is to its members (9.6), all of it, and what ep_archive_check refuses
 * (9.8). Nothing is executed, and of pickles and members no more is read than limits.bytes; a
 * member that is not read for it, or cannot be, is a finding, and so is a program that does not
 * decode. Errors: EP_LIMIT_BYTES and its kin of a program, EP_MEMORY, EP_INPUT; findings before it
 * stay true. Linear in the archive and in what its members hold, times the logarithm of the number
 * of names.
 */
EP_API bool ep_archive_audit(ep_archive *archive, ep_archive_hear *hear, void *context,
                             ep_error *error);

/* The same, where no_data leaves out what only the bytes of weights and extra files show, which are
 * not read. */
EP_API bool ep_archive_audit_as(ep_archive *archive, bool no_data, ep_archive_hear *hear,
                                void *context, ep_error *error);

/* ---------------------------------------------------------------- tensors */

/* What a program has a tensor for. */
typedef enum ep_archive_role {
    EP_ARCHIVE_ROLE_UNNAMED = 0, /* the signature does not name it */
    EP_ARCHIVE_ROLE_PARAMETER,
    EP_ARCHIVE_ROLE_BUFFER,
    EP_ARCHIVE_ROLE_BUFFER_NOT_PERSISTENT,
    EP_ARCHIVE_ROLE_CONSTANT,
    EP_ARCHIVE_ROLE_CUSTOM_OBJECT,
    EP_ARCHIVE_ROLE_SAMPLE_INPUT
} ep_archive_role;

typedef enum ep_archive_form {
    EP_ARCHIVE_FORM_STRIDED = 0,
    EP_ARCHIVE_FORM_META,   /* without data: on meta, or fake when the archive was written */
    EP_ARCHIVE_FORM_SPARSE, /* its parts are not told */
    EP_ARCHIVE_FORM_OBJECT  /* no tensor, or one of a class, whose elements are in tensors inside
                               of it: these follow it in the list, as `a.weight.qdata` follows
                               `a.weight` (SPEC 8.5.4) */
} ep_archive_form;

typedef struct ep_archive_tensor {
    size_t program;
    ep_archive_role role;
    ep_archive_form form;
    ep_bytes name;     /* of a sample input: which tensor of them it is, from 0 on */
    ep_bytes object;   /* the class of an object, or of a tensor of a class, if it is known */
    const char *dtype; /* "float32", as torch calls it; NULL: it is not known. Of a tensor of a
                          class: what it shows itself as, with its sizes */
    size_t element;    /* bytes of one element; 0 if there are none */
    size_t rank;
    const int64_t *sizes;   /* rank of them */
    const int64_t *strides; /* likewise, in elements */
    uint64_t offset;        /* of the first element in its storage, in elements */
    size_t storage;         /* SIZE_MAX: none that is known */
    ep_bytes device;        /* empty: it is not told */
    bool requires_grad;
    bool is_parameter;
    bool is_conjugate; /* the elements are the conjugates of those in the storage */
    bool is_negative;  /* likewise, times -1 */
    uint64_t bytes;    /* of all elements, one behind the other; 0 where they cannot be read */
    const char *fault; /* why they cannot; static storage; NULL: they can */
    size_t inside;     /* the tensor, by its number in the list, that it is an inner one of (SPEC
                          8.5.4); SIZE_MAX: of none */
} ep_archive_tensor;

typedef struct ep_archive_storage {
    size_t member;
    uint64_t place; /* in the archive, where it is stored as it is */
    uint64_t size;  /* in bytes */
    size_t tensors; /* that show it */
    bool is_stored;
    bool big_endian;
} ep_archive_storage;

/*
 * Lists the tensors, and the models that are compiled: configs, programs, the pickles of tensors
 * and the metadata of models are read, and nothing of storages. What the functions below tell is of
 * this list; before, they tell of none. A list that is there already stays. Errors: those of
 * ep_archive_check but the checksums of storages.
 */
EP_API bool ep_archive_list(ep_archive *archive, ep_error *error);

/* In the order of the programs and of their configs or pickles. False past the end. */
EP_API size_t ep_archive_tensor_count(const ep_archive *archive);
EP_API bool ep_archive_tensor_at(const ep_archive *archive, size_t i, ep_archive_tensor *tensor);
EP_API size_t ep_archive_storage_count(const ep_archive *archive);
EP_API bool ep_archive_storage_at(const ep_archive *archive, size_t i, ep_archive_storage *storage);

/* A model that AOTInductor compiled (SPEC 8.9). Nothing of it is linked. */
typedef struct ep_archive_compiled {
    ep_bytes name;  /* of its folder; empty where there is none, as in packages of torch 2.5 */
    size_t members; /* that are its own */
    uint64_t bytes; /* that come out of them */
    size_t first;   /* of its rows */
    size_t rows;
    const char *fault; /* why a part of them is not there; static storage; NULL: all are */
} ep_archive_compiled;

typedef enum ep_archive_compiled_kind {
    EP_ARCHIVE_COMPILED_METADATA = 0, /* a key, and what it says: AOTI_DEVICE_KEY, cpu */
    EP_ARCHIVE_COMPILED_CONSTANT,     /* a tensor, and its member in data/weights */
    EP_ARCHIVE_COMPILED_OBJECT        /* another constant, and its member in data/constants */
} ep_archive_compiled_kind;

typedef struct ep_archive_compiled_row {
    ep_archive_compiled_kind kind;
    ep_bytes name;
    ep_bytes value;
    size_t rank;            /* of a constant, as the rest */
    const int64_t *sizes;   /* rank of them */
    const int64_t *strides; /* likewise, in elements */
    uint64_t offset;
} ep_archive_compiled_row;

/* What the list has beside tensors, by the names of the models. False past the end. */
EP_API size_t ep_archive_compiled_count(const ep_archive *archive);
EP_API bool ep_archive_compiled_at(const ep_archive *archive, size_t i, ep_archive_compiled *model);
EP_API bool ep_archive_compiled_row_at(const ep_archive *archive, size_t i,
                                       ep_archive_compiled_row *row);

/*
 * Reads the elements of a tensor, in pieces, one behind the other, the last index first and
 * little-endian, as numpy and safetensors have them. Checksums are not compared. Of a tensor
 * with strides of 0 there may be more than the archive has: `bytes` says how many. Errors:
 * EP_ARGUMENT where the tensor has a fault, but EP_ARCHIVE_MISSING where it is without data and
 * EP_ARCHIVE_BYTES where it is beyond its storage; EP_LIMIT_BYTES for a storage that has to be
 * held and is longer than limits.bytes, EP_ARCHIVE_MEMBER, EP_OUTPUT, EP_INPUT, EP_MEMORY. Linear
 * in the elements and the storage.
 */
EP_API bool ep_archive_read_tensor(const ep_archive *archive, size_t i, ep_sink *sink,
                                   void *context, ep_error *error);

/* ------------------------------------------------------ files of tensors */

typedef enum ep_archive_file {
    EP_ARCHIVE_SAFETENSORS = 0,
    EP_ARCHIVE_NPY, /* of numpy */
    EP_ARCHIVE_RAW  /* the elements alone */
} ep_archive_file;

typedef struct ep_archive_file_options {
    ep_archive_file form;
    const size_t *tensors; /* which, by their numbers in the list; of NPY and RAW it is one.
                              NULL: all parameters, buffers and constants that have elements of
                              their own, and the tensors inside of the others */
    size_t count;
} ep_archive_file_options;

/*
 * Writes tensors as a file of other libraries, whatever their storages are: little-endian, the
 * last index first. Makes the list if there is none. The members that the tensors are in are
 * compared with their checksums before anything is written. options may be NULL for all, as
 * safetensors; context is passed through, and may be NULL. Errors: those of ep_archive_list and
 * ep_archive_read_tensor; EP_ARGUMENT for a tensor that has no elements or that the form cannot
 * hold, and for two tensors of one name, which several programs can have; EP_LIMIT_BYTES where
 * strides make of the elements more than the archive is long and limits.bytes. Linear in the
 * elements and the members; n tensors: O(n log n).
 */
EP_API bool ep_archive_write_tensors(ep_archive *archive, const ep_archive_file_options *options,
                                     ep_sink *sink, void *context, ep_error *error);

/* ---------------------------------------------------------------- packing */

/* A file that an archive keeps beside a program (extra_files). */
typedef struct ep_archive_extra {
    ep_bytes name; /* without the folders of the archive */
    ep_bytes bytes;
} ep_archive_extra;

typedef struct ep_archive_pack_options {
    ep_archive_source tensors; /* a file of safetensors: every parameter, buffer and constant of
                                  the program, and nothing else; without a function: there are
                                  none */
    ep_bytes sample_inputs;    /* as torch.save writes them; may be empty */
    const ep_archive_extra *extras;
    size_t extra_count;
    const char *folder; /* of all members, where the layout has one; NULL: "archive" */
    ep_limits limits;   /* of the safetensors; limits.bytes holds, too, for tensors whose bytes
                           have to be put in another order */
    size_t memory;      /* bytes that the function may take for its work; 0: no cap */
} ep_archive_pack_options;

/* No tensors, no files, the default limits. */
EP_API ep_archive_pack_options ep_archive_pack_options_default(void);

/*
 * Writes an archive of a program and its tensors as torch.export.save of the releases of the
 * program's version does (SPEC 8.8): tensors are members of bytes, or pickled before 2.9. The
 * program is judged first. Dates are 1980-01-01. options may be NULL for the defaults; context is
 * passed through, and may be NULL. The error is about a tensor or a member, by its name. Errors:
 * those of ep_check and ep_encode; EP_ARGUMENT, with the reason, for what is no safetensors, for
 * tensors that are missing, of another type than the program says or not named by it, and for
 * names that no archive can have; EP_INPUT, EP_OUTPUT, EP_LIMIT_BYTES, EP_MEMORY. Linear in what
 * is written, times the logarithm of the number of tensors.
 */
EP_API bool ep_archive_pack(const ep_program *program, const ep_archive_pack_options *options,
                            ep_sink *sink, void *context, ep_error *error);

/* -------------------------------------------------------------- migrating */

typedef struct ep_archive_migrate_options {
    const ep_version *version; /* to migrate to */
    bool raw;                  /* pickled tensors become members of bytes, where archives of the
                                  version have such (SPEC 7.7.6) */
    ep_migrate_step *report;   /* as for ep_migrate, of the program and then of the archive; may
                                  be NULL */
    void *report_context;
    ep_warn *note; /* as for ep_migrate; may be NULL */
    void *note_context;
} ep_archive_migrate_options;

/*
 * Writes the archive as the releases of another version lay it out, with the program at that
 * version (SPEC 7.7), as `epref migrate` does. Of an archive of several programs, one was asked
 * for when it was opened, and stays where the others are. What is copied is read and compared with
 * its checksums before anything is written, and the archive has to be whole (7.7.7), unless its
 * tensors were taken out (8.7). options must not be NULL; context is passed through, and may be
 * NULL. Errors: those of ep_decode, ep_migrate and ep_archive_check; EP_MIGRATE_ARCHIVE where the
 * layout has no place for a member; EP_ARCHIVE_PROGRAM where there are several programs; EP_OUTPUT.
 * Costs what these do; linear in what is written.
 */
EP_API bool ep_archive_migrate(ep_archive *archive, const ep_archive_migrate_options *options,
                               ep_sink *sink, void *context, ep_error *error);

/* ---------------------------------------------------------------- digests */

enum { EP_DIGEST_SIZE = 69 };

/*
 * The digest of a program, in an archive or not: "ep1:" and the SHA-256 of its canonical form
 * (SPEC 6.10.1), ended by a zero, as `epref digest` prints it. *undecided is set as ep_canon sets
 * it; it may be NULL. Of tensors that version 1 keeps in the program what they are counts, and
 * their pickles are read for it. scratch keeps nothing of value. Errors: those of ep_canon with a
 * constant callback; the digest is then "". Costs what ep_canon does.
 */
EP_API bool ep_digest(const ep_program *program, ep_arena *scratch, char digest[EP_DIGEST_SIZE],
                      bool *undecided, ep_error *error);

enum { EP_ARCHIVE_DIGEST_SIZE = 69 };

/*
 * The digest of the parameters, buffers and constants of an archive of one program, "ew1:" and
 * a SHA-256 (SPEC 8.6.1), ended by a zero. It is of archives that ep_archive_check takes, which
 * the caller asks first. Makes the list if there is none. Errors: those of ep_archive_list and
 * ep_archive_read_tensor; EP_ARCHIVE_PROGRAM where there are several. Linear in the
 * elements.
 */
EP_API bool ep_archive_digest_weights(ep_archive *archive, char digest[EP_ARCHIVE_DIGEST_SIZE],
                                      ep_error *error);

/*
 * The digest of all that a comparison of archives looks at, "ec1:" and a SHA-256 (SPEC 8.6.5): two
 * archives with one digest are equal. Of an archive of any number of programs, a
 * package among them, else as ep_archive_digest_weights; tensors without data do not hinder it.
 * Errors: those, and those of ep_decode and ep_digest, but not EP_ARCHIVE_PROGRAM. Linear in the
 * archive and the elements, times the logarithm of the number of names; of programs what ep_canon
 * costs.
 */
EP_API bool ep_archive_digest_contents(ep_archive *archive, char digest[EP_ARCHIVE_DIGEST_SIZE],
                                       ep_error *error);

/* ------------------------------------------- tensors inside of programs */

/*
 * A set of the tensors that programs of version 1 keep inside themselves, pickled. It answers
 * what ep_migrate, ep_canon and ep_diff ask their caller:
 *
 *     options.constant = ep_constants_take;
 *     options.constant_context = constants;
 *
 * A set belongs to one thread at a time.
 */
typedef struct ep_constants ep_constants;

/*
 * An empty set. limit: how many bytes the elements of its tensors may take together; 0: the
 * default of limits.bytes. keeps_bytes: ep_constants_at tells the elements too, not only what
 * they are. NULL: EP_MEMORY.
 */
EP_API ep_constants *ep_constants_open(size_t limit, bool keeps_bytes, ep_error *error);

/*
 * An ep_migrate_constant, its context being the set: takes in a tensor whose pickle is the one
 * that torch.save writes of a plain tensor (SPEC 7.7.5), and tells what it is. Nothing is
 * unpickled. What it tells is valid until the set is closed. False: it is no such pickle, or the
 * limit is reached, or for want of memory, which ep_constants_check tells. Linear in the text.
 */
EP_API bool ep_constants_take(void *constants, ep_bytes name, ep_bytes base64,
                              ep_tensor_info *info);

/*
 * Asked when the call that used the set is over: false, EP_MEMORY, where there was no memory for a
 * tensor. What was made with the set is of no value then, a canonical form above all: there a
 * tensor that nobody knows is one without a type.
 */
EP_API bool ep_constants_check(const ep_constants *constants, ep_error *error);

typedef struct ep_constant {
    ep_bytes name;
    ep_tensor_info info; /* sizes and strides are numbers */
    ep_bytes bytes;      /* of its storage, little-endian; empty if they are not kept */
} ep_constant;

/* In the order in which they were taken in. False, and nothing written, past the end. */
EP_API size_t ep_constants_count(const ep_constants *constants);
EP_API bool ep_constants_at(const ep_constants *constants, size_t i, ep_constant *constant);

/* Gives back all that the set holds. It may be NULL. */
EP_API void ep_constants_close(ep_constants *constants);

#ifdef __cplusplus
}
#endif

#endif
