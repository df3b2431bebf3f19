"""What a journal has to book, worked out from a statement's rows alone (docs/journal.md); and journals read back.

A line is known by its account, cost centre and external reference; amounts are whole minor units, debits above 0.
"""

import csv
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

FALLBACK = {"clearing": "CLEARING", "suspense": "SUSPENSE", "unallocated": "UNALLOCATED", "prepaid": "PREPAID",
            "unexplained": "UNEXPLAINED"}


def read_csv(path, delimiter=","):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


class Journal:
    """The rows of a journal's file in its default layout."""

    def __init__(self, path):
        rows = read_csv(path)
        self.headers = [row for row in rows if row["Record"] == "header"]
        self.lines = [row for row in rows if row["Record"] == "line"]
        for row in self.lines:
            assert (row["Debit"] == "") != (row["Credit"] == ""), row
            row["amount"] = Decimal(row["Debit"] or "0") - Decimal(row["Credit"] or "0")

    def booked(self, lines=None, digits=2):
        """Minor units by account, cost centre and reference; what comes to nothing is left out."""
        cells = Counter()
        for row in self.lines if lines is None else lines:
            cells[row["GL account"], row["Cost centre"], row["External reference"]] += int(row["amount"].scaleb(digits))
        return {cell: units for cell, units in cells.items() if units}

    def uneven(self):
        """Companies and currencies in which debits are not credits, or not the control total."""
        debits, credits = defaultdict(Decimal), defaultdict(Decimal)
        for row in self.lines:
            debits[row["Company"], row["Currency"]] += Decimal(row["Debit"] or 0)
            credits[row["Company"], row["Currency"]] += Decimal(row["Credit"] or 0)
        totals = {(row["Company"], row["Currency"]): Decimal(row["Control total"]) for row in self.headers}
        return [key for key in {*debits, *credits, *totals} if not debits[key] == credits[key] == totals.get(key)]


def on_last_day(rows, month_end):
    return [row for row in rows if (row.get("valid_from") or "") <= month_end and not (row.get("valid_to") or "9") <= month_end]


def expected(statement_rows, invoices, reference, month_end):
    """From the CSVs of fixtures/expected (as rows) and the folder of reference files."""
    settings = {row["parameter"]: row["value"] for row in on_last_day(read_csv(reference / "settings.csv"), month_end)}
    centres = {row["cost_centre"]: row["gl_account"] for row in on_last_day(read_csv(reference / "cost_centres.csv"), month_end)}
    account = {name: settings.get(f"{name}_gl_account", fallback) for name, fallback in FALLBACK.items()}
    wanted = settings.get("journal_off_bill", "").split()
    cells = Counter()
    for row in statement_rows:
        if row["block"] == "off the bill" and row["component"] not in wanted:
            continue
        reference_of = row["invoice_id"] or f"{row['source']} {month_end[:7]}" if row["block"] == "invoice" else row["pool"]
        if row["line_type"] == "balance sheet":
            place = row["gl_account"], ""
        elif row["line_type"] != "charge":
            place = account[row["line_type"]], ""
        elif row["cost_centre"] in centres:
            place = centres[row["cost_centre"]], row["cost_centre"]
        else:
            place = account["suspense"], ""
        cells[(*place, reference_of)] += int(row["minor_units"])
    for row in invoices:
        cells[account["clearing"], "", row["invoice_id"] or f"{row['source']} {month_end[:7]}"] -= int(row["minor_units"])
    return {cell: units for cell, units in cells.items() if units}
