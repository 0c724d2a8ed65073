/* emulation.c - a machine file's times, emulated by sleeping
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/emulation.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/wave/wave.h"

/* As much of a name as fits, cut between two characters of UTF-8. */
static void copy_name(char *to, size_t size, const char *name)
{
    size_t n = strnlen(name, size);

    while (n == size || (n > 0 && ((unsigned char)name[n] & 0xC0) == 0x80)) {
        n--;
    }
    memcpy(to, name, n);
    to[n] = '\0';
}

int tan_emulation_load(struct emulation *emulation, const char *path, double dilation,
                       struct tan_error *e)
{
    char *file = NULL;
    struct tan_machine *machine = tan_machine_find(path, &file, e);
    const bool known = machine && tan_machine_require_tan(machine, file, e) == 0;

    free(file);
    if (!known) {
        tan_machine_destroy(machine);
        return -1;
    }
    *emulation = (struct emulation){.dilation = dilation, .params = machine->tan};
    emulation->params.draws = NULL;
    emulation->params.n_draws = 0;
    emulation->params.payload = NULL; /* the machine's */
    memcpy(emulation->peak, machine->latency.peak, sizeof emulation->peak);
    emulation->n_peaks = machine->latency.n_peaks;
    copy_name(emulation->name, sizeof emulation->name, machine->name);
    tan_machine_destroy(machine);
    return 0;
}

struct emulation tan_emulation_links(const struct emulation *emulation)
{
    struct emulation links = *emulation;

    for (int p = 0; p < TAN_PARAMS; p++) {
        links.params.value[p] = p == TAN_L ? links.params.value[p] : 0;
    }
    return links;
}

struct emulated_costs tan_emulation_costs(const struct emulation *emulation, int fanout)
{
    const struct tan_params *params = &emulation->params;
    double stretch = emulation->dilation;
    double latency = params->value[TAN_L];
    double message = params->value[TAN_A];
    double node = fanout == 0 ? params->value[TAN_C0]
                              : fmax(0, tan_models[0].level(params, fanout) - latency - message);

    return (struct emulated_costs){stretch * latency, stretch * message, stretch * node};
}

double tan_emulation_draw(const struct emulation *emulation, gsl_rng *rng)
{
    const struct tan_peak *peak = emulation->peak;
    double total = 0;

    for (int i = 0; i < emulation->n_peaks; i++) {
        total += peak[i].share;
    }
    double left = total * gsl_rng_uniform(rng);
    for (int i = 1; i < emulation->n_peaks && left >= peak->share; i++) {
        left -= peak->share;
        peak++;
    }
    return emulation->dilation * fmax(0, peak->mean + gsl_ran_gaussian(rng, peak->stddev));
}

bool tan_lateness_add(struct lateness *l, int tries, double seconds, double late)
{
    l->waves++;
    l->most = fmax(l->most, late);
    if (late <= MAX_LATENESS * seconds) {
        l->mean += (late - l->mean) / (double)(l->waves - l->behind);
        return true;
    }
    l->behind++;
    l->kept += tries >= MAX_PLAYS;
    return tries >= MAX_PLAYS;
}

double tan_lateness_share(const struct lateness *l)
{
    uint64_t counted = l->waves - l->behind + l->kept;

    return counted > 0 ? (double)l->kept / (double)counted : 0;
}

void tan_lateness_join(struct lateness *l, const struct lateness *more)
{
    uint64_t in_time = l->waves - l->behind + more->waves - more->behind;

    if (in_time > 0) {
        l->mean += (more->mean - l->mean) * (double)(more->waves - more->behind) / (double)in_time;
    }
    l->waves += more->waves;
    l->behind += more->behind;
    l->kept += more->kept;
    l->most = fmax(l->most, more->most);
}
