/* options.h - the command line of tanbench
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_OPTIONS_H
#define TAN_CMD_TANBENCH_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <time.h>

#include "base/cli.h"
#include "tanbench/launch/launch.h"
#include "tanbench/p2p/p2p.h"
#include "tanbench/results/results.h"

/* Commands up to COMMAND_ONEWAY measure the topologies given by the user, those from COMMAND_P2P to
 * COMMAND_P2P_VALIDATE no trees (options_messages); help lists them in this order. */
enum command {
    COMMAND_RUN,
    COMMAND_STREAM,
    COMMAND_ONEWAY,
    COMMAND_CALIBRATE,
    COMMAND_VALIDATE,
    COMMAND_P2P,
    COMMAND_P2P_CALIBRATE,
    COMMAND_P2P_VALIDATE,
    COMMAND_RESUME,
};

/* Whether ranks that outnumber the cores communicate over a network; by default they do not. */
enum network { NETWORK_AUTO, NETWORK_REAL };

/* Repeated options keep their order; strings are borrowed from argv unless noted. */
struct options {
    enum command command;
    int argc; /* the command line of these options; borrowed */
    char **argv;
    /* A run that resume finishes: its --json has the results so far. */
    struct {
        bool on;
        json_t *command; /* the recorded one, as read; owned */
        char **words;    /* the array that argv then is, with strings of `command`; owned */
    } resumed;
    char machine_file[256]; /* default of calibrate with --platform */
    const char *operand;    /* calibrate, p2p calibrate: machine file to write, NULL: the user's;
                               validate, p2p validate: machine file to validate; resume: the
                               results of the run */
    /* What to measure. */
    struct {
        const char **spec;
        int n;
    } topologies;
    struct validation validation;
    struct {
        int64_t max_leaves; /* 0: by the size of the machine */
        int64_t max_height; /* of chains; 0: not given */
        const char *racks;  /* NULL: not given */
    } calibration;
    struct p2p_request p2p;   /* of p2p alone */
    struct settings settings; /* of passes, waves and times -1: not given */
    const char *name;         /* of the machine; NULL: the host's name */
    const char *machine;
    const char *emulate; /* machine file to emulate; NULL: none */
    const char *json, *raw, *report;
    /* How to start the ranks. */
    struct {
        const char *launcher;
        int64_t launches; /* number of them */
        int64_t ranks;    /* 0: as many as the largest topology needs */
        const char *map;  /* order of the ranks; NULL: the launcher's */
        double timeout;   /* seconds; 0: none, negative: not given */
        enum network network;
        bool dry; /* only show how */
    } start;
    struct simulation simulation; /* of simulated machines; mostly unset */
    bool quiet;
};

extern const struct tan_cli tanbench_cli;

/* Read a command line into `o`; `answer` gets the action. The caller calls options_clear, even
 * after a failure. */
int options_read(struct options *o, int argc, char **argv, struct tan_cli_answer *answer,
                 struct tan_error *e);
void options_clear(struct options *o);
/* For `tanbench resume`: replace the options by those of the `command` that began the run, an array
 * of strings (tan_restore_command; NULL: it failed) whose reference is taken, with `resume` set and
 * its file as `json`. Other options given with the file override those of the command. */
int options_resume(struct options *o, json_t *command, struct tan_error *e);
/* Check combinations of options. */
int options_check(const struct options *o, struct tan_error *e);
/* Whether an option reads standard input. */
bool options_uses_stdin(const struct options *o);
/* Whether the command measures single messages instead of waves over trees. */
bool options_messages(const struct options *o);
/* Seconds that `ranks` running ranks may take to find each other; 0: no limit. */
double options_start_seconds(const struct options *o, int ranks);
/* Name of a calibrated machine: --name or the simulated platform; NULL: name of the host. */
const char *options_machine_name(const struct options *o);

/* Check before measuring that all outputs can be written, that no two are the same file, however
 * spelled, and that none is an input. May create files next to them temporarily, and creates the
 * folders of the user's machine file. */
int outputs_check(const struct options *o, struct tan_error *e);
/* The file with the results so far, for other launches and for `tanbench resume`; NULL: none. */
const char *outputs_results(const struct options *o);
/* After a failure: print how to resume if the file of --json is one written `since` then. */
void outputs_print_resume(const struct options *o, time_t since);

#endif
