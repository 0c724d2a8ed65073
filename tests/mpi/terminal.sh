# terminal.sh - progress is shown on a terminal during measurements, and removed afterwards
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
. tests/mpi/lib

# on_terminal PROGRESS ARGUMENT...: such progress comes, and is taken back (CR, ESC [K) before the results.
on_terminal()
{
    progress=$1
    shift
    # The program's status is that of a measurement on a busy machine.
    script -qec "$limit $TANBENCH $*" /dev/null >"$T/typed" 2>&1 </dev/null
    case $? in 0 | 3) ;; *) fail "not measured: $*: $(cat "$T/typed")" ;; esac
    sed 's/.*\r\x1b\[K//; s/\r$//' "$T/typed" >"$T/out"
    grep -q "$progress" "$T/typed" || fail "no progress '$progress': $*"
    ! grep "$progress" "$T/out" || fail "progress is left behind: $*"
    says out '^\(Open MPI\|MPICH\) '
}

few="--max-time 1s"
on_terminal '\[[0-9]* of 2 done' run --machine "$MACHINE" $few chain:2 nto1:2
on_terminal '\[step [0-9] of ' p2p $few --sizes 1,8 --send-modes --datatypes

# Text is as wide as the terminal, or as COLUMNS says.
widest()
{
    script -qec "stty cols $1; $2 $TANBENCH run --help" /dev/null </dev/null | tr -d '\r' | wc -L
}
[ "$(widest 72 '')" -le 72 ] || fail "text is wider than a terminal of 72 columns"
[ "$(widest 72 COLUMNS=110)" -gt 90 ] || fail "COLUMNS makes text no wider"

finish
