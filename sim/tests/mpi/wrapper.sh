# wrapper.sh - tan-trace before and after a launcher, and what it cannot trace
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/mpi/lib

compiler=$(echo "$MPIEXEC" | sed 's/mpiexec/mpicc/')
if ! command -v "$compiler" >/dev/null; then
    echo "needs $compiler for test programs"
    exit 77
fi
wrapper=$(cd "$BUILD/bin" && pwd)/tan-trace
$compiler -o "$T/program" sim/tests/mpi/programs/more_calls.c -lm 2>"$T/err" || fail "more_calls"
"$wrapper" -o "$T/before" $MPIEXEC -n 2 "$T/program" >"$T/out" 2>"$T/err" </dev/null || fail "before: $(cat "$T/err")"
grep -qx "Traced 2 ranks into $T/before: tan-sim trace $T/before" "$T/err" || fail "before: no next command: $(cat "$T/err")"
$MPIEXEC -n 2 "$wrapper" -o "$T/behind" "$T/program" >"$T/out" 2>"$T/err" </dev/null || fail "behind: $(cat "$T/err")"
! grep -q "^Traced" "$T/err" || fail "behind: $(cat "$T/err")"
# A script does not tell which MPI it loads.
mpi=${compiler#mpicc.}
printf '#!/bin/sh\nexec "%s"\n' "$T/program" >"$T/script"
chmod +x "$T/script"
"$wrapper" -o "$T/script.d" -m "$mpi" $MPIEXEC -n 2 "$T/script" >"$T/out" 2>"$T/err" </dev/null || fail "script: $(cat "$T/err")"
for dir in before behind script.d; do
    [ "$(find "$T/$dir" -name 'rank-[01].txt.zst' | wc -l)" = 2 ] || fail "$dir: $(ls "$T/$dir")"
done

# Into a folder behind a link; a help text that cannot be written.
ln -s before "$T/link"
"$wrapper" -o "$T/link" $MPIEXEC -n 2 "$T/program" >"$T/out" 2>"$T/err" </dev/null || fail "link: $(cat "$T/err")"
for help in -h --help; do
    timeout 60 "$wrapper" $help >/dev/full 2>"$T/err"
    status=$?
    [ "$status" = 1 ] && [ "$(cat "$T/err")" = 'tan-trace: cannot write standard output' ] ||
        fail "$help: exit status $status: $(head -n 3 "$T/err")"
done

# refused STATUS SENTENCE ARGUMENT...
refused()
{
    wanted=$1 sentence=$2
    shift 2
    "$wrapper" "$@" >"$T/out" 2>"$T/err" </dev/null
    status=$?
    [ "$status" = "$wanted" ] || fail "$*: exit status $status: $(cat "$T/err")"
    grep -q "^tan-trace: .*$sentence" "$T/err" || fail "$*: $(cat "$T/err")"
}
refused 2 'name a program'
refused 2 'needs a folder' -o
refused 2 'no option' -x
refused 127 'no such program' "$T/none"
refused 127 'a?\[31mb: there is no such program' "$(printf 'a\033[31mb')"
refused 127 'a??31mb: there is no such program' "$(printf 'a\302\23331mb')"
refused 126 'may not be executed' tests/mpi/lib
refused 1 'dynamically linked.*-m MPI' "$T/script"
refused 2 "-m lam: no libtantrace.so was built for it, but for: .*$mpi" -m lam "$T/script"
refused 2 'needs the name' -m
refused 2 'this is a file' -o "$T/script" $MPIEXEC -n 2 "$T/program"

# One rank's trace is missing, in a folder whose name controls a terminal.
part=$T/$(printf 'part\033[31m')
mkdir -p "$part/rank-1.txt.zst"
refused 3 'not every rank has a complete trace' -o "$part" $MPIEXEC -n 2 "$T/program"
grep -q 'rank 1 is not traced: .*part?\[31m/rank-1' "$T/err" || fail "a rank's sentence: $(cat "$T/err")"
LC_ALL=C grep -q "$(printf '\033')" "$T/err" && fail "control characters: $(cat "$T/err")"
[ -s "$part/rank-0.txt.zst" ] || fail "rank 0 is not traced either"

# Of a program that ends without MPI_Finalize, which is no failure to the singleton's shell.
cat >"$T/ends.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
END
$compiler -o "$T/ends" "$T/ends.c" 2>"$T/err" || fail "ends: $(cat "$T/err")"
"$T/ends" >"$T/out" 2>"$T/err" </dev/null || fail "this MPI ends the program with status $?"
refused 3 'not every rank has a complete trace' -o "$T/ended" "$T/ends"
grep -q 'rank-0.txt.zst lacks an end: the program ended without MPI_Finalize' "$T/err" || fail "no end: $(cat "$T/err")"

# Signals, and standard input, reach the program; sleep stands for one.
cat >"$T/caught" <<'END'
#!/bin/sh
trap 'echo caught; exit 5' "$1"
echo ready
cat
while :; do sleep 0.1; done
END
chmod +x "$T/caught"
for signal in HUP TERM INT; do
    : >"$T/out"
    echo input | "$wrapper" -o "$T/cut" -m "$mpi" "$T/caught" $signal >"$T/out" 2>"$T/err" &
    for i in $(seq 100); do ! grep -q input "$T/out" || break; sleep 0.1; done
    # A terminal sends INT to both.
    [ $signal != INT ] || kill -INT $(ps -o pid= --ppid $!)
    kill -s $signal $! 2>/dev/null
    wait $!
    status=$?
    [ "$status" = 5 ] && grep -qx caught "$T/out" || fail "$signal: exit status $status: $(cat "$T/out" "$T/err")"
done

# Nothing is left of an interrupted run.
mkdir "$T/tmp"
for signal in INT TERM; do
    TMPDIR=$T/tmp timeout -s $signal 2 "$wrapper" -o "$T/cut" -m "$mpi" sleep 60 >"$T/out" 2>"$T/err" </dev/null
    [ -z "$(ls "$T/tmp")" ] || fail "left by a signal $signal: $(ls "$T/tmp")"
done

# LD_PRELOAD has no way to write this name.
mkdir -p "$T/a b/bin" "$T/a b/mpi/one"
cp "$wrapper" "$T/a b/bin"
cp "$(dirname "$TANBENCH")/libtantrace.so" "$T/a b/mpi/one"
wrapper="$T/a b/bin/tan-trace"
refused 1 'a b/mpi/one/libtantrace.so cannot be preloaded' "$T/program"
finish
