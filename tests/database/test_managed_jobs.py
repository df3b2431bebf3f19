"""Jobs of managed services: each form that a service writes is the same attempt, and the bill's
lines of a job's resource are the job's."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
SHARED = Path(os.environ.get("KSTAR_SHARED_DATA") or SOURCES.parent / "shared" / "data") / "jobs" / "managed"
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
from saying import rows_of

ARN = "arn:aws:sagemaker:us-east-1:123456789012:training-job/llm-7"


def ingest(name, documents, form, code=0, source="cloud-ml"):
    path = WORK / name
    path.write_text(documents if isinstance(documents, str) else "".join(json.dumps(each, indent=1) + "\n" for each in documents),
                    encoding="utf-8")
    done = subprocess.run([KSTAR, "ingest", "jobs", "--accept", "--source", source, "--format", form, str(path)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, (name, done.returncode, done.stdout, done.stderr)
    return done


def stored(columns="attempt_id, job_id, resource_id, job_name, state, submit_time, start_time, end_time, elapsed_seconds, node_count, "
                   "comment, run_group, provisional"):
    return rows_of(f"SELECT {columns} FROM kstar.job ORDER BY attempt_id")


def forget():
    rows_of("TRUNCATE kstar.delivery CASCADE; DELETE FROM kstar.job_hold; DELETE FROM kstar.job; DELETE FROM kstar.job_horizon")


def sagemaker(**changes):
    return {"TrainingJobName": "llm-7", "TrainingJobArn": ARN, "TrainingJobStatus": "Completed", "SecondaryStatus": "Completed",
            "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 4}, "CreationTime": "2026-09-08T00:00:00+00:00",
            "TrainingStartTime": "2026-09-08T02:00:00+02:00", "TrainingEndTime": "2026-09-08T03:00:00Z",
            "TrainingTimeInSeconds": 10800, "BillableTimeInSeconds": 3240, "EnableManagedSpotTraining": True,
            "Tags": [{"Key": "team", "Value": "vision"}, {"Key": "run_group", "Value": "llm"}], **changes}


print("- SageMaker: both versions of the command line, and the event, are one attempt")
ingest("v2.json", [sagemaker()], "sagemaker")
first = stored()
assert first[0][1:] == ("llm-7", ARN, "llm-7", "COMPLETED", "2026-09-08 00:00:00+00", "2026-09-08 00:00:00+00",
                        "2026-09-08 03:00:00+00", "10800", "4", "team=vision, run_group=llm", "llm", "f"), first
forget()
ingest("v1.json", [sagemaker(CreationTime=1788825600.0, TrainingStartTime=1788825600.25, TrainingEndTime=1788836400)], "sagemaker")
assert [row[:6] for row in stored()] == [row[:6] for row in first], stored()
forget()
ingest("event.json", [{"detail-type": "SageMaker Training Job State Change", "detail": sagemaker(
    CreationTime="1788825600000", TrainingStartTime="1788825600000", TrainingEndTime="1788836400000",
    Tags={"team": "vision", "run_group": "llm"})}], "sagemaker")
assert stored() == first, f"{stored()}\n{first}"

print("- each cause of an early end has its own state; instance groups are summed; a running job is provisional")
forget()
groups = {"InstanceGroups": [{"InstanceCount": 1, "InstanceGroupName": "head"}, {"InstanceCount": 8, "InstanceGroupName": "body"}]}
ingest("many.jsonl", [
    sagemaker(TrainingJobArn=ARN + "-a", TrainingJobStatus="Stopped", SecondaryStatus="MaxRuntimeExceeded", ResourceConfig=groups),
    sagemaker(TrainingJobArn=ARN + "-b", TrainingJobStatus="Stopped", SecondaryStatus="Stopped"),
    sagemaker(TrainingJobArn=ARN + "-c", TrainingJobStatus="InProgress", SecondaryStatus="Training", TrainingEndTime=None,
              TrainingTimeInSeconds=None),
    sagemaker(TrainingJobArn=ARN + "-d", TrainingJobStatus="InProgress", SecondaryStatus="Starting", TrainingStartTime=None,
              TrainingEndTime=None, TrainingTimeInSeconds=None)], "sagemaker")
assert sorted(stored("job_id, state, node_count, provisional")) == [
    ("llm-7-a", "TIMEOUT", "9", "f"), ("llm-7-b", "CANCELLED", "4", "f"), ("llm-7-c", "RUNNING", "4", "t"),
    ("llm-7-d", "RUNNING", "0", "f")], stored()

print("- the same runs under another source are held: they would count twice, and share the bill of one resource")
forget()
ingest("described.json", [sagemaker()], "sagemaker")
twice = WORK / "twice.json"
twice.write_text(json.dumps(sagemaker()), encoding="utf-8")
done = subprocess.run([KSTAR, "ingest", "jobs", "--source", "events", "--format", "sagemaker", str(twice)], capture_output=True, text=True, check=False)
assert done.returncode == 4 and "1 of its 1 runs are known as those of source cloud-ml" in done.stderr, done.stdout + done.stderr
twice.write_text(json.dumps(sagemaker(TrainingJobArn=ARN + "-else")), encoding="utf-8")
done = subprocess.run([KSTAR, "ingest", "jobs", "--source", "events", "--format", "sagemaker", str(twice)], capture_output=True, text=True, check=False)
assert done.returncode == 0 and len(stored()) == 2, done.stdout + done.stderr

print("- Vertex AI: whole numbers as text, nanoseconds, replicas of all pools")
forget()
vertex = {"name": "projects/1/locations/us/customJobs/77", "displayName": "bert", "state": "JOB_STATE_SUCCEEDED",
          "createTime": "2026-09-08T00:00:00.495575169Z", "startTime": "2026-09-08T00:10:00Z", "endTime": "2026-09-08T01:10:00Z",
          "labels": {"team": "vision"}, "jobSpec": {"workerPoolSpecs": [{"replicaCount": "1"}, {"replicaCount": "3"}]}}
ingest("vertex.json", [{"customJobs": [vertex, dict(vertex, name="projects/1/locations/us/customJobs/78", state="JOB_STATE_EXPIRED")],
                        "nextPageToken": ""}], "vertex")
assert sorted(stored("job_id, state, node_count, elapsed_seconds, comment")) == [
    ("77", "COMPLETED", "4", "3600", "team=vision"), ("78", "TIMEOUT", "4", "3600", "team=vision")], stored()

print("- the most and the longest tags that SageMaker takes are all in the comment")
forget()
tags = [{"Key": f"{number:02}" + "ä" * 126, "Value": "😀" * 256} for number in range(50)]
ingest("tags.json", [sagemaker(Tags=tags)], "sagemaker")
assert stored("comment") == [(", ".join(f"{tag['Key']}={tag['Value']}" for tag in tags),)]

print("- Azure Machine Learning: times of the run history beside the resource")
forget()
azure = {"id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.MachineLearningServices/workspaces/w/jobs/brave_sky_1",
         "name": "brave_sky_1", "systemData": {"createdAt": "2026-09-08T00:00:00.1234567Z", "createdBy": "Ann"},
         "properties": {"displayName": "gpt", "experimentName": "nlp", "status": "Canceled", "tags": {"team": "nlp"},
                        "resources": {"instanceCount": 2}, "startTimeUtc": "2026-09-08T00:05:00Z", "endTimeUtc": "2026-09-08T00:35:00Z"}}
ingest("azure.json", [{"value": [azure]}], "azureml")
assert stored("job_id, state, node_count, elapsed_seconds, account, user_name, job_name") == [
    ("brave_sky_1", "CANCELLED", "2", "1800", "nlp", "Ann", "gpt")], stored()

print("- Azure: a sweep, a pipeline and an AutoML job run on nothing themselves: the jobs are their children")
forget()
typed = [dict(azure, id=azure["id"] + name, properties={**azure["properties"], "jobType": kind})
         for name, kind in (("", "Sweep"), ("_0", "Command"), ("_p", "Pipeline"), ("_a", "AutoML"), ("_s", "Spark"))]
ingest("typed.json", [{"value": typed}], "azureml")
assert sorted(stored("job_id")) == [("brave_sky_1_0",), ("brave_sky_1_s",)], stored()

print("- what cannot be read is quarantined with its line and member")
forget()
bad = [sagemaker(TrainingJobArn=""), sagemaker(TrainingJobStatus=None), sagemaker(TrainingStartTime="soon"),
       sagemaker(ResourceConfig={}), sagemaker(TrainingEndTime="2026-09-07T00:00:00Z"),
       sagemaker(CreationTime="2026-09-08T00:00:00"), sagemaker()]
ingest("bad.jsonl", "".join(json.dumps(each) + "\n" for each in bad), "sagemaker", code=4)
assert rows_of("SELECT line_number, column_name FROM kstar.quarantined_row ORDER BY 1") == [
    ("1", "TrainingJobArn"), ("2", "TrainingJobStatus"), ("3", "TrainingStartTime"), ("4", "instances"), ("5", "TrainingEndTime"),
    ("6", "TrainingStartTime")], rows_of("SELECT line_number, column_name, reason FROM kstar.quarantined_row ORDER BY 1")

print("- the bill's lines of a job's resource are the job's, by rule 1")
forget()
inbox = WORK / "inbox"
case_page.write_common_reference(inbox)
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit"],
                                         ["8 00:00", "8 03:00", "120.00", ARN, "12", "Hours"],
                                         ["8 00:00", "8 03:00", "7.00", "arn:other", "1", "Hours"]], inbox)
(inbox / "jobs" / "ml").mkdir(parents=True)
(inbox / "jobs" / "ml" / "jobs.json").write_text(json.dumps(sagemaker(RoleArn="a")), encoding="utf-8")
case_page.write_input(["reference", "sources"], [["source", "kind", "format"], ["ml", "jobs", "sagemaker"], ["cloud", "billing", "focus"]], inbox)
done = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr
rows = rows_of("SELECT cost_centre, component, reason, sum(amount)::numeric(9,2) FROM kstar.statement_row GROUP BY 1, 2, 3 ORDER BY 1")
assert ("A", "unmeasured_hardware", "", "120.00") in rows and ("", "", "no rule matches", "7.00") in rows, rows
assert rows_of("SELECT round(price_per_node_hour::numeric, 6), k FROM kstar.job_result") == [("10.000000", "4")], rows_of("SELECT * FROM kstar.job_result")

print("- its instances are its nodes: their hours weigh pools and engineering time, and price a node whatever a service bills by")
# Eight instances for twelve hours at 272.00 an hour: one line an hour for instances, or
# accelerators (8 each), cores, memory: separate prices. 272 / 8 = 34.00 a node-hour. Node-hours:
# 96, 96, 96 without a bill of their own, and 48 of a job on four nodes: a pool of 672.00 is 2.00
# for each of them, and a team's 14,400 of engineering for the 288 of A are 50.00 for each.
NUMBER = "projects/1/locations/us/customJobs/4711"
hours = [(f"10 {hour:02}:00", f"10 {hour + 1:02}:00") for hour in range(12)]
inbox, dsn = WORK / "instances", published.new_database("instances")
case_page.write_common_reference(inbox)
case_page.write_input(["bill", "cloud"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "ServiceName", "SkuId"],
    *[[start, end, cost, resource, quantity, unit, "Servers", sku] for start, end in hours for cost, resource, quantity, unit, sku in (
        ("272.00", ARN, "8", "Hours", "P5"), ("192.00", NUMBER, "64", "Hours", "GPU"), ("50.00", NUMBER, "1664", "Hours", "CORE"),
        ("30.00", NUMBER, "14976", "GiB-Hours", "RAM"))],
    *[["10 00:00", "10 12:00", "60.00", f"i-{node}", "12", "Hours", "Servers", "P5"] for node in range(1, 5)],
    ["1 00:00", "10-01 00:00", "672.00", "", "", "", "Shared", ""]], inbox)
case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NNodes", "NodeList"],
                                      ["1", "b", "10 00:00", "10 12:00", "4", "n[1-4]"]], inbox)
for name, documents in (
        ("sm", [sagemaker(RoleArn="a", TrainingJobArn=arn, ResourceConfig={"InstanceCount": 8}, TrainingTimeInSeconds=43200,
                          TrainingStartTime="2026-09-10T00:00:00Z", TrainingEndTime="2026-09-10T12:00:00Z") for arn in (ARN, ARN + "-unbilled")]),
        ("vx", [dict(vertex, name=NUMBER, startTime="2026-09-10T00:00:00Z", endTime="2026-09-10T12:00:00Z", labels={"team": "a"},
                     jobSpec={"workerPoolSpecs": [{"replicaCount": "8"}]})])):
    (inbox / "jobs" / name).mkdir(parents=True)
    (inbox / "jobs" / name / "jobs.json").write_text("".join(json.dumps(each) for each in documents), encoding="utf-8")
for name, table in {
        "sources": [["source", "kind", "format"], ["sm", "jobs", "sagemaker"], ["vx", "jobs", "vertex"], ["cloud", "billing", "focus"]],
        "mapping_rules": [["priority", "match", "pattern", "cost_centre"], ["1", "job_account", "a", "A"], ["2", "job_account", "b", "B"],
                          ["3", "job_comment", "team=a", "A"]],
        "nodes": [["cluster", "node", "resource_id"], *[["c", f"n{node}", f"i-{node}"] for node in range(1, 5)]],
        "pools": [["pool", "component", "owner", "split", "basis"], ["store", "fixed_overhead", "P", "proportional", "node_hours"]],
        "pool_rules": [["priority", "match", "pattern", "pool"], ["1", "service_name", "Shared", "store"]],
        "engineering": [["name", "cost_centre", "hours", "hourly_rate", "currency", "carrier", "valid_from", "valid_to"],
                        ["tuning", "A", "96", "150", "USD", "P", "2026-09-01", "2026-10-01"]]}.items():
    case_page.write_input(["reference", name], table, inbox)
done = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "instances-out"), "--dsn", dsn], capture_output=True, text=True,
                      check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr
priced = published.query("SELECT job_id, k, node_hours, unpriced_node_hours AS unpriced, round(price_per_node_hour::numeric, 6) AS price, "
                         "fixed_overhead_minor AS fixed, engineering_overhead_minor AS engineering "
                         "FROM kstar.job_result JOIN kstar.job USING (attempt_id) ORDER BY 1", dsn)
assert [tuple(row.values()) for row in priced] == [
    ("1", "4", "48", "0", "5.000000", "9600", "0"), ("4711", "8", "96", "0", "34.000000", "19200", "480000"),
    ("llm-7", "8", "96", "0", "34.000000", "19200", "480000"), ("llm-7-unbilled", "8", "96", "96", "", "19200", "480000")], priced

print("- pages spread its cost over the days that it ran")
with (WORK / "instances-out" / "lines-2026-09-A.csv").open(encoding="utf-8", newline="") as file:
    days = [(row["job_id"], row["day"], row["sku"], row["node_hours"]) for row in csv.DictReader(file) if row["kind"] == "job"]
assert sorted(days) == [(job, "2026-09-10", "managed service", "96.00") for job in ("4711", "llm-7", "llm-7-unbilled")], days

if not SHARED.is_dir():
    print(f"- skipped: {SHARED.name} of ../shared is not there")
else:
    print("- real samples are read; the one without a zone by that of its source")
    forget()
    for name in ("sagemaker-describe-training-job-gluonts-test-excerpt.json", "sagemaker-eventbridge-training-job-doc-sample.json"):
        ingest(name, (SHARED / name).read_text(encoding="utf-8"), "sagemaker")
    assert sorted(stored("job_name, state, node_count, elapsed_seconds, start_time")) == [
        ("89c96cc8-dded-4739-afcc-6f1dc936701d", "COMPLETED", "3", "0", "2020-03-10 09:18:09.05+00"),
        ("dummy-job-1", "COMPLETED", "1", "801", "2021-05-21 07:21:11+00")], stored()
