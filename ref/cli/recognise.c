/*
 * recognise.c - see recognise.h.
 */
#include "recognise.h"

#include <stdint.h>
#include <string.h>

#include "archive/zip/folded.h"
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
    START("\037\213", "it is compressed by gzip"),
    START("BZh", "it is compressed by bzip2"),
    START("\3757zXZ", "it is compressed by xz"),
    START("\050\265\057\375", "it is compressed by zstd"),
    START("PK\005\006", "it is a zip archive without members"),
    START("\200\002\212\012l\374\234F", "it is a pickle of torch.save before 1.6"),
    START("\223NUMPY", "it is an array of numpy"),
    START("\377\376", "it is a text of UTF-16, or none"),
    START("\376\377", "it is a text of UTF-16, or none"),
    START("GGUF", "it is a file of GGUF, which has no program of PyTorch"),
    START("\211HDF\015\012", "it is a file of HDF5"),
    START("\177ELF", "it is a shared library or a program"),
};

/* Texts, in any case, behind what may stand before them. */
static const start_row texts[] = {
    START("<!doctype html", "it is a page of HTML, perhaps one that says why there is no file"),
    START("<html", "it is a page of HTML, perhaps one that says why there is no file"),
    START("<head", "it is a page of HTML, perhaps one that says why there is no file"),
    START("<?xml", "it is XML, perhaps one that says why there is no file"),
    START("<", "it is HTML or XML, perhaps one that says why there is no file"),
};
#undef START

enum { BEGINNING = 8, TAR_MAGIC = 257 };

/* The length of its header, eight bytes, and the header. The beginning of one is told by the
 * quote that its header has then. */
static const char *text_of_safetensors(ep_bytes file) {
    enum { LENGTH = 8, LONGEST = 100000000 };
    if (file.size < LENGTH + 2 || file.data[LENGTH] != '{') {
        return NULL;
    }
    uint64_t length = bytes_number(file.data, LENGTH);
    if (length <= file.size - LENGTH) {
        return "it is a file of safetensors, which has no program";
    }
    return length <= LONGEST && file.data[LENGTH + 1] == '"'
               ? "it is the beginning of a file of safetensors, which has no program"
               : NULL;
}

/* PROTO, and a protocol. */
static bool is_pickle(ep_bytes file) {
    return file.size > 2 && file.data[0] == '\x80' && file.data[1] >= 2 && file.data[1] <= 5;
}

static bool is_tar(ep_bytes file) {
    return file.size > TAR_MAGIC + 5 && memcmp(file.data + TAR_MAGIC, "ustar", 5) == 0;
}

/* As a download leaves it that reserved the room and did not fill it. */
static bool is_zeros(ep_bytes file) {
    enum { LOOKED_AT = 512 };
    size_t at = 0;
    while (at < file.size && at < LOOKED_AT && file.data[at] == '\0') {
        at++;
    }
    return at >= BEGINNING && (at == file.size || at == LOOKED_AT);
}

/* What may stand before a text: a byte order mark and white space. */
static size_t text_begins(ep_bytes file) {
    size_t at = bytes_start(file, "\xEF\xBB\xBF") ? 3 : 0;
    while (at < file.size && file.data[at] != '\0' && strchr(" \t\r\n", file.data[at]) != NULL) {
        at++;
    }
    return at;
}

static const char *text_of_text(ep_bytes file) {
    size_t at = text_begins(file);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (file.size - at >= texts[i].size &&
            folded_equal(file.data + at, texts[i].bytes, texts[i].size)) {
            return texts[i].text;
        }
    }
    return NULL;
}

const char *recognise_file(ep_bytes file) {
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (file.size >= starts[i].size &&
            memcmp(file.data, starts[i].bytes, starts[i].size) == 0) {
            return starts[i].text;
        }
    }
    if (file.size == 0) {
        return "the file is empty";
    }
    const char *tensors = text_of_safetensors(file);
    return tensors != NULL   ? tensors
           : is_pickle(file) ? "it is a pickle"
           : is_zeros(file)  ? "it begins with zeros alone, as a download that was broken off"
           : is_tar(file)    ? "it is a tar archive"
                             : text_of_text(file);
}

/* Whether an error is at the beginning of the file, or of the text in it. */
static bool is_at_beginning(ep_bytes file, const ep_error *error) {
    return error->offset <= BEGINNING || error->offset <= text_begins(file);
}

/* As a download leaves it that broke off; of a few bytes that is not the likeliest cause. */
static bool is_cut_off(ep_bytes file, const ep_error *error) {
    enum { LIKELY = 64 };
    return error->code == EP_END && file.size >= LIKELY;
}

void recognise(ep_bytes file, failure *what) {
    const char *text = NULL;
    bool unexplained = what->reason == NULL && what->error.detail[0] == '\0' &&
                       ep_code_level(what->error.code) == EP_LEVEL_WIRE;
    if (unexplained && is_cut_off(file, &what->error)) {
        text = "a part of the file is missing";
    } else if (unexplained && is_at_beginning(file, &what->error)) {
        text = recognise_file(file);
    }
    for (size_t i = 0; text != NULL && i <= strlen(text); i++) {
        what->error.detail[i] = text[i]; /* shorter than a detail */
    }
}
