# slurm_check.bash - sourced: what hindcast makes of the dumps that slurm_records.sh made, in the directory dumps;
# the caller has fail() and HINDCAST. Of dumps that were kept (KEEP=DIR), by themselves:
#   HINDCAST=build/hindcast tests/long/slurm_check.bash DIR
if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    HINDCAST=$(realpath "${HINDCAST:?the program to test}")
    fail() {
        echo "slurm_check: $*" >&2
        exit 1
    }
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cp -rp "$1" "$work/dumps"
    cd "$work"
    export TZ=UTC
    # shellcheck disable=SC1091
    . dumps/jobs.env
fi

# ---- what hindcast makes of it ----
unset LD_PRELOAD
"$HINDCAST" ingest -q -a archive dumps/sacct.txt >/dev/null
"$HINDCAST" report account -a archive --csv - >account.csv
for form in sacct-xdmod sacct-steps sacct-no-duplicates; do # which say nothing that is not there
    "$HINDCAST" ingest -q -a archive "dumps/$form.txt" >said
    grep -q unchanged said || fail "$form.txt says something else: $(cat said)"
done

# Each job ended as it was made to end, in each of its attempts.
"$HINDCAST" query jobs -a archive --columns job,array_task,het_component,state,gpus,name --as csv |
    sort >got
cat >expected <<JOBS
$array,1,,completed,1,array
$array,2,,completed,1,array
$array,3,,completed,1,array
$array,4,,completed,1,array
$cancelled,,,cancelled,2,cancelled
$complete,,,completed,8,complete
$failed,,,failed,4,fail|pipe
$het,,0,completed,2,het
$het,,1,completed,1,het
$lowprio,,,completed,8,lowprio
$lowprio,,,preempted,8,lowprio
$again,,,completed,8,pretrain
$dependent,,,completed,1,dependent
$memory,,,failed,1,memory
$moved,,,completed,8,moved
$moved,,,node_fail,8,moved
$moved,,,node_fail,8,moved
$pretrain,,,failed,8,pretrain
$released,,,completed,1,released
$reserved,,,completed,2,reserved
$suspended,,,completed,1,suspended
$tune,,,completed,8,tune
$nodefail,,,node_fail,8,nodefail
$nogpu,,,completed,0,nogpu
$other,,,completed,3,other
$requeued,,,completed,4,requeued
$requeued,,,requeued,4,requeued
$timeout,,,timeout,2,timeout
$urgent,,,completed,8,urgent
job,array_task,het_component,state,gpus,name
JOBS
sort expected | diff - got || fail 'other jobs than were made'

# The GPU-time of all, and of each user, is what Slurm's own reports say.
seconds() { awk -F, -v by="$1" -v name="$2" '$1 == by && $2 == name { printf "%.0f", $4 * 3600 }' account.csv; }
of_sreport() { awk -F'|' -v name="$1" '$3 == name && $5 == "gres/gpu" { s += $6 } END { print s }' dumps/sreport-users.txt; }
for user in root nobody; do
    [ "$(seconds user $user)" = "$(of_sreport $user)" ] ||
        fail "$user: $(seconds user $user) GPU-seconds, by sreport $(of_sreport $user)"
done
all=$(awk -F, '$1 == "state" { s += $4 * 3600 } END { printf "%.0f", s }' account.csv)
by_sreport=$(awk -F'|' '$2 == "gres/gpu" { print $3 }' dumps/sreport-cluster.txt)
[ "$all" = "$by_sreport" ] || fail "$all GPU-seconds, by sreport $by_sreport"
"$HINDCAST" report account -a archive --sreport dumps/sreport-users.txt >reconciled ||
    fail "the account differs from sreport: $(grep -A 2 ^sreport reconciled)"
echo "slurm_records: $(wc -l <dumps/sacct-xdmod.txt) records, $all GPU-seconds, as sreport says"

# ---- job by job: times, requeues, reservation, suspension, against what was done ----

field() { # where, columns: of the jobs
    "$HINDCAST" query jobs -a archive --where "$1" --columns "$2" --as csv | tail -n +2
}
# Held: it could start when it was released; dependent: when the other had ended.
eligible=$(field "job = $released" eligible_ns)
(((${eligible%000000000} - released_at) ** 2 <= 9)) || fail "the held job could start at $eligible, not $released_at"
[ "$(field "job = $dependent" eligible_ns)" -ge "$(field "job = $complete" end_ns)" ] || fail 'the dependent job waited for nothing'
# Slurm names the reservation where its database knew of it before the job.
named=$(awk -F'|' -v job="$reserved" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == job { print $at["Reservation"] }' dumps/sacct.txt)
[ "$(field "job = $reserved" reservation)" = "$named" ] || fail "the reservation is '$(field "job = $reserved" reservation)', by sacct '$named'"
suspended_for=$(field "job = $suspended" suspended_ns)
[ "$suspended_for" -ge 5000000000 ] && [ "$suspended_for" -le 20000000000 ] || fail "suspended for $suspended_for"
span=$(field "job = $suspended" start_ns,end_ns,elapsed_ns,suspended_ns | awk -F, '{ printf "%.0f", ($2 - $1 - $3 - $4) / 1e9 }')
[ "$span" = 0 ] || fail "what ran and what was suspended is not the whole: $span s"
# Each attempt of a job that is requeued is submitted when the one before it ended.
[ "$(field "job = $moved" submit_ns,end_ns | sort -n | awk -F, 'NR > 1 && $1 < end { bad = 1 } { end = $2 } END { print NR, bad + 0 }')" = '3 0' ] ||
    fail "attempts of the moved job: $(field "job = $moved" submit_ns,end_ns)"

# ---- nodes ----

"$HINDCAST" ingest -q -a nodes --cluster twin dumps/events-all.txt >/dev/null
"$HINDCAST" query node_states -a nodes --columns node,state,flags,reason --as csv | tail -n +2 | sort >got
printf '%s\n' 'gpu02,unknown,1,planned: firmware' 'gpu03,down,0,link flap' 'gpu03,down,0,link flap' \
    'gpu04,down,0,ECC error [hw 12]' | diff - got >said || fail "history of nodes: $(cat said)"
"$HINDCAST" ingest -q -a nodes --cluster twin dumps/events-parsable.txt >said
grep -q unchanged said || fail "the shorter history says something else: $(cat said)"
for at in healthy broken reserved; do # the four forms of one snapshot
    for form in "scontrol-nodes-$at.txt" "scontrol-oneline-$at.txt" "sinfo-$at.txt" sinfo-$at-*.json; do
        rm -rf one
        "$HINDCAST" ingest -q -a one dumps/$form >/dev/null 2>said || fail "$form: $(cat said)"
        "$HINDCAST" query node_states -a one --columns node,state,flags,reason --as csv | sort >got
        [ "$form" != "scontrol-nodes-$at.txt" ] || cp got first
        [ "$(wc -l <got)" = 5 ] || fail "$form: $(wc -l <got) nodes"
        # Jobs begin and end between two dumps of a snapshot, and JSON alone says that a node is reserved now.
        alike() { sed 's/,mixed,/,idle,/; s/,8,/,0,/' "$1"; }
        diff <(alike first) <(alike got) >said || fail "$form: $(cat said)"
    done
done
grep -q '^gpu04,down,0,ECC error \[hw 12\]$' <("$HINDCAST" query node_states -a nodes --columns node,state,flags,reason --as csv) ||
    fail 'gpu04 was not down'
for form in reservations-reserved.txt reservations-oneline-reserved.txt; do
    rm -rf one
    "$HINDCAST" ingest -q -a one "dumps/$form" >/dev/null
    "$HINDCAST" query node_states -a one --columns node,flags,reason,user,how --as csv | tail -n +2 | sort >got
    printf '%s\n' gpu01,12,maint1,root,plan gpu04,8,tuning,root,plan | diff - got >said || fail "$form: $(cat said)"
done
"$HINDCAST" ingest -q -a one dumps/reservations-healthy.txt >said 2>&1 || fail "no reservation: $(cat said)"

# ---- logs, marks, joins ----

runs=$PWD/runs methods=' path work_dir '
[ -d "$runs" ] || { runs=$PWD/dumps/runs methods=' path work_dir number '; } # kept dumps lie elsewhere
"$HINDCAST" ingest -q -a archive --cluster twin dumps/phases/*.log "$runs"/*/*.out dumps/events-all.txt dumps/out/memory*.out >/dev/null
"$HINDCAST" joins -a archive --json >joins.json
"$HINDCAST" joins -a archive --as csv >joins.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["job"], $at["cycle"], $at["joined"], $at["method"], $at["loaded_iteration"] + 0, $at["last_iteration"] + 0, $at["saved_iteration"] + 0 }' joins.csv >got
while read -r _ _ joined method _; do
    [ "$joined" = joined ] && [[ $methods == *" $method "* ]] || fail "a log does not join by its path or work directory: $(cat got)"
done <got
# Launch by launch: job, loaded, last, saved. The last second of one whose node went down may be in its log alone.
awk '{ print $1, $5, $6, $7 }' got | sort >launches
awk '{ key = $1 " " $2 " " $3 }
    $4 == "launched" { order[++n] = key; job[key] = $1 }
    $4 == "loaded" { loaded[key] = $5 }
    $4 == "step" { last[key] = $5 }
    $4 == "saved" { saved[key] = $5 }
    END { for (i = 1; i <= n; i++) print job[order[i]], loaded[order[i]] + 0, last[order[i]] + 0, saved[order[i]] + 0 }' dumps/truth.txt | sort >planted
diff planted launches >said || fail "other launches than were made: $(cat said)"
# Runs: the failed job and the one that goes on are one, the others one each.
"$HINDCAST" runs propose -a archive --json | jq -r '.runs[] | [.raw_jobs[]] | unique | map(tostring) | join(" ")' | sort >got
printf '%s\n' "$pretrain $again" "$moved" "$tune" | sort | diff - got >said || fail "other runs: $(cat said)"
# Marks of each start: those of the prologs by the number of the allocation, those of the job scripts by launch.
marks=$("$HINDCAST" query phases -a archive --where 'phase = environment and not end_ns is missing' --agg count --as csv | tail -n 1)
[ "$marks" -ge 20 ] || fail "$marks marks of prologs"
loads=$("$HINDCAST" query phases -a archive --where "phase = load and node ~ 'gpu*' and not end_ns is missing" --agg count --as csv | tail -n 1)
[ "$loads" = "$(grep -c launched dumps/truth.txt)" ] || fail "$loads marks of loads"

# ---- show: every fact at its line ----

for job in "$complete" "$moved" "$pretrain" "$memory" "${array}_2" "$het" "$suspended"; do
    "$HINDCAST" show -a archive "$job" --json >shown.json
    [ "$(jq '.facts | length' shown.json)" -ge 3 ] || fail "job $job: hardly a fact"
    jq -r '.facts[] | [.table, .source, .line, .text] | @tsv' shown.json >facts
    while IFS=$'\t' read -r table source line text; do
        [ -f "$source" ] || fail "job $job: no file $source"
        told=$(sed -n "${line}p" "$source")
        case $table in
            jobs) [[ $told == "${job%_*}"* ]] ;;
            phases) [[ $told == *hindcast-phase* || $told == *datetime* || $told == *' iteration '* ]] ;;
            node_states) [[ $told == *"$(cut -d: -f1 <<<"$text")"* ]] ;;
            *) [ -n "$told" ] ;;
        esac || fail "job $job: '$text' is not in line $line of $source: $told"
    done <facts
done
"$HINDCAST" show -a archive "$memory" | grep -q 'oom_killer, program' || fail 'nothing says that the job was out of memory'
[ "$("$HINDCAST" show -a archive "$pretrain" --json | jq '[.facts[] | select(.text | test("torchrun"))] | length')" = 2 ] ||
    fail 'not two failures within the allocation'
[ "$("$HINDCAST" show -a archive "$moved" --json | jq '[.facts[] | select(.text | test("launch of run"))] | length')" = 3 ] ||
    fail 'not three launches of the job that was moved'

# ---- all of it at once, by a site file that is written for what lies there ----

mkdir site
cp -p dumps/sacct.txt dumps/events-all.txt dumps/sinfo-*.json dumps/scontrol-nodes-*.txt dumps/reservations-reserved.txt site
cp -rp dumps/phases dumps/runs site
"$HINDCAST" site init -q site >said 2>&1 || fail "site init: $(cat said)"
"$HINDCAST" site check site/site.json >said 2>&1 || fail "site check: $(cat said)"
"$HINDCAST" ingest -q -a by-site --site site/site.json >said 2>&1 || fail "ingest --site: $(cat said)"
for table in jobs cycles phases; do
    "$HINDCAST" query $table -a by-site --agg count --as csv | diff - <("$HINDCAST" query $table -a archive --agg count --as csv) >said ||
        fail "$table by the site file: $(cat said)"
done
"$HINDCAST" ingest -q -a by-site --site site/site.json >said 2>&1
grep -qE ' new, 0 changed' said && ! grep -qE '[1-9][0-9]* of [0-9]+ rows new' said || ! grep -q 'ingested' said || fail "the same again: $(cat said)"
echo "slurm_check: $(wc -l <launches) launches, $marks marks of prologs, each job as it was made"
