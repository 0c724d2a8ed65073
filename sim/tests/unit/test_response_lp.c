/* test_response_lp.c - finish time as a function of L, against linear programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <glpk.h>

#include "sim/sensitivity/response.h"
#include "sim/tests/unit/response_at.h"
#include "tests/unit/check.h"

/* Jobs of blocking calls, so that nothing waits for anything but messages and its rank's previous
 * operation. Operations are numbered rank by rank. */
enum { RANKS = 6, ROUNDS = 50, OPS = 3 * ROUNDS };

struct job {
    uint32_t ranks, n, first[RANKS + 1], rank[OPS];
    struct tan_op_spec op[OPS];
    struct tan_link link;
};

static uint64_t dice_state;

/* 0 .. n - 1 */
static uint32_t dice(uint32_t n)
{
    dice_state = dice_state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(((dice_state >> 32) * n) >> 32);
}

static void make_job(struct job *j, uint64_t seed)
{
    struct tan_op_spec op[RANKS][OPS];
    uint32_t n[RANKS] = {0};
    memset(j, 0, sizeof *j);
    dice_state = seed * 0x9e3779b97f4a7c15;
    j->ranks = 2 + dice(RANKS - 1);
    j->link = (struct tan_link){.L = 1 + dice(100000), .o = dice(50000), .G = dice(40)};
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint32_t from = dice(j->ranks), to = (from + 1 + dice(j->ranks - 1)) % j->ranks;
        const uint32_t busy = dice(j->ranks);
        const uint64_t bytes = 1 + dice(1000);
        op[from][n[from]++] =
            (struct tan_op_spec){.kind = TAN_OP_SEND, .peer = to, .amount = bytes, .tag = i};
        op[to][n[to]++] =
            (struct tan_op_spec){.kind = TAN_OP_RECV, .peer = from, .amount = bytes, .tag = i};
        op[busy][n[busy]++] = (struct tan_op_spec){.kind = TAN_OP_CALC, .amount = dice(1000000)};
    }
    for (uint32_t r = 0; r < j->ranks; r++) {
        j->first[r] = j->n;
        for (uint32_t i = 0; i < n[r]; i++, j->n++) {
            j->rank[j->n] = r;
            j->op[j->n] = op[r][i];
        }
    }
    j->first[j->ranks] = j->n;
}

static struct tan_schedule *build(const struct job *j)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(j->ranks, false, &e);
    for (uint32_t r = 0; r < j->ranks; r++) {
        tan_schedule_rank(b, r, &e);
        for (uint32_t op = j->first[r]; op < j->first[r + 1]; op++) {
            uint32_t index;
            tan_schedule_add(b, &j->op[op], 0, &index, &e);
            if (index > 0) {
                tan_schedule_require(b, index, index - 1, TAN_AFTER_FINISH, &e);
            }
        }
        tan_schedule_rank_end(b, NULL, &e);
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

/* The program: least T, whose variables are the ends of operations, L and T, in nanoseconds. GLPK
 * counts from 1. */
static void add_row(glp_prob *lp, double least, int n, const int *columns, const double *factors)
{
    const int row = glp_add_rows(lp, 1);
    glp_set_row_bnds(lp, row, GLP_LO, least, 0);
    glp_set_mat_row(lp, row, n, columns, factors);
}

static uint32_t send_of(const struct job *j, uint32_t receive)
{
    uint32_t op = 0;
    while (j->op[op].kind != TAN_OP_SEND || j->op[op].tag != j->op[receive].tag) {
        op++;
    }
    return op;
}

/* The rank's send before this one, which occupies the NIC after its CPU time; -1: none. */
static int previous_send(const struct job *j, uint32_t op)
{
    int i = (int)op - 1;
    while (i >= (int)j->first[j->rank[op]] && j->op[i].kind != TAN_OP_SEND) {
        i--;
    }
    return i >= (int)j->first[j->rank[op]] ? i : -1;
}

static glp_prob *program_of(const struct job *j)
{
    const struct tan_link *link = &j->link;
    const int n = (int)j->n, L = n + 1, T = n + 2;
    glp_prob *lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MIN);
    glp_add_cols(lp, T);
    for (int i = 1; i <= T; i++) {
        glp_set_col_bnds(lp, i, GLP_LO, 0, 0);
    }
    glp_set_obj_coef(lp, T, 1);
    for (uint32_t op = 0; op < j->n; op++) {
        const struct tan_op_spec *o = &j->op[op];
        const double takes = o->kind == TAN_OP_CALC ? (double)o->amount
                             : o->kind == TAN_OP_SEND
                                 ? (double)link->o
                                 : (double)link->o + (double)(o->amount - 1) * link->G;
        const int column = (int)op + 1;
        if (op > j->first[j->rank[op]]) {
            add_row(lp, takes / 1e3, 2, (int[]){0, column, column - 1}, (double[]){0, 1, -1});
        } else {
            add_row(lp, takes / 1e3, 1, (int[]){0, column}, (double[]){0, 1});
        }
        if (o->kind == TAN_OP_RECV) {
            add_row(lp, takes / 1e3, 3, (int[]){0, column, (int)send_of(j, op) + 1, L},
                    (double[]){0, 1, -1, -1});
        }
        const int send = o->kind == TAN_OP_SEND ? previous_send(j, op) : -1;
        if (send >= 0) {
            const double bytes = (double)(j->op[send].amount - 1) * link->G;
            add_row(lp, bytes / 1e3, 2, (int[]){0, column, send + 1}, (double[]){0, 1, -1});
        }
        add_row(lp, 0, 2, (int[]){0, T, column}, (double[]){0, 1, -1});
    }
    return lp;
}

/* Picoseconds; *slope: the reduced cost of L. */
static double solve(glp_prob *lp, const struct job *j, double added, double *slope)
{
    const int L = (int)j->n + 1;
    const double ns = ((double)j->link.L + added) / 1e3;
    glp_set_col_bnds(lp, L, GLP_FX, ns, ns);
    assert_int_equal(glp_simplex(lp, NULL), 0);
    assert_int_equal(glp_get_status(lp), GLP_OPT);
    *slope = glp_get_col_dual(lp, L);
    return glp_get_obj_val(lp) * 1e3;
}

static void assert_value(const struct tan_response *r, double added, double expected)
{
    assert_close(response_at(r, added), expected, 1e-9 * expected);
}

TEST(test_programs)
{
    static struct job j;
    size_t pieces = 0;
    glp_term_out(GLP_OFF);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_response r;
        make_job(&j, seed);
        const struct tan_sim_params p = {.within = j.link, .between = j.link, .S = UINT64_MAX};
        struct tan_schedule *s = build(&j);
        const struct tan_cost_range range = {TAN_COST_L, 2e6};
        at_row("seed %d", (int)seed);
        tan_response_find(s, &p, NULL, &range, 0, &r, &e);
        assert_no_error(e);
        assert_true(r.fixed && r.exact >= 1.0 && !r.falls);
        glp_prob *lp = program_of(&j);
        /* T is convex: if it has three points of a line, it is the line between them. */
        for (size_t i = 0; i < r.n_pieces; i++) {
            const struct tan_response_piece *piece = &r.pieces[i];
            const double middle = (piece->from + piece->to) / 2;
            double slope;
            assert_value(&r, piece->from, solve(lp, &j, piece->from, &slope));
            assert_value(&r, piece->to, solve(lp, &j, piece->to, &slope));
            assert_value(&r, middle, solve(lp, &j, middle, &slope));
            assert_close(slope, (double)piece->weights.L, 1e-9);
            assert_false(piece->jump);
        }
        pieces += r.n_pieces;
        glp_delete_prob(lp);
        tan_response_clear(&r);
        tan_schedule_destroy(s);
    }
    assert_true(pieces > 60); /* most have break points */
}

RUN_TESTS(NULL, NULL)
