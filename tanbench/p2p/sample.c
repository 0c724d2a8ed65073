/* sample.c - one sample of what messages of a size cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/sample.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { MOST_REPEATS = 5, REPEATS = 3 };
/* Half trips. What disturbs the shorter ones for a moment does not show in very slow ones. */
static const double slow = 50e-6;
static const double very_slow = 5e-3;

int p2p_train_length(double half)
{
    return half < slow ? 16 : half < 10 * slow ? 5 : 3;
}

static double middle(double *value, int n)
{
    gsl_sort(value, 1, (size_t)n);
    return gsl_stats_median_from_sorted_data(value, 1, (size_t)n);
}

/* So many round trips take so long, but `least` at least and a hundred at most. */
static int trips_in(double seconds, double half, double least)
{
    return (int)fmin(fmax(seconds / (2.0 * half), least), 100.0);
}

void p2p_sample_trip(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                     double time[TAN_P2P_TIMINGS])
{
    /* Until all of the library's buffers that messages of this size go through in turn are in the
     * caches, and until a TCP connection is in the state that such messages keep it in. */
    const double warm_up = 300e-6;
    const double least_warm_up = 6.0;
    const double batch = 30e-6;     /* so long that reading the clock does not count */
    const double least_batch = 4.0; /* trips over TCP may take either of two times, by chance */
    const double first = p2p_half(link, m->size[size], 1);
    if (first > very_slow) {
        time[TAN_P2P_TRIP] = p2p_half(link, m->size[size], 1);
        return;
    }
    const double rough = p2p_half(link, m->size[size], trips_in(warm_up, first, least_warm_up));
    const int trips = trips_in(batch, rough, least_batch);
    const int repeats = rough < slow ? MOST_REPEATS : REPEATS;
    double value[MOST_REPEATS] = {0};
    for (int i = 0; i < repeats; i++) {
        value[i] = p2p_half(link, m->size[size], trips);
    }
    time[TAN_P2P_TRIP] = middle(value, repeats);
}

void p2p_sample_trains(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                       double time[TAN_P2P_TIMINGS])
{
    const int64_t bytes = m->size[size];
    const int train = m->train[size];
    const double half = tan_p2p_undisturbed(p2p_samples(m, size, TAN_P2P_TRIP),
                                            m->passes[P2P_TRIPS], (double[P2P_MOST_PASSES]){0});
    const double delay = 2.0 * 2.0 * half; /* twice PRTT(1,0,s) */
    const int repeats = half < very_slow ? REPEATS : 1;
    const struct p2p_data received = p2p_bytes_to_receive(link, bytes);
    double value[TAN_P2P_COLD][REPEATS] = {{0}};
    for (int i = 0; i < repeats; i++) {
        double computed;
        value[TAN_P2P_ONE][i] = p2p_train(link, bytes, 1, 0.0, &computed);
        value[TAN_P2P_TRAIN][i] = p2p_train(link, bytes, train, 0.0, &computed);
        const double spaced = p2p_train(link, bytes, train, delay, &computed);
        value[TAN_P2P_SPACED][i] = spaced - computed;
        value[TAN_P2P_LATE][i] = p2p_receive_kind(link, &p2p_kinds[0], &received, bytes, delay);
    }
    for (int t = TAN_P2P_TRIP + 1; t < TAN_P2P_COLD; t++) {
        time[t] = middle(value[t], repeats);
    }
}

void p2p_sample_cold(struct p2p_link *link, const struct p2p_measurement *m, size_t size,
                     double time[TAN_P2P_TIMINGS])
{
    time[TAN_P2P_COLD] = p2p_receive_cold(link, m->size[size]);
}
