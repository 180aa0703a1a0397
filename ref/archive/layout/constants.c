/*
 * constants.c - see constants.h. What torch.save writes for a tensor is one
 * sequence of opcodes, in which only numbers and two names differ; whatever
 * departs from it is refused. Clauses: SPEC 7.7.5.
 */
#include "constants.h"

#include "config.h"

#include "archive/pickle/cursor.h"
#include "archive/pickle/dtype.h"
#include "archive/zip/zipfile.h"
#include "common/base64.h"
#include "common/macros.h"
#include "common/memory.h"
#include "common/safe.h"

/* ---------------------------------------------------------------------- pickle */

static bool expect(cursor *r, const char *opcodes) {
    ep_bytes bytes;
    return cursor_bytes(r, strlen(opcodes), &bytes) && bytes_equal(bytes, opcodes);
}

/* Whether one of some opcodes is next. */
static bool is_at(const cursor *r, const char *opcodes) {
    return r->p < r->end && *r->p != '\0' && strchr(opcodes, *r->p) != NULL;
}

/* What the pickle puts into its memo, which is never asked. */
static bool skip_put(cursor *r) {
    ep_bytes ignored;
    return !is_at(r, "qr") || cursor_bytes(r, *r->p == 'q' ? 2 : 5, &ignored);
}

/* GLOBAL: module and name, a line each. */
static bool take_global(cursor *r, const char *module, ep_bytes *name) {
    ep_bytes found;
    return expect(r, "c") && cursor_line(r, &found) && bytes_equal(found, module) &&
           cursor_line(r, name) && skip_put(r);
}

static bool expect_global(cursor *r, const char *module, const char *name) {
    ep_bytes found;
    return take_global(r, module, &found) && bytes_equal(found, name);
}

static bool take_string(cursor *r, ep_bytes *text) {
    uint64_t size;
    return expect(r, "X") && cursor_number(r, 4, &size) && cursor_bytes(r, size, text) &&
           skip_put(r);
}

static bool expect_string(cursor *r, const char *text) {
    ep_bytes found;
    return take_string(r, &found) && bytes_equal(found, text);
}

/* A number that is not negative: BININT1, BININT2, BININT, LONG1. */
static bool take_int(cursor *r, int64_t *number) {
    uint64_t opcode;
    uint64_t size = 0;
    uint64_t value;
    TRY(cursor_number(r, 1, &opcode));
    if (opcode == 0x8a) {
        TRY(cursor_number(r, 1, &size) && size <= 8);
    } else {
        size = opcode == 'K' ? 1 : opcode == 'M' ? 2 : opcode == 'J' ? 4 : 0;
    }
    bool known = size > 0 && cursor_number(r, (size_t)size, &value);
    bool negative = known && ((opcode == 'J' && value > INT32_MAX) || value > INT64_MAX ||
                              (opcode == 0x8a && (value >> (8 * size - 1) & 1) != 0));
    *number = known && !negative ? (int64_t)value : 0;
    return known && !negative;
}

/* What a tuple of numbers ends with; a MARK is before it where that is 't'. */
static bool ends_tuple(cursor *r, bool marked, size_t count) {
    static const char *const ends[] = {"", "\x85", "\x86", "\x87"};
    const char *end = marked ? "t" : count < 4 ? ends[count] : "";
    return *end != '\0' && expect(r, end) && skip_put(r);
}

static bool take_tuple(cursor *r, ep_dim *dims, size_t *count) {
    *count = 0;
    if (is_at(r, ")")) {
        r->p++;
        return true;
    }
    bool marked = is_at(r, "(");
    r->p += marked ? 1 : 0;
    while (!is_at(r, "t\x85\x86\x87")) {
        TRY(*count != CONSTANT_RANK_MAX && take_int(r, &dims[*count].number));
        (*count)++;
    }
    return ends_tuple(r, marked, *count);
}

/* ('storage', torch.FloatStorage, '0', 'cpu', 2), by its id. */
static bool read_storage(cursor *r, ep_bytes *type, ep_bytes *key, int64_t *count) {
    return expect(r, "(") && expect_string(r, "storage") && take_global(r, "torch", type) &&
           take_string(r, key) && expect_string(r, "cpu") && take_int(r, count) && expect(r, "t") &&
           skip_put(r) && expect(r, "Q");
}

/* A plain tensor: torch._utils._rebuild_tensor_v2(storage, offset, size, stride,
 * requires_grad, OrderedDict()). */
static bool read_tensor(cursor *r, constant *c, ep_bytes *type, ep_bytes *key, int64_t *count) {
    size_t strides;
    uint64_t grad;
    bool ok = expect(r, "\x80\x02") && expect_global(r, "torch._utils", "_rebuild_tensor_v2") &&
              expect(r, "(") && read_storage(r, type, key, count) &&
              take_int(r, &c->info.storage_offset.number) &&
              take_tuple(r, c->sizes, &c->info.rank) && take_tuple(r, c->strides, &strides) &&
              strides == c->info.rank && cursor_number(r, 1, &grad) &&
              (grad == 0x88 || grad == 0x89) && expect_global(r, "collections", "OrderedDict") &&
              expect(r, ")R") && skip_put(r) && expect(r, "t") && skip_put(r) && expect(r, "R") &&
              skip_put(r) && expect(r, ".") && r->p == r->end;
    c->info.requires_grad = ok && grad == 0x88;
    return ok;
}

/* Whether every item of the tensor is one of the storage's, of which there are
 * so many. */
static bool fits(const constant *c, int64_t count) {
    int64_t last = c->info.storage_offset.number;
    for (size_t i = 0; i < c->info.rank; i++) {
        if (c->sizes[i].number == 0) {
            return true;
        }
    }
    for (size_t i = 0; last < count && i < c->info.rank; i++) {
        int64_t steps = c->sizes[i].number - 1;
        int64_t stride = c->strides[i].number;
        if (stride > 0 && steps > (count - 1 - last) / stride) {
            return false;
        }
        last += steps * stride;
    }
    return last < count;
}

/* --------------------------------------------------------------------- archive */

/* Why a tensor is not taken in: it is none, or there is no memory for it. */
static bool fail(constant *c, const failure *what) {
    c->failed = c->failed || what->error.code == EP_MEMORY;
    return false;
}

static bool read_member(const zipfile *zip, ep_bytes name, size_t limit, constant *c,
                        buffer *content) {
    failure what = {0};
    const zipfile_member *m = zipfile_find(zip, name);
    if (m == NULL || m->size > limit || m->method != ZIPFILE_STORED) { /* SPEC 7.7.5 */
        return false;
    }
    return zipfile_read_all(zip, m, limit, content, &what) || fail(c, &what);
}

/* The bytes of the storage, which are all that the pickle says there are. */
static bool read_bytes(const zipfile *zip, constant *c, ep_bytes key, size_t size, int64_t count) {
    buffer name = {0};
    bool sound = count >= 0 && (uint64_t)count <= SIZE_MAX / size;
    buffer_text(&name, "archive/data/");
    buffer_put(&name, key.data, key.size);
    c->failed = c->failed || name.failed;
    bool ok = sound && !name.failed &&
              read_member(zip, buffer_bytes(&name), (size_t)count * size, c, &c->bytes) &&
              c->bytes.size == (size_t)count * size;
    buffer_free(&name);
    return ok;
}

static bool read_constant(const zipfile *zip, constant *c, size_t limit) {
    enum { PICKLE_MAX = 1 << 16 };
    buffer pickle = {0};
    buffer order = {0};
    ep_bytes type;
    ep_bytes key;
    int64_t count;
    bool ok = read_member(zip, bytes_of("archive/byteorder"), 16, c, &order) &&
              bytes_equal(buffer_bytes(&order), "little") &&
              read_member(zip, bytes_of("archive/data.pkl"), PICKLE_MAX, c, &pickle) &&
              pickle.size > 0;
    if (ok) {
        cursor r = cursor_of(buffer_bytes(&pickle));
        ok = read_tensor(&r, c, &type, &key, &count) && fits(c, count);
        const dtype_row *row = ok ? dtype_of_storage(type) : NULL;
        ok = row != NULL && (uint64_t)count <= limit / row->size &&
             read_bytes(zip, c, key, row->size, count);
        c->info.dtype = ok ? row->name : NULL;
        c->dtype = ok ? row->number : 0;
    }
    buffer_free(&order);
    buffer_free(&pickle);
    return ok;
}

static bool unpack(buffer *archive, constant *c, size_t limit) {
    io_data data = {.data = archive->data, .size = archive->size, .is_zip = true};
    failure what = {0};
    zipfile zip;
    if (!zipfile_open(&data, archive->size, &zip, &what)) {
        return fail(c, &what);
    }
    bool ok = zipfile_check_folded(&zip, &what) ? read_constant(&zip, c, limit) : fail(c, &what);
    zipfile_close(&zip);
    return ok;
}

static void free_constant(constant *c) {
    buffer_free(&c->name);
    buffer_free(&c->bytes);
    memory_free(c);
}

static bool keep(constants *all, constant *c) {
    constant **items = memory_resize(all->items, (all->count + 1) * sizeof(constant *));
    TRY(items != NULL);
    all->items = items;
    all->items[all->count++] = c;
    return true;
}

bool constants_take(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    constants *all = context;
    buffer archive = {0};
    constant *c = memory_resize(NULL, sizeof *c);
    if (c == NULL) {
        all->failed = true;
        return false;
    }
    *c = (constant){.failed = false};
    buffer_put(&c->name, name.data, name.size);
    base64_decode(base64, &archive);
    bool ok = !archive.failed && !c->name.failed && unpack(&archive, c, all->limit);
    bool kept = ok && keep(all, c);
    all->failed = all->failed || archive.failed || c->name.failed || c->failed || ok != kept;
    ok = kept;
    buffer_free(&archive);
    if (!ok) {
        free_constant(c);
        return false;
    }
    all->limit -= c->bytes.size;
    if (all->described) {
        buffer_free(&c->bytes);
    }
    c->info.sizes = c->sizes;
    c->info.strides = c->strides;
    *info = c->info;
    return true;
}

void constants_free(constants *all) {
    for (size_t i = 0; i < all->count; i++) {
        free_constant(all->items[i]);
    }
    memory_free(all->items);
    *all = (constants){0};
}

/* ---------------------------------------------------------------------- config */

static void put_constant(buffer *text, const constant *c, size_t i) {
    int64_t sizes[CONSTANT_RANK_MAX];
    int64_t strides[CONSTANT_RANK_MAX];
    for (size_t d = 0; d < c->info.rank; d++) {
        sizes[d] = c->sizes[d].number;
        strides[d] = c->strides[d].number;
    }
    config_entry entry = {.name = buffer_bytes(&c->name),
                          .prefix = "tensor_",
                          .number = i,
                          .requires_grad = c->info.requires_grad,
                          .dtype = c->dtype,
                          .device = bytes_of("cpu"),
                          .rank = c->info.rank,
                          .sizes = sizes,
                          .strides = strides,
                          .offset = c->info.storage_offset.number};
    config_put(text, &entry, i);
}

void constants_put_config(const constants *all, buffer *text) {
    config_begin(text);
    for (size_t i = 0; i < all->count; i++) {
        put_constant(text, all->items[i], i);
    }
    config_end(text);
}
