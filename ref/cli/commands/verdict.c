/*
 * verdict.c - see verdict.h.
 */
#include "verdict.h"

#include "cli/print.h"
#include "cli/recognise.h"
#include "cli/show/deviations.h"

static void tell(verdict *v, const char *severity, const failure *what) {
    if (v->told != NULL) {
        v->told(v, severity, what);
    }
}

static void hear(void *context, const ep_error *error) {
    verdict *v = context;
    v->warnings++;
    tell(v, "warning", &(failure){.error = *error});
}

static void note(verdict *v, const failure *what) {
    v->notes++;
    tell(v, "note", what);
}

static void hear_note(void *context, const ep_error *error) {
    note(context, &(failure){.error = *error});
}

/* What PyTorch is known to do otherwise with a program that is valid: a list that cannot be made
 * changes nothing about that. SPEC appendix C */
static void note_deviations(verdict *v, const ep_program *program, ep_arena *scratch) {
    ep_value found[DEVIATION_COUNT];
    if (!v->notes_wanted || !deviations_find(program, scratch, found)) {
        return;
    }
    for (int i = 0; i < DEVIATION_COUNT; i++) {
        if (ep_value_kind(found[i]) != EP_KIND_NULL) {
            failure what = {.deviation = deviation_rows[i].id, .reason = deviation_rows[i].message};
            ep_value_place(found[i], &what.error);
            note(v, &what);
        }
    }
}

/* The levels above the schema. What forward reading left something out of is
 * not all there to be judged. */
static void judge_program(verdict *v, const ep_program *program) {
    ep_arena scratch;
    ep_check_options checking = ep_check_options_default();
    if (v->o->level == EP_LEVEL_SCHEMA || v->warnings > 0) {
        return;
    }
    bool all = v->o->level == EP_LEVEL_NONE || v->o->level == EP_LEVEL_ARCHIVE;
    checking.level = all ? EP_LEVEL_PROGRAM : v->o->level;
    checking.limits = v->o->limits;
    checking.note = hear_note;
    checking.note_context = v;
    arena_open(&scratch, v->o->max_memory);
    if (ep_check(program, &scratch, &checking, &v->what.error) && all) {
        note_deviations(v, program, &scratch);
    }
    ep_arena_free(&scratch);
}

/* The document that was read. */
static void judge_document(verdict *v) {
    const ep_program *program = NULL;
    const options *o = v->o;
    ep_decode_options decoding = source_decoding(o);
    decoding.warn = hear;
    decoding.warn_context = v;
    ep_arena_free(&v->arena);
    arena_open(&v->arena, o->max_memory);
    if (o->level == EP_LEVEL_WIRE) {
        ep_check_wire(&v->arena, v->s->input, &decoding, &v->what.error);
    } else if (ep_decode(&v->arena, v->s->input, &decoding, &program, &v->what.error)) {
        v->version = ep_program_version(program);
        v->programs++;
        judge_program(v, program);
        v->what.status = status_of_code(v->what.error.code);
        if (v->decoded != NULL) {
            v->decoded(v, program, &v->arena);
        }
        v->s->decoded = (archive_decoded){v->s->archive.program, program};
    }
    v->what.status = status_of_code(v->what.error.code);
    recognise(v->s->input, &v->what);
}

/* At a tensor: what check takes as data, and PyTorch imports. SPEC 8.5.4 */
static void note_class(verdict *v, const tensors *t, const tensor_row *row) {
    buffer text = {0};
    print(&text, "tensor of a class, whose state is taken as data: %t",
          tensors_text(t, row->class));
    if (!text.failed && source_blame(v->s, tensors_text(t, row->name), &v->what)) {
        note(v, &(failure){.reason = buffer_string(&text)});
    }
    buffer_free(&text);
}

/* A list that cannot be made changes nothing about the verdict. The label stays that of the last
 * program. */
static void note_classes(verdict *v) {
    tensors t = {.blamed = NULL};
    failure what = {0};
    const zipfile_member *program = v->s->archive.program;
    bool listed = source_tensors(v->s, v->o, &t, &what);
    for (size_t i = 0; listed && i < t.row_count && v->what.status == STATUS_DONE; i++) {
        if (t.rows[i].is_subclass && !t.rows[i].is_inner) {
            note_class(v, &t, &t.rows[i]);
        }
    }
    source_blame(v->s, program != NULL ? program->name : (ep_bytes){"", 0}, &what);
    tensors_free(&t);
}

/* Every program by itself, then the archive. */
static void judge_archive(verdict *v) {
    const archive *a = &v->s->archive;
    if (!v->o->no_data && !source_verify_all(v->s, v->o, &v->what)) {
        return;
    }
    for (size_t i = 0; i < a->zip.count && v->what.status == STATUS_DONE; i++) {
        const zipfile_member *m = &a->zip.members[i];
        if (archive_has_program(a, m) && source_take(v->s, v->o, m, &v->what)) {
            judge_document(v);
        }
    }
    if (v->what.status == STATUS_DONE && v->warnings == 0 &&
        source_check_whole(v->s, v->o, &v->what) && v->notes_wanted) {
        note_classes(v);
    }
}

/* A program that was asked for by its name is judged alone. */
void verdict_reach(verdict *v, const char *path, const failure *lost) {
    const options *o = v->o;
    if (lost != NULL) {
        v->what = *lost;
        return;
    }
    bool whole = o->model == NULL && (o->level == EP_LEVEL_NONE || o->level == EP_LEVEL_ARCHIVE);
    bool read = whole ? source_find(v->s, o, path, &v->what) : source_read(v->s, o, path, &v->what);
    if (read && whole && source_is_archive(v->s)) {
        judge_archive(v);
    } else if (read && (o->no_data || source_verify(v->s, o, &v->what))) {
        judge_document(v);
    }
    v->s->decoded = (archive_decoded){.member = NULL};
    ep_arena_free(&v->arena);
}
