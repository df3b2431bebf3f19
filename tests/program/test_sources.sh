# What must not stand in the C sources.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"

sources() { find "$KSTAR_SOURCE_DIR" \( -name 'build*' -o -name .git \) -prune -o -name '*.[ch]' -type f -print0; }

# offences PATTERN: lines that match and are no comment line.
offences() {
    sources | xargs -0 grep -H -n -E "$1" | grep -v -E '^[^:]+:[0-9]+: *(/\*|\*|//)' || true
}

it "is run over all the sources"
count=$(sources | tr -cd '\0' | wc -c)
[ "$count" -gt 30 ] || fail "only $count files in $KSTAR_SOURCE_DIR"

it "calls no function that cannot bound what it writes, cannot fail, or runs a shell"
equals "" "$(offences '(^|[^A-Za-z0-9_])(sprintf|vsprintf|strcpy|strcat|atoi|atol|atof|gets|system|tmpnam|mktemp) ?\(')"

it "starts a shell in tests only"
equals "" "$(offences '(^|[^A-Za-z0-9_])popen ?\(' | grep -v "^$KSTAR_SOURCE_DIR/tests/" || true)"

it "finds such a call where there is one"
printf 'int f(void)\n{\n    return system("true");\n}\n' >"$WORK/bad.c"
found=$(KSTAR_SOURCE_DIR=$WORK offences '(^|[^A-Za-z0-9_])(system) ?\(')
contains "$found" "bad.c:3:"

it "opens no file that a child process would inherit: a hook, a mailer, PostgreSQL"
equals "" "$(offences '(^|[^A-Za-z0-9_])fopen ?\([^"]*"[^"e]*"' | grep -v "^$KSTAR_SOURCE_DIR/tests/" || true)"

it "starts threads in one place, which leaves signals to the thread that waits for them"
equals "" "$(offences '(^|[^A-Za-z0-9_])pthread_create ?\(' | grep -v "^$KSTAR_SOURCE_DIR/base/system/thread.c:" || true)"
