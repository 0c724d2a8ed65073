/* failure_rows.c - what failed processes cost, as tables and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/failure_rows.h"

#include <math.h>

#include "base/table.h"
#include "base/text.h"
#include "design/report/json_parts.h"
#include "design/report/phrases.h"
#include "design/report/time_text.h"

#define AT(member) offsetof(struct tan_failure_row, member)
static const struct tan_field failure_fields[] = {
    {".tree", "<tree", TAN_FIELD_STRING, AT(name)},
    {".setting", "<setting", TAN_FIELD_STRING, AT(name)},
    {".wave", "wave", TAN_FIELD_TIME, AT(wave)},
    {"critical", "critical\nprocesses", TAN_FIELD_INT64, AT(critical)},
    {"most_lost", "one takes\nat most", TAN_FIELD_INT64, AT(most_lost)},
    {".most_late", "one delays\nat most", TAN_FIELD_INT64, AT(most_lost)},
    {"mean_lost", "on\naverage", TAN_FIELD_REAL, AT(mean_lost)},
    {"missing", "missing\nin a wave", TAN_FIELD_REAL, AT(missing)},
    {".late", "late or\nmissing", TAN_FIELD_REAL, AT(missing)},
    {"reached", NULL, TAN_FIELD_REAL, AT(reached)},
    {"one_down_us", "wave with\none down", TAN_FIELD_TIME, AT(one_down)},
    {"expected_us", "expected\nwave", TAN_FIELD_TIME, AT(expected)},
    TAN_FIELDS_END,
};
#undef AT

struct tan_failure_row tan_failure_row(const char *name, double wave,
                                       const struct tan_failure_cost *cost)
{
    struct tan_failure_row row = {
        .critical = cost->critical,
        .most_lost = cost->most_lost,
        .mean_lost = cost->mean_lost,
        .missing = cost->missing,
        .reached = cost->reached,
        .wave = wave,
        .one_down = wave + cost->one_wait,
        .expected = wave + cost->wait,
    };
    snprintf(row.name, sizeof row.name, "%s", name);
    return row;
}

struct tan_failure_row tan_failure_plan_row(const struct tan_plan *plan,
                                            const struct tan_failures *failures)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_failure_cost cost;
    char fanouts[TAN_NAME];
    if (tan_failures_plan(plan, failures, &cost, &ignored) < 0) {
        cost.wait = NAN;
    }
    return tan_failure_row(tan_short_fanouts(plan, fanouts), plan->wave, &cost);
}

struct tan_listing tan_failure_listing(void)
{
    return tan_listing_create(failure_fields, ".tree .wave critical most_lost mean_lost= missing= "
                                              "one_down_us expected_us");
}

struct tan_listing tan_failure_listing_of_settings(bool late)
{
    return tan_listing_create(failure_fields,
                              late ? ".setting .wave critical .most_late mean_lost= .late= "
                                     "one_down_us expected_us"
                                   : ".setting .wave critical most_lost mean_lost= missing= "
                                     "one_down_us expected_us");
}

const char *tan_missing_text(double missing, char buffer[TAN_CELL])
{
    snprintf(buffer, TAN_CELL, missing < 100.0 ? "%.3g" : "%.0f", missing);
    return isnan(missing) ? "" : buffer;
}

void tan_failure_list(struct tan_listing *listing, const struct tan_failure_row *row)
{
    char mean[TAN_CELL];
    char missing[TAN_CELL];
    snprintf(mean, sizeof mean, "%.2f", row->mean_lost);
    const char *const cells[] = {mean, tan_missing_text(row->missing, missing)};
    tan_listing_add(listing, row, cells);
}

void tan_failure_print(struct tan_listing *listing, const struct tan_failures *failures,
                       const char *way, FILE *to)
{
    char text[TAN_SENTENCE];
    char time[TAN_CELL];
    int n = snprintf(text, sizeof text, "When processes fail%s%s",
                     *way != '\0' ? " on the way " : "", way);
    if (!isnan(failures->p)) {
        n += snprintf(text + n, sizeof text - (size_t)n, ", each but the root down with p = %.3g",
                      failures->p);
    }
    if (!isnan(failures->timeout)) {
        snprintf(text + n, sizeof text - (size_t)n, "; of timeouts of %s a parent waits for %s",
                 tan_exact_text(failures->timeout, time), tan_waits[failures->wait].help);
    }
    fputc('\n', to);
    tan_text_wrap(to, text, 0, 0);
    fputc('\n', to);
    tan_listing_print(listing, to);
}

void tan_failure_set(struct tan_json_writer *w, json_t *object, const struct tan_failure_row *row)
{
    tan_fields_set(w, tan_json_set_object(w, object, "failure"), failure_fields, row);
}

void tan_failures_set(struct tan_json_writer *w, json_t *top, const struct tan_failures *failures)
{
    if (failures == NULL || (isnan(failures->p) && isnan(failures->timeout))) {
        return;
    }
    json_t *object = tan_json_set_object(w, top, "failures");
    if (isfinite(failures->p)) {
        tan_json_set_real(w, object, "p", failures->p);
    }
    if (isfinite(failures->timeout)) {
        tan_report_set_us(w, object, "timeout_us", failures->timeout);
    }
    tan_json_set_string(w, object, "wait", tan_waits[failures->wait].name);
}
