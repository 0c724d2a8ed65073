/* emulated_link.c - link of a process to its parent on an emulated machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/overlay.h"

#include <stdlib.h>

#include "base/clock.h"

struct emulated_link {
    struct emulation emulation;
    struct emulated_way way;
    gsl_rng *rng;   /* for random latencies, else NULL */
    double seconds; /* per direction, in this wave */
};

struct emulated_link *emulated_link_create(const struct emulation *emulation,
                                           const struct tan_tree *tree, const struct world *world,
                                           uint64_t seed, struct tan_error *e)
{
    const struct tan_sites sites = {.at = {world->host_of}};
    struct emulated_link *link = malloc(sizeof *link);
    if (link == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *link = (struct emulated_link){
        .emulation = *emulation,
        .way = tan_emulation_way(emulation, tree, &sites, world->rank),
    };
    if (link->way.drawn && (link->rng = gsl_rng_alloc(gsl_rng_mt19937)) == NULL) {
        free(link);
        tan_fail_nomem(e);
        return NULL;
    }
    if (link->rng != NULL) {
        gsl_rng_set(link->rng, seed + (uint64_t)world->rank);
    }
    return link;
}

void emulated_link_destroy(struct emulated_link *link)
{
    if (link != NULL) {
        if (link->rng != NULL) {
            gsl_rng_free(link->rng);
        }
        free(link);
    }
}

void emulated_link_pass_request(struct emulated_link *link)
{
    link->seconds = link->way.seconds;
    if (link->rng != NULL) {
        link->seconds += tan_emulation_draw(&link->emulation, link->rng) - link->way.latency;
    }
    emulated_link_pass_answer(link);
}

void emulated_link_pass_answer(const struct emulated_link *link)
{
    if (link->seconds > 0) {
        tan_clock_sleep(link->seconds);
    }
}
