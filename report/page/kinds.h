/* kinds.h - figures of each kind of file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PAGE_KINDS_H
#define TAN_REPORT_PAGE_KINDS_H

#include "report/page/page.h"

typedef void show(struct page *p, const struct source *s);

show show_machine, show_measured_messages, show_results, show_design, show_hosted, show_costs,
    show_target, show_targets, show_pareto, show_predict, show_messages, show_collective,
    show_simulation;

/* The figures of the TAN paper that the files have, in its order. */
void show_paper(struct page *p);

/* Answers and doubts of measured waves. */
void tell_results(struct page *p, const struct source *s);

/* The file of that schema whose machine has this name; NULL: none. */
const struct source *page_find(const struct page *p, const char *schema, const char *machine);

#endif
