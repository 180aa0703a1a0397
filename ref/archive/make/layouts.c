/*
 * layouts.c - see layouts.h.
 */
#include "layouts.h"

#define LAYOUT(since, folder, program, weights, constants, inputs, extra, raw)                     \
    {since, folder, {program, weights, constants, inputs}, extra, RAW_##raw},
static const layout layouts[] = {
#include "layout.def"
};

#define PICKLED(since, dict, order, buffers_first, gradients, storages, marked)                    \
    {since,         PICKLING_##dict,      PICKLING_##order,                                        \
     buffers_first, PICKLING_##gradients, PICKLING_##storages,                                     \
     marked},
static const pickling picklings[] = {
#include "pickled.def"
};

static size_t version_index(const ep_version *version) {
    size_t i = 0;
    while (ep_version_at(i) != NULL && ep_version_at(i) != version) {
        i++;
    }
    return i;
}

static bool is_since(const char *since, const ep_version *version) {
    return version_index(ep_version_find(since)) <= version_index(version);
}

/* SPEC 7.7.1 */
const layout *layout_of(const ep_version *version) {
    size_t i = sizeof layouts / sizeof layouts[0] - 1;
    while (i > 0 && !is_since(layouts[i].since, version)) {
        i--;
    }
    return &layouts[i];
}

/* SPEC 8.8.2 */
const pickling *pickling_of(const ep_version *version) {
    size_t i = sizeof picklings / sizeof picklings[0] - 1;
    while (i > 0 && !is_since(picklings[i].since, version)) {
        i--;
    }
    return &picklings[i];
}

bool archive_takes_raw(const ep_version *version) {
    return layout_of(version)->raw != RAW_NONE;
}

void layout_put_version(buffer *text, const ep_version *version) {
    buffer_number(text, version->major);
    if (version->minor >= 0) {
        buffer_byte(text, '.');
        buffer_number(text, version->minor);
    }
}
