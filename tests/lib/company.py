"""A company of a test's own: an inbox, a database, and kstar run on both."""

import copy
import os
import shutil
from pathlib import Path

import case_page
import published
import saying
from publish import Publish

BILL = ["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "Tags", "ServiceName"]
CENTRES = [["cost_centre", "name", "gl_account"], *([centre, f"Team {centre}", "6001"] for centre in "ABCP")]
HOURS = {1: 1, 2: .61, 4: .43, 5: .4, 8: .37, 16: .4}  # of the same work on each K
CLEAN, ATTENTION = 0, 4


class Site:
    """An inbox and a database of its own; the inbox is empty, or a copy."""

    def __init__(self, name, inbox=None, template="as_initialised"):
        work = Path(os.environ["WORK"]) / name
        self.name, self.inbox, self.out = name, work / "inbox", work / "out"
        self.dsn = published.new_database(name, template)
        self.publish = Publish(self.inbox, self.dsn)
        if inbox:
            shutil.copytree(inbox, self.inbox)

    def reference(self, name, rows):
        case_page.write_csv(self.inbox / "reference" / f"{name}.csv", rows)

    def copy(self, name):
        """Another one, with the same inbox and all that stands in the database."""
        other = copy.copy(self)
        Site.__init__(other, name, self.inbox, self.name)
        other.publish.taken = {other.inbox / path.relative_to(self.inbox): content for path, content in self.publish.taken.items()}
        return other

    def kstar(self, *arguments, code=CLEAN):
        return saying.kstar(*arguments, "--dsn", self.dsn, code=code)

    def night(self):
        """Whatever waits for a person, the night has published."""
        return self.kstar("nightly", self.inbox, "--out", self.out, code=(CLEAN, ATTENTION))


def measured(*families):
    """The section of a page with the same measurements of each family: HOURS."""
    return "== efficiency\nfamily | k | metric | value | unit\n" + "".join(
        f"{family} | {k} | run_time | {hours} | h\n" for family in families for k, hours in HOURS.items())


class Company(Site):
    """One with the cost centres A, B, C and P."""

    def __init__(self, name):
        super().__init__(name)
        case_page.write_common_reference(self.inbox)
        self.reference("cost_centres", CENTRES)

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
