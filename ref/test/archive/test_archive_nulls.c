/*
 * test_archive_nulls.c - NULL and extreme arguments for every function of epref_archive.h
 * (nulls_archive.def), as test_nulls.c has them for epref.h.
 *
 *     test_archive_nulls ARCHIVE PROGRAM      the program is of version 1, with a tensor inside
 */
#include "archive/zip/zipwrite.h"
#include "epref_archive.h"
#include "support.h"
#include "turns.h"

#include <stdlib.h>

/* What the files hold. */
typedef struct files {
    const char *path;
    ep_bytes bytes;
    ep_bytes tensors; /* of the archive, as safetensors */
    ep_bytes package; /* an archive of a compiled model */
    ep_bytes name;    /* of the tensor */
    ep_bytes base64;
} files;

/* What functions are called with. */
typedef struct world {
    turns turns;
    ep_value values[TURN_VALUES];
    ep_arena arena;
    ep_archive *archive;
    ep_archive *spare; /* to be closed */
    const char *path;
    ep_bytes bytes;
    ep_archive_source source;
    ep_archive_options options;
    ep_archive_check_options checking;
    ep_error error;
    ep_error core;
    ep_archive_member member;
    ep_archive_program named;
    ep_archive_tensor tensor;
    ep_archive_storage storage;
    ep_archive *package; /* of a compiled model */
    ep_archive_compiled compiled;
    ep_archive_compiled_row row;
    ep_archive_file_options file;
    ep_archive_pack_options packing;
    ep_archive_migrate_options migrating;
    ep_bytes text;
    const ep_program *program;
    char digest[EP_DIGEST_SIZE];
    bool undecided;
    ep_constants *constants;
    ep_constants *spare_set; /* to be closed */
    ep_bytes name;
    ep_bytes base64;
    ep_tensor_info info;
    ep_constant constant;
} world;

static bool take(world *w, ep_archive *archive) {
    ep_archive_close(w->spare);
    w->spare = archive;
    return archive != NULL;
}

static bool take_set(world *w, ep_constants *set) {
    ep_constants_close(w->spare_set);
    w->spare_set = set;
    return set != NULL;
}

/* What was closed, unless it was NULL instead. */
static bool forget(world *w) {
    bool kept = w->turns.name != NULL;
    w->spare = kept ? w->spare : NULL;
    return true;
}

static bool drop(world *w) {
    bool kept = w->turns.name != NULL;
    w->spare_set = kept ? w->spare_set : NULL;
    return true;
}

static bool sink(void *context, const char *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return true;
}

static void hear(void *context, size_t program, ep_bytes member, const ep_finding *finding) {
    (void)context;
    (void)program;
    (void)member;
    CHECK(ep_audit_name(finding->id) != NULL);
}

static bool read_bytes(void *context, uint64_t place, void *to, size_t size) {
    const ep_bytes *bytes = context;
    if (place > bytes->size || size > bytes->size - place) {
        return false;
    }
    memcpy(to, bytes->data + place, size);
    return true;
}

static bool keep_piece(void *context, ep_bytes piece, failure *what) {
    buffer *file = context;
    (void)what;
    buffer_put(file, piece.data, piece.size);
    return !file->failed;
}

/* An archive of a model whose metadata says a device. */
static bool write_package(buffer *file) {
    zipwrite zip = {.pt2 = true};
    failure what = {0};
    ep_bytes name = bytes_of("m/data/aotinductor/a/x.wrapper_metadata.json");
    bool ok = zipwrite_bytes(&zip, name, bytes_of("{\"AOTI_DEVICE_KEY\": \"cpu\"}")) != NULL &&
              zipwrite_all(&zip, keep_piece, file, &what);
    zipwrite_free(&zip);
    return ok;
}

static void open_world(world *w, void *given, const char *name, size_t extreme) {
    files *f = given;
    *w = (world){.path = f->path, .bytes = f->bytes, .name = f->name, .base64 = f->base64};
    w->options = ep_archive_options_default();
    w->source = (ep_archive_source){read_bytes, &f->bytes, f->bytes.size};
    w->archive = ep_archive_open_bytes(f->bytes, NULL, NULL);
    w->spare = ep_archive_open_bytes(f->bytes, NULL, NULL);
    ep_archive_options wish = ep_archive_options_default();
    wish.compiled = true;
    w->package = ep_archive_open_bytes(f->package, &wish, NULL);
    CHECK(ep_archive_list(w->package, NULL));
    w->constants = ep_constants_open(0, true, NULL);
    w->spare_set = ep_constants_open(0, true, NULL);
    w->migrating.version = ep_version_find("8.20");
    w->packing = ep_archive_pack_options_default();
    w->packing.tensors = (ep_archive_source){read_bytes, &f->tensors, f->tensors.size};
    CHECK(ep_constants_take(w->constants, f->name, f->base64, &w->info));
    ep_arena_init(&w->arena, ep_heap(), 0);
    CHECK(ep_archive_list(w->archive, NULL) &&
          ep_archive_program_text(w->archive, 0, &w->text, NULL) &&
          ep_decode(&w->arena, w->text, NULL, &w->program, NULL));
    memset(&w->error, 0xEE, sizeof w->error);
    memset(&w->core, 0xEE, sizeof w->core);
    w->turns.name = name;
    w->turns.extreme = extreme;
}

static void close_world(world *w) {
    ep_constants_close(w->spare_set);
    ep_constants_close(w->constants);
    ep_archive_close(w->spare);
    ep_archive_close(w->package);
    ep_archive_close(w->archive);
    ep_arena_free(&w->arena);
}

/* ------------------------------------------------------------------------- rows */

#define TURN_ROWS "../archive/nulls_archive.def"
#include "turn_rows.h"

/* Functions on programs have errors of the core. */
static ep_code code_of(const char *function, const world *w) {
    static const char prefix[] = "ep_archive_";
    bool core = strncmp(function, prefix, sizeof prefix - 1) != 0;
    return core ? w->core.code : w->error.code;
}

static bool close_turn(const turn_row *row, world *w) {
    (void)row;
    close_world(w);
    return true;
}

/* ---------------------------------------------------------------------- structs */

/* Limits of any size, a length that the source does not have, no such model. */
static void check_options(files *f) {
    for (size_t i = 0; i < sizeof turn_numbers / sizeof turn_numbers[0]; i++) {
        size_t number = (size_t)turn_numbers[i];
        world w;
        open_world(&w, f, NULL, 0);
        ep_limits *limits = &w.options.decoding.limits;
        size_t *const members[] = {&limits->bytes, &limits->depth, &limits->values, &limits->string,
                                   &w.options.memory};
        for (size_t j = 0; j < sizeof members / sizeof members[0]; j++) {
            w.options = ep_archive_options_default();
            *members[j] = number;
            bool ok = take(&w, ep_archive_open_bytes(f->bytes, &w.options, &w.error)) &&
                      ep_archive_check(w.spare, NULL, &w.error);
            CHECK(ok == (w.error.code == EP_OK) && w.error.code != EP_INTERNAL);
        }
        w.source.size = number;
        bool ok = take(&w, ep_archive_open(&w.source, NULL, &w.error));
        CHECK(!ok && w.error.code != EP_OK && w.error.code != EP_INTERNAL);
        close_world(&w);
    }
}

/* Gives the first tensor of a program to the files. */
static bool note_tensor(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    files *f = context;
    (void)info;
    f->name = f->base64.size > 0 ? f->name : name;
    f->base64 = f->base64.size > 0 ? f->base64 : base64;
    return false;
}

static void check_all(files *f, ep_bytes program_text) {
    ep_arena arena;
    const ep_program *program;
    ep_built built;
    ep_canon_options options = {.constant = note_tensor, .constant_context = f};
    ep_arena_init(&arena, ep_heap(), 0);
    if (CHECK(ep_decode(&arena, program_text, NULL, &program, NULL)) &&
        CHECK(ep_canon(program, &arena, &options, &built, NULL)) && CHECK(f->base64.size > 0)) {
        check_rows(f);
        check_options(f);
    }
    ep_arena_free(&arena);
}

/* Writes the tensors of the archive into a text. */
static bool write_tensors(const files *f, test_text *tensors) {
    ep_archive *a = ep_archive_open_bytes(f->bytes, NULL, NULL);
    bool ok = ep_archive_write_tensors(a, NULL, test_sink, tensors, NULL);
    ep_archive_close(a);
    return ok;
}

int main(int argc, char **argv) {
    test_text archive = {0};
    test_text program = {0};
    test_text tensors = {0};
    if (CHECK(argc == 3) && CHECK(test_read_file(argv[1], &archive)) &&
        CHECK(test_read_file(argv[2], &program))) {
        buffer package = {0};
        files f = {.path = argv[1], .bytes = test_text_exact(&archive)};
        CHECK(write_tensors(&f, &tensors) && write_package(&package));
        f.package = buffer_bytes(&package);
        f.tensors = test_text_exact(&tensors);
        check_all(&f, test_text_exact(&program));
        buffer_free(&package);
    }
    test_text_free(&tensors);
    test_text_free(&program);
    test_text_free(&archive);
    return check_report();
}
