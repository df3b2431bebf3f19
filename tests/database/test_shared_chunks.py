"""A month delivered again shares the chunks that have not changed, and nobody can tell: whatever is
delivered after whatever, the lines are those of a database that has only ever seen the last
delivery."""

import gzip
import os
import random
import re
import shutil
from pathlib import Path

import published
from saying import it, output_of

WORK = Path(os.environ["WORK"])
USED = published.new_database("used")  # it has seen every delivery
HEADER = ("BilledCost,EffectiveCost,BillingCurrency,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,"
          "ResourceId,ChargeDescription,InvoiceId,Tags")
CLEAN, ATTENTION = 0, 4
GENERATOR = random.Random(20260901)


def equals(expected, actual):
    assert expected == actual, f"\nexpected: {str(expected)[:2000]}\ngot:      {str(actual)[:2000]}"


def answers(queries, database):
    """Of each query its rows as text."""
    _, *rows = published.answers(["SET search_path = kstar", *queries], database)
    return [text.rstrip("\n") for text in rows]


def sql(query):
    [answer] = answers([query], USED)
    return answer


def line(day, number, period="2026-09-01", description="compute, by the hour"):
    money = f"{GENERATOR.randrange(10**6)}.{GENERATOR.randrange(10**6):06d}"
    tags = '"{""team"": ""t%d"", ""note"": ""%s""}"' % (number % 7, "x" * (number % 50))
    return (f"{money},{money},USD,{period}T00:00:00Z,2026-09-{day:02d}T00:00:00Z,2026-09-{day:02d}T01:00:00Z,Usage,"
            f"i-{number % 97},\"{description}\",inv-{number % 3},{tags}")


def month(lines):
    return [line(1 + 30 * i // lines, i) for i in range(lines)]


def text_of(lines, end="\n", last_end=True):
    return (end.join([HEADER, *lines]) + (end if last_end else "")).encode("utf-8", "surrogateescape")


def deliver(source, files, database=USED, code=CLEAN, label="2026-09", options=("--accept",)):
    """Delivers {name: bytes}; returns how many chunks there were, and how many were not read
    again."""
    folder = WORK / "billing" / source / label
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(gzip.compress(content, 1) if name.endswith(".gz") else content)
    output = output_of("ingest", "billing", *options, folder, "--dsn", database, code=code)
    return tuple(map(int, re.search(r"chunks=(\d+) reused=(\d+)", output).groups()))


# A row as text, which takes a fifth of the time of a row as JSON.
COLUMNS = sql("SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'current_billing_line'::regclass "
              "AND attnum > 0 AND attname NOT IN ('load_id', 'file_id', 'delivery_id')")
SEEN = {
    "lines": f"SELECT path, line_number, row_in_record, ROW({COLUMNS})::text "
             "FROM current_billing_line AS line JOIN source_file USING (file_id) WHERE source = 'SOURCE' ORDER BY 1, 2, 3",
    "loads": "SELECT billing_period, row_count, covered_from, covered_to FROM load JOIN current_load "
             "USING (load_id, source, billing_period) WHERE source = 'SOURCE' ORDER BY 1",
    "quarantine": "SELECT path, line_number, to_jsonb(quarantined_row) - '{delivery_id,file_id}'::text[] FROM quarantined_row "
               "JOIN source_file USING (file_id) JOIN delivery ON delivery.delivery_id = quarantined_row.delivery_id "
               "WHERE source = 'SOURCE' ORDER BY 1, 2",
}


# What chunks say of their lines is so; less than a quarter of a source's lines is kept that no load
# has.
ODD_CHUNKS = (
    """SELECT source, billing_period, sum(row_count) FILTER (WHERE NOT is_placed), sum(row_count)
       FROM (SELECT *, EXISTS (SELECT FROM load_chunk WHERE load_chunk.chunk_id = chunk.chunk_id
                                 AND load_chunk.billing_period = chunk.billing_period) AS is_placed FROM chunk) AS chunk
       GROUP BY 1, 2
       HAVING 4 * sum(row_count) FILTER (WHERE NOT is_placed) >= sum(row_count)""",
    """SELECT chunk_id, billing_period, chunk.row_count, lines.row_count, chunk.last_line, lines.last_line
       FROM chunk FULL JOIN (SELECT chunk_id, billing_period, count(*) AS row_count, max(line_in_chunk) AS last_line
                             FROM billing_line GROUP BY 1, 2) AS lines USING (chunk_id, billing_period)
       WHERE (chunk.row_count, chunk.last_line) IS DISTINCT FROM (lines.row_count::integer, lines.last_line)""",
    """SELECT * FROM chunk_invoice FULL JOIN (
           SELECT chunk_id, billing_period, invoice_key, sum(billed_cost) AS billed, sum(effective_cost) AS effective
           FROM billing_line GROUP BY 1, 2, 3) AS lines USING (chunk_id, billing_period, invoice_key)
       WHERE (billed_cost, effective_cost) IS DISTINCT FROM (billed, effective)""",
)


def check_equal(source, files, code=CLEAN, label="2026-09"):
    """The used database shows what a fresh one shows that gets these files alone."""
    fresh = published.new_database("fresh")
    deliver(source, files, fresh, code, label)
    queries = [query.replace("SOURCE", source) for query in SEEN.values()]
    for what, wanted, found in zip(SEEN, answers(queries, fresh), answers(queries, USED), strict=True):
        assert wanted != "" or what == "quarantine", f"no {what}: nothing was compared"
        equals(wanted, found)
    check_chunks()


def check_chunks():
    equals([""] * len(ODD_CHUNKS), answers(ODD_CHUNKS, USED))


it("reads only what has changed when one day is delivered anew, in any number of files")
lines = month(6000)
half = len(lines) // 2
chunks, reused = deliver("days", {"a.csv": text_of(lines[:half]), "b.csv": text_of(lines[half:])})
assert chunks > 20 and reused == 0, (chunks, reused)
lines[4000:4400] = [line(21, i) for i in range(4000, 4400)]
files = {"a.csv": text_of(lines[:half]), "b.csv": text_of(lines[half:])}
chunks, reused = deliver("days", files)
assert chunks - 8 <= reused < chunks, (chunks, reused)
check_equal("days", files)

it("finds its way back after a line that was put in, and after one that is gone")
lines.insert(5, line(1, 5))
del lines[5000]
# and one file instead of two: the end of the first is read again
files = {"a.csv": text_of(lines)}
chunks, reused = deliver("days", files)
assert chunks - 10 <= reused < chunks, (chunks, reused)
check_equal("days", files)

it("takes a compressed file for what is in it")
files = {"a.csv.gz": text_of(lines)}
# under its own label it would be nothing new
chunks, reused = deliver("days", files, label="packed")
equals(chunks, reused)
check_equal("days", files)

it("reads all of a file whose lines stand in another order, and says the same of them")
before = sql("SELECT sum(billed_cost), count(*) FROM current_billing_line WHERE source = 'days'")
GENERATOR.shuffle(lines)
files = {"a.csv": text_of(lines)}
equals(0, deliver("days", files, label="sorted")[1])
equals(before, sql("SELECT sum(billed_cost), count(*) FROM current_billing_line WHERE source = 'days'"))
check_equal("days", files)

it("counts the lines of a chunk as often as it stands in the delivery")
body = month(4000)
files = {"a.csv": text_of(body)}
chunks, _ = deliver("twice", files)
files["b.csv"] = text_of([*body, line(30, 1)])  # the same file twice would be refused
both, reused = deliver("twice", files)
assert reused >= 2 * (chunks - 1) and both == 2 * chunks, (chunks, both, reused)
equals("8001", sql("SELECT count(*) FROM current_billing_line WHERE source = 'twice'"))
check_equal("twice", files)
files["c.csv"] = text_of(body[:-1])
# a delivery that holds a chunk twice that was stored by one that did, too
deliver("twice", files)
check_equal("twice", files)

it("reads what is in quotes or in the wrong place as ever, and shares none of it wrongly")
odd = month(6000)
for i in range(0, 6000, 40):
    odd[i] = line(1 + i // 200, i, description='of\nseveral\r\n\r\n""lines""')
for i in range(3000, 6000, 500):
    odd[i] = odd[i].replace('"compute, by the hour"', '5" disk')
for label, end, last_end in (("lf", "\n", True), ("crlf", "\r\n", False), ("cr", "\r", True)):
    files = {"a.csv": text_of(odd, end, last_end)}
    deliver("odd", files, label=label)
    odd[4321] = line(22, 4321)
    files = {"a.csv": text_of(odd, end, last_end)}
    deliver("odd", files, label=label)
    check_equal("odd", files)
files = {"a.csv": text_of(odd[:2000]) + b"\xef\xbb\xbf" + "\n".join(odd[2000:]).encode()}
deliver("odd", files)
check_equal("odd", files)

it("reads a chunk with a row that cannot be read again, and keeps its quarantined rows with their lines")
bad = month(8000)
bad[100] = bad[100].replace("USD", "")
bad[7000:7900] = [f"no money,,,,,,,,,,{i}" for i in range(900)]
chunks, _ = deliver("bad", {"a.csv": text_of(bad)}, code=ATTENTION)
bad.insert(3000, line(12, 3000))
files = {"a.csv": text_of(bad)}
again, reused = deliver("bad", files, code=ATTENTION)
assert 0 < reused < again - 1, (again, reused)
check_equal("bad", files, code=ATTENTION)
equals("102", sql("SELECT min(line_number) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'bad'"))
equals("901", sql("SELECT count(*) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'bad'"))

it("stores more quarantined rows than fit into memory at a time")
worse = month(10) + ["x" for _ in range(30000)] + month(10)
files = {"a.csv": text_of(worse)}
deliver("worse", files, code=ATTENTION)
equals("30000|12|30011", sql("SELECT count(*), min(line_number), max(line_number) FROM quarantined_row "
                             "JOIN delivery USING (delivery_id) WHERE source = 'worse'"))
equals("20|30021", sql("SELECT count(*), max(line_number) FROM current_billing_line WHERE source = 'worse'"))

it("keeps a chunk of two periods for the one that is not replaced, and shares it no more")
mixed = [line(1, i, "2026-08-01" if i % 2 else "2026-09-01") for i in range(4000)]
deliver("mixed", {"a.csv": text_of(mixed)})
chunks, reused = deliver("mixed", {"a.csv": text_of(mixed), "b.csv": text_of([line(1, 1)])})
equals(chunks - 1, reused)
deliver("mixed", {"a.csv": text_of([line(1, 2)])}, label="later")
equals("2026-08-01|2000\n2026-09-01|1", sql("SELECT billing_period, count(*) FROM current_billing_line "
                                          "WHERE source = 'mixed' GROUP BY 1 ORDER BY 1"))
check_chunks()
files = {"a.csv": text_of(mixed)}
equals(0, deliver("mixed", files)[1])
check_equal("mixed", files)

it("shares all periods of a chunk or none of them, where there are more chunks than are looked through")
# one chunk, two periods
mixed = [line(1, i, "2026-08-01" if i % 2 else "2026-09-01") for i in range(100)]
files = {"a.csv": text_of(mixed), "b.csv": text_of([line(1, 1)])}
deliver("many", files)
sql("INSERT INTO chunk (chunk_id, billing_period, source, content_key, line_count, record_count, last_line, row_count) "
    "SELECT 1000000000 + i, '2025-01-01', 'many', decode(lpad(to_hex(i), 32, 'e'), 'hex'), 1, 1, 1, 0 FROM generate_series(1, 262142) AS i")
files["b.csv"] = text_of([line(1, 2)])
deliver("many", files)
sql("DELETE FROM chunk WHERE chunk_id > 1000000000")
check_equal("many", files)

it("reads everything anew when it is configured to be read otherwise")
# an end of 01:00 by the source's clocks
files = {"a.csv": text_of([entry.replace("Z,Usage", ",Usage") for entry in month(3000)])}
chunks, _ = deliver("zoned", files)
sql("INSERT INTO source_configuration VALUES ('zoned', 'billing', 'focus', 'America/Los_Angeles', NULL, NULL)")
equals(0, deliver("zoned", files)[1])
equals("2026-09-01|08:00:00", sql("SELECT DISTINCT billing_period, to_char(charge_period_end - charge_period_start, 'HH24:MI:SS') "
                                  "FROM current_billing_line WHERE source = 'zoned' AND load_id = (SELECT max(load_id) FROM load)"))

it("keeps the lines and quarantined rows of a load that a closed statement was made of")
lines = month(3000)
lines[50] = "not a line"
deliver("closed", {"a.csv": text_of(lines)}, code=ATTENTION)
sql("INSERT INTO statement VALUES ('2026-09-01', 'Final', 'run', '2026-10-02', '0', 'USD', 2); "
    "INSERT INTO closure (statement_month, closed_by, facts_sha256) VALUES ('2026-09-01', 'test', ''); "
    "INSERT INTO closure_load SELECT '2026-09-01', load_id FROM current_load WHERE source = 'closed'")
closed = ("SELECT count(*), sum(billed_cost), (SELECT count(*) FROM quarantined_row JOIN load USING (delivery_id, billing_period) "
          "WHERE load_id IN (SELECT load_id FROM closure_load)) FROM billing_line JOIN load_chunk "
          "USING (chunk_id, billing_period) JOIN closure_load USING (load_id)")
before = sql(closed)
assert before.startswith("2999|") and before.endswith("|1"), before
lines[1000:1100] = [line(11, i) for i in range(100)]
files = {"a.csv": text_of(lines)}
assert deliver("closed", files, code=ATTENTION)[1] > 0
equals(before, sql(closed))
lines[2000:2100] = [line(21, i) for i in range(100)]
deliver("closed", {"a.csv": text_of(lines)}, code=ATTENTION)
equals(before, sql(closed))
check_chunks()
