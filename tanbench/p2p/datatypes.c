/* datatypes.c - cost of non-contiguous data in messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/datatypes.h"

#include <math.h>
#include <stdlib.h>

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
    SIDES = 2,  /* send and receive */
    TRIPS = 2,  /* round trips that show when a message has come */
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

/* For a vector of the largest size, in each direction. */
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
            const double delay = fmax(4.0 * p2p_one_way(link, bytes, TRIPS), least_delay);
            const double send = p2p_send(link, &p2p_send_modes[P2P_SEND], &some, bytes).call;
            some.at = memory->receive;
            const double receive =
                p2p_receive(link, &p2p_send_modes[P2P_SEND], &some, bytes, delay);
            if (at >= 0) {
                (*sample)[t][s][0][at] = send;
                (*sample)[t][s][1][at] = receive;
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
        }
    }
    return 0;
}

int p2p_vectors_measure(struct p2p_link *link, const struct p2p_effort *effort,
                        struct p2p_vectors_found *found, struct tan_error *e)
{
    const size_t room = (size_t)p2p_vector_sizes[SIZES - 1] * P2P_STRIDE;
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
    fprintf(to,
            "\nVectors (blocks, floats per block, stride in floats): costs added to "
            "overheads;\no_s and o_r of %s\n\n",
            tan_size_text(p2p_vector_sizes[SIZES - 1]).text);
    tan_table_print(table, to);
}

static void set_sizes(struct tan_json_writer *w, json_t *o, const char *key,
                      const struct p2p_layout *layout)
{
    static const char *const keys[] = {"o_s_us", "o_r_us"};
    json_t *sizes = tan_json_set_array(w, o, key);
    for (int s = 0; s < SIZES; s++) {
        const struct tan_p2p_estimate all[] = {layout->send[s], layout->receive[s]};
        json_t *size = tan_json_append_object(w, sizes);
        tan_json_set_int(w, size, "bytes", p2p_vector_sizes[s]);
        p2p_set_estimates(w, size, keys, 2, all);
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
        tan_json_set_int(w, row, "blocks", l->blocks);
        tan_json_set_int(w, row, "length", l->length);
        tan_json_set_int(w, row, "stride", P2P_STRIDE);
        p2p_set_estimates(w, row, keys, 4, all);
        set_sizes(w, row, "sizes", l);
    }
}
