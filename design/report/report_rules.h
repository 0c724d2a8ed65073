/* report_rules.h - rules for ranges of members and sizes as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_REPORT_RULES_H
#define TAN_DESIGN_REPORT_REPORT_RULES_H

#include "design/report/report.h"
#include "design/targets/rules.h"

/* `error`: that of the problem, NaN if unknown. */
void tan_report_rules(const struct tan_rules *rules, double error, FILE *to);
/* `tan-rules/1`; the caller owns the reference. */
struct json_t *tan_rules_to_json(const struct tan_rules *rules, double error,
                                 const struct tan_provenance *from,
                                 const struct tan_doubts *doubts);

#endif
