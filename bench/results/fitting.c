/* fitting.c - machine file from measured chains and N-to-1 trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/fitting.h"

#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/fit_report.h"

enum { RESAMPLINGS = 2000 };

/* The half round trips of all parts that count. Returns their number. */
static size_t collect_waves(const struct result *result, double *to)
{
    const double *from = result->waves.round_trips;
    size_t n = 0;

    for (int i = 0; i < result->n_parts; from += result->parts[i++].n) {
        for (size_t j = 0; j < result->parts[i].n && tan_results_counts(result, &result->parts[i]);
             j++) {
            to[n++] = half(from[j]);
        }
    }
    return n;
}

/* Sort the results into the fits' inputs, [1] for those within a host; half round trips go to
 * f->half_round_trips, observations to as many places as there are results for each. */
static void collect(struct fitting *f, const struct results *r, struct tan_fit_input inputs[2],
                    struct tan_observation *of[2])
{
    double *at = f->half_round_trips;

    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        const struct cell *cell = result->cell;
        struct tan_fit_input *input = &inputs[cell->near];
        struct tan_observation *observations = of[cell->near];
        const size_t n = collect_waves(result, at);
        if (cell->kind == CELL_PINGPONG) {
            input->latency = at;
            input->n_latency = n;
        } else if (cell->kind == CELL_TREE) {
            bool chain = !strncmp(cell->spec, "chain:", 6);
            observations[input->n_observations++] =
                (struct tan_observation){.experiment = chain ? TAN_CHAIN : TAN_NTO1,
                                         .size = chain ? cell->height : cell->max_fanout,
                                         .waves = at,
                                         .n = n};
        }
        at += n;
    }
}

int tan_fitting_disturbed(const struct results *r, int *trees)
{
    int disturbed = 0;

    *trees = 0;
    for (int i = 0; i < r->n; i++) {
        *trees += r->list[i].tree != NULL;
        disturbed += r->list[i].tree != NULL && tan_results_disturbed(&r->list[i]);
    }
    return disturbed;
}

int tan_fitting_run(struct fitting *f, const struct results *r, enum tan_method method,
                    struct tan_error *e)
{
    size_t total = 0;
    int result = -1;
    struct tan_observation *observations = calloc(2 * (size_t)r->n + 1, sizeof *observations);
    struct tan_fit_input inputs[2] = {{.observations = observations,
                                       .L = NAN,
                                       .bytes = r->plan->settings.bytes,
                                       .bootstrap = RESAMPLINGS,
                                       .seed = r->plan->settings.seed}};
    struct tan_fit_input *input = &inputs[0];

    *f = (struct fitting){.method = method};
    gsl_set_error_handler_off();
    for (int i = 0; i < r->n; i++) {
        total += r->list[i].waves.n;
    }
    f->half_round_trips = malloc((total + 1) * sizeof *f->half_round_trips);
    if (!observations || !f->half_round_trips) {
        tan_fail_nomem(e);
        goto done;
    }
    inputs[1] = inputs[0];
    inputs[1].observations = observations + r->n;
    inputs[1].seed++;
    inputs[1].method = method;
    inputs[1].known = &f->fits[method].params;
    struct tan_observation *of[2] = {observations, observations + r->n};
    collect(f, r, inputs, of);
    if (input->n_latency > 0 &&
        tan_latency_summarize(input->latency, input->n_latency, &f->latency, e)) {
        goto done;
    }
    for (int m = 0; m < 2; m++) {
        input->method = (enum tan_method)m;
        if (tan_fit(input, &f->fits[m], e)) {
            goto done;
        }
    }
    if (inputs[1].n_observations > 0 && tan_fit(&inputs[1], &f->near, e)) {
        goto done;
    }
    result = 0;
done:
    free(observations);
    return result;
}

void tan_fitting_clear(struct fitting *f)
{
    for (int m = 0; m < 2; m++) {
        tan_fit_clear(&f->fits[m]);
    }
    tan_fit_clear(&f->near);
    free(f->half_round_trips);
    f->half_round_trips = NULL;
}

void tan_fitting_print(const struct fitting *f, FILE *to)
{
    tan_fit_print(&f->fits[f->method], &f->fits[!f->method], to);
    if (f->near.params.n > 0) {
        fprintf(to, "\nWithin a host (tier " TAN_TIER_HOST "), where c and C are the same:\n");
        tan_fit_print(&f->near, NULL, to);
    }
}

/* Those of the fit within a host, which say so. */
static void add_near_doubts(const struct tan_doubts *near, struct tan_doubts *doubts)
{
    for (int i = 0; i < near->n; i++) {
        const struct tan_doubt *d = &near->row[i];
        tan_doubts_add(doubts, d->what, d->amount, d->touches, "tier " TAN_TIER_HOST ": %.120s",
                       d->text);
    }
}

struct tan_machine *tan_fitting_machine(const struct fitting *f, const struct results *r,
                                        const struct fitting_host *host, const char *name,
                                        struct tan_error *e)
{
    const struct emulation *emulation = &r->plan->settings.emulation;
    bool emulated = emulation_on(emulation);
    char played[sizeof emulation->name + 16];

    snprintf(played, sizeof played, "emulated %s", emulation->name);
    const char *default_name = emulated ? played : host->name;
    struct tan_machine *machine = tan_machine_create(name ? name : default_name, e);

    if (!machine) {
        return NULL;
    }
    if (tan_machine_set_tan(machine, &f->fits[f->method].params, e) ||
        (f->near.params.n > 0 &&
         tan_machine_add_tier(machine, TAN_TIER_HOST, &f->near.params, e))) {
        goto fail;
    }
    if (asprintf(&machine->source, "tanbench calibrate: %" PRId64 " %swaves, waiting: %s%s%s",
                 f->fits[f->method].params.n, tan_results_simulated(r) ? "simulated " : "", r->wait,
                 emulated ? "; not measured but emulated from the machine file of " : "",
                 emulated ? emulation->name : "") < 0) {
        machine->source = NULL;
        tan_fail_nomem(e);
        goto fail;
    }
    if (!emulated) { /* else each process has a host of its own */
        machine->hosts = host->hosts;
        machine->cores_per_host = host->cores;
        machine->oversubscribed = host->oversubscribed;
        machine->network_real = host->network_real;
    }
    machine->latency = f->latency;
    machine->doubts = f->fits[f->method].doubts;
    add_near_doubts(&f->near.doubts, &machine->doubts);
    machine->environment = json_incref(r->environment);
    return machine;
fail:
    tan_machine_destroy(machine);
    return NULL;
}
