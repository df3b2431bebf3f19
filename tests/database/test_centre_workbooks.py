"""Which cost centres get a workbook, and what theirs says of the month before: one with an
adjustment alone, one that is new."""

import os
import shutil
import sys
from pathlib import Path

WORK, SOURCES = Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import workbooks  # first: it may start the test again
import case_page
from company import Company
from saying import equals, it

SEPTEMBER = """A alone

== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags
1 00:00           | 10-01 00:00     | 1000.00    | team=a
"""
OCTOBER = """A's September is restated, and October has B alone

== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags
1 00:00           | 10-01 00:00     | 1040.00    | team=a

== bill cloud 2026-10
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags
10-01 00:00       | 11-01 00:00     | 600.00     | team=b
"""
LATE = SOURCES / "tests" / "cases" / "03-late-job-internal-charge.case"


def summary(centre, company):
    """What stands beside each label of its summary."""
    book = workbooks.Book(company.out / f"chargeback-2026-10-{centre}.xlsx")
    return {row[0].strip(): row[1] for row in book["Summary"].iter_rows(values_only=True) if row[0]}, book


def played(name, page):
    """A company to which the inputs of a page have come, with nights before its closes and at its
    end."""
    played_to = Company(name)
    for words, table in page.sections:
        if words[0] == "close":
            played_to.deliver("None\n")
            played_to.kstar("close", words[1], "--accept-incomplete", "as the page says")
        elif words[0] != "expect":
            case_page.write_input(words, table, played_to.inbox)
    played_to.deliver("None\n")
    return played_to


centres = Company("centres")
centres.deliver(SEPTEMBER)
centres.kstar("close", "2026-09")
centres.deliver(OCTOBER)

it("writes one for each cost centre that is charged, if only by an adjustment to a closed month")
equals(["chargeback-2026-10-A.xlsx", "chargeback-2026-10-B.xlsx"], sorted(path.name for path in centres.out.glob("chargeback-2026-10-*.xlsx")))
figures, book = summary("A", centres)
equals((0, 40, 1000, -1000), tuple(figures[label] for label in ("True cost", "Adjustments to closed months", "True cost last month", "Change")))
equals([("A", "Team A", 40)], [(row["Cost centre"], row["Name or subject"], row["Amount"])
                               for row in workbooks.table(book, "Statement", "Name or subject")])

it("says of a cost centre that is new that it had no cost last month, not that the month has no statement")
figures, book = summary("B", centres)
equals((600, 0, 600, None), tuple(figures.get(label) for label in ("True cost", "True cost last month", "Change", "Change, share")))
equals([("B", 600, 600, 0)], [(row["Cost centre"], row["Change"], row["This month"], row["Last month"])
                              for row in workbooks.table(book, "Summary", "Component no.")])

it("adds up all adjustments of its sheet, of internal charges as well: the journal books both")
late = played("late", case_page.read_page(LATE))
# as the page works them out
for centre, on_the_bill, internal in (("A", 0, -600), ("B", 5, 600), ("P", -5, 0)):
    figures, book = summary(centre, late)
    equals(on_the_bill + internal, figures["Adjustments to closed months"])
    equals(on_the_bill + internal, sum(row["Adjustment"] for row in workbooks.table(workbooks.Book(late.out / f"data-2026-10-{centre}.xlsx"), "Adjustments", "Closed month")))

it("has formulas that LibreOffice works out alike")
books = [*sorted(centres.out.glob("chargeback-2026-10*.xlsx")), Path(shutil.copy(late.out / "chargeback-2026-10-B.xlsx", WORK / "late-B.xlsx"))]
for path, other in zip(books, workbooks.recalculated(books, WORK)):
    found, count = workbooks.differences(path, other)
    equals([], found)
    assert count > 10, path
