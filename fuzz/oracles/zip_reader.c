/*
 * oracles/zip_reader.c - see zip_reader.h. zlib inflates and counts checksums.
 */
#include "oracles/zip_reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

uint64_t zip_get(const char *at, size_t size) {
    uint64_t number = 0;
    for (size_t i = size; i > 0; i--) {
        number = number << 8 | (unsigned char)at[i - 1];
    }
    return number;
}

void zip_put(char *at, size_t size, uint64_t number) {
    for (size_t i = 0; i < size; i++) {
        at[i] = (char)(unsigned char)(number >> (8 * i) & 0xFF);
    }
}

/* Whether so many bytes are at a place, and begin with these four. */
static bool is_at(ep_bytes file, uint64_t place, size_t size, const char *signature) {
    return place <= file.size && file.size - place >= size &&
           memcmp(file.data + place, signature, 4) == 0;
}

/* ----------------------------------------------------------------- end records */

static bool find_end(zip_reading *r) {
    ep_bytes file = r->file;
    for (size_t room = ZIP_END_SIZE; room <= file.size && room <= ZIP_END_SIZE + 0xFFFF; room++) {
        const char *at = file.data + file.size - room;
        if (memcmp(at, "PK\5\6", 4) == 0 && zip_get(at + 20, 2) == room - ZIP_END_SIZE) {
            r->end = file.size - room;
            r->comment = (ep_bytes){at + ZIP_END_SIZE, room - ZIP_END_SIZE};
            return true;
        }
    }
    return false;
}

/* A number of the end record: that of zip64 has to be the same, unless all bits
 * of the other are set. */
static uint64_t prefer(zip_reading *r, const char *small, size_t size, uint64_t number) {
    uint64_t old = zip_get(small, size);
    uint64_t none = size == 2 ? 0xFFFF : 0xFFFFFFFF;
    r->agrees = r->agrees && (old == none || old == number);
    return number;
}

static void read_end64(zip_reading *r, const char *at, const char *locator) {
    const char *end = r->file.data + r->end;
    r->zip64 = true;
    r->counts[0] = prefer(r, end + 8, 2, zip_get(at + 24, 8));
    r->counts[1] = prefer(r, end + 10, 2, zip_get(at + 32, 8));
    r->directory_size = prefer(r, end + 12, 4, zip_get(at + 40, 8));
    r->directory = prefer(r, end + 16, 4, zip_get(at + 48, 8));
    r->disks = prefer(r, end + 4, 2, zip_get(at + 16, 4)) +
               prefer(r, end + 6, 2, zip_get(at + 20, 4)) + zip_get(locator + 4, 4);
}

static void read_end(zip_reading *r) {
    const char *at = r->file.data + r->end;
    r->disks = zip_get(at + 4, 2) + zip_get(at + 6, 2);
    r->counts[0] = zip_get(at + 8, 2);
    r->counts[1] = zip_get(at + 10, 2);
    r->directory_size = zip_get(at + 12, 4);
    r->directory = zip_get(at + 16, 4);
    r->records = r->end;
    r->agrees = true;
    if (r->end < ZIP_LOCATOR_SIZE ||
        !is_at(r->file, r->end - ZIP_LOCATOR_SIZE, ZIP_LOCATOR_SIZE, "PK\6\7")) {
        return;
    }
    const char *locator = at - ZIP_LOCATOR_SIZE;
    uint64_t place = zip_get(locator + 8, 8);
    if (is_at(r->file, place, ZIP_END64_SIZE, "PK\6\6")) {
        r->records = (size_t)place;
        read_end64(r, r->file.data + place, locator);
    }
}

/* ------------------------------------------------------------------- directory */

/* Numbers that do not fit their places stand in an extra field, those of them
 * that do not, in this order. */
typedef struct wide {
    uint64_t *number;
    bool wanted;
} wide;

static void read_wide(ep_bytes extra, wide *numbers, size_t count) {
    size_t at = 0;
    while (extra.size - at >= 4) {
        size_t id = (size_t)zip_get(extra.data + at, 2);
        size_t size = (size_t)zip_get(extra.data + at + 2, 2);
        at += 4;
        size = size < extra.size - at ? size : extra.size - at;
        for (size_t i = 0, from = at; id == 1 && i < count; i++) {
            if (numbers[i].wanted && at + size - from >= 8) {
                *numbers[i].number = zip_get(extra.data + from, 8);
                numbers[i].wanted = false; /* of several fields the first counts */
                from += 8;
            }
        }
        at += size;
    }
}

/* The part that both headers have, from the flags on, and what is before it. */
static void read_head(zip_head *head, const char *at) {
    head->needed = (uint16_t)zip_get(at - 2, 2);
    head->flags = (uint16_t)zip_get(at, 2);
    head->method = (uint16_t)zip_get(at + 2, 2);
    head->stamp = (uint32_t)zip_get(at + 4, 4);
    head->crc = (uint32_t)zip_get(at + 8, 4);
    head->packed_size = zip_get(at + 12, 4);
    head->size = zip_get(at + 16, 4);
}

static void read_local(ep_bytes file, zip_entry *e) {
    if (!is_at(file, e->offset, ZIP_LOCAL_SIZE, "PK\3\4")) {
        return;
    }
    const char *at = file.data + e->offset;
    size_t name = (size_t)zip_get(at + 26, 2);
    size_t extra = (size_t)zip_get(at + 28, 2);
    size_t room = file.size - (size_t)e->offset - ZIP_LOCAL_SIZE;
    if (name + extra > room) {
        return;
    }
    read_head(&e->local, at + 6);
    e->local.name = (ep_bytes){at + ZIP_LOCAL_SIZE, name};
    e->local.extra = (ep_bytes){at + ZIP_LOCAL_SIZE + name, extra};
    wide numbers[] = {{&e->local.size, e->local.size == UINT32_MAX},
                      {&e->local.packed_size, e->local.packed_size == UINT32_MAX}};
    read_wide(e->local.extra, numbers, 2);
    e->found = e->head.packed_size <= room - name - extra;
    e->packed =
        (ep_bytes){at + ZIP_LOCAL_SIZE + name + extra, e->found ? (size_t)e->head.packed_size : 0};
}

/* One entry, of which *at is the place; false when there is none. */
static bool read_entry(ep_bytes file, uint64_t *place, zip_entry *e) {
    if (!is_at(file, *place, ZIP_DIRECTORY_SIZE, "PK\1\2")) {
        return false;
    }
    const char *at = file.data + *place;
    size_t name = (size_t)zip_get(at + 28, 2);
    size_t extra = (size_t)zip_get(at + 30, 2);
    size_t comment = (size_t)zip_get(at + 32, 2);
    if (name + extra + comment > file.size - *place - ZIP_DIRECTORY_SIZE) {
        return false;
    }
    e->made_by = (uint16_t)zip_get(at + 4, 2);
    read_head(&e->head, at + 8);
    e->inside = (uint16_t)zip_get(at + 36, 2);
    e->outside = (uint32_t)zip_get(at + 38, 4);
    e->offset = zip_get(at + 42, 4);
    at += ZIP_DIRECTORY_SIZE;
    e->head.name = (ep_bytes){at, name};
    e->head.extra = (ep_bytes){at + name, extra};
    e->comment = (ep_bytes){at + name + extra, comment};
    wide numbers[] = {{&e->head.size, e->head.size == UINT32_MAX},
                      {&e->head.packed_size, e->head.packed_size == UINT32_MAX},
                      {&e->offset, e->offset == UINT32_MAX}};
    read_wide(e->head.extra, numbers, 3);
    read_local(file, e);
    *place += ZIP_DIRECTORY_SIZE + name + extra + comment;
    return true;
}

static void read_directory(zip_reading *r) {
    uint64_t place = r->directory;
    size_t room = r->file.size / ZIP_DIRECTORY_SIZE;
    size_t count = r->counts[1] < room ? (size_t)r->counts[1] : room;
    r->entries = calloc(count + 1, sizeof *r->entries);
    r->failed = r->entries == NULL;
    while (!r->failed && r->count < count && read_entry(r->file, &place, &r->entries[r->count])) {
        r->count++;
    }
    r->whole = r->count == r->counts[1] && r->directory_size == place - r->directory;
}

bool zip_reader_open(ep_bytes file, zip_reading *r) {
    *r = (zip_reading){.file = file};
    if (!find_end(r)) {
        return false;
    }
    read_end(r);
    read_directory(r);
    return !r->failed;
}

void zip_reader_close(zip_reading *r) {
    free(r->entries);
    r->entries = NULL;
    r->count = 0;
}

/* --------------------------------------------------------------------- content */

/* One stream, into room for a byte more than there has to be; it ends where the bytes
 * of the member do. SPEC 8.1.3 */
static bool inflate_all(ep_bytes packed, ep_bytes out, char *room) {
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)packed.data,
                  .avail_in = (uInt)packed.size,
                  .next_out = (Bytef *)room,
                  .avail_out = (uInt)out.size + 1};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        return false;
    }
    bool ok = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 1;
    inflateEnd(&z);
    return ok;
}

bool zip_reader_unpack(const zip_entry *entry, size_t limit, zip_content *content) {
    const zip_head *head = &entry->head;
    *content = (zip_content){{"", 0}, NULL};
    if (!entry->found || (head->flags & ZIP_FLAG_ENCRYPTED) != 0 || head->size > limit) {
        return false;
    }
    if (head->method == ZIP_STORED) {
        content->bytes = entry->packed;
    } else if (head->method == ZIP_DEFLATED) {
        content->owned = malloc((size_t)head->size + 1);
        content->bytes = (ep_bytes){content->owned, (size_t)head->size};
        if (content->owned == NULL || !inflate_all(entry->packed, content->bytes, content->owned)) {
            zip_content_free(content);
            return false;
        }
    } else {
        return false;
    }
    const Bytef *bytes = (const Bytef *)content->bytes.data;
    bool ok = content->bytes.size == head->size &&
              crc32(crc32(0, NULL, 0), bytes, (uInt)content->bytes.size) == head->crc;
    if (!ok) {
        zip_content_free(content);
    }
    return ok;
}

void zip_content_free(zip_content *content) {
    free(content->owned);
    *content = (zip_content){{"", 0}, NULL};
}
