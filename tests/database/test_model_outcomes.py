"""Measurements that are not what a law expects: what kstar model --fits says of each, and that K*
is not led astray."""

import json
import os
import subprocess
import sys
from pathlib import Path

KSTAR, WORK, SOURCES = os.environ["KSTAR"], Path(os.environ["WORK"]), Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
import workbooks

INBOX = WORK / "inbox"
SIZES = (1, 2, 4, 8, 16, 32)


def law(k, serial=0.03, pairs=0.0015):
    """At 2.10 a node-hour and 9.00 an hour, K* of this law is 8."""
    return (1 + (k - 1) * serial + pairs * k * (k - 1)) / k


FAMILIES = {
    "superlinear": [(k, k ** -1.08, "") for k in SIZES],
    "one": [(2, law(2), "")],
    "single": [(1, 1, "")],
    "two": [(4, law(4), ""), (8, law(8), "")],
    "late": [(k, law(k), "") for k in (4, 8, 16, 32, 64)],
    "slow": [(k, law(k) * (1.4 if k == 1 else 1), "") for k in SIZES],
    "fast": [(k, law(k) * (0.7 if k == 1 else 1), "") for k in SIZES],
    "apart": [(k, law(k), "256") for k in SIZES] + [(k, 3 * law(k), "4096") for k in (1, 2, 4)],
}
NOISY = [(k, law(k) * off, "") for k, off in zip(SIZES, (0.93, 1.03, 1.02, 1.02, 0.93, 0.93))] # without repeats
FAMILIES["noisy"], FAMILIES["copied"], FAMILIES["copied-once"] = NOISY, NOISY * 2, NOISY + NOISY[2:3]
FAMILIES["torn"] = [(k, hours, "") for k, hours in zip(SIZES, (1, 0.3, 0.9, 0.1, 0.5, 0.05))]
FAMILIES["endless"] = [(k, 1 / k, "") for k in SIZES]
# leaving a node costs 120 %
FAMILIES["capped"] = [(k, (2.2 * law(k) if k > 1 else 1) * off, "") for k in SIZES for off in (0.999, 1.001)]
LIMITS = {"endless": "", "capped": "2", "slow-talk": "1024"}
FAMILIES["twin"] = ([(k, law(k) * off, "", "v100", "fp32") for k in (*SIZES, 64) for off in (0.999, 1.001)] +
                    [(k, law(k, 0.005, 0.0002) / 3 * off, batch, "h100", "bf16") for k in SIZES for off in (0.999, 1.001) for batch in ("", "256")])
FAMILIES["named"] = [(k, law(k), "", "h100") for k in SIZES] + [(1, 1, "")]
FAMILIES["precise"] = [(k, law(k), "", "", "fp8") for k in SIZES] + [(1, 1, "", "", "bf16")]
DAYS = [f"2026-08-0{day}T00:00:00Z" for day in range(1, 6)]
FAMILIES["dated"] = [(k, hours, "", "", "", day) for k, hours, _ in NOISY for day in DAYS[:3]]
FAMILIES["fold"] = [(k, 80 * law(k), "") for k in SIZES if k != 8] + [(8, hours, "", "", "", day) for hours, day in zip((10, 10, 10, 10, 13), DAYS)]
FAMILIES["slow-talk"] = [(k, law(k, 0.01, 0.00001), "") for k in SIZES]
# whoever added it left scaling out
FAMILIES["steady"] = [(k, k * law(k), "", "", "", "", "weak") for k in (*SIZES, 64, 128)] + [(4, law(4), "")]
# K* at 2.10 and 9.00 is 41
FAMILIES["far"] = [(k, law(k, 0.0009, 0.00002), "") for k in SIZES if k < 32]
FAMILIES["free"] = [(k, law(k), "") for k in SIZES] # its node is on no bill
FAMILIES["wide"] = [(k, law(k, 0.0003, 0.000002) * off, "") for k in (*SIZES, 64, 128) for off in (0.98, 1.02)]
NAMES = list(FAMILIES)
SECOND = len(NAMES) + 1 # the node that the job of `one` has besides its own
WIDE = range(SECOND + 1, SECOND + 101) # those of the job of `wide`
RUNS_ON = {"one": (f"n[{NAMES.index('one') + 1},{SECOND}]", "2"), "wide": (f"n[{WIDE[0]}-{WIDE[-1]}]", str(len(WIDE)))}
case_page.write_common_reference(INBOX)
# nobody knows what these nodes have: each series speaks
(INBOX / "reference" / "node_accelerators.csv").unlink()
case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit", "batch", "accelerator", "precision", "measured_at", "scaling"],
                                      *[[name, str(k), "run_time", repr(hours), "h", *(*more, "", "", "", "")[:5]]
                                        for name, rows in FAMILIES.items() for k, hours, *more in rows]], INBOX)
case_page.write_input(["reference", "families"], [["family", "maximum_k", "goal_work_constant"],
                                                 *[[name, LIMITS.get(name, "256"), "true" if name == "steady" else ""] for name in NAMES]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"],
                                                     *[[str(n), "job_user", name, name] for n, name in enumerate(NAMES, 1)]], INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"],
                                              *[["c", f"n{n}", f"i-{n}"] for n in range(1, WIDE[-1] + 1)]], INBOX)
case_page.write_input(["reference", "pools"], [["pool", "component", "owner", "split", "basis"],
                                              ["control", "fixed_overhead", "P", "proportional", "wall_hours"]], INBOX)
case_page.write_input(["reference", "pool_rules"], [["priority", "match", "pattern", "pool"],
                                                   ["1", "service_name", "Control", "control"]], INBOX)
case_page.write_input(["bill", "cloud"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "ServiceName"],
    *[["8 00:00", "8 01:00", "2.10", f"i-{n}", "1", "Hours", "Servers"] for n in range(1, WIDE[-1] + 1) if n != NAMES.index("free") + 1],
    ["8 00:00", "8 01:00", f"{9 * len(NAMES)}.00", "", "", "", "Control"]], INBOX)
case_page.write_input(["jobs", "c"], [["JobID", "Account", "User", "Start", "End", "NodeList", "NNodes"],
                                     *[[str(n), "a", name, "8 00:00", "8 01:00", *RUNS_ON.get(name, (f"n{n}", "1"))] for n, name in enumerate(NAMES, 1)],
                                     ["99", "a", "someone", "10-01 00:00", "10-01 01:00", "n999", "1"]], INBOX)
done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr


def model(*options):
    return subprocess.run([KSTAR, "model", "--fits", *options], capture_output=True, text=True, check=True).stdout


fits = {family["family"]: family for family in json.loads(model("--json"))}
text = {name: model("--family", name) for name in fits}
assert all(abs(fit["price_per_wall_hour"] - 9) < 1e-9 for name, fit in fits.items() if name in NAMES and name != "free"), fits

print("- superlinear: followed, doubted, and the smallest size is asked for")
doubt = "growth: a measured efficiency is above 1: is the smallest size measured right?; low confidence\n"
assert doubt in text["superlinear"] and fits["superlinear"]["low_confidence"], text["superlinear"]
assert fits["superlinear"]["next_measurement"].startswith("measure K = 64"), fits["superlinear"]

print("- a K = 1 measured too slow looks superlinear, and K* is what the other sizes say")
assert doubt in text["slow"] and fits["slow"]["k_star"] == 8, text["slow"]

print("- a K = 1 measured too fast is a step to the law, and K* is what the other sizes say")
assert fits["fast"]["law"] == "stepped" and fits["fast"]["step"] > 0.3 and fits["fast"]["k_star"] == 8, text["fast"]

print("- one size says nothing, and what one node is to itself is no more; two are compared")
assert "law       none: one size says nothing about scaling; low confidence\n" in text["one"], text["one"]
assert "law       none: two sizes make no law; their measured costs are compared; low confidence\n" in text["two"], text["two"]
assert fits["two"]["k_star"] == 8 and fits["two"]["k_star_interval"] == "", fits
ONE = "one size says nothing about scaling"
for name, k, efficiency, unmeasured in (("one", 2, "", "420"), ("single", 1, "1.000000000000", "0")):
    assert fits[name]["k_star"] is None and fits[name]["k_fastest"] is None and fits[name]["k_star_interval"] == "", fits[name]
    assert f"  K*        none: {ONE}\n" in text[name] and "fastest" not in text[name], text[name]
    rows = published.query(f"""SELECT k, verdict, verdict_reason, result.k_star, result.k_fastest, efficiency, unmeasured_hardware_minor, fit.k_star AS of_fit, reason,
                                      (SELECT count(*) FROM kstar.family_rate WHERE family_rate.family = fit.family) AS tiers,
                                      (SELECT count(efficiency) FROM kstar.family_curve WHERE family_curve.family = fit.family) AS shown
                               FROM kstar.job_result AS result JOIN kstar.family_fit AS fit USING (statement_month, family) WHERE family = '{name}'""")
    assert rows == [{"k": str(k), "verdict": "not measured", "verdict_reason": ONE, "k_star": "", "k_fastest": "", "efficiency": efficiency,
                     "unmeasured_hardware_minor": unmeasured, "of_fit": "", "reason": ONE, "tiers": "0", "shown": "1" if efficiency else "0"}], rows
    advised = subprocess.run([KSTAR, "advise", "--family", name, "--k", str(k)], capture_output=True, text=True, check=False)
    assert advised.returncode == 3 and f"of family {name} {ONE}" in advised.stderr, advised

print("- without K = 1 E is relative to the smallest size, the optimum is the same, and K = 1 is asked for")
assert fits["late"]["law"] == "usl" and fits["late"]["k_star"] == 8, fits["late"]
assert "E is relative to K = 4, the smallest measured; below it nothing is known" in text["late"], text["late"]
assert fits["late"]["next_measurement"].startswith("measure K = 1:"), fits["late"]
assert "E is relative" not in text["slow"]

print("- other batch sizes are another series, and the text says so")
assert abs(fits["apart"]["serial_fraction"] - 0.03) < 1e-9 and fits["apart"]["series"] == "256, run_time", fits["apart"]
assert fits["apart"]["other_series"] == 1 and fits["slow"]["other_series"] == 0
assert "1 other series, measured at another scaling, metric, precision or batch, not in this fit" in text["apart"], text["apart"]

print("- a copy of a run is no second run: it would say that runs have no noise, and K* would look surer")
assert fits["noisy"]["k_star_interval"] != str(fits["noisy"]["k_star"]), fits["noisy"]
assert "without repeats the noise is unknown" in fits["noisy"]["next_measurement"], fits["noisy"]
for name in ("copied", "copied-once"):
    assert {**fits[name], "family": "noisy"} == fits["noisy"], (fits[name], fits["noisy"])

print("- sizes that contradict each other have no K*, as their jobs have none: not on the terminal, not in the statement")
TORN = "the measurements contradict the law, or each other, by more than 25 %, or differ in their units"
assert fits["torn"]["k_star"] is None and fits["torn"]["k_fastest"] is None and fits["torn"]["k_star_interval"] == "", fits["torn"]
assert f"  K*        none: {TORN}\n" in text["torn"] and "fastest" not in text["torn"], text["torn"]
rows = published.query("SELECT k_star, k_star_interval AS interval, k_fastest, reason, low_confidence FROM kstar.family_fit WHERE family = 'torn'")
assert rows == [{"k_star": "", "interval": "", "k_fastest": "", "reason": TORN, "low_confidence": "t"}], rows
rows = published.query("SELECT verdict, k_star, k_star_interval AS interval, k_fastest FROM kstar.job_result WHERE family = 'torn'")
assert rows == [{"verdict": "not measured", "k_star": "", "interval": "", "k_fastest": ""}], rows
assert "contradict each other most at this size" in fits["torn"]["next_measurement"], fits["torn"]
assert published.query("SELECT * FROM kstar.family_rate WHERE family = 'torn'") == []

print("- perfect scaling without a maximum: cost falls for ever, from 128 nodes on for all that is known, and every workbook is there")
assert "  K*        none: cost falls for ever; give the family a maximum_k\n" in text["endless"], text["endless"]
assert fits["endless"]["k_star"] is None and fits["endless"]["k_star_interval"] == "128 or more", fits["endless"]
assert (WORK / "out" / "review-2026-09.xlsx").exists() and (WORK / "out" / "journal-2026-09.csv").exists(), done.stdout + done.stderr
# as it was once written
published.query("""UPDATE kstar.family_fit SET k_star_interval = '4294967295 or more' WHERE family = 'endless' RETURNING family""")
done = subprocess.run([KSTAR, "report", "review", "--period", "2026-09", "--out", str(WORK / "again")], capture_output=True, text=True, check=False)
assert done.returncode == 0 and (WORK / "again" / "review-2026-09.xlsx").exists(), done.stdout + done.stderr

print("- where two nodes are the most, one is K* and all of its interval: it costs 11.10, two 14.97; by all sizes 8 would cost less")
assert "  K*        1 (95 %: 1)\n" in text["capped"], text["capped"]

print("- two generations of accelerators under one name: a fit each; where the accelerator of a job is unknown, that of the most sizes speaks, in doubt")
verdicts = {row["family"]: row for row in published.query(
    "SELECT family, fit.reason, fit.low_confidence AS fit_is_low, verdict_reason, result.low_confidence AS verdict_is_low "
    "FROM kstar.family_fit AS fit JOIN kstar.job_result AS result USING (statement_month, family)")}
for name, accelerator, other in (("twin", "v100", "twin on h100"), ("named", "h100", "named on unnamed hardware")):
    assert verdicts[name]["verdict_reason"].endswith(f"; measured on {accelerator}, and its own accelerator is unknown"), verdicts[name]
    assert verdicts[name]["verdict_is_low"] == "t" and fits[name]["series"].startswith(accelerator), (verdicts[name], fits[name])
    assert f"  K*        none: no job in a statement gives it prices\n" in text[other] and fits[other]["k_star"] is None, text[other]
assert "\ntwin on h100: h100, bf16" in text["twin"] and "v100" not in text["twin on h100"], text["twin"]
assert verdicts["twin"]["fit_is_low"] == "f" and fits["twin on h100"]["series"].startswith("h100, bf16"), (verdicts["twin"], fits["twin on h100"])

print("- two precisions of one accelerator: no job says its own, so the one that speaks is doubted, and the other one named, wherever it speaks")
OTHER = "; other hardware was measured as well and is not in this fit: bf16"
assert verdicts["precise"]["reason"].endswith(OTHER) and verdicts["precise"]["verdict_reason"].endswith(OTHER), verdicts["precise"]
assert verdicts["precise"]["fit_is_low"] == verdicts["precise"]["verdict_is_low"] == "t" and fits["precise"]["low_confidence"], verdicts["precise"]
assert f"{OTHER}; low confidence\n" in text["precise"] and fits["precise"]["reason"].endswith(OTHER), text["precise"]
advised = subprocess.run([KSTAR, "advise", "--family", "precise", "--k", "16"], capture_output=True, text=True, check=True).stdout
assert f"{OTHER}; low confidence\n" in advised, advised
assert verdicts["apart"]["fit_is_low"] == "f" and OTHER not in verdicts["apart"]["reason"], verdicts["apart"]

print("- runs of several dates that came out alike are runs, no copies: (4 x 10 + 13) / 5 = 10.6")
size = next(size for size in fits["fold"]["sizes"] if size["k"] == 8)
assert size["repeats"] == 5 and abs(size["measured"] - 10.6) < 1e-12, size
assert all(size["repeats"] == 3 for size in fits["dated"]["sizes"]), fits["dated"]
assert "without repeats" not in fits["dated"]["next_measurement"], fits["dated"]

print("- the fastest K is named only as far as the measurements may be stretched: of 32 to 64, and here it is sqrt(0.99 / 0.00001) = 315")
assert "  fastest   beyond twice the largest size measured\n" in text["slow-talk"] and fits["slow-talk"]["k_fastest"] is None, text["slow-talk"]
rows = published.query("SELECT fit.k_fastest AS of_fit, result.k_fastest AS of_job FROM kstar.family_fit AS fit "
                       "JOIN kstar.job_result AS result USING (statement_month, family) WHERE family IN ('slow-talk', 'late') ORDER BY family")
assert rows == [{"of_fit": "25", "of_job": "25"}, {"of_fit": "", "of_job": ""}], rows

print("- one strong row beside eight weak sizes of constant work says nothing about scaling, and does not speak for the family")
assert (fits["steady"]["scaling"], len(fits["steady"]["sizes"]), fits["steady"]["k_star"]) == ("weak", 8, 8), fits["steady"]

print("- a K* beyond twice the largest size is marked everywhere, has no rate card, and does not change the formulas of other families")
BEYOND = "K* is beyond twice the largest size measured"
review = WORK / "out" / "review-2026-09.xlsx"
book = workbooks.values(review)
cost = {k: (2.10 * k + 9) * law(k, 0.0009, 0.00002) for k in range(1, 257)}
assert fits["far"]["k_star"] == min(cost, key=cost.get) == 41 > 2 * 16, fits["far"]
why = {row["Family"]: row["Why this law"] for row in workbooks.table(book, "Scaling fits", "Why this law")}
assert why["far"] == f"fewer than six sizes; a step on leaving one node cannot be detected; {BEYOND}" and BEYOND not in why["late"], why
assert any(BEYOND in str(cell) for row in book["Curve far"].iter_rows(max_row=6, values_only=True) for cell in row), "Curve far"
without = {row["Family"]: row["Why"] for row in workbooks.table(book, "Rate card", "Why")}
assert without.get("far") == BEYOND, without
on_card = {row["Family"] for row in workbooks.table(book, "Rate card", "Cost of the same work")}
FOR_EVER = "on this law cost falls for ever, so K* is beyond anything measured"
assert without["endless"] == f"no K*: {FOR_EVER}" and why["endless"] == f"enough sizes were measured for this law; {FOR_EVER}", (without, why)
assert without["torn"] == f"no K*: {TORN}" and without["one"] == without["single"] == f"no K*: {ONE}", without
assert on_card | without.keys() == set(fits) and not on_card & without.keys(), (on_card, without)

print("- a family's curve shows K*, the ends of its interval and the K of its jobs, wherever they lie, as far as it is drawn")
points = {row["K"]: row for row in workbooks.table(book, "Curve wide", "K of jobs")}
cost = {k: (2.10 * k + 9) * law(k, 0.0003, 0.000002) for k in range(1, 257)}
assert fits["wide"]["k_star"] not in (64, 72, 81, 91, 102, 114) and 64 < fits["wide"]["k_star"] < 114, fits["wide"]
low, high = map(int, fits["wide"]["k_star_interval"].split("-"))
assert low < fits["wide"]["k_star"] < high <= 256, fits["wide"]
assert {fits["wide"]["k_star"], low, high, 100} <= points.keys(), (low, high, fits["wide"]["k_star"], sorted(points))
assert points[fits["wide"]["k_star"]]["K*"] is not None and all(points[k]["K* interval"] is not None for k in (low, high)), points
assert [row["K"] for row in points.values() if row["Jobs"]] == [100] and abs(points[100]["K of jobs"] / cost[100] - 1) < 0.05, points[100]
assert list(points) == sorted(points) and max(points) == 229 and all(k in points for k in range(1, 65)), sorted(points)


def differing(path, folder):
    return workbooks.differences(path, workbooks.recalculated([path], WORK / folder)[0])


found, count = differing(review, "scratch")
assert not found and count > 100, "\n".join(found[:10])

print("- a closed month that has tiers of such a family is numbered by the families that have a card, too")
published.query("""INSERT INTO kstar.family_rate
    SELECT statement_month, 'far', k, unit, basis, false, price_per_node_hour, fixed_per_wall_hour, efficiency, stretch, hours
    FROM kstar.family_rate WHERE family = 'late' AND NOT is_k_star RETURNING family""")
done = subprocess.run([KSTAR, "report", "review", "--period", "2026-09", "--out", str(WORK / "old")], capture_output=True, text=True, check=False)
assert done.returncode == 0, done.stdout + done.stderr
old = WORK / "old" / "review-2026-09.xlsx"
found, count = differing(old, "scratch-old")
assert not found, "\n".join(found[:10])
assert {row["Family"]: row["Why"] for row in workbooks.table(workbooks.Book(old), "Rate card", "Why")}.get("far") == BEYOND

print("- if only a price is missing, the sheet says that no measurement is needed; else it lists what a job without a sure verdict needs")


def to_measure(path):
    return {row["Family"]: row["Measure"] for row in workbooks.table(workbooks.Book(path), "Measure next", "Measure")}


wanted = to_measure(review)
assert wanted["free"] == "nothing more is needed but a price", wanted["free"]
assert wanted["one"].startswith("measure K = 1:") and "endless" in wanted, wanted
rows = published.query("""UPDATE kstar.job_result SET family = 'late', next_measurement = CASE family WHEN 'late' THEN next_measurement ELSE 'nothing more is needed' END
                          WHERE family IN ('late', 'capped') RETURNING verdict, low_confidence, next_measurement""")
assert len(rows) == 2, rows
published.query("UPDATE kstar.job_result SET next_measurement = 'repeat K = 8: without repeats the noise is unknown' WHERE verdict = 'not measured' AND family = 'late' RETURNING family")
done = subprocess.run([KSTAR, "report", "review", "--period", "2026-09", "--out", str(WORK / "wants")], capture_output=True, text=True, check=False)
assert done.returncode == 0, done.stdout + done.stderr
assert to_measure(WORK / "wants" / "review-2026-09.xlsx")["late"] == "repeat K = 8: without repeats the noise is unknown"
