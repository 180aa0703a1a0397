/*
 * auditing.c - see auditing.h. What the library tells one by one is put in the order that
 * PROTOCOL.md wants, so that the order in which it looks binds nobody.
 */
#include "auditing.h"

#include "archive/judge/members.h"
#include "common/memory.h"
#include "json_text.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------- audit */

/* A finding, with texts of its own. */
typedef struct told {
    ep_finding finding;
    buffer member; /* that it is about; empty: the program */
    buffer text;
} told;

typedef struct findings {
    told *items;
    size_t count;
    size_t capacity;
    bool failed; /* for want of memory */
} findings;

static void keep(findings *all, ep_bytes member, const ep_finding *heard) {
    if (!memory_room(&all->items, all->count, &all->capacity, sizeof *all->items)) {
        all->failed = true;
        return;
    }
    told *one = &all->items[all->count++];
    *one = (told){.finding = *heard};
    buffer_put(&one->member, member.data, member.size);
    buffer_put(&one->text, heard->text.data, heard->text.size);
    all->failed = all->failed || one->member.failed || one->text.failed;
}

static void hear_program(void *context, const ep_finding *heard) {
    keep(context, (ep_bytes){"", 0}, heard);
}

static void hear_member(void *context, ep_bytes member, const ep_finding *heard) {
    keep(context, member, heard);
}

static int by_size(size_t a, size_t b) {
    return a < b ? -1 : a > b;
}

/* PROTOCOL.md: by place, by id, by text; what is only counted comes last. */
static int compare_told(const void *left, const void *right) {
    const told *a = left;
    const told *b = right;
    int sizes[] = {by_size(a->finding.more > 0, b->finding.more > 0),
                   bytes_compare(buffer_bytes(&a->member), buffer_bytes(&b->member)),
                   by_size(a->finding.place.offset, b->finding.place.offset),
                   by_size(a->finding.id, b->finding.id),
                   bytes_compare(buffer_bytes(&a->text), buffer_bytes(&b->text))};
    size_t i = 0;
    while (i + 1 < sizeof sizes / sizeof sizes[0] && sizes[i] == 0) {
        i++;
    }
    return sizes[i];
}

static const char *severity_name(ep_severity severity) {
    static const char *const names[] = {
        [EP_SEVERITY_INFO] = "info",
        [EP_SEVERITY_LOW] = "low",
        [EP_SEVERITY_MEDIUM] = "medium",
        [EP_SEVERITY_HIGH] = "high",
    };
    return names[severity];
}

static void put_told(json_list *list, const told *one) {
    const ep_finding *heard = &one->finding;
    json_open(list, NULL);
    json_put_string(list, "id", ep_audit_name(heard->id));
    json_put_string(list, "severity", severity_name(ep_audit_severity(heard->id)));
    json_put_string(list, "clause", ep_audit_clause(heard->id));
    if (heard->more > 0) {
        json_put_number(list, "more", heard->more);
    } else if (heard->place.line > 0) {
        json_put_number(list, "offset", heard->place.offset);
        json_put_string(list, "pointer", heard->place.pointer);
    }
    json_put_text(list, "member", buffer_bytes(&one->member));
    json_put_text(list, "text", buffer_bytes(&one->text));
    json_close(list);
}

static void put_findings(findings *all, finding *out) {
    json_list list = json_list_open(&out->product);
    if (all->count > 0) {
        qsort(all->items, all->count, sizeof *all->items, compare_told);
    }
    for (size_t i = 0; i < all->count; i++) {
        put_told(&list, &all->items[i]);
    }
    json_list_close(&list);
}

static void free_findings(findings *all) {
    for (size_t i = 0; i < all->count; i++) {
        buffer_free(&all->items[i].member);
        buffer_free(&all->items[i].text);
    }
    memory_free(all->items);
}

static bool audit_program(const request *r, ep_arena *arena, ep_bytes input, findings *all,
                          finding *out) {
    const ep_program *program = decode(r, arena, input, out);
    return program != NULL && ep_audit(program, arena, hear_program, all, &out->error);
}

/* The program in an archive, and the members beside it. */
static bool audit_archive(const request *r, ep_arena *arena, ep_bytes input, findings *all,
                          finding *out) {
    size_t left = r->options.limits.bytes;
    packed one;
    failure what = {0};
    members_ear ear = {hear_member, all, &left, &what};
    bool ok = read_archive(r, input, &one, out) &&
              audit_program(r, arena, buffer_bytes(&one.program), all, out) &&
              members_audit(&one.archive.zip, &ear);
    out->error = out->error.code == EP_OK ? what.error : out->error;
    close_archive(&one);
    return ok;
}

/* SPEC part 9 */
void run_audit(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    findings all = {0};
    out->valid = is_archive(input) ? audit_archive(r, arena, input, &all, out)
                                   : audit_program(r, arena, input, &all, out);
    if (out->valid) {
        put_findings(&all, out);
        out->product.failed = out->product.failed || all.failed;
    }
    free_findings(&all);
}

/* ----------------------------------------------------------------------- diff */

enum { TOLD_MAX = 20 };

static void put_side(json_list *list, const char *key, const ep_diff_side *side) {
    json_open(list, key);
    json_put_bool(list, "there", side->there);
    if (side->place.line > 0) {
        json_put_number(list, "offset", side->place.offset);
        json_put_string(list, "pointer", side->place.pointer);
    }
    json_put_text(list, "text", side->text);
    if (side->cut_before) {
        json_put_bool(list, "cut_before", true);
    }
    if (side->cut_behind) {
        json_put_bool(list, "cut_behind", true);
    }
    json_put_string(list, "enumerator", side->enumerator);
    json_close(list);
}

static void hear_difference(void *context, const ep_difference *difference) {
    json_list *list = context;
    json_open(list, NULL);
    json_put_string(list, "group", ep_diff_group_name(difference->group));
    json_put_string(list, "type", difference->type);
    json_put_string(list, "member", difference->member);
    json_put_text(list, "target", difference->target);
    json_put_text(list, "argument", difference->argument);
    put_side(list, "a", &difference->sides[0]);
    put_side(list, "b", &difference->sides[1]);
    json_close(list);
}

/* The other way round there are as many differences. */
static bool is_even(const ep_program *const programs[2], ep_arena *arena,
                    const ep_diff_options *options, size_t count) {
    const ep_program *const turned[2] = {programs[1], programs[0]};
    ep_diff_options quiet = *options;
    ep_diff_result result;
    quiet.hear = NULL;
    return ep_diff(turned, arena, &quiet, &result, NULL) && (result.count == 0) == (count == 0);
}

static bool compare(const request *r, ep_arena *arena, const ep_program *const programs[2],
                    ep_constants *taken, finding *out) {
    json_list list = json_list_open(&out->product);
    ep_diff_options options = {.limit = TOLD_MAX,
                               .provenance = r->provenance,
                               .hear = hear_difference,
                               .hear_context = &list,
                               .constant = ep_constants_take,
                               .constant_context = taken};
    ep_diff_result result;
    if (!ep_diff(programs, arena, &options, &result, &out->error)) {
        bool other = ep_check(programs[result.refused], arena, NULL, NULL) &&
                     !ep_check(programs[1 - result.refused], arena, NULL, NULL);
        out->fault = other ? "the other program is the one that is none" : out->fault;
        return false;
    }
    if (result.count > result.told) {
        json_open(&list, NULL);
        json_put_number(&list, "more", result.count - result.told);
        json_close(&list);
    }
    json_list_close(&list);
    if (!is_even(programs, arena, &options, result.count)) {
        out->fault = "the programs are one in one direction alone";
    }
    return true;
}

void run_diff(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    const ep_program *programs[2] = {decode(r, arena, input, out), NULL};
    ep_constants *taken = ep_constants_open(r->options.limits.bytes, false, NULL);
    out->valid = programs[0] != NULL &&
                 ep_decode(arena, r->other, &r->options, &programs[1], &out->error) &&
                 compare(r, arena, programs, taken, out);
    out->product.failed = out->product.failed || !ep_constants_check(taken, NULL);
    ep_constants_close(taken);
}
