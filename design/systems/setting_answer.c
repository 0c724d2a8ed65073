/* setting_answer.c - answer for one target: setting, tree, constants and configuration
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/setting_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design/search/any_shape.h"
#include "design/search/spread.h"
#include "design/systems/export.h"
#include "design/systems/rules.h"
#include "design/systems/setting.h"

/* Subtrees of a tree that the target takes as it is are on consecutive hosts; a given one keeps its
 * own order, unless hosts are given. */
static int build_trees(struct tan_target_answer *a, const struct tan_target_wish *wish,
                       struct tan_error *e)
{
    for (int i = 0; i < a->n_ways; i++) {
        const struct tan_priced *priced = &a->way[i].priced[0];
        const struct tan_shape shape = tan_shape_of(a->problem.target, &priced->setting,
                                                    a->problem.members, a->way[i].least.fanout);
        if (priced->cost.processes > TAN_TARGET_LISTED) {
            continue;
        }
        if (a->tree[i] == NULL) {
            a->tree[i] = a->built[i] = tan_shape_tree(&shape, e);
        }
        if (a->tree[i] != NULL && priced->setting.knob->split == NULL &&
            (wish->tree == NULL || wish->hosts != NULL)) {
            struct tan_tree *numbered = tan_tree_by_depth(a->tree[i], e);
            tan_tree_destroy(a->built[i]);
            a->tree[i] = a->built[i] = numbered;
        }
        if (a->tree[i] == NULL) {
            return -1;
        }
    }
    return 0;
}

/* Assign names to processes; a root that is not a member gets none. */
static int name_processes(const struct tan_target_answer *a, const char *const *hosts, size_t n,
                          const char ***names, struct tan_error *e)
{
    const bool apart = a->problem.target->counts.root_apart;
    const int64_t wanted = a->way[0].priced[0].cost.processes - apart;
    *names = NULL;
    if (hosts == NULL) {
        return 0;
    }
    if ((int64_t)n < wanted) {
        return tan_fail_usage(e,
                              "--hosts names %zu host%s, and this tree has %" PRId64
                              " processes%s: name as many%s",
                              n, n == 1 ? "" : "s", wanted, apart ? " below its root" : "",
                              a->problem.target->counts.ranks ? ", or say --ranks-per-host" : "");
    }
    *names = calloc((size_t)wanted + 1, sizeof **names);
    if (*names == NULL) {
        return tan_fail_nomem(e);
    }
    for (int64_t i = 0; i < wanted; i++) {
        (*names)[i + apart] = hosts[i];
    }
    return 0;
}

bool tan_target_keeps(const struct tan_target_answer *answer, int way)
{
    const struct tan_setting *by_default = &answer->way[way].by_default.setting;
    return !answer->given && by_default->knob != NULL &&
           tan_setting_same(by_default, &answer->way[way].priced[0].setting);
}

/* Write the configuration with these process names; NULL if unnamed. A default that is kept beside
 * another setting, or is that of rules, is not written, since what is written holds for all
 * messages. */
static int write_named(struct tan_target_answer *a, const char *const *names, struct tan_error *e)
{
    size_t length;
    const bool part = a->n_ways > 1 && tan_target_keeps(a, 0) != tan_target_keeps(a, 1);
    struct tan_setting written[2] = {{NULL, 0}, {NULL, 0}};
    for (int w = 0; w < a->n_ways; w++) {
        if (!tan_target_keeps(a, w) || (!part && a->problem.target->write_rules == NULL)) {
            written[w] = a->way[w].priced[0].setting;
        }
    }
    const struct tan_priced *first = &a->way[0].priced[0];
    const bool every = first->setting.knob->split == NULL;
    const struct tan_answer said = {
        .target = a->problem.target,
        .up = written[(a->way[0].direction & TAN_UP) != 0 ? 0 : 1],
        .down = written[(a->way[0].direction & TAN_DOWN) != 0 ? 0 : 1],
        .members = a->problem.members,
        .tree = every ? a->tree[0] : NULL,
        .host = names,
    };
    FILE *to = open_memstream(&a->configuration, &length);
    int result = to == NULL ? tan_fail_nomem(e) : 0;
    if (result == 0 && every && a->tree[0] == NULL) {
        fprintf(to, "%s the tree has more than %d processes: no file of it is written\n",
                a->problem.target->comment == NULL ? "" : a->problem.target->comment,
                TAN_TARGET_LISTED);
    } else if (result == 0) {
        result = a->problem.target->write(&said, to, e);
    }
    if (to != NULL && fclose(to) != 0 && result == 0) {
        result = tan_fail_nomem(e);
    }
    return result;
}

/* A given tree that is built as it is keeps its own names, unless hosts are given. */
static int write_configuration(struct tan_target_answer *a, const struct tan_target_wish *wish,
                               struct tan_error *e)
{
    const bool every = a->way[0].priced[0].setting.knob->split == NULL;
    struct tan_tree_hosts own = {NULL, NULL};
    const char **names = NULL;
    if (wish->tree != NULL && wish->hosts == NULL && every) {
        if (tan_tree_hosts(wish->tree, &own, e) < 0) {
            return -1;
        }
    } else if (name_processes(a, wish->hosts, wish->n_hosts, &names, e) < 0) {
        return -1;
    }
    const int result = write_named(a, own.host != NULL ? own.host : names, e);
    tan_tree_hosts_clear(&own);
    free(names);
    return result;
}

/* The directions in which settings of the target matter. */
static int directions_of(const struct tan_target *target)
{
    int all = 0;
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        all |= k->directions;
    }
    return all;
}

/* Export one direction of a given tree. */
static int export_way(struct tan_target_answer *a, const struct tan_tree *tree, int direction,
                      struct tan_error *e)
{
    struct tan_export *x = &a->export[a->n_ways];
    struct tan_target_way *way = &a->way[a->n_ways];
    if (tan_export_find(&a->problem, tree, direction, x, e) < 0 ||
        tan_target_evaluate(&a->problem, &x->setting, way, e) < 0) {
        return -1;
    }
    if (x->setting.knob->split == NULL) {
        way->priced[0].cost = x->given;
        way->priced[0].slower = tan_slower_than_least(way, x->given.wave);
        a->tree[a->n_ways] = tree;
    }
    a->n_ways++;
    return 0;
}

static int export_tree(struct tan_target_answer *a, const struct tan_tree *tree,
                       struct tan_error *e)
{
    const int all = directions_of(a->problem.target) &
                    (a->problem.ways != 0 ? a->problem.ways : TAN_UP | TAN_DOWN);
    a->exported = true;
    if ((all & TAN_UP) != 0 && export_way(a, tree, TAN_UP, e) < 0) {
        return -1;
    }
    const bool both = a->n_ways > 0 && (a->way[0].direction & TAN_DOWN) != 0;
    return (all & TAN_DOWN) != 0 && !both ? export_way(a, tree, TAN_DOWN, e) : 0;
}

/* Put this setting first. */
static void prefer(struct tan_target_answer *a, int w, const struct tan_priced *first)
{
    struct tan_target_way *way = &a->way[w];
    const struct tan_priced preferred = *first; /* which may be in the list */
    size_t at = 0;
    while (at < way->n_priced && !tan_setting_same(&way->priced[at].setting, &preferred.setting)) {
        at++;
    }
    if (at == way->n_priced) { /* another value of a knob */
        way->n_priced += way->n_priced < TAN_PRICED;
        at = way->n_priced - 1;
    }
    memmove(way->priced + 1, way->priced, at * sizeof *way->priced);
    way->priced[0] = preferred;
    tan_tree_destroy(a->built[w]); /* of another setting */
    a->tree[w] = a->built[w] = NULL;
}

/* Keep the default unless a setting gains more than the model may err, and that whether children
 * share their parent's link or are served one by one; of those that do the fastest one. */
static void keep_default(struct tan_target_answer *a, int w)
{
    struct tan_target_way *way = &a->way[w];
    const struct tan_priced best = way->priced[0];
    const struct tan_priced other = way->by_default;
    const double margin = tan_default_margin(a->problem.error);
    if (other.setting.knob == NULL || tan_setting_same(&other.setting, &best.setting) ||
        a->problem.p_down != 0.0) {
        return;
    }
    for (size_t i = 0; i < way->n_priced; i++) {
        if (tan_priced_longer(&a->problem, &other, &way->priced[i], false) > margin) {
            if (i > 0) {
                prefer(a, w, &way->priced[i]);
            }
            return;
        }
    }
    a->instead[w] = best;
    prefer(a, w, &other);
}

/* How sure the setting is, where it was chosen by expected waves by these; not known of a tree
 * that was found or given. */
static int weigh(struct tan_target_answer *a, int w, struct tan_error *e)
{
    struct tan_target_problem problem = a->problem;
    struct tan_delayed among[TAN_SETTING_FAILURES];
    for (int i = 0; i < a->n_failures[w] && problem.p_down > 0.0; i++) {
        const struct tan_setting_failure *row = &a->failure[w][i];
        among[i] = (struct tan_delayed){row->setting, row->expected - row->wave};
        problem.among = among;
        problem.n_among = i + 1;
    }
    const bool is_best = !a->given && a->instead[w].setting.knob == NULL &&
                         (problem.p_down > 0.0 || !tan_target_outdone(&a->way[w]));
    return a->tree[w] == NULL ? tan_target_weigh(&problem, is_best, &a->way[w], e) : 0;
}

/* What failures cost, by the setting; if the best one is asked for, that with the least expected
 * wave, but for the default if that gains too little. */
static int find_failures(struct tan_target_answer *a, int w, struct tan_error *e)
{
    struct tan_target_way *way = &a->way[w];
    struct tan_setting_failure *rows = a->failure[w];
    a->shortest[w] = way->priced[0].setting;
    a->n_failures[w] = tan_setting_failures(&a->problem, way, rows, e);
    if (a->n_failures[w] <= 0 || a->problem.p_down == 0.0) {
        return a->n_failures[w] < 0 ? -1 : 0;
    }
    const struct tan_setting_failure *least = tan_least_expected(rows, a->n_failures[w]);
    const struct tan_setting *setting =
        a->given ? &way->priced[0].setting : &way->by_default.setting;
    const struct tan_setting_failure *other = tan_failure_of(rows, a->n_failures[w], setting);
    /* what the model errs in the waves; what delays are is not the model's */
    const double error = a->given || isnan(a->problem.error) ? 0.0 : a->problem.error;
    const bool gains =
        other == NULL || other->expected - error * other->wave >
                             (least->expected + error * least->wave) * (1 + TAN_SEARCH_EQUAL);
    struct tan_priced first = {.setting = least->setting};
    if (tan_target_cost(&a->problem, &first.setting, way->direction, &first.cost, e) < 0) {
        return -1;
    }
    first.slower = tan_slower_than_least(way, first.cost.wave);
    if (a->given) {
        a->instead[w] = gains ? first : a->instead[w];
        return 0;
    }
    if (!gains && !tan_setting_same(&first.setting, setting)) { /* the default is kept */
        a->instead[w] = first;
        first = way->by_default;
    }
    if (!tan_setting_same(&first.setting, &a->shortest[w])) {
        prefer(a, w, &first);
        if (first.setting.knob != a->shortest[w].knob) { /* whose values are listed */
            a->n_failures[w] = tan_setting_failures(&a->problem, way, rows, e);
        }
    }
    return a->n_failures[w] < 0 ? -1 : 0;
}

/* The target's knob for any tree in a direction; NULL if it has none. */
static const struct tan_knob *any_tree_knob(const struct tan_target *target, int direction)
{
    const struct tan_knob *knob = target->knobs;
    while (knob->name != NULL && (knob->split != NULL || knob->directions != direction)) {
        knob++;
    }
    return knob->name == NULL ? NULL : knob;
}

/* Put a tree for the knob first, before settings of other knobs, unless it is slower where the
 * processes are. How sure it is is not known. Takes the tree. */
static void put_tree(struct tan_target_answer *a, const struct tan_knob *knob,
                     struct tan_tree *tree)
{
    struct tan_target_way *way = &a->way[0];
    struct tan_priced *priced = way->priced;
    const struct tan_shape_cost cost = tan_export_cost(&a->problem, way->direction, tree);
    if (priced->setting.knob != knob && cost.wave >= priced->cost.wave) {
        tan_tree_destroy(tree);
        return;
    }
    if (priced->setting.knob != knob) {
        way->n_priced += way->n_priced < TAN_PRICED;
        memmove(priced + 1, priced, (way->n_priced - 1) * sizeof *priced);
        way->least.wave = cost.wave;
    }
    *priced = (struct tan_priced){.setting = {knob, knob->least}, .cost = cost};
    for (size_t i = 0; i < way->n_priced; i++) {
        priced[i].slower = tan_slower_than_least(way, priced[i].cost.wave);
    }
    way->by_default.slower = tan_slower_than_least(way, way->by_default.cost.wave);
    a->tree[0] = a->built[0] = tree;
}

/* Whether a tree of any shape can be searched for: for one direction, or with the same messages in
 * both, and by its wave alone. */
static bool knows_any_shape(const struct tan_target_problem *p, int direction)
{
    return p->p_down == 0.0 &&
           (tan_target_one_way(p->target) ? direction != (TAN_UP | TAN_DOWN) : p->up == p->down);
}

/* Where the target takes any tree, take the best of any shape if it is faster than every other
 * setting, or than that of even levels; where it does not, know what such a tree would take, if
 * links are of one kind and a process has one child served at a time. */
static int find_any_shape(struct tan_target_answer *a, int w, struct tan_error *e)
{
    const struct tan_target_problem *p = &a->problem;
    const int direction = a->way[w].direction;
    const bool members = p->target->counts.population == TAN_ALL_MEMBERS;
    const struct tan_knob *knob = any_tree_knob(p->target, direction);
    struct tan_params params = direction == TAN_DOWN ? *p->down : *p->up;
    const struct tan_problem problem = {.leaves = p->members + p->target->counts.root_apart,
                                        .model = p->model,
                                        .params = &params,
                                        .error = p->error};
    struct tan_any_shape any;
    params.one_way = tan_target_one_way(p->target) ? direction : params.one_way;
    if (!knows_any_shape(p, direction) ||
        (knob == NULL ? p->shared != NULL || (p->target->senders > 1 && direction != TAN_UP)
                      : a->n_ways > 1)) {
        return 0;
    }
    int result = tan_any_shape(&problem, members, a->way[w].priced[0].cost.wave, &any, e);
    if (result == 0 && any.tree != NULL && knob == NULL) {
        a->any_shape[w] = any.wave;
    } else if (result == 0 && any.tree != NULL && tan_tree_size(any.tree) <= TAN_TARGET_LISTED) {
        struct tan_tree *tree = tan_tree_by_depth(any.tree, e); /* as its processes are numbered */
        result = tree == NULL ? -1 : 0;
        if (tree != NULL) {
            put_tree(a, knob, tree);
        }
    }
    tan_tree_destroy(any.tree);
    return result;
}

/* Evaluate a given setting, and remember the best one. */
static int evaluate_given(struct tan_target_answer *a, const struct tan_setting *setting,
                          struct tan_error *e)
{
    struct tan_target_problem asked = a->problem;
    struct tan_target_way best[2];
    struct tan_target_way *way = &a->way[0];
    asked.ways = setting->knob->directions;
    a->n_ways = 1;
    const int n = tan_target_evaluate(&a->problem, setting, way, e) < 0
                      ? -1
                      : tan_target_choose(&asked, best, e);
    for (int i = 0; i < n && a->problem.p_down == 0.0; i++) {
        const struct tan_priced *first = &best[i].priced[0];
        if (best[i].direction == way->direction &&
            first->cost.wave < way->priced[0].cost.wave * (1 - TAN_SEARCH_EQUAL)) {
            a->instead[0] = *first;
        }
    }
    return n < 0 ? -1 : 0;
}

static int find_ways(struct tan_target_answer *a, const struct tan_target_wish *wish,
                     struct tan_error *e)
{
    const int decided = /* directions that settings apply to */
        wish->setting != NULL ? wish->setting->knob->directions : directions_of(a->problem.target);
    if (a->problem.ways != 0 && (decided & a->problem.ways) == 0) {
        return tan_fail_usage(e, "%s has no setting for messages that go %s: give %s",
                              a->problem.target->title, a->problem.ways == TAN_UP ? "up" : "down",
                              a->problem.ways == TAN_UP ? "--down-bytes" : "--up-bytes");
    }
    if (wish->tree != NULL) {
        return export_tree(a, wish->tree, e);
    }
    if (wish->setting != NULL && wish->setting->knob->split == NULL &&
        tan_target_one_way(a->problem.target)) { /* for which the best tree is not searched */
        return tan_fail_usage(e, "%s takes a tree of yours: give it as --tree SPEC",
                              wish->setting->knob->name);
    }
    if (wish->setting != NULL) {
        return evaluate_given(a, wish->setting, e);
    }
    a->n_ways = tan_target_choose(&a->problem, a->way, e);
    for (int w = 0; w < a->n_ways; w++) {
        if (find_any_shape(a, w, e) < 0) {
            return -1;
        }
        keep_default(a, w);
    }
    return a->n_ways < 0 ? -1 : 0;
}

void tan_target_add_notes(const struct tan_target_answer *answer, struct tan_doubts *doubts)
{
    const struct tan_target_problem *p = &answer->problem;
    const char *names[] = {"", ""};
    int n = 0;
    for (int w = 0; w < answer->n_ways; w++) {
        const char *shared = p->target->shared.by[answer->way[w].direction == TAN_DOWN];
        if (shared != NULL && strcmp(shared, names[0]) != 0) {
            names[n++] = shared;
        }
    }
    if (tan_target_is_vast(p)) {
        tan_doubts_add(doubts, TAN_NOTE, "vast", NAN, 0,
                       "%" PRId64
                       " processes that share hosts or racks are too many to compare all values "
                       "where they are: the value of each setting is the best for links of one "
                       "kind, and only its time is that of where processes are",
                       p->members);
    }
    if (p->target->note != NULL) {
        tan_doubts_add(doubts, TAN_NOTE, "another-tree", NAN, 0, "%s", p->target->note);
    }
    if (tan_target_only_one(p->target, p->asked)) {
        tan_doubts_add(doubts, TAN_NOTE, "version", NAN, 0,
                       "only one version of %s is known%s%s, whose answer this is",
                       p->target->title, p->target->versions.newest != NULL ? ", " : "",
                       p->target->versions.newest != NULL ? p->target->versions.newest : "");
    }
    if (p->shared != NULL && p->target->counts.root_apart) {
        tan_doubts_add(doubts, TAN_NOTE, "root-apart", NAN, 0,
                       "the root, which is not among these hosts, is taken to be far from all");
    }
    if (tan_target_shares_hosts(p)) {
        tan_doubts_add(doubts, TAN_NOTE, "ranks-of-hosts", NAN, 0,
                       "ranks are taken to fill one host after the other, as mpiexec places them");
    } else if (p->target->counts.ranks) {
        tan_doubts_add(doubts, TAN_NOTE, "ranks-of-hosts", NAN, 0,
                       "settings are compared for one rank per host%s%s%s%s%s",
                       n > 0 ? "; where " : "",
                       n > 0 ? "several hosts run several ranks each, the default is " : "",
                       names[0], n > 1 ? " and " : "", names[1]);
    }
    if (tan_target_one_way(p->target) && p->model->node == NULL && !p->network) {
        tan_doubts_add(doubts, TAN_NOTE, "one-way-assumed", NAN, 0,
                       "the machine's parameters are those of half a round trip: one way, a "
                       "message is assumed to cost a at both ends, and further children of a "
                       "process to follow at intervals of b");
    }
}

int tan_target_answer(const struct tan_target_problem *problem, const struct tan_target_wish *wish,
                      struct tan_target_answer *out, struct tan_error *e)
{
    *out = (struct tan_target_answer){.problem = *problem,
                                      .given = wish->setting != NULL || wish->tree != NULL,
                                      .any_shape = {NAN, NAN}};
    int result = find_ways(out, wish, e);
    for (int w = 0; w < out->n_ways && result == 0; w++) {
        result = find_failures(out, w, e) < 0 || weigh(out, w, e) < 0 ? -1 : 0;
    }
    if (result < 0 || build_trees(out, wish, e) < 0 || write_configuration(out, wish, e) < 0) {
        tan_target_answer_clear(out);
        return -1;
    }
    if (tan_target_one_way(problem->target)) {
        return 0;
    }
    const bool down = out->way[0].direction == TAN_DOWN;
    out->flat_until =
        tan_flat_until(problem->target->counts.population, problem->target->counts.root_apart,
                       problem->model, down ? problem->down : problem->up, &out->flat_ci95);
    return 0;
}

void tan_target_answer_clear(struct tan_target_answer *answer)
{
    for (int i = 0; i < 2; i++) {
        tan_tree_destroy(answer->built[i]);
    }
    free(answer->configuration);
    *answer = (struct tan_target_answer){.n_ways = 0};
}

int tan_target_check_count(const struct tan_target *target, int64_t leaves, int64_t members,
                           const struct tan_model *model, const struct tan_params *params,
                           struct tan_error *e)
{
    struct tan_least_tree tree;
    const bool all = target->counts.population == TAN_ALL_MEMBERS;
    if (all ? members > 0 : leaves > 0) {
        return 0;
    }
    if (all) { /* the leaves of the best tree and its internal processes except the root */
        int64_t nodes = 1;
        int64_t internal = 0;
        if (tan_least_tree(TAN_LEAVES_APART, leaves, model, params, &tree) < 0) {
            return tan_fail_nomem(e);
        }
        for (int i = 0; i + 1 < tree.height; i++) {
            nodes *= tree.fanout[i];
            internal += nodes;
        }
        return tan_fail_usage(
            e,
            "--target %s counts %s, internal ones among them: give --members %" PRId64
            " if these are all of them; %" PRId64
            " leaves with separate internal processes would be about --members %" PRId64,
            target->name, target->counts.member, leaves, leaves,
            leaves + internal + !target->counts.root_apart);
    }
    return tan_fail_usage(e,
                          "--target %s counts %s, and internal processes are additional: give "
                          "--leaves %" PRId64,
                          target->name, target->counts.member, members);
}

struct question {
    const struct tan_term *term;
    const struct tan_model *model;
    int64_t setting;
};

static double value_of(const void *context, const struct tan_params *params)
{
    const struct question *q = context;
    return q->term->value(q->model, params, q->setting);
}

double tan_term_value(const struct tan_term *term, const struct tan_target_problem *problem,
                      const struct tan_target_way *way, struct tan_interval *ci95)
{
    struct tan_params params = way->direction == TAN_DOWN ? *problem->down : *problem->up;
    const struct question q = {term, problem->model, way->priced[0].setting.value};
    if (tan_target_one_way(problem->target) && way->direction != (TAN_UP | TAN_DOWN)) {
        params.one_way = way->direction;
    }
    const double value = value_of(&q, &params);
    *ci95 = TAN_INTERVAL_UNKNOWN;
    if (!isnan(value)) {
        tan_spread_interval(value_of, &q, &params, ci95, NULL);
    }
    return value;
}

double tan_term_child(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout)
{
    const int64_t children = fanout > 2 ? fanout : 2;
    return (tan_flat_level(model, params, children) - tan_flat_level(model, params, 1)) /
           (double)(children - 1);
}
