/*
 * archive.c - see archive.h. zipfile.c reads the zip; what the layout is, and which
 * member is the program, is decided here.
 */
#include "archive.h"

#include <string.h>

#include "archive/zip/folded.h"
#include "common/refusal.h"
#include "common/safe.h"

enum { NAMES_SHOWN = 4 };

static const char flat_program[] = "serialized_exported_program.json";
static const char program_ending[] = ".json";

/* What the members of an archive come to. */
typedef struct choice {
    const char *model; /* wanted, or NULL */
    bool several;      /* will do */
    bool compiled;     /* models will do */
    bool is_flat;      /* there is a program of the flat layout */
    size_t count;      /* of programs that could be meant */
    const zipfile_member *program;
    buffer names; /* of the first few, for the refusal */
} choice;

/* "R/" of "R/a/b"; empty where there is no slash. */
static ep_bytes root_of(ep_bytes name) {
    const char *slash = memchr(name.data, '/', name.size);
    return (ep_bytes){name.data, slash == NULL ? 0 : (size_t)(slash - name.data) + 1};
}

/* What PyTorch reads as a program of the PT2 layout: all that is in "R/models/", folders
 * aside. *file is left behind that. */
static bool is_model(ep_bytes name, ep_bytes *file) {
    static const char folder[] = "models/";
    ep_bytes root = root_of(name);
    ep_bytes rest = {name.data + root.size, name.size - root.size};
    if (root.size < 2 || !bytes_start(rest, folder) || bytes_end(name, "/")) {
        return false;
    }
    *file = (ep_bytes){rest.data + sizeof folder - 1, rest.size - (sizeof folder - 1)};
    return true;
}

static void take(choice *c, const zipfile_member *m) {
    c->program = m;
    c->count++;
    if (c->count <= NAMES_SHOWN) {
        ep_bytes name = m->name;
        buffer_text(&c->names, c->count > 1 ? ", " : "");
        safe_text(&c->names, archive_is_program(m->name, &name) ? name : m->name);
    }
}

/* SPEC 8.1.2, 8.1.7 */
static bool consider(choice *c, const zipfile_member *m, failure *what) {
    ep_bytes file;
    if (bytes_equal(m->name, flat_program)) {
        take(c, m);
        return true;
    }
    bool extra = c->is_flat && bytes_start(m->name, "extra_files/");
    if (extra || !is_model(m->name, &file)) {
        return true;
    }
    if (!bytes_end(file, program_ending)) {
        return c->is_flat ||
               refuse_named(what, EP_ARCHIVE_LAYOUT, m->name,
                            "it lies where programs are, and is not called NAME.json");
    }
    file.size -= sizeof program_ending - 1;
    if (c->model == NULL || bytes_equal(file, c->model)) {
        take(c, m);
    }
    return true;
}

static const char compiled_folder[] = "data/aotinductor/";
const char archive_why_compiled[] = "it is one of AOTInductor, with compiled models alone";

static const char text_without_root[] =
    "models/NAME.json is there, and the folder that all members have to be in is missing";
static const char text_nested[] =
    "a .pt2 is among its members, as in an archive that was zipped again: unpack that";

/* A program of an archive whose members were packed again from within its folder. */
static bool without_root(ep_bytes name) {
    return bytes_start(name, "models/") && bytes_end(name, program_ending);
}

/* What an archive is that has no program. */
static const char *text_of_archive(const archive *a) {
    const char *text = "no serialized_exported_program.json, no models/NAME.json";
    for (size_t i = 0; i < a->zip.count; i++) {
        ep_bytes root = root_of(a->zip.members[i].name);
        ep_bytes inner = {root.data + root.size, a->zip.members[i].name.size - root.size};
        if (bytes_equal(inner, "constants.pkl")) {
            return "it is one of TorchScript";
        }
        if (bytes_start(inner, compiled_folder) ||
            bytes_start(a->zip.members[i].name, compiled_folder)) {
            return archive_why_compiled;
        }
        text = bytes_equal(inner, "data.pkl") ? "it is one of torch.save" : text;
        text = without_root(a->zip.members[i].name) ? text_without_root : text;
        text = bytes_end(inner, ".pt2") ? text_nested : text;
        text =
            bytes_equal(inner, ".data/stripped") || bytes_equal(a->zip.members[i].name, "stripped")
                ? "it is one of tensors that epref strip took out"
                : text;
    }
    return text;
}

static bool refuse_choice(const archive *a, choice *c, failure *what) {
    buffer detail = {0};
    if (c->count > 0) {
        buffer_number(&detail, (int64_t)c->count);
        buffer_text(&detail, " of them, --model=NAME takes one: ");
        buffer_put(&detail, c->names.data, c->names.size);
        detail.failed = detail.failed || c->names.failed;
    } else if (c->model != NULL) {
        buffer_text(&detail, "none is named ");
        safe_quoted(&detail, bytes_of(c->model));
    } else {
        buffer_text(&detail, text_of_archive(a));
    }
    return refuse_with(what, EP_ARCHIVE_PROGRAM, &detail);
}

/* All members of the PT2 layout are in one folder, the one that PyTorch takes from the
 * first. SPEC 8.1.7 */
static bool check_folder(archive *a, failure *what) {
    for (size_t i = 0; i < a->zip.count; i++) {
        ep_bytes name = a->zip.members[i].name;
        if (name.size < a->root.size || memcmp(name.data, a->root.data, a->root.size) != 0) {
            return refuse_named(what, EP_ARCHIVE_LAYOUT, name,
                                a->program == NULL ? "it is not in the folder of the models"
                                                   : "it is not in the folder of the program");
        }
    }
    return zipfile_check_folded(&a->zip, what);
}

/* A flat archive whose first member is in a folder looks like one of the PT2 layout to
 * the releases that try that first. SPEC 8.1.7 */
static bool check_flat(const archive *a, failure *what) {
    ep_bytes first = a->zip.members[0].name;
    return root_of(first).size == 0 ||
           refuse_named(what, EP_ARCHIVE_LAYOUT, first,
                        "it is the first member of a flat archive, and in a folder");
}

bool archive_is_of_model(const archive *a, const zipfile_member *m, ep_bytes *name) {
    ep_bytes inner = {m->name.data + a->root.size, m->name.size - a->root.size};
    if (!bytes_start(inner, compiled_folder) || bytes_end(inner, "/")) {
        return false;
    }
    inner.data += sizeof compiled_folder - 1;
    inner.size -= sizeof compiled_folder - 1;
    ep_bytes folder = root_of(inner);
    *name = (ep_bytes){inner.data, folder.size > 0 ? folder.size - 1 : 0};
    return true;
}

/* The folder of an archive of compiled models: that before data/aotinductor/, which the
 * packages of torch 2.5 to 2.7 lack. SPEC 8.9.1 */
static bool find_compiled(archive *a) {
    ep_bytes model;
    for (size_t i = 0; i < a->zip.count; i++) {
        const zipfile_member *m = &a->zip.members[i];
        bool flat = bytes_start(m->name, compiled_folder);
        a->root = flat ? (ep_bytes){"", 0} : root_of(m->name);
        if (archive_is_of_model(a, m, &model)) {
            return true;
        }
    }
    a->root = (ep_bytes){"", 0};
    return false;
}

static bool choose(archive *a, choice *c, failure *what) {
    c->is_flat = archive_is_flat(&a->zip);
    for (size_t i = 0; i < a->zip.count; i++) {
        TRY(consider(c, &a->zip.members[i], what));
    }
    if (c->count == 0 && c->model == NULL && c->compiled && find_compiled(a)) {
        return a->root.size == 0 || check_folder(a, what);
    }
    bool several = c->several && !c->is_flat; /* two layouts are none */
    if (c->count != 1 && (c->count == 0 || !several)) {
        return refuse_choice(a, c, what);
    }
    a->program = c->program;
    a->root = c->is_flat ? a->root : root_of(a->program->name);
    return c->is_flat ? check_flat(a, what) : check_folder(a, what);
}

bool archive_find(archive *a, archive_wish wish, failure *what) {
    choice c = {.model = wish.model, .several = wish.several, .compiled = wish.compiled};
    bool ok = choose(a, &c, what);
    buffer_free(&c.names);
    return ok;
}

bool archive_open(const io_data *data, archive_wish wish, archive *a, failure *what) {
    *a = (archive){.root = {"", 0}};
    TRY(zipfile_open(data, wish.limit, &a->zip, what));
    bool ok = archive_find(a, wish, what);
    if (!ok) {
        archive_close(a);
    }
    return ok;
}

bool archive_read(const archive *a, size_t limit, buffer *program, failure *what) {
    return zipfile_read_all(&a->zip, a->program, limit, program, what);
}

bool archive_fits(const archive *a, size_t limit) {
    uint64_t room = io_length(a->zip.from) + limit;
    for (size_t i = 0; i < a->zip.count; i++) {
        TRY(a->zip.members[i].size <= room);
        room -= a->zip.members[i].size;
    }
    return true;
}

/* One that goes on beyond the limit is not read to its end: the limit is what is wrong then. */
bool archive_verify(const archive *a, size_t limit, ep_bytes *about, failure *what) {
    uint64_t room = io_length(a->zip.from) + limit;
    for (size_t i = 0; i < 2 * a->zip.count; i++) {
        bool programs = i < a->zip.count;
        const zipfile_member *m = &a->zip.members[programs ? i : i - a->zip.count];
        if (archive_has_program(a, m) != programs) {
            continue;
        }
        if (m->size > room) {
            return refuse_plainly(what, EP_LIMIT_BYTES);
        }
        room -= m->size;
        if (!zipfile_verify_member(&a->zip, m, programs ? limit : UINT64_MAX, what)) {
            if (about != NULL) {
                *about = m->name;
            }
            return false;
        }
    }
    return true;
}

bool archive_verify_rest(const archive *a, failure *what) {
    bool ok = true;
    for (size_t i = 0; ok && i < a->zip.count; i++) {
        const zipfile_member *m = &a->zip.members[i];
        ok = m->is_verified || zipfile_verify_member(&a->zip, m, UINT64_MAX, what);
    }
    return ok;
}

void archive_close(archive *a) {
    zipfile_close(&a->zip);
    *a = (archive){.root = {"", 0}};
}

bool archive_is_flat(const zipfile *zip) {
    return zipfile_find(zip, bytes_of(flat_program)) != NULL;
}

bool archive_may_be_program(bool is_flat, const zipfile_member *m) {
    ep_bytes root = root_of(m->name);
    ep_bytes rest = {m->name.data + root.size, m->name.size - root.size};
    bool extra = is_flat && bytes_start(m->name, "extra_files/");
    bool model = !extra && folded_start(rest, "models/") && !bytes_end(rest, "/");
    return model || bytes_equal(m->name, flat_program);
}

bool archive_is_program(ep_bytes member, ep_bytes *name) {
    TRY(is_model(member, name) && bytes_end(*name, program_ending));
    name->size -= sizeof program_ending - 1;
    return true;
}

/* SPEC 8.7.1 */
static const char *stripped_name(const archive *a) {
    return a->root.size > 0 ? ".data/stripped" : "stripped";
}

const char archive_why_stripped[] = "its tensors were taken out, and epref join puts them back";

void archive_put_stripped(const archive *a, buffer *name) {
    buffer_put(name, a->root.data, a->root.size);
    buffer_text(name, stripped_name(a));
}

const zipfile_member *archive_stripped(const archive *a) {
    for (size_t i = 0; i < a->zip.count; i++) {
        const zipfile_member *m = &a->zip.members[i];
        ep_bytes inner = {m->name.data + a->root.size, m->name.size - a->root.size};
        if (bytes_equal(inner, stripped_name(a))) {
            return m;
        }
    }
    return NULL;
}

/* torch 2.6 calls it as the library; later releases have a kernel beside the wrapper. */
bool archive_is_compiled(const archive *a, const zipfile_member *m, ep_bytes *name) {
    bool is_metadata = a->root.size > 0 ? bytes_end(m->name, "wrapper_metadata.json")
                                        : bytes_end(m->name, "_metadata.json") &&
                                              !bytes_end(m->name, "kernel_metadata.json");
    return is_metadata && archive_is_of_model(a, m, name);
}

bool archive_has_program(const archive *a, const zipfile_member *m) {
    ep_bytes name;
    return a->root.size == 0 ? m == a->program : archive_is_program(m->name, &name);
}
