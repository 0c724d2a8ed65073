/* p2p_json.c - p2p block of machine files: reading and writing
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "model/machine/p2p.h"

const struct tan_p2p_param_row tan_p2p_params[TAN_P2P_PARAMS] = {
    [TAN_P2P_L] = {"L_us", "L", false, true},
    [TAN_P2P_L_BYTE] = {"L_us_per_byte", "L", true, true},
    [TAN_P2P_O_S] = {"o_s_us", "o_s", false, true},
    [TAN_P2P_O_S_BYTE] = {"O_s_us_per_byte", "O_s", true, false},
    [TAN_P2P_O_R] = {"o_r_us", "o_r", false, true},
    [TAN_P2P_O_R_BYTE] = {"O_r_us_per_byte", "O_r", true, false},
    [TAN_P2P_G] = {"g_us", "g", false, true},
    [TAN_P2P_G_BYTE] = {"G_us_per_byte", "G", true, false},
    [TAN_P2P_ACK] = {"ack_us", "ack", false, true},
};
const char *const tan_p2p_series_keys[TAN_P2P_SERIES] = {
    "half_us",       "o_s_us",      "o_r_us",          "gap_us", "send_us",
    "duplex_gap_us", "in_place_us", "duplex_first_us", "O_i_us", "O_c_us"};
const char *const tan_transfer_names[TAN_TRANSFERS] = {"unknown", "T", "TA", "RTA", "RAT"};
const char *const tan_progress_names[TAN_PROGRESSES] = {"unknown", "dependent", "independent"};

static const double us = 1e-6;
static const double most_us = 1e15;
static const int64_t most_bytes = INT64_C(1) << 50;

/* Reading */

/* Read the time `key`, NaN if absent, and its interval. */
static int read_value(const struct tan_json_at *at, const char *key, double least_us, double *value,
                      struct tan_interval *ci95, struct tan_error *e)
{
    const json_t *intervals = NULL;
    double number = NAN;
    if (tan_json_object(at, "ci95", &intervals, e) < 0 ||
        tan_json_real(at, key, least_us, most_us, &number, e) < 0) {
        return -1;
    }
    *value = number * us;
    *ci95 = TAN_INTERVAL_UNKNOWN;
    const json_t *pair = json_object_get(intervals, key);
    if (pair == NULL || json_is_null(pair)) {
        return 0;
    }
    const double low = json_number_value(json_array_get(pair, 0));
    const double high = json_number_value(json_array_get(pair, 1));
    if (json_array_size(pair) != 2 || !json_is_number(json_array_get(pair, 0)) ||
        !json_is_number(json_array_get(pair, 1)) || !(low >= least_us && low <= high) ||
        high > most_us) {
        return tan_fail_at(e, at->source, 0, 0,
                           "%s.ci95.%s must be two numbers from %g to %g, the smaller first",
                           at->path, key, least_us, most_us);
    }
    *ci95 = (struct tan_interval){low * us, high * us};
    return 0;
}

/* Overheads and gaps must not be negative in their section; values of their lines at 0 bytes may
 * be. */
static int check_lines(const struct tan_json_at *at, const struct tan_p2p_section *s,
                       struct tan_error *e)
{
    static const enum tan_p2p_param lines[] = {TAN_P2P_O_S, TAN_P2P_O_R, TAN_P2P_G};
    const double rounding = 1e-6;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const double constant = s->value[lines[i]];
        const double slope = s->value[lines[i] + 1];
        const double at_from = constant + (isnan(slope) ? 0.0 : slope * (double)s->from);
        if (at_from < -rounding * fabs(constant)) {
            return tan_fail_at(e, at->source, 0, 0,
                               "%s.%s must be 0 or more, with %s at from_bytes", at->path,
                               tan_p2p_params[lines[i]].key, tan_p2p_params[lines[i] + 1].key);
        }
    }
    return 0;
}

static int read_section(const struct tan_json_at *at, void *to, struct tan_error *e)
{
    struct tan_p2p *p = to;
    struct tan_p2p_section *s = &p->section[p->n_sections];
    const int64_t least = p->n_sections > 0 ? s[-1].to + 1 : 1;
    s->from = least;
    s->to = most_bytes;
    if (tan_json_int(at, "from_bytes", least, most_bytes, &s->from, e) < 0 ||
        tan_json_int(at, "to_bytes", s->from, most_bytes, &s->to, e) < 0) {
        return -1;
    }
    for (int i = 0; i < TAN_P2P_PARAMS; i++) {
        const struct tan_p2p_param_row *row = &tan_p2p_params[i];
        if (read_value(at, row->key, row->may_be_negative ? -most_us : 0.0, &s->value[i],
                       &s->ci95[i], e) < 0) {
            return -1;
        }
    }
    if (check_lines(at, s, e) < 0) {
        return -1;
    }
    p->n_sections++;
    return 0;
}

static int read_size(const struct tan_json_at *at, void *to, struct tan_error *e)
{
    struct tan_p2p *p = to;
    tan_json_ask(at, TAN_JSON_ALL);
    struct tan_p2p_size *s = &p->size[p->n_sizes];
    const int64_t least = p->n_sizes > 0 ? s[-1].bytes + 1 : 1;
    if (tan_json_required(at, "bytes", tan_json_int(at, "bytes", least, most_bytes, &s->bytes, e),
                          e) < 0) {
        return -1;
    }
    for (int i = 0; i < TAN_P2P_SERIES; i++) {
        if (read_value(at, tan_p2p_series_keys[i], 0.0, &s->value[i], &s->ci95[i], e) < 0) {
            return -1;
        }
    }
    p->n_sizes++;
    return 0;
}

/* The index of a word among `n` names; 0 if absent, -1 with an error that lists them. */
static int read_word(const struct tan_json_at *at, const char *key, const char *const *names, int n,
                     struct tan_error *e)
{
    const char *word = names[0];
    if (tan_json_string(at, key, &word, e) < 0) {
        return -1;
    }
    char list[128] = "";
    for (int i = 0; i < n; i++) {
        if (strcmp(word, names[i]) == 0) {
            return i;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                 names[i]);
    }
    return tan_fail_at(e, at->source, 0, 0, "%s.%s must be one of %s, not \"%s\"", at->path, key,
                       list, word);
}

static int read_local(const struct tan_json_at *at, struct tan_p2p *p, struct tan_error *e)
{
    static const char *const keys[] = {"s_s_us", "s_r_us", "S_us_per_byte"};
    double *const to[] = {&p->s_s, &p->s_r, &p->S_byte};
    const json_t *object = NULL;
    if (tan_json_object(at, "local", &object, e) < 0) {
        return -1;
    }
    const struct tan_json_at local = tan_json_below(at, "p2p.local", object);
    for (int i = 0; i < 3; i++) {
        double value = NAN;
        if (object != NULL && tan_json_real(&local, keys[i], 0.0, most_us, &value, e) < 0) {
            return -1;
        }
        *to[i] = value * us;
    }
    return 0;
}

static int read_all(const struct tan_json_at *at, struct tan_p2p *p, struct tan_error *e)
{
    tan_json_ask(at, TAN_JSON_ALL);
    const json_t *sections = NULL;
    const json_t *sizes = NULL;
    double control = NAN;
    if (tan_json_required(at, "sections", tan_json_array(at, "sections", &sections, e), e) < 0 ||
        tan_json_array(at, "sizes", &sizes, e) < 0) {
        return -1;
    }
    if (json_array_size(sections) == 0) {
        return tan_fail_at(e, at->source, 0, 0, "p2p.sections must hold at least one section");
    }
    p->section = calloc(json_array_size(sections), sizeof *p->section);
    p->size = calloc(json_array_size(sizes) + 1, sizeof *p->size);
    if (p->section == NULL || p->size == NULL) {
        return tan_fail_nomem(e);
    }
    const int transfer = read_word(at, "transfer", tan_transfer_names, TAN_TRANSFERS, e);
    const int progress = read_word(at, "progress", tan_progress_names, TAN_PROGRESSES, e);
    p->eager = p->alone = -1;
    if (transfer < 0 || progress < 0 ||
        tan_json_int(at, "eager_bytes", 0, most_bytes, &p->eager, e) < 0 ||
        tan_json_int(at, "alone_bytes", 0, p->eager < 0 ? most_bytes : p->eager, &p->alone, e) <
            0 ||
        tan_json_real(at, "control_us", 0.0, most_us, &control, e) < 0 ||
        tan_json_bool(at, "disturbed", &p->disturbed, e) < 0 ||
        tan_json_rows(at, "sections", SIZE_MAX, read_section, p, e) < 0 ||
        tan_json_rows(at, "sizes", SIZE_MAX, read_size, p, e) < 0 || read_local(at, p, e) < 0) {
        return -1;
    }
    p->transfer = (enum tan_transfer)transfer;
    p->progress = (enum tan_progress)progress;
    p->control = control * us;
    return 0;
}

struct tan_p2p *tan_p2p_read(const struct tan_json_at *at, struct tan_error *e)
{
    struct tan_p2p *p = calloc(1, sizeof *p);
    if (p == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    if (read_all(at, p, e) < 0) {
        tan_p2p_destroy(p);
        return NULL;
    }
    return p;
}

struct tan_p2p *tan_p2p_parse(const json_t *object, const char *source, struct tan_error *e)
{
    const struct tan_json_at at = {source, "p2p", object, NULL};
    return tan_p2p_read(&at, e);
}

/* Writing */

/* Seconds in us, rounded to the precision of measurements. */
static json_t *in_us(double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", seconds / us);
    return json_real(strtod(text, NULL));
}

static int set_time(json_t *object, const char *key, double seconds)
{
    return isnan(seconds) ? 0 : json_object_set_new(object, key, in_us(seconds));
}

int tan_p2p_set_values(json_t *object, const char *const *keys, int n, const double *value,
                       const struct tan_interval *ci95)
{
    json_t *intervals = json_object();
    int bad = 0;
    for (int i = 0; i < n; i++) {
        bad |= set_time(object, keys[i], value[i]);
        if (ci95[i].low <= ci95[i].high) {
            bad |= json_object_set_new(
                intervals, keys[i], json_pack("[o, o]", in_us(ci95[i].low), in_us(ci95[i].high)));
        }
    }
    if (json_object_size(intervals) > 0) {
        bad |= json_object_set(object, "ci95", intervals);
    }
    json_decref(intervals);
    return bad;
}

static json_t *section_json(const struct tan_p2p_section *s)
{
    json_t *object = json_object();
    int bad = json_object_set_new(object, "from_bytes", json_integer(s->from));
    if (s->to < most_bytes) {
        bad |= json_object_set_new(object, "to_bytes", json_integer(s->to));
    }
    const char *keys[TAN_P2P_PARAMS];
    for (int i = 0; i < TAN_P2P_PARAMS; i++) {
        keys[i] = tan_p2p_params[i].key;
    }
    bad |= tan_p2p_set_values(object, keys, TAN_P2P_PARAMS, s->value, s->ci95);
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *size_json(const struct tan_p2p_size *s)
{
    json_t *object = json_object();
    int bad = json_object_set_new(object, "bytes", json_integer(s->bytes));
    bad |= tan_p2p_set_values(object, tan_p2p_series_keys, TAN_P2P_SERIES, s->value, s->ci95);
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *tan_p2p_to_json(const struct tan_p2p *p)
{
    json_t *top = json_object();
    json_t *local = json_object();
    json_t *sections = json_array();
    json_t *sizes = json_array();
    int bad = 0;
    if (p->eager >= 0) {
        bad |= json_object_set_new(top, "eager_bytes", json_integer(p->eager));
    }
    if (p->alone >= 0) {
        bad |= json_object_set_new(top, "alone_bytes", json_integer(p->alone));
    }
    bad |= json_object_set_new(top, "transfer", json_string(tan_transfer_names[p->transfer]));
    bad |= json_object_set_new(top, "progress", json_string(tan_progress_names[p->progress]));
    bad |= set_time(top, "control_us", p->control);
    if (p->disturbed) {
        bad |= json_object_set_new(top, "disturbed", json_true());
    }
    bad |= set_time(local, "s_s_us", p->s_s);
    bad |= set_time(local, "s_r_us", p->s_r);
    bad |= set_time(local, "S_us_per_byte", p->S_byte);
    if (json_object_size(local) > 0) {
        bad |= json_object_set(top, "local", local);
    }
    for (size_t i = 0; i < p->n_sections; i++) {
        bad |= json_array_append_new(sections, section_json(&p->section[i]));
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        bad |= json_array_append_new(sizes, size_json(&p->size[i]));
    }
    bad |= json_object_set(top, "sections", sections);
    if (p->n_sizes > 0) {
        bad |= json_object_set(top, "sizes", sizes);
    }
    json_decref(local);
    json_decref(sections);
    json_decref(sizes);
    if (bad != 0) {
        json_decref(top);
        return NULL;
    }
    return top;
}
