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
            p2p_errors_add(&c->errors[m], relative_error(c, m, i));
        }
        if (c->errors[m].n < n) {
            c->errors[m] = (struct p2p_errors){.n = 0};
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
        if (c->errors[m].n > 0 && is_shown(c, m)) {
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

static void append_size(struct tan_json_writer *w, json_t *sizes, const struct p2p_comparison *c,
                        size_t i)
{
    const struct p2p_measurement *m = c->measured;
    json_t *size = tan_json_append_object(w, sizes);
    tan_json_set_int(w, size, "bytes", m->size[i]);
    tan_json_set_int(w, size, "n", (json_int_t)m->passes[P2P_TRIPS]);
    p2p_set(w, size, "measured_us", c->one_way[i] / us);
    json_t *predicted = tan_json_set_object(w, size, "predicted_us");
    json_t *error = tan_json_set_object(w, size, "error");
    for (int k = 0; k < TAN_P2P_MODELS; k++) {
        if (is_shown(c, k)) {
            p2p_set(w, predicted, tan_p2p_models[k].name, model_predictions(c, k)[i] / us);
            p2p_set(w, error, tan_p2p_models[k].name, relative_error(c, k, i));
        }
    }
    p2p_samples_set(w, size, "half_us", m, i, TAN_P2P_TRIP);
    p2p_quiet_set(w, size, "half_quiet", m, i, P2P_TRIPS);
}

json_t *p2p_comparison_json(struct tan_json_writer *w, const struct p2p_comparison *c)
{
    json_t *top = tan_json_new_object(w);
    tan_json_set_string(w, top, "schema", "tan-p2p-validation/1");
    json_t *machine = tan_json_set_object(w, top, "machine");
    tan_json_set_string(w, machine, "name", c->machine->name);
    tan_json_set_string(w, machine, "file", c->file);
    tan_json_set_bool(w, machine, "disturbed", c->machine->messages->disturbed);
    tan_json_set(w, top, "environment", json_incref(c->environment));
    tan_json_set_bool(w, top, "disturbed", tan_p2p_disturbed(c->measured));
    p2p_set(w, top, "quiet", tan_p2p_quiet_share(c->measured));
    tan_json_set_bool(w, top, "repeats", c->repeats);
    tan_json_set_real(w, top, "seconds_since", c->seconds);
    json_t *sizes = tan_json_set_array(w, top, "sizes");
    for (size_t i = 0; i < c->measured->n_sizes; i++) {
        append_size(w, sizes, c, i);
    }
    json_t *models = tan_json_set_object(w, top, "models");
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        if (is_shown(c, m)) {
            p2p_errors_set(w, models, tan_p2p_models[m].name, &c->errors[m]);
        }
    }
    if (c->repeats) {
        tan_json_set(w, top, "violations", tan_p2p_violations(c->machine->messages));
    }
    return top;
}
