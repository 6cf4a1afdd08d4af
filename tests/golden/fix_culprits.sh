#!/usr/bin/env bash
# For every culprit of the samples, of the cases of tests/fixtures/steps-cases and of trials of many kinds:
# `whatif --fix` of its members saves its alone_s, if they are in no other culprit; the parts of all add up to what
# all of them together save; and --fix of the members of all of them saves that. To 1e-9 s.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
trial_maker=$(realpath "${TRIAL_MAKER:-$root/build/tests/trial_maker}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What --fix takes: the members of each culprit, then those of all.
members='[.workers[] | {rank, dp_rank, stage}] as $all | .cause.culprits
    | map([.workers[] as $one | $all[] | select(.dp_rank == $one.dp_rank and .stage == $one.stage).rank])
    | (.[], add) // empty | "rank:" + (map(tostring) | join(","))'
judge='def off: fabs > 1e-9;
    .cause as $c | $c.culprits as $all
    | def parts(is_late): [$all[] | select((.ops == "launches") == is_late).split_s] | add // 0;
      def shares($v): any(.workers[]; . as $w | any($v.workers[]; . == $w));
    ($all | to_entries[] | .key as $i | .value as $v
     | select([$all[] | select(shares($v))] | length == 1)
     | [$v.name, $v.alone_s, if $v.ops == "launches" then $c.fixes[$i].launches_saved_s else $c.fixes[$i].saved_s end]
     | select(.[1] - .[2] | off)),
    (["together", $c.together_s, $c.fixes[-1].saved_s, parts(false)] | select((.[1] - .[2] | off) or (.[1] - .[3] | off))),
    (["launches together", $c.launches_together_s, $c.fixes[-1].launches_saved_s // 0, parts(true)]
     | select((.[1] - .[2] | off) or (.[1] - .[3] | off)))'

n_culprits=0
walk() {
    local fixes=() wrong
    "$hindcast" whatif -q --json "$1" >"$work/found" || { echo "FAIL: $1: whatif"; exit 1; }
    while read -r fix; do fixes+=(--fix "$fix"); done < <(jq -r "$members" "$work/found")
    [ ${#fixes[@]} -gt 0 ] || return 0
    "$hindcast" whatif -q --json "${fixes[@]}" "$1" >"$work/fixed"
    wrong=$(jq -c "$judge" "$work/fixed")
    [ -z "$wrong" ] || { echo "FAIL: $(basename "$1"): $wrong" | tee -a "$work/failures"; }
    n_culprits=$((n_culprits + $(jq '.cause.culprits | length' "$work/fixed")))
}

for case in since until recurrent periodic some-passes forward-part dp-rank-part host-all-part switch-part nic-steps \
    link-always worker+link part+stage loader-one-stage loader+part slot series several many own-optimizer network+part; do
    "$trial_maker" "$case" 7 "$work"
done
for trace in "$root"/data/samples/trace-* "$root"/tests/fixtures/{straggler,compare,steps-cases}/*.csv* "$work"/trace-*; do
    walk "$trace"
done
[ "$n_culprits" -ge 50 ] || { echo "FAIL: only $n_culprits culprits"; exit 1; }
echo "$n_culprits culprits"
[ ! -e "$work/failures" ]
