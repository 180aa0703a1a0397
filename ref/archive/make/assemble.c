/*
 * assemble.c - see assemble.h. What a tensor is like is what the program says of it; the
 * bytes are those that are given, so that nothing has to be compared but dtype and shape.
 */
#include "assemble.h"

#include <string.h>

#include "archive/state/elements.h"
#include "archive/state/payload.h"
#include "archive/state/tensors_parts.h"
#include "common/memory.h"
#include "common/refusal.h"
#include "common/safe.h"

/* An assembly on its way. */
typedef struct assembling {
    const assembly_wish *wish;
    assembly *to;
    const layout *layout;
    const pickling *pickling; /* NULL: tensors are not pickled */
    tensors_reading reading;
    ep_arena arena;
    const name_item **order; /* of the program's targets, as the signature has them */
    bool *used;              /* of each tensor of the state */
    size_t room;             /* bytes that may still be held */
    failure *what;
} assembling;

static bool refuse(assembling *x, ep_bytes name, const char *why) {
    x->to->blamed = name;
    return refuse_invalid(x->what, why);
}

static bool refuse_memory(assembling *x) {
    return refuse_plainly(x->what, EP_MEMORY);
}

/* -------------------------------------------------------------------------- storages */

/* Elements from the first of a storage to the last that a tensor reaches. */
static bool reach(const payload_tensor *t, uint64_t *length) {
    *length = (uint64_t)t->offset + 1;
    for (size_t i = 0; i < t->rank; i++) {
        uint64_t steps = t->sizes[i] == 0 ? 0 : (uint64_t)t->sizes[i] - 1;
        uint64_t stride = (uint64_t)t->strides[i];
        if (stride > 0 && steps > (INT64_MAX - *length) / stride) {
            return false;
        }
        *length += steps * stride;
    }
    return true;
}

/* Elements one by one to where the strides say: the last index first, or the first. */
static void scatter(const payload_tensor *t, const given_tensor *s, const char *from, char *to) {
    size_t width = t->dtype->size;
    int64_t index[PAYLOAD_RANK_MAX] = {0};
    uint64_t at = (uint64_t)t->offset;
    for (uint64_t count = s->size / width; count > 0; count--, from += width) {
        memcpy(to + at * width, from, width);
        for (size_t i = 0; i < t->rank; i++) {
            size_t which = s->columns_first ? i : t->rank - 1 - i;
            at += (uint64_t)t->strides[which];
            if (++index[which] < t->sizes[which]) {
                break;
            }
            at -= (uint64_t)t->strides[which] * (uint64_t)t->sizes[which];
            index[which] = 0;
        }
    }
}

static bool hold(assembling *x, const payload_tensor *t, const given_tensor *s, buffer *to) {
    buffer from = {0};
    uint64_t length;
    if (!reach(t, &length) || length > x->room / t->dtype->size ||
        s->size > x->room - length * t->dtype->size) {
        return refuse_plainly(x->what, EP_LIMIT_BYTES);
    }
    length *= t->dtype->size;
    x->room -= (size_t)length;
    for (uint64_t i = 0; i < length && !to->failed; i++) {
        buffer_byte(to, '\0');
    }
    bool ok = io_read_piece(x->wish->state->from, s->place, (size_t)s->size, &from, x->what);
    if (ok && !to->failed) {
        scatter(t, s, from.data, to->data);
    }
    buffer_free(&from);
    return ok && (!to->failed || refuse_memory(x));
}

/* The bytes of a tensor as a storage. */
static bool add_storage(assembling *x, const payload_tensor *t, const given_tensor *s,
                        size_t *number) {
    assembly *a = x->to;
    tensor_storage storage = {.place = s->place, .size = s->size, .is_stored = true};
    bool rows_first = !s->columns_first || t->rank < 2;
    bool same = s->size == 0 || (rows_first && t->offset == 0 &&
                                 elements_are_contiguous(t->sizes, t->strides, t->rank));
    buffer held = {0};
    if (!same && !hold(x, t, s, &held)) {
        buffer_free(&held);
        return false;
    }
    storage.size = same ? s->size : held.size;
    if (!tensors_add_storage(&x->reading, storage, number)) {
        buffer_free(&held);
        return false;
    }
    a->held[*number] = held;
    a->held_count = *number + 1;
    return true;
}

/* --------------------------------------------------------------------------- tensors */

/* NULL, or why the program's tensor is not the state's. */
static const char *fault_of_tensor(const assembling *x, const payload_tensor *t,
                                   const given_tensor *s) {
    uint64_t size;
    if (s->dtype == NULL) {
        bool fits = given_size(t->dtype, t->sizes, t->rank, &size) && size == s->size;
        return fits ? NULL : "its file is longer or shorter than the program's tensor";
    }
    const int64_t *sizes = given_numbers(x->wish->state, s->sizes);
    if (t->dtype != s->dtype) {
        return "its dtype is another than the program says";
    }
    bool same = t->rank == s->rank &&
                (t->rank == 0 || memcmp(t->sizes, sizes, t->rank * sizeof *sizes) == 0);
    return same ? NULL : "its shape is another than the program says";
}

/* torch has gradients of real and complex numbers alone. */
static bool can_require_gradient(const dtype_row *dtype) {
    ep_bytes name = bytes_of(dtype->torch);
    return bytes_start(name, "float") || bytes_start(name, "bfloat") ||
           bytes_start(name, "complex");
}

/* Of a value that is several inputs, any can say it. SPEC 8.4.3 */
static bool says_gradient(const assembling *x, ep_bytes name) {
    const name_list *targets = &x->reading.targets;
    const name_item *item = names_find(targets, name);
    const name_item *end = targets->items + targets->count;
    bool said = false;
    for (; !said && item < end && bytes_compare(item->name, name) == 0; item++) {
        ep_value meta = x->reading.wanted[item->count].meta;
        said = ep_value_int(ep_value_field(meta, "requires_grad")) != 0;
    }
    return said;
}

/* Releases up to 2.4 say of most parameters that they require none, and pickle it right. */
static bool requires_gradient(const assembling *x, ep_bytes name, const tensors_target *target,
                              const dtype_row *dtype) {
    bool all = x->pickling != NULL && x->pickling->gradients == PICKLING_ALL &&
               target->role == TENSOR_PARAMETER;
    return says_gradient(x, name) || (all && can_require_gradient(dtype));
}

static bool add_row(assembling *x, ep_bytes name, const tensors_target *target,
                    const payload_tensor *t) {
    tensors_reading *r = &x->reading;
    const given_tensor *s = given_find(x->wish->state, name);
    const char *why =
        s == NULL ? "the program has it, and the tensors have not" : fault_of_tensor(x, t, s);
    if (why != NULL) {
        return refuse(x, name, why);
    }
    tensor_row row = {.form = TENSOR_STRIDED,
                      .dtype = t->dtype,
                      .rank = t->rank,
                      .offset = (uint64_t)t->offset,
                      .requires_grad = requires_gradient(x, name, target, t->dtype),
                      .is_parameter = target->role == TENSOR_PARAMETER};
    x->used[s - x->wish->state->items] = true;
    row.device.at = r->t->texts.size;
    payload_put_device(&r->t->texts, ep_value_field(target->meta, "device"), &x->arena);
    row.device.size = r->t->texts.size - row.device.at;
    if (bytes_equal(tensors_text(r->t, row.device), "meta")) {
        return refuse(x, name, "it is on the device meta, where tensors have no bytes");
    }
    return add_storage(x, t, s, &row.storage) &&
           tensors_add_numbers(r, t->sizes, t->rank, &row.sizes) &&
           tensors_add_numbers(r, t->strides, t->rank, &row.strides) && tensors_add(r, name, row);
}

static bool add_target(assembling *x, ep_bytes name, const tensors_target *target) {
    payload_tensor t;
    const char *form = ep_value_name(ep_value_field(target->meta, "layout"), 0);
    if (target->role == TENSOR_CUSTOM_OBJECT) {
        return refuse(x, name, "it is a custom object, which is no tensor");
    }
    if (form == NULL || strcmp(form, "Strided") != 0) {
        return refuse(x, name, "its layout is not Strided");
    }
    const char *why = payload_tensor_of(target->meta, &t);
    return why == NULL ? add_row(x, name, target, &t) : refuse(x, name, why);
}

/* The targets of a role, in the order of the signature; a value that is several inputs is
 * one tensor. */
static bool add_role(assembling *x, tensor_role role) {
    const name_list *targets = &x->reading.targets;
    bool ok = true;
    for (size_t i = 0; ok && i < targets->count; i++) {
        const name_item *item = x->order[i];
        bool again = item > targets->items && bytes_compare(item[-1].name, item->name) == 0;
        if (x->reading.wanted[i].role == role && !again) {
            ok = add_target(x, item->name, &x->reading.wanted[i]);
        }
    }
    return ok;
}

/* As torch.export has them: parameters, then buffers; of the constants what it took out of
 * the model, then buffers, or the other way round. */
static bool add_roles(assembling *x) {
    bool turned = x->pickling != NULL && x->pickling->buffers_first;
    x->reading.part = TENSOR_WEIGHTS;
    bool ok = add_role(x, TENSOR_PARAMETER) && add_role(x, TENSOR_BUFFER);
    x->reading.part = TENSOR_CONSTANTS;
    ok = ok && (!turned || add_role(x, TENSOR_BUFFER_NOT_PERSISTENT)) &&
         add_role(x, TENSOR_CUSTOM_OBJECT) && add_role(x, TENSOR_CONSTANT);
    return ok && (turned || add_role(x, TENSOR_BUFFER_NOT_PERSISTENT));
}

static bool check_used(assembling *x) {
    const given *s = x->wish->state;
    for (size_t i = 0; i < s->count; i++) {
        if (!x->used[i]) {
            return refuse(x, given_name(s, &s->items[i]),
                          "the program has no parameter, buffer or constant of this name");
        }
    }
    return true;
}

static bool reserve(assembling *x) {
    size_t targets = x->reading.targets.count + 1;
    x->order = memory_resize(NULL, targets * sizeof *x->order);
    x->used = memory_zeros(x->wish->state->count, sizeof *x->used);
    x->to->held = memory_resize(NULL, targets * sizeof *x->to->held);
    for (size_t i = 0; x->order != NULL && i + 1 < targets; i++) {
        x->order[x->reading.targets.items[i].count] = &x->reading.targets.items[i];
    }
    return (x->order != NULL && x->used != NULL && x->to->held != NULL) || refuse_memory(x);
}

static bool add_tensors(assembling *x) {
    tensors_reading *r = &x->reading;
    *r = (tensors_reading){.t = &x->to->tensors, .what = x->what};
    bool ok = tensors_add_program(r, NULL, bytes_of("model")) &&
              tensors_open_program(r, x->wish->program, &x->arena) && reserve(x) && add_roles(x) &&
              check_used(x);
    return ok && (!r->t->texts.failed || refuse_memory(x));
}

/* --------------------------------------------------------------------------- members */

static void put_name(assembling *x, buffer *name, const char *first, ep_bytes rest) {
    buffer_clear(name);
    if (x->layout->folder) {
        buffer_put(name, x->wish->root.data, x->wish->root.size);
    }
    buffer_text(name, first);
    buffer_put(name, rest.data, rest.size);
    x->to->zip.failed = x->to->zip.failed || name->failed;
}

static void put_member(assembling *x, buffer *name, const char *member, ep_bytes bytes) {
    put_name(x, name, member, (ep_bytes){"", 0});
    zipwrite_bytes(&x->to->zip, buffer_bytes(name), bytes);
}

/* The tensors of a part, in the order in which they were added. */
static bool take_rows(assembling *x, raw_part *p, tensor_part which) {
    const tensors *t = &x->to->tensors;
    *p = (raw_part){.tensors = t,
                    .from = x->wish->state->from,
                    .held = x->to->held,
                    .part = which,
                    .order = x->layout->raw};
    p->rows = memory_resize(NULL, (t->row_count + 1) * sizeof *p->rows);
    for (size_t i = 0; p->rows != NULL && i < t->row_count; i++) {
        if (t->rows[i].part == which) {
            p->rows[p->count++] = i;
        }
    }
    return p->rows != NULL || refuse_memory(x);
}

static bool put_raw(assembling *x, raw_part *p) {
    return raw_plan(p, &x->to->zip, x->wish->root, bytes_of("model")) || refuse_memory(x);
}

/* A layout without constants has none that a program of its versions could name. */
static bool put_saved(assembling *x, raw_part *p, buffer *name) {
    bool weights = p->part == TENSOR_WEIGHTS;
    const char *member = x->layout->names[weights ? LAYOUT_WEIGHTS : LAYOUT_CONSTANTS];
    save_part *s = weights ? &x->to->saved_weights : &x->to->saved_constants;
    *s = (save_part){.of = p, .style = x->pickling};
    if (member == NULL) {
        return true;
    }
    put_name(x, name, member, (ep_bytes){"", 0});
    return save_plan(s, &x->to->zip, buffer_bytes(name), x->what);
}

static bool put_state(assembling *x, buffer *name) {
    raw_part *weights = &x->to->weights;
    raw_part *constants = &x->to->constants;
    bool ok = take_rows(x, weights, TENSOR_WEIGHTS) && take_rows(x, constants, TENSOR_CONSTANTS);
    if (ok && x->pickling == NULL) {
        return put_raw(x, weights) && put_raw(x, constants);
    }
    return ok && put_saved(x, weights, name) && put_saved(x, constants, name);
}

static bool put_inputs(assembling *x, buffer *name) {
    const char *member = x->layout->names[LAYOUT_INPUTS];
    if (member == NULL) {
        return x->wish->inputs.size == 0 ||
               refuse(x, (ep_bytes){"", 0}, "the releases of its version keep no sample inputs");
    }
    put_member(x, name, member, x->wish->inputs);
    return true;
}

static bool put_extras(assembling *x, buffer *name) {
    for (size_t i = 0; i < x->wish->extra_count; i++) {
        const assembly_file *file = &x->wish->extras[i];
        put_name(x, name, x->layout->extra, file->name);
        const char *why = name->failed ? NULL : zipfile_judge_name(buffer_bytes(name), 1);
        if (why != NULL) {
            return refuse(x, file->name, why);
        }
        zipwrite_bytes(&x->to->zip, buffer_bytes(name), file->bytes);
    }
    return true;
}

static void put_frame(assembling *x, buffer *name) {
    put_member(x, name, "archive_format", bytes_of("pt2"));
    put_member(x, name, "archive_version", bytes_of("0"));
    put_member(x, name, ".data/version", bytes_of("6\n"));
    put_member(x, name, "byteorder", bytes_of("little"));
    put_name(x, name, ".data/serialization_id", (ep_bytes){"", 0});
    serial_plan(&x->to->serial, &x->to->zip, buffer_bytes(name), x->wish->root.size);
}

/* The one mark of the flat layout. */
static void put_version(assembling *x, buffer *name) {
    buffer *text = &x->to->version;
    layout_put_version(text, ep_program_version(x->wish->program));
    x->to->zip.failed = x->to->zip.failed || text->failed;
    put_member(x, name, "version", buffer_bytes(text));
}

static void put_dates(assembling *x) {
    zipwrite *zip = &x->to->zip;
    for (size_t i = 0; x->wish->date != 0 && i < zip->count; i++) {
        zip->members[i].date = x->wish->date;
    }
}

/* The order of torch: what pickles writes the program first. */
static bool put_parts(assembling *x, buffer *name) {
    const char *program = x->layout->names[LAYOUT_PROGRAM];
    if (x->pickling != NULL) {
        put_member(x, name, program, x->wish->text);
    }
    TRY(put_state(x, name));
    if (x->pickling == NULL) {
        put_member(x, name, program, x->wish->text);
    }
    return put_inputs(x, name);
}

static bool put_members(assembling *x, buffer *name) {
    TRY(put_parts(x, name));
    if (!x->layout->folder) {
        put_version(x, name);
    }
    TRY(put_extras(x, name));
    if (x->layout->folder) {
        put_frame(x, name);
    }
    put_dates(x);
    const char *why = zipwrite_judge_names(&x->to->zip, &x->to->blamed);
    bool ok = why == NULL || refuse(x, x->to->blamed,
                                    "its name is another member's, or longer than PyTorch reads");
    return ok && (!x->to->zip.failed || refuse_memory(x));
}

/* -------------------------------------------------------------------------- assembly */

bool assembly_is_root(ep_bytes name) {
    size_t size;
    for (size_t i = 0; i < name.size; i += size) {
        bool ends = name.data[i] == '/' || name.data[i] == '\\';
        if (ends || !safe_next((ep_bytes){name.data + i, name.size - i}, &size)) {
            return false;
        }
    }
    return name.size > 0 && !bytes_equal(name, ".") && !bytes_equal(name, "..");
}

bool assemble(const assembly_wish *wish, assembly *a, failure *what) {
    const ep_version *version = ep_program_version(wish->program);
    assembling x = {.wish = wish,
                    .to = a,
                    .layout = layout_of(version),
                    .pickling = archive_takes_raw(version) ? NULL : pickling_of(version),
                    .what = what,
                    .room = wish->limit};
    buffer name = {0};
    *a = (assembly){.zip = {.pt2 = x.layout->folder}};
    arena_open(&x.arena, 0);
    bool ok = add_tensors(&x) && put_members(&x, &name);
    tensors_close_program(&x.reading);
    memory_free(x.order);
    memory_free(x.used);
    ep_arena_free(&x.arena);
    buffer_free(&name);
    return ok;
}

bool assembly_write(void *context, zipfile_take *put, void *sink, failure *what) {
    assembly *a = context;
    return io_settle(a->weights.from, zipwrite_all(&a->zip, put, sink, what), what);
}

void assembly_free(assembly *a) {
    zipwrite_free(&a->zip);
    save_free(&a->saved_weights);
    save_free(&a->saved_constants);
    raw_free(&a->weights);
    raw_free(&a->constants);
    for (size_t i = 0; i < a->held_count; i++) {
        buffer_free(&a->held[i]);
    }
    memory_free(a->held);
    buffer_free(&a->version);
    tensors_free(&a->tensors);
}
