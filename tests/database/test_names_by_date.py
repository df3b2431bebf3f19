"""What workbooks call things is what they are called in the month: a cost centre renamed later, a
family that counts accelerators from a day within the month."""

import os
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import workbooks  # first: it may start the test again
from company import Company, measured
from saying import equals, it

INPUTS = """The job of 12-saving, whose family counts accelerators, one a node

== reference cost_centres
cost_centre | name       | gl_account | valid_from | valid_to
A           | Team A     | 6001       |            | 2026-10-01
A           | Team Alpha | 6001       | 2026-10-01 |

== reference nodes
cluster | node     | resource_id | accelerators
c       | n[01-05] | i-[01-05]   | 1

== reference families
family | unit         | accelerators_per_node | maximum_k | valid_from
model  | accelerators | 1                     | 16        | 2026-09-05

== reference family_rules
priority | match    | pattern | family
1        | job_name | train   | model

== reference node_power
watts_at_load | watts_idle
1000          | 100

== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
8 10:00           | 8 11:00         | i-[01-05]  | 1                | Hours        | 80.00

== jobs c
JobID | Account | Start   | End     | NNodes | AllocCPUS | NodeList | GPUs
1     | a       | 8 10:00 | 8 11:00 | 5      | 40        | n[01-05] | 5
""" + measured("model")

company = Company("names")
company.reference("mapping_rules", [["priority", "match", "pattern", "cost_centre"], ["1", "job_account", "a", "A"]])
company.deliver(INPUTS)
review = workbooks.values(company.out / "review-2026-09.xlsx")
chargeback = workbooks.values(company.out / "chargeback-2026-09.xlsx")
data = workbooks.values(company.out / "data-2026-09.xlsx")

it("counts a job's K in what its family counted at the month's end, in words as in numbers")
words = [cell for row in review["Flagged jobs"].iter_rows(values_only=True) for cell in row if isinstance(cell, str) and cell.startswith("5 accelerators")]
equals(["5 accelerators cost USD 200.00 more than 1 and saved 90 minutes: right only if an hour is worth more than USD 133; waiting not counted"], words)

it("names a cost centre as it was named in the month, on every sheet")
equals(["Team A"], [row["Name"] for row in workbooks.table(review, "By team", "Name")])
for book, sheet, heading in ((chargeback, "Statement", "Component"), (chargeback, "Waterfall", "Name"), (data, "Energy and carbon", "Name")):
    equals(["Team A"], sorted({row["Name"] for row in workbooks.table(book, sheet, heading)}))
