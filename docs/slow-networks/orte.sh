# orte.sh - what Open MPI's daemons need for a fence with data, by radix
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 17 --rate 8Mbit sh docs/slow-networks/orte.sh 16 4 10000 5 3
#
# HOSTS RADIX BYTES PERIOD FENCES: mpirun on h1, a rank with BYTES bytes on each of HOSTS others. Prints
# the seconds from the common start of each fence, every PERIOD seconds, until the last rank has all, and
# the bytes that h1 has sent.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
hosts=$(seq -f 'h%.0f:1' -s , 2 $(($1 + 1)))
cc -O2 docs/slow-networks/fence.c -o /run/shared/fence $(pkg-config --cflags --libs pmix) || exit 1
host exec h1 mpirun.openmpi --mca plm_rsh_agent /run/hosts/bin/ssh --mca routed_radix "$2" --bind-to none \
    --host "$hosts" -n "$1" /run/shared/fence "$3" "$4" "$5" >/run/shared/fences || exit 1
awk '$5 > took[$2] { took[$2] = $5 }
     END { for (i = 0; i in took; i++) print "fence", took[i] }' /run/shared/fences
host count h1 | awk 'NR == 2 { print "sent", $5 }'
