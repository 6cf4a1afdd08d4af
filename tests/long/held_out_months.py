#!/usr/bin/env python3
"""held_out_months.py HINDCAST [SHARED] - what is fitted to six months, held against the months after.

InfiniteHBD's 400 servers and Los Alamos' systems of 512 nodes and more: the time between failures is fitted to days 0
to 180 of watching, as a scenario does (`fitted`), by the best family and as an exponential. Failures of a fleet of as many nodes in
30 days are drawn 400 times, each with a draw of what the fit leaves open; their quantiles are the interval. Every
30 days from day 180 on are counted, and how many lie in the interval of 95 %. Prints a line a system; docs/methods/lifetime.md
has them.
"""
import csv
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "support"))
import stationary_fleet as fleet  # noqa: E402

FITTED_D, MONTH_D, DRAWS = 180, 30, 400
LANL = "hpc-failures-eseur/reliability/LA-UR-05-7318-failure-data-1996-2005.csv.xz"
INFINITEHBD = "infinitehbd/fault_trace.json"
# Of Los Alamos, systems of 512 nodes and more; nodes and first and last second of watching are of the source.
SYSTEMS = ((INFINITEHBD, None, 400), (LANL, "18", None), (LANL, "19", None), (LANL, "20", None), (LANL, "12", None))


def table(hindcast, directory, source, name):
    archive, out = os.path.join(directory, "archive.h5"), os.path.join(directory, name + ".csv")
    if not os.path.exists(archive):
        subprocess.run([hindcast, "ingest", "-q", "-a", archive, source], check=True, capture_output=True)
    subprocess.run([hindcast, "export", name, "--as", "csv", "-a", archive, "-o", out], check=True, capture_output=True)
    with open(out, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def months(incidents, start_ns, days):
    """Incidents of each whole 30 days after those that are fitted."""
    n = int((days - FITTED_D) // MONTH_D)
    counts = [0] * n
    for row in incidents:
        at = int((int(row["time_ns"]) - start_ns) / 86400e9 - FITTED_D) // MONTH_D
        if int(row["time_ns"]) >= start_ns + FITTED_D * 86400 * 10**9 and at < n:
            counts[at] += 1
    return counts


def predict(hindcast, directory, nodes, chosen, family):
    drawn = []
    for draw in range(1, DRAWS + 1):
        between = {"fitted": {**chosen, "what": "between", "family": family, "draw": draw}}
        asked = fleet.scenario(nodes, MONTH_D, between, detect_s=0)
        asked.update(replicas=1, seed=draw, startup={"full_s": 0}, recovery={"reschedule_s": 0})
        drawn.append(fleet.simulate(hindcast, directory, asked)["causes"][0]["faults"])
    drawn.sort()
    return drawn[DRAWS // 40 - 1], drawn[DRAWS // 2 - 1], drawn[DRAWS - DRAWS // 40]


def one(hindcast, source, group, nodes):
    with tempfile.TemporaryDirectory() as directory:
        incidents = [row for row in table(hindcast, directory, source, "incidents")
                     if (group is None or row["group"] == group) and row["time_ns"]]
        places = [row for row in table(hindcast, directory, source, "inventory") if row["group"] == (group or "")]
        start, end = int(places[0]["start_ns"]), int(places[0]["end_ns"])
        nodes = nodes or int(places[0]["nodes"])
        counts = months(incidents, start, (end - start) / 86400e9)
        chosen = {"file": source, "nodes": nodes, "to_d": FITTED_D, "causes": causes(incidents)}
        if group:
            chosen.update(groups=[group], age="new")
        words = []
        for family in ("best", "exponential"):
            low, middle, high = predict(hindcast, directory, nodes, chosen, family)
            held = sum(low <= count <= high for count in counts)
            words.append(f"{family} {middle:.0f} ({low:.0f} to {high:.0f}), holds {held} of {len(counts)}, "
                         f"{sum(c < low for c in counts)} below, {sum(c > high for c in counts)} above")
        print(f"{os.path.basename(source)} {group or ''}: {nodes} nodes; " + "; ".join(words) +
              f"; counts {' '.join(map(str, counts))}", flush=True)


def causes(incidents):
    return sorted({row["cause"] for row in incidents})


def main():
    hindcast = os.path.realpath(sys.argv[1])
    shared = os.path.realpath(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("HINDCAST_SHARED", "../shared"))
    for name, group, nodes in SYSTEMS:
        one(hindcast, os.path.join(shared, "data", name), group, nodes)


if __name__ == "__main__":
    main()
