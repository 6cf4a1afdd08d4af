#!/usr/bin/env bash
# Foreign names that act on terminals, spreadsheets and pages: escape sequences (ESC, and U+009B as UTF-8 and
# as a raw byte), characters that turn the direction of text, end lines or have no width, formulas, quotes,
# tags. Every command shows them in every output; none of them may come through as it is, JSON and pages
# stay valid, and JSON loses nothing.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v jq >/dev/null || { echo "skipped: 'jq' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir out data
out=$work/out
fail() { echo "FAIL: $*" | tee -a "$work/failures"; }

nasty=$(printf '=1+1"\033[31m\302\233\u202e\u2028\u200b<b>&,\007\233')  # file names may be any bytes
polite=$(printf '@SUM(1),"\u202e\u2029\ufeff<i>\u05d0')              # metadata must be UTF-8 without control characters

# run NAME COMMAND...: what it writes goes to out/NAME.*; any exit but a crash
run() {
    local name=$1 code=0
    shift
    "$hindcast" "$@" >"$out/$name.out" 2>"$out/$name.err" </dev/null || code=$?
    [ "$code" -le 4 ] || fail "$name: exit $code"
}

cd data
"$hindcast" synth steps -q --dp 2 --pp 2 --microbatches 4 --steps 8 --slow-worker 1,0,1.8 -o plain.csv
cp plain.csv "trace-$nasty.csv"
cp plain.csv trace-polite.csv
jq -na --arg t "$polite" '{job_id: $t, cluster: ("-" + $t), nodes: [$t, $t, $t, $t], start_time: 1700000000,
    ("key" + $t): 1}' >meta-polite.yaml
cat >"list-$nasty.csv" <<END
time,group,node,cause,text
2026-01-03T04:10:00Z,"=g$(printf '\u202e')","+n$(printf '\u009b')1",hardware.gpu,"=x"
2026-01-04T04:10:00Z,"=g$(printf '\u202e')","+n$(printf '\u009b')1",hardware.gpu,"=x"
2026-01-05T04:10:00Z,"=g$(printf '\u202e')","-2+3",software.hang,"@x"
END
cat >"scenario-$nasty.json" <<END
{"schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 3, "question": "=q$(printf '\u202e\u009b')",
 "job": {"nodes": 8, "work_d": 3},
 "faults": {"=c$(printf '\u202e\u009b')": {"class": "explicit", "per_1000_node_days": 20, "remedy": "evict"}},
 "checkpoint": {"mode": "async", "every_s": 3600, "durable_after_s": 300, "load_s": 120},
 "recovery": {"pool_nodes": 10, "reschedule_s": 120},
 "variants": {"@v$(printf '\u2028')": {"set": {"/recovery/reschedule_s": 600}}},
 "sweep": [{"path": "/recovery/reschedule_s", "values": [60, 90]}],
 "compare": {"figures": ["ettr", "interruptions"]}}
END
archive="arch-$nasty"

for file in trace-* list-*; do run "ingest-${file:0:9}" ingest -a "$archive" "$file"; done
run ingest-json ingest -a "$archive" --json trace-polite.csv list-*
run ls ls -a "$archive"
run ls-json ls -a "$archive" --json
run show show -a "$archive" "@SUM"
run show-json show -a "$archive" --json "@SUM"
run show-nasty show -a "$archive" "$nasty"
run show-none show -a "$archive" "none $nasty"
run whatif whatif "trace-$nasty.csv"
run whatif-polite whatif -a "$archive" "@SUM"
run whatif-views whatif -a "$archive" --json --csv "$out/csv" --html "$out/page.html" --compat "$out/compat" "@SUM"
run whatif-figures whatif -a "$archive" --figures "$out/figures" "@SUM"
run compare compare -a "$archive" "@SUM" "trace-$nasty.csv"
run compare-views compare -a "$archive" "trace-$nasty.csv@10-20" "@SUM" --json --csv "$out/compare-csv" --html "$out/compare.html"
run all whatif --all -a "$archive"
run all-views whatif --all -a "$archive" --json --csv "$out/fleet-csv" --html "$out/fleet-html"
for i in 1 2; do run "shard-$i" whatif --all -a "$archive" --shard $i/2 -o "part-$i$nasty"; done
run merge merge part-*
run export export -a "$archive" --perfetto "$out/timeline.json" "@SUM"
run reliability report reliability --lemons --fits --by node --nodes 9 -a "$archive"
run reliability-csv report reliability --by node --csv - --nodes 9 -a "$archive"
run reliability-json report reliability --json --nodes 9 -a "$archive"
run simulate simulate -o "$out/study/" scenario-*
run simulate-json simulate --json scenario-*
run simulate-csv simulate --csv - scenario-*
run scenario-check scenario check scenario-*
run scenario-show scenario show scenario-*
run scenario-resolved scenario show --resolved scenario-*
run usage ingest "--$nasty"
run usage-command "$nasty"
run none whatif "none-$nasty"
segment=$(ls "$archive"/segments/* | head -n 1)
printf x | dd of="$segment" bs=1 seek=3000 conv=notrunc status=none
run check check -v -a "$archive"
run check-json check -v -a "$archive" --json
run gc archive gc -a "$archive"
run damaged whatif --all -a "$archive"

# A night whose cluster, users, accounts, partitions and jobs have such names.
hindcast() { "$hindcast" "$@"; }
source "$root/tests/support/small_night.bash"
small_night
user=$(printf 'a\u202ea') job=$(printf 'b\u2067g')
sed "s/|ada|/|$user|/; s/|lab|/|l$(printf '\u2066')b|/; s/|train|/|t$(printf '\u200b')n|/; s/|c|/|c$(printf '\ufeff')x|/
    s/|big|/|$job|/; s/|small|/|s$(printf '\u2028\u009b')l|/" sacct.txt >hostile.txt
run ingest-night ingest -a h hostile.txt marks.log
run ingest-logs ingest -a h --zone UTC logs/*.out
run nightly report nightly -a h --date 2026-03-01 -o "$out/nights"
run nightly-views report nightly -a h --date 2026-03-01 --json --csv "$out/night-csv" --html "$out/night.html"
for report in "top lost" "report ettr" "report startup" "report account" "report failures" "report capacity" "report findings" joins; do
    run "${report// /-}" $report -a h
    run "${report// /-}-json" $report -a h --json
done
run query query jobs -a h
run runs query jobs -a h --group-by user,account,partition,name,cluster --agg count
run ls-jobs ls jobs -a h
run night-job report job -a h 100
run night-run report run -a h "$job"
run night-user show -a h "$user"
run export-csv export jobs -a h --as csv -o "$out/jobs.csv"
run export-jsonl export jobs -a h --as jsonl -o "$out/jobs.jsonl"
run propose runs propose -a h
run compare-nights compare -a h --nights 2026-03-01 2026-03-02
[ -s "$out/nights/2026-03-01/metrics.prom" ] || fail "no metrics"
grep -qF 'a\\u202ea' "$out/nights/2026-03-01/metrics.prom" || fail "the metrics do not show the user"
cd "$work"

# ---- nothing comes through: bytes of control characters, of U+0080 to U+009F, of what turns or hides, and of no UTF-8
acting='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf'
find out -type f ! -name '*.gz' | sort >files
n_files=0 n_shown=0
while IFS= read -r file; do
    n_files=$((n_files + 1))
    if LC_ALL=C grep -qaP "$acting" "$file"; then
        fail "$file: $(LC_ALL=C grep -aP -m 2 "$acting" "$file" | cat -v | cut -c 1-200)"
    fi
    iconv -f UTF-8 -t UTF-8 "$file" >iconv.out 2>&1 || fail "$file is not UTF-8"
    if grep -qF -e '\u202e' -e '\x1b' "$file"; then n_shown=$((n_shown + 1)); fi
done <files
[ "$n_shown" -ge 30 ] || fail "only $n_shown of $n_files files show the names at all"

ls -R out >names
! LC_ALL=C grep -aP "$acting" names || fail "a file has such a name"

# ---- no cell begins a formula
find out -name '*.csv' >csv-files
echo out/reliability-csv.out >>csv-files
echo out/simulate-csv.out >>csv-files
while IFS= read -r file; do
    if LC_ALL=C grep -nP '(^|,)"?[=@]|(^|,)"?[-+][^0-9.,]' "$file"; then fail "$file has a cell that begins a formula"; fi
done <csv-files
grep -qF "'-2+3" out/reliability-csv.out || fail "the node '-2+3' is not guarded: $(cat out/reliability-csv.out)"
grep -qF "\"'@SUM(1),\"\"" out/csv/*.csv out/fleet-csv/*.csv || fail "the job is not in the CSV"

# ---- JSON is valid, and has the names as they are
for file in out/*json*.out out/whatif-views.out out/compare-views.out out/all-views.out out/timeline.json out/study/*.json; do
    jq -e . "$file" >/dev/null || fail "$file is not JSON"
done
jq -e --arg id "$polite" 'any(.jobs[]; .id == $id and .cluster == "-" + $id)' out/ls-json.out >/dev/null ||
    fail "ls --json changed a name: $(jq -c '[.jobs[].id]' out/ls-json.out)"
jq -e --arg id "$polite" '.otherData.id == $id' out/timeline.json >/dev/null || fail "export changed a name"

# ---- pages: no tag of a name
! grep -lE '<b>|<i>' out/page.html out/compare.html out/fleet-html/index.html out/fleet-html/jobs/*.html out/study/*.html ||
    fail "a name is markup"
echo "$n_files files, $n_shown with the names shown"
[ ! -s failures ]
