# simulated_traces.sh - traces taken on a simulated platform, simulated with a higher latency
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
#
# The truth is the program's own run, without the tracer, on a platform whose messages take 100 us
# longer. With short latencies a halo exchange takes some 5 % less in SMPI, where a process receives
# what has come only once it waits for it, than in LogGOPS, where it does so before it sends more.
set -u
fail()
{
    echo "$1"
    [ ! -e out ] || cat out
    exit 1
}
bin=$(cd "$BUILD/bin" && pwd) || exit 1
. tests/scripts/simgrid
needs_simgrid libtantrace.a
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
source=$PWD/sim/tests/scripts/simulated_traces.c
cd "$dir" || exit 1
ranks=36

# platform FILE MICROSECONDS: of each of the two links between hosts, whose bandwidth is 10 GB/s
platform()
{
    cat >"$1" <<EOF_XML
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-$((ranks - 1))" speed="1Gf" bw="10GBps" lat="$2us"/>
</platform>
EOF_XML
}

# smpi PLATFORM PROGRAM ARGUMENT: prints the milliseconds that it takes
smpi()
{
    smpirun -np $ranks -platform "$1" -hostfile hosts --cfg=smpi/simulate-computation:no \
        --cfg=smpi/os:0:1.5e-6:0 --cfg=smpi/ois:0:1.5e-6:0 --cfg=smpi/or:0:1.5e-6:0 \
        --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=smpi/async-small-thresh:65536 \
        --cfg=smpi/allreduce:rdb --cfg=smpi/display-timing:yes --log=root.thresh:critical \
        --log=smpi_utils.thresh:info "$2" "$3" >out 2>&1 || fail "$2 $3"
    sed -n 's/.*imulated time: \([0-9.e-]*\) sec.*/\1/p' out | awk '{ print 1e3 * $1 }'
}

# predicted TRACE LATENCY: the milliseconds that tan-sim says
predicted()
{
    "$bin/tan-sim" trace "$1" -L "$2" -o 1.5us -g 0 -G 0.1ns --json=- | python3 -c 'import json, sys
print("%.4f" % (json.load(sys.stdin)["finish_ns"] / 1e6))'
}

# near WHAT VALUE WANTED PERCENT
near()
{
    echo "$1: tan-sim $2 ms, SMPI $3 ms"
    awk -v a="$2" -v b="$3" -v p="$4" 'BEGIN { exit !(b > 0 && (a - b) ^ 2 <= (p / 100 * b) ^ 2) }' ||
        fail "$1: more than $4 % apart"
}

smpicc -o plain "$source" >out 2>&1 || fail "smpicc"
smpicc -o traced "$source" -Wl,-Bsymbolic -Wl,--whole-archive "$bin/../mpi/smpicc/libtantrace.a" \
    -Wl,--no-whole-archive -lzstd >out 2>&1 || fail "smpicc with the tracer"
platform near.xml 1
platform far.xml 51
seq -f h%g 0 $((ranks - 1)) >hosts
for program in wavefront halo; do
    TAN_TRACE_DIR=$program smpi near.xml ./traced $program >/dev/null
done
near wavefront "$(predicted wavefront 2us)" "$(smpi near.xml ./plain wavefront)" 1
near 'wavefront at + 100 us' "$(predicted wavefront 102us)" "$(smpi far.xml ./plain wavefront)" 1
near 'halo exchange at + 100 us' "$(predicted halo 102us)" "$(smpi far.xml ./plain halo)" 3
exit 0
