"""The rate card of the fixtures is what Python works out without kstar: prices from
fixtures/expected, laws by its own fit."""

import csv
import json
import math
import os
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path[:0] = [str(SOURCES / "tests" / "lib"), str(SOURCES / "fixtures" / "expected")]

import workbooks
import fit
import inbox
from company import Company, measured
from saying import check, equals, it, kstar

INBOX, EXPECTED, OUT = SOURCES / "fixtures" / "inbox", SOURCES / "fixtures" / "expected", WORK / "out"
QUARANTINED = 4     # exit code: one line of the fixtures cannot be read
WAITING = 120       # settings.csv of the fixtures: part of f where K* is found, and of no price
CENTS = 1e-5        # prices are worked out from amounts in cents


def near(mine, theirs, what, tolerance=CENTS):
    check(math.isclose(mine, theirs, rel_tol=tolerance), f"{what}: {mine}, worked out {theirs}")


def rows(name):
    with open(EXPECTED / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def prices():
    """p, overhead by node-hours and f in money, by family: from each attempt's own."""
    family_of = {row["attempt"]: row["family"] for row in rows("jobs.csv")}
    wall_of = {row["attempt"]: float(row["wall_hours"]) for row in rows("jobs.csv")}
    held_of = {row["attempt"]: float(row["node_hours"]) for row in rows("jobs.csv")}
    unpriced_of = {row["attempt"]: float(row["unpriced_node_hours"]) for row in rows("jobs.csv")}
    sums = defaultdict(lambda: [0.0] * 6)
    for row in rows("sizes.csv"):
        wall, p = wall_of[row["attempt"]], float(row["price_per_node_hour"])
        fixed = (float(row["fixed_per_wall_hour"]) - WAITING) * wall
        by_node_hours = float(row["overhead_per_node_hour"]) * held_of[row["attempt"]]
        priced = held_of[row["attempt"]] - unpriced_of[row["attempt"]]
        own = sums[family_of[row["attempt"]]]
        own[:] = own[0] + p * priced, own[1] + priced, own[2] + fixed, own[3] + wall, own[4] + by_node_hours, own[5] + held_of[row["attempt"]]
    return {family: (own[0] / own[1] + own[4] / own[5], own[2] / own[3]) for family, own in sums.items()}


def stretch_of(family, k):
    """All of the fixtures' measured families run mostly on demand."""
    for row in rows("interruptions.csv"):
        if row["family"] == family and row["capacity"] == "on demand":
            rate, checkpoint, restart = (float(row[name]) for name in ("rate_per_k_hour", "checkpoint_hours", "restart_hours"))
            return 1 + math.sqrt(2 * checkpoint * k * rate) + k * rate * restart
    return 1


def worked_out():
    """(family, K) -> what stands on the card; family -> its K of least money and K*."""
    month = inbox.read(INBOX)
    declared = {row.family: row for row in inbox.valid_on(month.reference.families, date(2026, 9, 30))}
    fits, price_of, tiers = fit.families(month.measurements, declared), prices(), {}
    bands = {}
    for family in sorted(fits.keys() & price_of.keys()):
        found, limits, (p, f) = fits[family], declared[family], price_of[family]
        allowed = limits.allowed_k or ""
        listed = {int(k) for k in allowed.split()} if allowed[:1].isdigit() else None
        own = {}
        for k in range(max(int(limits.minimum_k), found.sizes[0]), int(limits.maximum_k) + 1):
            if (listed and k not in listed) or (allowed == "powers of two" and k & (k - 1)):
                continue
            time = float(fit.curve_time(found, k)) * stretch_of(family, k)
            own[k] = time, (p * k + f) * time, (p * k + f + WAITING) * time
        k_star = min(own, key=lambda k: (own[k][2], k))
        bands[family] = min(own, key=lambda k: (own[k][1], k)), k_star
        first = float(found.law.t1 * found.law.smallest if found.law else found.mean[found.sizes[0]] * found.sizes[0])
        for k, (time, money, _) in own.items():
            if k > 2 * found.sizes[-1] or not (k == k_star or k & (k - 1) == 0 or listed or k in found.sizes):
                continue
            tiers[family, k] = {
                "basis": "fitted, low confidence" if k > found.sizes[-1] else "measured" if k in found.sizes else "fitted",
                "star": k == k_star, "useful": money / first, "cost": money / own[k_star][1], "hours": time / own[k_star][0],
                "efficiency": first / (k * time / stretch_of(family, k)), "node_hour": p + f / k}
    return tiers, bands


kstar("nightly", INBOX, "--out", OUT, code=QUARANTINED)
expected, bands = worked_out()
book = workbooks.values(OUT / "review-2026-09.xlsx")

it("has a tier for each feasible size that people ask for, and no other")
check({"vision", "llm-pretrain", "diffusion", "world-model"} == {family for family, _ in expected}, "the fixtures lost a family")
sheet = {(row["Family"], row["K"]): row for row in workbooks.table(book, "Rate card", "Cost of the same work")}
check(sheet.keys() == expected.keys(), f"tiers {sorted(sheet.keys() ^ expected.keys())}")
check({row["basis"] for row in expected.values()} == {"measured", "fitted", "fitted, low confidence"}, "a basis is not tested")

it("shows what the same work costs and takes on other node counts, by the law")
grid = list(book["Rate card"].iter_rows(values_only=True))
marks = {(row[1], row[3]) for row in grid if "K*" in row and isinstance(row[3], int)}
check(marks == {key for key, row in expected.items() if row["star"]}, f"K* at {marks}")
for key, row in expected.items():
    shown = sheet[key]
    check(shown["Hours known by"] == row["basis"], f"{key}: {shown['Hours known by']}")
    near(shown["Node-hour with overhead"], row["node_hour"], f"{key} node-hour")
    near(shown["Efficiency E(K)"], row["efficiency"], f"{key} efficiency", 1e-9)
    near(shown["Useful node-hour"], row["useful"], f"{key} useful node-hour")
    near(shown["Cost of the same work"], row["cost"], f"{key} cost")
    near(shown["Hours of the same work"], row["hours"], f"{key} hours")

it("says it in a sentence that claims nothing that is not so")
sentences = {row["No."]: row["In a sentence"] for row in workbooks.table(book, "Rate card", "In a sentence")}
for number, family in enumerate(sorted({family for family, _ in expected}), 1):
    own = {k: row for (name, k), row in expected.items() if name == family}
    star = next(k for k, row in own.items() if row["star"])
    sentence = sentences[number]
    check(f"hour of {family} costs USD {own[star]['useful']:.2f} on {star} nodes" in sentence, sentence)
    check(("where the same work is cheapest" in sentence) == (min(row["cost"] for row in own.values()) > 1 - 1e-9), sentence)
    check(f"waiting counted at USD {WAITING} an hour" in sentence, sentence)
    above = [k for k, row in own.items() if k > star and row["basis"] != "fitted, low confidence"]
    check(sentence.count("times as much") == len(above), sentence)
    for k in above:
        check(f"{own[k]['cost']:.2f} times as much on {k} nodes, in {own[k]['hours']:.2f} of the hours" in sentence, sentence)

it("the curve of a family says what waiting was counted at in its K*, and where K* would lie without")
for family, (least, star) in bands.items():
    heading = [cell for row in book[f"Curve {family}"].iter_rows(max_row=6, values_only=True) for cell in row if cell and "K* " in str(cell)]
    check(len(heading) == 1 and f"least money at K {least}; K* {star} with waiting counted at USD {WAITING} an hour" in heading[0], f"{family}: {heading}")

it("and so do the sheets of verdicts, of teams and of who was flagged again")
for name in ("Verdicts", "By team", "Repeat offenders"):
    notes = [row[0] for row in book[name].iter_rows(values_only=True) if isinstance(row[0], str) and "aiting" in row[0]]
    check(notes == [f"Waiting counted at USD {WAITING} an hour."], f"{name}: {notes}")

it("is printed by kstar model --rate-card, for people and as JSON")
printed = json.loads(kstar("model", "--rate-card", "--json").stdout)
check({(row["family"], row["k"]) for row in printed} == expected.keys(), "tiers printed")
for row in printed:
    near(float(row["relative_cost"]), expected[row["family"], row["k"]]["cost"], f"printed {row}", 1e-4)
    check((row["mark"] == "K*") == expected[row["family"], row["k"]]["star"], f"{row}")
    check(row["waiting_per_hour"] == str(WAITING), f"{row}")
only = kstar("model", "--rate-card", "--family", "vision", "--period", "2026-09").stdout
check("vision" in only and "llm-pretrain" not in only, only)
check("no family speech has a rate card" in kstar("model", "--rate-card", "--family", "speech", code=3).stderr, "speech")
check("--family goes with" in kstar("model", "--family", "vision", code=2).stderr, "--family alone")

it("recalculates to the same figures")
path = OUT / "review-2026-09.xlsx"
found, count = workbooks.differences(path, workbooks.recalculated([path], WORK / "scratch")[0])
check(not found and count > 3 * len(expected), "\n".join(found[:10]))

it("compares nothing with work that costs nothing: of free hours there is a price, and no multiple of it")
company = Company("free")
company.deliver("""
== reference nodes
cluster | node     | resource_id
c       | n[01-08] | i-[01-08]
== reference families
family | maximum_k
model  | 16
== reference family_rules
priority | match    | pattern | family
1        | job_name | *       | model
== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
10 00:00          | 10 01:00        | i-[01-08]  | 1                | Hours        | 0.00
== jobs c
JobID | Account | Start    | End      | NNodes | NodeList
1     | a       | 10 00:00 | 10 01:00 | 8      | n[01-08]
""" + measured("model"))
book = workbooks.values(company.out / "review-2026-09.xlsx")
equals(["A useful node-hour of model costs USD 0.00 on 1 node, where the same work is cheapest; waiting not counted."],
       [row["In a sentence"] for row in workbooks.table(book, "Rate card", "In a sentence")])
equals({(1, None, 1), (2, None, 0.61), (4, None, 0.43), (5, None, 0.4), (8, None, 0.37), (16, None, 0.4)},
       {(row["K"], row["Cost of the same work"], row["Hours of the same work"]) for row in workbooks.table(book, "Rate card", "Cost of the same work")})
print("ok")
