/* link_options.h - parsing and printing of link parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_LINK_OPTIONS_H
#define SIM_ENGINE_LINK_OPTIONS_H

#include "base/error.h"
#include "sim/schedule/params.h"

/* Set one parameter, named 'L', 'o', 'g', 'G' or 'O', from a time (see sim/schedule/times.h);
 * `what` names the option. After LogGOPSim's own, "-L" and so on, a bare number is nanoseconds. */
int tan_link_set(struct tan_link *link, char name, const char *what, const char *text,
                 struct tan_error *e);
/* Set the parameters that `text` names, "L=500ns,o=1us,G=0.04ns"; the others stay. */
int tan_link_parse(struct tan_link *link, const char *what, const char *text, struct tan_error *e);
/* What changes of links came to: bits, one for each letter of "LogGO". */
struct tan_change_effect {
    unsigned acts; /* something was changed */
    unsigned idle; /* 0 was to be multiplied or lowered */
};
/* Change parameters as --set has them: "L=5us,o=+1us,g=-1us,G=*2" is a new value, so much more, so
 * much less (never below 0) and so many times, from left to right. o is that of both sides.
 * `effect`, of which several calls may share one, may be NULL. */
int tan_link_change(struct tan_link *link, const char *what, const char *text,
                    struct tan_change_effect *effect, struct tan_error *e);
/* Fails for a parameter that was to be multiplied or lowered where every link had 0. */
int tan_link_check_effect(const struct tan_change_effect *effect, const char *what,
                          struct tan_error *e);

/* "none", "rat", "rta"; ends with NULL. */
extern const char *const tan_handshakes[];

/* "A,B,C": the times of a growing overhead. */
int tan_growth_parse(const char *text, struct tan_sim_params *p, struct tan_error *e);

#endif
