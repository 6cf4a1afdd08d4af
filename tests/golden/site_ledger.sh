#!/usr/bin/env bash
# The ledger of a site (which files were read, and how far) lost, damaged, of another hindcast, or not
# readable: no row is lost or doubled, what was done is said, and the next ingest goes on as usual.
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

line() { # MINUTE: of the log of a job
    echo "[2026-03-01 11:$1:00,123] CUDA error: an illegal memory access was encountered, number $1"
}
header='JobID|Cluster|User|Submit|Eligible|Start|End|ElapsedRaw|State|AllocTRES|NodeList|JobName'
job() { # NUMBER STATE ELAPSED
    echo "$1|c|ada|2026-03-01T00:00:00|2026-03-01T00:00:00|2026-03-01T01:00:00|Unknown|$3|$2|gres/gpu=8|n1|j"
}
cat >site.json <<'END'
{"schema": "hindcast/site/1", "sources": [
 {"name": "jobs", "format": "job-log", "files": "logs/*"}, {"name": "accounting", "files": "sacct/*"}]}
END
rows() { # ARCHIVE
    "$hindcast" query -a "$1" events --columns time_ns,line,message --as csv
    "$hindcast" query -a "$1" jobs --columns job,state,elapsed_ns --as csv
}
ingest() { "$hindcast" ingest -a "$1" --site site.json >out 2>err || fail "ingest: $(cat err)"; }
ledger() { echo a/derived/*.site-ledger.*; }

# A document under its seal, as hindcast would have written it.
seal() { # FILE
    python3 - "$1" <<'END'
import hashlib, sys
text = open(sys.argv[1]).read().rstrip().removesuffix("}").rstrip()
open(sys.argv[1], "w").write(f'{text},\n  "sha256": "{hashlib.sha256(text.encode()).hexdigest()}"\n}}\n')
END
}
unseal() { sed -i '/^  "sha256":/d; $d' "$1" && sed -i '$s/,$//' "$1" && echo '}' >>"$1"; }

# Each case: what is done to the ledger, and what an ingest says then ("": nothing).
lost() { rm "$(ledger)"; }
cut_off() { truncate -s 200 "$(ledger)"; }
empty() { : >"$(ledger)"; }
changed() { sed -i 's/"size": [0-9]*/"size": 7/' "$(ledger)"; }
unreadable() { local name && name=$(ledger) && rm "$name" && mkdir "$name"; }
of_another() { unseal "$(ledger)" && sed -i 's|"hindcast-site-ledger"|"hindcast-site-ledger-9"|' "$(ledger)" && seal "$(ledger)"; }
no_json() { unseal "$(ledger)" && sed -i 's|"files": \[|"files": [,|' "$(ledger)" && seal "$(ledger)"; }
wrong_digests() { unseal "$(ledger)" && sed -i -E 's/"sha256": "..../"sha256": "0000/' "$(ledger)" && seal "$(ledger)"; }
wrong_offset() { unseal "$(ledger)" && sed -i -E 's/"offset": [0-9]+/"offset": 7/' "$(ledger)" && seal "$(ledger)"; }
wrong_state() { unseal "$(ledger)" && sed -i -E 's/"last_ns": [0-9]+/"last_ns": "soon"/' "$(ledger)" && seal "$(ledger)"; }
no_members() { unseal "$(ledger)" && sed -i -E '/"(path|how|edges)"/d' "$(ledger)" && seal "$(ledger)"; }
as_it_is() { unseal "$(ledger)" && seal "$(ledger)"; }
cases=(
    'lost|'
    'cut_off|is cut off or was changed: every file is read from its start, and the ledger written anew'
    'empty|is cut off or was changed: every file is read from its start, and the ledger written anew'
    'changed|is cut off or was changed: every file is read from its start, and the ledger written anew'
    'unreadable|cannot be read: .*; every file is read from its start, and the ledger left as it is'
    'of_another|is none of this hindcast: every file is read from its start, and the ledger written anew'
    'no_json|is none of this hindcast: every file is read from its start, and the ledger written anew'
    'wrong_digests|' 'wrong_offset|' 'wrong_state|' 'no_members|' 'as_it_is|')
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }

# An archive whose ledger has two files, both read on once.
case=template
mkdir logs sacct template
{ line 01; line 02; } >logs/slurm-1.out
{ echo "$header"; job 1 RUNNING 60; job 2 RUNNING 60; } >sacct/dump.txt
ingest a
line 03 >>logs/slurm-1.out
job 1 COMPLETED 120 >>sacct/dump.txt
ingest a
grep -q '^site: 2 files were read on' out || fail "nothing was read on: $(cat out)"
mv a logs sacct template

for entry in "${cases[@]}"; do
    case=${entry%%|*} says=${entry#*|}
    rm -rf a clean logs sacct
    cp -a template/. .
    line 04 >>logs/slurm-1.out
    job 2 FAILED 180 >>sacct/dump.txt
    "$case"
    ingest a
    [ -z "$says" ] && { ! grep -q ledger err || fail "it says $(cat err)"; }
    [ -z "$says" ] || grep -qE "warning: .*$says" err || fail "it says $(cat err)"
    [ "$(grep -c ledger err)" -le 1 ] || fail "it says so twice"
    [ "$case" = as_it_is ] || ! grep -q '^site: 2 files were read on' out || fail "it goes by what is damaged"
    ingest clean
    rows a >a.rows
    rows clean >clean.rows
    cmp -s a.rows clean.rows || fail "other rows: $(diff a.rows clean.rows)"
    [ "$(wc -l <a.rows)" = 8 ] || fail "$(cat a.rows)"
    ingest a
    [ "$case" = unreadable ] || grep -q '^site: 2 files, 2 of them as they were' out || fail "then: $(cat out)"
    [ "$case" != unreadable ] || [ -d "$(ledger)" ] || fail "it was not left as it is"
done

# A segment is lost, and a repair says so: the files that it had its rows from are read again.
case='lost segment'
"$hindcast" archive gc -q -a a >out # of what is replaced
truncate -s 5000 "$(find a/segments -name '*events*' | head -n 1)"
"$hindcast" check --repair -a a >out 2>err && fail "the repair finds nothing"
grep -q "the next 'hindcast ingest' of a site reads all of its files" err || fail "it says $(cat err)"
ingest a
rows a >a.rows
cmp -s a.rows clean.rows || fail "other rows: $(diff a.rows clean.rows)"
echo "${#cases[@]} ledgers, and a lost segment"
