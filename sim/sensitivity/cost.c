/* cost.c - costs of messages that a response is a function of
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/cost.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/deadlock.h"
#include "sim/schedule/times.h"

/* A power of two, so that all multiples are exact. */
#define FINE_STEP (1.0 / 1024.0)

const struct tan_cost_info tan_costs[TAN_COSTS] = {
    [TAN_COST_L] = {'L', "latency", 1.0},
    [TAN_COST_o] = {'o', "overhead", 1.0},
    [TAN_COST_G] = {'G', "gap per byte", FINE_STEP},
};

static void add_to_link(struct tan_link *link, enum tan_cost cost, double added)
{
    link->L += cost == TAN_COST_L ? (uint64_t)added : 0;
    link->o += cost == TAN_COST_o ? (uint64_t)added : 0; /* o_r is o + o_more */
    link->G += cost == TAN_COST_G ? added : 0.0;
}

/* All but what has been added. */
static int fill_sample(const struct tan_schedule *s, const struct tan_sim_params *p,
                       const struct tan_simulation *r, struct tan_sample *out, struct tan_error *e)
{
    out->finish = (double)r->finish;
    out->order = r->order;
    return tan_critical_path_visit(s, p, r, NULL, NULL, &out->weights, e);
}

int tan_sample_of(const struct tan_schedule *s, const struct tan_sim_params *p,
                  const struct tan_simulation *r, struct tan_sample *out, struct tan_error *e)
{
    *out = (struct tan_sample){.added = 0.0};
    return tan_ended_well(r) ? fill_sample(s, p, r, out, e) : tan_fail(e, "the job never ends");
}

int tan_sample_take(const struct tan_schedule *s, const struct tan_sim_params *p,
                    enum tan_cost cost, double added, struct tan_sample *out, struct tan_error *e)
{
    struct tan_sim_params params = *p;
    struct tan_sized_link *sizes = malloc((p->n_sizes + 1) * sizeof *sizes);
    struct tan_simulation r;
    if (sizes == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        sizes[i] = p->sizes[i];
        add_to_link(&sizes[i].link, cost, added);
        add_to_link(&sizes[i].within, cost, added);
    }
    params.sizes = p->n_sizes > 0 ? sizes : p->sizes;
    add_to_link(&params.within, cost, added);
    add_to_link(&params.between, cost, added);
    *out = (struct tan_sample){.added = added};
    int result = tan_simulate(s, &params, true, &r, e);
    if (result == 0) {
        result = tan_ended_well(&r) ? fill_sample(s, &params, &r, out, e)
                                    : tan_fail(e, "with %g ns more %c the job never ends",
                                               added / 1e3, tan_costs[cost].letter);
        tan_simulation_clear(&r);
    }
    free(sizes);
    return result;
}

/* Samples that are taken by several threads. */
struct batch {
    const struct tan_schedule *s;
    const struct tan_sim_params *p;
    enum tan_cost cost;
    struct tan_sample *samples;
    struct tan_error *errors; /* per sample */
    size_t n;
    atomic_size_t next; /* to be taken */
};

static void *take_samples(void *context)
{
    struct batch *b = context;
    for (size_t i = atomic_fetch_add(&b->next, 1); i < b->n; i = atomic_fetch_add(&b->next, 1)) {
        tan_sample_take(b->s, b->p, b->cost, b->samples[i].added, &b->samples[i], &b->errors[i]);
    }
    return NULL;
}

/* Simulations at a time: as many as there are cores, unless they take much memory, or hardly any
 * time. */
static size_t most_threads(const struct tan_schedule *s)
{
    enum { FEW = 1000, OPERATIONS = 1 << 23 };
    cpu_set_t cores;
    const size_t n =
        sched_getaffinity(0, sizeof cores, &cores) == 0 ? (size_t)CPU_COUNT(&cores) : 1;
    const size_t fit = OPERATIONS / ((size_t)s->n_ops + 1) + 1;
    return s->n_ops < FEW ? 1 : n < fit ? n : fit;
}

int tan_samples_take(const struct tan_schedule *s, const struct tan_sim_params *p,
                     enum tan_cost cost, struct tan_sample *out, size_t n, struct tan_error *e)
{
    enum { THREADS = 16 };
    struct batch b = {.s = s, .p = p, .cost = cost, .samples = out, .n = n};
    pthread_t threads[THREADS];
    size_t started = 0;
    const size_t most = most_threads(s);
    b.errors = calloc(n + 1, sizeof *b.errors);
    if (b.errors == NULL) {
        return tan_fail_nomem(e);
    }
    while (started < THREADS && started + 1 < most && started + 1 < n &&
           pthread_create(&threads[started], NULL, take_samples, &b) == 0) {
        started++;
    }
    take_samples(&b);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    int result = 0;
    for (size_t i = 0; i < n && result == 0; i++) {
        if (b.errors[i].status != TAN_DONE) {
            *e = b.errors[i];
            result = -1;
        }
    }
    free(b.errors);
    return result;
}

double tan_sample_slope(const struct tan_sample *sample, enum tan_cost cost)
{
    const uint64_t slopes[TAN_COSTS] = {[TAN_COST_L] = sample->weights.L,
                                        [TAN_COST_o] = sample->weights.o,
                                        [TAN_COST_G] = sample->weights.G};
    return (double)slopes[cost];
}

struct named_ranges {
    const char *what;
    struct tan_cost_range *list;
    size_t *n;
};

static int take_range(void *context, const char *part, struct tan_error *e)
{
    const struct named_ranges *ranges = context;
    size_t i = 0;
    while (i < TAN_COSTS && tan_costs[i].letter != part[0]) {
        i++;
    }
    if (i == TAN_COSTS || (part[1] != '\0' && strncmp(part + 1, "=+", 2) != 0)) {
        return tan_fail_usage(e,
                              "%s must be like L, L,o,G or L=+100us (of L, o and G, with what is "
                              "added at most), and has \"%s\"",
                              ranges->what, part);
    }
    struct tan_cost_range range = {.cost = (enum tan_cost)i, .most = NAN};
    if (part[1] != '\0') {
        if (tan_parse_fine_ps(ranges->what, part + 3, TAN_BARE_REFUSED, &range.most, e) < 0) {
            return -1;
        }
        range.most = ceil(range.most / tan_costs[i].step) * tan_costs[i].step;
        if (range.most <= 0.0) {
            return tan_fail_usage(e, "%s: what is added to %c at most must be more than 0",
                                  ranges->what, part[0]);
        }
    }
    for (size_t k = 0; k < *ranges->n; k++) {
        if (ranges->list[k].cost == range.cost) {
            return tan_fail_usage(e, "%s names %c twice", ranges->what, part[0]);
        }
    }
    ranges->list[(*ranges->n)++] = range;
    return 0;
}

int tan_cost_ranges_parse(const char *what, const char *text, struct tan_cost_range out[TAN_COSTS],
                          size_t *n, struct tan_error *e)
{
    struct named_ranges ranges = {what, out, n};
    *n = 0;
    return tan_each_part(what, text, take_range, &ranges, e);
}
