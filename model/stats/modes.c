/* modes.c - how many modes a sample has: Hartigan's dip test, and where a density peaks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/stats/stats.h"

enum {
    FEWEST_SAMPLES = 30,
    SIMULATIONS = 500,
    DEEPER = SIMULATIONS / 20, /* this many as deep by chance: not significant at 5 % */
    MOST_SIMULATED = 1000, /* samples a simulation: sqrt(n) dip hardly depends on n from there */
    GRID = 512,            /* points of a density */
};

/* A distribution function that jumps at `n` places, and its convex and concave hulls. Between two
 * contacts with its steps a hull is a straight line. */
struct steps {
    size_t n;
    double *x;              /* rising, all different */
    double *before, *after; /* of the jump at x */
    double *minorant;       /* greatest convex function below `before` */
    double *majorant;       /* least concave function above `after` */
    bool *touches_minorant, *touches_majorant;
    size_t *stack;
};

/* The lower convex hull (sign = 1) of the points (x, y) from `low` to `high`, or the upper concave
 * one (sign = -1): its values and where it touches. */
static void hull(const struct steps *s, const double *y, double sign, size_t low, size_t high,
                 double *value, bool *touches)
{
    size_t depth = 0;
    for (size_t i = low; i <= high; i++) {
        touches[i] = false;
        while (depth >= 2) {
            const size_t a = s->stack[depth - 2];
            const size_t b = s->stack[depth - 1];
            /* b stays when the slope rises there (falls, for the concave hull) */
            if (sign * ((y[b] - y[a]) * (s->x[i] - s->x[b]) - (y[i] - y[b]) * (s->x[b] - s->x[a])) <
                0) {
                break;
            }
            depth--;
        }
        s->stack[depth++] = i;
    }
    for (size_t k = 0; k < depth; k++) {
        const size_t a = s->stack[k];
        const size_t b = s->stack[k + 1 < depth ? k + 1 : k];
        touches[a] = true;
        value[a] = y[a];
        for (size_t i = a + 1; i < b; i++) {
            value[i] = y[a] + (y[b] - y[a]) * (s->x[i] - s->x[a]) / (s->x[b] - s->x[a]);
        }
    }
}

/* Twice the dip: the interval that holds the mode shrinks until the hulls over it are as near to
 * each other as the hulls outside it are to the steps. A jump at the mode itself costs nothing: a
 * unimodal distribution may have one there. */
static double twice_dip(const struct steps *s, double smallest)
{
    size_t low = 0;
    size_t high = s->n - 1;
    double found = smallest;
    for (;;) {
        hull(s, s->before, 1, low, high, s->minorant, s->touches_minorant);
        hull(s, s->after, -1, low, high, s->majorant, s->touches_majorant);
        double apart = 0;
        size_t at = low;
        for (size_t i = low; i <= high; i++) {
            const double distance = s->majorant[i] - s->minorant[i];
            if ((s->touches_minorant[i] || s->touches_majorant[i]) && distance > apart) {
                apart = distance;
                at = i;
            }
        }
        if (apart <= found) {
            return found;
        }
        size_t left = at;
        while (!s->touches_minorant[left]) {
            left--;
        }
        size_t right = at;
        while (!s->touches_majorant[right]) {
            right++;
        }
        for (size_t i = low; i < left; i++) {
            found = fmax(found, s->after[i] - s->minorant[i]);
        }
        for (size_t i = high; i > right; i--) {
            found = fmax(found, s->majorant[i] - s->before[i]);
        }
        if (low == high) {
            return found;
        }
        low = left;
        high = right;
    }
}

static void free_steps(struct steps *s)
{
    free(s->x);
    free(s->before);
    free(s->after);
    free(s->minorant);
    free(s->majorant);
    free(s->touches_minorant);
    free(s->touches_majorant);
    free(s->stack);
}

static bool allocate_steps(struct steps *s, size_t n)
{
    *s = (struct steps){
        .x = malloc(n * sizeof *s->x),
        .before = malloc(n * sizeof *s->before),
        .after = malloc(n * sizeof *s->after),
        .minorant = malloc(n * sizeof *s->minorant),
        .majorant = malloc(n * sizeof *s->majorant),
        .touches_minorant = malloc(n * sizeof *s->touches_minorant),
        .touches_majorant = malloc(n * sizeof *s->touches_majorant),
        .stack = malloc(n * sizeof *s->stack),
    };
    if (s->x != NULL && s->before != NULL && s->after != NULL && s->minorant != NULL &&
        s->majorant != NULL && s->touches_minorant != NULL && s->touches_majorant != NULL &&
        s->stack != NULL) {
        return true;
    }
    free_steps(s);
    return false;
}

/* The dip of sorted samples in the space of `s`. */
static double dip_in(struct steps *s, const double *sorted, size_t n)
{
    s->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (s->n == 0 || sorted[i] > s->x[s->n - 1]) {
            s->x[s->n] = sorted[i];
            s->before[s->n] = (double)i / (double)n;
            s->n++;
        }
        s->after[s->n - 1] = (double)(i + 1) / (double)n;
    }
    return twice_dip(s, 1.0 / (double)n) / 2;
}

double tan_dip(const double *sorted, size_t n)
{
    struct steps s;
    if (!allocate_steps(&s, n)) {
        return -1;
    }
    const double dip = dip_in(&s, sorted, n);
    free_steps(&s);
    return dip;
}

/* Whether fewer than one in twenty uniform samples dip as deeply: 1 or 0. The uniform distribution
 * is the unimodal one with the deepest dips, so the test errs, if at all, on the side of one mode.
 */
static int dips_deeply(const double *sorted, size_t n, uint64_t seed, struct tan_error *e)
{
    int result = -1;
    const size_t m = n < MOST_SIMULATED ? n : MOST_SIMULATED;
    struct steps s;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *uniform = malloc(m * sizeof *uniform);
    if (!allocate_steps(&s, n)) {
        s = (struct steps){.n = 0};
    }
    if (rng == NULL || uniform == NULL || s.x == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    gsl_rng_set(rng, (unsigned long)seed);
    const double seen = dip_in(&s, sorted, n) * sqrt((double)n);
    int deeper = 0;
    for (int i = 0; i < SIMULATIONS && deeper < DEEPER; i++) {
        double sum = 0;
        for (size_t k = 0; k < m; k++) { /* sorted uniform samples: sums of exponential gaps */
            sum -= log(gsl_rng_uniform_pos(rng));
            uniform[k] = sum;
        }
        deeper += dip_in(&s, uniform, m) * sqrt((double)m) >= seen;
    }
    result = deeper < DEEPER;

done:
    free_steps(&s);
    free(uniform);
    gsl_rng_free(rng);
    return result;
}

/* Spread samples that are equal evenly over one tick of the clock. */
static void spread_ties(double *sorted, size_t n)
{
    const double tick = tan_clock_tick(sorted, n);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && sorted[end] - sorted[i] <= tick / 2) {
            end++;
        }
        const double value = sorted[i];
        for (size_t k = i; k < end && tick > 0; k++) {
            sorted[k] = value + tick * (((double)(k - i) + 0.5) / (double)(end - i) - 0.5);
        }
        i = end;
    }
}

/* Samples counted on a grid. */
struct density {
    double low, step;
    double weight[GRID];
};

/* The peaks of the density smoothed by a Gaussian kernel of standard deviation `bandwidth` grid
 * steps; `where` receives the grid points of the two highest, the higher first. */
static int count_peaks(const struct density *d, double bandwidth, int where[2])
{
    enum { REACH = 4 };
    double smooth[GRID + 2] = {0};
    double kernel[GRID];
    for (int k = 0; k < GRID; k++) {
        kernel[k] = k > REACH * bandwidth + 1 ? 0 : exp(-0.5 * k * k / (bandwidth * bandwidth));
    }
    for (int i = 0; i < GRID; i++) {
        for (int k = 0; k < GRID && d->weight[i] > 0; k++) {
            smooth[k + 1] += d->weight[i] * kernel[abs(i - k)];
        }
    }
    int peaks = 0;
    where[0] = where[1] = -1;
    for (int i = 0; i < GRID; i++) {
        if (smooth[i + 1] > smooth[i] && smooth[i + 1] >= smooth[i + 2]) {
            peaks++;
            if (where[0] < 0 || smooth[i + 1] > smooth[where[0] + 1]) {
                where[1] = where[0];
                where[0] = i;
            } else if (where[1] < 0 || smooth[i + 1] > smooth[where[1] + 1]) {
                where[1] = i;
            }
        }
    }
    return peaks;
}

/* The least bandwidth that leaves at most `peaks` of them (Silverman's critical bandwidth), in grid
 * steps: their number does not rise with the bandwidth of a Gaussian kernel. */
static double critical_bandwidth(const struct density *d, int peaks)
{
    double low = 0.3;
    double high = GRID;
    int where[2];
    while (high / low > 1.02) {
        const double middle = sqrt(low * high);
        if (count_peaks(d, middle, where) > peaks) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* Places of the modes of sorted samples, in rising order: looked for halfway between the bandwidth
 * that would show one mode more and the one that would show one less. */
static void locate(const double *sorted, size_t n, int modes, double where[2])
{
    const double range = sorted[n - 1] - sorted[0];
    struct density d = {.low = sorted[0] - range / 8, .step = range * 1.25 / GRID};
    for (size_t i = 0; i < n; i++) {
        d.weight[(int)((sorted[i] - d.low) / d.step)] += 1;
    }
    const double least = critical_bandwidth(&d, modes);
    const double most = modes == 1 ? least : critical_bandwidth(&d, modes - 1);
    int peak[2];
    count_peaks(&d, sqrt(least * most), peak);
    for (int i = 0; i < 2; i++) {
        where[i] = i < modes && peak[i] >= 0 ? d.low + (peak[i] + 0.5) * d.step : NAN;
    }
    if (where[0] > where[1]) {
        const double higher = where[0];
        where[0] = where[1];
        where[1] = higher;
    }
}

int tan_count_modes(const double *samples, size_t n, uint64_t seed, double where[2],
                    struct tan_error *e)
{
    if (where != NULL) {
        where[0] = where[1] = NAN;
    }
    if (n == 0) {
        return 0;
    }
    double *sorted = tan_sorted(samples, n, e);
    if (sorted == NULL) {
        return -1;
    }
    int modes = 0;
    if (n >= FEWEST_SAMPLES && sorted[0] < sorted[n - 1]) {
        size_t first;
        size_t end;
        tan_set_outliers_aside(sorted, n, &first, &end);
        double *kept = sorted + first;
        const size_t left = end - first;
        spread_ties(kept, left);
        const int deep = dips_deeply(kept, left, seed, e);
        modes = deep < 0 ? -1 : deep + 1;
        if (where != NULL && modes > 0 && kept[0] < kept[left - 1]) {
            locate(kept, left, modes, where);
        } else if (where != NULL && modes > 0) {
            where[0] = kept[0];
        }
    }
    free(sorted);
    return modes;
}
