/* report.h - a design and predictions as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_REPORT_H
#define TAN_DESIGN_REPORT_REPORT_H

#include <stdio.h>

#include "design/choice/compare.h"
#include "design/choice/design.h"
#include "design/choice/doubts.h"
#include "design/choice/fanouts.h"
#include "design/choice/forecast.h"
#include "design/choice/hosted.h"
#include "model/machine/given.h"

struct json_t;

/* Source of the parameters. */
struct tan_provenance {
    const struct tan_machine *machine;
    const char *file;              /* NULL: none, the parameters are `given` */
    const struct tan_given *given; /* what replaces values of the file; NULL: nothing can */
};

/* Lines that name the machine and its file, the reasons, if any, not to rely on it, and what is
 * special: a stand-in, given parameters, the messages, another model than TAN, a cost of fanout
 * that is assumed or nothing. `leaves`: 0 when there is no one number. */
void tan_report_machine(const struct tan_provenance *from, const struct tan_model *model,
                        const struct tan_doubts *doubts, int64_t leaves, FILE *to);
/* The recommended tree, the `listed` best, the rules of thumb. */
void tan_report_design(const struct tan_design *d, int listed, FILE *to);
/* The recommended tree, and given ones beside it. */
void tan_report_compared(const struct tan_design *d, const struct tan_compared *compared, size_t n,
                         FILE *to);
/* The rows of tan_fanouts, of `leaves` leaves (0: no trees). */
void tan_report_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                        const struct tan_params *params, int64_t leaves, FILE *to);
/* The trees of tan_pareto. */
void tan_report_pareto(const struct tan_problem *problem, const struct tan_plans *front, FILE *to);
/* A design for hosts with several processes each. */
void tan_report_hosted(const struct tan_hosted_problem *problem, const struct tan_hosted_design *d,
                       FILE *to);
/* All models side by side, then the parts of the wave under `model`, for every tree. */
void tan_report_forecasts(const struct tan_forecast *forecasts, size_t n,
                          const struct tan_model *model, const struct tan_params *params, FILE *to);

/* The same as JSON values, `tan-design/1`, `tan-fanouts/1`, `tan-pareto/1`, `tan-hosted/1` and
 * `tan-predict/1`; the
 * caller owns the reference. NULL when memory is short or a text is no UTF-8. `compared` may be
 * NULL. */
struct json_t *tan_design_to_json(const struct tan_design *d, int listed,
                                  const struct tan_compared *compared, size_t n_compared,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_fanouts_to_json(const struct tan_fanout rows[TAN_FANOUTS],
                                   const struct tan_model *model, int64_t leaves,
                                   const struct tan_provenance *from,
                                   const struct tan_doubts *doubts);
struct json_t *tan_pareto_to_json(const struct tan_problem *problem, const struct tan_plans *front,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_hosted_to_json(const struct tan_hosted_problem *problem,
                                  const struct tan_hosted_design *d,
                                  const struct tan_provenance *from,
                                  const struct tan_doubts *doubts);
struct json_t *tan_forecasts_to_json(const struct tan_forecast *forecasts, size_t n,
                                     const struct tan_model *model,
                                     const struct tan_provenance *from,
                                     const struct tan_doubts *doubts);

#endif
