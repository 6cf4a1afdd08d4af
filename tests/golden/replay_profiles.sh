#!/usr/bin/env bash
# Scenarios on profiler traces: what `hindcast whatif` answers of them, written as edits, is the same to the
# nanosecond, of made-up jobs and of real traces; planted causes are recovered as the truth has them; pairs of
# edits that must agree do; what has no meaning is refused where it stands.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HINDCAST_ARCHIVE
export LC_ALL=C
cd "$work"
shared=${HINDCAST_SHARED:-$SOURCE_DIR/../shared}

"$hindcast" synth kineto -q --dp 4 --pp 2 --steps 6 --slow-rank 2,1.5 --late-host 1,3 --pause 3,12,5 \
    --slow-link 4,5,3 --clock-spread-ms 2 --jitter-cv 0.02 -o mixed
"$hindcast" synth kineto -q --dp 3 --steps 3 --layers 2 --pause 1,11,4 --no-seq --lost 0.01 --seed 5 -o lost
"$hindcast" synth kineto -q --dp 4 --steps 5 --slow-rank 2,1.4 -o slow-rank
"$hindcast" synth kineto -q --dp 4 --steps 5 --late-host 1,5 -o late-host
"$hindcast" synth kineto -q --dp 4 --steps 5 --slow-kernel 3,2,gemm -o slow-kernel
"$hindcast" synth kineto -q --dp 4 --steps 5 -o healthy
real=("$shared"/data/kineto-hta/critical_path/alexnet "$shared"/data/kineto-hta/critical_path/cuda_event_sync
    "$shared"/data/kineto-hta/timeline_analysis/sampled_rank-0.json.gz
    "$shared"/data/kineto-hta/trace_file_list/inference_rank_1.json.gz)
there=()
for one in "${real[@]}"; do
    [ ! -e "$one" ] || there+=("$one")
done
[ ${#there[@]} -gt 0 ] || echo "without $shared/data/kineto-hta: real traces are not tried"
python3 "$SOURCE_DIR/tests/support/replay_profiles.py" "$hindcast" "${there[@]}"

# A lifetime takes its step time from a replay of profiler traces as from one of a timeline.
cat > mend.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "slow-rank"},
 "edits": {"mend": {"select": {"rank": 2}, "replace": "ideal"}}, "variants": {"mended": ["mend"]}}
END
"$hindcast" simulate mend.json --json > mend.out
"$hindcast" simulate mend.json --threads 2 --json | cmp - mend.out
"$hindcast" ingest -q -a archive slow-rank > /dev/null 2>&1 || { echo "FAILED: ingest of profiler traces"; exit 1; }
job=$("$hindcast" ls -a archive --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["jobs"][0]["id"])')
sed "s|{\"file\": \"slow-rank\"}|{\"job\": \"$job\"}|" mend.json > job.json
"$hindcast" simulate job.json -a archive --json > job.out
python3 - <<'END'
import json
of_file, of_job = (json.load(open(name))["runs"] for name in ("mend.out", "job.out"))
assert [run["steps"] for run in of_file] == [run["steps"] for run in of_job], "the archive has other steps"
END
echo "profiler traces: as whatif has them"
