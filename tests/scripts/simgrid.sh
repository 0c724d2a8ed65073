# simgrid.sh - traces converted for SimGrid and replayed by it
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
#
# SimGrid is a simulator that nobody here wrote. With its corrections for real networks off, messages
# up to 64 KiB sent at once, and the same algorithm for allreduce, a message of s bytes takes
# L + s / B, as here with o = g = 0, where it is L + (s - 1) G. Besides, messages that are under way
# at the same time share a link there, and take turns at a NIC here; so messages of the halo are short.
# Hence a tolerance of 3 %.
set -u
fail()
{
    echo "$*"
    exit 1
}
if ! command -v smpirun >/dev/null; then
    echo "needs smpirun (libsimgrid-dev), which replays traces"
    exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
sim=$(cd "$BUILD/bin" && pwd)/tan-sim || exit 1
cd "$dir" || exit 1

# Hosts whose NICs send and receive 1 GB/s each, 10 us apart.
P=4
{
    echo "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
    echo '<platform version="4.1"><zone id="z" routing="Full">'
    for i in 0 1 2 3; do
        echo "<host id=\"h$i\" speed=\"1Gf\"/>"
    done
    for i in 0 1 2 3; do
        echo "<link id=\"from$i\" bandwidth=\"1GBps\" latency=\"10us\"/>"
        echo "<link id=\"to$i\" bandwidth=\"1GBps\" latency=\"0us\"/>"
    done
    for i in 0 1 2 3; do
        for k in 0 1 2 3; do
            [ $i = $k ] || echo "<route src=\"h$i\" dst=\"h$k\" symmetrical=\"NO\"><link_ctn id=\"from$i\"/><link_ctn id=\"to$k\"/></route>"
        done
    done
    echo '</zone></platform>'
} >platform.xml
printf 'h0\nh1\nh2\nh3\n' >hosts

# replayed NAME: the seconds that SimGrid says.
replayed()
{
    "$sim" convert --format simgrid "$1" "$1.ti" || fail "$1: convert"
    timeout 60 smpirun -np $P -hostfile hosts -platform platform.xml --cfg=smpi/host-speed:1Gf \
        --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=network/crosstraffic:0 \
        --cfg=smpi/async-small-thresh:65535 --cfg=smpi/allreduce:rdb \
        -replay "$1.ti/traces.txt" >out 2>&1 || fail "$1: $(cat out)"
    sed -n 's/.*Simulation time \([0-9.]*\)$/\1/p' out
}

# compared NAME: both say the same within 3 %.
compared()
{
    theirs=$(replayed "$1") || fail "$theirs"
    "$sim" trace "$1" -L 10us -o 0 -g 0 -G 1ns --json ours.json >/dev/null || fail "$1: trace"
    python3 - "$1" "$theirs" <<'PYTHON' || fail "$1: they differ"
import json, sys
ours = json.load(open("ours.json"))["finish_ns"] / 1e9
print(sys.argv[1], "here", ours, "SimGrid", sys.argv[2])
sys.exit(not abs(float(sys.argv[2]) / ours - 1) < 0.03)
PYTHON
}

python3 - <<'PYTHON'
import os
P = 4

def write(name, program):
    os.makedirs(name, exist_ok=True)
    for rank in range(P):
        lines, now = ["MPI_Init:-:0:0:1000"], [1000]
        def call(name, arguments, addition="", gap=50):
            now[0] += gap
            lines.append(f"{name}:{now[0]}:{arguments}:{now[0]}:{addition}")
        program(rank, call)
        lines.append(f"MPI_Finalize:{now[0]}:{now[0]}:")
        with open(f"{name}/rank-{rank}.txt", "w") as to:
            to.write("\n".join(lines) + "\n")

def ring(rank, call):
    comm = f"0,{rank},{P}"
    for lap in range(10):
        send = f"1:20000:5,1,1:{(rank + 1) % P}:4:{comm}"
        receive = f"1:20000:5,1,1:{(rank - 1) % P}:4:{comm}:0"
        for name, arguments in ([("Send", send), ("Recv", receive)] if rank == 0 else [("Recv", receive), ("Send", send)]):
            call("MPI_" + name, arguments)

def halo(rank, call):
    comm = f"0,{rank},{P}"
    for step in range(20):
        for side in (1, -1):
            call("MPI_Irecv", f"1:100:5,8,8:{(rank - side) % P}:{side + 1}:{comm}:9", side + 1, 0)
            call("MPI_Isend", f"1:100:5,8,8:{(rank + side) % P}:{side + 1}:{comm}:9", side + 11, 0)
        call("MPI_Waitall", "4:9:0", ";2;12;0;10", 100 + 10 * rank)
        call("MPI_Sendrecv", f"1:10:5,8,8:{(rank + 1) % P}:9:1:10:5,8,8:{(rank - 1) % P}:9:{comm}:0")
        call("MPI_Allreduce", f"1:1:1:5,8,8:1:{comm}")

def collectives(rank, call):
    c, t, n = f"0,{rank},{P}", "5,1,1", 3 + rank
    counts, at = "3,4,5,6", "0,0,0,0"
    call("MPI_Barrier", c)
    call("MPI_Bcast", f"1:11:{t}:1:{c}")
    call("MPI_Reduce", f"1:1:12:{t}:1:1:{c}")
    call("MPI_Allreduce", f"1:1:13:{t}:1:{c}")
    call("MPI_Scan", f"1:1:18:{t}:1:{c}")
    call("MPI_Gather", f"1:15:{t}:1:15:{t}:1:{c}")
    call("MPI_Scatter", f"1:16:{t}:1:16:{t}:1:{c}")
    call("MPI_Allgather", f"1:17:{t}:1:17:{t}:{c}")
    call("MPI_Alltoall", f"1:14:{t}:1:14:{t}:{c}")
    call("MPI_Gatherv", f"1:{n}:{t}:1:1:{counts}:1:{at}:{t}:1:{c}")
    call("MPI_Scatterv", f"1:1:{counts}:1:{at}:{t}:1:{n}:{t}:1:{c}")
    call("MPI_Allgatherv", f"1:{n}:{t}:1:1:{counts}:1:{at}:{t}:{c}")
    call("MPI_Alltoallv", f"1:1:{counts}:1:{at}:{t}:1:1:{n},{n},{n},{n}:1:{at}:{t}:{c}")
    call("MPI_Reduce_scatter", f"1:1:1:{counts}:{t}:1:{c}")
    call("MPI_Reduce_scatter_block", f"1:1:4:{t}:1:{c}")

write("ring", ring)
write("halo", halo)
write("collectives", collectives)
PYTHON

compared ring
compared halo
time=$(replayed collectives) || fail "$time"
# 750 us of calculation, and messages.
awk -v t="$time" 'BEGIN { exit !(t > 750e-6 && t < 5e-3) }' || fail "all collective operations take $time s"
