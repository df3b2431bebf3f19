"""Committed and owned hardware is paid until its end, whatever a scenario does: three months that
are alike, each amount worked by hand.

A month's hardware, 24 hours of each node: `mixed` (cost centre A) runs on eight reserved and two
on-demand nodes of the SKU big at 1.00, and fails once on a ninth reserved one; `free` (B) on five
on-demand nodes of the SKU small at 1.00; `owned` (B) on a node of one's own at 1.00."""

import json
import os
import sys
from datetime import datetime
from pathlib import Path

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import workbooks
from company import Company
from extent import tried
from forecast_books import by_centre, by_kstar, differing, lever_label, with_inputs
from saying import equals, it

MONTHS = {7: ("07-31 00:00", "08-01 00:00"), 8: ("08-31 00:00", "09-01 00:00"), 9: ("09-30 00:00", "10-01 00:00")}
BIG, OWN = ("cloud", "big"), (None, None)
# five nodes and four
COMMITMENT = {**{node: "ri-1" for node in range(1, 6)}, **{node: "ri-2" for node in (6, 7, 8, 20)}}


def law(k):
    return (1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)) / k


def company(name, reserved=True):
    """The same bill, with reservations or all on demand."""
    made = Company(name)
    made.reference("nodes", [["cluster", "node", "resource_id", "node_type"], *[["c", f"n{node}", f"i-{node}", ""] for node in range(1, 60)],
                             ["c", "n90", "rack-90", "old"]])
    made.reference("node_rates", [["cluster", "node_type", "amount_per_node_hour", "currency", "owner"], ["c", "old", "1.00", "USD", "P"]])
    made.reference("families", [["family"], ["mixed"], ["free"], ["owned"]])
    made.reference("family_rules", [["priority", "match", "pattern", "family"], *[[str(number), "job_name", name, name]
                                                                                   for number, name in enumerate(("mixed", "free", "owned"), 1)]])
    case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit", "scaling"],
                                           *[[name, str(k), "run_time", repr(law(k)), "h", "strong"] for name in ("mixed", "free") for k in (1, 2, 4, 8, 16, 32)]],
                          made.inbox)
    jobs = [["JobID", "JobName", "Account", "Start", "End", "NodeList", "NNodes", "State"]]
    for month, last in MONTHS.items():
        start, end = f"{month:02}-08 00:00", f"{month:02}-09 00:00"
        lines = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "SkuId",
                  "PricingCategory", "CommitmentDiscountId", "CommitmentDiscountStatus"]]
        for node in (*range(1, 11), *range(11, 16), 20):
            commitment = COMMITMENT.get(node, "") if reserved else ""
            lines.append([start, end, "24.00", f"i-{node}", "24", "Hours", "small" if 11 <= node <= 15 else "big",
                          "Committed" if commitment else "Standard", commitment, "Used" if commitment else ""])
        lines.append([*last, "0", "", "", "", "", "Standard", "", ""])  # the month is a whole one
        case_page.write_input(["bill", "cloud", f"2026-{month:02}"], lines, made.inbox)
        for family, account, nodes, count, state in (("mixed", "a", "n[1-10]", 10, "COMPLETED"), ("mixed", "a", "n20", 1, "FAILED"),
                                                     ("free", "b", "n[11-15]", 5, "COMPLETED"), ("owned", "b", "n90", 1, "COMPLETED")):
            jobs.append([str(len(jobs)), family, account, start, end, nodes, str(count), state])
    jobs.append(["999", "later", "b", "10-01 01:00", "10-01 02:00", "n59", "1", "COMPLETED"])
    case_page.write_input(["jobs", "c"], jobs, made.inbox)
    made.publish()
    return made


def scenario(name, members):
    path = WORK / f"{name}.json"
    path.write_text(json.dumps(members), encoding="utf-8")
    return path


def forecasts(of, months, *scenarios):
    paths = [scenario(f"asked-{number}", members) for number, members in enumerate(scenarios)]
    return json.loads(of.kstar("report", "forecast", *paths, "--months", months, "--json").stdout)["scenarios"]


def forecast(of, months=1, **members):
    (answer,) = forecasts(of, months, members)
    return answer


def cost(answer, month=0):
    return answer["months"][month]["cost_minor"]


def freed(answer, month=0):
    """Minor units by provider and SKU."""
    day = answer["months"][month]["month"] + "-01"
    return {(row["provider"], row["sku"]): row["freed_minor"] for row in answer["committed_and_owned"] if row["month"] == day}


here = company("reserved")
base, given_back, tenth, spot, reserve, no_work, at_two, without_failures, more_work = forecasts(
    here, 1, {}, {"elastic_saving": 0.9}, {"elastic_saving": 0.1}, {"spot": {"share": 0.5, "price_fraction": 0.3}}, {"elastic_saving": 0.9, "contingency": 0.1},
    {"growth": [{"monthly": -1}]}, {"node_policy": "cap", "node_cap": 2}, {"failed_run_factor": 0}, {"growth": [{"monthly": 0.5}]})

it("goes on as the bills are: 240.00 and a tenth of it failed, 120.00, 24.00; nothing is freed")
equals(40800, cost(base))
equals({BIG: 0, OWN: 0}, freed(base))

it("saves of nodes given back what is on demand: nine tenths of 408.00 would be 367.20, and 240.00 are reserved and owned")
# big: 264.00, of which 216.00 are reserved; 26.40 would be left. One's own: 24.00, and 2.40 would
# be left
equals(21600 + 1200 + 2400, cost(given_back))
equals({BIG: 21600 - 2640, OWN: 2400 - 240}, freed(given_back))
equals(18960 + 2160, given_back["months"][0]["components"]["freed_capacity"])

it("counts what a lever saves, what it frees, and together what it would save if nothing were reserved")
equals((-(4800 + 10800), 18960 + 2160), (given_back["bridge"]["elastic_saving_minor"], given_back["bridge_freed"]["elastic_saving_minor"]))
equals({"elastic_saving_minor"}, {lever for lever, minor in given_back["bridge_freed"].items() if minor})

it("says it to who reads the terminal: the saving, what is freed beside it, and of which hardware")
shown = here.kstar("report", "forecast", scenario("asked", {"elastic_saving": 0.9}), "--months", 1).stdout
assert "nodes given back early            -156.00           211.20\n" in shown, shown
assert "freed capacity, paid and without work, all months\n  cloud big                 " in shown and "own nodes" in shown, shown

it("takes on demand first: a tenth given back of 264.00 is on demand, and one's own nodes are paid")
equals({BIG: 0, OWN: 240}, freed(tenth))
equals(40800 - 2640 - 1200, cost(tenth))

it("buys spot beside what is reserved: half of 264.00 on spot at 0.3, and of the other half 216.00 are paid")
equals({BIG: 21600 - 13200, OWN: 1200}, freed(spot))
equals(21600 + 3960 + 6000 + 1800 + 2400 + 360, cost(spot))

it("frees by less work, smaller node counts and fewer failures, as by anything that takes hardware away")
equals((21600 + 2400, {BIG: 21600, OWN: 2400}), (cost(no_work), freed(no_work)))
of_ten = law(2) * 2 / (law(10) * 10)  # node-hours of the same work on two nodes
assert 26400 * of_ten < 21600, of_ten
assert abs(freed(at_two)[BIG] - (21600 - 26400 * of_ten)) < 1 and freed(at_two)[OWN] == 0, (freed(at_two), of_ten)
# 24.00, which are on demand then
equals((40800 - 2400, {BIG: 0, OWN: 0}), (cost(without_failures), freed(without_failures)))
equals({BIG: 0, OWN: 0}, freed(more_work))

it("keeps what was agreed when prices fall, but follows a currency, and a price that names what was bought")
PRICED = (
    ({"prices": [{"change": -0.5}]}, {BIG: 21600 - 13200, OWN: 1200}),
    ({"prices": [{"currency": "USD", "change": -0.5}]}, {BIG: 0, OWN: 0}),
    ({"prices": [{"purchase": "committed", "change": -0.5}]}, {BIG: 0, OWN: 0}),
    ({"prices": [{"purchase": "on demand", "change": -1}]}, {BIG: 0, OWN: 0}),
    ({"prices": [{"currency": "USD", "change": -0.5}], "elastic_saving": 0.9}, {BIG: 10800 - 1320, OWN: 2400 - 240}),
)
for (members, expected), answer in zip(PRICED, forecasts(here, 1, *(members for members, _ in PRICED))):
    equals((members, expected), (members, freed(answer)))

it("adds the contingency to what is freed as to all else")
assert abs(cost(reserve) - 1.1 * cost(given_back)) <= 5, cost(reserve)
equals((18960 + 2160, 1896 + 216), (reserve["bridge_freed"]["elastic_saving_minor"], reserve["bridge_freed"]["contingency_minor"]))

it("names the commitments without a recorded end if a lever frees some of them")
ENDLESS = "commitments whose end commitments.csv does not have are paid in all months: ri-1, ri-2"
equals([ENDLESS, "own nodes are paid in all months"], [note for note in given_back["notes"] if "paid in all months" in note])
equals(["own nodes are paid in all months"], [note for note in tenth["notes"] if "paid in all months" in note])
equals([], [note for note in base["notes"] if "paid in all months" in note])



def declare_ends(*rows):
    here.reference("commitments", [["commitment", "provider", "sku", "ends_on"], *rows])
    here.kstar("ingest", "reference", here.inbox / "reference" / "commitments.csv")


it("goes by the row that says most: the commitment's, then the SKU's, then the provider's; one's own nodes have a row of their own")
declare_ends(["", "cloud", "", "2026-10-01"], ["", "", "big", "2026-11-01"], ["ri-1", "", "", "2026-11-16"], ["", "own nodes", "", "2026-12-01"],
             ["", "", "small", "2026-10-01"], ["ri-2", "elsewhere", "", "2026-10-01"])
answer = forecast(here, months=4, elastic_saving=0.9)
equals([(21600 - 2640, 2400 - 240), (6000 - 2640, 2400 - 240), (0, 0), (0, 0)], [(freed(answer, month)[BIG], freed(answer, month)[OWN]) for month in range(4)])
equals([], [note for note in answer["notes"] if "paid in all months" in note])

it("pays a commitment until its end: ri-1, 120.00 a month, to the middle of November")
declare_ends(["ri-1", "", "", "2026-11-16"], ["ri-of-others", "", "", "2026-10-01"])
answer, goes_on = forecasts(here, 4, {"elastic_saving": 0.9}, {})
equals([21600 - 2640, 6000 + 9600 - 2640, 9600 - 2640, 9600 - 2640], [freed(answer, month)[BIG] for month in range(4)])
equals([2400 - 240] * 4, [freed(answer, month)[OWN] for month in range(4)])
equals([ENDLESS.replace(" ri-1,", ""), "own nodes are paid in all months"], [note for note in answer["notes"] if "paid in all months" in note])
equals([40800] * 4, [row["cost_minor"] for row in goes_on["months"]])

it("frees nothing of a bill without commitments, and what was saved and freed of the other is what this one saves")
elsewhere = company("on-demand", reserved=False)
LEVERS = {
    "given back": {"elastic_saving": 0.9}, "spot": {"spot": {"share": 0.7, "price_fraction": 0.3}}, "K*": {"node_policy": "K*"},
    "less work": {"growth": [{"monthly": -0.4}]}, "cheaper": {"prices": [{"change": -0.3}]}, "no failures": {"failed_run_factor": 0},
    "several": {"elastic_saving": 0.3, "node_policy": "cap", "node_cap": 4, "spot": {"share": 0.4, "price_fraction": 0.35}, "growth": [{"monthly": -0.1}],
                "commitment": {"coverage": 0.5, "discount": 0.4}, "contingency": 0.05},
}
for name, mine, theirs in zip(LEVERS, *(forecasts(of, 2, *LEVERS.values()) for of in (here, elsewhere))):
    for lever, minor in theirs["bridge"].items():
        owned = theirs["bridge_freed"].get(lever, 0)  # one's own node is the same in both
        assert abs(minor - owned - (mine["bridge"][lever] - mine["bridge_freed"].get(lever, 0))) <= (30 if lever == "rounding_minor" else 2), (name, lever)
    equals({OWN}, set(freed(theirs)))
    for row in mine["committed_and_owned"]:
        assert row["left_minor"] + row["freed_minor"] >= row["floor_minor"] - 1, (name, row)

it("shows the same in a workbook, as it is and with other inputs, to the cent")
CHANGES = {
    "nothing": ({}, {}),
    "given back": ({"elastic_saving": 0.9}, {"elastic_saving": 0.9}),
    "spot": ({"spot_share": 0.7, "spot_price_fraction": 0.3, "spot_preemptions": 0.01, "spot_restart_hours": 0.05},
             {"spot": {"share": 0.7, "price_fraction": 0.3, "preemptions_per_node_hour": 0.01, "restart_hours": 0.05}}),
    "K*": ({"node_policy": "K*"}, {"node_policy": "K*"}),
    "less work": ({"growth_all": -0.4, "contingency": 0.07}, {"growth": [{"monthly": -0.4}], "contingency": 0.07}),
    "cheaper": ({"price_change_1": -0.5}, {"prices": [{"change": -0.5}]}),
    "currency": ({"price_change_1": -0.5, "price_currency_1": "USD", "elastic_saving": 0.5},
                 {"prices": [{"currency": "USD", "change": -0.5}], "elastic_saving": 0.5}),
    "committed from December": ({"price_change_1": -0.5, "price_purchase_1": "committed", "price_from_1": datetime(2026, 12, 1), "elastic_saving": 0.9},
                                {"prices": [{"purchase": "committed", "change": -0.5, "from": "2026-12"}], "elastic_saving": 0.9}),
    "several": ({"elastic_saving": 0.3, "node_policy": "cap", "node_cap": 4, "spot_share": 0.4, "spot_price_fraction": 0.35, "growth_all": -0.1,
                 "commitment_coverage": 0.5, "commitment_discount": 0.4, "contingency": 0.05, "failed_run_factor": 0.02},
                {**LEVERS["several"], "failed_run_factor": 0.02}),
}
EVERY_DAY = ("nothing", "given back", "spot", "less work", "currency", "committed from December", "several")
CHANGES = tried({name: CHANGES[name] for name in EVERY_DAY}, CHANGES)
MANY = 4
here.kstar("report", "forecast", scenario("book", {}), scenario("several", LEVERS["several"]), "--months", MANY, "--out", WORK / "books")
written = sorted((WORK / "books").glob("*.xlsx"))
changed = with_inputs(WORK / "books" / "forecast-book.xlsx", {name: cells for name, (cells, _) in CHANGES.items()}, ("By cost centre", "Freed capacity"),
                      WORK / "changed")
for path, other in zip(written, workbooks.recalculated(written, WORK / "office")):
    found, count = workbooks.differences(path, other)
    assert not found and count > 200, (path.name, count, found[:10])
*answers, several = forecasts(here, MANY, *(members for _, members in CHANGES.values()), LEVERS["several"])
for (name, book), answer in zip(changed.items(), answers):
    equals((name, []), (name, differing(by_centre(book), by_kstar(answer))))
    rows = workbooks.table(book, "Freed capacity", "Before rounding")
    equals((name, sum(row["freed_minor"] for row in answer["committed_and_owned"])), (name, sum(round(row["Freed capacity"] * 100) for row in rows)))
steps = {row["Lever"]: row for row in workbooks.table(workbooks.Book(WORK / "books" / "forecast-several.xlsx"), "Bridge", "Lever")}
for lever, minor in several["bridge_freed"].items():
    label = lever_label(lever, steps)
    equals((label, minor), (label, round((steps.get(label, {}).get("Freed capacity") or 0) * 100)))
assert sum(several["bridge_freed"].values()) > 0, several["bridge_freed"]
