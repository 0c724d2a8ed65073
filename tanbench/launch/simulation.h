/* simulation.h - start of ranks that SimGrid simulates, in place of real ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_SIMULATION_H
#define TANBENCH_LAUNCH_SIMULATION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "tanbench/launch/launch.h"

enum { SIMULATION_SETTINGS = 64 };

/* What the options say; strings are borrowed. */
struct simulation {
    const char *platform; /* SimGrid's platform file, or a shipped one's name; NULL: real ranks */
    const char *os, *ois, * or ; /* overheads of sending, Isend and receiving, in SMPI's form */
    int64_t eager_limit;         /* bytes; 0: not given */
    int64_t ranks_per_host;      /* 0: one */
    const char *map;             /* file with the host of each rank; NULL: in their order */
    const char *settings[SIMULATION_SETTINGS]; /* NAME:VALUE of SimGrid */
    int n_settings;
};

/* Read --os and its like, `what`: TIME, TIME:TIME (for each byte) or several SIZE:TIME:TIME with
 * ';' between them, from that size on. Times have units, or are in seconds. 0, or -1 with an error
 * (TAN_USAGE). */
int simulation_check_overhead(const char *what, const char *value, struct tan_error *e);
/* The same for a setting, NAME:VALUE; SimGrid knows whether it exists. */
int simulation_check_setting(const char *what, const char *value, struct tan_error *e);

/* The path of the platform file, or -1 with an error (TAN_USAGE) that lists the shipped ones. */
enum { SIMULATION_PATH_MAX = 4096 };
int simulation_find(const char *name, char path[SIMULATION_PATH_MAX], struct tan_error *e);

/* smpirun, a shell script, does not quote the program's arguments: whether it passes on all of
 * these as they are, else -1 with an error (TAN_USAGE). */
int simulation_check_arguments(char *const *argv, struct tan_error *e);

/* Set launch->command and launch->program to start `launch->ranks` ranks, after a look at the
 * platform: -1 with an error when SimGrid is missing or cannot read it, when it has too few hosts,
 * or when memory is short. `bytes`: messages that a rank holds. `quiet`: do not say how much a
 * large simulation needs. */
int simulation_prepare(const struct simulation *s, struct launch *launch, double bytes, bool quiet,
                       struct tan_error *e);
void simulation_clear(struct launch *launch);

/* Simulated rank 0: the platform, its text and the settings, from its environment. */
void simulation_describe(struct tan_json_writer *w, json_t *o);
/* A simulated process that was only to list the platform's hosts: the file to write, else NULL. */
const char *simulation_asked_hosts(void);

#endif
