"""Each page of tests/cases: its inbox, what is published of it, what it expects. Arguments: pages
by name (default: all).

Every sixth page is also explained line by line, every 24th played by whole nights, which write
workbooks; with KSTAR_TEST_WHOLE=1 every page is both."""

import os
import subprocess
import sys
from itertools import groupby
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import explained
import published
import slot_sql
import workbooks
from extent import tried
from publish import Publish

IN_MONTH = "WHERE statement_month = '{month}-01'"
QUERIES = {
    "charged": "SELECT cost_centre AS centre, component, sum(minor_units) / 10.0 ^ max(minor_unit_digits) AS amount "
               "FROM kstar.statement_row JOIN kstar.statement USING (statement_month) " + IN_MONTH +
               " AND line_type = 'charge' AND block = 'invoice' GROUP BY 1, 2 HAVING sum(minor_units) <> 0",
    "elsewhere": "SELECT line_type AS kind, coalesce(reason, row_key) AS what, sum(minor_units) / 100.0 AS amount "
                 "FROM kstar.statement_row " + IN_MONTH + " AND line_type <> 'charge' "
                 "GROUP BY 1, 2 HAVING sum(minor_units) <> 0",
    "priced": "SELECT target, coalesce(pool, job_id) AS whose, reason AS why, sum(priced_seconds) / 3600 AS hours FROM kstar.charge "
            "LEFT JOIN kstar.job USING (attempt_id) " + IN_MONTH + " GROUP BY 1, 2, 3 HAVING sum(priced_seconds) <> 0",
    "parts": "SELECT rule, target, reason AS why, sum(line_count) AS lines FROM kstar.charge " + IN_MONTH + " GROUP BY 1, 2, 3",
    "invoices": "SELECT invoice_id AS invoice, minor_units / 100.0 AS amount, invoice_difference AS difference, invoice_tolerance AS tolerance "
                "FROM kstar.statement_invoice " + IN_MONTH,
    "internal-charges": "SELECT cost_centre AS centre, component, sum(minor_units) / 100.0 AS amount "
                "FROM kstar.statement_row " + IN_MONTH + " AND block = 'internal' GROUP BY 1, 2",
    "jobs": "SELECT job_id AS job, state, job_result.*, " + ", ".join(
                f"{name}_minor / 100.0 AS {name}" for name in
                "useful_compute coordination_waste unmeasured_hardware failed_runs cancelled cloud_fees fixed_overhead "
                "true_cost excess_low excess_high cost cost_at_k_star".split()) +
            ", " + ", ".join(  # as everybody sees it: of flags alone
                f"CASE WHEN kstar.is_flag(verdict) THEN {name}_minor / 100.0 END AS {name}"
                for name in "excess cash_saving freed_capacity others_overhead".split()) +
            " FROM kstar.job_result JOIN kstar.job USING (attempt_id) " + IN_MONTH,
    "prices": "SELECT cost_centre AS centre, service_name AS service, sum(line_count) AS lines, sum(list_minor) / 100.0 AS list, "
              "sum(contracted_minor) / 100.0 AS contracted, sum(effective_minor) / 100.0 AS effective FROM kstar.statement_price " + IN_MONTH + " GROUP BY 1, 2",
    "groups": "SELECT job.run_group, sum(true_cost_minor) / 100.0 AS amount FROM kstar.job_result "
              "JOIN kstar.job USING (attempt_id) " + IN_MONTH + " GROUP BY job.run_group",
    "idle": "SELECT pool, resource_id AS node, node_type AS type, is_held AS held, node_hours AS hours, minor_units / 100.0 AS amount "
            "FROM kstar.statement_idle " + IN_MONTH,
    "oversubscribed": "SELECT subject AS node, quantity FROM kstar.statement_note " + IN_MONTH +
                      " AND kind = 'oversubscribed node'",
    "notes": "SELECT kind, subject, quantity, note, blocks_close AS blocks FROM kstar.statement_note " + IN_MONTH +
             " AND kind <> 'invoice not independently confirmed'",
}
QUERIES["families"] = ("SELECT family, law, k_star, price_per_node_hour, overhead_per_node_hour, fixed_per_wall_hour FROM kstar.family_fit " + IN_MONTH)
QUERIES["bought"] = "SELECT cost_centre AS centre, family, spot_share AS spot FROM kstar_views.report_family " + IN_MONTH
QUERIES["findings"] = "SELECT kind, finding FROM kstar.finding " + IN_MONTH
QUERIES["failed-runs"] = ("SELECT cost_centre AS centre, family, failed_attempts AS failed, productive_attempts AS productive, "
                          "failed_minor / 100.0 AS failed_cost, productive_minor / 100.0 AS productive_cost, factor, factor_from AS told_by "
                          "FROM kstar.failed_run_factor " + IN_MONTH)
QUERIES["results"] = ("SELECT run_group AS run, attempts, failed_attempts AS failed, true_cost_minor / 100.0 AS cost, result "
                      "FROM kstar.run_group_cost")
QUERIES["inventory"] = ("SELECT cluster, node, resource_id AS instance, valid_from AS since, nullif(valid_to, 'infinity') AS until, "
                        "coalesce(source, 'nodes.csv') AS told_by FROM kstar.node_inventory")
QUERIES["interruptions"] = ("SELECT family, capacity, rate_per_node_hour AS rate, rate_per_k_hour AS by_k, rate_from AS told_by, failures, node_hours, checkpoint_hours AS checkpoint, "
                            "restart_hours AS restart FROM kstar.family_interruption " + IN_MONTH)
QUERIES["adjustments"] = ("SELECT to_char(adjusted_month, 'YYYY-MM') AS adjusted, coalesce(source, 'internal') AS source, "
                          "coalesce(cost_centre, subject) AS centre, coalesce(component, line_type) AS component, "
                          "minor_units / 10.0 ^ minor_unit_digits AS amount "
                          "FROM kstar.adjustment JOIN kstar.statement USING (statement_month) " + IN_MONTH)
QUERIES["statement"] = ("SELECT status, (SELECT coalesce(sum(minor_units), 0) FROM kstar.statement_invoice " + IN_MONTH + ") / 10.0 ^ minor_unit_digits AS invoices, "
                        "(SELECT coalesce(sum(minor_units), 0) FROM kstar.adjustment " + IN_MONTH + " AND source IS NOT NULL) / 10.0 ^ minor_unit_digits "
                        "AS adjustments FROM kstar.statement " + IN_MONTH)
QUERIES["headline"] = ("SELECT headline, coverage AS seen, judged AS coverage, saving, measured AS sure "
                       "FROM kstar.statement CROSS JOIN LATERAL kstar.headlines(statement_month, ARRAY['']) " + IN_MONTH)
QUERIES["exact"] = ("SELECT cost_centre AS centre, component, trim_scale(sum(amount)) AS amount "  # before cents
                    "FROM kstar.statement_row " + IN_MONTH + " AND line_type = 'charge' AND block = 'invoice' GROUP BY 1, 2 HAVING sum(amount) <> 0")
SHEETS = {"flagged": ("Flagged jobs", "Rank"), "offenders": ("Repeat offenders", "Excess of all months"),
          "measure-next": ("Measure next", "Measure")}
DONE = (0, 4)
AT_ONCE = 2  # pages; PROCESSORS in tests/CMakeLists.txt
INPUTS = ("bill", "jobs", "managed", "nodes", "efficiency", "reference")
OF_A_NIGHT = ("accept", "exit")


def value_of(text):
    """A cell as it is compared: 1.50 and 1.5 are the same, t is yes."""
    text = {"t": "yes", "f": "no", "true": "yes", "false": "no"}.get(text or "", text or "")
    try:
        return Decimal(text.replace(",", "")).normalize() + 0
    except InvalidOperation:
        return text


def rounded_to(expected, actual):
    """The model's doubles are compared at the digits that the page gives."""
    if isinstance(expected, Decimal) and isinstance(actual, Decimal) and len(actual.as_tuple().digits) > 13:
        return actual.quantize(Decimal(1).scaleb(min(0, expected.as_tuple().exponent))).normalize() + 0
    return actual


def sheet(out, month, name, heading):
    """The rows of a sheet of the review; none where it has no such table."""
    book = workbooks.Book(out / f"review-{month}.xlsx")
    if name not in book.sheetnames or not any(heading in row for row in book[name].iter_rows(values_only=True)):
        return []
    return [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in workbooks.table(book, name, heading)]


def month_of(words):
    return words[2] if len(words) > 2 else "2026-09"


def check(page, words, table, actual):
    header, *rows = table
    wanted = [tuple(value_of(cell) for cell in row + [""] * (len(header) - len(row))) for row in rows]
    found = []
    if unknown := [name for name in header if actual and name not in actual[0]]:
        print(f"not ok: {page.name}: expect {words[1]} has no column {', '.join(unknown)}; it has {', '.join(actual[0])}")
        return False
    for row in actual:
        cells = tuple(value_of(row[name]) for name in header)
        match = next((want for want in wanted if tuple(map(rounded_to, want, cells)) == want), cells)
        found.append(match)
    problems = []
    for row in wanted:
        if row in found:
            found.remove(row)
        else:
            problems.append(f"  expected {' | '.join(map(str, row))}")
    problems += [f"  found    {' | '.join(map(str, row))}" for row in found]
    if problems:
        print(f"not ok: {page.name}, expect {' '.join(words[1:])} ({' | '.join(header)}):", *problems, sep="\n")
    return not problems


class Run:
    """A page being played: its inputs wait until something is asked, then they are published: by a
    whole night if it is asked for, or if the page is about one. Without nights the review is
    written where a page expects a sheet of it."""

    def __init__(self, page, by_nights):
        self.page = page
        self.by_nights = by_nights or any(words[0] in OF_A_NIGHT for words, _ in page.sections)
        self.inbox, self.out = WORK / page.name / "inbox", WORK / page.name / "out"
        self.dsn = published.new_database(page.name)
        self.waiting, self.closed_since, self.closed, self.node_parts = True, False, set(), 0
        self.publish = Publish(self.inbox, self.dsn)
        case_page.write_common_reference(self.inbox)

    def kstar(self, *arguments):
        return subprocess.run([os.environ["KSTAR"], *arguments, "--dsn", self.dsn], capture_output=True, text=True, check=False)

    def ends(self, done, wanted, what):
        if done.returncode in wanted:
            return True
        print(f"not ok: {self.page.name}: {what} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return False

    def night(self, wanted=DONE):
        self.waiting = self.closed_since = False
        if self.by_nights:
            return self.ends(self.kstar("nightly", self.inbox, "--out", self.out), wanted, "kstar nightly")
        return self.shown(self.publish)

    def shown(self, work):
        try:
            work()
        except AssertionError as problem:
            print(f"not ok: {self.page.name}: {problem}")
            return False
        return True

    def is_published(self, closes=None):
        """Publishes what waits. A close does so itself, where of the months with a bill no other is
        open."""
        open_months = {path.name for path in self.inbox.glob("billing/*/*")} - self.closed
        if closes is None or not self.waiting or self.by_nights or open_months != {closes}:
            return not self.waiting or self.night()
        self.waiting = False
        return self.shown(self.publish.take)

    def accept(self, source, month="2026-09"):
        """Accepts a held bill after the night that held it. The next night publishes it."""
        label = f"billing/{source}/{month}"
        done = self.kstar("nightly", self.inbox, "--out", self.out)
        if f"{label} is held: " not in done.stderr:
            print(f"not ok: {self.page.name}: {label} is not held\n{done.stderr}")
            return False
        self.waiting = True
        return self.ends(self.kstar("ingest", "billing", "--accept", self.inbox / label), DONE, f"kstar ingest billing --accept {label}")

    def explain(self):
        """What its months are made of adds up to their statements, of closed ones as it was
        archived. Of open ones a question has the same alone, and docs/slot.sql says the same of
        nodes. With closed ones all of it is verified."""
        months = published.query("SELECT to_char(statement_month, 'YYYY-MM') AS month, status FROM kstar.statement", self.dsn)
        if self.closed_since:
            self.kstar("model")  # what a close changes of the months after it
        try:
            for row in months:
                parts = explained.check(self.kstar, self.dsn, row["month"])
                if row["status"] == "Preliminary":
                    explained.check_asked(self.kstar, row["month"], parts, tried(2, 200))
                    self.node_parts += slot_sql.check(self.dsn, row["month"], parts)
        except AssertionError as problem:
            print(f"not ok: {self.page.name}: what charges are made of: {problem}")
            return False
        return not self.closed or self.ends(self.kstar("verify"), DONE, "kstar verify")

    def play(self, words, table):
        kind, *rest = words
        if kind in INPUTS:
            case_page.write_input(words, table, self.inbox)
            self.waiting = True
            return True
        if kind == "accept":
            return self.accept(*rest)
        if kind == "exit":
            return self.night((int(rest[0]),))
        return self.is_published(closes=rest[0]) and self.close(rest[0], "refused" in rest, table)

    def close(self, month, is_refused, table):
        # Most pages have a bill of some hours, of which no rest of the month will come.
        wanted, accepted = ((4,), ()) if is_refused else ((0,), ("--accept-incomplete", "as the case says"))
        done = self.kstar("close", month, *accepted)
        self.closed_since = True
        self.closed |= set() if is_refused else {month}
        reasons = [line for line in done.stdout.splitlines() if line.startswith("  ")]
        is_named = all(any(row[0] in line for line in reasons) for row in table) and len(reasons) == len(table)
        return self.ends(done, wanted if is_named else (), f"kstar close {month}")

    def expect(self, sections):
        """What is asked for at one time, by one psql."""
        if not self.is_published():
            return False
        asked = [words for words, _ in sections if words[1] not in SHEETS]
        rows = iter(published.query_all([QUERIES[words[1]].format(month=month_of(words)) for words in asked], self.dsn) if asked else [])
        if not self.by_nights:
            for month in {month_of(words) for words, _ in sections if words[1] in SHEETS}:
                self.kstar("report", "review", "--period", month, "--out", self.out)
        return all([check(self.page, words, table, sheet(self.out, month_of(words), *SHEETS[words[1]]) if words[1] in SHEETS else next(rows))
                    for words, table in sections])


def run_page(path, by_nights, is_explained):
    page = case_page.read_page(path)
    run = Run(page, by_nights)
    exits = [section for section in page.sections if section[0][0] == "exit"]
    inputs = [section for section in page.sections if section[0][0] in INPUTS]
    if exits: # of the only night of the page, wherever the section stands
        sections = inputs + exits + [section for section in page.sections if section[0][0] == "expect"]
    else:
        sections = page.sections
    results = []
    for is_asked, group in groupby(sections, key=lambda section: section[0][0] == "expect"):
        results += [run.expect(list(group))] if is_asked else [run.play(words, table) for words, table in group]
    results += [run.explain()] if is_explained else []
    published.drop_database(page.name) # together they fill memory
    if all(results):
        print(f"ok: {page.name}: {page.title} ({run.node_parts} parts of nodes)", flush=True)
    return all(results)


def main():
    folder = SOURCES / "tests" / "cases"
    pages = sorted(folder.glob("*.case"))
    if sys.argv[1:]:
        pages = [page for page in pages if any(word in page.stem for word in sys.argv[1:])]
    published.server()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        by_nights, is_explained = ([at % every == 0 or len(pages) < 10 for at in range(len(pages))] for every in (tried(24, 1), tried(6, 1)))
        results = list(pool.map(run_page, pages, by_nights, is_explained))
    return 0 if results and all(results) else 1


sys.exit(main())
