/*
 * diff.c - epref diff: whether two files hold one program, and where they
 * part, each in its own terms. The form is an interface: scripts read it.
 */
#include "archive/layout/constants.h"
#include "cli/diag.h"
#include "cli/json.h"
#include "cli/source.h"
#include "cli/style.h"
#include "command.h"
#include "common/safe.h"
#include "diff_state.h"

enum { SIDES = 2 };

typedef struct comparing {
    const options *o;
    source sources[SIDES];
    ep_arena arenas[SIDES];
    const ep_program *programs[SIDES];
    buffer *product;
    bool refused; /* there is nothing to be told */
} comparing;

static ep_bytes file_of(const comparing *c, size_t side) {
    return buffer_bytes(&c->sources[side].label);
}

/* ------------------------------------------------------------------------ text */

/* `{"as_int": 3}`, "7 (FLOAT)" */
static void put_what(buffer *b, const ep_diff_side *side) {
    buffer_text(b, side->cut_before ? "..." : "");
    safe_text(b, side->text);
    buffer_text(b, side->cut_behind ? "..." : "");
    if (side->enumerator != NULL) {
        buffer_text(b, " (");
        buffer_text(b, side->enumerator);
        buffer_byte(b, ')');
    }
}

/* "< a.json:1:2345: {"as_int": 3} at /graph_module/..." */
static void put_side(comparing *c, size_t number, const ep_diff_side *side) {
    buffer *b = c->product;
    style_text(b, style_on_output(c->o), number == 0 ? STYLE_ERROR : STYLE_LITERAL,
               number == 0 ? "< " : "> ");
    safe_text(b, file_of(c, number));
    if (side->place.line > 0) {
        buffer_byte(b, ':');
        buffer_number(b, (int64_t)side->place.line);
        buffer_byte(b, ':');
        buffer_number(b, (int64_t)side->place.column);
    }
    buffer_text(b, ": ");
    if (!side->there) {
        buffer_text(b, "not there");
    } else if (side->place.line == 0) {
        buffer_text(b, "made by migration");
    }
    put_what(b, side);
    if (side->place.pointer[0] != '\0' || side->place.pointer_cut) {
        buffer_text(b, " at ");
        safe_text(b, bytes_of(side->place.pointer));
        buffer_text(b, side->place.pointer_cut ? "..." : "");
    }
    buffer_byte(b, '\n');
}

/* "dim of torch.ops.aten.sum.dim_IntList: " */
static void put_about(buffer *b, const ep_difference *difference) {
    if (difference->argument.size > 0) {
        safe_text(b, difference->argument);
        buffer_text(b, " of ");
    }
    if (difference->target.size > 0) {
        safe_text(b, difference->target);
        buffer_text(b, ": ");
    }
}

/* "argument: dim of torch.ops.aten.sum.dim_IntList: Argument.as_int" */
static void put_text(comparing *c, const ep_difference *difference) {
    style_text(c->product, style_on_output(c->o), STYLE_HEADING,
               ep_diff_group_name(difference->group));
    buffer_text(c->product, ": ");
    put_about(c->product, difference);
    buffer_text(c->product, difference->type);
    if (difference->member != NULL) {
        buffer_byte(c->product, '.');
        buffer_text(c->product, difference->member);
    }
    buffer_byte(c->product, '\n');
    put_side(c, 0, &difference->sides[0]);
    put_side(c, 1, &difference->sides[1]);
}

/* ------------------------------------------------------------------------ JSON */

static void add_place(json *object, const ep_error *place) {
    static const char *const keys[] = {"offset", "line", "column"};
    const size_t values[] = {place->offset, place->line, place->column};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (place->line > 0) {
            json_add_number(object, keys[i], values[i]);
        } else {
            json_add_null(object, keys[i]);
        }
    }
    json_add_string(object, "pointer", place->line > 0 ? place->pointer : NULL);
    if (place->pointer_cut) {
        json_add_bool(object, "pointer_cut", true);
    }
}

static json *side_object(const comparing *c, size_t number, const ep_diff_side *side) {
    json *object = json_object();
    json_add_text(object, "file", file_of(c, number));
    json_add_bool(object, "there", side->there);
    add_place(object, &side->place);
    json_add_text(object, "text", side->text);
    if (side->cut_before) {
        json_add_bool(object, "cut_before", true);
    }
    if (side->cut_behind) {
        json_add_bool(object, "cut_behind", true);
    }
    json_add_string(object, "enumerator", side->enumerator);
    return object;
}

static void put_json(comparing *c, const ep_difference *difference) {
    json *object = json_object();
    json_add_string(object, "group", ep_diff_group_name(difference->group));
    json_add_string(object, "type", difference->type);
    json_add_string(object, "member", difference->member);
    json_add_text(object, "target", difference->target);
    json_add_text(object, "argument", difference->argument);
    json_add(object, "a", side_object(c, 0, &difference->sides[0]));
    json_add(object, "b", side_object(c, 1, &difference->sides[1]));
    json_put(c->product, object, false);
}

static void hear(void *context, const ep_difference *difference) {
    comparing *c = context;
    if (c->o->json) {
        put_json(c, difference);
    } else {
        put_text(c, difference);
    }
}

/* ------------------------------------------------------------------- the whole */

/* "20 of 134 differences", when there are more than were told. */
static void put_rest(comparing *c, const state_diff *result) {
    buffer *b = c->product;
    if (result->told == result->count || c->o->limit == 0) {
        return;
    }
    if (c->o->json) {
        json *object = json_object();
        json_add_number(object, "told", result->told);
        json_add_number(object, "count", result->count);
        json_put(b, object, false);
        return;
    }
    buffer_number(b, (int64_t)result->told);
    buffer_text(b, " of ");
    buffer_number(b, (int64_t)result->count);
    buffer_text(b, " differences\n");
}

/* Weights and extra files, where both files are archives. */
static status compare_state(comparing *c, const ep_diff_result *of_programs) {
    failure what = {0};
    state_diff d = {.o = c->o,
                    .sides = {&c->sources[0], &c->sources[1]},
                    .product = c->product,
                    .count = of_programs->count,
                    .told = of_programs->told};
    bool both = source_is_archive(d.sides[0]) && source_is_archive(d.sides[1]);
    if (both && !c->o->no_data && !diff_state(&d, &what)) {
        c->refused = true;
        return diag_fail(c->o, file_of(c, d.refused), &what);
    }
    put_rest(c, &d);
    return d.count == 0 ? STATUS_DONE : STATUS_INVALID;
}

static status compare(comparing *c) {
    failure what = {0};
    ep_arena scratch;
    constants taken = {.limit = c->o->limits.bytes, .described = true};
    ep_diff_options diffing = {.limit = c->o->limit,
                               .provenance = c->o->provenance,
                               .hear = hear,
                               .hear_context = c,
                               .constant = constants_take,
                               .constant_context = &taken};
    ep_diff_result result;
    arena_open(&scratch, c->o->max_memory);
    bool ok = ep_diff(c->programs, &scratch, &diffing, &result, &what.error);
    ep_arena_free(&scratch);
    if (taken.failed) {
        what.error = (ep_error){.code = EP_MEMORY};
    }
    constants_free(&taken);
    what.status = status_of_code(what.error.code);
    c->refused = !ok;
    if (!ok) {
        return diag_fail(c->o, file_of(c, result.refused), &what);
    }
    return compare_state(c, &result);
}

/* Both are read even if the first is refused, so that all that is wrong is told. */
static status load(comparing *c) {
    status result = STATUS_DONE;
    for (size_t i = 0; i < SIDES; i++) {
        c->sources[i].path = c->o->operands[i];
        status loaded = source_load_whole(&c->sources[i], c->o, &c->arenas[i], &c->programs[i],
                                          "not compared: what the warnings name would be left out");
        result = status_worse(result, loaded);
    }
    c->refused = result != STATUS_DONE;
    return result;
}

status cmd_diff(const options *o) {
    buffer product = {0};
    comparing c = {.o = o, .product = &product};
    status result = load(&c);
    if (result == STATUS_DONE) {
        result = compare(&c);
    }
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
