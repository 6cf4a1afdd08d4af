# slurm/attempts.awk - each attempt that hindcast has of the jobs of slurm_records.sh, against what was done. Run by
# check.bash with the files, in this order, given.txt, ends.txt, started.txt (see slurm_records.sh), and made by it:
#   expected.tsv  job, task, component, restart, state, exit code, signal, GPUs, user, account, partition, name,
#                 when it was submitted, could start, and ended; each of the three "LEAST MOST" in seconds, or:
#                 "-": not known better than by the rest; end "done": between what the job wrote when it was done and
#                 the first epilog, "+60": so long after the start at least
#   got.tsv       what hindcast has, by number of the allocation and order of its attempts; times in seconds
# Prints what differs, a line each; and the GPU- and CPU-seconds of each account and user, to the file `sums`.
BEGIN { FS = "\t" }
function differs(what, is, wanted) {
    printf "%s of %s %s: %s, not %s\n", what, name, key, is, wanted
}
# Whether a time is between two others, where these are known.
function within(what, time, least, most) {
    if (time == "-" || (least != "-" && time < least + 0) || (most != "-" && time > most + 0))
        differs(what, time, least " to " most)
}
# "1(x2),4": the sum
function cpus_of(text, n, part, i, of, sum) {
    n = split(text, part, ",")
    for (i = 1; i <= n; i++) {
        split(part[i], of, /\(x|\)/)
        sum += of[1] * (of[2] ? of[2] : 1)
    }
    return sum
}
FILENAME ~ /given.txt$/ {
    split($0, f, " ")
    if (f[1] == "epilog") {
        epilogs[f[3]] = epilogs[f[3]] " " f[2]
        next
    }
    at = f[3] " " f[4]
    if (!(at in prolog) || f[2] < prolog[at])
        prolog[at] = f[2]
    nodes[at]++
    list[at] = f[6]
    cpus[at] = cpus_of(f[7])
    gpus[at] += f[8] == "-" ? 0 : split(f[8], each, ",")
    user[at] = f[9]
    account[at] = f[10]
    partition[at] = f[11]
    next
}
FILENAME ~ /ends.txt$/ {
    split($0, f, " ")
    done[f[2] " " f[3]] = f[1]
    task_of[f[2] " " f[3]] = f[4] == "-" ? f[2] "\t-" : f[4] "\t" f[5]
    next
}
FILENAME ~ /started.txt$/ {
    split($0, f, " ")
    at = f[2] " " n_starts[f[2]]++ + 0
    allotted[at] = f[1]
    on[at] = f[3]
    next
}
FILENAME ~ /expected.tsv$/ {
    expected[$1 "\t" $2 "\t" $3 "\t" $4] = $0
    next
}
{
    key = $1 "\t" $2 "\t" $3 "\t" restart[$4]++ + 0
    at = $4 " " restart[$4] - 1
    name = $21
    if (!(key in expected)) {
        print "nobody made " name " " key
        next
    }
    split(expected[key], want, "\t")
    delete expected[key]
    split("5 6 7 8 12 13 14 21", column, " ")
    split("state,exit code,signal,GPUs,user,account,partition,name", what, ",")
    for (i = 1; i <= 8; i++)
        if ($column[i] "" != want[i + 4] "")
            differs(what[i], $column[i], want[i + 4])
    split(want[13], submit, " ")
    within("submission", $15, submit[1], submit[2])
    within("eligibility", $16, $15, $17)
    if (want[14] != "-") {
        split(want[14], eligible, " ")
        within("eligibility", $16, eligible[1], eligible[2])
    }
    if (!(at in prolog)) { # it was cancelled before
        if ($5 != "cancelled" || $8 + 0 != 0 || $19 + 0 != 0 || $11 != "-")
            differs("what never ran", $5 ", " $8 " GPUs on " $11 " for " $19 " s", "cancelled, nothing")
        next
    }
    # What it was given.
    if ($8 != gpus[at])
        differs("GPUs by its prologs", $8, gpus[at])
    if ($9 != cpus[at])
        differs("CPUs", $9, cpus[at])
    if ($10 != nodes[at])
        differs("nodes", $10, nodes[at])
    if ($11 != list[at] || $11 != on[at])
        differs("list of nodes", $11, list[at] " or " on[at])
    if ($12 != user[at] || $13 != account[at] || $14 != partition[at])
        differs("who and where", $12 " " $13 " " $14, user[at] " " account[at] " " partition[at])
    if (at in task_of && task_of[at] != $1 "\t" $2 && $3 == "-")
        differs("job and task", $1 "\t" $2, task_of[at])
    # When: it starts when the controller says, which writes a line of it within the second or the next one.
    within("start", $17, allotted[at] - 1, allotted[at])
    within("start by its prolog", $17, "-", prolog[at])
    first = "-"
    n = split(epilogs[$4], epilog, " ")
    for (i = 1; i <= n; i++)
        if (epilog[i] >= prolog[at] && (first == "-" || epilog[i] < first))
            first = epilog[i]
    if (want[15] == "done") {
        if (!(at in done) && $3 < 1) # a job of several components has one script
            print name " " key " did not come to its end"
        within("end", $18, at in done ? done[at] : $17, first)
    } else {
        split(want[15] ~ /^[-+]/ ? $17 + substr(want[15], 2) " -" : want[15], end, " ")
        within("end", $18, end[1], first)
        within("end", $18, end[1], end[2])
    }
    if ($19 + ($20 == "-" ? 0 : $20) != $18 - $17)
        differs("time", $19 " and suspended " $20, $18 - $17)
    gpu_seconds[$13 " " $12] += gpus[at] * ($18 - $17)
    cpu_seconds[$13 " " $12] += cpus[at] * $19
}
END {
    for (key in expected)
        print "not there: " key
    for (who in gpu_seconds)
        print who, gpu_seconds[who], cpu_seconds[who] > sums
}
