"""forecast-NAME.xlsx on months that were made: its formulas give what kstar forecasts, also with
other inputs than its scenario's."""

import json
import os
import sys
from datetime import datetime
from pathlib import Path

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import workbooks
from forecast_books import by_centre, by_kstar, differing, lever_label, with_inputs
from extent import tried
from made_months import MONTHS, insert
from saying import equals, it, kstar, sql


def forecast(*scenarios, months=4, out=None):
    return json.loads(kstar("report", "forecast", *scenarios, "--months", months, "--json", *(("--out", out) if out else ())).stdout)["scenarios"]


def scenario(file, **members):
    path = WORK / f"{file}.json"
    path.write_text(json.dumps(members), encoding="utf-8")
    return path


def inverse(k, step=0):
    return 1 + step + (k - 1) * 0.03 + 0.0015 * k * (k - 1)


def checks_of(book):
    return [row[1] for row in book["Summary"].iter_rows(max_row=20) if row[1] in ("TRUE", "FALSE", "inputs changed")]


kstar("init")
insert(MONTHS)
(WORK / "efficiency.csv").write_text("family,k,metric,value,unit\n" + "".join(
    f"llm,{k},run_time,{10 * inverse(k) / k!r},h\n" for k in (1, 2, 4, 8, 16, 32)), encoding="utf-8")
kstar("ingest", "efficiency", WORK / "efficiency.csv")
sql("""INSERT INTO family_fit (statement_month, family, series, scaling, law, measurements, distinct_k, low_confidence, reason, price_per_node_hour,
       overhead_per_node_hour, fixed_per_wall_hour, capacity) VALUES ('2026-09-01', 'llm', '', 'strong', 'usl', 6, 6, false, '', 2.10, 0.05, 9, 'on demand');
       UPDATE job_result SET overhead_per_node_hour = 0.02 WHERE family = 'llm';
       UPDATE job_result SET k = 12, k_star = 6 WHERE statement_month = '2026-08-01' AND cost_centre = 'nlp';
       UPDATE job_result SET k_star = NULL WHERE statement_month = '2026-07-01' AND cost_centre = 'nlp'""")

PLAN = {"cost_centre": "nlp", "family": "llm", "month": "2026-11", "ideal_node_hours": 1000}
EVERYTHING = {
    "name": "everything", "description": "Every lever at once",
    "growth": [{"monthly": 0.02}, {"cost_centre": "nlp", "monthly": 0.05}],
    "prices": [{"change": 0.1, "from": "2026-12"}, {"change": -0.05}],
    "spot": {"share": 0.4, "price_fraction": 0.3, "preemptions_per_node_hour": 0.01, "checkpoint_hours": 0.05, "restart_hours": 0.1},
    "commitment": {"coverage": 0.9, "discount": 0.35}, "node_policy": "cap", "node_cap": 12,
    "efficiency_penalties": [{"penalty": 0.02}, {"cost_centre": "vision", "penalty": 0.1}],
    "elastic_saving": 0.03, "contingency": 0.05,
    "fixed_overhead": {"factor": 1.1, "plus_per_month": 250}, "engineering_overhead": {"factor": 0.9, "plus_per_month": 100},
    "people": [{"cost_centre": "nlp", "count": 2, "annual_cost": 240000, "share": 0.25, "from": "2026-11"},
               {"cost_centre": "research", "count": -1, "annual_cost": 100000, "share": 1}],
    "trainings": [dict(PLAN, name="cheapest"), dict(PLAN, name="large", k=25, spot=True, runs=3), dict(PLAN, name="soon", deadline_hours=170, runs=2),
                  dict(PLAN, name="elsewhere", cost_centre="robots", fees=500, month="2027-01")]}

INPUTS = {
    "growth": ({"growth_all": 0.07}, {"growth": [{"monthly": 0.07}]}),
    "growth of one": ({"growth_nlp_llm": -0.04}, {"growth": [{"cost_centre": "nlp", "family": "llm", "monthly": -0.04}]}),
    "price": ({"price_change_1": 0.2}, {"prices": [{"change": 0.2}]}),
    "price from a month on": ({"price_change_3": 0.2, "price_from_3": datetime(2027, 1, 1)}, {"prices": [{"change": 0.2, "from": "2027-01"}]}),
    "price of what nobody bought": ({"price_change_1": 0.2, "price_provider_1": "*"}, {"prices": [{"change": 0.2, "provider": "*"}]}),
    "spot": ({"spot_share": 0.6, "spot_price_fraction": 0.35, "spot_preemptions": 0.008, "spot_checkpoint_hours": 0.04, "spot_restart_hours": 0.2},
             {"spot": {"share": 0.6, "price_fraction": 0.35, "preemptions_per_node_hour": 0.008, "checkpoint_hours": 0.04, "restart_hours": 0.2}}),
    "commitment": ({"commitment_coverage": 1.2, "commitment_discount": 0.4}, {"commitment": {"coverage": 1.2, "discount": 0.4}}),
    "a commitment, and all on spot": ({"commitment_coverage": 0.7, "commitment_discount": 0.4, "spot_share": 1, "spot_price_fraction": 0.35, "price_change_1": 0.2},
                                      {"commitment": {"coverage": 0.7, "discount": 0.4}, "spot": {"share": 1, "price_fraction": 0.35}, "prices": [{"change": 0.2}]}),
    "a commitment, and nodes given back": ({"commitment_coverage": 0.9, "commitment_discount": 0.4, "elastic_saving": 0.25},
                                           {"commitment": {"coverage": 0.9, "discount": 0.4}, "elastic_saving": 0.25}),
    "a commitment, and no work": ({"commitment_coverage": 0.7, "commitment_discount": 0.4, "growth_all": -1, "price_change_1": 0.2},
                                  {"commitment": {"coverage": 0.7, "discount": 0.4}, "growth": [{"monthly": -1}], "prices": [{"change": 0.2}]}),
    "hardware for nothing": ({"price_change_1": -1}, {"prices": [{"change": -1}]}),
    "hardware for nothing from a month on": ({"price_change_1": -1, "price_from_1": datetime(2026, 12, 1)}, {"prices": [{"change": -1, "from": "2026-12"}]}),
    "K*": ({"node_policy": "K*"}, {"node_policy": "K*"}),
    "cap": ({"node_policy": "cap", "node_cap": 5}, {"node_policy": "cap", "node_cap": 5}),
    "powers of two": ({"node_policy": "powers of two"}, {"node_policy": "powers of two"}),
    "penalty": ({"efficiency_penalty_all": 0.1, "efficiency_penalty_nlp_llm": 0.05},
                {"efficiency_penalties": [{"penalty": 0.1}, {"cost_centre": "nlp", "penalty": 0.05}]}),
    "failed runs and overheads": (
        {"failed_run_factor": 0.33, "fixed_overhead_factor": 1.3, "fixed_overhead_plus": 100.5, "engineering_overhead_factor": 0.5, "engineering_overhead_plus": 33.333},
        {"failed_run_factor": 0.33, "fixed_overhead": {"factor": 1.3, "plus_per_month": 100.5}, "engineering_overhead": {"factor": 0.5, "plus_per_month": 33.333}}),
    "elastic and contingency": ({"elastic_saving": 0.15, "contingency": 0.125}, {"elastic_saving": 0.15, "contingency": 0.125}),
    "several": ({"growth_all": 0.03, "price_change_2": -0.1, "spot_share": 0.5, "spot_price_fraction": 0.4, "spot_preemptions": 0.004,
                 "spot_checkpoint_hours": 0.05, "spot_restart_hours": 0.1, "node_policy": "K*", "commitment_coverage": 0.7, "commitment_discount": 0.3,
                 "contingency": 0.07},
                {"growth": [{"monthly": 0.03}], "prices": [{"change": -0.1}], "node_policy": "K*", "contingency": 0.07,
                 "spot": {"share": 0.5, "price_fraction": 0.4, "preemptions_per_node_hour": 0.004, "checkpoint_hours": 0.05, "restart_hours": 0.1},
                 "commitment": {"coverage": 0.7, "discount": 0.3}}),
}
EVERY_DAY = ("growth of one", "price from a month on", "price of what nobody bought", "spot", "a commitment, and all on spot",
             "a commitment, and nodes given back", "a commitment, and no work", "K*", "failed runs and overheads", "several")
INPUTS = tried({name: INPUTS[name] for name in EVERY_DAY}, INPUTS)
training = EVERYTHING["trainings"]
PLANNED = {
    "dearer hardware": ({"price_change_3": 3.0}, {"prices": [*EVERYTHING["prices"], {"change": 3.0}]}),
    "cheap spot, often taken away": ({"spot_price_fraction": 0.1, "spot_preemptions": 0.05}, {"spot": {**EVERYTHING["spot"], "price_fraction": 0.1, "preemptions_per_node_hour": 0.05}}),
    "a later deadline": ({"training_deadline_3": 400}, {"trainings": [training[0], training[1], dict(training[2], deadline_hours=400), training[3]]}),
    "a sooner one for another": ({"training_deadline_1": 160}, {"trainings": [dict(training[0], deadline_hours=160), *training[1:]]}),
    "hardware for nothing": ({"price_change_3": -1}, {"prices": [*EVERYTHING["prices"], {"change": -1}]}),
    "another K, month, work, fees and runs": (
        {"training_k_2": 4, "training_month_2": datetime(2026, 12, 1), "training_work_1": 1234.5, "training_fees_1": 17.5, "training_runs_4": 4},
        {"trainings": [dict(training[0], ideal_node_hours=1234.5, fees=17.5), dict(training[1], k=4, month="2026-12"), training[2], dict(training[3], runs=4)]}),
    "K* instead of a given K": ({"training_k_2": None}, {"trainings": [training[0], {key: value for key, value in training[1].items() if key != "k"}, *training[2:]]}),
    "a stated factor of failed runs": ({"failed_run_factor": 0.5}, {"failed_run_factor": 0.5}),
    "another loss of efficiency": ({"efficiency_penalty_nlp_llm": 0.2, "efficiency_penalty_all": 0}, {"efficiency_penalties": [
        {"cost_centre": "nlp", "penalty": 0.2}, {"cost_centre": "vision", "penalty": 0.1}]}),
    "people": ({"people_count_1": 3, "people_from_2": datetime(2026, 12, 1)},
               {"people": [dict(EVERYTHING["people"][0], count=3), {**EVERYTHING["people"][1], "from": "2026-12"}]}),
}
EVERY_DAY = ("dearer hardware", "cheap spot, often taken away", "a sooner one for another", "another K, month, work, fees and runs", "people")
PLANNED = tried({name: PLANNED[name] for name in EVERY_DAY}, PLANNED)
everything, out = scenario("everything", **EVERYTHING), WORK / "out"

it("writes a workbook of each scenario, and says which")
output = kstar("report", "forecast", "base", "k-star", everything, "--months", 4, "--out", out).stdout
equals([f"{out}/forecast-{name}.xlsx" for name in ("base", "k-star", "everything")], output.splitlines())

it("gives the same bytes again, and says that nothing changed; JSON names the file")
equals(3, kstar("report", "forecast", "base", "k-star", everything, "--months", 4, "--out", out).stdout.count("(unchanged)"))
answers = {answer["scenario"]: answer for answer in forecast("base", "k-star", everything, out=WORK / "again")}
for answer in answers.values():
    path = Path(answer["workbook"])
    equals((out / path.name).read_bytes(), path.read_bytes())

# What others look at below, so that LibreOffice starts once.
HOSTILE = ["../../etc/passwd", '=HYPERLINK("http://example.org")', "a/b\\c:d", "Same", "same", ".", "x" * 300, "bell\u0007 & é 漢字", "+1"]
hostile = WORK / "hostile"
files = [scenario(f"hostile-{number}", name=name, description="=1+1") for number, name in enumerate(HOSTILE)]
kstar("report", "forecast", *files, "--months", 1, "--out", hostile)
windows = [scenario("june", base={"to": "2026-06"}, node_policy="K*"), "base", scenario("short", base={"from": "2026-08"}, contingency=0.015)]
kstar("report", "forecast", *windows, "--months", 4, "--out", WORK / "windows")
sql("UPDATE statement SET statement_currency = 'JPY', minor_unit_digits = 0")
_, yen = forecast(windows[2], everything, months=2, out=WORK / "yen")
sql("UPDATE statement SET statement_currency = 'USD', minor_unit_digits = 2")
paths, of_hostile, in_windows, in_yen = (sorted(folder.glob("*.xlsx")) for folder in (out, hostile, WORK / "windows", WORK / "yen"))
asked = [*paths, *of_hostile[:2], *in_windows, *in_yen]
by_office = dict(zip(asked, workbooks.recalculated(asked, WORK / "office")))

it("shows in every cell what LibreOffice computes, and no error value")
for path in paths:
    found, count = workbooks.differences(path, by_office[path])
    assert not found and count > 500, (path.name, count, "\n".join(found[:20]))
    book = workbooks.opened(path)
    for sheet in book.sheetnames:
        for row in book[sheet].iter_rows():
            assert not any(isinstance(cell, str) and cell.startswith("#") for cell in row), (path.name, sheet, row)

it("shows kstar's own figures: by month, cost centre and component, side by side, from the base by lever")
for name, answer in answers.items():
    book = workbooks.opened(out / f"forecast-{name}.xlsx")
    equals([], differing(by_centre(book), by_kstar(answer)))
    equals(["TRUE"] * 4, checks_of(book))
    totals = {row["Scenario"]: row for row in workbooks.table(book, "Summary", "Scenario")}
    for scenario_name, other in answers.items():
        for heading, member in (("Forecast", "cost_minor"), ("P10", "p10_minor"), ("P50", "p50_minor"), ("P90", "p90_minor")):
            equals(other["total"][member], round(totals[scenario_name][heading] * 100))
    bridge = {row["Lever"]: round(row["Amount"] * 100) for row in workbooks.table(book, "Bridge", "Lever")}
    for lever, minor in answer["bridge"].items():
        equals(minor, bridge.get(lever_label(lever, bridge), 0))
    equals(answer["total"]["cost_minor"], bridge["Scenario"])

it("follows changed inputs to the cent: one lever at a time, and all at once")
books = with_inputs(out / "forecast-base.xlsx", {name: cells for name, (cells, _) in INPUTS.items()}, ("By cost centre", "Inputs", "Summary"), WORK / "inputs")
theirs = forecast(*(scenario(f"change-{number}", **members) for number, (_, members) in enumerate(INPUTS.values())))
unchanged = by_kstar(answers["base"])
unused = {name: answer["months"][0]["components"]["unused_commitments"] for name, answer in zip(INPUTS, theirs)}
assert all(unused[name] > 0 for name in ("a commitment, and all on spot", "a commitment, and nodes given back", "a commitment, and no work")), unused
for name, answer in zip(INPUTS, theirs):
    equals((name, []), (name, differing(by_centre(books[name]), by_kstar(answer))))
    assert (by_kstar(answer) != unchanged) == (name != "price of what nobody bought"), name
    total = sum(by_kstar(answer).values())
    inputs = {row[0]: row[1] for row in books[name]["Inputs"].iter_rows(max_row=8) if row[0]}
    equals((name, total), (name, round(inputs["Cost, with these inputs"] * 100)))
    equals((name, ["TRUE"] * 3 + (["TRUE"] if total == answers["base"]["total"]["cost_minor"] else ["inputs changed"])), (name, checks_of(books[name])))

it("chooses the K of planned trainings again when prices, spot, efficiency, work or deadlines change")
books = with_inputs(out / "forecast-everything.xlsx", {name: cells for name, (cells, _) in PLANNED.items()}, ("By cost centre", "Trainings"), WORK / "planned")
theirs = forecast(*(scenario(f"other-{number}", **{**EVERYTHING, **members, "name": f"other-{number}"}) for number, (_, members) in enumerate(PLANNED.values())))
chosen = set()
for name, answer in zip(PLANNED, theirs):
    equals((name, []), (name, differing(by_centre(books[name]), by_kstar(answer))))
    shown = {row["Training"]: row["K"] for row in workbooks.table(books[name], "Trainings", "Hardware")}
    equals((name, {row["name"]: row["k"] for row in answer["trainings"]}), (name, shown))
    chosen.add(shown["cheapest"])
assert len(chosen) > 1, chosen

it("names a file after a hostile name, and never makes a formula of it")
written = sorted(hostile.iterdir())
equals(len(HOSTILE), len({path.name.lower() for path in written}))
for path in written:
    assert path.name.startswith("forecast-") and path.name.endswith(".xlsx") and len(path.name) < 255, path.name
for path in written[:2]:
    found, _ = workbooks.differences(path, by_office[path])
    assert not found, (path.name, found[:5])
book = workbooks.formulas(written[0])
names = [row[0].value for row in book["Summary"].iter_rows(max_row=40) if row[0].value in HOSTILE]
equals(sorted(name for name in HOSTILE if "\u0007" not in name), sorted(names))
assert all(row[0].data_type != "f" for row in book["Summary"].iter_rows(max_row=40)), "a name became a formula"

it("refuses two scenarios of one name, and leaves no file")
twice = [scenario("first", name="twin"), scenario("second", name="twin")]
assert "two scenarios are named twin" in kstar("report", "forecast", *twice, "--months", 2, "--out", WORK / "none", code=3).stderr
assert not (WORK / "none").exists() or not list((WORK / "none").iterdir())

it("sets scenarios beside one another whose history ends in different months, in a currency without cents, too")
for path in (*in_windows, *in_yen):
    found, _ = workbooks.differences(path, by_office[path])
    assert not found, (path, found[:5])
months = [row["Month"].strftime("%Y-%m") for row in workbooks.table(workbooks.opened(WORK / "windows" / "forecast-base.xlsx"), "Summary", "With the inputs")]
equals(["2026-07", "2026-08", "2026-09", "2026-10", "2026-11", "2026-12", "2027-01"], months)
equals([], differing(by_centre(workbooks.opened(WORK / "yen" / "forecast-everything.xlsx"), digits=0), by_kstar(yen)))

it("locks all cells but inputs, without a password")
for sheet in workbooks.formulas(out / "forecast-everything.xlsx"):
    assert sheet.protection.sheet and sheet.protection.password is None, sheet.title
    unlocked = [cell.coordinate for row in sheet.iter_rows() for cell in row if not cell.protection.locked]
    equals(sheet.title == "Inputs", bool(unlocked))
