/*
 * test_archive_files.c - tensors of an archive written as files of other libraries, archives
 * made of such files, and archives migrated, by epref_archive.h: options, sinks that refuse,
 * and memory that is short. What is written the vectors compare.
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
} sample;

static bool open_sample(sample *s, const char *path) {
    ep_bytes text;
    ep_error error = {.code = EP_OK};
    *s = (sample){.archive = ep_archive_open_file(path, NULL, &error)};
    ep_arena_init(&s->arena, ep_heap(), 0);
    bool ok = s->archive != NULL && ep_archive_program_text(s->archive, 0, &text, &error) &&
              ep_decode(&s->arena, text, NULL, &s->program, &error) &&
              ep_archive_list(s->archive, &error) &&
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

/* Whether the first member, if it is in a folder, is in this one. */
static bool begins_with(test_text *packed, const char *folder) {
    ep_error error;
    ep_archive_member first;
    size_t size = strlen(folder);
    ep_archive *a = ep_archive_open_bytes(test_text_exact(packed), NULL, &error);
    bool ok = a != NULL && ep_archive_check(a, NULL, &error) &&
              ep_archive_member_at(a, 0, &first) &&
              (memchr(first.name.data, '/', first.name.size) == NULL ||
               (first.name.size > size && memcmp(first.name.data, folder, size) == 0 &&
                first.name.data[size] == '/'));
    ep_archive_close(a);
    return ok;
}

static void test_pack(sample *s) {
    ep_error error;
    test_text packed = {0};
    ep_archive_pack_options options = packing_of(s);
    const ep_archive_extra extra = {{"note", 4}, {"text", 4}};
    CHECK(pack(s, &options, &packed, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    CHECK(begins_with(&packed, "archive"));
    options.folder = "model";
    options.extras = &extra;
    options.extra_count = 1;
    CHECK(pack(s, &options, &packed, &error));
    CHECK(begins_with(&packed, "model"));
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

static void test_migrate(const sample *s) {
    ep_error error;
    size_t steps = 0;
    test_text made = {0};
    ep_archive_migrate_options options = {
        .version = ep_version_find("8.20"), .report = hear_step, .report_context = &steps};
    CHECK(ep_archive_migrate(s->archive, &options, test_sink, &made, &error));
    CHECK_EQ_INT(error.code, EP_OK);
    CHECK(steps > 0);
    CHECK(!ep_archive_migrate(s->archive, &options, test_refuse, NULL, &error));
    CHECK_EQ_INT(error.code, EP_OUTPUT);
    test_text_free(&made);
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
            test_wishes(&s);
            test_pack(&s);
            test_refusals(&s);
            test_short_memory(&s);
            test_migrate(&s);
            test_migrate_short_memory(&s);
        }
        close_sample(&s);
    }
    return check_report();
}
