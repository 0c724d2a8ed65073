/* tree_drawing.c - drawings of trees as SVG elements
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/tree_drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/text.h"
#include "page/chart.h"

enum { WIDTH = 520, MARGIN = 20, BAND = 44, STEP = 64 };

static void begin_svg(const struct tan_drawing *d, int height, FILE *to)
{
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" role=\"img\" "
            "aria-labelledby=\"%s-t %s-d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"15\" fill=\"black\" color=\"black\">\n<title id=\"%s-t\">",
            d->name, d->name, WIDTH, height, d->name);
    tan_text_markup(d->title, SIZE_MAX, to);
    fprintf(to, "</title>\n<desc id=\"%s-d\">", d->name);
    tan_text_markup(d->caption, SIZE_MAX, to);
    fputs("</desc>\n", to);
}

static char *end_svg(FILE *to, char **text)
{
    fputs("</svg>\n", to);
    if (fclose(to) != 0) {
        free(*text);
        return NULL;
    }
    return *text;
}

char *tan_draw_bands(const struct tan_drawing *d, const int64_t *processes, int levels)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    double widest = 1.0;
    if (to == NULL) {
        return NULL;
    }
    for (int i = 0; i < levels; i++) {
        widest = fmax(widest, log2((double)processes[i]) + 1.0);
    }
    begin_svg(d, 2 * MARGIN + levels * STEP, to);
    for (int i = 0; i < levels; i++) {
        const double width = (WIDTH - 2 * MARGIN) * (log2((double)processes[i]) + 1.0) / widest;
        const int y = MARGIN + i * STEP;
        fprintf(to,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"4\" fill=\"#0072b2\" "
                "fill-opacity=\"0.2\" stroke=\"#0072b2\"/>\n"
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%" PRId64 "</text>\n",
                (WIDTH - width) / 2.0, y, width, BAND, WIDTH / 2, y + BAND / 2 + 5, processes[i]);
        if (i + 1 < levels) {
            fprintf(to,
                    "<path d=\"M%d %d v%d\" stroke=\"black\" fill=\"none\"/>\n"
                    "<text x=\"%d\" y=\"%d\" font-size=\"15\">&#215; %.4g</text>\n",
                    WIDTH / 2, y + BAND, STEP - BAND, WIDTH / 2 + 8, y + BAND + 15,
                    (double)processes[i + 1] / (double)processes[i]);
        }
    }
    return end_svg(to, &text);
}

/* Set the depth of each process, 0 for the root; -1 if the parents are not a tree. O(n), because
 * every path up stops at a process whose depth is known. */
static int depths_of(const int32_t *parents, int32_t n, int *depth)
{
    int roots = 0;
    for (int32_t i = 0; i < n; i++) {
        depth[i] = -1;
        roots += parents[i] == -1;
        if (parents[i] < -1 || parents[i] >= n) {
            return -1;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        int links = 0;
        int32_t at = i;
        while (depth[at] < 0 && parents[at] >= 0) {
            at = parents[at];
            if (++links > n) {
                return -1; /* a cycle */
            }
        }
        int deepest = links + (depth[at] < 0 ? 0 : depth[at]);
        for (at = i; at >= 0 && depth[at] < 0; at = parents[at]) {
            depth[at] = deepest--;
        }
    }
    return roots == 1 ? 0 : -1;
}

int tan_levels_of(const int32_t *parents, int32_t n, int64_t *processes, int most)
{
    int levels = 0;
    int *depth = malloc((size_t)n * sizeof *depth);
    if (depth == NULL || depths_of(parents, n, depth) < 0) {
        free(depth);
        return -1;
    }
    for (int i = 0; i < most; i++) {
        processes[i] = 0;
    }
    for (int32_t i = 0; i < n; i++) {
        if (depth[i] >= most) {
            free(depth);
            return -1;
        }
        processes[depth[i]]++;
        levels = depth[i] + 1 > levels ? depth[i] + 1 : levels;
    }
    free(depth);
    return levels;
}

struct layout {
    const int32_t *parents;
    int32_t n;
    int *depth;
    double *x;              /* of each process, from 0 to 1 */
    bool *inner;            /* whether it has children */
    int32_t *order;         /* processes level by level, from the left */
    int32_t leaves, placed; /* number of leaves, and of those with an x */
};

/* Sort processes by level, from the left. O(n^2), for few processes. */
static void sort_by_place(struct layout *l)
{
    for (int32_t i = 0; i < l->n; i++) {
        int32_t at = i;
        for (; at > 0; at--) {
            const int32_t other = l->order[at - 1];
            if (l->depth[other] < l->depth[i] ||
                (l->depth[other] == l->depth[i] && l->x[other] <= l->x[i])) {
                break;
            }
            l->order[at] = other;
        }
        l->order[at] = i;
    }
}

/* Place leaves side by side, and each parent centred above its children. */
static double place_node(struct layout *l, int32_t node)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (int32_t i = 0; i < l->n; i++) {
        if (l->parents[i] == node) {
            const double x = place_node(l, i);
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    l->x[node] = low > high ? (l->placed++ + 0.5) / l->leaves : (low + high) / 2.0;
    return l->x[node];
}

static void draw_link(const struct layout *l, int32_t child, bool critical, FILE *to)
{
    const double across = WIDTH - 2 * MARGIN;
    const int32_t p = l->parents[child];
    fprintf(to, "<path d=\"M%.1f %d L%.1f %d\" stroke=\"%s\" stroke-width=\"%s\" fill=\"none\"/>\n",
            MARGIN + across * l->x[p], MARGIN + l->depth[p] * STEP, MARGIN + across * l->x[child],
            MARGIN + l->depth[child] * STEP, critical ? "#d55e00" : "black",
            critical ? "4" : "0.8");
}

static const char *colour_of(int32_t host)
{
    const int32_t n = TAN_COLOURS;
    return tan_colours[(host % n + n) % n];
}

/* Start an element: a circle, square or triangle, by `number`, to tell apart hosts of the same
 * colour. Returns its name. */
static const char *begin_shape(int32_t number, double x, int y, double r, FILE *to)
{
    if (number % 3 == 1) {
        fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", x - r, y - r,
                2.0 * r, 2.0 * r);
        return "rect";
    }
    if (number % 3 == 2) {
        fprintf(to, "<path d=\"M%.1f %.1f l%.1f %.1f h%.1f z\"", x, y - 1.2 * r, 1.2 * r, 2.2 * r,
                -2.4 * r);
        return "path";
    }
    fprintf(to, "<circle cx=\"%.1f\" cy=\"%d\" r=\"%.1f\"", x, y, r);
    return "circle";
}

enum { READABLE = 7 }; /* minimum radius for a number to fit inside */

/* Write a number for each run of processes on one host: below the middle of the run, or beside it
 * if links go down from there. Left out where it would cover the one before. */
static void draw_hosts(const struct layout *l, const int32_t *host, double radius, FILE *to)
{
    enum { DIGIT = 8, HIGH = 13 }; /* width and height of a digit */
    const int32_t *order = l->order;
    const double across = WIDTH - 2 * MARGIN;
    double taken = -INFINITY; /* right end of the numbers on this level */
    for (int32_t i = 0; i < l->n;) {
        const int depth = l->depth[order[i]];
        const double before = i == 0 || l->depth[order[i - 1]] != depth ? -INFINITY : taken;
        int32_t last = i;
        bool inner = l->inner[order[i]];
        while (last + 1 < l->n && l->depth[order[last + 1]] == depth &&
               host[order[last + 1]] == host[order[i]]) {
            inner |= l->inner[order[++last]];
        }
        char number[16];
        const double width = DIGIT * snprintf(number, sizeof number, "%" PRId32, host[order[i]]);
        const double at = MARGIN + across * (l->x[order[i]] + l->x[order[last]]) / 2.0;
        const double from = inner ? at + radius + 3.0 : at - width / 2.0;
        const int y = MARGIN + depth * STEP;
        taken = before;
        if (from >= before) {
            fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"13\">%s</text>\n", from,
                    inner ? y - 2.0 : y + radius + HIGH, number);
            taken = from + width + 2.0;
        }
        i = last + 1;
    }
}

static void draw_node(const struct layout *l, int32_t i, const struct tan_tree_marks *marks,
                      double radius, FILE *to)
{
    const double x = MARGIN + (WIDTH - 2 * MARGIN) * l->x[i];
    const int y = MARGIN + l->depth[i] * STEP;
    const char *own = l->parents[i] < 0 ? "#d55e00" : "#0072b2";
    const char *shape =
        begin_shape(marks->host != NULL ? marks->host[i] / TAN_COLOURS : 0, x, y, radius, to);
    fprintf(to, " fill=\"%s\" stroke=\"black\" stroke-width=\"0.5\"><title>%" PRId32,
            marks->host != NULL ? colour_of(marks->host[i]) : own, i);
    if (marks->host != NULL) {
        fprintf(to, " on host %" PRId32, marks->host[i]);
    }
    fprintf(to, "</title></%s>\n", shape);
    if (marks->host != NULL && radius >= READABLE) {
        fprintf(to,
                "<text x=\"%.1f\" y=\"%d\" font-size=\"10\" text-anchor=\"middle\" "
                "fill=\"#ffffff\">%" PRId32 "</text>\n",
                x, y + 4, marks->host[i]);
    }
}

/* Bold links are drawn last, above the others. */
static void draw_tree(const struct layout *l, const struct tan_tree_marks *marks, FILE *to)
{
    const double across = WIDTH - 2 * MARGIN;
    const double radius = fmax(2.0, fmin(8.0, across / l->leaves / 2.5));
    for (int bold = 0; bold < 2; bold++) {
        for (int32_t i = 0; i < l->n; i++) {
            const bool critical = marks->critical != NULL && marks->critical[i];
            if (l->parents[i] >= 0 && critical == (bold == 1)) {
                draw_link(l, i, critical, to);
            }
        }
    }
    for (int32_t i = 0; i < l->n; i++) {
        draw_node(l, i, marks, radius, to);
    }
    if (marks->host != NULL && radius < READABLE) {
        draw_hosts(l, marks->host, radius, to);
    }
}

char *tan_draw_nodes(const struct tan_drawing *d, const int32_t *parents, int32_t n,
                     const struct tan_tree_marks *marks)
{
    char *text = NULL;
    size_t length;
    int32_t root = -1;
    struct layout l = {.parents = parents, .n = n};
    l.depth = calloc((size_t)n, sizeof *l.depth);
    l.x = calloc((size_t)n, sizeof *l.x);
    l.inner = calloc((size_t)n, sizeof *l.inner);
    l.order = calloc((size_t)n, sizeof *l.order);
    if (l.depth != NULL && l.x != NULL && l.inner != NULL && l.order != NULL &&
        depths_of(parents, n, l.depth) == 0) {
        int levels = 0;
        for (int32_t i = 0; i < n; i++) {
            bool leaf = true;
            for (int32_t k = 0; k < n && leaf; k++) {
                leaf = parents[k] != i;
            }
            l.leaves += leaf;
            l.inner[i] = !leaf;
            root = parents[i] < 0 ? i : root;
            levels = l.depth[i] > levels ? l.depth[i] : levels;
        }
        place_node(&l, root);
        sort_by_place(&l);
        FILE *to = open_memstream(&text, &length);
        if (to != NULL) {
            begin_svg(d, 2 * MARGIN + levels * STEP, to);
            draw_tree(&l, marks, to);
            text = end_svg(to, &text);
        }
    }
    free(l.depth);
    free(l.x);
    free(l.inner);
    free(l.order);
    return text;
}
