"""Which months kstar report forecast goes by: a bill that ends early makes no month, whatever else
covers the month to its end."""

import json
import os
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from company import Company
from saying import equals, it


def day(month, number):
    """The start of a day of 2026; the one after a month's last is the next month's first."""
    last = {8: 31, 9: 30, 10: 31}[month]
    return f"{month:02}-{number:02} 00:00" if number <= last else f"{month + 1:02}-01 00:00"


def support(month):
    return day(month, 1), day(month, 32), "Usage", "10.00", "team=a", "Support"


def usage(month, days):
    """100.00 a day, and 10.00 of support for the whole month from its first day on."""
    return [*((day(month, n), day(month, n + 1), "Usage", "100.00", "team=a", "Servers") for n in range(1, days + 1)), support(month)]


def forecast(company):
    """The months of history, and the first two forecast ones with their cost."""
    answer = json.loads(company.kstar("report", "forecast", "--months", "2", "--json").stdout)
    return [row["month"] for row in answer["history"]], [(row["month"], row["cost_minor"]) for row in answer["scenarios"][0]["months"]]


# August whole, September to the 10th: 1,000.00 of usage, 10.00 of support to the month's end.
company = Company("months")
for month, days in ((8, 31), (9, 10)):
    company.bill(*usage(month, days), month=f"2026-{month:02}")
company.publish()
followed, closed = company.copy("followed"), company.copy("closed")
WHOLE, FORECAST = ["2026-08"], [("2026-09", 311000), ("2026-10", 311000)]

it("does not use a month whose usage ends early, though a line of support covers the month to its end")
equals((WHOLE, FORECAST), forecast(company))

it("says of such a month what close says")
assert "the bill of cloud ends at 2026-09-11 00:00" in company.kstar("close", "2026-09", code=4).stdout

it("does not take it for one that has come")
assert "no forecast was kept of a month that has come" in company.kstar("report", "variance", code=3).stderr

it("omits the month whatever job records say")
(company.inbox / "jobs" / "c").mkdir(parents=True)
(company.inbox / "jobs" / "c" / "jobs.txt").write_text(
    "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|ElapsedRaw|Suspended|State|ExitCode|NNodes|AllocCPUS|AllocTRES|NodeList|JobName\n"
    "1|1|c|z|z|2026-10-02T00:00:00|2026-10-02T00:00:00|2026-10-02T01:00:00|3600|00:00:00|COMPLETED|0:0|1|8|cpu=8|n9|train\n", encoding="utf-8")
company.publish()
equals((WHOLE, FORECAST), forecast(company))

it("omits the month if the bill of one source is complete and the bill of another is not")
company.bill(*usage(9, 30), source="second", month="2026-09")
company.publish()
equals((WHOLE, FORECAST), forecast(company))

it("takes it where no more than its last day is lacking")
company.bill(*usage(9, 29), month="2026-09")
company.publish()
equals([*WHOLE, "2026-09"], forecast(company)[0])

it("uses the month once the source's next bill covers five days, or once the month is closed all the same")
followed.bill(*usage(10, 4), month="2026-10")
followed.publish()
equals(WHOLE, forecast(followed)[0])
followed.bill(*usage(10, 5), month="2026-10")
followed.publish()
equals([*WHOLE, "2026-09"], forecast(followed)[0])
closed.kstar("close", "2026-08")
closed.bill(*usage(10, 2), source="second", month="2026-10")
closed.publish()
equals(WHOLE, forecast(closed)[0])
closed.kstar("close", "2026-09", "--accept-incomplete", "the cluster was shut down")
equals([*WHOLE, "2026-09"], forecast(closed)[0])

it("says which statements do not count, and why")
gap = Company("gap")
for month in (8, 10):
    gap.bill(*usage(month, 31), month=f"2026-{month:02}")
gap.publish()
equals((["2026-10"], [("2026-11", 311000), ("2026-12", 311000)]), forecast(gap))
NOTE = "1 statement before 2026-10 does not count: 2026-09 has no whole statement in USD"
assert f"  note: {NOTE}\n" in gap.kstar("report", "forecast").stdout
assert "the month is 2026-09, but the whole statements in USD without a gap are 2026-10 to 2026-10" in gap.kstar(
    "report", "variance", "--period", "2026-09", code=3).stderr
assert "not count" not in closed.kstar("report", "forecast").stdout
