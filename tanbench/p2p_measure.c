/* p2p_measure.c - what messages of many sizes cost, measured in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/clock.h"
#include "tanbench/progress.h"
#include "tanbench/stop.h"

enum { WARM_UP = 2, LEAST_PASSES = 10 };

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
    for (int64_t k = 1; k <= most; k *= 2) {
        p2p_sizes_add(m, k);
        if (between && k > 1 && k < most) {
            p2p_sizes_add(m, k + 1);
            p2p_sizes_add(m, k + k / 2);
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

static double *place(const struct p2p_measurement *m, size_t size, enum tan_p2p_series series)
{
    return &m->sample[(size * TAN_P2P_SERIES + (size_t)series) * P2P_MOST_PASSES];
}

const double *p2p_samples(const struct p2p_measurement *m, size_t size, enum tan_p2p_series series)
{
    return place(m, size, series);
}

/* One sample of each series of one size. */
static void measure_size(struct p2p_link *link, int64_t bytes, bool all,
                         double value[TAN_P2P_SERIES])
{
    const double batch = 100e-6; /* so long that reading the clock does not count */
    const double rough = p2p_half(link, bytes, 1);
    const int trips = (int)fmin(fmax(batch / (2.0 * rough), 1.0), 200.0);
    const int repeats = rough < 200e-6 ? 4 : 2;
    const int n = rough < 50e-6 ? 16 : 5;
    double half = NAN;
    double one = NAN;
    double many = NAN;
    double spaced = NAN;
    double receive = NAN;
    double computed;
    for (int i = 0; i < repeats; i++) {
        half = least(half, p2p_half(link, bytes, trips));
    }
    value[TAN_P2P_HALF] = half;
    if (!all) {
        return;
    }
    const double delay = 2.0 * 2.0 * half; /* twice PRTT(1,0,s) */
    for (int i = 0; i < repeats; i++) {
        one = least(one, p2p_train(link, bytes, 1, 0.0, &computed));
        many = least(many, p2p_train(link, bytes, n, 0.0, &computed));
        const double trip = p2p_train(link, bytes, n, delay, &computed);
        spaced = least(spaced, trip - computed);
        receive = least(receive, p2p_receive(link, bytes, delay));
    }
    value[TAN_P2P_SEND] = (spaced - one) / (n - 1);
    value[TAN_P2P_INTERVAL] = (many - one) / (n - 1);
    value[TAN_P2P_RECEIVE] = receive;
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
    m->sample = calloc(m->n_sizes * TAN_P2P_SERIES * P2P_MOST_PASSES, sizeof *m->sample);
    if (m->sample == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < m->n_sizes; i++) {
        order[i] = i;
    }
    for (size_t pass = 0; pass < WARM_UP + P2P_MOST_PASSES; pass++) {
        if (pass >= WARM_UP + LEAST_PASSES && clock_seconds() - begin > effort->max_seconds) {
            break;
        }
        if (!effort->quiet) {
            progress_show("messages, pass %zu", pass + 1);
        }
        shuffle(order, m->n_sizes, &state);
        for (size_t i = 0; i < m->n_sizes; i++) {
            double value[TAN_P2P_SERIES] = {0};
            if (stop_requested() || stop_check(link->world, e) < 0) {
                progress_show(NULL);
                return tan_fail(e, "interrupted");
            }
            measure_size(link, m->size[order[i]], effort->all, value);
            for (int s = 0; s < TAN_P2P_SERIES && pass >= WARM_UP; s++) {
                place(m, order[i], (enum tan_p2p_series)s)[pass - WARM_UP] = value[s];
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
