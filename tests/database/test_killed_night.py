"""A nightly that is killed at any moment and run again gives the same database and the same workbooks as one that was
left alone (design.md, section 4); so does one that is ended by SIGTERM, which takes seconds. The moments are drawn at random from the
length of an undisturbed night; the seed is printed and can be given as KSTAR_TEST_SEED."""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from everything import database, psql, start_over, workbooks  # noqa: E402

KSTAR = os.environ["KSTAR"]
WORK = pathlib.Path(os.environ["WORK"])
INBOX = WORK / "inbox"
KILLS = int(os.environ.get("KSTAR_TEST_KILLS", "8"))
CLEAN = (0, 4)  # 4: the fixtures hold a row that waits for a person
SECONDS_TO_END = 20  # on a busy machine; kstar itself gives up after 5


def night(folder):
    return subprocess.Popen([KSTAR, "nightly", str(INBOX), "--out", str(folder), "--quiet"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(folder):
    process = night(folder)
    _, errors = process.communicate()
    assert process.returncode in CLEAN, f"exit code {process.returncode}: {errors}"


def disturb(folder, moment, how):
    """Whether the night was still at work after `moment` seconds; then it has been ended by the signal."""
    process = night(folder)
    try:
        process.communicate(timeout=moment)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(how)
        process.communicate(timeout=SECONDS_TO_END)
        assert process.returncode == -how, f"{how.name} ended it with {process.returncode}"
        return True


def outcomes():
    return psql("SELECT outcome FROM kstar.run_ledger ORDER BY run_number").split("\n")[:-1]


shutil.copytree(pathlib.Path(os.environ["KSTAR_SOURCE_DIR"]) / "fixtures" / "inbox", INBOX)
subprocess.run([KSTAR, "db", "start"], check=True, capture_output=True)
begin = time.monotonic()
finish(WORK / "undisturbed")
length = time.monotonic() - begin
expected, expected_workbooks = database(), workbooks(WORK / "undisturbed")
assert expected_workbooks, "the night wrote no workbook"

seed = int(os.environ.get("KSTAR_TEST_SEED", "20260901"))
print(f"seed {seed}, an undisturbed night takes {length:.2f} s")
moments = random.Random(seed)
ended = {signal.SIGKILL: 0, signal.SIGTERM: 0}
for number in range(KILLS):
    start_over()
    folder = WORK / f"killed-{number}"
    how = (signal.SIGKILL, signal.SIGTERM)[number % 2]
    for _ in range(2):
        moment = moments.uniform(0, length)
        ended[how] += disturb(folder, moment, how)
    finish(folder)
    found = database()
    different = [name for name in expected if found[name] != expected[name]]
    assert not different, f"{how.name} after {moment:.3f} s: {different} differ"
    assert workbooks(folder) == expected_workbooks, f"{how.name} after {moment:.3f} s: workbooks differ"
    ledger = outcomes()
    assert ledger[-1] in ("done", "waits") and "running" not in ledger, f"{how.name} after {moment:.3f} s: the ledger says {ledger}"
print(f"{ended[signal.SIGKILL]} kills and {ended[signal.SIGTERM]} interrupts survived")
assert all(ended.values()), "no night was caught alive: nothing was tested"
