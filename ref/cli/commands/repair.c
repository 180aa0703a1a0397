/*
 * repair.c - epref repair: a program or an archive without the node metadata that is refused and
 * only records provenance; all else byte for byte.
 */

#include <string.h>

#include "archive/make/container.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/source.h"
#include "cli/walk.h"
#include "command.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "mending.h"

/* --------------------------------------------------------- what is cut out of a text */

/* Is told of each member that is cut out, in the order of the text: the code, and the place, with
 * line, column and pointer. */
typedef void cutting_told(void *context, const ep_error *place);

typedef struct cutter {
    walk w;
    const name_list *places;
    size_t next;   /* of the places */
    size_t copied; /* up to here */
    buffer *out;
    cutting_told *told;
    void *context;
    bool failed;
} cutter;

static size_t after_space(ep_bytes text, size_t at) {
    while (at < text.size && memchr(" \t\r\n", text.data[at], 4) != NULL) {
        at++;
    }
    return at;
}

/* ------------------------------------------------------------------------------------ places */

/* A pointer, as RFC 6901 spells it; of one that does not fit the parts that do. */
static void put_pointer(cutter *c, ep_error *place) {
    enum { LAST = sizeof place->pointer - 3 }; /* an escape is two bytes, the end a zero */
    buffer b = {0};
    size_t fit = 0;
    for (size_t i = 0; i < c->w.depth && !place->pointer_cut; i++) {
        const walk_level *l = &c->w.levels[i];
        size_t last = b.size;
        print(&b, l->is_object ? "/" : "/%i", (int64_t)l->items);
        last = l->is_object ? last : b.size - 1;
        for (size_t k = 0; l->is_object && k < l->key.size && last <= LAST; k++) {
            char byte = l->key.data[k];
            last = b.size;
            print(&b, byte == '~' ? "~0" : byte == '/' ? "~1" : "%c", byte);
        }
        place->pointer_cut = last > LAST;
        fit = place->pointer_cut ? fit : b.size;
    }
    const char *text = buffer_string(&b);
    c->failed = c->failed || b.failed;
    fit = b.failed ? 0 : fit;
    memcpy(place->pointer, text, fit);
    place->pointer[fit] = '\0';
    buffer_free(&b);
}

static void tell(cutter *c, const name_item *item) {
    ep_error place = {.code = (ep_code)item->count,
                      .offset = (size_t)item->place,
                      .line = c->w.line + 1,
                      .column = (size_t)item->place - c->w.start + 1};
    put_pointer(c, &place);
    c->told(c->context, &place);
}

/* ----------------------------------------------------------------------------------- members */

static void copy_until(cutter *c, size_t at) {
    if (at > c->copied) {
        buffer_put(c->out, c->w.text.data + c->copied, at - c->copied);
    }
}

/* The member at hand, whose value was taken, with the comma before it; of the first that stays
 * with the one behind it. */
static void cut_member(cutter *c, walk_level *in) {
    ep_bytes text = c->w.text;
    size_t next = after_space(text, c->w.end);
    in->is_cut = true;
    copy_until(c, in->keeps ? in->comma : in->begin);
    bool more = next < text.size && text.data[next] == ',';
    c->copied = in->keeps ? c->w.end : more ? after_space(text, next + 1) : next;
}

/* A string that is a value. */
static void take_value(cutter *c, walk_level *in) {
    bool hit = false;
    for (; c->next < c->places->count && c->places->items[c->next].place < c->w.end; c->next++) {
        const name_item *item = &c->places->items[c->next];
        if (item->place > c->w.at && !hit && in->is_object) {
            hit = true;
            tell(c, item);
        }
    }
    if (hit) {
        cut_member(c, in);
    }
}

/*
 * Puts a text without the members of objects that have one of the places in their values, which
 * are strings; of a place beyond a string nothing comes. The text is one JSON value (SPEC part 2).
 * places: sorted by place, each with its code as count. False for want of memory. Linear in the
 * text, times 256 bytes a member.
 */
static bool cutting_put(buffer *out, ep_bytes text, const name_list *places, cutting_told *told,
                        void *context) {
    cutter c = {
        .w = {.text = text}, .places = places, .out = out, .told = told, .context = context};
    while (!c.failed && walk_next(&c.w)) {
        walk_level *in = walk_in(&c.w);
        if (text.data[c.w.at] == '"' && in != NULL && !c.w.is_key) {
            take_value(&c, in);
        } else if (text.data[c.w.at] == ',' && in != NULL) {
            in->keeps = in->keeps || !in->is_cut;
            in->is_cut = false;
        }
    }
    copy_until(&c, text.size);
    walk_close(&c.w);
    return !c.failed && !c.w.failed && !out->failed;
}

/* A file that is repaired. */
typedef struct repairing {
    const options *o;
    source s;
    buffer *texts; /* of each member, where it is a program that is changed */
    zipwrite zip;
    name_list places; /* of what is left out of the program at hand */
    buffer said;
    failure what;
} repairing;

static void pass(void *context, ep_code code, size_t offset) {
    repairing *r = context;
    names_add(&r->places, (name_item){.place = offset, .count = (size_t)code});
}

static bool by_place(const name_item *a, const name_item *b) {
    return a->place <= b->place;
}

static void say(void *context, const ep_error *place) {
    static const char detail[] = "left out";
    repairing *r = context;
    failure what = {.error = *place};
    memcpy(what.error.detail, detail, sizeof detail);
    diag_put(&r->said, r->o, "note", buffer_bytes(&r->s.label), &what);
}

/* Judges a text; without what is passed over, where anybody asks for that. */
static bool judge(repairing *r, ep_bytes text, ep_pass *told) {
    ep_arena arena;
    ep_arena scratch;
    const ep_program *program;
    ep_decode_options decoding = source_decoding(r->o);
    ep_check_options checking = ep_check_options_default();
    checking.limits = r->o->limits;
    checking.pass = told;
    checking.pass_context = r;
    arena_open(&arena, r->o->max_memory);
    arena_open(&scratch, r->o->max_memory);
    bool ok = ep_decode(&arena, text, &decoding, &program, &r->what.error) &&
              ep_check(program, &scratch, &checking, &r->what.error);
    r->what.status = status_of_code(r->what.error.code);
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    return ok;
}

/* Puts a text as it has to be; nothing where it can stay. */
static bool repair_text(repairing *r, ep_bytes text, buffer *to) {
    r->places.count = 0;
    if (!judge(r, text, pass)) {
        return false;
    }
    names_sort_by(&r->places, by_place);
    if (r->places.failed || (r->places.count > 0 && !cutting_put(to, text, &r->places, say, r))) {
        return refuse_plainly(&r->what, EP_MEMORY);
    }
    return r->places.count == 0 || judge(r, buffer_bytes(to), NULL);
}

/* ----------------------------------------------------------------------------------- archives */

static bool plan_member(repairing *r, size_t i) {
    const archive *a = &r->s.archive;
    const zipfile_member *m = &a->zip.members[i];
    buffer *text = &r->texts[i];
    if (archive_has_program(a, m) &&
        (!source_take(&r->s, r->o, m, &r->what) || !repair_text(r, r->s.input, text))) {
        return false;
    }
    zipwrite_member *made = text->size > 0 ? zipwrite_bytes(&r->zip, m->name, buffer_bytes(text))
                                           : zipwrite_copy(&r->zip, m->name, m);
    if (made == NULL) {
        return refuse_plainly(&r->what, EP_MEMORY);
    }
    made->date = m->date;
    return true;
}

/* The zip is one of a release by now. */
static bool plan_zip(repairing *r) {
    const archive *a = &r->s.archive;
    container kind;
    if (!container_of(&a->zip, &kind, &r->what)) {
        return false;
    }
    r->zip = (zipwrite){.pt2 = kind == CONTAINER_PT2, .from = &a->zip};
    r->texts = memory_resize(NULL, a->zip.count * sizeof *r->texts);
    if (r->texts == NULL) {
        return refuse_plainly(&r->what, EP_MEMORY);
    }
    memset(r->texts, 0, a->zip.count * sizeof *r->texts);
    return true;
}

/* Every program, then the rest of the archive, which stays as it is. */
static bool plan(repairing *r) {
    const archive *a = &r->s.archive;
    if (source_is_compiled(&r->s)) {
        return refuse_named(&r->what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0}, archive_why_compiled);
    }
    if (!source_verify_all(&r->s, r->o, &r->what) ||
        !io_settle(&r->s.file, plan_zip(r), &r->what)) {
        return false;
    }
    for (size_t i = 0; i < a->zip.count; i++) {
        if (!plan_member(r, i)) {
            return false;
        }
    }
    return archive_stripped(a) != NULL || source_check_whole(&r->s, r->o, &r->what);
}

static bool give(void *context, output_put *put, void *sink, failure *what) {
    repairing *r = context;
    return io_settle(&r->s.file, zipwrite_all(&r->zip, put, sink, what), what);
}

/* ------------------------------------------------------------------------------------ the zip */

/* Puts a zip as a release writes it in the place of one that none wrote. */
static bool mend(repairing *r) {
    buffer made = {0};
    archive_wish wish = {
        .model = r->o->model, .limit = r->o->limits.bytes, .several = true, .compiled = true};
    bool ok = mending_put(&r->s, r->o, &made, &r->said, &r->what);
    archive_close(&r->s.archive);
    r->s.archive = (archive){.program = NULL};
    if (!ok) {
        buffer_free(&made);
        return false;
    }
    io_data_free(&r->s.file);
    r->s.file =
        (io_data){.data = made.data, .size = made.size, .capacity = made.capacity, .is_zip = true};
    return archive_open(&r->s.file, wish, &r->s.archive, &r->what);
}

/* Whether another zip is to be made of one that was opened, or could not be. */
static bool is_mendable(const repairing *r, bool found, container kind) {
    ep_code code = r->what.error.code;
    bool known = code == EP_ARCHIVE || code == EP_ARCHIVE_PROGRAM || code == EP_ARCHIVE_LAYOUT;
    return r->s.file.is_zip && (found ? kind == CONTAINER_OTHER : known);
}

/* Finds the file; of one whose zip cannot be opened, or is none of a release, another one. */
static bool find(repairing *r) {
    container kind = CONTAINER_PT2;
    bool found = source_find(&r->s, r->o, r->o->path, &r->what);
    if (found && source_is_archive(&r->s) &&
        !io_settle(&r->s.file, container_of(&r->s.archive.zip, &kind, &r->what), &r->what)) {
        return false;
    }
    if (!is_mendable(r, found, kind)) {
        return found;
    }
    failure first = r->what;
    if (mend(r)) {
        return true;
    }
    r->what = found || r->what.status != STATUS_INVALID ? r->what : first;
    return false;
}

/* ----------------------------------------------------------------------------------- command */

static status write_made(repairing *r, const buffer *text) {
    ep_bytes product = text->size > 0 ? buffer_bytes(text) : r->s.input;
    bool ok = source_is_archive(&r->s) ? output_write_made(r->o->output, give, r, &r->what)
                                       : output_write(r->o->output, product, &r->what);
    if (!ok) {
        return diag_output(r->o, &r->what);
    }
    if (r->said.size > 0 || r->said.failed) {
        diag_tell(r->o, &r->said);
    } else {
        r->s.label.size = r->s.path_size;
        diag_note_reason(r->o, buffer_bytes(&r->s.label), "nothing to repair");
    }
    return STATUS_DONE;
}

status cmd_repair(const options *o) {
    repairing r = {.o = o};
    buffer text = {0};
    bool ok = find(&r) && (source_is_archive(&r.s) ? plan(&r) : repair_text(&r, r.s.input, &text));
    status result = ok ? write_made(&r, &text) : source_fail(&r.s, o, &r.what);
    for (size_t i = 0; r.texts != NULL && i < r.s.archive.zip.count; i++) {
        buffer_free(&r.texts[i]);
    }
    memory_free(r.texts);
    zipwrite_free(&r.zip);
    names_free(&r.places);
    buffer_free(&r.said);
    buffer_free(&text);
    source_free(&r.s);
    return result;
}
