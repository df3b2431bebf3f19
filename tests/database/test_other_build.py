"""A database that a build made and another one, of the same version and other rules, goes on with:
each run id stands for the rules that gave its money."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from nights import FIXTURES, INBOX, KSTAR, WORK  # noqa: E402
from saying import equals, it, sql  # noqa: E402

OTHER = os.environ["KSTAR_OTHER_BUILD"]
CLEAN = (0, 4)
KINDS = ["billing", "efficiency", "jobs", "nodes"]


def night(program, out, *options):
    done = subprocess.run([program, "nightly", INBOX, "--out", out, *options], capture_output=True, text=True, check=False)
    assert done.returncode in CLEAN, done.stderr
    return done.stdout


def run_ids(program, *options):
    printed = subprocess.run([program, "status", "--json", *options], capture_output=True, text=True, check=False).stdout
    status = json.loads(printed)
    return sql("SELECT string_agg(run_id, ' ' ORDER BY statement_month) FROM statement"), status


shutil.copytree(FIXTURES, INBOX)
night(KSTAR, WORK / "out")
first, status = run_ids(KSTAR)

it("a build says nothing of what it read itself")
equals([], status["other_loader"])
assert "1 up to date" in night(KSTAR, WORK / "out") or "nothing" in night(KSTAR, WORK / "out")

it("a build with other rules shows the open months as outdated, and which deliveries another one read")
_, status = run_ids(OTHER)
assert {month["state"] for month in status["statements"]} != {"up to date"}, status["statements"]
equals(KINDS, sorted({row["kind"] for row in status["other_loader"]}))
equals({"read by another build of kstar"}, {row["why"] for row in status["other_loader"]})

it("it publishes them again, under another run id, once")
said = night(OTHER, WORK / "out")
assert "1 published" in said, said
second, _ = run_ids(OTHER)
assert second != first, second
published = sql("SELECT string_agg(xmin::text, ' ') FROM statement")
night(OTHER, WORK / "out")
equals(published, sql("SELECT string_agg(xmin::text, ' ') FROM statement"))

it("a new database of the other build has the same run id from the same inbox")
night(OTHER, WORK / "new", "--data-dir", WORK / "new-database")
new = subprocess.run([OTHER, "db", "psql", "--data-dir", WORK / "new-database", "--", "-XAtqc",
                      "SELECT string_agg(run_id, ' ' ORDER BY statement_month) FROM kstar.statement"], capture_output=True, text=True, check=True)
equals(second, new.stdout.strip())
