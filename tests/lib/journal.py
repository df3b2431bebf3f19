"""What a journal has to book, worked out from a statement's rows alone (docs/journal.md); and
journals read back.

A line is known by its account, cost centre and external reference; amounts are whole minor units,
debits above 0.
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
        """Minor units by account, cost centre and reference; without sums of zero."""
        cells = Counter()
        for row in self.lines if lines is None else lines:
            cells[row["GL account"], row["Cost centre"], row["External reference"]] += int(row["amount"].scaleb(digits))
        return {cell: units for cell, units in cells.items() if units}

    @staticmethod
    def document(row):
        """What a ledger takes for one journal entry, as the row itself says."""
        return tuple(row[name] for name in ("Posting key", "Company", "Currency", "Kind", "Accounting date", "Reversal date"))

    def uneven(self):
        """Documents in which debits are not credits, or not the control total; and keys that more
        than one has."""
        debits, credits = defaultdict(Decimal), defaultdict(Decimal)
        for row in self.lines:
            debits[self.document(row)] += Decimal(row["Debit"] or 0)
            credits[self.document(row)] += Decimal(row["Credit"] or 0)
        totals = {self.document(row): Decimal(row["Control total"]) for row in self.headers}
        keys = Counter(row["Posting key"] for row in self.headers if row["Posting key"])
        return [key for key in {*debits, *credits, *totals} if not debits[key] == credits[key] == totals.get(key)] \
            + [key for key, count in keys.items() if count > 1]


def in_ledger(*journals):
    """Amounts by day, account and cost centre in a ledger that took these journals: an entry for
    each key, which it takes once, with the dates of its header alone; entries that have a reversal
    date it has taken back on that day."""
    taken, cells = set(), Counter()
    for written in journals:
        for header in written.headers:
            key = header["Posting key"]
            assert key and key not in taken, f"{key!r} was booked before"
            taken.add(key)
            lines = [row for row in written.lines if row["Posting key"] == key]
            assert sum(row["amount"] for row in lines) == 0, f"{key} does not balance"
            for day, sign in ((header["Accounting date"], 1), (header["Reversal date"], -1)):
                for row in lines if day else ():
                    cells[day, row["GL account"], row["Cost centre"]] += sign * row["amount"]
    return {cell: amount for cell, amount in cells.items() if amount}


def on_last_day(rows, month_end):
    return [row for row in rows if (row.get("valid_from") or "") <= month_end and not (row.get("valid_to") or "9") <= month_end]


def expected(statement_rows, invoices, reference, month_end):
    """From the CSVs of fixtures/expected (as rows) and the folder of reference files."""
    settings = {row["parameter"]: row["value"] for row in on_last_day(read_csv(reference / "settings.csv"), month_end)}
    centres = {row["cost_centre"]: row["gl_account"] for row in on_last_day(read_csv(reference / "cost_centres.csv"), month_end)}
    account = {name: settings.get(f"{name}_gl_account", fallback) for name, fallback in FALLBACK.items()}
    wanted = settings.get("journal_internal", "").split()
    cells = Counter()
    for row in statement_rows:
        kind = row["component"] if row["component"] in ("internal_overhead", "engineering_overhead") else "internal_hardware"
        if row["block"] == "internal" and kind not in wanted:
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
