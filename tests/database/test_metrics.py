"""The file for Prometheus: parsed here by the rules of its text format (and by promtool where there
is one), its values held against the database; whole or not at all; there, too, when there was no
database."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import case_page  # noqa: E402
from company import Company  # noqa: E402
from saying import equals, it, sql  # noqa: E402

KSTAR = os.environ["KSTAR"]
WORK = pathlib.Path(os.environ["WORK"])
INBOX, OUT, FILE = WORK / "inbox", WORK / "out", WORK / "metrics" / "kstar.prom"
EVIL = 'x"} 1 \\ \ny'
SAMPLE = re.compile(r'([a-z_:][a-z0-9_:]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (-?[0-9.]+(?:e[-+]?[0-9]+)?)')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"')
UNESCAPED = {'\\"': '"', "\\\\": "\\", "\\n": "\n"}


def night(*options):
    return subprocess.run([KSTAR, "nightly", INBOX, "--out", OUT, "--metrics", FILE, *options], capture_output=True, text=True, check=False)


def metrics():
    """name → {labels: value}; that the file is in order is seen to on the way."""
    text = FILE.read_text()
    assert text.endswith("\n"), text
    found, helped, typed, current = {}, set(), set(), None
    for line in text.split("\n")[:-1]:
        if match := re.fullmatch(r"# HELP ([a-z_]+) \S.*", line):
            assert match[1] not in helped, line
            helped.add(match[1])
        elif match := re.fullmatch(r"# TYPE ([a-z_]+) gauge", line):
            assert match[1] not in typed and match[1] not in found, line
            typed.add(match[1])
            current = match[1]
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            equals(current, match[1])  # the samples of a metric stand together, below its type
            labels = tuple((name, re.sub(r'\\["\\n]', lambda escape: UNESCAPED[escape[0]], value)) for name, value in LABEL.findall(match[2] or ""))
            assert labels not in found.setdefault(current, {}), line
            found[current][labels] = float(match[3])
    equals(helped, typed)
    if promtool := shutil.which("promtool"):
        equals("", subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, check=True).stdout)
    return found


def of(found, name, **labels):
    return found[name][tuple(sorted(labels.items()))]


shutil.copytree(pathlib.Path(os.environ["KSTAR_SOURCE_DIR"]) / "fixtures" / "inbox", INBOX)
(INBOX / "jobs" / "fjord").rename(INBOX / "jobs" / EVIL)
FILE.parent.mkdir()
FILE.write_text("of another time\n")

it("says how the night went")
before = time.time()
equals(4, night().returncode)
found = metrics()
version = subprocess.run([KSTAR, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
equals({(("version", version),): 1.0}, found["kstar_build_info"])
equals(4, of(found, "kstar_last_run_exit_code"))
assert int(before) <= of(found, "kstar_last_run_end_timestamp_seconds") <= time.time()
equals(float(sql("SELECT floor(extract(epoch FROM ended_at)) FROM run_ledger")), of(found, "kstar_last_run_success_timestamp_seconds"))
assert abs(of(found, "kstar_last_run_duration_seconds") - float(sql("SELECT seconds FROM run_ledger"))) < 2
equals(3317, of(found, "kstar_stage_rows", stage="billing"))
equals(float(sql("SELECT seconds FROM run_stage WHERE stage = 'publish'")), of(found, "kstar_stage_duration_seconds", stage="publish", subject="2026-09"))
equals(sum(path.stat().st_size for path in OUT.iterdir() if path.suffix in (".xlsx", ".csv", ".html")), of(found, "kstar_stage_bytes", stage="workbooks", subject="2026-09"))

it("says what waits, with whatever names")
equals(1, of(found, "kstar_quarantined_rows", kind="billing", source="fjordhall"))
equals(0, of(found, "kstar_quarantined_rows", kind="jobs", source=EVIL))
equals(float(sql("SELECT extract(epoch FROM max(horizon)) FROM job_horizon WHERE source LIKE 'x%'")),
       of(found, "kstar_source_covered_to_timestamp_seconds", kind="jobs", source=EVIL))
equals((1, 1, 0, 0), tuple(of(found, name) for name in ("kstar_months_open", "kstar_months_held", "kstar_deliveries_refused", "kstar_deliveries_waiting")))
equals({row.split("|")[0]: float(row.split("|")[1]) for row in sql("SELECT reason, sum(minor_units) / 100.0 FROM statement_row WHERE block = 'invoice' AND line_type = 'unallocated' "
                                                                   "GROUP BY reason").split("\n")},
       {dict(labels)["reason"]: value for labels, value in found["kstar_unallocated_amount"].items()})
equals(float(sql("SELECT sum(minor_units) / 100.0 FROM statement_row WHERE block = 'invoice'")), of(found, "kstar_statement_amount", month="2026-09", currency="USD"))

it("appears whole, for owner and group alone, with nothing beside it")
equals(0o640, stat.S_IMODE(FILE.stat().st_mode))
equals(["kstar.prom"], os.listdir(FILE.parent))

it("says by when each source that is expected should come, and whether it is late")
assert "kstar_source_late" not in found
(INBOX / "reference" / "sources.csv").write_text("source,kind,format,expected_within_hours\nalder,billing,focus,26\nelsewhere,billing,focus,26\n")
night()
found = metrics()
equals({(("kind", "billing"), ("source", "alder")): 26 * 3600 + float(sql("SELECT extract(epoch FROM settled_at) FROM run_delivery WHERE source = 'alder'"))},
       found["kstar_source_expected_by_timestamp_seconds"])
equals((0, 1), tuple(of(found, "kstar_source_late", kind="billing", source=source) for source in ("alder", "elsewhere")))

it("counts what was refused, and keeps the time of the last success")
(INBOX / "billing" / "alder" / "2026-10").mkdir()
(INBOX / "billing" / "alder" / "2026-10" / "bill.csv").write_text("BilledCost\n1\n")
success = of(found, "kstar_last_run_success_timestamp_seconds")
equals(3, night().returncode)
found = metrics()
equals((3, 1, success), tuple(of(found, name) for name in ("kstar_last_run_exit_code", "kstar_deliveries_refused", "kstar_last_run_success_timestamp_seconds")))
equals((1, 0), tuple(of(found, "kstar_stage_failed", stage=stage) for stage in ("billing", "jobs")))

it("says that there was no database, with the last success that the file had")
equals(7, night("--dsn", f"host={WORK} dbname=nobody").returncode)
found = metrics()
equals((7, success), tuple(of(found, name) for name in ("kstar_last_run_exit_code", "kstar_last_run_success_timestamp_seconds")))
assert "kstar_months_open" not in found

it("a night that finds another at work leaves what that one says")
was = FILE.read_bytes()
with open(OUT / ".kstar.lock", "r+") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    equals(6, night().returncode)
equals(was, FILE.read_bytes())

it("warns where it cannot be written, and the night is what it is")
shutil.rmtree(INBOX / "billing" / "alder" / "2026-10")
shutil.rmtree(FILE.parent)
FILE.parent.write_text("no folder")
warned = night()
equals(0, warned.returncode)
equals(1, sum("level=warning" in line and "event=metrics" in line for line in warned.stderr.splitlines()))

it("replaces no device, link or folder: as root it would be gone for everybody")
FILE.parent.unlink()
FILE.parent.mkdir()
for make in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/null", path)):
    make(FILE)
    refused = night()
    equals((2, True), (refused.returncode, f"--metrics {FILE} is a folder, a link or a device" in refused.stderr))
    assert not stat.S_ISREG(os.lstat(FILE).st_mode)
    os.rename(FILE, FILE.with_name(make.__name__))

it("counts a row that could not be read until another bill has taken its place")
company = Company("replaced")
BILL = ["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "Tags", "ServiceName"]


def quarantined(folder, *rows):
    """A night with another folder of the same bill: the metric, what status says of the source and
    of what waits, and what ingest quarantine lists."""
    path = company.inbox / "billing" / "cloud" / folder / "bill.csv"
    case_page.write_csv(path, case_page.bill_rows("2026-07", [BILL, *rows]))
    company.kstar("nightly", company.inbox, "--out", company.out, "--metrics", company.out / "replaced.prom", code=4 if len(rows) > 1 else 0)
    status = json.loads(company.kstar("status", "--json").stdout)
    metric = re.search(r'kstar_quarantined_rows\{kind="billing",source="cloud"\} (.*)', (company.out / "replaced.prom").read_text())[1]
    return (metric, [row["quarantined"] for row in status["sources"]], [row["how_much"] for row in status["waiting"] if row["what"] == "quarantined"],
            len(company.kstar("ingest", "quarantine", "--json").stdout.splitlines()))


READ = ["2026-07-01T00:00:00Z", "2026-08-01T00:00:00Z", "Usage", "100", "team=a", "Storage"]
UNREAD = ["2026-07-01T00:00:00Z", "not a time", "Usage", "7", "team=a", "Storage"]
equals(("1", [1], ["1 row"], 1), quarantined("2026-07-15", READ, UNREAD))
equals(("0", [0], [], 0), quarantined("2026-07-31", READ))
equals(("2", [2], ["2 rows"], 2), quarantined("2026-08-02", READ, READ, UNREAD, UNREAD))
