/*
 * rules/operators.c - see operators.h. A row is one text: "target", zero, "arguments",
 * zero, "returns", zero. All rows are members of one struct, so that the table holds
 * offsets, which need no relocation. The rows are sorted by target and found by binary
 * search. A signature is parsed when it is asked for.
 */
#include "rules/operators.h"

/* The rows are numbered by the lines of operators.inc, which cmake/tables.cmake makes of
 * annex/operators.tsv. */
#define ROW_AT(line) row_##line
#define ROW(line) ROW_AT(line)

/* clang-format off */
#define OPERATOR(target, since, until, tags, arguments, returns) \
    char ROW(__LINE__)[sizeof target "\0" arguments "\0" returns];
static const struct operator_texts {
#include "rules/operators.inc"
} texts = {
#define OPERATOR(target, since, until, tags, arguments, returns) \
    target "\0" arguments "\0" returns,
#include "rules/operators.inc"
};

typedef struct operator_row {
    uint32_t text; /* where it begins */
    uint8_t since;
    uint8_t until;
    bool seeded;
} operator_row;

enum { NOTHING, SEEDED };

#define OPERATOR(target, since, until, tags, arguments, returns)                                  \
    {offsetof(struct operator_texts, ROW(__LINE__)), EP_OPERATORS_##since, EP_OPERATORS_##until,  \
     tags == SEEDED},
static const operator_row rows[] = {
#include "rules/operators.inc"
};
/* clang-format on */

_Static_assert(EP_OPERATORS_END < 32, "tables are the bits of an unsigned");

/* ---------------------------------------------------------------- the facts */

typedef struct span_row {
    uint8_t table;
    uint8_t since;
    uint8_t until;
} span_row;

#define JUDGED(table, since, until) {EP_OPERATORS_##table, EP_##since, EP_##until},
static const span_row judged[] = {
#include "rules/release.def"
};

#define CLOSED(ns) ns,
static const char *const closed[] = {
#include "rules/release.def"
};

typedef struct numbers_row {
    ep_bytes ns;
    ep_bytes name; /* empty: all */
} numbers_row;

#define NUMBERS(ns, name) {{ns, sizeof(ns) - 1}, {name, sizeof(name) - 1}},
static const numbers_row numbers[] = {
#include "rules/release.def"
};

/* SPEC 5.6.1 */
unsigned ep_operator_tables(ep_version_number version) {
    unsigned tables = 0;
    for (size_t i = 0; i < EP_COUNT_OF(judged); i++) {
        if (judged[i].since <= version && version < judged[i].until) {
            tables |= 1u << judged[i].table;
        }
    }
    return tables;
}

bool ep_operator_namespace_closed(ep_bytes ns) {
    return EP_TEXT_AMONG(ns, closed);
}

/* ------------------------------------------------------------------ cutting */

/* Cuts off the part of a text before a byte, or all of it if the byte is not there. */
static ep_bytes take_until(ep_bytes *text, char end) {
    ep_bytes head = {text->data, 0};
    while (head.size < text->size && text->data[head.size] != end) {
        head.size++;
    }
    size_t taken = head.size + (head.size < text->size);
    *text = (ep_bytes){text->data + taken, text->size - taken};
    return head;
}

static bool take_last(ep_bytes *text, char end) {
    TRY(text->size > 0 && text->data[text->size - 1] == end);
    text->size--;
    return true;
}

static bool begins_with(ep_bytes text, ep_bytes head) {
    return text.size >= head.size && memcmp(text.data, head.data, head.size) == 0;
}

/* The next item of a list with ", " between items and a zero at the end. */
static ep_bytes take_item(ep_bytes *list) {
    ep_bytes item = {list->data, 0};
    while (item.size < list->size &&
           (item.data[item.size] != ',' || item.data[item.size + 1] != ' ')) {
        item.size++;
    }
    size_t taken = item.size + (item.size < list->size ? 2 : 0);
    *list = (ep_bytes){list->data + taken, list->size - taken};
    return item;
}

/* As many or more: a comma is within an item, too. */
static size_t most_items(ep_bytes list) {
    size_t count = 1;
    for (size_t i = 0; i < list.size; i++) {
        count += list.data[i] == ',';
    }
    return count;
}

/* -------------------------------------------------------------------- types */

#define TYPE(symbol, text, takes, gives) {text, sizeof(text) - 1},
static const ep_bytes type_texts[EP_OPERATOR_TYPE_COUNT] = {
#include "rules/operator_types.def"
};

static ep_operator_type type_of(ep_bytes text) {
    for (size_t i = 0; i < EP_OPERATOR_TYPE_COUNT; i++) {
        if (ep_text_equal(text, type_texts[i])) {
            return (ep_operator_type)i;
        }
    }
    bool is_class = begins_with(text, type_texts[EP_OPERATOR_CLASS]);
    return is_class ? EP_OPERATOR_CLASS : EP_OPERATOR_ANY;
}

static void read_type(ep_operator_value *value, ep_bytes text) {
    ep_bytes bare = text;
    value->text = text;
    value->type = (uint8_t)type_of(text);
    ep_bytes optional = EP_TEXT("Optional[");
    if (begins_with(text, optional)) {
        take_last(&bare, ']');
        bare = (ep_bytes){bare.data + optional.size, bare.size - optional.size};
        value->optional = true;
        if (value->type == EP_OPERATOR_ANY) {
            value->type = (uint8_t)type_of(bare);
        }
    }
    value->list = begins_with(bare, EP_TEXT("List["));
}

/* A type with its alias sets: "Tensor(a!)". */
static void read_value(ep_operator_value *value, ep_bytes text) {
    read_type(value, take_until(&text, '('));
    if (take_last(&text, ')')) {
        value->written = take_last(&text, '!');
        value->aliases = text;
    }
}

/* --------------------------------------------------------------- signatures */

static bool values_make(ep_arena *arena, size_t count, ep_operator_value **values) {
    *values = ep_arena_array(arena, 0, count, sizeof **values);
    TRY(*values != NULL);
    memset(*values, 0, count * sizeof **values);
    return true;
}

static bool read_arguments(ep_operator *op, ep_arena *arena, ep_bytes list) {
    TRY(values_make(arena, most_items(list), &op->arguments));
    bool keyword_only = false;
    while (list.size > 0) {
        ep_bytes item = take_item(&list);
        if (ep_text_equal(item, EP_TEXT("*"))) {
            keyword_only = true;
            continue;
        }
        ep_operator_value *argument = &op->arguments[op->argument_count];
        read_value(argument, take_until(&item, ' '));
        argument->has_default = take_last(&item, '=');
        argument->name = item;
        argument->keyword_only = keyword_only;
        op->mutates |= argument->written;
        op->required |= (uint64_t)!argument->has_default << op->argument_count++;
    }
    return true;
}

static bool read_returns(ep_operator *op, ep_arena *arena, ep_bytes list) {
    TRY(values_make(arena, most_items(list), &op->returns));
    while (list.size > 0) {
        read_value(&op->returns[op->return_count++], take_item(&list));
    }
    return true;
}

static bool takes_numbers(ep_bytes target) {
    ep_bytes ns = take_until(&target, '.');
    ep_bytes name = take_until(&target, '.');
    for (size_t i = 0; i < EP_COUNT_OF(numbers); i++) {
        if ((numbers[i].name.size == 0 || ep_text_equal(name, numbers[i].name)) &&
            ep_text_equal(ns, numbers[i].ns)) {
            return true;
        }
    }
    return false;
}

static const char *row_text(size_t i) {
    return (const char *)&texts + rows[i].text;
}

static ep_operator *operator_read(ep_arena *arena, size_t row) {
    ep_operator *op = ep_arena_alloc(arena, sizeof *op);
    if (op == NULL) {
        return NULL;
    }
    ep_bytes target = ep_text_of(row_text(row));
    ep_bytes arguments = ep_text_of(target.data + target.size + 1);
    ep_bytes returns = ep_text_of(arguments.data + arguments.size + 1);
    *op = (ep_operator){
        .since = rows[row].since,
        .until = rows[row].until,
        .seeded = rows[row].seeded,
        .takes_numbers = takes_numbers(target),
    };
    bool read = read_arguments(op, arena, arguments) && read_returns(op, arena, returns);
    return read ? op : NULL;
}

/* ------------------------------------------------------------------- search */

/* Less, equal or greater, as the rows are sorted. The first *same bytes are known to be
 * equal; then it is how many are. */
static int compare(const char *row, ep_bytes target, size_t *same) {
    size_t i = *same;
    while (i < target.size && row[i] == target.data[i]) {
        i++;
    }
    *same = i;
    if (i == target.size) {
        return row[i] == '\0' ? 0 : 1;
    }
    return (unsigned char)row[i] < (unsigned char)target.data[i] ? -1 : 1;
}

/* The first row that is not before a target. All rows between two have the bytes with
 * which both begin. */
static size_t first_row(ep_bytes target) {
    size_t low = 0, same_low = 0;
    size_t high = EP_COUNT_OF(rows), same_high = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t same = same_low < same_high ? same_low : same_high;
        if (compare(row_text(middle), target, &same) < 0) {
            low = middle + 1;
            same_low = same;
        } else {
            high = middle;
            same_high = same;
        }
    }
    return low;
}

static bool is_row(size_t row, ep_bytes target) {
    size_t same = 0;
    return row < EP_COUNT_OF(rows) && compare(row_text(row), target, &same) == 0;
}

/* "2.8" and "2.8.0" are the release "2.8.0". */
static bool names_release(const char *said, const char *release) {
    while (*said != '\0' && *said == *release) {
        said++;
        release++;
    }
    return *said == '\0' && (*release == '\0' || *release == '.');
}

/* A bit for the table of a release; 0: there is none. */
static unsigned table_of(const char *release) {
    static const char *const releases[] = {
#define TABLE(symbol, release) release,
#include "rules/release.def"
    };
    unsigned table = 0;
    for (size_t i = 0; i < EP_COUNT_OF(releases); i++) {
        table |= names_release(release, releases[i]) ? 1u << i : 0;
    }
    return table;
}

/* Whether any of some tables has a target ("aten.add.Tensor"). */
static bool is_in(unsigned tables, ep_bytes target) {
    bool found = false;
    for (size_t i = first_row(target); is_row(i, target); i++) {
        found = found || (((1u << rows[i].until) - (1u << rows[i].since)) & tables) != 0;
    }
    return found;
}

bool ep_release_has(const char *release, ep_bytes target) {
    ep_bytes start = EP_TEXT("torch.ops.");
    unsigned table = release == NULL ? 0 : table_of(release);
    if (table == 0 || target.size < start.size ||
        !ep_text_equal((ep_bytes){target.data, start.size}, start)) {
        return true;
    }
    ep_bytes rest = {target.data + start.size, target.size - start.size};
    ep_bytes ns = {rest.data, 0};
    while (ns.size < rest.size && ns.data[ns.size] != '.') {
        ns.size++;
    }
    return !ep_operator_namespace_closed(ns) || is_in(table, rest);
}

bool ep_operator_find(ep_arena *arena, ep_bytes target, unsigned tables,
                      const ep_operator **found) {
    *found = NULL;
    for (size_t i = first_row(target); is_row(i, target); i++) {
        unsigned row_tables = (1u << rows[i].until) - (1u << rows[i].since);
        if ((row_tables & tables) == 0) {
            continue;
        }
        ep_operator *op = operator_read(arena, i);
        TRY(op != NULL);
        op->older = *found;
        *found = op;
    }
    return true;
}
