/* trace_patterns.h - rules that say with whom ranks exchange messages, whatever their number
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_GROWTH_TRACE_PATTERNS_H
#define SIM_GROWTH_TRACE_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/growth/trace_layouts.h"
#include "sim/growth/trace_survey.h"

/* A rank of a communicator; `turned`: a send becomes a receive, or the other way round. */
struct trace_peer {
    uint32_t rank;
    bool turned;
};

struct trace_peers {
    struct trace_peer *list; /* owned */
    uint32_t n, room;
    bool failed; /* memory is short */
};

void trace_peers_add(struct trace_peers *p, uint32_t rank, bool turned);

/* Ranks of the larger job by the traced rank that they follow. */
struct trace_followers {
    uint32_t *list;  /* owned, as is start */
    uint32_t *start; /* those of r are list[start[r]] to list[start[r + 1] - 1] */
};

/* What a rule has found in a group of messages. */
enum { TRACE_VECTORS = 26 };
struct trace_pattern {
    const struct trace_rule *rule;
    const struct trace_layout *layout;               /* borrowed, as is the next one */
    const struct trace_followers *followers;         /* of the root's peers */
    int32_t vector[TRACE_VECTORS][TRACE_DIMENSIONS]; /* to peers, in the grid */
    uint32_t n;
    uint32_t root;
    bool up, down;      /* to the root or parents; from them */
    uint64_t distances; /* of pairs: bits of r xor peer */
    bool falling;       /* the largest distance comes first */
};

/* One message of a traced rank for a rank of the larger job that follows it. */
struct trace_step {
    uint32_t rank, origin, peer; /* peer: the traced one */
    bool receives;
};

struct trace_rule {
    const char *name;
    const char *meaning;
    unsigned wraps; /* dimensions of a grid that close to rings, as bits */
    /* Find the parameters; false: the messages are not of this kind. */
    bool (*find)(const struct trace_group *g, struct trace_pattern *p);
    /* The peers that a rank sends to, in the traced job or in the larger one. */
    void (*sends)(const struct trace_pattern *p, bool grown, uint32_t rank, struct trace_peers *to);
    /* What becomes of a message in the larger job: its peers. */
    void (*grow)(const struct trace_pattern *p, const struct trace_step *step,
                 struct trace_peers *to);
};

/* In order of preference; the last row has no name. A rule that keeps messages within the copies
 * of the traced ranks is only taken where that is asked for. */
extern const struct trace_rule trace_rules[];
extern const struct trace_rule *const trace_rule_copies;

/* Whether the rule gives the peers of all traced ranks. *rank, at most, becomes the first one for
 * which it does not where that is further on. */
bool trace_pattern_find(const struct trace_rule *rule, const struct trace_group *g,
                        const struct trace_layout *layout, const struct trace_followers *followers,
                        uint64_t distances, struct trace_pattern *p, struct trace_peers *scratch,
                        uint32_t *rank);
/* Bits of r xor peer where all messages of a group are exchanges between r and r xor 2^i; else 0.
 */
uint64_t trace_group_distances(const struct trace_group *g);
/* Names of the rules, "ring, line, ..., copies", into `buffer`, which it returns. */
const char *trace_rules_text(char *buffer, size_t size);
/* The parameters, such as "+1, -1", into `buffer`, which it returns. */
const char *trace_pattern_text(const struct trace_pattern *p, char *buffer, size_t size);

#endif
