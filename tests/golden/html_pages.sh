#!/usr/bin/env bash
# The pages of samples in headless Chromium, light and dark, at 1,280 and 400 pixels: no console
# message, no request, nothing cut off, one text never on another, no letter of a chart below 11 pixels,
# well-formed, with heads, captions, names and tables for those who do not see them, dated, below 2 MB.
# PAGE_SHOTS=DIR keeps pictures of them.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
python=/usr/bin/python3
[ -x "$python" ] || { echo "skipped: '$python' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$root/tests/tools/page_check.py

# The checker finds what is wrong with a page that has one of each fault.
cat >"$work/bad.html" <<'BAD'
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>bad</title></head><body>
<p style="width:2000px">wide<b></p><img src="https://localhost:1/x.png">
<table><tr><td>no box</td></tr></table><a href="#nowhere">x</a>
<h1>one</h1><h1>two</h1><h2>/checkpoint/every_s</h2>
<table><thead><tr><th>no scope</th></tr></thead><tbody><tr><td>no head</td></tr></tbody></table>
<figure aria-label="bare"><svg viewBox="0 0 100 20"></svg></figure>
<svg viewBox="0 0 900 20" width="300"><text x="9" y="9" font-size="20">tiny</text></svg>
<svg viewBox="0 0 100 20" width="300" height="60"><text x="95" y="15">outside</text>
<text x="10" y="15">over</text><text x="12" y="15">over</text></svg>
<script>console.error("loud")</script></body></html>
BAD
code=0
"$python" "$check" "$work/bad.html" >"$work/bad.txt" || code=$?
[ "$code" != 77 ] || { cat "$work/bad.txt"; exit 77; }
for fault in 'the page is' 'closes b' 'asks for https' 'leads to' 'no box of its own' "no '#nowhere'" \
    'outside its chart' 'on "over"' 'console: SEVERE' 'there is a <script>' \
    'too small to read, 6.7 px: tiny' '0 of main' '2 of h1' '0 of dates' 'JSON pointer as title' 'table without a caption' \
    "scope 'None'" 'row without a head' 'drawing without role' 'chart without its table'; do
    grep -qF "$fault" "$work/bad.txt" || { echo "FAIL: not found: $fault"; cat "$work/bad.txt"; exit 1; }
done
[ "$code" = 1 ] || { echo "FAIL: exit $code"; exit 1; }

cd "$work"
for sample in slow-worker.parquet slow-stage.csv.gz interleaved.csv; do
    "$hindcast" whatif -q --html "${sample%%.*}.html" -o text "$root/data/samples/trace-$sample"
done
"$hindcast" whatif -q --quick --html quick.html -o text "$root/data/samples/trace-slow-stage.csv.gz"
"$hindcast" compare -q --html compare.html -o text "$root/data/samples/trace-slow-worker.parquet" \
    "$root/data/samples/trace-slow-stage.csv.gz"
"$hindcast" synth steps -q --dp 12 --pp 3 --steps 30 --tp 4 --slow-worker 2,1,1.6 -o trace-slow.csv
"$hindcast" synth steps -q --dp 12 --pp 3 --steps 30 --tp 4 -o trace-healthy.csv
for meta in meta-slow.yaml meta-healthy.yaml; do
    echo "nodes: [$(seq -f 'gpu-%03g' -s ', ' 144)]" >>$meta
done
"$hindcast" compare -q --html hosts.html -o text trace-slow.csv trace-healthy.csv
# A name that is not made for HTML.
cp "$root/data/samples/trace-slow-worker.parquet" 'trace-<b onload="x">&amp;.parquet'
printf 'job_id: "<script>alert(1)</script> & \\"x\\""\n' >'meta-<b onload="x">&amp;.yaml'
"$hindcast" whatif -q --html hostile.html -o text 'trace-<b onload="x">&amp;.parquet'
grep -qF '&lt;script&gt;alert(1)' hostile.html || { echo "FAIL: the name is not there"; exit 1; }
# A night in its folder: the index, and a page of each kind beside it.
"$hindcast" synth cluster -q -o made --nodes 16 --days 20 --jobs 150 --runs 4 --faults 120
"$hindcast" ingest -q -o - -a nights made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json \
    made/starts/marks.log made/logs/*/*.out --zone Europe/Berlin >/dev/null
"$hindcast" report nightly -q -a nights --date 2026-03-12 -o night
night=$(ls -S night/latest/index.html night/latest/runs/* | head -n 2)
night+=" $(ls -S night/latest/nodes/* | head -n 1) $(ls -S night/latest/users/* | head -n 1)"
"$hindcast" report startup -q -a nights --from 2026-03-01 --to 2026-03-20 --html startup.html -o text
for report in ettr capacity; do
    "$hindcast" report $report -q -a nights --html $report.html -o text
done
"$hindcast" top lost -q -a nights --date 2026-03-12 --html top.html -o text
"$hindcast" report run run-04 -q -a nights --html run.html -o text
"$hindcast" compare -q -a nights --nights 2026-03-11 2026-03-12 --html nights.html -o text
"$hindcast" report reliability -q --fits --lemons --nodes 400 --html incidents.html -o text \
    "$root/data/samples/incidents/events.json"
"$hindcast" whatif -q --html profile.html -o text "$root/data/samples/two-ranks"
"$hindcast" report collectives -q --html timings.html -o text "$root/data/samples/inspector"
"$hindcast" diagnose collectives -q --html hang.html -o text "$root/data/samples/flight-recorder/circle" || [ $? = 1 ]
# A worker that is slow among 1,024 is the first of the cells that the map's table names, and no other is near.
"$hindcast" synth steps -q --dp 128 --pp 8 --steps 4 --slow-worker 97,5,1.6 -o trace-wide.csv
"$hindcast" whatif -q --html wide.html -o text trace-wide.csv
grep -A 3 'The 10 largest of 1024 cells' wide.html | grep -q '"row">dp rank 97, stage 5<' ||
    { echo "FAIL: the slow worker is not the first of its map"; exit 1; }
grep -q 'path class="mark"' wide.html || { echo "FAIL: the slow worker has no frame"; exit 1; }
# The same input gives the same bytes; SOURCE_DATE_EPOCH says when a page was made.
"$hindcast" report ettr -q -a nights --html again.html -o text
cmp ettr.html again.html
SOURCE_DATE_EPOCH=1774000000 "$hindcast" report ettr -q -a nights --html again.html -o text
grep -q 'made on <time datetime="2026-03-20">' again.html || { echo "FAIL: SOURCE_DATE_EPOCH is not heard"; exit 1; }
# shellcheck disable=SC2086 # words
"$python" "$check" $night startup.html ettr.html capacity.html top.html run.html nights.html incidents.html \
    profile.html timings.html hang.html wide.html
exec "$python" "$check" slow-worker.html slow-stage.html interleaved.html quick.html compare.html hosts.html hostile.html
