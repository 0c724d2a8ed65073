/* calibrate.h - all measurements between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_CALIBRATE_H
#define TAN_TANBENCH_P2P_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/machine/p2p.h"
#include "tanbench/p2p/exchanges.h"
#include "tanbench/p2p/report.h"

enum { P2P_MAX_SIZES = 64 };

/* Strings are borrowed. */
struct p2p_request {
    bool calibrate;               /* write the findings to a machine file */
    const char *machine;          /* that file; NULL: the user's */
    const char *validate;         /* machine file to be compared with new measurements, or NULL */
    const char *name;             /* of a new machine; NULL: the host name */
    const char *json;             /* results file, or NULL */
    const char *report;           /* page, or NULL */
    int64_t sizes[P2P_MAX_SIZES]; /* bytes; n_sizes 0: defaults */
    size_t n_sizes;
    bool send_modes, datatypes; /* measure these, too */
    double max_seconds;         /* 0: no limit */
    uint64_t seed;
    bool quiet; /* show no progress */
};

/* Bytes of the longest message that is sent for the request. */
int64_t p2p_room(const struct p2p_request *request);

/* Make all measurements of a calibration. Always clear `f`. -1 with an error, here and below; `f`
 * then has what was measured until then. */
int p2p_calibrate(struct p2p_link *link, const struct p2p_request *request,
                  const struct p2p_keeper *keeper, struct p2p_findings *f, struct tan_error *e);
/* Fit the passes so far. -1 if there are too few one-way times. */
int p2p_findings_fit(struct p2p_findings *f, uint64_t seed, struct tan_error *e);
void p2p_findings_clear(struct p2p_findings *f);
/* One-way times only, of the requested sizes or of random ones not in `known`. Always clear `m`. */
int p2p_measure_trips(struct p2p_link *link, const struct p2p_request *request,
                      const struct tan_p2p *known, const struct p2p_keeper *keeper,
                      struct p2p_measurement *m, struct tan_error *e);
/* Exchanges of the requested sizes, or of one size per section; none if `known` is incomplete.
 * The caller frees exchanges->row. */
int p2p_measure_exchanges(struct p2p_link *link, const struct p2p_request *request,
                          const struct tan_p2p *known, struct p2p_exchanges *exchanges,
                          struct tan_error *e);

#endif
