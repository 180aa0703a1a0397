/*
 * test_interface.c - epref_archive.h: an archive says the same from a file, from bytes and from
 * a function; a function that fails, a sink that refuses, memory that is short and arguments
 * that are wrong are told, and nothing leaks. Threads have archives of their own.
 *
 *     test_interface ARCHIVE...
 */
#include "archive/zip/zipwrite.h"
#include "check.h"
#include "common/memory.h"
#include "epref_archive.h"
#include "support.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct sample {
    const char *path;
    char *data;
    size_t size;
} sample;

static bool load(sample *s) {
    test_text text = {0};
    bool ok = CHECK_NOTE(test_read_file(s->path, &text), s->path);
    s->size = test_text_exact(&text).size;
    s->data = text.data;
    return ok;
}

/* A source that fails after so many reads. */
typedef struct failing {
    const sample *from;
    size_t reads;
    size_t last;
} failing;

static bool read_sample(void *context, uint64_t place, void *to, size_t size) {
    failing *f = context;
    CHECK(place <= f->from->size && size <= f->from->size - place);
    if (f->reads == f->last) {
        return false;
    }
    f->reads++;
    memcpy(to, f->from->data + place, size);
    return true;
}

/* A sum over all that an archive says; what is compared. */
typedef struct summary {
    uint64_t sum;
    size_t tensors;
    char digest[EP_ARCHIVE_DIGEST_SIZE];
    char contents[EP_ARCHIVE_DIGEST_SIZE];
    ep_code code;
} summary;

static void add(summary *s, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        s->sum = (s->sum ^ bytes[i]) * 0x100000001B3u;
    }
}

static bool add_piece(void *context, const char *data, size_t size) {
    add(context, data, size);
    return true;
}

static bool add_members(ep_archive *a, summary *s, ep_error *error) {
    ep_archive_member member;
    for (size_t i = 0; ep_archive_member_at(a, i, &member); i++) {
        add(s, member.name.data, member.name.size);
        add(s, &member.place, sizeof member.place);
        if (!ep_archive_read_member(a, i, add_piece, s, error)) {
            return false;
        }
    }
    return true;
}

static bool add_programs(ep_archive *a, summary *s, ep_error *error) {
    ep_archive_program program;
    ep_bytes text;
    for (size_t i = 0; ep_archive_program_at(a, i, &program); i++) {
        ep_archive_member member;
        CHECK(ep_archive_member_at(a, program.member, &member) && member.is_program);
        if (!ep_archive_program_text(a, i, &text, error)) {
            return false;
        }
        CHECK_EQ_INT(text.size, member.size);
        add(s, text.data, text.size);
    }
    return true;
}

static bool add_tensors(ep_archive *a, summary *s, ep_error *error) {
    ep_archive_tensor tensor;
    ep_archive_storage storage;
    if (!ep_archive_list(a, error)) {
        return false;
    }
    for (size_t i = 0; ep_archive_tensor_at(a, i, &tensor); i++) {
        add(s, tensor.name.data, tensor.name.size);
        CHECK((tensor.storage == SIZE_MAX) == !ep_archive_storage_at(a, tensor.storage, &storage));
        if (tensor.fault != NULL) {
            CHECK(!ep_archive_read_tensor(a, i, add_piece, s, error));
            CHECK_EQ_INT(error->code, EP_ARGUMENT);
        } else if (!ep_archive_read_tensor(a, i, add_piece, s, error)) {
            return false;
        }
    }
    s->tensors = ep_archive_tensor_count(a);
    return true;
}

static void add_finding(void *context, size_t program, ep_bytes member, const ep_finding *finding) {
    CHECK(program == SIZE_MAX ? finding->place.line == 0 : member.size > 0);
    CHECK(ep_audit_name(finding->id) != NULL);
    add(context, member.data, member.size);
    add(context, finding->text.data, finding->text.size);
    add(context, &finding->place.offset, sizeof finding->place.offset);
}

/* Asks for everything, and closes it. The code is that of the first failure. */
static summary sum_up(ep_archive *a, ep_error *error) {
    summary s = {.sum = 0xCBF29CE484222325u};
    bool ok = a != NULL && ep_archive_check(a, NULL, error) && add_members(a, &s, error) &&
              add_programs(a, &s, error) && add_tensors(a, &s, error) &&
              ep_archive_audit(a, add_finding, &s, error);
    if (ok && !ep_archive_digest_weights(a, s.digest, error)) {
        CHECK_EQ_STR(s.digest, strlen(s.digest), "");
        ok = error->code == EP_ARGUMENT; /* tensors in the program itself */
    }
    if (ok && !ep_archive_digest_contents(a, s.contents, error)) {
        CHECK_EQ_STR(s.contents, strlen(s.contents), "");
        ok = error->code == EP_ARGUMENT;
    }
    s.code = ok ? EP_OK : error->code;
    CHECK(ok || s.code != EP_OK);
    ep_archive_close(a);
    return s;
}

static ep_archive *open_reading(failing *f, ep_error *error) {
    ep_archive_source source = {read_sample, f, f->from->size};
    return ep_archive_open(&source, NULL, error);
}

static void check_same(const summary *a, const summary *b) {
    CHECK_EQ_BITS(a->sum, b->sum);
    CHECK_EQ_INT(a->tensors, b->tensors);
    CHECK_EQ_STR(a->digest, strlen(a->digest), b->digest);
    CHECK_EQ_STR(a->contents, strlen(a->contents), b->contents);
    CHECK_EQ_INT(a->code, b->code);
}

static void test_three_ways(const sample *s, summary *wanted, size_t *reads) {
    ep_error error;
    failing f = {s, 0, SIZE_MAX};
    *wanted = sum_up(ep_archive_open_file(s->path, NULL, &error), &error);
    CHECK_EQ_INT(wanted->code, EP_OK);
    CHECK(wanted->tensors > 0);
    summary other =
        sum_up(ep_archive_open_bytes((ep_bytes){s->data, s->size}, NULL, &error), &error);
    check_same(wanted, &other);
    other = sum_up(open_reading(&f, &error), &error);
    check_same(wanted, &other);
    *reads = f.reads;
}

/* Each read fails once, and all behind it. */
static void test_failing_source(const sample *s, size_t reads) {
    for (size_t last = 0; last < reads; last++) {
        ep_error error;
        failing f = {s, 0, last};
        summary got = sum_up(open_reading(&f, &error), &error);
        CHECK_EQ_INT(got.code, EP_INPUT);
    }
}

/* With more and more memory: of the process, or of the archive alone. */
static void test_short_memory(const sample *s, const summary *wanted, bool of_archive) {
    bool done = false;
    ep_archive_options options = ep_archive_options_default();
    for (size_t cap = 1; !done && cap < (size_t)1 << 30; cap += cap / 8 + 1) {
        ep_error error;
        memory_cap(of_archive ? 0 : cap);
        options.memory = of_archive ? cap : 0;
        summary got =
            sum_up(ep_archive_open_bytes((ep_bytes){s->data, s->size}, &options, &error), &error);
        done = got.code == EP_OK;
        CHECK(done || got.code == EP_MEMORY);
        CHECK(!done || got.sum == wanted->sum);
    }
    memory_cap(0);
    CHECK(done);
}

/* What each of several threads does with archives of its own. */
static void *open_often(void *context) {
    const sample *s = context;
    ep_error error;
    size_t failed = 0;
    for (int i = 0; i < 300; i++) {
        failed += sum_up(ep_archive_open_bytes((ep_bytes){s->data, s->size}, NULL, &error), &error)
                      .code != EP_OK;
    }
    return failed == 0 ? context : NULL;
}

/* Archives are read in several threads at a time, and afterwards no more memory counts as taken
 * than before: what was just enough for an archive still is. */
static void test_threads(sample *s) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    void *done;
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, open_often, s) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], &done) == 0 && done != NULL);
    }
}

/* One byte is another: refused, or of what nothing says anything. */
static void test_damage(const sample *s) {
    ep_error error;
    size_t refused = 0;
    size_t step = s->size / 64 + 1;
    for (size_t at = 0; at < s->size; at += step) {
        s->data[at] ^= 1;
        ep_archive *a = ep_archive_open_bytes((ep_bytes){s->data, s->size}, NULL, &error);
        bool ok = a != NULL && ep_archive_check(a, NULL, &error);
        refused += !ok;
        CHECK(ok || (error.code != EP_OK && ep_code_clause(error.code) != NULL));
        ep_archive_close(a);
        s->data[at] ^= 1;
    }
    CHECK(refused > 0);
}

/* A member whose last byte is another does not agree with its checksum, and is named. */
static void test_checksums(const sample *s) {
    ep_error error;
    ep_archive_member m;
    ep_archive *a = ep_archive_open_bytes((ep_bytes){s->data, s->size}, NULL, &error);
    for (size_t i = 0; CHECK(a != NULL) && i < ep_archive_member_count(a); i++) {
        if (!CHECK(ep_archive_member_at(a, i, &m)) || !m.is_stored || m.size == 0) {
            continue;
        }
        char *last = s->data + m.place + m.size - 1;
        *last ^= 1;
        CHECK(!ep_archive_check(a, NULL, &error));
        CHECK(error.code == EP_ARCHIVE_MEMBER && strlen(error.about) == m.name.size &&
              memcmp(error.about, m.name.data, m.name.size) == 0);
        *last ^= 1;
    }
    ep_archive_close(a);
}

static void test_sinks(const sample *s) {
    ep_error error;
    ep_archive *a = ep_archive_open_file(s->path, NULL, &error);
    if (!CHECK(a != NULL)) {
        return;
    }
    CHECK_EQ_INT(ep_archive_tensor_count(a), 0); /* not listed yet */
    CHECK(!ep_archive_read_member(a, 0, test_refuse, NULL, &error));
    CHECK_EQ_INT(error.code, EP_OUTPUT);
    CHECK(ep_archive_list(a, &error) && ep_archive_list(a, NULL));
    CHECK_EQ_INT(error.code, EP_OK);
    size_t end = ep_archive_tensor_count(a);
    CHECK(!ep_archive_read_tensor(a, end, test_refuse, NULL, &error));
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    ep_archive_close(a);
}

static void test_model(const sample *s) {
    ep_error error;
    ep_archive_options options = ep_archive_options_default();
    ep_bytes text;
    options.model = "no such model";
    ep_archive *a = ep_archive_open_file(s->path, &options, &error);
    ep_archive_program program = {.member = 0};
    if (a != NULL) { /* the flat layout does not name its program */
        CHECK(ep_archive_program_at(a, 0, &program) && program.name.size == 0);
        ep_archive_close(a);
        return;
    }
    CHECK_EQ_INT(error.code, EP_ARCHIVE_PROGRAM);
    options.model = "model";
    a = ep_archive_open_file(s->path, &options, &error);
    CHECK(a != NULL && ep_archive_check(a, NULL, &error));
    CHECK_EQ_INT(ep_archive_program_count(a), 1);
    CHECK(ep_archive_program_at(a, 0, &program));
    CHECK_EQ_STR(program.name.data, program.name.size, "model");
    CHECK(!ep_archive_program_text(a, 1, &text, &error));
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    ep_archive_close(a);
}

/* The digest of a text, with so much memory; what the arena holds goes with it. */
static ep_code digest_of_text(ep_bytes text, size_t cap, char digest[EP_DIGEST_SIZE],
                              test_text *form) {
    ep_arena arena;
    ep_error error = {.code = EP_OK};
    const ep_program *program;
    ep_built built;
    bool undecided = true;
    ep_canon_options options = {.form = EP_CANON_EPREF, .constant = test_no_type};
    ep_arena_init(&arena, ep_heap(), cap);
    bool ok = ep_decode(&arena, text, NULL, &program, &error);
    if (ok) {
        ok = ep_digest(program, &arena, digest, &undecided, &error);
        CHECK(ok ? !undecided && strlen(digest) == EP_DIGEST_SIZE - 1 : digest[0] == '\0');
    }
    if (ok && form != NULL && CHECK(ep_canon(program, &arena, &options, &built, &error))) {
        test_add(form, built.text.data, built.text.size);
    }
    CHECK_EQ_INT(ok, error.code == EP_OK);
    ep_arena_free(&arena);
    return error.code;
}

/* The digest of a program is that of its form. */
static void test_digest(const sample *s) {
    ep_archive *a = ep_archive_open_file(s->path, NULL, NULL);
    ep_bytes text;
    test_text form = {0};
    char digests[2][EP_DIGEST_SIZE];
    if (CHECK(a != NULL) && CHECK(ep_archive_program_text(a, 0, &text, NULL))) {
        CHECK_EQ_INT(digest_of_text(text, 0, digests[0], &form), EP_OK);
        CHECK_EQ_INT(digest_of_text(test_text_exact(&form), 0, digests[1], NULL), EP_OK);
        CHECK(memcmp(digests[0], "ep1:", 4) == 0);
        CHECK_EQ_STR(digests[1], strlen(digests[1]), digests[0]);
        ep_code code = EP_MEMORY;
        for (size_t cap = 4096; code == EP_MEMORY && cap < (size_t)1 << 30; cap += cap / 4) {
            code = digest_of_text(text, cap, digests[1], NULL);
        }
        CHECK_EQ_INT(code, EP_OK);
    }
    test_text_free(&form);
    ep_archive_close(a);
}

static bool keep_piece(void *context, ep_bytes piece, failure *what) {
    buffer *file = context;
    (void)what;
    buffer_put(file, piece.data, piece.size);
    return !file->failed;
}

/* A package of compiled models is an archive for those who ask for one; of programs there is
 * nothing in it. */
static void test_package(void) {
    ep_error error;
    ep_archive_options options = ep_archive_options_default();
    char digest[EP_ARCHIVE_DIGEST_SIZE];
    zipwrite zip = {.pt2 = true};
    buffer file = {0};
    failure what = {0};
    if (CHECK(zipwrite_bytes(&zip, bytes_of("m/data/aotinductor/a/x.so"), bytes_of("")) != NULL &&
              zipwrite_all(&zip, keep_piece, &file, &what))) {
        ep_bytes bytes = buffer_bytes(&file);
        CHECK(ep_archive_open_bytes(bytes, NULL, &error) == NULL);
        CHECK_EQ_INT(error.code, EP_ARCHIVE_PROGRAM);
        options.compiled = true;
        ep_archive *a = ep_archive_open_bytes(bytes, &options, &error);
        CHECK(a != NULL && ep_archive_program_count(a) == 0 && ep_archive_list(a, &error));
        CHECK(!ep_archive_check(a, NULL, &error));
        CHECK_EQ_INT(error.code, EP_ARCHIVE_PART); /* it has no marks */
        CHECK(!ep_archive_digest_weights(a, digest, &error));
        CHECK_EQ_INT(error.code, EP_ARCHIVE_PROGRAM);
        CHECK(!ep_archive_write_tensors(a, NULL, test_refuse, NULL, &error));
        CHECK_EQ_INT(error.code, EP_ARCHIVE_PROGRAM);
        ep_archive_close(a);
    }
    buffer_free(&file);
    zipwrite_free(&zip);
}

/* Opens an archive of the programs a and b. Returns how many it has; 0: it is refused so. */
static size_t count_programs(const buffer *file, const char *model, bool one, ep_code code) {
    ep_error error;
    ep_archive_options options = ep_archive_options_default();
    options.model = model;
    options.one_program = one;
    ep_archive *a = ep_archive_open_bytes((ep_bytes){file->data, file->size}, &options, &error);
    size_t count = ep_archive_program_count(a);
    CHECK_EQ_INT(error.code, code);
    ep_archive_close(a);
    return count;
}

/* Of two programs all are taken, one that is named, or none where there may be one alone. */
static void test_one_program(void) {
    zipwrite zip = {.pt2 = true};
    buffer file = {0};
    failure what = {0};
    bool ok = zipwrite_bytes(&zip, bytes_of("m/models/a.json"), bytes_of("{}")) != NULL &&
              zipwrite_bytes(&zip, bytes_of("m/models/b.json"), bytes_of("{}")) != NULL &&
              zipwrite_all(&zip, keep_piece, &file, &what);
    if (CHECK(ok)) {
        CHECK_EQ_INT(count_programs(&file, NULL, false, EP_OK), 2);
        CHECK_EQ_INT(count_programs(&file, "b", false, EP_OK), 1);
        CHECK_EQ_INT(count_programs(&file, "b", true, EP_OK), 1);
        CHECK_EQ_INT(count_programs(&file, NULL, true, EP_ARCHIVE_PROGRAM), 0);
        CHECK_EQ_INT(count_programs(&file, "c", true, EP_ARCHIVE_PROGRAM), 0);
    }
    buffer_free(&file);
    zipwrite_free(&zip);
}

static void test_files(void) {
    ep_error error;
    CHECK(ep_archive_open_file("/nonexistent/model.pt2", NULL, &error) == NULL);
    CHECK_EQ_INT(error.code, EP_INPUT);
    CHECK(strlen(error.detail) > 0);
    CHECK(ep_archive_open_file("/", NULL, &error) == NULL);
    CHECK_EQ_INT(error.code, EP_INPUT);
    CHECK(ep_archive_open_bytes((ep_bytes){"{}", 2}, NULL, &error) == NULL);
    CHECK_EQ_INT(error.code, EP_ARCHIVE);
    CHECK(ep_archive_open_bytes((ep_bytes){NULL, 0}, NULL, NULL) == NULL);
}

/* A source without a function is none. */
static void test_no_source(void) {
    ep_error error;
    ep_archive_source source = {NULL, NULL, 4};
    CHECK(ep_archive_open(&source, NULL, &error) == NULL && error.code == EP_ARGUMENT);
}

int main(int argc, char **argv) {
    test_no_source();
    test_files();
    test_one_program();
    test_package();
    CHECK(argc > 1);
    for (int i = 1; i < argc; i++) {
        sample s = {.path = argv[i]};
        summary wanted;
        size_t reads = 0;
        if (load(&s)) {
            test_three_ways(&s, &wanted, &reads);
            test_failing_source(&s, reads);
            test_short_memory(&s, &wanted, true);
            test_threads(&s);
            test_short_memory(&s, &wanted, false);
            test_checksums(&s);
            test_damage(&s);
            test_sinks(&s);
            test_model(&s);
            test_digest(&s);
        }
        free(s.data);
    }
    return check_report();
}
