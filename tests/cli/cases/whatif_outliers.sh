# Steps that stand apart are named and left out of every figure, unless they are asked for.
synth() { hindcast synth steps -q --dp 2 --pp 2 --microbatches 4 --steps 20 --first-step 0 --step-stride 1 --seed 3 "$@"; }
synth -o healthy.csv --slow-worker 1,0,1.3
synth -o late.csv --slow-worker 1,0,1.3 --slow-host 0,1,2000
synth -o slow.csv --slow-worker 1,0,8
cp meta-healthy.yaml meta.yaml
figures() { hindcast whatif --meta meta.yaml "$@" | sed -n '/^discrepancy/,/^source/p' | grep -v -e '^source' -e '^  to try it'; }

# Step 0 takes 5 times as long on every worker, step 7 four times: without them the report is that of the
# trace that lacks them.
awk -F, -v OFS=, 'NR > 1 && ($4 == 0 || $4 == 7) { k = $4 ? 4 : 5; $6 *= k; $7 *= k } 1' healthy.csv >apart.csv
awk -F, '$4 != 0 && $4 != 7' healthy.csv >without.csv
hindcast whatif --meta meta.yaml apart.csv | grep -A2 '^steps'
figures apart.csv >apart.txt
figures without.csv >without.txt
diff apart.txt without.txt && echo the same: $(wc -l <apart.txt) lines
hindcast whatif --meta meta.yaml --json apart.csv | sed -n '/"steps_left_out": \[/,/\]/p'
hindcast whatif --meta meta.yaml --csv tables apart.csv >/dev/null && cat tables/left_out.csv
hindcast whatif --meta meta.yaml --html apart.html apart.csv >/dev/null && grep -o 'takes 5.04 times the median step' apart.html

# Kept when that is asked for, when steps are named, and in the layout of the artifact.
hindcast whatif --meta meta.yaml --keep-outliers apart.csv | grep '^steps'
hindcast whatif --meta meta.yaml --steps 0-19 apart.csv | grep '^steps'
hindcast whatif --meta meta.yaml --compat compat apart.csv | grep '^steps'

# One worker alone is slow, or starts late: that may be the fault that is looked for.
for one in slow late; do
    awk -F, -v one=$one.csv 'NR == 1 || FNR > 1 && (FILENAME == one) == ($4 == 0)' $one.csv healthy.csv >one.csv
    hindcast whatif --meta meta.yaml one.csv | grep '^steps'
    hindcast whatif --meta meta.yaml --steps 0-19 one.csv | grep -E '^(per step|launch)'
done

# The ideal timeline is of the same steps, unless they are asked for.
ideal() { out=$1; shift; hindcast export -q --meta meta.yaml --timeline ideal --perfetto $out "$@" && grep '"ph":"X"' $out >$out.ops; }
ideal apart.json apart.csv
ideal without.json without.csv
ideal kept.json --keep-outliers apart.csv
cmp apart.json.ops without.json.ops && echo the same ideal
cmp -s apart.json.ops kept.json.ops || echo another ideal

# More than a few are how the job is.
awk -F, -v OFS=, 'NR > 1 && $4 % 9 == 4 { $6 *= 4; $7 *= 4 } 1' healthy.csv >often.csv
hindcast whatif --meta meta.yaml often.csv | grep '^steps'

# The jobs of an archive likewise; figures are not mixed up in what is kept of them, nor by merge.
hindcast ingest -q -o - --meta meta.yaml apart.csv
for options in '' --keep-outliers ''; do
    hindcast whatif --all $options --json 2>/dev/null | grep -E '"(options|steps|steps_left_out)"'
done
hindcast whatif --all --shard 1/2 -o 1.json -q
hindcast whatif --all --keep-outliers --shard 2/2 -o 2.json -q
hindcast merge 1.json 2.json || echo "merge -> $?"
