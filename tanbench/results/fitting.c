/* fitting.c - machine file from measured chains and N-to-1 trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/fitting.h"

#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/fit/fit.h"
#include "tanbench/plan/calibration_plan.h"
#include "tanbench/results/distance.h"
#include "tanbench/results/results.h"

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
    f->shorter = calloc((size_t)r->n + 1, sizeof *f->shorter);
    if (at == NULL || f->seen == NULL || f->shorter == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        const struct cell *cell = result->cell;
        const bool chain = strncmp(cell->spec, "chain:", 6) == 0;
        f->seen[i] = (struct tan_observation){.experiment = chain ? TAN_CHAIN : TAN_NTO1,
                                              .size = chain ? cell->height : cell->max_fanout,
                                              .waves = at,
                                              .n = collect_waves(result, at),
                                              .role = tan_calibration_role(cell),
                                              .name = cell->spec,
                                              .tree = result->tree,
                                              .median = half(result->round_trip.median)};
        at += f->seen[i].n;
    }
    return 0;
}

/* The trees between hosts or, `near`, within one, in `to`, with room for all results. */
static struct tan_fit_input input_of(const struct fitting *f, const struct results *r, bool near,
                                     enum tan_method method, struct tan_observation *to)
{
    struct tan_fit_input input = {.observations = to,
                                  .method = method,
                                  .L = NAN,
                                  .known = near ? &f->fits[method].params : NULL,
                                  .bytes = r->plan->settings.sizes[0],
                                  .seed = r->plan->settings.seed + near};
    for (int i = 0; i < r->n; i++) {
        if (r->list[i].cell->near != near) {
            continue;
        }
        if (r->list[i].cell->kind == CELL_PINGPONG) {
            input.latency = f->seen[i].waves;
            input.n_latency = f->seen[i].n;
        } else if (f->seen[i].tree != NULL && f->seen[i].median > 0) {
            to[input.n_observations++] = f->seen[i];
        }
    }
    return input;
}

/* Whether there are trees within a host; for tan-overlap as many as parameters, of which two are
 * known there. */
static bool is_possible(const struct tan_fit_input *input)
{
    const size_t known = input->known != NULL;
    size_t trees = 0;
    for (size_t i = 0; i < input->n_observations; i++) {
        const enum tan_fit_role role = input->observations[i].role;
        trees += role == TAN_FITS_ALL ||
                 (role == TAN_FITS_OVERLAP && input->method == TAN_METHOD_OVERLAP);
    }
    return trees >= (input->method == TAN_METHOD_OVERLAP ? TAN_PARAMS - 2 * known : known);
}

/* Fit a model to the trees between hosts or within one, if that is possible; `quick`: only the
 * values. */
static int fit_tier(struct fitting *f, const struct results *r, bool near, enum tan_method method,
                    bool quick, struct tan_error *e)
{
    struct tan_fit *out = &(near ? f->near : f->fits)[method];
    struct tan_observation *trees = calloc((size_t)r->n + 1, sizeof *trees);
    if (trees == NULL) {
        return tan_fail_nomem(e);
    }
    struct tan_fit_input input = input_of(f, r, near, method, trees);
    input.quick = quick;
    input.bootstrap = quick                          ? 0
                      : method == TAN_METHOD_OVERLAP ? TAN_OVERLAP_RESAMPLINGS
                                                     : TAN_FIT_RESAMPLINGS;
    tan_fit_clear(out);
    const int result = is_possible(&input) ? tan_fit(&input, out, e) : 0;
    free(trees);
    return result;
}

/* tan-overlap not under emulation, whose processes take the times of TAN. */
static int fit_all(struct fitting *f, const struct results *r, struct tan_error *e)
{
    static const enum tan_method methods[] = {TAN_METHOD_JOINT, TAN_METHOD_OVERLAP};
    const int n = emulation_on(&r->plan->settings.emulation) ? 1 : 2;
    for (int i = 0; i < n; i++) {
        if (fit_tier(f, r, false, methods[i], false, e) < 0 ||
            (f->fits[methods[i]].params.n > 0 && fit_tier(f, r, true, methods[i], false, e) < 0)) {
            return -1;
        }
    }
    return 0;
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

static void find_errors(const struct fitting *f, const struct results *r, struct tan_observation *t)
{
    const bool apart = f->near[TAN_METHOD_JOINT].params.n > 0;
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        struct tan_error ignored = TAN_ERROR_INIT;
        const struct tan_model *model = tan_model_find(tan_check_models[m], &ignored);
        const int method = m == TAN_CHECK_OVERLAP ? TAN_METHOD_OVERLAP : TAN_METHOD_JOINT;
        const struct tan_params *far = &f->fits[method].params, *near = &f->near[method].params;
        t->error[m] = far->n > 0 && (!apart || near->n > 0)
                          ? time_at(r, model, apart ? near : NULL, far, t->tree) / t->median - 1
                          : NAN;
    }
}

/* By how much shorter a result's waves would be if all links were of the first class. */
static double shorter_if_near(const struct results *r, const struct result *result,
                              const struct tan_model *model, const struct tan_params *params)
{
    const struct distance *d = r->distance;
    const bool pingpong = result->cell->kind == CELL_PINGPONG;
    if (result->cell->near || (!pingpong && tan_calibration_role(result->cell) == TAN_CHECKS)) {
        return 0;
    }
    if (pingpong) { /* with placement_partner */
        const int class = tan_link_tier(&d->tiers, &d->sites, 0, d->last_elsewhere) - d->apart;
        return d->row[class].latency - d->row[0].latency;
    }
    struct tan_params far = *params;
    far.value[TAN_L] += tan_distance_nearer(d, 0);
    return time_at(r, model, d->apart ? params : NULL, &far, result->tree) -
           tan_wave_time(model, params, result->tree);
}

/* Make the waves of the fits between hosts as short as if all links were of the first class.
 * Returns the largest change, relative to a wave. */
static double shorten(struct fitting *f, const struct results *r, const struct tan_model *model,
                      const struct tan_params *params)
{
    double *wave = f->half_round_trips;
    double most = 0;
    for (int i = 0; i < r->n; i++) {
        const double less = shorter_if_near(r, &r->list[i], model, params) - f->shorter[i];
        for (size_t k = 0; k < f->seen[i].n; k++) {
            *wave++ -= less;
        }
        f->shorter[i] += less;
        most = fmax(most, fabs(less) / f->seen[i].median);
    }
    return most;
}

/* Make waves those over links of the first class, of which most links are. How much shorter they
 * would be depends on the parameters, so fits of tan-overlap alternate with corrections by it; the
 * first one is by TAN without overheads. */
static int bring_near(struct fitting *f, const struct results *r, struct tan_error *e)
{
    enum { FITS = 12 };
    const double settled = 1e-4;
    struct tan_params params = {.method = TAN_METHOD_JOINT};
    shorten(f, r, &tan_models[TAN_MODEL_TAN], &params);
    for (int fit = 0; fit < FITS && !emulation_on(&r->plan->settings.emulation); fit++) {
        const struct tan_params *overlap = &f->fits[TAN_METHOD_OVERLAP].params;
        if (fit_tier(f, r, false, TAN_METHOD_OVERLAP, true, e) < 0) {
            return -1;
        }
        if (overlap->n == 0 || /* too few trees */
            shorten(f, r, &tan_models[TAN_MODEL_OVERLAP], overlap) < settled) {
            break;
        }
    }
    return 0;
}

/* What is of links of the first class, L and the ping-pong, becomes that of the last one, of which
 * machine files have it. */
static void bring_apart(struct fitting *f, const struct results *r)
{
    const double more = tan_distance_nearer(r->distance, 0);
    for (int m = 0; m < TAN_METHODS; m++) {
        struct tan_params *params = &f->fits[m].params;
        params->value[TAN_L] += more;
        params->ci95[TAN_L].low += more;
        params->ci95[TAN_L].high += more;
        for (int i = 0; i < params->n_draws; i++) {
            params->draws[i * TAN_PARAMS + TAN_L] += more;
        }
    }
    if (f->latency.n > 0) {
        f->latency.mean += more;
        f->latency.median += more;
        f->latency.min += more;
        f->latency.max += more;
    }
}

/* Judge the models by the trees between hosts and the check trees. Not under emulation, as above.
 */
static int judge_models(struct fitting *f, const struct results *r, struct tan_error *e)
{
    struct tan_observation *trees = calloc((size_t)r->n + 1, sizeof *trees);
    if (trees == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < r->n; i++) {
        if (f->seen[i].tree != NULL && !r->list[i].cell->near && f->seen[i].median > 0) {
            find_errors(f, r, &f->seen[i]);
            f->seen[i].median -= f->shorter[i];
        }
    }
    const struct tan_fit_input input = input_of(f, r, false, TAN_METHOD_JOINT, trees);
    const int result = tan_cross_validate(&input, &f->checks, e);
    free(trees);
    return result;
}

static int summarize_latency(struct fitting *f, const struct results *r, struct tan_error *e)
{
    for (int i = 0; i < r->n; i++) {
        const struct tan_observation *seen = &f->seen[i];
        if (r->list[i].cell->kind == CELL_PINGPONG && !r->list[i].cell->near && seen->n > 0) {
            return tan_latency_summarize(seen->waves, seen->n, &f->latency, e);
        }
    }
    return 0;
}

int tan_fitting_run(struct fitting *f, const struct results *r, struct tan_error *e)
{
    *f = (struct fitting){0};
    gsl_set_error_handler_off();
    const bool distances = r->distance != NULL && r->distance->n > 1;
    if (collect(f, r, e) < 0 || (distances && bring_near(f, r, e) < 0) ||
        summarize_latency(f, r, e) < 0 || fit_all(f, r, e) < 0) {
        return -1;
    }
    if (distances) {
        bring_apart(f, r);
    }
    return emulation_on(&r->plan->settings.emulation) ? 0 : judge_models(f, r, e);
}

void tan_fitting_clear(struct fitting *f)
{
    for (int m = 0; m < TAN_METHODS; m++) {
        tan_fit_clear(&f->fits[m]);
        tan_fit_clear(&f->near[m]);
    }
    free(f->half_round_trips);
    free(f->seen);
    free(f->shorter);
    *f = (struct fitting){0};
}

/* The errors of the model that answers use by default, or else of TAN. */
static void print_checks(const struct fitting *f, FILE *to)
{
    enum { NAMED = 6 };
    const int best = tan_checks_best(&f->checks) >= 0 ? tan_checks_best(&f->checks) : 0;
    struct tan_text text =
        tan_printed("Check trees, which no fit used, by %s:", tan_check_models[best]);
    for (int i = 0; i < f->checks.n && i < NAMED; i++) {
        text = tan_printed("%s%s %.20s %+.1f %%", text.text, i > 0 ? "," : "",
                           f->checks.row[i].topo, 100 * f->checks.row[i].error[best]);
    }
    tan_text_say(to, f->checks.n > NAMED ? "%s and %d more" : "%s", text.text, f->checks.n - NAMED);
}

/* Both models, that which answers use first. */
static void print_fits(const struct tan_fit fits[TAN_METHODS], bool overlap_first, FILE *to)
{
    const struct tan_named_fit tan = {"TAN", &fits[TAN_METHOD_JOINT]};
    const struct tan_named_fit overlap = {"tan-overlap", &fits[TAN_METHOD_OVERLAP]};
    const struct tan_named_fit both[] = {overlap_first ? overlap : tan,
                                         overlap_first ? tan : overlap};
    const int n = overlap.fit->params.n > 0 ? 2 : 1;
    const struct tan_named_fit *shown = n == 2 ? both : &tan;
    tan_fits_print(shown, n, to);
    tan_fits_print_notes(shown, n, to);
}

void tan_fitting_print(const struct fitting *f, FILE *to)
{
    const bool overlap_first = tan_checks_best(&f->checks) == TAN_CHECK_OVERLAP;
    if (f->checks.n > 0) {
        tan_checks_print(&f->checks, to);
        print_checks(f, to);
    } else {
        fprintf(to, "No check trees, which need more ranks: the errors of the models are unknown "
                    "here.\n");
    }
    fputc('\n', to);
    print_fits(f->fits, overlap_first, to);
    if (f->near[TAN_METHOD_JOINT].params.n > 0) {
        fprintf(to, "\nWithin a host (tier " TAN_TIER_HOST "), where c and C are the same:\n");
        print_fits(f->near, overlap_first, to);
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
        result = tan_machine_add_class(machine, tan_distance_name(d->row[i].level).text,
                                       d->row[i].level, tan_distance_nearer(d, i), e);
    }
    return result;
}

struct tan_machine *tan_fitting_machine(const struct fitting *f, const struct results *r,
                                        const struct fitting_host *host, const char *name,
                                        struct tan_error *e)
{
    const struct emulation *emulation = &r->plan->settings.emulation;
    const struct tan_fit *far = f->fits, *near = f->near;
    bool emulated = emulation_on(emulation);
    const struct tan_text played = tan_printed("emulated %s", emulation->name);
    const char *default_name = emulated ? played.text : host->name;
    struct tan_machine *machine = tan_machine_create(name != NULL ? name : default_name, e);

    if (machine == NULL) {
        return NULL;
    }
    if (tan_machine_set_tan(machine, &far[TAN_METHOD_JOINT].params, e) < 0 ||
        (near[TAN_METHOD_JOINT].params.n > 0 &&
         tan_machine_add_tier(machine, TAN_TIER_HOST, 0, &near[TAN_METHOD_JOINT].params, e) < 0) ||
        (far[TAN_METHOD_OVERLAP].params.n > 0 &&
         tan_machine_set_overlap(machine, &far[TAN_METHOD_OVERLAP].params, e) < 0) ||
        (near[TAN_METHOD_OVERLAP].params.n > 0 &&
         tan_machine_set_tier_overlap(machine, 0, &near[TAN_METHOD_OVERLAP].params, e) < 0) ||
        add_classes(machine, r->distance, e) < 0) {
        goto fail;
    }
    if (asprintf(&machine->source, "tanbench calibrate: %" PRId64 " %swaves, waiting: %s%s%s",
                 far[TAN_METHOD_JOINT].params.n, tan_results_simulated(r) ? "simulated " : "",
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
    tan_fit_tell(&far[TAN_METHOD_JOINT], &machine->doubts);
    tan_fit_tell(&far[TAN_METHOD_OVERLAP], &machine->doubts);
    machine->checks = f->checks;
    add_near_doubts(&near[TAN_METHOD_JOINT].doubts, &machine->doubts);
    tan_checks_doubt(&f->checks, host->hosts, r->distance != NULL, &machine->doubts);
    machine->environment = json_incref(r->environment);
    return machine;
fail:
    tan_machine_destroy(machine);
    return NULL;
}
