# tests/lib/check.sh: a few words for tests in bash; sourced by them. The first failed check ends
# the test.
set -euo pipefail

# it SENTENCE: says what is checked next; printed, so that a failure shows how far the test came.
it() { sentence=$1 && printf '%s\n' "- $1"; }

fail() {
    printf 'FAILED: %s\n  %s\n' "${sentence:-}" "$*" >&2
    exit 1
}

# equals EXPECTED ACTUAL
equals() { [ "$1" = "$2" ] || fail "expected: $1"$'\n  '"got:      $2"; }

# contains TEXT PART
contains() { [[ $1 == *"$2"* ]] || fail "not found:  $2"$'\n  '"in:         $1"; }

# ends_with CODE COMMAND…: runs it; its exit code is CODE. What it printed is in $output and
# $errors.
ends_with() {
    local expected=$1 code=0
    shift
    "$@" >"$WORK/.output" 2>"$WORK/.errors" || code=$?
    output=$(<"$WORK/.output")
    errors=$(<"$WORK/.errors")
    [ "$code" = "$expected" ] || fail "$* ended with $code, not $expected"$'\n'"$output"$'\n'"$errors"
}

# sql QUERY: its rows, unaligned, from the private cluster: by psql itself, or through kstar where
# the server must be started.
sql() {
    local code=0
    psql "host=$KSTAR_DATA_DIR/socket port=5432 user=kstar dbname=kstar" -X -A -t -q -v ON_ERROR_STOP=1 -c "$1" 2>"$WORK/.sql" || code=$?
    [ "$code" != 2 ] || { "$KSTAR" db psql -- -X -A -t -q -v ON_ERROR_STOP=1 -c "$1" && return; }
    cat "$WORK/.sql" >&2
    return "$code"
}

# skip REASON: not a failure; ctest shows the test as skipped.
skip() {
    echo "skipped: $1"
    exit 77
}
