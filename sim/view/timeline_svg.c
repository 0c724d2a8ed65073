/* timeline_svg.c - timeline as an SVG picture
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sim/schedule/op_text.h"
#include "sim/schedule/times.h"
#include "sim/view/timeline_internal.h"

/* Pixels. */
enum {
    PLOT_WIDTH = 1200,
    PLOT_LEFT = 124, /* left edge of the plot, after the names of ranks */
    PLOT_RIGHT = 28, /* margin */
    PLOT_TOP = 116,  /* top of the first lane */
    BOTTOM = 36,     /* below the last lane */
    NIC_HEIGHT = 3,  /* height of a NIC's bar */
};

enum { LANE_NUMBERS = 256 }; /* maximum number of CPUs and NICs of a rank */

struct lane {
    uint32_t rank;
    int top, height, n_cpus;
    int cpu_top[LANE_NUMBERS], nic_top[LANE_NUMBERS]; /* 0: unused */
};

struct lanes {
    uint32_t n;
    struct lane *lanes; /* owned, from top to bottom */
    uint64_t span;      /* picoseconds from left to right, > 0 */
    int bar;            /* height of a CPU's bar */
    int bottom;         /* of the last lane */
};

enum { MANY_LANES = 24 }; /* number of lanes from which they are narrower */

/* Choice of ranks */

/* Ranks to be drawn, and the number of their operations in all. */
struct selection {
    uint32_t ranks[TAN_SVG_RANKS];
    uint32_t n;
    uint64_t ops;
};

static bool is_selected(const struct selection *sel, uint32_t rank)
{
    for (uint32_t i = 0; i < sel->n; i++) {
        if (sel->ranks[i] == rank) {
            return true;
        }
    }
    return false;
}

/* Add a rank; false if it has too many operations. */
static bool add_rank(struct selection *sel, const struct tan_schedule *s, uint32_t rank)
{
    if (sel->ops + s->rank_ops[rank] > TAN_SVG_OPS) {
        return false;
    }
    sel->ops += s->rank_ops[rank];
    sel->ranks[sel->n++] = rank;
    return true;
}

static int too_many_ops(const struct tan_schedule *s, uint32_t rank, struct tan_error *e)
{
    return tan_fail(e,
                    "a picture shows at most %d operations, too few for rank %" PRIu32
                    " with its %" PRIu32 ": write a Chrome trace, which has no limit",
                    (int)TAN_SVG_OPS, rank, s->rank_ops[rank]);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int select_ranks(const struct tan_timeline *t, struct selection *sel, struct tan_error *e)
{
    const struct tan_schedule *s = t->schedule;
    *sel = (struct selection){.n = 0};
    /* the path comes first, since a picture without it would be misleading */
    const size_t steps = t->critical == NULL ? 0 : t->critical->n_steps;
    for (size_t i = steps; i > 0 && sel->n < TAN_SVG_RANKS; i--) {
        const uint32_t rank = tan_schedule_op_rank(s, t->critical->steps[i - 1].op);
        if (!is_selected(sel, rank) && !add_rank(sel, s, rank)) {
            return too_many_ops(s, rank, e);
        }
    }
    for (uint32_t rank = 0; rank < s->ranks && sel->n < TAN_SVG_RANKS; rank++) {
        if (!is_selected(sel, rank) && !add_rank(sel, s, rank) && sel->n == 0) {
            return too_many_ops(s, rank, e);
        }
    }
    qsort(sel->ranks, sel->n, sizeof *sel->ranks, by_number);
    return 0;
}

/* Layout */

/* Stack the CPUs, and below them the NICs: sending, receiving. */
static int lay_out(const struct tan_timeline *t, struct lanes *lanes, struct lane *lane, int top)
{
    const struct tan_schedule *s = t->schedule;
    const int padding = lanes->n < MANY_LANES ? 6 : 3;
    bool cpus[LANE_NUMBERS] = {[0] = true}, nics[LANE_NUMBERS] = {[0] = true};
    for (uint32_t i = 0; i < s->rank_ops[lane->rank]; i++) {
        const uint32_t op = s->first_op[lane->rank] + i;
        const struct tan_op_spec spec = tan_schedule_spec(s, op);
        struct tan_span spans[TAN_SPANS];
        const int n = tan_op_spans(s, t->params, t->simulation->history, op, spans);
        for (int k = 0; k < n; k++) {
            if (spans[k].where == TAN_SPAN_CPU && spans[k].to > lanes->span) {
                lanes->span = spans[k].to;
            }
        }
        cpus[spec.cpu] = true;
        nics[spec.nic] |= spec.kind != TAN_OP_CALC;
    }
    lane->top = top;
    top += padding;
    for (int i = 0; i < LANE_NUMBERS; i++) {
        if (cpus[i]) {
            lane->cpu_top[i] = top;
            lane->n_cpus++;
            top += lanes->bar + 2;
        }
    }
    for (int i = 0; i < LANE_NUMBERS; i++) {
        if (nics[i]) {
            lane->nic_top[i] = top;
            top += 2 * NIC_HEIGHT + 1;
        }
    }
    lane->height = top + padding - lane->top;
    return lane->top + lane->height;
}

/* Choose the ranks and lay them out as described for tan_timeline_svg. */
static int lanes_make(const struct tan_timeline *t, struct lanes *out, struct tan_error *e)
{
    struct selection sel;
    if (t->schedule->cpus >= LANE_NUMBERS) {
        return tan_fail(e,
                        "a picture shows CPUs 0 to %d, and there is a CPU %u: write a Chrome "
                        "trace, which has no limit",
                        LANE_NUMBERS - 1, t->schedule->cpus);
    }
    *out = (struct lanes){.span = t->simulation->finish, .bottom = PLOT_TOP};
    if (select_ranks(t, &sel, e) != 0) {
        return -1;
    }
    if ((out->lanes = calloc(sel.n, sizeof *out->lanes)) == NULL) {
        return tan_fail_nomem(e);
    }
    out->n = sel.n;
    out->bar = sel.n < MANY_LANES ? 14 : 9;
    for (uint32_t i = 0; i < sel.n; i++) {
        out->lanes[i].rank = sel.ranks[i];
        out->bottom = lay_out(t, out, &out->lanes[i], out->bottom);
    }
    out->span += out->span == 0;
    return 0;
}

static void lanes_clear(struct lanes *lanes)
{
    free(lanes->lanes);
    *lanes = (struct lanes){0};
}

/* The lane of a rank; NULL if it is not drawn. */
static const struct lane *lanes_find(const struct lanes *lanes, uint32_t rank)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        if (lanes->lanes[i].rank == rank) {
            return &lanes->lanes[i];
        }
    }
    return NULL;
}

/* Horizontal position of a time; times after the end are at the right margin. */
static double lanes_x(const struct lanes *lanes, uint64_t ps)
{
    const uint64_t time = ps < lanes->span ? ps : lanes->span;
    return PLOT_LEFT + (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT) * ((double)time / (double)lanes->span);
}

struct picture {
    const struct tan_timeline *t;
    FILE *to;
    struct lanes lanes;
    uint8_t *critical; /* one bit per operation */
};

static void write_style(const struct picture *p)
{
    static const struct theme {
        const char *before, *page, *text, *quiet, *grid, *stripe, *send, *receive, *calc, *gap,
            *message, *critical, *after;
    } themes[] = {
        {"", "#ffffff", "#1f2328", "#626b78", "#e3e6ea", "#f6f7f9", "#3f7fd9", "#2f9e78", "#e3a72c",
         "#b4bcc8", "#8d97a5", "#d6266b", ""},
        {"@media (prefers-color-scheme: dark) {\n", "#14171c", "#e7e9ec", "#9aa4b2", "#2b3038",
         "#1a1e24", "#5c9cf0", "#43b98f", "#dcaa45", "#56606f", "#788392", "#ff5f98", "}\n"},
    };
    /* restricted to this picture, which may be part of a page */
    fputs("<style>\n"
          ".timeline text { font-family: system-ui, 'Helvetica Neue', Arial, sans-serif; "
          "font-size: 12px; }\n"
          ".timeline .title { font-size: 18px; font-weight: 600; } "
          ".timeline .small { font-size: 9px; }\n"
          ".timeline .end { text-anchor: end; } .timeline .middle { text-anchor: middle; }\n"
          ".timeline .m, .timeline .mk, .timeline .w { fill: none; } "
          ".timeline .m { stroke-opacity: 0.75; } .timeline .mk { stroke-width: 1.75; }\n"
          ".timeline .w { stroke-dasharray: 4 3; }\n"
          ".timeline .k { stroke-width: 1.5; }\n",
          p->to);
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++) {
        const struct theme *c = &themes[i];
        fprintf(p->to,
                "%s.timeline .page { fill: %s; } .timeline text { fill: %s; } "
                ".timeline .quiet { fill: %s; }\n"
                ".timeline .grid { stroke: %s; } .timeline .stripe { fill: %s; }\n"
                ".timeline .s { fill: %s; } .timeline .r { fill: %s; } .timeline .c { fill: %s; } "
                ".timeline .g { fill: %s; }\n"
                ".timeline .m, .timeline .w { stroke: %s; } .timeline .head { fill: %s; }\n"
                ".timeline .k, .timeline .mk { stroke: %s; } .timeline .headk { fill: %s; }\n%s",
                c->before, c->page, c->text, c->quiet, c->grid, c->stripe, c->send, c->receive,
                c->calc, c->gap, c->message, c->message, c->critical, c->critical, c->after);
    }
    fputs("</style>\n<defs>\n", p->to);
    for (int critical = 0; critical < 2; critical++) {
        fprintf(p->to,
                "<marker id=\"head%s\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
                "markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" "
                "orient=\"auto\"><path class=\"head%s\" d=\"M0 0.8 8 4 0 7.2z\"/></marker>\n",
                critical ? "k" : "", critical ? "k" : "");
    }
    fputs("</defs>\n", p->to);
}

static void draw_header(const struct picture *p)
{
    const struct tan_timeline *t = p->t;
    const struct tan_schedule *s = t->schedule;
    char finish[TAN_TIME_TEXT];
    fprintf(p->to, "<text class=\"title\" x=\"16\" y=\"32\">");
    tan_text_markup(t->title, 110, p->to);
    fprintf(p->to, "</text>\n<text class=\"quiet\" x=\"16\" y=\"52\">%s %s",
            t->simulation->n_blocked + t->simulation->n_unmatched + t->simulation->n_unfinished > 0
                ? "never finishes; the last thing happens at"
                : "finishes after",
            tan_format_ps(t->simulation->finish, finish));
    if (p->lanes.n < s->ranks) {
        fprintf(p->to, "; %" PRIu32 " of %" PRIu32 " ranks shown", p->lanes.n, s->ranks);
        fputs(t->critical != NULL ? ", first those of the critical path" : "", p->to);
    }
    fputs("</text>\n", p->to);

    static const struct entry {
        const char *name;
        const char *class; /* "m": a line */
        int height;
        bool critical, waiting; /* only with a critical path; only if receives wait forever */
    } entries[] = {
        {"send", "s", 10, false, false},
        {"receive", "r", 10, false, false},
        {"calculation", "c", 10, false, false},
        {"NIC busy (out, in)", "g", NIC_HEIGHT, false, false},
        {"message", "m", 0, false, false},
        {"critical path", "mk", 0, true, false},
        {"waits for ever", "w", 10, false, true},
    };
    double x = 16;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct entry *n = &entries[i];
        if ((n->critical && t->critical == NULL) ||
            (n->waiting && t->simulation->n_unmatched == 0)) {
            continue;
        }
        if (n->height > 0) {
            fprintf(
                p->to,
                "<rect class=\"%s\" x=\"%.0f\" y=\"%.1f\" width=\"20\" height=\"%d\" rx=\"1.5\"/>",
                n->class, x, 72 - n->height / 2.0, n->height);
        } else {
            fprintf(p->to, "<path class=\"%s\" marker-end=\"url(#head%s)\" d=\"M%.0f 72h20\"/>",
                    n->class, n->critical ? "k" : "", x);
        }
        fprintf(p->to, "<text x=\"%.0f\" y=\"76\">%s</text>\n", x + 27, n->name);
        x += 27 + 6.4 * (double)strlen(n->name) + 22;
    }
}

/* Vertical lines at round times, at most a dozen. */
static void draw_axis(const struct picture *p)
{
    static const uint64_t factors[] = {2, 5, 10};
    const struct tan_time_unit *unit = tan_time_unit(p->lanes.span);
    uint64_t step = 1, power = 1;
    for (int i = 0; p->lanes.span / step > 12; i = (i + 1) % 3) {
        step = power * factors[i];
        power = i == 2 ? step : power;
    }
    fprintf(p->to, "<text class=\"quiet end\" x=\"%d\" y=\"%d\">%s</text>\n", PLOT_LEFT - 20,
            PLOT_TOP - 10, unit->name);
    for (uint64_t time = 0; time <= p->lanes.span; time += step) {
        const double x = lanes_x(&p->lanes, time);
        fprintf(p->to, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, PLOT_TOP - 5,
                p->lanes.bottom + 5);
        for (int end = 0; end < 2; end++) {
            fprintf(p->to, "<text class=\"quiet middle\" x=\"%.1f\" y=\"%d\">%g</text>", x,
                    end == 0 ? PLOT_TOP - 10 : p->lanes.bottom + 19,
                    (double)time / (double)unit->ps);
        }
        fputc('\n', p->to);
    }
}

static void lane_names(const struct picture *p)
{
    for (uint32_t i = 0; i < p->lanes.n; i++) {
        const struct lane *lane = &p->lanes.lanes[i];
        if (i % 2 == 0) {
            fprintf(p->to, "<rect class=\"stripe\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                    lane->top, PLOT_WIDTH, lane->height);
        }
    }
    for (uint32_t i = 0; i < p->lanes.n; i++) {
        const struct lane *lane = &p->lanes.lanes[i];
        const bool several = lane->n_cpus > 1;
        fprintf(p->to, "<text class=\"end\" x=\"%d\" y=\"%.1f\">rank %" PRIu32 "</text>\n",
                PLOT_LEFT - (several ? 44 : 12), lane->top + lane->height / 2.0 + 4, lane->rank);
        for (int cpu = 0; several && cpu < LANE_NUMBERS; cpu++) {
            if (lane->cpu_top[cpu] > 0) {
                fprintf(p->to,
                        "<text class=\"quiet small end\" x=\"%d\" y=\"%.1f\">cpu %d</text>\n",
                        PLOT_LEFT - 8, lane->cpu_top[cpu] + p->lanes.bar / 2.0 + 3, cpu);
            }
        }
    }
}

/* Events */

/* A bar with its description as tooltip. */
static void draw_bar(const struct picture *p, const char *class, uint32_t op, double y, int height,
                     uint64_t from, uint64_t to)
{
    const struct tan_time_unit *unit = tan_time_unit(p->lanes.span);
    const double x = lanes_x(&p->lanes, from), width = lanes_x(&p->lanes, to) - x;
    char text[TAN_OP_TEXT];
    fprintf(p->to,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\"><title>%s, %.6g "
            "to %.6g %s",
            class, x, y, width > 0.8 ? width : 0.8, height, tan_op_text(p->t->schedule, op, text),
            (double)from / (double)unit->ps, (double)to / (double)unit->ps, unit->name);
    if (p->t->schedule->lines != NULL && p->t->schedule->lines[op] > 0) {
        fprintf(p->to, ", line %" PRIu32, p->t->schedule->lines[op]);
    }
    fputs("</title></rect>\n", p->to);
}

/* The bars of a rank; those on the critical path last, on top of the others. */
static void draw_lane(const struct picture *p, const struct lane *lane, bool critical)
{
    static const char *const classes[][2] = {
        [TAN_OP_SEND] = {"s", "s k"}, [TAN_OP_RECV] = {"r", "r k"}, [TAN_OP_CALC] = {"c", "c k"}};
    const struct tan_schedule *s = p->t->schedule;
    for (uint32_t i = 0; i < s->rank_ops[lane->rank]; i++) {
        const uint32_t op = s->first_op[lane->rank] + i;
        if (tan_bit(p->critical, op) != critical) {
            continue;
        }
        const struct tan_op_spec spec = tan_schedule_spec(s, op);
        struct tan_span spans[TAN_SPANS];
        const int n = tan_op_spans(s, p->t->params, p->t->simulation->history, op, spans);
        for (int k = 0; k < n; k++) {
            const uint64_t to = spans[k].to < p->lanes.span ? spans[k].to : p->lanes.span;
            if (spans[k].where == TAN_SPAN_CPU) {
                draw_bar(p, classes[spec.kind][critical], op, lane->cpu_top[spec.cpu], p->lanes.bar,
                         spans[k].from, to);
            } else if (spans[k].from < to) {
                const int in = spans[k].where == TAN_SPAN_NIC_IN;
                /* data that arrive without involving the receiver's CPU */
                const bool data = in && spans[k].from != p->t->simulation->history[op].start;
                draw_bar(p, data && critical ? "g k" : "g", op,
                         lane->nic_top[spec.nic] + in * (NIC_HEIGHT + 0.5), NIC_HEIGHT,
                         spans[k].from, to);
            }
        }
    }
}

/* Messages from a lane's rank to drawn lanes. */
static void draw_messages(const struct picture *p, const struct lane *lane, bool critical)
{
    const struct tan_schedule *s = p->t->schedule;
    const struct tan_history *history = p->t->simulation->history;
    for (uint32_t i = 0; i < s->rank_ops[lane->rank]; i++) {
        const uint32_t op = s->first_op[lane->rank] + i, receive = history[op].match;
        if (tan_op_kind(&s->ops[op]) != TAN_OP_SEND || receive == TAN_OP_NONE ||
            history[op].wire == TAN_NEVER || history[receive].wire == TAN_NEVER ||
            tan_timeline_critical_message(p->t, p->critical, op) != critical) {
            continue;
        }
        const struct lane *to = lanes_find(&p->lanes, tan_schedule_op_rank(s, receive));
        if (to == NULL) {
            continue;
        }
        const int from_top = lane->cpu_top[tan_schedule_spec(s, op).cpu];
        const int to_top = to->cpu_top[tan_schedule_spec(s, receive).cpu];
        fprintf(p->to, "<path class=\"%s\" marker-end=\"url(#head%s)\" d=\"M%.2f %dL%.2f %d\"/>\n",
                critical ? "mk" : "m", critical ? "k" : "", lanes_x(&p->lanes, history[op].wire),
                from_top + (to_top > from_top ? p->lanes.bar : 0),
                lanes_x(&p->lanes, history[receive].wire),
                to_top + (to_top > from_top ? 0 : p->lanes.bar));
    }
}

/* Receives that were posted but never matched. */
static void draw_unmatched(const struct picture *p)
{
    const struct tan_simulation *r = p->t->simulation;
    for (uint32_t i = 0; i < r->n_unmatched; i++) {
        const uint32_t op = r->unmatched[i];
        const struct lane *lane = lanes_find(&p->lanes, tan_schedule_op_rank(p->t->schedule, op));
        if (lane != NULL) {
            draw_bar(p, "w", op, lane->cpu_top[tan_schedule_spec(p->t->schedule, op).cpu] + 0.5,
                     p->lanes.bar - 1, r->history[op].ready, p->lanes.span);
        }
    }
}

static void draw_picture(const struct picture *p)
{
    const int height = p->lanes.bottom + BOTTOM;
    fprintf(p->to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" role=\"img\" "
            "aria-labelledby=\"timeline-t timeline-d\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\">\n<title id=\"timeline-t\">Timeline of ",
            PLOT_WIDTH, height, PLOT_WIDTH, height);
    tan_text_markup(p->t->title, SIZE_MAX, p->to);
    fputs("</title>\n<desc id=\"timeline-d\">A lane for each rank with what its CPUs and NICs do, "
          "messages between them, and the critical path.</desc>\n",
          p->to);
    write_style(p);
    fprintf(p->to, "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", PLOT_WIDTH, height);
    draw_header(p);
    lane_names(p);
    draw_axis(p);
    for (int critical = 0; critical < 2; critical++) {
        for (uint32_t i = 0; i < p->lanes.n; i++) {
            draw_lane(p, &p->lanes.lanes[i], critical == 1);
        }
        for (uint32_t i = 0; i < p->lanes.n; i++) {
            draw_messages(p, &p->lanes.lanes[i], critical == 1);
        }
    }
    draw_unmatched(p);
    fputs("</svg>\n", p->to);
}

int tan_timeline_svg(const struct tan_timeline *t, FILE *to, struct tan_error *e)
{
    struct picture p = {.t = t, .to = to};
    int result = -1;
    if (tan_timeline_check(t, e) != 0 || lanes_make(t, &p.lanes, e) != 0) {
        goto out;
    }
    if ((p.critical = tan_timeline_critical(t)) == NULL) {
        tan_fail_nomem(e);
        goto out;
    }
    draw_picture(&p);
    result = 0;
out:
    lanes_clear(&p.lanes);
    free(p.critical);
    return result;
}
