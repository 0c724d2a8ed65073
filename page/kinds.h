/* kinds.h - figures of each kind of file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_KINDS_H
#define TAN_PAGE_KINDS_H

#include "page/page.h"
#include "page/rows.h"

/* Add what a file says without an "answer", its tables and figures, to the last section. */
typedef void show(struct page *p, const json_t *document);

show tan_show_target, tan_show_results, tan_show_fit, tan_show_machine, tan_show_measured_messages,
    tan_show_messages, tan_show_collective, tan_show_simulation;

/* Figures beside an answer; the first is the one that tells most. */
extern const struct tan_figure tan_design_figures[], tan_hosted_figures[], tan_fanouts_figures[],
    tan_targets_figures[], tan_pareto_figures[], tan_predict_figures[];

/* Those of the TAN paper for which the files have data, in its order. */
void tan_show_paper(struct page *p);

#endif
