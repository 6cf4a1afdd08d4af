#!/usr/bin/env bash
# Slowness put into a job by a scenario, and taken out again: it takes what it should.
# - AR: its slow worker mended, then slowed by the factors that its own trace shows: S comes back within 1 %.
# - Clean synthetic jobs of random shapes (12, or HINDCAST_SHAPES): one worker is slowed by a scenario; the generator makes the same job
#   with that worker slow from the start. Both have the same step time within 0.5 %, and so has the slow one with
#   its worker put at the mean of its stage's other ranks against the clean one.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data/bytedance-straggler
shapes=${HINDCAST_SHAPES:-12}
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
touch failures
fail() { echo "FAIL: $*" | tee -a failures; }
# within SHARE A B WHAT
within() { awk -v s="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(a - b <= s * b && b - a <= s * b) }' ||
    fail "$4: $2 against $3"; }

# ---- AR ----
if [ -d "$shared" ]; then
    cp "$shared/csv/trace-AR.csv.gz" "$shared/data/meta-AR.yaml" .
    cat >peers.json <<'END'
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "trace-AR.csv.gz"},
 "edits": {"mend": {"select": {"worker": ["0/0"], "op": ["forward-compute", "backward-compute"]},
                    "replace": {"with": "mean", "by": ["op", "stage"], "over": "others"}},
           "forward": {"select": {"worker": ["0/0"], "op": "forward-compute"}, "scale": 1},
           "backward": {"select": {"worker": ["0/0"], "op": "backward-compute"}, "scale": 1}}}
END
    # What the trace shows: the mean pass of the worker over that of its peers.
    for pass in forward backward; do
        gzip -dc trace-AR.csv.gz | awk -F, -v type="$pass-compute" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["optype"] == type && $at["stage"] == 0 { s[$at["dp_rank"] == 0] += $at["duration"]; n[$at["dp_rank"] == 0]++ }
            END { printf "%.12g", s[1] / n[1] / (s[0] / n[0]) }' >"$pass.factor"
    done
    "$hindcast" simulate -q --json peers.json >mended.json
    "$hindcast" simulate -q --json --set "/edits/forward/scale=$(<forward.factor)" \
        --set "/edits/backward/scale=$(<backward.factor)" peers.json >slowed.json
    was=$("$hindcast" whatif -q --json trace-AR.csv.gz | jq .figures.slowdown)
    is=$(jq '.runs[0].figures.own_slowdown.mean' slowed.json)
    mended=$(jq '.runs[0].figures.own_slowdown.mean' mended.json)
    echo "AR: S $was; mended $mended; slowed again by $(<forward.factor) and $(<backward.factor): $is"
    within 0.01 "$is" "$was" "AR slowed again"
    awk -v s="$mended" 'BEGIN { exit !(s < 1.08) }' || fail "AR mended has still S $mended"
fi

# ---- clean jobs ----
RANDOM=16
most=0
for i in $(seq "$shapes"); do
    dp=$((RANDOM % 7 + 2)) pp=$((RANDOM % 6 + 1)) m=$((RANDOM % 3 + 1))
    d=$((RANDOM % dp)) s=$((RANDOM % pp)) percent=$((RANDOM % 140 + 10))
    factor=$(awk -v p="$percent" 'BEGIN { print 1 + p / 100 }')
    shape=(--dp "$dp" --pp "$pp" --microbatches $((m * pp + 2)) --steps 8 --seed "$i" --launch-ms 0 --compute-cv 0.01)
    [ $((RANDOM % 2)) = 0 ] || shape+=(--overlap-dp)
    "$hindcast" synth steps -q "${shape[@]}" -o trace-clean.csv
    "$hindcast" synth steps -q "${shape[@]}" --slow-worker "$d,$s,$factor" -o trace-slow.csv
    cat >inject.json <<END
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "trace-clean.csv"},
 "edits": {"slow": {"select": {"worker": ["$d/$s"], "op": ["forward-compute", "backward-compute", "optimizer"]}, "scale": $factor}},
 "variants": {"slow": ["slow"]}}
END
    cat >mend.json <<END
{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "trace-slow.csv"},
 "edits": {"mend": {"select": {"worker": ["$d/$s"], "op": ["forward-compute", "backward-compute", "optimizer"]},
                    "replace": {"with": "mean", "by": ["op", "stage"], "over": "others"}}},
 "variants": {"mend": ["mend"]}}
END
    "$hindcast" simulate -q --json inject.json >injected.json
    "$hindcast" simulate -q --json mend.json >mended.json
    read -r clean slow slow_base < <(jq -r '[.runs[0].figures.step_s.mean, .runs[1].figures.step_s.mean,
        .runs[1].figures.slowdown.mean] | join(" ")' injected.json)
    read -r built peers < <(jq -r '[.runs[0].figures.step_s.mean, .runs[1].figures.step_s.mean] | join(" ")' mended.json)
    what="dp $dp, pp $pp, worker $d/$s times $factor"
    within 0.005 "$slow" "$built" "$what: put in by the scenario, against built in"
    within 0.005 "$(awk -v a="$built" -v b="$peers" 'BEGIN { print a / b }')" \
        "$(awk -v a="$built" -v b="$clean" 'BEGIN { print a / b }')" "$what: T over T with the worker as its peers"
    # The ideal of the clean job is that of its own means: slowdown is what was built in over it.
    ideal=$(awk -v a="$slow" -v b="$slow_base" 'BEGIN { print a / b }')
    within 0.005 "$slow_base" "$(awk -v a="$built" -v b="$ideal" 'BEGIN { print a / b }')" "$what: slowdown"
    most=$(awk -v m="$most" -v a="$slow" -v b="$built" 'BEGIN { x = a / b - 1; x = x < 0 ? -x : x; print (x > m ? x : m) }')
done
echo "$shapes shapes: the step with slowness put in is at most $(awk -v m="$most" 'BEGIN { printf "%.2g %%", 100 * m }') off that with it built in"
[ ! -s failures ]
