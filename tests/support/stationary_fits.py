#!/usr/bin/env python3
"""A scenario that is fitted from the incidents of a fleet in service stops as often as the fleet does.

Weibull renewals of shapes 0.5, 0.7, 1 and 1.5, from 300 and 3,000 incidents each. One fit from n incidents is off by
chance, by about 1 / sqrt(n) (5.8 % of 300); so the stops of eight fleets of 300 are taken together, and of two of
3,000, and these are within 5 % of the stops by the true parameters. Both are simulated with the same random numbers, so that the number of lives
is in neither.
"""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import stationary_fleet as fleet  # noqa: E402

NODES, MEAN_H, DAYS = 400, 4000.0, 60


def stops(hindcast, directory, between, replicas, **fault):
    asked = fleet.scenario(NODES, DAYS, between, **fault)
    asked.update(replicas=replicas, inputs={"draws": 0}, report={"figures": ["interruptions"]})
    return fleet.simulate(hindcast, directory, asked)["figures"]["interruptions"]["mean"]


def main():
    hindcast = os.path.realpath(os.environ["HINDCAST"])
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for shape in (0.5, 0.7, 1.0, 1.5):
            truth = stops(hindcast, directory, {"weibull": {"mean": MEAN_H, "shape": shape}}, 100, age="stationary")
            for incidents, fleets in ((300, 8), (3000, 2)):
                mean = 0
                for i in range(fleets):
                    rng = random.Random(f"{shape} {incidents} {i}")
                    fleet.watch(os.path.join(directory, "incidents.jsonl"), rng, NODES, MEAN_H, shape,
                                incidents * MEAN_H / NODES)
                    between = {"fitted": {"file": "incidents.jsonl", "what": "between", "family": "weibull"}}
                    mean += stops(hindcast, directory, between, 100) / fleets
                off = mean / truth - 1
                print(f"shape {shape}, {fleets} fleets of about {incidents} incidents: {mean:.1f} stops, {truth:.1f} by "
                      f"the true parameters, {100 * off:+.1f} %")
                failed += abs(off) > 0.05
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
