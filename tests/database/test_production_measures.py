"""What jobs at work logged becomes a series of their family if their work is the same, and stays of
low confidence until a controlled run agrees. Six families run on six sizes, twice each."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path[:0] = [str(SOURCES / "tests" / "lib"), str(SOURCES / "fixtures" / "expected")]

import case_page
import production
import published

INBOX, OUT = WORK / "inbox", WORK / "out"
SIZES = (1, 2, 3, 4, 6, 8)
# alone: no controlled run. sure: one agrees. models: a larger job has a larger model. hidden: no
# row has the software. beside: most of its sizes share a node. weak: the batch grows.
IDENTITY = ("accelerator", "precision", "batch", "model", "sequence_length", "software")
FAMILIES = ("alone", "sure", "models", "hidden", "beside", "weak")


def throughput(k, family):
    """Of a law at which 2.10 a node-hour and 9.00 an hour have their K* at 8."""
    law = (1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)) / k
    return 1000 / law / (k if family == "models" else 1)


def off(number):
    """Of two jobs of one size one is slow, the other quick: of neighbouring sizes not the same."""
    return 1.004 if (number // len(FAMILIES) + number // (len(FAMILIES) * len(SIZES))) % 2 else 0.996


def shown(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


JOBS = [] # (id, family, k, start); those on one and two nodes ran in August first, of which there is no bill
for slot, (repeat, k, family) in enumerate((repeat, k, family) for repeat in range(2) for k in SIZES for family in FAMILIES):
    JOBS.append((str(100 + slot), family, k, datetime(2026, 8, 31, 12, tzinfo=timezone.utc) + timedelta(hours=slot)))

case_page.write_common_reference(INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], *[["c", f"n{n}", f"i-{n}"] for n in range(1, 9)]], INBOX)
case_page.write_input(["reference", "families"], [["family", "maximum_k"], *[[family, "8"] for family in FAMILIES]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"],
                                                      *[[str(n), "job_name", family, family] for n, family in enumerate(FAMILIES, 1)]], INBOX)
case_page.write_input(["bill", "cloud"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "PricingCategory"],
    *[[shown(start), shown(start + timedelta(hours=1)), "2.10", f"i-{n}", "1", "Hours", "Standard"]
      for _, _, k, start in JOBS if start.month == 9 for n in range(1, k + 1)]], INBOX)
case_page.write_input(["jobs", "c"], [["JobID", "JobIDRaw", "Account", "JobName", "Start", "End", "NodeList", "NNodes", "State"],
                                     # the tasks of an array know themselves by their numbers
                                     *[[f"9_{job}" if family == "alone" else job, job, "a", family, shown(start), shown(start + timedelta(hours=1)), f"n[1-{k}]", str(k), "COMPLETED"]
                                       for job, family, k, start in JOBS],
                                     *[[f"{job}0", f"{job}0", "b", "neighbour", shown(start), shown(start + timedelta(hours=1)), "n1", "1", "COMPLETED"]
                                       for job, family, k, start in JOBS if family == "beside" and k > 2]], INBOX)


def night():
    done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(OUT), "--verbose"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stdout + done.stderr
    return done.stderr


def fits():
    done = subprocess.run([KSTAR, "model", "--fits", "--json"], capture_output=True, text=True, check=True)
    return {family["family"]: family for family in json.loads(done.stdout)}


def measured():
    sentence = published.query("SELECT measured FROM kstar.headlines('2026-09-01', ARRAY[''])")[0]["measured"]
    pages = [path for path in OUT.rglob("*.html") if sentence in path.read_text(encoding="utf-8")]
    assert pages, sentence
    return re.findall(r"[0-9.]+(?= %)", sentence)


def seconds(text):
    return int(datetime.fromisoformat(text or "2026-09-01T00:00:00Z").timestamp())


def independent():
    """Mean T by family and K of the series as the independent program has them. It reads no logs:
    each stands for its steady value, and its first line for the job's identity."""
    with (INBOX / "efficiency" / "production.csv").open(encoding="utf-8") as file:
        rows = [SimpleNamespace(**{name: value or None for name, value in row.items()}) for row in csv.DictReader(file)]
    for row in rows:
        row.k, row.at = int(row.k), seconds(row.measured_at)
        if row.log:
            lines = (INBOX / "efficiency" / row.log).read_text().splitlines()
            row.value = lines[-1].rsplit("=", 1)[1]
            logged = json.loads(lines[0]) if lines[0].startswith("{") else dict(pair.split("=", 1) for pair in shlex.split(lines[0]))
            for name in IDENTITY:
                setattr(row, name, getattr(row, name) or logged.get(name))
    attempts = [SimpleNamespace(job_id=job, cluster="c", start=int(start.timestamp()), end=int(start.timestamp()) + 3600, accelerators=None,
                                node_count=k, nodes=[f"n{n}" for n in range(1, k + 1)]) for job, family, k, start in JOBS]
    attempts += [SimpleNamespace(job_id=f"{job.job_id}0", cluster="c", start=job.start, end=job.end, accelerators=None, node_count=1, nodes=["n1"])
                 for job, (_, family, k, _) in zip(list(attempts), JOBS) if family == "beside" and k > 2]
    held = defaultdict(list)
    for job in attempts:
        for node in job.nodes:
            held["c", node].append(job)
    times = defaultdict(list)
    for run in production.series(rows, attempts, held):
        times[run.family, run.origin, run.k].append(float(1 / run.value))
    return {key: sum(values) / len(values) for key, values in times.items()}


def head_of(number, identity):
    """How the log of a job begins: with pairs, or a line of JSON."""
    return json.dumps(identity) if number % 2 else " ".join(f'{name}="{value}"' for name, value in identity.items())


def write_measurements(*more, doubled=(), declared=IDENTITY, heads=head_of):
    """Logs of the jobs on one node, with warm-up; eight samples a job of all others.
    Rows of doubled families say twice the K that the job had. Rows with a log leave empty what is
    not declared."""
    header = "family job_id k metric value accelerator precision batch model sequence_length software measured_at log".split()
    rows = []
    for number, (job, family, k, start) in enumerate(JOBS):
        value = throughput(k, family) * off(number)
        row = {"family": family, "job_id": job, "k": 2 * k if family in doubled else k, "metric": "throughput", "accelerator": "H100", "precision": "bf16",
               "batch": f"{k * 64} samples" if family == "weak" else "512 samples", "model": f"gpt-{k}b" if family == "models" else "gpt-7b",
               "sequence_length": "4096", "software": "" if family == "hidden" else "torch 2.4", "measured_at": shown(start + timedelta(minutes=9))}
        if k == 1 and family != "hidden":
            log = INBOX / "efficiency" / ".logs" / f"{job}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            head = heads(number, {name: row[name] for name in IDENTITY})
            log.write_text(f"{head}\n" + "".join(f"step={step} tokens_per_second={value / 3 if step < 20 else value:.6f}\n" for step in range(100)))
            rows.append({name: value for name, value in row.items() if name in declared or name not in IDENTITY} | {"log": f".logs/{job}.log"})
            continue
        for sample in range(8): # two of warm-up, later an outlier
            rows.append(row | {"value": repr(value * (0.3, 0.5, 0.999, 1, 0.2, 1.001, 1, 1)[sample]), "measured_at": shown(start + timedelta(minutes=9 + sample))})
    with (INBOX / "efficiency" / "production.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header)
        writer.writeheader()
        writer.writerows(rows + list(more))


(INBOX / "efficiency").mkdir()
night()
print("- before: nothing was measured, and no hardware has a verdict")
assert measured() == ["0.0", "0.0", "100.0"], measured()

CONTROLLED = {"family": "sure", "k": 4, "metric": "throughput", "value": repr(1.03 * throughput(4, "sure")), "accelerator": "H100", "precision": "bf16",
              "batch": "512 samples", "model": "gpt-7b", "sequence_length": "4096", "software": "torch 2.4"}
write_measurements(CONTROLLED, declared=())
log = night()
found = fits()
assert "logged_identity" not in log, log
print("- the same work on six sizes is a series, of low confidence while no controlled run agrees")
alone = found["alone"]
assert alone["series"] == "H100, bf16, 512 samples, gpt-7b, 4096, torch 2.4, throughput, in production", alone
assert alone["low_confidence"] and alone["reason"].endswith("; measured in production, and no controlled run agrees yet"), alone
assert alone["law"] in ("usl", "stepped") and abs(alone["serial_fraction"] - 0.03) < 0.003, alone
assert [size["k"] for size in alone["sizes"]] == list(SIZES) and {size["repeats"] for size in alone["sizes"]} == {2}, alone

print("- the independent program finds the same series, each job by the median of its steady part")
expected = independent()
actual = {(family, "confirmed" if family == "sure" else "production", size["k"]): size["measured"]
          for family in ("alone", "sure", "weak") for size in found[family]["sizes"]}
assert expected.keys() == actual.keys(), (expected, actual)
assert all(abs(actual[key] / value - 1) < 1e-6 for key, value in expected.items()), (expected, actual)

UNCONFIRMED = "measured in production, and no controlled run agrees yet; low confidence"
for of_family, is_unconfirmed in (("alone", True), ("sure", False)):
    outputs = [subprocess.run([KSTAR, *command], capture_output=True, text=True, check=True).stdout
               for command in (["advise", of_family], ["advise", of_family, "--k", "2"], ["model", "--fits", "--family", of_family])]
    assert all(("in production" in text and UNCONFIRMED in text) is is_unconfirmed for text in outputs), outputs

print("- a controlled run within 5 % makes it sure")
assert "in production" in found["sure"]["series"] and not found["sure"]["low_confidence"], found["sure"]

print("- a batch that grows with K is weak scaling, and gives no K*")
assert found["weak"]["scaling"] == "weak" and "64 samples x K" in found["weak"]["series"] and found["weak"]["k_star"] is None, found["weak"]

print("- larger jobs with larger models, jobs with a field missing and jobs with a neighbour are no series")
assert sorted(found) == ["alone", "sure", "weak"], sorted(found)
notes = re.findall(r'event=production family="?(\w+)"? .*note="([^"]*)"', log)
assert ("beside", "no series: fewer than three K have two usable jobs in 60 days") in notes and ("alone", "a series: its jobs do the same work") in notes, notes

refused = subprocess.run([KSTAR, "advise", "beside"], capture_output=True, text=True, check=False)
assert refused.returncode == 3 and "no series of it was measured" in refused.stderr and "--verbose says why" in refused.stderr, refused.stderr

print("- after: a sixth of the hardware has a sure verdict, a sixth one of production, the rest none")
assert measured() == ["16.7", "0.0", "16.7", "66.7"], measured()
judged = published.query("SELECT family || ' ' || from_production || ' ' || low_confidence || ' ' || count(*) AS words FROM kstar.job_result "
                         "WHERE verdict <> 'not measured' GROUP BY family, from_production, low_confidence ORDER BY family")
assert [row["words"] for row in judged] == ["alone true true 10", "sure false false 10"], judged

print("- a controlled run that is off leaves no series; controlled sizes go before production")
write_measurements(CONTROLLED | {"value": repr(1.07 * throughput(4, "sure"))},
                   *[CONTROLLED | {"family": "alone", "k": k, "value": repr(throughput(k, "alone"))} for k in (2, 4)])
log = night()
found = fits()
assert 'note="no series: a controlled run at one of its K differs"' in log, log
assert "in production" not in found["sure"]["series"] and "in production" not in found["alone"]["series"], found

print("- rows whose K is not that of the job's record are no series")
write_measurements(doubled=("alone",))
night()
assert sorted(fits()) == ["sure", "weak"], fits()

print("- nor are those of an id that two runs had at the same time")
write_measurements()
night()
assert sorted(fits()) == ["alone", "sure", "weak"], fits()
case_page.write_input(["jobs", "d"], [["JobID", "Account", "JobName", "Start", "End", "NodeList", "NNodes", "State"],
                                     *[[job, "b", "neighbour", shown(start), shown(start + timedelta(hours=1)), f"m[1-{k}]", str(k), "COMPLETED"]
                                       for job, family, k, start in JOBS if family == "alone"]], INBOX)
night()
assert sorted(fits()) == ["sure", "weak"], fits()

print("- a log that lacks a field, contradicts itself or its row is of no series, and a warning says which field")


def sizes_of_sure():
    log = night()
    return [size["k"] for size in fits()["sure"]["sizes"]], re.findall(r'event=logged_identity log="?\S*?" field=(\w+) logged="?(.*?)"? other="?(.*?)"? note="?(the \w+)', log)


write_measurements(declared=())
assert sizes_of_sure() == (list(SIZES), []), sizes_of_sure()
write_measurements(declared=("accelerator",), heads=lambda number, fields: head_of(number, {name: fields[name] for name in IDENTITY if name != "software"}))
assert sizes_of_sure() == (list(SIZES[1:]), [])
write_measurements(declared=(), heads=lambda number, fields: head_of(number, fields) + "\nmodel=gpt-13b\nprecision=BF16")
sizes, differences = sizes_of_sure()
assert sizes == list(SIZES[1:]) and ("model", "gpt-7b", "gpt-13b", "the log") in differences and {row[0] for row in differences} == {"model"}, (sizes, differences)
write_measurements(heads=lambda number, fields: head_of(number, fields | {"precision": "fp8", "software": "Torch 2.4"}))
sizes, differences = sizes_of_sure()
assert sizes == list(SIZES[1:]) and set(differences) == {("precision", "fp8", "bf16", "the row")}, (sizes, differences)
