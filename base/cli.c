/* cli.c - command lines as tables of rows: parsing, --help, --version, closing stdout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"

#ifndef TAN_VERSION
#define TAN_VERSION "unknown"
#endif

/* getopt_long returns FIRST_ROW + index of the row for a long option, its letter for a short one.
 */
enum { FIRST_ROW = 256 };

static const struct tan_option help_row = {"help", 'h', NULL, "print this text and exit", NULL};
static const struct tan_option version_row = {"version", 'V', NULL, "print the version and exit",
                                              NULL};

static int count_rows(const struct tan_cli *cli)
{
    int rows = 0;
    while (cli->options[rows].name != NULL) {
        rows++;
    }
    return rows;
}

/* Row `i` of the program's rows followed by --help and --version; NULL for a heading. */
static const struct tan_option *row_at(const struct tan_cli *cli, int rows, int i)
{
    if (i >= rows) {
        return i == rows ? &help_row : &version_row;
    }
    return cli->options[i].set == NULL ? NULL : &cli->options[i];
}

/* The row that getopt_long's result (or optopt) stands for; NULL for none. */
static const struct tan_option *row_of(const struct tan_cli *cli, int rows, int code)
{
    if (code >= FIRST_ROW) {
        return row_at(cli, rows, code - FIRST_ROW);
    }
    for (int i = 0; i < rows + 2 && code > 0; i++) {
        const struct tan_option *row = row_at(cli, rows, i);
        if (row != NULL && row->letter == code) {
            return row;
        }
    }
    return NULL;
}

/* getopt_long met something that is no option: say which of the possible reasons it is. */
static int refuse(const struct tan_cli *cli, int rows, const char *word, struct tan_error *e)
{
    const struct tan_option *row = row_of(cli, rows, optopt);
    if (row != NULL) {
        return tan_fail_usage(e, "option --%s takes no argument, but \"%s\" gives one", row->name,
                              word);
    }
    if (optopt != 0) {
        return tan_fail_usage(e, "there is no option -%c", optopt);
    }
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    char candidates[256] = "";
    int matches = 0;
    for (int i = 0; i < rows + 2; i++) {
        row = row_at(cli, rows, i);
        if (row != NULL && strncmp(row->name, name, length) == 0) {
            const size_t used = strlen(candidates);
            snprintf(candidates + used, sizeof candidates - used, "%s--%s",
                     matches == 0 ? "" : ", ", row->name);
            matches++;
        }
    }
    if (matches > 1) {
        return tan_fail_usage(e, "--%.*s can mean any of %s", (int)length, name, candidates);
    }
    return tan_fail_usage(e, "there is no option --%.*s", (int)length, name);
}

static int take_operand(const struct tan_cli *cli, void *config, const char *value, int number,
                        struct tan_error *e)
{
    if (cli->operand == NULL || cli->max_operands == 0) {
        return tan_fail_usage(e, "\"%s\" is not an option, and no other arguments are taken",
                              value);
    }
    if (cli->max_operands > 0 && number >= cli->max_operands) {
        return tan_fail_usage(e, "\"%s\" is one argument too many: at most %d %s taken", value,
                              cli->max_operands, cli->max_operands == 1 ? "is" : "are");
    }
    if (cli->operand(config, value, e) < 0) {
        return tan_fail_usage(e, "\"%s\" is not understood", value);
    }
    return 0;
}

int tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                  enum tan_cli_action *action, struct tan_error *e)
{
    const int rows = count_rows(cli);
    int operands = 0;
    int result = -1;
    struct option *long_options = calloc((size_t)rows + 3, sizeof *long_options);
    char *letters = calloc(2 * (size_t)rows + 8, 1);
    if (long_options == NULL || letters == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    /* '-' hands out operands in their place, ':' tells a missing argument from an unknown option */
    char *letter = stpcpy(letters, "-:");
    struct option *next = long_options;
    for (int i = 0; i < rows + 2; i++) {
        const struct tan_option *row = row_at(cli, rows, i);
        if (row == NULL) {
            continue;
        }
        const int takes = row->argument != NULL ? required_argument : no_argument;
        *next++ = (struct option){row->name, takes, NULL, FIRST_ROW + i};
        if (row->letter != 0) {
            *letter++ = row->letter;
            if (row->argument != NULL) {
                *letter++ = ':';
            }
        }
    }
    *action = TAN_CLI_RUN;
    opterr = 0;
    optind = 0; /* start afresh, whatever was parsed before */
    int code;
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
        if (code == 1) {
            if (take_operand(cli, config, optarg, operands++, e) < 0) {
                goto done;
            }
            continue;
        }
        if (code == '?') {
            refuse(cli, rows, argv[optind - 1], e);
            goto done;
        }
        const struct tan_option *row = row_of(cli, rows, code == ':' ? optopt : code);
        if (code == ':') {
            tan_fail_usage(e, "option --%s needs an argument: --%s=%s", row->name, row->name,
                           row->argument);
            goto done;
        }
        if (row == &help_row || row == &version_row) {
            *action = row == &help_row ? TAN_CLI_HELP : TAN_CLI_VERSION;
            result = 0;
            goto done;
        }
        if (row->set(config, optarg, e) < 0) {
            tan_fail_usage(e, "--%s: \"%s\" is not understood", row->name,
                           optarg != NULL ? optarg : "");
            goto done;
        }
    }
    for (; optind < argc; optind++) {
        if (take_operand(cli, config, argv[optind], operands++, e) < 0) {
            goto done;
        }
    }
    result = 0;

done:
    free(long_options);
    free(letters);
    return result;
}

/* "-l, --leaves=N" */
static void format_row(const struct tan_option *row, char *buffer, size_t size)
{
    char letter[] = {'-', row->letter, ',', ' ', '\0'};
    snprintf(buffer, size, "%s--%s%s%s", row->letter != 0 ? letter : "    ", row->name,
             row->argument != NULL ? "=" : "", row->argument != NULL ? row->argument : "");
}

static void print_help(const struct tan_cli *cli, FILE *to)
{
    enum { WIDEST_TERM = 26 };
    const int rows = count_rows(cli);
    char term[128];
    int column = 0;
    for (int i = 0; i < rows + 2; i++) {
        const struct tan_option *row = row_at(cli, rows, i);
        if (row != NULL) {
            format_row(row, term, sizeof term);
            const int width = tan_text_width(term);
            column = width > column && width <= WIDEST_TERM ? width : column;
        }
    }
    column += 4;

    const char *line = cli->usage;
    for (const char *before = "Usage:"; line != NULL && *line != '\0'; before = "      ") {
        const size_t length = strcspn(line, "\n");
        fprintf(to, "%s %s %.*s\n", before, cli->program, (int)length, line);
        line += length + (line[length] == '\n');
    }
    tan_text_wrap(to, cli->purpose, 0, 0);

    bool headings = false;
    for (int i = 0; i < rows; i++) {
        headings = headings || row_at(cli, rows, i) == NULL;
    }
    if (rows == 0 || row_at(cli, rows, 0) != NULL) {
        fputs("\nOptions:\n", to);
    }
    for (int i = 0; i < rows + 2; i++) {
        const struct tan_option *row = row_at(cli, rows, i);
        if (row == NULL) {
            fputc('\n', to);
            tan_text_wrap(to, cli->options[i].help, 0, 0);
            continue;
        }
        if (i == rows && headings) {
            fputs("\nHelp:\n", to);
        }
        format_row(row, term, sizeof term);
        tan_text_item(to, term, row->help, column);
    }
    if (cli->more_help != NULL) {
        fputc('\n', to);
        cli->more_help(to);
    }
}

void tan_cli_answer(const struct tan_cli *cli, enum tan_cli_action action)
{
    if (action == TAN_CLI_HELP) {
        print_help(cli, stdout);
    } else if (action == TAN_CLI_VERSION) {
        printf("%s %s\n", cli->program, TAN_VERSION);
    }
}

int tan_cli_close_stdout(struct tan_error *e)
{
    return tan_output_flush(stdout) ? 0 : tan_fail_errno(e, "cannot write standard output");
}

bool tan_cli_color(FILE *to)
{
    const char *no_color = getenv("NO_COLOR");
    return (no_color == NULL || no_color[0] == '\0') && isatty(fileno(to));
}
