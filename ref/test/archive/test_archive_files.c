/*
 * test_archive_files.c - tensors of an archive written as files of other libraries, archives
 * made of such files, and archives migrated, by epref_archive.h: the weights are the same again;
 * what cannot be written, and what memory is short for, is refused.
 *
 *     test_archive_files ARCHIVE...
 */
#include "check.h"
#include "common/memory.h"
#include "epref_archive.h"
#include "support.h"

static bool read_bytes(void *context, uint64_t place, void *to, size_t size) {
    const ep_bytes *bytes = context;
    bool there = place <= bytes->size && size <= bytes->size - place;
    if (there && size > 0) {
        memcpy(to, bytes->data + place, size);
    }
    return there;
}

/* An archive that is open, with its program and all its tensors as safetensors. */
typedef struct sample {
    ep_archive *archive;
    ep_arena arena;
    const ep_program *program;
    test_text written;
    ep_bytes tensors;
    char digest[EP_ARCHIVE_DIGEST_SIZE];
} sample;

static bool open_sample(sample *s, const char *path) {
    ep_bytes text;
    ep_error error = {.code = EP_OK};
    *s = (sample){.archive = ep_archive_open_file(path, NULL, &error)};
    ep_arena_init(&s->arena, ep_heap(), 0);
    bool ok = s->archive != NULL && ep_archive_program_text(s->archive, 0, &text, &error) &&
              ep_decode(&s->arena, text, NULL, &s->program, &error) &&
              ep_archive_digest_weights(s->archive, s->digest, &error) &&
              ep_archive_write_tensors(s->archive, NULL, test_sink, &s->written, &error);
    s->tensors = ok ? test_text_exact(&s->written) : (ep_bytes){"", 0};
    return CHECK_NOTE(ok, error.detail);
}

static void close_sample(sample *s) {
    test_text_free(&s->written);
    ep_arena_free(&s->arena);
    ep_archive_close(s->archive);
}

static ep_archive_pack_options packing_of(sample *s) {
    ep_archive_pack_options options = ep_archive_pack_options_default();
    options.tensors = (ep_archive_source){read_bytes, &s->tensors, s->tensors.size};
    return options;
}

/* ---------------------------------------------------------------------- tensors */

static bool write_some(const sample *s, ep_archive_file_options options, test_text *into,
                       ep_error *error) {
    return ep_archive_write_tensors(s->archive, &options, test_sink, into, error);
}

/* Raw is what ep_archive_read_tensor reads; .npy ends with it. */
static void test_one(const sample *s, size_t which) {
    ep_error error;
    test_text read = {0};
    test_text raw = {0};
    test_text npy = {0};
    CHECK(ep_archive_read_tensor(s->archive, which, test_sink, &read, &error));
    CHECK(write_some(s, (ep_archive_file_options){EP_ARCHIVE_RAW, &which, 1}, &raw, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    CHECK(raw.size == read.size && (raw.size == 0 || memcmp(raw.data, read.data, raw.size) == 0));
    if (write_some(s, (ep_archive_file_options){EP_ARCHIVE_NPY, &which, 1}, &npy,
                   &error)) { /* numpy lacks some dtypes */
        CHECK(npy.size > raw.size && memcmp(npy.data, "\x93NUMPY", 6) == 0);
        CHECK(raw.size == 0 || memcmp(npy.data + npy.size - raw.size, raw.data, raw.size) == 0);
    } else {
        CHECK(error.code == EP_ARGUMENT && error.about[0] != '\0');
    }
    test_text_free(&read);
    test_text_free(&raw);
    test_text_free(&npy);
}

static void test_tensors(const sample *s) {
    ep_archive_tensor tensor;
    size_t written = 0;
    for (size_t i = 0; ep_archive_tensor_at(s->archive, i, &tensor); i++) {
        if (tensor.fault == NULL && tensor.form == EP_ARCHIVE_FORM_STRIDED) {
            test_one(s, i);
            written++;
        }
    }
    CHECK(written > 0);
}

static void test_wishes(const sample *s) {
    ep_error error;
    test_text none = {0};
    const size_t beyond = ep_archive_tensor_count(s->archive);
    const size_t twice[] = {0, 0};
    CHECK(!write_some(s, (ep_archive_file_options){EP_ARCHIVE_RAW, &beyond, 1}, &none, &error));
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    CHECK(!write_some(s, (ep_archive_file_options){EP_ARCHIVE_RAW, twice, 2}, &none, &error));
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    CHECK(!write_some(s, (ep_archive_file_options){EP_ARCHIVE_NPY, NULL, 0}, &none, &error));
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    CHECK(!write_some(s, (ep_archive_file_options){EP_ARCHIVE_SAFETENSORS, twice, 2}, &none,
                      &error)); /* of one name */
    CHECK(error.code == EP_ARGUMENT && error.about[0] != '\0');
    CHECK(!write_some(s, (ep_archive_file_options){(ep_archive_file)3, NULL, 0}, &none, &error));
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    CHECK(!ep_archive_write_tensors(s->archive, NULL, test_refuse, NULL, &error));
    CHECK_EQ_INT(error.code, EP_OUTPUT);
    CHECK_EQ_INT(none.size, 0);
    test_text_free(&none);
}

/* ---------------------------------------------------------------------- packing */

/* Another archive of the program and the tensors, as another sample. */
static bool pack(sample *s, const ep_archive_pack_options *options, test_text *into,
                 ep_error *error) {
    into->size = 0;
    return ep_archive_pack(s->program, options, test_sink, into, error);
}

static void check_packed(const sample *s, test_text *packed, const char *folder) {
    ep_error error = {.code = EP_OK};
    ep_archive_member first;
    char digest[EP_ARCHIVE_DIGEST_SIZE] = "";
    ep_archive *a = ep_archive_open_bytes(test_text_exact(packed), NULL, &error);
    CHECK_NOTE(a != NULL && ep_archive_check(a, NULL, &error), error.detail);
    CHECK(ep_archive_digest_weights(a, digest, &error));
    CHECK_EQ_STR(digest, strlen(digest), s->digest);
    if (CHECK(ep_archive_member_at(a, 0, &first)) &&
        memchr(first.name.data, '/', first.name.size) != NULL) {
        CHECK(memcmp(first.name.data, folder, strlen(folder)) == 0 &&
              first.name.data[strlen(folder)] == '/');
    }
    ep_archive_close(a);
}

static void test_pack(sample *s) {
    ep_error error;
    test_text packed = {0};
    ep_archive_pack_options options = packing_of(s);
    const ep_archive_extra extra = {{"note", 4}, {"text", 4}};
    CHECK(pack(s, &options, &packed, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    check_packed(s, &packed, "archive");
    options.folder = "model";
    options.extras = &extra;
    options.extra_count = 1;
    CHECK(pack(s, &options, &packed, &error));
    check_packed(s, &packed, "model");
    CHECK(!ep_archive_pack(s->program, &options, test_refuse, NULL, &error));
    CHECK_EQ_INT(error.code, EP_OUTPUT);
    test_text_free(&packed);
}

static void check_refused(sample *s, const ep_archive_pack_options *options, ep_code code) {
    ep_error error;
    test_text packed = {0};
    CHECK(!pack(s, options, &packed, &error));
    CHECK_EQ_INT(error.code, code);
    CHECK_EQ_INT(packed.size, 0);
    test_text_free(&packed);
}

static void test_refusals(sample *s) {
    static const char *const folders[] = {"", ".", "..", "a/b", "a\\b", "a\n"};
    ep_error error;
    test_text packed = {0};
    ep_archive_pack_options options = packing_of(s);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        options.folder = folders[i];
        check_refused(s, &options, EP_ARGUMENT);
    }
    options = packing_of(s);
    options.tensors.size -= 1;
    check_refused(s, &options, EP_ARGUMENT);
    options = packing_of(s);
    options.limits.bytes = 4;
    CHECK(!pack(s, &options, &packed, &error));
    options = packing_of(s);
    options.extra_count = 1;
    check_refused(s, &options, EP_ARGUMENT); /* of none */
    CHECK(!ep_archive_pack(s->program, NULL, test_sink, &packed, &error));
    CHECK(error.code == EP_ARGUMENT && error.about[0] != '\0'); /* a tensor is missing */
    test_text_free(&packed);
}

static void test_short_memory(sample *s) {
    bool done = false;
    ep_archive_pack_options options = packing_of(s);
    for (size_t cap = 1; !done && cap < (size_t)1 << 30; cap += cap / 8 + 1) {
        ep_error error;
        test_text packed = {0};
        memory_cap(cap);
        done = pack(s, &options, &packed, &error);
        CHECK(done || error.code == EP_MEMORY);
        memory_cap(0);
        test_text_free(&packed);
    }
    CHECK(done);
}

/* -------------------------------------------------------------------- migrating */

static void hear_step(void *context, const char *clause, const char *about, size_t times) {
    size_t *steps = context;
    CHECK(clause[0] == '7' && about[0] != '\0' && times > 0);
    ++*steps;
}

/* Whole, of the latest version, with the weights that it had. */
static void check_migrated(const sample *s, test_text *made) {
    ep_error error = {.code = EP_OK};
    char digest[EP_ARCHIVE_DIGEST_SIZE] = "";
    ep_bytes text;
    ep_arena arena;
    const ep_program *program = NULL;
    ep_archive *a = ep_archive_open_bytes(test_text_exact(made), NULL, &error);
    ep_arena_init(&arena, ep_heap(), 0);
    CHECK_NOTE(a != NULL && ep_archive_check(a, NULL, &error), error.detail);
    CHECK(ep_archive_digest_weights(a, digest, &error));
    CHECK_EQ_STR(digest, strlen(digest), s->digest);
    CHECK(ep_archive_program_text(a, 0, &text, &error) &&
          ep_decode(&arena, text, NULL, &program, &error));
    CHECK(ep_program_version(program) == ep_version_find("8.20"));
    ep_arena_free(&arena);
    ep_archive_close(a);
}

static void test_migrate(const sample *s) {
    ep_error error;
    size_t steps = 0;
    test_text made = {0};
    test_text raw = {0};
    ep_archive_migrate_options options = {
        .version = ep_version_find("8.20"), .report = hear_step, .report_context = &steps};
    CHECK(ep_archive_migrate(s->archive, &options, test_sink, &made, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    CHECK(steps > 0);
    check_migrated(s, &made);
    options.raw = true;
    CHECK(ep_archive_migrate(s->archive, &options, test_sink, &raw, &error));
    check_migrated(s, &raw);
    CHECK(!ep_archive_migrate(s->archive, &options, test_refuse, NULL, &error));
    CHECK_EQ_INT(error.code, EP_OUTPUT);
    test_text_free(&made);
    test_text_free(&raw);
}

static void check_unmigrated(ep_bytes bytes, ep_code code) {
    ep_error error;
    test_text made = {0};
    const ep_archive_migrate_options options = {.version = ep_version_find("8.20")};
    ep_archive *a = ep_archive_open_bytes(bytes, NULL, &error);
    CHECK(a != NULL);
    CHECK(!ep_archive_migrate(a, &options, test_sink, &made, &error));
    CHECK_EQ_INT(error.code, code);
    CHECK_EQ_INT(made.size, 0);
    ep_archive_close(a);
    test_text_free(&made);
}

/* Another byte in an extra file: nothing is written. */
static void test_unmigrated(sample *s) {
    ep_error error;
    test_text packed = {0};
    ep_archive_member member;
    ep_archive_pack_options options = packing_of(s);
    const ep_archive_extra extra = {{"note", 4}, {"text", 4}};
    options.extras = &extra;
    options.extra_count = 1;
    CHECK(pack(s, &options, &packed, &error));
    ep_bytes bytes = test_text_exact(&packed);
    ep_archive *a = ep_archive_open_bytes(bytes, NULL, &error);
    uint64_t place = 0;
    for (size_t i = 0; ep_archive_member_at(a, i, &member); i++) {
        place = member.size == 4 && bytes.data[member.place] == 't' ? member.place : place;
    }
    ep_archive_close(a);
    if (CHECK(place > 0)) {
        packed.data[place] = 'T';
        check_unmigrated(test_text_exact(&packed), EP_ARCHIVE_MEMBER);
    }
    test_text_free(&packed);
}

static void test_migrate_short_memory(const sample *s) {
    bool done = false;
    const ep_archive_migrate_options options = {.version = ep_version_find("8.20"), .raw = true};
    for (size_t cap = 1; !done && cap < (size_t)1 << 30; cap += cap / 8 + 1) {
        ep_error error;
        test_text made = {0};
        memory_cap(cap);
        done = ep_archive_migrate(s->archive, &options, test_sink, &made, &error);
        CHECK(done || (error.code == EP_MEMORY && made.size == 0));
        memory_cap(0);
        test_text_free(&made);
    }
    CHECK(done);
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    for (int i = 1; i < argc; i++) {
        sample s;
        if (open_sample(&s, argv[i])) {
            test_tensors(&s);
            test_wishes(&s);
            test_pack(&s);
            test_refusals(&s);
            test_short_memory(&s);
            test_migrate(&s);
            test_unmigrated(&s);
            test_migrate_short_memory(&s);
        }
        close_sample(&s);
    }
    return check_report();
}
