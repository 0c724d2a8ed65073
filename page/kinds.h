/* kinds.h - kinds of files: figures and tables of each
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_KINDS_H
#define TAN_PAGE_KINDS_H

#include "page/rows.h"

/* What is shown of a file beside its "answer" (base/reply.h). Arrays end with a row without name or
 * title; NULL: none. */
struct kind {
    const char *schema;
    const char *title; /* of a page of it */
    const char *help;
    const struct tan_figure *figures; /* the first with numbers is the page's, others are folded */
    const struct tan_listing *tables; /* after the answer's */
    const struct tan_listing *folded;
    bool answered; /* has an answer, unless an earlier version wrote it */
};

extern const struct tan_figure tan_design_figures[], tan_pareto_figures[], tan_target_figures[],
    tan_results_figures[], tan_fit_figures[], tan_message_figures[], tan_validation_figures[],
    tan_simulation_figures[];
extern const struct tan_listing tan_results_tables[], tan_results_folded[], tan_fit_tables[],
    tan_fit_folded[], tan_machine_tables[], tan_machine_folded[], tan_validation_tables[],
    tan_collective_tables[], tan_simulation_tables[], tan_simulation_folded[];

/* Those of the TAN paper, each of which every file is searched for. */
extern const struct tan_figure tan_paper_figures[];

#endif
