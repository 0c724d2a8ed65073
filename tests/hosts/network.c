/* network.c - addresses, TCP settings and TCP counters in a host's network namespace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/hosts/network.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/hosts/switch.h"

/* What a slow network needs. A queue of seconds is nothing lost: no timer may run out before it,
 * and whoever sends does not grow slower by itself. A message goes out as a whole, whatever was
 * sent before. Nothing but COMMAND uses the uplinks. */
static const struct setting {
    const char *name, *value;
} settings[] = {
    {"ipv4/tcp_congestion_control", "reno"},    {"ipv4/tcp_early_retrans", "0"},
    {"ipv4/tcp_slow_start_after_idle", "0"},    {"ipv4/tcp_no_metrics_save", "1"},
    {"ipv4/tcp_rmem", "4096 4194304 33554432"}, {"ipv6/conf/all/disable_ipv6", "1"},
    {"ipv6/conf/default/disable_ipv6", "1"},
};
#define ROUTE_SETTINGS "rto_min 20s initcwnd 10000 initrwnd 10000"

static void change_settings(void)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "/proc/sys/net/%s", settings[i].name);
        const int fd = open(path, O_WRONLY | O_CLOEXEC);
        const size_t length = strlen(settings[i].value);
        /* A kernel without IPv6 has no such file. */
        if ((fd < 0 || write(fd, settings[i].value, length) != (ssize_t)length) &&
            strncmp(settings[i].name, "ipv6", 4) != 0) {
            fprintf(stderr, "hosts: %s cannot be set\n", path);
        }
        close(fd);
    }
}

/* The last number of an address. */
static int address_of(int number)
{
    return number > 0 ? number : 254;
}

/* Permanent ones: nobody asks for addresses, and the kernel's table of those that were asked for,
 * one for all namespaces, does not overflow. */
static void print_neighbours(FILE *ip, const char *device, int number, int n)
{
    for (int i = 0; i <= n; i++) {
        char text[18];
        if (i != number) {
            fprintf(ip, "neigh replace " NETWORK ".%d lladdr %s nud permanent dev %s\n",
                    address_of(i), switch_address(i, text), device);
        }
    }
}

int network_configure(const char *device, int number, int n)
{
    if (n > 0) {
        change_settings();
    }
    FILE *ip = popen("ip -batch -", "w");
    if (ip == NULL) {
        return -1;
    }
    fprintf(ip,
            "link set lo up\naddr add " NETWORK ".%d/24 dev %s\n"
            "link set %s up\n",
            address_of(number), device, device);
    if (n > 0) {
        fprintf(ip,
                "route replace " NETWORK ".0/24 dev %s proto kernel scope link src " NETWORK
                ".%d " ROUTE_SETTINGS "\n",
                device, address_of(number));
        print_neighbours(ip, device, number, n);
    }
    return pclose(ip);
}

/* The next word of a line as a number. */
static long long next_number(char **rest)
{
    const char *word = strtok_r(NULL, " \n", rest);
    return word != NULL ? strtoll(word, NULL, 10) : 0;
}

/* Of two lines, "Tcp: a b" and "Tcp: 1 2", the value below `wanted`; 0 when there is none. */
static long long value_below(const char *wanted, char *names, char *values)
{
    const char *name;
    char *rest;
    next_number(&values);
    for (strtok_r(names, " \n", &rest); (name = strtok_r(NULL, " \n", &rest)) != NULL;) {
        const long long value = next_number(&values);
        if (strcmp(name, wanted) == 0) {
            return value;
        }
    }
    return 0;
}

long long network_retransmitted(const char *pid)
{
    char path[64];
    char names[1024];
    char values[1024];
    long long found = 0;
    snprintf(path, sizeof path, "/proc/%s/net/snmp", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(names, sizeof names, file) != NULL &&
           fgets(values, sizeof values, file) != NULL) {
        if (strncmp(names, "Tcp:", 4) == 0) {
            found = value_below("RetransSegs", names, values);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

/* Behind "eth0:": eight numbers of what came, then bytes, packets, errors, dropped of what went. */
long long network_dropped(const char *pid)
{
    char path[64];
    char line[512];
    long long dropped = 0;
    snprintf(path, sizeof path, "/proc/%s/net/dev", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest;
        const char *name = strtok_r(line, " :", &rest);
        for (int i = 1; name != NULL && strcmp(name, "eth0") == 0 && i <= 12; i++) {
            dropped = next_number(&rest);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return dropped;
}
