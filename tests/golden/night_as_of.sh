#!/usr/bin/env bash
# What `--as-of` says was known at a time is what an archive says of which nothing later was recorded: jobs that ran
# then are running, logs and events end there. In quiet times, while a run starts up, just behind a failure, and behind
# the first step of a launch of which no line was told yet.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
python3 -c 'import zoneinfo; zoneinfo.ZoneInfo("Europe/Berlin")' 2>/dev/null || { echo "skipped: no zones in Python"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "night_as_of: $*" >&2
    exit 1
}
read_all() { # directory, of which the archive is a
    "$hindcast" ingest -q -a "$1/a" "$1"/slurm/sacct.txt "$1"/slurm/events.txt "$1"/kernel/journal.json "$1"/starts/marks.log >/dev/null
    "$hindcast" ingest -q -a "$1/a" --zone Europe/Berlin "$1"/logs/*/*.out >/dev/null
}
night() { # directory, time
    "$hindcast" report nightly -a "$1/a" --date "${2%T*}" --days 3 --as-of "${2}Z" --explain all --csv - | sed "s|$1/||"
    "$hindcast" report nightly -a "$1/a" --date "${2%T*}" --days 3 --as-of "${2}Z" | sed "s|$1/||"
}
"$hindcast" synth cluster -q --nodes 32 --days 40 --jobs 400 --runs 6 --faults 90 --seed 2 -o full
read_all full
for time in ${HINDCAST_TIMES:-2026-03-03T11:29:13 2026-03-05T13:37:11 2026-03-10T14:36:58 2026-03-18T21:05:00}; do
    rm -rf cut
    python3 "$root/tests/support/cut_cluster.py" full cut "$time"
    read_all cut
    night full "$time" >full.txt
    night cut "$time" >cut.txt
    [ "$(wc -l <full.txt)" -gt 100 ] || fail "$time: hardly a slice, so nothing is tested"
    diff full.txt cut.txt >differences || { head -20 differences >&2; fail "$time: what was recorded later shows"; }
done
