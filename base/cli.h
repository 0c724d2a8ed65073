/* cli.h - command lines as tables of rows: parsing, --help, --version, closing stdout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_CLI_H
#define TAN_BASE_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* One option. A table of them ends with a row whose name is NULL; a row whose `set` is NULL
 * is a heading of the help text (`help` holds it). */
struct tan_option {
    const char *name;     /* long name without dashes */
    char letter;          /* short name, 0 for none */
    const char *argument; /* placeholder in the help, "N" or "FILE"; NULL: takes none */
    const char *help;     /* what it does; may hold newlines, continued lines are indented */
    int (*set)(void *config, const char *value,
               struct tan_error *e); /* value NULL without argument */
};

struct tan_cli {
    const char *program;
    const char *usage;   /* one synopsis per line, without the program's name */
    const char *purpose; /* one or two sentences */
    const struct tan_option *options;
    int max_operands;            /* -1: any number */
    void (*more_help)(FILE *to); /* tables and examples after the options; may be NULL */
    int (*operand)(void *config, const char *value,
                   struct tan_error *e); /* NULL when none are taken */
};

enum tan_cli_action { TAN_CLI_RUN, TAN_CLI_HELP, TAN_CLI_VERSION };

/* Fill `config` from argv through the rows' setters. Prints nothing (under MPI only one rank may):
 * --help and --version are returned in *action for tan_cli_answer. Errors are TAN_USAGE unless a
 * setter said otherwise. Options and operands may be mixed; "--" ends the options. */
int tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                  enum tan_cli_action *action, struct tan_error *e);
/* Print the help text or the version on stdout. */
void tan_cli_answer(const struct tan_cli *cli, enum tan_cli_action action);
/* Flush stdout; a full disk or closed pipe found only now is a failure (a main's last call). */
int tan_cli_close_stdout(struct tan_error *e);
/* NO_COLOR unset or empty, and `to` is a terminal. */
bool tan_cli_color(FILE *to);

#endif
