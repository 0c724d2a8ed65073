/* mode_stream.c - sustained rate, and latency under load, of waves pushed by leaves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "model/stats/stats.h"
#include "tanbench/measure/mode_run.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

/* Duration of the preceding closed loop, within limits (seconds). */
#define CLOSED_SECONDS 0.3
enum { MIN_CLOSED_WAVES = 20, MAX_CLOSED_WAVES = 2000 };
/* Size of a uniform sample of latencies, since memory must not grow with the duration. */
enum { RESERVOIR = 10000 };
/* Slices of the time of pushing; the first ones, in which the tree fills up, do not count. */
enum { SLICES = 20, FILL_SLICES = 2 };

/* Sent to the root after the last wave. Plain data. */
struct rank_report {
    struct stream_counts counts;
    uint32_t is_leaf; /* 1 for leaves */
    double behind;    /* a leaf: largest delay behind its schedule */
};

struct timing {
    struct measurement *m;
    double begin, end;      /* of pushing, on the root's clock */
    double first, last;     /* arrivals of the first and the last result that count */
    uint64_t first_leaves;  /* leaves' packets in all results up to the first that counts */
    uint64_t leaves;        /* in all results so far */
    uint64_t slice[SLICES]; /* in the results of each slice */
    gsl_rng *rng;           /* selects the latency to be replaced in the sample */
};

static void add_latency(struct timing *t, double latency)
{
    struct measurement *m = t->m;
    uint64_t n = m->stream.latencies++;
    m->stream.latency_max = fmax(m->stream.latency_max, latency);
    uint64_t place = n < RESERVOIR ? n : (uint64_t)(gsl_rng_uniform(t->rng) * (double)(n + 1));
    if (place < RESERVOIR) {
        m->round_trips[place] = latency;
        m->n += n < RESERVOIR;
    }
}

static void add_to_rate(struct timing *t, const struct packet *result, double now)
{
    int slice = (int)floor((now - t->begin) / (t->end - t->begin) * SLICES);
    if (slice < 0 || slice >= SLICES) {
        return; /* packets that were in flight when the leaves stopped */
    }
    t->slice[slice] += result->leaves;
    t->leaves += result->leaves;
    t->last = now;
    if (slice >= FILL_SLICES && t->first == 0) {
        t->first = now;
        t->first_leaves = t->leaves;
    }
}

void mode_stream_sink(void *context, const struct packet *result)
{
    struct cell_run *run = context;
    deadline_renew();
    run->results.whole += result->leaves == (uint32_t)run->cell->leaves;
    if (run->results.timing != NULL) {
        double now = tan_clock_seconds();
        add_to_rate(run->results.timing, result, now);
        add_latency(run->results.timing, now - result->sent_first);
    }
}

/* Measure round trips requested by the root; the last request says when leaves start to push. */
static int lead_closed_loop(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    struct round_times times;
    int64_t warmup = run->settings->warmup;
    double *round_trips = m->round_trips;
    struct tan_summary summary;
    size_t n = 0;
    double begin = tan_clock_seconds();
    for (int64_t wave = 0;
         n < MIN_CLOSED_WAVES || (n < MAX_CLOSED_WAVES && times.end < begin + CLOSED_SECONDS);
         wave++) {
        if (stop_check(run->world, e) < 0 || round_lead(run, 1, false, 0, &times, e) < 0) {
            return -1;
        }
        if (wave >= warmup) {
            round_trips[n++] = times.end - times.begin;
        } else {
            begin = times.end;
        }
    }
    if (tan_summarize(round_trips, n, &summary, e) < 0) {
        return -1;
    }
    m->stream.closed = summary.median;
    /* late enough for all leaves to have received it and answered */
    run->start = tan_clock_seconds() + 0.002 + 10 * summary.max;
    return round_lead(run, 1, true, run->start, &times, e);
}

/* The rate between the first and the last counted result, with an interval from the slices. */
static void conclude_rate(const struct timing *t, double leaves, struct stream_result *r)
{
    double rates[SLICES - FILL_SLICES];
    double seconds = (t->end - t->begin) / SLICES;
    struct tan_summary summary;
    struct tan_error ignored = TAN_ERROR_INIT;
    for (int i = FILL_SLICES; i < SLICES; i++) {
        rates[i - FILL_SLICES] = (double)t->slice[i] / leaves / seconds;
    }
    r->rate = t->last > t->first
                  ? (double)(t->leaves - t->first_leaves) / leaves / (t->last - t->first)
                  : 0;
    if (tan_summarize(rates, SLICES - FILL_SLICES, &summary, &ignored) == 0) {
        r->rate_low = summary.median_ci95.low;
        r->rate_high = summary.median_ci95.high;
    }
}

/* Receive the leaves' packets until all leaves have stopped. */
static int lead_pushing(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const struct settings *s = run->settings;
    struct timing timing = {.m = m,
                            .begin = run->start,
                            .end = run->start + s->duration,
                            .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    if (timing.rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(timing.rng, s->seed);
    run->results.timing = &timing;
    int result = stream_pump(run->stream, e);
    run->results.timing = NULL;
    gsl_rng_free(timing.rng);
    m->stream.asked = s->frequency;
    m->stream.duration = s->duration;
    conclude_rate(&timing, run->cell->leaves, &m->stream);
    if (result) {
        return -1;
    }
    if (m->stream.rate <= 0) {
        return tan_fail(e,
                        "only %llu results in %g s, too few for a rate: give a longer --duration",
                        (unsigned long long)m->stream.latencies, s->duration);
    }
    m->stopped = STOP_FIXED;
    return 0;
}

/* Check that each packet of the leaves has reached the root exactly once: by their number, and by
 * the sums of wave and leaf numbers, which reveal a loss compensated by a duplicate. */
static int check_sums(const struct rank_report *reports, int ranks, const struct flow_result *flow,
                      struct tan_error *e)
{
    uint64_t waves = 0;
    uint64_t leaves = 0;
    for (int i = 1; i < ranks; i++) {
        if (reports[i].is_leaf) {
            uint64_t n = reports[i].counts.packets;
            waves += n * (n - 1) / 2;
            leaves += n * reports[i].counts.leaf;
        }
    }
    if (flow->sent != flow->received || waves != reports[0].counts.wave_sum ||
        leaves != reports[0].counts.leaf_sum) {
        return tan_fail(e,
                        "the leaves sent %" PRIu64 " packets but the root received %" PRIu64
                        ", or not the same ones",
                        flow->sent, flow->received);
    }
    return 0;
}

/* Collect the reports that ranks 1 to `ranks` - 1 send on the channel of `side`; all[0] is the
 * caller's. */
static int gather_reports(struct waiter *side, struct rank_report *all, int ranks,
                          struct tan_error *e)
{
    for (int rank = 1; rank < ranks; rank++) {
        MPI_Request request;
        MPI_TRY(MPI_Irecv(&all[rank], (int)sizeof all[rank], MPI_BYTE, rank, tag_up(CHANNEL_SIDE),
                          side->world->comm, &request));
        if (side_receive(side, rank, &request, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Combine all ranks' reports on their streams. */
static int conclude_stream(const struct cell_run *run, const struct rank_report *reports,
                           struct measurement *m, struct tan_error *e)
{
    const int ranks = run->cell->processes;
    const struct stream_counts *root = &reports[0].counts;
    struct flow_result *flow = &m->flow;
    struct stream_result *r = &m->stream;
    flow->window = root->window;
    flow->received = root->leaves;
    flow->waves = run->results.whole;
    flow->partial = root->packets - run->results.whole;
    for (int i = 0; i < ranks; i++) {
        const struct stream_counts *counts = &reports[i].counts;
        flow->sent += reports[i].is_leaf ? counts->packets : 0;
        flow->queue_high =
            counts->queue_high > flow->queue_high ? counts->queue_high : flow->queue_high;
        r->behind = fmax(r->behind, reports[i].behind);
        r->blocked += counts->blocked / r->duration / run->cell->leaves;
    }
    return check_sums(reports, ranks, flow, e);
}

static int combine_reports(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const int ranks = run->cell->processes;
    struct rank_report *reports = calloc((size_t)ranks, sizeof *reports);
    if (reports == NULL) {
        return tan_fail_nomem(e);
    }
    reports[0].counts = *stream_counts(run->stream);
    const int result = gather_reports(&run->waiters[CHANNEL_SIDE], reports, ranks, e) < 0
                           ? -1
                           : conclude_stream(run, reports, m, e);
    free(reports);
    return result;
}

int mode_stream_lead(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    *m = (struct measurement){
        .stopped = STOP_INTERRUPTED, .batch = 1, .warmup = run->settings->warmup};
    m->round_trips = calloc(RESERVOIR, sizeof *m->round_trips);
    if (m->round_trips == NULL) {
        return tan_fail_nomem(e);
    }
    return lead_closed_loop(run, m, e) < 0 || lead_pushing(run, m, e) < 0 ||
                   combine_reports(run, m, e) < 0
               ? -1
               : 0;
}

/* A leaf: send packets one after the other, none before it is due. After a late wake-up the next
 * packets follow at once, to keep the mean frequency as long as the tree can. */
static int push_packets(struct cell_run *run, struct rank_report *report, struct tan_error *e)
{
    const struct settings *s = run->settings;
    double end = run->start + s->duration;
    struct packet *p;
    for (uint64_t i = 0;; i++) {
        double due = run->start + (s->frequency > 0 ? (double)i / s->frequency : 0);
        double now = tan_rank_clock_now(&run->clock);
        if (now >= end || due >= end) {
            return stream_end(run->stream, e);
        }
        if (now < due) {
            if (stream_flush(run->stream, e) < 0) {
                return -1;
            }
            tan_rank_clock_sleep(&run->clock, due, !run->waiters[CHANNEL_WAVE].policy->rings);
        }
        p = stream_next(run->stream, e);
        if (p == NULL) {
            return -1;
        }
        now = tan_rank_clock_now(&run->clock);
        p->sent_first = p->sent_last = now;
        if (s->frequency > 0) {
            report->behind = fmax(report->behind, now - due);
        }
        stream_send(run->stream);
    }
}

int mode_stream_follow(struct cell_run *run, struct tan_error *e)
{
    struct rank_report report = {.is_leaf = tan_tree_fanout(run->tree, run->world->rank) == 0};
    if (rounds_follow(run, e) < 0 ||
        (report.is_leaf ? push_packets(run, &report, e) : stream_pump(run->stream, e)) < 0) {
        return -1;
    }
    report.counts = *stream_counts(run->stream);
    side_send(&run->waiters[CHANNEL_SIDE], 0, &report, sizeof report);
    return 0;
}
