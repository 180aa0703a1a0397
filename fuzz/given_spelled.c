/*
 * given_spelled.c - see given_spelled.h.
 */
#include "given_spelled.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

enum { LENGTH = 8, MOST = 256 }; /* MOST tensors are looked at */

static const double EXACT = 1e15; /* integers up to there are printed as such by cJSON */

static const spelled_dtype dtypes[] = {
    {"BOOL", "bool", "|b1", 1},
    {"U8", "uint8", "|u1", 1},
    {"I8", "int8", "|i1", 1},
    {"F8_E5M2", "float8_e5m2", NULL, 1},
    {"F8_E4M3", "float8_e4m3fn", NULL, 1},
    {"F8_E5M2FNUZ", "float8_e5m2fnuz", NULL, 1},
    {"F8_E4M3FNUZ", "float8_e4m3fnuz", NULL, 1},
    {"F8_E8M0", "float8_e8m0fnu", NULL, 1},
    {"I16", "int16", "<i2", 2},
    {"U16", "uint16", "<u2", 2},
    {"F16", "float16", "<f2", 2},
    {"BF16", "bfloat16", NULL, 2},
    {"I32", "int32", "<i4", 4},
    {"U32", "uint32", "<u4", 4},
    {"F32", "float32", "<f4", 4},
    {"C64", "complex64", "<c8", 8},
    {"F64", "float64", "<f8", 8},
    {"I64", "int64", "<i8", 8},
    {"U64", "uint64", "<u8", 8},
    {NULL, "complex32", NULL, 4},
    {NULL, "complex128", "<c16", 16},
};

static const spelled_dtype *dtype_called(const char *name) {
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        if (dtypes[i].safetensors != NULL && strcmp(dtypes[i].safetensors, name) == 0) {
            return &dtypes[i];
        }
    }
    return NULL;
}

const spelled_dtype *spelled_dtype_of(const char *torch) {
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        if (strcmp(dtypes[i].torch, torch) == 0) {
            return &dtypes[i];
        }
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------- .npy */

void spell_npy(buffer *to, const spelled_dtype *dtype, const int64_t *sizes, size_t rank,
               bool columns_first) {
    buffer_text(to, "{'descr': '");
    buffer_text(to, dtype->npy);
    buffer_text(to, columns_first ? "', 'fortran_order': True, 'shape': ("
                                  : "', 'fortran_order': False, 'shape': (");
    for (size_t i = 0; i < rank; i++) {
        buffer_number(to, sizes[i]);
        buffer_text(to, rank == 1 ? "," : i + 1 < rank ? ", " : "");
    }
    buffer_text(to, "), }");
}

/* -------------------------------------------------------------------------------- reading */

bool spelled_open(ep_bytes file, spelled_index *index) {
    uint64_t size = 0;
    *index = (spelled_index){NULL, 0};
    for (size_t i = LENGTH; file.size >= LENGTH && i > 0; i--) {
        size = size << 8 | (unsigned char)file.data[i - 1];
    }
    TRY(file.size >= LENGTH && size <= file.size - LENGTH);
    const char *end = NULL;
    index->size = (size_t)size;
    index->root = cJSON_ParseWithLengthOpts(file.data + LENGTH, index->size, &end, false);
    for (; index->root != NULL && end < file.data + LENGTH + size; end++) {
        if (strchr(" \t\r\n", *end) == NULL || *end == '\0') {
            spelled_close(index);
        }
    }
    return index->root != NULL;
}

void spelled_close(spelled_index *index) {
    cJSON_Delete(index->root);
    index->root = NULL;
}

/* Numbers of a shape whose product a double may not say. */
static bool are_large(const cJSON *list) {
    const cJSON *item;
    double product = 1;
    cJSON_ArrayForEach(item, list) {
        double size = fabs(item->valuedouble);
        product *= size > 1 ? size : 1;
    }
    return product * 16 >= EXACT;
}

bool spelled_is_plain(const spelled_index *index, ep_bytes file) {
    ep_bytes text = {file.data + LENGTH, index->size};
    const cJSON *item;
    const cJSON *list;
    for (size_t i = 0; i + 6 <= text.size; i++) {
        TRY(memcmp(text.data + i, "\\u0000", 6) != 0);
    }
    TRY(fuzz_is_utf8(text) && cJSON_GetArraySize(index->root) <= MOST);
    cJSON_ArrayForEach(item, index->root) {
        cJSON_ArrayForEach(list, item) {
            TRY(!are_large(list));
        }
    }
    return true;
}

static bool is_metadata(const cJSON *item) {
    return strcmp(item->string, "__metadata__") == 0;
}

static bool is_size(const cJSON *number) {
    return cJSON_IsNumber(number) && number->valuedouble >= 0 && !signbit(number->valuedouble) &&
           number->valuedouble < EXACT && number->valuedouble == floor(number->valuedouble);
}

static bool are_sizes(const cJSON *list, int most) {
    const cJSON *item;
    bool ok = cJSON_IsArray(list) && cJSON_GetArraySize(list) <= most;
    cJSON_ArrayForEach(item, list) {
        ok = ok && is_size(item);
    }
    return ok;
}

/* ---------------------------------------------------------------------------------- rules */

static const cJSON *field(const cJSON *tensor, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(tensor, key);
}

static double offset(const cJSON *tensor, int which) {
    return cJSON_GetArrayItem(field(tensor, "data_offsets"), which)->valuedouble;
}

static bool is_tensor(const cJSON *item) {
    const cJSON *dtype = field(item, "dtype");
    const cJSON *places = field(item, "data_offsets");
    const cJSON *size;
    TRY(cJSON_IsObject(item) && cJSON_GetArraySize(item) == 3 && cJSON_IsString(dtype) &&
        dtype_called(dtype->valuestring) != NULL && are_sizes(field(item, "shape"), 64) &&
        are_sizes(places, 2) && cJSON_GetArraySize(places) == 2);
    double bytes = (double)dtype_called(dtype->valuestring)->size;
    cJSON_ArrayForEach(size, field(item, "shape")) {
        bytes *= size->valuedouble;
    }
    return offset(item, 1) - offset(item, 0) == bytes;
}

static bool are_strings(const cJSON *metadata) {
    const cJSON *item;
    bool ok = cJSON_IsObject(metadata);
    cJSON_ArrayForEach(item, metadata) {
        ok = ok && cJSON_IsString(item);
    }
    return ok;
}

/* Each name once; quadratic, and so of few. */
static bool are_apart(const cJSON *root) {
    const cJSON *a;
    const cJSON *b;
    cJSON_ArrayForEach(a, root) {
        for (b = a->next; b != NULL; b = b->next) {
            TRY(strcmp(a->string, b->string) != 0);
        }
    }
    return true;
}

/* Every byte behind the index is of one tensor: sizes that fill it, and no two overlap. */
static bool are_filling(const cJSON *root, double length) {
    const cJSON *a;
    const cJSON *b;
    double sum = 0;
    cJSON_ArrayForEach(a, root) {
        if (is_metadata(a)) {
            continue;
        }
        bool starts = offset(a, 0) == 0;
        sum += offset(a, 1) - offset(a, 0);
        cJSON_ArrayForEach(b, root) {
            if (b == a || is_metadata(b) || offset(b, 0) == offset(b, 1)) {
                continue; /* what is empty is no neighbour */
            }
            starts = starts || offset(b, 1) == offset(a, 0);
            if (offset(a, 0) < offset(b, 1) && offset(b, 0) < offset(a, 1)) {
                return false;
            }
        }
        TRY(starts && offset(a, 1) <= length);
    }
    return sum == length;
}

bool spelled_is_sound(const spelled_index *index, ep_bytes file) {
    const cJSON *item;
    TRY(cJSON_IsObject(index->root) && are_apart(index->root));
    cJSON_ArrayForEach(item, index->root) {
        TRY(is_metadata(item) ? are_strings(item) : is_tensor(item));
    }
    return are_filling(index->root, (double)(file.size - LENGTH - index->size));
}

/* ------------------------------------------------------------------------------ comparing */

bool spelled_is_typed(const cJSON *item, const char *torch, const int64_t *sizes, size_t rank) {
    const cJSON *shape = field(item, "shape");
    bool same = (size_t)cJSON_GetArraySize(shape) == rank &&
                strcmp(dtype_called(field(item, "dtype")->valuestring)->torch, torch) == 0;
    for (size_t i = 0; same && i < rank; i++) {
        same = (double)sizes[i] == cJSON_GetArrayItem(shape, (int)i)->valuedouble;
    }
    return same;
}

ep_bytes spelled_data(const spelled_index *index, ep_bytes file, const cJSON *item) {
    size_t begin = (size_t)offset(item, 0);
    return (ep_bytes){file.data + LENGTH + index->size + begin, (size_t)offset(item, 1) - begin};
}

static bool is_same(const cJSON *item, const given *g, const given_tensor *t, uint64_t first) {
    return bytes_equal(given_name(g, t), item->string) &&
           spelled_is_typed(item, t->dtype->torch, given_numbers(g, t->sizes), t->rank) &&
           (double)(t->place - first) == offset(item, 0);
}

bool spelled_is(const spelled_index *index, const given *g) {
    const cJSON *item;
    size_t i = 0;
    uint64_t first = UINT64_MAX; /* where the bytes begin */
    for (size_t j = 0; j < g->count; j++) {
        first = g->items[j].place < first ? g->items[j].place : first;
    }
    cJSON_ArrayForEach(item, index->root) {
        if (!is_metadata(item)) {
            TRY(i < g->count && is_same(item, g, &g->items[i], first));
            i++;
        }
    }
    return i == g->count;
}

void spell_safetensors(buffer *to, const spelled_index *index, ep_bytes file) {
    char *text = cJSON_PrintUnformatted(index->root);
    size_t size = text == NULL ? 0 : strlen(text);
    for (size_t i = 0; i < LENGTH; i++) {
        buffer_byte(to, (char)(size >> 8 * i & 0xFF));
    }
    buffer_put(to, text, size);
    buffer_put(to, file.data + LENGTH + index->size, file.size - LENGTH - index->size);
    cJSON_free(text);
}
