/* report.h - measured messages as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_REPORT_H
#define TAN_TANBENCH_P2P_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "tanbench/p2p/datatypes.h"
#include "tanbench/p2p/send_modes.h"
#include "tanbench/sampling/p2p_samples.h"

/* Findings about messages between two ranks. */
struct p2p_findings {
    struct p2p_measurement measured; /* owned */
    struct tan_p2p_limits protocol;
    struct tan_p2p *p2p;          /* fitted; owned; NULL before there were enough passes */
    json_t *limits;               /* the library's own eager limits; borrowed; NULL if unknown */
    int64_t max_bytes;            /* size of the longest message tried */
    struct p2p_modes_found modes; /* n 0 if not requested */
    struct p2p_vectors_found vectors; /* likewise */
};

void p2p_print(const struct p2p_findings *f, FILE *to);
/* An object of `p2p`, the block of a machine file, and `samples`. A new reference; NULL when memory
 * is short. */
json_t *p2p_findings_json(const struct p2p_findings *f);

/* Print a sentence if interference affected too many samples. */
void p2p_print_disturbed(const struct p2p_measurement *m, FILE *to);
/* For size number `size`: all samples of one timing, in us; and for each sample of a group whether
 * it was quiet. New references; NULL when memory is short. */
json_t *p2p_samples_json(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing t);
json_t *p2p_quiet_json(const struct p2p_measurement *m, size_t size, enum p2p_group group);

#endif
