/*
 * digest_libcrypto.c - the SHA-256 of digest.h, which is libcrypto's.
 */
#include <errno.h>
#include <openssl/evp.h>

#include "digest.h"
#include "refusal.h"

bool digest_begin(digest_hash *h) {
    errno = 0; /* a refusal is ENOMEM, or libcrypto's own */
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    h->context = context;
    return context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
}

bool digest_add(digest_hash *h, ep_bytes piece) {
    return EVP_DigestUpdate(h->context, piece.data, piece.size) == 1;
}

bool digest_finish_raw(digest_hash *h, unsigned char result[DIGEST_RAW_SIZE]) {
    unsigned size = 0;
    return EVP_DigestFinal_ex(h->context, result, &size) == 1 && size == DIGEST_RAW_SIZE &&
           EVP_DigestInit_ex(h->context, EVP_sha256(), NULL) == 1;
}

void digest_free(digest_hash *h) {
    EVP_MD_CTX_free(h->context);
    h->context = NULL;
}

bool digest_refuse(failure *what) {
    if (errno == ENOMEM) {
        return refuse_plainly(what, EP_MEMORY);
    }
    *what = (failure){.status = STATUS_INTERNAL, .reason = "libcrypto has no SHA-256"};
    return false;
}
