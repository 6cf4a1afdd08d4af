# Damage is found, said, and ends with 1; repair keeps what is whole.
fixtures=$SOURCE_DIR/tests/fixtures/straggler
# Hashes and sizes depend on the versions of libraries.
hide() {
    sed -E 's/[0-9a-f]{12}(\.h5|\.\.\.)/HASH\1/g; s/over [0-9]+/over N/g; s/written with [0-9]+/written with N/g'
}
try() { code=0; { hindcast "$@" 2>&1 || code=$?; echo "$* -> $code"; } | hide; }
hindcast ingest -q -o - "$fixtures/trace-dp1.csv" "$fixtures/trace-pp1.csv" "$fixtures/trace-ovlp.csv"
cd hindcast-archive/segments
printf X | dd of=$(ls default~dp1*) bs=1 seek=20000 conv=notrunc status=none
truncate -s 10000 default~pp1*
cd ../..
try check
try check --json
try whatif pp1
try check --repair
try check
try ls --json -o ls.json
grep '"id"' ls.json
