#!/usr/bin/env bash
# What the straggler what-if finds of a job, written as scenarios on its timeline: its ideal, S of each op type,
# stage, dp rank and worker alone, M_W and M_S. Two programs' worth of code for one number: they agree to the last
# digit, of our fixtures and of the published traces (where ../shared is there).
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
shared=${HINDCAST_SHARED:-$root/../shared}/data
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
touch failures
fail() { echo "FAIL: $*" | tee -a failures; }

# A scenario with a variant for each figure of a what-if, 64 variants a file at most; which figure of the variant
# is the one, and its value.
cat >scenario.jq <<'END'
def ops: if . == "forward-pp-comm" then ["forward-send", "forward-recv"]
         elif . == "backward-pp-comm" then ["backward-send", "backward-recv"] else [.] end;
def all_but($select): {select: {not: $select}, replace: "ideal"};
def only($select): {select: $select, replace: "ideal"};
(.trace.pp_size - 1) as $last |
[{name: "ideal", edit: {replace: "ideal"}, figure: "step_s", value: .figures.mean_ideal_s},
 {name: "none", edit: {scale: 1}, figure: "slowdown", value: .figures.slowdown},
 {name: "last", edit: only({stage: "last"}), figure: "recovered", value: .m_s.share_removed},
 {name: "slowest", edit: only({slowest: {percent: 3, of: "workers"}}), figure: "recovered", value: .m_w.share_removed},
 (.blocking.by_op_type[] | {name: "type \(.op_type)", edit: all_but({op: (.op_type | ops)}),
                            figure: "end_slowdown", value: .slowdown}),
 (.blocking.by_stage[] | {name: "stage \(.stage)", edit: all_but({stage}), figure: "end_slowdown", value: .slowdown}),
 (.blocking.by_dp_rank[] | {name: "rank \(.dp_rank)", edit: all_but({dp_rank}), figure: "end_slowdown",
                            value: .slowdown}),
 (.workers[] | {name: "worker \(.dp_rank)/\(.stage)", edit: all_but({worker: ["\(.dp_rank)/\(.stage)"]}),
                figure: "end_slowdown", value: .slowdown_exact})] |
[.[] | select(.value != null)] |
{wanted: ., scenario: {schema: "hindcast/scenario/1", kind: "replay", input: {file: $file, max_discrepancy: 1},
                       edits: (map({(.name): .edit}) | add), variants: (map({(.name): [.name]}) | add)}}
END

# agree TRACE
agree() {
    local name=${1##*/}
    "$hindcast" whatif --json --threshold 0 -q "$1" >whatif.json
    jq --arg file "$1" -f scenario.jq whatif.json >made.json
    jq .scenario made.json >"$name.json"
    "$hindcast" simulate -q --json "$name.json" >answer.json || { fail "$name: cannot be run"; return; }
    jq -r -n --slurpfile made made.json --slurpfile answer answer.json '
        ($answer[0].runs | map({(.name): .figures}) | add) as $found |
        $made[0].wanted[] | .value as $value | $found[.name][.figure].mean as $is |
        (if $value == 0 then $is else ($is - $value) / $value end | fabs) as $off |
        select($off > 1e-12) | "\(.name): \(.figure) is \($is), the what-if says \($value)"' >differ
    [ ! -s differ ] || fail "$name: $(cat differ)"
    echo "$name: $(jq '.wanted | length' made.json) figures agree"
}

n=0
for trace in "$root"/tests/fixtures/straggler/trace-*.csv "$shared"/bytedance-straggler/csv/trace-*.csv.gz; do
    [ -e "$trace" ] || continue
    # The metadata lie beside the data of the published ones.
    case $trace in
    *bytedance*)
        cp "$trace" . && cp -f "$shared"/bytedance-straggler/data/meta-*.yaml .
        agree "$work/${trace##*/}"
        ;;
    *) agree "$trace" ;;
    esac
    n=$((n + 1))
done
[ "$n" -ge 8 ] || fail "only $n traces were found"

# Of AR, besides: what all means and all medians give.
if [ -e trace-AR.csv.gz ]; then
    for way in ideal:23.484700 mean:23.655736 median:21.669240; do
        printf '{"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "trace-AR.csv.gz"},
                 "edits": {"x": {"replace": "%s"}}}' "${way%:*}" >way.json
        found=$("$hindcast" simulate -q --json way.json | jq '.runs[0].figures.step_s.mean * 1e6 | round / 1e6')
        awk -v a="$found" -v b="${way#*:}" 'BEGIN { exit !(a - b < 1e-6 && b - a < 1e-6) }' ||
            fail "AR by ${way%:*}: $found s, not ${way#*:}"
    done
fi
[ ! -s failures ]
