/* response_report.c - finish time as a function of a cost of messages, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/response.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/reply.h"
#include "base/table.h"
#include "base/text.h"
#include "sim/schedule/times.h"

static struct tan_text time_text(double ps)
{
    return tan_ps_text((uint64_t)llround(ps));
}

/* A value of a cost, or what is added to it: "1.5 us", "0.1 ns/B". */
static struct tan_text cost_text(enum tan_cost cost, double value)
{
    return cost == TAN_COST_G ? tan_printed("%.6g ns/B", value / 1e3) : time_text(value);
}

/* The greatest T in the range, as a multiple of T at its start, less 1. */
static double growth(const struct tan_response *r)
{
    double most = r->start;
    for (size_t i = 0; i < r->n_pieces; i++) {
        most = fmax(most, r->pieces[i].finish_to);
    }
    return most > r->start ? most / r->start - 1.0 : 0.0;
}

/* "The run is first 1 % longer when L grows by 1.5 us, 2 % by 3 us." It may be shorter beyond. */
static void print_tolerances(const void *response, FILE *to)
{
    const struct tan_response *r = response;
    const char letter = tan_costs[r->cost].letter;
    const struct tan_text to_end = cost_text(r->cost, r->to);
    int n = 0;
    for (; n < TAN_TOLERANCES && !isnan(r->tolerance[n].added); n++) {
        const struct tan_tolerance *t = &r->tolerance[n];
        const char *about = t->most > t->least ? "about " : "";
        if (n == 0) {
            fprintf(to, "The run is first %g %% longer when %c grows by %s%s", 100.0 * t->share,
                    letter, about, cost_text(r->cost, t->added).text);
        } else {
            fprintf(to, ", %g %% by %s%s", 100.0 * t->share, about,
                    cost_text(r->cost, t->added).text);
        }
    }
    if (n == TAN_TOLERANCES) {
        fputs(".\n", to);
    } else if (n > 0) {
        fprintf(to, "; up to %s it stays below %g %%.\n", to_end.text,
                100.0 * r->tolerance[n].share);
    } else if (growth(r) > 0.0) {
        fprintf(to, "The run gets %s%.2g %% longer when %c grows by %s.\n",
                r->exact < 1.0 ? "about " : "", 100.0 * growth(r), letter, to_end.text);
    } else {
        fprintf(to, "The run gets no longer when %c grows by %s.\n", letter, to_end.text);
    }
}

static uint64_t weight_of(const struct tan_response *r, const struct tan_path_weights *weights)
{
    return r->cost == TAN_COST_L ? weights->L : r->cost == TAN_COST_o ? weights->o : weights->G;
}

/* "63 latencies": of the critical path with nothing added. */
static struct tan_text weight_text(const struct tan_response *r)
{
    static const char *const what[TAN_COSTS][2] = {[TAN_COST_L] = {"latency", "latencies"},
                                                   [TAN_COST_o] = {"overhead", "overheads"},
                                                   [TAN_COST_G] = {"byte", "bytes"}};
    const uint64_t weight = weight_of(r, &r->pieces[0].weights);
    return tan_printed("%" PRIu64 " %s", weight, what[r->cost][weight != 1]);
}

static void print_weights(const void *response, FILE *to)
{
    const struct tan_response *r = response;
    const uint64_t first = weight_of(r, &r->pieces[0].weights);
    const uint64_t last = weight_of(r, &r->pieces[r->n_pieces - 1].weights);
    fprintf(to, "Its critical path has %s", weight_text(r).text);
    if (first != last) {
        fprintf(to, " at first, and %" PRIu64 " at the end of this range", last);
    }
    fputs(".\n", to);
}

static void print_exactness(const void *response, FILE *to)
{
    const struct tan_response *r = response;
    fputs("Exact", to);
    if (r->exact < 1.0) {
        fprintf(to, " in %.3g %% of the range", 100.0 * r->exact);
    } else if (r->rounded > 0.0) {
        fprintf(to, " to within %s, since the costs of bytes are rounded",
                time_text(r->rounded).text);
    }
    if (!r->fixed && r->exact > 0.0) {
        fputs(", unless an operation overtakes another one and falls back between two simulations",
              to);
    }
    if (r->exact < 1.0 && r->falls) {
        fputs("; elsewhere straight lines between simulated times, without a bound, since more "
              "can make the run shorter",
              to);
    } else if (r->exact < 1.0) {
        fprintf(to,
                "; elsewhere straight lines between simulated times, off by at most %s if more "
                "never makes the run shorter",
                time_text(r->off).text);
    }
    fprintf(to, " (%zu simulations).\n", r->simulations);
}

static void piece_row(struct tan_table *table, const struct tan_response *r,
                      const struct tan_response_piece *piece)
{
    tan_table_cell(table, "+%s", cost_text(r->cost, piece->from).text);
    tan_table_cell(table, "%s", time_text(piece->finish_from).text);
    if (piece->jump) {
        tan_table_cell(table, "jump");
        tan_table_end_row(table);
        return;
    }
    tan_table_cell(table, "%" PRIu64, piece->weights.L);
    tan_table_cell(table, "%" PRIu64, piece->weights.o);
    tan_table_cell(table, "%" PRIu64, piece->weights.G);
    tan_table_cell(table, "%s", piece->exact ? "" : "estimated");
}

static void print_pieces(const struct tan_response *r, FILE *to)
{
    enum { LISTED = 16 };
    const struct tan_text heading = tan_printed("<%c", tan_costs[r->cost].letter);
    const char *const headings[] = {heading.text, "<finish", "latencies",
                                    "overheads",  "bytes",   "<"};
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < r->n_pieces; i++) {
        if (r->n_pieces > LISTED && i == LISTED / 2) {
            i = r->n_pieces - LISTED / 2;
            tan_table_cell(table, "... (%zu more)", i - LISTED / 2);
            tan_table_end_row(table);
        }
        piece_row(table, r, &r->pieces[i]);
    }
    tan_table_cell(table, "+%s", cost_text(r->cost, r->to).text);
    tan_table_cell(table, "%s", time_text(r->pieces[r->n_pieces - 1].finish_to).text);
    tan_table_end_row(table);
    tan_table_hide_empty(table);
    tan_table_print(table, to);
}

void tan_response_print(const struct tan_response *r, FILE *to)
{
    tan_text_wrap_printed(to, print_tolerances, r);
    if (r->n_pieces == 0) {
        return;
    }
    tan_text_wrap_printed(to, print_weights, r);
    fputc('\n', to);
    print_pieces(r, to);
    fputc('\n', to);
    tan_text_wrap_printed(to, print_exactness, r);
}

static void set_ns(struct tan_json_writer *w, json_t *object, const char *key, double ps)
{
    tan_json_set_real(w, object, key, ps / 1e3);
}

static void append_piece(struct tan_json_writer *w, json_t *array,
                         const struct tan_response_piece *piece)
{
    json_t *object = tan_json_append_object(w, array);
    set_ns(w, object, "from_ns", piece->from);
    set_ns(w, object, "to_ns", piece->to);
    set_ns(w, object, "finish_from_ns", piece->finish_from);
    set_ns(w, object, "finish_to_ns", piece->finish_to);
    tan_json_set_int(w, object, "latencies", (json_int_t)piece->weights.L);
    tan_json_set_int(w, object, "overheads", (json_int_t)piece->weights.o);
    tan_json_set_int(w, object, "bytes", (json_int_t)piece->weights.G);
    tan_json_set_bool(w, object, "exact", piece->exact);
    tan_json_set_bool(w, object, "jump", piece->jump);
}

void tan_response_json(struct tan_json_writer *w, json_t *object, const struct tan_response *r)
{
    tan_json_set(w, object, "cost", json_stringn(&tan_costs[r->cost].letter, 1));
    set_ns(w, object, "to_ns", r->to);
    json_t *tolerances = tan_json_set_array(w, object, "tolerances");
    for (int i = 0; i < TAN_TOLERANCES && !isnan(r->tolerance[i].added); i++) {
        json_t *tolerance = tan_json_append_object(w, tolerances);
        tan_json_set_real(w, tolerance, "share", r->tolerance[i].share);
        set_ns(w, tolerance, "added_ns", r->tolerance[i].added);
        set_ns(w, tolerance, "least_ns", r->tolerance[i].least);
        set_ns(w, tolerance, "most_ns", r->tolerance[i].most);
    }
    json_t *pieces = tan_json_set_array(w, object, "pieces");
    for (size_t i = 0; i < r->n_pieces && !w->failed; i++) {
        append_piece(w, pieces, &r->pieces[i]);
    }
    tan_json_set_int(w, object, "simulations", (json_int_t)r->simulations);
    tan_json_set_real(w, object, "exact_share", r->exact);
    tan_json_set_bool(w, object, "fixed_order", r->fixed);
    set_ns(w, object, "rounded_ns", r->rounded);
    tan_json_set_bool(w, object, "falls", r->falls);
    if (r->exact < 1.0 && !r->falls) {
        set_ns(w, object, "off_ns", r->off);
    }
}

static void set_row(struct tan_json_writer *w, json_t *row, const struct tan_response *r)
{
    tan_json_set(w, row, "cost", json_stringn(&tan_costs[r->cost].letter, 1));
    for (int i = 0; i < TAN_TOLERANCES; i++) {
        const double added = r->tolerance[i].added;
        const double most = isnan(added) ? r->to : added;
        const struct tan_text value = r->cost == TAN_COST_G ? tan_printed("%.4g ns/B", most / 1e3)
                                                            : tan_time_text(most / 1e12);
        tan_json_set_string(w, row, tan_printed("%d", i).text,
                            tan_printed("%s%s", isnan(added) ? "over " : "+", value.text).text);
    }
    if (r->n_pieces > 0) {
        tan_json_set_string(w, row, "path", weight_text(r).text);
    }
}

void tan_response_say(struct tan_json_writer *w, json_t *answer, const struct tan_response *r)
{
    set_row(w, tan_json_append_object(w, json_object_get(answer, "rows")), r);
    if (r->n_pieces > 0 && r->exact < 1.0) {
        tan_reply_say_printed(w, answer, TAN_PART_SURE, print_exactness, r);
    }
}
