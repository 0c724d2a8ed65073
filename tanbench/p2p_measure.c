/* p2p_measure.c - what messages of many sizes cost, measured in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p_measure.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/clock.h"
#include "tanbench/p2p_conditions.h"
#include "tanbench/progress.h"
#include "tanbench/stop.h"

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

/* Messages in a train: fewer of those that take long. */
static int train_length(double half)
{
    return half < 50e-6 ? 16 : half < 500e-6 ? 5 : 3;
}

enum { MOST_REPEATS = 5, SLOW_REPEATS = 3 };
static const double slow = 50e-6; /* half trips */

static double middle(double *value, int n)
{
    gsl_sort(value, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(value, 1, (size_t)n);
}

/* So many round trips take so long; at least one, at most a hundred. */
static int trips_in(double seconds, double half)
{
    return (int)fmin(fmax(seconds / (2.0 * half), 1.0), 100.0);
}

/* One sample of the half trip. */
static void measure_trip(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                         double time[TAN_P2P_TIMINGS])
{
    const double batch = 30e-6; /* so long that reading the clock does not count */
    /* Until all of the library's buffers that messages of this size go through in turn are in the
     * caches, which the size before has left in another state. */
    const double warm_up = 300e-6;
    const double rough =
        p2p_half(link, m->size[size], trips_in(warm_up, p2p_half(link, m->size[size], 1)));
    const int trips = trips_in(batch, rough);
    const int repeats = rough < slow ? MOST_REPEATS : SLOW_REPEATS;
    double value[MOST_REPEATS] = {0};
    for (int i = 0; i < repeats; i++) {
        value[i] = p2p_half(link, m->size[size], trips);
    }
    time[TAN_P2P_TRIP] = middle(value, repeats);
}

/* One sample of everything else. */
static void measure_trains(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                           double time[TAN_P2P_TIMINGS])
{
    const int64_t bytes = m->size[size];
    const int train = m->train[size];
    const double half = tan_p2p_undisturbed(p2p_samples(m, size, TAN_P2P_TRIP),
                                            m->passes[P2P_TRIPS], (double[P2P_MOST_PASSES]){0});
    const double delay = 2.0 * 2.0 * half; /* twice PRTT(1,0,s) */
    const int repeats = half < slow ? (MOST_REPEATS + 1) / 2 : SLOW_REPEATS;
    const struct p2p_data received = p2p_bytes_to_receive(link, bytes);
    double value[TAN_P2P_TIMINGS][MOST_REPEATS] = {{0}};
    for (int i = 0; i < repeats; i++) {
        double computed;
        value[TAN_P2P_ONE][i] = p2p_train(link, bytes, 1, 0.0, &computed);
        value[TAN_P2P_TRAIN][i] = p2p_train(link, bytes, train, 0.0, &computed);
        const double spaced = p2p_train(link, bytes, train, delay, &computed);
        value[TAN_P2P_SPACED][i] = spaced - computed;
        value[TAN_P2P_LATE][i] = p2p_receive_kind(link, &p2p_kinds[0], &received, bytes, delay);
    }
    for (int t = TAN_P2P_TRIP + 1; t < TAN_P2P_TIMINGS; t++) {
        time[t] = middle(value[t], repeats);
    }
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

/* Passes over one kind of timings. */
struct round {
    void (*measure)(struct p2p_link *, const struct p2p_measurement *, size_t size,
                    double time[TAN_P2P_TIMINGS]);
    enum p2p_phase phase;
    int first, end; /* timings that it measures */
    double seconds;
    double longest; /* the same, until most sizes have been seen on free cores */
    size_t most;
};

static void keep(struct p2p_measurement *m, size_t size, const struct round *round, size_t pass,
                 const double time[TAN_P2P_TIMINGS], struct p2p_look before, struct p2p_look after)
{
    struct p2p_look *look = p2p_looks(m, size, round->phase, pass);
    look[0] = before;
    look[1] = after;
    for (int t = round->first; t < round->end; t++) {
        p2p_samples(m, size, (enum tan_p2p_timing)t)[pass] = time[t];
    }
}

/* Whether to wait for free cores no longer. */
static bool seen_free(const struct p2p_measurement *m, size_t passes)
{
    struct p2p_measurement trips = *m;
    struct p2p_conditions c;
    struct tan_error ignored = TAN_ERROR_INIT;
    trips.passes[P2P_TRIPS] = passes;
    const bool failed = p2p_conditions_judge(&trips, NULL, &c, &ignored) < 0;
    const bool found = failed || p2p_conditions_quiet(&c, &trips);
    p2p_conditions_clear(&c);
    return found;
}

/* Returns the number of passes kept, 0 with an error when the job was told to stop. */
static size_t run_passes(struct p2p_link *link, const struct p2p_effort *effort,
                         const struct round *round, struct p2p_measurement *m, uint64_t *state,
                         struct tan_error *e)
{
    size_t order[P2P_MOST_SIZES];
    const double begin = clock_seconds();
    size_t pass = 0;
    for (size_t i = 0; i < m->n_sizes; i++) {
        order[i] = i;
    }
    for (; pass < WARM_UP + round->most; pass++) {
        /* Evenly over the time: a machine's moods last for seconds. */
        const double due = begin + round->longest * (double)pass / (double)round->most;
        while (clock_seconds() < due && !stop_requested()) {
        }
        const double elapsed = clock_seconds() - begin;
        const size_t enough = elapsed > PATIENCE * round->seconds ? FEWEST_PASSES : LEAST_PASSES;
        if (pass >= WARM_UP + enough && elapsed > round->seconds &&
            (elapsed > round->longest || seen_free(m, pass - WARM_UP))) {
            break;
        }
        if (!effort->quiet) {
            progress_show("messages, %s, pass %zu",
                          round->first == TAN_P2P_TRIP ? "trips" : "trains", pass + 1);
        }
        shuffle(order, m->n_sizes, state);
        struct p2p_look look = p2p_look(link);
        for (size_t i = 0; i < m->n_sizes; i++) {
            double time[TAN_P2P_TIMINGS];
            if (stop_requested() || stop_check(link->world, e) < 0) {
                tan_fail(e, "interrupted");
                return 0;
            }
            round->measure(link, m, order[i], time);
            const struct p2p_look before = look;
            look = p2p_look(link);
            if (pass >= WARM_UP) {
                keep(m, order[i], round, pass - WARM_UP, time, before, look);
            }
        }
    }
    return pass - WARM_UP;
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
    const double share = effort->all ? 2.0 / 3.0 : 1.0; /* predictions rest on the trips */
    const struct round trips = {
        .measure = measure_trip,
        .phase = P2P_TRIPS,
        .first = TAN_P2P_TRIP,
        .end = TAN_P2P_TRIP + 1,
        .seconds = share * effort->max_seconds,
        .longest = effort->all ? effort->longest_seconds - (1.0 - share) * effort->max_seconds
                               : effort->max_seconds,
        .most = P2P_MOST_PASSES,
    };
    const double begin = clock_seconds();
    const double lost = time_lost();
    uint64_t state = effort->seed * 2 + 1;
    m->sample = calloc(m->n_sizes * TAN_P2P_TIMINGS * P2P_MOST_PASSES, sizeof *m->sample);
    m->look = calloc(m->n_sizes * P2P_PHASES * P2P_MOST_PASSES * 2, sizeof *m->look);
    if (m->sample == NULL || m->look == NULL) {
        return tan_fail_nomem(e);
    }
    m->passes[P2P_TRIPS] = run_passes(link, effort, &trips, m, &state, e);
    bool done = m->passes[P2P_TRIPS] > 0;
    for (size_t i = 0; i < m->n_sizes && done; i++) {
        double scratch[P2P_MOST_PASSES];
        m->train[i] = train_length(
            tan_p2p_undisturbed(p2p_samples(m, i, TAN_P2P_TRIP), m->passes[P2P_TRIPS], scratch));
    }
    if (effort->all && done) {
        const struct round trains = {
            .measure = measure_trains,
            .phase = P2P_TRAINS,
            .first = TAN_P2P_TRIP + 1,
            .end = TAN_P2P_TIMINGS,
            .seconds = (1.0 - share) * effort->max_seconds,
            .longest = (1.0 - share) * effort->max_seconds,
            .most = P2P_MOST_PASSES,
        };
        m->passes[P2P_TRAINS] = run_passes(link, effort, &trains, m, &state, e);
        done = m->passes[P2P_TRAINS] > 0;
    }
    m->lost = (time_lost() - lost) / (clock_seconds() - begin);
    progress_show(NULL);
    return done ? 0 : -1;
}

void p2p_measurement_clear(struct p2p_measurement *m)
{
    free(m->sample);
    free(m->look);
    m->sample = NULL;
    m->look = NULL;
}
