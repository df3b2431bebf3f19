"""Deliveries: manifests and their parts, what waits, what is held and accepted, fewer parts, the
same again."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import published
from company import Company
from saying import expect, failures, processor_seconds

HEADER = ("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,"
          "InvoiceIssuerName,ServiceName\n")
DSN = published.new_database("delivery")


def line(day, cost, currency="USD"):
    start, end = f"2026-09-{day:02}T00:00:00Z", f"2026-09-{day:02}T23:00:00Z"
    return f"{cost},{cost},2026-09-01T00:00:00Z,{start},{end},Usage,{currency},Cloud Inc.,Servers\n"


def write(path, lines, packed=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = (HEADER + "".join(lines)).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    return path


def kstar(*arguments):
    return subprocess.run([os.environ["KSTAR"], *arguments, "--dsn", DSN], capture_output=True, text=True, check=False)


def ingest(folder, *options):
    return kstar("ingest", "billing", "--source", folder.name, folder, *options)


def billed(source):
    rows = published.query(f"SELECT sum(billed_cost)::text AS billed, count(*) AS lines FROM kstar.current_billing_line "
                           f"WHERE source = '{source}'", DSN)
    return rows[0]["billed"], int(rows[0]["lines"])


def aws_manifest():
    folder = WORK / "legacy"
    keys = [f"exports/bill/20260901-20261001/assembly-2/bill-{number:05}.csv.gz" for number in (1, 2, 3)]
    top = folder / "bill-Manifest.json"
    folder.mkdir()
    top.write_text(json.dumps({"assemblyId": "assembly-2", "reportKeys": keys, "billingPeriod": {"start": "20260901T000000.000Z"}}))
    write(folder / "assembly-1" / "bill-00001.csv.gz", [line(1, "999.00")], packed=True)
    (folder / "assembly-1" / "bill-Manifest.json").write_text(json.dumps(
        {"assemblyId": "assembly-1", "reportKeys": ["exports/bill/20260901-20261001/assembly-1/bill-00001.csv.gz"],
         "billingPeriod": {"start": "20260901T000000.000Z"}}))
    for number in (1, 2):
        write(folder / "assembly-2" / f"bill-{number:05}.csv.gz", [line(number, "20.00")], packed=True)
    done = ingest(folder)
    expect("a delivery waits for the parts that its manifest names", done.returncode == 4 and "bill-00003.csv.gz is not there" in done.stderr
           and billed("legacy") == ("", 0), done.stderr)
    write(folder / "assembly-2" / "bill-00003.csv.gz", [line(3, "20.00")], packed=True)
    done = ingest(folder)
    expect("complete, it is what the manifest nearest to the top names, and nothing else", billed("legacy") == ("60.00", 3), done.stderr)
    done = ingest(folder)
    expect("the same again is known", done.returncode == 0 and "already there" in done.stdout, done.stdout + done.stderr)


def part_named_twice():
    folder = WORK / "twice"
    write(folder / "bill-1.csv", [line(1, "10.00")])
    key = "exports/bill/20260901-20261001/assembly-1/bill-1.csv"
    (folder / "bill-Manifest.json").write_text(json.dumps({"reportKeys": [key, key]}))
    done = ingest(folder)
    expect("a manifest that names a part twice is refused, and says so", done.returncode == 3 and f"names {key} twice" in done.stderr
           and billed("twice") == ("", 0), done.stderr)
    (folder / "bill-Manifest.json").write_text(json.dumps({"reportKeys": ["a/bill-1.csv", "b/bill-1.csv"]}))
    done = ingest(folder)
    expect("two parts of one name are two, of which one is waited for", done.returncode == 4 and "b/bill-1.csv is not there" in done.stderr, done.stderr)


def no_parts():
    folder = WORK / "no-parts"
    folder.mkdir()
    manifest = {"blobCount": 0, "blobs": [], "runInfo": {"startDate": "2026-09-01", "submittedTime": "2026-09-01T05:00:00Z"}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for night in "first", "second":
        done = ingest(folder)
        expect(f"a manifest without parts delivers nothing, the {night} time", done.returncode == 0 and billed("no-parts") == ("", 0), done.stderr)
    write(folder / "part.csv", [line(1, "10.75")])
    blobs = [{"blobName": "part.csv"}]
    (folder / "manifest.json").write_text(json.dumps({**manifest, "blobCount": 1, "blobs": blobs}))
    done = ingest(folder)
    expect("and parts that it names later count", done.returncode == 0 and billed("no-parts") == ("10.75", 1), done.stderr)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    done = ingest(folder)
    expect("without them again it is held", done.returncode == 4 and "it has no line of 2026-09-01 any more" in done.stderr
           and billed("no-parts") == ("10.75", 1), done.stderr)


def data_exports_manifest():
    folder = WORK / "exports"
    for month in ("2026-08", "2026-09"):
        name = f"BILLING_PERIOD={month}"
        row = line(5, "7.00").replace("2026-09", month)
        write(folder / "data" / name / "export-00001.csv.gz", [row], packed=True)
        manifest = folder / "metadata" / name / "export-Manifest.json"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(json.dumps({"executionId": "x", "dataFiles": [f"s3://bucket/prefix/export/data/{name}/export-00001.csv.gz"]}))
    done = ingest(folder)
    expect("manifests of two periods count together; parts of one name stay separate", billed("exports") == ("14.00", 2), done.stderr)


def azure_manifest():
    folder = WORK / "azure"
    part = write(folder / "202609" / "run-1" / "part_0_0001.csv", [line(1, "4.00"), line(2, "5.00")])
    manifest = part.with_name("manifest.json")
    blob = {"blobName": "cost/202609/run-1/part_0_0001.csv", "byteCount": part.stat().st_size + 10, "dataRowCount": 2}
    manifest.write_text(json.dumps({"blobCount": 1, "blobs": [blob], "runInfo": {"startDate": "2026-09-01"}}))
    done = ingest(folder)
    expect("a part shorter than its manifest says is waited for", done.returncode == 4 and "bytes of" in done.stderr, done.stderr)
    blob["byteCount"] -= 10
    manifest.write_text(json.dumps({"blobCount": 2, "blobs": [blob], "runInfo": {"startDate": "2026-09-01"}}))
    done = ingest(folder)
    expect("a manifest that names fewer parts than it counts is refused", done.returncode == 3 and "blobCount is 2" in done.stderr, done.stderr)
    manifest.write_text('{"blobCount": 1,\n "blobs": [}')
    done = ingest(folder)
    expect("a manifest that is no JSON is refused with line and column", done.returncode == 3 and "line 2, column" in done.stderr, done.stderr)
    manifest.write_text(json.dumps({"blobCount": 1, "blobs": [blob], "runInfo": {"startDate": "2026-09-01"}}))
    done = ingest(folder)
    expect("Azure's manifest", done.returncode == 0 and billed("azure") == ("9.00", 2), done.stderr)
    blob["dataRowCount"] = 3
    manifest.write_text(json.dumps({"blobs": [blob], "runInfo": {"startDate": "2026-09-01"}}))
    part.write_bytes(part.read_bytes().replace(b"5.00", b"5.01"))
    done = ingest(folder)
    expect("a part with fewer rows than its manifest counts is refused", done.returncode == 3 and "2 records, but its manifest counts 3" in done.stderr
           and billed("azure") == ("9.00", 2), done.stderr)
    blob["blobName"] = "cost/202609/run-1/../../../secret.csv"
    manifest.write_text(json.dumps({"blobs": [blob]}))
    write(WORK / "secret.csv", [line(1, "1.00")])
    done = ingest(folder)
    expect("a key does not lead out of the folder", done.returncode == 4 and "secret.csv is not there" in done.stderr, done.stderr)


def azure_run(folder, start, end, submitted, lines, scope="subscriptions/s1", export="daily", dataset="ActualCost"):
    """A run of an export as Azure leaves it, in a folder of its own: part and manifest."""
    guid = f"{start}-{submitted}-{export}".replace(":", "")
    part = write(folder / "20260901-20260930" / guid / "part_0_0001.csv", lines)
    part.with_name("manifest.json").write_text(json.dumps({
        "exportConfig": {"exportName": export, "resourceId": f"/{scope}/providers/Microsoft.CostManagement/exports/{export}", "type": dataset},
        "runInfo": {"submittedTime": f"{submitted}T05:10:12.1032074Z", "startDate": f"{start}T00:00:00", "endDate": f"{end}T00:00:00Z"},
        "blobs": [{"blobName": f"{export}/20260901-20260930/{guid}/part_0_0001.csv", "byteCount": part.stat().st_size, "dataRowCount": len(lines)}]}))
    return part


def azure_runs():
    folder = WORK / "runs"
    for day in (3, 4, 5, 6):
        azure_run(folder, "2026-09-01", f"2026-09-{day:02}", f"2026-09-{day:02}", [line(d, "10.00") for d in range(1, day)])
    done = ingest(folder)
    expect("of the runs of a month, each with more of its days, the last counts alone", done.returncode == 0 and billed("runs") == ("50.00", 5), done.stderr)
    expect("and those before it are named", done.stderr.count("event=skipped") == 3 and all(
        f"2026-09-01-2026-09-{day:02}-daily/manifest.json" in done.stderr for day in (3, 4, 5)), done.stderr)
    azure_run(folder, "2026-09-01", "2026-09-06", "2026-09-07", [line(d, "11.00") for d in range(1, 6)])
    ingest(folder)
    expect("of two runs of the same days the one submitted last", billed("runs") == ("55.00", 5))
    azure_run(folder, "2026-09-01", "2026-09-30", "2026-09-02", [line(1, "10.00")], export="once")
    ingest(folder)
    expect("a run that could not know the days to come does not count for them, be it of another export of the same scope",
           billed("runs") == ("55.00", 5))
    azure_run(folder, "2026-10-01", "2026-10-02", "2026-10-02", [line(1, "7.00").replace("2026-09", "2026-10")])
    ingest(folder)
    expect("a run of the next month counts beside it", billed("runs") == ("62.00", 6))
    azure_run(folder, "2026-08-01", "2026-10-31", "2026-11-05", [line(1, "1.00").replace("2026-09", month) for month in ("2026-08", "2026-09", "2026-10")])
    done = ingest(folder, "--accept")
    expect("one over several months takes the place of all that lie within it", done.returncode == 0 and billed("runs") == ("3.00", 3), done.stderr)


    part = azure_run(folder, "2026-08-01", "2026-08-02", "2026-08-02", [line(1, "1.00")])
    part.with_name("manifest.json").write_text("{")
    done = ingest(folder)
    expect("one that cannot be read refuses all of them", done.returncode == 3 and "not JSON" in done.stderr, done.stderr)
    part.with_name("manifest.json").unlink()
    # Linux's file whose beginning is an I/O error
    part.with_name("manifest.json").symlink_to("/proc/self/mem")
    done = ingest(folder)
    expect("a manifest that the disk does not give is reported as such", done.returncode == 1 and "manifest.json: Input/output error" in done.stderr, done.stderr)


def azure_exports():
    folder = WORK / "exports-of-two"
    azure_run(folder, "2026-09-01", "2026-09-05", "2026-09-05", [line(1, "100.00")], scope="subscriptions/S1")
    azure_run(folder, "2026-09-01", "2026-09-05", "2026-09-05", [line(2, "7.00")], scope="subscriptions/s2", export="other")
    azure_run(folder, "2026-09-01", "2026-09-04", "2026-09-04", [line(1, "99.00")], scope="subscriptions/s1")
    done = ingest(folder)
    expect("exports of two subscriptions count together", done.returncode == 0 and billed("exports-of-two") == ("107.00", 2), done.stderr)
    folder = WORK / "halves"
    azure_run(folder, "2026-09-01", "2026-09-15", "2026-09-20", [line(2, "1.00")], export="first")
    azure_run(folder, "2026-09-16", "2026-09-30", "2026-10-02", [line(20, "2.00")], export="second")
    done = ingest(folder)
    expect("and so do the two halves of a month", done.returncode == 0 and billed("halves") == ("3.00", 2), done.stderr)
    azure_run(folder, "2026-09-10", "2026-09-20", "2026-10-02", [line(12, "4.00")], export="third")
    done = ingest(folder)
    expect("runs that share some of their days are refused, with both names", done.returncode == 3 and "counted twice" in done.stderr
           and "first/manifest.json" in done.stderr and "third/manifest.json" in done.stderr and billed("halves") == ("3.00", 2), done.stderr)


def aws_reports():
    folder = WORK / "reports"
    for account, name, cost in ("111", "bill", "111.00"), ("222", "bill", "222.00"), ("111", "more", "5.00"):
        key = f"{account}/{name}/20260901-20261001/{name}-00001.csv.gz"
        write(folder / key, [line(int(account[0]), cost)], packed=True)
        (folder / key).with_name(f"{name}-Manifest.json").write_text(json.dumps(
            {"account": account, "reportName": name, "reportKeys": [key], "billingPeriod": {"start": "20260901T000000.000Z"}}))
    for name, cost in ("one", "1.50"), ("two", "2.50"):
        data = f"{name}/data/BILLING_PERIOD=2026-09/{name}-00001.csv.gz"
        write(folder / data, [line(9, cost)], packed=True)
        manifest = folder / name / "metadata" / "BILLING_PERIOD=2026-09" / f"{name}-Manifest.json"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(json.dumps({"exportArn": f"arn:aws:bcm-data-exports:us-east-1:111:export/{name}", "dataFiles": [f"s3://bucket/{data}"]}))
    done = ingest(folder)
    expect("reports of two accounts, two of one account, and two data exports count together", done.returncode == 0
           and billed("reports") == ("342.00", 5), done.stderr)


def held():
    folder = WORK / "held"
    for day in range(1, 11):
        write(folder / f"part-{day:02}.csv", [line(day, "10.00")])
    ingest(folder)
    (folder / "part-10.csv").unlink()
    done = ingest(folder)
    expect("fewer days than before are held", done.returncode == 4 and "held" in done.stderr and "2026-09-10" in done.stderr
           and billed("held") == ("100.00", 10), done.stderr)
    rows = published.query("SELECT source, billing_periods[1] AS billing_period, reason FROM kstar.held_delivery WHERE source = 'held'", DSN)
    expect("the hold is remembered", len(rows) == 1 and rows[0]["billing_period"] == "2026-09-01", str(rows))
    loads = published.query("SELECT max(load_id) AS id FROM kstar.load", DSN)
    done = ingest(folder)
    expect("it stays held and is not loaded again", done.returncode == 4 and "held" in done.stderr
           and published.query("SELECT last_value AS id FROM kstar.load_load_id_seq", DSN)[0]["id"] >= loads[0]["id"], done.stderr)
    done = ingest(folder, "--accept")
    expect("accepted, it replaces every earlier part", done.returncode == 0 and billed("held") == ("90.00", 9)
           and published.query("SELECT * FROM kstar.held_delivery WHERE source = 'held'", DSN) == [], done.stderr)
    for day in range(1, 10):
        write(folder / f"part-{day:02}.csv", [line(day, "4.00")])
    done = ingest(folder)
    expect("far less money is held", done.returncode == 4 and "it bills USD 36, but USD 90 was there before" in done.stderr
           and billed("held") == ("90.00", 9), done.stderr)
    for day in range(1, 10):
        write(folder / f"part-{day:02}.csv", [line(day, "9.00")])
    done = ingest(folder)
    expect("another delivery takes the place of the held one", done.returncode == 0 and billed("held") == ("81.00", 9)
           and published.query("SELECT * FROM kstar.held_delivery WHERE source = 'held'", DSN) == [], done.stderr)
    write(folder / "part-01.csv", [line(1, "9.00"), line(1, "1.00", "EUR")])
    ingest(folder)
    write(folder / "part-01.csv", [line(1, "9.00")])
    done = ingest(folder)
    expect("a currency that goes is far less money of it", done.returncode == 4 and "it bills EUR 0, but EUR 1 was there before" in done.stderr, done.stderr)


def held_by_days_told():
    """The lines of a week or less, if any, say which days a bill covers; a correction
    speaks of another time."""
    day = lambda number, cost="10.00": line(number, cost).replace("T23:00:00Z", "T24:00:00Z")
    whole = "5.00,5.00,2026-09-01T00:00:00Z,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,Usage,USD,Cloud Inc.,Support\n"
    correction = (HEADER.replace("\n", ",ChargeClass\n"), "-2.00,-2.00,2026-09-01T00:00:00Z,2026-08-30T00:00:00Z,2026-08-31T00:00:00Z,Usage,USD,Cloud Inc.,"
                  "Servers,Correction\n")

    def deliver(name, *lines, more=None):
        folder = WORK / name
        write(folder / "bill.csv", lines)
        (folder / "more.csv").unlink(missing_ok=True)
        if more:
            (folder / "more.csv").write_text("".join(more))
        return ingest(folder)

    deliver("with-support", *map(day, range(1, 31)), whole)
    done = deliver("with-support", *map(day, range(1, 21)), whole)
    expect("a month of support does not hide that days are gone", done.returncode == 4 and billed("with-support") == ("305.00", 31)
           and "it covers 2026-09-01 to 2026-09-21, but 2026-09-01 to 2026-10-01 was there before" in done.stderr, done.stderr)
    done = deliver("with-support", *map(day, range(1, 31)))
    expect("nor is its going a day that is gone", done.returncode == 0 and billed("with-support") == ("300.00", 30), done.stderr)
    deliver("corrected", *(day(number, "9.00") for number in range(1, 20)), more=correction)
    done = deliver("corrected", *(day(number, "9.00") for number in range(1, 31)))
    expect("a correction of an earlier month covers no day of this one, and may go", done.returncode == 0 and billed("corrected") == ("270.00", 30),
           done.stderr)
    last_day = correction[1].replace("2026-08-30", "2026-09-30").replace("2026-08-31", "2026-10-01")
    done = deliver("corrected", *(day(number, "9.00") for number in range(1, 30)), more=[correction[0], last_day])
    expect("nor does one take the place of a day", done.returncode == 4
           and "it covers 2026-09-01 to 2026-09-30, but 2026-09-01 to 2026-10-01 was there before" in done.stderr, done.stderr)
    deliver("by-the-month", whole)
    done = deliver("by-the-month", whole, day(20, "7.00"))
    expect("one day beside it is no reason to hold it", done.returncode == 0 and billed("by-the-month") == ("12.00", 2), done.stderr)
    done = deliver("by-the-month", whole.replace("2026-10-01", "2026-09-20"))
    expect("a bill by the month covers what its lines do", done.returncode == 4 and "it covers 2026-09-01 to 2026-09-20, but 2026-09-01 to 2026-10-01"
           in done.stderr, done.stderr)
    # whose chunk says nothing of the days covered
    deliver("by-the-year", whole.replace("2026-10-01", "2027-09-01"))


def withdrawn():
    folder = WORK / "withdrawn"
    october = line(1, "5.00").replace("2026-09", "2026-10")
    write(folder / "part.csv", [line(1, "10.00"), line(2, "10.00"), october])
    ingest(folder)
    write(folder / "part.csv", [line(1, "10.00"), line(2, "10.00")])
    done = ingest(folder)
    expect("a period that a delivery no longer has stays, and is named", done.returncode == 0 and billed("withdrawn") == ("25.00", 3)
           and "event=period_left" in done.stderr and "period=2026-10-01" in done.stderr, done.stderr)
    write(folder / "part.csv", [line(1, "10.00"), line(2, "10.00"), october])
    ingest(folder)
    write(folder / "part.csv", [])
    done = ingest(folder)
    expect("headers without a row are held where there were rows", done.returncode == 4 and "held" in done.stderr
           and billed("withdrawn") == ("25.00", 3), done.stdout + done.stderr)
    done = ingest(folder, "--accept")
    expect("accepted, they take back every period of the delivery before", done.returncode == 0 and billed("withdrawn") == ("", 0),
           done.stdout + done.stderr)
    done = ingest(folder)
    expect("the same again is known, and nothing is held", done.returncode == 0 and "already there" in done.stdout, done.stdout + done.stderr)
    write(folder / "part.csv", [line(1, "10.00")])
    done = ingest(folder)
    expect("what is delivered then counts again", done.returncode == 0 and billed("withdrawn") == ("10.00", 1), done.stderr)
    empty = WORK / "first-of-all"
    write(empty / "part.csv", [])
    done = ingest(empty)
    expect("headers alone where nothing was before are no trouble", done.returncode == 0 and billed("first-of-all") == ("", 0), done.stderr)


ACCOUNTS = "BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BillingAccountId,SubAccountId,InvoiceId\n"


def bill(path, *lines):
    """A bill of the last day of September: cost, sub-account and, if there are any, invoice and
    billing account of each line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [(*entry, "", "")[:4] for entry in lines]
    path.write_text(ACCOUNTS + "".join(
        f"{cost},{cost},2026-09-01T00:00:00Z,2026-09-30T00:00:00Z,2026-10-01T00:00:00Z,Usage,USD,{payer},{account},{invoice}\n"
        for cost, account, invoice, payer in rows))
    return path.parent


def folder_beside(source, *deliveries):
    """What comes of each delivery, its name and its lines, in a folder of its own under one
    source."""
    return [kstar("ingest", "billing", bill(WORK / "billing" / source / name / "bill.csv", *lines)) for name, *lines in deliveries]


def folders_beside():
    first, second = folder_beside("subscriptions", ("2026-09-a", ("1000", "acct-a", "I-a")), ("2026-09-b", ("1000", "acct-b", "I-b")))
    expect("another folder that bills nothing of the accounts that it would take the place of is held, with both names", first.returncode == 0
           and second.returncode == 4 and "billing/subscriptions/2026-09-b is held" in second.stderr and "billing/subscriptions/2026-09-a" in second.stderr
           and "sub-account acct-a, which had USD 1000" in second.stderr and billed("subscriptions") == ("1000", 1), second.stderr)
    done = kstar("ingest", "billing", "--accept", WORK / "billing" / "subscriptions" / "2026-09-b")
    expect("accepted, it takes its place", done.returncode == 0 and billed("subscriptions") == ("1000", 1), done.stderr)
    *_, most = folder_beside("most", ("a", ("600", "acct-a"), ("30", "acct-c"), ("400", "")), ("b", ("1000", "acct-b"), ("30", "acct-c"), ("400", "")))
    expect("where both have lines of no account, and one in common, what most of the money was of decides", most.returncode == 4
           and "sub-account acct-a, which had USD 600" in most.stderr and billed("most") == ("1030", 3), most.stderr)
    days = folder_beside("daily", ("2026-09-05", ("10", "acct-a"), ("1", "acct-c")), ("2026-09-06", ("12", "ACCT-A"), ("5000", "acct-b")))
    expect("a day's export in its own folder goes through, also when a small account has ended and a large one begins",
           [done.returncode for done in days] == [0, 0] and billed("daily") == ("5012", 2), days[1].stderr)
    again = folder_beside("restated-accounts", ("2026-09", ("10", "acct-a", "I-1")), ("2026-09", ("10", "acct-b", "I-2")))
    expect("and so does what is restated in the same folder", [done.returncode for done in again] == [0, 0] and billed("restated-accounts") == ("10", 1), again[1].stderr)
    first, second = folder_beside("halls", ("hall-1", ("300", "", "C-1", "77")), ("hall-2", ("300", "", "C-2", "77")))
    expect("where no line names a sub-account, invoices decide", second.returncode == 4 and "invoice C-1, which had USD 300" in second.stderr
           and billed("halls") == ("300", 1), second.stderr)
    first, second = folder_beside("payers", ("one", ("300", "", "", "77")), ("two", ("300", "", "", "78")))
    expect("or billing accounts", second.returncode == 4 and "billing account 77, which had USD 300" in second.stderr, second.stderr)
    issued = folder_beside("issued", ("2026-09-30", ("310", "", "", "77")), ("2026-10-02", ("311", "", "C-1", "77")))
    expect("an invoice that was not issued before is no other one", [done.returncode for done in issued] == [0, 0] and billed("issued") == ("311", 1),
           issued[1].stderr)


def nightly():
    inbox = WORK / "inbox"
    folder = inbox / "billing" / "nightly" / "2026-09"
    write(folder / "part.csv", [line(1, "11.00"), line(2, "11.00")])
    kstar("nightly", inbox, "--out", WORK / "out")
    write(folder / "part.csv", [line(1, "11.00")])
    for number in (1, 2):
        done = kstar("nightly", inbox, "--out", WORK / "out")
        expect(f"night {number} goes on and says what waits", done.returncode == 4 and "waits       billing/nightly/2026-09 is held" in done.stdout,
               done.stdout + done.stderr)
    (inbox / "billing" / "nightly" / "2026-09").rename(WORK / "taken-out")
    done = kstar("nightly", inbox, "--out", WORK / "out")
    expect("what was taken out of the inbox is held no longer", done.returncode == 0 and billed("nightly") == ("22.00", 2)
           and published.query("SELECT * FROM kstar.held_delivery WHERE source = 'nightly'", DSN) == [], done.stdout + done.stderr)


def fewer_files():
    """Without a manifest nobody knows how many files there are to be: the night says when there are
    fewer, and loads what is there."""
    inbox = WORK / "of-five"
    folder = inbox / "billing" / "five" / "2026-09"
    parts = [write(folder / f"part-{number}.csv", [line(day, f"{number}.00") for day in (1, 2)]) for number in range(1, 6)]
    night = lambda: kstar("nightly", inbox, "--out", WORK / "out-of-five")
    done = night()
    expect("a first delivery has no fewer files", "fewer files" not in done.stdout, done.stdout + done.stderr)
    parts[2].unlink()
    done = night()
    expect("a folder that lost one of five files says so in the night's summary", done.returncode == 0 and billed("five") == ("24.00", 8)
           and "  fewer files billing/five/2026-09: 5 files before, 4 now; missing: part-3.csv\n" in done.stdout
           and done.stderr.count("event=fewer_files") == 1, done.stdout + done.stderr)
    done = night()
    expect("and not once more where nothing is new", "fewer files" not in done.stdout, done.stdout)
    parts[3].rename(folder / "part-6.csv")
    write(folder / "part-6.csv", [line(day, "4.50") for day in (1, 2)])
    done = night()
    expect("nor where another file has come in its place", "fewer files" not in done.stdout and billed("five") == ("25.00", 8), done.stdout)
    for part in (parts[0], parts[1]):
        part.unlink()
    done = kstar("ingest", "billing", "--json", folder, "--accept")
    expect("a load by hand reports it, too", json.loads(done.stdout).get("fewer_files") == "4 files before, 2 now; missing: part-1.csv, part-2.csv",
           done.stdout + done.stderr)


def ends_of_holds():
    """What is held waits for somebody while it lies in the night's inbox; where it never lay there,
    no night has anything to say of it."""
    company = Company("holds")
    bill = company.inbox / "billing/cloud/2026-09/bill.csv"
    copy = company.inbox / "billing/copy/bill.csv"

    def night(code):
        return company.kstar("nightly", company.inbox, "--out", company.out, code=code).stderr

    def held():
        return [row["label"] for row in published.query("SELECT label FROM kstar.held_delivery ORDER BY 1", company.dsn)]

    company.bill(("1 00:00", "10-01 00:00", "Usage", "100.00", "team=a", "Servers"))
    night(0)
    copy.parent.mkdir()
    shutil.copy(bill, copy)
    night(4)
    expect("a copy beside the folders of its source is held", held() == ["billing/copy"], held())
    night(4)
    expect("and while it lies there", held() == ["billing/copy"], held())
    copy.unlink()
    output = night(0)
    expect("taken away it is held no longer, though its folder stays", held() == [] and output.count("event=hold_ended") == 1, output)

    elsewhere = WORK / "exports" / "july"
    elsewhere.mkdir(parents=True)
    shutil.copy(bill, elsewhere)
    company.kstar("ingest", "billing", "--source", "other", elsewhere, code=4)
    output = night(0)
    expect("what was held by hand and never lay in the inbox stays held", held() == ["billing/other/july"] and "hold_ended" not in output, output)
    published.query("DELETE FROM kstar.held_delivery RETURNING label", company.dsn)

    shutil.copy(bill, copy)
    company.kstar("ingest", "billing", copy.parent, code=4)
    expect("by hand it is held as the night would", held() == ["billing/copy"], held())
    empty = WORK / "another-inbox"
    (empty / "billing").mkdir(parents=True)
    company.kstar("nightly", empty, "--out", company.out)
    expect("and no night on another inbox forgets it", held() == ["billing/copy"], held())
    shutil.rmtree(copy.parent)
    night(0)
    expect("but that on its own, once it is taken away", held() == [], held())

    was = bill.read_text()
    bill.write_text(was.replace("100.00", "10.00"))
    night(4)
    expect("a smaller bill is held", held() == ["billing/cloud/2026-09"], held())
    bill.write_text(was)
    night(0)
    expect("and not once the one that counts is there again", held() == [], held())


def refused_at_once():
    """Records without a job's columns are refused by their header; the rest is a hole, which takes
    no room."""
    taken = {}
    for size in (1 << 10, 8 << 30):
        path = WORK / "holes" / str(size)
        path.parent.mkdir(exist_ok=True)
        path.write_text("a,b,c\n")
        os.truncate(path, size)
        taken[size] = processor_seconds("ingest", "jobs", "--source", "holes", "--format", "csv", path, "--dsn", DSN, code=3)
    expect("a file that is refused at its beginning is not read to its end for its hash", taken[8 << 30] < 1 + 5 * taken[1 << 10], taken)


nightly()  # before there is more that a night works out
fewer_files()
aws_manifest()
part_named_twice()
no_parts()
data_exports_manifest()
azure_manifest()
azure_runs()
azure_exports()
aws_reports()
ends_of_holds()
held()
held_by_days_told()
withdrawn()
folders_beside()
refused_at_once()
sys.exit(1 if failures else 0)
