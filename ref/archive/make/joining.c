/*
 * joining.c - see joining.h. SPEC 8.7.2
 */
#include "joining.h"

#include <string.h>

#include "archive/state/member_hash.h"
#include "common/refusal.h"

/* What a line says of a member that was taken out. */
typedef struct taken {
    uint64_t position;
    uint64_t size;
    ep_bytes hex;
    uint32_t date;
} taken;

/* A stripped archive that is gone through, and its text beside it. */
typedef struct merging {
    const archive *a;
    const zipfile *weights;
    const zipfile_member *said; /* the text's member */
    name_list names;            /* of the weights, sorted: count is which one */
    size_t next;                /* member of the archive that has no place yet */
    lines l;
    buffer name;
    joining *j;
    failure *what;
} merging;

static bool refuse(merging *m, ep_bytes member, const char *why) {
    buffer_clear(&m->j->blamed);
    buffer_put(&m->j->blamed, member.data, member.size);
    return m->j->blamed.failed ? refuse_plainly(m->what, EP_MEMORY) : refuse_invalid(m->what, why);
}

static bool refuse_line(merging *m, const char *why) {
    m->j->line = m->l.number;
    return refuse(m, m->said->name, why);
}

static bool refuse_weight(merging *m, const char *why) {
    m->j->is_of_weights = true;
    return refuse(m, buffer_bytes(&m->name), why);
}

static bool refuse_memory(const merging *m) {
    return refuse_plainly(m->what, EP_MEMORY);
}

/* --------------------------------------------------------------------------------- members */

/* The members of the archive that stand before a position. */
static bool keep_until(merging *m, uint64_t position) {
    const zipfile *z = &m->a->zip;
    m->j->zip.from = z;
    for (; m->next < z->count && m->j->zip.count < position; m->next++) {
        const zipfile_member *old = &z->members[m->next];
        if (old == m->said) {
            continue;
        }
        zipwrite_member *made = zipwrite_copy(&m->j->zip, old->name, old);
        if (made == NULL) {
            return refuse_memory(m);
        }
        made->date = old->date;
    }
    return true;
}

/* The weights may have been changed since, or be another model's. */
static bool take(merging *m, const taken *t) {
    char hex[DIGEST_HEX_SIZE + 1];
    const name_item *found = names_find(&m->names, buffer_bytes(&m->name));
    if (found == NULL) {
        return refuse_weight(m, "it is not there, and was taken out of the archive");
    }
    const zipfile_member *member = &m->weights->members[found->count];
    bool same = member->size == t->size;
    if (same && !member_hash(m->weights, member, hex, m->what)) {
        m->j->is_of_weights = true;
        return false;
    }
    if (!same || memcmp(hex, t->hex.data, DIGEST_HEX_SIZE) != 0) {
        return refuse_weight(m, "it is not what was taken out of the archive");
    }
    m->j->zip.from = m->weights;
    zipwrite_member *made = zipwrite_copy(&m->j->zip, buffer_bytes(&m->name), member);
    if (made == NULL) {
        return refuse_memory(m);
    }
    made->date = t->date;
    return true;
}

/* ------------------------------------------------------------------------------------ lines */

static bool merge_line(merging *m) {
    taken t = {.date = 0};
    lines *l = &m->l;
    bool read = lines_number(l, &t.position) && lines_number(l, &t.size) && lines_word(l, &t.hex) &&
                t.hex.size == DIGEST_HEX_SIZE && (m->j->zip.pt2 || lines_date(l, &t.date)) &&
                lines_name(l, &m->name);
    if (m->name.failed) {
        return refuse_memory(m);
    }
    if (!read) {
        return refuse_line(m, "it is no line that epref strip writes");
    }
    const char *why = zipfile_judge_name(buffer_bytes(&m->name), t.size);
    if (why != NULL) {
        return refuse_line(m, why);
    }
    TRY(keep_until(m, t.position));
    return m->j->zip.count == t.position ? take(m, &t)
                                         : refuse_line(m, "there is no such position left");
}

static bool merge(merging *m) {
    const char *why = lines_open(&m->l, buffer_bytes(&m->j->text));
    if (why == NULL && !(lines_next(&m->l) && bytes_equal(m->l.line, stripping_title))) {
        why = "it is no text that epref strip writes";
    }
    if (why != NULL) {
        return refuse_line(m, why);
    }
    while (lines_next(&m->l)) {
        TRY(merge_line(m));
    }
    return keep_until(m, UINT64_MAX);
}

static bool judge_names(merging *m) {
    ep_bytes name;
    const char *why = zipwrite_judge_names(&m->j->zip, &name);
    if (m->j->zip.failed) {
        return refuse_memory(m);
    }
    return why == NULL || refuse(m, name, "two members would have this name");
}

static bool prepare(merging *m, size_t limit) {
    const zipfile *z = m->weights;
    if (m->said->size > limit) {
        return refuse_plainly(m->what, EP_LIMIT_BYTES);
    }
    for (size_t i = 0; i < z->count; i++) {
        names_add(&m->names, (name_item){.name = z->members[i].name, .count = i});
    }
    names_sort(&m->names);
    return m->names.failed ? refuse_memory(m)
                           : zipfile_read_all(&m->a->zip, m->said, limit, &m->j->text, m->what);
}

bool joining_plan(const archive *stripped, const zipfile *weights, size_t limit, joining *j,
                  failure *what) {
    merging m = {.a = stripped, .weights = weights, .j = j, .what = what};
    container style;
    *j = (joining){.line = 0};
    m.said = archive_stripped(stripped);
    if (m.said == NULL) {
        return refuse(&m, (ep_bytes){"", 0}, "it is not stripped");
    }
    TRY(container_of(&stripped->zip, &style, what));
    if (style == CONTAINER_OTHER) {
        return refuse(&m, (ep_bytes){"", 0}, "no release writes such a zip, nor does epref strip");
    }
    j->zip = (zipwrite){.pt2 = style == CONTAINER_PT2};
    bool ok = prepare(&m, limit) && merge(&m) && judge_names(&m) &&
              zipfile_verify(&stripped->zip, NULL, limit, NULL, what);
    names_free(&m.names);
    buffer_free(&m.name);
    return ok;
}

void joining_free(joining *j) {
    zipwrite_free(&j->zip);
    buffer_free(&j->text);
    buffer_free(&j->blamed);
}
