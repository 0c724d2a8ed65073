/* sim_compare.c - comparison of schedules: algorithms of a collective operation, and trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-sim/sim_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/output.h"
#include "base/units.h"
#include "report/page/report.h"
#include "sim/schedule/patterns.h"
#include "sim/sensitivity/cost_map.h"
#include "sim/sensitivity/lowered.h"
#include "sim/view/collective_report.h"

int run_compare_algorithms(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    struct tan_contest contest = {.collective = c->pattern, .bytes = (int64_t)run_bytes(r)};
    const struct tan_link between = r->params.between;
    const struct tan_link within = r->params.within;
    for (const struct tan_algorithm *a = c->algorithms;
         a->collective != NULL && strcmp(a->collective, c->algorithms->collective) == 0; a++) {
        struct tan_contestant *row = &contest.row[contest.n++];
        snprintf(row->pattern, sizeof row->pattern, "%s%.32s", a->pattern, strchr(c->pattern, ':'));
        r->pattern = row->pattern;
        bool fits;
        row->operations = tan_pattern_operations(r->pattern, &fits, e);
        if (row->operations < 0) {
            return -1;
        }
        if (!fits) {
            continue;
        }
        run_clear_schedule(r);
        r->params.between = between; /* before --set, which applies to each */
        r->params.within = within;
        if (run_make_schedule(r, e) < 0 || run_simulate(r, e) < 0) {
            return -1;
        }
        row->simulated = true;
        row->finish = r->simulation.finish;
    }
    tan_contest_sort(&contest);
    if (!contest.row[0].simulated) {
        char most[32];
        return tan_fail(e, "every algorithm of %s may take more memory than the %s of --max-memory",
                        c->pattern, tan_format_size(c->max_memory, most, sizeof most));
    }
    /* of the sizes that algorithms send, the report shows the requested one */
    const struct tan_sized_link asked = {(uint64_t)contest.bytes, r->params.between,
                                         r->params.within};
    if (r->params.n_sizes > 0) {
        r->params.sizes = &asked;
        r->params.n_sizes = 1;
    }
    if (!tan_output_is_stdout(c->json)) {
        tan_contest_print(&contest, &r->report, stdout);
    }
    return run_wants_document(c)
               ? tan_report_deliver(c->json, c->report, tan_contest_json(&contest, &r->report),
                                    NULL, e)
               : 0;
}

/* Several schedules that are compared by their costs. */
struct rivals {
    char pattern[TAN_CONTESTANTS][64]; /* of a collective operation */
    const char *name[TAN_RIVALS];
    size_t n;
    const char *left_out[TAN_RIVALS]; /* may take too much memory */
    size_t n_left_out;
    struct tan_cost_map map[TAN_COSTS]; /* in the order of --sensitivity */
    double more[TAN_COSTS];             /* what is added to the present costs at most; likewise */
    struct tan_link within, between;    /* of the present size, without --set */
};

static int add_rival(struct rivals *v, const struct run *r, const char *name, struct tan_error *e)
{
    bool fits = true;
    if (r->c->topo == NULL && tan_pattern_operations(name, &fits, e) < 0) {
        return -1;
    }
    if (fits) {
        v->name[v->n++] = name;
    } else {
        v->left_out[v->n_left_out++] = name;
    }
    return 0;
}

static int add_algorithms(struct rivals *v, const struct run *r, struct tan_error *e)
{
    const struct tan_algorithm *first = r->c->algorithms;
    const char *ranks = strchr(r->c->pattern, ':');
    for (size_t i = 0;
         first[i].collective != NULL && strcmp(first[i].collective, first->collective) == 0; i++) {
        snprintf(v->pattern[i], sizeof v->pattern[i], "%s%.32s", first[i].pattern, ranks);
        if (add_rival(v, r, v->pattern[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int find_rivals(struct rivals *v, const struct run *r, struct tan_error *e)
{
    const struct tan_sim_values *given = r->c->topo != NULL ? &r->c->topos : &r->c->patterns;
    char most[32];
    if (r->c->algorithms != NULL && add_algorithms(v, r, e) < 0) {
        return -1;
    }
    for (size_t i = 0; r->c->algorithms == NULL && i < given->n; i++) {
        if (add_rival(v, r, given->text[i], e) < 0) {
            return -1;
        }
    }
    return v->n > 0
               ? 0
               : tan_fail(e, "every algorithm may take more memory than the %s of --max-memory",
                          tan_format_size(r->c->max_memory, most, sizeof most));
}

/* Make the schedule of one of them, with the costs of its messages. */
static int make_rival(struct rivals *v, struct run *r, size_t i, struct tan_error *e)
{
    *(r->c->topo != NULL ? &r->topo : &r->pattern) = v->name[i];
    run_clear_schedule(r);
    r->params.between = v->between;
    r->params.within = v->within;
    return run_make_schedule(r, e) < 0 ? -1 : run_map_ranks(r, e);
}

/* Simulations for each function, unless given: as many for all together as simulate so many
 * operations. */
static size_t simulations_of(const struct rivals *v, const struct run *r)
{
    enum { LEAST = 12, MOST = 2000 };
    const double operations = 1 << 25;
    const double functions = (double)(v->n * v->map[0].n_rows * r->c->n_sensitivity);
    const double each = operations / ((double)r->schedule->n_ops + 1.0) / functions;
    return r->c->max_simulations > 0 ? (size_t)r->c->max_simulations
                                     : (size_t)fmin(fmax(each, LEAST), MOST);
}

static int64_t bytes_of(const struct run *r)
{
    return r->c->model == TAN_SIM_TAN && r->bytes < 0 ? r->machine->tan.bytes
                                                      : (int64_t)run_bytes(r);
}

/* The present costs of messages of this size, and the least to which all can be lowered. */
static int begin_row(struct rivals *v, struct run *r, size_t row, struct tan_error *e)
{
    for (size_t i = 0; i < v->n; i++) {
        if (make_rival(v, r, i, e) < 0) {
            return -1;
        }
        for (size_t k = 0; k < r->c->n_sensitivity; k++) {
            const struct tan_cost_range *range = &r->c->sensitivity[k];
            struct tan_cost_row *to = &v->map[k].rows[row];
            const double now = tan_cost_of(&r->params.between, range->cost);
            const double least = now - tan_cost_least(&r->params, range->cost);
            to->bytes = bytes_of(r);
            to->least = i == 0 ? least : fmax(to->least, least);
            to->base = now;
        }
    }
    return 0;
}

static int find_function(const struct rivals *v, const struct run *r, size_t cost, size_t row,
                         size_t rival, struct tan_error *e)
{
    const struct tan_cost_range *given = &r->c->sensitivity[cost];
    struct tan_cost_row *to = &v->map[cost].rows[row];
    const double step = tan_costs[given->cost].step;
    const double by = to->base - to->least;
    const struct tan_cost_range range = {given->cost, ceil((by + v->more[cost]) / step) * step};
    struct tan_lowered lowered;
    if (tan_lowered_make(&r->params, given->cost, by, &lowered, e) < 0) {
        return -1;
    }
    const int result = tan_response_find(r->schedule, &lowered.params, NULL, &range,
                                         simulations_of(v, r), &to->responses[rival], e);
    tan_lowered_clear(&lowered);
    return result;
}

/* Go over to another size. */
static int set_row(struct rivals *v, struct run *r, size_t row, struct tan_error *e)
{
    run_clear_schedule(r);
    r->params.between = v->between;
    r->params.within = v->within;
    if (run_set_bytes(r, r->c->n_sizes > 0 ? r->c->sizes[row] : -1, e) < 0) {
        return -1;
    }
    v->between = r->params.between;
    v->within = r->params.within;
    return 0;
}

static int find_row(struct rivals *v, struct run *r, size_t row, struct tan_error *e)
{
    if (set_row(v, r, row, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < v->n; i++) {
        if (make_rival(v, r, i, e) < 0) {
            return -1;
        }
        for (size_t k = 0; k < r->c->n_sensitivity; k++) {
            if (find_function(v, r, k, row, i, e) < 0) {
                return -1;
            }
        }
    }
    for (size_t k = 0; k < r->c->n_sensitivity; k++) {
        struct tan_cost_row *to = &v->map[k].rows[row];
        if (tan_envelope_find(to->responses, v->n, &to->envelope, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Unless given, up to ten times the largest of the present costs, so that all sizes have the same
 * range. */
static int find_range(struct rivals *v, const struct run *r, size_t cost, struct tan_error *e)
{
    enum { TIMES = 10 };
    const struct tan_cost_range *given = &r->c->sensitivity[cost];
    const char letter = tan_costs[given->cost].letter;
    v->more[cost] = given->most;
    if (isfinite(given->most)) {
        return 0;
    }
    v->more[cost] = 0.0;
    for (size_t i = 0; i < v->map[cost].n_rows; i++) {
        v->more[cost] = fmax(v->more[cost], (TIMES - 1) * v->map[cost].rows[i].base);
    }
    return v->more[cost] > 0.0
               ? 0
               : tan_fail_usage(e,
                                "%c is 0 here: say how far it is to grow, such as "
                                "--sensitivity %c=+%s",
                                letter, letter, given->cost == TAN_COST_G ? "1ns" : "10us");
}

static int find_maps(struct rivals *v, struct run *r, struct tan_error *e)
{
    const size_t n_rows = r->c->n_sizes > 0 ? r->c->n_sizes : 1;
    v->between = r->params.between;
    v->within = r->params.within;
    for (size_t k = 0; k < r->c->n_sensitivity; k++) {
        v->map[k] =
            (struct tan_cost_map){.cost = r->c->sensitivity[k].cost, .names = v->name, .n = v->n};
        if (tan_cost_map_begin(&v->map[k], n_rows, e) < 0) {
            return -1;
        }
    }
    for (size_t row = 0; row < n_rows; row++) {
        if (set_row(v, r, row, e) < 0 || begin_row(v, r, row, e) < 0) {
            return -1;
        }
    }
    for (size_t k = 0; k < r->c->n_sensitivity; k++) {
        if (find_range(v, r, k, e) < 0) {
            return -1;
        }
    }
    /* the smallest last, of which the report shows the costs */
    for (size_t row = n_rows; row-- > 0;) {
        if (find_row(v, r, row, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static json_t *map_document(const struct rivals *v, const struct run *r)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-cost-map/1");
    if (r->c->algorithms != NULL) {
        tan_json_set_string(&w, top, "collective", r->c->pattern);
    }
    if (r->report.sweep != NULL) {
        tan_json_set_string(&w, top, "sweep", r->report.sweep);
        tan_json_set_int(&w, top, "waves", r->report.waves);
    }
    json_t *names = tan_json_set_array(&w, top, "algorithms");
    for (size_t i = 0; i < v->n; i++) {
        tan_json_append(&w, names, tan_json_text(v->name[i]));
    }
    json_t *left_out = v->n_left_out > 0 ? tan_json_set_array(&w, top, "left_out") : NULL;
    for (size_t i = 0; i < v->n_left_out; i++) {
        tan_json_append(&w, left_out, tan_json_text(v->left_out[i]));
    }
    tan_sim_parameters_json(&w, tan_json_set_object(&w, top, "parameters"), &r->report);
    tan_sim_change_json(&w, top, &r->report);
    json_t *costs = tan_json_set_array(&w, top, "costs");
    for (size_t k = 0; k < r->c->n_sensitivity; k++) {
        tan_cost_map_json(&w, tan_json_append_object(&w, costs), &v->map[k]);
    }
    return tan_json_finish(&w, top);
}

static void print_header(const struct rivals *v, const struct run *r, FILE *to)
{
    const struct tan_sim_config *c = r->c;
    char size[32], last[32];
    if (c->algorithms != NULL) {
        fprintf(to, "Collective: %s, ", c->pattern);
    } else if (c->topo != NULL) {
        fprintf(to, "%" PRIu32 " wave%s %s over each of %zu trees, ", r->report.waves,
                r->report.waves == 1 ? "" : "s", r->report.sweep, v->n);
    } else {
        fprintf(to, "%zu patterns, ", v->n);
    }
    tan_format_size(v->map[0].rows[0].bytes, size, sizeof size);
    if (v->map[0].n_rows > 1) {
        const int64_t most = v->map[0].rows[v->map[0].n_rows - 1].bytes;
        fprintf(to, "%s to %s\n", size, tan_format_size(most, last, sizeof last));
    } else {
        fprintf(to, "%s\n", size);
    }
    tan_sim_parameters_print(&r->report, to);
    tan_sim_change_print(&r->report, to);
    for (size_t i = 0; i < v->n_left_out; i++) {
        fprintf(to, "%s%s%s",
                i == 0 ? "Left out, since they may take more than --max-memory: " : ", ",
                v->left_out[i], i + 1 == v->n_left_out ? "\n" : "");
    }
}

static int deliver_maps(const struct rivals *v, struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const struct tan_sized_link asked = {run_bytes(r), r->params.between, r->params.within};
    if (r->params.n_sizes > 0) {
        r->params.sizes = &asked;
        r->params.n_sizes = 1;
    }
    if (!tan_output_is_stdout(c->json)) {
        print_header(v, r, stdout);
        for (size_t k = 0; k < c->n_sensitivity; k++) {
            fputc('\n', stdout);
            tan_cost_map_print(&v->map[k], stdout);
        }
    }
    return run_wants_document(c)
               ? tan_report_deliver(c->json, c->report, map_document(v, r), NULL, e)
               : 0;
}

int run_compare_costs(struct run *r, struct tan_error *e)
{
    struct rivals *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return tan_fail_nomem(e);
    }
    const int result =
        find_rivals(v, r, e) < 0 || find_maps(v, r, e) < 0 ? -1 : deliver_maps(v, r, e);
    for (size_t k = 0; k < r->c->n_sensitivity; k++) {
        tan_cost_map_clear(&v->map[k]);
    }
    free(v);
    return result;
}
