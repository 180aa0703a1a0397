/*
 * test_digest.c - SHA-256 by the vectors of FIPS 180-4 and its examples, in one
 * piece and in many; and the lines of a list of digests, there and back.
 */
#include "check.h"
#include "common/digest.h"

#include <stdlib.h>

static ep_bytes piece(const char *text) {
    return (ep_bytes){text, strlen(text)};
}

/* ------------------------------------------------------------------------ SHA-256 */

static void expect_hash(const ep_bytes *pieces, size_t count, const char *hex) {
    char made[DIGEST_HEX_SIZE + 1];
    memset(made, 'x', sizeof made);
    digest_sha256(pieces, count, made);
    CHECK_EQ_STR(made, strlen(made), hex);
}

/* A text of so many times a part. */
static void expect_repeated(const char *part, size_t times, const char *hex) {
    size_t size = strlen(part);
    char *text = malloc(size * times);
    ep_bytes *pieces = malloc(times * sizeof *pieces);
    if (CHECK(text != NULL && pieces != NULL)) {
        for (size_t i = 0; i < times; i++) {
            memcpy(text + i * size, part, size);
            pieces[i] = piece(part);
        }
        expect_hash(&(ep_bytes){text, size * times}, 1, hex);
        expect_hash(pieces, times, hex);
    }
    free(text);
    free(pieces);
}

static void test_hashes(void) {
    static const char empty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    expect_hash(NULL, 0, empty);
    expect_hash(&(ep_bytes){NULL, 0}, 1, empty);
    expect_repeated("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_repeated("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_repeated("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                    "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                    1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    expect_repeated("a", 1000000,
                    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_digest(void) {
    digest d;
    digest_of(DIGEST_PROGRAM, piece("abc"), &d);
    CHECK_EQ_STR(d.text, strlen(d.text),
                 "ep1:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* --------------------------------------------------------------------------- lines */

#define HEX_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define DIGEST_OF_ABC "ep1:" HEX_OF_ABC

static void expect_back(const char *name, const char *line) {
    digest d;
    digest back;
    buffer text = {0};
    buffer read = {0};
    digest_of(DIGEST_PROGRAM, piece("abc"), &d);
    digest_put_line(&text, &d, name);
    CHECK_EQ_STR(text.data, text.size, line);
    if (CHECK(digest_read_line((ep_bytes){text.data, text.size - 1}, &back, &read))) {
        CHECK_EQ_STR(back.text, strlen(back.text), DIGEST_OF_ABC);
        CHECK_EQ_STR(read.data, read.size, name);
    }
    buffer_free(&text);
    buffer_free(&read);
}

static void test_lines(void) {
    expect_back("model.pt2", DIGEST_OF_ABC "  model.pt2\n");
    expect_back("-", DIGEST_OF_ABC "  -\n");
    expect_back("  two  spaces ", DIGEST_OF_ABC "    two  spaces \n");
    expect_back("a\\b", "\\" DIGEST_OF_ABC "  a\\\\b\n");
    expect_back("a\nb\r", "\\" DIGEST_OF_ABC "  a\\nb\\r\n");
    expect_back("\xc3\xa9", DIGEST_OF_ABC "  \xc3\xa9\n");
    expect_back("\xff\xc3\xa9\xc3", "\\" DIGEST_OF_ABC "  \\xff\xc3\xa9\\xc3\n");
    expect_back("\x1b[1m\x7f", "\\" DIGEST_OF_ABC "  \\x1b[1m\\x7f\n");
    expect_back("a\xe2\x80\xae"
                "b",
                "\\" DIGEST_OF_ABC "  a\\xe2\\x80\\xae"
                "b\n");
}

static void expect_none(const char *line, size_t size) {
    digest d;
    buffer name = {0};
    char *copy = malloc(size + 1); /* so that a sanitizer sees what is read beyond */
    if (CHECK(copy != NULL)) {
        memcpy(copy, line, size);
        CHECK_NOTE(!digest_read_line((ep_bytes){copy, size}, &d, &name), line);
    }
    free(copy);
    buffer_free(&name);
}

static void test_other_lines(void) {
    static const char *const lines[] = {
        "",
        "\\",
        "ep1:",
        DIGEST_OF_ABC,
        DIGEST_OF_ABC "  ",
        DIGEST_OF_ABC " model",
        DIGEST_OF_ABC " *model",
        DIGEST_OF_ABC "\t model",
        HEX_OF_ABC "  model",
        "ep2:" HEX_OF_ABC "  model",
        "EP1:" HEX_OF_ABC "  model",
        "ep1:" HEX_OF_ABC "0  model",
        "ep1:g" HEX_OF_ABC "  model",
        " " DIGEST_OF_ABC "  model",
        "\\" DIGEST_OF_ABC "  a\\x",
        "\\" DIGEST_OF_ABC "  a\\",
        "\\" DIGEST_OF_ABC "  a\\x1",
        "\\" DIGEST_OF_ABC "  a\\x1g",
        "\\" DIGEST_OF_ABC "  a\\x1B",
        "\\" DIGEST_OF_ABC "  a\\x00",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        expect_none(lines[i], strlen(lines[i]));
    }
    static const char zero[] = DIGEST_OF_ABC "  a\0b";
    expect_none(zero, sizeof zero - 1);
    static const char whole[] = DIGEST_OF_ABC "  m";
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        expect_none(whole, size);
    }
}

/* Digits of either case, and the line ends of Windows. */
static void test_spellings(void) {
    char line[] = "ep1:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD  model\r";
    digest d;
    buffer name = {0};
    if (CHECK(digest_read_line(piece(line), &d, &name))) {
        CHECK_EQ_STR(d.text, strlen(d.text), DIGEST_OF_ABC);
        CHECK_EQ_STR(name.data, name.size, "model");
    }
    buffer_free(&name);
}

int main(void) {
    test_hashes();
    test_digest();
    test_lines();
    test_other_lines();
    test_spellings();
    return check_report();
}
