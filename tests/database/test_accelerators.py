"""A family that was measured on two accelerators has two fits, and a fit is asked where its jobs
are: by the rate card, by interruptions and by scenarios.

The fit with the family's name is that of A100s (as many sizes as on an H100, and first by name),
which no job ran on. By hand, at 20.00 a node-hour and 100.00 an hour of waiting: on an H100 a run
takes 0.8 + 0.2 / K hours, and (20 K + 100) (0.8 + 0.2 / K) is least on one node. Eight nodes had 8
x 0.825 = 6.6 node-hours where one has 1.0; on an A100 they have 8 x 0.37 = 2.96.
"""

import json
import os
from pathlib import Path
import sys

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import workbooks
from company import Company
from saying import equals, it

HOURS = {"A100": {1: 1, 2: 0.61, 4: 0.43, 5: 0.4, 8: 0.37, 16: 0.4},
         "H100": {k: 0.8 + 0.2 / k for k in (1, 2, 4, 5, 8, 16)}}
INPUTS = """A job of eight H100 nodes, an hour each; a line of nothing and a job of nobody's end the month

== reference nodes
cluster | node   | resource_id | node_type | accelerators
c       | h[1-8] | i-h[1-8]    | hopper    | 8

== reference settings
parameter             | value
waiting_cost_per_hour | 100

== reference families
family | maximum_k
both   | 16

== reference family_rules
priority | match    | pattern | family
1        | job_name | both    | both

== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
8 00:00           | 8 01:00         | i-h[1-8]   | 1                | Hours        | 20.00
30 00:00          | 10-01 00:00     |            |                  |              | 0

== jobs c
JobID | Account | JobName | Start       | End         | NNodes | AllocCPUS | NodeList | GPUs
1     | a       | both    | 8 00:00     | 8 01:00     | 8      | 64        | h[1-8]   | 64
2     | b       | other   | 10-01 00:00 | 10-01 01:00 | 1      | 8         | h1       | 8

== efficiency
family | accelerator | k | metric | value | unit
"""
company = Company("accelerators")
company.deliver(INPUTS + "\n".join(f"both | {accelerator} | {k} | run_time | {hours!r} | h"
                                   for accelerator, measured in HOURS.items() for k, hours in measured.items()))


def fits():
    return {fit["family"]: fit for fit in json.loads(company.kstar("model", "--fits", "--json").stdout)}


def card(*options):
    return json.loads(company.kstar("model", "--rate-card", "--json", *options).stdout)


it("the fit of the family's own name has no jobs and no price, the other has both")
equals({"both": None, "both on H100": 1}, {name: fit["k_star"] for name, fit in fits().items()})

it("a rate card of the family has all of its fits, that of a fit has its own")
tiers = card()
equals({"both on H100"}, {row["family"] for row in tiers})
equals(tiers, card("--family", "both"))
equals(tiers, card("--family", "both on H100"))
assert "no family bot has a rate card" in company.kstar("model", "--rate-card", "--family", "bot", code=3).stderr

it("advice is given on a fit by what it was measured on, also where it has the family's name")
equals(*(company.kstar("advise", name, "--price", "1").stdout for name in ("both", "both on A100")))
assert "there is no family both on A10:" in company.kstar("advise", "both on A10", "--price", "1", code=3).stderr

it("a cost centre's workbook has the fits of its families, that of its jobs among them")
company.kstar("report", "chargeback", "--period", "2026-09", "--out", company.out)
about = workbooks.table(workbooks.Book(company.out / "chargeback-2026-09-A.xlsx"), "About", "Law")
equals({"both", "both on H100"}, {row["Family"] for row in about})

it("a scenario moves each job to its K* by the law of its own accelerator")
company.out.mkdir(parents=True, exist_ok=True)
scenarios = json.loads(company.kstar("report", "forecast", "--scenario", "base", "--scenario", "k-star", "--months", "1", "--json").stdout)["scenarios"]
base, at_k_star = (sum(row["months"][0]["components"][part] for part in ("useful_compute", "coordination_waste", "unmeasured_hardware")) for row in scenarios)
assert base > 0 and abs(at_k_star / base - 1 / 6.6) < 1e-4, (base, at_k_star)

it("what interrupts the family's jobs is known to the fit that they have, also where that is not the one of the family's name")
company.reference("interruptions", [["family", "capacity", "rate_per_node_hour", "checkpoint_hours", "restart_hours"],
                                    ["both", "on demand", "0.0125", "0.08", "0.4"]])
company.kstar("nightly", company.inbox, "--out", company.out)
equals({"both": None, "both on H100": 0.0125}, {name: fit["interruptions_per_node_hour"] for name, fit in fits().items()})
