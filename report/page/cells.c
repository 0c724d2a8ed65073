/* cells.c - measured cells of results, as figures need them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Objects take some ten times the memory of a cell: of many cells the first ones are kept whole. */
enum { WHOLE = 1000 };

const char *const cell_models[CELL_MODELS] = {"tan", "logp", "logp-serial"};

double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

const json_t *array_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_array(value) ? value : NULL;
}

double number_at(const json_t *array, size_t index)
{
    const json_t *value = json_array_get(array, index);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

int cells_add(struct cells *cells, json_t *object, struct tan_error *e)
{
    if (TAN_ONE_MORE(cells->list, cells->n) < 0) {
        return tan_fail_nomem(e);
    }
    const json_t *wave = json_object_get(object, "wave_us");
    const json_t *ci95 = array_of(wave, "ci95");
    const char *mode = text_of(object, "mode");
    struct cell *c = &cells->list[cells->n++];
    *c = (struct cell){
        .leaves = number_of(object, "leaves"),
        .processes = number_of(object, "processes"),
        .max_fanout = number_of(object, "max_fanout"),
        .bytes = number_of(object, "bytes"),
        .min = number_of(wave, "min"),
        .p5 = number_of(wave, "p5"),
        .p25 = number_of(wave, "p25"),
        .median = number_of(wave, "median"),
        .p75 = number_of(wave, "p75"),
        .p95 = number_of(wave, "p95"),
        .p99 = number_of(wave, "p99"),
        .low = number_at(ci95, 0),
        .high = number_at(ci95, 1),
        .tan_error = number_of(json_object_get(object, "error"), "tan"),
        .untrusted = json_is_false(json_object_get(object, "trustworthy")),
        .is_wave = mode[0] == '\0' || strcmp(mode, "waves") == 0,
    };
    snprintf(c->topo, sizeof c->topo, "%s", text_of(object, "topo"));
    const json_t *predicted = json_object_get(object, "predicted_us");
    for (int m = 0; m < CELL_MODELS; m++) {
        c->predicted[m] = number_of(predicted, cell_models[m]);
    }
    if (cells->whole < WHOLE) {
        c->whole = json_incref(object);
        cells->whole++;
    }
    return 0;
}

void cells_clear(struct cells *cells)
{
    for (size_t i = 0; i < cells->n; i++) {
        json_decref(cells->list[i].whole);
    }
    free(cells->list);
    *cells = (struct cells){.n = 0};
}

double cell_bound(double end, double otherwise)
{
    return isfinite(end) ? end : otherwise;
}

bool cell_is_of(const struct cell *cell, const char *shape)
{
    return strncmp(cell->topo, shape, strlen(shape)) == 0;
}
