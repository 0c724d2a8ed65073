/* wave_doubts.c - doubts about the time of a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/wave_doubts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/wave/payload.h"

/* Whether the cost of a level changes with one of the parameters in the set `touches`. */
static bool depends_on(int64_t fanout, const struct tan_model *model,
                       const struct tan_params *params, unsigned touches)
{
    struct tan_params moved = *params;
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (touches & 1u << p) {
            moved.value[p] = 1.5 * moved.value[p] + 1e-6;
        }
    }
    return moved.value[TAN_C0] != params->value[TAN_C0] ||
           model->level(&moved, fanout) != model->level(params, fanout);
}

void tan_doubt_fanout(int64_t fanout, const struct tan_model *model,
                      const struct tan_params *params, const struct tan_machine *machine,
                      struct tan_doubts *doubts)
{
    if (params->payload != NULL) {
        tan_doubt_messages(machine, doubts);
    }
    for (size_t i = 0; i < machine->doubts.n; i++) {
        const struct tan_doubt *doubt = &machine->doubts.row[i];
        /* notes on a fit are all of TAN's */
        const bool others = model->node != NULL && strcmp(doubt->kind, "fit") == 0;
        if (!others && depends_on(fanout, model, params, doubt->touches)) {
            tan_doubts_keep(doubts, doubt);
        }
    }
}

/* Doubt, or note, that links between so many hosts, or processes, were not measured. */
static void doubt_reach(int64_t processes, int64_t hosts, const struct tan_params *params,
                        const struct tan_machine *machine, struct tan_doubts *doubts)
{
    enum { LARGE = 100 };
    const bool single = machine->hosts == 0 && params->derived;
    const int64_t measured = single ? tan_machine_message_hosts(machine) : machine->hosts;
    const bool known = measured > 0 && !machine->oversubscribed && !machine->stand_in;
    const int64_t cores = single ? tan_machine_message_cores(machine) : machine->cores_per_host;
    const int64_t needed = hosts > 0 ? hosts : processes;
    const double largest = fmax((double)params->max_fanout, (double)params->max_height);
    if (known && measured == 1 && hosts == 0 && cores > 0 && processes > cores) {
        tan_doubts_add(doubts, machine->network_real ? TAN_NOTE : TAN_DOUBT, "hosts",
                       (double)processes, TAN_TOUCHES_ALL,
                       "%" PRId64 " processes are too many for the one host that was measured: "
                       "links between hosts are not known",
                       processes);
    } else if (known && needed > measured && (measured > 1 || hosts > 0)) {
        tan_doubts_add(doubts, TAN_NOTE, "hosts", (double)needed, TAN_TOUCHES_ALL,
                       "%" PRId64 " hosts are more than the calibration covers (%" PRId64
                       "): links to further ones were not measured",
                       needed, measured);
    } else if (measured == 0 && largest > 0.0 && (double)processes > LARGE * largest) {
        tan_doubts_add(doubts, TAN_NOTE, "large", (double)processes / largest, TAN_TOUCHES_ALL,
                       "no tree of more than %.0f processes was measured; times of larger ones "
                       "follow from the model",
                       largest + 1.0);
    }
    tan_doubts_keep_worst(doubts, "hosts");
}

void tan_doubt_size(int64_t max_fanout, int64_t processes, int64_t hosts,
                    const struct tan_model *model, const struct tan_params *params,
                    const struct tan_machine *machine, struct tan_doubts *doubts)
{
    const double far = 2.0; /* within this factor a well-fitting curve may be extrapolated */
    const unsigned growth = 1u << TAN_B | 1u << TAN_C2;
    const int64_t widest = params->max_fanout;
    const double ratio = widest > 0 ? (double)max_fanout / (double)widest : 0.0;
    if (ratio > 1.0 && depends_on(max_fanout, model, params, growth)) {
        tan_doubts_add(doubts, ratio > far ? TAN_DOUBT : TAN_NOTE, "extrapolated", ratio, growth,
                       "a fanout of %" PRId64 " is beyond %" PRId64
                       ", the largest that was measured",
                       max_fanout, widest);
        tan_doubts_keep_worst(doubts, "extrapolated");
    }
    doubt_reach(processes, hosts, params, machine, doubts);
}

int64_t tan_wave_offered_from(const struct tan_model *model, const struct tan_params *params,
                              int64_t leaves)
{
    return params->payload == NULL || model->node == NULL
               ? -1
               : tan_payload_offered_from(params->payload, leaves);
}

void tan_doubt_handshakes(int64_t leaves, const struct tan_model *model,
                          const struct tan_params *params, struct tan_doubts *doubts)
{
    const int64_t limit = tan_wave_offered_from(model, params, leaves);
    if (limit >= 0) {
        tan_doubts_add(doubts, TAN_DOUBT, "rendezvous", (double)limit, TAN_TOUCHES_ALL,
                       "messages longer than %s are sent by rendezvous, unlike all measured ones: "
                       "%s omits the waiting that handshakes cause",
                       tan_size_text(limit).text, model->name);
    }
}

void tan_doubt_tree(int64_t max_fanout, int64_t max_below, int64_t processes, int64_t hosts,
                    const struct tan_model *model, const struct tan_params *params,
                    const struct tan_machine *machine, struct tan_doubts *doubts)
{
    tan_doubt_fanout(max_fanout, model, params, machine, doubts);
    tan_doubt_size(max_fanout, processes, hosts, model, params, machine, doubts);
    tan_doubt_handshakes(max_below, model, params, doubts);
}
