/*
 * member_hash.c - see member_hash.h.
 */
#include "member_hash.h"

bool member_hash(const zipfile *z, const zipfile_member *m, char hex[DIGEST_HEX_SIZE + 1],
                 failure *what) {
    digest_hash h;
    digest_begin(&h);
    bool ok = zipfile_read(z, m, UINT64_MAX, (zipfile_taker){digest_take, &h}, what);
    if (ok) {
        digest_finish(&h, hex);
    }
    return ok;
}
