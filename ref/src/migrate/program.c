/*
 * migrate/program.c - the public entry point: the program is checked before, the
 * product is checked afterwards, and the steps that were taken are reported (SPEC 7.1).
 */
#include "migrate/migrate.h"

/* The text of the new tree in the arena, and the program that it is. */
static bool finish(ep_migration *m, const ep_node *root, ep_built *built, ep_error *error) {
    ep_program program = ep_maker_program(&m->maker, root);
    if (!ep_maker_encode(&program, m->arena, &built->text)) {
        return ep_error_plain(error, EP_MEMORY);
    }
    ep_decode_options options = ep_decode_options_default();
    options.version = m->maker.fields.schema->version;
    bool ok = ep_decode(m->arena, built->text, &options, &built->program, error);
    if (!ok && error != NULL) { /* an offset in this text is none in the input */
        ep_error_plain(error, error->code);
    }
    return ok;
}

static void report(const ep_migration *m, ep_migrate_step *told, void *context) {
#define STEP(symbol, clause, text) {clause, text},
    static const struct {
        const char *clause, *text;
    } rows[] = {
#include "migrate/migrate.def"
    };
#undef STEP
    for (size_t i = 0; told != NULL && i < EP_STEP_COUNT; i++) {
        if (m->steps[i] > 0) {
            told(context, rows[i].clause, rows[i].text, m->steps[i]);
        }
    }
}

/* The text of the new tree begins with the input, so an offset below its size is a
 * place in the input. A text that a step made has no place. SPEC 7.6.7 */
static void place(const ep_migration *m, ep_error *error) {
    if (error != NULL && error->offset >= m->input.size) {
        ep_code code = error->code;
        ep_error_plain(error, code);
    }
}

/* Passes the notes of ep_check on. */
static void note(void *context, const ep_error *error) {
    const ep_migration *m = context;
    ep_error placed = *error;
    place(m, &placed);
    m->options->note(m->options->note_context, &placed);
}

/* Checks the product. SPEC 7.1.1 */
static bool judge(ep_migration *m, const ep_node *root, ep_error *error) {
    ep_program program = ep_maker_program(&m->maker, root);
    ep_check_options checking = ep_check_options_default();
    if (m->options->note != NULL) {
        checking.note = note;
        checking.note_context = m;
    }
    bool ok = ep_check(&program, m->arena, &checking, error);
    if (!ok) {
        place(m, error);
    }
    return ok;
}

/* Makes the tree of the other version and checks it. The form of a program does not
 * depend on rules of validity of another version. SPEC 6.1.3 */
static bool make(ep_migration *m, const ep_node **root, ep_error *error) {
    if (!ep_migrate_tree(m, root)) {
        ep_error_fill(error, m->input, &m->fault);
        return false;
    }
    return m->for_form || judge(m, *root, error);
}

bool ep_migration_run(ep_migration *m, const ep_node **root, ep_error *error) {
    const ep_program *program = m->program;
    *root = NULL;
    ep_migrate_tasks_init(&m->tasks, m->arena);
    ep_map_init(&m->symbols, m->arena);
    TRY(ep_check(program, m->arena, NULL, error));
    m->input = program->input;
    m->since = ep_version_number_of(program->schema->version);
    m->until = ep_version_number_of(m->options->version);
    ep_fields_open(&m->from, program->schema);
    const ep_schema *schema = ep_schema_make(m->arena, m->options->version);
    bool ok = schema != NULL && ep_maker_open_on(&m->maker, m->arena, schema, m->input);
    return ok ? make(m, root, error) : ep_error_plain(error, EP_MEMORY);
}

void ep_migration_close(ep_migration *m) {
    ep_migrate_tasks_free(&m->tasks);
    ep_map_free(&m->symbols);
    if (m->texts != NULL) {
        ep_map_free(&m->texts->expressions);
        ep_stack_free(&m->texts->translated);
        ep_map_free(&m->texts->higher_order);
    }
    if (m->maker.arena != NULL) {
        ep_maker_free(&m->maker);
    }
}

EP_API bool ep_migrate(const ep_program *program, ep_arena *arena,
                       const ep_migrate_options *options, ep_built *built, ep_error *error) {
    ep_migration m = {.program = program, .options = options, .arena = arena};
    const ep_node *root;
    if (built != NULL) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (program == NULL || arena == NULL || options == NULL || options->version == NULL ||
        built == NULL) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    bool ok = ep_migration_run(&m, &root, error) && finish(&m, root, built, error);
    ep_migration_close(&m);
    if (!ok) {
        *built = (ep_built){{NULL, 0}, NULL};
        return false;
    }
    report(&m, options->report, options->report_context);
    return true;
}
