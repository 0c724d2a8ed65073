/* meaning.h - what warnings of results files mean
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_MEANING_H
#define BENCH_RESULTS_MEANING_H

/* What a cell's warning, "drift: -11 %", means, in a sentence that ends with a colon, and at
 * *finding the rest of it, "-11 %"; NULL: it is none of them. */
const char *tan_verdict_meaning(const char *warning, const char **finding);

#endif
