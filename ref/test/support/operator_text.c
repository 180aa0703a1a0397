/* operator_text.c - see operator_text.h. */
#include "operator_text.h"

static void add_bytes(test_text *text, ep_bytes bytes) {
    test_add(text, bytes.data, bytes.size);
}

static void add_value(test_text *text, const ep_operator_value *value) {
    add_bytes(text, value->text);
    if (value->written || value->aliases.size > 0) {
        test_add_str(text, "(");
        add_bytes(text, value->aliases);
        test_add_str(text, value->written ? "!)" : ")");
    }
}

void test_add_arguments(test_text *text, const ep_operator *op) {
    for (size_t i = 0; i < op->argument_count; i++) {
        const ep_operator_value *argument = &op->arguments[i];
        test_add_str(text, i > 0 ? ", " : "");
        if (argument->keyword_only && (i == 0 || !op->arguments[i - 1].keyword_only)) {
            test_add_str(text, "*, ");
        }
        add_value(text, argument);
        test_add_str(text, " ");
        add_bytes(text, argument->name);
        test_add_str(text, argument->has_default ? "=" : "");
    }
}

void test_add_returns(test_text *text, const ep_operator *op) {
    for (size_t i = 0; i < op->return_count; i++) {
        test_add_str(text, i > 0 ? ", " : "");
        add_value(text, &op->returns[i]);
    }
}
