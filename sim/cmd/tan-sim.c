/* tan-sim.c - program: simulation of sends, receives and calculations of ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include <malloc.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/output.h"
#include "sim/engine/noise.h"

static void run_clear(struct run *r)
{
    run_clear_schedule(r);
    tan_machine_destroy(r->file.machine);
    free(r->file.path);
    tan_doubts_clear(&r->doubts);
    tan_noise_destroy(r->noise);
}

/* Place the ranks on the hosts of --map. */
static int map_ranks(struct run *r, struct tan_error *e)
{
    if (r->c->map != NULL) {
        r->host_of = tan_host_map_load(r->c->map, r->schedule->ranks, &r->doubts, e);
        r->params.host_of = r->host_of;
    }
    return r->c->map != NULL && r->host_of == NULL ? -1 : 0;
}

int run_simulate(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const bool path = tan_sim_keeps_history(c);
    const bool history = path || c->n_sensitivity > 0 || run_compares_paths(r);
    const double begin = tan_clock_seconds();
    if (map_ranks(r, e) < 0) {
        return -1;
    }
    const int result =
        c->compatible
            ? tan_simulate_compatible(r->schedule, &r->params, &r->simulation, &r->compatible, e)
            : tan_simulate(r->schedule, &r->params, history, &r->simulation, e);
    r->report.seconds.simulate = c->compatible ? tan_clock_seconds() - begin : r->simulation.run_s;
    r->report.seconds.prepare = r->simulation.prepare_s;
    if (result < 0) {
        return -1;
    }
    if (!tan_ended_well(&r->simulation)) {
        return run_find_stuck(r, e);
    }
    r->report.path = c->critical_path ? &r->path : NULL;
    return path ? tan_critical_path(r->schedule, &r->params, &r->simulation, &r->path, e) : 0;
}

static int find_shares(struct run *r, struct tan_error *e)
{
    const bool wanted =
        r->c->critical_path || r->c->n_sensitivity > 0 || r->unchanged.shares.finish > 0;
    return wanted && r->report.stuck == NULL
               ? tan_path_shares_find(r->schedule, &r->params, &r->simulation, &r->shares, e)
               : 0;
}

/* The finish time as a function of each cost of --sensitivity. */
static int find_responses(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    if (r->report.stuck != NULL) {
        return 0;
    }
    for (size_t i = 0; i < c->n_sensitivity; i++) {
        if (tan_response_find(r->schedule, &r->params, &r->simulation, &c->sensitivity[i], 0,
                              &r->response[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int run_loaded(struct run *r, struct tan_error *e)
{
    r->pattern = r->c->source.pattern;
    if (r->c->source.algorithms != NULL) {
        return run_compare_algorithms(r, e);
    }
    if (run_make_schedule(r, e) < 0) {
        return -1;
    }
    if (r->c->output.converted != NULL) {
        return run_convert(r, e);
    }
    return run_simulate(r, e) < 0 || run_compare_models(r, e) < 0 ||
                   run_simulate_unchanged(r, e) < 0 || find_shares(r, e) < 0 ||
                   find_responses(r, e) < 0
               ? -1
               : run_write_results(r, e);
}

/* Refuse a schedule that may take more memory, with its simulation, than there is. */
static void limit_memory(const struct tan_sim_config *c)
{
    const double available = tan_memory_available();
    tan_schedule_limit_memory(available > 0 ? (uint64_t)available : UINT64_MAX,
                              tan_sim_keeps_history(c) || c->n_sensitivity > 0);
}

static int run_command(struct tan_sim_config *c, const struct tan_command *command,
                       struct tan_error *e)
{
    if (tan_sim_config_check(c, command, e) < 0 || tan_output_check(c->output.json, e) < 0 ||
        tan_output_check(c->output.trace, e) < 0) {
        return -1;
    }
    limit_memory(c);
    struct run r = {.c = c};
    int result = run_load_costs(&r, e) < 0 ? -1 : run_loaded(&r, e);
    if (result == 0) {
        result = tan_doubts_fail(&r.doubts, e);
    }
    run_clear(&r);
    return result;
}

/* The tables of reading, preparing and simulating succeed each other. Blocks that went back to the
 * kernel would come back as pages to be cleared, which took longer than reading did. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

int main(int argc, char **argv)
{
    keep_freed_memory();
    tan_json_notes_to(stderr);
    struct tan_sim_config config = {
        .params = tan_sim_defaults, .source = {.bytes = -1}, .eager = -1, .noise = {.seed = 1}};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    int result = -1;
    if (tan_cli_parse(&tan_sim_cli, &config, argc, argv, &answer, &e) == 0) {
        if (answer.action == TAN_CLI_RUN) {
            result = run_command(&config, answer.command, &e);
        } else {
            tan_cli_print(&tan_sim_cli, &answer);
            result = 0;
        }
    }
    return tan_cli_end(tan_sim_cli.program, result, &e);
}
