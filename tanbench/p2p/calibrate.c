/* calibrate.c - all measurements between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/calibrate.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_MAX_BYTES = 4 << 20 };
static const double calibrate_seconds = 45.0;
static const double validate_seconds = 20.0;
enum { MAX_EXTENSION = 3 }; /* times as long, to wait for quiet cores */

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
    const int64_t vectors = p2p_vector_sizes[P2P_VECTOR_SIZES - 1];
    return request->datatypes && vectors > max ? vectors : max;
}

static void choose_sizes(const struct p2p_request *request, struct p2p_measurement *m)
{
    for (size_t i = 0; i < request->n_sizes; i++) {
        p2p_sizes_add(m, request->sizes[i]);
    }
    if (request->n_sizes == 0) {
        p2p_sizes_add_powers(m, DEFAULT_MAX_BYTES);
    }
}

/* Overheads of both sides, beyond `sender` and `receiver` seconds of computing, without
 * interference; 0 or more. */
static struct p2p_overlap overhead(struct p2p_link *link, int64_t bytes, double sender,
                                   double receiver)
{
    enum { REPEATS = 15 };
    double of_sender[REPEATS];
    double of_receiver[REPEATS];
    double scratch[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const struct p2p_overlap took = p2p_compute(link, bytes, sender, receiver);
        of_sender[i] = took.sender - sender;
        of_receiver[i] = took.receiver - receiver;
    }
    return (struct p2p_overlap){fmax(tan_p2p_undisturbed(of_sender, REPEATS, scratch), 0.0),
                                fmax(tan_p2p_undisturbed(of_receiver, REPEATS, scratch), 0.0)};
}

/* Shares of messages of growing size that each side can hide behind computing. */
static void measure_hidden(struct p2p_link *link, struct p2p_findings *f)
{
    for (int64_t k = 1; k <= f->max_bytes && f->n_hidden < P2P_MAX_HIDDEN; k *= 16) {
        const double computation = 2.0 * tan_p2p_at(f->p2p, TAN_P2P_HALF, k);
        if (isfinite(computation)) {
            f->hidden[f->n_hidden++] = (struct p2p_hidden){
                .bytes = k,
                .computation = computation,
                .sender = overhead(link, k, computation, 0.0).sender,
                .receiver = overhead(link, k, 0.0, computation).receiver,
            };
        }
    }
}

/* Progress: independent when neither side, computing for four times the transfer, has half of the
 * transfer left afterwards. Transfer, if dependent: when the waiting receiver is done before the
 * sender stops computing, it has fetched the message (RTA); when it has to wait for the sender's
 * next call, the sender pushes (RAT). */
static void identify_mechanism(struct p2p_link *link, struct p2p_findings *f)
{
    struct tan_p2p *p = f->p2p;
    if (p->eager < 0 || p->eager >= f->max_bytes) {
        return;
    }
    const double whole = tan_p2p_at(p, TAN_P2P_HALF, f->max_bytes);
    if (!isfinite(whole)) {
        return;
    }
    const double computation = 4.0 * whole;
    const struct p2p_overlap both = overhead(link, f->max_bytes, computation, computation);
    if (both.sender < whole / 2 && both.receiver < whole / 2) {
        p->progress = TAN_PROGRESS_INDEPENDENT;
        return;
    }
    p->progress = TAN_PROGRESS_DEPENDENT;
    const double receiver = overhead(link, f->max_bytes, computation, 0.0).receiver;
    p->transfer = receiver < computation - whole / 2 ? TAN_TRANSFER_RTA
                  : receiver > computation           ? TAN_TRANSFER_RAT
                                                     : TAN_TRANSFER_UNKNOWN;
}

static struct tan_p2p *fit(const struct p2p_measurement *m, int64_t eager, uint64_t seed,
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
        *s = (struct tan_p2p_samples){.bytes = m->size[i], .train = m->train[i]};
        for (int t = 0; t < TAN_P2P_TIMINGS; t++, next += max) {
            s->sample[t] = next;
            s->n[t] = tan_p2p_take(m, i, (enum tan_p2p_timing)t, next);
        }
    }
    struct tan_p2p *p = tan_p2p_fit(samples, m->n_sizes, eager, seed, e);
    if (p != NULL) {
        p->disturbed = tan_p2p_disturbed(m);
    }
    free(room);
    return p;
}

static struct p2p_effort effort(const struct p2p_request *request, const struct p2p_link *link,
                                bool all)
{
    const double seconds = all ? calibrate_seconds : validate_seconds;
    const bool limited = request->max_seconds > 0;
    return (struct p2p_effort){
        .all = all,
        .max_seconds = limited ? request->max_seconds : seconds,
        .longest_seconds = limited ? request->max_seconds : MAX_EXTENSION * seconds,
        .seed = request->seed,
        .show_progress = !request->quiet && link->world->rank == 0,
    };
}

/* The send modes, at sizes that grow by a factor of four. */
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

int p2p_calibrate(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                  struct p2p_findings *f, struct tan_error *e)
{
    const struct p2p_effort how = effort(request, link, true);
    struct p2p_measurement *m = &f->measured;
    *f = (struct p2p_findings){.max_bytes = max_bytes(request), .limits = limits};
    choose_sizes(request, m);
    if (request->n_sizes == 0) {
        p2p_sizes_add_between(m, DEFAULT_MAX_BYTES);
    }
    const int64_t eager = p2p_find_eager(link, f->max_bytes);
    if (eager > 0 && eager < f->max_bytes) {
        p2p_sizes_add(m, eager);
        p2p_sizes_add(m, eager + 1);
    }
    if (p2p_measure(link, &how, m, e) < 0) {
        return -1;
    }
    f->p2p = fit(m, eager < f->max_bytes ? eager : -1, how.seed, e);
    if (f->p2p == NULL) {
        return -1;
    }
    measure_hidden(link, f);
    identify_mechanism(link, f);
    if (request->send_modes && measure_modes(link, request, &how, f, e) < 0) {
        return -1;
    }
    return request->datatypes ? p2p_vectors_measure(link, &how, f->p2p, &f->vectors, e) : 0;
}

void p2p_findings_clear(struct p2p_findings *f)
{
    tan_p2p_destroy(f->p2p);
    tan_p2p_measurement_clear(&f->measured);
}

int p2p_measure_trips(struct p2p_link *link, const struct p2p_request *request,
                      struct p2p_measurement *m, struct tan_error *e)
{
    const struct p2p_effort how = effort(request, link, false);
    *m = (struct p2p_measurement){.n_sizes = 0};
    choose_sizes(request, m);
    return p2p_measure(link, &how, m, e);
}
