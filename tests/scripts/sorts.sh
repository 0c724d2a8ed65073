# sorts.sh - no output depends on qsort being stable
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitized: no
set -u
[ -z "${SANITIZE:-}" ] || { echo "sanitizers must be loaded first"; exit 77; }
. tests/no-blanks
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export HOME="$dir" XDG_CONFIG_HOME="$dir" LC_ALL=C.UTF-8
bin=${BUILD:-build}/bin
failures=0
${CC:-cc} -O1 -shared -fPIC -o "$dir/sorts.so" tests/scripts/sorts.c || exit 1

# The first answer has to be one: two failures are alike, too.
same()
{
    "$@" >"$dir/stable" 2>&1
    status=$?
    [ $status -eq 0 ] || { echo "FAILED: $* ends with $status: $(head -n 1 "$dir/stable")"; failures=$((failures + 1)); }
    LD_PRELOAD="$dir/sorts.so" "$@" >"$dir/unstable" 2>&1
    cmp -s "$dir/stable" "$dir/unstable" && return
    echo "FAILED: $*"
    diff "$dir/stable" "$dir/unstable" | head -n 6
    failures=$((failures + 1))
}

printf 'h%d\n' 1 2 3 4 5 6 7 8 >"$dir/hosts"
printf '%s' '{"schema": "tan-machine/1", "name": "two tiers", "tan": {"L_us": 200, "a_us": 20, "b_us": 6, "c_us": 0.2},
    "tiers": [{"name": "host", "L_us": 10, "a_us": 5, "b_us": 2}]}' >"$dir/tiers.json"
for leaves in 2 3 5 6 7 8 12 30 60 64 100 210 256 1000 4096 10000; do
    for more in "" "--max-fanout=4" "--max-height=3" "--objective=period" "--objective=processes" "--model=logp-serial"; do
        # shellcheck disable=SC2086
        same "$bin/tan-design" --leaves $leaves --machine cab --top 50 $more
    done
    same "$bin/tan-design" --leaves $leaves --machine cab --json - --top 50
    same "$bin/tan-design" --leaves $leaves --latency 2us --overhead 1us --top 50
    same "$bin/tan-design" --leaves $leaves --machine cab --targets
    same "$bin/tan-design" --leaves $leaves --machine cab --pareto latency,processes
    same "$bin/tan-design" --leaves $leaves --machine cab --compare kary:2:$leaves nto1:$leaves binary:$leaves
done
for leaves in 2 4 9 24; do
    same "$bin/tan-design" --leaves $leaves --hosts "$dir/hosts" --ranks-per-host 4 --machine "$dir/tiers.json" --top 50
done
for target in clustershell flux mpich openmpi prrte slurm ucc; do
    same "$bin/tan-design" --members 60 --target $target --machine cab
done
for collective in allreduce alltoall barrier bcast reduce; do
    for ranks in 2 4 8; do
        same "$bin/tan-sim" run --pattern $collective:$ranks
    done
done
exit $((failures > 0))
