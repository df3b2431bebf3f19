"""A nightly that is killed at any moment and run again gives the same database and the same
workbooks as one that was left alone; so does one that is ended by SIGTERM, which takes seconds.

Every other night is the first of its database; the rest find a month that is published already, of
which a bill has come again. One in four loses its server by SIGKILL as well. The moments are drawn
at random, in turn from the length of an undisturbed night, which is mostly allocation, from the
lines of its log, which are migrations, files and steps, and from the files that appear in OUT. What
a night was at when it was killed is the last stage that its ledger has. 200 of them:

    KSTAR_TEST_KILLS=200 KSTAR_TEST_SEED=7 ctest -R database.killed_night -V"""

import collections
import itertools
import os
import pathlib
import random
import signal
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from everything import psql, start_over, workbooks  # noqa: E402
from extent import tried  # noqa: E402
from nights import CLEAN, KSTAR, LONGEST, WORK, Undisturbed, earlier_inbox, finish, night, small_company  # noqa: E402

# by SIGKILL; one night in four is ended by SIGTERM besides
KILLS = int(os.environ.get("KSTAR_TEST_KILLS", tried("3", "6")))
SEED = int(os.environ.get("KSTAR_TEST_SEED", "20260901"))
SECONDS_TO_END = 20  # on a busy machine; kstar itself gives up after 5


# With the default strategy a sequence of the copy goes back when the server dies soon after: its
# page is in the log as it was copied.
COPY_DATABASE = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"


def maintain(*statements):
    """In the database postgres."""
    subprocess.run([KSTAR, "db", "psql", "--", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "\\c postgres", *(part for text in statements for part in ("-c", text))],
                   check=True, stdout=subprocess.DEVNULL)


def publish_before():
    """A month from a bill of a line less; the database with it is kept. What is in OUT then."""
    start_over()
    code, output = finish(WORK / "before", inbox=earlier_inbox(WORK / "earlier"))
    assert code in CLEAN, output
    maintain(COPY_DATABASE.format("before", "kstar"))
    return workbooks(WORK / "before")


def start_from_before(folder):
    maintain("DROP DATABASE kstar WITH (FORCE)", COPY_DATABASE.format("kstar", "before"))
    shutil.copytree(WORK / "before", folder)


def without_schema():
    """The next night makes it."""
    start_over()
    psql("DROP SCHEMA kstar CASCADE")


def first_night():
    """How long one takes that nothing disturbs and that makes the schema, and how many lines of its
    log it writes."""
    without_schema()
    begin = time.monotonic()
    process = night(WORK / "counted", "--verbose")
    lines = process.communicate(timeout=LONGEST)[1].splitlines()
    return time.monotonic() - begin, len(lines)


def is_at_work(process, seconds):
    """Whether the night is still at work after so many seconds."""
    try:
        process.wait(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        return True


def names(folder):
    """What is in OUT, half-written files too, and which file it is."""
    return {(entry.name, entry.inode()) for entry in os.scandir(folder)} if folder.exists() else set()


def lasts_until(process, folder, seconds=None, lines=None, files=None):
    """Whether the night is still at work after so many seconds, with that line of its log, or with
    so many new files in OUT."""
    if lines is not None:
        return all(process.stderr.readline() for _ in range(lines)) and process.poll() is None
    if seconds is not None:
        return is_at_work(process, seconds)
    before, seen = names(folder), set()
    while len(seen) < files:
        if not is_at_work(process, 0.002):
            return False
        seen |= names(folder) - before
    return True


def stage_at_end():
    """What the night was at: its last stage; 'schema' before there was a ledger, 'between' where no
    stage was under way."""
    if psql("SELECT to_regclass('kstar.run_stage')") == "\n":
        return "schema"
    last = psql("SELECT stage FROM kstar.run_stage JOIN kstar.run_ledger USING (run_number) WHERE run_stage.outcome IN ('running', 'interrupted') "
                "AND run_number = (SELECT max(run_number) FROM kstar.run_ledger)").strip()
    return last or "between"


def kill_server():
    pid_file = pathlib.Path(os.environ["KSTAR_DATA_DIR"]) / "postgresql" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)


def disturb(folder, how, moment, with_server):
    """What the night was at when the signal ended it; None where it had ended before."""
    process = night(folder, "--verbose")
    alive = lasts_until(process, folder, **moment)
    if alive:
        process.send_signal(how)
    if alive and with_server:
        kill_server()
    begin = time.monotonic()
    process.communicate(timeout=SECONDS_TO_END)
    seconds_to_end.append(time.monotonic() - begin)
    if not alive or process.returncode in (0, 4):  # it was at its last line
        return None
    assert process.returncode == -how, f"{how.name} ended it with {process.returncode}"
    return stage_at_end()


def outcomes():
    return psql("SELECT outcome FROM kstar.run_ledger ORDER BY run_number").split("\n")[:-1]


def draw(moments, turn, seconds, lines, files):
    return ({"seconds": round(moments.uniform(0, seconds), 3)}, {"lines": moments.randint(1, lines)}, {"files": moments.randint(1, files)})[turn % 3]


small_company()
undisturbed = Undisturbed()
before = publish_before()
seconds, lines = first_night()
print(f"seed {SEED}; an undisturbed night takes {seconds:.2f} s and {lines} lines", flush=True)
moments = random.Random(SEED)
ended = {signal.SIGKILL: collections.Counter(), signal.SIGTERM: collections.Counter()}
turn = itertools.count()
seconds_to_end = []
for number in itertools.count():
    if ended[signal.SIGKILL].total() >= KILLS and ended[signal.SIGTERM]:
        break
    folder = WORK / f"killed-{number}"
    if number % 2 == 0:
        without_schema()
    else:
        start_from_before(folder)
    # of an undisturbed night: what has not changed takes no time
    share = 1 if number % 2 == 0 else 0.5
    when = f"night {number}"
    for how in (signal.SIGKILL, signal.SIGTERM if number % 4 == 2 else signal.SIGKILL):
        moment = draw(moments, next(turn), share * seconds, round(share * lines), 2 * len(before))
        stage = disturb(folder, how, moment, with_server=number % 4 == 3)
        ended[how].update([stage] if stage else [])
        when += f", {how.name} at {moment} ({stage})"
        undisturbed.check_visible(folder, when, before)
    undisturbed.check_again(folder, when)
    print(when, flush=True)
    ledger = outcomes()
    assert ledger[-1] in ("done", "waits") and "running" not in ledger, f"{when}: the ledger says {ledger}"
print(f"the slowest took {max(seconds_to_end):.2f} s from the signal to its end")
for how, stages in ended.items():
    print(f"{stages.total()} times {how.name} survived:", ", ".join(f"{stage} {count}" for stage, count in stages.most_common()))
