/*
 * config.c - see config.h. The text is that of Python's json.dumps. Source: torch 2.9 to
 * 2.15, torch/export/pt2_archive/_package.py, _build_payload_config.
 */
#include "config.h"

#include <string.h>

#include "common/safe.h"

static void put_numbers(buffer *text, const char *key, const int64_t *numbers, size_t count) {
    buffer_text(text, ", \"");
    buffer_text(text, key);
    buffer_text(text, "\": [");
    for (size_t i = 0; i < count; i++) {
        buffer_text(text, i == 0 ? "{\"as_int\": " : ", {\"as_int\": ");
        buffer_number(text, numbers[i]);
        buffer_byte(text, '}');
    }
    buffer_byte(text, ']');
}

/* "cuda:0": the index is what stands behind the colon. */
static void put_device(buffer *text, ep_bytes device) {
    const char *colon = device.size == 0 ? NULL : memchr(device.data, ':', device.size);
    size_t type = colon == NULL ? device.size : (size_t)(colon - device.data);
    buffer_text(text, ", \"device\": {\"type\": ");
    safe_json_python(text, (ep_bytes){device.data, type});
    buffer_text(text, ", \"index\": ");
    if (colon == NULL) {
        buffer_text(text, "null");
    } else {
        buffer_put(text, colon + 1, device.size - type - 1);
    }
    buffer_byte(text, '}');
}

void config_begin(buffer *text) {
    buffer_text(text, "{\"config\": {");
}

void config_put(buffer *text, const config_entry *entry, size_t i) {
    buffer_text(text, i == 0 ? "" : ", ");
    safe_json_python(text, entry->name);
    buffer_text(text, ": {\"path_name\": \"");
    buffer_text(text, entry->prefix);
    buffer_number(text, (int64_t)entry->number);
    buffer_text(text, "\", \"is_param\": ");
    buffer_text(text, entry->is_parameter ? "true" : "false");
    buffer_text(text, ", \"use_pickle\": false, \"tensor_meta\": {\"dtype\": ");
    buffer_number(text, entry->dtype);
    put_numbers(text, "sizes", entry->sizes, entry->rank);
    buffer_text(text, ", \"requires_grad\": ");
    buffer_text(text, entry->requires_grad ? "true" : "false");
    put_device(text, entry->device);
    put_numbers(text, "strides", entry->strides, entry->rank);
    buffer_text(text, ", \"storage_offset\": {\"as_int\": ");
    buffer_number(text, entry->offset);
    buffer_text(text, "}, \"layout\": 7}}");
}

void config_end(buffer *text) {
    buffer_text(text, "}}");
}
