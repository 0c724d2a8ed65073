/* setting.h - settings of targets as users write them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_SETTING_H
#define TAN_DESIGN_TARGETS_SETTING_H

#include "design/targets/target.h"

/* An unknown name is an error that lists them. */
const struct tan_target *tan_target_find(const char *name, struct tan_error *e);

enum { TAN_SETTING_TEXT = 64 };
/* "TreeWidth=4" into `text`, which it returns. */
const char *tan_setting_text(const struct tan_setting *setting, char text[TAN_SETTING_TEXT]);
/* Errors say what the target knows, or would do in place of what is asked. */
int tan_setting_parse(const struct tan_target *target, const char *text, struct tan_setting *out,
                      struct tan_error *e);
/* What the target does untold, or by a row of its defaults. */
struct tan_setting tan_setting_default(const struct tan_target *target,
                                       const struct tan_default *row, int64_t members);

/* The targets with what they can be told, for help texts. */
void tan_target_help(FILE *to);

#endif
