/* path_shares.c - critical path by call and by pair of ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/path_shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/map.h"
#include "base/table.h"
#include "base/text.h"
#include "sim/schedule/times.h"

/* By enum tan_op_kind. */
static const char *const kinds[] = {
    [TAN_OP_SEND] = "send", [TAN_OP_RECV] = "recv", [TAN_OP_CALC] = "calc"};
enum { KINDS = 4 };

struct collection {
    const struct tan_schedule *s;
    const struct tan_simulation *simulation;
    struct tan_path_shares *out;
    uint64_t time[KINDS + TAN_PHASES]; /* per kind, then per phase */
    struct tan_map pairs;              /* ranks -> index of the pair */
    uint32_t send;                     /* of the message of the step before */
    bool failed;                       /* memory is short */
};

static struct tan_path_pair *pair_of(struct collection *c, uint32_t from, uint32_t to)
{
    struct tan_path_shares *out = c->out;
    const uint64_t key = (uint64_t)from << 32 | to;
    const int64_t found = tan_map_find(&c->pairs, key);
    if (found >= 0) {
        return &out->pair[found];
    }
    if (TAN_ONE_MORE(out->pair, out->n_pairs) < 0 ||
        tan_map_set(&c->pairs, key, (int64_t)out->n_pairs) < 0) {
        return NULL;
    }
    out->pair[out->n_pairs] = (struct tan_path_pair){.from = from, .to = to};
    return &out->pair[out->n_pairs++];
}

/* Steps of a message succeed each other. */
static void add_to_pair(struct collection *c, const struct tan_path_step *step, uint64_t latencies)
{
    const struct tan_schedule *s = c->s;
    const bool sends = tan_op_kind(&s->ops[step->op]) == TAN_OP_SEND;
    const uint32_t send = sends ? step->op : c->simulation->history[step->op].match;
    const struct tan_op *op = &s->ops[send];
    struct tan_path_pair *pair =
        pair_of(c, tan_schedule_op_rank(s, send), tan_schedule_receiver(s, op->channel));
    if (pair == NULL) {
        c->failed = true;
        return;
    }
    pair->time += step->to - step->from;
    pair->latencies += latencies;
    if (send != c->send) {
        pair->messages++;
        pair->bytes += op->amount;
        c->send = send;
    }
}

static void add_step(void *context, const struct tan_path_step *step, uint64_t latencies)
{
    struct collection *c = context;
    const enum tan_op_kind kind = tan_op_kind(&c->s->ops[step->op]);
    const uint32_t phase =
        c->s->phases == NULL ? 0 : c->s->phases[step->op] & (uint32_t)(TAN_PHASES - 1);
    c->time[phase > 0 ? KINDS + phase : (uint32_t)kind] += step->to - step->from;
    if (kind != TAN_OP_CALC && !c->failed) {
        add_to_pair(c, step, latencies);
    }
}

static int by_call_time(const void *a, const void *b)
{
    const struct tan_path_call *x = a, *y = b;
    return x->time != y->time     ? (x->time < y->time ? 1 : -1)
           : x->phase != y->phase ? (x->phase > y->phase ? 1 : -1)
                                  : (int)x->kind - (int)y->kind;
}

static int by_pair_time(const void *a, const void *b)
{
    const struct tan_path_pair *x = a, *y = b;
    return x->time != y->time   ? (x->time < y->time ? 1 : -1)
           : x->from != y->from ? (x->from > y->from ? 1 : -1)
                                : (x->to > y->to) - (x->to < y->to);
}

static int list_calls(struct collection *c, struct tan_error *e)
{
    struct tan_path_shares *out = c->out;
    for (uint32_t i = 0; i < KINDS + TAN_PHASES; i++) {
        if (c->time[i] == 0) {
            continue;
        }
        if (TAN_ONE_MORE(out->call, out->n_calls) < 0) {
            return tan_fail_nomem(e);
        }
        out->call[out->n_calls++] =
            (struct tan_path_call){.phase = (uint16_t)(i > KINDS ? i - KINDS : 0),
                                   .kind = i < KINDS ? (enum tan_op_kind)i : TAN_OP_CALC,
                                   .time = c->time[i]};
    }
    return 0;
}

static void sort_shares(struct tan_path_shares *out)
{
    if (out->n_calls > 0) {
        qsort(out->call, out->n_calls, sizeof *out->call, by_call_time);
    }
    if (out->n_pairs > 0) {
        qsort(out->pair, out->n_pairs, sizeof *out->pair, by_pair_time);
    }
}

int tan_path_shares_find(const struct tan_schedule *s, const struct tan_sim_params *p,
                         const struct tan_simulation *simulation, struct tan_path_shares *out,
                         struct tan_error *e)
{
    struct collection c = {.s = s, .simulation = simulation, .out = out, .send = TAN_OP_NONE};
    *out = (struct tan_path_shares){.finish = simulation->finish};
    struct tan_path_weights weights;
    int result = tan_critical_path_visit(s, p, simulation, add_step, &c, &weights, e);
    out->latencies = weights.L;
    if (result == 0 && c.failed) {
        result = tan_fail_nomem(e);
    }
    if (result == 0) {
        result = list_calls(&c, e);
    }
    tan_map_clear(&c.pairs);
    if (result < 0) {
        tan_path_shares_clear(out);
        return -1;
    }
    sort_shares(out);
    return 0;
}

void tan_path_shares_clear(struct tan_path_shares *shares)
{
    free(shares->call);
    free(shares->pair);
    *shares = (struct tan_path_shares){.n_calls = 0};
}

/* Text and JSON */

static const char *call_name(const struct tan_path_call *call, const char *const *names,
                             size_t n_names)
{
    return call->phase > 0 && call->phase <= n_names ? names[call->phase - 1] : kinds[call->kind];
}

static double share_of(uint64_t part, uint64_t all)
{
    return all > 0 ? (double)part / (double)all : 0.0;
}

static void print_calls(const struct tan_path_shares *shares, const char *const *names,
                        size_t n_names, FILE *to)
{
    enum { LISTED = 6 };
    const char *const headings[] = {"<on the critical path", "time", "share"};
    struct tan_table *table = tan_table_create(headings, 3);
    for (size_t i = 0; i < shares->n_calls && i < LISTED; i++) {
        tan_table_cell(table, "%s", call_name(&shares->call[i], names, n_names));
        tan_table_cell(table, "%s", tan_ps_text(shares->call[i].time).text);
        tan_table_cell(table, "%.1f %%", 100.0 * share_of(shares->call[i].time, shares->finish));
    }
    tan_table_print(table, to);
}

static void print_pairs(const struct tan_path_shares *shares, FILE *to)
{
    enum { LISTED = 5 };
    const char *const headings[] = {"<ranks", "messages", "bytes", "latencies", "time", "share"};
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < shares->n_pairs && i < LISTED; i++) {
        const struct tan_path_pair *pair = &shares->pair[i];
        tan_table_cell(table, "%" PRIu32 " to %" PRIu32, pair->from, pair->to);
        tan_table_cell(table, "%" PRIu64, pair->messages);
        tan_table_cell(table, "%" PRIu64, pair->bytes);
        tan_table_cell(table, "%.1f %%", 100.0 * share_of(pair->latencies, shares->latencies));
        tan_table_cell(table, "%s", tan_ps_text(pair->time).text);
        tan_table_cell(table, "%.1f %%", 100.0 * share_of(pair->time, shares->finish));
    }
    if (shares->n_pairs > LISTED) {
        tan_table_cell(table, "... (%zu more)", shares->n_pairs - LISTED);
        tan_table_end_row(table);
    }
    tan_table_print(table, to);
}

void tan_path_shares_print(const struct tan_path_shares *shares, const char *const *names,
                           size_t n_names, FILE *to)
{
    if (shares->n_calls > 0) {
        print_calls(shares, names, n_names, to);
    }
    if (shares->n_pairs > 0) {
        fputc('\n', to);
        print_pairs(shares, to);
    }
}

void tan_path_shares_json(struct tan_json_writer *w, json_t *object,
                          const struct tan_path_shares *shares, const char *const *names,
                          size_t n_names)
{
    enum { LISTED = 100 };
    json_t *calls = tan_json_set_array(w, object, "calls");
    for (size_t i = 0; i < shares->n_calls; i++) {
        json_t *call = tan_json_append_object(w, calls);
        tan_json_set(w, call, "name", tan_json_text(call_name(&shares->call[i], names, n_names)));
        tan_json_set_real(w, call, "time_ns", (double)shares->call[i].time / 1e3);
        tan_json_set_real(w, call, "share", share_of(shares->call[i].time, shares->finish));
    }
    tan_json_set_int(w, object, "n_pairs", (json_int_t)shares->n_pairs);
    json_t *pairs = tan_json_set_array(w, object, "pairs");
    for (size_t i = 0; i < shares->n_pairs && i < LISTED; i++) {
        const struct tan_path_pair *pair = &shares->pair[i];
        json_t *item = tan_json_append_object(w, pairs);
        tan_json_set_int(w, item, "from", pair->from);
        tan_json_set_int(w, item, "to", pair->to);
        tan_json_set_int(w, item, "messages", (json_int_t)pair->messages);
        tan_json_set_int(w, item, "bytes", (json_int_t)pair->bytes);
        tan_json_set_real(w, item, "latency_share", share_of(pair->latencies, shares->latencies));
        tan_json_set_real(w, item, "time_ns", (double)pair->time / 1e3);
        tan_json_set_real(w, item, "share", share_of(pair->time, shares->finish));
    }
}

/* What is added between two simulations */

/* Of a kind, or of a phase, as in struct collection. */
struct added {
    struct tan_path_call of;
    int64_t time; /* picoseconds */
};

static void add_times(struct added *all, const struct tan_path_shares *shares, int sign)
{
    for (size_t i = 0; i < shares->n_calls; i++) {
        const struct tan_path_call *call = &shares->call[i];
        struct added *to = &all[call->phase > 0 ? KINDS + call->phase : (int)call->kind];
        to->of = *call;
        to->time += sign * (int64_t)call->time;
    }
}

static int by_size(const void *a, const void *b)
{
    const struct added *x = a, *y = b;
    const int64_t size[] = {llabs(x->time), llabs(y->time)};
    return size[0] != size[1] ? (size[0] < size[1] ? 1 : -1) : by_call_time(&x->of, &y->of);
}

/* Returns the number of parts that are not 0, which come first. */
static size_t list_added(const struct tan_path_shares *shares, const struct tan_path_shares *before,
                         struct added all[KINDS + TAN_PHASES])
{
    size_t n = 0;
    memset(all, 0, (KINDS + TAN_PHASES) * sizeof *all);
    add_times(all, before, -1);
    add_times(all, shares, 1);
    qsort(all, KINDS + TAN_PHASES, sizeof *all, by_size);
    while (n < KINDS + TAN_PHASES && all[n].time != 0) {
        n++;
    }
    return n;
}

static struct tan_text signed_time(int64_t ps)
{
    return tan_printed("%c%s", ps < 0 ? '-' : '+', tan_ps_text((uint64_t)llabs(ps)).text);
}

struct added_text {
    const struct added *all;
    size_t n;
    int64_t whole;
    const char *const *names;
    size_t n_names;
};

static void print_added(const void *what, FILE *to)
{
    enum { LISTED = 4 };
    const struct added_text *a = what;
    int64_t rest = a->whole;
    fprintf(to, "Of the %s by --set", signed_time(a->whole).text);
    for (size_t i = 0; i < a->n && i < LISTED; i++) {
        fprintf(to, ", %s are in %s", signed_time(a->all[i].time).text,
                call_name(&a->all[i].of, a->names, a->n_names));
        rest -= a->all[i].time;
    }
    if (rest != 0) {
        fprintf(to, ", %s elsewhere", signed_time(rest).text);
    }
    fputs(", on the critical path, where latency counts for the call that sent the message.\n", to);
}

void tan_path_added_print(const struct tan_path_shares *shares,
                          const struct tan_path_shares *before, const char *const *names,
                          size_t n_names, FILE *to)
{
    struct added all[KINDS + TAN_PHASES];
    const struct added_text a = {all, list_added(shares, before, all),
                                 (int64_t)(shares->finish - before->finish), names, n_names};
    if (a.whole != 0) {
        tan_text_wrap_printed(to, print_added, &a);
    }
}

void tan_path_added_json(struct tan_json_writer *w, json_t *array,
                         const struct tan_path_shares *shares, const struct tan_path_shares *before,
                         const char *const *names, size_t n_names)
{
    struct added all[KINDS + TAN_PHASES];
    const size_t n = list_added(shares, before, all);
    for (size_t i = 0; i < n; i++) {
        json_t *part = tan_json_append_object(w, array);
        tan_json_set(w, part, "name", tan_json_text(call_name(&all[i].of, names, n_names)));
        tan_json_set_real(w, part, "added_ns", (double)all[i].time / 1e3);
    }
}
