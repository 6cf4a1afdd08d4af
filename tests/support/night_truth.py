#!/usr/bin/env python3
"""Whether the account of a made-up cluster is what was done in it.

usage: night_truth.py MADE SLICES.csv [COVERAGE.csv]

MADE is a directory of `synth cluster`, SLICES.csv what `report nightly --explain all --csv -` prints of all its
days. Of each attempt and leaf, in whole GPU-nanoseconds:

- what is measured was done: the truth has at least as much of the leaf, and at most that and all that is not measured
  in the attempt;
- start-up and what is behind the end agree to the nanosecond, where the launch came to a step;
- of an attempt whose only doubt is when a fault was, lost work agrees within half of the printed interval.

Reasons are compared too, but for runs with an attempt that tells of no launch, or of one without a line of steps, and
forks that failed before they saved: no record says whose those were, or whether they made a step. COVERAGE.csv gets a row for each leaf with an estimate: attempts, and how many agree within what is
printed.
"""
import collections
import csv
import os
import glob
import sys

SLACK_NS = 42 * 10**6  # the watchdog's line tells of 41 ms more than its time


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def fail(what):
    sys.exit(f"night_truth: {what}")


made, slices = sys.argv[1:3]
# A log of a launch that failed at once may tell of the failure alone: it is of no launch then. And one that failed before
# its first line of steps may have made some, or none.
texts = {os.path.basename(path).split(".")[0]: open(path).read().split("world size") for path in glob.glob(f"{made}/logs/*/*.out")}
with_log = {job for job, parts in texts.items() if len(parts) > 1 and all("elapsed time per" in p for p in parts[1:])}

truth = collections.defaultdict(collections.Counter)
run_of, order = {}, []
for row in rows(f"{made}/truth/account.csv"):
    key = row["raw_job"], row["restarts"]
    truth[key][row["what"], row["why"]] += int(row["gpu_ns"])
    if key not in run_of:
        order.append(key)
    run_of[key] = row["run"]

measured = collections.defaultdict(collections.Counter)
guessed = collections.defaultdict(collections.Counter)
gpus = {}
interval = collections.defaultdict(int)  # GPU-ns between the ends of the intervals in which faults lie
for row in rows(slices):
    key = row["raw_job"], row["restarts"] or "0"
    leaf = row["what"], row["why"]
    gpus[key] = int(row["gpus"])
    (measured if row["mark"] == "measured" else guessed)[key][leaf] += int(row["gpu_ns"])
    if row["what"] == "detection":
        whole, _, part = row["uncertain_s"].partition(".")
        interval[key] += int(row["gpus"]) * int(whole + (part + "000000000")[:9])

if set(truth) != set(measured) | set(guessed):
    fail(f"attempts differ: {sorted(set(truth) ^ (set(measured) | set(guessed)))[:5]}")

blind_runs = {run_of[key] for key in order if run_of[key] and key[0] not in with_log}
# A fork that failed before it saved anything looks like the run that it left.
saved = collections.defaultdict(bool)
for row in rows(f"{made}/truth/cycles.csv"):
    first, last = row["first_iteration"] or "0", row["saved_iteration"] or "0"
    saved[row["raw_job"], row["attempt"]] |= int(last) > int(first)
attempts = rows(f"{made}/truth/attempts.csv")
for run in rows(f"{made}/truth/runs.csv"):
    own = [(a["raw_job"], str(i)) for i, a in enumerate(attempts) if a["run"] == run["run"]]
    if run["forked_from"] and own and not saved[own[0]]:
        blind_runs |= {run["run"], run["forked_from"]}
blind = {key for key in order if run_of[key] in blind_runs}


def by_what(counter):
    sums = collections.Counter()
    for (what, _), gpu_ns in counter.items():
        sums[what] += gpu_ns
    return sums


n_exact = n_fault = n_bounded = 0
coverage = collections.defaultdict(lambda: [0, 0, 0, 0])  # attempts, of them covered, truth, account
for key in order:
    want, sure, maybe = truth[key], measured[key], guessed[key]
    if sum(want.values()) != sum(sure.values()) + sum(maybe.values()):
        fail(f"{key}: GPU-time differs")
    doubt = sum(maybe.values())
    if key in blind:
        want, sure, maybe = by_what(want), by_what(sure), by_what(maybe)
    for leaf in set(want) | set(sure) | set(maybe):
        if not sure[leaf] <= want[leaf] <= sure[leaf] + doubt:
            fail(f"{key} {leaf}: {want[leaf]} of the truth, {sure[leaf]} measured, {doubt} not measured in all")
        name = leaf if key in blind else leaf[0]
        is_start = name.startswith("startup.") and name != "startup.failed" or name == "idle_after"
        if is_start and key not in blind:
            if want[leaf] != sure[leaf] + maybe[leaf]:
                fail(f"{key} {leaf}: {want[leaf]} of the truth, {sure[leaf]} of the account")
            n_exact += 1
    n_bounded += doubt > 0
    # What is estimated besides lost work and detection, by how much the middle may be off.
    fault_only = interval[key] > 0 and all(
        (leaf if key in blind else leaf[0]) in ("lost_work", "detection", "abandoned") for leaf in maybe
    )
    # What was abandoned by a fork that saved nothing yet looks like the run's that it left.
    lost_want, lost_got = (
        sum(c[l] for l in c if (l if key in blind else l[0]) in ("lost_work", "abandoned")) for c in (want, sure + maybe)
    )
    if fault_only:
        n_fault += 1
        off = abs(lost_want - lost_got)
        # An evaluation or a save behind the last line is part of the interval, too.
        moved = sum(
            want[l] - sure[l] for l in want if (l if key in blind else l[0]) in ("evaluation", "checkpoint.stall")
        )
        # A user's mistake shows at the end of the job: what the truth has of its recovery is in the interval.
        user = sum(want[l] for l in want if l == ("recovery", "user"))
        if off > interval[key] // 2 + moved + user + SLACK_NS * gpus[key]:
            fail(f"{key}: lost work is off by {off} GPU-ns, and the interval is {interval[key]}")
        coverage["lost_work by a fault"][0] += 1
        coverage["lost_work by a fault"][1] += off <= interval[key] // 2 + user + SLACK_NS * gpus[key]
    for leaf, gpu_ns in maybe.items():
        name = leaf if key in blind else leaf[0]
        c = coverage[name]
        c[0] += 1
        c[1] += abs(want[leaf] - sure[leaf] - gpu_ns) <= max(interval[key] // 2, want[leaf] // 20)
        c[2] += want[leaf]
        c[3] += sure[leaf] + gpu_ns

if not (n_exact and n_bounded and (n_fault or len(sys.argv) > 3)):
    fail(f"nothing was tested: {n_exact} leaves exact, {n_fault} by a fault, {n_bounded} within bounds")
if len(sys.argv) > 3:
    with open(sys.argv[3], "a") as file:
        for leaf, (n, covered, want, got) in sorted(coverage.items()):
            print(f"{leaf},{n},{covered},{want},{got}", file=file)
print(f"{n_exact} leaves exact, {n_fault} within the interval of their fault, {n_bounded} with estimates")
