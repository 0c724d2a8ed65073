/* openmpi.h - algorithms of Open MPI's coll/tuned
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_OPENMPI_H
#define TAN_DESIGN_SYSTEMS_OPENMPI_H

#include "design/targets/target.h"

/* The number of an algorithm, and the MCA parameter of its value; NULL if it has none. */
struct tan_openmpi_algorithm {
    const char *name; /* of the knob */
    int number;
    const char *parameter;
};
/* NULL if the setting selects none. */
const struct tan_openmpi_algorithm *tan_openmpi_algorithm_of(const struct tan_setting *setting);

/* Of files of parameters or rules: components that come before coll/tuned. Priorities: tuned 30;
 * han 35 since 5.0 and 0 in 4.1, hcoll 90, adapt and sm 0 (their coll_*_component.c). */
#define TAN_OPENMPI_BEFORE                                                                         \
    "# Where several hosts run several ranks each, coll/han (since 5.0) comes before coll/tuned, " \
    "and\n"                                                                                        \
    "# so does HCOLL where it is built in. Neither is switched off here, since what they gain "    \
    "is\n"                                                                                         \
    "# not known.\n"

/* Write files of rules for 4.1 and 5.0, and as JSON for 6.0: all rules, or one per direction for an
 * answer's members and more, whatever the size. 0; they do not fail. */
int tan_openmpi_write_rules(const struct tan_rules *rules, FILE *to, struct tan_error *e);
int tan_openmpi_write_rule(const struct tan_answer *answer, FILE *to, struct tan_error *e);
int tan_openmpi_write_json_rules(const struct tan_rules *rules, FILE *to, struct tan_error *e);
int tan_openmpi_write_json_rule(const struct tan_answer *answer, FILE *to, struct tan_error *e);

#endif
