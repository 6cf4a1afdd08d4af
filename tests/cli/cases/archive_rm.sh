# Jobs and days leave an archive: what is listed, what goes with --yes, what stays since it is not meant as a whole.
{
    echo 'JobID|Cluster|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|JobName'
    for day in 1 2 3 4; do
        date=2026-0$(((day + 1) / 2))-0$day
        echo "$day|c|${date}T00:00:00|${date}T00:00:00|${date}T01:00:00|${date}T03:00:00|7200|COMPLETED|1|gres/gpu=8|n1|one"
    done
} >sacct.txt
hindcast ingest -q -a a sacct.txt
for i in 1 2; do
    hindcast synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 4 --seed $i --start 2026-01-0${i}T10:00:00Z -o trace-run-$i.csv
done
hindcast synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 5 --seed 4 -o trace-other.csv
hindcast ingest -q -a a trace-*.csv
hindcast archive compact -q -a a --older 2026-02-01 >/dev/null
export HINDCAST_ARCHIVE=a
try() { echo "\$ $*"; { hindcast archive rm "$@" 2>&1 || echo "exit $?"; } | sed -E 's/[0-9.]+ kB/SIZE/'; }
listed() { hindcast ls -q | awk 'NR > 1 { print "  " $1, $2 }'; }
listed
try
try 'run-*'
try run
try run-1 --cluster c
try run-[12] --since 2026-01-02
# A month is more than two of its days; a timeline without dates is of no time.
try --since 2026-01-01 --until 2026-01-02
try other --until 2026-12-31 --yes
# Nor does a day that is named take the month that it lies in.
try c/jobs#2026-01-02 --yes
try '*#2026-01-02' --yes
try --table jobs --until 2026-01-31
try c/jobs#2026-02-03 --yes
try 'run-*#0' run-7 --yes
listed
try run-1
try '*' -y -q
listed
hindcast check
hindcast ingest -q trace-run-1.csv sacct.txt
listed
# A name without its cluster is one job, and is asked about where it is in two.
hindcast synth steps -q --dp 1 --pp 1 --microbatches 2 --steps 4 -o trace-run-1.csv
printf 'cluster: west\njob_id: run-1\n' >meta.yaml
hindcast ingest -q --meta meta.yaml trace-run-1.csv
try run-1 --yes
try west/run-1 --yes
# A job of profiler traces goes with all its ranks, or stays with all: one of them has no dates here.
cp -r "$SOURCE_DIR/data/samples/two-ranks" ranks
sed -i 's/"baseTimeNanoseconds": *[0-9]*,//; s/"ts": *[0-9.]*/"ts": 1/' ranks/rank-0.json
hindcast ingest -q ranks
try ranks --until 2027-12-31 --yes
listed | grep ranks
