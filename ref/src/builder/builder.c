/*
 * builder/builder.c - what all of the builder uses: sticky failures, texts, lists.
 */
#include "builder/builder.h"

/* ------------------------------------------------------------------ failures */

static void append(char *detail, const char *text) {
    size_t at = ep_text_of(detail).size;
    for (; *text != '\0' && at < EP_DETAIL_SIZE - 1; at++, text++) {
        detail[at] = *text >= ' ' && *text < 0x7F ? *text : '?';
    }
    detail[at] = '\0';
}

bool ep_builder_refuse(ep_builder *b, const char *what, const char *about) {
    TRY(b != NULL);
    bool silent = b->maker.code == EP_ARGUMENT && b->detail[0] == '\0';
    if (b->maker.code == EP_OK || silent) {
        append(b->detail, what);
        append(b->detail, about == NULL ? "" : ": ");
        append(b->detail, about == NULL ? "" : about);
    }
    return ep_maker_fail(&b->maker, EP_ARGUMENT);
}

bool ep_builder_goes_on(ep_builder *b) {
    TRY(b != NULL);
    if (b->finished) {
        return ep_builder_refuse(b, "the program is finished", NULL);
    }
    return b->maker.code == EP_OK;
}

bool ep_builder_given(ep_builder *b, const void *handle) {
    return handle != NULL || ep_builder_refuse(b, EP_NULL_GIVEN, NULL);
}

bool ep_builder_needs(ep_builder *b, ep_field field, const char *what) {
    return ep_maker_has(&b->maker, field) ||
           ep_builder_refuse(b, "the schema version cannot say this", what);
}

EP_API bool ep_builder_has(const ep_builder *b, const char *type, const char *member) {
    TRY(b != NULL && type != NULL);
    const ep_schema *schema = b->maker.fields.schema;
    for (size_t i = 0; i < EP_TYPE_COUNT; i++) {
        const ep_type *known = schema->types[i];
        if (known != NULL && ep_text_equal(ep_text_of(known->name), ep_text_of(type))) {
            return member == NULL ||
                   ep_type_find(known, member, ep_text_of(member).size) != EP_NO_MEMBER;
        }
    }
    return false;
}

/* ------------------------------------------------------------ memory and texts */

void *ep_builder_alloc(ep_builder *b, size_t size) {
    void *memory = ep_arena_alloc(b->arena, size);
    if (memory == NULL) {
        ep_maker_fail(&b->maker, EP_MEMORY);
    }
    return memory;
}

bool ep_builder_push(ep_builder *b, ep_stack *stack, uint64_t word) {
    return ep_stack_push(stack, word) || ep_maker_fail(&b->maker, EP_MEMORY);
}

void ep_growing_dict_init(ep_growing_dict *dict, ep_arena *arena) {
    ep_stack_init(&dict->keys, arena);
    ep_stack_init(&dict->values, arena);
}

void ep_growing_dict_free(ep_growing_dict *dict) {
    ep_stack_free(&dict->keys);
    ep_stack_free(&dict->values);
}

bool ep_builder_add(ep_builder *b, ep_growing_dict *dict, uint64_t key, uint64_t value) {
    return ep_builder_push(b, &dict->keys, key) && ep_builder_push(b, &dict->values, value);
}

bool ep_builder_given_array(ep_builder *b, const void *items, size_t count) {
    return count == 0 || ep_builder_given(b, items);
}

bool ep_builder_string(ep_builder *b, const char *text, uint64_t *bits) {
    TRY(ep_builder_given(b, text));
    return ep_maker_text(&b->maker, ep_text_of(text), bits) ||
           ep_builder_refuse(b, "not UTF-8", text);
}

bool ep_builder_join(ep_builder *b, const ep_bytes *parts, size_t count, ep_bytes *text) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        /* LCOV_EXCL_START only where addresses are short are texts in memory that large */
        if (!ep_size_of(size, 1, parts[i].size, &size)) {
            return ep_maker_fail(&b->maker, EP_MEMORY);
        }
        /* LCOV_EXCL_STOP */
    }
    char *data = ep_builder_alloc(b, size);
    TRY(data != NULL);
    *text = (ep_bytes){data, size};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].size > 0) {
            memcpy(data, parts[i].data, parts[i].size);
        }
        data += parts[i].size;
    }
    return true;
}

/* ------------------------------------------------------------- parts of a tree */

bool ep_builder_set_string(ep_builder *b, ep_node *node, ep_field field, const char *text) {
    uint64_t bits;
    TRY(ep_builder_string(b, text, &bits));
    ep_maker_set(&b->maker, node, field, bits);
    return true;
}

bool ep_builder_list(ep_builder *b, const ep_stack *items, uint64_t *bits) {
    return ep_maker_list(&b->maker, items->words, items->count, bits);
}

bool ep_builder_dict(ep_builder *b, const ep_growing_dict *dict, uint64_t *bits) {
    return ep_maker_dict(&b->maker, &dict->keys, &dict->values, bits);
}

bool ep_builder_union(ep_builder *b, ep_shape_number type, ep_field tag, uint64_t value,
                      uint64_t *bits) {
    const ep_node *node = ep_maker_union(&b->maker, type, tag, value);
    *bits = ep_pointer_bits(node);
    return node != NULL;
}
