/* pairs.c - the same measurements for many pairs of ranks, and how the pairs differ
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/pairs.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/table.h"
#include "tanbench/host/progress.h"
#include "tanbench/p2p/cells.h"

struct pair {
    int leader, partner; /* the smaller rank first */
};

int64_t p2p_pairs_among(int64_t ranks)
{
    return ranks * (ranks - 1) / 2;
}

static bool holds(const struct pair *pairs, size_t n, struct pair pair)
{
    for (size_t i = 0; i < n; i++) {
        if (pairs[i].leader == pair.leader && pairs[i].partner == pair.partner) {
            return true;
        }
    }
    return false;
}

/* Different pairs. */
static int choose(int ranks, size_t n, uint64_t seed, struct pair *pairs, struct tan_error *e)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(rng, (unsigned long)seed);
    for (size_t i = 0; i < n;) {
        const int a = (int)gsl_rng_uniform_int(rng, (unsigned long)ranks);
        const int b = (int)gsl_rng_uniform_int(rng, (unsigned long)ranks);
        const struct pair pair = {a < b ? a : b, a < b ? b : a};
        if (a != b && !holds(pairs, i, pair)) {
            pairs[i++] = pair;
        }
    }
    gsl_rng_free(rng);
    return 0;
}

static json_t *find(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                    struct tan_error *e)
{
    struct p2p_found found;
    json_t *json = NULL;
    if (p2p_find(link, request, limits, &found, e) == 0) {
        json = p2p_findings_json(&found.findings);
        if (json == NULL) {
            tan_fail_nomem(e);
        }
    }
    p2p_found_clear(&found);
    return json;
}

void p2p_pairs_lead(struct p2p_link *link, void *request)
{
    struct tan_error e = TAN_ERROR_INIT;
    json_t *json = find(link, request, NULL, &e);
    if (json == NULL) {
        json = json_pack("{s:s}", "error", e.text);
    }
    char *text = json_dumps(json, JSON_COMPACT);
    p2p_link_report(link, text != NULL ? text : "{\"error\": \"not enough memory\"}");
    free(text);
    json_decref(json);
}

/* What the leader of a pair without rank 0 found. */
static json_t *await(struct p2p_link *link, struct tan_error *e)
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

static json_t *measure(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                       struct pair pair, struct tan_error *e)
{
    const struct world *world = link->world;
    p2p_link_pair(link, pair.leader, pair.partner);
    json_t *json;
    if (pair.leader == 0) {
        json = find(link, request, limits, e);
        p2p_link_release(link);
    } else {
        json = await(link, e);
        json_object_set(json_object_get(json, "p2p"), "eager_limits", limits);
    }
    if (json == NULL) {
        return NULL;
    }
    json_t *top =
        json_pack("{s:[i, i], s:[s, s], s:[s, s], s:b}", "ranks", pair.leader, pair.partner,
                  "hosts", world->peers[pair.leader].host, world->peers[pair.partner].host, "cores",
                  world_binding(world, pair.leader), world_binding(world, pair.partner),
                  "share_cores", p2p_link_crowded(link, pair.leader, pair.partner));
    const int bad = json_object_update(top, json);
    json_decref(json);
    top = p2p_unless(bad, top);
    if (top == NULL) {
        tan_fail_nomem(e);
    }
    return top;
}

json_t *p2p_pairs_measure(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                          struct tan_error *e)
{
    const size_t n = (size_t)request->pairs;
    struct pair *pairs = calloc(n, sizeof *pairs);
    json_t *all = json_array();
    int result = -1;
    if (pairs == NULL || all == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    if (choose(link->world->size, n, request->seed, pairs, e) < 0) {
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        if (!request->quiet && pairs[i].leader != 0) {
            progress_show("messages, pair %zu of %zu: ranks %d and %d", i + 1, n, pairs[i].leader,
                          pairs[i].partner);
        }
        json_t *pair = measure(link, request, limits, pairs[i], e);
        if (pair == NULL || json_array_append_new(all, pair) < 0) {
            goto done;
        }
    }
    result = 0;

done:
    progress_show(NULL);
    free(pairs);
    return p2p_unless(result, all);
}

bool p2p_pairs_crowded(const json_t *pairs)
{
    size_t i;
    json_t *pair;
    json_array_foreach(pairs, i, pair)
    {
        if (json_is_true(json_object_get(pair, "share_cores"))) {
            return true;
        }
    }
    return false;
}

/* What a pair says of a series and a size; NaN when it could not be identified. */
static double size_value(const json_t *pair, const char *key, json_int_t bytes)
{
    const json_t *sizes = json_object_get(json_object_get(pair, "p2p"), "sizes");
    size_t i;
    json_t *size;
    json_array_foreach(sizes, i, size)
    {
        const json_t *value = json_object_get(size, key);
        if (json_integer_value(json_object_get(size, "bytes")) == bytes && value != NULL) {
            return json_number_value(value);
        }
    }
    return NAN;
}

/* What a pair says of a parameter: of the first section, of the last for what is per byte. */
static double parameter(const json_t *pair, const char *key)
{
    const json_t *sections = json_object_get(json_object_get(pair, "p2p"), "sections");
    const bool per_byte = strstr(key, "per_byte") != NULL;
    const json_t *section = json_array_get(sections, per_byte ? json_array_size(sections) - 1 : 0);
    const json_t *value = json_object_get(section, key);
    return value != NULL ? json_number_value(value) : NAN;
}

/* Values of all pairs; `bytes` < 0: a parameter. Those that are not known are left out. */
static size_t collect(const json_t *pairs, const char *key, json_int_t bytes, double *value)
{
    size_t n = 0;
    size_t i;
    json_t *pair;
    json_array_foreach(pairs, i, pair)
    {
        value[n] = bytes < 0 ? parameter(pair, key) : size_value(pair, key, bytes);
        n += isfinite(value[n]) ? 1 : 0;
    }
    return n;
}

static int add_difference(json_t *to, const json_t *pairs, const char *key, json_int_t bytes)
{
    double value[P2P_MAX_PAIRS];
    const size_t n = collect(pairs, key, bytes, value);
    if (n == 0) {
        return 0;
    }
    gsl_sort(value, 1, n);
    json_t *row = json_pack("{s:s, s:I, s:o, s:o, s:o}", "what", key, "pairs", (json_int_t)n,
                            "least", p2p_rounded(value[0]), "median",
                            p2p_rounded(gsl_stats_median_from_sorted_data(value, 1, n)), "most",
                            p2p_rounded(value[n - 1]));
    if (bytes >= 0 && json_object_set_new(row, "bytes", json_integer(bytes)) < 0) {
        json_decref(row);
        return -1;
    }
    return json_array_append_new(to, row);
}

json_t *p2p_pairs_differences(const json_t *pairs, struct tan_error *e)
{
    const json_t *first = json_object_get(json_array_get(pairs, 0), "p2p");
    json_t *differences = json_array();
    int bad = 0;
    size_t i;
    json_t *size;
    for (int p = 0; p < TAN_P2P_PARAMS; p++) {
        bad |= add_difference(differences, pairs, tan_p2p_param_keys[p], -1);
    }
    json_array_foreach(json_object_get(first, "sizes"), i, size)
    {
        for (int s = 0; s < TAN_P2P_MODELLED; s++) {
            bad |= add_difference(differences, pairs, tan_p2p_series_keys[s],
                                  json_integer_value(json_object_get(size, "bytes")));
        }
    }
    differences = p2p_unless(bad, differences);
    if (differences == NULL) {
        tan_fail_nomem(e);
    }
    return differences;
}

json_t *p2p_pairs_middle(const json_t *pairs)
{
    double sum[P2P_MAX_PAIRS];
    size_t order[P2P_MAX_PAIRS];
    const size_t n = json_array_size(pairs);
    for (size_t p = 0; p < n; p++) {
        const json_t *sizes =
            json_object_get(json_object_get(json_array_get(pairs, p), "p2p"), "sizes");
        size_t i;
        json_t *size;
        sum[p] = 0.0;
        json_array_foreach(sizes, i, size)
        {
            const double half = json_number_value(json_object_get(size, "half_us"));
            sum[p] += half > 0.0 ? log(half) / (double)json_array_size(sizes) : 0.0;
        }
    }
    gsl_sort_index(order, sum, 1, n);
    return json_array_get(pairs, order[n / 2]);
}

static void value_cell(struct tan_table *table, double value)
{
    p2p_value_cell(table, value, TAN_INTERVAL_UNKNOWN, 1.0);
}

static void print_pairs(const json_t *pairs, FILE *to)
{
    static const char *const headings[] = {"ranks",  "<hosts", "<cores", "L us",
                                           "o_s us", "o_r us", "g us",   "G ns/B"};
    static const enum tan_p2p_param shown[] = {TAN_P2P_L, TAN_P2P_O_S, TAN_P2P_O_R, TAN_P2P_G};
    struct tan_table *table = tan_table_create(headings, 8);
    size_t i;
    json_t *pair;
    json_array_foreach(pairs, i, pair)
    {
        const char *text[2][2] = {{0}};
        int rank[2] = {0};
        for (size_t j = 0; j < 2; j++) {
            rank[j] = (int)json_integer_value(json_array_get(json_object_get(pair, "ranks"), j));
            text[0][j] = json_string_value(json_array_get(json_object_get(pair, "hosts"), j));
            text[1][j] = json_string_value(json_array_get(json_object_get(pair, "cores"), j));
        }
        tan_table_cell(table, "%d %d", rank[0], rank[1]);
        tan_table_cell(table, "%s %s", text[0][0], text[0][1]);
        tan_table_cell(table, "%s %s%s", text[1][0], text[1][1],
                       json_is_true(json_object_get(pair, "share_cores")) ? " shared" : "");
        for (size_t j = 0; j < sizeof shown / sizeof shown[0]; j++) {
            value_cell(table, parameter(pair, tan_p2p_param_keys[shown[j]]));
        }
        value_cell(table, 1e3 * parameter(pair, tan_p2p_param_keys[TAN_P2P_G_BYTE]));
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void p2p_pairs_print(const json_t *pairs, const json_t *differences, FILE *to)
{
    static const char *const headings[] = {"bytes", "least us", "median us", "most us",
                                           "most / least"};
    struct tan_table *table = tan_table_create(headings, 5);
    size_t i;
    json_t *row;
    print_pairs(pairs, to);
    json_array_foreach(differences, i, row)
    {
        const json_int_t bytes = json_integer_value(json_object_get(row, "bytes"));
        const double least = json_number_value(json_object_get(row, "least"));
        const double most = json_number_value(json_object_get(row, "most"));
        if (strcmp(json_string_value(json_object_get(row, "what")), "half_us") != 0 ||
            (bytes & (bytes - 1)) != 0) {
            continue; /* the file has them all */
        }
        tan_table_cell(table, "%" JSON_INTEGER_FORMAT, bytes);
        value_cell(table, least);
        value_cell(table, json_number_value(json_object_get(row, "median")));
        value_cell(table, most);
        tan_table_cell(table, "%.3f", most / least);
    }
    fputs("\nHalf trips over the pairs\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}
