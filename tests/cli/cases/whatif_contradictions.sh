# Values that contradict each other, or no job can have: named, never replayed in silence.
try() { code=0; hindcast whatif -q -o report.txt "$@" || code=$?; echo "$* -> $code"; }
dp1=$SOURCE_DIR/tests/fixtures/straggler/trace-dp1.csv
# Columns: 1 dp_rank 2 stage 3 rank 4 step 5 optype 6 start_ts 7 duration 8 seq_id 9 mc 10 mb_id 11 gmc
edit() { awk -F, -v OFS=, "NR > 1 { $1 } { print }" "$dp1" >trace-x.csv; }

# Chunks that are not in the model would turn every transfer into a no-op.
edit '$11 = $11 < 0 ? -1 : $11 + 4' && try trace-x.csv
edit '$9 = -1' && try trace-x.csv
edit '$11 = -1' && try trace-x.csv
# The largest numbers that fit a column.
edit 'if (NR == 2) { $1 = 2147483647; $3 = 99 }' && try trace-x.csv
edit 'if (NR == 2) { $2 = 2147483647; $3 = 99 }' && try trace-x.csv
edit 'if (NR == 2) $8 = 2147483647' && try trace-x.csv
# A world size that the trace rules out, though the metadata alone does not.
meta() { edit 1 && printf '%s\n' "$@" >meta-x.yaml && try trace-x.csv; rm meta-x.yaml; }
meta 'world_size: 17'
meta 'world_size: 12' 'tp_size: 2'
meta 'world_size: 16' 'tp_size: 2' 'dsp_size: 1'
meta 'world_size: 16' 'tp_size: 2'
rm report.txt
# One worker, two ranks; one op, two chunks; a type twice.
edit 'if (NR == 2) $3 = 99' && try trace-x.csv
edit 'if ($5 == "gc") $8 = 1' && try trace-x.csv
{ cat "$dp1" && sed -n '2p' "$dp1" | awk -F, -v OFS=, '{ $9 = 1; print }'; } >trace-x.csv
hindcast whatif trace-x.csv | grep -A2 '^steps'
# Without its last line end, a file may lack the end of its last field, too.
head -c -1 "$dp1" >trace-x.csv && hindcast whatif trace-x.csv | grep '^rows'
ls
