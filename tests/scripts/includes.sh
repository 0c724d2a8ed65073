# includes.sh - lint refuses what the mission includes from the simulator, and what points to the right
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
lint=$PWD/tools/lint-includes
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
bad=0

# try STATUS FOLDER HEADER: of a file in the folder that includes the header
try()
{
    mkdir -p "$2"
    printf '#include "%s"\n' "$3" >"$2/try.c"
    awk -f "$lint" "$2/try.c" >out
    status=$?
    [ "$status" -eq "$1" ] || { echo "$2 includes $3: status $status, not $1: $(cat out)"; bad=1; }
}

for folder in base topo model/wave design/search tanbench/plan page tanbench/ranks cmd/tan-design; do
    try 1 "$folder" sim/schedule/schedule.h
done
try 0 sim/schedule model/machine/machine.h
try 1 sim/schedule design/search/search.h
try 1 sim/tracer topo/tree.h
try 0 sim/cmd sim/view/result_report.h
try 1 model/wave design/search/search.h
exit $bad
