/*
 * members.c - see members.h. Which member a loader gives to the unpickler is
 * known by its name, and in the PT2 layout by the payload configs: a first pass
 * over the archive reads those.
 */
#include "members.h"

#include <string.h>

#include "archive/layout/archive.h"
#include "archive/pickle/pickle.h"
#include "archive/state/payload.h"
#include "archive/zip/folded.h"
#include "common/base64.h"
#include "common/memory.h"
#include "common/names.h"
#include "common/refusal.h"
#include "native.h"
#include "storages.h"

enum { BOMB_RATIO = 100, BOMB_SIZE = 1 << 20 };

static const char extra_folder[] = "extra_files/"; /* of the flat layout */
static const char zip_mark[] = "PK\x03\x04";       /* with which an archive begins */

typedef enum layout { LAYOUT_ANY, LAYOUT_FLAT, LAYOUT_PT2 } layout;

typedef enum role {
    ROLE_READ,     /* as text, or as a program */
    ROLE_PICKLED,  /* given to torch.load or to pickle */
    ROLE_INPUTS,   /* the same, and its strings become source */
    ROLE_WEIGHT,   /* raw, unless its config says that it is pickled */
    ROLE_CONSTANT, /* likewise */
    ROLE_WEIGHTS_CONFIG,
    ROLE_CONSTANTS_CONFIG,
    ROLE_STATE,  /* of a custom class, given to its own reader */
    ROLE_SCRIPT, /* compiled by torch.jit.load */
    ROLE_UNREAD
} role;

typedef struct member_row {
    layout layout;
    const char *start;
    const char *end; /* NULL: nothing is behind the start */
    role role;
} member_row;

#define MEMBER(layout, start, end, role) {LAYOUT_##layout, start, end, ROLE_##role},
#define NAMED(layout, name, role) MEMBER(layout, name, NULL, role)
static const member_row rows[] = {
#include "members.def"
};
#undef NAMED
#undef MEMBER

/* Names in one text: each is a place in it until it grows no more. */
typedef struct gathered {
    name_list names;
    buffer text;
} gathered;

/* What the configs of one folder say of its members. */
typedef struct payloads {
    gathered named; /* both in lower case */
    gathered pickled;
    views raw;
    bool unknown; /* a config cannot be read: any of them may be pickled */
} payloads;

/* An archive that is gone through. */
typedef struct listing {
    const zipfile *zip;
    const members_ear *ear;
    payloads payloads[2]; /* weights and constants */
    gathered programs;    /* their names, in lower case */
    bool has_model;       /* of AOTInductor */
    bool is_flat;
    bool in_folder; /* the first member is */
    failure *what;
    bool failed; /* for that reason: memory, or the world */
} listing;

static void tell_text(const members_ear *ear, ep_bytes member, ep_audit_id id, const char *why,
                      ep_bytes text) {
    ep_finding finding = {.id = id, .why = why, .text = text};
    ear->hear(ear->context, member, &finding);
}

static void tell(const members_ear *ear, ep_bytes member, ep_audit_id id, const char *why) {
    tell_text(ear, member, id, why, (ep_bytes){"", 0});
}

/* ------------------------------------------------------------------------ text */

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
    return drive || bytes_start(name, "/");
}

/* Gives the names their places, and sorts them. False for want of memory, which sticks. */
static bool gathered_close(gathered *g) {
    g->names.failed = g->names.failed || g->text.failed;
    for (size_t i = 0; !g->names.failed && i < g->names.count; i++) {
        name_item *item = &g->names.items[i];
        item->name =
            (ep_bytes){g->text.size == 0 ? "" : g->text.data + item->count, (size_t)item->bytes};
    }
    names_sort(&g->names);
    return !g->names.failed;
}

static void gathered_free(gathered *g) {
    names_free(&g->names);
    buffer_free(&g->text);
}

/* The flat layout's loaders find a name that is the same, PyTorch's reader one that differs
 * in case. */
static bool fits_row(const member_row *row, ep_bytes name) {
    bool starts =
        row->layout == LAYOUT_FLAT ? bytes_start(name, row->start) : folded_start(name, row->start);
    return starts &&
           (row->end == NULL ? name.size == strlen(row->start) : folded_end(name, row->end));
}

/* In a flat archive whose first member is in a folder the PT2 layout counts, too, where the flat
 * one unpickles no such name: PyTorch's reader takes that folder for the archive's, be it that of
 * the extra files. */
static role role_of(const listing *a, ep_bytes name) {
    ep_bytes inner = without_root(name);
    const member_row *row = rows;
    while (a->is_flat && row->role != ROLE_UNREAD &&
           (row->layout == LAYOUT_PT2 || !fits_row(row, name))) {
        row++;
    }
    bool is_both = a->in_folder && (row->role == ROLE_UNREAD || bytes_start(name, extra_folder));
    if (a->is_flat && !is_both) {
        return row->role;
    }
    for (row = rows; row->layout == LAYOUT_FLAT || !fits_row(row, inner);) {
        row++;
    }
    return row->role;
}

/* --------------------------------------------------------------------- reading */

/* What a failure says of the file; NULL when it says nothing of it. */
static const char *reason_of(const failure *what) {
    return what->error.code == EP_ARCHIVE_MEMBER ? "the member cannot be read" : NULL;
}

/* A member whole. What the members of an archive come to is limited, as each of them
 * can grow when it is read. False where the file is not to blame. *why is left NULL, or
 * says what is wrong. */
static bool read_member(const zipfile *zip, const zipfile_member *m, const members_ear *ear,
                        buffer *content, const char **why) {
    failure *what = ear->what;
    bool ok = zipfile_read_all(zip, m, *ear->left, content, what);
    bool whole = content->size <= *ear->left;
    *why = !ok ? reason_of(what) : whole ? NULL : "the members are larger than --max-bytes";
    if (ok || *why != NULL) {
        *ear->left -= whole ? content->size : *ear->left;
        *what = (failure){0};
        return true;
    }
    return false;
}

/* -------------------------------------------------------------------- pickles */

/* A member that is given to the unpickler. */
typedef struct pickle_member {
    ep_bytes name;
    const members_ear *ear;
    bool is_inputs; /* strings of it become source */
} pickle_member;

/* What a pickle imports beyond the tensors' own, by kind: "module.name". */
typedef struct strange {
    const pickle_member *of;
    gathered globals[PICKLE_OTHER + 1];
    bool full[PICKLE_OTHER + 1]; /* more are not told. SPEC 9.1.5 */
} strange;

/* Leaves each name once. */
static void settle(gathered *g) {
    gathered once = {.names = {0}};
    if (!gathered_close(g)) {
        return;
    }
    names_collapse(&g->names);
    for (size_t i = 0; i < g->names.count; i++) {
        ep_bytes name = g->names.items[i].name;
        names_add(&once.names, (name_item){.count = once.text.size, .bytes = name.size});
        buffer_put(&once.text, name.data, name.size);
    }
    gathered_free(g);
    *g = once;
}

/* A pickle may import one thing as often as it likes. Repeats go when there are many names, so
 * that they hide no other. */
static void hear_global(void *context, ep_bytes module, ep_bytes name) {
    enum { KEPT = 1000 };
    strange *s = context;
    pickle_kind kind = pickle_kind_of(module, name);
    gathered *g = &s->globals[kind];
    if (kind == PICKLE_TENSORS || s->full[kind] || g->names.failed) {
        return;
    }
    names_add(&g->names, (name_item){.count = g->text.size, .bytes = module.size + 1 + name.size});
    buffer_put(&g->text, module.data, module.size);
    buffer_byte(&g->text, '.');
    buffer_put(&g->text, name.data, name.size);
    if (g->names.count == 2 * KEPT) {
        settle(g);
        s->full[kind] = g->names.count >= KEPT;
    }
}

/* SPEC 9.6.15: a key of the inputs stands in the source of guards, in quotes that it must not
 * close. Which of the strings are keys is not asked. */
static void hear_text(void *context, ep_bytes text) {
    const strange *s = context;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < ' ' || c == '"' || c == '\'' || c == '\\' || c == 0x7F) {
            tell_text(s->of->ear, s->of->name, EP_AUDIT_STRING,
                      "as a key of an input it stands in the source of guards", text);
            return;
        }
    }
}

/* Each global of a kind once. False for want of memory. SPEC 9.6.1, 9.6.7, 9.6.8 */
static bool tell_globals(strange *s, pickle_kind kind, ep_bytes member, const members_ear *ear) {
    static const ep_finding findings[] = {
        [PICKLE_CONTAINER] = {.id = EP_AUDIT_CONTAINER,
                              .why = "the loader unpickles without restriction for its sake"},
        [PICKLE_OBJECT] = {.id = EP_AUDIT_STATE, .why = "the unpickler makes an object of it"},
        [PICKLE_OTHER] = {.id = EP_AUDIT_GLOBAL,
                          .why = "the unpickler imports it, and may call it"},
    };
    gathered *g = &s->globals[kind];
    TRY(gathered_close(g));
    names_collapse(&g->names);
    for (size_t i = 0; i < g->names.count; i++) {
        tell_text(ear, member, findings[kind].id, findings[kind].why, g->names.items[i].name);
    }
    return true;
}

/* False for want of memory. SPEC 9.6.2 */
static bool scan_pickle(const pickle_member *p, ep_bytes data, bool *clean) {
    const members_ear *ear = p->ear;
    ep_bytes member = p->name;
    strange s = {.of = p};
    pickle_ear each = {hear_global, p->is_inputs ? hear_text : NULL, &s};
    bool failed = false;
    const char *why = pickle_scan(data, &each, &failed);
    bool ok = !failed;
    *clean = *clean && why == NULL;
    for (size_t kind = PICKLE_CONTAINER; kind <= PICKLE_OTHER; kind++) {
        *clean = *clean && s.globals[kind].names.count == 0;
        ok = ok && tell_globals(&s, (pickle_kind)kind, member, ear);
        gathered_free(&s.globals[kind]);
    }
    if (why != NULL) {
        tell(ear, member, EP_AUDIT_PICKLE, why);
    }
    return ok || refuse_plainly(ear->what, EP_MEMORY);
}

/* An archive that torch.save writes, in a member of another. state/saved.c takes only what
 * keeps SPEC 8.5; here every pickle counts that some loader would read: in a deflated member,
 * under a name in another case, in any folder, and several of them. */
typedef struct inner_archive {
    zipfile zip;
    const pickle_member *of;
    bool found; /* what tells how it is loaded */
    bool clean;
} inner_archive;

/* SPEC 9.6.2, 9.6.3 */
static bool audit_saved_member(inner_archive *s, const zipfile_member *m) {
    ep_bytes inner = without_root(m->name);
    buffer content = {0};
    const char *why = NULL;
    if (folded_end(inner, "constants.pkl")) {
        tell_text(s->of->ear, s->of->name, EP_AUDIT_SCRIPT, "torch.load gives it to torch.jit.load",
                  inner);
        s->found = true;
        s->clean = false;
        return true;
    }
    if (!folded_end(inner, "data.pkl")) {
        return true;
    }
    s->found = true;
    bool ok = read_member(&s->zip, m, s->of->ear, &content, &why);
    if (ok && why != NULL) {
        tell_text(s->of->ear, s->of->name, EP_AUDIT_PICKLE, why, inner);
        s->clean = false;
    } else if (ok) {
        ok = scan_pickle(s->of, buffer_bytes(&content), &s->clean);
    }
    buffer_free(&content);
    return ok;
}

static bool audit_saved(inner_archive *s) {
    for (size_t i = 0; i < s->zip.count; i++) {
        TRY(audit_saved_member(s, &s->zip.members[i]));
    }
    if (!s->found) {
        tell(s->of->ear, s->of->name, EP_AUDIT_PICKLE, "it is no archive of torch.save");
        s->clean = false;
    }
    return true;
}

/* An archive that is refused is told, since PyTorch may read it otherwise. */
static bool refuse_saved(inner_archive *s) {
    TRY(ep_code_level(s->of->ear->what->error.code) == EP_LEVEL_ARCHIVE);
    *s->of->ear->what = (failure){0};
    s->clean = false;
    tell(s->of->ear, s->of->name, EP_AUDIT_PICKLE, "its archive cannot be read, or in two ways");
    return true;
}

/* PyTorch's own reader gets it. False where the file is not to blame. */
static bool audit_inner(const pickle_member *p, ep_bytes data, bool *clean) {
    const members_ear *ear = p->ear;
    io_data inner = {.data = (char *)(uintptr_t)data.data, .size = data.size, .is_zip = true};
    inner_archive s = {.of = p, .clean = *clean};
    bool open = zipfile_open(&inner, data.size, &s.zip, ear->what);
    bool ok = open && zipfile_check_folded(&s.zip, ear->what) ? audit_saved(&s) : refuse_saved(&s);
    if (open) {
        zipfile_close(&s.zip);
    }
    *clean = s.clean;
    return ok;
}

static bool audit_pickle(const pickle_member *p, ep_bytes data) {
    bool clean = true;
    bool ok =
        bytes_start(data, zip_mark) ? audit_inner(p, data, &clean) : scan_pickle(p, data, &clean);
    if (ok && clean) { /* SPEC 9.6.6 */
        tell(p->ear, p->name, EP_AUDIT_UNPICKLED, "it imports what tensors need");
    }
    return ok;
}

typedef struct embedding {
    const members_ear *ear;
    const ep_error *place;
} embedding;

static void hear_embedded(void *context, ep_bytes member, const ep_finding *finding) {
    const embedding *e = context;
    ep_finding told = *finding;
    told.place = *e->place;
    e->ear->hear(e->ear->context, member, &told);
}

bool members_audit_embedded(const ep_finding *finding, const members_ear *ear) {
    embedding e = {ear, &finding->place};
    members_ear inside = {hear_embedded, &e, ear->left, ear->what};
    pickle_member p = {.name = {"", 0}, .ear = &inside};
    buffer bytes = {0};
    base64_decode(finding->text, &bytes);
    bool ok = bytes.failed ? refuse_plainly(ear->what, EP_MEMORY)
                           : audit_pickle(&p, buffer_bytes(&bytes));
    buffer_free(&bytes);
    return ok;
}

static void audit_pickled_member(listing *a, const zipfile_member *m, bool inputs) {
    buffer content = {0};
    const char *why = NULL;
    pickle_member p = {.name = m->name, .ear = a->ear, .is_inputs = inputs};
    if (!read_member(a->zip, m, a->ear, &content, &why)) {
        a->failed = true;
    } else if (why != NULL) {
        tell(a->ear, m->name, EP_AUDIT_PICKLE, why);
    } else if (content.size > 0) { /* an artifact of no bytes is taken for an empty dict */
        a->failed = !audit_pickle(&p, buffer_bytes(&content)) ||
                    !storages_audit_saved(a->zip, m, a->ear) || a->failed;
    }
    buffer_free(&content);
}

/* --------------------------------------------------------------------- configs */

static void put_folded(buffer *text, ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        buffer_byte(text, folded_lower(name.data[i]));
    }
}

static void gather_folded(gathered *g, ep_bytes name) {
    names_add(&g->names, (name_item){.count = g->text.size, .bytes = name.size});
    put_folded(&g->text, name);
}

/* The name that PyTorch's reader looks for: it ends at a NUL. SPEC 8.1.8 */
static ep_bytes as_found(ep_bytes path) {
    const char *end = path.size == 0 ? NULL : memchr(path.data, '\0', path.size);
    return (ep_bytes){path.data, end == NULL ? path.size : (size_t)(end - path.data)};
}

/* Whether every reader looks for the same name. SPEC 8.1.8 */
static bool is_plain(ep_bytes path) {
    for (size_t i = 0; i < path.size; i++) {
        char c = folded_lower(path.data[i]);
        bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        bool dot = c == '.' && i > 0 && path.data[i - 1] != '.';
        if (!word && !dot) {
            return false;
        }
    }
    return path.size > 0;
}

static void add_entry(payloads *p, const payload *entry) {
    buffer path = {0};
    ep_bytes name = as_found(entry->path);
    put_folded(&path, name);
    gather_folded(&p->named, name);
    if (entry->is_pickled) {
        gather_folded(&p->pickled, name);
    } else {
        storages_add_raw(&p->raw, buffer_bytes(&path), entry);
    }
    p->raw.failed = p->raw.failed || path.failed;
    buffer_free(&path);
}

/* A config that is read. */
typedef struct config {
    listing *of;
    size_t which;
    const zipfile_member *member;
} config;

static bool read_config(const config *c, ep_bytes text, ep_arena *arena, failure *what) {
    ep_value entries;
    payload entry;
    TRY(payload_open(arena, text, &entries, what));
    for (size_t i = 0; i < ep_value_count(entries); i++) {
        if (!payload_at(entries, i, arena, &entry)) {
            return refuse_plainly(what, EP_MEMORY);
        }
        if (bytes_start(entry.path, "/")) { /* not below the folder */
            return refuse_plainly(what, EP_TYPE);
        }
        if (!is_plain(entry.path)) {
            tell_text(c->of->ear, c->member->name, EP_AUDIT_CONFIG,
                      "it names a member in a way that readers do not share", entry.path);
        }
        add_entry(&c->of->payloads[c->which], &entry);
    }
    return true;
}

/* SPEC 9.6.5 */
static void take_config(listing *a, size_t which, const zipfile_member *m) {
    buffer content = {0};
    ep_arena arena;
    const char *why = NULL;
    failure what = {0};
    config c = {a, which, m};
    arena_open(&arena, 0);
    bool ok = read_member(a->zip, m, a->ear, &content, &why);
    if (!ok) {
        a->failed = true;
    } else if (why == NULL && !read_config(&c, buffer_bytes(&content), &arena, &what)) {
        why = "it is no payload config";
    }
    if (what.error.code == EP_MEMORY) {
        a->failed = true;
        *a->what = what;
    } else if (why != NULL) {
        a->payloads[which].unknown = true;
        tell(a->ear, m->name, EP_AUDIT_CONFIG, why);
    }
    ep_arena_free(&arena);
    buffer_free(&content);
}

/* --------------------------------------------------------------------- members */

/* SPEC 9.6.9, 9.6.11 */
static void audit_shape(listing *a, const zipfile_member *m) {
    if (leads_out(m->name)) {
        tell(a->ear, m->name, EP_AUDIT_PATH, "a tool that extracts it may write elsewhere");
    }
    if (m->size > BOMB_SIZE && (m->size - 1) / BOMB_RATIO >= m->packed) {
        tell(a->ear, m->name, EP_AUDIT_BOMB, "it holds more than a hundred times its size");
    }
}

/* SPEC 9.6.12. In a flat archive an extra file can have any name; what is native is reported as
 * that. */
static void tell_unread(listing *a, const zipfile_member *m, const char *why) {
    if ((a->is_flat && folded_start(m->name, extra_folder)) || native_is(m->name)) {
        return;
    }
    tell(a->ear, m->name, EP_AUDIT_UNREAD, why);
}

/* torch.export.pt2_archive gives every member of the weights to torch.load, where it is asked
 * for weights of models. A raw one is none of these. */
static bool is_of_model(listing *a, const zipfile_member *m) {
    buffer first = {0};
    bool read = a->has_model && zipfile_read_all(a->zip, m, sizeof zip_mark, &first, a->what);
    bool is = read && bytes_start(buffer_bytes(&first), zip_mark);
    a->failed = a->failed || (a->has_model && !read && reason_of(a->what) == NULL);
    buffer_free(&first);
    return is;
}

/* The folder's configs say what it is, if they could be read. */
static void audit_payload(listing *a, size_t which, const zipfile_member *m) {
    const payloads *p = &a->payloads[which];
    ep_bytes path = without_root(m->name);
    size_t folder = strlen(which == 0 ? "data/weights/" : "data/constants/");
    buffer name = {0};
    put_folded(&name, (ep_bytes){path.data + folder, path.size - folder});
    bool ok = !name.failed || refuse_plainly(a->what, EP_MEMORY);
    if (!ok) {
        a->failed = true;
    } else if (names_find(&p->pickled.names, buffer_bytes(&name)) != NULL) {
        audit_pickled_member(a, m, false);
    } else if (p->unknown) { /* who names it is not known. SPEC 9.6.12 */
    } else if (names_find(&p->named.names, buffer_bytes(&name)) != NULL) {
        a->failed = !storages_tell_raw(&p->raw, buffer_bytes(&name), m, a->ear) || a->failed;
    } else if (which == 0 && is_of_model(a, m)) {
        audit_pickled_member(a, m, false);
    } else {
        tell_unread(a, m, "no payload config names it");
    }
    buffer_free(&name);
}

/* "NAME" of "R/FOLDER/NAMEend", of which role_of knows the parts. */
static ep_bytes name_between(ep_bytes name, const char *folder, const char *end) {
    ep_bytes inner = without_root(name);
    size_t before = strlen(folder);
    size_t behind = strlen(end);
    bool fits = inner.size >= before + behind;
    return (ep_bytes){inner.data + before, fits ? inner.size - before - behind : 0};
}

/* A config is read with its program. */
static void audit_config(listing *a, size_t which, const zipfile_member *m) {
    ep_bytes program = which == 0
                           ? name_between(m->name, "data/weights/", "_weights_config.json")
                           : name_between(m->name, "data/constants/", "_constants_config.json");
    buffer name = {0};
    put_folded(&name, program);
    if (name.failed) {
        a->failed = !refuse_plainly(a->what, EP_MEMORY);
    } else if (names_find(&a->programs.names, buffer_bytes(&name)) == NULL) {
        tell_unread(a, m, "there is no program of its name");
    }
    buffer_free(&name);
}

static void audit_member(listing *a, const zipfile_member *m) {
    ep_bytes name = m->name;
    audit_shape(a, m);
    if (folded_end(name, "/")) {
        return; /* a folder */
    }
    role what = role_of(a, name);
    if (native_is(name)) { /* whatever else it is taken for */
        tell(a->ear, name, EP_AUDIT_NATIVE,
             "the loader links it into the process, or has a compiler make that of it");
    }
    switch (what) {
    case ROLE_READ:
        break;
    case ROLE_WEIGHTS_CONFIG:
        audit_config(a, 0, m);
        break;
    case ROLE_CONSTANTS_CONFIG:
        audit_config(a, 1, m);
        break;
    case ROLE_PICKLED:
    case ROLE_INPUTS:
        audit_pickled_member(a, m, what == ROLE_INPUTS);
        break;
    case ROLE_WEIGHT:
        audit_payload(a, 0, m);
        break;
    case ROLE_CONSTANT:
        audit_payload(a, 1, m);
        break;
    case ROLE_STATE: /* SPEC 9.6.8 */
        tell(a->ear, name, EP_AUDIT_STATE, "its class, which has to be registered, reads it");
        break;
    case ROLE_SCRIPT: /* SPEC 9.6.3 */
        tell(a->ear, name, EP_AUDIT_SCRIPT, "torch.load gives the archive to torch.jit.load");
        break;
    case ROLE_UNREAD:
        tell_unread(a, m, "torch.export.load passes over it");
        break;
    }
}

/* Of a member, what has to be known before any other is looked at. */
static void prepare_member(listing *a, const zipfile_member *m) {
    role what = role_of(a, m->name);
    ep_bytes inner = without_root(m->name);
    if (what == ROLE_WEIGHTS_CONFIG || what == ROLE_CONSTANTS_CONFIG) {
        take_config(a, what == ROLE_WEIGHTS_CONFIG ? 0 : 1, m);
    } else if (folded_start(inner, "models/") && folded_end(inner, ".json")) {
        gather_folded(&a->programs, name_between(m->name, "models/", ".json"));
    }
    a->has_model = a->has_model || folded_start(inner, "data/aotinductor/");
}

static void prepare(listing *a) {
    for (size_t i = 0; !a->failed && i < a->zip->count; i++) {
        prepare_member(a, &a->zip->members[i]);
    }
    bool ok = gathered_close(&a->programs);
    for (size_t i = 0; i < 2; i++) {
        payloads *p = &a->payloads[i];
        ok = gathered_close(&p->named) && gathered_close(&p->pickled) && views_close(&p->raw) && ok;
    }
    if (!ok && !a->failed) {
        a->failed = !refuse_plainly(a->what, EP_MEMORY);
    }
}

/* SPEC 9.6.10 */
static void audit_names(listing *a) {
    name_list names = {0};
    for (size_t i = 0; i < a->zip->count; i++) {
        names_add(&names, (name_item){.name = a->zip->members[i].name});
    }
    names_sort_by(&names, zipfile_in_folded_order);
    for (size_t i = 1; !names.failed && i < names.count; i++) {
        if (zipfile_in_folded_order(&names.items[i], &names.items[i - 1])) {
            tell(a->ear, names.items[i].name, EP_AUDIT_DUPLICATE,
                 "another member differs in case only");
        }
    }
    if (names.failed) {
        a->failed = !refuse_plainly(a->what, EP_MEMORY);
    }
    names_free(&names);
}

bool members_audit(const zipfile *zip, const members_ear *ear) {
    bool is_flat = archive_is_flat(zip);
    listing a = {.zip = zip, .ear = ear, .is_flat = is_flat, .what = ear->what};
    a.in_folder =
        zip->count > 0 && without_root(zip->members[0].name).size < zip->members[0].name.size;
    audit_names(&a);
    prepare(&a);
    for (size_t i = 0; !a.failed && i < zip->count; i++) {
        audit_member(&a, &zip->members[i]);
    }
    gathered_free(&a.programs);
    for (size_t i = 0; i < 2; i++) {
        gathered_free(&a.payloads[i].named);
        gathered_free(&a.payloads[i].pickled);
        views_free(&a.payloads[i].raw);
    }
    return !a.failed;
}
