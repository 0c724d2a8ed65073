/* calibrate.c - all that is measured between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/p2p/copy_cost.h"

enum { LARGEST = 4 << 20 };
static const double calibrate_seconds = 45.0;
static const double longest_calibrate_seconds = 135.0; /* until cores are free */
static const double validate_seconds = 20.0;
enum { MOST_VALIDATIONS = 6 }; /* neighbours come and go within minutes */

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

static void choose_sizes(const struct p2p_request *request, struct p2p_measurement *m, bool between)
{
    for (size_t i = 0; i < request->n_sizes; i++) {
        p2p_sizes_add(m, request->sizes[i]);
    }
    if (request->n_sizes == 0) {
        p2p_sizes_default(m, LARGEST, between);
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
    for (int64_t k = 1; k <= f->most && f->n_hidden < P2P_MOST_HIDDEN; k *= 16) {
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

static struct tan_p2p *fit(const struct p2p_measurement *m, const struct p2p_conditions *c,
                           int64_t eager, uint64_t seed, struct tan_error *e)
{
    enum { SERIES = TAN_P2P_TIMINGS + TAN_P2P_CONDITIONS };
    struct tan_p2p_samples samples[P2P_MOST_SIZES];
    struct tan_p2p *p = NULL;
    size_t most = 0;
    for (int group = 0; group < P2P_GROUPS; group++) {
        most = m->passes[group] > most ? m->passes[group] : most;
    }
    double *room = calloc(m->n_sizes * SERIES * most, sizeof *room);
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
            s->n[t] = p2p_conditions_take(c, m, i, (enum tan_p2p_timing)t, next);
        }
        for (int k = 0; k < TAN_P2P_CONDITIONS; k++, next += most) {
            s->trip_slowed[k] = next;
            s->n_slowed[k] = p2p_conditions_select(c, m, i, TAN_P2P_TRIP, k, next);
        }
    }
    p = tan_p2p_fit(samples, m->n_sizes, eager, seed, e);
    if (p != NULL) {
        p->slowed = c->slowed;
        memcpy(p->work, c->work, sizeof p->work);
        p->turn = c->turn;
    }
    free(room);
    return p;
}

static struct p2p_effort effort(const struct p2p_request *request, const struct p2p_link *link,
                                bool all)
{
    return (struct p2p_effort){
        .all = all,
        .max_seconds = request->max_seconds > 0 ? request->max_seconds
                       : all                    ? calibrate_seconds
                                                : validate_seconds,
        .longest_seconds =
            request->max_seconds > 0 ? request->max_seconds : longest_calibrate_seconds,
        .seed = request->seed,
        .quiet = request->quiet || link->world->rank != 0,
    };
}

/* The kinds of sends, in sizes of which each is four times the one before. */
static int find_kinds(struct p2p_link *link, const struct p2p_request *request,
                      const struct p2p_effort *how, struct p2p_found *found, struct tan_error *e)
{
    int64_t sizes[P2P_MOST_KIND_SIZES];
    size_t n = 0;
    for (size_t i = 0; i < request->n_sizes; i++) {
        sizes[n++] = request->sizes[i];
    }
    for (int64_t k = 1; request->n_sizes == 0 && k <= LARGEST; k *= 4) {
        sizes[n++] = k;
    }
    found->findings.kinds = &found->kinds;
    return p2p_kinds_measure(link, how, sizes, n, found->findings.p2p, &found->kinds, e);
}

int p2p_find(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
             struct p2p_found *found, struct tan_error *e)
{
    const struct p2p_effort how = effort(request, link, true);
    struct p2p_findings *f = &found->findings;
    struct p2p_measurement *m = &found->measured;
    *found = (struct p2p_found){.findings = {.most = largest_size(request),
                                             .measured = m,
                                             .conditions = &found->conditions,
                                             .limits = limits}};
    choose_sizes(request, m, true);
    const int64_t eager = p2p_find_eager(link, f->most);
    if (eager > 0 && eager < f->most) {
        p2p_sizes_add(m, eager);
        p2p_sizes_add(m, eager + 1);
    }
    if (p2p_measure(link, &how, m, e) < 0) {
        return -1;
    }
    if (p2p_conditions_judge(m, NULL, &found->conditions, e) < 0) {
        return -1;
    }
    f->p2p = fit(m, &found->conditions, eager < f->most ? eager : -1, how.seed, e);
    if (f->p2p == NULL) {
        return -1;
    }
    p2p_memory_copy(f->p2p);
    find_hidden(link, f);
    find_mechanism(link, f);
    if (request->send_modes && find_kinds(link, request, &how, found, e) < 0) {
        return -1;
    }
    if (request->datatypes) {
        f->vectors = &found->vectors;
        return p2p_vectors_measure(link, &how, f->p2p, &found->vectors, e);
    }
    return 0;
}

void p2p_found_clear(struct p2p_found *found)
{
    tan_p2p_destroy(found->findings.p2p);
    p2p_measurement_clear(&found->measured);
    p2p_conditions_clear(&found->conditions);
}

int p2p_find_trips(struct p2p_link *link, const struct p2p_request *request,
                   const struct tan_p2p *known, struct p2p_measurement *m, struct p2p_conditions *c,
                   struct tan_error *e)
{
    const struct p2p_effort how = effort(request, link, false);
    const int most = request->max_seconds > 0 ? 1 : MOST_VALIDATIONS;
    *m = (struct p2p_measurement){.n_sizes = 0};
    *c = (struct p2p_conditions){.slowed = TAN_P2P_ANY};
    choose_sizes(request, m, false);
    for (int i = 0; i < most; i++) {
        p2p_measurement_clear(m);
        p2p_conditions_clear(c);
        if (p2p_measure(link, &how, m, e) < 0 || p2p_conditions_judge(m, known, c, e) < 0) {
            return -1;
        }
        if (p2p_conditions_comparable(c, known)) {
            break;
        }
    }
    return 0;
}
