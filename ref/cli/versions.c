/*
 * versions.c - see versions.h.
 */
#include "versions.h"

#include <string.h>

#include "nearest.h"

enum { ROOM = 64 };

static const char torch[] = "torch-";

/* The release of that number, without what a build appends to it: "2.13.0+cpu". */
static const ep_version *of_release(const char *number) {
    char name[ROOM];
    size_t size = strcspn(number, "+");
    if (size == 0 || number[0] < '0' || number[0] > '9' || size + sizeof torch > sizeof name) {
        return NULL;
    }
    memcpy(name, torch, sizeof torch - 1);
    memcpy(name + sizeof torch - 1, number, size);
    name[sizeof torch - 1 + size] = '\0';
    return ep_version_find(name);
}

/* What stands behind the name of PyTorch, or behind a v; the word itself if neither does. */
static const char *number_in(const char *word) {
    static const char *const names[] = {"pytorch", "torch", "PyTorch", "Torch"};
    const char *at = word;
    for (size_t i = 0; i < sizeof names / sizeof *names && at == word; i++) {
        at += bytes_start(bytes_of(word), names[i]) ? strlen(names[i]) : 0;
    }
    at += at == word ? 0 : strspn(at, "-=_ ");
    return at + (*at == 'v');
}

const ep_version *versions_named(const char *word) {
    const ep_version *found = ep_version_find(word);
    const char *number = number_in(word);
    found = found != NULL ? found : of_release(number);
    return found != NULL || number[-(number != word)] != 'v' ? found : ep_version_find(number);
}

/* "2.13" of "2.13.0 2.13.1" */
static size_t minor_size(const char *number) {
    size_t size = strcspn(number, ". ");
    return number[size] == '.' ? size + 1 + strcspn(number + size + 1, ".+ ") : size;
}

/* "torch-" and the number without what stands behind its second part. */
static ep_bytes name_minor(char name[ROOM], const char *number) {
    size_t size = minor_size(number);
    size = size + sizeof torch <= ROOM ? size : 0;
    memcpy(name, torch, sizeof torch - 1);
    memcpy(name + sizeof torch - 1, number, size);
    name[sizeof torch - 1 + size] = '\0';
    return bytes_of(name);
}

/* Of numbers none is near another: it is the same minor release that is meant, or none. */
static void try_same_minor(nearest *n, char name[ROOM], const char *number) {
    ep_bytes minor = name_minor(name, number);
    if (ep_version_find(name) != NULL) {
        n->best = minor;
    }
}

static void try_all(nearest *n, char (*names)[ROOM], size_t most) {
    size_t count = 0;
    nearest_try(n, bytes_of("latest"));
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const char *at = ep_version_at(i)->releases;
        while (at != NULL && *at != '\0' && count < most) {
            nearest_try(n, name_minor(names[count++], at));
            at += strcspn(at, " ");
            at += *at == ' ';
        }
    }
}

void versions_put_nearest(buffer *b, const char *word) {
    enum { MOST = 64 };
    char names[MOST][ROOM];
    const char *number = number_in(word);
    nearest n = nearest_to(bytes_of(word));
    if ('0' <= *number && *number <= '9') {
        try_same_minor(&n, names[0], number);
    } else {
        try_all(&n, names, MOST);
    }
    nearest_put(b, &n);
    buffer_text(b, " (`epref schema` lists them)");
}
