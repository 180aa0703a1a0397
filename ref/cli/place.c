/*
 * place.c - see place.h.
 */
#include "place.h"

#include "common/safe.h"

void place_put(buffer *b, const ep_error *place) {
    if (place_known(place)) {
        buffer_byte(b, ':');
        buffer_number(b, (int64_t)place->line);
        buffer_byte(b, ':');
        buffer_number(b, (int64_t)place->column);
    }
}

void place_put_pointer(buffer *b, const ep_error *place) {
    if (place_known(place) && (place->pointer[0] != '\0' || place->pointer_cut)) {
        buffer_text(b, " at ");
        safe_text(b, bytes_of(place->pointer));
        buffer_text(b, place->pointer_cut ? "..." : "");
    }
}

void place_add(json *object, const ep_error *place) {
    static const ep_error none;
    bool known = place_known(place);
    const ep_error *said = known ? place : &none;
    json_add(object, "offset", known ? json_integer((int64_t)said->offset) : json_null());
    json_add(object, "line", known ? json_integer((int64_t)said->line) : json_null());
    json_add(object, "column", known ? json_integer((int64_t)said->column) : json_null());
    json_add_string(object, "pointer", known ? said->pointer : NULL);
    if (said->pointer_cut) {
        json_add_bool(object, "pointer_cut", true);
    }
}
