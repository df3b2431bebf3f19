"""kstar model --fits: what it says of families made here, as text, as a picture and as JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page

INBOX = WORK / "inbox"


def fits(*options, code=0):
    done = subprocess.run([KSTAR, "model", "--fits", *options], capture_output=True, text=True, check=False)
    assert done.returncode == code, (options, done.returncode, done.stdout, done.stderr)
    return done


def law(k, serial=0.03, pairs=0.0015):
    return (1 + (k - 1) * serial + pairs * k * (k - 1)) / k


HALVING = """ E   |o
     |
     |
     |
     |
     |
     |                                o
     |
     |                                                               o
     |
     |
     |
     +---------------------------------------------------------------- K
      1                               2                              4
"""

case_page.write_common_reference(INBOX)
case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit"],
                                      *[["smooth", str(k), "run_time", repr(law(k)), "h"] for k in (1, 2, 4, 8, 16, 32)],
                                      *[["pair", str(k), "run_time", str(hours), "h"] for k, hours in ((1, 4), (2, 3))],
                                      *[["halving", str(k), "run_time", "1", "h"] for k in (1, 2, 4)]], INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], *[["c", f"n{n}", f"i-{n}"] for n in range(1, 5)]], INBOX)
case_page.write_input(["reference", "families"], [["family", "maximum_k"], ["smooth", "256"], ["halving", ""], ["pair", ""]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"], ["1", "job_account", "a", "smooth"]], INBOX)
case_page.write_input(["reference", "pools"], [["pool", "component", "owner", "split", "basis"],
                                              ["control", "fixed_overhead", "P", "proportional", "wall_hours"]], INBOX)
case_page.write_input(["reference", "pool_rules"], [["priority", "match", "pattern", "pool"], ["1", "service_name", "Control", "control"]], INBOX)
case_page.write_input(["bill", "cloud"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "ServiceName"],
    *[["8 00:00", "8 01:00", "2.10", f"i-{n}", "1", "Hours", "Servers"] for n in range(1, 5)],
    ["8 00:00", "8 01:00", "9.00", "", "", "", "Control"]], INBOX)
case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "NNodes", "State"],
                                     ["1", "a", "8 00:00", "8 01:00", "n[1-4]", "4", "COMPLETED"],
                                     ["9", "a", "12-01 00:00", "12-01 01:00", "n9", "1", "COMPLETED"]], INBOX)
done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr

print("- a law, its prices of the statement, and the published K* of them: 8, fastest 25")
families = {family["family"]: family for family in json.loads(fits("--json").stdout)}
assert sorted(families) == ["halving", "pair", "smooth"], families
smooth = families["smooth"]
assert smooth["law"] == "usl" and abs(smooth["serial_fraction"] - 0.03) < 1e-9, smooth
assert abs(smooth["communication_coefficient"] - 0.0015) < 1e-9 and smooth["k_star"] == 8 and smooth["k_fastest"] == 25, smooth
assert abs(smooth["price_per_k_hour"] - 2.10) < 1e-9 and abs(smooth["price_per_wall_hour"] - 9) < 1e-9, smooth
assert [size["k"] for size in smooth["sizes"]] == [1, 2, 4, 8, 16, 32]
text = fits("--family", "smooth").stdout
assert "smooth: run_time, strong scaling, 6 runs of 6 sizes" in text and "K*        8 (95 %: " in text and "fastest   25" in text, text
assert "|" not in text

print("- where no law stands the measurements do, and a family without prices has no K*")
assert families["halving"]["law"] == "growth" and families["halving"]["k_star"] is None, families["halving"]
assert families["pair"]["law"] == "none", families["pair"]
assert "no job in a statement gives it prices" in fits("--family", "pair").stdout

print("- the picture")
assert HALVING.splitlines() == [line.rstrip().replace(".", " ").rstrip() for line in
                                fits("--family", "halving", "--plot").stdout.splitlines()[-15:-1]], fits("--family", "halving", "--plot").stdout
assert "family nobody has no measurements" in fits("--family", "nobody", code=3).stderr
