"""A night without news reads no statement and writes no file. What is missing or was edited is
written again, and so is all that something new may show in: a bill, an issued journal, a statement
made again, another kstar.

That no workbook was written is seen in two ways: temporary files that rows go to cannot be made
(TMPDIR names no folder), and PostgreSQL counts who reads `statement_price`, which nothing but a
workbook does in a night without news."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import company  # noqa: E402
from saying import equals, it  # noqa: E402

WORK, KSTAR = Path(os.environ["WORK"]), os.environ["KSTAR"]
NO_FOLDER = {"TMPDIR": str(WORK / "no such folder")}
PERIOD = "2026-09"

made = company.Company("unchanged")
made.bill(["1 00:00", "2 00:00", "Usage", "10.00", "team=a", "Servers"], ["2 00:00", "3 00:00", "Usage", "20.00", "team=b", "Servers"])
BOOK, OF_A, REVIEW, JOURNAL = (made.out / name for name in (f"chargeback-{PERIOD}.xlsx", f"chargeback-{PERIOD}-A.xlsx",
                                                            f"review-{PERIOD}.xlsx", f"journal-{PERIOD}.csv"))

PAGES = {f"page-{PERIOD}.html", *(f"{kind}-{PERIOD}-{centre}.{ending}" for centre in "AB" for kind, ending in (("page", "html"), ("lines", "csv")))}


def run(*arguments, program=KSTAR, code=0, **environment):
    done = subprocess.run([program, *map(str, arguments), "--dsn", made.dsn], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def night(**more):
    return run("nightly", made.inbox, "--out", made.out, **more)


def report(kind="chargeback", out=made.out, **more):
    return run("report", kind, "--period", PERIOD, "--out", out, **more)


def sql(query):
    return subprocess.run(["psql", made.dsn, "-XAtqc", query], check=True, capture_output=True, text=True).stdout.strip()


def readings():
    """How often anybody has read statement_price. A session says so when it ends, which may be
    after the program that it served."""
    while sql("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'") != "0":
        pass
    return sql("SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE schemaname = 'kstar' AND relname = 'statement_price'")


def files(folder=made.out):
    return {path.name: path for path in sorted(folder.glob("[!.]*"))}


def contents(folder=made.out):
    return {name: path.read_bytes() for name, path in files(folder).items()}


def stamps():
    """Which file each is, and when it was written."""
    return {name: (path.stat().st_ino, path.stat().st_mtime_ns, path.stat().st_ctime_ns) for name, path in files().items()}


def writes_nothing(act=night):
    before, read = stamps(), readings()
    output = act(**NO_FOLDER)
    equals(before, stamps())
    equals(read, readings())
    return output


def writes(*names, act=night):
    """That just these are written; returns the output."""
    before = stamps()
    output = act()
    now = stamps()
    equals(sorted(names), sorted(name for name in now if now[name] != before.get(name)))
    return output


night()
as_written = contents()
DATA = {f"data-{PERIOD}.xlsx", f"data-{PERIOD}-A.xlsx", f"data-{PERIOD}-B.xlsx"}
equals({BOOK.name, OF_A.name, f"chargeback-{PERIOD}-B.xlsx", REVIEW.name, JOURNAL.name} | PAGES | DATA, set(as_written))

it("writes nothing and reads no statement in a night without news, and says so")
output = writes_nothing()
assert "nothing new; nothing was changed" in output and "0 written, 13 unchanged" in output, output

it("does the same by hand, for each report")
equals(6, writes_nothing(report).count("(unchanged)"))
equals(1, writes_nothing(lambda **more: report("review", **more)).count("(unchanged)"))
equals(5, writes_nothing(lambda **more: report("page", **more)).count("(unchanged)"))

it("writes what is missing, and nothing else")
for missing in (list(files())[first::4] for first in range(4)):
    for name in missing:
        (made.out / name).unlink()
    output = writes(*missing)
    assert f"{len(missing)} written, {13 - len(missing)} unchanged" in output, output
equals(as_written, contents())
writes_nothing()

it("writes what was edited by hand, also where its length is the same; a file that was only touched stays")
for edit in (lambda data: data + b"x", lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: b""):
    OF_A.write_bytes(edit(as_written[OF_A.name]))
    writes(OF_A.name)
    equals(as_written, contents())
OF_A.touch()
writes()
writes_nothing()

it("names a file of a cost centre that the statement does not have, in a quiet night as well")
(made.out / f"chargeback-{PERIOD}-gone.xlsx").write_bytes(b"signed")
assert f"chargeback-{PERIOD}-gone.xlsx is of a cost centre" in writes_nothing()
(made.out / f"chargeback-{PERIOD}-gone.xlsx").unlink()

it("writes all of them into another folder, and knows each folder by itself")
other = WORK / "other"
report(out=other)
report("review", out=other)
report("page", out=other)
equals({name: data for name, data in as_written.items() if name != JOURNAL.name}, contents(other))
writes_nothing()

it("goes by nothing that it cannot read: what it noted is gone, cut short or nonsense")
notes = made.out / ".kstar.written"
noted = notes.read_bytes()
for left in (None, b"", noted[:-20], noted.replace(b" ", b"\t"), b"\0" * 4096, noted + b"\n\n2026-09\n"):
    notes.unlink()
    if left is not None:
        notes.write_bytes(left)
    writes()
    equals(sorted(noted.splitlines()), sorted(notes.read_bytes().splitlines()))
writes_nothing()

it("looks again with another kstar, even one of the same version; where that gives the same bytes nothing is replaced")
another = WORK / "kstar"
shutil.copy(KSTAR, another)
with another.open("ab") as program:
    program.write(b"\0")
read = readings()
writes(act=lambda: night(program=another))
assert readings() != read
writes_nothing(lambda **more: night(program=another, **more))
writes()
writes_nothing()

it("looks again at a statement that was made again")
run("model", "--period", PERIOD, "--again")
read = readings()
writes()
assert readings() != read
writes_nothing()

it("shows a journal that was issued since in its file alone")
run("report", "journal", "--period", PERIOD, "--issue", "--out", made.out)
writes()
writes_nothing()

it("writes a journal that a person has put back to an earlier issue")
made.bill(["1 00:00", "2 00:00", "Usage", "11.00", "team=a", "Servers"], ["2 00:00", "3 00:00", "Usage", "20.00", "team=b", "Servers"])
writes(*(name for name in files() if name != f"lines-{PERIOD}-B.csv"))
run("report", "journal", "--period", PERIOD, "--number", 1, "--out", made.out)
writes(JOURNAL.name)
writes_nothing()

it("shows a cost centre's new name")
made.reference("cost_centres", [[cell.replace("Team A", "Ada's") for cell in row] for row in company.CENTRES])
before = contents()
night()
assert contents()[BOOK.name] != before[BOOK.name] and contents()[OF_A.name] != before[OF_A.name]
writes_nothing()

it("leaves what was written as it was where a night fails before its end, and makes it good in the next")
as_written = contents()
made.bill(["1 00:00", "2 00:00", "Usage", "12.00", "team=a", "Servers"], ["2 00:00", "3 00:00", "Usage", "20.00", "team=b", "Servers"])
night(code=1, **NO_FOLDER)
equals(as_written, contents())
writes(*(name for name in files() if name != f"lines-{PERIOD}-B.csv"))
writes_nothing()

it("writes a closed month once more, as final, and leaves it")
run("close", PERIOD, "--accept-incomplete", "as billed")
writes(*(name for name in files() if not name.startswith("lines-")))
writes_nothing()
