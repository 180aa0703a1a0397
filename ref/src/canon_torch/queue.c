/*
 * canon_torch/queue.c - the priority queue of the nodes that are ready, the least key
 * first. A key is as long as its node's arguments, and a binary heap compares a node
 * with others many times. A few long keys with a long common prefix must not make that
 * slow. Every prefix of a key is therefore interned: equal prefixes have the same
 * number. Binary search then finds where two keys differ first. A key costs its length
 * once, in time and memory, and a comparison the logarithm of it.
 */
#include "canon_torch/canon_torch.h"

/* A prefix and the symbol after it, as a text for the map. */
typedef struct step {
    uint64_t prefix;
    uint64_t symbol;
} step;

static bool no_memory(const ep_torch_queue *queue) {
    return ep_torch_no_memory(queue->t);
}

static bool add_text(ep_torch_queue *queue, ep_ref ref) {
    ep_bytes text;
    uint32_t number;
    bool fresh;
    return (ep_ref_text(queue->t->arena, queue->t->input, ref, &text) &&
            ep_map_put(&queue->texts, text, &number, &fresh)) ||
           no_memory(queue);
}

static bool add_texts(ep_torch_queue *queue, uint64_t nodes) {
    const ep_fields *fields = &queue->t->fields;
    for (size_t i = 0; i < ep_list_count(nodes); i++) {
        const ep_node *node = ep_item_node(nodes, i);
        uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
        TRY(add_text(queue, ep_field_bits(fields, node, EP_F_Node_target)));
        for (size_t j = 0; j < ep_list_count(inputs); j++) {
            const ep_node *input = ep_item_node(inputs, j);
            TRY(add_text(queue, ep_field_bits(fields, input, EP_F_NamedArgument_name)));
        }
    }
    return true;
}

/* Finds the position of each text when sorted, from 1. */
static bool place_texts(ep_torch_queue *queue) {
    ep_arena *arena = queue->t->arena;
    size_t count = queue->texts.count;
    ep_torch_key *keys = ep_arena_array(arena, 0, count, sizeof *keys);
    queue->places = ep_arena_array(arena, 0, count, sizeof *queue->places);
    if (keys == NULL || queue->places == NULL) {
        return no_memory(queue);
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (ep_torch_key){.text = queue->texts.keys[i].text};
    }
    const uint32_t *order = ep_torch_order(queue->t, keys, count);
    TRY(order != NULL);
    for (size_t i = 0; i < count; i++) {
        queue->places[order[i]] = i + 1;
    }
    return true;
}

bool ep_torch_queue_open(ep_torch_queue *queue, ep_torch *t, uint64_t nodes) {
    size_t count = ep_list_count(nodes);
    *queue = (ep_torch_queue){.t = t};
    ep_map_init(&queue->texts, t->arena);
    ep_map_init(&queue->steps, t->arena);
    ep_stack_init(&queue->symbols, t->arena);
    ep_stack_init(&queue->path, t->arena);
    queue->paths = ep_arena_array(t->arena, 0, count, sizeof *queue->paths);
    queue->lengths = ep_arena_array(t->arena, 0, count, sizeof *queue->lengths);
    queue->heap = ep_arena_array(t->arena, 0, count, sizeof *queue->heap);
    if (queue->paths == NULL || queue->lengths == NULL || queue->heap == NULL) {
        return no_memory(queue);
    }
    return add_texts(queue, nodes) && place_texts(queue);
}

void ep_torch_queue_free(ep_torch_queue *queue) {
    ep_map_free(&queue->texts);
    ep_map_free(&queue->steps);
    ep_stack_free(&queue->symbols);
    ep_stack_free(&queue->path);
}

/* ---------------------------------------------------------------------- keys */

/* The number of a step, which is added if it is new. */
static bool number_of(ep_torch_queue *queue, step next, uint32_t *number) {
    bool fresh;
    *number = ep_map_find(&queue->steps, (ep_bytes){(const char *)&next, sizeof next});
    if (*number != EP_MAP_NONE) {
        return true;
    }
    step *kept = ep_arena_alloc(queue->t->arena, sizeof *kept);
    if (kept == NULL) {
        return no_memory(queue);
    }
    *kept = next;
    ep_bytes text = {(const char *)kept, sizeof *kept};
    return (ep_map_put(&queue->steps, text, number, &fresh) &&
            ep_stack_push(&queue->symbols, next.symbol)) ||
           no_memory(queue);
}

bool ep_torch_queue_number(ep_torch_queue *queue, uint64_t number) {
    ep_stack *path = &queue->path;
    uint64_t prefix = path->count == 0 ? EP_MAP_NONE : path->words[path->count - 1];
    uint32_t longer;
    TRY(number_of(queue, (step){prefix, number}, &longer));
    return ep_stack_push(path, longer) || no_memory(queue);
}

bool ep_torch_queue_text(ep_torch_queue *queue, ep_ref ref) {
    ep_arena *arena = queue->t->arena;
    ep_arena_mark mark = ep_arena_now(arena);
    ep_bytes text;
    if (!ep_ref_text(arena, queue->t->input, ref, &text)) {
        return no_memory(queue);
    }
    uint32_t number = ep_map_find(&queue->texts, text);
    ep_arena_rewind(arena, mark);
    return ep_torch_queue_number(queue, queue->places[number]);
}

/* ---------------------------------------------------------------------- heap */

/* Whether one node's key is less than another's. Of equal keys, that of the node that
 * stands first is less. If one key is a prefix of another, they are equal, because each
 * of the lists in a key ends with a mark. */
static bool is_less(const ep_torch_queue *queue, size_t a, size_t b) {
    const uint64_t *left = queue->paths[a];
    const uint64_t *right = queue->paths[b];
    size_t same = 0; /* prefixes of this length are equal */
    size_t end = queue->lengths[a] < queue->lengths[b] ? queue->lengths[a] : queue->lengths[b];
    while (same < end) { /* longer ones than this differ */
        size_t middle = same + (end - same) / 2;
        if (left[middle] == right[middle]) {
            same = middle + 1;
        } else {
            end = middle;
        }
    }
    if (same == queue->lengths[a]) {
        return a < b;
    }
    return queue->symbols.words[left[same]] < queue->symbols.words[right[same]];
}

bool ep_torch_queue_put(ep_torch_queue *queue, size_t node) {
    ep_stack *path = &queue->path;
    size_t size = path->count * sizeof(uint64_t);
    queue->paths[node] = ep_arena_alloc(queue->t->arena, size);
    if (queue->paths[node] == NULL) {
        return no_memory(queue);
    }
    memcpy(queue->paths[node], path->words, size);
    queue->lengths[node] = path->count;
    path->count = 0;
    size_t at = queue->count++;
    for (; at > 0 && is_less(queue, node, queue->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        queue->heap[at] = queue->heap[(at - 1) / 2];
    }
    queue->heap[at] = node;
    return true;
}

size_t ep_torch_queue_take(ep_torch_queue *queue) {
    size_t *heap = queue->heap;
    size_t least = heap[0];
    size_t node = heap[--queue->count];
    size_t at = 0;
    for (size_t child = 1; child < queue->count; child = 2 * at + 1) {
        if (child + 1 < queue->count && is_less(queue, heap[child + 1], heap[child])) {
            child++;
        }
        if (!is_less(queue, heap[child], node)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = node;
    return least;
}
