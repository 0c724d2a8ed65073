/* neighbours.c - whether somebody else uses the cores of this job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/neighbours.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "tanbench/host/core_probe.h"
#include "tanbench/host/cores.h"

static const double first_look = 0.02; /* seconds: neighbours pause now and then */
enum {
    TRIES = 5,       /* of which the one in the middle counts: an interrupt is no neighbour */
    LEAST_LOOKS = 5, /* in the beginning */
};

struct neighbours {
    struct cores *cores; /* borrowed */
    int n;
    bool alike;       /* all cores are of one kind */
    double fastest[]; /* piece of work of each core, seconds */
};

/* What the work takes on core `i` now, the one in the middle of a few times; NaN: not allowed to go
 * there. */
static double work_on(struct neighbours *n, int i)
{
    double took[TRIES];

    if (!cores_visit(n->cores, i)) {
        return NAN;
    }
    for (int k = 0; k < TRIES; k++) {
        took[k] = pace_work();
        for (int at = n->alike ? 0 : i; at < (n->alike ? n->n : i + 1); at++) {
            n->fastest[at] = fmin(n->fastest[at], took[k]);
        }
    }
    gsl_sort(took, 1, TRIES);
    return took[TRIES / 2];
}

struct neighbours *neighbours_create(struct cores *cores)
{
    const int n = cores != NULL ? cores_count(cores) : 0;
    struct neighbours *neighbours =
        n > 0 ? malloc(sizeof *neighbours + (size_t)n * sizeof neighbours->fastest[0]) : NULL;

    if (neighbours != NULL) {
        neighbours->cores = cores;
        neighbours->n = n;
        neighbours->alike = cores_alike(cores);
        for (int i = 0; i < n; i++) {
            neighbours->fastest[i] = INFINITY;
        }
        const double begin = clock_seconds();
        for (int k = 0; k < LEAST_LOOKS || clock_seconds() - begin < first_look; k++) {
            neighbours_look(neighbours, n);
        }
    }
    return neighbours;
}

void neighbours_destroy(struct neighbours *n)
{
    free(n);
}

int neighbours_look(struct neighbours *n, int cores)
{
    int slowed = 0;

    for (int i = 0; i < n->n && i < cores; i++) {
        const double took = work_on(n, i);
        slowed += pace_slowed(took, n->fastest[i]);
    }
    cores_return(n->cores);
    return slowed;
}
