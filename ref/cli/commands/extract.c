/*
 * extract.c - epref extract: tensors of an archive in the files of other libraries, or its
 * program; with --all every member as a file, and a list by which pack makes the archive again.
 * The list is written last: a folder without one is not all of an archive.
 */

#include "archive/make/folder.h"
#include "archive/make/paths.h"
#include "archive/state/tensorfile.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/source.h"
#include "command.h"
#include "common/memory.h"
#include "common/refusal.h"

/* ----------------------------------------------------------------------- all members */

/* An archive on its way into a folder. */
typedef struct unpacking {
    const options *o;
    source s;
    paths files;
    buffer list;
    size_t member; /* that is being written */
} unpacking;

/* Such an archive is taken apart as any other, but what pack makes of it is not the same
 * bytes. */
static void note_style(const unpacking *u) {
    diag_note_reason(
        u->o, buffer_bytes(&u->s.label),
        "no release writes such a zip: pack will make another one, of the same members");
}

/* What comes out of deflated members may be no more than the limit beyond the archive. SPEC
 * 8.1.3 */
static bool check_sizes(const unpacking *u, failure *what) {
    const zipfile *z = &u->s.archive.zip;
    uint64_t room = io_length(&u->s.file) + u->o->limits.bytes;
    for (size_t i = 0; i < z->count; i++) {
        if (z->members[i].size > room) {
            return refuse_plainly(what, EP_LIMIT_BYTES);
        }
        room -= z->members[i].size;
    }
    return true;
}

static bool plan_all(unpacking *u, failure *what) {
    const zipfile *z = &u->s.archive.zip;
    container kind = CONTAINER_OTHER;
    bool ok = check_sizes(u, what) && container_of(z, &kind, what) &&
              paths_make(z, folder_list, &u->files, what) &&
              folder_put_list(z, kind, &u->files, &u->list, what);
    TRY(io_settle(&u->s.file, ok, what));
    if (kind == CONTAINER_OTHER) {
        note_style(u);
    }
    return true;
}

static bool give_member(void *context, output_put *put, void *sink, failure *what) {
    unpacking *u = context;
    const zipfile *z = &u->s.archive.zip;
    zipfile_taker taker = {put, sink};
    return io_settle(&u->s.file, zipfile_read(z, &z->members[u->member], UINT64_MAX, taker, what),
                     what);
}

/* A file that could not be written, by its path, unless the archive is at fault. */
static status fail_member(const unpacking *u, const char *file, const failure *what) {
    buffer label = {0};
    if (what->reason == NULL && ep_code_level(what->error.code) == EP_LEVEL_ARCHIVE) {
        return source_fail(&u->s, u->o, what);
    }
    print(&label, "%s/%s", u->o->to_dir, file);
    return diag_fail_at(u->o, &label, what);
}

static status write_members(unpacking *u) {
    failure what;
    const char *dir = u->o->to_dir;
    for (u->member = 0; u->member < u->s.archive.zip.count; u->member++) {
        const char *file = paths_at(&u->files, u->member);
        if (!output_write_below(dir, file, give_member, u, &what)) {
            return fail_member(u, file, &what);
        }
    }
    ep_bytes list = buffer_bytes(&u->list);
    return output_write_below(dir, folder_list, output_bytes, &list, &what)
               ? STATUS_DONE
               : fail_member(u, folder_list, &what);
}

static status extract_all(const options *o) {
    unpacking u = {.o = o};
    failure what = {0};
    bool planned = source_find_zip(&u.s, o, o->path, false, &what) &&
                   source_need_archive(&u.s, &what) && plan_all(&u, &what);
    status result = planned ? write_members(&u) : source_fail(&u.s, o, &what);
    paths_free(&u.files);
    buffer_free(&u.list);
    source_free(&u.s);
    return result;
}

/* What is taken out of an archive, and where it goes. */
typedef struct extraction {
    const options *o;
    source s;
    tensors t;
    tensorfile file;
    holding shared; /* by the files of a folder */
    bool verified;
    buffer path;
} extraction;

/* ---------------------------------------------------------------------------- the choice */

static bool is_wanted(const extraction *x, const tensor_row *row) {
    const char *name = x->o->tensor;
    return row->part != TENSOR_INPUTS &&
           (name == NULL || bytes_equal(tensors_text(&x->t, row->name), name));
}

/* What cannot be extracted is reported where all tensors are taken, and the others come out. */
static bool note_left_out(extraction *x, const tensor_row *row, const char *why, failure *what) {
    buffer text = {0};
    bool object = row->form == TENSOR_OBJECT && !row->is_subclass && !row->is_fake;
    print(&text, "%s%s",
          object ? "no tensor, and not extracted" : "not extracted: ", object ? "" : why);
    bool ok = !text.failed || refuse_plainly(what, EP_MEMORY);
    ok = ok && source_blame(&x->s, tensors_text(&x->t, row->name), what);
    if (ok) {
        diag_note_reason(x->o, buffer_bytes(&x->s.label), buffer_string(&text));
    }
    buffer_free(&text);
    return ok && source_blame(&x->s, (ep_bytes){"", 0}, what);
}

static bool choose(extraction *x, failure *what) {
    for (size_t i = 0; i < x->t.row_count; i++) {
        const tensor_row *row = &x->t.rows[i];
        if (!is_wanted(x, row)) {
            continue;
        }
        const char *why = tensorfile_left_out(&x->file, i);
        if (x->o->tensor == NULL && why != NULL) {
            TRY(note_left_out(x, row, why, what));
            continue;
        }
        x->file.rows[x->file.count++] = i;
    }
    if (x->o->tensor == NULL || x->file.count == 1) {
        return true;
    }
    x->file.blamed = bytes_of(x->o->tensor);
    return refuse_invalid(what, x->file.count == 0 ? "no tensor has this name"
                                                   : "several programs have a tensor of this name");
}

static bool read_tensors(extraction *x, failure *what) {
    const options *o = x->o;
    TRY(source_tensors(&x->s, o, &x->t, what));
    x->file = (tensorfile){
        .archive = &x->s.archive, .tensors = &x->t, .form = o->as, .limit = o->limits.bytes};
    x->file.holding = &x->shared;
    x->file.rows = memory_zeros(x->t.row_count, sizeof *x->file.rows);
    return x->file.rows != NULL ? choose(x, what) : refuse_plainly(what, EP_MEMORY);
}

/* ------------------------------------------------------------------------------- products */

/* What helps where several programs are taken at once. */
static void note_models(const extraction *x) {
    buffer note = {0};
    buffer_text(&note, "the archive has several programs, --model=NAME takes one: ");
    for (size_t i = 0; i < x->t.program_count; i++) {
        print(&note, "%s%t", i > 0 ? ", " : "", x->t.programs[i].name);
    }
    diag_note_reason(x->o, buffer_bytes(&x->s.label), buffer_string(&note));
    buffer_free(&note);
}

/* Tells why, at the tensor that is to blame. */
static status fail(extraction *x, const tensorfile *file, failure *what) {
    if (file->blamed.size > 0) {
        source_blame(&x->s, file->blamed, what);
    }
    status result = source_fail(&x->s, x->o, what);
    if (file->blamed.size > 0 && x->t.program_count > 1) {
        note_models(x);
    }
    return result;
}

/* All that is extracted, once, however many files it goes into. */
static bool verify(extraction *x, failure *what) {
    x->verified = x->verified || tensorfile_verify(&x->file, what);
    return x->verified;
}

static status write_file(extraction *x, tensorfile *file, const char *path) {
    failure what = {0};
    status result = STATUS_DONE;
    bool ok = tensorfile_plan(file, &what) && verify(x, &what);
    if (!io_settle(&x->s.file, ok, &what)) {
        result = fail(x, file, &what);
    } else if (!output_write_made(path, tensorfile_write, file, &what)) {
        result = diag_fail(x->o, bytes_of(path != NULL ? path : "<stdout>"), &what);
    }
    tensorfile_free(file);
    return result;
}

static const char *const endings[] = {[TENSORFILE_SAFETENSORS] = ".safetensors",
                                      [TENSORFILE_NPY] = ".npy",
                                      [TENSORFILE_RAW] = ".bin"};

/* A file of the folder, whatever the name holds. */
static const char *path_of(extraction *x, ep_bytes name) {
    buffer_clear(&x->path);
    print(&x->path, "%s/", x->o->to_dir);
    paths_spell(&x->path, name);
    buffer_text(&x->path, endings[x->o->as]);
    return buffer_string(&x->path);
}

/* Each tensor in a file of its own. */
static status write_files(extraction *x) {
    status result = STATUS_DONE;
    failure what;
    if (!tensorfile_names_differ(&x->file, &what)) {
        return fail(x, &x->file, &what);
    }
    if (!io_make_folder(x->o->to_dir)) {
        refuse_errno(&what);
        return diag_fail(x->o, bytes_of(x->o->to_dir), &what);
    }
    for (size_t i = 0; i < x->file.count && result == STATUS_DONE; i++) {
        tensorfile one = x->file;
        one.rows = &x->file.rows[i];
        one.count = 1;
        const char *path = path_of(x, tensors_text(&x->t, x->t.rows[*one.rows].name));
        if (x->path.failed) {
            refuse_plainly(&what, EP_MEMORY);
            return source_fail(&x->s, x->o, &what);
        }
        result = write_file(x, &one, path);
    }
    return result;
}

static status write_program(extraction *x) {
    failure what = {0};
    if (!source_verify(&x->s, x->o, &what)) {
        return source_fail(&x->s, x->o, &what);
    }
    return output_write(x->o->output, x->s.input, &what) ? STATUS_DONE : diag_output(x->o, &what);
}

/* -------------------------------------------------------------------------------- command */

static status extract(extraction *x, failure *what) {
    const options *o = x->o;
    if (o->program) {
        return source_read(&x->s, o, o->path, what) ? write_program(x) : STATUS_INVALID;
    }
    if (!source_open(&x->s, o, o->path, what) || !read_tensors(x, what)) {
        return STATUS_INVALID;
    }
    return o->to_dir != NULL ? write_files(x) : write_file(x, &x->file, o->output);
}

/* npy and raw files hold one tensor. */
static const char *fault_of_options(const options *o) {
    bool one = o->tensor != NULL || o->to_dir != NULL;
    bool chosen = o->tensor != NULL || o->as != TENSORFILE_SAFETENSORS;
    if (o->all && (o->to_dir == NULL || o->program || o->model != NULL || chosen)) {
        return "--all goes with --to-dir=DIR, and with no option about programs or tensors";
    }
    if (o->program && (one || o->as != TENSORFILE_SAFETENSORS)) {
        return "--program goes with no option about tensors";
    }
    if (o->to_dir != NULL && o->output != NULL) {
        return "--to-dir and --output: one of them";
    }
    return !o->program && !one && o->as != TENSORFILE_SAFETENSORS
               ? "npy and raw hold one tensor: add --tensor=NAME or --to-dir=DIR"
               : NULL;
}

status cmd_extract(const options *o) {
    extraction x = {.o = o};
    failure what = {.reason = fault_of_options(o)};
    status result;
    if (what.reason != NULL) {
        what.status = STATUS_USAGE;
        return diag_fail(o, bytes_of("epref"), &what);
    }
    if (o->all) {
        return extract_all(o);
    }
    result = extract(&x, &what);
    if (what.status != STATUS_DONE) {
        result = fail(&x, &x.file, &what);
    }
    memory_free(x.file.rows);
    holding_free(&x.shared);
    tensors_free(&x.t);
    buffer_free(&x.path);
    source_free(&x.s);
    return result;
}
