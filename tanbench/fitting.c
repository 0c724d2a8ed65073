/* fitting.c - from the measured chains and N-to-1 trees to a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/fitting.h"

#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit_report.h"

enum { RESAMPLINGS = 2000 };

/* Sort the results into the fit's input; half round trips go to f->half_trips. */
static void collect(struct fitting *f, const struct results *r, struct tan_fit_input *input,
                    struct tan_observation *observations)
{
    double *at = f->half_trips;

    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        const struct cell *cell = result->cell;
        size_t n = result->waves.n;
        for (size_t j = 0; j < n; j++) {
            at[j] = half(result->waves.round_trips[j]);
        }
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

int fitting_run(struct fitting *f, const struct results *r, enum tan_method method,
                struct tan_error *e)
{
    size_t total = 0;
    int result = -1;
    struct tan_observation *observations = calloc((size_t)r->n + 1, sizeof *observations);
    struct tan_fit_input input = {.observations = observations,
                                  .L = NAN,
                                  .bytes = r->plan->settings.bytes,
                                  .bootstrap = RESAMPLINGS,
                                  .seed = r->plan->settings.seed};

    *f = (struct fitting){.method = method};
    gsl_set_error_handler_off();
    for (int i = 0; i < r->n; i++) {
        total += r->list[i].waves.n;
    }
    f->half_trips = malloc((total + 1) * sizeof *f->half_trips);
    if (!observations || !f->half_trips) {
        tan_fail_nomem(e);
        goto done;
    }
    collect(f, r, &input, observations);
    if (input.n_latency > 0 &&
        tan_latency_summarize(input.latency, input.n_latency, input.seed, &f->latency, e)) {
        goto done;
    }
    for (int m = 0; m < 2; m++) {
        input.method = (enum tan_method)m;
        if (tan_fit(&input, &f->fits[m], e)) {
            goto done;
        }
    }
    result = 0;
done:
    free(observations);
    return result;
}

void fitting_clear(struct fitting *f)
{
    for (int m = 0; m < 2; m++) {
        tan_fit_clear(&f->fits[m]);
    }
    free(f->half_trips);
    f->half_trips = NULL;
}

void fitting_print(const struct fitting *f, FILE *to)
{
    tan_fit_print(&f->fits[f->method], &f->fits[!f->method], to);
}

struct tan_machine *fitting_machine(const struct fitting *f, const struct results *r,
                                    const struct world *world, const char *name,
                                    struct tan_error *e)
{
    const struct emulation *emulation = &r->plan->settings.emulation;
    bool emulated = emulation_on(emulation);
    char played[sizeof emulation->name + 16];

    snprintf(played, sizeof played, "emulated %s", emulation->name);
    const char *default_name = emulated ? played : world->peers[0].host;
    struct tan_machine *machine = tan_machine_create(name ? name : default_name, e);

    if (!machine) {
        return NULL;
    }
    if (asprintf(&machine->source, "tanbench --calibrate: %" PRId64 " waves, waiting: %s%s%s",
                 f->fits[f->method].params.n, r->wait,
                 emulated ? "; not measured but emulated from the machine file of " : "",
                 emulated ? emulation->name : "") < 0) {
        machine->source = NULL;
    }
    if (!emulated) { /* each emulated process has a host of its own */
        machine->hosts = world->hosts;
        machine->cores_per_host = world->usable_cores;
        machine->oversubscribed = world->oversubscribed;
    }
    machine->tan = f->fits[f->method].params;
    machine->latency = f->latency;
    machine->environment = json_incref(r->environment);
    return machine;
}
