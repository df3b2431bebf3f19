"""Times of bills: clock times without offset are those of the source's time zone, a date alone is
UTC's, a billing period that begins at midnight UTC or on a date is that month's in any zone; a
local month can be closed; and what a corrected zone moves is not charged twice."""

import os
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import equals, it, output_of, sql

WORK = Path(os.environ["WORK"])
CLEAN, ATTENTION = 0, 4
HEADER = "BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BilledCost,EffectiveCost,BillingCurrency,SubAccountId\n"
FAR = "2030-01-01T00:00:00Z"


def kstar(code, *arguments):
    return output_of(*arguments, code=code)


def sources(**zones):
    path = WORK / "sources.csv"
    path.write_text("source,kind,format,time_zone\n" + "".join(
        f"{name},billing,{'focus' if '=' not in zone else zone.split('=')[0]},{zone.split('=')[-1]}\n" for name, zone in zones.items()))
    kstar(CLEAN, "ingest", "reference", path)


def write(source, text, name="bill.csv"):
    path = WORK / "billing" / source / "2026-09" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path.parent


def bill(source, *lines):
    """Lines of a period, a start and an end; each costs a cent more than the one before."""
    return write(source, HEADER + "".join(f"{period},{start},{end},Usage,{at}.01,{at}.01,USD,acct-a\n" for at, (period, start, end) in enumerate(lines)))


def periods(source):
    return sql(f"SELECT billing_period, sum(row_count) FROM load JOIN current_load USING (load_id, source, billing_period) "
               f"WHERE source = '{source}' AND row_count > 0 GROUP BY 1 ORDER BY 1")


def moments(source):
    return sql(f"SELECT to_char(charge_period_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM current_billing_line "
               f"WHERE source = '{source}' ORDER BY billed_cost").splitlines()


sources(dates="America/New_York", azure="azure-actual=America/Chicago", oslo="Europe/Oslo", clocks="Europe/Oslo", moved="UTC",
        **{zone.replace("/", ".").lower(): zone for zone in ("America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata")})

it("leaves a bill in the month that its period names, as a date, as a clock time or as midnight UTC, west of Greenwich")
kstar(CLEAN, "ingest", "billing", bill("dates", ("2026-09-01", "2026-09-01", "2026-10-01"),
                                       ("2026-09-01T00:00:00", "2026-09-01T00:00:00", "2026-10-01T00:00:00"),
                                       ("2026-09-01T00:00:00Z", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z"),
                                       ("2026-09-01T00:00:00-04:00", "2026-09-01T00:00:00-04:00", "2026-10-01T00:00:00-04:00")))
equals("2026-09-01|4", periods("dates"))

it("the same of Azure's dates")
kstar(CLEAN, "ingest", "billing", write("azure", "BillingPeriodStartDate,Date,CostInBillingCurrency,BillingCurrency\n09/01/2026,09/01/2026,5,USD\n"))
equals("2026-09-01|1", periods("azure"))
equals(["2026-09-01T00:00:00Z"], moments("azure"))

it("takes a period that begins at midnight in the source's zone for the month there")
kstar(CLEAN, "ingest", "billing", bill("oslo", ("2026-08-31T22:00:00Z", "2026-09-10", FAR), ("2026-09-01 00:00:00", "2026-09-10", FAR)))
equals("2026-09-01|2", periods("oslo"))

it("reads clock times without offset in the source's zone: summer, winter, shown twice, skipped; a date alone and an offset say UTC themselves")
clocks = {"2026-09-10 08:00:00": "2026-09-10T06:00:00Z", "2026-11-10 08:00:00": "2026-11-10T07:00:00Z",
          "2026-10-25 01:59:59": "2026-10-24T23:59:59Z", "2026-10-25 02:30:00": "2026-10-25T01:30:00Z", "2026-10-25 03:00:00": "2026-10-25T02:00:00Z",
          "2027-03-28 01:59:59": "2027-03-28T00:59:59Z", "2027-03-28 02:30:00": "2027-03-28T01:30:00Z", "2027-03-28 03:00:00": "2027-03-28T01:00:00Z",
          "2026-09-10": "2026-09-10T00:00:00Z", "2026-09-10T08:00:00Z": "2026-09-10T08:00:00Z", "2026-09-10T08:00:00-04:00": "2026-09-10T12:00:00Z"}
kstar(CLEAN, "ingest", "billing", bill("clocks", *(("2026-09-01", clock, FAR) for clock in clocks)))
equals(list(clocks.values()), moments("clocks"))


def moment(shown, zone):
    """Python's reading: an hour that is shown twice is the later one, one that is skipped is as
    before the clocks were set."""
    return max(shown.replace(tzinfo=zone, fold=fold).astimezone(timezone.utc) for fold in (0, 1))


it("in other zones, too, each quarter of an hour about the days on which their clocks were set")
for name, days in {"America/New_York": ("2007-03-11", "2026-03-08", "2026-11-01"), "Australia/Lord_Howe": ("2026-04-05", "2026-10-04"),
                   "Africa/Casablanca": ("2026-02-15", "2026-03-22"), "Asia/Kolkata": ("2026-09-10",)}.items():
    shown = [datetime.fromisoformat(day) - timedelta(days=1) + timedelta(minutes=15 * step) for day in days for step in range(3 * 96)]
    source = name.replace("/", ".").lower()
    kstar(CLEAN, "ingest", "billing", bill(source, *(("2026-09-01", f"{clock:%Y-%m-%dT%H:%M:%S}", FAR) for clock in shown)))
    expected = [f"{moment(clock, ZoneInfo(name)):%Y-%m-%dT%H:%M:%SZ}" for clock in shown]
    equals([], [(name, str(clock), wanted, got) for clock, wanted, got in zip(shown, expected, moments(source), strict=True) if wanted != got][:5])

it("holds a bill that another time zone moves into another month, and takes it out of the first where a person says so")
folder = bill("moved", ("2026-08-31T22:00:00Z", "2026-09-10", "2026-09-11"))
clocks = bill("moved-clocks", ("2026-08-31T22:00:00Z", "2026-09-10 08:00:00", "2026-09-10 09:00:00"), ("2026-09-01", "2026-09-11 08:00:00", "2026-09-11 09:00:00"))
for bills in folder, clocks:
    kstar(CLEAN, "ingest", "billing", bills)
equals("2026-08-31|1", periods("moved"))
equals("2026-08-31|1\n2026-09-01|1", periods("moved-clocks"))
sources(**{"moved": "Europe/Oslo", "moved-clocks": "Europe/Oslo", "oslo": "Europe/Oslo"})
for bills in folder, clocks:
    output = kstar(ATTENTION, "ingest", "billing", bills)
    assert "brings 1 of the 1 lines of 2026-08-31 (USD 0.01) under 2026-09-01" in output, output
equals("2026-08-31|1", periods("moved"))
for bills in folder, clocks:
    kstar(CLEAN, "ingest", "billing", "--moved", bills)
equals("2026-09-01|1", periods("moved"))
equals("2026-09-01|2", periods("moved-clocks"))
equals(["2026-09-10T06:00:00Z", "2026-09-11T06:00:00Z"], moments("moved-clocks"))
print("ok")
