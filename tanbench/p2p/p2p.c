/* p2p.c - the job of tanbench p2p, which measures single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/p2p.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/json.h"
#include "base/output.h"
#include "page/report.h"
#include "tanbench/host/machine_file.h"
#include "tanbench/launch/launch.h"
#include "tanbench/p2p/calibrate.h"
#include "tanbench/p2p/compare.h"
#include "tanbench/ranks/environment.h"
#include "tanbench/ranks/watch.h"
#include "tanbench/ranks/world.h"

struct tan_machine *p2p_machine(const struct p2p_request *request, int ranks, char **path,
                                struct tan_error *e)
{
    struct tan_machine *machine = NULL;
    char host[64] = "this host";
    *path = NULL;
    if (ranks < 2) {
        tan_fail_usage(e, "messages need two ranks: start it with -n 2, or run tanbench without a "
                          "launcher");
        return NULL;
    }
    if (request->validate != NULL) {
        machine = tan_machine_load(request->validate, e);
        if (machine != NULL && machine->messages == NULL) {
            tan_fail_at(e, request->validate, 0, 0,
                        "it has no p2p block to validate: tanbench p2p calibrate FILE makes one");
            tan_machine_destroy(machine);
            return NULL;
        }
        *path = strdup(request->validate);
        return machine;
    }
    if (request->calibrate) {
        *path =
            request->machine != NULL ? strdup(request->machine) : tan_machine_user_path(true, e);
        if (*path == NULL) {
            tan_fail_nomem(e);
            return NULL;
        }
    }
    struct stat file;
    if (*path != NULL && stat(*path, &file) == 0 && file.st_size > 0) {
        return tan_machine_load(*path, e);
    }
    gethostname(host, sizeof host - 1);
    machine = tan_machine_create(request->name != NULL ? request->name : host, e);
    if (machine != NULL) {
        machine->tan_known = false;
        machine->tan.derived = true;
    }
    return machine;
}

/* Whether stdout is reserved for JSON. */
static bool is_json_out(const struct p2p_request *request)
{
    return tan_output_is_stdout(request->json);
}

/* Save the block in the machine file; consumes the reference. */
static int save_machine(struct p2p_job *job, json_t *block, bool trusted, struct tan_error *e)
{
    const struct p2p_request *request = job->request;
    if (block == NULL || json_object_set(block, "environment", job->environment) < 0) {
        json_decref(block);
        return tan_fail_nomem(e);
    }
    if (tan_machine_set_p2p(job->machine, block, e) < 0) {
        return -1;
    }
    return machine_file_save(job->machine, request->machine, trusted,
                             is_json_out(request) ? stderr : stdout, e);
}

/* Write JSON and the report page, as far as they are wanted; consumes the reference. */
static int deliver_document(const struct p2p_request *request, json_t *document,
                            struct tan_error *e)
{
    if (document != NULL && request->json != NULL &&
        tan_json_save(request->json, document, e) < 0) {
        tan_json_rescue(document, e);
        json_decref(document);
        return -1;
    }
    return tan_report_deliver(NULL, request->report, document, e);
}

/* The results of a calibration; NULL when memory is short. */
static json_t *calibration_document(const struct p2p_job *job, const struct p2p_findings *found,
                                    bool complete)
{
    struct tan_json_writer w = {.failed = false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-p2p-results/1");
    tan_json_set(&w, top, "environment", json_incref(job->environment));
    tan_json_set_bool(&w, top, "complete", complete);
    p2p_findings_set(&w, top, found);
    return tan_json_finish(&w, top);
}

/* What a measurement has found so far; one of the last two. */
struct progress {
    struct p2p_job *job;
    struct p2p_findings *found;
    struct p2p_measurement *trips; /* of a validation */
};

/* The same of a validation. */
static json_t *validation_document(const struct p2p_comparison *c,
                                   const struct p2p_exchanges *exchanges,
                                   const struct p2p_vector_trips *vectors, bool complete)
{
    struct tan_json_writer w = {.failed = false};
    json_t *top = p2p_comparison_json(&w, c);
    tan_json_set_bool(&w, top, "complete", complete);
    if (exchanges->n > 0) {
        p2p_exchanges_set(&w, top, exchanges);
    }
    if (vectors->n > 0) {
        p2p_vector_trips_set(&w, top, vectors);
    }
    return tan_json_finish(&w, top);
}

static json_t *progress_document(const struct progress *progress)
{
    struct p2p_job *job = progress->job;
    struct tan_error unfitted = TAN_ERROR_INIT;
    json_t *document = NULL;
    if (progress->found != NULL) {
        return p2p_findings_fit(progress->found, job->request->seed, &unfitted) < 0
                   ? NULL
                   : calibration_document(job, progress->found, false);
    }
    struct p2p_comparison c = {.one_way = NULL};
    if (progress->trips->passes[P2P_TRIPS] >= P2P_MIN_PASSES &&
        p2p_compare(&c, progress->trips, job->machine, job->machine_path, job->environment,
                    &unfitted) == 0) {
        document = validation_document(&c, &(struct p2p_exchanges){.n = 0},
                                       &(struct p2p_vector_trips){.n = 0}, false);
    }
    p2p_comparison_clear(&c);
    return document;
}

/* Write the results so far, in case that a rank is killed; who starts the ranks then says that. */
static void keep_progress(void *context)
{
    const struct progress *progress = context;
    const char *path = progress->job->request->json;
    struct tan_error unwritten = TAN_ERROR_INIT;
    char text[512];
    json_t *document =
        path == NULL || tan_output_is_stdout(path) ? NULL : progress_document(progress);
    if (document != NULL && tan_json_save(path, document, &unwritten) == 0) {
        snprintf(text, sizeof text, "messages; %.400s has what was measured before", path);
        launch_report_cell(text);
    }
    json_decref(document);
}

static void print_head(const struct p2p_link *link)
{
    const struct peer *peers = link->world->peers;
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    environment_mpi(mpi, sizeof mpi);
    printf("%s, messages between rank 0 on %s and rank %d on %s\n\n", mpi, peers[0].host,
           link->partner, peers[link->partner].host);
}

/* The error of a measurement that broke off says what is kept of it; print why it is not. One that
 * did not fails where its results could not be saved. */
static int conclude(int result, const char *kept, const struct tan_error *saving,
                    struct tan_error *e)
{
    if (result == 0) {
        *e = *saving;
        return saving->status == TAN_DONE ? 0 : -1;
    }
    const struct tan_error why = *e;
    *e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail(e, "%.900s: %s", why.text, kept);
    if (saving->status != TAN_DONE) {
        tan_error_print(saving, "tanbench", stderr);
    }
    return -1;
}

static int calibrate_link(struct p2p_job *job, struct p2p_link *link, const char **doubt,
                          struct tan_error *e)
{
    const struct p2p_request *request = job->request;
    struct p2p_findings found;
    struct progress progress = {.job = job, .found = &found};
    const struct p2p_keeper keeper = {keep_progress, &progress};
    struct tan_error saving = TAN_ERROR_INIT;
    int result = p2p_calibrate(link, request, &keeper, &found, e);
    const bool whole = found.measured.passes[P2P_CALLS] >= P2P_MIN_PASSES;
    const char *kept = whole                ? "what was measured until then is kept"
                       : request->calibrate ? "one-way times alone were measured until then, too "
                                              "little for a machine file"
                                            : "one-way times alone were measured until then";
    if (found.p2p == NULL) {
        result = conclude(result, "too early for anything to keep", &saving, e);
    } else {
        if (*doubt == NULL && found.p2p->disturbed) {
            *doubt = "others used the cores in most of the samples";
        }
        if (!is_json_out(request)) {
            print_head(link);
            p2p_print(&found, stdout);
        }
        json_t *document = calibration_document(job, &found, result == 0);
        json_t *block = json_copy(json_object_get(document, "p2p"));
        deliver_document(request, document, &saving);
        if (request->calibrate && whole && block != NULL) {
            save_machine(job, json_incref(block), *doubt == NULL, &saving);
        }
        json_decref(block);
        result = conclude(result, kept, &saving, e);
    }
    p2p_findings_clear(&found);
    return result;
}

static int validate_machine(struct p2p_job *job, struct p2p_link *link, const char **doubt,
                            struct tan_error *e)
{
    const struct p2p_request *request = job->request;
    struct p2p_measurement m;
    struct p2p_comparison c = {.one_way = NULL};
    struct p2p_exchanges exchanges = {.n = 0};
    struct p2p_vector_trips vectors = {.n = 0};
    struct progress progress = {.job = job, .trips = &m};
    const struct p2p_keeper keeper = {keep_progress, &progress};
    struct tan_error saving = TAN_ERROR_INIT;
    const json_t *datatypes = json_object_get(job->machine->p2p, "datatypes");
    const struct tan_p2p *known = job->machine->messages;
    int result = p2p_measure_trips(link, request, known, &keeper, &m, e);
    if (m.passes[P2P_TRIPS] < P2P_MIN_PASSES) {
        result = conclude(result, "too early for anything to keep", &saving, e);
        goto done;
    }
    if (p2p_compare(&c, &m, job->machine, job->machine_path, job->environment, &saving) < 0) {
        *e = saving;
        result = -1;
        goto done;
    }
    if (result == 0 && c.repeats) {
        result = p2p_measure_exchanges(link, request, known, &exchanges, e) < 0 ||
                         p2p_measure_vectors(link, request, known, datatypes, &vectors, e) < 0
                     ? -1
                     : 0;
    }
    if (!is_json_out(request)) {
        print_head(link);
        p2p_comparison_print(&c, stdout);
    }
    if (!is_json_out(request) && exchanges.n > 0) {
        p2p_exchanges_print(&exchanges, stdout);
    }
    if (!is_json_out(request) && vectors.n > 0) {
        p2p_vector_trips_print(&vectors, stdout);
    }
    if (*doubt == NULL && p2p_comparison_disturbed(&c)) {
        *doubt = "others used the cores, now or while the machine file was measured: these "
                 "errors are not the models'";
    } else if (*doubt == NULL && !c.repeats) {
        *doubt = "one-way times are more than 20 % off the machine file's own table of them "
                 "(plogp): the machine is not as it was, and nothing follows for any model";
    }
    deliver_document(request, validation_document(&c, &exchanges, &vectors, result == 0), &saving);
    result = conclude(result, "what was measured until then is kept", &saving, e);

done:
    p2p_comparison_clear(&c);
    p2p_exchanges_clear(&exchanges);
    p2p_vector_trips_clear(&vectors);
    tan_p2p_measurement_clear(&m);
    return result;
}

/* Rank 0's work with its partner. *doubt: reason not to trust the results, or NULL. */
static int run_with_partner(struct p2p_job *job, struct p2p_link *link, const char **doubt,
                            struct tan_error *e)
{
    const struct world *world = job->world;
    const int partner = placement_partner(world);
    if (world->oversubscribed && placement_share_cores(world, 0, partner)) {
        *doubt = "two ranks share a core";
    }
    p2p_link_pair(link, partner);
    const int result = job->request->validate != NULL ? validate_machine(job, link, doubt, e)
                                                      : calibrate_link(job, link, doubt, e);
    fflush(stdout); /* a launcher may end this rank soon */
    p2p_link_release(link);
    return result;
}

int p2p_run(struct p2p_job *job, int argc, char **argv, struct tan_error *e)
{
    const struct p2p_request *request = job->request;
    struct p2p_link link;
    const char *doubt = NULL;
    int status = TAN_DONE;
    if (p2p_link_open(&link, job->world, p2p_room(request), e) < 0) {
        tan_error_print(e, "tanbench", stderr);
        return -1;
    }
    if (job->world->rank != 0) {
        p2p_link_serve(&link);
        p2p_link_close(&link);
        return TAN_DONE;
    }
    const struct timer timer = tan_timer_calibrate();
    job->environment = environment_describe(job->world, &timer, argc, argv);
    if (job->environment == NULL) {
        tan_fail_nomem(e);
        tan_error_print(e, "tanbench", stderr);
        return -1;
    }
    launch_report_cell("messages");
    const int result = run_with_partner(job, &link, &doubt, e);
    if (result == 0 && tan_cli_close_stdout(e) == 0) {
        tan_cli_check_answer(e);
    }
    const bool death = watch_death(job->world);
    if (e->status != TAN_DONE) {
        status = tan_error_print(e, "tanbench", stderr);
    }
    if (result < 0 && death) {
        return -1;
    }
    p2p_link_end(&link);
    if (status == TAN_DONE && doubt != NULL) {
        fprintf(stderr, "tanbench: not trustworthy: %s\n", doubt);
        status = TAN_UNTRUSTED;
    }
    p2p_link_close(&link);
    return status;
}
