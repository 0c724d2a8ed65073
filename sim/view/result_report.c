/* result_report.c - results of a simulation as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/result_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/reply.h"
#include "base/table.h"
#include "base/units.h"
#include "model/machine/p2p.h"
#include "sim/engine/link_options.h"
#include "sim/schedule/times.h"

enum {
    MAX_LISTED_RANKS = 16, /* up to this number the finish times of all ranks are shown */
    LISTED = 10,           /* operations listed of each kind that never happened */
    CIRCLE = 16,           /* steps of a cycle of waits */
};

static const char *plural_s(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Parameters */

static void print_link(const struct tan_link *link, FILE *to)
{
    fprintf(to, "L %s, o %s, ", tan_ps_text(link->L).text, tan_ps_text(link->o).text);
    if (link->o_more != 0) {
        fprintf(to, "o_r %s, ", tan_ps_text(tan_link_o_r(link)).text);
    }
    fprintf(to, "g %s, G %.6g ns/B, O %.6g ns/B", tan_ps_text(link->g).text, link->G / 1e3,
            link->O / 1e3);
}

static void print_hosts(const struct tan_sim_report *r, FILE *to)
{
    const struct tan_sim_params *p = r->params;
    if (p->host_of == NULL && p->ranks_per_host == 0) {
        return;
    }
    fputs("Hosts: ", to);
    if (p->host_of != NULL) {
        fprintf(to, "as %s says", r->map);
    } else {
        fprintf(to, "%" PRIu32 " rank%s each", p->ranks_per_host, plural_s(p->ranks_per_host));
    }
    if (p->n_sizes == 0 && !tan_link_equal(&p->within, &p->between)) {
        fputs("; within one: ", to);
        print_link(&p->within, to);
    }
    fputc('\n', to);
}

static void print_sized(const struct tan_sized_link *sized, FILE *to)
{
    fprintf(to, "  messages of %s: ", tan_size_text((int64_t)sized->bytes).text);
    print_link(&sized->link, to);
    if (!tan_link_equal(&sized->within, &sized->link)) {
        fputs("\n    within a host: ", to);
        print_link(&sized->within, to);
    }
    fputc('\n', to);
}

/* LogGOPS parameters from a machine file, which depend on message sizes. */
static void print_sizes(const void *report, FILE *to)
{
    enum { SHOWN = 3 };
    const struct tan_sim_report *r = report;
    const struct tan_sim_params *p = r->params;
    const size_t n = p->n_sizes;
    if (r->machine == NULL || r->model == NULL) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (n > SHOWN && i == 1) {
            fprintf(to, "  and of %zu sizes between\n", n - 2);
            i = n - 1;
        }
        print_sized(&p->sizes[i], to);
    }
    if (p->S < TAN_SCHEDULE_MAX_BYTES) {
        fprintf(to, "  eager up to %" PRIu64 " B\n", p->S);
    }
}

static void print_waiting(const struct tan_sim_report *r, FILE *to)
{
    if (r->waiting > 0) {
        fprintf(to,
                "  messages beyond S = %" PRIu64 " B, here up to %" PRIu64 " B, wait for their "
                "receivers, so that each takes\n  several latencies. S is that of one host's "
                "memory; a network's is measured by tanbench p2p\n  calibrate between two hosts, "
                "or is the MPI library's eager limit (ompi_info --all | grep eager):\n  if you do "
                "not know it, report both this result and that with -S %" PRIu64 ".\n",
                r->params->S, r->waiting, r->waiting);
    }
}

static void print_model(const void *report, FILE *to)
{
    const struct tan_sim_report *r = report;
    const struct tan_sim_params *p = r->params;
    if (r->machine != NULL && r->machine->stand_in) {
        fputs(TAN_STAND_IN "; tanbench calibrate measures yours.\n", to);
    }
    if (r->machine != NULL && tan_machine_simulated(r->machine) != NULL) {
        fprintf(to, "Simulated: measured on SimGrid's platform %s, not on a real machine.\n",
                tan_machine_simulated(r->machine));
    }
    if (r->machine != NULL && r->model != NULL) {
        fprintf(to, "Model: %s, single messages of %s (%s)%s", r->model->title, r->machine->name,
                r->machine_file, r->waiting > 0 ? ";\n" : "\n");
        print_waiting(r, to);
    } else if (r->machine != NULL) {
        fprintf(to,
                "Model: TAN, %s (%s; method %s, messages of %" PRId64 " B)\n"
                "  L %s, and ranks calculate the rest of a level's cost\n",
                r->machine->name, r->machine_file, tan_method_name(r->machine->tan.method),
                r->machine->tan.bytes, tan_ps_text(p->between.L).text);
    } else {
        fprintf(to, "Model: LogGOPS%s, %s", r->defaults ? " (defaults)" : "",
                r->change.n > 0 ? "with --set " : "");
        print_link(&p->between, to);
        fprintf(to, ",\n  eager up to %" PRIu64 " B%s\n", p->S,
                r->defaults
                    ? "; LogGOPSim's defaults are not your machine's costs,\n  which tanbench "
                      "p2p calibrate FILE measures for --machine FILE"
                    : "");
    }
}

void tan_sim_parameters_print(const struct tan_sim_report *r, FILE *to)
{
    const struct tan_sim_params *p = r->params;
    print_model(r, to);
    print_sizes(r, to);
    tan_doubts_print(r->doubts, TAN_DOUBT, to);
    tan_doubts_print(r->doubts, TAN_NOTE, to);
    print_hosts(r, to);
    if (p->handshake != TAN_HANDSHAKE_NONE) {
        fprintf(to, "Handshake: %s", tan_handshakes[p->handshake]);
        if (tan_sim_has_control(p)) {
            fprintf(to, ", %s of a CPU for a control message", tan_ps_text(p->control).text);
        }
        fputc('\n', to);
    }
    if (r->noise.spec != NULL) {
        fprintf(to, "Noise: %s, seed %" PRIu64 "\n", r->noise.spec, r->noise.seed);
    }
}

/* Finish times */

/* Number of ranks that have finished at `time`. */
static uint32_t finished_by(const struct tan_simulation *s, uint32_t ranks, uint64_t time)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ranks; i++) {
        n += s->rank_finish[i] <= time;
    }
    return n;
}

/* The time at which `n` ranks have finished, by bisection, because sorting would need a copy. */
static uint64_t finish_of(const struct tan_simulation *s, uint32_t ranks, uint32_t n)
{
    uint64_t low = 0, high = s->finish;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (finished_by(s, ranks, middle) >= n) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void rank_row(struct tan_table *table, const char *what, uint32_t rank, uint64_t ps)
{
    if (what != NULL) {
        tan_table_cell(table, "%s", what);
    }
    tan_table_cell(table, "%" PRIu32, rank);
    tan_table_cell(table, "%s", tan_ps_text(ps).text);
}

double tan_sim_change_factor(const struct tan_sim_report *r)
{
    const double finish = (double)r->simulation->finish / 1e12;
    return r->change.n > 0 && r->change.unchanged > 0.0 ? finish / r->change.unchanged : NAN;
}

double tan_sim_change_traced_factor(const struct tan_sim_report *r)
{
    const struct tan_sim_change *c = &r->change;
    const double added = (double)r->simulation->finish / 1e12 - c->unchanged;
    return c->n > 0 && c->traced > 0.0 ? fmax(0.0, 1.0 + added / c->traced) : NAN;
}

/* Seconds in this unit. */
static struct tan_text unit_text(double seconds, const struct tan_time_unit *unit)
{
    return tan_printed("%.4g %s", seconds * 1e12 / (double)unit->ps, unit->name);
}

static struct tan_text factor_text(double factor)
{
    return tan_factor_text(factor, 4);
}

/* Why the factor is that of two simulated times, and how sure it is. */
static void print_sure(const void *report, FILE *to)
{
    const struct tan_sim_report *r = report;
    const struct tan_sim_change *c = &r->change;
    const struct tan_time_unit *unit = tan_time_unit(r->simulation->finish);
    const double traced = tan_sim_change_traced_factor(r);
    if (isnan(tan_sim_change_factor(r))) {
        return;
    }
    if (!isnan(c->least)) {
        const struct tan_text least = factor_text(c->least), most = factor_text(c->most);
        const bool same = strcmp(least.text, most.text) == 0;
        fprintf(to,
                "        By all models but no-overlap and independent it takes %s%s%s times as "
                "long.\n",
                least.text, same ? "" : " to ", same ? "" : most.text);
    }
    if (!isnan(traced)) {
        const double error = c->unchanged / c->traced - 1.0;
        fprintf(to,
                "        The traced run took %s; without the change the simulation is %.1f %% %s.\n"
                "        Added to the traced run, which includes what is not simulated, the same "
                "time makes\n        it %s times as long.\n",
                unit_text(c->traced, unit).text, 100.0 * fabs(error),
                error < 0.0 ? "shorter" : "longer", factor_text(traced).text);
    }
}

/* By what factor --set changes the run time. */
static void print_change(const void *report, FILE *to)
{
    const struct tan_sim_report *r = report;
    const struct tan_sim_change *c = &r->change;
    const struct tan_time_unit *unit = tan_time_unit(r->simulation->finish);
    const double factor = tan_sim_change_factor(r);
    const bool known = !isnan(factor);
    if (c->n == 0) {
        return;
    }
    fputs(known ? "With " : "Change: ", to);
    for (size_t i = 0; i < c->n; i++) {
        fprintf(to, "%s%s", i > 0 ? "," : "", c->settings[i]);
    }
    if (known) {
        fprintf(to, " it takes %s, %s times the %s without.",
                unit_text(factor * c->unchanged, unit).text, factor_text(factor).text,
                unit_text(c->unchanged, unit).text);
    }
    fputc('\n', to);
}

void tan_sim_change_print(const struct tan_sim_report *r, FILE *to)
{
    print_change(r, to);
    print_sure(r, to);
}

json_t *tan_sim_answer(struct tan_json_writer *w, json_t *document, const struct tan_sim_report *r)
{
    json_t *answer = tan_json_set_object(w, document, "answer");
    tan_reply_say_printed(w, answer, TAN_PART_FIRST, print_change, r);
    tan_reply_say_printed(w, answer, TAN_PART_REMARKS, print_sure, r);
    tan_doubts_say(w, answer, r->doubts);
    tan_reply_say_printed(w, answer, TAN_PART_FROM, print_model, r);
    if (!r->table || r->stuck != NULL) {
        tan_reply_say_printed(w, answer, TAN_PART_FROM, print_sizes, r);
    }
    return answer;
}

static void print_last(const void *report, FILE *to)
{
    const struct tan_simulation *s = ((const struct tan_sim_report *)report)->simulation;
    fprintf(to, "Finish: %s, on rank %" PRIu32 "\n", tan_ps_text(s->finish).text, s->last_rank);
}

void tan_sim_finish_say(struct tan_json_writer *w, json_t *answer, const struct tan_sim_report *r)
{
    const double traced = r->change.traced;
    const double finish = (double)r->simulation->finish / 1e12;
    if (r->stuck != NULL) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "%s",
                      tan_sim_stuck_text(r->simulation, r->stuck).text);
    } else if (r->compatible != NULL) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "Finish: %" PRIu64 " ns", r->compatible->last_ns);
    } else if (r->change.n == 0 && traced > 0.0) {
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "The program took %s when it was traced, and takes %s in the simulation "
                      "(%+.1f %%).",
                      tan_time_text(traced).text, tan_time_like(finish, traced).text,
                      100.0 * (finish / traced - 1.0));
    } else if (!r->table || isnan(tan_sim_change_factor(r))) {
        tan_reply_say_printed(w, answer, TAN_PART_FIRST, print_last, r);
    }
}

static void print_finish(const struct tan_sim_report *r, FILE *to)
{
    static const char *const headings[] = {"<", "rank", "<finish"};
    const struct tan_simulation *s = r->simulation;
    const uint32_t ranks = r->schedule->ranks;
    const bool few = ranks <= MAX_LISTED_RANKS;
    print_last(r, to);
    tan_sim_change_print(r, to);
    fputc('\n', to);
    struct tan_table *table = tan_table_create(few ? headings + 1 : headings, few ? 2 : 3);
    for (uint32_t i = 0; few && i < ranks; i++) {
        rank_row(table, NULL, i, s->rank_finish[i]);
    }
    if (!few) {
        const struct {
            const char *name;
            uint32_t n;
        } rows[] = {{"earliest", 1}, {"median", ranks - ranks / 2}, {"latest", ranks}};
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const uint64_t finish = finish_of(s, ranks, rows[i].n);
            uint32_t rank = 0;
            while (s->rank_finish[rank] != finish) {
                rank++;
            }
            rank_row(table, rows[i].name, rank, finish);
        }
    }
    tan_table_print(table, to);
}

void tan_sim_report_print(const struct tan_sim_report *r, FILE *to)
{
    fputs("Schedule: ", to);
    if (r->sweep != NULL) {
        fprintf(to, "1 wave %s over ", r->sweep);
    }
    fprintf(to, "%s; %" PRIu32 " rank%s, %" PRIu32 " operation%s, %" PRIu64 " event%s\n", r->source,
            r->schedule->ranks, plural_s(r->schedule->ranks), r->schedule->n_ops,
            plural_s(r->schedule->n_ops), r->simulation->events, plural_s(r->simulation->events));
    tan_sim_parameters_print(r, to);
    print_finish(r, to);
}

/* Jobs that do not end */

/* "rank 3: recv 8b from 1 (line 12)" */
static void print_op(const struct tan_schedule *s, uint32_t op, FILE *to)
{
    fprintf(to, "rank %" PRIu32 ": %s", tan_schedule_op_rank(s, op), tan_op_text(s, op).text);
    if (s->lines != NULL && s->lines[op] > 0) {
        fprintf(to, " (line %" PRIu32 ")", s->lines[op]);
    }
}

/* Print the first of n operations, and how many more there are. */
static void print_list(const struct tan_schedule *s, const char *heading, const uint32_t *ops,
                       uint32_t n, FILE *to)
{
    if (n > 0) {
        fprintf(to, "%s:\n", heading);
    }
    for (uint32_t i = 0; i < n && i < LISTED; i++) {
        fputs("  ", to);
        print_op(s, ops[i], to);
        fputc('\n', to);
    }
    if (n > LISTED) {
        fprintf(to, "  and %" PRIu32 " more\n", n - LISTED);
    }
}

static void print_chain(const struct tan_schedule *s, const struct tan_stuck *stuck, FILE *to)
{
    static const char *const reasons[] = {
        [TAN_WAITS_FINISH] = "starts after",
        [TAN_WAITS_START] = "starts with",
        [TAN_WAITS_MESSAGE] = "needs the message of",
        [TAN_WAITS_RECEIVE] = "is to be received by",
        [TAN_WAITS_NOBODY] = "finds no partner",
        [TAN_WAITS_UNKNOWN] = "waits for something too far away to find",
    };
    const size_t n = stuck->n_steps;
    if (n > 0) {
        fputs(stuck->circle ? "These wait for each other in a circle:\n"
                            : "What the first of them waits for:\n",
              to);
    }
    for (size_t i = 0; i < n; i++) {
        if (n > CIRCLE && i == CIRCLE / 2) {
            fprintf(to, "  ... (%zu more)\n", n - CIRCLE);
            i = n - CIRCLE / 2;
        }
        fputs("  ", to);
        print_op(s, stuck->steps[i].op, to);
        fprintf(to, " %s%s\n", reasons[stuck->steps[i].waits_for],
                stuck->circle && i == n - 1 ? " the first" : "");
    }
}

void tan_sim_report_stuck(const struct tan_sim_report *r, FILE *to)
{
    const struct tan_simulation *s = r->simulation;
    print_list(r->schedule, "Messages that are never received", s->unexpected, s->n_unexpected, to);
    print_list(r->schedule, "Receives that get no message", s->unmatched, s->n_unmatched, to);
    print_list(r->schedule, "Operations that never start", s->blocked, s->n_blocked, to);
    print_chain(r->schedule, r->stuck, to);
    tan_doubts_print(r->doubts, TAN_DOUBT, to);
}

struct tan_text tan_sim_stuck_text(const struct tan_simulation *s, const struct tan_stuck *stuck)
{
    const struct {
        uint32_t n;
        const char *one, *many;
    } parts[] = {
        {s->n_unexpected, "message is never received", "messages are never received"},
        {s->n_unmatched, "receive gets no message", "receives get no message"},
        {s->n_blocked, "operation never starts", "operations never start"},
    };
    struct tan_text text =
        tan_printed("%s", stuck->circle ? "the job deadlocks" : "the job never ends");
    const char *before = ": ";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].n > 0) {
            text = tan_printed("%s%s%" PRIu32 " %s", text.text, before, parts[i].n,
                               parts[i].n == 1 ? parts[i].one : parts[i].many);
            before = ", ";
        }
    }
    return text;
}
