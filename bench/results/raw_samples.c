/* raw_samples.c - every sample as a line of CSV (--raw)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/raw_samples.h"

#include <stdio.h>

#include "base/csv.h"
#include "base/output.h"

int tan_results_save_raw(const struct results *r, const char *path, struct tan_error *e)
{
    struct tan_output *out = tan_output_open(path, e);
    if (out == NULL) {
        return -1;
    }
    FILE *to = tan_output_stream(out);
    fprintf(to, "topology,index,round_trip_us,wave_us,bytes,launch,pass\n");
    for (int i = 0; i < r->n; i++) {
        const struct result *result = &r->list[i];
        size_t j = 0;
        for (int k = 0; k < result->n_parts; k++) {
            for (size_t end = j + result->parts[k].n; j < end; j++) {
                double us = result->waves.round_trips[j] * 1e6;
                tan_csv_write_field(result->cell->spec, to); /* file:PATH may have commas */
                fprintf(to, ",%zu,%.3f,%.4f,%lld,%d,%d\n", j, us, half(us),
                        (long long)result->cell->bytes, result->parts[k].launch + 1,
                        result->parts[k].pass + 1);
            }
        }
    }
    return tan_output_commit(out, e);
}
