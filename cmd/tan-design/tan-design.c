/* tan-design.c - program: the best tree for a number of leaves, or predicted times of trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cmd/tan-design/answers.h"
#include "design/measured/named_tree.h"
#include "design/systems/setting.h"

/* The answer of each command. */
static const struct question {
    answer_function *answer;
    bool waves;   /* needs the costs of waves */
    bool payload; /* needs them for messages of --bytes and --growth */
} questions[] = {
    [COMMAND_DESIGN] = {answer_design, true, true},
    [COMMAND_TARGET] = {answer_target, true, false},
    [COMMAND_TARGETS] = {answer_target, true, false},
    [COMMAND_HOSTS] = {answer_hosted, true, true},
    [COMMAND_PARETO] = {answer_pareto, true, true},
    [COMMAND_FANOUTS] = {answer_fanouts, true, true},
    [COMMAND_COMPARE] = {answer_design, true, true},
    [COMMAND_PREDICT] = {answer_predict, true, true},
    [COMMAND_MESSAGES] = {answer_messages, false, false},
};

static int answer_question(const struct config *c, const struct tan_basis *from,
                           struct tan_machine *machine, struct tan_error *e)
{
    struct tan_payload *payload = NULL;
    const struct question *q = &questions[c->command];
    if ((q->waves && tan_machine_require_tan(machine, from->file, e) < 0) ||
        (q->payload &&
         wave_payload(from, wave_bytes(c, machine), c->message.growth, &payload, e) < 0)) {
        return -1;
    }
    /* beside these, parameters that were measured with other messages say nothing */
    machine->overlap_known = machine->overlap_known && machine->overlap.bytes == machine->tan.bytes;
    machine->tan.payload = machine->overlap.payload = payload;
    const int result = q->answer(c, from, e);
    machine->tan.payload = machine->overlap.payload = NULL;
    tan_payload_destroy(payload);
    return result;
}

static void set_work(struct tan_machine *machine, double work)
{
    machine->tan.work = machine->overlap.work = work;
    for (int t = 0; t < machine->n_tiers; t++) {
        machine->tier[t].params.work = machine->tier[t].overlap.work = work;
    }
}

/* The default model: the machine file's, or TAN where it has none, or its choice does not apply:
 * for a target whose directions are taken apart, for parameters given in place of the file's, and,
 * with a note, if the file has a tier without the model's parameters. tan-overlap on a network of
 * given rate, if messages go one way or both directions have the same bytes, and where the file
 * only has single messages. */
static const struct tan_model *checked_model(const struct config *c, struct tan_machine *machine)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const bool network = tan_network_overlaps(&c->given.network);
    const bool direct = network || machine->tan.derived; /* overheads of both sides and a gap */
    const int best = direct ? TAN_CHECK_OVERLAP : tan_checks_best(&machine->checks);
    const bool apart = is_for_target(c) && (network || c->message.up > 0 || c->message.down > 0);
    struct tan_tiers tiers;
    if (best < 0 || apart || (tan_given_any(&c->given) && !network)) {
        return &tan_models[TAN_MODEL_TAN];
    }
    const struct tan_model *model = tan_model_find(tan_check_models[best], &ignored);
    if (tan_model_tiers(model, machine, &tiers)) {
        return model;
    }
    tan_machine_note_tier(machine, "TAN is used instead of tan-overlap");
    return &tan_models[TAN_MODEL_TAN];
}

static int run_command(struct config *c, struct tan_error *e)
{
    /* for --bandwidth; without --bytes a direction may have none: waves run in the other alone */
    c->given.network.up = c->message.up > 0 ? c->message.up : c->message.bytes;
    c->given.network.down = c->message.down > 0 ? c->message.down : c->message.bytes;
    if (config_check(c, e) < 0) {
        return -1;
    }
    const bool whole = c->to.json != NULL || c->to.report != NULL; /* the document */
    if (c->target.targets && c->problem.leaves == 0 && c->target.members == 0 &&
        c->target.tree == NULL && !whole) {
        fputs("Systems and their settings; with --leaves N or --members N a table of "
              "the best\nsettings, and --target NAME answers for one:\n\n",
              stdout);
        tan_target_help(stdout);
        return 0;
    }
    if (c->command == COMMAND_CONVERT) {
        return tree_output_convert(c, c->target.tree, e);
    }
    char *file = NULL;
    struct tan_machine *machine = tan_given_machine(&c->given, c->machine, &file, e);
    if (machine == NULL) {
        return -1;
    }
    struct tan_doubts doubts = {.n = 0};
    c->model = c->model != NULL ? c->model : checked_model(c, machine);
    const bool named = c->machine != NULL && strcmp(c->machine, "-") != 0;
    const char *asked = named ? c->machine : file;
    const struct tan_basis from = {machine,       file,     asked,   &c->given,
                                   c->round_trip, c->model, &doubts, whole};
    if (!isnan(c->message.work)) {
        set_work(machine, c->message.work);
    }
    const int result = tan_machine_choose(machine, c->model->node != NULL, file, e) < 0
                           ? -1
                           : answer_question(c, &from, machine, e);
    tan_doubts_clear(&doubts);
    tan_machine_destroy(machine);
    free(file);
    return result;
}

int main(int argc, char **argv)
{
    tan_json_notes_to(stderr);
    tan_named_accept();
    struct config config = {.aim.objective = &tan_objectives[0],
                            .listed = 5,
                            .message.growth = &tan_payload_rules[0],
                            .message.work = NAN,
                            .compute = NAN,
                            .round_trip = NAN,
                            .given = TAN_GIVEN_NOTHING};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    int result = -1;
    config.specs = calloc((size_t)argc, sizeof *config.specs);
    if (config.specs == NULL) {
        tan_fail_nomem(&e);
    } else if (tan_cli_parse(&design_cli, &config, argc, argv, &answer, &e) == 0) {
        if (answer.action == TAN_CLI_RUN) {
            config.command = (enum command)(answer.command - design_cli.commands);
            result = run_command(&config, &e);
        } else {
            tan_cli_print(&design_cli, &answer);
            result = 0;
        }
    }
    free(config.specs);
    return tan_cli_end(design_cli.program, result, &e);
}
