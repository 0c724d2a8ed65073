/* test_goal.c - GOAL text: reading, errors with positions, writing
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/goal/goal.h"
#include "sim/goal/source.h"
#include "tests/unit/scratch_file.h"

static struct tan_schedule *parse(const char *text, struct tan_error *e)
{
    return tan_goal_parse(text, strlen(text), "t.goal", false, e);
}

static struct tan_schedule *parse_good(const char *text)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = parse(text, &e);
    if (s == NULL) {
        print_error("in: %s\n", text);
    }
    assert_no_error(e);
    assert_non_null(s);
    return s;
}

/* The schedule as text; the caller frees it. */
static char *written(const struct tan_schedule *s)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_goal_write_text(s, to);
    fclose(to);
    return text;
}

static void assert_written(struct tan_schedule *s, const char *wanted)
{
    char *text = written(s);
    assert_string_equal(text, wanted);
    free(text);
    tan_schedule_destroy(s);
}

static void assert_op(const struct tan_schedule *s, uint32_t op, struct tan_op_spec wanted)
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    assert_int_equal(spec.kind, wanted.kind);
    assert_int_equal(spec.amount, wanted.amount);
    assert_int_equal(spec.peer, wanted.peer);
    assert_int_equal(spec.tag, wanted.tag);
    assert_int_equal(spec.cpu, wanted.cpu);
    assert_int_equal(spec.nic, wanted.nic);
}

TEST(every_field)
{
    struct tan_schedule *s = parse_good("num_ranks 3\n"
                                        "rank 0 {\n"
                                        "a: send 8b to 2 tag 7 cpu 1 nic 2\n"
                                        "b: calc 1.25 cpu 3\n"
                                        "\n"
                                        "recv 4611686018427387904b from -1 tag -1\n"
                                        "a requires b\n"
                                        "}\n"
                                        "rank 1 {\n"
                                        "}\n"
                                        "rank 2 {\n"
                                        "recv 8b from 0 tag 4294967294 nic 255\n"
                                        "recv 8b from 0 tag 18446744072636809792\n"
                                        "recv 8b from 0 tag 4303012340005\n"
                                        "recv 8b from 0 tag 4294967296\n"
                                        "recv 8b from 0 tag 100000000000000000000000000003\n"
                                        "x: send 0b to 2 tag -1\n"
                                        "recv 8b from 0 tag 18446744073709551615 cpu 65535\n"
                                        "calc 4611686018427387 cpu 256\n"
                                        "}\n");
    assert_int_equal(s->ranks, 3);
    assert_int_equal(s->n_ops, 11);
    assert_int_equal(s->rank_ops[0], 3);
    assert_int_equal(s->rank_ops[1], 0);
    const uint32_t a = s->first_op[0];
    const uint32_t b = s->first_op[2];
    assert_op(s, a, (struct tan_op_spec){TAN_OP_SEND, 8, 2, 7, 1, 2});
    assert_op(s, a + 1, (struct tan_op_spec){TAN_OP_CALC, 1250, 0, 0, 3, 0});
    assert_op(
        s, a + 2,
        (struct tan_op_spec){TAN_OP_RECV, UINT64_C(1) << 62, TAN_ANY_SOURCE, TAN_ANY_TAG, 0, 0});
    assert_op(s, b, (struct tan_op_spec){TAN_OP_RECV, 8, 0, UINT32_MAX - 1, 0, 255});
    assert_op(s, b + 1, (struct tan_op_spec){TAN_OP_RECV, 8, 0, UINT32_C(3222225472), 0, 0});
    /* the low 32 bits of larger ones */
    assert_op(s, b + 2, (struct tan_op_spec){TAN_OP_RECV, 8, 0, UINT32_C(3750076709), 0, 0});
    assert_op(s, b + 3, (struct tan_op_spec){TAN_OP_RECV, 8, 0, 0, 0, 0});
    assert_op(s, b + 4, (struct tan_op_spec){TAN_OP_RECV, 8, 0, UINT32_C(2684354563), 0, 0});
    assert_op(s, b + 5, (struct tan_op_spec){TAN_OP_SEND, 0, 2, TAN_ANY_TAG, 0, 0});
    assert_op(s, b + 6, (struct tan_op_spec){TAN_OP_RECV, 8, 0, TAN_ANY_TAG, 65535, 0});
    assert_op(s, b + 7,
              (struct tan_op_spec){TAN_OP_CALC, UINT64_C(4611686018427387000), 0, 0, 256, 0});
    assert_int_equal(s->lines[a], 3);
    assert_int_equal(s->lines[a + 2], 6);
    assert_int_equal(s->lines[b + 7], 19);
    assert_int_equal(s->n_dependents, 1);
    assert_int_equal(s->dependents[s->ops[a + 1].dependents], a);
    assert_int_equal(s->ops[a].requires, 1);
    assert_int_equal(s->ops[a + 1].requires, 0);
    tan_schedule_destroy(s);
}

/* Several spellings of the same, and the one that is written. */
TEST(spellings)
{
    static const char plain[] = "num_ranks 2\n"
                                "\n"
                                "rank 0 {\n"
                                "l1: send 8b to 1 tag 3 cpu 1 nic 2\n"
                                "l2: calc 5\n"
                                "l1 requires l2\n"
                                "}\n"
                                "\n"
                                "rank 1 {\n"
                                "recv 8b from 0 tag 3\n"
                                "}\n";
    static const char *const same[] = {
        plain,
        /* indented, with tabs, CR LF and no final line end */
        "num_ranks 2\r\n\trank 0 {\r\n  l1: send 8b to 1 tag 3 cpu 1 nic 2  \r\n\t\tl2: calc 5\r\n"
        "\r\n  l1 requires l2\r\n }\r\nrank 1 {\r\nrecv 8b from 0 tag 3\r\n\t}",
        /* no blank where none is needed */
        "num_ranks2rank0{l1:send8bto1tag3cpu1nic2\nl2:calc5\nl1 requiresl2}rank1{recv 8bfrom0tag3}",
        /* blanks and line ends wherever they may be */
        "num_ranks\n2\nrank\n0\n{\nl1\n:\nsend\n8\nb\nto\n1 tag\n3 cpu\n1 nic\n2\nl2\n:\ncalc\n5\n"
        "l1\nrequires\nl2\n}\nrank 1\n{\nrecv 8 b from\n0 tag 3 }\n\n",
        /* comments between any two pieces */
        "// c\n/**/num_ranks/*x*/2/***/rank/* * / */0/*\n\n*/{// c }\nl1/**/:/**/send/**/8/**/b/**/"
        "to/**/1/**/tag/**/3/**/cpu/**/1/**/nic/**/2// c\nl2:calc 5/**/l1/**/requires/**/l2/**/}"
        "// rank 1 {\nrank 1 {recv 8b from 0 tag 3 // c\n} /* c */ // c",
        /* options in any order, statements in one line, ranks in any order */
        "num_ranks 2 rank 1 { recv 8b from 0 tag 3 } rank 0 { l1: send 8b to 1 nic 2 tag 3 cpu 1 "
        "l2: calc 5 l1 requires l2 }",
        /* a dependency before its labels; names are free */
        "num_ranks 2\nrank 0 {\nsend1 requires cpu\nsend1: send 8b to 1 cpu 1 tag 3 nic 2\n"
        "cpu: calc 5\n}\nrank 1 {\nrequires: recv 8b from 0 tag 3\n}\n",
        /* numbers that mean the same */
        "\xef\xbb\xbfnum_ranks 02 rank 00 {l1:send 0008b to 1 tag 03 cpu 001 nic 2\nl2: calc 5.000 "
        "l1 requires l2} rank 1 {recv 8b from 0 tag 3 cpu 0 nic 0}",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_written(parse_good(same[i]), plain);
    }
}

TEST(labels_that_look_like_words)
{
    assert_written(parse_good("num_ranks 1\nrank 0 {\ntag: calc 1\nnic: calc 2\ncpu: calc 3\nb: "
                              "calc 4\nto: calc 5\nfrom: calc 6\nirequires: calc 7\n"
                              "calc_: calc 8\nranks: calc 9\nX_9z: calc 10\n"
                              "irequires irequires tag\nX_9z requires nic\n}\n"),
                   "num_ranks 1\n\nrank 0 {\nl1: calc 1\nl2: calc 2\ncalc 3\ncalc 4\ncalc 5\n"
                   "calc 6\nl7: calc 7\ncalc 8\ncalc 9\nl10: calc 10\n"
                   "l7 irequires l1\nl10 requires l2\n}\n");
}

/* A label is known in its rank only, and the order of dependencies is kept. */
TEST(scopes_and_order)
{
    assert_written(parse_good("num_ranks 2\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\n"
                              "c requires a\nb irequires a\nb requires a\nb requires a\n}\n"
                              "rank 1 {\nb: calc 1\na: calc 2\na requires b\n}\n"),
                   "num_ranks 2\n\nrank 0 {\nl1: calc 1\nl2: calc 2\nl3: calc 3\n"
                   "l3 requires l1\nl2 requires l1\nl2 requires l1\nl2 irequires l1\n}\n"
                   "\nrank 1 {\nl1: calc 1\nl2: calc 2\nl2 requires l1\n}\n");
}

TEST(decimals)
{
    assert_written(parse_good("num_ranks 1\nrank 0 {calc 1.5 calc 0.001 calc 12.34\ncalc 7.0}"),
                   "num_ranks 1\n\nrank 0 {\ncalc 1.500\ncalc 0.001\ncalc 12.340\ncalc 7\n}\n");
}

TEST(duplicate_labels)
{
    static const char text[] = "num_ranks 1\nrank 0 {\nl: calc 5\nl: calc 1000\nm: calc 1\n"
                               "m requires l\n}\n";
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(parse(text, &e));
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 1);
    assert_error(e, TAN_FAILED, "the label \"l\" is defined twice in rank 0, first on line 3");

    struct tan_schedule *s = tan_goal_parse(text, strlen(text), "t", true, &e);
    assert_no_error(e);
    assert_written(s, "num_ranks 1\n\nrank 0 {\nl1: calc 5\ncalc 1000\nl3: calc 1\n"
                      "l3 requires l1\n}\n");
}

#define RANK "num_ranks 2\nrank 1 {}\nrank 0 {\n"

TEST(refused)
{
    static const struct {
        const char *text;
        int line, column;
        const char *part;
    } cases[] = {
        {"", 1, 1, "expected \"num_ranks\" and the number of ranks first, found the end of the fi"},
        {"rank 0 {\n}\n", 1, 1, "expected \"num_ranks\""},
        {"num_ranks", 1, 10, "expected a number of ranks from 1 to "},
        {"num_ranks 0\n", 1, 11, "found \"0\""},
        {"num_ranks -1\n", 1, 11, "found \"-1\""},
        {"num_ranks 4294967297\n", 1, 11, "found \"4294967297\""},
        {"num_ranks 99999999999999999999999\n", 1, 11, "expected a number of ranks from 1 to "},
        {"num_ranks 1\nnum_ranks 1\nrank 0 {}", 2, 1, "num_ranks is given twice, first on line 1"},
        {"num_ranks 1\nrank 0 {}\nnum_ranks 1\n", 3, 1, "num_ranks is given twice"},
        {"num_ranks 1\nrank 0 {}\nend\n", 3, 1, "expected \"rank\" or the end of the file"},
        {"num_ranks 1\nrank 0 {}}", 2, 10, "found \"}\""},
        {"num_ranks 1\nrank 1 {}", 2, 6, "expected a rank from 0 to 0, found \"1\""},
        {"num_ranks 2\nrank -1 {}", 2, 6, "expected a rank from 0 to 1, found \"-1\""},
        {"num_ranks 1\nrank 0 \n", 3, 1, "expected \"{\" after the rank, found the end of the"},
        {"num_ranks 1\nrank 0 calc 5", 2, 8, "expected \"{\""},
        {"num_ranks 2\nrank 0 {\n}\n\nrank 0 {\n}\n", 5, 6,
         "rank 0 is here twice, first on line 2"},
        {"num_ranks 3\nrank 2{}\nrank 0{}\nrank 2{}", 4, 6,
         "rank 2 is here twice, first on line 2"},
        {"num_ranks 3\nrank 2{}\nrank 0{}\nrank 0{}", 4, 6,
         "rank 0 is here twice, first on line 3"},
        {"num_ranks 4\nrank 0 {}\nrank 3{}\nrank 1 {}\n", 5, 1,
         "rank 2 is missing: num_ranks on line 1 asks for 4, and 3 are here"},
        {"num_ranks 500000000\nrank 0 {}", 2, 10, "rank 1 is missing"},
        {"num_ranks 2\n", 2, 1, "rank 0 is missing: num_ranks on line 1 asks for 2, and 0 are he"},
        {RANK "calc 1\n", 5, 1,
         "rank 0 (line 3) is not closed: \"}\" is missing before the end of"},
        {"num_ranks 2\nrank 0 {\ncalc 1\nrank 1 {\n}", 4, 1,
         "rank 0 (line 2) is not closed: \"}\" is missing before the next rank"},

        {RANK "5: calc 1\n}", 4, 1, "expected send, recv, calc, a label or \"}\", found \"5\""},
        {RANK "_l: calc 1\n}", 4, 1, "found \"_l\""},
        {RANK "; calc 1\n}", 4, 1, "found \";\""},
        {RANK "# calc 1\n}", 4, 1, "found \"#\""},
        {RANK "l: \x01\n}", 4, 4, "found the byte 0x01"},
        {RANK "l: put 5\n}", 4, 4, "expected send, recv or calc after the label, found \"put\""},
        {RANK "calc5\n}", 5, 1, "expected \":\", \"requires\" or \"irequires\" after \"calc5\""},
        {RANK "l calc 5\n}", 4, 3, "expected \":\", \"requires\" or \"irequires\" after \"l\""},
        {RANK "rank: calc 5\n}", 4, 1, "\"rank\" is reserved and cannot be a label"},
        {RANK "l: calc 5\nl requires send\n}", 5, 12, "\"send\" is reserved"},
        {RANK "l: calc 5\nl requires 5\n}", 5, 12,
         "expected a label (letters, digits and _, a let"},
        {RANK "l: calc 5\nl requires m\n}", 5, 12, "the label \"m\" is not defined in rank 0"},
        {RANK "l requires m\nm: calc 5\nk requires m\n}", 4, 1, "the label \"l\" is not defined"},
        {RANK "l: calc 5\nl requires l\n}", 5, 1, "\"l\" cannot wait for itself"},
        {RANK "a:calc 1 b:calc 1\na requires b\n b irequires a\n}", 6, 2,
         "this closes a cycle: a requires b (line 5), b irequires a (line 6)"},

        {RANK "calc\n}", 5, 1, "expected a time in nanoseconds from 0 to 4611686018427387, found"},
        {RANK "calc -5\n}", 4, 6, "found \"-5\""},
        {RANK "calc 4611686018427388\n}", 4, 6, "from 0 to 4611686018427387"},
        {RANK "calc 1.2345\n}", 4, 11, "expected no more than 3 decimals: times are whole pico"},
        {RANK "calc 1.\n}", 4, 8, "expected decimals after the point, found the end of the line"},
        {RANK "calc 1e3\n}", 4, 7, "expected a blank or the end of the operation, found \"e3\""},
        {RANK "calc 5 nic 1\n}", 4, 8, "a calculation takes no nic, only cpu"},
        {RANK "calc 5 tag 1\n}", 4, 8, "a calculation takes no tag, only cpu"},
        {RANK "calc 5 cpu 65536\n}", 4, 12, "expected a CPU from 0 to 65535, found \"65536\""},
        {RANK "calc 5 cpu\n}", 5, 1, "expected a CPU from 0 to 65535, found \"}\""},
        {RANK "calc 5 cpu 1 cpu 1\n}", 4, 14, "cpu is given twice for one operation"},
        {RANK "send b to 1\n}", 4, 6, "expected a size in bytes from 0 to 4611686018427387904"},
        {RANK "send 4611686018427387905b to 1\n}", 4, 6, "expected a size"},
        {RANK "send 18446744073709551617b to 1\n}", 4, 6, "expected a size"},
        {RANK "send 8 to 1\n}", 4, 8, "expected \"b\" (bytes) after the size, found \"to\""},
        {RANK "send 8KiB to 1\n}", 4, 7, "expected \"b\""},
        {RANK "send 8b from 1\n}", 4, 9, "expected \"to\" and a rank, found \"from\""},
        {RANK "send 8b to 2\n}", 4, 12, "expected a destination rank from 0 to 1, found \"2\""},
        {RANK "send 8b to -1\n}", 4, 12, "expected a destination rank from 0 to 1, found \"-1\""},
        {RANK "send 8b to 4294967296\n}", 4, 12, "found \"4294967296\""},
        {RANK "send 8b to 1 tag 4294967295\n}", 4, 18,
         "expected a tag whose low 32 bits are not all ones, which would mean any, found "
         "\"4294967295\""},
        {RANK "send 8b to 1 tag 8589934591\n}", 4, 18, "a tag whose low 32 bits are not all ones"},
        {RANK "recv 8b from 0 tag 340282366920938463463374607431768211455\n}", 4, 20,
         "a tag whose low 32 bits are not all ones"},
        {RANK "recv 8b from 4303012340000\n}", 4, 14, "found \"4303012340000\""},
        {RANK "send 8b to 1 cpu 4303012340000\n}", 4, 18, "expected a CPU from 0 to 65535"},
        {RANK "send 8b to 1 tag -2\n}", 4, 18,
         "a tag from 0 to 4294967294, or -1 for any, found \"-2\""},
        {RANK "send 8b to 1 tag -12\n}", 4, 18, "found \"-12\""},
        {RANK "send 8b to 1 nic 1000\n}", 4, 18, "expected a NIC from 0 to 255"},
        {RANK "send 8b to 1 tag 1 nic 2 tag 1\n}", 4, 26, "tag is given twice"},
        {RANK "send 8b to 1 nik 2\n}", 4, 14,
         "\"nik\" is neither an option (tag, cpu, nic) nor a label"},
        {RANK "send 8b to 1.5\n}", 4, 13, "expected a blank or the end of the operation"},
        {RANK "recv 8b to 1\n}", 4, 9, "expected \"from\" and a rank, found \"to\""},
        {RANK "recv 8b from -2\n}", 4, 14,
         "a source rank from 0 to 1, or -1 for any, found \"-2\""},

        {"num_ranks 1\n/* a\n * b", 2, 1, "this comment has no end: \"*/\" is missing"},
        {"num_ranks 1 /", 1, 13, "expected \"rank\" or the end of the file, found \"/\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_schedule *s = parse(cases[i].text, &e);
        if (s != NULL || e.line != cases[i].line || e.column != cases[i].column) {
            print_error("%s: %d:%d: %s\n", cases[i].text, e.line, e.column, e.text);
        }
        assert_null(s);
        assert_string_equal(e.source, "t.goal");
        assert_int_equal(e.line, cases[i].line);
        assert_int_equal(e.column, cases[i].column);
        assert_error(e, TAN_FAILED, cases[i].part);
    }
}

TEST(nul_bytes)
{
    static const char text[] = "num_ranks 1\nrank 0 { // x\0\n}";
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(tan_goal_parse(text, sizeof text - 1, "t", false, &e));
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 14);
    assert_error(e, TAN_FAILED, "a text must not hold NUL bytes");
}

/* A comment that does not end is an error between any two pieces, and nothing else is said. */
TEST(comments_end)
{
    static const char text[] =
        "/**/num_ranks/**/2/**/rank/**/0/**/{/**/l1/**/:/**/send/**/8/**/b/**/to/**/1/**/tag/**/3"
        "/**/cpu/**/1/**/nic/**/2/**/\nl2/**/:/**/calc/**/5/**/\nl1/**/requires/**/l2/**/}/**/rank"
        "/**/1/**/{/**/recv/**/8/**/b/**/from/**/0/**/tag/**/3/**/}/**/";
    tan_schedule_destroy(parse_good(text));
    for (const char *at = strstr(text, "/*"); at != NULL; at = strstr(at + 4, "/*")) {
        char cut[sizeof text];
        snprintf(cut, sizeof cut, "%.*s", (int)(at + 2 - text), text);
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(cut, &e));
        assert_error(e, TAN_FAILED, "this comment has no end: \"*/\" is missing");
    }
}

TEST(quoted_lines)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(parse("num_ranks 1\nrank 0 {\r\n\tcalc x\r\n}\r\n", &e));
    assert_string_equal(e.excerpt, " calc x\n      ^");

    /* a place that was passed long ago */
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_null(parse("num_ranks 1\nrank 0 {\na: calc 1\na requires b\n\n\n}\n", &e));
    assert_string_equal(e.excerpt, "a requires b\n           ^");
}

/* A circle of n operations: l2 requires l1, ..., l1 requires ln. */
TEST(long_circle)
{
    enum { N = 1000 };
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    fputs("num_ranks 1\nrank 0 {\n", to);
    for (int i = 1; i <= N; i++) {
        fprintf(to, "l%d: calc 1\n", i);
    }
    for (int i = 1; i <= N; i++) {
        fprintf(to, "l%d requires l%d\n", i % N + 1, i);
    }
    fputs("}\n", to);
    fclose(to);
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(parse(text, &e));
    assert_int_equal(e.line, 2 + 2 * N); /* the last statement closes it */
    assert_int_equal(e.column, 1);
    assert_string_equal(e.excerpt, "l1 requires l1000\n^");
    assert_error(e, TAN_FAILED, ", and 994 more, ");
    free(text);
}

/* Every piece of a text once where the buffer ends, and where it is filled again. */
TEST(across_buffers)
{
    enum { AHEAD = TAN_SOURCE_AHEAD, BUFFER = (1 << 16) + AHEAD + (1 << 18), STEP = 5 };
    static const char head[] = "num_ranks 1\nrank 0 {\n/*";
    static const char tail[] = "*/l1: send 123b to 0 tag 45 cpu 6 // some *** words\n"
                               "/* a comment ** */ l2: recv 123b from 0 tag 45 cpu 7\n"
                               "l2 requires l1\nl3: calc 5 }\n";
    static const char wanted[] = "num_ranks 1\n\nrank 0 {\nl1: send 123b to 0 tag 45 cpu 6\n"
                                 "l2: recv 123b from 0 tag 45 cpu 7\ncalc 5\n"
                                 "l2 requires l1\n}\n";
    char *text = malloc(BUFFER + 2 * AHEAD);
    assert_non_null(text);
    for (size_t ahead = 0; ahead <= AHEAD; ahead += AHEAD) {
        for (size_t beyond = 0; beyond < sizeof tail; beyond += STEP) {
            char *at = text + BUFFER - ahead - (sizeof tail - 1) + beyond;
            memset(text, '*', (size_t)(at - text));
            memcpy(text, head, sizeof head - 1);
            memset(at, ' ', (size_t)(text + BUFFER + 2 * AHEAD - at));
            memcpy(at, tail, sizeof tail - 1);
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_schedule *s = tan_goal_parse(text, BUFFER + 2 * AHEAD, "t", false, &e);
            assert_no_error(e);
            assert_written(s, wanted);
        }
    }
    free(text);
}

/* Lines and excerpts stay right far into a text; of a line that has left the buffer there is no
 * excerpt. */
TEST(far_into_a_text)
{
    enum { LINES = 100000 };
    for (int last = 0; last < 2; last++) {
        char *text = NULL;
        size_t length = 0;
        FILE *to = open_memstream(&text, &length);
        assert_non_null(to);
        fputs("num_ranks 1\nrank 0 {\na requires b\n", to);
        for (int i = 0; i < LINES; i++) {
            fprintf(to, "calc %d\n", i);
        }
        fputs(last ? "  a; calc 1\n}\n" : "}\n", to);
        fclose(to);
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(text, &e));
        assert_int_equal(e.line, last ? LINES + 4 : 3);
        assert_int_equal(e.column, last ? 4 : 1);
        assert_string_equal(e.excerpt, last ? "  a; calc 1\n   ^" : "");
        assert_error(e, TAN_FAILED, last ? "after \"a\", found \";\"" : "\"a\" is not defined");
        free(text);
    }
}

TEST(long_words)
{
    static char text[12000];
    char word[4097];
    struct tan_error e = TAN_ERROR_INIT;
    memset(word, 'w', sizeof word - 1);
    word[4096] = '\0';
    snprintf(text, sizeof text, RANK "%s: calc 1\n}\n", word);
    assert_null(parse(text, &e));
    assert_int_equal(e.line, 4);
    assert_int_equal(strlen(e.excerpt), 76 + 3 + 1 + 1);
    assert_error(e, TAN_FAILED, "a label must be shorter than 4096 characters");

    word[4095] = '\0';
    snprintf(text, sizeof text, RANK "%s: calc 1\nx: calc 2\nx requires %s }\n", word, word);
    assert_written(parse_good(text), "num_ranks 2\n\nrank 0 {\nl1: calc 1\nl2: calc 2\n"
                                     "l2 requires l1\n}\n\nrank 1 {\n}\n");
}

/* Many labels of one rank, and the same ones in another. */
TEST(many_labels)
{
    enum { N = 5000 };
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    fputs("num_ranks 2\n", to);
    for (int rank = 0; rank < 2; rank++) {
        fprintf(to, "\nrank %d {\n", rank);
        for (int i = 1; i <= N; i++) {
            fprintf(to, "l%d: calc %d\n", i, rank + i);
        }
        for (int i = 1; i < N; i++) {
            fprintf(to, "l%d requires l%d\n", i + 1, i);
        }
        fputs("}\n", to);
    }
    fclose(to);
    assert_written(parse_good(text), text);
    free(text);
}

/* Files */

static const char small[] = "num_ranks 1\n\nrank 0 {\ncalc 5\n}\n";

static void assert_loads(const char *name)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_goal_load(name, false, &e);
    assert_no_error(e);
    assert_written(s, small);
}

TEST(files_and_pipes)
{
    write_text(small);
    assert_loads(path);

    gzFile packed = gzopen(path, "wb");
    assert_non_null(packed);
    assert_int_equal(gzwrite(packed, small, sizeof small - 1), sizeof small - 1);
    assert_int_equal(gzclose(packed), Z_OK);
    assert_loads(path);

    assert_int_equal(truncate(path, 25), 0);
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(tan_goal_load(path, false, &e));
    assert_string_equal(e.source, path);
    assert_error(e, TAN_FAILED, "cannot be decompressed: it ends too early");
    unlink(path);
    assert_null(tan_goal_load(path, false, &e));
    assert_error(e, TAN_FAILED, "No such file");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_null(tan_goal_load(path, false, &e));
    assert_error(e, TAN_FAILED, ": Is a directory");
    assert_int_equal(rmdir(path), 0);

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], small, sizeof small - 1), sizeof small - 1);
    close(ends[1]);
    const int before = dup(0);
    assert_int_equal(dup2(ends[0], 0), 0);
    close(ends[0]);
    assert_loads("-");
    if (before >= 0) {
        dup2(before, 0);
        close(before);
    }
}

/* Files say their sizes piece by piece. */
TEST(beyond_memory)
{
    char requires[500] = "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\n";
    for (int i = 0; i < 20; i++) {
        strcat(requires, "b requires a\n");
    }
    strcat(requires, "}\n");
    const struct {
        const char *text;
        int line;
        const char *error;
    } cases[] = {
        {"num_ranks 536870912\n", 1,
         "536870912 ranks may take more memory than the "
         "300 B available"},
        {"num_ranks 1\nrank 0 {\ncalc 1\ncalc 1\ncalc 1\n}\n", 5,
         "more than 2 operations of 1 ranks may take more memory than the 300 B "
         "available"},
        {requires, 17,
         "more than 12 dependencies of 1 ranks may take more memory than "
         "the 300 B available"},
    };
    tan_schedule_limit_memory(300, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(parse(cases[i].text, &e));
        assert_int_equal(e.line, cases[i].line);
        assert_error(e, TAN_FAILED, cases[i].error);
    }
    tan_schedule_limit_memory(UINT64_MAX, false);
}

RUN_TESTS(make_scratch, remove_scratch)
