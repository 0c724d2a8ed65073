/* trace_growth_report.c - how a traced job has become a larger one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/growth/trace_growth_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/table.h"

enum { LISTED = 24 };

static const char *dimension_text(int dimension)
{
    static const char *const names[] = {"", "first", "second", "third"};
    return names[dimension];
}

static void print_layout(const struct tan_trace_growth *g, FILE *to)
{
    fprintf(to, "\nExtrapolated: %s becomes %s", g->traced, g->larger);
    if (g->dimension > 0) {
        fprintf(to, ": its %s dimension grows", dimension_text(g->dimension));
    }
    fputs(".\n", to);
    if (g->ends > 0) {
        fprintf(to,
                "Ranks at its ends follow those at the ends of the traced one, all others those "
                "between them.\n");
    }
}

static const char *fate_of(const struct tan_trace_larger_comm *c)
{
    static const char *const fates[][2] = {
        {"stays within", "stay within"}, {"grows", "grow"}, {"keeps its size", "keep their size"}};
    return fates[c->copied ? 0 : c->grown > c->ranks ? 1 : 2][c->number > 1];
}

static void print_comms(const struct tan_trace_growth *g, FILE *to)
{
    for (size_t i = 0; i < g->n_comms; i++) {
        const struct tan_trace_larger_comm *c = &g->comm[i];
        fprintf(to, "%" PRIu32 " communicator%s of %" PRIu32 " ranks %s", c->number,
                c->number == 1 ? "" : "s", c->ranks, fate_of(c));
        if (c->copied) {
            fputs(" each copy of the traced ranks", to);
        } else if (c->grown > c->ranks) {
            fprintf(to, " to %" PRIu32, c->grown);
        }
        fputs(".\n", to);
    }
}

static bool is_alike(const struct tan_trace_pattern *a, const struct tan_trace_pattern *b)
{
    return a->ranks == b->ranks && a->tag == b->tag && strcmp(a->rule, b->rule) == 0 &&
           strcmp(a->peers, b->peers) == 0;
}

/* What was said of an earlier one. */
static bool was_listed(const struct tan_trace_growth *g, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (is_alike(&g->pattern[k], &g->pattern[i])) {
            return true;
        }
    }
    return false;
}

static uint64_t messages_like(const struct tan_trace_growth *g, size_t i)
{
    uint64_t messages = 0;
    for (size_t k = i; k < g->n_patterns; k++) {
        messages += is_alike(&g->pattern[k], &g->pattern[i]) ? g->pattern[k].messages : 0;
    }
    return messages;
}

static void print_patterns(const struct tan_trace_growth *g, FILE *to)
{
    static const char *const headings[] = {"<messages with", "of ranks", "<go by", "<peers",
                                           "traced"};
    struct tan_table *table = tan_table_create(headings, 5);
    size_t listed = 0;
    for (size_t i = 0; i < g->n_patterns && listed < LISTED; i++) {
        const struct tan_trace_pattern *p = &g->pattern[i];
        if (was_listed(g, i)) {
            continue;
        }
        tan_table_cell(table, "tag %" PRId64, p->tag);
        tan_table_cell(table, "%" PRIu32, p->ranks);
        tan_table_cell(table, "%s", p->rule);
        tan_table_cell(table, "%s", p->peers);
        tan_table_cell(table, "%" PRIu64, messages_like(g, i));
        listed++;
    }
    if (g->n_patterns > 0) {
        fputc('\n', to);
        tan_table_print(table, to);
    }
    tan_table_destroy(table);
}

void tan_trace_growth_print(const struct tan_trace *t, FILE *to)
{
    print_layout(&t->growth, to);
    print_comms(&t->growth, to);
    print_patterns(&t->growth, to);
}

static void set_pattern(struct tan_json_writer *w, json_t *object,
                        const struct tan_trace_pattern *p)
{
    tan_json_set_int(w, object, "tag", (json_int_t)p->tag);
    tan_json_set_int(w, object, "ranks", p->ranks);
    tan_json_set_int(w, object, "larger_ranks", p->grown);
    tan_json_set_int(w, object, "first_rank", p->first);
    tan_json_set_string(w, object, "rule", p->rule);
    tan_json_set_string(w, object, "peers", p->peers);
    tan_json_set_int(w, object, "messages", (json_int_t)p->messages);
    if (p->others[0] != '\0') {
        tan_json_set_string(w, object, "other_rules", p->others);
    }
}

void tan_trace_growth_set_json(struct tan_json_writer *w, struct json_t *object,
                               const struct tan_trace *t)
{
    const struct tan_trace_growth *g = &t->growth;
    tan_json_set_int(w, object, "copies", t->copies);
    tan_json_set_string(w, object, "traced", g->traced);
    tan_json_set_string(w, object, "larger", g->larger);
    if (g->dimension > 0) {
        tan_json_set_int(w, object, "dimension", g->dimension);
    }
    json_t *comms = tan_json_set_array(w, object, "communicators");
    for (size_t i = 0; i < g->n_comms; i++) {
        json_t *comm = tan_json_append_object(w, comms);
        tan_json_set_int(w, comm, "number", g->comm[i].number);
        tan_json_set_int(w, comm, "ranks", g->comm[i].ranks);
        tan_json_set_int(w, comm, "larger_ranks", g->comm[i].grown);
        tan_json_set_bool(w, comm, "copied", g->comm[i].copied);
    }
    json_t *patterns = tan_json_set_array(w, object, "patterns");
    for (size_t i = 0; i < g->n_patterns; i++) {
        set_pattern(w, tan_json_append_object(w, patterns), &g->pattern[i]);
    }
}
