"""Lines that move to another billing period: held, and withdrawn where they stood or kept in both,
as a person answers."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import published
from company import Company
from saying import equals, it

CLEAN, ATTENTION = 0, 4
JULY, AUGUST, SEPTEMBER, OCTOBER = "2026-07", "2026-08", "2026-09", "2026-10"
HEADER = ("BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ChargeCategory,BillingCurrency,InvoiceIssuerName,"
          "BillingAccountId,SubAccountId,ServiceName,SkuId,ResourceId,Tags\n")


def day(number, cost, month, billed_in=None, resource="vm-1", account="acct-a", category="Usage", tags="", effective=None):
    """A line of a day of `month`, on the bill of that month or of another one."""
    start = f"{month}-{number:02}T00:00:00Z"
    return (f"{billed_in or month}-01T00:00:00Z,{start},{start.replace('T00', 'T23')},{cost},{effective or cost},{category},USD,Cloud Inc.,payer,{account},"
            f"Servers,sku-1,{resource},\"{tags}\"\n")


def months(start, *costs):
    """A line on the first of each month from `start` on."""
    every = [JULY, AUGUST, SEPTEMBER, OCTOBER]
    return [day(1, cost, month) for month, cost in zip(every[every.index(start):], costs)]



class Source:
    """A source of bills, in a database of its own or in one with others."""

    def __init__(self, name, company=None):
        self.name, self.company = name, company or Company(name)

    def query(self, text):
        return published.query(text, self.company.dsn)

    def billed(self):
        """What counts of each billing period."""
        rows = self.query("SELECT to_char(billing_period, 'YYYY-MM') AS month, sum(billed_cost)::text AS billed FROM kstar.current_billing_line "
                          f"WHERE source = '{self.name}' GROUP BY billing_period ORDER BY billing_period")
        return {row["month"]: row["billed"] for row in rows}

    def deliver(self, *lines, code=CLEAN, options=(), folder="export"):
        """A folder with one file of these lines, loaded."""
        place = self.company.inbox / "billing" / self.name / folder
        place.mkdir(parents=True, exist_ok=True)
        # no other source's bill
        (place / "bill.csv").write_text(HEADER + "".join(lines).replace(",payer,", f",{self.name},"))
        done = self.company.kstar("ingest", "billing", *options, place, code=code)
        return done.stdout + done.stderr

    def night(self, code=CLEAN):
        return self.company.kstar("nightly", self.company.inbox, "--out", self.company.out, code=code).stdout

    def answer(self, output, flag, code=CLEAN):
        """Runs the very command that the message gives."""
        command = re.search(rf"kstar ingest billing [^;\n\"]*--{flag} [^;\n\"]*", output)
        assert command, output
        done = subprocess.run([os.environ["KSTAR"], *shlex.split(command[0])[1:], "--dsn", self.company.dsn], capture_output=True, text=True, check=False)
        assert done.returncode == code, (command[0], done.stdout, done.stderr)
        return done.stdout + done.stderr


def in_september(line):
    """The same line on September's bill."""
    return line.replace("2026-08-01T00:00:00Z", "2026-09-01T00:00:00Z", 1)


def check_sums(company):
    """What chunks and loads say of their lines is what the lines say."""
    wrong = published.query("""
        SELECT load_id, row_count, lines, covered_to, line_end FROM (
            SELECT load.load_id, row_count, covered_to, count(line.load_id) AS lines, max(charge_period_end) FILTER (WHERE charge_category = 'Usage') AS line_end
            FROM kstar.load JOIN kstar.current_load USING (load_id)
            LEFT JOIN kstar.current_billing_line AS line USING (load_id) LEFT JOIN kstar.charge_kind USING (charge_kind_key)
            GROUP BY load.load_id) AS each
        WHERE row_count <> lines OR covered_to IS DISTINCT FROM line_end""", company.dsn)
    equals([], wrong)
    wrong = published.query("""
        SELECT load_id, invoice_key, line.billed, chunk.billed AS said
        FROM (SELECT load_id, invoice_key, sum(billed_cost) AS billed, sum(effective_cost) AS effective FROM kstar.current_billing_line GROUP BY 1, 2) AS line
        FULL JOIN (SELECT load_id, invoice_key, sum(billed_cost) AS billed, sum(effective_cost) AS effective
                   FROM kstar.current_load JOIN kstar.load_chunk USING (load_id, billing_period) JOIN kstar.chunk_invoice USING (chunk_id, billing_period)
                   GROUP BY 1, 2) AS chunk USING (load_id, invoice_key)
        WHERE line.billed IS DISTINCT FROM chunk.billed OR line.effective IS DISTINCT FROM chunk.effective""", company.dsn)
    equals([], wrong)
    subprocess.run([os.environ["KSTAR"], "model", "--quiet", "--dsn", company.dsn], capture_output=True, check=False)  # months may wait
    output = subprocess.run([os.environ["KSTAR"], "verify", "--json", "--dsn", company.dsn], capture_output=True, text=True, check=False).stdout
    equals({"proven"}, {proof["outcome"] for proof in json.loads(output) if proof["proof"] == "the lines are those that were read"})
    rests = published.query("SELECT count(*) AS lines FROM kstar.chunk JOIN kstar.billing_line USING (chunk_id, billing_period) "
                            "WHERE content_key IS NULL", company.dsn)
    print("  lines of chunks that nobody shares:", rests[0]["lines"])


FIRST = [day(1, "2.00", JULY), day(1, "500.00", AUGUST), day(31, "2.00", AUGUST), day(1, "2.00", SEPTEMBER)]
MOVED = [day(1, "2.00", JULY), day(1, "500.00", AUGUST, SEPTEMBER), day(31, "2.00", AUGUST, SEPTEMBER), day(1, "2.00", SEPTEMBER)]
WAS = {JULY: "2.00", AUGUST: "502.00", SEPTEMBER: "2.00"}
IS = {JULY: "2.00", SEPTEMBER: "504.00"}
MORE = day(2, "3.00", SEPTEMBER)

it("holds a delivery that moves August's lines into September, and leaves everything as it was")
cloud = Source("cloud")
cloud.deliver(*FIRST)
output = cloud.deliver(*MOVED, code=ATTENTION)
equals(WAS, cloud.billed())
assert "2 of the 2 lines of 2026-08-01 (USD 502)" in output and "under 2026-09-01" in output, output

it("says so again each night, and keeps both months open")
for night in 1, 2:
    cloud.night(code=ATTENTION)
for month in JULY, AUGUST, SEPTEMBER:
    done = cloud.company.kstar("close", month, code=CLEAN if month == JULY else ATTENTION)
    assert ("billing/cloud/export is held" in done.stdout) == (month != JULY), (month, done.stdout)

it("closes neither of the two months with --accept-incomplete: somebody has to say whether the lines have moved")
cloud.company.kstar("close", JULY, code=CLEAN)
for month in AUGUST, SEPTEMBER:
    done = cloud.company.kstar("close", month, "--accept-incomplete", "no more comes", code=ATTENTION)
    assert "billing/cloud/export is held" in done.stdout and "kstar ingest billing --moved " in done.stdout and " --both " in done.stdout, (month, done.stdout)

it("says in `kstar status` how it is answered")
status = cloud.company.kstar("status").stdout
assert "--moved or --both" in status, status
status = cloud.company.kstar("status", "--json").stdout
assert "kstar ingest billing --moved " in status and "kstar ingest billing --both " in status, status

it("is not let in by --accept, which answers another question")
cloud.deliver(*MOVED, code=ATTENTION, options=["--accept"])
equals(WAS, cloud.billed())

it("withdraws the lines where they stood once a person says that they have moved")
output = cloud.answer(output, "moved")
equals(IS, cloud.billed())
assert "event=lines_withdrawn" in output and "period=2026-08-01" in output and "lines=2" in output and "USD 502" in output, output

it("asks no more: neither of the same delivery nor of the next night's")
assert "already there" in cloud.deliver(*MOVED)
output = cloud.deliver(*MOVED, MORE)
equals({**IS, SEPTEMBER: "507.00"}, cloud.billed())
assert "2026-08" not in output, output
cloud.night()

it("takes the old period back where a later delivery brings it again")
cloud.deliver(*FIRST, MORE, code=ATTENTION)  # September bills far less than before
cloud.deliver(*FIRST, MORE, options=["--accept"])
equals({**WAS, SEPTEMBER: "5.00"}, cloud.billed())

shared = Company("sources")

it("keeps the lines in both periods where a person says that both are true, and asks no more")
both = Source("both", shared)
both.deliver(*FIRST)
both.answer(both.deliver(*MOVED, code=ATTENTION), "both")
equals({**WAS, SEPTEMBER: "504.00"}, both.billed())
assert "already there" in both.deliver(*MOVED)
both.deliver(*MOVED, MORE)
both.deliver(*MOVED, MORE, day(3, "3.00", SEPTEMBER))
equals({**WAS, SEPTEMBER: "510.00"}, both.billed())

it("takes one answer, not two")
done = shared.kstar("ingest", "billing", "--moved", "--both", shared.inbox / "billing/both/export", code=2)
assert "--moved or --both" in done.stderr, done.stderr

# ---- what is no move ----

it("lets a rolling export drop its oldest month, which stays")
rolling = Source("rolling", shared)
rolling.deliver(*months(JULY, "10.00", "20.00", "30.00"))
output = rolling.deliver(*months(AUGUST, "20.00", "30.00", "40.00"))
equals({JULY: "10.00", AUGUST: "20.00", SEPTEMBER: "30.00", OCTOBER: "40.00"}, rolling.billed())
assert "event=period_left" in output and "period=2026-07-01" in output, output

it("notes late usage that repeats account, SKU and time with other amounts, and holds nothing")
output = rolling.deliver(*months(SEPTEMBER, "30.00", "40.00"), day(1, "0.50", AUGUST, SEPTEMBER))
equals({JULY: "10.00", AUGUST: "20.00", SEPTEMBER: "30.50", OCTOBER: "40.00"}, rolling.billed())
assert "event=late_usage" in output and "period=2026-08-01" in output and "lines=1" in output, output

it("holds nothing for lines that cost nothing")
free = Source("free", shared)
free.deliver(day(1, "0", AUGUST), day(2, "5.00", AUGUST), day(1, "1.00", SEPTEMBER))
free.deliver(day(1, "0.00", AUGUST, SEPTEMBER), day(1, "1.00", SEPTEMBER))
equals({AUGUST: "5.00", SEPTEMBER: "1.00"}, free.billed())

it("nor for another account, resource, time or effective cost, nor for a charge that every month repeats")
alike = Source("alike", shared)
contract = [day(1, "9.00", JULY, month, resource="contract") for month in (JULY, AUGUST, SEPTEMBER, OCTOBER)]
alike.deliver(*months(JULY, "10.00", "20.00", "30.00"), *contract[:3])
alike.deliver(*months(AUGUST, "20.00", "30.00", "40.00"), *contract[1:], day(1, "10.00", JULY, OCTOBER, account="acct-b"),
              day(1, "10.00", JULY, OCTOBER, resource="vm-2"), day(2, "10.00", JULY, OCTOBER), day(1, "10.00", JULY, OCTOBER, effective="9.00"))
equals({JULY: "19.00", AUGUST: "29.00", SEPTEMBER: "39.00", OCTOBER: "89.00"}, alike.billed())

it("knows the same account and resource in other letters, and effective cost where nothing is billed")
letters = Source("letters", shared)
letters.deliver(day(1, "0", AUGUST, effective="7.00"), day(1, "1.00", SEPTEMBER))
output = letters.deliver(day(1, "0.00", AUGUST, SEPTEMBER, resource="VM-1", account="ACCT-A", effective="7.0"), day(1, "1.00", SEPTEMBER), code=ATTENTION)
assert "1 of the 1 lines of 2026-08-01 (USD 7" in output, output

# ---- parts of a period ----

it("withdraws each line as often as it reappears, and no other line: a tag distinguishes equal lines")
part = Source("part", shared)
twins = [day(1, "5.00", AUGUST, tags=f'{{""team"": ""{team}""}}') for team in "abc"]
unread = day(4, "3.00", AUGUST).replace("2026-08-04T00", "yesterday")
part.deliver(*twins, day(2, "40.00", AUGUST), day(3, "0", AUGUST), day(31, "8.00", AUGUST), unread, day(1, "2.00", SEPTEMBER), code=ATTENTION)
back = [in_september(twins[1]), day(31, "8.00", AUGUST, SEPTEMBER)]
output = part.deliver(*back, day(1, "2.00", SEPTEMBER), code=ATTENTION)
assert "2 of the 6 lines of 2026-08-01 (USD 13)" in output, output
part.answer(output, "moved")
equals({AUGUST: "50.00", SEPTEMBER: "15.00"}, part.billed())
equals(["a", "c"], [row["team"] for row in part.query(
    "SELECT tags ->> 'team' AS team FROM kstar.current_billing_line JOIN kstar.tag_set USING (tag_set_key) "
    "WHERE source = 'part' AND billing_period = '2026-08-01' ORDER BY 1")])
quarantine = shared.kstar("ingest", "quarantine").stdout
assert quarantine.count("is not a time") == 1, quarantine
QUARANTINED = "SELECT billing_period, billed_cost FROM kstar.quarantined_money JOIN kstar.current_load USING (load_id, source, billing_period)"
equals([{"billing_period": "2026-08-01", "billed_cost": "3.00"}], part.query(QUARANTINED))

it("withdraws the rest when that moves, too, with the rows that could not be read")
rest = [in_september(line) for line in (twins[0], twins[2], day(2, "40.00", AUGUST), day(3, "0", AUGUST))]
output = part.deliver(*back, *rest, in_september(unread), day(1, "2.00", SEPTEMBER), code=ATTENTION)
assert "4 of the 4 lines of 2026-08-01 (USD 50)" in output, output
part.answer(output, "moved", code=ATTENTION)
equals({SEPTEMBER: "65.00"}, part.billed())
equals([{"billing_period": "2026-09-01", "billed_cost": "3.00"}], part.query(QUARANTINED))

it("withdraws lines of many chunks, and keeps those that stay in theirs")
long = Source("long", shared)
lines = [day(1 + number % 28, f"{number}.25", AUGUST, resource=f"a resource with a long name, so that chunks are short: {number:05}".replace(",", ""))
         for number in range(3000)]
long.deliver(*lines, day(1, "1.00", SEPTEMBER))
output = long.deliver(*map(in_september, lines[1::2]), day(1, "1.00", SEPTEMBER), code=ATTENTION)
odd, even = sum(range(1, 3000, 2)) + 1500 * 0.25, sum(range(0, 3000, 2)) + 1500 * 0.25
assert f"1500 of the 3000 lines of 2026-08-01 (USD {odd:.0f})" in output, output
long.answer(output, "moved")
equals({AUGUST: f"{even:.2f}", SEPTEMBER: f"{odd + 1:.2f}"}, long.billed())

# ---- ways to drop a period ----

it("finds the lines of a period that was dropped first and moved later")
later = Source("later", shared)
later.deliver(*FIRST)
later.deliver(FIRST[0], FIRST[3])
equals(WAS, later.billed())
later.answer(later.deliver(*MOVED, code=ATTENTION), "moved")
equals(IS, later.billed())

it("and of one that the export of the day before dropped, in a folder of its own")
days = Source("days", shared)
days.deliver(*FIRST, folder="10-01")
days.answer(days.deliver(*MOVED, folder="10-02", code=ATTENTION), "moved")
equals(IS, days.billed())

it("and of one folder that is used for one month after the other")
monthly = Source("monthly", shared)
monthly.deliver(day(1, "10.00", AUGUST), day(31, "7.00", AUGUST))
output = monthly.deliver(day(1, "20.00", SEPTEMBER), day(31, "7.00", AUGUST, SEPTEMBER), code=ATTENTION)
monthly.answer(output, "moved")
equals({AUGUST: "10.00", SEPTEMBER: "27.00"}, monthly.billed())

it("leaves the folder of another month in peace: nothing dropped it")
folders = Source("folders", shared)
folders.deliver(day(1, "10.00", AUGUST), day(31, "7.00", AUGUST), folder="2026-08")
folders.deliver(day(1, "20.00", SEPTEMBER), day(31, "7.00", AUGUST, SEPTEMBER), folder="2026-09")
equals({AUGUST: "17.00", SEPTEMBER: "27.00"}, folders.billed())

it("moves back as well, and out of two months at once")
back = Source("back", shared)
back.deliver(day(1, "10.00", AUGUST), day(1, "20.00", SEPTEMBER), day(1, "30.00", OCTOBER))
output = back.deliver(day(1, "10.00", AUGUST), day(1, "20.00", SEPTEMBER, AUGUST), day(1, "30.00", OCTOBER, AUGUST), code=ATTENTION)
assert "lines of 2026-09-01 (USD 20) under 2026-08-01" in output and "and so would lines of 2026-10-01" in output, output
back.answer(output, "moved")
equals({AUGUST: "60.00"}, back.billed())

it("says of each chunk and load what its lines are")
check_sums(shared)
check_sums(cloud.company)

# ---- closed months ----

it("adjusts a closed month whose lines have moved, and keeps the lines that it was closed with")
closed = Source("closed")
closed.deliver(*FIRST)
for month in JULY, AUGUST:
    closed.company.kstar("close", month, "--accept-incomplete", "no more comes")
closed.answer(closed.deliver(*MOVED, code=ATTENTION), "moved")
closed.company.kstar("model")
equals([{"adjusted": "2026-08-01", "amount": "-502.00"}],
       closed.query("SELECT adjusted_month AS adjusted, sum(minor_units * 0.01)::text AS amount FROM kstar.adjustment WHERE statement_month = '2026-09-01' "
                    "GROUP BY adjusted_month"))
equals([{"billed": "502.00"}], closed.query("SELECT sum(billed_cost)::text AS billed FROM kstar.closure_load JOIN kstar.load_chunk USING (load_id) "
                                            "JOIN kstar.billing_line USING (chunk_id, billing_period) WHERE billing_period = '2026-08-01'"))
