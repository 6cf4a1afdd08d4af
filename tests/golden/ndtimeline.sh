#!/usr/bin/env bash
# A raw log of ndtimeline with the ops of a sample gives the figures of the sample: the same times, written as
# milliseconds of a global clock, a line for each metric of a worker over two steps. No log of a real job was at hand.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
expect() { [ "$2" = "$3" ] || fail "$1: '$2' in place of '$3'"; }
sample=$root/data/samples/trace-slow-stage.csv.gz

# Rows by worker, op type, pair of steps, step and seq; a line for each of the first three.
zcat "$sample" | tail -n +2 | awk -F, -v OFS=, '{ print $1, $2, $3, $5, int($4 / 2), $4, $8, $6, $7 }' |
    sort -t, -k1,1n -k2,2n -k4,4 -k5,5n -k6,6n -k7,7n >rows
awk -F, '
function flush() {
    if (key == "") return
    printf "2026-11-23 03:00:00,123 - metric_name: %s, elapsed: 1.5, recent_elapsed_raw_parts: [%s], recent_since_start_raw_parts: [%s], tags: [{}, {}], step_range: range(%d, %d), world_info: WorldInfo: TopoInfo(rank=%d, local_rank=0, dp_rank=%d, ddp_rank=9, tp_rank=0, pp_rank=%d, dp_size=2, ddp_size=2, tp_size=1, pp_size=4, world_size=8, ip=\x27\x27) TrainingInfo(role_id=0, trial_id=\x27a\x27, run_id=7) {}\n", name, durations, starts, first, last + 1, rank, dp, stage
}
{
    if ($1 "," $2 "," $4 "," $5 != key) {
        flush()
        key = $1 "," $2 "," $4 "," $5; name = $4; first = $6; dp = $1; stage = $2; rank = $3
        durations = starts = ""; separator = ""
    }
    last = $6
    durations = durations separator sprintf("%.6f", $9 * 1000)
    starts = starts separator sprintf("%.6f", $8 * 1000)
    separator = ", "
}
END { flush() }' rows >timeline_run7_raw.log
sed -i '2i 2026-11-23 03:00:00,200 - another logger says nothing of metrics' timeline_run7_raw.log
cp "$root/data/samples/meta-slow-stage.yaml" meta.yaml

"$hindcast" whatif "$sample" --meta meta.yaml --csv - >of_sample
"$hindcast" whatif timeline_run7_raw.log --meta meta.yaml --csv - >of_log 2>warnings || fail "the log is refused: $(cat warnings)"
figures() { grep -vE '^(source|sha256|source_size|format|rows_read|run|label|id)' "$1"; }
cmp -s <(figures of_sample) <(figures of_log) || fail "figures differ: $(diff <(figures of_sample) <(figures of_log) | head -n 5)"

# The same, packed, in an archive; and what is damaged is counted.
gzip -k timeline_run7_raw.log
"$hindcast" ingest -a archive timeline_run7_raw.log.gz --meta meta.yaml >/dev/null
expect "archive" "$("$hindcast" ls -a archive | awk 'NR == 2 { print $NF }')" ndtimeline
head -n 1 timeline_run7_raw.log | sed 's/recent_elapsed_raw_parts: \[[^,]*,/recent_elapsed_raw_parts: [/' >short.log
cat timeline_run7_raw.log >>short.log
"$hindcast" ingest -a archive short.log --meta meta.yaml >warnings 2>&1 || fail "one bad line: $(cat warnings)"
grep -q "as many durations as starts are expected" warnings || fail "said: $(cat warnings)"
sed 's/step_range: range([0-9]*, [0-9]*)/step_range: None/' timeline_run7_raw.log >none.log
if "$hindcast" whatif none.log --meta meta.yaml >/dev/null 2>warnings; then fail "no steps"; fi
grep -q "no step_range" warnings || fail "said: $(cat warnings)"
[ ! -e failures ]
