/* fit_trees.c - fits of the trees of a file, and their predictions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cmd/tan-fit/fit_output.h"
#include "topo/spec.h"

enum { MIN_SIZES = 4 }; /* of chains and of N-to-1 trees, to determine all parameters */
/* Nodes of a tree, and of all where any trees are fitted by tan-overlap, since messages are
 * simulated one by one. */
enum { MOST_NODES = 1 << 16, MOST_IN_ALL = 1 << 11 };
enum { SEED = 1 }; /* of the resamplings */

/* Trees */

static bool fits_all(const struct tan_waves *waves)
{
    size_t sizes[] = {[TAN_WAVES_OTHER] = 0, [TAN_WAVES_DOWN] = 0, [TAN_WAVES_TWO] = 0};
    bool gathered = false;
    for (size_t i = 0; i < waves->n; i++) {
        sizes[waves->group[i].kind]++;
        gathered = gathered || waves->group[i].gathered;
    }
    return waves->sized || gathered || sizes[TAN_WAVES_TWO] > 0 || sizes[TAN_WAVES_DOWN] > 0 ||
           (sizes[TAN_WAVES_OTHER] > 0 &&
            (sizes[TAN_WAVES_CHAIN] < MIN_SIZES || sizes[TAN_WAVES_NTO1] < MIN_SIZES));
}

static struct tan_tree *build_tree(const struct session *s, const char *name, int line,
                                   struct tan_error *e)
{
    struct tan_error wrong = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(name, &wrong);
    if (tree == NULL) {
        tan_fail_at(e, tan_input_name(s->config->input), line, 0, "%s%s%s", wrong.source,
                    wrong.source[0] == '\0' ? "" : ": ", wrong.text);
        e->status = wrong.status;
    }
    return tree;
}

/* The tree of a line, for tan-overlap and predictions. */
static const struct tan_tree *need_tree(struct session *s, size_t i, struct tan_error *e)
{
    struct line *line = &s->line[i];
    if (line->tree == NULL) {
        line->tree = build_tree(s, line->group->topology, line->group->line, e);
        s->seen[i].tree = line->tree;
    }
    return line->tree;
}

/* The paths of a wave that goes up over one tree and down over another, or the same. */
static int find_two(const struct session *s, const struct tan_wave_group *group,
                    struct tan_tree_paths *out, struct tan_error *e)
{
    static const char between[] = " + ";
    const char *plus = strstr(group->topology, between);
    const double bytes = (double)(group->gathered ? group->bytes : group->bytes - s->waves.bytes);
    char *name = strdup(group->topology);
    if (name == NULL) {
        return tan_fail_nomem(e);
    }
    name[plus != NULL ? (size_t)(plus - group->topology) : strlen(name)] = '\0';
    struct tan_tree *up = build_tree(s, name, group->line, e);
    struct tan_tree *down =
        build_tree(s, plus != NULL ? plus + strlen(between) : name, group->line, e);
    const int result = up != NULL && down != NULL
                           ? tan_tree_paths_two(up, down, bytes, group->gathered, out, e)
                           : -1;
    tan_tree_destroy(up);
    tan_tree_destroy(down);
    free(name);
    return result;
}

/* The paths of a line's tree, which is built only if it is neither a chain nor an N-to-1 tree. */
static int find_paths(struct session *s, size_t i, struct tan_error *e)
{
    const struct tan_wave_group *group = s->line[i].group;
    struct tan_tree_paths *out = &s->seen[i].paths;
    const double more = (double)(group->bytes - s->waves.bytes);
    if (group->gathered || group->kind == TAN_WAVES_TWO) {
        return find_two(s, group, out, e);
    }
    if (group->kind != TAN_WAVES_OTHER && group->kind != TAN_WAVES_DOWN) {
        return tan_tree_paths_of(s->seen[i].experiment, group->size, more, out, e);
    }
    const struct tan_tree *tree = need_tree(s, i, e);
    return tree == NULL ? -1
                        : tan_tree_paths_find(tree, more, group->kind == TAN_WAVES_DOWN, out, e);
}

static void list_lines(struct session *s)
{
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        const bool chain = group->kind == TAN_WAVES_CHAIN;
        const bool fitted = s->general || group->kind != TAN_WAVES_OTHER;
        if (group->kind == TAN_WAVES_LATENCY) {
            s->input.latency = group->seconds;
            s->input.n_latency = group->n;
            continue;
        }
        s->line[s->n] = (struct line){.group = group};
        s->seen[s->n++] = (struct tan_observation){.experiment = chain ? TAN_CHAIN : TAN_NTO1,
                                                   .size = group->size,
                                                   .waves = group->seconds,
                                                   .n = group->n,
                                                   .role = fitted ? TAN_FITS_ALL : TAN_CHECKS,
                                                   .name = group->topology};
        s->n_fitted += fitted;
    }
}

static int list_trees(struct session *s, struct tan_error *e)
{
    s->line = calloc(s->waves.n + 1, sizeof *s->line);
    s->seen = calloc(s->waves.n + 1, sizeof *s->seen);
    if (s->line == NULL || s->seen == NULL) {
        return tan_fail_nomem(e);
    }
    s->general = fits_all(&s->waves);
    s->input = (struct tan_fit_input){.observations = s->seen,
                                      .any = s->general,
                                      .L = s->config->latency,
                                      .bytes = s->waves.bytes,
                                      .seed = SEED};
    list_lines(s);
    s->input.n_observations = s->n;
    if (s->n_fitted == 0) {
        tan_fail_at(e, tan_input_name(s->config->input), 0, 0, "no waves of trees to fit%s",
                    s->waves.near > 0
                        ? ", but for those within a host, which tanbench calibrate fits"
                        : "");
        e->status = TAN_USAGE;
        return -1;
    }
    if (s->general && s->config->method != TAN_METHOD_JOINT) {
        return tan_fail_usage(e, "--method paper needs chains and N-to-1 trees of four sizes each, "
                                 "and one message size");
    }
    if (s->input.n_latency > 0 && !isnan(s->config->latency)) {
        return tan_fail_usage(e, "--latency is given, but the input has pingpong rows too");
    }
    return s->input.n_latency == 0
               ? 0
               : tan_latency_summarize(s->input.latency, s->input.n_latency, &s->latency, e);
}

/* Fits */

static void note_input(const struct session *s, struct tan_fit *fit)
{
    for (size_t i = 0; i < s->notes.n; i++) {
        TAN_FIT_NOTE(fit, "fit", "%s", s->notes.text[i]);
    }
    if (s->waves.near > 0) {
        TAN_FIT_NOTE(fit, "fit",
                     "waves of trees within a host, named ...@host, are left out (%zu): tanbench "
                     "calibrate fits them, as a tier of its own",
                     s->waves.near);
    }
}

static int fit_method(struct session *s, enum tan_method method, struct tan_error *e)
{
    struct tan_fit_input input = s->input;
    input.method = method;
    input.bootstrap = method == TAN_METHOD_OVERLAP ? TAN_OVERLAP_RESAMPLINGS : TAN_FIT_RESAMPLINGS;
    return tan_fit(&input, &s->fit[method], e);
}

static int fit_tan(struct session *s, struct tan_error *e)
{
    for (size_t i = 0; i < s->n && s->general; i++) {
        if (find_paths(s, i, e) < 0) {
            return -1;
        }
    }
    if (s->general && s->latency.n > 0) {
        s->input.L = s->latency.median;
    }
    for (int m = s->general ? TAN_METHOD_JOINT : 0; m <= TAN_METHOD_JOINT; m++) {
        if (fit_method(s, (enum tan_method)m, e) < 0) {
            return -1;
        }
        note_input(s, &s->fit[m]);
    }
    return 0;
}

/* Whether subtrees of siblings differ, which separates the sender's overhead from the
 * receiver's. */
static bool is_uneven(const struct tan_wave_group *group)
{
    static const char *const shapes[] = {"binomial:", "knomial:", "random:"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strncmp(group->topology, shapes[i], strlen(shapes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether there are enough trees for a fit, also without a fifth of them, none is too large, and
 * all have waves. */
static bool is_possible_of_any(struct session *s)
{
    int64_t processes = 0;
    if (s->waves.sized || 4 * s->n < 5 * TAN_PARAMS) {
        return false;
    }
    for (size_t i = 0; i < s->n && processes <= MOST_IN_ALL; i++) {
        struct tan_error ignored = TAN_ERROR_INIT;
        const struct tan_wave_group *group = s->line[i].group;
        if (group->kind == TAN_WAVES_TWO || group->kind == TAN_WAVES_DOWN || group->gathered) {
            return false;
        }
        if (group->size > MOST_IN_ALL) {
            processes += group->size;
        } else if (need_tree(s, i, &ignored) == NULL) {
            return false; /* no memory */
        } else {
            processes += tan_tree_size(s->line[i].tree);
        }
    }
    if (processes > MOST_IN_ALL) {
        TAN_FIT_NOTE(&s->fit[TAN_METHOD_JOINT], "fit",
                     "tan-overlap is fitted to tables of any trees with at most %d processes in "
                     "all: whether requests and answers overlap is not known",
                     MOST_IN_ALL);
    }
    return processes <= MOST_IN_ALL;
}

/* The same where TAN is fitted to chains and N-to-1 trees. */
static bool is_possible(const struct session *s)
{
    size_t chains = 0, wide = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct tan_wave_group *group = s->line[i].group;
        chains += group->kind == TAN_WAVES_CHAIN;
        wide += group->kind == TAN_WAVES_NTO1 && group->size > 1;
        if (group->size >= MOST_NODES) {
            return false;
        }
    }
    return chains > 0 && wide > 0 && chains + wide >= TAN_PARAMS;
}

static int fit_overlap(struct session *s, struct tan_error *e)
{
    if (!(s->general ? is_possible_of_any(s) : is_possible(s))) {
        return 0;
    }
    for (size_t i = 0; i < s->n && s->uneven == NULL; i++) {
        if (s->seen[i].role == TAN_CHECKS && is_uneven(s->line[i].group)) {
            s->uneven = s->line[i].group;
            s->seen[i].role = TAN_FITS_OVERLAP;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        if (s->seen[i].role != TAN_CHECKS && need_tree(s, i, e) == NULL) {
            return -1;
        }
    }
    return fit_method(s, TAN_METHOD_OVERLAP, e);
}

/* Predictions */

static void list_predictors(struct session *s)
{
    const enum tan_method method = s->config->method;
    const struct fit_predictor overlap = {&tan_models[TAN_MODEL_OVERLAP], TAN_METHOD_OVERLAP,
                                          "tan-overlap"};
    for (int i = 0; i < TAN_MODELS; i++) {
        if (tan_models[i].node == NULL && (!s->general || i == TAN_MODEL_TAN)) {
            struct fit_predictor *p = &s->predictor[s->n_predictors++];
            *p = (struct fit_predictor){.model = &tan_models[i], .method = method};
            snprintf(p->name, sizeof p->name, "%s", tan_models[i].name);
        }
    }
    if (!s->general) {
        struct fit_predictor *p = &s->predictor[s->n_predictors++];
        *p = (struct fit_predictor){.model = &tan_models[TAN_MODEL_TAN], .method = !method};
        snprintf(p->name, sizeof p->name, "%s-%s", tan_models[TAN_MODEL_TAN].name,
                 tan_method_name(p->method));
    }
    if (fit_has_overlap(s)) {
        s->predictor[s->n_predictors++] = overlap;
    }
}

/* A predictor's time for a line. A chain or an N-to-1 tree has equal levels; it is only built for
 * tan-overlap, since it may have 268 million leaves. */
static double predicted_time(const struct session *s, const struct fit_predictor *p,
                             const struct line *line)
{
    const struct tan_wave_group *group = line->group;
    const struct tan_params *params = &s->fit[p->method].params;
    if (group->kind == TAN_WAVES_OTHER || p->method == TAN_METHOD_OVERLAP) {
        return tan_wave_time(p->model, params, line->tree);
    }
    const bool chain = group->kind == TAN_WAVES_CHAIN;
    return params->value[TAN_C0] +
           (chain ? (double)group->size : 1) * p->model->level(params, chain ? 1 : group->size);
}

static int predict_line(struct session *s, size_t i, struct tan_error *e)
{
    struct tan_summary summary;
    struct line *line = &s->line[i];
    int from = 0;     /* predictor */
    if (s->general) { /* of the paths of trees, whose waves may be of several kinds and sizes */
        const struct tan_fitted *fitted = &s->fit[TAN_METHOD_JOINT].fitted[i];
        line->median = fitted->median;
        line->predicted[from++] = fitted->predicted;
    } else if (tan_summarize(line->group->seconds, line->group->n, &summary, e) < 0 ||
               (line->group->kind == TAN_WAVES_OTHER && need_tree(s, i, e) == NULL)) {
        return -1;
    } else {
        line->median = summary.median;
    }
    for (; from < s->n_predictors; from++) {
        line->predicted[from] = predicted_time(s, &s->predictor[from], line);
        if (isnan(line->predicted[from])) {
            return tan_fail_nomem(e);
        }
    }
    return 0;
}

/* Judge the models by all trees, those of all fits first; if tan-overlap could be, but was not
 * fitted, by those held out. */
static int judge_models(struct session *s, struct tan_error *e)
{
    const bool overlap = fit_has_overlap(s);
    struct tan_doubts *doubts = &s->fit[s->config->method].doubts;
    struct tan_fit_input input = s->input;
    struct tan_observation *trees = calloc(s->n, sizeof *trees);
    /* LogP follows TAN, where it is predicted. */
    const int from[TAN_CHECK_MODELS] = {0, s->general ? -1 : 1, overlap ? s->n_predictors - 1 : -1};
    if (trees == NULL) {
        return tan_fail_nomem(e);
    }
    input.method = s->config->method;
    input.observations = trees;
    input.n_observations = 0;
    for (size_t k = overlap || s->general ? 0 : s->n; k < 2 * s->n; k++) {
        const struct line *line = &s->line[k % s->n];
        if (fit_uses(s, line) == (k < s->n)) {
            struct tan_observation *tree = &trees[input.n_observations++];
            *tree = s->seen[k % s->n];
            tree->median = line->median;
            for (int m = 0; m < TAN_CHECK_MODELS; m++) {
                tree->error[m] = from[m] < 0 ? NAN : line->predicted[from[m]] / line->median - 1;
            }
        }
    }
    const int result = tan_cross_validate(&input, &s->checks, e);
    free(trees);
    /* of any trees "scatter" says how far they lie off TAN's fit, and no tree was held out */
    const bool by_overlap = tan_checks_best(&s->checks) == TAN_CHECK_OVERLAP;
    if (s->general && by_overlap) {
        tan_doubts_drop(doubts, "scatter"); /* about TAN, which answers do not use */
    }
    if (!s->general || by_overlap) {
        tan_checks_doubt(&s->checks, 0, false, doubts);
    }
    return result;
}

int fit_all(struct session *s, struct tan_error *e)
{
    if (list_trees(s, e) < 0 || fit_tan(s, e) < 0 || fit_overlap(s, e) < 0) {
        return -1;
    }
    list_predictors(s);
    for (size_t i = 0; i < s->n; i++) {
        if (predict_line(s, i, e) < 0) {
            return -1;
        }
    }
    return judge_models(s, e);
}

void fit_clear(struct session *s)
{
    for (size_t i = 0; i < s->n; i++) {
        tan_tree_paths_clear(&s->seen[i].paths);
        tan_tree_destroy(s->line[i].tree);
    }
    free(s->line);
    free(s->seen);
    for (int m = 0; m < TAN_METHODS; m++) {
        tan_fit_clear(&s->fit[m]);
    }
    tan_waves_clear(&s->waves);
}
