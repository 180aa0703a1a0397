/*
 * codec/released.c - see released.h.
 */
#include "codec/released.h"

#define VERSION(symbol, name, major, minor, last, owner, unions, nulls, nonfinite, ids, treespec,  \
                marker, releases, note)                                                            \
    [EP_##symbol] = EP_IS_TEXT(releases) ? EP_BEFORE_##symbol : -1,

int ep_release_of(const ep_version *version) {
    static const int numbers[] = {
#include "schema/version.def"
    };
    return numbers[ep_version_number_of(version)];
}
