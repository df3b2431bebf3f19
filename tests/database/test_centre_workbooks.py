"""Which cost centres get a workbook, and what theirs says of the month before: one with an adjustment alone, one that is new."""

import os
import sys
from pathlib import Path

WORK, SOURCES = Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import workbooks  # first: it may start the test again
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


def summary(centre):
    """What stands beside each label of its summary."""
    book = workbooks.values(company.out / f"chargeback-2026-10-{centre}.xlsx")
    return {row[0].strip(): row[1] for row in book["Summary"].iter_rows(values_only=True) if row[0]}, book


company = Company("centres")
company.deliver(SEPTEMBER)
company.kstar("close", "2026-09")
company.deliver(OCTOBER)

it("writes one for each cost centre that is charged, if only by an adjustment to a closed month")
equals(["chargeback-2026-10-A.xlsx", "chargeback-2026-10-B.xlsx"], sorted(path.name for path in company.out.glob("chargeback-2026-10-*.xlsx")))
said, book = summary("A")
equals((0, 40, 1000, -1000), tuple(said[label] for label in ("True cost", "Adjustments to closed months", "True cost last month", "Change")))
equals([("A", "Team A", 40)], [(row["Cost centre"], row["Name or subject"], row["Amount"])
                               for row in workbooks.table(book, "Statement", "Name or subject")])

it("says of a cost centre that is new that it had no cost last month, not that the month has no statement")
said, book = summary("B")
equals((600, 0, 600, None), tuple(said.get(label) for label in ("True cost", "True cost last month", "Change", "Change, share")))
equals([("B", 600, 600, 0)], [(row["Cost centre"], row["Change"], row["This month"], row["Last month"])
                              for row in workbooks.table(book, "Summary", "Component no.")])

it("has formulas that LibreOffice works out alike")
books = sorted(company.out.glob("chargeback-2026-10*.xlsx"))
for path, other in zip(books, workbooks.recalculated(books, WORK)):
    found, count = workbooks.differences(path, other)
    equals([], found)
    assert count > 10, path
