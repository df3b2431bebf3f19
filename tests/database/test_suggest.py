"""kstar init --template and kstar suggest: from an empty folder to a first statement, with
proposals that a person completes."""

import os
import re
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
page = re.sub("<[^>]*>", " ", (WORK / "out/page-2026-09.html").read_text(encoding="utf-8"))
assert re.search(r"Servers\s+480.00\s+nodes.csv\s+which node each machine was at that time; if none: a row for service_name Servers in mapping_rules.csv", page), page
assert re.search(r"Objects\s+102.00\s+mapping_rules.csv\s+a row for service_name Objects", page), page
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

it("the page does not say that nothing was idle while an idle node has no pool")
page = (WORK / "out/page-2026-09.html").read_text(encoding="utf-8")
assert "Idle node without pool" in page and "othing was idle" not in page and 'Idle nodes without a pool are under <a href="#open">' in page, page

it("counts what no rule and no job takes, each currency by itself; a node is proposed even if a rule covers its machine")
(REFERENCE / "exchange_rates.csv").write_text("rate_date,currency,statement_currency,rate\n2026-09-30,EUR,USD,1.10\n", encoding="utf-8")
for name, row in (("pools", "spare,unused_commitments,Lab,keep,,,,\n"), ("nodes", "east,m1,m1,,,,,,\n"),
                  ("pool_rules", "500,commitment_discount_status,Unused,spare,,\n")):
    with open(REFERENCE / f"{name}.csv", "a", encoding="utf-8") as file:
        file.write(row)
ARN = "arn:aws:sagemaker:eu-west-1:1:training-job/tune"
LINE = "2026-09-01,2026-09-10,2026-09-11,{0},{1},{1},EUR,J,Other,{2},{3},{4},{5},{5} name,24,Hours,{6},{7}\n"
bill = INBOX / "billing/other/2026-09/bill.csv"
bill.parent.mkdir(parents=True)
# of account b1 rules and jobs take m1 (in nodes.csv), the managed job and the unused; 52 are left
bill.write_text(HEADER.replace("Tags\n", "Tags,CommitmentDiscountStatus,CommitmentDiscountId\n") + "".join(
    LINE.format(*line) for line in (("Usage", 96, "Compute", "Servers", "y/m1", "b1", "{}", ","),
                                    ("Usage", 30, "AI and Machine Learning", "Training", ARN, "b1", "{}", ","),
                                    ("Usage", 11, "Compute", "Servers", "plan", "b1", "{}", "Unused,plan"),
                                    ("Usage", 50, "Compute", "Servers", "vm/m2", "b1", "{}", ","),
                                    ("Usage", 2, "Storage", "Disks", "disk/m2", "b1", "{}", ","),
                                    ("Usage", 6, "Compute", "Servers", "vm/m3", "b1", TEAM.format("vision"), ","),
                                    ("Usage", 7, "Storage", "Disks", "b-7", "b2", TEAM.format("a*b"), ","),
                                    ("Usage", 4, "Storage", "Disks", "b-4", "b2", TEAM.format("#1 team"), ","),
                                    ("Usage", 1, "Storage", "Disks", "b-1", "b2", TEAM.format("C# team"), ","),
                                    ("Usage", 8, "Storage", "Disks", "b-8", "b2", TEAM.format("C# team").replace("team", "Team", 1), ","),
                                    ("Usage", 3, "Storage", "Objects", "", "b4", "{}", ","),
                                    ("Credit", -5, "Compute", "Servers", "", "b3", "{}", ","))), encoding="utf-8")
HEAD, JOB = jobs.read_text(encoding="utf-8").splitlines(keepends=True)[0], JOB.replace("2026-09-10T0", "2026-09-10T1")
jobs.write_text(jobs.read_text(encoding="utf-8") + JOB.format(5, "vision", 6, 2, "n[1-2]", "mix"), encoding="utf-8")
(INBOX / "jobs/east").mkdir()
(INBOX / "jobs/east/2026-09.txt").write_text(HEAD + JOB.format(6, "vision", 7, 1, "m1", "mix") + JOB.format(7, "vision", 8, 1, "m1", "mix") +
                                             JOB.format(8, "vision", 9, 2, "m[2-3]", "once"), encoding="utf-8")
(INBOX / "jobs/sm").mkdir()
(INBOX / "jobs/sm/tune.json").write_text(
    '{"TrainingJobName": "tune", "TrainingJobArn": "' + ARN + '", "TrainingJobStatus": "Completed", "RoleArn": "vision", '
    '"ResourceConfig": {"InstanceCount": 1}, "CreationTime": "2026-09-10T00:00:00Z", "TrainingStartTime": "2026-09-10T00:00:00Z", '
    '"TrainingEndTime": "2026-09-11T00:00:00Z"}', encoding="utf-8")
kstar(DONE, "nightly", INBOX, "--out", WORK / "out")
kstar(DONE, "suggest", INBOX)
# Objects is no pool: its rule would take the 102 that tag and account have. b2 has what no tag
# alone can name
equals([("60,tag:Team,C# team,C# team,,", "# EUR 8.00, 1 line"), ("70,tag:team,C# team,C# team,,", "# EUR 1.00, 1 line"),
        ("80,sub_account_id,b1,b1 name,,", "# EUR 52.00, 2 lines"), ("90,sub_account_id,b2,b2 name,,", "# EUR 11.00, 2 lines"),
        ("100,sub_account_id,b4,b4 name,,", "# EUR 3.00, 1 line"), ("110,sub_account_id,b3,b3 name,,", "# EUR -5.00, 1 line")], rows("mapping_rules"))
assert not (REFERENCE / "pools.suggested.csv").exists()
equals([("east,m2,vm/m2,,,,,,", "# EUR 50.00, 2.0 node-hours of jobs on it and others"),
        ("east,m3,vm/m3,,,,,,", "# EUR 6.00, 2.0 node-hours of jobs on it and others")], rows("nodes"))
# by hand: an hour of n1 at 480 ÷ 24, two of m1 at 96 ÷ 24
equals([("mix,,,,,,,,,", "# EUR 8.00, USD 20.00, 4.0 node-hours of 3 runs on 1 to 2 nodes")], rows("families"))

it("the page asks for an idle pool where it takes nothing from the nodes: in nodes.csv only for those that are there")
MEND = re.compile(r"<code>([a-z_.]*)</code></td><td[^>]*>(an idle_pool for [^<]*)")
shown = lambda: MEND.findall((WORK / "out/page-2026-09.html").read_text(encoding="utf-8"))[:1]
equals([("nodes.csv", "an idle_pool for x/n1, y/m1")], shown())
(INBOX / "nodes/east").mkdir(parents=True)
(INBOX / "nodes/east/instances.txt").write_text("Cluster|NodeName|Start|End|InstanceId\neast|m2|2026-09-01T00:00:00|Unknown|m2\n", encoding="utf-8")
kstar(DONE, "nightly", INBOX, "--out", WORK / "out")
equals([("node_types.csv", "an idle_pool for cluster east")], shown())
