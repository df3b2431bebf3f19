"""Passwords: libpq's service file, password file and TLS settings are respected on a server of the
site's own, which wants TLS and scram; and no password is in arguments, messages, logs, the database
or the workbooks."""
import os
import pwd
import shutil
import socket
import subprocess
import zipfile

KSTAR, SOURCE, WORK = os.environ["KSTAR"], os.environ["KSTAR_SOURCE_DIR"], os.environ["WORK"]
PASSWORD, WRONG = "correct horse:battery\\staple", "Tr0ub4dor&3"
outputs = []


def kstar(*arguments, code=0, **variables):
    """Runs kstar; keeps its output, to be searched for passwords at the end."""
    done = subprocess.run([KSTAR, *arguments], env={**os.environ, **variables}, capture_output=True, text=True)
    outputs.append(done.stdout + done.stderr)
    assert done.returncode == code, (arguments, done.returncode, outputs[-1])
    return outputs[-1]


def place(name, text, mode=0o600):
    path = f"{WORK}/{name}"
    with open(path, "w", encoding="utf-8", opener=lambda p, flags: os.open(p, flags, mode)) as file:
        file.write(text)
    return path


def own_server():
    """A PostgreSQL that lets nobody in without TLS and a password. Stopped by
    tests/lib/with_database."""
    found = dict(line.split(":", 1) for line in kstar("db", "start").splitlines() if ":" in line)
    kstar("db", "stop")
    programs, user = found["binaries"].strip(), found["user"].strip()
    runs_as = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
    home = f"{WORK}/server"
    os.mkdir(home)
    if runs_as:
        shutil.chown(home, user)

    def run(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=home, **runs_as)

    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem")
    run("sh", "-c", 'umask 077 && printf %s "$1" >password', "sh", PASSWORD)
    run(f"{programs}/initdb", "-D", "data", "-U", "finops", "-A", "scram-sha-256", "--pwfile", "password", "-E", "UTF8")
    run("sh", "-c", "echo 'hostssl all all all scram-sha-256' >data/pg_hba.conf")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    run(f"{programs}/pg_ctl", "-D", "data", "-l", "server.log", "-w", "start", "-o",
        f"-p {port} -k '' -c listen_addresses=127.0.0.1 -c fsync=off -c ssl=on -c log_connections=on"
        f" -c log_statement=all -c ssl_cert_file={home}/cert.pem -c ssl_key_file={home}/key.pem")
    return home, port


HOME, PORT = own_server()
SERVICE = f"[bills]\nhost=localhost\nport={PORT}\nuser=finops\ndbname=postgres\nsslmode=verify-full\n"
escaped = PASSWORD.replace("\\", "\\\\").replace(":", "\\:")
trusting = {
    "PGSERVICEFILE": place("services", SERVICE + f"sslrootcert={HOME}/cert.pem\n"),
    "PGPASSFILE": place("passwords", f"localhost:{PORT}:*:finops:{escaped}\n"),
}

# ---- what libpq offers is respected ----

kstar("init", "--dsn", "service=bills", **trusting)
on_wire = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
assert "t\n" == kstar("db", "psql", "--dsn", "service=bills", "--", "-XAtqc", on_wire, **trusting)
print("- a night of several connections finds its password in the password file")
kstar("nightly", f"{SOURCE}/fixtures/inbox", "--out", f"{WORK}/out", code=4, PGSERVICE="bills", **trusting)
assert os.path.exists(f"{WORK}/out/chargeback-2026-09.xlsx")

print("- or in the service file, or in the environment")
with_password = place("services-with-password", SERVICE + f"sslrootcert={HOME}/cert.pem\npassword={PASSWORD}\n")
kstar("status", "--dsn", "service=bills", PGSERVICEFILE=with_password, PGPASSFILE="/nonexistent")
kstar("status", "--dsn", "service=bills", **{**trusting, "PGPASSFILE": "/nonexistent", "PGPASSWORD": PASSWORD})

print("- a certificate that is not the expected one, and a connection without TLS, are refused")
other = place("services-other", SERVICE + "sslrootcert=/etc/ssl/certs/ca-certificates.crt\n")
refused = kstar("status", "--dsn", "service=bills", code=7, **{**trusting, "PGSERVICEFILE": other})
assert "certificate" in refused, refused
refused = kstar("status", "--dsn", "service=bills sslmode=disable", code=7, **trusting)
assert "no encryption" in refused, refused

# ---- passwords stay where they are ----

print("- a wrong password, or none, ends with 7 and is not shown")
wrong = place("wrong", f"localhost:{PORT}:*:finops:{WRONG}\n")
refused = kstar("init", "-v", "--dsn", "service=bills", code=7, **{**trusting, "PGPASSFILE": wrong})
reasons = [line for line in refused.splitlines() if line.startswith("error: ")]
assert len(reasons) == 1 and 'password authentication failed for user "finops"' in reasons[0], refused
kstar("init", "-v", "--dsn", "service=bills", code=7, **{**trusting, "PGPASSFILE": "/nonexistent"})

print("- a password among the arguments is refused, and so is what libpq cannot read: neither is shown")
for dsn in (f"host=localhost password='{WRONG}'", f"postgresql://finops:{WRONG}@localhost/postgres",
            f"service=bills sslpassword={WRONG}", f"host=localhost password=two {WRONG}",
            f"postgresql://finops:{WRONG}@[localhost/postgres", f"postgresql://localhost/x?password={WRONG}"):
    for command in (["init"], ["status"], ["db", "psql"], ["nightly", SOURCE, "--out", f"{WORK}/out"]):
        refused = kstar(*command, "--dsn", dsn, code=2, **trusting)
        assert "error: --dsn " in refused and "hint:" in refused, refused

print("- no password is in kstar's output, in the server's log, in the database or in the files written")
written = "".join(outputs)
with open(f"{HOME}/server.log", encoding="utf-8", errors="replace") as log:
    written += log.read()
assert "connection authenticated" in written or "connection authorized" in written
dump = subprocess.run(["pg_dump", "--schema=kstar", "service=bills"], env={**os.environ, **trusting}, check=True,
                      capture_output=True, text=True)
assert "COPY kstar.statement_detail" in dump.stdout
written += dump.stdout
for name in os.listdir(f"{WORK}/out"):
    path = f"{WORK}/out/{name}"
    if name.endswith(".xlsx"):
        with zipfile.ZipFile(path) as book:
            written += "".join(book.read(part).decode("utf-8", "replace") for part in book.namelist())
    elif os.path.isfile(path):
        with open(path, encoding="utf-8") as text:
            written += text.read()
for secret in (PASSWORD, escaped, WRONG, "horse", "Tr0ub"):
    assert secret not in written, secret
