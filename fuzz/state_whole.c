/*
 * state_whole.c - which members an archive that is whole has, and what its marks say, by rules
 * that are read once more out of SPEC 8.2, with the members of the second reader. What its
 * tensors have to be (8.3 to 8.5) the vectors ask.
 */
#include "state_laws.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------- members */

static const zip_entry *find(const state *s, const char *name) {
    for (size_t i = 0; i < s->reading.count; i++) {
        ep_bytes inner = state_inner(s, s->reading.entries[i].head.name);
        if (bytes_equal(inner, name)) {
            return &s->reading.entries[i];
        }
    }
    return NULL;
}

/* What a member holds, before a zero; false where it cannot be read. */
static bool text_of_member(const zip_entry *e, char text[64]) {
    zip_content content;
    memset(text, 0, 64);
    TRY(e != NULL && zip_reader_unpack(e, 63, &content));
    memcpy(text, content.bytes.data, content.bytes.size);
    zip_content_free(&content);
    return strlen(text) == e->head.size;
}

static bool says(const state *s, const char *name, const char *wanted) {
    char text[64];
    return text_of_member(find(s, name), text) && strcmp(text, wanted) == 0;
}

/* Twenty digits below 2^64. */
static bool is_half(const char *digits) {
    return strspn(digits, "0123456789") >= 20 && strncmp(digits, "18446744073709551616", 20) < 0;
}

/* SPEC 8.2.1 */
static void law_of_marks(const state *s) {
    char text[64];
    const zip_entry *id = find(s, ".data/serialization_id");
    bool version = false;
    for (int i = 1; i <= 10; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        version = version || says(s, ".data/version", number);
        strcat(number, "\n");
        version = version || says(s, ".data/version", number);
    }
    FUZZ_PROPERTY(says(s, "archive_format", "pt2"), "mark-format");
    FUZZ_PROPERTY(says(s, "archive_version", "0"), "mark-version");
    FUZZ_PROPERTY(says(s, "byteorder", "little"), "mark-order");
    FUZZ_PROPERTY(version, "mark-data-version");
    if (id != NULL) {
        bool ok = text_of_member(id, text) && strlen(text) == 40;
        FUZZ_PROPERTY(ok && is_half(text) && is_half(text + 20), "mark-id");
    }
}

static bool is_program(ep_bytes inner) {
    return bytes_start(inner, "models/") && bytes_end(inner, ".json");
}

/* Whether a name is folder, program, end. */
static bool is_of(ep_bytes inner, const char *folder, ep_bytes program, const char *end) {
    size_t before = strlen(folder);
    return inner.size == before + program.size + strlen(end) && bytes_start(inner, folder) &&
           memcmp(inner.data + before, program.data, program.size) == 0 && bytes_end(inner, end);
}

static bool has_pickle(const state *s, const char *folder, ep_bytes program) {
    for (size_t i = 0; i < s->reading.count; i++) {
        ep_bytes inner = state_inner(s, s->reading.entries[i].head.name);
        if (is_of(inner, folder, program, ".pt")) {
            return true;
        }
    }
    return false;
}

/* Whether a program, or the list of tensors, has a member that holds state. */
static bool is_named(const state *s, const zip_entry *e) {
    static const char weights[] = "data/weights/";
    static const char constants[] = "data/constants/";
    ep_bytes inner = state_inner(s, e->head.name);
    for (size_t i = 0; i < s->list.program_count; i++) {
        ep_bytes name = s->list.programs[i].name;
        bool raw_weights = is_of(inner, weights, name, "_weights_config.json");
        bool raw_constants = is_of(inner, constants, name, "_constants_config.json");
        if (is_of(inner, weights, name, ".pt") || is_of(inner, constants, name, ".pt") ||
            is_of(inner, "data/sample_inputs/", name, ".pt") ||
            (raw_weights && !has_pickle(s, weights, name)) ||
            (raw_constants && !has_pickle(s, constants, name))) {
            return true;
        }
    }
    for (size_t i = 0; i < s->list.storage_count; i++) {
        if (state_entry(s, s->list.storages[i].member) == e) {
            return true;
        }
    }
    return false;
}

/* SPEC 8.2.3 */
static void law_of_unread(const state *s) {
    bool model = false;
    for (size_t i = 0; i < s->reading.count; i++) {
        ep_bytes inner = state_inner(s, s->reading.entries[i].head.name);
        model = model || (bytes_start(inner, "data/aotinductor/") &&
                          memchr(inner.data + 17, '/', inner.size - 17) != NULL);
    }
    for (size_t i = 0; i < s->reading.count; i++) {
        const zip_entry *e = &s->reading.entries[i];
        ep_bytes inner = state_inner(s, e->head.name);
        bool held = bytes_start(inner, "data/weights/") || bytes_start(inner, "data/constants/") ||
                    bytes_start(inner, "data/sample_inputs/");
        bool other = model && (bytes_start(inner, "data/weights/weight_") ||
                               bytes_start(inner, "data/constants/custom_obj_"));
        bool folder = bytes_end(inner, "/");
        FUZZ_PROPERTY(folder || other || !held || is_named(s, e), "unread");
        FUZZ_PROPERTY(folder ||
                          (!bytes_start(inner, "serialized_") && !bytes_equal(inner, "version")),
                      "unread-flat");
    }
}

/* SPEC 8.2.3: the names of the flat layout. */
static void law_of_flat_names(const state *s) {
    static const char *const names[] = {
        "serialized_exported_program.json",
        "serialized_state_dict.json",
        "serialized_state_dict.pt",
        "serialized_constants.json",
        "serialized_constants.pt",
        "serialized_example_inputs.pt",
        "version",
    };
    for (size_t i = 0; i < s->reading.count; i++) {
        ep_bytes name = s->reading.entries[i].head.name;
        bool known = bytes_start(name, "extra_files/") || bytes_end(name, "/");
        for (size_t j = 0; j < sizeof names / sizeof names[0]; j++) {
            known = known || bytes_equal(name, names[j]);
        }
        FUZZ_PROPERTY(known, "flat-name");
    }
}

/* SPEC 8.2.4 */
static void law_of_extras(const state *s) {
    const char *folder = s->archive.root.size == 0 ? "extra_files/" : "extra/";
    for (size_t i = 0; i < s->reading.count; i++) {
        zip_content content;
        ep_bytes inner = state_inner(s, s->reading.entries[i].head.name);
        if (bytes_start(inner, folder) && !bytes_end(inner, "/")) {
            FUZZ_PROPERTY(zip_reader_unpack(&s->reading.entries[i], SIZE_MAX, &content),
                          "extra-is-sound");
            FUZZ_PROPERTY(fuzz_is_utf8(content.bytes), "extra-is-text");
            zip_content_free(&content);
        }
    }
}

void laws_of_whole(const state *s, bool no_data) {
    size_t programs = 0;
    for (size_t i = 0; i < s->reading.count; i++) {
        programs += is_program(state_inner(s, s->reading.entries[i].head.name)) ? 1 : 0;
    }
    if (s->archive.root.size == 0) {
        law_of_flat_names(s);
    } else {
        FUZZ_PROPERTY(programs == s->list.program_count, "programs");
        law_of_marks(s);
        law_of_unread(s);
    }
    if (!no_data) {
        law_of_extras(s);
    }
}
