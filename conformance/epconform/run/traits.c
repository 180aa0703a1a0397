/*
 * run/traits.c - what a testee's hello says it can do, and whether a vector asks
 * for more. See testee.h and PROTOCOL.md.
 */
#include "run/testee.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { PROTOCOL = 1, PART_SCHEMA = 3, PART_STRINGS = 4, PART_PROGRAM = 5 };

/* --------------------------------------------------------------- operations */

/* What comes out of an operation. */
typedef enum making {
    MAKES_NOTHING,
    MAKES_DOCUMENT,
    MAKES_BYTES, /* no JSON */
    MAKES_LIST   /* of objects in JSON, whose spelling is free */
} making;

/* Whether it is asked of two documents. */
typedef enum seconds { HAS_NONE, MAY_HAVE, NEEDS_OTHER } seconds;

typedef struct operation_row {
    const char *name;
    making product;
    seconds others;
    const char *reading; /* what it does before it writes the same program; NULL: more than that */
} operation_row;

static const operation_row OPERATIONS[] = {
    {"wire", MAKES_NOTHING, HAS_NONE, NULL},     {"decode", MAKES_NOTHING, HAS_NONE, NULL},
    {"check", MAKES_NOTHING, HAS_NONE, NULL},    {"encode", MAKES_DOCUMENT, HAS_NONE, "decode"},
    {"forward", MAKES_NOTHING, HAS_NONE, NULL},  {"forward-encode", MAKES_DOCUMENT, HAS_NONE, NULL},
    {"migrate", MAKES_DOCUMENT, HAS_NONE, NULL}, {"canon", MAKES_DOCUMENT, HAS_NONE, NULL},
    {"digest", MAKES_BYTES, HAS_NONE, NULL},     {"archive", MAKES_NOTHING, HAS_NONE, NULL},
    {"audit", MAKES_LIST, HAS_NONE, NULL},       {"diff", MAKES_LIST, NEEDS_OTHER, NULL},
    {"build", MAKES_DOCUMENT, HAS_NONE, NULL},   {"whole", MAKES_NOTHING, HAS_NONE, NULL},
    {"pack", MAKES_BYTES, MAY_HAVE, NULL},       {"strip", MAKES_BYTES, HAS_NONE, NULL},
    {"join", MAKES_BYTES, NEEDS_OTHER, NULL},    {"migrate-archive", MAKES_BYTES, HAS_NONE, NULL},
    {"list", MAKES_LIST, HAS_NONE, NULL},        {"extract", MAKES_BYTES, HAS_NONE, NULL},
    {"weights", MAKES_BYTES, HAS_NONE, NULL},    {"compare", MAKES_LIST, NEEDS_OTHER, NULL},
    {"report", MAKES_LIST, HAS_NONE, NULL},
};

/* The row of an operation; one without a name if nobody knows it. */
static const operation_row *find_operation(const char *name) {
    static const operation_row none = {NULL, MAKES_NOTHING, HAS_NONE, NULL};
    for (size_t i = 0; i < COUNT(OPERATIONS); i++) {
        if (strcmp(OPERATIONS[i].name, name) == 0) {
            return &OPERATIONS[i];
        }
    }
    return &none;
}

bool operation_known(const char *name) {
    return find_operation(name)->name != NULL;
}

static making product_of(const char *name) {
    return find_operation(name)->product;
}

bool operation_has_product(const char *name) {
    return product_of(name) != MAKES_NOTHING;
}

bool operation_has_values(const char *name) {
    return product_of(name) == MAKES_DOCUMENT || product_of(name) == MAKES_LIST;
}

bool operation_has_list(const char *name) {
    return product_of(name) == MAKES_LIST;
}

bool operation_has_other(const char *name) {
    return find_operation(name)->others != HAS_NONE;
}

bool operation_needs_other(const char *name) {
    return find_operation(name)->others == NEEDS_OTHER;
}

const char *operation_reading(const char *name) {
    return find_operation(name)->reading;
}

/* -------------------------------------------------------------------- hello */

/* Words of a hello, and the bit or number that each is. */
typedef struct word_value {
    const char *word;
    unsigned value;
} word_value;

static const word_value REPORTS[] = {
    {"code", REPORTS_CODE},         {"clause", REPORTS_CLAUSE},
    {"offset", REPORTS_OFFSET},     {"position", REPORTS_POSITION},
    {"pointer", REPORTS_POINTER},   {"schema", REPORTS_SCHEMA},
    {"warnings", REPORTS_WARNINGS}, {NULL, 0},
};

static const word_value LEVELS[] = {
    {"schema", PART_SCHEMA},
    {"strings", PART_STRINGS},
    {"program", PART_PROGRAM},
    {NULL, 0},
};

static const word_value OPTIONS[] = {
    {"schema", 1},    {"limits", 1}, {"memory", 1},     {"form", 1},
    {"constants", 1}, {"model", 1},  {"provenance", 1}, {NULL, 0},
};

static const word_value FORMS[] = {{"epref", 1}, {"torch", 1}, {NULL, 0}};

static const char *const KEYS[] = {"type",       "protocol", "name",    "version",
                                   "operations", "schemas",  "targets", "level",
                                   "options",    "forms",    "reports", "profile"};

static unsigned value_of(const word_value *words, const char *word) {
    for (; word != NULL && words->word != NULL; words++) {
        if (strcmp(words->word, word) == 0) {
            return words->value;
        }
    }
    return 0;
}

bool report_known(const char *name) {
    return value_of(REPORTS, name) != 0;
}

/* Nothing, null, a list of versions, or an object of such. */
static bool is_schemas(const cJSON *said, bool object_too) {
    const cJSON *item;
    if (!object_too || !cJSON_IsObject(said)) {
        return said == NULL || cJSON_IsNull(said) || vector_is_texts(said);
    }
    cJSON_ArrayForEach(item, said) {
        if (!cJSON_IsNull(item) && !vector_is_texts(item)) {
            return false;
        }
    }
    return true;
}

/* Nothing, or a list of words that are known. */
static bool are_known(const cJSON *said, const word_value *words, unsigned *bits) {
    const cJSON *item;
    if (said != NULL && !vector_is_texts(said)) {
        return false;
    }
    cJSON_ArrayForEach(item, said) {
        unsigned value = value_of(words, item->valuestring);
        if (value == 0) {
            return false;
        }
        *bits |= value;
    }
    return true;
}

static bool are_forms(const cJSON *said) {
    const cJSON *item;
    cJSON_ArrayForEach(item, said) {
        if (value_of(FORMS, item->string) == 0 || !is_schemas(item, false)) {
            return false;
        }
    }
    return said == NULL || cJSON_IsObject(said);
}

static bool are_operations(const cJSON *said) {
    const cJSON *item;
    if (!vector_is_texts(said) || cJSON_GetArraySize(said) == 0) {
        return false;
    }
    cJSON_ArrayForEach(item, said) {
        if (!operation_known(item->valuestring)) {
            return false;
        }
    }
    return true;
}

/* The key that no hello has; NULL: all may be there. */
static const char *strange_key(const cJSON *hello) {
    const cJSON *item;
    cJSON_ArrayForEach(item, hello) {
        if (words_index(KEYS, COUNT(KEYS), item->string) == COUNT(KEYS)) {
            return item->string;
        }
    }
    return NULL;
}

static const cJSON *member(const cJSON *json, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

/* The key of the first member that is not as it has to be; NULL: all are. */
static const char *wrong_key(traits *t, const cJSON *hello) {
    const cJSON *protocol = member(hello, "protocol");
    const char *type = vector_text(hello, "type");
    const char *level = vector_text(hello, "level");
    unsigned any = 0;
    t->level = (int)(member(hello, "level") == NULL ? PART_PROGRAM : value_of(LEVELS, level));
    struct {
        const char *key;
        bool good;
    } checks[] = {
        {"type", type != NULL && strcmp(type, "hello") == 0},
        {"protocol", cJSON_IsNumber(protocol) && protocol->valuedouble == PROTOCOL},
        {"name", t->name != NULL},
        {"version", t->version != NULL},
        {"operations", are_operations(member(hello, "operations"))},
        {"schemas", is_schemas(member(hello, "schemas"), true)},
        {"targets", is_schemas(member(hello, "targets"), false)},
        {"level", t->level != 0},
        {"options", are_known(member(hello, "options"), OPTIONS, &any)},
        {"forms", are_forms(member(hello, "forms"))},
        {"reports", are_known(member(hello, "reports"), REPORTS, &t->reports)},
        {"profile", t->profile != NULL || member(hello, "profile") == NULL},
    };
    for (size_t i = 0; i < COUNT(checks); i++) {
        if (!checks[i].good) {
            return checks[i].key;
        }
    }
    return NULL;
}

/* A text that is shown, and stands in results: without what is not seen. */
static const char *clean_text(cJSON *hello, const char *key) {
    const char *said = vector_text(hello, key);
    if (said == NULL) {
        return NULL;
    }
    strbuf clean = {NULL, 0, 0};
    strbuf_clean(&clean, said, strlen(said));
    cJSON_ReplaceItemInObjectCaseSensitive(hello, key, cJSON_CreateString(strbuf_string(&clean)));
    strbuf_free(&clean);
    return vector_text(hello, key);
}

bool traits_read(traits *t, cJSON *hello, strbuf *why) {
    *t = (traits){.hello = hello};
    t->name = clean_text(hello, "name");
    t->version = clean_text(hello, "version");
    t->profile = vector_text(hello, "profile");
    const char *strange = strange_key(hello);
    const char *wrong = wrong_key(t, hello);
    if (strange != NULL) {
        strbuf_text(why, "its hello has a key that is none: ");
        strbuf_clean(why, strange, strlen(strange));
    } else if (wrong != NULL) {
        strbuf_format(why, "its hello is missing, or wrong in, \"%s\"", wrong);
    }
    return strange == NULL && wrong == NULL;
}

void traits_free(traits *t) {
    cJSON_Delete(t->hello);
    *t = (traits){0};
}

/* --------------------------------------------------------------------- lack */

const char *skip_name(skip why) {
    static const char *const names[SKIP_COUNT] = {"none", "operation", "schema",      "option",
                                                  "form", "level",     "unsupported", "twin"};
    return names[why];
}

const char *skip_words(skip why) {
    static const char *const words[SKIP_COUNT] = {"not run",
                                                  "not run: operation",
                                                  "not run: schema",
                                                  "not run: option",
                                                  "not run: form",
                                                  "not run: level",
                                                  "not run: unsupported",
                                                  "refused, as the valid twin is"};
    return words[why];
}

/* Nothing said is everything. */
static bool allows(const cJSON *versions, const char *version) {
    return version == NULL || !cJSON_IsArray(versions) || vector_has_text(versions, version);
}

static const cJSON *schemas_for(const traits *t, const char *operation) {
    const cJSON *said = member(t->hello, "schemas");
    if (!cJSON_IsObject(said)) {
        return said;
    }
    const cJSON *own = member(said, operation);
    return own != NULL ? own : member(said, "*");
}

/* The versions in which the form is made, in *versions; false: it is not. */
static bool has_form(const traits *t, const cJSON *options, const cJSON **versions) {
    const char *form = vector_text(options, "form");
    const cJSON *forms = member(t->hello, "forms");
    const cJSON *own = member(forms, form != NULL ? form : "epref");
    if (forms == NULL) {
        return form == NULL;
    }
    if (cJSON_IsArray(own)) {
        *versions = own;
    }
    return own != NULL;
}

/* A form is asked for in forms, a target in targets; others come with their operation. */
static bool is_of_operation(const char *option) {
    static const char *const options[] = {"to",  "form", "raw",    "tensor", "member", "as",
                                          "all", "part", "extras", "inputs", "folder"};
    return words_index(options, COUNT(options), option) < COUNT(options);
}

static bool lacks_option(const traits *t, const cJSON *options) {
    const cJSON *item;
    if (options != NULL && !cJSON_IsObject(options)) {
        return true;
    }
    cJSON_ArrayForEach(item, options) {
        if (!is_of_operation(item->string) &&
            !vector_has_text(member(t->hello, "options"), item->string)) {
            return true;
        }
    }
    return false;
}

/* Whether what is wrong is of a level that its check does not judge. */
static bool is_above(const traits *t, const vector *v) {
    const char *clause = vector_clause(v->line);
    const char *verdict = vector_text(v->line, "verdict");
    if (strcmp(v->operation, "check") != 0 || strcmp(verdict, "invalid") != 0 || clause == NULL) {
        return false;
    }
    int part = atoi(clause);
    const char *code = vector_text(v->line, "code");
    /* Of depth, check has only that of the texts inside strings. */
    bool deep = code != NULL && strcmp(code, "EP_LIMIT_DEPTH") == 0;
    return (deep ? PART_STRINGS : part) > t->level;
}

bool traits_have(const traits *t, const char *operation, const vector *v) {
    return vector_has_text(member(t->hello, "operations"), operation) &&
           allows(schemas_for(t, operation), vector_text(v->line, "schema"));
}

skip traits_lack(const traits *t, const vector *v) {
    const cJSON *options = member(v->line, "options");
    const cJSON *versions = schemas_for(t, v->operation);
    const cJSON *targets = member(t->hello, "targets");
    if (!vector_has_text(member(t->hello, "operations"), v->operation)) {
        return SKIP_OPERATION;
    }
    if (strcmp(v->operation, "canon") == 0 && !has_form(t, options, &versions)) {
        return SKIP_FORM;
    }
    if (!allows(versions, vector_text(v->line, "schema")) ||
        !allows(cJSON_IsArray(targets) ? targets : versions, vector_text(options, "to"))) {
        return SKIP_SCHEMA;
    }
    if (lacks_option(t, options)) {
        return SKIP_OPTION;
    }
    return is_above(t, v) ? SKIP_LEVEL : SKIP_NONE;
}
