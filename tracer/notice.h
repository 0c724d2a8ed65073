/* notice.h - messages to the user and to tan-trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TRACER_NOTICE_H
#define TAN_TRACER_NOTICE_H

/* Print "libtantrace: " and a sentence on standard error in one piece, with "?" for control
 * characters, which names of folders may contain. */
void notice(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Tell tan-trace, if it runs on this host, that the trace of a rank is missing or incomplete. */
void notice_incomplete(void);

#endif
