"""Formats recognise themselves: bills and job records without a row in sources.csv, what is
remembered of a source, what fits two formats, a file that is mostly unreadable, and --dry-run,
which changes nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import equals, it, output_of, sql

WORK = Path(os.environ["WORK"])
DONE, REFUSED, ATTENTION = 0, 3, 4


def kstar(code, *arguments):
    return output_of(*arguments, code=code)


def write(name, text):
    path = WORK / "inbox" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def dump():
    """All that the database holds, sequences too."""
    host, port, name, user = sql("SELECT trim(current_setting('unix_socket_directories'), chr(34)), current_setting('port'), current_database(), "
                                 "session_user").split("|")
    done = subprocess.run(["pg_dump", "-h", host, "-p", port, "-U", user, name], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "restrict" not in line]


def remembered(kind):
    return dict(row.split("|") for row in sql(f"SELECT source, format FROM detected_format WHERE kind = '{kind}'").splitlines())


SACCT = "JobID|JobIDRaw|Account|User|Submit|Start|End|State|NNodes|NodeList|JobName\n"
SACCT_ROW = "{0}|{0}|vision|ada|2026-09-10T00:00:00|2026-09-10T00:00:00|2026-09-10T12:00:00|COMPLETED|1|n1|train\n"
BARE = ("{0}|{0}|west|gpu|normal|vision|g|1|ada|2|2026-09-10T00:00:00|2026-09-10T00:00:00|2026-09-10T00:00:00|2026-09-10T01:00:00|"
        "01:00:00|0:0|COMPLETED|1|8|8|1000M|cpu=8|cpu=8,node=1|1-00:00:00|n1|train\n")
PLAIN = {"job_id": "p-1", "state": "COMPLETED", "start": "2026-09-10T00:00:00Z", "end": "2026-09-10T01:00:00Z", "nodes": 1}
SLURM = {"jobs": [{"job_id": 7, "cluster": "west", "name": "train", "association": {"account": "vision"}, "nodes": "n1",
                   "allocation_nodes": 1, "state": {"current": ["COMPLETED"]},
                   "time": {"submission": 1789000000, "start": 1789000000, "end": 1789003600, "elapsed": 3600}}]}
KUBERNETES = {"apiVersion": "v1", "kind": "List", "items": [
    {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train", "namespace": "team-a", "uid": "u-1"},
     "spec": {"parallelism": 2}, "status": {"startTime": "2026-09-10T00:00:00Z", "completionTime": "2026-09-10T01:00:00Z",
                                            "conditions": [{"type": "Complete", "status": "True",
                                                            "lastTransitionTime": "2026-09-10T01:00:00Z"}]}}]}
PBS = ("09/10/2026 14:00:00;E;1234.pbs01;user=ada account=\"llm\" jobname=train queue=gpu ctime=1788998400 start=1788998400 "
       "end=1789002000 exec_host=n1/0*32 Exit_status=0\n")
SAGEMAKER = {"TrainingJobArn": "arn:aws:sagemaker:us-east-1:1:training-job/t", "TrainingJobName": "t", "TrainingJobStatus": "Completed",
             "CreationTime": "2026-09-10T00:00:00Z", "TrainingStartTime": "2026-09-10T00:10:00Z",
             "TrainingEndTime": "2026-09-10T01:10:00Z", "ResourceConfig": {"InstanceCount": 2}}
VERTEX = {"customJobs": [{"name": "projects/1/locations/us/customJobs/77", "displayName": "bert", "state": "JOB_STATE_SUCCEEDED",
                          "createTime": "2026-09-10T00:00:00Z", "startTime": "2026-09-10T00:10:00Z", "endTime": "2026-09-10T01:10:00Z",
                          "jobSpec": {"workerPoolSpecs": [{"replicaCount": "1"}]}}]}
AZUREML = {"value": [{"id": "/subscriptions/s/providers/Microsoft.MachineLearningServices/workspaces/w/jobs/b", "name": "b",
                      "properties": {"status": "Completed", "resources": {"instanceCount": 2}, "startTimeUtc": "2026-09-10T00:05:00Z",
                                     "endTimeUtc": "2026-09-10T00:35:00Z"}}]}
JOBS = {"sacct": SACCT + SACCT_ROW.format(501), "bare": BARE.format(502), "csv": "job_id,state,start,end,nodes\n" + ",".join(
            str(value) for value in PLAIN.values()) + "\n",
        "jsonl": json.dumps(PLAIN) + "\n", "sacct-json": json.dumps(SLURM), "kubernetes": json.dumps(KUBERNETES), "pbs": PBS,
        "sagemaker": json.dumps(SAGEMAKER), "vertex": json.dumps(VERTEX), "azureml": json.dumps(AZUREML)}

it("each format of job records is recognised without a row in sources.csv, and remembered")
for source, text in JOBS.items():
    wanted = "sacct" if source == "bare" else source
    path = write(f"jobs/{source}/2026-09.txt", text)
    output = kstar(DONE, "ingest", "jobs", "--detect", path)
    assert f"job records of format {wanted}\n" in output and f"  sources.csv: {source},jobs,{wanted}\n" in output, output
    kstar(DONE, "ingest", "jobs", path)
equals({source: "sacct" if source == "bare" else source for source in JOBS}, remembered("jobs"))
equals("10", sql("SELECT count(*) FROM job"))

it("a later file in another format is refused with the row of sources.csv that it needs")
output = kstar(REFUSED, "ingest", "jobs", "--source", "sacct", write("jobs/sacct/2026-10.json", JOBS["kubernetes"]))
assert "it was read as sacct, and is of format kubernetes: sources.csv must have the row sacct,jobs,kubernetes" in output, output

it("records that fit two formats are refused with both rows, those of no format with the row to complete")
output = kstar(REFUSED, "ingest", "jobs", write("jobs/two/a.csv", "JobID,job_id,state,start,end,nodes\n1,1,COMPLETED,,,1\n"))
assert "may be of format sacct or csv, and fits both" in output and "two,jobs,sacct or two,jobs,csv" in output, output
output = kstar(REFUSED, "ingest", "jobs", write("jobs/none/a.txt", "some words\nand more\n"))
assert "add the row none,jobs,FORMAT to sources.csv, with one of sacct, sacct-json, csv" in output, output
for name, text in (("list.json", '{"TrainingJobSummaries": [{"TrainingJobName": "t", "TrainingJobStatus": "Completed"}]}'),
                   ("quiet.json", '{"apiVersion": "v1", "items": [], "kind": "List"}\n'), ("other.csv", "job_id;state;start;end;nodes\n")):
    output = kstar(REFUSED, "ingest", "jobs", write(f"jobs/none/{name}", text))
    assert f"{name}: no format recognises the file by its first record\n" in output, output
kstar(REFUSED, "ingest", "jobs", "--detect", WORK / "inbox/jobs/two/a.csv")

it("a file of which more than half of the records cannot be read is held; exactly half is loaded")
path = write("jobs/half/a.txt", SACCT + SACCT_ROW.format(1) + SACCT_ROW.format("x") + SACCT_ROW.format("y"))
output = kstar(ATTENTION, "ingest", "jobs", path)
assert "jobs/half/a.txt is held: 2 of the 3 rows of a.txt cannot be read; the first: line 3, column JobID" in output, output
equals("0", sql("SELECT count(*) FROM job JOIN delivery ON label = 'jobs/half/a.txt'"))
waiting = next(row for row in json.loads(kstar(DONE, "status", "--json"))["waiting"] if row["what"] == "held")
equals(("jobs/half/a.txt", "--accept"), (waiting["which"], waiting["how_much"]))
assert f"kstar ingest jobs --accept --source half {path}" in waiting["note"] and "kstar ingest jobs --accept" in output, (waiting, output)
kstar(ATTENTION, "ingest", "jobs", "--accept", path)
equals("2", sql("SELECT quarantined_rows FROM delivery WHERE label = 'jobs/half/a.txt'"))
equals("0", sql("SELECT count(*) FROM held_delivery"))
for place, code in (("nights/jobs/broken/a.txt", ATTENTION), ("nights/jobs/broken/b.txt", DONE)):
    text = SACCT + SACCT_ROW.format(1) + (SACCT_ROW.format("x") * 2 if code == ATTENTION else "")
    path = write(place, text)
    output = kstar(code, "nightly", path.parent.parent.parent, "--out", WORK / "night")
    held = sql("SELECT label, answers FROM held_delivery")
    assert (f"jobs/broken/a.txt|if it is right, let it in: kstar ingest jobs --accept {path}" == held) == (code == ATTENTION), held
    assert ("jobs/broken/a.txt is held" in output) == (code == ATTENTION), output
    path.unlink()
kstar(ATTENTION, "ingest", "jobs", write("jobs/half/b.txt", SACCT + SACCT_ROW.format(2) + SACCT_ROW.format("x")))
equals("1", sql("SELECT quarantined_rows FROM delivery WHERE label = 'jobs/half/b.txt'"))

FOCUS = "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory\n"
FOCUS_ROW = "{0},{0},{1},2026-09-01,2026-09-{2:02},2026-09-{3:02},Usage\n"
CUR = ("identity/LineItemId,bill/InvoiceId,bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,bill/PayerAccountId,"
       "lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/ProductCode,"
       "lineItem/UsageType,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/LineItemDescription\n"
       "a,INV,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,1,2,Usage,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,AmazonS3,x,1,USD,12.5,s\n")
GCP = ("invoice_month,usage_start_time,usage_end_time,cost,credits,currency,cost_type,sku_id\n"
       "202609,2026-09-01 00:00:00 UTC,2026-09-01 01:00:00 UTC,3.25,[],USD,regular,6F81\n")
AZURE = ("Date,ChargeType,CostInBillingCurrency,BillingCurrencyCode,SubscriptionId,MeterId,MeterCategory,Quantity,UnitOfMeasure,ResourceId,"
         "PricingModel\n09/01/2026,Usage,7.5,USD,s,m,Storage,1,1 GB,/r/1,OnDemand\n")

it("each bill is recognised without a row in sources.csv: FOCUS, AWS, Google Cloud, and Azure where its name says the dataset")
for source, wanted, text in (("focus", "focus", FOCUS + FOCUS_ROW.format(10, "USD", 1, 2)), ("aws", "aws-cur", CUR),
                                   ("google", "gcp", GCP), ("azure", "azure", AZURE)):
    for dataset in ("actual", "amortized") if source == "azure" else ("bill",):
        write(f"billing/{source}/2026-09/{dataset}.csv", text)
    kstar(DONE, "ingest", "billing", WORK / "inbox/billing" / source / "2026-09")
    equals(wanted, remembered("billing")[source])

it("Azure's dataset that no name says is refused with both rows; a CUR under a source of FOCUS with the row that it needs")
write("billing/either/2026-09/cost.csv", AZURE)
output = kstar(REFUSED, "ingest", "billing", WORK / "inbox/billing/either/2026-09")
assert "may be of format azure-actual or azure-amortized" in output, output
assert "either,billing,azure-actual or either,billing,azure-amortized" in output, output
write("billing/focus/2026-10/bill.csv", CUR)
output = kstar(REFUSED, "ingest", "billing", WORK / "inbox/billing/focus/2026-10")
assert "required columns missing" in output and "sources.csv must have the row focus,billing,aws-cur" in output, output
write("billing/nearly/2026-09/bill.csv", FOCUS.replace("ChargeCategory", "Category") + FOCUS_ROW.format(10, "USD", 1, 2))
output = kstar(REFUSED, "ingest", "billing", WORK / "inbox/billing/nearly/2026-09")
assert "required column missing: ChargeCategory" in output and "no format recognises the file; focus is the nearest" in output, output

it("a bill without a column that its format requires is asked for that column, not for those of FOCUS")
write("billing/lacking/2026-09/bill.csv", GCP.replace("credits", "other"))
output = kstar(REFUSED, "ingest", "billing", WORK / "inbox/billing/lacking/2026-09")
assert "no format recognises the file; of gcp, the nearest, it lacks credits" in output and "BilledCost" not in output, output
write("billing/console/2026-09/bill.csv", "Project name,Cost ($)\nmine,1.00\n")
output = kstar(REFUSED, "ingest", "billing", WORK / "inbox/billing/console/2026-09")
assert "docs/billing.md names the exports that kstar reads" in output, output

it("a bill of which more than half of the rows cannot be read is held, by file")
write("billing/torn/2026-09/a.csv", FOCUS + "".join(FOCUS_ROW.format(10, "USD", day, day + 1) for day in range(1, 9)))
write("billing/torn/2026-09/b.csv", FOCUS + FOCUS_ROW.format(10, "USD", 9, 10) + FOCUS_ROW.format("x", "USD", 9, 10) * 2)
output = kstar(ATTENTION, "ingest", "billing", WORK / "inbox/billing/torn/2026-09")
assert "2 of the 3 rows of b.csv cannot be read; the first: " in output and "kstar ingest billing --accept" in output, output
equals("2026-09-01", sql("SELECT unnest(billing_periods) FROM held_delivery WHERE source = 'torn'"))
kstar(ATTENTION, "ingest", "billing", "--accept", WORK / "inbox/billing/torn/2026-09")
equals("9|2", sql("SELECT row_count, quarantined_rows FROM delivery WHERE source = 'torn'"))

it("a long reason for holding a bill is cut between two characters, of three bytes as of one")
for number in range(3):
    name = "a" * number + "請求書データ" * 9 + ".csv"
    long = write(f"billing/long{number}/2026-09/{name}", FOCUS + FOCUS_ROW.format(number, "USD", 9, 10) + FOCUS_ROW.format("x" + "億" * 30, "USD", 9, 10) * 2)
    output = kstar(ATTENTION, "ingest", "billing", long.parent)
    assert f"2 of the 3 rows of {name} cannot be read; the first: {long}" in output, output
    # the name of a file is cut, too; what is printed is text all the same
    assert "quarantine " + name[:30] in kstar(ATTENTION, "ingest", "billing", "--dry-run", long.parent)
    equals(2, json.loads(kstar(ATTENTION, "ingest", "billing", "--dry-run", "--json", long.parent))["quarantined"])
equals("3", sql("SELECT count(*) FROM held_delivery WHERE source LIKE 'long%' AND reason LIKE '%…'"))

it("--dry-run shows rows, money and what would be quarantined, and changes nothing")
# by hand: 10.10 + 20.20 = 30.30 USD, 5 EUR, and a row of 7 USD whose charge period has no time
bill = write("billing/new/2026-09/bill.csv", FOCUS + FOCUS_ROW.format("10.10", "USD", 1, 2) + FOCUS_ROW.format("20.20", "USD", 2, 3) +
             FOCUS_ROW.format(5, "EUR", 2, 3) + "7,7,USD,2026-09-01,soon,2026-09-03,Usage\n")
jobs = write("jobs/new/a.txt", SACCT + SACCT_ROW.format(1) + SACCT_ROW.format(2) + SACCT_ROW.format("x"))
before = dump()
seen = json.loads(kstar(ATTENTION, "ingest", "billing", "--dry-run", "--json", bill.parent))
equals(("focus", 3, 1, "", [("2026-09-01", "USD", 2, "30.30", "30.30", "7"), ("2026-09-01", "EUR", 1, "5", "5", "0")]),
       (seen["format"], seen["rows"], seen["quarantined"], seen["held"],
        [tuple(row[key] for key in ("billing_period", "currency", "rows", "billed", "effective", "quarantined")) for row in seen["amounts"]]))
assert seen["quarantine"][0].startswith('bill.csv, line 5, column ChargePeriodStart: "soon" is not a time'), seen
output = kstar(ATTENTION, "ingest", "billing", "--dry-run", bill.parent)
assert "  2026-09-01 USD  billed 30.30, effective 30.30, quarantined 7; 2 rows\n" in output and "  nothing was changed\n" in output, output
seen = json.loads(kstar(ATTENTION, "ingest", "jobs", "--dry-run", "--json", jobs))
# two runs of a node and 12 hours each
equals(("sacct", 2, 1, "2026-09-10 00:00 to 2026-09-10 12:00, 24.0 node-hours"),
       tuple(seen[key] for key in ("format", "rows", "quarantined", "work")))
output = kstar(ATTENTION, "ingest", "jobs", "--dry-run", jobs)
assert "  quarantine line 4, column JobID: " in output and "  format     sacct, as the file shows\n" in output, output
kstar(REFUSED, "ingest", "billing", "--dry-run", WORK / "inbox/billing/nearly/2026-09")
equals(before, dump())
nodes = write("nodes/new/a.txt", "Cluster|NodeName|TimeStart|TimeEnd|InstanceId\nnew|n1|2026-09-01T00:00:00|Unknown|i-1\nnew|n2|soon|Unknown|i-2\n")
output = kstar(ATTENTION, "ingest", "nodes", "--source", "new", "--dry-run", nodes)
assert "1 node of source new, 1 quarantined" in output and "  nothing was changed\n" in output, output
seen = json.loads(kstar(DONE, "ingest", "efficiency", "--dry-run", "--json",
                        write("efficiency/new.csv", "family,k,metric,value\nllm,1,run_time,16\nllm,2,run_time,9\n")))
equals((2, True), (seen["rows"], seen["dry_run"]))
kstar(REFUSED, "ingest", "efficiency", "--dry-run", write("efficiency/none.csv", "family,k,metric,value\nllm,0,run_time,16\n"))
pools = write("reference/pools.csv", "pool,component,owner,split\nidle,idle,CC-1,keep\n")
centres = write("reference/cost_centres.csv", "cost_centre,name,gl_account\nCC-1,Research,6100\n")
kstar(REFUSED, "ingest", "reference", "--dry-run", pools)
output = kstar(DONE, "ingest", "reference", "--dry-run", pools, centres)
assert "reference: 2 rows of 2 files" in output and "  nothing was changed\n" in output, output
# a number that a delivery would have had is spent; nothing else
equals(*([line for line in lines if "setval(" not in line] for lines in (before, dump())))
assert "new" not in remembered("jobs") and "new" not in remembered("billing")

it("--detect follows a manifest: it looks at the parts that the manifest names, and at no other file")
folder = write("billing/cloud/2026-09/part-1.csv", CUR).parent
write("billing/cloud/2026-09/left-over.csv", "some words\n")
write("billing/cloud/2026-09/x-Manifest.json", json.dumps({"assemblyId": "a", "account": "1", "reportName": "x", "billingPeriod": {
    "start": "20260901T000000.000Z", "end": "20261001T000000.000Z"}, "reportKeys": ["x/20260901-20261001/a/part-1.csv", "x/part-2.csv"]}))
output = kstar(DONE, "ingest", "billing", "--detect", folder)
assert "part-1.csv: a bill of format aws-cur" in output and "left-over" not in output and "names x/part-2.csv, which is not there" in output, output
