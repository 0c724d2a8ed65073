/* hostfile.c - hosts as launchers accept them: files, lists and rankfiles
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/hostfile.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/output.h"
#include "base/text.h"
#include "topo/names.h"
#include "topo/tree.h"

static const char blanks[] = " \t\r\v\f";

enum { MOST_SLOTS = 1 << 20 };

struct reader {
    struct tan_hostfile *list;
    const char *source;
    int line;
    size_t first;   /* index of this line's first host */
    int words;      /* words on this line that name hosts */
    bool has_slots; /* this line gives a count */
    size_t ranks;   /* rankfile lines so far */
    size_t *rank;   /* the rank of each */
    struct tan_names *left_out;
    struct tan_error *e;
};

static int fail_word(const struct reader *r, const char *word, const char *why)
{
    return tan_fail_at(r->e, r->source, r->line, 0, "\"%.80s\" %s", word, why);
}

static int add_host(struct reader *r, const char *name, int32_t slots)
{
    struct tan_hostfile *list = r->list;
    if (list->n == TAN_HOSTLIST_MOST) {
        return tan_fail_at(r->e, r->source, r->line, 0, TAN_HOSTLIST_TOO_MANY);
    }
    if (strlen(name) > TAN_HOSTLIST_NAME) {
        return fail_word(r, name, "is longer than a name can be, 255 characters");
    }
    if (TAN_ONE_MORE(list->hosts, list->n) < 0) {
        return tan_fail_nomem(r->e);
    }
    list->hosts[list->n++] =
        (struct tan_listed_host){.name = name, .line = r->line, .slots = slots};
    return 0;
}

/* A process count, at least 1; -1 if `text` is not one. */
static int32_t read_count(const char *text)
{
    char *end = NULL;
    const long count = isdigit((unsigned char)text[0]) ? strtol(text, &end, 10) : 0;
    return count >= 1 && count <= MOST_SLOTS && *end == '\0' ? (int32_t)count : -1;
}

/* Names */

/* An IPv6 address, whose colons do not separate counts. */
static bool is_address(const char *word)
{
    struct in6_addr address;
    return inet_pton(AF_INET6, word, &address) == 1;
}

/* Cut off ":4"; returns 0 if there is none. */
static int cut_count(const struct reader *r, char *word, int32_t *slots)
{
    char *colon = is_address(word) ? NULL : strchr(word, ':');
    *slots = 0;
    if (colon == NULL) {
        return 0;
    }
    if (colon == word) {
        return fail_word(r, word, "has no host name before its colon");
    }
    if (strchr(colon + 1, ':') != NULL) {
        return fail_word(r, word,
                         "has more than one colon, as only IPv6 addresses have, which need no "
                         "brackets: 2001:db8::1, or 2001:db8::1 slots=4 for 4 processes");
    }
    *slots = read_count(colon + 1);
    if (*slots < 0) {
        return fail_word(r, word,
                         "has no whole number from 1 to 1048576 after its colon: c1:4 is for 4 "
                         "processes on c1");
    }
    *colon = '\0';
    return 0;
}

static int check_name(const struct reader *r, const char *word)
{
    if (is_address(word)) {
        return 0;
    }
    if (word[0] == '+') {
        return fail_word(r, word,
                         "is relative to an allocation, which is not known here: name "
                         "the host");
    }
    for (const char *at = word; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && strchr("-._[],", *at) == NULL) {
            return fail_word(
                r, word,
                "is not a host: hosts are c1, c[01-08,12]-ib, user@c1 or ^c9 (left out), "
                "with c1:4 or slots=4 for 4 processes; rankfiles have lines "
                "\"rank 0=c1 slot=0\"");
        }
    }
    return word[0] != '-' ? 0 : fail_word(r, word, "begins with a hyphen, as no host does");
}

/* Expand a word with brackets. */
static int expand_word(struct reader *r, const char *word, struct tan_hostlist *names)
{
    struct tan_error why = TAN_ERROR_INIT;
    if (tan_hostlist_expand(word, names, &why) < 0) {
        return tan_fail_at(r->e, r->source, r->line, 0, "\"%.80s\": %s", word, why.text);
    }
    return 0;
}

static int add_range(struct reader *r, const char *word, int32_t slots)
{
    struct tan_hostfile *list = r->list;
    if (TAN_ONE_MORE(list->expanded, list->n_expanded) < 0) {
        return tan_fail_nomem(r->e);
    }
    struct tan_hostlist *names = &list->expanded[list->n_expanded++];
    int result = expand_word(r, word, names);
    for (size_t i = 0; i < names->n && result == 0; i++) {
        result = add_host(r, names->names[i], slots);
    }
    return result;
}

static int leave_out(struct reader *r, const char *word)
{
    struct tan_hostlist names = {.n = 0};
    int result = expand_word(r, word, &names);
    for (size_t i = 0; i < names.n && result == 0; i++) {
        result = tan_names_add(r->left_out, names.names[i], r->e) < 0 ? -1 : 0;
    }
    if (result == 0 && tan_names_count(r->left_out) > TAN_HOSTLIST_MOST) {
        result = tan_fail_at(r->e, r->source, r->line, 0, TAN_HOSTLIST_TOO_MANY);
    }
    tan_hostlist_clear(&names);
    return result;
}

static int read_host(struct reader *r, char *word)
{
    const bool out = word[0] == '^';
    char *at = strchr(word, '@');
    char *name = at != NULL ? at + 1 : word + out;
    int32_t slots;
    if (at == word + out) {
        return fail_word(r, word, "names a group, which is not known here: write its hosts");
    }
    if (cut_count(r, name, &slots) < 0 || check_name(r, name) < 0) {
        return -1;
    }
    if (name[0] == '\0') {
        return fail_word(r, word, "has no host name");
    }
    if (out) {
        return leave_out(r, name);
    }
    if (r->words > 0 && name[strspn(name, "0123456789")] == '\0' &&
        !isdigit((unsigned char)r->list->hosts[r->first].name[0])) {
        return fail_word(r, name, "is a number after a host: c1:4 or slots=4 is for 4 processes");
    }
    r->words++;
    r->has_slots = r->has_slots || slots > 0;
    return strchr(name, '[') != NULL || strchr(name, ']') != NULL ? add_range(r, name, slots)
                                                                  : add_host(r, name, slots);
}

/* Hosts separated by commas outside brackets. */
static int read_hosts(struct reader *r, char *word)
{
    int result = 0;
    while (word != NULL && result == 0) {
        char *end = word;
        for (bool inside = false; *end != '\0' && (*end != ',' || inside); end++) {
            inside = *end == '[' || (inside && *end != ']');
        }
        char *next = *end == '\0' ? NULL : end + 1;
        *end = '\0';
        result = word[0] == '\0' ? 0 : read_host(r, word);
        word = next;
    }
    return result;
}

/* Settings */

/* Spelled as launchers do; "-" may replace "_". */
static const struct {
    const char *key;
    bool is_slots;
} settings[] = {
    {"slots", true},      {"count", true},    {"cpu", true},       {"max_slots", false},
    {"slots_max", false}, {"user", false},    {"username", false}, {"user_name", false},
    {"port", false},      {"binding", false}, {"ifname", false},
};

static bool is_key(const char *word, const char *key)
{
    size_t i = 0;
    while (key[i] != '\0' &&
           (tolower((unsigned char)word[i]) == key[i] || (word[i] == '-' && key[i] == '_'))) {
        i++;
    }
    return key[i] == '\0' && word[i] == '=';
}

static int read_slots(struct reader *r, const char *word)
{
    const int32_t slots = read_count(strchr(word, '=') + 1);
    if (slots < 0) {
        return fail_word(r, word, "has no whole number from 1 to 1048576");
    }
    if (r->has_slots) {
        return fail_word(r, word, "sets the number of processes of a host a second time");
    }
    r->has_slots = true;
    for (size_t i = r->first; i < r->list->n; i++) {
        r->list->hosts[i].slots = slots;
    }
    return 0;
}

static int read_setting(struct reader *r, const char *word)
{
    const size_t n = sizeof settings / sizeof settings[0];
    size_t i = 0;
    while (i < n && !is_key(word, settings[i].key)) {
        i++;
    }
    if (i == n) {
        return fail_word(r, word,
                         "is not known here: a host may be followed by slots=4, and by max_slots=, "
                         "user=, port=, binding= and ifname=, which are ignored");
    }
    if (r->words != 1) {
        return fail_word(r, word, "must follow one host or one c[1-8], on a separate line");
    }
    return settings[i].is_slots ? read_slots(r, word) : 0;
}

/* Lines */

#define RANK_LINES                                                                                 \
    "\"rank 0=c1 slot=0\", or \"0: c1\" or \"[0] c1\" as launchers label what ranks print"

#define NO_OTHERS "lines with a rank allow no others beside them: each is " RANK_LINES

static bool is_blank(char c)
{
    return c != '\0' && strchr(blanks, c) != NULL;
}

/* The line past its rank: "rank 0=" of rankfiles, "0: " of srun --label, "[0] " of mpiexec
 * -prepend-rank; NULL without one. */
static char *cut_rank(char *line, unsigned long *rank)
{
    static const char *const before[] = {"rank", "", "["};
    static const char after[] = "=:]";
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        const size_t length = strlen(before[i]);
        if (strncasecmp(line, before[i], length) != 0 || (i == 0 && !is_blank(line[length]))) {
            continue;
        }
        char *at = line + length + strspn(line + length, blanks);
        const size_t digits = strspn(at, "0123456789");
        if (digits > 0 && digits <= 8 && at[digits] == after[i] &&
            (i == 0 || is_blank(at[digits + 1]))) {
            *rank = strtoul(at, NULL, 10);
            return at + digits + 1;
        }
    }
    return NULL;
}

/* What follows a rank: a host, and in rankfiles its slots. */
static int read_rank(struct reader *r, unsigned long rank, char *line)
{
    char *rest = line + strspn(line, blanks);
    char *host = strsep(&rest, blanks);
    for (char *word; (word = strsep(&rest, blanks)) != NULL;) {
        if (word[0] != '\0' && strncasecmp(word, "slot=", strlen("slot=")) != 0 &&
            strncasecmp(word, "slots=", strlen("slots=")) != 0) {
            return fail_word(r, word, "is not known in a line with a rank, which is " RANK_LINES);
        }
    }
    if (r->ranks != r->list->n) {
        return tan_fail_at(r->e, r->source, r->line, 0, NO_OTHERS);
    }
    if (read_host(r, host) < 0) {
        return -1;
    }
    if (r->list->n != r->ranks + 1) {
        return fail_word(r, host, "must be one host");
    }
    if (TAN_ONE_MORE(r->rank, r->ranks) < 0) {
        return tan_fail_nomem(r->e);
    }
    r->rank[r->ranks++] = rank;
    return 0;
}

/* Remove blanks around "=". */
static void join_settings(char *line)
{
    char *to = line;
    for (const char *from = line; *from != '\0'; from++) {
        const size_t gap = strspn(from, blanks);
        if (gap > 0 && (from[gap] == '=' || (to > line && to[-1] == '='))) {
            from += gap - 1;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static int read_line(struct reader *r, char *line)
{
    int result = 0;
    line[strcspn(line, "#")] = '\0';
    join_settings(line);
    line += strspn(line, blanks);
    r->first = r->list->n;
    r->words = 0;
    r->has_slots = false;
    unsigned long rank;
    char *ranked = cut_rank(line, &rank);
    if (ranked != NULL) {
        return read_rank(r, rank, ranked);
    }
    for (char *word; result == 0 && (word = strsep(&line, blanks)) != NULL;) {
        if (strcasecmp(word, "rank") == 0 && r->words == 0) {
            return tan_fail_at(r->e, r->source, r->line, 0, "a line with a rank is " RANK_LINES);
        }
        result = word[0] == '\0'             ? 0
                 : strchr(word, '=') != NULL ? read_setting(r, word)
                                             : read_hosts(r, word);
    }
    return result == 0 && r->ranks > 0 && r->list->n > r->ranks
               ? tan_fail_at(r->e, r->source, r->line, 0, NO_OTHERS)
               : result;
}

/* Sort a rankfile's hosts by rank. */
static int sort_ranks(struct reader *r)
{
    const size_t n = r->ranks;
    struct tan_listed_host *sorted = calloc(n, sizeof *sorted);
    if (sorted == NULL) {
        return tan_fail_nomem(r->e);
    }
    int result = 0;
    for (size_t i = 0; i < n && result == 0; i++) {
        const struct tan_listed_host *host = &r->list->hosts[i];
        if (r->rank[i] >= n || sorted[r->rank[i]].name != NULL) {
            result = tan_fail_at(r->e, r->source, host->line, 0,
                                 r->rank[i] >= n ? "rank %zu of a file of %zu: each rank from 0 on "
                                                   "needs a line"
                                                 : "rank %zu is named twice (%zu lines)",
                                 r->rank[i], n);
        } else {
            sorted[r->rank[i]] = *host;
        }
    }
    if (result == 0) {
        memcpy(r->list->hosts, sorted, n * sizeof *sorted);
    }
    free(sorted);
    return result;
}

static void drop_left_out(struct reader *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->list->n; i++) {
        if (tan_names_find(r->left_out, r->list->hosts[i].name) < 0) {
            r->list->hosts[n++] = r->list->hosts[i];
        }
    }
    r->list->n = n;
}

/* The first host that is named with its domain and without it. */
static int note_two_names(struct reader *r)
{
    struct tan_hostfile *list = r->list;
    struct tan_names *names = tan_names_create(r->e);
    int result = names == NULL ? -1 : 0;
    for (size_t i = 0; i < list->n && result == 0; i++) {
        result = tan_names_add(names, list->hosts[i].name, r->e) < 0 ? -1 : 0;
    }
    for (size_t i = 0; i < list->n && result == 0 && list->note == NULL; i++) {
        const char *name = list->hosts[i].name;
        const struct tan_text bare = tan_printed("%.*s", (int)strcspn(name, "."), name);
        if (strchr(name, '.') != NULL && tan_names_find(names, bare.text) >= 0 &&
            asprintf(&list->note,
                     "%.80s and %.80s are taken for two hosts: name a host in one way only",
                     bare.text, name) < 0) {
            list->note = NULL;
            result = tan_fail_nomem(r->e);
        }
    }
    tan_names_destroy(names);
    return result;
}

static int read_lines(struct reader *r)
{
    char *rest = r->list->text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        r->line++;
        if (read_line(r, line) < 0) {
            return -1;
        }
    }
    if (r->ranks > 0 && sort_ranks(r) < 0) {
        return -1;
    }
    if (tan_names_count(r->left_out) > 0) {
        drop_left_out(r);
    }
    return r->list->n > 0 ? note_two_names(r)
                          : tan_fail_at(r->e, r->source, 0, 0, "it names no host");
}

/* out->text is set already. */
static int read_list(const char *source, struct tan_hostfile *out, struct tan_error *e)
{
    struct reader r = {.list = out, .source = source, .e = e, .left_out = tan_names_create(e)};
    const int result = r.left_out == NULL ? -1 : read_lines(&r);
    tan_names_destroy(r.left_out);
    free(r.rank);
    if (result < 0) {
        tan_hostfile_clear(out);
    }
    return result;
}

int tan_hostfile_read(const char *path, struct tan_hostfile *out, struct tan_error *e)
{
    *out = (struct tan_hostfile){.text = tan_read_text(path, NULL, e)};
    const char *source = tan_input_name(path);
    return out->text == NULL ? -1 : read_list(source, out, e);
}

int tan_hostfile_parse(const char *text, const char *source, struct tan_hostfile *out,
                       struct tan_error *e)
{
    *out = (struct tan_hostfile){.text = strdup(text)};
    return out->text == NULL ? tan_fail_nomem(e) : read_list(source, out, e);
}

/* Whether it is a list of hosts instead of the name of a file, which a list could also be. */
static bool is_list(const char *given)
{
    return strpbrk(given, "[,: ") != NULL && access(given, F_OK) < 0;
}

const char *tan_hostfile_source(const char *given, const char *option)
{
    return is_list(given) ? option : tan_input_name(given);
}

int tan_hostfile_given(const char *given, const char *option, struct tan_hostfile *out,
                       struct tan_error *e)
{
    return is_list(given) ? tan_hostfile_parse(given, option, out, e)
                          : tan_hostfile_read(given, out, e);
}

int tan_hostfile_once(struct tan_hostfile *list, const char *source, struct tan_error *e)
{
    const size_t mentions = list->n;
    struct tan_names *names = tan_names_create(e);      /* numbered like list->hosts */
    int32_t *silent = calloc(mentions, sizeof *silent); /* of each host: those without slots */
    int result = names == NULL || silent == NULL ? tan_fail_nomem(e) : 0;
    list->n = 0;
    for (size_t i = 0; i < mentions && result == 0; i++) {
        const struct tan_listed_host mention = list->hosts[i];
        const int32_t number = tan_names_add(names, mention.name, e);
        if (number < 0) {
            result = -1;
            break;
        }
        struct tan_listed_host *host = &list->hosts[number];
        if ((size_t)number == list->n) {
            list->n++;
            *host = mention;
        } else if (host->slots + mention.slots > MOST_SLOTS) {
            result = tan_fail_at(e, source, mention.line, 0, "\"%s\" has more than %d slots",
                                 mention.name, MOST_SLOTS);
        } else {
            host->slots += mention.slots;
        }
        silent[number] += mention.slots == 0;
    }
    for (size_t h = 0; h < list->n && list->n < mentions && result == 0; h++) {
        list->hosts[h].slots += silent[h];
    }
    tan_names_destroy(names);
    free(silent);
    return result;
}

int tan_hostfile_by_slot(struct tan_hostfile *list, const char *source, struct tan_error *e)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        n += list->hosts[i].slots > 1 ? (size_t)list->hosts[i].slots : 1;
        if (n > TAN_TREE_MAX_NODES) {
            return tan_fail_at(e, source, list->hosts[i].line, 0,
                               "with these slots there are more than %" PRId32 " processes",
                               TAN_TREE_MAX_NODES);
        }
    }
    struct tan_listed_host *hosts = calloc(n + 1, sizeof *hosts);
    if (hosts == NULL) {
        return tan_fail_nomem(e);
    }
    n = 0;
    for (size_t i = 0; i < list->n; i++) {
        for (int32_t slot = 0; slot < 1 || slot < list->hosts[i].slots; slot++) {
            hosts[n++] = list->hosts[i];
        }
    }
    free(list->hosts);
    list->hosts = hosts;
    list->n = n;
    return 0;
}

int32_t tan_hostfile_number(const struct tan_hostfile *list, size_t n, int32_t *host,
                            struct tan_error *e)
{
    struct tan_names *names = tan_names_create(e);
    int32_t hosts = names == NULL ? -1 : 0;
    for (size_t i = 0; i < n && hosts >= 0; i++) {
        host[i] = tan_names_add(names, list->hosts[i].name, e);
        hosts = host[i] < 0 ? -1 : host[i] >= hosts ? host[i] + 1 : hosts;
    }
    tan_names_destroy(names);
    return hosts;
}

void tan_hostfile_clear(struct tan_hostfile *list)
{
    for (size_t i = 0; i < list->n_expanded; i++) {
        tan_hostlist_clear(&list->expanded[i]);
    }
    free(list->expanded);
    free(list->hosts);
    free(list->text);
    free(list->note);
    *list = (struct tan_hostfile){0};
}
