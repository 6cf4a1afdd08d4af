# A repair keeps what the manifest named, whatever the times of files say, and owns up to doubts.
hide() { sed -E 's/[0-9a-f]{12}(\.h5|\.\.\.)/HASH\1/g; s/over [0-9]+/over N/g; s/written with [0-9]+/written with N/g'; }
try() { code=0; { hindcast "$@" 2>&1 || code=$?; echo "$* -> $code"; } | hide; }
whatif() { hindcast whatif --json x | sha256sum; }
cp "$SOURCE_DIR/tests/fixtures/straggler/trace-dp1.csv" trace-x.csv
hindcast ingest -q -o - trace-x.csv
first=$(ls hindcast-archive/segments)
sed -i '2s/0.139/0.138/' trace-x.csv
try ingest -q -o - trace-x.csv
before=$(whatif)
touch -d '+1 hour' "hindcast-archive/segments/$first"
try check --repair
[ "$(whatif)" = "$before" ] && echo same
# A manifest that is wrong about the bytes: the segment is whole by its own checksums.
sed -i 's/"sha256": "....../"sha256": "000000/' hindcast-archive/manifest.json
try check
try check --repair
try check
[ "$(whatif)" = "$before" ] && echo same
# Without a manifest, the newest segment of a job is taken.
rm hindcast-archive/manifest.json
try check --repair
# The same source again heals a segment that is missing or damaged.
hindcast archive gc >/dev/null
truncate -s 100 hindcast-archive/segments/*.h5
try ingest -q -o - trace-x.csv
try check
rm hindcast-archive/segments/*.h5
try ingest -q -o - trace-x.csv
try check
[ "$(whatif)" = "$before" ] && echo same
try ingest -q -o - trace-x.csv
