/* tan-otf2.c - program: conversion of OTF2 archives to traces for tan-sim
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "base/cli.h"
#include "cmd/tan-otf2/calls.h"

struct config {
    const char *archive, *folder;
};

static int take_archive(void *config, const char *value, struct tan_error *e)
{
    struct config *c = config;
    (void)e;
    c->archive = value;
    return 0;
}

static const struct tan_option options[] = {
    TAN_HEADING("Options:"),
    TAN_OUTPUT("output", 'o', "DIR",
               "write the trace into this folder, a file for each rank [trace]",
               offsetof(struct config, folder)),
    TAN_OPTIONS_END,
};
static const struct tan_option *const groups[] = {options, NULL};

static void more_help(FILE *to)
{
    fputs("Exit status: 0 done, 1 failed, 2 wrong usage.\n", to);
}

static const struct tan_command commands[] = {
    {
        .usage = "[OPTION]... ARCHIVE",
        .purpose = "Write what tan-sim trace reads from an OTF2 archive, such as Score-P's: its "
                   "file traces.otf2, or the folder with it.",
        .groups = groups,
        .max_operands = 1,
        .operand = take_archive,
        .more_help = more_help,
    },
    {.usage = NULL},
};
static const struct tan_cli cli = {.program = "tan-otf2", .commands = commands};

static int convert(const struct config *c, struct tan_error *e)
{
    return c->archive != NULL ? convert_archive(c->archive, c->folder, e)
                              : tan_fail_usage(e, "name an archive, such as traces.otf2");
}

int main(int argc, char **argv)
{
    struct config config = {.folder = "trace"};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    int result = -1;
    if (tan_cli_parse(&cli, &config, argc, argv, &answer, &e) == 0) {
        if (answer.action == TAN_CLI_RUN) {
            result = convert(&config, &e);
        } else {
            tan_cli_print(&cli, &answer);
            result = 0;
        }
    }
    return tan_cli_end(cli.program, result, &e);
}
