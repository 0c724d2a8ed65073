/* template.c - a machine file to fill in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/template.h"

static const char *const file = "{\n"
                                "  \"schema\": \"tan-machine/1\",\n"
                                "  \"name\": \"my cluster\",\n"
                                "  \"source\": \"where the numbers come from\",\n"
                                "  \"tan\": {\n"
                                "    \"method\": \"joint\",\n"
                                "    \"bytes\": 1024,\n"
                                "    \"L_us\": null,\n"
                                "    \"a_us\": null,\n"
                                "    \"b_us\": null,\n"
                                "    \"c_us\": null,\n"
                                "    \"g_us\": null,\n"
                                "    \"C_us\": null\n"
                                "  }\n"
                                "}\n";

static const char *const meaning =
    "Put numbers of microseconds for null. a_us is required; null elsewhere means not known. A "
    "level\n"
    "whose node has x children costs L + 2a + b (x - 1) + c (x^2 - 1) + g, and a wave C once:\n"
    "  L_us  latency of a message\n"
    "  a_us  overhead of a message, paid by its sender and by its receiver\n"
    "  b_us  time that every further child adds (null: the larger of g and a, since a parent then\n"
    "        receives one message after the other)\n"
    "  c_us  coefficient of the squared number of children\n"
    "  g_us  gap of every level, and C_us what a wave costs once (null: 0)\n"
    "bytes is the size of the messages. For processes that share hosts (--hosts), add after tan\n"
    "  \"tiers\": [{\"name\": \"host\", \"L_us\": 0.5, \"a_us\": 0.4}, {\"name\": \"rack\", ...}]\n"
    "with the parameters of messages within a host, and, for --racks, within a rack.\n"
    "tan-formats(5) has all keys.\n";

void template_print(FILE *to, FILE *remarks)
{
    fputs(file, to);
    fflush(to);
    fputs(meaning, remarks);
}
