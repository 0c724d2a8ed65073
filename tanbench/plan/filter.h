/* filter.h - reductions of packets in internal processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_FILTER_H
#define TAN_TANBENCH_PLAN_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Every message starts with this; `bytes` of payload follow, aligned for any element type. */
struct packet {
    uint32_t wave;   /* counts from 0 in a tree */
    uint32_t last;   /* the tree terminates after this wave */
    uint32_t leaves; /* upwards: number of leaves included */
    uint32_t bytes;
    uint64_t leaf_sum; /* upwards: sum of their numbers */
    /* Times on the root's clock (tanbench/overlay/clock_sync.h), 0 in modes without them. Upwards:
     * when the first and the last leaf sent, and when the request reached the last one. Downwards:
     * when leaves are to send (`sent_last`), and when the request left the root (`heard_last`). */
    double sent_first, sent_last, heard_last;
    unsigned char payload[];
};

/* Bytes of an element of payloads, an int64_t. */
enum { ELEMENT_BYTES = 8 };

/* A reduction. Packets are combined in the order of the children. */
struct filter {
    const char *name;
    const char *help;
    bool grows; /* the payload at a node is as long as all its leaves' payloads together */
    /* Combine the `n` elements of `in` into those of `out`. NULL: drop `in` (or append it, if the
     * payload grows). */
    void (*combine)(void *out, const void *in, size_t n);
    /* Turn the combined `n` elements of `leaves` leaves into the root's result; NULL: no change. */
    void (*finish)(void *out, size_t n, uint32_t leaves);
    bool adds; /* every leaf affects the result, so any set of leaves can be verified */
    /* Required value of a result's element if leaf 0's is `first` and others' are greater by a
     * fixed step times their number (LEAF_STEP, filter.c). `leaves` leaves are included, whose
     * numbers add up to `leaf_sum`; unless the filter adds, they must be those from 0 on. */
    double (*expected)(double first, uint32_t leaves, uint64_t leaf_sum);
};

/* A row with name NULL ends the table. */
extern const struct filter tan_filters[];
/* The filter called `name`; NULL with an error (TAN_USAGE) that lists all. */
const struct filter *tan_filter_find(const char *name, struct tan_error *e);

/* Combine `in` into `out`, which holds the preceding packets and, if the filter grows, has room for
 * the payload of `in` behind its own. */
void tan_filter_combine(const struct filter *filter, struct packet *out, const struct packet *in);
/* Seconds per payload byte for combining, on this core with warm caches; 0 if nothing is combined.
 * `filter`: a row of tan_filters. The first call for a filter measures it, within a few
 * milliseconds. Not thread-safe. */
double tan_filter_speed(const struct filter *filter);

/* Turn the packet combined from all others into the root's result. */
void tan_filter_finish(const struct filter *filter, struct packet *out);

/* The payload of leaf number `leaf` (in the order of the tree's children) in wave `wave`. Elements
 * follow a fixed pattern except for one that changes with the wave, so that a packet of another
 * wave is detected. `fill` creates the payload for wave 0; `turn` changes that of wave `from` to
 * that of `to` in O(1). */
void tan_payload_fill(uint32_t leaf, void *payload, size_t bytes);
void tan_payload_turn(uint32_t leaf, uint32_t from, uint32_t to, void *payload, size_t bytes);

/* Compare the root's result with the required value; -1 with an error that names the wave and the
 * element. */
int tan_filter_verify(const struct filter *filter, const struct packet *result, uint32_t wave,
                      uint32_t leaves, uint32_t leaf_bytes, struct tan_error *e);

/* The same if leaves may be missing: the result must be that of result->leaves of the tree's
 * `tree_leaves` leaves. For filters that keep one leaf's value it must be that of some leaf. */
int tan_filter_verify_part(const struct filter *filter, const struct packet *result,
                           uint32_t tree_leaves, uint32_t leaf_bytes, struct tan_error *e);

/* Read the clock until this thread has used `seconds` of CPU time (not wall-clock time, since
 * filters of ranks on a shared core do not run at the same time). Returns at once for 0. */
void tan_work_for(double seconds);

#endif
