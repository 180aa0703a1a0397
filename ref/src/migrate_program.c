/*
 * migrate_program.c - layer 6: a migration from outside: the program is judged
 * before, what is made of it afterwards, and what was done is told (SPEC 7.1).
 */
#include "migrate.h"

#include <string.h>

static bool collect(void *context, const char *data, size_t size) {
    return ep_growing_put(context, (ep_bytes){data, size});
}

/* The text of the new tree in the arena, and the program that it is. */
static bool finish(ep_migration *m, const ep_node *root, ep_built *built, ep_error *error) {
    ep_program program = ep_maker_program(&m->maker, root);
    ep_growing text;
    ep_growing_init(&text, m->arena);
    bool ok = ep_encode(&program, m->arena, collect, &text, NULL);
    char *copy = ok ? ep_arena_alloc(m->arena, text.size) : NULL;
    if (copy == NULL) { /* what can be encoded was seen to; the sink keeps bytes */
        ok = ep_error_plain(error, EP_MEMORY);
    }
    if (ok) {
        memcpy(copy, text.data, text.size);
        built->text = (ep_bytes){copy, text.size};
    }
    ep_growing_free(&text);
    if (!ok) {
        return false;
    }
    ep_decode_options options = ep_decode_options_default();
    options.version = m->maker.fields.schema->version;
    return ep_decode(m->arena, built->text, &options, &built->program, error);
}

static void report(const ep_migration *m, ep_migrate_step *told, void *context) {
#define STEP(symbol, clause, text) {clause, text},
    static const struct {
        const char *clause, *text;
    } rows[] = {
#include "migrate.def"
    };
#undef STEP
    for (size_t i = 0; told != NULL && i < EP_STEP_COUNT; i++) {
        if (m->steps[i] > 0) {
            told(context, rows[i].clause, rows[i].text, m->steps[i]);
        }
    }
}

/* A fault is where it is in the input, which is the beginning of the new tree's
 * text; what a step wrote has no place. SPEC 7.6.7 */
static void place(const ep_migration *m, ep_error *error) {
    if (error != NULL && error->offset >= m->input.size) {
        ep_code code = error->code;
        ep_error_plain(error, code);
    }
}

/* Passes on what ep_check cannot judge. */
static void note(void *context, const ep_error *error) {
    const ep_migration *m = context;
    ep_error placed = *error;
    place(m, &placed);
    m->options->note(m->options->note_context, &placed);
}

/* What is made has to be a program. SPEC 7.1.1 */
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

EP_API bool ep_migrate(const ep_program *program, ep_arena *arena,
                       const ep_migrate_options *options, ep_built *built, ep_error *error) {
    *built = (ep_built){{NULL, 0}, NULL};
    TRY(ep_check(program, arena, NULL, error));
    ep_migration m = {.program = program,
                      .options = options,
                      .input = program->input,
                      .since = ep_version_number_of(program->schema->version),
                      .until = ep_version_number_of(options->version),
                      .arena = arena};
    const ep_node *root = NULL;
    const ep_schema *schema = ep_schema_make(arena, options->version);
    if (schema == NULL) {
        return ep_error_plain(error, EP_MEMORY);
    }
    ep_fields_open(&m.from, program->schema);
    ep_stack_init(&m.tasks, arena);
    ep_map_init(&m.symbols, arena);
    bool ok = (ep_maker_open(&m.maker, arena, schema) || ep_migrate_no_memory(&m)) &&
              ep_migrate_tree(&m, &root);
    ep_stack_free(&m.tasks);
    ep_map_free(&m.symbols);
    if (ok) {
        ok = judge(&m, root, error) && finish(&m, root, built, error);
    } else {
        ep_error_fill(error, program->input, &m.fault);
    }
    ep_maker_free(&m.maker);
    if (!ok) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (ok) {
        report(&m, options->report, options->report_context);
    }
    return ok;
}
