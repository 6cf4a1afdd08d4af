#!/usr/bin/env python3
"""Whether what `synth cluster` says in truth/account.csv is what it did.

usage: cluster_truth.py DIR NODES BEGIN END: the size of the cluster, and the Unix seconds of its record.

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
            found = re.search(r"successfully loaded checkpoint from .* at iteration (\d+)", text)
            if found:
                yield "loaded", 0, int(found.group(1)), 0
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
        told, n_launches, done = collections.defaultdict(float), 0, 0
        for path in glob.glob(os.path.join(made, "logs", run["run"], "*.out")):
            last, between = None, 0.0
            for kind, at, iteration, ms in log_events(path):
                if kind == "launch":
                    last, done, n_launches = None, 0, n_launches + 1
                elif kind == "loaded":
                    done = iteration
                elif kind == "line":
                    gap = last and abs(at - last[0] - (iteration - last[1]) * ms / 1000 - between / 1000)
                    # The mean is printed in tenths of a millisecond.
                    if gap is not None and gap > 0.0001 * (iteration - last[1]) + 1e-6:
                        fail(f"{path}: iteration {iteration} comes {gap} s beside what stands before it")
                    n_gaps += last is not None
                    told["steps"] += (iteration - done) * ms
                    done = iteration
                    last, between = (at, iteration), 0.0
                else:
                    told[kind] += ms
                    between += ms
        gpus = int(run["nodes"]) * 8
        steps = sum(held[run["run"]][what] for what in ("productive.unsplit", "lost_work", "abandoned"))
        rest = steps / gpus / NS - told["steps"] / 1000
        # Behind the last line of a launch there are fewer steps than it is for; they grow by a tenth, with noise.
        most = (max(int(run["iterations"]) // 500, 10) + 1) * int(run["step_s"]) * 1.3 * n_launches
        if not -0.0001 * told["steps"] / 1000 <= rest <= most:
            fail(f"{run['run']}: {steps / gpus / NS} s of steps, and {told['steps'] / 1000} in the logs")
        for kind, what, longest in (("save-checkpoint", "checkpoint.stall", int(run["stall_s"])),
                                    ("evaluate", "evaluation", int(run["evaluation_s"]))):
            rest = held[run["run"]][what] / gpus / NS - told[kind] / 1000
            if not -1e-6 <= rest <= 100 * longest:  # those that an end cut short are not told
                fail(f"{run['run']}: {what} is {rest} s off the logs")
    return n_gaps


def node_numbers(text):
    """Of "gpu[0001-0003,0007]" or "gpu0004"."""
    numbers = []
    for part in re.sub(r"[a-z\[\]]", "", text).split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def seconds(text):
    return None if text == "Unknown" else int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp())


def node_changes(made, begin_s, end_s):
    """Of each node, what changes when: (second, "used" or kind of fault, how much more)."""
    changes = collections.defaultdict(list)
    wants = collections.defaultdict(list)
    for record in rows(os.path.join(made, "slurm/sacct.txt"), "|"):
        asked = re.search(r"gres/gpu=(\d+)", record["ReqTRES"])
        start, end, gpus = seconds(record["Start"]), seconds(record["End"]), int(asked.group(1)) if asked else 0
        if gpus:
            wants[record["Partition"]] += [(seconds(record["Eligible"]), 1), (end_s if start is None else start, -1)]
        if start is None or not gpus:
            continue
        nodes = node_numbers(record["NodeList"])
        for node in nodes:
            changes[node] += [(start, "used", gpus // len(nodes)),
                              (end_s if end is None else end, "used", -(gpus // len(nodes)))]
    for fault in rows(os.path.join(made, "truth/faults.csv")):
        first, notice, repaired = node_numbers(fault["node"])[0], int(fault["notice_s"]), int(fault["repaired_s"])
        for node in range(first, first + int(fault["nodes"])):
            kind = "down" if fault["kind"] == "node_down" else "drained"
            changes[node] += [(min(notice, end_s), kind, 1), (min(repaired, end_s), kind, -1)]
    return changes, wants


def check_installed(made, n_nodes, begin_s, end_s):
    """Of each day and partition: what the GPUs of the nodes were, node by node and change by change."""
    changes, wants = node_changes(made, begin_s, end_s)
    days = list(range(begin_s, end_s, DAY_S)) + [end_s]
    sums = collections.defaultdict(int)
    for node in range(1, n_nodes + 1):
        partition = "shared" if node <= max(n_nodes // 4, 1) else "train"
        now, last, n_wanting = collections.Counter(), begin_s, 0
        marks = [(at, what, more) for at, what, more in changes[node]] + [(day, "", 0) for day in days]
        marks += [(min(at, end_s), "wants", more) for at, more in wants[partition]]
        for at, what, more in sorted(marks, key=lambda mark: mark[0]):
            if at > last:
                day = datetime.fromtimestamp(last, timezone.utc).strftime("%Y-%m-%d")
                rest = "down" if now["down"] else "drained" if now["drained"] else "idle"
                sums[day, partition, "allocated"] += now["used"] * (at - last) * NS
                sums[day, partition, rest] += (8 - now["used"]) * (at - last) * NS
                if rest == "idle" and now["wants"]:
                    sums[day, partition, "idle_demand"] += (8 - now["used"]) * (at - last) * NS
                last = at
            now[what] += more
    whats = ("allocated", "down", "drained", "idle", "idle_demand")
    for row in rows(os.path.join(made, "truth/installed.csv")):
        for what in whats:
            got, expected = int(row[what + "_gpu_ns"]), sums.pop((row["day"], row["partition"], what), 0)
            if got != expected:
                fail(f"{row['day']}, {row['partition']}: {what} is {got}, and was {expected}")
    if any(sums.values()):
        fail("days or partitions of installed.csv are missing")


def main():
    made, n_nodes, begin_s, end_s = sys.argv[1], *map(int, sys.argv[2:5])
    account = rows(os.path.join(made, "truth/account.csv"))
    attempts, cycles, runs = (rows(os.path.join(made, f"truth/{name}.csv")) for name in ("attempts", "cycles", "runs"))
    held = check_sums(made, account, attempts, end_s)
    n_lost = check_steps(account, attempts, cycles, runs) if "noisy" not in sys.argv else 0
    n_gaps = check_logs(made, account, runs)
    check_installed(made, n_nodes, begin_s, end_s)
    of_runs = {row["what"] for row in account if row["run"]}
    if "unknown" in of_runs:
        fail("of a run something is unknown")
    if any(row["what"] != "unknown" for row in account if not row["run"]):
        fail("of an attempt without a log something is known")
    print(f"{len(account)} rows, {held / NS / 3600:.0f} GPU-hours, {n_lost} steps lost, {n_gaps} gaps, {len(of_runs)} leaves")


main()
