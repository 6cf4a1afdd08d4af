#!/usr/bin/env bash
# slurm/check.bash - sourced: what hindcast makes of the dumps that slurm_records.sh made, in the directory dumps;
# the caller has fail() and HINDCAST. Of dumps that were kept (KEEP=DIR), by themselves:
#   HINDCAST=build/hindcast tests/long/slurm/check.bash DIR
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    HINDCAST=$(realpath "${HINDCAST:?the program to test}")
    fail() {
        echo "slurm_check: $*" >&2
        exit 1
    }
    export TZ=UTC
    . "$1/jobs.env"
    # Logs are found by the directories that Slurm wrote down: they have to lie there again.
    mkdir "$work" || fail "the dumps are checked where they were made: $work"
    trap 'rm -rf "$work"' EXIT
    cp -rp "$1" "$work/dumps"
    cp -rp "$1/runs" "$work/runs"
    cd "$work"
fi

rows() { # archive, table, columns, [condition]: a line each, tabs between, - for what is missing; times in seconds
    "$HINDCAST" query "$2" -a "$1" --columns "$3" ${4:+--where "$4"} --as jsonl |
        jq -r --arg columns "$3" '. as $row | [$columns | split(",")[] |
            if endswith("_ns") and $row[.] != null then $row[.] / 1000000000 else $row[.] // "-" end] | @tsv'
}
same() { # what: what stands in the files wanted and got
    diff wanted got >said || fail "$1: $(cat said)"
}

# ---- the three forms of sacct ----

"$HINDCAST" ingest -q -a archive dumps/sacct.txt >/dev/null
for form in sacct-xdmod sacct-steps sacct-no-duplicates; do # which say nothing that is not there
    "$HINDCAST" ingest -q -o - -a archive "dumps/$form.txt" >said
    grep -q unchanged said || fail "$form.txt says something else: $(cat said)"
done
# Each by itself says the same, as far as it goes.
all=raw_job,job,array_task,het_component,state,exit_code,exit_signal,gpus,cpus,nodes,node_list,user,account,partition,submit_ns,eligible_ns,start_ns,end_ns,elapsed_ns,requested_gpus,time_limit_ns,name
rows archive jobs "$all,suspended_ns,work_dir,reservation,comment,record" >wanted
"$HINDCAST" ingest -q -a steps dumps/sacct-steps.txt >/dev/null
rows steps jobs "$all,suspended_ns,work_dir,reservation,comment,record" >got
same 'the dump with steps'
rows archive jobs "$all" >wanted
"$HINDCAST" ingest -q -a xdmod dumps/sacct-xdmod.txt >/dev/null
rows xdmod jobs "$all" >got
same "the dump of XDMoD's columns"
# Of a job that was requeued, a dump without duplicates has the last attempt.
rows archive jobs raw_job,start_ns,end_ns,state | sort -k 1,1n -k 2,2n | awk '{ last[$1] = $0 } END { for (job in last) print last[job] }' | sort >wanted
"$HINDCAST" ingest -q -a last dumps/sacct-no-duplicates.txt >/dev/null
rows last jobs raw_job,start_ns,end_ns,state | sort >got
same 'the dump without duplicates'

# ---- job by job: what it was made to be, what it was given, and when ----

done_at() { # when a job that was not requeued came to its end
    awk -v job="${job[$1]}" '$2 == job { print $1 }' dumps/ends.txt
}
since() { # from the beginning of what was done
    echo "${at[$1]% *} -"
}
from_to() { # from the beginning of one thing to the end of another
    echo "${at[$1]% *} ${at[$2]#* }"
}
# An attempt: name, task, component, restart, state, exit code, signal, GPUs, [submitted, [could start, [ended,
# [user, account, partition, name]]]], as attempts.awk is told of it. One of which no more is said was submitted when
# sbatch was called, and came to its end.
made() {
    local IFS=$'\t'
    local -a fields=("${job[$1]}" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "${12:-root}" "${13:-lab}" "${14:-train}" "${15:-$1}"
        "${9:-${at[submit-$1]}}" "${10:--}" "${11:-done}")
    echo "${fields[*]}"
}
{
    made timeout - - 0 timeout 0 0 2 '' '' +60
    made complete - - 0 completed 0 0 8
    made 'fail|pipe' - - 0 failed 3 0 4
    made cancelled - - 0 cancelled 0 0 2 '' '' "${at[cancel]}"
    for task in 1 2 3 4; do made array $task - 0 completed 0 0 1; done
    made het - 0 0 completed 0 0 2
    made het - 1 0 completed 0 0 1
    made wide - - 0 completed 0 0 6
    made nogpu - - 0 completed 0 0 0
    # Each attempt of a job that is requeued is submitted anew when the one before it ended.
    made requeued - - 0 requeued 0 0 4 '' '' "${at[requeue]}"
    made requeued - - 1 completed 0 0 4 "$(from_to requeue requeued-requeued)" "${at[again-requeued]}"
    made other - - 0 completed 0 0 3 '' '' '' nobody other
    made released - - 0 completed 0 0 1 '' "$(since release)"
    made dependent - - 0 completed 0 0 1 '' "$(done_at complete) -"
    made suspended - - 0 completed 0 0 1
    made memory - - 0 failed 0 9 1 '' '' -
    made unstarted - - 0 cancelled 0 0 - '' '' "${at[cancel-unstarted]}"
    made pretrain - - 0 failed 1 0 8
    made again - - 0 completed 0 0 8 '' '' '' root lab train pretrain
    made tune - - 0 completed 0 0 8
    for task in 1 2 3; do made sweep $task - 0 completed 0 0 1; done
    made twin-a - - 0 completed 0 0 1
    made twin-b - - 0 completed 0 0 1
    made steady - - 0 completed 0 0 3
    made nodefail - - 0 node_fail 0 0 16 '' '' "${at[down-04]}"
    made moved - - 0 node_fail 0 0 8 '' '' "${at[down-03]}"
    made moved - - 1 node_fail 0 0 8 "$(from_to down-03 requeued-moved)" "${at[again-moved]}" "${at[down-03-again]}"
    made moved - - 2 completed 0 0 8 "$(from_to down-03-again requeued-moved-2)" "${at[again-moved-2]}"
    made reserved - - 0 completed 0 0 2
    made lowprio - - 0 preempted 0 0 8 '' '' "$(from_to submit-urgent requeued-lowprio)"
    made lowprio - - 1 completed 0 0 8 "$(from_to submit-urgent requeued-lowprio)" "${at[again-lowprio]}"
    made urgent - - 0 completed 0 0 8 '' '' '' root lab urgent
    # 'held' is in no dump: sacct lists the jobs that could start within its window, and it never could.
} >expected.tsv
rows archive jobs job,array_task,het_component,raw_job,state,exit_code,exit_signal,gpus,cpus,nodes,node_list,user,account,partition,submit_ns,eligible_ns,start_ns,end_ns,elapsed_ns,suspended_ns,name |
    sort -t $'\t' -k 4,4n -k 15,15n -k 17,17n >got.tsv
awk -v sums=sums -f "$here/attempts.awk" dumps/given.txt dumps/ends.txt dumps/started.txt expected.tsv got.tsv >said
[ ! -s said ] || fail "$(cat said)"
# What only some jobs have.
field() { # name of the job, column
    rows archive jobs "$2" "job = ${job[$1]}"
}
within() { # what, number, least, most
    (($2 >= $3 && $2 <= $4)) || fail "$1: $2, not $3 to $4"
}
read -r suspend_from suspend_to <<<"${at[suspend]}"
read -r resume_from resume_to <<<"${at[resume]}"
within 'seconds of suspension' "$(field suspended suspended_ns)" $((resume_from - suspend_to)) $((resume_to - suspend_from))
[ "$(field cancelled cancelled_by) $(field unstarted cancelled_by) $(field complete cancelled_by)" = '0 0 -' ] ||
    fail "cancelled by $(field cancelled cancelled_by), $(field unstarted cancelled_by), $(field complete cancelled_by)"
[ "$(field timeout time_limit_ns) $(field complete time_limit_ns)" = '60 300' ] || fail 'other limits of time'
[ "$(field unstarted requested_gpus) $(field wide requested_gpus)" = '8 6' ] || fail 'other GPUs were asked for'
[ "$(rows archive jobs gpu_type 'gpus > 0' | sort -u)" = a100 ] || fail "other types of GPUs: $(rows archive jobs gpu_type 'gpus > 0' | sort | uniq -c)"
[ "$(field timeout comment)" = 'two?lines' ] || fail "the comment is '$(field timeout comment)'"
[ "$(field moved work_dir | sort -u)" = "$work/runs/moved" ] || fail "the job ran in $(field moved work_dir)"
# Slurm names the reservation where its database knew of it before the job: so it may be missing, but no other.
[[ $(field reserved reservation) == "$(awk -F'|' -v job="${job[reserved]}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $1 == job { print $at["Reservation"] == "" ? "-" : $at["Reservation"] }' dumps/sacct.txt)" ]] || fail "the reservation is '$(field reserved reservation)'"

# ---- the GPU-time: what the attempts were given while they ran, Slurm's own reports, and those of hindcast ----

"$HINDCAST" report account -a archive --csv - >account.csv
seconds() { awk -F, -v by="$1" -v name="$2" '$1 == by && (name == "" || $2 == name) { s += $4 * 3600 } END { printf "%.0f", s }' account.csv; }
while read -r account user gpu_seconds _; do
    by_sreport=$(awk -F'|' -v account="$account" -v user="$user" '$2 == account && $3 == user && $5 == "gres/gpu" { print $6 }' dumps/sreport-users.txt)
    [ "$gpu_seconds" = "$by_sreport" ] || fail "$user of $account was given $gpu_seconds GPU-seconds, by sreport $by_sreport"
    [ "$gpu_seconds" = "$(seconds account "$account")" ] || fail "$account: $(seconds account "$account") GPU-seconds, not $gpu_seconds"
    [ "$gpu_seconds" = "$(seconds user "$user")" ] || fail "$user: $(seconds user "$user") GPU-seconds, not $gpu_seconds"
done <sums
[ "$(wc -l <sums)" = 2 ] || fail "other accounts and users: $(cat sums)"
total=$(awk '{ s += $3 } END { print s }' sums)
by_sreport=$(awk -F'|' '$2 == "gres/gpu" { print $3 }' dumps/sreport-cluster.txt)
[ "$total" = "$by_sreport" ] || fail "$total GPU-seconds were given, by sreport $by_sreport"
for by in state partition size; do
    [ "$(seconds $by '')" = "$total" ] || fail "by $by, hindcast has $(seconds $by '') GPU-seconds, not $total"
done
"$HINDCAST" report account -a archive --sreport dumps/sreport-users.txt --json >reconciled.json ||
    fail 'the account differs from sreport'
# A tenth of a percent is its limit; here all is whole seconds, and nothing differs.
jq -e '.sreport | .is_finding == false and .difference_gpu_hours == 0 and (.users | length) == 2 and
    all(.users[]; .difference_gpu_hours == 0)' reconciled.json >said || fail "reconciled: $(jq .sreport reconciled.json)"

attempts=$(wc -l <got.tsv)
echo "slurm_records: $attempts attempts, $total GPU-seconds, as sreport says"

# ---- nodes ----

# Each interval of a node, from and until when it was set so. Slurm counts a node as drained when its last job is over.
"$HINDCAST" ingest -q -a nodes --cluster twin dumps/events-all.txt >/dev/null
rows nodes node_states node,state,flags,reason,user,how,since_ns,until_ns | sort -t $'\t' -k 1,1 -k 7,7n >got.tsv
{
    printf '%s\t' gpu02 unknown 1 'planned: firmware' root history "$(from_to drain-02 steady-over)" "${at[up-02]}" && echo
    printf '%s\t' gpu03 down 0 'link flap' root history "${at[down-03]}" "${at[up-03]}" && echo
    printf '%s\t' gpu03 down 0 'link flap' root history "${at[down-03-again]}" "${at[up-03-again]}" && echo
    printf '%s\t' gpu04 down 0 'ECC error [hw 12]' root history "${at[down-04]}" "${at[up-04]}" && echo
} >expected.tsv
cut -f 1-6 expected.tsv >wanted
cut -f 1-6 got.tsv >got
same 'history of nodes'
paste <(cut -f 1,7,8 got.tsv) <(cut -f 7,8 expected.tsv) | while IFS=$'\t' read -r node from until set_at reset_at; do
    within "$node was set so" "$from" "${set_at% *}" "${set_at#* }"
    within "$node was set back" "$until" "${reset_at% *}" "${reset_at#* }"
done
for form in events.txt events-parsable.txt; do
    "$HINDCAST" ingest -q -o - -a nodes --cluster twin "dumps/$form" >said
    grep -q unchanged said || fail "$form says something else: $(cat said)"
done

# A snapshot, in each form: node, state, flags, reason, GPUs that jobs hold.
holds() { # snapshot, what hindcast has of a node...
    local snapshot=$1 form
    shift
    printf '%s\n' "$@" >wanted
    for form in "scontrol-nodes-$snapshot.txt" "scontrol-oneline-$snapshot.txt" "sinfo-$snapshot".txt "sinfo-$snapshot"-*.json; do
        rm -rf one
        # shellcheck disable=SC2086 # the JSON has its time in its name
        "$HINDCAST" ingest -q -a one dumps/$form >/dev/null 2>said || fail "$form: $(cat said)"
        rows one node_states node,state,flags,reason,gpus_used | sort | tr '\t' , >got
        # sinfo -N -l has words of its own: of GPUs it says nothing; a node that drains it calls so, whatever part of it is
        # in use; a reserved node in use it calls mixed, and one in maintenance that alone.
        [[ $form != sinfo-*.txt ]] || sed -i -e 's/,[0-9]*$/,-/; s/,mixed,1,/,allocated,1,/; s/,mixed,8,/,mixed,0,/; s/,idle,12,/,idle,4,/' wanted
        same "$form"
        [[ $form != sinfo-*.txt ]] || printf '%s\n' "$@" >wanted
    done
}
holds healthy gpu01,idle,0,-,0 gpu02,mixed,0,-,3 gpu03,idle,0,-,0 gpu04,idle,0,-,0
holds broken gpu01,idle,0,-,0 'gpu02,mixed,1,planned: firmware,3' 'gpu03,down,0,link flap,0' 'gpu04,down,0,ECC error [hw 12],0'
holds drained gpu01,idle,0,-,0 'gpu02,idle,1,planned: firmware,0' gpu03,mixed,0,-,8 'gpu04,down,0,ECC error [hw 12],0'
holds reserved gpu01,idle,12,-,0 gpu02,idle,0,-,0 gpu03,idle,0,-,0 gpu04,mixed,8,-,2
holds busy gpu01,idle,12,-,0 gpu02,allocated,0,-,8 gpu03,idle,0,-,0 gpu04,idle,8,-,0
for form in reservations-reserved.txt reservations-oneline-reserved.txt; do
    rm -rf one
    "$HINDCAST" ingest -q -a one "dumps/$form" >/dev/null
    rows one node_states node,flags,reason,user,how | sort | tr '\t' , >got
    printf '%s\n' gpu01,12,maint1,root,plan gpu01,12,maint2,root,plan gpu04,8,tuning,root,plan >wanted
    same "$form"
    rows one node_states since_ns,until_ns 'node = gpu04' >got
    read -r from until <got
    within "$form: the reservation began" "$from" "${at[reserve]% *}" "${at[reserve]#* }"
    [ $((until - from)) = 300 ] || fail "$form: the reservation is of $((until - from)) s"
done
"$HINDCAST" ingest -q -o - -a one dumps/reservations-healthy.txt >said 2>&1 || fail "no reservation: $(cat said)"

# ---- logs, marks, joins ----

mapfile -t logs < <(find "$work/runs" -name '*.out' -o -name '*.log' | sort)
"$HINDCAST" ingest -q -a archive --cluster twin dumps/phases/*.log "${logs[@]}" dumps/events-all.txt "dumps/out/memory-${job[memory]}"*.out >/dev/null
# Launch by launch: the allocation, how it joined, what it loaded, its last iteration, what it saved.
launches() {
    "$HINDCAST" joins -a "$1" --json | jq -r '.cycles[] | [.raw_job, .method, .loaded_iteration // 0, .last_iteration // 0, .saved_iteration // 0] | @tsv' | sort
}
planted() { # how they join, [jobs whose logs do not]
    awk -v method="$1" -v lost=" ${2:-} " '{ key = $1 " " $2 " " $3 }
        $4 == "launched" { order[++n] = key; job[key] = $1 }
        $4 == "loaded" { loaded[key] = $5 }
        $4 == "step" { last[key] = $5 }
        $4 == "saved" { saved[key] = $5 }
        END { OFS = "\t"
            for (i = 1; i <= n; i++) {
                joins = !index(lost, " " job[order[i]] " ")
                print joins ? job[order[i]] : "", joins ? method : "", loaded[order[i]] + 0, last[order[i]] + 0, saved[order[i]] + 0
            } }' dumps/truth.txt | sort
}
# Slurm from 24.05 on records the path of the log, an older one the directory only.
by=work_dir
! head -n 1 dumps/sacct.txt | grep -q '|StdOut|' || by=path
launches archive >got
planted $by >wanted
same 'launches'
# Attempts that share a log have each its own launch.
"$HINDCAST" joins -a archive --json | jq -r --argjson job "${job[moved]}" '.cycles[] | select(.raw_job == $job) | .submit_ns' | sort >got
rows archive jobs submit_ns "job = ${job[moved]}" | sed 's/$/000000000/' | sort >wanted
same 'attempts that share a log'
# Runs: the failed job and the one that goes on are one, the others one each.
mapfile -t tasks < <(rows archive jobs raw_job "job = ${job[sweep]}")
"$HINDCAST" runs propose -a archive --json | jq -r '.runs[] | [.raw_jobs[]] | unique | map(tostring) | join(" ")' | sort >got
printf '%s\n' "${job[pretrain]} ${job[again]}" "${job[moved]}" "${job[tune]}" "${job[twin-a]}" "${job[twin-b]}" "${tasks[@]}" | sort >wanted
same 'runs'
# Marks of each start: of the prolog of each node of each attempt, by the number of the allocation; of the job scripts,
# by number, task, restart and launch.
rows archive phases job,restarts,node 'phase = environment and not end_ns is missing' | sort >got
awk 'BEGIN { OFS = "\t" } $1 == "prolog" { print $3, $4, $5 }' dumps/given.txt | sort >wanted
same 'marks of prologs'
rows archive phases job,array_task,restarts,cycle "phase = load and node ~ 'gpu*' and not end_ns is missing" | sort >got
awk -v sweep="${job[sweep]}" 'BEGIN { OFS = "\t" }
    NR == FNR { array[$2] = $4; task[$2] = $5; next }
    $4 == "launched" { is = array[$1] == sweep; print is ? sweep : $1, is ? task[$1] : "-", $2, $3 }' dumps/ends.txt dumps/truth.txt | sort >wanted
same 'marks of loads'

# ---- show: every fact is at its line, and of its job ----

shown() { # what show is asked for: table, source, line, text of each fact
    "$HINDCAST" show -a archive "$1" --json | jq -r '.facts[] | [.table, .source, .line, .text] | @tsv'
}
rows archive jobs job,array_task,het_component,raw_job | sort -u >attempts
while IFS=$'\t' read -r number task component raw; do
    id=$number${task/#-/}
    [ "$task" = - ] || id=${number}_$task
    shown "$id" >facts
    [ "$(grep -c ^jobs facts)" -ge 2 ] || fail "job $id: $(cat facts)"
    while IFS=$'\t' read -r table source line text; do
        [ -f "$source" ] || fail "job $id: no file $source"
        told=$(sed -n "${line}p" "$source")
        case $table in
            jobs) [[ $told == "$id|"* || $told == "$id+"[01]"|"* ]] ;;
            # A mark, a line of the log with the moment at which a part of the start-up was over, or the first iteration.
            phases) if [[ $source == */phases/* ]]; then
                    [[ $told == *hindcast-phase*"job=$number "* || $told == *hindcast-phase*"job=$raw "* || $component != - ]]
                elif [[ $text == *'phase first_step '* ]]; then
                    [[ $told == *' iteration '*' elapsed time per iteration '* ]]
                else
                    [[ $told == *datetime:* || $told == *'time to initialize'* ]]
                fi ;;
            node_states) [[ $told == *"$(cut -d: -f1 <<<"$text")"*"$(sed -E 's/^[^,]*, (drained, )?//; s/: over$//' <<<"$text")"* ]] ;;
            cycles) [[ $told == *' iteration '* || $told == *'world size'* ]] ;;
            *) [ -n "$told" ] ;;
        esac || fail "job $id: '$text' is not in line $line of $source: $told"
    done <facts
    # Each prolog of it, and no other.
    awk -v raw="$raw" -v number="$number" -v het="$component" '$1 == "prolog" && ($3 == raw || (het != "-" && ($3 == number || $3 == number + 1)))' dumps/given.txt | wc -l >wanted
    grep -c 'phase environment begins' facts >got || true
    same "job $id: marks of prologs"
done <attempts
[ "$(shown "${job[memory]}" | grep -c 'oom_killer, program')" -ge 1 ] || fail 'nothing says that the job was out of memory'
read -r from until <<<"$(field memory start_ns,end_ns)"
while read -r time number; do
    [ "$number" = "${job[memory]}" ] || fail "job $number was out of memory"
    within 'the job was out of memory' "$time" "$from" "$until"
done < <(rows archive events time_ns,job 'class = oom_killer')
[ "$(shown "${job[pretrain]}" | grep -c torchrun)" = 2 ] || fail 'not two failures within the allocation'
[ "$(shown "${job[moved]}" | grep -c 'launch of run')" = 3 ] || fail 'not three launches of the job that was moved'

# ---- all of it at once, by a site file that is written for what lies there ----

mkdir site
cp -p dumps/sacct.txt dumps/events-all.txt dumps/sinfo-*.json dumps/scontrol-nodes-*.txt dumps/reservations-reserved.txt site
cp -rp dumps/phases "$work/runs" site
"$HINDCAST" site init -q site >said 2>&1 || fail "site init: $(cat said)"
"$HINDCAST" site check site/site.json >said 2>&1 || fail "site check: $(cat said)"
"$HINDCAST" ingest -q -o - -a by-site --site site/site.json >said 2>&1 || fail "ingest --site: $(cat said)"
for table in jobs cycles phases; do
    "$HINDCAST" query $table -a archive --agg count --as csv >wanted
    "$HINDCAST" query $table -a by-site --agg count --as csv >got
    same "$table by the site file"
done
# The logs are copies elsewhere: the number in the name tells, where it has one. "train.log" has none.
launches by-site >got
planted number "${job[twin-a]} ${job[twin-b]}" >wanted
same 'launches in copies of the logs'
"$HINDCAST" ingest -q -o - -a by-site --site site/site.json >said 2>&1 || fail "the same again: $(cat said)"
! grep -qE '[1-9][0-9]* of [0-9]+ rows new|[1-9][0-9]* changed' said || fail "the same again: $(cat said)"
echo "slurm_check: $(wc -l <wanted) launches, $(grep -c ^prolog dumps/given.txt) marks of prologs, each job as it was made"
