/*
 * report.c - see report.h. Columns of SARIF are characters and ours are bytes, so a region
 * has line and offset, and the column is among the properties.
 */
#include "report.h"

#include <string.h>

#include "diag.h"
#include "print.h"
#include "words.h"

static const char schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

void report_open(report *r) {
    *r = (report){.results = json_array(), .notices = json_array(), .rules = json_array()};
}

/* Behind the path and "!"; empty for the file itself. */
static ep_bytes member_of(const report *r, ep_bytes label) {
    size_t size = strlen(r->path) + 1;
    bool inside = label.size > size && bytes_start(label, r->path) && label.data[size - 1] == '!';
    return inside ? (ep_bytes){label.data + size, label.size - size} : (ep_bytes){"", 0};
}

static bool is_plain(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           (c != '\0' && strchr("-._~/", c) != NULL);
}

/* Without what says that it is from here: "./a" and "a" are one file, and have one URI. */
static const char *shortest(const char *path) {
    for (const char *next = path; next[0] == '.' && next[1] == '/';) {
        next += strspn(next + 1, "/") + 1;
        path = next[0] != '\0' ? next : path;
    }
    return path;
}

/* A path as a URI, from the folder where the command runs if it is relative. */
static void put_uri(buffer *b, const char *path) {
    static const char digits[] = "0123456789ABCDEF";
    path = shortest(path);
    buffer_text(b, path[0] == '/' ? "file://" : "");
    for (; *path != '\0'; path++) {
        if (is_plain(*path)) {
            buffer_byte(b, *path);
        } else {
            print(b, "%c%c%c", '%', digits[(unsigned char)*path >> 4],
                  digits[(unsigned char)*path & 15]);
        }
    }
}

/* What GitHub shows beside a result; without both texts it takes no rule. */
static json *rule_object(const report_row *row) {
    buffer help = {0};
    const char *meaning = row->meaning != NULL ? row->meaning : row->title;
    print(&help, "%s\n\nSPEC %s; epref explain %s", meaning, row->clause, row->code);
    return json_make("id:s shortDescription{text:s} fullDescription{text:j} help{text:j} "
                     "properties{clause:s}",
                     row->code, row->title, json_unbroken(meaning), json_buffer(&help),
                     row->clause);
}

/* Which rule a code is; a new one where it was not seen before. */
static size_t rule_of(report *r, const report_row *row) {
    size_t i = 0;
    while (i < r->code_count && strcmp(r->codes[i], row->code) != 0) {
        i++;
    }
    if (i == r->code_count && r->code_count < REPORT_CODES) {
        json_append(r->rules, rule_object(row));
        r->codes[r->code_count++] = row->code;
    }
    return i;
}

/* With the line of a text; in an archive there is none, and GitHub does not show a result
 * without one, so that it is the first. */
static json *location_of(const report *r, ep_bytes member, const report_row *row) {
    buffer uri = {0};
    put_uri(&uri, strcmp(r->path, "-") == 0 ? "stdin" : r->path);
    bool placed = place_known(row->place) && member.size == 0;
    json *region = json_make("startLine:n byteOffset:?n", placed ? row->place->line : 1, placed,
                             placed ? row->place->offset : 0);
    return json_make("physicalLocation{artifactLocation{uri:j} region:?j}", json_buffer(&uri),
                     !row->unread, region);
}

/* "MESSAGE, in models/model.json:1:7 at /pointer": of a place in an archive, and of a
 * pointer, readers show nothing else. */
static json *message_of(ep_bytes member, const report_row *row) {
    buffer text = {0};
    buffer_put(&text, row->message.data, row->message.size);
    if (member.size > 0) {
        print(&text, ", in %t", member);
        place_put(&text, row->place);
    }
    place_put_pointer(&text, row->place);
    return json_buffer(&text);
}

static json *properties_of(ep_bytes member, const report_row *row) {
    bool coded = row->code != NULL; /* notifications have no rule */
    json *properties =
        json_make("severity:s code:?s clause:?s member:?t text:?t", row->severity, coded, row->code,
                  coded, row->clause, member.size > 0, member, row->text.size > 0, row->text);
    if (place_known(row->place)) {
        json_members(properties, "offset:n line:n column:n pointer:s", row->place->offset,
                     row->place->line, row->place->column, row->place->pointer);
    }
    return properties;
}

/* What a reader tells two results of one rule and line by, and one of before again: the
 * code, the member and the pointer. */
static json *fingerprints_of(ep_bytes member, const report_row *row) {
    buffer text = {0};
    print(&text, "%s %t", row->code, member);
    place_put_pointer(&text, row->place);
    json *prints = json_object();
    json_add(prints, "place/v1", json_buffer(&text));
    return prints;
}

static const char *level_of(const char *severity) {
    static const char *const levels[][2] = {{"error", "error"},
                                            {"high", "error"},
                                            {"warning", "warning"},
                                            {"medium", "warning"},
                                            {NULL, NULL}};
    return word_for(levels, severity, "note");
}

/* A result; or of a file that nothing is known of, a notification of the tool. */
static void add_result(report *r, ep_bytes label, const report_row *row) {
    ep_bytes member = member_of(r, label);
    json *result = json_object();
    if (row->code != NULL && !row->unread) {
        size_t rule = rule_of(r, row);
        json_members(result, "ruleId:s ruleIndex:n partialFingerprints:j", row->code, rule,
                     fingerprints_of(member, row));
    }
    json_members(result, "level:s message{text:j} locations[:j] properties:j",
                 level_of(row->severity), message_of(member, row), location_of(r, member, row),
                 properties_of(member, row));
    json_append(row->unread ? r->notices : r->results, result);
}

/* A notification, since a result would be of a file. */
static void add_sum(report *r, ep_bytes label, const report_row *row) {
    buffer text = {0};
    print(&text, "%t: %r", label, row->message.data, row->message.size);
    json_append(r->notices,
                json_make("level:s message{text:j} properties:j", level_of(row->severity),
                          json_buffer(&text), properties_of((ep_bytes){"", 0}, row)));
}

void report_put(report *r, buffer *product) {
    json_put(product, json_make("$schema:s version:s runs[{tool{driver{name:s version:s rules:j}} "
                                "invocations[{executionSuccessful:b "
                                "toolExecutionNotifications:j}] results:j}]",
                                schema, "2.1.0", "epref", ep_library_version(), r->rules,
                                !r->unread, r->notices, r->results));
    product->failed = product->failed || r->failed;
}

void report_add(report *r, ep_bytes label, report_row *row) {
    r->unread = r->unread || row->unread;
    r->failed = r->failed || row->message.failed;
    if (row->of_all) {
        add_sum(r, label, row);
    } else {
        add_result(r, label, row);
    }
    buffer_free(&row->message);
}
