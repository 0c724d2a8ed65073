/* chunks.h - parameters of messages that --chunk divides
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_CHUNKS_H
#define TAN_CMD_TAN_DESIGN_CHUNKS_H

#include "cmd/tan-design/config.h"
#include "design/report/report.h"

/* `n` entries in each array. */
struct chunks {
    size_t n;
    struct tan_chunks size[TAN_CHUNK_SIZES]; /* points into `params` */
    struct tan_params params[TAN_CHUNK_SIZES];
    struct tan_payload *payload[TAN_CHUNK_SIZES];
};

/* The sizes that were asked for, for messages of that many bytes up and down (0: none in that
 * direction), without those that are so short that the overheads of processors decide. *out:
 * destroyed by the caller. Fails under models other than tan-overlap. */
int chunks_create(const struct config *c, const struct tan_provenance *from, int64_t up_bytes,
                  int64_t down_bytes, struct chunks **out, struct tan_error *e);
void chunks_destroy(struct chunks *chunks);

#endif
