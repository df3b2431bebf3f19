"""What coordination waste consists of, where a step was traced or sampled: the parts are worked out
here from the events of the traces, microsecond by microsecond, and in whole cents."""

import csv
import json
import os
import random
import subprocess
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import workbooks # first: it may run the test again under another Python
import case_page
import published

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
INBOX, OUT, EFFICIENCY = WORK / "inbox", WORK / "out", WORK / "inbox" / "efficiency"
SHEET = "Coordination waste"
PARTS = ("exposed_communication", "idle", "other")
# id, cost centre, family, K, price of a node, E
JOBS = [("1", "a", "llm", 2, "33.37", "0.71"), ("2", "b", "llm", 2, "27.11", "0.64"), ("3", "a", "llm", 2, "19.99", "0.83"),
        ("4", "a", "llm", 4, "12.43", "0.49"), ("5", "b", "vision", 2, "71.07", "0.37"), ("6", "b", "speech", 4, "1.01", "0.77"),
        ("7", "b", "sole", 3, "0.01", "0.67")]
NODES = {}
for job in JOBS:
    NODES[job[0]] = range(1 + sum(map(len, NODES.values())), 1 + sum(map(len, NODES.values())) + job[3])


def night():
    done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(OUT)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stdout + done.stderr


def write_efficiency(*more):
    header = "family job_id k metric value trace exposed_communication idle".split()
    rows = [(family, job, k, "efficiency", efficiency) for job, _, family, k, _, efficiency in JOBS]
    EFFICIENCY.mkdir(exist_ok=True)
    with (EFFICIENCY / "measured.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *[[*row, *[""] * (len(header) - len(row))] for row in (*rows, *more)]])


def trace(name, rank, seed):
    """Writes a rank's step of kernels, collectives, copies and gaps; its microseconds by kind."""
    dice, events = random.Random(seed), []
    for kernel, mark, count in (("gemm", "compute", 9), ("ncclDevKernel_AllReduce", "communication", 7), ("Memcpy HtoD", "memory", 4)):
        for _ in range(count):
            events.append((kernel, mark, dice.randrange(3000), dice.randrange(20, 300)))
    path = EFFICIENCY / "traces" / name / f"rank{rank}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": [
        {"ph": "X", "cat": "kernel", "name": kernel, "ts": at, "dur": long, "args": {"stream": 7, "correlation": n}}
        for n, (kernel, _, at, long) in enumerate(events)]}))
    running = defaultdict(set)
    for _, mark, at, long in events:
        for microsecond in range(at, at + long):
            running[microsecond].add(mark)
    counted = dict.fromkeys(("compute", *PARTS), 0)
    for microsecond in range(min(running), max(running) + 1):
        marks = running.get(microsecond, ())
        counted["idle" if not marks else "compute" if "compute" in marks else "exposed_communication" if "communication" in marks else "other"] += 1
    return counted


def shares(*ranks):
    whole = sum(sum(rank.values()) for rank in ranks)
    return [Fraction(sum(rank[part] for rank in ranks), whole) for part in PARTS]


def divided(cents, weights):
    """By largest remainder."""
    exact = [Fraction(cents) * weight / sum(weights) for weight in weights]
    parts = [int(part) for part in exact]
    for part in sorted(range(len(parts)), key=lambda part: parts[part] - exact[part])[:cents - sum(parts)]:
        parts[part] += 1
    return parts


def expected(weights):
    """(family, K, cost centre): the waste in cents and its parts. Hardware × (1 − E), by hand."""
    waste = defaultdict(int)
    for _, centre, family, k, price, efficiency in JOBS:
        hardware = Fraction(price) * 100 * k
        waste[family, k, centre.upper()] += int(hardware) - round(hardware * Fraction(efficiency))
    return {key: (cents, *divided(cents, weights[key[:2]])) for key, cents in waste.items() if key[:2] in weights}


def stored():
    rows = published.query("SELECT family, k, cost_centre, waste_minor, exposed_communication_minor, idle_minor, other_minor, shares_from "
                           "FROM kstar.family_waste WHERE statement_month = '2026-09-01'")
    return {(row["family"], int(row["k"]), row["cost_centre"]): (*(int(row[name]) for name in ("waste_minor", *(f"{part}_minor" for part in PARTS))),
                                                                row["shares_from"]) for row in rows}


def sheet():
    book = workbooks.values(OUT / "review-2026-09.xlsx")
    if SHEET not in book.sheetnames:
        return None
    rows = [row for row in book[SHEET].iter_rows(values_only=True)]
    header = next(n for n, row in enumerate(rows) if row[0] == "Family")
    return [dict(zip(rows[header], row)) for row in rows[header + 1:] if row[1] is not None]


def sentences():
    """By page: what it says of the waste."""
    found = {}
    for path in OUT.rglob("page-2026-09*.html"):
        sentences_found = [line.split(">", 1)[1].split("</p>")[0] for line in path.read_text(encoding="utf-8").splitlines() if "of coordination waste of family" in line]
        found[path.stem.removeprefix("page-2026-09").lstrip("-")] = sentences_found
    assert len(found) == 3, found
    return found


case_page.write_common_reference(INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], *[["c", f"n{n}", f"i-{n}"] for job in JOBS for n in NODES[job[0]]]], INBOX)
families = sorted({job[2] for job in JOBS})
case_page.write_input(["reference", "families"], [["family", "maximum_k"], *[[family, "8"] for family in families]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"],
                                                      *[[str(n), "job_name", family, family] for n, family in enumerate(families, 1)]], INBOX)
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit"],
                                          *[["8 10:00", "8 11:00", price, f"i-{n}", "1", "Hours"] for job, _, _, _, price, _ in JOBS for n in NODES[job]]], INBOX)
case_page.write_input(["jobs", "c"], [["JobID", "Account", "JobName", "Start", "End", "NodeList", "NNodes"],
                                      *[[job, centre, family, "8 10:00", "8 11:00", ",".join(f"n{n}" for n in NODES[job]), str(k)]
                                        for job, centre, family, k, _, _ in JOBS]], INBOX)

print("- without a trace nothing is divided: no row, no sheet, no sentence")
write_efficiency(("llm", "", 4, "compute_share", "0.5"))
night()
assert stored() == {} and sheet() is None and set(map(tuple, sentences().values())) == {()}, (stored(), sheet(), sentences())

print("- the waste of a traced family and K is divided by the traces' own events, to the cent; samples say that they are")
first, second = shares(trace("job1", 0, 1), trace("job1", 1, 2)), shares(trace("job2", 0, 3))
write_efficiency(("llm", "1", 2, "compute_share", "", "traces/job1/rank*.json"), ("llm", "", 2, "compute_share", "", "traces/job2/rank0.json"),
                 # a trace goes before samples
                 ("llm", "", 2, "compute_share", "0.5", "", "0.0", "0.5"), ("llm", "", 4, "compute_share", "0.55", "", "0.2", "0.15"),
                 ("sole", "", 3, "compute_share", "0.4", "", "0.2", "0.2"),
                 # its rest is nothing, and a K at which no job ran
                 ("speech", "", 4, "compute_share", "1", "", "0", "0"), ("speech", "", 8, "compute_share", "0.5", "", "0.5", "0"))
night()
WEIGHTS = {("llm", 2): [(one + other) / 2 for one, other in zip(first, second)],
           ("llm", 4): [Fraction("0.2"), Fraction("0.15"), Fraction("0.1")], ("sole", 3): [Fraction("0.2")] * 3}
FROM = {("llm", 2): "trace", ("llm", 4): "samples", ("sole", 3): "samples"}
wanted = expected(WEIGHTS)
assert stored() == {key: (*parts, FROM[key[:2]]) for key, parts in wanted.items()}, (stored(), wanted)
assert len(wanted) == 4 and all(all(parts) for key, parts in wanted.items() if key[0] == "llm"), wanted
assert wanted["sole", 3, "B"] == (1, 1, 0, 0), wanted # the cent goes to the first

print("- they are the statement's coordination waste of those jobs")
wrong_rows = published.query("""SELECT count(*) AS wrong FROM kstar.family_waste AS waste
    WHERE waste_minor <> (SELECT sum(coordination_waste_minor) FROM kstar.job_result AS job
                          WHERE job.family = waste.family AND job.k = waste.k AND job.cost_centre = waste.cost_centre)""")
assert wrong_rows[0]["wrong"] == "0", wrong_rows

print("- the review has a row for each family and K, all cost centres together")
together = defaultdict(lambda: [0] * 4)
for (family, k, _), parts in wanted.items():
    together[family, k] = [one + more for one, more in zip(together[family, k], parts)]
rows = sheet()
assert {(row["Family"], row["K"]): [round(row[name] * 100) for name in (SHEET, "Exposed communication", "Idle", "Other")] for row in rows
        if row["Family"] in families} == dict(together), (rows, together)
assert {(row["Family"], row["K"]): row["Shares from"] for row in rows if row["Family"] in families} == FROM, rows

print("- a page says where the largest such waste is, and a cost centre's page only of its own")


def sentence(own):
    (family, k), parts = max(own.items(), key=lambda item: item[1][0])
    share, name = max(zip(parts[1:], ("exposed communication", "idle", "other time without compute")), key=lambda part: part[0])
    return (f"Of the USD {parts[0] / 100:,.2f} of coordination waste of family {family} on {k} nodes, {round(Fraction(100 * share, parts[0]))} % is {name} "
            f"({FROM[family, k]}).")


of_centre = {centre: sentence({key[:2]: parts for key, parts in wanted.items() if key[2] == centre}) for centre in "AB"}
assert sentences() == {"": [sentence(together)], **{centre: [own_sentence] for centre, own_sentence in of_centre.items()}}, (sentences(), sentence(together), of_centre)
assert len({sentence(together), *of_centre.values()}) == 3

print("- shares of a sampled step are refused by column where they are none")
for row, column, words in (
        (("llm", "", 4, "compute_share", "0.55", "", "0.2", ""), "idle", "go together"),
        (("llm", "", 4, "compute_share", "0.55", "", "", "0.2"), "exposed_communication", "go together"),
        (("llm", "", 4, "compute_share", "0.55", "", "0.3", "0.151"), "exposed_communication", "exceeds 1"),
        (("llm", "", 4, "compute_share", "0.55", "", "1.2", "0"), "exposed_communication", ""),
        (("llm", "", 4, "throughput", "0.55", "", "0.2", "0.1"), "exposed_communication", "compute_share alone"),
        (("llm", "", 4, "compute_share", "", "traces/job2/rank0.json", "0.2", "0.1"), "exposed_communication", "compute_share alone"),
        (("llm", "", 4, "compute_share", "0.5", "traces/job2/rank0.json", "0.2", "0.1"), "exposed_communication", "compute_share alone")):
    write_efficiency(row)
    done = subprocess.run([KSTAR, "ingest", "efficiency", str(EFFICIENCY / "measured.csv")], capture_output=True, text=True, check=False)
    assert done.returncode == 3 and f"column {column}" in done.stderr and words in done.stderr, (row, done.stderr)
assert stored() != {}

print("- without them nothing is left")
write_efficiency()
night()
assert stored() == {} and sheet() is None, stored()
