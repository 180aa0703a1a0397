/*
 * test_annex.c - that the annexes of SPEC.md have the rows of the library, and no other:
 * versions, types and their members, error codes, names in strings. Rows are taken from
 * the library's functions where it has some, else from the .def files as the compiler
 * reads them. (Those of operators: test_annex_operators.c.)
 *
 *     test_annex FOLDER
 */
#include "annex_file.h"

#include "language/target.h"

static const char *folder;

/* ----------------------------------------------------------------- versions */

static const ep_member *member_of(const ep_schema *schema, int shape, const char *name) {
    const ep_type *type = schema->types[shape - EP_SHAPE_FIRST_TYPE];
    uint8_t member = ep_type_find(type, name, strlen(name));
    return CHECK_NOTE(member != EP_NO_MEMBER, name) ? &type->members[member] : &type->members[0];
}

static const char *open_end(const ep_shape *end) {
    if (end->op == EP_OP_OPEN_END) {
        return "Infinity";
    }
    return end->nullable ? "null" : "none";
}

static void check_version(const annex *file, size_t i, const ep_schema *schema) {
    static const char *const unions[] = {"all-fields", "$type", "single-key"};
    static const char *const nulls[] = {"written", "omitted"};
    static const char *const nonfinite[] = {"bare", "quoted-infinity", "quoted"};
    const ep_version *v = schema->version;
    const ep_shape *number = member_of(schema, EP_SHAPE_ExportedProgram, "schema_version")->shape;
    const ep_shape *none = member_of(schema, EP_SHAPE_Argument, "as_none")->shape;
    const ep_shape *end = member_of(schema, EP_SHAPE_RangeConstraint, "min_val")->shape;
    bool bare = v->minor < 0;
    const char *cells[] = {
        v->name,
        annex_number(v->major),
        bare ? NULL : annex_number(v->minor),
        bare ? NULL : annex_number(v->minor_last),
        v->owns_number ? "owner" : "sibling",
        v->marker,
        v->releases,
        number->op == EP_OP_INT ? "integer" : "object",
        unions[v->unions],
        none->op == EP_OP_UNIT ? "[]" : "true",
        open_end(end),
        nulls[v->nulls],
        nonfinite[v->nonfinite],
        v->treespec == 0 ? NULL : annex_number(v->treespec),
        v->field_ids ? "yes" : "no",
        v->note,
    };
    annex_expect(file, i, cells);
}

static void test_versions(void) {
    annex file;
    annex_open(&file, folder, "versions",
               "name major minor last_minor role marker releases schema_version unions as_none "
               "open_end null_defaults non_finite tree_spec ids note");
    CHECK_EQ_INT(file.rows, test_version_count());
    for (size_t i = 0; i < test_version_count(); i++) {
        ep_arena arena;
        test_heap heap = {0};
        test_arena(&arena, &heap, 0);
        const ep_schema *schema = ep_schema_make(&arena, ep_version_at(i));
        if (CHECK(schema != NULL)) {
            check_version(&file, i, schema);
        }
        ep_arena_free(&arena);
    }
    annex_close(&file);
}

/* -------------------------------------------------------------------- types */

typedef struct type_row {
    const char *name;
    const char *kind;
    const char *clause;
    uint8_t type; /* from 0 */
    uint8_t since;
    uint8_t until;
} type_row;

#define STRUCT "struct"
#define UNION "union"
#define ENUM "enum"
#define NAME(type)
#define SHAPE(name, form, of, second)
#define FIELD(type, name, shape, fallback, id, since, until)
#define VARIANT(type, name, shape, id, since, until)
#define ENUMERATOR(type, name, value, since, until)
#define TYPE(type, kind, clause, since, until)                                                     \
    {#type, kind, clause, EP_SHAPE_##type - EP_SHAPE_FIRST_TYPE, EP_##since, EP_##until},
static const type_row type_rows[] = {
#include "schema/schema.def"
};
#undef NAME
#undef SHAPE
#undef FIELD
#undef VARIANT
#undef ENUMERATOR
#undef TYPE

/* Marks the types that a shape is made of; whether one of them is new. */
static bool mark(const ep_shape *shape, bool *marked) {
    bool fresh = false;
    for (; shape->number != EP_SHAPE_none; shape = shape->of) {
        CHECK(shape->second->type == NULL); /* there are no tuples of types */
        if (shape->type != NULL) {
            fresh |= !marked[shape->type->number];
            marked[shape->type->number] = true;
        }
    }
    return fresh;
}

/* Marks what an ExportedProgram of the version can hold. */
static void mark_types(const ep_schema *schema, bool *marked) {
    bool here[EP_TYPE_COUNT] = {false};
    here[schema->root->number] = true;
    for (bool fresh = true; fresh;) {
        fresh = false;
        for (size_t i = 0; i < EP_TYPE_COUNT; i++) {
            const ep_type *type = schema->types[i];
            for (size_t j = 0; here[i] && type->kind != EP_KIND_ENUM && j < type->count; j++) {
                fresh |= mark(type->members[j].shape, here);
            }
        }
    }
    for (size_t i = 0; i < EP_TYPE_COUNT; i++) {
        marked[i] |= here[i];
    }
}

static void test_types(void) {
    annex file;
    bool marked[EP_TYPE_COUNT] = {false};
    annex_open(&file, folder, "types", "type kind clause in_program since until");
    for (size_t i = 0; i < test_version_count(); i++) {
        ep_arena arena;
        test_heap heap = {0};
        test_arena(&arena, &heap, 0);
        const ep_schema *schema = ep_schema_make(&arena, ep_version_at(i));
        if (CHECK(schema != NULL)) {
            mark_types(schema, marked);
        }
        ep_arena_free(&arena);
    }
    CHECK_EQ_INT(file.rows, EP_COUNT_OF(type_rows));
    for (size_t i = 0; i < EP_COUNT_OF(type_rows); i++) {
        const type_row *row = &type_rows[i];
        const char *cells[] = {
            row->name,
            row->kind,
            row->clause,
            marked[row->type] ? "yes" : "no",
            annex_version(row->since),
            annex_version(row->until),
        };
        annex_expect(&file, i, cells);
    }
    annex_close(&file);
}

/* ------------------------------------------------------------------ members */

/* The type of a value, as the annex spells it. */
static const char *value_text(const ep_shape *shape, char *text, size_t size) {
    if (shape->op == EP_OP_NONE_BOOL) {
        return "true";
    }
    if (shape->op == EP_OP_OPEN_END) {
        return "int_or_infinite";
    }
    CHECK(ep_shape_text(shape, text, size) < size);
    return text;
}

static void check_member(const annex *file, size_t row, const ep_type *type,
                         const ep_member *member) {
    char value[64];
    const ep_row *m = member->row;
    bool is_enum = type->kind == EP_KIND_ENUM;
    const char *fallback =
        m->fallback == EP_FALLBACK_REQUIRED ? "required" : ep_fallback_json(m->fallback).data;
    const char *cells[] = {
        type->name,
        m->name,
        is_enum ? NULL : value_text(member->shape, value, sizeof value),
        type->kind == EP_KIND_STRUCT ? fallback : NULL,
        is_enum ? annex_number(m->id) : NULL,
        is_enum || m->id == 0 ? NULL : annex_number(m->id),
        annex_version(m->since),
        annex_version(m->until),
    };
    annex_expect(file, row, cells);
}

/* The rows of a type that hold in a version are its members there, in their order. */
static size_t check_members(const annex *file, const ep_type *type, size_t version) {
    size_t found = 0;
    for (size_t i = 0; i < file->rows; i++) {
        bool holds = strcmp(annex_cell(file, i, 0), type->name) == 0 &&
                     annex_version_number(annex_cell(file, i, 6)) <= version &&
                     version < annex_version_number(annex_cell(file, i, 7));
        if (holds && found < type->count) {
            check_member(file, i, type, &type->members[found]);
        }
        found += holds;
    }
    if (!CHECK_EQ_INT(found, type->count)) {
        fprintf(stderr, "    %s at %s\n", type->name, annex_version(version));
    }
    return found;
}

static size_t holding(const annex *file, size_t version) {
    size_t count = 0;
    for (size_t i = 0; i < file->rows; i++) {
        count += annex_version_number(annex_cell(file, i, 6)) <= version &&
                 version < annex_version_number(annex_cell(file, i, 7));
    }
    return count;
}

static void test_members(void) {
    annex file;
    annex_open(&file, folder, "members", "type member value default number id since until");
    for (size_t version = 0; version < test_version_count(); version++) {
        ep_arena arena;
        test_heap heap = {0};
        test_arena(&arena, &heap, 0);
        size_t found = 0;
        const ep_schema *schema = ep_schema_make(&arena, ep_version_at(version));
        for (size_t i = 0; CHECK(schema != NULL) && i < EP_TYPE_COUNT; i++) {
            found += schema->types[i] == NULL ? 0 : check_members(&file, schema->types[i], version);
        }
        CHECK_EQ_INT(found, holding(&file, version)); /* no row is of another type */
        ep_arena_free(&arena);
    }
    annex_close(&file);
}

/* ------------------------------------------------------------------- errors */

static void test_errors(void) {
    static const char *const levels[] = {NULL, "wire", "schema", "strings", "program", "archive"};
    annex file;
    size_t i = 0;
    annex_open(&file, folder, "errors", "code number level clause message");
    for (ep_code code; (code = ep_code_at(i)) != EP_OK; i++) {
        const char *cells[] = {
            ep_code_name(code),   annex_number(code),    levels[ep_code_level(code)],
            ep_code_clause(code), ep_code_message(code),
        };
        annex_expect(&file, i, cells);
    }
    CHECK_EQ_INT(file.rows, i);
    annex_close(&file);
}

/* -------------------------------------------------------------- expressions */

typedef struct function_row {
    const char *srepr;
    const char *infix; /* of a function; else NULL */
    const char *open;
    const char *between;
    const char *close;
    int least;
    int most;
    int step;
    const char *sorts;
    char result;
} function_row;

static const function_row function_rows[] = {
#define FUNCTION(symbol, srepr, infix, least, most, step, arguments, result)                       \
    {srepr, infix, NULL, NULL, NULL, least, most, step, arguments, result},
#define OPERATOR(symbol, srepr, open, between, close, least, most, arguments, result)              \
    {srepr, NULL, open, between, close, least, most, 1, arguments, result},
#include "language/expression.def"
#undef FUNCTION
#undef OPERATOR
};

typedef struct word {
    char letter;
    const char *text;
} word;

static const char *word_of(const word *words, char letter) {
    while (words->letter != letter && words->letter != '\0') {
        words++;
    }
    CHECK(words->letter != '\0');
    return words->text;
}

static void add_sorts(test_text *text, const char *letters) {
    static const word words[] = {
        {'I', "int"}, {'B', "bool"}, {'N', "number"}, {'D', "nonzero-number"}, {'J', "nonzero-int"},
        {'A', "any"}, {'S', "same"}, {'P', "arm"},    {'Q', "same-arm"},       {'\0', "?"},
    };
    for (size_t i = 0; letters[i] != '\0'; i++) {
        test_add_str(text, i > 0 ? " " : "");
        test_add_str(text, word_of(words, letters[i]));
    }
    test_add(text, "", 1);
}

static void add_infix(test_text *text, const function_row *row) {
    if (row->infix != NULL) {
        test_add_str(text, row->infix);
    } else {
        test_add_str(text, row->open);
        test_add_str(text, "x");
        test_add_str(text, row->between);
        test_add_str(text, row->most == 1 ? "" : "y");
        test_add_str(text, row->close);
    }
    test_add(text, "", 1);
}

static void test_expressions(void) {
    static const word results[] = {
        {'I', "int"},      {'F', "float"}, {'B', "bool"},  {'N', "number"}, {'C', "others"},
        {'A', "argument"}, {'P', "arm"},   {'E', "power"}, {'\0', "?"},
    };
    annex file;
    annex_open(&file, folder, "expressions", "srepr infix form least most step sorts result");
    CHECK_EQ_INT(file.rows, EP_COUNT_OF(function_rows));
    for (size_t i = 0; i < EP_COUNT_OF(function_rows); i++) {
        const function_row *row = &function_rows[i];
        bool arms = strcmp(row->sorts, "PQ") == 0;
        test_text infix = {0};
        test_text sorts = {0};
        add_infix(&infix, row);
        add_sorts(&sorts, row->sorts);
        const char *cells[] = {
            row->srepr,
            infix.data,
            row->infix == NULL ? "operator" : "function",
            annex_number(row->least),
            row->most == 0 ? NULL : annex_number(row->most),
            annex_number(row->step),
            sorts.data,
            arms ? "arms" : word_of(results, row->result),
        };
        annex_expect(&file, i, cells);
        test_text_free(&infix);
        test_text_free(&sorts);
    }
    annex_close(&file);
}

/* --------------------------------------------------- tree specs and targets */

typedef struct tree_spec_row {
    const char *name;
    const char *form;
    uint8_t since;
    uint8_t until;
} tree_spec_row;

#define TREESPEC_TYPE(name, form, since, until) {name, FORM_##form, EP_##since, EP_##until},
#define FORM_NULL "null"
#define FORM_KEYS "keys"
#define FORM_FIELDS "fields"
#define FORM_NAME "name"
#define FORM_FACTORY "factory"
#define FORM_MAXLEN "maxlen"
static const tree_spec_row tree_spec_rows[] = {
#include "language/treespec_types.def"
};
#undef TREESPEC_TYPE

static void test_tree_specs(void) {
    annex file;
    annex_open(&file, folder, "tree_specs", "type form since until");
    CHECK_EQ_INT(file.rows, EP_COUNT_OF(tree_spec_rows));
    for (size_t i = 0; i < EP_COUNT_OF(tree_spec_rows); i++) {
        const tree_spec_row *row = &tree_spec_rows[i];
        const char *cells[] = {
            row->name,
            row->form,
            annex_version(row->since),
            annex_version(row->until),
        };
        annex_expect(&file, i, cells);
    }
    annex_close(&file);
}

/* The names of a function's arguments, with their types. */
static void add_function(test_text *text, const ep_target_row *row) {
    static const char *const takes[] = {
        [EP_TAKES_ANYTHING] = "?",       [EP_TAKES_NUMBERS] = "<number> ",
        [EP_TAKES_BOOLS] = "<bool> ",    [EP_TAKES_SYMBOLS] = "<symbol> ",
        [EP_TAKES_CHOICE] = "<symbol> ",
    };
    const char *at = row->arguments;
    for (size_t i = 0; at != NULL && *at != '\0'; i++) {
        size_t size = strcspn(at, " ");
        bool chooses = row->takes == EP_TAKES_CHOICE && i == 0;
        test_add_str(text, i > 0 ? ", " : "");
        test_add_str(text, chooses ? "<bool> " : takes[row->takes]);
        test_add(text, at, size);
        at += size + (at[size] == ' ');
    }
    test_add(text, "", 1);
}

static const char *kind_of(const ep_target_row *row) {
    if (row->kind == EP_TARGET_HIGHER_ORDER) {
        return "higher-order";
    }
    return row->arguments == NULL ? "unnamed" : "function";
}

static void test_targets(void) {
    static const char *const gives[] = {
        [EP_GIVES_ANY] = NULL,        [EP_GIVES_NUMBER] = "<number>", [EP_GIVES_INT] = "<int>",
        [EP_GIVES_FLOAT] = "<float>", [EP_GIVES_BOOL] = "<bool>",     [EP_GIVES_SAME] = "<symbol>",
    };
    annex file;
    size_t i = 0;
    annex_open(&file, folder, "targets", "target kind arguments returns since until");
    for (const ep_target_row *row; (row = ep_target_row_at(i)) != NULL; i++) {
        test_text arguments = {0};
        add_function(&arguments, row);
        const char *cells[] = {
            row->text,
            kind_of(row),
            arguments.data,
            gives[row->gives],
            annex_version(row->since),
            annex_version(row->until),
        };
        annex_expect(&file, i, cells);
        test_text_free(&arguments);
    }
    CHECK_EQ_INT(file.rows, i);
    annex_close(&file);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: test_annex FOLDER\n");
        return 2;
    }
    folder = argv[1];
    test_versions();
    test_types();
    test_members();
    test_errors();
    test_expressions();
    test_tree_specs();
    test_targets();
    return check_report();
}
