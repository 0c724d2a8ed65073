/* sampling.c - how many waves a cell needs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/series.h"
#include "tanbench/clock.h"
#include "tanbench/stop.h"

const char *const stop_reason_names[STOP_REASONS] = {
    [STOP_PRECISE] = "precise", [STOP_FIXED] = "fixed number",      [STOP_WAVES] = "--max-waves",
    [STOP_TIME] = "--max-time", [STOP_INTERRUPTED] = "interrupted",
};

/* Waves until the next look at the interval, which moves little with one more wave and costs a
 * sort. */
static int64_t next_look(int64_t n)
{
    return n + 10 + n / 10;
}

static bool precise(const struct measurement *m, double precision)
{
    struct tan_summary s;
    struct tan_series series;
    struct tan_error ignored = TAN_ERROR_INIT;

    if (tan_summarize(m->round_trips, m->n, &s, &ignored) ||
        tan_series_judge(m->round_trips, m->n, &series, &ignored) ||
        series.median_ci95.low > series.median_ci95.high) {
        return false;
    }
    return series.median_ci95.high - s.median <= precision * s.median &&
           s.median - series.median_ci95.low <= precision * s.median;
}

/* Whether to stop after the waves so far, `elapsed` seconds after the first kept one began. */
static bool enough(const struct settings *s, const struct cell *cell, struct measurement *m,
                   double elapsed, int64_t *look)
{
    int64_t n = (int64_t)m->n;

    if (cell->waves > 0) {
        m->stopped = STOP_FIXED;
        return n >= cell->waves;
    }
    if (n < s->min_waves) {
        return false;
    }
    if (n >= *look) {
        *look = next_look(n);
        if (precise(m, s->precision)) {
            m->stopped = STOP_PRECISE;
            return true;
        }
    }
    if (n >= s->max_waves) {
        m->stopped = STOP_WAVES;
        return true;
    }
    m->stopped = STOP_TIME;
    return elapsed >= s->max_seconds;
}

int sampling_run(const struct settings *settings, const struct cell *cell,
                 const struct timer *timer, sample_fn *sample, void *context, struct measurement *m,
                 struct tan_error *e)
{
    double seconds;
    double least = INFINITY;
    double begin;
    int64_t look = settings->min_waves;
    int64_t most = cell->waves > 0 ? cell->waves : settings->max_waves;

    *m = (struct measurement){.stopped = STOP_INTERRUPTED, .capacity = (size_t)most, .batch = 1};
    m->round_trips = malloc((size_t)most * sizeof *m->round_trips);
    if (!m->round_trips) {
        return tan_fail_nomem(e);
    }
    for (; m->warmup < settings->warmup; m->warmup++) {
        if (sample(context, 1, &seconds, e)) {
            return -1;
        }
        least = fmin(least, seconds);
    }
    m->batch = timer && settings->warmup > 0 ? timer_batch(timer, least) : 1;
    begin = clock_seconds();
    do {
        if (sample(context, m->batch, &seconds, e)) {
            m->stopped = STOP_INTERRUPTED;
            return -1;
        }
        m->round_trips[m->n++] = seconds / (double)m->batch;
        m->period = (clock_seconds() - begin) / (double)m->n / (double)m->batch;
        if (stop_requested()) {
            m->stopped = STOP_INTERRUPTED;
            return 0;
        }
    } while (!enough(settings, cell, m, clock_seconds() - begin, &look));
    return 0;
}

void measurement_clear(struct measurement *m)
{
    free(m->round_trips);
    free(m->up);
    free(m->down);
    free(m->late);
    *m = (struct measurement){.n = 0};
}
