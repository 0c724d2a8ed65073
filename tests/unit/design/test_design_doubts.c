/* test_design_doubts.c - doubts that affect an answer, and measurements that would settle them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "design/choice/forecast.h"
#include "model/wave/overlap.h"
#include "model/wave/wave_doubts.h"
#include "topo/spec.h"

#define US 1e-6

/* Cab, whose best trees for 4096 leaves are 16x16x16 (test_design.c), calibrated on enough hosts.
 */
static struct tan_machine *cab(void)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine *m = tan_machine_load("configs/cab.json", &e);
    assert_no_error(e);
    m->hosts = 0;
    return m;
}

/* The design for some leaves, and what may be said against it. */
static void ask(const struct tan_machine *m, int64_t leaves, const char *model, int64_t max_fanout,
                struct tan_doubts *doubts)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_design d;
    const struct tan_problem p = {.leaves = leaves,
                                  .model = tan_model_find(model, &e),
                                  .params = &m->tan,
                                  .max_fanout = max_fanout};
    tan_design(&p, 5, &d, &e);
    assert_no_error(e);
    tan_doubt_design(&d, m, doubts);
    tan_design_clear(&d);
}

static int count_of(const struct tan_doubts *doubts, enum tan_severity severity)
{
    int n = 0;
    for (size_t i = 0; i < doubts->n; i++) {
        n += doubts->row[i].severity == severity;
    }
    return n;
}

static int doubts_of(const struct tan_machine *m, int64_t leaves, const char *model,
                     int64_t max_fanout)
{
    struct tan_doubts doubts = {.n = 0};
    ask(m, leaves, model, max_fanout, &doubts);
    const int n = count_of(&doubts, TAN_DOUBT);
    assert_int_equal(tan_doubts_trusted(&doubts), n == 0);
    tan_doubts_clear(&doubts);
    return n;
}

/* A doubt matters to the answers that depend on what it is about. */
TEST(touches)
{
    struct tan_machine *m = cab();
    assert_int_equal(doubts_of(m, 4096, "tan", 0), 0);
    tan_doubts_add(&m->doubts, TAN_DOUBT, "growth", 1, 1u << TAN_C2, "growth");
    assert_int_equal(doubts_of(m, 4096, "tan", 0), 1);
    assert_int_equal(doubts_of(m, 4096, "logp", 64), 0); /* its levels do not know c */
    tan_doubts_add(&m->doubts, TAN_DOUBT, "other", NAN, TAN_TOUCHES_ALL, "whatever");
    assert_int_equal(doubts_of(m, 4096, "tan", 0), 2);
    assert_int_equal(doubts_of(m, 4096, "logp", 64), 1);
    tan_machine_destroy(m);
}

/* More hosts than were calibrated, or more processes than the only one has cores: a note. */
TEST(beyond_the_hosts)
{
    static const struct {
        int64_t hosts, cores, processes, needed;
        bool oversubscribed;
        const char *text; /* NULL: no note */
    } rows[] = {
        {129, 1, 129, 0, false, NULL},
        {129, 1, 130, 0, false, "130 hosts are more than the calibration covers (129): "},
        {129, 1, 1000, 129, false, NULL}, /* several processes each */
        {129, 1, 1000, 500, false, "500 hosts are more "},
        {1, 16, 16, 0, false, NULL},
        {1, 16, 17, 0, false, "17 processes are too many for the one host that was measured: "},
        {1, 16, 17, 2, false, "2 hosts are more than the calibration covers (1): "},
        {1, 16, 17, 0, true, NULL}, /* which is doubted anyway */
        {1, 0, 17, 0, false, NULL},
        {0, 0, 1 << 20, 0, false, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_doubts doubts = {.n = 0};
        struct tan_machine *m = cab();
        m->hosts = rows[i].hosts;
        m->cores_per_host = rows[i].cores;
        m->oversubscribed = rows[i].oversubscribed;
        tan_doubt_size(2, rows[i].processes, rows[i].needed, &tan_models[TAN_MODEL_TAN], &m->tan, m,
                       &doubts);
        at_row("rows[%zu]", i);
        const struct tan_doubt *note = tan_doubts_find(&doubts, "hosts");
        assert_int_equal(note != NULL, rows[i].text != NULL);
        if (note != NULL) {
            const bool one = rows[i].hosts == 1 && rows[i].needed == 0;
            assert_int_equal(note->severity, one ? TAN_DOUBT : TAN_NOTE);
            assert_int_equal(strncmp(note->text, rows[i].text, strlen(rows[i].text)), 0);
        }
        tan_doubts_clear(&doubts);
        tan_machine_destroy(m);
    }
}

/* A chain does not depend on b and c by method joint, (x - 1) and (x^2 - 1) being 0. */
TEST(touches_forecasts)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine *m = cab();
    struct tan_doubts doubts = {.n = 0};
    m->tan.method = TAN_METHOD_JOINT;
    tan_doubts_add(&m->doubts, TAN_DOUBT, "growth", 1, 1u << TAN_B | 1u << TAN_C2, "growth");
    static const struct {
        const char *spec;
        int doubts;
    } rows[] = {{"chain:5", 0}, {"nto1:2", 1}, {"binomial:8", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_forecast f;
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        assert_no_error(e);
        assert_int_equal(tan_forecast(rows[i].spec, tree, &tan_models[TAN_MODEL_TAN], m, &f, &e),
                         0);
        tan_tree_destroy(tree);
        tan_doubt_forecasts(&f, 1, &tan_models[TAN_MODEL_TAN], m, &doubts);
        assert_int_equal(doubts.n, rows[i].doubts);
        tan_doubts_clear(&doubts);
        tan_forecast_clear(&f);
    }
    tan_machine_destroy(m);
}

/* Fanouts beyond the measured ones: a note up to twice as many, a doubt beyond. 16x16x16. */
TEST(extrapolates)
{
    struct tan_machine *m = cab();
    struct tan_doubts doubts = {.n = 0};
    static const struct {
        int64_t measured;
        int notes, doubts;
    } rows[] = {{0, 0, 0}, {64, 0, 0}, {16, 1, 0}, {8, 2, 0}, {7, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        m->tan.max_fanout = rows[i].measured;
        ask(m, 4096, "tan", 0, &doubts);
        assert_int_equal(count_of(&doubts, TAN_NOTE), rows[i].notes);
        assert_int_equal(count_of(&doubts, TAN_DOUBT), rows[i].doubts);
        tan_doubts_clear(&doubts);
    }
    tan_machine_destroy(m);
}

/* Draws in which b is anything from 0 to a: 512 leaves go to few or to many levels. Where only b
 * is unknown, and c is 0, the N-to-1 tree of two shows it as well as any. With b known the choice
 * is sure. */
TEST(decides)
{
    enum { DRAWS = 100 };
    struct tan_machine *m = cab();
    m->tan.method = TAN_METHOD_JOINT;
    m->tan.value[TAN_C2] = 0;
    m->tan.value[TAN_B] = 20 * US;
    m->tan.draws = malloc(DRAWS * TAN_PARAMS * sizeof *m->tan.draws);
    m->tan.n_draws = DRAWS;
    for (int i = 0; i < DRAWS; i++) {
        double *row = m->tan.draws + i * TAN_PARAMS;
        memcpy(row, m->tan.value, sizeof m->tan.value);
        row[TAN_B] = (i + 0.5) / DRAWS * 50 * US;
    }
    struct tan_doubts doubts = {.n = 0};
    ask(m, 512, "tan", 0, &doubts);
    assert_int_equal(doubts.n, 1);
    assert_string_equal(doubts.row[0].kind, "undecided");
    assert_non_null(strstr(doubts.row[0].text, "measure nto1:"));
    assert_true(doubts.row[0].amount > TAN_TRUSTED_LOSS);
    tan_doubts_clear(&doubts);
    for (int i = 0; i < DRAWS; i++) {
        m->tan.draws[i * TAN_PARAMS + TAN_B] = (20 + 0.01 * i / DRAWS) * US;
    }
    assert_int_equal(doubts_of(m, 512, "tan", 0), 0);
    tan_machine_destroy(m);
}

/* The measurement that tells more about what separates two heights of the best tree of 512 leaves.
 */
static void decided(const struct tan_params *params, enum tan_model_row model,
                    char spec[TAN_DECIDED])
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_design d;
    const struct tan_problem p = {.leaves = 512, .model = &tan_models[model], .params = params};
    tan_design(&p, 5, &d, &e);
    assert_no_error(e);
    snprintf(spec, TAN_DECIDED, "%s", d.levels.decide);
    tan_design_clear(&d);
}

/* What differs between the draws decides which measurement is named. Under tan-overlap the sends of
 * an N-to-1 tree take turns: it tells more about o_s than a chain, whose waves are mostly latency.
 */
TEST(names_the_measurement)
{
    enum { DRAWS = 200 };
    static const struct {
        enum tan_model_row model;
        struct tan_params params;
        int varied;
        const char *spec;
    } rows[] = {
        {TAN_MODEL_TAN,
         {.method = TAN_METHOD_JOINT, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US}},
         TAN_A,
         "chain:"},
        {TAN_MODEL_TAN,
         {.method = TAN_METHOD_JOINT, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US}},
         TAN_B,
         "nto1:"},
        {TAN_MODEL_TAN,
         {.method = TAN_METHOD_JOINT, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US}},
         TAN_C2,
         "nto1:"},
        {TAN_MODEL_OVERLAP,
         {.method = TAN_METHOD_OVERLAP, .value = {98 * US, 2 * US, US}},
         TAN_OVERLAP_O_S,
         "nto1:"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double draws[DRAWS][TAN_PARAMS];
        struct tan_params params = rows[k].params;
        char spec[TAN_DECIDED];
        for (int i = 0; i < DRAWS; i++) {
            memcpy(draws[i], params.value, sizeof draws[i]);
            draws[i][rows[k].varied] *= pow(10, 2.0 * i / DRAWS - 1);
        }
        params.draws = draws[0];
        params.n_draws = DRAWS;
        decided(&params, rows[k].model, spec);
        at_row("%zu: \"%s\"", k, spec);
        print_message("%s\n", spec);
        assert_int_equal(strncmp(spec, rows[k].spec, strlen(rows[k].spec)), 0);
    }
}

/* Notes on a fit, which are of TAN's, are none on tan-overlap's answers. */
TEST(notes_on_fits_of_tan)
{
    struct tan_machine *m = cab();
    tan_doubts_add(&m->doubts, TAN_NOTE, "fit", NAN, TAN_TOUCHES_ALL, "off TAN's curve");
    static const enum tan_model_row rows[] = {TAN_MODEL_TAN, TAN_MODEL_OVERLAP};
    for (size_t i = 0; i < 2; i++) {
        struct tan_doubts doubts = {.n = 0};
        tan_doubt_fanout(8, &tan_models[rows[i]], &m->tan, m, &doubts);
        assert_int_equal(count_of(&doubts, TAN_NOTE), rows[i] == TAN_MODEL_TAN);
        tan_doubts_clear(&doubts);
    }
    tan_machine_destroy(m);
}

RUN_TESTS(NULL, NULL)
