/* link_options.h - parsing and printing of link parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_LINK_OPTIONS_H
#define SIM_ENGINE_LINK_OPTIONS_H

#include "base/error.h"
#include "sim/schedule/params.h"

/* Set one parameter, named 'L', 'o', 'g', 'G' or 'O', from a time (see sim/times.h); `what` names
 * the option. */
int tan_link_set(struct tan_link *link, char name, const char *what, const char *text,
                 struct tan_error *e);
/* Set the parameters that `text` names, "L=500,o=1us,G=0.04"; the others stay. */
int tan_link_parse(struct tan_link *link, const char *what, const char *text, struct tan_error *e);

/* "none", "rat" or "rta". */
int tan_handshake_parse(const char *text, enum tan_handshake *handshake, struct tan_error *e);
const char *tan_handshake_name(enum tan_handshake handshake);

/* "A,B,C": the times of a growing overhead. */
int tan_growth_parse(const char *text, struct tan_sim_params *p, struct tan_error *e);

#endif
