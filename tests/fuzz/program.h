/* program.h - whole programs run inside the fuzzer, in a scratch folder
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_FUZZ_PROGRAM_H
#define TAN_TESTS_FUZZ_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/cli.h"

/* The programs' main functions, which the build renames, their commands, and their documented exit
 * statuses. */
struct fuzz_program {
    const char *name;
    int (*main)(int argc, char **argv);
    unsigned statuses;         /* bit s: status s is documented */
    bool writes;               /* what it says on standard output or into files must be there */
    const struct tan_cli *cli; /* its options, known after fuzz_program_learn */
};

/* The six of them; a row with name NULL ends the table. */
extern struct fuzz_program fuzz_programs[];

enum { FUZZ_WORDS = 64, FUZZ_WORD = 512 };

/* Enter the folder `scratch`, whose files are then put back after every command; programs have it
 * as their home, too. */
void fuzz_scratch_enter(const char *scratch);
/* Write `name`, a file that the next command reads and that is removed after it. */
void fuzz_scratch_write(const char *name, const void *data, size_t size);
/* Write the files that `data` holds: lines "=== NAME" stand before each. */
void fuzz_scratch_unpack(const uint8_t *data, size_t size);
/* Names of the files in the folder, ending with NULL. */
const char *const *fuzz_scratch_names(void);

/* The program of this name, NULL when there is none. */
struct fuzz_program *fuzz_program_find(const char *name);
/* Learn its options by asking it for its help. */
void fuzz_program_learn(struct fuzz_program *p);
/* Run a command line with `input` as standard input, and abort with a message when its end is none
 * of those that are documented. */
void fuzz_program_run(const struct fuzz_program *p, int argc, char **argv, const void *input,
                      size_t size);
/* Remove and put back whatever is not as it was. */
void fuzz_scratch_restore(void);

#endif
