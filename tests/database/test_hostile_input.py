"""Values that somebody who means ill would choose, in every column of everything that is read.

The columns are those of the fixtures' files, and of the smallest record of each other format,
walked by program: one that is added there is tried here. A value is refused or quarantined, by file
and column, or it is text: the same in the database, in the workbooks and in the journal, and no
command, path, formula or escape anywhere on its way.
"""

import copy
import csv
import itertools
import json
import os
import random
import re
import shutil
import string
import subprocess
import sys
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import extent
import workbooks
from saying import KSTAR, it, sql

FIXTURES = SOURCES / "fixtures" / "inbox"
ELSEWHERE, INBOX, OUT = WORK / "elsewhere", WORK / "inbox", WORK / "out"
CLEAN, USAGE, REFUSED, QUARANTINED, CROSSED = 0, 2, 3, 4, 8

LONG = "x" * 32768  # one more than a cell of a workbook holds
# an index cannot make it short enough
RAGGED = "".join(random.Random(1).choices(string.ascii_letters, k=3000))
NUL = "nul\0byte"
COMMANDS = ["$(touch PWNED)", "`touch PWNED`", "; touch PWNED;", "| touch PWNED", "&& touch PWNED", "-rf", "--help"]
PATHS = ["../../etc/passwd", "/etc/passwd", "..", "a/b\\c:d"]
FORMULAS = ["=cmd|' /C calc'!A0", "=1+1", "@SUM(1+1)", "+1+1", "-1-1", "＝1+1", '=HYPERLINK("http://x")', "\t=1+1"]
STATEMENTS = ["'", '"', "'; DROP TABLE kstar.billing_line; --", "$$; DROP SCHEMA kstar CASCADE; $$", "\\", "\\.", "\\N", "E'\\x27'",
              "report_statement", "pg_catalog.pg_shadow", "kstar.statement_row"]
BYTES = ["tab\there", "cr\rhere", "lf\nhere", "crlf\r\n=1+1", NUL, "bell\a\x1b[31m", "csi\x9b31m", "\N{RIGHT-TO-LEFT OVERRIDE}xslx.exe",
         "\N{RIGHT-TO-LEFT ISOLATE}isolated\N{ARABIC LETTER MARK}\N{LINE SEPARATOR}", "עברית", "😀",
         "\N{ZERO WIDTH NO-BREAK SPACE}begins", "é" * 40, LONG]
MARKUP = ["%s%n%n%n", "%", "_", "*", "<script>", "]]>", "&amp;", "_x0041_", "{}", '{"a":1}', "[[[["]
NUMBERS = ["NaN", "Infinity", "1e400", "9" * 200, "2026-02-30", "0000-00-00"]
# C1, and what turns a line around or ends it
UNSEEN = "\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
HOSTILE = COMMANDS + PATHS + FORMULAS + STATEMENTS + BYTES + MARKUP + NUMBERS


def kstar(*arguments, code, folder=ELSEWHERE):
    done = subprocess.run([KSTAR, *map(str, arguments)], capture_output=True, check=False, cwd=folder)
    done.output = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert done.returncode in code, (arguments, done.returncode, done.output[-3000:])
    obeyed = re.search(rf"^here|[\x00-\x08\x0b-\x1f\x7f{UNSEEN}]", done.output, re.M)  # by a terminal
    assert not obeyed, (arguments, done.output[max(0, obeyed.start() - 200):obeyed.end() + 50])
    return done


def table(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return path


def replaced(row, at, value):
    return [*row[:at], value, *row[at + 1:]]


def relations():
    return sql("SELECT string_agg(nspname || '.' || relname || relkind::text, ' ' ORDER BY nspname, relname) FROM pg_class "
               "JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname LIKE 'kstar%' AND NOT relispartition AND relname !~ '_[0-9]+'")


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def quarantined(source):
    """(column or "", file, line, reason) of each row of a source that could not be read."""
    return json.loads(sql("SELECT coalesce(json_agg(json_build_array(coalesce(column_name, ''), path, line_number, reason)), '[]') FROM quarantined_row "
                          "JOIN source_file USING (file_id) JOIN delivery ON delivery.delivery_id = quarantined_row.delivery_id "
                          f"WHERE source = '{source}'"))


def left_outside():
    """What stands in WORK beside the folders that this test and kstar write on purpose."""
    return sorted(str(path) for path in WORK.rglob("PWNED*")) + [str(path) for path in ELSEWHERE.iterdir()]


# ---- bills ----

KINDS = "account invoice resource sku commitment charge_kind charge_description".split()


def hostile_bill(path, without=(), part=0, parts=1):
    """The header of a bill, its first line, and that line again with each value in each column, or
    with one of so many parts of the values; (column, value) of each."""
    header, first, *_rest = table(path)
    placed = [(name, value) for name in header if name not in without for value in [*HOSTILE, RAGGED][part::parts]]
    return [header, first, *(replaced(first, header.index(name), value) for name, value in placed)], placed


def bills():
    named = "', '".join(KINDS)
    columns = dict(row.split("|") for row in sql("SELECT column_name, table_name FROM information_schema.columns "
                                                 f"WHERE table_schema = 'kstar' AND table_name IN ('{named}')").splitlines())
    for path in sorted(FIXTURES.glob("billing/alder/*/daily.csv")):
        source = f"tried-{path.parent.parent.name}-{path.stem}"
        rows, placed = hostile_bill(path)
        write(WORK / "bills" / source / "bill.csv", rows)
        done = kstar("ingest", "billing", "--source", source, WORK / "bills" / source, code=(QUARANTINED,))
        loaded = int(sql(f"SELECT count(*) FROM current_billing_line WHERE source = '{source}'"))
        kept = quarantined(source)
        assert loaded + len(kept) == len(rows) - 1 and loaded > len(placed) / 2 and len(kept) > 100, (source, len(rows), loaded, len(kept))
        assert "bill.csv, line " in done.output, done.output[-2000:]
        for name, place, line, reason in kept:
            assert place.endswith("bill.csv") and line > 1 and reason and (name in rows[0] or "NUL" in reason), (name, place, line, reason)
        for name in rows[0]:
            if snake(name) not in columns or re.search("Category$|Class$|Currency$|Period|Quantity|Price$", name):
                continue
            stored = set(json.loads(sql(f"SELECT json_agg(DISTINCT {snake(name)}) FROM {columns[snake(name)]}")))
            lost = {value for value in HOSTILE if value not in stored} - {NUL} - ({LONG} if name == "ResourceId" else set())
            assert not lost, (source, name, lost)
    corpus = SOURCES / "tests" / "fuzz" / "corpus" / "billing"
    for seed, form in ("aws_cur", "aws-cur"), ("azure", "azure-actual"), ("gcp", "gcp"):
        given = WORK / "bills" / seed / "bill.csv"
        given.parent.mkdir(parents=True)
        given.write_bytes((corpus / seed).read_bytes()[1:])  # the first byte is for the fuzz target
        write(given, hostile_bill(given)[0])
        done = kstar("ingest", "billing", "--source", "tried-" + seed, "--format", form, given, code=(QUARANTINED,))
        assert all(line > 1 and reason and place.endswith("bill.csv") for _, place, line, reason in quarantined("tried-" + seed))


# ---- job records, nodes ----

def text_records(path, delimiter="|", parts=1):
    """Records that nothing escapes: each value in each column that it cannot break out of, or in
    one column of so many."""
    header, first, *_rest = [line.split(delimiter) for line in path.read_text(encoding="utf-8").splitlines()]
    values = [value for value in [*HOSTILE, RAGGED] if delimiter not in value and not re.search("[\r\n]", value)]
    return [header, first, *(replaced(first, at, value) for at in range(len(header)) for value in values[at % parts::parts])]


def leaves(value, path=()):
    if isinstance(value, (dict, list)):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(below, (*path, key))
    else:
        yield path


def with_leaf(record, path, value):
    changed = copy.deepcopy(record)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


def json_records(text):
    """A document with its first record, and that record again with each value in each leaf."""
    # a fuzz target's own byte may stand before it
    document = json.loads(text[re.search(r"[\[{]", text).start():])
    holder = next((name for name, value in document.items() if isinstance(value, list) and name in ("items", "jobs", "value", "instances")),
                  None) if isinstance(document, dict) else None
    record = document[holder][0] if holder else document[0] if isinstance(document, list) else document
    several = [record, *(with_leaf(record, path, value) for path in leaves(record) for value in [*HOSTILE, RAGGED, -1, 1e300, True, None, [], {}])]
    return {**document, holder: several} if holder else several if isinstance(document, list) else None, several


def job_records():
    for path in sorted(FIXTURES.glob("jobs/*/*.txt")):
        rows = text_records(path)
        given = WORK / "jobs" / path.parent.name / "jobs.txt"
        given.parent.mkdir(parents=True)
        given.write_text("".join("|".join(row) + "\n" for row in rows), encoding="utf-8")
        source = "tried-" + path.parent.name
        kstar("ingest", "jobs", "--accept", "--source", source, given, code=(QUARANTINED,))
        for name, place, line, reason in quarantined(source):
            assert place.endswith("jobs.txt") and line > 1 and reason and (not name or re.search("Elapsed|^cluster$|job id$", name) or name in rows[0]), (name, place, line, reason)
    corpus = SOURCES / "tests" / "fuzz" / "corpus" / "jobs"
    for seed, form in ("sacct_json", "sacct-json"), ("kubernetes", "kubernetes"), ("sagemaker", "sagemaker"), ("vertex", "vertex"), \
            ("azureml", "azureml"), ("plain_jsonl", "jsonl"):
        document, several = json_records((corpus / seed).read_text(encoding="utf-8"))
        given = WORK / "jobs" / f"{seed}.json"
        given.write_text(json.dumps(document) if document else "".join(json.dumps(record) + "\n" for record in several), encoding="utf-8")
        done = kstar("ingest", "jobs", "--accept", "--source", "tried-" + seed, "--format", form, given, code=(CLEAN, QUARANTINED, REFUSED))
        assert done.returncode == CLEAN or seed in done.output, done.output[-2000:]
    header, first = table(corpus / "plain_csv")
    header[0] = "job_id"  # behind the fuzz target's own byte
    write(WORK / "jobs" / "plain.csv", [header, first, *(replaced(first, at, value) for at in range(len(header)) for value in [*HOSTILE, RAGGED])])
    kstar("ingest", "jobs", "--accept", "--source", "tried-csv", "--format", "csv", WORK / "jobs" / "plain.csv", code=(QUARANTINED,))
    kept = quarantined("tried-csv")
    assert len(kept) > 100 and all(line > 1 and reason and place.endswith("plain.csv") for _, place, line, reason in kept), kept[:5]


def node_records():
    for path in sorted(FIXTURES.glob("nodes/*/*.txt")):
        given = WORK / "nodes" / path.name
        given.parent.mkdir(parents=True, exist_ok=True)
        given.write_text("".join("|".join(row) + "\n" for row in text_records(path)), encoding="utf-8")
        kstar("ingest", "nodes", "--source", "tried", given, code=(CLEAN, QUARANTINED, REFUSED))
    for seed in "kubernetes", "slurmrestd":
        document, _several = json_records((SOURCES / "tests/fuzz/corpus/nodes" / seed).read_text(encoding="utf-8"))
        given = WORK / "nodes" / f"{seed}.json"
        given.write_text(json.dumps(document), encoding="utf-8")
        kstar("ingest", "nodes", "--source", "tried-" + seed, "--format", seed, given, code=(CLEAN, QUARANTINED, REFUSED))


# ---- reference files, measurements, scenarios ----

def reference_files():
    """For each column of each file a value, and for the next column another: taken as text, or
    refused by file and line."""
    values = itertools.cycle(value for value in HOSTILE if value not in (NUL,))
    taken = refused = 0
    folder = WORK / "reference"
    shutil.copytree(FIXTURES / "reference", folder)
    kstar("ingest", "reference", folder, code=(CLEAN,))
    for path in sorted((FIXTURES / "reference").glob("*.csv")):
        header, *rows = table(path)
        for (at, name), value in ((column, value) for column in enumerate(header) for both in [(next(values), RAGGED)]
                                  for value in extent.tried(both[column[0] % 2:][:1], both)):
            tried = write(folder / path.name, [header, replaced(rows[0], at, value), *rows[1:]])
            done = kstar("ingest", "reference", tried, code=(CLEAN, REFUSED))
            if done.returncode == REFUSED:
                assert re.search(r"^error: .*\w+\.csv(, line \d+| \(in force\)), .*\S", done.output, re.M), (path.name, name, value[:50], done.output[-500:])
            refused, taken = refused + (done.returncode == REFUSED), taken + (done.returncode == CLEAN)
        kstar("ingest", "reference", path, code=(CLEAN,))
        write(folder / path.name, [header, *rows])
    assert taken > 10 and refused > 50, (taken, refused)


def measurements():
    path = FIXTURES / "efficiency" / "llm-2026-08.csv"
    header, *rows = table(path)
    values = itertools.cycle(HOSTILE)
    for at, name in enumerate(header):
        for value in (*itertools.islice(values, extent.tried(1, 4)), RAGGED):
            given = write(WORK / "efficiency" / "measured.csv", [header, replaced(rows[0], at, value), *rows[1:]])
            done = kstar("ingest", "efficiency", given, code=(CLEAN, REFUSED))
            assert done.returncode == CLEAN or ("measured.csv" in done.output and ("line" in done.output or name in done.output)), done.output[-500:]
    write(WORK / "efficiency" / "measured.csv", [header])
    kstar("ingest", "efficiency", WORK / "efficiency" / "measured.csv", code=(CLEAN,))


def scenarios():
    full = json.loads((SOURCES / "tests/fuzz/corpus/scenario/full.json").read_text(encoding="utf-8")) | {"base": {"from": "2026-09", "to": "2026-09"}}
    values = itertools.cycle([*HOSTILE, -1, 1e300, [], {}, None, True])
    for number, path in enumerate(leaves(full)):
        for value in itertools.islice(values, extent.tried(1, 2)):
            given = WORK / f"scenario-{number}.json"
            given.write_text(json.dumps(with_leaf(full, path, value)), encoding="utf-8")
            done = kstar("report", "forecast", "--scenario", given, "--months", 1, "--json", code=(CLEAN, REFUSED, USAGE))
            assert done.returncode == CLEAN or re.search(r"^error: .*\w", done.output, re.M), (path, value, done.output[-500:])


# ---- a night with all of it ----

CENTRES = {
    "CC-100": "..", "CC-210": "=cmd|' /C calc'!A0", "CC-220": "../../../tmp/escape", "CC-230": "$(touch PWNED) `touch PWNED`; \"q\" 'q'",
    "CC-310": "'; DROP TABLE kstar.billing_line; --", "CC-400": "-rf", "CC-410": "line\r\nend",
}
OTHERS = {
    "llm-pretrain": "\N{RIGHT-TO-LEFT OVERRIDE}=1+1", "vision": "@SUM(1+1)", "diffusion": "../../etc/passwd", "world-model": "%s%n%n", "speech": "😀" * 60,
    "recsys": "report_statement", "rl": "'", "control-plane": "$(touch PWNED)", "support": "+1+1", "shared-storage": "a\nb", "monitoring": "\t=1+1",
}
FREE = {"cost_centres": ("name", "owner"), "waivers": ("reason", "approved_by"), "engineering": ("name",), "overhead_rates": ("name",),
        "settings": ()}
SOURCE_NAMES = ["-rf", "--out", "lf\nhere", "'; DROP SCHEMA kstar CASCADE; --", "$(touch PWNED)", "=1+1", "😀", "é" * 100, "a b", "%s"]


def hostile_inbox():
    """The company of the fixtures, where everything that has a name has one of the worst."""
    shutil.copytree(FIXTURES, INBOX)
    names, free = {**CENTRES, **OTHERS}, itertools.cycle(value for value in HOSTILE if value != NUL)
    for path in [*(INBOX / "reference").glob("*.csv"), *(INBOX / "efficiency").glob("*.csv")]:
        header, *rows = table(path)
        write(path, [header, *([next(free) if name in FREE.get(path.stem, ()) else names.get(cell, cell) if name != "pattern" else cell
                                for name, cell in zip(header, row)] for row in rows)])
    month = []
    bills_of_month = sorted(FIXTURES.glob("billing/*/*/*.csv"))
    for part, path in enumerate(bills_of_month):
        rows, _placed = hostile_bill(path, ("BillingCurrency", "BillingPeriodStart"), part, len(bills_of_month))
        write(INBOX / "billing" / f"hostile-{path.stem}" / "2026-09" / "bill.csv", rows)
        month.append([rows[0], rows[1]])
    for at, name in enumerate([*SOURCE_NAMES, "..hidden"]):
        header, row = month[at % len(month)]
        # a copy of another's would be held
        write(INBOX / "billing" / name / name / "bill.csv", [[*header, "x_Bill"], [*row, str(at)]])
    rows = text_records(FIXTURES / "jobs" / "aurora" / "2026-09.txt", parts=4)
    (INBOX / "jobs" / "hostile").mkdir()
    (INBOX / "jobs" / "hostile" / "2026-09.txt").write_text("".join("|".join(row) + "\n" for row in rows), encoding="utf-8")
    write(INBOX / "reference" / "budgets.csv", [["cost_centre", "month", "amount"], *([name, "2026-09", "1"] for name in CENTRES.values())])


def the_night():
    hook = WORK / "hook"
    hook.write_text(f"#!/bin/sh\ncat >>'{WORK}/alerts'\n", encoding="utf-8")
    hook.chmod(0o755)
    before = {str(path) for path in WORK.rglob("*")}
    done = kstar("nightly", INBOX, "--out", OUT, "--on-alert", hook, "--metrics", OUT / "kstar.prom", code=(QUARANTINED,))
    new = {str(path) for path in WORK.rglob("*")} - before
    strange = {path for path in new if not path.startswith((str(OUT), str(WORK / "alerts"), str(WORK / "db")))}
    assert not strange, strange
    assert not [path for path in OUT.rglob("*") if path.is_dir() or path.is_symlink()], list(OUT.rglob("*"))
    return done


def is_guarded(text):
    return not re.match("[=+\\-@\t\r\n＝＋－＠]", text) or re.fullmatch(r"-?[0-9.]+", text)


def what_was_written():
    formulas = 0
    hostile = [text for text in {*HOSTILE, *CENTRES.values(), *OTHERS.values()} if text.startswith(("=", "@", "+", "-"))]
    for path in sorted(OUT.glob("*.xlsx")):
        for sheet in workbooks.formulas(path):
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.data_type == "f":
                        formulas += 1
                        assert not any(text in str(cell.value) for text in hostile if len(text) > 3), (path.name, sheet.title, cell.value)
                        assert not re.search(r"(?i)hyperlink|webservice|cmd\||dde|indirect", str(cell.value)), (path.name, sheet.title, cell.value)
                    assert not re.search(f"[{UNSEEN}]", str(cell.value)), (path.name, sheet.title, cell.value)
                    assert cell.hyperlink is None or cell.hyperlink.location, (path.name, sheet.title, cell.coordinate)
    journals = list(OUT.glob("*.csv"))
    assert formulas > 500 and journals, (formulas, journals)
    for path in journals:
        for row in table(path):
            for text in row:
                assert is_guarded(text), (path.name, text)
    alerts = [json.loads(line) for line in (WORK / "alerts").read_text(encoding="utf-8").splitlines()]
    assert {alert["cost_centre"] for alert in alerts} <= set(CENTRES.values()) and len(alerts) >= 6, alerts


for folder in ELSEWHERE, OUT:
    folder.mkdir()
kstar("init", code=(CLEAN,))
whole = relations()

it("keeps every value of every column of a bill as text, or quarantines the line by file, line and column")
bills()
it("does so with job records of every format, and with nodes")
job_records()
node_records()
it("takes or refuses every value of every column of the reference files, by file and line")
reference_files()
it("takes or refuses values in every column of measurements")
measurements()
it("has all tables and views that it had, and ran no command")
assert relations() == whole and not left_outside(), left_outside()

it("brings a night through in which every source, cost centre, family and pool has a hostile name")
sql("DROP SCHEMA kstar CASCADE; DROP SCHEMA IF EXISTS kstar_views CASCADE")
hostile_inbox()
night = the_night()
assert relations() == whole and not left_outside(), left_outside()

it("has every cent of it on the statement, under those names")
assert {row for row in json.loads(sql("SELECT json_agg(DISTINCT cost_centre) FROM statement_row WHERE cost_centre IS NOT NULL"))} == set(CENTRES.values())
sources = set(json.loads(sql("SELECT json_agg(DISTINCT source) FROM statement_invoice")))
# hidden folders are passed over
assert set(SOURCE_NAMES) <= sources and "..hidden" not in sources, set(SOURCE_NAMES) - sources

it("makes no formula, link or folder of any of it, in workbooks, journal and alerts, and turns no cell's text around")
what_was_written()
it("prints the names without a character that a terminal would obey or nobody sees, and no name passes for a line of its own")
for words in (["status"], ["budget"], ["report", "units", "--period", "2026-09"], ["report", "chargeback", "--period", "2026-09", "--out", OUT],
              ["report", "journal", "--period", "2026-09", "--out", OUT], ["model", "--fits"], ["model", "--failed-runs"], ["model", "--rate-card"],
              ["ingest", "quarantine"], ["diff", "2026-09"], ["close", "2026-09"], ["deliver", OUT, "--directory", WORK / "delivered", "--dry-run"],
              ["advise", "--family", OTHERS["llm-pretrain"]]):
    kstar(*words, code=(CLEAN, QUARANTINED, CROSSED))

it("forecasts it by scenarios whose texts and numbers are hostile, too")
scenarios()
assert not left_outside(), left_outside()
