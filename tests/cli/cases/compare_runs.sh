# Two runs: as a whole, leaf by leaf and by their ratios. First two runs that can be worked out by hand: `big` beside
# `twin`, the same hours of the same jobs two days later, which differs in the
# phases of its start-up alone, that nobody marked.
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
sed -n -e 1p -e '2,3{s/2026-03-02/2026-03-04/g;s/2026-03-01/2026-03-03/g;s/2026-02-28/2026-03-02/g;s/|big|/|twin|/;s/^10/30/p}' \
    sacct.txt >twin.txt
mkdir twins
for job in 100 101; do
    sed 's/2026-03-01/2026-03-03/g;s|/ckpt/big|/ckpt/twin|' logs/big-$job.out >twins/twin-3${job#1}.out
done
hindcast ingest -q -a a twin.txt >ingested
hindcast ingest -q -a a --zone UTC twins/*.out >ingested
hindcast compare -a a --runs big twin
rows() { hindcast compare "$@" --csv - | cut -d, -f1-6 | sed -E 's/(\.[0-9]{6})[0-9]*/\1/g'; }
rows -a a --runs big twin >archive
# Documents: the same shares, but for what was lost to failures, of which they do not tell why.
hindcast report run big -a a --json >big.json
hindcast report run twin -a a --json >twin.json
rows --runs big.json twin.json | diff archive - || true
hindcast compare --runs big.json twin.json -o text && head -n 9 text
# Runs of a made-up cluster, which last for days: what is tested.
hindcast synth cluster -q --nodes 16 --days 20 --jobs 100 --runs 2 --faults 20 --zone UTC -o made
hindcast ingest -q -a b made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >ingested
hindcast ingest -q -a b --zone UTC made/logs/*/*.out >ingested
hindcast compare -a b --runs run-01 run-02
hindcast compare -a b --runs run-01 run-02 --json | sed -n '/"archive"/,/"rows"/p'
hindcast compare -a b --runs run-01 run-02 --csv tables --html page.html -o text && ls tables && grep -c '<table' page.html
sed 's/"schema_minor": 0/"schema_minor": 7/' twin.json >newer.json
sed 's/"kind": "run"/"kind": "job"/' twin.json >job.json
sed 's/"name": "meta", "value": [^}]*/"name": "meta", "value": "x"/' twin.json >word.json
refused() { hindcast compare -a a "$@" || echo "exit $?" >&2; }
refused --runs big big
refused --runs big none
refused --runs big twin.json
refused --runs big.json newer.json # defined differently
refused --runs big.json job.json
refused --runs big.json word.json
refused --runs big.json none.json
refused --runs --nights big twin
refused --runs big twin --fail-on 'slowdown > 2'
refused 2026-03-01 2026-03-02 # days are no timelines
