"""kstar's statement of the fixtures is the one worked out without it, to the last digit and cent.

The inbox is what its script makes; the expected tables are what the independent program makes of
the inbox; the published statement is equal to them.
"""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import published

QUARANTINED = 4  # exit code: one line of the fixtures cannot be read


def files(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def fail(sentence):
    print(f"not ok: {sentence}")
    sys.exit(1)


def inbox_is_what_its_script_makes():
    made, committed = WORK / "inbox", SOURCES / "fixtures" / "inbox"
    subprocess.run([SOURCES / "fixtures" / "make_company", made], check=True)
    if files(made) != files(committed):
        fail(f"files differ: {set(files(made)) ^ set(files(committed))}")
    _, different, errors = filecmp.cmpfiles(made, committed, files(made), shallow=False)
    if different or errors:
        fail(f"fixtures/inbox is not what fixtures/make_company makes: {different + errors}")


def expected_is_what_the_inbox_gives():
    if subprocess.run([SOURCES / "fixtures" / "expected" / "compute"], check=False).returncode != 0:
        fail("fixtures/expected is not what fixtures/expected/compute makes")


def published_is_expected():
    night = subprocess.run([os.environ["KSTAR"], "nightly", SOURCES / "fixtures" / "inbox", "--out", WORK / "out"],
                           capture_output=True, text=True, check=False)
    if night.returncode != QUARANTINED:
        fail(f"kstar nightly ended with {night.returncode}\n{night.stdout}{night.stderr}")
    if published.compare(SOURCES / "fixtures" / "expected", "2026-09") > 0:
        fail("the published statement differs from the expected one")


def one_size_each_is_as_expected():
    """The same month, had each family been measured on one size alone: no K*, and no E above one
    node."""
    one = WORK / "one"
    shutil.copytree(SOURCES / "fixtures" / "inbox", one / "inbox")
    for family, k in (("vision", "4"), ("llm", "32"), ("diffusion", "1"), ("world-model", "8")):
        path = one / "inbox" / "efficiency" / f"{family}-2026-08.csv"
        header, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join([header, *(row for row in rows if row.split(",")[2] == k)]), encoding="utf-8")
    subprocess.run([SOURCES / "fixtures" / "expected" / "compute", "--inbox", one / "inbox", "--month", "2026-09", "--out", one / "expected"], check=True)
    dsn = published.new_database("one")
    night = subprocess.run([os.environ["KSTAR"], "nightly", one / "inbox", "--out", one / "out", "--dsn", dsn], capture_output=True, text=True, check=False)
    if night.returncode != QUARANTINED:
        fail(f"kstar nightly ended with {night.returncode}\n{night.stdout}{night.stderr}")
    if published.compare(one / "expected", "2026-09", dsn) > 0:
        fail("the statement of one size each differs from the expected one")
    found = published.query("SELECT count(*) AS jobs FROM kstar.job_result WHERE k_star IS NOT NULL OR efficiency_from = 'family'", dsn)
    if found != [{"jobs": "0"}]:
        fail(f"one size says something: {found}")


inbox_is_what_its_script_makes()
expected_is_what_the_inbox_gives()
published_is_expected()
one_size_each_is_as_expected()
print("ok")
