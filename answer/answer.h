/* answer.h - answers of tan-design, as terminal, JSON and page show them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_ANSWER_H
#define TAN_ANSWER_ANSWER_H

#include "answer/fields.h"
#include "answer/phrases.h"
#include "base/reply.h"
#include "design/choice/forecast.h"
#include "design/choice/hosted.h"
#include "design/systems/rules.h"
#include "design/systems/setting_answer.h"
#include "model/machine/given.h"

/* What an answer is based on. */
struct tan_basis {
    const struct tan_machine *machine;
    const char *file;              /* NULL if the parameters are `given` */
    const char *asked;             /* its name as it was given, "cab", or else its path */
    const struct tan_given *given; /* values that replace the file's */
    double round_trip;             /* seconds, from which L was computed; NaN: not given */
    const struct tan_model *model; /* of waves */
    struct tan_doubts *doubts;     /* of the answer */
    bool whole;                    /* a document with everything is wanted, not only the answer */
};

/* Parts of answers (base/reply.h) */

/* Begin a document, owned by the caller. If it is to be whole: its schema, `leaves` (0: no single
 * number), the machine, values given in place of its file's, doubts, and notes, also on what is
 * assumed of fanout under the model. */
json_t *tan_document_begin(struct tan_json_writer *w, const char *schema, int64_t leaves,
                           const struct tan_basis *from);
/* Begin its answer, borrowed: doubts, notes, where the numbers are from, the model, and what is
 * assumed of fanout. */
json_t *tan_answer_begin(struct tan_json_writer *w, json_t *document, const struct tan_basis *from);

/* The options by which tanbench measures on the machine of the file where that is simulated,
 * " --platform crossbar -m machine.json"; "" elsewhere. malloc'd; NULL for want of memory, which is
 * a failure of `w`. */
char *tan_answer_platform(struct tan_json_writer *w, const struct tan_basis *from);

/* The model, what the parameters tell about the cost of fanout, and the payload of the waves. */
void tan_report_set_waves(struct tan_json_writer *w, json_t *top, const struct tan_basis *from);
/* Payload of the waves: the requested size, and its growth. */
void tan_report_set_payload(struct tan_json_writer *w, json_t *top,
                            const struct tan_params *params);
/* "limits" before an objective narrowed them, those that are set; and "objective". */
void tan_report_set_limits(struct tan_json_writer *w, json_t *top, const struct tan_problem *p);
/* "up", "down" and "both", by TAN_UP, TAN_DOWN and their sum. */
extern const char *const tan_direction_names[];
/* Set seconds as microseconds; without the key if they are not finite, unknown. */
void tan_report_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds);

/* Set "sensitivity", `n` rows; nothing if n is 0. */
void tan_report_set_sensitivities(struct tan_json_writer *w, json_t *object,
                                  const struct tan_sensitivity *rows, int n,
                                  enum tan_method method);

/* A tree, a setting or a placement that may be chosen. Numbers that are 0 or NaN are unknown. */
struct tan_answer_row {
    char name[TAN_REPLY_TEXT], placement[32], note[256];
    double wave, slower; /* seconds; against the recommended one */
    double wait;         /* seconds by which one that is down delays it */
    double expected;     /* seconds, with the given probability of failures */
    int64_t height, children, processes, hosts, most_lost;
    int64_t rank; /* 0: the recommended one; those with high ranks are left out first */
};
enum { TAN_ANSWER_ROWS = 32 };
struct tan_answer_rows {
    struct tan_answer_row row[TAN_ANSWER_ROWS];
    size_t n;
};
/* Append a row with this wave, and the next rank; NULL if there are TAN_ANSWER_ROWS. */
struct tan_answer_row *tan_answer_row(struct tan_answer_rows *rows, double wave);
/* The row of an equal tree, from row `first` on; NULL if there is none. */
struct tan_answer_row *tan_answer_same(struct tan_answer_rows *rows, size_t first, double wave,
                                       int64_t height, int64_t children);
/* Add to the row's note, unless it says so. */
void tan_answer_note(struct tan_answer_row *row, const char *note);
/* A row's expected wave where it is known, else its wave. */
double tan_answer_cost(const struct tan_answer_row *row);
/* Compare the rows from `first` on, the recommended one, with that, and sort those after it by
 * time. */
void tan_answer_against(struct tan_answer_rows *rows, size_t first);
/* Set the rows as the answer's table. `columns`: as for tan_fields_table. */
void tan_answer_table(struct tan_json_writer *w, json_t *answer, const struct tan_answer_rows *rows,
                      const char *columns);

/* How sure the choice of the first candidate, `name`, is. */
struct tan_sure {
    const char *among; /* "of trees with even levels ": of which it is the best; "": of all */
    const char *name;
    bool expected;                   /* by expected waves */
    bool kept;                       /* in place of a faster one that is not sure to be */
    const char *assuming;            /* "On Cab"; NULL: nothing that is not given */
    double share, mean_loss, loss95; /* of the draws; NaN without draws */
    struct tan_interval ci95;        /* of its wave */
    const char *next;                /* the runner-up; "" if there is none */
    double next_loss;                /* on average */
    const struct tan_sensitivity *limit;
    int n_limits;
    const struct tan_params *params;
};
/* What the answer rests on that was not measured here, "On Cab"; NULL: nothing. */
const char *tan_answer_assuming(const struct tan_basis *from);
/* Say it: by the draws, or by how far each parameter may be off, assumed ones first. */
void tan_answer_sure(struct tan_json_writer *w, json_t *answer, const struct tan_sure *sure);

/* Answers: documents with a member "answer" (base/reply.h), and if they are to be whole everything
 * else, for machines and pages: `tan-design/1`, `tan-fanouts/1` and so on. Owned by the caller;
 * NULL if memory is short or a text is not UTF-8. */

/* The recommended tree, the `listed` best ones and rules of thumb, or the given trees beside it. */
json_t *tan_answer_design(const struct tan_design *d, int listed,
                          const struct tan_compared *compared, size_t n_compared,
                          const struct tan_basis *from);
/* The rows of tan_fanouts for `leaves` leaves (0: without trees). */
json_t *tan_answer_fanouts(const struct tan_fanout rows[TAN_FANOUTS], int64_t leaves,
                           const struct tan_basis *from);
/* The trees of tan_search_front. */
json_t *tan_answer_pareto(const struct tan_problem *problem, const struct tan_front *front,
                          const struct tan_plans *trees, const struct tan_basis *from);
/* A design for hosts with several processes each. */
json_t *tan_answer_hosted(const struct tan_hosted_problem *problem,
                          const struct tan_hosted_design *d, const struct tan_basis *from);
/* All models side by side, and the parts of the wave under the chosen one. n > 0. */
json_t *tan_answer_forecasts(const struct tan_forecast *forecasts, size_t n,
                             const struct tan_basis *from);
/* Rules for ranges. `error`: as in struct tan_rules_problem. */
json_t *tan_answer_rules(const struct tan_rules *rules, double error, const struct tan_basis *from);
/* The best setting of one target, or the given one, in each direction. */
json_t *tan_answer_target(const struct tan_target_answer *a, const struct tan_basis *from);

/* One row of the table of all targets. */
struct tan_target_row {
    struct tan_target_problem problem;
    struct tan_target_way way[2]; /* n_ways entries */
    int n_ways;
};
/* The rows in one table, in their order. */
json_t *tan_answer_targets(const struct tan_target_row *rows, size_t n,
                           const struct tan_basis *from);

/* Single messages of n > 0 sizes: a column per model with known parameters; as details the times
 * until the sender continues, and the overlap with `computation` seconds (NaN: none); what the
 * parameters violate, and what the file lacks. The machine must have messages. */
json_t *tan_answer_messages(const int64_t *bytes, size_t n, double computation,
                            const struct tan_basis *from);
/* Fail unless the machine file has the parameters of at least one model of messages. */
int tan_messages_check_models(const struct tan_basis *from, struct tan_error *e);

#endif
