#!/usr/bin/env python3
"""fit_ettr.py HINDCAST [FIRST [N]] - the ETTR of months that were not fitted, foretold.

Made-up clusters of a year: a run that trains for at least 15 days before day 180 and 20 after it is fitted to what was recorded before (hindcast
fit --to --run), and its lives after that day are simulated. Its true ETTR then, net new steps times their time over wall time from day 180 to
the end of the run or of the year, is from what was planted (truth/; evaluations count as productive, since the engine knows none), and is held where it lies in the range of a single life: that of the
inputs and that between lives, put together as independent errors are (square root of the sum of squares, each side by itself; between lives
97.5 % from 95 % as of a normal). Prints a line a cluster and the share held; clusters without such a run are passed over. Fails below 90 %.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

DAY, SPLIT_D, YEAR_D, START_S = 86400, 180, 360, 1772323200
SIZE = ["--nodes", "48", "--days", str(YEAR_D), "--jobs", "3000", "--runs", "6", "--faults", "20"]


def rows(directory, name):
    with open(os.path.join(directory, "made", "truth", name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def cycles_of(directory):
    """Of each run: cycles that made steps, in order of time, with iterations as numbers."""
    runs = {row["attempt"]: row["run"] for row in rows(directory, "attempts.csv")}
    cycles = {}
    for row in rows(directory, "cycles.csv"):
        if row["first_step_s"]:
            cycles.setdefault(runs[row["attempt"]], []).append({key: int(value) if value else None for key, value in row.items()})
    for own in cycles.values():
        own.sort(key=lambda cycle: cycle["start_s"])
    return cycles


def position(cycles, at_s, step_s):
    """The iteration that counts at a time: of the cycle that runs, or that the next one resumes from."""
    reached = cycles[0]["first_iteration"]
    for cycle in cycles:
        if cycle["first_step_s"] > at_s:
            break
        made = cycle["first_iteration"] + (at_s - cycle["first_step_s"]) // step_s
        is_over = cycle["end_s"] is not None and cycle["end_s"] <= at_s
        reached = cycle["saved_iteration"] if is_over else min(made, cycle["last_iteration"])
    return reached


def choose(directory):
    """The run with the most days after the split, of those with enough on both sides: name, days, true ETTR."""
    best, split_s, end_s = None, START_S + SPLIT_D * DAY, START_S + YEAR_D * DAY
    planted = {row["run"]: row for row in rows(directory, "runs.csv")}
    for name, cycles in cycles_of(directory).items():
        if not name:
            continue
        step_s = int(planted[name]["step_s"])
        last = cycles[-1]
        is_done = last["last_iteration"] >= int(planted[name]["iterations"])
        until_s = last["end_s"] if is_done and last["end_s"] is not None else end_s
        after_d = (until_s - split_s) / DAY
        if (split_s - cycles[0]["start_s"]) / DAY < 15 or after_d < 20 or (best and best[1] >= after_d):
            continue
        final = last["last_iteration"] if is_done else position(cycles, end_s, step_s)
        first, every = position(cycles, split_s, step_s), int(planted[name].get("evaluation_iterations") or 0)
        evaluated_s = (final // every - first // every) * int(planted[name]["evaluation_s"]) if every else 0
        best = name, after_d, ((final - first) * step_s + evaluated_s) / (until_s - split_s)
    return best


def foretell(hindcast, directory, name, days):
    archive, made = os.path.join(directory, "archive"), os.path.join(directory, "made")
    logs = [os.path.join(made, "logs", log, file) for log in os.listdir(os.path.join(made, "logs"))
            for file in os.listdir(os.path.join(made, "logs", log))]
    run(hindcast, "ingest", "-q", "-a", archive, made + "/slurm/sacct.txt", made + "/slurm/events.txt", made + "/kernel/journal.json")
    run(hindcast, "ingest", "-q", "-a", archive, "--zone", "Europe/Berlin", *sorted(logs))
    until = run("date", "-u", "-d", f"@{START_S + SPLIT_D * DAY}", "+%Y-%m-%dT%H:%M:%SZ").strip()
    params = os.path.join(directory, "params.json")
    run(hindcast, "fit", "-a", archive, "--to", until, "--run", name, "-o", params)
    answer = json.loads(run(hindcast, "simulate", params, "--replicas", "400", "--set", f"/job/horizon_d={days}", "--json"))["runs"][0]
    lives, inputs, mean = answer["spread"]["ettr"], answer["inputs"]["ettr"], answer["figures"]["ettr"]["mean"]
    beyond = 1.96 / 1.645
    low = mean - math.hypot(mean - inputs["low"], beyond * (mean - lives["p05"]["value"]))
    high = mean + math.hypot(inputs["high"] - mean, beyond * (lives["p95"]["value"] - mean))
    return low, mean, high


def main():
    hindcast = os.path.realpath(sys.argv[1])
    seed, wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 1, int(sys.argv[3]) if len(sys.argv) > 3 else 50
    tried = held = below = 0
    width = 0.0
    while tried < wanted:
        with tempfile.TemporaryDirectory() as directory:
            run(hindcast, "synth", "cluster", "-q", *SIZE, "--seed", str(seed), "-o", os.path.join(directory, "made"))
            chosen = choose(directory)
            if chosen:
                name, days, true = chosen
                low, mean, high = foretell(hindcast, directory, name, days)
                tried, held, below = tried + 1, held + (low <= true <= high), below + (true < low)
                width += high - low
                print(f"seed {seed}: {name}, {days:.0f} days: {true:.4f} of {low:.4f} to {high:.4f}, mean {mean:.4f}"
                      f"{'' if low <= true <= high else ': missed'}", flush=True)
        seed += 1
    print(f"fit_ettr: {held} of {tried} held ({held / tried:.1%}), {below} below, {tried - held - below} above; mean width {width / tried:.4f}")
    sys.exit(0 if held >= 0.9 * tried else 1)


main()
