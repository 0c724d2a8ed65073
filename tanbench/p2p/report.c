/* report.c - measured messages as people read them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/report.h"

#include "model/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "model/machine/loggpo.h"
#include "tanbench/p2p/cells.h"

static const double us = 1e-6;

static void print_sizes(const struct tan_p2p *p, FILE *to)
{
    static const char *const headings[] = {"bytes",  "half trip us", "o_s us",
                                           "o_r us", "gap us",       "cold o_r us"};
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *size = &p->size[i];
        if ((size->bytes & (size->bytes - 1)) != 0 && p->n_sizes > 30) {
            continue; /* the file has them all */
        }
        tan_table_cell(table, "%" PRId64, size->bytes);
        for (int s = 0; s < TAN_P2P_MODELLED; s++) {
            p2p_value_cell(table, size->value[s], size->ci95[s], us);
        }
        p2p_value_cell(table, size->value[TAN_P2P_RECEIVE_COLD], size->ci95[TAN_P2P_RECEIVE_COLD],
                       us);
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
                f->most);
    } else {
        fprintf(to, "\nS: %" PRId64 " bytes; longer messages wait for their receiver\n", eager);
    }
    json_object_foreach(f->limits, name, value)
    {
        fprintf(to, "   %s says %" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
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

static const char *const slowed_cores[TAN_P2P_CONDITIONS] = {"had both cores to themselves",
                                                             "shared one of the cores with others",
                                                             "shared both cores with others"};

/* Nothing when the ranks had the cores to themselves nearly all of the time. */
static void print_condition(const struct p2p_conditions *c, const char *these, FILE *to)
{
    const double most = 0.95;
    if (c->share[0] >= most) {
        return;
    }
    if (c->slowed == TAN_P2P_ANY) {
        fprintf(to,
                "\n%s are from all samples: others used the cores in some, and no condition "
                "has enough\n",
                these);
    } else {
        fprintf(to,
                "\n%s are from the %.0f %% of the samples in which the ranks %s (a busy thread "
                "beside\nthem, maybe another virtual machine's); both to themselves in %.0f %%\n",
                these, 100 * c->share[c->slowed], slowed_cores[c->slowed], 100 * c->share[0]);
    }
}

void p2p_print(const struct p2p_findings *f, FILE *to)
{
    bool unknown = false;
    for (size_t i = 0; i < f->p2p->n_sizes; i++) {
        for (int s = 0; s < TAN_P2P_MODELLED; s++) {
            unknown |= !isfinite(f->p2p->size[i].value[s]);
        }
    }
    print_sizes(f->p2p, to);
    fputs("\nSections, by straight lines through the half trips\n\n", to);
    print_sections(f->p2p, to);
    if (unknown) {
        fputs("-: not identifiable, the interval reaches 0\n", to);
    }
    print_condition(f->conditions, "These times", to);
    print_eager(f, to);
    if (f->n_hidden > 0) {
        print_hidden(f, to);
    }
    if (f->kinds != NULL) {
        p2p_kinds_print(f->kinds, f->p2p, to);
    }
    if (f->vectors != NULL) {
        p2p_vectors_print(f->vectors, to);
    }
}

/* Errors of one model over the sizes. */
struct errors {
    double mean, worst; /* absolute, as shares; NaN when it predicts nothing */
};

/* In the condition that the messages were measured in, where the machine file knows it. */
static double prediction(const struct p2p_comparison *c, const struct tan_p2p_model *m,
                         int64_t bytes)
{
    const struct tan_p2p *p = c->machine->messages;
    const double slowness = tan_p2p_slowness(p, c->conditions->slowed, bytes);
    return m->predict(p, bytes).delivered * (isnan(slowness) ? 1.0 : slowness);
}

static double error_of(const struct p2p_comparison *c, const struct tan_p2p_model *m, size_t i,
                       double measured)
{
    return prediction(c, m, c->measured->size[i]) / measured - 1.0;
}

static struct errors errors_of(const struct p2p_comparison *c, const struct tan_p2p_model *m)
{
    struct errors out = {0.0, 0.0};
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        const double error = fabs(error_of(c, m, i, c->conditions->half[i]));
        out.mean += error / (double)c->measured->n_sizes;
        out.worst = fmax(out.worst, error);
    }
    out.worst = isfinite(out.mean) ? out.worst : NAN;
    return out;
}

double p2p_compare_core(const struct p2p_comparison *c)
{
    const double *share = c->conditions->share;
    const double then = c->machine->messages->work[0];
    return then > 0.0 && share[0] + share[1] > 0.0 ? c->conditions->fastest[0] / then - 1.0 : NAN;
}

/* The moment that an environment names; -1 when it names none. */
static time_t moment(const json_t *environment)
{
    struct tm date = {0};
    const char *text = json_string_value(json_object_get(environment, "date"));
    return text != NULL && strptime(text, "%Y-%m-%dT%H:%M:%SZ", &date) != NULL ? timegm(&date) : -1;
}

/* From the measurement of the machine to this one; NaN when the file does not tell. */
static double seconds_since(const struct p2p_comparison *c)
{
    const time_t then = moment(json_object_get(c->machine->p2p, "environment"));
    const time_t now = moment(c->environment);
    return then >= 0 && now >= then ? difftime(now, then) : NAN;
}

void p2p_compare_print(const struct p2p_comparison *c, FILE *to)
{
    const struct tan_p2p *p = c->machine->messages;
    const char *headings[3 + TAN_P2P_MODELS] = {"bytes", "half trip us"};
    int columns = 2;
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        if (isfinite(errors_of(c, m).mean)) {
            headings[columns++] = m->name;
        }
    }
    struct tan_table *table = tan_table_create(headings, columns);
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        const double half = c->conditions->half[i];
        tan_table_cell(table, "%" PRId64, c->measured->size[i]);
        tan_table_cell(table, "%.4g", half / us);
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            if (isfinite(errors_of(c, m).mean)) {
                tan_table_cell(table, "%+.1f %%", 100.0 * error_of(c, m, i, half));
            }
        }
    }
    for (int row = 0; row < 2; row++) {
        tan_table_cell(table, row == 0 ? "mean" : "worst");
        tan_table_cell(table, "%s", "");
        for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
            const struct errors e = errors_of(c, m);
            if (isfinite(e.mean)) {
                tan_table_cell(table, "%.1f %%", 100.0 * (row == 0 ? e.mean : e.worst));
            }
        }
    }
    fprintf(to,
            "Predictions of %s (%s): predicted / measured - 1; mean and worst of what they are "
            "off\n\n",
            c->machine->name, c->file);
    tan_table_print(table, to);
    tan_table_destroy(table);
    print_condition(c->conditions, "Half trips", to);
    if (c->conditions->slowed != p->slowed) {
        fputs(tan_p2p_knows(p, c->conditions->slowed)
                  ? "Predictions are made longer or shorter as the file's half trips in this "
                    "condition are\n"
                  : "The machine file does not know this condition; predictions are of another\n",
              to);
    }
    if (isfinite(seconds_since(c))) {
        fprintf(to, "\nMeasured %.0f s after the machine file", seconds_since(c));
        if (isfinite(p2p_compare_core(c))) {
            fprintf(to, ", with a core that, left alone, took %+.1f %% for the same work",
                    100.0 * p2p_compare_core(c));
        }
        fputs("\n", to);
    }
}

/* JSON */

/* How others used the cores. */
static json_t *conditions_json(const struct p2p_conditions *c)
{
    json_t *share = json_array();
    json_t *object =
        json_pack("{s:[o, o], s:[o, o], s:o}", "fastest_us", p2p_rounded(c->fastest[0] / us),
                  p2p_rounded(c->fastest[1] / us), "work_us", p2p_rounded(c->work[0] / us),
                  p2p_rounded(c->work[1] / us), "share", share);
    int bad = 0;
    for (int k = 0; k < TAN_P2P_CONDITIONS; k++) {
        bad |= json_array_append_new(share, p2p_rounded(c->share[k]));
    }
    if (c->slowed != TAN_P2P_ANY) {
        bad |= json_object_set_new(object, "slowed", json_integer(c->slowed));
    }
    if (isfinite(c->turn)) {
        bad |= json_object_set_new(object, "turn_us", p2p_rounded(c->turn / us));
    }
    return p2p_unless(bad, object);
}

/* The condition of every sample of one size; null: not known. */
static json_t *slowed_json(const struct p2p_measurement *m, const struct p2p_conditions *c,
                           size_t size, enum p2p_group group)
{
    json_t *array = json_array();
    int bad = 0;
    for (size_t pass = 0; pass < m->passes[group]; pass++) {
        const int slowed = p2p_condition_of(c, size, group, pass);
        bad |= json_array_append_new(array, slowed < 0 ? json_null() : json_integer(slowed));
    }
    return p2p_unless(bad, array);
}

static int set_lost(json_t *object, const struct p2p_measurement *m)
{
    return isfinite(m->lost) ? json_object_set_new(object, "lost", p2p_rounded(m->lost)) : 0;
}

static json_t *block_json(const struct p2p_findings *f)
{
    json_t *block = tan_p2p_to_json(f->p2p);
    json_t *overlap = json_array();
    int bad = f->limits != NULL ? json_object_set(block, "eager_limits", f->limits) : 0;
    bad |= json_object_set_new(block, "conditions", conditions_json(f->conditions));
    bad |= set_lost(block, f->measured);
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
    if (f->kinds != NULL) {
        bad |= json_object_set_new(block, "send_kinds", p2p_kinds_json(f->kinds));
    }
    if (f->vectors != NULL) {
        bad |= json_object_set_new(block, "datatypes", p2p_vectors_json(f->vectors));
    }
    json_decref(overlap);
    return p2p_unless(bad, block);
}

/* Every sample of one timing, us. */
static json_t *samples_json(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing t)
{
    json_t *samples = json_array();
    int bad = 0;
    for (size_t i = 0; i < m->passes[p2p_group_of(t)]; i++) {
        bad |= json_array_append_new(samples, p2p_rounded(p2p_samples(m, size, t)[i] / us));
    }
    return p2p_unless(bad, samples);
}

json_t *p2p_findings_json(const struct p2p_findings *f)
{
    json_t *top = json_pack("{s:o}", "p2p", block_json(f));
    json_t *sizes = json_array();
    int bad = 0;
    for (size_t i = 0; i < f->measured->n_sizes; i++) {
        json_t *size = json_pack("{s:I, s:i}", "bytes", (json_int_t)f->measured->size[i], "train",
                                 f->measured->train[i]);
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            static const char *const keys[TAN_P2P_TIMINGS] = {"half_us",       "prtt_one_us",
                                                              "prtt_train_us", "prtt_spaced_us",
                                                              "receive_us",    "receive_cold_us"};
            bad |= json_object_set_new(size, keys[t],
                                       samples_json(f->measured, i, (enum tan_p2p_timing)t));
        }
        bad |= json_object_set_new(size, "half_slowed",
                                   slowed_json(f->measured, f->conditions, i, P2P_TRIPS));
        bad |= json_object_set_new(size, "prtt_slowed",
                                   slowed_json(f->measured, f->conditions, i, P2P_TRAINS));
        bad |= json_object_set_new(size, "receive_cold_slowed",
                                   slowed_json(f->measured, f->conditions, i, P2P_COLD));
        bad |= json_array_append_new(sizes, size);
    }
    bad |= json_object_set_new(top, "samples", sizes);
    return p2p_unless(bad, top);
}

static json_t *compared_size(const struct p2p_comparison *c, size_t i)
{
    const double half = c->conditions->half[i];
    json_t *size = json_pack("{s:I, s:I, s:o}", "bytes", (json_int_t)c->measured->size[i], "n",
                             (json_int_t)c->measured->passes[P2P_TRIPS], "measured_us",
                             p2p_rounded(half / us));
    json_t *predicted = json_object();
    json_t *error = json_object();
    int bad = 0;

    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        const double value = prediction(c, m, c->measured->size[i]);
        if (isfinite(value)) {
            bad |= json_object_set_new(predicted, m->name, p2p_rounded(value / us));
            bad |= json_object_set_new(error, m->name, p2p_rounded(value / half - 1.0));
        }
    }
    bad |= json_object_set_new(size, "predicted_us", predicted);
    bad |= json_object_set_new(size, "error", error);
    bad |= json_object_set_new(size, "half_us", samples_json(c->measured, i, TAN_P2P_TRIP));
    bad |= json_object_set_new(size, "half_slowed",
                               slowed_json(c->measured, c->conditions, i, P2P_TRIPS));
    return p2p_unless(bad, size);
}

json_t *p2p_compare_json(const struct p2p_comparison *c)
{
    json_t *top = json_pack("{s:s, s:{s:s, s:s}}", "schema", "tan-p2p-validation/1", "machine",
                            "name", c->machine->name, "file", c->file);
    json_t *sizes = json_array();
    json_t *models = json_object();
    int bad = json_object_set(top, "environment", c->environment);
    if (isfinite(seconds_since(c))) {
        bad |= json_object_set_new(top, "seconds_since", json_real(seconds_since(c)));
    }
    if (isfinite(p2p_compare_core(c))) {
        bad |= json_object_set_new(top, "core", p2p_rounded(p2p_compare_core(c)));
    }
    bad |= json_object_set_new(top, "conditions", conditions_json(c->conditions));
    bad |= json_object_set_new(
        top, "comparable",
        json_boolean(p2p_conditions_comparable(c->conditions, c->machine->messages)));
    bad |= set_lost(top, c->measured);
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        bad |= json_array_append_new(sizes, compared_size(c, i));
    }
    for (const struct tan_p2p_model *m = tan_p2p_models; m->name != NULL; m++) {
        const struct errors e = errors_of(c, m);
        if (isfinite(e.mean)) {
            bad |=
                json_object_set_new(models, m->name,
                                    json_pack("{s:o, s:o}", "mean_abs_error", p2p_rounded(e.mean),
                                              "worst_abs_error", p2p_rounded(e.worst)));
        }
    }
    bad |= json_object_set_new(top, "sizes", sizes);
    bad |= json_object_set_new(top, "models", models);
    return p2p_unless(bad, top);
}
