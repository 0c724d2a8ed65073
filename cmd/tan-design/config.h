/* config.h - the command line of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_CONFIG_H
#define CMD_TAN_DESIGN_CONFIG_H

#include "base/cli.h"
#include "cmd/tan-design/host_files.h"
#include "design/choice/pareto.h"
#include "model/machine/given.h"
#include "model/machine/p2p.h"
#include "model/wave/payload.h"
#include "topo/file.h"

enum { MAX_SIZES = 64 };

enum command { COMMAND_DESIGN, COMMAND_PREDICT, COMMAND_MESSAGES };

/* The system that builds the tree; strings are borrowed, NULL or 0: not given. */
struct target_request {
    const char *target;
    bool installed; /* in the version that is installed here */
    bool targets;   /* all, in a table */
    const char *setting, *tree;
    int64_t members;
};

/* What was asked. Numbers of 0 and strings of NULL: not given. */
struct config {
    enum command command;
    int arguments; /* of the command line */
    bool template, fanouts;
    struct tan_problem problem; /* leaves and limits */
    int64_t listed;
    const char **specs; /* room for every argument; to predict, or to compare */
    size_t n_specs;
    struct {
        const struct tan_objective *objective;
        bool pareto, any_shape;
    } aim;
    struct target_request target;
    struct host_files files;
    int64_t ranks_per_host;
    const char *machine;
    struct tan_given given;
    const struct tan_model *model;
    bool model_given;
    struct {
        int64_t bytes, up, down; /* of waves: as measured, and both as `bytes` */
        const struct tan_payload_rule *growth;
        const struct tan_p2p_model *model;
        double work; /* seconds for each child's message; NaN: none */
    } message;
    int64_t sizes[MAX_SIZES]; /* of single messages */
    size_t n_sizes;
    double compute; /* seconds beside them; NaN: not given */
    struct {
        const char *json, *report, *output, *map;
        const struct tan_format *format;
    } to;
};

static inline bool is_for_target(const struct config *c)
{
    return c->target.target != NULL || c->target.targets;
}

static inline bool wants_document(const struct config *c)
{
    return c->to.json != NULL || c->to.report != NULL;
}

/* The options, which fill a struct config; its commands are those of enum command. */
extern const struct tan_cli design_cli;
/* Refuse combinations of options that make no sense. */
int config_check(const struct config *c, struct tan_error *e);

#endif
