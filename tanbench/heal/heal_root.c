/* heal_root.c - the root of a tree that heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "tanbench/heal/heal_internal.h"
#include "tanbench/ranks/deadline.h"

/* --- passes --- */

/* One request and its answers, as far as they come in time. */
static int make_pass(struct heal *h, enum heal_kind kind, int32_t wave, struct tan_error *e)
{
    struct heal_node *n = &h->node;
    struct heal_head *request = h->request;
    *request = (struct heal_head){.kind = kind,
                                  .pass = ++h->pass,
                                  .wave = wave,
                                  .n_silent = n->n_silent,
                                  .n_ranges = (uint32_t)h->have.n,
                                  .bytes = kind == HEAL_WAVE ? h->shape.request_bytes : 0};
    if (n->n_silent > 0) {
        memcpy(heal_silent(request), n->silent, n->n_silent * sizeof *n->silent);
    }
    if (h->have.n > 0) {
        memcpy(heal_ranges(request), h->have.list, h->have.n * sizeof *h->have.list);
    }
    if (heal_node_begin(n, request, 0, e) < 0) {
        return -1;
    }
    while (n->waiting > 0) {
        struct heal_head *message;
        int sender;
        const int come = mailbox_receive(h->box, heal_node_deadline(n), &message, &sender, e);
        if (come < 0 || (come > 0 && heal_node_take(n, message, sender, e) < 0)) {
            return -1;
        }
        if (come == 0) {
            heal_node_give_up(n);
        }
    }
    deadline_renew();
    return 0;
}

/* Add the processes found silent to those known. Returns how many are new. */
static int add_silent(struct heal *h, struct recovery *recovery, struct tan_error *e)
{
    struct heal_node *n = &h->node;
    int new = 0;
    for (uint32_t i = 0; i < n->n_found; i++) {
        const struct silent *silent = &n->found[i];
        if (n->dead[silent->node]) {
            continue;
        }
        if (n->n_silent == HEAL_MOST_SILENT) {
            return tan_fail(e,
                            "more than %d processes did not answer in time: --detect is too short",
                            HEAL_MOST_SILENT);
        }
        if (TAN_ONE_MORE(recovery->silent, recovery->n_silent) < 0) {
            return tan_fail_nomem(e);
        }
        n->dead[silent->node] = true;
        n->silent[n->n_silent++] = recovery->silent[recovery->n_silent++] = *silent;
        new ++;
    }
    return new > 0 && heal_node_learn(n, e) < 0 ? -1 : new;
}

/* Add the leaves that the pass has brought to the result. */
static int add_leaves(struct heal *h, struct tan_error *e)
{
    const struct heal_node *n = &h->node;
    if (n->out->leaves > 0 && h->result->leaves == 0) {
        memcpy(h->result, n->out, sizeof *n->out + n->out->bytes);
    } else if (n->out->leaves > 0) {
        tan_filter_combine(h->shape.filter, h->shape.element, h->result, n->out);
    }
    h->check += n->check;
    return tan_leaf_set_add_all(&h->have, n->in.list, n->in.n, e);
}

/* --- the result --- */

/* Whether the tree can reach leaves that the result lacks. */
static bool lacks_leaves(const struct heal *h)
{
    for (int32_t node = 1; node < h->ranks; node++) {
        if (h->leaf_numbers[node] != UINT32_MAX && h->node.parents[node] != TAN_HEAL_OUT &&
            !tan_leaf_set_has(&h->have, h->leaf_numbers[node])) {
            return true;
        }
    }
    return false;
}

/* The leaves that the result names must be those in its sums, by number and by value. */
static int verify(struct heal *h, int32_t wave, struct tan_error *e)
{
    const struct heal_shape *shape = &h->shape;
    struct packet *result = h->result;
    char text[200];
    if (lacks_leaves(h)) {
        return tan_fail(e,
                        "wave %" PRId32 " has leaves %s, and nobody is silent who could have "
                        "had the others",
                        wave, tan_leaf_set_format(&h->have, text, sizeof text));
    }
    if (tan_leaf_set_check(&h->have, (uint32_t)wave) != h->check ||
        tan_leaf_set_sum(&h->have) != result->leaf_sum ||
        tan_leaf_set_count(&h->have) != result->leaves) {
        return tan_fail(e,
                        "wave %" PRId32 ": the result names leaves %s, which are not those in "
                        "its sums",
                        wave, tan_leaf_set_format(&h->have, text, sizeof text));
    }
    if (result->leaves == 0) {
        return 0;
    }
    result->wave = (uint32_t)wave;
    tan_filter_finish(shape->filter, shape->element, result);
    return tan_filter_verify_part(shape->filter, shape->element, result,
                                  (uint32_t)tan_tree_leaves(shape->tree), shape->leaf_bytes, e);
}

/* --- a wave --- */

static int add_step(struct recovery *r, enum recovery_step kind, int found, double *begin,
                    struct tan_error *e)
{
    const double now = tan_clock_seconds();
    if (TAN_ONE_MORE(r->steps, r->n_steps) < 0) {
        return tan_fail_nomem(e);
    }
    r->steps[r->n_steps++] = (struct step){(int32_t)kind, found, now - *begin};
    *begin = now;
    return 0;
}

/* A pass as a step of the recovery, or of the wave: then it is a step only if somebody is found
 * silent. Returns how many are. */
static int make_step(struct heal *h, enum recovery_step kind, int32_t wave, double *begin,
                     struct recovery *r, struct tan_error *e)
{
    if (make_pass(h, kind == STEP_TREE ? HEAL_TREE : HEAL_WAVE, wave, e) < 0) {
        return -1;
    }
    const int found = add_silent(h, r, e);
    if (found < 0 || (kind != STEP_TREE && add_leaves(h, e) < 0) ||
        ((kind != STEP_WAVE || found > 0) && add_step(r, kind, found, begin, e) < 0)) {
        return -1;
    }
    return found;
}

/* Heal the tree, and complete the wave, until nobody else is found silent. Processes need not be
 * told if the leaves that are left have all answered: their parents know. */
static int recover(struct heal *h, int32_t wave, double begin, struct recovery *r,
                   struct tan_error *e)
{
    static const enum recovery_step steps[] = {STEP_TREE, STEP_RESEND};
    if (tan_leaf_set_add_all(&r->partial, h->have.list, h->have.n, e) < 0) {
        return -1;
    }
    while (lacks_leaves(h)) {
        int found = 0;
        for (int i = 0; i < 2 && found == 0; i++) {
            found = make_step(h, steps[i], wave, &begin, r, e);
        }
        if (found < 0) {
            return -1;
        }
        if (found == 0 && lacks_leaves(h)) {
            break; /* verify says so */
        }
    }
    r->wave = wave;
    return tan_leaf_set_add_all(&r->complete, h->have.list, h->have.n, e);
}

int heal_wave(struct heal *h, int32_t wave, double *seconds, struct recovery *recovery,
              struct tan_error *e)
{
    tan_leaf_set_reset(&h->have);
    *h->result = (struct packet){.leaves = 0};
    h->check = 0;
    const double begin = tan_clock_seconds();
    double at = begin;
    const int found = make_step(h, STEP_WAVE, wave, &at, recovery, e);
    if (found < 0 || (found > 0 && recover(h, wave, at, recovery, e) < 0)) {
        return -1;
    }
    *seconds = tan_clock_seconds() - begin;
    return verify(h, wave, e);
}

const struct leaf_set *heal_result(const struct heal *h)
{
    return &h->have;
}

/* --- end --- */

static int send_to_all(struct heal *h, enum heal_kind kind, const uint32_t *counts,
                       struct tan_error *e)
{
    for (int32_t rank = 1; rank < h->ranks; rank++) {
        const struct heal_head head = {.kind = kind, .count = counts != NULL ? counts[rank] : 0};
        struct heal_head *message = mailbox_message(&head, e);
        if (message == NULL || mailbox_send(h->box, message, &rank, 1, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Add a rank's report to the summary, and what it has sent to `counts`. */
static void take_report(struct heal *h, struct heal_head *message, int sender,
                        struct heal_summary *summary, uint32_t *counts)
{
    const struct heal_sent *sent = (const struct heal_sent *)heal_ranges(message);
    struct heal_report report;
    memcpy(&report, heal_packet(message)->payload, sizeof report);
    for (uint32_t i = 0; i < message->n_ranges; i++) {
        counts[sent[i].rank] += sent[i].messages;
    }
    summary->suspected += h->node.dead[sender] && !report.silent;
    summary->late += report.late;
    summary->overrun = fmax(summary->overrun, report.overrun);
}

/* A rank sends nothing to the root after its report. */
static int gather_reports(struct heal *h, struct heal_summary *summary, uint32_t *counts,
                          struct tan_error *e)
{
    for (int32_t missing = h->ranks - 1; missing > 0;) {
        struct heal_head *message;
        int sender;
        if (mailbox_receive(h->box, INFINITY, &message, &sender, e) < 0) {
            return -1;
        }
        if (message->kind == HEAL_REPORT) {
            take_report(h, message, sender, summary, counts);
            missing--;
        } else {
            summary->late++;
        }
    }
    return 0;
}

int heal_end(struct heal *h, struct heal_summary *summary, struct tan_error *e)
{
    uint32_t *counts = calloc((size_t)h->ranks, sizeof *counts);
    *summary = (struct heal_summary){.late = h->node.late, .overrun = h->node.overrun};
    int result = counts == NULL ? tan_fail_nomem(e) : 0;
    if (result == 0 && send_to_all(h, HEAL_END, NULL, e) == 0 &&
        gather_reports(h, summary, counts, e) == 0) {
        for (int32_t rank = 1; rank < h->ranks; rank++) {
            counts[rank] += mailbox_sent(h->box)[rank] + 1;
        }
        result = send_to_all(h, HEAL_FINAL, counts, e);
        mailbox_flush(h->box);
    } else {
        result = -1;
    }
    free(counts);
    return result;
}
