/* test_target_mpi.c - trees of Open MPI, MPICH and UCC, worked out by hand from their sources
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/design/target_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "design/systems/setting.h"
#include "design/systems/setting_answer.h"
#include "design/systems/shape.h"
#include "model/machine/given.h"
#include "model/wave/payload.h"
#include "model/wave/wave.h"

/* "0:1,5,7 1:2,4": the children of every rank that has any. */
static void children(const char *target, const char *text, int64_t n, char *out, size_t room)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_setting setting;
    const struct tan_target *t = tan_target_find(target, &e);
    assert_int_equal(tan_setting_parse(t, text, &setting, &e), 0);
    const struct tan_shape shape = tan_shape_of(t, &setting, n, NULL);
    int32_t processes;
    int32_t *parents = shape_parents(&shape, &processes);
    out[0] = '\0';
    for (int32_t p = 0; p < processes; p++) {
        const char *before = NULL;
        for (int32_t c = 0; c < processes; c++) {
            if (parents[c] == p) {
                const size_t used = strlen(out);
                if (before == NULL) {
                    snprintf(out + used, room - used, "%s%d:%d", used > 0 ? " " : "", p, c);
                } else {
                    snprintf(out + used, room - used, ",%d", c);
                }
                before = "";
            }
        }
    }
    free(parents);
}

TEST(trees)
{
    static const struct {
        const char *target, *setting;
        int64_t n;
        const char *children;
    } rows[] = {
        /* MPICH's comments show 4 and 8 ranks with k = 2 */
        {"mpich", "ireduce=knomial_1:2", 4, "0:1,3 1:2"},
        {"mpich", "ireduce=knomial_1:2", 8, "0:1,5,7 1:2,4 2:3 5:6"},
        /* room for 8: 4 from 1 on, 2 from 5 on */
        {"mpich", "ireduce=knomial_1:2", 6, "0:1,5 1:2,4 2:3"},
        {"mpich", "ireduce=knomial_1:2", 5, "0:1 1:2,4 2:3"},
        {"mpich", "ireduce=knomial_1:2", 3, "0:1 1:2"}, /* room for 4: 2 from 1 on */
        /* k = 3, room for 9: 3 from 1 and from 4 on, then 7 and 8 */
        {"mpich", "ibcast=knomial_1:3", 9, "0:1,4,7,8 1:2,3 4:5,6"},
        {"mpich", "ibcast=knomial_1:3", 7, "0:1,4 1:2,3 4:5,6"},
        {"mpich", "ibcast=knomial_1:3", 10, "0:1 1:2,5,8,9 2:3,4 5:6,7"}, /* room for 27 */
        {"mpich", "ireduce=knomial_2:2", 4, "0:1,2 2:3"},
        {"mpich", "ireduce=knomial_2:2", 8, "0:1,2,4 2:3 4:5,6 6:7"},
        {"mpich", "ireduce=knomial_2:3", 11, "0:1,2,3,6,9 3:4,5 6:7,8 9:10"},
        {"mpich", "ibcast=kary:3", 8, "0:1,2,3 1:4,5,6 2:7"},
        {"mpich", "ibcast=kary:1", 4, "0:1 1:2 2:3"},
        /* a message takes 3 overheads: rank 0 alone sends at times 0 to 2, rank 1 from 3 on, ranks
         * 2 and 3 from 4 and 5 on */
        {"mpich", "bcast=topology_wave:1", 6, "0:1,2,3,4 1:5"},
        {"mpich", "bcast=topology_wave:1", 7, "0:1,2,3,4,6 1:5"},
        {"mpich", "bcast=topology_wave:1", 9, "0:1,2,3,4,6 1:5,7 2:8"},
        {"mpich", "ireduce=topology_wave:1", 13, "0:1,2,3,4,6,9 1:5,7,10 2:8,11 3:12"},
        /* the constants of its own: 10 overheads */
        {"mpich", "bcast=topology_wave:8", 12, "0:1,2,3,4,5,6,7,8,9,10,11"},
        {"mpich", "bcast=topology_wave:8", 15, "0:1,2,3,4,5,6,7,8,9,10,11,13 1:12,14"},
        {"ucc", "REDUCE_KN_RADIX=4", 5, "0:1,2,3,4"},
        {"ucc", "REDUCE_KN_RADIX=4", 16, "0:1,2,3,4,8,12 4:5,6,7 8:9,10,11 12:13,14,15"},
        {"ucc", "REDUCE_KN_RADIX=4", 18, "0:1,2,3,4,8,12,16 4:5,6,7 8:9,10,11 12:13,14,15 16:17"},
        {"ucc", "BCAST_KN_RADIX=3", 9, "0:1,2,3,6 3:4,5 6:7,8"},
        {"ucc", "BCAST_KN_RADIX=2", 7, "0:1,2,4 2:3 4:5,6"},
        {"ucc", "BCAST_KN_RADIX=8", 10, "0:1,2,3,4,5,6,7,8 8:9"},
        {"ucc", "FANIN_KN_RADIX=3", 9, "0:1,2,3,6 3:4,5 6:7,8"},
        {"ucc@1.3", "FANOUT_KN_RADIX=2", 7, "0:1,2,4 2:3 4:5,6"},
        /* Open MPI: chains of 3, 2 and 2; highest and lowest bit cleared; strided with 2 children
         */
        {"openmpi", "reduce=chain:3", 8, "0:1,4,6 1:2 2:3 4:5 6:7"},
        {"openmpi", "bcast=binomial", 8, "0:1,2,4 1:3,5 2:6 3:7"},
        {"openmpi", "bcast=binomial", 6, "0:1,2,4 1:3,5"},
        {"openmpi", "reduce=binomial", 6, "0:1,2,4 2:3 4:5"},
        {"openmpi", "reduce=binary", 7, "0:1,2 1:3,5 2:4,6"},
        {"openmpi", "bcast=linear", 4, "0:1,2,3"},
        /* the radices that coll_base_reduce.c of 6.0 draws for 10 ranks */
        {"openmpi@6.0", "reduce=knomial:2", 10, "0:1,2,4,8 2:3 4:5,6 6:7 8:9"},
        {"openmpi@6.0", "reduce=knomial:3", 10, "0:1,2,3,6,9 3:4,5 6:7,8"},
        {"openmpi@6.0", "reduce=knomial:4", 10, "0:1,2,3,4,8 4:5,6,7 8:9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400];
        children(rows[i].target, rows[i].setting, rows[i].n, text, sizeof text);
        assert_string_equal(text, rows[i].children);
    }
}

TEST(refused)
{
    static const struct {
        const char *target, *setting, *wrong;
    } rows[] = {
        {"openmpi", "reduce=kary:4", "2 children only"},
        {"openmpi", "reduce=chain:33", "takes 1 to 32"},
        {"openmpi", "reduce=knomial:4", "from 6.0 on"},
        {"openmpi@4.1", "reduce=knomial:4", "from 6.0 on"},
        {"openmpi@6.0", "reduce=knomial:1", "takes 2 to"},
        {"openmpi", "coll_han_bcast_up_module=adapt", "chooses by itself"},
        {"openmpi", "coll_tuned_reduce_algorithm_tree_fanout=4", "no effect"},
        {"mpich", "reduce=kary:4", "the tree of MPI_Ireduce"},
        {"mpich", "bcast=topology_aware:4", "places in the network"},
        {"mpich", "bcast=topology_wave:257", "takes 1 to 256"},
        {"mpich", "ibcast=topology_wave:8", "as kary"},
        {"mpich@4.1", "bcast=topology_wave:8", "as kary"},
        {"mpich", "ireduce=knomial_1:1", "takes 2 to"},
        {"ucc", "ALLREDUCE_KN_RADIX=4", "an exchange"},
        {"ucc", "ALLGATHER_KN_RADIX=8x6", "an exchange"},
        {"ucc", "GATHER_KN_RADIX=4", "--growth concat"},
        {"ucc", "SCATTER_KN_RADIX=4", "no scatter"},
        {"ucc", "REDUCE_KN_RADIX=65536", "takes 2 to 65535"},
        {"ucc", "KN_RADIX=4", "together"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_setting_refused(rows[i].target, rows[i].setting, rows[i].wrong);
    }
}

/* Sizes of the subtrees below rank 0 in the order in which it sends to them, from the loops of
 * coll_base_topo.c (masks or places, multiples), treeutil.c and bcast_knomial.c. */
TEST(orders)
{
    static const struct {
        const char *target, *setting;
        int64_t n;
        const char *sizes;
    } rows[] = {
        {"openmpi", "bcast=binomial", 13, "6,3,2,1"},
        {"openmpi", "bcast=knomial:2", 13, "5,4,2,1"},
        {"openmpi", "bcast=knomial:3", 8, "3,2,1,1"},
        {"openmpi", "bcast=knomial:3", 10, "1,3,3,1,1"},
        {"openmpi", "bcast=knomial:4", 13, "4,4,1,1,1,1"},
        {"openmpi", "bcast=knomial:4", 7, "3,1,1,1"},
        {"openmpi", "bcast=chain:3", 13, "4,4,4"},
        {"mpich", "bcast=kary:3", 13, "4,4,4"},
        {"mpich", "bcast=knomial_1:3", 13, "9,3"},
        {"mpich", "bcast=knomial_2:3", 8, "2,3,1,1"},
        {"mpich", "bcast=knomial_2:3", 10, "1,3,3,1,1"},
        {"mpich", "bcast=topology_wave:2", 10, "3,2,1,1,1,1"},
        {"ucc", "BCAST_KN_RADIX=3", 8, "2,3,1,1"},
        {"ucc", "BCAST_KN_RADIX=3", 13, "4,3,3,1,1"},
        {"prrte", "rml_base_radix2=2", 13, "6,6"},
        {"flux", "binomial", 13, "1,2,4,5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_setting setting;
        struct tan_branch branch[TAN_BRANCHES];
        char sizes[64] = "";
        at_row("rows[%zu]", i);
        assert_int_equal(
            tan_setting_parse(tan_target_find(rows[i].target, &e), rows[i].setting, &setting, &e),
            0);
        const int kinds = setting.knob->split(setting.value, rows[i].n, 0, branch);
        for (int b = 0; b < kinds; b++) {
            for (int64_t k = 0; k < branch[b].count; k++) {
                const size_t used = strlen(sizes);
                snprintf(sizes + used, sizeof sizes - used, "%s%" PRId64, used > 0 ? "," : "",
                         branch[b].size);
            }
        }
        assert_string_equal(sizes, rows[i].sizes);
    }
}

/* Read off coll_tuned_decision_fixed.c of 4.1.4 by hand, at the edges of its tables; 64 ranks and
 * 1 KiB were seen by the monitoring of that version, too. */
TEST(defaults)
{
    static const struct {
        const char *target;
        int64_t members, bytes;
        int direction;
        const char *setting;
    } rows[] = {
        {"openmpi", 64, 8, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 64, 1024, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 512, 8192, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 512, 16384, TAN_DOWN, "bcast=split-binary"},
        {"openmpi", 512, 65536, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 4096, 8191, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 4096, 8192, TAN_DOWN, "bcast=binary"},
        {"openmpi", 4096, 65536, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 4096, 262144, TAN_DOWN, "bcast=scatter-allgather"},
        {"openmpi", 17, 4095, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 17, 4096, TAN_DOWN, "bcast=binomial"},
        {"openmpi", 40, 1024, TAN_DOWN, "bcast=binomial"},
        {"openmpi", 8, 7, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 8, 8, TAN_DOWN, "bcast=binary"},
        {"openmpi", 8, 32768, TAN_DOWN, "bcast=linear"},
        {"openmpi", 2, 1, TAN_DOWN, "bcast=pipeline"},
        {"openmpi", 7, 1048576, TAN_DOWN, "bcast=chain:1"},
        {"openmpi", 200, 1, TAN_DOWN, "bcast=binomial"},
        {"openmpi", 17, 1024, TAN_UP, "reduce=binary"},
        {"openmpi", 40, 1024, TAN_UP, "reduce=binomial"},
        {"openmpi", 255, 8192, TAN_UP, "reduce=binomial"},
        {"openmpi", 256, 8192, TAN_UP, "reduce=in-order-binary"},
        {"openmpi", 511, 16383, TAN_UP, "reduce=in-order-binary"},
        {"openmpi", 512, 8192, TAN_UP, "reduce=binomial"},
        {"openmpi", 2048, 512, TAN_UP, "reduce=in-order-binary"},
        {"openmpi", 4095, 1024, TAN_UP, "reduce=binomial"},
        {"openmpi", 4096, 1024, TAN_UP, "reduce=in-order-binary"},
        {"openmpi", 4096, 2048, TAN_UP, "reduce=binomial"},
        {"openmpi", 3, 4, TAN_UP, "reduce=rabenseifner"},
        {"openmpi@4.1", 3, 4, TAN_UP, "reduce=rabenseifner"},
        {"openmpi@6.0", 64, 1024, TAN_DOWN, "bcast=knomial:4"},
        {"openmpi", 3, 100, TAN_UP, "reduce=linear"},
        /* MPICH 5.0.1: generic.json and ireduce_intra_sched_auto, doubles */
        {"mpich", 7, 1 << 20, TAN_DOWN, "bcast=knomial_2:2"},
        {"mpich", 8, 12288, TAN_DOWN, "bcast=knomial_2:2"},
        {"mpich", 8, 12289, TAN_DOWN, "bcast=scatter-allgather"},
        {"mpich", 4096, 65536, TAN_DOWN, "bcast=scatter-allgather"},
        {"mpich", 16, 2048, TAN_UP, "ireduce=knomial_2:2"},
        {"mpich", 16, 2049, TAN_UP, "ireduce=reduce-scatter-gather"},
        {"mpich", 511, 2049, TAN_UP, "ireduce=reduce-scatter-gather"},
        {"mpich", 512, 4088, TAN_UP, "ireduce=knomial_2:2"},
        {"mpich", 512, 4096, TAN_UP, "ireduce=reduce-scatter-gather"},
        {"mpich", 4096, 32760, TAN_UP, "ireduce=knomial_2:2"},
        {"mpich", 5000, 32768, TAN_UP, "ireduce=reduce-scatter-gather"},
        {"mpich", 3 << 20, 8 << 20, TAN_UP, "ireduce=reduce-scatter-gather"},
        /* UCC: the strings of reduce.h and bcast.h of 1.4.4 and 1.3.0 */
        {"ucc", 64, 32768, TAN_UP, "REDUCE_KN_RADIX=4"},
        {"ucc", 2, 32769, TAN_UP, "reduce=srg"},
        {"ucc@1.3", 64, 1 << 20, TAN_UP, "REDUCE_KN_RADIX=4"},
        {"ucc", 64, 1024, TAN_DOWN, "BCAST_KN_RADIX=4"},
        {"ucc", 2, 1 << 20, TAN_DOWN, "BCAST_KN_RADIX=4"},
        {"ucc", 3, 1 << 20, TAN_DOWN, "bcast=sag_knomial"},
        {"ucc@1.3", 3, 1 << 20, TAN_DOWN, "bcast=sag_knomial"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_setting setting;
        const struct tan_target *t = tan_target_find(rows[i].target, NULL);
        const char *name =
            tan_target_default(t, rows[i].direction, rows[i].members, rows[i].bytes, &setting);
        assert_string_equal(name != NULL ? name : tan_setting_text(&setting).text, rows[i].setting);
        assert_int_equal(name != NULL, setting.knob == NULL);
    }
}

/* MPICH's rule, link by link: the next rank gets the message from whoever delivers it first. */
TEST(greedy_trees)
{
    enum { MOST = 300 };
    static const int64_t latencies[] = {1, 2, 8, 31, 256};
    const struct tan_target *t = tan_target_find("mpich", NULL);
    const struct tan_knob *knob = t->knobs;
    while (strcmp(knob->name, "bcast=topology_wave:") != 0) {
        knob++;
    }
    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        int32_t parents[MOST];
        int64_t free_at[MOST] = {0}; /* when each rank can send */
        at_row("latencies[%zu]", i);
        knob->parents(latencies[i], MOST, parents);
        for (int32_t rank = 1; rank < MOST; rank++) {
            int64_t earliest = INT64_MAX;
            for (int32_t sender = 0; sender < rank; sender++) {
                earliest = free_at[sender] < earliest ? free_at[sender] : earliest;
            }
            assert_in_range(parents[rank], 0, rank - 1);
            assert_int_equal(free_at[parents[rank]], earliest);
            free_at[parents[rank]] = earliest + 1;
            free_at[rank] = earliest + latencies[i] + 2;
        }
    }
}

/* More kinds of children than are listed: none is lost. */
TEST(greedy_kinds)
{
    static const int64_t members[] = {33000, 40000, 1000000, INT64_C(1000000000000)};
    const struct tan_params params = {.method = TAN_METHOD_JOINT, .value = {1e-6, 2e-6, 3e-6}};
    const struct tan_target *t = tan_target_find("mpich", NULL);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct tan_setting setting;
        struct tan_shape_cost cost;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("members[%zu]", i);
        assert_int_equal(tan_setting_parse(t, "ireduce=topology_wave:256", &setting, &e), 0);
        const struct tan_shape shape = tan_shape_of(t, &setting, members[i], NULL);
        assert_int_equal(tan_shape_cost(&shape, &tan_models[TAN_MODEL_TAN], &params, &cost), 0);
        assert_int_equal(cost.processes, members[i]);
    }
}

/* A first child costs L + 2a, each further one b: with c = 0 that is topology_wave's rule. */
TEST(wave_terms)
{
    static const struct {
        double us[4]; /* L, a, b, c */
        int64_t k;
        double overhead, latency; /* ns; NaN: topology_wave would take 0 or less for it */
    } rows[] = {
        {{10, 1, 0.5, 0}, 7, 500, 11000}, {{10, 1, 0.5, 0}, 1, 500, 11000},
        {{10, 1, 5.75, 0}, 2, 5750, 500}, {{10, 1, 6, 0}, 2, 6000, NAN},
        {{10, 1, 0, 0}, 2, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_params params = {.method = TAN_METHOD_JOINT};
        const struct tan_target *t = tan_target_find("mpich", NULL);
        const struct tan_target_problem problem = {
            .target = t, .model = &tan_models[TAN_MODEL_TAN], .up = &params, .down = &params};
        const struct tan_target_way way = {.direction = TAN_DOWN,
                                           .priced = {{.setting = {.value = rows[i].k}}}};
        const double wanted[] = {rows[i].overhead, rows[i].latency};
        for (int p = 0; p < 4; p++) {
            params.value[p] = 1e-6 * rows[i].us[p];
        }
        for (int term = 0; term < 2; term++) {
            struct tan_interval ci95;
            const double value = tan_term_value(&t->own.terms[term], &problem, &way, &ci95);
            if (isnan(wanted[term])) {
                assert_true(isnan(value));
            } else {
                assert_close(value, wanted[term], 1e-9);
            }
        }
    }
}

/* Microseconds: L, a and b between hosts, and within one; for tan-overlap L, o_s and o_r. */
static const struct tan_params far_params = {
    .method = TAN_METHOD_JOINT, .bytes = 1024, .value = {2e-6, 1e-6, 0.7e-6}};
static const struct tan_params near_params = {
    .method = TAN_METHOD_JOINT, .bytes = 1024, .value = {0.2e-6, 0.3e-6, 0.4e-6}};

static int by_arrival(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return (a[0] - a[1] > b[0] - b[1]) - (a[0] - a[1] < b[0] - b[1]);
}

/* The time until all below a rank have the message, or it has all of theirs. */
static double time_at(const struct tan_tree *tree, int32_t rank, int32_t each, bool overlap,
                      bool up)
{
    enum { MOST = 1024 };
    double arrived[MOST][2];
    const int32_t n = tan_tree_fanout(tree, rank);
    double sent = 0.0, last = 0.0;
    assert_true(n <= MOST);
    for (int32_t i = 0; i < n; i++) {
        const int32_t child = tan_tree_children(tree, rank)[i];
        const double *v = (child / each == rank / each ? &near_params : &far_params)->value;
        const double below = time_at(tree, child, each, overlap, up);
        const double message = v[TAN_L] + v[TAN_A] + v[overlap ? TAN_B : TAN_A];
        last = fmax(last, sent + message + below);
        sent += v[overlap ? TAN_A : TAN_B];
        arrived[i][0] = below + message; /* the end of its reception */
        arrived[i][1] = v[TAN_B];        /* for a further message */
    }
    if (up) {
        qsort(arrived, (size_t)n, sizeof arrived[0], by_arrival);
        last = 0.0;
        for (int32_t i = 0; i < n; i++) {
            last = i == 0 ? arrived[i][0] : fmax(arrived[i][0], last + arrived[i][1]);
        }
    }
    return last;
}

static void share_hosts(struct tan_shared_hosts *shared, int32_t *host, int32_t n, int32_t each)
{
    *shared = (struct tan_shared_hosts){.tiers = {.n = 2, .params = {&near_params, &far_params}},
                                        .sites = {.at = {host}},
                                        .host = host,
                                        .n = (n + each - 1) / each,
                                        .even = n % each == 0};
    for (int32_t rank = 0; rank < n; rank++) {
        host[rank] = rank / each;
    }
}

static double shared_wave(const struct tan_target_problem *p, const struct tan_setting *setting)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_shape_cost cost;
    assert_int_equal(tan_target_cost(p, setting, setting->knob->directions, &cost, &e), 0);
    return cost.wave;
}

/* The least wave of a way's settings by the recursion above, each of which is compared. */
static double least_of(const struct tan_target_problem *p, const struct tan_target_way *way,
                       int32_t each)
{
    double least = INFINITY;
    for (const struct tan_knob *k = p->target->knobs; k->name != NULL; k++) {
        for (int64_t value = k->least; k->directions == way->direction &&
                                       (value == k->least || (value <= k->most && value <= 70));
             value++) {
            struct tan_error e = TAN_ERROR_INIT;
            const struct tan_setting setting = {k, value};
            const struct tan_shape shape = tan_shape_of(p->target, &setting, p->members, NULL);
            struct tan_tree *tree = tan_shape_tree(&shape, &e);
            const double time =
                time_at(tree, 0, each, p->model->node != NULL, k->directions == TAN_UP);
            assert_close(shared_wave(p, &setting), time, 1e-11);
            least = fmin(least, time);
            tan_tree_destroy(tree);
        }
    }
    return least;
}

/* Every setting on its tree, and the best of them; with a host for each rank as without hosts. */
TEST(ranks_that_share_hosts)
{
    static const char *const targets[] = {"openmpi", "openmpi@6.0", "mpich", "ucc"};
    static const int32_t sizes[] = {4, 60, 128};
    static const int32_t ranks[] = {1, 8, 64};
    static int32_t host[128];
    for (int i = 0; i < 4 * 3 * 3 * 2; i++) {
        at_row("rows[%d]", i);
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_shared_hosts shared;
        struct tan_target_way way[2], alone[2];
        const int32_t n = sizes[i / 4 % 3], each = ranks[i / 12 % 3];
        share_hosts(&shared, host, n, each);
        struct tan_target_problem p = {
            .target = tan_target_find(targets[i % 4], &e),
            .members = n,
            .model = &tan_models[i / 36 == 0 ? TAN_MODEL_TAN : TAN_MODEL_OVERLAP],
            .up = &far_params,
            .down = &far_params,
            .shared = &shared};
        assert_int_equal(tan_target_choose(&p, way, &e), 2);
        p.shared = each == 1 ? NULL : &shared;
        assert_int_equal(tan_target_choose(&p, alone, &e), 2);
        for (int w = 0; w < 2; w++) {
            const double wave = way[w].priced[0].cost.wave;
            assert_close(wave, least_of(&p, &way[w], each), 1e-11);
            assert_close(wave, alone[w].priced[0].cost.wave, 1e-11);
        }
    }
}

/* Messages of other sizes than measured, shorter and longer ones: no value is left out that is the
 * best on its tree. */
TEST(sizes_other_than_measured)
{
    static const char *const targets[] = {"openmpi", "mpich", "ucc"};
    static const char *const messages =
        "{\"sections\": [{\"L_us\": 2, \"o_s_us\": 0.5, \"o_r_us\": 0.5, \"g_us\": 0.5, "
        "\"G_us_per_byte\": 0.0005}]}";
    static const int64_t bytes[] = {8, 100000};
    static int32_t host[60];
    struct tan_error e = TAN_ERROR_INIT;
    json_t *object = tan_json_parse(messages, strlen(messages), "m.json", &e);
    struct tan_p2p *p2p = tan_p2p_parse(object, "m.json", &e);
    for (int i = 0; i < 3 * 2 * 2 * 2; i++) {
        at_row("rows[%d]", i);
        struct tan_shared_hosts shared;
        struct tan_target_way way[2];
        struct tan_payload *payload = tan_payload_create(p2p, NULL, 1024, bytes[i / 3 % 2],
                                                         &tan_payload_rules[0], "m.json", &e);
        assert_no_error(e);
        struct tan_params params = far_params;
        params.payload = payload;
        share_hosts(&shared, host, 60, 8);
        const struct tan_target_problem p = {
            .target = tan_target_find(targets[i % 3], &e),
            .members = 60,
            .model = &tan_models[i / 6 % 2 == 0 ? TAN_MODEL_TAN : TAN_MODEL_OVERLAP],
            .up = &params,
            .down = &params,
            .shared = i / 12 == 0 ? NULL : &shared};
        assert_int_equal(tan_target_choose(&p, way, &e), 2);
        for (int w = 0; w < 2; w++) {
            double least = INFINITY;
            for (const struct tan_knob *k = p.target->knobs; k->name != NULL; k++) {
                const int64_t most = k->most < 60 ? k->most : 60;
                for (int64_t value = k->least;
                     k->directions == way[w].direction && (value == k->least || value <= most);
                     value++) {
                    least = fmin(least, shared_wave(&p, &(struct tan_setting){k, value}));
                }
            }
            assert_close(way[w].priced[0].cost.wave, least, 1e-9 * least);
        }
        tan_payload_destroy(payload);
    }
    tan_p2p_destroy(p2p);
    json_decref(object);
}

/* Many ranks that share hosts: times are those of their trees, and nothing is said about how sure
 * they are. */
TEST(many_ranks_that_share_hosts)
{
    enum { RANKS = 10001 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_shared_hosts shared;
    struct tan_target_way way[2], alone[2];
    int32_t *host = calloc(RANKS, sizeof *host);
    assert_non_null(host);
    share_hosts(&shared, host, RANKS, 8);
    struct tan_target_problem p = {.target = tan_target_find("mpich", &e),
                                   .members = RANKS,
                                   .model = &tan_models[TAN_MODEL_OVERLAP],
                                   .up = &far_params,
                                   .down = &far_params,
                                   .shared = &shared};
    assert_true(tan_target_is_vast(&p));
    assert_int_equal(tan_target_choose(&p, way, &e), 2);
    assert_int_equal(tan_target_weigh(&p, true, &way[0], &e), 0);
    p.shared = NULL;
    assert_false(tan_target_is_vast(&p));
    assert_int_equal(tan_target_choose(&p, alone, &e), 2);
    for (int w = 0; w < 2; w++) {
        const struct tan_priced *priced = &way[w].priced[0];
        const struct tan_shape shape = tan_shape_of(p.target, &priced->setting, RANKS, NULL);
        struct tan_tree *tree = tan_shape_tree(&shape, &e);
        assert_close(priced->cost.wave, time_at(tree, 0, 8, true, w == 0), 1e-11);
        assert_true(priced->cost.wave <= alone[w].priced[0].cost.wave);
        assert_true(isnan(way[w].share));
        tan_tree_destroy(tree);
    }
    free(host);
}

/* Two hosts of two ranks. Down, rank 2 after rank 1, then rank 3: 0.4 + 0.7 + 2 + 2 * 1. Up, rank 2
 * has that of rank 3 after 0.2 + 2 * 0.3, and rank 0 its own 2 + 2 * 1 later. */
TEST(two_ranks_on_each_of_two_hosts)
{
    static const struct {
        const char *setting;
        double us;
    } rows[] = {{"bcast=linear", 5.1}, {"reduce=binomial", 4.8}, {"bcast=pipeline", 5.6}};
    int32_t host[4];
    struct tan_shared_hosts shared;
    struct tan_error e = TAN_ERROR_INIT;
    share_hosts(&shared, host, 4, 2);
    const struct tan_target_problem p = {.target = tan_target_find("openmpi", &e),
                                         .members = 4,
                                         .model = &tan_models[TAN_MODEL_TAN],
                                         .up = &far_params,
                                         .down = &far_params,
                                         .shared = &shared};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_setting setting;
        assert_int_equal(tan_setting_parse(p.target, rows[i].setting, &setting, &e), 0);
        assert_close(shared_wave(&p, &setting), 1e-6 * rows[i].us, 1e-12);
    }
}

/* coll/han is there on several hosts with equally many ranks, MPICH's smp on several; what remains
 * is priced, unless nobody knows where its ranks are. */
TEST(defaults_of_shared_hosts)
{
    static const struct {
        const char *target;
        int32_t n, each;
        const char *name, *setting; /* up */
    } rows[] = {
        {"openmpi", 64, 8, "coll/han", NULL},
        {"openmpi", 60, 8, NULL, "reduce=binomial"},
        {"openmpi", 60, 64, NULL, "reduce=binomial"},
        {"openmpi@4.1", 64, 8, NULL, "reduce=binomial"},
        {"openmpi@4.1", 2048, 8, "reduce=in-order-binary", NULL},
        {"openmpi@6.0", 64, 8, "coll/han", NULL},
        {"mpich", 60, 8, "ireduce=smp", NULL},
        {"ucc", 60, 8, NULL, "REDUCE_KN_RADIX=4"},
    };
    static int32_t host[2048];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_shared_hosts shared;
        struct tan_target_way way[2];
        struct tan_params up = far_params;
        share_hosts(&shared, host, rows[i].n, rows[i].each);
        up.bytes = rows[i].n == 2048 ? 512 : 1024;
        const struct tan_target_problem p = {.target = tan_target_find(rows[i].target, &e),
                                             .members = rows[i].n,
                                             .model = &tan_models[TAN_MODEL_TAN],
                                             .up = &up,
                                             .down = &up,
                                             .shared = &shared};
        assert_int_equal(tan_target_choose(&p, way, &e), 2);
        if (rows[i].name != NULL) {
            assert_string_equal(way[0].default_name, rows[i].name);
            assert_null(way[0].by_default.setting.knob);
        } else {
            assert_null(way[0].default_name);
            assert_string_equal(tan_setting_text(&way[0].by_default.setting).text, rows[i].setting);
        }
    }
}

/* Rank n - 1 above two halves, and one hop from it to rank 0. */
TEST(in_order_binary)
{
    const struct tan_target *t = tan_target_find("openmpi", NULL);
    struct tan_setting setting;
    struct tan_shape_cost cost;
    const struct tan_params params = {.method = TAN_METHOD_JOINT, .value = {1e-6, 2e-6, 3e-6}};
    tan_target_default(t, TAN_UP, 256, 8192, &setting);
    const struct tan_shape shape = tan_shape_of(t, &setting, 256, NULL);
    assert_int_equal(tan_shape_cost(&shape, &tan_models[TAN_MODEL_TAN], &params, &cost), 0);
    /* 256 = 1 + 128 + 127, 128 = 1 + 64 + 63, ... 2 = 1 + 1: 8 levels below the last rank */
    assert_int_equal(cost.height, 9);
    assert_int_equal(cost.max_fanout, 2);
    assert_int_equal(cost.processes, 257);
}

/* When all messages have come that share a link equally, each of which alone takes `alone` seconds.
 * ready[i]: when a message is sent, seconds; n of them. */
static double all_come(const double *ready, int32_t n, double alone)
{
    double *left = calloc((size_t)n + 1, sizeof *left);
    double now = 0.0;
    int32_t missing = n;
    for (int32_t i = 0; i < n; i++) {
        left[i] = alone;
    }
    while (missing > 0) {
        double least = INFINITY, next = INFINITY;
        int32_t active = 0;
        for (int32_t i = 0; i < n; i++) {
            active += left[i] > 0 && ready[i] <= now;
            least = left[i] > 0 && ready[i] <= now ? fmin(least, left[i]) : least;
            next = ready[i] > now ? fmin(next, ready[i]) : next;
        }
        const double step = active > 0 ? fmin(next - now, least * active) : next - now;
        const bool arrives = !(active > 0 && least * active < next - now);
        for (int32_t i = 0; i < n && active > 0; i++) {
            if (left[i] > 0 && ready[i] <= now) {
                left[i] = left[i] - step / active > alone * 1e-9 ? left[i] - step / active : 0;
                missing -= left[i] <= 0;
            }
        }
        now = arrives ? next : now + step;
    }
    free(left);
    return now;
}

static double reduced(const struct tan_tree *tree, int32_t node, double alone)
{
    const int32_t n = tan_tree_fanout(tree, node);
    double *ready = calloc((size_t)n + 1, sizeof *ready);
    for (int32_t i = 0; i < n; i++) {
        ready[i] = reduced(tree, tan_tree_children(tree, node)[i], alone);
    }
    const double last = all_come(ready, n, alone);
    free(ready);
    return last;
}

/* Reductions over slow links take as long as if messages shared their receiver's link, and as they
 * were measured with 15 ranks (results/slow-network). */
TEST(reductions_over_links)
{
    static const struct {
        const char *setting;
        double messages; /* measured, of 0.523 s; 0: not measured */
    } rows[] = {{"reduce=binomial", 4.04},
                {"reduce=binary", 6.01},
                {"reduce=linear", 14.07},
                {"reduce=chain:3", 0},
                {"reduce=pipeline", 0}};
    const struct tan_network network = {1e6, 523000, 0};
    const double alone = 0.523;
    struct tan_params params = {.method = TAN_METHOD_JOINT};
    struct tan_error e = TAN_ERROR_INIT;
    tan_network_apply(&network, &params);
    for (int64_t n = 2; n < 40; n++) {
        const struct tan_target_problem p = {.target = tan_target_find("openmpi", &e),
                                             .members = n,
                                             .model = &tan_models[TAN_MODEL_TAN],
                                             .up = &params,
                                             .down = &params,
                                             .ways = TAN_UP,
                                             .network = true};
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct tan_setting setting;
            struct tan_shape_cost cost;
            assert_int_equal(tan_setting_parse(p.target, rows[i].setting, &setting, &e), 0);
            assert_int_equal(tan_target_cost(&p, &setting, TAN_UP, &cost, &e), 0);
            const struct tan_shape shape = tan_shape_of(p.target, &setting, n, NULL);
            struct tan_tree *tree = tan_shape_tree(&shape, &e);
            assert_close(cost.wave, reduced(tree, 0, alone), 1e-6);
            assert_close(cost.in_turn, cost.wave, 1e-12);
            tan_tree_destroy(tree);
            if (n == 15 && rows[i].messages > 0) {
                assert_close(cost.wave, rows[i].messages * alone, 0.02 * cost.wave);
            }
        }
    }
}

RUN_TESTS(NULL, NULL)
