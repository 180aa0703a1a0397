/*
 * test_number.c - number.h: the grammar, and floats both ways.
 *
 *     test_number golden/floats.txt
 *
 * What floats should be is Python's word: in the rows here, in the table, and
 * in up to ten million numbers of conformance/scripts/ladder.
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

/* ----------------------------------------------------------- rows of floats */

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

static const struct {
    const char *text;
    uint64_t bits;
} read_rows[] = {
    {"0", 0},
    {"0.000", 0},
    {"0e5", 0},
    {"0.0E-400", 0},
    {"0e99999999999999999999", 0},
    {"1", 0x3FF0000000000000},
    {"1.0", 0x3FF0000000000000},
    {"10e-1", 0x3FF0000000000000},
    {"0.0000000000000000000000001E+25", 0x3FF0000000000000},
    {"10000000000000000000000000e-25", 0x3FF0000000000000},
    {"1.00000000000000000000000000000000000", 0x3FF0000000000000},
    {"1.0000000000000000021", 0x3FF0000000000000},
    {"0.1", 0x3FB999999999999A},
    {"1e23", 0x44B52D02C7E14AF6},
    {"8.5e22", 0x44B1FFDBF6B2B2EB},
    /* integers around 2^53, and at the ends of 64 bits */
    {"9007199254740991", 0x433FFFFFFFFFFFFF},
    {"9007199254740991.4999999999999999999999999999999995", 0x433FFFFFFFFFFFFF},
    {"9007199254740991.5", 0x4340000000000000},
    {"9007199254740992", 0x4340000000000000},
    {"9007199254740993", 0x4340000000000000},
    {"9007199254740993.0000000000000000000000000000000000", 0x4340000000000000},
    {"9007199254740993.0000000000000000000000000000000001", 0x4340000000000001},
    {"9007199254740992.9999999999999999999999999999999999", 0x4340000000000000},
    {"9007199254740994", 0x4340000000000001},
    {"9007199254740995", 0x4340000000000002},
    {"9223372036854775807", 0x43E0000000000000},
    {"12345678901234567890", 0x43E56A95319D63E1},
    {"18446744073709551615", 0x43F0000000000000},
    {"123456789012345678901234567890", 0x45F8EE90FF6C373E},
    /* halves that no nineteen digits tell */
    {"0.500000000000000166533453693773481063544750213623046875", 0x3FE0000000000002},
    {"1.00000000000000011102230246251565404236316680908203125", 0x3FF0000000000000},
    {"1.00000000000000011102230246251565404236316680908203124", 0x3FF0000000000000},
    {"1.00000000000000011102230246251565404236316680908203126", 0x3FF0000000000001},
    {"1.00000000000000033306690738754696212708950042724609375", 0x3FF0000000000002},
    {"5708990770823839207320493820740630171355185152001e-3", 0x4970000000000000},
    {"3.518437208883201171875e13", 0x42C0000000000002},
    /* 2^608 - 1 and 2^512 + 1: a power of two lies between these and the middle */
    {"1062275985633534197379176413104937254659186235454063846398888276400807119721"
     "7044854783250045304585713377786589724930020306931586753054144788190399575331"
     "74703887662541670786438063456255e-163",
     0x441708D0F84D3DE7},
    {"1340780792994259709957402499820584612747936582059239337772356144372176403007"
     "3546976801874298166903427690031858186486050853753882811946569946433649006084"
     "097e-192",
     0x38123FF06EEA847A},
    {"9000897964641196295e10", 0x45F22D5AED3CACBB}, /* above a middle by less than 2^-64 */
    /* close calls */
    {"62.5364939768271845828", 0x404F44ABD5AA7CA4},
    {"8.10109172351e-10", 0x3E0BD5CBAEF0FD0C},
    {"9214843084008499", 0x43405E6CEC57761A},
    {"6.9294956446009195e15", 0x43389E56EE5E7A58},
    {"3.5844466002796428e298", 0x7DEB67769DB917D9},
    {"104110013277974872254e-225", 0x1560B661A31987AE},
    /* the largest, and infinity */
    {"1.7976931348623157e308", 0x7FEFFFFFFFFFFFFF},
    {"1.7976931348623158e308", 0x7FEFFFFFFFFFFFFF},
    {"1.7976931348623158079e308", 0x7FEFFFFFFFFFFFFF},
    {"1.7976931348623158080e308", 0x7FF0000000000000},
    {"1.7976931348623159e308", 0x7FF0000000000000},
    {"1e308", 0x7FE1CCF385EBC8A0},
    {"2e308", 0x7FF0000000000000},
    {"1e309", 0x7FF0000000000000},
    {"1e310", 0x7FF0000000000000},
    {"9999999999999999999e308", 0x7FF0000000000000},
    {"1e400", 0x7FF0000000000000},
    {"0.00001e313", 0x7FE1CCF385EBC8A0},
    /* between normal and subnormal */
    {"2.2250738585072009e-308", 0x000FFFFFFFFFFFFF},
    {"2.2250738585072011e-308", 0x000FFFFFFFFFFFFF},
    {"2.2250738585072012e-308", 0x0010000000000000},
    {"2.2250738585072014e-308", 0x0010000000000000},
    {"2.2250738585072016e-308", 0x0010000000000000},
    {"6.631236846766476e-316", 0x0000000008000000},
    /* the smallest, and zero */
    {"7.4109846876186982e-324", 2},
    {"7.4109846876186981e-324", 1},
    {"4.9406564584124654e-324", 1},
    {"5e-324", 1},
    {"3e-324", 1},
    {"2.4703282292062328e-324", 1},
    {"2.4703282292062327e-324", 0},
    {"2e-324", 0},
    {"9999999999999999999e-343", 0},
    {"9999999999999999999e-342", 2},
    {"1e-342", 0},
    {"1e-343", 0},
    {"1e-400", 0},
    {"10000000000000000000000e-345", 2},
};

static void test_float_read(void) {
    for (size_t i = 0; i < EP_COUNT_OF(read_rows); i++) {
        check_read(read_rows[i].text, read_rows[i].bits);
    }
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

/* ------------------------------------------------------------------ table */

/* Lines of sixteen hex digits, a space, and repr. */
static void test_table(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!CHECK_NOTE(file != NULL, path)) {
        return;
    }
    char line[64];
    int count = 0;
    for (; fgets(line, sizeof line, file) != NULL; count++) {
        char *text = NULL;
        uint64_t bits = strtoull(line, &text, 16);
        size_t size = strlen(text);
        if (CHECK_NOTE(text == line + 16 && *text == ' ' && text[size - 1] == '\n', line)) {
            text[size - 1] = '\0';
            check_text(bits, text + 1);
            CHECK_EQ_BITS(read_bits(text + 1, size - 2), bits);
        }
    }
    CHECK_EQ_INT(count, 5000);
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: test_number TABLE\n", stderr);
        return 2;
    }
    test_grammar();
    test_float_read();
    test_powers_of_two();
    test_random();
    test_table(argv[1]);
    return check_report();
}
