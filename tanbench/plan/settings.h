/* settings.h - settings of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_SETTINGS_H
#define TAN_TANBENCH_PLAN_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json.h"
#include "tanbench/plan/emulation.h"
#include "tanbench/plan/filter.h"
#include "topo/tree.h"

/* Measuring modes, by the source of waves. */
enum mode {
    MODE_WAVES,    /* the root asks, every leaf answers: round trips, timed with one clock */
    MODE_ONEWAY,   /* leaves with synchronised clocks send together: one-way times */
    MODE_STREAM,   /* leaves send packets without requests */
    MODE_FAILURES, /* round trips on a tree that heals when a process falls silent */
    MODES
};

/* Properties of a mode. */
struct mode_info {
    const char *name;
    bool clocks; /* needs leaves' times, so their clocks are compared with the root's */
    bool pushes; /* leaves push, so there are no round trips */
    bool heals;  /* a process fails */
};

extern const struct mode_info tan_modes[MODES];

/* --- the process that falls silent during a run --- */

/* The first wave in which a process may fail: recovery is compared with the waves before it. */
enum { FAIL_FIRST_WAVE = 2 };
/* A process is given up if it has not answered after so many seconds for each level below its
 * parent: longer than any delay of a living one, on a busy host, too. */
enum { FAIL_SECONDS = 1 };

/* Process `node` no longer answers from wave `wave` on, counted from 1 after the warm-up. Wave 0:
 * none does. */
struct failure {
    int32_t node;
    int32_t wave;
};

/* Read "3@20"; `what` names the option in errors (TAN_USAGE). */
int tan_failure_parse(const char *what, const char *text, struct failure *failure,
                      struct tan_error *e);

/* --- all settings --- */

enum { MAX_SIZES = 64, MAX_PASSES = 1000, SETTING_NAME_MAX = 16 };

/* Waves to run, and criteria for having enough. Plain data: it is broadcast as bytes. */
struct settings {
    enum mode mode;
    char filter[SETTING_NAME_MAX], wait[SETTING_NAME_MAX];
    int64_t request_bytes;        /* -1: same as a leaf's payload */
    double work;                  /* seconds per child's message in a filter */
    double frequency, duration;   /* mode stream: waves per second, 0: as fast as possible */
    int64_t warmup;               /* waves that are discarded */
    int64_t min_waves, max_waves; /* waves that are kept */
    double max_seconds;           /* per cell */
    double precision; /* target half width of the median's interval, as a fraction; 0: measure until
                         a limit */
    int64_t passes;   /* passes over all cells */
    uint64_t seed;    /* of all random choices */
    struct failure failure;     /* mode failures: the process that falls silent */
    struct emulation emulation; /* emulated machine; usually none, and without a row */
    int n_sizes;                /* number of payload sizes for each topology */
    int64_t sizes[MAX_SIZES];
};

/* The defaults, which the help of cmd/tanbench/options.c repeats. */
void tan_settings_default(struct settings *s);
/* Write the settings that describe how waves are made to the cell `o` of results. */
void tan_settings_write(struct tan_json_writer *w, json_t *o, const struct settings *s);

#endif
