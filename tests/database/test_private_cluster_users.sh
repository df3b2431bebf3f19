# Root's cluster and that of a normal user: each in its place. Needs root, to become the other one.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
unset KSTAR_DATA_DIR
cp "$KSTAR" "$WORK/kstar" # the build may lie where the other user cannot go
mkdir "$WORK/home"
chown nobody "$WORK/home"
as_nobody() { setpriv --reuid nobody --regid nogroup --clear-groups env HOME="$WORK/home" "$@"; }

it "lives under XDG_DATA_HOME for a normal user, and belongs to that user"
ends_with 0 as_nobody XDG_DATA_HOME="$WORK/home/data" "$WORK/kstar" init
contains "$output" " created"
equals nobody "$(stat -c %U "$WORK/home/data/kstar/postgresql")"
ends_with 0 as_nobody XDG_DATA_HOME="$WORK/home/data" "$WORK/kstar" db psql -- -XAtqc "SELECT current_user"
equals kstar "$output"

it "is not touched by root"
ends_with 1 "$WORK/kstar" init --data-dir "$WORK/home/data/kstar"
contains "$errors" "belongs to user nobody, not to root"
contains "$errors" "sudo -u nobody kstar"
equals "" "$(find "$WORK/home/data" -user root)"
ends_with 0 as_nobody XDG_DATA_HOME="$WORK/home/data" "$WORK/kstar" db stop

it "belongs to another user than root when root starts it, and lets root in"
ends_with 0 "$WORK/kstar" init --data-dir "$WORK/db"
[ "$(stat -c %U "$WORK/db/postgresql")" != root ] || fail "it belongs to root"
ends_with 0 "$WORK/kstar" db psql --data-dir "$WORK/db" -- -XAtqc "SELECT current_user"
equals kstar "$output"

it "does not count as stopped for a user who may not look"
ends_with 0 as_nobody "$WORK/kstar" db status --data-dir "$WORK/db"
contains "$output" "not known: you may not look"
chmod 700 "$WORK/db" # nor as missing, where not even its folder can be looked into
ends_with 0 as_nobody "$WORK/kstar" db status --data-dir "$WORK/db"
contains "$output" "not known: you may not look"
ends_with 1 as_nobody "$WORK/kstar" status --data-dir "$WORK/db"
contains "$errors" "Permission denied"
chmod 711 "$WORK/db"

it "stays with the user who has the data directory"
ends_with 0 "$WORK/kstar" db stop --data-dir "$WORK/db"
chown -R daemon "$WORK/db/postgresql" "$WORK/db/socket" "$WORK/db/log"
ends_with 0 "$WORK/kstar" db start --data-dir "$WORK/db"
contains "$output" "user:     daemon"
ends_with 0 "$WORK/kstar" db psql --data-dir "$WORK/db" -- -XAtqc "SELECT current_user"
