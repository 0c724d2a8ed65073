/* install.c - program that calls a function of every installed header
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <tan/base/error.h>
#include <tan/design/choice/breakpoints.h>
#include <tan/design/choice/decide.h>
#include <tan/design/choice/design.h>
#include <tan/design/choice/loss.h>
#include <tan/design/search/any_shape.h>
#include <tan/design/search/plan.h>
#include <tan/design/search/search.h>
#include <tan/design/search/sensitivity.h>
#include <tan/design/search/spread.h>
#include <tan/design/targets/thumb.h>
#include <tan/model/fit/fit.h>
#include <tan/model/machine/doubt.h>
#include <tan/model/machine/machine.h>
#include <tan/model/machine/params.h>
#include <tan/model/stats/stats.h>
#include <tan/model/wave/sites.h>
#include <tan/model/wave/wave.h>
#include <tan/sim/calls/trace.h>
#include <tan/sim/engine/noise.h>
#include <tan/sim/engine/simulate.h>
#include <tan/sim/engine/simulation.h>
#include <tan/sim/goal/goal.h>
#include <tan/sim/schedule/params.h>
#include <tan/sim/schedule/patterns.h>
#include <tan/sim/schedule/schedule.h>
#include <tan/sim/schedule/tree_wave.h>
#include <tan/sim/sensitivity/cost.h>
#include <tan/sim/sensitivity/response.h>
#include <tan/sim/trace/trace_schedule.h>
#include <tan/sim/view/critical_path.h>
#include <tan/sim/view/path_shares.h>
#include <tan/sim/view/timeline.h>
#include <tan/topo/file.h>
#include <tan/topo/spec.h>
#include <tan/topo/tree.h>

static int near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* model/ and topo/ */
static int predicts(struct tan_error *e)
{
    const struct tan_params params = {.method = TAN_METHOD_PAPER,
                                      .value = {[TAN_L] = 1, [TAN_A] = 2}};
    struct tan_tree *tree = tan_spec_build("nto1:4", e);
    const double wave = tree == NULL ? 0 : tan_wave_time(&tan_models[TAN_MODEL_TAN], &params, tree);
    const struct tan_tiers one = tan_tiers_of(&params);
    int32_t parents[5] = {0};
    const int good = tree != NULL && tan_graph_formats[0].name != NULL &&
                     tan_tree_leaves(tree) == 4 && tan_link_tier(&one, NULL, 0, 1) == 0 &&
                     tan_file_formats[0].write(tree, stdout, e) == 0;
    if (tree != NULL) {
        tan_heal(tree, 1, parents);
    }
    tan_tree_destroy(tree);
    return good && parents[1] == TAN_HEAL_OUT && parents[2] == 0 && near(wave, 3);
}

static int fits(struct tan_error *e)
{
    const double samples[] = {1, 2, 3};
    struct tan_summary summary;
    struct tan_fit fit;
    struct tan_error refusal = TAN_ERROR_INIT;
    const struct tan_interval unknown = TAN_INTERVAL_UNKNOWN;
    const int refused = tan_fit(&(struct tan_fit_input){.n_observations = 0}, &fit, &refusal) < 0;
    struct tan_machine *machine = tan_machine_create("test", e);
    const int good = machine != NULL && tan_summarize(samples, 3, &summary, e) == 0;
    struct tan_doubts doubts = {.n = 0};
    tan_doubts_add(&doubts, TAN_DOUBT, "test", 0, TAN_TOUCHES_ALL, "a reason");
    const int doubted = !tan_doubts_trusted(&doubts);
    tan_doubts_clear(&doubts);
    tan_machine_destroy(machine);
    return good && refused && doubted && near(summary.median, 2) && unknown.low > unknown.high &&
           tan_checks_best(&(struct tan_checks){.n = 0}) == -1;
}

/* design/ */
static int designs(struct tan_error *e)
{
    const struct tan_params params = {.value = {[TAN_L] = 1, [TAN_A] = 2, [TAN_B] = 1}};
    const struct tan_problem problem = {
        .leaves = 64, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_plans plans;
    struct tan_design design;
    if (tan_search(&problem, 1, &plans, e) < 0 || tan_design(&problem, 1, &design, e) < 0) {
        return 0;
    }
    char text[256];
    const int good = plans.n == 1 && tan_spread_of(&params) == TAN_SPREAD_UNKNOWN &&
                     tan_plan_fanouts(&plans.plan[0], text, sizeof text) == text;
    tan_thumb_help(stdout);
    char decides[TAN_DECIDE_SPEC];
    tan_decide(&problem, &plans.plan[0], &plans.plan[0], decides);
    struct tan_loss loss = {.n = 0};
    tan_loss_clear(&loss);
    tan_plans_clear(&plans);
    tan_design_clear(&design);
    struct tan_error refusal = TAN_ERROR_INIT;
    struct tan_tree *tree;
    double wave;
    const int refused = tan_any_shape(&problem, &tree, &wave, &refusal) < 0;
    const struct tan_children leaf = {.count = 1, .leaves = 1};
    return good && refused && leaf.below == 0;
}

/* sim/ */

static int simulates(struct tan_error *e)
{
    static const char goal[] = "num_ranks 1\nrank 0 {\ncalc 1\n}\n";
    struct tan_noise *noise = tan_noise_parse("constant:5ns", 1, e);
    struct tan_sim_params params = tan_sim_defaults;
    params.noise = noise;
    struct tan_schedule *s = tan_pattern_build("gather:2", 8, e);
    struct tan_schedule *read =
        tan_goal_parse(goal, sizeof goal - 1, "text", &(struct tan_goal_options){0}, e);
    struct tan_simulation simulation = {0};
    struct tan_critical_path path = {0};
    int good = noise != NULL && s != NULL && read != NULL &&
               tan_sim_params_check(&params, e) == 0 &&
               tan_simulate(s, &params, true, &simulation, e) == 0 &&
               tan_critical_path(s, &params, &simulation, &path, e) == 0;
    const struct tan_cost_range latency = {.cost = TAN_COST_L, .most = 1e6};
    struct tan_sample sample;
    struct tan_response response = {.n_pieces = 0};
    params.noise = NULL;
    good = good && tan_sample_take(s, &params, TAN_COST_L, 0.0, &sample, e) == 0 &&
           tan_response_find(s, &params, NULL, &latency, 0, &response, e) == 0;
    tan_response_clear(&response);
    const struct tan_timeline timeline = {
        .title = "test", .schedule = s, .params = &params, .simulation = &simulation};
    good = good && tan_timeline_chrome(&timeline, stdout, e) == 0 &&
           tan_sweep_name(TAN_SWEEP_UP) != NULL && simulation.finish > 0;
    struct tan_trace trace;
    struct tan_error refusal = TAN_ERROR_INIT;
    good =
        good && tan_trace_load("/nonexistent", &(struct tan_trace_options){.collectives = "usual"},
                               &trace, &refusal) == NULL;
    tan_trace_clear(&trace);
    tan_critical_path_clear(&path);
    tan_simulation_clear(&simulation);
    tan_schedule_destroy(read);
    tan_schedule_destroy(s);
    tan_noise_destroy(noise);
    return good;
}

int main(void)
{
    struct tan_error e = TAN_ERROR_INIT;
    const char *wrong = !predicts(&e)    ? "model and topo"
                        : !fits(&e)      ? "fit"
                        : !designs(&e)   ? "design"
                        : !simulates(&e) ? "sim"
                                         : NULL;
    if (wrong != NULL) {
        fprintf(stderr, "%s: wrong result\n", wrong);
        return e.status != TAN_DONE ? tan_error_print(&e, "install", stderr) : 1;
    }
    return 0;
}
