/* failure_settings.h - wave time and what failures cost, by the value of a setting
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_FAILURE_SETTINGS_H
#define TAN_DESIGN_TARGETS_FAILURE_SETTINGS_H

#include "design/targets/choose.h"

struct tan_setting_failure {
    struct tan_setting setting;
    double wave; /* seconds; messages are not divided */
    int64_t max_fanout;
    struct tan_failure_cost cost;
};
enum { TAN_SETTING_FAILURES = 64 };

/* The first setting of a way, the default, and, if the first takes a value, powers of two over its
 * range and the widest one, by value; else the best values of the other settings. With the
 * problem's failures. Returns their number, at most TAN_SETTING_FAILURES; 0 beyond 2^20 processes,
 * and where one failure ends all. Fails only when memory is short. */
int tan_setting_failures(const struct tan_target_problem *problem, const struct tan_target_way *way,
                         struct tan_setting_failure out[TAN_SETTING_FAILURES], struct tan_error *e);

/* The wave without failures and the expected longest wait, in seconds; NaN if unknown. */
double tan_setting_expected(const struct tan_setting_failure *s);
/* The row with the least expected wave, of `n` > 0 rows. */
const struct tan_setting_failure *tan_least_expected(const struct tan_setting_failure *rows, int n);
/* Whether the setting's tree has a larger fanout than the parameters were measured with. */
bool tan_is_extrapolated(const struct tan_target_problem *p, const struct tan_setting_failure *s);

#endif
