/* report.c - measured messages as text and as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/report.h"

#include <inttypes.h>
#include <math.h>

#include "base/table.h"
#include "model/machine/loggpo.h"
#include "tanbench/p2p/values.h"

static const double us = 1e-6;

static void print_sizes(const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"bytes", "one-way us", "o_s us", "o_r us", "gap us"};
    struct tan_table *table = tan_table_create(headings, 5);
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *size = &p->size[i];
        if ((size->bytes & (size->bytes - 1)) != 0 && p->n_sizes > 30) {
            continue; /* the file has them all */
        }
        tan_table_cell(table, "%" PRId64, size->bytes);
        for (int s = 0; s < TAN_P2P_SERIES; s++) {
            p2p_value_cell(table, size->value[s], size->ci95[s], us);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void print_sections(const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"from B", "to B",     "L us", "o_s us", "O_s ns/B",
                                           "o_r us", "O_r ns/B", "g us", "G ns/B"};
    static const bool per_byte[TAN_P2P_PARAMS] = {
        [TAN_P2P_O_S_BYTE] = true, [TAN_P2P_O_R_BYTE] = true, [TAN_P2P_G_BYTE] = true};
    struct tan_table *table = tan_table_create(headings, 9);
    for (size_t i = 0; i < p->n_sections; i++) {
        const struct tan_p2p_section *s = &p->section[i];
        tan_table_cell(table, "%" PRId64, s->from);
        if (i + 1 < p->n_sections) {
            tan_table_cell(table, "%" PRId64, s->to);
        } else {
            tan_table_cell(table, "any");
        }
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            p2p_value_cell(table, s->value[v], s->ci95[v], per_byte[v] ? 1e-9 : us);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void print_eager(const struct p2p_findings *f, FILE *to)
{
    const int64_t eager = f->p2p->eager;
    const char *name;
    json_t *value;
    if (eager < 0) {
        fprintf(to,
                "\nS: not identifiable, sends of up to %" PRId64
                " bytes return before they are received\n",
                f->max_bytes);
    } else {
        fprintf(to, "\nS: %" PRId64 " bytes; longer messages wait for their receiver\n", eager);
    }
    json_object_foreach(f->limits, name, value)
    {
        fprintf(to, "   %s: %" JSON_INTEGER_FORMAT " bytes\n", name, json_integer_value(value));
    }
    fprintf(to, "Messages beyond S: progress %s, transfer %s\n",
            tan_progress_names[f->p2p->progress], tan_transfer_names[f->p2p->transfer]);
}

static void print_hidden(const struct p2p_findings *f, FILE *to)
{
    static const char *const headings[] = {"bytes", "computing us",    "sender's O us",
                                           "ratio", "receiver's O us", "ratio"};
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < f->n_hidden; i++) {
        const struct p2p_hidden *h = &f->hidden[i];
        tan_table_cell(table, "%" PRId64, h->bytes);
        tan_table_cell(table, "%.4g", h->computation / us);
        tan_table_cell(table, "%.3g", h->sender / us);
        tan_table_cell(table, "%.2f", tan_overlap_ratio(h->computation, h->sender));
        tan_table_cell(table, "%.3g", h->receiver / us);
        tan_table_cell(table, "%.2f", tan_overlap_ratio(h->computation, h->receiver));
    }
    fputs("\nComputing between Isend or Irecv and Wait; ratio: the share of its time that a side "
          "computes\n\n",
          to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void p2p_print_disturbed(const struct p2p_measurement *m, FILE *to)
{
    if (tan_p2p_disturbed(m)) {
        fprintf(to, "\nOthers used the cores in %.0f %% of the samples, too many to exclude them\n",
                100.0 * (1.0 - tan_p2p_quiet_share(m)));
    }
}

void p2p_print(const struct p2p_findings *f, FILE *to)
{
    bool unknown = false;
    for (size_t i = 0; i < f->p2p->n_sizes; i++) {
        for (int s = 0; s < TAN_P2P_SERIES; s++) {
            unknown |= !isfinite(f->p2p->size[i].value[s]);
        }
    }
    print_sizes(f->p2p, to);
    fputs("\nSections, by straight lines through the one-way times\n\n", to);
    print_sections(f->p2p, to);
    if (unknown) {
        fputs("-: not identifiable, the interval reaches 0\n", to);
    }
    p2p_print_disturbed(&f->measured, to);
    print_eager(f, to);
    if (f->n_hidden > 0) {
        print_hidden(f, to);
    }
    if (f->modes.n > 0) {
        p2p_modes_print(&f->modes, f->p2p, to);
    }
    if (f->vectors.n > 0) {
        p2p_vectors_print(&f->vectors, to);
    }
}

/* JSON */

json_t *p2p_quiet_json(const struct p2p_measurement *m, size_t size, enum p2p_group group)
{
    json_t *array = json_array();
    int bad = 0;
    for (size_t pass = 0; pass < m->passes[group]; pass++) {
        bad |= json_array_append_new(array, json_boolean(tan_p2p_quiet(m, size, group, pass)));
    }
    return p2p_unless(bad, array);
}

static json_t *block_json(const struct p2p_findings *f)
{
    json_t *block = tan_p2p_to_json(f->p2p);
    json_t *overlap = json_array();
    int bad = f->limits != NULL ? json_object_set(block, "eager_limits", f->limits) : 0;
    bad |= json_object_set_new(block, "quiet", p2p_rounded(tan_p2p_quiet_share(&f->measured)));
    for (size_t i = 0; i < f->n_hidden; i++) {
        const struct p2p_hidden *h = &f->hidden[i];
        bad |= json_array_append_new(
            overlap, json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "bytes", (json_int_t)h->bytes,
                               "computation_us", p2p_rounded(h->computation / us), "O_s_us",
                               p2p_rounded(h->sender / us), "R_so",
                               p2p_rounded(tan_overlap_ratio(h->computation, h->sender)), "O_r_us",
                               p2p_rounded(h->receiver / us), "R_ro",
                               p2p_rounded(tan_overlap_ratio(h->computation, h->receiver))));
    }
    if (f->n_hidden > 0) {
        bad |= json_object_set(block, "overlap", overlap);
    }
    if (f->modes.n > 0) {
        bad |= json_object_set_new(block, "send_modes", p2p_modes_json(&f->modes));
    }
    if (f->vectors.n > 0) {
        bad |= json_object_set_new(block, "datatypes", p2p_vectors_json(&f->vectors));
    }
    json_decref(overlap);
    return p2p_unless(bad, block);
}

json_t *p2p_samples_json(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing t)
{
    json_t *samples = json_array();
    int bad = 0;
    for (size_t i = 0; i < m->passes[tan_p2p_group_of(t)]; i++) {
        bad |= json_array_append_new(samples, p2p_rounded(tan_p2p_samples_of(m, size, t)[i] / us));
    }
    return p2p_unless(bad, samples);
}

json_t *p2p_findings_json(const struct p2p_findings *f)
{
    static const char *const keys[TAN_P2P_TIMINGS] = {"half_us", "prtt_one_us", "prtt_train_us",
                                                      "prtt_spaced_us", "receive_us"};
    const struct p2p_measurement *m = &f->measured;
    json_t *top = json_pack("{s:o}", "p2p", block_json(f));
    json_t *sizes = json_array();
    int bad = 0;
    for (size_t i = 0; i < m->n_sizes; i++) {
        json_t *size =
            json_pack("{s:I, s:i}", "bytes", (json_int_t)m->size[i], "train", m->train[i]);
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            bad |=
                json_object_set_new(size, keys[t], p2p_samples_json(m, i, (enum tan_p2p_timing)t));
        }
        bad |= json_object_set_new(size, "half_quiet", p2p_quiet_json(m, i, P2P_TRIPS));
        bad |= json_object_set_new(size, "prtt_quiet", p2p_quiet_json(m, i, P2P_TRAINS));
        bad |= json_array_append_new(sizes, size);
    }
    bad |= json_object_set_new(top, "samples", sizes);
    return p2p_unless(bad, top);
}
