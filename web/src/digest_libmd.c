/*
 * digest_libmd.c - the SHA-256 of common/digest.h, which is libmd's: libcrypto is
 * built as a whole or not at all, which takes longer than all the rest.
 */
#include <sha2.h>

#define CONTEXT SHA2_CTX
#define BEGIN SHA256Init
#define ADD SHA256Update
#define FINISH SHA256Final
#include "common/digest_state.h"
