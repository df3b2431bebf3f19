"""The same bytes elsewhere: a night and a close in a database of another collation, whose sessions
have other forms of dates and numbers, from a client of another locale and time zone. Names of cost
centres sort differently there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCE / "tests" / "lib"))
import everything  # noqa: E402
import published  # noqa: E402
from saying import equals, it  # noqa: E402

INBOX = WORK / "inbox"
BINARIES = subprocess.run(["pg_config", "--bindir"], check=True, capture_output=True, text=True).stdout.strip()
MONTH = "2026-09"
NAMES = {"CC-210": "cc-21", "CC-220": "äCC-220", "CC-230": "CC-9", "CC-310": "Zebra", "CC-400": "_400"}
SETTINGS = {"TimeZone": "Asia/Kolkata", "DateStyle": "German, DMY", "IntervalStyle": "sql_standard", "extra_float_digits": "-2",
            "bytea_output": "escape", "standard_conforming_strings": "off", "lc_monetary": "C"}


def rename(folder):
    """Names that upper case, accents and digits put into another order than their bytes do."""
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            for name, other in NAMES.items():
                text = text.replace(name, other)
            path.write_text(text, encoding="utf-8")


def locale_of_germany():
    """The environment of a client in it, or nothing where the machine cannot make that locale. A
    server that starts from here on has it, too."""
    folder = WORK / "locales"
    folder.mkdir()
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True, check=False)
    if made.returncode > 1:
        print("skipped: a client's locale, for want of package locales")
        return {}
    wrapped = WORK / "bin"
    wrapped.mkdir()
    for program in Path(BINARIES).iterdir():
        (wrapped / program.name).symlink_to(program)
    (wrapped / "pg_ctl").unlink()
    (wrapped / "pg_ctl").write_text(f'#!/bin/sh\nLOCPATH={folder} exec {BINARIES}/pg_ctl "$@"\n')
    (wrapped / "pg_ctl").chmod(0o755)
    os.environ["KSTAR_PG_BINDIR"] = str(wrapped)
    SETTINGS["lc_numeric"] = "de_DE.UTF-8"
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}


def make_other(name):
    """A database that sorts as a dictionary does, numbers by their value, upper case first."""
    published.run(published.server(),
                  f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'de-u-kn-true-kf-upper' LOCALE 'C.UTF-8'",
                  *(f"ALTER DATABASE {name} SET {setting} = '{value}'" for setting, value in SETTINGS.items()))
    return published.server() + name


def play(dsn, out, environment):
    """A night, a close, and the night after; the output of each, and all rows."""
    outputs = []
    for words, codes in ((("init",), (0,)), (("nightly", INBOX, "--out", out, "--quiet"), (0, 4)),
                         (("close", MONTH, "--by", "somebody", "--accept-incomplete", "one cluster is late"), (0, 4)),
                         (("nightly", INBOX, "--out", out, "--quiet"), (0, 4)), (("status", "--json"), (0, 4, 9)),
                         (("explain", "--period", MONTH, "--csv"), (0,)), (("verify", "--out", out), (0,))):
        done = subprocess.run([KSTAR, *map(str, words), "--dsn", dsn], capture_output=True, text=True, check=False, env={**os.environ, **environment})
        assert done.returncode in codes, (words, done.returncode, done.stdout, done.stderr)
        outputs.append((words[0], done.stdout if words[0] in ("explain", "verify") else done.returncode))

    def psql(query):
        plain = {"PGOPTIONS": "-c DateStyle=ISO -c IntervalStyle=iso_8601 -c TimeZone=UTC -c extra_float_digits=1 -c bytea_output=hex"}
        return subprocess.run(["psql", dsn, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", query], env={**os.environ, **plain}, check=True,
                              capture_output=True, text=True).stdout
    everything.psql = psql
    return outputs, everything.database(), everything.workbooks(out)


shutil.copytree(SOURCE / "fixtures" / "inbox", INBOX)
rename(INBOX)

it("says, publishes and writes the same in German, by Indian time on the server and New York's here")
in_germany = locale_of_germany()
outputs, rows, files = play(published.new_database("plain"), WORK / "plain", {})
assert len(files) > 20, files
there = {"TZ": "America/New_York", "PGTZ": "Asia/Tokyo", "PGDATESTYLE": "SQL, DMY", **in_germany}
dsn = make_other("elsewhere")
[order] = published.query("SELECT string_agg(name, ' ' ORDER BY name) AS here, string_agg(name, ' ' ORDER BY name COLLATE \"C\") AS bytes "
                          f"FROM unnest('{{{','.join(NAMES.values())}}}'::text[]) AS name", dsn)
assert order["here"] != order["bytes"], order
outputs_there, rows_there, files_there = play(dsn, WORK / "there", there)
equals([], [name for name in rows if rows[name] != rows_there[name]])
equals([], [name for name in files.keys() | files_there.keys() if files.get(name) != files_there.get(name)])
equals(outputs, outputs_there)

binaries = Path("/usr/lib/postgresql/17/bin")
if not (binaries / "postgres").exists():
    print("skipped: PostgreSQL 17, for want of package postgresql-17")
else:
    it("does so on PostgreSQL 17")
    home = {"KSTAR_DATA_DIR": str(WORK / "seventeen"), "KSTAR_PG_BINDIR": str(binaries)}
    subprocess.run([KSTAR, "db", "start"], env={**os.environ, **home}, check=True, capture_output=True)
    try:
        equals((outputs, rows, files), play(f"host={WORK / 'seventeen'}/socket port=5432 user=kstar dbname=kstar", WORK / "out17", {}))
    finally:
        subprocess.run([KSTAR, "db", "stop", "--force"], env={**os.environ, **home}, check=False, capture_output=True)
