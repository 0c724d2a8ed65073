/* compatible_report.c - results in LogGOPSim's format
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/loggopsim/compatible_report.h"

#include <inttypes.h>

static uint32_t host_of(const struct tan_schedule *s, uint32_t op)
{
    return tan_op_kind(&s->ops[op]) == TAN_OP_SEND ? tan_schedule_receiver(s, s->ops[op].channel)
                                                   : tan_schedule_op_rank(s, op);
}

/* Print the operations from `*at` on that belong to `host`, as one queue. */
static void print_queue(const struct tan_schedule *s, const char *name, const uint32_t *ops,
                        uint32_t n, uint32_t *at, uint32_t host, FILE *to)
{
    uint32_t end = *at;
    while (end < n && host_of(s, ops[end]) == host) {
        end++;
    }
    if (end > *at) {
        fprintf(to, "%s queue on host %" PRIu32 " contains %" PRIu32 " elements!\n", name, host,
                end - *at);
    }
    for (; *at < end; ++*at) {
        const struct tan_op_spec spec = tan_schedule_spec(s, ops[*at]);
        const uint32_t source =
            spec.kind == TAN_OP_SEND ? tan_schedule_op_rank(s, ops[*at]) : spec.peer;
        /* wildcards appear as -1 */
        fprintf(to, " src: %" PRId32 ", tag: %" PRId32 "\n", (int32_t)source, (int32_t)spec.tag);
    }
}

static uint64_t ns_of(double ps)
{
    return (uint64_t)ps / 1000;
}

void tan_compatible_print(const struct tan_schedule *s, const struct tan_sim_params *p,
                          const struct tan_simulation *r, const struct tan_compatible_times *times,
                          FILE *to)
{
    const struct tan_link *link = &p->between;
    fprintf(to,
            "LogGP network backend; size: %" PRIu32 " (%" PRIu32 " CPUs, %d NICs); L=%" PRIu64
            ", o=%" PRIu64 " g=%" PRIu64 ", G=%" PRIu64 ", O=%" PRIu64 ", P=%" PRIu32 ", S=%" PRIu64
            "\n",
            s->ranks, tan_compatible_cpus(s), s->nics + 1, link->L / 1000, link->o / 1000,
            link->g / 1000, ns_of(link->G), ns_of(link->O), s->ranks, p->S);
    if (r->n_unexpected == 0 && r->n_unmatched == 0) {
        fprintf(to, "Times: \n");
        for (uint32_t host = 0; host < s->ranks; host++) {
            fprintf(to, "Host %" PRIu32 ": %" PRIu64 "\n", host, times->rank_ns[host]);
        }
        return;
    }
    uint32_t message = 0, receive = 0;
    for (uint32_t host = 0; host < s->ranks; host++) {
        print_queue(s, "unexpected", r->unexpected, r->n_unexpected, &message, host, to);
        print_queue(s, "receive", r->unmatched, r->n_unmatched, &receive, host, to);
    }
}
