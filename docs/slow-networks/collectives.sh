# collectives.sh - what MPI_Bcast or MPI_Reduce of Open MPI takes with a configuration from tan-design
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 15 --rate 8Mbit sh docs/slow-networks/collectives.sh 15 bcast 500000 FILE 3
#
# RANKS bcast|reduce BYTES FILE TIMES: a rank on each host, FILE from tan-design --target openmpi
# --output. Prints the seconds from the common start until the last rank is done.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
hosts=$(seq -f 'h%.0f:1' -s , "$1")
mpicc.openmpi -O2 docs/slow-networks/collectives.c -o /run/shared/collectives || exit 1
host exec h1 mpirun.openmpi --bind-to none --mca mpi_yield_when_idle 1 \
    $(sed -n 's/^\([a-z_]*\) = \(.*\)/--mca \1 \2/p' "$4") \
    --host "$hosts" -n "$1" /run/shared/collectives "$2" "$3" "$5"
