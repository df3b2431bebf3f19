"""kstar advise: the example of docs/mathematics.md, section 3, the invariants that its table must
keep, and published vectors."""
import csv, json, math, os, subprocess, tempfile

SHARED = os.environ.get("KSTAR_SHARED_DATA") or os.path.join(os.environ["KSTAR_SOURCE_DIR"], "..", "shared", "data")
KSTAR = os.environ["KSTAR"]
BASE = {"serial": 0.03, "comm": 0.0015, "price": 2.10, "fixed": 9, "t1": 1}


def run(*options, code=0, **numbers):
    command = [KSTAR, "advise", *options]
    for name, value in numbers.items():
        command += ["--" + name.replace("_", "-"), str(value)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code, (command, done.returncode, done.stderr)
    return done


def ask(**numbers):
    return json.loads(run("--json", **numbers).stdout)


def close(a, b):
    return a is not None and math.isclose(a, b, rel_tol=1e-9)


def test_the_worked_example():
    answer = ask(**BASE)
    assert answer["k_star"] == 8 and close(answer["cost_at_k_star"], 4.17315), answer
    assert answer["k_fastest"] == 25 and close(answer["cost_at_k_fastest"], 6.4452), answer
    assert answer["k_deadline"] is None and answer["cost_at_k_deadline"] is None
    assert answer.pop("currency") == "USD" and answer.pop("answer").startswith("8 nodes cost least: USD 4.17 and 0.162 hours; 25 nodes are fastest")
    assert list(answer) == ["k_star", "cost_at_k_star", "k_fastest", "cost_at_k_fastest", "k_deadline",
                            "cost_at_k_deadline", "curve"]


def test_every_row_of_the_curve_follows_the_formula():
    for step in (0, 0.4):
        for row in ask(**BASE, step=step)["curve"]:
            k = row["k"]
            inverse = 1 + (step if k > 1 else 0) + (k - 1) * 0.03 + 0.0015 * k * (k - 1)
            assert close(row["efficiency"], 1 / inverse), row
            assert close(row["speedup"], k / inverse), row
            assert close(row["hours"], inverse / k), row
            assert close(row["cost"], (2.10 * k + 9) * inverse / k), row


def test_k_star_is_the_cheapest_row_and_k_fastest_the_fastest():
    for extra in ({}, {"step": 0.4}, {"allowed": "1,2,4,16,32"}, {"max_k": 4}, {"min_k": 12, "max_k": 90}):
        answer = ask(**BASE, **extra)
        curve = answer["curve"]
        assert answer["k_star"] == min(curve, key=lambda row: row["cost"])["k"], extra
        assert answer["k_fastest"] == min(curve, key=lambda row: row["hours"])["k"], extra


def test_a_budget_buys_the_fastest_row_within_it_and_pays_for_no_waiting():
    for budget, extra in ((4.5, {}), (5, {"step": 0.4}), (4.8, {"allowed": "1,2,4,16,32"}), (6, {"waiting": 3}), (5, {"waiting": 90})):
        answer = ask(**BASE, budget=budget, **extra)
        money = {row["k"]: row["cost"] - extra.get("waiting", 0) * row["hours"] for row in answer["curve"]}
        within = [row for row in answer["curve"] if money[row["k"]] <= budget * (1 + 1e-9)]
        best = min(within, key=lambda row: row["hours"], default=None)
        assert answer["k_budget"] == (best and best["k"]), (budget, extra, answer["k_budget"], best)
        assert best is None or close(answer["cost_at_k_budget"], money[best["k"]]), (budget, extra, answer["cost_at_k_budget"])
    waits = run(**BASE, budget=5, waiting=90).stdout
    assert "within the budget of USD 5.00, without waiting, choose 17 nodes: USD 4.96 and 0.111 hours.\n" in waits and "budget of 5, without waiting:\n" in waits, waits
    assert "no allowed K is cheap enough; the cheapest, K = 8, costs 4.17315" in run(**BASE, budget=4).stdout
    assert ask(**BASE, budget=4)["k_budget"] is None


def test_interruptions_stretch_every_row():
    """Young and Daly: 1 + sqrt(2 delta K lambda) + K lambda R; on spot at a share of the price;
    waiting is part of f."""
    answer = ask(**BASE, spot=0.3, preemptions=0.01, checkpoint=0.1, restart=0.2, waiting=2)
    for row in answer["curve"]:
        k = row["k"]
        hours = (1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)) / k * (1 + math.sqrt(2 * 0.1 * k * 0.01) + k * 0.01 * 0.2)
        assert close(row["hours"], hours) and close(row["cost"], (0.3 * 2.10 * k + 9 + 2) * hours), row
    assert answer["k_star"] == min(answer["curve"], key=lambda row: row["cost"])["k"]
    assert run(**BASE, spot=0, code=2).stderr.startswith("error: advise: --spot is not above 0")
    assert run(**BASE, budget=-1, code=2).stderr.startswith("error: advise: --budget is not above 0")


def test_the_exercises():
    for changed, k_star, cost in (({"fixed": 4.5}, 6, 3.40575), ({"comm": 0.0045}, 6, 4.626)):
        answer = ask(**{**BASE, **changed})
        assert answer["k_star"] == k_star and close(answer["cost_at_k_star"], cost), (changed, answer)
    answer = ask(**BASE, deadline=0.15)
    assert answer["k_deadline"] == 9 and close(answer["cost_at_k_deadline"], 4.1788), answer


def test_rising_preemption_moves_k_star_as_the_formula_says():
    """Spot at 30 % of the price: more nodes are worth it, and fewer again the more often they are
    taken away."""
    found = []
    for rate in (0, 0.0005, 0.002, 0.01, 0.05, 0.2):
        def cost(k):
            hours = (1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)) / k
            return (0.3 * 2.10 * k + 9) * hours * (1 + math.sqrt(2 * 0.05 * k * rate) + k * rate * 0.1)
        found.append(ask(**BASE, spot=0.3, preemptions=rate, checkpoint=0.05, restart=0.1)["k_star"])
        assert found[-1] == min(range(1, 257), key=cost), (rate, found)
    assert found == sorted(found, reverse=True) and found[0] > found[-1] > 8, found


def test_a_scenario_has_the_levers_of_the_forecast():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.json")

        def with_scenario(members, **numbers):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(members, file)
            return ask(**BASE, scenario=path, **numbers)
        spot = {"share": 0.7, "price_fraction": 0.3, "preemptions_per_node_hour": 0.01, "checkpoint_hours": 0.05, "restart_hours": 0.1}
        assert with_scenario({"spot": spot}) == ask(**BASE, spot=0.3, preemptions=0.01, checkpoint=0.05, restart=0.1)
        assert with_scenario({"spot": spot}, preemptions=0.2) == ask(**BASE, spot=0.3, preemptions=0.2, checkpoint=0.05, restart=0.1)
        assert with_scenario({"spot": {**spot, "share": 0.1}}) == ask(**BASE)
        dearer = with_scenario({"prices": [{"change": 0.5, "from": "2027-01"}, {"change": 9, "purchase": "spot"}], "elastic_saving": 0.2})
        assert dearer["k_star"] == ask(**{**BASE, "price": 2.10 * 1.5 * 0.8})["k_star"]
        slower = with_scenario({"efficiency_penalties": [{"penalty": 0.2}, {"family": "x", "penalty": 0.5}]})
        assert slower["k_star"] == 8 and close(slower["cost_at_k_star"], 4.17315 / 0.8), slower
        assert with_scenario({"node_policy": "cap", "node_cap": 5})["k_star"] == 5
        assert [row["k"] for row in with_scenario({"node_policy": "powers of two"}, max_k=40)["curve"]] == [1, 2, 4, 8, 16, 32]
        assert ask(**BASE, scenario="base") == ask(**BASE)
        partly = {"prices": [{"change": 0.5}, {"change": 9, "purchase": "spot"}],
                  "efficiency_penalties": [{"cost_centre": "B", "penalty": 0.5}, {"cost_centre": "B", "family": "x", "penalty": 0.5}]}
        left_out = with_scenario(partly)
        assert left_out.pop("skipped") == "prices[1], efficiency_penalties[0]", left_out
        assert left_out == ask(**{**BASE, "price": 2.10 * 1.5}), left_out
        assert ("\nnot used from the scenario, as they are not for all hardware or all cost centres: prices[1], efficiency_penalties[0]\n"
                in run(**BASE, scenario=path).stdout)
        many = with_scenario({"prices": [{"change": 0.01, "purchase": "spot"}] * 200})["skipped"]
        assert many.startswith("prices[0], prices[1], ") and many.endswith("] and more"), many
        assert "neither a file nor a ready-made scenario" in run(**BASE, scenario="bass", code=3).stderr


def test_a_long_curve_goes_up_to_its_maximum():
    """Fastest at the root of (1 - s) / c, which is 25,816: the maximum below it is the fastest K,
    and has its row."""
    large = {"serial": .0003, "comm": 1.5e-9, "price": 2, "fixed": 9, "max_k": 6000}
    answer = ask(**large)
    assert [row["k"] for row in answer["curve"]] == list(range(1, 6001)), len(answer["curve"])
    assert answer["k_fastest"] == 6000 and close(answer["cost_at_k_fastest"], answer["curve"][-1]["cost"]), answer["k_fastest"]
    rows = [line.split() for line in run(**large).stdout.split("\n\n")[1].splitlines()[1:]]
    assert (rows[-2][0], rows[-1][0], rows[-1][-1]) == ("4096", "6000", "K_fast"), rows[-2:]


def test_a_deadline_that_nothing_meets_is_reported():
    assert "no allowed K is fast enough" in run(**BASE, deadline=0.01).stdout
    answer = ask(**BASE, deadline=0.01)
    assert answer["k_deadline"] is None and answer["deadline_outcome"] == "not met", answer
    assert ask(**BASE, deadline=0.15)["deadline_outcome"] == "found"
    assert ask(**BASE, budget=4)["budget_outcome"] == "not met" and ask(**BASE, budget=5)["budget_outcome"] == "found"
    assert not {"deadline_outcome", "budget_outcome"} & set(ask(**BASE))


def test_large_amounts_are_whole_to_the_cent():
    """A million hours on one node: 4.17315 and 0.16175 of BASE, a million times."""
    text = run(**{**BASE, "t1": 1000000}, budget=5000000).stdout
    for part in ("K = 8: cost 4173150.00, 161750.00 hours", "budget of 5000000.00:", "161750.00     4173150.00  K*"):
        assert part in text, (part, text)
    assert "e+0" not in text, text
    assert "K = 8: cost 4173.15, 161.75 hours" in run(**{**BASE, "t1": 1000}).stdout


def test_a_law_without_end_asks_for_a_maximum():
    text = run(serial=0, comm=0, price=2, fixed=9).stdout
    assert text.count("falls for ever with more nodes; give --max-k") == 2, text


def test_the_text_names_what_the_json_holds():
    text = run(**BASE, deadline=0.15).stdout
    for part in ("K = 8: cost 4.17315, 0.16175 hours, efficiency 77.3%", "K = 25: cost 6.4452",
                 "price of pure speed: 2.27205 more for 0.05695 hours less", "K = 9: cost 4.1788",
                 "first unfavourable doubling: 8 to 16"):
        assert part in text, (part, text)


def test_the_first_line_is_the_verdict():
    for options, line in (({"currency": "EUR"}, "8 nodes cost least: EUR 4.17 and 0.162 hours; 25 nodes are fastest, for EUR 2.27 more and 0.057 hours less."),
                          ({"max_k": 4}, "4 nodes cost least, and nothing is faster: USD 4.82 and 0.277 hours."),
                          ({"max_k": 8, "deadline": 0.01}, "8 nodes cost least, and nothing is faster: USD 4.17 and 0.162 hours; within the deadline of 0.01 hours none is."),
                          ({"k": 16}, "16 nodes cost USD 0.646 more than 8, 13.4 % of their cost."),
                          ({"k": 1}, "1 node costs USD 6.93 more than 8, 62.4 % of its cost."),
                          ({"k": 1, "max_k": 1}, "1 node costs least."),
                          ({"max_k": 1}, "1 node costs least, and nothing is faster: USD 11.10 and 1 hour."),
                          ({"waiting": 90, "max_k": 16}, "16 nodes cost least with waiting counted, and nothing is faster: USD 15.00 and 0.113 hours."),
                          ({"waiting": 90, "max_k": 16, "k": 8}, "8 nodes cost USD 3.73 more than 16, 19.9 % of their cost with waiting counted."),
                          ({"k": 8, "deadline": 0.15}, "8 nodes cost least; within the deadline of 0.15 hours choose 9 nodes: USD 4.18 and 0.15 hours."),
                          ({"k": 300}, "300 nodes cannot be judged: not allowed, or beyond the curve (--max-k), or nothing costs least.")):
        assert run(**{**BASE, **options}).stdout.splitlines()[0] == line, (options, run(**{**BASE, **options}).stdout.splitlines()[0])
    assert run(serial=0, comm=0, price=2, fixed=9).stdout.startswith("No node count costs least: cost falls for ever"), "unbounded"


def test_an_exit_code_tells_a_script():
    """16 nodes cost 4.819125 and 8 of them 4.17315: 13.4 % of the cost. A node count that cannot be
    judged is neither right nor too large."""
    for share, code in ((0.13, 10), (0.14, 0)):
        run(**BASE, k=16, fail_above=share, code=code)
    for options in ({"k": 300}, {"k": 16, "allowed": "1,2,4"}):
        run(**BASE, **options)
        assert "cannot be judged" in run(**BASE, **options, fail_above=0, code=4).stdout
    assert "--fail-above goes with --k" in run(**BASE, fail_above=0.1, code=2).stderr


def test_measured_sizes_of_a_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sizes.csv")

        def measured(text, *options, code=0):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return run("--curve", path, *options, code=code)
        rows = "".join(f"{k},{(1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)) / k:.17g}\n" for k in (1, 2, 4, 8, 16, 32))
        answer = json.loads(measured("k,hours\n" + rows, "--price", "2.10", "--fixed", "9", "--json").stdout)
        assert answer["k_star"] == 8 and math.isclose(answer["cost_at_k_star"], 4.17315, rel_tol=1e-6) and answer["prices_of"] is None, answer
        plot = measured("k,hours\n" + rows, "--price", "2.10", "--fixed", "9", "--plot", "--currency", "EUR").stdout.splitlines()
        assert plot[4].split() == ["EUR"] and sum(line.count("o") for line in plot[5:17]) == 6, plot[:18]
        assert "above K*" in measured("k,hours\n" + rows, "--price", "2.10", "--fixed", "9", "--k", "32", "--fail-above", "0.1", code=10).stdout
        alone = measured("k,hours\n4,2\n", "--price", "1", code=3).stderr
        assert f"of {path} one size says nothing about scaling\n" in alone and "kstar model" not in alone, alone
        assert "sizes.csv: by no law; 1 an hour" in measured("k,hours\n1,1\n8,0.16\n", "--price", "1").stdout
        assert "no measured size" in measured("k,hours\n", "--price", "1", code=3).stderr
        assert 'line 2, column k: "0" is below 1' in measured("k,hours\n0,2\n", "--price", "1", code=3).stderr
        assert "--price is missing" in measured("k,hours\n4,2\n", code=2).stderr


def test_the_plot_has_cost_against_k():
    """Cost 11.1 of one node at the top, 8.1 of 32, and K* = 8 at 3/5 of the way from 1 to 32 in
    doublings."""
    lines = run("--plot", **BASE, max_k=32).stdout.splitlines()
    assert lines[2].split() == ["USD"] and lines[3].startswith("        11.1 |."), lines[:5]
    assert all(line[14 + 38] in "|." for line in lines[3:15]), lines[3:15]
    assert lines[15].startswith("           0 +---") and lines[16].split() == ["1", "2", "4", "8", "16", "32"], lines[15:17]
    cost = (2.10 * 32 + 9) * (1 + 31 * 0.03 + 0.0015 * 32 * 31) / 32
    assert lines[3 + round((1 - cost / 11.1) * 11)][14 + 63] == ".", lines


def test_wrong_numbers_are_refused():
    for options, message in (({"serial": 0.03, "comm": 0}, "--price is missing"),
                             ({**BASE, "serial": -1}, "--serial is below 0"),
                             ({**BASE, "t1": 0}, "--t1 is not above 0"),
                             ({**BASE, "allowed": "1,2,x"}, "is not a list of node counts"),
                             ({**BASE, "allowed": "1,,2"}, "is not a list of node counts"),
                             ({**BASE, "max_k": 0}, '--max-k "0" is not a whole number from 1'),
                             ({**BASE, "min_k": 0}, '--min-k "0" is not a whole number from 1'),
                             ({"family": "x", "k": 0}, '--k "0" is not a whole number from 1'),
                             ({**BASE, "min_k": 9, "max_k": 8}, "--max-k is below --min-k")):
        assert message in run(code=2, **options).stderr, options


def test_published_vectors():
    """Worked out by others with exact fractions; read from $KSTAR_SHARED_DATA or ../shared/data."""
    path = os.path.join(SHARED, "efficiency", "kstar_vectors.csv")
    if not os.path.exists(path):
        print("skipped: published vectors: ../shared/data/efficiency/kstar_vectors.csv is not there")
        return
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            numbers = {"serial": row["s"], "comm": row["c"], "price": row["p"], "fixed": row["f"], "t1": row["T1"],
                       "max_k": row["k_max"]}
            if "|" in row["k_min_or_set"]:
                numbers["allowed"] = row["k_min_or_set"].replace("|", ",")
            else:
                numbers["min_k"] = row["k_min_or_set"]
            if row["deadline_h"]:
                numbers["deadline"] = row["deadline_h"]
            answer = ask(**numbers)
            expected = [("k_star", row["kstar"]), ("cost_at_k_star", row["cost_at_kstar"]),
                        ("k_fastest", row["k_fastest"]), ("cost_at_k_fastest", row["cost_fastest"])]
            if row["deadline_h"]:
                expected += [("k_deadline", row["k_deadline"]), ("cost_at_k_deadline", row["cost_deadline"])]
            for key, value in expected:
                assert close(answer[key], float(value)), (row["tag"], key, answer[key], value)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        print("-", name[5:].replace("_", " "))
        test()
