# Timelines: where they go, what they say of themselves, which steps are in them.
sample=$SOURCE_DIR/data/samples/trace-slow-worker.parquet
hindcast export "$sample" --steps 13 --perfetto one.json
head -n 3 one.json
sed -n '/otherData/,$p' one.json
grep -c '"args":{"step"' one.json
# Compressed by its name, the same text; no time is in it, so the bytes are the same too.
hindcast export -q "$sample" --steps 13 --perfetto one.json.gz
cmp one.json <(gzip -dc one.json.gz)
hindcast export -q "$sample" --steps 13 --perfetto - | cmp - one.json
hindcast export -q "$sample" --steps 13 --threads 2 --perfetto again.json.gz
cmp one.json.gz again.json.gz
# A job of the archive gives what its file gives; the ideal timeline has no stragglers.
hindcast ingest -q "$sample" >/dev/null
hindcast export -q slow-worker --steps 13 --perfetto job.json
cmp one.json job.json
hindcast export -q slow-worker --timeline ideal --steps 10-14,77 --perfetto ideal.json
grep -o '"name":"forward-compute".*"dur":[0-9.]*' ideal.json | grep -o '"dur.*' | sort -u
ls
