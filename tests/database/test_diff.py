"""kstar diff: what the last delivery changed, by source, service, account and cost centre; and
quarantined rows by load."""

import json
import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
from saying import expect, failures

HEADER = ["ChargePeriodStart", "ChargePeriodEnd", "ServiceName", "SubAccountId", "BilledCost", "EffectiveCost", "Tags"]
INBOX, DSN = WORK / "inbox", published.new_database("diff")


def kstar(*arguments):
    return subprocess.run([os.environ["KSTAR"], *arguments, "--dsn", DSN], capture_output=True, text=True, check=False)


def night():
    return kstar("nightly", INBOX, "--out", WORK / "out")


def bill(source, *lines):
    case_page.write_input(["bill", source, "2026-09"],
                          [HEADER, *(["1 00:00", "10-01 00:00", *line] for line in lines)], INBOX)


def changes(*options):
    done = kstar("diff", "2026-09", "--json", *options)
    return {(row["source"], row["by"], row["name"]): (row["billed_change"], row["effective_change"])
            for row in json.loads(done.stdout)}


case_page.write_common_reference(INBOX)
done = kstar("diff", "2026-09")
expect("a month without a bill is reported", done.returncode == 3 and "no bill for 2026-09" in done.stderr, done.stderr)
bill("cloud", ["Servers", "11", "100.00", "100.00", "team=a"], ["Disks", "11", "7.50", "7.50", "team=b"],
     ["Servers", "22", "50.00", "40.00", "team=b"])
bill("other", ["Servers", "33", "5.00", "5.00", ""])
night()
done = kstar("diff", "2026-09")
expect("one delivery has nothing before it", done.returncode == 0 and "cloud: delivered once" in done.stdout, done.stdout)

bill("cloud", ["Servers", "11", "101.25", "101.25", "team=a"], ["Disks", "11", "7.50", "7.50", "team=b"],
     ["Servers", "22", "50.00", "45.00", "team=b"], ["Tapes", "22", "1.00", "1.00", "team=c"])
kstar("ingest", "billing", INBOX / "billing" / "cloud" / "2026-09")
done = kstar("diff", "2026-09")
expect("a delivery that is in no statement yet is not guessed", "kstar model" in done.stdout, done.stdout)
done = kstar("diff", "2026-09", "--json")
expect("nor is it nothing in JSON", done.stdout.strip() == "[]" and "cloud: its last delivery is in no statement yet" in done.stderr,
       done.stdout + done.stderr)
night()
expect("the change by source, service, account and cost centre", changes() == {
    ("cloud", "source", "cloud"): ("2.25", "7.25"),
    ("cloud", "service", "Servers"): ("1.25", "6.25"),
    ("cloud", "service", "Tapes"): ("1", "1"),
    ("cloud", "account", "11"): ("1.25", "1.25"),
    ("cloud", "account", "22"): ("1", "6"),
    ("cloud", "cost centre", "A"): ("", "1.25"),
    ("cloud", "cost centre", "B"): ("", "5"),
    ("cloud", "cost centre", "unallocated: no rule matches"): ("", "1"),
}, str(changes()))
expect("--by omits the other dimensions", set(key[1] for key in changes("--by", "account")) == {"account"})
expect("--all shows what is equal, too", ("cloud", "service", "Disks") in changes("--all"))
done = kstar("diff", "2026-09", "--by", "colour")
expect("--by says what it takes", done.returncode == 2 and "cost-centre" in done.stderr, done.stderr)
print(kstar("diff", "2026-09").stdout)
bill("other", ["Servers", "33", "6.00", "6.00", ""])
kstar("ingest", "billing", INBOX / "billing" / "other" / "2026-09")
done = kstar("diff", "2026-09", "--by", "source")
expect("of two sources the one whose delivery is in no statement yet is named alone", "other: its last delivery is in no statement yet" in done.stdout
       and "cloud   2026-09" in done.stdout and "other   2026-09" not in done.stdout, done.stdout)
expect("and has no row in JSON", {key[0] for key in changes()} == {"cloud"}, str(changes()))

bill("cloud", ["Servers", "11", "101.25", "101.25", "team=a"], ["Disks", "11", "cheap", "7.50", "team=b"])
night()
loads = published.query("SELECT load_id FROM kstar.current_load WHERE source = 'cloud'", DSN)
done = kstar("ingest", "quarantine", "--load", loads[0]["load_id"], "--json")
rows = [json.loads(line) for line in done.stdout.splitlines()]
expect("the quarantined rows of a load", len(rows) == 1 and rows[0]["line_number"] == 3 and rows[0]["column_name"] == "BilledCost"
       and rows[0]["load_id"] == int(loads[0]["load_id"]) and "cheap" in rows[0]["raw"], done.stdout + done.stderr)
bill("cloud", ["Servers", "11", "101.25", "101.25", "team=a"], ["Disks", "11", "7.50", "7.50", "team=b"])
night()
counted = published.query("SELECT (SELECT count(*) FROM kstar.quarantined_row) AS quarantined, sum(billed_cost)::text AS billed "
                          "FROM kstar.current_billing_line WHERE source = 'cloud'", DSN)
expect("a mended row is loaded once and quarantined no more", counted == [{"quarantined": "0", "billed": "108.75"}], str(counted))
sys.exit(1 if failures else 0)
