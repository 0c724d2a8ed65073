/* answer.h - designs and predictions as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_ANSWER_H
#define TAN_ANSWER_ANSWER_H

#include <stdio.h>

#include "design/choice/design.h"
#include "design/choice/design_doubts.h"
#include "design/choice/forecast.h"
#include "design/choice/hosted.h"
#include "design/choice/pareto.h"
#include "design/systems/rules.h"
#include "design/systems/setting_answer.h"
#include "model/machine/given.h"

struct json_t;

/* Origin of the parameters. */
struct tan_provenance {
    const struct tan_machine *machine;
    const char *file;              /* NULL if the parameters are `given` */
    const struct tan_given *given; /* values that replace the file's; may be NULL: none */
};

/* Lines that name the machine and its file, doubts about it, and what is unusual: a stand-in, given
 * parameters, the messages, a model other than TAN, a cost of fanout that is assumed or zero.
 * `leaves`: 0 if there is no single number. */
void tan_report_machine(const struct tan_provenance *from, const struct tan_model *model,
                        const struct tan_doubts *doubts, int64_t leaves, FILE *to);
/* The recommended tree, the `listed` best ones, the rules of thumb. */
void tan_report_design(const struct tan_design *d, int listed, FILE *to);
/* How sure its choice is, in one sentence after an empty line; nothing without draws. */
void tan_report_design_sureness(const struct tan_design *d, FILE *to);
/* The recommended tree, compared with given ones. */
void tan_report_compared(const struct tan_design *d, const struct tan_compared *compared, size_t n,
                         FILE *to);
/* The rows of tan_fanouts for `leaves` leaves (0: without trees). */
void tan_report_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                        const struct tan_params *params, int64_t leaves, FILE *to);
/* The trees of tan_search_front. */
void tan_report_pareto(const struct tan_problem *problem, const struct tan_front *front,
                       const struct tan_plans *trees, FILE *to);
/* A design for hosts with several processes each. */
void tan_report_hosted(const struct tan_hosted_problem *problem, const struct tan_hosted_design *d,
                       FILE *to);
/* All models side by side, then the parts of the wave under `model`, for every tree. */
void tan_report_forecasts(const struct tan_forecast *forecasts, size_t n,
                          const struct tan_model *model, const struct tan_params *params, FILE *to);

/* The same as JSON: `tan-design/1`, `tan-fanouts/1`, `tan-pareto/1`, `tan-hosted/1` and
 * `tan-predict/1`. The caller owns the reference. NULL if memory is short or a text is not UTF-8.
 * `compared` may be NULL. */
struct json_t *tan_design_to_json(const struct tan_design *d, int listed,
                                  const struct tan_compared *compared, size_t n_compared,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_fanouts_to_json(const struct tan_fanout rows[TAN_FANOUTS],
                                   const struct tan_model *model, int64_t leaves,
                                   const struct tan_provenance *from,
                                   const struct tan_doubts *doubts);
struct json_t *tan_pareto_to_json(const struct tan_problem *problem, const struct tan_front *front,
                                  const struct tan_plans *trees, const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_hosted_to_json(const struct tan_hosted_problem *problem,
                                  const struct tan_hosted_design *d,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_forecasts_to_json(const struct tan_forecast *forecasts, size_t n,
                                     const struct tan_model *model,
                                     const struct tan_provenance *from,
                                     const struct tan_doubts *doubts);

/* The rules as a table. `error`: as in struct tan_rules_problem. */
void tan_report_rules(const struct tan_rules *rules, double error, FILE *to);
/* The same as JSON, `tan-rules/1`; the caller owns the reference. NULL if memory is short or a text
 * is not UTF-8. */
struct json_t *tan_rules_to_json(const struct tan_rules *rules, double error,
                                 const struct tan_model *model, const struct tan_provenance *from,
                                 const struct tan_doubts *doubts);

/* The best setting of one target, or the given one, in each direction: the wave of its tree, other
 * settings, defaults, constants of the target's own formula, how sure the choice is, and the lines
 * for its configuration. */
void tan_report_target(const struct tan_target_answer *answer, FILE *to);

/* What the setting of a way gains in expected waves with the problem's probability of failures, if
 * that is more than a hundredth, or without one how rare they must be for it to be the best; after
 * an empty line. */
void tan_report_expected(const struct tan_target_answer *answer, int way, FILE *to);
/* How sure the choice of each setting is, after a blank line each; nothing without error bars. */
void tan_report_sureness(const struct tan_target_answer *answer, FILE *to);

/* One row of the table of all targets. */
struct tan_target_row {
    struct tan_target_problem problem;
    struct tan_target_way way[2]; /* n_ways entries */
    int n_ways;
};
/* The rows in one table, in their order. */
void tan_report_targets(const struct tan_target_row *rows, size_t n, FILE *to);

/* The same as JSON, `tan-target/1` and `tan-targets/1`; the caller owns the reference. NULL if
 * memory is short or a text is not UTF-8. */
struct json_t *tan_target_to_json(const struct tan_target_answer *answer,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_targets_to_json(const struct tan_target_row *rows, size_t n,
                                   const struct tan_provenance *from,
                                   const struct tan_doubts *doubts);

#endif
