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
AS_USUAL = ("enable_mergejoin=on",)
# One way to join less, and so little memory that the server sorts on disk.
MERGED = ("enable_mergejoin=on", "enable_hashjoin=off", "work_mem=64kB")
HASHED = ("enable_mergejoin=off", "work_mem=64kB",
          "force_parallel_mode=on", "parallel_setup_cost=0", "parallel_tuple_cost=0", "min_parallel_table_scan_size=0")
inbox = WORK / "inbox"
random_month.generate(inbox, 20261123, "--edges", "--month", random_month.MONTH)


def night(name, jobs, plan):
    """What the night wrote, and how many sessions its database has had."""
    dsn = published.new_database(name)
    settings = f" options='{' '.join('-c ' + one for one in plan)}'"
    done = subprocess.run([KSTAR, "nightly", inbox, "--out", WORK / name, "--jobs", str(jobs), "--dsn", dsn + settings],
                          capture_output=True, text=True, check=False)
    assert done.returncode in DONE, done.stdout + done.stderr
    [row] = published.query(f"SELECT sessions FROM pg_stat_database WHERE datname = '{name}'", dsn.replace(f"dbname={name}", "dbname=postgres"))
    rows = [published.query(f"SELECT * FROM kstar.{table} ORDER BY {table}::text", dsn) for table in ("charge", "class_charge")]
    files = {path.name: path.read_bytes() for path in (WORK / name).glob("[!.]*")}
    return rows, files, int(row["sessions"])


def is_as_with_one(name, jobs, plan):
    """Returns how many sessions there were."""
    rows, written, sessions = night(name, jobs, plan)
    equals(charges, rows)
    equals(files, written)
    return sessions


it("has the same charges and the same files with one reader, seven and two, whatever plans the server takes")
charges, files, alone = night("one", 1, AS_USUAL)
assert min(map(len, charges)) > 100 and len(files) > 3, (list(map(len, charges)), list(files))
for name, jobs, plan in ("seven", 7, AS_USUAL), ("merged", 2, MERGED):
    sessions = is_as_with_one(name, jobs, plan)
    assert sessions >= alone + jobs, f"{jobs} readers, {sessions} sessions; {alone} with one"

it("has the same where the server lets fewer readers in than are asked for: kstar's own has 40 connections")
is_as_with_one("hashed", 64, HASHED)
