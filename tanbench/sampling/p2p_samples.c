/* p2p_samples.c - samples of messages of many sizes, and selection of undisturbed ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/p2p_samples.h"

#include <stdlib.h>

enum { MIN_QUIET = 8 }; /* samples per size */

int tan_p2p_measurement_allocate(struct p2p_measurement *m, struct tan_error *e)
{
    m->sample = calloc(m->n_sizes * TAN_P2P_TIMINGS * P2P_MAX_PASSES, sizeof *m->sample);
    m->probe = calloc(m->n_sizes * P2P_GROUPS * P2P_MAX_PASSES, sizeof *m->probe);
    return m->sample == NULL || m->probe == NULL ? tan_fail_nomem(e) : 0;
}

void tan_p2p_measurement_clear(struct p2p_measurement *m)
{
    free(m->sample);
    free(m->probe);
    m->sample = NULL;
    m->probe = NULL;
}

bool tan_p2p_quiet(const struct p2p_measurement *m, size_t size, enum p2p_group group, size_t pass)
{
    const double *probe = tan_p2p_probe_of(m, size, group, pass);
    return !tan_core_slowed(probe[0], m->fastest[0]) && !tan_core_slowed(probe[1], m->fastest[1]);
}

static size_t count_quiet(const struct p2p_measurement *m, size_t size, enum p2p_group group)
{
    size_t n = 0;
    for (size_t pass = 0; pass < m->passes[group]; pass++) {
        n += tan_p2p_quiet(m, size, group, pass);
    }
    return n;
}

static bool enough_quiet(const struct p2p_measurement *m, size_t size, enum p2p_group group)
{
    const size_t n = count_quiet(m, size, group);
    return n >= MIN_QUIET || 4 * n >= m->passes[group];
}

double tan_p2p_quiet_share(const struct p2p_measurement *m)
{
    size_t quiet = 0;
    size_t all = 0;
    for (int group = 0; group < P2P_GROUPS; group++) {
        for (size_t i = 0; i < m->n_sizes; i++) {
            quiet += count_quiet(m, i, (enum p2p_group)group);
        }
        all += m->n_sizes * m->passes[group];
    }
    return all > 0 ? (double)quiet / (double)all : 1.0;
}

bool tan_p2p_disturbed(const struct p2p_measurement *m)
{
    size_t lacking = 0;
    for (size_t i = 0; i < m->n_sizes; i++) {
        lacking += !enough_quiet(m, i, P2P_TRIPS) || !enough_quiet(m, i, P2P_CALLS);
    }
    return lacking > 0 && 4 * lacking >= m->n_sizes;
}

size_t tan_p2p_take(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing timing,
                    double *out)
{
    const enum p2p_group group = tan_p2p_group_of(timing);
    const double *sample = tan_p2p_samples_of(m, size, timing);
    const bool all = !enough_quiet(m, size, group);
    size_t n = 0;
    for (size_t pass = 0; pass < m->passes[group]; pass++) {
        if (all || tan_p2p_quiet(m, size, group, pass)) {
            out[n++] = sample[pass];
        }
    }
    return n;
}

double tan_p2p_one_way_time(const struct p2p_measurement *m, size_t size)
{
    double sample[P2P_MAX_PASSES];
    double scratch[P2P_MAX_PASSES];
    return tan_p2p_undisturbed(sample, tan_p2p_take(m, size, TAN_P2P_TRIP, sample), scratch);
}

int tan_p2p_agreed(const int *found, int n)
{
    for (int i = 0; i < n; i++) {
        int same = 0;
        for (int k = 0; k < n; k++) {
            same += found[k] == found[i];
        }
        if (5 * (n - same) <= n) {
            return found[i];
        }
    }
    return 0;
}
