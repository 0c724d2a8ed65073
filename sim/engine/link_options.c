/* link_options.c - parsing of link parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/link_options.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "sim/schedule/times.h"

int tan_link_set(struct tan_link *link, char name, const char *what, const char *text,
                 struct tan_error *e)
{
    const struct {
        char name;
        uint64_t *ps; /* integral picoseconds, or */
        double *fine; /* fractional ones */
    } rows[] = {
        {'L', &link->L, NULL}, {'o', &link->o, NULL}, {'g', &link->g, NULL},
        {'G', NULL, &link->G}, {'O', NULL, &link->O},
    };
    const enum tan_bare_time bare =
        what[0] == '-' && what[1] == name ? TAN_BARE_NS : TAN_BARE_REFUSED;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].name == name) {
            link->o_more = name == 'o' ? 0 : link->o_more; /* o is that of both sides */
            return rows[i].ps != NULL ? tan_parse_ps(what, text, bare, rows[i].ps, e)
                                      : tan_parse_fine_ps(what, text, bare, rows[i].fine, e);
        }
    }
    return tan_fail_usage(e, "%s: there is no parameter \"%c\": they are L, o, g, G and O", what,
                          name);
}

struct named_link {
    const char *what;
    struct tan_link *link;
    struct tan_change_effect *effect; /* for changes */
};

static int take_cost(void *context, const char *part, struct tan_error *e)
{
    const struct named_link *n = context;
    if (part[0] == '\0' || part[1] != '=') {
        return tan_fail_usage(e,
                              "%s must be like L=500ns,o=1us,G=0.04ns (of L, o, g, G and O), and "
                              "has \"%s\"",
                              n->what, part);
    }
    return tan_link_set(n->link, part[0], tan_printed("%s: %c", n->what, part[0]).text, part + 2,
                        e);
}

int tan_link_parse(struct tan_link *link, const char *what, const char *text, struct tan_error *e)
{
    struct named_link n = {what, link, NULL};
    return tan_each_part(what, text, take_cost, &n, e);
}

/* A change to a cost in picoseconds. */
struct change {
    char how; /* '=', '+', '-', '*' */
    double by;
};

static double changed_cost(double ps, const struct change *c)
{
    switch (c->how) {
    case '+':
        return ps + c->by;
    case '-':
        return ps > c->by ? ps - c->by : 0;
    case '*':
        return ps * c->by;
    default:
        return c->by;
    }
}

static int parse_change(const char *what, const char *text, struct change *c, struct tan_error *e)
{
    c->how = strchr("+-*", text[0]) != NULL && text[0] != '\0' ? text[0] : '=';
    const char *value = text + (c->how != '=');
    return c->how == '*' ? tan_parse_real(what, value, 0, 1e9, &c->by, e)
                         : tan_parse_fine_ps(what, value, TAN_BARE_REFUSED, &c->by, e);
}

static const char letters[] = "LogGO";

static unsigned bit_of(char letter)
{
    return 1U << (strchr(letters, letter) - letters);
}

bool tan_link_changes(const struct tan_change_effect *effect, char letter)
{
    return (effect->acts & bit_of(letter)) != 0;
}

static double value_of(const struct tan_link *link, char letter)
{
    switch (letter) {
    case 'L':
        return (double)link->L;
    case 'o':
        return (double)link->o + (double)tan_link_o_r(link);
    case 'g':
        return (double)link->g;
    case 'G':
        return link->G + (double)link->folded;
    default:
        return link->O;
    }
}

static void note_effect(const struct named_link *n, char letter, const struct change *c)
{
    /* only a factor also applies to the part of L and g that is a gap per byte */
    const double value = letter == 'G' && c->how == '-' ? n->link->G : value_of(n->link, letter);
    const bool idle = (c->how == '*' || c->how == '-') && value <= 0;
    if (n->effect != NULL) {
        *(idle ? &n->effect->idle : &n->effect->acts) |= bit_of(letter);
    }
}

/* Multiply the gap per byte, of which L and g may contain a part. The time from the arrival of the
 * data to the end of their send remains. */
static void multiply_gap(struct tan_link *link, const struct change *c)
{
    const double more = ((double)link->folded * c->by) - (double)link->folded;
    const uint64_t L = tan_round_ps(fmax(0, (double)link->L + more));
    link->ack_more += (int64_t)link->L - (int64_t)L;
    link->L = L;
    link->g = tan_round_ps(fmax(0, (double)link->g + more));
    link->folded = tan_round_ps((double)link->folded * c->by);
    link->G *= c->by;
}

static void change_gap(struct tan_link *link, const struct change *c)
{
    if (c->how == '*') {
        multiply_gap(link, c);
    } else {
        link->G = changed_cost(link->G, c);
    }
}

/* Whether the part, "latency=+50us", names a parameter by a word: then fails with its letter. */
static bool is_word(const char *what, const char *part, struct tan_error *e)
{
    static const struct {
        const char *word, *advice;
    } rows[] = {
        {"latency", "the latency is L, as in L=+50us"},
        {"bandwidth", "the bandwidth is 1/G, so that G=*2 halves it and G=*0.5 doubles it"},
        {"overhead", "the CPU overhead of a message is o, and that per byte is O, as in o=+1us"},
        {"gap", "the gap between messages is g, and that per byte is G, as in g=+1us"},
    };
    const size_t length = strcspn(part, "=");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strlen(rows[i].word) == length && strncasecmp(rows[i].word, part, length) == 0) {
            tan_fail_usage(e, "%s: \"%s\": %s", what, part, rows[i].advice);
            return true;
        }
    }
    return false;
}

static int take_change(void *context, const char *part, struct tan_error *e)
{
    const struct named_link *n = context;
    struct tan_link *link = n->link;
    struct change c;
    if (is_word(n->what, part, e)) {
        return -1;
    }
    if (strncmp(part, "l=", 2) == 0) {
        return tan_fail_usage(e, "%s: did you mean L%s? There is no l", n->what, part + 1);
    }
    if (part[0] == '\0' || strchr(letters, part[0]) == NULL || part[1] != '=') {
        return tan_fail_usage(e,
                              "%s must be like L=500ns, o=+1us, g=-1us or G=*2 (of L, o, g, G and "
                              "O), with commas between several, and has \"%s\"",
                              n->what, part);
    }
    if (parse_change(tan_printed("%s: %c", n->what, part[0]).text, part + 2, &c, e) < 0) {
        return -1;
    }
    note_effect(n, part[0], &c);
    const uint64_t o_r = tan_link_o_r(link);
    switch (part[0]) {
    case 'L':
        link->L = tan_round_ps(changed_cost((double)link->L, &c));
        break;
    case 'o': /* applies to both sides */
        link->o = tan_round_ps(changed_cost((double)link->o, &c));
        link->o_more = (int64_t)tan_round_ps(changed_cost((double)o_r, &c)) - (int64_t)link->o;
        break;
    case 'g':
        link->g = tan_round_ps(changed_cost((double)link->g, &c));
        break;
    case 'G':
        change_gap(link, &c);
        break;
    default:
        link->O = changed_cost(link->O, &c);
    }
    return 0;
}

int tan_link_change(struct tan_link *link, const char *what, const char *text,
                    struct tan_change_effect *effect, struct tan_error *e)
{
    struct named_link n = {what, link, effect};
    return tan_each_part(what, text, take_change, &n, e);
}

int tan_link_check_effect(const struct tan_change_effect *effect, const char *what,
                          struct tan_error *e)
{
    for (int i = 0; letters[i] != '\0'; i++) {
        if ((effect->idle & ~effect->acts & 1U << i) != 0) {
            return tan_fail_usage(e,
                                  "%s: %c is 0 in what every message costs here, so that it "
                                  "cannot be multiplied or lowered; %c=+TIME makes it more",
                                  what, letters[i], letters[i]);
        }
    }
    return 0;
}

const char *const tan_handshakes[] = {
    [TAN_HANDSHAKE_NONE] = "none",
    [TAN_HANDSHAKE_RAT] = "rat",
    [TAN_HANDSHAKE_RTA] = "rta",
    [TAN_HANDSHAKE_FETCH] = "fetch",
    NULL,
};
