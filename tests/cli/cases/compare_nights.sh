# Two nights: where the GPU-hours went, leaf by leaf. Of the night that is worked out by hand there is one day; what is
# changed besides is tested over a cluster of 40 days.
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
hindcast compare -a a --nights 2026-03-01 2026-03-02
hindcast synth cluster -q --nodes 16 --days 20 --jobs 100 --runs 2 --faults 20 --zone UTC -o made
hindcast ingest -q -a b made/slurm/sacct.txt made/slurm/events.txt made/kernel/journal.json made/starts/marks.log >ingested
hindcast ingest -q -a b --zone UTC made/logs/*/*.out >ingested
hindcast compare -a b --nights 2026-03-05 2026-03-07
hindcast compare -a b --nights 2026-03-03..2026-03-05 2026-03-06..2026-03-08 --csv - | cut -d, -f1-6
hindcast compare -a b --nights 2026-03-05 2026-03-07 --json | sed -n '/"archive"/,/"rows"/p'
hindcast compare -a b --nights 2026-03-05 2026-03-07 --csv tables --html page.html -o text && ls tables && grep -c '<table' page.html
# Documents: the same figures; of their days only what is productive is known.
hindcast report nightly -a b --date 2026-03-05 --json >then.json
hindcast report nightly -a b --date 2026-03-07 --json >now.json
hindcast compare --nights then.json now.json
{
    hindcast compare -a b --nights 2026-03-05 2026-03-07 --csv - | cut -d, -f1-6 >days
    hindcast compare --nights then.json now.json --csv - | cut -d, -f1-6 | diff days - && echo same
}
# Made by different site files: said.
echo '{"schema": "hindcast/site/1", "sources": [{"name": "none", "files": "*.none"}]}' >site.json
hindcast report nightly -a b --date 2026-03-07 --site site.json --json >sited.json
hindcast compare --nights then.json sited.json | tail -n 1
hindcast compare --nights then.json sited.json --json | grep other_site
sed 's/"schema_minor": 0/"schema_minor": 7/' now.json >newer.json
sed 's/"what": "lost_work"/"what": "lost_work_too"/' now.json >other.json
sed 's/hindcast-nightly/hindcast-top/' now.json >top.json
head -c 20 now.json >cut.json
refused() { hindcast compare -a b --nights "$@" || echo "exit $?" >&2; }
refused then.json newer.json # defined differently
refused then.json other.json
refused then.json top.json
refused then.json cut.json
refused then.json none.json
refused then.json 2026-03-07
refused now.json now.json
refused 2026-03-10..2026-03-12 2026-03-12
refused 2026-03-10..2026-03-09 2026-03-12
refused 2001-03-10 2026-03-12
refused 2026-03-10 2026-03-12 --fail-on 'slowdown > 2'
