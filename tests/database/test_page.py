"""The pages of a month: what stands on them is the statement, a cost centre's page is its own,
names from outside stay text, and a browser shows them on a phone, on paper and in the dark."""

import csv
import os
import re
import subprocess
import sys
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from browser import Browser
from company import HOURS, Company, measured
from saying import equals, it, output_of, sql

OUT, PERIOD, INPUT, QUARANTINED = WORK / "out", "2026-09", 3, 4
CENTRES = ["CC-100", "CC-210", "CC-220", "CC-230", "CC-310", "CC-400", "CC-410"]
MARKUP = """<script>alert(1)</script>"><img src=x onerror=alert(1)>'&amp;"""
EARLIER = """
    INSERT INTO statement SELECT '2026-08-01', 'Final', 'earlier', as_of - interval '1 month', kstar_version, statement_currency, minor_unit_digits
        FROM statement WHERE statement_month = '2026-09-01';
    INSERT INTO statement_detail (statement_month, sum_id, attempt_id, billed_cost, effective_cost, amount, minor_units)
        SELECT '2026-08-01', sum_id, attempt_id, billed_cost, effective_cost, amount, minor_units / 2
        FROM statement_detail WHERE statement_month = '2026-09-01';
    INSERT INTO statement_sum
        SELECT (jsonb_populate_record(statement_sum, jsonb_build_object('statement_month', '2026-08-01', 'minor_units', halves))).*
        FROM statement_sum
        JOIN (SELECT sum_id, sum(minor_units) AS halves FROM statement_detail WHERE statement_month = '2026-08-01' GROUP BY sum_id) AS half USING (sum_id)
        WHERE statement_month = '2026-09-01'"""


class Page(HTMLParser):
    """Its elements as (name, attributes), its text, and the cells of its tables."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.text, self.rows, self.in_style = [], "", [], False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.in_style = tag == "style"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag == "style":
            self.in_style = False

    def handle_data(self, data):
        if self.in_style:
            return
        self.text += data
        if self.rows and self.rows[-1] and self.elements[-1][0] in ("td", "th", "code"):
            self.rows[-1][-1] += data.strip()

    def all(self, name):
        return [attributes for element, attributes in self.elements if element == name]


def kstar(*arguments, code=0):
    return output_of(*arguments, code=code, cwd=SOURCES)


def report(out, *more, code=0):
    return kstar("report", "page", "--period", PERIOD, "--out", out, *more, code=code)


def files(folder=OUT):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix == ".html" or path.name.startswith("lines-")}


def money(text):
    return Decimal(text.replace(",", ""))


def true_cost(centre=None):
    """In SQL of its own, not the report's."""
    of_centre = f"AND cost_centre = '{centre}'" if centre else ""
    return Decimal(sql(f"""SELECT sum(minor_units) * 0.01 FROM statement_row WHERE statement_month = '{PERIOD}-01' AND line_type = 'charge'
                           AND (block = 'invoice' OR attempt_id IS NOT NULL) {of_centre}"""))


def terms(path):
    """The sums of a page: each a list of amounts, the first of which the others add up to."""
    blocks = re.findall(r'<div class="eq">(.*?)</div></div>\n</div>', path.read_text(encoding="utf-8"), re.S)
    return [[money(amount) for amount in re.findall(r"<b>(.*?)</b>", block)] for block in blocks]


def drilled(path):
    """The amounts of a cost centre's own page, one level down, and those two levels down."""
    text = path.read_text(encoding="utf-8")
    text = text[text.index('id="centres"'):text.index('id="open"')]
    whole, *parts = [money(amount) for amount in re.findall(r"</span><b>(.*?)</b></span></summary>", text)]
    rows = [money(amount) for amount in re.findall(r"<td>(-?[\d,]+\.\d\d)</td></tr>", text)]
    return whole, sum(parts), sum(rows)


kstar("nightly", "fixtures/inbox", "--out", OUT, code=QUARANTINED)
written = files()

it("writes one page for all, and a page and a CSV for each cost centre")
equals({f"page-{PERIOD}.html", *(f"page-{PERIOD}-{centre}.html" for centre in CENTRES), *(f"lines-{PERIOD}-{centre}.csv" for centre in CENTRES)},
       set(written))

it("gives the same bytes again, in another folder, and writes nothing where nothing changed")
again = WORK / "again"
report(again)
equals(written, files(again))
equals(15, report(again).count("(unchanged)"))

it("plans once what pages and workbooks ask of each cost centre")
os.environ["PGOPTIONS"] = "-c log_min_duration_statement=0"
report(WORK / "logged")
kstar("report", "chargeback", "--period", PERIOD, "--jobs", "1", "--out", WORK / "logged")
del os.environ["PGOPTIONS"]
log = "".join(path.read_text(encoding="utf-8") for path in Path(os.environ["KSTAR_DATA_DIR"], "log").iterdir())
for name, times in (("page/parts.sql", len(CENTRES)), ("page/part_rows.sql", len(CENTRES)), ("report/about_settings.sql", len(CENTRES) - 1)):
    [plan] = re.findall(rf" parse (\d+ {name}): ", log)
    assert log.count(f" execute {plan}: ") >= times, name
equals([], re.findall(r" parse \d+ report/jobs\.sql: ", log))  # of any number of rows: for its own size

it("the sums of the page can be added up, and are the statement's")
invoiced = Decimal(sql(f"SELECT sum(minor_units) * 0.01 FROM statement_invoice WHERE statement_month = '{PERIOD}-01'"))
nobodys = Decimal(sql(f"""SELECT sum(minor_units) * 0.01 FROM statement_row
                          WHERE statement_month = '{PERIOD}-01' AND block = 'internal' AND line_type = 'unallocated'"""))
sums = terms(OUT / f"page-{PERIOD}.html")
equals([invoiced, true_cost(), nobodys], [block[0] for block in sums])
assert nobodys > 0 and f"USD {nobodys} of internal charges." in Page(OUT / f"page-{PERIOD}.html").text
for block in sums[:2]:
    equals(block[0], sum(block[1:]))

it("says of idle nodes what the findings of the workbook say: what nobody is charged for is unallocated alone")
page = Page(OUT / f"page-{PERIOD}.html")
for pool, amount in (pair.split("|") for pair in sql(f"""SELECT substring(finding FROM 'pool (.*)\\)'), to_char(minor_units * 0.01, 'FM999,999,990.00')
                                                         FROM finding WHERE statement_month = '{PERIOD}-01' AND kind = 'idle'""").splitlines()):
    assert [amount] == [row[1] for row in page.rows if len(row) > 2 and row[0] == pool and row[2] == "Idle nodes"], (pool, amount, page.rows)
assert "Job without cost centre: borealis-idle" in page.text
assert "CC-400 · Research" in page.text  # which has ended within the month

it("names where to look for an unread row, and the file that has the account of tax on a prepayment")
mends = lambda path, what: [row[2:] for row in Page(path).rows if row and row[0].startswith(what)]
equals(["the bill", "mend the row and deliver the bill again: kstar ingest quarantine shows it"], mends(OUT / f"page-{PERIOD}.html", "Quarantined")[0])
sql("UPDATE statement_sum SET reason = 'tax on a prepayment' WHERE reason = 'quarantined'")
report(WORK / "prepayment")
equals([["tax_rules.csv", "a prepaid_gl_account in the issuer's row"]], mends(WORK / "prepayment" / f"page-{PERIOD}.html", "Tax on a prepayment"))
sql("UPDATE statement_sum SET reason = 'quarantined' WHERE reason = 'tax on a prepayment'")

it("lists what could not be seen with the sums of its first lines, and once what is unallocated")
first_page = Page(OUT / f"page-{PERIOD}.html")
unmeasured = Decimal(sql(f"""SELECT sum(true_cost_minor) * 0.01 FROM job_result
                             WHERE statement_month = '{PERIOD}-01' AND efficiency IS NULL AND outcome = 'productive'"""))
[shown] = [row for row in first_page.rows if row and row[0] == "Efficiency not measured"]
equals([f"{unmeasured:,.2f}", "efficiency/"], shown[3:5])
assert f" {unmeasured:,.2f} lack a measurement" in first_page.text
equals([], [row for row in first_page.rows if row and row[0] in ("Cost without rule", "Jobs without cost centre", "Time without job records")])

it("a cost centre's page goes down to job, SKU and day, and each level adds up to its true cost")
for centre in CENTRES:
    page = OUT / f"page-{PERIOD}-{centre}.html"
    equals([true_cost(centre)], [block[0] for block in terms(page)])
    whole, parts, rows = drilled(page)
    equals((true_cost(centre), true_cost(centre)), (whole, parts))
    with (OUT / f"lines-{PERIOD}-{centre}.csv").open(encoding="utf-8", newline="") as file:
        equals(true_cost(centre), sum(Decimal(row["amount"]) for row in csv.DictReader(file)))
    if "other jobs" not in page.read_text(encoding="utf-8"):
        equals(true_cost(centre), rows)

it("a cost centre's page holds nobody else's rows: no other's name, jobs or owner")
for centre in CENTRES:
    text = (OUT / f"page-{PERIOD}-{centre}.html").read_text(encoding="utf-8") + (OUT / f"lines-{PERIOD}-{centre}.csv").read_text(encoding="utf-8")
    for other in CENTRES:
        assert other == centre or other not in text, (centre, other)
    # "Research" is of both
    for name in sql(f"SELECT DISTINCT name FROM cost_centre WHERE cost_centre NOT IN ('{centre}', 'CC-400')").splitlines():
        assert name not in text, (centre, name)
    jobs = sql(f"""SELECT DISTINCT cluster || '/' || job_id FROM job JOIN job_result USING (attempt_id) WHERE cost_centre IS DISTINCT FROM '{centre}'
                   EXCEPT SELECT cluster || '/' || job_id FROM job JOIN job_result USING (attempt_id) WHERE cost_centre = '{centre}'""").splitlines()
    assert not [job for job in jobs if re.search(rf"{job}\b", text)], centre

it("curves count the jobs that a page is about, and its first lines what was not seen of them")
# in the fixtures each family has one cost centre: here one of its jobs has another
shared = sql(f"SELECT min(attempt_id) FROM job_result WHERE statement_month = '{PERIOD}-01' AND family = 'vision' AND k = 4 AND cost_centre = 'CC-220'")
sql(f"UPDATE job_result SET cost_centre = 'CC-210' WHERE attempt_id = {shared}")
report(WORK / "shared")
for centre in ["", *CENTRES]:
    path = WORK / "shared" / f"page-{PERIOD}{'-' * bool(centre)}{centre}.html"
    own = f"statement_month = '{PERIOD}-01' AND '{centre}' IN ('', cost_centre)"
    ran = set(sql(f"""SELECT family || '|' || count(*) || '|' || k FROM job_result
                      WHERE {own} AND outcome <> 'not started' AND coalesce(judged_with, attempt_id) = attempt_id GROUP BY family, k""").splitlines())
    counted = {f"{family}|{jobs}|{k}" for family, title in re.findall(r"([^<>\n\"]+): cost against ([^<>\"]*)", path.read_text(encoding="utf-8"))
               for k, jobs in re.findall(r"Jobs on (\d+): (\d+),", title)}
    assert counted <= ran and (counted or centre not in ("", "CC-210", "CC-220")), (centre, counted - ran)
    lines = " ".join(Page(path).text.split())
    for lack, which in (("a family", "family IS NULL"), ("a measurement", "efficiency IS NULL AND outcome = 'productive'")):
        jobs, cost = sql(f"SELECT count(*), coalesce(sum(true_cost_minor), 0) * 0.01 FROM job_result WHERE {own} AND {which}").split("|")
        equals([f"{Decimal(cost):,.2f}"] * (jobs != "0"), re.findall(rf"jobs of USD ([\d.,]+) lack {lack}", lines))
sql(f"UPDATE job_result SET cost_centre = 'CC-220' WHERE attempt_id = {shared}")

it("puts earlier statements beside the month, and its own month last")
sql(EARLIER)
report(OUT)
page = Page(OUT / f"page-{PERIOD}.html")
assert "100.0 % more than in August" in page.text, page.text[:600]
months = [row for row in page.rows if row and row[0] in ("September 2026", "August 2026")]
equals([true_cost(), Decimal(sql("SELECT sum(minor_units) * 0.01 FROM statement_row WHERE statement_month = '2026-08-01' AND line_type = 'charge' "
                                 "AND (block = 'invoice' OR attempt_id IS NOT NULL)"))], [money(row[-1]) for row in months])

it("omits users unless the setting page_user_names allows them")
users = set(sql("SELECT DISTINCT user_name FROM job").splitlines()) - set(sql("SELECT DISTINCT owner FROM cost_centre").splitlines())
assert users
everything = "".join(data.decode() for data in files().values())
equals([], [user for user in users if re.search(rf"\b{user}\b", everything)])
# behind kstar's back: only a new folder is written
sql("INSERT INTO setting (parameter, value) VALUES ('page_user_names', 'true')")
report(WORK / "users")
assert "<th scope=\"col\" class=\"t\">User</th>" in (WORK / "users" / f"page-{PERIOD}.html").read_text(encoding="utf-8")
sql("DELETE FROM setting WHERE parameter = 'page_user_names'")

it("keeps markup in names as text")
sql(f"""UPDATE job SET job_name = $${MARKUP}$$ WHERE attempt_id IN (SELECT attempt_id FROM job_result);
        UPDATE cost_centre SET name = $${MARKUP}$$ WHERE cost_centre = 'CC-210'""")
SHOWN = WORK / "shown"
report(SHOWN)
for name in (f"page-{PERIOD}.html", f"page-{PERIOD}-CC-210.html"):
    page = Page(SHOWN / name)
    assert MARKUP in page.text, name
    equals([], page.all("script") + page.all("img") + [attributes for _, attributes in page.elements if any(key.startswith("on") for key in attributes)])

it("writes one cost centre's page alone, and refuses one that the statement does not have")
alone = WORK / "alone"
report(alone, "--cost-centre", "CC-210")
equals({f"page-{PERIOD}-CC-210.html", f"lines-{PERIOD}-CC-210.csv"}, set(files(alone)))
equals(files(SHOWN)[f"page-{PERIOD}-CC-210.html"], files(alone)[f"page-{PERIOD}-CC-210.html"])
assert 'no cost centre "CC-9"' in report(alone, "--cost-centre", "CC-9", code=INPUT)

it("reports and keeps the page of a cost centre that the statement no longer has")
(OUT / f"page-{PERIOD}-gone.html").write_text("signed")
assert f"page-{PERIOD}-gone.html is of a cost centre" in report(OUT)
(OUT / f"page-{PERIOD}-gone.html").unlink()

it("says of each flag what would be done, and of flags together what all of them have")
company = Company("advised")
company.take("""
== reference nodes
cluster | node     | resource_id | accelerators
c       | n[01-35] | i-[01-35]   | 8
== reference families
family | unit         | accelerators_per_node | maximum_k | waiting_cost_per_hour
model  |              |                       | 16        |
small  | accelerators | 8                     | 16        |
mixed  |              |                       | 16        | 100
== reference family_rules
priority | match    | pattern | family
1        | job_name | small   | small
2        | job_name | mixed   | mixed
3        | job_name | *       | model
== reference deadlines
match    | pattern | deadline_hours
job_name | late    | 1.2
job_name | tight   | 1
== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
8 00:00           | 8 01:00         | i-[01-27]  | 1                | Hours        | 10.00
8 00:00           | 8 01:00         | i-[28-35]  | 1                | Hours        | 40.00
8 01:00           | 8 02:00         | i-[01-24]  | 1                | Hours        | 10.00
== jobs c
JobID | Account | JobName | Start   | End     | NNodes | AllocCPUS | NodeList | GPUs | State
1     | a       | train   | 8 00:00 | 8 01:00 | 8      | 64        | n[01-08] | 64   | COMPLETED
2     | b       | mixed   | 8 00:00 | 8 01:00 | 8      | 64        | n[09-16] | 64   | COMPLETED
3     | a       | late    | 8 00:00 | 8 01:00 | 8      | 64        | n[17-24] | 64   | COMPLETED
4     | a       | small   | 8 00:00 | 8 01:00 | 2      | 16        | n[25-26] | 16   | COMPLETED
5     | a       | small   | 8 00:00 | 8 01:00 | 1      | 8         | n27      | 8    | COMPLETED
6     | b       | mixed   | 8 00:00 | 8 01:00 | 8      | 64        | n[28-35] | 64   | COMPLETED
7     | a       | tight   | 8 01:00 | 8 02:00 | 8      | 64        | n[01-08] | 64   | COMPLETED
8     | a       | late    | 8 01:00 | 8 02:00 | 8      | 64        | n[09-16] | 64   | CANCELLED
""" + measured("model", "small", "mixed"))
company.night()
text = (company.out / f"page-{PERIOD}.html").read_text(encoding="utf-8")
equals([("Run mixed at K*, such as on 3 nodes, not 8", "2 jobs of this month cost that much more than on their K*.", "188.11"),
        ("Run model on 1 node, not 8", "One job of this month cost that much more than on 1.", "52.97"),
        ("Run small at K*, such as on 1 accelerator, not 16", "2 jobs of this month cost that much more than on 1.", "23.49")],
       re.findall(r'<article class="act"><div><h3>(.*?)</h3><p>(.*?)</p>.*?<div class="money">(.*?)<', text))
advice = {row[0]: row[-1] for row in Page(company.out / f"page-{PERIOD}.html").rows if re.match("[1-8] ", row[0]) and len(row) == 9}
equals({"1 train": "resize it", "2 mixed": "resize it", "3 late": "late on K*; in time on 4", "4 small": "resize it", "5 small": "resize it",
        "6 mixed": "resize it", "7 tight": "its deadline needs this K", "8 late": "late on K*"}, advice)

it("says of a job's size what its family counts")
text = (company.out / f"page-{PERIOD}-A.html").read_text(encoding="utf-8")
equals({"8 nodes", "16 accelerators", "8 accelerators"}, set(re.findall(r"(?:model|small) · (\d+ \w+) ·", text)))

it("says of a job without measurement that it was not judged, and not that there is nothing to save")
company = Company("unseen")
company.take("""
== reference nodes
cluster | node     | resource_id | accelerators
c       | n[01-02] | i-[01-02]   | 8
== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
8 00:00           | 8 01:00         | i-[01-02]  | 1                | Hours        | 10.00
== jobs c
JobID | Account | Start   | End     | NNodes | AllocCPUS | NodeList | GPUs
1     | a       | 8 00:00 | 8 01:00 | 1      | 8         | n01      | 8
""")
printed = company.night().stdout
assert "No job is flagged, but not every job was judged.\n" in printed and "0 of 1 job was judged, " in printed, printed
assert "nothing to save" not in Page(company.out / f"page-{PERIOD}.html").text

it("divides idle nodes by their SKUs as they are billed: in several currencies, and with discounts")
# 10.00 - 4.00 of USD and 10.00 of EUR: 6.00 and 20.00. Two thirds of what is above 0 are committed.
company = Company("bought")
company.take("""
== reference nodes
cluster | node     | resource_id | idle_pool
c       | n[01-02] | i-[01-02]   | idle
== reference pools
pool | component | owner | split
idle | idle      | P     | keep
== reference exchange_rates
rate_date  | currency | statement_currency | rate
2026-09-30 | EUR      | USD                | 2
== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | SkuId    | BilledCost
8 00:00           | 8 01:00         | i-01       | 1                | Hours        | large    | 10.00
8 00:00           | 8 01:00         | i-01       |                  |              | discount | -4.00
== bill euros
BillingCurrency | ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | SkuId | PricingCategory | BilledCost
EUR             | 8 00:00           | 8 01:00         | i-02       | 1                | Hours        | small | Committed       | 10.00
== jobs c
JobID | Account | Start   | End     | NNodes | AllocCPUS | NodeList | GPUs
1     | a       | 9 00:00 | 9 01:00 | 1      | 8         | n01      | 8
""")
company.night()
text = Page(company.out / f"page-{PERIOD}.html").text
assert "26.00cash 8.67; the rest is committed" in text, text
with (company.out / f"lines-{PERIOD}-P.csv").open(encoding="utf-8", newline="") as file:
    equals([("discount", "-4.00"), ("large", "10.00"), ("small", "20.00")], [(row["sku"], row["amount"]) for row in csv.DictReader(file)])

it("draws each job where it ran at what it cost, however much more that is than at K*")
company = Company("wide")
company.take(f"""
== reference nodes
cluster | node     | resource_id | accelerators
c       | n[01-16] | i-[01-16]   | 8
== reference families
family | maximum_k
{"f" * 200} | 16
== reference family_rules
priority | match    | pattern | family
1        | job_name | *       | {"f" * 200}
== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost      | Tags
8 00:00           | 8 01:00         | i-[01-16]  | 1                | Hours        | 10.00           |
8 01:00           | 8 02:00         | i-[01-16]  | 1                | Hours        | 10.00           |
8 02:00           | 8 03:00         | i-[01-16]  | 1                | Hours        | 10.00           |
8 00:00           | 8 01:00         |            |                  |              | 123456789012.34 | team=b
8 00:00           | 8 01:00         |            |                  |              | -5.00           | team=a
== jobs c
JobID | Account | JobName | Start | End     | NNodes | AllocCPUS | NodeList | GPUs
3     | a       | {"x" * 200} | 8 00:00 | 8 01:00 | 16 | 128   | n[01-16] | 128
2     | a       | train | 8 01:00 | 8 02:00 | 16     | 128       | n[01-16] | 128
1     | a       | train | 8 02:00 | 8 03:00 | 16     | 128       | n[01-16] | 128
""" + measured("f" * 200))
printed = company.night().stdout
wide = company.out / f"page-{PERIOD}.html"
curve = wide.read_text(encoding="utf-8")
curve = curve[curve.index(": cost against nodes."):]
[(times,)] = [match.groups() for match in re.finditer(r"Jobs on 16: 3, (\S+) times the cost at K\*", curve[:curve.index('"')])]
near_16 = Decimal(16) * Decimal(".4")  # K T(K), which is 1 at K* = 1
assert abs(Decimal(times) - near_16) < Decimal(".3"), times
axis = [(Decimal(at) - 4, Decimal(multiple)) for at, multiple in re.findall(r'y="(\S+)">([\d.]+)×<', curve)]
(bottom, _), *_, (top, most) = axis
drawn = lambda at: (bottom - at) * most / (bottom - top)
[at_job] = re.findall(r'class="ran" d="M\S+,(\S+) ', curve)
dots = [drawn(Decimal(at)) for at in re.findall(r'class="dot" cx="\S+" cy="(\S+)"', curve)]
assert abs(drawn(Decimal(at_job) + 4) - Decimal(times)) < Decimal(".05"), (at_job, times, axis)
assert len(dots) == len(HOURS) and abs(max(dots) - Decimal(times)) < Decimal(".05"), dots

it("says which amounts a picture does not draw")
equals([True, False], ["Amounts below zero are not drawn" in Page(path).text for path in (wide, OUT / f"page-{PERIOD}.html")])

it("names of flags that cost the same the same one first, on the page, in the headline and among the findings")
flagged = [row[0].split()[0] for row in Page(wide).rows if row and re.match("[123] ", row[0]) and len(row) == 9]
found = re.findall(r"finding \d +job (\d)", printed)
assert found and sorted(flagged) == ["1", "2", "3"] and found == flagged[:len(found)], (found, flagged)
equals(flagged[0], re.search(r"^  Job (\d)", printed, re.M)[1])

it("a browser shows one heading, scoped table headings and a text for each picture; links lead somewhere; it loads nothing else")
with Browser() as browser:
    for name in (f"page-{PERIOD}.html", f"page-{PERIOD}-CC-210.html"):
        page = Page(SHOWN / name)
        browser.open(SHOWN / name)
        equals((1, 0, 0), (browser.run("document.querySelectorAll('h1').length"), browser.run("document.querySelectorAll('th:not([scope])').length"),
                           browser.run("performance.getEntriesByType('resource').length")))
        equals(0, browser.run("[...document.querySelectorAll('svg')].filter(s => s.getAttribute('role') !== 'img' || !s.getAttribute('aria-label')).length"))
        assert browser.run("document.querySelectorAll('svg').length") >= 3
        for target in {attributes["href"] for attributes in page.all("a")}:
            assert browser.run(f"document.getElementById({target[1:]!r}) !== null") if target.startswith("#") else (SHOWN / target).is_file(), target

        it(f"{name} is as wide as a screen and a phone, opened as well, and dark where the reader's screen is")
        colours = []
        for width, dark in ((1280, False), (390, False), (390, True)):
            browser.open(SHOWN / name, width, dark=dark)
            browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert browser.run("document.documentElement.scrollWidth") <= width, (name, width)
            colours.append(browser.run("getComputedStyle(document.body).backgroundColor"))
        assert colours[0] == colours[1] != colours[2], colours

        it(f"{name} is printed on a few pages")
        browser.open(SHOWN / name)
        browser.pdf(WORK / "page.pdf")
        sheets = int(re.search(r"Pages: +(\d+)", subprocess.run(["pdfinfo", WORK / "page.pdf"], capture_output=True, text=True, check=True).stdout)[1])
        assert 1 <= sheets <= 8, (name, sheets)

    it("a name of 200 letters and an amount of 12 digits fit on a phone, and text is as large beside notes as a reader wants it")
    for width in (1280, 390):
        browser.open(wide, width)
        assert browser.run("document.documentElement.scrollWidth") <= width, width
        equals(0, browser.run("[...document.querySelectorAll('svg')].filter(s => [...s.querySelectorAll('text')].some("
                              "t => t.getBBox().x + t.getBBox().width > s.viewBox.baseVal.width)).length"))
    browser.run("document.documentElement.style.fontSize = '28px'")
    size = lambda which: browser.run(f"parseFloat(getComputedStyle(document.querySelector({which!r})).fontSize)")
    assert size("p.seen") > size("p.note"), (size("p.seen"), size("p.note"))
