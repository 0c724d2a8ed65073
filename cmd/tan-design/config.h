/* config.h - the command line of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_CONFIG_H
#define TAN_CMD_TAN_DESIGN_CONFIG_H

#include "base/cli.h"
#include "design/choice/design.h"
#include "model/machine/given.h"
#include "model/wave/payload.h"
#include "topo/file.h"
#include "topo/hostfile.h"
#include "topo/place.h"

/* As on the command line; `racks` is NULL if not given, per_host 0. */
struct host_files {
    const char *hosts, *racks;
    int64_t per_host; /* processes */
};

struct host_room {
    struct tan_hostfile hosts; /* without duplicates; sorted by rack if racks are known */
    struct tan_room room;      /* numbered like `hosts` */
};

/* Room for files->per_host processes on each host; 0: for its slots, which must be equal
 * everywhere. Fails if there are too many, or if a host has too few slots or no rack. */
int tan_host_room_read(const struct host_files *files, struct host_room *out, struct tan_error *e);
void tan_host_room_clear(struct host_room *room);
/* Every host once; or with `ranks` the host of every rank: as listed, once for each slot, or with
 * files->per_host so often for each host. The source of `list` is files->hosts. */
int tan_host_list_read(const struct host_files *files, bool ranks, struct tan_hostfile *list,
                       struct tan_error *e);

enum { MAX_SIZES = 64, MAX_RULE_ENDS = 32 };

enum command {
    COMMAND_DESIGN,
    COMMAND_TARGET,
    COMMAND_TARGETS,
    COMMAND_HOSTS,
    COMMAND_PARETO,
    COMMAND_FANOUTS,
    COMMAND_COMPARE,
    COMMAND_CONVERT,
    COMMAND_PREDICT,
    COMMAND_MESSAGES,
};

/* The system that builds the tree; strings are borrowed, and NULL or 0 if not given. */
struct target_request {
    const char *target;
    const struct tan_target *row; /* of that name and version */
    bool targets;                 /* table of all targets; also set by config_check */
    const char *setting, *tree;
    int64_t members; /* the first of those below */
    /* Several of one or both: the ends of ranges, for rules. */
    int64_t range_members[MAX_RULE_ENDS], range_bytes[MAX_RULE_ENDS];
    size_t n_members, n_bytes;
};

/* The command line. 0 or NULL: not given. */
struct config {
    enum command command;
    bool fanouts;               /* as a spelling of the command */
    bool details;               /* print all of the answer, and its tables of details */
    struct tan_problem problem; /* leaves and limits */
    int64_t listed;             /* trees under --details */
    const char **specs;         /* trees to predict or compare; room for all arguments */
    size_t n_specs;
    struct {
        const struct tan_objective *objective;
        const struct tan_front *front; /* NULL: no Pareto front */
    } aim;
    struct target_request target;
    struct host_files files;
    const char *machine;
    struct tan_given given;
    double round_trip;             /* seconds, in place of a latency; NaN: not given */
    const struct tan_model *model; /* NULL: not given */
    struct {
        int64_t bytes, up, down; /* of waves; 0: as measured, and as `bytes` */
        const struct tan_payload_rule *growth;
        double work; /* seconds per child's message; NaN: none */
    } message;
    struct {
        int64_t bytes[MAX_SIZES]; /* n entries */
        size_t n;
    } sizes;        /* of single messages */
    double p_down;  /* how likely processes are down; 0: not given */
    double compute; /* seconds of computation to overlap; NaN: not given */
    struct {
        const char *json, *report, *output, *map;
        const struct tan_format *format;
    } to;
};

static inline bool is_for_target(const struct config *c)
{
    return c->target.target != NULL || c->target.targets;
}

static inline bool asks_rules(const struct config *c)
{
    return c->target.n_members > 1 || c->target.n_bytes > 1;
}

/* The options, which fill in struct config; commands are in the order of enum command. */
extern const struct tan_cli design_cli;
/* Refuse invalid combinations of options. */
int config_check(struct config *c, struct tan_error *e);

#endif
