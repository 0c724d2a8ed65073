/* report.h - a design and predictions as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_H
#define TAN_DESIGN_REPORT_H

#include <stdio.h>

#include "design/design.h"
#include "design/forecast.h"
#include "design/host_design.h"
#include "design/trust.h"

struct json_t;

/* Source of the parameters. */
struct tan_provenance {
    const struct tan_machine *machine;
    const char *file;
};

/* A line that names the machine and model of everything below; then the reasons, if any, not to
 * rely on it. */
void tan_report_machine(const struct tan_provenance *from, const struct tan_model *model,
                        const struct tan_trust *trust, FILE *to);
/* The recommended tree, the `listed` best, the rules of thumb. */
void tan_report_design(const struct tan_design *d, int listed, FILE *to);
/* A line on the model tan-host: what is simulated. */
void tan_report_host(const struct tan_machine *machine, FILE *to);
/* A design by tan-host. */
void tan_report_host_design(const struct tan_host_design *d, int listed, FILE *to);
/* All models side by side, then the parts of the wave under `model`, for every tree; or tan-host in
 * place of these parts, where it was asked for. */
void tan_report_forecasts(const struct tan_forecast *forecasts, size_t n,
                          const struct tan_model *model, FILE *to);

/* The same as JSON values, `tan-design/1` and `tan-predict/1`; the caller owns the reference. NULL
 * when memory is short or a text is no UTF-8. */
struct json_t *tan_design_to_json(const struct tan_design *d, int listed,
                                  const struct tan_provenance *from, const struct tan_trust *trust);
struct json_t *tan_host_design_to_json(const struct tan_host_design *d, int listed,
                                       const struct tan_provenance *from,
                                       const struct tan_trust *trust);
struct json_t *tan_forecasts_to_json(const struct tan_forecast *forecasts, size_t n,
                                     const struct tan_model *model,
                                     const struct tan_provenance *from,
                                     const struct tan_trust *trust);

#endif
