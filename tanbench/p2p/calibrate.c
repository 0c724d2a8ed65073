/* calibrate.c - all measurements between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/calibrate.h"

#include <math.h>
#include <stdlib.h>

enum { LARGEST = 4 << 20 };
static const double calibrate_seconds = 45.0;
static const double validate_seconds = 20.0;
enum { PATIENCE = 3 }; /* times as long, until cores are free */

static int64_t largest_size(const struct p2p_request *request)
{
    int64_t most = request->n_sizes > 0 ? 1 : LARGEST;
    for (size_t i = 0; i < request->n_sizes; i++) {
        most = request->sizes[i] > most ? request->sizes[i] : most;
    }
    return most;
}

int64_t p2p_room(const struct p2p_request *request)
{
    const int64_t most = largest_size(request);
    const int64_t vectors = p2p_vector_sizes[P2P_VECTOR_SIZES - 1];
    return request->datatypes && vectors > most ? vectors : most;
}

static void choose_sizes(const struct p2p_request *request, struct p2p_measurement *m)
{
    for (size_t i = 0; i < request->n_sizes; i++) {
        p2p_sizes_add(m, request->sizes[i]);
    }
    if (request->n_sizes == 0) {
        p2p_sizes_add_powers(m, LARGEST);
    }
}

/* What either side takes beyond its computing, with `sender` and `receiver` seconds of it, when
 * nothing disturbs it; 0 or more. */
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

/* How much of messages of growing size each side can hide behind computing. */
static void find_hidden(struct p2p_link *link, struct p2p_findings *f)
{
    for (int64_t k = 1; k <= f->most && f->n_hidden < P2P_MAX_HIDDEN; k *= 16) {
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

/* Progress: messages move on their own when neither side, computing for four times the transfer,
 * has half of it left to do afterwards. Transfer: when they do not, and the receiver, waiting, is
 * done before the sender stops computing, it has fetched the message (RTA); when it has to wait for
 * the sender to come back, the sender pushes (RAT). */
static void find_mechanism(struct p2p_link *link, struct p2p_findings *f)
{
    struct tan_p2p *p = f->p2p;
    if (p->eager < 0 || p->eager >= f->most) {
        return;
    }
    const double whole = tan_p2p_at(p, TAN_P2P_HALF, f->most);
    if (!isfinite(whole)) {
        return;
    }
    const double computation = 4.0 * whole;
    const struct p2p_overlap both = overhead(link, f->most, computation, computation);
    if (both.sender < whole / 2 && both.receiver < whole / 2) {
        p->progress = TAN_PROGRESS_INDEPENDENT;
        return;
    }
    p->progress = TAN_PROGRESS_DEPENDENT;
    const double receiver = overhead(link, f->most, computation, 0.0).receiver;
    p->transfer = receiver < computation - whole / 2 ? TAN_TRANSFER_RTA
                  : receiver > computation           ? TAN_TRANSFER_RAT
                                                     : TAN_TRANSFER_UNKNOWN;
}

static struct tan_p2p *fit(const struct p2p_measurement *m, int64_t eager, uint64_t seed,
                           struct tan_error *e)
{
    struct tan_p2p_samples samples[P2P_MAX_MEASURED];
    size_t most = 0;
    for (int group = 0; group < P2P_GROUPS; group++) {
        most = m->passes[group] > most ? m->passes[group] : most;
    }
    double *room = calloc(m->n_sizes * TAN_P2P_TIMINGS * most, sizeof *room);
    double *next = room;
    if (room == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < m->n_sizes; i++) {
        struct tan_p2p_samples *s = &samples[i];
        *s = (struct tan_p2p_samples){.bytes = m->size[i], .train = m->train[i]};
        for (int t = 0; t < TAN_P2P_TIMINGS; t++, next += most) {
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
        .longest_seconds = limited ? request->max_seconds : PATIENCE * seconds,
        .seed = request->seed,
        .show_progress = !request->quiet && link->world->rank == 0,
    };
}

/* The send modes, in sizes of which each is four times the one before. */
static int measure_modes(struct p2p_link *link, const struct p2p_request *request,
                         const struct p2p_effort *how, struct p2p_findings *f, struct tan_error *e)
{
    int64_t sizes[P2P_MAX_MODE_SIZES];
    size_t n = 0;
    for (size_t i = 0; i < request->n_sizes; i++) {
        sizes[n++] = request->sizes[i];
    }
    for (int64_t k = 1; request->n_sizes == 0 && k <= LARGEST; k *= 4) {
        sizes[n++] = k;
    }
    return p2p_modes_measure(link, how, sizes, n, f->p2p, &f->modes, e);
}

int p2p_calibrate(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                  struct p2p_findings *f, struct tan_error *e)
{
    const struct p2p_effort how = effort(request, link, true);
    struct p2p_measurement *m = &f->measured;
    *f = (struct p2p_findings){.most = largest_size(request), .limits = limits};
    choose_sizes(request, m);
    if (request->n_sizes == 0) {
        p2p_sizes_add_between(m, LARGEST);
    }
    const int64_t eager = p2p_find_eager(link, f->most);
    if (eager > 0 && eager < f->most) {
        p2p_sizes_add(m, eager);
        p2p_sizes_add(m, eager + 1);
    }
    if (p2p_measure(link, &how, m, e) < 0) {
        return -1;
    }
    f->p2p = fit(m, eager < f->most ? eager : -1, how.seed, e);
    if (f->p2p == NULL) {
        return -1;
    }
    find_hidden(link, f);
    find_mechanism(link, f);
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
