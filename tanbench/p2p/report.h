/* report.h - measured messages as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_REPORT_H
#define TAN_TANBENCH_P2P_REPORT_H

#include <stdio.h>

#include "tanbench/p2p/datatypes.h"
#include "tanbench/p2p/send_modes.h"
#include "tanbench/sampling/p2p_samples.h"

/* Findings about messages between two ranks. */
struct p2p_findings {
    struct p2p_measurement measured; /* owned */
    struct tan_p2p_limits protocol;
    struct tan_p2p *p2p;              /* fitted; owned; NULL before there were enough passes */
    int64_t max_bytes;                /* size of the longest message tried */
    struct p2p_modes_found modes;     /* n 0 if not requested */
    struct p2p_vectors_found vectors; /* likewise */
};

void p2p_print(const struct p2p_findings *f, FILE *to);
/* Set "p2p", the block of a machine file, and "samples". */
void p2p_findings_set(struct tan_json_writer *w, json_t *document, const struct p2p_findings *f);

/* Print a sentence if interference affected too many samples. */
void p2p_print_disturbed(const struct p2p_measurement *m, FILE *to);
/* For size number `size`: set all samples of one timing, in us; and for each sample of a group
 * whether it was quiet. */
void p2p_samples_set(struct tan_json_writer *w, json_t *object, const char *key,
                     const struct p2p_measurement *m, size_t size, enum tan_p2p_timing t);
void p2p_quiet_set(struct tan_json_writer *w, json_t *object, const char *key,
                   const struct p2p_measurement *m, size_t size, enum p2p_group group);

#endif
