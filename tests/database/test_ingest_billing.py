"""Bills into the database: what is kept, what is quarantined, what is refused, and what replaces
what.

Bills are written here, a few columns each; every check reads the database as anybody would."""

import gzip
import json
import os
import random
import subprocess
import sys
from decimal import Decimal, getcontext
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import KSTAR, equals, it, sql

WORK = Path(os.environ["WORK"])
HEADER = "BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory"
GOOD = "1.50,1.25,USD,2026-09-01T00:00:00Z,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,Usage"
CLEAN, REFUSED, ATTENTION = 0, 3, 4
getcontext().prec = 200


def bill(place, lines, header=HEADER, compress=False):
    """Writes a file of the inbox; returns its folder."""
    path = WORK / "billing" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "\n".join([header, *lines]) + "\n"
    content = content.encode("utf-8", "surrogateescape")
    path.write_bytes(gzip.compress(content) if compress else content)
    return path.parent


def ingest(code, *arguments):
    result = subprocess.run([KSTAR, "ingest", "billing", *map(str, arguments)], capture_output=True, text=True,
                            check=False)
    assert result.returncode == code, f"ended with {result.returncode}, not {code}\n{result.stdout}{result.stderr}"
    # a logged value has its quotes escaped
    return (result.stdout + result.stderr).replace('\\"', '"')


def lines_of(source, columns, more=""):
    return sql(f"SELECT {columns} FROM current_billing_line {more} WHERE source = '{source}' ORDER BY file_id, line_number")


it("keeps every null spelling as null and every date form as the same time")
folder = bill("forms/a/bill.csv", [
    "1,1,USD,2026-09-01T00:00:00Z,2026-09-02T00:00:00Z,2026-09-02T01:00:00Z,Usage,NULL,NULL",
    "1,1,USD,2026-09-01 00:00:00,2026-09-02 00:00:00,2026-09-02 01:00:00,Usage,null,(null)",
    "1,1,USD,2026-09-01,2026-09-02,2026-09-02T03:00:00+02:00,Usage,,\"\"",
], HEADER + ",ListCost,ResourceId")
ingest(CLEAN, folder)
equals("\n".join(["2026-09-01|2026-09-02 00:00:00+00|2026-09-02 01:00:00+00||"] * 3),
       lines_of("forms", "billing_period, charge_period_start, charge_period_end, list_cost, resource_key"))

it("finds columns by name whatever their order and case, and keeps unknown ones as JSON")
folder = bill("names/a/bill.csv", ['b,P1,"say ""hi""",' + GOOD + ",R1,Old", "NULL,,é,"  + GOOD + ",,Old"],
              "x_b,SkuPriceid,x_a," + HEADER + ",ResourceId,ProviderName")
ingest(CLEAN, folder)
equals('P1|{"x_a": "say \\"hi\\"", "x_b": "b"}|R1|Old\n|{"x_a": "é"}||Old',
       lines_of("names", "sku_price_id, columns, resource_id, provider_name",
                "LEFT JOIN sku USING (sku_key) LEFT JOIN custom_columns USING (custom_columns_key) "
                "LEFT JOIN resource USING (resource_key) LEFT JOIN account USING (account_key)"))

it("leaves nothing for the first reader of a new period to write")
ingest(CLEAN, bill("first/a/bill.csv", [GOOD.replace("2026-09-01", "2027-03-01")]))
sql("CHECKPOINT")  # from here a page that a reader marks is dirty again
read = sql("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT count(*) FROM billing_line_20270301")
equals(0, json.loads(read)[0]["Plan"]["Shared Dirtied Blocks"])

it("prefers ServiceProviderName to ProviderName")
ingest(CLEAN, bill("names2/a/bill.csv", [GOOD + ",New,Old", GOOD + ",,Old"], HEADER + ",ServiceProviderName,ProviderName"))
equals("New\nOld", lines_of("names2", "provider_name", "JOIN account USING (account_key)"))

it("takes x_InvoiceId for a null InvoiceId, and keeps it beside")
ingest(CLEAN, bill("names3/a/bill.csv", [GOOD + ",New,Old", GOOD + ",,Old"], HEADER + ",InvoiceId,x_InvoiceId"))
equals('New|{"x_InvoiceId": "Old"}\nOld|{"x_InvoiceId": "Old"}',
       lines_of("names3", "invoice_id, columns", "JOIN invoice USING (invoice_key, source) JOIN custom_columns USING (custom_columns_key)"))

it("keeps tags as JSON that can be searched by key")
tags = '"{""team"": ""vision"", ""spot"": true}"'
ingest(CLEAN, bill("tags/a/bill.csv", [GOOD + "," + tags, GOOD + ",{}"], HEADER + ",Tags"))
equals("1.50", sql("SELECT sum(billed_cost) FROM current_billing_line JOIN tag_set USING (tag_set_key) "
                   "WHERE source = 'tags' AND tags @> '{\"team\": \"vision\"}'"))

it("stores amounts digit for digit, as PostgreSQL itself would")
generator = random.Random(20260901)
amounts = []
for _ in range(5000):
    whole = "".join(generator.choice("0019") for _ in range(generator.randint(0, 24))) or "0"
    text = generator.choice(["", "-"]) + whole
    if generator.random() < 0.8:
        text += "." + "".join(generator.choice("0059") for _ in range(generator.randint(1, 30)))
    if generator.random() < 0.2:
        text += "e" + str(generator.randint(-12, 12))
    amounts.append(text)
rows = [GOOD.replace("1.50,1.25", f"{amount},{amount}") for amount in amounts]
ingest(CLEAN, bill("amounts/a/bill.csv", rows))
values = ",".join(f"({i + 2}, '{amount}')" for i, amount in enumerate(amounts))
(WORK / "amounts.sql").write_text(
    "SET search_path = kstar; SELECT count(*) FROM current_billing_line AS line JOIN (VALUES " + values +
    ") AS written (line_number, text) USING (line_number) WHERE source = 'amounts' "
    "AND billed_cost::text = text::numeric::text AND effective_cost::text = text::numeric::text")
equals("5000", subprocess.run([KSTAR, "db", "psql", "--", "-XAtqf", str(WORK / "amounts.sql")], capture_output=True,
                              text=True, check=True).stdout.strip())
equals(sum(map(Decimal, amounts)), Decimal(sql("SELECT sum(billed_cost) FROM current_billing_line WHERE source = 'amounts'")))

it("quarantines an unreadable row with file, line, column, reason and raw bytes, and loads the rest")
def wide(row=GOOD, resource="", tags="", price=""):
    return f"{row},{resource},{tags},{price}"


bad = [
    (wide(GOOD.replace("1.50", '"12,40"')), "BilledCost", '"12,40" is not a decimal number'),
    (wide(GOOD.replace("1.25", "")), "EffectiveCost", "a decimal number is required, but this is null"),
    (wide(GOOD.replace("09-01T01", "09-31T01")), "ChargePeriodEnd",
     '"2026-09-31T01:00:00Z" is not a time such as 2026-09-01T00:00:00Z'),
    (wide(GOOD.replace("2026-09-01T01", "2026-08-01T01")), "ChargePeriodEnd", "before ChargePeriodStart"),
    (wide(GOOD.replace("Usage", "Fee")), "ChargeCategory",
     '"Fee" is not one of Usage, Purchase, Tax, Credit, Adjustment'),
    (wide(GOOD.replace("USD", "NULL")), "BillingCurrency", "a currency is required, but this is null"),
    (wide(tags="{not json}"), "Tags", '"{not json}" is not JSON'),
    (wide(tags="[1]"), "Tags", '"[1]" is not a JSON object'),
    (wide(tags='"{""a"":1,""a"":2}"'), "Tags", '"{"a":1,"a":2}" is a JSON object with the same key twice'),
    (wide(tags='"{""a"":{}}"'), "Tags", '"{"a":{}}" is a JSON object with a value that is not a scalar'),
    (wide(tags='"{""a"":""\\u0000""}"'), "Tags", None),
    (wide(tags='"{""a"":01}"'), "Tags", None),
    (wide(resource="Größe\\1", price="$5"), "ListUnitPrice", '"$5" is not a decimal number'),
    (wide(resource="\udcff\udcfe"), "ResourceId", "not UTF-8 text"),
    (wide(resource="a\0b"), "ResourceId", "a NUL byte"),
    (wide(resource="r" * 2001), "ResourceId", "longer than the limit of 2000 bytes"),
    (wide(GOOD.replace("USD", "US$")), "BillingCurrency", '"US$" is not a currency code of three capital letters'),
    (wide(GOOD.replace("USD", "usd")), "BillingCurrency", '"usd" is not a currency code of three capital letters'),
    (GOOD + ",,", "", "9 fields, but the header has 10"),
]
rows = [wide()] + [row for row, _, _ in bad]
folder = bill("quarantine/a/part-1.csv", rows, HEADER + ",ResourceId,Tags,ListUnitPrice")
output = ingest(ATTENTION, "--accept", folder)
assert 'part-1.csv, line 3, column BilledCost: "12,40" is not a decimal number' in output, output
equals("1", sql("SELECT count(*) FROM current_billing_line WHERE source = 'quarantine'"))
kept = json.loads(sql(
    "SELECT json_agg(json_build_array(path, line_number, coalesce(column_name, ''), reason, encode(raw, 'hex')) "
    "ORDER BY line_number) FROM quarantined_row JOIN source_file USING (file_id) JOIN delivery ON "
    "delivery.delivery_id = quarantined_row.delivery_id WHERE source = 'quarantine'"))
for number, (row, column, reason) in enumerate(bad):
    path, line, name, message, raw = kept[number]
    equals(("part-1.csv", number + 3, column), (path, line, name))
    assert reason is None or reason == message, f"{row}: {message}"
    equals(row.encode("utf-8", "surrogateescape").hex(), raw)
equals(len(bad), len(kept))

it("knows money, period and invoice of a quarantined row where they can be read")
equals("1.25|USD|2026-09-01|t",
       sql("SELECT effective_cost, billing_currency, billing_period, invoice_key IS NOT NULL FROM quarantined_row "
           "JOIN delivery USING (delivery_id) WHERE source = 'quarantine' AND line_number = 3"))
equals("1.50|1.25|t", sql("SELECT billed_cost, effective_cost, invoice_key IN (SELECT invoice_key FROM invoice) "
                          "FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'quarantine' AND line_number = 9"))
equals("2026-09-01||", sql("SELECT billing_period, billed_cost, invoice_key FROM quarantined_row JOIN delivery "
                           f"USING (delivery_id) WHERE source = 'quarantine' AND line_number = {len(bad) + 2}"))
equals("2026-09-01||", sql("SELECT billing_period, billing_currency, invoice_key FROM quarantined_row JOIN delivery "
                           f"USING (delivery_id) WHERE source = 'quarantine' AND line_number = {len(bad) + 1}"))

it("gives a quarantined row before all others the period of its charge, or of the first load")
ingest(ATTENTION, "--accept", bill("early/a/b.csv", ["x,y", GOOD.replace("2026-09-01T00:00:00Z", "soon", 1), GOOD]))
equals("2|2026-09-01\n3|2026-09-01", sql("SELECT line_number, billing_period FROM quarantined_row JOIN delivery USING "
                                         "(delivery_id) WHERE source = 'early' ORDER BY 1"))
early = GOOD.replace("1.50", "1.51")
ingest(ATTENTION, bill("earliest/a/b.csv", ["x,y", early.replace("2026-09-01T00:00:00Z", "soon"), early.replace("-09-", "-10-"), early]))
# what was billed is known, and of which month the row behind them says
equals("2|2026-10-01||f\n3|2026-10-01|1.51|t",
       sql("SELECT line_number, billing_period, billed_cost, invoice_key IS NOT NULL FROM quarantined_row JOIN delivery USING (delivery_id) "
           "WHERE source = 'earliest' ORDER BY 1"))
file = bill("one-file/b.csv", [early.replace("1.25", "n/a"), early.replace("1.51", "1.52")]) / "b.csv"
ingest(ATTENTION, "--accept", "--source", "alone", file)
equals("billing/alone/b.csv, line 2, column EffectiveCost", sql("SELECT place FROM quarantined_money WHERE source = 'alone'"))

it("says of a quarantined row what counts of its money")
output = subprocess.run([KSTAR, "ingest", "quarantine", "--source", "quarantine"], capture_output=True, text=True, errors="replace", check=True).stdout
for line, money in ((3, "billed: unread; effective: 1.25 USD"), (4, "billed: 1.50 USD; effective: unread, counted as billed"),
                    (5, "billed: 1.50 USD; effective: 1.25 USD"), (8, "billed: unread; effective: 1.25")):
    assert any(f"quarantine/a/part-1.csv, line {line}, column" in output and money == more.strip()
               for output, more in zip(output.splitlines(), output.splitlines()[1:])), f"line {line}: {output}"

it("shows a quarantined row as it stands in the file, and bytes that are no text as numbers")
shown = [line.removeprefix("  row:    ") for line in output.splitlines() if line.startswith("  row:")]
written = [row.replace("\udcff\udcfe", "\\377\\376").replace("\0", "\\000") for row, _, _ in bad]
equals(written, shown)
listed = subprocess.run([KSTAR, "ingest", "quarantine", "--source", "quarantine", "--json"], capture_output=True, text=True, check=True).stdout
equals(written, [json.loads(line)["raw"] for line in listed.splitlines()])
costs = {row["line_number"]: (row["billed"], row["effective"], row["currency"]) for row in map(json.loads, listed.splitlines())}
equals([(None, "1.25", "USD"), ("1.50", None, "USD"), ("1.50", "1.25", "USD"), (None, "1.25", None)], [costs[line] for line in (3, 4, 5, 8)])

it("refuses a delivery of which no row can be read, also where its period can, and leaves what was there")
unread = [GOOD.replace("USD", "dollar"), GOOD.replace("T01:00:00Z", "T99:00:00Z"), "x,y"]
assert "its only row cannot be read" in ingest(REFUSED, bill("none/a/b.csv", [GOOD.replace("2026-09-01T00", "9/1/26")]))
ingest(CLEAN, bill("unread-all/a/b.csv", [GOOD]))
output = ingest(REFUSED, bill("unread-all/a/b.csv", unread))
assert "billing/unread-all/a: none of its 3 rows can be read" in output and 'b.csv, line 2, column BillingCurrency: "dollar" is not' in output, output
output = ingest(REFUSED, "--accept", WORK / "billing" / "unread-all" / "a")
equals("1.50", sql("SELECT sum(billed_cost) FROM current_billing_line WHERE source = 'unread-all'"))
equals("0", sql("SELECT count(*) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'unread-all'"))

it("holds a delivery of which no row of a period that was there can be read, and says why")
october = GOOD.replace("2026-09", "2026-10")
ingest(CLEAN, bill("unread-month/a/b.csv", [GOOD, GOOD, october]))
output = ingest(ATTENTION, bill("unread-month/a/b.csv", [*unread, october]))
assert ("is held: it has no line of 2026-09-01 that can be read; lines that were there before: 2; quarantined rows: 3 "
        "(billing/unread-month/a/b.csv, line 2, column BillingCurrency: "
        '"dollar" is not a currency code of three capital letters)' in output), output
equals("3", sql("SELECT count(*) FROM current_billing_line WHERE source = 'unread-month'"))

it("says of a delivery that is held for what it bills how many of its rows cannot be read")
ingest(CLEAN, bill("unread-most/a/b.csv", [GOOD] * 5))
output = ingest(ATTENTION, bill("unread-most/a/b.csv", [*unread, GOOD]))
assert ("it bills USD 3, but USD 7.5 was there before; quarantined rows: 3 (billing/unread-most/a/b.csv, line 2, column "
        "BillingCurrency:" in output), output
# quarantined, but billed all the same
ingest(ATTENTION, "--accept", bill("unread-most/a/b.csv", [GOOD.replace("1.25", "n/a")] * 2 + [GOOD]))
equals("1|2", sql("SELECT (SELECT count(*) FROM current_billing_line WHERE source = 'unread-most'), "
                  "(SELECT count(*) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'unread-most')"))

it("refuses any of that with --strict, and loads nothing")
output = ingest(REFUSED, "--strict", "--source", "strict", folder)
assert "line 3, column BilledCost" in output and "detail: nothing was loaded" in output, output
equals("0", sql("SELECT count(*) FROM delivery WHERE source = 'strict'"))

it("names FOCUS's contract commitments as what they are")
output = ingest(REFUSED, bill("commitments/a/contracts.csv", ["c-1,Spend,1000,USD"],
                              "ContractCommitmentId,ContractCommitmentCategory,ContractCommitmentCost,BillingCurrency"))
assert "contracts.csv: this is FOCUS's contract commitments, which are terms and no charges" in output and "take the file out of the delivery" in output, output

it("calls the source of a run's folder by the folder above")
run = WORK / "exports" / "daily" / "20260901-20260930" / "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
run.mkdir(parents=True)
(run / "part_0_0001.csv").write_text(f"{HEADER}\n{GOOD.replace('1.50', '7.77')}\n", encoding="utf-8")
assert "1 row of source daily" in ingest(CLEAN, run)
assert "say --source NAME" in subprocess.run([KSTAR, "ingest", "billing", "/"], capture_output=True, text=True, check=False).stderr

it("refuses a file without a required column, naming every one")
output = ingest(REFUSED, bill("lacking/a/b.csv", ["1,USD"], "BilledCost,BillingCurrency"))
assert ("b.csv: required columns missing: BillingPeriodStart, ChargePeriodStart, ChargePeriodEnd, EffectiveCost, "
        "ChargeCategory") in output, output

assert "billing_currency" not in output, output  # it would not help
output = ingest(REFUSED, bill("semicolons/a/b.csv", [GOOD.replace(",", ";")], HEADER.replace(",", ";")))
assert "b.csv, line 1: columns are separated by ';'; kstar reads commas" in output, output

it("refuses a column that stands twice, an empty file, a truncated gzip, an unclosed quote")
assert "column BilledCost stands twice" in ingest(REFUSED, bill("twice/a/b.csv", [GOOD + ",1"], HEADER + ",BilledCost"))
empty = bill("empty/a/b.csv", [])
(empty / "b.csv").write_bytes(b"")
assert "b.csv: the file is empty" in ingest(REFUSED, empty)
cut = bill("cut/a/b.csv.gz", [GOOD] * 100, compress=True)
(cut / "b.csv.gz").write_bytes((cut / "b.csv.gz").read_bytes()[:-9])
assert "b.csv.gz: the gzip data is truncated" in ingest(REFUSED, cut)
assert "line 2: a quote in the record" in ingest(REFUSED, bill("quote/a/b.csv", ['"' + GOOD]))
equals("0", sql("SELECT count(*) FROM delivery WHERE source IN ('twice', 'empty', 'cut', 'quote', 'lacking', 'none')"))

it("takes the currency, time zone and format that sources.csv declares")
bare = HEADER.replace("BillingCurrency,", "")
row = GOOD.replace("USD,", "").replace("2026-09-01T00:00:00Z", "2026-09-01T07:00:00Z")
assert "required column missing: BillingCurrency" in ingest(REFUSED, bill("bare/a/b.csv", [row], bare))
sql("INSERT INTO source_configuration VALUES ('bare', 'billing', 'focus', 'America/Los_Angeles', 'EUR', NULL)")
row = row.replace("2026-09-01T07:00:00Z,2026-09-01T01", "2026-09-01T07:00:00Z,2026-09-01T08")
ingest(CLEAN, bill("bare/a/b.csv", [row, row.replace("2026-09-01T07", "2026-10-01T06", 1)], bare))
equals("EUR|2026-09-01|2", sql("SELECT billing_currency, min(load.billing_period), count(*) FROM load JOIN current_load "
                               "USING (load_id, source, billing_period) JOIN invoice USING (source) "
                               "WHERE source = 'bare' AND invoice.billing_period = load.billing_period::text GROUP BY 1"))
sql("UPDATE source_configuration SET format = 'punched-cards' WHERE source = 'bare'")
assert "unknown billing format: punched-cards" in ingest(REFUSED, bill("bare/b/b.csv", [row], bare))

it("loads every part of a delivery, plain or gzip, and one load per billing period")
folder = bill("parts/a/part-1.csv", [GOOD] * 3)
bill("parts/a/part-2.csv.gz", [GOOD.replace("1.50", "2.50"), GOOD.replace("2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", 1)],
     compress=True)
(folder / "manifest.json").write_text("{}")
ingest(CLEAN, folder)
equals("2026-09-01|2026-09-01|4|2026-09-01 00:00:00+00|2026-09-01 01:00:00+00\n"
       "2026-10-01|2026-10-01|1|2026-09-01 00:00:00+00|2026-09-01 01:00:00+00",
       sql("SELECT billing_period, statement_month, row_count, covered_from, covered_to FROM load JOIN current_load "
           "USING (load_id, source, billing_period) WHERE source = 'parts' ORDER BY 1"))

it("does nothing with the same content again")
before = sql("SELECT max(delivery_id) FROM delivery")
assert "already there" in ingest(CLEAN, folder)
equals(before, sql("SELECT max(delivery_id) FROM delivery"))

it("replaces a period by a new delivery of it, parts that are gone included, and leaves the other period")
(folder / "part-2.csv.gz").unlink()
bill("parts/a/part-1.csv", [GOOD.replace("1.50", "7.00"), GOOD + ",1"])
ingest(ATTENTION, folder)
equals("2026-09-01|7.00|1\n2026-10-01|1.50|1", sql(
    "SELECT billing_period, sum(billed_cost), count(*) FROM current_billing_line WHERE source = 'parts' GROUP BY 1 ORDER BY 1"))
equals("2", sql("SELECT count(*) FROM billing_line JOIN chunk USING (chunk_id, billing_period) WHERE source = 'parts'"))
bill("parts/a/part-1.csv", [GOOD.replace("1.50", "6.50")])  # not the line of October
ingest(CLEAN, "--accept", folder)
equals("0", sql("SELECT count(*) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'parts'"))

it("refuses a file that is there twice: it would be charged twice")
folder = bill("copies/a/b.csv", [GOOD])
bill("copies/a/c.csv", [GOOD])
assert "b.csv and " in (output := ingest(REFUSED, folder)) and "have the same content" in output, output
equals("0", sql("SELECT count(*) FROM delivery WHERE source = 'copies'"))

it("refuses a file beside its own gzip, and two gzips of one text, of any length")
for name, rows in ("short", [GOOD.replace("1.50", "41.50")]), ("long", [GOOD.replace("1.50", f"{number}.50") for number in range(5000)]):
    folder = bill(f"copies-{name}/a/part-1.csv", rows)
    text = (folder / "part-1.csv").read_bytes()
    (folder / "part-1.csv.gz").write_bytes(gzip.compress(text, mtime=1))
    assert "have the same content" in (output := ingest(REFUSED, folder)), output
    (folder / "part-1.csv").unlink()
    (folder / "part-2.csv.gz").write_bytes(gzip.compress(text, mtime=2))
    assert "have the same content" in (output := ingest(REFUSED, folder)), output
    (folder / "part-2.csv.gz").write_bytes(gzip.compress(text.replace(b"1.25", b"1.26", 1), mtime=2))
    ingest(CLEAN, folder)
    equals(str(2 * len(rows)), sql(f"SELECT count(*) FROM current_billing_line WHERE source = 'copies-{name}'"))

it("refuses a file that is there twice where no row of it can be read")
folder = bill("unread-copies/a/b.csv", [GOOD.replace("Usage", "Barter")])
bill("unread-copies/a/c.csv", [GOOD.replace("Usage", "Barter")])
bill("unread-copies/a/d.csv", [GOOD])
assert "have the same content" in (output := ingest(REFUSED, folder)), output

it("distinguishes texts that differ only in where a column ends, or in which column is null")
ingest(CLEAN, bill("ends/a/b.csv", [GOOD + ",ab,c", GOOD + ",a,bc", GOOD + ",abc,", GOOD + ",,abc", GOOD + ",ab,c"],
                   HEADER + ",ResourceId,ResourceName"))
equals("ab|c\na|bc\nabc|\n|abc\nab|c", lines_of("ends", "resource_id, resource_name", "JOIN resource USING (resource_key)"))

it("refuses a delivery in which one key stands for two texts, naming both")
ingest(CLEAN, bill("keys/a/b.csv", [GOOD + ",colliding-1"], HEADER + ",ResourceId"))
sql("UPDATE resource SET resource_id = 'another text' WHERE resource_id = 'colliding-1'")
output = ingest(REFUSED, bill("keys/b/b.csv", [GOOD + ",colliding-1", GOOD + ",new-1"], HEADER + ",ResourceId"))
assert "two texts of dimension resource have the same key" in output, output
assert "another text" in output and "colliding-1" in output, output
equals("1|0", sql("SELECT count(*), (SELECT count(*) FROM resource WHERE resource_id = 'new-1') FROM delivery WHERE source = 'keys'"))

it("stores each text once, however often the cache forgets it")
rows = [GOOD + f",r-{i % 70000}" for i in range(140000)]
ingest(CLEAN, bill("many/a/b.csv", rows, HEADER + ",ResourceId"))
equals("140000|70000|0", sql(
    "SELECT count(*), count(DISTINCT resource_key), count(*) FILTER (WHERE resource_id <> 'r-' || (line_number - 2) % 70000) "
    "FROM current_billing_line JOIN resource USING (resource_key) WHERE source = 'many'"))

it("keeps to the bounds that settings.csv declares, memory flat")
settings = WORK / "reference" / "settings.csv"
settings.parent.mkdir(exist_ok=True)


def limited(parameter, value):
    settings.write_text(f"parameter,value,valid_from,valid_to\n{parameter},{value},,\n")
    subprocess.run([KSTAR, "ingest", "reference", settings], check=True, capture_output=True)


for parameter, value, rows, header, words in (
        ("limit_rows", 2, [GOOD, GOOD + "0", GOOD], HEADER, "more rows than the limit of 2"),
        ("limit_columns", 6, [GOOD], HEADER, "more than 6 columns"),
        ("limit_record_bytes", 100, [GOOD + "," + "x" * 200], HEADER + ",ResourceName", "longer than the limit of 100 bytes")):
    limited(parameter, value)
    folder = bill(f"{parameter}/a/b.csv", rows, header)
    assert words in (output := ingest(REFUSED, folder)), output
limited("limit_field_bytes", 100)
output = ingest(ATTENTION, bill("field/a/b.csv", [GOOD + "," + "x" * 101, GOOD + "," + "x" * 100], HEADER + ",ResourceName"))
assert "column ResourceName: longer than the limit of 100 bytes" in output, output
bomb = WORK / "billing" / "bomb" / "a" / "b.csv.gz"
bomb.parent.mkdir(parents=True)
with gzip.open(bomb, "wb") as file:
    file.write((HEADER + "\n").encode())
    for _ in range(300):
        file.write((GOOD + "\n").encode() * 16384)
for parameter, value, words in (("limit_uncompressed_bytes", 1 << 20, "1048576"), ("limit_compression_ratio", 100, "100")):
    limited(parameter, value)
    assert words in (output := ingest(REFUSED, bomb.parent)), output
limited("limit_rows", 1000000000)
equals("0", sql("SELECT count(*) FROM current_billing_line WHERE source = 'bomb'"))
