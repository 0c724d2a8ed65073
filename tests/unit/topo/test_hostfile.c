/* test_hostfile.c - hosts in the notations of launchers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/scratch_file.h"
#include "topo/hostfile.h"

/* "c1*4 c2": hosts with the slots that the text says. */
static void assert_hosts(const struct tan_hostfile *list, const char *wanted)
{
    char text[4096] = "";
    for (size_t i = 0; i < list->n; i++) {
        const struct tan_listed_host *host = &list->hosts[i];
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "", host->name);
        if (host->slots > 0) {
            snprintf(text + strlen(text), sizeof text - strlen(text), "*%d", (int)host->slots);
        }
    }
    assert_string_equal(text, wanted);
}

TEST(notations)
{
    static const struct {
        const char *text, *hosts;
    } rows[] = {
        {"c1\nc2\nc1", "c1 c2 c1"},
        {"c1 c2,c3\tc4\r\n# more\r\n\r\nc5 # and\n", "c1 c2 c3 c4 c5"},
        {"\n,c1,,c2,\n", "c1 c2"},
        /* Open MPI */
        {"c1 slots=4\nc2 slots=2 max_slots=8\nc3 max-slots=3", "c1*4 c2*2 c3"},
        {"c1 slots = 4\nc2  SLOTS= 2\tslots-max =8\n", "c1*4 c2*2"},
        {"user@c1 slots=4\nme@c2.example.org\n", "c1*4 c2.example.org"},
        {"c1 count=3\nc2 cpu=2 username=me\n", "c1*3 c2*2"},
        {"c1\nc9\nc2\n^c9\n", "c1 c2"},
        {"^c[2-3]\nc[1-4]\n", "c1 c4"},
        /* Hydra */
        {"c1:4\nc2:2 binding=user:0,1\nc3 ifname=eth0.1:2 user=me\n", "c1*4 c2*2 c3"},
        {"10.0.0.1:2\nfe80::1\n::1\n", "10.0.0.1*2 fe80::1 ::1"},
        /* Slurm */
        {"c[1-3,05],login", "c1 c2 c3 c05 login"},
        {"c[01-02,12]-ib[0-1]", "c01-ib0 c01-ib1 c02-ib0 c02-ib1 c12-ib0 c12-ib1"},
        {"c[1-2]:4,d:3\n", "c1*4 c2*4 d*3"},
        {"c[1-2] slots=4\n", "c1*4 c2*4"},
        /* rankfiles */
        {"rank 1=c2 slot=0\nrank 0=c1 slot=1:0-2,1:3\n# more\nrank 2 = c1\n", "c1 c2 c1"},
        {"RANK 0=me@c1 slot=0,1", "c1"},
        /* what launchers print before the output of ranks */
        {"2: c3\n0: c1\n1: c1.x\n", "c1 c1.x c3"},
        {" 1:\tc2\n00: c1", "c1 c2"},
        {"[1] c2\n[0] c1\n", "c1 c2"},
        {"0: c1:4\n", "c1*4"},
        /* no labels: slots of a host named 0, and a name in brackets */
        {"0:2\n1:2\n", "0*2 1*2"},
        {"[0-1]\n[7]\n", "0 1 7"},
        /* numbers are names where they stand alone */
        {"0\n0\n1\n1\n", "0 0 1 1"},
        {"1 0 1", "1 0 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostfile list;
        print_message("%s\n", rows[i].text);
        assert_int_equal(tan_hostfile_parse(rows[i].text, "hosts", &list, &e), 0);
        assert_no_error(e);
        assert_hosts(&list, rows[i].hosts);
        tan_hostfile_clear(&list);
    }
}

TEST(refused)
{
    static const struct {
        const char *text, *error;
        int line;
    } rows[] = {
        {"", "it names no host", 0},
        {"# c1\n\n , \n", "it names no host", 0},
        {"c1\n^c1\n", "it names no host", 0},
        {"c1\nc2 slots=4 slots=2\n", "\"slots=2\" sets the number", 2},
        {"c1:4 slots=4\n", "\"slots=4\" sets the number", 1},
        {"c1 slots=\n", "\"slots=\" has no whole number from 1", 1},
        {"c1 slots=0\n", "\"slots=0\" has no whole number from 1", 1},
        {"c1 slots=4x\n", "\"slots=4x\" has no whole number", 1},
        {"c1 slots=99999999999999999999\n", "has no whole number", 1},
        {"slots=4\n", "\"slots=4\" must follow one host", 1},
        {"c1 c2 slots=4\n", "\"slots=4\" must follow one host", 1},
        {"c1\nc2 ppn=4\n", "\"ppn=4\" is not known here", 2},
        {"NodeName=c[1-4] CPUs=8\n", "\"NodeName=c[1-4]\" is not known here", 1},
        {"c1:\n", "\"c1:\" has no whole number from 1 to 1048576 after its colon", 1},
        {":1:\n", "\":1:\" has no host name before its colon", 1},
        {"c1\nme@:4\n", "\":4\" has no host name before its colon", 2},
        {"c1:ppn=4\n", "\"c1:ppn=4\" is not known here", 1},
        {"c1:4:2\n", "\"c1:4:2\" has more than one colon", 1},
        {"[fe80::1]:2\n", "\"[fe80::1]:2\" has more than one colon, as only IPv6 addresses have",
         1},
        {"c1:x\n", "\"c1:x\" has no whole number", 1},
        {"c1 4\n", "\"4\" is a number after a host", 1},
        {"4(x3)\n", "\"4(x3)\" is not a host", 1},
        {"c1;c2\n", "\"c1;c2\" is not a host", 1},
        {"c%1\n", "\"c%1\" is not a host", 1},
        {"c\xc3\xa4\n", "is not a host", 1},
        {"+n0\n", "\"+n0\" is relative to an allocation", 1},
        {"-c1\n", "\"-c1\" begins with a hyphen", 1},
        {"me@\n", "\"me@\" has no host name", 1},
        {"c1\n@rack1\nc2\n", "\"@rack1\" names a group, which is not known here", 2},
        {"c1\n^@rack1\n", "\"^@rack1\" names a group", 2},
        {"rank 0=@rack1 slot=0\n", "\"@rack1\" names a group", 1},
        {"^\n", "\"^\" has no host name", 1},
        {"c1\nc[3-1]\n", "\"c[3-1]\": the range 3-1 falls", 2},
        {"c[1-999999999]\n", "these are more than 1048576 names of hosts", 1},
        {"c[[1-2]]\n", "a number is missing in the brackets", 1},
        {"c[1-2\nc3", "has no \"]\"", 1},
        {"c1]\n", "has no \"[\"", 1},
        {"c[1-5000][1-5000]\n", "these are more than 1048576 names", 1},
        {"c[1-524288]\nc[1-524289]\n", "these are more than 1048576 names", 2},
        {"c[1-1048576]\nc1\n", "these are more than 1048576 names", 2},
        {"c1\n^d[1-1048576]\n^d[0-1048575]\n", "these are more than 1048576 names", 3},
        {"rank 0=c1 slot=0\nrank 0=c2 slot=0\n", "rank 0 is named twice", 2},
        {"rank 0=c1 slot=0\nrank 2=c2 slot=0\n", "rank 2 of a file of 2", 2},
        {"rank 0=c[1-2] slot=0\n", "\"c[1-2]\" must be one host", 1},
        {"rank 0=+n1 slot=0\n", "\"+n1\" is relative", 1},
        {"rank 0=c1 slot=0\nc2\n", "lines with a rank allow no others", 2},
        {"c2\nrank 0=c1 slot=0\n", "lines with a rank allow no others", 2},
        {"0: c1\nc2\n", "lines with a rank allow no others", 2},
        {"0: c1\n12345678: c2\n", "rank 12345678 of a file of 2", 2},
        {"0: c1 up\n", "\"up\" is not known in a line with a rank", 1},
        {"0:\n", "\"0:\" has no whole number", 1},
        {"123456789: c1\n", "\"123456789:\" has no whole number", 1},
        {"rank c1\n", "a line with a rank is", 1},
        {"rank\n", "a line with a rank is", 1},
        {"rank 0=c1 sockets=1\n", "\"sockets=1\" is not known in a line with a rank", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostfile list;
        print_message("%s\n", rows[i].text);
        assert_int_equal(tan_hostfile_parse(rows[i].text, "hosts", &list, &e), -1);
        assert_error(e, TAN_FAILED, rows[i].error);
        assert_int_equal(e.line, rows[i].line);
        assert_string_equal(e.source, "hosts");
    }
}

TEST(by_slot)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_hostfile list;
    assert_int_equal(tan_hostfile_parse("c1 slots=2\nc[2-3]:2\nc4\nc1", "hosts", &list, &e), 0);
    assert_int_equal(tan_hostfile_by_slot(&list, "hosts", &e), 0);
    assert_hosts(&list, "c1*2 c1*2 c2*2 c2*2 c3*2 c3*2 c4 c1");
    tan_hostfile_clear(&list);
    assert_int_equal(tan_hostfile_parse("c[1-16]:1048576\nd", "hosts", &list, &e), 0);
    assert_int_equal(tan_hostfile_by_slot(&list, "hosts", &e), -1);
    assert_error(e, TAN_FAILED, "with these slots there are more than 16777216 processes");
    tan_hostfile_clear(&list);
}

/* PBS's $PBS_NODEFILE has a line for each slot; other files name a host once. */
TEST(once)
{
    static const struct {
        const char *text, *hosts, *error;
    } rows[] = {
        {"n1\nn1\nn2\nn2\nn2\n", "n1*2 n2*3", NULL},
        {"n1\nn2\nn1\n", "n1*2 n2*1", NULL},
        {"n2\nn1\n", "n2 n1", NULL},
        {"n1:2\nn2\n", "n1*2 n2", NULL},
        {"n1:2\nn2\nn1:3\n", "n1*5 n2*1", NULL},
        {"n1\nn1 slots=2\n", "n1*3", NULL},
        {"n1:1048575\nn1:1\n", "n1*1048576", NULL},
        {"n1:1048576\nn1:1\n", NULL, "\"n1\" has more than 1048576 slots"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostfile list;
        at_row("%s", rows[i].text);
        assert_int_equal(tan_hostfile_parse(rows[i].text, "hosts", &list, &e), 0);
        const int result = tan_hostfile_once(&list, "hosts", &e);
        if (rows[i].error != NULL) {
            assert_int_equal(result, -1);
            assert_error(e, TAN_FAILED, rows[i].error);
            assert_int_equal(e.line, 2);
        } else {
            assert_int_equal(result, 0);
            assert_hosts(&list, rows[i].hosts);
        }
        tan_hostfile_clear(&list);
    }
}

TEST(two_names)
{
    static const struct {
        const char *text, *note;
    } rows[] = {
        {"n1 n2\nn1.cluster.example\n",
         "n1 and n1.cluster.example are taken for two hosts: name a host in one way only"},
        {"n[1-2].x\nn[2-3]", "n2 and n2.x are taken for two hosts: name a host in one way only"},
        {"n1 n2 n1", NULL},
        {"n1.x n1.y n11", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostfile list;
        at_row("%s", rows[i].text);
        assert_int_equal(tan_hostfile_parse(rows[i].text, "hosts", &list, &e), 0);
        if (rows[i].note == NULL) {
            assert_null(list.note);
        } else {
            assert_non_null(list.note);
            assert_string_equal(list.note, rows[i].note);
        }
        tan_hostfile_clear(&list);
    }
}

/* A byte order mark is no part of the first host's name; UTF-16 and binary files are no text. */
TEST(encodings)
{
    static const struct {
        const char *text;
        size_t length;
        const char *error; /* NULL: c1 is read */
    } rows[] = {
        {"\xef\xbb\xbf"
         "c1\r\n",
         7, NULL},
        {"\xff\xfe"
         "c\0001\000\n\000",
         8, "the text is in UTF-16: save it as UTF-8"},
        {"\xfe\xff\000c\0001\000\n", 8, "the text is in UTF-16: save it as UTF-8"},
        {"c\0001", 3, "not a text file: it contains a NUL byte"},
        {"\xef\xbb\xbf", 3, "it names no host"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_hostfile list;
        write_bytes(rows[i].text, rows[i].length);
        const int result = tan_hostfile_read(path, &list, &e);
        if (rows[i].error != NULL) {
            assert_int_equal(result, -1);
            assert_error(e, TAN_FAILED, rows[i].error);
            continue;
        }
        assert_int_equal(result, 0);
        assert_hosts(&list, "c1");
        tan_hostfile_clear(&list);
    }
}

RUN_TESTS(make_scratch, remove_scratch)
