"""Incidents of fleets that are in service for long: each node fails by a Weibull renewal, of which the first time is
what is left of it when watching begins. Written here from the definition, beside the program's own streams."""
import json
import math
import os
import subprocess


def weibull(rng, mean, shape):
    scale = mean / math.gamma(1 + 1 / shape)
    return scale * (-math.log(1 - rng.random())) ** (1 / shape)


def first(rng, mean, shape):
    """From a time in a long renewal to its next event: of a length that is chosen by its size, a part."""
    scale = mean / math.gamma(1 + 1 / shape)
    return scale * rng.gammavariate(1 + 1 / shape, 1) ** (1 / shape) * rng.random()


def watch(path, rng, nodes, mean_h, shape, hours):
    """Write the incidents of so many hours to path; returns their number."""
    n = 0
    with open(path, "w", encoding="utf-8") as file:
        print(json.dumps({"observation": {"nodes": nodes, "start": 0, "end": hours * 3600}}), file=file)
        for node in range(nodes):
            at = first(rng, mean_h, shape)
            while at < hours:
                print(json.dumps({"time": at * 3600, "node": f"n{node}", "cause": "hardware.gpu",
                                  "recovered": at * 3600 + 1}), file=file)
                n += 1
                at += weibull(rng, mean_h, shape)
    return n


def scenario(nodes, horizon_d, between, **fault):
    """A job of all nodes that evicts and goes on."""
    node = {"class": "explicit", "remedy": "evict", "unit": "node", "detect_s": 600, "between_h": between}
    return {"schema": "hindcast/scenario/1", "kind": "lifetime",
            "job": {"nodes": nodes, "gpus_per_node": 8, "horizon_d": horizon_d},
            "faults": {"node": {**node, **fault}}, "startup": {"full_s": 1800},
            "checkpoint": {"mode": "async", "every_s": 3600}, "recovery": {"warm_standbys": 8}}


def simulate(hindcast, directory, asked):
    """The run of a scenario, as JSON has it; raises ValueError where it cannot be run."""
    path = os.path.join(directory, "scenario.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(asked, file)
    out = subprocess.run([hindcast, "simulate", "--json", "--threads", "1", path], capture_output=True, text=True,
                         check=False)
    if out.returncode:
        raise ValueError(out.stderr)
    return json.loads(out.stdout)["runs"][0]
