/* goal_job.c - job of tanbench run-goal: execution of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/goal/goal_job.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/table.h"
#include "bench/sampling/timer.h"
#include "model/stats/stats.h"
#include "sim/engine/simulate.h"
#include "sim/goal/goal.h"
#include "tanbench/goal/schedule_run.h"
#include "tanbench/launch/launch.h"
#include "tanbench/launch/stdin_copy.h"
#include "tanbench/ranks/environment.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/ranks/watch.h"

enum { LISTED = 32, DIGITS = 3, MAX_WARM_UP = 100 };

static struct tan_schedule *load_schedule(const char *file, struct tan_error *e)
{
    const struct tan_goal_options how = {.compatible = false};
    return tan_goal_load(file, &how, e);
}

int goal_job_ranks(const char *file, struct tan_error *e)
{
    struct tan_schedule *s = load_schedule(file, e);
    struct tan_simulation simulation;
    struct tan_sim_params p = tan_sim_defaults;
    int ranks = -1;
    p.S = TAN_SCHEDULE_MAX_BYTES;
    if (s != NULL && s->ranks > INT_MAX) {
        tan_fail(e, "%s: it has more ranks than a job can have", tan_input_name(file));
    } else if (s != NULL && tan_simulate(s, &p, false, &simulation, e) == 0) {
        const bool ends = simulation.n_blocked + simulation.n_unmatched + simulation.n_unexpected +
                              simulation.n_unfinished ==
                          0;
        ranks = ends ? (int)s->ranks
                     : tan_fail(e, "%s: this schedule can never end: see tan-sim run %s",
                                tan_input_name(file), file);
        tan_simulation_clear(&simulation);
    }
    tan_schedule_destroy(s);
    return ranks;
}

/* Measured runs: seconds by run and rank, on rank 0. */
struct samples {
    double *of_rank; /* per run, one value for each rank */
    double *of_job;  /* per run, the longest */
    int runs, ranks;
    int late; /* number of runs that a rank started late */
};

static int measure_runs(const struct goal_job *job, struct schedule_run *run,
                        struct instant *instant, struct samples *out, struct tan_error *e)
{
    const struct world *world = job->world;
    const int tenth = job->repeat / 10 + 1;
    const int warm_up = tenth < MAX_WARM_UP ? tenth : MAX_WARM_UP;
    int stop = 0;
    stop_wait_for_rank_0(world);
    for (int i = 0; i < warm_up + job->repeat && !stop; i++) {
        bool begun_late;
        const double seconds = schedule_run_once(run, instant, &begun_late);
        const bool counts = i >= warm_up;
        const int late = begun_late;
        int any_late = 0;
        double *row = out->of_rank; /* NULL except on rank 0; runs of the warm-up are overwritten */
        if (row != NULL) {
            row += (size_t)out->runs * (size_t)world->size;
        }
        MPI_TRY(MPI_Gather(&seconds, 1, MPI_DOUBLE, row, 1, MPI_DOUBLE, 0, world->comm));
        MPI_TRY(MPI_Reduce(&late, &any_late, 1, MPI_INT, MPI_MAX, 0, world->comm));
        if (world->rank == 0) {
            out->runs += counts;
            out->late += counts && any_late;
            stop = stop_check_at_once(world, e);
        }
        MPI_TRY(MPI_Bcast(&stop, 1, MPI_INT, 0, world->comm));
    }
    for (int i = 0; i < out->runs; i++) {
        double longest = 0.0;
        for (int k = 0; k < world->size; k++) {
            const double seconds = out->of_rank[(size_t)i * (size_t)world->size + (size_t)k];
            longest = seconds > longest ? seconds : longest;
        }
        out->of_job[i] = longest;
    }
    return stop ? -1 : 0;
}

static int summary_of_rank(const struct samples *s, int rank, struct tan_summary *out,
                           struct tan_error *e)
{
    double *one = malloc((size_t)s->runs * sizeof *one);
    if (one == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < s->runs; i++) {
        one[i] = s->of_rank[(size_t)i * (size_t)s->ranks + (size_t)rank];
    }
    const int result = tan_summarize(one, (size_t)s->runs, out, e);
    free(one);
    return result;
}

static int print_results(const struct goal_job *job, const struct tan_schedule *schedule,
                         const struct clock_quality *clocks, const struct samples *s,
                         const struct tan_summary *all, struct tan_error *e)
{
    static const char *const headings[] = {"rank", "median us", "5 %", "95 %"};
    printf("%s: %" PRIu32 " ranks, %" PRIu32 " operations, executed %d times\n",
           tan_input_name(job->file), schedule->ranks, schedule->n_ops, s->runs);
    printf("Finish: median %.6g us, 95 %% interval %.6g to %.6g, 5 to 95 %% of the runs %.6g to "
           "%.6g\n",
           all->median * 1e6, all->median_ci95.low * 1e6, all->median_ci95.high * 1e6,
           all->p5 * 1e6, all->p95 * 1e6);
    if (job->world->hosts == 1) {
        puts("All ranks begin at one instant of the clock that they share.\n");
    } else {
        printf("All ranks begin at one instant of the hosts' clocks, which are known to %.3g us.\n"
               "\n",
               clocks->accuracy * 1e6);
    }
    if (s->ranks > LISTED) {
        return 0;
    }
    struct tan_table *table = tan_table_create(headings, 4);
    int result = 0;
    for (int i = 0; i < s->ranks && result == 0; i++) {
        struct tan_summary one;
        result = summary_of_rank(s, i, &one, e);
        tan_table_cell(table, "%d", i);
        tan_table_cell(table, "%.6g", one.median * 1e6);
        tan_table_cell(table, "%.6g", one.p5 * 1e6);
        tan_table_cell(table, "%.6g", one.p95 * 1e6);
    }
    tan_table_print(table, stdout);
    tan_table_destroy(table);
    return result;
}

/* Why the times are not trustworthy; NULL if they are. */
static const char *doubt_about(const struct world *world, const struct clock_quality *clocks,
                               const struct samples *s, const struct tan_summary *all)
{
    const double known = 0.05; /* share of the times measured with the clocks, as in other modes */
    const double most_late = 0.1;
    const struct {
        bool holds;
        const char *why;
    } doubts[] = {
        {world->oversubscribed && !world->network_real,
         "ranks outnumber cores and poll: these times are not a network's"},
        {clocks->accuracy > known * all->median,
         "the hosts' clocks are not known to 5 % of these times"},
        {s->late > most_late * s->runs, "ranks began more than a tenth of the runs late"},
    };
    for (size_t i = 0; i < sizeof doubts / sizeof doubts[0]; i++) {
        if (doubts[i].holds) {
            return doubts[i].why;
        }
    }
    return NULL;
}

static int save_results(const struct goal_job *job, const struct clock_quality *clocks,
                        bool trustworthy, const struct samples *s, const struct tan_summary *all,
                        int argc, char **argv, struct tan_error *e)
{
    const struct timer timer = tan_timer_calibrate();
    struct tan_json_writer w = {.failed = false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-goal-run/1");
    tan_json_set(&w, top, "environment", environment_describe(job->world, &timer, argc, argv));
    tan_json_set_string(&w, top, "source", tan_input_name(job->file));
    tan_json_set_fixed(&w, top, "clock_accuracy_us", clocks->accuracy * 1e6, DIGITS);
    tan_json_set_bool(&w, top, "trustworthy", trustworthy);
    tan_json_set_fixed(&w, top, "median_us", all->median * 1e6, DIGITS);
    tan_json_set_pair(&w, top, "ci95_us", tan_json_fixed(all->median_ci95.low * 1e6, DIGITS),
                      tan_json_fixed(all->median_ci95.high * 1e6, DIGITS));
    json_t *runs = tan_json_set_array(&w, top, "samples_us");
    for (int i = 0; i < s->runs; i++) {
        tan_json_append(&w, runs, tan_json_fixed(s->of_job[i] * 1e6, DIGITS));
    }
    top = tan_json_finish(&w, top);
    const int result = top == NULL                             ? tan_fail_nomem(e)
                       : tan_json_save(job->json, top, e) == 0 ? 0
                                                               : tan_json_rescue(top, e);
    json_decref(top);
    return result;
}

/* On rank 0: report the measurements, even if the job was interrupted. Errors are in `e`. */
static void report_results(const struct goal_job *job, const struct tan_schedule *schedule,
                           const struct clock_quality *clocks, const struct samples *s, int argc,
                           char **argv, const char **doubt, struct tan_error *e)
{
    struct tan_summary all;
    int result = tan_summarize(s->of_job, (size_t)s->runs, &all, e);
    *doubt = result == 0 ? doubt_about(job->world, clocks, s, &all) : NULL;
    if (result == 0 && (job->json == NULL || strcmp(job->json, "-") != 0)) {
        result = print_results(job, schedule, clocks, s, &all, e);
    }
    if (result == 0 && job->json != NULL) {
        save_results(job, clocks, *doubt == NULL, s, &all, argc, argv, e);
    }
    if (tan_cli_close_stdout(e) == 0) {
        tan_cli_check_answer(e);
    }
}

static int run_loaded(const struct goal_job *job, const struct tan_schedule *schedule, int argc,
                      char **argv, struct tan_error *e)
{
    const struct world *world = job->world;
    struct schedule_run *run = schedule_run_open(schedule, world, e);
    struct instant instant = {.world = world};
    struct samples s = {.ranks = world->size};
    const size_t runs = (size_t)job->repeat;
    struct tan_error stopped = TAN_ERROR_INIT;
    const char *doubt = NULL;
    if (world->rank == 0) {
        s.of_rank = malloc(runs * (size_t)world->size * sizeof *s.of_rank);
        s.of_job = malloc(runs * sizeof *s.of_job);
        if (run != NULL && (s.of_rank == NULL || s.of_job == NULL)) {
            tan_fail_nomem(e);
        }
        launch_report_cell(tan_input_name(job->file));
    }
    /* Either all ranks continue or none; the first one that cannot reports why. */
    const int bad = e->status != TAN_DONE ? world->rank : INT_MAX;
    int first = INT_MAX;
    MPI_TRY(MPI_Allreduce(&bad, &first, 1, MPI_INT, MPI_MIN, world->comm));
    bool alone = false; /* other ranks may still be waiting for this one */
    int result = first == INT_MAX ? 0 : -1;
    if (result == 0) {
        alone = instant_open(&instant, world, e) < 0;
        result = alone ? -1 : measure_runs(job, run, &instant, &s, &stopped);
    }
    if (result == 0) {
        alone = instant_check(&instant, e) < 0;
        result = alone ? -1 : 0;
    }
    if (first == world->rank && e->status != TAN_DONE) {
        tan_error_print(e, "tanbench", stderr);
    }
    const bool cut = stopped.status != TAN_DONE && s.runs >= GOAL_LEAST_RUNS;
    if (world->rank == 0 && (result == 0 || cut)) {
        report_results(job, schedule, &instant.quality, &s, argc, argv, &doubt, e);
    }
    if (stopped.status != TAN_DONE && e->status == TAN_DONE) {
        tan_fail(e, "%s after %d of %d executions", stopped.text, s.runs, job->repeat);
    }
    if (world->rank == 0 && e->status != TAN_DONE && first != 0) {
        tan_error_print(e, "tanbench", stderr);
    }
    if (doubt != NULL && e->status == TAN_DONE) {
        fprintf(stderr, "tanbench: not trustworthy: %s\n", doubt);
    }
    instant_close(&instant);
    schedule_run_close(run);
    free(s.of_rank);
    free(s.of_job);
    return alone                                                     ? -1
           : first != INT_MAX || e->status != TAN_DONE || result < 0 ? TAN_FAILED
           : doubt != NULL                                           ? TAN_UNTRUSTED
                                                                     : TAN_DONE;
}

/* Give every rank the standard input, which launchers pass to rank 0 only. Collective; -1 without
 * an error where it is rank 0's. */
static int share_stdin(const struct world *world, struct tan_error *e)
{
    size_t length = 0;
    char *text = world->rank == 0 ? tan_read_file("-", &length, e) : NULL;
    int bytes = world->rank == 0 && text == NULL ? -1 : (int)length; /* at most TAN_MAX_INPUT */
    MPI_TRY(MPI_Bcast(&bytes, 1, MPI_INT, 0, world->comm));
    if (bytes < 0) {
        return -1;
    }
    if (world->rank != 0 && (text = malloc((size_t)bytes + 1)) == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "reading standard input");
    }
    MPI_TRY(MPI_Bcast(text, bytes, MPI_BYTE, 0, world->comm));
    const int result = stdin_replace(text, (size_t)bytes, e);
    free(text);
    return result;
}

int goal_job_run(const struct goal_job *job, int argc, char **argv, struct tan_error *e)
{
    const bool shared = strcmp(job->file, "-") != 0 || share_stdin(job->world, e) == 0;
    struct tan_schedule *schedule = shared ? load_schedule(job->file, e) : NULL;
    if (schedule != NULL && schedule->ranks != (uint32_t)job->world->size) {
        tan_fail_usage(e, "%s needs %" PRIu32 " ranks, and the job has %d",
                       tan_input_name(job->file), schedule->ranks, job->world->size);
    }
    const int bad = e->status != TAN_DONE ? job->world->rank : INT_MAX;
    int first = INT_MAX;
    MPI_TRY(MPI_Allreduce(&bad, &first, 1, MPI_INT, MPI_MIN, job->world->comm));
    int status = TAN_FAILED;
    if (first == INT_MAX) {
        status = run_loaded(job, schedule, argc, argv, e);
    } else if (first == job->world->rank) {
        status = tan_error_print(e, "tanbench", stderr);
    }
    tan_schedule_destroy(schedule);
    return status;
}
