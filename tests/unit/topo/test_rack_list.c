/* test_rack_list.c - racks of hosts in topology.conf and plain lines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/scratch_file.h"
#include "topo/rack_list.h"

/* "h1 h2|h3": the hosts of each rack, in the order of the file. */
static const char *racks_of(const struct tan_rack_list *list, char text[4096])
{
    const char *const *host = tan_names_list(list->hosts);
    text[0] = '\0';
    for (int32_t rack = 0; rack < tan_names_count(list->racks); rack++) {
        const char *between = rack == 0 ? "" : "|";
        for (int32_t h = 0; h < tan_names_count(list->hosts); h++) {
            if (list->host[h].rack == rack) {
                snprintf(text + strlen(text), 4096 - strlen(text), "%s%s", between, host[h]);
                between = " ";
            }
        }
    }
    return text;
}

TEST(files_by_hand)
{
    static const struct {
        const char *text, *racks;
    } rows[] = {
        {"SwitchName=s1 Nodes=h[1-4,7]\n", "h1 h2 h3 h4 h7"},
        {"SwitchName=s1 Nodes=h[01-03,8,010-011]", "h01 h02 h03 h8 h010 h011"},
        {"SwitchName=s1 Nodes=h[8-11]", "h8 h9 h10 h11"},
        {"SwitchName=s1 Nodes=h[08-11]", "h08 h09 h10 h11"},
        {"SwitchName=s1 Nodes=h[099-101,5]", "h099 h100 h101 h5"},
        {"\xef\xbb\xbfSwitchName=s1 Nodes=a", "a"},
        {"SwitchName=s1 \\\n   Nodes=h[1-2]\nSwitchName=s2 Nodes=\\\r\nh3", "h1 h2|h3"},
        {"SwitchName=s1 Nodes=h1,\\ \nh2", "h1 h2"},
        {"switchname=\"s 1\" Nodes=\"h[1-2],h4\"\nSwitchName=s2 Nodes = \"h3\" LinkSpeed=\"1\"",
         "h1 h2 h4|h3"},
        /* equal values of keys that are not read would be two racks of one name, or other hosts */
        {"BlockName=b1 Nodes=h[1-2] BlockIndex=1 BlockSize=1\n"
         "BLOCKNAME=b2 nodes=h[3-4] BlockIndex=1 BlockSize=1 # two\nBlockSizes=2,4\n",
         "h1 h2|h3 h4"},
        {"SwitchName=s1 Nodes=a Level=1 LinkSpeed=1\nSwitchName=s2 Nodes=b Level=1 LinkSpeed=1\n",
         "a|b"},
        {"SwitchName=s1 Nodes=r[0-1]n[00-02]", "r0n00 r0n01 r0n02 r1n00 r1n01 r1n02"},
        {"SwitchName=s1 Nodes=h[1-2,07]x[1,3]", "h1x1 h1x3 h2x1 h2x3 h07x1 h07x3"},
        {"SwitchName=s1 Nodes=h[0-1][2-3]", "h02 h03 h12 h13"},
        {"SwitchName=s1 Nodes=a,b[1-2]-ib,,c.example.org,", "a b1-ib b2-ib c.example.org"},
        {"# racks\r\n  switchname = s1\tLinkSpeed=100  NODES= a,b # two\r\n\r\n"
         "SWITCHNAME=s2 nodes=c\nSwitchName=top Switches=s[1-2]\n"
         "SwitchName=all Level=1 LinkSpeed=1 Nodes=a,b,c Switches=top\nSwitchName=s3 Nodes=d\n",
         "a b|c|d"},
        {"a r1\n\tb  r2 # more\nc r1\r\n#d r3\n\na r1\n", "a c|b"},
        {"n[1-3] left\nSwitchName=right Nodes=m", "n1 n2 n3|m"},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_rack_list list;
        char text[4096];
        write_text(rows[i].text);
        print_message("%s\n", rows[i].text);
        assert_int_equal(tan_rack_list_read(path, &list, &e), 0);
        assert_no_error(e);
        assert_string_equal(racks_of(&list, text), rows[i].racks);
        tan_rack_list_clear(&list);
    }
}

/* Three levels, of which one group has two: racks by level, numbered in the order of the hosts. */
TEST(levels)
{
    static const char *const hosts[] = {"h5", "h1", "h2", "h6", "h3", "h7"};
    static const int32_t wanted[3][6] = {
        {0, 1, 1, 0, 2, 3}, {0, 1, 1, 0, 1, 2}, {0, 1, 1, 0, 1, 0}};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_racks racks;
    write_text("SwitchName=g1 Switches=s[1-2]\nSwitchName=s1 Nodes=h[1-2]\n"
               "SwitchName=s2 Nodes=h[3-4]\nSwitchName=s3 Nodes=h[5-6]\n"
               "SwitchName=s4 Nodes=h7\nSwitchName=g2 Switches=m,s4\nSwitchName=m Switches=s3\n");
    assert_int_equal(tan_racks_read(path, hosts, 6, &racks, &e), 0);
    assert_int_equal(racks.n, 4);
    for (int level = 0; level < 3; level++) {
        assert_memory_equal(racks.rack[level], wanted[level], sizeof wanted[level]);
    }
    assert_null(racks.rack[3]);
    free(racks.rack[0]);
    static const char *const unknown[] = {"h1", "h8"};
    assert_int_equal(tan_racks_read(path, unknown, 2, &racks, &e), -1);
    assert_error(e, TAN_FAILED, "it puts \"h8\" into no rack");
    assert_null(racks.rack[0]);
}

/* A thousand racks of a hundred hosts each, every one of which is found. */
TEST(many_hosts)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_rack_list list;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int rack = 0; rack < 1000; rack++) {
        fprintf(file, "SwitchName=s%d Nodes=h[%05d-%05d]\n", rack, 100 * rack, 100 * rack + 99);
    }
    fclose(file);
    assert_int_equal(tan_rack_list_read(path, &list, &e), 0);
    assert_int_equal(tan_names_count(list.hosts), 100000);
    for (int h = 0; h < 100000; h++) {
        char name[16];
        snprintf(name, sizeof name, "h%05d", h);
        const int32_t rack = tan_rack_list_find(&list, name);
        assert_int_equal(rack, h / 100);
        assert_int_equal(list.host[h].line, rack + 1);
    }
    assert_int_equal(tan_rack_list_find(&list, "h100000"), -1);
    assert_int_equal(tan_rack_list_find(&list, "h1"), -1);
    tan_rack_list_clear(&list);
}

TEST(bad_files)
{
    static const struct {
        const char *text, *error;
        int line;
    } rows[] = {
        {"", "it assigns no host to a rack", 0},
        {"# nothing\n\nSwitchName=top Switches=s[1-2]\n", "it assigns no host to a rack", 0},
        {"a r1\n\nb\n", "a line must be HOST RACK, or SwitchName=", 3},
        {"a r1 r2\n", "a line must be HOST RACK", 1},
        {"SwitchName=s1 Nodes=a\nNodes=b\n", "a line must be HOST RACK", 2},
        {"SwitchName=s1 Nodes=a\n# two\nSwitchName=s2 Nodes=b\nswitchname=\"s1\" nodes=c\n",
         "\"s1\" is already defined on line 1", 4},
        {"SwitchName=s1 Nodes=a\nSwitchName=top \\\n Switches=s1\nSwitchName=top Switches=s1\n",
         "\"top\" is already defined on line 2", 4},
        {"BlockName=b1 Nodes=a\nBlockName=b1 Nodes=a\n", "\"b1\" is already defined on line 1", 2},
        {"SwitchName=s1\n", "a line must be HOST RACK", 1},
        {"SwitchName=s1 Nodes=\n", "a line must be HOST RACK", 1},
        {"SwitchName=s1 b Nodes=c\n", "a line must be HOST RACK", 1},
        {"SwitchName=s1 Nodes=a\nSwitchName=s2 Nodes=b,h[3-1]\n",
         "\"b,h[3-1]\" is not a list of hosts, such as h1,h[4-7,9]: the range 3-1 falls", 2},
        {"SwitchName=s1 \\\n Nodes=a\nSwitchName=s2 \\\n Nods=b\n", "\"Nods\" is not known", 3},
        {"SwitchName=\"s1 Nodes=a\n", "this line has a quote that is never closed", 1},
        {"SwitchName=s1 Nodes=a\nb c d\n", "a line must be HOST RACK", 2},
        {"SwitchName=s1 Nodes=a\nInclude more.conf\n", "includes are not read", 2},
        {"include /etc/slurm/racks.conf\n", "includes are not read", 1},
        {"---\n- topology: t\n", "this looks like Slurm's topology.yaml", 1},
        {"# t\n- topology: t\n", "this looks like Slurm's topology.yaml", 2},
        {"switches:\n", "this looks like Slurm's topology.yaml", 1},
        {"h[1-003] r\n", "\"h[1-003]\" is not a list", 1},
        {"h[1-2-3] r\n", "\"h[1-2-3]\" is not a list", 1},
        {"h[1-] r\n", "\"h[1-]\" is not a list", 1},
        {"h[-1] r\n", "\"h[-1]\" is not a list", 1},
        {"h[] r\n", "\"h[]\" is not a list", 1},
        {"h[1,] r\n", "\"h[1,]\" is not a list", 1},
        {"h[a-b] r\n", "\"h[a-b]\" is not a list", 1},
        {"h[1-2 r\n", "\"h[1-2\" is not a list", 1},
        {"h1] r\n", "\"h1]\" is not a list", 1},
        {"h[[1-2]] r\n", "\"h[[1-2]]\" is not a list", 1},
        {"h[1-99999999999] r\n", "\"h[1-99999999999]\" is not a list", 1},
        {"a[1-2]b[x] r\n", "\"a[1-2]b[x]\" is not a list", 1},
        {"a r\nh[0-1048575] r\n", "these are more than 1048576 names of hosts", 2},
        {"h[1,1,1,1][1,1,1,1][1,1,1,1][1,1,1,1][1,1,1,1][1,1,1,1][1,1,1,1][1,1,1,1][1,1,1,1]"
         "[1,1,1,1][1,1] r\n",
         "these are more than 1048576 names of hosts", 1},
        {"a r1\nb r1\nc,a r2\n", "\"a\" is in rack \"r2\" here and in \"r1\" on line 1", 3},
        {"SwitchName=s1 Nodes=h[1-4]\nSwitchName=s2 Nodes=h[4-8]\n",
         "\"h4\" is in rack \"s2\" here and in \"s1\" on line 1", 2},
        {"SwitchName=s1 Nodes=a\nSwitchName=t Switches=s1\nSwitchName=u Switches=s[1-2]\n",
         "\"s1\" is below \"u\" here and below \"t\" on line 2", 3},
        {"SwitchName=s1 Nodes=a\nSwitchName=t Switches=s1,u\nSwitchName=u Switches=t\n",
         "is above itself", 3},
    };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_rack_list list;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_text(rows[i].text);
        print_message("%s", rows[i].text);
        assert_int_equal(tan_rack_list_read(path, &list, &e), -1);
        assert_string_equal(e.source, path);
        assert_int_equal(e.line, rows[i].line);
        assert_error(e, TAN_FAILED, rows[i].error);
    }

    /* names of 255 characters, and of more */
    for (int extra = 0; extra < 2; extra++) {
        char text[300] = "";
        memset(text, 'h', (size_t)(254 + extra));
        strcpy(text + 254 + extra, "[1-2] r\n");
        write_text(text);
        assert_int_equal(tan_rack_list_read(path, &list, &e), -extra);
        tan_rack_list_clear(&list);
    }
    assert_error(e, TAN_FAILED, "a name has at most 255 characters");
    write_text(
        "h[0000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "00000000000000000000000000000000000000000000000000000000000000000000000000000000000001]"
        " r\n");
    assert_int_equal(tan_rack_list_read(path, &list, &e), -1);
    assert_error(e, TAN_FAILED, "a number has more than 18 digits");
}

RUN_TESTS(make_scratch, remove_scratch)
