# mpirun.sh - a file that Open MPI's daemons pass on to seven hosts, by radix
# SPDX-License-Identifier: GPL-3.0-or-later
# tools/slow-hosts 8 --rate 8Mbit sh docs/slow-networks/mpirun.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd /run/shared || exit 1
head -c 1000000 /dev/urandom >file
for radix in 64 2; do
    for files in '' '--preload-files file'; do
        start=$(date +%s.%N)
        host exec h1 mpirun.openmpi --mca plm_rsh_agent /run/hosts/bin/ssh --mca routed_radix $radix --bind-to none \
            --host h2:1,h3:1,h4:1,h5:1,h6:1,h7:1,h8:1 $files true
        echo "radix $radix $files: $(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }') s"
    done
done
host count
