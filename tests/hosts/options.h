/* options.h - command line of a cluster of namespaces
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_HOSTS_OPTIONS_H
#define TAN_TESTS_HOSTS_OPTIONS_H

#include <stdint.h>

#include "base/error.h"
#include "tests/hosts/switch.h"

enum { MAX_HOSTS = 200 };

struct options {
    int n;                   /* hosts */
    bool slow;               /* a rate or a delay is given: the network is the switch */
    struct switch_link link; /* of every host then */
    int64_t payload;         /* bytes of a message whose time is asked for; 0: none */
    char **command;          /* within argv */
};

/* Returns 0, or -1 with the error (TAN_USAGE). */
int options_read(int argc, char **argv, struct options *options, struct tan_error *e);

/* Print on stderr how long a message of `payload` bytes takes. Returns -1 with the error
 * (TAN_USAGE) where that is too little to be told from what the processes themselves need. */
int options_check_payload(const struct options *options, struct tan_error *e);

#endif
