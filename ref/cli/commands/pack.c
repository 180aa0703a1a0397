/*
 * pack.c - epref pack: an archive made of parts, those of a folder; or with --tensors, of a
 * program and others. Then the first operand is the program, or an archive that it is taken out
 * of; the others are NAME=FILE, extra files.
 */

#include <string.h>

#include "archive/make/assemble.h"
#include "archive/make/folder.h"
#include "archive/make/tensorfolder.h"
#include "archive/state/safetensors.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/source.h"
#include "command.h"
#include "common/memory.h"
#include "common/refusal.h"

/* --------------------------------------------------------- a program and its tensors */

/* What is packed, and what of it is open. */
typedef struct packing {
    const options *o;
    source program;
    ep_arena arena;
    io_data tensors;     /* a file of safetensors, */
    given state;         /* and what it holds; */
    tensorfolder folder; /* or a folder of files */
    bool from_folder;
    io_data inputs;
    io_data *files; /* of the extra files */
    assembly_file *extras;
    size_t count;
    buffer root;
    assembly made;
} packing;

/* ---------------------------------------------------------------------------- inputs */

/* Reports a failure at a file, or at what has a name in it: "FILE!NAME". */
static status fail_at(const packing *p, const char *path, const char *sign, ep_bytes name,
                      const failure *what) {
    buffer label = {0};
    print(&label, "%s%s%r", path, name.size > 0 ? sign : "", name.data, name.size);
    return diag_fail_at(p->o, &label, what);
}

/* "folder/file", or "folder!tensor". */
static status fail_folder(const packing *p, const failure *what) {
    const tensorfolder *f = &p->folder;
    return f->blamed != NULL ? fail_at(p, f->path, "/", bytes_of(f->blamed), what)
                             : fail_at(p, f->path, "!", f->tensor, what);
}

static status open_tensors(packing *p) {
    failure what = {0};
    p->from_folder = io_is_folder(p->o->tensors);
    if (p->from_folder) {
        return tensorfolder_open(p->o->tensors, p->o->limits.bytes, &p->folder, &what)
                   ? STATUS_DONE
                   : fail_folder(p, &what);
    }
    bool ok = io_open(p->o->tensors, &p->tensors, &what) &&
              io_settle(&p->tensors,
                        safetensors_open(&p->tensors, p->o->limits.bytes, &p->state, &what), &what);
    return ok ? STATUS_DONE : diag_fail(p->o, bytes_of(p->o->tensors), &what);
}

static bool read_whole(const options *o, const char *path, io_data *d, failure *what) {
    TRY(io_open(path, d, what));
    uint64_t size = io_length(d);
    buffer content = {0};
    if (size > o->limits.bytes) {
        return refuse_plainly(what, EP_LIMIT_BYTES);
    }
    bool ok = io_settle(d, io_read_piece(d, 0, (size_t)size, &content, what), what);
    io_data_free(d);
    *d = (io_data){.data = content.data, .size = content.size, .capacity = content.capacity};
    return ok;
}

static status read_inputs(packing *p) {
    failure what = {0};
    const char *path = p->o->sample_inputs;
    return path == NULL || read_whole(p->o, path, &p->inputs, &what)
               ? STATUS_DONE
               : diag_fail(p->o, bytes_of(path), &what);
}

/* NAME=FILE, behind the program. */
static status read_extra(packing *p, const char *operand) {
    failure what = {.status = STATUS_USAGE, .reason = "no NAME=FILE of an extra file"};
    const char *sign = strchr(operand, '=');
    if (sign == NULL || sign == operand) {
        return diag_fail(p->o, bytes_of(operand), &what);
    }
    io_data *file = &p->files[p->count];
    *file = (io_data){.data = NULL};
    what = (failure){.status = STATUS_DONE};
    p->count++;
    if (!read_whole(p->o, sign + 1, file, &what)) {
        return diag_fail(p->o, bytes_of(sign + 1), &what);
    }
    p->extras[p->count - 1] = (assembly_file){.name = {operand, (size_t)(sign - operand)},
                                              .bytes = {file->data, file->size}};
    return STATUS_DONE;
}

static status read_extras(packing *p) {
    const options *o = p->o;
    size_t most = o->operand_count;
    status result = STATUS_DONE;
    p->files = memory_resize(NULL, most * sizeof *p->files);
    p->extras = memory_resize(NULL, most * sizeof *p->extras);
    if (p->files == NULL || p->extras == NULL) {
        failure what;
        refuse_plainly(&what, EP_MEMORY);
        return diag_fail(p->o, bytes_of(o->operands[0]), &what);
    }
    for (size_t i = 1; result == STATUS_DONE && i < most; i++) {
        result = read_extra(p, o->operands[i]);
    }
    return result;
}

/* --------------------------------------------------------------------------- product */

/* The folder of all members is called after the file, as PyTorch calls it: what stands
 * between the last slash and the last dot. */
static void put_root(packing *p) {
    const char *path = p->o->output == NULL ? "" : p->o->output;
    for (const char *at = path; *at != '\0'; at++) {
        path = *at == '/' || *at == '\\' ? at + 1 : path;
    }
    const char *dot = strrchr(path, '.');
    ep_bytes stem = {path, dot == NULL ? strlen(path) : (size_t)(dot - path)};
    stem = assembly_is_root(stem) ? stem : bytes_of("archive");
    print(&p->root, "%r/", stem.data, stem.size);
}

/* Of a tensor or a member: the file that it is of, and its name. */
static status fail_assembly(const packing *p, const failure *what) {
    return p->folder.why.status != STATUS_DONE
               ? fail_folder(p, &p->folder.why)
               : fail_at(p, p->o->tensors, "!", p->made.blamed, what);
}

/* The date that a program has in a flat archive is that of what is made of it: a product has
 * no clock. */
static uint32_t date_of(const source *s) {
    bool flat = source_is_archive(s) && s->archive.root.size == 0;
    return flat ? s->archive.program->date : 0;
}

static status make(packing *p, const ep_program *program) {
    failure what = {0};
    if (!source_check(p->o, program, &what)) {
        return source_fail(&p->program, p->o, &what);
    }
    put_root(p);
    assembly_wish wish = {.program = program,
                          .text = p->program.input,
                          .state = p->from_folder ? &p->folder.given : &p->state,
                          .inputs = {p->inputs.data, p->inputs.size},
                          .extras = p->extras,
                          .extra_count = p->count,
                          .root = buffer_bytes(&p->root),
                          .date = date_of(&p->program),
                          .limit = p->o->limits.bytes};
    bool ok = p->root.failed ? refuse_plainly(&what, EP_MEMORY)
                             : io_settle(&p->tensors, assemble(&wish, &p->made, &what), &what);
    if (!ok) {
        return fail_assembly(p, &what);
    }
    if (output_write_made(p->o->output, assembly_write, &p->made, &what)) {
        return STATUS_DONE;
    }
    bool reading = p->folder.why.status != STATUS_DONE;
    return reading ? fail_folder(p, &p->folder.why) : diag_output(p->o, &what);
}

static void close_all(packing *p) {
    assembly_free(&p->made);
    given_free(&p->state);
    tensorfolder_free(&p->folder);
    io_data_free(&p->tensors);
    io_data_free(&p->inputs);
    for (size_t i = 0; i < p->count; i++) {
        io_data_free(&p->files[i]);
    }
    memory_free(p->files);
    memory_free(p->extras);
    buffer_free(&p->root);
    ep_arena_free(&p->arena);
    source_free(&p->program);
}

static status pack_program(const options *o) {
    packing p = {.o = o};
    const ep_program *program;
    status result = source_load(&p.program, o, &p.arena, &program,
                                "not packed: what the warnings name would be lost");
    result = result == STATUS_DONE ? open_tensors(&p) : result;
    result = result == STATUS_DONE ? read_inputs(&p) : result;
    result = result == STATUS_DONE ? read_extras(&p) : result;
    result = result == STATUS_DONE ? make(&p, program) : result;
    close_all(&p);
    return result;
}

/* The list of the folder, with the line and its file, "parts/archive.txt:3!model/version". */
static status fail(const options *o, const folder *f, const failure *what) {
    buffer label = {0};
    print(&label, f->line > 0 ? "%s/%s:%i" : "%s/%s", f->path, folder_list, (int64_t)f->line);
    print(&label, f->blamed != NULL ? "!%s" : "", f->blamed);
    return diag_fail_at(o, &label, what);
}

static status pack_folder(const options *o, const char *path) {
    folder f;
    failure what = {0};
    status result = STATUS_DONE;
    if (io_is_file(path)) {
        what.status = STATUS_IO;
        what.reason = "it is a file, no folder of parts; a program is packed with --tensors";
        return diag_fail(o, bytes_of(path), &what);
    }
    if (!folder_plan(path, o->limits.bytes, &f, &what)) {
        result = fail(o, &f, &what);
    } else if (!output_write_made(o->output, folder_write, &f, &what)) {
        result = f.line > 0 ? fail(o, &f, &what) : diag_output(o, &what);
    }
    folder_free(&f);
    return result;
}

status cmd_pack(const options *o) {
    return o->tensors != NULL ? pack_program(o) : pack_folder(o, o->operands[0]);
}
