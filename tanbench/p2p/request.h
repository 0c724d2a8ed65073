/* request.h - options of a job that measures single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_REQUEST_H
#define TAN_TANBENCH_P2P_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
