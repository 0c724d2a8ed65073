/* osu_table.c - waves in the form of the OSU benchmarks (--osu)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/osu_table.h"

#include <gsl/gsl_statistics_double.h>

/* In microseconds. */
static double wave_us(double round_trip)
{
    return half(round_trip) * 1e6;
}

static void print_block(const struct result *result, FILE *to)
{
    const double *times = result->waves.round_trips;
    const size_t n = result->waves.n;
    fprintf(to,
            "# tanbench wave, half a round trip: %s\n"
            "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
            "%-10lld%18.2f%18.2f%18.2f%12zu\n",
            result->cell->spec, (long long)result->cell->bytes,
            wave_us(gsl_stats_mean(times, 1, n)), wave_us(gsl_stats_min(times, 1, n)),
            wave_us(gsl_stats_max(times, 1, n)), n);
}

void tan_results_print_osu(const struct results *r, FILE *to)
{
    const char *between = "";
    for (int order = 0; order < r->plan->n_cells; order++) {
        const struct result *result = tan_results_at(r, order);
        if (result != NULL && result->waves.n > 0) {
            fputs(between, to);
            print_block(result, to);
            between = "\n";
        }
    }
}
