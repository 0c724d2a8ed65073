# tanbench.sh - calibrate and validate on 16 hosts with a rank each
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 16 --rate 8Mbit --payload 20kB sh docs/slow-networks/tanbench.sh openmpi|mpich DIR
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# MPICH over UCX asks the receiver before it sends more than some kB: that is another round trip.
export UCX_RNDV_THRESH=1000000
mpi=$1 dir=$2 names=$(seq -f 'h%.0f:1' -s , 16)
case $mpi in
openmpi) launcher="mpirun.openmpi --bind-to none --host $names -n 16" ;;
mpich) launcher="mpiexec.mpich -launcher ssh -hosts $names -n 16" ;;
esac
few="--network real --wait park --bytes 20kB --min-waves 3 --max-waves 3 --warmup 1 --passes 1 --max-time 20s"
tanbench=build/mpi/mpicc.$mpi/tanbench
host exec h1 $launcher $tanbench calibrate "$dir/machine.json" $few
host exec h1 $launcher $tanbench validate "$dir/machine.json" $few --shapes 6 --processes 8..16
host count
