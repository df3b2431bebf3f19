"""Each page of tests/cases: its inbox, one night, what it expects. Arguments: pages by name (default: all)."""

import os
import subprocess
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published

IN_MONTH = "WHERE statement_month = '{month}-01'"
QUERIES = {
    "charged": "SELECT cost_centre AS centre, component, sum(minor_units) / 10.0 ^ max(minor_unit_digits) AS amount "
               "FROM kstar.statement_row JOIN kstar.statement USING (statement_month) " + IN_MONTH +
               " AND line_type = 'charge' AND block = 'invoice' GROUP BY 1, 2 HAVING sum(minor_units) <> 0",
    "elsewhere": "SELECT line_type AS kind, coalesce(reason, row_key) AS what, sum(minor_units) / 100.0 AS amount "
                 "FROM kstar.statement_row " + IN_MONTH + " AND line_type <> 'charge' "
                 "GROUP BY 1, 2 HAVING sum(minor_units) <> 0",
    "invoices": "SELECT invoice_id AS invoice, minor_units / 100.0 AS amount, invoice_difference AS difference "
                "FROM kstar.statement_invoice " + IN_MONTH,
    "off-bill": "SELECT cost_centre AS centre, component, sum(minor_units) / 100.0 AS amount "
                "FROM kstar.statement_row " + IN_MONTH + " AND block = 'off the bill' GROUP BY 1, 2",
    "jobs": "SELECT job_id AS job, state, job_result.*, " + ", ".join(
                f"{name}_minor / 100.0 AS {name}" for name in
                "useful_compute coordination_waste unmeasured_hardware failed_runs cancelled cloud_fees fixed_overhead "
                "true_cost excess cash_saving freed_capacity cost cost_at_k_star".split()) +
            " FROM kstar.job_result JOIN kstar.job USING (attempt_id) " + IN_MONTH,
    "groups": "SELECT run_group, sum(true_cost_minor) / 100.0 AS amount FROM kstar.job_result "
              "JOIN kstar.job USING (attempt_id) " + IN_MONTH + " GROUP BY run_group",
    "oversubscribed": "SELECT subject AS node, quantity FROM kstar.statement_note " + IN_MONTH +
                      " AND kind = 'oversubscribed node'",
    "notes": "SELECT kind, subject, quantity, blocks_close AS blocks FROM kstar.statement_note " + IN_MONTH +
             " AND kind <> 'invoice not independently confirmed'",
}
DONE = (0, 4)


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


def check(page, words, table, dsn):
    month = words[2] if len(words) > 2 else "2026-09"
    header, *rows = table
    actual = published.query(QUERIES[words[1]].format(month=month), dsn)
    wanted = [tuple(value_of(cell) for cell in row + [""] * (len(header) - len(row))) for row in rows]
    found = []
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


def run_page(path):
    page = case_page.read_page(path)
    inbox = case_page.write_inbox(page, WORK / page.name / "inbox")
    dsn = published.new_database(page.name)
    kstar = os.environ["KSTAR"]
    night = subprocess.run([kstar, "nightly", inbox, "--out", WORK / page.name / "out", "--dsn", dsn],
                           capture_output=True, text=True, check=False)
    wanted = next((int(words[1]) for words, _ in page.sections if words[0] == "exit"), None)
    if night.returncode != wanted if wanted is not None else night.returncode not in DONE:
        print(f"not ok: {page.name}: kstar nightly ended with {night.returncode}\n{night.stdout}{night.stderr}")
        return False
    results = [check(page, words, table, dsn) for words, table in page.sections if words[0] == "expect"]
    if all(results):
        print(f"ok: {page.name}: {page.title}")
    return all(results)


def main():
    folder = SOURCES / "tests" / "cases"
    pages = sorted(folder.glob("*.case"))
    if sys.argv[1:]:
        pages = [page for page in pages if any(word in page.stem for word in sys.argv[1:])]
    results = [run_page(page) for page in pages]
    return 0 if results and all(results) else 1


sys.exit(main())
