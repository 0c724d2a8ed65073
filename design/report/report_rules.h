/* report_rules.h - rules for ranges of members and sizes as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_REPORT_RULES_H
#define TAN_DESIGN_REPORT_REPORT_RULES_H

#include "design/report/report.h"
#include "design/targets/rules.h"

/* The rules as a table. `error`: as in struct tan_rules_problem. */
void tan_report_rules(const struct tan_rules *rules, double error, FILE *to);
/* The same as JSON, `tan-rules/1`; the caller owns the reference. NULL if memory is short or a text
 * is not UTF-8. */
struct json_t *tan_rules_to_json(const struct tan_rules *rules, double error,
                                 const struct tan_model *model, const struct tan_provenance *from,
                                 const struct tan_doubts *doubts);

#endif
