#!/usr/bin/env bash
# The C library picks variants of exp, log and pow by CPU, which differ in the last bit. No output may
# show that: with the variants of a CPU without FMA and AVX2, every byte is the same.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
other=(env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-FMA4)

# Whether this CPU and this C library have a choice, by the last digits of many values.
sums() {
    "$@" awk 'BEGIN { for (i = 1; i < 20000; i++) { s += exp(i / 3000) % 1; t += log(i * 1.1) } printf "%.17g %.17g\n", s, t }'
}
if [ "$(sums)" = "$(sums "${other[@]}")" ]; then
    echo "any_cpu: skipped, the C library has one variant here"
    exit 77
fi

everything() {
    for file in "$SOURCE_DIR"/data/samples/incidents/*.*; do
        "$@" report reliability --fits --lemons --nodes 400 --json "$file"
    done
    "$@" report reliability --json --compare-from 2026-02-01 --nodes 400 \
        "$SOURCE_DIR/data/samples/incidents/cluster.jsonl" || true
    "$@" simulate --replicas 4 --json "$SOURCE_DIR/tests/scenarios/right/recorded.json"
    "$@" whatif --json "$SOURCE_DIR/tests/fixtures/straggler/trace-launch.csv"
}
everything "$HINDCAST" >"$work/here" 2>/dev/null
everything "${other[@]}" "$HINDCAST" >"$work/other" 2>/dev/null
cmp "$work/here" "$work/other"
[ "$(grep -c '"log_likelihood"' "$work/here")" -gt 20 ]
