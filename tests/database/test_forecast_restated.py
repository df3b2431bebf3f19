"""kstar report forecast after a closed month was delivered again: how its hardware was bought is
what its statement was made of."""

import json
import os
import sys
from pathlib import Path

WORK, SOURCES = Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from company import Company
from saying import equals, it

INPUTS = """Two clouds, a job on each

== reference nodes
cluster | node | resource_id | accelerators | cpus | valid_from
c       | n1   | i-1         | 8            | 96   | 2026-09-01
c       | n2   | i-2         | 8            | 96   | 2026-09-01

== jobs c
JobID | Account | Start       | End         | NodeList | GPUs
1     | a       | 8 00:00     | 9 00:00     | n1       | 8
2     | a       | 8 00:00     | 9 00:00     | n2       | 8
3     | b       | 09-30 23:00 | 10-01 12:00 | n1       | 8

== bill north
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
8 00:00           | 9 00:00         | 700        | i-1        | 24               | Hours
30 00:00          | 10-01 00:00     | 0          |            |                  |

== bill south
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
8 00:00           | 9 00:00         | 300        | i-2        | 24               | Hours
30 00:00          | 10-01 00:00     | 0          |            |                  |
"""
RESTATED = """North's bill is restated

== bill north
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
8 00:00           | 9 00:00         | 710        | i-1        | 24               | Hours
30 00:00          | 10-01 00:00     | 0          |            |                  |
"""


def october(scenario):
    (answer,) = json.loads(company.kstar("report", "forecast", "--scenario", scenario, "--months", "1", "--json").stdout)["scenarios"]
    return sum(leaf["minor_units"] for leaf in answer["leaves"])


dearer = WORK / "dearer.json"
dearer.write_text(json.dumps({"prices": [{"provider": "north", "change": 0.5}]}), encoding="utf-8")
company = Company("restated")
company.take(INPUTS)
company.publish()

it("makes the part dearer that was bought of a provider: 700.00 of 1,000.00 by half")
equals((100000, 135000), (october("base"), october(dearer)))

it("says the same when the month is closed and its bill restated")
company.kstar("close", "2026-09", "--accept-incomplete", "a page of a day")
company.take(RESTATED)
company.publish()
equals((100000, 135000), (october("base"), october(dearer)))
