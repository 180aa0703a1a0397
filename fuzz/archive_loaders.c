/*
 * archive_loaders.c - what PyTorch would unpickle, import or link of an archive, by the rules
 * of SPEC 9.6 written once more: an audit reports each such member. Nothing is asked of the
 * layout that the archive is taken for, since a release that takes it for the other one is
 * a reader, too. cJSON reads the configs, and ends a text where a text of C ends.
 */
#include "archive_laws.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { LOADER_LIMIT = 1 << 20 };

#define SAID(id) ((uint64_t)1 << EP_AUDIT_##id)

/* What an audit reports of what an import or an unpickling does. */
static const uint64_t imported =
    SAID(GLOBAL) | SAID(STATE) | SAID(CONTAINER) | SAID(SCRIPT) | SAID(PICKLE);
static const uint64_t unpickled =
    SAID(GLOBAL) | SAID(STATE) | SAID(CONTAINER) | SAID(SCRIPT) | SAID(PICKLE) | SAID(UNPICKLED);

/* ------------------------------------------------------------------------- names */

/* The rest of a name behind a text, in whatever case; NULL where it does not begin so. */
static const char *behind(ep_bytes name, const char *start, size_t size) {
    bool same = size <= name.size &&
                zip_rules_same_name((ep_bytes){name.data, size}, (ep_bytes){start, size}, true);
    return same ? name.data + size : NULL;
}

static bool begins(ep_bytes name, const char *start) {
    return behind(name, start, strlen(start)) != NULL;
}

static bool ends(ep_bytes name, const char *end) {
    size_t size = strlen(end);
    return name.size >= size && begins((ep_bytes){name.data + name.size - size, size}, end);
}

static bool is(ep_bytes name, const char *text) {
    return name.size == strlen(text) && begins(name, text);
}

/* The folder of the first member, with its slash: the C++ reader looks below it. */
static ep_bytes root_of(const zip_reading *r) {
    ep_bytes first = r->entries[0].head.name;
    const char *slash = first.size == 0 ? NULL : memchr(first.data, '/', first.size);
    return (ep_bytes){first.data, slash == NULL ? 0 : (size_t)(slash - first.data) + 1};
}

/* A member's name below the root; empty when it is elsewhere, or when there is no root, as the
 * reader refuses that. */
static ep_bytes below_root(const zip_reading *r, size_t member) {
    ep_bytes root = root_of(r);
    ep_bytes name = r->entries[member].head.name;
    const char *rest = behind(name, root.data, root.size);
    return rest == NULL || root.size == 0 ? (ep_bytes){"", 0}
                                          : (ep_bytes){rest, name.size - root.size};
}

/* ----------------------------------------------------------------------- pickles */

/* SPEC 9.6.1: its first opcode imports what tensors do not need. */
static bool imports_first(ep_bytes pickle) {
    static const char *const starts[] = {"\x80\x02"
                                         "cos\n",
                                         "\x80\x02"
                                         "cposix\n",
                                         "\x80\x02"
                                         "csubprocess\n",
                                         "\x80\x02"
                                         "csys\n"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        size_t size = strlen(starts[i]);
        if (bytes_start(pickle, starts[i]) &&
            memchr(pickle.data + size, '\n', pickle.size - size) != NULL) {
            return true;
        }
    }
    return false;
}

/* The same of an archive of torch.save: of its first pickle. */
static bool saved_imports_first(ep_bytes file) {
    zip_reading inner;
    bool imports = false;
    bool open = zip_reader_open(file, &inner);
    for (size_t i = 0; open && !imports && i < inner.count; i++) {
        zip_content content;
        if (is(below_root(&inner, i), "data.pkl") &&
            zip_reader_unpack(&inner.entries[i], LOADER_LIMIT, &content)) {
            imports = imports_first(content.bytes);
            zip_content_free(&content);
        }
    }
    zip_reader_close(&inner);
    return imports;
}

static void law_of_pickle(const subject *s, const uint64_t *said, size_t member) {
    const zip_entry *e = &s->reading.entries[member];
    zip_content content;
    if (e->head.size == 0) {
        return; /* SPEC 9.6.2: of no bytes nothing is unpickled */
    }
    FUZZ_PROPERTY((said[member] & unpickled) != 0, "loader-unpickles");
    if (zip_reader_unpack(e, LOADER_LIMIT, &content)) {
        bool imports = bytes_start(content.bytes, "PK\3\4") ? saved_imports_first(content.bytes)
                                                            : imports_first(content.bytes);
        FUZZ_PROPERTY(!imports || (said[member] & imported) != 0, "loader-imports");
        zip_content_free(&content);
    }
}

/* Every member that the C++ reader may find by a folder, a name and an ending. */
static void laws_of_name(const subject *s, const uint64_t *said, const char *const parts[3]) {
    for (size_t i = 0; i < s->reading.count; i++) {
        ep_bytes rest = below_root(&s->reading, i);
        for (size_t part = 0; part < 3 && rest.data != NULL; part++) {
            const char *next = behind(rest, parts[part], strlen(parts[part]));
            rest = (ep_bytes){next, next == NULL ? 0 : rest.size - strlen(parts[part])};
        }
        if (rest.data != NULL && rest.size == 0) {
            law_of_pickle(s, said, i);
        }
    }
}

/* ----------------------------------------------------------------------- configs */

/* SPEC 9.6.5 */
static void laws_of_config(const subject *s, const uint64_t *said, ep_bytes text,
                           const char *folder) {
    cJSON *all = cJSON_ParseWithLength(text.data, text.size);
    cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(all, "config")) {
        cJSON *path = cJSON_GetObjectItemCaseSensitive(entry, "path_name");
        cJSON *pickled = cJSON_GetObjectItemCaseSensitive(entry, "use_pickle");
        if (cJSON_IsString(path) && cJSON_IsTrue(pickled)) {
            laws_of_name(s, said, (const char *const[]){folder, path->valuestring, ""});
        }
    }
    cJSON_Delete(all);
}

/* SPEC 9.6: those that a loader unpickles whatever the configs say. */
static bool is_pickle(ep_bytes name) {
    static const char *const folders[] = {"data/sample_inputs/", "data/weights/",
                                          "data/constants/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (begins(name, folders[i]) && ends(name, ".pt")) {
            return true;
        }
    }
    return begins(name, "data/constants/opaque_obj_") && !ends(name, "/");
}

static void laws_of_member(const subject *s, const uint64_t *said, size_t member) {
    static const char *const folders[2] = {"data/weights/", "data/constants/"};
    static const char *const endings[2] = {"_weights_config.json", "_constants_config.json"};
    const zip_entry *e = &s->reading.entries[member];
    ep_bytes name = below_root(&s->reading, member);
    for (size_t i = 0; i < 2; i++) {
        zip_content content;
        bool config = begins(name, folders[i]) && ends(name, endings[i]);
        if (config && (said[member] & SAID(CONFIG)) == 0 &&
            zip_reader_unpack(e, LOADER_LIMIT, &content)) {
            laws_of_config(s, said, content.bytes, folders[i]);
            zip_content_free(&content);
        }
    }
    if (is_pickle(name)) {
        law_of_pickle(s, said, member);
    }
}

/* ------------------------------------------------------------------------ layouts */

/* The loader of compiled models takes files by their folders and endings. SPEC 9.6.4 */
static bool is_linked(ep_bytes name) {
    static const char *const taken[] = {".so", ".cpp", ".o", ".cubin"};
    bool folder = begins(name, "data/aotinductor/") || begins(name, "data/constants/");
    for (size_t i = 0; folder && i < sizeof taken / sizeof taken[0]; i++) {
        if (ends(name, taken[i])) {
            return true;
        }
    }
    return false;
}

/* torch 2.1 to 2.9 unpickle these where there is a program beside them. */
static bool is_flat_pickle(ep_bytes name) {
    static const char *const names[] = {"serialized_state_dict.pt", "serialized_constants.pt",
                                        "serialized_example_inputs.pt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (bytes_equal(name, names[i])) {
            return true;
        }
    }
    return false;
}

void laws_of_loaders(const subject *s, const uint64_t *said) {
    const zip_reading *r = &s->reading;
    bool is_flat = laws_find(r, bytes_of("serialized_exported_program.json")) != NULL;
    for (size_t i = 0; i < r->count; i++) {
        bool native = is_linked(below_root(r, i));
        FUZZ_PROPERTY(!native || (said[i] & SAID(NATIVE)) != 0, "loader-links");
        laws_of_member(s, said, i);
        if (is_flat && is_flat_pickle(r->entries[i].head.name)) {
            law_of_pickle(s, said, i);
        }
    }
}
