"""The forecast that a statement is held against: chosen once, shown among the key figures, frozen
with its month."""

import json
import os
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import published
import workbooks
from company import Company
from saying import equals, it

# August: a 300, b 100, nobody 50. September: a 360, b 90, nobody 45. October: a 120 in its first
# half.
MONTHS = {"2026-08": ("300.00", "100.00", "50.00"), "2026-09": ("360.00", "90.00", "45.00"), "2026-10": ("120.00", "0.00", "0.00")}

company = Company("forecasts")


def bill(month, *more):
    first, last = "1 00:00", "16 00:00" if month == "2026-10" else f"{int(month[5:]) + 1:02}-01 00:00"
    company.bill(*((first, last, "Usage", cost, tag, "Servers") for cost, tag in zip(MONTHS[month], ("team=a", "team=b", ""))), *more, month=month)


def figure(month, centre=None):
    path = company.out / (f"data-{month}" + (f"-{centre}" if centre else "") + ".xlsx")
    (row,) = [row for row in workbooks.table(workbooks.Book(path), "Key figures", "Figure") if row["Figure"] == "Forecast variance"]
    return row


def night():
    return company.kstar("nightly", company.inbox, "--out", company.out).stdout


def forecast(*options):
    return json.loads(company.kstar("report", "forecast", *options, "--json").stdout)["scenarios"][0]


def value(row):
    return row["This month"], row["Part"], row["Whole"]


it("has none where nothing was forecast")
bill("2026-08")
night()
equals(("none", 450, None), value(figure("2026-08")))
assert "Scenario" not in figure("2026-08")["In words"]

it("holds the month against what was forecast before it, for everybody and for a cost centre")
base = forecast("--months", 3)
costs = {row["month"]: row["cost_minor"] for row in base["months"]}
bill("2026-09")
night()
everybody, of_a = figure("2026-09"), figure("2026-09", "A")
forecast_of_a = sum(leaf["minor_units"] for leaf in base["leaves"] if (leaf["month"], leaf["cost_centre"]) == ("2026-09-01", "A"))
equals((495, costs["2026-09"] / 100), value(everybody)[1:])
equals((360, forecast_of_a / 100), value(of_a)[1:])
for row in (everybody, of_a):
    assert abs(row["This month"] - (row["Part"] / row["Whole"] - 1)) < 1e-12, row
    assert row["In words"].endswith("Scenario base, which knew the months to 2026-08"), row

it("says the same to those who read the views")
(view,) = published.query("SELECT part, whole, value FROM kstar_views.report_key_figures"
                          " WHERE statement_month = '2026-09-01' AND cost_centre = 'A' AND figure = 'variance'", company.dsn)
equals((360, forecast_of_a / 100, round(of_a["This month"], 6)), tuple(float(view[name]) for name in ("part", "whole", "value")))
assert 300 * 0.99 < of_a["Whole"] < 300 * 1.01, of_a  # one month of history: as it was

it("says what kstar report variance says")
(variance,) = json.loads(company.kstar("report", "variance", "--json").stdout)
(month,) = [row for row in variance["months"] if row["month"] == "2026-09"]
equals((49500, costs["2026-09"]), (month["actual_minor"], month["forecast_minor"]))
assert abs(everybody["This month"] - month["variance_minor"] / month["forecast_minor"]) < 1e-12

it("gives last month's beside this month's")
bill("2026-10")
night()
equals(everybody["This month"], figure("2026-10")["Last month"])
equals(costs["2026-10"] / 100, figure("2026-10")["Whole"])

it("is remade when a later forecast knows more, of the months that are open")
company.kstar("close", "2026-08")
company.kstar("close", "2026-09")
night()
closed = (company.out / "data-2026-09.xlsx").read_bytes()
later = forecast("--months", 3)
assert later["forecast_id"] != base["forecast_id"]
company.reference("settings", [["parameter", "value"], ["forecast_scenario", "growth"]])
night()
equals("none", figure("2026-10")["This month"])
forecast("--scenario", "growth", "--months", 3)  # the only news of the next night
night()
row = figure("2026-10")
assert "Scenario growth, which knew the months to 2026-09" in row["In words"], row
equals(closed, (company.out / "data-2026-09.xlsx").read_bytes())
equals(everybody["This month"], figure("2026-09")["This month"])

it("is not remade by a forecast of another scenario, nor by the same one again")
before = (company.out / "data-2026-10.xlsx").read_bytes()
forecast("--scenario", "growth", "--months", 3)
forecast("--scenario", "spot-heavy", "--months", 3)
assert "2026-10" not in [line.split()[1] for line in night().splitlines() if line.startswith("  statement")]
equals(before, (company.out / "data-2026-10.xlsx").read_bytes())

it("keeps its own when a late bill has the closed month worked out again")
bill("2026-09", ("20 00:00", "21 00:00", "Usage", "7.00", "team=b", "Servers"))
night()
late = figure("2026-10")
assert workbooks.table(workbooks.Book(company.out / "data-2026-10.xlsx"), "Adjustments", "Cost centre"), "no adjustment"
equals(everybody["This month"], late["Last month"])
equals(closed, (company.out / "data-2026-09.xlsx").read_bytes())

it("holds like against like where jobs of nobody have internal overhead")
# 201.00 on a's bill; 10.00 an hour between a's job and nobody's: 7,440.00 in August, 7,200.00 in
# September
company, MONTHS = Company("nobodys"), {"2026-08": ("201.00",), "2026-09": ("201.00",)}
JOBS = """Two jobs of a day in each month, one of nobody; the first ones of October say how far the records reach

== jobs c
JobID | Account | Start       | End         | NodeList
1     | a       | 08-08 00:00 | 08-09 00:00 | n1
2     | nobody  | 08-08 00:00 | 08-09 00:00 | n2
3     | a       | 09-08 00:00 | 09-09 00:00 | n1
4     | nobody  | 09-08 00:00 | 09-09 00:00 | n2
5     | a       | 10-01 00:00 | 10-01 01:00 | n1

== reference overhead_rates
name    | amount_per_hour | currency | carrier
control | 10              | USD      | P
"""
bill("2026-08")
company.deliver(JOBS)
(month, *_) = forecast("--months", 2)["months"]
equals(("2026-09", 20100 + 744000), (month["month"], month["cost_minor"]))
bill("2026-09")
night()
everybody, of_a = figure("2026-09"), figure("2026-09", "A")
equals((201 + 7200, 201 + 7440), value(everybody)[1:])
equals((201 + 3600, 201 + 3720), value(of_a)[1:])
(variance,) = json.loads(company.kstar("report", "variance", "--json").stdout)
equals((740100, 764100), tuple(variance["months"][0][name] for name in ("actual_minor", "forecast_minor")))
(book,) = workbooks.recalculated([company.out / "data-2026-09.xlsx"], company.out / "calc")
(row,) = [row for row in workbooks.table(book, "Key figures", "Figure") if row["Figure"] == "Forecast variance"]
equals(value(everybody)[1:], value(row)[1:])
assert abs(row["This month"] - (7401 / 7641 - 1)) < 1e-12, row
