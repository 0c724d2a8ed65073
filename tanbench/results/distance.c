/* distance.c - classes of distance between ranks, by ping-pongs of rank 0
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/distance.h"

#include <stdlib.h>
#include <string.h>

/* The lowest level of racks that both hosts share, 0 if they are one; one above all: none. */
static int common_level(const struct tan_racks *racks, int32_t a, int32_t b)
{
    int level = a != b;
    while (level > 0 && level <= TAN_RACK_LEVELS && racks->rack[level - 1] != NULL &&
           racks->rack[level - 1][a] != racks->rack[level - 1][b]) {
        level++;
    }
    return level;
}

/* The `at` ranks of a level, or as many of them as there is room for. */
static struct distance_class choose_partners(const struct tan_racks *racks, const int32_t *host_of,
                                             int32_t ranks, int level, int32_t at)
{
    struct distance_class row = {.level = level};
    const int64_t wanted = at < TAN_PARTNERS ? at : TAN_PARTNERS;
    int32_t seen = 0;
    for (int32_t i = 1; i < ranks && row.partners < wanted; i++) {
        if (common_level(racks, host_of[0], host_of[i]) == level &&
            seen++ * wanted / at == row.partners) {
            row.partner[row.partners++] = i;
        }
    }
    return row;
}

void tan_distance_plan(struct distance *d, const struct tan_racks *racks, const int32_t *host_of,
                       int32_t ranks, bool apart)
{
    int32_t at[TAN_DISTANCES] = {0};
    *d = (struct distance){.apart = apart};
    for (int32_t i = 1; i < ranks; i++) {
        at[common_level(racks, host_of[0], host_of[i])]++;
        d->last_elsewhere = host_of[i] != host_of[0] ? i : d->last_elsewhere;
    }
    for (int level = apart; level < TAN_DISTANCES; level++) {
        if (at[level] > 0) {
            d->row[d->n++] = choose_partners(racks, host_of, ranks, level, at[level]);
        }
    }
}

double tan_distance_nearer(const struct distance *d, int i)
{
    return d->row[d->n - 1].latency - d->row[i].latency;
}

/* The class whose latency is the least below that of the next one. */
static int least_apart(const struct distance *d)
{
    int least = 0;
    for (int i = 1; i + 1 < d->n; i++) {
        if (d->row[i + 1].latency - d->row[i].latency <
            d->row[least + 1].latency - d->row[least].latency) {
            least = i;
        }
    }
    return least;
}

int tan_distance_classify(struct distance *d, const struct tan_racks *racks, const int32_t *host_of,
                          int32_t ranks, struct tan_error *e)
{
    while (d->n > 1) {
        const int i = least_apart(d);
        if (d->n + d->apart <= TAN_TIERS && d->row[i].latency < d->row[i + 1].latency) {
            break;
        }
        memmove(d->row + i, d->row + i + 1, (size_t)(d->n - i - 1) * sizeof d->row[0]);
        d->n--;
    }
    d->tiers.n = d->n + d->apart;
    for (int i = 0; i + 1 < d->n; i++) {
        d->tiers.level[i + d->apart] = d->row[i].level;
    }
    d->space = calloc((size_t)ranks * TAN_INNER_TIERS, sizeof *d->space);
    if (d->space == NULL) {
        return tan_fail_nomem(e);
    }
    d->sites = tan_sites_of(&d->tiers, racks, host_of, ranks, d->space);
    return 0;
}

struct tan_text tan_distance_name(int level)
{
    static const char *const names[] = {"host", "switch", "group"};
    return level < 3 ? tan_printed("%s", names[level]) : tan_printed("level %d", level);
}

void tan_distance_print(const struct distance *d, FILE *to)
{
    fputs("Distance, by medians of ping-pongs of rank 0:", to);
    for (int i = 0; i + 1 < d->n; i++) {
        fprintf(to, " %s %.4g us,", tan_distance_name(d->row[i].level).text,
                d->row[i].latency * 1e6);
    }
    fprintf(to, " %s%.4g us\n", d->n > 1 ? "beyond " : "", d->row[d->n - 1].latency * 1e6);
}

void tan_distance_clear(struct distance *d)
{
    free(d->space);
    *d = (struct distance){.n = 0};
}
