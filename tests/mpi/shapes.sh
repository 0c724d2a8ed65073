# shapes.sh - every shape runs, several in one job, with spare ranks or too few
# SPDX-License-Identifier: GPL-3.0-or-later
# mpis: all
. tests/no-blanks
. tests/mpi/lib

few="--min-waves 10 --max-waves 10"
job '[03]' 16 $few --topo chain:15 --topo nto1:15 --topo binary:8 --topo binomial:8 --topo twolevel:9 \
    --topo kary:3:9 --topo knomial:3:9 --topo levels:2x3 --topo levels:3x3:7 --topo random:6:1 \
    --topo file:tests/data/mrnet/chain-4.top --topo nto1:1 --topo mpi:16 --topo pingpong --json "$T/r.json"
[ "$(grep -c '"topo":' "$T/r.json")" -eq 14 ] || fail "not 14 cells in the results"
[ "$(grep -c '"complete": true' "$T/r.json")" -eq 14 ] || fail "cells cut short"
# The table has the order of the command line whatever the order of measurement was.
[ "$(awk '/^-/ { t = 1; next } t && !NF { exit } t { printf "%s ", $1 }' "$T/out")" = \
    "chain:15 nto1:15 binary:8 binomial:8 twolevel:9 kary:3:9 knomial:3:9 levels:2x3 levels:3x3:7 random:6:1 file:tests/data/mrnet/chain-4.top nto1:1 mpi:16 pingpong " ] ||
    fail "the table's order: $(cat "$T/out")"
# The library's own collective polls, which is a doubt where its ranks share cores.
crowded='not trustworthy: in mpi:[0-9]* ranks that outnumber the cores wait as the MPI library does'
if grep -q 'Ranks outnumber cores' "$T/out"; then
    [ "$status" = 3 ] || fail "exit status $status, and ranks outnumber cores"
    says err "$crowded"
fi
# But not where three hosts have a core for each of its ranks, and not for each rank of the job.
cat >"$T/host" <<'EOF'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
boot=$0.$rank
sed "s/^./$((rank % 3))/" /proc/sys/kernel/random/boot_id >"$boot"
exec unshare -m sh -c 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"' "$boot" "$@"
EOF
chmod +x "$T/host"
if "$T/host" true 2>/dev/null; then
    tan taskset -c 0 $MPIEXEC -n 4 "$T/host" -- $few mpi:3 chain:1
    says out '^mpi:3 '
    says out 'Ranks outnumber cores'
    grep -q "$crowded" "$T/err" && fail "three ranks on three hosts: $(cat "$T/err")"
    tan taskset -c 0 $MPIEXEC -n 4 "$T/host" -- $few mpi:4 chain:1
    says err "$crowded"
fi

job 2 4 --topo chain:2 --topo binary:8
says err 'binary:8 needs 15 ranks, this job has 4: start it with -n 15'
job 2 2 --topo chain:1 --ranks 5
says err '^tanbench: --ranks 5: the launcher started 2$'
job 2 2 --topo 'binary:'
says err "^tanbench: .*binary"
[ "$(grep -c '^tanbench:' "$T/err")" -eq 1 ] || fail "more than one rank complains"
job 0 2 --help
[ "$(grep -c '^Usage:' "$T/out")" -eq 1 ] || fail "more than one rank explains"
finish
