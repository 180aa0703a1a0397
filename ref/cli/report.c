/*
 * report.c - see report.h. Columns of SARIF are characters and ours are bytes, so a region
 * has line and offset, and the column is among the properties.
 */
#include "report.h"

#include <string.h>

#include "common/safe.h"
#include "place.h"
#include "print.h"

static const char schema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

static bool is_sarif(const report *r) {
    return r->o->format == FORMAT_SARIF;
}

void report_open(report *r, const options *o) {
    *r = (report){.o = o};
    if (is_sarif(r)) {
        r->results = json_array();
        r->notices = json_array();
        r->rules = json_array();
    }
}

void report_begin(report *r, const char *path) {
    r->path = path;
    r->files++;
    r->bad = false;
    r->unread = false;
    r->kind = NULL;
}

/* Behind the path and "!"; empty for the file itself. */
static ep_bytes member_of(const report *r, ep_bytes label) {
    size_t size = strlen(r->path) + 1;
    bool inside = label.size > size && bytes_start(label, r->path) && label.data[size - 1] == '!';
    return inside ? (ep_bytes){label.data + size, label.size - size} : (ep_bytes){"", 0};
}

/* --------------------------------------------------------------------------------- SARIF */

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
            buffer_byte(b, '%');
            print(b, "%c%c", digits[(unsigned char)*path >> 4], digits[(unsigned char)*path & 15]);
        }
    }
}

static json *text_object(const char *key, ep_bytes text) {
    json *object = json_object();
    json_add(object, key, json_text(text));
    return object;
}

/* What GitHub shows beside a result; without both texts it takes no rule. */
static void explain_rule(json *rule, const report_row *row) {
    buffer help = {0};
    json *full = json_object();
    const char *meaning = row->meaning != NULL ? row->meaning : row->title;
    json_add(full, "text", json_unbroken(meaning));
    json_add(rule, "fullDescription", full);
    print(&help, "%s\n\nSPEC %s; epref explain %s", meaning, row->clause, row->code);
    json *text = json_make("text:j", json_buffer(&help));
    json_add(rule, "help", text);
}

/* Which rule a code is; a new one where it was not seen before. */
static size_t rule_of(report *r, const report_row *row) {
    size_t i = 0;
    while (i < r->code_count && strcmp(r->codes[i], row->code) != 0) {
        i++;
    }
    if (i == r->code_count && r->code_count < REPORT_CODES) {
        json *rule = json_object();
        json *properties = json_object();
        json_members(rule, "id:s shortDescription:j", row->code,
                     text_object("text", bytes_of(row->title)));
        explain_rule(rule, row);
        json_members(properties, "clause:s", row->clause);
        json_add(rule, "properties", properties);
        json_append(r->rules, rule);
        r->codes[r->code_count++] = row->code;
    }
    return i;
}

/* The line of a text; in an archive there is none, and GitHub does not show a result
 * without one, so that it is the first. */
static json *region_of(ep_bytes member, const report_row *row) {
    json *region = json_object();
    bool placed = place_known(row->place) && member.size == 0;
    json_members(region, "startLine:n", placed ? row->place->line : 1);
    if (placed) {
        json_members(region, "byteOffset:n", row->place->offset);
    }
    return region;
}

static json *location_of(const report *r, ep_bytes member, const report_row *row) {
    json *location = json_object();
    json *physical = json_object();
    buffer uri = {0};
    put_uri(&uri, strcmp(r->path, "-") == 0 ? "stdin" : r->path);
    json *artifact = json_make("uri:j", json_buffer(&uri));
    json_add(physical, "artifactLocation", artifact);
    if (!row->unread) {
        json_add(physical, "region", region_of(member, row));
    }
    json_add(location, "physicalLocation", physical);
    return location;
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
    json *message = json_make("text:j", json_buffer(&text));
    return message;
}

static json *properties_of(ep_bytes member, const report_row *row) {
    json *properties = json_make("severity:s", row->severity);
    if (row->code != NULL) {
        json_members(properties, "code:s", row->code); /* notifications have no rule */
        json_members(properties, "clause:s", row->clause);
    }
    if (member.size > 0) {
        json_members(properties, "member:t", member);
    }
    if (row->text.size > 0) {
        json_members(properties, "text:t", row->text);
    }
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
    static const char *const levels[][2] = {
        {"error", "error"}, {"high", "error"}, {"warning", "warning"}, {"medium", "warning"}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(levels[i][0], severity) == 0) {
            return levels[i][1];
        }
    }
    return "note";
}

/* A result; or of a file that nothing is known of, a notification of the tool. */
static void add_result(report *r, ep_bytes label, const report_row *row) {
    ep_bytes member = member_of(r, label);
    json *result = json_object();
    json *locations = json_array();
    if (row->code != NULL && !row->unread) {
        size_t rule = rule_of(r, row);
        json_members(result, "ruleId:s ruleIndex:n partialFingerprints:j", row->code, rule,
                     fingerprints_of(member, row));
    }
    json_members(result, "level:s message:j", level_of(row->severity), message_of(member, row));
    json_append(locations, location_of(r, member, row));
    json_members(result, "locations:j properties:j", locations, properties_of(member, row));
    json_append(row->unread ? r->notices : r->results, result);
}

/* A notification, since a result would be of a file. */
static void add_sum(report *r, ep_bytes label, const report_row *row) {
    json *notice = json_object();
    buffer text = {0};
    print(&text, "%t: %r", label, row->message.data, row->message.size);
    json *message = json_make("text:j", json_buffer(&text));
    json_members(notice, "level:s message:j properties:j", level_of(row->severity), message,
                 properties_of((ep_bytes){"", 0}, row));
    json_append(r->notices, notice);
}

static void put_sarif(report *r, buffer *product) {
    json *driver = json_make("name:s version:s rules:j", "epref", ep_library_version(), r->rules);
    json *tool = json_make("driver:j", driver);
    json *invocation =
        json_make("executionSuccessful:b toolExecutionNotifications:j", r->errors == 0, r->notices);
    json *invocations = json_array();
    json_append(invocations, invocation);
    json *run = json_make("tool:j invocations:j results:j", tool, invocations, r->results);
    json *runs = json_array();
    json_append(runs, run);
    json *root = json_make("$schema:s version:s runs:j", schema, "2.1.0", runs);
    json_put(product, root, true);
}

/* --------------------------------------------------------------------------------- JUnit */

/* What is fit to be seen has no character that XML forbids. */
static void put_xml(buffer *b, ep_bytes text) {
    buffer safe = {0};
    safe_text(&safe, text);
    for (size_t i = 0; i < safe.size; i++) {
        char c = safe.data[i];
        const char *entity = c == '&'   ? "&amp;"
                             : c == '<' ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        if (entity != NULL) {
            buffer_text(b, entity);
        } else {
            buffer_byte(b, c);
        }
    }
    b->failed = b->failed || safe.failed;
    buffer_free(&safe);
}

/* "FILE:LINE:COL: error: MESSAGE [EP_CODE, SPEC 3.2.1] at /pointer" */
static void add_line(report *r, ep_bytes label, const report_row *row) {
    buffer line = {0};
    buffer_put(&line, label.data, label.size);
    place_put(&line, row->place);
    print(&line, ": %s: %r", row->severity, row->message.data, row->message.size);
    if (row->code != NULL) {
        print(&line, " [%s, SPEC %s]", row->code, row->clause);
    }
    place_put_pointer(&line, row->place);
    put_xml(&r->lines, buffer_bytes(&line));
    buffer_byte(&r->lines, '\n');
    r->lines.failed = r->lines.failed || line.failed;
    buffer_free(&line);
}

static void put_attribute(buffer *b, const char *name, ep_bytes value) {
    print(b, " %s=\"", name);
    put_xml(b, value);
    buffer_byte(b, '"');
}

static void put_class(const report *r, buffer *b, char between) {
    print(b, "epref%c%s", between, command_rows[r->o->command].name);
}

static void end_case(report *r) {
    buffer *b = &r->cases;
    r->failed = r->failed || r->lines.failed || r->first.failed; /* clearing forgets it */
    const char *element = r->unread ? "error" : r->bad ? "failure" : "system-out";
    buffer_text(b, "    <testcase classname=\"");
    put_class(r, b, '.');
    buffer_byte(b, '"');
    put_attribute(b, "name", bytes_of(r->path));
    if (r->lines.size == 0) {
        buffer_text(b, "/>\n");
        return;
    }
    print(b, ">\n      <%s", element);
    if (r->unread || r->bad) {
        put_attribute(b, "type", bytes_of(r->kind == NULL ? "unreadable" : r->kind));
        put_attribute(b, "message", buffer_bytes(&r->first));
    }
    print(b, ">%r</%s>\n    </testcase>\n", r->lines.data, r->lines.size, element);
    buffer_clear(&r->lines);
}

static void put_counts(const report *r, buffer *b) {
    const char *const names[] = {" tests=\"", "\" failures=\"", "\" errors=\""};
    const size_t counts[] = {r->files, r->failures, r->errors};
    buffer_text(b, " name=\"");
    put_class(r, b, ' ');
    buffer_byte(b, '"');
    for (size_t i = 0; i < 3; i++) {
        print(b, "%s%i", names[i], (int64_t)counts[i]);
    }
    buffer_text(b, "\">\n");
}

static void put_junit(report *r, buffer *b) {
    buffer_text(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_counts(r, b);
    buffer_text(b, "  <testsuite");
    put_counts(r, b);
    buffer_put(b, r->cases.data, r->cases.size);
    if (r->lines.size > 0) {
        print(b, "    <system-out>%r</system-out>\n", r->lines.data, r->lines.size);
    }
    buffer_text(b, "  </testsuite>\n</testsuites>\n");
    b->failed = b->failed || r->cases.failed || r->lines.failed;
}

/* ---------------------------------------------------------------------------------- both */

static void add_of_all(report *r, ep_bytes label, const report_row *row) {
    if (is_sarif(r)) {
        add_sum(r, label, row);
    } else {
        add_line(r, label, row);
    }
}

void report_add(report *r, ep_bytes label, const report_row *row) {
    if (row->of_all) {
        add_of_all(r, label, row);
        return;
    }
    bool first = (row->fails && !r->bad) || (row->unread && !r->unread);
    r->bad = r->bad || row->fails;
    r->unread = r->unread || row->unread;
    if (is_sarif(r)) {
        add_result(r, label, row);
        return;
    }
    if (first) {
        r->kind = row->code;
        r->failed = r->failed || r->first.failed;
        buffer_clear(&r->first);
        buffer_put(&r->first, row->message.data, row->message.size);
    }
    add_line(r, label, row);
}

void report_end(report *r) {
    r->errors += r->unread ? 1 : 0;
    r->failures += r->bad && !r->unread ? 1 : 0;
    if (!is_sarif(r)) {
        end_case(r);
    }
}

void report_put(report *r, buffer *product) {
    if (is_sarif(r)) {
        put_sarif(r, product);
    } else {
        put_junit(r, product);
    }
    product->failed = product->failed || r->failed;
    buffer_free(&r->cases);
    buffer_free(&r->lines);
    buffer_free(&r->first);
}
