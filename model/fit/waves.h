/* waves.h - measured waves, grouped by topology and message size
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_WAVES_H
#define TAN_MODEL_FIT_WAVES_H

#include "base/map.h"
#include "model/fit/fit.h"

enum tan_wave_kind {
    TAN_WAVES_CHAIN,   /* chain:H */
    TAN_WAVES_NTO1,    /* nto1:N, flat:N */
    TAN_WAVES_LATENCY, /* pingpong, latency: half round trips between two processes */
    TAN_WAVES_OTHER,   /* any other tree */
    TAN_WAVES_DOWN,    /* times one way down any tree */
    TAN_WAVES_TWO,     /* "A + B": up over tree A, then down over tree B */
    TAN_WAVES_NEAR,    /* trees within a host, "chain:3@host": a tier of its own */
};

/* The waves of one topology and message size. */
struct tan_wave_group {
    enum tan_wave_kind kind;
    char *topology;  /* "chain:8", or the name as given; owned */
    int64_t size;    /* height of a chain, leaves of an N-to-1 tree; else 0 */
    int64_t bytes;   /* of a message; 0: not known */
    bool gathered;   /* the data of all processes, `bytes` in total, go up and back to all */
    double *seconds; /* `n` wave times, in file order; owned */
    size_t n;
    int line; /* of the first wave, in its file */
};

/* Zero-initialised: empty. */
struct tan_waves {
    struct tan_wave_group *group; /* in order of first occurrence */
    size_t n;
    int64_t bytes;        /* message size, the least if there are several; of tan_waves_choose */
    bool sized;           /* there are several sizes */
    size_t near;          /* number of waves within a host, which belong to no group */
    struct tan_map names; /* indices of groups by hash, until tan_waves_choose */
};

/* A wave as it is in a file; borrows its strings. */
struct tan_wave {
    const char *source; /* the file's name */
    int line, column;   /* of the topology */
    const char *topology;
    int64_t bytes;  /* 0: not known */
    bool gathered;  /* as in struct tan_wave_group */
    bool down;      /* the time is that of one way down */
    double seconds; /* > 0 */
};
/* Add a copy of a wave to its group. Errors name file, line and column. O(1). */
int tan_waves_add(struct tan_waves *waves, const struct tan_wave *wave, struct tan_error *e);
/* After all have been added: keep the waves of `bytes`, and those of unknown size; 0: all. Unknown
 * sizes become `bytes`; if that is 0, the least known size or 1024. Fails, naming the `source`, if
 * sizes are known but none is `bytes`. Sets bytes, sized and near, and leaves no group of trees
 * within a host. */
int tan_waves_choose(struct tan_waves *waves, const char *source, int64_t bytes,
                     struct tan_error *e);
void tan_waves_clear(struct tan_waves *waves);

#endif
