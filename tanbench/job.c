/* job.c - what every rank of a started job does
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "model/fit_report.h"
#include "tanbench/calibrate.h"
#include "tanbench/check.h"
#include "tanbench/environment.h"
#include "tanbench/fitting.h"
#include "tanbench/launch.h"
#include "tanbench/progress.h"
#include "tanbench/results.h"
#include "tanbench/session.h"
#include "tanbench/stop.h"

int job_plan(const struct options *o, int64_t max_ranks, struct plan *plan, struct tan_error *e)
{
    settings_default(&plan->settings);
    if (o->calibrate) {
        int64_t leaves = o->max_leaves ? o->max_leaves : calibrate_default_leaves();
        if (calibrate_plan(plan, leaves, max_ranks, e)) {
            return -1;
        }
        plan->settings.max_seconds = 1;
        plan->settings.min_waves = 30; /* a fit asks more of a median than a table does */
    }
    if (o->experiment && plan_add_experiment(plan, o->experiment, e)) {
        return -1;
    }
    options_override(o, &plan->settings);
    for (int i = 0; i < o->n_topologies; i++) {
        if (plan_add(plan, o->topologies[i], e)) {
            return -1;
        }
    }
    return plan_check(plan, e) || plan_shuffle(plan, e) ? -1 : 0;
}

/* Rank 0's part: everything that it opens and must close again. */
struct job {
    const struct options *options;
    struct world *world;
    struct plan plan;
    struct session session;
    struct tan_machine *machine;
    char *machine_path;
    json_t *environment;
    struct results results;
    struct fitting fitting;   /* of --calibrate */
    struct tan_error unsaved; /* the last save that failed */
};

/* Save what there is, so that a job that is killed later loses only the cell that it was at. A full
 * disk must not end the measurement: the next save may succeed, and the table is still to come. */
static void save(struct job *job)
{
    const struct options *o = job->options;

    job->unsaved = (struct tan_error)TAN_ERROR_INIT;
    if (o->json && strcmp(o->json, "-") != 0) {
        results_save(&job->results, o->json, &job->unsaved);
    }
    if (o->raw && strcmp(o->raw, "-") != 0) {
        results_save_raw(&job->results, o->raw, &job->unsaved);
    }
}

/* -1: broken off in the middle of a wave. An interruption between waves leaves the job whole. */
static int measure(struct job *job, struct tan_error *e)
{
    bool broken = false;

    for (int i = 0; i < job->plan.n_cells && !broken && !stop_requested(); i++) {
        struct measurement waves = {.n = 0};
        const struct cell *cell = &job->plan.cells[i];
        struct tan_error why = TAN_ERROR_INIT;
        if (!job->options->quiet) {
            progress_show("[%d/%d] %s", i + 1, job->plan.n_cells, cell->spec);
        }
        broken = session_measure(&job->session, i, &waves, &why) != 0;
        progress_show(NULL);
        if (broken) {
            /* Said at once: a launcher may be about to end this rank too. */
            tan_fail(e, "%.900s during %.100s", why.text, cell->spec);
            tan_error_print(e, "tanbench", stderr);
        }
        if (waves.n > 0 &&
            results_add(&job->results, i, &waves, !broken && waves.stopped != STOP_INTERRUPTED,
                        &job->unsaved)) {
            break;
        }
        measurement_clear(&waves);
        save(job);
    }
    return broken ? -1 : 0;
}

static void print_head(const struct job *job, FILE *to)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    const struct world *world = job->world;
    const struct settings *s = &job->plan.settings;

    environment_mpi(mpi, sizeof mpi);
    fprintf(to,
            "%s, %d ranks on %d host%s with %d core%s%s, waiting: %s, filter: %s, %" PRId64
            " bytes\n",
            mpi, world->size, world->hosts, world->hosts > 1 ? "s" : "", world->usable_cores,
            world->usable_cores > 1 ? "s" : "", world->hosts > 1 ? " each" : "",
            job->session.policy->name, s->filter, s->bytes);
    if (job->machine) {
        fprintf(to, "Predictions for %s (%s), method %s\n", job->machine->name, job->machine_path,
                tan_method_name(job->machine->tan.method));
    }
    fprintf(to, "\n");
}

static void print_foot(const struct job *job, FILE *to)
{
    const struct world *world = job->world;

    if (!world->oversubscribed) {
        return;
    }
    fprintf(
        to,
        "\nRanks outnumber cores (%d on %d): these times are this host's software and wake-ups, "
        "not a network's.\n",
        world->local_size, world->usable_cores);
    if (!job->session.policy->rings) {
        fprintf(to, "Ranks that wait by polling take the cores from those with something to do: "
                    "do not trust these times; use --wait park.\n");
    }
}

/* Ranks that poll each other off the cores take a time that grows with the square of their number
 * and says nothing about the messages. */
static int check_fittable(const struct job *job, struct tan_error *e)
{
    if (!job->options->calibrate || !job->world->oversubscribed || job->session.policy->rings) {
        return 0;
    }
    tan_fail(e,
             "--calibrate --wait %s with %d ranks on %d cores: nothing can be fitted to ranks that "
             "poll each other off the cores; use --wait park",
             job->session.policy->name, job->world->local_size, job->world->usable_cores);
    e->status = TAN_UNTRUSTED;
    return -1;
}

/* Fit what --calibrate measured; from then on predictions are for the fitted machine. */
static int fit(struct job *job, struct tan_error *e)
{
    if (fitting_run(&job->fitting, &job->results, job->options->method, e)) {
        return -1;
    }
    job->machine = fitting_machine(&job->fitting, &job->results, job->world, job->options->name, e);
    job->machine_path = strdup("fitted to these waves");
    job->results.machine = job->machine;
    return job->machine && job->machine_path ? 0 : -1;
}

/* Save the machine file, and say where, and whether to trust it. */
static int save_machine(struct job *job, FILE *to, struct tan_error *e)
{
    const char *path = job->options->operand;
    char doubts[256];

    if (path ? tan_machine_save(job->machine, path, e) : tan_machine_save_user(job->machine, e)) {
        return -1;
    }
    char *user = path ? NULL : tan_machine_user_path(e);
    fprintf(to, "\nWrote %s\n", path ? path : user ? user : "the machine file");
    free(user);
    if (*tan_fit_doubts(&job->fitting.fits[job->options->method], doubts, sizeof doubts)) {
        tan_fail(e, "not trustworthy: %s", doubts);
        e->status = TAN_UNTRUSTED;
        return -1;
    }
    return 0;
}

/* Output of a finished or interrupted measurement. */
static int report(struct job *job, bool broken, struct tan_error *e)
{
    const struct options *o = job->options;
    bool json_out = o->json && !strcmp(o->json, "-");
    bool raw_out = o->raw && !strcmp(o->raw, "-");
    FILE *to = json_out || raw_out ? stderr : stdout;
    bool fitted = o->calibrate && !broken && !stop_requested() && !fit(job, e);

    if (job->results.n > 0) {
        print_head(job, to);
        results_print(&job->results, to);
        print_foot(job, to);
    }
    if (fitted) {
        fprintf(to, "\n");
        fitting_print(&job->fitting, to);
        save_machine(job, to, e);
        save(job); /* the results again, now with predictions */
    }
    if (json_out) {
        results_save(&job->results, "-", e);
    } else if (raw_out) {
        results_save_raw(&job->results, "-", e);
    }
    if (job->unsaved.status != TAN_DONE && e->status != TAN_FAILED) {
        *e = job->unsaved;
    }
    tan_cli_close_stdout(e);
    return e->status == TAN_DONE ? 0 : -1;
}

static int check_ranks(const struct job *job, struct tan_error *e)
{
    int needed = plan_ranks(&job->plan);
    int size;

    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
    for (int i = 0; i < job->plan.n_cells; i++) {
        const struct cell *cell = &job->plan.cells[i];
        if (cell->processes == needed && needed > size) {
            return tan_fail_usage(e,
                                  "%s needs %d ranks, this job has %d: start it with -n %d, or run "
                                  "tanbench without a launcher",
                                  cell->spec, needed, size, needed);
        }
    }
    return 0;
}

static int prepare(struct job *job, struct tan_error *e)
{
    int size;

    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (job_plan(job->options, size, &job->plan, e) || check_ranks(job, e)) {
        return -1;
    }
    if (job->options->calibrate) {
        return 0; /* predictions from other parameters than those about to be fitted would mislead
                   */
    }
    job->machine = tan_machine_find(job->options->machine, &job->machine_path, e);
    return job->machine ? 0 : -1;
}

/* Rank 0 once all ranks are there: measure, save, print. Returns the exit status, -1 when the
 * measurement broke off. */
static int lead(struct job *job, int argc, char **argv, struct tan_error *e)
{
    job->environment = environment_describe(job->world, argc, argv);
    if (!job->environment) {
        return tan_fail_nomem(e);
    }
    job->results = (struct results){.plan = &job->plan,
                                    .machine = job->machine,
                                    .environment = job->environment,
                                    .wait = job->session.policy->name};
    struct tan_error reporting = TAN_ERROR_INIT;
    bool refused = check_fittable(job, &reporting) != 0;
    bool broken = (!refused && measure(job, e)) || session_end(&job->session, e);
    if (refused || report(job, broken, &reporting)) {
        tan_error_print(&reporting, "tanbench", stderr);
    }
    if (broken) {
        return -1;
    }
    if (stop_requested()) {
        fprintf(stderr, "tanbench: interrupted after %d of %d topologies\n", job->results.n,
                job->plan.n_cells);
        return TAN_FAILED;
    }
    if (reporting.status != TAN_DONE) {
        return (int)reporting.status;
    }
    return job->world->oversubscribed && !job->session.policy->rings ? TAN_UNTRUSTED : TAN_DONE;
}

static void job_clear(struct job *job)
{
    results_clear(&job->results);
    json_decref(job->environment);
    if (job->options->calibrate && job->machine) {
        job->machine->tan.draws = NULL; /* the fitting's */
    }
    tan_machine_destroy(job->machine);
    fitting_clear(&job->fitting);
    free(job->machine_path);
    plan_clear(&job->plan);
}

/* A measurement that broke off: other ranks wait in vain and cannot be told, so the job is aborted.
 */
static _Noreturn void give_up(int status)
{
    launch_report(status);
    fflush(NULL);
    if (stop_requested()) {
        _exit(status); /* the launcher is ending the job already */
    }
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

/* MPI libraries wait for each other with many short sleeps while they start and end. With many
 * ranks per core these sleeps alone keep the cores busy; a coarser timer halves the time that it
 * takes. */
static void be_lazy(bool lazy)
{
    prctl(PR_SET_TIMERSLACK, lazy ? 1000000UL : 50000UL);
}

/* Every rank's part in a job that has something to measure. -1, with the reason printed, when it
 * broke off. */
static int take_part(struct job *job, int argc, char **argv, struct tan_error *e)
{
    int status = -1;

    job->world = world_create(job->options->binding, e);
    if (!job->world) {
        tan_error_print(e, "tanbench", stderr);
        return -1;
    }
    stop_install(job->world);
    if (job->world->rank == 0) {
        launch_report_alive();
    }
    if (!session_open(&job->session, job->world, &job->plan, e)) {
        status =
            job->world->rank == 0 ? lead(job, argc, argv, e) : session_follow(&job->session, e);
    }
    if (status < 0) {
        /* Rank 0 has said so already when a measurement broke off. */
        if (job->world->rank != 0 || !job->environment) {
            tan_error_print(e, "tanbench", stderr);
        }
        return -1;
    }
    session_close(&job->session);
    world_destroy(job->world);
    return status;
}

int job_run(const struct options *o, int argc, char **argv)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct job job = {.options = o};
    int status = TAN_DONE;
    int rank;

    be_lazy(true);
    MPI_TRY(MPI_Init(&argc, &argv));
    be_lazy(false);
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    if (rank == 0) {
        launch_adopt_output();
        status = prepare(&job, &e) ? tan_error_print(&e, "tanbench", stderr) : TAN_DONE;
    }
    if (plan_broadcast(&job.plan, &status, &e)) {
        tan_error_print(&e, "tanbench", stderr);
        give_up(TAN_FAILED);
    }
    if (status == TAN_DONE) {
        status = take_part(&job, argc, argv, &e);
        if (status < 0) {
            give_up(TAN_FAILED);
        }
    }
    job_clear(&job);
    /* A launcher says so at length when a rank's status is not 0; who started it is told otherwise.
     */
    if (rank == 0 && launch_report(status)) {
        status = TAN_DONE;
    }
    be_lazy(true);
    MPI_Finalize();
    return rank == 0 ? status : TAN_DONE;
}
