/* predict.h - what the models say of a measured cell, with the payloads that its waves carry
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_PREDICT_H
#define BENCH_RESULTS_PREDICT_H

#include <stdbool.h>

#include "bench/results/results.h"

/* The models by number: first those of tan_models, then tan-host, which simulates the wave where
 * ranks share cores; NULL after the last. */
const char *tan_predict_model(int model);
/* tan-host's number. */
int tan_predict_host_model(void);
/* tan-host has what it needs. */
bool tan_predict_knows_host(const struct results *r);
/* Ask tan-host for the waves of all results that it has not been asked for, some 0.1 ms each; they
 * are kept there (host_wave). After tan_results_add, before anything is predicted. */
void tan_predict_host(struct results *r);
/* Another machine: predict anew. */
void tan_predict_set_machine(struct results *r, const struct tan_machine *machine);

/* Messages of another size than the machine file's parameters were
 * measured with count with what its p2p block says of them, if it has one that does. All are NaN
 * where there is no tree or machine. */

/* Half of a round trip: the mean of the request's way down and the answer's way up. tan-host's is
 * longer where the cell is disturbed. */
double tan_predict_wave(const struct results *r, const struct result *result, int model);
/* The answer's way up. */
double tan_predict_up(const struct results *r, const struct result *result, int model);
/* Answers per second in steady state. */
double tan_predict_rate(const struct results *r, const struct result *result, int model);

/* Some cell's messages have another size than the parameters, and nothing says what those cost. */
bool tan_predict_lacks_sizes(const struct results *r);

#endif
