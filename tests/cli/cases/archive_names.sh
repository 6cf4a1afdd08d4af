# Jobs are named by cluster/id, id, or an unambiguous start of either; #2 is attempt 2.
try() { code=0; hindcast "$@" || code=$?; echo "$* -> $code"; }
fixtures=$SOURCE_DIR/tests/fixtures/straggler
ingest() { # cluster id attempt
    printf 'cluster: %s\njob_id: %s\nattempt: %s\n' "$@" >meta.yaml
    hindcast ingest -q -o - --meta meta.yaml "$fixtures/trace-dp1.csv"
}
ingest east run-a 0
ingest east run-a 2
ingest east run-ab 0
ingest west run-a 0
ingest west other 0
for name in east/run-ab run-ab oth west/o east/run-a 'east/run-a#0' 'east/run-a#2'; do
    echo "$name: $(hindcast show "$name" | head -1)"
done
try show run-a
try show run
try show 'east/run-a#7'
try show Run-a
try show ''
try whatif rum-ab
# A file of that name wins.
cp "$fixtures/trace-dp1.csv" run-ab
hindcast whatif --json run-ab | sed -n 's/^ *"archive": //p'
hindcast whatif --json east/run-ab | sed -n 's/^ *"archive": //p'
