/* results_answer.c - which measured tree is the fastest, as the terminal and the page say it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <math.h>

#include "base/reply.h"
#include "base/text.h"
#include "base/units.h"

/* Trees that can be compared: as many leaves, messages of the same size, and both within a host or
 * between hosts. */
static bool is_rival(const struct result *a, const struct result *b)
{
    return b->tree != NULL && b->round_trip.median > 0 && b->cell->leaves == a->cell->leaves &&
           b->cell->bytes == a->cell->bytes && b->cell->near == a->cell->near;
}

/* The tree that the others are compared with: the first of those with the most leaves; NULL if none
 * has several. */
static const struct result *first_rival(const struct results *r)
{
    const struct result *first = NULL;
    for (int i = 0; i < r->n; i++) {
        const struct result *at = &r->list[i];
        const int leaves = first != NULL ? first->cell->leaves : 1;
        first = is_rival(at, at) && at->cell->leaves > leaves ? at : first;
    }
    return first;
}

static int count_rivals(const struct results *r, const struct result *first)
{
    int n = 0;
    for (int i = 0; first != NULL && i < r->n; i++) {
        n += is_rival(first, &r->list[i]);
    }
    return n;
}

/* The fastest one, measured, or as a model predicts it; NULL if it predicts none. */
static const struct result *fastest(const struct results *r, const struct result *first,
                                    const struct tan_model *model)
{
    const struct result *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < r->n; i++) {
        const struct result *at = &r->list[i];
        const double seconds =
            model != NULL ? tan_predict_wave(r, at, model) : half(at->round_trip.median);
        if (is_rival(first, at) && seconds < least) {
            best = at;
            least = seconds;
        }
    }
    return best;
}

/* Which one each model would choose, and how long that takes. */
static void print_choices(const struct results *r, const struct result *best, FILE *to)
{
    static const struct {
        enum tan_model_row row;
        const char *title;
    } models[] = {
        {TAN_MODEL_LOGP, "LogP"}, {TAN_MODEL_TAN, "TAN"}, {TAN_MODEL_OVERLAP, "tan-overlap"}};
    enum { MODELS = sizeof models / sizeof models[0] };
    const struct result *chosen[MODELS];
    const char *before = "By ";
    for (int i = 0; i < MODELS; i++) {
        chosen[i] = fastest(r, best, &tan_models[models[i].row]);
        if (chosen[i] == best) {
            fprintf(to, "%s%s", before, models[i].title);
            before = ", ";
        }
    }
    fputs(*before == ',' ? " it would be the fastest, too.\n" : "", to);
    for (int i = 0; i < MODELS; i++) {
        if (chosen[i] != NULL && chosen[i] != best) {
            fprintf(
                to, "By %s %.80s would be the fastest; it takes %s times as long.\n",
                models[i].title, chosen[i]->cell->spec,
                tan_factor_text(chosen[i]->round_trip.median / best->round_trip.median, 3).text);
        }
    }
}

/* Others whose intervals reach down to that of the fastest. */
static int count_as_fast(const struct results *r, const struct result *best)
{
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        const struct result *at = &r->list[i];
        const struct tan_interval ci95 = at->round_trip.median_ci95;
        n += at != best && is_rival(best, at) && tan_interval_known(ci95) &&
             ci95.low <= best->round_trip.median_ci95.high;
    }
    return n;
}

/* Whether there are trees of which one is the fastest. */
static bool has_race(const struct results *r)
{
    return !tan_modes[r->plan->settings.mode].pushes && count_rivals(r, first_rival(r)) > 1;
}

static void print_fastest(const void *results, FILE *to)
{
    const struct results *r = results;
    const struct result *best = fastest(r, first_rival(r), NULL);
    const struct tan_interval ci95 = best->round_trip.median_ci95;
    const double spread = tan_interval_known(ci95) ? half(ci95.high - ci95.low) / 2 : 0;
    const int as_fast = count_as_fast(r, best);
    fprintf(to, "Of %d measured trees with %d leaves, %.80s is the fastest: %s us a wave.\n",
            count_rivals(r, best), best->cell->leaves, best->cell->spec,
            tan_value_text(half(best->round_trip.median) * 1e6, spread * 1e6).text);
    if (as_fast > 0) {
        fprintf(to, "By the 95 %% intervals %d other%s may be as fast.\n", as_fast,
                as_fast > 1 ? "s" : "");
    }
    print_choices(r, best, to);
}

void tan_results_print_answer(const struct results *r, FILE *to)
{
    if (!r->validates && has_race(r)) {
        fputc('\n', to);
        tan_text_wrap_printed(to, print_fastest, r);
    }
}

void tan_results_set_answer(struct tan_json_writer *w, json_t *document, const struct results *r,
                            const struct tan_doubts *doubts)
{
    json_t *answer = tan_json_set_object(w, document, "answer");
    tan_doubts_say(w, answer, doubts);
    if (r->validates) {
        tan_reply_say_printed(w, answer, TAN_PART_FIRST, tan_validate_print_best, r);
    } else if (has_race(r)) {
        tan_reply_say_printed(w, answer, TAN_PART_FIRST, print_fastest, r);
    } else {
        tan_reply_say(w, answer, TAN_PART_FIRST, "Measured %d topolog%s.", r->n,
                      r->n == 1 ? "y" : "ies");
    }
    tan_cell_doubts_say(w, answer, r, doubts);
    if (r->about != NULL) {
        tan_reply_say_printed(w, answer, TAN_PART_FROM, r->about, r->context);
    }
}
