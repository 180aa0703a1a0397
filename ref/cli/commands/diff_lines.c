/*
 * diff_lines.c - see diff_lines.h. Programs that are one are never listed.
 */
#include "diff_lines.h"

#include "cli/compare/lister.h"
#include "cli/compare/summary.h"
#include "cli/style.h"
#include "common/safe.h"

enum { SIDES = 2 };

static bool open(lines_diff *d) {
    d->open = true;
    for (size_t side = 0; side < SIDES; side++) {
        if (!listing_make(&d->listings[side], d->programs[side], d->arenas[side], d->o->full)) {
            return false;
        }
    }
    return pairing_make(&d->pairs, &d->listings[0], &d->listings[1]) &&
           notes_make(&d->notes, &d->pairs);
}

void diff_lines_hear(void *context, const ep_difference *difference) {
    lines_diff *d = context;
    if (!d->open) {
        d->failed = !open(d);
    }
    if (!d->failed) {
        notes_hear(&d->notes, difference);
        d->failed = d->notes.failed || d->notes.texts.failed;
    }
}

static hunks hunks_of(const lines_diff *d) {
    return (hunks){.pairs = &d->pairs,
                   .notes = &d->notes,
                   .out = d->product,
                   .context = d->o->unified,
                   .color = style_on_output(d->o),
                   .full = d->o->full || d->o->json,
                   .json = d->o->json};
}

/* -------------------------------------------------------------------------- lines */

void diff_lines_put_files(lines_diff *d) {
    bool color = style_on_output(d->o);
    for (size_t side = 0; side < SIDES; side++) {
        show shown = {.program = d->programs[side], .arena = d->arenas[side]};
        style_put(d->product, color, STYLE_HEADING);
        buffer_text(d->product, side == 0 ? "---" : "+++");
        if (!d->o->no_name) {
            buffer_byte(d->product, ' ');
            safe_text(d->product, d->files[side]);
        }
        printer_open(&shown.printer);
        show_put_versions(&shown);
        buffer_text(d->product, d->o->no_name ? " " : "  ");
        buffer_put(d->product, shown.printer.line.data, shown.printer.line.size);
        d->failed = d->failed || shown.failed || shown.printer.line.failed;
        printer_close(&shown.printer);
        style_put(d->product, color, STYLE_PLAIN);
        buffer_byte(d->product, '\n');
    }
}

/* Of what was found to differ, and not located, it is not known whether a line shows it. */
static void put_untold(const lines_diff *d, const ep_diff_result *result) {
    if (result->told < result->count) {
        buffer_text(d->product, "of ");
        buffer_number(d->product, (int64_t)result->count);
        buffer_text(d->product, " differences ");
        buffer_number(d->product, (int64_t)result->told);
        buffer_text(d->product, " were located; what no line shows of the others is not told\n");
    }
}

void diff_lines_put(lines_diff *d, const ep_diff_result *result) {
    hunks h = hunks_of(d);
    if (!d->open || d->failed) {
        return;
    }
    notes_settle(&d->notes);
    summary_put_renamed(&h);
    d->failed = !hunks_put(&h);
    summary_put_followed(&h);
    hunks_put_notes(&h);
    if (!d->o->json) {
        put_untold(d, result);
    }
}

/* ------------------------------------------------------------------------ figures */

static void put_figure(buffer *b, size_t count, const char *what, bool *any) {
    if (count > 0) {
        buffer_text(b, *any ? ", " : ": ");
        buffer_number(b, (int64_t)count);
        buffer_byte(b, ' ');
        buffer_text(b, what);
        *any = true;
    }
}

static void put_counts(buffer *b, const char *name, const summary_counts *counts) {
    bool any = false;
    size_t all =
        counts->inserted + counts->deleted + counts->changed + counts->followed + counts->noted;
    if (all == 0) {
        return;
    }
    buffer_text(b, name);
    put_figure(b, counts->deleted, "deleted", &any);
    put_figure(b, counts->inserted, "inserted", &any);
    put_figure(b, counts->changed, "changed", &any);
    put_figure(b, counts->followed, "with types that follow", &any);
    put_figure(b, counts->noted, "in fields that are not shown", &any);
    buffer_byte(b, '\n');
}

static void add_counts(json *object, const char *name, const summary_counts *counts) {
    json *item = json_object();
    json_add_number(item, "deleted", counts->deleted);
    json_add_number(item, "inserted", counts->inserted);
    json_add_number(item, "changed", counts->changed);
    json_add_number(item, "followed", counts->followed);
    json_add_number(item, "fields", counts->noted);
    json_add(object, name, item);
}

static size_t program_notes(const lines_diff *d) {
    size_t count = 0;
    uint32_t i = d->open ? d->notes.program_first : LISTING_NONE;
    for (; i != LISTING_NONE; i = d->notes.items[i].next) {
        count++;
    }
    return count;
}

static void put_others(lines_diff *d, json *object) {
    bool any = false;
    size_t renamed = d->open ? summary_renamed(&d->pairs) : 0;
    if (object != NULL) {
        json_add_number(object, "program_fields", program_notes(d));
        json_add_number(object, "renamed", renamed);
        return;
    }
    put_counts(d->product, "program", &(summary_counts){.noted = program_notes(d)});
    if (renamed > 0) {
        buffer_text(d->product, "names");
        put_figure(d->product, renamed, "renamed", &any);
        buffer_byte(d->product, '\n');
    }
}

void diff_lines_put_stat(lines_diff *d, json *object) {
    hunks h = hunks_of(d);
    if (d->open && !d->failed) {
        notes_settle(&d->notes);
    }
    for (size_t part = 0; part < SHOW_PARTS && !d->failed; part++) {
        summary_counts counts = {0};
        const char *name = show_part_name((show_part)part);
        d->failed = d->open && !summary_count(&h, (show_part)part, &counts);
        if (object != NULL) {
            add_counts(object, name, &counts);
        } else {
            put_counts(d->product, name, &counts);
        }
    }
    put_others(d, object);
}

void diff_lines_free(lines_diff *d) {
    notes_free(&d->notes);
    pairing_free(&d->pairs);
    listing_free(&d->listings[0]);
    listing_free(&d->listings[1]);
}
