/*
 * fuzz.h - what the targets share: an input and what is drawn from it, memory
 * that is counted, and properties. A target is one file, fuzz_NAME.c, with one
 * LLVMFuzzerTestOneInput, which libFuzzer, AFL++, honggfuzz and main.c call; it
 * says what holds of any input, and ends the process where it does not.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "common/macros.h"
#include "epref.h"
#include "support.h"

/* The entry points of every engine. The first is called once, before any input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ----------------------------------------------------------------- properties */

/* What is said to hold, and where. */
typedef struct fuzz_claim {
    const char *property;
    const char *words; /* as it is written in C */
    const char *file;
    int line;
} fuzz_claim;

/* What a property is called is FUZZ_TARGET, a dot, and the name: "canon.again".
 * Findings are told apart by it. */
#define FUZZ_CLAIM(words, name)                                                                    \
    &(const fuzz_claim) {                                                                          \
        FUZZ_TARGET "." name, words, __FILE__, __LINE__                                            \
    }

#define FUZZ_PROPERTY(holds, name)                                                                 \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fuzz_broken(FUZZ_CLAIM(#holds, name), NULL);                                           \
    } while (0)

/* The same, and what an error says of it. */
#define FUZZ_PROPERTY_OF(holds, name, error)                                                       \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fuzz_broken(FUZZ_CLAIM(#holds, name), error);                                          \
    } while (0)

/* Two texts are the same; if not, their first difference is told. */
#define FUZZ_SAME(one, other, name)                                                                \
    fuzz_check_same(FUZZ_CLAIM(#one " is " #other, name), (const ep_bytes[]){one, other})

/* The same, but where something excuses it. */
#define FUZZ_SAME_UNLESS(excuse, one, other, name)                                                 \
    do {                                                                                           \
        if (!(excuse))                                                                             \
            FUZZ_SAME(one, other, name);                                                           \
    } while (0)

/* Says on standard error which property is broken, where, and why, and aborts. */
_Noreturn void fuzz_broken(const fuzz_claim *claim, const ep_error *error);
void fuzz_check_same(const fuzz_claim *claim, const ep_bytes texts[2]);

/* An oracle's answer is empty, or its first line is the property of the target that is broken. */
void fuzz_expect_agreement(const char *target, const test_text *reply);

/* --------------------------------------------------------------------- inputs */

/*
 * The text of a program, and behind the first zero byte, which no program has,
 * bytes that the choices are drawn from. Without them everything is drawn from
 * zero, so that a golden program is an input as it is.
 */
typedef struct fuzz_input {
    ep_bytes text;
    uint64_t state; /* of the generator of numbers */
} fuzz_input;

fuzz_input fuzz_split(const uint8_t *data, size_t size);

uint64_t fuzz_draw(fuzz_input *input);

/* Less than n, which is not 0. */
size_t fuzz_below(fuzz_input *input, size_t n);

static inline ep_bytes fuzz_bytes(const uint8_t *data, size_t size) {
    return (ep_bytes){(const char *)data, size};
}

bool fuzz_same(ep_bytes a, ep_bytes b);

/* Whether a text is UTF-8. */
bool fuzz_is_utf8(ep_bytes text);

/* A number of a text (FNV-1a). */
uint64_t fuzz_hash(ep_bytes text);

/* --------------------------------------------------------------------- memory */

/* Where a call works, and what it said. */
typedef struct fuzz_work {
    test_heap heap;
    ep_arena arena;
    ep_error error;
} fuzz_work;

/* Much for an input of the size that engines make, and little for the machine. */
enum { FUZZ_CAP = 256 * 1024 * 1024 };

void fuzz_begin(fuzz_work *work);

/* Gives the memory back. Properties: nothing is left. */
void fuzz_end(fuzz_work *work);

/* Properties of what a call left behind: an error exactly when it failed, and
 * then one that is whole and lies in the text. Returns ok. */
bool fuzz_told(const fuzz_work *work, bool ok, ep_bytes text);

/* Whether a place is one of a text, with the line and column that it has there, or
 * none (SPEC 1.5.3). */
bool fuzz_place_holds(const ep_error *place, ep_bytes text);

/* Whether a migration of a valid program may be refused so: for what another version
 * cannot say, or a rule that it has and the program's has not. */
bool fuzz_is_of_version(ep_code code);

/* ------------------------------------------------------------------- programs */

/* Decodes a text as the version that owns its number, with the error of fuzz_told. */
bool fuzz_decode(fuzz_work *work, ep_bytes text, const ep_program **program);

/* Decodes a text that the library wrote, of a version. */
bool fuzz_decode_as(fuzz_work *work, ep_bytes text, const ep_version *version,
                    const ep_program **program);

/* Encodes a program into a text, which is freed by test_text_free. */
bool fuzz_encode(fuzz_work *work, const ep_program *program, test_text *text);

/* Properties: a program is encoded, to this text. */
void fuzz_encodes_as(const ep_program *program, ep_bytes text);

/* Properties: a program is encoded, into a text that is freed by test_text_free,
 * and decoded from it. */
const ep_program *fuzz_anew(fuzz_work *work, const ep_program *program, test_text *text);

/* A canonical form; NULL, 0 where it is refused. */
bool fuzz_canon(fuzz_work *work, const ep_program *program, ep_canon_form form, ep_bytes *text);

/* Properties: the form of a valid program's form is the form, which is valid unless migration
 * refuses the program (SPEC 6.1.2, 6.1.3). */
void fuzz_canon_again(const ep_program *from, ep_bytes form);

/* Shows a value and all that is in it to a visitor, in no certain order; what there
 * is no memory for is passed over. */
typedef void fuzz_visit(void *context, ep_value value);
void fuzz_walk(ep_value value, fuzz_visit *visit, void *context);

/* One of the versions. */
const ep_version *fuzz_draw_version(fuzz_input *input);

#endif
