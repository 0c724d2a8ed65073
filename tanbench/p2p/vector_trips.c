/* vector_trips.c - ping-pongs of non-contiguous data, measured and predicted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/vector_trips.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/table.h"
#include "tanbench/p2p/datatypes.h"
#include "tanbench/p2p/values.h"
#include "tanbench/ranks/mpi_try.h"

enum { PASSES = 30, SIZES = 19 /* 2^0 to 2^18 floats */, TRIPS = 4 };
static const double us = 1e-6;

static int64_t bytes_of(int blocks, int length, int size)
{
    const int64_t unit = (int64_t)blocks * length;
    const int64_t floats = (((INT64_C(1) << size) + unit - 1) / unit) * unit;
    return floats * (int64_t)sizeof(float);
}

int64_t p2p_vector_trips_room(void)
{
    int64_t most = 0;
    for (int blocks = 1; blocks <= P2P_BLOCKS; blocks++) {
        for (int length = 1; length <= P2P_LENGTHS; length++) {
            const int64_t bytes = bytes_of(blocks, length, SIZES - 1);
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

/* What packing and unpacking add to a one-way time: half of each, by the lines of a machine file,
 * in seconds. */
static double added_by_line(const json_t *vector, double bytes)
{
    static const char *const constants[] = {"o_pack_us", "o_unpack_us"};
    static const char *const slopes[] = {"O_pack_us_per_byte", "O_unpack_us_per_byte"};
    double sum = 0.0;
    for (int i = 0; i < 2; i++) { /* what was not identifiable is left out, and small */
        sum += json_number_value(json_object_get(vector, constants[i])) +
               json_number_value(json_object_get(vector, slopes[i])) * bytes;
    }
    return sum * us / 2;
}

/* What the vector adds to the one-way time at entry `i` of its sizes, in seconds. */
static double added_at(const json_t *vector, const json_t *contiguous, size_t i)
{
    const json_t *of = json_array_get(json_object_get(vector, "sizes"), i);
    const json_t *without = json_array_get(contiguous, i);
    return us * (json_number_value(json_object_get(of, "trip_us")) -
                 json_number_value(json_object_get(without, "trip_us")));
}

static double size_at(const json_t *contiguous, size_t i)
{
    return json_number_value(json_object_get(json_array_get(contiguous, i), "bytes"));
}

/* The same for `bytes`, by linear interpolation between the next sizes, or extrapolation; NaN
 * without sizes. */
static double added_by_size(const json_t *vector, const json_t *contiguous, double bytes)
{
    const size_t n = json_array_size(contiguous);
    size_t i = 1;
    if (n < 2 || json_array_size(json_object_get(vector, "sizes")) != n) {
        return NAN;
    }
    while (i + 1 < n && size_at(contiguous, i) < bytes) {
        i++;
    }
    const double low = size_at(contiguous, i - 1);
    const double below = added_at(vector, contiguous, i - 1);
    const double slope = (added_at(vector, contiguous, i) - below) / (size_at(contiguous, i) - low);
    return below + slope * (bytes - low);
}

static int list_trips(const struct tan_p2p *p, const json_t *datatypes,
                      struct p2p_vector_trips *out, struct tan_error *e)
{
    const json_t *vectors = json_object_get(datatypes, "vectors");
    const json_t *contiguous = json_object_get(datatypes, "contiguous");
    const struct tan_p2p_model *model = tan_p2p_best(p);
    const json_t *vector;
    size_t i;
    out->row = calloc(json_array_size(vectors) * SIZES + 1, sizeof *out->row);
    if (out->row == NULL) {
        return tan_fail_nomem(e);
    }
    json_array_foreach(vectors, i, vector)
    {
        const json_int_t blocks = json_integer_value(json_object_get(vector, "blocks"));
        const json_int_t length = json_integer_value(json_object_get(vector, "length"));
        const json_int_t stride = json_integer_value(json_object_get(vector, "stride"));
        const bool known = blocks >= 1 && blocks <= P2P_BLOCKS && length >= 1 &&
                           length <= P2P_LENGTHS && stride == P2P_STRIDE;
        for (int size = 0; known && model != NULL && size < SIZES; size++) {
            const int64_t bytes = bytes_of((int)blocks, (int)length, size);
            const double k = (double)bytes;
            const double whole = model->predict(p, bytes).delivered;
            out->row[out->n++] = (struct p2p_vector_trip){
                .blocks = (int)blocks,
                .length = (int)length,
                .bytes = bytes,
                .by_line = whole + added_by_line(vector, k),
                .by_size = whole + added_by_size(vector, contiguous, k),
            };
        }
    }
    return 0;
}

/* Where to measure what: with buffers for TRIPS vectors whose messages have p2p_vector_trips_room
 * bytes. */
struct measuring {
    struct p2p_link *link;
    const struct p2p_vector_trip *row;
    float *send, *receive; /* owned */
};

static double measure_trip(void *context, size_t i)
{
    const struct measuring *m = context;
    const struct p2p_vector_trip *trip = &m->row[i];
    MPI_Datatype type = p2p_vector_type(trip->blocks, trip->length);
    const int64_t element = (int64_t)sizeof(float) * trip->blocks * trip->length;
    const struct p2p_data send = {m->send, (int)(trip->bytes / element), type, true};
    const double first = p2p_vector_one_way(m->link, &send, m->receive, trip->bytes, 1);
    const double took =
        p2p_vector_one_way(m->link, &send, m->receive, trip->bytes, first > 1e-3 ? 1 : TRIPS);
    MPI_TRY(MPI_Type_free(&type));
    return took;
}

int p2p_vector_trips_measure(struct p2p_link *link, const struct p2p_effort *effort,
                             const struct tan_p2p *p, const json_t *datatypes,
                             struct p2p_vector_trips *out, struct tan_error *e)
{
    const size_t room = (size_t)p2p_vector_trips_room() * P2P_STRIDE * TRIPS;
    double *times = NULL;
    *out = (struct p2p_vector_trips){.n = 0};
    if (list_trips(p, datatypes, out, e) < 0 || out->n == 0) {
        return out->row == NULL ? -1 : 0;
    }
    struct measuring m = {link, out->row, calloc(1, room), calloc(1, room)};
    const int result = m.send == NULL || m.receive == NULL
                           ? tan_fail_nomem(e)
                           : p2p_measure_in_turn(link, effort, "vectors", out->n, PASSES,
                                                 measure_trip, &m, &times, e);
    out->n = times == NULL ? 0 : out->n;
    for (size_t i = 0; i < out->n; i++) {
        out->row[i].measured = times[i];
    }
    free(times);
    free(m.send);
    free(m.receive);
    return result;
}

void p2p_vector_trips_clear(struct p2p_vector_trips *trips)
{
    free(trips->row);
}

/* Mean and worst of the errors of one vector's rows. */
static void error_cells(const struct p2p_vector_trip *row, bool by_size, struct tan_table *table)
{
    struct p2p_errors errors = {.n = 0};
    for (size_t k = 0; k < SIZES; k++) {
        const double predicted = by_size ? row[k].by_size : row[k].by_line;
        p2p_errors_add(&errors, p2p_error(predicted, row[k].measured, row[k].measured));
    }
    tan_table_abs_error(table, errors.n < SIZES ? NAN : errors.mean);
    tan_table_abs_error(table, errors.n < SIZES ? NAN : errors.worst);
}

void p2p_vector_trips_print(const struct p2p_vector_trips *trips, FILE *to)
{
    static const char *const headings[] = {"<vector", "by lines, mean", "worst", "by sizes, mean",
                                           "worst"};
    struct tan_table *table = tan_table_create(headings, 5);
    for (size_t i = 0; i < trips->n; i += SIZES) {
        tan_table_cell(table, "(%d,%d,%d)", trips->row[i].blocks, trips->row[i].length, P2P_STRIDE);
        error_cells(&trips->row[i], false, table);
        error_cells(&trips->row[i], true, table);
    }
    fputs("\nPing-pongs of vectors (blocks, floats per block, stride in floats) of 1 to 2^18 "
          "floats on "
          "one side:\nabsolute errors of predictions by o_pack, O_pack and their like, and by the "
          "measured sizes\n\n",
          to);
    tan_table_print(table, to);
}

static void set_prediction(struct tan_json_writer *w, json_t *row, const char *key,
                           const struct p2p_vector_trip *trip, double predicted)
{
    if (isfinite(predicted)) {
        json_t *o = tan_json_set_object(w, row, key);
        p2p_set(w, o, "predicted_us", predicted / us);
        p2p_set(w, o, "error", predicted / trip->measured - 1.0);
    }
}

void p2p_vector_trips_set(struct tan_json_writer *w, json_t *document,
                          const struct p2p_vector_trips *trips)
{
    json_t *list = tan_json_set_array(w, document, "vectors");
    for (size_t i = 0; i < trips->n; i++) {
        const struct p2p_vector_trip *trip = &trips->row[i];
        json_t *row = tan_json_append_object(w, list);
        p2p_layout_set(w, row, trip->blocks, trip->length);
        tan_json_set_int(w, row, "bytes", trip->bytes);
        p2p_set(w, row, "measured_us", trip->measured / us);
        set_prediction(w, row, "by_lines", trip, trip->by_line);
        set_prediction(w, row, "by_sizes", trip, trip->by_size);
    }
}
