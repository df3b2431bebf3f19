"""kstar report forecast on the fixtures: price changes by provider, SKU, purchase and currency
apply to the hardware bought so, nodes on no bill keep their price, and everyone at K* saves
what moving each job to its K* saves."""

import json
import os
import subprocess
from collections import defaultdict
from datetime import date
from decimal import Decimal
from pathlib import Path
import sys

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from company import Company
from extent import tried
from forecast_books import by_centre, by_kstar, differing, with_inputs
from publish import Publish
from saying import equals, it, sql

HARDWARE = ("useful_compute", "coordination_waste", "unmeasured_hardware")


def forecast(*scenarios, dsn=()):
    options = [part for scenario in scenarios for part in ("--scenario", scenario)]
    done = subprocess.run([KSTAR, "report", "forecast", *map(str, options), "--months", "2", "--json", *dsn], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["scenarios"]


def scenario(name, **members):
    path = WORK / f"{name}.json"
    path.write_text(json.dumps(members), encoding="utf-8")
    return path


def hardware(answer, month):
    """By cost centre and family, minor units."""
    sums = defaultdict(int)
    for leaf in answer["leaves"]:
        if leaf["month"] == month and leaf["component"] in HARDWARE:
            sums[leaf["cost_centre"], leaf["family"]] += leaf["minor_units"]
    return sums


Publish(SOURCES / "fixtures" / "inbox")()

# Every class charge that is hardware of productive attempts, one by one: who, how it was bought,
# what it cost.
PARTS = [line.split("|") for line in sql("""
    SELECT coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)'), coalesce(provider_name, invoice.source),
           coalesce(sku_id, ''),
           (SELECT coalesce(commitment_discount_id, capacity_reservation_id, '') FROM commitment WHERE commitment.commitment_key = class_charge.commitment_key),
           coalesce(pricing_category, ''), statement_invoice.billing_currency,
           class_charge.effective_cost * exchange_rate
    FROM class_charge, statement_invoice, charge_kind, invoice
    WHERE outcome = 'productive' AND charge_part = 'hardware' AND target = 'job'
      AND statement_invoice.invoice_key = class_charge.invoice_key AND invoice.invoice_key = class_charge.invoice_key
      AND charge_kind.charge_kind_key = class_charge.charge_kind_key""").split("\n")]
assert len(PARTS) > 20, len(PARTS)
OWN = defaultdict(Decimal, {(centre, family): Decimal(cost) for centre, family, cost in (line.split("|") for line in sql("""
    SELECT coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)'), sum(minor_units) / 100
    FROM job_result JOIN statement_row USING (statement_month, attempt_id, cost_centre)
    WHERE outcome = 'productive' AND block = 'internal' AND component IN ('useful_compute', 'coordination_waste', 'unmeasured_hardware')
    GROUP BY 1, 2""").split("\n"))})
assert any(OWN.values()), OWN


def purchase_of(part):
    return "committed" if part[4] or part[5] == "Committed" else "spot" if part[5] == "Dynamic" else "on demand"


def expected_factor(changes):
    """change(part) of each charge, by cell, weighted with its cost; nodes on no bill stay as they
    are."""
    before, after = OWN.copy(), OWN.copy()
    for part in PARTS:
        cost = Decimal(part[7])
        before[part[0], part[1]] += cost
        after[part[0], part[1]] += cost * (1 + Decimal(str(changes(part))))
    return {cell: float(after[cell] / before[cell]) for cell in before if before[cell]}


(base,) = forecast("base")
FIRST, SECOND = (row["month"] + "-01" for row in base["months"])
provider, sku, currency = (sorted({part[column] for part in PARTS if part[column]})[0] for column in (2, 3, 6))

CHANGED = (
    ("purchase", {"purchase": "spot", "change": 1}, lambda part: purchase_of(part) == "spot"),
    ("on-demand", {"purchase": "on demand", "change": 0.3}, lambda part: purchase_of(part) == "on demand"),
    ("provider", {"provider": provider, "change": 0.5}, lambda part: part[2] == provider),
    ("sku", {"sku": sku, "change": -0.25}, lambda part: part[3] == sku),
    ("currency", {"currency": currency, "change": 0.1}, lambda part: part[6] == currency))
at_k_star, half_spot, slips, later, *of_prices = forecast(
    "k-star", scenario("half-spot", spot={"share": 0.5, "price_fraction": 0.4}),
    scenario("slips", prices=[{"provider": provider, "change": 0.1}, {"provider": "nobody", "sku": sku, "change": 0.1}, {"currency": "XXX", "change": 0.1}]),
    scenario("later", prices=[{"provider": provider, "change": 0.5, "from": SECOND[:7]}]), *(scenario(name, prices=[change]) for name, change, _ in CHANGED))
for (name, change, applies), answer in zip(CHANGED, of_prices):
    it(f"changes prices by {name}: {change}")
    assert any(map(applies, PARTS)) , name
    factors = expected_factor(lambda part: change["change"] if applies(part) else 0)
    for cell, minor in hardware(base, FIRST).items():
        if cell in factors:
            assert abs(hardware(answer, FIRST)[cell] - minor * factors[cell]) < 1e-6 * abs(minor) + 3, (cell, minor, factors[cell])

it("moves to spot only what was bought otherwise: half of it at 0.4 of its price")
assert {purchase_of(part) for part in PARTS} >= {"spot", "on demand"}
moved, unmoved = defaultdict(Decimal, OWN), OWN.copy()
for part in PARTS:
    unmoved[part[0], part[1]] += Decimal(part[7])
    moved[part[0], part[1]] += Decimal(part[7]) * (1 if purchase_of(part) == "spot" else Decimal("0.7"))
for cell, cost in OWN.items():  # own nodes were bought of nobody, and so not on spot
    moved[cell] -= cost * Decimal("0.3")
shares = {cell: float(moved[cell] / unmoved[cell]) for cell in unmoved if unmoved[cell]}
assert min(shares.values()) < 0.7 + 1e-9 and max(shares.values()) > 0.7 + 1e-3, shares
for cell, minor in hardware(base, FIRST).items():
    if cell in shares:
        assert abs(hardware(half_spot, FIRST)[cell] - minor * shares[cell]) < 1e-6 * abs(minor) + 3, (cell, minor, shares[cell])

it("says of a price that nothing was bought at that it changes nothing")
equals(["prices[1] (provider nobody, sku " + sku + ") matches nothing that the jobs of the history were run on",
        "prices[2] (currency XXX) matches nothing that the jobs of the history were run on"], [note for note in slips["notes"] if "[" in note])

it("changes them from the month on that it says")
at_once = of_prices[[name for name, _, _ in CHANGED].index("provider")]
equals(hardware(base, FIRST), hardware(later, FIRST))
equals(hardware(at_once, SECOND), hardware(later, SECOND))

it("goes on with what the statement says, to the cent")
charged = int(sql("SELECT sum(minor_units) FROM statement_row WHERE block = 'invoice' AND line_type IN ('charge', 'unallocated')"))
internal = int(sql("SELECT sum(minor_units) FROM statement_row WHERE block = 'internal' AND attempt_id IS NOT NULL"))
assert abs(base["months"][0]["cost_minor"] - charged - internal) <= len(base["leaves"]), (base["months"][0]["cost_minor"], charged, internal)

it("saves at K* what each job would save, hardware and fixed overhead together")
ratios = [line.split("|") for line in sql("""
    SELECT cost_centre, family, useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor, cost_ratio, hours_ratio,
           k_star::double precision / k
    FROM job_result WHERE outcome = 'productive' AND family IS NOT NULL AND cost_centre IS NOT NULL""").split("\n")]
after = defaultdict(float)
before = defaultdict(float)
for centre, family, minor, cost_ratio, hours_ratio, nodes in ratios:
    before[centre, family] += int(minor)
    after[centre, family] += int(minor) * (float(hours_ratio) * float(nodes) if hours_ratio and nodes else 1)
moved = 0
for cell, minor in hardware(base, FIRST).items():
    if before.get(cell):
        expected = minor * after[cell] / before[cell]
        moved += abs(expected - minor) > 0.01 * minor
        assert abs(hardware(at_k_star, FIRST)[cell] - expected) < 0.05 * minor, (cell, minor, expected, hardware(at_k_star, FIRST)[cell])
assert moved > 0

OWN_NODES = """A job on a node of the cloud, one on a node that is on no bill, 5 hours at 20.00; a line of nothing ends the month

== reference nodes
cluster | node | resource_id | node_type | accelerators
c       | n1   | i-1         | new       | 8
c       | own1 | rack-own1   | old       | 8

== reference node_rates
cluster | node_type | amount_per_node_hour | currency | owner
c       | old       | 20.00                | USD      | P

== jobs c
JobID | Account | Start       | End         | NodeList | GPUs
1     | a       | 8 00:00     | 8 10:00     | n1       | 8
2     | a       | 8 00:00     | 8 05:00     | own1     | 8
3     | b       | 10-01 00:00 | 10-01 01:00 | n1       | 8

== bill cloud
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
8 00:00           | 8 10:00         | 100        | i-1        | 10               | Hours
30 00:00          | 10-01 00:00     | 0          |            |                  |
"""
company = Company("own")
company.take(OWN_NODES)
company.publish()
of_cloud, all_of_it = {"provider": "cloud", "change": 0.5}, {"change": 0.5}
company.kstar("report", "forecast", "--scenario", scenario("own", prices=[]), "--months", "2", "--out", WORK / "own")

it("shows the same in a workbook whose inputs are changed: prices by purchase, provider, SKU, currency and month; node counts; spot")
TRAININGS = [{"name": family, "cost_centre": "CC-210", "family": family, "month": SECOND[:7], "ideal_node_hours": 3000, "spot": family == "vision"}
             for family in sql("SELECT DISTINCT family FROM family_fit ORDER BY family").split("\n")]
with_trainings = scenario("with-trainings", trainings=TRAININGS)
subprocess.run([KSTAR, "report", "forecast", with_trainings, "--months", "2", "--out", WORK / "books"], capture_output=True, check=True)
SPOT = {"share": 0.5, "price_fraction": 0.4, "preemptions_per_node_hour": 0.02, "checkpoint_hours": 0.1, "restart_hours": 0.3}
CHANGES = {
    "nothing": ({}, {}),
    "spot price": ({"price_change_1": 1, "price_purchase_1": "spot"}, {"prices": [{"purchase": "spot", "change": 1}]}),
    "two": ({"price_change_1": 0.3, "price_purchase_1": "on demand", "price_change_2": 0.5, "price_provider_2": provider, "price_from_2": date.fromisoformat(SECOND)},
            {"prices": [{"purchase": "on demand", "change": 0.3}, {"provider": provider, "change": 0.5, "from": SECOND[:7]}]}),
    "sku": ({"price_change_1": -0.25, "price_sku_1": sku}, {"prices": [{"sku": sku, "change": -0.25}]}),
    "a provider for nothing": ({"price_change_1": -1, "price_provider_1": provider}, {"prices": [{"provider": provider, "change": -1}]}),
    "another case": ({"price_change_1": -0.25, "price_sku_1": sku.swapcase()}, {"prices": [{"sku": sku.swapcase(), "change": -0.25}]}),
    "currency": ({"price_change_3": 0.1, "price_currency_3": currency}, {"prices": [{"currency": currency, "change": 0.1}]}),
    "K*": ({"node_policy": "K*"}, {"node_policy": "K*"}),
    "cap": ({"node_policy": "cap", "node_cap": 6}, {"node_policy": "cap", "node_cap": 6}),
    "powers of two": ({"node_policy": "powers of two"}, {"node_policy": "powers of two"}),
    "spot": ({"spot_share": 0.7, "spot_price_fraction": 0.4}, {"spot": {"share": 0.7, "price_fraction": 0.4}}),
    "spot and K*": ({"node_policy": "K*", "spot_share": 0.5, "spot_price_fraction": 0.4, "spot_preemptions": 0.02, "spot_checkpoint_hours": 0.1, "spot_restart_hours": 0.3},
                    {"node_policy": "K*", "spot": SPOT}),
}
EVERY_DAY = ("nothing", "spot price", "two", "a provider for nothing", "another case", "currency", "spot and K*")
CHANGES = tried({name: CHANGES[name] for name in EVERY_DAY}, CHANGES)
SHEETS = ("By cost centre",)
changed = with_inputs(WORK / "books" / "forecast-with-trainings.xlsx", {name: cells for name, (cells, _) in CHANGES.items()}, SHEETS, WORK / "changed")
(own,) = with_inputs(WORK / "own" / "forecast-own.xlsx", {"cloud": {"price_change_1": 0.5, "price_provider_1": "cloud"}}, SHEETS, WORK / "own-changed").values()
theirs = forecast(*(scenario(f"typed-{number}", trainings=TRAININGS, **members) for number, (_, members) in enumerate(CHANGES.values())))
for name, answer in zip(CHANGES, theirs):
    equals((name, []), (name, differing(by_centre(changed[name]), by_kstar(answer))))
    assert (by_kstar(answer) != by_kstar(theirs[0])) == (name not in ("nothing", "another case")), name

it("leaves alone what stands on nodes of one's own: 100.00 of a provider half dearer and 100.00 on no bill are 250.00")
OWN_CHANGES = (([], 20000), ([of_cloud], 25000), ([all_of_it], 30000), ([of_cloud, all_of_it], 100 * (150 + 225)))
by_changes = forecast(*(scenario(f"own-{number}", prices=changes) for number, (changes, _) in enumerate(OWN_CHANGES)), dsn=("--dsn", company.dsn))
for (changes, dearer), answer in zip(OWN_CHANGES, by_changes):
    equals((changes, dearer), (changes, answer["months"][0]["cost_minor"]))
equals([], differing(by_centre(own), by_kstar(by_changes[1])))
