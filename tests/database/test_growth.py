"""A night grows with the bill, not with its square: no step of a plan meets more rows than in
proportion to the lines, attempts and nodes there are, and none reads a table through for each
attempt. Rows are counted, not seconds (auto_explain), so the machine has no say. What goes wrong
otherwise is seen at a million lines first (tests/bench/night): PostgreSQL expects one row where
there are thousands, and compares each with each. Two companies: one with many nodes and three
months, of which two are closed and one of those is replayed; and one whose month has whatever rules
there are, refunds, overloaded nodes and runs under way among them."""

import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import published  # noqa: E402
from closed_months import MONTHS, SOURCES, WORK, close, made  # noqa: E402
from nights import fewer_centres  # noqa: E402
from publish import Publish  # noqa: E402
from saying import equals, it, kstar, sql, wait_until  # noqa: E402

MOST = 8  # times the rows that there are; their square is tens of thousands of times as many
HANDFUL = 8  # rows, such as the clusters, that may be gone through for each attempt
LINES, JOBS, NODES = 3000, 1500, 750  # of a month
ALL_BUT_ONE = rb"CC-(1[1-9]|2\d)0"  # of thirteen cost centres
# Half a million rows are not met in less than this, so what is faster needs no plan in the log.
PLANS = """autovacuum = on
enable_mergejoin = on
log_destination = 'jsonlog'
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = '5ms'
auto_explain.log_analyze = on
auto_explain.log_timing = off
auto_explain.log_format = 'json'
auto_explain.log_nested_statements = on
"""


def logs():
    return glob.glob(os.path.join(os.environ["KSTAR_DATA_DIR"], "log", "*.json"))


def company(name):
    """Its inbox and output folder; kstar's database is new, and no plan is in the log."""
    published.new_database("kstar")
    for log in logs():
        os.truncate(log, 0)
    return WORK / name / "inbox", WORK / name / "out"


def steps(node):
    yield node
    for below in node.get("Plans", ()):
        yield from steps(below)


def rows_met(step):
    """What it handed on and what it looked at in vain, in all of its loops."""
    return round(step["Actual Loops"] * (step["Actual Rows"] + sum(step.get(f"Rows Removed by {what}", 0)
                                                                  for what in ("Filter", "Join Filter", "Index Recheck"))))


def is_read_through(step, most_loops):
    """Whether it goes through more than a handful of rows from the first to the last, time and
    again: an index or a memory of answers has the ones asked for."""
    return (step["Node Type"] in ("Seq Scan", "CTE Scan", "Materialize") and step["Actual Loops"] > most_loops
            and rows_met(step) > HANDFUL * step["Actual Loops"])


def plans():
    """Of each statement in the server's log: its first line, and its plan."""
    for log in sorted(logs()):
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                words, _, plan = json.loads(line).get("message", "").partition("plan:\n")
                if words.startswith("duration:"):
                    found = json.loads(plan)
                    yield found["Query Text"].lstrip().partition("\n")[0], found["Plan"]


def grows_in_proportion(of="", at_least=20, most_loops=JOBS // 2):
    """Of those statements that begin so; what reads a table through does so for half the attempts
    of a month at most."""
    facts = int(sql("SELECT (SELECT count(*) FROM billing_line) + (SELECT count(*) FROM job) + (SELECT count(*) FROM job_node)"))
    most, read_through = {}, set()
    for statement, plan in plans():
        if not statement.startswith(of):
            continue
        most[statement] = max([most.get(statement, (0, "")), *((rows_met(step), step["Node Type"]) for step in steps(plan))])
        read_through |= {f"{statement}: {step['Actual Loops']} times {step['Node Type']} {step.get('Relation Name', '')}"
                         for step in steps(plan) if is_read_through(step, most_loops)}
    assert len(most) >= at_least, f"the plans of the nights are not in the server's log: {list(most)}"
    for statement, (rows, step) in sorted(most.items(), key=lambda item: item[1], reverse=True)[:5]:
        print(f"{rows / facts:8.1f} {step:<16} {statement[:100]}")
    above = [f"{statement}: {step} meets {rows} rows, {rows / facts:.0f} for each of {facts} lines, attempts and nodes"
             for statement, (rows, step) in most.items() if rows > MOST * facts]
    assert not above, "\n".join(above)
    assert not read_through, "\n".join(sorted(read_through))


def scans(month):
    """How often the lines of a month were read through so far. A server process counts it when it
    ends."""
    return int(sql(f"SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'billing_line_{month.replace('-', '')}01'"))


with open(os.path.join(os.environ["KSTAR_DATA_DIR"], "local.conf"), "a", encoding="utf-8") as settings:
    settings.write(PLANS)

it("three months of many nodes are published, and two of them closed")
inbox, out = company("plain")
made(inbox, LINES, JOBS, "--nodes", str(NODES))
fewer_centres(inbox, (ALL_BUT_ONE, b"CC-110"))
close(inbox, out)

it("a record of the first month says something else, and the month is replayed")
records = min((inbox / "jobs").rglob("*.txt"))
records.write_text(records.read_text(encoding="utf-8").replace("|COMPLETED|", "|FAILED|", 1), encoding="utf-8")
kstar("nightly", inbox, "--out", out, "--quiet")
assert sql(f"SELECT count(*) FROM adjustment WHERE adjusted_month = '{MONTHS[0]}-01'") != "0", "nothing was replayed"

it("no step meets more rows than in proportion, and nothing is read through for each attempt")
grows_in_proportion()

it("a statement reads the lines of its own month, and none of other months")
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
wait_until(OTHERS, "0")  # each counts what it has read as it ends
before = [scans(month) for month in MONTHS]
kstar("model", "--again", "--period", MONTHS[-1], "--quiet")
wait_until(OTHERS, "0")
after = [scans(month) for month in MONTHS]
equals(before[:-1], after[:-1])
assert after[-1] > before[-1], "the lines of the month were not read, or nobody counted it"

it("no step meets more rows than in proportion where all rules there are apply, either")
inbox, out = company("ruled")
subprocess.run([SOURCES / "fixtures" / "generate", "--out", inbox, "--random-rules", "--edges", "--seed", "4", "--lines", "10000", "--jobs", "2250"],
               check=True)
fewer_centres(inbox, (ALL_BUT_ONE, b"CC-110"))
for name, rows in (("node_power", "cluster,node_type,watts_at_load,watts_idle,valid_from,valid_to\n,,6500,1800,,\n"),
                   ("run_groups", "priority,match,pattern,same,within_hours,valid_from,valid_to\n10,job_name,*,family and user,10,,\n"),
                   ("waivers", "match,pattern,approved_by,reason,valid_from,valid_to\njob_name,llm-*,Ruth Amsel,board demonstration,,\n")):
    (inbox / "reference" / f"{name}.csv").write_text(rows)
kstar("nightly", inbox, "--out", out, "--quiet", code=4)
for facts in ("charge WHERE reason LIKE 'refunded%'", "job WHERE end_time IS NULL", "statement_row WHERE component = 'engineering_overhead'",
              "job_result WHERE waiver IS NOT NULL"):
    assert int(sql(f"SELECT count(*) FROM {facts}")) > 30, f"hardly any row of {facts}"
grows_in_proportion(most_loops=750)  # a third

it("nor do lines meet classes of fleets each with each, in the company of the fixtures")
company("fixtures")
Publish(SOURCES / "fixtures" / "inbox")()
grows_in_proportion("-- The serving fleets", at_least=1)

it("removes what a statement replaces the same day, however large the table of all years is")
equals("", sql("SELECT string_agg(name, ', ') FROM unnest(published_tables()) AS name JOIN pg_class ON oid = ('kstar.' || name)::regclass "
               "WHERE ('autovacuum_vacuum_scale_factor=0' = ANY (reloptions)) IS NOT TRUE"))
