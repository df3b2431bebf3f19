"""kstar init --template and kstar suggest: from an empty folder to a first statement, with
proposals that a person completes."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import equals, it, output_of, sql

WORK = Path(os.environ["WORK"])
DONE, REFUSED, ATTENTION = 0, 3, 4
INBOX = WORK / "inbox"
REFERENCE = INBOX / "reference"


def kstar(code, *arguments):
    return output_of(*arguments, code=code)


def rows(name):
    """The rows of a file without comments, each as text; and the comment above each."""
    lines = (REFERENCE / f"{name}.suggested.csv").read_text(encoding="utf-8").splitlines()
    found = [at for at, line in enumerate(lines) if not line.startswith("#")][1:]
    return [(lines[at], lines[at - 1]) for at in found]


it("a template is an inbox whose reference files can be loaded as they are, and with their examples")
kstar(DONE, "init", "--template", INBOX)
kstar(DONE, "ingest", "reference", REFERENCE)
equals("0", sql("SELECT count(*) FROM cost_centre"))
path = REFERENCE / "cost_centres.csv"
text = path.read_text(encoding="utf-8")
path.write_text(text + "\n".join(line.removeprefix("# Example: ") for line in text.splitlines() if "# Example: " in line) + "\n")
assert "32 " not in (output := kstar(DONE, "init", "--template", INBOX)) and ": 0 files to fill in, 33 that were there" in output, output
kstar(DONE, "ingest", "reference", REFERENCE)
equals("CC-100|Platform", sql("SELECT cost_centre, name FROM cost_centre"))
path.write_text(text, encoding="utf-8")

it("without anything loaded there is nothing to propose")
message = kstar(ATTENTION, "suggest", INBOX)
assert "nothing was loaded yet" in message and f"run: kstar nightly {INBOX} --out OUT" in message, message

HEADER = ("BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BilledCost,EffectiveCost,BillingCurrency,InvoiceId,"
          "InvoiceIssuerName,ServiceCategory,ServiceName,ResourceId,SubAccountId,SubAccountName,ConsumedQuantity,ConsumedUnit,Tags\n")
LINE = "2026-09-01,2026-09-10,2026-09-11,Usage,{0},{0},USD,I,Cloud,{1},{2},{3},{4},{5},24,Hours,{6}\n"
TEAM = '"{{""team"":""{0}""}}"'
bill = INBOX / "billing/cloud/2026-09/bill.csv"
bill.parent.mkdir(parents=True)
# n1 is a node; vision has 90 by tag and 0.50 in another spelling of nothing; account a2 has 12;
# monitoring names nobody
bill.write_text(HEADER + LINE.format(480, "Compute", "Servers", "x/n1", "a1", "Research", "{}") +
                LINE.format(90, "Storage", "Objects", "b-1", "a1", "Research", TEAM.format("vision")) +
                LINE.format(12, "Storage", "Objects", "b-2", "a2", "Lab", "{}") +
                LINE.format(73, "Management and Governance", "Monitoring", "", "a1", "Research", "{}"), encoding="utf-8")
jobs = INBOX / "jobs/west/2026-09.txt"
jobs.parent.mkdir(parents=True)
JOB = "{0}|{0}|{1}|ada|2026-09-10T00:00:00|2026-09-10T0{0}:00:00|2026-09-10T0{2}:00:00|COMPLETED|{3}|{4}|{5}\n"
jobs.write_text("JobID|JobIDRaw|Account|User|Submit|Start|End|State|NNodes|NodeList|JobName\n" +
                JOB.format(1, "vision", 2, 2, "n[1-2]", "train") + JOB.format(2, "vision", 3, 1, "n1", "train") +
                JOB.format(3, "vision", 4, 1, "n1", "train") + JOB.format(4, "speech", 5, 1, "n1", "once"), encoding="utf-8")

it("proposes what nothing covers, each with the money behind it, and leaves open what only a person knows")
kstar(DONE, "nightly", INBOX, "--out", WORK / "out")
before = sql("SELECT count(*) FROM mapping_rule")
kstar(DONE, "suggest", INBOX)
# by hand: vision 2 × 1 + 1 + 1 = 4 node-hours and the bucket; Research has the node's 480 (until it
# is a node); Monitoring is a pool
equals([("Research,Research,,,,", "# sub_account_id a1: USD 480.00, 1 line"),
        ("vision,vision,,,,", "# job_account vision: 4.0 node-hours of 3 runs; tag:team vision: USD 90.00, 1 line"),
        ("Lab,Lab,,,,", "# sub_account_id a2: USD 12.00, 1 line"),
        ("speech,speech,,,,", "# job_account speech: 1.0 node-hours of 1 run")], rows("cost_centres"))
equals(["10,job_account,vision,vision,,", "20,job_account,speech,speech,,", "30,tag:team,vision,vision,,",
        "40,sub_account_id,a1,Research,,", "50,sub_account_id,a2,Lab,,"], [row for row, _ in rows("mapping_rules")])
equals(["west,n1,x/n1,,,,,,"], [row for row, _ in rows("nodes")])
equals([("Monitoring,shared_services,,,,,,", "# USD 73.00 of 1 line")], rows("pools"))
equals(["10,service_name,Monitoring,Monitoring,,"], [row for row, _ in rows("pool_rules")])
equals([("train,,,,,,,,,", "# 4.0 node-hours of 3 runs on 1 to 2 nodes")], rows("families"))
equals(["10,job_name,train,train,,"], [row for row, _ in rows("family_rules")])

it("its files are not read, and not overwritten; no night complains of them")
assert ".suggested.csv" not in kstar(DONE, "nightly", INBOX, "--out", WORK / "out")
equals(before, sql("SELECT count(*) FROM mapping_rule"))
(REFERENCE / "pools.suggested.csv").write_text("mine\n", encoding="utf-8")
assert "pools.suggested.csv: is there, and stays as it is" in kstar(DONE, "suggest", INBOX)
equals("mine\n", (REFERENCE / "pools.suggested.csv").read_text(encoding="utf-8"))
(REFERENCE / "pools.suggested.csv").unlink()
kstar(DONE, "suggest", INBOX)

it("a file with a gap is refused by column; filled in, the money has its cost centres, and there is nothing left to propose")
for path in REFERENCE.glob("*.suggested.csv"):
    path.rename(REFERENCE / path.name.replace(".suggested", ""))
assert "cost_centres.csv, line 5, column gl_account: is empty but is required" in kstar(REFUSED, "ingest", "reference", REFERENCE)
for name, old, new in (("cost_centres", ",,,,", ",6100,,,"), ("pools", "shared_services,,,", "shared_services,Lab,keep,")):
    path = REFERENCE / f"{name}.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
kstar(DONE, "nightly", INBOX, "--out", WORK / "out")
equals("0", sql("SELECT count(*) FROM charge WHERE reason = 'no rule matches'"))
assert "nothing to propose" in kstar(DONE, "suggest", INBOX)
