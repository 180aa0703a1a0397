/*
 * diff_fields.c - see diff_fields.h.
 */
#include "diff_fields.h"

#include "cli/compare/told.h"
#include "cli/place.h"
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
        safe_text(b, difference->argument);
        buffer_text(b, " of ");
    }
    if (difference->target.size > 0) {
        safe_text(b, difference->target);
        buffer_text(b, ": ");
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
        buffer_byte(c->product, '.');
        buffer_text(c->product, difference->member);
    }
    buffer_byte(c->product, '\n');
    put_side(c, 0, &difference->sides[0]);
    put_side(c, 1, &difference->sides[1]);
}

/* ------------------------------------------------------------------------ JSON */

static json *side_object(const fields_diff *c, size_t number, const ep_diff_side *side) {
    json *object = json_object();
    json_add_text(object, "file", c->files[number]);
    json_add_bool(object, "there", side->there);
    place_add(object, &side->place);
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

static void put_json(fields_diff *c, const ep_difference *difference) {
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

void diff_fields_hear(void *context, const ep_difference *difference) {
    fields_diff *c = context;
    if (c->o->json) {
        put_json(c, difference);
    } else {
        put_text(c, difference);
    }
}
