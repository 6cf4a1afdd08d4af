#!/usr/bin/env python3
"""Whether what `synth cluster` says in truth/account.csv is what it did.

usage: cluster_truth.py DIR [SECONDS]: SECONDS is the end of the record, for attempts that ran then.

Reads the dump of the scheduler, the logs and truth/cycles.csv, and works the account out in other ways than the
generator does: each attempt's sum against AllocTRES and ElapsedRaw, to the nanosecond; each day's; lost work by
playing the launches forward and taking back what each resumption undoes; stalls and evaluations by the timers of
the logs; and the times between lines of the logs by what stands between them.
"""
import collections
import csv
import glob
import os
import re
import sys
from datetime import datetime, timezone

DAY_S = 86400
NS = 10**9


def rows(path, delimiter=","):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def number(text):
    return int(text) if text else None


def day_start(day):
    return int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=timezone.utc).timestamp())


def fail(what):
    sys.exit(f"cluster_truth: {what}")


def check_sums(made, account, attempts, end_s):
    """Of each attempt and day: GPUs times time. The same sums as the dump of the scheduler gives."""
    sums = collections.defaultdict(int)
    for row in account:
        if int(row["gpu_ns"]) <= 0:
            fail(f"a row of nothing: {row}")
        sums[row["attempt"], row["day"]] += int(row["gpu_ns"])
    expected = {}
    for a in attempts:
        start, end, gpus = number(a["start_s"]), number(a["end_s"]), int(a["gpus"])
        if start is None or not gpus:
            continue
        end = end_s if end is None else end
        day = start - start % DAY_S
        while day < end:
            name = datetime.fromtimestamp(day, timezone.utc).strftime("%Y-%m-%d")
            held = min(end, day + DAY_S) - max(start, day)
            if held:
                expected[a["attempt"], name] = held * gpus * NS
            day += DAY_S
    if sums != expected:
        wrong = [k for k in sums.keys() | expected.keys() if sums.get(k) != expected.get(k)]
        fail(f"{len(wrong)} sums of attempt and day, as {wrong[0]}: {sums.get(wrong[0])} {expected.get(wrong[0])}")
    of_dump = 0
    for record in rows(os.path.join(made, "slurm/sacct.txt"), "|"):
        found = re.search(r"gres/gpu=(\d+)", record["AllocTRES"])
        of_dump += int(found.group(1)) * int(record["ElapsedRaw"]) * NS if found else 0
    if of_dump != sum(sums.values()):
        fail(f"the dump of the scheduler sums to {of_dump}, the account to {sum(sums.values())}")
    return of_dump


def by_run(account):
    """GPU-ns of a run by what."""
    held = collections.defaultdict(lambda: collections.defaultdict(int))
    for row in account:
        if row["run"]:
            held[row["run"]][row["what"]] += int(row["gpu_ns"])
    return held


def check_steps(account, attempts, cycles, runs):
    """Steps that count, are lost or are at risk, by playing the launches forward."""
    of_attempt = {a["attempt"]: a for a in attempts}
    held = by_run(account)
    n_lost = 0
    for run in runs:
        name, alive, lost, n_cut, n_open = run["run"], [], 0, 0, 0
        mine = [c for c in cycles if of_attempt[c["attempt"]]["run"] == name and c["first_step_s"]]
        mine.sort(key=lambda c: int(c["start_s"]))
        for c in mine:
            first, last = int(c["first_iteration"]), int(c["last_iteration"])
            kept = [i for i in alive if i <= first]
            lost += len(alive) - len(kept)
            alive = kept + list(range(first + 1, last + 1))
            is_open = not c["end_s"] or last == int(run["iterations"])
            n_cut += not is_open
            n_open += is_open
        is_open = mine and (not mine[-1]["end_s"] or int(mine[-1]["last_iteration"]) == int(run["iterations"]))
        if mine and not is_open:  # above the last checkpoint, at risk or abandoned
            saved = int(mine[-1]["saved_iteration"])
            lost += sum(i > saved for i in alive)
            alive = [i for i in alive if i <= saved]
        step_ns = int(run["step_s"]) * int(run["nodes"]) * 8 * NS
        got = held[name]["lost_work"] + held[name]["abandoned"]
        if not lost * step_ns <= got <= (lost + n_cut) * step_ns:
            fail(f"{name}: {lost} steps are lost and {n_cut} cut short, and the account has {got / step_ns} of both")
        got = held[name]["productive.unsplit"]
        if not len(alive) * step_ns <= got <= (len(alive) + n_open) * step_ns:
            fail(f"{name}: {len(alive)} steps count, and the account has {got / step_ns}")
        n_lost += lost
    return n_lost


def log_events(path):
    """(kind, seconds, iteration, milliseconds) of lines of iterations, and of timers of what stands between."""
    line = re.compile(r"^ \[(.{19})\.(\d{3})\d+\] iteration +(\d+)/.*iteration \(ms\): ([0-9.]+)")
    timer = re.compile(r"^    (evaluate|save-checkpoint) \.+: \([0-9.]+, ([0-9.]+)\)")
    with open(path) as log:
        for text in log:
            if text.startswith("using world size"):
                yield "launch", 0, 0, 0
            found = line.match(text)
            if found:
                at = datetime.strptime(found.group(1), "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
                yield "line", at.timestamp() + int(found.group(2)) / 1000, int(found.group(3)), float(found.group(4))
            found = timer.match(text)
            if found:
                yield found.group(1), 0, 0, float(found.group(2))


def check_logs(made, account, runs):
    """What lies between lines beyond their steps is what the timers say; and the account has as much."""
    held = by_run(account)
    n_gaps = 0
    for run in runs:
        told = collections.defaultdict(float)
        for path in glob.glob(os.path.join(made, "logs", run["run"], "*.out")):
            last, between = None, 0.0
            for kind, at, iteration, ms in log_events(path):
                if kind == "launch":
                    last = None
                elif kind == "line":
                    gap = last and abs(at - last[0] - (iteration - last[1]) * ms / 1000 - between / 1000)
                    # The mean is printed in tenths of a millisecond.
                    if gap is not None and gap > 0.0001 * (iteration - last[1]) + 1e-6:
                        fail(f"{path}: iteration {iteration} comes {gap} s beside what stands before it")
                    n_gaps += last is not None
                    last, between = (at, iteration), 0.0
                else:
                    told[kind] += ms
                    between += ms
        gpus = int(run["nodes"]) * 8
        for kind, what, longest in (("save-checkpoint", "checkpoint.stall", int(run["stall_s"])),
                                    ("evaluate", "evaluation", int(run["evaluation_s"]))):
            rest = held[run["run"]][what] / gpus / NS - told[kind] / 1000
            if not -1e-6 <= rest <= 100 * longest:  # those that an end cut short are not told
                fail(f"{run['run']}: {what} is {rest} s off the logs")
    return n_gaps


def main():
    made, end_s = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None
    account = rows(os.path.join(made, "truth/account.csv"))
    attempts, cycles, runs = (rows(os.path.join(made, f"truth/{name}.csv")) for name in ("attempts", "cycles", "runs"))
    held = check_sums(made, account, attempts, end_s)
    n_lost = check_steps(account, attempts, cycles, runs) if "noisy" not in sys.argv else 0
    n_gaps = check_logs(made, account, runs)
    of_runs = {row["what"] for row in account if row["run"]}
    if "unknown" in of_runs:
        fail("of a run something is unknown")
    if any(row["what"] != "unknown" for row in account if not row["run"]):
        fail("of an attempt without a log something is known")
    print(f"{len(account)} rows, {held / NS / 3600:.0f} GPU-hours, {n_lost} steps lost, {n_gaps} gaps, {len(of_runs)} leaves")


main()
