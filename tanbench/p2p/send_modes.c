/* send_modes.c - costs of MPI's send modes on both sides
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/send_modes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/table.h"
#include "base/units.h"
#include "tanbench/p2p/values.h"
#include "tanbench/ranks/machine.h"

enum { REPETITIONS = 600, MIN_REPETITIONS = 20, WARM_UP = 10, SIMULATED = 3 };

static const double us = 1e-6;
static const char *const keys[P2P_COSTS] = {"o_s_us", "complete_us", "o_r_us"};

typedef double samples[P2P_SEND_MODES][P2P_COSTS][REPETITIONS];

/* Measure one size until tan_clock_seconds reaches `end`. */
static int measure_size(struct p2p_link *link, int64_t bytes, double delay, double end,
                        samples *sample, size_t *n, struct tan_error *e)
{
    const struct p2p_data out = p2p_bytes(link->send, bytes);
    const struct p2p_data in = p2p_bytes(link->receive, bytes);
    const int least = machine_simulated ? SIMULATED : MIN_REPETITIONS;
    const int warm_up = machine_simulated ? 1 : WARM_UP;
    for (int i = 0; i < warm_up + REPETITIONS; i++) {
        if (i >= warm_up + least && (machine_simulated || tan_clock_seconds() > end)) {
            break;
        }
        if (p2p_link_check_stop(link, e) < 0) {
            return -1;
        }
        for (int k = 0; k < P2P_SEND_MODES; k++) {
            const struct p2p_sent sent = p2p_send(link, &p2p_send_modes[k], &out, bytes);
            const double received = p2p_receive(link, &p2p_send_modes[k], &in, bytes, delay);
            if (i >= warm_up) {
                *n = (size_t)(i - warm_up) + 1;
                (*sample)[k][P2P_COST_SEND][*n - 1] = sent.call;
                (*sample)[k][P2P_COST_COMPLETE][*n - 1] = sent.complete;
                (*sample)[k][P2P_COST_RECEIVE][*n - 1] = received;
            }
        }
    }
    return 0;
}

/* Seconds within which a requested message of `bytes` has certainly arrived. */
static double arrival_time(const struct tan_p2p *p, int64_t bytes)
{
    const double min = 10e-6;
    const double time = tan_p2p_at(p, TAN_P2P_HALF, bytes);
    return fmax(isfinite(time) ? 4.0 * time : 1e-3, min);
}

int p2p_modes_measure(struct p2p_link *link, const struct p2p_effort *effort, const int64_t *sizes,
                      size_t n, const struct tan_p2p *p, struct p2p_modes_found *found,
                      struct tan_error *e)
{
    samples *sample = malloc(sizeof *sample);
    int result = -1;
    *found = (struct p2p_modes_found){.n = 0};
    if (sample == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        struct p2p_modes_size *size = &found->size[i];
        size->bytes = sizes[i];
        p2p_step_show(&effort->step, effort->max_seconds * (double)(n - i) / (double)n,
                      "send modes, %s", tan_size_text(size->bytes).text);
        if (measure_size(link, size->bytes, arrival_time(p, size->bytes),
                         tan_clock_seconds() + effort->max_seconds / (double)n, sample, &size->n,
                         e) < 0) {
            goto done;
        }
        for (int k = 0; k < P2P_SEND_MODES; k++) {
            for (int c = 0; c < P2P_COSTS; c++) {
                size->cost[k][c] = tan_p2p_estimate((*sample)[k][c], size->n);
            }
        }
        found->n++;
    }
    result = 0;

done:
    p2p_step_hide(&effort->step);
    free(sample);
    return result;
}

/* The measured size nearest to `bytes`. */
static const struct p2p_modes_size *nearest_size(const struct p2p_modes_found *found, double bytes)
{
    const struct p2p_modes_size *best = &found->size[0];
    for (size_t i = 1; i < found->n; i++) {
        const struct p2p_modes_size *size = &found->size[i];
        best = fabs(log((double)size->bytes / bytes)) < fabs(log((double)best->bytes / bytes))
                   ? size
                   : best;
    }
    return best;
}

/* LogGP's parameters per mode: overheads of a short and a long message; the rest from standard
 * sends, g of the shortest and G of the longest messages. */
static void print_signature(const struct p2p_modes_found *found, const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"<mode",  "L us",  "o_s us", "to us",
                                           "o_r us", "to us", "g us",   "G ns/B"};
    const struct p2p_modes_size *ends[] = {nearest_size(found, 16), nearest_size(found, 10000)};
    const struct tan_p2p_section *first = &p->section[0];
    const struct tan_p2p_section *last = &p->section[p->n_sections - 1];
    struct tan_table *table = tan_table_create(headings, 8);
    for (int k = 0; k < P2P_SEND_MODES; k++) {
        tan_table_cell(table, "%s", p2p_send_modes[k].name);
        p2p_value_cell(table, first->value[TAN_P2P_L], first->ci95[TAN_P2P_L], us);
        for (int c = P2P_COST_SEND; c < P2P_COSTS; c += P2P_COST_RECEIVE - P2P_COST_SEND) {
            for (int i = 0; i < 2; i++) {
                p2p_estimate_cell(table, &ends[i]->cost[k][c], us);
            }
        }
        p2p_value_cell(table, first->value[TAN_P2P_G], first->ci95[TAN_P2P_G], us);
        p2p_value_cell(table, last->value[TAN_P2P_G_BYTE], last->ci95[TAN_P2P_G_BYTE], 1e-9);
    }
    fprintf(to, "\nLogGP signature of the send modes; overheads of %s to %s\n\n",
            tan_size_text(ends[0]->bytes).text, tan_size_text(ends[1]->bytes).text);
    tan_table_print(table, to);
}

void p2p_modes_print(const struct p2p_modes_found *found, const struct tan_p2p *p, FILE *to)
{
    static const char *const titles[P2P_COSTS] = {
        "until the send returns",
        "until its data may be changed, with the wait of a nonblocking send",
        "receiving a message that has arrived",
    };
    const char *headings[1 + P2P_SEND_MODES] = {"bytes"};
    print_signature(found, p, to);
    for (int k = 0; k < P2P_SEND_MODES; k++) {
        headings[1 + k] = p2p_send_modes[k].name;
    }
    for (int c = 0; c < P2P_COSTS; c++) {
        struct tan_table *table = tan_table_create(headings, 1 + P2P_SEND_MODES);
        for (size_t i = 0; i < found->n; i++) {
            tan_table_cell(table, "%" PRId64, found->size[i].bytes);
            for (int k = 0; k < P2P_SEND_MODES; k++) {
                p2p_estimate_cell(table, &found->size[i].cost[k][c], us);
            }
        }
        fprintf(to, "\nSend modes, us %s\n\n", titles[c]);
        tan_table_print(table, to);
    }
}

void p2p_modes_set(struct tan_json_writer *w, json_t *block, const struct p2p_modes_found *found)
{
    json_t *top = tan_json_set_object(w, block, "send_modes");
    for (int k = 0; k < P2P_SEND_MODES; k++) {
        json_t *sizes = tan_json_set_array(w, top, p2p_send_modes[k].name);
        for (size_t i = 0; i < found->n; i++) {
            const struct p2p_modes_size *size = &found->size[i];
            json_t *row = tan_json_append_object(w, sizes);
            tan_json_set_int(w, row, "bytes", size->bytes);
            tan_json_set_int(w, row, "n", (json_int_t)size->n);
            p2p_set_estimates(w, row, keys, P2P_COSTS, size->cost[k]);
        }
    }
}
