/* host_load.c - what messages of other sizes than the measured ones add to the work of processes
 * that share cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/host/host_load.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What a process goes through of its own memory and the system's from message to message, in bytes:
 * waves with 9 processes on a core were half as much slower by messages of another protocol as a
 * cold receive was, and with 19 as much, beside 1.4 MiB of cache. */
enum { FOOTPRINT = 80 * 1024 };

struct costs {
    const struct tan_p2p *p2p;
    const struct tan_p2p_model *model;
    int64_t base;
};

/* What a message of `bytes` takes more than one of the base, seconds. */
struct message_load {
    double sender, receiver;
};

/* A time as it is on cores that nobody else uses, from the quietest condition that was measured. */
static double undisturbed(const struct costs *c, int64_t bytes, double seconds)
{
    const double each = 1.12; /* what messages take longer for each slowed core, where only such
                                 were measured: 20 to 30 % for both */
    for (int slowed = 0; slowed < TAN_P2P_CONDITIONS; slowed++) {
        if (tan_p2p_knows(c->p2p, slowed)) {
            return seconds * tan_p2p_slowness(c->p2p, slowed, bytes) / pow(each, slowed);
        }
    }
    return seconds;
}

static double whole(const struct costs *c, int64_t bytes)
{
    return undisturbed(c, bytes, c->model->predict(c->p2p, bytes).delivered);
}

/* What a process finds in a core's caches when it runs again. */
struct place {
    double working_set; /* bytes of all buffers that are used there in between */
    double cold;        /* how little of everything else: 0 to 1 */
};

/* What receiving takes. */
static double receiver(const struct costs *c, int64_t bytes, const struct place *place)
{
    const double warm = tan_p2p_at(c->p2p, TAN_P2P_RECEIVE, bytes);
    const double cold = tan_p2p_at(c->p2p, TAN_P2P_RECEIVE_COLD, bytes);
    const double share = isnan(cold) ? 0.0 : place->cold;
    const double from = fmax(2.0 * (double)bytes, share * TAN_P2P_FORGET);
    const double far = tan_p2p_copy(c->p2p, place->working_set) - tan_p2p_copy(c->p2p, from);
    return undisturbed(c, bytes, warm + share * fmax(cold - warm, 0.0)) +
           fmax(far, 0.0) * (double)bytes;
}

static struct message_load message(const struct costs *c, int64_t bytes, const struct place *place)
{
    const struct place alone = {.working_set = 0.0};
    const double receive = receiver(c, bytes, place) - receiver(c, c->base, place);
    const double warm = receiver(c, bytes, &alone) - receiver(c, c->base, &alone);
    const double more = whole(c, bytes) - whole(c, c->base);
    if (c->p2p->eager >= 0 && bytes <= c->p2p->eager) {
        return (struct message_load){.sender = more - fmin(warm, more),
                                     .receiver = receive - warm + fmin(warm, more)};
    }
    return (struct message_load){.receiver = receive - warm + more};
}

/* Bytes of a core's own cache: up to which copying takes about as long for every byte. */
static double capacity(const struct tan_p2p *p)
{
    const double about = 1.25;
    double least = INFINITY;
    size_t i = 0;
    for (size_t k = 0; k < p->n_copies; k++) {
        least = fmin(least, p->copy[k].per_byte);
    }
    for (size_t k = 0; k < p->n_copies; k++) {
        i = p->copy[k].per_byte <= about * least ? k + 1 : i;
    }
    return i == 0 || i == p->n_copies
               ? INFINITY
               : sqrt((double)p->copy[i - 1].bytes * (double)p->copy[i].bytes);
}

static uint32_t count_hosts(const struct tan_placement *placement, int32_t nodes)
{
    uint32_t hosts = 0;
    for (int32_t i = 0; i < nodes; i++) {
        hosts = placement->host_of[i] >= hosts ? placement->host_of[i] + 1 : hosts;
    }
    return hosts;
}

static int find_places(const struct tan_tree *tree, const struct tan_placement *placement,
                       const struct tan_p2p *p2p, const struct tan_host_payload *payload,
                       const int64_t *answer, struct place *place)
{
    const double own = capacity(p2p);
    const int32_t size = tan_tree_size(tree);
    double *buffers = calloc(count_hosts(placement, size), sizeof *buffers); /* bytes on a host */
    if (buffers == NULL) {
        return -1;
    }
    for (int32_t i = 0; i < size; i++) {
        const uint32_t pool = placement->pool_of[i];
        const double cores = placement->cores[pool];
        const double sent = (double)(payload->request + answer[i]);
        place[pool].working_set += sent / cores;
        buffers[placement->host_of[i]] += sent;
        if (i > 0) { /* where its parent receives it */
            const int32_t parent = tan_tree_parent(tree, i);
            const uint32_t there = placement->pool_of[parent];
            place[there].working_set += (double)answer[i] / placement->cores[there];
            buffers[placement->host_of[parent]] += (double)answer[i];
        }
        place[pool].cold += FOOTPRINT / own / cores;
    }
    for (int32_t i = 0; i < size; i++) {
        struct place *here = &place[placement->pool_of[i]];
        here->cold = fmin(here->cold, 1.0);
        if (here->working_set > own) { /* cores share the next cache */
            here->working_set = buffers[placement->host_of[i]];
        }
    }
    free(buffers);
    return 0;
}

/* A parent's share of its children's answers, which it reduces but for the first one, which is
 * copied. Those of children that share its cores come one after the other when these have all had
 * their turn: with the first of them all that the others need but their bytes comes into the
 * caches. Each answer from another core wakes the parent by itself. */
static double gather(const struct costs *c, double work, const struct tan_tree *tree,
                     const struct tan_placement *placement, int32_t parent, const int64_t *answer,
                     const struct place *place)
{
    const int32_t *child = tan_tree_children(tree, parent);
    const double copy = tan_p2p_copy(c->p2p, place->working_set);
    const double least = tan_p2p_copy(c->p2p, 0.0);
    struct place here = *place;
    double sum = 0.0;
    for (int32_t i = 0; i < tan_tree_fanout(tree, parent); i++) {
        const double more = (double)(answer[child[i]] - c->base);
        const bool near = placement->pool_of[child[i]] == placement->pool_of[parent];
        sum += message(c, answer[child[i]], near ? &here : place).receiver;
        here.cold = near ? 0.0 : here.cold;
        /* The answer that has just come is reduced to the one before. */
        const double both = 2.0 * (double)answer[child[i]];
        const double far = fmax(tan_p2p_copy(c->p2p, both) - least, 0.0);
        sum += more * (i == 0 ? copy : work + far);
    }
    return sum;
}

struct tan_host_load *tan_host_loads(const struct tan_tree *tree,
                                     const struct tan_placement *placement,
                                     const struct tan_p2p *p2p,
                                     const struct tan_host_payload *payload, struct tan_error *e)
{
    const size_t size = (size_t)tan_tree_size(tree);
    const struct costs c = {p2p, tan_p2p_best(p2p), payload->base};
    struct tan_host_load *load = calloc(size, sizeof *load);
    int32_t *leaves = malloc(size * sizeof *leaves);
    int64_t *answer = malloc(size * sizeof *answer);
    struct place *place = calloc(placement->pools, sizeof *place);
    bool known = false;
    if (load == NULL || leaves == NULL || answer == NULL || place == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    if (c.model == NULL) {
        tan_fail(e, "nothing is known of single messages");
        goto done;
    }
    tan_tree_leaf_counts(tree, leaves);
    for (size_t i = 0; i < size; i++) {
        answer[i] = payload->rule->bytes(payload->answer, leaves[i]);
    }
    if (find_places(tree, placement, p2p, payload, answer, place) < 0) {
        tan_fail_nomem(e);
        goto done;
    }
    known = true;
    for (int32_t i = 0; i < (int32_t)size; i++) {
        const struct place *here = &place[placement->pool_of[i]];
        const struct message_load request = message(&c, payload->request, here);
        load[i] = (struct tan_host_load){
            .request = i > 0 ? request.receiver : 0.0,
            .ask = request.sender,
            .answers = gather(&c, payload->work, tree, placement, i, answer, here),
            .answer = i > 0 ? message(&c, answer[i], here).sender : 0.0,
        };
        known &= isfinite(load[i].request + load[i].ask + load[i].answers + load[i].answer);
    }
    if (!known) {
        tan_fail(e, "what is known of single messages does not tell what their receivers take");
    }

done:
    free(leaves);
    free(answer);
    free(place);
    if (!known) {
        free(load);
        load = NULL;
    }
    return load;
}
