"""kstar model --fits: what it says of families made here, as text, as a picture and as JSON."""

import json
import os
import re
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


HALVING = """  node-hours
           4 |                                                               o
             |
             |
             |
             |
             |
             |                                o
             |
             |o
             |
             |
             |
           0 +---------------------------------------------------------------- K
              1                               2                              4
"""  # twice as many nodes take as long: K node-hours

case_page.write_common_reference(INBOX)
FAMILIES = {"smooth": [(k, law(k)) for k in (1, 2, 4, 8, 16, 32)], "pair": [(1, 4), (2, 3)], "halving": [(k, 1) for k in (1, 2, 4)],
            "repeated": [(1, 10), (1, 10.2), (2, 6), (2, 6.1), (4, 4), (4, 4.1)],
            "short": [(k, law(k, 0.001, 0.00005)) for k in (1, 2, 3, 4, 5)], "weak": [(1, 1), (2, 1.1), (4, 1.3), (8, 1.5)],
            "specsdm91": [(1, 64.9), (18, 995.9), (36, 1652.4), (72, 1853.2), (108, 1828.9), (144, 1775.0), (216, 1702.2)],
            "torn": [(1, 1), (2, 0.3), (4, 0.9), (8, 0.1), (16, 0.5), (32, 0.05)],
            "shared": [(4, 0.8), (8, 0.6), (16, 0.4)], "based": [(4, 1), (8, 0.9), (16, 0.7)], "alone": [(4, 0.8)],
            "cheap": [(k, law(k)) for k in (1, 2, 4, 8, 16, 32)], "paced": [(k, 1000 / law(k)) for k in (1, 2, 4, 8, 16, 32)],
            "cards": [(k, law(k)) for k in (1, 2, 4, 8, 16, 32)]}
METRICS = {"specsdm91": "throughput", "paced": "throughput", "shared": "efficiency", "based": "efficiency", "alone": "efficiency"}
case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit", "scaling"],
                                      *[[name, str(k), *([METRICS[name], repr(value), ""] if name in METRICS else ["run_time", repr(value), "h"]),
                                         "weak" if name == "weak" else "strong"]
                                        for name, sizes in FAMILIES.items() for k, value in sizes]], INBOX)
case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], *[["c", f"n{n}", f"i-{n}"] for n in range(1, 6)]], INBOX)
case_page.write_input(["reference", "families"], [["family", "unit", "accelerators_per_node", "maximum_k"],
                                                  *[[name, *(("accelerators", "8") if name == "cards" else ("", "")), "256" if name in ("smooth", "cheap") else ""]
                                                    for name in FAMILIES], ["unmeasured", "", "", ""]], INBOX)
case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"], ["1", "job_account", "a", "smooth"],
                                                      ["2", "job_account", "b", "cheap"]], INBOX)
case_page.write_input(["reference", "pools"], [["pool", "component", "owner", "split", "basis"],
                                              ["control", "fixed_overhead", "P", "proportional", "wall_hours"]], INBOX)
case_page.write_input(["reference", "pool_rules"], [["priority", "match", "pattern", "pool"], ["1", "service_name", "Control", "control"]], INBOX)
case_page.write_input(["bill", "cloud"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "ServiceName", "PricingCategory"],
    *[["8 00:00", "8 01:00", "2.10", f"i-{n}", "1", "Hours", "Servers", "Dynamic" if n == 5 else "Standard"] for n in range(1, 6)],
    ["8 00:00", "8 01:00", "18.00", "", "", "", "Control", ""]], INBOX)
case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "NNodes", "State"],
                                     ["1", "a", "8 00:00", "8 01:00", "n[1-4]", "4", "COMPLETED"],
                                     ["2", "b", "8 00:00", "8 01:00", "n5", "1", "COMPLETED"],
                                     ["9", "a", "12-01 00:00", "12-01 01:00", "n9", "1", "COMPLETED"]], INBOX)
done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr

print("- a law, its prices of the statement, and the published K* of them: 8, fastest 25")
families = {family["family"]: family for family in json.loads(fits("--json").stdout)}
assert sorted(families) == sorted(FAMILIES), families
smooth = families["smooth"]
assert smooth["law"] == "usl" and abs(smooth["serial_fraction"] - 0.03) < 1e-9, smooth
assert abs(smooth["communication_coefficient"] - 0.0015) < 1e-9 and smooth["k_star"] == 8 and smooth["k_fastest"] == 25, smooth
assert abs(smooth["price_per_k_hour"] - 2.10) < 1e-9 and abs(smooth["price_per_wall_hour"] - 9) < 1e-9, smooth
assert [size["k"] for size in smooth["sizes"]] == [1, 2, 4, 8, 16, 32]
text = fits("--family", "smooth").stdout
assert "smooth: H100, run_time, strong scaling, 6 runs of 6 sizes" in text and "K*        8 (95 %: " in text and "fastest   25" in text, text
assert "|" not in text

print("- the law as other tools fit it: R 4.2.2, nls(algorithm = 'port'), of the SPEC SDM91 throughputs in R's package usl; its vignette has a peak of 96.5")
PUBLISHED = {"usl_throughput": {"sigma": 0.0277284699948184, "kappa": 0.000104365500694963, "lambda": 89.9952267720428, "residual_sum": 27453.7195840426},
             "usl_efficiency": {"sigma": 0.00669022533630632, "kappa": 0.000174952625393202, "lambda": 64.9, "residual_sum": 0.00191743470014685}}
for form, published in PUBLISHED.items():
    for name, value in published.items():
        assert abs(families["specsdm91"][form][name] / value - 1) < 1e-5, (form, name, families["specsdm91"][form])
assert round(families["specsdm91"]["usl_throughput"]["peak_k"], 1) == 96.5, families["specsdm91"]
text = fits("--family", "specsdm91").stdout
assert "  R usl     sigma 0.027728, kappa 0.00010437, lambda 89.995; residual sum of squares of throughput 27453.7\n" in text, text
assert "  R usl     sigma 0.0066902, kappa 0.00017495, lambda 64.9; residual sum of squares of efficiency 0.00191743\n" in text, text
assert families["pair"]["usl_throughput"] is None and families["pair"]["usl_efficiency"] is None and "R usl" not in fits("--family", "pair").stdout
assert abs(smooth["usl_efficiency"]["sigma"] - 0.03) < 1e-6 and abs(smooth["usl_throughput"]["kappa"] - 0.0015) < 1e-6

print("- where no law stands the measurements do, and a family without prices has no K*")
assert families["halving"]["law"] == "growth" and families["halving"]["k_star"] is None, families["halving"]
assert families["pair"]["law"] == "none", families["pair"]
assert "no job in a statement gives it prices" in fits("--family", "pair").stdout

print("- an unknown figure is not printed: with three sizes, dropping one besides the first node is impossible, so their roughness is unknown")
text = fits("--family", "repeated").stdout
assert "; noise of a run 1." in text and "roughness" not in text, text
assert families["repeated"]["largest_residual"] is None, families["repeated"]
assert "; roughness of the sizes" not in text and "growth 0.000 beyond K = 4\n" in fits("--family", "halving").stdout, fits("--family", "halving").stdout
everything = fits().stdout
assert not re.search(r"\b(nan|inf)\b|-0\.0+(?!\d)", everything), everything

print("- E itself refers to one node: a series that begins above one node gets the size of one node too, unless it begins with E = 1")
for name, sizes in {"shared": [(1, 1), (4, 0.8), (8, 0.6), (16, 0.4)], "alone": [(1, 1), (4, 0.8)], "based": [(4, 1), (8, 0.9), (16, 0.7)]}.items():
    printed = [(size["k"], round(size["efficiency"], 12)) for size in families[name]["sizes"]]
    assert printed == sizes, (name, printed)

print("- the picture")
assert HALVING.splitlines() == [line.rstrip().replace(".", " ").rstrip() for line in
                                fits("--family", "halving", "--plot").stdout.splitlines()[-16:-1]], fits("--family", "halving", "--plot").stdout
assert "family nobody has no measurements" in fits("--family", "nobody", code=3).stderr


def advise(*options, code=0):
    done = subprocess.run([KSTAR, "advise", *options], capture_output=True, text=True, check=False)
    assert done.returncode == code, (options, done.returncode, done.stdout, done.stderr)
    return done


print("- kstar advise FAMILY: the published example by a family's measurements and prices; a job of it; what is given wins")
answer = json.loads(advise("smooth", "--budget", "5", "--json").stdout)
assert answer["k_star"] == 8 and abs(answer["cost_at_k_star"] - 4.17315) < 1e-9 and answer["k_fastest"] == 25, answer
assert answer["k_budget"] == 17 and max(row["k"] for row in answer["curve"]) == 64, answer
job = json.loads(advise("smooth", "--k", "16", "--hours", "5", "--json").stdout)
scale = 5 / law(16)
assert abs(job["cost_at_k_star"] - 4.17315 * scale) < 1e-9 * scale, job
text = advise("smooth", "--k", "32").stdout
excess = 1 - 4.17315 / ((2.10 * 32 + 9) * law(32))
assert "K = 32 is above K*: " in text and f", {100 * excess:.1f}% of its cost; K = 8 takes" in text, text
assert json.loads(advise("smooth", "--price", "2.10", "--fixed", "4.5", "--json").stdout)["k_star"] == 6

print("- and with --json everything that the text says")
judged = json.loads(advise("smooth", "--k", "32", "--hours", "5", "--json").stdout)
assert (judged["k"], judged["verdict"], judged["low_confidence"]) == (32, "above K*", False) and judged["reason"] in text, judged
assert abs(judged["excess_share"] - excess) < 1e-9 and abs(judged["cost_ratio"] - (1 - excess)) < 1e-9, judged
cost = 5 * (2.10 * 32 + 9)
assert abs(judged["excess"] - cost * excess) < 1e-9 * cost and 0.05 * cost < judged["excess_low"] <= judged["excess"] <= judged["excess_high"] < cost, judged
asked = advise("smooth", "--k", "32", "--hours", "5").stdout
assert f"K = 32 costs {judged['excess']:.6g} more than K = 8 (95 %: {judged['excess_low']:.6g} to {judged['excess_high']:.6g}), " in asked, asked
assert abs(judged["hours_at_k"] - 5) < 1e-9 and abs(judged["hours_at_k_star"] - 5 * law(8) / law(32)) < 1e-9, judged
assert abs(judged["cost_at_k"] - 5 * (2.10 * 32 + 9)) < 1e-9, judged
assert (judged["family"], judged["series"], judged["law"], judged["prices_of"]) == ("smooth", "H100, run_time", "usl", "2026-09"), judged
assert abs(judged["price_per_k_hour"] - 2.10) < 1e-9 and abs(judged["price_per_wall_hour"] - 9) < 1e-9, judged
assert f"interval on K*: {judged['k_star_interval']}\n" in text and f"next: {judged['next_measurement']}\n" in text, (judged, text)
given = json.loads(advise("smooth", "--price", "2.10", "--fixed", "4.5", "--json").stdout)
assert given["prices_of"] is None and "verdict" not in given and given["k_star_interval"] != "", given

print("- checkpoints: the best time between two, and what interruptions add")
failing = ("--preemptions", "0.01", "--checkpoint", "0.05", "--restart", "0.1")
at_16 = json.loads(advise("smooth", "--k", "16", *failing, "--json").stdout)
assert abs(at_16["checkpoint_interval_hours"] - (2 * 0.05 / (16 * 0.01)) ** 0.5) < 1e-12, at_16
assert abs(at_16["interruption_share"] - ((2 * 0.05 * 16 * 0.01) ** 0.5 + 16 * 0.01 * 0.1)) < 1e-12, at_16
assert "\ncheckpoints: on K = 16 best every 0.791 hours; with interruptions they add 14% to the time\n" in \
    advise("smooth", "--k", "16", *failing).stdout
assert judged["checkpoint_interval_hours"] is None and judged["interruption_share"] == 0 and "checkpoints:" not in text, judged

below = json.loads(advise("smooth", "--k", "4", "--json").stdout)
saved = 1 - 4.17315 / ((2.10 * 4 + 9) * law(4))
assert below["verdict"] == "below, shared cost alone" and abs(below["excess_share"] - saved) < 1e-9, below
assert abs(below["cost_ratio"] - (1 - saved)) < 1e-9 and below["break_even_per_hour"] is None, below
hour = (judged["cost_at_k"] - 5 * (2.10 * 8 + 9) * law(8) / law(32)) / (5 * law(8) / law(32) - 5)
assert abs(judged["break_even_per_hour"] - hour) < 1e-9 * hour and judged["compared_with_k"] == 8, (judged, hour)
assert text.startswith(f"32 nodes cost USD {(2.10 * 32 + 9) * law(32) * excess:,.2f} more than 8, {100 * excess:.1f} % of their cost; above K*.\n"), text
advised = advise("smooth").stdout
assert advised.startswith("8 nodes cost least: USD 4.17 and 0.162 hours; 25 nodes are fastest, for USD 2.27 more and "), advised
assert judged["currency"] == "USD" and judged["answer"].startswith("32 nodes cost USD "), judged
assert "95 % interval on K*" in text and "\nnext: " in text, text

waited = json.loads(advise("smooth", "--k", "32", "--hours", "5", "--waiting", "20", "--json").stdout)
nearer = waited["compared_with_k"]
assert nearer > 8 and abs(waited["excess"] - (cost - 5 * (2.10 * nearer + 9) * law(nearer) / law(32))) < 1e-9 * cost, waited
assert 0 < waited["excess_low"] <= waited["excess"] <= waited["excess_high"] < cost * waited["excess_share"] * 2, waited

print("- advise judges as the statement does: it reports a K* beyond the measured sizes, too few nodes are below K*, the settings' share is near")
beyond = advise("short", "--price", "2.10", "--fixed", "9", "--k", "10").stdout
assert "K = 10 is extrapolated: K* is beyond twice the largest size measured; low confidence\n" in beyond, beyond
assert "at K = 10" not in beyond and "95 % interval on K*: 32\n" in beyond, beyond
unasked = advise("short", "--price", "2.10", "--fixed", "9").stdout
assert "K* is beyond twice the largest size measured: the advice above ends at K = 10\n" in unasked, unasked
assert json.loads(advise("short", "--price", "2.10", "--fixed", "9", "--json").stdout)["k_star_is_beyond_measured"] is True
assert answer["k_star_is_beyond_measured"] is False
few = advise("smooth", "--k", "4").stdout
assert f" more than K = 8, {100 * saved:.1f}% of its cost; K = 8 takes" in few and "right only if" not in few, few
assert "K = 4 is below, shared cost alone: " in few and "band: " not in few, few
assert f"it is right only if an hour is worth more than {hour:.6g}" in advise("smooth", "--k", "32", "--hours", "5").stdout
waits = advise("smooth", "--k", "12", "--waiting", "91").stdout
assert "waiting counted at 91; " in waits and "K = 12 is inside the band: " in waits, waits
assert "band: K = 8 costs the least money; with waiting counted at 91 an hour K = 17 does\n" in waits, waits
assert waits.startswith("12 nodes are inside the band: 8 cost the least money, 17 with waiting counted.\n"), waits
assert advise("smooth", "--k", "8", "--waiting", "91").stdout.startswith("8 nodes cost the least money.\n")
# of the money 9.6 %, of the cost with waiting 2.5 %
assert "more than 12, 9.6 % of their cost; near K* with waiting counted.\n" in advise("smooth", "--k", "16", "--waiting", "20").stdout
assert "K = 12 is near K*: " in advise("smooth", "--k", "12").stdout
case_page.write_input(["reference", "settings"], [["parameter", "value"], ["near_k_star_share", "0.01"]], INBOX)
assert subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, check=False).returncode in (0, 4)
assert "K = 12 is above K*: " in advise("smooth", "--k", "12").stdout

print("- and says nothing of K* where the statement does not: weak scaling, measurements that contradict each other")
assert "family weak was measured under weak scaling, which gives no K*" in advise("weak", "--price", "1", code=3).stderr
assert "of family torn the measurements contradict the law, or each other" in advise("torn", "--price", "1", code=3).stderr

print("- the interruptions of a family's jobs, from its latest statement, are printed and counted; options given take precedence")
assert smooth["capacity"] == "on demand" and smooth["interruptions_from"] is None, smooth
assert "capacity  on demand\n" in fits("--family", "smooth").stdout
assert "  waiting   not counted\n" in fits("--family", "smooth").stdout
case_page.write_input(["reference", "interruptions"], [
    ["family", "capacity", "rate_per_node_hour", "checkpoint_hours", "restart_hours"],
    ["", "on demand", "0.01", "0.05", "0.1"], ["smooth", "spot", "0.04", "0.05", "0.1"]], INBOX)
assert subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, check=False).returncode in (0, 4)


def cheapest(rate, price=2.10, checkpoint=0.05, restart=0.1):
    return min(((price * k + 9) * law(k) * (1 + (2 * checkpoint * k * rate) ** 0.5 + k * rate * restart), k) for k in range(1, 65))


def is_cheapest(answer, *facts, **more):
    cost, k = cheapest(*facts, **more)
    return answer["k_star"] == k and abs(answer["cost_at_k_star"] - cost) < 1e-9 * cost


RATES = "0.01 interruptions a node-hour (declared), checkpoint 0.05 h, restart 0.1 h"
[smooth] = json.loads(fits("--family", "smooth", "--json").stdout)
assert smooth["k_star"] == cheapest(0.01)[1] and smooth["interruptions_per_node_hour"] == 0.01, smooth
assert (smooth["checkpoint_hours"], smooth["restart_hours"], smooth["interruptions_from"]) == (0.05, 0.1, "declared"), smooth
assert f"capacity  on demand: {RATES}\n" in fits("--family", "smooth").stdout
assert RATES in advise("smooth").stdout
assert is_cheapest(json.loads(advise("smooth", "--json").stdout), 0.01)
assert is_cheapest(json.loads(advise("smooth", "--spot", "0.3", "--json").stdout), 0.04, price=0.63)
assert is_cheapest(json.loads(advise("smooth", "--preemptions", "0.1", "--checkpoint", "0.2", "--json").stdout), 0.1, checkpoint=0.2, restart=0)
assert json.loads(advise("smooth", "--preemptions", "0", "--json").stdout)["k_star"] == 8

print("- a price of spot has its share in it: no option applies it again, nor a scenario; a price on demand takes it, and the first line has it")
SCENARIO = WORK / "spot.json"
SCENARIO.write_text('{"name": "spot", "spot": {"share": 1, "price_fraction": 0.35}}', encoding="utf-8")
assert "2.1 an hour of one K, 9 an hour besides, prices of 2026-09" in advise("cheap").stdout, advise("cheap").stdout
assert "the latest price of family cheap is of spot capacity already" in advise("cheap", "--spot", "0.35", code=2).stderr
of_scenario = advise("cheap", "--scenario", SCENARIO).stdout
assert "2.1 an hour of one K" in of_scenario and "K*         K = 8: cost 4.17315" in of_scenario, of_scenario
on_demand = advise("cheap", "--price", "6", "--fixed", "9", "--spot", "0.35").stdout
assert "2.1 an hour of one K" in on_demand and "K*         K = 8: cost 4.17315" in on_demand, on_demand

print("- and what takes its nodes away is that of spot while the price is; a price that is given is on demand, and is interrupted as that is")
case_page.write_input(["reference", "interruptions"], [
    ["family", "capacity", "rate_per_node_hour", "checkpoint_hours", "restart_hours"],
    ["", "on demand", "0.01", "0.05", "0.1"], ["smooth", "spot", "0.04", "0.05", "0.1"], ["cheap", "spot", "0.2", "0.05", "0.1"]], INBOX)
assert subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, check=False).returncode in (0, 4)
for options, rate, price in (((), 0.2, 2.10), (("--fixed", "9"), 0.2, 2.10), (("--price", "6"), 0.01, 6), (("--price", "6", "--fixed", "9"), 0.01, 6),
                             (("--price", "6", "--spot", "0.35"), 0.2, 2.10), (("--price", "6", "--preemptions", "0.1", "--checkpoint", "0.05", "--restart", "0.1"), 0.1, 6)):
    assert is_cheapest(json.loads(advise("cheap", *options, "--json").stdout), rate, price=price), (options, advise("cheap", *options).stdout)
assert cheapest(0.2)[1] != cheapest(0.01)[1] and RATES in advise("cheap", "--price", "6").stdout, advise("cheap", "--price", "6").stdout

print("- a scenario's preemptions are of a node, of which each of eight accelerators has an eighth; those of an option are of one K")
SCENARIO.write_text('{"name": "spot", "spot": {"share": 1, "price_fraction": 0.35, "preemptions_per_node_hour": 0.08, "checkpoint_hours": 0.05, "restart_hours": 0.1}}',
                    encoding="utf-8")
for family, options, rate in (("cards", (), 0.01), ("cards", ("--preemptions", "0.04"), 0.04), ("smooth", (), 0.08)):
    answer = json.loads(advise(family, "--price", "6", "--fixed", "9", "--scenario", SCENARIO, *options, "--json").stdout)
    k = answer["k_star"]
    assert abs(answer["interruption_share"] - ((2 * 0.05 * k * rate) ** 0.5 + k * rate * 0.1)) < 1e-9, (family, rate, answer)

print("- of a family measured by its throughput no time is an hour of a job until the job's are given")
PACED = ("paced", "--price", "2.10", "--fixed", "9")
paced = advise(*PACED).stdout
assert "time is 1 / throughput" in paced and "hours" not in paced and "speedup  efficiency           time           cost" in paced, paced
for end in ("--deadline", "--budget"):
    assert "how long a job of family paced takes its measurements do not say: time is 1 / throughput" in advise(*PACED, end, "30", code=2).stderr
    assert "need --k and --hours" in advise(*PACED, end, "30", "--k", "8", code=2).stderr
in_time = json.loads(advise(*PACED, "--k", "8", "--hours", "12", "--deadline", "11.5", "--json").stdout)
assert (in_time["k_star"], in_time["k_deadline"]) == (8, 9), in_time  # T(9) = 12 x T(9)/T(8) = 11.1

print("- advise reports each question that it cannot answer")
unknown = advise("nobody", code=3).stderr
assert "there is no family nobody: it is neither declared nor measured" in unknown and "without a name lists the families" in unknown, unknown
assert 'did you mean: kstar advise "smooth"' in advise("smoth", code=3).stderr
unmeasured = advise("unmeasured", code=3).stderr
assert "family unmeasured is declared, but no series of it was measured" in unmeasured and "--curve FILE" in unmeasured, unmeasured
assert "about one family at a time" in advise("smooth", "pair", code=2).stderr
assert "no job in a statement gives family pair prices" in advise("pair", code=3).stderr
assert "omit --serial" in advise("smooth", "--serial", "0.1", code=2).stderr
assert "--hours goes with --k" in advise("smooth", "--hours", "1", code=2).stderr
assert "no time is known for K = 3, so its --hours say nothing about other K" in advise("pair", "--price", "2.10", "--k", "3", "--hours", "10", "--deadline", "4", code=2).stderr

print("- --fail-above ends with 10 where the node count costs more than that share above K*, and with 4 where it cannot be judged")
for k, share, code in ((32, excess - 0.001, 10), (32, excess + 0.001, 0), (8, 0, 0), (512, 0, 4)):
    advise("smooth", "--k", str(k), "--preemptions", "0", "--fail-above", str(share), code=code)

print("- without a name it lists the families, and why one of them cannot be asked about")
rows = {row["family"]: row for row in json.loads(advise("--json").stdout)}
assert rows["smooth"] == {"family": "smooth", "sizes": [1, 2, 4, 8, 16, 32], "prices_of": "2026-09", "obstacle": ""}, rows["smooth"]
for name, why in (("pair", "give --price"), ("weak", "weak scaling"), ("torn", "contradict"), ("unmeasured", "no series was measured")):
    assert why in rows[name]["obstacle"], rows[name]
assert re.search(r"^smooth +2026-09 +1 2 4 8 16 32 *$", advise().stdout, re.M), advise().stdout

print("- the carbon-cheapest K only where power is configured: smallest K · T(K), in words, as JSON and on the family's curve in the review")
assert "carbon" not in fits().stdout and "k_carbon" not in fits("--json").stdout
case_page.write_input(["reference", "interruptions"], [["family", "capacity", "rate_per_node_hour", "checkpoint_hours", "restart_hours"]], INBOX)
case_page.write_input(["reference", "node_power"], [["cluster", "node_type", "watts_at_load", "watts_idle"], ["", "", "1000", "200"]], INBOX)
done = subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert done.returncode in (0, 4), done.stdout + done.stderr
[smooth] = json.loads(fits("--family", "smooth", "--json").stdout)
assert (smooth["k_star"], smooth["k_carbon"]) == (8, 1), smooth
less, longer = 1 - law(1) / (8 * law(8)), law(1) / law(8)
text = fits("--family", "smooth").stdout
assert f"carbon    1 takes the least energy for a result: {100 * less:.1f}% less than K*, in {longer:.2f} times its hours\n" in text, text
assert "carbon" not in fits("--family", "pair").stdout
