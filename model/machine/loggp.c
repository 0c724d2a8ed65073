/* loggp.c - cost of one message in LogGP and its extensions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/loggp.h"

#include <math.h>

/* Time of the bytes after the first. */
static double rest_time(double per_byte, int64_t bytes)
{
    return (double)(bytes - 1) * per_byte;
}

double tan_loggp_t_sender(const struct tan_loggp *p)
{
    return p->o_s;
}

double tan_loggp_t(const struct tan_loggp *p)
{
    return p->o_s + p->L + p->o_r;
}

double tan_loggp_ta(const struct tan_loggp *p)
{
    return 2 * p->o_s + 2 * p->L + 2 * p->o_r;
}

double tan_loggp_rta(const struct tan_loggp *p, int64_t bytes)
{
    return 2 * p->o_s + 2 * p->L + p->o_r + rest_time(p->G, bytes);
}

double tan_loggp_rta_sender(const struct tan_loggp *p, int64_t bytes)
{
    return 2 * p->o_s + 3 * p->L + 2 * p->o_r + rest_time(p->G, bytes);
}

double tan_loggp_rat_sender(const struct tan_loggp *p, int64_t bytes)
{
    return 4 * p->o_s + 3 * p->L + 2 * p->o_r + rest_time(p->G, bytes);
}

double tan_loggp_rat(const struct tan_loggp *p, int64_t bytes)
{
    return 4 * p->o_s + 4 * p->L + 3 * p->o_r + rest_time(p->G, bytes);
}

double tan_loggp_within(const struct tan_loggp_local *p, int64_t bytes)
{
    return p->s_s + p->s_r + rest_time(p->S, bytes);
}

double tan_loggp_between(const struct tan_loggp *p, int64_t bytes)
{
    return p->o_s + p->o_r + rest_time(p->G, bytes) + p->L;
}

double tan_loggps(const struct tan_loggp *p, int64_t bytes)
{
    return fmax(p->o_s, p->g) + p->G * (double)bytes + p->L + p->o_r;
}

double tan_loggops(const struct tan_loggops *p, int64_t bytes)
{
    const struct tan_loggp *b = &p->base;
    const double k = (double)bytes;
    return fmax(b->o_s + p->O_s * k, b->g + b->G * k) + b->L + p->O_r * k + b->o_r;
}
