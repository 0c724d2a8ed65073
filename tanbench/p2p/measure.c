/* measure.c - what messages of many sizes cost, measured in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/host/progress.h"
#include "tanbench/p2p/contention.h"
#include "tanbench/p2p/sample.h"
#include "tanbench/ranks/stop.h"

enum {
    WARM_UP = 1,
    LEAST_PASSES = 12,
    FEWEST_PASSES = 3, /* when even these take long, */
    PATIENCE = 2,      /* so many times as long as they may */
};

void p2p_sizes_add(struct p2p_measurement *m, int64_t bytes)
{
    size_t i = m->n_sizes;
    while (i > 0 && m->size[i - 1] > bytes) {
        i--;
    }
    if ((i > 0 && m->size[i - 1] == bytes) || m->n_sizes == P2P_MOST_SIZES) {
        return;
    }
    memmove(&m->size[i + 1], &m->size[i], (m->n_sizes - i) * sizeof m->size[0]);
    m->size[i] = bytes;
    m->n_sizes++;
}

void p2p_sizes_default(struct p2p_measurement *m, int64_t most, bool between)
{
    const int64_t most_neighbours = 65536; /* beyond, a byte more cannot show */
    for (int64_t k = 1; k <= most; k *= 2) {
        p2p_sizes_add(m, k);
        if (between && k > 1 && k < most) {
            p2p_sizes_add(m, k + k / 2);
        }
        if (between && k > 1 && k <= most_neighbours) {
            p2p_sizes_add(m, k + 1);
        }
    }
}

static double least(double a, double b)
{
    return isnan(a) || b < a ? b : a;
}

static bool is_eager(struct p2p_link *link, int64_t bytes)
{
    const double patience = 1e-3; /* longer than a sender's core may be taken away */
    double delay = patience + 10.0 * 2.0 * p2p_half(link, bytes, 1);
    double send = NAN;
    for (int i = 0; i < 3; i++) {
        send = least(send, p2p_send_late(link, bytes, delay));
    }
    return send < delay / 2;
}

int64_t p2p_find_eager(struct p2p_link *link, int64_t most)
{
    int64_t low = 0; /* eager */
    int64_t high = most + 1;
    for (int64_t k = 1; k <= most && high > most; k *= 2) {
        if (is_eager(link, k)) {
            low = k;
        } else {
            high = k;
        }
    }
    while (high - low > 1 && low < most) {
        const int64_t middle = low + (high - low) / 2;
        if (is_eager(link, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double p2p_arrival(const struct tan_p2p *p, int64_t bytes)
{
    const double least = 10e-6;
    const double half = tan_p2p_at(p, TAN_P2P_HALF, bytes);
    return fmax(isfinite(half) ? 4.0 * half : 1e-3, least);
}

/* A generator is all that is wanted here: xorshift64* [Vigna 2016]. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static void shuffle(size_t *order, size_t n, uint64_t *state)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)(next(state) % i);
        const size_t other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

/* How the timings of a group are measured. */
struct way {
    void (*sample)(struct p2p_link *, const struct p2p_measurement *, size_t size,
                   double time[TAN_P2P_TIMINGS]);
    int first, end; /* timings of the group */
    double share;   /* of the time; predictions rest on the trips */
    const char *name;
};

static const struct way ways[P2P_GROUPS] = {
    [P2P_TRIPS] = {p2p_sample_trip, TAN_P2P_TRIP, TAN_P2P_TRIP + 1, 0.6, "trips"},
    [P2P_TRAINS] = {p2p_sample_trains, TAN_P2P_TRIP + 1, TAN_P2P_COLD, 0.25, "trains"},
    [P2P_COLD] = {p2p_sample_cold, TAN_P2P_COLD, TAN_P2P_TIMINGS, 0.15, "cold receives"},
};

/* Passes over all sizes, each for one group. */
struct run {
    struct p2p_link *link;
    const struct p2p_effort *effort;
    struct p2p_measurement *m;
    uint64_t state;           /* of the order of the sizes */
    size_t begun[P2P_GROUPS]; /* passes */
    double spent[P2P_GROUPS]; /* seconds */
};

static int check_stop(const struct run *run, struct tan_error *e)
{
    return stop_requested() || stop_check(run->link->world, e) < 0 ? tan_fail(e, "interrupted") : 0;
}

/* Carry messages both ways until the library and the system have grown the connection's buffers as
 * far as they do, which otherwise comes about at some time within the measurement. */
static int run_in(const struct run *run, struct tan_error *e)
{
    const double seconds = 0.2;
    const double begin = clock_seconds();
    if (!run->effort->quiet) {
        progress_show("messages, running in");
    }
    do {
        for (size_t i = 0; i < run->m->n_sizes; i++) {
            double computed;
            if (check_stop(run, e) < 0) {
                return -1;
            }
            p2p_half(run->link, run->m->size[i], 4);
            p2p_train(run->link, run->m->size[i], 4, 0.0, &computed);
        }
    } while (clock_seconds() - begin < seconds);
    return 0;
}

static void keep(struct p2p_measurement *m, size_t size, enum p2p_group group, size_t pass,
                 const double time[TAN_P2P_TIMINGS], struct p2p_look before, struct p2p_look after)
{
    struct p2p_look *look = p2p_looks(m, size, group, pass);
    look[0] = before;
    look[1] = after;
    for (int t = ways[group].first; t < ways[group].end; t++) {
        p2p_samples(m, size, (enum tan_p2p_timing)t)[pass] = time[t];
    }
}

/* Whether to wait for free cores no longer. */
static bool seen_free(const struct p2p_measurement *m)
{
    struct p2p_conditions c;
    struct tan_error ignored = TAN_ERROR_INIT;
    const bool failed = p2p_conditions_judge(m, NULL, &c, &ignored) < 0;
    const bool found = failed || p2p_conditions_quiet(&c, m);
    p2p_conditions_clear(&c);
    return found;
}

/* A pass over all sizes; the first is for warming up. */
static int run_pass(struct run *run, enum p2p_group group, struct tan_error *e)
{
    struct p2p_measurement *m = run->m;
    size_t order[P2P_MOST_SIZES];
    const bool kept = run->begun[group] >= WARM_UP;
    if (!run->effort->quiet) {
        progress_show("messages, %s, pass %zu", ways[group].name, run->begun[group] + 1);
    }
    for (size_t i = 0; i < m->n_sizes; i++) {
        order[i] = i;
    }
    shuffle(order, m->n_sizes, &run->state);
    struct p2p_look look = p2p_look(run->link);
    for (size_t i = 0; i < m->n_sizes; i++) {
        double time[TAN_P2P_TIMINGS];
        if (check_stop(run, e) < 0) {
            return -1;
        }
        ways[group].sample(run->link, m, order[i], time);
        const struct p2p_look before = look;
        look = p2p_look(run->link);
        if (kept) {
            keep(m, order[i], group, m->passes[group], time, before, look);
        }
    }
    m->passes[group] += kept;
    run->begun[group]++;
    return 0;
}

/* From a few trips. */
static int choose_trains(struct run *run, struct tan_error *e)
{
    struct p2p_measurement *m = run->m;
    while (m->passes[P2P_TRIPS] < FEWEST_PASSES) {
        if (run_pass(run, P2P_TRIPS, e) < 0) {
            return -1;
        }
    }
    for (size_t i = 0; i < m->n_sizes; i++) {
        double scratch[P2P_MOST_PASSES];
        m->train[i] = p2p_train_length(
            tan_p2p_undisturbed(p2p_samples(m, i, TAN_P2P_TRIP), m->passes[P2P_TRIPS], scratch));
    }
    return 0;
}

static int groups(const struct run *run)
{
    return run->effort->all ? P2P_GROUPS : P2P_TRIPS + 1;
}

/* Neighbours come and go within seconds, so groups take turns. P2P_GROUPS: there is no room. */
static int next_group(const struct run *run)
{
    double least_spent = INFINITY;
    int chosen = P2P_GROUPS;
    for (int group = P2P_TRIPS; group < groups(run); group++) {
        const double spent = run->spent[group] / ways[group].share;
        if (run->m->passes[group] < P2P_MOST_PASSES && spent < least_spent) {
            least_spent = spent;
            chosen = group;
        }
    }
    return chosen;
}

static double longest_seconds(const struct p2p_effort *effort)
{
    return effort->all ? effort->longest_seconds : effort->max_seconds;
}

static bool enough(const struct run *run, double elapsed)
{
    const struct p2p_effort *effort = run->effort;
    const size_t needed = elapsed > PATIENCE * effort->max_seconds ? FEWEST_PASSES : LEAST_PASSES;
    size_t fewest_passes = P2P_MOST_PASSES;
    for (int group = P2P_TRIPS; group < groups(run); group++) {
        const size_t passes = run->m->passes[group];
        fewest_passes = passes < fewest_passes ? passes : fewest_passes;
    }
    return elapsed > effort->max_seconds && fewest_passes >= needed &&
           (elapsed > longest_seconds(effort) || seen_free(run->m));
}

static int run_passes(struct run *run, struct tan_error *e)
{
    if (run_in(run, e) < 0) {
        return -1;
    }
    const double begin = clock_seconds();
    double before = begin;
    if (run->effort->all && choose_trains(run, e) < 0) {
        return -1;
    }
    for (int group = next_group(run); group < P2P_GROUPS && !enough(run, before - begin);
         group = next_group(run)) {
        /* Evenly over the time: a machine's moods last for seconds. */
        const double due =
            begin + longest_seconds(run->effort) * (double)run->m->passes[group] / P2P_MOST_PASSES;
        while (clock_seconds() < due && !stop_requested()) {
        }
        if (run_pass(run, (enum p2p_group)group, e) < 0) {
            return -1;
        }
        const double now = clock_seconds();
        run->spent[group] += now - before;
        before = now;
    }
    return 0;
}

/* Seconds that this thread could have run while its core was with others; NaN when the kernel does
 * not tell. */
static double time_lost(void)
{
    unsigned long long waited;
    FILE *f = fopen("/proc/thread-self/schedstat", "re");
    if (f == NULL) {
        return NAN;
    }
    const bool known = fscanf(f, "%*u %llu", &waited) == 1;
    fclose(f);
    return known ? 1e-9 * (double)waited : NAN;
}

int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e)
{
    const double begin = clock_seconds();
    const double lost = time_lost();
    m->sample = calloc(m->n_sizes * TAN_P2P_TIMINGS * P2P_MOST_PASSES, sizeof *m->sample);
    m->look = calloc(m->n_sizes * P2P_GROUPS * P2P_MOST_PASSES * 2, sizeof *m->look);
    if (m->sample == NULL || m->look == NULL) {
        return tan_fail_nomem(e);
    }
    memset(m->passes, 0, sizeof m->passes);
    struct run run = {.link = link, .effort = effort, .m = m, .state = effort->seed * 2 + 1};
    const int result = run_passes(&run, e);
    m->lost = (time_lost() - lost) / (clock_seconds() - begin);
    progress_show(NULL);
    return result;
}

void p2p_measurement_clear(struct p2p_measurement *m)
{
    free(m->sample);
    free(m->look);
    m->sample = NULL;
    m->look = NULL;
}
