/* sim_traces.c - traced program: simulation under every model, and without --set
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include <math.h>
#include <stdlib.h>

/* More are not simulated again only to be compared. */
enum { COMPARED_OPERATIONS = 1 << 22 };

bool run_has_traced(const struct run *r)
{
    return r->c->source.traced != NULL && r->report.stuck == NULL && !r->c->compatible;
}

/* The histories of both simulations are in memory. */
bool run_compares_paths(const struct run *r)
{
    return r->c->source.traced != NULL && r->c->settings.n > 0 && !r->c->compatible &&
           r->schedule->n_ops <= COMPARED_OPERATIONS && tan_ended_well(&r->simulation);
}

/* Simulate the whole schedule under one model, with --set (`changed`) or without. `shares`, unless
 * NULL: of its critical path. */
static int simulate_under(const struct run *r, const struct tan_message_model *model, bool changed,
                          struct tan_simulation *simulation, struct tan_path_shares *shares,
                          struct tan_error *e)
{
    struct tan_sim_params params = r->params;
    params.within = r->unchanged.within;
    params.between = r->unchanged.between;
    struct tan_sized_link *links = NULL;
    int result =
        model == NULL || r->file.machine == NULL ? 0 : run_set_sizes(r, model, &params, &links, e);
    if (result == 0 && changed) {
        result = run_change_links(r->c, &params, links, NULL, e);
    }
    if (result == 0) {
        result = tan_simulate(r->schedule, &params, shares != NULL, simulation, e);
    }
    if (result == 0 && shares != NULL && tan_ended_well(simulation)) {
        result = tan_path_shares_find(r->schedule, &params, simulation, shares, e);
        free(simulation->history);
        simulation->history = NULL;
    }
    free(links);
    return result;
}

/* The last rank's finish time, seconds. */
static int finish_under(const struct run *r, const struct tan_message_model *model, bool changed,
                        double *finish, struct tan_error *e)
{
    struct tan_simulation simulation = {.events = 0};
    const int result = simulate_under(r, model, changed, &simulation, NULL, e);
    *finish = (double)simulation.finish / 1e12;
    tan_simulation_clear(&simulation);
    return result;
}

/* The range of factors of --set under all models without assumptions about overlap. */
static void find_range(const struct run *r, struct tan_sim_change *change)
{
    for (size_t i = 0; i < r->outcomes.n; i++) {
        const struct tan_trace_outcome *outcome = &r->outcomes.list[i];
        const double factor = outcome->finish / outcome->unchanged;
        if (!outcome->model->no_overlap && !outcome->model->independent && isfinite(factor)) {
            change->least = fmin(change->least, factor); /* of a NaN and a number the number */
            change->most = fmax(change->most, factor);
        }
    }
}

/* A simulation that is far from the traced time says little about the program. Times in seconds. */
static void doubt_error(struct run *r)
{
    const double most = 0.25;
    const double traced = r->report.change.traced;
    const bool set = r->report.change.n > 0;
    const struct tan_simulation *simulation = set ? &r->unchanged.simulation : &r->simulation;
    const double as_traced = (double)simulation->finish / 1e12;
    const double error = as_traced / traced - 1.0;
    if (!(traced > 0.0 && fabs(error) > most)) {
        return;
    }
    tan_doubts_add(&r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                   "%sthe simulation takes %.4g ms, and the program took %.4g ms when it was "
                   "traced (%+.1f %%): no %s is reliable; %s",
                   set ? "without --set " : "", as_traced * 1e3, traced * 1e3, 100.0 * error,
                   set ? "factor of the change" : "answer about its costs",
                   r->file.machine == NULL
                       ? "measure what messages cost where it was traced (tanbench p2p "
                         "calibrate FILE) for --machine FILE, and trace it with a core for "
                         "each rank"
                   : tan_machine_simulated(r->file.machine) != NULL
                       ? "the machine is simulated: give smpirun the settings that tanbench makes "
                         "(docs/simulated.md)"
                       : "if the machine file is not of another machine, something may have "
                         "disturbed the traced run, or the measurements: trace it again on cores "
                         "that nothing else uses, one for each rank");
}

/* What latency costs depends on S, which is much smaller in shared memory than over most
 * networks. */
static void find_waiting(struct run *r)
{
    bool asked = tan_link_changes(&r->effect, 'L');
    for (size_t i = 0; i < r->c->n_sensitivity; i++) {
        asked |= r->c->sensitivity[i].cost == TAN_COST_L;
    }
    for (size_t i = 0; asked && r->c->eager < 0 && i < r->params.n_sizes; i++) {
        const uint64_t bytes = r->params.sizes[i].bytes;
        if (bytes > r->params.S && bytes > r->report.waiting &&
            tan_machine_message_hosts(r->file.machine) == 1) {
            r->report.waiting = bytes;
        }
    }
}

int run_simulate_unchanged(struct run *r, struct tan_error *e)
{
    struct tan_sim_change *change = &r->report.change;
    if (r->c->compatible || r->report.stuck != NULL) {
        return 0;
    }
    find_waiting(r);
    if (change->n > 0) {
        if (simulate_under(r, run_model(r), false, &r->unchanged.simulation,
                           run_compares_paths(r) ? &r->unchanged.shares : NULL, e) < 0) {
            return -1;
        }
        change->unchanged = (double)r->unchanged.simulation.finish / 1e12;
        find_range(r, change);
    }
    if (r->c->source.traced != NULL) {
        change->traced = tan_trace_finish(&r->trace);
        if (change->n > 0 || r->c->n_sensitivity > 0 || r->file.machine != NULL) {
            doubt_error(r); /* costs by options are those of a network to be tried */
        }
    }
    return 0;
}

/* Whether the machine file has the model's parameters for every size in the schedule. */
static bool has_costs(const struct run *r, const struct tan_message_model *model)
{
    struct tan_sim_params params = r->params;
    struct tan_sized_link *links = NULL;
    struct tan_error e = TAN_ERROR_INIT;
    const bool can = run_set_sizes(r, model, &params, &links, &e) == 0;
    free(links);
    return can;
}

int run_compare_models(struct run *r, struct tan_error *e)
{
    if (!run_has_traced(r) || r->file.machine == NULL || r->schedule->n_ops > COMPARED_OPERATIONS) {
        return 0;
    }
    for (const struct tan_message_model *m = tan_message_models; m->name != NULL; m++) {
        struct tan_trace_outcome *outcome = &r->outcomes.list[r->outcomes.n++];
        *outcome = (struct tan_trace_outcome){.model = m, .finish = NAN, .unchanged = NAN};
        if (!has_costs(r, m)) {
            continue;
        }
        if (finish_under(r, m, true, &outcome->finish, e) < 0 ||
            (r->c->settings.n > 0 && finish_under(r, m, false, &outcome->unchanged, e) < 0)) {
            return -1;
        }
    }
    return 0;
}
