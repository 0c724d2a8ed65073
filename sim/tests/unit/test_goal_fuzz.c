/* test_goal_fuzz.c - GOAL readers on the fuzzer's inputs and random mutations of them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <glob.h>
#include <stdlib.h>

#include "base/output.h"
#include "tests/fuzz/goal_property.h"

enum { LONGEST = 4096 };

struct input {
    char *data;
    size_t length;
};

static struct input *corpus;
static size_t n_corpus;

static int read_corpus(void **state)
{
    (void)state;
    glob_t found;
    if (glob("tests/fuzz/goal/*", 0, NULL, &found) != 0) {
        return -1;
    }
    struct tan_error e = TAN_ERROR_INIT;
    n_corpus = found.gl_pathc;
    corpus = calloc(n_corpus, sizeof *corpus);
    for (size_t i = 0; corpus != NULL && i < n_corpus; i++) {
        corpus[i].data = tan_read_file(found.gl_pathv[i], &corpus[i].length, &e);
        if (corpus[i].data == NULL) {
            return -1;
        }
    }
    globfree(&found);
    return corpus == NULL ? -1 : 0;
}

static int free_corpus(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_corpus; i++) {
        free(corpus[i].data);
    }
    free(corpus);
    return 0;
}

static void assert_holds(const void *data, size_t length)
{
    for (int compatible = 0; compatible < 2; compatible++) {
        const char *wrong = tan_property_goal(data, length, compatible);
        if (wrong != NULL) {
            print_error("%s for:\n%.*s\n", wrong, (int)length, (const char *)data);
        }
        assert_null(wrong);
    }
}

TEST(as_they_are)
{
    for (size_t i = 0; i < n_corpus; i++) {
        assert_holds(corpus[i].data, corpus[i].length);
    }
}

/* xorshift64 */
static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static size_t below(uint64_t *seed, size_t limit)
{
    return limit == 0 ? 0 : (size_t)(next(seed) % limit);
}

/* Replace `out` bytes of `data` at `at` by the `in` bytes at `from`; returns the length. */
static size_t replace(char *data, size_t length, size_t at, size_t out, const char *from, size_t in)
{
    if (length - out + in > LONGEST) {
        return length;
    }
    memmove(data + at + in, data + at + out, length - at - out);
    memcpy(data + at, from, in);
    return length - out + in;
}

/* One random change in place; returns the length. */
static size_t change(char *data, size_t length, uint64_t *seed)
{
    static const char bytes[] = "\0\1\2\3\x7f\x80\xff 019-.:{}/*bl\n";
    const size_t at = below(seed, length + 1);
    const size_t span = below(seed, (length - at < 64 ? length - at : 64) + 1);
    switch (next(seed) % 5) {
    case 0: /* one byte becomes another */
        return replace(data, length, at, at < length, &bytes[below(seed, sizeof bytes - 1)], 1);
    case 1: /* one bit */
        if (at < length) {
            data[at] = (char)(data[at] ^ 1 << below(seed, 8));
        }
        return length;
    case 2: /* something is left out */
        return replace(data, length, at, span, "", 0);
    case 3: /* something comes twice */
    {
        char again[64];
        memcpy(again, data + at, span);
        return replace(data, length, at, 0, again, span);
    }
    default: /* something of another input comes in between */
    {
        const struct input *other = &corpus[below(seed, n_corpus)];
        const size_t from = below(seed, other->length + 1);
        const size_t count =
            below(seed, (other->length - from < 64 ? other->length - from : 64) + 1);
        return replace(data, length, at, span, other->data + from, count);
    }
    }
}

TEST(changed_at_random)
{
    enum { ROUNDS = 30000 };
    uint64_t seed = 20130807;
    char data[LONGEST];
    for (int round = 0; round < ROUNDS; round++) {
        const struct input *input = &corpus[below(&seed, n_corpus)];
        size_t length = input->length < LONGEST ? input->length : LONGEST;
        memcpy(data, input->data, length);
        for (size_t changes = 1 + below(&seed, 4); changes > 0; changes--) {
            length = change(data, length, &seed);
        }
        assert_holds(data, length);
    }
}

RUN_TESTS(read_corpus, free_corpus)
