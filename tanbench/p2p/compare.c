/* compare.c - measured one-way times compared with a machine file's predictions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/table.h"
#include "model/machine/p2p.h"
#include "tanbench/p2p/report.h"
#include "tanbench/p2p/values.h"
#include "tanbench/ranks/machine.h"

static const double us = 1e-6;

/* The date in an environment; -1 if absent. */
static time_t environment_date(const json_t *environment)
{
    struct tm date = {0};
    const char *text = json_string_value(json_object_get(environment, "date"));
    return text != NULL && strptime(text, "%Y-%m-%dT%H:%M:%SZ", &date) != NULL ? timegm(&date) : -1;
}

static double *model_predictions(const struct p2p_comparison *c, int model)
{
    return c->predicted + (size_t)model * c->measured->n_sizes;
}

static double relative_error(const struct p2p_comparison *c, int model, size_t i)
{
    return p2p_error(model_predictions(c, model)[i], c->one_way[i], c->one_way[i]);
}

static bool is_shown(const struct p2p_comparison *c, int model)
{
    return c->repeats || model == c->own;
}

int p2p_compare(struct p2p_comparison *c, const struct p2p_measurement *measured,
                const struct tan_machine *machine, const char *file, json_t *environment,
                struct tan_error *e)
{
    const double most = 0.2; /* beyond it, nothing is repeated */
    const size_t n = measured->n_sizes;
    const time_t then = environment_date(json_object_get(machine->p2p, "environment"));
    const time_t now = environment_date(environment);
    *c = (struct p2p_comparison){
        .measured = measured,
        .machine = machine,
        .file = file,
        .environment = environment,
        .seconds = !machine_simulated && then >= 0 && now >= then ? difftime(now, then) : NAN,
        .one_way = calloc(n, sizeof *c->one_way),
        .predicted = calloc(n * TAN_P2P_MODELS, sizeof *c->predicted),
        .own = (int)(tan_p2p_model_find("plogp") - tan_p2p_models),
    };
    if (c->one_way == NULL || c->predicted == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        c->one_way[i] = tan_p2p_one_way_time(measured, i);
    }
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        for (size_t i = 0; i < n; i++) {
            model_predictions(c, m)[i] =
                tan_p2p_models[m].predict(machine->messages, measured->size[i]).delivered;
            const double error = fabs(relative_error(c, m, i));
            c->errors[m].mean += error / (double)n;
            c->errors[m].worst = fmax(c->errors[m].worst, error);
        }
    }
    c->repeats = !(c->errors[c->own].mean > most);
    return 0;
}

void p2p_comparison_clear(struct p2p_comparison *c)
{
    free(c->one_way);
    free(c->predicted);
}

bool p2p_comparison_disturbed(const struct p2p_comparison *c)
{
    return tan_p2p_disturbed(c->measured) || c->machine->messages->disturbed;
}

/* List the models that cannot predict, with the missing key of the machine file. */
static void print_left_out(const struct p2p_comparison *c, FILE *to)
{
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        const struct tan_p2p_model *model = &tan_p2p_models[m];
        const char *key = NULL;
        size_t i = 0;
        while (i < c->measured->n_sizes &&
               (key = tan_p2p_lacks(c->machine->messages, model, c->measured->size[i])) == NULL) {
            i++;
        }
        if (key != NULL) {
            fprintf(to, "Without %s: for %" PRId64 " B the machine file lacks %s\n", model->name,
                    c->measured->size[i], key);
        }
    }
}

void p2p_comparison_print(const struct p2p_comparison *c, FILE *to)
{
    const char *headings[2 + TAN_P2P_MODELS] = {"bytes", "one-way us"};
    int shown[TAN_P2P_MODELS]; /* models that can predict */
    int n = 0;
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        if (isfinite(c->errors[m].mean) && is_shown(c, m)) {
            headings[2 + n] = tan_p2p_models[m].name;
            shown[n++] = m;
        }
    }
    struct tan_table *table = tan_table_create(headings, 2 + n);
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        tan_table_cell(table, "%" PRId64, c->measured->size[i]);
        tan_table_cell(table, "%.4g", c->one_way[i] / us);
        for (int k = 0; k < n; k++) {
            tan_table_error(table, relative_error(c, shown[k], i));
        }
    }
    for (int row = 0; row < 2; row++) {
        tan_table_cell(table, row == 0 ? "mean" : "worst");
        tan_table_cell(table, "%s", "");
        for (int k = 0; k < n; k++) {
            tan_table_abs_error(table,
                                row == 0 ? c->errors[shown[k]].mean : c->errors[shown[k]].worst);
        }
    }
    fprintf(to,
            "Predictions of %s (%s): predicted / measured - 1; mean and worst of the absolute "
            "errors;\n%s\n\n",
            c->machine->name, c->file,
            c->repeats ? "fitted and plogp by lines and points of this machine, the others as "
                         "published"
                       : "plogp, the file's own table of measured times, is the repeatability");
    tan_table_print(table, to);
    if (c->repeats) {
        fputc('\n', to);
        tan_p2p_violations_print(c->machine->messages, to);
        print_left_out(c, to);
    }
    p2p_print_disturbed(c->measured, to);
    if (isfinite(c->seconds)) {
        fprintf(to, "\nMeasured %.0f s after the machine file\n", c->seconds);
    }
}

static json_t *size_json(const struct p2p_comparison *c, size_t i)
{
    const struct p2p_measurement *m = c->measured;
    json_t *size =
        json_pack("{s:I, s:I, s:o}", "bytes", (json_int_t)m->size[i], "n",
                  (json_int_t)m->passes[P2P_TRIPS], "measured_us", p2p_rounded(c->one_way[i] / us));
    json_t *predicted = json_object();
    json_t *error = json_object();
    int bad = 0;
    for (int k = 0; k < TAN_P2P_MODELS; k++) {
        const double value = model_predictions(c, k)[i];
        if (isfinite(value) && is_shown(c, k)) {
            const char *name = tan_p2p_models[k].name;
            bad |= json_object_set_new(predicted, name, p2p_rounded(value / us));
            bad |= json_object_set_new(error, name, p2p_rounded(relative_error(c, k, i)));
        }
    }
    bad |= json_object_set_new(size, "predicted_us", predicted);
    bad |= json_object_set_new(size, "error", error);
    bad |= json_object_set_new(size, "half_us", p2p_samples_json(m, i, TAN_P2P_TRIP));
    bad |= json_object_set_new(size, "half_quiet", p2p_quiet_json(m, i, P2P_TRIPS));
    return p2p_unless(bad, size);
}

json_t *p2p_comparison_json(const struct p2p_comparison *c)
{
    json_t *top = json_pack("{s:s, s:{s:s, s:s, s:b}, s:O, s:b}", "schema", "tan-p2p-validation/1",
                            "machine", "name", c->machine->name, "file", c->file, "disturbed",
                            c->machine->messages->disturbed, "environment", c->environment,
                            "disturbed", tan_p2p_disturbed(c->measured));
    json_t *sizes = json_array();
    json_t *models = json_object();
    int bad = json_object_set_new(top, "quiet", p2p_rounded(tan_p2p_quiet_share(c->measured)));
    bad |= json_object_set_new(top, "repeats", json_boolean(c->repeats));
    if (isfinite(c->seconds)) {
        bad |= json_object_set_new(top, "seconds_since", json_real(c->seconds));
    }
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        bad |= json_array_append_new(sizes, size_json(c, i));
    }
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        if (isfinite(c->errors[m].mean) && is_shown(c, m)) {
            bad |= json_object_set_new(models, tan_p2p_models[m].name,
                                       json_pack("{s:o, s:o}", "mean_abs_error",
                                                 p2p_rounded(c->errors[m].mean), "worst_abs_error",
                                                 p2p_rounded(c->errors[m].worst)));
        }
    }
    bad |= json_object_set_new(top, "sizes", sizes);
    bad |= json_object_set_new(top, "models", models);
    if (c->repeats) {
        bad |= json_object_set_new(top, "violations", tan_p2p_violations(c->machine->messages));
    }
    return p2p_unless(bad, top);
}
