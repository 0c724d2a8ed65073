/* test_loggp.c - every equation for one message against numbers worked by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/machine/loggp.h"
#include "model/machine/loggpo.h"

static const double exact = 1e-12;

/* L 5, o_s 2, o_r 3, g 4, G 0.5; a message of 11 bytes: (k-1) G = 5 */
static const struct tan_loggp p = {.L = 5, .o_s = 2, .o_r = 3, .g = 4, .G = 0.5};

static void protocols(void **state)
{
    (void)state;
    assert_close(tan_loggp_t_sender(&p), 2, exact);        /* (1) */
    assert_close(tan_loggp_t(&p), 2 + 5 + 3, exact);       /* (2) */
    assert_close(tan_loggp_ta(&p), 4 + 10 + 6, exact);     /* (3) */
    assert_close(tan_loggp_rta(&p, 11), 22, exact);        /* (4): 4 + 10 + 3 + 5 */
    assert_close(tan_loggp_rta_sender(&p, 11), 30, exact); /* (5): 4 + 15 + 6 + 5 */
    assert_close(tan_loggp_rat_sender(&p, 11), 34, exact); /* (6): 8 + 15 + 6 + 5 */
    assert_close(tan_loggp_rat(&p, 11), 42, exact);        /* (7): 8 + 20 + 9 + 5 */
}

static void two_tiers(void **state)
{
    (void)state;
    const struct tan_loggp_local local = {.s_s = 1, .s_r = 2, .S = 0.25};
    assert_close(tan_loggp_within(&local, 1), 3, exact);
    assert_close(tan_loggp_within(&local, 9), 5, exact); /* (8): 1 + 2 + 8 / 4 */
    assert_close(tan_loggp_between(&p, 1), 10, exact);   /* one byte is the T protocol */
    assert_close(tan_loggp_between(&p, 11), 15, exact);  /* (9): 2 + 3 + 5 + 5 */
}

static void overheads(void **state)
{
    (void)state;
    assert_close(tan_loggps(&p, 10), 4 + 5 + 5 + 3, exact); /* the gap outweighs o_s */
    struct tan_loggp slow = p;
    slow.o_s = 6;
    assert_close(tan_loggps(&slow, 10), 6 + 5 + 5 + 3, exact);
    /* max(2 + 10, 4 + 5) + 5 + 10 * 0.2 + 3 */
    assert_close(tan_loggops(&(struct tan_loggops){p, 1.0, 0.2}, 10), 22, exact);
    /* max(2 + 1, 4 + 5) + 5 + 2 + 3 */
    assert_close(tan_loggops(&(struct tan_loggops){p, 0.1, 0.2}, 10), 19, exact);
}

/* L 10, G 0.1, O' 1, O_i 2, O_c 3; 101 bytes: O_i + G (K-1) = 12 */
static const struct tan_loggpo q = {.L = 10, .G = 0.1, .control = 1, .start = 2, .copy = 3};

static void eager(void **state)
{
    (void)state;
    struct tan_loggpo_cost c;
    tan_loggpo_eager(&q, 101, &c);
    assert_close(c.sender, 2, exact);
    assert_close(c.receiver, 3, exact);
    assert_close(c.sender_wait, 0, exact);
    assert_close(c.message, 25, exact); /* 12 + 10 + 3 */
}

static void dependent(void **state)
{
    (void)state;
    struct tan_loggpo_cost c;
    /* The receive comes at 40, long after the request (11), and 15 after the sender's wait. */
    tan_loggpo_dependent_rat(&q, 101, &(struct tan_loggpo_calls){0, 40, 25, 60}, &c);
    assert_close(c.sender_wait, 15 + 2 + 10 + 12, exact);
    assert_close(c.sender, 1 + 39, exact);
    assert_close(c.receiver, 2, exact);
    assert_close(c.receiver_wait, 0, exact);
    assert_close(c.message, 4 + 30 + 15 + 12, exact);
    /* The receive is there first; its wait comes 6 after the sender's. */
    tan_loggpo_dependent_rat(&q, 101, &(struct tan_loggpo_calls){0, 5, 20, 26}, &c);
    assert_close(c.sender_wait, 0 + 2 + 10 + 12, exact);
    assert_close(c.receiver_wait, 24, exact);
    assert_close(c.receiver, 25, exact);
    assert_close(c.message, 4 + 30 + 6 + 12, exact);
    /* At 11 exactly the receive counts as there; nobody gains time by being early. */
    tan_loggpo_dependent_rat(&q, 101, &(struct tan_loggpo_calls){0, 11, 30, 20}, &c);
    assert_close(c.receiver_wait, 24, exact);
    assert_close(c.message, 4 + 30 + 12, exact);
}

static void independent(void **state)
{
    (void)state;
    struct tan_loggpo_cost c;
    tan_loggpo_independent_rta(&q, 101, &c);
    assert_close(c.sender, 2, exact);
    assert_close(c.receiver, 4, exact);
    assert_close(c.message, 2 * 12 + 12 + 10, exact);
}

static void overlap(void **state)
{
    (void)state;
    assert_close(tan_overlap_ratio(30, 10), 0.75, exact);
    assert_close(tan_overlap_ratio(0, 10), 0, exact);
    assert_close(tan_overlap_ratio(5, 0), 1, exact);
    assert_close(tan_overlap_ratio(0, 0), 0, exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocols), cmocka_unit_test(two_tiers), cmocka_unit_test(overheads),
        cmocka_unit_test(eager),     cmocka_unit_test(dependent), cmocka_unit_test(independent),
        cmocka_unit_test(overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
