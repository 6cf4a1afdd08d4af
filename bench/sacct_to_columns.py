#!/usr/bin/env python3
"""sacct_to_columns.py DUMP DIRECTORY: what `hindcast ingest` does with a dump of sacct, as one would
write it in Python without further packages: fields to times, durations, GPUs of TRES lists and
dictionary-coded texts (node lists among them), rows by day of submission, a packed file a day.

bench_sacct compares the two; nothing else uses this.
"""

import array
import datetime
import json
import os
import sys
import zlib

MISSING = -(2**63)
NOTHING = {"", "Unknown", "None", "N/A", "UNLIMITED", "Partition_Limit", "INVALID"}


def time_ns(text):
    if text in NOTHING:
        return MISSING
    when = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
    return int(when.timestamp()) * 10**9


def duration_ns(text):
    if text in NOTHING:
        return MISSING
    days, _, clock = text.rpartition("-")
    parts = [int(part) for part in clock.split(":")]
    while len(parts) < 3:
        parts.insert(0, 0)
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
    return (int(days or 0) * 86400 + seconds) * 10**9


def seconds_ns(text):
    return MISSING if text in NOTHING else int(text) * 10**9


def count(text):
    return MISSING if text in NOTHING else int(text)


def tres(text):
    """GPUs of "billing=16,cpu=16,gres/gpu:h100=1,gres/gpu=1,mem=128G,node=1", and their type."""
    of_all, of_types, kind = -1, 0, ""
    if not text:
        return MISSING, kind
    for item in text.split(","):
        name, _, number = item.partition("=")
        if name == "gres/gpu":
            of_all = int(number)
        elif name.startswith("gres/gpu:"):
            kind = name[9:]
            of_types += int(number)
    return (of_all if of_all >= 0 else of_types), kind


def job_id(text):
    job, _, task = text.partition("_")
    job, _, component = job.partition("+")
    number = int(task) if task.isdigit() else MISSING
    return int(job), number, int(component) if component else MISSING


READ = {
    "Submit": time_ns,
    "Eligible": time_ns,
    "Start": time_ns,
    "End": time_ns,
    "ElapsedRaw": seconds_ns,
    "Timelimit": duration_ns,
    "NNodes": count,
    "NCPUS": count,
    "Restarts": count,
}
TEXTS = {"Cluster", "Partition", "QOS", "Account", "User", "JobName", "Reason", "NodeList"}
TEXTS |= {"WorkDir", "StdOut", "StdErr", "Comment", "Reservation", "FailedNode"}


class Day:
    def __init__(self):
        self.columns, self.codes, self.keys = {}, {}, set()

    def put(self, name, value):
        column = self.columns.get(name)
        if column is None:
            column = self.columns[name] = array.array("q")
        column.append(value)

    def put_text(self, name, text):
        codes = self.codes.setdefault(name, {})
        self.put(name, codes.setdefault(text, len(codes)))

    def write(self, path):
        with open(path, "wb") as file:
            file.write(zlib.compress(json.dumps(self.codes).encode(), 1))
            for column in self.columns.values():
                file.write(zlib.compress(column.tobytes(), 1))


def take(day, record):
    key = (record["JobID"], record["Submit"])
    if key in day.keys:
        return
    day.keys.add(key)
    for name, text in record.items():
        if name in READ:
            day.put(name, READ[name](text))
        elif name in TEXTS:
            day.put_text(name, text)
        elif name in ("AllocTRES", "ReqTRES"):
            number, kind = tres(text)
            day.put(name, number)
            if name == "AllocTRES":
                day.put_text("GPUType", kind)
        elif name == "State":
            word, _, by = text.partition(" by ")
            day.put_text(name, word)
            day.put("CancelledBy", int(by) if by.isdigit() else MISSING)
        elif name == "ExitCode":
            code, _, signal = text.partition(":")
            day.put(name, int(code))
            day.put("ExitSignal", int(signal))
        elif name in ("JobID", "JobIDRaw"):
            for part, number in zip(("", "Task", "Component"), job_id(text)):
                day.put(name + part, number)


def main(dump, directory):
    days = {}
    with open(dump, encoding="utf-8", errors="replace") as file:
        header = next(file).rstrip("\n").split("|")
        for line in file:
            fields = line.rstrip("\n").split("|", len(header) - 1)
            if "." in fields[0]:
                continue
            record = dict(zip(header, fields))
            name = record["Submit"][:10]
            if name not in days:
                days[name] = Day()
            take(days[name], record)
    os.makedirs(directory)
    for name, day in days.items():
        day.write(os.path.join(directory, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
