# Two recordings of one job in one command are refused before anything is written; metadata says which is which.
try() { code=0; hindcast ingest "$@" || code=$?; echo "-> $code"; }
fixtures=$SOURCE_DIR/tests/fixtures/straggler
samples=$SOURCE_DIR/data/samples
mkdir c1 c2
cp "$fixtures/trace-pp1.csv" c1/trace-x.csv
gzip -c "$fixtures/trace-dp1.csv" >c2/trace-x.csv.gz
try -a new c1/trace-x.csv c2/trace-x.csv.gz
ls -d new || true
try -a old "$fixtures/trace-vpp2.csv" >/dev/null
cp -r old before
try -a old c1/* "$fixtures"/trace-noop1.csv c2/*
diff -r old before
# The same of other forms of one recording, of lists of incidents, and of standard input.
cp "$samples/trace-slow-worker.parquet" c1/
cp "$fixtures/trace-pp1.csv" c2/trace-slow-worker.csv
try -a new c1/trace-slow-worker.parquet c2/trace-slow-worker.csv
try -a new "$samples/incidents/cluster.csv" "$samples/incidents/cluster.jsonl"
try -a new - c1/trace-x.csv - <c1/trace-x.csv
cp c1/trace-x.csv stdin.csv
try -a new - stdin.csv <c1/trace-x.csv
# Names that are not UTF-8 may become one in the archive.
cp c1/trace-x.csv "$(printf 'trace-\377.csv')"
cp c2/trace-x.csv.gz 'trace-%FF.csv.gz'
try -a new trace-*.csv trace-*.csv.gz 
ls -d new || true
# A timeline and a list of one name are of two kinds; one recording twice is said to be unchanged.
cp c1/trace-x.csv cluster.csv
cp c1/trace-x.csv c2/copy.csv
mv c2/copy.csv c2/cluster.csv
try -a kinds -q cluster.csv c2/cluster.csv ./cluster.csv "$samples/incidents/cluster.csv" | sed "s,/.*/cluster.csv,PATH,"
# Metadata says which is which; other metadata of one job is another reading of it, unknown keys are said once.
printf 'cluster: west\nthe_cluster: west\n' >c2/meta-x.yaml
try -a two -q c1/trace-x.csv c2/trace-x.csv.gz
cp c1/trace-x.csv c2/trace-y.csv; cp c1/trace-x.csv trace-y.csv
printf 'job_id: y\ndp_size: 2\n' >c2/meta-y.yaml
try -a two -q trace-y.csv c2/trace-y.csv
# A file that is not there does not keep the others out, but where it would be a job that is.
try -a two -q c1/trace-x.csv none.csv
try -a two -q c1/trace-x.csv none/trace-x.csv
