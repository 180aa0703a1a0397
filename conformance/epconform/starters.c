/*
 * starters.c - the command `epconform init`: writes a starter adapter. They
 * are files of the folder starters/, carried inside the program.
 */
#include "carried.h"
#include "epconform.h"
#include "text/arguments.h"
#include "text/output.h"

#include <errno.h>
#include <string.h>

typedef struct language {
    const char *name;
    const char *file;
    bool is_run; /* by its first line, and so executable */
} language;

static const language LANGUAGES[] = {
    {"python", "starters/starter.py", true},
    {"c", "starters/starter.c", false},
    {"javascript", "starters/starter.js", true},
};

static const language *find_language(const char *name) {
    for (size_t i = 0; i < sizeof LANGUAGES / sizeof LANGUAGES[0]; i++) {
        if (strcmp(LANGUAGES[i].name, name) == 0 && embedded_find(LANGUAGES[i].file) != NULL) {
            return &LANGUAGES[i];
        }
    }
    return NULL;
}

static int write_starter(const language *l, const char *path) {
    const embedded_file *file = embedded_find(l->file);
    const char *text = (const char *)file->bytes;
    if (path == NULL) {
        return fwrite(text, 1, file->size, stdout) == file->size ? STATUS_GOOD : STATUS_TROUBLE;
    }
    if (!output_new(path, text, file->size, l->is_run ? 0777 : 0666)) {
        fprintf(stderr, "epconform: %s: %s\n", path, strerror(errno));
        return STATUS_TROUBLE;
    }
    return STATUS_GOOD;
}

int init_main(char **argv) {
    const argument known[] = {{.name = NULL}};
    word_list rest = {NULL, 0};
    int status = STATUS_USAGE;
    const language *l = NULL;
    if (arguments_read(argv, known, &rest) && rest.count >= 1 && rest.count <= 2) {
        l = find_language(rest.words[0]);
    }
    if (l != NULL) {
        status = write_starter(l, rest.count == 2 ? rest.words[1] : NULL);
    } else {
        fputs("epconform: init needs python, c or javascript, and a file if you like\n", stderr);
    }
    words_free(&rest);
    return status;
}
