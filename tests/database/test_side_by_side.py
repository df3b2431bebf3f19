"""Workbooks are written by as many processes as `--jobs` says, each with a connection of its own,
and have the same bytes whoever writes them. What they share is filled over two connections, where
more than one is allowed."""

import os
import subprocess
import sys
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))
import company  # noqa: E402
import published  # noqa: E402
from saying import equals, it  # noqa: E402

BOOKS = 12  # of everybody and of five cost centres, with their data
FILLER = 1  # the second connection that fills what they share, and ends before they are written

dsn = published.new_database("beside")
subprocess.run(["psql", dsn, "-Xq", "-v", "ON_ERROR_STOP=1", "-v", "jobs=40", "-f", SOURCES / "tests" / "database" / "statement.sql"], check=True)


def sessions():
    """How many there have been in the database; asked from another one."""
    [row] = published.query("SELECT sessions FROM pg_stat_database WHERE datname = 'beside'", dsn.replace("dbname=beside", "dbname=postgres"))
    return int(row["sessions"])


def write(folder, *options, code=0, kind="chargeback", processors=None):
    before, command = sessions(), [KSTAR, "report", kind, "--period", "2026-09", "--out", WORK / str(folder), "--dsn", dsn, *map(str, options)]
    if processors is not None:
        command = ["taskset", "-c", processors, *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return sessions() - before


def contents(folder):
    return {path.name: path.read_bytes() for path in (WORK / folder).glob("*.xlsx")}


it("writes one after the other over one connection")
alone = write("1", "--jobs", 1)
equals(BOOKS, len(contents("1")))

it("writes so many side by side, each over a connection of its own, with the same bytes")
for jobs in (2, 3, 7, 100):
    beside = write(jobs, "--jobs", jobs)
    equals((jobs, min(jobs, BOOKS) - 1 + FILLER), (jobs, beside - alone))
    equals(contents("1"), contents(str(jobs)))

it("needs no more writers than there are workbooks to write")
(WORK / "7" / "chargeback-2026-09-harbour.xlsx").unlink()
equals(alone + FILLER, write("7", "--jobs", 7))
equals(contents("1"), contents("7"))
equals(alone, write("7", "--jobs", 7))

it("writes as many workbooks side by side as processors are available, by default")
equals(alone, write("default", processors="0"))
equals(contents("1"), contents("default"))
free = len(os.sched_getaffinity(0))
equals(min(free, BOOKS, 16) - 1 + (FILLER if free > 1 else 0), write("all") - alone)

it("takes no fewer than one")
for wrong in ("0", "-1", "two"):
    write("wrong", "--jobs", wrong, code=2)
assert not (WORK / "wrong").exists()

it("does the same in a night")
made = company.Company("night")
made.bill(["1 00:00", "2 00:00", "Usage", "10.00", "team=a", "Servers"], ["2 00:00", "3 00:00", "Usage", "20.00", "team=b", "Servers"])
folders = [made.out / name for name in ("1", "7")]
for folder, jobs in zip(folders, (1, 7)):
    made.kstar("nightly", made.inbox, "--out", folder, "--jobs", jobs)
one, seven = ({path.name: path.read_bytes() for path in folder.glob("[!.]*")} for folder in folders)
equals(one, seven)
assert len(one) == 13, list(one)
