#!/usr/bin/env bash
# What waits at the end of a log comes whatever becomes of its file, once, and as rows of its log:
# histories that random ones have found to go wrong, or that nobody could tell apart.
set -euo pipefail
hindcast=$(realpath "${HINDCAST:?the hindcast program}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE
export LC_ALL=C
fail() {
    echo "$case: $*"
    exit 1
}
start() { # CASE
    case=$1
    rm -rf a logs nodes
    mkdir logs nodes
}
cat >site.json <<'END'
{"schema": "hindcast/site/1", "sources": [
 {"name": "jobs", "format": "job-log", "files": "logs/*"}, {"name": "nodes", "format": "slurm-nodes", "files": "nodes/*"}]}
END
ingest() { "$hindcast" ingest -a a --site site.json >out 2>err || fail "ingest: $(cat err)"; }
# N rows, with these values of the columns
events() { # N COLUMNS [TEXT]
    "$hindcast" query -a a events --columns "$2" --as csv | tail -n +2 >rows
    [ "$(wc -l <rows)" = "$1" ] || fail "rows: $(cat rows)"
    [ $# -lt 3 ] || [ "$(cat rows)" = "$3" ] || fail "rows: $(cat rows)"
}
at_rest() { touch -d '-1 hour' "$@"; }
undated='torch.OutOfMemoryError: CUDA out of memory.'
dated() { echo "[2026-03-01 11:$1:00,123] CUDA error: an illegal memory access was encountered, number $1"; }

start 'the output of a job that failed is truncated by its requeue'
echo "$undated" >logs/slurm-7.out
ingest
events 0 job
grep -q '1 of its last rows have no time' err || fail "$(cat err)"
dated 01 >logs/slurm-7.out
ingest
grep -q "was cut, replaced or removed: what waited at its end is told as it was" err || fail "$(cat err)"
events 2 class,job,line $'cuda,7,1\nout_of_memory,7,1'
ingest
grep -q '^site: 2 files, 1 of them\|^site: 1 files, 1 of them' out || fail "$(cat out)"
events 2 class

start 'a log whose end waits is removed'
echo "$undated" >logs/slurm-7.out
ingest
rm logs/slurm-7.out
echo "[2026-03-01 11:00:00,123] well" >logs/other.out
ingest
events 1 class,job,clock out_of_memory,7,before_file

start 'the log goes on in a copy, and its file is empty'
echo "$undated" >logs/slurm-7.out
ingest
{ echo "$undated" && dated 01; } >logs/slurm-7.out.1
: >logs/slurm-7.out
ingest
ingest
events 2 class,clock,line $'out_of_memory,between,1\ncuda,zone_assumed,2'

start 'the copy of a log whose file is empty comes to rest'
echo "$undated" >logs/slurm-7.out
ingest
cp logs/slurm-7.out logs/slurm-7.out.1
: >logs/slurm-7.out
ingest
events 0 class
at_rest logs/slurm-7.out.1
ingest
events 1 class,job out_of_memory,7

start 'the ledger is lost while a log waits that is cut then'
echo "$undated" >logs/slurm-7.out
ingest
rm -r a/derived
dated 01 >logs/slurm-7.out
ingest
events 1 class # nothing knows of the other

start 'rotation puts the number before the ending'
dated 01 >logs/slurm-7.txt
ingest
dated 02 >>logs/slurm-7.txt
mv logs/slurm-7.txt logs/slurm-7.1.txt
dated 03 >logs/slurm-7.txt
ingest
grep -q '^site: 1 files were read on from where reading had come' out || fail "$(cat out)"
dated 04 >>logs/slurm-7.1.txt
gzip logs/slurm-7.1.txt
ingest
events 4 job,line $'7,1\n7,2\n7,1\n7,3'

start 'a log of a task that is named like one that was rotated'
dated 01 >logs/slurm-7.txt
ingest
dated 02 >logs/slurm-7.1.txt
ingest
! grep -q 'read on' out || fail "$(cat out)"
events 2 line $'1\n1'

start 'two logs begin alike'
echo >logs/slurm-7.out
ingest
echo >logs/train.err
ingest
grep -q "has what was read as" err || fail "$(cat err)"
dated 01 >>logs/slurm-7.out
dated 02 >>logs/train.err
ingest
events 2 class,job $'cuda,7\ncuda,'

start 'half a line of a snapshot waits'
printf '2026-03-01T00:00:00+00:00\nNodeName=n1 CPUTot=16 State=IDLE\nNodeName=n1' >nodes/nodes.txt
ingest
grep -q 'its last line is not finished' err || fail "$(cat err)"
echo '2 CPUTot=16 State=IDLE' >>nodes/nodes.txt
ingest
[ "$("$hindcast" query -a a node_states --columns node --as csv | tail -n +2 | tr '\n' ' ')" = 'n1 n12 ' ] || fail "other nodes"
