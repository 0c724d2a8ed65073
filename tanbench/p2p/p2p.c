/* p2p.c - the job of tanbench p2p, which measures single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/p2p.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/json.h"
#include "base/output.h"
#include "base/table.h"
#include "model/machine/machine.h"
#include "model/machine/p2p.h"
#include "page/report.h"
#include "tanbench/host/machine_file.h"
#include "tanbench/launch/launch.h"
#include "tanbench/p2p/calibrate.h"
#include "tanbench/p2p/report.h"
#include "tanbench/p2p/values.h"
#include "tanbench/ranks/environment.h"
#include "tanbench/ranks/world.h"
#include "tanbench/sampling/p2p_samples.h"

static const double us = 1e-6;

/* --- one-way times compared with a machine file's predictions --- */

struct p2p_comparison {
    const struct p2p_measurement *measured;
    const struct p2p_job *job;
    double *one_way;   /* per size, seconds; owned */
    double *predicted; /* per model and size, seconds; NaN if the file lacks a parameter; owned */
    struct p2p_errors errors[TAN_P2P_MODELS]; /* none of models that lack a size's parameters */
    int own;                                  /* the model plogp, the machine file's own table */
    /* Whether one-way times are those of the table, within 20 % on average. Otherwise errors are of
     * no model, and only those of plogp are shown. */
    bool repeats;
};

static double *model_predictions(const struct p2p_comparison *c, int model)
{
    return c->predicted + (size_t)model * c->measured->n_sizes;
}

static double relative_error(const struct p2p_comparison *c, int model, size_t i)
{
    return p2p_error(model_predictions(c, model)[i], c->one_way[i], c->one_way[i]);
}

static bool is_shown(const struct p2p_comparison *c, int model)
{
    return c->repeats || model == c->own;
}

/* All arguments are borrowed while `c` is in use. Always clear `c`. */
static int p2p_compare(struct p2p_comparison *c, const struct p2p_measurement *measured,
                       const struct p2p_job *job, struct tan_error *e)
{
    const double most = 0.2; /* beyond it, nothing is repeated */
    const size_t n = measured->n_sizes;
    *c = (struct p2p_comparison){
        .measured = measured,
        .job = job,
        .one_way = calloc(n, sizeof *c->one_way),
        .predicted = calloc(n * TAN_P2P_MODELS, sizeof *c->predicted),
        .own = (int)(tan_p2p_model_find("plogp") - tan_p2p_models),
    };
    if (c->one_way == NULL || c->predicted == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        c->one_way[i] = tan_p2p_one_way_time(measured, i);
    }
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        for (size_t i = 0; i < n; i++) {
            model_predictions(c, m)[i] =
                tan_p2p_models[m].predict(job->machine->messages, measured->size[i]).delivered;
            p2p_errors_add(&c->errors[m], relative_error(c, m, i));
        }
        if (c->errors[m].n < n) {
            c->errors[m] = (struct p2p_errors){.n = 0};
        }
    }
    c->repeats = !(c->errors[c->own].mean > most);
    return 0;
}

static void p2p_comparison_clear(struct p2p_comparison *c)
{
    free(c->one_way);
    free(c->predicted);
}

/* List the models that cannot predict, with the missing key of the machine file. */
static void print_left_out(const struct p2p_comparison *c, FILE *to)
{
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        const struct tan_p2p_model *model = &tan_p2p_models[m];
        const char *key = NULL;
        size_t i = 0;
        while (i < c->measured->n_sizes && (key = tan_p2p_lacks(c->job->machine->messages, model,
                                                                c->measured->size[i])) == NULL) {
            i++;
        }
        if (key != NULL) {
            fprintf(to, "Without %s: for %" PRId64 " B the machine file lacks %s\n", model->name,
                    c->measured->size[i], key);
        }
    }
}

static void p2p_comparison_print(const struct p2p_comparison *c, FILE *to)
{
    const char *headings[2 + TAN_P2P_MODELS] = {"bytes", "one-way us"};
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        headings[2 + m] = tan_p2p_models[m].name;
    }
    struct tan_table *table = tan_table_create(headings, 2 + TAN_P2P_MODELS);
    for (size_t i = 0; i < c->measured->n_sizes + 2; i++) {
        const bool summary = i >= c->measured->n_sizes; /* the mean, then the worst */
        const bool mean = i == c->measured->n_sizes;
        if (summary) {
            tan_table_cell(table, mean ? "mean" : "worst");
            tan_table_cell(table, "%s", "");
        } else {
            tan_table_cell(table, "%" PRId64, c->measured->size[i]);
            tan_table_cell(table, "%.4g", c->one_way[i] / us);
        }
        for (int m = 0; m < TAN_P2P_MODELS; m++) {
            if (c->errors[m].n == 0 || !is_shown(c, m)) {
                tan_table_cell(table, "%s", ""); /* a column that is hidden */
            } else if (summary) {
                tan_table_abs_error(table, mean ? c->errors[m].mean : c->errors[m].worst);
            } else {
                tan_table_error(table, relative_error(c, m, i));
            }
        }
    }
    tan_table_hide_empty(table);
    fprintf(to,
            "Predictions of %s (%s): predicted / measured - 1; mean and worst of the absolute "
            "errors;\n%s\n\n",
            c->job->machine->name, c->job->machine_path,
            c->repeats ? "fitted and plogp by lines and points of this machine, the others as "
                         "published"
                       : "plogp, the file's own table of measured times, is the repeatability");
    tan_table_print(table, to);
    if (c->repeats) {
        fputc('\n', to);
        tan_p2p_violations_print(c->job->machine->messages, to);
        print_left_out(c, to);
    }
    p2p_print_disturbed(c->measured, to);
}

static void append_size(struct tan_json_writer *w, json_t *sizes, const struct p2p_comparison *c,
                        size_t i)
{
    const struct p2p_measurement *m = c->measured;
    json_t *size = tan_json_append_object(w, sizes);
    tan_json_set_int(w, size, "bytes", m->size[i]);
    tan_json_set_int(w, size, "n", (json_int_t)m->passes[P2P_TRIPS]);
    p2p_set(w, size, "measured_us", c->one_way[i] / us);
    json_t *predicted = tan_json_set_object(w, size, "predicted_us");
    json_t *error = tan_json_set_object(w, size, "error");
    for (int k = 0; k < TAN_P2P_MODELS; k++) {
        if (is_shown(c, k)) {
            p2p_set(w, predicted, tan_p2p_models[k].name, model_predictions(c, k)[i] / us);
            p2p_set(w, error, tan_p2p_models[k].name, relative_error(c, k, i));
        }
    }
    p2p_samples_set(w, size, "half_us", m, i, TAN_P2P_TRIP);
    p2p_quiet_set(w, size, "half_quiet", m, i, P2P_TRIPS);
}

/* The results of a validation, `tan-p2p-validation/1`; NULL when memory is short. */
static json_t *validation_document(const struct p2p_comparison *c,
                                   const struct p2p_exchanges *exchanges, bool complete)
{
    struct tan_json_writer w = {.failed = false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-p2p-validation/1");
    json_t *machine = tan_json_set_object(&w, top, "machine");
    tan_json_set_string(&w, machine, "name", c->job->machine->name);
    tan_json_set_string(&w, machine, "file", c->job->machine_path);
    tan_json_set_bool(&w, machine, "disturbed", c->job->machine->messages->disturbed);
    tan_json_set(&w, top, "environment", json_incref(c->job->environment));
    tan_json_set_bool(&w, top, "disturbed", tan_p2p_disturbed(c->measured));
    p2p_set(&w, top, "quiet", tan_p2p_quiet_share(c->measured));
    tan_json_set_bool(&w, top, "repeats", c->repeats);
    json_t *sizes = tan_json_set_array(&w, top, "sizes");
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        append_size(&w, sizes, c, i);
    }
    json_t *models = tan_json_set_object(&w, top, "models");
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        if (is_shown(c, m)) {
            p2p_errors_set(&w, models, tan_p2p_models[m].name, &c->errors[m]);
        }
    }
    if (c->repeats) {
        tan_json_set(&w, top, "violations", tan_p2p_violations(c->job->machine->messages));
    }
    tan_json_set_bool(&w, top, "complete", complete);
    if (exchanges->n > 0) {
        p2p_exchanges_set(&w, top, exchanges);
    }
    return tan_json_finish(&w, top);
}

/* --- the job --- */

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
    return machine_file_save(job->machine, request->machine, trusted, "tan-design messages 8,1MiB",
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
        p2p_compare(&c, progress->trips, job, &unfitted) == 0) {
        document = validation_document(&c, &(struct p2p_exchanges){.n = 0}, false);
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
    printf("%s, messages between rank 0 on %s and rank %d on %s\n\n", environment_mpi().text,
           peers[0].host, link->partner, peers[link->partner].host);
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
    struct progress progress = {.job = job, .trips = &m};
    const struct p2p_keeper keeper = {keep_progress, &progress};
    struct tan_error saving = TAN_ERROR_INIT;
    const struct tan_p2p *known = job->machine->messages;
    int result = p2p_measure_trips(link, request, known, &keeper, &m, e);
    if (m.passes[P2P_TRIPS] < P2P_MIN_PASSES) {
        result = conclude(result, "too early for anything to keep", &saving, e);
        goto done;
    }
    if (p2p_compare(&c, &m, job, &saving) < 0) {
        *e = saving;
        result = -1;
        goto done;
    }
    if (result == 0 && c.repeats) {
        result = p2p_measure_exchanges(link, request, known, &exchanges, e);
    }
    if (!is_json_out(request)) {
        print_head(link);
        p2p_comparison_print(&c, stdout);
    }
    if (!is_json_out(request) && exchanges.n > 0) {
        p2p_exchanges_print(&exchanges, stdout);
    }
    if (*doubt == NULL && (tan_p2p_disturbed(&m) || known->disturbed)) {
        *doubt = "others used the cores, now or while the machine file was measured: these "
                 "errors are not the models'";
    } else if (*doubt == NULL && !c.repeats) {
        *doubt = "one-way times are more than 20 % off the machine file's own table of them "
                 "(plogp): the machine is not as it was, and nothing follows for any model";
    }
    deliver_document(request, validation_document(&c, &exchanges, result == 0), &saving);
    result = conclude(result, "what was measured until then is kept", &saving, e);

done:
    p2p_comparison_clear(&c);
    free(exchanges.row);
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
    if (e->status != TAN_DONE) {
        status = tan_error_print(e, "tanbench", stderr);
    }
    p2p_link_end(&link);
    if (status == TAN_DONE && doubt != NULL) {
        fprintf(stderr, "tanbench: not trustworthy: %s\n", doubt);
        status = TAN_UNTRUSTED;
    }
    p2p_link_close(&link);
    return status;
}
