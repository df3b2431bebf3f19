"""What is loaded by hand is the delivery that the night finds in its inbox, however its place is
written: under another source its money would count twice."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import KSTAR, equals, it, sql

WORK = Path(os.environ["WORK"]).resolve()
FIXTURES = Path(os.environ["KSTAR_SOURCE_DIR"]) / "fixtures" / "inbox"
# a folder of another purpose has the name of a stage
INBOX = WORK / "billing" / "finance" / "inbox"
MISUSE, REFUSED = 2, 3


def kstar(*arguments, where=None, codes=(0, 4), **more):
    done = subprocess.run([KSTAR, *map(str, arguments)], cwd=where, env={**os.environ, **({"PWD": str(where)} if where else {}), **more},
                          capture_output=True, text=True, check=False)
    assert done.returncode in codes, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def held():
    return (sql("SELECT kind, source, label, sha256 FROM delivery ORDER BY kind, source, label COLLATE \"C\", delivery_id"),
            sql("SELECT source, count(*), sum(billed_cost) FROM current_billing_line GROUP BY source ORDER BY source"),
            sql("SELECT source, count(*) FROM job GROUP BY source ORDER BY source"))


exports = WORK / "exports" / "latest"
for stage in ("reference", "efficiency", "nodes"):
    shutil.copytree(FIXTURES / stage, INBOX / stage)
for stage in ("billing", "jobs"):  # the inbox has links to where the exports are
    for source in sorted((FIXTURES / stage).iterdir()):
        shutil.copytree(source, exports / stage / f"of-{source.name}")
        (INBOX / stage).mkdir(exist_ok=True)
        if stage == "billing":
            (INBOX / stage / source.name).symlink_to(exports / stage / f"of-{source.name}")
        else:
            (INBOX / stage / source.name).mkdir()
            for file in (exports / stage / f"of-{source.name}").iterdir():
                (INBOX / stage / source.name / file.name).symlink_to(file)
kstar("nightly", INBOX, "--out", WORK / "out", "--follow", exports)
night = held()
bills = sorted(path for source in (INBOX / "billing").iterdir() for path in source.iterdir())
jobs = sorted(path for source in (INBOX / "jobs").iterdir() for path in source.iterdir())
assert len(bills) >= 3 and len(jobs) >= 3, (bills, jobs)

it("a bill by its whole path, a relative one, a tidy one, and from within its folder")
for path in bills:
    assert path.is_dir(), path
    source = path.parent.name
    for where, operand in ((None, path), (WORK, path.relative_to(WORK)), (INBOX, f"billing//./../billing/{source}/{path.name}/"),
                           (path.parent, path.name), (path, ".")):
        output = kstar("ingest", "billing", operand, where=where)
        assert f"billing/{source}/{path.name}: already there, nothing done" in output, (where, operand, output)

it("job records likewise")
for path in jobs:
    source = path.parent.name
    for where, operand in ((None, path), (INBOX / "jobs", f"./{source}/{path.name}"), (path.parent, path.name)):
        output = kstar("ingest", "jobs", operand, where=where)
        assert f"jobs/{source}/{path.name}: already there, nothing done" in output, (where, operand, output)

it("a working folder that the shell calls otherwise is asked of the system")
kstar("ingest", "jobs", jobs[0].name, where=jobs[0].parent, PWD="/nowhere")
equals(night, held())

it("requires --source if the place may be read in two ways")
odd = WORK / "billing" / "billing" / "alder" / "2026-09"
shutil.copytree(bills[0], odd)
assert "say --source NAME" in kstar("ingest", "billing", odd, codes=(MISUSE,))
assert "billing/alder/2026-09" in kstar("ingest", "billing", "--source", "alder", odd)
equals(night[1:], held()[1:])

it("a source that no folder of the inbox could be called is refused")
for name in ("../x", "a/b", "", ".hidden", "two\nlines", 256 * "x"):
    for command in (("ingest", "billing", "--source", name, odd), ("ingest", "jobs", "--source", name, jobs[0]),
                    ("ingest", "nodes", "--source", name, jobs[0])):
        message = "is not a possible name of an inbox folder" if name else "--source is empty"
        assert message in kstar(*command, codes=(MISUSE,)), (command, name)
equals(night[1:], held()[1:])

it("what is not there is refused")
for command in (("ingest", "billing"), ("ingest", "jobs"), ("ingest", "billing", "--detect"), ("ingest", "billing", "--check"),
                ("ingest", "nodes", "--source", "x"), ("ingest", "efficiency"), ("ingest", "reference"), ("model", "--evaluate"),
                ("model", "--trace"), ("deliver", WORK / "out", "--recipients")):
    assert "/nowhere/x.csv" in kstar(*command, "/nowhere/x.csv", codes=(REFUSED,)), command
