"""Bills that still name a month that was pruned, as those of the year to date do.

A source delivers all months of the year in one file, of several chunks each month
(docs/billing.md), with the months one after the other or mixed. January to March are closed, and
January is pruned. What comes of January after that is held against what was pruned, and never
stored; the other months are taken as ever.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
from publish import Publish
from saying import expect, failures

ROWS = 300  # of a month: two chunks or more
HEADER = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags", "BillingPeriodStart", "ResourceId"]
inbox, out = WORK / "inbox", WORK / "out"


def rows_of(month, first="1.00"):
    """ROWS rows of a month, 1.00 each but the first."""
    begin, end = f"2026-{month:02}-01T00:00:00", f"2026-{month + 1:02}-01T00:00:00"
    return [[begin, end, first if number == 0 else "1.00", "team=a", f"{begin}Z", f"resource-of-a-line-{month}-{number}"] for number in range(ROWS)]


def unread():
    """A row whose period cannot be read, but its money."""
    return ["yesterday", *rows_of(1)[0][1:]]


def deliver(*months, label="ytd", mixed=False):
    rows = [row for turn in zip(*months) for row in turn] if mixed else [row for month in months for row in month]
    case_page.write_input(["bill", "cloud", label], [HEADER, *rows], inbox)


def kstar(*words):
    done = subprocess.run([KSTAR, *map(str, words), "--dsn", dsn], capture_output=True, text=True, check=False)
    return done, done.stdout + done.stderr


def night():
    return kstar("nightly", inbox, "--out", out)


def publish():
    """A night without workbooks: what is new is taken and published."""
    done = publish_news()
    return done, done.stdout + done.stderr


def state():
    """The months: lines that count, rows of the load that counts, what is published, and what is
    adjusted later. Of January there is no line."""
    assert published.query("SELECT chunk_id FROM kstar.billing_line WHERE billing_period = '2026-01-01'", dsn) == []
    return {row["month"]: (int(row["lines"]), int(row["loaded"]), int(row["invoiced"]), int(row["adjusted"])) for row in published.query(
        "SELECT to_char(statement_month, 'MM') AS month, row_count AS loaded, "
        "(SELECT count(*) FROM kstar.current_billing_line AS line WHERE line.statement_month = load.statement_month) AS lines, "
        "(SELECT sum(minor_units) FROM kstar.statement_invoice WHERE statement_invoice.statement_month = load.statement_month) AS invoiced, "
        "(SELECT coalesce(sum(minor_units), 0) FROM kstar.adjustment WHERE adjusted_month = load.statement_month) AS adjusted "
        "FROM kstar.load JOIN kstar.current_load USING (load_id) ORDER BY 1", dsn)}


dsn = published.new_database("ytd")
publish_news = Publish(inbox, dsn)
case_page.write_common_reference(inbox)
# of January one row is quarantined, its money stands on the statement
whole, gone = (ROWS, ROWS, 100 * ROWS, 0), (0, ROWS, 100 * ROWS + 100, 0)

deliver(rows_of(1) + [unread()], rows_of(2), rows_of(3))
publish()
for month in ("2026-01", "2026-02", "2026-03"):
    done, output = kstar("close", month, "--accept-incomplete", "no jobs")
    expect(f"{month} is closed", done.returncode == 0, output)
done, output = kstar("prune", "2026-01")
expect("January is pruned", done.returncode == 0 and state() == {"01": gone, "02": whole, "03": whole}, output + str(state()))

deliver(rows_of(1) + [unread()], rows_of(2), rows_of(3), rows_of(4))
done, output = publish()
expect("with January as it was the new month is taken: nothing to say", done.returncode == 0, output)
expect("the log says that January is as it was", "event=pruned_same" in output and "period=2026-01-01" in output, output)
expect("no month is reported as missing from the delivery", "period_left" not in output, output)
with_april = {"01": gone, "02": whole, "03": whole, "04": whole}
expect("and January's rows are not stored again", state() == with_april, str(state()))

deliver(rows_of(1) + [unread()], rows_of(2), rows_of(3), rows_of(4), rows_of(5))
done, output = publish()
with_may = with_april | {"05": whole}
expect("May comes in the same way", done.returncode == 0 and state() == with_may, output + str(state()))

deliver(rows_of(1, "3.50") + [unread()], rows_of(2, "2.00"), rows_of(3), rows_of(4), rows_of(5))
done, output = night()
expect("a January of other money is warned of, with source, folder and difference",
       done.returncode == 4 and 'event=pruned_differs source="cloud" label="billing/cloud/ytd" period=2026-01-01 '
       'note="USD 303.5 billed and 303.5 effective instead of 301 and 301: nothing of it is taken"' in output, output)
expect("the night's summary counts it", "1 of pruned months that differ (the log says which): nothing of them was taken" in done.stdout, done.stdout)
DIFFERS = "2026-01 was pruned, and what is delivered of it differs: USD 303.5 billed and 303.5 effective instead of 301 and 301"
expect("and names it", f"differs     billing/cloud/ytd: {DIFFERS}" in done.stdout, done.stdout)
done, output = kstar("status", "--json")
expect("kstar status names what code 4 is for", [row["note"] for row in json.loads(done.stdout)["waiting"] if row["what"] == "differs"]
       == [f"{DIFFERS}; book the difference outside of kstar"], output)
expect("what is new of other months is taken", state() == with_may | {"02": (ROWS, ROWS, 100 * ROWS, 100)}, str(state()))
done, output = night()
expect("and known the next night", done.returncode == 0 and "event=unchanged kind=billing" in output, output)

deliver(*[rows_of(month) for month in range(1, 6)], mixed=True)
done, output = publish()
expect("also where the rows of all months are mixed, and a quarantined row has gone",
       done.returncode == 4 and "USD 300 billed and 300 effective instead of 301 and 301: nothing of it is taken" in output, output)
expect("the log notes that the quarantined row has gone", "note=\"0 rows quarantined instead of 1, USD 300" in output, output)
expect("the other months are as the file has them", state() == with_may, str(state()))
done, output = kstar("ingest", "billing", "--source", "cloud", inbox / "billing" / "cloud" / "ytd")
expect("which is there by then", done.returncode == 0 and "already there" in output, output)

deliver(rows_of(1)[1:], label="january")
done, output = kstar("ingest", "billing", inbox / "billing" / "cloud" / "january")
expect("a bill of January alone that differs is refused by name",
       done.returncode == 3 and "billing/cloud/january: 2026-01 was pruned, and what is delivered of it differs: 299 rows instead of 300, "
       "0 rows quarantined instead of 1, USD 299 billed"
       in output, output)
expect("and nothing changes", state() == with_may, str(state()))
deliver(rows_of(1) + [unread()], label="january")
done, output = publish()
expect("one that is as it was is no news", done.returncode == 0 and "event=pruned_same" in output and state() == with_may, output + str(state()))

deliver([["no", "time", "at all", "", "", ""]] + rows_of(1) + [unread()], rows_of(2), rows_of(3), rows_of(4), rows_of(5))
done, output = publish()
expect("a first row of which nothing can be read stands with a month that is kept, not with January", done.returncode == 4
       and "event=pruned_same" in output and published.query("SELECT to_char(billing_period, 'MM') AS month, line_number FROM kstar.quarantined_row "
                                                           "ORDER BY delivery_id DESC LIMIT 1", dsn) == [{"month": "02", "line_number": "2"}], output)
deliver(*[rows_of(month) for month in range(1, 6)], mixed=True)
publish()
done, output = kstar("prune", "2026-02")
expect("the next month is pruned as ever", done.returncode == 0 and state()["02"][0] == 0, output + str(state()))
sys.exit(1 if failures else 0)
