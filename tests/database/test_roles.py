"""Least privilege (docs/security.md): logins of their own for owner, ingest, report and readers on
one server. The server is a private cluster that lets every role of it in: who may do what is then
the roles' affair alone. Figures of the views are held against the workbooks and against the
functions that kstar itself uses."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

SOURCE, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCE / "tests/lib"))
import workbooks  # noqa: E402
import case_page  # noqa: E402
import everything  # noqa: E402
import published  # noqa: E402
from publish import Publish  # noqa: E402
from saying import KSTAR, equals, it, sql  # noqa: E402

INBOX, OUT = WORK / "inbox", WORK / "out"
VIEWS = "adjustment budget cost_centre family idle invoice job key_figures measurement month part statement".split()
DATABASE = 7  # exit code
MIGRATED = os.environ["KSTAR_MIGRATED"]  # kstar with one migration more


def trusting_server():
    """The private cluster, started again with a rule that lets every role in through its socket."""
    home = Path(os.environ["KSTAR_DATA_DIR"])
    subprocess.run([KSTAR, "db", "start"], check=True, capture_output=True)
    rules = home / "everybody.conf"
    rules.write_text("local all all trust\n", encoding="utf-8")
    with (home / "local.conf").open("a", encoding="utf-8") as settings:
        settings.write(f"hba_file = '{rules}'\n"
                       "enable_mergejoin = on\n")  # plans are compared below
    for path in (rules, home / "local.conf"):
        path.chmod(0o644)
    for word in ("stop", "start"):
        subprocess.run([KSTAR, "db", word], check=True, capture_output=True)
    return sql("SELECT trim(both '\"' FROM current_setting('unix_socket_directories'))")


def dsn(user, database="finops"):
    return f"host={SOCKET} user={user} dbname={database}"


def kstar(user, *arguments, code=0, database="finops", program=KSTAR):
    done = subprocess.run([program, *map(str, arguments), "--dsn", dsn(user, database)], capture_output=True, text=True, check=False)
    assert done.returncode in (code if isinstance(code, tuple) else (code,)), (user, arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def psql(user, query, database="finops"):
    """Output and errors, whatever comes of it."""
    done = subprocess.run(["psql", dsn(user, database), "-XAtq", "-F", "|", "-c", query], capture_output=True, text=True, check=False)
    return done.stdout.rstrip("\n"), done.stderr


def read(user, query, database="finops"):
    output, errors = psql(user, query, database)
    assert errors == "", (user, query, errors)
    return output


def rows(user, query, database="finops", before=""):
    """Rows as dictionaries, numbers exact."""
    found = read(user, f"{before} WITH t AS ({query}) SELECT to_jsonb(t) FROM t", database)
    return [json.loads(line, parse_float=Decimal) for line in found.splitlines()]


def read_all(user, queries, database="finops"):
    """Of each query its lines, by one psql."""
    words = [word for query in queries for word in ("-c", query, "-c", f"\\echo '{published.MARK}'")]
    done = subprocess.run(["psql", dsn(user, database), "-XAtq", "-v", "ON_ERROR_STOP=1", *words], capture_output=True, text=True, check=False)
    equals("", done.stderr)
    return [text.splitlines() for text in done.stdout.split(f"{published.MARK}\n")[:-1]]


def views_of(user, database="finops"):
    """What the views show: rows as text, by view."""
    found = read_all(user, [f"SELECT to_jsonb(t) FROM kstar_views.report_{view} AS t" for view in VIEWS], database)
    return dict(zip(VIEWS, found, strict=True))


def refused(user, query, words="permission denied"):
    output, errors = psql(user, query)
    assert words in errors, (user, query, output, errors)


def write_csv(name, *rows):
    case_page.write_csv(INBOX / "reference" / f"{name}.csv", rows)


class Company:
    """Two cost centres, with budgets, in months of one bill each."""

    def __init__(self):
        self.inbox = WORK / "small"
        self.publish = Publish(self.inbox, dsn("small_night", "small"))
        reference = self.inbox / "reference"
        case_page.write_common_reference(self.inbox)
        case_page.write_csv(reference / "readers.csv", [("database_role", "cost_centre"), ("anna", "A")])
        case_page.write_csv(reference / "budgets.csv", [("cost_centre", "month", "amount"),
                                                        *((centre, f"2026-{month}", "300.25") for centre in "ABP" for month in ("08", "09"))])

    def month(self, month, until, cost_of_a="100.10"):
        """A's and B's storage from the first to a day, as the bill has it so far."""
        header = ["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "Tags", "ServiceName"]
        lines = [[f"{month}-01T00:00:00Z", f"{until}T00:00:00Z", "Usage", cost, f"team={team}", "Storage"]
                 for team, cost in (("a", cost_of_a), ("b", "77.77"))]
        case_page.write_input(["bill", "cloud", month], [header, *lines], self.inbox)


SOCKET = trusting_server()
sql("CREATE ROLE finops LOGIN")
read("kstar", "CREATE DATABASE finops OWNER finops", "kstar")

it("makes the roles for whoever may create roles, and says what is lacking to anybody else")
kstar("finops", "init")
message = kstar("finops", "init", "--roles", code=DATABASE)
assert "there is no role kstar_owner, and finops may not create it" in message and "CREATEROLE" in message, message
for wrong in ("Big", "1st", "", "a" * 41, 'k"; DROP SCHEMA kstar; --'):
    kstar("finops", "init", "--roles", "--role-prefix", wrong, code=2)
kstar("finops", "init", "--role-prefix", "kstar", code=2)
sql("ALTER ROLE finops CREATEROLE")
sql("CREATE ROLE taken_report LOGIN")
assert "role taken_report is there already, and no plain group" in kstar("finops", "init", "--roles", "--role-prefix", "taken", code=DATABASE)
equals("0", sql("SELECT count(*) FROM pg_roles WHERE rolname = 'taken_owner'"))  # all or nothing
kstar("finops", "init", "--roles")
equals("kstar_ingest,kstar_owner,kstar_reader,kstar_report,kstar_views",
       sql("SELECT string_agg(rolname, ',' ORDER BY rolname) FROM pg_roles WHERE rolname LIKE 'kstar\\__%' AND NOT rolcanlogin"))

it("changes nothing the second time")
STATE = """SELECT md5(string_agg(what, ';' ORDER BY what)) FROM (
    SELECT relname || relowner || coalesce(relacl::text, '') || relrowsecurity FROM pg_class WHERE relnamespace = ANY (ARRAY['kstar', 'kstar_views']::regnamespace[])
    UNION ALL SELECT polname || polrelid || polroles::text FROM pg_policy
    UNION ALL SELECT defaclacl::text FROM pg_default_acl
    UNION ALL SELECT roleid || ' ' || member FROM pg_auth_members) AS state (what)"""
before = read("finops", STATE)
kstar("finops", "init", "--roles")
kstar("finops", "init", "--roles", "--role-prefix", "kstar")
equals(before, read("finops", STATE))
assert 'begin with "kstar", not with "other"' in kstar("finops", "init", "--roles", "--role-prefix", "other", code=DATABASE)

# ada sees one cost centre, by her login; grace two, by two roles; controlling all; eve is a reader
# of nothing.
sql("CREATE ROLE speech; CREATE ROLE night LOGIN IN ROLE kstar_ingest; CREATE ROLE controller LOGIN IN ROLE kstar_report;"
    "CREATE ROLE ada LOGIN IN ROLE kstar_reader; CREATE ROLE grace LOGIN IN ROLE kstar_reader, speech;"
    "CREATE ROLE controlling LOGIN IN ROLE kstar_reader; CREATE ROLE eve LOGIN IN ROLE kstar_reader; CREATE ROLE stranger LOGIN")
READERS = [("ada", "CC-210"), ("grace", "CC-220"), ("speech", "CC-230"), ("controlling", "*"), ("nobody_yet", "CC-100")]
shutil.copytree(SOURCE / "fixtures/inbox", INBOX)
for place, line in (("families", "asr,nodes,,1,32,,false,,"), ("family_rules", "5,job_name,speech-asr-large,asr,,")):
    with open(INBOX / f"reference/{place}.csv", "a", encoding="utf-8") as file:
        file.write(line + "\n")
case_page.write_csv(INBOX / "efficiency/asr.csv", [("family", "k", "metric", "value"), *(("asr", k, "run_time", 64 / k + k) for k in (1, 2, 4, 8, 16))])
write_csv("readers", ("database_role", "cost_centre"), *READERS)
write_csv("budgets", ("cost_centre", "month", "amount"), *((centre, "2026-09", "200000.50") for centre in ("CC-100", "CC-210", "CC-220", "CC-310")))

it("runs a night as a member of kstar_ingest, with the same workbooks and the same database as its owner's")
kstar("night", "nightly", INBOX, "--out", OUT, code=4)
subprocess.run([KSTAR, "nightly", str(INBOX), "--out", str(WORK / "owners")], check=False, capture_output=True)
equals(everything.workbooks(WORK / "owners"), everything.workbooks(OUT))
for table in ("charge", "shared_part", "statement_sum", "statement_detail", "job_result", "statement_note", "statement_price", "reader"):
    query = f"SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (SELECT to_jsonb(t)::text FROM kstar.{table} AS t) AS whole (line)"
    equals(sql(query), read("night", query))
# A statement's plans need their statistics.
equals("charge,statement_detail", read("night", """SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class
    WHERE relname IN ('charge', 'statement_detail') AND reltuples > 0"""))

it("keeps from kstar_ingest what was issued, kept and handed over, and the schema itself")
for query in ("INSERT INTO kstar.journal_line SELECT * FROM kstar.journal_line", "DELETE FROM kstar.journal_issue", "DELETE FROM kstar.handed_over",
              "UPDATE kstar.forecast SET scenario = ''", "DELETE FROM kstar.schema_migration", "UPDATE kstar.role_set SET prefix = 'x'",
              "INSERT INTO kstar.prune_rewrite VALUES ('chunk, pg_catalog.pg_class')", "DELETE FROM kstar.pruned_month", "DELETE FROM kstar.distributed_table",
              "TRUNCATE kstar.statement_detail", "CREATE TABLE kstar.mine ()", "SET ROLE kstar_owner", "SET ROLE kstar_views"):
    refused("night", query)
refused("night", "ALTER TABLE kstar.statement_detail DISABLE ROW LEVEL SECURITY", "must be owner")

it("writes workbooks as a member of kstar_report, who cannot change a bill or a statement")
kstar("controller", "report", "chargeback", "--period", "2026-09", "--out", WORK / "again")
for path in sorted((WORK / "again").glob("*.xlsx")):
    equals((OUT / path.name).read_bytes(), path.read_bytes())
equals(16, len(list((WORK / "again").glob("*.xlsx"))))
for query in ("DELETE FROM kstar.billing_line", "UPDATE kstar.statement_detail SET minor_units = 0", "DELETE FROM kstar.statement", "DELETE FROM kstar.job",
              "INSERT INTO kstar.reader VALUES ('controller', '*')", "DELETE FROM kstar.journal_issue", "UPDATE kstar.journal_line SET minor_units = 0",
              "SELECT kstar.ensure_billing_partition('2026-10-01')", "SELECT kstar.analyze_as_owner('job')"):
    refused("controller", query)
message = kstar("controller", "model", "--period", "2026-09", code=DATABASE)
assert "permission denied" in message and "docs/security.md, Roles" in message, message
case_page.write_csv(WORK / "readers.csv", [("database_role", "cost_centre"), ("controller", "*")])
assert "permission denied" in kstar("controller", "ingest", "reference", WORK / "readers.csv", code=DATABASE)

it("issues journals, keeps forecasts and hands workbooks over as a member of kstar_report")
assert "posting key" in kstar("controller", "report", "journal", "--issue", "--period", "2026-09", "--out", WORK / "again")
kstar("controller", "report", "forecast", "--scenario", "base", "--months", "1")
assert "differs" not in kstar("controller", "verify")
assert int(read("controller", "SELECT count(*) FROM kstar.forecast_month")) > 0
kstar("controller", "deliver", OUT, "--directory", WORK / "handed")
equals("7", read("controller", "SELECT count(*) FROM kstar.handed_over"))
for words in ("status", "status --json", "budget", "diff 2026-09", "close --list", "model --rate-card", "model --failed-runs", "ingest quarantine",
              f"report review --period 2026-09 --out {WORK}/again", "report units --period 2026-09",
              f"report forecast --scenario base k-star --months 2 --out {WORK}/again", "report journal --list"):
    done = subprocess.run([KSTAR, *words.split(), "--dsn", dsn("controller")], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4, 8) and "permission denied" not in done.stderr, (words, done.returncode, done.stderr)

it("shows a reader his own cost centres in every view, and nothing else")
SEEN = {"ada": {"CC-210"}, "grace": {"CC-220", "CC-230"}, "eve": set()}
NAMES = {row["cost_centre"]: row["name"] for row in csv.DictReader(open(INBOX / "reference/cost_centres.csv", encoding="utf-8"))}
for user, mine in SEEN.items():
    others = {*NAMES, *NAMES.values()} - mine - {NAMES[centre] for centre in mine}
    found = {view: [json.loads(row) for row in lines] for view, lines in views_of(user).items()}
    for view in set(VIEWS) - {"month"}:
        assert {row["cost_centre"] for row in found[view]} <= mine, (user, view)
        assert not others & {text for row in found[view] for text in row.values() if isinstance(text, str)}, (user, view)
    for view in ("statement", "invoice", "job", "key_figures", "cost_centre"):
        equals(mine, {row["cost_centre"] for row in found[view]})
    equals(1, len(found["month"]))
equals(["CC-210"], [row["cost_centre"] for row in rows("ada", "TABLE kstar_views.report_budget")])
refused("stranger", "TABLE kstar_views.report_month")

it("shows all rows, unallocated ones included, to those who may see all and to those who work with the tables")
WHOLE = rows("night", "SELECT sum(minor_units) AS total, sum(minor_units) FILTER (WHERE block = 'invoice') AS invoices FROM kstar.statement_row")[0]
JOBS = rows("night", "SELECT count(*) AS jobs, sum(true_cost_minor) AS cost FROM kstar.job_result")
for user in ("controlling", "controller", "night", "finops"):
    equals([{"total": WHOLE["total"]}], rows(user, "SELECT sum(minor_units) AS total FROM kstar_views.report_statement"))
    equals([{"total": WHOLE["invoices"]}], rows(user, "SELECT sum(minor_units) AS total FROM kstar_views.report_invoice"))
    equals(JOBS, rows(user, "SELECT count(*) AS jobs, sum(true_cost_minor) AS cost FROM kstar_views.report_job"))

it("has the figures of the cost centre's own workbook, to the cent")


def money(value):
    return round(Decimal(repr(value)), 2)


def added(sheet_rows, name, amount):
    """The sheet's amounts by one of its columns."""
    total = {}
    for row in sheet_rows:
        total[row[name]] = total.get(row[name], 0) + money(row[amount])
    return total


def by_name(user, query):
    return {row["name"]: round(Decimal(row["amount"]), 2) for row in rows(user, query)}


FIGURES = {"coverage": "Commitment coverage", "savings": "Effective savings rate", "idle": "Idle share", "waste": "Coordination waste"}
for user, centre in (("ada", "CC-210"), ("grace", "CC-220"), ("grace", "CC-230")):
    book, data = (workbooks.Book(OUT / f"{kind}-2026-09-{centre}.xlsx") for kind in ("chargeback", "data"))
    where = f"WHERE cost_centre = '{centre}'"
    charged = workbooks.table(book, "Statement", "Component")
    equals(added(charged, "Component", "Amount"), by_name(user, f"""SELECT component_title AS name, sum(amount) AS amount
        FROM kstar_views.report_statement {where} AND section = 'charged' GROUP BY 1"""))
    equals({centre: sum(money(row["Amount"]) for row in charged)},
           by_name(user, f"SELECT cost_centre AS name, sum(amount) AS amount FROM kstar_views.report_invoice {where} GROUP BY 1"))
    idle = [row for row in workbooks.table(book, "Shared and idle", "Part of") if row["Component"] in ("Idle nodes", "Unused commitments")]
    equals(added(idle, "Pool", "Charged"),
           by_name(user, f"SELECT pool AS name, sum(amount) AS amount FROM kstar_views.report_idle {where} GROUP BY 1"))
    jobs = workbooks.table(data, "Jobs", "Run group")
    for column, heading in (("useful_compute", "Useful compute"), ("failed_runs", "Failed runs"), ("true_cost", "True cost"),
                            ("coalesce(excess, 0)", "Excess")):
        equals(added([{**row, "Excess": row["Excess"] or 0} for row in jobs], "Job", heading),
               by_name(user, f"SELECT job_id AS name, sum({column}) AS amount FROM kstar_views.report_job {where} GROUP BY 1"))
    equals(sorted((row["Job"], row["Verdict"], row["K"], row["K*"]) for row in jobs),
           sorted((row["job_id"], row["verdict"], row["k"], row["k_star"]) for row in rows(user, f"SELECT * FROM kstar_views.report_job {where}")))
    sheet = {row["Figure"]: row for row in workbooks.table(data, "Key figures", "Whole")}
    figures = {row["figure"]: row for row in rows(user, f"SELECT * FROM kstar_views.report_key_figures {where}")}
    for figure, title in FIGURES.items():
        if title in sheet:
            equals((money(sheet[title]["Part"]), money(sheet[title]["Whole"])), (figures[figure]["part"], figures[figure]["whole"]))
            equals(round(Decimal(repr(sheet[title]["This month"])), 6), figures[figure]["value"])

it("who reports notes its own runs, and cannot say how a night ended")
nights = read("controller", "SELECT run_number, outcome, exit_code FROM kstar.run_ledger WHERE command = 'nightly' ORDER BY run_number")
for query in ("UPDATE kstar.run_ledger SET outcome = 'done', exit_code = 0", "UPDATE kstar.run_stage SET outcome = 'refused'"):
    psql("controller", query)
for query in ("INSERT INTO kstar.run_ledger (command, kstar_version) VALUES ('nightly', '')", "DELETE FROM kstar.run_ledger",
              "INSERT INTO kstar.run_ledger (command, kstar_version, outcome, exit_code) VALUES ('deliver', '', 'done', 0)",
              "UPDATE kstar.run_delivery SET outcome = 'done'"):
    output, errors = psql("controller", query)
    assert "row-level security" in errors or "permission denied" in errors, (query, output, errors)
equals(nights, read("controller", "SELECT run_number, outcome, exit_code FROM kstar.run_ledger WHERE command = 'nightly' ORDER BY run_number"))
equals("t", read("controller", "SELECT count(*) > 0 FROM kstar.run_ledger WHERE command = 'deliver' AND outcome = 'done' AND exit_code IS NOT NULL"))

it("advises a reader about the families of his cost centres' jobs, at the prices of those jobs, and of no other")
FAMILIES = {user: {row["family"] for row in rows(user, "SELECT DISTINCT family FROM kstar_views.report_job WHERE family IS NOT NULL")}
            for user in ("ada", "grace", "eve", "controlling")}
assert FAMILIES["ada"] and FAMILIES["controlling"] - FAMILIES["ada"] and not FAMILIES["eve"], FAMILIES
for user, families in FAMILIES.items():
    equals(families, {entry["family"] for entry in json.loads(kstar(user, "advise", "--json"))})
equals(FAMILIES["ada"], {row["family"] for row in rows("ada", "SELECT family FROM kstar_views.report_measurement")})
refused("ada", "TABLE kstar.measurement")
for user in ("ada", "eve"):
    for name in (min(FAMILIES["controlling"] - FAMILIES[user]), "nothing-of-that-name"):
        message = kstar(user, "advise", name, code=3)
        assert f"no job of your cost centres is of family {name}\n" in message and "lists the families of your jobs" in message, message
judged = [entry["family"] for entry in json.loads(kstar("ada", "advise", "--json")) if entry["obstacle"] == ""]
assert judged, kstar("ada", "advise")
assert "--next is not for readers" in kstar("ada", "advise", "--next", code=2)
assert json.loads(kstar("night", "advise", "--next", "--json"))["experiments"]
for name in judged:
    mine, whole = (json.loads(kstar(user, "advise", name, "--price", "20", "--fixed", "9", "--preemptions", "0", "--json")) for user in ("ada", "night"))
    equals({key: whole[key] for key in ("k_star", "law", "series")}, {key: mine[key] for key in ("k_star", "law", "series")})
    [paid] = rows("ada", f"""
        SELECT sum(price_per_node_hour * (node_hours - unpriced_node_hours)) / sum(node_hours - unpriced_node_hours) FILTER (WHERE price_per_node_hour > 0)
               + sum(overhead_per_node_hour * node_hours) / sum(node_hours) AS paid
        FROM kstar_views.report_job JOIN kstar_views.report_family USING (statement_month, cost_centre, family)
        WHERE family = '{name}' AND unit = 'nodes'""")
    answer = json.loads(kstar("ada", "advise", name, "--json"))
    assert paid["paid"] is None or abs(float(paid["paid"]) - answer["price_per_k_hour"]) < 1e-9, (paid, answer)

it("takes no discount for spot from a price that a reader's jobs paid for spot")
# fixtures/company_jobs.py: speech-asr-large ran on spot nodes alone, llm-pretrain on none
equals([("asr", 1), ("llm-pretrain", 0)],
       [(row["family"], float(row["spot_share"] or 0)) for row in
        rows("controlling", "SELECT family, spot_share FROM kstar_views.report_family WHERE family IN ('asr', 'llm-pretrain') ORDER BY family")])
for user in ("night", "grace"):
    message = kstar(user, "advise", "asr", "--spot", "0.3", code=2)
    assert "the latest price of family asr is of spot capacity already" in message, message
kstar("ada", "advise", "llm-pretrain", "--spot", "0.3")

it("has no way around: tables, other roles, row security off, functions that print their arguments")
for query in ("TABLE kstar.statement_row", "TABLE kstar.statement_detail", "TABLE kstar.reader", "SELECT kstar.minor_amount(1, 2)", "COPY kstar.job TO STDOUT", "SET ROLE kstar_views",
              "SET ROLE kstar_report", "CREATE TABLE kstar_views.mine ()", "INSERT INTO kstar_views.report_month (run_id) VALUES ('')"):
    refused("ada", query)
refused("ada", "SET row_security = off; TABLE kstar_views.report_statement", "row-level security")
LEAKY = """CREATE FUNCTION pg_temp.noticed(what text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
           $$BEGIN RAISE NOTICE 'noticed %', what; RETURN true; END$$;"""
for column, view in (("cost_centre", "statement"), ("invoice_id", "invoice"), ("job_id", "job"), ("name", "cost_centre"), ("cost_centre", "budget")):
    _, notices = psql("ada", f"{LEAKY} SELECT count(*) FROM kstar_views.report_{view} WHERE pg_temp.noticed(coalesce({column}::text, 'None'))")
    assert "noticed" in notices, (view, notices)
    mine = {str(row[column]) for row in rows("ada", f"TABLE kstar_views.report_{view}")}
    equals(mine, {line.split("noticed ")[1] for line in notices.splitlines() if "noticed " in line})
# of another's row: division by zero
output, errors = psql("ada", "SELECT 1 / (cost_centre = 'CC-210')::int FROM kstar_views.report_job")
equals(("", {"1"}), (errors, set(output.splitlines())))
equals("", read("ada", "SELECT tablename FROM pg_stats WHERE schemaname = 'kstar'"))
assert "some cost centres alone" in kstar("ada", "verify", code=DATABASE)
assert "permission denied" in kstar("ada", "report", "chargeback", "--period", "2026-09", "--out", WORK / "ada", code=DATABASE)

it("counts and estimates nothing of others in EXPLAIN: whatever is asked of a column but the month is asked above the view")


def asked_of_tables(plan):
    """The conditions that are worked out where a table is read."""
    def below(node):
        if "Relation Name" in node:
            yield from (node[name] for name in ("Filter", "Index Cond", "Recheck Cond") if name in node)
        for child in node.get("Plans", []):
            yield from below(child)

    return sorted(below(json.loads("\n".join(plan))[0]["Plan"]))


of_centres = sorted({*VIEWS} - {"month"})
unknown = {row["view"]: row["conditions"] for row in rows("finops", """
    SELECT relname AS view, string_agg(format('%I IS NULL', attname), ' AND ') AS conditions FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'kstar_views'::regnamespace AND attnum > 0 AND attname <> 'statement_month' GROUP BY 1""")}
for view in of_centres:
    name = f"kstar_views.report_{view}"
    queries = f"TABLE {name}", f"SELECT FROM {name} WHERE {unknown[f'report_{view}']}", f"SELECT FROM {name} WHERE statement_month = '2026-09-01'"
    of_all, of_unknown, asked = map(asked_of_tables, read_all("ada", [f"EXPLAIN (FORMAT JSON) {query}" for query in queries]))
    equals(of_all, of_unknown)
    # which months are read is still for the tables to say
    assert "2026-09-01" in str(asked), (view, asked)


def counted(condition, view):
    plan = read("ada", f"EXPLAIN (ANALYZE, TIMING off, SUMMARY off) SELECT FROM kstar_views.report_{view} WHERE {condition}")
    return [line for line in plan.splitlines() if "Filter: (report_" not in line]


for view, column, others, nobodys in (("job", "user_name", "ines", "zoe"), ("statement", "cost_centre", "CC-310", "CC-999"),
                                      ("cost_centre", "cost_centre", "CC-310", "CC-999")):
    assert rows("controlling", f"SELECT FROM kstar_views.report_{view} WHERE {column} = '{others}'"), (view, others)
    equals(counted(f"{column} = '{nobodys}'", view), counted(f"{column} = '{others}'", view))

it("covers the whole catalogue: no table for a reader, every view for him, a policy wherever a view shows cost centres")
equals([], rows("finops", """SELECT relname FROM pg_class WHERE relnamespace = 'kstar'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
    AND (has_table_privilege('kstar_reader', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege('kstar_reader', oid, 'SELECT'))"""))
equals([False], [row["may"] for row in rows("finops", "SELECT has_schema_privilege('kstar_reader', 'kstar', 'USAGE') AS may")])
equals([{"view": f"report_{view}", "may_read": True, "barrier": True, "owner": "kstar_views"} for view in VIEWS], rows("finops", """
    SELECT relname AS view, has_table_privilege('kstar_reader', oid, 'SELECT') AS may_read, 'security_barrier=true' = ANY (reloptions) AS barrier,
           pg_get_userbyid(relowner) AS owner
    FROM pg_class WHERE relnamespace = 'kstar_views'::regnamespace ORDER BY relname"""))
SHOWN = """WITH shown AS (
    SELECT DISTINCT used.oid, used.relname, used.relrowsecurity, used.relkind
    FROM pg_rewrite
    JOIN pg_class AS report_view ON report_view.oid = ev_class AND report_view.relnamespace = 'kstar_views'::regnamespace
    JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid AND refclassid = 'pg_class'::regclass
    JOIN pg_class AS used ON used.oid = refobjid AND used.relnamespace = 'kstar'::regnamespace AND used.relname <> 'seen_cost_centre')"""
equals([], rows("finops", f"""{SHOWN} SELECT relname FROM shown JOIN pg_attribute ON attrelid = shown.oid AND attname = 'cost_centre'
    WHERE NOT relrowsecurity OR relkind <> 'r' OR NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = shown.oid AND polname = 'seen')"""))
# What is under a view without a policy: joined to rows that have one (details to their sums), or
# nobody's own. A new name here wants a thought.
equals("charge_kind component family job measurement setting statement statement_detail statement_invoice".split(),
       [row["relname"] for row in rows("finops", f"{SHOWN} SELECT relname FROM shown WHERE NOT relrowsecurity ORDER BY relname")])

it("shows a reader his own after a restore, whoever the views belong to then, works on no such database, and gives everything its owner again")
RIGHTS = """SELECT relname || ' of ' || pg_get_userbyid(relowner) || CASE WHEN relrowsecurity THEN ', row by row' ELSE '' END
    FROM pg_class WHERE relnamespace::regnamespace::text LIKE 'kstar%' AND relkind IN ('r', 'p', 'v', 'S')
    UNION ALL SELECT format('%s: %s %s', relname, grantee::regrole, privilege_type)
    FROM pg_class CROSS JOIN aclexplode(relacl) WHERE relnamespace::regnamespace::text LIKE 'kstar%'
    UNION ALL SELECT format('%s: %s %s %s', tablename, policyname, roles, qual) FROM pg_policies
    UNION ALL SELECT format('%s of %s', oid::regprocedure, pg_get_userbyid(proowner)) FROM pg_proc WHERE pronamespace = 'kstar'::regnamespace
    ORDER BY 1"""


def seen_in(database):
    return {(user, view): sorted(found) for user in (*SEEN, "controlling", "controller", "night", "finops")
            for view, found in views_of(user, database).items()}


def restore(user, *how, code=0):
    """A dump of the whole, as its owner makes it, in a new database."""
    for word in ("DROP DATABASE IF EXISTS restored", "CREATE DATABASE restored OWNER finops"):
        subprocess.run([KSTAR, "db", "psql", "--", "-Xqc", word], check=True, capture_output=True)
    done = subprocess.run(["pg_restore", "--clean", "--if-exists", *how, "-d", dsn(user, "restored"), str(WORK / "dump")],
                          capture_output=True, text=True, check=False)
    equals((code, done.stderr), (done.returncode, done.stderr))


read("stranger", "SELECT lo_from_bytea(0, 'x')")  # a large object, which only he may read
backup = re.search(r" pg_dump (.*) -f kstar.dump ", (SOURCE / "docs/operations.md").read_text(encoding="utf-8")).group(1)
subprocess.run(["pg_dump", *backup.split(), "-f", str(WORK / "dump"), dsn("finops")], check=True)
original, rights = seen_in("finops"), read("finops", RIGHTS)
restore("kstar")  # a superuser, with owners: nothing to mend
equals((rights, original), (read("finops", RIGHTS, "restored"), seen_in("restored")))
assert "nothing to do" in kstar("finops", "init", database="restored")
# who is no superuser cannot give views away while they are restored
for how, code, owner in ([], 1, "finops"), (["--no-owner"], 0, "finops"):
    restore("finops", *how, code=code)
    equals(original, seen_in("restored"))
    message = kstar("night", "status", code=DATABASE, database="restored")
    assert "kstar_views.report_adjustment belongs to finops, not to kstar_views" in message and "kstar init --roles" in message, message
    assert "must be owner" in kstar("night", "init", code=DATABASE, database="restored")
    if how == []:  # a migration is the schema's owner's, and finds the views to be his
        read("kstar", "CREATE DATABASE migrated OWNER finops TEMPLATE restored STRATEGY FILE_COPY", "kstar")
        assert "applied" in kstar("finops", "init", database="migrated", program=MIGRATED)
    assert "belong to the roles again" in kstar("finops", "init", database="restored")
    equals((rights, original), (read("finops", RIGHTS, "restored"), seen_in("restored")))
    kstar("night", "status", database="restored")

it("works on no such database either where a server has none of its roles, and makes them there when it is asked to")


def elsewhere(*words, code=0):
    done = subprocess.run([KSTAR, *words, "--data-dir", str(WORK / "elsewhere")], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


there = re.search("^dsn: +(.*)$", elsewhere("db", "start"), re.M).group(1)
subprocess.run(["pg_restore", "--clean", "--if-exists", "--no-owner", "-d", there, str(WORK / "dump")], check=False, capture_output=True)
for word in "status", "init":
    assert "belongs to kstar, not to kstar_views" in elsewhere(word, code=DATABASE)
count = "SELECT count(*) FROM kstar_views.report_job"
equals(read("finops", count), subprocess.run(["psql", there, "-XAtqc", count], check=True, capture_output=True, text=True).stdout.rstrip("\n"))
elsewhere("init", "--roles")
elsewhere("status")
# names are shown as they are found
equals(rights, subprocess.run(["psql", there, "-XAtq", "-c", "SET search_path = public", "-c", RIGHTS],
                              check=True, capture_output=True, text=True).stdout.rstrip("\n"))
elsewhere("db", "stop")

it("has in docs/views.md every column of every view, with its type")
documented = {}
for line in (SOURCE / "docs/views.md").read_text(encoding="utf-8").splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if line.startswith("## report_"):
        view = line[3:]
        documented[view] = {}
    elif documented and line.startswith("| ") and cells[0] not in ("column", "---"):
        names, types = cells[0].split(", "), cells[1].split(", ")
        documented[view].update(zip(names, types * len(names) if len(types) == 1 else types, strict=len(types) > 1))
found = {}
for row in rows("finops", """SELECT relname, attname, format_type(atttypid, NULL) AS type FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
                             WHERE relnamespace = 'kstar_views'::regnamespace AND attnum > 0"""):
    found.setdefault(row["relname"], {})[row["attname"]] = row["type"].replace("timestamp with time zone", "timestamptz")
equals(found, documented)

it("gives tables that come later to who works with them, and not to readers; new months are loaded without the owner")
read("finops", "SET ROLE kstar_owner; CREATE TABLE kstar.later (what bigint GENERATED ALWAYS AS IDENTITY, cost_centre text)")
read("night", "INSERT INTO kstar.later (cost_centre) VALUES ('CC-210')")
equals("1", read("controller", "SELECT count(*) FROM kstar.later"))
refused("controller", "DELETE FROM kstar.later")
refused("ada", "TABLE kstar.later")
equals("billing_line_20261001", read("night", "SELECT kstar.ensure_billing_partition('2026-10-01')"))
equals("t|t|f", read("night", """SELECT has_table_privilege('night', oid, 'INSERT'), pg_get_userbyid(relowner) = 'kstar_owner',
    has_table_privilege('controller', oid, 'INSERT') FROM pg_class WHERE relname = 'billing_line_20261001'"""))

it("leaves migrations to the owner, and makes them his")
message = kstar("night", "init", code=DATABASE, program=MIGRATED)
assert 'permission denied to set role "kstar_owner"' in message and "docs/security.md" in message, message
assert "is not up to date" in kstar("night", "status", code=DATABASE, program=MIGRATED)
assert "applied" in kstar("finops", "init", program=MIGRATED)
equals("kstar_owner|t", read("finops", """SELECT pg_get_userbyid(relowner), has_table_privilege('night', oid, 'INSERT')
    FROM pg_class WHERE relname = 'sample'"""))
read("finops", "DROP TABLE kstar.sample; ALTER TABLE kstar.finding DROP COLUMN sample; DELETE FROM kstar.schema_migration WHERE name = 'sample'")
assert "nothing to do" in kstar("night", "init")

it("lets a change of readers.csv count at once, leaves statements as they are for it, and refuses a cost centre that nobody declares")
write_csv("readers", ("database_role", "cost_centre"), ("ada", "CC-999"))
assert "CC-999" in kstar("night", "ingest", "reference", INBOX / "reference", code=3)
write_csv("readers", ("database_role", "cost_centre"), *READERS)
kstar("night", "nightly", INBOX, "--out", OUT)  # the journal that was issued above is on its sheet
before = everything.workbooks(OUT)
write_csv("readers", ("database_role", "cost_centre"), ("eve", "CC-310"))
kstar("night", "ingest", "reference", INBOX / "reference")
equals([], rows("ada", "TABLE kstar_views.report_statement"))
equals({"CC-310"}, {row["cost_centre"] for row in rows("eve", "TABLE kstar_views.report_statement")})
# who may read changes no figure, no run id
assert "0 published, 1 up to date" in kstar("night", "nightly", INBOX, "--out", OUT)
# and no list of files
equals(before, everything.workbooks(OUT))

it("serves several databases of one server, each with roles of its own, and closed months with their frozen budgets")
read("kstar", "CREATE DATABASE small", "kstar")
company = Company()
kstar("kstar", "init", "--roles", "--role-prefix", "small", database="small")
sql("CREATE ROLE small_night LOGIN IN ROLE small_ingest; CREATE ROLE anna LOGIN IN ROLE small_reader; CREATE ROLE small_eye LOGIN IN ROLE small_report")
company.month("2026-08", "2026-09-01")
company.publish()
kstar("small_night", "close", "2026-08", database="small")
company.month("2026-09", "2026-09-16")
company.publish()
refused_there = psql("night", "TABLE kstar.job", "small")[1]
assert "permission denied" in refused_there, refused_there
equals([("2026-08-01", "Final", "A"), ("2026-09-01", "Preliminary", "A")],
       [(row["statement_month"], row["status"], row["cost_centre"]) for row in rows("anna", "TABLE kstar_views.report_budget ORDER BY 1", "small")])
equals(rows("small_eye", """SELECT statement_month, cost_centre, budget_minor, spent_minor, forecast_minor
                            FROM kstar.statement CROSS JOIN LATERAL kstar.budget_standing(statement_month) AS standing
                            WHERE budget_minor IS NOT NULL ORDER BY 1, 2""", "small", "SET search_path = kstar;"),
       rows("small_eye", """SELECT statement_month, cost_centre, budget_minor, spent_minor, forecast_minor
                            FROM kstar_views.report_budget ORDER BY 1, 2""", "small", "SET TIME ZONE 'Asia/Tokyo';"))
equals(["Team A", "Team A"], [row["cost_centre_name"] for row in rows("anna", """SELECT DISTINCT statement_month, cost_centre_name
    FROM kstar_views.report_statement""", "small")])

it("explains a closed month to a reader: what his cost centre is charged, and no more")
equals(["A"], [row["cost_centre"] for row in rows("anna", "SELECT DISTINCT cost_centre FROM kstar_views.report_part", "small")])
own = list(csv.DictReader(io.StringIO(kstar("anna", "explain", "--period", "2026-08", "--csv", database="small"))))
equals([("A", "100.1", "100.10")], [(row["cost_centre"], row["amount"], row["whole_effective_cost"]) for row in own])
equals({"A", "B"}, {row["cost_centre"] for row in csv.DictReader(io.StringIO(kstar("small_eye", "explain", "--period", "2026-08", "--csv", database="small")))})
for words in (("--cost-centre", "A"), ("--line", "bill.csv:2"), ()):
    message = kstar("anna", "explain", "--period", "2026-08", *words, database="small")
    assert "100.1" in message and "77.77" not in message, message
for words in (("--cost-centre", "B"), ("--line", "bill.csv:3"), ("--job", "1")):
    assert "cost centres" in kstar("anna", "explain", "--period", "2026-08", *words, code=3, database="small")

it("explains an open month to a reader once it is stored, until its next statement")
assert "is open, and nothing of your cost centres is stored of it" in kstar("anna", "explain", "--period", "2026-09", code=3, database="small")
assert "stored what 2026-09 is made of" in kstar("small_night", "explain", "--period", "2026-09", "--store", database="small")
whole = list(csv.DictReader(io.StringIO(kstar("small_night", "explain", "--period", "2026-09", "--csv", database="small"))))
own = list(csv.DictReader(io.StringIO(kstar("anna", "explain", "--period", "2026-09", "--csv", database="small"))))
equals({"A", "B"}, {row["cost_centre"] for row in whole})
equals([row for row in whole if row["cost_centre"] == "A"], own)
assert "permission denied" in psql("anna", "TABLE kstar.open_part", "small")[1]
assert "permission denied" in kstar("anna", "explain", "--period", "2026-09", "--store", code=DATABASE, database="small")
# what docs/security.md has against temporary tables, and for readers who explain
sql("REVOKE TEMPORARY ON DATABASE small FROM PUBLIC")
assert "to create temporary tables" in kstar("anna", "explain", "--period", "2026-08", code=DATABASE, database="small")
sql("GRANT TEMPORARY ON DATABASE small TO small_reader")
assert "100.1" in kstar("anna", "explain", "--period", "2026-08", database="small")
assert "permission denied" in psql("anna", "TABLE kstar.closed_part", "small")[1]
assert "permission denied" in psql("small_night", "DELETE FROM kstar.closed_part", "small")[1]

it("replays a closed month as a member of kstar_ingest, and shows the adjustment to whose it is")
company.month("2026-08", "2026-09-01", "101.35")
company.publish()
assert "nothing of your cost centres is stored" in kstar("anna", "explain", "--period", "2026-09", code=3, database="small")
equals([{"adjusted_month": "2026-08-01", "statement_month": "2026-09-01", "cost_centre": "A", "amount": Decimal("1.25")}],
       rows("anna", "SELECT adjusted_month, statement_month, cost_centre, amount FROM kstar_views.report_adjustment", "small"))
equals(Decimal("1.25"), rows("small_eye", "SELECT sum(amount) AS total FROM kstar_views.report_adjustment", "small")[0]["total"])
