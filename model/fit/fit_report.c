/* fit_report.c - text output of fits
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/fit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"

static const double us = 1e-6;

/* "0" for values below the resolution of clocks. */
static const char *format_us(double seconds, double half, double finest, char text[32])
{
    if (seconds / us < finest) {
        return strcpy(text, "0");
    }
    return tan_format_value(seconds / us, half, text, 32);
}

/* A value and its interval, as two cells; NaN: no value. `finest`: in us, what prints as 0 below.
 */
static void print_value(double value, struct tan_interval ci, double finest, const char *remark,
                        struct tan_table *table)
{
    /* A third of the half-width: an interval from 15 to 26 has two digits, from 2 to 6 one. */
    const double half = tan_interval_known(ci) ? fmax((ci.high - ci.low) / 6 / us, finest) : 0;
    char text[32] = "-";
    char low[32];
    char high[32];
    tan_table_cell(table, "%s", isnan(value) ? text : format_us(value, half, finest, text));
    if (!tan_interval_known(ci)) {
        tan_table_cell(table, "%s", remark);
        return;
    }
    format_us(ci.low, half, finest, low);
    format_us(ci.high, half, finest, high);
    const bool wide = strcmp(low, high) != 0;
    tan_table_cell(table, "%s%s%s%s%s", low, wide ? " to " : "", wide ? high : "",
                   remark[0] != '\0' ? ", " : "", remark);
}

static const char not_identifiable[] = "not identifiable";

static void print_param(const struct tan_params *params, enum tan_param p, bool identifiable,
                        bool at_bound, struct tan_table *table)
{
    /* us, the resolution of clocks; c is multiplied by x^2 */
    const double finest = p == TAN_C2 ? 1e-8 : 1e-4;
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

static void print_params(const struct tan_fit *fit, const struct tan_fit *other, FILE *to)
{
    const char *const headings[] = {"<us", tan_method_name(fit->params.method), "<95 % interval",
                                    other != NULL ? tan_method_name(other->params.method) : "",
                                    "<95 % interval"};
    const bool together = fit->params.unidentified[TAN_L];
    struct tan_table *table = tan_table_create(headings, other != NULL ? 5 : 3);
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (p == TAN_G || (p == TAN_A && together)) {
            continue; /* no experiment separates g from overhead */
        }
        if (p == TAN_L && together) {
            tan_table_cell(table, "L + 2a");
            print_hop(fit, table);
            if (other != NULL) {
                print_hop(other, table);
            }
            continue;
        }
        tan_table_cell(table, "%s", tan_param_symbol(fit->params.method, p));
        print_param(&fit->params, (enum tan_param)p, fit->identifiable[p], fit->at_bound[p], table);
        if (other != NULL) {
            print_param(&other->params, (enum tan_param)p, other->identifiable[p],
                        other->at_bound[p], table);
        }
    }
    tan_table_print(table, to);
}

void tan_fit_print(const struct tan_fit *fit, const struct tan_fit *other, FILE *to)
{
    bool intervals = false;
    for (int p = 0; p < TAN_PARAMS; p++) {
        intervals = intervals || tan_interval_known(fit->params.ci95[p]);
    }
    print_params(fit, other, to);
    fputc('\n', to);
    if (intervals) {
        fprintf(to, "Intervals hold for all parameters of a method at once.\n");
    }
    for (int i = 0; i < fit->n_notes; i++) {
        fputs("Note: ", to);
        tan_text_wrap(to, fit->notes[i], 6, 6);
    }
    if (!isnan(fit->r2_chain)) {
        fprintf(to, "R2 of the chains' medians: %.4f\n", fit->r2_chain);
    }
    if (!isnan(fit->r2_nto1)) {
        fprintf(to, "R2 of the N-to-1 trees' medians: %.4f\n", fit->r2_nto1);
    }
}

void tan_fit_print_overlap(const struct tan_fit *fit, FILE *to)
{
    static const char *const headings[] = {"<us", "tan-overlap", "<95 % interval"};
    struct tan_table *table = tan_table_create(headings, 3);
    for (int p = 0; p < TAN_PARAMS; p++) {
        tan_table_cell(table, "%s", tan_param_symbol(TAN_METHOD_OVERLAP, p));
        print_param(&fit->params, (enum tan_param)p, fit->identifiable[p], false, table);
    }
    fputc('\n', to);
    tan_table_print(table, to);
    if (fit->params.nic_shared) {
        fprintf(to, "Messages share a sender's and a receiver's NIC; one by one they fit worse.\n");
    }
    struct tan_doubts notes = {.n = 0};
    tan_fit_tell(fit, &notes);
    tan_doubts_print(&notes, TAN_NOTE, to);
    tan_doubts_clear(&notes);
}

void tan_latency_print(const struct tan_latency *l, FILE *to)
{
    fprintf(to, "Latency: mean %.4g us, median %.4g, min %.4g, max %.4g, deviation %.3g\n",
            l->mean / us, l->median / us, l->min / us, l->max / us, l->stddev / us);
}
