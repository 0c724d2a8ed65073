/* expected.h - what failing processes mean for the choice of a setting, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_EXPECTED_H
#define TAN_DESIGN_REPORT_EXPECTED_H

#include "base/json_writer.h"
#include "design/report/phrases.h"
#include "design/targets/answer.h"
#include "design/targets/failure_settings.h"

/* Print, after an empty line, what the setting of a way gains in expected waves by the given
 * probability of failures, if more than a hundredth; without one, how rare failures have to be for
 * its gain over the default, if it waits longer for them. */
void tan_expected_print(const struct tan_target_answer *a, int way, FILE *to);
/* The same as "least_expected" or "break_even" of an object, or nothing. */
void tan_expected_set(struct tan_json_writer *w, json_t *object, const struct tan_target_answer *a,
                      int way);

#endif
