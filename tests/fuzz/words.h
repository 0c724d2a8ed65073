/* words.h - command lines generated from the programs' option tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_FUZZ_WORDS_H
#define TAN_TESTS_FUZZ_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* A command line is a text with a word on each line. */

/* Run it; returns -1 when it is none that may be run. `programs`: names with blanks between. */
int fuzz_words_run(const char *programs, const uint8_t *data, size_t size);
/* Change it: an option of the command more, with a value that suits it, a word less, another word;
 * or any bytes of it. Returns the new size. */
size_t fuzz_words_mutate(const char *programs, uint8_t *data, size_t size, size_t most,
                         unsigned seed);

#endif
