/* timeline.c - timeline of a simulation in the Chrome trace format
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/timeline.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/schedule/times.h"

/* Number of the first thread of CPUs in a process; viewers reserve 0. Those of NICs follow. */
static const uint32_t CPU_THREADS = 1;

struct writer {
    const struct tan_timeline *t;
    FILE *to;
    uint8_t *critical; /* one bit per operation: whether it is on the critical path */
    bool *cpus;        /* which the rank uses */
    const char *separator;
};

/* Start an event with the members common to all. `ps` TAN_NEVER: without time. */
static void begin_event(struct writer *w, const char *phase, uint32_t rank, uint32_t thread,
                        uint64_t ps)
{
    fprintf(w->to, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu32, w->separator, phase,
            (uint64_t)rank + 1, thread);
    w->separator = ",";
    if (ps != TAN_NEVER) {
        fprintf(w->to, ",\"ts\":%" PRIu64 ".%06" PRIu64, ps / 1000000, ps % 1000000);
    }
}

static void name_thread(struct writer *w, uint32_t rank, uint32_t thread, const char *what,
                        unsigned number, const char *way)
{
    begin_event(w, "M", rank, thread, TAN_NEVER);
    fputs(",\"name\":\"thread_name\",\"args\":{\"name\":\"", w->to);
    fprintf(w->to, "%s %u%s\"}}", what, number, way);
    begin_event(w, "M", rank, thread, TAN_NEVER);
    fprintf(w->to, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
            thread);
}

static uint32_t nic_thread(const struct writer *w, unsigned nic, bool in)
{
    const uint32_t cpus = w->t->schedule->cpus < 256 ? 256 : w->t->schedule->cpus + UINT32_C(1);
    return CPU_THREADS + cpus + 2 * nic + (in ? 1 : 0);
}

static void write_names(struct writer *w, uint32_t rank)
{
    const struct tan_timeline *t = w->t;
    const struct tan_schedule *s = t->schedule;
    bool nics[256] = {false};
    memset(w->cpus, 0, (s->cpus + (size_t)1) * sizeof *w->cpus);
    for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
        const struct tan_op_spec spec = tan_schedule_spec(s, s->first_op[rank] + i);
        w->cpus[spec.cpu] = true;
        nics[spec.nic] |= spec.kind != TAN_OP_CALC;
    }
    begin_event(w, "M", rank, CPU_THREADS, TAN_NEVER);
    fprintf(w->to, ",\"name\":\"process_name\",\"args\":{\"name\":\"rank %" PRIu32, rank);
    if (t->params->ranks_per_host > 0 || t->params->host_of != NULL) {
        fprintf(w->to, " on host %" PRIu32, tan_sim_host(t->params, rank));
    }
    fputs("\"}}", w->to);
    begin_event(w, "M", rank, CPU_THREADS, TAN_NEVER);
    fprintf(w->to, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}", rank);
    for (unsigned i = 0; i <= s->cpus; i++) {
        if (w->cpus[i]) {
            name_thread(w, rank, CPU_THREADS + i, "CPU", i, "");
        }
    }
    for (unsigned i = 0; i < 256; i++) {
        if (nics[i]) {
            name_thread(w, rank, nic_thread(w, i, false), "NIC", i, " out");
            name_thread(w, rank, nic_thread(w, i, true), "NIC", i, " in");
        }
    }
}

/* A receive's message: an arrow from within its send to the receive. */
static void write_flow(struct writer *w, uint32_t receive)
{
    const struct tan_schedule *s = w->t->schedule;
    const struct tan_history *history = w->t->simulation->history;
    const uint32_t send = history[receive].match, from = tan_schedule_op_rank(s, send);
    static const char name[] = ",\"cat\":\"message\",\"name\":\"message\",\"id\":%" PRIu32;
    begin_event(w, "s", from, CPU_THREADS + tan_schedule_spec(s, send).cpu, history[send].start);
    fprintf(w->to, name, send);
    fputc('}', w->to);
    begin_event(w, "f", tan_schedule_op_rank(s, receive),
                CPU_THREADS + tan_schedule_spec(s, receive).cpu, history[receive].start);
    fprintf(w->to, name, send);
    fputs(",\"bp\":\"e\"}", w->to);
}

/* Time for which an operation occupied its CPU or its NIC. */
enum span_where { ON_CPU, ON_NIC_OUT, ON_NIC_IN };

struct span {
    enum span_where where;
    uint64_t from, to; /* picoseconds, from <= to */
};

enum { SPANS = 4 };

/* The spans of an operation, CPU first; none if it never started. A message with a handshake
 * occupies the sender's CPU and NIC twice, for the request and for the data, and the receiver's NIC
 * twice. */
static int op_spans(const struct tan_schedule *s, const struct tan_sim_params *p,
                    const struct tan_history *history, uint32_t op, struct span spans[SPANS])
{
    const struct tan_history *h = &history[op];
    const enum tan_op_kind kind = tan_op_kind(&s->ops[op]);
    if (h->start == TAN_NEVER) {
        return 0;
    }
    if (kind == TAN_OP_CALC) {
        spans[0] = (struct span){ON_CPU, h->start, h->busy};
        return 1;
    }
    const uint32_t send = kind == TAN_OP_SEND ? op : h->match;
    const uint64_t bytes = s->ops[send].amount;
    const struct tan_link *link = tan_sim_link(
        p, tan_schedule_op_rank(s, send), tan_schedule_receiver(s, s->ops[send].channel), bytes);
    const enum span_where nic = kind == TAN_OP_SEND ? ON_NIC_OUT : ON_NIC_IN;
    const uint64_t gap = link->g + tan_bytes_cost(link->G, bytes);
    if (!tan_sim_has_control(p) || bytes <= p->S) {
        spans[0] = (struct span){ON_CPU, h->start, h->busy};
        spans[1] = (struct span){nic, h->start, h->start + gap};
        return 2;
    }
    if (kind == TAN_OP_RECV) {
        spans[0] = (struct span){ON_CPU, h->start, h->busy};
        spans[1] = (struct span){nic, h->start, h->start + link->g};
        spans[2] = (struct span){nic, h->wire, h->end};
        return h->end == TAN_NEVER ? 2 : 3;
    }
    const uint64_t data = h->wire - p->control - (p->handshake == TAN_HANDSHAKE_RAT ? link->o : 0);
    const bool sent = h->wire != TAN_NEVER;
    spans[0] = (struct span){ON_CPU, h->start, h->start + p->control};
    spans[1] = sent ? (struct span){ON_CPU, data, h->busy}
                    : (struct span){nic, h->start, h->start + link->g};
    spans[2] = (struct span){nic, h->start, h->start + link->g};
    spans[3] = (struct span){nic, data, data + gap};
    return sent ? 4 : 2;
}

static void write_op(struct writer *w, uint32_t rank, uint32_t op)
{
    static const char *const categories[] = {
        [TAN_OP_SEND] = "send", [TAN_OP_RECV] = "recv", [TAN_OP_CALC] = "calc"};
    const struct tan_timeline *t = w->t;
    const struct tan_schedule *s = t->schedule;
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    const bool critical = (w->critical[op / 8] >> op % 8 & 1) != 0;
    struct span spans[SPANS];
    const int n = op_spans(s, t->params, t->simulation->history, op, spans);
    for (int i = 0; i < n; i++) {
        const bool cpu = spans[i].where == ON_CPU;
        const uint64_t took = spans[i].to - spans[i].from;
        if (!cpu && took == 0) {
            continue;
        }
        begin_event(w, "X", rank,
                    cpu ? CPU_THREADS + spec.cpu
                        : nic_thread(w, spec.nic, spans[i].where == ON_NIC_IN),
                    spans[i].from);
        fprintf(w->to, ",\"dur\":%" PRIu64 ".%06" PRIu64 ",\"cat\":\"%s%s\",\"name\":\"%s\"",
                took / 1000000, took % 1000000, cpu ? categories[spec.kind] : "gap",
                critical ? ",critical" : "", tan_op_text(s, op).text);
        fprintf(w->to, ",\"args\":{\"operation\":%" PRIu32, op);
        if (s->lines != NULL && s->lines[op] > 0) {
            fprintf(w->to, ",\"line\":%" PRIu32, s->lines[op]);
        }
        fprintf(w->to, ",\"critical\":%s}}", critical ? "true" : "false");
    }
    if (spec.kind == TAN_OP_RECV && n > 0) {
        write_flow(w, op);
    }
}

/* One bit per operation: whether it is on the critical path. NULL if memory is short. */
static uint8_t *critical_bits(const struct tan_timeline *t)
{
    uint8_t *bits = calloc((size_t)t->schedule->n_ops / 8 + 1, 1);
    const size_t n = bits == NULL || t->critical == NULL ? 0 : t->critical->n_steps;
    for (size_t i = 0; i < n; i++) {
        const uint32_t op = t->critical->steps[i].op;
        bits[op / 8] = (uint8_t)(bits[op / 8] | 1 << op % 8);
    }
    return bits;
}

static void write_events(struct writer *w)
{
    const struct tan_schedule *s = w->t->schedule;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        write_names(w, rank);
        for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
            write_op(w, rank, s->first_op[rank] + i);
        }
    }
}

int tan_timeline_chrome(const struct tan_timeline *t, FILE *to, struct tan_error *e)
{
    struct writer w = {.t = t, .to = to, .separator = ""};
    json_t *text = json_string(t->title);
    if (text == NULL) {
        return tan_fail(e, "the title of a timeline must be UTF-8");
    }
    char *title = json_dumps(text, JSON_ENCODE_ANY);
    json_decref(text);
    w.critical = critical_bits(t);
    w.cpus = calloc(t->schedule->cpus + (size_t)1, sizeof *w.cpus);
    const bool ready = w.critical != NULL && w.cpus != NULL && title != NULL;
    if (ready) {
        fprintf(to, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":%s},\"traceEvents\":[",
                title);
        write_events(&w);
        fputs("\n]}\n", to);
    }
    free(title);
    free(w.critical);
    free(w.cpus);
    return ready ? 0 : tan_fail_nomem(e);
}
