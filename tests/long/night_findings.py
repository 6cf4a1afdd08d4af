#!/usr/bin/env python3
"""Findings of the night on made-up clusters: how many planted changes are found within two days, and
how many findings a week a cluster without any gets.

    night_findings.py HINDCAST [CLUSTERS [FIRST_SEED]]

Each cluster lives twice, with a lemon node, a kind of fault at 3 times its rate, slow pulls of images
and a run that loses 5 points of ETTR planted on its 85th day, and without. A change counts as found
where its finding opens on its day or the two after it. In the clean life the findings of 28 days
are counted, by kind; jobs that a fault of a switch ends together are no false ones, and have a line of
their own.
"""
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

DAY, DAYS = 85, 150  # runs begin in the first half of a life
FOUND = ["2026-05-25", "2026-05-26", "2026-05-27"]
SIZE = ["--nodes", "1000", "--days", str(DAYS), "--jobs", "60000", "--runs", "99", "--faults", "28"]
KINDS = {"lemon": "lemon_node", "xid": "event_rate", "image": "startup", "ettr": "run_ettr"}
SITE = {
    "schema": "hindcast/site/1",
    "sources": [
        {"name": "accounting", "files": "slurm/sacct.txt"},
        {"name": "nodes", "files": "slurm/events.txt"},
        {"name": "kernel", "files": "kernel/journal.json"},
        {"name": "phases", "files": "starts/marks.log"},
        {"name": "logs", "files": "logs/*/*.out", "zone": "Europe/Berlin"},
    ],
}


def onsets(hindcast, directory, seed, plants, backtest):
    """[(day from 0, kind, subject)] of a life, and what was planted in it"""
    made, archive = directory / "made", directory / "archive"
    subprocess.run([hindcast, "synth", "cluster", "-q", "-o", made, "--seed", str(seed), *SIZE, *plants],
                   check=True)
    (made / "site.json").write_text(json.dumps(SITE))
    subprocess.run([hindcast, "ingest", "-q", "--site", made / "site.json", "-a", archive], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    command = [hindcast, "report", "findings", "-a", archive, "--date", "2026-05-28", "--backtest",
               f"{backtest}d", "--json"]
    document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    planted = made / "truth" / "planted.csv"
    rows = list(csv.DictReader(planted.open())) if planted.exists() else []
    return document["backtest"]["onsets"], rows


def main():
    hindcast = sys.argv[1]
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    found, false = collections.Counter(), collections.Counter()
    plants = [word for kind in KINDS for word in ("--plant", f"{kind}:{DAY}")]
    for seed in range(first, first + n):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "planted").mkdir()
            (root / "clean").mkdir()
            opened, rows = onsets(hindcast, root / "planted", seed, plants, 4)
            for row in rows:
                kind = KINDS[row["kind"]]
                said = {o["day"] for o in opened if o["kind"] == kind and
                        (kind in ("event_rate", "startup") or o["subject"] == row["subject"])}
                found[row["kind"]] += bool(said & set(FOUND))
            clean, _ = onsets(hindcast, root / "clean", seed, [], 28)
            for onset in clean:
                false[onset["kind"]] += 1
        print(f"seed {seed}: found {dict(found)}; clean {dict(false)}", flush=True)
    for kind in KINDS:
        print(f"{kind}: {found[kind]} of {n} found within two days")
    weeks = 4 * n
    print(f"clean: {(sum(false.values()) - false['cofailure']) / weeks:.2f} findings a week, and "
          f"{false['cofailure'] / weeks:.2f} of jobs that failed together")


main()
