"""kstar model --evaluate against a second program: the same judge written here, with the rules of
fixtures/expected."""
import csv, functools, json, math, os, pathlib, random, sys, tempfile
from types import SimpleNamespace

SOURCES = pathlib.Path(os.environ["KSTAR_SOURCE_DIR"])
SHARED = pathlib.Path(os.environ.get("KSTAR_SHARED_DATA") or SOURCES.parent / "shared" / "data")
sys.path.insert(0, str(SOURCES / "fixtures" / "expected"))

import fit
from saying import kstar

FOLDER = tempfile.TemporaryDirectory()
WORK = pathlib.Path(FOLDER.name)


def run(*arguments, code=0):
    return kstar("model", *arguments, code=code)


def invented():
    """Series of many kinds: smooth, stepped, kinked, rough, superlinear, too short."""
    dice = random.Random(4)
    for number in range(40):
        sizes = dice.choice([(1, 2, 4, 8, 16, 32), (1, 2, 3, 4, 6, 8, 12, 16), (1, 8, 64, 96), (2, 4, 8, 16, 32, 64), (1, 4)])
        serial, pairs, step = dice.uniform(0, 0.1), dice.uniform(0, 0.003), dice.choice([0, 0, 0.4])
        kink, rough = dice.choice([1e9, 8]), dice.choice([0, 0.02, 0.15])
        for k in sizes:
            inverse = 1 + (step if k > 1 else 0) + (k - 1) * serial + pairs * k * (k - 1)
            throughput = 100 * k / inverse * (min(1, kink / k) ** 0.5) * math.exp(dice.gauss(0, rough))
            yield f"series {number:02}", k, f"{throughput:.6g}"


def write(rows, name="series.csv"):
    path = WORK / name
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("series", "k", "throughput"), *rows])
    return path


def chords(points, k):
    """Log-log interpolation of throughput; beyond the last point its last slope, at most 1."""
    below = [point for point in points if point[0] < k]
    above = [point for point in points if point[0] > k]
    (k0, x0), (k1, x1) = (below[-1], above[0]) if above else (below[-2], below[-1])
    slope = math.log(x1 / x0) / math.log(k1 / k0)
    return x0 * (k / k0) ** slope if above else x1 * (k / k1) ** min(1, slope)


@functools.cache
def kstar_rule(points, k):
    rows = [SimpleNamespace(k=k0, value=x, metric="throughput", scaling="strong") for k0, x in points]
    time = fit.curve_time(fit.fit(rows, 1), k)
    return 1 / float(time) if time else None


def judged(series, rule, hard):
    extra = []
    for points in series.values():
        for fixed in (1, 4.3, 20):
            cost = {k: (k + fixed) / float(x) for k, x in points}
            best = min(cost, key=cost.get)
            for k, _ in points[1:]:
                if len(points) < 3 or (hard and k != best):
                    continue
                rest = [point for point in points if point[0] != k]
                throughput = rule(tuple((k0, x if rule is kstar_rule else float(x)) for k0, x in rest), k)
                expected = {k0: cost[k0] for k0, _ in rest} | ({k: (k + fixed) / throughput} if throughput else {})
                extra.append(cost[min(expected, key=expected.get)] / cost[best] - 1)
    return sorted(extra)


def percentile(values, share):
    place = share * (len(values) - 1)
    low = int(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def compare(path, names):
    series = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            series.setdefault(row["series"], []).append((int(row["k"]), row["throughput"]))
    answer = json.loads(run("--evaluate", path, "--json").stdout)
    assert answer["series"] == len(series)
    for key, hard in (("cheapest_held_out", True), ("each_held_out", False)):
        for name, rule in names.items():
            figures, mine = answer[key][name], judged(series, rule, hard)
            assert figures["folds"] == len(mine), (key, name, figures, len(mine))
            assert math.isclose(figures["mean_extra_cost"], sum(mine) / len(mine), rel_tol=1e-9, abs_tol=1e-12), (key, name)
            assert math.isclose(figures["ninetieth_percentile"], percentile(mine, 0.9), rel_tol=1e-9, abs_tol=1e-12), (key, name)
            assert math.isclose(figures["worst"], mine[-1], rel_tol=1e-9, abs_tol=1e-12), (key, name)
            assert math.isclose(figures["best_k_found"], sum(each <= 1e-9 for each in mine) / len(mine), rel_tol=1e-9), (key, name)
    return answer


def test_every_figure_is_that_of_the_second_program():
    compare(write(invented()), {"log_log": chords, "kstar": kstar_rule})


def test_real_series_are_within_what_was_promised():
    path = SHARED / "efficiency" / "series.csv"
    if not path.exists():
        print(f"skipped: shared data {path.name} is absent")
        return
    answer = compare(path, {"log_log": chords, "kstar": kstar_rule})
    hard = answer["cheapest_held_out"]
    assert hard["kstar"]["mean_extra_cost"] < min(0.025, hard["log_log"]["mean_extra_cost"]), hard
    assert hard["kstar"]["ninetieth_percentile"] < 0.07 and hard["kstar"]["worst"] < 0.30, hard


def test_the_table_is_for_people():
    rows = [("a", k, 100 * k / (1 + (k - 1) * 0.05)) for k in (1, 2, 4, 8, 16, 32)]
    text = run("--evaluate", write(rows, "one.csv")).stdout
    assert "1 series" in text and "without the cheapest K: 3 folds" in text, text
    assert any(line.startswith("kstar") and line.split()[1:] == ["0.00%", "0.0%", "0.0%", "100%"]
               for line in text.splitlines()), text


def test_bad_files_are_named():
    assert "line 2" in run("--evaluate", write([("a", 0, 5)], "bad.csv"), code=3).stderr
    assert "no measurement" in run("--evaluate", write([], "empty.csv"), code=3).stderr
    many = write([("a", k, k) for k in range(1, 200)], "many.csv")
    assert 'series "a" has more than 128 node counts' in run("--evaluate", many, code=3).stderr
    assert "--evaluate" in run("--json", code=2).stderr


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
