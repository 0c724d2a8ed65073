/* test_fitting.c - parameters recovered from results with known truth, and saved to a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/distance.h"
#include "tanbench/results/fitting.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "tanbench/plan/calibration_plan.h"
#include "tests/unit/check.h"

static const double us = 1e-6;

/* The machine that is measured, by either method: L, a, b, c, and C for every wave. */
static const double truth_us[] = {50, 8, 2, 0.25};
static const double once_us = 3;

enum { WAVES = 40, RANKS = 41 };

/* Wave of a chain of so many levels, or of an N-to-1 tree, as the method has it (fit.h). */
static double wave_of(enum tan_method method, bool chain, int size)
{
    const double L = truth_us[0] * us, a = truth_us[1] * us, b = truth_us[2] * us,
                 c = truth_us[3] * us, once = once_us * us, x = size;

    if (chain) {
        return once + x * (L + 2 * a);
    }
    return method == TAN_METHOD_JOINT ? once + L + 2 * a + b * (x - 1) + c * (x * x - 1)
                                      : L + a + b * x + c * x * x;
}

/* Any other tree's, by TAN's recursion. */
static double recursive_wave(enum tan_method method, const struct tan_tree *tree)
{
    const struct tan_params truth = {.method = method,
                                     .value = {truth_us[0] * us, truth_us[1] * us, truth_us[2] * us,
                                               truth_us[3] * us, 0, once_us * us}};

    return tan_wave_time(&tan_models[TAN_MODEL_TAN], &truth, tree);
}

/* Waves that scatter by 1 part in 10^5 about `seconds`, their median. */
static struct measurement measured(double seconds, int n)
{
    struct measurement m = {.round_trips = malloc((size_t)n * sizeof *m.round_trips),
                            .n = (size_t)n,
                            .batch = 1,
                            .stopped = STOP_FIXED};

    assert_non_null(m.round_trips);
    for (int i = 0; i < n; i++) {
        m.round_trips[i] = 2 * seconds * (1 + 1e-5 * (2.0 * (i * 7 % n) / (n - 1) - 1));
    }
    return m;
}

struct bench {
    struct plan plan;
    struct results results;
};

/* A whole calibration of that machine. */
static struct bench *calibrated(enum tan_method method)
{
    struct bench *b = calloc(1, sizeof *b);
    struct tan_error e = TAN_ERROR_INIT;

    assert_non_null(b);
    tan_settings_default(&b->plan.settings);
    assert_int_equal(tan_calibration_plan(&b->plan, 24, MAX_CHAIN_HEIGHT, RANKS, &e), 0);
    tan_plan_add_sizes(&b->plan, &e);
    b->results = (struct results){.plan = &b->plan, .wait = "park", .environment = json_object()};
    for (int i = 0; i < b->plan.n_cells; i++) {
        const struct cell *cell = &b->plan.cells[i];
        const bool chain = strncmp(cell->spec, "chain:", 6) == 0;
        double seconds = truth_us[0] * us;
        if (cell->kind == CELL_TREE) {
            seconds = wave_of(method, chain, chain ? cell->height : cell->max_fanout);
            if (tan_calibration_role(cell) != TAN_FITS_ALL) {
                seconds = recursive_wave(method, b->plan.trees[i]);
            }
        }
        struct measurement m =
            measured(seconds, cell->kind == CELL_PINGPONG ? LATENCY_SAMPLES : WAVES);
        assert_int_equal(tan_results_add(&b->results, i, 0, 0, &m, true, &e), 0);
    }
    assert_no_error(e);
    return b;
}

static void end(struct bench *b)
{
    tan_results_clear(&b->results);
    json_decref(b->results.environment);
    tan_plan_clear(&b->plan);
    free(b);
}

/* L, a, b, c, within 0.1 %. */
static void assert_found(const struct fitting *f, enum tan_method method)
{
    static const enum tan_param params[] = {TAN_L, TAN_A, TAN_B, TAN_C2};

    for (int i = 0; i < 4; i++) {
        const double value = f->fits[method].params.value[params[i]] / us;
        if (fabs(value / truth_us[i] - 1) > 1e-3) {
            fail_msg("%s is %.6f us, not %g", tan_param_keys[params[i]], value, truth_us[i]);
        }
    }
}

/* L + 2 a + 4 b + 24 c = 80 us for a level of 5x5, 66 us by LogP, and C once. */
static void assert_checks_printed(struct fitting *f)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    tan_fitting_print(f, to);
    f->checks.n = 0;
    tan_fitting_print(f, to);
    fclose(to);
    assert_non_null(strstr(text, "95 % interval"));
    assert_non_null(strstr(text, "tan-overlap"));
    assert_non_null(strstr(text, "Check trees, which no fit used, by tan: levels:5x5 +0.0 %, "));
    assert_int_equal(strncmp(text, "Model: tan, 0", 13), 0);
    assert_null(strstr(text, "Within a host"));
    assert_non_null(strstr(text, "No check trees, which need more ranks"));
    free(text);
}

TEST(parameters_come_back)
{
    struct bench *b = calibrated(TAN_METHOD_JOINT);
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;
    assert_int_equal(tan_fitting_run(&f, &b->results, &e), 0);
    assert_no_error(e);
    assert_found(&f, TAN_METHOD_JOINT);
    assert_close(f.fits[TAN_METHOD_JOINT].params.value[TAN_C0], once_us * us, 0.05 * us);
    assert_int_equal(f.latency.n, LATENCY_SAMPLES);
    assert_close(f.latency.median, truth_us[0] * us, 0.001 * us);
    assert_int_equal(f.fits[TAN_METHOD_JOINT].params.bytes, b->plan.settings.sizes[0]);
    assert_checks_printed(&f);
    tan_fitting_clear(&f);
    end(b);
}

static bool doubts_the_host(const struct fitting *f, const struct bench *b)
{
    const struct fitting_host host = {.name = "node7", .hosts = 1, .cores = 16};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine *machine = tan_fitting_machine(f, &b->results, &host, NULL, &e);
    assert_no_error(e);
    const bool doubted = tan_doubts_find(&machine->doubts, "disturbed") != NULL;
    tan_machine_destroy(machine);
    return doubted;
}

/* What a launch measured while others used the cores tells nothing if it has anything better. */
TEST(disturbed_passes_do_not_count)
{
    struct bench *b = calibrated(TAN_METHOD_JOINT);
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;
    int trees = 0;

    for (int i = 0; i < b->plan.n_cells; i++) {
        if (b->plan.cells[i].kind == CELL_TREE) {
            trees++;
            struct measurement m = measured(1e-3, 2 * WAVES);
            m.disturbed = true;
            assert_int_equal(tan_results_add(&b->results, i, 0, 1, &m, true, &e), 0);
        }
    }
    assert_int_equal(tan_fitting_run(&f, &b->results, &e), 0);
    assert_no_error(e);
    assert_found(&f, TAN_METHOD_JOINT);
    assert_true(trees >= 2);
    /* Only trees all of whose passes were disturbed count, and only more than half of them. */
    assert_false(doubts_the_host(&f, b));
    int disturbed = 0;
    for (int i = 0; i < b->results.n; i++) {
        struct result *result = &b->results.list[i];
        result->parts[0].disturbed = result->tree == NULL || ++disturbed <= trees / 2;
    }
    assert_false(doubts_the_host(&f, b));
    for (int i = 0; i < b->results.n; i++) {
        b->results.list[i].parts[0].disturbed = true;
    }
    assert_true(doubts_the_host(&f, b));
    tan_fitting_clear(&f);
    end(b);
}

TEST(machine_files)
{
    const struct fitting_host host = {
        .name = "node7", .hosts = 3, .cores = 16, .oversubscribed = true};
    struct bench *b = calibrated(TAN_METHOD_JOINT);
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;

    json_object_set_new(b->results.environment, "kernel", json_string("6.1"));
    assert_int_equal(tan_fitting_run(&f, &b->results, &e), 0);
    for (int named = 0; named < 2; named++) {
        struct tan_machine *m =
            tan_fitting_machine(&f, &b->results, &host, named ? "Cab" : NULL, &e);
        assert_no_error(e);
        assert_string_equal(m->name, named ? "Cab" : "node7");
        /* 32 chains and nto1:2, 3, 4, 6, 8, 12, 16, 24 of 40 waves */
        assert_string_equal(m->source, "tanbench calibrate: 1600 waves, waiting: park");
        assert_int_equal(m->hosts, 3);
        assert_int_equal(m->cores_per_host, 16);
        assert_true(m->oversubscribed);
        assert_int_equal(m->tan.method, TAN_METHOD_JOINT);
        assert_int_equal(m->latency.n, LATENCY_SAMPLES);
        json_t *json = tan_machine_to_json(m);
        const json_t *tan = json_object_get(json, "tan");
        assert_string_equal(json_string_value(json_object_get(tan, "method")), "joint");
        assert_close(json_number_value(json_object_get(tan, "L_us")), truth_us[0], 0.05);
        assert_close(json_number_value(json_object_get(tan, "a_us")), truth_us[1], 0.008);
        assert_close(json_number_value(json_object_get(tan, "b_us")), truth_us[2], 0.002);
        assert_close(json_number_value(json_object_get(tan, "c_us")), truth_us[3], 0.00025);
        assert_string_equal(
            json_string_value(json_object_get(json_object_get(json, "environment"), "kernel")),
            "6.1");
        json_decref(json);
        /* within 41 ranks, and 24 leaves of a node; TAN made the waves */
        assert_int_equal(m->checks.n, 6);
        assert_string_equal(m->checks.row[0].topo, "levels:5x5");
        assert_string_equal(m->checks.row[1].topo, "levels:2x2x2");
        assert_string_equal(m->checks.row[2].topo, "knomial:3:9");
        assert_string_equal(m->checks.row[3].topo, "random:16:16");
        assert_string_equal(m->checks.row[4].topo, "binary:16");
        assert_string_equal(m->checks.row[5].topo, "levels:6x6:34");
        assert_int_equal(tan_checks_best(&m->checks), TAN_CHECK_TAN);
        assert_close(tan_checks_error(&m->checks, TAN_CHECK_TAN), 0, 1e-3);
        assert_true(tan_checks_error(&m->checks, TAN_CHECK_LOGP) > 0.05);
        assert_true(m->overlap_known);
        assert_int_equal(m->overlap.n, 1600 + 40); /* and the binomial tree */
        assert_null(tan_doubts_find(&m->doubts, "check"));
        tan_machine_destroy(m);
    }
    tan_fitting_clear(&f);
    end(b);
}

/* A check tree that is off by more than 5 %, however bad the fit is, which is then doubted, too. */
TEST(check_trees_doubt)
{
    static const struct {
        double fitted, check;
        bool misfit, doubted;
    } row[] = {
        {0.001, 0.04, false, false}, {0.001, -0.06, false, true}, {0.049, 0.051, false, true},
        {0.051, -0.04, true, false}, {0.1, 0.19, true, true},     {0.5, -0.995, true, true},
    };
    const struct fitting_host host = {.name = "node7", .hosts = 1, .cores = 16};
    struct bench *b = calibrated(TAN_METHOD_JOINT);
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;

    assert_int_equal(tan_fitting_run(&f, &b->results, &e), 0);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int m = 0; m < TAN_CHECK_MODELS; m++) {
            f.checks.own_error[m] = row[i].fitted;
            f.checks.row[1].error[m] = row[i].check;
        }
        struct tan_machine *machine = tan_fitting_machine(&f, &b->results, &host, NULL, &e);
        const struct tan_doubt *doubt = tan_doubts_find(&machine->doubts, "check");
        at_row("row[%zu]", i);
        assert_int_equal(doubt != NULL, row[i].doubted);
        assert_int_equal(tan_doubts_find(&machine->doubts, "misfit") != NULL, row[i].misfit);
        if (row[i].check == -0.995) {
            assert_non_null(strstr(doubt->text, " -99.5 % off "));
        }
        tan_machine_destroy(machine);
    }
    tan_fitting_clear(&f);
    end(b);
}

/* Nine ranks on each of nine hosts, in the order "apart": what is within a host and what is
 * between hosts come back, and the check trees, which have both links, choose tan-overlap. */
TEST(tiers_come_back)
{
    enum { HOSTS = 9, EACH = 9, ALL = HOSTS * EACH };
    const double far_us[] = {20, 3, 4, 0.02, 0, 1}, near_us[] = {1, 2, 2.5, 0.02, 0, 1};
    const struct fitting_host host = {.name = "node7", .hosts = HOSTS, .cores = EACH};
    struct tan_params near = {.method = TAN_METHOD_OVERLAP}, far = near;
    const struct tan_tiers tiers = {.n = 2, .params = {&near, &far}};
    const struct tan_model *model = tan_model_find("tan-overlap", NULL);
    struct bench b = {.plan = {.n_cells = 0}};
    struct peer peers[ALL] = {0};
    int32_t host_of[ALL];
    int32_t here[ALL] = {0};
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;

    for (int p = 0; p < TAN_PARAMS; p++) {
        far.value[p] = far_us[p] * us;
        near.value[p] = near_us[p] * us;
    }
    for (int i = 0; i < ALL; i++) { /* rank 0's host has the last ones */
        const int elsewhere = (HOSTS - 1) * EACH;
        host_of[i] = i == 0 || i > elsewhere ? 0 : 1 + (i - 1) % (HOSTS - 1);
        peers[i].host_index = host_of[i];
    }
    tan_settings_default(&b.plan.settings);
    assert_int_equal(tan_calibration_plan(&b.plan, 24, MAX_CHAIN_HEIGHT, ALL, &e), 0);
    assert_int_equal(tan_plan_add_sizes(&b.plan, &e), 0);
    assert_int_equal(tan_calibration_plan_tiers(&b.plan, MAX_CHAIN_HEIGHT, peers, ALL, &e), 0);
    assert_no_error(e);
    b.results = (struct results){
        .plan = &b.plan, .wait = "park", .environment = json_object(), .host_of = host_of};
    for (int i = 0; i < b.plan.n_cells; i++) {
        const struct cell *cell = &b.plan.cells[i];
        const struct tan_sites sites = {.at = {cell->near ? here : host_of}};
        const double *v = cell->near ? near.value : far.value;
        struct measurement m =
            cell->kind == CELL_TREE
                ? measured(tan_wave_time_at(model, &tiers, &sites, b.plan.trees[i]), WAVES)
                : measured(v[TAN_L] + v[TAN_A] + v[TAN_B], LATENCY_SAMPLES);
        assert_int_equal(tan_results_add(&b.results, i, 0, 0, &m, true, &e), 0);
    }
    assert_int_equal(tan_fitting_run(&f, &b.results, &e), 0);
    struct tan_machine *machine = tan_fitting_machine(&f, &b.results, &host, NULL, &e);
    assert_no_error(e);
    assert_int_equal(machine->n_tiers, 1);
    assert_true(machine->tier[0].overlap_known);
    const struct tan_params *found[] = {&machine->tier[0].overlap, &machine->overlap};
    const enum tan_param compared[] = {TAN_L, TAN_A, TAN_B};
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < 3; i++) {
            const double truth = tiers.params[t]->value[compared[i]];
            assert_close(found[t]->value[compared[i]], truth, 0.02 * truth);
        }
    }
    assert_int_equal(machine->checks.n, 6);
    assert_int_equal(tan_checks_best(&machine->checks), TAN_CHECK_OVERLAP);
    assert_true(tan_checks_error(&machine->checks, TAN_CHECK_OVERLAP) < 1e-3);
    assert_true(tan_checks_error(&machine->checks, TAN_CHECK_TAN) > 0.01);
    assert_true(tan_doubts_trusted(&machine->doubts));
    struct tan_tiers chosen;
    assert_true(tan_model_tiers(model, machine, &chosen));
    assert_ptr_equal(chosen.params[0], &machine->tier[0].overlap);
    tan_machine_destroy(machine);
    tan_fitting_clear(&f);
    tan_results_clear(&b.results);
    json_decref(b.results.environment);
    tan_plan_clear(&b.plan);
}

/* 130 ranks on hosts of their own, 8 on a switch and 32 in a group: every class comes back, and the
 * overheads, which its links share; a level that is no nearer than the next is no class. */
static void classes_return(const double L_us[3])
{
    enum { ALL = 130 };
    const double far_us[] = {L_us[2], 1.8, 1.5, 0, 0, 0.1};
    const struct fitting_host host = {.name = "node7", .hosts = ALL, .cores = 1};
    const struct tan_model *model = &tan_models[TAN_MODEL_OVERLAP];
    struct tan_params params[3];
    struct tan_tiers tiers = {.n = 3};
    struct bench b = {.plan = {.n_cells = 0}};
    struct distance d;
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;
    int32_t host_of[ALL], rack[3][ALL];
    for (int t = 0; t < 3; t++) {
        params[t] = (struct tan_params){.method = TAN_METHOD_OVERLAP};
        for (int p = 0; p < TAN_PARAMS; p++) {
            params[t].value[p] = (p == TAN_L ? L_us[t] : far_us[p]) * us;
        }
        tiers.params[t] = &params[t];
    }
    for (int i = 0; i < ALL; i++) {
        host_of[i] = i;
        rack[0][i] = i / 8;
        rack[1][i] = i / 32;
        rack[2][i] = i / 64;
    }
    const struct tan_racks racks = {.rack = {rack[0], rack[1], rack[2]}, .n = 17};
    tan_distance_plan(&d, &racks, host_of, ALL, false);
    assert_int_equal(d.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(d.row[i].level, i + 1);
        assert_int_equal(d.row[i].partners, i == 0 ? 7 : 8);
        d.row[i].latency = (L_us[i < 2 ? i : 2] + far_us[TAN_A] + far_us[TAN_B]) * us;
        for (int k = 0; k < d.row[i].partners; k++) {
            const int32_t partner = d.row[i].partner[k];
            assert_int_equal(partner < 8 ? 0 : partner < 32 ? 1 : partner < 64 ? 2 : 3, i);
        }
    }
    assert_int_equal(tan_distance_classify(&d, &racks, host_of, ALL, &e), 0);
    assert_int_equal(d.n, 3);
    tan_settings_default(&b.plan.settings);
    assert_int_equal(tan_calibration_plan(&b.plan, 24, MAX_CHAIN_HEIGHT, ALL, &e), 0);
    assert_int_equal(tan_plan_add_sizes(&b.plan, &e), 0);
    b.results = (struct results){.plan = &b.plan,
                                 .wait = "park",
                                 .environment = json_object(),
                                 .host_of = host_of,
                                 .distance = &d};
    for (int i = 0; i < b.plan.n_cells; i++) {
        const struct cell *cell = &b.plan.cells[i];
        struct measurement m =
            cell->kind == CELL_TREE
                ? measured(tan_wave_time_at(model, &tiers, &d.sites, b.plan.trees[i]), WAVES)
                : measured(d.row[2].latency, LATENCY_SAMPLES);
        assert_int_equal(tan_results_add(&b.results, i, 0, 0, &m, true, &e), 0);
    }
    assert_int_equal(tan_fitting_run(&f, &b.results, &e), 0);
    struct tan_machine *machine = tan_fitting_machine(&f, &b.results, &host, NULL, &e);
    assert_no_error(e);
    assert_int_equal(machine->n_tiers, 2);
    assert_int_equal(machine->tier[1].level, 2);
    for (int p = TAN_L; p <= TAN_B; p++) {
        assert_close(machine->overlap.value[p], far_us[p] * us, 0.02 * far_us[p] * us);
    }
    assert_close(machine->tier[0].nearer, (L_us[2] - L_us[0]) * us, 0.02 * us);
    assert_close(machine->tier[1].nearer, (L_us[2] - L_us[1]) * us, 0.02 * us);
    assert_close(machine->tan.value[TAN_L], (L_us[2] + 3.3) * us, 0.1 * us);
    assert_close(machine->latency.median, d.row[2].latency, 1e-3 * us);
    assert_true(tan_checks_error(&machine->checks, TAN_CHECK_OVERLAP) < 5e-3);
    tan_machine_destroy(machine);
    tan_fitting_clear(&f);
    tan_distance_clear(&d);
    tan_results_clear(&b.results);
    json_decref(b.results.environment);
    tan_plan_clear(&b.plan);
}

TEST(classes_come_back)
{
    const double in_a_building[] = {1, 2.4, 3}, two_sites[] = {2.2, 3, 27};
    classes_return(in_a_building);
    classes_return(two_sites);
}

/* What was emulated is none of this host's. */
TEST(files_of_emulated_machines)
{
    const struct fitting_host host = {.name = "node7", .hosts = 1, .cores = 2};
    struct bench *b = calibrated(TAN_METHOD_JOINT);
    struct tan_error e = TAN_ERROR_INIT;
    struct fitting f;

    b->plan.settings.emulation.n_tiers = 1;
    strcpy(b->plan.settings.emulation.name, "Cab");
    assert_int_equal(tan_fitting_run(&f, &b->results, &e), 0);
    struct tan_machine *m = tan_fitting_machine(&f, &b->results, &host, NULL, &e);
    assert_no_error(e);
    assert_string_equal(m->name, "emulated Cab");
    assert_non_null(strstr(m->source, "; not measured but emulated from the machine file of Cab"));
    assert_int_equal(m->hosts, 0);
    assert_int_equal(m->cores_per_host, 0);
    assert_false(m->oversubscribed);
    tan_machine_destroy(m);
    tan_fitting_clear(&f);
    end(b);
}

/* A machine's waves by one of the models, each off by 1 to 3 %. */
static void measure_truth(struct bench *b, const struct tan_model *model,
                          const struct tan_params *truth, gsl_rng *rng)
{
    const double noise = gsl_ran_flat(rng, 0.01, 0.03);
    struct tan_error e = TAN_ERROR_INIT;

    for (int i = 0; i < b->plan.n_cells; i++) {
        const double hop = truth->method == TAN_METHOD_JOINT
                               ? truth->value[TAN_L]
                               : truth->value[TAN_L] + truth->value[TAN_A] + truth->value[TAN_B];
        const double seconds =
            b->plan.trees[i] ? tan_wave_time(model, truth, b->plan.trees[i]) : hop;
        struct measurement m = measured(seconds, WAVES);
        for (size_t k = 0; k < m.n; k++) {
            m.round_trips[k] *= exp(gsl_ran_gaussian(rng, noise));
        }
        assert_int_equal(tan_results_add(&b->results, i, 0, 0, &m, true, &e), 0);
    }
}

/* Overheads are no small part of the time: where L is most of it, both models say the same. */
static struct tan_params draw_truth(bool overlap, gsl_rng *rng)
{
    struct tan_params p = {.bytes = 1024};
    const double unit = exp(gsl_ran_flat(rng, log(0.3), log(30))) * us;

    p.method = overlap ? TAN_METHOD_OVERLAP : TAN_METHOD_JOINT;
    p.value[TAN_L] = gsl_ran_flat(rng, 0.5, 2) * unit;
    p.value[TAN_A] = gsl_ran_flat(rng, 0.3, 1) * unit;
    p.value[TAN_B] = gsl_ran_flat(rng, 0.5, 1) * unit;
    p.value[TAN_C2] = overlap ? 0 : gsl_ran_flat(rng, 0.02, 0.1) * unit;
    return p;
}

/* Which model made the waves the check trees find out, of 20 machines at least 19 times. */
TEST(check_trees_choose)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const int n = thorough() ? 20 : 2;
    int right = 0;

    for (int t = 0; t < n; t++) {
        const int wanted = t % 2 ? TAN_CHECK_OVERLAP : TAN_CHECK_TAN;
        struct bench b = {.results = {.plan = &b.plan, .wait = "park"}};
        struct tan_error e = TAN_ERROR_INIT;
        struct fitting f;
        const struct tan_params truth = draw_truth(wanted == TAN_CHECK_OVERLAP, rng);
        tan_settings_default(&b.plan.settings);
        assert_int_equal(tan_calibration_plan(&b.plan, 40, 8, RANKS, &e), 0);
        tan_plan_add_sizes(&b.plan, &e);
        measure_truth(&b, tan_model_find(tan_check_models[wanted], &e), &truth, rng);
        assert_int_equal(tan_fitting_run(&f, &b.results, &e), 0);
        assert_no_error(e);
        print_message("%s: tan %.2f %%, tan-overlap %.2f %%\n", tan_check_models[wanted],
                      100 * tan_checks_error(&f.checks, TAN_CHECK_TAN),
                      100 * tan_checks_error(&f.checks, TAN_CHECK_OVERLAP));
        right += tan_checks_best(&f.checks) == wanted;
        tan_fitting_clear(&f);
        tan_results_clear(&b.results);
        tan_plan_clear(&b.plan);
    }
    assert_in_range(right, n - n / 20, n);
    gsl_rng_free(rng);
}

RUN_TESTS(NULL, NULL)
