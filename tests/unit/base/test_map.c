/* test_map.c - hash table and growing arrays, against linear search
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"

/* What a map should have: pairs in a list. */
enum { MOST = 4096 };
struct pairs {
    uint64_t key[MOST];
    int64_t number[MOST];
    size_t n;
};

static size_t place_in(const struct pairs *p, uint64_t key)
{
    size_t i = 0;
    while (i < p->n && p->key[i] != key) {
        i++;
    }
    return i;
}

static void pairs_add(struct pairs *p, uint64_t key, int64_t number)
{
    assert_true(p->n < MOST);
    p->key[p->n] = key;
    p->number[p->n++] = number;
}

static void pairs_remove(struct pairs *p, size_t i)
{
    p->n--;
    p->key[i] = p->key[p->n];
    p->number[i] = p->number[p->n];
}

/* The map has for this key the numbers of the list, each as often, and no others. */
static void check_key(const struct tan_map *m, const struct pairs *p, uint64_t key)
{
    bool met[MOST] = {false};
    size_t tries = 0, n = 0, listed = 0;
    for (int64_t number; (number = tan_map_next(m, key, &tries)) >= 0; n++) {
        size_t i = 0;
        while (i < p->n && (met[i] || p->key[i] != key || p->number[i] != number)) {
            i++;
        }
        assert_true(i < p->n);
        met[i] = true;
    }
    for (size_t i = 0; i < p->n; i++) {
        listed += p->key[i] == key;
    }
    assert_int_equal(n, listed);
    assert_int_equal(tan_map_find(m, key) >= 0, listed > 0);
}

/* What FACTOR * x makes of it. */
static uint64_t times_inverse(uint64_t product)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t inverse = factor;
    for (int i = 0; i < 6; i++) { /* Newton: twice the right bits each time */
        inverse *= 2 - factor * inverse;
    }
    assert_int_equal(factor * inverse, 1);
    return inverse * product;
}

static uint64_t small_key(uint64_t i)
{
    return i;
}

static uint64_t shifted_key(uint64_t i)
{
    return i << 40;
}

static uint64_t last_key(uint64_t i)
{
    return UINT64_MAX - i;
}

/* All begin in the first slot of a table of up to 256, or in the last one. */
static uint64_t first_slot_key(uint64_t i)
{
    return times_inverse(i << 40);
}

static uint64_t last_slot_key(uint64_t i)
{
    return times_inverse(i << 40 | 0xff);
}

/* Random operations, of which `removals` in a hundred remove. */
static void run_operations(uint64_t (*key_of)(uint64_t), uint64_t keys, int removals)
{
    enum { OPERATIONS = 3000 };
    struct tan_map m = {.slot = NULL};
    struct pairs p = {.n = 0};
    for (int i = 0; i < OPERATIONS; i++) {
        const uint64_t key = key_of((uint64_t)rand() % keys);
        const int64_t number = rand() % 10;
        const size_t at = place_in(&p, key);
        const int what = rand() % 100;
        if (what < removals) {
            const int64_t gone = tan_map_find(&m, key);
            tan_map_remove(&m, key);
            for (size_t k = 0; k < p.n; k++) {
                if (p.key[k] == key && p.number[k] == gone) {
                    pairs_remove(&p, k);
                    break;
                }
            }
        } else if (what < 80 && at == p.n) {
            assert_int_equal(tan_map_set(&m, key, number), 0);
            pairs_add(&p, key, number);
        } else if (what < 80) {
            const int64_t old = tan_map_find(&m, key);
            size_t k = at;
            while (p.key[k] != key || p.number[k] != old) {
                k++;
            }
            assert_int_equal(tan_map_set(&m, key, number), 0);
            p.number[k] = number;
        } else if (what < 99 || i < OPERATIONS / 2) {
            assert_int_equal(tan_map_add(&m, key, number), 0);
            pairs_add(&p, key, number);
        } else if (i % 7 == 0) {
            tan_map_empty(&m);
            p.n = 0;
        }
        assert_int_equal(m.used, p.n);
        check_key(&m, &p, key);
        check_key(&m, &p, key_of((uint64_t)rand() % (keys + 1)));
    }
    for (uint64_t k = 0; k <= keys; k++) {
        check_key(&m, &p, key_of(k));
    }
    tan_map_clear(&m);
    assert_int_equal(tan_map_find(&m, key_of(0)), -1);
}

TEST(as_a_list)
{
    static uint64_t (*const kinds[])(uint64_t) = {small_key, shifted_key, last_key, first_slot_key,
                                                  last_slot_key};
    srand(1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        run_operations(kinds[i], 5, 50);
        run_operations(kinds[i], 60, 45);
        run_operations(kinds[i], 500, 10);
    }
}

TEST(one_key)
{
    struct tan_map m = {.slot = NULL};
    size_t tries = 0;
    assert_int_equal(tan_map_find(&m, 3), -1);
    assert_int_equal(tan_map_next(&m, 3, &tries), -1);
    tan_map_remove(&m, 3);
    tan_map_empty(&m);
    assert_int_equal(tan_map_set(&m, 3, INT64_MAX - 1), 0);
    assert_true(tan_map_find(&m, 3) == INT64_MAX - 1);
    assert_int_equal(tan_map_set(&m, 3, 0), 0);
    assert_int_equal(tan_map_find(&m, 3), 0);
    assert_int_equal(m.used, 1);
    tan_map_remove(&m, 4);
    assert_int_equal(tan_map_find(&m, 3), 0);
    tan_map_remove(&m, 3);
    assert_int_equal(tan_map_find(&m, 3), -1);
    tan_map_clear(&m);
}

/* Removal leaves nothing behind, and a table that had much does not stay large for little. */
TEST(keeps_its_size)
{
    enum { MANY = 100000 };
    struct tan_map m = {.slot = NULL};
    for (uint64_t i = 0; i < MANY; i++) {
        assert_int_equal(tan_map_set(&m, i, 1), 0);
        tan_map_remove(&m, i / 2 * 2);
        tan_map_remove(&m, i);
    }
    assert_int_equal(m.used, 0);
    assert_int_equal(m.room, 16);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_int_equal(tan_map_set(&m, i, (int64_t)i), 0);
    }
    const size_t room = m.room;
    assert_true(room >= 2 * (size_t)MANY && room < 6 * (size_t)MANY);
    tan_map_empty(&m);
    assert_int_equal(m.room, room);
    assert_int_equal(tan_map_find(&m, 7), -1);
    assert_int_equal(tan_map_set(&m, 7, 7), 0);
    tan_map_empty(&m);
    assert_int_equal(m.room, 0);
    assert_int_equal(tan_map_find(&m, 7), -1);
    tan_map_clear(&m);
}

/* A table of which half of all memory would not hold twice as much. */
TEST(short_of_memory)
{
    struct tan_map m = {.room = (size_t)1 << 61, .used = (size_t)1 << 60};
    assert_int_equal(tan_map_add(&m, 1, 1), -1);
    assert_int_equal(tan_map_set(&m, 1, 1), -1);
    assert_true(m.room == (size_t)1 << 61 && m.used == (size_t)1 << 60);
}

/* (hash ^ word) of the second words is made the same. */
TEST(same_hash)
{
    const uint64_t one[2] = {1, 2};
    uint64_t other[2] = {11, 0};
    const uint64_t first[] = {(16 ^ one[0]) * UINT64_C(0x9e3779b97f4a7c15),
                              (16 ^ other[0]) * UINT64_C(0x9e3779b97f4a7c15)};
    other[1] = one[1] ^ first[0] ^ first[0] >> 32 ^ first[1] ^ first[1] >> 32;
    assert_true(tan_hash(one, sizeof one) == tan_hash(other, sizeof other));
}

/* Neither the hash of all short texts nor a table's slots have more in common than chance would
 * have it: of n hashes of 32 bits n^2 / 2^33 pairs are alike. */
TEST(hashes_differ)
{
    enum { MANY = 20000 };
    struct tan_map low = {.slot = NULL}, high = {.slot = NULL};
    int same = 0;
    for (int i = 0; i < MANY; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, i % 2 ? "r%d" : "a host's name %d", i / 2);
        const uint64_t hash = tan_hash(text, (size_t)length);
        same += tan_map_find(&low, hash & UINT32_MAX) >= 0;
        same += tan_map_find(&high, hash >> 32) >= 0;
        assert_int_equal(tan_map_set(&low, hash & UINT32_MAX, i), 0);
        assert_int_equal(tan_map_set(&high, hash >> 32, i), 0);
    }
    assert_true(same <= 3);
    assert_true(tan_hash("", 0) != tan_hash("", 1));
    assert_true(tan_hash(NULL, 0) == tan_hash("", 0));
    assert_true(tan_hash("12345678", 8) != tan_hash("12345678", 9));
    tan_map_clear(&low);
    tan_map_clear(&high);
}

/* Arrays */

TEST(grows_by_doubling)
{
    enum { MANY = 10000 };
    int *list = NULL;
    size_t room = 0;
    int moves = 0;
    for (int i = 0; i < MANY; i++) {
        const size_t before = room;
        assert_int_equal(TAN_RESERVE(list, room, i + 1), 0);
        assert_true(room > (size_t)i);
        moves += room != before;
        list[i] = i;
    }
    assert_in_range(moves, 5, 16);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(list[i], i);
    }
    assert_int_equal(TAN_RESERVE(list, room, 5 * MANY), 0);
    assert_int_equal(room, 5 * MANY);
    assert_int_equal(TAN_RESERVE(list, room, 3), 0);
    assert_int_equal(room, 5 * MANY);
    assert_int_equal(list[MANY - 1], MANY - 1);
    free(list);
}

/* Memory checkers see it when one item is too many. */
TEST(grows_without_a_record)
{
    enum { MANY = 10000 };
    char(*list)[3] = NULL;
    int moves = 0;
    for (int i = 0; i < MANY; i++) {
        const void *before = list;
        assert_int_equal(TAN_ONE_MORE(list, i), 0);
        moves += before != list;
        snprintf(list[i], sizeof *list, "%d", i % 100);
    }
    assert_in_range(moves, 1, 12);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(atoi(list[i]), i % 100);
    }
    free(list);
}

TEST(too_large)
{
    double *list = NULL;
    size_t room = 0;
    assert_int_equal(TAN_RESERVE(list, room, 1), 0);
    const double *const before = list;
    const size_t room_before = room;
    list[0] = 3.5;
    assert_int_equal(TAN_RESERVE(list, room, SIZE_MAX), -1);
    assert_int_equal(TAN_RESERVE(list, room, SIZE_MAX / sizeof *list), -1);
    assert_int_equal(TAN_RESERVE(list, room, SIZE_MAX / sizeof *list + 2), -1);
    assert_int_equal(TAN_ONE_MORE(list, (size_t)1 << 60), -1);
    assert_int_equal(TAN_ONE_MORE(list, (size_t)1 << 63), -1);
    assert_ptr_equal(list, before);
    assert_int_equal(room, room_before);
    assert_true(list[0] == 3.5);
    free(list);
}

RUN_TESTS(NULL, NULL)
