/* test_filter.c - reductions, payloads, and detection of wrong results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/filter.h"

#include "tests/unit/check.h"

enum { LEAVES = 5, ELEMENTS_PER_LEAF = 4, BYTES = ELEMENTS_PER_LEAF * ELEMENT_BYTES };

/* Room for the payloads of all leaves. */
struct room {
    _Alignas(64) unsigned char bytes[sizeof(struct packet) + LEAVES * BYTES];
};

static struct packet *leaf_packet(struct room *room, uint32_t leaf, uint32_t wave)
{
    struct packet *p = (struct packet *)room->bytes;

    *p = (struct packet){.wave = wave, .leaves = 1, .leaf_sum = leaf, .bytes = BYTES};
    tan_payload_fill(leaf, p->payload, BYTES);
    for (uint32_t w = 1; w <= wave; w++) {
        tan_payload_turn(leaf, w - 1, w, p->payload, BYTES);
    }
    return p;
}

/* ((0 1) (2 3)) 4: partial results combine like leaves. */
static void reduce_all(const struct filter *f, uint32_t wave, struct room *result)
{
    struct room rooms[LEAVES];
    struct packet *p[LEAVES];

    for (uint32_t i = 0; i < LEAVES; i++) {
        p[i] = leaf_packet(&rooms[i], i, wave);
    }
    tan_filter_combine(f, p[0], p[1]);
    tan_filter_combine(f, p[2], p[3]);
    tan_filter_combine(f, p[0], p[2]);
    tan_filter_combine(f, p[0], p[4]);
    tan_filter_finish(f, p[0]);
    *result = rooms[0];
}

/* Every filter that combines takes time, also the last of the table; it is measured once. */
TEST(every_filter_takes_time)
{
    for (const struct filter *f = tan_filters; f->name; f++) {
        const double speed = tan_filter_speed(f);
        assert_int_equal(speed > 0, f->combine != NULL);
        assert_true(speed < 1e-6);
        assert_close(tan_filter_speed(f), speed, 0);
    }
}

TEST(every_filter_gives_the_expected_value)
{
    for (const struct filter *f = tan_filters; f->name; f++) {
        for (uint32_t wave = 0; wave < 3 * ELEMENTS_PER_LEAF; wave++) {
            struct room result;
            struct tan_error e = TAN_ERROR_INIT;
            reduce_all(f, wave, &result);
            tan_filter_verify(f, (struct packet *)result.bytes, wave, LEAVES, BYTES, &e);
            assert_no_error(e);
        }
    }
}

/* Worked by hand: leaf i has 1 + 3i in element 0 of wave 1, whose mark 2 is on element 1: 8 + 2 +
 * 3i. */
TEST(sums_by_hand)
{
    struct room result;
    struct tan_error e = TAN_ERROR_INIT;
    const struct packet *p = (const struct packet *)result.bytes;

    reduce_all(tan_filter_find("sum", &e), 1, &result);
    assert_int_equal(((const int64_t *)p->payload)[0], 1 + 4 + 7 + 10 + 13);
    assert_int_equal(((const int64_t *)p->payload)[1], 10 + 13 + 16 + 19 + 22);
    reduce_all(tan_filter_find("avg", &e), 1, &result);
    assert_int_equal(((const int64_t *)p->payload)[0], 7);
    reduce_all(tan_filter_find("max", &e), 1, &result);
    assert_int_equal(((const int64_t *)p->payload)[1], 22);
    reduce_all(tan_filter_find("concat", &e), 1, &result);
    assert_int_equal(p->bytes, LEAVES * BYTES);
    assert_int_equal(((const int64_t *)p->payload)[ELEMENTS_PER_LEAF * 2], 7);
}

/* Any changed element, a lost leaf, a packet of the wave before. */
TEST(wrong_results_are_found)
{
    for (const struct filter *f = tan_filters; f->name; f++) {
        struct room result;
        struct packet *p = (struct packet *)result.bytes;
        reduce_all(f, 6, &result);
        for (size_t i = 0; i < p->bytes / ELEMENT_BYTES; i++) {
            struct tan_error e = TAN_ERROR_INIT;
            ((int64_t *)p->payload)[i]++;
            tan_filter_verify(f, p, 6, LEAVES, BYTES, &e);
            assert_error(e, TAN_FAILED, "wave 6, element");
            ((int64_t *)p->payload)[i]--;
        }
        struct tan_error e = TAN_ERROR_INIT;
        p->leaves--;
        assert_int_equal(tan_filter_verify(f, p, 6, LEAVES, BYTES, &e), -1);
        reduce_all(f, 5, &result);
        p->wave = 6;
        e = (struct tan_error)TAN_ERROR_INIT;
        assert_int_equal(tan_filter_verify(f, p, 6, LEAVES, BYTES, &e), -1);
    }
}

/* Leaves 1, 3 and 4 of wave 9, as a process that does not wait for all makes them. */
static void reduce_some(const struct filter *f, struct room *result)
{
    struct room rooms[3];
    struct packet *p[3];
    static const uint32_t leaves[3] = {3, 1, 4};

    for (int i = 0; i < 3; i++) {
        p[i] = leaf_packet(&rooms[i], leaves[i], 9);
    }
    tan_filter_combine(f, p[0], p[1]);
    tan_filter_combine(f, p[0], p[2]);
    tan_filter_finish(f, p[0]);
    *result = rooms[0];
}

TEST(parts_are_checked)
{
    for (const struct filter *f = tan_filters; f->name; f++) {
        struct room result;
        struct packet *p = (struct packet *)result.bytes;
        struct tan_error e = TAN_ERROR_INIT;
        reduce_some(f, &result);
        assert_int_equal(p->leaves, 3);
        assert_int_equal(p->leaf_sum, 8);
        assert_int_equal(tan_filter_verify_part(f, p, LEAVES, BYTES, &e), 0);
        assert_no_error(e);
        /* Another wave, a changed element, and more leaves than there are. */
        p->wave = 8;
        assert_int_equal(tan_filter_verify_part(f, p, LEAVES, BYTES, &e), -1);
        assert_error(e, TAN_FAILED, "wave 8");
        p->wave = 9;
        ((int64_t *)p->payload)[2]++;
        assert_int_equal(tan_filter_verify_part(f, p, LEAVES, BYTES, &e), -1);
        assert_error(e, TAN_FAILED, f->name);
        reduce_some(f, &result);
        assert_int_equal(tan_filter_verify_part(f, p, 2, BYTES, &e), -1);
        assert_error(e, TAN_FAILED, f->name);
    }
    /* What adds up must be the sum of just these leaves; joined payloads too. */
    for (int i = 0; i < 2; i++) {
        struct room result;
        struct packet *p = (struct packet *)result.bytes;
        struct tan_error e = TAN_ERROR_INIT;
        const struct filter *f = tan_filter_find(i ? "concat" : "sum", &e);
        reduce_some(f, &result);
        p->leaf_sum++;
        assert_int_equal(tan_filter_verify_part(f, p, LEAVES, BYTES, &e), -1);
        assert_error(e, TAN_FAILED, f->name);
    }
}

/* By hand: of leaves sending at 3, 1 and 2 and hearing at 5, 7 and 6. */
TEST(times_are_gathered)
{
    struct packet a = {.sent_first = 3, .sent_last = 3, .heard_last = 5};
    struct packet b = {.sent_first = 1, .sent_last = 1, .heard_last = 7};
    struct packet c = {.sent_first = 2, .sent_last = 2, .heard_last = 6};
    struct tan_error e = TAN_ERROR_INIT;
    const struct filter *f = tan_filter_find("null", &e);

    tan_filter_combine(f, &a, &b);
    tan_filter_combine(f, &a, &c);
    assert_true(a.sent_first == 1 && a.sent_last == 3 && a.heard_last == 7);
}

TEST(unknown_names_are_refused)
{
    struct tan_error e = TAN_ERROR_INIT;

    assert_null(tan_filter_find("product", &e));
    assert_error(e, TAN_USAGE, "null, sum");
}

RUN_TESTS(NULL, NULL)
