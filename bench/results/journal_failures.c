/* journal_failures.c - what journal lines keep of failures and recoveries
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/journal_failures.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "bench/results/journal_record.h"
#include "topo/tree.h"

/* --- writing --- */

static void set_set(struct tan_json_writer *w, json_t *o, const char *key,
                    const struct leaf_set *set)
{
    json_t *array = tan_json_set_array(w, o, key);
    for (size_t i = 0; i < set->n; i++) {
        tan_json_append(w, array, json_integer(set->list[i].first));
        tan_json_append(w, array, json_integer(set->list[i].last));
    }
}

static void append_recovery(struct tan_json_writer *w, json_t *array, const struct recovery *r)
{
    json_t *o = tan_json_append_object(w, array);
    json_t *steps = tan_json_set_array(w, o, "steps");
    json_t *silent = tan_json_set_array(w, o, "silent");
    tan_json_set_int(w, o, "wave", r->wave);
    for (int i = 0; i < r->n_steps; i++) {
        json_t *step = tan_json_append_object(w, steps);
        tan_json_set_int(w, step, "kind", r->steps[i].kind);
        tan_json_set_int(w, step, "found", r->steps[i].found);
        tan_json_set_real(w, step, "seconds", r->steps[i].seconds);
    }
    for (int i = 0; i < r->n_silent; i++) {
        json_t *process = tan_json_append_object(w, silent);
        tan_json_set_int(w, process, "process", r->silent[i].node);
        tan_json_set_int(w, process, "parent", r->silent[i].parent);
        tan_json_set_real(w, process, "waited", r->silent[i].waited);
    }
    set_set(w, o, "partial", &r->partial);
    set_set(w, o, "complete", &r->complete);
}

void tan_journal_set_failures(struct tan_json_writer *w, json_t *line, const struct heal_result *h)
{
    json_t *o = tan_json_set_object(w, line, "failures");
    json_t *recoveries = tan_json_set_array(w, o, "recoveries");
    for (int i = 0; i < h->n_recoveries; i++) {
        append_recovery(w, recoveries, &h->recoveries[i]);
    }
    set_set(w, o, "leaves", &h->leaves);
    tan_json_set_int(w, o, "suspected", (json_int_t)h->suspected);
    tan_json_set_int(w, o, "late", (json_int_t)h->late);
    tan_json_set_real(w, o, "overrun", h->overrun);
    if (h->n_healed > 0) {
        tan_journal_set_samples(w, o, "healed_us", h->healed, h->n_healed);
    }
}

/* --- reading --- */

static int required_int(const struct tan_json_at *at, const char *key, int64_t least, int64_t most,
                        int64_t *value, struct tan_error *e)
{
    return tan_json_required(at, key, tan_json_int(at, key, least, most, value, e), e);
}

static int required_seconds(const struct tan_json_at *at, const char *key, double *value,
                            struct tan_error *e)
{
    return tan_json_required(at, key, tan_json_real(at, key, 0, INFINITY, value, e), e);
}

static int read_set(const struct tan_json_at *at, const char *key, struct leaf_set *set,
                    struct tan_error *e)
{
    const json_t *array;
    if (tan_json_required(at, key, tan_json_array(at, key, &array, e), e) < 0) {
        return -1;
    }
    const struct tan_json_at below = tan_json_below(at, key, array);
    for (size_t i = 0; i + 1 < json_array_size(array); i += 2) {
        int64_t first;
        int64_t last;
        if (tan_json_int_at(&below, i, 0, TAN_TREE_MAX_NODES, &first, e) < 0 ||
            tan_json_int_at(&below, i + 1, first, TAN_TREE_MAX_NODES, &last, e) < 0 ||
            tan_leaf_set_add(set, (struct leaf_range){(uint32_t)first, (uint32_t)last}, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int read_step(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    struct recovery *r = to;
    struct step step;
    int64_t kind;
    int64_t found;
    if (required_int(row, "kind", 0, STEPS - 1, &kind, e) < 0 ||
        required_int(row, "found", 0, r->n_silent, &found, e) < 0 ||
        required_seconds(row, "seconds", &step.seconds, e) < 0) {
        return -1;
    }
    step.kind = (int32_t)kind;
    step.found = (int32_t)found;
    if (TAN_ONE_MORE(r->steps, r->n_steps) < 0) {
        return tan_fail_nomem(e);
    }
    r->steps[r->n_steps++] = step;
    return 0;
}

static int read_silent(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    struct recovery *r = to;
    struct silent silent;
    int64_t node;
    int64_t parent;
    if (required_int(row, "process", 1, TAN_TREE_MAX_NODES, &node, e) < 0 ||
        required_int(row, "parent", 0, TAN_TREE_MAX_NODES, &parent, e) < 0 ||
        required_seconds(row, "waited", &silent.waited, e) < 0) {
        return -1;
    }
    silent.node = (int32_t)node;
    silent.parent = (int32_t)parent;
    if (TAN_ONE_MORE(r->silent, r->n_silent) < 0) {
        return tan_fail_nomem(e);
    }
    r->silent[r->n_silent++] = silent;
    return 0;
}

/* All that the steps find must be there. */
static int check_steps(const struct recovery *r, struct tan_error *e)
{
    int64_t found = 0;
    for (int i = 0; i < r->n_steps; i++) {
        found += r->steps[i].found;
    }
    return found == r->n_silent ? 0 : tan_fail(e, "steps: not as many found as are silent");
}

static int read_recovery(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    struct heal_result *h = to;
    struct recovery *r;
    int64_t wave;
    if (TAN_ONE_MORE(h->recoveries, h->n_recoveries) < 0) {
        return tan_fail_nomem(e);
    }
    r = &h->recoveries[h->n_recoveries++];
    *r = (struct recovery){.wave = 0};
    if (required_int(row, "wave", INT32_MIN, INT32_MAX, &wave, e) < 0) {
        return -1;
    }
    r->wave = (int32_t)wave;
    return tan_json_rows(row, "silent", SIZE_MAX, read_silent, r, e) < 0 ||
                   tan_json_rows(row, "steps", SIZE_MAX, read_step, r, e) < 0 ||
                   check_steps(r, e) < 0 || read_set(row, "partial", &r->partial, e) < 0 ||
                   read_set(row, "complete", &r->complete, e) < 0
               ? -1
               : 0;
}

int tan_journal_read_failures(const struct tan_json_at *line, struct heal_result *h,
                              struct tan_error *e)
{
    struct tan_json_at at = {.source = line->source, .path = "failures"};
    int64_t suspected;
    int64_t late;
    if (tan_json_required(line, "failures", tan_json_object(line, "failures", &at.object, e), e) <
            0 ||
        tan_json_rows(&at, "recoveries", SIZE_MAX, read_recovery, h, e) < 0 ||
        read_set(&at, "leaves", &h->leaves, e) < 0 ||
        required_int(&at, "suspected", 0, INT64_MAX, &suspected, e) < 0 ||
        required_int(&at, "late", 0, INT64_MAX, &late, e) < 0 ||
        required_seconds(&at, "overrun", &h->overrun, e) < 0) {
        return -1;
    }
    h->suspected = (uint64_t)suspected;
    h->late = (uint64_t)late;
    h->n_healed = SIZE_MAX;
    if (json_object_get(at.object, "healed_us") == NULL) {
        h->n_healed = 0;
        return 0;
    }
    return tan_journal_read_samples(&at, "healed_us", 0, &h->healed, &h->n_healed, e);
}
