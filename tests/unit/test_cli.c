/* test_cli.c - command lines: what is read, what is refused, what --help prints
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/units.h"

struct config {
    int64_t leaves;
    bool dry;
    const char *maximum;
    const char *operand[4];
    int operands;
};

static int set_leaves(void *config, const char *value, struct tan_error *e)
{
    return tan_parse_count("--leaves", value, 1, 100, &((struct config *)config)->leaves, e);
}

static int set_dry(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    assert_null(value);
    ((struct config *)config)->dry = true;
    return 0;
}

static int set_maximum(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->maximum = value;
    return 0;
}

static int set_never(void *config, const char *value, struct tan_error *e)
{
    (void)config;
    (void)value;
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

static const struct tan_option options[] = {
    {"", 0, NULL, "Tree:", NULL},
    {"leaves", 'n', "N", "so many leaves", set_leaves},
    {"max-fanout", 0, "X", "at most X children\n(none by default)", set_maximum},
    {"max-height", 0, "Y", "at most Y levels", set_maximum},
    {"", 0, NULL, "Running:", NULL},
    {"dry-run", 'd', NULL, "only say what would be done", set_dry},
    {"never", 0, NULL,
     "fails, and has an explanation that is so long that it does not fit a line of "
     "the screen",
     set_never},
    {NULL, 0, NULL, NULL, NULL},
};

static const struct tan_cli cli = {
    .program = "prog",
    .usage = "[OPTION]... SPEC\n--never",
    .purpose = "Tests.",
    .options = options,
    .max_operands = 2,
    .more_help = print_more,
    .operand = add_operand,
};

/* Parse up to 7 words behind the program's name. */
static int parse(const struct tan_cli *c, const char *const *words, struct config *config,
                 enum tan_cli_action *action, struct tan_error *e)
{
    char *argv[9] = {(char *)"prog"};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++) {
        argv[argc] = (char *)words[argc - 1];
    }
    *config = (struct config){.leaves = 0};
    return tan_cli_parse(c, config, argc, argv, action, e);
}

static void good_lines(void **state)
{
    (void)state;
    struct config config;
    enum tan_cli_action action;
    struct tan_error e = TAN_ERROR_INIT;

    const char *const mixed[] = {"one", "--leaves", "4", "two", "-d", NULL};
    assert_int_equal(parse(&cli, mixed, &config, &action, &e), 0);
    assert_int_equal(action, TAN_CLI_RUN);
    assert_int_equal(config.leaves, 4);
    assert_true(config.dry);
    assert_int_equal(config.operands, 2);
    assert_string_equal(config.operand[0], "one");
    assert_string_equal(config.operand[1], "two");

    const char *const ended[] = {"--leaves=5", "--", "-d", "--leaves", NULL};
    assert_int_equal(parse(&cli, ended, &config, &action, &e), 0);
    assert_int_equal(config.leaves, 5);
    assert_false(config.dry);
    assert_string_equal(config.operand[0], "-d");
    assert_string_equal(config.operand[1], "--leaves");

    const char *const brief[] = {"-dn7", "-", "--max-f=3", NULL};
    assert_int_equal(parse(&cli, brief, &config, &action, &e), 0);
    assert_int_equal(config.leaves, 7);
    assert_true(config.dry);
    assert_string_equal(config.operand[0], "-");
    assert_string_equal(config.maximum, "3");

    const char *const nothing[] = {NULL};
    assert_int_equal(parse(&cli, nothing, &config, &action, &e), 0);

    /* POSIXLY_CORRECT changes getopt's order, not ours */
    setenv("POSIXLY_CORRECT", "1", 1);
    assert_int_equal(parse(&cli, mixed, &config, &action, &e), 0);
    assert_int_equal(config.leaves, 4);
    unsetenv("POSIXLY_CORRECT");
    assert_no_error(e);
}

static void answers(void **state)
{
    (void)state;
    struct config config;
    enum tan_cli_action action;
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
        assert_int_equal(parse(&cli, rows[i].words, &config, &action, &e), 0);
        assert_int_equal(action, rows[i].action);
    }
}

static void bad_lines(void **state)
{
    (void)state;
    struct config config;
    enum tan_cli_action action;
    struct tan_error e = TAN_ERROR_INIT;
    static const struct {
        const char *words[4];
        enum tan_status status;
        const char *error;
    } rows[] = {
        {{"--nonsense"}, TAN_USAGE, "there is no option --nonsense"},
        {{"--nonsense=3"}, TAN_USAGE, "there is no option --nonsense"},
        {{"-x"}, TAN_USAGE, "there is no option -x"},
        {{"-dx"}, TAN_USAGE, "there is no option -x"},
        {{"--leaves"}, TAN_USAGE, "option --leaves needs an argument: --leaves=N"},
        {{"-n"}, TAN_USAGE, "option --leaves needs an argument: --leaves=N"},
        {{"--dry-run=yes"}, TAN_USAGE, "option --dry-run takes no argument"},
        {{"--help=yes"}, TAN_USAGE, "option --help takes no argument"},
        {{"--max=3"}, TAN_USAGE, "--max can mean any of --max-fanout, --max-height"},
        {{"--leaves", "0"}, TAN_USAGE, "--leaves must be a whole number from 1 to 100, not \"0\""},
        {{"--never"}, TAN_INFEASIBLE, "never"},
        {{"a", "b", "c"}, TAN_USAGE, "\"c\" is one argument too many: at most 2 are taken"},
        {{"--", "a", "b", "c"}, TAN_USAGE, "\"c\" is one argument too many"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words[5] = {NULL};
        memcpy(words, rows[i].words, sizeof rows[i].words);
        assert_int_equal(parse(&cli, words, &config, &action, &e), -1);
        assert_error(e, rows[i].status, rows[i].error);
    }
    struct tan_cli none = cli;
    none.operand = NULL;
    const char *const word[] = {"spec", NULL};
    assert_int_equal(parse(&none, word, &config, &action, &e), -1);
    assert_error(e, TAN_USAGE, "\"spec\" is not an option, and no other arguments are taken");
}

/* What tan_cli_answer prints; the caller frees. */
static char *answer(enum tan_cli_action action)
{
    fflush(stdout);
    const int saved = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    assert_non_null(file);
    dup2(fileno(file), STDOUT_FILENO);
    tan_cli_answer(&cli, action);
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

static void help_text(void **state)
{
    (void)state;
    char *text = answer(TAN_CLI_HELP);
    assert_string_equal(text, "Usage: prog [OPTION]... SPEC\n"
                              "       prog --never\n"
                              "Tests.\n"
                              "\n"
                              "Tree:\n"
                              "  -n, --leaves=N      so many leaves\n"
                              "      --max-fanout=X  at most X children\n"
                              "                      (none by default)\n"
                              "      --max-height=Y  at most Y levels\n"
                              "\n"
                              "Running:\n"
                              "  -d, --dry-run       only say what would be done\n"
                              "      --never         fails, and has an explanation that is so long "
                              "that it does not fit a\n"
                              "                      line of the screen\n"
                              "\n"
                              "Help:\n"
                              "  -h, --help          print this text and exit\n"
                              "  -V, --version       print the version and exit\n"
                              "\n"
                              "More.\n");
    free(text);
    text = answer(TAN_CLI_VERSION);
    assert_string_equal(text, "prog " TAN_VERSION "\n");
    free(text);
}

static void full_stdout(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_cli_close_stdout(&e), 0);
    const int saved = dup(STDOUT_FILENO);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    dup2(fileno(full), STDOUT_FILENO);
    fputs("lost", stdout);
    const int result = tan_cli_close_stdout(&e);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(full);
    clearerr(stdout);
    assert_int_equal(result, -1);
    assert_error(e, TAN_FAILED, "cannot write standard output: No space left on device");
}

static void colour(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    unsetenv("NO_COLOR");
    assert_false(tan_cli_color(file));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_lines), cmocka_unit_test(answers),     cmocka_unit_test(bad_lines),
        cmocka_unit_test(help_text),  cmocka_unit_test(full_stdout), cmocka_unit_test(colour),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
