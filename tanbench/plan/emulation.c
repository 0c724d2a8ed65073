/* emulation.c - times of a machine file, replayed by processes that sleep in simulated time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/emulation.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/wave/wave.h"

/* Copy as much of a name as fits, cut between code points of UTF-8. */
static void copy_name(char *to, size_t size, const char *name)
{
    size_t n = strnlen(name, size);
    while (n == size || (n > 0 && ((unsigned char)name[n] & 0xC0) == 0x80)) {
        n--;
    }
    memcpy(to, name, n);
    to[n] = '\0';
}

int tan_emulation_load(struct emulation *emulation, const char *path, struct tan_error *e)
{
    char *file = NULL;
    struct tan_machine *machine = tan_machine_find(path, &file, e);
    const bool known = machine != NULL && tan_machine_require_tan(machine, file, e) == 0;
    free(file);
    if (!known) {
        tan_machine_destroy(machine);
        return -1;
    }
    const struct tan_tiers tiers = tan_machine_tiers(machine);
    *emulation = (struct emulation){.n_tiers = tiers.n};
    for (int t = 0; t < tiers.n; t++) {
        emulation->params[t] = *tiers.params[t];
        emulation->params[t].draws = NULL;
        emulation->params[t].n_draws = 0;
        emulation->params[t].payload = NULL; /* owned by the machine */
    }
    memcpy(emulation->peak, machine->latency.peak, sizeof emulation->peak);
    emulation->n_peaks = machine->latency.n_peaks;
    copy_name(emulation->name, sizeof emulation->name, machine->name);
    tan_machine_destroy(machine);
    return 0;
}

struct emulation tan_emulation_links(const struct emulation *emulation)
{
    struct emulation links = *emulation;
    for (int t = 0; t < links.n_tiers; t++) {
        for (int p = 0; p < TAN_PARAMS; p++) {
            links.params[t].value[p] = p == TAN_L ? links.params[t].value[p] : 0;
        }
    }
    return links;
}

struct emulated_way tan_emulation_way(const struct emulation *emulation,
                                      const struct tan_tree *tree, const struct tan_sites *sites,
                                      int32_t node)
{
    struct tan_tiers tiers = {.n = emulation->n_tiers};
    const int32_t parent = tan_tree_parent(tree, node);
    double cost[TAN_TIERS];
    if (!emulation_on(emulation) || parent < 0) {
        return (struct emulated_way){0};
    }
    for (int t = 0; t < tiers.n; t++) {
        tiers.params[t] = &emulation->params[t];
    }
    const int tier = tan_link_tier(&tiers, sites, parent, node);
    const bool leaf = tan_tree_fanout(tree, node) == 0;
    tan_link_costs(&tan_models[TAN_MODEL_TAN], &tiers, sites, tree, parent, cost);
    return (struct emulated_way){.seconds = cost[tier] +
                                            (leaf ? tiers.params[tiers.n - 1]->value[TAN_C0] : 0),
                                 .latency = tiers.params[tier]->value[TAN_L],
                                 .drawn = tier == tiers.n - 1 && emulation->n_peaks > 0};
}

double tan_emulation_draw(const struct emulation *emulation, gsl_rng *rng)
{
    const struct tan_peak *peak = emulation->peak;
    double total = 0;
    for (int i = 0; i < emulation->n_peaks; i++) {
        total += peak[i].share;
    }
    double left = total * gsl_rng_uniform(rng);
    for (int i = 1; i < emulation->n_peaks && left >= peak->share; i++) { /* choose a peak */
        left -= peak->share;
        peak++;
    }
    return fmax(0, peak->mean + gsl_ran_gaussian(rng, peak->stddev));
}
