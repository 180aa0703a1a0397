/*
 * members.c - see members.h. Which member a loader gives to the unpickler is
 * known by its name, and in the PT2 layout by the payload configs: a first pass
 * over the archive reads those.
 */
#include "members.h"

#include <cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "archive.h"
#include "names.h"
#include "pickle.h"

enum { BOMB_RATIO = 100, BOMB_SIZE = 1 << 20 };

typedef enum layout { LAYOUT_ANY, LAYOUT_FLAT, LAYOUT_PT2 } layout;

typedef enum role {
    ROLE_READ,     /* as text, or as a program */
    ROLE_PICKLED,  /* given to torch.load or to pickle */
    ROLE_WEIGHT,   /* raw, unless its config says that it is pickled */
    ROLE_CONSTANT, /* likewise */
    ROLE_WEIGHTS_CONFIG,
    ROLE_CONSTANTS_CONFIG,
    ROLE_STATE,  /* of a custom class, given to its own reader */
    ROLE_NATIVE, /* linked into the process */
    ROLE_UNREAD
} role;

typedef struct member_row {
    layout layout;
    const char *start;
    const char *end;
    role role;
} member_row;

#define MEMBER(layout, start, end, role) {LAYOUT_##layout, start, end, ROLE_##role},
static const member_row rows[] = {
#include "members.def"
};
#undef MEMBER

/* An archive that is gone through. */
typedef struct archive {
    zip_t *zip;
    const members_ear *ear;
    name_list pickled[2]; /* weights and constants that are, by their paths */
    cJSON *configs;       /* what the paths are part of */
    bool unknown[2];      /* a config cannot be read: any of them may be */
    bool failed;          /* for want of memory */
} archive;

static void tell(const members_ear *ear, ep_bytes member, ep_audit_id id, const char *why,
                 ep_bytes text) {
    ep_finding finding = {.id = id, .why = why, .text = text};
    ear->hear(ear->context, member, &finding);
}

static ep_bytes nothing(void) {
    return (ep_bytes){"", 0};
}

/* ------------------------------------------------------------------------ text */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool equal_folded(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

static bool has_start(ep_bytes text, const char *start) {
    size_t size = strlen(start);
    return text.size >= size && equal_folded(text.data, start, size);
}

static bool has_end(ep_bytes text, const char *end) {
    size_t size = strlen(end);
    return text.size >= size && equal_folded(text.data + text.size - size, end, size);
}

/* What follows the first slash; all of it if there is none. */
static ep_bytes without_root(ep_bytes name) {
    const char *slash = memchr(name.data, '/', name.size);
    size_t skip = slash == NULL ? 0 : (size_t)(slash - name.data) + 1;
    return (ep_bytes){name.data + skip, name.size - skip};
}

/* SPEC 9.6.9: absolute, upward, or a path of another system's kind. */
static bool leads_out(ep_bytes name) {
    bool drive = name.size > 1 && name.data[1] == ':';
    size_t start = 0;
    for (size_t i = 0; i <= name.size; i++) {
        char c = i < name.size ? name.data[i] : '/';
        if (c == '\\' || (c == '/' && i - start == 2 && memcmp(name.data + start, "..", 2) == 0)) {
            return true;
        }
        start = c == '/' ? i + 1 : start;
    }
    return drive || (name.size > 0 && name.data[0] == '/');
}

static const member_row *row_of(ep_bytes name) {
    const member_row *row = rows;
    ep_bytes inner = without_root(name);
    for (;; row++) {
        ep_bytes text = row->layout == LAYOUT_PT2 ? inner : name;
        bool fits = row->layout != LAYOUT_PT2 || inner.size < name.size;
        if (fits && has_start(text, row->start) && has_end(text, row->end)) {
            return row;
        }
    }
}

/* --------------------------------------------------------------------- reading */

/* A member whole; NULL, or why it cannot be read, which says nothing of it if
 * content->failed. What the members of an archive come to is limited, as each of
 * them can grow when it is read. */
static const char *read_member(zip_t *zip, zip_uint64_t index, size_t *left, buffer *content) {
    zip_file_t *file = archive_open_file(zip, index, content);
    if (file == NULL) {
        return "the member cannot be opened";
    }
    bool ok = archive_read_file(file, *left, content);
    bool whole = content->size <= *left;
    zip_fclose(file);
    ok = ok && (!whole || archive_says(zip, index, content->size));
    *left -= whole ? content->size : *left;
    return ok       ? NULL
           : !whole ? "the members are larger than --max-bytes"
                    : "the member cannot be read";
}

static ep_bytes name_of(zip_t *zip, zip_uint64_t index) {
    const char *name = zip_get_name(zip, index, ZIP_FL_ENC_RAW);
    return bytes_of(name != NULL ? name : "");
}

/* -------------------------------------------------------------------- pickles */

/* What a pickle imports beyond the tensors' own, by kind: "module.name", in one
 * text; count and bytes are the place of a name. */
typedef struct strange {
    name_list globals[PICKLE_OTHER + 1];
    buffer text;
} strange;

static void hear_global(void *context, ep_bytes module, ep_bytes name) {
    enum { KEPT = 1000 };
    strange *s = context;
    size_t from = s->text.size;
    pickle_kind kind = pickle_kind_of(module, name);
    if (kind == PICKLE_TENSORS || s->globals[kind].count == KEPT) {
        return;
    }
    buffer_put(&s->text, module.data, module.size);
    buffer_byte(&s->text, '.');
    buffer_put(&s->text, name.data, name.size);
    names_add(&s->globals[kind], (name_item){.count = from, .bytes = s->text.size - from});
}

/* Each global of a kind once. SPEC 9.6.1, 9.6.7, 9.6.8 */
static void tell_globals(strange *s, pickle_kind kind, ep_bytes member, const members_ear *ear) {
    static const ep_finding findings[] = {
        [PICKLE_CONTAINER] = {.id = EP_AUDIT_CONTAINER,
                              .why = "the loader unpickles without restriction for its sake"},
        [PICKLE_OBJECT] = {.id = EP_AUDIT_STATE, .why = "the unpickler makes an object of it"},
        [PICKLE_OTHER] = {.id = EP_AUDIT_GLOBAL,
                          .why = "the unpickler imports it, and may call it"},
    };
    name_item *items = s->globals[kind].items;
    for (size_t i = 0; i < s->globals[kind].count; i++) {
        items[i].name = (ep_bytes){s->text.data + items[i].count, items[i].bytes};
    }
    names_sort(&s->globals[kind]);
    for (size_t i = 0; i < s->globals[kind].count; i++) {
        if (i == 0 || bytes_compare(items[i].name, items[i - 1].name) != 0) {
            tell(ear, member, findings[kind].id, findings[kind].why, items[i].name);
        }
    }
}

/* False for want of memory. SPEC 9.6.2 */
static bool scan_pickle(ep_bytes data, ep_bytes member, const members_ear *ear, bool *clean) {
    strange s = {.text = {0}};
    bool failed = false;
    const char *why = pickle_scan(data, hear_global, &s, &failed);
    bool ok = !failed && !s.text.failed;
    *clean = *clean && why == NULL;
    for (size_t kind = PICKLE_CONTAINER; kind <= PICKLE_OTHER; kind++) {
        ok = ok && !s.globals[kind].failed;
        *clean = *clean && s.globals[kind].count == 0;
        if (ok) {
            tell_globals(&s, (pickle_kind)kind, member, ear);
        }
        names_free(&s.globals[kind]);
    }
    buffer_free(&s.text);
    if (why != NULL) {
        tell(ear, member, EP_AUDIT_PICKLE, why, nothing());
    }
    return ok;
}

/* The archive that torch.save writes. SPEC 9.6.2, 9.6.3 */
static bool audit_saved(zip_t *zip, ep_bytes member, const members_ear *ear, bool *clean) {
    zip_int64_t count = zip_get_num_entries(zip, 0);
    bool found = false;
    bool ok = true;
    for (zip_int64_t i = 0; ok && i < count; i++) {
        ep_bytes inner = without_root(name_of(zip, (zip_uint64_t)i));
        bool script = has_end(inner, "constants.pkl");
        if (script) {
            tell(ear, member, EP_AUDIT_SCRIPT, "torch.load gives it to torch.jit.load", inner);
            *clean = false;
        } else if (has_end(inner, "data.pkl")) {
            buffer content = {0};
            const char *why = read_member(zip, (zip_uint64_t)i, ear->left, &content);
            if (content.failed) {
                ok = false;
            } else if (why != NULL) {
                tell(ear, member, EP_AUDIT_PICKLE, why, inner);
                *clean = false;
            } else {
                ok = scan_pickle(buffer_bytes(&content), member, ear, clean);
            }
            buffer_free(&content);
        }
        found = found || script || has_end(inner, "data.pkl");
    }
    if (!found) {
        tell(ear, member, EP_AUDIT_PICKLE, "it is no archive of torch.save", nothing());
        *clean = false;
    }
    return ok;
}

bool members_audit_pickled(ep_bytes data, ep_bytes member, const members_ear *ear) {
    bool failed = false;
    bool ok = true;
    bool clean = true;
    if (data.size >= 4 && memcmp(data.data, "PK\x03\x04", 4) == 0) {
        zip_t *zip = archive_open_bytes(data, &failed);
        if (zip != NULL) {
            ok = audit_saved(zip, member, ear, &clean);
            zip_discard(zip);
        } else if (!failed) {
            clean = false;
            tell(ear, member, EP_AUDIT_PICKLE, "its archive cannot be read", nothing());
        }
    } else {
        ok = scan_pickle(data, member, ear, &clean);
    }
    ok = ok && !failed;
    if (ok && clean) { /* SPEC 9.6.6 */
        tell(ear, member, EP_AUDIT_UNPICKLED, "it imports what tensors need", nothing());
    }
    return ok;
}

static void audit_pickled_member(archive *a, zip_uint64_t index, ep_bytes name) {
    buffer content = {0};
    const char *why = read_member(a->zip, index, a->ear->left, &content);
    if (content.failed) {
        a->failed = true;
    } else if (why != NULL) {
        tell(a->ear, name, EP_AUDIT_PICKLE, why, nothing());
    } else if (content.size > 0) { /* an artifact of no bytes is taken for an empty dict */
        a->failed = !members_audit_pickled(buffer_bytes(&content), name, a->ear) || a->failed;
    }
    buffer_free(&content);
}

/* --------------------------------------------------------------------- configs */

/* What Python takes for true. */
static bool is_true(const cJSON *value) {
    return !cJSON_IsFalse(value) && !cJSON_IsNull(value);
}

/* One payload: {"path_name": ..., "use_pickle": ...}. Of a key that stands
 * twice, both count. False for a path that is none below the folder. */
static bool read_payload(archive *a, size_t which, const cJSON *payload) {
    bool pickled = false;
    const cJSON *part;
    cJSON_ArrayForEach(part, payload) {
        pickled = pickled || (strcmp(part->string, "use_pickle") == 0 && is_true(part));
    }
    cJSON_ArrayForEach(part, payload) {
        if (pickled && strcmp(part->string, "path_name") == 0 && cJSON_IsString(part)) {
            for (char *c = part->valuestring; *c != '\0'; c++) {
                *c = lower(*c);
            }
            if (part->valuestring[0] == '/') {
                return false;
            }
            names_add(&a->pickled[which], (name_item){.name = bytes_of(part->valuestring)});
        }
    }
    return true;
}

/* {"config": {fqn: payload}} */
static bool read_config(archive *a, size_t which, const cJSON *config) {
    const cJSON *part;
    const cJSON *payload;
    cJSON_ArrayForEach(part, config) {
        if (!cJSON_IsObject(config) || strcmp(part->string, "config") != 0) {
            continue;
        }
        cJSON_ArrayForEach(payload, part) {
            if (!cJSON_IsObject(part) || !cJSON_IsObject(payload) ||
                !read_payload(a, which, payload)) {
                return false;
            }
        }
    }
    return cJSON_IsObject(config);
}

/* SPEC 9.6.5 */
static void take_config(archive *a, size_t which, zip_uint64_t index, ep_bytes name) {
    buffer content = {0};
    const char *why = read_member(a->zip, index, a->ear->left, &content);
    errno = 0; /* cJSON does not say why there is nothing */
    cJSON *config = why == NULL ? cJSON_ParseWithLength(content.data, content.size) : NULL;
    if (content.failed || (config == NULL && errno == ENOMEM)) {
        a->failed = true;
    } else if (config == NULL || !read_config(a, which, config)) {
        a->unknown[which] = true;
        tell(a->ear, name, EP_AUDIT_CONFIG, why != NULL ? why : "it is no payload config",
             nothing());
    }
    if (config != NULL) {
        cJSON_AddItemToArray(a->configs, config);
    }
    buffer_free(&content);
}

static bool is_pickled(archive *a, size_t which, ep_bytes name) {
    ep_bytes path = without_root(name);
    size_t folder = strlen(which == 0 ? "data/weights/" : "data/constants/");
    char *folded = malloc(path.size - folder + 1);
    if (folded == NULL) {
        a->failed = true;
        return false;
    }
    for (size_t i = folder; i < path.size; i++) {
        folded[i - folder] = lower(path.data[i]);
    }
    bool found = names_find(&a->pickled[which], (ep_bytes){folded, path.size - folder}) != NULL;
    free(folded);
    return found;
}

/* --------------------------------------------------------------------- members */

/* SPEC 9.6.9, 9.6.11 */
static void audit_shape(archive *a, zip_uint64_t index, ep_bytes name) {
    zip_stat_t about;
    if (leads_out(name)) {
        tell(a->ear, name, EP_AUDIT_PATH, "a tool that extracts it may write elsewhere", nothing());
    }
    bool known = zip_stat_index(a->zip, index, 0, &about) == 0 &&
                 (about.valid & ZIP_STAT_SIZE) != 0 && (about.valid & ZIP_STAT_COMP_SIZE) != 0;
    if (known && about.size > BOMB_SIZE && about.size / BOMB_RATIO > about.comp_size) {
        tell(a->ear, name, EP_AUDIT_BOMB, "it holds more than a hundred times its size", nothing());
    }
}

static void audit_payload(archive *a, size_t which, zip_uint64_t index, ep_bytes name) {
    if (!a->unknown[which] && is_pickled(a, which, name)) {
        audit_pickled_member(a, index, name);
    }
}

static void audit_member(archive *a, zip_uint64_t index) {
    ep_bytes name = name_of(a->zip, index);
    audit_shape(a, index, name);
    if (has_end(name, "/")) {
        return; /* a folder */
    }
    switch (row_of(name)->role) {
    case ROLE_READ:
    case ROLE_WEIGHTS_CONFIG:
    case ROLE_CONSTANTS_CONFIG:
        break;
    case ROLE_PICKLED:
        audit_pickled_member(a, index, name);
        break;
    case ROLE_WEIGHT:
        audit_payload(a, 0, index, name);
        break;
    case ROLE_CONSTANT:
        audit_payload(a, 1, index, name);
        break;
    case ROLE_STATE: /* SPEC 9.6.8 */
        tell(a->ear, name, EP_AUDIT_STATE, "its class, which has to be registered, reads it",
             nothing());
        break;
    case ROLE_NATIVE: /* SPEC 9.6.4 */
        tell(a->ear, name, EP_AUDIT_NATIVE, "the loader links what is compiled into the process",
             nothing());
        break;
    case ROLE_UNREAD: /* SPEC 9.6.12 */
        tell(a->ear, name, EP_AUDIT_UNREAD, "torch.export.load passes over it", nothing());
        break;
    }
}

static void take_configs(archive *a) {
    zip_int64_t count = zip_get_num_entries(a->zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        ep_bytes name = name_of(a->zip, (zip_uint64_t)i);
        role what = row_of(name)->role;
        if (what == ROLE_WEIGHTS_CONFIG || what == ROLE_CONSTANTS_CONFIG) {
            take_config(a, what == ROLE_WEIGHTS_CONFIG ? 0 : 1, (zip_uint64_t)i, name);
        }
    }
    names_sort(&a->pickled[0]);
    names_sort(&a->pickled[1]);
}

/* SPEC 9.6.10: PyTorch's reader does not see case, others do. */
static void audit_names(archive *a) {
    buffer all = {0};
    name_list names = {0};
    zip_int64_t count = zip_get_num_entries(a->zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        ep_bytes name = name_of(a->zip, (zip_uint64_t)i);
        for (size_t at = 0; at < name.size; at++) {
            buffer_byte(&all, lower(name.data[at]));
        }
    }
    buffer_byte(&all, ' '); /* so that there is a place for names that are empty */
    for (zip_int64_t i = 0, at = 0; !all.failed && i < count; i++) {
        size_t size = name_of(a->zip, (zip_uint64_t)i).size;
        names_add(&names, (name_item){.name = {all.data + at, size}, .count = (size_t)i});
        at += (zip_int64_t)size;
    }
    names_sort(&names);
    for (size_t i = 1; i < names.count; i++) {
        if (bytes_compare(names.items[i].name, names.items[i - 1].name) == 0) {
            tell(a->ear, name_of(a->zip, names.items[i].count), EP_AUDIT_DUPLICATE,
                 "another member differs in case only", nothing());
        }
    }
    a->failed = a->failed || names.failed || all.failed;
    names_free(&names);
    buffer_free(&all);
}

bool members_audit(const char *path, const io_data *data, const members_ear *ear) {
    archive a = {.ear = ear, .configs = cJSON_CreateArray()};
    failure untold; /* the program was read from it before */
    a.zip = a.configs != NULL ? archive_open(path, data, NULL, &untold) : NULL;
    if (a.zip == NULL) {
        cJSON_Delete(a.configs);
        return false;
    }
    audit_names(&a);
    take_configs(&a);
    zip_int64_t count = zip_get_num_entries(a.zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        audit_member(&a, (zip_uint64_t)i);
    }
    a.failed = a.failed || a.pickled[0].failed || a.pickled[1].failed;
    names_free(&a.pickled[0]);
    names_free(&a.pickled[1]);
    cJSON_Delete(a.configs);
    zip_discard(a.zip);
    return !a.failed;
}
