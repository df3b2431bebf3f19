"""Nights on the company of fixtures/: one that nothing disturbs, and others that are measured by
it.

    undisturbed = Undisturbed()
    process = night(folder)              disturb it
    undisturbed.check_visible(folder)    whatever happened, OUT shows whole files
    undisturbed.check_again(folder)      run again: same database, same workbooks
"""

import os
import pathlib
import re
import shutil
import subprocess

import everything
from saying import KSTAR

WORK = pathlib.Path(os.environ["WORK"])
INBOX = WORK / "inbox"
FIXTURES = pathlib.Path(os.environ["KSTAR_SOURCE_DIR"]) / "fixtures" / "inbox"
CLEAN = (0, 4)  # 4: the fixtures hold a row that waits for a person
LONGEST = 300  # seconds: a night that hangs is none


BILL = max((FIXTURES / "billing" / "alder").glob("*/*.csv"), key=lambda path: path.stat().st_size).relative_to(FIXTURES)


def fewer_centres(inbox, *changes):
    """Cost centres of a pattern become one: a night writes files for each. Of two rows about one
    cost centre the first stays."""
    for path in inbox.rglob("*.*"):
        content = path.read_bytes()
        for pattern, centre in changes:
            content = re.sub(pattern, centre, content)
        path.write_bytes(content)
    for name, width in (("cost_centres", 1), ("pool_weights", 2)):
        path = inbox / "reference" / f"{name}.csv"
        of_key = {}
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            of_key.setdefault(tuple(line.split(",")[:width]), line)
        path.write_text("".join(of_key.values()), encoding="utf-8")


def small_company(inbox=INBOX):
    """That of fixtures/ with three cost centres instead of seven and a third of its hours and jobs:
    its night writes half as many files, and reads and writes the same kinds of everything."""
    shutil.copytree(FIXTURES, inbox)
    fewer_centres(inbox, (rb"CC-4\d\d", b"CC-310"), (rb"CC-2\d\d", b"CC-210"))
    for path in (inbox / BILL, inbox / "jobs" / "aurora" / "2026-09.txt"):
        header, *lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([header, *lines[::3]]))


def earlier_inbox(folder):
    """An inbox in which a bill has a line less; that of INBOX is then delivered after it."""
    shutil.copytree(INBOX, folder)
    lines = (folder / BILL).read_bytes().split(b"\n")
    (folder / BILL).write_bytes(b"\n".join(lines[:-2] + [b""]))
    return folder


def night(folder, *options, inbox=INBOX, **more):
    """A night at work; what it says on standard error is to be read."""
    return subprocess.Popen([KSTAR, "nightly", str(inbox), "--out", str(folder), *options], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, **more)


def finish(folder, *options, **more):
    """The exit code of a whole night, and its output."""
    process = night(folder, "--quiet", *options, **more)
    _, output = process.communicate(timeout=LONGEST)
    return process.returncode, output


def check_failed(ended, code, *words):
    """That a night ended with this code and one line of output, of these words."""
    returncode, output = ended
    errors = [line for line in output.splitlines() if line.startswith("error: ")]
    assert returncode == code and len(errors) == 1, f"exit code {returncode}, not {code} and one line: {output}"
    missing = [word for word in words if word not in output]
    assert not missing, f"{missing} is not in: {output}"


class Undisturbed:
    """What a night leaves behind that nothing disturbed: rows and files. Database and OUT are
    new."""

    def __init__(self, folder=WORK / "undisturbed"):
        if not INBOX.exists():
            shutil.copytree(FIXTURES, INBOX)
        subprocess.run([KSTAR, "db", "start"], check=True, capture_output=True)
        everything.start_over()
        code, output = finish(folder)
        assert code in CLEAN, f"exit code {code}: {output}"
        self.database, self.workbooks = everything.database(), everything.workbooks(folder)
        assert self.workbooks, "the night wrote no workbook"

    def check_visible(self, folder, when="", before=None):
        """That each file in OUT is one of the undisturbed night's, whole, or as it was before."""
        before = before or {}
        broken = [name for name, content in everything.workbooks(folder).items() if content not in (self.workbooks.get(name), before.get(name))]
        assert not broken, f"{when}: half-visible in OUT: {broken}"

    def check_same(self, folder, when=""):
        found = everything.database()
        different = [name for name in self.database if found[name] != self.database[name]]
        assert not different, f"{when}: {different} differ"
        assert everything.workbooks(folder) == self.workbooks, f"{when}: workbooks differ"

    def check_again(self, folder, when="", **more):
        """That the same night once more ends as it should, with the same database and the same
        workbooks."""
        code, output = finish(folder, **more)
        assert code in CLEAN, f"{when}, and again: exit code {code}: {output}"
        self.check_same(folder, when)
        left = [path.name for path in folder.glob(".*.pending")]
        assert not left, f"{when}: {left} is left in OUT"
