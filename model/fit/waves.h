/* waves.h - measured waves in a file, grouped by topology
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_WAVES_H
#define MODEL_FIT_WAVES_H

#include "model/fit/fit.h"

enum tan_wave_kind {
    TAN_WAVES_CHAIN,   /* chain:H, for the fit */
    TAN_WAVES_NTO1,    /* nto1:N, flat:N, for the fit */
    TAN_WAVES_LATENCY, /* pingpong, latency: half round trips between two processes */
    TAN_WAVES_OTHER,   /* any other tree spec, to compare with predictions */
};

/* The waves of one topology and message size. */
struct tan_wave_group {
    enum tan_wave_kind kind;
    char *topology;  /* "chain:8", or the spec as given; owned */
    int64_t size;    /* of chains and N-to-1 trees */
    int64_t bytes;   /* of a message */
    double *seconds; /* `n` wave times, in file order; owned */
    size_t n;
    int line; /* of the topology's first row */
};

struct tan_waves {
    struct tan_wave_group *group; /* in order of first occurrence */
    size_t n;
    int64_t bytes; /* message size, the least if there are several */
    bool sized;    /* there are several */
    size_t near;   /* number of waves within a host, "chain:3@host", which belong to no group */
};

/* Read the columns topology, wave_us and, if present, bytes of a file (csv.h); other columns are
 * ignored. `bytes` selects rows of one message size; 0: all rows. Without the column, `bytes` is
 * the size (0: 1024). Errors name the place. O(rows log topologies). */
int tan_waves_read(struct tan_waves *out, const char *path, int64_t bytes, struct tan_error *e);
void tan_waves_clear(struct tan_waves *waves);

#endif
