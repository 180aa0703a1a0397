/*
 * builder_play.c - what the target builder draws from its input, and what it
 * keeps of the calls that it made.
 */
#include "builder_play.h"

#include "builder_calls.def"

#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------- numbers */

uint8_t play_byte(play *p) {
    return p->at < p->size ? p->data[p->at++] : 0;
}

size_t play_below(play *p, size_t n) {
    return play_byte(p) % n;
}

bool play_ended(const play *p) {
    return p->at >= p->size;
}

static uint64_t eight_bytes(play *p) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | play_byte(p);
    }
    return bits;
}

int64_t play_int(play *p) {
    static const int64_t known[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, INT64_MAX - 1,  INT32_MIN,
                                    INT32_MAX, 1LL << 31, 1LL << 32,     (1LL << 53) + 1};
    enum { KNOWN = sizeof known / sizeof known[0], RAW = 240 };
    uint8_t byte = play_byte(p);
    if (byte >= RAW) {
        uint64_t bits = eight_bytes(p);
        int64_t value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return byte >= RAW - KNOWN ? known[byte - (RAW - KNOWN)] : (int64_t)byte % 16 - 3;
}

double play_float(play *p) {
    static const double known[] = {0.0,   -0.0,   1.5, -2.0, 1e-5,  1e16,
                                   1e308, 5e-324, 0.1, 1e22, -1e-7, 123456789.0};
    enum { KNOWN = sizeof known / sizeof known[0], RAW = 200 };
    uint8_t byte = play_byte(p);
    double value = known[byte % KNOWN];
    if (byte >= RAW) { /* NaN and the infinities are among these */
        uint64_t bits = byte % 2 == 0 ? eight_bytes(p) : UINT64_C(0x7FF) << 52 | eight_bytes(p);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

/* ---------------------------------------------------------------------- texts */

static const char *const texts[] = {PLAY_TEXTS};

static char *next_slot(play *p) {
    char *slot = p->slots[p->slot++ % PLAY_SLOTS];
    slot[0] = '\0';
    return slot;
}

/* Bytes of the input; a zero would end the text, and is another one then. */
static const char *raw_text(play *p, size_t size) {
    char *slot = next_slot(p);
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = play_byte(p);
        slot[i] = (char)(byte == 0 ? 'z' : byte);
    }
    slot[size] = '\0';
    return slot;
}

const char *play_text(play *p) {
    enum { KNOWN = sizeof texts / sizeof texts[0], NOTHING = 255, RAW = 210 };
    uint8_t byte = play_byte(p);
    if (byte == NOTHING) {
        return NULL;
    }
    return byte < RAW ? texts[byte % KNOWN] : raw_text(p, (size_t)(byte - RAW) % (PLAY_TEXT - 1));
}

ep_bytes play_bytes(play *p) {
    const char *text = play_text(p);
    return (ep_bytes){text, text == NULL ? 0 : strlen(text)};
}

const char *play_fresh(play *p, char letter) {
    char *slot = next_slot(p);
    size_t number = p->names++;
    snprintf(slot, PLAY_TEXT, "%c%04zu", letter, number % 10000);
    return slot;
}

/* -------------------------------------------------------------------- handles */

bool play_goes_on(const play *p) {
    return p->calls < p->most && !(p->stops && p->failed);
}

bool play_said(play *p, bool ok) {
    p->calls++;
    p->unstuck = p->unstuck || (p->failed && ok);
    p->failed = p->failed || !ok;
    p->good += p->failed ? 0 : 1;
    return ok;
}

const void *play_made(play *p, play_pool *pool, const void *item, size_t weight) {
    if (play_said(p, item != NULL) && weight <= PLAY_HANDLE_WEIGHT) {
        pool->items[pool->count % PLAY_POOL] = item;
        pool->weights[pool->count % PLAY_POOL] = weight;
        pool->count++;
    }
    return item;
}

play_pick play_draw(play *p, const play_pool *pool) {
    enum { NOTHING = 255 };
    size_t held = pool->count < PLAY_POOL ? pool->count : PLAY_POOL;
    uint8_t byte = play_byte(p);
    if (byte == NOTHING || held == 0) {
        return (play_pick){NULL, 0};
    }
    size_t i = (pool->count - 1 - byte % held) % PLAY_POOL;
    return (play_pick){pool->items[i], pool->weights[i]};
}

bool play_takes(play *p, size_t weight) {
    if (weight > PLAY_WEIGHT - p->weight) {
        return false;
    }
    p->weight += weight;
    return true;
}

/* -------------------------------------------------------------------- asked for */

static void keep_name(char *kept, const char *name) {
    size_t size = name == NULL ? 0 : strlen(name);
    size = size < PLAY_TEXT ? size : 0;
    memcpy(kept, name == NULL ? "" : name, size);
    kept[size] = '\0';
}

void play_ask_symbol(play *p, const char *name, int64_t hint) {
    play_asked *a = &p->asked;
    for (size_t i = 0; i < a->symbol_count && name != NULL; i++) {
        if (strcmp(a->symbols[i].name, name) == 0) {
            a->symbols[i].several = a->symbols[i].several || a->symbols[i].hint != hint;
            return;
        }
    }
    if (a->symbol_count == PLAY_POOL) {
        a->incomplete = true;
    } else {
        keep_name(a->symbols[a->symbol_count].name, name);
        a->symbols[a->symbol_count++].hint = hint;
    }
}

void play_ask_input(play *p, ep_input_kind kind, const char *name) {
    play_asked *a = &p->asked;
    if (a->input_count == PLAY_POOL) {
        a->incomplete = true;
    } else {
        keep_name(a->inputs[a->input_count].name, name);
        a->inputs[a->input_count++].kind = kind;
    }
}
