"""The server goes away in the middle of a night: restarted while a COPY is under way, at once or in
good order; its session ended by somebody, or cut off by a statement_timeout; the connection cut
anywhere. The night ends with 7 and one line, and the same night again is as one that nothing
disturbed.

That a COPY is under way is seen, not waited for (tests/lib/held_copy.py)."""

import os
import random
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import everything  # noqa: E402
from held_copy import HeldCopy  # noqa: E402
from nights import CLEAN, WORK, Undisturbed, check_failed, finish, small_company  # noqa: E402
from saying import it, run, sql  # noqa: E402

DATABASE = 7


def restart(mode):
    """By PostgreSQL's own program, as the user that the server runs as."""
    home = os.environ["KSTAR_DATA_DIR"]
    binaries = next(line.split()[-1] for line in run("db", "status").stdout.splitlines() if line.startswith("binaries:"))
    owner = os.stat(f"{home}/postgresql").st_uid
    become = ["setpriv", "--reuid", str(owner), "--clear-groups"] if os.geteuid() != owner else []
    subprocess.run([*become, f"{binaries}/pg_ctl", "restart", "-D", home, "-m", mode, "-w", "-s"], check=True, cwd="/",
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Relay:
    """A way to the server's socket that is cut for good where so many bytes have gone to the
    server, or in place of a message with these words."""

    def __init__(self, folder):
        folder.mkdir()
        self.dsn = f"host={folder} port=6000 dbname=kstar user=kstar"
        self.server = next(part[len("host="):].strip("'") for part in run("db", "status").stdout.split() if part.startswith("host="))
        self.sent, self.cut_at, self.cut_words = 0, None, None
        self.lock = threading.Lock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/.s.PGSQL.6000")
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{self.server}/.s.PGSQL.5432")
            for source, target, counts in ((client, server, True), (server, client, False)):
                threading.Thread(target=self.pass_on, args=(source, target, counts), daemon=True).start()

    def is_cut(self, data):
        """Whether the cut lies within these bytes; it is made once."""
        with self.lock:
            cut = (self.cut_at is not None and self.sent < self.cut_at <= self.sent + len(data)
                   or self.cut_words is not None and self.cut_words in data)
            self.sent += len(data)
            return cut

    def pass_on(self, source, target, counts):
        try:
            while data := source.recv(4096):
                if counts and self.is_cut(data):
                    break
                target.sendall(data)
        except OSError:
            pass
        for end_of_it in (source, target):
            try:
                end_of_it.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def again(self, cut_at=None, cut_words=None):
        self.sent, self.cut_at, self.cut_words = 0, cut_at, cut_words


small_company()
undisturbed = Undisturbed()

for mode in ("immediate", "fast"):
    it(f"the server is restarted during a COPY, -m {mode}")
    everything.start_over()
    held = HeldCopy(WORK / mode)
    held.server_process()
    restart(mode)
    check_failed(held.end(), DATABASE, "run again", "nothing is half-done")
    undisturbed.check_visible(WORK / mode)
    undisturbed.check_again(WORK / mode, mode)

it("somebody ends its session")
everything.start_over()
held = HeldCopy(WORK / "ended")
sql(f"SELECT pg_terminate_backend({held.server_process()})")
check_failed(held.end(), DATABASE, "run again", "nothing is half-done")
undisturbed.check_again(WORK / "ended", "its session was ended")

it("a statement_timeout cuts it off")
everything.start_over()
held = HeldCopy(WORK / "timeout", env={**os.environ, "PGOPTIONS": "-c statement_timeout=1s"})
check_failed(held.end(), DATABASE, "statement timeout", "PGOPTIONS", "run again")
undisturbed.check_again(WORK / "timeout", "statement_timeout")

it("the connection is cut anywhere")
relay = Relay(WORK / "relay")
everything.start_over()
code, output = finish(WORK / "relayed", "--dsn", relay.dsn)
assert code in CLEAN, output
undisturbed.check_same(WORK / "relayed")
total, cuts = relay.sent, 0
seed = int(os.environ.get("KSTAR_TEST_SEED", "20260901"))
wanted = int(os.environ.get("KSTAR_TEST_CUTS", "2"))
places = random.Random(seed)
for number in range(wanted):
    everything.start_over()
    folder = WORK / f"cut-{number}"
    relay.again(round(total * (number + places.random()) / wanted))  # one in each part of the night
    ended = finish(folder, "--dsn", relay.dsn)
    # the ledger's session may be the one that was cut: then the night goes on
    if ended[0] not in CLEAN:
        check_failed(ended, DATABASE, "run again")
        cuts += 1
    undisturbed.check_visible(folder)
    undisturbed.check_again(folder, f"cut at byte {relay.cut_at} of {total}")
print(f"seed {seed}: {cuts} nights of {wanted} were cut off from the server")
assert cuts, "no night was cut off: nothing was tested"

for cursor in ("catalogue", "job_costs"):
    it(f"the connection is cut where the rows of {cursor} are asked for")
    everything.start_over()
    folder = WORK / f"cut-{cursor}"
    relay.again(cut_words=f"FROM {cursor}".encode())
    check_failed(finish(folder, "--dsn", relay.dsn), DATABASE, cursor, "run again")
    undisturbed.check_visible(folder)
    undisturbed.check_again(folder, f"cut at {cursor}")
