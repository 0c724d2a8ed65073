/* fitting.c - machine file from measured chains and N-to-1 trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/fitting.h"

#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "model/fit/fit_report.h"
#include "tanbench/plan/calibration_plan.h"
#include "tanbench/results/cell_doubts.h"
#include "tanbench/results/distance.h"

/* Collect the half round trips of all parts that count. Returns their number. */
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

/* The waves of every result. */
static int collect(struct fitting *f, const struct results *r, struct tan_error *e)
{
    size_t total = 0;
    for (int i = 0; i < r->n; i++) {
        total += r->list[i].waves.n;
    }
    double *at = f->half_round_trips = malloc((total + 1) * sizeof *at);
    f->seen = calloc((size_t)r->n + 1, sizeof *f->seen);
    f->longer = calloc((size_t)r->n + 1, sizeof *f->longer);
    if (at == NULL || f->seen == NULL || f->longer == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        f->seen[i] = (struct tan_seen_tree){result->cell->spec,
                                            result->tree,
                                            tan_calibration_role(result->cell),
                                            NULL,
                                            at,
                                            collect_waves(result, at),
                                            half(result->round_trip.median),
                                            {0}};
        at += f->seen[i].n;
    }
    return 0;
}

/* Sort the results into the inputs of the fits, [0] between hosts and [1] within one. `of`: their
 * observations, with room for one per result each. */
static void collect_inputs(const struct fitting *f, const struct results *r,
                           struct tan_fit_input inputs[2], struct tan_observation *of[2])
{
    for (int i = 0; i < r->n; i++) {
        const struct tan_seen_tree *seen = &f->seen[i];
        const struct cell *cell = r->list[i].cell;
        struct tan_fit_input *input = &inputs[cell->near];
        struct tan_observation *observations = of[cell->near];
        if (cell->kind == CELL_PINGPONG) {
            input->latency = seen->waves;
            input->n_latency = seen->n;
        } else if (seen->role == TAN_FITS_ALL) {
            bool chain = strncmp(cell->spec, "chain:", 6) == 0;
            observations[input->n_observations++] =
                (struct tan_observation){.experiment = chain ? TAN_CHAIN : TAN_NTO1,
                                         .size = chain ? cell->height : cell->max_fanout,
                                         .waves = seen->waves,
                                         .n = seen->n};
        }
    }
}

static bool is_shared(int p)
{
    return p == TAN_OVERLAP_GROWTH || p == TAN_OVERLAP_C;
}

/* Copy the uncertainty of the parameters that the fit within a host took from that between hosts.
 */
static void share_uncertainty(const struct tan_params *far, struct tan_params *near)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (is_shared(p)) {
            near->ci95[p] = far->ci95[p];
            for (int d = 0; d < near->n_draws; d++) {
                near->draws[d * TAN_PARAMS + p] = tan_params_drawn(far, d).value[p];
            }
        }
    }
}

/* Fit tan-overlap to the trees between hosts or, with `near`, to those within one, where c and C
 * are given by the fit between hosts; `quick`: only the values. Not done if there are fewer trees
 * than parameters. */
static int fit_overlap(struct fitting *f, const struct results *r, bool near, bool quick,
                       struct tan_error *e)
{
    struct tan_overlap_observation *seen = calloc((size_t)r->n + 1, sizeof *seen);
    const double *far = f->overlap[0].value;
    double given[TAN_OVERLAP_PARAMS];
    struct tan_overlap_fit_input input = {.observations = seen,
                                          .bootstrap = quick ? 0 : TAN_OVERLAP_RESAMPLINGS,
                                          .seed = r->plan->settings.seed + near,
                                          .quick = quick};
    size_t fitted = TAN_OVERLAP_PARAMS;
    int result = seen != NULL ? 0 : tan_fail_nomem(e);
    for (int p = 0; p < TAN_OVERLAP_PARAMS; p++) {
        given[p] = is_shared(p) ? far[p] : NAN;
        fitted -= near && is_shared(p);
    }
    if (near) { /* the kind of NIC, too, is that of the last tier */
        input.given = given;
        input.nic = f->overlap_fit[0].shared ? TAN_NIC_SHARED : TAN_NIC_ONE_BY_ONE;
    }
    for (int i = 0; i < r->n && result == 0; i++) {
        const struct tan_seen_tree *t = &f->seen[i];
        if (t->tree != NULL && r->list[i].cell->near == near && t->role != TAN_CHECKS) {
            seen[input.n_observations++] =
                (struct tan_overlap_observation){t->tree, TAN_OVERLAP_ROUND, t->waves, t->n};
        }
    }
    if (result == 0 && input.n_observations >= fitted) {
        struct tan_params *params = &f->overlap[near];
        result = tan_overlap_fit(&input, &f->overlap_fit[near], e);
        *params = tan_overlap_fit_params(&f->overlap_fit[near], r->plan->settings.sizes[0]);
        if (near) {
            share_uncertainty(&f->overlap[0], params);
        }
    }
    free(seen);
    return result;
}

/* Not under emulation, whose processes take the times of TAN. */
static int fit_overlaps(struct fitting *f, const struct results *r, struct tan_error *e)
{
    if (emulation_on(&r->plan->settings.emulation)) {
        return 0;
    }
    if (fit_overlap(f, r, false, false, e) < 0) {
        return -1;
    }
    return f->overlap[0].n > 0 ? fit_overlap(f, r, true, false, e) : 0;
}

/* The time of a wave on the ranks where it was measured. `near`: the parameters within a host;
 * NULL: not used. */
static double time_at(const struct results *r, const struct tan_model *model,
                      const struct tan_params *near, const struct tan_params *far,
                      const struct tan_tree *tree)
{
    const struct distance *d = r->distance;
    const struct tan_sites here = {.at = {r->host_of}};
    struct tan_params class[TAN_TIERS];
    struct tan_tiers tiers = {.n = 0};
    if (near != NULL) {
        tiers.params[tiers.n++] = near;
    }
    for (int i = 0; d != NULL && i + 1 < d->n; i++) {
        class[i] = *far;
        class[i].value[TAN_L] = fmax(far->value[TAN_L] - tan_distance_nearer(d, i), 0);
        tiers.params[tiers.n++] = &class[i];
    }
    tiers.params[tiers.n++] = far;
    return tan_wave_time_at(model, &tiers, d != NULL ? &d->sites : &here, tree);
}

static void find_errors(const struct fitting *f, const struct results *r, struct tan_seen_tree *t)
{
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        struct tan_error ignored = TAN_ERROR_INIT;
        const struct tan_model *model = tan_model_find(tan_check_models[m], &ignored);
        const bool overlap = m == TAN_CHECK_OVERLAP;
        const struct tan_params *far = overlap ? &f->overlap[0] : &f->fits[TAN_METHOD_JOINT].params;
        const struct tan_params *near = overlap ? &f->overlap[1] : &f->near.params;
        const bool apart = f->near.params.n > 0;
        t->error[m] = far->n > 0 && (!apart || near->n > 0)
                          ? time_at(r, model, apart ? near : NULL, far, t->tree) / t->median - 1
                          : NAN;
    }
}

/* By how much longer a result's waves would be if all links were of the last class. */
static double longer_if_far(const struct results *r, const struct result *result,
                            const struct tan_model *model, const struct tan_params *params)
{
    const struct distance *d = r->distance;
    const bool pingpong = result->cell->kind == CELL_PINGPONG;
    if (result->cell->near || (!pingpong && tan_calibration_role(result->cell) == TAN_CHECKS)) {
        return 0;
    }
    if (pingpong) { /* with placement_partner */
        const int32_t partner = d->last_elsewhere;
        return tan_distance_nearer(d, tan_link_tier(&d->tiers, &d->sites, 0, partner) - d->apart);
    }
    return tan_wave_time(model, params, result->tree) -
           time_at(r, model, d->apart ? params : NULL, params, result->tree);
}

/* Make the waves of the fits between hosts as long as if all links were of the last class. Returns
 * the largest change, relative to a wave. */
static double lengthen(struct fitting *f, const struct results *r, const struct tan_model *model,
                       const struct tan_params *params)
{
    double *wave = f->half_round_trips;
    double most = 0;
    for (int i = 0; i < r->n; i++) {
        const double more = longer_if_far(r, &r->list[i], model, params) - f->longer[i];
        for (size_t k = 0; k < f->seen[i].n; k++) {
            *wave++ += more;
        }
        f->longer[i] += more;
        most = fmax(most, fabs(more) / f->seen[i].median);
    }
    return most;
}

/* Fit L to the last class. How much longer waves would be depends on the parameters, so fits of
 * tan-overlap alternate with corrections by it; the first one is by TAN without overheads. */
static int bring_apart(struct fitting *f, const struct results *r, struct tan_error *e)
{
    enum { FITS = 12 };
    const double settled = 1e-4;
    struct tan_params params = {.method = TAN_METHOD_JOINT,
                                .value = {[TAN_L] = tan_distance_nearer(r->distance, 0)}};
    lengthen(f, r, &tan_models[TAN_MODEL_TAN], &params);
    for (int fit = 0; fit < FITS && !emulation_on(&r->plan->settings.emulation); fit++) {
        if (fit_overlap(f, r, false, true, e) < 0) {
            return -1;
        }
        if (f->overlap[0].n == 0 || /* too few trees */
            lengthen(f, r, &tan_models[TAN_MODEL_OVERLAP], &f->overlap[0]) < settled) {
            break;
        }
    }
    return 0;
}

/* Judge the models by the trees between hosts and the check trees. Not under emulation, as above.
 */
static int judge_models(struct fitting *f, const struct results *r,
                        const struct tan_fit_input *fitted, struct tan_error *e)
{
    struct tan_fit_input input = *fitted;
    size_t n = 0;
    if (emulation_on(&r->plan->settings.emulation)) {
        return 0;
    }
    for (int i = 0; i < r->n; i++) {
        struct tan_seen_tree *t = &f->seen[i];
        if (t->tree != NULL && !r->list[i].cell->near && t->median > 0) {
            find_errors(f, r, t);
            t->median += f->longer[i];
            f->seen[n++] = *t;
        }
    }
    input.n_observations = 0;
    input.bootstrap = 0;
    input.method = TAN_METHOD_JOINT;
    return tan_cross_validate(f->seen, n, &input, &f->checks, e);
}

int tan_fitting_run(struct fitting *f, const struct results *r, struct tan_error *e)
{
    int result = -1;
    struct tan_observation *observations = calloc(2 * (size_t)r->n + 1, sizeof *observations);
    struct tan_fit_input inputs[2] = {{.observations = observations,
                                       .L = NAN,
                                       .bytes = r->plan->settings.sizes[0],
                                       .bootstrap = TAN_FIT_RESAMPLINGS,
                                       .seed = r->plan->settings.seed}};
    struct tan_fit_input *input = &inputs[0];
    *f = (struct fitting){0};
    gsl_set_error_handler_off();
    if (observations == NULL || collect(f, r, e) < 0) {
        tan_fail_nomem(e);
        goto done;
    }
    if (r->distance != NULL && r->distance->n > 1 && bring_apart(f, r, e) < 0) {
        goto done;
    }
    inputs[1] = inputs[0];
    inputs[1].observations = observations + r->n;
    inputs[1].seed++;
    inputs[1].method = TAN_METHOD_JOINT;
    inputs[1].known = &f->fits[TAN_METHOD_JOINT].params;
    struct tan_observation *of[2] = {observations, observations + r->n};
    collect_inputs(f, r, inputs, of);
    if (input->n_latency > 0 &&
        tan_latency_summarize(input->latency, input->n_latency, &f->latency, e) < 0) {
        goto done;
    }
    for (int m = 0; m < 2; m++) {
        input->method = (enum tan_method)m;
        if (tan_fit(input, &f->fits[m], e) < 0) {
            goto done;
        }
    }
    if ((inputs[1].n_observations > 0 && tan_fit(&inputs[1], &f->near, e) < 0) ||
        fit_overlaps(f, r, e) < 0 || judge_models(f, r, input, e) < 0) {
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
    for (int near = 0; near < 2; near++) {
        tan_overlap_fit_clear(&f->overlap_fit[near]);
    }
    free(f->half_round_trips);
    free(f->seen);
    free(f->longer);
    f->longer = NULL;
    f->half_round_trips = NULL;
    f->seen = NULL;
}

static void print_checks(const struct fitting *f, FILE *to)
{
    static const char *const headings[] = {"<check tree", "wave us", "TAN", "LogP", "tan-overlap"};
    struct tan_table *table = tan_table_create(headings, f->overlap[0].n > 0 ? 5 : 4);
    for (int i = 0; i < f->checks.n; i++) {
        const struct tan_check *check = &f->checks.row[i];
        tan_table_cell(table, "%s", check->topo);
        tan_table_cell(table, "%.4g", check->wave * 1e6);
        for (int m = 0; m < TAN_CHECK_MODELS; m++) {
            if (m != TAN_CHECK_OVERLAP || f->overlap[0].n > 0) {
                tan_table_cell(table, "%+.1f %%", 100 * check->error[m]);
            }
        }
    }
    fprintf(to, "\nCheck trees, which no fit used, and the models' errors:\n\n");
    tan_table_print(table, to);
}

void tan_fitting_print(const struct fitting *f, FILE *to)
{
    tan_fit_print(&f->fits[TAN_METHOD_JOINT], &f->fits[TAN_METHOD_PAPER], to);
    if (f->near.params.n > 0) {
        fprintf(to, "\nWithin a host (tier " TAN_TIER_HOST "), where c and C are the same:\n");
        tan_fit_print(&f->near, NULL, to);
    }
    if (f->overlap[0].n > 0) {
        tan_overlap_fit_print(&f->overlap_fit[0], to);
    }
    if (f->overlap[1].n > 0) {
        fprintf(to, "\nThe same within a host, where c and C are the same:\n");
        tan_overlap_fit_print(&f->overlap_fit[1], to);
    }
    if (f->checks.n > 0) {
        print_checks(f, to);
        tan_checks_print(&f->checks, to);
    } else {
        fprintf(to, "\nNo check trees, which need more ranks: the errors of the models are "
                    "unknown here.\n");
    }
}

/* Add the doubts about the fit within a host, marked as such. */
static void add_near_doubts(const struct tan_doubts *near, struct tan_doubts *doubts)
{
    for (size_t i = 0; i < near->n; i++) {
        const struct tan_doubt *d = &near->row[i];
        tan_doubts_add(doubts, d->severity, d->kind, d->amount, d->touches,
                       "tier " TAN_TIER_HOST ": %s", d->text);
    }
}

static int add_classes(struct tan_machine *machine, const struct distance *d, struct tan_error *e)
{
    int result = 0;
    for (int i = 0; d != NULL && i + 1 < d->n && result == 0; i++) {
        char name[24];
        result = tan_machine_add_class(machine, tan_distance_name(d->row[i].level, name),
                                       d->row[i].level, tan_distance_nearer(d, i), e);
    }
    return result;
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
    struct tan_machine *machine = tan_machine_create(name != NULL ? name : default_name, e);

    if (machine == NULL) {
        return NULL;
    }
    if (tan_machine_set_tan(machine, &f->fits[TAN_METHOD_JOINT].params, e) < 0 ||
        (f->near.params.n > 0 &&
         tan_machine_add_tier(machine, TAN_TIER_HOST, 0, &f->near.params, e) < 0) ||
        (f->overlap[0].n > 0 && tan_machine_set_overlap(machine, &f->overlap[0], e) < 0) ||
        (f->overlap[1].n > 0 && tan_machine_set_tier_overlap(machine, 0, &f->overlap[1], e) < 0) ||
        add_classes(machine, r->distance, e) < 0) {
        goto fail;
    }
    if (asprintf(&machine->source, "tanbench calibrate: %" PRId64 " %swaves, waiting: %s%s%s",
                 f->fits[TAN_METHOD_JOINT].params.n, tan_results_simulated(r) ? "simulated " : "",
                 r->wait, emulated ? "; not measured but emulated from the machine file of " : "",
                 emulated ? emulation->name : "") < 0) {
        machine->source = NULL;
        tan_fail_nomem(e);
        goto fail;
    }
    if (!emulated) { /* an emulated process has a host of its own */
        machine->hosts = host->hosts;
        machine->cores_per_host = host->cores;
        machine->oversubscribed = host->oversubscribed;
        machine->network_real = host->network_real;
    }
    machine->latency = f->latency;
    tan_doubt_run(r, &machine->doubts);
    tan_fit_tell(&f->fits[TAN_METHOD_JOINT], &machine->doubts);
    tan_overlap_fit_tell(&f->overlap_fit[0], &machine->doubts);
    machine->checks = f->checks;
    add_near_doubts(&f->near.doubts, &machine->doubts);
    tan_checks_doubt(&f->checks, host->hosts, &machine->doubts);
    machine->environment = json_incref(r->environment);
    return machine;
fail:
    tan_machine_destroy(machine);
    return NULL;
}
