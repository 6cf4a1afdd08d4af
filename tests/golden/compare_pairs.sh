#!/usr/bin/env bash
# Two timelines compared: `compare A B` and `compare B A` are mirror images; a planted cause is named where
# it was planted, and nothing else is; the same bytes for any number of threads, from a file and from an
# archive.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
fail() { echo "FAIL: $*" | tee -a failures; }
compare() { "$hindcast" compare -q --json "$@"; }
# is WORDS FILE EXPRESSION: the expression of jq holds.
is() { jq -e "$3" "$2" >/dev/null || fail "$1: $(jq -c '.sentence' "$2")"; }

synth() {
    "$hindcast" synth steps -q --dp 4 --pp 3 --microbatches 6 --steps 40 --first-step 1 --step-stride 1 "$@"
}
synth --seed 11 -o trace-clean.csv
synth --seed 12 -o trace-other.csv
synth --seed 11 --slow-worker 2,1,1.5 -o trace-worker.csv
synth --seed 11 --slow-stage 2,1.3 -o trace-stage.csv
synth --seed 11 --forward-ms 60 -o trace-longer.csv
sed -i '$a nodes: [h0, h0, h1, h1, h2, h2, h3, h3, h4, h4, h5, h5]' meta-clean.yaml meta-worker.yaml

# ---- mirror images ----
mirror='def turned: {up: "down", down: "up", no: "no", unknown: "unknown"}[.];
    def neg: if . == null or . == 0 then . else -. end;
    def back: walk(if type == "object" and has("changed")
        then {a: .b, b: .a, value: (.value | neg), low: (.high | neg), high: (.low | neg), changed: (.changed | turned)}
        else . end);
    def plain: walk(if type == "object" and has("changed") then del(.relative, .relative_low, .relative_high) else . end);'
parts='[.figures | del(.step_change)] + .by_stage + [.by_worker[], .by_op_type[], .by_host[]
    | del(.rank_a, .rank_b, .host_a, .host_b, .step_share_a, .step_share_b, .ideal_a_s, .ideal_b_s, .workers_a, .workers_b)]'
for pair in 'worker clean' 'stage other' 'clean@1-17 worker@5-30'; do
    read -r a b <<<"$pair"
    file() { case $1 in *@*) echo "trace-${1%%@*}.csv@${1##*@}" ;; *) echo "trace-$1.csv" ;; esac; }
    compare "$(file "$a")" "$(file "$b")" >ab.json
    compare "$(file "$b")" "$(file "$a")" >ba.json
    cmp <(jq "$mirror $parts | plain" ab.json) <(jq "$mirror $parts | back | plain" ba.json) || fail "$pair: no mirror image"
done

# ---- what was planted ----
compare trace-clean.csv trace-worker.csv >worker.json
is "slow worker" worker.json '.verdict == "slower" and (.sentence | test("rank 6 \\(dp 2, stage 1\\)"))'
is "its rank alone" worker.json '[.by_worker[] | select(.pass_ratio.changed != "no" and (.pass_ratio.value | fabs) > 0.02) | .rank_b] == [6]'
is "its passes" worker.json '.by_worker[7] | .pass_ratio.low > 0.48 and .pass_ratio.high < 0.52 and .host_a == "h3"'
is "its stage" worker.json '[.by_stage[] | .forward_s.changed, .backward_s.changed] == ["no", "no", "up", "up", "no", "no"]'
is "its ops" worker.json '[.by_op_type[] | select(.duration_s.changed == "up") | .op_type] - ["optimizer"] == ["backward-compute", "forward-compute"]'
is "its host" worker.json '[.by_host[] | select(.pass_ratio.changed == "up") | .host] == ["h3"]'
is "by how much" worker.json '.figures.step_change | .low > 0.15 and .low <= .value and .value <= .high'
compare trace-worker.csv trace-clean.csv >mended.json
is "mended" mended.json '.verdict == "faster" and (.sentence | test("rank 6 .* is no longer slow"))'
compare trace-clean.csv trace-stage.csv >stage.json
is "slow stage" stage.json '.verdict == "slower" and ([.by_stage[] | .forward_s.changed] == ["no", "no", "up"])
    and ([.by_worker[] | select((.pass_ratio.value | fabs) > 0.02)] == [])'
compare trace-clean.csv trace-longer.csv >longer.json
is "longer passes" longer.json '.verdict == "slower" and ([.by_stage[] | .forward_s.changed] == ["up", "up", "up"])
    and ([.by_worker[] | select((.pass_ratio.value | fabs) > 0.02)] == [])'

# Slow in a third of the steps; a cause that is no single part of the job.
synth --seed 22 --slow-worker 1,1,1.8:duty=0.3 -o trace-rare.csv
compare trace-rare.csv trace-other.csv >rare.json
is "slow at times" rare.json '.verdict == "faster" and (.sentence | test("rank 5 .dp 1, stage 1. is no longer slow"))'
synth --seed 22 --sequence-cv 0.3 -o trace-sequence.csv
compare trace-other.csv trace-sequence.csv >sequence.json
is "sequence lengths" sequence.json '.verdict == "slower" and (.sentence | test("cause in B: sequence length imbalance.*A: not straggling"))'

# A worker that is mended at step 60 of 100, in an archive.
"$hindcast" synth steps -q --dp 4 --pp 3 --steps 100 --first-step 1 --step-stride 1 --seed 7 \
    --slow-worker 2,1,1.5:steps=1-60 -o trace-mend.csv
"$hindcast" ingest -q -a mended trace-mend.csv >/dev/null
compare -a mended mend@1-60 'mend#0@61-100' >mend.json
is "mended at step 60" mend.json '.verdict == "faster" and (.sentence | test("S fell from 1.2. to 1.0.: rank 6 .dp 2, stage 1. is no longer slow"))
    and .a.cause == "worker" and .b.cause == "none" and [.culprits[] | .change, .culprit] == ["gone", "rank 6 (dp 2, stage 1)"]'
compare -a mended mend@61-100 mend@1-60 >broken.json
is "the other way round" broken.json '.verdict == "slower" and [.culprits[] | .change] == ["new"]'

# ---- nothing ----
compare trace-clean.csv trace-clean.csv >same.json
is "the same trace twice" same.json '.verdict == "same" and ([.. | objects | select(has("changed")) | .changed, .value] - ["no", "unknown", 0, null] == [])
    and (.sentence | test("in both"))'
compare trace-clean.csv trace-other.csv >seeds.json
is "another seed" seeds.json '.verdict == "same" and .figures.slowdown_change.changed == "no"'
compare trace-clean.csv@1-20 trace-clean.csv@21-40 >halves.json
is "halves" halves.json '.verdict == "same" and .a.steps == 20 and .b.first_step == 21 and .notes == []'
compare trace-clean.csv@1-9 trace-other.csv >few.json
is "few steps" few.json '.verdict == "unsure" and ([.. | objects | select(has("changed")) | .changed] | unique == ["unknown"])'
compare trace-clean.csv@1-9 trace-worker.csv >apart.json
is "few steps that do not touch" apart.json '.verdict == "slower" and (.sentence | test("^B is slower: its steps take .*, those of A "))
    and (.figures.mean_traced_s_change | .changed == "up" and .low == null) and .figures.slowdown_change.changed == "unknown"'

# ---- sides that change within (tests/fixtures/compare: 0.83 s until step 14, 1.00 to 1.05 s from step 15 on) ----
cp "$root"/tests/fixtures/compare/*-cmp.* .
# level A B VERDICT HEAD: no ratio is below 0
level() {
    compare "trace-cmp.csv.gz@$1" "trace-cmp.csv.gz@$2" >level.json
    is "steps $1 and $2" level.json ".verdict == \"$3\" and (.sentence | startswith(\"$4\"))
        and ([.. | objects | select(has(\"relative_low\")) | .relative_low | select(. != null and . <= -1)] == [])"
}
level 1-14 15-31 slower "B is slower: its steps take 1.00 to 1.05 s, those of A 0.83 to 0.84 s"
is "its interval" level.json '.figures.step_change | .low > 0.15 and .high < 0.3'
is "its passes" level.json '[.by_op_type[] | select(.duration_s.changed == "up") | .op_type] == ["backward-compute", "forward-compute"]'
level 15-31 1-14 faster "B is faster: its steps take 0.83 to 0.84 s, those of A 1.00 to 1.05 s"
level 1-10 11-31 mixed "B is mixed, slower from step 15 on"
is "its stretches" level.json '[.stretches[] | [.side, .first_step, .last_step, .changed]] == [["b", 11, 14, "no"], ["b", 15, 31, "up"]]
    and (.notes | any(startswith("B changes its level: 831.0 ms in steps 11 to 14, 1.022 s in steps 15 to 31")))'
level 1-20 21-31 mixed "A is mixed, faster until step 14"
level 1-14 8-17 mixed "B is mixed, slower from step 15 on"
level 1-7 20-24 slower "B is slower: its steps take 1.02 to 1.04 s, those of A 0.83 to 0.84 s"
level 1-14 20 unsure "too few steps to say: its step takes 1.04 s, those of A 0.83 to 0.84 s"
level 1-31 1-31 same "no difference that the steps can show"

# ---- the same bytes ----
"$hindcast" ingest -q -a arc trace-worker.csv trace-clean.csv >/dev/null
for threads in 1 2 7; do
    compare --threads $threads trace-worker.csv trace-clean.csv | cmp - mended.json || fail "$threads threads"
done
compare -a arc worker clean | jq 'del(.a, .b, .command)' | cmp - <(jq 'del(.a, .b, .command)' mended.json) || fail "from the archive"
[ ! -s failures ]
