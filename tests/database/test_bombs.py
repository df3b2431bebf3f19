"""Small files that become large ones, and texts nested without end: refused or quarantined in
memory that stays flat."""

import gzip
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import it, sql

CLEAN, REFUSED, QUARANTINED = 0, 3, 4
MEBIBYTE = 1 << 20
# What a run of this program that reads next to nothing takes, and room for one record; the
# sanitizers' own memory comes on top.
FLAT = 300 * MEBIBYTE if "sanit" not in KSTAR and not os.environ.get("ASAN_OPTIONS") else 1 << 30
DEEP = 100000


def kstar(*arguments, code):
    """What it says; it has ended as expected and taken no more memory than it may."""
    with subprocess.Popen([KSTAR, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        output = running.stdout.read().decode("utf-8", "replace")
        _pid, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode in code, (arguments, running.returncode, output[-2000:])
    assert used.ru_maxrss * 1024 < FLAT, (arguments, used.ru_maxrss)
    return output


def refused(*arguments, words):
    output = kstar(*arguments, code=(REFUSED,))
    assert words in output, (arguments, output[-2000:])


def zeros(name, head, mebibytes=160, tail=b""):
    path = WORK / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(head)
        for _ in range(mebibytes):
            file.write(b" " * MEBIBYTE)
        file.write(tail)
    return path


def workbook(name, sheet, strings):
    """Parts are (head, what is repeated, how often, tail): this program stays small, for what it
    has in memory is counted as its child's."""
    path = WORK / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", '<workbook xmlns:r="r"><sheets><sheet name="Flagged jobs" sheetId="1" r:id="rId1"/></sheets></workbook>')
        archive.writestr("xl/_rels/workbook.xml.rels", '<Relationships><Relationship Id="rId1" Type="t/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')
        for part, (head, repeated, times, tail) in ("sharedStrings.xml", strings), ("worksheets/sheet1.xml", sheet):
            with archive.open("xl/" + part, "w") as file:
                file.write(head)
                for _ in range(times):
                    file.write(repeated)
                file.write(tail)
    return path


kstar("init", code=(CLEAN,))
BILL = ("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,Tags\n"
        "1.00,1.00,2026-09-01T00:00:00Z,2026-09-01T00:00:00Z,2026-09-02T00:00:00Z,Usage,USD,")

it("refuses gzip that expands without end: bills, job records of text and of JSON, measurements' traces")
refused("ingest", "billing", "--source", "bomb", zeros("bill.csv.gz", BILL.encode()), words="bill.csv.gz")
refused("ingest", "jobs", "--source", "bomb", zeros("jobs.txt.gz", b"JobID|State|Start|End|NNodes\n"), words="jobs.txt.gz")
refused("ingest", "jobs", "--source", "bomb", "--format", "sacct-json", zeros("jobs.json.gz", b'{"jobs": ['), words="jobs.json.gz")
output = kstar("model", "--trace", zeros("rank0.json.gz", b'{"traceEvents": ['), code=(REFUSED,))
assert "rank0.json.gz" in output, output
assert sql("SELECT count(*) FROM delivery") == "0", sql("SELECT * FROM delivery")

it("refuses JSON that is nested without end, by file, and quarantines such tags by line")
for name, form in ("jobs.json", "sacct-json"), ("pods.json", "kubernetes"), ("runs.jsonl", "jsonl"), ("ml.json", "sagemaker"):
    path = WORK / name
    path.write_text('{"jobs": ' + "[" * DEEP, encoding="utf-8")
    refused("ingest", "jobs", "--source", "bomb", "--format", form, path, words=name)
scenario = WORK / "scenario.json"
scenario.write_text('{"name": ' + "[" * DEEP + "]" * DEEP + "}", encoding="utf-8")
refused("report", "forecast", "--scenario", scenario, words="scenario.json")
folder = WORK / "billing" / "cloud" / "2026-09"
folder.mkdir(parents=True)
(folder / "bill.csv").write_text(f"{BILL}\n{BILL.splitlines()[1]}" + '"' + "[" * DEEP + '"\n' + BILL.splitlines()[1]
                                 + json.dumps(json.dumps({"a": "[" * 1000})).replace('\\"', '""') + "\n", encoding="utf-8")
output = kstar("ingest", "billing", "--source", "cloud", folder, code=(QUARANTINED,))
assert "bill.csv, line 3, column Tags" in output, output
(folder / "manifest.json").write_text('{"blobs": ' + "[" * DEEP, encoding="utf-8")
refused("ingest", "billing", "--source", "cloud", folder, words="manifest.json")

it("refuses a review workbook whose sheet or whose texts expand without end")
no_texts, no_rows = (b"<sst/>", b"", 0, b""), (b"<worksheet/>", b"", 0, b"")
rows = (b"<worksheet><sheetData>", b'<row r="1"><c r="A1"><v>1</v></c></row>' * 1000, 1000, b"</sheetData></worksheet>")
text = (b"<sst><si><t>", b"x" * MEBIBYTE, 100, b"</t></si></sst>")
texts = (b"<sst>", b"<si><t>some text that nobody reads</t></si>" * 1000, 4000, b"</sst>")
laughs = (b'<!DOCTYPE sst [<!ENTITY a0 "ha">' + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
          + b"]><sst><si><t>&a9;</t></si></sst>", b"", 0, b"")
for number, (sheet, strings) in enumerate(((rows, no_texts), (no_rows, text), (no_rows, texts), (no_rows, laughs))):
    name = f"review-2026-09 ({number}).xlsx"
    refused("ingest", "reference", workbook(name, sheet, strings), words=name)

it("refuses one whose cells repeat a long text, whose elements are nested without end, or whose tags and comments do not end")
cells = (b'<worksheet><sheetData><row r="1">', b'<c t="s"><v>0</v></c>', 60, b"</row></sheetData></worksheet>")
deep = (b"<worksheet>", b"<a>" * 100000, 100, b"")
comment = (b"<worksheet><!--", b"x" * MEBIBYTE, 10, b"--></worksheet>")
attribute = (b'<worksheet name="', b"x" * MEBIBYTE, 10, b'"/>')
long = (b"<sst><si><t>", b"x" * MEBIBYTE, 10, b"</t></si></sst>")
for name, sheet, strings, words in (("cells", cells, long, "a text of more than 256 KiB"), ("deep", deep, no_texts, "nested more than 100 deep"),
                                    ("comment", comment, no_texts, "a comment of more than 1024 KiB"),
                                    ("attribute", attribute, no_texts, "a tag or a comment of more than 1024 KiB")):
    refused("ingest", "reference", workbook(f"review-2026-09 ({name}).xlsx", sheet, strings), words=words)
