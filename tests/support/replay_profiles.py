#!/usr/bin/env python3
"""Scenarios on profiler traces against `hindcast whatif` and against the truth of made-up jobs.

    replay_profiles.py HINDCAST [TRACE...]

Run in a directory with the made-up jobs of tests/golden/replay_profiles.sh.
"""
import json
import subprocess
import sys

hindcast, real = sys.argv[1], sys.argv[2:]
n_checked = 0


def run(*words, fails=False):
    done = subprocess.run([hindcast, *words], capture_output=True, text=True)
    if fails != (done.returncode != 0):
        sys.exit(f"{words}: exit {done.returncode}\n{done.stderr}")
    return done


def simulate(trace, variants, **more):
    """{variant: [(untouched, step, ideal) in ns of each step]}; variants: {name: [edit, ...]}"""
    edits = {f"{name}{i}": edit for name, list_ in variants.items() for i, edit in enumerate(list_)}
    scenario = {"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": trace, "max_discrepancy": 1},
                "edits": edits, "variants": {name: [f"{name}{i}" for i in range(len(list_))]
                                             for name, list_ in variants.items()}, **more}
    json.dump(scenario, open("scenario.json", "w"))
    result = json.loads(run("simulate", "scenario.json", "--json").stdout)
    return {one["name"]: one for one in result["runs"]}


def times(one, column="step_s"):
    return [round(step[column] * 1e9) for step in one["steps"]]


def check(found, expected, what, within=0):
    global n_checked
    n_checked += 1
    if abs(found - expected) > within:
        sys.exit(f"{what}: {found}, and not {expected}")


def as_whatif(trace):
    asked = json.loads(run("whatif", trace, "--scale", "cpu=1.5", "--scale", "gpu=2", "--scale", "comm=3",
                           "--json").stdout)
    whatif = asked["whatif"]
    variants = {"ideal": [{"replace": "ideal"}],
                "cpu": [{"select": {"op": "cpu"}, "scale": 1.5}], "gpu": [{"select": {"op": "gpu"}, "scale": 2}],
                "comm": [{"select": {"op": "comm"}, "scale": 3}],
                "no_skew": [{"select": {"op": "start"}, "replace": "ideal"}],
                "gpu_ideal": [{"select": {"op": "gpu"}, "replace": "ideal"}],
                "cpu_ideal": [{"select": {"op": "cpu"}, "replace": "ideal"}]}
    for straggler in asked["stragglers"]:
        rank = straggler["rank"]
        variants[f"mend_{rank}"] = [{"select": {"rank": rank}, "replace": "ideal"}]
        variants[f"only_{rank}"] = [{"select": {"not": {"rank": rank}}, "replace": "ideal"}]
    runs = simulate(trace, variants)
    total = {name: sum(times(one)) for name, one in runs.items()}
    check(total["base"], whatif["replayed_ns"], f"{trace}: base")
    check(sum(times(runs["base"], "ideal_s")), whatif["ideal_ns"], f"{trace}: ideal of the base")
    check(total["ideal"], whatif["ideal_ns"], f"{trace}: all ideal")
    check(sum(times(runs["ideal"], "ideal_s")), whatif["ideal_ns"], f"{trace}: ideal of the ideal")
    for name in ("no_skew", "gpu_ideal", "cpu_ideal"):
        check(total[name], whatif[name + "_ns"], f"{trace}: {name}")
    for name, question in zip(("cpu", "gpu", "comm"), asked["questions"]):
        check(total[name], question["time_ns"], f"{trace}: {name} scaled")
    for straggler in asked["stragglers"]:
        check(total[f"mend_{straggler['rank']}"], straggler["mend_ns"], f"{trace}: mend {straggler['rank']}")
        check(total[f"only_{straggler['rank']}"], straggler["only_ns"], f"{trace}: only {straggler['rank']}")
    for name, one in runs.items():
        path = sum(row["step_s"] for row in one["critical_path"]) * len(one["steps"])
        check(round(path * 1e9), total[name], f"{trace}: {name}: parts of the path", within=2)
    check(runs["base"]["figures"]["discrepancy"]["mean"], whatif["structural_ns"] / whatif["traced_ns"] - 1,
          f"{trace}: discrepancy", within=1e-9)


def pairs():
    gpu, rank = {"op": "gpu"}, {"rank": 1}
    runs = simulate("mixed", {
        "twice": [{"select": gpu, "scale": 4}, {"select": gpu, "scale": 0.5}], "once": [{"select": gpu, "scale": 2}],
        "none": [{"select": gpu, "scale": 1}, {"select": gpu, "add_s": 0}, {"select": gpu, "cap_s": 1000},
                 {"select": {"name": ["no such kernel*"]}, "set_s": 5}],
        "late": [{"select": {"op": "start"}, "delay_s": 0.25}],
        "any": [{"select": {"any": [rank, {"rank": 2}]}, "scale": 1.1}], "range": [{"select": {"rank": "1-2"}, "scale": 1.1}],
        "all": [{"select": {"all": [rank, {"steps": "11-12"}]}, "scale": 3}],
        "both": [{"select": {**rank, "steps": "11-12"}, "scale": 3}],
        "link": [{"select": {"op": "comm"}, "link": {"bandwidth": 0.5}}], "slow": [{"select": {"op": "comm"}, "scale": 2}],
        "hidden": [{"select": {"op": "comm"}, "overlap": {"efficiency": 0.25}}],
        "less": [{"select": {"op": "comm"}, "scale": 0.75}],
        "drawn": [{"select": gpu, "scale": {"lognormal": {"mean": 1, "sd": 1e-12}}}],
        "some": [{"select": {"random": {"probability": 1}}, "scale": 2}], "every": [{"scale": 2}],
        "named": [{"select": {"name": ["*"]}, "scale": 2}, {"select": {"not": {"name": ["*"]}}, "scale": 2}],
        "wait": [{"select": {**gpu, **rank}, "delay_s": 0.001}], "wait_twice": [{"select": {**gpu, **rank}, "delay_s": 0.0005}] * 2})
    base = times(runs["base"])
    for one, other in (("twice", "once"), ("none", "base"), ("any", "range"), ("all", "both"), ("link", "slow"),
                       ("hidden", "less"), ("drawn", "base"), ("some", "every"), ("named", "every"),
                       ("wait", "wait_twice")):
        for at, (a, b) in enumerate(zip(times(runs[one]), times(runs[other]))):
            check(a, b, f"step {at} of {one} and {other}", within=0)
    check(times(runs["late"])[0], base[0] + 250000000, "all ranks late: the first step")
    check(sum(times(runs["late"])[1:]), sum(base[1:]), "all ranks late: the others")
    check(sum(times(runs["wait"], "ideal_s")), sum(times(runs["base"], "ideal_s")), "an ideal has no delays")
    before = times(runs["both"])[0]
    check(before, base[0], "a step before those that are edited")
    assert sum(times(runs["wait"])) > sum(base) + 10**6, "delays of kernels delay nothing"
    assert runs["none"]["edits"][3]["ops_selected"] == 0 and runs["every"]["edits"][0]["ops_selected"] > 0


def truths():
    """What was planted is recovered by mending the rank on which it is."""
    for trace, rank in (("slow-rank", 2), ("late-host", 1), ("slow-kernel", 3)):
        truth = json.load(open(f"{trace}/truth.json"))
        runs = simulate(trace, {"mended": [{"select": {"rank": rank}, "replace": "ideal"}]})
        gained = sum(times(runs["base"])) - sum(times(runs["mended"]))
        cost = truth["planted"][0]["cost_ns"]
        check(gained / cost, 1, f"{trace}: gained {gained}, planted {cost}", within=0.02)
    # Put into the healthy job what the other has, and it takes as long.
    slow = sum(times(simulate("slow-rank", {})["base"]))
    put_in = sum(times(simulate("healthy", {"slow": [{"select": {"op": "gpu", "rank": 2}, "scale": 1.4}]})["slow"]))
    check(put_in / slow, 1, "a slow rank put into the healthy job", within=0.005)


REFUSED = [
    ({"select": {"stage": 0}, "scale": 2}, "/select/stage", "no meaning for profiler traces"),
    ({"select": {"not": {"worker": ["0/0"]}}, "scale": 2}, "/select/not/worker", "no meaning for profiler traces"),
    ({"select": {"slowest": {"percent": 3, "of": "workers"}}, "scale": 2}, "/select/slowest", "no meaning"),
    ({"select": {"op": "forward-compute"}, "scale": 2}, "/select/op", "cpu, gpu, comm and start"),
    ({"select": {"node": ["n1"]}, "scale": 2}, "/select/node", "nodes to select by"),
    ({"rearrange": {"schedule": "gpipe"}}, "/rearrange", "cannot be rearranged"),
    ({"extrapolate": {"dp": 64}}, "/extrapolate", "cannot be rearranged"),
    ({"evict": {"after_steps": 3}}, "/evict", "'scale', 'add_s'"),
    ({"swap": ["0/0", "1/0"]}, "/swap", "'scale', 'add_s'"),
    ({"pause_s": 1}, "/pause_s", "'scale', 'add_s'"),
    ({"replace": "median"}, "/replace", "lower median"),
    ({"overlap": {"efficiency": 0.5, "when": "inputs_ready"}}, "/overlap", "only 'traced'"),
    ({"select": {"op": "gpu"}, "add_s": -1}, "/edits/it", "last -"),
    ({"select": {"op": "gpu"}, "set_s": 1e11}, "/edits/it", "cannot be told|more than can be told"),
]


def refusals():
    for edit, pointer, sentence in REFUSED:
        scenario = {"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "healthy"}, "edits": {"it": edit}}
        json.dump(scenario, open("scenario.json", "w"), indent=1)
        told = run("simulate", "scenario.json", fails=True).stderr
        if pointer not in told or not any(part in told for part in sentence.split("|")):
            sys.exit(f"{edit}: {told}")
    for steps, sentence in (("10,12", "one range"), ("99", "no step that all ranks have")):
        scenario = {"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "healthy", "steps": steps}}
        json.dump(scenario, open("scenario.json", "w"))
        told = run("simulate", "scenario.json", fails=True).stderr
        if sentence not in told:
            sys.exit(f"{steps}: {told}")
    return len(REFUSED) + 2


def timelines():
    """Untouched and edited stand side by side, of one step: kernels of twice the length are so drawn."""
    scenario = {"schema": "hindcast/scenario/1", "kind": "replay", "input": {"file": "healthy"},
                "edits": {"slow": {"select": {"op": "gpu", "name": ["*gemm*"]}, "scale": 2}},
                "report": {"perfetto": {"step": 12}}}
    json.dump(scenario, open("scenario.json", "w"))
    run("simulate", "scenario.json", "-o", "timelines/")
    events = json.load(open("timelines/steps.perfetto.json"))["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    if sorted(names.values()) != sorted(f"{group}: {one}" for group in ("untouched", "edited")
                                        for one in ("rank 0", "rank 1", "rank 2", "rank 3", "critical path")):
        sys.exit(f"processes {sorted(names.values())}")
    length = {"untouched": 0, "edited": 0}
    for event in events:
        if event.get("cat") == "compute" and "gemm" in event["name"] and ": rank" in names[event["pid"]]:
            length[names[event["pid"]].split(":")[0]] += round(event["dur"] * 1000)
            check(event["args"]["step"], 12, "the step of a kernel in the timeline")
    check(length["edited"], 2 * length["untouched"], "kernels of twice the length")
    assert length["untouched"] > 0


for trace in ["mixed", "lost", "slow-rank", "healthy", *real]:
    as_whatif(trace)
pairs()
truths()
timelines()
print(f"{n_checked} figures of profiler traces agree, {refusals()} scenarios are refused where they stand")
