/* members.c - members of measurements as keys of results, written and read by the same tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/members.h"

#include <math.h>

#include "tanbench/sampling/sampling.h"

/* Of rates, shares etc. */
enum { DECIMALS = 6 };

#define ROW(key, type, member, kind)                                                               \
    {                                                                                              \
        key, offsetof(struct type, member), MEMBER_##kind                                          \
    }

const struct member tan_clock_members[] = {
    ROW("ranks", clock_quality, ranks, INT),
    ROW("shared", clock_quality, shared, INT),
    ROW("accuracy_us", clock_quality, accuracy, US),
    ROW("residual_us", clock_quality, residual, US),
    ROW("check_us", clock_quality, check, US),
    ROW("shared_offset_us", clock_quality, shared_off, US),
    ROW("offset_us", clock_quality, offset, US),
    ROW("drift_ppm", clock_quality, drift, PPM),
    ROW("round_trip_us", clock_quality, round_trip, US),
    {.key = NULL},
};

const struct member tan_flow_members[] = {
    ROW("sent", flow_result, sent, UINT64),
    ROW("received", flow_result, received, UINT64),
    ROW("whole", flow_result, waves, UINT64),
    ROW("partial", flow_result, partial, UINT64),
    ROW("queue_high", flow_result, queue_high, UINT32),
    ROW("window", flow_result, window, UINT32),
    {.key = NULL},
};

const struct member tan_stream_members[] = {
    ROW("duration_s", stream_result, duration, REAL),
    ROW("rate_per_s", stream_result, rate, REAL),
    ROW("closed_round_trip_us", stream_result, closed, US),
    ROW("latency_max_us", stream_result, latency_max, US),
    ROW("behind_us", stream_result, behind, US),
    ROW("blocked", stream_result, blocked, REAL),
    {.key = NULL},
};

const struct member tan_recovery_members[] = {
    ROW("wave", recovery, wave, INT),           ROW("process", recovery, node, INT),
    ROW("parent", recovery, parent, INT),       ROW("deadline_us", recovery, deadline, US),
    ROW("waited_us", recovery, waited, US),     ROW("noticed", recovery, noticed, INT),
    ROW("recovered", recovery, recovered, INT), {.key = NULL},
};

const struct member tan_step_members[] = {
    ROW("notice", recovery, seconds[STEP_NOTICE], US),
    ROW("reparent", recovery, seconds[STEP_REPARENT], US),
    ROW("resend", recovery, seconds[STEP_RESEND], US),
    {.key = NULL},
};

/* --- writing --- */

static json_t *member_json(const void *value, enum member_kind kind)
{
    switch (kind) {
    case MEMBER_INT:
        return json_integer(*(const int *)value);
    case MEMBER_UINT32:
        return json_integer(*(const uint32_t *)value);
    case MEMBER_UINT64:
        return json_integer((json_int_t) * (const uint64_t *)value);
    case MEMBER_US:
        return tan_json_us(*(const double *)value);
    case MEMBER_PPM:
        return tan_json_fixed(*(const double *)value * 1e6, DECIMALS);
    case MEMBER_REAL:
        return tan_json_fixed(*(const double *)value, DECIMALS);
    }
    return NULL;
}

void tan_members_set(struct tan_json_writer *w, json_t *o, const struct member *members,
                     const void *structure)
{
    for (const struct member *m = members; m->key != NULL; m++) {
        tan_json_set(w, o, m->key, member_json((const char *)structure + m->offset, m->kind));
    }
}

/* --- reading --- */

static int read_number(const struct tan_json_at *at, const struct member *m, double *to,
                       struct tan_error *e)
{
    if (json_is_null(json_object_get(at->object, m->key))) {
        *to = NAN;
        return 0;
    }
    if (tan_json_required(at, m->key, tan_json_real(at, m->key, -INFINITY, INFINITY, to, e), e) <
        0) {
        return -1;
    }
    *to /= m->kind == MEMBER_REAL ? 1.0 : 1e6;
    return 0;
}

static int read_member(const struct tan_json_at *at, const struct member *m, void *to,
                       struct tan_error *e)
{
    static const struct {
        int64_t min, max;
    } limits[] = {[MEMBER_INT] = {0, INT32_MAX},
                  [MEMBER_UINT32] = {0, UINT32_MAX},
                  [MEMBER_UINT64] = {0, INT64_MAX}};
    int64_t value = 0;
    if (m->kind >= MEMBER_US) {
        return read_number(at, m, to, e);
    }
    if (tan_json_required(
            at, m->key,
            tan_json_int(at, m->key, limits[m->kind].min, limits[m->kind].max, &value, e), e) < 0) {
        return -1;
    }
    switch (m->kind) {
    case MEMBER_INT:
        *(int *)to = (int)value;
        break;
    case MEMBER_UINT32:
        *(uint32_t *)to = (uint32_t)value;
        break;
    default:
        *(int64_t *)to = value;
    }
    return 0;
}

int tan_members_read(const struct tan_json_at *at, const struct member *members, void *structure,
                     struct tan_error *e)
{
    for (const struct member *m = members; m->key != NULL; m++) {
        if (read_member(at, m, (char *)structure + m->offset, e) < 0) {
            return -1;
        }
    }
    return 0;
}
