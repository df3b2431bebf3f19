"""Files that are long in one place: many keys, folders in a name, tags of a line, pods of a job,
nodes of a record. Four times as much takes about four times as long, not sixteen times. What
kstar itself takes of a processor is measured, not the server."""

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from saying import it  # noqa: E402

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
# Start and connection, which every run has, and what a busy machine adds.
FREE_SECONDS, RATIO = 0.3, 7
# What is more than that is no bound any more: this is a multiple of what each of them takes.
MOST_SECONDS = 10 if "sanit" not in KSTAR and not os.environ.get("ASAN_OPTIONS") else 60


def bill(path, tags):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,Tags".split(","))
        for tag in tags:
            rows.writerow(["1.00", "1.00", "2026-09-01T00:00:00Z", "2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z", "Usage", "USD", tag])


def manifest(path, content):
    path.mkdir(parents=True)
    (path / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return "billing", path


def manifest_keys(path, count):
    return manifest(path, {"blobs": [], **{f"k{i}": i for i in range(count)}})


def manifest_parts(path, count):
    """Parts with as many folders in a name as it may have: each end is looked for."""
    (path / "a" / "a").mkdir(parents=True)
    (path / "manifest.json").write_text(json.dumps({"blobs": [{"blobName": "a/" * 30 + f"{i}.csv"} for i in range(count)]}), encoding="utf-8")
    return "billing", path


def manifest_folders(path, count):
    return manifest(path, {"blobs": [{"blobName": "a/" * count + "bill.csv"}]})


def manifest_files(path, count):
    """Two names for each file."""
    path.mkdir(parents=True)
    for i in range(count):
        (path / f"{i}.csv").touch()
    (path / "manifest.json").write_text(json.dumps({"blobs": [{"blobName": f"{folder}/{i}.csv"} for folder in "ab" for i in range(count)]}), encoding="utf-8")
    return "billing", path


def tags(path, count):
    bill(path / "bill.csv", ['{"team":"a"}'] * 9 + [json.dumps({f"k{i}": "" for i in range(count)})])
    return "billing", path


def pods(path, count):
    """Pods of one job, one after another on one node."""
    def at(seconds):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1788220800 + seconds))
    path.mkdir(parents=True)
    items = [{"apiVersion": "v1", "kind": "Pod", "metadata": {"uid": f"p{i}", "name": f"p{i}", "namespace": "lab", "creationTimestamp": at(i),
                                                              "ownerReferences": [{"uid": "j", "kind": "Job", "name": "j", "controller": True}]},
              "spec": {"nodeName": "n1", "containers": []}, "status": {"phase": "Running", "startTime": at(i)}} for i in range(count)]
    (path / "pods.json").write_text(json.dumps({"kind": "List", "items": items}), encoding="utf-8")
    return "jobs", path / "pods.json"


def node_lists(path, count):
    """Each names more than a record may."""
    path.mkdir(parents=True)
    rows = [f"{i}|2026-09-01T00:00:00|2026-09-01T01:00:00|COMPLETED|n[1-30000],n[1-36000]" for i in range(count)]
    (path / "jobs.txt").write_text("\n".join(["JobID|Start|End|State|NodeList", *rows, ""]), encoding="utf-8")
    return "jobs", path / "jobs.txt"


def workbook_cells(path, count):
    """Cells that share one long text."""
    import zipfile
    path.mkdir(parents=True)
    with zipfile.ZipFile(path / "review-2026-09.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", '<workbook xmlns:r="r"><sheets><sheet name="Flagged jobs" sheetId="1" r:id="rId1"/></sheets></workbook>')
        archive.writestr("xl/_rels/workbook.xml.rels", '<Relationships><Relationship Id="rId1" Type="t/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')
        archive.writestr("xl/sharedStrings.xml", "<sst><si><t>" + "x" * (count * 16) + "</t></si></sst>")
        archive.writestr("xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + '<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' * count
                         + "</sheetData></worksheet>")
    return "reference", path / "review-2026-09.xlsx"


def seconds(kind, path):
    source = [] if kind == "reference" else ["--source", path.parent.parent.name if path.is_file() else path.parent.name]
    process = subprocess.Popen([KSTAR, "ingest", kind, *source, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    output = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 3, 4), (kind, path, process.returncode, output[-1000:])
    return used.ru_utime + used.ru_stime


subprocess.run([KSTAR, "init", "--quiet"], check=True)
for make, count in ((manifest_keys, 20000), (manifest_folders, 100000), (manifest_parts, 4000), (manifest_files, 1500), (tags, 5000), (pods, 10000),
                    (node_lists, 1000), (workbook_cells, 3000)):
    it(make.__name__.replace("_", " "))
    few = seconds(*make(WORK / make.__name__ / "few", count))
    many = seconds(*make(WORK / make.__name__ / "many", 4 * count))
    print(f"  {count}: {few:.2f} s, {4 * count}: {many:.2f} s", flush=True)
    assert many < MOST_SECONDS and many < RATIO * max(few, FREE_SECONDS), f"{make.__name__}: {few:.2f} s, and {many:.2f} s for four times as much"
