#!/usr/bin/env bash
# The what-if against the outputs of the OSDI'25 artifact: every field of result, ms and mw of the traces
# AR and ST.
set -u
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
published=${HINDCAST_SHARED:-$source_dir/../shared}/data/bytedance-straggler/data
[ -r "$published/trace-AR.parquet" ] || { echo "skipped: '$published' is not there (set HINDCAST_SHARED)"; exit 77; }
source "$source_dir/tests/golden/published_outputs.bash"
for name in AR ST; do
    compare "$name" "$published/trace-$name.parquet" "$published"
done
conclude
