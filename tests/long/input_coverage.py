#!/usr/bin/env python3
"""input_coverage.py HINDCAST [FITS] - how often the range of inputs holds what is true.

Fleets of 100 nodes in service for long, whose nodes fail by a Weibull renewal of mean 1,000 h, are watched until
about 10, 30 and 100 incidents have come. A scenario that is fitted from these is simulated for 30 days, FITS times
(200) each, and the range of inputs of its ETTR is held against the ETTR by the true parameters. Prints a line each;
exit 1 where fewer than 92 % or more than 98 % hold it, by more than what chance does to so many fits (two standard
errors). What is fitted is of the family that is true.
"""
import math
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "support"))
import stationary_fleet as fleet  # noqa: E402

NODES, MEAN_H, DAYS = 100, 1000.0, 30


def simulate(hindcast, directory, between, replicas, **fault):
    asked = fleet.scenario(NODES, DAYS, between, **fault)
    asked["replicas"] = replicas
    return fleet.simulate(hindcast, directory, asked)


def cover(hindcast, directory, family, shape, incidents, fits):
    truth = simulate(hindcast, directory, {"weibull": {"mean": MEAN_H, "shape": shape}}, 4000,
                     age="stationary")["figures"]["ettr"]["mean"]
    low = high = lacking = 0
    for fit in range(fits):
        rng = random.Random(f"{family} {shape} {incidents} {fit}")
        fleet.watch(os.path.join(directory, "incidents.jsonl"), rng, NODES, MEAN_H, shape,
                    incidents * MEAN_H / NODES)
        between = {"fitted": {"file": "incidents.jsonl", "what": "between", "family": family}}
        try:
            ends = simulate(hindcast, directory, between, 400)["inputs"]["ettr"]
        except ValueError as why:  # too few to be fitted
            lacking += 1
            print(why, file=sys.stderr)
            continue
        low += truth < ends["low"]
        high += truth > ends["high"]
    n = fits - lacking
    held = n - low - high
    slack = 2 * math.sqrt(0.95 * 0.05 / n)
    fair = 0.92 - slack <= held / n <= 0.98 + slack
    print(f"{family} {shape}: about {incidents} incidents: {held} of {n} ({100 * held / n:.1f} %) hold the ETTR "
          f"{truth:.4f}, {low} lie above, {high} below, {lacking} not fitted{'' if fair else ': NOT FAIR'}", flush=True)
    return fair


def main():
    hindcast, fits = os.path.realpath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    fair = True
    with tempfile.TemporaryDirectory() as directory:
        for family, shape in (("exponential", 1.0), ("weibull", 0.6), ("weibull", 1.5)):
            for incidents in (10, 30, 100):
                fair &= cover(hindcast, directory, family, shape, incidents, fits)
    return 0 if fair else 1


if __name__ == "__main__":
    sys.exit(main())
