"""A month's charges are the same whoever reads its lines, in whatever order the server finds them:
as many readers as `--jobs` says, and plans of every kind. Two months with random rules, every kind
of line and corrections; each night in a database of its own."""

import os
import subprocess
import sys
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))
import published  # noqa: E402
import random_month  # noqa: E402
from saying import equals, it  # noqa: E402

DONE = (0, 4)
PLANS = ("enable_hashjoin=off", "enable_mergejoin=off", "work_mem=64kB",
         "force_parallel_mode=on -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0")
inbox = WORK / "inbox"
random_month.generate(inbox, 20261123, "--edges", "--month", random_month.MONTH)


def night(name, jobs, plan=""):
    """What the night wrote, and how many sessions its database has had."""
    dsn = published.new_database(name)
    settings = f" options='{' '.join('-c ' + one for one in plan.split(' -c '))}'" if plan else ""
    done = subprocess.run([KSTAR, "nightly", inbox, "--out", WORK / name, "--jobs", str(jobs), "--dsn", dsn + settings],
                          capture_output=True, text=True, check=False)
    assert done.returncode in DONE, done.stdout + done.stderr
    [row] = published.query(f"SELECT sessions FROM pg_stat_database WHERE datname = '{name}'", dsn.replace(f"dbname={name}", "dbname=postgres"))
    rows = [published.query(f"SELECT * FROM kstar.{table} ORDER BY {table}::text", dsn) for table in ("charge", "class_charge")]
    files = {path.name: path.read_bytes() for path in (WORK / name).glob("[!.]*")}
    return rows, files, int(row["sessions"])


it("has the same charges and the same files with one reader, two and seven")
charges, files, alone = night("one", 1)
assert min(map(len, charges)) > 100 and len(files) > 3, (list(map(len, charges)), list(files))
for jobs in (2, 7):
    rows, written, sessions = night(f"readers{jobs}", jobs)
    equals(charges, rows)
    equals(files, written)
    assert sessions >= alone + jobs, f"{jobs} readers, {sessions} sessions; {alone} with one"

it("has the same where the server lets fewer readers in than are asked for: kstar's own has 40 connections")
rows, written, _ = night("crowd", 64)
equals(charges, rows)
equals(files, written)

it("has the same whatever plans the server takes")
for number, plan in enumerate(PLANS):
    rows, written, _ = night(f"plan{number}", 2, plan)
    equals(charges, rows)
    equals(files, written)
