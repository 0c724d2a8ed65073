/* chunks.c - parameters of messages that --chunk divides
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/tan-design/wave_messages.h"
#include "model/wave/overlap_levels.h"

/* Powers of two below the length of a message, at most INT32_MAX bytes; returns their number. */
static size_t list_powers(int64_t message, int64_t bytes[TAN_CHUNK_SIZES])
{
    const int64_t least = 1024; /* below, overheads decide */
    size_t n = 0;
    for (int64_t size = least; size < message; size *= 2) {
        bytes[n++] = size;
    }
    return n;
}

/* Whether processors have time for a chunk while the next one is transferred. Otherwise they
 * receive later chunks before they have passed on earlier ones, which periods do not contain. */
static bool transfer_decides(const struct tan_params *params)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    const struct tan_overlap p = tan_overlap_tiers(&tiers);
    const struct tan_overlap_pace pace = tan_overlap_pace(&p, 1, 1);
    return pace.send + pace.receive <= pace.nic;
}

/* Set the parameters of messages of `bytes`. */
static int price_chunk(const struct config *c, const struct tan_provenance *from, int64_t bytes,
                       struct tan_params *params, struct tan_payload **payload, struct tan_error *e)
{
    const struct tan_network *whole = &c->given.network;
    const struct tan_network divided = {whole->rate, whole->up > 0 ? bytes : 0,
                                        whole->down > 0 ? bytes : 0};
    *params = from->machine->tan;
    if (whole->rate > 0.0) {
        tan_given_network_overlap(&c->given, &divided, params);
        return 0;
    }
    if (wave_payload(c, from, bytes, wave_growth(c), payload, e) < 0) {
        return -1;
    }
    params->payload = *payload;
    return 0;
}

int chunks_create(const struct config *c, const struct tan_provenance *from, int64_t up_bytes,
                  int64_t down_bytes, struct chunks **out, struct tan_error *e)
{
    int64_t bytes[TAN_CHUNK_SIZES];
    if (c->model->node == NULL) {
        if (c->model_given) {
            return tan_fail_usage(e,
                                  "--chunk is priced by model tan-overlap only, not by --model %s",
                                  c->model->name);
        }
        return tan_fail_usage(e,
                              "--chunk is priced by model tan-overlap only: give --bandwidth, or "
                              "--model tan-overlap with a machine file that has its parameters");
    }
    struct chunks *chunks = calloc(1, sizeof *chunks);
    if (chunks == NULL) {
        return tan_fail_nomem(e);
    }
    const int64_t longest = up_bytes > down_bytes ? up_bytes : down_bytes;
    memcpy(bytes, c->message.chunk, sizeof bytes);
    const size_t n = c->message.best_chunk ? list_powers(longest, bytes) : c->message.n_chunks;
    for (size_t i = 0; i < n; i++) {
        struct tan_params *params = &chunks->params[chunks->n];
        struct tan_payload **payload = &chunks->payload[chunks->n];
        if (price_chunk(c, from, bytes[i], params, payload, e) < 0) {
            chunks_destroy(chunks);
            return -1;
        }
        if (transfer_decides(params)) {
            const double chunk = (double)bytes[i];
            chunks->size[chunks->n++] = (struct tan_chunks){
                bytes[i], (double)up_bytes / chunk, (double)down_bytes / chunk, params, params};
        } else {
            tan_payload_destroy(*payload);
            *payload = NULL;
        }
    }
    *out = chunks;
    return 0;
}

void chunks_destroy(struct chunks *chunks)
{
    for (size_t i = 0; chunks != NULL && i < chunks->n; i++) {
        tan_payload_destroy(chunks->payload[i]);
    }
    free(chunks);
}
