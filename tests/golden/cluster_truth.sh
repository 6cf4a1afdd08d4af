#!/usr/bin/env bash
# What `synth cluster` says that the GPU-time of its cluster went into, against other ways to work that out: the
# dump of the scheduler, the logs, and the launches played forward; and the same of the GPUs of its nodes. The same seed gives the same bytes.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "cluster_truth: $*" >&2
    exit 1
}
size="--nodes 32 --days 40 --jobs 1000 --runs 6 --faults 90 --zone UTC"
begin=$(date -d 2026-03-01T00:00:00Z +%s) end=$(date -d 2026-04-10T00:00:00Z +%s)
for seed in ${HINDCAST_SEEDS:-1 2 3 4}; do
    rm -rf made
    "$hindcast" synth cluster -q $size --seed "$seed" -o made
    python3 "$root/tests/support/cluster_truth.py" made 32 "$begin" "$end" || fail "seed $seed"
    cat made/truth/account.csv >>all.csv
done
for other in 1 2; do
    rm -rf bursty
    "$hindcast" synth cluster -q $size --seed "$other" --model bursty -o bursty
    python3 "$root/tests/support/cluster_truth.py" bursty 32 "$begin" "$end" noisy || fail "bursty, seed $other"
    tail -n +2 bursty/truth/faults.csv | cut -d, -f3 >>"$other.times"
done
# Gaps between faults in bursts: their spread is 1.76 times their mean, of a constant rate 1 (about 120 gaps each).
cat ./*.times | awk 'NR > 1 && $1 > last { n++; gap = $1 - last; sum += gap; squares += gap ^ 2 } { last = $1 }
    END { mean = sum / n; exit !(sqrt(squares / n - mean ^ 2) / mean > 1.25) }' || fail 'no bursts'
for leaf in startup.image,planned startup.load,infrastructure lost_work,infrastructure lost_work,user lost_work,planned \
    detection,infrastructure recovery,user checkpoint.stall,none evaluation,none idle_after,none; do
    grep -q ",$leaf," all.csv || fail "nothing of $leaf, so nothing is tested"
done
# A cluster that is so full that jobs wait, though some GPUs are idle.
"$hindcast" synth cluster -q --nodes 12 --days 10 --jobs 6000 --runs 2 --faults 200 --zone UTC --queue-days 10 -o full
python3 "$root/tests/support/cluster_truth.py" full 12 "$begin" $((begin + 10 * 86400)) || fail 'a full cluster'
awk -F, 'NR > 1 { down += $4; drained += $5; idle += $6; wanted += $7 }
    END { exit !(down && drained && wanted && wanted < idle) }' full/truth/installed.csv || fail 'nothing waits, or fails'
# What was looked at each ten minutes: the jobs that ran and waited then.
cat full/queue/*.txt | awk -F'|' '/^2026/ { n++; at = $0; next } /^JOBID/ { next } { print at "|" $1 "|" $5 }
    END { if (n != 1440) exit 1 }' >looks || fail 'other looks than there should be'
awk -F, -v OFS='|' 'NR > 1 { print $2 ($4 == "" ? "" : "_" $4), $8, $9, $10 }' full/truth/attempts.csv |
    TZ=UTC awk -F'|' -v begin="$begin" '{
        for (t = begin; t < begin + 864000; t += 600)
            if ($2 <= t && ($4 == "" || $4 > t))
                print strftime("%Y-%m-%dT%H:%M:%S+00:00", t) "|" $1 "|" ($3 != "" && $3 <= t ? "RUNNING" : "PENDING")
        }' | sort >expected
sort looks | cmp -s - expected || fail "other jobs in the queue: $(sort looks | diff expected - | head -n 3)"
"$hindcast" synth cluster -q $size --seed "$seed" -o again
diff -r made again >/dev/null || fail 'the same options, other bytes'
