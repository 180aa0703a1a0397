/*
 * native.c - see native.h.
 */
#include "native.h"

#include "archive/zip/folded.h"

static const char folder[] = "data/aotinductor/";

static const char *const endings[] = {
    ".so",
    ".dll",
    ".dylib",
    ".pyd",
    ".a",
    ".o",
    ".obj",
    ".cpp",
    ".cu",
    ".cubin",
    ".ptx",
    ".spv",
    ".metallib",
    ".hsaco",
    "_compile_flags.json",
    "_linker_flags.json",
};

bool native_is(ep_bytes name) {
    for (size_t i = 0; i + sizeof folder - 1 <= name.size; i++) {
        if (folded_equal(name.data + i, folder, sizeof folder - 1)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (folded_end(name, endings[i])) {
            return true;
        }
    }
    return false;
}
