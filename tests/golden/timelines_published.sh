#!/usr/bin/env bash
# Chrome timelines of others, where they are at hand: those of AR and ST give the S of the Parquet
# files, straight and through the archive; DT-Tracer's give the times that awk finds in them; the
# profiler traces of single processes are read, and execution traces refused.
set -uo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
data=${HINDCAST_SHARED:-$source_dir/../shared}/data
: "${HINDCAST:?must name the program}"
published=$data/bytedance-straggler/data
tracer=$data/megatronapp-dttracer
if [ ! -f "$published/timeline-AR.json.gz" ] || [ ! -d "$tracer" ]; then
    echo "SKIP: $data is not there (set HINDCAST_SHARED)"
    exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failures=0
fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

# figure FILE KEY: its first value in the JSON.
figure() {
    sed -n "s/^ *\"$2\": \([^,]*\),*$/\1/p" "$1" | head -n 1
}
# near A B LIMIT: whether |A - B| <= LIMIT * B.
near() {
    awk -v a="$1" -v b="$2" -v limit="$3" \
        'BEGIN { d = a - b; exit !(a != "" && b > 0 && (d < 0 ? -d : d) <= limit * b) }'
}

for name in AR ST; do
    "$HINDCAST" whatif --json "$published/trace-$name.parquet" >"$out/parquet"
    # The metadata is found beside the timeline by its name.
    "$HINDCAST" whatif --json "$published/timeline-$name.json.gz" >"$out/timeline" ||
        fail "$name: whatif of the timeline"
    s=$(figure "$out/timeline" slowdown) t=$(figure "$out/timeline" mean_traced_s)
    near "$s" "$(figure "$out/parquet" slowdown)" 1e-6 || fail "$name: S $s"
    near "$t" "$(figure "$out/parquet" mean_traced_s)" 2e-4 || fail "$name: traced $t"
    [ "$(figure "$out/timeline" hides_waiting)" = true ] || fail "$name: hides_waiting"
    [ "$(figure "$out/parquet" hides_waiting)" = false ] || fail "$name: hides_waiting of Parquet"
    [ "$(figure "$out/timeline" launch_slowdown)" = null ] || fail "$name: launch_slowdown"
    "$HINDCAST" ingest --quiet -a "$out/archive" "$published/timeline-$name.json.gz" >/dev/null &&
        "$HINDCAST" whatif -a "$out/archive" --json "$name" >"$out/archived" ||
        fail "$name: through the archive"
    for key in slowdown mean_traced_s mean_ideal_s launch_slowdown hides_waiting; do
        [ "$(figure "$out/archived" $key)" = "$(figure "$out/timeline" $key)" ] ||
            fail "$name: $key differs in the archive"
    done
    "$HINDCAST" whatif --compat "$out/compat" "$published/timeline-$name.json.gz" \
        >"$out/text" 2>"$out/messages" || fail "$name: --compat"
    grep -q '^launch delays unknown' "$out/text" || fail "$name: the text does not say unknown"
    grep -q 'launch fields .* are null' "$out/messages" || fail "$name: no warning of --compat"
    [ "$(figure "$out/compat/result-$name.json" launch_step_slowdown)" = null ] ||
        fail "$name: launch_step_slowdown of --compat"
done

# passes FILE [TID]: "iteration first-begin last-end first-instant last-instant", in us. The files
# have a key a line, or an event a line after the tr.
passes() {
    tr -d ' \n' <"$1" | sed 's/},{"name"/}\n{"name"/g' | awk -v tid="${2:-0}" '
        function value(key,   at) {
            at = index($0, "\"" key "\":")
            return at ? substr($0, at + length(key) + 3) + 0 : -1
        }
        value("tid") != tid { next }
        {
            i = value("iteration"); ts = value("ts")
            if (!(i in first)) { first[i] = ts; n = i > n ? i : n; begin[i] = 1e18 }
            if (ts < first[i]) first[i] = ts
            if (ts > last[i]) last[i] = ts
        }
        /"ph":"B"/ && ts < begin[i] { begin[i] = ts }
        /"ph":"E"/ && ts > end[i] { end[i] = ts }
        END { for (i = 0; i <= n; i++) if (i in first)
            print i, begin[i], end[i], first[i], last[i] }'
}
# traced FILE: "step traced-us" of a JSON record.
traced() {
    sed -n 's/.*{"step": \([0-9]*\), "traced_ns": \([0-9]*\)000,.*/\1 \2/p' "$1"
}

for name in data-1-pipeline-4-tensor-1-pp-aggregated data-1-pipeline-4-tensor-1-pp-aggregated-iter10; do
    "$HINDCAST" whatif --keep-outliers --json "$tracer/$name.json" >"$out/$name" || fail "$name: whatif"
    passes "$tracer/$name.json" >"$out/passes"
    cmp <(awk '{ print $1, $3 - $2 }' "$out/passes") <(traced "$out/$name") ||
        fail "$name: traced spans are not from the first begin to the last end"
done
# What is known of the first of them: 3,503 ms, median 714 ms, from the first mark to the last.
passes "$tracer/data-1-pipeline-4-tensor-1-pp-aggregated.json" >"$out/passes"
[ "$(awk 'NR == 1 { printf "%.0f", ($5 - $4) / 1000 }' "$out/passes")" = 3503 ] ||
    fail "the first iteration does not take 3503 ms"
[ "$(awk '{ print ($5 - $4) / 1000 }' "$out/passes" | sort -n |
    awk '{ v[NR] = $1 } END { printf "%.0f", (v[10] + v[11]) / 2 }')" = 714 ] ||
    fail "the median iteration does not take 714 ms"
# Passes are that without the reduction and the optimizer behind them, so the spans are less.
spans=$(traced "$out/data-1-pipeline-4-tensor-1-pp-aggregated" | awk '{ print $2 }' | sort -n |
    awk '{ v[NR] = $1 } END { printf "%.0f %.0f", (v[10] + v[11]) / 2000, v[20] / 1000 }')
[ "$spans" = "677 3319" ] || fail "median and first span are $spans ms"
# The first iteration stands apart, and decides no figure.
"$HINDCAST" whatif --json "$tracer/data-1-pipeline-4-tensor-1-pp-aggregated.json" >"$out/settled"
grep -q '{"step": 0, "reason": "warm_up", "detail": "takes 4.9 times the median step"}' "$out/settled" ||
    fail "step 0 is not left out as warm-up"
near "$(figure "$out/settled" slowdown)" 1.381 0.001 || fail "S without warm-up is $(figure "$out/settled" slowdown)"
slowdown=$(figure "$out/data-1-pipeline-4-tensor-1-pp-aggregated-iter10" slowdown)
near "$slowdown" 1.38 0.01 || fail "S of iteration 10 is $slowdown"

# Two recordings in one file (two schedules of one iteration, 713 and 970 ms): refused without
# metadata, and as two data-parallel ranks too, whose passes differ. Each on its own can be read; the
# first is the iteration 10 of the other file.
"$HINDCAST" whatif "$tracer/merged_trace.json" >"$out/text" 2>"$out/messages"
[ $? -eq 3 ] && grep -q 'dp_size: 2' "$out/messages" || fail "merged_trace.json is not refused"
printf 'trial_name: merged\ndp_size: 2\n' >"$out/meta.yaml"
"$HINDCAST" whatif --meta "$out/meta.yaml" "$tracer/merged_trace.json" >"$out/text" 2>"$out/messages"
[ $? -eq 3 ] && grep -q 'no step is left' "$out/messages" ||
    fail "merged_trace.json as two dp ranks is not refused"
for tid in 0 1; do
    sed 's/}, {"name"/},\n{"name"/g' "$tracer/merged_trace.json" | tr -d '[]' |
        grep "\"tid\": $tid," | sed '1s/^/[/' >"$out/tid-$tid.json" # the bracket stays open
    "$HINDCAST" whatif --json "$out/tid-$tid.json" >"$out/merged-$tid" 2>"$out/messages" ||
        fail "tid $tid of merged_trace.json"
    grep -q 'cut off behind event 524' "$out/messages" || fail "tid $tid: no warning of the cut"
    cmp <(passes "$tracer/merged_trace.json" $tid | awk '{ print $1, $3 - $2 }') \
        <(traced "$out/merged-$tid") || fail "tid $tid: traced span"
done
[ "$(figure "$out/merged-0" slowdown)" = "$slowdown" ] || fail "tid 0 is not iteration 10"
near "$(figure "$out/merged-1" slowdown)" 1.575 0.001 || fail "S of tid 1 is $(figure "$out/merged-1" slowdown)"

for file in "$data"/kineto-*/*.json* "$data"/kineto-*/*/*.json*; do
    [ -f "$file" ] || continue
    timeout 120 "$HINDCAST" whatif "$file" >"$out/text" 2>"$out/messages"
    status=$?
    case $file in
    *_et.json*) # an execution trace: no timeline
        [ "$status" -eq 3 ] || fail "$file: exit $status"
        [ -s "$out/text" ] && fail "$file: output for a file that is refused"
        [ "$(grep -vc ': warning: ' "$out/messages")" -eq 1 ] || fail "$file: not one line of reason"
        ;;
    *)
        [ "$status" -eq 0 ] || fail "$file: exit $status: $(cat "$out/messages")"
        grep -q '^discrepancy' "$out/text" || fail "$file: nothing says whether the replay can be believed"
        ;;
    esac
done
[ "$failures" -eq 0 ] && echo "all as published" || echo "$failures failures"
[ "$failures" -eq 0 ]
