/* link_options.h - parsing of link parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_LINK_OPTIONS_H
#define TAN_SIM_ENGINE_LINK_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "sim/schedule/params.h"

/* Set one parameter, 'L', 'o', 'g', 'G' or 'O', from a time (see sim/schedule/times.h); `what`
 * names the option. For LogGOPSim's options, "-L" and so on, a bare number is in nanoseconds. */
int tan_link_set(struct tan_link *link, char name, const char *what, const char *text,
                 struct tan_error *e);
/* Set the parameters in `text`, "L=500ns,o=1us,G=0.04ns"; the others are unchanged. */
int tan_link_parse(struct tan_link *link, const char *what, const char *text, struct tan_error *e);
/* Effect of changes to links: bit i is letter i of "LogGO". Zero-initialised. */
struct tan_change_effect {
    unsigned acts; /* a value was changed */
    unsigned idle; /* a value of 0 was multiplied or lowered */
};
bool tan_link_changes(const struct tan_change_effect *effect, char letter);
/* Change parameters as given to --set: "L=5us,o=+1us,g=-1us,G=*2" sets, increases, decreases (not
 * below 0) and multiplies, applied from left to right. o applies to both sides. `effect` may be
 * NULL, or shared by several calls. */
int tan_link_change(struct tan_link *link, const char *what, const char *text,
                    struct tan_change_effect *effect, struct tan_error *e);
/* Fail if a parameter was multiplied or lowered that is 0 in every link. */
int tan_link_check_effect(const struct tan_change_effect *effect, const char *what,
                          struct tan_error *e);

/* Names by enum tan_handshake; NULL-terminated. */
extern const char *const tan_handshakes[];

#endif
