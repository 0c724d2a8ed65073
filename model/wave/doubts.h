/* doubts.h - what is doubted of the time of a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_WAVE_DOUBTS_H
#define MODEL_WAVE_DOUBTS_H

#include "model/machine/machine.h"
#include "model/wave/wave.h"

TAN_BEGIN_DECLS

/* Append the machine's doubts that concern a level with this fanout: they are about such fanouts,
 * and its cost depends on a parameter that they touch; C concerns every wave. */
void tan_doubt_fanout(int64_t fanout, const struct tan_model *model,
                      const struct tan_params *params, const struct tan_machine *machine,
                      struct tan_doubts *doubts);
/* Append what goes beyond the sizes that were measured, where these are known: a largest fanout of
 * more than twice the largest measured one is a doubt, a smaller excess a note, and so are a
 * hundred times as many processes as the largest measured tree had. `processes`: 0 when there is no
 * one number. */
void tan_doubt_size(int64_t max_fanout, int64_t processes, const struct tan_model *model,
                    const struct tan_params *params, struct tan_doubts *doubts);
/* Append a doubt where messages need a handshake, of nodes with at most `leaves` leaves below them,
 * where measured ones did not and the model follows messages: it has the time of handshakes, but
 * not who waits in them. */
void tan_doubt_handshakes(int64_t leaves, const struct tan_model *model,
                          const struct tan_params *params, struct tan_doubts *doubts);
/* All three for any tree by its largest fanout and its processes. `params`: the machine's, with the
 * messages that are asked about. */
void tan_doubt_tree(int64_t max_fanout, int64_t processes, const struct tan_model *model,
                    const struct tan_params *params, const struct tan_machine *machine,
                    struct tan_doubts *doubts);

TAN_END_DECLS

#endif
