/* cli.c - command lines as tables of rows: commands, options, --help, --version
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/cli.h"

#include <getopt.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "base/units.h"

#ifndef TAN_VERSION
#define TAN_VERSION "unknown"
#endif

/* getopt_long returns FIRST_ROW + row index for a long option and the letter for a short one. */
enum { FIRST_ROW = 256 };

static const struct tan_option common_rows[] = {
    TAN_HEADING("Help:"),
    TAN_FLAG("help", 'h', "print this text and exit", 0),
    TAN_FLAG("version", 'V', "print the version and exit", 0),
    TAN_OPTIONS_END,
};
static const struct tan_option *const help_row = &common_rows[1];
static const struct tan_option *const version_row = &common_rows[2];

/* Row `i` of the command's groups in sequence, followed by the common rows; NULL past the end. */
static const struct tan_option *row_at(const struct tan_command *command, int i)
{
    const struct tan_option *const *group = command->groups;
    const struct tan_option *rows = *group != NULL ? *group : common_rows;
    while (rows->name == NULL || i > 0) {
        if (rows->name != NULL) {
            rows++;
            i--;
        } else if (*group == NULL) {
            return NULL;
        } else {
            group++;
            rows = *group != NULL ? *group : common_rows;
        }
    }
    return rows;
}

/* The row that getopt_long's result (or optopt) denotes; NULL if none. */
static const struct tan_option *row_of(const struct tan_command *command, int code)
{
    if (code >= FIRST_ROW) {
        return row_at(command, code - FIRST_ROW);
    }
    const struct tan_option *row;
    for (int i = 0; (row = row_at(command, i)) != NULL && code > 0; i++) {
        if (row->letter == code) {
            return row;
        }
    }
    return NULL;
}

/* The commands that have the option `name` (of `length` characters), or `letter` if that is not 0;
 * "" if there are none. */
static struct tan_text find_elsewhere(const struct tan_cli *cli, const char *name, size_t length,
                                      int letter)
{
    enum { MOST = 3 };
    struct tan_text names = {""};
    int found = 0;
    for (const struct tan_command *c = cli->commands; c->usage != NULL; c++) {
        const struct tan_option *row;
        for (int i = 0; (row = row_at(c, i)) != NULL; i++) {
            if (letter != 0
                    ? row->letter == letter
                    : strlen(row->name) == length && strncmp(row->name, name, length) == 0) {
                if (++found <= MOST) {
                    names =
                        tan_printed("%s%s%s%s%s", names.text, found > 1 ? ", " : "", cli->program,
                                    c->name != NULL ? " " : "", c->name != NULL ? c->name : "");
                } else if (found == MOST + 1) {
                    names = tan_printed("%s and others", names.text);
                }
                break;
            }
        }
    }
    return names;
}

/* The option whose name is the nearest to `name`, of the command, or else one that names another;
 * NULL if none is near. */
static const char *suggest_option(const struct tan_cli *cli, const struct tan_command *command,
                                  const char *name, size_t length)
{
    struct tan_nearest nearest = tan_nearest_to(name, length);
    const struct tan_option *row;
    for (int i = 0; (row = row_at(command, i)) != NULL; i++) {
        if (row->type != TAN_OPTION_HEADING) {
            tan_nearest_try(&nearest, row->name);
        }
    }
    for (const struct tan_command *c = cli->commands; c->usage != NULL; c++) {
        if (c->option != NULL) {
            tan_nearest_try(&nearest, c->option);
        }
    }
    return nearest.name;
}

static int refuse_unknown(const struct tan_cli *cli, const struct tan_command *command,
                          const char *name, size_t length, int letter, struct tan_error *e)
{
    const struct tan_text others = find_elsewhere(cli, name, length, letter);
    const struct tan_text option =
        letter != 0 ? tan_printed("-%c", letter) : tan_printed("--%.*s", (int)length, name);
    if (*others.text != '\0') {
        return tan_fail_usage(e, "%s%s%s has no option %s; it belongs to %s", cli->program,
                              command->name != NULL ? " " : "",
                              command->name != NULL ? command->name : "", option.text, others.text);
    }
    const char *meant = letter != 0 ? NULL : suggest_option(cli, command, name, length);
    return meant != NULL
               ? tan_fail_usage(e, "did you mean --%s? There is no option %s", meant, option.text)
               : tan_fail_usage(e, "there is no option %s", option.text);
}

/* The error for an argument that getopt_long rejects, with the reason. */
static int refuse_option(const struct tan_cli *cli, const struct tan_command *command,
                         const char *word, struct tan_error *e)
{
    const struct tan_option *row = row_of(command, optopt);
    if (row != NULL) {
        return tan_fail_usage(e, "option --%s takes no argument, but \"%s\" gives one", row->name,
                              word);
    }
    if (optopt != 0) {
        return refuse_unknown(cli, command, "", 0, optopt, e);
    }
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    struct tan_text candidates = {""};
    int matches = 0;
    for (int i = 0; (row = row_at(command, i)) != NULL; i++) {
        if (row->type != TAN_OPTION_HEADING && strncmp(row->name, name, length) == 0) {
            candidates =
                tan_printed("%s%s--%s", candidates.text, matches++ == 0 ? "" : ", ", row->name);
        }
    }
    if (matches > 1) {
        return tan_fail_usage(e, "--%.*s can mean any of %s", (int)length, name, candidates.text);
    }
    return refuse_unknown(cli, command, name, length, 0, e);
}

/* Whether operands are arguments of the option that names the command. */
static bool are_of_option(const struct tan_command *command)
{
    return command->operand == NULL && command->max_operands != 0;
}

/* Refuse a first operand that is the name of an option or of a command, which options must not
 * precede, or nearly a command's, unless a file has this name. After "p2p" only the second words of
 * its commands count. */
static int check_command(const struct tan_cli *cli, const struct tan_cli_answer *answer,
                         const char *value, struct tan_error *e)
{
    const char *first = answer->named ? answer->command->name : "";
    const size_t length = strlen(first);
    struct tan_nearest nearest = tan_nearest_to(value, strlen(value));
    for (const struct tan_command *c = cli->commands; c->usage != NULL; c++) {
        if (c->name != NULL && strncmp(c->name, first, length) == 0 &&
            (length == 0 || c->name[length] == ' ')) {
            tan_nearest_try(&nearest, c->name + length + (length > 0));
        }
    }
    if (access(value, F_OK) == 0) {
        return 0;
    }
    const struct tan_option *row;
    const bool of_option = are_of_option(answer->command); /* which says what was meant */
    for (int i = 0; !of_option && (row = row_at(answer->command, i)) != NULL; i++) {
        if (row->type != TAN_OPTION_HEADING && strcmp(row->name, value) == 0) {
            return tan_fail_usage(e, "did you mean --%s? Options begin with --", value);
        }
    }
    if (nearest.name == NULL) {
        return 0;
    }
    const char *space = length > 0 ? " " : "";
    return strcmp(nearest.name, value) == 0
               ? tan_fail_usage(e, "a command comes before its options: %s %s%s%s ...",
                                cli->program, first, space, value)
               : tan_fail_usage(e, "did you mean %s %s%s%s? \"%s\" is not a command", cli->program,
                                first, space, nearest.name, value);
}

/* A name of the option's choice, or of one of its rows. */
static int take_name(const struct tan_option *row, void *to, const char *what, const char *value,
                     struct tan_error *e)
{
    const bool choice = row->type == TAN_OPTION_CHOICE;
    const struct tan_choices names = {choice ? row->names : row->rows,
                                      choice ? sizeof row->names[0] : row->stride, SIZE_MAX};
    const int found = tan_choice_find(names, what, value, e);
    if (found >= 0 && choice) {
        *(int *)to = found;
    } else if (found >= 0) {
        *(const void **)to = (const char *)row->rows + (size_t)found * row->stride;
    }
    return found < 0 ? -1 : 0;
}

static int take_option(const struct tan_option *row, void *config, const char *what,
                       const char *value, struct tan_error *e)
{
    void *to = (char *)config + row->offset;
    switch (row->type) {
    case TAN_OPTION_HEADING:
        break;
    case TAN_OPTION_FLAG:
        *(bool *)to = true;
        break;
    case TAN_OPTION_OUTPUT:
        tan_output_expect(row->name, value);
        /* fall through */
    case TAN_OPTION_TEXT:
        if (value[0] == '\0' && strcmp(row->argument, "FILE") == 0) {
            return tan_fail_usage(e, "%s: the name of the file is empty", what);
        }
        *(const char **)to = value;
        break;
    case TAN_OPTION_COUNT:
        return tan_parse_count(what, value, row->least, row->most, to, e);
    case TAN_OPTION_SIZE:
        return tan_parse_size(what, value, row->least, row->most, to, e);
    case TAN_OPTION_DURATION:
        return tan_parse_duration(what, value, to, e);
    case TAN_OPTION_CHOICE:
    case TAN_OPTION_ROW:
        return take_name(row, to, what, value, e);
    case TAN_OPTION_CALL:
        return row->set(config, what, value, e);
    }
    return 0;
}

/* The row of the option that names a command. */
static const struct tan_option *naming_row(const struct tan_command *command)
{
    const struct tan_option *row = NULL;
    for (int i = 0;
         (row = row_at(command, i)) != NULL && strcmp(row->name, command->option) != 0;) {
        i++;
    }
    return row;
}

static int take_operand(const struct tan_cli *cli, const struct tan_cli_answer *answer,
                        void *config, const char *value, int number, struct tan_error *e)
{
    const struct tan_command *command = answer->command;
    if (number == 0 && check_command(cli, answer, value, e) < 0) {
        return -1;
    }
    if (command->max_operands == 0) {
        return tan_fail_usage(e, "\"%s\" is not an option, and no other arguments are taken",
                              value);
    }
    if (command->max_operands > 0 && number >= command->max_operands) {
        return tan_fail_usage(e, "\"%s\" is one argument too many: at most %d %s taken", value,
                              command->max_operands, command->max_operands == 1 ? "is" : "are");
    }
    if ((are_of_option(command) ? take_option(naming_row(command), config, command->name, value, e)
                                : command->operand(config, value, e)) < 0) {
        return tan_fail_usage(e, "\"%s\" is not understood", value);
    }
    return 0;
}

/* Number of leading `words` that form the command's name; 0 if they do not. */
static int count_name_words(const char *name, int n, char *const *words)
{
    int used = 0;
    for (; name != NULL && *name != '\0'; used++) {
        const size_t length = strcspn(name, " ");
        if (used >= n || strlen(words[used]) != length || strncmp(words[used], name, length) != 0) {
            return 0;
        }
        name += length + strspn(name + length, " ");
    }
    return used;
}

/* Whether an option of that name is among the words. */
static bool is_given(const struct tan_command *command, int argc, char *const *argv)
{
    const size_t length = strlen(command->option);
    const struct tan_option *row = naming_row(command);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if ((strncmp(word, "--", 2) == 0 && strncmp(word + 2, command->option, length) == 0 &&
             (word[2 + length] == '\0' || word[2 + length] == '=')) ||
            (word[0] == '-' && row != NULL && row->letter != 0 && word[1] == row->letter)) {
            return true;
        }
    }
    return false;
}

const struct tan_command *tan_cli_command(const struct tan_cli *cli, int argc, char *const *argv,
                                          int *words)
{
    const struct tan_command *found = cli->commands;
    *words = 0;
    for (const struct tan_command *c = cli->commands; c->usage != NULL; c++) {
        const int used = count_name_words(c->name, argc - 1, argv + 1);
        if (used > *words) {
            *words = used;
            found = c;
        }
    }
    for (const struct tan_command *c = cli->commands; *words == 0 && c->usage != NULL; c++) {
        if (c->option != NULL && is_given(c, argc, argv)) {
            return c;
        }
    }
    return found;
}

/* A command's options in getopt's form. */
struct tables {
    struct option *options;
    char *letters;
};

static int make_tables(const struct tan_command *command, struct tables *t, struct tan_error *e)
{
    int rows = 0;
    while (row_at(command, rows) != NULL) {
        rows++;
    }
    t->options = calloc((size_t)rows + 1, sizeof *t->options);
    t->letters = calloc(2 * (size_t)rows + 4, 1);
    if (t->options == NULL || t->letters == NULL) {
        return tan_fail_nomem(e);
    }
    /* '-': report operands in order; ':': tell a missing argument from an unknown option */
    char *letter = stpcpy(t->letters, "-:");
    struct option *next = t->options;
    for (int i = 0; i < rows; i++) {
        const struct tan_option *row = row_at(command, i);
        if (row->type == TAN_OPTION_HEADING) {
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
    return 0;
}

/* Programs echo names from the command line, so no argument may contain terminal control sequences.
 * Newlines are allowed: lists may span several lines. */
static int check_printable(int argc, char *const *argv, struct tan_error *e)
{
    for (int i = 1; i < argc; i++) {
        if (tan_has_controls(argv[i])) {
            return tan_fail_usage(e, "\"%s\" contains control characters, which are not allowed",
                                  argv[i]);
        }
    }
    return 0;
}

/* Do not let getopt_long accept the name of another command's option as an abbreviation. */
static int check_names(const struct tan_cli *cli, const struct tan_cli_answer *answer, void *config,
                       int argc, char *const *argv, struct tan_error *e)
{
    const struct tan_command *command = answer->command;
    const char *unknown = NULL; /* the first name that nothing has */
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0) {
            continue;
        }
        const char *name = argv[i] + 2;
        const size_t length = strcspn(name, "=");
        bool ours = false;
        bool begins = false; /* as getopt_long accepts */
        const struct tan_option *row;
        for (int k = 0; !ours && (row = row_at(command, k)) != NULL; k++) {
            begins |= row->type != TAN_OPTION_HEADING && strncmp(row->name, name, length) == 0;
            ours = strlen(row->name) == length && strncmp(row->name, name, length) == 0;
        }
        const bool elsewhere = !ours && *find_elsewhere(cli, name, length, 0).text != '\0';
        if (!begins && !elsewhere && unknown == NULL) {
            unknown = name;
        }
        if (elsewhere) {
            /* a misspelled command, or option that names it, of which this may be, comes first */
            const bool word = command->name == NULL && argv[1][0] != '-';
            name = unknown != NULL ? unknown : name;
            return word && command->operand != NULL &&
                           (check_command(cli, answer, argv[1], e) < 0 ||
                            command->operand(config, argv[1], e) < 0)
                       ? -1
                       : refuse_unknown(cli, command, name, strcspn(name, "="), 0, e);
        }
    }
    return 0;
}

static int parse_options(const struct tan_cli *cli, const struct tables *tables, void *config,
                         int argc, char **argv, struct tan_cli_answer *answer, struct tan_error *e)
{
    const struct tan_command *command = answer->command;
    int operands = 0;
    int code;
    opterr = 0;
    optind = 0; /* reset, whatever was parsed before */
    while ((code = getopt_long(argc, argv, tables->letters, tables->options, NULL)) != -1) {
        if (code == 1) {
            if (take_operand(cli, answer, config, optarg, operands++, e) < 0) {
                return -1;
            }
            continue;
        }
        if (code == '?') {
            return refuse_option(cli, command, argv[optind - 1], e);
        }
        const struct tan_option *row = row_of(command, code == ':' ? optopt : code);
        if (code == ':') {
            return tan_fail_usage(e, "option --%s needs an argument: --%s=%s", row->name, row->name,
                                  row->argument);
        }
        if (row == help_row || row == version_row) {
            answer->action = row == help_row ? TAN_CLI_HELP : TAN_CLI_VERSION;
            return 0;
        }
        const struct tan_text what =
            code >= FIRST_ROW ? tan_printed("--%s", row->name) : tan_printed("-%c", row->letter);
        if (take_option(row, config, what.text, optarg, e) < 0) {
            return tan_fail_usage(e, "%s: \"%s\" is not understood", what.text,
                                  optarg != NULL ? optarg : "");
        }
    }
    for (; optind < argc; optind++) {
        if (take_operand(cli, answer, config, argv[optind], operands++, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int tan_cli_parse(const struct tan_cli *cli, void *config, int argc, char **argv,
                  struct tan_cli_answer *answer, struct tan_error *e)
{
    struct tables tables = {NULL, NULL};
    int words;
    const bool help = argc > 1 && strcmp(argv[1], "help") == 0;
    argc -= help;
    argv += help;
    *answer = (struct tan_cli_answer){.command = tan_cli_command(cli, argc, argv, &words)};
    answer->named = words > 0 || answer->command != cli->commands;
    tan_error_help_on(answer->named ? answer->command->name : NULL);
    answer->all = help && argc == 2 && strcmp(argv[1], "all") == 0;
    answer->full = help && argc > 1;
    if (help && (words > 0 || argc == 1 || answer->all)) {
        answer->action = TAN_CLI_HELP;
        return 0;
    }
    /* getopt_long skips the word before the first option or operand. */
    const int result =
        check_printable(argc, argv, e) < 0 ||
                check_names(cli, answer, config, argc - words, argv + words, e) < 0 ||
                make_tables(answer->command, &tables, e) < 0 ||
                parse_options(cli, &tables, config, argc - words, argv + words, answer, e) < 0 ||
                tan_output_check_expected(e) < 0
            ? -1
            : 0;
    free(tables.options);
    free(tables.letters);
    return result;
}

/* "-l, --leaves=N" */
static struct tan_text row_term(const struct tan_option *row)
{
    char letter[] = {'-', row->letter, ',', ' ', '\0'};
    return tan_printed("%s--%s%s%s", row->letter != 0 ? letter : "    ", row->name,
                       row->argument != NULL ? "=" : "",
                       row->argument != NULL ? row->argument : "");
}

/* One line per synopsis of the command. */
static void print_usage(const struct tan_cli *cli, const struct tan_command *command,
                        const char *before, FILE *to)
{
    const char *line = command->usage;
    do {
        const size_t length = strcspn(line, "\n");
        fprintf(to, "%-6s %s%s%s%s%.*s\n", before, cli->program, command->name != NULL ? " " : "",
                command->name != NULL ? command->name : "", length > 0 ? " " : "", (int)length,
                line);
        line += length + (line[length] == '\n');
        before = "";
    } while (*line != '\0');
}

/* The number of rows that the text of --help lists. */
static int count_brief(const struct tan_command *command)
{
    int rows = 0;
    for (int g = 0; g < command->brief; g++) {
        for (const struct tan_option *row = command->groups[g]; row->name != NULL; row++) {
            rows++;
        }
    }
    return rows;
}

/* What fits into the line, up to the end of a clause. */
static void print_clause(FILE *to, const char *term, const char *help, int column)
{
    enum { WIDTH = 80 };
    char text[WIDTH];
    const int room = WIDTH - column;
    size_t end = strlen(help);
    if (tan_text_width(help) > room || strchr(help, '\n') != NULL) {
        end = 0;
        for (size_t i = 0; help[i] != '\0' && help[i] != '\n' && i < (size_t)room; i++) {
            end = strchr(",;:", help[i]) != NULL ||
                          (help[i] == ' ' && strchr("([", help[i + 1]) != NULL)
                      ? i
                      : end;
        }
        for (size_t i = (size_t)room; end == 0 && i > 0; i--) { /* without one, at a word */
            end = help[i] == ' ' ? i : 0;
        }
    }
    snprintf(text, sizeof text, "%.*s", (int)end, help);
    char *open = strrchr(text, '(');
    if (open != NULL && open > text && strchr(open, ')') == NULL) {
        open[-1] = '\0';
    }
    tan_text_item(to, term, text, column);
}

/* `rows`: so many of the first in one line each; 0: all. */
static void print_options(const struct tan_command *command, int rows, FILE *to)
{
    enum { MAX_TERM_WIDTH = 26 };
    int column = 0;
    const struct tan_option *row;
    for (int i = 0; (row = row_at(command, i)) != NULL; i++) {
        if (row->type != TAN_OPTION_HEADING) {
            const int width = tan_text_width(row_term(row).text);
            column = width > column && width <= MAX_TERM_WIDTH ? width : column;
        }
    }
    column += 4;
    for (int i = 0; (row = row_at(command, i)) != NULL; i++) {
        if (row->type == TAN_OPTION_HEADING) {
            fputc('\n', to);
            tan_text_wrap(to, row->help, 0, 0);
        } else if (rows == 0) {
            tan_text_item(to, row_term(row).text, row->help, column);
        } else {
            print_clause(to, row_term(row).text, row->help, column);
        }
        if (i + 1 == rows) {
            return;
        }
    }
    if (command->more_help != NULL) {
        fputc('\n', to);
        command->more_help(to);
    }
}

/* List the named commands. */
static void print_commands(const struct tan_cli *cli, FILE *to)
{
    enum { COLUMN = 18 };
    fputs("\nCommands:\n", to);
    for (const struct tan_command *c = cli->commands; c->usage != NULL; c++) {
        if (c->name != NULL) {
            tan_text_item(to, c->name, c->purpose, COLUMN);
        }
    }
    fprintf(to, "\n%s help COMMAND lists the options of a command, help all those of all.\n",
            cli->program);
}

/* A command with all or its most important options. */
static void print_command(const struct tan_cli *cli, const struct tan_command *command, bool full,
                          FILE *to)
{
    print_usage(cli, command, "Usage:", to);
    tan_text_wrap(to, command->purpose, 0, 0);
    print_options(command, full ? 0 : count_brief(command), to);
}

static void print_help(const struct tan_cli *cli, const struct tan_cli_answer *answer, FILE *to)
{
    const struct tan_command *first = cli->commands;
    const bool several = first[1].usage != NULL;
    if (answer->all) {
        if (cli->more_help != NULL) {
            cli->more_help(to);
            fputs("\n\n", to);
        }
        for (const struct tan_command *c = first; c->usage != NULL; c++) {
            fputs(c == first ? "" : "\n\n", to);
            print_command(cli, c, true, to);
        }
        return;
    }
    if (answer->named || first->name == NULL) {
        print_command(cli, answer->command, answer->full, to);
        if (!answer->named && several) {
            print_commands(cli, to);
        } else if (!answer->full && answer->command->brief > 0) {
            fprintf(to, "\n%s help%s%s lists all options.\n", cli->program,
                    answer->command->name != NULL ? " " : "",
                    answer->command->name != NULL ? answer->command->name : " all");
        }
        return;
    }
    fprintf(to, "Usage: %s COMMAND [OPTION]...\n", cli->program);
    tan_text_wrap(to, cli->purpose, 0, 0);
    print_commands(cli, to);
}

void tan_cli_print(const struct tan_cli *cli, const struct tan_cli_answer *answer)
{
    if (answer->action == TAN_CLI_HELP) {
        print_help(cli, answer, stdout);
    } else if (answer->action == TAN_CLI_VERSION) {
        printf("%s %s\n", cli->program, TAN_VERSION);
    }
}

int tan_cli_close_stdout(struct tan_error *e)
{
    if (tan_output_flush(stdout)) {
        return 0;
    }
    if (e->status == TAN_UNTRUSTED) { /* the untrusted answer was never shown */
        *e = (struct tan_error)TAN_ERROR_INIT;
    }
    return tan_fail_errno(e, "cannot write standard output");
}

/* stdio allocates stdout's buffer on the first write. */
static bool has_printed(void)
{
    return __fbufsize(stdout) > 0 || __fpending(stdout) > 0;
}

int tan_cli_check_answer(struct tan_error *e)
{
    const char *missing = tan_output_missing();
    if (e->status != TAN_DONE && e->status != TAN_UNTRUSTED) {
        return -1;
    }
    if (missing == NULL && (has_printed() || tan_output_any())) {
        return 0;
    }
    *e = (struct tan_error)TAN_ERROR_INIT;
    return missing != NULL
               ? tan_fail(e, "internal error: %s was not written, without an error", missing)
               : tan_fail(e, "internal error: nothing was printed or written, without an error");
}

int tan_cli_end(const char *program, int result, struct tan_error *e)
{
    if (result < 0) {
        tan_fail(e, "internal error: it failed without an error");
    }
    if (tan_cli_close_stdout(e) == 0 && (e->status == TAN_DONE || e->status == TAN_UNTRUSTED)) {
        tan_cli_check_answer(e);
    }
    return e->status == TAN_DONE ? TAN_DONE : tan_error_print(e, program, stderr);
}
