"""What hindcast says of the kept settings, against what lifetime.py found in them.

    compare.py HINDCAST KEPT [--list]

Of each figure z is the difference of the means over its standard error, both sides counted. Fails where |z| is 4 or
more, where hindcast refuses a setting, and where fewer than 40 settings are kept.
"""
import json
import math
import subprocess
import sys

LIMIT = 4


def answer(hindcast, scenario):
    done = subprocess.run([hindcast, "simulate", "-q", "--json", "--threads", "1", "-"], input=json.dumps(scenario),
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"FAIL: exit status {done.returncode}: {done.stderr}\n{json.dumps(scenario)}")
    return json.loads(done.stdout)["runs"][0]


def differences(kept, run):
    for name, f in kept["figures"].items():
        h = run["figures"][name]
        error = math.hypot(f["se"], h["sd"] / math.sqrt(run["replicas"]))
        apart = h["mean"] - f["mean"]
        z = apart / error if error > 1e-9 * abs(h["mean"]) else (0 if abs(apart) <= 1e-9 * abs(h["mean"]) else math.inf)
        yield name, h["mean"], f["mean"], z


def main(hindcast, kept, listed=None):
    kept = json.load(open(kept))
    found = []
    for k in kept:
        run = answer(hindcast, k["scenario"])
        for name, mine, other, z in differences(k, run):
            found.append((abs(z), k["setting"], name))
            if abs(z) >= LIMIT or listed:
                print(f"{'FAIL: ' if abs(z) >= LIMIT else ''}setting {k['setting']}: {name} is {mine:.6g}, not {other:.6g} (z {z:.2f})")
    worst = max(found)
    mean = math.sqrt(sum(z * z for z, _, _ in found) / len(found))
    print(f"{len(kept)} settings, {len(found)} figures; root mean square of z {mean:.2f}, "
          f"largest |z| {worst[0]:.2f} ({worst[2]} of setting {worst[1]})")
    return 1 if worst[0] >= LIMIT or len(kept) < 40 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
