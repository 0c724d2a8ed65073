/* pairs.c - single messages between many pairs of ranks, and how the pairs differ
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/pairs.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/table.h"
#include "tanbench/p2p/values.h"

int64_t p2p_pairs_among(int64_t ranks)
{
    return ranks * (ranks - 1) / 2;
}

static bool contains_pair(const struct p2p_pair *pairs, size_t n, int a, int b)
{
    for (size_t i = 0; i < n; i++) {
        if (pairs[i].rank[0] == a && pairs[i].rank[1] == b) {
            return true;
        }
    }
    return false;
}

/* Draw distinct pairs. */
static int draw_pairs(int ranks, uint64_t seed, struct p2p_pairs *pairs, struct tan_error *e)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(rng, (unsigned long)seed);
    for (size_t i = 0; i < pairs->n;) {
        const int a = (int)gsl_rng_uniform_int(rng, (unsigned long)ranks);
        const int b = (int)gsl_rng_uniform_int(rng, (unsigned long)ranks);
        const int low = a < b ? a : b;
        const int high = a < b ? b : a;
        if (a != b && !contains_pair(pairs->pair, i, low, high)) {
            pairs->pair[i++] = (struct p2p_pair){.rank = {low, high}};
        }
    }
    gsl_rng_free(rng);
    return 0;
}

/* The findings of a pair's leader as JSON, for messages and files. */
static json_t *calibrate_pair(struct p2p_link *link, const struct p2p_request *request,
                              json_t *limits, struct tan_error *e)
{
    struct p2p_findings f;
    json_t *json = NULL;
    if (p2p_calibrate(link, request, limits, &f, e) == 0) {
        json = p2p_findings_json(&f);
        if (json == NULL) {
            tan_fail_nomem(e);
        }
    }
    p2p_findings_clear(&f);
    return json;
}

void p2p_pairs_lead(struct p2p_link *link, void *request)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *json = calibrate_pair(link, request, NULL, &e);
    if (json == NULL) {
        json = json_pack("{s:s}", "error", e.text);
    }
    char *text = json_dumps(json, JSON_COMPACT);
    p2p_link_report(link, text != NULL ? text : "{\"error\": \"not enough memory\"}");
    free(text);
    json_decref(json);
}

/* Receive the findings of a pair without rank 0. */
static json_t *await_findings(struct p2p_link *link, struct tan_error *e)
{
    json_error_t error;
    char *text = p2p_link_await(link, e);
    json_t *json = text != NULL ? json_loads(text, 0, &error) : NULL;
    free(text);
    if (text == NULL) {
        return NULL;
    }
    const char *failure =
        json == NULL ? error.text : json_string_value(json_object_get(json, "error"));
    if (failure != NULL) {
        tan_fail(e, "rank %d: %s", link->leader, failure);
        json_decref(json);
        return NULL;
    }
    return json;
}

static int measure_pair(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                        struct p2p_pair *pair, struct tan_error *e)
{
    p2p_link_pair(link, pair->rank[0], pair->rank[1]);
    pair->share_cores = p2p_link_crowded(link, pair->rank[0], pair->rank[1]);
    if (pair->rank[0] == 0) {
        pair->found = calibrate_pair(link, request, limits, e);
        p2p_link_release(link);
    } else {
        pair->found = await_findings(link, e);
        json_object_set(json_object_get(pair->found, "p2p"), "eager_limits", limits);
    }
    if (pair->found == NULL) {
        return -1;
    }
    pair->p2p = tan_p2p_parse(json_object_get(pair->found, "p2p"), "a pair's results", e);
    return pair->p2p != NULL ? 0 : -1;
}

/* Pairs measure the same sizes, except around their own S. */
static double size_value(const struct tan_p2p *p, int series, int64_t bytes)
{
    for (size_t i = 0; i < p->n_sizes; i++) {
        if (p->size[i].bytes == bytes) {
            return p->size[i].value[series];
        }
    }
    return NAN;
}

static double parameter_value(const struct tan_p2p *p, int param)
{
    return p->section[tan_p2p_params[param].per_byte ? p->n_sections - 1 : 0].value[param];
}

/* Add the statistics of those of `n` values that are known; sorts them. */
static void add_difference(struct p2p_pairs *pairs, const char *key, int64_t bytes, double *value)
{
    size_t n = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        if (isfinite(value[i])) {
            value[n++] = value[i];
        }
    }
    if (n > 0) {
        gsl_sort(value, 1, n);
        pairs->difference[pairs->n_differences++] = (struct p2p_difference){
            key, bytes, n, value[0], gsl_stats_median_from_sorted_data(value, 1, n), value[n - 1]};
    }
}

static int find_differences(struct p2p_pairs *pairs, struct tan_error *e)
{
    const struct tan_p2p *first = pairs->pair[0].p2p;
    double value[P2P_MAX_PAIRS];
    pairs->difference =
        calloc(TAN_P2P_PARAMS + first->n_sizes * TAN_P2P_SERIES, sizeof *pairs->difference);
    if (pairs->difference == NULL) {
        return tan_fail_nomem(e);
    }
    for (int param = 0; param < TAN_P2P_PARAMS; param++) {
        for (size_t k = 0; k < pairs->n; k++) {
            value[k] = parameter_value(pairs->pair[k].p2p, param);
        }
        add_difference(pairs, tan_p2p_params[param].key, -1, value);
    }
    for (size_t i = 0; i < first->n_sizes; i++) {
        for (int series = 0; series < TAN_P2P_SERIES; series++) {
            for (size_t k = 0; k < pairs->n; k++) {
                value[k] = size_value(pairs->pair[k].p2p, series, first->size[i].bytes);
            }
            add_difference(pairs, tan_p2p_series_keys[series], first->size[i].bytes, value);
        }
    }
    return 0;
}

int p2p_pairs_measure(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                      struct p2p_pairs *pairs, struct tan_error *e)
{
    *pairs = (struct p2p_pairs){.n = (size_t)request->pairs};
    pairs->pair = calloc(pairs->n, sizeof *pairs->pair);
    if (pairs->pair == NULL) {
        pairs->n = 0;
        return tan_fail_nomem(e);
    }
    int result = draw_pairs(link->world->size, request->seed, pairs, e);
    for (size_t i = 0; i < pairs->n && result == 0; i++) {
        struct p2p_pair *pair = &pairs->pair[i];
        const double each = p2p_seconds(request);
        struct p2p_request one = *request;
        one.quiet = true; /* progress shows pairs, most of which other ranks lead */
        const double later = each * (double)(pairs->n - i - 1);
        const struct p2p_step step = {.shown = !request->quiet,
                                      .json = request->progress_json,
                                      .number = (int)i + 1,
                                      .of = (int)pairs->n,
                                      .later = later};
        p2p_step_show(&step, each, "ranks %d and %d", pair->rank[0], pair->rank[1]);
        result = measure_pair(link, &one, limits, pair, e);
        p2p_step_hide(&step);
    }
    return result == 0 ? find_differences(pairs, e) : -1;
}

void p2p_pairs_clear(struct p2p_pairs *pairs)
{
    for (size_t i = 0; i < pairs->n; i++) {
        json_decref(pairs->pair[i].found);
        tan_p2p_destroy(pairs->pair[i].p2p);
    }
    free(pairs->pair);
    free(pairs->difference);
}

static void value_cell(struct tan_table *table, double value, double unit)
{
    p2p_value_cell(table, value, TAN_INTERVAL_UNKNOWN, unit);
}

static void print_parameters(const struct p2p_pairs *pairs, const struct world *world, FILE *to)
{
    static const char *const headings[] = {"ranks",  "<hosts", "<cores", "L us",
                                           "o_s us", "o_r us", "g us",   "G ns/B"};
    static const enum tan_p2p_param shown[] = {TAN_P2P_L, TAN_P2P_O_S, TAN_P2P_O_R, TAN_P2P_G,
                                               TAN_P2P_G_BYTE};
    struct tan_table *table = tan_table_create(headings, 8);
    for (size_t i = 0; i < pairs->n; i++) {
        const struct p2p_pair *pair = &pairs->pair[i];
        const int a = pair->rank[0];
        const int b = pair->rank[1];
        tan_table_cell(table, "%d %d", a, b);
        tan_table_cell(table, "%s %s", world->peers[a].host, world->peers[b].host);
        tan_table_cell(table, "%s %s%s", world_binding(world, a), world_binding(world, b),
                       pair->share_cores ? " shared" : "");
        for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
            value_cell(table, parameter_value(pair->p2p, (int)shown[k]),
                       tan_p2p_params[shown[k]].per_byte ? 1e-9 : 1e-6);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void p2p_pairs_print(const struct p2p_pairs *pairs, const struct world *world, FILE *to)
{
    static const char *const headings[] = {"bytes", "least us", "median us", "most us",
                                           "most / least"};
    struct tan_table *table = tan_table_create(headings, 5);
    print_parameters(pairs, world, to);
    for (size_t i = 0; i < pairs->n_differences; i++) {
        const struct p2p_difference *d = &pairs->difference[i];
        if (d->key != tan_p2p_series_keys[TAN_P2P_HALF] || (d->bytes & (d->bytes - 1)) != 0) {
            continue; /* the file contains all of them */
        }
        tan_table_cell(table, "%" PRId64, d->bytes);
        value_cell(table, d->min, 1e-6);
        value_cell(table, d->median, 1e-6);
        value_cell(table, d->max, 1e-6);
        tan_table_cell(table, "%.3f", d->max / d->min);
    }
    fputs("\nOne-way times over the pairs\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

/* The pairs; `found`: with their measurements. */
static json_t *list_json(const struct p2p_pairs *pairs, const struct world *world, bool found)
{
    json_t *list = json_array();
    int bad = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        const struct p2p_pair *pair = &pairs->pair[i];
        const int a = pair->rank[0];
        const int b = pair->rank[1];
        json_t *row =
            json_pack("{s:[i, i], s:[s, s], s:[s, s], s:b}", "ranks", a, b, "hosts",
                      world->peers[a].host, world->peers[b].host, "cores", world_binding(world, a),
                      world_binding(world, b), "share_cores", pair->share_cores);
        bad |= found ? json_object_update(row, pair->found) : 0;
        bad |= json_array_append_new(list, row);
    }
    return p2p_unless(bad, list);
}

static json_t *differences_json(const struct p2p_pairs *pairs)
{
    json_t *list = json_array();
    int bad = 0;
    for (size_t i = 0; i < pairs->n_differences; i++) {
        const struct p2p_difference *d = &pairs->difference[i];
        json_t *row = json_pack("{s:s, s:I, s:o, s:o, s:o}", "what", d->key, "pairs",
                                (json_int_t)d->n, "least", p2p_rounded(d->min / 1e-6), "median",
                                p2p_rounded(d->median / 1e-6), "most", p2p_rounded(d->max / 1e-6));
        bad |= d->bytes >= 0 ? json_object_set_new(row, "bytes", json_integer(d->bytes)) : 0;
        bad |= json_array_append_new(list, row);
    }
    return p2p_unless(bad, list);
}

json_t *p2p_pairs_json(const struct p2p_pairs *pairs, const struct world *world)
{
    return json_pack("{s:o, s:o}", "pairs", list_json(pairs, world, true), "differences",
                     differences_json(pairs));
}

/* The pair whose geometric mean of one-way times is the median. */
static const struct p2p_pair *median_pair(const struct p2p_pairs *pairs)
{
    double mean[P2P_MAX_PAIRS];
    size_t order[P2P_MAX_PAIRS];
    for (size_t k = 0; k < pairs->n; k++) {
        const struct tan_p2p *p = pairs->pair[k].p2p;
        mean[k] = 0.0;
        for (size_t i = 0; i < p->n_sizes; i++) {
            const double time = p->size[i].value[TAN_P2P_HALF];
            mean[k] += time > 0.0 ? log(time) / (double)p->n_sizes : 0.0;
        }
    }
    gsl_sort_index(order, mean, 1, pairs->n);
    return &pairs->pair[order[pairs->n / 2]];
}

json_t *p2p_pairs_block(const struct p2p_pairs *pairs, const struct world *world)
{
    json_t *block = json_copy(json_object_get(median_pair(pairs)->found, "p2p"));
    int bad = json_object_set_new(block, "pairs", list_json(pairs, world, false));
    bad |= json_object_set_new(block, "differences", differences_json(pairs));
    return p2p_unless(bad, block);
}
