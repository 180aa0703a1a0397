/*
 * An adapter that plugs a reader of ExportedProgram JSON into epconform.
 *
 *     cc -o starter starter.c && epconform run --proc=./starter
 *
 * It runs as it is: it refuses a document without bytes and takes any other, so
 * that the runner shows what it should refuse. Put your reader into judge(), and the operations
 * that it knows into HELLO. conformance/PROTOCOL.md says what may stand in a request and an answer.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELLO                                                                                      \
    "{\"type\": \"hello\", \"protocol\": 1, \"name\": \"my-reader\", \"version\": \"0.1\", "       \
    "\"operations\": [\"wire\", \"decode\"]}"

/* What is said of a document. The message is text without quotes and backslashes.
 * A product, if there is one, is bytes from malloc. */
struct answer {
    const char *verdict; /* valid, invalid, unsupported or error */
    const char *message;
    char *product;
    size_t size;
};

/* request is the header, in which options stand. */
static struct answer judge(const char *request, const char *document, size_t size) {
    (void)request;
    (void)document;
    if (size == 0)
        return (struct answer){"invalid", "no bytes", NULL, 0};
    /* ---- Put your reader here. ---- */
    return (struct answer){"valid", "no reader yet", NULL, 0};
}

/* The number that follows a name in the header; 0 if it does not stand there. */
static unsigned long long number(const char *request, const char *name) {
    const char *found = strstr(request, name);
    return found == NULL ? 0 : strtoull(found + strlen(name), NULL, 10);
}

static bool reply(const char *request, const char *document, size_t size) {
    struct answer said = judge(request, document, size);
    printf("{\"id\": %llu, \"verdict\": \"%s\"", number(request, "\"id\":"), said.verdict);
    if (said.message != NULL)
        printf(", \"message\": \"%s\"", said.message);
    if (said.product != NULL)
        printf(", \"size\": %zu", said.size);
    fputs("}\n", stdout);
    bool written = said.product == NULL || fwrite(said.product, 1, said.size, stdout) == said.size;
    free(said.product);
    return written;
}

int main(void) {
    static char request[65537];
    while (fgets(request, sizeof request, stdin) != NULL) {
        size_t size = (size_t)number(request, "\"size\":");
        char *document = malloc(size + 1);
        if (document == NULL || fread(document, 1, size, stdin) != size)
            return EXIT_FAILURE;
        bool hello = strstr(request, "\"operation\":") == NULL;
        bool written = hello ? puts(HELLO) >= 0 : reply(request, document, size);
        free(document);
        if (!written || fflush(stdout) != 0)
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
