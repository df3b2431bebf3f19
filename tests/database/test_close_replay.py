"""Any month that is closed and then changes: its statement plus its adjustments is the
statement that it would have today.

A generated month is published and closed; then its facts change: amounts, lines that go, jobs that
come late or end otherwise, nodes that their cluster tells of late. The month that carries the
adjustments is closed, they change again, and at last they become again what they were at the close
(recorded nodes stay recorded). From the close on another pool pays for idle, in nodes.csv and
node_types.csv: that is a choice, of which the month has the one of its close, also for nodes that
were recorded since. The second opinion is fixtures/expected/compute on the changed inbox: it knows
nothing of closing. Money is compared per source, line type, cost centre and component, in minor
units, adjustments of all months together. Months of even seeds have what stands at the edge of a
rule (fixtures/generate --edges). Arguments: seeds (default: SEEDS).
"""

import csv
import os
import random
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import published
from extent import tried
from publish import Publish
from random_month import MONTH, compute, generate
from saying import run

SEEDS = tried((1, 2), range(1, 5))
CELL = ("source", "line_type", "cost_centre", "component")


def rewrite(path, change):
    """Passes the rows of a CSV through `change`, which returns a row or None."""
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    rows = [dict(zip(header, row)) for row in rows if len(row) == len(header)]
    kept = [row for row in map(change, rows) if row is not None]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([header, *([row[name] for name in header] for row in kept)])


def explained(row):
    """What keeps a month from being closed goes: what cannot be read, and between billed and
    effective cost what nothing explains."""
    if "3,10" in row.values() or row["EffectiveCost"] == "n/a":
        return None
    if row["CommitmentDiscountId"] in ("", "NULL"):
        row["EffectiveCost"] = row["BilledCost"]
    return row


def restated(generator):
    def change(row):
        chance = generator.random()
        if chance < 0.02:
            return None
        if chance < 0.10 and row["BilledCost"] == row["EffectiveCost"]:
            row["BilledCost"] = row["EffectiveCost"] = f"{generator.uniform(-5, 50):.6f}"
        return row
    return change


def jobs_of(text):
    header, *lines = text.splitlines()
    names = header.split("|")
    return header, names, [dict(zip(names, line.split("|"))) for line in lines]


def without_late_jobs(text, generator):
    """What is known at the close: some records come later; the latest one does not, so that the
    horizon stays."""
    header, names, jobs = jobs_of(text)
    latest = max(jobs, key=lambda job: job["End"])
    kept = [job for job in jobs if job is latest or generator.random() > 0.15]
    return "\n".join([header, *("|".join(job[name] for name in names) for job in kept)]) + "\n"


def with_changed_states(text, generator):
    header, names, jobs = jobs_of(text)
    for job in jobs:
        if job["State"] == "COMPLETED" and generator.random() < 0.2:
            job["State"] = "FAILED"
    return "\n".join([header, *("|".join(job[name] for name in names) for job in jobs)]) + "\n"


def with_a_later_job(text):
    """Records go into November: October is over."""
    header, names, jobs = jobs_of(text)
    later = dict(max(jobs, key=lambda job: job["End"]), JobID="990001", JobIDRaw="990001", Submit="2026-11-01T00:00:00",
                 Eligible="2026-11-01T00:00:00", Start="2026-11-01T00:00:00", End="2026-11-01T01:00:00", ElapsedRaw="3600")
    return "\n".join([header, *("|".join(job[name] for name in names) for job in [*jobs, later])]) + "\n"


def keep_rates(path):
    """The months that carry the adjustments have the rates of this one as well."""
    with path.open(encoding="utf-8") as file:
        latest = {tuple(row[1:3]): row for row in sorted(list(csv.reader(file))[1:])}
    with path.open("a", encoding="utf-8") as file:
        for day in ("2026-10-31", "2026-11-30"):
            file.writelines(",".join([day, *row[1:]]) + "\n" for row in latest.values())


def make_closable(reference, bills):
    """Invoices say what their lines do, those without an issuer included, and the cost centre of
    suspense does not end with the month."""
    billed = Counter()
    for bill in bills:
        with bill.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        named = {}
        for row in rows:
            if row["InvoiceIssuerName"] not in ("", "NULL"):
                named.setdefault((row.get("InvoiceId"), row["BillingCurrency"]), set()).add(row["InvoiceIssuerName"])
        for row in rows:
            for issuer in named.get((row.get("InvoiceId"), row["BillingCurrency"]), ()):
                if row["InvoiceIssuerName"] in (issuer, "", "NULL"):
                    billed[row.get("InvoiceId"), issuer, row["BillingCurrency"]] += Decimal(row["BilledCost"])

    def agreed(row):
        amount = billed.get((row["invoice_id"], row["invoice_issuer_name"], row["currency"]))
        return row if amount is None else row | {"net_amount": f"{amount:f}", "tax_amount": ""}

    if (reference / "invoices.csv").exists():
        rewrite(reference / "invoices.csv", agreed)
    rewrite(reference / "cost_centres.csv", lambda row: row | {"valid_to": row["valid_to"].replace(f"{MONTH}-30", "")})


def expected_cells(folder):
    cells = Counter()
    with (folder / "statement_rows.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            component = row["component"] if row["line_type"] == "charge" else ""
            source = row["source"] if row["block"] == "invoice" else ""
            cells[source, row["line_type"], row["cost_centre"], component] += int(row["minor_units"])
    return {cell: units for cell, units in cells.items() if units != 0}


def cells_of(rows):
    cells = Counter()
    for row in rows:
        cells[tuple(row[name] or "" for name in CELL)] += int(row["minor_units"])
    return {cell: units for cell, units in cells.items() if units != 0}


class Closed:
    """A generated month, closed with what was known of it."""

    def __init__(self, seed):
        self.name, self.generator = f"seed {seed}", random.Random(seed)
        self.folder = WORK / f"seed-{seed}"
        self.inbox, self.dsn = self.folder / "inbox", published.new_database(f"replay-{seed}")
        self.publish = Publish(self.inbox, self.dsn)
        # every day fewer lines, with which the months of these seeds can be closed as well
        generate(self.inbox, seed, *tried(["--lines", "900"], []), *(["--edges"] if seed % 2 == 0 else []))
        self.bills = sorted((self.inbox / "billing").rglob("*.csv"))
        for bill in self.bills:
            rewrite(bill, explained)
        make_closable(self.inbox / "reference", self.bills)
        keep_rates(self.inbox / "reference" / "exchange_rates.csv")
        with (self.inbox / "reference" / "settings.csv").open("a", encoding="utf-8") as file:
            file.write("held_below_share,0,,\n")  # these restatements are as large as they come
        self.jobs = next((self.inbox / "jobs").rglob("*.txt"))
        self.all_jobs = self.jobs.read_text(encoding="utf-8")
        self.jobs.write_text(without_late_jobs(self.all_jobs, self.generator), encoding="utf-8")
        self.as_closed = [bill.read_bytes() for bill in self.bills]
        self.nodes = next((self.inbox / "nodes").rglob("*.txt"))
        self.all_nodes = self.nodes.read_text(encoding="utf-8")
        self.nodes.write_text("".join(self.all_nodes.splitlines(keepends=True)[::2]), encoding="utf-8")

    def kstar(self, *arguments):
        return run(*arguments, "--dsn", self.dsn)

    def name_other_idle_pools(self):
        """As the company does it after the close. The second opinion goes on with the files of the
        close."""
        other = {"": "idle", "idle": "idle-kept", "idle-kept": ""}
        paths = [self.inbox / "reference" / name for name in ("nodes.csv", "node_types.csv")]
        self.reference_of_close = {path: path.read_bytes() for path in paths}
        for path in paths:
            rewrite(path, lambda row: row | {"idle_pool": other[row["idle_pool"]]})
        self.reference_since = {path: path.read_bytes() for path in paths}

    def compute(self):
        for path, content in self.reference_of_close.items():
            path.write_bytes(content)
        compute(self.inbox, self.folder / "expected")
        for path, content in self.reference_since.items():
            path.write_bytes(content)

    def close(self, month):
        """With what is new, which the close itself publishes."""
        self.publish.take()
        done = self.kstar("close", month, "--accept-incomplete", "as generated")
        if done.returncode != 0:
            print(f"not ok: {self.name}: {month} is not closed\n{done.stdout}{done.stderr}")
        return done.returncode == 0

    def restate(self):
        for bill in self.bills:
            rewrite(bill, restated(self.generator))
        make_closable(self.inbox / "reference", self.bills)  # corrected invoices came with it

    def is_as_computed(self, what):
        """Published; then the month's statement plus all adjustments, against the independent
        computation."""
        done = self.publish()
        self.compute()
        today, moved = published.query_all(["SELECT source, line_type, cost_centre, component, minor_units FROM kstar.statement_cell "
                                            f"WHERE statement_month = '{MONTH}-01' UNION ALL SELECT source, line_type, cost_centre, "
                                            f"component, minor_units FROM kstar.adjustment WHERE adjusted_month = '{MONTH}-01'",
                                            "SELECT to_char(statement_month, 'YYYY-MM') AS month, count(*) AS moved FROM kstar.adjustment "
                                            "GROUP BY 1 ORDER BY 1"], self.dsn)
        expected, found = expected_cells(self.folder / "expected"), cells_of(today)
        different = [(cell, expected.get(cell), found.get(cell)) for cell in sorted(expected.keys() | found.keys())
                     if expected.get(cell) != found.get(cell)]
        good = not different and moved != [] and int(moved[-1]["moved"]) > 20
        print(f"{'ok' if good else 'not ok'}: {self.name}, {what}: {len(expected)} cells, adjustments "
              + ", ".join(f"{row['moved']} in {row['month']}" for row in moved))
        for line in different[:10]:
            print("  ", *line)
        if not good:
            print(done.stdout, done.stderr[-1500:])
        return good


def holds(seed):
    month = Closed(seed)
    if not month.close(MONTH):
        return False
    month.restate()
    month.name_other_idle_pools()
    month.nodes.write_text(month.all_nodes, encoding="utf-8")
    month.jobs.write_text(with_changed_states(month.all_jobs, month.generator), encoding="utf-8")
    good = month.is_as_computed("changed")
    month.jobs.write_text(with_a_later_job(month.jobs.read_text(encoding="utf-8")), encoding="utf-8")
    if not month.close("2026-10"):
        return False
    month.restate()
    good &= month.is_as_computed("changed again")
    for bill, content in zip(month.bills, month.as_closed):
        bill.write_bytes(content)
    month.jobs.write_text(with_a_later_job(month.all_jobs), encoding="utf-8")
    return month.is_as_computed("taken back") and good


results = [holds(int(seed)) for seed in sys.argv[1:] or SEEDS]
sys.exit(0 if all(results) else 1)
