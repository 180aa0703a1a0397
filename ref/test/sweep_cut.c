/*
 * sweep_cut.c - documents that end too early, at each byte, where the version is
 * known before: then nobody has gone through the whole document first. With the
 * white space of PyTorch, with none, and with more of it. usage:
 *
 *     sweep_cut FILE...
 */
#include "check.h"
#include "epref.h"
#include "support.h"

/* The text with this after each comma, colon and bracket outside strings. */
static void space(const test_text *text, const char *white, test_text *made) {
    bool inside = false;
    for (size_t i = 0; i < text->size; i++) {
        char c = text->data[i];
        if (inside && c == '\\') {
            test_add(made, text->data + i++, 2);
            continue;
        }
        inside = inside != (c == '"');
        if (inside || c != ' ') {
            test_add(made, &c, 1);
        }
        if (!inside && strchr(",:[{", c) != NULL) {
            test_add_str(made, white);
        }
    }
}

/* What is said of the first bytes of a text, which are all that there is. */
static ep_code decode(const test_text *text, size_t size, const ep_version *version) {
    test_heap heap = {0};
    test_text part = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.version = version;
    test_arena(&arena, &heap, 0);
    test_add(&part, text->data, size);
    if (!ep_decode(&arena, test_text_exact(&part), &options, &program, &error)) {
        CHECK(error.offset <= size);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&part);
    return error.code;
}

/* Of a whole document of its own version; NULL if it is none. */
static const ep_version *version_of(const test_text *text) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program;
    const ep_version *version = NULL;
    test_arena(&arena, &heap, 0);
    if (ep_decode(&arena, (ep_bytes){text->data, text->size}, NULL, &program, NULL)) {
        version = ep_program_version(program);
    }
    ep_arena_free(&arena);
    return version;
}

static void cut(const char *path, const test_text *text, const ep_version *version) {
    size_t end = text->size;
    while (text->data[end - 1] != '}') {
        end--;
    }
    CHECK_EQ_INT(decode(text, text->size, version), EP_OK);
    for (size_t size = 0; size < end; size++) {
        ep_code code = decode(text, size, version);
        if (!CHECK(code != EP_OK && code != EP_INTERNAL && code != EP_MEMORY)) {
            fprintf(stderr, "    %s, %zu bytes: %s\n", path, size, ep_code_name(code));
        }
    }
}

int main(int argc, char **argv) {
    static const char *const spaces[] = {"", " ", "\n\t"};
    for (int i = 1; i < argc; i++) {
        test_text text = {0};
        if (!CHECK_NOTE(test_read_file(argv[i], &text), argv[i])) {
            continue;
        }
        const ep_version *version = version_of(&text);
        for (size_t j = 0; CHECK(version != NULL) && j < 3; j++) {
            test_text made = {0};
            space(&text, spaces[j], &made);
            cut(argv[i], &made, version);
            test_text_free(&made);
        }
        if (version != NULL) {
            cut(argv[i], &text, version);
        }
        test_text_free(&text);
    }
    CHECK(argc > 1);
    return check_report();
}
