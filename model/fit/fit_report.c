/* fit_report.c - text output of fits
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/fit.h"

#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"

static const double us = 1e-6;

/* "0" for values below the resolution of clocks. */
static struct tan_text us_text(double seconds, double half, double finest)
{
    return seconds / us < finest ? tan_printed("0") : tan_value_text(seconds / us, half);
}

/* Of an interval, for the digits of its value: a third of the half-width, so that one from 15 to 26
 * has two digits, from 2 to 6 one; 0 if it is not known. In us. */
static double spread_of(struct tan_interval ci, double finest)
{
    return tan_interval_known(ci) ? fmax((ci.high - ci.low) / 6 / us, finest) : 0;
}

/* A value and its interval, as two cells; NaN: no value. `finest`: in us, what prints as 0 below.
 */
static void print_value(double value, struct tan_interval ci, double finest, const char *remark,
                        struct tan_table *table)
{
    const double half = spread_of(ci, finest);
    tan_table_cell(table, "%s", isnan(value) ? "-" : us_text(value, half, finest).text);
    if (!tan_interval_known(ci)) {
        tan_table_cell(table, "%s", remark);
        return;
    }
    const struct tan_text low = us_text(ci.low, half, finest);
    const struct tan_text high = us_text(ci.high, half, finest);
    const bool wide = strcmp(low.text, high.text) != 0;
    tan_table_cell(table, "%s%s%s%s%s", low.text, wide ? " to " : "", wide ? high.text : "",
                   remark[0] != '\0' ? ", " : "", remark);
}

static const char not_identifiable[] = "not identifiable";

/* In us: the resolution of clocks, or what c adds to four digits of a level's time. */
static double finest_of(const struct tan_params *params, enum tan_param p)
{
    const double most = (double)params->max_fanout;
    const double level = params->value[TAN_L] + params->value[TAN_A];
    return p != TAN_C2 ? 1e-4 : most > 0 ? fmax(1e-8, 1e-4 * level / us / (most * most)) : 1e-8;
}

static void print_param(const struct tan_params *params, enum tan_param p, bool identifiable,
                        bool at_bound, struct tan_table *table)
{
    const double finest = finest_of(params, p);
    const struct tan_interval ci = params->ci95[p];
    const bool given = p == TAN_L && params->n_draws > 0 && !tan_interval_known(ci);
    print_value(params->unidentified[p] ? NAN : params->value[p], ci, finest,
                !identifiable ? not_identifiable
                : given       ? "as given"
                : at_bound    ? "at bound 0"
                              : "",
                table);
}

/* The time of a hop, L + 2a, of which waves without a latency do not say how it is divided. */
static void print_hop(const struct tan_fit *fit, struct tan_table *table)
{
    const struct tan_params *params = &fit->params;
    struct tan_interval ci = TAN_INTERVAL_UNKNOWN;
    double draw[TAN_FIT_DRAWS];
    for (int i = 0; i < params->n_draws; i++) {
        const double *value = params->draws + (size_t)i * TAN_PARAMS;
        draw[i] = value[TAN_L] + 2 * value[TAN_A];
    }
    if (params->n_draws > 1) {
        ci = tan_central_interval(draw, (size_t)params->n_draws);
    }
    print_value(params->value[TAN_L] + 2 * params->value[TAN_A], ci, 1e-4,
                fit->identifiable[TAN_C0] ? "" : not_identifiable, table);
}

/* "L", "L + 2a" where they cannot be told apart, "a, o_s" for models of both kinds: what a row of
 * parameters says. */
static struct tan_text row_label(const struct tan_named_fit *fits, int n, enum tan_param p)
{
    struct tan_text label = {""};
    for (int i = 0; i < n; i++) {
        const struct tan_params *params = &fits[i].fit->params;
        const bool together = p == TAN_L && params->unidentified[TAN_L];
        const char *symbol = together ? "L + 2a" : tan_param_symbol(params->method, (int)p);
        const bool fits_it = p != TAN_G || params->method == TAN_METHOD_OVERLAP;
        if (fits_it && strstr(label.text, symbol) == NULL) {
            label = tan_printed("%s%s%s", label.text, *label.text != '\0' ? ", " : "", symbol);
        }
    }
    return label;
}

static void print_cells(const struct tan_fit *fit, enum tan_param p, struct tan_table *table)
{
    const bool overlap = fit->params.method == TAN_METHOD_OVERLAP;
    const bool together = fit->params.unidentified[TAN_L];
    if ((p == TAN_G && !overlap) || (p == TAN_A && together)) {
        tan_table_cell(table, "%s", ""); /* no experiment separates g from overhead */
        tan_table_cell(table, "%s", "");
    } else if (p == TAN_L && together) {
        print_hop(fit, table);
    } else {
        print_param(&fit->params, p, fit->identifiable[p], !overlap && fit->at_bound[p], table);
    }
}

/* A parameter in the formula of a level: its number as in the table, or its symbol. */
static struct tan_text term_text(const struct tan_params *params, enum tan_param p)
{
    const double finest = finest_of(params, p);
    return params->unidentified[p]
               ? tan_printed("%s", tan_param_symbol(params->method, (int)p))
               : us_text(params->value[p], spread_of(params->ci95[p], finest), finest);
}

/* What the parameters of TAN mean. */
static void print_level(const struct tan_params *params, FILE *to)
{
    const bool together = params->unidentified[TAN_L];
    const char *of_L = together ? "" : " L includes the overheads of both ends.";
    const double hop = params->value[TAN_L] + 2 * params->value[TAN_A];
    const struct tan_text L = term_text(params, TAN_L);
    const struct tan_text a = term_text(params, TAN_A);
    const struct tan_text b = term_text(params, TAN_B);
    const struct tan_text c = term_text(params, TAN_C2);
    if (params->method == TAN_METHOD_PAPER) {
        tan_text_say(
            to,
            "By TAN, method paper, a level of x children takes L + o(x + 1) with o(x) = a + "
            "b x + c x^2, here %s + o(x + 1) us with o(x) = %s + %s x + %s x^2.%s",
            L.text, a.text, b.text, c.text, of_L);
    } else {
        tan_text_say(
            to,
            "By TAN, method joint, a level of x children takes L + 2a + b (x - 1) + c (x^2 "
            "- 1), here %s%s%s + %s (x - 1) + %s (x^2 - 1) us.%s",
            together ? tan_value_text(hop / us, 0).text : L.text, together ? "" : " + 2 * ",
            together ? "" : a.text, b.text, c.text, of_L);
    }
}

static void print_notes(const struct tan_fit *fit, FILE *to)
{
    const bool overlap = fit->params.method == TAN_METHOD_OVERLAP;
    struct tan_doubts notes = {.n = 0};
    if (fit->params.nic_shared) {
        fprintf(to, "Messages share a sender's and a receiver's NIC; one by one they fit worse.\n");
    }
    if (overlap) {
        tan_fit_tell(fit, &notes);
        tan_doubts_print(&notes, TAN_NOTE, to);
        tan_doubts_clear(&notes);
    }
    for (size_t i = 0; i < fit->notes.n && !overlap; i++) {
        fputs("Note: ", to);
        tan_text_wrap(to, fit->notes.row[i].text, 6, 6);
    }
}

void tan_fits_print(const struct tan_named_fit *fits, int n, FILE *to)
{
    const char *headings[1 + 2 * TAN_METHODS] = {"<us"};
    for (int i = 0; i < n; i++) {
        headings[1 + 2 * i] = fits[i].name;
        headings[2 + 2 * i] = "<95 % interval";
    }
    struct tan_table *table = tan_table_create(headings, 1 + 2 * n);
    for (int p = 0; p < TAN_PARAMS; p++) {
        const struct tan_text label = row_label(fits, n, (enum tan_param)p);
        if (*label.text == '\0' ||
            (p == TAN_A && n == 1 && fits[0].fit->params.unidentified[TAN_L])) {
            continue;
        }
        tan_table_cell(table, "%s", label.text);
        for (int i = 0; i < n; i++) {
            print_cells(fits[i].fit, (enum tan_param)p, table);
        }
    }
    tan_table_hide_empty(table);
    tan_table_print(table, to);
    for (int i = 0; i < n; i++) {
        if (fits[i].fit->params.method != TAN_METHOD_OVERLAP) {
            print_level(&fits[i].fit->params, to);
        }
    }
}

void tan_fits_print_notes(const struct tan_named_fit *fits, int n, FILE *to)
{
    bool intervals = false;
    for (int i = 0; i < n * TAN_PARAMS; i++) {
        intervals |= tan_interval_known(fits[i / TAN_PARAMS].fit->params.ci95[i % TAN_PARAMS]);
    }
    if (intervals) {
        fprintf(to, "Intervals hold for all parameters of a model at once.\n");
    }
    for (int i = 0; i < n; i++) {
        print_notes(fits[i].fit, to);
    }
}
