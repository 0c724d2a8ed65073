/* histogram.c - histogram bins, and the clock tick behind samples
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "model/stats/stats.h"

enum { MAX_BINS = 64 };

double tan_clock_tick(const double *sorted, size_t n)
{
    /* closer values differ by rounding only */
    const double equal = 1e-9 * fmax(fabs(sorted[0]), fabs(sorted[n - 1]));
    double *gap = malloc(n * sizeof *gap);
    size_t gaps = 0;
    double tick = 0.0;
    for (size_t i = 1; gap != NULL && i < n; i++) {
        if (sorted[i] - sorted[i - 1] > equal) {
            gap[gaps++] = sorted[i] - sorted[i - 1];
        }
    }
    if (gaps > 0 && 2 * (gaps + 1) < n) {
        gsl_sort(gap, 1, gaps);
        tick = gap[gaps / 2];
    }
    free(gap);
    return tick;
}

int tan_histogram_create(const double *samples, size_t n, struct tan_histogram *out,
                         struct tan_error *e)
{
    double *sorted = tan_sorted(samples, n, e);
    if (sorted == NULL) {
        return -1;
    }
    size_t first;
    size_t end;
    tan_set_outliers_aside(sorted, n, 0, &first, &end);
    const double tick = tan_clock_tick(sorted, end);
    const double low = sorted[0] - tick / 2;
    const double range = sorted[end - 1] + tick / 2 - low;
    const double iqr = gsl_stats_quantile_from_sorted_data(sorted, 1, end, 0.75) -
                       gsl_stats_quantile_from_sorted_data(sorted, 1, end, 0.25);
    double width = fmax(2 * iqr / cbrt((double)end), range / MAX_BINS);
    if (tick > 0.0) {
        width = tick * ceil(width / tick * (1 - 1e-9));
    }
    if (!(width > 0.0)) { /* all equal: any width will do */
        width = sorted[0] != 0.0 ? fabs(sorted[0]) * 1e-3 : 1.0;
    }
    const double wanted = ceil(range / width * (1 - 1e-9)); /* rounding adds no bin */
    const int bins = wanted < 1 ? 1 : (int)wanted;
    *out = (struct tan_histogram){.low = low,
                                  .width = width,
                                  .bins = bins,
                                  .count = calloc((size_t)bins, sizeof *out->count),
                                  .above = (int64_t)(n - end)};
    if (out->count == NULL) {
        free(sorted);
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < end; i++) {
        const int bin = (int)((sorted[i] - low) / width);
        out->count[bin < bins ? bin : bins - 1]++;
    }
    free(sorted);
    return 0;
}

void tan_histogram_clear(struct tan_histogram *h)
{
    free(h->count);
    *h = (struct tan_histogram){.bins = 0};
}
