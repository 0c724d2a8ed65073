/* expected.h - the setting with the least expected wave when processes fail, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_EXPECTED_H
#define TAN_DESIGN_REPORT_EXPECTED_H

#include "base/json_writer.h"
#include "design/report/phrases.h"
#include "design/targets/answer.h"
#include "design/targets/failure_settings.h"

/* The wave without failures and the expected longest wait, in seconds; NaN if unknown. */
double tan_setting_expected(const struct tan_setting_failure *s);
/* The row with the least expected wave, of `n` > 0 rows. */
const struct tan_setting_failure *tan_least_expected(const struct tan_setting_failure *rows, int n);
/* Whether the setting's tree has a larger fanout than the parameters were measured with. */
bool tan_is_extrapolated(const struct tan_target_problem *p, const struct tan_setting_failure *s);

/* Print, after an empty line, which setting has the least expected wave under the given failures
 * and what the best one, or the given one, loses; nothing where that is at most a hundredth. */
void tan_expected_print(const struct tan_target_answer *a, const struct tan_target_way *way,
                        FILE *to);
/* The same as "least_expected" of an object, or nothing. */
void tan_expected_set(struct tan_json_writer *w, json_t *object, const struct tan_target_answer *a,
                      const struct tan_target_way *way);

#endif
