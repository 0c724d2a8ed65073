# waiting.sh - every policy works, even between hosts, which have no doorbells
# SPDX-License-Identifier: GPL-3.0-or-later
# leaks: elsewhere
. tests/mpi/lib

few="--min-waves 10 --max-waves 10 --max-time 20s"
for policy in auto poll yield park block; do
    job 0 2 $few --wait $policy --topo chain:1 --topo nto1:1
done
# Polling with more ranks than cores is measured, and called what it is.
job 3 5 $few --wait yield --topo nto1:4
says err 'not trustworthy: ranks that wait by polling'
job 0 5 $few --wait park --topo nto1:4
# Long messages, whose receivers fetch them while their senders sleep, and such whose senders must
# take part and are called (settings of Open MPI, then of MPICH).
large="--bytes 256KiB --wait park --topo nto1:8 --topo binomial:4 --topo chain:8"
job 0 9 $few $large
job 0 9 oneway $few $large
job 0 9 stream $large
export OMPI_MCA_btl_vader_single_copy_mechanism=none UCX_TLS=posix,self
job 0 9 $few $large
unset OMPI_MCA_btl_vader_single_copy_mechanism UCX_TLS
# One host posing as three: trees within and across them.
for hosts in 2 3; do
    TANBENCH_SPLIT_HOST=$hosts
    export TANBENCH_SPLIT_HOST
    job 0 9 $few --wait park --topo nto1:8 --topo binomial:4 --topo chain:8 --topo pingpong --json "$T/r.json"
    says out "on $hosts hosts"
    # Every rank is woken for what it must send.
    for _ in 1 2; do
        job '[03]' 7 stream --wait park --duration 0.5s --topo nto1:6
        says out "on $hosts hosts"
    done
done
# Hosts of one kernel have the same cores: counted once, so ranks outnumber them.
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
TANBENCH_SPLIT_HOST=3 MPIEXEC="taskset -c $cpu $MPIEXEC"
job '[03]' 3 $few --topo nto1:2 --json "$T/r.json"
says out '3 ranks on 3 hosts that share 1 core, waiting: park'
says out 'Ranks outnumber cores (3 on 1)'
grep -q '"oversubscribed": true' "$T/r.json" || fail "results do not say that ranks share a core"
finish
