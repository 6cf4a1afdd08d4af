#!/usr/bin/env bash
# --figures: for each chart of a command's page its data, a script for gnuplot that runs alone, and the
# picture; names from input do nothing in any of them; without gnuplot data and scripts are written all the
# same; a set is all or none.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
command -v gnuplot >/dev/null || { echo "skipped: 'gnuplot' is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAIL: $*" | tee -a "$work/failures"; }
trace=$root/data/samples/trace-slow-worker.parquet

# Every chart of the page is there, and nothing else: small maps of steps are one figure.
complete() { # DIR PAGE
    local n_page n_data
    n_page=$(grep -c '<div class="scroll" tabindex="0"' "$2" || true)
    n_data=$(find "$1" -name '*.dat' | wc -l)
    [ "$n_data" -gt 3 ] || fail "$1: only $n_data figures"
    [ "$n_data" -le "$n_page" ] || fail "$1: $n_data figures, and $n_page figures and tables on the page"
    for data in "$1"/*.dat; do
        [ -s "${data%.dat}.gp" ] || fail "$data has no script"
        [ -s "${data%.dat}.svg" ] || fail "$data has no picture"
        # The title of each is on the page.
        title=$(head -1 "$data" | cut -c 3- | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g')
        grep -qF "<h3>$title</h3>" "$2" || fail "$data: no '$title' on the page"
    done
    (cd "$1" && sha256sum --check --quiet figures.sha256) || fail "$1: index"
}
"$hindcast" whatif -q --figures job --html job.html "$trace" >/dev/null
complete job job.html
"$hindcast" ingest -q -a archive "$root"/data/samples/fleet/trace-* >/dev/null
"$hindcast" whatif -q -a archive --all --figures fleet --html pages >/dev/null
complete fleet pages/index.html
"$hindcast" simulate -q --replicas 20 --figures study --html study.html "$root/examples/scenarios/what-would-help.jsonc" >/dev/null
complete study study.html
"$hindcast" report reliability -q --figures incidents "$root/data/samples/incidents/cluster.csv" >/dev/null
[ -s incidents/repair-causes.svg ] || fail "no figures of incidents"

# The data read back: the slow worker is the one cell above 1.1.
awk -F'\t' '$1 ~ /^[0-9]/ && $3 > 1.1 { n++; print $4, $5 }' job/workers.dat >slow
[ "$(cat slow)" = "1 2" ] || fail "slow workers: $(cat slow)"

# Scripts run alone, elsewhere, and draw the same.
mkdir alone
cp fleet/waste.dat fleet/waste.gp alone
(cd alone && gnuplot waste.gp) || fail "waste.gp does not run alone"
cmp alone/waste.svg fleet/waste.svg || fail "waste.gp draws something else"

# Other formats.
for format in pdf png; do
    "$hindcast" whatif -q --figures "as-$format" --figure-format $format "$trace" >/dev/null
    [ -s "as-$format/workers.$format" ] || fail "no $format"
done
[ "$(head -c 5 as-pdf/workers.pdf)" = "%PDF-" ] || fail "workers.pdf is no PDF"
[ "$(head -c 4 as-png/workers.png | tail -c 3)" = PNG ] || fail "workers.png is no PNG"

# Hostile names: of variants, which are in legends, rows and titles. Each would make a file.
name='`touch pwned-2`$(touch pwned-3)"'"'"'; system("touch pwned-4") #@x {Bold y} ^2_3 100 % \'
"$hindcast" synth steps -q --dp 2 --pp 2 --microbatches 4 --steps 8 --slow-worker 1,0,1.8 -o "$name.csv"
mkdir hostile-archive-in
mv "$name.csv" "hostile-archive-in/trace-$name.csv"
"$hindcast" ingest -q -a hostile "hostile-archive-in/trace-$name.csv" >/dev/null
"$hindcast" whatif -q -a hostile --all --figures hostile-figures >/dev/null
[ -s hostile-figures/sizes.svg ] || [ -s hostile-figures/waste.svg ] || fail "no figures of hostile names"
sed "s|\"every_step\"|$(jq -n --arg n "$name" '$n' | sed 's/[&|\\]/\\&/g')|" \
    "$root/examples/scenarios/what-would-help.jsonc" >variants.json
cp "$root/examples/scenarios/job-9600.jsonc" .
"$hindcast" simulate -q --replicas 5 --figures variant-figures variants.json >/dev/null 2>variants.err \
    || fail "hostile variants: exit $?: $(cat variants.err)"
[ -s variant-figures/ettr-variants.svg ] || fail "no figures of hostile variants"
grep -qF 'touch pwned-2' variant-figures/ettr-variants.dat || fail "no hostile name in ettr-variants.dat"
find . -name 'pwned*' | grep . && fail "a name was run"
for script in hostile-figures/*.gp variant-figures/*.gp; do
    [ -e "$script" ] || fail "no scripts $script"
    (cd "$(dirname "$script")" && gnuplot "$(basename "$script")") || fail "$script does not run"
done
find . -name 'pwned*' | grep . && fail "a name was run"

# Without gnuplot: data and scripts, one line, exit 0.
mkdir empty
PATH=$work/empty "$hindcast" whatif -q --figures without "$trace" >/dev/null 2>without.err || fail "exit $? without gnuplot"
[ -s without/workers.dat ] && [ -s without/workers.gp ] || fail "no data or script without gnuplot"
find without -name '*.svg' | grep . && fail "a picture without gnuplot"
[ "$(wc -l <without.err)" = 1 ] && grep -q 'gnuplot is not installed' without.err || fail "$(cat without.err)"
cmp without/workers.dat job/workers.dat || fail "data differ without gnuplot"

# A gnuplot that fails is named, and the rest is written.
printf '#!/bin/sh\necho "no terminal" >&2\nexit 1\n' >empty/gnuplot
chmod +x empty/gnuplot
PATH=$work/empty:$PATH "$hindcast" whatif -q --figures failing "$trace" >/dev/null 2>failing.err || fail "exit $? with a failing gnuplot"
grep -q 'no terminal' failing.err || fail "what gnuplot said is lost: $(cat failing.err)"
[ -s failing/workers.dat ] || fail "no data with a failing gnuplot"

# All or none, and nothing is left of the work.
"$hindcast" whatif -q --figures none -o /nowhere/x "$trace" >/dev/null 2>&1 && fail "wrote to /nowhere"
[ ! -e none ] || fail "figures of a command that failed"
mkdir tmp
TMPDIR=$work/tmp "$hindcast" whatif -q --figures job "$trace" >/dev/null
find tmp -mindepth 1 | grep . && fail "left in TMPDIR"
"$hindcast" whatif -q --figure-format pdf "$trace" >/dev/null 2>&1 && fail "a format without figures"
[ ! -s failures ] || exit 1
echo "figures: $(find job fleet study incidents -name '*.svg' | wc -l) pictures"
