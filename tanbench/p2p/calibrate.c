/* calibrate.c - all measurements between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/calibrate.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "model/stats/regression.h"
#include "tanbench/ranks/machine.h"

enum { DEFAULT_MAX_BYTES = 4 << 20, UNSEEN_SIZES = 30 };
enum { VALIDATE_STEPS = 2 }; /* one-way times, exchanges, which may be skipped */
static const double calibrate_seconds = 45.0;
static const double validate_seconds = 20.0;
enum { MAX_EXTENSION = 3 }; /* factor on the time limit, to wait for quiet cores */

static int64_t max_bytes(const struct p2p_request *request)
{
    int64_t max = request->n_sizes > 0 ? 1 : DEFAULT_MAX_BYTES;
    for (size_t i = 0; i < request->n_sizes; i++) {
        max = request->sizes[i] > max ? request->sizes[i] : max;
    }
    return max;
}

int64_t p2p_room(const struct p2p_request *request)
{
    const int64_t max = max_bytes(request);
    const int64_t vectors = request->datatypes ? p2p_vector_sizes[P2P_VECTOR_SIZES - 1] : 0;
    return vectors > max ? vectors : max;
}

static void choose_sizes(const struct p2p_request *request, struct p2p_measurement *m)
{
    for (size_t i = 0; i < request->n_sizes; i++) {
        p2p_sizes_add(m, request->sizes[i]);
    }
    for (int64_t k = 1; request->n_sizes == 0 && k <= DEFAULT_MAX_BYTES; k *= 2) {
        p2p_sizes_add(m, k);
    }
}

enum { REPEATS = 15, FEW_REPEATS = 3 };

/* How often to measure a message, so that interruptions do not matter. */
static int repeats_of(double one_way)
{
    const double slow = 2e-3; /* beyond it, brief interruptions are negligible */
    return one_way > slow ? FEW_REPEATS : REPEATS;
}

/* The one-way time without interference; each sample is the mean of `n` round trips. */
static double measure_one_way(struct p2p_link *link, int64_t bytes, int n)
{
    const int repeats = repeats_of(p2p_one_way(link, bytes, n));
    double time[REPEATS];
    double scratch[REPEATS];
    for (int i = 0; i < repeats; i++) {
        time[i] = p2p_one_way(link, bytes, n);
    }
    return tan_p2p_undisturbed(time, (size_t)repeats, scratch);
}

/* The same for the overheads of both sides; at least 0. */
static struct p2p_overheads measure_overheads(struct p2p_link *link, double one_way,
                                              const struct p2p_exchange *exchange)
{
    const int repeats = repeats_of(one_way);
    double of_sender[REPEATS];
    double of_receiver[REPEATS];
    double scratch[REPEATS];
    for (int i = 0; i < repeats; i++) {
        const struct p2p_overheads took = p2p_exchange(link, exchange);
        of_sender[i] = took.sender;
        of_receiver[i] = took.receiver;
    }
    return (struct p2p_overheads){
        fmax(tan_p2p_undisturbed(of_sender, (size_t)repeats, scratch), 0.0),
        fmax(tan_p2p_undisturbed(of_receiver, (size_t)repeats, scratch), 0.0)};
}

/* Whether, after computing for four times the transfer time, both sides have less than half of it
 * left. */
static bool is_independent(struct p2p_link *link, int64_t bytes, double *whole)
{
    *whole = measure_one_way(link, bytes, 1);
    const struct p2p_exchange exchange = {
        .bytes = bytes, .sender = 4.0 * *whole, .receiver = 4.0 * *whole};
    const struct p2p_overheads both = measure_overheads(link, *whole, &exchange);
    return both.sender < *whole / 2 && both.receiver < *whole / 2;
}

/* Progress: independent if messages move by themselves, shorter ones just as the longest ones do; a
 * thread that shares a core with the ranks only runs if computations take milliseconds. Transfer,
 * if progress is dependent: if the waiting receiver finishes before the sender stops computing, it
 * fetches the message (RTA); if it has to wait for the sender's next call, the sender pushes
 * (RAT). Shorter ones come first, since they are rarely interrupted. */
static void try_mechanism(struct p2p_link *link, int64_t eager, int64_t max_bytes, int *progress,
                          int *transfer)
{
    struct p2p_exchange exchange = {.bytes =
                                        (int64_t)sqrt((double)(eager + 1) * (double)max_bytes)};
    double whole;
    bool independent = is_independent(link, exchange.bytes, &whole);
    if (independent) {
        exchange.bytes = max_bytes;
        independent = is_independent(link, exchange.bytes, &whole);
    }
    *progress = independent ? TAN_PROGRESS_INDEPENDENT : TAN_PROGRESS_DEPENDENT;
    *transfer = TAN_TRANSFER_UNKNOWN;
    if (!independent) {
        exchange.sender = 4.0 * whole;
        const double receiver = measure_overheads(link, whole, &exchange).receiver;
        *transfer = receiver < exchange.sender - whole / 2 ? TAN_TRANSFER_RTA
                    : receiver > exchange.sender           ? TAN_TRANSFER_RAT
                                                           : TAN_TRANSFER_UNKNOWN;
    }
}

/* What nearly all of several tries agree on; unknown otherwise. */
static int identify_mechanism(struct p2p_link *link, int64_t max_bytes,
                              struct tan_p2p_limits *limits, struct tan_error *e)
{
    enum { TRIES = 5 };
    const int tries = machine_simulated ? 1 : TRIES;
    int progress[TRIES];
    int transfer[TRIES];
    for (int i = 0; i < tries && limits->eager < max_bytes; i++) {
        if (p2p_link_check_stop(link, e) < 0) {
            return -1;
        }
        try_mechanism(link, limits->eager, max_bytes, &progress[i], &transfer[i]);
        limits->progress = (enum tan_progress)tan_p2p_agreed(progress, i + 1);
        limits->transfer = (enum tan_transfer)tan_p2p_agreed(transfer, i + 1);
    }
    return 0;
}

/* O' of LogGPO: a rendezvous costs a computing sender 2 O', and one byte adds next to nothing. */
static double control_overhead(struct p2p_link *link)
{
    const double one_way = measure_one_way(link, 1, 10);
    const struct p2p_exchange exchange = {.bytes = 1, .sender = 4.0 * one_way, .synchronous = true};
    return measure_overheads(link, one_way, &exchange).sender / 2;
}

static struct tan_p2p *fit_measurement(const struct p2p_measurement *m,
                                       const struct tan_p2p_limits *limits, uint64_t seed,
                                       struct tan_error *e)
{
    struct tan_p2p_samples samples[P2P_MAX_MEASURED];
    size_t max = 0;
    for (int group = 0; group < P2P_GROUPS; group++) {
        max = m->passes[group] > max ? m->passes[group] : max;
    }
    double *room = calloc(m->n_sizes * TAN_P2P_TIMINGS * max, sizeof *room);
    double *next = room;
    if (room == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < m->n_sizes; i++) {
        struct tan_p2p_samples *s = &samples[i];
        *s = (struct tan_p2p_samples){.bytes = m->size[i], .few = m->few[i], .many = m->many[i]};
        for (int t = 0; t < TAN_P2P_TIMINGS; t++, next += max) {
            s->sample[t] = next;
            const enum p2p_group group = tan_p2p_group_of((enum tan_p2p_timing)t);
            s->n[t] = m->passes[group] < P2P_MIN_PASSES
                          ? 0
                          : tan_p2p_take(m, i, (enum tan_p2p_timing)t, next);
        }
    }
    struct tan_p2p *p = tan_p2p_fit(samples, m->n_sizes, limits, seed, e);
    if (p != NULL) {
        p->disturbed = tan_p2p_disturbed(m);
    }
    free(room);
    return p;
}

int p2p_findings_fit(struct p2p_findings *f, uint64_t seed, struct tan_error *e)
{
    struct tan_p2p *p = NULL;
    if (f->measured.passes[P2P_TRIPS] < P2P_MIN_PASSES) {
        return tan_fail(e, "too few passes to fit");
    }
    p = fit_measurement(&f->measured, &f->protocol, seed, e);
    tan_p2p_destroy(f->p2p);
    f->p2p = p;
    return p == NULL ? -1 : 0;
}

/* Step `number` of `of`, with `later` more measurements to come. */
static struct p2p_effort step_effort(const struct p2p_request *request, int number, int of,
                                     int later)
{
    const bool limited = request->max_seconds > 0;
    const double seconds = limited                     ? request->max_seconds
                           : request->validate != NULL ? validate_seconds
                                                       : calibrate_seconds;
    return (struct p2p_effort){
        .all = request->validate == NULL,
        .max_seconds = seconds,
        .longest_seconds = limited ? seconds : MAX_EXTENSION * seconds,
        .seed = request->seed,
        .step = {.shown = !request->quiet, .number = number, .of = of, .later = later * seconds},
    };
}

/* The send modes, at sizes that increase by a factor of four. */
static int measure_modes(struct p2p_link *link, const struct p2p_request *request,
                         const struct p2p_effort *how, struct p2p_findings *f, struct tan_error *e)
{
    int64_t sizes[P2P_MAX_MODE_SIZES];
    size_t n = 0;
    for (size_t i = 0; i < request->n_sizes; i++) {
        sizes[n++] = request->sizes[i];
    }
    for (int64_t k = 1; request->n_sizes == 0 && k <= DEFAULT_MAX_BYTES; k *= 4) {
        sizes[n++] = k;
    }
    return p2p_modes_measure(link, how, sizes, n, f->p2p, &f->modes, e);
}

/* Add the last size before a change and the first after it. */
static void add_limit(struct p2p_measurement *m, int64_t bytes, int64_t max_bytes)
{
    if (bytes > 0 && bytes < max_bytes) {
        p2p_sizes_add(m, bytes);
        p2p_sizes_add(m, bytes + 1);
    }
}

/* Find the protocol limits and add the sizes around them to the measurement. */
static int find_limits(struct p2p_link *link, const struct p2p_request *request,
                       const struct p2p_step *step, int64_t max_bytes, struct p2p_measurement *m,
                       struct tan_p2p_limits *l, struct tan_error *e)
{
    p2p_step_show(step, NAN, "limits of the protocol");
    *l = (struct tan_p2p_limits){.eager = p2p_find_limit(link, max_bytes, false, e)};
    l->alone = l->eager > 0 ? p2p_find_limit(link, l->eager, true, e) : 0;
    if (l->eager < 0 || l->alone < 0) {
        return -1;
    }
    p2p_step_show(step, NAN, "progress of long messages");
    if (identify_mechanism(link, max_bytes, l, e) < 0) {
        return -1;
    }
    l->control = control_overhead(link);
    add_limit(m, l->eager, max_bytes);
    add_limit(m, l->alone, max_bytes);
    p2p_step_show(step, NAN, "sizes at which times jump");
    if (request->n_sizes == 0 && p2p_find_jumps(link, m, l, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < l->n_jumps; i++) {
        add_limit(m, l->jump[i], max_bytes);
    }
    l->eager = l->eager < max_bytes ? l->eager : -1;
    l->alone = l->alone < max_bytes ? l->alone : -1;
    return 0;
}

int p2p_calibrate(struct p2p_link *link, const struct p2p_request *request,
                  const struct p2p_keeper *keeper, struct p2p_findings *f, struct tan_error *e)
{
    const int n = 1 + request->send_modes + request->datatypes; /* measurements */
    struct p2p_effort how = step_effort(request, 2, n + 2, n - 1);
    struct p2p_measurement *m = &f->measured;
    struct tan_error unfitted = TAN_ERROR_INIT;
    *f = (struct p2p_findings){.max_bytes = max_bytes(request)};
    how.keeper = keeper;
    choose_sizes(request, m);
    if (request->n_sizes == 0) {
        p2p_sizes_add_between(m, DEFAULT_MAX_BYTES);
    }
    const struct p2p_effort search = step_effort(request, 1, n + 2, n);
    if (find_limits(link, request, &search.step, f->max_bytes, m, &f->protocol, e) < 0) {
        return -1;
    }
    if (p2p_measure(link, &how, m, e) < 0) {
        p2p_findings_fit(f, how.seed, &unfitted);
        return -1;
    }
    if (p2p_findings_fit(f, how.seed, e) < 0) {
        return -1;
    }
    const struct p2p_effort modes = step_effort(request, 4, n + 2, n - 2);
    if (request->send_modes && measure_modes(link, request, &modes, f, e) < 0) {
        return -1;
    }
    const struct p2p_effort vectors = step_effort(request, n + 2, n + 2, 0);
    return request->datatypes ? p2p_vectors_measure(link, &vectors, &f->vectors, e) : 0;
}

void p2p_findings_clear(struct p2p_findings *f)
{
    tan_p2p_destroy(f->p2p);
    tan_p2p_measurement_clear(&f->measured);
}

static bool has_size(const struct tan_p2p *p, int64_t bytes)
{
    bool found = false;
    for (size_t i = 0; i < p->n_sizes; i++) {
        found |= p->size[i].bytes == bytes;
    }
    return found;
}

/* Random sizes, log-uniform, excluding those measured before. */
static int draw_sizes(const struct tan_p2p *known, uint64_t seed, struct p2p_measurement *m,
                      struct tan_error *e)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(rng, (unsigned long)seed);
    while (m->n_sizes < UNSEEN_SIZES) {
        const int64_t bytes = (int64_t)exp(gsl_ran_flat(rng, 0.0, log((double)DEFAULT_MAX_BYTES)));
        if (!has_size(known, bytes)) {
            p2p_sizes_add(m, bytes);
        }
    }
    gsl_rng_free(rng);
    return 0;
}

int p2p_measure_trips(struct p2p_link *link, const struct p2p_request *request,
                      const struct tan_p2p *known, const struct p2p_keeper *keeper,
                      struct p2p_measurement *m, struct tan_error *e)
{
    struct p2p_effort how = step_effort(request, 1, VALIDATE_STEPS, VALIDATE_STEPS - 1);
    *m = (struct p2p_measurement){.n_sizes = 0};
    how.keeper = keeper;
    if (request->n_sizes > 0) {
        choose_sizes(request, m);
    } else if (draw_sizes(known, request->seed, m, e) < 0) {
        return -1;
    }
    return p2p_measure(link, &how, m, e);
}

int p2p_measure_exchanges(struct p2p_link *link, const struct p2p_request *request,
                          const struct tan_p2p *known, struct p2p_exchanges *exchanges,
                          struct tan_error *e)
{
    const struct p2p_effort how = step_effort(request, 2, VALIDATE_STEPS, VALIDATE_STEPS - 2);
    int64_t sizes[TAN_MAX_SEGMENTS];
    size_t n = 0;
    *exchanges = (struct p2p_exchanges){.n = 0};
    if (!tan_p2p_complete(known)) {
        return 0;
    }
    if (request->n_sizes > 0) {
        return p2p_exchanges_measure(link, &how, known, request->sizes, request->n_sizes, exchanges,
                                     e);
    }
    for (size_t i = 0; i < known->n_sections && n < TAN_MAX_SEGMENTS; i++) {
        const double from = (double)known->section[i].from;
        const double to = fmin((double)known->section[i].to, DEFAULT_MAX_BYTES);
        if (from <= to) {
            sizes[n++] = (int64_t)sqrt(from * to);
        }
    }
    return p2p_exchanges_measure(link, &how, known, sizes, n, exchanges, e);
}
