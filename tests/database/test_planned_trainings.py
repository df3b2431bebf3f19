"""Planned trainings: what they cost at K and at K*, worked out here from the law's formula; what is
listed, in which form; refusals."""

import json
import os
import sys
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import workbooks
from company import Company
from forecast_books import by_centre, by_kstar, differing, with_inputs
from published import query
from saying import equals, it, kstar

INBOX, OUT = WORK / "inbox", WORK / "out"
HEADER = ["training", "family", "one_node_hours", "k", "month", "cost_centre", "requested_by", "approved_by"]
P, F, WAITING = 2.10, 9.00, 30


def listed(*arguments):
    lines = [json.loads(line) for line in kstar("budget", "--json", *arguments).stdout.splitlines()]
    return {line["training"]: line for line in lines if line["kind"] == "planned training"}


def plan(*rows):
    case_page.write_csv(INBOX / "reference" / "planned_trainings.csv", [HEADER, *rows])


def hours(work, k, serial=0.03, pairs=0.0015):
    return work * (1 + (k - 1) * serial + pairs * k * (k - 1)) / k


def cost(work, k, wall=F):
    return (P * k + wall) * hours(work, k)


case_page.write_common_reference(INBOX)
case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit"],
                                      *[["smooth", str(k), "run_time", repr(hours(1, k)), "h"] for k in (1, 2, 4, 8, 16, 32)],
                                      *[["boards", str(k), "run_time", str(32 / k), "h"] for k in (8, 16, 32)]], INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id", "accelerators"], *[["c", f"n{n}", f"i-{n}", "0"] for n in range(1, 5)],
                                               ["c", "g1", "i-9", "8"]], INBOX)
case_page.write_input(["reference", "families"], [["family", "unit", "accelerators_per_node"], ["smooth", "", ""], ["boards", "accelerators", "8"],
                                                  ["unknown", "", ""]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"], ["1", "job_account", "a", "smooth"],
                                                      ["2", "job_account", "b", "boards"]], INBOX)
case_page.write_input(["reference", "settings"], [["parameter", "value"], ["planned_training_limit", "5000"],
                                                  ["waiting_cost_per_hour", str(WAITING)]], INBOX)
case_page.write_input(["reference", "pools"], [["pool", "component", "owner", "split", "basis"],
                                              ["control", "fixed_overhead", "P", "proportional", "wall_hours"]], INBOX)
case_page.write_input(["reference", "pool_rules"], [["priority", "match", "pattern", "pool"], ["1", "service_name", "Control", "control"]], INBOX)
case_page.write_input(["bill", "cloud"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "ServiceName"],
    *[["8 00:00", "8 01:00", "2.10", f"i-{n}", "1", "Hours", "Servers"] for n in range(1, 5)],
    ["8 00:00", "8 01:00", "2.40", "i-9", "1", "Hours", "Servers"], ["8 00:00", "8 01:00", "18.00", "", "", "", "Control"],
    ["30 00:00", "10-01 00:00", "0.00", "", "", "", "Servers"]], INBOX)
case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "NNodes", "State", "GPUs"],
                                     ["1", "a", "8 00:00", "8 01:00", "n[1-4]", "4", "COMPLETED", ""],
                                     ["2", "b", "8 00:00", "8 01:00", "g1", "1", "COMPLETED", "8"],
                                     ["9", "a", "12-01 00:00", "12-01 01:00", "n9", "1", "COMPLETED", ""]], INBOX)
plan(["wide", "smooth", "1000", "32", "2026-10", "A", "ruth", ""], ["fits", "smooth", "1000", "8", "2026-10", "A", "ruth", ""],
     ["agreed", "smooth", "2000", "16", "2026-09", "B", "otto", "Ruth Amsel"], ["far", "smooth", "1000", "65", "2026-11", "A", "ruth", ""],
     ["boards", "boards", "1000", "16", "2026-11", "B", "otto", ""], ["small boards", "boards", "1", "4", "2026-11", "B", "otto", ""],
     ["new", "unknown", "1", "2", "2026-11", "B", "otto", ""], ["past", "smooth", "9000", "32", "2026-08", "B", "otto", ""])
summary = kstar("nightly", INBOX, "--out", OUT).stdout

it("lists what costs more than the limit, or nobody knows what, with its cost at K and at K*")
plans = listed()
# fits: 4,173.15; past: before the open month
equals({"wide", "agreed", "far", "boards", "small boards", "new"}, set(plans))
# waiting decides K* and is no money
k_star = min(range(1, 65), key=lambda k: cost(1, k, F + WAITING))
assert k_star > 8, k_star
for name, work, k in (("wide", 1000, 32), ("agreed", 2000, 16), ("far", 1000, 65)):
    equals((k, round(hours(work, k), 2), round(cost(work, k), 2), k_star, round(hours(work, k_star), 2), round(cost(work, k_star), 2), "USD"),
           tuple(plans[name][field] for field in ("k", "hours", "cost", "k_star", "hours_at_k_star", "cost_at_k_star", "currency")))
equals(WAITING, plans["wide"]["waiting_per_hour"])
equals(8139.11, plans["wide"]["cost"])  # (2.10 · 32 + 9) · 1000 · 3.418 / 32
equals(("to be approved", ""), (plans["wide"]["state"], plans["wide"]["remark"]))
equals("approved by Ruth Amsel", plans["agreed"]["state"])
equals("extrapolated: K is beyond twice the largest K measured", plans["far"]["remark"])

it("counts in accelerators where the family does: 1000 hours of a node of 8 are 8000 of an accelerator")
# Nothing is lost up to 32, so the largest K that may be judged, 64, is the cheapest: (0.30 · 16 +
# 9) · 500 and (0.30 · 64 + 9) · 125
equals((500.0, 6900.00, 64, 125.0, 3525.00), tuple(plans["boards"][field] for field in ("hours", "cost", "k_star", "hours_at_k_star", "cost_at_k_star")))
equals("extrapolated: cost still falls at twice the largest K measured, so K* may lie beyond", plans["boards"]["remark"])

it("gives the reason if the figures are unknown")
equals((None, None, "K is below the smallest K measured, or was not measured"),
       tuple(plans["small boards"][field] for field in ("cost", "k_star", "remark")))
equals((None, None, "the family has no usable measurements"), tuple(plans["new"][field] for field in ("cost", "k_star", "remark")))

it("shows a month alone, and a table for people")
equals({"agreed"}, set(listed("--period", "2026-09")))
table = kstar("budget").stdout
assert "planned trainings above the limit" in table and "approved by Ruth Amsel" in table, table
assert "  planned     above the limit or of unknown cost, to be approved: boards, far, new, small boards, wide\n" in summary, summary

it("has them on a sheet of the review, with the same figures and a live saving")
review = OUT / "review-2026-09.xlsx"
for book in (workbooks.Book(review), *workbooks.recalculated([review], WORK / "calc")):
    grid = list(book["Planned trainings"].iter_rows())
    header = next(row for row in grid if row[0] == "Training")
    rows = {row[0]: dict(zip(header, row)) for row in grid[grid.index(header) + 1:]}
    equals(set(plans) | {"Total"}, {name for name in rows if name})
    for name, row in rows.items():
        if name in plans:
            equals((plans[name]["cost"], plans[name]["k_star"], plans[name]["cost_at_k_star"], plans[name]["state"]),
                   (row["Cost at K"], row["K*"], row["Cost at K*"], row["State"]))
        equals(WAITING if name in plans and plans[name]["k_star"] else None, row["Waiting per hour"])
    equals(None, rows["new"]["Saved at K*"])
    equals(round(plans["wide"]["cost"] - plans["wide"]["cost_at_k_star"], 2), round(rows["wide"]["Saved at K*"], 2))

it("books no waiting in a forecast: the same trainings cost there what they cost here, and find the same K*")
TRAININGS = [{"name": name, "cost_centre": "A", "family": "smooth", "month": "2026-11", "ideal_node_hours": 1000, "k": k}
             for name, k in (("wide", 32), ("fits", 8), ("cheapest", "K*"))]


def scenario(name, trainings):
    path = WORK / f"{name}.json"
    path.write_text(json.dumps({"failed_run_factor": 0, "trainings": trainings}), encoding="utf-8")
    return path


def forecast(trainings):
    (answer,) = json.loads(kstar("report", "forecast", scenario("trainings", trainings), "--months", 2, "--json").stdout)["scenarios"]
    return answer


planned = forecast(TRAININGS)
for training, k in zip(planned["trainings"], (32, 8, k_star)):
    equals((training["name"], k, round(100 * cost(1000, k)), k_star, round(100 * cost(1000, k_star))),
           tuple(training[member] if "cost" not in member else round(training[member])
                 for member in ("name", "k", "cost_minor", "k_star", "cost_at_k_star_minor")))
    (overhead,) = [leaf["minor_units"] for leaf in planned["leaves"] if (leaf["training"], leaf["component"]) == (training["name"], "fixed_overhead")]
    equals(round(100 * F * hours(1000, k)), overhead)

it("does so in the formulas of the forecast's workbook, which choose K by what waiting costs, too")
kstar("report", "forecast", WORK / "trainings.json", "--months", 2, "--out", WORK / "books")
CHANGES = {"nothing": {}, "K* for a given K": {"training_k_2": None}, "a deadline": {"training_deadline_3": hours(1000, 20)}}
changed = with_inputs(WORK / "books" / "forecast-trainings.xlsx", CHANGES, ("By cost centre",), WORK / "changed")
for name, trainings in zip(CHANGES, (TRAININGS, [dict(plan, k="K*" if number == 1 else plan["k"]) for number, plan in enumerate(TRAININGS)],
                                     [dict(plan, deadline_hours=hours(1000, 20)) if plan["k"] == "K*" else plan for plan in TRAININGS])):
    equals((name, []), (name, differing(by_centre(changed[name]), by_kstar(forecast(trainings)))))

it("says f with waiting in it at the terminal, where K* is asked for")
fits = {fit["family"]: fit for fit in json.loads(kstar("model", "--fits", "--family", "smooth", "--json").stdout)}
equals((F + WAITING, k_star), (fits["smooth"]["price_per_wall_hour"], fits["smooth"]["k_star"]))
for options, wall in (([], F + WAITING), (["--waiting", "1"], F + 1), (["--fixed", "5"], 5 + WAITING), (["--fixed", "5", "--waiting", "1"], 6),
                      (["--price", "2.1"], F + WAITING)):
    best = min(range(1, 65), key=lambda k: cost(1, k, wall))
    advice = kstar("advise", "--family", "smooth", *options).stdout
    waiting = 1 if "--waiting" in options else WAITING
    assert f" {P:g} an hour of one K, {wall:g} an hour besides, prices of 2026-09, waiting counted at {waiting:g};" in advice, (options, advice)
    assert f"K*         K = {best}: cost {cost(1, best, wall):.6g}," in advice, (options, best, advice)

it("takes no price of a statement in another currency: 300 yen are not 300 dollars")
CURRENCIES = """August in yen with a job of the family, September in dollars without one

== reference settings
parameter          | value | valid_from | valid_to
statement_currency | JPY   |            | 2026-09-01
statement_currency | USD   | 2026-09-01 |

== reference families
family | unit
smooth |

== reference family_rules
priority | match       | pattern | family
1        | job_account | a       | smooth

== reference planned_trainings
training | family | one_node_hours | k | month   | cost_centre | requested_by | approved_by
later    | smooth | 100            | 1 | 2026-10 | A           | ruth         |

== reference nodes
cluster | node | resource_id | accelerators | valid_from
c       | n1   | i-1         | 0            | 2026-08-01

== jobs c
JobID | Account | Start       | End         | NodeList
1     | a       | 08-08 00:00 | 08-08 01:00 | n1
2     | b       | 10-01 00:00 | 10-01 01:00 | n1

== bill cloud 2026-08
ChargePeriodStart | ChargePeriodEnd | BillingCurrency | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
08-08 00:00       | 08-08 01:00     | JPY             | 300        | i-1        | 1                | Hours
08-31 00:00       | 09-01 00:00     | JPY             | 1000       |            |                  |

== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | BillingCurrency | BilledCost | Tags
30 00:00          | 10-01 00:00     | USD             | 50.00      | team=a
"""
LATER = [{"name": "later", "cost_centre": "A", "family": "smooth", "month": "2026-10", "ideal_node_hours": 100, "k": 1}]
company = Company("currencies")
case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit"],
                                       *[["smooth", str(k), "run_time", repr(hours(1, k)), "h"] for k in (1, 2, 4, 8, 16, 32)]], company.inbox)
company.take(CURRENCIES)
company.publish()
equals([("2026-08-01", 300.0), ("2026-09-01", 0.0)], [(row["statement_month"], float(row["price_per_node_hour"] or 0)) for row in query(
    "SELECT statement_month, price_per_node_hour FROM kstar.family_fit ORDER BY statement_month", company.dsn)])
for command in (["report", "forecast", "--scenario", scenario("later", LATER)], ["advise", "--family", "smooth"]):
    assert "no job in a statement gives family smooth prices" in company.kstar(*command, code=3).stderr, command
(planned,) = [json.loads(line) for line in company.kstar("budget", "--json").stdout.splitlines()]
equals((None, "no statement has a priced job of the family"), (planned["cost"], planned["remark"]))

it("lists trainings of months to come where every statement is final")
company.reference("planned_trainings", [HEADER, *([month, "smooth", "100", "1", month, "A", "ruth", ""] for month in ("2026-08", "2026-09", "2026-10"))])
company.publish()
for month in ("2026-08", "2026-09"):
    company.kstar("close", month, "--accept-incomplete", "the cluster was shut down")
equals(["2026-10"], [json.loads(line)["training"] for line in company.kstar("budget", "--json").stdout.splitlines()])

it("reads a new plan at once, and has no sheet where nothing is above the limit")
plan(["fits", "smooth", "1000", "8", "2026-10", "A", "ruth", ""])
kstar("ingest", "reference", INBOX / "reference" / "planned_trainings.csv")
equals({}, listed())
kstar("model")
kstar("report", "review", "--period", "2026-09", "--out", OUT)
assert "Planned trainings" not in workbooks.values(OUT / "review-2026-09.xlsx").sheetnames

it("says of a training that costs more than a statement holds that it does, and goes on")
# On 2,147,483,647 nodes E is all but 0: 1e9 hours cost (2.10 K + 9) · 1e9 · (0.0015 K² …) ÷ K,
# about 7e24.
plan(["typo", "smooth", "1000000000", "2147483647", "2026-10", "A", "ruth", ""])
kstar("nightly", INBOX, "--out", OUT)
equals((None, None, "it would cost more than kstar can hold: are its one_node_hours and k right?"),
       tuple(listed()["typo"][field] for field in ("cost", "k_star", "remark")))

for row, message in ((["x", "smoth", "1", "1", "2026-10", "A", "me", ""], 'line 2, column family: "smoth" is no family of families.csv'),
                     (["x", "smooth", "1", "1", "2026-10", "Z", "me", ""], 'line 2, column cost_centre: "Z" is no cost centre of cost_centres.csv'),
                     (["x", "smooth", "0", "1", "2026-10", "A", "me", ""], 'line 2, column one_node_hours: "0" is not above 0'),
                     (["x", "smooth", "1e30", "1", "2026-10", "A", "me", ""], 'line 2, column one_node_hours: "1e30" is above 1,000,000,000 hours'),
                     (["x", "smooth", "1", "0", "2026-10", "A", "me", ""], 'line 2, column k: "0" is below 1'),
                     (["x", "smooth", "1", "1", "10/2026", "A", "me", ""], 'line 2, column month: "10/2026" is not a month (YYYY-MM)'),
                     (["x", "smooth", "1", "1", "2026-10", "A", "", ""], "line 2, column requested_by: is empty but is required")):
    it(f"refuses: {message}")
    plan(row)
    assert f"planned_trainings.csv, {message}" in kstar("ingest", "reference", INBOX / "reference", code=3).stderr
