# What each kind of source covers of a night that is worked out by hand, and until when it tells. 122.67 GPU-hours are
# held: 114.67 by run `big`, whose logs and phases are there (93.5 %), 8 by job 200, of which nothing tells but the
# scheduler. An event names n3 (8 GPU-hours), a look at the nodes n1 and n3 (57.33 + 8).
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
echo '2026-03-01T06:59:00+00:00 n3 kernel: NVRM: Xid (PCI:0000:18:00): 79, pid=200, name=python3, GPU has fallen off the bus.' >kern.log
{
    printf '2026-03-01T07:30:00Z\n'
    for n in 1 3; do echo "NodeName=n$n State=IDLE Gres=gpu:h100:8 CPUTot=8 Partitions=train"; done
} >nodes.txt
hindcast ingest -q -a a --cluster c kern.log nodes.txt >ingested
night() { hindcast report nightly -a a --date 2026-03-01 "$@"; }
night --csv tables --html page.html >text
cat tables/sources.csv tables/joins.csv tables/timelines.csv
sed -n '/id="trust"/,$p' page.html | grep -o '<t[dh][^>]*>[^<]*' | sed 's/<[^>]*>//' | paste -sd'|'
# At 06:00 the event and the look have not come, and no source of them is known; of what is held until then, 80 GPU-hours, all is told by logs.
night --as-of 2026-03-01T06:00:00Z --json | sed -n '/"sources"/,/"leaves"/p'
# Logs that nobody said the cluster of are of any.
night --cluster c --csv same --html page.html >text && diff tables/sources.csv same/sources.csv
# The fault of 04:00 lies in 10 minutes of 16 GPUs: of that day, not of each whose window has it.
for day in 01 02; do
    hindcast report nightly -a a --date 2026-03-$day --json | grep '"uncertain_gpu_hours"\|"any_cluster'
done
# Another cluster has jobs, too: nobody said of which the logs are.
sed '1!s/|c|/|d|/;3,$d' sacct.txt | sed '1!s/^100/900/;s|/l/%x|/other/%x|' >other.txt
hindcast ingest -q -a a other.txt >ingested
night --cluster c | tr -s ' \n' ' ' | grep -o '[0-9]* launches are in logs that nobody.*several'
# A site file that says how many GPUs nodes of a partition have: those of job 200 are no longer the record's.
sed '/^200/s|gres/gpu=8||' sacct.txt >unsaid.txt
echo '{"schema": "hindcast/site/1", "sources": [{"name": "accounting", "files": "unsaid.txt"}], "partitions": {"shared": {"gpus_per_node": 8}}}' >site.json
hindcast ingest -q -a b unsaid.txt >ingested
night -a b --site site.json --csv other --html page.html >text && cat other/sources.csv
