/* machine.c - reading and writing tan-machine/1 files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/machine.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "model/machine/p2p.h"

static const char *const schema = "tan-machine/1";

/* Parameters without a reasonable default. */
static const bool required[TAN_PARAMS] = {[TAN_A] = true};
/* Parameters that are 0 if missing, as in LogP. */
static const bool optional[TAN_PARAMS] = {[TAN_G] = true, [TAN_C0] = true};

static const double us = 1e-6;
enum { DEFAULT_BYTES = 1024 };

static struct tan_params nothing_of(enum tan_method method)
{
    struct tan_params params = {.method = method, .bytes = DEFAULT_BYTES, .r2 = NAN};
    for (int p = 0; p < TAN_PARAMS; p++) {
        params.ci95[p] = TAN_INTERVAL_UNKNOWN;
    }
    return params;
}

struct tan_machine *tan_machine_create(const char *name, struct tan_error *e)
{
    struct tan_machine *machine = calloc(1, sizeof *machine);
    if (machine == NULL || (machine->name = strdup(name)) == NULL) {
        tan_fail_nomem(e);
        free(machine);
        return NULL;
    }
    machine->tan = nothing_of(TAN_METHOD_JOINT);
    machine->overlap = nothing_of(TAN_METHOD_OVERLAP);
    machine->tan_known = true;
    return machine;
}

static void drop_tiers(struct tan_machine *machine)
{
    for (int t = 0; t < machine->n_tiers; t++) {
        free(machine->tier[t].name);
        free(machine->tier[t].params.draws);
        free(machine->tier[t].overlap.draws);
    }
    machine->n_tiers = 0;
}

void tan_machine_destroy(struct tan_machine *machine)
{
    if (machine == NULL) {
        return;
    }
    free(machine->name);
    free(machine->source);
    free(machine->tan.draws);
    free(machine->overlap.draws);
    tan_doubts_clear(&machine->doubts);
    drop_tiers(machine);
    json_decref(machine->p2p);
    tan_p2p_destroy(machine->messages);
    json_decref(machine->environment);
    free(machine);
}

/* Reading */

/* Convert an array of `n` times in us to seconds; false if it is not one, or a time is outside of
 * the allowed range. */
static bool read_times(const json_t *value, size_t n, double *seconds)
{
    if (!json_is_array(value) || json_array_size(value) != n) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(value, i);
        const double number = json_number_value(item);
        if (!json_is_number(item) || !(number >= 0.0 && number <= TAN_MOST_US)) {
            return false;
        }
        seconds[i] = number * us;
    }
    return true;
}

static int read_draws(const struct tan_json_at *tan, struct tan_params *params, struct tan_error *e)
{
    const json_t *rows = NULL;
    if (tan_json_array(tan, "draws_us", &rows, e) < 0) {
        return -1;
    }
    const size_t n = json_array_size(rows);
    if (n == 0) {
        return 0;
    }
    if (n == 1) {
        return tan_fail_at(e, tan->source, 0, 0,
                           "%s.draws_us must hold at least two rows, since one shows no spread",
                           tan->path);
    }
    if (n > INT_MAX) {
        return tan_fail_nomem(e);
    }
    params->draws = malloc(n * TAN_PARAMS * sizeof *params->draws);
    if (params->draws == NULL) {
        return tan_fail_nomem(e);
    }
    params->n_draws = (int)n;
    for (size_t i = 0; i < n; i++) {
        if (!read_times(json_array_get(rows, i), TAN_PARAMS, params->draws + i * TAN_PARAMS)) {
            return tan_fail_at(e, tan->source, 0, 0,
                               "%s.draws_us must hold rows of %d numbers from 0 to %g (L, %s, c, "
                               "g, C); row %zu does not",
                               tan->path, TAN_PARAMS, TAN_MOST_US,
                               params->method == TAN_METHOD_OVERLAP ? "o_s, o_r" : "a, b", i + 1);
        }
    }
    return 0;
}

static int read_method(const struct tan_json_at *tan, enum tan_method *out, struct tan_error *e)
{
    const char *method = NULL;
    const int has_method = tan_json_string(tan, "method", &method, e);
    if (has_method < 0) {
        return -1;
    }
    if (has_method > 0 && tan_method_parse(method, out, NULL) < 0) {
        return tan_fail_at(e, tan->source, 0, 0, "%s.method: \"%s\" is not one of %s", tan->path,
                           method, tan_method_list().text);
    }
    return 0;
}

/* Whether a key is there, whose only value is `word`; `without` it: a clause for errors, or "". */
static int read_only_word(const struct tan_json_at *at, const char *key, const char *word,
                          const char *without, bool *is, struct tan_error *e)
{
    const char *text = NULL;
    const int found = tan_json_string(at, key, &text, e);
    *is = found > 0 && strcmp(text, word) == 0;
    return found > 0 && !*is
               ? tan_fail_at(e, at->source, 0, 0, "%s%s%s must be \"%s\", not \"%.40s\"%s",
                             at->path, at->path[0] != '\0' ? "." : "", key, word, text, without)
               : found;
}

/* The keys of the parameters, in their order. */
static void list_keys(enum tan_method method, const char *keys[TAN_PARAMS])
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        keys[p] = tan_param_key(method, p);
    }
}

/* Read a block of parameters; `params->method`, which determines its keys, is already set. */
static int read_params(const struct tan_json_at *tan, struct tan_params *params,
                       struct tan_error *e)
{
    const char *keys[TAN_PARAMS];
    list_keys(params->method, keys);
    if (tan_times_read(tan, keys, TAN_PARAMS, 0.0, params->value, params->ci95, e) < 0) {
        return -1;
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (isnan(params->value[p])) {
            if (required[p]) {
                return tan_json_required(tan, keys[p], 0, e);
            }
            params->value[p] = 0.0;
            params->unidentified[p] = !optional[p];
        }
    }
    tan_params_assume(params);
    if ((params->method == TAN_METHOD_OVERLAP &&
         read_only_word(tan, "nic", "shared", "; without it messages leave one by one",
                        &params->nic_shared, e) < 0) ||
        tan_json_int(tan, "bytes", 0, INT64_MAX, &params->bytes, e) < 0 ||
        tan_json_real(tan, "r2", -INFINITY, 1.0, &params->r2, e) < 0 ||
        tan_json_int(tan, "n", 0, INT64_MAX, &params->n, e) < 0 ||
        tan_json_int(tan, "max_fanout", 0, INT64_MAX, &params->max_fanout, e) < 0 ||
        tan_json_int(tan, "max_height", 0, INT64_MAX, &params->max_height, e) < 0 ||
        read_draws(tan, params, e) < 0) {
        return -1;
    }
    tan_params_assume(params); /* now in the draws, too */
    return tan_params_draw(params, e);
}

static int read_tan(const struct tan_json_at *tan, struct tan_params *params, struct tan_error *e)
{
    return read_method(tan, &params->method, e) < 0 ? -1 : read_params(tan, params, e);
}

/* A tier takes missing parameters that do not depend on distance from the last tier, so that a
 * handwritten tier need only give what differs. */
static void take_shared(const struct tan_json_at *at, const struct tan_params *from,
                        struct tan_params *params)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (tan_param_shared[p] && json_object_get(at->object, tan_param_keys[p]) == NULL) {
            params->value[p] = from->value[p];
            params->unidentified[p] = from->unidentified[p];
            for (int d = 0; d < params->n_draws; d++) {
                params->draws[d * TAN_PARAMS + p] = tan_params_drawn(from, d).value[p];
            }
        }
    }
}

static int read_tier_overlap(const struct tan_json_at *tier, struct tan_machine *m,
                             struct tan_error *e)
{
    const json_t *object = NULL;
    struct tan_params params = nothing_of(TAN_METHOD_OVERLAP);
    params.bytes = m->overlap.bytes;
    int result = tan_json_object(tier, "overlap", &object, e);
    const struct tan_json_at at = tan_json_below(tier, "overlap", object);
    if (result > 0 && (result = read_params(&at, &params, e)) == 0) {
        take_shared(&at, &m->overlap, &params);
        result =
            !m->overlap_known || params.bytes != m->overlap.bytes
                ? tan_fail_at(e, at.source, 0, 0,
                              "%s.overlap: bytes must be those of the file's overlap", tier->path)
                : tan_machine_set_tier_overlap(m, m->n_tiers - 1, &params, e);
    }
    free(params.draws);
    return result;
}

/* A tier with parameters of its own. */
static int read_own_tier(const struct tan_json_at *at, struct tan_machine *m, const char *name,
                         int level, struct tan_error *e)
{
    struct tan_params params = nothing_of(m->tan.method);
    params.bytes = m->tan.bytes;
    int result = read_tan(at, &params, e);
    if (result == 0) {
        take_shared(at, &m->tan, &params);
    }
    if (result == 0 && (params.method != m->tan.method || params.bytes != m->tan.bytes)) {
        result = tan_fail_at(e, at->source, 0, 0, "%s: method and bytes must be the same as in tan",
                             at->path);
    }
    if (result == 0) {
        result =
            tan_machine_add_tier(m, name, level, &params, e) < 0 ? -1 : read_tier_overlap(at, m, e);
    }
    free(params.draws);
    return result;
}

static int read_tier(const struct tan_json_at *at, void *to, struct tan_error *e)
{
    struct tan_machine *m = to;
    const char *name = NULL;
    const int last = m->n_tiers > 0 ? m->tier[m->n_tiers - 1].level : -1;
    int64_t level = last + 1;
    double nearer = 0.0;
    if (tan_json_required(at, "name", tan_json_string(at, "name", &name, e), e) < 0 ||
        tan_json_int(at, "level", last + 1, INT_MAX, &level, e) < 0) {
        return -1;
    }
    const int alike = tan_json_real(at, "nearer_us", 0.0, TAN_MOST_US, &nearer, e);
    return alike < 0   ? -1
           : alike > 0 ? tan_machine_add_class(m, name, (int)level, nearer * us, e)
                       : read_own_tier(at, m, name, (int)level, e);
}

/* Times in the latency block. */
static const char *const latency_keys[] = {"mean_us", "median_us", "min_us", "max_us", "stddev_us"};
enum { LATENCIES = sizeof latency_keys / sizeof latency_keys[0] };

static int read_peak(const struct tan_json_at *at, void *to, struct tan_error *e)
{
    struct tan_latency *latency = to;
    struct tan_peak *peak = &latency->peak[latency->n_peaks];
    double mean = 0.0;
    double stddev = 0.0;
    if (tan_json_required(at, "share", tan_json_real(at, "share", 1e-9, 1.0, &peak->share, e), e) <
            0 ||
        tan_json_required(at, "mean_us", tan_json_real(at, "mean_us", 0.0, TAN_MOST_US, &mean, e),
                          e) < 0 ||
        tan_json_real(at, "stddev_us", 0.0, TAN_MOST_US, &stddev, e) < 0) {
        return -1;
    }
    peak->mean = mean * us;
    peak->stddev = stddev * us;
    latency->n_peaks++;
    return 0;
}

static int read_latency(const struct tan_json_at *at, struct tan_latency *latency,
                        struct tan_error *e)
{
    double time[LATENCIES];
    tan_json_ask(at, "modes"); /* written by earlier versions */
    if (tan_json_required(at, "n", tan_json_int(at, "n", 1, INT64_MAX, &latency->n, e), e) < 0 ||
        tan_times_read(at, latency_keys, LATENCIES, 0.0, time, NULL, e) < 0) {
        return -1;
    }
    latency->mean = time[0];
    latency->median = time[1];
    latency->min = time[2];
    latency->max = time[3];
    latency->stddev = time[4];
    return tan_json_rows(at, "peaks", TAN_PEAKS, read_peak, latency, e);
}

static int read_text(const struct tan_json_at *at, const char *key, char **text,
                     struct tan_error *e)
{
    const char *value = NULL;
    const int found = tan_json_string(at, key, &value, e);
    if (found > 0) {
        free(*text);
        *text = strdup(value);
        if (*text == NULL) {
            return tan_fail_nomem(e);
        }
        tan_printable(*text);
    }
    return found;
}

/* Keep an object unparsed. */
static int keep_object(const struct tan_json_at *at, const char *key, json_t **kept,
                       struct tan_error *e)
{
    const json_t *object = NULL;
    const int found = tan_json_object(at, key, &object, e);
    if (found > 0) {
        *kept = json_incref(json_object_get(at->object, key));
    }
    return found;
}

/* Whether a parameter is outside its own interval, or outside the range of all its draws. */
static bool contradicts_itself(const struct tan_params *tan, int p)
{
    enum { FEW = 20 }; /* draws need not surround the value if there are so few */
    const double value = tan->value[p];
    const double slack = 1e-6 * value;
    const struct tan_interval ci = tan->ci95[p];
    double low = INFINITY;
    double high = 0.0;
    for (int i = 0; i < tan->n_draws; i++) {
        low = fmin(low, tan->draws[i * TAN_PARAMS + p]);
        high = fmax(high, tan->draws[i * TAN_PARAMS + p]);
    }
    return !tan->unidentified[p] &&
           ((tan_interval_known(ci) && (value < ci.low - slack || value > ci.high + slack)) ||
            (tan->n_draws > FEW && (value < low - slack || value > high + slack)));
}

/* `whose`: prefix of each sentence, "" for the last tier. */
static void doubt_params(const struct tan_params *params, const char *whose,
                         struct tan_doubts *doubts)
{
    if (params->unidentified[TAN_L] && !tan_params_split(params)) {
        tan_doubts_add(doubts, TAN_DOUBT, "not-identified", NAN, 1u << TAN_L,
                       "%sL_us is not given: it is taken as 0", whose);
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (contradicts_itself(params, p)) {
            tan_doubts_add(doubts, TAN_DOUBT, "inconsistent", NAN, TAN_TOUCHES_ALL,
                           "%s%s lies outside of its own interval or draws", whose,
                           tan_param_key(params->method, p));
        }
    }
}

void tan_doubt_messages(const struct tan_machine *machine, struct tan_doubts *doubts)
{
    if (machine->messages != NULL && machine->messages->disturbed) {
        tan_doubts_add(doubts, TAN_DOUBT, "disturbed", NAN, TAN_TOUCHES_ALL,
                       "its messages were measured while other programs used the cores");
    }
}

void tan_machine_raise_doubts(struct tan_machine *m)
{
    const struct tan_params *tan = &m->tan;
    struct tan_doubts *doubts = &m->doubts;
    const size_t written = doubts->n;
    if (m->oversubscribed && !m->network_real &&
        tan_doubts_find(doubts, "oversubscribed") == NULL) {
        tan_doubts_add(doubts, TAN_DOUBT, "oversubscribed", NAN, TAN_TOUCHES_ALL,
                       "measured with more ranks than cores: it describes the software on one "
                       "host, no network");
    }
    if (tan->derived) {
        tan_doubt_messages(m, doubts);
    }
    if (tan->r2 < TAN_LEAST_R2 && tan_doubts_find(doubts, "r2") == NULL) {
        tan_doubts_add(doubts, TAN_DOUBT, "r2", tan->r2, TAN_TOUCHES_ALL,
                       "R2 of the fit is %.2f, less than %.1f", tan->r2, TAN_LEAST_R2);
    }
    doubt_params(tan, "", doubts);
    doubt_params(&m->overlap, "overlap: ", doubts);
    for (int t = 0; t < m->n_tiers; t++) {
        const char *name = m->tier[t].name;
        doubt_params(&m->tier[t].params, tan_printed("tier %.40s: ", name).text, doubts);
        doubt_params(&m->tier[t].overlap, tan_printed("tier %.40s, overlap: ", name).text, doubts);
    }
    for (size_t i = written; i < doubts->n; i++) {
        doubts->row[i].raised = true;
    }
}

static int copy_params(struct tan_params *to, const struct tan_params *params, struct tan_error *e)
{
    const size_t size = (size_t)params->n_draws * TAN_PARAMS * sizeof *params->draws;
    double *draws = size > 0 ? malloc(size) : NULL;
    if (size > 0 && draws == NULL) {
        return tan_fail_nomem(e);
    }
    if (size > 0) {
        memcpy(draws, params->draws, size);
    }
    free(to->draws);
    *to = *params;
    to->draws = draws;
    return 0;
}

int tan_machine_set_tan(struct tan_machine *machine, const struct tan_params *params,
                        struct tan_error *e)
{
    return copy_params(&machine->tan, params, e);
}

int tan_machine_set_overlap(struct tan_machine *machine, const struct tan_params *params,
                            struct tan_error *e)
{
    machine->overlap_known = true;
    return copy_params(&machine->overlap, params, e);
}

/* The parameters of a path that takes `by` seconds less: of L and, where that is less than `by`, as
 * where overheads overlap with the transfer or hold a part of L, of the overheads of both sides.
 * Returns what is left of these. */
static double shorten_path(enum tan_method method, double *value, double by)
{
    const double rest = fmax(by - value[TAN_L], 0);
    const double both = method == TAN_METHOD_OVERLAP ? value[TAN_A] + value[TAN_B]
                        : method == TAN_METHOD_PAPER ? value[TAN_A]
                                                     : 2 * value[TAN_A];
    const double left = rest == 0 ? 1 : fmax(1 - rest / both, 0);
    value[TAN_L] = fmax(value[TAN_L] - by, 0);
    value[TAN_A] *= left;
    value[TAN_B] *= method == TAN_METHOD_OVERLAP ? left : 1;
    return left;
}

static void shorten_paths(struct tan_params *params, double by)
{
    struct tan_interval *ci = params->ci95;
    const double left = shorten_path(params->method, params->value, by);
    if (tan_interval_known(ci[TAN_L])) {
        ci[TAN_L] =
            (struct tan_interval){fmax(ci[TAN_L].low - by, 0), fmax(ci[TAN_L].high - by, 0)};
    }
    for (int p = TAN_A; p <= (params->method == TAN_METHOD_OVERLAP ? TAN_B : TAN_A); p++) {
        ci[p] = left < 1 ? TAN_INTERVAL_UNKNOWN : ci[p];
    }
    for (int d = 0; d < params->n_draws; d++) {
        shorten_path(params->method, params->draws + d * TAN_PARAMS, by);
    }
}

void tan_machine_note_tier(struct tan_machine *machine, const char *consequence)
{
    for (int t = 0; t < machine->n_tiers; t++) {
        const struct tan_tier *tier = &machine->tier[t];
        if (!tier->overlap_known) {
            tan_doubts_add(&machine->doubts, TAN_NOTE, "tiers", NAN, TAN_TOUCHES_ALL,
                           "tier %.40s has no block overlap: %s", tier->name, consequence);
            return;
        }
    }
}

/* Swap the parameters of each tier, or drop all tiers if one of them lacks those of tan-overlap. */
static void exchange_tiers(struct tan_machine *machine)
{
    const struct tan_params *overlap =
        machine->tan.method == TAN_METHOD_OVERLAP ? &machine->tan : &machine->overlap;
    bool all = true;
    for (int t = 0; t < machine->n_tiers; t++) {
        const struct tan_tier *tier = &machine->tier[t];
        all = all && tier->overlap_known && (tier->alike || !overlap->derived);
    }
    if (!all) {
        tan_machine_note_tier(machine, "all links are priced as those of the farthest processes");
        drop_tiers(machine);
    }
    for (int t = 0; t < machine->n_tiers; t++) {
        struct tan_tier *tier = &machine->tier[t];
        const struct tan_params chosen = tier->overlap;
        tier->overlap = tier->params;
        tier->params = chosen;
    }
}

int tan_machine_choose(struct tan_machine *machine, bool overlap, const char *file,
                       struct tan_error *e)
{
    if ((machine->tan.method == TAN_METHOD_OVERLAP) == overlap) {
        return 0;
    }
    if (!machine->overlap_known) {
        return tan_fail(e,
                        "%s has no %s: tanbench calibrate measures it, and tan-fit FILE fits it to "
                        "waves measured before",
                        file != NULL ? file : machine->name,
                        overlap ? "block overlap, which the model tan-overlap needs" : "block tan");
    }
    const struct tan_params chosen = machine->overlap;
    const bool known = machine->tan_known;
    machine->overlap = machine->tan;
    machine->overlap_known = known;
    machine->tan = chosen;
    machine->tan_known = true;
    exchange_tiers(machine);
    return 0;
}

int tan_machine_add_class(struct tan_machine *machine, const char *name, int level, double nearer,
                          struct tan_error *e)
{
    struct tan_tier *tier = &machine->tier[machine->n_tiers];
    if (tan_machine_add_tier(machine, name, level, &machine->tan, e) < 0) {
        return -1;
    }
    tier->alike = true;
    tier->nearer = nearer;
    shorten_paths(&tier->params, nearer);
    if (machine->overlap_known) {
        if (tan_machine_set_tier_overlap(machine, machine->n_tiers - 1, &machine->overlap, e) < 0) {
            return -1;
        }
        shorten_paths(&tier->overlap, nearer);
    }
    return 0;
}

int tan_machine_add_tier(struct tan_machine *machine, const char *name, int level,
                         const struct tan_params *params, struct tan_error *e)
{
    struct tan_tier *tier = &machine->tier[machine->n_tiers];
    *tier = (struct tan_tier){.name = strdup(name), .level = level};
    if (tier->name == NULL) {
        return tan_fail_nomem(e);
    }
    machine->n_tiers++;
    tan_printable(tier->name);
    return copy_params(&tier->params, params, e);
}

int tan_machine_set_tier_overlap(struct tan_machine *machine, int tier,
                                 const struct tan_params *params, struct tan_error *e)
{
    machine->tier[tier].overlap_known = true;
    return copy_params(&machine->tier[tier].overlap, params, e);
}

struct tan_tiers tan_machine_tiers(const struct tan_machine *machine)
{
    struct tan_tiers tiers = {.n = machine->n_tiers + 1};
    for (int t = 0; t < machine->n_tiers; t++) {
        tiers.params[t] = &machine->tier[t].params;
        tiers.level[t] = machine->tier[t].level;
    }
    tiers.params[machine->n_tiers] = &machine->tan;
    return tiers;
}

int tan_machine_set_p2p(struct tan_machine *machine, json_t *p2p, struct tan_error *e)
{
    json_decref(machine->p2p);
    machine->p2p = p2p;
    tan_p2p_destroy(machine->messages);
    machine->messages = p2p == NULL ? NULL : tan_p2p_parse(p2p, machine->name, e);
    return p2p == NULL ? tan_fail_nomem(e) : machine->messages == NULL ? -1 : 0;
}

/* Interval of a series at `bytes`; unknown if that size was not measured. */
static struct tan_interval measured_interval(const struct tan_p2p *p, enum tan_p2p_series series,
                                             int64_t bytes)
{
    for (size_t i = 0; i < p->n_sizes; i++) {
        if (p->size[i].bytes == bytes) {
            return p->size[i].ci95[series];
        }
    }
    return TAN_INTERVAL_UNKNOWN;
}

bool tan_params_from_messages(const struct tan_p2p *p, const struct tan_p2p_model *model,
                              struct tan_params *params)
{
    struct tan_p2p_parts m;
    double *v = params->value;
    if (model == NULL) {
        return false;
    }
    tan_p2p_parts(p, model, params->bytes, &m);
    if (!isfinite(m.sender + m.way + m.receiver)) {
        return false;
    }
    params->derived = true;
    v[TAN_L] = m.way;
    if (params->method == TAN_METHOD_OVERLAP) {
        v[TAN_A] = m.sender;
        v[TAN_B] = m.receiver;
        v[TAN_G] = m.gap;
        return true;
    }
    const double a = (m.sender + m.receiver) / 2;
    const double b = fmax(m.receive, m.interval);
    const struct tan_interval half = measured_interval(p, TAN_P2P_HALF, params->bytes);
    const struct tan_interval each = measured_interval(
        p, m.interval >= m.receive ? TAN_P2P_INTERVAL : TAN_P2P_RECEIVE, params->bytes);
    v[TAN_A] = a;
    v[TAN_B] = b;
    /* Both are widened to include the values, which are the model's. */
    if (tan_interval_known(half)) {
        params->ci95[TAN_A] = (struct tan_interval){fmin(fmax((half.low - m.way) / 2, 0.0), a),
                                                    fmax((half.high - m.way) / 2, a)};
    }
    if (tan_interval_known(each)) {
        params->ci95[TAN_B] = (struct tan_interval){fmin(each.low, b), fmax(each.high, b)};
    }
    return true;
}

int tan_machine_require_tan(const struct tan_machine *machine, const char *file,
                            struct tan_error *e)
{
    if (machine->tan_known) {
        return 0;
    }
    return tan_fail_at(e, file, 0, 0,
                       "it lacks the parameters of trees: add tan, or L_us, o_s_us, o_r_us and "
                       "G_us_per_byte in p2p.sections");
}

/* Errors by model, NaN where there is none. */
static int read_errors(const struct tan_json_at *at, double error[TAN_CHECK_MODELS],
                       struct tan_error *e)
{
    const json_t *object = NULL;
    if (tan_json_required(at, "error", tan_json_object(at, "error", &object, e), e) < 0) {
        return -1;
    }
    const struct tan_text path = tan_printed("%s.error", at->path);
    const struct tan_json_at errors = tan_json_below(at, path.text, object);
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        error[m] = NAN;
        if (tan_json_real(&errors, tan_check_models[m], -1.0, INFINITY, &error[m], e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The chosen model; of a file without one, that of its check trees. */
static int read_chosen(const struct tan_json_at *top, struct tan_checks *checks,
                       struct tan_error *e)
{
    const json_t *object = NULL;
    const char *name = NULL;
    int64_t trees = 0;
    const int found = tan_json_object(top, "model", &object, e);
    if (found <= 0) {
        tan_checks_average(checks);
        return found;
    }
    const struct tan_json_at model = tan_json_below(top, "model", object);
    if (tan_json_required(&model, "name", tan_json_string(&model, "name", &name, e), e) < 0 ||
        tan_json_required(&model, "trees", tan_json_int(&model, "trees", 1, INT_MAX, &trees, e),
                          e) < 0 ||
        tan_json_int(&model, "processes", 2, INT32_MAX, &checks->processes, e) < 0 ||
        read_errors(&model, checks->error, e) < 0) {
        return -1;
    }
    struct tan_error wrong = TAN_ERROR_INIT;
    checks->trees = (int)trees;
    checks->best = tan_choice_find(TAN_CHOICES(tan_check_models), "model.name", name, &wrong);
    return checks->best < 0 ? tan_fail_at(e, top->source, 0, 0, "%s", wrong.text) : 0;
}

static int read_check(const struct tan_json_at *at, void *to, struct tan_error *e)
{
    struct tan_checks *checks = to;
    struct tan_check *check = &checks->row[checks->n];
    const char *topo = NULL;
    double wave = 0.0;
    *check = (struct tan_check){.wave = 0.0};
    if (tan_json_required(at, "topo", tan_json_string(at, "topo", &topo, e), e) < 0 ||
        tan_json_required(at, "wave_us", tan_json_real(at, "wave_us", 0.0, TAN_MOST_US, &wave, e),
                          e) < 0 ||
        read_errors(at, check->error, e) < 0) {
        return -1;
    }
    snprintf(check->topo, sizeof check->topo, "%s", topo);
    tan_printable(check->topo);
    check->wave = wave * us;
    checks->n++;
    return 0;
}

static int read_machine(const struct tan_json_at *top, struct tan_machine *m, struct tan_error *e)
{
    const json_t *object = NULL;
    if (tan_json_schema(top, schema, e) < 0 ||
        tan_json_required(top, "name", read_text(top, "name", &m->name, e), e) < 0 ||
        read_text(top, "source", &m->source, e) < 0 ||
        tan_json_int(top, "hosts", 0, INT64_MAX, &m->hosts, e) < 0 ||
        tan_json_int(top, "cores_per_host", 0, INT64_MAX, &m->cores_per_host, e) < 0 ||
        tan_json_bool(top, "oversubscribed", &m->oversubscribed, e) < 0 ||
        read_only_word(top, "network", "real", "", &m->network_real, e) < 0 ||
        keep_object(top, "p2p", &m->p2p, e) < 0 ||
        keep_object(top, "environment", &m->environment, e) < 0) {
        return -1;
    }
    const struct tan_json_at p2p = tan_json_below(top, "p2p", m->p2p);
    if (m->p2p != NULL && (m->messages = tan_p2p_read(&p2p, e)) == NULL) {
        return -1;
    }
    const int has_tan = tan_json_object(top, "tan", &object, e);
    if (has_tan < 0 || (m->p2p == NULL && tan_json_required(top, "tan", has_tan, e) < 0)) {
        return -1;
    }
    const struct tan_json_at tan = tan_json_below(top, "tan", object);
    m->message_model = m->messages == NULL ? NULL : tan_p2p_best(m->messages);
    if (has_tan == 0) {
        m->tan_known = tan_params_from_messages(m->messages, m->message_model, &m->tan);
        m->tan.derived = true;
    } else if (read_tan(&tan, &m->tan, e) < 0) {
        return -1;
    }
    const int has_overlap = tan_json_object(top, "overlap", &object, e);
    const struct tan_json_at overlap = tan_json_below(top, "overlap", object);
    m->overlap_known = has_overlap > 0;
    if (has_overlap < 0 || (m->overlap_known && read_params(&overlap, &m->overlap, e) < 0)) {
        return -1;
    }
    if (has_overlap == 0 && m->messages != NULL) {
        m->overlap.bytes = m->tan.bytes;
        m->overlap_known = tan_params_from_messages(m->messages, m->message_model, &m->overlap);
    }
    if (tan_json_rows(top, "tiers", TAN_INNER_TIERS, read_tier, m, e) < 0 ||
        tan_json_rows(top, "check", TAN_MAX_CHECKS, read_check, &m->checks, e) < 0 ||
        read_chosen(top, &m->checks, e) < 0 ||
        tan_doubts_read(top, "doubts", TAN_DOUBT, &m->doubts, e) < 0 ||
        tan_doubts_read(top, "notes", TAN_NOTE, &m->doubts, e) < 0) {
        return -1;
    }
    tan_machine_raise_doubts(m);
    const int found = tan_json_object(top, "latency", &object, e);
    const struct tan_json_at latency = tan_json_below(top, "latency", object);
    return found > 0 ? read_latency(&latency, &m->latency, e) : found;
}

static const json_t *message_job(const struct tan_machine *machine)
{
    return json_object_get(json_object_get(machine->p2p, "environment"), "job");
}

int64_t tan_machine_message_hosts(const struct tan_machine *machine)
{
    return (int64_t)json_array_size(json_object_get(message_job(machine), "hosts"));
}

int64_t tan_machine_message_cores(const struct tan_machine *machine)
{
    return json_integer_value(json_object_get(message_job(machine), "cores_per_host"));
}

static const char *simulated_platform(const json_t *environment)
{
    return json_string_value(
        json_object_get(json_object_get(environment, "simulated"), "platform"));
}

const char *tan_machine_simulated(const struct tan_machine *machine)
{
    const char *of_trees = simulated_platform(machine->environment);
    return of_trees != NULL ? of_trees
                            : simulated_platform(json_object_get(machine->p2p, "environment"));
}

struct tan_machine *tan_machine_load(const char *path, struct tan_error *e)
{
    struct tan_machine *machine = NULL;
    json_t *document = tan_json_load(path, e);
    if (document == NULL) {
        return NULL;
    }
    machine = tan_machine_create("", e);
    struct tan_json_at top = tan_json_begin(tan_input_name(path), document);
    if (machine != NULL && read_machine(&top, machine, e) < 0) {
        tan_machine_destroy(machine);
        machine = NULL;
    }
    tan_json_end(&top, machine != NULL);
    json_decref(document);
    return machine;
}

/* Writing */

enum { DRAW_DIGITS = 6 };

static void set_time(struct tan_json_writer *w, json_t *object, const char *key, double seconds)
{
    tan_json_set_us_digits(w, object, key, seconds, TAN_JSON_DIGITS);
}

static void set_tan(struct tan_json_writer *w, json_t *tan, const struct tan_params *params)
{
    const char *keys[TAN_PARAMS];
    double value[TAN_PARAMS];
    list_keys(params->method, keys);
    for (int p = 0; p < TAN_PARAMS; p++) {
        value[p] = params->unidentified[p] && !required[p] ? NAN : params->value[p];
    }
    tan_json_set_string(w, tan, "method",
                        params->method != TAN_METHOD_OVERLAP ? tan_method_name(params->method)
                                                             : NULL);
    tan_json_set_int(w, tan, "bytes", params->bytes);
    tan_json_set_string(w, tan, "nic", params->nic_shared ? "shared" : NULL);
    tan_times_set(w, tan, keys, TAN_PARAMS, value, params->ci95, TAN_JSON_DIGITS);
    tan_json_set_real(w, tan, "r2", params->r2);
    tan_json_set_count(w, tan, "n", params->n);
    tan_json_set_count(w, tan, "max_fanout", params->max_fanout);
    tan_json_set_count(w, tan, "max_height", params->max_height);
    const int n_draws = params->draws_made ? 0 : params->n_draws;
    json_t *rows = n_draws > 0 ? tan_json_set_array(w, tan, "draws_us") : NULL;
    for (int i = 0; i < n_draws; i++) {
        json_t *row = tan_json_append_array(w, rows);
        for (int p = 0; p < TAN_PARAMS; p++) {
            tan_json_append(w, row,
                            tan_json_us_digits(params->draws[i * TAN_PARAMS + p], DRAW_DIGITS));
        }
    }
}

static void set_latency(struct tan_json_writer *w, json_t *object,
                        const struct tan_latency *latency)
{
    const double time[LATENCIES] = {latency->mean, latency->median, latency->min, latency->max,
                                    latency->stddev};
    tan_json_set_int(w, object, "n", latency->n);
    tan_times_set(w, object, latency_keys, LATENCIES, time, NULL, TAN_JSON_DIGITS);
    json_t *peaks = latency->n_peaks > 0 ? tan_json_set_array(w, object, "peaks") : NULL;
    for (int i = 0; i < latency->n_peaks; i++) {
        json_t *peak = tan_json_append_object(w, peaks);
        tan_json_set_real(w, peak, "share", latency->peak[i].share);
        set_time(w, peak, "mean_us", latency->peak[i].mean);
        set_time(w, peak, "stddev_us", latency->peak[i].stddev);
    }
}

/* Leave out doubts that a reader raises again. */
static void set_doubts(struct tan_json_writer *w, json_t *top, const struct tan_machine *m)
{
    struct tan_doubts written = {.n = 0};
    for (size_t i = 0; i < m->doubts.n; i++) {
        if (!m->doubts.row[i].raised) {
            tan_doubts_keep(&written, &m->doubts.row[i]);
        }
    }
    tan_doubts_set(w, top, "doubts", &written, TAN_DOUBT);
    tan_doubts_set(w, top, "notes", &written, TAN_NOTE);
    tan_doubts_clear(&written);
}

static void set_errors(struct tan_json_writer *w, json_t *row, const double error[TAN_CHECK_MODELS])
{
    json_t *errors = tan_json_set_object(w, row, "error");
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        if (!isnan(error[m])) {
            tan_json_set_fixed(w, errors, tan_check_models[m], error[m], 6);
        }
    }
}

static void set_checks(struct tan_json_writer *w, json_t *top, const struct tan_checks *checks)
{
    if (tan_checks_best(checks) >= 0) {
        json_t *model = tan_json_set_object(w, top, "model");
        tan_json_set_string(w, model, "name", tan_check_models[checks->best]);
        tan_json_set_int(w, model, "trees", checks->trees);
        tan_json_set_count(w, model, "processes", checks->processes);
        set_errors(w, model, checks->error);
    }
    if (checks->n == 0) {
        return;
    }
    json_t *array = tan_json_set_array(w, top, "check");
    for (int i = 0; i < checks->n; i++) {
        const struct tan_check *check = &checks->row[i];
        json_t *row = tan_json_append_object(w, array);
        tan_json_set_string(w, row, "topo", check->topo);
        set_time(w, row, "wave_us", check->wave);
        set_errors(w, row, check->error);
    }
}

json_t *tan_machine_to_json(const struct tan_machine *m)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", schema);
    tan_json_set_string(&w, top, "name", m->name);
    tan_json_set_string(&w, top, "source", m->source);
    tan_json_set_count(&w, top, "hosts", m->hosts);
    tan_json_set_count(&w, top, "cores_per_host", m->cores_per_host);
    tan_json_set_true(&w, top, "oversubscribed", m->oversubscribed);
    tan_json_set_string(&w, top, "network", m->network_real ? "real" : NULL);
    if (!m->tan.derived) {
        set_tan(&w, tan_json_set_object(&w, top, "tan"), &m->tan);
    }
    if (m->overlap_known && !m->overlap.derived) {
        set_tan(&w, tan_json_set_object(&w, top, "overlap"), &m->overlap);
    }
    json_t *tiers = m->n_tiers > 0 ? tan_json_set_array(&w, top, "tiers") : NULL;
    for (int t = 0; t < m->n_tiers; t++) {
        json_t *tier = tan_json_append_object(&w, tiers);
        tan_json_set_string(&w, tier, "name", m->tier[t].name);
        tan_json_set_int(&w, tier, "level", m->tier[t].level);
        if (m->tier[t].alike) {
            set_time(&w, tier, "nearer_us", m->tier[t].nearer);
            continue;
        }
        set_tan(&w, tier, &m->tier[t].params);
        if (m->tier[t].overlap_known) {
            set_tan(&w, tan_json_set_object(&w, tier, "overlap"), &m->tier[t].overlap);
        }
    }
    set_checks(&w, top, &m->checks);
    set_doubts(&w, top, m);
    if (m->latency.n > 0) {
        set_latency(&w, tan_json_set_object(&w, top, "latency"), &m->latency);
    }
    if (m->p2p != NULL) {
        tan_json_set(&w, top, "p2p", json_incref(m->p2p));
    }
    if (m->environment != NULL) {
        tan_json_set(&w, top, "environment", json_incref(m->environment));
    }
    return tan_json_finish(&w, top);
}

static bool is_trusted(const char *path)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_machine *machine = tan_machine_load(path, &ignored);
    const bool trusted = machine != NULL && tan_doubts_trusted(&machine->doubts);
    tan_machine_destroy(machine);
    return trusted;
}

/* Keep a copy of the file to be replaced, unless that would replace a trustworthy copy by one that
 * is not. */
static int keep_predecessor(const char *path, struct tan_error *e)
{
    struct stat status;
    size_t length;
    char *name = NULL;
    char *text = NULL;
    struct tan_output *output = NULL;
    int result = -1;
    if (tan_output_is_stdout(path) || stat(path, &status) < 0 || !S_ISREG(status.st_mode) ||
        status.st_size == 0) {
        return 0;
    }
    if (asprintf(&name, "%s~", path) < 0) {
        return tan_fail_nomem(e);
    }
    if (is_trusted(name) && !is_trusted(path)) {
        result = 0;
    } else if ((text = tan_read_file(path, &length, e)) != NULL &&
               (output = tan_output_open_named(name, e)) != NULL) {
        fwrite(text, 1, length, tan_output_stream(output));
        result = tan_output_commit(output, e);
    }
    free(text);
    free(name);
    return result;
}

int tan_machine_save(const struct tan_machine *machine, const char *path, struct tan_error *e)
{
    json_t *document = tan_machine_to_json(machine);
    if (document != NULL && keep_predecessor(path, e) < 0) {
        json_decref(document);
        return -1;
    }
    return tan_json_save_new(path, document, e);
}
