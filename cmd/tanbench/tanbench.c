/* tanbench.c - program: measurement of waves on real reduction trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/json.h"
#include "cmd/tanbench/job.h"
#include "design/measured/named_tree.h"
#include "tanbench/launch/launch.h"
#include "tanbench/plan/rank_map.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/results/results.h"

static void show_plan(const struct options *o, const struct plan *plan, int ranks)
{
    const double visits = (double)o->start.launches * tan_plan_all_visits(plan);
    printf("%d topolog%s on %d ranks, ", plan->n_cells, plan->n_cells == 1 ? "y" : "ies", ranks);
    if (o->simulation.platform == NULL) {
        printf("%s, ", tan_plan_describe_duration(plan, visits).text);
    }
    printf("in this order (seed %" PRIu64 "):\n", plan->settings.seed);
    for (int i = 0; i < plan->n_cells; i++) {
        const struct cell *cell = &plan->cells[i];
        printf("  %s (%d processes)\n", cell->spec, cell->processes);
    }
}

/* Launches share a file of results: the user's or a temporary one. Launches that a resumed run has
 * are not repeated, except the last one, which prints. */
static int launch_all(const struct options *o, const struct plan *plan, struct launch *launch,
                      char **argv, struct tan_error *e)
{
    char temporary[LAUNCH_PATH_MAX];
    const int last = (int)o->start.launches - 1;
    int status;
    if (o->resumed.on) {
        json_t *before = tan_restore_load(o->json, e);
        if (before == NULL) {
            return -1;
        }
        const int complete = tan_restore_launches(before, tan_plan_all_visits(plan));
        json_decref(before);
        launch->number = complete < last ? complete : last;
    }
    if (last > 0 && outputs_results(o) == NULL) {
        if (launch_make_file(launch->launcher, "results", temporary, e) < 0) {
            return -1;
        }
        launch->results = temporary;
    }
    do {
        status = launch_run(launch, argv, e);
    } while (status == TAN_DONE && launch->number++ < last);
    if (launch->results != NULL) {
        unlink(temporary);
    }
    return status;
}

/* Make the plan, determine the number of ranks, and detect all mistakes that can be found before
 * ranks are started. */
static int prepare_launch(const struct options *o, struct plan *plan, struct launch *launch,
                          struct tan_error *e)
{
    const bool simulated = o->simulation.platform != NULL;
    struct tan_machine *machine = NULL; /* that rank 0 will need */
    char *path = NULL;
    launch->ranks = job_prepare(o, (int)o->start.ranks, plan, &machine, &path, e);
    tan_machine_destroy(machine);
    free(path);
    if (launch->ranks < 0) {
        return -1;
    }
    launch->stream = plan->settings.mode == MODE_STREAM;
    launch->timeout = o->start.timeout < 0
                          ? launch_default_timeout(o->start.launcher, launch->ranks)
                          : o->start.timeout;
    if (!simulated && launch_is_here(o->start.launcher) &&
        launch_check_host(launch->ranks, tan_plan_rank_bytes(plan), e) < 0) {
        return -1;
    }
    struct simulation simulation = o->simulation;
    simulation.map =
        o->start.map != NULL && tan_rank_map_is_file(o->start.map) ? o->start.map : NULL;
    return simulated ? simulation_prepare(&simulation, launch, e) : 0;
}

/* If tanbench was not started by a launcher: start the ranks that the plan needs. */
static int start_ranks(const struct options *o, char **argv, struct tan_error *e)
{
    struct plan plan = {.n_cells = 0};
    struct launch launch = {
        .launcher = o->start.launcher, .show_only = o->start.dry, .input = options_uses_stdin(o)};
    const time_t begin = time(NULL);
    int status = -1;
    if ((o->simulation.platform != NULL && simulation_check_arguments(argv, e) < 0) ||
        prepare_launch(o, &plan, &launch, e) < 0) {
        goto done;
    }
    if (o->start.dry) {
        if (!options_messages(o)) {
            show_plan(o, &plan, launch.ranks);
        }
        status = launch_run(&launch, argv, e);
        status = tan_cli_close_stdout(e) < 0 ? -1 : status;
        goto done;
    }
    launch_hold_signals();
    status = launch_all(o, &plan, &launch, argv, e);
    if (e->status != TAN_DONE) { /* rank 0 could not print it */
        status = tan_error_print(e, "tanbench", stderr);
        *e = (struct tan_error)TAN_ERROR_INIT;
        outputs_print_resume(o, begin);
    }
done:
    free(launch.command);
    tan_plan_clear(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct options options;
    struct tan_cli_answer answer;
    int status = -1;
    bool speaks = launch_rank() == 0;
    tan_named_accept();
    if (machine_list_hosts()) {
        return TAN_DONE;
    }
    if (options_read(&options, argc, argv, &answer, &e) < 0) {
        goto done;
    }
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) { /* else another file would get its number */
        tan_fail_errno(&e, "cannot write standard output");
        goto done;
    }
    if (answer.action != TAN_CLI_RUN) {
        if (speaks) {
            tan_cli_print(&tanbench_cli, &answer);
        }
        status = speaks ? tan_cli_close_stdout(&e) : TAN_DONE;
    } else if (options_check(&options, &e) == 0) {
        if (speaks && (launch_inside_job() || options.start.dry)) {
            tan_json_notes_to(stderr); /* the process that starts the ranks reads the same files */
        }
        if (launch_inside_job() && !options.start.dry) {
            status = job_run(&options);
        } else if (options.command != COMMAND_RESUME ||
                   options_resume(&options, tan_restore_command(options.operand, &e), &e) == 0) {
            status = start_ranks(&options, argv, &e);
        }
    }
done:
    options_clear(&options);
    if (e.status != TAN_DONE) {
        status = speaks ? tan_error_print(&e, "tanbench", stderr) : (int)e.status;
    }
    return status;
}
