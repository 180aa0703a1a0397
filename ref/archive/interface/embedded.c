/*
 * embedded.c - epref_archive.h: the tensors that programs of version 1 keep inside themselves.
 */
#include "archive/layout/constants.h"
#include "common/memory.h"
#include "epref_archive.h"

struct ep_constants {
    constants taken;
};

ep_constants *ep_constants_open(size_t limit, bool keeps_bytes, ep_error *error) {
    ep_constants *made = memory_resize(NULL, sizeof *made);
    if (error != NULL) {
        *error = (ep_error){.code = made == NULL ? EP_MEMORY : EP_OK};
    }
    if (made != NULL) {
        made->taken = (constants){.limit = limit > 0 ? limit : ep_limits_default().bytes,
                                  .described = !keeps_bytes};
    }
    return made;
}

bool ep_constants_take(void *context, ep_bytes name, ep_bytes base64, ep_tensor_info *info) {
    ep_constants *set = context;
    bool sound = (name.data != NULL || name.size == 0) && (base64.data != NULL || base64.size == 0);
    return set != NULL && info != NULL && sound && constants_take(&set->taken, name, base64, info);
}

bool ep_constants_check(const ep_constants *set, ep_error *error) {
    ep_code code = set == NULL ? EP_ARGUMENT : set->taken.failed ? EP_MEMORY : EP_OK;
    if (error != NULL) {
        *error = (ep_error){.code = code};
    }
    return code == EP_OK;
}

size_t ep_constants_count(const ep_constants *set) {
    return set == NULL ? 0 : set->taken.count;
}

bool ep_constants_at(const ep_constants *set, size_t i, ep_constant *told) {
    if (told == NULL || i >= ep_constants_count(set)) {
        return false;
    }
    const constant *c = set->taken.items[i];
    *told = (ep_constant){
        .name = buffer_bytes(&c->name), .info = c->info, .bytes = buffer_bytes(&c->bytes)};
    return true;
}

void ep_constants_close(ep_constants *set) {
    if (set == NULL) {
        return;
    }
    constants_free(&set->taken);
    memory_free(set);
}
