#!/bin/sh
# The what-if against the outputs that the OSDI'25 artifact published: every field of result, ms and
# mw of the eight fixtures (which must be there), and of the traces AR and ST where they are at hand.
# Needs HINDCAST (the program) and COMPARE_RESULTS (tests/tools/compare_results).
set -u

source_dir=$(cd "$(dirname "$0")/../.." && pwd)
fixtures=$source_dir/tests/fixtures/straggler
shared=${HINDCAST_SHARED:-$source_dir/../shared}
published=$shared/data/bytedance-straggler/data
: "${HINDCAST:?must name the program}" "${COMPARE_RESULTS:?must name compare_results}"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
failures=0

# compare NAME TRACE DIRECTORY_OF_THE_PUBLISHED
compare() {
    mkdir "$out/$1"
    if ! "$HINDCAST" whatif --compat "$out/$1" "$2" >"$out/$1/stdout"; then
        echo "FAIL $1: hindcast whatif failed on $2"
        failures=$((failures + 1))
        return
    fi
    for kind in result ms mw; do
        if ! "$COMPARE_RESULTS" "$out/$1/$kind-$1.json" "$3/$kind-$1.json"; then
            echo "FAIL $1: $kind differs from the published"
            failures=$((failures + 1))
        fi
    done
}

for name in absts clamp dp1 launch noop1 ovlp pp1 vpp2; do
    if [ ! -f "$fixtures/trace-$name.csv" ]; then
        echo "FAIL $name: $fixtures/trace-$name.csv is not there; these tests must not be skipped"
        failures=$((failures + 1))
        continue
    fi
    compare "$name" "$fixtures/trace-$name.csv" "$fixtures"
done
for name in AR ST; do
    if [ ! -f "$published/trace-$name.parquet" ]; then
        echo "SKIP $name: $published/trace-$name.parquet is not there (set HINDCAST_SHARED)"
        continue
    fi
    compare "$name" "$published/trace-$name.parquet" "$published"
done
[ "$failures" -eq 0 ] && echo "all equal" || echo "$failures failures"
[ "$failures" -eq 0 ]
