/*
 * run/one_shot.c - see one_shot.h.
 */
#include "run/one_shot.h"

#include "text/memory.h"
#include "text/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* -------------------------------------------------------------------- hello */

/* Words with commas between as a member of the hello; NULL: none were said. */
static const cJSON *add_words(cJSON *hello, const char *key, const char *said) {
    word_list list = {NULL, 0};
    cJSON *array = said != NULL ? cJSON_AddArrayToObject(hello, key) : NULL;
    words_split(&list, said != NULL ? said : "", ',');
    for (size_t i = 0; i < list.count; i++) {
        cJSON_AddItemToArray(array, cJSON_CreateString(list.words[i]));
    }
    words_free(&list);
    return array;
}

/* What exit status 0 means, and so which vectors can be told. */
static const char *operations_of(const char *level) {
    static const char *const table[][2] = {
        {"wire", "wire"}, {"schema", "decode,check"}, {"strings", "check"}, {"program", "check"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i][0], level) == 0) {
            return table[i][1];
        }
    }
    return NULL;
}

static bool has_word(const testee *t, const char *part) {
    for (size_t i = 0; i < t->words.count; i++) {
        if (strstr(t->words.words[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

static bool refuse(const char *why) {
    fprintf(stderr, "epconform: %s\n", why);
    return false;
}

/* Whether there is a word, and all are of those that are known; said if not. */
static bool are_words(const char *option, const cJSON *list, bool (*is_known)(const char *)) {
    const cJSON *item;
    if (list != NULL && list->child == NULL) {
        fprintf(stderr, "epconform: %s: no word\n", option);
        return false;
    }
    cJSON_ArrayForEach(item, list) {
        if (!is_known(item->valuestring)) {
            fprintf(stderr, "epconform: %s: no such word: %s\n", option, item->valuestring);
            return false;
        }
    }
    return true;
}

/* Whether one of the operations is asked of two documents. */
static bool needs_other(const cJSON *operations) {
    const cJSON *item;
    cJSON_ArrayForEach(item, operations) {
        if (operation_has_other(item->valuestring)) {
            return true;
        }
    }
    return false;
}

bool command_hello(testee *t, const command_words *said) {
    const char *level = said->level != NULL ? said->level : "schema";
    cJSON *hello = t->hello = cJSON_CreateObject();
    if (operations_of(level) == NULL) {
        return refuse("--level is wire, schema, strings or program");
    }
    if (has_word(t, "{operation}") && said->operations == NULL) {
        return refuse("a command with {operation} needs --operations");
    }
    cJSON_AddStringToObject(hello, "type", "hello");
    cJSON_AddNumberToObject(hello, "protocol", 1);
    cJSON_AddStringToObject(hello, "name", t->id);
    cJSON_AddStringToObject(hello, "version", "");
    const cJSON *operations = add_words(
        hello, "operations", said->operations != NULL ? said->operations : operations_of(level));
    add_words(hello, "schemas", said->schemas);
    const cJSON *reports = add_words(hello, "reports", said->reports);
    if (needs_other(operations) && !(has_word(t, "{file}") && has_word(t, "{other}"))) {
        return refuse("an operation on two documents needs {file} and {other}");
    }
    if (strcmp(level, "wire") != 0) {
        cJSON_AddStringToObject(hello, "level", level);
    }
    return are_words("--operations", operations, operation_known) &&
           are_words("--reports", reports, report_known);
}

/* ----------------------------------------------------------------- starting */

static bool write_document(const char *path, vector_bytes document) {
    return output_new(path, document.data, document.size, 0600);
}

/* Starts it, with the files of a request. */
static bool start(worker *w, session *s, const char *document, const char *other) {
    const cJSON *options = cJSON_GetObjectItemCaseSensitive(w->task.vector->line, "options");
    const char *to = vector_text(options, "to");
    const char *const pairs[][2] = {{"{file}", document},
                                    {"{other}", other},
                                    {"{operation}", w->task.operation},
                                    {"{to}", to != NULL ? to : ""},
                                    {NULL, NULL}};
    word_list words = {NULL, 0};
    for (size_t i = 0; i < s->launch.words.count; i++) {
        char *word = words_fill(s->launch.words.words[i], pairs);
        words_add(&words, word);
        free(word);
    }
    bool ok = process_start(&w->process, &s->launch, &words);
    words_free(&words);
    return ok;
}

/* Archives are known by the operation, or by how they begin. */
static char *name_document(const worker *w) {
    const task *t = &w->task;
    bool zip = t->document.size >= 4 && memcmp(t->document.data, "PK\3\4", 4) == 0;
    bool named = strcmp(t->operation, "archive") == 0 || strcmp(t->operation, "whole") == 0;
    bool is_archive = named || zip;
    return memory_format("%s/document.%s", w->process.folder, is_archive ? "pt2" : "json");
}

/* A command that cannot be started is found out by the first step. */
void command_start(worker *w, session *s) {
    bool by_file = has_word(s->testee, "{file}");
    w->phase = PHASE_COMMAND;
    w->broken = false;
    if (!process_prepare(&w->process, &s->launch)) {
        return;
    }
    char *document = name_document(w);
    char *other = memory_format("%s/other.json", w->process.folder);
    bool has_other = operation_has_other(w->task.operation);
    if ((by_file && !write_document(document, w->task.document)) ||
        (has_other && !write_document(other, w->task.other))) {
        strbuf_format(&w->process.tail, "%s: %s", w->process.folder, strerror(errno));
        process_finish(&w->process);
    } else if (start(w, s, document, other) && by_file) {
        w->sent = w->task.document.size + w->task.other.size;
        process_close_input(&w->process);
    }
    free(document);
    free(other);
}

/* ------------------------------------------------------------------ answers */

/* Takes the next word of a line away; NULL: there is none. */
static char *next_word(const char **line, char until) {
    const char *end = strchr(*line, until);
    size_t size = end != NULL ? (size_t)(end - *line) : strlen(*line);
    if (**line == '\0') {
        return NULL;
    }
    char *word = memory_part(*line, size);
    *line += size + (end != NULL);
    return word;
}

static bool is_digits(const char *text) {
    return text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) < 16;
}

/* "EP_TYPE 3.4.1 17 /opset_version" */
static void take_reason(cJSON *json, const char *line) {
    char *code = next_word(&line, ' ');
    char *clause = next_word(&line, ' ');
    char *offset = next_word(&line, ' ');
    if (code != NULL) {
        cJSON_AddStringToObject(json, "code", code);
    }
    if (clause != NULL) {
        cJSON_AddStringToObject(json, "clause", clause);
    }
    if (offset != NULL && is_digits(offset)) {
        cJSON_AddNumberToObject(json, "offset", strtod(offset, NULL));
        cJSON_AddStringToObject(json, "pointer", line);
    }
    free(code);
    free(clause);
    free(offset);
}

static cJSON *make_answer(const worker *w, int status) {
    cJSON *json = cJSON_CreateObject();
    strbuf line = {NULL, 0, 0};
    const char *first = strbuf_string(&w->process.first);
    char *said = process_said(&w->process);
    strbuf_clean(&line, first, strcspn(first, "\r\n"));
    cJSON_AddStringToObject(json, "verdict", status == 0 ? "valid" : "invalid");
    if (status != 0 && strncmp(strbuf_string(&line), "EP_", 3) == 0) {
        take_reason(json, strbuf_string(&line));
    }
    cJSON_AddStringToObject(json, "message", said);
    if (status == 0 && operation_has_product(w->task.operation)) {
        cJSON_AddNumberToObject(json, "size", (double)w->in.size);
    }
    strbuf_free(&line);
    free(said);
    return json;
}

static event finish(worker *w, int status) {
    process_finish(&w->process);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        process_describe(status, &w->why);
        return worker_fail(w, OUTCOME_CRASH, NULL);
    }
    answer_free(&w->answer);
    if (!answer_of(&w->answer, make_answer(w, WEXITSTATUS(status)), &w->why)) {
        return worker_fail(w, OUTCOME_PROTOCOL, NULL);
    }
    w->phase = PHASE_DOWN;
    return EVENT_ANSWER;
}

/* Reads what is there; what is no product is dropped. False: a flood. */
static bool read_output(worker *w) {
    size_t limit = worker_product_limit(w);
    while (process_read(&w->process, &w->in, limit + 1 - w->in.size) == TRAFFIC_SOME) {
        if (!operation_has_product(w->task.operation)) {
            strbuf_clear(&w->in);
            return true;
        }
        if (w->in.size > limit) {
            return false;
        }
    }
    return true;
}

event command_step(worker *w, session *s) {
    int status;
    if (w->process.pid == 0) {
        task_free(&w->task); /* it is about the command, not about the document */
        w->has_task = false;
        strbuf_format(&w->why, "it cannot be started: %s", strbuf_string(&w->process.tail));
        return worker_fail(w, OUTCOME_CRASH, NULL);
    }
    worker_send(w);
    if (worker_left(w) == 0 || w->broken) {
        process_close_input(&w->process);
    }
    bool ended = process_ended(&w->process, &status); /* before its last bytes are read */
    if (!read_output(w)) {
        return worker_fail(w, OUTCOME_FLOOD, "more output than any product has");
    }
    if (ended) {
        return finish(w, status);
    }
    if (clock_now() >= w->deadline) {
        return worker_late(w, s);
    }
    return EVENT_NONE;
}
