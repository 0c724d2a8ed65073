/* sim_compare.c - comparison of the algorithms of a collective operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-sim/sim_run.h"

#include <string.h>

#include "base/output.h"
#include "base/units.h"
#include "report/page/report.h"
#include "sim/schedule/patterns.h"
#include "sim/view/collective_report.h"

int run_compare_algorithms(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    struct tan_contest contest = {.collective = c->pattern, .bytes = (int64_t)run_bytes(r)};
    const struct tan_link between = r->params.between;
    const struct tan_link within = r->params.within;
    for (const struct tan_algorithm *a = c->algorithms;
         a->collective != NULL && strcmp(a->collective, c->algorithms->collective) == 0; a++) {
        struct tan_contestant *row = &contest.row[contest.n++];
        snprintf(row->pattern, sizeof row->pattern, "%s%.32s", a->pattern, strchr(c->pattern, ':'));
        r->pattern = row->pattern;
        bool fits;
        row->operations = tan_pattern_operations(r->pattern, &fits, e);
        if (row->operations < 0) {
            return -1;
        }
        if (!fits) {
            continue;
        }
        run_clear_schedule(r);
        r->params.between = between; /* before --set, which applies to each */
        r->params.within = within;
        if (run_make_schedule(r, e) < 0 || run_simulate(r, e) < 0) {
            return -1;
        }
        row->simulated = true;
        row->finish = r->simulation.finish;
    }
    tan_contest_sort(&contest);
    if (!contest.row[0].simulated) {
        char most[32];
        return tan_fail(e, "every algorithm of %s may take more memory than the %s of --max-memory",
                        c->pattern, tan_format_size(c->max_memory, most, sizeof most));
    }
    /* of the sizes that algorithms send, the report shows the requested one */
    const struct tan_sized_link asked = {(uint64_t)contest.bytes, r->params.between,
                                         r->params.within};
    if (r->params.n_sizes > 0) {
        r->params.sizes = &asked;
        r->params.n_sizes = 1;
    }
    if (!tan_output_is_stdout(c->json)) {
        tan_contest_print(&contest, &r->report, stdout);
    }
    return run_wants_document(c)
               ? tan_report_deliver(c->json, c->report, tan_contest_json(&contest, &r->report), e)
               : 0;
}
