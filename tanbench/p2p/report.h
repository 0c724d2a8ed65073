/* report.h - measured messages as people and as programs read them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_REPORT_H
#define TANBENCH_P2P_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "tanbench/p2p/contention.h"
#include "tanbench/p2p/datatypes.h"
#include "tanbench/p2p/measure.h"
#include "tanbench/p2p/send_modes.h"

/* How much of a message computation hides. */
struct p2p_hidden {
    int64_t bytes;
    double computation; /* seconds that each side computed, in turn */
    double sender,
        receiver; /* O_s, O_r: overhead of the side that computes while the other waits */
};
enum { P2P_MOST_HIDDEN = 16 };

/* What is known of the messages of a job. */
struct p2p_findings {
    const struct p2p_measurement *measured;
    const struct p2p_conditions *conditions;
    struct tan_p2p *p2p; /* fitted; NULL for a validation */
    json_t *limits;      /* the library's own eager limits; NULL: not asked */
    int64_t most;        /* bytes of the longest message tried */
    struct p2p_hidden hidden[P2P_MOST_HIDDEN];
    size_t n_hidden;
    const struct p2p_kinds_found *kinds;     /* NULL: not asked for */
    const struct p2p_vectors_found *vectors; /* the same */
};

void p2p_print(const struct p2p_findings *f, FILE *to);
/* `p2p`, the fitted block with all else that was found, and `samples`, every one of them. The
 * caller owns the reference; NULL: memory is short. */
json_t *p2p_findings_json(const struct p2p_findings *f);

/* Measured half trips against what a machine predicts. */
struct p2p_comparison {
    const struct p2p_measurement *measured;
    const struct p2p_conditions *conditions; /* judged with the machine's */
    const struct tan_machine *machine;
    const char *file;
    json_t *environment; /* of this job */
};
/* How much slower (as a share) a core that nobody else used was than when the machine was measured;
 * NaN when the file does not tell, or none was free. */
double p2p_compare_core(const struct p2p_comparison *c);
void p2p_compare_print(const struct p2p_comparison *c, FILE *to);
/* `tan-p2p-validation/1`. */
json_t *p2p_compare_json(const struct p2p_comparison *c);

#endif
