/* datatypes.c - cost of non-contiguous data in messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/datatypes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/table.h"
#include "base/units.h"
#include "tanbench/p2p/values.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"

enum {
    REPETITIONS = 100,
    MIN_REPETITIONS = 20,
    MIN_LONG_REPETITIONS = 5, /* after LONG times the time limit; too few for intervals */
    SIMULATED = 3,            /* deterministic, so a few suffice */
    LONG = 5,
    WARM_UP = 2,
    SIZES = P2P_VECTOR_SIZES,
    SIDES = 3,  /* send, receive, and round trips with both */
    TRIPS = 2,  /* round trips per sample */
    UNIT = 576, /* least common multiple of the vectors' sizes in bytes */
};

const int64_t p2p_vector_sizes[SIZES] = {UNIT,       2 * UNIT,   4 * UNIT,   8 * UNIT,
                                         16 * UNIT,  32 * UNIT,  64 * UNIT,  128 * UNIT,
                                         256 * UNIT, 512 * UNIT, 1024 * UNIT};

typedef double samples[P2P_LAYOUTS][SIZES][SIDES][REPETITIONS];

/* A committed type of `blocks` blocks of `length` floats; freed by the caller. */
static MPI_Datatype vector_type(int blocks, int length)
{
    MPI_Datatype vector;
    MPI_Datatype type;
    const MPI_Aint extent = (MPI_Aint)sizeof(float) * blocks * P2P_STRIDE;
    MPI_TRY(MPI_Type_vector(blocks, length, P2P_STRIDE, MPI_FLOAT, &vector));
    /* Extend the vector by its last gap: otherwise elements with one block would be contiguous. */
    MPI_TRY(MPI_Type_create_resized(vector, 0, extent, &type));
    MPI_TRY(MPI_Type_commit(&type));
    MPI_TRY(MPI_Type_free(&vector));
    return type;
}

/* For TRIPS vectors of the largest size, in each direction. */
struct memory {
    char *send, *receive; /* owned */
};

/* A message of UNIT bytes. */
static struct p2p_data unit_message(const struct p2p_layout *layout, char *memory)
{
    struct p2p_data data = {memory, UNIT / (int)sizeof(float), MPI_FLOAT, true};
    if (layout->blocks > 0) {
        data.type = vector_type(layout->blocks, layout->length);
        data.count /= layout->blocks * layout->length;
    }
    return data;
}

/* One repetition with all layouts and sizes; `at` < 0: a warm-up, discarded. */
static void measure_layouts(struct p2p_link *link, const struct p2p_data data[P2P_LAYOUTS],
                            const struct memory *memory, int at, samples *sample)
{
    const double least_delay = 10e-6;
    for (int s = 0; s < SIZES; s++) {
        const int64_t bytes = p2p_vector_sizes[s];
        for (int t = 0; t < P2P_LAYOUTS; t++) {
            struct p2p_data some = data[t];
            some.count = (int)(some.count * (bytes / UNIT));
            const double trip = p2p_vector_one_way(link, &some, memory->receive, bytes, TRIPS);
            const double delay = 4.0 * trip > least_delay ? 4.0 * trip : least_delay;
            const double send = p2p_send(link, &p2p_send_modes[P2P_SEND], &some, bytes).call;
            some.at = memory->receive;
            const double receive =
                p2p_receive(link, &p2p_send_modes[P2P_SEND], &some, bytes, delay);
            if (at >= 0) {
                (*sample)[t][s][0][at] = send;
                (*sample)[t][s][1][at] = receive;
                (*sample)[t][s][2][at] = trip;
            }
        }
    }
}

static int fit_side(samples *sample, int type, int side, size_t n, uint64_t seed,
                    struct tan_p2p_pack *pack, struct tan_error *e)
{
    struct tan_p2p_pack_samples of[SIZES];
    for (int s = 0; s < SIZES; s++) {
        of[s] = (struct tan_p2p_pack_samples){p2p_vector_sizes[s], n, (*sample)[0][s][side],
                                              (*sample)[type][s][side]};
    }
    return tan_p2p_pack_fit(of, SIZES, seed, pack, e);
}

static int summarize_samples(samples *sample, uint64_t seed, struct p2p_vectors_found *found,
                             struct tan_error *e)
{
    for (int t = 1; t < P2P_LAYOUTS; t++) {
        struct p2p_layout *layout = &found->layout[t];
        if (fit_side(sample, t, 0, found->n, seed, &layout->pack, e) < 0 ||
            fit_side(sample, t, 1, found->n, seed, &layout->unpack, e) < 0) {
            return -1;
        }
    }
    for (int t = 0; t < P2P_LAYOUTS; t++) { /* last, since tan_p2p_estimate sorts */
        for (int s = 0; s < SIZES; s++) {
            found->layout[t].send[s] = tan_p2p_estimate((*sample)[t][s][0], found->n);
            found->layout[t].receive[s] = tan_p2p_estimate((*sample)[t][s][1], found->n);
            found->layout[t].trip[s] = tan_p2p_estimate((*sample)[t][s][2], found->n);
        }
    }
    return 0;
}

int p2p_vectors_measure(struct p2p_link *link, const struct p2p_effort *effort,
                        struct p2p_vectors_found *found, struct tan_error *e)
{
    const size_t room = (size_t)p2p_vector_sizes[SIZES - 1] * P2P_STRIDE * TRIPS;
    const double begin = tan_clock_seconds();
    struct p2p_data data[P2P_LAYOUTS];
    samples *sample = malloc(sizeof *sample);
    const struct memory memory = {calloc(1, room), calloc(1, room)};
    int result = -1;
    *found = (struct p2p_vectors_found){.n = 0};
    for (int t = 0; t < P2P_LAYOUTS; t++) {
        struct p2p_layout *layout = &found->layout[t];
        layout->blocks = t > 0 ? (t - 1) / P2P_LENGTHS + 1 : 0;
        layout->length = t > 0 ? (t - 1) % P2P_LENGTHS + 1 : 0;
        data[t] = unit_message(layout, memory.send);
    }
    if (sample == NULL || memory.send == NULL || memory.receive == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
        const double elapsed = tan_clock_seconds() - begin;
        const int least = machine_simulated                      ? SIMULATED
                          : elapsed > LONG * effort->max_seconds ? MIN_LONG_REPETITIONS
                                                                 : MIN_REPETITIONS;
        if (elapsed > effort->max_seconds && i >= least) {
            break;
        }
        if (p2p_link_check_stop(link, e) < 0) {
            goto done;
        }
        p2p_step_show(&effort->step, effort->max_seconds - elapsed, "vectors, repetition %d",
                      i + WARM_UP + 1);
        measure_layouts(link, data, &memory, i, sample);
        found->n += i >= 0;
    }
    result = summarize_samples(sample, effort->seed, found, e);

done:
    found->n = result < 0 ? 0 : found->n;
    p2p_step_hide(&effort->step);
    for (int t = 1; t < P2P_LAYOUTS; t++) {
        MPI_TRY(MPI_Type_free(&data[t].type));
    }
    free(sample);
    free(memory.send);
    free(memory.receive);
    return result;
}

void p2p_vectors_print(const struct p2p_vectors_found *found, FILE *to)
{
    static const char *const headings[] = {"<vector",     "sent of 4",   "o_pack us",
                                           "O_pack ns/B", "o_unpack us", "O_unpack ns/B",
                                           "o_s us",      "o_r us"};
    struct tan_table *table = tan_table_create(headings, 8);
    for (int t = 0; t < P2P_LAYOUTS; t++) {
        const struct p2p_layout *layout = &found->layout[t];
        if (t == 0) {
            tan_table_cell(table, "contiguous");
            for (int i = 0; i < 5; i++) {
                tan_table_cell(table, "%s", "");
            }
        } else {
            tan_table_cell(table, "(%d,%d,%d)", layout->blocks, layout->length, P2P_STRIDE);
            tan_table_cell(table, "%d", layout->length);
            p2p_estimate_cell(table, &layout->pack.message, 1e-6);
            p2p_estimate_cell(table, &layout->pack.byte, 1e-9);
            p2p_estimate_cell(table, &layout->unpack.message, 1e-6);
            p2p_estimate_cell(table, &layout->unpack.byte, 1e-9);
        }
        p2p_estimate_cell(table, &layout->send[SIZES - 1], 1e-6);
        p2p_estimate_cell(table, &layout->receive[SIZES - 1], 1e-6);
    }
    char size[32];
    fprintf(to,
            "\nVectors (blocks, floats per block, stride in floats): costs added to "
            "overheads;\no_s and o_r of %s\n\n",
            tan_format_size(p2p_vector_sizes[SIZES - 1], size, sizeof size));
    tan_table_print(table, to);
}

/* Set the keys that say which vector it is. */
static void set_layout(struct tan_json_writer *w, json_t *row, int blocks, int length)
{
    tan_json_set_int(w, row, "blocks", blocks);
    tan_json_set_int(w, row, "length", length);
    tan_json_set_int(w, row, "stride", P2P_STRIDE);
}

static void set_sizes(struct tan_json_writer *w, json_t *o, const char *key,
                      const struct p2p_layout *layout)
{
    static const char *const keys[] = {"o_s_us", "o_r_us", "trip_us"};
    json_t *sizes = tan_json_set_array(w, o, key);
    for (int s = 0; s < SIZES; s++) {
        const struct tan_p2p_estimate all[] = {layout->send[s], layout->receive[s],
                                               layout->trip[s]};
        json_t *size = tan_json_append_object(w, sizes);
        tan_json_set_int(w, size, "bytes", p2p_vector_sizes[s]);
        p2p_set_estimates(w, size, keys, 3, all);
    }
}

void p2p_vectors_set(struct tan_json_writer *w, json_t *block,
                     const struct p2p_vectors_found *found)
{
    static const char *const keys[] = {"o_pack_us", "O_pack_us_per_byte", "o_unpack_us",
                                       "O_unpack_us_per_byte"};
    json_t *top = tan_json_set_object(w, block, "datatypes");
    tan_json_set_int(w, top, "n", (json_int_t)found->n);
    set_sizes(w, top, "contiguous", &found->layout[0]);
    json_t *vectors = tan_json_set_array(w, top, "vectors");
    for (int t = 1; t < P2P_LAYOUTS; t++) {
        const struct p2p_layout *l = &found->layout[t];
        const struct tan_p2p_estimate all[] = {l->pack.message, l->pack.byte, l->unpack.message,
                                               l->unpack.byte};
        json_t *row = tan_json_append_object(w, vectors);
        set_layout(w, row, l->blocks, l->length);
        p2p_set_estimates(w, row, keys, 4, all);
        set_sizes(w, row, "sizes", l);
    }
}

/* --- ping-pongs of vectors, measured and predicted --- */

enum { PASSES = 30, TRIP_SIZES = 19 /* 2^0 to 2^18 floats */, MAX_TRIPS = 4 };
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
            const int64_t bytes = bytes_of(blocks, length, TRIP_SIZES - 1);
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
    out->row = calloc(json_array_size(vectors) * TRIP_SIZES + 1, sizeof *out->row);
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
        for (int size = 0; known && model != NULL && size < TRIP_SIZES; size++) {
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

/* Where to measure what: with buffers for MAX_TRIPS vectors whose messages have
 * p2p_vector_trips_room bytes. */
struct measuring {
    struct p2p_link *link;
    const struct p2p_vector_trip *row;
    float *send, *receive; /* owned */
};

static double measure_trip(void *context, size_t i)
{
    const struct measuring *m = context;
    const struct p2p_vector_trip *trip = &m->row[i];
    MPI_Datatype type = vector_type(trip->blocks, trip->length);
    const int64_t element = (int64_t)sizeof(float) * trip->blocks * trip->length;
    const struct p2p_data send = {m->send, (int)(trip->bytes / element), type, true};
    const double first = p2p_vector_one_way(m->link, &send, m->receive, trip->bytes, 1);
    const double took =
        p2p_vector_one_way(m->link, &send, m->receive, trip->bytes, first > 1e-3 ? 1 : MAX_TRIPS);
    MPI_TRY(MPI_Type_free(&type));
    return took;
}

int p2p_vector_trips_measure(struct p2p_link *link, const struct p2p_effort *effort,
                             const struct tan_p2p *p, const json_t *datatypes,
                             struct p2p_vector_trips *out, struct tan_error *e)
{
    const size_t room = (size_t)p2p_vector_trips_room() * P2P_STRIDE * MAX_TRIPS;
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

/* Mean and worst of the errors of one vector's rows. */
static void error_cells(const struct p2p_vector_trip *row, bool by_size, struct tan_table *table)
{
    struct p2p_errors errors = {.n = 0};
    for (size_t k = 0; k < TRIP_SIZES; k++) {
        const double predicted = by_size ? row[k].by_size : row[k].by_line;
        p2p_errors_add(&errors, p2p_error(predicted, row[k].measured, row[k].measured));
    }
    tan_table_abs_error(table, errors.n < TRIP_SIZES ? NAN : errors.mean);
    tan_table_abs_error(table, errors.n < TRIP_SIZES ? NAN : errors.worst);
}

void p2p_vector_trips_print(const struct p2p_vector_trips *trips, FILE *to)
{
    static const char *const headings[] = {"<vector", "by lines, mean", "worst", "by sizes, mean",
                                           "worst"};
    struct tan_table *table = tan_table_create(headings, 5);
    for (size_t i = 0; i < trips->n; i += TRIP_SIZES) {
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
        set_layout(w, row, trip->blocks, trip->length);
        tan_json_set_int(w, row, "bytes", trip->bytes);
        p2p_set(w, row, "measured_us", trip->measured / us);
        set_prediction(w, row, "by_lines", trip, trip->by_line);
        set_prediction(w, row, "by_sizes", trip, trip->by_size);
    }
}
