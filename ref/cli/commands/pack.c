/*
 * pack.c - epref pack: an archive made of parts, those of a folder; or with --tensors, of a
 * program and others (pack_program.c).
 */
#include "archive/make/folder.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "command.h"
#include "pack_program.h"

/* The list of the folder, with the line and its file, "parts/archive.txt:3!model/version". */
static status fail(const options *o, const folder *f, const failure *what) {
    buffer label = {0};
    print(&label, "%s/%s", f->path, folder_list);
    if (f->line > 0) {
        print(&label, ":%i", (int64_t)f->line);
    }
    if (f->blamed != NULL) {
        print(&label, "!%s", f->blamed);
    }
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
