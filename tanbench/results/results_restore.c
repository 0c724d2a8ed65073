/* results_restore.c - results of a run that did not finish, from their file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json.h"
#include "tanbench/plan/settings.h"

/* --- the file --- */

json_t *tan_restore_load(const char *path, struct tan_error *e)
{
    json_t *document = tan_json_load(path, e);
    const struct tan_json_at at = {.source = path, .path = "", .object = document};
    if (document != NULL && tan_json_schema(&at, "tan-results/1", e) < 0) {
        json_decref(document);
        document = NULL;
    }
    return document;
}

/* Refuse files that other users own or can write, since the command in them is executed. */
static int check_owner(const char *path, struct tan_error *e)
{
    struct stat s;
    if (stat(path, &s) < 0) {
        return tan_fail_errno(e, "cannot read %s", path);
    }
    if (!S_ISREG(s.st_mode)) {
        return tan_fail(e, "%s is not a regular file", path);
    }
    if (s.st_uid != geteuid()) {
        return tan_fail(e,
                        "%s belongs to another user, and tanbench resume runs the command in it: "
                        "read it, and make a copy of your own",
                        path);
    }
    return (s.st_mode & (S_IWGRP | S_IWOTH)) != 0
               ? tan_fail(e,
                          "%s can be written by others, and tanbench resume runs the command in "
                          "it: read it, then chmod go-w it",
                          path)
               : 0;
}

json_t *tan_restore_command(const char *path, struct tan_error *e)
{
    json_t *document = check_owner(path, e) == 0 ? tan_restore_load(path, e) : NULL;
    if (document == NULL) {
        return NULL;
    }
    json_t *command =
        json_incref(json_object_get(json_object_get(document, "environment"), "command"));
    bool words = json_array_size(command) > 0;
    for (size_t i = 0; i < json_array_size(command); i++) {
        words &= json_is_string(json_array_get(command, i));
    }
    json_decref(document);
    if (!words) {
        json_decref(command);
        tan_fail(e, "%s does not say which command began it: repeat that command", path);
        return NULL;
    }
    return command;
}

/* Number of parts of this launch in all complete cells. */
static int count_parts(const json_t *document, int launch)
{
    int n = 0;
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(document, "cells"), i, cell)
    {
        size_t k;
        json_t *part;
        json_array_foreach(json_object_get(cell, "launches"), k, part)
        {
            n += json_is_true(json_object_get(cell, "complete")) &&
                 json_integer_value(json_object_get(part, "launch")) == launch;
        }
    }
    return n;
}

int tan_restore_launches(const json_t *document, int visits)
{
    int complete = 0;
    while (count_parts(document, complete) >= visits) {
        complete++;
    }
    return complete;
}

/* --- the environment --- */

/* MPI's settings that affect communication: launchers set others differently in every run. */
static bool is_transport(const char *name)
{
    static const char *const prefixes[] = {"OMPI_MCA_", "UCX_", "MPICH_", "MPIR_CVAR_", "FI_"};
    bool known = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        known |= strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
    }
    return known && strcmp(name, "MPIR_CVAR_CH3_INTERFACE_HOSTNAME") != 0;
}

static void compare_key(const json_t *there, const json_t *here, const char *key, const char *path)
{
    const json_t *was = json_object_get(there, key);
    const json_t *is = json_object_get(here, key);
    if (was != is && json_equal(was, is) == 0) {
        fprintf(stderr, "tanbench: going on although %s is not as in %s\n", key, path);
    }
}

/* Name what differs and may change measurements. */
static void compare_environments(const json_t *there, const json_t *here, const char *path)
{
    static const char *const keys[] = {"version",   "mpi",      "job",         "kernel",
                                       "processor", "governor", "clocksource", "emulation"};
    json_t *settings = json_object_get(here, "mpi_settings");
    const json_t *before = json_object_get(there, "mpi_settings");
    const char *name;
    json_t *value;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        compare_key(there, here, keys[i], path);
    }
    json_object_foreach(settings, name, value)
    {
        if (is_transport(name)) {
            compare_key(before, settings, name, path);
        }
    }
}

/* --- cells --- */

/* Results to be filled. */
struct filling {
    struct results *results;
    const json_t *settings; /* keys of cells that the present plan's settings have */
};

/* The plan's cell that this one is of; -1 with an error if there is none, or it was found before.
 */
static int find_cell(const struct tan_json_at *at, const struct results *r, struct tan_error *e)
{
    const char *spec;
    if (tan_json_required(at, "topo", tan_json_string(at, "topo", &spec, e), e) < 0) {
        return -1;
    }
    for (int i = 0; i < r->plan->n_cells; i++) {
        const struct cell *cell = &r->plan->cells[i];
        const struct {
            const char *key;
            int64_t value;
        } rows[] = {{"processes", cell->processes},
                    {"height", cell->height},
                    {"max_fanout", cell->max_fanout},
                    {"bytes", cell->bytes}};
        bool same = strcmp(cell->spec, spec) == 0 && tan_results_at(r, cell->order) == NULL;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            same &= json_integer_value(json_object_get(at->object, rows[k].key)) == rows[k].value;
        }
        if (same) {
            return i;
        }
    }
    return tan_fail(e, "%s is of another run: its command does not measure %s of %s", at->source,
                    at->path, spec);
}

static int check_settings(const struct tan_json_at *at, const json_t *settings, struct tan_error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)settings, key, value)
    {
        if (json_equal(json_object_get(at->object, key), value) == 0) {
            return tan_fail(e, "%s is of another run: its command has another %s than %s",
                            at->source, key, at->path);
        }
    }
    return 0;
}

/* Read the round trips, `n` numbers above 0. *seconds is owned by the caller, maybe set even after
 * a failure. */
static int read_samples(const struct tan_json_at *at, double **seconds, size_t n,
                        struct tan_error *e)
{
    const char *key = "samples_us";
    const json_t *array;
    if (tan_json_required(at, key, tan_json_array(at, key, &array, e), e) < 0) {
        return -1;
    }
    if (json_array_size(array) != n) {
        return tan_fail(e, "%s: %s: %s must hold %zu numbers", at->source, at->path, key, n);
    }
    *seconds = malloc((n + 1) * sizeof **seconds);
    if (*seconds == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(array, i);
        (*seconds)[i] = json_number_value(value) / 1e6;
        if (!json_is_number(value) || !(json_number_value(value) > 0)) {
            return tan_fail(e, "%s: %s: %s[%zu] is not a time", at->source, at->path, key, i);
        }
    }
    return 0;
}

static int read_reason(const struct tan_json_at *at, enum stop_reason *reason, struct tan_error *e)
{
    const char *name;
    int found = 0;
    if (tan_json_required(at, "stopped", tan_json_string(at, "stopped", &name, e), e) < 0) {
        return -1;
    }
    while (found < STOP_REASONS && strcmp(tan_stop_reason_names[found], name) != 0) {
        found++;
    }
    *reason = (enum stop_reason)found;
    return found < STOP_REASONS
               ? 0
               : tan_fail(e, "%s: %s: stopped: \"%s\" is not known", at->source, at->path, name);
}

struct parts {
    struct part *list;
    int n;
};

static int read_part(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    struct parts *parts = to;
    struct part part = {.complete = true};
    int64_t launch;
    int64_t pass;
    int64_t waves;
    if (tan_json_required(row, "launch", tan_json_int(row, "launch", 0, INT32_MAX, &launch, e), e) <
            0 ||
        tan_json_required(row, "pass", tan_json_int(row, "pass", 0, MAX_PASSES - 1, &pass, e), e) <
            0 ||
        tan_json_required(row, "waves", tan_json_int(row, "waves", 1, INT64_MAX, &waves, e), e) <
            0 ||
        tan_json_int(row, "excluded", 0, INT64_MAX, &part.excluded, e) < 0 ||
        tan_json_bool(row, "disturbed", &part.disturbed, e) < 0 ||
        read_reason(row, &part.stopped, e) < 0) {
        return -1;
    }
    part.launch = (int)launch;
    part.pass = (int)pass;
    part.n = (size_t)waves;
    if (TAN_ONE_MORE(parts->list, parts->n) < 0) {
        return tan_fail_nomem(e);
    }
    parts->list[parts->n++] = part;
    return 0;
}

static int read_parts(const struct tan_json_at *at, const struct measurement *m,
                      struct parts *parts, struct tan_error *e)
{
    size_t n = 0;
    const int found = tan_json_rows(at, "launches", SIZE_MAX, read_part, parts, e);
    for (int i = 0; i < parts->n; i++) {
        n += parts->list[i].n;
    }
    return found < 0   ? -1
           : n == m->n ? 0
                       : tan_fail(e, "%s: %s: n is not the sum of the waves of its launches",
                                  at->source, at->path);
}

static int read_measurement(const struct tan_json_at *at, struct measurement *m,
                            struct parts *parts, struct tan_error *e)
{
    int64_t n;
    if (tan_json_required(at, "n", tan_json_int(at, "n", 1, INT64_MAX, &n, e), e) < 0 ||
        tan_json_required(at, "batch", tan_json_int(at, "batch", 1, INT64_MAX, &m->batch, e), e) <
            0 ||
        tan_json_required(at, "warmup", tan_json_int(at, "warmup", 0, INT64_MAX, &m->warmup, e),
                          e) < 0 ||
        tan_json_real(at, "period_us", 0, INFINITY, &m->period, e) < 0 ||
        read_reason(at, &m->stopped, e) < 0) {
        return -1;
    }
    m->n = (size_t)n;
    m->period /= 1e6;
    return read_samples(at, &m->round_trips, m->n, e) < 0 || read_parts(at, m, parts, e) < 0 ? -1
                                                                                             : 0;
}

static int read_cell(const struct tan_json_at *row, void *to, struct tan_error *e)
{
    const struct filling *f = to;
    struct measurement m = {.n = 0};
    struct parts parts = {.n = 0};
    bool complete = false;
    if (tan_json_bool(row, "complete", &complete, e) < 0) {
        return -1;
    }
    if (!complete) {
        return 0;
    }
    const int index = find_cell(row, f->results, e);
    if (index < 0 || check_settings(row, f->settings, e) < 0 ||
        read_measurement(row, &m, &parts, e) < 0) {
        tan_measurement_clear(&m);
        free(parts.list);
        return -1;
    }
    return tan_results_put(f->results, index, &m, parts.list, parts.n, e);
}

int tan_restore_results(struct results *r, const json_t *document, const char *path,
                        struct tan_error *e)
{
    const struct tan_json_at at = {.source = path, .path = "", .object = document};
    struct tan_json_writer w = {.failed = false};
    json_t *settings = tan_json_new_object(&w);
    tan_settings_write(&w, settings, &r->plan->settings);
    struct filling filling = {r, settings};
    compare_environments(json_object_get(document, "environment"), r->environment, path);
    const int result = w.failed ? tan_fail_nomem(e)
                                : tan_json_rows(&at, "cells", SIZE_MAX, read_cell, &filling, e);
    json_decref(settings);
    return result < 0 ? -1 : 0;
}
