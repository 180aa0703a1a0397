/*
 * progress.c - see progress.h.
 */
#define _DEFAULT_SOURCE /* clock_gettime */

#include "progress.h"

#include <time.h>

#include "common/buffer.h"
#include "terminal.h"

enum { SECOND = 1000, PAUSE = 100, CELLS = 30 };

static int64_t now(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec / 1000000;
}

void progress_begin(progress *p, size_t total) {
    *p = (progress){.total = total, .wanted = total > 1 && terminal_moves_errors()};
    p->began = p->wanted ? now() : 0;
}

static void put_bar(buffer *b, const progress *p) {
    size_t filled = (size_t)((double)p->done / (double)p->total * CELLS);
    buffer_text(b, "\r[");
    for (size_t i = 0; i < CELLS; i++) {
        buffer_byte(b, i < filled ? '#' : '.');
    }
    buffer_text(b, "] ");
}

/* "[####......] 1200 of 4687 files, 12 s left" */
static void draw(progress *p, int64_t passed) {
    buffer b = {0};
    put_bar(&b, p);
    buffer_number(&b, (int64_t)p->done);
    buffer_text(&b, " of ");
    buffer_number(&b, (int64_t)p->total);
    buffer_text(&b, " files");
    if (p->done > 0) {
        double left = (double)passed * (double)(p->total - p->done) / (double)p->done;
        buffer_text(&b, ", ");
        buffer_number(&b, (int64_t)(left / SECOND) + 1);
        buffer_text(&b, " s left");
    }
    buffer_text(&b, "\x1b[K");
    if (!b.failed) {
        terminal_tell(buffer_bytes(&b));
        p->visible = true;
    }
    buffer_free(&b);
}

void progress_show(progress *p, size_t done) {
    p->done = done;
    if (!p->wanted || done >= p->total) {
        return;
    }
    int64_t at = now();
    if (at - p->began >= SECOND && at - p->drawn >= PAUSE) {
        p->drawn = at;
        draw(p, at - p->began);
    }
}

void progress_hide(progress *p) {
    if (p->visible) {
        terminal_tell(bytes_of("\r\x1b[K"));
        p->visible = false;
    }
}

void progress_make_way(progress *p) {
    if (p->visible && terminal_is_output()) {
        progress_hide(p);
        p->drawn = 0; /* and is back at once */
    }
}
