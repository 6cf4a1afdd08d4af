#!/usr/bin/env bash
# Productive steps split by the what-if of timelines: S of the timeline gives the excess to the nanosecond; other steps
# are estimated only where the site file says that tracing is periodic, and bounded else; a replay that differs too
# much splits nothing. With and without timelines every other leaf and every ETTR is the same.
set -euo pipefail
command -v python3 >/dev/null || { echo "skipped: 'python3' is not installed"; exit 77; }
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
hindcast=$(realpath "${HINDCAST:-$root/build/hindcast}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset HINDCAST_ARCHIVE HINDCAST_SITE

# A job of 8 GPUs over midnight: 23:00 to 01:00, 3,000 steps of 2 s from 23:10 to 00:50; then a fault takes steps that
# were made since 00:30 (iteration 2,400, the last that was saved), and another attempt goes on behind it.
cat >sacct.txt <<'END'
JobID|JobIDRaw|Cluster|Partition|Account|User|Submit|Eligible|Start|End|ElapsedRaw|State|NNodes|AllocTRES|NodeList|WorkDir|StdOut|JobName
4600|4600|made|gpu|lab|bob|2026-03-02T10:00:00|2026-03-02T10:00:00|2026-03-02T10:00:00|2026-03-02T11:00:00|3600|COMPLETED|1|gres/gpu=2,node=1|n2|/work/bob|/work/bob/slurm-4600.out|small
4711|4711|made|gpu|lab|ann|2026-03-02T22:00:00|2026-03-02T22:00:00|2026-03-02T23:00:00|2026-03-03T01:00:00|7200|FAILED|1|gres/gpu=8,node=1|n1|/work/ann|/work/ann/slurm-4711.out|train
4712|4712|made|gpu|lab|ann|2026-03-03T01:00:00|2026-03-03T01:00:00|2026-03-03T02:00:00|2026-03-03T03:00:00|3600|COMPLETED|1|gres/gpu=8,node=1|n1|/work/ann|/work/ann/slurm-4712.out|train
END
# log BEGIN FIRST LAST: the lines of a launch whose steps begin at a Unix time.
log() {
    TZ=UTC awk -v t="$1" -v first="$2" -v last="$3" 'function at(s) { return strftime("%Y-%m-%d %H:%M:%S", s) }
        BEGIN {
            print "using world size: 8, data-parallel size: 2, tensor-model-parallel size: 1, pipeline-model-parallel size: 4"
            printf "[after megatron is initialized] datetime: %s \n", at(t - 120)
            if (first) printf "  successfully loaded checkpoint from /ckpt/train at iteration %d\n", first
            printf "[before the start of training step] datetime: %s \n", at(t)
            for (i = first + 10; i <= last; i += 10) {
                t += 20
                printf " [%s.000000] iteration %8d/    3600 | consumed samples: %d | elapsed time per iteration (ms): " \
                    "2000.0 | learning rate: 1.5E-04 | global batch size: 16 | lm loss: 2.0E+00 |\n", at(t), i, i * 16
                if (i % 1200 == 0) printf "  successfully saved checkpoint from iteration %d to /ckpt/train\n", i
            }
        }'
}
begin=$(date -d 2026-03-02T23:10:00Z +%s)
log "$begin" 0 3000 >slurm-4711.out
log "$(date -d 2026-03-03T02:10:00Z +%s)" 2400 3600 >slurm-4712.out
# 400 steps from 23:50 to 00:03:20, over midnight, in which one worker is slow. They take less than the 2 s.
synth() {
    "$hindcast" synth steps -q --steps 400 --first-step 1200 --step-stride 1 --forward-ms 30 --slow-worker 1,2,1.5 \
        --job 4711 --start-time 2026-03-02T23:49:58Z "$@"
}
synth -o step.csv --meta step.yaml
# The same on Unix time: step k begins 2 (k - 1) s after the first one.
awk -F, -v OFS=, -v base="$begin" 'NR > 1 { split($6, p, "."); $6 = (p[1] + base + 2 * ($4 - 1)) "." p[2] } { print }' \
    step.csv >unix.csv
sed '/^start_time/d' step.yaml >unix.yaml
# Nothing tells when these were.
cp step.csv undated.csv
# Ops that start late: the replay is faster than the trace.
synth --launch-ms 30 -o late.csv --meta late.yaml
for archive in none unix step undated late; do
    "$hindcast" ingest -q -a $archive sacct.txt slurm-4711.out slurm-4712.out >/dev/null
done
"$hindcast" ingest -q -a unix --meta unix.yaml unix.csv >/dev/null
"$hindcast" ingest -q -a step --meta step.yaml step.csv >/dev/null
"$hindcast" ingest -q -a undated --meta unix.yaml undated.csv >/dev/null
"$hindcast" ingest -q -a late --meta late.yaml late.csv >/dev/null
for tracing in periodic chosen; do
    printf '{"schema": "hindcast/site/1", "tracing": "%s", "sources": [{"name": "a", "files": "*.none"}]}\n' $tracing \
        >$tracing.json
done
night() { # name archive option...
    "$hindcast" report nightly -a "$2" --date 2026-03-03 --days 2 --json "${@:3}" >"$1.night"
}
for archive in none unix step undated late; do
    night $archive $archive
done
night periodic unix --site periodic.json
night chosen unix --site chosen.json
night step-periodic step --site periodic.json
night before unix --as-of 2026-03-03T00:02:00Z # the timeline ends later
night none-before none --as-of 2026-03-03T00:02:00Z
night monday unix --site periodic.json --days 1 --date 2026-03-02
night tuesday unix --site periodic.json --days 1
night first step --threads 1
"$hindcast" whatif -a unix 4711 --json >whatif.json
cmp <(grep -v 'site_sha256\|"command"' chosen.night) <(grep -v 'site_sha256\|"command"' unix.night)
cmp first.night step.night

cat >check.py <<'END'
import json, re
def load(name):
    return json.load(open(name))
def leaves(night):
    return {(l["what"], l["why"], l["evidence"]): int(l["gpu_ns"]) for l in night["leaves"]}
names = ("none", "unix", "step", "undated", "late", "periodic", "step-periodic", "before", "none-before", "monday",
         "tuesday")
nights = {n: load(n + ".night") for n in names}
def of(night, what):
    return leaves(nights[night]).get((what, None, None), 0)
def marked(night, what, mark):
    return sum(l[mark + "_gpu_hours"] for l in nights[night]["leaves"] if l["what"] == what and l["why"] is None)
PRODUCTIVE = ("productive.ideal", "productive.straggler_excess", "productive.unsplit")

# 1. The other leaves, the ETTR and all else of the runs are the same, and all sums hold.
for name, night in nights.items():
    assert night["totals"]["adds_up"], name
    assert sum(ns for (w, why, e), ns in leaves(night).items() if why is None) == int(night["totals"]["gpu_ns"]), name
def others(night):
    return {k: v for k, v in leaves(night).items() if k[0] not in PRODUCTIVE}
for name in ("unix", "step", "undated", "late", "periodic", "step-periodic"):
    for what in (others, lambda n: n["runs"], lambda n: n["incidents"], lambda n: n["goodput"],
                 lambda n: n["totals"]["productive_share"]):
        assert what(nights[name]) == what(nights["none"]), name
    assert sum(of(name, w) for w in PRODUCTIVE) == of("none", "productive.unsplit"), name
assert nights["none"]["runs"][0]["kept_steps"] == 3600 and of("none", "lost_work") > 0
assert others(nights["before"]) == others(nights["none-before"])
assert nights["before"]["runs"] == nights["none-before"]["runs"]

# 2. Nothing is split by what is not dated, differs too much, or is not known yet.
for name, joined, discrepant in (("none", 0, 0), ("undated", 0, 0), ("late", 1, 1), ("before", 0, 0)):
    t = nights[name]["timelines"]
    assert (t["joined"], t["split"], t["discrepant"]) == (joined, 0, discrepant), (name, t)
    assert of(name, "productive.straggler_excess") == 0 == nights[name]["totals"]["excess_bound_gpu_hours"], name

# 3. Traced steps: 400 of 2 s on 8 GPUs, those between their ops included but behind the last; x (1 - 1/S). They are
# cut at each line of the log and quarter of an hour, to a nanosecond each.
s = load("whatif.json")["figures"]["slowdown"]
assert 1.15 < s < 1.5, s
share = 1 - 1 / s
traced = of("unix", "productive.ideal") + of("unix", "productive.straggler_excess")
step_ns = traced - 8 * 399 * 2 * 10**9
assert 8 * 10**9 < step_ns < 8 * 2 * 10**9, traced # the last step, without the pause behind it
excess = of("unix", "productive.straggler_excess")
assert abs(excess - traced * share) < 8 * 50, (excess, traced * share)
assert marked("unix", "productive.straggler_excess", "estimated") == 0
# The other productive steps of the attempt, but not those of the second one: a bound.
second = 8 * 1200 * 2 * 10**9
rest = of("none", "productive.unsplit") - traced - second
bound = nights["unix"]["totals"]["excess_bound_gpu_hours"]
assert abs(bound - rest * share / 3.6e12) < 1e-9, (bound, rest * share / 3.6e12)

# 4. Declared periodic: the same of the others, estimated, and no bound; of the second attempt nothing is traced.
assert nights["periodic"]["totals"]["excess_bound_gpu_hours"] == 0
assert of("periodic", "productive.unsplit") == second
both = of("periodic", "productive.straggler_excess")
assert abs(both - (traced + rest) * share) < 8 * 500, both
assert abs(marked("periodic", "productive.straggler_excess", "measured") - excess / 3.6e12) < 1e-9

# 5. Clocks of steps and a start: the same steps, one behind the other without the pauses, by estimate.
assert marked("step", "productive.straggler_excess", "measured") == 0 < of("step", "productive.straggler_excess")
lengths = of("step", "productive.ideal") + of("step", "productive.straggler_excess")
assert 0.6 * traced < lengths < traced
assert abs(of("step-periodic", "productive.straggler_excess") - both) < 8 * 500

# What is traced is said: of the night, the share of the GPU-hours of the attempt that the timeline joined.
def covers(night, table):
    return [s["gpu_hours"] for s in nights[night]["sources"] if s["table"] == table]
assert covers("unix", "ops") == [16.0] and covers("none", "ops") == [], covers("unix", "ops")
assert covers("late", "ops") == [0.0] and covers("unix", "train_steps") == [24.0]
assert covers("monday", "ops") == [8.0] == covers("tuesday", "ops")

# 6. Each day has its share of what goes over midnight.
for what in PRODUCTIVE:
    assert of("monday", what) + of("tuesday", what) == of("periodic", what), what
assert abs(of("monday", "productive.straggler_excess") - 8 * 50 * 60 * 10**9 * share) < 8 * 500
print(f"S {s:.4f}: {excess / 3.6e12:.3f} GPU-hours of excess in traced steps, {bound:.3f} at most in the others")
END
python3 check.py
# The report says what it does not split, and what tells of a leaf.
fail() {
    echo "straggler_excess: $*" >&2
    exit 1
}
"$hindcast" report nightly -a unix --date 2026-03-03 --days 2 | tr -s ' \n' ' ' >said
grep -q 'timelines 1 joined, 1 split productive steps; beside traced steps stragglers may have added up to' said ||
    fail 'the bound is not said'
"$hindcast" report nightly -a late --date 2026-03-03 | tr -s ' \n' ' ' >said
grep -q '1 with over 5 % of discrepancy' said || fail 'the discrepancy is not said'
"$hindcast" report nightly -a unix --date 2026-03-03 --days 2 --explain productive.straggler_excess >said
grep -q 'measured *timeline *job 4711 .*unix.csv' said || fail 'nothing tells where the excess is from'
# An archive that cannot be written to is read all the same: nothing is kept, and the figures are the same.
rm -r unix/derived
if [ "$(id -u)" != 0 ]; then
    chmod -R a-w unix
    "$hindcast" report nightly -a unix --date 2026-03-03 --days 2 --json 2>/dev/null | cmp - unix.night
    chmod -R u+w unix
fi
# A timeline whose segment is damaged is said and left out.
segment=$(find step/segments -type f -printf '%s %p\n' | sort -n | tail -1 | cut -d' ' -f2)
truncate -s 1000 "$segment"
"$hindcast" report nightly -a step --date 2026-03-03 --days 2 --json >damaged.night 2>warned
grep -q "timeline 'default/4711#0' is left out" warned || fail "a damaged timeline: $(cat warned)"
python3 - <<'END'
import json
a, b = (json.load(open(n + ".night")) for n in ("damaged", "none"))
assert a["leaves"] == b["leaves"] and a["runs"] == b["runs"]
END
