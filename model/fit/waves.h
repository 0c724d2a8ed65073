/* waves.h - measured waves in a file, by topology
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_WAVES_H
#define MODEL_FIT_WAVES_H

#include "model/fit/fit.h"

enum tan_wave_kind {
    TAN_WAVES_CHAIN,   /* chain:H, for the fit */
    TAN_WAVES_NTO1,    /* nto1:N, flat:N, for the fit */
    TAN_WAVES_LATENCY, /* pingpong, latency: half round trips between two processes */
    TAN_WAVES_OTHER,   /* any other tree spec, to be predicted */
};

/* The waves of one topology. */
struct tan_wave_group {
    enum tan_wave_kind kind;
    char *topology;  /* "chain:8", or the spec as written; owned */
    int64_t size;    /* of a chain or N-to-1 tree */
    double *seconds; /* `n` wave times, in the order of the file; owned */
    size_t n;
    int line; /* of the topology's first row */
};

struct tan_waves {
    struct tan_wave_group *group; /* in the order of their first rows */
    size_t n;
    int64_t bytes; /* of a message */
    size_t near;   /* waves of trees within a host, "chain:3@host", which are in no group */
};

/* Read columns topology, wave_us and, if there is one, bytes of a file (csv.h); other columns are
 * ignored. `bytes` picks the rows of one message size, 0: all rows must have the same. Without the
 * column, `bytes` is the size (0: 1024). Errors name the place. O(rows log topologies). */
int tan_waves_read(struct tan_waves *out, const char *path, int64_t bytes, struct tan_error *e);
void tan_waves_clear(struct tan_waves *waves);

#endif
