#!/usr/bin/env python3
"""Whether the changes of truth/planted.csv are visible in what `synth cluster` did.

usage: cluster_planted.py PLANTED CLEAN: two directories of the same options and seed, the second one without
changes. Prints a line a change: kind, subject, what it was, what it became, as a ratio or difference.
"""
import csv
import os
import sys
from datetime import datetime, timezone


def rows(made, name):
    with open(os.path.join(made, "truth", name + ".csv"), newline="") as file:
        return list(csv.DictReader(file))


def start_of(day):
    return int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=timezone.utc).timestamp())


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def lemon(made, node, at):
    """Faults of the node itself, since it is one."""
    return sum(f["node"] == node and f["nodes"] == "1" and int(f["time_s"]) >= at for f in rows(made, "faults"))


def xid(made, kind, at):
    return sum(f["kind"] == kind and int(f["time_s"]) >= at for f in rows(made, "faults"))


def image(made, _, at):
    """Mean seconds of a pull on a node, of attempts that begin from then on."""
    begin = {(r["job"], r["restarts"]): int(r["start_s"]) for r in rows(made, "starts") if r["phase"] == "allocate"}
    return mean(int(r["end_s"]) - int(r["start_s"]) for r in rows(made, "starts")
                if r["phase"] == "image" and begin[r["job"], r["restarts"]] >= at)


def ettr(made, run, at, until=None):
    """Productive share of the run's time from then on, waiting included; of whole days on which it runs."""
    account = [r for r in rows(made, "account") if r["run"] == run]
    gpus = int(next(a["gpus"] for a in rows(made, "attempts") if a["run"] == run))
    days = sorted({start_of(r["day"]) for r in account})[1:-1]
    days = [d for d in days if d >= at and (until is None or d < until)]
    productive = sum(int(r["gpu_ns"]) for r in account
                     if r["what"] == "productive.unsplit" and start_of(r["day"]) in days)
    return productive / gpus / 1e9 / 86400 / len(days) if days else float("nan")


def going(made, run, at, until=None):
    """Productive share of the time in which the run makes steps that last, saves or is evaluated."""
    shares = {}
    for r in rows(made, "account"):
        if r["run"] == run and start_of(r["day"]) >= at and (until is None or start_of(r["day"]) < until):
            shares[r["what"]] = shares.get(r["what"], 0) + int(r["gpu_ns"])
    whole = sum(shares.get(what, 0) for what in ("productive.unsplit", "checkpoint.stall", "evaluation"))
    return shares.get("productive.unsplit", 0) / whole if whole else float("nan")


saves = evaluations = going


def queue(made, _, at):
    """Mean wait of attempts with GPUs that were submitted from then on and did start."""
    return mean(int(a["start_s"]) - int(a["submit_s"]) for a in rows(made, "attempts")
                if a["gpus"] != "0" and a["start_s"] and int(a["submit_s"]) >= at)


looks = queue


def main():
    planted, clean = sys.argv[1:3]
    for change in rows(planted, "planted"):
        measure = globals()[change["kind"]]
        at = start_of(change["day"])
        is_of, was = measure(planted, change["subject"], at), measure(clean, change["subject"], at)
        is_of_run = change["kind"] in ("ettr", "saves", "evaluations")
        if is_of_run:  # of another length than in the clean life, so before that day
            was = measure(planted, change["subject"], 0, at)
        ratio = is_of - was if is_of_run else is_of / was if was else float("inf")
        print(f"{change['kind']},{change['subject']},{was:.4g},{is_of:.4g},{ratio:.3f}")


main()
