/*
 * payload.c - see payload.h.
 */
#include "payload.h"

#include <string.h>

#include "common/names.h"
#include "common/refusal.h"

/* SPEC 8.3.1 */
bool payload_open(ep_arena *arena, ep_bytes text, ep_value *entries, failure *what) {
    ep_decode_options options = ep_decode_options_default();
    options.version = ep_version_find("latest");
    options.limits.bytes = SIZE_MAX;
    ep_value config = ep_decode_struct(arena, text, &options, "PayloadConfig", &what->error);
    what->status = status_of_code(what->error.code);
    if (what->error.code == EP_NULL && what->error.pointer[0] == '\0') { /* SPEC 3.4.1 */
        static const char expected[] = "expected a PayloadConfig, which is an object";
        what->error.code = EP_TYPE;
        memcpy(what->error.detail, expected, sizeof expected);
    }
    *entries = ep_value_field(config, "config");
    return what->error.code == EP_OK;
}

bool payload_at(ep_value entries, size_t i, ep_arena *arena, payload *p) {
    bool failed = false;
    ep_value entry = ep_value_item(entries, i);
    p->entry = entry;
    p->path = text_of(ep_value_field(entry, "path_name"), arena, &failed);
    p->is_parameter = ep_value_int(ep_value_field(entry, "is_param")) != 0;
    p->is_pickled = ep_value_int(ep_value_field(entry, "use_pickle")) != 0;
    p->meta = ep_value_field(entry, "tensor_meta");
    return ep_value_key(entries, i, arena, &p->name) && !failed;
}

void payload_put_device(buffer *b, ep_value device, ep_arena *arena) {
    bool failed = false;
    ep_value index = ep_value_field(device, "index");
    ep_bytes type = text_of(ep_value_field(device, "type"), arena, &failed);
    buffer_put(b, type.data, type.size);
    if (ep_value_kind(index) == EP_KIND_INT) {
        buffer_byte(b, ':');
        buffer_number(b, ep_value_int(index));
    }
    b->failed = b->failed || failed;
}

/* A number that is not negative, and no symbol. */
static bool number_of(ep_value dim, int64_t *number) {
    const char *tag;
    ep_value value = unwrap(dim, &tag);
    *number = ep_value_int(value);
    return ep_value_kind(value) == EP_KIND_INT && *number >= 0;
}

const char *payload_tensor_of(ep_value meta, payload_tensor *t) {
    static const char strided[] = "Strided";
    ep_value sizes = ep_value_field(meta, "sizes");
    ep_value strides = ep_value_field(meta, "strides");
    const char *layout = ep_value_name(ep_value_field(meta, "layout"), 0);
    t->rank = ep_value_count(sizes);
    t->dtype = dtype_of_number(ep_value_int(ep_value_field(meta, "dtype")));
    t->requires_grad = ep_value_int(ep_value_field(meta, "requires_grad")) != 0;
    if (t->dtype == NULL) {
        return "its dtype is none that a tensor has";
    }
    if (t->requires_grad && !t->dtype->gradients) {
        return "its dtype has no gradients, and it requires one";
    }
    if (layout == NULL || !bytes_equal(bytes_of(layout), strided)) {
        return "its layout is not Strided";
    }
    if (t->rank != ep_value_count(strides) || t->rank > PAYLOAD_RANK_MAX) {
        return "its sizes and strides are not as many, or too many";
    }
    bool ok = number_of(ep_value_field(meta, "storage_offset"), &t->offset);
    for (size_t i = 0; ok && i < t->rank; i++) {
        ok = number_of(ep_value_item(sizes, i), &t->sizes[i]) &&
             number_of(ep_value_item(strides, i), &t->strides[i]);
    }
    return ok ? NULL : "its sizes, strides and offset are not all numbers from 0 on";
}
