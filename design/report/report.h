/* report.h - designs and predictions as text and JSON
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
#include "design/choice/pareto.h"
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
/* The trees of tan_pareto. */
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

#endif
