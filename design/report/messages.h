/* messages.h - predictions of every point-to-point model for single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_MESSAGES_H
#define TAN_DESIGN_REPORT_MESSAGES_H

#include <stdio.h>

#include "design/report/report.h"
#include "model/machine/p2p.h"

/* Fail unless the machine file has a p2p block. */
int tan_messages_check(const struct tan_provenance *from, struct tan_error *e);
/* The same, and unless it has the parameters of some model. */
int tan_messages_check_models(const struct tan_provenance *from, struct tan_error *e);
/* One row for each size, one column for each model with known parameters; then the times until the
 * sender may continue; and beside `computation` seconds (NaN: none is asked for), the overlap. */
void tan_messages_print(const int64_t *bytes, size_t n, double computation,
                        const struct tan_provenance *from, FILE *to);
/* The same as `tan-p2p/1`; the caller owns the reference. NULL when memory is short or a text is no
 * UTF-8. */
struct json_t *tan_messages_to_json(const int64_t *bytes, size_t n, double computation,
                                    const struct tan_provenance *from);

#endif
