/* line.c - calls as lines of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-otf2/line.h"

#include <inttypes.h>

static void write_microseconds(FILE *to, int64_t ns)
{
    fprintf(to, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

static void write_counts(FILE *to, const uint64_t *list, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        fprintf(to, "%s%" PRIu64, i > 0 ? "," : "", list[i]);
    }
}

/* Write the argument at this position of the line; sizes are counts of a type of one byte. */
static void write_argument(FILE *to, const struct trace_call *call, const struct trace_event *v,
                           int place)
{
    const struct trace_message *first = call->kind == TRACE_RECV ? &v->in : &v->out;
    const struct {
        int place;
        int64_t number;
    } numbers[] = {
        {call->count, (int64_t)first->bytes},
        {call->count2, (int64_t)v->in.bytes},
        {call->peer, first->peer},
        {call->peer2, v->in.peer},
        {call->tag, first->tag},
        {call->tag2, v->in.tag},
        {call->request, v->request},
    };
    if (place == call->type || place == call->type2) {
        fputs("1,1,1", to);
    } else if (place == call->comm) {
        fprintf(to, "%" PRId64 ",%" PRId64 ",%" PRId64, v->comm, v->comm_rank, v->comm_size);
    } else if (place == call->counts) {
        write_counts(to, v->out_list, v->comm_size);
    } else if (place == call->counts2) {
        write_counts(to, v->in_list, v->comm_size);
    } else {
        size_t i = 0;
        const size_t n = sizeof numbers / sizeof *numbers;
        while (i < n && numbers[i].place != place) {
            i++;
        }
        fprintf(to, "%" PRId64, i < n ? numbers[i].number : 0);
    }
}

/* Write what follows END: the new request, or the completed ones. */
static void write_requests(FILE *to, const struct trace_event *event)
{
    if (event->immediate) {
        fprintf(to, "%" PRId64, event->request);
    }
    for (uint32_t i = 0; i < event->n_completed; i++) {
        const bool cancelled = event->completed[i].source == TRACE_CANCELLED;
        fprintf(to, ";%" PRId64 "%s", event->completed[i].request, cancelled ? ",-3,0,0" : "");
    }
}

void line_write_call(FILE *to, const struct trace_call *call, const struct trace_event *event)
{
    const int end = call->end > 0 ? call->end : 2;
    fprintf(to, "%s:", call->name);
    write_microseconds(to, event->start);
    for (int place = 2; place < end; place++) {
        fputc(':', to);
        write_argument(to, call, event, place);
    }
    fputc(':', to);
    write_microseconds(to, event->end);
    fputc(':', to);
    write_requests(to, event);
    fputc('\n', to);
}

void line_write_time(FILE *to, const char *name, int64_t start, int64_t end)
{
    fprintf(to, "# call: %s:", name);
    write_microseconds(to, start);
    fputc(':', to);
    write_microseconds(to, end);
    fputc('\n', to);
}

void line_write_comm(FILE *to, int64_t comm, const uint32_t *rank, uint32_t size)
{
    fprintf(to, "# comm %" PRId64 " =", comm);
    for (uint32_t i = 0; i < size; i++) {
        fprintf(to, " %" PRIu32, rank[i]);
    }
    fputc('\n', to);
}
