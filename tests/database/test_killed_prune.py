"""kstar prune that is killed at any moment and run again leaves what an undisturbed one leaves:
every row of every table, and no more room taken. What it is killed in has gone as a whole or not at
all.

The moments are drawn at random, in turn from the length of an undisturbed one and from the lines of
its log, which come when what goes is gone and before tables are rewritten. One in four is killed
twice, one in four loses its server by SIGKILL as well. 100 of them:

    KSTAR_TEST_KILLS=100 KSTAR_TEST_SEED=7 ctest -R database.killed_prune -V"""

import collections
import itertools
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from closed_months import WORK, close, made, of_few_centres  # noqa: E402
from extent import tried  # noqa: E402
from publish import Publish  # noqa: E402
from saying import KSTAR, equals, it, kstar, output_of, sql  # noqa: E402

KILLS = int(os.environ.get("KSTAR_TEST_KILLS", tried("4", "8")))
SEED = int(os.environ.get("KSTAR_TEST_SEED", "20260901"))
INBOX, OUT = WORK / "inbox", WORK / "out"
PRUNE = ("prune", "--keep-months", "1")
COPY_DATABASE = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"  # see test_killed_night.py
LEFT_TO_DO = "prune_rewrite"
OF_THE_RUN = "run_ledger", "run_stage", "run_delivery"


def maintain(*statements):
    """In the database postgres."""
    subprocess.run([KSTAR, "db", "psql", "--", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "\\c postgres", *(part for text in statements for part in ("-c", text))],
                   check=True, stdout=subprocess.DEVNULL)


def start_over():
    maintain("DROP DATABASE kstar WITH (FORCE)", COPY_DATABASE.format("kstar", "closed"))


def rows():
    """The hash of each table's rows."""
    names = sql("SELECT relname FROM pg_class WHERE relnamespace = 'kstar'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname").split("\n")
    each = [f"""SELECT '{name}', md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "C"))
                FROM (SELECT to_jsonb(whole) FROM {name} AS whole) AS t""" for name in names if name not in OF_THE_RUN]
    return dict(line.split("|") for line in sql(" UNION ALL ".join(each)).split("\n"))


def published(found):
    return {name: found[name] for name in found if name.startswith(("statement", "journal", "closure", "finding", "job_result", "adjustment"))}


def without(found, name):
    return {other: found[other] for other in found if other != name}


def room():
    """Bytes of all tables, indexes included."""
    return int(sql(f"""SELECT sum(pg_total_relation_size(oid)) FROM pg_class
                       WHERE relnamespace = 'kstar'::regnamespace AND relkind = 'r' AND relname NOT IN {OF_THE_RUN}"""))


def lasts_until(process, seconds=None, lines=None):
    """Whether the process is still at work after so many seconds, or with that line of its log."""
    if lines is not None:
        return all(process.stderr.readline() for _ in range(lines)) and process.poll() is None
    try:
        process.wait(timeout=seconds)
        return False
    except subprocess.TimeoutExpired:
        return True


def kill_server():
    pid_file = pathlib.Path(os.environ["KSTAR_DATA_DIR"]) / "postgresql" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)


def kill(moment, with_server):
    """Whether it was killed before its end."""
    process = subprocess.Popen([KSTAR, *PRUNE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if lasts_until(process, **moment):
        process.kill()
        if with_server:
            kill_server()
    process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), process.returncode
    return process.returncode != 0


def where(found):
    """What it was at. What it has removed is removed as a whole, and noted for rewriting with
    it."""
    if without(found, LEFT_TO_DO) == without(closed, LEFT_TO_DO):
        equals(closed, found)
        return "before anything was gone"
    equals(without(pruned, LEFT_TO_DO), without(found, LEFT_TO_DO))
    return "at the end" if found == pruned else "while tables were rewritten"


made(INBOX)
of_few_centres(INBOX)
close(INBOX, OUT)
sql("CHECKPOINT")
maintain(COPY_DATABASE.format("closed", "kstar"))
closed, room_before = rows(), room()
begin = time.monotonic()
lines = len(output_of(*PRUNE, "--json").split("event=pruned")) - 1
seconds = time.monotonic() - begin
pruned, room_after = rows(), room()
assert lines > 3 and room_after < room_before and "billing_line_20260701" in set(closed) - set(pruned), (lines, room_before, room_after)
equals(published(closed), published(pruned))

it(f"seed {SEED}; an undisturbed one takes {seconds:.2f} s and leaves {room_after} bytes of {room_before}")
moments, ended, turn = random.Random(SEED), collections.Counter(), itertools.count()
for number in itertools.count():
    if ended.total() >= KILLS:
        break
    start_over()
    when = f"prune {number}"
    for _ in range(2 if number % 4 == 2 else 1):
        moment = {"seconds": round(moments.uniform(0, seconds), 3)} if next(turn) % 2 == 0 else {"lines": moments.randint(1, lines)}
        was_killed = kill(moment, with_server=number % 4 == 3)
        at = where(rows())
        when += f", killed at {moment} ({at if was_killed else 'too late'})"
        ended.update([at] if was_killed else [])
    kstar(*PRUNE, "--quiet")
    equals(pruned, rows())
    assert room() <= room_after * 1.02, f"{when}: {room()} bytes, not {room_after}"
    print(when, flush=True)
print(f"{ended.total()} times SIGKILL survived:", ", ".join(f"{at} {count}" for at, count in ended.most_common()))

it("leaves the next night without news: all that was delivered is known")
Publish(INBOX)()
after = rows()
# holds that are gone count as a change, which a night adds up
assert pruned.pop("job_change") != "" == after.pop("job_change")
equals(pruned, after)
