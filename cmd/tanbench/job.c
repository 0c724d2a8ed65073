/* job.c - a started job on every rank, from MPI_Init to MPI_Finalize
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "tanbench/host/cores.h"
#include "tanbench/launch/launch.h"
#include "tanbench/measure/session.h"
#include "tanbench/p2p/p2p.h"
#include "tanbench/plan/calibration_plan.h"
#include "tanbench/plan/rank_map.h"
#include "tanbench/plan/settings.h"
#include "tanbench/ranks/environment.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/results/results.h"

/* Waves per simulated cell, and the simulated duration of a stream. */
enum { SIMULATED_WAVES = 3 };
#define SIMULATED_DURATION 0.02

/* Simulated repetitions are identical unless latencies are drawn. */
static bool is_deterministic(const struct options *o, const struct settings *s)
{
    return o->simulation.platform != NULL && s->emulation.n_peaks == 0;
}

static int64_t count_or(int64_t given, int64_t otherwise)
{
    return given >= 0 ? given : otherwise;
}

static double seconds_or(double given, double otherwise)
{
    return given >= 0 ? given : otherwise;
}

/* Set the plan's settings: those given, and by default what suits the command and the machine. */
static int plan_settings(const struct options *o, struct plan *plan, struct tan_error *e)
{
    struct settings *s = &plan->settings;
    struct settings usual;
    tan_settings_default(&usual);
    *s = o->settings;
    if (o->emulate != NULL && tan_emulation_load(&s->emulation, o->emulate, e) < 0) {
        return -1;
    }
    if (o->command == COMMAND_CALIBRATE || o->command == COMMAND_VALIDATE) {
        usual.passes = 7; /* a fit needs more precise medians than a table */
        usual.max_seconds = 0.3;
        usual.min_waves = 30;
    }
    if (is_deterministic(o, s)) {
        usual.passes = 1;
        usual.warmup = 1;
        usual.min_waves = usual.max_waves = SIMULATED_WAVES;
        usual.duration = SIMULATED_DURATION;
    }
    s->passes = count_or(s->passes, usual.passes);
    s->warmup = count_or(s->warmup, usual.warmup);
    s->min_waves = count_or(s->min_waves, usual.min_waves);
    s->max_waves = count_or(s->max_waves, usual.max_waves);
    s->max_seconds = seconds_or(s->max_seconds, usual.max_seconds);
    s->duration = seconds_or(s->duration, usual.duration);
    if (is_deterministic(o, s) && s->max_waves < s->min_waves) {
        s->max_waves = s->min_waves; /* only the other bound was given */
    }
    return 0;
}

static int usable_cores(void)
{
    struct cores *cores = cores_create();
    const int n = cores != NULL ? cores_usable(cores) : 1;
    cores_destroy(cores);
    return n;
}

/* Chains are no higher than the widest tree is wide, unless their height is given. */
static int64_t tallest_chain(const struct options *o)
{
    const bool bounded =
        o->calibration.max_leaves > 0 && o->calibration.max_leaves < MAX_CHAIN_HEIGHT;
    return o->calibration.max_height > 0 ? o->calibration.max_height
           : bounded                     ? o->calibration.max_leaves
                                         : MAX_CHAIN_HEIGHT;
}

static int add_calibration(const struct options *o, int64_t max_ranks, struct plan *plan,
                           struct tan_error *e)
{
    const int64_t leaves = o->calibration.max_leaves > 0 ? o->calibration.max_leaves
                           : o->simulation.platform != NULL
                               ? DEFAULT_MAX_FANOUT
                               : tan_calibration_default_leaves(usable_cores());
    if (tan_calibration_plan(plan, leaves, tallest_chain(o), max_ranks, e) < 0) {
        return -1;
    }
    for (int i = 0; i < plan->n_cells && is_deterministic(o, &plan->settings); i++) {
        plan->cells[i].waves = plan->cells[i].waves > 0 ? plan->settings.min_waves : 0;
    }
    return 0;
}

/* Processes of the largest trees of validate if the machine file does not say. */
enum { DEFAULT_VALIDATED = 64 };

/* Trees as large as those that the machine file was fitted to, unless a size is given. */
static int add_validation(const struct options *o, struct plan *plan, struct tan_error *e)
{
    struct validation v = o->validation;
    if (v.ranks == 0) {
        char *path;
        struct tan_machine *machine = tan_machine_find(o->machine, &path, e);
        free(path);
        if (machine == NULL) {
            return -1;
        }
        const struct tan_params *tan = &machine->tan;
        const int64_t most = tan->max_fanout > tan->max_height ? tan->max_fanout : tan->max_height;
        v.ranks = most == 0 ? DEFAULT_VALIDATED : most < 4 ? 5 : most + 1;
        v.least_ranks = v.ranks / 2 + 1;
        tan_machine_destroy(machine);
        rewind(stdin); /* find_machine reads it again */
    }
    return tan_validate_plan(plan, &v, e);
}

/* Fill the zeroed `plan` with what the options ask for, in the order of measurement. `max_ranks`
 * bounds the topologies that calibrate chooses, unless it is 0. */
static int make_plan(const struct options *o, int64_t max_ranks, struct plan *plan,
                     struct tan_error *e)
{
    if (plan_settings(o, plan, e) < 0 ||
        (o->command == COMMAND_CALIBRATE && add_calibration(o, max_ranks, plan, e) < 0) ||
        (o->command == COMMAND_VALIDATE && add_validation(o, plan, e) < 0)) {
        return -1;
    }
    for (int i = 0; i < o->topologies.n; i++) {
        if (tan_plan_add(plan, o->topologies.spec[i], e) < 0) {
            return -1;
        }
    }
    if (tan_plan_add_sizes(plan, e) < 0 || tan_plan_check(plan, e) < 0) {
        return -1;
    }
    return tan_plan_shuffle(plan, launch_number(), e);
}

/* Release everything except world and session. */
static void job_clear(struct job *job, int rank)
{
    tan_results_clear(&job->results);
    json_decref(job->environment);
    tan_machine_destroy(job->machine);
    if (job->fitting != NULL) {
        tan_fitting_clear(job->fitting);
        free(job->fitting);
    }
    free(job->machine_path);
    tan_distance_clear(&job->distance);
    free(job->racks.rack[0]);
    plan_release(&job->plan, rank);
    free(job);
}

static int check_ranks(const struct plan *plan, int ranks, struct tan_error *e)
{
    const struct cell *largest = tan_plan_largest(plan);
    const int needed = largest->processes;
    if (needed <= ranks) {
        return 0;
    }
    return launch_inside_job()
               ? tan_fail_usage(e,
                                "%s needs %d ranks, this job has %d: start it with -n %d, or run "
                                "tanbench without a launcher",
                                largest->spec, needed, ranks, needed)
               : tan_fail_usage(e, "--ranks %d: %.200s needs %d", ranks, largest->spec, needed);
}

/* The machine to predict with or to add messages to, and its path, both owned by the caller. NULL
 * if none is needed, as for calibrate, which predicts from its own fit, or if none is named and
 * this one is not calibrated: predictions for another machine say nothing about these times. */
static int find_machine(const struct options *o, int ranks, struct tan_machine **machine,
                        char **path, struct tan_error *e)
{
    *machine = NULL;
    *path = NULL;
    const bool chosen = o->machine != NULL || o->emulate != NULL || options_messages(o);
    if (o->command == COMMAND_CALIBRATE ||
        (o->simulation.platform != NULL && !chosen)) { /* the user's file is of a real machine */
        return 0;
    }
    if (options_messages(o)) {
        *machine = p2p_machine(&o->p2p, ranks, path, e);
        return *machine != NULL ? 0 : -1;
    }
    const char *named = o->machine != NULL ? o->machine : o->emulate;
    if (named == NULL && !tan_machine_is_calibrated()) {
        return 0;
    }
    if (named != NULL && named == o->emulate) {
        rewind(stdin); /* the file may be "-", which make_plan has read */
    }
    *machine = tan_machine_find(named, path, e);
    return *machine != NULL ? tan_machine_require_tan(*machine, *path, e) : -1;
}

int job_prepare(const struct options *o, int ranks, struct plan *plan, struct tan_machine **machine,
                char **path, struct tan_error *e)
{
    const bool waves = !options_messages(o);
    if ((options_uses_stdin(o) && stdin_copy(e) < 0) || outputs_check(o, e) < 0 ||
        (waves && make_plan(o, ranks, plan, e) < 0)) {
        return -1;
    }
    ranks = ranks > 0 ? ranks : waves ? tan_plan_largest(plan)->processes : 2;
    if ((waves && check_ranks(plan, ranks, e) < 0) ||
        (o->start.map != NULL && tan_rank_map_check(o->start.map, ranks, e) < 0)) {
        return -1;
    }
    return find_machine(o, ranks, machine, path, e) < 0 ? -1 : ranks;
}

static int prepare_rank0(struct job *job, struct tan_error *e)
{
    int size;
    if (job->options->start.launches > 1 && !launch_ours()) {
        return tan_fail_usage(e, "--launches: only a job that tanbench has started can be started "
                                 "again: run it without mpiexec, or let --launcher 'COMMAND -n "
                                 "{n}' name yours");
    }
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (job->options->start.ranks > size) {
        return tan_fail_usage(e, "--ranks %d: the launcher started %d",
                              (int)job->options->start.ranks, size);
    }
    if (options_uses_stdin(job->options)) {
        launch_adopt_input();
    }
    return job_prepare(job->options, size, &job->plan, &job->machine, &job->machine_path, e);
}

/* End the job after a measurement broke off, since other ranks wait for messages that never come.
 * `world`: NULL before it exists. */
static _Noreturn void abort_job(const struct world *world, int status)
{
    const bool told = launch_report(status);
    fflush(NULL);
    if (machine_simulated) { /* smpirun reports any status but 0 */
        _exit(told ? TAN_DONE : status);
    }
    if (stop_requested()) {
        _exit(status); /* the launcher is already ending the job */
    }
    /* Launchers lose output that they have not read by the time of MPI_Abort. The shorter wait lets
     * rank 0 come first if all ranks fail at once. */
    const long ms = world != NULL && world->rank != 0 ? 500 : 100;
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

/* While starting and ending, MPI libraries wait in many short sleeps. With many ranks per core
 * these sleeps alone keep the cores busy; a coarser timer halves the time of both. */
enum { DEFAULT_SLACK_NS = 50000, COARSE_SLACK_NS = 1000000 };
static void set_timer_slack(unsigned long ns)
{
    prctl(PR_SET_TIMERSLACK, ns);
}

/* Adapt the job to the placement of ranks: with several hosts and several ranks on rank 0's, a
 * calibration measures the tiers separately. Called on every rank. */
static int plan_places(struct job *job, struct tan_error *e)
{
    struct world *world = job->world;
    const bool by_depth = tan_rank_map_by_depth(job->options->start.map);
    const bool tiers = job->options->command == COMMAND_CALIBRATE &&
                       job->options->start.map == NULL &&
                       tan_calibration_has_tiers(world->peers, world->size);
    const bool shares = machine_simulated && world->rank != 0; /* rank 0's plan */
    if ((tiers && world_renumber(world, "apart", e) < 0) ||
        (tiers && !shares &&
         tan_calibration_plan_tiers(&job->plan, tallest_chain(job->options), world->peers,
                                    world->size, e) < 0) ||
        (by_depth && !shares && tan_plan_by_depth(&job->plan, e) < 0)) {
        return -1;
    }
    if (machine_simulated && (tiers || by_depth)) {
        plan_share(&job->plan);
    }
    const int near = tan_peers_on(world->peers, world->size, world->peers[0].host_index);
    for (int i = 0; i < job->plan.n_cells; i++) {
        const struct cell *cell = &job->plan.cells[i];
        if (cell->near && cell->processes > near) {
            return tan_fail_usage(e, "%s needs %d ranks on rank 0's host, %s, which has %d",
                                  cell->spec, cell->processes, world->peers[0].host, near);
        }
    }
    return 0;
}

static int measure_messages(struct job *job, struct tan_error *e)
{
    struct p2p_job messages = {.request = &job->options->p2p,
                               .world = job->world,
                               .machine = job->machine,
                               .machine_path = job->machine_path};
    const int status = p2p_run(&messages, job->options->argc, job->options->argv, e);
    job->environment = messages.environment;
    return status;
}

static int measure_waves(struct job *job, struct tan_error *e)
{
    if (session_open(&job->session, job->world, &job->plan, e) < 0) {
        return -1;
    }
    const int status = job->world->rank == 0 ? rank0_run(job, e) : session_follow(&job->session, e);
    if (status >= 0) {
        session_close(&job->session);
    }
    return status;
}

/* This rank's part in a job with something to measure. -1 if it broke off; the reason is
 * printed. */
static int measure_job(struct job *job, struct tan_error *e)
{
    int status = -1;
    /* for messages the same cores in every run, even if there are enough */
    job->world = world_create(options_messages(job->options), job->options->start.map, e);
    if (job->world == NULL) {
        /* Rank 0 prints why a map does not fit; all ranks exit normally. */
        if (e->status != TAN_DONE) {
            tan_error_print(e, "tanbench", stderr);
        }
        return e->status == TAN_FAILED ? -1 : (int)e->status;
    }
    if (plan_places(job, e) < 0) {
        if (e->status != TAN_DONE && job->world->rank == 0) {
            tan_error_print(e, "tanbench", stderr);
        }
        if (e->status != TAN_USAGE) {
            return -1;
        }
        world_destroy(job->world);
        return TAN_USAGE;
    }
    deadline_end();
    if (!machine_simulated || job->world->rank == 0) { /* simulated ranks share a handler */
        stop_install(job->world);
    }
    if (job->world->rank == 0) {
        launch_report_alive();
    }
    job->world->network_real = job->options->start.network == NETWORK_REAL;
    const bool messages = options_messages(job->options);
    status = messages ? measure_messages(job, e) : measure_waves(job, e);
    if (status < 0) {
        /* p2p_run and rank 0 have already printed the reason. */
        if (!messages && (job->world->rank != 0 || job->environment == NULL)) {
            tan_error_print(e, "tanbench", stderr);
        }
        return -1;
    }
    mpi_end_together(job->world);
    world_destroy(job->world);
    return status;
}

/* The ranks of `tanbench resume` take their options from the recorded command. Rank 0 reads it,
 * since the file need not be on every host. */
static int share_command(struct options *o, int rank, struct tan_error *e)
{
    json_t *command = rank == 0 ? tan_restore_command(o->operand, e) : NULL;
    char *text = command != NULL ? json_dumps(command, JSON_COMPACT) : NULL;
    int length = text != NULL ? (int)strlen(text) : 0;
    MPI_TRY(MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD));
    if (length == 0) {
        const bool read = command != NULL;
        json_decref(command);
        return read ? tan_fail_nomem(e) : -1;
    }
    if (rank != 0 && (text = calloc((size_t)length + 1, 1)) == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "reading the recorded command");
    }
    MPI_TRY(MPI_Bcast(text, length, MPI_CHAR, 0, MPI_COMM_WORLD));
    if (rank != 0) {
        command = json_loads(text, 0, NULL);
    }
    free(text);
    return command != NULL ? options_resume(o, command, e) : tan_fail_nomem(e);
}

/* Report that every process is alone in its MPI job although the launcher started `size` of them.
 * `rank`: this process's number by the launcher; only 0 prints. Allowed before MPI_Init. Returns
 * the exit status. */
static int report_foreign_launcher(int rank, int size, bool by_srun)
{
    struct tan_error e = TAN_ERROR_INIT;
    bool needed;
    if (rank != 0) {
        return TAN_DONE;
    }
    launch_adopt_output();
    if (by_srun) {
        tan_fail_usage(&e,
                       "each of the %d processes is alone: srun has to be told how the ranks of %s "
                       "find each other; start them with srun %s",
                       size, environment_mpi().text, launch_srun_option(&needed));
    } else {
        tan_fail_usage(&e,
                       "each of the %d processes is alone: this launcher does not belong to %s, "
                       "which tanbench was built with; start it with %s, or without %s",
                       size, environment_mpi().text, launch_own_launcher(),
                       launch_ours() ? "--launcher" : "a launcher");
    }
    const int status = tan_error_print(&e, "tanbench", stderr);
    return launch_report(status) ? TAN_DONE : status;
}

/* Limit the time that ranks may take to find each other. launch_run's limit expires first, so that
 * it reports rather than rank 0. Other ranks end themselves later still, since MPICH's launcher
 * does not end ranks that wait inside its library; rank 1 reports for all of them, in case rank 0
 * is busy elsewhere. */
static void begin_start(const struct options *o, int rank, int ranks)
{
    const double after_launch = 5;
    const double seconds = options_start_seconds(o, ranks);
    const double more = launch_ours() ? after_launch : 0;
    const double patience = 2 * seconds + more;
    if (seconds <= 0) {
        return;
    }
    if (rank == 0) {
        deadline_begin(seconds + more,
                       "the %d ranks have not found each other within %.3g s (--start-timeout "
                       "allows more)",
                       ranks, seconds);
    } else if (machine_simulated) {
        return; /* simulated ranks share a process and its timer */
    } else if (rank == 1) {
        deadline_begin(patience,
                       "rank 1 has heard nothing from rank 0 within %.3g s (--start-timeout allows "
                       "more)",
                       patience);
    } else {
        deadline_begin(patience + 1, NULL);
    }
}

int job_run(struct options *o)
{
    struct tan_error e = TAN_ERROR_INIT;
    int status = TAN_DONE;
    const int launched_rank = launch_rank(); /* MPI_Init of a singleton sets it to 0 */
    const int launched_size = launch_size();
    bool has_pmi;
    bool needs_option;
    const bool by_srun = launch_by_srun(&has_pmi);
    int rank;
    int size;
    launch_srun_option(&needs_option);
    if (by_srun && !has_pmi && needs_option) {
        return report_foreign_launcher(launched_rank, launched_size, true);
    }
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        tan_fail_nomem(&e);
        return tan_error_print(&e, "tanbench", stderr);
    }
    job->options = o;
    watch_parents();
    set_timer_slack(COARSE_SLACK_NS);
    begin_start(o, launched_rank, launched_size);
    MPI_TRY(MPI_Init(NULL, NULL));
    deadline_end();
    set_timer_slack(DEFAULT_SLACK_NS);
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (size == 1 && launched_size > 1) {
        status = report_foreign_launcher(launched_rank, launched_size, by_srun);
        free(job);
        mpi_end(status);
        return status;
    }
    if (rank == 0) {
        launch_adopt_output();
    }
    const bool known = o->command != COMMAND_RESUME || share_command(o, rank, &e) == 0;
    if (rank == 0) {
        status = known && prepare_rank0(job, &e) >= 0 ? TAN_DONE
                                                      : tan_error_print(&e, "tanbench", stderr);
    }
    begin_start(o, rank, size);
    if (plan_broadcast(&job->plan, &status, &e) < 0) {
        tan_error_print(&e, "tanbench", stderr);
        abort_job(NULL, TAN_FAILED);
    }
    if (status == TAN_DONE) {
        status = measure_job(job, &e);
        if (status < 0) {
            abort_job(job->world, TAN_FAILED);
        }
    }
    deadline_end();
    job_clear(job, rank);
    stop_uninstall();
    /* Launchers print long messages for a nonzero status, and launch_run has the report already. */
    if (rank != 0 || launch_report(status)) {
        status = TAN_DONE;
    }
    set_timer_slack(COARSE_SLACK_NS);
    mpi_end(status);
    return status;
}
