/* results.h - measured cells, over passes and launches
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_RESULTS_H
#define TAN_TANBENCH_RESULTS_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/table.h"
#include "model/machine/machine.h"
#include "model/stats/series.h"
#include "model/stats/stats.h"
#include "model/wave/wave.h"
#include "tanbench/plan/plan.h"
#include "tanbench/sampling/sampling.h"

/* Contribution of one pass of one launch to a cell: the next `n` of the cell's samples, and the
 * next `n_healed` on its healed tree. */
struct part {
    int launch, pass; /* from 0 */
    size_t n, n_healed;
    double median;            /* of its round trips, seconds; 0: not computed */
    struct tan_series series; /* of its round trips; n 0: not tested (mode stream: unordered) */
    enum stop_reason stopped;
    int64_t excluded; /* its waves that were excluded because of interference */
    bool disturbed;   /* interference, but no wave was excluded */
    bool complete;    /* false: fewer waves than requested */
};

/* One measured cell. */
struct result {
    const struct cell *cell;     /* borrowed */
    const struct tan_tree *tree; /* borrowed; NULL for a reference */
    struct measurement waves;    /* of all launches; owned */
    /* Seconds. `median` and `median_ci95` are those of the highest level present, everything else
     * is of all waves together:
     *   one part       the median of its waves, and the part's interval (struct tan_series)
     *   one launch     the median of its parts' medians, and the interval of that median
     *   more launches  the centre of the launches' medians, each as above, and the interval of a
     *                  next launch's median (model/stats/series.h); if a part's median is not
     *                  above 0, the median of all waves, without an interval
     * The last two include only parts that count (tan_results_counts). In mode stream, whose
     * results are unordered, both are of all waves. */
    struct tan_summary round_trip;
    bool complete; /* all parts are */
    int n_parts;
    struct part *parts;           /* by launch, then by pass; owned */
    struct tan_launches launches; /* judged if there are several; else only n is set */
};

/* All results of a run. */
struct distance;

struct results {
    const struct plan *plan;           /* borrowed */
    const struct tan_machine *machine; /* for predictions; borrowed, NULL: none */
    json_t *environment;               /* borrowed */
    struct tan_doubts doubts;          /* about how ranks ran, whatever was measured; owned */
    bool validates;                    /* tanbench validate: judge the models */
    const char *wait;                  /* name of the wait policy used */
    void (*about)(const void *context, FILE *to); /* writes lines on where and how it was measured,
                                                     for its answer; NULL: none */
    const void *context;
    int queue_places; /* capacity of a rank's queue for messages from its host, if the library slows
                         down when it is full; 0: none */
    const int32_t *host_of;          /* the host of each rank; borrowed, NULL: one each */
    const struct distance *distance; /* classes measured by calibrate; borrowed, NULL: none */
    struct result *list;             /* in the order of measurement; owned */
    int n;
};

/* Add `waves`, the measurement of plan cell `index` in one pass of one launch; takes ownership even
 * if it fails. `complete`: whether it was not cut short. */
int tan_results_add(struct results *r, int index, int launch, int pass, struct measurement *waves,
                    bool complete, struct tan_error *e);
/* Put plan cell `index` as a whole, all parts of which are complete: its measurement, and its
 * `n_parts` parts, malloc'd; takes ownership of both even if it fails. The results do not have the
 * cell yet. */
int tan_results_put(struct results *r, int index, struct measurement *waves, struct part *parts,
                    int n_parts, struct tan_error *e);
/* Whether that part of plan cell `index` is present and complete. */
bool tan_results_has(const struct results *r, int index, int launch, int pass);
void tan_results_clear(struct results *r);
/* Whether the ranks were simulated, so that repetitions are identical. */
bool tan_results_simulated(const struct results *r);
/* The result of the cell at position `order` in the command line, or NULL. */
const struct result *tan_results_at(const struct results *r, int order);

/* Whether medians include its samples: the part is undisturbed, or no part of its launch is. */
bool tan_results_counts(const struct result *result, const struct part *part);
/* Whether all parts are disturbed. */
bool tan_results_disturbed(const struct result *result);

/* Half round trip. */
static inline double half(double round_trip)
{
    return round_trip / 2;
}

/* Summary of `samples`, one for each entry of waves.round_trips, or those on the healed tree, of
 * which there must be some, with median and interval as those of `round_trip` above. */
int tan_results_summarize(const struct result *result, const double *samples, struct tan_summary *s,
                          struct tan_error *e);
/* The maximum of each member. */
struct clock_quality tan_results_worse_clocks(const struct clock_quality *a,
                                              const struct clock_quality *b);
/* Median of `n` times; 0 if there are none. */
double tan_results_median(const double *samples, size_t n);

/* tan-results/1; the caller owns the reference. NULL if memory is short. */
json_t *tan_results_to_json(const struct results *r);
/* Write it to `path` ("-": stdout). */
int tan_results_save(const struct results *r, const char *path, struct tan_error *e);
/* Write every sample as a line of CSV to `path` ("-": stdout): topology, index (from 0 for each
 * cell), round_trip_us, wave_us (half of it), bytes, launch and pass (from 1). */
int tan_results_save_raw(const struct results *r, const char *path, struct tan_error *e);

/* Say in an answer of the document what terminals say, of these doubts, too. */
void tan_results_set_answer(struct tan_json_writer *w, json_t *document, const struct results *r,
                            const struct tan_doubts *doubts);
/* Which of several trees is the fastest, and which the models would choose. */
void tan_results_print_answer(const struct results *r, FILE *to);

/* The mode's table in the order of the command line, and remarks below it. */
void tan_results_print(const struct results *r, FILE *to);

/* Set `key` to an interval in microseconds, times `factor`, unless it is unknown. */
void tan_results_set_interval(struct tan_json_writer *w, json_t *object, const char *key,
                              struct tan_interval interval, double factor);
/* Set "median", "mean", "stddev", "min", ... and "ci95" in microseconds, times `factor`. */
void tan_results_set_summary(struct tan_json_writer *w, json_t *object, const struct tan_summary *s,
                             double factor);
/* Set `key` to an array of `n` times in microseconds. */
void tan_results_set_samples(struct tan_json_writer *w, json_t *object, const char *key,
                             const double *seconds, size_t n);
/* A cell of the table: a time in microseconds, with as many digits as `spread`, half the width of
 * its interval in seconds, allows; 0: the usual number. */
void tan_results_print_time(struct tan_table *table, double seconds, double spread);
/* Two cells: the median times `factor` in microseconds, with digits according to its interval, and
 * the interval, "-" if unknown. Returns half its width in microseconds, 0 if unknown. */
double tan_results_print_median(struct tan_table *table, const struct tan_summary *s,
                                double factor);
/* Print a table with the row of every result in the order of the command line, without the columns
 * that are empty in all of them. */
void tan_results_print_rows(const struct results *r, const char *const *headings, int columns,
                            void (*print_row)(struct tan_table *, const struct results *,
                                              const struct result *),
                            FILE *to);
/* A cell, the first of every row: the topology, and whether it was cut short. */
void tan_results_print_topology(struct tan_table *table, const struct result *result);

/* --- results of a run that did not finish, from their file --- */

/* The document in file `path`, tan-results/1: a new reference. NULL with an error. */
json_t *tan_restore_load(const char *path, struct tan_error *e);

/* The command line that began the run, as a JSON array of strings: a new reference. NULL on
 * failure, also if other users own or can write the file, since the command will be executed. */
json_t *tan_restore_command(const char *path, struct tan_error *e);
/* Number of complete launches in it, from the first one up to the first incomplete one. A launch
 * is complete with `visits` parts (at least 1), one for each cell and pass. */
int tan_restore_launches(const json_t *document, int visits);

/* Add the complete cells of `document`, read from `path`, to the results of the same plan, which
 * are empty. What of the environment differs from r->environment is named on stderr. Fails if the
 * plan has other cells or settings. */
int tan_restore_results(struct results *r, const json_t *document, const char *path,
                        struct tan_error *e);

/* --- modes --- */

/* Set members of a cell's object that are specific to the mode. */
void tan_results_set_mode(struct tan_json_writer *w, json_t *cell, const struct results *r,
                          const struct result *result);

/* The mode's table in the order of the command line, and remarks below it. */
void tan_results_print_oneway(const struct results *r, FILE *to);
void tan_results_print_stream(const struct results *r, FILE *to);
/* The same, and what became of each recovery. */
void tan_results_print_failures(const struct results *r, FILE *to);

/* --- predictions --- */

/* The parameters are for messages of one size. The costs of other sizes come from the machine
 * file's p2p block. Predictions are NaN if it has none (tan_predict_lacks_size), without a tree, a
 * machine or the model's parameters (for tan-overlap those of every tier). */

/* Whether the machine file has the model's parameters. */
bool tan_predict_knows(const struct results *r, const struct tan_model *model);
/* Half a round trip: the mean of the request's and the answer's time; seconds. */
double tan_predict_wave(const struct results *r, const struct result *result,
                        const struct tan_model *model);
/* Time of the answer, one way; seconds. */
double tan_predict_up(const struct results *r, const struct result *result,
                      const struct tan_model *model);
/* Answers per second in steady state, but no more than the requested frequency. */
double tan_predict_rate(const struct results *r, const struct result *result,
                        const struct tan_model *model);

/* Whether a tree would be predicted, if the cost of messages of its size were known. */
bool tan_predict_lacks_size(const struct results *r, const struct result *result);

/* Whether trees over several hosts are predicted by a machine file that tells links of racks apart,
 * but the racks of this run's hosts are not known. */
bool tan_predict_lacks_racks(const struct results *r);

/* Whether some cell's messages differ in size from the parameters', and the machine file's p2p
 * block was measured while other programs used the cores. */
bool tan_predict_disturbed(const struct results *r);

/* Whether tan-overlap is known, and some cell has messages that are sent with a handshake
 * (rendezvous). It was fitted to messages without one, and takes it for a longer latency. */
bool tan_predict_handshakes(const struct results *r);

/* --- doubts about cells --- */

/* Append a doubt of severity `least` for each kind that some cell has with that severity or more.
 * Its text is a sentence without full stop, which names the first five of these cells in the order
 * of the command line, and the number of the others. */
void tan_doubt_cells(const struct results *r, enum tan_severity least, struct tan_doubts *doubts);

/* Append the doubts about the run as a whole: those of `r->doubts`, and others' use of the cores
 * during more than half of the trees. A few such trees are only a note about them. */
void tan_doubt_run(const struct results *r, struct tan_doubts *doubts);

/* Print the lines under the table: what the intervals are valid for, and doubts and notes about the
 * cells. */
void tan_cell_doubts_print(const struct results *r, FILE *to);

/* Say the same in an answer (base/reply.h), but for kinds of doubts that were said. */
void tan_cell_doubts_say(struct tan_json_writer *w, json_t *answer, const struct results *r,
                         const struct tan_doubts *said);

/* Set a cell's "trustworthy", and its "warnings", each a kind and a finding: "drift: -11 %".
 * `run_trusted`: there are no doubts about the run as a whole, which are doubts about each of its
 * cells. */
void tan_cell_doubts_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                         const struct result *result, bool run_trusted);

/* --- accuracy of the models on held-out trees --- */

/* Extent of tanbench validate. */
struct validation {
    int64_t shapes;             /* random trees */
    int64_t least_ranks, ranks; /* processes in each tree */
};

/* Fill `plan` with random trees, drawn with the settings' seed; the smallest and the largest chain
 * and N-to-1 tree as references; and the largest tree of some named shapes, each within the limits
 * of `v`. */
int tan_validate_plan(struct plan *plan, const struct validation *v, struct tan_error *e);

/* Add "models" (accuracy on the random trees), "named" (on the named ones) and "reference_models"
 * (on the references) to tan-results/1. */
void tan_validate_set_json(struct tan_json_writer *w, json_t *document, const struct results *r);
/* Of `results`, a struct results: the model that errs least on the random trees, or on the named
 * ones if there are no others, and what its choice costs; nothing without predictions. */
void tan_validate_print_best(const void *results, FILE *to);
/* A table of each model's accuracy on random, named and reference trees. */
void tan_validate_print(const struct results *r, FILE *to);

#endif
