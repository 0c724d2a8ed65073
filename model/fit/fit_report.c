/* fit_report.c - text output of fits
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/fit_report.h"

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

/* A parameter's value and interval, as two cells. */
static void print_param(const struct tan_params *params, enum tan_param p, bool identifiable,
                        bool at_bound, struct tan_table *table)
{
    const struct tan_interval ci = params->ci95[p];
    /* us, the resolution of clocks; c is multiplied by x^2 */
    const double finest = p == TAN_C2 ? 1e-8 : 1e-4;
    /* A third of the half-width: an interval from 15 to 26 has two digits, from 2 to 6 one. */
    const double half = tan_interval_known(ci) ? fmax((ci.high - ci.low) / 6 / us, finest) : 0;
    const char *bound = at_bound ? "at bound 0" : "";
    char value[32];
    char low[32];
    char high[32];
    if (params->unidentified[p]) {
        snprintf(value, sizeof value, "-");
    } else {
        format_us(params->value[p], half, finest, value);
    }
    tan_table_cell(table, "%s", value);
    const char *unknown = "not identifiable";
    if (tan_interval_known(ci)) {
        const char *remark = identifiable ? bound : unknown;
        format_us(ci.low, half, finest, low);
        format_us(ci.high, half, finest, high);
        const bool wide = strcmp(low, high) != 0;
        tan_table_cell(table, "%s%s%s%s%s", low, wide ? " to " : "", wide ? high : "",
                       remark[0] != '\0' ? ", " : "", remark);
    } else if (!identifiable) {
        tan_table_cell(table, "%s", unknown);
    } else {
        const bool given = p == TAN_L && params->n_draws > 0;
        tan_table_cell(table, "%s", given ? "as given" : bound);
    }
}

static void print_params(const struct tan_fit *fit, const struct tan_fit *other, FILE *to)
{
    const char *const headings[] = {"<us", tan_method_name(fit->params.method), "<95 % interval",
                                    other != NULL ? tan_method_name(other->params.method) : "",
                                    "<95 % interval"};
    struct tan_table *table = tan_table_create(headings, other != NULL ? 5 : 3);
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (p == TAN_G) {
            continue; /* no experiment separates it from overhead */
        }
        tan_table_cell(table, "%s", tan_param_symbol(fit->params.method, p));
        print_param(&fit->params, (enum tan_param)p, fit->identifiable[p], fit->at_bound[p], table);
        if (other != NULL) {
            print_param(&other->params, (enum tan_param)p, other->identifiable[p],
                        other->at_bound[p], table);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void print_growth(const struct tan_fit *fit, FILE *to)
{
    if (fit->best_growth < 0) {
        fprintf(to, "Growth of overhead with fanout: not identifiable\n");
        return;
    }
    fprintf(to, "Growth of overhead with fanout: %s fits best (AICc)\n  R2: ",
            fit->growth[fit->best_growth].name);
    for (int i = 0; i < TAN_GROWTHS; i++) {
        fprintf(to, "%s%s %.4f", i == 0 ? "" : ", ", fit->growth[i].name, fit->growth[i].r2);
    }
    fprintf(to, "\n");
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
    if (fit->best_growth >= 0 || !fit->identifiable[TAN_C2]) {
        print_growth(fit, to);
    }
}

void tan_overlap_fit_print(const struct tan_overlap_fit *fit, FILE *to)
{
    static const char *const headings[] = {"<us", "tan-overlap", "<95 % interval"};
    const struct tan_params params = tan_overlap_fit_params(fit);
    struct tan_table *table = tan_table_create(headings, 3);
    for (int p = 0; p < TAN_PARAMS; p++) {
        tan_table_cell(table, "%s", tan_param_symbol(TAN_METHOD_OVERLAP, p));
        print_param(&params, (enum tan_param)p, fit->identifiable[p], false, table);
    }
    fputc('\n', to);
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (fit->exchangeable) {
        fputs("Note: ", to);
        tan_text_wrap(
            to,
            "o_s and o_r could be exchanged: waves of a binomial tree, with little noise, "
            "tell them apart",
            6, 6);
    }
}

void tan_latency_print(const struct tan_latency *l, FILE *to)
{
    fprintf(to, "Latency: mean %.4g us, median %.4g, min %.4g, max %.4g, deviation %.3g\n",
            l->mean / us, l->median / us, l->min / us, l->max / us, l->stddev / us);
}

void tan_histogram_print(const struct tan_histogram *h, FILE *to)
{
    enum { LINES = 20, MAX_BAR = 50 };
    static const char bar[MAX_BAR + 1] = "##################################################";
    const int together = (h->bins + LINES - 1) / LINES;
    int64_t line[LINES] = {0};
    int64_t most = 1;
    for (int i = 0; i < h->bins; i++) {
        line[i / together] += h->count[i];
        most = line[i / together] > most ? line[i / together] : most;
    }
    struct tan_table *table = tan_table_create((const char *[]){"from us", "samples", "<"}, 3);
    for (int i = 0; i * together < h->bins; i++) {
        tan_table_cell(table, "%.6g", (h->low + i * together * h->width) / us);
        tan_table_cell(table, "%" PRId64, line[i]);
        tan_table_cell(table, "%.*s", (int)((MAX_BAR * line[i] + most - 1) / most), bar);
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (h->above > 0) {
        fprintf(to, "and %" PRId64 " above\n", h->above);
    }
}
