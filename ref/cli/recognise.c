/*
 * recognise.c - see recognise.h.
 */
#include "recognise.h"

#include <stdint.h>
#include <string.h>

#include "common/buffer.h"

typedef struct start_row {
    const char *bytes;
    size_t size;
    const char *text;
} start_row;

#define START(bytes, text)                                                                         \
    { bytes, sizeof bytes - 1, text }
static const start_row starts[] = {
    START("version https://git-lfs.github.com/spec/",
          "it is a pointer of Git LFS: git lfs pull gets the file"),
    START("<!DOCTYPE", "it is a page of HTML"),
    START("<!doctype", "it is a page of HTML"),
    START("<html", "it is a page of HTML"),
    START("<?xml", "it is XML"),
    START("\037\213", "it is compressed by gzip"),
    START("BZh", "it is compressed by bzip2"),
    START("\3757zXZ", "it is compressed by xz"),
    START("\050\265\057\375", "it is compressed by zstd"),
    START("PK\005\006", "it is a zip archive without members"),
    START("\200\002\212\012l\374\234F", "it is a pickle of torch.save before 1.6"),
    START("\223NUMPY", "it is an array of numpy"),
    START("\211HDF\015\012", "it is a file of HDF5"),
    START("\177ELF", "it is a shared library or a program"),
};
#undef START

/* The length of its header, eight bytes, and the header. */
static bool is_safetensors(ep_bytes file) {
    enum { LENGTH = 8 };
    uint64_t length = 0;
    if (file.size <= LENGTH || file.data[LENGTH] != '{') {
        return false;
    }
    for (size_t i = LENGTH; i > 0; i--) {
        length = length << 8 | (unsigned char)file.data[i - 1];
    }
    return length <= file.size - LENGTH;
}

/* PROTO, and a protocol. */
static bool is_pickle(ep_bytes file) {
    return file.size > 2 && file.data[0] == '\x80' && file.data[1] >= 2 && file.data[1] <= 5;
}

static const char *text_of_file(ep_bytes file) {
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (file.size >= starts[i].size &&
            memcmp(file.data, starts[i].bytes, starts[i].size) == 0) {
            return starts[i].text;
        }
    }
    return file.size == 0         ? "the file is empty"
           : is_safetensors(file) ? "it is a file of safetensors, which has no program"
           : is_pickle(file)      ? "it is a pickle"
                                  : NULL;
}

void recognise(ep_bytes file, failure *what) {
    enum { BEGINNING = 8 };
    const char *text = NULL;
    if (what->reason == NULL && ep_code_level(what->error.code) == EP_LEVEL_WIRE &&
        what->error.detail[0] == '\0' && what->error.offset <= BEGINNING) {
        text = text_of_file(file);
    }
    for (size_t i = 0; text != NULL && i <= strlen(text); i++) {
        what->error.detail[i] = text[i]; /* shorter than a detail */
    }
}
