# What cannot be exported: a message, and no file.
try() { code=0; hindcast export "$@" || code=$?; echo "$* -> $code" >&2; }
sample=$SOURCE_DIR/data/samples/trace-interleaved.csv
try
try "$sample"
try "$sample" "$sample" --perfetto x.json
try "$sample" --perfetto x.json --timeline recorded
try "$sample" --perfetto x.json --json
try "$sample" --perfetto x.json -o y.json
try "$sample" --perfetto x.json --steps 900
try absent --perfetto x.json
head -n 4 "$sample" >trace-cut.csv
try trace-cut.csv --meta none --perfetto x.json
try "$sample" --perfetto missing/x.json
try "$sample" --perfetto /dev/full
ln -s /dev/full full.json.gz
try "$sample" --perfetto full.json.gz
rm full.json.gz
try "$sample" -q --perfetto - >/dev/full
# A step that is not whole is left out, with a warning.
sed '5d' "$sample" >trace-odd.csv
try trace-odd.csv --meta none --perfetto /dev/null
ls
