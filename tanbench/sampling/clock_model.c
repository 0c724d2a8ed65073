/* clock_model.c - linear model of a rank's clock against the root's, with its uncertainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/sampling/clock_model.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Exchanges are used if their round trip is at most this multiple of the shortest one. */
#define GOOD_ROUND_TRIP 1.5
/* Seconds of polling at the end of a sleep; sleeping overshoots by less. */
#define SPIN 100e-6

struct local_clock tan_local_clock_of(int host_index)
{
    const char *skew = getenv("TANBENCH_SKEW_CLOCK");
    double seconds = 0;
    double ppm = 0;
    if (skew != NULL && sscanf(skew, "%lf:%lf", &seconds, &ppm) < 1) {
        seconds = 0;
    }
    return (struct local_clock){.ahead = host_index * seconds, .rate = host_index * ppm * 1e-6};
}

double tan_local_clock_now(const struct local_clock *c)
{
    return tan_clock_seconds() * (1 + c->rate) + c->ahead;
}

double tan_local_clock_real(const struct local_clock *c, double local)
{
    return (local - c->ahead) / (1 + c->rate);
}

double tan_clock_to_root(const struct clock_model *m, double local)
{
    return local - m->offset - m->drift * (local - m->reference);
}

/* Solve tan_clock_to_root for the local time. */
double tan_clock_from_root(const struct clock_model *m, double root)
{
    return m->reference + (root + m->offset - m->reference) / (1 - m->drift);
}

double tan_rank_clock_now(const struct rank_clock *c)
{
    return tan_clock_to_root(&c->model, tan_local_clock_now(&c->local));
}

void tan_rank_clock_sleep(const struct rank_clock *c, double root, bool spin)
{
    double until = tan_local_clock_real(&c->local, tan_clock_from_root(&c->model, root));
    double sleep = until - (spin ? SPIN : 0);
    while (sleep > tan_clock_seconds()) {
        tan_clock_sleep_until(sleep);
    }
    if (spin) {
        tan_clock_compute_until(until);
    }
}

struct clock_point tan_clock_best(const struct clock_reading *readings, int n)
{
    const struct clock_reading *best = readings;
    for (int i = 1; i < n; i++) {
        if (readings[i].received - readings[i].sent < best->received - best->sent) {
            best = &readings[i];
        }
    }
    return (struct clock_point){.at = best->answered,
                                .offset = best->answered - (best->sent + best->received) / 2,
                                .round_trip = best->received - best->sent};
}

void tan_clock_history_add(struct clock_history *h, struct clock_point point)
{
    if (h->n == CLOCK_POINTS) {
        memmove(h->points, h->points + 1, (CLOCK_POINTS - 1) * sizeof *h->points);
        h->n--;
    }
    h->points[h->n++] = point;
}

double tan_clock_shortest(const struct clock_history *h)
{
    double shortest = h->points[0].round_trip;
    for (int i = 1; i < h->n; i++) {
        shortest = fmin(shortest, h->points[i].round_trip);
    }
    return shortest;
}

/* The longest round trip to be used: close to the shortest, but long enough for half of the points,
 * and for three of them, since a line needs some. */
static double good_round_trip(const struct clock_history *h)
{
    double sorted[CLOCK_POINTS] = {0};
    int least = h->n / 2 > 3 ? h->n / 2 : h->n < 3 ? h->n : 3;
    for (int i = 0; i < h->n; i++) {
        sorted[i] = h->points[i].round_trip;
    }
    gsl_sort(sorted, 1, (size_t)h->n);
    return fmax(GOOD_ROUND_TRIP * sorted[0], sorted[least - 1]);
}

struct clock_model tan_clock_fit(const struct clock_history *h)
{
    double limit = good_round_trip(h);
    struct clock_model m = {.reference = 0};
    double square = 0;
    double product = 0;
    int used = 0;
    for (int i = 0; i < h->n; i++) {
        if (h->points[i].round_trip <= limit) {
            used++;
            m.reference += (h->points[i].at - m.reference) / used;
            m.offset += (h->points[i].offset - m.offset) / used;
        }
    }
    for (int i = 0; i < h->n; i++) {
        if (h->points[i].round_trip <= limit) {
            double at = h->points[i].at - m.reference;
            square += at * at;
            product += at * (h->points[i].offset - m.offset);
        }
    }
    m.drift = used >= 3 && square > 0 ? product / square : 0;
    return m;
}

double tan_clock_error(const struct clock_model *m, const struct clock_point *point)
{
    return fabs(point->offset - m->offset - m->drift * (point->at - m->reference));
}

double tan_clock_residual(const struct clock_history *h, const struct clock_model *m)
{
    double limit = good_round_trip(h);
    double largest = 0;
    for (int i = 0; i < h->n; i++) {
        if (h->points[i].round_trip <= limit) {
            largest = fmax(largest, tan_clock_error(m, &h->points[i]));
        }
    }
    return largest;
}
