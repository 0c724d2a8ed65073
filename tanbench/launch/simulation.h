/* simulation.h - starting simulated ranks (SimGrid) instead of real ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_SIMULATION_H
#define TAN_TANBENCH_LAUNCH_SIMULATION_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json.h"
#include "tanbench/launch/launch.h"

enum { SIMULATION_SETTINGS = 64 };

/* Command-line options; strings are borrowed. */
struct simulation {
    const char *platform; /* SimGrid platform file, or name of a shipped one; NULL: real ranks */
    /* Overheads of sending and receiving: TIME, TIME:TIME (the second per byte), or several
     * SIZE:TIME:TIME separated by ';', each for messages from that size on. Times have units or are
     * in seconds. NULL if not given. */
    const char *os, *receive;
    int64_t ranks_per_host; /* 0: one */
    const char *map;        /* file with the host of each rank; NULL: in order */
    /* NAME:VALUE for SimGrid */
    const char *settings[SIMULATION_SETTINGS];
    int n_settings;
};

/* Fail (-1, TAN_USAGE) if an argument would be altered by smpirun, a shell script that does not
 * quote them. */
int simulation_check_arguments(char *const *argv, struct tan_error *e);

/* Set launch->command and launch->program for `launch->ranks` ranks, after inspecting the platform:
 * -1 with an error if SimGrid is missing or rejects it, having said why on standard error, or if it
 * has too few hosts. Once per process: the list of hosts that the command refers to stays open
 * until its end. */
int simulation_prepare(const struct simulation *s, struct launch *launch, struct tan_error *e);

/* For simulated rank 0: the platform, its text and the settings, from the environment. */
void simulation_describe(struct tan_json_writer *w, json_t *o);
/* The file to write if this process was only started to list the platform's hosts, else NULL. */
const char *simulation_asked_hosts(void);

#endif
