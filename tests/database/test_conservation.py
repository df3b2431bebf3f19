"""Whatever the rules, a month adds up: Σ lines = Σ rows in both measures, each row as it is worked
out without kstar.

Small months are generated with random rules and every kind of line, most with managed jobs, and
once more with all that stands at the edge of a rule. kstar refuses to publish a statement that does
not add up (exit code 5); compute refuses as well; and the two agree to the last digit. What kstar
explain prints of the month adds up to it. Arguments: seeds (default: SEEDS).
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import explained
import journal
import published
from extent import tried
from publish import Publish
from random_month import MONTH, compute, generate
from saying import kstar, run

# 2084: with edges, a Correction of a line that bills machine time without priced time. The months
# of every day have managed jobs: some run on, follow one another, are refunded. 9011: the last
# record of a source has no elapsed time, so that its start and end are two times of its horizon.
# 9305: some lines of a managed job report a time, and others none. 9122: with edges, Corrections of
# such hours.
SEEDS = [*map(int, sys.argv[1:])] or tried((1, 2084, 9305), (1, 2, 3, 4, 2084, 9011, 9122, 9305))
NIGHTLY = WORK / f"edges-{SEEDS[0]}"  # the month that a whole night publishes
DONE = (0, 4)  # 4: some lines cannot be read, by intent


def bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def same_seed_same_bytes():
    for name in ("once", "again"):
        generate(WORK / name, 1)
    same = bytes_of(WORK / "once") == bytes_of(WORK / "again")
    print(f"{'ok' if same else 'not ok'}: the same seed gives the same bytes")
    return same


def books_otherwise(folder):
    """How many accounts, cost centres and references the journal books otherwise than the rows
    worked out without kstar."""
    rows, invoices = (journal.read_csv(folder / "expected" / f"{name}.csv") for name in ("statement_rows", "invoices"))
    wanted = journal.expected(rows, invoices, folder / "inbox" / "reference", f"{MONTH}-30")
    written = journal.Journal(folder / "out" / f"journal-{MONTH}.csv")
    settings = {row["parameter"]: row["value"] for row in journal.read_csv(folder / "inbox" / "reference" / "settings.csv")}
    booked = written.booked(digits={"JPY": 0, "KWD": 3}.get(settings["statement_currency"], 2))
    different = [key for key in {*wanted, *booked} if wanted.get(key) != booked.get(key)]
    for key in different[:5]:
        print(f"journal: {key}: {booked.get(key)} booked, {wanted.get(key)} wanted")
    return len(different) + len(written.uneven())


def holds(seed, edges):
    folder = WORK / (f"edges-{seed}" if edges else f"seed-{seed}")
    generate(folder / "inbox", seed, *(["--edges"] if edges else []))
    with (folder / "inbox" / "reference" / "settings.csv").open("a", encoding="utf-8") as file:
        file.write("journal_internal,internal_overhead engineering_overhead internal_hardware,,\n")
    compute(folder / "inbox", folder / "expected")
    dsn = published.new_database(folder.name)
    if folder == NIGHTLY:
        kstar("nightly", folder / "inbox", "--out", folder / "out", "--quiet", "--dsn", dsn, code=DONE)
    else:
        Publish(folder / "inbox", dsn)()
        kstar("report", "journal", "--period", MONTH, "--out", folder / "out", "--quiet", "--dsn", dsn)
    different = published.compare(folder / "expected", MONTH, dsn) + books_otherwise(folder)
    explained.check(lambda *words: run(*words, "--dsn", dsn), dsn, MONTH)
    print(f"{'not ok' if different else 'ok'}: {folder.name}")
    return different == 0


LOST_KIND = "DELETE FROM kstar.charge_kind WHERE charge_kind_key = (SELECT min(charge_kind_key) FROM kstar.billing_line)"
LOST_LINE = """DELETE FROM kstar.billing_line WHERE (chunk_id, billing_period, line_in_chunk, row_in_record) =
               (SELECT chunk_id, billing_period, line_in_chunk, row_in_record FROM kstar.billing_line ORDER BY 1, 2, 3, 4 LIMIT 1)"""
SHAVED_CHARGE = """CREATE FUNCTION public.shave() RETURNS trigger LANGUAGE plpgsql AS
                   'BEGIN NEW.effective_cost := NEW.effective_cost - 0.000000000001; RETURN NEW; END';
                   CREATE TRIGGER shave BEFORE INSERT ON kstar.charge FOR EACH ROW WHEN (NEW.target = 'job') EXECUTE FUNCTION public.shave()"""


def is_refused(name, wrong, identity, *words):
    """Whatever keeps a line from its statement keeps the statement from being published: by these
    words for kstar, on a copy of a month that was."""
    dsn = published.new_database(name.replace(" ", "-"), template=NIGHTLY.name)
    subprocess.run(["psql", dsn, "-Xqc", f"{wrong}; UPDATE kstar.statement SET run_id = 'stale'"], check=True)
    done = run(*words, "--dsn", dsn)
    good = done.returncode == 5 and re.search(identity, done.stdout + done.stderr, re.DOTALL) is not None
    print(f"{'ok' if good else 'not ok'}: {name}: the month is not published")
    if not good:
        print(done.returncode, done.stdout, done.stderr[-2000:])
    return good


NIGHT = "nightly", NIGHTLY / "inbox", "--out", NIGHTLY / "out", "--quiet"
results = [same_seed_same_bytes(), *(holds(seed, edges) for seed in SEEDS for edges in (True, False)),
           is_refused("a line is lost", LOST_LINE, "each line of a load is read once", *NIGHT),
           is_refused("a line whose kind is lost", LOST_KIND, "each line of a load is read once", "model"),
           is_refused("a job is charged a little less", SHAVED_CHARGE,
                      r"Σ charges of an invoice = Σ its lines.*invoice \S+ of \w", "model")]
sys.exit(0 if all(results) else 1)
