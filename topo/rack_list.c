/* rack_list.c - file that says which rack each host is in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/rack_list.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/output.h"

static const char blanks[] = " \t\r";

struct reading {
    struct tan_rack_list *list;
    const char *path;
    int line;
    int32_t rack;  /* of the hosts that are read */
    int64_t named; /* hosts so far, also those that are named again */
    const char *pattern;
    char name[256]; /* of the host that the pattern is expanded to */
    struct tan_error *e;
};

static int add_host(struct reading *r)
{
    struct tan_rack_list *list = r->list;
    const int32_t n = tan_names_count(list->hosts);
    if (r->named++ == TAN_RACK_LIST_HOSTS) {
        return tan_fail_at(r->e, r->path, r->line, 0, "it names more than %d hosts",
                           TAN_RACK_LIST_HOSTS);
    }
    if ((n & (n - 1)) == 0) { /* full: room is the next power of two */
        const size_t room = n == 0 ? 1 : 2 * (size_t)n;
        struct tan_racked_host *more = reallocarray(list->host, room, sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(r->e);
        }
        list->host = more;
    }
    const int32_t number = tan_names_add(list->hosts, r->name, r->e);
    if (number == n) {
        list->host[n] = (struct tan_racked_host){r->rack, r->line};
    } else if (number >= 0 && list->host[number].rack != r->rack) {
        const char *const *racks = tan_names_list(list->racks);
        return tan_fail_at(r->e, r->path, r->line, 0,
                           "\"%s\" is in rack \"%s\" here and in \"%s\" on line %d", r->name,
                           racks[r->rack], racks[list->host[number].rack], list->host[number].line);
    }
    return number < 0 ? -1 : 0;
}

/* Host lists */

static int fail_list(const struct reading *r)
{
    return tan_fail_at(r->e, r->path, r->line, 0,
                       "\"%s\" is no list of hosts, such as h1,h[4-7,9]: brackets hold whole "
                       "numbers and ranges, and names have at most %zu characters",
                       r->pattern, sizeof r->name - 1);
}

/* The digits at *at, which moves behind them, or behind the first of too many; -1: none. */
static int64_t read_number(const char **at)
{
    const char *const first = *at;
    int64_t value = 0;
    while (isdigit((unsigned char)**at) && value < INT32_MAX) {
        value = 10 * value + (*(*at)++ - '0');
    }
    return *at == first ? -1 : value;
}

/* All hosts of a pattern such as r[0-1]n[01-16], of whose names `length` characters are there.
 * Numbers are as wide as the first of their range. */
static int expand(struct reading *r, size_t length, const char *pattern)
{
    const size_t plain = strcspn(pattern, "[]");
    const char *at = pattern + plain;
    const char *const close = strchr(at, ']');
    if (length + plain >= sizeof r->name || *at == ']' || (*at == '[' && close == NULL)) {
        return fail_list(r);
    }
    memcpy(r->name + length, pattern, plain);
    length += plain;
    if (*at == '\0') {
        r->name[length] = '\0';
        return add_host(r);
    }
    while (at < close) {
        const char *const first = ++at;
        const int64_t low = read_number(&at);
        const int width = (int)(at - first);
        int64_t high = low;
        if (*at == '-') {
            at++;
            high = read_number(&at);
        }
        if (low < 0 || high < low || (*at != ',' && *at != ']')) {
            return fail_list(r);
        }
        for (int64_t number = low; number <= high; number++) {
            const int digits =
                snprintf(r->name + length, sizeof r->name - length, "%0*" PRId64, width, number);
            if (expand(r, length + (size_t)digits, close + 1) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* The first of a list with commas, but for those in brackets, is cut off. */
static const char *next_pattern(char **list)
{
    char *const pattern = *list;
    char *end = pattern;
    bool inside = false;
    while (*end != '\0' && (*end != ',' || inside)) {
        inside = *end == '[' || (inside && *end != ']');
        end++;
    }
    *list = *end == '\0' ? NULL : end + 1;
    *end = '\0';
    return pattern;
}

static int add_hosts(struct reading *r, const char *rack, char *list)
{
    r->rack = tan_names_add(r->list->racks, rack, r->e);
    int result = r->rack < 0 ? -1 : 0;
    while (list != NULL && result == 0) {
        r->pattern = next_pattern(&list);
        result = r->pattern[0] == '\0' ? 0 : expand(r, 0, r->pattern);
    }
    return result;
}

/* Lines */

static int fail_line(const struct reading *r)
{
    return tan_fail_at(r->e, r->path, r->line, 0,
                       "a line must be HOST RACK, or SwitchName=RACK Nodes=HOSTS as in Slurm's "
                       "topology.conf");
}

static int read_switch(struct reading *r, char *line)
{
    char *rack = NULL;
    char *nodes = NULL;
    char *switches = NULL;
    const struct {
        const char *name;
        char **value;
    } keys[] = {{"SwitchName", &rack}, {"Nodes", &nodes}, {"Switches", &switches}};
    while (line += strspn(line, blanks), *line != '\0') {
        char *const key_end = line + strcspn(line, "= \t\r");
        char *const sign = key_end + strspn(key_end, blanks);
        char *const value = *sign == '=' ? sign + 1 + strspn(sign + 1, blanks) : sign;
        char *const end = value + strcspn(value, blanks);
        if (*sign != '=' || end == value) {
            return fail_line(r);
        }
        char *const next = *end == '\0' ? end : end + 1;
        *key_end = '\0';
        *end = '\0';
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            if (strcasecmp(line, keys[i].name) == 0) {
                *keys[i].value = value;
            }
        }
        line = next;
    }
    if (rack == NULL || (nodes == NULL && switches == NULL)) {
        return fail_line(r);
    }
    return switches != NULL ? 0 : add_hosts(r, rack, nodes);
}

static char *next_word(char **line)
{
    char *const word = *line + strspn(*line, blanks);
    char *const end = word + strcspn(word, blanks);
    *line = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

static int read_line(struct reading *r, char *line)
{
    line[strcspn(line, "#")] = '\0';
    if (strchr(line, '=') != NULL) {
        return read_switch(r, line);
    }
    char *const hosts = next_word(&line);
    const char *const rack = next_word(&line);
    if (hosts[0] == '\0') {
        return 0;
    }
    return rack[0] == '\0' || next_word(&line)[0] != '\0' ? fail_line(r)
                                                          : add_hosts(r, rack, hosts);
}

int tan_rack_list_read(const char *path, struct tan_rack_list *out, struct tan_error *e)
{
    struct reading r = {.list = out, .path = path, .e = e};
    char *text = tan_read_file(path, NULL, e);
    char *rest = text;
    *out = (struct tan_rack_list){.hosts = tan_names_create(e), .racks = tan_names_create(e)};
    int result = text == NULL || out->hosts == NULL || out->racks == NULL ? -1 : 0;
    for (char *line; result == 0 && (line = strsep(&rest, "\n")) != NULL;) {
        r.line++;
        result = read_line(&r, line);
    }
    if (result == 0 && tan_names_count(out->hosts) == 0) {
        result = tan_fail_at(e, path, 0, 0, "it puts no host into a rack");
    }
    free(text);
    if (result < 0) {
        tan_rack_list_clear(out);
    }
    return result;
}

int32_t tan_rack_list_find(const struct tan_rack_list *list, const char *host)
{
    const int32_t number = tan_names_find(list->hosts, host);
    return number < 0 ? -1 : list->host[number].rack;
}

void tan_rack_list_clear(struct tan_rack_list *list)
{
    tan_names_destroy(list->hosts);
    tan_names_destroy(list->racks);
    free(list->host);
    *list = (struct tan_rack_list){.hosts = NULL};
}
