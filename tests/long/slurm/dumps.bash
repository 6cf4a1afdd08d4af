# slurm/dumps.bash - sourced after site.bash: what Slurm's database says of all that was done, dumped as hindcast's documents
# tell to, from two hours before this was sourced to the end of the hour that runs.
since=$(date -d '-2 hours' +%Y-%m-%dT%H:00:00)

# slurmdbd sums its usage up by hours, and by itself only those that are over. sacctmgr makes it sum up
# the hour that runs, too: all jobs have ended, so nothing of them is to come. Sets until and window.
sum_up() {
    until=$(date -d '+1 hour' +%Y-%m-%dT%H:00:00)
    window=(--starttime "$since" --endtime "$until")
    sacctmgr -i rollup "$since" "$until" >said 2>&1 || fail "the sums: $(cat said)"
}
# The columns of sacct that hindcast asks for, without those that this Slurm does not have.
columns_of_sacct() {
    local column known columns=
    local wanted=JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,Start,End,Elapsed,ElapsedRaw,ExitCode,DerivedExitCode,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,Restarts,FailedNode,Reason,DBIndex,Suspended,Flags,Reservation,WorkDir,StdOut,StdErr,Comment,JobName
    known=$(sacct --helpformat | tr -s ' \n' '\n\n')
    for column in ${wanted//,/ }; do
        ! grep -qx "$column" <<<"$known" || columns+=${columns:+,}$column
    done
    echo "$columns"
}
dump_sacct() { # file
    sacct --allusers --parsable2 --allocations --duplicates "${window[@]}" --format="$(columns_of_sacct)" >"$1"
}
dump_events() { # file
    sacctmgr -P show event "start=$since" "end=$until" format=cluster,nodename,start,end,state,reason,user,tres,duration,event >"$1"
}
# sreport reports to the full hour next to its clock at most, so that of half of all hours, which run, it would say nothing: its
# clock alone, of no daemon, is set an hour ahead.
dump_sreport() { # directory
    local -a report=(faketime -m -f +1h sreport -P cluster) options=(start="$since" end="$until" -t seconds)
    "${report[@]}" utilization "${options[@]}" -T gres/gpu >"$1/sreport-cluster.txt"
    "${report[@]}" AccountUtilizationByUser "${options[@]}" -T gres/gpu,cpu >"$1/sreport-users.txt"
}
