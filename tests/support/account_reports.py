"""What reports on the account of a made-up cluster say, against its truth: made/truth/account.csv beside top.json."""
import collections
import csv
import json

LOST = {"startup.failed", "lost_work", "abandoned", "detection", "localisation", "recovery"}
NOT_AGAIN = {"first_start", "planned", "none", ""}
NS_PER_HOUR = 3.6e12


def is_lost(what, why):
    if what in LOST:
        return why != "planned"
    return what.startswith("startup.") and why not in NOT_AGAIN


def truth_by_run():
    lost = collections.Counter()
    with open("made/truth/account.csv", newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            if is_lost(row["what"], row["why"]):
                lost[row["run"]] += int(row["gpu_ns"])
    return lost


def check_top():
    top = json.load(open("top.json", encoding="utf-8"))
    total = int(top["total"]["gpu_ns"])
    for group in top["groups"]:
        assert group["adds_up"], group["by"]
        assert sum(int(row["gpu_ns"]) for row in group["rows"]) == total, group["by"]
    lost = truth_by_run()
    told = {row["name"]: row["gpu_hours"] for row in top["groups"][0]["rows"]}
    assert lost and set(told) == {run for run in lost if run}, (told, lost)
    for run, gpu_ns in lost.items():
        done = gpu_ns / NS_PER_HOUR
        assert abs(told[run] - done) <= 0.02 * done + 0.2, (run, told[run], done)


def check_ettr():
    held, productive = collections.Counter(), collections.Counter()
    with open("made/truth/account.csv", newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            held[row["run"]] += int(row["gpu_ns"])
            if row["what"].startswith("productive."):
                productive[row["run"]] += int(row["gpu_ns"])
    runs = json.load(open("ettr.json", encoding="utf-8"))["runs"]
    assert {row["run"] for row in runs} == {run for run in held if run}
    for row in runs:
        told, done = row["goodput"]["value"], productive[row["run"]] / held[row["run"]]
        assert abs(told - done) < 0.005, (row["run"], told, done)
        assert row["nominal"]["value"] <= row["byterobust"]["value"] <= row["meta"]["value"] + 1e-12, row["run"]


def check_startup():
    done = collections.Counter()
    with open("made/truth/account.csv", newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            if row["what"].startswith("startup."):
                done[row["run"]] += int(row["gpu_ns"])
    report = json.load(open("startup.json", encoding="utf-8"))
    told = {row["name"]: row["startup"] for row in report["groups"][0]["rows"]}
    assert set(told) == {run for run in done if run}
    assert abs(sum(told.values()) - report["totals"]["startup"]) < 1e-6
    for run, gpu_ns in done.items():
        hours = gpu_ns / NS_PER_HOUR
        assert abs(told[run] - hours) <= 0.03 * hours + 0.1, (run, told[run], hours)
    # Own times of images: those of truth/starts.csv.
    own = []
    with open("made/truth/starts.csv", newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            if row["phase"] == "image":
                own.append(float(row["end_s"]) - float(row["start_s"]))
    image = next(row for row in report["phases"] if row["phase"] == "image")
    assert image["times"] == len(own) and image["slowest_s"] == max(own), (image, len(own), max(own))


check_top()
check_startup()
check_ettr()
