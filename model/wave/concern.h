/* concern.h - the doubts about a machine that concern an answer
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_WAVE_CONCERN_H
#define MODEL_WAVE_CONCERN_H

#include "model/wave/wave.h"

TAN_BEGIN_DECLS

/* Whether a doubt concerns the cost of a level with this fanout: it is about such fanouts, and the
 * cost depends on a parameter that it touches; C concerns every wave. */
bool tan_doubt_concerns(const struct tan_doubt *doubt, const struct tan_model *model,
                        const struct tan_params *params, int64_t fanout);
/* Append those of `all` that do to `found`, each once. */
void tan_doubts_concerning(const struct tan_doubts *all, const struct tan_model *model,
                           const struct tan_params *params, int64_t fanout,
                           struct tan_doubts *found);

/* What goes beyond the sizes that were measured, where these are known: a largest fanout of more
 * than twice the largest measured one is a doubt, a smaller excess a note, and so are a hundred
 * times as many processes as the largest measured tree had. */
void tan_doubt_sizes(const struct tan_model *model, const struct tan_params *params,
                     int64_t max_fanout, int64_t processes, struct tan_doubts *doubts,
                     struct tan_doubts *notes);
/* A doubt, too, are messages that need a handshake, of nodes with at most `leaves` leaves below
 * them, where measured ones did not and the model follows messages: it has the time of handshakes,
 * but not who waits in them. */
void tan_doubt_handshakes(const struct tan_model *model, const struct tan_params *params,
                          int64_t leaves, struct tan_doubts *doubts);

TAN_END_DECLS

#endif
