# simulated_answers.sh - output of tanbench for simulated ranks, which is reproducible everywhere
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
bin=${BUILD:-build}/bin
. tests/scripts/simgrid
needs_simgrid tanbench-simulated
version=$(smpirun -version | sed -n 's/^SimGrid version //p')
if [ "$version" != 3.32 ]; then
    echo "needs SimGrid 3.32, with which the times were recorded, and this is ${version:-another}"
    exit 77
fi
exec tests/cli/run tests/scripts/simulated_answers.test
