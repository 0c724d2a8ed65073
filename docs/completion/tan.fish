# tan.fish - fish completion of tanbench, tan-design, tan-fit, tan-report, tan-sim and tan-trace
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The words are those of the bash completion, beside this file or where both are installed.
set -g __tan_bash (status dirname)/tan.bash
test -f $__tan_bash
or set -g __tan_bash (status dirname)/../../bash-completion/completions/tanbench

function __tan_words
    bash $__tan_bash (commandline -opc) (commandline -ct) 2>/dev/null
end

for program in tanbench tan-design tan-fit tan-report tan-sim tan-trace
    complete -c $program -f -a '(__tan_words)'
end
