/* test_cli.c - command lines: parsing, errors, --help
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/output.h"
#include "base/units.h"

enum shade { LIGHT, DARK };

struct config {
    int64_t leaves, bytes;
    double seconds;
    enum shade shade;
    bool dry;
    const char *maximum;
    char what[32]; /* how --never was spelled */
    const char *operand[4];
    int operands;
};

static int set_never(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)value;
    snprintf(((struct config *)config)->what, sizeof((struct config *)config)->what, "%s", what);
    return tan_fail_infeasible(e, "never");
}

static int add_operand(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    struct config *c = config;
    c->operand[c->operands++] = value;
    return 0;
}

static void print_more(FILE *to)
{
    fputs("More.\n", to);
}

#define AT(member) offsetof(struct config, member)
static const char *const shades[] = {[LIGHT] = "light", [DARK] = "dark", NULL};
static const struct tan_option tree_rows[] = {
    TAN_HEADING("Tree:"),
    TAN_COUNT("leaves", 'n', "N", "number of leaves", AT(leaves), 1, 100),
    TAN_TEXT("max-fanout", 0, "X", "at most X children\n(none by default)", AT(maximum)),
    TAN_TEXT("max-height", 0, "Y", "at most Y levels", AT(maximum)),
    TAN_OPTIONS_END,
};
static const struct tan_option run_rows[] = {
    TAN_HEADING("Running:"),
    TAN_FLAG("dry-run", 'd', "only say what would be done", AT(dry)),
    TAN_CALL("never", 'N', NULL,
             "fails, and has an explanation that is so long that it does not fit a line of "
             "the screen",
             set_never),
    TAN_OPTIONS_END,
};
static const struct tan_option leaf_rows[] = {
    TAN_HEADING("Leaves:"),
    TAN_SIZE("bytes", 'b', "SIZE", "of a leaf", AT(bytes), 1, 4096),
    TAN_DURATION("time", 0, "TIME", "for each", AT(seconds)),
    TAN_CHOICE("shade", 0, "SHADE", "light or dark", AT(shade), shades),
    TAN_TEXT("column-of-help", 0, "WORDS", "begins behind this", AT(maximum)),
    TAN_TEXT("longer-than-that", 0, "TEXT", "on a line of its own", AT(maximum)),
    TAN_OPTIONS_END,
};

/* A program of one command. */
static const struct tan_command only[] = {
    {
        .usage = "[OPTION]... SPEC\n--never",
        .purpose = "Tests.",
        .groups = (const struct tan_option *const[]){tree_rows, run_rows, NULL},
        .max_operands = 2,
        .operand = add_operand,
        .more_help = print_more,
    },
    {.usage = NULL},
};
static const struct tan_cli cli = {.program = "prog", .commands = only};

/* One of several, the first of which is meant where none is named. */
static const struct tan_command commands[] = {
    {
        .name = "grow",
        .usage = "[OPTION]... SPEC",
        .purpose = "Grow a tree.",
        .groups = (const struct tan_option *const[]){tree_rows, run_rows, NULL},
        .max_operands = -1,
        .operand = add_operand,
    },
    {
        .name = "leaf",
        .usage = "[OPTION]...",
        .purpose = "Add leaves.",
        .groups = (const struct tan_option *const[]){leaf_rows, NULL},
    },
    {
        .name = "leaf cut",
        .usage = "FILE",
        .purpose = "Cut leaves.",
        .groups = (const struct tan_option *const[]){run_rows, NULL},
        .max_operands = 1,
        .operand = add_operand,
        .more_help = print_more,
    },
    {.usage = NULL},
};
static const struct tan_cli several = {
    .program = "prog", .purpose = "Trees.", .commands = commands, .more_help = print_more};

/* Parse up to 7 words behind the program's name. */
static int parse(const struct tan_cli *c, const char *const *words, struct config *config,
                 struct tan_cli_answer *answer, struct tan_error *e)
{
    char *argv[9] = {(char *)"prog"};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++) {
        argv[argc] = (char *)words[argc - 1];
    }
    *config = (struct config){.leaves = 0};
    return tan_cli_parse(c, config, argc, argv, answer, e);
}

/* The last value counts, however the option is spelled and whatever its type. */
TEST(given_twice)
{
    struct config config;
    struct tan_cli_answer answer;
    struct tan_error e = TAN_ERROR_INIT;
    const char *const counts[] = {"-n", "4", "--leaves=5", "-d", "-d", "x", NULL};
    assert_int_equal(parse(&cli, counts, &config, &answer, &e), 0);
    assert_int_equal(config.leaves, 5);
    assert_true(config.dry);
    const char *const texts[] = {"--max-fanout=7", "--max-fanout", "3", "x", NULL};
    assert_int_equal(parse(&cli, texts, &config, &answer, &e), 0);
    assert_string_equal(config.maximum, "3");
    const char *const others[] = {"leaf", "-b4",       "--time=1s",     "--shade=dark",
                                  "-b9",  "--time=2s", "--shade=light", NULL};
    assert_int_equal(parse(&several, others, &config, &answer, &e), 0);
    assert_int_equal(config.bytes, 9);
    assert_close(config.seconds, 2, 0);
    assert_int_equal(config.shade, LIGHT);
    const char *const wrong[] = {"--leaves=0", "--leaves=5", "x", NULL}; /* each must be valid */
    assert_int_equal(parse(&cli, wrong, &config, &answer, &e), -1);
}

TEST(good_lines)
{
    struct config config;
    struct tan_cli_answer answer;
    struct tan_error e = TAN_ERROR_INIT;

    const char *const mixed[] = {"one", "--leaves", "4", "two", "-d", NULL};
    assert_int_equal(parse(&cli, mixed, &config, &answer, &e), 0);
    assert_int_equal(answer.action, TAN_CLI_RUN);
    assert_int_equal(config.leaves, 4);
    assert_true(config.dry);
    assert_int_equal(config.operands, 2);
    assert_string_equal(config.operand[0], "one");
    assert_string_equal(config.operand[1], "two");

    const char *const ended[] = {"--leaves=5", "--", "-d", "--leaves", NULL};
    assert_int_equal(parse(&cli, ended, &config, &answer, &e), 0);
    assert_int_equal(config.leaves, 5);
    assert_false(config.dry);
    assert_string_equal(config.operand[0], "-d");
    assert_string_equal(config.operand[1], "--leaves");

    const char *const brief[] = {"-dn7", "-", "--max-f=3", NULL};
    assert_int_equal(parse(&cli, brief, &config, &answer, &e), 0);
    assert_int_equal(config.leaves, 7);
    assert_true(config.dry);
    assert_string_equal(config.operand[0], "-");
    assert_string_equal(config.maximum, "3");

    const char *const nothing[] = {NULL};
    assert_int_equal(parse(&cli, nothing, &config, &answer, &e), 0);

    /* POSIXLY_CORRECT changes getopt's order, not ours */
    setenv("POSIXLY_CORRECT", "1", 1);
    assert_int_equal(parse(&cli, mixed, &config, &answer, &e), 0);
    assert_int_equal(config.leaves, 4);
    unsetenv("POSIXLY_CORRECT");
    assert_no_error(e);
}

TEST(commands_are_found)
{
    struct config config;
    struct tan_error e = TAN_ERROR_INIT;
    static const struct {
        const char *words[5];
        int command;
        bool named;
        int operands;
    } rows[] = {
        {{NULL}, 0, false, 0},
        {{"a:1", "leaf"}, 0, false, 2},
        {{"grow", "grow", "-n3"}, 0, true, 1},
        {{"leaf", "-b64"}, 1, true, 0},
        {{"leaf", "cut", "cut"}, 2, true, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words[6] = {NULL};
        struct tan_cli_answer answer;
        memcpy(words, rows[i].words, sizeof rows[i].words);
        assert_int_equal(parse(&several, words, &config, &answer, &e), 0);
        assert_ptr_equal(answer.command, &commands[rows[i].command]);
        assert_int_equal(answer.named, rows[i].named);
        assert_int_equal(config.operands, rows[i].operands);
    }
}

TEST(mistyped_commands_are_named)
{
    struct config config;
    struct tan_error e;
    static const struct {
        const char *words[4];
        const char *error;
    } rows[] = {
        {{"gorw"}, "did you mean prog grow? \"gorw\" is not a command"},
        {{"help", "gorw"}, "did you mean prog grow? \"gorw\" is not a command"},
        {{"leaf", "cutt"}, "did you mean prog leaf cut? \"cutt\" is not a command"},
        {{"--leaves=3", "grow"}, "a command comes before its options: prog grow ..."},
        {{"--leafs=3"}, "did you mean --leaves? There is no option --leafs"},
        {{"--nodes=3"}, "there is no option --nodes"},
        {{"-Q3"}, "there is no option -Q"},
        {{"-y"}, "there is no option -y"},
        {{"--wxyz"}, "there is no option --wxyz"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words[5] = {NULL};
        struct tan_cli_answer answer;
        memcpy(words, rows[i].words, sizeof rows[i].words);
        e = (struct tan_error)TAN_ERROR_INIT;
        assert_int_equal(parse(&several, words, &config, &answer, &e), -1);
        assert_string_equal(e.text, rows[i].error);
    }
    static const char *const help[] = {"help", "leaf", "cut", NULL};
    struct tan_cli_answer answer;
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_int_equal(parse(&several, help, &config, &answer, &e), 0);
    assert_int_equal(answer.action, TAN_CLI_HELP);
    assert_ptr_equal(answer.command, &commands[2]);
}

TEST(values_have_types)
{
    struct config config;
    struct tan_cli_answer answer;
    struct tan_error e = TAN_ERROR_INIT;
    const char *const words[] = {"leaf", "-b", "1KiB", "--time=5ms", "--shade", "dark", NULL};
    assert_int_equal(parse(&several, words, &config, &answer, &e), 0);
    assert_int_equal(config.bytes, 1024);
    assert_close(config.seconds, 0.005, 1e-15);
    assert_int_equal(config.shade, DARK);
}

TEST(answers)
{
    struct config config;
    struct tan_cli_answer answer;
    struct tan_error e = TAN_ERROR_INIT;
    static const struct {
        const char *words[3];
        enum tan_cli_action action;
    } rows[] = {
        {{"-h"}, TAN_CLI_HELP},
        {{"--help", "--nonsense"}, TAN_CLI_HELP},
        {{"--version"}, TAN_CLI_VERSION},
        {{"-dV"}, TAN_CLI_VERSION},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(parse(&cli, rows[i].words, &config, &answer, &e), 0);
        assert_int_equal(answer.action, rows[i].action);
    }
}

TEST(bad_lines)
{
    struct config config;
    struct tan_cli_answer answer;
    struct tan_error e = TAN_ERROR_INIT;
    static const struct {
        const struct tan_cli *cli;
        const char *words[4];
        enum tan_status status;
        const char *error;
    } rows[] = {
        {&cli, {"--nonsense"}, TAN_USAGE, "there is no option --nonsense"},
        {&cli, {"--nonsense=3"}, TAN_USAGE, "there is no option --nonsense"},
        {&cli, {"-x"}, TAN_USAGE, "there is no option -x"},
        {&cli, {"-dx"}, TAN_USAGE, "there is no option -x"},
        {&cli, {"--leaves"}, TAN_USAGE, "option --leaves needs an argument: --leaves=N"},
        {&cli, {"-n"}, TAN_USAGE, "option --leaves needs an argument: --leaves=N"},
        {&cli, {"--dry-run=yes"}, TAN_USAGE, "option --dry-run takes no argument"},
        {&cli,
         {"a\033[31mb"},
         TAN_USAGE,
         "\"a?[31mb\" contains control characters, which are not allowed"},
        {&cli, {"--max-height", "\302\233m"}, TAN_USAGE, "\"??m\" contains control characters"},
        {&cli, {"--\a"}, TAN_USAGE, "\"--?\" contains control characters"},
        {&cli, {"--help=yes"}, TAN_USAGE, "option --help takes no argument"},
        {&cli, {"--max=3"}, TAN_USAGE, "--max can mean any of --max-fanout, --max-height"},
        {&cli,
         {"--leaves", "0"},
         TAN_USAGE,
         "--leaves must be a whole number from 1 to 100, not \"0\""},
        {&cli, {"-n0"}, TAN_USAGE, "-n must be a whole number from 1 to 100, not \"0\""},
        {&cli, {"--never"}, TAN_INFEASIBLE, "never"},
        {&cli, {"a", "b", "c"}, TAN_USAGE, "\"c\" is one argument too many: at most 2 are taken"},
        {&cli, {"--", "a", "b", "c"}, TAN_USAGE, "\"c\" is one argument too many"},
        {&several,
         {"--time=1s"},
         TAN_USAGE,
         "prog grow has no option --time; it belongs to prog leaf"},
        {&several,
         {"leaf", "-d"},
         TAN_USAGE,
         "prog leaf has no option -d; it belongs to prog grow, prog leaf cut"},
        {&several, {"--sha=dark"}, TAN_USAGE, "there is no option --sha"},
        {&several, {"leaf", "--tim"}, TAN_USAGE, "option --time needs an argument"},
        {&several, {"leaf", "--tree=3"}, TAN_USAGE, "there is no option --tree"},
        {&several,
         {"leaf", "--shade=grey"},
         TAN_USAGE,
         "--shade: \"grey\" is not one of light, dark"},
        {&several, {"leaf", "--time=5"}, TAN_USAGE, "--time must be a time with its unit"},
        {&several, {"leaf", "-b8KiB"}, TAN_USAGE, "-b must be a size from 1 B to 4 KiB"},
        {&several, {"leaf", "x"}, TAN_USAGE, "\"x\" is not an option, and no other arguments are"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words[5] = {NULL};
        memcpy(words, rows[i].words, sizeof rows[i].words);
        assert_int_equal(parse(rows[i].cli, words, &config, &answer, &e), -1);
        assert_error(e, rows[i].status, rows[i].error);
    }
    /* `set` sees the spelling */
    const char *const brief[] = {"-N", NULL};
    assert_int_equal(parse(&cli, brief, &config, &answer, &e), -1);
    assert_string_equal(config.what, "-N");
}

/* What tan_cli_print prints; the caller frees. */
static char *text_of(const struct tan_cli *c, struct tan_cli_answer answer)
{
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    assert_non_null(file);
    dup2(fileno(file), STDOUT_FILENO);
    tan_cli_print(c, &answer);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    char *text = calloc(1, 4096);
    assert_non_null(text);
    rewind(file);
    assert_true(fread(text, 1, 4095, file) > 0);
    fclose(file);
    return text;
}

TEST(help_text)
{
    char *text = text_of(&cli, (struct tan_cli_answer){TAN_CLI_HELP, only, false, false, false});
    assert_string_equal(text, "Usage: prog [OPTION]... SPEC\n"
                              "       prog --never\n"
                              "Tests.\n"
                              "\n"
                              "Tree:\n"
                              "  -n, --leaves=N      number of leaves\n"
                              "      --max-fanout=X  at most X children\n"
                              "                      (none by default)\n"
                              "      --max-height=Y  at most Y levels\n"
                              "\n"
                              "Running:\n"
                              "  -d, --dry-run       only say what would be done\n"
                              "  -N, --never         fails, and has an explanation that is so long "
                              "that it does\n"
                              "                      not fit a line of the screen\n"
                              "\n"
                              "Help:\n"
                              "  -h, --help          print this text and exit\n"
                              "  -V, --version       print the version and exit\n"
                              "\n"
                              "More.\n");
    free(text);
    text = text_of(&cli, (struct tan_cli_answer){TAN_CLI_VERSION, only, false, false, false});
    assert_string_equal(text, "prog " TAN_VERSION "\n");
    free(text);
}

TEST(help_of_commands)
{
    char *text =
        text_of(&several, (struct tan_cli_answer){TAN_CLI_HELP, commands, false, false, false});
    assert_string_equal(text, "Usage: prog COMMAND [OPTION]...\n"
                              "Trees.\n"
                              "\n"
                              "Commands:\n"
                              "  grow            Grow a tree.\n"
                              "  leaf            Add leaves.\n"
                              "  leaf cut        Cut leaves.\n"
                              "\n"
                              "prog help COMMAND lists the options of a command, help all those of "
                              "all.\n");
    free(text);
    text =
        text_of(&several, (struct tan_cli_answer){TAN_CLI_HELP, &commands[1], true, false, false});
    assert_string_equal(text, "Usage: prog leaf [OPTION]...\n"
                              "Add leaves.\n"
                              "\n"
                              "Leaves:\n"
                              "  -b, --bytes=SIZE            of a leaf\n"
                              "      --time=TIME             for each\n"
                              "      --shade=SHADE           light or dark\n"
                              "      --column-of-help=WORDS  begins behind this\n"
                              "      --longer-than-that=TEXT\n"
                              "                              on a line of its own\n"
                              "\n"
                              "Help:\n"
                              "  -h, --help                  print this text and exit\n"
                              "  -V, --version               print the version and exit\n");
    free(text);
}

/* The text of --help has so many groups, an option a line, cut at the end of a clause; help all has
 * everything. */
TEST(brief_help)
{
    const struct tan_command brief[] = {
        {
            .usage = "SPEC",
            .purpose = "Tests.",
            .groups = (const struct tan_option *const[]){run_rows, tree_rows, NULL},
            .brief = 1,
            .more_help = print_more,
        },
        {.usage = NULL},
    };
    const struct tan_cli program = {.program = "prog", .commands = brief};
    char *text =
        text_of(&program, (struct tan_cli_answer){TAN_CLI_HELP, brief, false, false, false});
    assert_string_equal(text, "Usage: prog SPEC\n"
                              "Tests.\n"
                              "\n"
                              "Running:\n"
                              "  -d, --dry-run       only say what would be done\n"
                              "  -N, --never         fails\n"
                              "\n"
                              "prog help all lists all options.\n");
    free(text);
    text = text_of(&program, (struct tan_cli_answer){TAN_CLI_HELP, brief, false, true, true});
    assert_non_null(strstr(text, "--max-height"));
    assert_non_null(strstr(text, "More."));
    free(text);
}

/* An option may name its command; the first command of the table is meant, if several are named. */
TEST(named_by_options)
{
    const struct tan_command rows[] = {
        {.usage = "SPEC", .groups = (const struct tan_option *const[]){tree_rows, NULL}},
        {.name = "leaf",
         .option = "bytes",
         .usage = "SPEC",
         .groups = (const struct tan_option *const[]){leaf_rows, NULL}},
        {.name = "shade",
         .option = "shade",
         .usage = "SPEC",
         .groups = (const struct tan_option *const[]){leaf_rows, NULL}},
        {.usage = NULL},
    };
    const struct tan_cli program = {.program = "prog", .commands = rows};
    static const struct {
        const char *words[4];
        int command;
    } lines[] = {
        {{"-n", "3"}, 0},
        {{"--bytes", "8"}, 1},
        {{"--bytes=8"}, 1},
        {{"-b8"}, 1},
        {{"--time=1s", "--shade", "dark"}, 2},
        {{"--shade=dark", "-b", "8"}, 1},
        {{"shade", "--bytes=8"}, 2},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct config config;
        struct tan_cli_answer answer;
        struct tan_error e = TAN_ERROR_INIT;
        const char *words[5] = {NULL};
        memcpy(words, lines[i].words, sizeof lines[i].words);
        assert_int_equal(parse(&program, words, &config, &answer, &e), 0);
        assert_ptr_equal(answer.command, &rows[lines[i].command]);
    }
}

/* What closing a standard output that cannot be written makes of an error. */
static void close_full_stdout(struct tan_error *e)
{
    const int saved = dup(STDOUT_FILENO);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    dup2(fileno(full), STDOUT_FILENO);
    fputs("lost", stdout);
    const int result = tan_cli_close_stdout(e);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(full);
    clearerr(stdout);
    assert_int_equal(result, -1);
}

/* Nobody has read an answer that is not to be trusted; a failure before is the one that counts. */
TEST(full_stdout)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_cli_close_stdout(&e), 0);
    close_full_stdout(&e);
    assert_error(e, TAN_FAILED, "cannot write standard output: No space left on device");
    e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail(&e, "not trustworthy");
    e.status = TAN_UNTRUSTED;
    close_full_stdout(&e);
    assert_error(e, TAN_FAILED, "cannot write standard output: No space left on device");
    e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail(&e, "no machine");
    close_full_stdout(&e);
    assert_error(e, TAN_FAILED, "no machine");
}

/* The exit status of a program that ends so, which has printed `text` and written `path`, of which
 * `asked` was asked for. */
static int end_status(const char *text, const char *path, const char *asked, int result)
{
    const pid_t child = fork();
    int status = -1;
    if (child == 0) {
        struct tan_error e = TAN_ERROR_INIT;
        if (freopen("/dev/null", "w", stdout) == NULL ||
            freopen("/dev/null", "w", stderr) == NULL) {
            _exit(99);
        }
        fputs(text, stdout);
        if (asked != NULL) {
            tan_output_expect("--json", asked);
        }
        if (path != NULL) {
            tan_output_commit(tan_output_open(path, &e), &e);
        }
        _exit(tan_cli_end("program", result, &e));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(silent_ends)
{
    static const struct {
        const char *text, *path, *asked;
        int result, status;
    } rows[] = {
        {"an answer", NULL, NULL, 0, TAN_DONE},
        {"", "/dev/null", NULL, 0, TAN_DONE},
        {"", NULL, NULL, 0, TAN_FAILED},
        {"an answer", NULL, NULL, -1, TAN_FAILED},
        {"an answer", NULL, "/dev/null", 0, TAN_FAILED},
        {"an answer", "/dev/null", "/dev/null", 0, TAN_DONE},
        {"an answer", "/dev/null", "/dev/nul", 0, TAN_FAILED},
        {"", "/dev/null", "/dev", 0, TAN_DONE}, /* a folder with a file in it */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(end_status(rows[i].text, rows[i].path, rows[i].asked, rows[i].result),
                         rows[i].status);
    }
}

RUN_TESTS(NULL, NULL)
