/* journal_record.c - parts of journal lines: samples, and what depends on the mode
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/journal_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- samples --- */

void tan_journal_set_samples(struct tan_json_writer *w, json_t *line, const char *key,
                             const double *seconds, size_t n)
{
    enum { DECIMALS = 10 }; /* far finer than any clock: values computed from them are the same */
    json_t *array = tan_json_set_array(w, line, key);

    for (size_t i = 0; i < n; i++) {
        tan_json_append(w, array, tan_json_fixed(seconds[i] * 1e6, DECIMALS));
    }
}

int tan_journal_read_samples(const struct tan_json_at *line, const char *key, double above,
                             double **seconds, size_t *n, struct tan_error *e)
{
    const json_t *array;
    if (tan_json_required(line, key, tan_json_array(line, key, &array, e), e) < 0) {
        return -1;
    }
    size_t there = json_array_size(array);
    if (*n == SIZE_MAX ? there == 0 : there != *n) {
        return *n == SIZE_MAX
                   ? tan_fail(e, "%s must hold at least one number", key)
                   : tan_fail(e, "%s must hold %zu numbers, as round_trips_us does", key, *n);
    }
    *n = there;
    *seconds = malloc(there * sizeof **seconds);
    if (*seconds == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < there; i++) {
        const json_t *value = json_array_get(array, i);
        double us = json_number_value(value);
        if (!json_is_number(value) || !(us > above)) {
            return isinf(above) ? tan_fail(e, "%s[%zu] must be a number", key, i)
                                : tan_fail(e, "%s[%zu] must be a number above %g", key, i, above);
        }
        (*seconds)[i] = us / 1e6;
    }
    return 0;
}

/* --- plain data --- */

enum kind { REAL, INT, INT64, UINT32, UINT64 };

/* A structure's member; times are in seconds, and null if unknown (NaN). */
struct member {
    const char *name; /* NULL ends the table */
    size_t offset;
    enum kind kind;
};

#define NAMED(text, type, member, kind)                                                            \
    {                                                                                              \
        text, offsetof(struct type, member), kind                                                  \
    }
#define MEMBER(type, member, kind) NAMED(#member, type, member, kind)

static const struct member clocks[] = {
    MEMBER(clock_quality, ranks, INT),       MEMBER(clock_quality, shared, INT),
    MEMBER(clock_quality, accuracy, REAL),   MEMBER(clock_quality, residual, REAL),
    MEMBER(clock_quality, check, REAL),      MEMBER(clock_quality, shared_off, REAL),
    MEMBER(clock_quality, offset, REAL),     MEMBER(clock_quality, drift, REAL),
    MEMBER(clock_quality, round_trip, REAL), {.name = NULL},
};

static const struct member flow[] = {
    MEMBER(flow_result, sent, UINT64),   MEMBER(flow_result, received, UINT64),
    MEMBER(flow_result, waves, UINT64),  MEMBER(flow_result, partial, UINT64),
    MEMBER(flow_result, late, UINT64),   MEMBER(flow_result, queue_high, UINT32),
    MEMBER(flow_result, window, UINT32), {.name = NULL},
};

static const struct member perf[] = {
    MEMBER(perf_totals, waves, UINT64),
    MEMBER(perf_totals, timed, UINT64),
    MEMBER(perf_totals, packets_in, UINT64),
    MEMBER(perf_totals, packets_out, UINT64),
    MEMBER(perf_totals, bytes_in, UINT64),
    MEMBER(perf_totals, bytes_out, UINT64),
    NAMED("idle", perf_totals, seconds[PERF_IDLE], REAL),
    NAMED("waiting", perf_totals, seconds[PERF_WAITING], REAL),
    NAMED("filter", perf_totals, seconds[PERF_FILTER], REAL),
    NAMED("sending", perf_totals, seconds[PERF_SENDING], REAL),
    NAMED("answering", perf_totals, seconds[PERF_ANSWERING], REAL),
    NAMED("rest", perf_totals, seconds[PERF_REST], REAL),
    MEMBER(perf_totals, cpu, REAL),
    {.name = NULL},
};

static const struct member stream[] = {
    MEMBER(stream_result, asked, REAL),
    MEMBER(stream_result, duration, REAL),
    MEMBER(stream_result, rate, REAL),
    MEMBER(stream_result, rate_low, REAL),
    MEMBER(stream_result, rate_high, REAL),
    MEMBER(stream_result, closed, REAL),
    MEMBER(stream_result, closed_work, REAL),
    MEMBER(stream_result, work, REAL),
    MEMBER(stream_result, bound, REAL),
    MEMBER(stream_result, behind, REAL),
    MEMBER(stream_result, blocked, REAL),
    MEMBER(stream_result, latencies, UINT64),
    MEMBER(stream_result, latency_max, REAL),
    MEMBER(stream_result, growth, INT64),
    {.name = NULL},
};

static const struct member recovery[] = {
    MEMBER(recovery, wave, INT),
    NAMED("process", recovery, node, INT),
    MEMBER(recovery, parent, INT),
    MEMBER(recovery, deadline, REAL),
    MEMBER(recovery, waited, REAL),
    MEMBER(recovery, noticed, INT),
    MEMBER(recovery, recovered, INT),
    NAMED("notice", recovery, seconds[STEP_NOTICE], REAL),
    NAMED("reparent", recovery, seconds[STEP_REPARENT], REAL),
    NAMED("resend", recovery, seconds[STEP_RESEND], REAL),
    {.name = NULL},
};

static json_t *member_json(const void *value, enum kind kind)
{
    switch (kind) {
    case REAL:
        return isfinite(*(const double *)value) ? json_real(*(const double *)value) : json_null();
    case INT:
        return json_integer(*(const int *)value);
    case INT64:
        return json_integer(*(const int64_t *)value);
    case UINT32:
        return json_integer(*(const uint32_t *)value);
    case UINT64:
        return json_integer((json_int_t) * (const uint64_t *)value);
    }
    return NULL;
}

static void set_members(struct tan_json_writer *w, json_t *o, const struct member *members,
                        const void *structure)
{
    for (const struct member *m = members; m->name != NULL; m++) {
        tan_json_set(w, o, m->name, member_json((const char *)structure + m->offset, m->kind));
    }
}

static void set_structure(struct tan_json_writer *w, json_t *line, const char *key,
                          const struct member *members, const void *structure)
{
    set_members(w, tan_json_set_object(w, line, key), members, structure);
}

static int read_member(const struct tan_json_at *at, const struct member *member, void *to,
                       struct tan_error *e)
{
    static const struct {
        int64_t min, max;
    } limits[] = {[INT] = {0, INT32_MAX},
                  [INT64] = {INT64_MIN, INT64_MAX},
                  [UINT32] = {0, UINT32_MAX},
                  [UINT64] = {0, INT64_MAX}};
    int64_t value = 0;
    if (member->kind == REAL && json_is_null(json_object_get(at->object, member->name))) {
        *(double *)to = NAN;
        return 0;
    }
    int found = member->kind == REAL ? tan_json_real(at, member->name, -INFINITY, INFINITY, to, e)
                                     : tan_json_int(at, member->name, limits[member->kind].min,
                                                    limits[member->kind].max, &value, e);

    if (tan_json_required(at, member->name, found, e) < 0) {
        return -1;
    }
    switch (member->kind) {
    case REAL:
        break;
    case INT:
        *(int *)to = (int)value;
        break;
    case INT64:
        *(int64_t *)to = value;
        break;
    case UINT32:
        *(uint32_t *)to = (uint32_t)value;
        break;
    case UINT64:
        *(uint64_t *)to = (uint64_t)value;
        break;
    }
    return 0;
}

/* Returns 1 if it was read, 0 if the key is absent. */
static int read_structure(const struct tan_json_at *line, const char *key,
                          const struct member *members, void *structure, struct tan_error *e)
{
    struct tan_json_at at = {.source = line->source, .path = key};
    int found = tan_json_object(line, key, &at.object, e);
    for (const struct member *m = members; found > 0 && m->name != NULL; m++) {
        if (read_member(&at, m, (char *)structure + m->offset, e) < 0) {
            return -1;
        }
    }
    return found;
}

/* --- modes --- */

void tan_journal_set_mode(struct tan_json_writer *w, json_t *line, const struct measurement *m)
{
    if (m->up != NULL) {
        tan_journal_set_samples(w, line, "up_us", m->up, m->n);
        tan_journal_set_samples(w, line, "down_us", m->down, m->n);
        tan_journal_set_samples(w, line, "late_us", m->late, m->n);
    }
    if (m->clocks.ranks > 0) {
        set_structure(w, line, "clocks", clocks, &m->clocks);
    }
    if (m->flow.window > 0) {
        set_structure(w, line, "flow", flow, &m->flow);
    }
    if (m->stream.duration > 0) {
        set_structure(w, line, "stream", stream, &m->stream);
    }
    if (m->heal.n_recoveries > 0) {
        set_structure(w, line, "recovery", recovery, &m->heal.recoveries[0]);
        tan_journal_set_samples(w, line, "healed_us", m->heal.healed, m->heal.n_healed);
    }
    if (m->perf != NULL) {
        json_t *processes = tan_json_set_array(w, line, "perf");
        for (int i = 0; i < m->n_perf; i++) {
            set_members(w, tan_json_append_object(w, processes), perf, &m->perf[i]);
        }
    }
}

static int read_perf(const struct tan_json_at *line, struct measurement *m, struct tan_error *e)
{
    const json_t *array;
    int found = tan_json_array(line, "perf", &array, e);
    if (found <= 0) {
        return found;
    }
    m->n_perf = (int)json_array_size(array);
    m->perf = calloc((size_t)m->n_perf + 1, sizeof *m->perf);
    if (m->perf == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < m->n_perf; i++) {
        char path[TAN_JSON_PATH];
        struct tan_json_at row;
        if (tan_json_row(line, "perf", array, (size_t)i, path, &row, e) < 0) {
            return -1;
        }
        for (const struct member *member = perf; member->name != NULL; member++) {
            if (read_member(&row, member, (char *)&m->perf[i] + member->offset, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int read_ways(const struct tan_json_at *line, struct measurement *m, struct tan_error *e)
{
    return tan_journal_read_samples(line, "up_us", -INFINITY, &m->up, &m->n, e) < 0 ||
                   tan_journal_read_samples(line, "down_us", -INFINITY, &m->down, &m->n, e) < 0 ||
                   tan_journal_read_samples(line, "late_us", -INFINITY, &m->late, &m->n, e) < 0
               ? -1
               : 0;
}

/* Nothing is healed if no leaf is left. */
static int read_recovery(const struct tan_json_at *line, struct heal_result *h, struct tan_error *e)
{
    const json_t *healed;
    h->recoveries = calloc(1, sizeof *h->recoveries);
    if (h->recoveries == NULL) {
        return tan_fail_nomem(e);
    }
    h->n_recoveries = 1;
    if (tan_json_required(line, "recovery",
                          read_structure(line, "recovery", recovery, h->recoveries, e), e) < 0 ||
        tan_json_required(line, "healed_us", tan_json_array(line, "healed_us", &healed, e), e) <
            0) {
        return -1;
    }
    h->n_healed = json_array_size(healed);
    return tan_journal_read_samples(line, "healed_us", 0, &h->healed, &h->n_healed, e);
}

static int read_stream(const struct tan_json_at *line, struct measurement *m, struct tan_error *e)
{
    if (tan_json_required(line, "stream", read_structure(line, "stream", stream, &m->stream, e),
                          e) < 0) {
        return -1;
    }
    return m->stream.rate > 0 && m->stream.closed > 0
               ? 0
               : tan_fail(e, "stream: rate and closed must be above 0");
}

int tan_journal_read_mode(const struct tan_json_at *line, const char *mode, struct measurement *m,
                          struct tan_error *e)
{
    if (read_structure(line, "clocks", clocks, &m->clocks, e) < 0 ||
        read_structure(line, "flow", flow, &m->flow, e) < 0 || read_perf(line, m, e) < 0) {
        return -1;
    }
    if (strcmp(mode, "oneway") == 0) {
        return read_ways(line, m, e);
    }
    if (strcmp(mode, "failures") == 0) {
        return read_recovery(line, &m->heal, e);
    }
    return strcmp(mode, "stream") != 0 ? 0 : read_stream(line, m, e);
}
