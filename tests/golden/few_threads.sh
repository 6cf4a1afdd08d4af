#!/usr/bin/env bash
# Where fewer threads can be made than are asked for, a command goes on with those that can, says so, and gives the
# same bytes and the same exit status; libgomp would end it with 1. The limit is that of processes (RLIMIT_NPROC),
# which holds for a user other than root: the commands run as one that has no other process.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v setpriv >/dev/null && command -v prlimit >/dev/null || { echo "skipped: no setpriv or prlimit"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: only root can become a user without processes"; exit 77; }
uid=$((1000000000 + $$))
setpriv --reuid=$uid --clear-groups true 2>/dev/null || { echo "skipped: setpriv cannot change the user"; exit 77; }
# The leak sanitizer looks for leaks in a process of its own, which the limit forbids.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022 # another user reads what is made here
chmod 755 "$work"
cp "$hindcast" "$work/hindcast"
chmod 755 "$work/hindcast"
cd "$work"
setpriv --reuid=$uid --clear-groups ./hindcast --version >/dev/null 2>&1 ||
    { echo "skipped: another user may not enter $work"; exit 77; }
mkdir at
cat >job.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 200, "job": {"nodes": 64, "work_d": 5},
 "faults": {"m": {"class": "explicit", "per_1000_node_days": 40, "remedy": "evict", "detect_s": 60}},
 "recovery": {"warm_standbys": 1, "replenish_h": 6, "reschedule_s": 700},
 "sweep": [{"path": "/recovery/warm_standbys", "values": [0, 1, 2]}]}
END
for i in 1 2 3; do
    ./hindcast synth steps --dp 4 --pp 4 --steps 20 --seed $i -o at/job-$i.csv 2>/dev/null
done
./hindcast ingest --archive at/archive at/job-*.csv >/dev/null 2>&1

failed=0
# try NAME LIMIT ARGUMENT...: as without the limit
try() {
    local name=$1 limit=$2 free=0 bound=0
    shift 2
    ./hindcast "$@" --threads 8 >free.out 2>free.err || free=$?
    setpriv --reuid=$uid --clear-groups prlimit --nproc="$limit" ./hindcast "$@" --threads 8 >bound.out 2>bound.err || bound=$?
    if [ $free != $bound ] || ! cmp -s free.out bound.out; then
        echo "FAIL: $name, $limit processes: exit $bound, not $free: $(tail -n 1 bound.err)"
        failed=1
    fi
    grep -q "threads can be made" bound.err || { echo "FAIL: $name, $limit processes: nothing is said"; failed=1; }
}
for limit in 1 3; do
    try simulate $limit simulate --json job.json
    try whatif $limit whatif --json at/job-1.csv
    try "whatif --all" $limit whatif --all --no-cache --archive at/archive --json
    try "synth steps" $limit synth steps --dp 8 --pp 4 --steps 40
done
exit $failed
