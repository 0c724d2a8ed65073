/* kinds.h - figures of each kind of file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_KINDS_H
#define TAN_PAGE_KINDS_H

#include "page/page.h"

/* Add a section with answers, doubts and figures of one file. tan_show_reply: the answer alone. */
typedef void show(struct page *p, const struct source *s);

show tan_show_machine, tan_show_measured_messages, tan_show_fit, tan_show_results, tan_show_design,
    tan_show_hosted, tan_show_costs, tan_show_target, tan_show_targets, tan_show_pareto,
    tan_show_predict, tan_show_reply, tan_show_messages, tan_show_collective, tan_show_simulation;

/* Those figures of the TAN paper for which the files have data, in its order. */
void tan_show_paper(struct page *p);

/* How often half of a sample was between two times, in at most TAN_BINS bins. */
enum { TAN_BINS = 40 };
void tan_add_histogram(struct tan_chart *c, const json_t *samples, double from, double to, int bins,
                       double unit);

/* Answers and doubts about measured waves; also for the page of tan_show_paper. */
void tan_tell_results(struct page *p, const struct source *s);

/* The table of the models' errors, if the waves are those of tanbench validate. */
void tan_show_accuracy(struct page *p, const struct source *s);

/* The model that answers use by default with a machine file: its "model", or the one with the
 * smallest error on its check trees, or "tan". */
const char *tan_page_model(const json_t *machine);

/* The first machine file with that name; NULL if there is none. Borrowed. */
const struct source *tan_page_machine(const struct page *p, const char *name);

/* What a page of the document is called. */
const char *tan_page_kind(const json_t *document);

/* Parameters that a machine of an answer was given on the command line, "L = 2 us, a = 1 us"; ""
 * for none. Returns `buffer`. */
enum { TAN_GIVEN_WORDS = 300 };
const char *tan_given_words(const json_t *machine, char buffer[TAN_GIVEN_WORDS]);

#endif
