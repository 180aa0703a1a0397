/*
 * test_number.c - number.h: the grammar, integers, and floats both ways.
 *
 *     test_number golden/floats.txt
 *
 * What floats should be is Python's word: in the rows here, in the table, and
 * in many millions of numbers by scripts/prove/floats.
 */
#include "json/number.h"

#include "check.h"

#include <stdlib.h>

enum { MILLION = 1000000, RANDOM_COUNT = 100000 };

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

/* --------------------------------------------------------------- integers */

static void test_int(void) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        {"0", 0},
        {"7", 7},
        {"-1", -1},
        {"10", 10},
        {"-4294967296", -4294967296},
        {"999999999999999999", 999999999999999999},
        {"1000000000000000000", 1000000000000000000},
        {"9223372036854775806", INT64_MAX - 1},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775807", INT64_MIN + 1},
        {"-9223372036854775808", INT64_MIN},
    };
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        char text[EP_INT_TEXT_SIZE];
        int64_t value = 5;
        CHECK_NOTE(ep_number_read_int(rows[i].text, strlen(rows[i].text), &value), rows[i].text);
        CHECK_EQ_INT(value, rows[i].value);
        size_t size = ep_number_print_int(rows[i].value, text);
        CHECK_EQ_STR(text, size, rows[i].text);
    }
}

static void test_int_odd_texts(void) {
    static const char *const too_large[] = {
        "9223372036854775808",
        "-9223372036854775809",
        "9999999999999999999",
        "-9999999999999999999",
        "10000000000000000000",
        "-10000000000000000000",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617",
        "-18446744073709551615",
        "340282366920938463463374607431768211456",
    };
    for (size_t i = 0; i < EP_COUNT_OF(too_large); i++) {
        int64_t value = 5;
        CHECK_NOTE(!ep_number_read_int(too_large[i], strlen(too_large[i]), &value), too_large[i]);
        CHECK_EQ_INT(value, 5);
    }
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"-0", 0}, {"000", 0}, {"-00000000000000000000000000000012", -12}};
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        int64_t value = 5;
        CHECK_NOTE(ep_number_read_int(rows[i].text, strlen(rows[i].text), &value), rows[i].text);
        CHECK_EQ_INT(value, rows[i].value);
    }
}

/* ----------------------------------------------------------- rows of floats */

static void check_text(uint64_t bits, const char *expected) {
    char text[EP_FLOAT_SIZE];
    size_t size = ep_float_text(double_of(bits), text);
    CHECK_EQ_STR(text, size, expected);
}

static void test_float_text(void) {
    static const struct {
        uint64_t bits;
        const char *text;
    } rows[] = {
        {0x0000000000000000, "0.0"},
        {0x8000000000000000, "-0.0"},
        {0x3FF0000000000000, "1.0"},
        {0xBFF8000000000000, "-1.5"},
        {0x3FB999999999999A, "0.1"},
        {0x3FD5555555555555, "0.3333333333333333"},
        {0x3FD3333333333334, "0.30000000000000004"},
        {0x405EDD2F1A9FBE77, "123.456"},
        {0x40934A0000000000, "1234.5"},
        {0x3F1A36E2EB1C432D, "0.0001"}, /* where the exponent form begins */
        {0x3F1A36E2EB1C432C, "9.999999999999999e-05"},
        {0x3EE4F8B588E368F1, "1e-05"},
        {0x3DDB7CDFD9D7BDBB, "1e-10"},
        {0x4341C37937E08000, "1e+16"}, /* and where it ends */
        {0x4341C37937E07FFF, "9999999999999998.0"},
        {0x4341C37937E08001, "1.0000000000000002e+16"},
        {0x430C6BF526340000, "1000000000000000.0"},
        {0x437B69B4BA630F35, "1.2345678901234568e+17"},
        {0x4415AF1D78B58C40, "1e+20"},
        {0x54B249AD2594C37D, "1e+100"},
        {0x2B2BFF2EE48E0530, "1e-100"},
        {0x44B52D02C7E14AF6, "1e+23"},
        {0x44B52D02C7E14AF7, "1.0000000000000001e+23"},
        {0x44C52D02C7E14AF6, "2e+23"},
        {0x433FFFFFFFFFFFFF, "9007199254740991.0"}, /* around 2^53 */
        {0x4340000000000000, "9007199254740992.0"},
        {0x4340000000000001, "9007199254740994.0"},
        {0x0000000000000001, "5e-324"}, /* the smallest */
        {0x0000000000000002, "1e-323"},
        {0x0000000000000003, "1.5e-323"},
        {0x000FFFFFFFFFFFFF, "2.225073858507201e-308"}, /* subnormal and normal */
        {0x0010000000000000, "2.2250738585072014e-308"},
        {0x0010000000000001, "2.225073858507202e-308"},
        {0x001FFFFFFFFFFFFF, "4.4501477170144023e-308"},
        {0x0020000000000000, "4.450147717014403e-308"},
        {0x7FEFFFFFFFFFFFFF, "1.7976931348623157e+308"}, /* the largest */
        {0xFFEFFFFFFFFFFFFF, "-1.7976931348623157e+308"},
        {0x3D30000000000000, "5.684341886080802e-14"},    /* 2^-44: a tie, to even */
        {0xFD3FEB3C9250B797, "-2.0385604250228102e+295"}, /* all the 24 bytes */
        {0x6CBF92BACB3CB40C, "6.802601037806062e+215"},   /* nearest to a whole product */
        {0x7FF0000000000000, "inf"},
        {0xFFF0000000000000, "-inf"},
        {0x7FF8000000000000, "nan"},
        {0xFFF8000000000000, "nan"},
        {0x7FF0000000000001, "nan"},
        {0xFFFFFFFFFFFFFFFF, "nan"},
    };
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        check_text(rows[i].bits, rows[i].text);
    }
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

/* ------------------------------------------------------------- long floats */

/* A text that grows; a test without memory ends. */
typedef struct growing {
    char *data;
    size_t size;
    size_t room;
} growing;

static void add_many(growing *text, char c, size_t count) {
    if (text->room - text->size < count) {
        text->room = 2 * text->room + count;
        text->data = realloc(text->data, text->room);
        if (text->data == NULL) {
            fputs("test_number: out of memory\n", stderr);
            exit(2);
        }
    }
    memset(text->data + text->size, c, count);
    text->size += count;
}

static void add(growing *text, const char *string) {
    for (; *string != '\0'; string++) {
        add_many(text, *string, 1);
    }
}

/* before, a million times c, after: as a number it is these bits. */
static void check_million(const char *before, char c, const char *after, uint64_t expected) {
    growing text = {.data = NULL};
    double value = 5;
    add(&text, before);
    add_many(&text, c, MILLION);
    add(&text, after);
    CHECK(ep_float_read((ep_bytes){text.data, text.size}, &value));
    if (!CHECK_EQ_BITS(bits_of(value), expected)) {
        fprintf(stderr, "    for %s, a million times %c, %s\n", before, c, after);
    }
    free(text.data);
}

static void test_millions(void) {
    const uint64_t one = bits_of(1);
    check_million("1", '0', "e-1000000", one);
    check_million("1", '0', ".0E-1000000", one);
    check_million("0.", '0', "1e1000001", one);
    check_million("1.", '0', "1", one);
    check_million("0.", '9', "", one);
    check_million("0.", '9', "e1", bits_of(10));
    check_million("-0.", '0', "", sign);
    check_million("0.", '0', "1", 0);
    check_million("0.", '0', "1e999984", 0x3C670EF54646D497); /* 1e-17 */
    check_million("", '7', "", infinity);
    check_million("-", '7', "", infinity | sign);
    check_million("", '9', "e-999984", 0x4341C37937E08000); /* 1e16 */
    /* exponents with a million digits */
    check_million("1e", '9', "", infinity);
    check_million("-1e+", '9', "", infinity | sign);
    check_million("1E-", '9', "", 0);
    check_million("-1e-", '9', "", sign);
    check_million("0e", '9', "", 0);
    check_million("-0e-", '9', "", sign);
    check_million("1e", '0', "", one);
    check_million("1e-", '0', "1", bits_of(0.1));
    check_million("1e", '0', "308", 0x7FE1CCF385EBC8A0);
    /* a last digit that decides between neighbours */
    check_million("9007199254740993.", '0', "", 0x4340000000000000);
    check_million("9007199254740993.", '0', "1", 0x4340000000000001);
    check_million("9007199254740992.", '9', "", 0x4340000000000000);
}

/* ---------------------------------------------------------------- middles */

enum { MIDDLE_SIZE = 800, FIVES = 1075 };

/* Decimal digits, the last first. */
typedef struct digits {
    unsigned char of[MIDDLE_SIZE];
    size_t count;
} digits;

static digits digits_of(uint64_t value) {
    digits n = {.count = 0};
    for (; value != 0; value /= 10) {
        n.of[n.count++] = (unsigned char)(value % 10);
    }
    return n;
}

static void multiply(digits *n, unsigned factor) {
    unsigned carry = 0;
    for (size_t i = 0; i < n->count || carry != 0; i++) {
        n->count += i == n->count;
        carry += n->of[i] * factor;
        n->of[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
}

/*
 * The middle between subnormal or smallest normal doubles, of bits and of
 * bits + 1, and what is near it. It is (2 * bits + 1) * 2^-1075, in decimal
 * (2 * bits + 1) * 5^1075 * 10^-1075: up to 768 digits, the last one a 5.
 */
static void check_middle(uint64_t bits, const char *last, size_t zeros, const char *further,
                         uint64_t expected) {
    digits n = digits_of(2 * bits + 1);
    for (int i = 0; i < FIVES; i++) {
        multiply(&n, 5);
    }
    CHECK_EQ_INT(n.of[0], 5);
    growing text = {.data = NULL};
    for (size_t i = n.count; i-- > 1;) {
        add_many(&text, (char)('0' + n.of[i]), 1);
    }
    add(&text, last);
    add_many(&text, '.', 1);
    add_many(&text, '0', zeros);
    add(&text, further);
    add(&text, "e-1075");
    double value = 5;
    CHECK(ep_float_read((ep_bytes){text.data, text.size}, &value));
    if (!CHECK_EQ_BITS(bits_of(value), expected)) {
        fprintf(stderr, "    at %zu digits, %s, %zu zeros, %s\n", n.count, last, zeros, further);
    }
    free(text.data);
}

static void test_middles(void) {
    static const uint64_t rows[] = {
        0,
        1,
        2,
        3,
        0x0008000000000000,
        0x000FFFFFFFFFFFFE,
        0x000FFFFFFFFFFFFF,
        0x0010000000000000,
        0x0010000000000001,
        0x001FFFFFFFFFFFFE,
        0x001FFFFFFFFFFFFF,
    };
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        uint64_t even = rows[i] + rows[i] % 2;
        check_middle(rows[i], "5", 1, "", even);
        check_middle(rows[i], "4", 0, "99999999999999999999", rows[i]);
        check_middle(rows[i], "6", 1, "", rows[i] + 1);
        for (size_t zeros = 0; zeros < 30; zeros++) { /* past the 768th digit, and about there */
            check_middle(rows[i], "5", zeros, "1", rows[i] + 1);
        }
        check_middle(rows[i], "5", MILLION, "0", even);
        check_middle(rows[i], "5", MILLION, "1", rows[i] + 1);
        check_middle(rows[i], "5", 30, "10000", rows[i] + 1);
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

/* Every power of ten that is not 0 or infinite reads as one of its text. */
static void test_powers_of_ten(void) {
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[8] = "1e";
        char printed[EP_FLOAT_SIZE];
        size_t size = 2 + ep_number_print_int(exponent, text + 2);
        double value = ep_number_read_float(text, size);
        check_round_trip(bits_of(value) - 1);
        check_round_trip(bits_of(value) + 1);
        if (exponent >= -4 && exponent < 16) {
            continue; /* these have no exponent form */
        }
        size_t printed_size = ep_float_text(value, printed);
        CHECK_EQ_INT(printed[0], '1');
        CHECK_EQ_INT(printed[1], 'e');
        CHECK(ep_number_read_float(printed, printed_size) == value);
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
    test_int();
    test_int_odd_texts();
    test_float_text();
    test_float_read();
    test_millions();
    test_middles();
    test_powers_of_two();
    test_powers_of_ten();
    test_random();
    test_table(argv[1]);
    return check_report();
}
