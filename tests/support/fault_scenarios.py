"""Scenarios drawn from seeds, whose faults a list of incidents can carry: each is simulated, its faults are
written, and put in place of the rates. `fault_scenarios.py HINDCAST N` says what differs of N scenarios."""
import json
import random
import re
import subprocess
import sys

rng = random.Random()


def some(*choices):
    return rng.choice(choices)


def time(mean):
    mean = round(mean * rng.uniform(0.1, 2), 3)
    return some(mean, mean, {"exponential": {"mean": mean}},
                {"weibull": {"mean": mean, "shape": some(0.6, 1.5)}},
                {"lognormal": {"median": mean, "p99": 5 * mean}},
                {"gamma": {"mean": mean, "shape": some(0.5, 2)}})


def fault(nodes, pool, has_lemons):
    clocks, f = {}, {"class": some("explicit", "implicit")}
    f["effect"] = some("stop", "stop", "slow", "slow", "corrupt")
    kind = some("node", "node", "device", "job", "domain", "between", "between")
    if kind == "node":
        clocks["per_1000_node_days"] = round(rng.uniform(20, 4000) / nodes, 3)
        if has_lemons and rng.random() < 0.5:
            clocks["on_lemon"] = 4
    elif kind == "device":
        clocks["per_device_day"] = round(rng.uniform(0.02, 0.5) / nodes, 6)
    elif kind == "job":
        clocks["per_job_day"] = round(rng.uniform(0.1, 4), 3)
    elif kind == "domain":
        clocks["per_1000_domain_days"] = round(rng.uniform(5, 400), 3)
        clocks["domain_nodes"] = rng.randint(1, nodes)
    else:
        clocks["between_h"] = time(24 * nodes / rng.uniform(0.5, 3))
        clocks["unit"] = "node"
        if rng.random() < 0.5:
            clocks["age"] = some("new", "stationary")
    if f["effect"] == "slow":
        f["slow_factor"] = some(1.1, 1.7, 3)
    if f["effect"] == "slow" and rng.random() < 0.4:
        f["remedy"] = "none"
        f["lasts_s"] = time(20000)
    else:
        f["remedy"] = some("evict", "evict", "evict_group", "reattempt", "requeue", "rollback")
        f["detect_s"] = time(2000 if f["effect"] == "slow" else 60)
        f["localise_s"] = time(60)
        if f["remedy"] == "evict_group":
            f["group_nodes"] = rng.randint(1, min(nodes, 4))
        if rng.random() < 0.3:
            f["inspect_every_s"] = 30
        if rng.random() < 0.4:
            f["helps"], f["ladder"] = 0.6, ["reattempt", "evict"]
    return f, clocks


def scenario():
    nodes, standbys = rng.randint(2, 96), some(0, 0, 1, 3)
    s = {"schema": "hindcast/scenario/1", "kind": "lifetime", "seed": rng.randint(0, 10**6)}
    s["job"] = {"nodes": nodes, "work_d": round(rng.uniform(2, 30), 3),
                "horizon_d": round(rng.uniform(20, 50), 3),
                "step_s": some(0, 9.8, {"lognormal": {"median": 10, "p99": 14}})}
    s["exposure"] = {"strikes": some("running", "held", "always")}
    has_lemons = rng.random() < 0.4
    if has_lemons:
        s["exposure"]["lemon_share"] = 0.1
    s["checkpoint"] = {"mode": some("blocking", "async"), "every_s": some(600, 1800, 3600),
                       "stall_s": time(4), "load_s": time(60)}
    if s["checkpoint"]["mode"] == "async":
        s["checkpoint"]["durable_after_s"] = 120
    s["startup"] = {"full_s": time(600), "hot_s": time(60)}
    s["recovery"] = {"warm_standbys": standbys, "wake_s": time(60), "reschedule_s": time(300),
                     "replenish_h": some(1, 12), "queue_s": time(3000)}
    pool = rng.random() < 0.6
    if pool:
        s["recovery"]["pool_nodes"] = nodes + standbys + rng.randint(0, 8)
        s["repair"] = {"automatic_s": time(40000), "to_manual": some(0, 0.4), "manual_s": time(90000),
                       "automatic_false": some(0, 0.3), "retire": some(0, 0, 0.005),
                       "innocent_s": time(1000)}
        if rng.random() < 0.3:
            s["repair"].update(quarantine_faults=2, quarantine_window_h=240, quarantine_h=24)
    if rng.random() < 0.3:
        s["job"]["planned_stops"] = {"patch": {"first_d": 3, "every_d": 5, "lasts_s": time(2000)}}
    return s, [fault(nodes, pool, has_lemons) for _ in range(rng.randint(1, 4))]


def write(name, s, faults):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(dict(s, faults=faults), file, indent=1)


def simulate(name, faults, replicas):
    with open("scenario.json", "w", encoding="utf-8") as file:
        json.dump(dict(name, faults=faults), file)
    run = subprocess.run([sys.argv[1], "simulate", "-q", "--json", "--replica", replicas, "--faults-out",
                          "written.jsonl", "scenario.json"], capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    with open("written.jsonl", encoding="utf-8") as file:
        rows = file.read()
    figures = json.loads(run.stdout)["runs"][0]
    figures.pop("reference", None)  # closed forms know rates, and no records
    return figures, rows


def replayed(f, name, rows):
    """The fault by its rows; one that struck nothing has a rate of next to nothing instead."""
    if json.dumps({"text": name})[1:-1] not in rows:
        return dict(f, per_job_day=1e-300)
    return dict(f, incidents_from={"file": "faults.jsonl", "texts": [name]})


NAMES = ["hardware.gpu", "planned change", "slow", "a \"quoted\" name"]


# What says when a fault strikes: a list stands in its place.
CLOCKS = ["per_node_day", "per_1000_node_days", "per_device_day", "per_job_day", "per_1000_domain_days",
          "between_h", "age", "age_h", "unit", "domain_nodes", "on_healthy", "on_lemon"]


def round_trip(base, faults, replicas):
    """How many rows there were; AssertionError where the replay is not the same."""
    figures, rows = simulate(base, faults, replicas)
    with open("faults.jsonl", "w", encoding="utf-8") as file:
        file.write(rows)
    bare = {n: {k: v for k, v in f.items() if k not in CLOCKS} for n, f in faults.items()}
    again = simulate(base, {n: replayed(f, n, rows) for n, f in bare.items()}, replicas)
    assert again[0] == figures, "other figures"
    # Records do not know what unit their fault was of. The last line is the very end of the lives.
    assert again[1] == re.sub(', "scope": "[a-z]*"', "", rows), "another list"
    return rows.count("\n")


def drawn(seed):
    """A random scenario."""
    rng.seed(seed)
    base, faults = scenario()
    first = rng.randint(0, 3)
    named = {n: dict(f, **clocks) for n, (f, clocks) in zip(NAMES, faults)}
    return base, named, some(f"{first}", f"{first}-{first + 2}")


def preset(name):
    """The scenario of a preset, without what it asks."""
    shown = subprocess.run([sys.argv[1], "scenario", "show", f"preset:{name}"], capture_output=True, check=True)
    base = json.loads(shown.stdout)
    for asked in ("variants", "compare", "sweep", "find", "sensitivity", "report", "replicas"):
        base.pop(asked, None)
    return base, base.pop("faults"), "2-3"


PRESETS = ["airesim", "byterobust-dense", "delta-h100", "llama3", "meta-rsc1", "unicron-baseline"]
n_rows, n_wrong = 0, 0
for make, which in [(drawn, i + 1) for i in range(int(sys.argv[2]))] + [(preset, name) for name in PRESETS]:
    try:
        n_rows += round_trip(*make(which))
    except (AssertionError, RuntimeError) as error:
        print(f"{make.__name__} {which}: {error}")
        n_wrong += 1
print(f"{n_rows} rows")
sys.exit(n_wrong != 0 or n_rows < 100 * int(sys.argv[2]))
