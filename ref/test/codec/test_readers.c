/*
 * test_readers.c - the fast reader and the general one, and the two writers, on golden
 * programs: as they are, in other spellings, and damaged; and on a node that fills the
 * writer's buffer anywhere in a union that is written with all its tags.
 *
 *   test_readers FOLDER STEP
 */
#include "base/span.h"
#include "check.h"
#include "corpus.h"
#include "readers.h"
#include "samples.h"

#include <stdlib.h>

/* What stands between tokens: behind a comma or an opening bracket, and behind a colon. */
typedef struct spelling {
    const char *comma, *colon;
} spelling;

static const spelling spellings[] = {
    {", ", ": "}, {",", ":"}, {",\n      ", ": "}, {"\r\t, ", " : "}};

/* A text in a spelling, with white space behind it. */
static ep_bytes respell(ep_bytes text, spelling s, char *out) {
    char *o = out;
    bool quoted = false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        const char *instead = quoted ? NULL : c == ',' ? s.comma : c == ':' ? s.colon : NULL;
        if (c == '"') {
            quoted = !quoted;
        } else if (c == '\\') {
            *o++ = c;
            c = text.data[++i];
        }
        if (instead != NULL) {
            memcpy(o, instead, strlen(instead));
            o += strlen(instead);
            i += text.data[i + 1] == ' ';
        } else {
            *o++ = c;
        }
    }
    memset(o, ' ', READERS_MARGIN);
    return (ep_bytes){out, (size_t)(o - out) + READERS_MARGIN};
}

static void check(ep_bytes text, const ep_version *version, const char *where) {
    for (int forward = 0; forward < 2; forward++) {
        const char *what = readers_differ(text, version, forward != 0);
        if (what != NULL) {
            printf("%s as %s: %s\n", where, version->name, what);
        }
        CHECK(what == NULL);
    }
}

/* One byte more, less or another, at a few places. */
static void check_damaged(ep_bytes text, const ep_version *version, char *out, uint64_t *seed) {
    static const char bytes[] = "\"{}[],: 0nt-.\\\n1";
    for (int i = 0; i < 12; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(*seed >> 33) % (text.size - READERS_MARGIN);
        size_t gone = *seed >> 60 & 1, more = *seed >> 61 & 1;
        memcpy(out, text.data, at);
        out[at] = bytes[(*seed >> 56) % (sizeof bytes - 1)];
        memcpy(out + at + more, text.data + at + gone, text.size - at - gone);
        check((ep_bytes){out, text.size + more - gone}, version, "damaged");
    }
}

/* The end of the input, which is not read fast, at each place of the last bytes: in memory of
 * just that size, where a sanitizer sees what is read behind it. */
static void check_ends(ep_bytes text, const ep_version *version) {
    for (size_t more = 0; more <= READERS_MARGIN; more++) {
        char *exact = malloc(text.size + more);
        CHECK(exact != NULL);
        if (exact != NULL) {
            memcpy(exact, text.data, text.size);
            memset(exact + text.size, ' ', more);
            check((ep_bytes){exact, text.size + more}, version, "with spaces behind it");
        }
        free(exact);
    }
}

static void check_program(ep_bytes text, const ep_version *version, uint64_t *seed) {
    size_t room = 8 * text.size + READERS_MARGIN + 1;
    char *spelled = malloc(room);
    char *damaged = malloc(room);
    CHECK(spelled != NULL && damaged != NULL);
    for (size_t i = 0; i < EP_COUNT_OF(spellings) && spelled != NULL && damaged != NULL; i++) {
        ep_bytes other = respell(text, spellings[i], spelled);
        check(other, version, "respelled");
        check_damaged(other, version, damaged, seed);
    }
    free(spelled);
    free(damaged);
}

/* A program whose first node has so many numbers, and nothing behind them; the first has a
 * name of so many letters. */
static ep_bytes fill(const char *sample, int count, int letters, char *out) {
    const char *nodes = strstr(sample, "\"nodes\": [");
    const char *number = strstr(sample, "{\"as_none\": null, \"as_tensor\": null");
    int before = (int)(nodes - sample) + 10;
    int size = (int)(strchr(number, '}') - number) + 1;
    int at = sprintf(out, "%.*s{\"target\": \"\", \"inputs\": [", before, sample);
    for (int i = 0; i < count; i++) {
        at += sprintf(out + at, "%s{\"name\": \"%*s\", \"arg\": %.*s}", i > 0 ? ", " : "",
                      i > 0 ? 0 : letters, "", size, number);
    }
    at += sprintf(out + at, "], \"outputs\": [], \"metadata\": {}}, %s", sample + before);
    return (ep_bytes){out, (size_t)at};
}

static void check_filled(void) {
    enum { NUMBERS = 72, LETTERS = 480, STEP = 40, ROOM = 1 << 16 };
    char *out = malloc(ROOM);
    CHECK(out != NULL);
    for (int count = 1; out != NULL && count < NUMBERS; count++) {
        for (int letters = 0; letters < LETTERS; letters += STEP) {
            ep_bytes text = fill(test_sample_of("1"), count, letters, out);
            check(text, ep_version_find("1"), "filled");
        }
    }
    free(out);
}

int main(int argc, char **argv) {
    corpus c;
    uint64_t seed = 1;
    size_t step = argc == 3 ? (size_t)atoi(argv[2]) : 0;
    if (step == 0 || !corpus_open(&c, argv[1])) {
        return 2;
    }
    for (size_t i = 0; i < c.n; i += step) {
        test_text text = {0};
        char name[64];
        snprintf(name, sizeof name, "torch-%s", c.entries[i].release);
        const ep_version *version = ep_version_find(name);
        if (version != NULL && corpus_read(&c, i, "program.json", &text)) {
            check_program((ep_bytes){text.data, text.size}, version, &seed);
            if (i % (16 * step) == 0) {
                check_ends((ep_bytes){text.data, text.size}, version);
            }
            test_text_free(&text);
        }
    }
    corpus_close(&c);
    check_filled();
    return check_report();
}
