"""Links in the inbox. Whoever may write there may name any file that kstar can read: nothing of
such a file is shown anywhere."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from nights import FIXTURES, INBOX, KSTAR, WORK, finish  # noqa: E402
from saying import equals, it, sql  # noqa: E402

REFUSED = 3
SECRET = "horse-battery-staple"
OUT = WORK / "out"
PLACES = ("reference/cost_centres.csv", "reference/review-2026-09.xlsx", "billing/cloud/2026-09/bill.csv", "billing/azure/2026-09/manifest.json",
          "billing/loose/bill.csv", "jobs/lab/jobs.txt", "jobs/named/columns", "nodes/lab/nodes.txt", "efficiency/runs.csv")


def all_output(output):
    status = subprocess.run([KSTAR, "status", "--json"], capture_output=True, text=True, check=False)
    quarantine = subprocess.run([KSTAR, "ingest", "quarantine"], capture_output=True, text=True, check=False)
    dump = subprocess.run(["pg_dump", "-h", f"{os.environ['KSTAR_DATA_DIR']}/socket", "-U", "kstar", "--data-only", "kstar"], capture_output=True,
                          text=True, check=True)
    return "".join((output, status.stdout, status.stderr, quarantine.stdout, quarantine.stderr, dump.stdout))


def night(*options):
    ended = subprocess.run([KSTAR, "nightly", INBOX, "--out", OUT, *options], capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


shutil.rmtree(INBOX, ignore_errors=True)
secrets = WORK / "secrets"
secrets.mkdir()
(secrets / "pgpass").write_text(f"db.example.org:5432:finops:kstar:{SECRET}\n")
(secrets / "bill.csv").write_text(f"{SECRET},x\n1,2\n")

it("a link out of the inbox is refused by its own name, whatever it stands for; nothing of the file is in log, summary, status or database")
for place in PLACES:
    shutil.rmtree(INBOX, ignore_errors=True)
    link = INBOX / place
    link.parent.mkdir(parents=True)
    link.symlink_to(secrets / "pgpass")
    if place == "jobs/named/columns":
        (INBOX / "jobs/named/jobs.txt").write_text("1|2\n")
    code, output = night()
    equals((place, REFUSED), (place, code))
    assert f"{link}: a link leads out of the inbox" in output and "--follow" in output, output
    assert SECRET not in all_output(output), place

it("so is a link to a folder, of a source or of a stage, and its names are not shown")
(secrets / f"{SECRET}.csv").write_text("a,b\n")
for place in ("billing", "billing/cloud", "billing/cloud/2026-09", "jobs", "jobs/lab", "reference", "efficiency"):
    shutil.rmtree(INBOX, ignore_errors=True)
    link = INBOX / place
    link.parent.mkdir(parents=True)
    link.symlink_to(secrets)
    code, output = night()
    equals((place, REFUSED), (place, code))
    assert f"{link}: a link leads out of the inbox" in output, output
    assert SECRET not in all_output(output), place

it("links within the inbox are followed, and those to folders that --follow names")
shutil.rmtree(INBOX)
shutil.copytree(FIXTURES / "reference", INBOX / "reference")
exports = WORK / "exports"
shutil.copytree(FIXTURES / "jobs" / "aurora", exports / "aurora")
shutil.copytree(FIXTURES / "jobs" / "fjord", INBOX / ".kept" / "fjord")
(INBOX / "jobs").mkdir()
(INBOX / "jobs" / "aurora").symlink_to(exports / "aurora")
(INBOX / "jobs" / "fjord").symlink_to("../.kept/fjord")
code, output = night()
equals(REFUSED, code)
equals("fjord", sql("SELECT string_agg(DISTINCT source, ',') FROM job"))
code, output = finish(OUT, "--follow", exports)
assert code in (0, 4), output
equals("aurora,fjord", sql("SELECT string_agg(DISTINCT source, ',' ORDER BY source) FROM job"))

it("a folder of --follow that is not there is named, and the night goes on")
code, output = finish(OUT, "--follow", exports, "--follow", WORK / "nowhere")
assert code in (0, 4) and "nowhere" in output, output

it("a file of another kind that lies in the inbox itself is refused without a word of it")
shutil.copy(secrets / "pgpass", INBOX / "reference" / "cost_centres.csv")
code, output = finish(OUT, "--follow", exports)
equals(REFUSED, code)
assert "cost_centres.csv, line 1: the header has none of this file's columns" in output, output
for place, words in (("billing/cloud/2026-09/bill.csv", "required columns missing"), ("jobs/lab/jobs.txt", "jobs.txt"), ("efficiency/runs.csv", "runs.csv"),
                     ("nodes/lab/nodes.txt", "nodes.txt")):
    (INBOX / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(secrets / "pgpass", INBOX / place)
    code, output = finish(OUT, "--follow", exports)
    assert words in output, (place, output)
    assert SECRET not in output, (place, output)
