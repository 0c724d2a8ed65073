/* cells.c - measured cells of results, for figures
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *const tan_report_cell_models[CELL_MODELS] = {"tan", "logp", "logp-serial",
                                                         "tan-overlap"};

double tan_number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *tan_text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

const json_t *tan_array_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_array(value) ? value : NULL;
}

double tan_number_at(const json_t *array, size_t index)
{
    const json_t *value = json_array_get(array, index);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Whether all passes were disturbed; false if the file lists none. */
static bool is_disturbed(const json_t *passes)
{
    size_t disturbed = 0;
    for (size_t i = 0; i < json_array_size(passes); i++) {
        disturbed += json_is_true(json_object_get(json_array_get(passes, i), "disturbed"));
    }
    return disturbed > 0 && disturbed == json_array_size(passes);
}

int tan_report_cells_add(struct cells *cells, const json_t *object, const char *source,
                         struct tan_error *e)
{
    if (!json_is_object(object)) {
        return tan_fail(e, "%s: \"cells\" is not an array of objects", source);
    }
    if (TAN_ONE_MORE(cells->list, cells->n) < 0) {
        return tan_fail_nomem(e);
    }
    const json_t *wave = json_object_get(object, "wave_us");
    const json_t *ci95 = tan_array_of(wave, "ci95");
    const char *mode = tan_text_of(object, "mode");
    struct cell *c = &cells->list[cells->n++];
    *c = (struct cell){
        .whole = object,
        .topo = tan_text_of(object, "topo"),
        .leaves = tan_number_of(object, "leaves"),
        .processes = tan_number_of(object, "processes"),
        .max_fanout = tan_number_of(object, "max_fanout"),
        .bytes = tan_number_of(object, "bytes"),
        .min = tan_number_of(wave, "min"),
        .p5 = tan_number_of(wave, "p5"),
        .p25 = tan_number_of(wave, "p25"),
        .median = tan_number_of(wave, "median"),
        .p75 = tan_number_of(wave, "p75"),
        .p95 = tan_number_of(wave, "p95"),
        .p99 = tan_number_of(wave, "p99"),
        .low = tan_number_at(ci95, 0),
        .high = tan_number_at(ci95, 1),
        .tan_error = tan_number_of(json_object_get(object, "error"), "tan"),
        .untrusted = json_is_false(json_object_get(object, "trustworthy")),
        .disturbed = is_disturbed(tan_array_of(object, "launches")),
        .is_wave = mode[0] == '\0' || strcmp(mode, "waves") == 0,
    };
    const json_t *predicted = json_object_get(object, "predicted_us");
    for (int m = 0; m < CELL_MODELS; m++) {
        c->predicted[m] = tan_number_of(predicted, tan_report_cell_models[m]);
    }
    return 0;
}

double tan_report_cell_bound(double end, double otherwise)
{
    return isfinite(end) ? end : otherwise;
}

bool tan_report_cell_is_of(const struct cell *cell, const char *shape)
{
    return strncmp(cell->topo, shape, strlen(shape)) == 0;
}

bool tan_report_cell_has_size(const struct cell *cell, double bytes)
{
    return isnan(bytes) || cell->bytes == bytes;
}

size_t tan_report_cell_sizes(const struct cells *cells, const char *shape, double *sizes,
                             size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < cells->n && n < most; i++) {
        const struct cell *cell = &cells->list[i];
        bool known = !tan_report_cell_is_of(cell, shape) || isnan(cell->bytes);
        for (size_t k = 0; k < n; k++) {
            known |= sizes[k] == cell->bytes;
        }
        if (!known) {
            sizes[n++] = cell->bytes;
        }
    }
    gsl_sort(sizes, 1, n);
    return n;
}

bool tan_report_cells_one_size(const struct cells *cells)
{
    for (size_t i = 1; i < cells->n; i++) {
        const double bytes[] = {cells->list[0].bytes, cells->list[i].bytes};
        if (bytes[0] != bytes[1] && !(isnan(bytes[0]) && isnan(bytes[1]))) {
            return false;
        }
    }
    return true;
}
