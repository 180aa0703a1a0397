/*
 * state_whole.c - what an archive that is whole keeps, by rules that are read once more out
 * of SPEC 8.2 to 8.5, with the members of the second reader.
 */
#include "state_laws.h"

#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------- members */

static const zip_entry *find(const state *s, const char *name) {
    for (size_t i = 0; i < s->reading.count; i++) {
        ep_bytes inner = state_inner(s, s->reading.entries[i].head.name);
        if (fuzz_same(inner, test_bytes(name))) {
            return &s->reading.entries[i];
        }
    }
    return NULL;
}

/* What a member holds, before a zero; false where it cannot be read. */
static bool text_of_member(const zip_entry *e, char text[64]) {
    zip_content content;
    memset(text, 0, 64);
    if (e == NULL || !zip_reader_unpack(e, 63, &content)) {
        return false;
    }
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
    return state_starts(inner, "models/") && state_ends(inner, ".json");
}

/* Whether a name is folder, program, end. */
static bool is_of(ep_bytes inner, const char *folder, ep_bytes program, const char *end) {
    size_t before = strlen(folder);
    return inner.size == before + program.size + strlen(end) && state_starts(inner, folder) &&
           memcmp(inner.data + before, program.data, program.size) == 0 && state_ends(inner, end);
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
        model = model || (state_starts(inner, "data/aotinductor/") &&
                          memchr(inner.data + 17, '/', inner.size - 17) != NULL);
    }
    for (size_t i = 0; i < s->reading.count; i++) {
        const zip_entry *e = &s->reading.entries[i];
        ep_bytes inner = state_inner(s, e->head.name);
        bool held = state_starts(inner, "data/weights/") ||
                    state_starts(inner, "data/constants/") ||
                    state_starts(inner, "data/sample_inputs/");
        bool other = model && (state_starts(inner, "data/weights/weight_") ||
                               state_starts(inner, "data/constants/custom_obj_"));
        bool folder = state_ends(inner, "/");
        FUZZ_PROPERTY(folder || other || !held || is_named(s, e), "unread");
        FUZZ_PROPERTY(folder || (!state_starts(inner, "serialized_") &&
                                 !fuzz_same(inner, test_bytes("version"))),
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
        bool known = state_starts(name, "extra_files/") || state_ends(name, "/");
        for (size_t j = 0; j < sizeof names / sizeof names[0]; j++) {
            known = known || fuzz_same(name, test_bytes(names[j]));
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
        if (state_starts(inner, folder) && !state_ends(inner, "/")) {
            FUZZ_PROPERTY(zip_reader_unpack(&s->reading.entries[i], SIZE_MAX, &content),
                          "extra-is-sound");
            FUZZ_PROPERTY(fuzz_is_utf8(content.bytes), "extra-is-text");
            zip_content_free(&content);
        }
    }
}

/* ----------------------------------------------------------------------------- tensors */

/* The name of a member in its folder. */
static ep_bytes base_of(ep_bytes name) {
    for (size_t i = name.size; i > 0; i--) {
        if (name.data[i - 1] == '/') {
            return (ep_bytes){name.data + i, name.size - i};
        }
    }
    return name;
}

static bool is_meta(const state *s, const tensor_row *row) {
    return fuzz_same(tensors_text(&s->list, row->device), test_bytes("meta"));
}

/* SPEC 8.3.2 to 8.3.4 */
static void law_of_raw(const state *s, const tensor_row *row) {
    const tensor_storage *storage = &s->list.storages[row->storage];
    const tensor_row *first = &s->list.rows[storage->first];
    ep_bytes base = base_of(storage->member->name);
    const char *start = row->part == TENSOR_WEIGHTS ? "weight_" : "tensor_";
    FUZZ_PROPERTY(row->part != TENSOR_INPUTS && state_starts(base, start), "raw-name");
    FUZZ_PROPERTY(storage->size * 8 % (row->dtype->size * 8) == 0, "raw-whole-elements");
    FUZZ_PROPERTY(first->dtype == row->dtype && !first->is_pickled, "raw-dtype");
    FUZZ_PROPERTY(
        fuzz_same(tensors_text(&s->list, first->device), tensors_text(&s->list, row->device)),
        "raw-device");
    FUZZ_PROPERTY(!is_meta(s, row) || storage->size == 0, "raw-meta");
    FUZZ_PROPERTY(storage->size == 0 || state_reach(&s->list, row) <= storage->size, "raw-fits");
}

/* SPEC 8.5.1, 8.5.3: what is pickled is in its storage, which is stored. */
static void law_of_pickled(const state *s, const tensor_row *row) {
    const tensor_storage *storage = &s->list.storages[row->storage];
    FUZZ_PROPERTY(!storage->big_endian, "pickled-order");
    FUZZ_PROPERTY(state_reach(&s->list, row) <= storage->size, "pickled-fits");
}

static void law_of_names(const state *s, size_t i) {
    const tensor_row *row = &s->list.rows[i];
    for (size_t j = 0; j < i && row->part != TENSOR_INPUTS; j++) {
        const tensor_row *other = &s->list.rows[j];
        bool same =
            other->program == row->program && other->part == row->part &&
            fuzz_same(tensors_text(&s->list, other->name), tensors_text(&s->list, row->name));
        FUZZ_PROPERTY(!same, "names-differ");
    }
}

static void law_of_rows(const state *s) {
    for (size_t i = 0; i < s->list.row_count; i++) {
        const tensor_row *row = &s->list.rows[i];
        law_of_names(s, i);
        FUZZ_PROPERTY(row->part == TENSOR_INPUTS || row->form != TENSOR_OBJECT ||
                          row->role != TENSOR_PARAMETER || row->is_subclass || row->class.size > 0,
                      "parameter-is-object");
        if (row->form == TENSOR_STRIDED && row->is_pickled) {
            law_of_pickled(s, row);
        } else if (row->form == TENSOR_STRIDED) {
            law_of_raw(s, row);
        }
    }
}

/* All archives in members: their checksums, but those that are none. SPEC 8.5.1 */
static void law_of_inner(const state *s) {
    for (size_t i = 0; i < s->list.storage_count; i++) {
        zip_reading inner;
        const zip_entry *e = state_entry(s, s->list.storages[i].member);
        if (s->list.storages[i].key.size == 0 || !zip_reader_open(e->packed, &inner)) {
            continue;
        }
        for (size_t j = 0; j < inner.count; j++) {
            zip_content content;
            bool without =
                inner.entries[j].head.crc == 0 && inner.entries[j].head.method == ZIP_STORED;
            bool ok = zip_reader_unpack(&inner.entries[j], SIZE_MAX, &content);
            FUZZ_PROPERTY(ok || without, "inner-sound");
            if (ok) {
                zip_content_free(&content);
            }
        }
        zip_reader_close(&inner);
    }
}

/* ----------------------------------------------------------------------------- program */

/* The value of a key of a dict. */
static ep_value value_of(ep_value dict, ep_bytes name, ep_arena *arena) {
    ep_bytes key;
    ep_value none = {.program = NULL};
    for (size_t i = 0; i < ep_value_count(dict); i++) {
        if (ep_value_key(dict, i, arena, &key) && fuzz_same(key, name)) {
            return ep_value_item(dict, i);
        }
    }
    return none;
}

/* A union's value, or the thing itself. */
static ep_value inside(ep_value value) {
    while (ep_value_kind(value) == EP_KIND_UNION) {
        value = ep_value_item(value, 0);
    }
    return value;
}

static bool same_list(const tensors *t, size_t first, size_t rank, ep_value list) {
    bool same = ep_value_count(list) == rank;
    for (size_t i = 0; same && i < rank; i++) {
        same = ep_value_int(inside(ep_value_item(list, i))) == t->numbers[first + i];
    }
    return same;
}

/* SPEC 8.4.3; of a tensor of a class more than its elements is not known (8.5.4). */
static void law_of_meta(const state *s, const tensor_row *row, ep_value meta) {
    if (ep_value_kind(meta) != EP_KIND_STRUCT || row->is_subclass ||
        (row->form != TENSOR_STRIDED && row->form != TENSOR_META)) {
        return;
    }
    FUZZ_PROPERTY(ep_value_int(ep_value_field(meta, "dtype")) == row->dtype->number,
                  "program-dtype");
    FUZZ_PROPERTY(same_list(&s->list, row->sizes, row->rank, ep_value_field(meta, "sizes")),
                  "program-sizes");
    FUZZ_PROPERTY(same_list(&s->list, row->strides, row->rank, ep_value_field(meta, "strides")),
                  "program-strides");
    bool grad = ep_value_int(ep_value_field(meta, "requires_grad")) != 0;
    FUZZ_PROPERTY(row->requires_grad || !grad || row->role != TENSOR_PARAMETER, "program-gradient");
}

/* SPEC 8.4.1: the row of what the signature has. */
static const tensor_row *row_of(const state *s, size_t program, const ep_signature_entry *entry) {
    bool weight = entry->kind == EP_INPUT_PARAMETER || entry->kind == EP_INPUT_BUFFER;
    for (size_t i = 0; i < s->list.row_count; i++) {
        const tensor_row *row = &s->list.rows[i];
        if (row->program == program && row->part == (weight ? TENSOR_WEIGHTS : TENSOR_CONSTANTS) &&
            fuzz_same(tensors_text(&s->list, row->name), entry->target)) {
            return row;
        }
    }
    return NULL;
}

static void law_of_signature(const state *s, size_t program, const ep_program *decoded,
                             fuzz_work *work) {
    ep_signature *signature;
    ep_signature_entry entry;
    ep_value graph =
        ep_value_field(ep_value_field(ep_program_root(decoded), "graph_module"), "graph");
    ep_value metas = ep_value_field(graph, "tensor_values");
    bool ok = ep_signature_open(decoded, &work->arena, &signature, &work->error);
    FUZZ_PROPERTY_OF(ok, "signature", &work->error);
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        bool held = entry.kind == EP_INPUT_PARAMETER || entry.kind == EP_INPUT_BUFFER ||
                    entry.kind == EP_INPUT_BUFFER_NOT_PERSISTENT ||
                    entry.kind == EP_INPUT_TENSOR_CONSTANT || entry.kind == EP_INPUT_CUSTOM_OBJ;
        if (!held) {
            continue;
        }
        const tensor_row *row = row_of(s, program, &entry);
        FUZZ_PROPERTY(row != NULL, "signature-is-held");
        FUZZ_PROPERTY(row->role != TENSOR_UNNAMED, "role");
        if (entry.kind == EP_INPUT_CUSTOM_OBJ) {
            FUZZ_PROPERTY(row->form == TENSOR_OBJECT, "object");
            continue;
        }
        ep_value meta = value_of(metas, entry.name, &work->arena);
        ep_value inner = ep_value_field(meta, "meta"); /* in version 1 */
        law_of_meta(s, row, ep_value_kind(inner) == EP_KIND_STRUCT ? inner : meta);
    }
}

static void law_of_program(const state *s, size_t program) {
    fuzz_work work;
    zip_content content;
    const ep_program *decoded;
    const zip_entry *e = state_entry(s, s->list.programs[program].member);
    if (!zip_reader_unpack(e, STATE_LIMIT, &content)) {
        FUZZ_PROPERTY(false, "program-is-sound");
    }
    fuzz_begin(&work);
    bool ok = ep_decode(&work.arena, content.bytes, NULL, &decoded, &work.error);
    FUZZ_PROPERTY_OF(ok, "program-decodes", &work.error);
    law_of_signature(s, program, decoded, &work);
    fuzz_end(&work);
    zip_content_free(&content);
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
    law_of_rows(s);
    if (!no_data) {
        law_of_extras(s);
        law_of_inner(s);
    }
    for (size_t i = 0; i < s->list.program_count; i++) {
        law_of_program(s, i);
    }
}
