"""A PostgreSQL cluster of several servers with Citus, made for one test: a coordinator and its
workers, on one machine.

Servers listen on a socket in their own folder and on 127.0.0.1, because the servers find each other
by host and port. Where the extension is not installed a test that needs it skips by name.
"""

import os
import socket
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
SETTINGS = {
    "shared_preload_libraries": "citus,pg_stat_statements", "wal_level": "logical", "max_prepared_transactions": "100", "max_connections": "100",
    "shared_buffers": "64MB", "listen_addresses": "127.0.0.1", "fsync": "off", "synchronous_commit": "off",
    "logging_collector": "off", "citus.node_conninfo": "sslmode=disable", "max_worker_processes": "20",
}


def pg_config(what):
    return Path(subprocess.run(["pg_config", f"--{what}"], capture_output=True, text=True, check=True).stdout.strip())


def is_installed():
    try:
        return (pg_config("sharedir") / "extension" / "citus.control").exists()
    except (FileNotFoundError, subprocess.CalledProcessError):
        return False


def skip_unless_installed():
    if not is_installed():
        print("skipped: the extension citus is not installed for this PostgreSQL")
        sys.exit(SKIPPED)


def as_server(command, **options):
    """Runs a program of PostgreSQL, which refuses to be root."""
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]
    return subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)


class Server:
    def __init__(self, folder):
        self.folder, self.data = folder, folder / "data"
        folder.mkdir(parents=True)
        if os.geteuid() == 0:
            subprocess.run(["chown", "postgres", folder], check=True)
        with socket.socket() as probe: # a port that is free now
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        programs = pg_config("bindir")
        as_server([programs / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"])
        with (self.data / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
            for name, value in {**SETTINGS, "port": str(self.port), "unix_socket_directories": str(folder)}.items():
                file.write(f"{name} = '{value}'\n")
        self.start()

    def start(self):
        as_server([pg_config("bindir") / "pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "start"])

    def stop(self):
        as_server([pg_config("bindir") / "pg_ctl", "-D", self.data, "-w", "-m", "immediate", "stop"])

    def processes(self, postmaster):
        """Ticks of the processes of the server that live, by their number; of the postmaster
        itself, of those that have ended as well."""
        ticks = {}
        for process in Path("/proc").glob("[0-9]*"):
            try: # fields from the state on: what is in brackets before it may hold anything
                fields = (process / "stat").read_text().rpartition(")")[2].split()
            except OSError: # it has ended just now
                continue
            if int(process.name) == postmaster:
                ticks[postmaster] = sum(map(int, fields[11:15]))
            elif int(fields[1]) == postmaster:
                ticks[int(process.name)] = sum(map(int, fields[11:13]))
        return ticks

    def processor_seconds(self):
        """Of the server since it was started. A process that ends between two looks would be
        missed: they have to name the same ones."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        before, now = {}, self.processes(postmaster)
        while before.keys() != now.keys():
            before, now = now, self.processes(postmaster)
        return sum(now.values()) / os.sysconf("SC_CLK_TCK")

    def rows_fetched(self, cursor, database):
        """Rows that sessions of the database have fetched from cursors of that name, by the
        server's own statistics."""
        return int(self.query(f"""SELECT coalesce(sum(rows), 0) FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
                                  WHERE datname = '{database}' AND query LIKE 'FETCH % FROM {cursor}'"""))

    def dsn(self, database="postgres"):
        return f"host={self.folder} port={self.port} user=postgres dbname={database}"

    def query(self, sql, database="postgres"):
        done = subprocess.run(["psql", self.dsn(database), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{sql}\n{done.stderr}")
        return done.stdout.rstrip("\n")


class Citus:
    """The servers; `new_database` makes one on all of them and registers the workers with
    the coordinator."""

    def __init__(self, folder, workers=2):
        self.coordinator = Server(folder / "coordinator")
        self.workers = [Server(folder / f"worker{number + 1}") for number in range(workers)]
        for server in self.servers():
            server.query("CREATE EXTENSION pg_stat_statements")

    def servers(self):
        return [self.coordinator, *self.workers]

    def new_database(self, name, workers=None, last_is=""):
        """`workers`: the first so many, else all; `last_is`: what the last of them makes the
        database with."""
        for server in self.servers():
            server.query(f'CREATE DATABASE "{name}" {last_is if server is self.workers[-1] else ""}')
            server.query("CREATE EXTENSION citus", name)
        self.coordinator.query(f"SELECT citus_set_coordinator_host('127.0.0.1', {self.coordinator.port})", name)
        for worker in self.workers if workers is None else self.workers[:workers]:
            self.coordinator.query(f"SELECT citus_add_node('127.0.0.1', {worker.port})", name)
        return self.coordinator.dsn(name)
