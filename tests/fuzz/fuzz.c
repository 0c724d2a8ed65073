/* fuzz.c - table of fuzz targets, and their libFuzzer entry points
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/goal_property.h"
#include "tests/fuzz/program.h"
#include "tests/fuzz/words.h"

enum { LINES = 12 };

/* A target reads its input by some of these. Its name is also that of a folder of inputs. */
struct target {
    const char *name;
    const char *dictionary;   /* "json": json.dict */
    const char *seeds;        /* files of the tree that are inputs too, with blanks between */
    const char *lines[LINES]; /* command lines, which all read the file `input`, or - */
    bool folder;              /* `input` is a folder: fuzz_scratch_unpack */
    const char *programs;     /* the input is a command line of one of these */
    const char *(*wrong)(const void *data, size_t size, bool compatible); /* NULL: nothing is */
};

#define MACHINE " --machine machine.json"
#define LEAVES  "tan-design --leaves 8" MACHINE

static const struct target targets[] = {
    {.name = "goal",
     .dictionary = "goal",
     .wrong = tan_property_goal,
     .lines = {"tan-sim run input --json out"}},
    {.name = "machine",
     .dictionary = "json",
     .seeds = "configs/*.json results/*/machine.json tests/data/*.json tests/fuzz/files/*.json",
     .lines = {"tan-design --leaves 16 --machine input --json out",
               "tan-design predict nto1:4 chain:3 --bytes 2kB --machine input",
               "tan-design messages 1,70kB --machine input",
               "tan-design --leaves 8 --hosts hosts --ranks-per-host 4 --machine input",
               "tan-sim run --topo binary:4 --machine input", "tan-sim trace trace --machine input",
               "tan-report input", "tanbench validate input"}},
    {.name = "report",
     .dictionary = "json",
     .seeds = "results/*/paper-*.json tests/fuzz/files/*.json",
     .lines = {"tan-report input", "tan-report --paper input machine.json",
               "tanbench resume input"}},
    {.name = "hosts",
     .dictionary = "hosts",
     .seeds = "tests/fuzz/files/[fhmnr]*",
     .lines = {LEAVES " --hosts input --ranks-per-host 4 --map out",
               LEAVES " --hosts hosts --ranks-per-host 4 --racks input",
               LEAVES " --target flux --hosts input --output out",
               LEAVES " --target mrnet --hosts input --output -",
               LEAVES " --target slurm --hosts input",
               "tan-sim run --topo nto1:4 --map input --within L=1ns",
               "tanbench run nto1:4 --map input"}},
    {.name = "trees",
     .dictionary = "trees",
     .seeds = "tests/data/mrnet/*.top results/evidence/mrnet/*.json tests/fuzz/files/[cft]*",
     .lines = {"tan-design predict file:input" MACHINE,
               "tan-design --tree file:- --format json --output -",
               "tan-design --tree file:input --target flux" MACHINE,
               "tan-sim run --topo file:input", "tanbench run file:input"}},
    {.name = "waves",
     .dictionary = "waves",
     .seeds = "results/*/*.csv tests/fuzz/files/*.csv tests/fuzz/files/noise",
     .lines = {"tan-fit input --json out", "tan-fit - --column wave={2}us/2 --method paper",
               "tan-sim run --topo nto1:4 --noise trace:input"}},
    {.name = "trace",
     .dictionary = "trace",
     .folder = true,
     .lines = {"tan-sim trace input --json out", "tan-sim trace input --machine machine.json",
               "tan-sim convert input out"}},
    {.name = "design", .programs = "tan-design"},
    {.name = "programs", .programs = "tan-sim tan-fit tan-report tanbench"},
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

static const struct target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static const char *or_dash(const char *text)
{
    return text == NULL ? "-" : text;
}

/* FUZZ_TARGET names the target and FUZZ_SCRATCH a folder with small files that may be written;
 * without the former the table is printed. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");
    const char *scratch = getenv("FUZZ_SCRATCH");
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < TARGETS; i++) {
        if (name == NULL) {
            printf("%s %s %s %s\n", targets[i].name, or_dash(targets[i].dictionary),
                   targets[i].programs == NULL ? "files" : "words",
                   or_dash(targets[i].programs == NULL ? targets[i].seeds : targets[i].programs));
        } else if (strcmp(name, targets[i].name) == 0) {
            chosen = &targets[i];
        }
    }
    if (name == NULL) {
        exit(0);
    }
    if (chosen == NULL || scratch == NULL) {
        fprintf(stderr, "FUZZ_TARGET names no target, or there is no FUZZ_SCRATCH\n");
        exit(2);
    }
    fuzz_scratch_enter(scratch);
    for (struct fuzz_program *p = fuzz_programs; p->name != NULL; p++) {
        fuzz_program_learn(p);
    }
    return 0;
}

static void run_line(const char *line, const uint8_t *data, size_t size)
{
    char words[256];
    char *argv[32];
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    fuzz_program_run(fuzz_program_find(argv[0]), argc, argv, data, size);
}

static void run_lines(const uint8_t *data, size_t size)
{
    for (int i = 0; i < LINES && chosen->lines[i] != NULL; i++) {
        if (chosen->folder) {
            fuzz_scratch_unpack(data, size);
        } else {
            fuzz_scratch_write("input", data, size);
        }
        run_line(chosen->lines[i], data, size);
        fuzz_scratch_restore();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int compatible = 0; compatible < 2 && chosen->wrong != NULL; compatible++) {
        const char *wrong = chosen->wrong(data, size, compatible != 0);
        if (wrong != NULL) {
            dprintf(2, "%s\n", wrong);
            abort();
        }
    }
    run_lines(data, size);
    return chosen->programs == NULL ? 0 : fuzz_words_run(chosen->programs, data, size);
}

/* The first opening bracket from `at` on, or else `at`. */
static size_t find_bracket(const uint8_t *data, size_t size, size_t at)
{
    for (size_t i = at; i < size; i++) {
        if (data[i] == '[' || data[i] == '{' || data[i] == '(') {
            return i;
        }
    }
    return at;
}

/* Some bytes many times over, which libFuzzer does not try: what is read by recursion. */
static size_t repeat_bytes(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const bool bracket = seed % 2 == 0;
    const size_t any = seed / 2 % size;
    const size_t at = bracket ? find_bracket(data, size, any) : any;
    const size_t length = bracket ? 1 : size - at < 4 ? size - at : 1 + seed / 7 % 4;
    const size_t times = (most - size) / length;
    memmove(data + at + times * length, data + at, size - at);
    for (size_t i = 0; i < times; i++) {
        memmove(data + at + i * length, data + at + times * length, length);
    }
    return size + times * length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    if (chosen->programs == NULL && size > 0 && size < most && seed % 16 == 0) {
        return repeat_bytes(data, size, most, seed / 16);
    }
    return chosen->programs == NULL ? LLVMFuzzerMutate(data, size, most)
                                    : fuzz_words_mutate(chosen->programs, data, size, most, seed);
}
