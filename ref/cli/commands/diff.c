/*
 * diff.c - epref diff: whether two files hold one program, and what differs: in the words
 * of epref show, field by field, or in figures.
 */
#include "archive/layout/constants.h"
#include "cli/compare/comparison.h"
#include "cli/compare/hunks.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/source.h"
#include "cli/style.h"
#include "command.h"
#include "common/refusal.h"
#include "diff_state.h"

typedef struct comparing {
    const options *o;
    source sources[SIDES];
    ep_arena arenas[SIDES];
    comparison lines;
    ep_bytes files[SIDES]; /* as they are called, with their programs */
    buffer *product;
    bool refused; /* there is nothing to be told */
} comparing;

/* The list of fields, or JSON, which is that list too. */
static bool lists_fields(const options *o) {
    return o->fields || (o->json && !o->stat && !o->unified_given);
}

/* "20 of 134 differences", when there are more than were told. */
static void put_rest(comparing *c, const state_diff *result) {
    buffer *b = c->product;
    if (result->told == result->count || c->o->limit == 0 || c->o->stat) {
        return;
    }
    if (c->o->json) {
        json_put(b, json_make("told:n count:n", result->told, result->count));
        return;
    }
    print(b, "%i of %i%s", (int64_t)result->told, (int64_t)result->count,
          lists_fields(c->o) ? " differences\n" : " differences in tensors and files\n");
}

/* Weights and extra files, where both files are archives. */
static bool compare_state(comparing *c, state_diff *d, failure *what) {
    bool both = source_is_archive(d->sides[0]) && source_is_archive(d->sides[1]);
    TRY(c->lines.programs[0] == NULL || diff_constants(d, c->lines.programs, what));
    return !both || c->o->no_data || diff_state(d, what);
}

/* ------------------------------------------------------------------------- products */

static hunks hunks_of(const comparing *c) {
    return (hunks){.of = &c->lines,
                   .out = c->product,
                   .context = c->o->unified,
                   .color = style_on_output(c->o),
                   .full = c->o->full || c->o->json,
                   .json = c->o->json};
}

static void put_stat(comparing *c, const state_diff *d) {
    static const char *const keys[] = {"weights", "constants", "extra_files", "members"};
    json *object = c->o->json ? json_object() : NULL;
    if (c->lines.programs[0] != NULL) {
        hunks h = hunks_of(c);
        h.full = false;
        c->lines.failed = !hunks_put_stat(&h, object) || c->lines.failed;
    }
    for (size_t i = 0; i < STATE_GROUPS; i++) {
        if (c->o->json) {
            json_add(object, keys[i], json_integer((int64_t)d->counts[i]));
        } else if (d->counts[i] > 0) {
            print(c->product, "%s: %i changed\n", diff_state_groups[i], (int64_t)d->counts[i]);
        }
    }
    if (c->o->json) {
        json_put(c->product, object);
    }
}

static void put_lines(comparing *c, const ep_diff_result *programs) {
    hunks h = hunks_of(c);
    c->lines.failed = !hunks_put(&h) || c->lines.failed;
    if (programs->told < programs->count && !c->o->json) {
        print(c->product,
              "of %i differences %i were located; what no line shows of the others is not told\n",
              (int64_t)programs->count, (int64_t)programs->told);
    }
}

/* "--- a.json  schema 8.20, torch 2.13.0" */
static void put_files(comparing *c) {
    for (size_t side = 0; side < SIDES; side++) {
        show shown = {.program = c->lines.programs[side], .arena = &c->arenas[side]};
        printer_open(&shown.printer);
        show_put_versions(&shown);
        print(c->product, "%z%s%s%t%s%r%Z\n", style_on_output(c->o), STYLE_HEADING,
              side == 0 ? "---" : "+++", c->o->no_name ? "" : " ",
              c->o->no_name ? (ep_bytes){"", 0} : c->files[side], c->o->no_name ? " " : "  ",
              shown.printer.line.data, shown.printer.line.size);
        c->lines.failed = c->lines.failed || shown.failed || shown.printer.line.failed;
        printer_close(&shown.printer);
    }
}

/* All that was found, in the order in which it is read. */
static void put_found(comparing *c, const ep_diff_result *programs, const state_diff *d) {
    if (lists_fields(c->o) || (c->lines.programs[0] == NULL && !c->o->stat)) {
        buffer_put(c->product, d->product->data, d->product->size);
        put_rest(c, d);
        return;
    }
    if (!c->o->json && c->lines.programs[0] != NULL) {
        put_files(c);
    }
    if (c->o->stat) {
        put_stat(c, d);
        return;
    }
    put_lines(c, programs);
    buffer_put(c->product, d->product->data, d->product->size);
    put_rest(c, d);
}

/* ------------------------------------------------------------------------- fields */

/* Field by field: what each program says there, and where in its file. The form is an interface:
 * scripts read it. */
static void put_side(comparing *c, size_t number, const ep_diff_side *side) {
    buffer *b = c->product;
    print(b, "%z%s%Z%t", style_on_output(c->o), number == 0 ? STYLE_ERROR : STYLE_LITERAL,
          number == 0 ? "< " : "> ", c->files[number]);
    place_put(b, &side->place);
    buffer_text(b, ": ");
    comparison_put_side(b, side);
    place_put_pointer(b, &side->place);
    buffer_byte(b, '\n');
}

/* "dim of torch.ops.aten.sum.dim_IntList: " */
static void put_about(buffer *b, const ep_difference *difference) {
    print(b, difference->argument.size > 0 ? "%t of " : "", difference->argument);
    print(b, difference->target.size > 0 ? "%t: " : "", difference->target);
}

/* "argument: dim of torch.ops.aten.sum.dim_IntList: Argument.as_int" */
static void put_field(comparing *c, const ep_difference *difference) {
    print(c->product, "%z%s%Z: ", style_on_output(c->o), STYLE_HEADING,
          ep_diff_group_name(difference->group));
    put_about(c->product, difference);
    print(c->product, difference->member != NULL ? "%s.%s\n" : "%s\n", difference->type,
          difference->member);
    put_side(c, 0, &difference->sides[0]);
    put_side(c, 1, &difference->sides[1]);
}

static json *side_object(const comparing *c, size_t number, const ep_diff_side *side) {
    json *object = json_make("file:t there:b", c->files[number], side->there);
    place_add(object, &side->place);
    json_members(object, "text:t cut_before:?b cut_behind:?b enumerator:s", side->text,
                 side->cut_before, true, side->cut_behind, true, side->enumerator);
    return object;
}

static void put_field_json(comparing *c, const ep_difference *difference) {
    json_put(c->product, json_make("group:s type:s member:s target:t argument:t a:j b:j",
                                   ep_diff_group_name(difference->group), difference->type,
                                   difference->member, difference->target, difference->argument,
                                   side_object(c, 0, &difference->sides[0]),
                                   side_object(c, 1, &difference->sides[1])));
}

static void hear_field(void *context, const ep_difference *difference) {
    comparing *c = context;
    if (c->o->json) {
        put_field_json(c, difference);
    } else {
        put_field(c, difference);
    }
}

/* ---------------------------------------------------------------------------- whole */

static status finish(comparing *c, const ep_diff_result *programs) {
    failure what = {0};
    buffer state = {0};
    bool fields = lists_fields(c->o);
    state_diff d = {.o = c->o,
                    .sides = {&c->sources[0], &c->sources[1]},
                    .product = &state,
                    .count = fields ? programs->count : 0,
                    .told = fields ? programs->told : 0};
    bool ok = compare_state(c, &d, &what);
    bool same = programs->count == 0 && d.count == 0;
    c->refused = !ok;
    if (ok && !same && !c->lines.failed) {
        put_found(c, programs, &d);
    }
    c->product->failed = c->product->failed || state.failed || c->lines.failed;
    buffer_free(&state);
    return !ok    ? source_fail(&c->sources[d.refused], c->o, &what)
           : same ? STATUS_DONE
                  : STATUS_INVALID;
}

static bool compare_programs(comparing *c, ep_diff_result *result, failure *what) {
    ep_arena scratch;
    constants taken = {.limit = c->o->limits.bytes, .described = true};
    bool listed = lists_fields(c->o);
    ep_diff_options diffing = {.limit = listed ? c->o->limit : SIZE_MAX,
                               .provenance = c->o->provenance,
                               .hear = listed ? hear_field : comparison_take,
                               .hear_context = listed ? (void *)c : (void *)&c->lines,
                               .hear_parts = listed ? NULL : comparison_parts,
                               .parts_context = &c->lines,
                               .constant = constants_take,
                               .constant_context = &taken};
    for (size_t i = 0; i < SIDES; i++) {
        c->files[i] = buffer_bytes(&c->sources[i].label);
        c->lines.arenas[i] = &c->arenas[i];
    }
    arena_open(&scratch, c->o->max_memory);
    bool ok = ep_diff(c->lines.programs, &scratch, &diffing, result, &what->error);
    ep_arena_free(&scratch);
    comparison_end(&c->lines);
    if (taken.failed) {
        what->error = (ep_error){.code = EP_MEMORY};
    }
    constants_free(&taken);
    what->status = status_of_code(what->error.code);
    return ok;
}

static status compare(comparing *c) {
    failure what = {0};
    ep_diff_result result = {0};
    size_t package = c->lines.programs[0] == NULL ? 0 : 1;
    if (c->lines.programs[0] == NULL && c->lines.programs[1] == NULL) { /* SPEC 8.9 */
        return finish(c, &result);
    }
    if (c->lines.programs[package] == NULL) {
        refuse_named(&what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0}, archive_why_compiled);
        c->refused = true;
        return source_fail(&c->sources[package], c->o, &what);
    }
    c->refused = !compare_programs(c, &result, &what);
    return c->refused ? source_fail(&c->sources[result.refused], c->o, &what) : finish(c, &result);
}

/* Both are read even if the first is refused, so that all that is wrong is told. */
static status load(comparing *c) {
    status result = STATUS_DONE;
    for (size_t i = 0; i < SIDES; i++) {
        c->sources[i].path = c->o->operands[i];
        c->sources[i].takes_compiled = true;
        c->sources[i].known = result == STATUS_DONE ? c->lines.programs[0] : NULL;
        c->sources[i].known_input = c->sources[0].input;
        status loaded = source_load(&c->sources[i], c->o, &c->arenas[i], &c->lines.programs[i],
                                    "not compared: what the warnings name would be left out");
        result = status_worse(result, loaded);
    }
    c->refused = result != STATUS_DONE;
    return result;
}

status cmd_diff(const options *o) {
    buffer product = {0};
    comparing c = {.o = o, .lines = {.full = o->full}, .product = &product};
    status result = load(&c);
    if (result == STATUS_DONE) {
        result = compare(&c);
    }
    comparison_free(&c.lines);
    for (size_t i = 0; i < SIDES; i++) {
        ep_arena_free(&c.arenas[i]);
        source_free(&c.sources[i]);
    }
    if (c.refused) {
        buffer_free(&product);
        return result;
    }
    return command_finish(o, &product, result);
}
