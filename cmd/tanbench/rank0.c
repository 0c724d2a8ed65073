/* rank0.c - rank 0's part of a job: measure, save, fit, print
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tanbench/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "model/fit/fit.h"
#include "page/report.h"
#include "tanbench/host/machine_file.h"
#include "tanbench/host/progress.h"
#include "tanbench/launch/launch.h"
#include "tanbench/plan/calibration_plan.h"
#include "tanbench/plan/settings.h"
#include "tanbench/ranks/environment.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/results/results.h"

/* --- progress --- */

/* Before the first visit: print what is measured, with an upper bound for the time left in all
 * launches. */
static void begin_progress(struct job *job)
{
    const struct plan *plan = &job->plan;
    const int passes = (int)plan->settings.passes;
    const int launches = (int)job->options->start.launches - launch_number();
    const int total = job->progress.total = tan_plan_all_visits(plan);
    int done = 0;
    job->progress.begin = tan_clock_seconds();
    for (int visit = 0; visit < total; visit++) {
        done += tan_results_has(&job->results, visit / passes, launch_number(), visit % passes);
    }
    job->progress.done = done;
    if (job->options->quiet || launch_number() > 0 || done == total) {
        return;
    }
    fprintf(stderr, "%d topolog%s on %d ranks", plan->n_cells, plan->n_cells == 1 ? "y" : "ies",
            job->world->size);
    if (passes > 1) {
        fprintf(stderr, " in %d passes", passes);
    }
    if (launches > 1) {
        fprintf(stderr, " in %d launches", launches);
    }
    if (done > 0) {
        fprintf(stderr, ", %d of %d measured before", done, total);
    }
    if (job->options->simulation.platform == NULL) {
        const double left = (double)total * launches - done;
        fprintf(stderr, ": %s", tan_plan_describe_duration(plan, left).text);
    }
    putc('\n', stderr);
}

/* Estimated seconds left, in this launch and the following ones. */
static double seconds_left(const struct job *job)
{
    const int later = (int)job->options->start.launches - launch_number() - 1;
    const int left =
        job->progress.total - job->progress.done + (later > 0 ? later * job->progress.total : 0);
    return tan_remaining_seconds(tan_clock_seconds() - job->progress.begin, job->progress.measured,
                                 left, tan_plan_visit_seconds(&job->plan));
}

/* ", pass 2 of 7, launch 1 of 3" */
static struct tan_text round_text(const struct job *job, int pass)
{
    const int passes = (int)job->plan.settings.passes;
    const int launches = (int)job->options->start.launches;
    return tan_printed(
        "%s%s", passes > 1 ? tan_printed(", pass %d of %d", pass + 1, passes).text : "",
        launches > 1 ? tan_printed(", launch %d of %d", launch_number() + 1, launches).text : "");
}

/* Before a visit to cell `index`. */
static void show_progress(const struct job *job, int index, int pass)
{
    if (!job->options->quiet) {
        progress_say(true, "[%d of %d done, %s %s left] %.40s%s", job->progress.done,
                     job->progress.total, job->progress.measured > 0 ? "about" : "up to",
                     tan_duration_text(seconds_left(job)).text, job->plan.cells[index].spec,
                     round_text(job, pass).text);
    }
}

/* How far this launch got: "after 3 of 7 topologies", "in pass 2 of 7 after 3 of 46 topologies". */
static struct tan_text progress_reached(const struct job *job)
{
    const struct plan *plan = &job->plan;
    const int passes = (int)plan->settings.passes;
    int visited = 0;
    int pass = -1;
    do {
        pass++;
        visited = 0;
        for (int i = 0; i < plan->n_cells; i++) {
            visited += tan_results_has(&job->results, i, launch_number(), pass);
        }
    } while (visited == plan->n_cells && pass + 1 < passes);
    return tan_printed("%safter %d of %d topologies",
                       passes > 1 ? tan_printed("in pass %d of %d ", pass + 1, passes).text : "",
                       visited, plan->n_cells);
}

/* --- measuring --- */

/* Save the results so far, for a job that is killed later. A full disk does not end the
 * measurement: a later save may succeed, and the table is still to be printed. */
static void save_results(struct job *job)
{
    const struct options *o = job->options;
    const char *results = outputs_results(o);
    const double share = 0.05; /* of the time that saving may take */
    const double begin = tan_clock_seconds();
    job->save_error = (struct tan_error)TAN_ERROR_INIT;
    job->unsaved =
        results != NULL && tan_results_save(&job->results, results, &job->save_error) < 0;
    if (o->raw != NULL && !tan_output_is_stdout(o->raw)) {
        tan_results_save_raw(&job->results, o->raw, &job->save_error);
    }
    const double end = tan_clock_seconds();
    job->next_save = end + (end - begin) / share;
}

/* Add what was measured before: the run that is resumed, or earlier launches. */
static int restore_results(struct job *job, struct tan_error *e)
{
    const char *path = outputs_results(job->options);
    if (path == NULL || (!job->options->resumed.on && launch_number() == 0)) {
        return 0;
    }
    json_t *document = tan_restore_load(path, e);
    const int result =
        document != NULL ? tan_restore_results(&job->results, document, path, e) : -1;
    json_decref(document);
    return result;
}

/* Add the waves of a cell. Incomplete ones are dropped if the cell has complete ones. */
static int add_waves(struct job *job, int index, int pass, struct measurement *waves, bool complete,
                     struct tan_error *e)
{
    const struct cell *cell = &job->plan.cells[index];
    if (waves->n == 0 || (!complete && tan_results_at(&job->results, cell->order) != NULL)) {
        tan_measurement_clear(waves);
        return 0;
    }
    return tan_results_add(&job->results, index, launch_number(), pass, waves, complete, e);
}

static int measure_pass(struct job *job, int index, int pass, struct tan_error *e)
{
    struct measurement waves = {.n = 0};
    const struct cell *cell = &job->plan.cells[index];
    struct tan_error why = TAN_ERROR_INIT;
    show_progress(job, index, pass);
    launch_report_cell(cell->spec);
    bool broken = session_measure(&job->session, index, &waves, &why) != 0;
    progress_hide();
    job->progress.done++;
    job->progress.measured++;
    if (broken) {
        tan_fail(e, "%.900s during %.100s", why.text, cell->spec);
        tan_error_print(e, "tanbench", stderr); /* at once: a launcher may be about to end us */
    }
    bool complete = !broken && waves.stopped != STOP_INTERRUPTED;
    return add_waves(job, index, pass, &waves, complete, &job->save_error) < 0 || broken ? -1 : 0;
}

/* The longest time that a wave may wait for a process that is silent. */
static double longest_detection(const struct job *job)
{
    int32_t height = 0;
    for (int i = 0; i < job->plan.n_cells; i++) {
        height = job->plan.cells[i].height > height ? job->plan.cells[i].height : height;
    }
    return tan_modes[job->plan.settings.mode].heals ? FAIL_SECONDS * (height + 1) : 0;
}

/* Time limit for a wave, which may have to open connections: that of the start, and what one visit
 * to every cell may take. No limit if simulated: connections cannot break there, and simulating a
 * wave may take long. */
static double wave_limit(const struct job *job)
{
    const double seconds = options_start_seconds(job->options, job->world->size);
    return seconds > 0 && !machine_simulated
               ? seconds + longest_detection(job) +
                     tan_plan_visit_seconds(&job->plan) * job->plan.n_cells
               : 0;
}

/* The median of a ping-pong with each partner of a class, and of these. */
static int measure_class(struct job *job, int pingpong, struct distance_class *class,
                         struct tan_error *e)
{
    double medians[TAN_PARTNERS];
    int n = 0;
    int result = 0;
    for (; n < class->partners && result == 0 && !stop_requested(); n++) {
        struct measurement waves = {.n = 0};
        job->session.partner = class->partner[n];
        result = session_measure(&job->session, pingpong, &waves, e);
        medians[n] = half(tan_results_median(waves.round_trips, waves.n));
        tan_measurement_clear(&waves);
    }
    job->session.partner = 0;
    class->latency = tan_results_median(medians, (size_t)n);
    return result;
}

/* Measure the classes of distance; after an interruption there are none. */
static int measure_distance(struct job *job, struct tan_error *e)
{
    const struct world *world = job->world;
    const struct cell *cells = job->plan.cells;
    const bool apart = tan_calibration_has_tiers(world->peers, world->size);
    struct distance *d = &job->distance;
    int pingpong = 0;
    int result = 0;
    while (cells[pingpong].kind != CELL_PINGPONG || cells[pingpong].near) {
        pingpong++;
    }
    tan_distance_plan(d, &job->racks, world->host_of, world->size, apart);
    for (int i = 0; i < d->n && result == 0; i++) {
        result = measure_class(job, pingpong, &d->row[i], e);
    }
    if (stop_requested()) {
        d->n = 0;
    } else if (result == 0) {
        result = tan_distance_classify(d, &job->racks, world->host_of, world->size, e);
        job->results.distance = d;
    }
    return result;
}

/* Returns -1 if it broke off during a wave; after an interruption between waves, 0, and the results
 * so far are printed. Every other pass runs backwards, so that slow drifts affect all cells
 * equally. */
static int measure_cells(struct job *job, struct tan_error *e)
{
    const int n = job->plan.n_cells;
    const int passes = (int)job->plan.settings.passes;
    begin_progress(job);
    job->session.wave_limit = wave_limit(job);
    if (job->options->calibration.racks != NULL && measure_distance(job, e) < 0) {
        tan_error_print(e, "tanbench", stderr);
        return -1;
    }
    for (int pass = 0; pass < passes; pass++) {
        for (int i = 0; i < n && !stop_requested(); i++) {
            int index = pass % 2 == 0 ? i : n - 1 - i;
            if (!tan_results_has(&job->results, index, launch_number(), pass) &&
                measure_pass(job, index, pass, e) < 0) {
                save_results(job);
                return e->status != TAN_DONE ? -1 : 0;
            }
            if (tan_clock_seconds() >= job->next_save) {
                save_results(job);
            }
        }
        save_results(job);
        if (stop_requested()) {
            break;
        }
    }
    return 0;
}

/* --- results --- */

/* What a host without a core for each rank does to times. */
static void write_host(const struct world *world, FILE *to)
{
    if (!world->oversubscribed) {
        return;
    }
    fprintf(to,
            world->network_real
                ? "\nNetwork: said to be real, though ranks outnumber cores (%d on %d)."
                : "\nRanks outnumber cores (%d on %d): these times are this host's software and "
                  "wake-ups, not a network's.",
            world->sharing, world->usable_cores);
    if (world->awake < 0) {
        fprintf(to, "\nIdle cores may sleep, and waking them takes time, unless tanbench may write "
                    "to /dev/cpu_dma_latency.");
    }
}

/* Where and how it was measured, in lines. */
static void describe(const void *context, FILE *to)
{
    const struct job *job = context;
    const struct world *world = job->world;
    const struct settings *s = &job->plan.settings;
    const bool same_cores = world->sharing > world->local_size;
    fprintf(to, "%s, %d ranks on %d host%s %s %d core%s%s, waiting: %s, filter: %s",
            environment_mpi().text, world->size, world->hosts, world->hosts > 1 ? "s" : "",
            same_cores ? "that share" : "with", world->usable_cores,
            world->usable_cores > 1 ? "s" : "", world->hosts > 1 && !same_cores ? " each" : "",
            job->session.policy->name, s->filter);
    if (world->map != NULL) {
        fprintf(to, ", map: %s", world->map);
    }
    if (s->work > 0) {
        fprintf(to, " taking %g us for each child's message", s->work * 1e6);
    }
    if (s->mode != 0) {
        fprintf(to, ", mode: %s", tan_modes[s->mode].name);
    }
    if (s->n_sizes == 1) {
        fprintf(to, ", %" PRId64 " bytes", s->sizes[0]);
    }
    if (emulation_on(&s->emulation)) {
        fprintf(to, "\nEmulated: %s (%s); these times are that file's", s->emulation.name,
                job->options->emulate);
    }
    if (job->machine != NULL && !job->fitted) {
        fprintf(to, "\nPredictions for %s (%s), method %s%s", job->machine->name, job->machine_path,
                tan_method_name(job->machine->tan.method),
                job->machine->environment != NULL || emulation_on(&s->emulation)
                    ? ""
                    : "; not measured here, see tanbench calibrate");
    } else if (job->machine == NULL && !machine_simulated &&
               job->options->command != COMMAND_CALIBRATE) {
        fprintf(to, "\nNo machine file, so no predictions: tanbench calibrate measures one, "
                    "--machine names one.");
    }
    if (machine_simulated && !emulation_on(&s->emulation)) {
        fprintf(to, "\nSimulated: platform %s; these times are of no real machine",
                job->options->simulation.platform);
    }
    write_host(world, to);
    fputc('\n', to);
}

static void print_head(const struct job *job, FILE *to)
{
    tan_text_wrap_printed(to, describe, job);
    if (job->machine != NULL && !job->fitted) { /* calibrate reports it at the end */
        tan_doubts_print(&job->machine->doubts, TAN_DOUBT, to);
    }
    fprintf(to, "\n");
}

/* The first cell with one of MPI's own collectives whose ranks outnumber their cores; NULL if there
 * is none. Counted are the ranks on rank 0's host, which has the most of a job's first ranks, or,
 * if hosts share the same cores, all ranks. */
static const struct cell *crowded_collective(const struct job *job)
{
    const struct world *world = job->world;
    const bool same_cores = world->sharing > world->local_size;
    for (int i = 0; i < job->plan.n_cells && world->oversubscribed; i++) {
        const struct cell *cell = &job->plan.cells[i];
        const int ranks =
            same_cores ? cell->processes
                       : tan_peers_on(world->peers, cell->processes, world->peers[0].host_index);
        if (cell->kind == CELL_COLLECTIVE && ranks > world->usable_cores) {
            return cell;
        }
    }
    return NULL;
}

static bool delays_itself(const struct job *job)
{
    return job->world->oversubscribed && !job->session.policy->rings;
}

/* Append the doubts that are known before anything is measured. */
static void doubt_ranks(const struct job *job, struct tan_doubts *doubts)
{
    const struct cell *crowded = crowded_collective(job);
    if (delays_itself(job)) {
        tan_doubts_add(doubts, TAN_DOUBT, "polling", NAN, TAN_TOUCHES_ALL,
                       "ranks that wait by polling take the cores from ranks with work to do; "
                       "use --wait park");
    } else if (crowded != NULL) {
        tan_doubts_add(doubts, TAN_DOUBT, "polling", NAN, TAN_TOUCHES_ALL,
                       "in %s ranks that outnumber the cores wait as the MPI library does, by "
                       "polling, which takes the cores from ranks with work to do",
                       crowded->spec);
    }
}

/* Append the reasons to doubt the results; where ranks delay each other, findings about single
 * cells are left out. */
static void doubt_waves(const struct job *job, struct tan_doubts *doubts)
{
    tan_doubt_run(&job->results, doubts);
    if (!delays_itself(job)) {
        tan_doubt_cells(&job->results, TAN_DOUBT, doubts);
    }
}

/* Refuse to fit ranks that poll on shared cores: they delay each other by a time that grows with
 * the square of their number and has nothing to do with messages. */
static int check_fittable(const struct job *job, struct tan_error *e)
{
    if (job->options->command != COMMAND_CALIBRATE || !delays_itself(job)) {
        return 0;
    }
    tan_fail(e,
             "calibrate --wait %s with %d ranks on %d cores: nothing can be fitted to ranks that "
             "delay each other by polling; use --wait park",
             job->session.policy->name, job->world->local_size, job->world->usable_cores);
    e->status = TAN_UNTRUSTED;
    return -1;
}

/* Fit the results of calibrate; predictions are then those of the fitted machine. */
static int fit_results(struct job *job, struct tan_error *e)
{
    job->fitting = calloc(1, sizeof *job->fitting);
    if (job->fitting == NULL) {
        return tan_fail_nomem(e);
    }
    if (tan_fitting_run(job->fitting, &job->results, e) < 0) {
        return -1;
    }
    const struct fitting_host host = {.name = job->world->peers[0].host,
                                      .hosts = job->world->hosts,
                                      .cores = job->world->usable_cores,
                                      .oversubscribed = job->world->oversubscribed,
                                      .network_real = job->world->network_real};
    job->machine = tan_fitting_machine(job->fitting, &job->results, &host,
                                       options_machine_name(job->options), e);
    if (job->machine == NULL) {
        return -1;
    }
    job->results.machine = job->machine;
    job->machine_path = strdup("fitted to these waves");
    return job->machine_path != NULL ? 0 : tan_fail_nomem(e);
}

/* Whether others used the cores during a part of the measurement. */
static bool saw_disturbance(const struct results *r)
{
    for (int i = 0; i < r->n; i++) {
        for (int k = 0; k < r->list[i].n_parts; k++) {
            if (r->list[i].parts[k].disturbed) {
                return true;
            }
        }
    }
    return false;
}

/* Append to an error about the fit, if that is a reason, what to do about it. */
static void add_remedy(const struct job *job, const struct tan_doubts *doubts, struct tan_error *e)
{
    enum { FEWEST = 9 }; /* ranks: with fewer, fits have hardly any freedom */
    static const char *const kinds[] = {"r2-",        "scatter-", "outlier", "latency",
                                        "two-groups", "check",    "misfit"};
    const struct world *world = job->world;
    const size_t used = strlen(e->text);
    const bool disturbed = saw_disturbance(&job->results);
    const char *fewer = disturbed ? "" : ", with more waves (--max-time 2s)";
    struct tan_text cores;
    bool remediable = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        remediable = remediable || tan_doubts_find(doubts, kinds[i]) != NULL;
    }
    if (!remediable || tan_results_simulated(&job->results) ||
        emulation_on(&job->plan.settings.emulation)) {
        return;
    }
    if (world->oversubscribed && world->usable_cores >= FEWEST) {
        cores = tan_printed(", with a core for each rank (--ranks %d)", world->usable_cores);
        fewer = cores.text;
    } else if (world->oversubscribed) {
        fewer = ", with fewer ranks";
    }
    snprintf(e->text + used, sizeof e->text - used, "; what to do: calibrate again%s%s",
             disturbed ? " when nothing else uses the cores" : "", fewer);
}

/* Save the machine file; print its path and whether it is trustworthy. */
static void save_machine(struct job *job, FILE *to, struct tan_error *e)
{
    const char *file = job->options->operand;
    struct tan_doubts *against = &job->machine->doubts;
    doubt_waves(job, against);
    tan_machine_raise_doubts(job->machine);
    if (machine_file_keep_messages(job->machine, file, e) == 0 &&
        machine_file_save(job->machine, file, tan_doubts_trusted(against), "tan-design --leaves N",
                          to, e) == 0 &&
        tan_doubts_fail(against, e) < 0) {
        add_remedy(job, against, e);
    }
}

/* Print the summary of a calibration; single waves are only in the requested files. */
static void print_calibration(const struct job *job, FILE *to)
{
    const struct options *o = job->options;
    size_t waves = 0;
    for (int i = 0; i < job->results.n; i++) {
        waves += job->results.list[i].waves.n;
    }
    tan_text_say(
        to, "Measured %d topologies, %zu waves%s.\n", job->results.n, waves,
        o->json != NULL || o->raw != NULL ? "" : "; --json FILE saves them with their warnings");
    if (job->distance.n > 1) {
        tan_distance_print(&job->distance, to);
    }
    tan_fitting_print(job->fitting, to);
}

/* Keep the results elsewhere if a full disk kept them out of their file. */
static void rescue_results(struct job *job, struct tan_error *e)
{
    json_t *results = job->results.n > 0 ? tan_results_to_json(&job->results) : NULL;
    if (results != NULL) {
        tan_json_rescue(results, e);
        json_decref(results);
    }
}

/* Print and save the results of a measurement that has finished, was interrupted or broke off. */
static int report_results(struct job *job, bool broken, struct tan_error *e)
{
    const struct options *o = job->options;
    bool json_out = tan_output_is_stdout(o->json);
    bool raw_out = tan_output_is_stdout(o->raw);
    FILE *to = json_out || raw_out ? stderr : stdout;
    bool fitted =
        o->command == COMMAND_CALIBRATE && !broken && !stop_requested() && fit_results(job, e) == 0;
    const bool shown = !json_out && !raw_out; /* a result on stdout replaces the tables */
    job->fitted = fitted;
    if (fitted && shown) {
        print_head(job, to);
        print_calibration(job, to);
    } else if (job->results.n > 0 && shown) {
        print_head(job, to);
        tan_results_print(&job->results, to);
        if (o->command == COMMAND_VALIDATE) {
            tan_validate_print(&job->results, to);
        }
    }
    if (fitted) {
        save_machine(job, to, e);
        save_results(job); /* once more, now with predictions */
    }
    if (json_out) {
        tan_results_save(&job->results, "-", e);
    } else if (raw_out) {
        tan_results_save_raw(&job->results, "-", e);
    }
    if (o->report != NULL && fitted) {
        tan_report_calibration(o->report, tan_results_to_json(&job->results),
                               tan_machine_to_json(job->machine), &job->save_error);
    } else if (o->report != NULL && job->results.n > 0) {
        tan_report_deliver(NULL, o->report, tan_results_to_json(&job->results), &job->save_error);
    }
    if (job->unsaved) {
        rescue_results(job, &job->save_error);
    } else if (shown && job->results.n > 0 && job->save_error.status == TAN_DONE) {
        const char *const files[] = {o->json, o->raw, o->report};
        fputs(tan_output_print_written(files, sizeof files / sizeof files[0], to) > 0 ? "\n" : "",
              to);
    }
    if (job->save_error.status != TAN_DONE && e->status != TAN_FAILED) {
        *e = job->save_error;
    }
    if (tan_cli_close_stdout(e) == 0 && !broken && !stop_requested()) {
        tan_cli_check_answer(e);
    }
    return e->status == TAN_DONE ? 0 : -1;
}

/* Describe the emulated machine in the environment. */
static void note_emulation(struct tan_json_writer *w, json_t *note, const struct job *job)
{
    const struct emulation *emulation = &job->plan.settings.emulation;
    const struct tan_params *far = &emulation->params[emulation->n_tiers - 1];
    tan_json_set_string(w, note, "machine", emulation->name);
    tan_json_set(w, note, "file", tan_json_text(job->options->emulate));
    tan_json_set_string(w, note, "method", tan_method_name(far->method));
    json_t *peaks = tan_json_set_array(w, note, "peaks");
    for (int i = 0; i < emulation->n_peaks; i++) {
        json_t *peak = tan_json_append_object(w, peaks);
        tan_json_set_real(w, peak, "share", emulation->peak[i].share);
        tan_json_set_real(w, peak, "mean_us", emulation->peak[i].mean * 1e6);
        tan_json_set_real(w, peak, "stddev_us", emulation->peak[i].stddev * 1e6);
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        tan_json_set_us_digits(w, note, tan_param_keys[p], far->value[p], TAN_JSON_DIGITS);
    }
}

static int read_racks(struct job *job, struct tan_error *e)
{
    const struct world *world = job->world;
    const char **names = calloc((size_t)world->size, sizeof *names);
    if (names == NULL) {
        return tan_fail_nomem(e);
    }
    for (int i = 0; i < world->size; i++) {
        names[world->peers[i].host_index] = world->peers[i].host;
    }
    const int result =
        tan_racks_read(job->options->calibration.racks, names, world->hosts, &job->racks, e);
    free(names);
    return result;
}

/* Describe the job, and read what was measured before. */
static int begin_job(struct job *job, struct tan_error *e)
{
    struct tan_json_writer w = {.failed = false};
    job->environment = environment_describe(job->world, &job->session.timer, job->options->argc,
                                            job->options->argv);
    if (job->environment != NULL && emulation_on(&job->plan.settings.emulation)) {
        note_emulation(&w, tan_json_set_object(&w, job->environment, "emulation"), job);
    }
    if (job->environment == NULL || w.failed) {
        return tan_fail_nomem(e);
    }
    job->results = (struct results){.plan = &job->plan,
                                    .machine = job->machine,
                                    .validates = job->options->command == COMMAND_VALIDATE,
                                    .environment = job->environment,
                                    .host_of = job->world->host_of,
                                    .wait = job->session.policy->name,
                                    .about = describe,
                                    .context = job,
                                    .queue_places = launch_queue_places()};
    doubt_ranks(job, &job->results.doubts);
    return check_fittable(job, e) < 0 ||
                   (job->options->calibration.racks != NULL && read_racks(job, e) < 0) ||
                   restore_results(job, e) < 0
               ? -1
               : 0;
}

/* Let all ranks leave the session. Fails if the user has sent a signal meanwhile. */
static int end_session(struct job *job, bool refused, struct tan_error *e)
{
    struct tan_error why = TAN_ERROR_INIT;
    if (session_end(&job->session, &why) == 0) {
        return 0;
    }
    tan_fail(e, "%.900s %s", why.text, progress_reached(job).text);
    if (!refused) {
        tan_error_print(e, "tanbench", stderr);
    }
    return -1;
}

/* The exit status after measuring and printing. */
static int conclude_job(const struct job *job)
{
    if (stop_requested()) {
        const int launches = (int)job->options->start.launches;
        fprintf(stderr, "tanbench: interrupted %s", progress_reached(job).text);
        if (launches > 1) {
            fprintf(stderr, " of launch %d of %d", launch_number() + 1, launches);
        }
        fputc('\n', stderr);
        return TAN_FAILED;
    }
    struct tan_doubts doubts = {.n = 0};
    doubt_waves(job, &doubts);
    const bool trusted = tan_doubts_trusted(&doubts);
    char *why = trusted ? NULL : tan_doubts_text(&doubts, TAN_DOUBT);
    if (why != NULL && !job->fitted) { /* otherwise among the machine file's doubts */
        fprintf(stderr, "tanbench: not trustworthy: %s\n", why);
    }
    free(why);
    tan_doubts_clear(&doubts);
    return trusted ? TAN_DONE : TAN_UNTRUSTED;
}

int rank0_run(struct job *job, struct tan_error *e)
{
    struct tan_error reporting = TAN_ERROR_INIT;
    const time_t begin = time(NULL);
    bool refused = begin_job(job, &reporting) != 0;
    bool broken = (!refused && measure_cells(job, e) < 0) || end_session(job, refused, e) < 0;
    bool last = broken || stop_requested() || job->unsaved ||
                launch_number() + 1 >= job->options->start.launches;
    if (refused || (last && report_results(job, broken, &reporting) < 0)) {
        tan_error_print(&reporting, "tanbench", stderr);
    }
    int status = broken    ? -1
                 : refused ? (int)reporting.status
                 : last    ? conclude_job(job)
                           : TAN_DONE;
    if ((status == TAN_DONE || status == TAN_UNTRUSTED) && reporting.status != TAN_DONE) {
        status = (int)reporting.status;
    }
    if (status != TAN_DONE && status != TAN_UNTRUSTED && !refused) {
        outputs_print_resume(job->options, begin);
    }
    return status;
}
