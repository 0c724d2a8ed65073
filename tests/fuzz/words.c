/* words.c - command lines generated from the programs' option tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/program.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

struct words {
    char text[FUZZ_WORDS * 64];
    char *word[FUZZ_WORDS + 1]; /* ends with NULL */
    int n;
    char added[2048]; /* storage of words that are put in */
    size_t used;
};

/* Values of options and operands by the placeholder of the help text, between bars. */
static const struct {
    const char *placeholders;
    const char *const *values;
} pools[] = {
    {"|SIZE|SIZES|", (const char *const[]){"0", "1", "8", "1kB", "1,1kB,64KiB", "64KiB", "1MiB",
                                           "1GiB", "9223372036854775807", "-1", "1k", NULL}},
    {"|TIME|", (const char *const[]){"0", "1ns", "2.5us", "3ms", "1s", "1e300s", "1e-300us", "nan",
                                     "1min", "-1us", "5", NULL}},
    {"|SPEC|TREE|", (const char *const[]){"nto1:4",          "chain:3",
                                          "binary:8",        "binomial:8",
                                          "twolevel:9",      "kary:3:20",
                                          "knomial:3:9",     "levels:3x4:9",
                                          "random:12:5",     "file:tree.top",
                                          "file:tree.json",  "file:tree.csv",
                                          "file:cs.conf",    "file:-",
                                          "mpi:4",           "pingpong",
                                          "allreduce:8",     "bcast:5",
                                          "gather:6",        "ring-allreduce:4",
                                          "normal:1us:1us",  "pareto:1us:2",
                                          "trace:noise",     "nway-dissemination:2:9",
                                          "exponential:1us", NULL}},
    {"|COSTS|", (const char *const[]){"L=5us,G=0.1ns", "L=+100us", "o=*2", "L=0,o=0", NULL}},
    {"|TEXT|NAME|RULE|SET|WAY|KEYS|DIR|FORMAT|",
     (const char *const[]){"flux",         "slurm",  "mrnet",    "TreeWidth=16",
                           "kary:3",       "concat", "constant", "latency,processes",
                           "round",        "json",   "goal",     "csv",
                           "dot",          "loggpo", "logp",     "parents",
                           "rat",          "fetch",  "schedgen", "trace",
                           "openmpi",      "mpich",  "prrte",    "ucc",
                           "clustershell", "usual",  "out",      NULL}},
    {"",
     (const char *const[]){
         "0",    "1",   "2",   "3",       "7",          "16",         "64",
         "1000", "4k",  "4Ki", "1048576", "2147483647", "4294967296", "9223372036854775807",
         "-1",   "1e3", "",    "1,2,3",   "-",          "out",        NULL}},
};
enum { POOLS = sizeof pools / sizeof pools[0] };

static void split_words(struct words *w, const uint8_t *data, size_t size)
{
    w->n = 0;
    w->used = 0;
    if (size >= sizeof w->text) {
        size = sizeof w->text - 1;
    }
    memcpy(w->text, data, size);
    w->text[size] = '\0';
    char *at = w->text;
    while (*at != '\0' && w->n < FUZZ_WORDS) {
        w->word[w->n++] = at;
        at += strcspn(at, "\n");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    w->word[w->n] = NULL;
}

/* Slashes would lead to other folders, except in those of the scratch folder; dots, too. */
static bool is_safe(const char *word)
{
    const char *dots = strstr(word, "..");
    const char *slash = strchr(word, '/');
    return (dots == NULL ||
            (dots > word && isdigit((unsigned char)dots[-1]) && isdigit((unsigned char)dots[2]))) &&
           slash == NULL;
}

/* A tree for 10^11 leaves is honest work, for longer than an input may take here; more than 10^12
 * are refused. */
static bool takes_long(const char *word)
{
    const size_t digits = strspn(word + strcspn(word, "0123456789"), "0123456789");
    return digits == 11 || digits == 12;
}

static bool names_program(const char *programs, const char *word)
{
    const size_t length = strlen(word);
    const char *at = length == 0 ? NULL : strstr(programs, word);
    return at != NULL && (at == programs || at[-1] == ' ') &&
           (at[length] == ' ' || at[length] == '\0');
}

int fuzz_words_run(const char *programs, const uint8_t *data, size_t size)
{
    struct words w;
    split_words(&w, data, size);
    if (w.n == 0 || !names_program(programs, w.word[0])) {
        return -1;
    }
    for (int i = 1; i < w.n; i++) {
        if (!is_safe(w.word[i]) || takes_long(w.word[i])) {
            return -1;
        }
    }
    static const char input[] = "process,parent\n0,-1\n1,0\n2,0\n"; /* a tree */
    fuzz_program_run(fuzz_program_find(w.word[0]), w.n, w.word, input, sizeof input - 1);
    fuzz_scratch_restore();
    return 0;
}

static unsigned throw_dice(unsigned *state, size_t sides)
{
    *state = *state * 1664525U + 1013904223U;
    return (unsigned)((*state >> 8) % sides);
}

static const char *any_file(unsigned *dice)
{
    const char *const *names = fuzz_scratch_names();
    size_t n = 0;
    while (names[n] != NULL) {
        n++;
    }
    const unsigned which = throw_dice(dice, n + n / 2);
    return which < n ? names[which] : which % 2 == 0 ? "-" : "out";
}

static const char *any_of(const char *const *values, unsigned *dice)
{
    size_t n = 0;
    while (values[n] != NULL) {
        n++;
    }
    return values[throw_dice(dice, n)];
}

/* A value for what has this placeholder, which may be NULL; now and then any other. */
static const char *any_value(const char *placeholder, unsigned *dice)
{
    char key[64];
    const char *base = placeholder == NULL ? "" : placeholder;
    snprintf(key, sizeof key, "|%s|", base);
    if (throw_dice(dice, 8) == 0) {
        return any_of(pools[throw_dice(dice, POOLS)].values, dice);
    }
    if (strstr(base, "FILE") != NULL) {
        return any_file(dice);
    }
    for (size_t i = 0; i + 1 < POOLS; i++) {
        if (strstr(pools[i].placeholders, key) != NULL) {
            return any_of(pools[i].values, dice);
        }
    }
    return any_of(pools[POOLS - 1].values, dice);
}

static void insert_word(struct words *w, int at, const char *word)
{
    const size_t length = strlen(word) + 1;
    if (w->n < FUZZ_WORDS && at <= w->n && length <= sizeof w->added - w->used) {
        memmove(&w->word[at + 1], &w->word[at], (size_t)(w->n - at) * sizeof *w->word);
        w->word[at] = memcpy(w->added + w->used, word, length);
        w->used += length;
        w->n++;
    }
}

static const struct tan_command *command_of(const struct words *w, int *words)
{
    const struct fuzz_program *p = fuzz_program_find(w->n > 0 ? w->word[0] : "");
    return p == NULL ? NULL : tan_cli_command(p->cli, w->n, w->word, words);
}

static const struct tan_option *any_option(const struct tan_command *command, unsigned *dice)
{
    const struct tan_option *found = NULL;
    unsigned n = 0;
    for (const struct tan_option *const *g = command->groups; *g != NULL; g++) {
        for (const struct tan_option *o = *g; o->name != NULL; o++) {
            if (o->type != TAN_OPTION_HEADING && throw_dice(dice, ++n) == 0) {
                found = o;
            }
        }
    }
    return found;
}

static void add_option(struct words *w, unsigned *dice)
{
    int words = 0;
    const struct tan_command *command = command_of(w, &words);
    const struct tan_option *o = command == NULL ? NULL : any_option(command, dice);
    if (o == NULL) {
        return;
    }
    const int at = 1 + words + (int)throw_dice(dice, (size_t)(w->n - words));
    char name[80];
    snprintf(name, sizeof name, "--%s", o->name);
    insert_word(w, at, name);
    if (o->argument != NULL) {
        insert_word(w, at + 1,
                    o->names != NULL ? any_of(o->names, dice) : any_value(o->argument, dice));
    }
}

static void add_operand(struct words *w, unsigned *dice)
{
    int words = 0;
    const struct tan_command *command = command_of(w, &words);
    if (command != NULL && command->max_operands != 0) {
        const bool file = strstr(command->usage, "FILE") != NULL ||
                          strstr(command->usage, ".csv") != NULL ||
                          strstr(command->usage, "DIR") != NULL;
        insert_word(w, w->n, file ? any_file(dice) : any_value("SPEC", dice));
    }
}

static void change_command(struct words *w, const char *programs, unsigned *dice)
{
    struct fuzz_program *p = fuzz_programs;
    unsigned n = 0;
    for (struct fuzz_program *q = fuzz_programs; q->name != NULL; q++) {
        if (names_program(programs, q->name) && throw_dice(dice, ++n) == 0) {
            p = q;
        }
    }
    w->n = 0;
    insert_word(w, 0, p->name);
    n = 0;
    while (p->cli->commands[n].usage != NULL) {
        n++;
    }
    const char *name = p->cli->commands[throw_dice(dice, n)].name;
    char first[64];
    snprintf(first, sizeof first, "%s", name == NULL ? "" : name);
    char *second = strchr(first, ' ');
    if (second != NULL) {
        *second++ = '\0';
    }
    if (first[0] != '\0') {
        insert_word(w, 1, first);
    }
    if (second != NULL) {
        insert_word(w, 2, second);
    }
    add_operand(w, dice);
    for (unsigned i = throw_dice(dice, 4); i > 0; i--) {
        add_option(w, dice);
    }
}

static void change_value(struct words *w, unsigned *dice)
{
    if (w->n > 1) {
        const int at = 1 + (int)throw_dice(dice, (size_t)w->n - 1);
        const char *value = throw_dice(dice, 2) == 0
                                ? any_file(dice)
                                : any_of(pools[throw_dice(dice, POOLS)].values, dice);
        w->n--;
        memmove(&w->word[at], &w->word[at + 1], (size_t)(w->n - at) * sizeof *w->word);
        insert_word(w, at, value);
    }
}

static void remove_word(struct words *w, unsigned *dice)
{
    if (w->n > 1) {
        const int at = 1 + (int)throw_dice(dice, (size_t)w->n - 1);
        w->n--;
        memmove(&w->word[at], &w->word[at + 1], (size_t)(w->n - at) * sizeof *w->word);
    }
}

/* Twice the same word, as an input that is named twice. */
static void repeat_word(struct words *w, unsigned *dice)
{
    if (w->n > 1) {
        const int at = 1 + (int)throw_dice(dice, (size_t)w->n - 1);
        insert_word(w, at, w->word[at]);
    }
}

static bool is_file(const char *word)
{
    const char *const *name = fuzz_scratch_names();
    while (*name != NULL && strcmp(*name, word) != 0) {
        name++;
    }
    return *name != NULL;
}

/* Every file becomes standard input. */
static void use_stdin(struct words *w)
{
    static char dash[] = "-";
    static char tree[] = "file:-";
    for (int i = 1; i < w->n; i++) {
        if (is_file(w->word[i])) {
            w->word[i] = dash;
        } else if (strncmp(w->word[i], "file:", 5) == 0) {
            w->word[i] = tree;
        }
    }
}

static size_t join_words(const struct words *w, uint8_t *data, size_t most)
{
    size_t size = 0;
    for (int i = 0; i < w->n; i++) {
        const size_t length = strlen(w->word[i]);
        if (size + length + 1 > most) {
            break;
        }
        memcpy(data + size, w->word[i], length);
        size += length;
        data[size++] = '\n';
    }
    return size;
}

size_t fuzz_words_mutate(const char *programs, uint8_t *data, size_t size, size_t most,
                         unsigned seed)
{
    unsigned dice = seed;
    struct words w;
    split_words(&w, data, size);
    if (w.n == 0 || !names_program(programs, w.word[0]) || throw_dice(&dice, 40) == 0) {
        change_command(&w, programs, &dice);
        return join_words(&w, data, most);
    }
    switch (throw_dice(&dice, 9)) {
    case 0:
    case 1:
    case 2:
        add_option(&w, &dice);
        break;
    case 3:
        add_operand(&w, &dice);
        break;
    case 4:
        change_value(&w, &dice);
        break;
    case 5:
        remove_word(&w, &dice);
        break;
    case 6:
        repeat_word(&w, &dice);
        break;
    case 7:
        use_stdin(&w);
        break;
    default:
        return LLVMFuzzerMutate(data, size, most);
    }
    return join_words(&w, data, most);
}
