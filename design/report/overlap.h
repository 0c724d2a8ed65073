/* overlap.h - overlap of messages with computation, by mechanism
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_OVERLAP_H
#define TAN_DESIGN_REPORT_OVERLAP_H

#include <stdint.h>
#include <stdio.h>

#include "model/machine/p2p.h"

struct json_t;
struct tan_json_writer;

/* A table with a row for each of `n` sizes and each mechanism of LogGPO. O_s and O_r: the time that
 * Isend or Irecv, `computation` seconds and Wait take in addition to the computation. R_so and
 * R_ro: the share of its time that each side computes. Both follow from the event form of the model
 * (model/machine/loggp.h). Both sides start at once, except in case (a) of RAT, whose receive is
 * posted while the sender waits. The machine's own mechanism as in the file comes first, then every
 * mechanism by the formulas of [Chen 2009] with the file's parameters. Mechanisms with copies are
 * predicted only up to S, above which no copy is measured. */
void tan_overlap_print(const int64_t *bytes, size_t n, double computation, const struct tan_p2p *p,
                       FILE *to);
/* The same for one size, as a member "overlap" of `object`. */
void tan_overlap_set_json(struct tan_json_writer *w, struct json_t *object, int64_t bytes,
                          double computation, const struct tan_p2p *p);

#endif
