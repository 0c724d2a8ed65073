/* sim_schedule.c - schedule of a run, and the report's header
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "model/wave/wave_doubts.h"
#include "sim/goal/goal.h"
#include "topo/spec.h"

void run_clear_schedule(struct run *r)
{
    free(r->host_of);
    free(r->links);
    tan_schedule_destroy(r->schedule);
    tan_trace_clear(&r->trace);
    tan_simulation_clear(&r->simulation);
    tan_simulation_clear(&r->unchanged.simulation);
    tan_compatible_times_clear(&r->compatible);
    tan_stuck_clear(&r->stuck);
    tan_critical_path_clear(&r->path);
    tan_path_shares_clear(&r->shares);
    tan_path_shares_clear(&r->unchanged.shares);
    for (int i = 0; i < TAN_COSTS; i++) {
        tan_response_clear(&r->response[i]);
    }
    r->host_of = NULL;
    r->links = NULL;
    r->schedule = NULL;
    r->outcomes.n = 0;
}

static enum tan_sweep sweep_of(const struct tan_sim_config *c)
{
    return c->source.sweep != 0 ? c->source.sweep : TAN_SWEEP_UP;
}

/* Doubts about the times of this tree. */
static void doubt_tree(struct run *r, const struct tan_tree *tree)
{
    const struct tan_model *model = &tan_models[TAN_MODEL_TAN];
    int32_t last = 0;
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        const int32_t fanout = tan_tree_fanout(tree, node);
        if (fanout > 0 && fanout != last) {
            tan_doubt_fanout(fanout, model, &r->file.machine->tan, r->file.machine, &r->doubts);
            last = fanout;
        }
    }
    tan_doubt_tree(tan_tree_max_fanout(tree), tan_tree_max_below(tree), tan_tree_size(tree), 0,
                   model, &r->file.machine->tan, r->file.machine, &r->doubts);
}

static struct tan_schedule *make_wave(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    struct tan_tree *tree = tan_spec_build(c->source.topo, e);
    if (tree == NULL) {
        return NULL;
    }
    const struct tan_params *tan = c->model == TAN_SIM_TAN ? &r->file.machine->tan : NULL;
    const bool measured = tan != NULL && c->source.bytes < 0;
    if (tan != NULL) {
        doubt_tree(r, tree);
    }
    struct tan_schedule *schedule = tan_wave_schedule(
        tree, sweep_of(c), measured ? (uint64_t)tan->bytes : run_bytes(r), tan, e);
    tan_tree_destroy(tree);
    return schedule;
}

static struct tan_schedule *load_trace(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const struct tan_trace_options options = {
        .collectives = c->collectives.set != NULL ? c->collectives.set
                       : c->compatible            ? "schedgen"
                                                  : "usual",
        .algorithms = c->collectives.chosen.text,
        .n_algorithms = c->collectives.chosen.n,
    };
    struct tan_schedule *schedule = tan_trace_load(c->source.traced, &options, &r->trace, e);
    tan_doubts_join(&r->doubts, &r->trace.doubts);
    if (schedule != NULL && r->trace.ranks == 1) {
        tan_doubts_add(&r->doubts, TAN_NOTE, "one rank", NAN, TAN_TOUCHES_ALL,
                       "one rank sends no messages: start the program by mpiexec");
    }
    return schedule;
}

static int load_schedule(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const double begin = tan_clock_seconds();
    if (c->source.traced != NULL) {
        r->schedule = load_trace(r, e);
    } else if (c->source.file != NULL) {
        r->schedule = tan_goal_load(c->source.file, c->compatible, e);
    } else if (r->pattern != NULL) {
        r->schedule = tan_pattern_build(r->pattern, run_bytes(r), e);
    } else {
        r->schedule = make_wave(r, e);
    }
    if (r->schedule != NULL && run_model(r) != NULL && r->file.machine != NULL &&
        run_set_sizes(r, run_model(r), &r->params, &r->links, e) < 0) {
        return -1;
    }
    r->unchanged.within = r->params.within;
    r->unchanged.between = r->params.between;
    r->report.change.between = r->params.between;
    if (r->schedule != NULL && (run_change_links(c, &r->params, r->links, &r->effect, e) < 0 ||
                                tan_link_check_effect(&r->effect, "--set", e) < 0)) {
        return -1;
    }
    r->report.seconds.read = tan_clock_seconds() - begin;
    r->report.schedule = r->schedule;
    return r->schedule == NULL ? -1 : 0;
}

static void begin_report(struct run *r)
{
    const struct tan_sim_config *c = r->c;
    r->report = (struct tan_sim_report){
        .source = c->source.traced != NULL ? c->source.traced
                  : c->source.file != NULL ? c->source.file
                  : r->pattern != NULL     ? r->pattern
                                           : c->source.topo,
        .sweep = c->source.topo != NULL ? tan_sweep_name(sweep_of(c)) : NULL,
        .machine = r->file.machine,
        .machine_file = r->file.path,
        .model = run_model(r),
        .bytes = r->file.machine != NULL && c->model != TAN_SIM_TAN ? run_bytes(r) : 0,
        .doubts = &r->doubts,
        .defaults = r->file.machine == NULL && !c->costs_given,
        .params = &r->params,
        .map = c->map,
        .noise = {c->noise.spec, (uint64_t)c->noise.seed},
        .simulation = &r->simulation,
        .compatible = c->compatible ? &r->compatible : NULL,
        .table = c->n_sensitivity > 0 || (c->source.traced != NULL && !c->compatible),
        .change = {.settings = c->settings.text,
                   .n = c->settings.n,
                   .unchanged = NAN,
                   .traced = NAN,
                   .least = NAN,
                   .most = NAN},
    };
}

int run_make_schedule(struct run *r, struct tan_error *e)
{
    begin_report(r);
    return load_schedule(r, e);
}

/* Operations of the trace lack partners. */
static void doubt_partners(struct run *r, const char *why)
{
    const struct tan_simulation *s = &r->simulation;
    tan_doubts_add(&r->doubts, TAN_DOUBT, "trace", NAN, TAN_TOUCHES_ALL,
                   "operations without partners: %" PRIu32 "%s",
                   s->n_blocked + s->n_unmatched + s->n_unexpected + s->n_unfinished, why);
}

int run_find_stuck(struct run *r, struct tan_error *e)
{
    const struct tan_simulation *s = &r->simulation;
    if (tan_ended_well(s)) {
        return 0;
    }
    if (r->trace.cut) {
        doubt_partners(r, ", since files end at different calls");
        return 0;
    }
    if (tan_stuck_find(r->schedule, s, &r->stuck, e) < 0) {
        return -1;
    }
    if (r->c->source.traced != NULL && !r->stuck.circle && !r->c->compatible) {
        doubt_partners(r,
                       "; since the program has ended, it made calls that are not traced, such as "
                       "MPI_Send_c");
        return 0;
    }
    r->report.stuck = &r->stuck;
    return 0;
}
