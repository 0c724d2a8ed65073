/* report.c - measured messages as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/report.h"

#include <inttypes.h>
#include <math.h>

#include "base/table.h"
#include "model/machine/p2p.h"
#include "tanbench/p2p/values.h"

static const double us = 1e-6;

/* The file has all sizes; long tables show only powers of two. */
static bool is_shown(const struct tan_p2p *p, size_t i)
{
    const int64_t bytes = p->size[i].bytes;
    return p->n_sizes <= 30 || (bytes & (bytes - 1)) == 0;
}

static void print_sizes(const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"bytes",   "one-way us", "o_s us", "o_r us", "gap us",
                                           "send us", "duplex",     "R_so",   "R_ro"};
    struct tan_table *table = tan_table_create(headings, 9);
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *size = &p->size[i];
        if (!is_shown(p, i)) {
            continue;
        }
        tan_table_cell(table, "%" PRId64, size->bytes);
        for (int s = 0; s <= TAN_P2P_DUPLEX; s++) {
            p2p_value_cell(table, size->value[s], size->ci95[s], us);
        }
        for (int side = 0; side < 2; side++) {
            const double overhead = size->value[side == 0 ? TAN_P2P_SEND : TAN_P2P_RECEIVE];
            const double ratio = tan_overlap_ratio(4.0 * size->value[TAN_P2P_HALF], overhead);
            tan_table_cell(table, isfinite(ratio) ? "%.3f" : "-", ratio);
        }
    }
    tan_table_print(table, to);
    fputs("o_s, o_r: overhead of a side that computes between Isend or Irecv and Wait, the other "
          "waiting;\nR_so, R_ro: the share of its time that it computes, when it does so for four "
          "times the one-way time;\nsend: a blocking send; duplex: the gap in us, messages going "
          "both ways\n",
          to);
}

static void print_sections(const struct tan_p2p *p, FILE *to)
{
    char heading[TAN_P2P_PARAMS][32];
    const char *headings[3 + TAN_P2P_PARAMS] = {"from B", "to B", "<protocol"};
    for (int v = 0; v < TAN_P2P_PARAMS; v++) {
        snprintf(heading[v], sizeof heading[v], "%s %s", tan_p2p_params[v].title,
                 tan_p2p_params[v].per_byte ? "ns/B" : "us");
        headings[3 + v] = heading[v];
    }
    struct tan_table *table = tan_table_create(headings, 3 + TAN_P2P_PARAMS);
    for (size_t i = 0; i < p->n_sections; i++) {
        const struct tan_p2p_section *s = &p->section[i];
        tan_table_cell(table, "%" PRId64, s->from);
        tan_table_cell(table, i + 1 < p->n_sections ? "%" PRId64 : "any", s->to);
        tan_table_cell(table, "%s", tan_transfer_names[tan_p2p_transfer_of(p, s->from)]);
        for (int v = 0; v < TAN_P2P_PARAMS; v++) {
            p2p_value_cell(table, s->value[v], s->ci95[v], tan_p2p_params[v].per_byte ? 1e-9 : us);
        }
    }
    tan_table_print(table, to);
}

/* The measured size nearest to the section's middle on a log scale. */
static const struct tan_p2p_size *middle_of(const struct tan_p2p *p,
                                            const struct tan_p2p_section *section)
{
    const struct tan_p2p_size *last = &p->size[p->n_sizes - 1];
    const double to = fmin((double)section->to, (double)last->bytes);
    const double middle = sqrt((double)section->from * to);
    const struct tan_p2p_size *nearest = last;
    for (size_t i = 0; i < p->n_sizes; i++) {
        if (fabs(log((double)p->size[i].bytes / middle)) <
            fabs(log((double)nearest->bytes / middle))) {
            nearest = &p->size[i];
        }
    }
    return nearest;
}

/* Table 1 of [Chen 2009]. */
static void print_loggpo(const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"bytes",  "<T_m",   "<S_cp",   "O' us",  "O_i us",
                                           "O_c us", "O_s us", "O_sw us", "O_r us", "O_rw us"};
    struct tan_table *table = tan_table_create(headings, 10);
    for (size_t i = 0; i < p->n_sections; i++) {
        const struct tan_p2p_size *at = middle_of(p, &p->section[i]);
        const double *v = at->value;
        const bool negotiates = p->eager >= 0 && at->bytes > p->eager;
        const double parameters[] = {
            tan_p2p_control(p),
            v[TAN_P2P_START],
            negotiates ? NAN : v[TAN_P2P_COPY],
            v[TAN_P2P_SEND],
            v[TAN_P2P_SEND] - v[TAN_P2P_START],
            v[TAN_P2P_RECEIVE],
            v[TAN_P2P_RECEIVE] - (negotiates ? tan_p2p_control(p) : 0.0),
        };
        tan_table_cell(table, "%" PRId64, at->bytes);
        tan_table_cell(table, "%s", tan_transfer_names[tan_p2p_transfer_of(p, at->bytes)]);
        tan_table_cell(table, "%s", tan_progress_names[p->progress]);
        for (size_t k = 0; k < sizeof parameters / sizeof parameters[0]; k++) {
            p2p_value_cell(table, parameters[k] < 0.0 ? 0.0 : parameters[k], TAN_INTERVAL_UNKNOWN,
                           us);
        }
    }
    fputs("\nLogGPO's parameters, at a size in the middle of each section; O_sw = O_s - O_i, and "
          "O_rw = "
          "O_r,\nbeyond S less O'\n\n",
          to);
    tan_table_print(table, to);
}

static void print_eager(const struct p2p_findings *f, FILE *to)
{
    const int64_t eager = f->p2p->eager;
    if (eager < 0) {
        fprintf(to,
                "\nS: not identifiable, sends of up to %" PRId64
                " bytes return before they are received\n",
                f->max_bytes);
    } else {
        fprintf(to, "\nS: %" PRId64 " bytes; longer messages wait for their receiver\n", eager);
    }
    const int64_t alone = f->p2p->alone;
    if (alone >= 0 && alone != eager) {
        fprintf(to,
                "T: up to %" PRId64 " bytes; longer ones up to S need the receiver's reaction (TA)"
                "\n",
                alone);
    }
    fprintf(to, "Messages beyond S: progress %s, transfer %s\n",
            tan_progress_names[f->p2p->progress], tan_transfer_names[f->p2p->transfer]);
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
    fputs("\nSections, by straight lines through the one-way times; L is what the overheads leave "
          "of them\n\n",
          to);
    print_sections(f->p2p, to);
    if (unknown) {
        fputs("-: not identifiable, the interval reaches 0\n", to);
    }
    print_loggpo(f->p2p, to);
    p2p_print_disturbed(&f->measured, to);
    print_eager(f, to);
    if (f->modes.n > 0) {
        p2p_modes_print(&f->modes, f->p2p, to);
    }
    if (f->vectors.n > 0) {
        p2p_vectors_print(&f->vectors, to);
    }
}

/* JSON */

void p2p_quiet_set(struct tan_json_writer *w, json_t *object, const char *key,
                   const struct p2p_measurement *m, size_t size, enum p2p_group group)
{
    json_t *array = tan_json_set_array(w, object, key);
    for (size_t pass = 0; pass < m->passes[group]; pass++) {
        tan_json_append(w, array, json_boolean(tan_p2p_quiet(m, size, group, pass)));
    }
}

void p2p_samples_set(struct tan_json_writer *w, json_t *object, const char *key,
                     const struct p2p_measurement *m, size_t size, enum tan_p2p_timing t)
{
    json_t *samples = tan_json_set_array(w, object, key);
    for (size_t i = 0; i < m->passes[tan_p2p_group_of(t)]; i++) {
        tan_json_append(w, samples, p2p_rounded(tan_p2p_samples_of(m, size, t)[i] / us));
    }
}

void p2p_findings_set(struct tan_json_writer *w, json_t *document, const struct p2p_findings *f)
{
    static const char *const keys[TAN_P2P_TIMINGS] = {
        "half_us",        "send_us",       "o_s_us",         "o_r_us", "window_few_us",
        "window_many_us", "duplex_few_us", "duplex_many_us", "O_i_us", "O_c_us"};
    const struct p2p_measurement *m = &f->measured;
    json_t *block = tan_p2p_to_json(f->p2p);
    tan_json_set(w, document, "p2p", block);
    p2p_set(w, block, "quiet", tan_p2p_quiet_share(m));
    if (f->modes.n > 0) {
        p2p_modes_set(w, block, &f->modes);
    }
    if (f->vectors.n > 0) {
        p2p_vectors_set(w, block, &f->vectors);
    }
    json_t *sizes = tan_json_set_array(w, document, "samples");
    for (size_t i = 0; i < m->n_sizes; i++) {
        json_t *size = tan_json_append_object(w, sizes);
        tan_json_set_int(w, size, "bytes", m->size[i]);
        tan_json_set_int(w, size, "few", m->few[i]);
        tan_json_set_int(w, size, "many", m->many[i]);
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            p2p_samples_set(w, size, keys[t], m, i, (enum tan_p2p_timing)t);
        }
        p2p_quiet_set(w, size, "half_quiet", m, i, P2P_TRIPS);
        p2p_quiet_set(w, size, "calls_quiet", m, i, P2P_CALLS);
    }
}
