/* answers.c - parts shared by all answers; lists, and predictions of what is given
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <math.h>
#include <stdlib.h>

#include "base/output.h"
#include "base/text.h"
#include "model/wave/wave_doubts.h"
#include "page/report.h"
#include "topo/spec.h"

/* Messages of the waves */

int64_t wave_bytes(const struct config *c, const struct tan_machine *machine)
{
    return c->message.bytes > 0 ? c->message.bytes : machine->tan.bytes;
}

/* Fail unless the machine file has a p2p block. */
static int messages_check(const struct tan_basis *from, struct tan_error *e)
{
    if (from->machine->messages != NULL) {
        return 0;
    }
    if (from->file == NULL) {
        return tan_fail_usage(
            e, "--bytes and --growth need a machine file with a p2p block: --machine "
               "FILE");
    }
    return tan_fail_at(e, from->file, 0, 0,
                       "it has no p2p block, which says what messages of any size cost: "
                       "tanbench p2p calibrate FILE measures one");
}

int wave_payload(const struct tan_basis *from, int64_t bytes, const struct tan_payload_rule *growth,
                 struct tan_payload **payload, struct tan_error *e)
{
    const struct tan_params *tan = &from->machine->tan;
    *payload = NULL;
    if (from->given->network.rate > 0.0 ||
        (bytes == tan->bytes && growth == &tan_payload_rules[0])) {
        return 0;
    }
    if (messages_check(from, e) < 0) {
        return -1;
    }
    *payload =
        tan_payload_create(from->machine->messages, NULL, tan->bytes, bytes, growth, from->file, e);
    return *payload == NULL ? -1 : 0;
}

bool wave_work_apart(const struct config *c, struct tan_params *up, struct tan_params *down)
{
    const bool apart = up->work > 0.0 && c->model->node == NULL;
    if (apart) {
        up->one_way = TAN_UP;
        down->one_way = TAN_DOWN;
    }
    return apart;
}

/* Answers */

json_t *show_answer(const struct config *c, json_t *document)
{
    if (document != NULL && !tan_output_is_stdout(c->to.json) &&
        !tan_output_is_stdout(c->to.output) && !tan_output_is_stdout(c->to.map)) {
        tan_reply_print(json_object_get(document, "answer"), c->details, stdout);
    }
    return document;
}

int end_answer(const struct config *c, json_t *document, const struct tan_basis *from,
               struct tan_error *e)
{
    int result = document == NULL ? tan_fail_nomem(e) : 0;
    if (result == 0 && from->whole) {
        result = tan_report_deliver(c->to.json, c->to.report, document, e);
    } else {
        json_decref(document);
    }
    return result == 0 ? tan_doubts_fail(from->doubts, e) : result;
}

static int write_basis(const json_t *document, const char *comment, FILE *to, struct tan_error *e)
{
    char *text = NULL;
    size_t length;
    json_t *basis = json_copy(json_object_get(document, "answer"));
    FILE *lines = basis == NULL ? NULL : open_memstream(&text, &length);
    if (lines == NULL) {
        json_decref(basis);
        return tan_fail_nomem(e);
    }
    json_object_del(basis, tan_part_keys[TAN_PART_PASTE]);
    json_object_del(basis, tan_part_keys[TAN_PART_NEXT]);
    tan_reply_print(basis, false, lines);
    json_decref(basis);
    const int result = fclose(lines) == 0 ? 0 : tan_fail_nomem(e);
    if (result == 0) {
        tan_text_comment(text, comment, to);
    }
    free(text);
    return result;
}

struct tan_output *begin_output(const struct config *c, const json_t *document, const char *comment,
                                struct tan_error *e)
{
    struct tan_output *output = tan_output_open(c->to.output, e);
    if (output != NULL && document != NULL && comment != NULL &&
        write_basis(document, comment, tan_output_stream(output), e) < 0) {
        tan_output_discard(output);
        return NULL;
    }
    return output;
}

int need_host_tier(const struct tan_basis *from, struct tan_error *e)
{
    const struct tan_machine *machine = from->machine;
    return machine->n_tiers > 0 && machine->tier[0].level == 0
               ? 0
               : tan_fail_at(e, from->file != NULL ? from->file : "the machine", 0, 0,
                             "it has no tiers, so it does not say what messages within a host "
                             "cost: tanbench calibrate measures them with at least 3 ranks on each "
                             "of at least 3 hosts, and tan-formats(5) shows how to write them");
}

struct tan_problem problem_of(const struct config *c, const struct tan_basis *from)
{
    struct tan_problem problem = c->problem;
    problem.model = c->model;
    problem.params = &from->machine->tan;
    problem.beside = from->machine->overlap_known ? &from->machine->overlap : NULL;
    problem.error = tan_checks_mean(&from->machine->checks, c->model->name);
    return problem;
}

bool note_racks(const struct config *c, const struct tan_machine *machine,
                struct tan_doubts *doubts)
{
    const int tiers = machine->n_tiers;
    const struct tan_tier *rack = tiers > 0 ? &machine->tier[tiers - 1] : NULL;
    const bool known = rack != NULL && rack->level > 0;
    if (known && c->files.racks == NULL) {
        tan_doubts_add(doubts, TAN_NOTE, "racks-unknown", NAN, TAN_TOUCHES_ALL,
                       "without --racks no two hosts are taken to be nearer to each other than "
                       "others: tier %.40s is not used",
                       rack->name);
    }
    return known;
}

int answer_pareto(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    enum { MOST = 1000 };
    const struct tan_problem problem = problem_of(c, from);
    struct tan_plans front;
    if (tan_search_front(&problem, c->aim.front->of, MOST, &front, e) < 0) {
        return -1;
    }
    int64_t widest = 0;
    int64_t below = 0;
    for (size_t i = 0; i < front.n; i++) {
        const struct tan_plan *plan = &front.plan[i];
        widest = plan->max_fanout > widest ? plan->max_fanout : widest;
        below = plan->below[0] > below ? plan->below[0] : below;
    }
    tan_doubt_tree(widest, below, front.plan[0].processes, 0, c->model, &from->machine->tan,
                   from->machine, from->doubts);
    json_t *document = show_answer(c, tan_answer_pareto(&problem, c->aim.front, &front, from));
    tan_plans_clear(&front);
    return end_answer(c, document, from, e);
}

int answer_fanouts(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    struct tan_fanout rows[TAN_FANOUTS];
    if (tan_fanouts(c->model, &from->machine->tan, c->problem.leaves, rows, e) < 0) {
        return -1;
    }
    tan_doubt_fanouts(rows, c->model, from->machine, from->doubts);
    json_t *document = show_answer(c, tan_answer_fanouts(rows, c->problem.leaves, from));
    return end_answer(c, document, from, e);
}

static int forecast_spec(const struct config *c, const char *spec,
                         const struct tan_machine *machine, struct tan_forecast *out,
                         struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(spec, e);
    const int result = tree == NULL ? -1 : tan_forecast(spec, tree, c->model, machine, out, e);
    if (result == 0 && (machine->tan.payload != NULL || machine->tan.derived)) {
        tan_forecast_messages(out, tree, c->model, machine, wave_bytes(c, machine),
                              c->message.growth);
    }
    tan_tree_destroy(tree);
    return result;
}

int answer_predict(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    int result = -1;
    size_t n = 0;
    struct tan_forecast *forecasts = calloc(c->n_specs, sizeof *forecasts);
    if (forecasts == NULL) {
        return tan_fail_nomem(e);
    }
    for (; n < c->n_specs; n++) {
        if (forecast_spec(c, c->specs[n], from->machine, &forecasts[n], e) < 0) {
            goto done;
        }
    }
    tan_doubt_forecasts(forecasts, n, c->model, from->machine, from->doubts);
    note_racks(c, from->machine, from->doubts);
    result = end_answer(c, show_answer(c, tan_answer_forecasts(forecasts, n, from)), from, e);

done:
    while (n-- > 0) {
        tan_forecast_clear(&forecasts[n]);
    }
    free(forecasts);
    return result;
}

int answer_messages(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    if (messages_check(from, e) < 0 || tan_messages_check_models(from, e) < 0) {
        return -1;
    }
    tan_doubt_messages(from->machine, from->doubts);
    json_t *document =
        show_answer(c, tan_answer_messages(c->sizes.bytes, c->sizes.n, c->compute, from));
    return end_answer(c, document, from, e);
}
