/* matching.c - maximum-weight perfect matching of rows and columns
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/matching.h"

#include <stdbool.h>

/* Rows and columns are 1-based. Potentials of a row and a column sum to at least their weight, with
 * equality if they are matched. */
struct matching {
    const int64_t *weight;
    int32_t n;
    int64_t row[TAN_MATCH_MOST + 1], column[TAN_MATCH_MOST + 1]; /* potentials */
    int32_t matched[TAN_MATCH_MOST + 1]; /* row matched to a column; 0 if none */
};

static int64_t slack_of(const struct matching *m, int32_t row, int32_t column)
{
    return m->row[row] + m->column[column] - m->weight[(row - 1) * m->n + column - 1];
}

/* Match one more row: grow an alternating tree of columns by slack until it reaches a free one,
 * then flip the matching along the path. */
static void match_row(struct matching *m, int32_t row)
{
    int64_t lacks[TAN_MATCH_MOST + 1] = {0}; /* of a column: its least slack to a row of the tree */
    /* predecessor on the path from column 0, which stands for the new row */
    int32_t from[TAN_MATCH_MOST + 1] = {0};
    bool grown[TAN_MATCH_MOST + 1] = {false};
    int32_t at = 0;
    m->matched[0] = row;
    for (int32_t c = 1; c <= m->n; c++) {
        lacks[c] = INT64_MAX;
    }
    do {
        int32_t next = 0;
        grown[at] = true;
        for (int32_t c = 1; c <= m->n; c++) {
            if (grown[c]) {
                continue;
            }
            const int64_t slack = slack_of(m, m->matched[at], c);
            if (slack < lacks[c]) {
                lacks[c] = slack;
                from[c] = at;
            }
            next = next == 0 || lacks[c] < lacks[next] ? c : next;
        }
        const int64_t change = lacks[next];
        for (int32_t c = 0; c <= m->n; c++) {
            if (grown[c]) {
                m->row[m->matched[c]] -= change;
                m->column[c] += change;
            } else {
                lacks[c] -= change;
            }
        }
        at = next;
    } while (m->matched[at] != 0);
    for (; at != 0; at = from[at]) {
        m->matched[at] = m->matched[from[at]];
    }
}

int64_t tan_match(const int64_t *weight, int32_t n, int32_t *column)
{
    struct matching m = {.weight = weight, .n = n};
    int64_t sum = 0;
    for (int32_t i = 0; i < n * n; i++) { /* initial potentials */
        const int32_t row = i / n + 1;
        m.row[row] = i % n == 0 || weight[i] > m.row[row] ? weight[i] : m.row[row];
    }
    for (int32_t row = 1; row <= n; row++) {
        match_row(&m, row);
    }
    for (int32_t c = 1; c <= n; c++) {
        column[m.matched[c] - 1] = c - 1;
        sum += weight[(m.matched[c] - 1) * n + c - 1];
    }
    return sum;
}
