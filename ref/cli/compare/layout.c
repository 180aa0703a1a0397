/*
 * layout.c - see layout.h.
 */
#include "layout.h"

/* Whether strides are those of a tensor without gaps, as far as that can be told: in a size
 * that is an expression, one that is no number is taken to be right. */
static bool is_contiguous(ep_value sizes, ep_value strides) {
    uint64_t expected = 1;
    bool known = true;
    bool same = ep_value_count(sizes) == ep_value_count(strides);
    for (size_t i = ep_value_count(sizes); same && i-- > 0;) {
        const char *tag;
        ep_value size = unwrap(ep_value_item(sizes, i), &tag);
        ep_value stride = unwrap(ep_value_item(strides, i), &tag);
        bool number = ep_value_kind(stride) == EP_KIND_INT;
        bool sized = ep_value_kind(size) == EP_KIND_INT;
        uint64_t n = (uint64_t)ep_value_int(size);
        bool fits = known ? number && (uint64_t)ep_value_int(stride) == expected : !number;
        same = (sized && n <= 1) || fits;
        known = known && sized;
        expected *= n;
    }
    return same;
}

static void put_strides(printer *p, ep_value meta) {
    size_t from = p->line.size;
    buffer_text(&p->line, "strides (");
    printer_put_sizes(p, ep_value_field(meta, "strides"));
    buffer_byte(&p->line, ')');
    printer_cut(p, from);
}

static void put_order(printer *p, ep_value meta) {
    if (is_contiguous(ep_value_field(meta, "sizes"), ep_value_field(meta, "strides"))) {
        buffer_text(&p->line, "contiguous");
    } else {
        put_strides(p, meta);
    }
}

void layout_put(printer *p, ep_value type, layout_part part) {
    ep_value meta = printer_meta(type);
    if (ep_value_kind(meta) == EP_KIND_NULL) {
        return;
    }
    switch (part) {
    case LAYOUT_STRIDES:
        put_strides(p, meta);
        break;
    case LAYOUT_ORDER:
        put_order(p, meta);
        break;
    case LAYOUT_OFFSET:
        buffer_text(&p->line, "offset ");
        printer_put_size(p, ep_value_field(meta, "storage_offset"));
        break;
    case LAYOUT_GRAD: {
        bool grad = ep_value_int(ep_value_field(meta, "requires_grad")) != 0;
        buffer_text(&p->line, grad ? "requires grad" : "no grad");
        break;
    }
    case LAYOUT_DEVICE:
        buffer_text(&p->line, "on ");
        printer_put_device(p, ep_value_field(meta, "device"));
        break;
    }
}
