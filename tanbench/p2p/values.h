/* values.h - values with their intervals, and errors, in tables and in JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_VALUES_H
#define TAN_TANBENCH_P2P_VALUES_H

#include "base/json.h"
#include "base/table.h"
#include "model/fit/p2p_fit.h"

/* `value` in `unit`s with as many digits as its interval supports; "-" when it could not be
 * identified. */
void p2p_value_cell(struct tan_table *table, double value, struct tan_interval ci, double unit);

void p2p_estimate_cell(struct tan_table *table, const struct tan_p2p_estimate *estimate,
                       double unit);

/* predicted / measured - 1; NaN if `measured` is within the error of measurement, which is 20 ns or
 * 1 % of the time `of` from which it was computed. All in seconds. */
double p2p_error(double predicted, double measured, double of);

/* Absolute values of relative errors. Zero: none. */
struct p2p_errors {
    size_t n;
    double mean, worst;
};
/* Add one; NaN is left out. */
void p2p_errors_add(struct p2p_errors *errors, double error);
/* An object with both; only if there are errors. */
void p2p_errors_set(struct tan_json_writer *w, json_t *object, const char *key,
                    const struct p2p_errors *errors);

/* Rounded to 9 significant digits. NULL when memory is short or `value` is not finite. */
json_t *p2p_rounded(double value);
/* Set a value rounded so; NaN: without the key. */
void p2p_set(struct tan_json_writer *w, json_t *object, const char *key, double value);
/* Set the known ones of `n` estimates, at most 4, in us, and "ci95" with their intervals. */
void p2p_set_estimates(struct tan_json_writer *w, json_t *object, const char *const *keys, int n,
                       const struct tan_p2p_estimate *estimate);

#endif
