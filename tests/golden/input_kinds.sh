#!/usr/bin/env bash
# A FIFO, a pipe, a device or a directory wherever a file may be named: refused or read, never a
# hang, and nothing of an endless one is kept.
set -euo pipefail
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE
export TMPDIR="$work/tmp"
truncate -s 1G large.json # sparse
ulimit -f 100000 # blocks of 1 KiB: nothing fills the disk, also when this test fails
mkdir tmp directory
mkfifo fifo
trace=$root/data/samples/trace-interleaved.csv meta=$root/data/samples/meta-interleaved.yaml
incidents=$root/data/samples/incidents/cluster.jsonl

fail() {
    echo "FAIL: $*" | tee -a failures
}

# refused TEXT COMMAND...: exits with 3, without a hang, and says TEXT.
refused() {
    local text=$1 code=0 out
    out=$(mktemp out-XXXXXX)
    shift
    timeout 120 "$hindcast" "$@" >"$out" 2>&1 </dev/null || code=$?
    [ "$code" = 3 ] || fail "exit $code, not 3: $*: $(head -3 "$out")"
    grep -qF -- "$text" "$out" || fail "'$text' is not said: $*: $(head -3 "$out")"
}

answers() {
    timeout 120 "$hindcast" "$@" >out 2>&1 </dev/null || fail "exit $?: $*: $(head -3 out)"
}

echo '{"include": "fifo"}' >of-fifo.json
echo '{"include": "/dev/zero"}' >of-zero.json
echo '{"include": "directory"}' >of-directory.json
cat >recorded.json <<END
{
  "schema": "hindcast/scenario/1", "kind": "lifetime", "replicas": 2,
  "job": {"nodes": 2, "gpus_per_node": 8, "horizon_d": 5, "step_s": 10},
  "faults": {"node": {"class": "explicit", "incidents_from": {"file": "NAME", "nodes": 20}, "remedy": "evict"}},
  "checkpoint": {"mode": "async", "every_s": 3600, "stall_s": 2, "durable_after_s": 300, "load_s": 90},
  "startup": {"full_s": 700},
  "recovery": {"pool_nodes": 4, "reschedule_s": 600}
}
END
for name in fifo /dev/zero directory; do
    sed "s|NAME|$name|" recorded.json >recorded-$(basename $name).json
done

refused "'/dev/zero': it is a character device" whatif --meta /dev/zero "$trace"
refused "'/dev/zero': it is a character device" ingest -a archive --meta /dev/zero "$trace"
refused "'directory': it is a directory" whatif --meta directory "$trace"
refused "'fifo': it is a FIFO, and nobody writes into it" whatif --meta fifo "$trace" &
refused "'/dev/zero': it is a character device" whatif /dev/zero
refused "directory 'directory' has no file that could be a trace" ingest -a archive directory
refused "'fifo': it is a FIFO" ingest -a archive fifo &
refused "'fifo': it is a FIFO" report reliability fifo &
refused "it is a character device" report reliability /dev/zero
for command in "scenario check" "scenario show" simulate; do
    refused "'/dev/zero': it is a character device" $command /dev/zero
    refused "'directory': it is a directory" $command directory
done
refused "'fifo': it is a FIFO" scenario check fifo &
refused "fifo': it is a FIFO" scenario check of-fifo.json &
refused "'/dev/zero': it is a character device" scenario check of-zero.json
refused "directory': it is a directory" scenario check of-directory.json
refused "fifo': it is a FIFO" scenario check recorded-fifo.json &
refused "'/dev/zero': it is a character device" scenario check recorded-zero.json
refused "directory': it is a directory" scenario check recorded-directory.json
refused "'/dev/zero': it is a character device" merge /dev/zero
refused "'fifo': it is a FIFO" merge fifo &
refused "it is a directory" merge directory
# Results, reports of nights and of runs, keys, site files, patterns; what an include leads to.
ln -s fifo fifo.json
ln -s /dev/zero zero.json
ln -s directory directory.json
"$hindcast" synth cluster -q --nodes 4 --days 1 --jobs 2 --zone UTC -o made
"$hindcast" ingest -q -a records made/slurm/sacct.txt >out 2>&1 || fail "$(cat out)"
for kind in "fifo:it is a FIFO, and nobody writes into it" "zero:it is a character device" "directory:it is a directory"; do
    file=${kind%%:*}.json why="'${kind%%:*}.json': ${kind#*:}"
    refused "$why" reproduce $file &
    refused "$why" compare --nights $file other.json &
    refused "$why" compare --runs $file other.json &
    refused "$why" site check $file &
    refused "$why" report nightly -a records --date 2026-03-01 --site $file &
    refused "$why" ingest -a archive --patterns $file "$trace" &
    refused "$why" export jobs -a records --as csv --anonymise $file &
    refused "$why" report account -a records --sreport $file &
    wait
done
wait
[ ! -e archive ] || fail "an archive is left of what was refused"

# More than the cap through a pipe: refused at the cap, and no copy of it is kept.
refused "more than 67108864 bytes" whatif --meta <(head -c 70000000 /dev/zero) "$trace"
refused "more than 4194304 bytes" simulate <(head -c 5000000 /dev/zero)
refused "'large.json' has more than 134217728 bytes" reproduce large.json
refused "'large.json' has more than 134217728 bytes" compare --nights large.json large.json

# What would fill TMPDIR, or memory, is refused at its budget.
export HINDCAST_MAX_SPOOL=1M
refused "'/dev/fd/9' has more than 1048576 bytes, the most that are kept in" whatif /dev/fd/9 9< <(head -c 9000000 /dev/zero)
code=0
cat "$trace" | HINDCAST_MAX_SPOOL=9X "$hindcast" whatif - >out 2>&1 || code=$?
[ "$code" = 2 ] && grep -q "HINDCAST_MAX_SPOOL is '9X', which is no number of bytes" out || fail "$code: $(cat out)"
unset HINDCAST_MAX_SPOOL
{
    printf '{"schemaVersion": 1, "traceEvents": ['
    head -c 100000000 /dev/zero | tr '\0' ' '
} | gzip -9 >bomb.json.gz
refused "200 for each byte beyond: it is made to fill a disk" report breakdown bomb.json.gz
[ -z "$(ls tmp)" ] || fail "temporary files are left: $(ls tmp)"

# What is no file and ends is read.
digest=$(sha256sum <"$meta" | cut -c1-64)
answers whatif --json --meta <(cat "$meta") "$trace"
grep -q "$digest" out || fail "the digest of metadata of a pipe is another"
(sleep 0.2; cat "$meta") >fifo &
answers whatif --json --meta fifo "$trace"
grep -q "$digest" out || fail "the digest of metadata of a FIFO is another"
answers report reliability <(cat "$incidents")
answers scenario check <(echo '{"include": "preset:llama3"}')
timeout 120 "$hindcast" whatif --meta "$meta" - <"$trace" >out 2>&1 || fail "standard input: $(cat out)"
timeout 120 "$hindcast" whatif --meta "$meta" /dev/stdin < <(cat "$trace") >out 2>&1 ||
    fail "/dev/stdin: $(cat out)"
# The digest of incidents is that of what was read: a pipe cannot be read once more.
timeout 120 "$hindcast" simulate --json <(sed "s|NAME|/dev/fd/9|" recorded.json) 9< <(cat "$incidents") >out 2>err ||
    fail "incidents of a pipe: $(cat err)"
grep -q "$(sha256sum <"$incidents" | cut -c1-64)" out || fail "the digest of incidents of a pipe is another"

# Records that are not there are a mistake of the scenario (3); records that cannot be read are none (4).
ln -s loop loop
for record in gone:3 loop:4; do
    code=0
    sed "s|NAME|${record%:*}|" recorded.json >records.json
    "$hindcast" simulate --json records.json >out 2>&1 || code=$?
    [ "$code" = "${record#*:}" ] || fail "records '${record%:*}' end with $code: $(cat out)"
    grep -q '^hindcast: records.json:[0-9]*:[0-9]*: /' out || fail "the place is not said: $(cat out)"
done
[ ! -e failures ]
