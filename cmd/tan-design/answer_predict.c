/* answer_predict.c - predictions for given trees and messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <stdlib.h>

#include "cmd/tan-design/wave_messages.h"
#include "design/report/messages.h"

int answer_predict(const struct config *c, const struct tan_provenance *from, struct tan_error *e)
{
    int result = -1;
    size_t n = 0;
    struct tan_doubts doubts = {.n = 0};
    struct tan_forecast *forecasts = calloc(c->n_specs, sizeof *forecasts);
    if (forecasts == NULL) {
        return tan_fail_nomem(e);
    }
    const struct tan_machine *machine = from->machine;
    const bool by_messages = machine->tan.payload != NULL || machine->tan.derived;
    for (; n < c->n_specs; n++) {
        if (tan_forecast(c->specs[n], c->model, machine, &forecasts[n], e) < 0 ||
            (by_messages && tan_forecast_messages(&forecasts[n], c->model, machine,
                                                  wave_bytes(c, machine), wave_growth(c), e) < 0)) {
            n++;
            goto done;
        }
    }
    tan_doubt_forecasts(forecasts, n, c->model, from->machine, &doubts);
    if (prints_report(c)) {
        tan_report_machine(from, c->model, &doubts, 0, stdout);
        tan_report_forecasts(forecasts, n, c->model, &from->machine->tan, stdout);
    }
    if (wants_document(c) &&
        put_answer(c, tan_forecasts_to_json(forecasts, n, c->model, from, &doubts), e) < 0) {
        goto done;
    }
    result = tan_doubts_fail(&doubts, e);

done:
    tan_doubts_clear(&doubts);
    while (n-- > 0) {
        tan_forecast_clear(&forecasts[n]);
    }
    free(forecasts);
    return result;
}

int answer_messages(const struct config *c, const struct tan_provenance *from, struct tan_error *e)
{
    if (tan_messages_check(from, e) < 0 || tan_messages_check_models(from, e) < 0) {
        return -1;
    }
    int result = 0;
    struct tan_doubts doubts = {.n = 0};
    tan_doubt_messages(from->machine, &doubts);
    if (prints_report(c)) {
        tan_messages_print(c->sizes, c->n_sizes, c->compute, from, &doubts, stdout);
    }
    if (wants_document(c)) {
        result =
            put_answer(c, tan_messages_to_json(c->sizes, c->n_sizes, c->compute, from, &doubts), e);
    }
    if (result == 0) {
        result = tan_doubts_fail(&doubts, e);
    }
    tan_doubts_clear(&doubts);
    return result;
}
