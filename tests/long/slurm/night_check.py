#!/usr/bin/env python3
"""night_check.py - the report of the night of slurm_night.sh against what was done, and against sreport.

    night_check.py DIRECTORY        that slurm_night.sh filled: dumps, truth, report.json, slices.csv, ...

What is measured is compared with what the jobs wrote down themselves, leaf by leaf, attempt by attempt. How far they may
differ follows from what the sources can say, and is counted for each leaf from the night itself:
    TENTH   steps are printed with a tenth of a millisecond: half of that, for each line
    lag     a line's stamp is of a moment between the end of its step and that at which the line was written
    SECOND  Slurm's times, and the lines of Megatron's start-up and end and of torchrun, are whole seconds
    mark    a phase's mark is written between the moments before and behind it that the script wrote down
"""
import calendar
import collections
import csv
import glob
import json
import os
import re
import statistics
import sys
import time

NS, SECOND, TENTH = 10**9, 10**9, 50_000
where = sys.argv[1]
problems, said = [], []


def rows(name, **options):
    with open(f"{where}/{name}", newline="") as file:
        return list(csv.DictReader(file, **options))


def seconds(text):
    """An ISO 8601 time of UTC in nanoseconds since 1970, exactly."""
    whole, _, part = text.rstrip("Z").partition(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) * NS + int((part + "0" * 9)[:9])


def expect(what, got, want):
    if got != want:
        problems.append(f"{what}: {got}, not {want}")


def bounded(what, got, least, most):
    if not least <= got <= most:
        problems.append(f"{what}: {got / NS:.6f} s, not {least / NS:.6f} to {most / NS:.6f}")


# ---- what was recorded and done ----

jobs = dict(line.split() for line in open(f"{where}/jobs.txt"))
name_of = {number: name for name, number in jobs.items()}


class Attempt:
    """An allocation: what sacct says of it, and what its own processes wrote down."""

    def __init__(self, row, restart):
        self.raw, self.restart, self.state = row["JobIDRaw"], restart, row["State"].split()[0]
        self.name = name_of[row["JobID"].split("_")[0]] + (f" {row['JobID'].split('_')[1]}" if "_" in row["JobID"] else "")
        self.user, self.account, self.partition = row["User"], row["Account"], row["Partition"]
        self.start, self.end = seconds(row["Start"]), seconds(row["End"])
        self.gpus = int(re.search(r"gres/gpu=(\d+)", row["AllocTRES"])[1])
        self.is_marked = self.name == "pretrain"  # its initialisation, by phase-mark.sh
        self.cycles = collections.defaultdict(lambda: collections.defaultdict(dict))
        self.own = []

    def __str__(self):
        return f"{self.name} ({self.raw}, restart {self.restart})"


attempts, of = [], {}
for row in sorted(rows("records/sacct.txt", delimiter="|"), key=lambda r: (int(r["JobIDRaw"]), r["Start"])):
    restart = sum(a.raw == row["JobIDRaw"] for a in attempts)
    attempts.append(Attempt(row, restart))
    of[row["JobIDRaw"], restart] = attempts[-1]
script = {}  # what slurm_night.sh did: (what, to what): when
for line in open(f"{where}/truth.txt"):
    at, job, restart, cycle, node, what, number = line.split()
    if job == "-":
        script[what, number] = int(at)
        continue
    attempt = of[job, int(restart)]
    attempt.own.append(int(at))
    attempt.cycles[int(cycle)][what][node if number == "0" or what.startswith("within") else int(number) if number.isdigit() else number] = (
        int(number) if what.startswith("within") else int(at)
    )

given = collections.defaultdict(dict)  # GPUs that each node was told that an attempt has there
ended = collections.defaultdict(list)  # when its epilogs ran
for line in open(f"{where}/given.txt"):
    field = line.split()
    if field[0] == "epilog":
        ended[field[2]].append(int(field[1]) * NS)
    else:
        given[field[2], int(field[3])][field[4]] = len(field[7].split(",")) if field[7] != "-" else 0
prologs = collections.defaultdict(list)
for line in open(f"{where}/prologs.txt"):
    begun, over, job, restart, _ = line.split()
    prologs[job, int(restart)].append((int(begun.replace(".", "")) * 1000, int(over.replace(".", "")) * 1000))

# ---- what hindcast says ----

report = json.load(open(f"{where}/report.json"))
leaves = {}
for attempt in attempts:
    leaves[attempt.raw, attempt.start] = collections.Counter()
starts = collections.defaultdict(list)
for attempt in attempts:
    starts[attempt.raw].append(attempt)
total = 0
for row in rows("slices.csv"):
    begin, gpu_ns = seconds(row["from"]), int(row["gpu_ns"])
    attempt = next(a for a in reversed(starts[row["raw_job"]]) if a.start <= begin)
    leaves[attempt.raw, attempt.start][row["what"], row["why"]] += gpu_ns
    total += gpu_ns

# ---- held: sreport, sacct, what nodes and jobs were told ----

held = collections.defaultdict(collections.Counter)
for a in attempts:
    took = a.end - a.start
    expect(f"GPUs of {a} by its prologs", sum(given[a.raw, a.restart].values()), a.gpus)
    expect(f"GPU-time of {a}", sum(leaves[a.raw, a.start].values()), a.gpus * took)
    held["user"][a.user] += a.gpus * took
    held["account"][a.account] += a.gpus * took
    held["partition"][a.partition] += a.gpus * took
    for node, gpus in given[a.raw, a.restart].items():
        held["node"][node] += gpus * took
    # Its own processes ran within it, but for what a killed one does until it is dead, and Slurm's seconds.
    if a.own and a.state == "COMPLETED":
        bounded(f"{a} began by what it did", min(a.own), a.start, a.end)
        bounded(f"{a} ended by what it did", a.end, max(a.own) - SECOND, min(e for e in ended[a.raw] if e >= a.start) + SECOND)
everything = sum(held["user"].values())
expect("GPU-time of all slices", total, everything)
expect("GPU-time of the report", int(report["totals"]["gpu_ns"]), everything)
groups = {g["by"]: {r["name"]: r["gpu_hours"] for r in g["rows"]} for g in report["groups"]}
for by in held:
    got = {name: round(hours * 3600 * 1000) for name, hours in groups[by].items()}
    expect(f"held by {by}", got, {name: ns // 10**6 for name, ns in held[by].items()})
sreport = collections.Counter()
for line in open(f"{where}/sreport-users.txt"):
    field = line.rstrip("\n").split("|")
    if len(field) == 6 and field[4] == "gres/gpu" and field[2]:
        sreport["user", field[2]] += int(field[5])
        sreport["account", field[1]] += int(field[5])
for (by, name), used in sreport.items():
    expect(f"GPU-seconds of {by} {name} by sreport", used, held[by][name] / NS)
expect("users and accounts of sreport", len(sreport), len(held["user"]) + len(held["account"]))
cluster = next(l.split("|") for l in open(f"{where}/sreport-cluster.txt") if l.split("|")[1:2] == ["gres/gpu"])
allocated, down, planned_down = int(cluster[2]), int(cluster[3]), int(cluster[4])
expect("GPU-seconds allocated by sreport", allocated, everything / NS)

# ---- installed: nodes down and drained ----

installed = {row["leaf"]: round(row["gpu_hours"] * 3600 * 1000) for row in report["installed"]}
out = collections.Counter()
for row in rows("records/events.txt", delimiter="|"):
    if row["NodeName"]:
        gpus = int(re.search(r"gres/gpu=(\d+)", row["TRES"])[1])
        out[row["State"]] += gpus * (seconds(row["TimeEnd"]) - seconds(row["TimeStart"]))
        what = {"DOWN": "down", "DRAIN": "drain"}[row["State"]]
        # A drained node counts as such when its last job is over.
        at = max([script["end-" + what, row["NodeName"]]] + [a.end for a in attempts if what == "drain" and row["NodeName"] in given[a.raw, a.restart] and a.start < script["end-drain", row["NodeName"]]])
        bounded(f"{row['NodeName']} was set {what}", seconds(row["TimeStart"]), at - SECOND, at + SECOND)
        bounded(f"{row['NodeName']} was set back", seconds(row["TimeEnd"]), script["begin-resume", row["NodeName"]] - SECOND, script["end-resume", row["NodeName"]])
expect("GPU-seconds down, of sreport", installed["down"] + installed["drained"], (down + planned_down) * 1000)
expect("down", installed["down"], out["DOWN"] // 10**6)
expect("drained", installed["drained"], out["DRAIN"] // 10**6)
expect("allocated", installed["allocated"], everything // 10**6)
# Idle with demand: second by second, between a look at the queue that found a GPU job waiting for resources or behind one
# that does, and the next look.
looks = []
for line in open(f"{where}/records/queue.txt"):
    if re.match(r"\d{4}-.*\+00:00$", line):
        looks.append([seconds(line.split("+")[0]), False])
    elif "|PENDING|" in line and "gres:gpu" in line:
        looks[-1][1] |= bool(re.search(r"\|PENDING\|(Resources|Priority|Nodes required)", line))
node_out = [
    (seconds(row["TimeStart"]), seconds(row["TimeEnd"]), 8) for row in rows("records/events.txt", delimiter="|") if row["NodeName"]
]
wanted = 0
for (at, is_wanted), (until, _) in zip(looks, looks[1:]):
    for second in range(at, until, SECOND) if is_wanted else ():
        busy = sum(a.gpus for a in attempts if a.start <= second < a.end) + sum(g for b, e, g in node_out if b <= second < e)
        wanted += 32 - busy
expect("GPU-seconds idle with demand", installed["idle with demand"], wanted * 1000)
bounded("the looks at the queue", looks[-1][0] - looks[0][0], 60 * NS, 3600 * NS)

# ---- leaves ----


class Bounds(collections.defaultdict):
    """Leaf to the least and the most time that it may have."""

    def __init__(self):
        super().__init__(lambda: [0, 0])

    def add(self, leaf, time, less=0, more=0):
        self[leaf][0] += time - less
        self[leaf][1] += time + more


def span(times):
    return min(times), max(times)


def of_launch(cycle):
    """Of a launch its steps, in order: iteration, begin, end, and when the line was written."""
    return [(i, cycle["begin-step"][i], cycle["end-step"][i], cycle["said"][i]) for i in sorted(cycle["begin-step"])]


def of_phase(cycle, phase):
    """From the first node to begin a phase to the last to end it: at least, and at most."""
    return [
        max(cycle[f"before-end-{phase}"].values()) - min(cycle[f"behind-start-{phase}"].values()),
        max(cycle[f"behind-end-{phase}"].values()) - min(cycle[f"before-start-{phase}"].values()),
    ]


def start_up(a, k, bounds, from_ns, steps):
    """From when the launch began to its first step."""
    cycle = a.cycles[k]
    lag = steps[0][3] - steps[0][2] + TENTH
    if k == 0:
        begun, over = zip(*prologs[a.raw, a.restart])
        bounds.add("environment", NS, 0, max(max(over) - min(begun) - NS, 0))
        begin, end = cycle["before-start-image"], cycle["behind-end-image"]
        slept = (700 if len(begin) > 1 else 200) * 10**6
        bounds.add("image", slept, 0, max(end.values()) - min(begin.values()) - slept)
    # Of both at once the one that ends first holds. Where lines of Megatron tell of the initialisation, it may be placed
    # a second off.
    second = 0 if a.is_marked else SECOND
    least, most = of_phase(cycle, "load")
    init = min(cycle["before-start-init"].values()), max(cycle["behind-end-init"].values())
    both = max(0, max(cycle["behind-end-load"].values()) - init[0])
    bounds.add("load", least, second, most - least)
    init_least, init_most = of_phase(cycle, "init") if a.is_marked else (init[1] - init[0],) * 2
    bounds.add("init", init_least, both + second, init_most - init_least + second)
    bounds.add("startup", steps[0][1] - from_ns, lag, lag)


def work(a, k, bounds, steps, resumed):
    """Steps, saves and evaluations of a launch, up to its last line."""
    cycle = a.cycles[k]
    took = [min(e, a.end) - min(b, a.end) for _, b, e, _ in steps]
    whole = [e - b for _, b, e, _ in of_launch(cycle)]  # also what its log tells of after the attempt
    half = whole[len(whole) // 2 :]
    low, high = statistics.median_low(half), statistics.median_high(half)
    for n, (i, begun, over, written) in enumerate(steps):
        is_lost = resumed is not None and i > resumed
        leaf = "lost" if is_lost else "steps"
        lag = written - over + TENTH
        between = steps[n + 1][1] - over if n + 1 < len(steps) else 0
        held_up = cycle["begin-save"].get(i) or cycle["begin-evaluation"].get(i)
        bounds.add(leaf, took[n], lag, lag + (0 if held_up else between))
        if not is_lost and n == 0:
            bounds.add("warm_up", took[0] - high, 2 * TENTH, 2 * TENTH + high - low)
        elif not is_lost:
            bounds["warm_up"][1] += max(0, took[n] - low)
        if held_up and n + 1 < len(steps) and over < a.end:
            wait = min(steps[n + 1][1], a.end) - over
            pure = sum(cycle["end-" + x][i] - cycle["begin-" + x][i] for x in ("save", "evaluation") if i in cycle["end-" + x])
            next_lag = steps[n + 1][3] - steps[n + 1][2] + TENTH
            is_both = i in cycle["begin-save"] and i in cycle["begin-evaluation"]
            for x in ("save", "evaluation"):
                if is_both:  # which of the two took how long, no line tells
                    bounds.add(x, cycle["end-" + x][i] - cycle["begin-" + x][i], wait, wait)
                elif i in cycle["end-" + x]:
                    bounds.add(x, pure, lag, wait - pure + next_lag)
            bounds.add("held up", pure, lag, wait - pure + next_lag)
        elif not held_up:
            bounds["unknown"][1] += between + lag


def tail(a, k, bounds, steps):
    """From the last line of a launch to the next launch, or to the end of the attempt."""
    cycle, over, written = a.cycles[k], steps[-1][2], steps[-1][3]
    lag = written - over + TENTH
    if "done" in cycle:
        bounds.add("held up", a.end - over, lag, lag)  # by the last save; and what the job did when the training was over
        bounds.add("save", cycle["end-save"][steps[-1][0]] - cycle["begin-save"][steps[-1][0]], SECOND, SECOND)
        bounds.add("idle_after", a.end - cycle["done"][steps[-1][0]], SECOND, SECOND + lag)
    elif k + 1 in a.cycles and "launched" in a.cycles[k + 1]:
        killed = script["begin-kill", jobs[a.name]]
        noticed, told = min(cycle["noticed"].values()), min(cycle["told"].values())
        again = a.cycles[k + 1]
        # The middle between the last line and the notice is taken for the fault; torchrun's own time of the notice, which
        # comes first, has no parts of a second. The next launch begins with its first mark.
        half = (told - over) // 2 + lag
        begin, begun = min(again["before-start-load"].values()), min(again["behind-start-load"].values())
        bounds.add("lost", killed - over, half + SECOND, half)
        bounds.add("detection", noticed - killed, half + SECOND, half)
        bounds.add("recovery", begin - told, 0, SECOND + begun - begin)
        bounds.add("startup", 0, begun - begin, 0)
    else:  # it ended at work: all was lost up to the end, and of a fault the middle of its interval is taken
        rest = max(0, a.end - over)
        half = rest // 2 if a.state == "NODE_FAIL" else 0
        bounds.add("lost", rest, lag + half, lag)
        bounds.add("detection", 0, 0, half)


def compare(a):
    got = collections.Counter()
    for (what, _), gpu_ns in leaves[a.raw, a.start].items():
        got[what] += gpu_ns / a.gpus
    bounds, kinds = Bounds(), {}
    cycles = [k for k in sorted(a.cycles) if a.cycles[k]["begin-step"]]
    if not cycles:
        begun, over = zip(*prologs[a.raw, a.restart])
        bounded(f"environment of {a}", got["startup.environment"], NS, max(over) - min(begun))
        expect(f"all of {a} but its prologs", got["unknown"] + got["startup.environment"] + got["startup.unsplit"], a.end - a.start)
        return
    for k in cycles:
        steps = of_launch(a.cycles[k])
        steps = [s for s in steps if s[1] < a.end]
        after = [b for b in attempts if b.name == a.name and b.restart > a.restart and b.cycles]
        resumed = None
        if k + 1 in cycles:
            resumed = loaded_of(a, k + 1)
        elif after:
            resumed = loaded_of(after[0], 0)
        elif a.state != "COMPLETED":
            resumed = max((i for i in a.cycles[k]["end-save"] if a.cycles[k]["end-save"][i] < a.end), default=0)
        start_up(a, k, bounds, a.start if k == 0 else min(a.cycles[k]["before-start-load"].values()), steps)
        work(a, k, bounds, steps, resumed)
        tail(a, k, bounds, steps)
    startup = sum(v for leaf, v in got.items() if leaf.startswith("startup.") and leaf != "startup.warm_up")
    checks = [
        ("start-up", "startup", startup),
        ("environment", "environment", got["startup.environment"]),
        ("image", "image", got["startup.image"]),
        ("load", "load", got["startup.load"]),
        ("init", "init", got["startup.init"]),
        ("steps that count, and warm-up", "steps", got["productive.unsplit"] + got["startup.warm_up"]),
        ("warm-up", "warm_up", got["startup.warm_up"]),
        ("lost work", "lost", got["lost_work"]),
        ("saves", "save", got["checkpoint.stall"]),
        ("evaluations", "evaluation", got["evaluation"]),
        ("saves, evaluations, after the end", "held up", got["checkpoint.stall"] + got["evaluation"] + got["idle_after"]),
        ("detection", "detection", got["detection"]),
        ("recovery", "recovery", got["recovery"]),
        ("after the end", "idle_after", got["idle_after"]),
        ("unknown", "unknown", got["unknown"]),
    ]
    for title, leaf, value in checks:
        least, most = (max(0, bound) for bound in bounds[leaf])
        bounded(f"{title} of {a}", value, least, most)
        if value or most:
            said.append(f"{str(a):32s} {title:34s} {value / NS:9.3f} s, {least / NS:9.3f} to {most / NS:9.3f}")


def loaded_of(a, k):
    return loaded[a.raw, a.restart, k]


loaded = {}
for line in open(f"{where}/truth.txt"):
    at, job, restart, cycle, node, what, number = line.split()
    if what == "loaded":
        loaded[job, int(restart), int(cycle)] = int(number)
for a in attempts:
    compare(a)

# ---- reasons, resumptions, incidents ----

pretrain, tune, limited = jobs["pretrain"], jobs["tune"], jobs["limited"]
why = collections.defaultdict(set)
for a in attempts:
    for (what, reason), gpu_ns in leaves[a.raw, a.start].items():
        if gpu_ns:
            why[a.raw, a.restart, what.split(".")[0]].add(reason)
expect("why the run that was killed and failed lost work", why[pretrain, 0, "lost_work"], {"unknown", "infrastructure"})
expect("why it started", why[pretrain, 0, "startup"], {"first_start", "unknown"})
expect("why it started again", why[pretrain, 1, "startup"], {"infrastructure"})
expect("why the cancelled run lost work", why[tune, 0, "lost_work"], {"user"})
expect("why the run at its limit lost work", why[limited, 0, "lost_work"], {"planned"})
joins = json.load(open(f"{where}/joins.json"))
expect(
    "launches, and what they loaded",
    sorted((str(c["raw_job"]), c["loaded_iteration"] or 0) for c in joins["cycles"]),
    sorted((job, iteration) for (job, _, _), iteration in loaded.items()),
)
expect(
    "incidents",
    {(str(i["job"]), i["launch"]): (i["side"], i["evidence"]) for i in report["incidents"]},
    {(pretrain, None): ("infrastructure", "certain"), (pretrain, 0): ("unknown", "none")},
)
runs = {r["run"]: r for r in report["runs"]}
for name, n_launches, n_failures in (("pretrain", 3, 2), ("tune", 1, 0), ("limited", 1, 0)):
    mine = [a for a in attempts if a.name == name]
    done = {(a.restart, k, i) for a in mine for k in a.cycles for i, begun in a.cycles[k]["begin-step"].items() if begun < a.end}
    last = {}
    for restart, k, i in sorted(done):  # of the launches that made an iteration, the last made what counts
        last[i] = restart, k, i
    at_risk = max(i for a in mine for k in a.cycles for i in a.cycles[k]["end-save"])
    kept = sum(i <= at_risk for i in last)
    run = runs[name]
    expect(f"steps of {name} kept and lost", (run["kept_steps"], run["lost_steps"]), (kept, len(done) - kept))
    expect(f"attempts, launches, failures of {name}", (run["attempts"], run["launches"], run["failures"]), (len(mine), n_launches, n_failures))
nodes = [json.load(open(f"{where}/node-gpu0{n}.json"))["failures"] for n in (1, 2, 3, 4)]
expect("failures of each node: the one that was set down has its own", nodes, [0, 1, 0, 0])
expect("incidents, each once", len(report["incidents"]), 2)

# ---- training really went on: the weights are those of a run that nothing stopped ----

os.environ.update(
    SLURM_JOB_ID="0", CYCLE="0", SLURMD_NODENAME="-", SLURM_NODEID="0", SLURM_NNODES="1", GPUS_PER_NODE="16", STEPS="40",
    STEP_S="0", SAVE_EVERY="1", EVALUATE_EVERY="1", TRUTH="/dev/null",
)
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
sys.dont_write_bytecode = True
import night_train

weights = [0.0] * night_train.N_WEIGHTS
for step in range(1, 41):
    summed = night_train.gradient(weights, 0, step)
    for rank in range(1, 16):
        summed = [x + y for x, y in zip(summed, night_train.gradient(weights, rank, step))]
    weights = night_train.descend(weights, summed, 16)
(path,) = glob.glob(f"{where}/records/runs/pretrain/ckpt-*/weights")
expect("the weights of the run are those of one without a failure", open(path).read().split() == [w.hex() for w in weights], True)

if problems or "-v" in sys.argv:
    print("\n".join(said))
if problems:
    print("\n".join(problems))
    sys.exit(f"night_check: {len(problems)} figures differ")
print(
    f"night_check: {len(attempts)} attempts held {allocated} GPU-seconds, as sreport says by user and account; {down} down or drained, "
    f"as sreport says; {len(said)} leaves of attempts are what was done"
)
