#!/bin/sh
# Exact worker slowdowns, fix curves and Shapley values of the eight straggler fixtures against those of an
# independent program (tests/fixtures/depth), to 1e-12: all times are whole nanoseconds in both.
# Needs HINDCAST (the program).
set -u

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
fixtures=$source_dir/tests/fixtures
: "${HINDCAST:?must name the program}"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

for name in absts clamp dp1 launch noop1 ovlp pp1 vpp2; do
    "$HINDCAST" whatif -q --csv "$out/$name" "$fixtures/straggler/trace-$name.csv" >"$out/text" || exit 1
    # Fields of fixes.csv are counted from the end: names in quotes hold commas.
    awk -F, -v n="$name" 'FNR > 1 { print n ",workers," $1 "," $5 }' "$out/$name/workers.csv"
    awk -F, -v n="$name" 'FNR > 1 { print n ",fixes," $1 " " $2 "," $(NF - 2) }' "$out/$name/fixes.csv"
    awk -F, -v n="$name" 'FNR > 1 { print n ",shapley," $1 "," $3 }' "$out/$name/shapley.csv"
done >"$out/figures.csv"

awk -F, '
    FNR == 1 && NR == 1 { next }
    FNR == NR { expected[$1 "," $2 "," $3] = $4; n++; next }
    {
        key = $1 "," $2 "," $3
        if (!(key in expected)) { print "FAIL " key ": not expected"; bad = 1; next }
        d = $4 - expected[key]
        if (d > 1e-12 || d < -1e-12) { print "FAIL " key ": " $4 ", expected " expected[key]; bad = 1 }
        delete expected[key]
    }
    END {
        for (key in expected) { print "FAIL " key ": missing"; bad = 1 }
        print n " figures compared"
        exit bad || !n
    }' "$fixtures/depth/depth.csv" "$out/figures.csv"
