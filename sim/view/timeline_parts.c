/* timeline_parts.c - what the forms of a timeline share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/timeline_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

int tan_timeline_check(const struct tan_timeline *t, struct tan_error *e)
{
    const uint32_t ranks = t->schedule->ranks;
    json_t *title = json_string(t->title);
    const bool readable = title != NULL;
    json_decref(title);
    if (!readable) {
        return tan_fail(e, "the title of a timeline must be UTF-8");
    }
    if (t->simulation->history == NULL && t->schedule->n_ops > 0) {
        return tan_fail(e, "a timeline needs a simulation with a history");
    }
    if (t->ranks == NULL) {
        return 0;
    }
    int result = 0;
    uint8_t *seen = calloc((size_t)ranks / 8 + 1, 1);
    if (seen == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < t->n_ranks && result == 0; i++) {
        if (t->ranks[i] >= ranks) {
            result = tan_fail_usage(e, "no rank %" PRIu32 " to draw: ranks are 0 to %" PRIu32,
                                    t->ranks[i], ranks - 1);
        } else if (tan_bit(seen, t->ranks[i])) {
            result = tan_fail_usage(e, "rank %" PRIu32 " is to be drawn twice", t->ranks[i]);
        } else {
            tan_bit_set(seen, t->ranks[i]);
        }
    }
    free(seen);
    return result;
}

uint8_t *tan_timeline_critical(const struct tan_timeline *t)
{
    uint8_t *bits = calloc((size_t)t->schedule->n_ops / 8 + 1, 1);
    const size_t n = bits == NULL || t->critical == NULL ? 0 : t->critical->n_steps;
    for (size_t i = 0; i < n; i++) {
        tan_bit_set(bits, t->critical->steps[i].op);
    }
    return bits;
}

bool tan_timeline_critical_message(const struct tan_timeline *t, const uint8_t *critical,
                                   uint32_t send)
{
    const struct tan_history *history = t->simulation->history;
    const uint32_t receive = history[send].match;
    const bool handshake =
        t->params->handshake != TAN_HANDSHAKE_NONE && t->schedule->ops[send].amount > t->params->S;
    /* A message that its receive has not waited for decides nothing, unless they shake hands. */
    return receive != TAN_OP_NONE && tan_bit(critical, send) && tan_bit(critical, receive) &&
           (handshake || history[receive].why == TAN_WHY_MESSAGE);
}
