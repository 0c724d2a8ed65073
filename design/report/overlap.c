/* overlap.c - overlap of messages with computation, by mechanism
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/overlap.h"

#include <inttypes.h>
#include <math.h>

#include "base/table.h"
#include "base/units.h"
#include "design/report/json_parts.h"

/* Mechanisms of message transfer. */
static const struct mechanism {
    const char *key, *title;
    enum tan_transfer transfer; /* UNKNOWN: as in the machine file */
    enum tan_progress progress;
    bool late; /* the receive is posted after the request has arrived, while the sender waits */
} mechanisms[] = {
    {"file", "this machine's", TAN_TRANSFER_UNKNOWN, TAN_PROGRESS_UNKNOWN, false},
    {"T", "T", TAN_TRANSFER_T, TAN_PROGRESS_DEPENDENT, false},
    {"TA", "TA", TAN_TRANSFER_TA, TAN_PROGRESS_DEPENDENT, false},
    {"RTA", "RTA", TAN_TRANSFER_RTA, TAN_PROGRESS_DEPENDENT, false},
    {"RTA independent", "RTA, independent", TAN_TRANSFER_RTA, TAN_PROGRESS_INDEPENDENT, false},
    {"RAT", "RAT", TAN_TRANSFER_RAT, TAN_PROGRESS_DEPENDENT, false},
    {"RAT late", "RAT, late receive", TAN_TRANSFER_RAT, TAN_PROGRESS_DEPENDENT, true},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

struct overlap {
    double o_s, o_r;   /* seconds in addition to the computation; NaN if a parameter is missing */
    double r_so, r_ro; /* shares of time */
};

static void find_costs(const struct tan_p2p *p, const struct mechanism *m, int64_t bytes,
                       struct tan_loggpo_costs *costs)
{
    if (m->transfer == TAN_TRANSFER_UNKNOWN) {
        tan_p2p_costs(p, bytes, costs);
        return;
    }
    struct tan_loggpo v = tan_p2p_loggpo(p, bytes);
    if (m->transfer == TAN_TRANSFER_T || m->transfer == TAN_TRANSFER_TA) {
        v.copy = p->eager >= 0 && bytes > p->eager ? NAN : v.copy;
    } else {
        v.start = tan_p2p_at(p, TAN_P2P_SEND, 1);
    }
    tan_loggpo_by_paper(&v, m->transfer, m->progress, bytes, costs);
}

static struct overlap overlap_of(const struct tan_p2p *p, const struct mechanism *m, int64_t bytes,
                                 double computation)
{
    struct tan_loggpo_costs costs;
    struct tan_loggpo_ends ends;
    find_costs(p, m, bytes, &costs);
    if (isnan(costs.delivered)) {
        return (struct overlap){NAN, NAN, NAN, NAN};
    }
    const struct tan_loggpo_calls calls = {.irecv =
                                               m->late ? fmax(costs.arrival, computation) : 0.0,
                                           .sender_computes = computation,
                                           .receiver_computes = computation};
    tan_loggpo_exchange(&costs, &calls, &ends);
    const double o_s = ends.sender - calls.isend - computation;
    const double o_r = ends.receiver - calls.irecv - computation;
    return (struct overlap){o_s, o_r, tan_overlap_ratio(computation, o_s),
                            tan_overlap_ratio(computation, o_r)};
}

static void add_row(struct tan_table *table, const struct mechanism *m, int64_t bytes,
                    const struct overlap *o)
{
    tan_table_cell(table, "%" PRId64, bytes);
    tan_table_cell(table, "%s", m->title);
    if (isnan(o->o_s)) {
        for (int i = 0; i < 4; i++) {
            tan_table_cell(table, "-");
        }
        return;
    }
    tan_table_digits(table, o->o_s);
    tan_table_cell(table, "%.3f", o->r_so);
    tan_table_digits(table, o->o_r);
    tan_table_cell(table, "%.3f", o->r_ro);
}

void tan_overlap_print(const int64_t *bytes, size_t n, double computation, const struct tan_p2p *p,
                       FILE *to)
{
    static const char *const headings[] = {"bytes", "<mechanism", "O_s", "R_so", "O_r", "R_ro"};
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < n; i++) {
        for (int m = 0; m < MECHANISMS; m++) {
            const struct overlap o = overlap_of(p, &mechanisms[m], bytes[i], computation);
            add_row(table, &mechanisms[m], bytes[i], &o);
        }
    }
    char time[64];
    fprintf(to,
            "\nBeside %s of computation between Isend or Irecv and Wait on both sides:\n"
            "overheads, and the share of its time that each side computes\n\n",
            tan_format_time(computation, tan_time_scale(computation), time, sizeof time));
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_overlap_set_json(struct tan_json_writer *w, struct json_t *object, int64_t bytes,
                          double computation, const struct tan_p2p *p)
{
    json_t *list = tan_json_set_array(w, object, "overlap");
    for (int m = 0; m < MECHANISMS; m++) {
        const struct overlap o = overlap_of(p, &mechanisms[m], bytes, computation);
        if (isnan(o.o_s)) {
            continue;
        }
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "mechanism", mechanisms[m].key);
        tan_report_set_us(w, row, "o_s_us", o.o_s);
        tan_report_set_us(w, row, "o_r_us", o.o_r);
        tan_json_set_fixed(w, row, "r_so", o.r_so, 6);
        tan_json_set_fixed(w, row, "r_ro", o.r_ro, 6);
    }
}
