/* wave_doubts.h - doubts about the time of a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_WAVE_DOUBTS_H
#define TAN_MODEL_WAVE_WAVE_DOUBTS_H

#include "model/machine/machine.h"
#include "model/wave/wave.h"

/* Append the machine's doubts that concern a level with this fanout: those that touch a parameter
 * of its cost; C concerns every wave. For messages of other sizes than
 * measured, the doubt about single messages is appended, too. */
void tan_doubt_fanout(int64_t fanout, const struct tan_model *model,
                      const struct tan_params *params, const struct tan_machine *machine,
                      struct tan_doubts *doubts);
/* Append what exceeds the measured sizes, if these are known: a largest fanout of more than twice
 * the measured one is a doubt; a smaller excess is a note, and so are more hosts than were
 * calibrated or, if their number is unknown, a hundred times the processes of the largest measured
 * tree. `processes`: 0 if there is no single number. `hosts`: 0 for one per process. */
void tan_doubt_size(int64_t max_fanout, int64_t processes, int64_t hosts,
                    const struct tan_model *model, const struct tan_params *params,
                    const struct tan_machine *machine, struct tan_doubts *doubts);
/* tan_payload_offered_from where the model has the costs of single messages; else -1. */
int64_t tan_wave_offered_from(const struct tan_model *model, const struct tan_params *params,
                              int64_t leaves);
/* Append a doubt if messages of nodes with at most `leaves` leaves below them need a handshake,
 * measured ones did not, and the model has the costs of single messages: it includes the time of
 * handshakes, but not the waiting that they cause. */
void tan_doubt_handshakes(int64_t leaves, const struct tan_model *model,
                          const struct tan_params *params, struct tan_doubts *doubts);
/* Append all three for a tree with this largest fanout, most leaves below a node other than the
 * root, and number of processes and hosts. `params`: the machine's, with the requested messages. */
void tan_doubt_tree(int64_t max_fanout, int64_t max_below, int64_t processes, int64_t hosts,
                    const struct tan_model *model, const struct tan_params *params,
                    const struct tan_machine *machine, struct tan_doubts *doubts);

#endif
