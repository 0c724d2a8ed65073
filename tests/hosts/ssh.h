/* ssh.h - minimal ssh for launchers, between the hosts of tests
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_HOSTS_SSH_H
#define TAN_TESTS_HOSTS_SSH_H

/* A command and its output travel through one TCP connection, unencrypted, so pulled cables and
 * dead hosts do to it what they do to ssh: nobody tells either end. */

/* A socket that listens to this host's port 22; the caller closes it. */
int ssh_listen(void);
/* Serve it until the process is killed. */
_Noreturn void ssh_serve(int listener);

/* `ssh [OPTION]... HOST COMMAND...`: run the command by HOST's shell, with its input, output and
 * exit status; 255 without a connection. Environment and folder are not passed on. */
int ssh_call(char **arguments);

#endif
