"""Levers of a scenario on hardware whose bill says how it was bought, and what trainings of
families without a sound law are named: three months that are alike, each amount worked by hand."""

import json
import os
import sys
from pathlib import Path

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
from forecast_books import by_centre, by_kstar, differing, with_inputs
from publish import Publish
from saying import equals, it, kstar

HARDWARE = ("useful_compute", "coordination_waste", "unmeasured_hardware")
FIRST = "2026-10-01"
INBOX = WORK / "inbox"


def law(k, serial=0.03, pairs=0.0015):
    return (1 + (k - 1) * serial + pairs * k * (k - 1)) / k


# A day a month on so many nodes: cost centre, first node, nodes, price of a node-hour, how it was
# bought, in which months.
EVERY = (7, 8, 9)
RUNS = [
    ("spotty", "b", 1, 1, "0.63", "Dynamic", EVERY), ("demand", "b", 2, 1, "2.10", "Standard", EVERY),
    ("torn", "b", 6, 1, "2.10", "Standard", EVERY), ("weak", "b", 7, 1, "2.10", "Standard", EVERY),
    ("gone", "b", 8, 2, "10.00", "Standard", (7, 8)), ("owned", "b", 90, 1, None, None, EVERY),
    ("big", "b", 10, 16, "2.10", "Standard", EVERY), ("unknown", "a", 26, 5, "2.10", "Standard", EVERY),
    ("mixed", "a", 3, 1, "0.63", "Dynamic", EVERY), ("mixed", "b", 4, 1, "0.63", "Dynamic", EVERY), ("mixed", "b", 5, 1, "2.10", "Standard", EVERY),
]
MEASURED = {name: [(k, law(k)) for k in (1, 2, 4, 8, 16, 32)] for name in ("spotty", "demand", "mixed")}
MEASURED["limited"] = [(k, law(k, 0.02, 0.0008)) for k in (1, 2, 4, 8, 16, 32)]
# too large for fewer than eight nodes
MEASURED["big"] = [(k, law(k)) for k in (8, 12, 16, 24, 32, 48)]
# sizes that contradict each other
MEASURED["torn"] = [(1, 1), (2, 0.3), (4, 0.9), (8, 0.1), (16, 0.5), (32, 0.05)]
MEASURED["lone"], MEASURED["owned"] = [(16, 0.2)], [(1, 1)]  # one size each
MEASURED["weak"] = [(1, 1), (2, 1.1), (4, 1.3), (8, 1.5)]
FAMILIES = sorted(MEASURED.keys() | {run[0] for run in RUNS})

case_page.write_common_reference(INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id", "node_type"], *[["c", f"n{node}", f"i-{node}", ""] for node in range(1, 60)],
                                              ["c", "n90", "rack-90", "old"]], INBOX)
case_page.write_input(["reference", "node_rates"], [["cluster", "node_type", "amount_per_node_hour", "currency", "owner"],
                                                   ["c", "old", "1.00", "USD", "P"]], INBOX)
LIMITS = {"limited": "16"}
case_page.write_input(["reference", "families"], [["family", "maximum_k"], *[[name, LIMITS.get(name, "")] for name in FAMILIES]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"],
                                                     *[[str(number), "job_name", name, name] for number, name in enumerate(FAMILIES, 1)]], INBOX)
case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit", "scaling"],
                                      *[[name, str(k), "run_time", repr(hours), "h", "weak" if name == "weak" else "strong"]
                                        for name, sizes in MEASURED.items() for k, hours in sizes]], INBOX)
jobs = [["JobID", "JobName", "Account", "Start", "End", "NodeList", "NNodes"]]
for month in EVERY:
    lines = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "PricingCategory"]]
    start, end = f"{month:02}-08 00:00", f"{month:02}-09 00:00"
    for family, account, first, count, price, bought, months in RUNS:
        if month not in months:
            continue
        jobs.append([str(len(jobs)), family, account, start, end, f"n[{first}-{first + count - 1}]" if count > 1 else f"n{first}", str(count)])
        if price:
            lines += [[start, end, f"{24 * float(price):.2f}", f"i-{node}", "24", "Hours", bought] for node in range(first, first + count)]
    last = {7: ("07-31 00:00", "08-01 00:00"), 8: ("08-31 00:00", "09-01 00:00"), 9: ("09-30 00:00", "10-01 00:00")}[month]
    lines.append([*last, "0", "", "", "", "Standard"])  # the month is a whole one
    case_page.write_input(["bill", "cloud", f"2026-{month:02}"], lines, INBOX)
jobs.append(["999", "later", "b", "10-01 01:00", "10-01 02:00", "n59", "1"])
case_page.write_input(["jobs", "c"], jobs, INBOX)


def scenario(name, /, **members):
    path = WORK / f"{name}.json"
    path.write_text(json.dumps(members), encoding="utf-8")
    return path


def forecasts(*asked):
    """What is forecast of scenarios with these members, in one command."""
    paths = [scenario(f"asked-{number}", **members) for number, members in enumerate(asked)]
    return json.loads(kstar("report", "forecast", *paths, "--months", 1, "--json").stdout)["scenarios"]


def hardware(result, components=HARDWARE):
    """Minor units of the first month by cost centre and family, without trainings."""
    sums = {}
    for leaf in result["leaves"]:
        if leaf["month"] == FIRST and leaf["component"] in components and not leaf["training"]:
            sums[leaf["cost_centre"], leaf["family"]] = sums.get((leaf["cost_centre"], leaf["family"]), 0) + leaf["minor_units"]
    return sums


def of_cells(result, cells, components=HARDWARE):
    """The same of these cells alone."""
    found = hardware(result, components)
    return {cell: found.get(cell, 0) for cell in cells}


def training(family, name="asked", centre="B", **members):
    return {"name": name, "cost_centre": centre, "family": family, "month": FIRST[:7], "ideal_node_hours": 100, "k": 1, **members}


def cost_of(result):
    """Its training's cost in minor units, and the notes that name it."""
    (plan,) = result["trainings"]
    return plan["cost_minor"], [note for note in result["notes"] if plan["name"] in note]


def costs_of(*plans):
    """The same of each training and the other members of its scenario."""
    return [cost_of(result) for result in forecasts(*({"trainings": [plan], **members} for plan, members in plans))]


SPOT = {"share": 0.5, "price_fraction": 0.3}
Publish(INBOX)()
base, half_spot, all_spot, stretched, of_cloud, of_all = forecasts(
    {}, {"spot": SPOT}, {"spot": {**SPOT, "share": 1}}, {"spot": {"share": 1, "price_fraction": 0.3, "preemptions_per_node_hour": 0.01, "restart_hours": 0.5}},
    {"prices": [{"provider": "cloud", "change": 0.5}]}, {"prices": [{"change": 0.5}]})

it("goes on as the bills are: 24 hours at 0.63 are 15.12, at 2.10 are 50.40")
equals({("A", "mixed"): 1512, ("B", "demand"): 5040, ("B", "mixed"): 1512 + 5040, ("B", "spotty"): 1512, ("B", "torn"): 5040, ("B", "weak"): 5040,
        # 480.00 in two months of three; 24 hours of an own node
        ("B", "gone"): 32000, ("B", "owned"): 2400, ("B", "big"): 80640, ("A", "unknown"): 25200},
       hardware(base))

it("names growth of jobs that did no work lately")
equals(["growth[0] (family gone) has no effect: its jobs did no work in the last three months"],
       [note for note in forecasts({"base": {"from": "2026-09"}, "growth": [{"family": "gone", "monthly": 0.1}]})[0]["notes"] if "growth" in note])

# ---- spot
# --------------------------------------------------------------------------------------------------

it("takes no share of what was bought on spot: half of 50.40 on demand at 0.3 of the price is 32.76")
MOVED = {("A", "mixed"): 1512, ("B", "demand"): 3276, ("B", "mixed"): 1512 + 3276, ("B", "spotty"): 1512}
equals(MOVED, of_cells(half_spot, MOVED))
MOVED = {("A", "mixed"): 1512, ("B", "demand"): 1512, ("B", "mixed"): 3024, ("B", "spotty"): 1512}
equals(MOVED, of_cells(all_spot, MOVED))

it("stretches only what the scenario moves to spot: nothing of spotty, and 15.12 of demand by 0.01 x 0.5")
STRETCHED = {("A", "mixed"): 0, ("B", "demand"): 8, ("B", "mixed"): 8, ("B", "spotty"): 0}  # 0.0756
equals(STRETCHED, of_cells(stretched, STRETCHED, ("interruptions",)))

it("costs a training on spot at the share of a price on demand, and at a price that was paid for spot as it is")
AT_SPOT = {"spot": {"price_fraction": 0.3}}
*of_spot, noted = costs_of((training("demand", spot=True), AT_SPOT), (training("demand"), AT_SPOT), (training("spotty", spot=True), AT_SPOT),
                          (training("spotty"), {}))
equals([(6300, []), (21000, []), (6300, [])], of_spot)

it("says where a training on spot has the price on demand")
equals((21000, ["training asked is on spot at the price on demand: the scenario's spot has no price_fraction"]),
       cost_of(*forecasts({"trainings": [training("demand", spot=True)]})))

it("says where a training that is not on spot has a price of spot")
equals((6300, ["training asked: the latest price of family spotty is of spot capacity, and it is not planned on spot"]), noted)

# ---- families without a law to go by
# ------------------------------------------------------------------------------------

it("refuses a training whose family's measurements contradict each other, as advise does, and under weak scaling unless K is given")
for plan in (training("torn"), training("torn", k="K*")):
    message = kstar("report", "forecast", scenario("torn", trainings=[plan]), "--months", 1, code=3).stderr
    assert "training asked: of family torn the measurements contradict the law, or each other, by more than 25 %, or differ in their units" in message, message
for plan in (training("weak", k="K*"), {key: value for key, value in training("weak", deadline_hours=1000).items() if key != "k"}):
    message = kstar("report", "forecast", scenario("weak", trainings=[plan]), "--months", 1, code=3).stderr
    assert "training asked: family weak was measured under weak scaling, which gives no K*" in message and "give its k" in message, message
for family in ("torn", "weak", "lone", "owned"):
    kstar("advise", "--family", family, code=3)

it("refuses one whose family was measured on a single size, which says nothing of K*, and nothing of E above one node")
for plan, hint in ((training("lone", k=16), "kstar model --fits"), (training("lone", k="K*"), "kstar model --fits"), (training("owned", k="K*"), "give its k")):
    message = kstar("report", "forecast", scenario("one", trainings=[plan]), "--months", 1, code=3).stderr
    assert f"training asked: of family {plan['family']} one size says nothing about scaling" in message and hint in message, message
of_owned, of_weak = forecasts({"trainings": [training("owned")]}, {"trainings": [training("weak")]})
equals((10000, ["training asked: of its family one size says nothing about scaling, which gives no K*"]), cost_of(of_owned))
(trained,) = of_owned["trainings"]
assert "k_star" not in trained and "cost_at_k_star_minor" not in trained, trained

it("refuses a K that is smaller than every size measured, and says which it is")
message = kstar("report", "forecast", scenario("small", trainings=[training("big", k=4)]), "--months", 1, code=3).stderr
assert "training asked: its family was not measured at that node count\n  hint:   its k is 4: kstar model --fits --family big shows" in message, message

it("costs one under weak scaling on the K that is given, and says that there is no K*")
equals((21000, ["training asked: its family was measured under weak scaling, which gives no K*"]), cost_of(of_weak))
(trained,) = of_weak["trainings"]
assert "k_star" not in trained and "cost_at_k_star_minor" not in trained, trained

# ---- one job
# --------------------------------------------------------------------------------------------------

def cheapest(sizes):
    """Of the family `limited` at 2.10 a node-hour and 9.00 an hour besides."""
    return min(sizes, key=lambda k: (2.10 * k + 9) * law(k, 0.02, 0.0008))


def advise(**members):
    options = ("--scenario", scenario("one-job", **members)) if members else ()
    return json.loads(kstar("advise", "--family", "limited", "--price", 2.10, "--fixed", 9, *options, "--json").stdout)


it("keeps one job to a scenario's powers of two, and to the smaller of its cap and the family's own maximum of 16")
POWERS = (1, 2, 4, 8, 16)
assert cheapest(range(1, 17)) not in POWERS and cheapest(range(1, 65)) == cheapest(range(1, 17)) > 5
for members, sizes in (({}, range(1, 17)), ({"node_policy": "powers of two"}, POWERS), ({"node_policy": "cap", "node_cap": 64}, range(1, 17)),
                       ({"node_policy": "cap", "node_cap": 5}, range(1, 6))):
    result = advise(**members)
    equals((members, cheapest(sizes), list(sizes)), (members, result["k_star"], [row["k"] for row in result["curve"]]))

# ---- prices of some hardware
# --------------------------------------------------------------------------------------------

it("changes prices of what was bought in the last month with work of each: half dearer, 320.00 of what stopped in August are 480.00")
equals({cell: minor if cell == ("B", "owned") else minor * 3 // 2 for cell, minor in hardware(base).items()}, hardware(of_cloud))

it("says whose hardware is on no bill, or on none that says how it was bought")
equals(["no bill line of 2026-07 to 2026-09 says how the hardware of cost centre B, family owned was bought: changes of some prices do not change it"],
       [note for note in of_cloud["notes"] if "bought" in note])
equals([], [note for note in of_all["notes"] if "bought" in note])

it("buys a training in a cost centre without such jobs as its family was bought everywhere: 100 hours at 1.12, of which 70 % at 1.5")
# mixed: 15.12 + 15.12 on spot and 50.40 on demand, in 72 hours
HALF = [{"purchase": "on demand", "change": 0.5}]
of_p, half_of_p, half_of_b, dearer = costs_of((training("mixed", centre="P"), {}), (training("mixed", centre="P"), {"prices": HALF}),
                                              (training("mixed", centre="B"), {"prices": HALF}),
                                              (training("demand", centre="P"), {"prices": [{"provider": "cloud", "change": 0.5}]}))
equals((11200, []), of_p)
equals((round(11200 * (30.24 + 50.40 * 1.5) / 80.64), []), half_of_p)
# as B buys it
equals((round(11200 * (15.12 + 50.40 * 1.5) / 65.52), []), half_of_b)
equals((31500, []), dearer)

# ---- a commitment
# --------------------------------------------------------------------------------------------------

it("says that planned trainings on demand do not draw on a commitment")
COMMITTED, BESIDE = {"coverage": 1, "discount": 0.2}, "planned trainings do not draw on the commitment: they are paid beside it"
DRAWN = (([training("demand")], COMMITTED, True), ([training("demand", spot=True)], COMMITTED, False), ([], COMMITTED, False),
         ([training("demand", month="2027-10")], COMMITTED, False), ([training("demand")], {}, False))
*drawn, without_work = forecasts(*({"trainings": plans, "commitment": commitment} for plans, commitment, _ in DRAWN),
                                 {"trainings": [training("demand")], "commitment": COMMITTED, "growth": [{"monthly": -1}]})
for (plans, commitment, is_noted), result in zip(DRAWN, drawn):
    equals((plans, commitment, is_noted), (plans, commitment, BESIDE in result["notes"]))
equals(21000, without_work["trainings"][0]["cost_minor"])

# ---- node counts
# --------------------------------------------------------------------------------------------------

it("names the jobs whose K by the policy their family was not measured at: they stay as they are, also where spot stretches them")
STAY = {4: ["node_policy: jobs of family unknown stay on K = 5, and not 4: it has no law to go by",
            "node_policy: jobs of family big stay on K = 16, and not 4: its law says nothing of that K"],
        8: [], 48: []}
STRETCHING = {"share": 1, "price_fraction": 0.3, "preemptions_per_node_hour": 0.01, "restart_hours": 0.05}
for (cap, notes), result in zip(STAY.items(), forecasts(*({"node_policy": "cap", "node_cap": cap, "spot": STRETCHING} for cap in STAY))):
    equals((cap, notes), (cap, [note for note in result["notes"] if "node_policy:" in note]))
    k = 16 if cap == 4 else min(cap, 16)
    paid = 80640 * 0.3 * law(k) * k / (law(16) * 16)
    found = {component: of_cells(result, [("B", "big")], parts)["B", "big"]
             for component, parts in (("hardware", HARDWARE), ("interruptions", ("interruptions",)))}
    assert abs(found["hardware"] - paid) < 3 and abs(found["interruptions"] - paid * k * 0.01 * 0.05) < 2, (cap, found, paid)

# ---- the workbook
# --------------------------------------------------------------------------------------------------

it("shows the same in a workbook, as it is and with other inputs, to the cent")
PLANS = [training("spotty", "spotty", spot=True), training("demand", "on demand", spot=True), training("mixed", "elsewhere", "P"), training("weak", "weak", k=2)]
CHANGES = {
    "nothing": ({}, {}),
    "spot": ({"spot_share": 0.5, "spot_price_fraction": 0.3, "spot_preemptions": 0.01, "spot_restart_hours": 0.05, "node_policy": "cap", "node_cap": 4},
             {"spot": {**SPOT, "preemptions_per_node_hour": 0.01, "restart_hours": 0.05}, "node_policy": "cap", "node_cap": 4}),
    "some prices": ({"price_change_1": 0.5, "price_purchase_1": "on demand"}, {"prices": HALF}),
    "commitment": ({"price_change_1": 0.5, "price_provider_1": "cloud", "commitment_coverage": 1, "commitment_discount": 0.2, "elastic_saving": 0.3, "spot_share": 0.5,
                    "spot_price_fraction": 0.3},
                   {"prices": [{"provider": "cloud", "change": 0.5}], "commitment": COMMITTED, "elastic_saving": 0.3, "spot": SPOT}),
}
kstar("report", "forecast", scenario("book", trainings=PLANS, spot={"price_fraction": 0.3}), "--months", 1, "--out", WORK / "books")
changed = with_inputs(WORK / "books" / "forecast-book.xlsx", {name: cells for name, (cells, _) in CHANGES.items()}, ("By cost centre",), WORK / "changed")
for name, result in zip(CHANGES, forecasts(*({"trainings": PLANS, "spot": {"price_fraction": 0.3}, **members} for _, members in CHANGES.values()))):
    equals((name, []), (name, differing(by_centre(changed[name]), by_kstar(result))))
