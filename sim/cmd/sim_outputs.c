/* sim_outputs.c - output of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/output.h"
#include "base/reply.h"
#include "sim/goal/goal.h"
#include "sim/view/timeline.h"

static int write_file(const char *path, const struct run *r,
                      int (*write)(const struct run *r, FILE *to, struct tan_error *e),
                      struct tan_error *e)
{
    struct tan_output *output = tan_output_open(path, e);
    if (output == NULL) {
        return -1;
    }
    if (write(r, tan_output_stream(output), e) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, e);
}

static int write_goal_text(const struct run *r, FILE *to, struct tan_error *e)
{
    (void)e;
    tan_goal_write_text(r->schedule, to);
    return 0;
}

static struct tan_trace_runs runs_of(const struct run *r)
{
    const bool known = r->c->settings.n > 0 && isfinite(r->report.change.unchanged);
    return (struct tan_trace_runs){.simulation = &r->simulation,
                                   .changed = r->c->settings.n > 0,
                                   .unchanged = known ? &r->unchanged.simulation : NULL};
}

/* Names of the schedule's phases, from 1 to *n, to be freed; NULL if there are none, or memory is
 * short. */
static const char **phase_names(const struct run *r, size_t *n)
{
    const struct tan_trace *t = r->c->source.traced != NULL ? &r->trace : NULL;
    *n = t != NULL ? TAN_TRACE_COMPUTATION : 0;
    for (size_t i = 0; t != NULL && i < t->n_calls; i++) {
        *n = t->call[i].phase > *n ? t->call[i].phase : *n;
    }
    const char **names = *n > 0 ? calloc(*n, sizeof *names) : NULL;
    if (names == NULL) {
        *n = 0;
        return NULL;
    }
    names[TAN_TRACE_COMPUTATION - 1] = "computation";
    for (size_t i = 0; i < t->n_calls; i++) {
        names[t->call[i].phase - 1] = t->call[i].name;
    }
    return names;
}

static bool wants_shares(const struct run *r)
{
    return r->shares.n_calls > 0 && (r->c->critical_path || r->c->n_sensitivity > 0);
}

static void print_shares(const struct run *r, FILE *to)
{
    size_t n;
    const char **names = phase_names(r, &n);
    if (r->unchanged.shares.n_calls > 0) {
        fputc('\n', to);
        tan_path_added_print(&r->shares, &r->unchanged.shares, names, n, to);
    }
    if (wants_shares(r)) {
        fputc('\n', to);
        tan_path_shares_print(&r->shares, names, n, to);
    }
    free(names);
}

static void set_shares(struct tan_json_writer *w, json_t *document, const struct run *r)
{
    size_t n;
    const char **names = phase_names(r, &n);
    if (r->unchanged.shares.n_calls > 0) {
        json_t *change = json_object_get(document, "change");
        tan_path_added_json(w, tan_json_set_array(w, change, "added"), &r->shares,
                            &r->unchanged.shares, names, n);
    }
    if (wants_shares(r)) {
        tan_path_shares_json(w, tan_json_set_object(w, document, "path_shares"), &r->shares, names,
                             n);
    }
    free(names);
}

static void add_column(struct tan_json_writer *w, json_t *answer, const char *key,
                       const char *label, const char *kind)
{
    json_t *column = tan_json_append_object(w, json_object_get(answer, "columns"));
    tan_json_set_string(w, column, "key", key);
    tan_json_set_string(w, column, "label", label);
    tan_json_set_string(w, column, "kind", kind);
}

enum { LISTED = 5 }; /* calls */

/* The longest calls. */
static void list_calls(struct tan_json_writer *w, const json_t *program, json_t *answer, bool set)
{
    const json_t *calls = json_object_get(program, "calls");
    add_column(w, answer, "name", "in all ranks", "text");
    add_column(w, answer, "calls", "calls", "number");
    add_column(w, answer, "traced_us", "traced", "us");
    add_column(w, answer, "unchanged_us", "simulated", "us");
    add_column(w, answer, "simulated_us", set ? "with --set" : "simulated", "us");
    for (size_t i = 0; i < json_array_size(calls) && i < LISTED; i++) {
        tan_json_append(w, json_object_get(answer, "rows"), json_incref(json_array_get(calls, i)));
    }
}

/* The calls with the longest parts of the critical path. */
static void list_shares(struct tan_json_writer *w, const json_t *calls, json_t *answer)
{
    add_column(w, answer, "name", "on the critical path", "text");
    add_column(w, answer, "us", "time", "us");
    add_column(w, answer, "share", "share", "share");
    for (size_t i = 0; i < json_array_size(calls) && i < LISTED; i++) {
        json_t *row = json_copy(json_array_get(calls, i));
        tan_json_append(w, json_object_get(answer, "rows"), row);
        tan_json_set_real(w, row, "us", json_number_value(json_object_get(row, "time_ns")) / 1e3);
    }
}

/* With how much more of each cost the run is so much longer. */
static void list_costs(struct tan_json_writer *w, const struct run *r, json_t *answer, bool set)
{
    add_column(w, answer, "cost", set ? "beyond --set" : "more of", "text");
    for (int i = 0; i < TAN_TOLERANCES; i++) {
        const double share = r->response[0].tolerance[i].share;
        add_column(w, answer, tan_printed("%d", i).text,
                   tan_printed("%g %% longer", 100.0 * share).text, "number");
    }
    add_column(w, answer, "path", "on the critical path", "number");
    for (size_t i = 0; i < r->c->n_sensitivity; i++) {
        tan_response_say(w, answer, &r->response[i]);
    }
}

static void set_responses(struct tan_json_writer *w, json_t *array, const struct run *r)
{
    for (size_t i = 0; i < r->c->n_sensitivity; i++) {
        json_t *response = tan_json_append_object(w, array);
        tan_response_json(w, response, &r->response[i]);
        tan_json_set_true(w, response, "beyond_set", r->c->settings.n > 0);
    }
}

/* `tan-sim/1`, whose reference the caller owns; NULL if memory is short. */
static json_t *document_of(const struct run *r)
{
    const bool set = r->c->settings.n > 0;
    json_t *document = tan_sim_report_json(&r->report);
    json_t *answer = json_object_get(document, "answer");
    json_t *program = NULL;
    struct tan_json_writer w = {.failed = document == NULL};
    if (run_has_traced(r)) {
        const struct tan_trace_runs runs = runs_of(r);
        program = tan_json_set_object(&w, document, "program");
        tan_trace_set_json(&w, program, &r->trace, &runs, r->outcomes.list, r->outcomes.n);
    }
    set_shares(&w, document, r);
    if (r->report.table && r->report.stuck == NULL) {
        tan_json_set_array(&w, answer, "columns");
        tan_json_set_array(&w, answer, "rows");
        tan_reply_say(&w, answer, TAN_PART_NEXT, "Next: --details prints all of the report.");
        if (r->report.path != NULL) {
            tan_critical_path_say(&w, answer, &r->path, r->schedule);
        }
        if (r->c->n_sensitivity > 0) {
            set_responses(&w, tan_json_set_array(&w, document, "sensitivity"), r);
            list_costs(&w, r, answer, set);
        } else if (r->report.path != NULL) {
            list_shares(&w, json_object_get(json_object_get(document, "path_shares"), "calls"),
                        answer);
        } else {
            list_calls(&w, program, answer, set);
        }
    }
    return tan_json_finish(&w, document);
}

static int write_trace(const struct run *r, FILE *to, struct tan_error *e)
{
    const struct tan_timeline t = {
        .title = r->report.source,
        .schedule = r->schedule,
        .params = &r->params,
        .simulation = &r->simulation,
        .critical = r->path.n_steps > 0 ? &r->path : NULL,
    };
    return tan_timeline_chrome(&t, to, e);
}

int run_convert(const struct run *r, struct tan_error *e)
{
    return write_file(r->c->output.converted, r, write_goal_text, e);
}

static void print_report(const struct run *r, FILE *to)
{
    tan_sim_report_print(&r->report, to);
    if (run_has_traced(r)) {
        const struct tan_trace_runs runs = runs_of(r);
        tan_trace_print(&r->trace, &runs, r->outcomes.list, r->outcomes.n, to);
    }
    for (size_t i = 0; i < r->c->n_sensitivity; i++) {
        fputs(r->c->settings.n > 0 ? "\nBeyond the change by --set:\n" : "\n", to);
        tan_response_print(&r->response[i], to);
    }
    print_shares(r, to);
    if (r->report.path != NULL) {
        fputc('\n', to);
        tan_critical_path_print(&r->path, r->schedule, r->c->details ? SIZE_MAX : TAN_SIM_LISTED,
                                to);
    }
}

int run_write_results(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const bool quiet =
        tan_output_is_stdout(c->output.json) || tan_output_is_stdout(c->output.trace);
    const bool several = r->report.path != NULL && c->n_sensitivity > 0; /* tables */
    const bool screen = r->report.table && !c->details && !several && !quiet;
    json_t *document = screen || c->output.json != NULL ? document_of(r) : NULL;
    if (c->compatible && !quiet) {
        tan_compatible_print(r->schedule, &r->params, &r->simulation, &r->compatible, stdout);
    } else if (r->report.stuck == NULL && screen) {
        tan_reply_print(json_object_get(document, "answer"), false, stdout);
    } else if (r->report.stuck == NULL && !quiet) {
        print_report(r, stdout);
    }
    if (c->output.json == NULL) {
        json_decref(document);
    } else if (tan_json_save_new(c->output.json, document, e) < 0) {
        return -1;
    }
    if (c->output.trace != NULL && write_file(c->output.trace, r, write_trace, e) < 0) {
        return -1;
    }
    if (r->report.stuck != NULL) {
        if (!c->compatible) { /* --compatible has printed it on stdout */
            tan_sim_report_stuck(&r->report, stderr);
        }
        return tan_fail(e, "%s: %s", r->report.source,
                        tan_sim_stuck_text(&r->simulation, &r->stuck).text);
    }
    return 0;
}
