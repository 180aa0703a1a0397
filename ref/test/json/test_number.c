/*
 * test_number.c - number.h: the grammar, and floats both ways.
 *
 *     test_number golden/reads.txt golden/floats.txt
 *
 * What floats should be is Python's word: in these tables, and in up to ten million
 * numbers of conformance/scripts/ladder.
 */
#include "json/number.h"

#include "check.h"

#include <stdlib.h>

enum { RANDOM_COUNT = 100000 };

static const uint64_t infinity = (uint64_t)0x7FF << 52;
static const uint64_t sign = (uint64_t)1 << 63;

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t read_bits(const char *text, size_t size) {
    return bits_of(ep_number_read_float(text, size));
}

/* ---------------------------------------------------------------- grammar */

static void test_grammar(void) {
    static const char *const numbers[] = {
        "0",     "-0",    "7",     "10",      "-120",      "0.0",
        "-0.50", "1.5",   "10.01", "0e0",     "1e5",       "1E5",
        "1e+5",  "1e-05", "1E-0",  "-0.0e-0", "12.5E+007", "1e99999999999999999999",
    };
    static const char *const others[] = {
        "",      "-",   "+1",   "00",       "01",        "-01",      "1.",
        ".5",    "-.5", "1.e5", "1e",       "1e+",       "1E-",      "e5",
        "--1",   "1 ",  " 1",   "1.5.5",    "1e5.0",     "1e5e5",    "0x10",
        "1_000", "inf", "nan",  "NaN",      "1f",        "1,5",      "0.-5",
        "1e--5", "1-",  "-NaN", "Infinity", "-Infinity", "\xD9\xA1", "1e\xEF\xBC\x91"};
    for (size_t i = 0; i < EP_COUNT_OF(numbers); i++) {
        double value;
        CHECK_NOTE(ep_number_is_json(numbers[i], strlen(numbers[i])), numbers[i]);
        CHECK_NOTE(ep_float_read(ep_text_of(numbers[i]), &value), numbers[i]);
    }
    for (size_t i = 0; i < EP_COUNT_OF(others); i++) {
        double value = 5;
        CHECK_NOTE(!ep_number_is_json(others[i], strlen(others[i])), others[i]);
        CHECK_NOTE(!ep_float_read(ep_text_of(others[i]), &value), others[i]);
        CHECK_NOTE(bits_of(value) == bits_of(5), others[i]);
    }
    CHECK(!ep_number_is_json(NULL, 0));
    CHECK(!ep_number_is_json("1\0", 2));
    CHECK(ep_number_is_json("1\0", 1));
}

/* ----------------------------------------------------------- round trips */

static void check_round_trip(uint64_t bits) {
    char text[EP_FLOAT_SIZE];
    size_t size = ep_float_text(double_of(bits), text);
    CHECK(size <= EP_FLOAT_TEXT_SIZE);
    if ((bits & ~sign) >= infinity) {
        const char *name = (bits & ~sign) > infinity ? "nan" : bits & sign ? "-inf" : "inf";
        CHECK_EQ_STR(text, size, name);
        return;
    }
    double value = 5;
    CHECK(ep_float_read((ep_bytes){text, size}, &value));
    CHECK_EQ_BITS(bits_of(value), bits);
}

static void test_powers_of_two(void) {
    for (uint64_t biased = 0; biased < 0x800; biased++) {
        for (uint64_t off = 0; off < 5; off++) {
            check_round_trip((biased << 52) + off);
            check_round_trip((biased << 52) - off); /* of 0: a NaN */
        }
    }
    for (unsigned bit = 0; bit < 52; bit++) {
        check_round_trip((uint64_t)1 << bit);
    }
}

/* Marsaglia's xorshift, a walk through all 64-bit numbers but 0. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void test_random(void) {
    uint64_t state = 88172645463325252;
    for (int i = 0; i < RANDOM_COUNT; i++) {
        uint64_t bits = next_random(&state);
        check_round_trip(bits);
        char text[EP_INT_TEXT_SIZE];
        int64_t value = 0;
        int64_t some;
        memcpy(&some, &bits, sizeof some);
        some /= (int64_t)1 << i % 63; /* of all lengths */
        size_t size = ep_number_print_int(some, text);
        CHECK(size <= EP_INT_TEXT_SIZE && ep_number_read_int(text, size, &value));
        CHECK_EQ_INT(value, some);
    }
}

/* ----------------------------------------------------------------- tables */

static void check_text(uint64_t bits, const char *expected) {
    char text[EP_FLOAT_SIZE];
    size_t size = ep_float_text(double_of(bits), text);
    CHECK_EQ_STR(text, size, expected);
}

static void check_read(const char *text, uint64_t expected) {
    char negative[1024] = "-";
    size_t size = strlen(text);
    if (!CHECK_EQ_BITS(read_bits(text, size), expected)) {
        fprintf(stderr, "    for %s\n", text);
    }
    memcpy(negative + 1, text, size);
    if (!CHECK_EQ_BITS(read_bits(negative, size + 1), expected | sign)) {
        fprintf(stderr, "    for -%s\n", text);
    }
}

/* Lines of sixteen hex digits, a space, and a text that is read so; or, where it is printed, repr.
 * Those that begin with # are for people. */
static void test_table(const char *path, bool printed, int expected) {
    FILE *file = fopen(path, "rb");
    if (!CHECK_NOTE(file != NULL, path)) {
        return;
    }
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char *text = NULL;
        uint64_t bits = strtoull(line, &text, 16);
        size_t size = strlen(text);
        if (line[0] == '#') {
            continue;
        }
        count++;
        if (CHECK_NOTE(text == line + 16 && *text == ' ' && text[size - 1] == '\n', line)) {
            text[size - 1] = '\0';
            if (printed) {
                check_text(bits, text + 1);
                CHECK_EQ_BITS(read_bits(text + 1, size - 2), bits);
            } else {
                check_read(text + 1, bits);
            }
        }
    }
    CHECK_EQ_INT(count, expected);
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: test_number READS FLOATS\n", stderr);
        return 2;
    }
    test_grammar();
    test_powers_of_two();
    test_random();
    test_table(argv[1], false, 77);
    test_table(argv[2], true, 5000);
    return check_report();
}
