#!/usr/bin/env bash
# The account of a made-up cluster against what was done in it, and what must not change it: the order in which
# records are read, compressed logs, days reported one by one, a zone whose clocks change, a dump read twice, an archive
# that was compacted.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "night_truth: $*" >&2
    exit 1
}
hindcast() { "$hindcast" "$@"; }
records="made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log"
# read_all ARCHIVE: the records, then the logs, whose stamps are of Berlin.
read_all() {
    hindcast ingest -q -a "$1" $records >/dev/null
    hindcast ingest -q -a "$1" --zone Europe/Berlin made/logs/*/*.out >/dev/null
}
whole() { hindcast report nightly -a "$1" --date 2026-04-09 --days 40 --json; }
# Of a report all but its name of the archive, the run that wrote it, and the options it was asked for; and findings,
# which watch how old sources are by the days of their segments.
same() {
    python3 -c 'import json, sys
report = json.load(sys.stdin)
for key in ("archive", "run", "run_id", "command", "argv", "created", "inputs", "findings", "rows"):
    report.pop(key, None)
json.dump(report, sys.stdout, indent=1)' <"$1"
}

size="--nodes 32 --days 40 --jobs 400 --runs 6 --faults 90"
for seed in ${HINDCAST_SEEDS:-1 2 6 7}; do
    rm -rf made a
    hindcast synth cluster -q $size --seed "$seed" -o made
    read_all a
    hindcast report nightly -a a --date 2026-04-09 --days 40 --explain all --csv - >slices.csv
    python3 "$root/tests/support/night_truth.py" made slices.csv || fail "seed $seed"
done

whole a >whole.json
same whole.json >whole
grep -q '"adds_up": true' whole.json || fail "the leaves do not add up"

# Logs first, compressed, the last one first; records in another order, and the dump twice.
rm -rf b packed
cp -r made/logs packed
gzip packed/*/*.out
# shellcheck disable=SC2046
hindcast ingest -q -a b --zone Europe/Berlin $(printf '%s\n' packed/*/*.gz | sort -r) >/dev/null
# shellcheck disable=SC2046
hindcast ingest -q -a b $(printf '%s\n' $records | tac) >/dev/null
hindcast ingest -q -a b made/slurm/sacct.txt >/dev/null
whole b >b.json
same b.json | sed "s|packed/|made/logs/|g; s|\.out\.gz|.out|g" >again
diff whole again >/dev/null || { diff whole again | head -20; fail "read in another order, the account is another"; }

hindcast archive compact -q -a b --older 2026-05-01 >/dev/null
whole b >b.json
same b.json | sed "s|packed/|made/logs/|g; s|\.out\.gz|.out|g" >again
diff whole again >/dev/null || { diff whole again | head -20; fail "compacted, the account is another"; }

# Reports of a day one by one, and one of all of them: 40 days of UTC, and 10 of a zone where one of them has 23 hours.
for zone in UTC:2026-03-01:40 Europe/Berlin:2026-03-24:10; do
    IFS=: read -r zone first n_days <<<"$zone"
    at() { date -u -d "$first + $1 days" +%F; }
    hindcast report nightly -a a --zone "$zone" --date "$(at $((n_days - 1)))" --days "$n_days" --json >all.json
    : >days.json
    for ((day = 0; day < n_days; day++)); do
        hindcast report nightly -a a --zone "$zone" --date "$(at $day)" --json >>days.json
    done
    python3 - all.json days.json "$zone" "$n_days" <<'END' || fail "one by one, the days of $zone are others"
import json, sys, collections
text = open(sys.argv[2]).read()
decoder, at, sums, totals, hours = json.JSONDecoder(), 0, collections.Counter(), 0, []
def leaves(report):
    return {(l["what"], l["why"], l["evidence"]): int(l["gpu_ns"]) for l in report["leaves"] if int(l["gpu_ns"])}
while at < len(text.rstrip()):
    report, at = decoder.raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    sums.update(leaves(report))
    totals += int(report["totals"]["gpu_ns"])
    hours.append(report["days"][-1]["hours"])
whole = json.load(open(sys.argv[1]))
assert len(hours) == int(sys.argv[4]), len(hours)
assert leaves(whole) == dict(sums), set(leaves(whole).items()) ^ set(sums.items())
assert int(whole["totals"]["gpu_ns"]) == totals
assert hours.count(23) == (sys.argv[3] != "UTC"), hours
END
done
