/* latency.c - description of a measured ping-pong
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/latency.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/fit/fit_report.h"
#include "model/stats/stats.h"

static int print_latency(const struct results *r, const struct result *result, FILE *to,
                         struct tan_error *e)
{
    size_t n = result->waves.n;
    double *half_round_trips = malloc((n + 1) * sizeof *half_round_trips);
    struct tan_latency latency;
    struct tan_histogram histogram = {.bins = 0};
    int failed = -1;
    if (half_round_trips == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        half_round_trips[i] = half(result->waves.round_trips[i]);
    }
    if (tan_latency_summarize(half_round_trips, n, &latency, e) < 0 ||
        tan_histogram_create(half_round_trips, n, &histogram, e) < 0) {
        goto done;
    }
    fprintf(to, "\n");
    if (r->plan->settings.n_sizes > 1) {
        fprintf(to, "%" PRId64 " bytes: ", result->cell->bytes);
    }
    tan_latency_print(&latency, to);
    fprintf(to, "\n");
    tan_histogram_print(&histogram, to);
    failed = 0;
done:
    tan_histogram_clear(&histogram);
    free(half_round_trips);
    return failed;
}

int tan_pingpong_print(const struct results *r, FILE *to, struct tan_error *e)
{
    for (int i = 0; i < r->n; i++) {
        if (r->list[i].cell->kind == CELL_PINGPONG && print_latency(r, &r->list[i], to, e) < 0) {
            return -1;
        }
    }
    return 0;
}
