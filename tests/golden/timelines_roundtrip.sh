#!/usr/bin/env bash
# Timelines of the fixtures, exported and read back.
set -u
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
source "$source_dir/tests/golden/roundtrip.bash"
for name in absts dp1 launch noop1 ovlp pp1 vpp2; do
    trip $name "$source_dir/tests/fixtures/straggler/trace-$name.csv"
done
[ "$failures" -eq 0 ]
