/*
 * test_make.c - archives made of folders (ref/archive/make): dates come back bit for bit, and
 * a file that changes between its two readings is refused, whatever it is then. What people
 * can see is tried by the command, cli.pack.
 */
#define _DEFAULT_SOURCE /* mkdtemp */

#include "archive/make/folder.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char given_list[] = "epref archive 1 flat\n"
                                 "2026-01-31 12:00:58 one first\n";

static void test_dates(void) {
    enum { STEP = 9973 };
    for (uint64_t date = 0; date <= UINT32_MAX; date += STEP) {
        buffer text = {0};
        lines l;
        uint32_t back = 0;
        lines_put_date(&text, (uint32_t)date);
        lines_put_name(&text, bytes_of("name"));
        bool ok = lines_open(&l, buffer_bytes(&text)) == NULL && lines_next(&l) &&
                  lines_date(&l, &back) && bytes_equal(l.line, "name");
        CHECK(ok && back == date);
        buffer_free(&text);
    }
}

static void write_file(const char *dir, const char *name, const char *content) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        CHECK(fwrite(content, 1, strlen(content), file) == strlen(content));
        fclose(file);
    }
}

static void remove_file(const char *dir, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
}

static bool count(void *context, ep_bytes piece, failure *what) {
    size_t *size = context;
    (void)what;
    *size += piece.size;
    return true;
}

/* content: of the file when it is read again; NULL: it is gone. */
static void test_changed(const char *path, const char *content, bool same) {
    folder f;
    failure what = {0};
    size_t size = 0;
    write_file(path, folder_list, given_list);
    write_file(path, "one", "content");
    if (CHECK(folder_plan(path, 1 << 20, &f, &what))) {
        remove_file(path, "one");
        if (content != NULL) {
            write_file(path, "one", content);
        }
        CHECK_EQ_INT(folder_write(&f, count, &size, &what), same);
        CHECK_EQ_INT(what.status, same ? STATUS_DONE : STATUS_IO);
        CHECK_EQ_INT((int)f.line, same ? 0 : 2);
    }
    folder_free(&f);
}

int main(void) {
    char path[] = "/tmp/epref-make-XXXXXX";
    test_dates();
    if (CHECK(mkdtemp(path) != NULL)) {
        test_changed(path, "content", true);
        test_changed(path, "CONTENT", false);
        test_changed(path, "content and more", false);
        test_changed(path, "", false);
        test_changed(path, NULL, false);
        remove_file(path, "one");
        remove_file(path, folder_list);
        rmdir(path);
    }
    return check_report();
}
