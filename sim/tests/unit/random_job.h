/* random_job.h - random schedules with known properties
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TESTS_UNIT_RANDOM_JOB_H
#define TAN_SIM_TESTS_UNIT_RANDOM_JOB_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/noise.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "tests/unit/check.h"

enum { RANKS = 6, UNITS = 3, OPS = 160, EDGES = 4 * OPS };

struct edge {
    uint32_t op, on;
    enum tan_requires when;
};

/* Operations rank by rank, as the sealed schedule numbers them. */
struct job {
    uint32_t ranks, n, first[RANKS + 1], rank[OPS];
    struct tan_op_spec op[OPS];
    struct edge edge[EDGES];
    uint32_t n_edges;
    struct tan_sim_params p;
    uint32_t host_of[RANKS];
};

static uint64_t dice_state;

/* 0 .. n - 1 */
static uint32_t dice(uint32_t n)
{
    dice_state = dice_state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(((dice_state >> 32) * n) >> 32);
}

static bool one_in(uint32_t n)
{
    return dice(n) == 0;
}

/* Random jobs */

/* With ties, times are a few small numbers, so that much happens at once; else any. */
struct kind {
    bool ties, handshake, in_calls;
    const struct tan_noise *noise;
};

static uint64_t some_time(const struct kind *kind)
{
    static const uint64_t few[] = {0, 1, 2, 5, 10, 40};
    return kind->ties ? few[dice(6)] : 1 + dice(1000000);
}

static struct tan_link some_link(const struct kind *kind)
{
    const double unit = kind->ties ? 1 : 64;
    struct tan_link link = {.L = some_time(kind),
                            .o = some_time(kind),
                            .g = some_time(kind),
                            .G = dice(13) / 4.0 * unit,
                            .O = dice(9) / 4.0 * unit};
    if (dice(3) == 0) { /* another overhead at the receiver */
        link.o_more = (int64_t)some_time(kind) - (int64_t)link.o;
    }
    return link;
}

static void make_params(struct job *j, const struct kind *kind)
{
    struct tan_sim_params *p = &j->p;
    *p = (struct tan_sim_params){.within = some_link(kind), .between = some_link(kind)};
    if (kind->ties && one_in(8)) {
        p->within = p->between = (struct tan_link){.L = p->between.L, .g = p->between.g};
    }
    p->S = dice(2) ? 16 : UINT64_MAX;
    p->control = some_time(kind);
    if (kind->handshake) {
        static const enum tan_handshake some[] = {TAN_HANDSHAKE_RAT, TAN_HANDSHAKE_RTA,
                                                  TAN_HANDSHAKE_FETCH};
        p->handshake = some[dice(3)];
        p->in_calls = kind->in_calls && one_in(2);
    }
    p->ranks_per_host = dice(4);
    if (one_in(3)) {
        for (uint32_t r = 0; r < RANKS; r++) {
            j->host_of[r] = dice(3);
        }
        p->host_of = j->host_of;
    }
    p->noise = dice(2) ? kind->noise : NULL;
}

/* Partners that find each other, most of them; some operations are missing, some have wildcards. */
static void make_ops(struct job *j, const struct kind *kind)
{
    static const uint64_t sizes[] = {0, 1, 2, 8, 16, 17, 100};
    const uint32_t units = 1 + dice(UNITS), tags = 1 + dice(3), wild = dice(2) ? 0 : 1 + dice(4);
    const uint32_t pairs = 1 + dice(1 + dice(OPS / 2 - 1)), lost = dice(2) ? 0 : 10;
    const bool incast = one_in(3);
    struct tan_op_spec op[RANKS][OPS];
    uint32_t n[RANKS] = {0};
    for (uint32_t i = 0; i < pairs; i++) {
        const uint32_t from = dice(j->ranks), to = incast ? 0 : dice(j->ranks);
        const uint8_t cpu = (uint8_t)(dice(2) * dice(units)),
                      nic = (uint8_t)(dice(2) * dice(units));
        if (one_in(3)) {
            op[from][n[from]++] =
                (struct tan_op_spec){.kind = TAN_OP_CALC, .amount = some_time(kind), .cpu = cpu};
            continue;
        }
        struct tan_op_spec o = {.kind = TAN_OP_SEND,
                                .amount = sizes[dice(7)],
                                .peer = to,
                                .tag = dice(tags),
                                .cpu = cpu,
                                .nic = nic};
        const uint32_t tag = o.tag;
        if (lost == 0 || !one_in(lost)) {
            o.tag = wild > 0 && one_in(4 * wild) ? TAN_ANY_TAG : tag;
            op[from][n[from]++] = o;
        }
        if (lost == 0 || !one_in(lost)) {
            o.kind = TAN_OP_RECV;
            o.tag = wild > 0 && one_in(wild) ? TAN_ANY_TAG : tag;
            o.peer = wild > 0 && one_in(wild) ? TAN_ANY_SOURCE : from;
            o.amount = one_in(5) ? sizes[dice(7)] : o.amount;
            o.cpu = (uint8_t)(dice(2) * dice(units));
            o.nic = (uint8_t)(dice(2) * dice(units));
            op[to][n[to]++] = o;
        }
    }
    for (uint32_t r = 0; r < j->ranks; r++) {
        j->first[r] = j->n;
        for (uint32_t i = 0; i < n[r]; i++) {
            j->rank[j->n] = r;
            j->op[j->n++] = op[r][i];
        }
    }
    j->first[j->ranks] = j->n;
}

/* Within a rank later operations wait for earlier ones, or, in some jobs, for any that does not
 * close a circle. */
static void make_edges(struct job *j)
{
    for (uint32_t r = 0; r < j->ranks; r++) {
        const uint32_t first = j->first[r], often = dice(4);
        const bool hub = one_in(5), backward = one_in(4);
        for (uint32_t i = first + 1; i < j->first[r + 1]; i++) {
            for (uint32_t k = dice(2) * dice(often + 1); k > 0 && j->n_edges < EDGES; k--) {
                const uint32_t other = hub ? first : first + dice(i - first);
                j->edge[j->n_edges++] =
                    (struct edge){.op = backward ? other : i,
                                  .on = backward ? i : other,
                                  .when = one_in(3) ? TAN_AFTER_START : TAN_AFTER_FINISH};
            }
        }
    }
    /* What is released at once takes its turn in the order in which this is said. */
    for (uint32_t i = j->n_edges; i > 1; i--) {
        const uint32_t k = dice(i);
        const struct edge swap = j->edge[k];
        j->edge[k] = j->edge[i - 1];
        j->edge[i - 1] = swap;
    }
}

static void make_job(struct job *j, const struct kind *kind, uint64_t seed)
{
    memset(j, 0, sizeof *j);
    dice_state = seed * 0x9e3779b97f4a7c15;
    j->ranks = 1 + dice(RANKS);
    make_params(j, kind);
    make_ops(j, kind);
    make_edges(j);
}

static struct tan_schedule *build(const struct job *j)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(j->ranks, false, &e);
    for (uint32_t r = 0; r < j->ranks; r++) {
        uint32_t index;
        tan_schedule_rank(b, r, &e);
        for (uint32_t op = j->first[r]; op < j->first[r + 1]; op++) {
            tan_schedule_add(b, &j->op[op], 0, &index, &e);
        }
        for (uint32_t i = 0; i < j->n_edges; i++) {
            const struct edge *edge = &j->edge[i];
            if (j->rank[edge->op] == r) {
                tan_schedule_require(b, edge->op - j->first[r], edge->on - j->first[r], edge->when,
                                     &e);
            }
        }
        tan_schedule_rank_end(b, NULL, &e);
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

#endif
