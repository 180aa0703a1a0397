/*
 * fuzz_migrate.c - the laws of migration (SPEC 7.1), of a program and a version:
 *
 *   valid      what is made is a program of the version, by its bytes alone
 *   same       the own version's result is the program itself
 *   back       what went to a later version comes back as it was, unless a step
 *              dropped or added what no step brings back
 *   again      what came back goes the first way again, to the same bytes
 *   stepwise   by way of a version between, it is the same as at once
 *   form       the migrated program has the canonical form of the program, unless
 *              something was dropped or added, or reads otherwise there
 *   kept       what went down and comes back says what it said
 *   hints      there are as many, whatever is spelled otherwise
 *   values     expressions come to the same numbers
 *   refusal    is of the other version, not of how it is written there
 *   ranges     no refusal says that the product lacks one
 *
 * The input is a program with a tail, from which the versions are drawn.
 */
#include "expression_value.h"
#include "fuzz.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

/* A program that ep_check accepts, as its version's encoder writes it. */
typedef struct trial {
    ep_bytes text;
    const ep_program *program;
    size_t from;
    size_t to;
    size_t between;
} trial;

/* ------------------------------------------------------------------ results */

enum { STEPS_MAX = 32 };

/* What a call made, with the memory that it lives in. */
typedef struct outcome {
    test_heap heap;
    ep_arena arena;
    ep_built built;
    ep_error error;
    const char *steps[STEPS_MAX]; /* the clauses that were applied */
    size_t step_count;
    bool undecided; /* of a form: the order of the document decided (SPEC 6.1) */
} outcome;

static void begin(outcome *r) {
    memset(r, 0, sizeof *r);
    test_arena(&r->arena, &r->heap, 0);
}

static void note_step(void *context, const char *clause, const char *about, size_t times) {
    outcome *r = context;
    if (times > 0 && about[0] != '\0' && r->step_count < STEPS_MAX) {
        r->steps[r->step_count++] = clause;
    }
}

/* A program at another version. */
static bool migrate(const ep_program *program, size_t to, outcome *r) {
    begin(r);
    ep_migrate_options options = {
        .version = ep_version_at(to), .report = note_step, .report_context = r};
    bool ok = ep_migrate(program, &r->arena, &options, &r->built, &r->error);
    return ok && r->built.program != NULL;
}

/* Its epref form. */
static bool canon(const ep_program *program, outcome *r) {
    begin(r);
    ep_canon_options options = {
        .form = EP_CANON_EPREF, .undecided = &r->undecided, .constant = test_no_type};
    return ep_canon(program, &r->arena, &options, &r->built, &r->error);
}

/* Whether a clause was applied. */
static bool took(const outcome *r, const char *clause) {
    for (size_t i = 0; i < r->step_count; i++) {
        if (strcmp(r->steps[i], clause) == 0) {
            return true;
        }
    }
    return false;
}

/* Gives the memory back: all of it, and the call meant what it returned. */
static void end(outcome *r) {
    bool meant = (r->error.code == EP_OK) == (r->built.text.data != NULL);
    ep_arena_free(&r->arena);
    FUZZ_PROPERTY_OF(meant && r->heap.bytes == 0, "result", &r->error);
}

static void check_valid(const trial *t, const outcome *there) {
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    bool ok = fuzz_decode_as(&work, there->built.text, ep_version_at(t->to), &program) &&
              ep_check(program, &work.arena, NULL, &work.error);
    FUZZ_PROPERTY_OF(ok, "valid", &work.error);
    fuzz_end(&work);
}

/* ----------------------------------------------------------------- exceptions */

/* Versions without open ends. */
static bool is_closed(size_t version) {
    const char *name = ep_version_at(version)->name;
    return strcmp(name, "1-2023-08") == 0 || strcmp(name, "1") == 0 || strcmp(name, "5.3") == 0;
}

/* SPEC 7.2.6: whether a number of the program is an open end in the version, and
 * only there. */
static bool ends_in_number(const trial *t, size_t version) {
    return !is_closed(t->from) && is_closed(version) && test_holds(t->text, "9223372036854775806");
}

static bool took_any(const outcome *r, const char *const *clauses) {
    for (size_t i = 0; clauses[i] != NULL; i++) {
        if (took(r, clauses[i])) {
            return true;
        }
    }
    return false;
}

/* What is looked for in a program. */
typedef struct search {
    fuzz_work work;
    bool found;
} search;

static bool finds(const ep_program *program, fuzz_visit *look) {
    search s = {.found = false};
    fuzz_begin(&s.work);
    fuzz_walk(ep_program_root(program), look, &s);
    fuzz_end(&s.work);
    return s.found;
}

/* Whether a node calls a higher-order operator whose arguments SPEC 7.4.7 turns, and
 * whether that is while_loop. */
static bool is_turned(search *s, ep_value node, bool *loop) {
    ep_bytes target;
    TRY(ep_value_text(ep_value_field(node, "target"), &s->work.arena, &target));
    *loop = test_holds(target, "while_loop");
    return *loop || test_holds(target, "map_impl");
}

/* Arguments have other names than the first of them: new ones have that one's. */
static void look_at_names(void *context, ep_value node) {
    search *s = context;
    ep_value inputs = ep_value_field(node, "inputs");
    ep_bytes first = {NULL, 0};
    ep_bytes name;
    bool loop;
    if (!is_turned(s, node, &loop)) {
        return;
    }
    for (size_t i = 0; i < ep_value_count(inputs); i++) {
        ep_value of = ep_value_field(ep_value_item(inputs, i), "name");
        if (ep_value_text(of, &s->work.arena, &name)) {
            first = i == 0 ? name : first;
            s->found = s->found || !fuzz_same(name, first);
        }
    }
}

static bool loses_names(const trial *t, const outcome *there) {
    return took(there, "7.4.7") && finds(t->program, look_at_names);
}

/* Arguments that are not of the earlier form of SPEC 7.4.7 are left as they are going
 * up, and may then be what that form cannot have. */
static void look_at_form(void *context, ep_value node) {
    search *s = context;
    bool loop;
    if (is_turned(s, node, &loop)) {
        ep_value inputs = ep_value_field(node, "inputs");
        ep_value second = ep_value_field(ep_value_item(inputs, 1), "arg");
        bool counted = ep_value_kind(ep_value_field(second, "as_int")) != EP_KIND_NULL;
        s->found = s->found || (loop ? ep_value_count(inputs) != 3 : !counted);
    }
}

static bool refuses_form(const trial *t, const outcome *back) {
    return back->error.code == EP_MIGRATE_VALUE && strcmp(back->error.detail, "Node.inputs") == 0 &&
           finds(t->program, look_at_form);
}

/* A srepr text of a version of both forms goes up as it is; on the way back it would have
 * to be infix, which cannot say each of them, nor any assumption (SPEC 7.5.1). */
static bool respells(const trial *t) {
    return t->from >= EP_V8_1_a && t->from < EP_V8_2 && t->to >= EP_V8_2;
}

/* Whether verifiers stand in two fields and go to where there is one (SPEC 7.4.3). */
static bool moves_verifiers(const trial *t, const outcome *there) {
    return took(there, "7.4.3") && test_holds(t->text, "\"dialect\"") &&
           test_holds(t->text, "\"verifiers\"");
}

/* What has no way back, or another spelling on it (SPEC 7.1.4). */
static bool loses(const trial *t, size_t to, const outcome *there) {
    static const char *const clauses[] = {"7.3.2", "7.4.2", "7.4.6", "7.5.1", "7.5.2", NULL};
    return took_any(there, clauses) || moves_verifiers(t, there) || ends_in_number(t, to) ||
           loses_names(t, there);
}

/* The same for a program that goes down and says what it said: verifiers move to
 * another field, and calls of modules be counted anew. */
static bool says_otherwise(const trial *t, const outcome *there) {
    static const char *const clauses[] = {"7.4.5", "7.4.6", "7.5.1", "7.5.2", NULL};
    return took_any(there, clauses) || moves_verifiers(t, there) || ends_in_number(t, t->to) ||
           loses_names(t, there);
}

/* Whether a step was needed only on the way back: what was there already had the
 * form of the later version (SPEC 7.4.4, 7.4.7, 7.5.1). */
static bool only_back(const outcome *there, const outcome *back, const char *clause) {
    return took(back, clause) && !took(there, clause);
}

/* The first verifier: in the list, or the dialect (SPEC 7.4.3); empty: none. */
static ep_bytes verifier_of(const ep_program *program, ep_arena *arena) {
    ep_value root = ep_program_root(program);
    ep_value list = ep_value_field(root, "verifiers");
    ep_value dialect = ep_value_field(root, "dialect");
    ep_bytes text = {"ATEN", 4};
    bool field = ep_value_kind(list) != EP_KIND_NULL || ep_value_kind(dialect) != EP_KIND_NULL;
    ep_value first = ep_value_count(list) > 0 ? ep_value_item(list, 0) : dialect;
    if (field && !ep_value_text(first, arena, &text)) {
        text.size = 0;
    }
    return text;
}

/* How many there are. */
static size_t count_verifiers(const ep_program *program, ep_bytes first) {
    size_t count = ep_value_count(ep_value_field(ep_program_root(program), "verifiers"));
    return count == 0 && first.size > 0 ? 1 : count;
}

static void check_verifiers(const trial *t, const outcome *there) {
    fuzz_work work;
    fuzz_begin(&work);
    ep_bytes before = verifier_of(t->program, &work.arena);
    ep_bytes after = verifier_of(there->built.program, &work.arena);
    FUZZ_SAME(before, after, "verifiers");
    FUZZ_PROPERTY(count_verifiers(t->program, before) ==
                      count_verifiers(there->built.program, after),
                  "verifiers-all");
    fuzz_end(&work);
}

static void count_hint(void *context, ep_value value) {
    size_t *count = context;
    *count += ep_value_kind(ep_value_field(value, "hint")) != EP_KIND_NULL;
}

static void check_hints(const trial *t, const outcome *there) {
    size_t before = 0;
    size_t after = 0;
    fuzz_walk(ep_program_root(t->program), count_hint, &before);
    fuzz_walk(ep_program_root(there->built.program), count_hint, &after);
    FUZZ_PROPERTY(before == after, "hints");
}

/* What the expressions of a program come to. */
typedef struct values {
    fuzz_work work;
    double *numbers;
    size_t count;
    size_t room;
    bool unknown; /* one of them is */
} values;

static void add_value(values *v, fuzz_value value) {
    if (v->count == v->room) {
        v->room = v->room == 0 ? 64 : 2 * v->room;
        double *more = realloc(v->numbers, v->room * sizeof *more);
        v->room = more == NULL ? 0 : v->room;
        v->numbers = more == NULL ? v->numbers : more;
    }
    v->unknown = v->unknown || !value.known || v->count >= v->room;
    if (!v->unknown) {
        v->numbers[v->count++] = value.number;
    }
}

/* The text alone, or in an object. */
static void look_at_value(void *context, ep_value value) {
    values *v = context;
    ep_value said = ep_value_field(value, "as_expr");
    ep_value inner = ep_value_field(said, "expr_str");
    ep_bytes text;
    if (ep_value_text(ep_value_kind(inner) == EP_KIND_NULL ? said : inner, &v->work.arena, &text)) {
        add_value(v, fuzz_value_of(text, &fuzz_any_symbols));
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static values values_of(const ep_program *program) {
    values v = {.count = 0};
    fuzz_begin(&v.work);
    fuzz_walk(ep_program_root(program), look_at_value, &v);
    fuzz_end(&v.work);
    if (v.count > 0) {
        qsort(v.numbers, v.count, sizeof *v.numbers, by_size);
    }
    return v;
}

static void check_values(const trial *t, const outcome *there) {
    values before = values_of(t->program);
    values after = values_of(there->built.program);
    if (!before.unknown && !after.unknown) {
        FUZZ_PROPERTY(before.count == after.count, "values-all");
        for (size_t i = 0; i < before.count; i++) {
            FUZZ_PROPERTY(fuzz_values_agree((fuzz_value){before.numbers[i], false, true},
                                            (fuzz_value){after.numbers[i], false, true}),
                          "values");
        }
    }
    free(before.numbers);
    free(after.numbers);
}

/* The size of a member here that may be dropped on the way (SPEC 7.3.2), the comma
 * before it included: the kind of an argument, and the names of a module's. */
static size_t size_of_dropped(ep_bytes form, size_t at) {
    static const char *const members[] = {", \"kind\": ", ", \"forward_arg_names\": "};
    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(members[i]);
        if (size < form.size - at && memcmp(form.data + at, members[i], size) == 0) {
            bool list = form.data[at + size] == '[';
            while (at + size < form.size && form.data[at + size] != (list ? ']' : ',') &&
                   form.data[at + size] != '}') {
                size++;
            }
            return size + (list ? 1 : 0);
        }
    }
    return 0;
}

static void add_without(test_text *out, ep_bytes form) {
    size_t kept = 0; /* where what is not copied yet begins */
    for (size_t i = 0; i < form.size;) {
        size_t dropped = size_of_dropped(form, i);
        if (dropped > 0) {
            test_add(out, form.data + kept, i - kept);
            kept = i + dropped;
        }
        i += dropped > 0 ? dropped : 1;
    }
    test_add(out, form.data + kept, form.size - kept);
}

static void check_same_without(ep_bytes a, ep_bytes b) {
    test_text texts[2] = {{0}, {0}};
    add_without(&texts[0], a);
    add_without(&texts[1], b);
    FUZZ_SAME(test_text_bytes(&texts[0]), test_text_bytes(&texts[1]), "kept");
    test_text_free(&texts[0]);
    test_text_free(&texts[1]);
}

/* A program that was in an older version has kept what it says: what that cannot say is
 * refused (SPEC 7.6). */
static void check_kept(const trial *t, const ep_program *back) {
    outcome before;
    outcome after;
    FUZZ_PROPERTY_OF(canon(t->program, &before), "form", &before.error);
    FUZZ_PROPERTY_OF(canon(back, &after), "form-of-back", &after.error);
    if (!fuzz_same(before.built.text, after.built.text)) {
        check_same_without(before.built.text, after.built.text);
    }
    end(&before);
    end(&after);
}

static void check_back(const trial *t, const outcome *there) {
    outcome back;
    outcome again;
    bool later = t->to >= t->from;
    bool ok = migrate(there->built.program, t->from, &back);
    FUZZ_PROPERTY_OF(ok || !later || loses(t, t->to, there) || refuses_form(t, &back) ||
                         (respells(t) && back.error.code == EP_MIGRATE_TEXT),
                     "comes-back", &back.error);
    if (ok) {
        bool same = fuzz_same(back.built.text, t->text);
        FUZZ_SAME_UNLESS(same || t->to != t->from, back.built.text, t->text, "same");
        FUZZ_SAME_UNLESS(same || !later || loses(t, t->to, there) ||
                             only_back(there, &back, "7.4.7") || only_back(there, &back, "7.5.1"),
                         back.built.text, t->text, "back");
        if (!later && !says_otherwise(t, there) && !only_back(there, &back, "7.4.4") &&
            !only_back(there, &back, "7.4.6") && !only_back(there, &back, "7.4.7")) {
            check_kept(t, back.built.program);
        }
        if (!took(&back, "7.4.6")) {
            ok = migrate(back.built.program, t->to, &again);
            FUZZ_PROPERTY_OF(ok, "goes-again", &again.error);
            bool other = loses_names(t, &back) || (!same && (respells(t) || took(there, "7.4.2")));
            FUZZ_SAME_UNLESS(other, again.built.text, there->built.text, "again");
            end(&again);
        }
    }
    end(&back);
}

static void check_stepwise(const trial *t, const outcome *there) {
    outcome half;
    outcome whole;
    if (migrate(t->program, t->between, &half)) {
        if (migrate(half.built.program, t->to, &whole)) {
            bool same = fuzz_same(whole.built.text, there->built.text);
            FUZZ_SAME_UNLESS(same || loses(t, t->between, &half), whole.built.text,
                             there->built.text, "stepwise");
        }
        end(&whole);
    }
    end(&half);
}

/* Whether a symbol has assumptions that the other version does not give its name: the
 * canonical form puts terms in order by them. */
static bool loses_assumptions(const trial *t, const outcome *there) {
    outcome back;
    TRY(took(there, "7.5.1"));
    bool ok = migrate(there->built.program, t->from, &back);
    bool same = ok && fuzz_same(back.built.text, t->text);
    end(&back);
    return !same;
}

/* Whether a program has a form, or one that is too large (SPEC 7.1.7). */
static bool has_form(const ep_program *program, outcome *form) {
    bool ok = canon(program, form);
    FUZZ_PROPERTY_OF(ok || form->error.code == EP_LIMIT_GROWTH, "has-form", &form->error);
    return ok;
}

/* Whether a program that goes down says something in another way afterwards: calls of
 * modules are counted anew (SPEC 7.4.5), a list of tensors that a higher-order operator
 * gives is written as another version has it (7.4.4), and so is its path (7.5.2). */
static bool comes_back_anew(const trial *t, const outcome *there) {
    static const char *const clauses[] = {"7.4.5", "7.5.2", NULL};
    bool gives_list =
        test_holds(t->text, "torch.ops.higher_order.") && test_holds(t->text, "\"as_tensors\": [{");
    return t->to < t->from && (took_any(there, clauses) || (t->to < EP_V8_5_a && gives_list));
}

/* Whether a target has another path in the other version, and none in the one of the form,
 * where it stays as each version has it (SPEC 6.1.3). */
static bool keeps_its_path(const trial *t, const outcome *there) {
    outcome latest;
    TRY(took(there, "7.5.2"));
    bool ok = migrate(t->program, test_version_count() - 1, &latest);
    bool refused = !ok && latest.error.code == EP_MIGRATE_TEXT;
    end(&latest);
    return refused;
}

static void check_form(const trial *t, const outcome *there) {
    outcome form;
    outcome other;
    bool ok = has_form(t->program, &form);
    ok = has_form(there->built.program, &other) && ok;
    FUZZ_SAME_UNLESS(!ok || fuzz_same(form.built.text, other.built.text) || form.undecided ||
                         comes_back_anew(t, there) || took(there, "7.3.2") ||
                         keeps_its_path(t, there) || ends_in_number(t, t->to) ||
                         loses_names(t, there) || loses_assumptions(t, there),
                     form.built.text, other.built.text, "form");
    end(&other);
    end(&form);
}

static void check_properties(const trial *t) {
    outcome there;
    if (migrate(t->program, t->to, &there)) {
        check_valid(t, &there);
        check_back(t, &there);
        check_form(t, &there);
        check_verifiers(t, &there);
        check_hints(t, &there);
        check_values(t, &there);
        if (ep_version_at(t->between)->owns_number) {
            check_stepwise(t, &there);
        }
    } else {
        FUZZ_PROPERTY_OF(t->to != t->from, "same-is-refused", &there.error);
        FUZZ_PROPERTY_OF(fuzz_is_of_version(there.error.code), "refusal", &there.error);
        /* a step adds ranges, or says first that it cannot (SPEC 7.4.6) */
        FUZZ_PROPERTY_OF(there.error.code != EP_SYMBOL, "ranges", &there.error);
    }
    end(&there);
}

/* Of the versions that are drawn, one lies between. */
static void draw_versions(trial *t, fuzz_input *input) {
    t->to = fuzz_below(input, test_version_count());
    size_t low = t->from < t->to ? t->from : t->to;
    size_t high = t->from < t->to ? t->to : t->from;
    t->between = low + fuzz_below(input, high - low + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    trial t = {.from = 0};
    const ep_program *program;
    test_text text = {0};
    fuzz_begin(&work);
    if (fuzz_decode(&work, input.text, &program) &&
        ep_check(program, &work.arena, NULL, &work.error) && fuzz_encode(&work, program, &text)) {
        const ep_version *version = ep_program_version(program);
        t.from = ep_version_number_of(version);
        t.text = test_text_bytes(&text);
        if (fuzz_decode_as(&work, t.text, version, &t.program)) {
            draw_versions(&t, &input);
            check_properties(&t);
        }
    }
    test_text_free(&text);
    fuzz_end(&work);
    return 0;
}
