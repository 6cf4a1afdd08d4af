"""The settings in which the two simulations are compared: features of pool, standbys, waiting, repair, elasticity and
age, drawn so that they meet.

    settings.py N SEED              N settings
    settings.py N SEED LIVES [JOBS] the same with what lifetime.py finds in LIVES lives of each, as it is kept
"""
import itertools
import json
import multiprocessing
import random
import sys

import lifetime


def draw_job(rng):
    replicas = rng.choice([4, 5, 8, 10])
    return {"nodes": replicas * rng.choice([4, 5, 8]), "horizon_d": rng.choice([30, 40, 60])}, replicas


def draw_faults(rng, nodes, elastic, aged):
    """Some three faults of the job in a day."""
    rate = rng.uniform(1.5, 4) * 1000 / nodes
    share = rng.uniform(0.3, 0.7) if aged else 1
    faults = {"machine": {"class": "explicit", "per_1000_node_days": round(rate * share, 2), "remedy": "evict",
                          "detect_s": rng.choice([0, 60, 600])}}
    if aged:
        worn = {"class": "explicit", "unit": "node", "remedy": "evict", "detect_s": 30, "localise_s": rng.choice([0, 300]),
                "between_h": {"weibull": {"mean": round(24000 / (rate * (1 - share)), 1),
                                          "shape": rng.choice([0.6, 0.8, 1.5, 3])}}}
        worn.update(rng.choice([{"age": "new"}, {"age": "stationary"}, {"age_h": round(rng.uniform(50, 1500), 1)}]))
        faults["worn"] = worn
    if not elastic and rng.random() < 0.4:
        faults["switch"] = {"class": "explicit", "per_1000_domain_days": round(4 * rate * rng.uniform(0.05, 0.2), 2),
                            "domain_nodes": 4, "remedy": "evict", "detect_s": 30}
    return faults


def draw_checkpoint(rng):
    every = rng.choice([1800, 3600, 7200])
    stall = rng.choice([0, 20, 120])
    return rng.choice([{"mode": "async", "every_s": every, "stall_s": stall, "durable_after_s": stall + rng.choice([60, 600]),
                        "load_s": 120},
                       {"mode": "blocking", "every_s": every, "stall_s": stall, "load_s": 120}])


def draw_time(rng, mean):
    """Constant, or spread out, with about that mean."""
    return rng.choice([mean, {"exponential": {"mean": mean}}, {"lognormal": {"median": mean * 0.7, "p99": mean * 5}},
                       {"weibull": {"mean": mean, "shape": 0.7}}])


def draw_recovery(rng, nodes, pool, standby, wait, elastic):
    recovery = {"reschedule_s": rng.choice([300, 1200]), "wake_s": rng.choice([0, 100])}
    if standby:
        recovery["warm_standbys"] = rng.choice([1, 2, 3, 5])
        recovery["replenish_h"] = rng.choice([1, 6, {"exponential": {"mean": 8}}])
    if pool:
        spare = rng.choice([0, 0, 2, 4])
        free = rng.choice([0, 1, 2]) if wait else rng.choice([6, 12, 20])
        recovery["pool_nodes"] = nodes + recovery.get("warm_standbys", 0) + free
        if spare:
            recovery.update(spare_nodes=spare, preempt_s=rng.choice([0, 900, 3600]), spares_return=rng.random() < 0.5)
        if standby and wait and rng.random() < 0.5:
            recovery["wait_for"] = "job_and_standbys"
        if standby and rng.random() < 0.4:
            recovery["refill"] = "at_reschedule"
            recovery.pop("replenish_h")
    if rng.random() < 0.3:
        recovery["full_start_on_reschedule"] = False
    return recovery


def draw_repair(rng):
    repair = {"automatic_s": draw_time(rng, rng.choice([14400, 43200, 86400]))}
    if rng.random() < 0.5:
        repair.update(to_manual=round(rng.uniform(0.1, 0.4), 2), manual_s=draw_time(rng, rng.choice([86400, 172800])))
    return repair


def draw_elastic(rng, replicas):
    return {"on": True, "dp_replicas": replicas, "min_replicas": rng.choice([1, replicas // 2, replicas - 1]),
            "before_standbys": rng.random() < 0.4, "keeps_state": rng.random() < 0.6, "leave_s": rng.choice([30, 120]),
            "rejoin_s": rng.choice([60, 300])}


def setting(seed, pool, standby, wait, elastic, aged):
    rng = random.Random(seed)
    job, replicas = draw_job(rng)
    scenario = {"schema": "hindcast/scenario/1", "kind": "lifetime", "seed": seed, "replicas": 1000, "job": job,
                "faults": draw_faults(rng, job["nodes"], elastic, aged), "checkpoint": draw_checkpoint(rng),
                "startup": {"full_s": draw_time(rng, 900), "hot_s": 200},
                "recovery": draw_recovery(rng, job["nodes"], pool, standby, wait, elastic)}
    if pool:
        scenario["repair"] = draw_repair(rng)
    if elastic:
        scenario["elastic"] = draw_elastic(rng, replicas)
    return scenario


def settings(n, seed):
    """All 24 combinations of what is there or not (who waits needs a pool), again and again."""
    flags = [c for c in itertools.product([True, False], repeat=5) if c[0] or not c[2]]
    random.Random(seed).shuffle(flags)
    flags.sort(key=lambda c: -sum(c[:4]))                   # where most meet first
    return [setting(seed * 1000 + i, *flags[i % len(flags)]) for i in range(n)]


def simulate(job):
    i, scenario, n = job
    return {"setting": i, "scenario": scenario, "lives": n, "seed": 1000 + i, "figures": lifetime.lives(scenario, n, 1000 + i)}


def main(n, seed, n_lives=0, n_processes=1):
    all_of_them = settings(int(n), int(seed))
    if not int(n_lives):
        print(json.dumps(all_of_them, indent=1))
        return
    with multiprocessing.Pool(int(n_processes)) as pool:
        done = pool.map(simulate, [(i, s, int(n_lives)) for i, s in enumerate(all_of_them)], chunksize=1)
    print("[\n" + ",\n".join(json.dumps(d) for d in done) + "\n]")


if __name__ == "__main__":
    main(*sys.argv[1:])
