/* test_loggpo.c - LogGPO's costs and ends of exchanges, against numbers worked out by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/machine/p2p.h"

static const double exact = 1e-12;

/* L 10, G 0.1, O' 1, O_i 2, O_c 3; 101 bytes: O_i + G (K-1) = 12 */
static const struct tan_loggpo q = {.L = 10, .G = 0.1, .control = 1, .start = 2, .copy = 3};

static struct tan_loggpo_costs paper(enum tan_transfer transfer, enum tan_progress progress)
{
    struct tan_loggpo_costs c;
    tan_loggpo_by_paper(&q, transfer, progress, 101, &c);
    return c;
}

/* Overheads of both sides in exchanges whose calls begin at 0, but for the Irecv. */
static void check_overheads(const struct tan_loggpo_costs *costs, double irecv, double sender,
                            double receiver, double of_sender, double of_receiver)
{
    const struct tan_loggpo_calls calls = {
        .irecv = irecv, .sender_computes = sender, .receiver_computes = receiver};
    struct tan_loggpo_ends ends;
    tan_loggpo_exchange(costs, &calls, &ends);
    assert_close(ends.sender - sender, of_sender, exact);
    assert_close(ends.receiver - irecv - receiver, of_receiver, exact);
}

TEST(by_paper)
{
    static const struct {
        enum tan_transfer transfer;
        enum tan_progress progress;
        double o_s, o_r, arrival, delivered, blocked;
    } rows[] = {
        {TAN_TRANSFER_T, TAN_PROGRESS_DEPENDENT, 2, 3, 22, 25, 2},
        {TAN_TRANSFER_TA, TAN_PROGRESS_DEPENDENT, 2, 3, 22, 25, 36},
        {TAN_TRANSFER_RTA, TAN_PROGRESS_DEPENDENT, 2, 13, 11, 24, 35},
        {TAN_TRANSFER_RTA, TAN_PROGRESS_INDEPENDENT, 2, 4, 11, 46, 57},
        {TAN_TRANSFER_RAT, TAN_PROGRESS_DEPENDENT, 14, 35, 11, 46, 36},
        {TAN_TRANSFER_UNKNOWN, TAN_PROGRESS_UNKNOWN, 14, 35, 11, 46, 36},
        {TAN_TRANSFER_RAT, TAN_PROGRESS_INDEPENDENT, 2, 4, 11, 46, 57},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        const struct tan_loggpo_costs c = paper(rows[i].transfer, rows[i].progress);
        assert_close(c.o_s, rows[i].o_s, exact);
        assert_close(c.o_r, rows[i].o_r, exact);
        assert_close(c.arrival, rows[i].arrival, exact);
        assert_close(c.delivered, rows[i].delivered, exact);
        assert_close(c.blocked, rows[i].blocked, exact);
    }
}

TEST(eager)
{
    const struct tan_loggpo_costs c = paper(TAN_TRANSFER_T, TAN_PROGRESS_DEPENDENT);
    check_overheads(&c, 0, 0, 0, 2, 25);
    check_overheads(&c, 0, 50, 0, 2, 25);
    check_overheads(&c, 0, 0, 10, 2, 15); /* it waits from 10 to 22, then copies */
    check_overheads(&c, 0, 0, 50, 2, 3);
    check_overheads(&c, 40, 0, 0, 2, 3); /* the message is there before the receive */
    /* TA: the sender learns 11 after the receiver has the message that it may go on. */
    const struct tan_loggpo_costs ta = paper(TAN_TRANSFER_TA, TAN_PROGRESS_DEPENDENT);
    check_overheads(&ta, 0, 0, 0, 36, 25);
    check_overheads(&ta, 0, 30, 0, 6, 25);
    check_overheads(&ta, 0, 60, 0, 2, 25);
    check_overheads(&ta, 0, 0, 50, 53 + 11, 3);
    check_overheads(&ta, 40, 0, 0, 43 + 11, 3);
}

TEST(receiver_fetches)
{
    const struct tan_loggpo_costs c = paper(TAN_TRANSFER_RTA, TAN_PROGRESS_DEPENDENT);
    check_overheads(&c, 0, 0, 0, 35, 24);
    check_overheads(&c, 0, 100, 0, 2, 24); /* nothing of the sender is needed but its request */
    check_overheads(&c, 0, 0, 100, 113 + 11, 13);
    check_overheads(&c, 40, 0, 100, 53 + 11, 13); /* fetched in Irecv */
    check_overheads(&c, 0, 100, 100, 24, 13);     /* 113 + 11 - 100 */
}

TEST(sender_pushes)
{
    const struct tan_loggpo_costs c = paper(TAN_TRANSFER_RAT, TAN_PROGRESS_DEPENDENT);
    check_overheads(&c, 0, 0, 0, 36, 46);
    check_overheads(&c, 0, 100, 0, 14, 124); /* pushes from 100 on; 10 later it is there */
    check_overheads(&c, 0, 20, 0, 16, 46);   /* the answer comes at 24 anyway */
    /* Case (b) of the paper: the receiver answers in its Wait, at 100, not in its Irecv. */
    check_overheads(&c, 0, 0, 100, 125, 35);
    check_overheads(&c, 40, 0, 0, 65, 35); /* case (a): in its Irecv */
}

TEST(independent)
{
    const struct tan_loggpo_costs c = paper(TAN_TRANSFER_RTA, TAN_PROGRESS_INDEPENDENT);
    check_overheads(&c, 0, 100, 100, 2, 4);
    check_overheads(&c, 0, 0, 20, 57, 26);
    check_overheads(&c, 40, 0, 0, 86, 35); /* the transfer begins when the receive is posted */
}

TEST(overlap)
{
    assert_close(tan_overlap_ratio(30, 10), 0.75, exact);
    assert_close(tan_overlap_ratio(0, 10), 0, exact);
    assert_close(tan_overlap_ratio(5, 0), 1, exact);
    assert_close(tan_overlap_ratio(0, 0), 0, exact);
    assert_true(isnan(tan_overlap_ratio(5, NAN)));
}

RUN_TESTS(NULL, NULL)
