# simulated_answers.sh - output of tanbench for simulated ranks, which is reproducible everywhere
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
bin=${BUILD:-build}/bin
if [ ! -e "$bin/../mpi/smpicc/tanbench-simulated" ]; then
    echo 'needs SimGrid (libsimgrid-dev)'
    exit 77
fi
version=$(smpirun -version | sed -n 's/^SimGrid version //p')
if [ "$version" != 3.32 ]; then
    echo "the times were recorded with SimGrid 3.32, and this is ${version:-another}"
    exit 77
fi
exec tests/cli/run tests/scripts/simulated_answers.test
