#!/usr/bin/env bash
# The what-if against the outputs of the OSDI'25 artifact: every field of result, ms and mw of the eight
# fixtures, which must be there.
set -u
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
source "$source_dir/tests/golden/published_outputs.bash"
fixtures=$source_dir/tests/fixtures/straggler
for name in absts clamp dp1 launch noop1 ovlp pp1 vpp2; do
    if [ ! -f "$fixtures/trace-$name.csv" ]; then
        echo "FAIL $name: $fixtures/trace-$name.csv is not there; these tests must not be skipped"
        failures=$((failures + 1))
        continue
    fi
    compare "$name" "$fixtures/trace-$name.csv" "$fixtures"
done
conclude
