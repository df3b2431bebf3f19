"""A night that stands still in the middle of a COPY of bill lines, for as long as a test wants: a
trigger holds it at its thousandth row, and pg_stat_progress_copy shows it."""

import subprocess

from nights import LONGEST, night
from saying import KSTAR, sql, wait_until

LOCK = 42
HOLD = f"""
CREATE SEQUENCE kstar.rows_seen;
CREATE FUNCTION kstar.hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('kstar.rows_seen') >= 1000 THEN
        PERFORM pg_advisory_xact_lock({LOCK});
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hold BEFORE INSERT ON kstar.billing_line FOR EACH ROW EXECUTE FUNCTION kstar.hold();
"""
RELEASE = "DROP TRIGGER hold ON kstar.billing_line; DROP FUNCTION kstar.hold(); DROP SEQUENCE kstar.rows_seen"
HELD = """SELECT pid FROM pg_stat_progress_copy JOIN pg_locks USING (pid)
          WHERE locktype = 'advisory' AND NOT granted AND tuples_processed > 0"""


class HeldCopy:
    """The night is at work; what holds it, is a session of its own. The database must be new."""

    def __init__(self, folder, *options, **more):
        sql(HOLD)
        self.holder = subprocess.Popen([KSTAR, "db", "psql", "--", "-XAtq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.holder.stdin.write(f"SELECT pg_advisory_lock({LOCK});\n")
        self.holder.stdin.flush()
        self.holder.stdout.readline()
        self.night = night(folder, "--quiet", *options, **more)

    def server_process(self):
        """The process id of the session that copies, once it stands still."""
        wait_until(f"SELECT count(*) FROM ({HELD}) AS held", "1", self.night)
        assert self.night.poll() is None, self.night.stderr.read()
        return sql(HELD)

    def let_go(self):
        self.holder.stdin.close()
        self.holder.wait()

    def end(self):
        """How the night ended: exit code and output. The trigger is gone then."""
        _, output = self.night.communicate(timeout=LONGEST)
        self.let_go()
        sql(RELEASE)
        return self.night.returncode, output
