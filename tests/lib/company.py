"""A company of a test's own: an inbox, a database, and kstar run on both."""

import os
import subprocess
from pathlib import Path

import case_page
import published
from publish import Publish

BILL = ["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "Tags", "ServiceName"]
CENTRES = [["cost_centre", "name", "gl_account"], *([centre, f"Team {centre}", "6001"] for centre in "ABCP")]
CLEAN = 0


class Company:
    def __init__(self, name):
        work = Path(os.environ["WORK"]) / name
        self.inbox, self.out = work / "inbox", work / "out"
        self.dsn = published.new_database(name)
        self.publish = Publish(self.inbox, self.dsn)
        case_page.write_common_reference(self.inbox)
        self.reference("cost_centres", CENTRES)

    def reference(self, name, rows):
        case_page.write_csv(self.inbox / "reference" / f"{name}.csv", rows)

    def bill(self, *lines, source="cloud", month="2026-09", **fields):
        """Lines with the columns of BILL, and with `fields` as all of them have them:
        InvoiceId="INV-2"."""
        table = [[*BILL, *fields], *([*line, *fields.values()] for line in lines)]
        case_page.write_input(["bill", source, month], table, self.inbox)

    def take(self, text):
        """What a page's sections give, into the inbox."""
        for words, table in case_page.page_of("inputs", text).sections:
            case_page.write_input(words, table, self.inbox)

    def deliver(self, text, code=CLEAN):
        """A night with what a page's sections give."""
        self.take(text)
        self.kstar("nightly", self.inbox, "--out", self.out, code=code)

    def kstar(self, *arguments, code=CLEAN):
        done = subprocess.run([os.environ["KSTAR"], *map(str, arguments), "--dsn", self.dsn], capture_output=True, text=True, check=False)
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        return done
