/*
 * unpickle.c - see unpickle.h. The machine runs the opcodes of a pickle; what each does
 * is in unpickle_steps.c, and what calls of known functions make in rebuild.c.
 */
#include "unpickle_parts.h"

#include "common/memory.h"

static bool run(unpickler *m) {
    while (m->at.p < m->at.end) {
        unsigned char code = (unsigned char)*m->at.p++;
        m->row = &unpickler_rows[code];
        if (m->row->step == NULL) {
            return unpickler_malformed(m);
        }
        if (!operands_take(&m->at, m->row->argument, &m->o)) {
            break;
        }
        TRY(m->row->step(m));
        if (code == '.') {
            return true;
        }
    }
    return unpickler_refuse(m, "it ends early");
}

bool unpickle(ep_bytes data, unpickled *u) {
    unpickler m = {.u = u};
    *u = (unpickled){.why = NULL};
    if (data.size == 0) {
        u->why = "it is empty";
        return false;
    }
    m.at = cursor_of(data);
    m.memo_max = operands_memo_room(data.size);
    bool ok = run(&m);
    memory_free(m.stack.items);
    memory_free(m.memo.items);
    u->why = m.failed ? NULL : u->why;
    return ok;
}

void unpickled_free(unpickled *u) {
    memory_free(u->values);
    memory_free(u->links);
    memory_free(u->tensors);
    memory_free(u->storages);
    *u = (unpickled){.why = NULL};
}
