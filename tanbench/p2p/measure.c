/* measure.c - timings of many message sizes, in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/measure.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "tanbench/host/progress.h"
#include "tanbench/plan/plan.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/stop.h"

void p2p_step_show(const struct p2p_step *s, double left, const char *format, ...)
{
    static int number; /* of the last step shown */
    const bool begins = s->number != number;
    char what[96];
    va_list arguments;
    if (!s->shown) {
        return;
    }
    number = s->number;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    progress_say(begins, "[step %d of %d, about %s %s] %s", s->number, s->of,
                 tan_duration_text(s->later + (left > 0.0 ? left : 0.0)).text,
                 isnan(left) ? "after it" : "left", what);
}

void p2p_step_hide(const struct p2p_step *s)
{
    if (s->shown) {
        progress_hide();
    }
}

enum {
    WARM_UP = 1, /* passes */
    MIN_PASSES = 12,
    LONG = 2,        /* times the time limit, after which P2P_MIN_PASSES are enough */
    MAX_REPEATS = 5, /* per sample */
    REPEATS = 3,
};
/* Limits on one-way times. In very slow messages brief interruptions are negligible. */
static const double slow = 50e-6;
static const double very_slow = 2e-3;

void p2p_sizes_add(struct p2p_measurement *m, int64_t bytes)
{
    size_t i = m->n_sizes;
    while (i > 0 && m->size[i - 1] > bytes) {
        i--;
    }
    if ((i > 0 && m->size[i - 1] == bytes) || m->n_sizes == P2P_MAX_MEASURED) {
        return;
    }
    memmove(&m->size[i + 1], &m->size[i], (m->n_sizes - i) * sizeof m->size[0]);
    m->size[i] = bytes;
    m->n_sizes++;
}

void p2p_sizes_add_between(struct p2p_measurement *m, int64_t max_bytes)
{
    const int64_t max_between = 65536; /* beyond this the effect of one byte cannot be measured */
    const int64_t cached = 131072;
    for (int64_t k = 2; k <= max_bytes; k *= 2) {
        p2p_sizes_add(m, k < max_bytes ? k + k / 2 : k);
        p2p_sizes_add(m, k <= max_between ? k + 1 : k);
        if (k >= cached && k < max_bytes) { /* where copies may exceed a cache */
            p2p_sizes_add(m, k + k / 4);
            p2p_sizes_add(m, k + 3 * (k / 4));
        }
    }
}

/* In a simulation every repetition takes the same time, so one is enough. */
static int repeat_count(int real)
{
    return machine_simulated ? 1 : real;
}

/* Whether a send of `bytes` returns before the receive starts; -1 on a request to stop. */
static int returns_early(struct p2p_link *link, int64_t bytes, bool computes, struct tan_error *e)
{
    const double margin = 1e-3; /* longer than interruptions of the sender */
    double delay = margin + 10.0 * 2.0 * p2p_one_way(link, bytes, 1);
    const int repeats = repeat_count(MAX_REPEATS);
    double send[MAX_REPEATS]; /* too long if the call is interrupted, too short if the time before
                                 it is, which is rare */
    double scratch[MAX_REPEATS];
    for (int i = 0; i < repeats; i++) {
        if (p2p_link_check_stop(link, e) < 0) {
            return -1;
        }
        send[i] = p2p_send_late(link, bytes, delay, computes);
    }
    return tan_p2p_undisturbed(send, (size_t)repeats, scratch) < delay / 2;
}

/* The largest size that returns early, found by doubling and then bisection; -1 on a request to
 * stop. */
static int64_t search_limit(struct p2p_link *link, int64_t max_bytes, bool computes,
                            struct tan_error *e)
{
    int64_t low = 0; /* returns early */
    int64_t high = max_bytes + 1;
    while (high - low > 1 && low < max_bytes) {
        const bool doubles = high > max_bytes && 2 * low <= max_bytes;
        const int64_t next = !doubles ? low + (high - low) / 2 : low > 0 ? 2 * low : 1;
        const int early = returns_early(link, next, computes, e);
        if (early < 0) {
            return -1;
        }
        *(early ? &low : &high) = next;
    }
    return low;
}

/* Search again while a second look contradicts: a single wrong step leads elsewhere. */
int64_t p2p_find_limit(struct p2p_link *link, int64_t max_bytes, bool computes, struct tan_error *e)
{
    enum { TRIES = 3 };
    int64_t limit = 0;
    for (int i = 0; i < TRIES; i++) {
        limit = search_limit(link, max_bytes, computes, e);
        if (limit < 0 || machine_simulated) {
            return limit;
        }
        const int below = limit == 0 ? 1 : returns_early(link, limit, computes, e);
        const int above = limit == max_bytes ? 0 : returns_early(link, limit + 1, computes, e);
        if (below < 0 || above < 0) {
            return -1;
        }
        if (below == 1 && above == 0) {
            return limit;
        }
    }
    return limit;
}

/* Relative increase of the one-way time with the last byte: the median of paired measurements, or 0
 * if fewer than AGREE pairs show an increase. */
static double step_at(struct p2p_link *link, int64_t bytes, int trips)
{
    enum { PAIRS = 9, AGREE = 8 };
    double ratio[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const double shorter = p2p_one_way(link, bytes - 1, trips);
        ratio[i] = p2p_one_way(link, bytes, trips) / shorter - 1.0;
    }
    gsl_sort(ratio, 1, PAIRS);
    return ratio[PAIRS - AGREE] > 0.0 ? ratio[PAIRS / 2] : 0.0;
}

/* Minimum of a few one-way times. */
static double rough_one_way(struct p2p_link *link, int64_t bytes, int trips)
{
    enum { TIMES = 5 };
    double least = INFINITY;
    for (int i = 0; i < repeat_count(TIMES); i++) {
        least = fmin(least, p2p_one_way(link, bytes, trips));
    }
    return least;
}

int p2p_find_jumps(struct p2p_link *link, const struct p2p_measurement *m,
                   struct tan_p2p_limits *limits, struct tan_error *e)
{
    const int64_t max_bytes =
        131072; /* beyond this a jump is small compared with the message time */
    const double jump = 0.05;
    const int trips = repeat_count(20);
    double before = rough_one_way(link, m->size[0], trips);
    for (size_t i = 0; i + 1 < m->n_sizes && m->size[i + 1] <= max_bytes; i++) {
        int64_t low = m->size[i];
        int64_t high = m->size[i + 1];
        double at_low = before;
        if (p2p_link_check_stop(link, e) < 0) {
            return -1;
        }
        double at_high = before = rough_one_way(link, high, trips);
        while (high - low > 1 && at_high > (1.0 + jump) * at_low) {
            if (p2p_link_check_stop(link, e) < 0) {
                return -1;
            }
            const int64_t middle = low + (high - low) / 2;
            const double at_middle = rough_one_way(link, middle, trips);
            if (at_middle / at_low > at_high / at_middle) {
                high = middle;
                at_high = at_middle;
            } else {
                low = middle;
                at_low = at_middle;
            }
        }
        const bool limit = low == limits->eager || low == limits->alone;
        if (!limit && high - low == 1 && limits->n_jumps < TAN_P2P_MAX_JUMPS &&
            step_at(link, high, trips) > jump) {
            limits->jump[limits->n_jumps++] = low;
        }
    }
    return 0;
}

static double median_of(double *value, int n)
{
    gsl_sort(value, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(value, 1, (size_t)n);
}

/* Number of round trips in `seconds`, from `min` to 100. */
static int trips_in(double seconds, double one_way, double min)
{
    return (int)fmin(fmax(seconds / (2.0 * one_way), min), 100.0);
}

/* Number of round trips timed together. */
static int batch_of(double one_way)
{
    const double batch = 30e-6;   /* makes the cost of clock reads negligible */
    const double min_batch = 4.0; /* a round trip over TCP takes one of two times, at random */
    return one_way > very_slow ? 1 : trips_in(batch, one_way, min_batch);
}

/* One-way time: the median of a few short batches, which excludes brief interruptions. */
static int sample_trip(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                       double time[TAN_P2P_TIMINGS], struct tan_error *e)
{
    /* Long enough for all buffers that the library uses in turn for this size to be cached, and for
     * a TCP connection to reach its steady state. */
    const double warm_up = machine_simulated ? 0 : 300e-6;
    const double min_warm_up = repeat_count(6);
    if (p2p_link_check_stop(link, e) < 0) {
        return -1;
    }
    const double first = p2p_one_way(link, m->size[size], 1);
    if (first > very_slow) {
        time[TAN_P2P_TRIP] = p2p_one_way(link, m->size[size], 1);
        return 0;
    }
    const double rough = p2p_one_way(link, m->size[size], trips_in(warm_up, first, min_warm_up));
    const int trips = batch_of(rough);
    const int repeats = repeat_count(rough < slow ? MAX_REPEATS : REPEATS);
    double value[MAX_REPEATS] = {0};
    for (int i = 0; i < repeats; i++) {
        value[i] = p2p_one_way(link, m->size[size], trips);
    }
    time[TAN_P2P_TRIP] = median_of(value, repeats);
    return 0;
}

/* One timing of a call or window; the one-way times must have been measured. */
static double time_call(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                        enum tan_p2p_timing timing)
{
    const int64_t bytes = m->size[size];
    const double long_enough = 4.0 * tan_p2p_one_way_time(m, size);
    const struct p2p_data data = p2p_bytes(link->send, bytes);
    switch (timing) {
    case TAN_P2P_SENDER_COMPUTE:
        return p2p_exchange(link, &(struct p2p_exchange){.bytes = bytes, .sender = long_enough})
            .sender;
    case TAN_P2P_RECEIVER_COMPUTE:
        return p2p_exchange(link, &(struct p2p_exchange){.bytes = bytes, .receiver = long_enough})
            .receiver;
    case TAN_P2P_FEW:
    case TAN_P2P_DUPLEX_FEW:
        return p2p_window(link, bytes, m->few[size], timing == TAN_P2P_DUPLEX_FEW);
    case TAN_P2P_MANY:
    case TAN_P2P_DUPLEX_MANY:
        return p2p_window(link, bytes, m->many[size], timing == TAN_P2P_DUPLEX_MANY);
    case TAN_P2P_ISEND_CALL:
        return p2p_send(link, &p2p_send_modes[P2P_ISEND], &data, bytes).call;
    case TAN_P2P_RECEIVE_CALL: {
        const struct p2p_data in = p2p_bytes(link->receive, bytes);
        return p2p_receive(link, &p2p_send_modes[P2P_SEND], &in, bytes, long_enough);
    }
    default:
        return p2p_send(link, &p2p_send_modes[P2P_SEND], &data, bytes).call;
    }
}

/* All other timings, each the median of a few. A warm-up precedes each, since the preceding timing
 * leaves other buffers in the caches. */
static int sample_calls(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                        double time[TAN_P2P_TIMINGS], struct tan_error *e)
{
    const int repeats = repeat_count(tan_p2p_one_way_time(m, size) < very_slow ? REPEATS : 1);
    for (int t = TAN_P2P_TRIP + 1; t < TAN_P2P_TIMINGS; t++) {
        double value[REPEATS] = {0};
        if (p2p_link_check_stop(link, e) < 0) {
            return -1;
        }
        if (repeats > 1) {
            time_call(link, m, size, (enum tan_p2p_timing)t);
        }
        for (int i = 0; i < repeats; i++) {
            value[i] = time_call(link, m, size, (enum tan_p2p_timing)t);
        }
        time[t] = median_of(value, repeats);
    }
    return 0;
}

/* Timings that are measured together; `sample` returns -1 on a request to stop. */
struct group {
    int (*sample)(struct p2p_link *, const struct p2p_measurement *, size_t size,
                  double time[TAN_P2P_TIMINGS], struct tan_error *);
    int first, end; /* timings of the group */
    double share;   /* of the time limit; the larger one for what predictions depend on most */
    const char *name;
};

static const struct group groups[P2P_GROUPS] = {
    [P2P_TRIPS] = {sample_trip, TAN_P2P_TRIP, TAN_P2P_TRIP + 1, 0.6, "one-way times"},
    [P2P_CALLS] = {sample_calls, TAN_P2P_TRIP + 1, TAN_P2P_TIMINGS, 0.4, "overheads and gaps"},
};

/* Passes over all sizes, for one group at a time. */
struct run {
    struct p2p_link *link;
    const struct p2p_effort *effort;
    struct p2p_measurement *m;
    gsl_rng *rng;             /* randomises the order of sizes; owned */
    size_t begun[P2P_GROUPS]; /* number of passes, with the warm-up */
    double kept;              /* time when the last passes were kept, or of the begin */
};

/* `share`: the group's fraction of the time limit; `elapsed`: seconds since the group began. */
static void show_pass(const struct run *run, enum p2p_group group, double share, double elapsed)
{
    const double asked = share * run->effort->max_seconds;
    const double longest = share * run->effort->longest_seconds;
    const bool longer = elapsed > asked;
    struct p2p_step step = run->effort->step;
    if (run->effort->all && group == P2P_TRIPS) {
        step.later += groups[P2P_CALLS].share * run->effort->max_seconds;
    }
    step.number += group == P2P_CALLS;
    p2p_step_show(&step, (longer ? longest : asked) - elapsed, "%s, pass %zu%s", groups[group].name,
                  run->begun[group] + 1,
                  elapsed > longest ? tan_printed(", beyond the time limit: a fit needs %d passes",
                                                  WARM_UP + P2P_MIN_PASSES)
                                          .text
                  : longer ? ", until the cores are quiet"
                           : "");
}

/* Exchange messages until library and system have grown the connection's buffers, which would
 * otherwise happen during the measurement. */
static int warm_connection(const struct run *run, struct tan_error *e)
{
    const double seconds = machine_simulated ? 0 : 0.2;
    const double begin = tan_clock_seconds();
    do {
        for (size_t i = 0; i < run->m->n_sizes; i++) {
            if (p2p_link_check_stop(run->link, e) < 0) {
                return -1;
            }
            p2p_one_way(run->link, run->m->size[i], 4);
        }
    } while (tan_clock_seconds() - begin < seconds);
    return 0;
}

static void store_sample(struct p2p_measurement *m, size_t size, enum p2p_group group,
                         const double time[TAN_P2P_TIMINGS], const double before[2],
                         const double after[2])
{
    const size_t pass = m->passes[group];
    for (int side = 0; side < 2; side++) {
        tan_p2p_probe_of(m, size, group, pass)[side] = fmax(before[side], after[side]);
    }
    for (int t = groups[group].first; t < groups[group].end; t++) {
        tan_p2p_samples_of(m, size, (enum tan_p2p_timing)t)[pass] = time[t];
    }
}

static void probe_cores(struct run *run, double took[2])
{
    p2p_probe(run->link, took);
    for (int side = 0; side < 2; side++) {
        run->m->fastest[side] = fmin(run->m->fastest[side], took[side]);
    }
}

/* A pass over all sizes; the first is a warm-up. */
static int run_pass(struct run *run, enum p2p_group group, struct tan_error *e)
{
    struct p2p_measurement *m = run->m;
    size_t order[P2P_MAX_MEASURED];
    const bool kept = run->begun[group] >= WARM_UP;
    for (size_t i = 0; i < m->n_sizes; i++) {
        order[i] = i;
    }
    gsl_ran_shuffle(run->rng, order, m->n_sizes, sizeof order[0]);
    double before[2];
    double after[2];
    probe_cores(run, before);
    for (size_t i = 0; i < m->n_sizes; i++) {
        double time[TAN_P2P_TIMINGS];
        if (groups[group].sample(run->link, m, order[i], time, e) < 0) {
            return -1;
        }
        probe_cores(run, after);
        if (kept) {
            store_sample(m, order[i], group, time, before, after);
        }
        memcpy(before, after, sizeof before);
    }
    m->passes[group] += kept;
    run->begun[group]++;
    return 0;
}

/* Choose window lengths from the one-way times. */
static void choose_windows(struct p2p_measurement *m, size_t room)
{
    for (size_t i = 0; i < m->n_sizes; i++) {
        const int64_t places = (int64_t)room / m->size[i];
        const double one_way = tan_p2p_one_way_time(m, i);
        const int wanted = one_way < slow ? 32 : one_way < 10 * slow ? 8 : 4;
        m->many[i] = places < wanted ? (int)places : wanted;
        m->few[i] = m->many[i] / 4;
    }
}

/* Whether a group has enough passes; `share` and `elapsed` as in show_pass. */
static bool passes_suffice(const struct run *run, enum p2p_group group, double share,
                           double elapsed)
{
    const double asked = share * run->effort->max_seconds;
    const size_t passes = run->m->passes[group];
    if (passes < (elapsed > LONG * asked ? P2P_MIN_PASSES : MIN_PASSES)) {
        return false;
    }
    return passes == P2P_MAX_PASSES || machine_simulated ||
           (elapsed > asked &&
            (elapsed > share * run->effort->longest_seconds || !tan_p2p_disturbed(run->m)));
}

/* Between passes, which are spread over the whole time because disturbances may last for seconds.
 * Busy-wait, since after a sleep caches are cold and the core's clock frequency differs for a
 * while. */
static void wait_until(double due)
{
    while (tan_clock_seconds() < due && !stop_requested() && !machine_simulated) {
        tan_clock_compute_until(fmin(due, tan_clock_seconds() + 0.1));
    }
}

/* Between passes, from the first one on: keep what was measured, in case that the job is killed. */
static void keep_passes(struct run *run)
{
    const double seldom = 10.0; /* since it takes time, in which caches are used */
    if (!machine_simulated && tan_clock_seconds() > run->kept + seldom) {
        run->effort->keeper->keep(run->effort->keeper->context);
        run->kept = tan_clock_seconds();
    }
}

static int run_group(struct run *run, enum p2p_group group, double share, struct tan_error *e)
{
    const double begin = tan_clock_seconds();
    while (!passes_suffice(run, group, share, tan_clock_seconds() - begin)) {
        const double part = (double)run->m->passes[group] / P2P_MAX_PASSES;
        wait_until(begin + share * run->effort->longest_seconds * part);
        show_pass(run, group, share, tan_clock_seconds() - begin);
        if (run_pass(run, group, e) < 0) {
            return -1;
        }
        keep_passes(run);
    }
    return 0;
}

/* One-way times first: windows change how TCP paces subsequent long messages. */
static int run_passes(struct run *run, struct tan_error *e)
{
    const bool all = run->effort->all;
    if (warm_connection(run, e) < 0 ||
        run_group(run, P2P_TRIPS, all ? groups[P2P_TRIPS].share : 1.0, e) < 0) {
        return -1;
    }
    if (!all) {
        return 0;
    }
    choose_windows(run->m, run->link->room);
    return run_group(run, P2P_CALLS, groups[P2P_CALLS].share, e);
}

int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e)
{
    if (tan_p2p_measurement_allocate(m, e) < 0) {
        return -1;
    }
    m->fastest[0] = m->fastest[1] = INFINITY;
    struct run run = {.link = link,
                      .effort = effort,
                      .m = m,
                      .rng = gsl_rng_alloc(gsl_rng_mt19937),
                      .kept = -INFINITY};
    if (run.rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(run.rng, (unsigned long)effort->seed);
    const int result = run_passes(&run, e);
    gsl_rng_free(run.rng);
    p2p_step_hide(&effort->step);
    return result;
}
