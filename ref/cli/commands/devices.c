/*
 * devices.c - see devices.h. A Device is an object without arrays or objects in it: it ends at the
 * first bracket that is in no string.
 */
#include "devices.h"

#include <string.h>

#include "cli/print.h"
#include "common/names.h"

/* Takes the next change off a list. */
static bool next_change(const char **changes, ep_bytes *from, ep_bytes *to) {
    size_t size = strcspn(*changes, ",");
    if (**changes == '\0') {
        return false;
    }
    const char *sign = memchr(*changes, '=', size);
    *from = (ep_bytes){*changes, sign == NULL ? size : (size_t)(sign - *changes)};
    *to = sign == NULL ? (ep_bytes){"", 0} : (ep_bytes){sign + 1, size - from->size - 1};
    *changes += size + ((*changes)[size] == ',');
    return true;
}

static ep_bytes type_of(ep_bytes device) {
    const char *colon = device.size == 0 ? NULL : memchr(device.data, ':', device.size);
    return (ep_bytes){device.data, colon == NULL ? device.size : (size_t)(colon - device.data)};
}

/* "cuda:0", as SPEC 4.6.1 has the type, and with an index from 0 to 127 or none. */
static bool is_device(ep_bytes device) {
    ep_bytes type = type_of(device);
    size_t digits = device.size - type.size;
    bool ok = type.size > 0 && digits != 1 && digits <= 4;
    for (size_t i = 0; i < type.size; i++) {
        ok = ok && (('a' <= type.data[i] && type.data[i] <= 'z') || type.data[i] == '_');
    }
    int index = 0;
    for (size_t i = type.size + 1; ok && i < device.size; i++) {
        char c = device.data[i];
        ok = '0' <= c && c <= '9' && (i == type.size + 1 || index > 0);
        index = index * 10 + (c - '0');
    }
    return ok && index <= INT8_MAX;
}

bool devices_are_said(const char *changes, buffer *complaint) {
    ep_bytes from, to;
    bool ok = *changes != '\0';
    for (const char *rest = changes; ok && next_change(&rest, &from, &to);) {
        ok = is_device(from) && is_device(to);
    }
    if (!ok) {
        print(complaint, "it is FROM=TO, such as cuda:0=cpu, not %t", bytes_of(changes));
    }
    return ok;
}

ep_bytes devices_changed(const char *changes, ep_bytes device) {
    ep_bytes from, to;
    while (next_change(&changes, &from, &to)) {
        bool any = type_of(from).size == from.size; /* of any index */
        if (bytes_compare(from, any ? type_of(device) : device) == 0) {
            return to;
        }
    }
    return (ep_bytes){"", 0};
}

/* Puts all devices of a value, with their places. */
static bool find_devices(ep_value root, name_list *found) {
    value_list waiting = {0};
    values_push(&waiting, root);
    while (waiting.count > 0 && !waiting.failed) {
        ep_value value = waiting.items[--waiting.count];
        if (value_is(value, "Device")) {
            names_add(found, (name_item){.value = value, .place = ep_value_offset(value)});
            continue;
        }
        for (size_t i = 0; i < ep_value_count(value); i++) {
            values_push(&waiting, ep_value_item(value, i));
        }
    }
    bool ok = !waiting.failed && !found->failed;
    values_free(&waiting);
    return ok;
}

static bool by_place(const name_item *a, const name_item *b) {
    return a->place <= b->place;
}

/* Behind the object that begins at a place. */
static size_t object_end(ep_bytes text, size_t at) {
    bool quoted = false;
    for (; at < text.size && (quoted || text.data[at] != '}'); at++) {
        at += quoted && text.data[at] == '\\';
        quoted = quoted != (at < text.size && text.data[at] == '"');
    }
    return at < text.size ? at + 1 : text.size;
}

/* As PyTorch writes it in a payload config; a program is written again. */
static void put_object(buffer *out, ep_bytes device) {
    ep_bytes type = type_of(device);
    bool index = type.size < device.size;
    print(out, "{\"type\": \"%t\", \"index\": %r}", type,
          index ? type.data + type.size + 1 : "null", index ? device.size - type.size - 1 : 4);
}

/* "cuda:0" */
static void put_device(buffer *out, ep_value device) {
    ep_arena arena;
    ep_value index = ep_value_field(device, "index");
    arena_open(&arena, 0);
    ep_bytes type = text_of(ep_value_field(device, "type"), &arena, &out->failed);
    buffer_put(out, type.data, type.size);
    print(out, ep_value_kind(index) == EP_KIND_INT ? ":%i" : "", ep_value_int(index));
    ep_arena_free(&arena);
}

bool devices_put(const char *changes, ep_value root, ep_bytes text, buffer *out, size_t *count) {
    name_list found = {0};
    buffer device = {0};
    size_t at = 0;
    bool ok = find_devices(root, &found);
    names_sort_by(&found, by_place);
    for (size_t i = 0; ok && i < found.count && !out->failed; i++) {
        size_t place = (size_t)found.items[i].place;
        buffer_clear(&device);
        put_device(&device, found.items[i].value);
        ok = !device.failed; /* clearing forgets it */
        ep_bytes to = devices_changed(changes, buffer_since(&device, 0));
        if (to.size > 0) {
            buffer_put(out, text.data + at, place - at);
            put_object(out, to);
            at = object_end(text, place);
            ++*count;
        }
    }
    buffer_put(out, text.data + at, text.size - at);
    ok = ok && !found.failed && !out->failed;
    names_free(&found);
    buffer_free(&device);
    return ok;
}
