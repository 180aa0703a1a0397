/*
 * place.c - see place.h.
 */
#include "place.h"

#include "common/safe.h"
#include "print.h"

void place_put(buffer *b, const ep_error *place) {
    if (place_known(place)) {
        print(b, ":%i:%i", (int64_t)place->line, (int64_t)place->column);
    }
}

void place_put_pointer(buffer *b, const ep_error *place) {
    if (place_known(place) && (place->pointer[0] != '\0' || place->pointer_cut)) {
        print(b, " at %t%s", bytes_of(place->pointer), place->pointer_cut ? "..." : "");
    }
}

void place_add(json *object, const ep_error *place) {
    static const ep_error none;
    bool known = place_known(place);
    const ep_error *said = known ? place : &none;
    json_members(object, "offset:j line:j column:j pointer:s",
                 known ? json_integer((int64_t)said->offset) : json_null(),
                 known ? json_integer((int64_t)said->line) : json_null(),
                 known ? json_integer((int64_t)said->column) : json_null(),
                 known ? said->pointer : NULL);
    if (said->pointer_cut) {
        json_members(object, "pointer_cut:b", true);
    }
}
