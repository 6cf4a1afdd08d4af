#!/usr/bin/env bash
# The same bytes for any number of threads, from a file and from an archive (whose lock names its last
# holder).
set -euo pipefail
: "${HINDCAST:?the program to test}" "${SOURCE_DIR:?the source tree}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fixtures=$SOURCE_DIR/tests/fixtures/straggler
"$HINDCAST" synth steps --dp 6 --pp 3 --vpp 2 --microbatches 6 --steps 30 --slow-worker 2,1,1.4 \
    --seed 5 -o "$work/trace-made.parquet"
for trace in "$fixtures/trace-launch.csv" "$fixtures/trace-clamp.csv" "$work/trace-made.parquet"; do
    name=$(basename "$trace")
    for threads in 1 2 4; do
        mkdir -p "$work/compat-$threads"
        "$HINDCAST" ingest -q -a "$work/archive-$threads" --threads $threads "$trace" >/dev/null
        "$HINDCAST" whatif --threads $threads --json --compat "$work/compat-$threads" "$trace" \
            >"$work/json-$threads"
        "$HINDCAST" whatif --threads $threads "$trace" >"$work/text-$threads"
    done
    for threads in 2 4; do
        for kind in json text compat archive; do
            diff -r -x lock "$work/$kind-1" "$work/$kind-$threads" >&2 ||
                { echo "$name: $kind differs between 1 and $threads threads" >&2; exit 1; }
        done
    done
    echo "$name: same bytes for 1, 2 and 4 threads"
done
