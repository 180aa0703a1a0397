/*
 * list.c - epref list: the members of an archive, and every tensor of its programs.
 */
#include "archive/state/compiled.h"
#include "archive/state/elements.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/show/table.h"
#include "cli/source.h"
#include "cli/style.h"
#include "command.h"
#include "common/safe.h"
#include "compiled_view.h"

/* What is printed: the archive, and the tensors in it. */
typedef struct listing {
    source s;
    tensors all;
    compiled models;
    buffer out;
    bool color;
} listing;

static const char *const part_names[] = {[TENSOR_WEIGHTS] = "weights",
                                         [TENSOR_CONSTANTS] = "constants",
                                         [TENSOR_INPUTS] = "sample inputs"};

static const char *const role_names[] = {
    [TENSOR_UNNAMED] = "unnamed",   [TENSOR_PARAMETER] = "parameter",
    [TENSOR_BUFFER] = "buffer",     [TENSOR_BUFFER_NOT_PERSISTENT] = "buffer, not persistent",
    [TENSOR_CONSTANT] = "constant", [TENSOR_CUSTOM_OBJECT] = "custom object",
    [TENSOR_INPUT] = "input",
};

/* ------------------------------------------------------------------------------- cells */

static void begin_table(listing *l, table *t, const char *heading) {
    *t = (table){.styles = {STYLE_PLAIN, STYLE_TYPE, STYLE_PLAIN, STYLE_DIM, STYLE_DIM}};
    print(&l->out, "\n%z%s%Z\n", l->color, STYLE_HEADING, heading);
}

static void begin_numbers(listing *l, table *t, const char *heading) {
    begin_table(l, t, heading);
    t->right[0] = t->right[1] = true;
    t->styles[1] = STYLE_DIM;
}

/* "place 128", where the bytes are those of the file. */
static void place_cell(table *t, uint64_t place, bool stored) {
    print(&t->text, stored ? "at %i" : "deflated", (int64_t)place);
    table_end_cell(t);
}

/* ------------------------------------------------------------------------------ tensors */

static void type_cell(table *t, const tensors *all, const tensor_row *row) {
    ep_bytes class = tensors_text(all, row->class);
    if (row->form == TENSOR_SPARSE) {
        buffer_text(&t->text, "sparse tensor");
    } else if (row->form == TENSOR_OBJECT || class.size > 0) {
        print(&t->text, "%t%s", class.size > 0 ? class : bytes_of("pickled"),
              row->dtype != NULL ? " " : "");
    }
    if (row->dtype != NULL) { /* of a class: what it shows itself as */
        buffer_text(&t->text, row->dtype->torch);
        buffer_numbers(&t->text, tensors_numbers(all, row->sizes), row->rank);
    }
    table_end_cell(t);
}

static void storage_cell(table *t, const tensor_row *row) {
    bool stored = row->storage != TENSORS_NONE;
    print(&t->text, stored ? "#%i" : row->form == TENSOR_META ? "meta" : "", (int64_t)row->storage);
    table_end_cell(t);
}

static void put_note(buffer *out, size_t from, const char *note) {
    print(out, "%s%s", out->size > from ? ", " : "", note);
}

/* What is not as it is of most tensors. */
static void notes_cell(table *t, const tensors *all, const tensor_row *row) {
    size_t from = t->text.size;
    const int64_t *sizes = tensors_numbers(all, row->sizes);
    const int64_t *strides = tensors_numbers(all, row->strides);
    bool strided = row->form == TENSOR_STRIDED;
    if (row->form == TENSOR_META || row->is_fake) {
        put_note(&t->text, from, row->is_fake ? "fake, without data" : "without data");
    }
    if (strided && !elements_are_contiguous(sizes, strides, row->rank)) {
        put_note(&t->text, from, "strides ");
        buffer_numbers(&t->text, strides, row->rank);
    }
    if (strided && row->offset > 0) {
        put_note(&t->text, from, "offset ");
        buffer_number(&t->text, (int64_t)row->offset);
    }
    if (row->form != TENSOR_META && row->storage != TENSORS_NONE &&
        all->storages[row->storage].count > 1) {
        put_note(&t->text, from, "shared");
    }
    if (strided && !tensors_fit(all, row)) {
        put_note(&t->text, from, "reaches beyond its storage");
    }
    if (row->is_conjugate || row->is_negative) {
        put_note(&t->text, from, row->is_conjugate ? "conjugate" : "negative");
    }
    table_end_cell(t);
}

/* The rows of one part of a program, from one row on: where the next part begins. */
static size_t put_part(listing *l, size_t from) {
    table t;
    const tensors *all = &l->all;
    const tensor_row *first = &all->rows[from];
    size_t at = from;
    buffer heading = {0};
    ep_bytes program = all->programs[first->program].name;
    print(&heading, program.size > 0 ? "%s of %t" : "%s", part_names[first->part], program);
    begin_table(l, &t, buffer_string(&heading));
    for (; at < all->row_count; at++) {
        const tensor_row *row = &all->rows[at];
        if (row->program != first->program || row->part != first->part) {
            break;
        }
        table_text(&t, tensors_text(all, row->name));
        type_cell(&t, all, row);
        table_text(&t, bytes_of(row->role == TENSOR_INPUT ? "" : role_names[row->role]));
        storage_cell(&t, row);
        notes_cell(&t, all, row);
    }
    table_put(&l->out, &t, 2, l->color);
    l->out.failed = l->out.failed || heading.failed;
    buffer_free(&heading);
    return at;
}

/* --------------------------------------------------------------------- members, storages */

static void put_members(listing *l) {
    table t;
    const zipfile *zip = &l->s.archive.zip;
    begin_numbers(l, &t, "members");
    for (size_t i = 0; i < zip->count; i++) {
        const zipfile_member *m = &zip->members[i];
        table_number(&t, m->size);
        place_cell(&t, m->place, m->method == ZIPFILE_STORED);
        safe_text(&t.text, m->name);
        table_end_row(&t);
    }
    table_put(&l->out, &t, 2, l->color);
}

static void put_storages(listing *l) {
    table t;
    const tensors *all = &l->all;
    if (all->storage_count == 0) {
        return;
    }
    begin_numbers(l, &t, "storages");
    for (size_t i = 0; i < all->storage_count; i++) {
        const tensor_storage *s = &all->storages[i];
        ep_bytes key = tensors_text(all, s->key);
        buffer_byte(&t.text, '#');
        table_number(&t, i);
        table_number(&t, s->size);
        place_cell(&t, s->place, s->is_stored);
        print(&t.text, "%t%s%t", s->member->name, key.size > 0 ? "!" : "", key);
        table_end_cell(&t);
        table_text(&t, bytes_of(s->big_endian ? "big-endian" : ""));
    }
    table_put(&l->out, &t, 2, l->color);
}

static void put_text(listing *l) {
    ep_bytes root = l->s.archive.root;
    print(&l->out, "%z%t%Z\n  layout  %s%t\n  bytes   %i\n", l->color, STYLE_HEADING,
          buffer_bytes(&l->s.label), root.size > 0 ? "PT2, in the folder " : "flat", root,
          (int64_t)io_length(&l->s.file));
    put_members(l);
    for (size_t at = 0; at < l->all.row_count;) {
        at = put_part(l, at);
    }
    compiled_put_tables(&l->out, l->color, &l->models);
    put_storages(l);
}

/* --------------------------------------------------------------------------------- JSON */

static json *member_item(const void *zip, size_t i) {
    const zipfile_member *m = &((const zipfile *)zip)->members[i];
    return json_make("name:t bytes:i packed:i place:m crc32:i", m->name, (int64_t)m->size,
                     (int64_t)m->packed, m->method == ZIPFILE_STORED, (int64_t)m->place,
                     (int64_t)m->crc);
}

static json *program_item(const void *context, size_t i) {
    const tensors *all = context;
    return json_make("name:t member:t", all->programs[i].name, all->programs[i].member->name);
}

/* Which tensors show the storage. */
static json *shown_by(const tensors *all, const tensor_storage *s) {
    json *array = json_array();
    for (size_t at = s->count > 0 ? s->first : TENSORS_NONE; at != TENSORS_NONE;
         at = all->rows[at].next) {
        json_append(array, json_integer((int64_t)at));
    }
    return array;
}

static json *storage_item(const void *context, size_t i) {
    const tensors *all = context;
    const tensor_storage *s = &all->storages[i];
    return json_make("member:t key:u bytes:i place:m byteorder:s tensors:j", s->member->name,
                     tensors_text(all, s->key), (int64_t)s->size, s->is_stored, (int64_t)s->place,
                     s->big_endian ? "big" : "little", shown_by(all, s));
}

static void add_tensor(json *item, const tensors *all, const tensor_row *row) {
    bool strided = row->form == TENSOR_STRIDED;
    json_members(item,
                 "dtype:s shape:j strides:j requires_grad:b is_parameter:b offset:?i fits:?b "
                 "conjugate:?b negative:?b",
                 row->dtype->torch, json_integers(tensors_numbers(all, row->sizes), row->rank),
                 json_integers(tensors_numbers(all, row->strides), row->rank), row->requires_grad,
                 row->is_parameter, strided, (int64_t)row->offset, strided,
                 strided && tensors_fit(all, row), strided, row->is_conjugate, strided,
                 row->is_negative);
}

static json *tensor_item(const void *context, size_t i) {
    static const char *const forms[] = {[TENSOR_STRIDED] = "strided",
                                        [TENSOR_META] = "meta",
                                        [TENSOR_SPARSE] = "sparse",
                                        [TENSOR_OBJECT] = "object"};
    const tensors *all = context;
    const tensor_row *row = &all->rows[i];
    const tensor_row *outer = row->is_inner ? &all->rows[row->outer] : row;
    json *item = json_make(
        "program:t part:s name:t role:s form:s inside:?t storage:m",
        all->programs[row->program].name, part_names[row->part], tensors_text(all, row->name),
        role_names[row->role], row->is_fake ? "fake" : forms[row->form], row->is_inner,
        tensors_text(all, outer->name), row->storage != TENSORS_NONE, (int64_t)row->storage);
    if (row->dtype != NULL) {
        add_tensor(item, all, row);
    }
    json_members(item, "class:?u", row->form == TENSOR_OBJECT || row->is_subclass,
                 tensors_text(all, row->class));
    return item;
}

static void put_json(listing *l) {
    ep_bytes root = l->s.archive.root;
    root.size -= root.size > 0 ? 1 : 0;
    const zipfile *zip = &l->s.archive.zip;
    json_put(&l->out,
             json_make("file:t layout:s folder:u bytes:i members:j programs:j compiled:j "
                       "tensors:j storages:j",
                       buffer_bytes(&l->s.label), root.size > 0 ? "pt2" : "flat", root,
                       (int64_t)io_length(&l->s.file), json_list(zip->count, member_item, zip),
                       json_list(l->all.program_count, program_item, &l->all),
                       compiled_json(&l->models), json_list(l->all.row_count, tensor_item, &l->all),
                       json_list(l->all.storage_count, storage_item, &l->all)));
}

/* ------------------------------------------------------------------------------ command */

status cmd_list(const options *o) {
    listing l = {.all = {.blamed = NULL}, .color = style_on_output(o)};
    failure what = {0};
    bool ok = source_find(&l.s, o, o->path, &what) && source_need_archive(&l.s, &what) &&
              source_tensors(&l.s, o, &l.all, &what) && source_models(&l.s, o, &l.models, &what);
    if (ok && o->json) {
        put_json(&l);
    } else if (ok) {
        put_text(&l);
    }
    status result = ok ? command_finish(o, &l.out, STATUS_DONE) : source_fail(&l.s, o, &what);
    compiled_free(&l.models);
    tensors_free(&l.all);
    source_free(&l.s);
    return result;
}
