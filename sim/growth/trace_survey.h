/* trace_survey.h - who sends to whom in a trace, by communicator and tag
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_GROWTH_TRACE_SURVEY_H
#define SIM_GROWTH_TRACE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/calls/trace_map.h"

/* All messages of one tag from a rank of a communicator to another one of it. */
struct trace_edge {
    uint32_t from, to; /* ranks in the communicator */
    uint64_t sends, receives;
    uint32_t call;  /* number of the name of the first send, or of the first receive */
    uint32_t order; /* how many edges came before it */
};

/* The messages of a communicator and tag. */
struct trace_group {
    uint32_t place; /* of the communicator; see trace_comms.h */
    int64_t tag;
    uint32_t size;           /* ranks of the communicator */
    struct trace_edge *edge; /* n of them; owned; sorted by `from`, then `to` */
    uint32_t n, room;
    uint32_t *sent;      /* the edges from r are those from sent[r] to sent[r + 1] - 1; owned */
    uint32_t *got;       /* edges sorted by `to`; owned */
    uint32_t *received;  /* the edges to r are edge[got[received[r]]] to ...; owned */
    struct trace_map at; /* while it is surveyed */
};

/* A receive from any source or with any tag, and what it got. */
struct trace_open_receive {
    uint32_t place, own; /* communicator, and the receiver in it */
    uint32_t call;       /* number of its name */
    int64_t peer, tag;   /* TRACE_NOBODY: not known */
};

struct trace_open_receives {
    struct trace_open_receive *list; /* owned */
    uint32_t n, room;
};

struct trace_survey {
    struct trace_group *group; /* owned */
    uint32_t n, room;
    struct trace_map groups;          /* communicator and tag -> group */
    struct trace_open_receives *open; /* by traced rank, in their order; owned */
    uint32_t ranks;
    uint32_t edges;
};

int trace_survey_init(struct trace_survey *s, uint32_t ranks, struct tan_error *e);
void trace_survey_clear(struct trace_survey *s);
/* One message of `own` to or from `peer`, ranks of a communicator of `size`, as one of them sees
 * it. */
int trace_survey_message(struct trace_survey *s, uint32_t place, uint32_t size, int64_t tag,
                         uint32_t own, uint32_t peer, bool receives, uint32_t call,
                         struct tan_error *e);
/* A receive of a traced rank that does not name its source or tag; its number among them. -1:
 * memory is short. */
int64_t trace_survey_open(struct trace_survey *s, uint32_t rank,
                          const struct trace_open_receive *receive, struct tan_error *e);
/* All messages are there. */
int trace_survey_sort(struct trace_survey *s, struct tan_error *e);
/* The group of a communicator and tag, or NULL. */
const struct trace_group *trace_survey_find(const struct trace_survey *s, uint32_t place,
                                            int64_t tag);
/* The edge of a group, or NULL. */
const struct trace_edge *trace_group_edge(const struct trace_group *g, uint32_t from, uint32_t to);

#endif
