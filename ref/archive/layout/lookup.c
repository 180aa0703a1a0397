/*
 * lookup.c - see lookup.h.
 */
#include "lookup.h"

bool lookup_open(lookup *l, const archive *a) {
    *l = (lookup){.of = a};
    for (size_t i = 0; i < a->zip.count; i++) {
        names_add(&l->members, (name_item){.name = a->zip.members[i].name, .count = i});
    }
    names_sort(&l->members);
    return !l->members.failed;
}

void lookup_close(lookup *l) {
    names_free(&l->members);
    buffer_free(&l->name);
}

const zipfile_member *lookup_find(lookup *l, const char *folder, ep_bytes name, const char *end) {
    buffer_clear(&l->name);
    buffer_put(&l->name, l->of->root.data, l->of->root.size);
    buffer_text(&l->name, folder);
    buffer_put(&l->name, name.data, name.size);
    buffer_text(&l->name, end);
    const name_item *found =
        l->name.failed ? NULL : names_find(&l->members, buffer_bytes(&l->name));
    return found == NULL ? NULL : &l->of->zip.members[found->count];
}
