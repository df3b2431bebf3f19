"""Energy and carbon: cases worked by hand, random months worked out again minute by minute, the
sheet, who sees what, a closed month."""

import os
import random
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
import workbooks
from company import Site
from saying import equals, it

BILL = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags"]
JOBS = ["JobID", "Account", "Start", "End", "NNodes", "NodeList", "GPUs", "State"]
NODES = ["cluster", "node", "resource_id", "node_type", "accelerators", "idle_pool", "valid_from", "valid_to"]
POWER = ["cluster", "node_type", "watts_at_load", "watts_idle", "valid_from", "valid_to"]
GRID = ["cluster", "grams_per_kwh", "pue", "valid_from", "valid_to"]
TWO_DAYS = ["2026-09-08T00:00:00Z", "2026-09-10T00:00:00Z"]


class Company(Site):
    def __init__(self, name):
        super().__init__(name)
        case_page.write_common_reference(self.inbox)
        self.reference("pools", [["pool", "component", "owner", "split"], ["idle", "idle", "P", "keep"]])
        self.bill()

    def bill(self, month="2026-09", day="3"):
        case_page.write_input(["bill", "cloud", month], [BILL, *([f"{day} 00:00", f"{day} 01:00", "10.00", f"team={team}"] for team in "ab")],
                              self.inbox)

    def jobs(self, *rows, source="c"):
        case_page.write_input(["jobs", source], [JOBS, *map(list, rows)], self.inbox)

    def rows(self, query):
        return [tuple(row.values()) for row in published.query(query, self.dsn)]

    def energy(self):
        """Node-hours, those without power, kWh, kWh without intensity, kg CO2e by job."""
        return {job: tuple(map(plain, values)) for job, *values in self.rows(
            "SELECT job_id, node_hours, unpowered_node_hours, kwh, kwh_without_intensity, kg_co2e"
            " FROM kstar.job_energy JOIN kstar.job USING (attempt_id) WHERE statement_month = '2026-09-01'")}

    def idle(self):
        return {tuple(row[:2]): tuple(map(plain, row[2:])) for row in self.rows(
            "SELECT pool, cluster, node_hours, unpowered_node_hours, kwh, kwh_without_intensity, kg_co2e"
            " FROM kstar.idle_energy WHERE statement_month = '2026-09-01'")}


def plain(number):
    """'10.800000' as '10.8'."""
    return format(Decimal(number).normalize(), "f")


def two_days(company):
    """Two nodes, a day of 100 g/kWh at PUE 1.5 and one of 300 g/kWh at 1.2; 1000 W at load, 200 W
    idle."""
    company.reference("nodes", [NODES, *(["c", node, f"i-{node}", "gpu", "8", "idle", *TWO_DAYS] for node in ("n1", "n2"))])
    company.reference("node_power", [POWER, ["", "gpu", "1000", "200", "", ""]])
    company.reference("grid_intensity", [GRID, ["c", "100", "1.5", "", "2026-09-09"], ["c", "300", "1.2", "2026-09-09", ""]])
    company.jobs(["1", "a", "8 22:00", "9 02:00", "2", "n1,n2", "16"], ["2", "b", "8 10:00", "8 12:00", "1", "n1", "4"],
                 ["3", "b", "8 10:00", "8 11:00", "1", "n1", "2"], ["4", "a", "9 12:00", "9 13:00", "1", "n2", "8"])


def by_hand():
    company = Company("hand")
    two_days(company)
    company.publish()
    it("takes each day's PUE and intensity, and of a shared node the share")
    # 1: 2 nodes · 2 h · 1 kW · 1.5 = 6 kWh and · 1.2 = 4.8 kWh; 0.6 + 1.44 kg.  2: 2 h · ½ · 1.5.
    # 3: 1 h · ¼ · 1.5.  4: 1.2 kWh, 0.36 kg.
    equals({"1": ("8", "0", "10.8", "0", "2.04"), "2": ("1", "0", "1.5", "0", "0.15"), "3": ("0.25", "0", "0.375", "0", "0.0375"),
            "4": ("1", "0", "1.2", "0", "0.36")}, company.energy())
    it("gives what nobody held to the nodes' pool, up to the last job record")
    # 48 − 4 − 1.25 = 42.75 h · 0.2 · 1.5 = 12.825 kWh; to 9 September 13:00: 26 − 4 − 1 = 21 h ·
    # 0.2 · 1.2 = 5.04 kWh; 1.2825 + 1.512 kg
    equals({("idle", "c"): ("63.75", "0", "17.865", "0", "2.7945")}, company.idle())

    it("says what it does not know: power of a type, the grid of a day")
    company.reference("node_power", [POWER, ["c", "other", "1000", "200", "", ""]])
    company.publish()
    equals(("0", "8", "0", "0", "0"), company.energy()["1"])
    company.reference("node_power", [POWER, ["c", "", "1000", "200", "", ""]])
    company.reference("grid_intensity", [GRID, ["", "300", "", "2026-09-09", ""]])
    company.publish()
    equals(("8", "0", "8", "4", "1.2"), company.energy()["1"])

    it("lets a row with the node's type speak first, then one with the cluster")
    company.reference("node_power", [POWER, ["", "gpu", "3000", "0", "", "2026-09-09"], ["c", "", "1000", "200", "", ""], ["", "", "9000", "0", "", ""]])
    company.reference("grid_intensity", [GRID, ["", "900", "3", "", ""], ["c", "100", "2", "2026-09-09", ""]])
    company.publish()
    # 4 h · 3 kW · 3 = 36 kWh at 900 g, 4 h · 1 kW · 2 = 8 kWh at 100 g
    equals(("8", "0", "44", "0", "33.2"), company.energy()["1"])

    it("lets a node draw no more than its load: jobs that say more are scaled down")
    company.jobs(["5", "a", "9 04:00", "9 06:00", "1", "n1", "8"], ["6", "b", "9 05:00", "9 07:00", "1", "n1", "8"],
                 ["7", "b", "9 08:00", "9 09:00", "1", "n1", "8"], source="c")
    company.publish()
    # 5 and 6 hold all of n1 and overlap from 5:00 to 6:00: half an hour each of it. 1.5 h · 1 kW ·
    # 2 at 100 g; 7 is alone.
    equals({"5": ("1.5", "0", "3", "0", "0.3"), "6": ("1.5", "0", "3", "0", "0.3"), "7": ("1", "0", "2", "0", "0.2")},
           {job: company.energy()[job] for job in "567"})

    it("says nothing of a month in which no power is in force")
    company.reference("node_power", [POWER, ["c", "", "1000", "200", "2026-10-01", ""]])
    company.publish()
    equals(({}, {}), (company.energy(), company.idle()))


def refusals():
    company = Company("refusals")
    for name, rows, message in (
            ("node_power", [POWER, ["", "gpu", "100", "200", "", ""]], 'node_power.csv, line 2, column watts_idle: "200" is above watts_at_load 100'),
            ("node_power", [POWER, ["", "", "-1", "0", "", ""]], 'node_power.csv, line 2, column watts_at_load: "-1" is below 0'),
            ("node_power", [POWER, ["", "", "9", "0", "", ""], ["", "", "8", "0", "2026-09-02", ""]], "node_power.csv, line 3: "),
            ("grid_intensity", [GRID, ["c", "100", "0.9", "", ""]], 'grid_intensity.csv, line 2, column pue: "0.9" is below 1'),
            ("grid_intensity", [GRID, ["", "100", "", "", ""], ["", "90", "", "2026-09-02", ""]], "grid_intensity.csv, line 3: "),
            ("grid_intensity", [GRID, ["", "", "1.1", "", ""]], "grid_intensity.csv, line 2, column grams_per_kwh: is empty but is required")):
        it(f"refuses: {message}")
        company.reference(name, rows)
        done = company.kstar("ingest", "reference", company.inbox / "reference" / f"{name}.csv", code=3)
        assert message in done.stderr, done.stderr


def minute_by_minute():
    """A month of random holds on six nodes, worked out again from its minutes."""
    dice = random.Random(20260908)
    company = Company("minutes")
    types = {f"n{i}": ("big", 8) if i < 3 else ("small", 4) for i in range(6)}
    power = [["", "big", "8700.5", "2100", "", "2026-09-11"], ["", "big", "9100", "2000.25", "2026-09-11", ""], ["c", "", "1650", "420", "2026-09-03", ""]]
    grid = [["c", f"{dice.randrange(200, 4000) / 10}", f"{dice.randrange(100, 180) / 100}", f"2026-09-{day:02}", f"2026-09-{day + 1:02}"]
            for day in range(1, 30) if day != 7]
    company.reference("nodes", [NODES, *(["c", node, f"i-{node}", kind, str(size), "idle", "", ""] for node, (kind, size) in types.items())])
    company.reference("node_power", [POWER, *power])
    company.reference("grid_intensity", [GRID, *grid])
    free = {node: [size] * (30 * 1440) for node, (_, size) in types.items()}
    jobs, holds = [], {}
    for number in range(120):
        node = dice.choice(list(types))
        start, length, wanted = dice.randrange(0, 29 * 1440), dice.randrange(1, 2500), dice.randrange(1, types[node][1] + 1)
        end = min(start + length, 30 * 1440 - 60)
        if min(free[node][start:end]) < wanted:
            continue
        for minute in range(start, end):
            free[node][minute] -= wanted
        clock = [f"{minute // 1440 + 1} {minute % 1440 // 60:02}:{minute % 60:02}" for minute in (start, end)]
        jobs.append([str(number), "ab"[number % 2], *clock, "1", node, str(wanted)])
        holds[str(number)] = (node, start, end, wanted)
    company.jobs(*jobs)
    company.publish()

    def on(rows, day, fits):
        date = f"2026-09-{day:02}"
        return next((row for row in rows if fits(row) and row[-2] <= date and (not row[-1] or date < row[-1])), None)

    def drawn(node, minutes_of_day, column):
        """Node-minutes of each day as kWh, kWh without intensity, kg."""
        hours = unpowered = kwh = ungridded = kilograms = Fraction(0)
        for day, minutes in minutes_of_day.items():
            kind = types[node][0]
            row = on(power, day, lambda row: row[1] == kind) or on(power, day, lambda row: row[1] == "")
            if row is None:
                unpowered += minutes / 60
                continue
            gridded = on(grid, day, lambda row: True)
            energy = minutes / 60 * Fraction(row[column]) / 1000 * Fraction(gridded[2] if gridded else 1)
            hours, kwh = hours + minutes / 60, kwh + energy
            if gridded:
                kilograms += energy * Fraction(gridded[1]) / 1000
            else:
                ungridded += energy
        return hours, unpowered, kwh, ungridded, kilograms

    def rounded(values):
        return tuple(plain((Decimal(value.numerator) / value.denominator).quantize(Decimal("0.000001"), ROUND_HALF_UP)) for value in values)

    it(f"agrees with {len(jobs)} jobs worked out from their minutes")
    expected = {}
    for job, (node, start, end, wanted) in holds.items():
        days = {}
        for minute in range(start, end):
            days[minute // 1440 + 1] = days.get(minute // 1440 + 1, 0) + Fraction(wanted, types[node][1])
        expected[job] = rounded(drawn(node, days, 2))
    equals(expected, company.energy())
    it("and with what nobody held, node by node and minute by minute")
    horizon = max(end for _, _, end, _ in holds.values())
    total = [Fraction(0)] * 5
    for node, (_, size) in types.items():
        days = {}
        for minute in range(horizon):
            days[minute // 1440 + 1] = days.get(minute // 1440 + 1, 0) + Fraction(free[node][minute], size)
        total = [sum(pair) for pair in zip(total, drawn(node, days, 3))]
    equals({("idle", "c"): rounded(total)}, company.idle())


def table_on(sheet, heading):
    """The rows below a row that begins with `heading`, as far as the first cell is not empty."""
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    first = next(at for at, row in enumerate(rows) if row[0] == heading)
    taken = []
    for row in rows[first + 1:]:
        if row[0] is None:
            break
        taken.append(row)
    return taken


def shown():
    company = Company("shown")
    two_days(company)
    (company.inbox / "reference" / "node_power.csv").unlink()
    company.night()
    everyone, own = company.out / "data-2026-09.xlsx", company.out / "data-2026-09-B.xlsx"

    it("shows nothing where no power is configured: no sheet, no column, no word")
    for path in company.out.glob("*.xlsx"):
        text = b"".join(workbooks.parts(path).values()).lower()
        assert not any(word in text for word in (b"kwh", b"carbon", b"co2")), path
    before = {path.name: path.read_bytes() for path in company.out.glob("*.xlsx")}

    it("has the same bytes whether energy was never there or is there no more")
    psql = lambda command: subprocess.run(["psql", company.dsn, "-qc", command, "-c", "UPDATE kstar.statement SET status = status"], check=True)
    psql("INSERT INTO kstar.job_energy SELECT '2026-09-01', attempt_id, 'A', 1, 0, 1, 0, 1 FROM kstar.job")
    for report in ("chargeback", "review"):
        company.kstar("report", report, "--period", "2026-09", "--out", company.out)
    assert "Energy and carbon" in workbooks.values(everyone).sheetnames
    psql("DELETE FROM kstar.job_energy")
    for report in ("chargeback", "review"):
        company.kstar("report", report, "--period", "2026-09", "--out", company.out)
    equals(before, {path.name: path.read_bytes() for path in company.out.glob("*.xlsx")})

    company.reference("node_power", [POWER, ["", "gpu", "1000", "200", "", ""]])
    company.night()
    it("shows the energy of every cost centre, of idle nodes, and what it was worked out from")
    sheet = workbooks.values(everyone)["Energy and carbon"]
    equals([["A", 9, 0, 12, 0, 2.4], ["B", 1.25, 0, 1.875, 0, 0.1875], ["Total", 10.25, 0, 13.875, 0, 2.5875]],
           [row[:1] + row[2:7] for row in table_on(sheet, "Cost centre")])
    equals([["idle", "c", 63.75, 0, 17.865, 0, 2.7945]], [row[:7] for row in table_on(sheet, "Pool")][:1])
    equals([["any", "gpu", 1000, 200]], [row[:4] for row in table_on(sheet, "Cluster")])

    it("and beside each job")
    head, *rows = [[cell.value for cell in row] for row in workbooks.values(everyone)["Jobs"].iter_rows() if row[1].value is not None]
    place = [head.index(name) for name in ("Job", "Energy (kWh)", "Carbon (kg CO₂e)", "Node-hours without power")]
    equals([["1", 10.8, 2.04, 0], ["2", 1.5, 0.15, 0], ["3", 0.375, 0.0375, 0], ["4", 1.2, 0.36, 0]],
           sorted([row[at] for at in place] for row in rows if row[place[0]] in list("1234")))

    it("shows a cost centre its own and nobody else's: no pool, no rates")
    sheet = workbooks.values(own)["Energy and carbon"]
    equals([["B", 1.25, 0, 1.875, 0, 0.1875]], [row[:1] + row[2:7] for row in table_on(sheet, "Cost centre")][:1])
    cells = [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert not {"A", "idle", "Pool", "gpu", "1000"} & set(cells), cells

    it("adds up live: what LibreOffice computes is what stands there")
    paths = [everyone, own, company.out / "review-2026-09.xlsx"]
    for path, other in zip(paths, workbooks.recalculated(paths, WORK / "recalculated")):
        found, count = workbooks.differences(path, other)
        assert not found and count, found[:20]

    it("gives no grams per kWh where no grid is known: 0 would be clean energy")
    grid = (company.inbox / "reference" / "grid_intensity.csv").read_bytes()
    company.reference("grid_intensity", [GRID])
    company.night()
    sheet = workbooks.values(everyone)["Energy and carbon"]
    equals([["A", 9, 0, 9, 9, 0, None], ["B", 1.25, 0, 1.25, 1.25, 0, None]], [row[:1] + row[2:8] for row in table_on(sheet, "Cost centre")][:2])
    equals([None], [row[7] for row in table_on(sheet, "Pool")][:1])
    (company.inbox / "reference" / "grid_intensity.csv").write_bytes(grid)

    it("keeps the energy of a closed month, and says of late power when it counts")
    company.bill("2026-10", "10-02")
    company.publish()
    company.kstar("close", "2026-09", "--accept-incomplete", "the bill is one line")
    closed = company.energy()
    company.reference("node_power", [POWER, ["", "gpu", "5000", "200", "", ""]])
    done = company.kstar("ingest", "reference", company.inbox / "reference")
    assert "node_power.csv" in done.stderr and "speaks of 2026-09, which is closed" in done.stderr, done.stderr
    # a late job: the month is replayed
    company.jobs(["9", "a", "8 03:00", "8 04:00", "1", "n1", "8"], source="c")
    company.publish()
    equals(closed, company.energy())


by_hand()
refusals()
minute_by_minute()
shown()
