/* rack_list.c - files that assign hosts to racks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/rack_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/output.h"
#include "topo/hostlist.h"

static const char blanks[] = " \t\r";

struct reading {
    struct tan_rack_list *list;
    const char *path;
    int line;
    int32_t rack;  /* of the hosts or racks being read */
    int64_t named; /* hosts so far, including repetitions */
    struct tan_error *e;
};

/* The number of a rack, which is added if it is new; -1 on failure. */
static int32_t rack_number(struct reading *r, const char *name)
{
    const int32_t n = tan_names_count(r->list->racks);
    const int32_t number = tan_names_add(r->list->racks, name, r->e);
    if (number == n) {
        if (TAN_ONE_MORE(r->list->rack, n) < 0) {
            return tan_fail_nomem(r->e);
        }
        r->list->rack[n] = (struct tan_rack){.above = -1};
    }
    return number;
}

static int add_host(struct reading *r, const char *name)
{
    struct tan_rack_list *list = r->list;
    const int32_t n = tan_names_count(list->hosts);
    if (r->named++ == TAN_HOSTLIST_MOST) {
        return tan_fail_at(r->e, r->path, r->line, 0, TAN_HOSTLIST_TOO_MANY);
    }
    const int32_t number = tan_names_add(list->hosts, name, r->e);
    if (number == n) {
        if (TAN_ONE_MORE(list->host, n) < 0) {
            return tan_fail_nomem(r->e);
        }
        list->host[n] = (struct tan_racked_host){r->rack, r->line};
    } else if (number >= 0 && list->host[number].rack != r->rack) {
        const char *const *racks = tan_names_list(list->racks);
        return tan_fail_at(r->e, r->path, r->line, 0,
                           "\"%s\" is in rack \"%s\" here and in \"%s\" on line %d", name,
                           racks[r->rack], racks[list->host[number].rack], list->host[number].line);
    }
    return number < 0 ? -1 : 0;
}

/* Put a switch below r->rack. */
static int add_below(struct reading *r, const char *name)
{
    const int32_t number = rack_number(r, name);
    if (number < 0) {
        return -1;
    }
    struct tan_rack *rack = &r->list->rack[number];
    if (rack->above >= 0 && rack->above != r->rack) {
        const char *const *racks = tan_names_list(r->list->racks);
        return tan_fail_at(r->e, r->path, r->line, 0,
                           "\"%.80s\" is below \"%.80s\" here and below \"%.80s\" on line %d", name,
                           racks[r->rack], racks[rack->above], rack->above_line);
    }
    rack->above = r->rack;
    rack->above_line = r->line;
    return 0;
}

/* Add each of a list of hosts or switches to a rack. */
static int add_list(struct reading *r, const char *rack, const char *list,
                    int (*add)(struct reading *, const char *))
{
    struct tan_error why = TAN_ERROR_INIT;
    struct tan_hostlist names = {.n = 0};
    if (tan_hostlist_expand(list, &names, &why) < 0) {
        return tan_fail_at(r->e, r->path, r->line, 0,
                           "\"%.80s\" is not a list of hosts, such as h1,h[4-7,9]: %s", list,
                           why.text);
    }
    r->rack = rack_number(r, rack);
    int result = r->rack < 0 ? -1 : 0;
    for (size_t i = 0; i < names.n && result == 0; i++) {
        result = add(r, names.names[i]);
    }
    tan_hostlist_clear(&names);
    return result;
}

/* Lines */

static int fail_line(const struct reading *r)
{
    return tan_fail_at(r->e, r->path, r->line, 0,
                       "a line must be HOST RACK, or SwitchName=RACK Nodes=HOSTS or BlockName=RACK "
                       "Nodes=HOSTS as in Slurm's topology.conf");
}

/* Keys of topology.conf. */
enum { RACK_KEY, NODES, SWITCHES, UNUSED, KEYS };

static const struct {
    const char *name;
    int place;
} keys[] = {{"SwitchName", RACK_KEY}, {"BlockName", RACK_KEY},
            {"Nodes", NODES},         {"Switches", SWITCHES},
            {"LinkSpeed", UNUSED},    {"Level", UNUSED},
            {"BlockSizes", UNUSED},   {"BlockIndex", UNUSED},
            {"BlockSize", UNUSED},    {NULL, UNUSED}};

/* Each switch or block may have only one line. */
static int define_rack(struct reading *r, const char *name)
{
    const int32_t number = rack_number(r, name);
    if (number < 0) {
        return -1;
    }
    int *line = &r->list->rack[number].line;
    if (*line > 0) {
        return tan_fail_at(r->e, r->path, r->line, 0, "\"%.80s\" is already defined on line %d",
                           name, *line);
    }
    *line = r->line;
    return 0;
}

/* Parse KEY=VALUE or KEY="VALUE" at *line, NUL-terminate both and advance. */
static int cut_value(const struct reading *r, char **line, char **key, char **value)
{
    char *const key_end = *line + strcspn(*line, "= \t\r");
    char *const sign = key_end + strspn(key_end, blanks);
    char *at = *sign == '=' ? sign + 1 + strspn(sign + 1, blanks) : sign;
    const bool quoted = *at == '"';
    char *const end = quoted ? strchr(++at, '"') : at + strcspn(at, blanks);
    if (end == NULL) {
        return tan_fail_at(r->e, r->path, r->line, 0, "this line has a quote that is never closed");
    }
    if (*sign != '=' || end == at || key_end == *line) {
        return fail_line(r);
    }
    *key = *line;
    *value = at;
    *line = *end == '\0' ? end : end + 1;
    *key_end = '\0';
    *end = '\0';
    return 0;
}

static int read_switch(struct reading *r, char *line)
{
    char *given[KEYS] = {NULL};
    bool sizes_only = true;
    while (line += strspn(line, blanks), *line != '\0') {
        char *key = NULL, *value = NULL;
        if (cut_value(r, &line, &key, &value) < 0) {
            return -1;
        }
        int i = 0;
        while (keys[i].name != NULL && strcasecmp(key, keys[i].name) != 0) {
            i++;
        }
        if (keys[i].name == NULL) {
            return tan_fail_at(r->e, r->path, r->line, 0,
                               "\"%.80s\" is not known here: of Slurm's topology.conf, lines with "
                               "SwitchName or BlockName, Nodes, Switches and LinkSpeed are read",
                               key);
        }
        given[keys[i].place] = value;
        sizes_only = sizes_only && strcasecmp(key, "BlockSizes") == 0;
    }
    if (sizes_only) {
        return 0;
    }
    if (given[RACK_KEY] == NULL || (given[NODES] == NULL && given[SWITCHES] == NULL)) {
        return fail_line(r);
    }
    if (define_rack(r, given[RACK_KEY]) < 0) {
        return -1;
    }
    return given[SWITCHES] != NULL ? add_list(r, given[RACK_KEY], given[SWITCHES], add_below)
                                   : add_list(r, given[RACK_KEY], given[NODES], add_host);
}

static char *next_word(char **line)
{
    char *const word = *line + strspn(*line, blanks);
    char *const end = word + strcspn(word, blanks);
    *line = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

/* Slurm's topology.yaml starts with "---", a key and its colon, or a list item's hyphen. */
static bool is_yaml(const char *word)
{
    const size_t length = strlen(word);
    return strcmp(word, "---") == 0 || strcmp(word, "-") == 0 ||
           (length > 1 && word[length - 1] == ':');
}

static int read_line(struct reading *r, char *line)
{
    if (strchr(line, '=') != NULL) {
        return read_switch(r, line);
    }
    char *const hosts = next_word(&line);
    const char *const rack = next_word(&line);
    if (hosts[0] == '\0') {
        return 0;
    }
    if (is_yaml(hosts)) {
        return tan_fail_at(r->e, r->path, r->line, 0,
                           "this looks like Slurm's topology.yaml, which is not read here: write "
                           "topology.conf, or lines HOST RACK");
    }
    if (strcasecmp(hosts, "include") == 0) {
        return tan_fail_at(r->e, r->path, r->line, 0,
                           "files that topology.conf includes are not read: put their lines here");
    }
    return rack[0] == '\0' || next_word(&line)[0] != '\0' ? fail_line(r)
                                                          : add_list(r, rack, hosts, add_host);
}

/* The next line of *text, without comment and joined with its continuation lines; advances *text.
 * *lines is the number of lines joined. NULL at the end. */
static char *next_line(char **text, int *lines)
{
    char *const line = *text;
    char *to = line;
    bool goes_on = line != NULL;
    for (*lines = 0; goes_on && *text != NULL; (*lines)++) {
        char *const part = strsep(text, "\n");
        size_t length = strcspn(part, "#");
        goes_on = part[length] == '\0';
        while (length > 0 && strchr(blanks, part[length - 1]) != NULL) {
            length--;
        }
        goes_on = goes_on && length > 0 && part[length - 1] == '\\';
        length -= goes_on;
        memmove(to, part, length);
        to += length;
    }
    if (to != NULL) {
        *to = '\0';
    }
    return line;
}

/* Each switch is a level above the highest below it. */
static int find_levels(struct reading *r)
{
    struct tan_rack *rack = r->list->rack;
    const int32_t n = tan_names_count(r->list->racks);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < n; i++) {
            const int32_t above = rack[i].above;
            if (above >= 0 && rack[above].level <= rack[i].level) {
                rack[above].level = rack[i].level + 1;
                changed = true;
            }
            if (rack[i].level >= n) {
                return tan_fail_at(r->e, r->path, rack[i].above_line, 0,
                                   "\"%.80s\" is above itself", tan_names_list(r->list->racks)[i]);
            }
        }
    }
    return 0;
}

int tan_rack_list_read(const char *path, struct tan_rack_list *out, struct tan_error *e)
{
    struct reading r = {.list = out, .path = tan_input_name(path), .line = 1, .e = e};
    char *text = tan_read_text(path, NULL, e);
    char *rest = text;
    *out = (struct tan_rack_list){.hosts = tan_names_create(e), .racks = tan_names_create(e)};
    int result = text == NULL || out->hosts == NULL || out->racks == NULL ? -1 : 0;
    int lines;
    for (char *line; result == 0 && (line = next_line(&rest, &lines)) != NULL; r.line += lines) {
        result = read_line(&r, line);
    }
    if (result == 0 && tan_names_count(out->hosts) == 0) {
        result = tan_fail_at(e, r.path, 0, 0, "it assigns no host to a rack");
    }
    result = result < 0 ? -1 : find_levels(&r);
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
    free(list->rack);
    *list = (struct tan_rack_list){.hosts = NULL};
}

/* Set the racks of a level, given as their numbers in the list, to 0, 1, ... in the order of the
 * hosts. `number`: an entry for each rack of the list. Returns how many there are. */
static int32_t number_racks(int32_t *rack, int32_t n, int32_t *number, int32_t racks)
{
    int32_t used = 0;
    for (int32_t i = 0; i < racks; i++) {
        number[i] = -1;
    }
    for (int32_t h = 0; h < n; h++) {
        if (rack[h] >= 0 && number[rack[h]] < 0) {
            number[rack[h]] = used++;
        }
        rack[h] = rack[h] >= 0 ? number[rack[h]] : -1;
    }
    return used;
}

/* The highest rack at most `level` levels up from `rack`. */
static int32_t rack_at(const struct tan_rack_list *list, int32_t rack, int level)
{
    while (list->rack[rack].above >= 0 && list->rack[list->rack[rack].above].level <= level) {
        rack = list->rack[rack].above;
    }
    return rack;
}

static int assign_racks(const struct tan_rack_list *list, const char *path,
                        const char *const *hosts, int32_t n, struct tan_racks *out,
                        struct tan_error *e)
{
    const int32_t racks = tan_names_count(list->racks);
    int levels = 1;
    for (int32_t i = 0; i < racks; i++) {
        levels = list->rack[i].level >= levels ? list->rack[i].level + 1 : levels;
    }
    levels = levels < TAN_RACK_LEVELS ? levels : TAN_RACK_LEVELS;
    int32_t *space = calloc((size_t)levels * (size_t)n + (size_t)racks, sizeof *space);
    if (space == NULL) {
        return tan_fail_nomem(e);
    }
    int result = 0;
    for (int level = 0; level < levels; level++) {
        out->rack[level] = space + (size_t)level * (size_t)n;
    }
    for (int32_t h = 0; h < n && result == 0; h++) {
        const int32_t rack = hosts[h] == NULL ? -1 : tan_rack_list_find(list, hosts[h]);
        for (int level = 0; level < levels; level++) {
            out->rack[level][h] = rack < 0 ? -1 : rack_at(list, rack, level);
        }
        if (rack < 0 && hosts[h] != NULL) {
            result = tan_fail_at(e, tan_input_name(path), 0, 0, "it puts \"%.200s\" into no rack",
                                 hosts[h]);
        }
    }
    for (int level = levels - 1; level >= 0 && result == 0; level--) {
        out->n = number_racks(out->rack[level], n, space + (size_t)levels * (size_t)n, racks);
    }
    return result;
}

int tan_racks_read(const char *path, const char *const *hosts, int32_t n, struct tan_racks *out,
                   struct tan_error *e)
{
    struct tan_rack_list list;
    *out = (struct tan_racks){.n = 0};
    if (tan_rack_list_read(path, &list, e) < 0) {
        return -1;
    }
    const int result = assign_racks(&list, path, hosts, n, out, e);
    tan_rack_list_clear(&list);
    if (result < 0) {
        free(out->rack[0]);
        *out = (struct tan_racks){.n = 0};
    }
    return result;
}
