"""kstar ingest billing --detect: what a file is, why, and what to write into sources.csv; without a
database."""

import gzip
import json
import os
import subprocess
from pathlib import Path
from saying import it

KSTAR = os.environ["KSTAR"]
WORK = Path(os.environ["WORK"])
DATA = Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data"
if "KSTAR_SHARED_DATA" in os.environ:
    DATA = Path(os.environ["KSTAR_SHARED_DATA"])
FOUND, UNDECIDED = 0, 3
FOCUS = "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory"
FOCUS_ROW = "1,1,USD,2026-09-01T00:00:00Z,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,Usage"
GCP = "invoice_month,usage_start_time,usage_end_time,cost,credits,currency,cost_type,sku_id"
GCP_ROW = "202609,2026-09-01 00:00:00 UTC,2026-09-01 01:00:00 UTC,1,[],USD,regular,6F81"


def equals(expected, actual):
    assert expected == actual, f"\nexpected: {expected!r}\ngot:      {actual!r}"


def run(*arguments):
    environment = {**os.environ, "KSTAR_DATA_DIR": "/nonexistent"}
    return subprocess.run([KSTAR, "ingest", "billing", "--detect", *map(str, arguments)], capture_output=True, text=True,
                          env=environment, check=False)


def write(name, content):
    path = WORK / "inbox" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def detect(code, path, *arguments):
    result = run("--json", *arguments, path)
    assert result.returncode == code, f"ended with {result.returncode}, not {code}\n{result.stdout}{result.stderr}"
    found, = json.loads(result.stdout)
    return found


it("knows FOCUS and Google's export by their columns, however the header spells them")
found = detect(FOUND, write("acme/bill.csv", f"{FOCUS}\n{FOCUS_ROW}\n"))
equals(("focus", "1.0", False, ",", "acme,billing,focus,,,", []),
       tuple(found[key] for key in ("format", "version", "gzip", "delimiter", "sources_csv", "against")))
found = detect(FOUND, write("google/bill.csv.gz", gzip.compress(f"{GCP}\n{GCP_ROW}\n".encode())), "--source", "g")
equals(("gcp", True, "g,billing,gcp,,,", []), tuple(found[key] for key in ("format", "gzip", "sources_csv", "against")))
best, = [fit for fit in found["formats"] if fit["format"] == "gcp"]
equals((8, 0, found["formats"][0]), (best["known"], best["missing"], best))
assert "cost_type" in best["only_its_columns"], best

it("guesses the version of FOCUS from the columns that came and went")
for columns, version in [("", "1.0"), (",SkuMeter", "1.1"), (",InvoiceId", "1.2"), (",ServiceProviderName,ProviderName", "1.3"),
                         (",ServiceProviderName", "1.4"), (",InvoiceDetailId", "1.4"), (",x_InvoiceDetailId,Id", "1.0")]:
    row = FOCUS_ROW + "," * columns.count(",")
    equals(version, detect(FOUND, write("versions/bill.csv", f"{FOCUS}{columns}\n{row}\n"))["version"])
found = detect(FOUND, write("versions/bill.csv", f"{FOCUS},InvoiceDetailId,ProviderName\n{FOCUS_ROW},,\n"))
equals(["column ProviderName: FOCUS 1.4 no longer has it"], found["against"])

it("says what speaks against a file of a known format")
found = detect(FOUND, write("dates/bill.csv", f"{FOCUS}\n{FOCUS_ROW}\n{FOCUS_ROW.replace('2026-09-01T00', '9/1/26', 1)}\n"))
equals(['1 of the first 2 rows cannot be read; the first: line 3, column BillingPeriodStart: "9/1/26:00:00Z" is not a time '
        "such as 2026-09-01T00:00:00Z"], found["against"])
equals(["no row behind the header"], detect(FOUND, write("bare/bill.csv", FOCUS + "\n"))["against"])
found = detect(FOUND, write("semicolon/bill.csv", f"{FOCUS}\n{FOCUS_ROW}\n".replace(",", ";")))
equals((";", ["its columns are separated by ';': bills are read with commas"]), (found["delimiter"], found["against"]))
found = detect(FOUND, write("currency/bill.csv", f"{FOCUS}\n{FOCUS_ROW}\n".replace("BillingCurrency", "x_Currency")))
equals((["no column of a currency: sources.csv must give the source a billing_currency"], "currency,billing,focus,,CURRENCY,"),
       (found["against"], found["sources_csv"]))

it("says of a file that is no bill of a known format what it lacks")
found = detect(UNDECIDED, write("lacking/bill.csv", f"{FOCUS}\n".replace("EffectiveCost,", "").replace(",ChargeCategory", "")))
equals((None, "no bill of a known format"), (found["format"], found["what"]))
nearest = found["formats"][0]
equals(("focus", "EffectiveCost, ChargeCategory", 5), (nearest["format"], nearest["missing_columns"], nearest["known"]))

found = detect(UNDECIDED, write("twice/bill.csv", f"{FOCUS},BilledCost\n"))
nearest = found["formats"][0]
assert nearest["format"] == "focus" and "column BilledCost stands twice" in nearest["refused"], nearest

it("chooses neither of two formats whose columns are all there")
both = f"{FOCUS},{GCP}\n"
found = detect(UNDECIDED, write("tie/bill.csv", both.replace(",sku_id", "")))
equals((None, "a tie: its columns are as much focus's as gcp's"), (found["format"], found["what"]))
equals("gcp", detect(FOUND, write("tie/bill.csv", both))["format"])

COMMITMENTS = ("ContractCommitmentId,ContractCommitmentCategory,ContractCommitmentType,ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd,"
               "ContractCommitmentCost,ContractId,BillingCurrency")

it("names what is no bill")
for name, content, what in [
        ("aws-Manifest.json", '{"assemblyId": "a", "reportKeys": ["x.csv.gz"]}', "the manifest of an AWS Cost and Usage Report"),
        ("export-Manifest.json", '{"dataFiles": []}', "the manifest of an AWS Data Export"),
        ("manifest.json", '\ufeff {"blobCount": 1, "blobs": []}', "the manifest of an Azure Cost Management export"),
        ("other.json", "[1]", "JSON, and no manifest that is known"),
        ("empty.csv", b"", "an empty file"),
        ("bill.parquet", b"PAR1\0\0", "a Parquet file, not text"),
        ("bill.xlsx", b"PK\x03\x04\0\0", "a ZIP file or a workbook, not text"),
        ("wide.csv", "a,b".encode("utf-16"), "UTF-16 text; kstar reads UTF-8"),
        ("jobs.txt", "JobID|State|Start|End|NNodes|Account\n1|COMPLETED||||\n", "job records of sacct"),
        ("commitments.csv", f"{COMMITMENTS}\n", "FOCUS's contract commitments, which are terms and no charges"),
        ("words.txt", "some words\n", "no bill of a known format")]:
    found = detect(UNDECIDED, write(f"what/{name}", content))
    equals((None, what), (found["format"], found["what"]))
assert "not readable" in detect(UNDECIDED, write("what/cut.csv.gz", gzip.compress(b"a,b\n" * 1000)[:-9]))["what"]
result = run(WORK / "nothing.csv")
assert result.returncode == 3 and "No such file" in result.stderr, result.stderr

it("prints the same in words, file by file and folder by folder, in byte order, and says so by the exit code")
folder = WORK / "inbox" / "words"
write("words/b.csv", f"{FOCUS}\n{FOCUS_ROW}\n")
write("words/a.json", "{}")
result = run(folder, folder / "b.csv")
equals(UNDECIDED, result.returncode)
equals([f"{folder}/a.json: JSON, and no manifest that is known", f"{folder}/b.csv: a bill of format focus, version 1.0",
        f"{folder}/b.csv: a bill of format focus, version 1.0"],
       [line for line in result.stdout.splitlines() if line.startswith("/")])
assert "  because    it knows 7 of the 7 columns, and all that it requires are there\n" in result.stdout, result.stdout
assert "  sources.csv: words,billing,focus,,,\n" in result.stdout, result.stdout
equals(result.stdout, run(folder, folder / "b.csv").stdout)

it("holds no other data of FOCUS against the rules of bills")
commitments = write("check/commitments.csv", f"{COMMITMENTS}\n")
result = subprocess.run([KSTAR, "ingest", "billing", "--check", commitments], capture_output=True, text=True, check=False)
assert result.returncode == 3 and "this is FOCUS's contract commitments" in result.stderr and result.stdout == "", result

it("proposes no name of a run or of its days as a source, but the folder above, or none")
RUN = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
for place, source in ((f"daily/{RUN}", "daily"), (f"daily/20260901-20260930/{RUN}", "daily"), (f"daily/20260901-20260930/{RUN.upper()}/", "daily"),
                      ("daily/20260901-20261001", "daily"), (f"daily/{RUN}x", f"{RUN}x"), ("daily/2026-09", "2026-09")):
    found = detect(FOUND, write(f"{place}/bill.csv", f"{FOCUS}\n{FOCUS_ROW}\n"))
    equals(f"{source},billing,focus,,,", found["sources_csv"])
equals("x,billing,focus,,,", detect(FOUND, write(f"{RUN}/bill.csv", f"{FOCUS}\n{FOCUS_ROW}\n"), "--source", "x")["sources_csv"])

it("ends with 3 for a folder in which there is nothing to look at: one above the deliveries, or one that is empty")
write("above/2026-09/b.csv", f"{FOCUS}\n{FOCUS_ROW}\n")
(WORK / "inbox" / "empty").mkdir()
for folder in WORK / "inbox" / "above", WORK / "inbox" / "empty":
    for option in "--detect", "--check":
        result = subprocess.run([KSTAR, "ingest", "billing", option, folder], capture_output=True, text=True, check=False)
        assert result.returncode == 3 and f"{folder}: no file to look at" in result.stderr and result.stdout == "", (option, result)

if not DATA.is_dir():
    print("- skipped: ../shared/data (published bills) is not there")
else:
    it("knows published bills")
    for path, version in [("focus-1.0-real/focus_sample.csv", "1.0"), ("focus-1.2-generated/focus_1_2_cost_and_usage_aws.csv", "1.2"),
                          ("focus-1.2-generated/focus_1_2_cost_and_usage_azure.csv", "1.2")]:
        found = detect(FOUND, DATA / "billing" / path)
        equals(("focus", version, []), (found["format"], found["version"], found["against"]))

it("calls the source by its place in an inbox, as ingesting it would")
write("billing/cloud/2026-09/part.csv", f"{FOCUS}\n{FOCUS_ROW}\n")
assert "  sources.csv: cloud,billing,focus,,,\n" in run(WORK / "inbox" / "billing" / "cloud" / "2026-09").stdout
