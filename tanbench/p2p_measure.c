/* p2p_measure.c - what messages of many sizes cost, measured in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p_measure.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/clock.h"
#include "tanbench/progress.h"
#include "tanbench/stop.h"

enum {
    WARM_UP = 1,
    LEAST_PASSES = 12,
    PATIENCE = 2, /* times max_seconds, after which a few passes have to do */
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

static double *place(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing timing)
{
    return &m->sample[(size * TAN_P2P_TIMINGS + (size_t)timing) * P2P_MOST_PASSES];
}

const double *p2p_samples(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing timing)
{
    return place(m, size, timing);
}

/* Messages in a train: fewer of those that take long. */
static int train_length(double half)
{
    return half < 50e-6 ? 16 : half < 500e-6 ? 5 : 3;
}

enum { MOST_REPEATS = 9 };

static double middle(double *value, int n)
{
    gsl_sort(value, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(value, 1, (size_t)n);
}

/* One sample of each timing of one size. */
static void measure_size(struct p2p_link *link, int64_t bytes, bool all, int *train,
                         double time[TAN_P2P_TIMINGS])
{
    const double batch = 30e-6; /* so long that reading the clock does not count */
    const double rough = p2p_half(link, bytes, 1);
    const int trips = (int)fmin(fmax(batch / (2.0 * rough), 1.0), 100.0);
    const int repeats = rough < 200e-6 ? MOST_REPEATS : 3;
    double value[TAN_P2P_TIMINGS][MOST_REPEATS] = {{0}};
    for (int i = 0; i < repeats; i++) {
        value[TAN_P2P_TRIP][i] = p2p_half(link, bytes, trips);
    }
    const double half = middle(value[TAN_P2P_TRIP], repeats);
    const double delay = 2.0 * 2.0 * half; /* twice PRTT(1,0,s) */
    const int others = all ? (repeats + 1) / 2 : 0;
    *train = *train > 0 ? *train : train_length(half);
    for (int i = 0; i < others; i++) {
        double computed;
        value[TAN_P2P_ONE][i] = p2p_train(link, bytes, 1, 0.0, &computed);
        value[TAN_P2P_TRAIN][i] = p2p_train(link, bytes, *train, 0.0, &computed);
        const double spaced = p2p_train(link, bytes, *train, delay, &computed);
        value[TAN_P2P_SPACED][i] = spaced - computed;
        value[TAN_P2P_LATE][i] = p2p_receive(link, bytes, delay);
    }
    time[TAN_P2P_TRIP] = half;
    for (int t = TAN_P2P_TRIP + 1; t < TAN_P2P_TIMINGS; t++) {
        time[t] = all ? middle(value[t], others) : 0.0;
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

int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e)
{
    size_t order[P2P_MOST_SIZES];
    uint64_t state = effort->seed * 2 + 1;
    double begin = clock_seconds();
    m->sample = calloc(m->n_sizes * TAN_P2P_TIMINGS * P2P_MOST_PASSES, sizeof *m->sample);
    if (m->sample == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < m->n_sizes; i++) {
        order[i] = i;
    }
    for (size_t pass = 0; pass < WARM_UP + P2P_MOST_PASSES; pass++) {
        const double elapsed = clock_seconds() - begin;
        const size_t enough = elapsed > PATIENCE * effort->max_seconds ? 1 : LEAST_PASSES;
        if (pass >= WARM_UP + enough && elapsed > effort->max_seconds) {
            break;
        }
        if (!effort->quiet) {
            progress_show("messages, pass %zu", pass + 1);
        }
        shuffle(order, m->n_sizes, &state);
        for (size_t i = 0; i < m->n_sizes; i++) {
            double time[TAN_P2P_TIMINGS];
            if (stop_requested() || stop_check(link->world, e) < 0) {
                progress_show(NULL);
                return tan_fail(e, "interrupted");
            }
            measure_size(link, m->size[order[i]], effort->all, &m->train[order[i]], time);
            for (int t = 0; t < TAN_P2P_TIMINGS && pass >= WARM_UP; t++) {
                place(m, order[i], (enum tan_p2p_timing)t)[pass - WARM_UP] = time[t];
            }
        }
        m->passes = pass >= WARM_UP ? pass + 1 - WARM_UP : 0;
    }
    progress_show(NULL);
    return 0;
}

void p2p_measurement_clear(struct p2p_measurement *m)
{
    free(m->sample);
    m->sample = NULL;
}
