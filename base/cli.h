/* cli.h - command lines as tables of rows: commands, options, --help, --version
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_CLI_H
#define TAN_BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Type of an option's argument, and of the configuration member that stores it. */
enum tan_option_type {
    TAN_OPTION_HEADING,  /* not an option: `help` is a heading of the help text */
    TAN_OPTION_FLAG,     /* bool, set to true; takes no argument */
    TAN_OPTION_TEXT,     /* const char *, borrowed from argv */
    TAN_OPTION_OUTPUT,   /* the same, for a file or folder that the program writes */
    TAN_OPTION_COUNT,    /* int64_t: tan_parse_count from `least` to `most` */
    TAN_OPTION_SIZE,     /* int64_t, bytes: tan_parse_size from `least` to `most` */
    TAN_OPTION_DURATION, /* double, seconds: tan_parse_duration */
    TAN_OPTION_CHOICE,   /* an enum: index of the argument in `names` */
    TAN_OPTION_ROW,      /* a pointer to the row of `rows` with this name */
    TAN_OPTION_CALL,     /* anything else, parsed by `set` */
};

/* One option. A table of them ends with a row whose name is NULL. */
struct tan_option {
    const char *name;     /* long name without dashes; "" for a heading */
    char letter;          /* short name, 0 if none */
    const char *argument; /* placeholder in the help, "N" or "FILE"; NULL if it takes none */
    const char *help;     /* what it does; may contain newlines, continuation lines are indented */
    enum tan_option_type type;
    size_t offset;            /* of the configuration member that stores the value */
    int64_t least, most;      /* of counts and sizes */
    const char *const *names; /* of a choice; ends with NULL */
    const void *rows;         /* begin with a name, NULL in the last; `stride` bytes each */
    size_t stride;
    /* `what` is the option as given, "--bytes" or "-b"; value is NULL if it takes no argument. */
    int (*set)(void *config, const char *what, const char *value, struct tan_error *e);
};

/* Rows of such a table; `at` is offsetof(struct CONFIGURATION, MEMBER). */
#define TAN_HEADING(text)                                                                          \
    {                                                                                              \
        .name = "", .help = (text), .type = TAN_OPTION_HEADING                                     \
    }
#define TAN_FLAG(name_, letter_, help_, at)                                                        \
    {                                                                                              \
        .name = (name_), .letter = (letter_), .help = (help_), .type = TAN_OPTION_FLAG,            \
        .offset = (at)                                                                             \
    }
#define TAN_OPTION(name_, letter_, argument_, help_, type_, ...)                                   \
    {                                                                                              \
        .name = (name_), .letter = (letter_), .argument = (argument_), .help = (help_),            \
        .type = (type_), __VA_ARGS__                                                               \
    }
#define TAN_TEXT(name, letter, argument, help, at)                                                 \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_TEXT, .offset = (at))
#define TAN_OUTPUT(name, letter, argument, help, at)                                               \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_OUTPUT, .offset = (at))
#define TAN_COUNT(name, letter, argument, help, at, least_, most_)                                 \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_COUNT, .offset = (at), .least = (least_),  \
               .most = (most_))
#define TAN_SIZE(name, letter, argument, help, at, least_, most_)                                  \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_SIZE, .offset = (at), .least = (least_),   \
               .most = (most_))
#define TAN_DURATION(name, letter, argument, help, at)                                             \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_DURATION, .offset = (at))
#define TAN_CHOICE(name, letter, argument, help, at, names_)                                       \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_CHOICE, .offset = (at), .names = (names_))
#define TAN_ROW(name, letter, argument, help, at, table)                                           \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_ROW, .offset = (at), .rows = (table),      \
               .stride = sizeof(table)[0])
#define TAN_CALL(name, letter, argument, help, function)                                           \
    TAN_OPTION(name, letter, argument, help, TAN_OPTION_CALL, .set = (function))
#define TAN_OPTIONS_END                                                                            \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* One command of a program. A table of them ends with a row whose usage is NULL. */
struct tan_command {
    const char *name;    /* "run"; may be two words, "p2p validate"; NULL if unnamed */
    const char *option;  /* one of its options that names it, too, as "target" in "--target slurm";
                            NULL if none does */
    const char *usage;   /* one synopsis per line, without program and command name */
    const char *purpose; /* one or two sentences */
    const struct tan_option *const *groups; /* option tables, shared by commands; NULL-terminated */
    int brief;        /* so many of them, and no more help, are in the text of --help; 0: all */
    int max_operands; /* -1: any number */
    /* NULL: they are arguments of the option that names the command, if there is one */
    int (*operand)(void *config, const char *value, struct tan_error *e);
    void (*more_help)(FILE *to); /* tables and examples after the options; may be NULL */
};

struct tan_cli {
    const char *program;
    const char *purpose;                /* of the program, if its first command is named */
    const struct tan_command *commands; /* the first is the default */
    void (*more_help)(FILE *to);        /* after the list of commands; may be NULL */
};

enum tan_cli_action { TAN_CLI_RUN, TAN_CLI_HELP, TAN_CLI_VERSION };

struct tan_cli_answer {
    enum tan_cli_action action;
    const struct tan_command *command; /* the one named, or the default */
    bool named;                        /* whether it was named explicitly */
    bool full, all;                    /* help: all options of the command; of all commands */
};

/* The command selected by argv[1] and argv[2], or the first one of which an option that names it is
 * given, or the default; *words: number of words in its name. */
const struct tan_command *tan_cli_command(const struct tan_cli *cli, int argc, char *const *argv,
                                          int *words);
/* Fill `config` from argv. Prints nothing, since under MPI only one rank may: --help and --version
 * are returned in *answer for tan_cli_print, and so are `help COMMAND` and `help all`, which list
 * more options. An option of other commands
 * is refused with the names of those commands, an unknown one with the nearest that is known.
 * Errors are TAN_USAGE unless a `set` reports another status. Options and operands may be mixed;
 * "--" ends the options. */
int tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                  struct tan_cli_answer *answer, struct tan_error *e);
/* Print the help text or the version on stdout. */
void tan_cli_print(const struct tan_cli *cli, const struct tan_cli_answer *answer);
/* Flush stdout, and fail if the disk is full or the pipe is closed. */
int tan_cli_close_stdout(struct tan_error *e);
/* Called before reporting success: fail unless something was written to stdout or a file, and every
 * file named by a TAN_OPTION_OUTPUT was written. */
int tan_cli_check_answer(struct tan_error *e);
/* Last call of main: close stdout, check the answer, print the error and return the exit status.
 * `result` is the return value of the program's work; -1 without an error is an internal error. */
int tan_cli_end(const char *program, int result, struct tan_error *e);

#endif
