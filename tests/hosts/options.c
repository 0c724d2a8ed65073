/* options.c - hosts N [OPTION VALUE]... COMMAND...
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/hosts/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Of a full frame: what TCP carries of a message, and the headers of Ethernet, IP and TCP, whose
 * time stamps are on. */
enum { SEGMENT = 1448, HEADERS = 66 };
/* Below that a message's time is not the network's alone. */
enum { LEAST_FRAMES = 5, LEAST_MS = 10 };

static const char *const orders[] = {"fifo", "fair"};

static int read_rate(const char *text, struct options *options, struct tan_error *e)
{
    options->slow = true;
    return tan_parse_rate("--rate", text, &options->link.rate, e);
}

static int read_delay(const char *text, struct options *options, struct tan_error *e)
{
    options->slow = true;
    return tan_parse_duration("--delay", text, &options->link.delay, e);
}

static int read_queue(const char *text, struct options *options, struct tan_error *e)
{
    const int order = tan_choice_find(TAN_CHOICES(orders), "--queue", text, e);
    options->link.fair = order == 1;
    return order < 0 ? -1 : 0;
}

static int read_payload(const char *text, struct options *options, struct tan_error *e)
{
    return tan_parse_size("--payload", text, 1, INT64_C(1) << 40, &options->payload, e);
}

static const struct option {
    const char *name;
    int (*read)(const char *text, struct options *options, struct tan_error *e);
} table[] = {
    {"--rate", read_rate},
    {"--delay", read_delay},
    {"--queue", read_queue},
    {"--payload", read_payload},
};

/* What the options ask for together. */
static int check_options(const struct options *options, bool has_queue, struct tan_error *e)
{
    if (options->command[0] == NULL) {
        return tan_fail_usage(e, "there is no COMMAND");
    }
    if (has_queue && options->link.rate == 0) {
        return tan_fail_usage(e, "--queue needs --rate: nothing waits without it");
    }
    if (options->payload > 0 && options->link.rate == 0) {
        return tan_fail_usage(e, "--payload needs --rate");
    }
    return 0;
}

int options_read(int argc, char **argv, struct options *options, struct tan_error *e)
{
    int64_t n;
    bool has_queue = false;
    *options = (struct options){.command = argv};
    if (argc < 2) {
        return tan_fail_usage(e, "there is no number of hosts");
    }
    if (tan_parse_count("the number of hosts", argv[1], 1, MAX_HOSTS, &n, e) < 0) {
        return -1;
    }
    options->n = (int)n;
    char **word = argv + 2;
    for (; *word != NULL && (*word)[0] == '-'; word += 2) {
        const int row = tan_choice_find(TAN_CHOICES(table), "options", *word, e);
        if (row < 0) {
            return -1;
        }
        if (word[1] == NULL) {
            return tan_fail_usage(e, "%s needs a value", *word);
        }
        if (table[row].read(word[1], options, e) < 0) {
            return -1;
        }
        has_queue = has_queue || table[row].read == read_queue;
    }
    options->command = word;
    return check_options(options, has_queue, e);
}

int options_check_payload(const struct options *options, struct tan_error *e)
{
    const int64_t frames = (options->payload + SEGMENT - 1) / SEGMENT;
    const int64_t bytes = options->payload + frames * HEADERS;
    const double ms = (double)bytes * 8e3 / options->link.rate;
    fprintf(stderr,
            "hosts: a message of %lld B takes %.4g ms: %lld B on the wire, in frames of %d B with "
            "%d B of headers; one way %.4g ms with its delay\n",
            (long long)options->payload, ms, (long long)bytes, SEGMENT + HEADERS, HEADERS,
            ms + options->link.delay * 1e3);
    if (options->payload < LEAST_FRAMES * SEGMENT) {
        return tan_fail_usage(e,
                              "--payload: %lld B are less than %d full frames (%d B), so headers "
                              "and acknowledgements count as much",
                              (long long)options->payload, LEAST_FRAMES, LEAST_FRAMES * SEGMENT);
    }
    if (ms < LEAST_MS) {
        return tan_fail_usage(e,
                              "--payload: %.4g ms are less than %d ms, so processes that wait for "
                              "a core count as much; take a lower --rate or longer messages",
                              ms, LEAST_MS);
    }
    return 0;
}
