#!/usr/bin/env bash
# Timelines of the published traces AR and ST, exported and read back.
set -u
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
published=${HINDCAST_SHARED:-$source_dir/../shared}/data/bytedance-straggler/data
[ -r "$published/trace-AR.parquet" ] || { echo "skipped: '$published' is not there (set HINDCAST_SHARED)"; exit 77; }
source "$source_dir/tests/golden/roundtrip.bash"
for name in AR ST; do
    trip $name "$published/trace-$name.parquet"
done
[ "$failures" -eq 0 ]
