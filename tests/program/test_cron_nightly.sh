# cron/nightly around a script in the place of kstar: what is mailed, what is logged, and one at a
# time.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
nightly=$KSTAR_SOURCE_DIR/cron/nightly
export KSTAR=$WORK/kstar KSTAR_LOG=$WORK/log/nightly.log
cat >"$KSTAR" <<'PROGRAM'
#!/bin/bash
echo "summary of $*"
echo "time=now level=info event=work" >&2
[ -z "${ERROR:-}" ] || printf 'error: %s\n  hint:   look there\n' "$ERROR" >&2
[ -z "${HOLD:-}" ] || { echo here >"$HOLD.in"; exec cat "$HOLD"; }
exit "${CODE:-0}"
PROGRAM
chmod +x "$KSTAR"

it "says nothing when all is well, and keeps everything in the log"
ends_with 0 "$nightly" in out --as-of 2026-09-30
equals "" "$output$errors"
contains "$(<"$KSTAR_LOG")" "summary of nightly in --out out --as-of 2026-09-30"
contains "$(<"$KSTAR_LOG")" "event=work"
contains "$(<"$KSTAR_LOG")" "event=nightly_ends code=0"

it "prints the summary when asked to"
KSTAR_SUMMARY=1 ends_with 0 "$nightly" in out
equals "summary of nightly in --out out" "$output"

it "passes the exit code on, with its meaning, the summary, the error and the log's place"
for code in 1 3 4 5 7 8; do
    CODE=$code ERROR="trouble $code" ends_with "$code" "$nightly" in out
    contains "$output" "kstar nightly ended with $code: "
    contains "$output" "summary of nightly in"
    contains "$output" "error: trouble $code"
    contains "$output" "  hint:   look there"
    contains "$output" "log: $KSTAR_LOG"
    [[ $output != *"level=info"* ]] || fail "log lines are mailed: $output"
done

it "keeps a log of JSON as JSON, the summary too, and mails its errors"
export KSTAR_LOG_FORMAT=json KSTAR_LOG=$WORK/log/nightly.json
sed -i 's/^echo "time=now.*/echo "{\\"event\\":\\"error\\",\\"message\\":\\"told\\"}" >\&2/' "$KSTAR"
CODE=4 ends_with 4 "$nightly" 'in "x" \y' out
contains "$output" '"message":"told"'
python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert [line["event"] for line in lines] == ["nightly_begins", "error", "summary", "nightly_ends"], lines
assert lines[0]["inbox"] == "in \"x\" \\y" and lines[3]["code"] == 4 and lines[2]["text"].startswith("summary of nightly in \"x\" \\y"), lines
' "$KSTAR_LOG"
unset KSTAR_LOG_FORMAT
KSTAR_LOG=$WORK/log/nightly.log

it "runs kstar all the same where the log's disk is full, and says that nothing was logged"
ln -s /dev/full "$WORK/log/full.log"
KSTAR_LOG=$WORK/log/full.log KSTAR_SUMMARY=1 ends_with 0 "$nightly" in out
equals "summary of nightly in --out out" "$output"
contains "$errors" "No space left on device"

it "mails the errors of its own run only"
CODE=4 ends_with 4 "$nightly" in out
[[ $output != *"trouble"* ]] || fail "$output"

it "lets one run at a time, says who is at work, and passes SIGTERM on"
mkfifo "$WORK/hold"
HOLD=$WORK/hold "$nightly" in out >"$WORK/first" 2>&1 &
first=$!
until [ -e "$WORK/hold.in" ]; do kill -0 $first || fail "the first one ended"; done
ends_with 6 "$nightly" in out
contains "$output" "another kstar is at work: process $first holds"
kill -TERM $first
code=0
wait $first || code=$?
equals 143 "$code"
contains "$(<"$WORK/first")" "killed by signal 15"
ends_with 0 "$nightly" in out

it "ends with kstar's own code if kstar ends by itself at a SIGTERM"
mkfifo "$WORK/begun"
cat >"$WORK/patient" <<'PROGRAM'
#!/usr/bin/python3
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
open(os.environ["WORK"] + "/begun", "w").close()
signal.sigwait({signal.SIGTERM})
PROGRAM
chmod +x "$WORK/patient"
for _ in 1 2 3 4 5; do
    KSTAR=$WORK/patient "$nightly" in out >"$WORK/first" 2>&1 &
    first=$!
    : <"$WORK/begun"
    kill -TERM $first
    wait $first || fail "it ended with $?: $(<"$WORK/first")"
done

it "says so where there is no such program"
KSTAR=$WORK/nowhere/kstar ends_with 127 "$nightly" in out
contains "$output" "kstar nightly ended with 127: $WORK/nowhere/kstar cannot be run"
[[ $output != *signal* ]] || fail "$output"
touch "$WORK/no-program"
KSTAR=$WORK/no-program ends_with 126 "$nightly" in out
contains "$output" "kstar nightly ended with 126: $WORK/no-program cannot be run"

it "goes on in a new file after the log was moved away"
mv "$KSTAR_LOG" "$KSTAR_LOG.1"
CODE=4 ERROR=new ends_with 4 "$nightly" in out
contains "$output" "error: new"
contains "$(<"$KSTAR_LOG")" "error: new"

it "refuses a command line without inbox and folder"
ends_with 2 "$nightly" in
contains "$errors" "usage: nightly INBOX OUT"

it "takes everything from the configuration file when it has no operands, and says what that lacks"
printf 'KSTAR_INBOX="the inbox"\nKSTAR_OUT=out\nKSTAR_NIGHTLY_OPTIONS="--as-of 2026-09-30"\n' >"$WORK/kstar.conf"
KSTAR_SUMMARY=1 KSTAR_CONF=$WORK/kstar.conf ends_with 0 "$nightly"
equals "summary of nightly the inbox --out out --as-of 2026-09-30" "$output"
(cd "$WORK" && KSTAR_SUMMARY=1 KSTAR_CONF=kstar.conf ends_with 0 "$nightly" && equals "summary of nightly the inbox --out out --as-of 2026-09-30" "$output")
printf 'KSTAR_INBOX=in\nKSTAR_OUT=out\nKSTAR_NIGHTLY_OPTIONS="--as-of 2026-09-30\n  --quiet"\n' >"$WORK/kstar.conf"
KSTAR_SUMMARY=1 KSTAR_CONF=$WORK/kstar.conf ends_with 0 "$nightly"
equals "summary of nightly in --out out --as-of 2026-09-30 --quiet" "$output"
printf 'KSTAR_INBOX=in\r\nKSTAR_OUT=out\r\n' >"$WORK/kstar.conf"
KSTAR_CONF=$WORK/kstar.conf ends_with 2 "$nightly"
contains "$errors" "$WORK/kstar.conf has line ends of Windows (CR LF)"
echo 'KSTAR_OUT=out' >"$WORK/kstar.conf"
KSTAR_CONF=$WORK/kstar.conf ends_with 2 "$nightly"
contains "$errors" "lacks KSTAR_INBOX"
KSTAR_CONF=$WORK/none ends_with 2 "$nightly"
contains "$errors" "$WORK/none cannot be read"

it "names every exit code of base/error.h"
for code in $(sed -n 's/^ *ERROR_[A-Z]* = \([1-9]\),.*/\1/p' "$KSTAR_SOURCE_DIR/base/error.h"); do
    CODE=$code ends_with "$code" "$nightly" in out
    [[ $output != *signal* ]] || fail "code $code has no meaning: $output"
    grep -q "^| $code |" "$KSTAR_SOURCE_DIR/docs/operations.md" || fail "code $code is not in docs/operations.md"
done
