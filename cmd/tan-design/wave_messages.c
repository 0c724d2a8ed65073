/* wave_messages.c - messages of the waves, and models of their cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/wave_messages.h"

int64_t wave_bytes(const struct config *c, const struct tan_machine *machine)
{
    return c->message.bytes > 0 ? c->message.bytes : machine->tan.bytes;
}

const struct tan_payload_rule *wave_growth(const struct config *c)
{
    return c->message.growth == NULL ? &tan_payload_rules[0] : c->message.growth;
}

int messages_check(const struct tan_basis *from, struct tan_error *e)
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
    if (from->given->network.rate > 0.0) {
        return 0;
    }
    if (bytes == tan->bytes && growth == &tan_payload_rules[0]) {
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

/* TAN if the file names no model, or if its choice does not apply: for a target whose directions
 * are taken apart, for parameters given in place of the file's, and if the file has a tier
 * without the model's parameters. tan-overlap on a network of given rate, if both directions have
 * the same bytes, and where the file only has single messages. */
const struct tan_model *wave_checked_model(const struct config *c, struct tan_machine *machine)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const bool network = tan_network_same(&c->given.network);
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
