# cmake --install below a prefix of its own: a night runs from there, and what the site has changed
# is kept.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
prefix=$WORK/opt/kstar
install_it() { cmake --install "$KSTAR_BUILD" --prefix "$prefix" >"$WORK/install.log" 2>&1 || fail "$(tail -n 5 "$WORK/install.log")"; }
install_it

it "names the places of its prefix, and leaves none open"
units=$prefix/lib/systemd/system
for file in "$units"/* "$prefix"/etc/*/*; do
    [[ $(<"$file") != *@KSTAR* ]] || fail "$file: $(grep @ "$file")"
done
contains "$(<"$units/kstar-nightly.service")" "ExecStart=$prefix/libexec/kstar/nightly"
contains "$(<"$prefix/etc/cron.d/kstar")" "$prefix/libexec/kstar/nightly"

it "brings documents whose links lead to what it brings"
documents=$(dirname "$(find "$prefix" -name README.md)")
links=$(grep -oE '\]\([^)#: ]+' "$documents"/*.md | sed 's/.*](//' | grep -vx https | sort -u)
[ "$(wc -l <<<"$links")" -ge 20 ] || fail "only: $links"
for link in $links; do [ -e "$documents/$link" ] || fail "$link is not there"; done

it "runs nothing from cron before somebody says so"
equals "" "$(grep -E '^[^#A-Z]' "$prefix/etc/cron.d/kstar" || true)"

it "has units that systemd takes"
if command -v systemd-analyze >/dev/null; then
    ends_with 0 systemd-analyze verify --man=no "$units"/*
    equals "" "$output$errors"
else
    echo "  not looked at: systemd-analyze is not here"
fi

it "runs a night with kstar.conf as its only settings, as the service does"
sed -i "s|/var/lib/kstar/inbox|$KSTAR_SOURCE_DIR/fixtures/inbox|; s|/var/lib/kstar|$WORK|; s|/var/log/kstar|$WORK/log|" "$prefix/etc/kstar/kstar.conf"
sed -i "s|^KSTAR_DATA_DIR=.*|KSTAR_DATA_DIR=\"$WORK/a place\"|" "$prefix/etc/kstar/kstar.conf"
echo 'KSTAR_NIGHTLY_OPTIONS="--as-of 2026-10-02"' >>"$prefix/etc/kstar/kstar.conf"
command=$(sed -n 's/^ExecStart=//p' "$units/kstar-nightly.service")
ends_with 4 env -u KSTAR_DATA_DIR PATH="$prefix/bin:/usr/bin:/bin" KSTAR="$prefix/bin/kstar" KSTAR_CONF="$prefix/etc/kstar/kstar.conf" "$command"
[ -d "$WORK/a place/postgresql" ] && [ -e "$WORK/out/chargeback-2026-09.xlsx" ] && [ -s "$WORK/log/nightly.log" ] || fail "$output"

it "keeps the site's configuration when it is installed again"
before=$(<"$prefix/etc/kstar/kstar.conf")
install_it
equals "$before" "$(<"$prefix/etc/kstar/kstar.conf")"
equals "$(<"$KSTAR_SOURCE_DIR/cron/kstar.conf")" "$(<"$prefix/etc/kstar/kstar.conf.new")"
