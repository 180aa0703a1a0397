/*
 * diff_fields.c - see diff_fields.h.
 */
#include "diff_fields.h"

#include "cli/compare/told.h"
#include "cli/place.h"
#include "cli/print.h"
#include "cli/style.h"
#include "common/safe.h"

/* ------------------------------------------------------------------------ text */

/* "< a.json:1:2345: {"as_int": 3} at /graph_module/..." */
static void put_side(fields_diff *c, size_t number, const ep_diff_side *side) {
    buffer *b = c->product;
    style_text(b, style_on_output(c->o), number == 0 ? STYLE_ERROR : STYLE_LITERAL,
               number == 0 ? "< " : "> ");
    safe_text(b, c->files[number]);
    place_put(b, &side->place);
    buffer_text(b, ": ");
    told_put_side(b, side);
    place_put_pointer(b, &side->place);
    buffer_byte(b, '\n');
}

/* "dim of torch.ops.aten.sum.dim_IntList: " */
static void put_about(buffer *b, const ep_difference *difference) {
    if (difference->argument.size > 0) {
        print(b, "%t of ", difference->argument);
    }
    if (difference->target.size > 0) {
        print(b, "%t: ", difference->target);
    }
}

/* "argument: dim of torch.ops.aten.sum.dim_IntList: Argument.as_int" */
static void put_text(fields_diff *c, const ep_difference *difference) {
    style_text(c->product, style_on_output(c->o), STYLE_HEADING,
               ep_diff_group_name(difference->group));
    buffer_text(c->product, ": ");
    put_about(c->product, difference);
    buffer_text(c->product, difference->type);
    if (difference->member != NULL) {
        print(c->product, ".%s", difference->member);
    }
    buffer_byte(c->product, '\n');
    put_side(c, 0, &difference->sides[0]);
    put_side(c, 1, &difference->sides[1]);
}

/* ------------------------------------------------------------------------ JSON */

static json *side_object(const fields_diff *c, size_t number, const ep_diff_side *side) {
    json *object = json_make("file:t there:b", c->files[number], side->there);
    place_add(object, &side->place);
    json_members(object, "text:t", side->text);
    if (side->cut_before) {
        json_members(object, "cut_before:b", true);
    }
    if (side->cut_behind) {
        json_members(object, "cut_behind:b", true);
    }
    json_members(object, "enumerator:s", side->enumerator);
    return object;
}

static void put_json(fields_diff *c, const ep_difference *difference) {
    json *object = json_make("group:s type:s member:s target:t argument:t a:j b:j",
                             ep_diff_group_name(difference->group), difference->type,
                             difference->member, difference->target, difference->argument,
                             side_object(c, 0, &difference->sides[0]),
                             side_object(c, 1, &difference->sides[1]));
    json_put(c->product, object);
}

void diff_fields_hear(void *context, const ep_difference *difference) {
    fields_diff *c = context;
    if (c->o->json) {
        put_json(c, difference);
    } else {
        put_text(c, difference);
    }
}
