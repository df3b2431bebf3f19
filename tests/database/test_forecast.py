"""kstar report forecast on months that were made here: against a projection and a decomposition
worked out in Python, its back-test on a known trend and a known shock, levers, planned trainings,
determinism, and what is refused."""

import json
import math
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from made_months import HISTORY, MONTHS, OTHER, insert
from saying import equals, it, kstar, processor_seconds, sql, takes_less, wait_until

EFFECTS = ["volume", "mix", "efficiency", "price", "fees", "failures", "rest"]


def forecast(*scenarios, months=6):
    options = [part for scenario in scenarios for part in ("--scenario", scenario)]
    return json.loads(kstar("report", "forecast", *options, "--months", months, "--json").stdout)


def scenario(name, /, **members):
    path = WORK / f"{name}.json"
    path.write_text(json.dumps(members), encoding="utf-8")
    return path


def cost_of(made_of):
    return sum(made_of[part] for part in ("hardware", "fees", "failed", "cancelled", "fixed", "engineering"))


def month_cost(index):
    return sum(cost_of(HISTORY[centre][index]) + OTHER[centre] for centre in HISTORY)


# ---- the method once more
# ------------------------------------------------------------------------------------------------

def mean(values):
    return sum(values) / len(values)


def smoothed(values, level, trend, alpha, beta=0.0, phi=0.0):
    """Holt's method: the sum of its absolute one-month errors, level and trend after the last
    month, and phi."""
    off = 0.0
    for value in values:
        expected = level + phi * trend
        off += abs(value - expected)
        last, level = level, expected + alpha * (value - expected)
        trend = phi * trend + beta * (level - last - phi * trend)
    return off, level, trend, phi


def smallest(fits):
    """The one with the smallest sum of errors, the first if doubles cannot distinguish them."""
    best = None
    for fit in fits:
        best = fit if best is None or fit[0] < best[0] * (1 - 1e-12) else best
    return best


def damped_trend(values):
    """A function of months ahead: level or damped trend as docs/scenarios.md says it; below 24
    months."""
    begins = next((place for place, value in enumerate(values) if value != 0), len(values))
    values, never_below = values[begins:], min(values, default=0) >= 0
    if len(values) < 4:
        stands = mean(values) if values else 0.0
        return lambda ahead: stands
    first = values[:10]
    xs = range(1, len(first) + 1)
    slope = sum((x - mean(xs)) * (y - mean(first)) for x, y in zip(xs, first)) / sum((x - mean(xs)) ** 2 for x in xs)
    alphas = [tenth / 10 for tenth in range(10, 0, -1)]
    level_alone = smallest(smoothed(values, start, 0.0, alpha) for start in (values[0], mean(first)) for alpha in alphas)
    trending = smallest(smoothed(values, *start, alpha, tenth / 10, phi)
                        for start in ((values[0], 0.0), (mean(first) - slope * mean(xs), slope))
                        for phi in (.80, .85, .90, .95, .98) for alpha in alphas for tenth in range(10))
    pays = len(values) * math.log(max(trending[0], sys.float_info.min)) + 3 < len(values) * math.log(max(level_alone[0], sys.float_info.min))
    _, level, trend, phi = trending if pays else level_alone

    def ahead_by(ahead):
        value = level + trend * sum(phi ** i for i in range(1, ahead + 1))
        return max(value, 0.0) if never_below else value
    return ahead_by


def carried_on(history, other):
    """Cost of the month `ahead` of one cost centre: the forecast formula (model/cost/true_cost.h)
    over its drivers."""
    work = damped_trend([made_of["node_hours"] * made_of["efficiency"] for made_of in history])
    price = damped_trend([made_of["hardware"] / made_of["node_hours"] for made_of in history if made_of["node_hours"]])
    fixed, engineering = (damped_trend([made_of[part] for made_of in history]) for part in ("fixed", "engineering"))
    others = damped_trend([made_of.get("other", other) for made_of in history])
    last = history[-3:]
    hours, hardware, fees, failed, cancelled = (sum(made_of[part] for made_of in last)
                                                for part in ("node_hours", "hardware", "fees", "failed", "cancelled"))
    efficiency = sum(made_of["node_hours"] * made_of["efficiency"] for made_of in last) / hours

    def cost(ahead):
        ideal = work(ahead) * price(ahead)
        productive = ideal * (1 + (1 / efficiency - 1)) + work(ahead) / efficiency * fees / hours
        lost = (failed + cancelled) / (hardware + fees)
        return productive * (1 + lost) + fixed(ahead) + engineering(ahead) + others(ahead)
    return cost


def effects_between(before, after, rest):
    """Effects from one month (by cost centre) to another, exactly: each factor in turn, each stage
    rounded; rest: before and after."""
    def work(made_of):
        return Fraction(made_of["node_hours"]) * Fraction(made_of["efficiency"])
    works = [sum(work(made_of) for made_of in month.values()) for month in (before, after)]

    def stage(volume, mix, efficiency, price, fees, lost):
        total = Fraction(0)
        for centre, old in before.items():
            new = after[centre]
            units = work(new) if mix else work(old) * (works[1] / works[0] if volume else 1)
            hours = units / Fraction((new if efficiency else old)["efficiency"])
            cost = hours * Fraction((new if price else old)["hardware"]) / Fraction((new if price else old)["node_hours"])
            of_fees, of_lost = (new if fees else old), (new if lost else old)
            cost *= 1 + Fraction(of_fees["fees"], of_fees["hardware"])
            total += cost * (1 + Fraction(of_lost["failed"] + of_lost["cancelled"], of_lost["hardware"] + of_lost["fees"]))
        return math.floor(total + Fraction(1, 2))
    stages = [stage(*[position < done for position in range(6)]) for done in range(7)]
    return [later - earlier for earlier, later in zip(stages, stages[1:])] + [rest[1] - rest[0]]


def rest_of(index, centres=None):
    return sum(HISTORY[centre][index]["fixed"] + HISTORY[centre][index]["engineering"] + OTHER[centre] for centre in centres or HISTORY)


def change(index):
    months = [{centre: HISTORY[centre][i] for centre in HISTORY} for i in (index - 1, index)]
    return effects_between(*months, [rest_of(i) for i in (index - 1, index)])


# ---- what must be true
# -------------------------------------------------------------------------------------------------

it("says that there is nothing to go by")
kstar("init")
none = kstar("report", "forecast", code=3).stderr
assert "no statement of a whole month" in none and "once its bills and job records include its last day" in none, none

it("says when there is too little history, and lets the mean go on")
insert(MONTHS[:1])
assert "  P10 to P90 mean little: they rest on 1 month of history, and need 6\n" in kstar("report", "forecast").stdout
insert(MONTHS[1:3])
result = forecast("base", months=2)["scenarios"][0]
assert "3 months of history: too little for a trend, their mean goes on" in result["notes"], result["notes"]
assert "3 months of history: too little for a back-test" in result["notes"], result["notes"]
equals(0, result["back_test"]["held_back"])
equals(None, result["back_test"]["error"])
expected = sum(carried_on(HISTORY[centre][:3], OTHER[centre])(1) for centre in HISTORY)
assert abs(result["months"][0]["cost_minor"] - expected) < 15, (result["months"][0]["cost_minor"], expected)

it("explains why each month cost more, to the cent, as exact fractions do")
insert(MONTHS[3:])
answer = forecast("base")
equals(MONTHS, [row["month"] for row in answer["history"]])
for index, row in enumerate(answer["history"]):
    equals(month_cost(index), row["cost_minor"])
    if index > 0:
        effects = [row[f"{name}_minor"] for name in EFFECTS]
        equals(month_cost(index) - month_cost(index - 1), sum(effects))
        for name, mine, theirs in zip(EFFECTS, change(index), effects):
            assert abs(mine - theirs) <= 1, (index, name, mine, theirs)

it("carries history on as the method says, worked out anew")
base = answer["scenarios"][0]
equals([f"2026-{month}" for month in (10, 11, 12)] + [f"2027-0{month}" for month in (1, 2, 3)], [row["month"] for row in base["months"]])
for ahead, row in enumerate(base["months"], 1):
    for centre in HISTORY:
        expected = carried_on(HISTORY[centre], OTHER[centre])(ahead)
        assert abs(row["cost_centres"][centre] - expected) < 10, (ahead, centre, row["cost_centres"], expected)
    equals(row["cost_minor"], sum(row["cost_centres"].values()))
    assert "(company)" in row["cost_centres"] and "" not in row["cost_centres"], row["cost_centres"]
    equals(row["cost_minor"], sum(row["components"].values()))
    assert row["p10_minor"] < row["p50_minor"] < row["p90_minor"], row
equals(base["total"]["cost_minor"], sum(leaf["minor_units"] for leaf in base["leaves"]))

it("prints the error of the last months, held back, beside it")
test = base["back_test"]
equals(3, test["held_back"])
held = [[carried_on(HISTORY[centre][:9], OTHER[centre])(ahead) for centre in HISTORY] for ahead in (1, 2, 3)]
off = sum(abs(sum(row) - month_cost(9 + i)) for i, row in enumerate(held)) / sum(month_cost(i) for i in (9, 10, 11))
assert abs(test["error"] - off) < 1e-6, (test["error"], off)
assert test["error"] < 0.03 and test["error"] < test["like_the_last_month_error"], test
shown = kstar("report", "forecast", "--months", 6).stdout
assert f"the last 3 months held back, off by {100 * off:.1f} %" in shown, shown

it("shows a shock in the held-back months as the error that it was")
sql("UPDATE statement_sum SET minor_units = minor_units + 10000000 WHERE statement_month = '2026-09-01' AND component = 'shared_services' AND cost_centre = 'nlp'")
shock = forecast("base")["scenarios"][0]["back_test"]
expected = (off * sum(month_cost(i) for i in (9, 10, 11)) + 10000000) / (sum(month_cost(i) for i in (9, 10, 11)) + 10000000)
assert abs(shock["error"] - expected) < 0.02 and shock["bias"] < -0.5, (shock, expected)
sql("UPDATE statement_sum SET minor_units = minor_units - 10000000 WHERE statement_month = '2026-09-01' AND component = 'shared_services' AND cost_centre = 'nlp'")

it("gives no error in percent of months that cost nothing")
sql("CREATE TABLE kept_sums AS SELECT * FROM statement_sum; CREATE TABLE kept_results AS SELECT * FROM job_result")
sql("DELETE FROM statement_sum WHERE statement_month >= '2026-07-01'; DELETE FROM job_result WHERE statement_month >= '2026-07-01'")
shown = kstar("report", "forecast", "--months", 6).stdout
assert "months held back, which cost nothing" in shown and "nan" not in shown, shown
sql("TRUNCATE statement_sum, job_result; INSERT INTO statement_sum SELECT * FROM kept_sums; INSERT INTO job_result SELECT * FROM kept_results; DROP TABLE kept_sums, kept_results")

it("takes another name for an end and a beginning: what ended costs nothing, what began costs what it does")


def rename(old, new):
    sql("; ".join(f"UPDATE {table} SET cost_centre = '{new}' WHERE cost_centre = '{old}' AND statement_month >= '2026-08-01'"
                  for table in ("job_result", "statement_sum")))


rename("vision", "sight")
nothing = dict.fromkeys((*HISTORY["vision"][0], "other"), 0) | {"efficiency": HISTORY["vision"][0]["efficiency"]}
ended, began = HISTORY["vision"][:10] + [nothing] * 2, [nothing] * 10 + HISTORY["vision"][10:]
(renamed,) = forecast("base", months=12)["scenarios"]
for ahead, row in enumerate(renamed["months"], 1):
    for centre, of_centre in (("vision", carried_on(ended, OTHER["vision"])), ("sight", carried_on(began, OTHER["vision"]))):
        assert abs(row["cost_centres"][centre] - of_centre(ahead)) < 10, (ahead, centre, row["cost_centres"], of_centre(ahead))
    assert all(minor >= 0 for minor in row["components"].values()), row
    was = [cost_of(made_of) + OTHER["vision"] for made_of in HISTORY["vision"]]
    assert abs(row["cost_centres"]["vision"]) < 0.02 * was[-1] and min(was) < row["cost_centres"]["sight"] < max(was), (row["cost_centres"], was)
rename("sight", "vision")

it("gives the same bytes for the same inputs, and keeps a forecast once")
once, again = (kstar("report", "forecast", "--scenario", "base", "spot-heavy", "--json").stdout for _ in range(2))
equals(once, again)
equals(len(set(sql("SELECT forecast_id FROM forecast").split())), int(sql("SELECT count(*) FROM forecast")))
kept = sql(f"SELECT month, sum(minor_units) FROM forecast_month WHERE forecast_id = '{base['forecast_id']}' GROUP BY month ORDER BY month").split("\n")
equals([f"{row['month']}-01|{row['cost_minor']}" for row in base["months"]], kept)
kept = sql(f"SELECT p10_minor, p50_minor, p90_minor FROM forecast_range WHERE forecast_id = '{base['forecast_id']}' ORDER BY month").split("\n")
equals([f"{row['p10_minor']}|{row['p50_minor']}|{row['p90_minor']}" for row in base["months"]], kept)

it("sets what was forecast against what came, by cost centre and lever")
assert "no forecast of scenario june was kept of a month that has come" in kstar("report", "variance", "--scenario", "june", code=3).stderr
forecast(scenario("june", base={"to": "2026-06"}), months=6)
# taken back by the next, which knows as much: the first one again
forecast(scenario("june", base={"to": "2026-06"}, contingency=0.5), months=6)
known = forecast(scenario("june", base={"to": "2026-06"}), months=6)["scenarios"][0]
kept = sql("SELECT max(kept_number) FROM forecast_kept")
equals(known, forecast(scenario("june", base={"to": "2026-06"}), months=6)["scenarios"][0])
equals(kept, sql("SELECT max(kept_number) FROM forecast_kept"))
forecast(scenario("june", base={"to": "2026-05"}), months=6)
(answer,) = json.loads(kstar("report", "variance", "--scenario", "june", "--json").stdout)
equals(("USD", 2), (answer["currency"], answer["minor_unit_digits"]))
equals(["2026-06", "2026-07", "2026-08", "2026-09"], [row["month"] for row in answer["months"]])
# June as May knew it, the others as June did
equals([1, 1, 2, 3], [row["months_ahead"] for row in answer["months"]])
off = 0
for row, index in zip(answer["months"][1:], (9, 10, 11)):
    day = f"{MONTHS[index]}-01"
    of_month = [leaf for leaf in known["leaves"] if leaf["month"] == day]
    cells, rests = {}, {}
    for centre in HISTORY:
        (driver,) = [line for line in known["drivers"] if line["month"] == day and line["cost_centre"] == centre]
        parts = {}
        for part in of_month:
            if part["cost_centre"] == centre:
                parts[part["component"]] = parts.get(part["component"], 0) + part["minor_units"]
        cells[centre] = {"node_hours": driver["node_hours"], "efficiency": Fraction(driver["ideal_node_hours"]) / Fraction(driver["node_hours"]),
                         "hardware": parts["useful_compute"] + parts["coordination_waste"], "fees": parts["cloud_fees"],
                         "failed": parts["failed_runs"], "cancelled": parts.get("cancelled", 0)}
        rests[centre] = parts["fixed_overhead"] + parts["engineering_overhead"] + parts["shared_services"]
    came = {centre: HISTORY[centre][index] for centre in HISTORY}
    for entry, centres in [(row, list(HISTORY))] + [(line, [line["cost_centre"]]) for line in row["cost_centres"] if line["cost_centre"] in HISTORY]:
        equals(sum(part["minor_units"] for part in of_month if part["cost_centre"] in centres), entry["forecast_minor"])
        equals(sum(cost_of(came[centre]) + OTHER[centre] for centre in centres), entry["actual_minor"])
        equals(entry["actual_minor"] - entry["forecast_minor"], entry["variance_minor"])
        theirs = [entry[f"{name}_minor"] for name in EFFECTS]
        equals(entry["variance_minor"], sum(theirs))
        mine = effects_between({centre: cells[centre] for centre in centres}, {centre: came[centre] for centre in centres},
                               [sum(rests[centre] for centre in centres), rest_of(index, centres)])
        for name, expected, got in zip(EFFECTS, mine, theirs):
            assert abs(expected - got) <= 2, (row["month"], centres, name, expected, got)
errors = [(row["actual_minor"] - row["forecast_minor"], row["actual_minor"]) for row in answer["months"]]
assert abs(answer["accuracy"]["weighted_error"] - sum(abs(error) for error, _ in errors) / sum(actual for _, actual in errors)) < 1e-12
assert abs(answer["accuracy"]["mean_error"] - mean([abs(error) / actual for error, actual in errors])) < 1e-12
assert abs(answer["accuracy"]["bias"] - sum(error for error, _ in errors) / sum(actual for _, actual in errors)) < 1e-12
(ahead,) = json.loads(kstar("report", "variance", "--scenario", "june", "--period", "2026-07", "--ahead", 2, "--json").stdout)
equals([("2026-07", 2)], [(row["month"], row["months_ahead"]) for row in ahead["months"]])
shown = kstar("report", "variance", "--scenario", "june").stdout
assert f"off by {100 * answer['accuracy']['weighted_error']:.1f} % (weighted)" in shown, shown

it("shows names whole, and never as a terminal would obey them")
strange, centre = "strange\x1b[31m", "ü" * 40
asked = scenario("strange", name=strange, base={"to": "2026-06"},  # 12,000.00 a month
                 people=[{"cost_centre": centre + "\x9b", "count": 1, "annual_cost": 144000, "share": 1, "from": "2026-07"}])
shown = kstar("report", "forecast", "--scenario", "base", asked, "--months", 2).stdout
of_month = kstar("report", "variance", "--scenario", strange, "--period", "2026-07").stdout
assert not set("\x1b\x9b") & set(shown + of_month), shown + of_month
assert f"\n  {'strange?[31m':24} " in shown and f"\n  {centre}? {'24,000.00':>16}\n" in shown, shown
assert of_month.startswith("scenario strange?[31m, in USD: ") and f"\n    {centre}? {'12,000.00':>16} {'0.00':>16}" in of_month, of_month

it("takes time by the number of names, not by its square")
teams = {count: scenario(f"teams-{count}", people=[{"cost_centre": f"team {i}", "count": 1, "annual_cost": 12000, "share": 1} for i in range(count)])
         for count in (125, 1000)}
for options in ((), ("--json",)):
    few, many = (("report", "forecast", "--scenario", path, "--months", 24, *options) for path in teams.values())
    assert takes_less(10 * processor_seconds(*few), *many), options

it("moves levers by what they say")
grown, dearer, committed = forecast("base", "price-shock", scenario("reserve", contingency=0.1), months=2)["scenarios"]
for row, with_price, with_reserve in zip(grown["months"], dearer["months"], committed["months"]):
    for part in ("useful_compute", "coordination_waste"):
        assert abs(with_price["components"][part] - 1.2 * row["components"][part]) < 2
    equals(row["components"]["cloud_fees"], with_price["components"]["cloud_fees"])
    assert abs(with_reserve["cost_minor"] - 1.1 * row["cost_minor"]) < 10
for result in (grown, dearer, committed):
    equals(result["total"]["cost_minor"], sum(result["bridge"].values()))
    assert abs(result["bridge"]["base_minor"] - grown["total"]["cost_minor"]) <= len(grown["leaves"])
    assert abs(result["bridge"]["rounding_minor"]) <= len(result["leaves"]), result["bridge"]
equals({"prices_minor"}, {name for name, minor in dearer["bridge"].items() if minor and name not in ("base_minor", "rounding_minor")})
equals({"contingency_minor"}, {name for name, minor in committed["bridge"].items() if minor and name not in ("base_minor", "rounding_minor")})
growth = forecast(scenario("nlp-grows", growth=[{"cost_centre": "nlp", "monthly": 0.1}]), months=2)["scenarios"][0]
recent = mean([made_of["node_hours"] * made_of["efficiency"] for made_of in HISTORY["nlp"][-3:]])
drivers = {(row["month"], row["cost_centre"]): row for row in growth["drivers"]}
assert abs(drivers["2026-11-01", "nlp"]["ideal_node_hours"] - recent * 1.21) < 1e-6
people = forecast(scenario("people", people=[{"cost_centre": "nlp", "count": 2, "annual_cost": 240000, "share": 0.25, "from": "2026-11"}]), months=2)["scenarios"][0]
equals([0, 1000000], [row["components"]["engineering_overhead"] - of_base["components"]["engineering_overhead"]
                      for row, of_base in zip(people["months"], grown["months"])])

it("names what matches nothing, by its place in its list, and nothing else")
# declared, and without a job yet
sql("INSERT INTO cost_centre (cost_centre, name, gl_account) VALUES ('speech', 'Speech', '6400')")
slips = forecast(scenario("slips",
                          growth=[{"cost_centre": "nlp", "monthly": 0.1}, {"cost_centre": "nIp", "family": "llm", "monthly": 0.1}, {"monthly": 0.02}],
                          efficiency_penalties=[{"family": "llm_pretrain", "penalty": 0.1}, {"family": "llm", "penalty": 0.1}],
                          prices=[{"change": 0.1}, {"change": 0.1, "from": "2026-11"}, {"change": 0.1, "from": "2026-12"},
                                  {"change": 0.1, "from": "2026-09"}, {"change": 0.1, "from": "2026-10"}],
                          people=[{"cost_centre": "speech", "count": 1, "annual_cost": 1, "share": 1},
                                  {"cost_centre": "CC-999", "count": 1, "annual_cost": 1, "share": 1, "from": "2027-01"},
                                  {"cost_centre": "speech", "count": 1, "annual_cost": 1, "share": 1, "from": "2025-12"},
                                  {"cost_centre": "speech", "count": 1, "annual_cost": 1, "share": 1, "from": "2026-10"}]), months=2)["scenarios"][0]
equals(["growth[0] (cost centre nlp) has no effect: later entries match the same jobs, and the last one counts",
        "growth[1] (cost centre nIp, family llm) matches nothing in the history",
        "efficiency_penalties[0] (family llm_pretrain) matches nothing in the history, and no training",
        "prices[2] (from 2026-12) begins after the months of the forecast",
        "prices[3] (from 2026-09) begins before the months of the forecast: it is put on the history's prices, which may have it already",
        "people[1] (cost centre CC-999) is of no cost centre that cost_centres.csv has",
        "people[1] (from 2027-01) begins after the months of the forecast",
        "people[2] (from 2025-12) begin before the months of the forecast: they are added to the history's overhead, which may have them already"], [note for note in slips["notes"] if "[" in note])
sql("DELETE FROM cost_centre")

it("names a lever that has no effect, and none that has one")
IDLE = [({"spot": {"price_fraction": 0.3}}, "spot has no effect in these months"),
        ({"spot": {"share": 0.5}}, "spot has no effect in these months"),
        ({"commitment": {"discount": 0.3}}, "commitment has no effect in these months"),
        ({"node_policy": "cap", "node_cap": 1048576}, "node_policy has no effect in these months"),
        ({"node_cap": 4}, 'node_cap has no effect: node_policy is not "cap"'),
        ({"spot": {"share": 0.5, "price_fraction": 0.3}, "commitment": {"coverage": 0.5, "discount": 0.3}, "elastic_saving": 0.1,
           "failed_run_factor": 0, "fixed_overhead": {"factor": 2}, "contingency": 0.1}, None)]
idle = forecast(*(scenario(f"idle-{number}", **members) for number, (members, _) in enumerate(IDLE)), months=2)["scenarios"]
for (members, noted), result in zip(IDLE, idle):
    equals((members, [noted] if noted else []), (members, [note for note in result["notes"] if "has no effect" in note]))

it("runs every job at its K* by the family's law, overhead per wall-hour going along")


def inverse(k):
    return 1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)


(WORK / "efficiency.csv").write_text("family,k,metric,value,unit\n" + "".join(
    f"llm,{k},run_time,{10 * inverse(k) / k!r},h\n" for k in (1, 2, 4, 8, 16, 32)), encoding="utf-8")
kstar("ingest", "efficiency", WORK / "efficiency.csv")
sql("""INSERT INTO family_fit (statement_month, family, series, scaling, law, measurements, distinct_k, low_confidence, reason, price_per_node_hour,
       fixed_per_wall_hour, capacity) VALUES ('2026-09-01', 'llm', '', 'strong', 'usl', 6, 6, false, '', 2.10, 9, 'on demand')""")
base, at_k_star = forecast("base", "k-star", months=1)["scenarios"]


def leaf(result, component, centre="nlp"):
    return sum(row["minor_units"] for row in result["leaves"] if row["component"] == component and row["cost_centre"] == centre)


shorter, longer = inverse(8) / inverse(16), (inverse(8) / 8) / (inverse(16) / 16)
hardware = [leaf(result, "useful_compute") + leaf(result, "coordination_waste") for result in (base, at_k_star)]
assert abs(hardware[1] - hardware[0] * shorter) < 0.001 * hardware[0], (hardware, shorter)
assert abs(leaf(at_k_star, "fixed_overhead") - leaf(base, "fixed_overhead") * longer) < 0.001 * leaf(base, "fixed_overhead")
# never measured: as it was
equals(leaf(base, "useful_compute", "vision"), leaf(at_k_star, "useful_compute", "vision"))

it("stretches what runs on spot, and does not count what it models twice")
spot = {"share": 0.4, "price_fraction": 0.3, "preemptions_per_node_hour": 0.01, "checkpoint_hours": 0.05, "restart_hours": 0.1}
on_spot = forecast(scenario("spot", spot=spot), months=1)["scenarios"][0]
stretch = 1 + math.sqrt(2 * 0.05 * 16 * 0.01) + 16 * 0.01 * 0.1
assert abs(leaf(on_spot, "interruptions") - hardware[0] * 0.4 * 0.3 * (stretch - 1)) < 3
assert leaf(on_spot, "failed_runs") > 0
productive = hardware[0] * (0.6 + 0.12) + leaf(on_spot, "interruptions") + leaf(on_spot, "cloud_fees")
factor = leaf(base, "failed_runs") / (hardware[0] + leaf(base, "cloud_fees"))
last = HISTORY["nlp"][-3:]
by_itself = last[1]["failed"] / sum(made_of["failed"] for made_of in last)
# the others were interrupted
assert abs(leaf(on_spot, "failed_runs") - productive * factor * (by_itself + 0.6 * (1 - by_itself))) < 3

it("costs planned trainings by the family's law: the worked example and its exercises")
plan = {"cost_centre": "nlp", "family": "llm", "month": "2026-10", "ideal_node_hours": 1000}
trainings = [dict(plan, name="cheapest"), dict(plan, name="large", k=25), dict(plan, name="soon", deadline_hours=150, runs=2),
             dict(plan, name="tokens", tokens=4e9, tokens_per_node_hour=4e6, k="K*"), dict(plan, name="past", month="2026-01")]
del trainings[3]["ideal_node_hours"]
result = forecast(scenario("plans", failed_run_factor=0, trainings=trainings), months=2)["scenarios"][0]
answers = {row["name"]: row for row in result["trainings"]}
equals([], [note for note in result["notes"] if "[" in note])
elsewhere = dict(trainings[0], cost_centre="nIp")
said_of = forecast(scenario("elsewhere", trainings=[elsewhere], efficiency_penalties=[{"cost_centre": "nIp", "penalty": 0.1}]), months=2)
equals(["trainings[0] (cost centre nIp) is of no cost centre that cost_centres.csv has"],
       [note for note in said_of["scenarios"][0]["notes"] if "[" in note])
assert any("training past is not counted: 2026-01" in text for text in result["notes"]), result["notes"]
for name, k, cost in (("cheapest", 8, 4173.15), ("large", 25, 6445.2), ("soon", 9, 2 * 4178.8), ("tokens", 8, 4173.15)):
    equals(k, answers[name]["k"])
    assert abs(answers[name]["cost_minor"] / 100 / cost - 1) < 1e-4, answers[name]
    assert abs(sum(row["minor_units"] for row in result["leaves"] if row["training"] == name) - answers[name]["cost_minor"]) <= 3
sql("UPDATE family_fit SET fixed_per_wall_hour = 4.5")
half = forecast(scenario("half", failed_run_factor=0, trainings=trainings[:1]), months=1)["scenarios"][0]["trainings"][0]
equals(6, half["k"])
assert abs(half["cost_minor"] / 340575 - 1) < 1e-4, half
measured = forecast(scenario("measured", trainings=trainings[1:2]), months=1)["scenarios"][0]
parts = {row["component"]: row["minor_units"] for row in measured["leaves"] if row["training"] == "large"}
of_window = [sum(made_of[part] for made_of in HISTORY["nlp"][-3:]) for part in ("failed", "hardware", "fees")]
assert abs(parts["failed_runs"] / (parts["useful_compute"] + parts["coordination_waste"]) - of_window[0] / (of_window[1] + of_window[2])) < 1e-4

it("refuses a training that cannot be costed, and a base outside the history, by name")
for members, message in (
        ({"trainings": [dict(plan, name="t", deadline_hours=1)]}, "training t: no node count meets its deadline"),
        ({"trainings": [dict(plan, name="t", family="vit")]}, "training t: family vit has no measurements\n"
         "  hint:   deliver its sizes to efficiency/, or correct the name: kstar advise lists the families"),
        ({"base": {"from": "2025-01"}}, "its base is 2025-01 to 2026-09, but the whole statements in USD without a gap are 2025-10 to 2026-09")):
    assert message in kstar("report", "forecast", "--scenario", scenario("wrong", **members), code=3).stderr, message

it("refuses what costs more than can be held, by month, and keeps nothing of it: work that grows sixfold each month, 5 % that was meant")
sixfold = scenario("sixfold", growth=[{"monthly": 5}])
recently = mean([sum(sum(HISTORY[centre][month][part] for part in ("hardware", "fees", "failed", "cancelled")) for centre in HISTORY) for month in (9, 10, 11)])
sums = [recently * sum(6 ** ahead for ahead in range(1, last + 1)) for last in (11, 12)]
assert 1.5 * sums[0] < 9_000_000_000_000_00 < sums[1] / 1.5, sums  # the twelfth month is 2027-09
held = forecast(sixfold, months=11)["scenarios"][0]
assert 0 < held["total"]["p10_minor"] < held["total"]["p50_minor"] < held["total"]["p90_minor"], held["total"]
kept = sql("SELECT count(*) FROM forecast")
for options in (("--json",), ("--out", WORK / "sixfold")):
    equals("error: scenario sixfold: the months to 2027-09 cost more than kstar can hold: are its growth and prices right?\n",
           kstar("report", "forecast", sixfold, "--months", 36, *options, code=3).stderr)
equals(kept, sql("SELECT count(*) FROM forecast"))
assert not list(WORK.glob("sixfold/*")), list(WORK.glob("sixfold/*"))

it("refuses a scenario by line and column, before any database is opened")
(WORK / "typo.json").write_text('{\n  "contingncy": 0.1\n}', encoding="utf-8")
equals(f"error: {WORK}/typo.json, line 2, column 3: contingncy is not a known member\n  hint:   did you mean contingency?\n",
       kstar("report", "forecast", "--scenario", WORK / "typo.json", "--dsn", "host=/nowhere", code=3).stderr)
kstar("report", "forecast", "--months", 0, code=2)
equals(["base", "growth", "k-star", "price-shock", "spot-heavy"],
       [line.split()[0] for line in kstar("report", "forecast", "--list-scenarios").stdout.splitlines()])

ready = json.loads(kstar("report", "forecast", "--list-scenarios", "--json").stdout)
equals(["base", "growth", "k-star", "price-shock", "spot-heavy"], [one["name"] for one in ready])
assert all(one["description"] for one in ready), ready

it("reads one snapshot: what a night publishes meanwhile is in none of it")
trained = scenario("trained", trainings=[dict(plan, name="large")])
before = forecast(trained)
night = subprocess.Popen([KSTAR, "db", "psql", "--", "-XAtq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
night.stdin.write("BEGIN; SET search_path = kstar; LOCK TABLE job_result; SELECT 'locked';\n")
night.stdin.flush()
equals("locked\n", night.stdout.readline())
reader = subprocess.Popen([KSTAR, "report", "forecast", "--scenario", trained, "--months", "6", "--json"], stdout=subprocess.PIPE, text=True)
wait_until("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted", "t", reader)
night.stdin.write("UPDATE job_result SET failed_runs_minor = failed_runs_minor * 2; COMMIT;\n")
night.stdin.close()
streamed, _ = reader.communicate()
equals((0, 0), (night.wait(), reader.returncode))
equals(before, json.loads(streamed))
assert forecast(trained) != before

it("omits a month that is not over, and the months before a gap")
sql("""INSERT INTO statement VALUES ('2026-10-01', 'Preliminary', 'r', '2026-10-12', '0.1.0', 'USD', 2);
       DELETE FROM statement WHERE statement_month = '2026-02-01'""")
equals([f"2026-0{month}" for month in range(3, 10)], [row["month"] for row in forecast("base")["history"]])

it("knows no share of a month that cost nothing")
sql("UPDATE statement SET as_of = '2026-11-01' WHERE statement_month = '2026-10-01'")
(answer,) = json.loads(kstar("report", "variance", "--scenario", "base", "--period", "2026-10", "--json").stdout)
equals([(0, None, None, None)], [(answer["months"][0]["actual_minor"], *(answer["accuracy"][name] for name in ("weighted_error", "mean_error", "bias")))])
shown = kstar("report", "variance", "--scenario", "base", "--period", "2026-10").stdout
assert "off by - (weighted), - (mean of the months), bias -; 0 of 1 months between P10 and P90" in shown, shown
