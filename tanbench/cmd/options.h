/* options.h - the command line of tanbench
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_CMD_OPTIONS_H
#define TANBENCH_CMD_OPTIONS_H

#include <stdbool.h>

#include "base/cli.h"
#include "bench/plan/plan.h"
#include "bench/results/validate.h"
#include "model/machine/machine.h"
#include "tanbench/host/cores.h"
#include "tanbench/p2p/request.h"
#include "tanbench/ranks/world.h"

/* Repeated options keep their order; all strings are borrowed from argv. */
struct options {
    const char **topologies;
    int n_topologies;
    const char *experiment;
    bool calibrate, validate;
    struct validation validation;
    bool validation_given;
    const char *operand; /* where --calibrate writes; NULL: the user's machine file */
    int64_t max_leaves;  /* of --calibrate; 0: what suits this machine */
    enum tan_method method;
    const char *name; /* of the machine; NULL: the host's */
    const char *machine;
    const char *emulate;        /* machine file whose time is played; NULL: none */
    double dilation;            /* 0: not given */
    bool p2p;                   /* single messages instead of waves */
    bool send_kinds, datatypes; /* of --p2p, as well */
    int64_t pairs;              /* of --p2p: random pairs of ranks; 0: one pair */
    const char *p2p_validate;   /* machine file whose p2p block is compared with new messages */
    int64_t sizes[64];          /* of single messages; n_sizes 0: the default ones */
    size_t n_sizes;
    struct settings settings;
    /* What the command line set of `settings`: an experiment's values do not replace it. */
    struct settings_given {
        bool filter, wait, element, bytes, request_bytes, warmup, min_waves, max_waves, max_seconds,
            precision, passes, seed, mode, work, sync, frequency, duration;
    } given;
    const char *json, *raw, *launcher;
    const char *journal, *resume; /* NULL: not given */
    int64_t launches;             /* how often the job is started */
    int64_t ranks;                /* 0: as many as the largest topology needs */
    enum binding binding;
    enum awake awake;
    const char *map; /* which rank is which node; NULL: as the launcher numbers them */
    bool dry_run, quiet;
};

extern const struct tan_cli tanbench_cli;

/* Defaults; `argc` bounds how many topologies there can be. */
int options_init(struct options *o, int argc, struct tan_error *e);
void options_clear(struct options *o);
/* What cannot be judged one option at a time. */
int options_check(const struct options *o, struct tan_error *e);
/* What they ask of a job that measures single messages. */
struct p2p_request options_p2p(const struct options *o);
/* How many of the options read standard input. */
int options_stdin_uses(const struct options *o);
/* Single messages are asked for, not waves. */
bool options_messages(const struct options *o);
/* The settings of an experiment file, except where the command line set them. */
void options_override(const struct options *o, struct settings *s);

#endif
