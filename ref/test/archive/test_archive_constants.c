/*
 * test_archive_constants.c - the tensors that a program of version 1 keeps inside itself, by
 * epref_archive.h: a canonical form that asks a set for them is the one of the digest; what is
 * no such tensor, is beyond the limit or finds no memory is not taken in. And what an audit says
 * of their pickles.
 *
 *     test_archive_constants PROGRAM ARCHIVE     of version 1, with a tensor; the archive of it
 */
#include "check.h"
#include "common/digest.h"
#include "common/memory.h"
#include "epref_archive.h"
#include "support.h"

/* A tensor as the program has it, for calls of our own. */
typedef struct embedded {
    char name[64];
    size_t name_size;
    char base64[8192];
    size_t size;
} embedded;

static bool copy_first(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    embedded *e = context;
    (void)info;
    if (e->size == 0 && CHECK(name.size <= sizeof e->name && base64.size <= sizeof e->base64)) {
        memcpy(e->name, name.data, name.size);
        memcpy(e->base64, base64.data, base64.size);
        e->name_size = name.size;
        e->size = base64.size;
    }
    return false;
}

static bool take(ep_constants *set, const embedded *e, ep_tensor_info *info) {
    return ep_constants_take(set, (ep_bytes){e->name, e->name_size}, (ep_bytes){e->base64, e->size},
                             info);
}

/* ------------------------------------------------------------------------- form */

static bool make_form(const ep_program *program, ep_arena *arena, ep_constants *set,
                      ep_bytes *form) {
    ep_error error;
    ep_built built = {.text = {"", 0}};
    ep_canon_options options = {
        .form = EP_CANON_EPREF, .constant = ep_constants_take, .constant_context = set};
    bool ok = ep_canon(program, arena, &options, &built, &error);
    *form = built.text;
    return ok;
}

static void test_form(const ep_program *program, ep_arena *arena) {
    char wanted[EP_DIGEST_SIZE];
    ep_bytes form;
    digest made;
    ep_constants *set = ep_constants_open(0, false, NULL);
    CHECK(ep_digest(program, arena, wanted, NULL, NULL));
    if (CHECK(set != NULL && make_form(program, arena, set, &form))) {
        digest_of(DIGEST_PROGRAM, form, &made);
        CHECK_EQ_STR(made.text, strlen(made.text), wanted);
    }
    CHECK(ep_constants_count(set) > 0 && ep_constants_check(set, NULL));
    ep_constants_close(set);
}

/* A form that was made without memory for a tensor is not the one, and the set says so. */
static void test_short_memory(const ep_program *program, ep_arena *arena) {
    ep_bytes wanted = {"", 0};
    ep_bytes form = {"", 0};
    size_t failed = 0;
    bool done = false;
    ep_constants *whole = ep_constants_open(0, false, NULL);
    CHECK(whole != NULL && make_form(program, arena, whole, &wanted));
    ep_constants_close(whole);
    for (size_t cap = 1; !done && cap < (size_t)1 << 24; cap += cap / 16 + 1) {
        ep_error error = {.code = EP_OK};
        memory_cap(cap);
        ep_constants *set = ep_constants_open(0, false, &error);
        CHECK_EQ_INT(error.code, set == NULL ? EP_MEMORY : EP_OK);
        if (set != NULL) {
            bool ok = make_form(program, arena, set, &form);
            done = ok && ep_constants_check(set, NULL);
            failed += !ep_constants_check(set, &error);
            CHECK_EQ_INT(error.code, ep_constants_check(set, NULL) ? EP_OK : EP_MEMORY);
            CHECK(!done ||
                  (form.size == wanted.size && memcmp(form.data, wanted.data, form.size) == 0));
        }
        ep_constants_close(set);
    }
    memory_cap(0);
    CHECK(done && failed > 0);
}

/* ---------------------------------------------------------------------- tensors */

static void check_told(const ep_constants *set, const embedded *e, bool keeps_bytes) {
    ep_constant told;
    uint64_t elements = 1;
    CHECK_EQ_INT(ep_constants_count(set), 1);
    CHECK(!ep_constants_at(set, 1, &told) && !ep_constants_at(set, 0, NULL));
    if (!CHECK(ep_constants_at(set, 0, &told))) {
        return;
    }
    CHECK(told.name.size == e->name_size && memcmp(told.name.data, e->name, e->name_size) == 0);
    CHECK_EQ_STR(told.info.dtype, strlen(told.info.dtype), "FLOAT");
    for (size_t i = 0; i < told.info.rank; i++) {
        CHECK(told.info.sizes[i].expr == NULL && told.info.strides[i].expr == NULL);
        elements *= (uint64_t)told.info.sizes[i].number;
    }
    CHECK_EQ_INT(told.bytes.size, keeps_bytes ? 4 * elements : 0);
}

static void test_taken(const embedded *e) {
    for (int keeps = 0; keeps < 2; keeps++) {
        ep_tensor_info info;
        ep_constants *set = ep_constants_open(0, keeps == 1, NULL);
        CHECK(set != NULL && take(set, e, &info));
        check_told(set, e, keeps == 1);
        ep_constants_close(set);
    }
}

/* One byte less than it needs; and what is left after one is not enough for another. */
static void test_limit(const embedded *e) {
    ep_tensor_info info;
    ep_constant told;
    ep_constants *set = ep_constants_open(0, true, NULL);
    CHECK(set != NULL && take(set, e, &info) && ep_constants_at(set, 0, &told));
    size_t size = told.bytes.size;
    ep_constants_close(set);

    set = ep_constants_open(size - 1, true, NULL);
    CHECK(!take(set, e, &info) && ep_constants_check(set, NULL) && ep_constants_count(set) == 0);
    ep_constants_close(set);

    set = ep_constants_open(size, true, NULL);
    CHECK(take(set, e, &info) && !take(set, e, &info));
    CHECK(ep_constants_check(set, NULL) && ep_constants_count(set) == 1);
    ep_constants_close(set);
}

/* Cut anywhere it is no archive, and no want of memory either. */
static void test_refused(const embedded *e) {
    ep_tensor_info info;
    ep_constants *set = ep_constants_open(0, false, NULL);
    for (size_t size = 0; size < e->size; size += 61) {
        embedded cut = *e;
        cut.size = size;
        CHECK(!take(set, &cut, &info));
    }
    CHECK(ep_constants_check(set, NULL) && ep_constants_count(set) == 0);
    ep_constants_close(set);
}

static void check_program(ep_bytes text) {
    ep_arena arena;
    const ep_program *program;
    ep_built built;
    embedded first = {.size = 0};
    ep_canon_options options = {.constant = copy_first, .constant_context = &first};
    ep_arena_init(&arena, ep_heap(), 0);
    if (CHECK(ep_decode(&arena, text, NULL, &program, NULL)) &&
        CHECK(ep_canon(program, &arena, &options, &built, NULL)) && CHECK(first.size > 0)) {
        test_form(program, &arena);
        test_short_memory(program, &arena);
        test_taken(&first);
        test_limit(&first);
        test_refused(&first);
    }
    ep_arena_free(&arena);
}

/* --------------------------------------------------------------------- auditing */

/* What was heard of the program. */
typedef struct heard {
    size_t inside;
    size_t others;
    ep_error place; /* of the tensor */
} heard;

static void hear(void *context, size_t program, ep_bytes member, const ep_finding *finding) {
    heard *h = context;
    CHECK(finding->id != EP_AUDIT_EMBEDDED);
    if (program == 0 && finding->id == EP_AUDIT_UNPICKLED) {
        CHECK(member.size > 0);
        h->place = finding->place;
        h->inside++;
    } else {
        h->others++;
    }
}

/* SPEC 9.5.1: of a pickle inside of a program, what is in it, at the place where it stands. */
static void test_audit(const char *path) {
    ep_error error = {.code = EP_OK};
    heard all = {.inside = 0};
    ep_archive *a = ep_archive_open_file(path, NULL, &error);
    CHECK(a != NULL && ep_archive_audit(a, hear, &all, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    CHECK_EQ_INT(all.inside, 1);
    CHECK(all.others > 0 && all.place.line == 1);
    CHECK(strstr(all.place.pointer, "/graph_module/graph/constants/") == all.place.pointer);
    ep_archive_close(a);
    size_t failed = 0;
    bool done = false;
    for (size_t cap = 1; !done && cap < (size_t)1 << 30; cap += cap / 64 + 1) {
        heard some = {.inside = 0};
        memory_cap(cap);
        a = ep_archive_open_file(path, NULL, &error);
        done = a != NULL && ep_archive_audit(a, hear, &some, &error);
        CHECK_EQ_INT(error.code, done ? EP_OK : EP_MEMORY);
        CHECK(!done || some.inside == 1);
        failed += !done;
        ep_archive_close(a);
    }
    memory_cap(0);
    CHECK(done && failed > 0);
}

int main(int argc, char **argv) {
    test_text text = {0};
    if (CHECK(argc == 3) && CHECK(test_read_file(argv[1], &text))) {
        check_program(test_text_exact(&text));
        test_audit(argv[2]);
    }
    test_text_free(&text);
    return check_report();
}
