/*
 * support.c - see support.h.
 */
#include "support.h"

#include "base/utf8.h"
#include "schema/schema.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------- memory */

/* What ep_arena_alloc_more asks for first; refused, it asks for just enough. */
static size_t spare_block(const ep_arena *arena) {
    enum { LEAST = 4096, MOST = 4 << 20 };
    size_t size = arena->held / 4;
    size = size < LEAST ? LEAST : size;
    return (size > MOST ? MOST : size) & ~(size_t)7;
}

static void *heap_allocate(void *context, size_t size) {
    test_heap *heap = context;
    if (heap->apart != NULL && size == spare_block(heap->apart)) {
        return NULL;
    }
    heap->calls++;
    if (heap->calls == heap->fail_at ||
        (heap->fail_on && heap->fail_at != 0 && heap->calls > heap->fail_at)) {
        return NULL;
    }
    void *block = malloc(size);
    if (block != NULL) {
        heap->bytes += size;
        heap->blocks++;
    }
    return block;
}

static void heap_release(void *context, void *block, size_t size) {
    test_heap *heap = context;
    heap->bytes -= size;
    heap->blocks--;
    free(block);
}

void test_arena(ep_arena *arena, test_heap *heap, size_t cap) {
    ep_allocator allocator = {heap_allocate, heap_release, heap};
    ep_arena_init(arena, &allocator, cap);
}

/* --------------------------------------------------------------------- text */

static void resize(test_text *text, size_t capacity) {
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        fputs("the test is out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    text->data = data;
    text->capacity = capacity;
}

void test_add(test_text *text, const char *data, size_t size) {
    if (text->capacity - text->size < size) {
        resize(text, (text->size + size) * 2);
    }
    if (size > 0) {
        memcpy(text->data + text->size, data, size);
        text->size += size;
    }
}

void test_add_str(test_text *text, const char *zero_terminated) {
    test_add(text, zero_terminated, strlen(zero_terminated));
}

void test_add_repeat(test_text *text, const char *zero_terminated, size_t times) {
    size_t size = strlen(zero_terminated);
    for (size_t i = 0; i < times; i++) {
        test_add(text, zero_terminated, size);
    }
}

void test_add_int(test_text *text, int64_t value) {
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%lld", (long long)value);
    test_add(text, digits, (size_t)size);
}

void test_add_scalar(test_text *text, uint32_t scalar) {
    char utf8[4];
    test_add(text, utf8, ep_utf8_write(scalar, utf8));
}

void test_text_free(test_text *text) {
    free(text->data);
    *text = (test_text){0};
}

ep_bytes test_text_exact(test_text *text) {
    if (text->data == NULL || text->size != text->capacity) {
        resize(text, text->size > 0 ? text->size : 1);
    }
    return (ep_bytes){text->data, text->size};
}

size_t test_take_mark(test_text *text) {
    char *mark = text->size == 0 ? NULL : memchr(text->data, '@', text->size);
    if (mark == NULL) {
        return SIZE_MAX;
    }
    size_t at = (size_t)(mark - text->data);
    text->size--;
    memmove(mark, mark + 1, text->size - at);
    return at;
}

bool test_holds(ep_bytes text, const char *part) {
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= text.size; i++) {
        if (memcmp(text.data + i, part, size) == 0) {
            return true;
        }
    }
    return false;
}

bool test_sink(void *context, const char *data, size_t size) {
    test_add(context, data, size);
    return true;
}

bool test_refuse(void *context, const char *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return false;
}

bool test_read_file(const char *path, test_text *text) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s\n", path);
        return false;
    }
    char buffer[1 << 16];
    size_t size;
    text->size = 0;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0) {
        test_add(text, buffer, size);
    }
    bool ok = ferror(file) == 0;
    fclose(file);
    if (!ok) {
        fprintf(stderr, "cannot read %s\n", path);
    }
    return ok;
}

/* ----------------------------------------------------------------- programs */

static const char *hole_of(const test_hole *holes, const ep_type *type, const ep_row *row) {
    size_t n = strlen(type->name);
    for (; holes->field != NULL; holes++) {
        const char *field = holes->field;
        if (strncmp(field, type->name, n) == 0 && field[n] == '.' &&
            strcmp(field + n + 1, row->name) == 0) {
            return holes->text;
        }
    }
    return NULL;
}

static const char *empty_text(const ep_shape *shape) {
    if (shape->nullable) {
        return "null";
    }
    switch ((ep_op)shape->op) {
    case EP_OP_STR:
    case EP_OP_BYTES:
        return "\"\"";
    case EP_OP_INT:
    case EP_OP_OPEN_END:
    case EP_OP_ENUM:
        return "0";
    case EP_OP_FLOAT:
        return "0.0";
    case EP_OP_BOOL:
        return "false";
    case EP_OP_NONE_BOOL:
        return "true";
    case EP_OP_UNIT:
    case EP_OP_LIST:
        return "[]";
    case EP_OP_DICT:
        return "{}";
    case EP_OP_STRUCT:
    case EP_OP_UNION:
    case EP_OP_TUPLE:
        break;
    }
    fputs("an empty program has no such field\n", stderr);
    exit(EXIT_FAILURE);
}

static void add_version(test_text *text, const ep_version *version) {
    if (version->minor < 0) {
        test_add_int(text, version->major);
        return;
    }
    test_add_str(text, "{\"major\": ");
    test_add_int(text, version->major);
    test_add_str(text, ", \"minor\": ");
    test_add_int(text, version->minor);
    test_add_str(text, "}");
}

static bool is_version(const ep_row *row) {
    return strcmp(row->name, "schema_version") == 0;
}

static bool is_left_out(const ep_schema *schema, const ep_row *row) {
    return schema->version->nulls == EP_NULL_OMITTED && row->fallback == EP_FALLBACK_NONE;
}

static void add_struct(test_text *text, const ep_schema *schema, const ep_type *type,
                       const test_hole *holes) {
    test_add_str(text, "{");
    const char *comma = "";
    for (size_t i = 0; i < type->count; i++) {
        const ep_row *row = type->members[i].row;
        const ep_shape *shape = type->members[i].shape;
        const char *hole = hole_of(holes, type, row);
        if (hole == NULL && is_left_out(schema, row)) {
            continue;
        }
        test_add_str(text, comma);
        comma = ", ";
        test_add(text, row->literal, row->literal_size);
        if (hole != NULL) {
            test_add_str(text, hole);
        } else if (is_version(row)) {
            add_version(text, schema->version);
        } else if (shape->op == EP_OP_STRUCT && !shape->nullable) {
            add_struct(text, schema, shape->type, holes);
        } else if (row->fallback == EP_FALLBACK_OLD_TORCH) {
            test_add_str(text, "\"2.5.1\"");
        } else {
            test_add_str(text, empty_text(shape));
        }
    }
    test_add_str(text, "}");
}

void test_program(test_text *text, const char *version, const test_hole *holes) {
    test_heap heap = {0};
    ep_arena arena;
    test_arena(&arena, &heap, 0);
    const ep_version *found = ep_version_find(version);
    const ep_schema *schema = found == NULL ? NULL : ep_schema_make(&arena, found);
    if (schema == NULL) {
        fprintf(stderr, "no version %s\n", version);
        exit(EXIT_FAILURE);
    }
    add_struct(text, schema, schema->root, holes);
    ep_arena_free(&arena);
}

void test_program_with(test_text *text, const char *version, const char *field, const char *hole) {
    test_hole holes[] = {{field, hole}, {NULL, NULL}};
    test_program(text, version, holes);
}

/* ---------------------------------------------------------------- collisions */

/*
 * A key has fifteen bytes: eight that make a state, by the first round of the
 * hash of text.c, and seven that take any state to one final hash, found by
 * going the last round backwards. Going back gives eight bytes of any value;
 * for the last to be no byte at all and the others to be letters, the state
 * has to agree in 22 bits, and so states are kept by those.
 */
enum { STATE_BITS = 22, WORDS = 3 << 20, FIRST = 8, REST = 7 };

static const uint64_t factor = 0x9E3779B97F4A7C15u;

static uint64_t state_after(const char first[FIRST]) {
    uint64_t word;
    memcpy(&word, first, sizeof word);
    word = (word ^ (FIRST + REST)) * factor;
    return word ^ word >> 32;
}

static uint64_t inverse_of(uint64_t odd) {
    uint64_t inverse = odd;
    for (int i = 0; i < 5; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

/* Letters that change from number to number are in the low bytes of the word, from
 * where the hash carries them up, wherever these are in memory. */
static void first_bytes(uint32_t number, char first[FIRST]) {
    uint64_t word = 0;
    for (int i = 0; i < FIRST; i++, number /= 16) {
        word |= (uint64_t)('a' + number % 16) << 8 * i;
    }
    memcpy(first, &word, sizeof word);
}

/* The bits of a state that the last seven bytes of a key cannot change. */
static size_t slot_of(uint64_t state) {
    unsigned char bytes[8];
    memcpy(bytes, &state, sizeof bytes);
    size_t slot = bytes[7];
    for (int i = 0; i < REST; i++) {
        slot = slot << 2 | bytes[i] >> 6;
    }
    return slot;
}

void test_collider_init(test_collider *collider) {
    uint64_t letters;
    memcpy(&letters, "@@@@@@@", sizeof letters);
    collider->slots = calloc((size_t)1 << STATE_BITS, sizeof *collider->slots);
    if (collider->slots == NULL) {
        exit(EXIT_FAILURE);
    }
    for (uint32_t number = 1; number <= WORDS; number++) {
        char first[FIRST];
        first_bytes(number, first);
        collider->slots[slot_of(state_after(first) ^ letters)] = number;
    }
}

void test_collider_free(test_collider *collider) {
    free(collider->slots);
    collider->slots = NULL;
}

bool test_colliding_key(const test_collider *collider, uint32_t number, test_text *text) {
    const uint32_t wanted = 0x12345678;
    uint64_t product = (uint64_t)(number ^ wanted) << 32 | number;
    uint64_t last = product * inverse_of(factor);
    char key[FIRST + REST + 1];
    uint32_t word = collider->slots[slot_of(last)];
    if (word == 0) {
        return false;
    }
    first_bytes(word, key);
    last ^= state_after(key);
    memcpy(key + FIRST, &last, sizeof last);
    for (int i = FIRST; i < FIRST + REST; i++) {
        if (key[i] == '\\' || key[i] == '\x7F') {
            return false;
        }
    }
    test_add(text, key, FIRST + REST);
    return true;
}

/* -------------------------------------------------------------------- draws */

uint64_t test_draw(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t mixed = *state ^ *state >> 29;
    mixed *= 0xBF58476D1CE4E5B9u;
    return mixed ^ mixed >> 32;
}

size_t test_draw_below(uint64_t *state, size_t n) {
    return (size_t)(test_draw(state) % n);
}

/* ----------------------------------------------------------------- versions */

size_t test_version_count(void) {
    return EP_FUTURE;
}

/* ------------------------------------------------------------------- locale */

void test_use_locale(void) {
    const char *name = setlocale(LC_ALL, "");
    if (getenv("EPREF_TEST_LOCALE") == NULL) {
        return;
    }
    if (name == NULL || strcmp(localeconv()->decimal_point, ",") != 0) {
        puts("skipped: this machine has no locale with a decimal comma");
        exit(TEST_SKIPPED);
    }
    printf("in the locale %s\n", name);
}

/* ---------------------------------------------------------------------- constants */

bool test_no_type(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    (void)context;
    (void)name;
    (void)base64;
    (void)info;
    return false;
}
