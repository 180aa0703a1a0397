/*
 * test_struct.c - ep_decode_struct: documents of other structs than programs, what
 * is wrong with which, and want of memory.
 */
#include "check.h"
#include "epref.h"
#include "support.h"

typedef struct struct_row {
    const char *version; /* NULL: none */
    const char *type;
    const char *text;
    ep_code code;
    size_t offset;
} struct_row;

#define CONFIG_OF(entry) "{\"config\": {\"w\": " entry "}}"
#define PLAIN                                                                                      \
    "{\"path_name\": \"p\", \"is_param\": true, \"use_pickle\": true, \"tensor_meta\": null}"

static const struct_row struct_rows[] = {
    {"8.20", "PayloadConfig", CONFIG_OF(PLAIN), EP_OK, 0},
    {"8.14", "PayloadConfig", "{\"config\": {}}", EP_OK, 0},
    {"8.20", "PayloadMeta", PLAIN, EP_OK, 0},
    {"8.8", "PayloadConfig", "{\"config\": {}}", EP_ARGUMENT, 0},
    {"8.20", "Argument", "{}", EP_ARGUMENT, 0},
    {"8.20", "Nothing", "{}", EP_ARGUMENT, 0},
    {NULL, "PayloadConfig", "{\"config\": {}}", EP_ARGUMENT, 0},
    {"8.20", NULL, "{\"config\": {}}", EP_ARGUMENT, 0},
    {"8.20", "PayloadConfig", "", EP_END, 0},
    {"8.20", "PayloadConfig", "{}", EP_MISSING_FIELD, 1},
    {"8.20", "PayloadConfig", "[1, ]", EP_SYNTAX, 4}, /* the wire comes first */
    {"8.20", "PayloadConfig", "{\"config\": {}, \"config\": {}}", EP_DUPLICATE_KEY, 15},
    {"8.20", "PayloadConfig", "{\"config\": {}, \"schema_version\": 1}", EP_UNKNOWN_FIELD, 15},
    {"8.20", "PayloadConfig", "{\"config\": {\"w\": NaN}}", EP_NONFINITE, 17},
    {"8.20", "PayloadConfig", CONFIG_OF("{\"path_name\": 1}"), EP_TYPE, 31},
    {"8.20", "PayloadConfig", "{\"config\": {}} ]", EP_TRAILING, 15},
};

static void check_struct(const struct_row *row) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    ep_decode_options options = ep_decode_options_default();
    options.version = row->version == NULL ? NULL : ep_version_find(row->version);
    test_arena(&arena, &heap, 0);
    ep_value value = ep_decode_struct(&arena, test_bytes(row->text), &options, row->type, &error);
    bool ok = error.code == EP_OK;
    CHECK_EQ_INT(ok, row->code == EP_OK);
    CHECK_EQ_INT(error.code, row->code);
    CHECK_EQ_INT(error.offset, row->offset);
    CHECK_EQ_INT(ep_value_kind(value), ok ? EP_KIND_STRUCT : EP_KIND_NULL);
    CHECK(!ok || strcmp(ep_value_type(value), row->type) == 0);
    value = ep_decode_struct(&arena, test_bytes(row->text), &options, row->type, NULL);
    CHECK_EQ_INT(ep_value_kind(value), ok ? EP_KIND_STRUCT : EP_KIND_NULL);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

static void test_struct_values(void) {
    test_heap heap = {0};
    ep_arena arena;
    ep_bytes text;
    ep_decode_options options = ep_decode_options_default();
    options.version = ep_version_find("8.20");
    test_arena(&arena, &heap, 0);
    ep_value value =
        ep_decode_struct(&arena, test_bytes(CONFIG_OF(PLAIN)), &options, "PayloadConfig", NULL);
    ep_value entry = ep_value_item(ep_value_field(value, "config"), 0);
    CHECK(ep_value_text(ep_value_field(entry, "path_name"), &arena, &text));
    CHECK(text.size == 1 && text.data[0] == 'p');
    CHECK_EQ_INT(ep_value_int(ep_value_field(entry, "use_pickle")), 1);
    CHECK_EQ_INT(ep_value_kind(ep_value_field(entry, "tensor_meta")), EP_KIND_NULL);
    options.limits.bytes = 4;
    value = ep_decode_struct(&arena, test_bytes(PLAIN), &options, "PayloadMeta", NULL);
    CHECK_EQ_INT(ep_value_kind(value), EP_KIND_NULL);
    ep_error error;
    ep_decode_struct(&arena, (ep_bytes){NULL, 3}, &options, "PayloadMeta", &error);
    CHECK_EQ_INT(error.code, EP_ARGUMENT);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* Every allocation refused in turn. */
static void test_struct_memory(void) {
    ep_decode_options options = ep_decode_options_default();
    options.version = ep_version_find("8.20");
    bool ok = false;
    for (size_t refuse = 1; !ok; refuse++) {
        test_heap heap = {.fail_at = refuse, .fail_on = true};
        ep_arena arena;
        ep_error error;
        test_arena(&arena, &heap, 0);
        ep_decode_struct(&arena, test_bytes(CONFIG_OF(PLAIN)), &options, "PayloadConfig", &error);
        ok = error.code == EP_OK;
        bool refused = heap.calls >= refuse;
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
        if (!CHECK(ok != refused && (ok || error.code == EP_MEMORY))) {
            break;
        }
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof struct_rows / sizeof struct_rows[0]; i++) {
        check_struct(&struct_rows[i]);
    }
    test_struct_values();
    test_struct_memory();
    return check_report();
}
