/* sampling.c - number of waves needed for a cell, and clocks to time them with
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/sampling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/stats/series.h"
#include "model/stats/stats.h"

static bool is_precise(const double *samples, size_t n, double precision)
{
    struct tan_summary s;
    struct tan_series series;
    struct tan_error ignored = TAN_ERROR_INIT;
    if (tan_summarize(samples, n, &s, &ignored) < 0 ||
        tan_series_judge(samples, n, &series, &ignored) < 0 ||
        series.median_ci95.low > series.median_ci95.high) {
        return false;
    }
    return series.median_ci95.high - s.median <= precision * s.median &&
           s.median - series.median_ci95.low <= precision * s.median;
}

/* Waves, of which there may be enough. */
struct waves {
    double *seconds; /* of each; owned */
    size_t n;
    int64_t look;         /* number of waves at which the interval is computed next */
    enum stop_reason why; /* why sampling ends with them */
};

/* Whether these waves suffice, `elapsed` seconds after the start of the first one; w->why is then
 * the reason. */
static bool waves_suffice(const struct settings *s, const struct cell *cell, struct waves *w,
                          double elapsed)
{
    int64_t n = (int64_t)w->n;
    if (cell->waves > 0) {
        w->why = STOP_FIXED;
        return n >= tan_plan_fixed_waves(s, cell);
    }
    if (n < s->min_waves) {
        return false;
    }
    if (n >= w->look) {
        w->look = n + 10 + n / 10; /* it needs sorting, and changes little with a single wave */
        if (s->precision > 0 && is_precise(w->seconds, w->n, s->precision)) {
            w->why = STOP_PRECISE;
            return true;
        }
    }
    w->why = n >= s->max_waves ? STOP_WAVES : STOP_TIME;
    return n >= s->max_waves || elapsed >= s->max_seconds;
}

/* Time limit for collecting quiet waves, as a multiple of the time for any waves. */
enum { QUIET_RATIO = 2 };
/* Minimum time between two probes of the cores, in seconds and as a multiple of a probe's time;
 * interference usually lasts longer. */
#define PROBE_INTERVAL 0.01
enum { PROBES_APART = 50 };

/* Waves of a cell during sampling. */
struct sampling {
    const struct settings *settings;
    const struct cell *cell;
    const struct sampling_ops *ops;
    struct waves all, quiet; /* `quiet` is used only if interference can be detected */
    size_t since;            /* first wave since the last probe */
    bool disturbed;          /* result of that probe */
    double begin, probed;    /* times; probing is not included */
    double interval;         /* until the next probe, seconds */
    /* Seconds after which disturbed waves are accepted, too; 0: not enough waves so far even so. */
    double quiet_limit;
    size_t capacity; /* of both */
};

static double time_now(const struct sampling *s)
{
    return s->ops->now != NULL ? s->ops->now() : tan_clock_seconds();
}

static int64_t most_waves(const struct settings *s, const struct cell *cell)
{
    return cell->waves > 0 ? tan_plan_fixed_waves(s, cell) : s->max_waves;
}

/* Probe the cores, and copy the waves since the last probe to the quiet ones if neither probe shows
 * interference. */
static void probe_cores(struct sampling *s)
{
    const double begin = time_now(s);
    const bool before = s->disturbed;
    const size_t n = s->all.n - s->since;
    s->disturbed = s->ops->disturbed(s->ops->context);
    if (!before && !s->disturbed && n > 0) {
        memcpy(s->quiet.seconds + s->quiet.n, s->all.seconds + s->since,
               n * sizeof *s->all.seconds);
        s->quiet.n += n;
    }
    s->since = s->all.n;
    s->probed = time_now(s);
    s->begin += s->probed - begin;
    s->interval = fmax(PROBE_INTERVAL, PROBES_APART * (s->probed - begin));
}

/* Whether there are enough waves, quiet or not, so that only quiet ones may be missing. */
static bool any_enough(struct sampling *s, double elapsed)
{
    if (s->quiet_limit == 0 && waves_suffice(s->settings, s->cell, &s->all, elapsed)) {
        const double longest = s->cell->waves > 0 ? INFINITY : s->settings->max_seconds;
        s->quiet_limit = fmin(fmax(QUIET_RATIO * elapsed, 1e-9), longest);
    }
    return s->quiet_limit > 0;
}

/* Whether the quiet waves suffice, or at the `last` chance are at least the minimum. */
static bool quiet_enough(struct sampling *s, double elapsed, bool last)
{
    if (waves_suffice(s->settings, s->cell, &s->quiet, elapsed)) {
        return true;
    }
    s->quiet.why = STOP_DISTURBED;
    return last && s->cell->waves == 0 && (int64_t)s->quiet.n >= s->settings->min_waves;
}

/* The waves that count, if there are enough; else NULL. */
static struct waves *chosen_waves(struct sampling *s)
{
    const double at = time_now(s);
    const double elapsed = at - s->begin;
    const bool waiting = s->quiet_limit > 0;
    const bool any = any_enough(s, elapsed);
    if (s->ops->disturbed == NULL) {
        return any ? &s->all : NULL;
    }
    const bool last = any && (elapsed >= s->quiet_limit || s->all.n >= s->capacity);
    if (any == waiting && !last && at - s->probed < s->interval) {
        return NULL;
    }
    probe_cores(s);
    if (any && quiet_enough(s, elapsed, last)) {
        return &s->quiet;
    }
    return last ? &s->all : NULL;
}

/* Move `w` to the measurement. */
static void keep_waves(struct sampling *s, struct waves *w, struct measurement *m)
{
    const size_t most = (size_t)most_waves(s->settings, s->cell);
    m->period = s->all.n > 0 ? (time_now(s) - s->begin) / (double)s->all.n / (double)m->batch : 0;
    m->round_trips = w->seconds;
    m->n = w->n < most ? w->n : most;
    m->stopped = w->why;
    m->excluded = w == &s->quiet ? (int64_t)(s->all.n - w->n) : 0;
    /* some of the waves before the last probe are not quiet */
    m->disturbed = s->ops->disturbed != NULL && w == &s->all && s->quiet.n < s->since;
    w->seconds = NULL;
}

static int take_samples(struct sampling *s, const struct timer *timer, struct measurement *m,
                        struct tan_error *e)
{
    struct waves *w = NULL;
    double seconds;
    double least = INFINITY;
    for (; m->warmup < s->settings->warmup; m->warmup++) {
        if (s->ops->sample(s->ops->context, 1, &seconds, e) != 0) {
            return -1;
        }
        least = fmin(least, seconds);
    }
    m->batch = timer != NULL && s->settings->warmup > 0 ? tan_timer_batch(timer, least) : 1;
    s->disturbed = s->ops->disturbed != NULL && s->ops->disturbed(s->ops->context);
    s->begin = s->probed = time_now(s);
    while (w == NULL) {
        const bool failed = s->ops->sample(s->ops->context, m->batch, &seconds, e) != 0;
        if (!failed) {
            s->all.seconds[s->all.n++] = seconds / (double)m->batch;
            m->n = s->all.n;
        }
        if (failed || s->ops->stopped()) {
            s->all.why = STOP_INTERRUPTED;
            keep_waves(s, &s->all, m);
            return failed ? -1 : 0;
        }
        w = chosen_waves(s);
    }
    keep_waves(s, w, m);
    return 0;
}

int tan_sampling_run(const struct settings *settings, const struct cell *cell,
                     const struct timer *timer, const struct sampling_ops *ops,
                     struct measurement *m, struct tan_error *e)
{
    const size_t capacity =
        (size_t)most_waves(settings, cell) * (ops->disturbed != NULL ? QUIET_RATIO : 1);
    struct sampling s = {
        .settings = settings,
        .cell = cell,
        .ops = ops,
        .capacity = capacity,
        .interval = PROBE_INTERVAL,
        .all = {.seconds = malloc(capacity * sizeof(double)), .look = settings->min_waves},
        .quiet = {.seconds = ops->disturbed != NULL ? malloc(capacity * sizeof(double)) : NULL,
                  .look = settings->min_waves}};
    int result = -1;
    *m = (struct measurement){.stopped = STOP_INTERRUPTED, .batch = 1};
    if (s.all.seconds == NULL || (ops->disturbed != NULL && s.quiet.seconds == NULL)) {
        tan_fail_nomem(e);
    } else {
        result = take_samples(&s, timer, m, e);
    }
    free(s.all.seconds);
    free(s.quiet.seconds);
    return result;
}

enum { ROUNDS = 20, READINGS = 500, MAX_BATCH = 1000 };

#define MAX_COST_SHARE 0.05 /* of the timed duration */
#define MIN_TICKS      10

/* The minimum over several rounds, to exclude interrupts. */
struct timer tan_timer_calibrate(void)
{
    struct timer timer = {.cost = INFINITY, .resolution = INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = tan_clock_seconds();
        double before = begin;
        for (int i = 0; i < READINGS; i++) {
            double now = tan_clock_seconds();
            timer.resolution =
                now > before ? fmin(timer.resolution, now - before) : timer.resolution;
            before = now;
        }
        timer.cost = fmin(timer.cost, (before - begin) / READINGS);
    }
    /* if the clock never advanced, its tick is longer than the whole loop */
    if (!isfinite(timer.resolution)) {
        timer.resolution = 1e-3;
    }
    return timer;
}

int64_t tan_timer_batch(const struct timer *timer, double seconds)
{
    double needed = fmax(timer->cost / MAX_COST_SHARE, timer->resolution * MIN_TICKS);
    double waves = ceil(needed / fmax(seconds, 1e-9));
    return waves < 1 ? 1 : waves > MAX_BATCH ? MAX_BATCH : (int64_t)waves;
}

const char *const tan_stop_reason_names[STOP_REASONS] = {
    [STOP_PRECISE] = "precise", [STOP_FIXED] = "fixed number",  [STOP_WAVES] = "--max-waves",
    [STOP_TIME] = "--max-time", [STOP_DISTURBED] = "disturbed", [STOP_INTERRUPTED] = "interrupted",
};

void tan_measurement_clear(struct measurement *m)
{
    free(m->round_trips);
    free(m->up);
    free(m->down);
    free(m->late);
    free(m->heal.recoveries);
    free(m->heal.healed);
    *m = (struct measurement){.n = 0};
}
