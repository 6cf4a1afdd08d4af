# Sources of a site file: what is new is read, what is as it was is passed over.
# (Files that were changed a moment ago are hashed: their times prove nothing.)
header='JobID|Cluster|Submit|Start|End|ElapsedRaw|State|AllocTRES|NodeList|Eligible'
row() { # JOB STATE
    echo "$1||2026-03-01T00:00:00|2026-03-01T01:00:00|2026-03-01T03:00:00|7200|$2|cpu=8,gres/gpu=8,node=1|n$1|2026-03-01T00:00:00"
}
mkdir -p dumps/old/deep dumps/.hidden
{ echo "$header" && row 1 COMPLETED && row 2 FAILED; } >dumps/a.txt
{ echo "$header" && row 3 COMPLETED; } >dumps/old/deep/b.txt
{ echo "$header" && row 9 COMPLETED; } >dumps/.hidden/c.txt
: >dumps/empty.txt
cat >site.json <<'END'
{
  "schema": "hindcast/site/1",
  "cluster": "north", // of records that name none
  "sources": [
    {"name": "accounting", "files": ["dumps/**/*.{txt,gz}", "dumps/a.txt"], "zone": "Europe/Berlin"},
    {"name": "kernel", "files": "nothing-*.log"},
  ],
}
END
try() { "$@" || echo "exit $?" >&2; }
jobs() { hindcast query -a a jobs --columns cluster,job,state,start_ns --as csv; }
try hindcast site check
try hindcast ingest -a a
jobs
try hindcast ingest -a a --site site.json
mv dumps/old/deep/b.txt dumps/old/b.1.txt       # rotated
gzip -n dumps/old/b.1.txt
mv dumps/a.txt dumps/a.1.txt
row 4 COMPLETED >>dumps/a.1.txt                  # grown
row 5 COMPLETED | head -c 60 >>dumps/a.1.txt     # and half a line
{ echo "$header" && row 6 COMPLETED; } >dumps/a.txt
try hindcast ingest -a a
cp dumps/a.txt dumps/copy.txt
row 5 COMPLETED | tail -c +61 >>dumps/a.1.txt
{ echo "$header"; } >dumps/a.txt                 # cut
HINDCAST_SITE=$PWD/site.json try hindcast ingest -q -o - -a a
jobs
rm -r a/derived
try hindcast ingest -q -o - -a a
jobs | wc -l
try hindcast check -a a | tail -n 1
try hindcast archive gc -a a | tail -n 1
ls a/derived | wc -l
sed 's/zone": "Europe\/Berlin/formt": "x", "zone": "Europe\/Berln/; s/"kernel"/"accounting"/; s/hindcast\/site\/1/1/' site.json >wrong.json
try hindcast site check wrong.json
try hindcast ingest -a a --site wrong.json
try hindcast ingest -a a --zone UTC
try hindcast ingest -a a --site site.json dumps/a.txt
try hindcast ingest -a a --site nowhere.json
echo 'no record of anything' >dumps/note.txt
try hindcast site check site.json
try hindcast site check --json site.json
