/* p2p_json.c - p2p block of machine files: reading and writing
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "model/machine/p2p.h"
#include "model/machine/params.h"

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
static const char *const series_keys[TAN_P2P_SERIES] = {
    "half_us",       "o_s_us",          "o_r_us", "gap_us", "send_us",
    "duplex_gap_us", "duplex_first_us", "O_i_us", "O_c_us"};
const char *const tan_transfer_names[TAN_TRANSFERS] = {"unknown", "T", "TA", "RTA", "RAT"};
const char *const tan_progress_names[TAN_PROGRESSES] = {"unknown", "dependent", "independent"};

static const char *const local_keys[] = {"s_s_us", "s_r_us", "S_us_per_byte"};
enum { LOCAL = sizeof local_keys / sizeof local_keys[0] };

static const double us = 1e-6;
static const int64_t most_bytes = INT64_C(1) << 50;

/* Reading */

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
        if (tan_times_read(at, &row->key, 1, row->may_be_negative ? -TAN_MOST_US : 0.0,
                           &s->value[i], &s->ci95[i], e) < 0) {
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
                          e) < 0 ||
        tan_times_read(at, series_keys, TAN_P2P_SERIES, 0.0, s->value, s->ci95, e) < 0) {
        return -1;
    }
    p->n_sizes++;
    return 0;
}

/* The index of a word among names; 0 if absent, -1 with an error that lists them. */
static int read_word(const struct tan_json_at *at, const char *key, struct tan_choices names,
                     struct tan_error *e)
{
    const char *word = tan_choice_name(names, 0);
    if (tan_json_string(at, key, &word, e) < 0) {
        return -1;
    }
    const int row = tan_choice_find(names, key, word, NULL);
    return row >= 0 ? row
                    : tan_fail_at(e, at->source, 0, 0, "%s.%s must be one of %s, not \"%s\"",
                                  at->path, key, tan_choice_list(names).text, word);
}

static int read_local(const struct tan_json_at *at, struct tan_p2p *p, struct tan_error *e)
{
    const json_t *object = NULL;
    double time[LOCAL];
    if (tan_json_object(at, "local", &object, e) < 0) {
        return -1;
    }
    const struct tan_json_at local = tan_json_below(at, "p2p.local", object);
    if (tan_times_read(&local, local_keys, LOCAL, 0.0, time, NULL, e) < 0) {
        return -1;
    }
    p->s_s = time[0];
    p->s_r = time[1];
    p->S_byte = time[2];
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
    const int transfer = read_word(at, "transfer", TAN_CHOICES(tan_transfer_names), e);
    const int progress = read_word(at, "progress", TAN_CHOICES(tan_progress_names), e);
    p->eager = p->alone = -1;
    if (transfer < 0 || progress < 0 ||
        tan_json_int(at, "eager_bytes", 0, most_bytes, &p->eager, e) < 0 ||
        tan_json_int(at, "alone_bytes", 0, p->eager < 0 ? most_bytes : p->eager, &p->alone, e) <
            0 ||
        tan_json_real(at, "control_us", 0.0, TAN_MOST_US, &control, e) < 0 ||
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

static void append_section(struct tan_json_writer *w, json_t *sections,
                           const struct tan_p2p_section *s)
{
    const char *keys[TAN_P2P_PARAMS];
    json_t *object = tan_json_append_object(w, sections);
    tan_json_set_int(w, object, "from_bytes", s->from);
    if (s->to < most_bytes) {
        tan_json_set_int(w, object, "to_bytes", s->to);
    }
    for (int i = 0; i < TAN_P2P_PARAMS; i++) {
        keys[i] = tan_p2p_params[i].key;
    }
    tan_times_set(w, object, keys, TAN_P2P_PARAMS, s->value, s->ci95, TAN_P2P_DIGITS);
}

json_t *tan_p2p_to_json(const struct tan_p2p *p)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    const char *control_key = "control_us";
    const double local[LOCAL] = {p->s_s, p->s_r, p->S_byte};
    if (p->eager >= 0) {
        tan_json_set_int(&w, top, "eager_bytes", p->eager);
    }
    if (p->alone >= 0) {
        tan_json_set_int(&w, top, "alone_bytes", p->alone);
    }
    tan_json_set_string(&w, top, "transfer", tan_transfer_names[p->transfer]);
    tan_json_set_string(&w, top, "progress", tan_progress_names[p->progress]);
    tan_times_set(&w, top, &control_key, 1, &p->control, NULL, TAN_P2P_DIGITS);
    tan_json_set_true(&w, top, "disturbed", p->disturbed);
    if (!isnan(p->s_s) || !isnan(p->s_r) || !isnan(p->S_byte)) {
        tan_times_set(&w, tan_json_set_object(&w, top, "local"), local_keys, LOCAL, local, NULL,
                      TAN_P2P_DIGITS);
    }
    json_t *sections = tan_json_set_array(&w, top, "sections");
    for (size_t i = 0; i < p->n_sections; i++) {
        append_section(&w, sections, &p->section[i]);
    }
    json_t *sizes = p->n_sizes > 0 ? tan_json_set_array(&w, top, "sizes") : NULL;
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *s = &p->size[i];
        json_t *object = tan_json_append_object(&w, sizes);
        tan_json_set_int(&w, object, "bytes", s->bytes);
        tan_times_set(&w, object, series_keys, TAN_P2P_SERIES, s->value, s->ci95, TAN_P2P_DIGITS);
    }
    return tan_json_finish(&w, top);
}
