"""Pairs of scenarios that the documents make equal: both are simulated, and every value of the result is compared.

    scenario_pairs.py HINDCAST FOLDER [NAME]

bases.json has scenarios in which features meet; every other file of FOLDER is a list of rules. A rule holds on each
base that it names under `on`: `both` is put into that scenario, then `left` into the one and `right` into the other
(values by pointer; null takes the value away). How the two results must agree is one of

    same       every value to the last digit, with the same seed
    rounding   to a billionth: what is added or scaled as a fraction is rounded to another nanosecond
    z          means within 4 standard errors, each side with a seed of its own

`but` has the paths that the rule itself makes differ, `only` those that are compared where most differ, and `factor`
those that are a multiple on the right. `of` is the job of the left scenario whose figures are meant. A rule with `refused` in place of left and right says that the scenario is not
answered. What each of the twelve features did is read from the results, and every two must have met.
"""
import fnmatch
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys

SHOWN = 12
LIMIT = 4
ROUNDING = 1e-9
FEATURES = ["standby", "pool", "wait", "requeue", "elastic", "domains", "quarantine", "hang", "async", "infants",
            "jobs", "age"]
# Not figures of the life: what the program calls the run, how it worked, and what closed forms say of the input.
NEVER = ["name", "figures.*.spread.replicas", "combines", "reference.*", "counts.events", "count_intervals.events.*",
         "life.stretches"]
# Groups of paths for `but`: what changes with nodes that only wait.
GROUPS = {
    "late": ["counts.late_finds", "count_intervals.late_finds.*"],
    "idle": ["figures.goodput.*", "figures.total_gpu_h.*", "figures.nominal_day_gpu_h.*", "figures.unproductive_gpu_h.*",
             "figures.pool_idle_gpu_h.*", "figures.standby_idle_gpu_h.*", "account.*.share", "account.pool.idle.*",
             "account.standby.idle.*", "states.idle standbys.*", "states.free nodes of the pool.*", "gpu_h",
             "unproductive_gpu_h", "stages.*.share", "jobs.pool_idle_gpu_h.*", "jobs.total_gpu_h.*"],
}


def put(scenario, values):
    """Sets or removes values by pointer."""
    for pointer, value in values.items():
        *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
        at = scenario
        for part in path:
            at = at.setdefault(part, {})
        if value is None:
            at.pop(last, None)
        else:
            at[last] = json.loads(json.dumps(value))
    return scenario


def base_run(text):
    """The run of the scenario itself, with the spread of each figure beside its mean."""
    run = json.loads(text)["runs"][0]
    for name, spread in run.pop("spread").items():
        run["figures"][name]["spread"] = spread
    return run


class Program:
    """hindcast, with each scenario simulated once."""

    def __init__(self, path):
        self.path = path
        self.known = {}

    def answer(self, scenario):
        """The base run of its result, or the message with which it was refused."""
        text = json.dumps(scenario)
        if text not in self.known:
            done = subprocess.run([self.path, "simulate", "-q", "--json", "--threads", "1", "-"], input=text,
                                  capture_output=True, text=True)
            if done.returncode not in (0, 3):
                raise SystemExit(f"FAIL: exit status {done.returncode}: {done.stderr}")
            self.known[text] = base_run(done.stdout) if done.returncode == 0 else done.stderr
        return self.known[text]


def named(items):
    """A list of objects as a dictionary: rows of the account and of the causes by their names."""
    out = {}
    for i, item in enumerate(items):
        key = str(i)
        if isinstance(item, dict):
            key = next((item[k] for k in ("what", "cause", "state", "stage", "name") if k in item), key)
            key += "." + item["why"] if "why" in item else ""
        while key in out:
            key += "'"
        out[key] = item
    return out


def flat(value, path=""):
    """All values of a result by path. A row of the account that is absent is 0."""
    if isinstance(value, list):
        value = named(value)
    out = {}
    for key, item in value.items():
        at = f"{path}.{key}" if path else key
        if isinstance(item, (dict, list)):
            out.update(flat(item, at))
        else:
            out[at] = item
    return out


def matcher(patterns):
    """Whether a path fits one of the patterns, each a path with stars or the name of a group of such."""
    paths = [p for name in patterns for p in GROUPS.get(name, [name])]
    return re.compile("|".join(fnmatch.translate(p) for p in paths)).match


def chosen(rule, paths):
    but, only = matcher(NEVER + rule.get("but", [])), matcher(rule.get("only", ["*"]))
    return [p for p in sorted(paths) if only(p) and not but(p)]


def off_by(rule, path, a, b):
    """Whether b is not a, or what the rule makes of it."""
    factor = next((f for p, f in rule.get("factor", {}).items() if fnmatch.fnmatchcase(path, p)), 1)
    if rule["how"] == "rounding" and all(isinstance(v, (int, float)) for v in (a, b)):
        return abs(b - factor * a) > ROUNDING * max(abs(b), abs(factor * a)) + 1e-12
    return a != b


def compare_values(rule, left, right):
    """Paths whose values differ, and how many were compared."""
    left, right = flat(left), flat(right)
    paths = chosen(rule, left.keys() | right.keys())
    sides = [(p, left.get(p, 0), right.get(p, 0)) for p in paths]
    wrong = [f"{p}: {a} and {b}" for p, a, b in sides if (a != b or "factor" in rule) and off_by(rule, p, a, b)]
    return wrong, len(paths), 0


def means(run):
    """Mean and standard error by path."""
    n, out = run["replicas"], {}
    ettr = run["figures"]["interruptions"]
    quantile = (ettr["high"] - ettr["mean"]) / (ettr["sd"] / math.sqrt(n)) if ettr["sd"] > 0 else 1.96
    for name, f in run["figures"].items():
        out[f"figures.{name}.mean"] = f["mean"], f["sd"] / math.sqrt(n)
    for name, f in run["count_intervals"].items():
        out["counts." + name] = run["counts"][name], (f["high"] - f["low"]) / (2 * quantile)
    for cause in run["causes"]:
        out["causes." + cause["cause"]] = cause["faults"], (cause["faults_high"] - cause["faults_low"]) / (2 * quantile)
    return out


def compare_means(rule, left, right):
    if "of" in rule:
        left = dict(left, figures=next(j["figures"] for j in left["jobs"]["each"] if j["name"] == rule["of"]))
    left, right = means(left), means(right)
    wrong, worst, paths = [], 0, chosen(rule, left.keys() & right.keys())
    for path in paths:
        (a, ea), (b, eb) = left[path], right[path]
        error = math.hypot(ea, eb)
        z = (a - b) / error if error > 1e-9 * abs(a) else (0 if abs(a - b) <= 1e-9 * abs(a) else math.inf)
        worst = max(worst, abs(z))
        if abs(z) >= LIMIT:
            wrong.append(f"{path}: {a} +- {ea} and {b} +- {eb} (z {z:.2f})")
    return wrong, len(paths), worst


def acting(scenario, run):
    """The features that did something in a life, or with a refused scenario those that it asks for."""
    refused = isinstance(run, str)
    counts = {} if refused else run["counts"]
    struck = {} if refused else {c["cause"]: c["faults"] for c in run["causes"]}
    recovery, faults = scenario.get("recovery", {}), scenario["faults"]
    elastic = scenario.get("elastic", {}).get("on", False)

    def some(test):
        return any(test(f) and (refused or struck[name] > 0) for name, f in faults.items())
    found = {
        "standby": counts.get("standbys_used", 0) > 0,
        "pool": "pool_nodes" in recovery,
        "wait": counts.get("waits", 0) > 0,
        "requeue": counts.get("requeues", 0) > 0,
        "elastic": counts.get("leaves", 0) > 0 or refused and elastic,
        "domains": some(lambda f: f.get("domain_nodes", 0) > 1),
        "quarantine": counts.get("quarantined", 0) > 0,
        "hang": some(lambda f: f["class"] == "implicit" and f.get("timeout_s", 0) > 0),
        "async": scenario["checkpoint"]["mode"] == "async",
        "infants": counts.get("infant_faults", 0) > 0 or refused and some(lambda f: "infant_factor" in f),
        "jobs": bool(scenario.get("jobs")),
        "age": some(lambda f: f.get("age") == "stationary" or f.get("age_h", 0) != 0),
    }
    return {name for name in FEATURES if found[name]}


def two_sides(rule, base):
    both = put(json.loads(json.dumps(base)), rule.get("both", {}))
    left = put(json.loads(json.dumps(both)), rule.get("left", {}))
    right = put(both, rule.get("right", {}))
    if rule["how"] == "z":
        left["replicas"] = right["replicas"] = rule.get("replicas", 200)
        right["seed"] = left["seed"] + 1000
    return left, right


class Tally:
    def __init__(self):
        self.failed = []
        self.pairs = {"same": 0, "rounding": 0, "z": 0, "refused": 0}
        self.values = 0
        self.worst = 0, ""
        self.met = set()

    def meet(self, features):
        self.met |= {frozenset(two) for two in itertools.combinations(sorted(features), 2)}

    def fail(self, name, lines):
        self.failed.append(name)
        print(f"FAIL: {name}")
        for line in lines[:SHOWN]:
            print(f"    {line}")
        if len(lines) > SHOWN:
            print(f"    and {len(lines) - SHOWN} more")


def refuse(program, name, rule, base, tally):
    scenario = put(json.loads(json.dumps(base)), rule.get("both", {}))
    answer = program.answer(scenario)
    tally.pairs["refused"] += 1
    if not isinstance(answer, str) or rule["refused"] not in answer:
        tally.fail(name, [f"not refused with '{rule['refused']}'", str(answer)[:300]])
    tally.meet(acting(scenario, answer))


def pair(program, name, rule, base, tally):
    left, right = two_sides(rule, base)
    answers = [program.answer(s) for s in (left, right)]
    for answer in answers:
        if isinstance(answer, str):
            return tally.fail(name, answer.splitlines())
    wrong, n, worst = (compare_means if rule["how"] == "z" else compare_values)(rule, *answers)
    tally.pairs[rule["how"]] += 1
    tally.values += n
    tally.worst = max(tally.worst, (worst, name))
    if wrong or n == 0:
        tally.fail(name, wrong or ["nothing was compared"])
    if rule.get("acts") and not any(flat(a).get(p, 0) for a in answers for p in rule["acts"]):
        tally.fail(name, [f"nothing came of {rule['acts']}"])
    for scenario, answer in zip((left, right), answers):
        tally.meet(acting(scenario, answer))


def main(hindcast, folder, wanted=None):
    program, tally = Program(hindcast), Tally()
    folder = pathlib.Path(folder)
    bases = json.loads((folder / "bases.json").read_text())
    for file in sorted(folder.glob("*.json")):
        for rule in json.loads(file.read_text()) if file.name != "bases.json" else []:
            for base in rule["on"]:
                name = f"{file.stem}: {rule['rule']}, on '{base}'"
                if wanted is None or wanted in name:
                    (refuse if "refused" in rule else pair)(program, name, rule, bases[base], tally)
    apart = [" and ".join(two) for two in itertools.combinations(FEATURES, 2) if frozenset(two) not in tally.met]
    if wanted is None and apart:
        tally.fail("features that never meet", apart)
    print(f"{sum(tally.pairs.values())} pairs ({tally.pairs}), {tally.values} values, {len(program.known)} runs; "
          f"{len(tally.met)} of {math.comb(len(FEATURES), 2)} pairs of features met; "
          f"largest |z| {tally.worst[0]:.2f} ({tally.worst[1]})")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
