/* overlap.h - overlap of messages with computation, by mechanism
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_OVERLAP_H
#define TAN_DESIGN_REPORT_OVERLAP_H

#include <stdint.h>
#include <stdio.h>

#include "model/machine/p2p.h"

struct json_t;
struct tan_json_writer;

/* For each of `n` sizes and each mechanism of LogGPO: what Isend and Irecv, `computation` seconds
 * and Wait take beyond the computation, O_s and O_r, and the share of its time that a side
 * computes, R_so and R_ro, by the model's event form (model/machine/loggpo.h). Both calls come at
 * once; case (a) of RAT is the one whose receive comes when the sender waits. First the machine's
 * own mechanism as the file has it, then all of them by the formulas of [Chen 2009] with the file's
 * parameters: those of copies only up to S, beyond which none is measured. */
void tan_overlap_print(const int64_t *bytes, size_t n, double computation, const struct tan_p2p *p,
                       FILE *to);
/* The same of one size, as a member "overlap" of `object`. */
void tan_overlap_set_json(struct tan_json_writer *w, struct json_t *object, int64_t bytes,
                          double computation, const struct tan_p2p *p);

#endif
