/*
 * mutator/mutate_zip_names.c - names that readers of archives compare in different ways
 * (SPEC 8.1.8): of members, and in payload configs, which name members; see mutate_zip.h.
 */
#include "common/buffer.h"
#include "mutator/mutate_texts.def"
#include "mutator/mutate_zip.h"

#include <string.h>

/* What is put before or behind a name: in a string of JSON, and as bytes. */
typedef struct odd_part {
    const char *spelled;
    ep_bytes raw;
} odd_part;

static const odd_part odd[] = {ODD_PARTS};

/* Longer than the 511 bytes that a list of members has for one. */
static ep_bytes overlong(zip_work *w) {
    enum { LENGTH = 520 };
    char *at = zip_reserve(w, LENGTH);
    if (at == NULL) {
        return (ep_bytes){NULL, 0};
    }
    memset(at, 'x', LENGTH);
    return (ep_bytes){at, LENGTH};
}

ep_bytes zip_other_case(zip_work *w, ep_bytes name) {
    ep_bytes own = zip_keep(w, name);
    char *at = own.data == NULL ? NULL : w->pool + (own.data - w->pool);
    size_t from = own.data == NULL ? 0 : mutate_below(&w->r, own.size + 1);
    for (size_t i = from; i < own.size; i++) {
        bool letter = (at[i] >= 'a' && at[i] <= 'z') || (at[i] >= 'A' && at[i] <= 'Z');
        at[i] = letter ? (char)(at[i] ^ 0x20) : at[i];
    }
    return own;
}

ep_bytes zip_bend(zip_work *w, ep_bytes name, bool spelled) {
    size_t drawn = mutate_below(&w->r, sizeof odd / sizeof odd[0] + 3);
    if (drawn > sizeof odd / sizeof odd[0]) {
        return zip_other_case(w, name);
    }
    bool is_long = drawn == sizeof odd / sizeof odd[0];
    ep_bytes part = is_long ? overlong(w) : spelled ? bytes_of(odd[drawn].spelled) : odd[drawn].raw;
    if (part.data == NULL) {
        return part;
    }
    return mutate_one_in(&w->r, 4) ? zip_join(w, part, name) : zip_join(w, name, part);
}

/* ----------------------------------------------------------------------------- planting */

static ep_bytes join_texts(zip_work *w, ep_bytes a, const char *b) {
    return a.data == NULL ? a : zip_join(w, a, bytes_of(b));
}

/* A name as it is, once in three times, or bent. */
static ep_bytes bend_perhaps(zip_work *w, ep_bytes name, bool spelled) {
    return mutate_one_in(&w->r, 3) ? name : zip_bend(w, name, spelled);
}

static bool plant(zip_work *w, ep_bytes folder, ep_bytes name, ep_bytes data) {
    ep_bytes whole = name.data == NULL ? name : zip_join(w, folder, name);
    zip_part part = {.name = whole, .data = data};
    part.local_extra = part.extra = part.comment = bytes_of("");
    return whole.data != NULL && data.data != NULL && zip_insert(w, part);
}

/* A member, and a config that names it so that readers may look for another. */
bool zip_plant_names(zip_work *w) {
    static const char *const folders[] = {"data/weights/", "data/constants/"};
    static const char *const configs[] = {"model_weights_config.json",
                                          "model_constants_config.json"};
    static const char *const bases[] = {"weight_0", "tensor_0", "opaque_obj_0", "x.so"};
    static const char *const contents[] = {"\x80\2}q.", "\x80\2cos\nsystem\nX\2idR.", "x"};
    size_t which = mutate_below(&w->r, 2);
    ep_bytes root = w->model.parts[0].name;
    root = zip_root(root) == 0 ? bytes_of("a/") : (ep_bytes){root.data, zip_root(root)};
    ep_bytes folder = zip_join(w, root, bytes_of(folders[which]));
    ep_bytes base = bytes_of(ZIP_DRAW(w, bases));
    ep_bytes path = bend_perhaps(w, base, true);
    ep_bytes text = path.data == NULL
                        ? path
                        : zip_join(w, bytes_of("{\"config\":{\"w\":{\"path_name\":\""), path);
    text = join_texts(w, text, "\",\"is_param\":false,\"use_pickle\":");
    text = join_texts(w, text, mutate_one_in(&w->r, 4) ? "false" : "true");
    text = join_texts(w, text, ",\"tensor_meta\":null}}}");
    ep_bytes member = mutate_one_in(&w->r, 2) ? base : bend_perhaps(w, base, false);
    ep_bytes data = bytes_of(ZIP_DRAW(w, contents));
    ep_bytes config = bytes_of(configs[which]);
    config = mutate_one_in(&w->r, 4) ? zip_bend(w, config, false) : config;
    return folder.data != NULL && plant(w, folder, config, text) && plant(w, folder, member, data);
}

/* The last part of a member's name, or all behind its folder, in another way. */
bool zip_bend_member(zip_work *w) {
    zip_part *part = zip_draw_part(w);
    size_t start = part->name.size;
    bool last = mutate_one_in(&w->r, 2);
    while (start > 0 && part->name.data[start - 1] != '/') {
        start--;
    }
    start = last || start == 0 ? start : zip_root(part->name);
    ep_bytes made =
        zip_bend(w, (ep_bytes){part->name.data + start, part->name.size - start}, false);
    return zip_set(&part->name, zip_splice(w, part->name, start, part->name.size, made));
}
