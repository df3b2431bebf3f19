"""What a night publishes, without its pages and workbooks: they are half of a small night."""

import os
import subprocess

KINDS = ("reference", "billing", "jobs", "nodes", "efficiency")
DONE = (0, 4)


class Publish:
    """Called, it takes what is new in an inbox and publishes; `take` leaves publishing to others,
    as kstar close publishes first. Both return the exit code and the output as if one command had
    done it."""

    def __init__(self, inbox, dsn=None):
        self.inbox, self.database, self.taken = inbox, ["--dsn", dsn] if dsn else [], {}

    def __call__(self):
        return self.run(*self.news(), ["model"])

    def take(self):
        return self.run(*self.news())

    def news(self):
        """The words of a command for each of what is new."""
        found = {path: path.read_bytes() for kind in KINDS for path in sorted((self.inbox / kind).rglob("*")) if path.is_file()}
        new = [path for path, content in found.items() if self.taken.get(path) != content]
        self.taken = found
        return list(self.deliveries(new))

    def run(self, *commands):
        done = []
        for words in commands:
            done.append(subprocess.run([os.environ["KSTAR"], *words, *self.database], capture_output=True, text=True, check=False))
            assert done[-1].returncode in DONE, (words, done[-1].returncode, done[-1].stdout, done[-1].stderr)
        return subprocess.CompletedProcess([one.args for one in done], max((one.returncode for one in done), default=0), "".join(one.stdout for one in done),
                                           "".join(one.stderr for one in done))

    def deliveries(self, files):
        """The words of a command for each, in the order of a night: reference tables and bills are
        folders, an inventory is a file."""
        for kind in KINDS:
            of_kind = [path for path in files if path.relative_to(self.inbox).parts[0] == kind]
            if kind in ("reference", "billing"):
                yield from (["ingest", kind, str(folder)] for folder in dict.fromkeys(path.parent for path in of_kind))
            elif kind == "nodes":
                yield from (["ingest", kind, "--source", path.parent.name, str(path)] for path in of_kind)
            elif of_kind:
                yield ["ingest", kind, *map(str, of_kind)]
