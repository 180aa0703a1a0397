/*
 * diag.c - see diag.h. The form is an interface: editors and scripts read it.
 */
#include "diag.h"

#include <string.h>

#include "common/safe.h"
#include "print.h"
#include "style.h"
#include "terminal.h"

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

static void add_place(json *object, const ep_error *place) {
    static const ep_error none;
    bool known = place_known(place);
    const ep_error *said = known ? place : &none;
    json_members(object, "offset:m line:m column:m pointer:s", known, (int64_t)said->offset, known,
                 (int64_t)said->line, known, (int64_t)said->column, known ? said->pointer : NULL);
}

void place_add(json *object, const ep_error *place) {
    add_place(object, place);
    json_members(object, "pointer_cut:?b", place_known(place) && place->pointer_cut, true);
}

const char *diag_level(ep_code code) {
    static const char *const names[] = {
        [EP_LEVEL_NONE] = NULL,         [EP_LEVEL_WIRE] = "wire",
        [EP_LEVEL_SCHEMA] = "schema",   [EP_LEVEL_STRINGS] = "strings",
        [EP_LEVEL_PROGRAM] = "program", [EP_LEVEL_ARCHIVE] = "archive"};
    return names[ep_code_level(code)];
}

/* "wrong type: Node.target: expected a string" */
void diag_put_message(buffer *b, const failure *what) {
    if (what->reason != NULL) {
        buffer_text(b, what->reason);
        return;
    }
    const char *message = ep_code_message(what->error.code);
    print(b, what->version != NULL ? "for schema %s: " : "", what->version);
    buffer_text(b, message != NULL ? message : "unknown error");
    print(b, what->error.detail[0] != '\0' ? ": %t" : "", bytes_of(what->error.detail));
}

/* Where the error is in the file; NULL: nowhere. */
static const ep_error *place_of(const failure *what) {
    bool placed = what->reason == NULL || what->deviation != NULL;
    return placed && what->error.code != EP_MEMORY ? &what->error : NULL;
}

void diag_put_place(buffer *b, ep_bytes file, const failure *what) {
    safe_text(b, file);
    place_put(b, place_of(what));
    buffer_text(b, ": ");
}

static void put_code(buffer *b, const failure *what) {
    bool coded = what->reason == NULL;
    const char *name = coded ? ep_code_name(what->error.code) : what->deviation;
    if (name == NULL) {
        return;
    }
    print(b, " [%s, SPEC %s]", name, coded ? ep_code_clause(what->error.code) : "appendix C");
    place_put_pointer(b, place_of(what));
}

void diag_put_failure(buffer *b, const failure *what) {
    diag_put_message(b, what);
    put_code(b, what);
}

bool diag_is_error(const char *severity) {
    return strcmp(severity, "error") == 0;
}

static void put_line(buffer *b, const options *o, const char *severity, ep_bytes file,
                     const failure *what) {
    style look = diag_is_error(severity) ? STYLE_ERROR : STYLE_WARNING;
    diag_put_place(b, file, what);
    print(b, "%z%s:%Z ", style_on_errors(o), look, severity);
    diag_put_failure(b, what);
    buffer_byte(b, '\n');
}

static json *failure_object(ep_bytes file, const char *severity, const failure *what, bool record) {
    const ep_error *place = place_of(what);
    ep_code code = what->reason == NULL ? what->error.code : EP_OK;
    buffer message = {0};
    diag_put_message(&message, what);
    json *object = json_make("file:t severity:s code:s clause:s level:s", file, severity,
                             ep_code_name(code), ep_code_clause(code), diag_level(code));
    add_place(object, place);
    json_members(object, "pointer_cut:?b for_version:?s message:j",
                 place_known(place) && place->pointer_cut && !record, true,
                 what->version != NULL && !record, what->version, json_buffer(&message));
    return object;
}

json *diag_object(ep_bytes file, const char *severity, const failure *what) {
    return failure_object(file, severity, what, false);
}

json *diag_record(ep_bytes file, const char *severity, const failure *what) {
    return failure_object(file, severity, what, true);
}

void diag_put(buffer *b, const options *o, const char *severity, ep_bytes file,
              const failure *what) {
    if (o->json) {
        json_put(b, diag_object(file, severity, what));
    } else {
        put_line(b, o, severity, file, what);
    }
}

void diag_tell(const options *o, buffer *b) {
    ep_bytes text = b->failed ? bytes_of("epref: out of memory\n") : buffer_bytes(b);
    if (o->messages != NULL) {
        buffer_put(o->messages, text.data, text.size);
    } else {
        terminal_tell(text);
    }
    buffer_free(b);
}

void diag_say(const options *o, const char *severity, ep_bytes file, const failure *what) {
    buffer b = {0};
    diag_put(&b, o, severity, file, what);
    diag_tell(o, &b);
}

status diag_fail(const options *o, ep_bytes file, const failure *what) {
    diag_say(o, "error", file, what);
    return what->status;
}

status diag_fail_at(const options *o, buffer *file, const failure *what) {
    static const failure memory = {.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
    status result = diag_fail(o, buffer_bytes(file), file->failed ? &memory : what);
    buffer_free(file);
    return result;
}

status diag_fail_word(const options *o, const char *word, buffer *reason) {
    failure what = {.status = STATUS_USAGE, .reason = buffer_string(reason)};
    status result = diag_fail(o, bytes_of(word), &what);
    buffer_free(reason);
    return result;
}

void diag_undecided(const options *o, ep_bytes file) {
    diag_note_reason(o, file, "the order of the document decided in its canonical form");
}

void diag_note_reason(const options *o, ep_bytes file, const char *reason) {
    diag_say(o, "note", file, &(failure){.reason = reason});
}

status diag_output(const options *o, const failure *what) {
    return diag_fail(o, bytes_of(o->output != NULL ? o->output : "<stdout>"), what);
}
