#!/usr/bin/env python3
"""What of a made-up cluster was recorded by a time.

usage: cut_cluster.py MADE OUT TIME [ZONE]

Writes slurm/sacct.txt, slurm/events.txt, kernel/journal.json, starts/marks.log and logs/ of MADE (`synth cluster`) to
OUT as they were at TIME (2026-03-20T06:00:00, UTC): jobs that had not ended run or are pending, and files end with
their last line up to then. Logs have the stamps of ZONE (Europe/Berlin).
"""
import datetime
import glob
import json
import os
import re
import sys
import zoneinfo

made, out, text = sys.argv[1:4]
zone = zoneinfo.ZoneInfo(sys.argv[4] if len(sys.argv) > 4 else "Europe/Berlin")
utc = datetime.timezone.utc
cut = datetime.datetime.fromisoformat(text).replace(tzinfo=utc)
iso = cut.strftime("%Y-%m-%dT%H:%M:%S")


def write(name, lines):
    path = f"{out}/{name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.writelines(lines)


def table(name):
    lines = open(f"{made}/{name}").read().splitlines()
    heads = lines[0].split("|")
    return heads, [dict(zip(heads, line.split("|"))) for line in lines[1:]]


heads, jobs = table("slurm/sacct.txt")
kept = []
for job in jobs:
    if job["Submit"] > iso:
        continue
    if job["Start"] in ("", "Unknown") or job["Start"] > iso:
        job.update(Start="Unknown", End="Unknown", ElapsedRaw="0", State="PENDING", AllocTRES="", ExitCode="0:0", NodeList="None assigned")
    elif job["End"] == "Unknown" or job["End"] > iso:
        start = datetime.datetime.fromisoformat(job["Start"]).replace(tzinfo=utc)
        job.update(End="Unknown", ElapsedRaw=str(int((cut - start).total_seconds())), State="RUNNING", ExitCode="0:0")
    kept.append("|".join(job[h] for h in heads) + "\n")
write("slurm/sacct.txt", ["|".join(heads) + "\n"] + kept)

heads, events = table("slurm/events.txt")
for event in events:
    if event["TimeEnd"] != "Unknown" and event["TimeEnd"] > iso:
        event["TimeEnd"] = "Unknown"
write(
    "slurm/events.txt",
    ["|".join(heads) + "\n"] + ["|".join(e[h] for h in heads) + "\n" for e in events if e["TimeStart"] <= iso],
)

with open(f"{made}/kernel/journal.json") as file:
    write(
        "kernel/journal.json",
        [line for line in file if int(json.loads(line)["__REALTIME_TIMESTAMP"]) <= cut.timestamp() * 1e6],
    )
with open(f"{made}/starts/marks.log") as file:
    write("starts/marks.log", [line for line in file if line.split()[2][:19] <= iso])

stamp = re.compile(r"(20\d\d-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)")
for path in glob.glob(f"{made}/logs/*/*.out"):
    lines = []
    for line in open(path):
        found = stamp.search(line)
        if found:
            then = datetime.datetime.fromisoformat(f"{found[1]}T{found[2]}").replace(tzinfo=zone)
            if then > cut:
                break
            lines.append(None)
        lines.append(line)
    if None in lines:
        write(os.path.relpath(path, made), [line for line in lines if line is not None])
