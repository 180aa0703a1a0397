/*
 * test_keys.c - the first key that repeats another: few keys, many, and many that fall into
 * one slot of the table, which are sorted. SPEC 2.5.1.
 */
#include "check.h"
#include "support.h"
#include "json/keys.h"

enum { MOST = 400, ROOM = 16 * MOST, SLOTS = 1024 };

typedef struct key_list {
    char text[ROOM];
    ep_ref refs[MOST];
    size_t size, n;
} key_list;

static void add_key(key_list *list, unsigned number) {
    int length = snprintf(list->text + list->size, 16, "k%u", number);
    list->refs[list->n++] = ep_ref_make(list->size, (size_t)length, 0);
    list->size += (size_t)length;
}

static size_t first_repeat(const key_list *list) {
    test_heap heap = {0};
    ep_arena arena;
    ep_stack scratch;
    size_t second = 0;
    test_arena(&arena, &heap, 0);
    ep_stack_init(&scratch, &arena);
    CHECK(ep_keys_find_repeat(list->text, list->refs, list->n, &scratch, &second));
    ep_stack_free(&scratch);
    ep_arena_free(&arena);
    return second;
}

/* Keys of all kinds, or only those that share a slot: none repeats, then one does, then two
 * do. */
static void check_keys(size_t n, bool crowded) {
    static key_list list;
    list.size = list.n = 0;
    for (unsigned i = 0; list.n < n; i++) {
        add_key(&list, i);
        if (crowded && ep_text_hash(list.text, list.refs[list.n - 1]) % SLOTS != 0) {
            list.size -= ep_ref_size(list.refs[--list.n]);
        }
    }
    CHECK_EQ_INT(first_repeat(&list), n);
    ep_ref last = list.refs[n - 1];
    list.refs[n - 1] = list.refs[0];
    CHECK_EQ_INT(first_repeat(&list), n - 1);
    list.refs[n / 2] = list.refs[1];
    CHECK_EQ_INT(first_repeat(&list), n / 2);
    list.refs[n - 1] = last;
    CHECK_EQ_INT(first_repeat(&list), n / 2);
}

int main(void) {
    static const size_t counts[] = {4, 8, 9, 30, 200, MOST};
    for (size_t i = 0; i < EP_COUNT_OF(counts); i++) {
        check_keys(counts[i], false);
        check_keys(counts[i], true);
    }
    return check_report();
}
