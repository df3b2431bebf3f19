# What the compiler and linker put around kstar against an attacker who finds a mistake in it, read
# off the binary; and what the running program keeps from other processes.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
command -v readelf >/dev/null || skip "needs readelf (binutils)"
header=$(readelf -hW "$KSTAR")
segments=$(readelf -lW "$KSTAR")
dynamic=$(readelf -dW "$KSTAR")
symbols=$(readelf -W --dyn-syms "$KSTAR")

it "can be loaded at any address"
contains "$header" "DYN (Position-Independent Executable file)"

it "has its relocations read-only before it starts"
contains "$segments" GNU_RELRO
contains "$dynamic" BIND_NOW

it "has no stack that can be executed, and nothing both writable and executable"
grep -qE 'GNU_STACK .* RW +0x' <<<"$segments" || fail "$(grep GNU_STACK <<<"$segments")"
[[ $segments != *RWE* ]] || fail "$segments"

it "searches for libraries only where the system does"
[[ $dynamic != *RPATH* && $dynamic != *RUNPATH* ]] || fail "$dynamic"

it "sees that a stack was overrun"
contains "$symbols" __stack_chk_fail

if [[ $KSTAR_BUILD_TYPE == Rel* || $KSTAR_BUILD_TYPE == MinSizeRel ]] && [ "$KSTAR_SANITIZE" = OFF ]; then
    it "checks the lengths of copies and prints"
    for call in memcpy snprintf vsnprintf fprintf; do
        contains "$symbols" "__${call}_chk"
    done
else
    echo "- not looked at: _FORTIFY_SOURCE, in a build that is not optimised"
fi

if [[ $header == *X86-64* ]]; then
    code=$(objdump -d --no-show-raw-insn "$KSTAR")
    it "begins each function with a landing pad for indirect calls"
    contains "$(grep -A1 '<main>:$' <<<"$code")" endbr64
    it "touches each page of a large stack frame"
    grep -qE 'or[ql] +\$0x0,\(%rsp\)' <<<"$code" || fail "no probe of the stack in $KSTAR"
fi

it "leaves no core dump, and lets no process of the same user look into it"
mkdir "$WORK/home"
cp "$KSTAR" "$WORK/kstar" # the build may lie where the other user cannot go
[ "$(id -u)" != 0 ] || chown nobody "$WORK/home"
python3 - "$WORK/kstar" "$WORK/home" <<'PYTHON'
import os, pwd, resource, signal, subprocess, sys, time

kstar, home = sys.argv[1:]
user = pwd.getpwnam("nobody").pw_uid if os.getuid() == 0 else os.getuid()
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)


def held(command):
    """Starts a program that waits in a write to a full pipe, and returns it once it has come so far."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)
    process = subprocess.Popen(command, stdout=writer, cwd=home, user=user)
    name = os.path.basename(command[0])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with open(f"/proc/{process.pid}/stat") as status:
            fields = status.read()
        if f"({name})" in fields and fields.rsplit(")", 1)[1].split()[0] == "S":
            return process
    sys.exit(f"{name} did not start writing its output")


def readable(process):
    """Whether its user may read its memory: Linux gives these files to root where it is not dumpable."""
    return os.stat(f"/proc/{process.pid}/environ").st_uid == user


def dumps_core(process):
    process.send_signal(signal.SIGSEGV)
    return os.WCOREDUMP(os.waitpid(process.pid, 0)[1])


control, process = held(["/bin/echo", "hello"]), held([kstar, "help"])
assert readable(control) and not readable(process), "another process of the user can read its memory"
assert not dumps_core(process), "a core was dumped"
print("  a control program", "dumps one here" if dumps_core(control) else "dumps none here either: this shows no difference")
PYTHON
